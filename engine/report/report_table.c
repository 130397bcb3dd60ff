/* report_table.c: results for eyes: an aligned table with a line per trade and per Greek, prices
 * rounded to the second digit of their error, and a closing line with counts and seconds. Two
 * passes over the same rows: widths, then text.
 */
#include "engine/report/table_layout.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TABLE_NUMBER = 48, TABLE_DECIMALS = 15, TABLE_DIGITS = 12 };

/* The number of decimals that shows two significant digits of the error, or twelve of the value;
 * without an error, about seven of the value. */
static int table_decimals(double value, double std_error)
{
    const bool has_error = std_error > 0.0 && isfinite(std_error);
    double scaled = has_error ? std_error : fabs(value);
    const double enough = has_error ? 9.95 : 999999.5;
    int decimals = 0;
    for (; scaled > 0.0 && decimals < (has_error ? TABLE_DECIMALS : 8) && scaled < enough;
         decimals++)
        scaled *= 10.0;
    int most = TABLE_DIGITS; /* decimals of a value below 1 */
    for (double shown = fabs(value); most > 0 && shown >= 1.0; shown /= 10.0) --most;
    return has_error && fabs(value) >= 1.0 && decimals > most ? most : decimals;
}

static void table_number(double value, int decimals, char *cell)
{
    if (!isfinite(value) ||
        levy_number_write_fixed(value, decimals, cell, TABLE_NUMBER) >= TABLE_NUMBER)
        snprintf(cell, LAYOUT_CELL, "-");
}

static void table_estimate(levy_layout_row *row, double value, double std_error)
{
    const int decimals = table_decimals(value, std_error);
    table_number(value, decimals, row->cells[LAYOUT_PRICE]);
    table_number(std_error, std_error > 0.0 ? table_decimals(0.0, std_error) : decimals,
                 row->cells[LAYOUT_ERROR]);
}

static void table_limits(levy_layout_row *row, double from, double to, int decimals)
{
    char low[LAYOUT_CELL], high[LAYOUT_CELL];
    table_number(from, decimals, low);
    table_number(to, decimals, high);
    snprintf(row->cells[LAYOUT_INTERVAL], LAYOUT_CELL, "[%.80s, %.80s]", low, high);
}

/* The interval, or how it was made where it has no ends to show. */
static void table_interval(levy_layout_row *row, const char *interval, const double ends[2],
                           int decimals)
{
    if (isnan(ends[0]) || (interval && strcmp(interval, "exact") == 0))
        snprintf(row->cells[LAYOUT_INTERVAL], LAYOUT_CELL, "%s", interval ? interval : "none");
    else
        table_limits(row, ends[0], ends[1], decimals);
}

/* What steps leave. */
static void table_steps(levy_layout_row *row, const levy_measure *measure)
{
    char *const cell = row->cells[LAYOUT_INTERVAL], bias[LAYOUT_CELL], error[LAYOUT_CELL];
    const size_t used = strlen(cell);
    const int decimals = table_decimals(measure->step_bias, measure->step_bias_se);
    if (!(measure->step_bias_se > 0.0) || used == 0) return;
    table_number(measure->step_bias, decimals, bias);
    table_number(measure->step_bias_se, decimals, error);
    snprintf(cell + used, LAYOUT_CELL - used, " steps %.40s +- %.40s", bias, error);
}

static void table_trade_interval(levy_layout_row *row, const levy_trade_result *trade)
{
    char *const cell = row->cells[LAYOUT_INTERVAL];
    table_interval(row, trade->interval, (const double[]){trade->ci_low, trade->ci_high},
                   table_decimals(trade->price, trade->std_error));
    if (strcmp(cell, "unreliable") != 0) return;
    row->color = levy_layout_yellow;
    row->note = "unreliable";
    cell[0] = '\0';
}

static void table_trade_cells(levy_layout_row *row, const levy_trade_result *trade)
{
    snprintf(row->cells[LAYOUT_TRADE], LAYOUT_CELL, "%s", trade->id ? trade->id : "-");
    snprintf(row->cells[LAYOUT_PAYOFF], LAYOUT_CELL, "%s", trade->payoff ? trade->payoff : "-");
    snprintf(row->cells[LAYOUT_CURRENCY], LAYOUT_CELL, "%s",
             trade->currency ? trade->currency : "-");
    table_number(trade->maturity > 0.0 ? trade->maturity : NAN, 3, row->cells[LAYOUT_YEARS]);
}

static void table_line(levy_layout *out, const char *text)
{
    if (!out->measuring && text) levy_layout_wrap(out, text, 2);
}

static void table_failed(levy_layout *out, const levy_trade_result *trade)
{
    levy_layout_row row = {.color = levy_layout_red};
    table_trade_cells(&row, trade);
    snprintf(row.cells[LAYOUT_PRICE], LAYOUT_CELL, "-");
    snprintf(row.cells[LAYOUT_ERROR], LAYOUT_CELL, "-");
    const char *const reason = trade->reason ? trade->reason : "none";
    const bool same = strcmp(trade->status, reason) == 0; /* cancelled needs no other reason */
    snprintf(row.said, LAYOUT_CELL, same ? "%s" : "%s: %s", trade->status, reason);
    row.note = row.said;
    levy_layout_put(out, &row);
    table_line(out, trade->message);
}

static void table_measures(levy_layout *out, const levy_measure *measures, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const levy_measure *const measure = &measures[i];
        if (strcmp(measure->measure, "price") == 0) {
            table_line(out, measure->note);
            continue;
        }
        levy_layout_row row = {.color = levy_layout_dim};
        snprintf(row.cells[LAYOUT_TRADE], LAYOUT_CELL, "  %.60s %.120s", measure->measure,
                 measure->factor);
        table_estimate(&row, measure->value, measure->std_error);
        if (!isnan(measure->ci_low))
            table_interval(&row, measure->interval,
                           (const double[]){measure->ci_low, measure->ci_high},
                           table_decimals(measure->value, measure->std_error));
        table_steps(&row, measure);
        char *const interval = row.cells[LAYOUT_INTERVAL];
        const size_t used = strlen(interval);
        if (used > 0 && measure->note && strncmp(measure->note, "noisy:", 6) == 0)
            snprintf(interval + used, LAYOUT_CELL - used, " noisy");
        if (measure->flagged) row.note = measure->note ? measure->note : "flagged";
        levy_layout_put(out, &row);
        if (strcmp(measure->measure, "upper_bound") == 0) table_line(out, measure->note);
    }
}

static void table_trade(levy_layout *out, const levy_trade_result *trade)
{
    if (strcmp(trade->status, "ok") != 0) {
        table_failed(out, trade);
        return;
    }
    levy_layout_row row = {.color = NULL};
    table_trade_cells(&row, trade);
    table_estimate(&row, trade->price, trade->std_error);
    table_trade_interval(&row, trade);
    if (trade->n_measures) table_steps(&row, &trade->measures[0]);
    if (trade->tolerance_met < 0) row.color = levy_layout_yellow;
    levy_layout_put(out, &row);
    table_line(out, trade->message); /* a tolerance was missed, or the run left a device */
    table_measures(out, trade->measures, trade->n_measures);
}

/* The first priced trade whose amount was not known; on_paths: that paths have priced. */
static const levy_trade_result *table_first_priced(const levy_report *report, bool on_paths)
{
    for (size_t i = 0; i < report->n_trades; ++i)
        if (strcmp(report->trades[i].status, "ok") == 0 && (report->trades[i].paths || !on_paths) &&
            (!report->trades[i].interval || strcmp(report->trades[i].interval, "exact") != 0))
            return &report->trades[i];
    return NULL;
}

static void table_head(levy_layout *out, const levy_report *report)
{
    static const char *const names[] = {"trade", "payoff",     "years",   "",
                                        "price", "std. error", "interval"};
    levy_layout_row row = {.color = levy_layout_bold};
    for (int column = 0; column < LAYOUT_COLUMNS; ++column)
        snprintf(row.cells[column], LAYOUT_CELL, "%s", names[column]);
    const levy_trade_result *trade = table_first_priced(report, false);
    char percent[LAYOUT_CELL];
    if (trade && isfinite(trade->confidence)) {
        table_number(100.0 * trade->confidence, 2, percent);
        size_t length = strlen(percent); /* 95.00 is written 95, 99.90 is written 99.9 */
        while (length > 1 && percent[length - 1] == '0') percent[--length] = '\0';
        if (percent[length - 1] == '.') percent[length - 1] = '\0';
        snprintf(row.cells[LAYOUT_INTERVAL], LAYOUT_CELL, "%.40s %% interval", percent);
    }
    levy_layout_put(out, &row);
}

/* The ending of a noun. */
static const char *table_noun(uint64_t count) { return count == 1 ? "" : "s"; }

/* What trades are worth together: those of a currency, or of a text under a key. */
static void table_netted(levy_layout *out, const levy_netted *netted)
{
    levy_layout_row row = {.color = levy_layout_bold};
    const char *const of = netted->label ? netted->label : "(none)";
    char name[LAYOUT_CELL] = "netted";
    if (netted->key) snprintf(name, sizeof name, "%.60s %.80s", netted->key, of);
    if (netted->translated)
        snprintf(name + strlen(name), sizeof name - strlen(name), " in %s", netted->currency);
    char of_all[32] = "", lacks[512];
    const size_t all = netted->trades + netted->failed;
    if (netted->failed) snprintf(of_all, sizeof of_all, "%zu of ", netted->trades);
    snprintf(row.cells[LAYOUT_TRADE], LAYOUT_CELL, "%.150s, %s%zu trade%s", name, of_all, all,
             table_noun(all));
    if (netted->failed) row.color = levy_layout_red;
    snprintf(row.cells[LAYOUT_CURRENCY], LAYOUT_CELL, "%s", netted->currency);
    table_estimate(&row, netted->value, netted->std_error);
    table_interval(&row, netted->interval, (const double[]){netted->ci_low, netted->ci_high},
                   table_decimals(netted->value, netted->std_error));
    if (netted->n_measures) table_steps(&row, &netted->measures[0]);
    levy_layout_put(out, &row);
    snprintf(lacks, sizeof lacks, "%s: %.400s", netted->trades ? "partial, without" : "no price",
             netted->failed_ids ? netted->failed_ids : "");
    if (netted->failed) table_line(out, lacks);
    table_measures(out, netted->measures, netted->n_measures);
}

static void table_rows(levy_layout *out, const levy_report *report, bool measuring)
{
    out->measuring = measuring;
    table_head(out, report);
    for (size_t i = 0; i < report->n_trades; ++i) table_trade(out, &report->trades[i]);
    for (size_t i = 0; i < report->n_netted; ++i)
        if (report->netted[i].trades + report->netted[i].failed > 1 || report->netted[i].key ||
            report->netted[i].translated)
            table_netted(out, &report->netted[i]);
}

/* ---- The lines above and below ---- */

enum { TABLE_THREADS = 128 };

/* ", 2 threads, avx512"; "" of a GPU, which has no threads of the host. */
static const char *table_threads(uint32_t threads, const char *isa, char text[TABLE_THREADS])
{
    text[0] = '\0';
    if (threads)
        snprintf(text, TABLE_THREADS, ", %" PRIu32 " thread%s, %.64s", threads, table_noun(threads),
                 isa);
    return text;
}

static void table_dim_line(levy_layout *out, const char *text)
{
    levy_layout_paint(out, levy_layout_dim);
    levy_layout_wrap(out, text, 0);
    levy_layout_paint(out, levy_layout_reset);
}

static void table_run_line(levy_layout *out, const levy_run_info *run)
{
    char text[1536], threads[TABLE_THREADS], reason[768] = "";
    if (run->device_reason && *run->device_reason)
        snprintf(reason, sizeof reason, " (%.760s)", run->device_reason);
    snprintf(text, sizeof text, "levy %.64s on %.16s: %.400s%s%s", run->version, run->backend,
             run->device, table_threads(run->threads, run->isa, threads), reason);
    table_dim_line(out, text);
}

/* Who priced a part, where that is not the same for all. */
static void table_part_line(levy_layout *out, const levy_part_info *part)
{
    char text[1024], threads[TABLE_THREADS];
    snprintf(text, sizeof text, "part %" PRIu32 "/%" PRIu32 " on %.100s: %.16s, %.400s%s",
             part->part, part->parts, part->host, part->backend, part->device,
             table_threads(part->threads, part->isa, threads));
    table_dim_line(out, text);
}

static void table_method(levy_layout *out, const levy_trade_result *trade)
{
    char text[768], padded[96] = "", replicates[48] = "", first[96] = "";
    const char *const staged = trade->pipeline && trade->pipeline[0] == 's' ? ", staged" : "";
    if (trade->padding > 0)
        snprintf(padded, sizeof padded,
                 " (%" PRIu32 " of %" PRIu32 " dimensions padded from philox)", trade->padding,
                 trade->dimensions);
    if (trade->replicates > 1)
        snprintf(replicates, sizeof replicates, " in %" PRIu64 " replicates", trade->replicates);
    if (trade->first) snprintf(first, sizeof first, ", first %.64s", trade->first);
    snprintf(text, sizeof text,
             "%s%" PRIu64 " path%s of %.64s%s%s, %.32s%s%s, %.16s precision (%.8s), seed %" PRIu64,
             trade->tolerance_met ? "to a tolerance; the first used " : "", trade->paths,
             table_noun(trade->paths), trade->generator, padded, replicates, trade->construction,
             first, staged, trade->precision, trade->reproducibility, trade->seed);
    levy_layout_wrap(out, text, 0);
}

static void table_totals(levy_layout *out, const levy_report *report)
{
    const levy_run_info *run = report->run;
    const size_t all = levy_report_size(report);
    char text[384], cancelled[48] = "", seconds[LAYOUT_CELL] = "", took[64] = "";
    const char *interrupted = "";
    if (run->interrupted)
        interrupted = run->priced ? "; interrupted: the trades above are finished"
                                  : "; interrupted: no trade is finished";
    if (run->cancelled) snprintf(cancelled, sizeof cancelled, ", %zu cancelled", run->cancelled);
    if (isfinite(run->seconds)) {
        table_number(run->seconds, run->seconds < 10.0 ? 3 : 1, seconds);
        snprintf(took, sizeof took, "; %.48s s", seconds);
    }
    snprintf(text, sizeof text, "%zu trade%s: %zu priced, %zu failed%s; %zu group%s%s%s", all,
             table_noun(all), run->priced, run->failed, cancelled, run->groups,
             table_noun(run->groups), took, interrupted);
    levy_text_put(out->text, "\n");
    levy_layout_wrap(out, text, 0);
    const levy_trade_result *trade = table_first_priced(report, true);
    if (trade) table_method(out, trade);
}

void levy_report_write_table(const levy_report *report, const levy_report_form *form,
                             levy_text_out *text)
{
    levy_layout out = {
        .text = text, .color = form->color, .line = (int)(form->width < 9999 ? form->width : 0)};
    table_rows(&out, report, true);
    levy_layout_fit(&out);
    table_run_line(&out, report->run);
    for (size_t i = 0; i < report->n_parts; ++i) table_part_line(&out, &report->parts[i]);
    levy_text_put(out.text, "\n");
    table_rows(&out, report, false);
    table_totals(&out, report);
}
