/* plot_converge.c: convergence studies on logarithmic axes: root mean square error with its
 * bootstrap error against points or against seconds, the slopes -1/2 and -1 dashed from one point
 * above the data, the reference's own error as a grey band, below which nothing can be told apart.
 * One run, which has no RMSE, is dotted. Several studies are small multiples with one legend. Drawn
 * from the studies alone; see convergence.h. */
#include "engine/render/plot.h"
#include "engine/render/plot_methods.h"
#include "engine/render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONVERGE_SIZES = 33, CONVERGE_MOST = 48 };

typedef struct converge_plot {
    levy_text_out *out;
    const levy_convergence *study;
    plot_box box;
    plot_axis x, y;
    bool cost, wide;
    double start, anchor; /* from where the reference slopes start: x, and log10 of the error */
} converge_plot;

/* The points of a replicate, or the seconds that it took: those of the largest run in proportion.
 */
static double converge_x(const converge_plot *p, const levy_convergence_method *m, size_t i)
{
    if (!p->cost) return (double)m->sizes[i];
    return m->seconds / (double)m->replicates *
           ((double)m->sizes[i] / (double)m->sizes[m->n_sizes - 1]);
}

/* ---- Ranges ---- */

static double converge_decades(const converge_plot *p)
{
    return (p->x.high - p->x.low) * (p->x.scale == PLOT_LOG2 ? 0.30102999566398120 : 1.0);
}

/* The reference slopes start above the first errors and may lengthen the axis by three quarters of
 * a decade, the band of the reference by twice as much. */
static void converge_ranges(converge_plot *p)
{
    const levy_convergence *const s = p->study;
    double first = -INFINITY;
    p->x = levy_plot_axis_of(p->cost ? PLOT_LOG10 : PLOT_LOG2);
    p->y = levy_plot_axis_of(PLOT_LOG10);
    for (size_t m = 0; m < s->n_methods; ++m)
        for (size_t i = 0; i < s->methods[m].n_sizes; ++i) {
            const double x = converge_x(p, &s->methods[m], i),
                         at = levy_plot_scaled(PLOT_LOG10, s->methods[m].rmse[i]);
            levy_plot_axis_include(&p->x, x);
            if (isnan(levy_plot_scaled(p->x.scale, x))) continue;
            levy_plot_axis_include(&p->y, s->methods[m].rmse[i]);
            if (i == 0 && at > first) first = at;
        }
    if (!(p->x.low <= p->x.high)) p->x.low = 0.0, p->x.high = 1.0;
    if (!(p->y.low <= p->y.high)) p->y.low = p->y.high = 0.0; /* axes alone */
    p->start = p->x.low;
    p->anchor = (isfinite(first) ? first : p->y.high) + 0.2;
    const double end = p->anchor - converge_decades(p), low = p->y.low,
                 band = levy_plot_scaled(PLOT_LOG10, s->reference_se);
    if (end < low && end > low - 0.75) p->y.low = end;
    if (band < p->y.low && band > low - 1.5) p->y.low = band - 0.2;
    p->y.low -= 0.2;
    if (p->anchor > p->y.high) p->y.high = p->anchor;
    p->y.high += 0.15;
    levy_plot_axis_finish(&p->x, p->box.left, p->box.right, p->x.high > p->x.low ? 0.04 : 0.0);
    levy_plot_axis_finish(&p->y, p->box.bottom, p->box.top, 0.0);
}

/* ---- Reference slopes and band ---- */

/* Draws a line from the anchor down to the right or lower edge of the plot. Returns the place of
 * its label: beside the right edge, or above the lower one. */
static svg_point converge_guide(const converge_plot *p, double slope)
{
    const double rate = slope * (p->x.scale == PLOT_LOG2 ? 0.30102999566398120 : 1.0);
    double to = p->x.high, end = p->anchor + rate * (to - p->start);
    const bool leaves = end < p->y.low;
    if (leaves) {
        end = p->y.low;
        to = p->start + (end - p->anchor) / rate;
    }
    const svg_point tail = {levy_plot_pixel(&p->x, to), levy_plot_pixel(&p->y, end)};
    levy_svg_line(p->out,
                  (svg_point){levy_plot_pixel(&p->x, p->start), levy_plot_pixel(&p->y, p->anchor)},
                  tail, "stroke=\"" SVG_QUIET "\" stroke-width=\"1.1\" " SVG_DASHED);
    return leaves ? (svg_point){tail.x + 4, tail.y - 6} : (svg_point){tail.x + 5, tail.y + 4};
}

static void converge_guides(const converge_plot *p)
{
    static const char *const style = "fill=\"" SVG_QUIET "\" font-style=\"italic\"";
    const svg_point half = converge_guide(p, -0.5);
    svg_point whole = converge_guide(p, -1.0);
    if (!p->wide) return; /* the legend says what they are */
    if (whole.x > p->box.right && whole.y < half.y + 16) whole.y = half.y + 16;
    levy_svg_text(p->out, half, "start", 13, style, p->cost ? "t" : "N", CONVERGE_HALF);
    levy_svg_text(p->out, whole, "start", 13, style, p->cost ? "t" : "N", CONVERGE_WHOLE);
}

/* Whether the reference's standard error is on the axis. */
static bool converge_has_band(const converge_plot *p)
{
    return p->study->reference_se > 0.0 &&
           levy_plot_within(&p->y, p->study->reference_se) < p->box.bottom;
}

static void converge_band(const converge_plot *p)
{
    const double top = levy_plot_within(&p->y, p->study->reference_se);
    if (!converge_has_band(p)) return;
    levy_svg_group(p->out, "reference", "standard error of the reference");
    levy_svg_rectangle(p->out, (svg_point){p->box.left, top}, p->box.right - p->box.left,
                       p->box.bottom - top, SVG_BAND);
    levy_svg_group_end(p->out);
}

/* ---- Data ---- */

static void converge_series(const converge_plot *p, size_t m)
{
    const levy_convergence_method *method = &p->study->methods[m];
    const size_t n = method->n_sizes < CONVERGE_SIZES ? method->n_sizes : CONVERGE_SIZES;
    double x[CONVERGE_SIZES];
    levy_svg_group(p->out, "series", method->method);
    for (size_t i = 0; i < n; ++i) {
        const double rmse = method->rmse[i], se = method->rmse_se[i];
        x[i] = converge_x(p, method, i);
        if (se > 0.0 && rmse > 0.0)
            levy_plot_whisker(p->out, &p->y, levy_plot_at(&p->x, x[i]), rmse - se, rmse + se,
                              levy_svg_color(m), false);
    }
    const plot_series series = {
        .n = n, .x = x, .y = method->rmse, .number = m, .style = levy_plot_method_style(method)};
    levy_plot_line(p->out, &p->x, &p->y, &series);
    levy_svg_group_end(p->out);
}

/* ---- The whole ---- */

static void converge_head(const converge_plot *p)
{
    char title[2 * PLOT_LABEL], line[4 * PLOT_LABEL];
    const levy_convergence *s = p->study;
    const bool price = strcmp(s->measure, "price") == 0, exact = !(s->reference_se > 0.0);
    snprintf(title, sizeof title, price ? "%.100s" : "%.100s: %.60s %.100s", s->trade, s->measure,
             s->factor);
    const int digits = p->wide ? 8 : 6;
    char reference[PLOT_ESTIMATE];
    if (exact)
        levy_number_shown(s->reference, digits, reference);
    else
        levy_plot_estimate(s->reference, s->reference_se, digits, reference);
    const bool closed = strcmp(s->reference_kind, "closed_form") == 0;
    if (p->wide)
        snprintf(line, sizeof line, "%" PRIu32 " replicates; reference %s (%s%.80s)", s->replicates,
                 reference, closed ? "closed form: " : "", s->reference_text);
    else
        snprintf(line, sizeof line, "reference %s%s", reference, exact ? ", exact" : "");
    levy_plot_head(p->out, &p->box, p->box.left, title, line);
}

static void converge_panel(const converge_plot *p)
{
    char label[PLOT_LABEL];
    const char *const sizes = p->study->points ? "steps to expiry, N" : "points per replicate, N",
                      *const error = p->wide ? "root mean square error" : "RMSE";
    converge_band(p);
    levy_plot_x_axis(p->out, &p->x, &p->box, p->cost ? "seconds per replicate" : sizes);
    const bool price = strcmp(p->study->measure, "price") == 0;
    snprintf(label, sizeof label, "%s (%.20s)", p->study->points ? "change by half steps" : error,
             price ? p->study->currency : p->study->measure);
    levy_plot_y_axis(p->out, &p->y, &p->box, label);
    converge_guides(p);
    /* backwards, so that the first series lies on top */
    for (size_t m = p->study->n_methods; m > 0; --m) converge_series(p, m - 1);
    levy_plot_frame(p->out, &p->box);
    converge_head(p);
}

static void converge_left_out(levy_text_out *out, const plot_sheet *sheet, size_t left)
{
    char text[PLOT_LABEL];
    snprintf(text, sizeof text, "%zu more are not shown; the CSV has them", left);
    if (left)
        levy_svg_words(out, (svg_point){sheet->width - 20, sheet->height - 10}, "end", 12,
                       SVG_QUIET, text);
}

static converge_plot converge_plot_of(levy_text_out *out, const levy_converge_report *report,
                                      size_t i, bool cost, const plot_sheet *sheet)
{
    converge_plot p = {
        .out = out, .study = &report->studies[i], .cost = cost, .wide = sheet->n == 1};
    p.box = levy_plot_sheet_box(sheet, i);
    converge_ranges(&p);
    return p;
}

void levy_converge_plot(const levy_converge_report *report, bool cost, levy_text_out *out)
{
    char description[2 * PLOT_LABEL];
    const size_t n = report->n < CONVERGE_MOST ? report->n : CONVERGE_MOST;
    const bool steps = n && report->studies[0].points;
    const char *const sizes = steps ? "steps to expiry" : "points per replicate";
    snprintf(description, sizeof description,
             "%s against %s, both axes logarithmic, one line per method.",
             steps ? "Change by half steps" : "Root mean square error",
             cost ? "seconds per replicate" : sizes);
    const size_t methods = n ? report->studies[0].n_methods : 0;
    const plot_sheet bare = levy_plot_sheet_of(n, 0.0);
    bool band = false;
    for (size_t i = 0; i < n; ++i) {
        const converge_plot p = converge_plot_of(out, report, i, cost, &bare);
        band |= converge_has_band(&p);
    }
    const plot_sheet sheet =
        levy_plot_sheet_of(n, 22.0 * (double)(methods + (n > 1) + band) + 30.0);
    levy_svg_open(out, false, sheet.width, sheet.height,
                  n == 1 ? report->studies[0].trade : "convergence of several trades or measures",
                  description);
    for (size_t i = 0; i < n; ++i) {
        const converge_plot p = converge_plot_of(out, report, i, cost, &sheet);
        converge_panel(&p);
    }
    if (n) levy_plot_methods(out, report, &sheet, cost, band);
    converge_left_out(out, &sheet, report->n - n);
    levy_svg_close(out);
}
