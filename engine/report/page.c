/* page.c: a run as one HTML page that needs nothing else: the run's line, the netted values, tables
 * of trades, measures and sums that sort, the plots that apply, inputs with their hashes, notes.
 * Every text of the book is escaped. See report.h. */
#include "engine/report/page.h"

#include "engine/report/plot.h"
#include "engine/report/plot_results.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Head ---- */

/* Who priced a part, where that is not the same for all. */
static void page_part(levy_text_out *out, const levy_part_info *part)
{
    char text[64];
    snprintf(text, sizeof text, "<p class=\"quiet\">part %u/%u on ", (unsigned)part->part,
             (unsigned)part->parts);
    levy_page_text(out, text, part->host, ": ");
    levy_page_text(out, "", part->backend, ", ");
    levy_page_text(out, "", part->device, "");
    snprintf(text, sizeof text, ", %u threads, ", (unsigned)part->threads);
    if (part->threads) levy_page_text(out, text, part->isa, "");
    levy_text_put(out, "</p>\n");
}

static void page_run(levy_text_out *out, const levy_report *report)
{
    const levy_run_info *const run = report->run;
    const size_t all = levy_report_size(report);
    char text[PLOT_LABEL], seconds[PLOT_LABEL];
    snprintf(text, sizeof text, "%zu trade%s: %zu priced, %zu failed; %zu group%s", all,
             all == 1 ? "" : "s", run->priced, run->failed, run->groups,
             run->groups == 1 ? "" : "s");
    levy_page_text(out, "<p>", text, "");
    if (isfinite(run->seconds))
        levy_page_text(out, "; ", levy_plot_number(run->seconds, 3, seconds), " s");
    levy_page_text(out, "</p>\n<p class=\"quiet\">levy ", run->version, "");
    levy_page_text(out, " on ", run->backend, ": ");
    levy_page_text(out, "", run->device, "");
    snprintf(text, sizeof text, ", %u threads, ", (unsigned)run->threads);
    if (run->threads) levy_page_text(out, text, run->isa, "");
    levy_page_text(out, " (", run->device_reason, ")</p>\n");
    for (size_t i = 0; i < report->n_parts; ++i) page_part(out, &report->parts[i]);
    if (run->interrupted)
        levy_text_put(out,
                      "<p class=\"flag\">The run was interrupted: what was done is here.</p>\n");
}

/* How the first priced trade was simulated, which is how all were. */
static void page_method(levy_text_out *out, const levy_report *report)
{
    char text[2 * PLOT_LABEL];
    for (size_t i = 0; i < report->n_trades; ++i) {
        const levy_trade_result *const t = &report->trades[i];
        if (strcmp(t->status, "ok") != 0 || !t->generator || t->paths == 0) continue;
        snprintf(text, sizeof text,
                 "%" PRIu64 " paths of %s in %" PRIu64 " replicate%s, %s, %s precision (%s), "
                 "seed %" PRIu64,
                 t->paths, t->generator, t->replicates, t->replicates == 1 ? "" : "s",
                 t->construction, t->precision, t->reproducibility, t->seed);
        levy_page_text(out, "<p class=\"quiet\">", text, "</p>\n");
        return;
    }
}

/* ---- Tables ---- */

static const char *page_doubt(const levy_trade_result *trade)
{
    if (strcmp(trade->status, "ok") != 0) return trade->message ? trade->message : trade->reason;
    for (size_t i = 0; i < trade->n_measures; ++i)
        if (strcmp(trade->measures[i].measure, "price") == 0 && trade->measures[i].note)
            return trade->measures[i].note;
    return trade->message;
}

static void page_trade(levy_text_out *out, const levy_trade_result *t)
{
    char text[PLOT_LABEL];
    const bool good = strcmp(t->status, "ok") == 0;
    levy_text_put(out, "<tr>");
    levy_page_cell(out, t->id);
    levy_page_cell(out, t->payoff);
    levy_page_number_cell(out, t->maturity,
                          isfinite(t->maturity) ? levy_plot_number(t->maturity, 4, text) : "");
    levy_page_cell(out, t->currency);
    levy_page_number_cell(out, t->price,
                          good ? levy_page_rounded(t->price, t->std_error, text) : t->status);
    levy_page_number_cell(out, t->std_error, good ? levy_page_error(t->std_error, text) : "");
    levy_page_interval(out, (const double[]){t->ci_low, t->ci_high}, t->std_error,
                       good ? t->interval : "");
    levy_page_text(out, good ? "<td class=\"text quiet\">" : "<td class=\"text flag\">",
                   page_doubt(t), "</td></tr>\n");
}

static void page_trades(levy_text_out *out, const levy_report *report)
{
    static const char *const heads[] = {"trade",      "payoff",   "years", "currency", "price",
                                        "std. error", "interval", "note",  NULL};
    levy_text_put(out, "<h2>Trades</h2>\n<div class=\"wide\"><table class=\"sorts\">");
    levy_page_heads(out, heads, "ttntnntt");
    for (size_t i = 0; i < report->n_trades; ++i) page_trade(out, &report->trades[i]);
    levy_text_put(out, "</tbody></table></div>\n");
}

/* Measures other than prices, which the trades' table has. */
static bool page_is_listed(const levy_trade_result *trade, size_t i)
{
    return strcmp(trade->status, "ok") == 0 && strcmp(trade->measures[i].measure, "price") != 0;
}

static void page_measures(levy_text_out *out, const levy_report *report)
{
    static const char *const heads[] = {"trade",      "measure",  "factor", "value",
                                        "std. error", "interval", "note",   NULL};
    size_t n = 0;
    for (size_t i = 0; i < report->n_trades; ++i)
        for (size_t k = 0; k < report->trades[i].n_measures; ++k) {
            const levy_trade_result *const t = &report->trades[i];
            const levy_measure *const m = &t->measures[k];
            if (!page_is_listed(t, k)) continue;
            if (n++ == 0) {
                levy_text_put(out, "<h2>Sensitivities and scenarios</h2>\n<div class=\"wide\">"
                                   "<table class=\"sorts\">");
                levy_page_heads(out, heads, "tttnntt");
            }
            levy_text_put(out, "<tr>");
            levy_page_cell(out, t->id);
            levy_page_measure(out, m);
        }
    if (n) levy_text_put(out, "</tbody></table></div>\n");
}

/* ---- Plots, inputs, notes ---- */

static void page_plots(levy_text_out *out, const levy_report *report)
{
    static bool (*const plots[])(levy_text_out *, const levy_report *, const char *,
                                 bool) = {levy_plot_grid, levy_plot_ladder, levy_plot_errors};
    static const char *const heads[] = {"<h2>Scenarios</h2>\n<figure>\n",
                                        "<h2>By node</h2>\n<figure>\n",
                                        "<h2>Errors</h2>\n<figure>\n"};
    for (size_t i = 0; i < sizeof plots / sizeof *plots; ++i) {
        bool any = false;
        for (size_t t = 0; t < report->n_trades && !any; ++t) {
            const levy_trade_result *const trade = &report->trades[t];
            for (size_t k = 0; k < trade->n_measures && !any; ++k)
                any = strcmp(trade->status, "ok") == 0 &&
                      (i == 2 ||
                       (i == 0 && strcmp(trade->measures[k].measure, "scenario_pnl") == 0) ||
                       (i == 1 && strstr(trade->measures[k].measure, "_by_node")));
        }
        if (!any) continue;
        levy_text_put(out, heads[i]);
        (void)plots[i](out, report, NULL, true);
        levy_text_put(out, "</figure>\n");
    }
}

static void page_inputs(levy_text_out *out, const levy_report *report)
{
    char text[64];
    levy_text_put(out, "<h2>Inputs</h2>\n<div class=\"wide\"><table><thead><tr><th>text</th>"
                       "<th class=\"number\">bytes</th><th>XXH3</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < report->n_inputs; ++i) {
        const levy_report_input *const input = &report->inputs[i];
        levy_text_put(out, "<tr>");
        levy_page_cell(out, input->name);
        snprintf(text, sizeof text, "%" PRIu64, input->bytes);
        levy_page_number_cell(out, (double)input->bytes, text);
        snprintf(text, sizeof text, "%016" PRIx64, input->hash);
        levy_page_text(out, "<td><code>", text, "</code></td></tr>\n");
    }
    snprintf(text, sizeof text, "%016" PRIx64, report->run->fingerprint);
    levy_page_text(out, "<tr><td>all of them, with settings and quotes</td><td></td><td><code>",
                   text, "</code></td></tr>\n</tbody></table></div>\n");
}

static void page_notes(levy_text_out *out, const levy_report *report)
{
    char text[PLOT_LABEL];
    levy_text_put(out,
                  "<h2>Notes</h2>\n<ul class=\"quiet\">\n"
                  "<li>Prices are signed present values of the positions. Standard errors include "
                  "rounding, those of differences by a bump also the bias of the bump.</li>\n"
                  "<li>Vega and rho are per 1.00 of volatility and of rates, theta is per calendar "
                  "day.</li>\n"
                  "<li>XXH3 is the 64-bit hash that <code>xxhsum -H3</code> prints.</li>\n");
    if (report->run->tolerance_missed) {
        snprintf(text, sizeof text, "%zu priced trades missed their tolerance.",
                 report->run->tolerance_missed);
        levy_page_text(out, "<li class=\"flag\">", text, "</li>\n");
    }
    levy_text_put(out, "</ul>\n");
}

int levy_report_write_html(const levy_report *report, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_text_put(&out,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
                  "<title>levy: results</title>\n");
    levy_page_style(&out);
    levy_text_put(&out, "</head>\n<body>\n<h1>levy: results</h1>\n");
    page_run(&out, report);
    page_method(&out, report);
    levy_page_netted(&out, report);
    page_trades(&out, report);
    page_plots(&out, report);
    page_measures(&out, report);
    levy_page_sums(&out, report);
    page_inputs(&out, report);
    page_notes(&out, report);
    levy_page_script(&out);
    levy_text_put(&out, "</body>\n</html>\n");
    return levy_text_finish(&out);
}
