/* page_sums.c: sums of trades on the page of a run: a box for the value of each currency, and a
 * table of all other sums, by currency and by key. See page.h. */
#include "engine/report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void levy_page_netted(levy_text_out *out, const levy_report *report)
{
    char value[PLOT_LABEL], error[PLOT_LABEL], low[PLOT_LABEL], high[PLOT_LABEL], share[PLOT_LABEL],
        line[5 * PLOT_LABEL];
    levy_text_put(out, report->n_netted ? "<div class=\"boxes\">\n" : "");
    for (size_t i = 0; i < report->n_netted; ++i) {
        const levy_netted *const n = &report->netted[i];
        if (n->key) continue;
        snprintf(line, sizeof line, "netted, %zu trade%s, ", n->trades, n->trades == 1 ? "" : "s");
        levy_page_text(out, "<div class=\"box\"><span class=\"quiet\">", line, "");
        levy_page_text(out, "", n->currency, "</span>");
        levy_page_text(out, "<b>", levy_page_rounded(n->value, n->std_error, value), "</b>");
        levy_page_text(out, "\xc2\xb1 ", levy_page_error(n->std_error, error), "");
        if (isfinite(n->ci_low)) {
            snprintf(line, sizeof line, ", %s in [%s, %s]", levy_plot_percent(n->confidence, share),
                     levy_page_rounded(n->ci_low, n->std_error, low),
                     levy_page_rounded(n->ci_high, n->std_error, high));
            levy_page_text(out, "", line, "");
        }
        levy_text_put(out, "</div>\n");
    }
    levy_text_put(out, report->n_netted ? "</div>\n" : "");
}

/* The values of currencies are in the boxes. */
static bool sums_is_listed(const levy_netted *netted, size_t i)
{
    return netted->key || strcmp(netted->measures[i].measure, "price") != 0;
}

static void sums_row(levy_text_out *out, const levy_netted *netted, size_t i)
{
    char text[PLOT_LABEL];
    levy_text_put(out, "<tr>");
    levy_page_cell(out, netted->currency);
    levy_page_cell(out, netted->key);
    levy_page_cell(out, netted->label);
    snprintf(text, sizeof text, "%zu", netted->trades);
    levy_page_number_cell(out, (double)netted->trades, text);
    levy_page_measure(out, &netted->measures[i]);
}

void levy_page_sums(levy_text_out *out, const levy_report *report)
{
    static const char *const heads[] = {"currency", "key",   "label",      "trades", "measure",
                                        "factor",   "value", "std. error", "note",   NULL};
    size_t n = 0;
    for (size_t i = 0; i < report->n_netted; ++i)
        for (size_t k = 0; k < report->netted[i].n_measures; ++k) {
            if (!sums_is_listed(&report->netted[i], k)) continue;
            if (n++ == 0) {
                levy_text_put(out, "<h2>Sums</h2>\n<div class=\"wide\"><table class=\"sorts\">");
                levy_page_heads(out, heads, "tttnttnnt");
            }
            sums_row(out, &report->netted[i], k);
        }
    if (n) levy_text_put(out, "</tbody></table></div>\n");
}
