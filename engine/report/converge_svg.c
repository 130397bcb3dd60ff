/* converge_svg.c: a convergence study as a log-log plot: root mean square error with its bootstrap
 * error against points, the reference slopes -1/2 and -1 dashed from one point above the data, a
 * legend with the fitted slopes below the axes, where it can cover nothing. Drawn from the study
 * alone; see convergence.h. */
#include "engine/report/report.h"
#include "engine/report/svg.h"

#include "engine/base/number.h"
#include "kernels/lane/scalar.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double plot_left = 82, plot_right = 700, plot_top = 66, plot_bottom = 450,
                    plot_width = 760;
static const double plot_legend_top = 526, plot_legend_row = 22;
enum { PLOT_LABEL = 160 };

typedef struct plot {
    levy_text_out *out;
    const levy_convergence *study;
    double x0, x1; /* log2 of the sizes at the ends */
    double y0, y1; /* log10 of the errors at bottom and top */
    double anchor; /* log10 of the error that the reference slopes start from, at x0 */
} plot;

static double plot_log10(double x) { return levy_log(x) * 0.4342944819032518; }
static double plot_x(const plot *p, double log2_size)
{
    return plot_left + (log2_size - p->x0) / (p->x1 - p->x0) * (plot_right - plot_left);
}
static double plot_y(const plot *p, double log10_rmse)
{
    return plot_bottom - (log10_rmse - p->y0) / (p->y1 - p->y0) * (plot_bottom - plot_top);
}

/* ---- Ranges ---- */

static void plot_ranges(plot *p)
{
    const levy_convergence_method *first = &p->study->methods[0];
    double low = INFINITY, high = -INFINITY, start = -INFINITY;
    const double from = levy_log2((double)first->sizes[0]),
                 to = levy_log2((double)first->sizes[first->n_sizes - 1]);
    for (size_t m = 0; m < p->study->n_methods; ++m) {
        const levy_convergence_method *method = &p->study->methods[m];
        for (size_t i = 0; i < method->n_sizes; ++i) {
            if (!(method->rmse[i] > 0.0) || !isfinite(method->rmse[i])) continue;
            const double y = plot_log10(method->rmse[i]);
            low = y < low ? y : low;
            high = y > high ? y : high;
            if (i == 0 && y > start) start = y;
        }
    }
    if (!(low <= high)) low = high = 0.0; /* there is no error to plot: axes alone */
    p->anchor = (isfinite(start) ? start : high) + 0.2;
    const double end = p->anchor - (to - from) * 0.30102999566398120; /* of slope -1 */
    p->x0 = from - 0.35;
    p->x1 = to + 0.35;
    p->y0 = (end < low && end > low - 0.75 ? end : low) - 0.2;
    p->y1 = (p->anchor > high ? p->anchor : high) + 0.15;
}

/* ---- Axes ---- */

static void plot_x_axis(const plot *p)
{
    const levy_convergence_method *first = &p->study->methods[0];
    const size_t every = first->n_sizes > 13 ? 2 : 1;
    for (size_t i = 0; i < first->n_sizes; ++i) {
        char exponent[16];
        const double x = plot_x(p, levy_log2((double)first->sizes[i]));
        levy_svg_line(p->out, (svg_point){x, plot_top}, (svg_point){x, plot_bottom},
                      "stroke=\"#ececec\"");
        levy_svg_line(p->out, (svg_point){x, plot_bottom}, (svg_point){x, plot_bottom - 6},
                      "stroke=\"#000000\"");
        if (i % every) continue;
        snprintf(exponent, sizeof exponent, "%d", __builtin_ctzll(first->sizes[i]));
        levy_svg_text(p->out, (svg_point){x, plot_bottom + 21}, "middle", 13, "fill=\"#000000\"",
                      "2", exponent);
    }
    levy_svg_text(p->out, (svg_point){0.5 * (plot_left + plot_right), plot_bottom + 44}, "middle",
                  14, "fill=\"#000000\"", "points per replicate, N", NULL);
}

/* A tick at digit * 10^decade. Other digits than 1 get a label if the range has too few decades to
 * show the scale. */
static void plot_y_tick(const plot *p, int decade, int digit, bool labelled)
{
    char exponent[16], label[16];
    const double at = decade + plot_log10(digit), y = plot_y(p, at);
    if (at < p->y0 || at > p->y1) return;
    if (digit == 1)
        levy_svg_line(p->out, (svg_point){plot_left, y}, (svg_point){plot_right, y},
                      "stroke=\"#dcdcdc\"");
    levy_svg_line(p->out, (svg_point){plot_left, y},
                  (svg_point){plot_left + (digit == 1 ? 6 : 3), y}, "stroke=\"#000000\"");
    if (!labelled) return;
    snprintf(exponent, sizeof exponent, "%s%d", decade < 0 ? "\xe2\x88\x92" : "",
             decade < 0 ? -decade : decade);
    snprintf(label, sizeof label,
             digit == 1 ? "10"
                        : "%d\xc3\x97"
                          "10",
             digit);
    levy_svg_text(p->out, (svg_point){plot_left - 8, y + 5}, "end", 13, "fill=\"#000000\"", label,
                  exponent);
}

static void plot_y_axis(const plot *p)
{
    char label[PLOT_LABEL];
    const int first = (int)floor(p->y0), last = (int)ceil(p->y1);
    int decades = 0;
    for (int d = first; d <= last; ++d) decades += d >= p->y0 && d <= p->y1;
    for (int d = first; d <= last; ++d)
        for (int digit = 1; digit < 10; ++digit)
            plot_y_tick(p, d, digit,
                        digit == 1 ? decades <= 12 || d % 2 == 0
                                   : decades < 2 && (digit == 2 || digit == 5));
    snprintf(label, sizeof label, "root mean square error (%.20s)", p->study->currency);
    levy_svg_text_upward(p->out, (svg_point){24, 0.5 * (plot_top + plot_bottom)}, 14, label);
}

/* ---- Reference slopes ---- */

/* Draws a line from the anchor down to the right or lower edge of the plot. Returns the place of
 * its label: beside the right edge, or above the lower one. */
static svg_point plot_guide(const plot *p, double slope)
{
    const levy_convergence_method *first = &p->study->methods[0];
    const double from = levy_log2((double)first->sizes[0]), decades = slope * 0.30102999566398120;
    double to = p->x1, end = p->anchor + decades * (to - from);
    const bool leaves = end < p->y0;
    if (leaves) {
        end = p->y0;
        to = from + (end - p->anchor) / decades;
    }
    const svg_point tail = {plot_x(p, to), plot_y(p, end)};
    levy_svg_line(p->out, (svg_point){plot_x(p, from), plot_y(p, p->anchor)}, tail,
                  "stroke=\"#555555\" stroke-width=\"1.1\" stroke-dasharray=\"6 4\"");
    return leaves ? (svg_point){tail.x + 4, tail.y - 6} : (svg_point){tail.x + 5, tail.y + 4};
}

static void plot_guides(const plot *p)
{
    const svg_point half = plot_guide(p, -0.5);
    svg_point whole = plot_guide(p, -1.0);
    if (whole.x > plot_right && whole.y < half.y + 16) whole.y = half.y + 16;
    levy_svg_text(p->out, half, "start", 13, "fill=\"#333333\" font-style=\"italic\"", "N",
                  "\xe2\x88\x92"
                  "1/2");
    levy_svg_text(p->out, whole, "start", 13, "fill=\"#333333\" font-style=\"italic\"", "N",
                  "\xe2\x88\x92"
                  "1");
}

/* ---- Data ---- */

static void plot_error_bar(const plot *p, const levy_convergence_method *method, size_t i,
                           const char *color)
{
    char style[64];
    const double rmse = method->rmse[i], se = method->rmse_se[i],
                 x = plot_x(p, levy_log2((double)method->sizes[i]));
    if (!(se > 0.0) || !isfinite(se)) return;
    const double low = rmse > se ? plot_log10(rmse - se) : p->y0, high = plot_log10(rmse + se);
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.1\"", color);
    levy_svg_line(p->out, (svg_point){x, plot_y(p, low > p->y0 ? low : p->y0)},
                  (svg_point){x, plot_y(p, high < p->y1 ? high : p->y1)}, style);
}

static void plot_series(const plot *p, size_t m)
{
    enum { MOST = 33 };
    const levy_convergence_method *method = &p->study->methods[m];
    const char *color = levy_svg_color(m);
    svg_point points[MOST];
    size_t n = 0;
    for (size_t i = 0; i < method->n_sizes && n < MOST; ++i) {
        if (!(method->rmse[i] > 0.0) || !isfinite(method->rmse[i])) continue;
        points[n++] = (svg_point){plot_x(p, levy_log2((double)method->sizes[i])),
                                  plot_y(p, plot_log10(method->rmse[i]))};
        plot_error_bar(p, method, i, color);
    }
    if (n > 1) levy_svg_polyline(p->out, points, n, color);
    for (size_t i = 0; i < n; ++i) levy_svg_marker(p->out, points[i], m, color);
}

static void plot_slope_text(const levy_convergence_method *method, char *label)
{
    char slope[32] = "none", error[32] = "";
    if (isfinite(method->slope))
        levy_number_write_fixed(fabs(method->slope), 2, slope, sizeof slope);
    if (isfinite(method->slope_se))
        levy_number_write_fixed(method->slope_se, 2, error, sizeof error);
    snprintf(label, PLOT_LABEL, "slope %s%s%s%s", method->slope < 0.0 ? "\xe2\x88\x92" : "", slope,
             error[0] ? " \xc2\xb1 " : "", error);
}

/* One row per method: sample, name, slope. */
static void plot_legend(const plot *p)
{
    size_t longest = 0;
    for (size_t m = 0; m < p->study->n_methods; ++m)
        if (strlen(p->study->methods[m].method) > longest)
            longest = strlen(p->study->methods[m].method);
    /* a generous estimate for letters of 13 pixels */
    const double widest = 8.0 * (double)(longest < 56 ? longest : 56);
    for (size_t m = 0; m < p->study->n_methods; ++m) {
        const levy_convergence_method *method = &p->study->methods[m];
        const double y = plot_legend_top + plot_legend_row * (double)m, x = plot_left + 20;
        char name[PLOT_LABEL], slope[PLOT_LABEL];
        const svg_point sample[2] = {{x, y}, {x + 40, y}};
        snprintf(name, sizeof name, "%.56s", method->method);
        plot_slope_text(method, slope);
        levy_svg_polyline(p->out, sample, 2, levy_svg_color(m));
        levy_svg_marker(p->out, (svg_point){x + 20, y}, m, levy_svg_color(m));
        levy_svg_text(p->out, (svg_point){x + 54, y + 5}, "start", 13, "fill=\"#000000\"", name,
                      NULL);
        levy_svg_text(p->out, (svg_point){x + 76 + widest, y + 5}, "start", 13, "fill=\"#000000\"",
                      slope, NULL);
    }
}

/* ---- The whole ---- */

static void plot_head(const plot *p)
{
    char title[PLOT_LABEL], line[PLOT_LABEL + 64], value[LEVY_NUMBER_SIZE + 32];
    const levy_convergence *s = p->study;
    levy_number_write_fixed(s->reference, fabs(s->reference) < 1e4 ? 8 : 2, value, sizeof value);
    snprintf(title, sizeof title, "%.60s%s", s->trade, strlen(s->trade) > 60 ? "..." : "");
    snprintf(line, sizeof line, "%" PRIu32 " replicates; reference %.40s (%s%.80s)", s->replicates,
             value, strcmp(s->reference_kind, "closed_form") == 0 ? "closed form: " : "",
             s->reference_text);
    levy_svg_text(p->out, (svg_point){plot_left, 28}, "start", 16,
                  "fill=\"#000000\" font-weight=\"bold\"", title, NULL);
    levy_svg_text(p->out, (svg_point){plot_left, 48}, "start", 13, "fill=\"#444444\"", line, NULL);
}

int levy_converge_write_svg(const levy_convergence *study, levy_writer write, void *user)
{
    levy_text_out out;
    plot p = {.out = &out, .study = study};
    levy_text_out_init(&out, write, user);
    levy_svg_open(&out, plot_width,
                  plot_legend_top + plot_legend_row * (double)study->n_methods + 4, study->trade,
                  "Root mean square error against points per replicate, both axes logarithmic, one "
                  "line per method.");
    plot_ranges(&p);
    plot_x_axis(&p);
    plot_y_axis(&p);
    plot_guides(&p);
    /* backwards, so that the first series lies on top */
    for (size_t m = study->n_methods; m > 0; --m) plot_series(&p, m - 1);
    levy_svg_rectangle(&out, (svg_point){plot_left, plot_top}, plot_right - plot_left,
                       plot_bottom - plot_top, "fill=\"none\" stroke=\"#000000\"");
    plot_head(&p);
    plot_legend(&p);
    levy_svg_close(&out);
    return levy_text_finish(&out);
}
