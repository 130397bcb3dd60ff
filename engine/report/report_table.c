/* report_table.c: results for eyes: an aligned table with a line per trade and per Greek, prices
 * rounded to the second digit of their error, and a closing line with counts and seconds. Two
 * passes over the same rows: widths, then text. A terminal's width leaves out what is not a result.
 */
#include "engine/report/report.h"

#include "engine/base/number.h"
#include "engine/base/text.h"

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
    const char *note;      /* stands where the interval would; NULL: none */
    char said[TABLE_CELL]; /* room for it */
} table_row;

typedef struct table_out {
    levy_text_out text;
    bool color, measuring;     /* measuring: rows only widen the columns */
    int widths[TABLE_COLUMNS]; /* -1: left out, as the line has no room */
    int line;                  /* characters of a line; 0: no limit */
} table_out;

static const char table_bold[] = "\033[1m", table_dim[] = "\033[2m", table_red[] = "\033[31m",
                  table_yellow[] = "\033[33m", table_reset[] = "\033[0m";

static void table_paint(table_out *out, const char *color)
{
    if (out->color && color) levy_text_put(&out->text, color);
}

/* Words, in lines that fit, all but the first of which are indented. */
static void table_wrap(table_out *out, const char *text, int indent)
{
    int used = indent;
    levy_text_put_spaces(&out->text, (size_t)indent);
    if (!out->line) levy_text_put(&out->text, text);
    while (out->line && *text) {
        const size_t word = strcspn(text, " "), next = word + strspn(text + word, " ");
        levy_text_put_bytes(&out->text, text, word);
        used += (int)word;
        text += next;
        if (!*text) break;
        if (out->line && used + 1 + (int)strcspn(text, " ") > out->line) {
            used = indent ? indent : 2;
            levy_text_put(&out->text, "\n");
            levy_text_put_spaces(&out->text, (size_t)used);
            continue;
        }
        levy_text_put(&out->text, " ");
        ++used;
    }
    levy_text_put(&out->text, "\n");
}

/* Writes what fits of a cell. */
static int table_put_cell(table_out *out, const char *cell, int width)
{
    const int length = (int)strlen(cell);
    uint32_t code;
    int kept = 0;
    if (length <= width) {
        levy_text_put(&out->text, cell);
        return length;
    }
    for (;;) { /* whole characters, and two dots */
        const size_t next = levy_text_character(cell + kept, strlen(cell + kept), &code);
        if (kept + (int)(next ? next : 1) > width - 2) break;
        kept += (int)(next ? next : 1);
    }
    levy_text_put_bytes(&out->text, cell, (size_t)kept);
    levy_text_put(&out->text, "..");
    return kept + 2;
}

static void table_measure_row(table_out *out, const table_row *row)
{
    for (int column = 0; column < TABLE_COLUMNS; ++column) {
        const int length = (int)strlen(row->cells[column]);
        if (length > out->widths[column]) out->widths[column] = length;
    }
    if (row->note && !out->line && (int)strlen(row->note) > out->widths[TABLE_INTERVAL])
        out->widths[TABLE_INTERVAL] = (int)strlen(row->note);
}

/* The row's note, after `used` characters, or on lines of its own. */
static void table_put_note(table_out *out, const table_row *row, int used, int pending)
{
    const int length = (int)strlen(row->note);
    const bool fits = !out->line || used + pending + length <= out->line;
    if (fits) {
        levy_text_put_spaces(&out->text, (size_t)pending);
        levy_text_put(&out->text, row->note);
    }
    table_paint(out, row->color ? table_reset : NULL);
    levy_text_put(&out->text, "\n");
    if (!fits) table_wrap(out, row->note, 4);
}

static void table_put_row(table_out *out, const table_row *row)
{
    int pending = 0, used = 0; /* spaces not yet written, so that no line ends in spaces */
    if (out->measuring) {
        table_measure_row(out, row);
        return;
    }
    table_paint(out, row->color);
    for (int column = 0; column < TABLE_COLUMNS; ++column) {
        const char *const cell = row->cells[column];
        const int length = (int)strlen(cell), width = out->widths[column];
        const int padding = length < width ? width - length : 0;
        const bool left = (TABLE_LEFT_COLUMNS >> column & 1) != 0;
        if (width < 0 || (column == TABLE_INTERVAL && row->note)) continue;
        pending += left ? 0 : padding;
        if (length > 0) {
            levy_text_put_spaces(&out->text, (size_t)pending);
            used += pending + table_put_cell(out, cell, width);
            pending = 0;
        }
        pending += (left ? padding : 0) + 2;
    }
    if (row->note) {
        table_put_note(out, row, used, pending);
        return;
    }
    table_paint(out, row->color ? table_reset : NULL);
    levy_text_put(&out->text, "\n");
}

/* Leaves out what a narrow line has no room for: first what is not a result, at last the ends of
 * names. Numbers are never cut. */
static void table_fit(table_out *out)
{
    static const int order[] = {TABLE_PAYOFF, TABLE_YEARS, TABLE_INTERVAL};
    enum { TABLE_LEAST_NAME = 12 };
    int total = -2;
    if (!out->line) return;
    for (int column = 0; column < TABLE_COLUMNS; ++column) total += out->widths[column] + 2;
    for (int i = 0; i < 3 && total > out->line; ++i) {
        total -= out->widths[order[i]] + 2;
        out->widths[order[i]] = -1;
    }
    int name = out->widths[TABLE_TRADE] - (total > out->line ? total - out->line : 0);
    if (name < TABLE_LEAST_NAME) name = TABLE_LEAST_NAME;
    if (name < out->widths[TABLE_TRADE]) out->widths[TABLE_TRADE] = name;
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
        if (strcmp(cell, "unreliable") == 0) {
            row->color = table_yellow;
            row->note = "unreliable";
            cell[0] = '\0';
        }
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
    if (!out->measuring && text) table_wrap(out, text, 2);
}

static void table_failed(table_out *out, const levy_trade_result *trade)
{
    table_row row = {.color = table_red};
    table_trade_cells(&row, trade);
    snprintf(row.cells[TABLE_PRICE], TABLE_CELL, "-");
    snprintf(row.cells[TABLE_ERROR], TABLE_CELL, "-");
    const char *const reason = trade->reason ? trade->reason : "none";
    const bool same = strcmp(trade->status, reason) == 0; /* cancelled needs no other reason */
    snprintf(row.said, TABLE_CELL, same ? "%s" : "%s: %s", trade->status, reason);
    row.note = row.said;
    table_put_row(out, &row);
    table_line(out, trade->message);
}

static void table_measures(table_out *out, const levy_measure *measures, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        const levy_measure *const measure = &measures[i];
        if (strcmp(measure->measure, "price") == 0) {
            table_line(out, measure->note);
            continue;
        }
        table_row row = {.color = table_dim};
        snprintf(row.cells[TABLE_TRADE], TABLE_CELL, "  %.60s %.120s", measure->measure,
                 measure->factor);
        table_estimate(&row, measure->value, measure->std_error);
        if (measure->flagged) row.note = measure->note ? measure->note : "flagged";
        table_put_row(out, &row);
    }
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
    table_line(out, trade->message); /* a tolerance was missed, or the run left a device */
    table_measures(out, trade->measures, trade->n_measures);
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

/* The ending of a noun. */
static const char *table_noun(uint64_t count) { return count == 1 ? "" : "s"; }

/* What trades are worth together: those of a currency, or of a text under a key. */
static void table_netted(table_out *out, const levy_netted *netted)
{
    table_row row = {.color = table_bold};
    const char *const of = netted->label ? netted->label : "(none)";
    char name[TABLE_CELL] = "netted";
    if (netted->key) snprintf(name, sizeof name, "%.60s %.80s", netted->key, of);
    snprintf(row.cells[TABLE_TRADE], TABLE_CELL, "%.150s, %" PRIu64 " trade%s", name,
             (uint64_t)netted->trades, table_noun(netted->trades));
    snprintf(row.cells[TABLE_CURRENCY], TABLE_CELL, "%s", netted->currency);
    table_estimate(&row, netted->value, netted->std_error);
    if (isnan(netted->ci_low) || strcmp(netted->interval, "exact") == 0)
        snprintf(row.cells[TABLE_INTERVAL], TABLE_CELL, "%s", netted->interval);
    else
        table_limits(&row, netted->ci_low, netted->ci_high,
                     table_decimals(netted->value, netted->std_error));
    table_put_row(out, &row);
    table_measures(out, netted->measures, netted->n_measures);
}

static void table_rows(table_out *out, const levy_report *report, bool measuring)
{
    out->measuring = measuring;
    table_head(out, report);
    for (size_t i = 0; i < report->n_trades; ++i) table_trade(out, &report->trades[i]);
    for (size_t i = 0; i < report->n_netted; ++i)
        if (report->netted[i].trades > 1 || report->netted[i].key)
            table_netted(out, &report->netted[i]);
}

/* ---- The lines above and below ---- */

static void table_run_line(table_out *out, const levy_run_info *run)
{
    char text[1536], threads[128] = "", reason[768] = "";
    if (run->threads) /* a GPU run has no threads of the host */
        snprintf(threads, sizeof threads, ", %" PRIu32 " thread%s, %.64s", run->threads,
                 table_noun(run->threads), run->isa);
    if (run->device_reason && *run->device_reason)
        snprintf(reason, sizeof reason, " (%.760s)", run->device_reason);
    snprintf(text, sizeof text, "levy %.64s on %.16s: %.400s%s%s", run->version, run->backend,
             run->device, threads, reason);
    table_paint(out, table_dim);
    table_wrap(out, text, 0);
    table_paint(out, table_reset);
    levy_text_put(&out->text, "\n");
}

static void table_method(table_out *out, const levy_trade_result *trade)
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
    table_wrap(out, text, 0);
}

static void table_totals(table_out *out, const levy_report *report)
{
    const levy_run_info *run = report->run;
    char text[384], cancelled[48] = "", seconds[TABLE_CELL] = "", took[64] = "";
    if (run->cancelled) snprintf(cancelled, sizeof cancelled, ", %zu cancelled", run->cancelled);
    if (isfinite(run->seconds)) {
        table_number(run->seconds, run->seconds < 10.0 ? 3 : 1, seconds);
        snprintf(took, sizeof took, "; %.48s s", seconds);
    }
    snprintf(text, sizeof text, "%zu trade%s: %zu priced, %zu failed%s; %zu group%s%s%s",
             report->n_trades, table_noun(report->n_trades), run->priced, run->failed, cancelled,
             run->groups, table_noun(run->groups), took,
             run->interrupted ? "; interrupted: the trades above are finished" : "");
    levy_text_put(&out->text, "\n");
    table_wrap(out, text, 0);
    const levy_trade_result *trade = table_first_priced(report);
    if (trade) table_method(out, trade);
}

int levy_report_write_table(const levy_report *report, const levy_report_form *form,
                            levy_writer write, void *user)
{
    table_out out = {.color = form->color, .line = (int)(form->width < 9999 ? form->width : 0)};
    levy_text_out_init(&out.text, write, user);
    table_rows(&out, report, true);
    table_fit(&out);
    table_run_line(&out, report->run);
    table_rows(&out, report, false);
    table_totals(&out, report);
    return levy_text_finish(&out.text);
}
