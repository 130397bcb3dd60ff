/* page_cells.c: texts, numbers and rows of the tables of a page. See page.h. */
#include "engine/report/page.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void levy_page_text(levy_text_out *out, const char *before, const char *text, const char *after)
{
    levy_text_put(out, before);
    levy_text_put_xml(out, text ? text : "");
    levy_text_put(out, after);
}

void levy_page_cell(levy_text_out *out, const char *text)
{
    levy_page_text(out, "<td>", text, "</td>");
}

void levy_page_number_cell(levy_text_out *out, double value, const char *shown)
{
    char bits[LEVY_NUMBER_SIZE] = "";
    if (isfinite(value)) levy_number_write(value, bits);
    levy_page_text(out, "<td class=\"number\" data-value=\"", bits, "\">");
    levy_page_text(out, "", shown, "</td>");
}

const char *levy_page_rounded(double value, double error, char text[PLOT_LABEL])
{
    int decimals = 0;
    char number[96];
    if (!isfinite(value)) return strcpy(text, "\xe2\x80\x93");
    if (!(error > 0.0) || fabs(value) >= 1e15) return levy_plot_number(value, 6, text);
    if (value != 0.0 && fabs(value) < 1e-6) return levy_plot_number(value, 4, text);
    for (double s = error; s < 9.95 && decimals < 12; s *= 10.0) ++decimals;
    levy_number_write_fixed(fabs(value), decimals, number, sizeof number);
    const bool zero = strspn(number, "0.") == strlen(number);
    snprintf(text, PLOT_LABEL, "%s%s", value < 0.0 && !zero ? "\xe2\x88\x92" : "", number);
    return text;
}

const char *levy_page_error(double error, char text[PLOT_LABEL])
{
    return isfinite(error) ? levy_plot_number(error, 2, text) : strcpy(text, "\xe2\x80\x93");
}

void levy_page_heads(levy_text_out *out, const char *const *heads, const char *numbers)
{
    levy_text_put(out, "<thead><tr>");
    for (size_t i = 0; heads[i]; ++i) {
        levy_text_put(out, numbers[i] == 'n' ? "<th class=\"number\"><button>" : "<th><button>");
        levy_text_put(out, heads[i]);
        levy_text_put(out, "</button></th>");
    }
    levy_text_put(out, "</tr></thead>\n<tbody>\n");
}

void levy_page_interval(levy_text_out *out, const double ends[2], double error, const char *made)
{
    char both[2 * PLOT_LABEL + 8], low[PLOT_LABEL], high[PLOT_LABEL];
    if (isfinite(ends[0]))
        snprintf(both, sizeof both, "[%s, %s]", levy_page_rounded(ends[0], error, low),
                 levy_page_rounded(ends[1], error, high));
    levy_page_cell(out, isfinite(ends[0]) ? both : made);
}

void levy_page_measure(levy_text_out *out, const levy_measure *m)
{
    char text[PLOT_LABEL];
    levy_page_cell(out, m->measure);
    levy_page_cell(out, m->factor);
    levy_page_number_cell(out, m->value, levy_page_rounded(m->value, m->std_error, text));
    levy_page_number_cell(out, m->std_error, levy_page_error(m->std_error, text));
    levy_page_interval(out, (const double[]){m->ci_low, m->ci_high}, m->std_error, m->interval);
    levy_page_text(out, m->flagged ? "<td class=\"text flag\">" : "<td class=\"text quiet\">",
                   m->note, "</td></tr>\n");
}
