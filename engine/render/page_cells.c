/* page_cells.c: texts, numbers and marks of the tables of a page. See page.h. */
#include "engine/render/page.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAGE_MINUS "\xe2\x88\x92"
#define PAGE_NONE "\xe2\x80\x93"

void levy_page_text(levy_page *page, const char *before, const char *text, const char *after)
{
    levy_text_put(page->out, before);
    levy_text_put_xml(page->out, text ? text : "");
    levy_text_put(page->out, after);
}

void levy_page_parts(levy_page *page, const char *text, char at, const char *between)
{
    const char *part = text ? text : "";
    while (*part) {
        const char *const end = strchr(part, at);
        const size_t length = end ? (size_t)(end - part) : strlen(part);
        levy_page_text(page, part == text ? "" : between,
                       levy_page_kept(page, levy_arena_copy_text(&page->arena, part, length)), "");
        part += length + (end != NULL);
    }
}

const char *levy_page_kept(levy_page *page, const char *text)
{
    page->failed |= !text;
    return text ? text : "";
}

void levy_page_name(levy_page *page, const char *name)
{
    if (name && strlen(name) > 24)
        levy_page_text(page, "<span class=\"long\">", name, "</span>");
    else
        levy_page_text(page, "", name, "");
}

void levy_page_cell(levy_page *page, const char *text)
{
    levy_page_text(page, "<td>", text, "</td>");
}

/* ---- Numbers ---- */

void levy_page_open_number(levy_page *page, const char *class, double value, const char *shown)
{
    char bits[LEVY_NUMBER_SIZE] = "";
    if (isfinite(value)) levy_number_write(value, bits);
    levy_page_text(page, "<td class=\"", class, "\"");
    levy_page_text(page, " data-value=\"", bits, "\">");
    levy_page_text(page, "", shown, "");
}

void levy_page_number(levy_page *page, double value, const char *shown)
{
    levy_page_open_number(page, "number", value, shown);
    levy_text_put(page->out, "</td>");
}

/* With commas between thousands, and a true minus sign. */
static const char *cells_fixed(double value, int decimals, char text[PLOT_LABEL])
{
    char number[96], grouped[PLOT_LABEL - 4];
    levy_number_write_fixed(fabs(value), decimals, number, sizeof number);
    levy_number_group(number, grouped, sizeof grouped);
    const bool zero = strspn(number, "0.") == strlen(number);
    snprintf(text, PLOT_LABEL, "%s%s", value < 0.0 && !zero ? PAGE_MINUS : "", grouped);
    return text;
}

/* So many significant digits, and all those before the point. */
static const char *cells_digits(double value, int digits, char text[PLOT_LABEL])
{
    char plain[PLOT_LABEL];
    const double size = fabs(value);
    if (!isfinite(value)) return strcpy(text, PAGE_NONE);
    if (size >= 1e6 && size < 1e15) return cells_fixed(value, 0, text);
    return levy_number_group(levy_number_shown(value, digits, plain), text, PLOT_LABEL);
}

const char *levy_page_exact(double value, char text[PLOT_LABEL])
{
    char number[LEVY_NUMBER_SIZE];
    if (!isfinite(value) || levy_number_write(value, number) > 12)
        return cells_digits(value, 6, text);
    if (value >= 0.0) return levy_number_group(number, text, PLOT_LABEL);
    strcpy(text, PAGE_MINUS);
    levy_number_group(number + 1, text + strlen(PAGE_MINUS), PLOT_LABEL - sizeof PAGE_MINUS);
    return text;
}

/* A value to the second digit of its error; without one, exactly. */
static const char *cells_rounded(double value, double error, char text[PLOT_LABEL])
{
    int decimals = 0, most = 7;
    if (!(error > 0.0) || !isfinite(value) || value == 0.0 || fabs(value) >= 1e15)
        return levy_page_exact(value, text);
    if (value != 0.0 && fabs(value) < 1e-6) return cells_digits(value, 4, text);
    for (double s = fabs(value); s >= 10.0 && most > 0; s /= 10.0) --most; /* eight digits */
    for (double s = fabs(value); s > 0.0 && s < 1.0; s *= 10.0) ++most;
    for (double s = error; s < 9.95 && decimals < most; s *= 10.0) ++decimals;
    return cells_fixed(value, decimals, text);
}

void levy_page_estimate(levy_page *page, double value, double error, levy_page_mark mark)
{
    char text[PLOT_LABEL], number[24];
    levy_page_open_number(page, mark.flag ? "number flag" : "number", value,
                          cells_rounded(value, error, text));
    snprintf(number, sizeof number, "%zu", mark.note);
    if (mark.note) levy_page_text(page, "<sup>", number, "</sup>");
    levy_text_put(page->out, "</td>");
    levy_page_open_number(page, "error", error, "");
    if (isfinite(value)) levy_page_text(page, "\xc2\xb1\xc2\xa0", cells_digits(error, 2, text), "");
    levy_text_put(page->out, "</td>");
}

void levy_page_interval(levy_page *page, const double ends[2], double error, const char *made)
{
    char both[2 * PLOT_LABEL + 8], low[PLOT_LABEL], high[PLOT_LABEL];
    const bool known = made && strcmp(made, "exact") == 0;
    if (isfinite(ends[0]))
        snprintf(both, sizeof both, "%s to %s", cells_rounded(ends[0], error, low),
                 cells_rounded(ends[1], error, high));
    levy_page_text(page, "<td class=\"interval\">", isfinite(ends[0]) && !known ? both : made,
                   "</td>");
}

/* ---- Heads ---- */

void levy_page_head(levy_page *page, const char *name, const char *below, size_t cells, bool number)
{
    char span[64] = "";
    if (cells > 1) snprintf(span, sizeof span, " colspan=\"%zu\"", cells);
    levy_text_put(page->out, number ? "<th class=\"number\" scope=\"col\"" : "<th scope=\"col\"");
    levy_page_text(page, span, NULL, ">");
    levy_page_name(page, name);
    if (below && *below) levy_page_text(page, "<small>", below, "</small>");
    levy_text_put(page->out, "</th>");
}

const char *levy_page_interval_head(const levy_page *page, char text[PLOT_LABEL])
{
    char share[PLOT_LABEL];
    for (size_t i = 0; i < page->report->n_trades; ++i) {
        if (!isfinite(page->report->trades[i].confidence)) continue;
        snprintf(text, PLOT_LABEL, "%.100s interval",
                 levy_plot_percent(page->report->trades[i].confidence, share));
        return text;
    }
    return strcpy(text, "interval");
}

/* ---- Marks ---- */

levy_page_mark levy_page_note(levy_page *page, levy_page_notes *notes, const char *text, bool flag)
{
    if (!text || !*text) return (levy_page_mark){0, flag};
    for (size_t i = notes->n; i-- > 0;)
        if (strcmp(notes->texts[i], text) == 0) return (levy_page_mark){i + 1, flag};
    if (!LEVY_ARENA_GROW(&page->arena, notes->texts, notes->n, notes->room, 16))
        return page->failed = true, (levy_page_mark){0, flag};
    notes->texts[notes->n++] = text;
    return (levy_page_mark){notes->n, flag};
}

void levy_page_put_notes(levy_page *page, const levy_page_notes *notes)
{
    if (notes->n == 0) return;
    levy_text_put(page->out, "<ol class=\"marks\">\n");
    for (size_t i = 0; i < notes->n; ++i) levy_page_text(page, "<li>", notes->texts[i], "</li>\n");
    levy_text_put(page->out, "</ol>\n");
}
