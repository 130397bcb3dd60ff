/* plot_errors.c: the standard error of each trade relative to its price, a row per trade, the
 * largest first, on a logarithmic axis. An interval that levy does not trust has an open mark. */
#include "engine/render/plot.h"
#include "engine/render/plot_results.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ERRORS_MOST = 40 };
static const double errors_row = 22.0;

bool levy_plot_takes(const levy_trade_result *result, const char *trade)
{
    return strcmp(result->status, "ok") == 0 && (!trade || strcmp(result->id, trade) == 0);
}

/* NaN: none. */
static double errors_relative(const levy_trade_result *trade)
{
    const double share = trade->std_error / fabs(trade->price);
    return isfinite(share) ? share : NAN;
}

/* Larger errors first, trades without one last; ties by id, so that the order is one. */
static bool errors_before(const levy_trade_result *a, const levy_trade_result *b)
{
    const double x = errors_relative(a), y = errors_relative(b);
    if (isnan(x) != isnan(y)) return isnan(y);
    if (!isnan(x) && x != y) return x > y;
    return strcmp(a->id, b->id) < 0;
}

/* Keeps the first ERRORS_MOST in order. */
static size_t errors_insert(const levy_trade_result **rows, size_t n, const levy_trade_result *row)
{
    size_t at = n < ERRORS_MOST ? n : ERRORS_MOST - 1;
    if (n == ERRORS_MOST && !errors_before(row, rows[at])) return n;
    while (at > 0 && errors_before(row, rows[at - 1])) {
        rows[at] = rows[at - 1];
        --at;
    }
    rows[at] = row;
    return n < ERRORS_MOST ? n + 1 : n;
}

static void errors_mark(levy_text_out *out, const levy_trade_result *trade, const plot_axis *axis,
                        const plot_box *box, double y)
{
    char label[3 * PLOT_LABEL + 8], estimate[PLOT_ESTIMATE];
    const double x = levy_plot_at(axis, errors_relative(trade));
    const bool doubtful = strcmp(trade->interval, "unreliable") == 0;
    levy_svg_line(out, (svg_point){box->left, y}, (svg_point){box->right, y},
                  "stroke=\"" SVG_FAINT "\"");
    levy_plot_row_name(out, box, y, 10, trade->id, 28);
    if (isnan(x)) {
        levy_svg_words(out, (svg_point){box->left + 8, y + 4}, "start", 12, SVG_QUIET,
                       trade->std_error == 0.0 ? "exact" : "no relative error");
        return;
    }
    snprintf(label, sizeof label, "%s: %s %s", trade->id,
             levy_plot_estimate(trade->price, trade->std_error, 8, estimate), trade->currency);
    levy_svg_marker(out, (svg_point){x, y}, doubtful, levy_svg_color(doubtful), label);
}

static void errors_foot(levy_text_out *out, const plot_box *box, size_t n, size_t all)
{
    char text[PLOT_LABEL];
    snprintf(text, sizeof text, "the %zu largest of %zu", n, all);
    if (n < all)
        levy_svg_words(out, (svg_point){box->right, box->bottom + 56}, "end", 12, SVG_QUIET, text);
}

bool levy_plot_errors(levy_text_out *out, const levy_report *report, const char *trade,
                      bool embedded)
{
    const levy_trade_result *rows[ERRORS_MOST];
    size_t n = 0, all = 0;
    plot_axis axis = levy_plot_axis_of(PLOT_LOG10);
    for (size_t i = 0; i < report->n_trades; ++i) {
        if (!levy_plot_takes(&report->trades[i], trade)) continue;
        n = errors_insert(rows, n, &report->trades[i]);
        ++all;
    }
    if (n == 0) return false;
    for (size_t i = 0; i < n; ++i) levy_plot_axis_include(&axis, errors_relative(rows[i]));
    /* whole decades, so that the numbers of few trades are not all of the picture */
    axis.low = floor(axis.low + 1e-9);
    axis.high = ceil(axis.high + 1e-9);
    const plot_box box = {230, 66, 736, 66 + errors_row * (double)n + 8.0};
    levy_plot_axis_finish(&axis, box.left, box.right, 0.08);
    levy_svg_open(out, embedded, 760, box.bottom + 64, "errors of the trades",
                  "Standard error of each trade relative to its price, largest first, on a "
                  "logarithmic axis; open squares are intervals that are not to be trusted.");
    levy_plot_x_axis(out, &axis, &box, "standard error / |price|");
    levy_svg_group(out, "series", NULL);
    for (size_t i = 0; i < n; ++i)
        errors_mark(out, rows[i], &axis, &box, box.top + 4.0 + errors_row * ((double)i + 0.5));
    levy_svg_group_end(out);
    levy_plot_frame(out, &box);
    errors_foot(out, &box, n, all);
    levy_plot_head(out, &box, 24, "Relative errors", "one standard error; open square: unreliable");
    levy_svg_close(out);
    return true;
}
