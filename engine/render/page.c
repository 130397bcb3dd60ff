/* page.c: a run as a report to read and to print, in one HTML file that needs nothing else: who
 * made it with what, trades without a price, sums, trades with their terms, measures, the market,
 * inputs with their hashes, plots, notes. Every text of the book is escaped. See page.h, report.h.
 */
#include "engine/render/page.h"

#include "engine/render/plot_results.h"
#include "engine/render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Head ---- */

static const char *page_base(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* The book's first file, and how many more there are. */
static void page_title(levy_page *page, const char *before, const char *after)
{
    char more[48] = "";
    const levy_report *const report = page->report;
    if (report->n_inputs > 1) snprintf(more, sizeof more, " and %zu more", report->n_inputs - 1);
    levy_page_text(page, before, report->n_inputs ? page_base(report->inputs[0].name) : "", more);
    levy_text_put(page->out, after);
}

/* "20 November 2026" of "2026-11-20". */
static const char *page_date(const char *date, char text[PLOT_LABEL])
{
    static const char *const months[] = {"January",   "February", "March",    "April",
                                         "May",       "June",     "July",     "August",
                                         "September", "October",  "November", "December"};
    int year, month, day;
    if (sscanf(date, "%4d-%2d-%2d", &year, &month, &day) != 3 || month < 1 || month > 12)
        return date;
    snprintf(text, PLOT_LABEL, "%d %s %d", day, months[month - 1], year);
    return text;
}

/* Whether some table has too many columns for an upright sheet. */
static bool page_is_wide(const levy_page *page, const levy_page_panels *panels)
{
    for (size_t i = 0; i < panels->n; ++i)
        if (panels->panels[i].n > 4) return true;
    return !page->currency;
}

static void page_open(levy_page *page, bool across)
{
    levy_text_put(page->out,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                  "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    page_title(page, "<title>Valuation ", "</title>\n");
    levy_page_style(page, across);
    levy_text_put(page->out, "</head>\n<body>\n<header><h1>Valuation report</h1>\n");
    page_title(page, "<p class=\"book\">", "</p></header>\n");
}

/* ---- Who made it, with what ---- */

static void page_fact(levy_page *page, const char *name, const char *text)
{
    if (!text || !*text) return;
    levy_page_text(page, "<dt>", name, "</dt>");
    levy_page_text(page, "<dd>", text, "</dd>\n");
}

static void page_counts(levy_page *page)
{
    const levy_run_info *const run = page->report->run;
    const struct {
        size_t n;
        const char *what;
        bool always;
    } counts[] = {{run->priced, " priced", true},
                  {run->failed, " failed", true},
                  {run->cancelled, " not reached", false},
                  {run->tolerance_missed, " missed the tolerance", false}};
    char text[PLOT_LABEL];
    levy_page_text(page, "<dt>Trades</dt><dd>",
                   levy_page_exact((double)levy_report_size(page->report), text), "");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i)
        if (counts[i].n > 0 || counts[i].always)
            levy_page_text(page, i ? ", " : ": ", levy_page_exact((double)counts[i].n, text),
                           counts[i].what);
    levy_text_put(page->out, "</dd>\n");
}

/* How the first priced trade was simulated, which is how all were. */
static void page_method(levy_page *page)
{
    char text[3 * PLOT_LABEL], paths[PLOT_LABEL];
    for (size_t i = 0; i < page->report->n_trades; ++i) {
        const levy_trade_result *const t = &page->report->trades[i];
        if (!levy_page_is_priced(t) || !t->generator || t->paths == 0) continue;
        snprintf(text, sizeof text,
                 "%s paths of %s in %" PRIu64 " replicate%s, %s, %s precision (%s), "
                 "seed %" PRIu64,
                 levy_page_exact((double)t->paths, paths), t->generator, t->replicates,
                 t->replicates == 1 ? "" : "s", t->construction, t->precision, t->reproducibility,
                 t->seed);
        page_fact(page, "Simulation", text);
        return;
    }
}

static void page_device(levy_page *page, const char *name, const levy_part_info *part,
                        const char *reason)
{
    char threads[64] = "";
    levy_page_text(page, "<dt>", name, "</dt>");
    levy_page_text(page, "<dd>", part->backend, ": ");
    levy_page_text(page, "", part->device, "");
    if (part->threads) {
        snprintf(threads, sizeof threads, ", %u threads, ", (unsigned)part->threads);
        levy_page_text(page, threads, part->isa, "");
    }
    if (reason) levy_page_text(page, " (", reason, ")");
    levy_text_put(page->out, "</dd>\n");
}

static void page_run(levy_page *page)
{
    const levy_run_info *const run = page->report->run;
    const levy_part_info whole = {
        .backend = run->backend, .device = run->device, .isa = run->isa, .threads = run->threads};
    char text[2 * PLOT_LABEL], number[PLOT_LABEL];
    levy_text_put(page->out, "<dl>");
    if (page->report->origin.valuation)
        page_fact(page, "Valuation date", page_date(page->report->origin.valuation, number));
    page_counts(page);
    page_fact(page, "Made", page->form->made);
    snprintf(text, sizeof text, "levy %s", run->version);
    page_fact(page, "Software", text);
    page_fact(page, "Command", page->form->command);
    page_method(page);
    snprintf(text, sizeof text, "%s s", levy_number_shown(run->seconds, 3, number));
    if (isfinite(run->seconds)) page_fact(page, "Time", text);
    page_device(page, "Device", &whole, run->device_reason);
    for (size_t i = 0; i < page->report->n_parts; ++i) {
        const levy_part_info *const part = &page->report->parts[i];
        snprintf(text, sizeof text, "Part %u of %u, %.200s", (unsigned)part->part,
                 (unsigned)part->parts, part->host);
        page_device(page, text, part, NULL);
    }
    levy_text_put(page->out, "</dl>\n");
    if (run->interrupted)
        levy_text_put(page->out, "<p class=\"flag\">The run was interrupted: what was done is "
                                 "here.</p>\n");
}

/* ---- Plots, notes ---- */

static void page_plots(levy_page *page)
{
    static bool (*const plots[])(levy_text_out *, const levy_report *, const char *,
                                 bool) = {levy_plot_grid, levy_plot_ladder, levy_plot_errors};
    const levy_report *const report = page->report;
    size_t n = 0;
    for (size_t i = 0; i < sizeof plots / sizeof *plots; ++i) {
        bool any = false;
        for (size_t t = 0; t < report->n_trades && !any; ++t) {
            const levy_trade_result *const trade = &report->trades[t];
            for (size_t k = 0; k < trade->n_measures && !any; ++k)
                any = levy_page_is_priced(trade) &&
                      ((i == 2 && report->n_trades > 1) ||
                       (i == 0 && strcmp(trade->measures[k].measure, "scenario_pnl") == 0) ||
                       (i == 1 && strstr(trade->measures[k].measure, "_by_node")));
        }
        if (!any) continue;
        if (n++ == 0) levy_text_put(page->out, "<section class=\"plots\"><h2>Plots</h2>\n");
        levy_text_put(page->out, "<figure>\n");
        (void)plots[i](page->out, report, NULL, true);
        levy_text_put(page->out, "</figure>\n");
    }
    if (n) levy_text_put(page->out, "</section>\n");
}

static void page_close(levy_page *page)
{
    char text[64];
    levy_text_put(
        page->out,
        "<footer><p>Prices are signed present values of the positions; the error of a sum has the "
        "correlation of its trades. Standard errors include rounding, those of sensitivities "
        "also the bias of the bump. A number in superscript refers to the list below its "
        "table.</p>\n");
    snprintf(text, sizeof text, ", input %016" PRIx64, page->report->run->fingerprint);
    levy_page_text(page, "<p>levy ", page->report->run->version, text);
    levy_text_put(page->out, "</p></footer>\n");
    levy_page_script(page);
    levy_text_put(page->out, "</body>\n</html>\n");
}

/* The currency of all trades that have one. */
static const char *page_currency(const levy_report *report)
{
    const char *currency = NULL;
    for (size_t i = 0; i < report->n_trades; ++i) {
        const char *const one = report->trades[i].currency;
        if (!one || !*one) continue;
        if (currency && strcmp(currency, one) != 0) return NULL;
        currency = one;
    }
    for (size_t i = 0; currency && i < report->n_netted; ++i)
        if (report->netted[i].translated) return NULL;
    return currency ? currency : "";
}

int levy_report_write_html(const levy_report *report, const levy_report_form *form,
                           levy_text_out *out)
{
    levy_page page = {
        .out = out, .report = report, .form = form, .currency = page_currency(report)};
    levy_page_panels panels;
    levy_arena_init(&page.arena, report->memory ? report->memory : &levy_memory_default);
    levy_page_sort_measures(&page, &panels);
    page_open(&page, page_is_wide(&page, &panels));
    page_run(&page);
    levy_page_unpriced(&page);
    levy_page_values(&page);
    levy_page_trades(&page);
    levy_page_measures(&page, &panels);
    levy_page_market(&page);
    levy_page_inputs(&page);
    page_plots(&page);
    page_close(&page);
    levy_arena_release(&page.arena);
    return page.failed ? LEVY_STATUS_MEMORY : LEVY_STATUS_OK;
}
