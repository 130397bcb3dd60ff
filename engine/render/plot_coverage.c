/* plot_coverage.c: coverage of intervals as a row per trade and method: the share of the intervals
 * that hold the exact price, with its binomial interval (E. B. Wilson, JASA 22, 1927: it stays
 * within 0 and 1), against the band in which shares of the nominal coverage lie. */
#include "engine/render/plot.h"
#include "engine/render/render.h"

#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <string.h>

static const double coverage_row = 24.0, coverage_z = 1.959963984540054;
enum { COVERAGE_MOST = 60 };

/* Wilson's interval of 95 % for k of n. */
static void coverage_interval(double k, double n, double *low, double *high)
{
    const double p = k / n, z2 = coverage_z * coverage_z / n, middle = (p + 0.5 * z2) / (1.0 + z2),
                 half = coverage_z / (1.0 + z2) * levy_sqrt(p * (1.0 - p) / n + 0.25 * z2 / n);
    *low = middle - half;
    *high = middle + half;
}

static plot_axis coverage_axis(const levy_coverage_table *table, size_t n, const plot_box *box)
{
    plot_axis axis = levy_plot_axis_of(PLOT_LINEAR);
    levy_plot_axis_include(&axis, 100.0 * table->confidence);
    for (size_t i = 0; i < n; ++i) {
        double low, high;
        if (table->rows[i].intervals == 0) continue;
        coverage_interval(table->rows[i].covered, table->rows[i].intervals, &low, &high);
        levy_plot_axis_include(&axis, 100.0 * low);
        levy_plot_axis_include(&axis, 100.0 * high);
    }
    levy_plot_axis_finish(&axis, box->left, box->right, 0.06);
    return axis;
}

/* Where shares of seeds lie if the intervals hold as often as they say. */
static void coverage_band(levy_text_out *out, const levy_coverage_table *table,
                          const plot_axis *axis, const plot_box *box)
{
    const double p = table->confidence, n = table->n_rows ? table->rows[0].seeds : 0.0,
                 half = n > 0.0 ? coverage_z * levy_sqrt(p * (1.0 - p) / n) : 0.0,
                 left = levy_plot_within(axis, 100.0 * (p - half)),
                 right = levy_plot_within(axis, 100.0 * (p + half)),
                 middle = levy_plot_at(axis, 100.0 * p);
    levy_svg_group(out, "nominal", "where 95 % of the shares lie if the intervals are right");
    if (right > left)
        levy_svg_rectangle(out, (svg_point){left, box->top}, right - left, box->bottom - box->top,
                           SVG_BAND);
    levy_svg_line(out, (svg_point){middle, box->top}, (svg_point){middle, box->bottom},
                  "stroke=\"" SVG_QUIET "\" " SVG_DASHED);
    levy_svg_group_end(out);
}

/* Rows of one method are neighbours. */
static bool coverage_has_methods(const levy_coverage_table *table)
{
    const levy_coverage_row *const rows = table->rows;
    return table->n_rows && strcmp(rows[0].method, rows[table->n_rows - 1].method) != 0;
}

/* "call", "call, delta SPX.spot", and the method where there are several. */
static void coverage_name(const levy_coverage_row *row, bool named, char *name, size_t size)
{
    char measure[PLOT_LABEL] = "";
    if (strcmp(row->measure, "price") != 0)
        snprintf(measure, sizeof measure, ", %.20s %.60s", row->measure, row->factor);
    snprintf(name, size, "%.60s%s%s%s", row->trade, measure, named ? ", " : "",
             named ? row->method : "");
}

static void coverage_mark(levy_text_out *out, const levy_coverage_row *row, size_t method,
                          bool named, const plot_axis *axis, const plot_box *box, double y)
{
    char label[3 * PLOT_LABEL], share[PLOT_LABEL];
    double low, high;
    coverage_name(row, named, label, sizeof label);
    levy_plot_row_name(out, box, y, 10, label, 44);
    if (row->intervals == 0) {
        levy_svg_words(out, (svg_point){box->left + 8, y + 4}, "start", 12, SVG_QUIET,
                       "no interval was reported");
        return;
    }
    coverage_interval(row->covered, row->intervals, &low, &high);
    levy_plot_whisker(out, axis, y, 100.0 * low, 100.0 * high, levy_svg_color(method), true);
    snprintf(label, sizeof label, "%s %% of %u", levy_number_shown(100.0 * row->coverage, 4, share),
             (unsigned)row->intervals);
    levy_svg_marker(out, (svg_point){levy_plot_within(axis, 100.0 * row->coverage), y}, method,
                    levy_svg_color(method), label);
}

/* Each method has a colour and a marker. */
static void coverage_rows(levy_text_out *out, const levy_coverage_table *table, size_t n,
                          const plot_axis *axis, const plot_box *box)
{
    size_t method = 0;
    levy_svg_group(out, "series", NULL);
    for (size_t i = 0; i < n; ++i) {
        if (i && strcmp(table->rows[i].method, table->rows[i - 1].method) != 0) ++method;
        coverage_mark(out, &table->rows[i], method, coverage_has_methods(table), axis, box,
                      box->top + coverage_row * ((double)i + 0.5));
    }
    levy_svg_group_end(out);
}

void levy_coverage_plot(const levy_coverage_table *table, levy_text_out *out)
{
    char title[PLOT_LABEL], line[PLOT_LABEL], confidence[PLOT_LABEL];
    const size_t n = table->n_rows < COVERAGE_MOST ? table->n_rows : COVERAGE_MOST;
    const unsigned seeds = n ? table->rows[0].seeds : 0;
    const plot_box box = {330, 66, 736, 66 + coverage_row * (double)(n ? n : 1)};
    levy_svg_open(out, false, 760, box.bottom + 56, "coverage of intervals",
                  "Share of the intervals that contain the exact price, a row per trade and "
                  "method, with its binomial interval; the grey band is where shares lie if the "
                  "intervals are right.");
    const plot_axis axis = coverage_axis(table, n, &box);
    coverage_band(out, table, &axis, &box);
    levy_plot_x_axis(out, &axis, &box, "coverage (%)");
    coverage_rows(out, table, n, &axis, &box);
    levy_plot_frame(out, &box);
    snprintf(title, sizeof title, "Coverage of the %s interval",
             levy_plot_percent(table->confidence, confidence));
    const bool one = n && !coverage_has_methods(table);
    snprintf(line, sizeof line, "%s%s%u seeds from %llu on%s", one ? table->rows[0].method : "",
             one ? "; " : "", seeds, (unsigned long long)table->first_seed,
             n < table->n_rows ? "; the first 60 rows" : "");
    levy_plot_head(out, &box, 24, title, line);
    levy_svg_close(out);
}
