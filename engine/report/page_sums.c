/* page_sums.c: sums of trades on the page of a run: a box for the value of each currency, and a
 * table of all other sums, by currency and by key. See page.h. */
#include "engine/report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "3 trades", "2 of 3 trades". */
static void sums_trades(const levy_netted *n, char text[PLOT_LABEL])
{
    const size_t all = n->trades + n->failed;
    char of_all[24] = "";
    if (n->failed) snprintf(of_all, sizeof of_all, "%zu of ", n->trades);
    snprintf(text, PLOT_LABEL, "%s%zu trade%s", of_all, all, all == 1 ? "" : "s");
}

void levy_page_netted(levy_text_out *out, const levy_report *report)
{
    char value[PLOT_LABEL], error[PLOT_LABEL], low[PLOT_LABEL], high[PLOT_LABEL], share[PLOT_LABEL],
        line[5 * PLOT_LABEL];
    levy_text_put(out, report->n_netted ? "<div class=\"boxes\">\n" : "");
    for (size_t i = 0; i < report->n_netted; ++i) {
        const levy_netted *const n = &report->netted[i];
        if (n->key) continue;
        sums_trades(n, line);
        levy_page_text(out, "<div class=\"box\"><span class=\"quiet\">netted, ", line, ", ");
        levy_page_text(out, "", n->currency, "</span>");
        levy_page_text(out, "<b>", levy_page_rounded(n->value, n->std_error, value), "</b>");
        levy_page_text(out, "\xc2\xb1 ", levy_page_error(n->std_error, error), "");
        if (isfinite(n->ci_low)) {
            snprintf(line, sizeof line, ", %s in [%s, %s]", levy_plot_percent(n->confidence, share),
                     levy_page_rounded(n->ci_low, n->std_error, low),
                     levy_page_rounded(n->ci_high, n->std_error, high));
            levy_page_text(out, "", line, "");
        }
        if (n->failed) levy_page_text(out, ", without ", n->failed_ids, "");
        levy_text_put(out, "</div>\n");
    }
    levy_text_put(out, report->n_netted ? "</div>\n" : "");
}

/* A sum without a price has a row that says so. */
static levy_measure sums_measure(const levy_netted *netted, size_t i)
{
    const levy_measure none = {.measure = "price",
                               .factor = "",
                               .value = NAN,
                               .std_error = NAN,
                               .flagged = 1,
                               .ci_low = NAN,
                               .ci_high = NAN,
                               .interval = "none"};
    return i < netted->n_measures ? netted->measures[i] : none;
}

/* The values of currencies are in the boxes. */
static bool sums_is_listed(const levy_netted *netted, size_t i)
{
    return netted->key || strcmp(sums_measure(netted, i).measure, "price") != 0;
}

static void sums_row(levy_text_out *out, const levy_netted *netted, size_t i)
{
    char text[PLOT_LABEL], lacks[2 * PLOT_LABEL];
    levy_measure measure = sums_measure(netted, i);
    levy_text_put(out, "<tr>");
    levy_page_cell(out, netted->currency);
    levy_page_cell(out, netted->key);
    levy_page_cell(out, netted->label);
    sums_trades(netted, text);
    levy_page_number_cell(out, (double)netted->trades, text);
    snprintf(lacks, sizeof lacks, "without %s", netted->failed ? netted->failed_ids : "");
    if (netted->failed && !measure.note) measure.note = lacks;
    levy_page_measure(out, &measure);
}

void levy_page_sums(levy_text_out *out, const levy_report *report)
{
    static const char *const heads[] = {"currency", "key",    "label", "trades",
                                        "measure",  "factor", "value", "std. error",
                                        "interval", "note",   NULL};
    size_t n = 0;
    for (size_t i = 0; i < report->n_netted; ++i)
        for (size_t k = 0; k < report->netted[i].n_measures || k == 0; ++k) {
            if (!sums_is_listed(&report->netted[i], k)) continue;
            if (n++ == 0) {
                levy_text_put(out, "<h2>Sums</h2>\n<div class=\"wide\"><table class=\"sorts\">");
                levy_page_heads(out, heads, "tttnttnntt");
            }
            sums_row(out, &report->netted[i], k);
        }
    if (n) levy_text_put(out, "</tbody></table></div>\n");
}
