/* report_table.c: results for eyes: an aligned table with a line per trade and per Greek, prices
 * rounded to the second digit of their error, and a closing line with counts and seconds. Two
 * passes over the same rows: widths, then text.
 */
#include "engine/report/report.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    TABLE_TRADE,
    TABLE_PAYOFF,
    TABLE_YEARS,
    TABLE_CURRENCY,
    TABLE_PRICE,
    TABLE_ERROR,
    TABLE_INTERVAL,
    TABLE_COLUMNS
};
enum { TABLE_CELL = 192, TABLE_NUMBER = 48, TABLE_DECIMALS = 15 };
enum {
    TABLE_LEFT_COLUMNS =
        1 << TABLE_TRADE | 1 << TABLE_PAYOFF | 1 << TABLE_CURRENCY | 1 << TABLE_INTERVAL
};

typedef struct table_row {
    char cells[TABLE_COLUMNS][TABLE_CELL];
    const char *color;
} table_row;

typedef struct table_out {
    levy_text_out text;
    bool color, measuring; /* measuring: rows only widen the columns */
    int widths[TABLE_COLUMNS];
} table_out;

static const char table_bold[] = "\033[1m", table_dim[] = "\033[2m", table_red[] = "\033[31m",
                  table_yellow[] = "\033[33m", table_reset[] = "\033[0m";

static void table_paint(table_out *out, const char *color)
{
    if (out->color && color) levy_text_put(&out->text, color);
}

static void table_put_row(table_out *out, const table_row *row)
{
    int pending = 0; /* spaces not yet written, so that no line ends in spaces */
    if (!out->measuring) table_paint(out, row->color);
    for (int column = 0; column < TABLE_COLUMNS; ++column) {
        const char *cell = row->cells[column];
        const int length = (int)strlen(cell), padding = out->widths[column] - length;
        const bool left = (TABLE_LEFT_COLUMNS >> column & 1) != 0;
        if (out->measuring) {
            if (padding < 0) out->widths[column] = length;
            continue;
        }
        pending += left ? 0 : padding;
        if (length > 0) {
            for (; pending > 0; --pending) levy_text_put(&out->text, " ");
            levy_text_put(&out->text, cell);
        }
        pending += (left ? padding : 0) + 2;
    }
    if (out->measuring) return;
    table_paint(out, row->color ? table_reset : NULL);
    levy_text_put(&out->text, "\n");
}

/* The number of decimals that shows two significant digits of the error; without an error, about
 * seven digits of the value. */
static int table_decimals(double value, double std_error)
{
    const bool has_error = std_error > 0.0 && isfinite(std_error);
    double scaled = has_error ? std_error : fabs(value);
    const double enough = has_error ? 9.95 : 999999.5;
    int decimals = 0;
    for (; scaled > 0.0 && decimals < (has_error ? TABLE_DECIMALS : 8) && scaled < enough;
         decimals++)
        scaled *= 10.0;
    return decimals;
}

static void table_number(double value, int decimals, char *cell)
{
    if (!isfinite(value) ||
        levy_number_write_fixed(value, decimals, cell, TABLE_NUMBER) >= TABLE_NUMBER)
        snprintf(cell, TABLE_CELL, "-");
}

static void table_estimate(table_row *row, double value, double std_error)
{
    const int decimals = table_decimals(value, std_error);
    table_number(value, decimals, row->cells[TABLE_PRICE]);
    table_number(std_error, decimals, row->cells[TABLE_ERROR]);
}

static void table_limits(table_row *row, double from, double to, int decimals)
{
    char low[TABLE_CELL], high[TABLE_CELL];
    table_number(from, decimals, low);
    table_number(to, decimals, high);
    snprintf(row->cells[TABLE_INTERVAL], TABLE_CELL, "[%.80s, %.80s]", low, high);
}

static void table_interval(table_row *row, const levy_trade_result *trade)
{
    const int decimals = table_decimals(trade->price, trade->std_error);
    char *cell = row->cells[TABLE_INTERVAL];
    if (isnan(trade->ci_low) || (trade->interval && strcmp(trade->interval, "exact") == 0)) {
        snprintf(cell, TABLE_CELL, "%s", trade->interval ? trade->interval : "none");
        if (strcmp(cell, "unreliable") == 0) row->color = table_yellow;
        return;
    }
    table_limits(row, trade->ci_low, trade->ci_high, decimals);
}

static void table_trade_cells(table_row *row, const levy_trade_result *trade)
{
    snprintf(row->cells[TABLE_TRADE], TABLE_CELL, "%s", trade->id ? trade->id : "-");
    snprintf(row->cells[TABLE_PAYOFF], TABLE_CELL, "%s", trade->payoff ? trade->payoff : "-");
    snprintf(row->cells[TABLE_CURRENCY], TABLE_CELL, "%s", trade->currency ? trade->currency : "-");
    table_number(trade->maturity > 0.0 ? trade->maturity : NAN, 3, row->cells[TABLE_YEARS]);
}

static void table_line(table_out *out, const char *text)
{
    levy_text_put(&out->text, "  ");
    levy_text_put(&out->text, text);
    levy_text_put(&out->text, "\n");
}

static void table_failed(table_out *out, const levy_trade_result *trade)
{
    table_row row = {.color = table_red};
    table_trade_cells(&row, trade);
    snprintf(row.cells[TABLE_PRICE], TABLE_CELL, "-");
    snprintf(row.cells[TABLE_ERROR], TABLE_CELL, "-");
    const char *const reason = trade->reason ? trade->reason : "none";
    const bool same = strcmp(trade->status, reason) == 0; /* cancelled needs no other reason */
    snprintf(row.cells[TABLE_INTERVAL], TABLE_CELL, "%s%s%s", trade->status, same ? "" : ": ",
             same ? "" : reason);
    table_put_row(out, &row);
    if (!out->measuring && trade->message) table_line(out, trade->message);
}

static void table_trade(table_out *out, const levy_trade_result *trade)
{
    if (strcmp(trade->status, "ok") != 0) {
        table_failed(out, trade);
        return;
    }
    table_row row = {.color = NULL};
    table_trade_cells(&row, trade);
    table_estimate(&row, trade->price, trade->std_error);
    table_interval(&row, trade);
    if (trade->tolerance_met < 0) row.color = table_yellow;
    table_put_row(out, &row);
    /* a tolerance was missed, or the run left a device */
    if (trade->message && !out->measuring) table_line(out, trade->message);
    for (size_t i = 0; i < trade->n_measures; ++i) {
        const levy_measure *measure = &trade->measures[i];
        if (strcmp(measure->measure, "price") == 0) {
            if (measure->note && !out->measuring) table_line(out, measure->note);
            continue;
        }
        table_row greek = {.color = table_dim};
        snprintf(greek.cells[TABLE_TRADE], TABLE_CELL, "  %.60s %.120s", measure->measure,
                 measure->factor);
        table_estimate(&greek, measure->value, measure->std_error);
        if (measure->flagged)
            snprintf(greek.cells[TABLE_INTERVAL], TABLE_CELL, "%.120s",
                     measure->note ? measure->note : "flagged");
        table_put_row(out, &greek);
    }
}

/* The first priced trade that was simulated. */
static const levy_trade_result *table_first_priced(const levy_report *report)
{
    for (size_t i = 0; i < report->n_trades; ++i)
        if (strcmp(report->trades[i].status, "ok") == 0 &&
            (!report->trades[i].interval || strcmp(report->trades[i].interval, "exact") != 0))
            return &report->trades[i];
    return NULL;
}

static void table_head(table_out *out, const levy_report *report)
{
    static const char *const names[] = {"trade", "payoff",     "years",   "",
                                        "price", "std. error", "interval"};
    table_row row = {.color = table_bold};
    for (int column = 0; column < TABLE_COLUMNS; ++column)
        snprintf(row.cells[column], TABLE_CELL, "%s", names[column]);
    const levy_trade_result *trade = table_first_priced(report);
    char percent[TABLE_CELL];
    if (trade && isfinite(trade->confidence)) {
        table_number(100.0 * trade->confidence, 2, percent);
        size_t length = strlen(percent); /* 95.00 is written 95, 99.90 is written 99.9 */
        while (length > 1 && percent[length - 1] == '0') percent[--length] = '\0';
        if (percent[length - 1] == '.') percent[length - 1] = '\0';
        snprintf(row.cells[TABLE_INTERVAL], TABLE_CELL, "%.40s %% interval", percent);
    }
    table_put_row(out, &row);
}

/* The row of a currency: what its trades are worth together. */
static void table_netted(table_out *out, const levy_netted *netted)
{
    table_row row = {.color = table_bold};
    snprintf(row.cells[TABLE_TRADE], TABLE_CELL, "netted, %" PRIu64 " trades",
             (uint64_t)netted->trades);
    snprintf(row.cells[TABLE_CURRENCY], TABLE_CELL, "%s", netted->currency);
    table_estimate(&row, netted->value, netted->std_error);
    if (isnan(netted->ci_low) || strcmp(netted->interval, "exact") == 0)
        snprintf(row.cells[TABLE_INTERVAL], TABLE_CELL, "%s", netted->interval);
    else
        table_limits(&row, netted->ci_low, netted->ci_high,
                     table_decimals(netted->value, netted->std_error));
    table_put_row(out, &row);
}

static void table_rows(table_out *out, const levy_report *report, bool measuring)
{
    out->measuring = measuring;
    table_head(out, report);
    for (size_t i = 0; i < report->n_trades; ++i) table_trade(out, &report->trades[i]);
    for (size_t i = 0; i < report->n_netted; ++i)
        if (report->netted[i].trades > 1) table_netted(out, &report->netted[i]);
}

static void table_count(table_out *out, uint64_t count, const char *noun, const char *plural)
{
    levy_text_put_count(&out->text, count);
    levy_text_put(&out->text, count == 1 ? noun : plural);
}

static void table_run_line(table_out *out, const levy_run_info *run)
{
    table_paint(out, table_dim);
    levy_text_put(&out->text, "levy ");
    levy_text_put(&out->text, run->version);
    levy_text_put(&out->text, " on ");
    levy_text_put(&out->text, run->backend);
    levy_text_put(&out->text, ": ");
    levy_text_put(&out->text, run->device);
    if (run->threads) { /* a GPU run has no threads of the host */
        levy_text_put(&out->text, ", ");
        table_count(out, run->threads, " thread", " threads");
        levy_text_put(&out->text, ", ");
        levy_text_put(&out->text, run->isa);
    }
    if (run->device_reason && *run->device_reason) {
        levy_text_put(&out->text, " (");
        levy_text_put(&out->text, run->device_reason);
        levy_text_put(&out->text, ")");
    }
    table_paint(out, table_reset);
    levy_text_put(&out->text, "\n\n");
}

static void table_method(table_out *out, const levy_trade_result *trade)
{
    if (trade->tolerance_met) levy_text_put(&out->text, "to a tolerance; the first used ");
    table_count(out, trade->paths, " path", " paths");
    levy_text_put(&out->text, " of ");
    levy_text_put(&out->text, trade->generator);
    if (trade->padding > 0) {
        levy_text_put(&out->text, " (");
        levy_text_put_count(&out->text, trade->padding);
        levy_text_put(&out->text, " of ");
        levy_text_put_count(&out->text, trade->dimensions);
        levy_text_put(&out->text, " dimensions padded from philox)");
    }
    if (trade->replicates > 1) {
        levy_text_put(&out->text, " in ");
        table_count(out, trade->replicates, " replicate", " replicates");
    }
    levy_text_put(&out->text, ", ");
    levy_text_put(&out->text, trade->construction);
    if (trade->first) {
        levy_text_put(&out->text, ", first ");
        levy_text_put(&out->text, trade->first);
    }
    if (trade->pipeline && trade->pipeline[0] == 's') levy_text_put(&out->text, ", staged");
    levy_text_put(&out->text, ", ");
    levy_text_put(&out->text, trade->precision);
    levy_text_put(&out->text, " precision (");
    levy_text_put(&out->text, trade->reproducibility);
    levy_text_put(&out->text, "), seed ");
    levy_text_put_count(&out->text, trade->seed);
    levy_text_put(&out->text, "\n");
}

static void table_totals(table_out *out, const levy_report *report)
{
    const levy_run_info *run = report->run;
    char seconds[TABLE_CELL];
    levy_text_put(&out->text, "\n");
    table_count(out, report->n_trades, " trade: ", " trades: ");
    levy_text_put_count(&out->text, run->priced);
    levy_text_put(&out->text, " priced, ");
    levy_text_put_count(&out->text, run->failed);
    levy_text_put(&out->text, " failed");
    if (run->cancelled) {
        levy_text_put(&out->text, ", ");
        levy_text_put_count(&out->text, run->cancelled);
        levy_text_put(&out->text, " cancelled");
    }
    levy_text_put(&out->text, "; ");
    table_count(out, run->groups, " group", " groups");
    if (isfinite(run->seconds)) {
        table_number(run->seconds, run->seconds < 10.0 ? 3 : 1, seconds);
        levy_text_put(&out->text, "; ");
        levy_text_put(&out->text, seconds);
        levy_text_put(&out->text, " s");
    }
    levy_text_put(&out->text,
                  run->interrupted ? "; interrupted: the trades above are finished\n" : "\n");
    const levy_trade_result *trade = table_first_priced(report);
    if (trade) table_method(out, trade);
}

int levy_report_write_table(const levy_report *report, bool color, levy_writer write, void *user)
{
    table_out out = {.color = color};
    levy_text_out_init(&out.text, write, user);
    table_rows(&out, report, true);
    table_run_line(&out, report->run);
    table_rows(&out, report, false);
    table_totals(&out, report);
    return levy_text_finish(&out.text);
}
