/* plot_boundary.c: the levels at which options are exercised early, against years: a box per trade,
 * a mark per date. */
#include "engine/render/plot.h"
#include "engine/render/plot_results.h"

#include "engine/base/date.h"
#include "engine/base/number.h"

#include <string.h>

/* Boxes, and marks in one of them: of more levels some are left out, evenly. */
enum { BOUNDARY_MOST = 48, BOUNDARY_MARKS = 256 };

static const char boundary_name[] = "boundary";

/* Neighbours among a trade's measures: its levels. */
typedef struct boundary_box {
    const levy_trade_result *trade;
    const levy_measure *first;
    size_t n;
} boundary_box;

static size_t boundary_boxes(const levy_report *report, const char *trade,
                             boundary_box boxes[BOUNDARY_MOST])
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_trades && n < BOUNDARY_MOST; ++i) {
        const levy_trade_result *const result = &report->trades[i];
        boundary_box box = {.trade = result};
        if (!levy_plot_takes(result, trade)) continue;
        for (size_t k = 0; k < result->n_measures; ++k) {
            if (strcmp(result->measures[k].measure, boundary_name) != 0) continue;
            if (box.n++ == 0) box.first = &result->measures[k];
        }
        if (box.n) boxes[n++] = box;
    }
    return n;
}

/* A time in years, or the days of a date as such. */
static double boundary_years(const char *time)
{
    levy_date date;
    double years = 0.0;
    if (levy_date_read(time, strlen(time), &date)) return (double)date / 365.0;
    return levy_number_read(time, strlen(time), &years) == LEVY_NUMBER_OK ? years : 0.0;
}

static void boundary_draw(levy_text_out *out, const boundary_box *boundary, const char *valuation,
                          const plot_box *box)
{
    const size_t step = (boundary->n + BOUNDARY_MARKS - 1) / BOUNDARY_MARKS;
    const double today =
        valuation && strchr(boundary->first->factor, '-') ? boundary_years(valuation) : 0.0;
    double years[BOUNDARY_MARKS], levels[BOUNDARY_MARKS];
    plot_axis x = levy_plot_axis_of(PLOT_LINEAR), y = levy_plot_axis_of(PLOT_LINEAR);
    plot_series series = {.x = years, .y = levels, .style = ""};
    for (size_t k = 0; k < boundary->n; k += step, ++series.n) {
        years[series.n] = boundary_years(boundary->first[k].factor) - today;
        levels[series.n] = boundary->first[k].value;
        levy_plot_axis_include(&x, years[series.n]);
        levy_plot_axis_include(&y, levels[series.n]);
    }
    levy_plot_axis_include(&x, 0.0);
    levy_plot_axis_finish(&x, box->left, box->right, 0.04);
    levy_plot_axis_finish(&y, box->bottom, box->top, 0.06);
    levy_plot_x_axis(out, &x, box, "years");
    levy_plot_y_axis(out, &y, box, "level of exercise");
    levy_svg_group(out, "series", boundary->trade->id);
    levy_plot_line(out, &x, &y, &series);
    levy_svg_group_end(out);
    levy_plot_frame(out, box);
    levy_plot_head(out, box, box->left, boundary->trade->id, boundary->trade->payoff);
}

bool levy_plot_boundary(levy_text_out *out, const levy_report *report, const char *trade,
                        bool embedded)
{
    boundary_box boxes[BOUNDARY_MOST];
    const size_t n = boundary_boxes(report, trade, boxes);
    const plot_sheet sheet = levy_plot_sheet_of(n, 0.0);
    if (n == 0) return false;
    levy_svg_open(out, embedded, sheet.width, sheet.height, boundary_name,
                  "Levels at which options are exercised early against years, a box per trade.");
    for (size_t i = 0; i < n; ++i) {
        const plot_box box = levy_plot_sheet_box(&sheet, i);
        boundary_draw(out, &boxes[i], report->origin.valuation, &box);
    }
    levy_svg_close(out);
    return true;
}
