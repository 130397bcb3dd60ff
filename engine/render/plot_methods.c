/* plot_methods.c: the legends of convergence plots. See plot_methods.h. */
#include "engine/render/plot_methods.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool converge_is_alone(const levy_convergence_method *m)
{
    return m->replicates == 1 && !m->pseudo_random;
}

const char *levy_plot_method_style(const levy_convergence_method *m)
{
    return converge_is_alone(m) ? "stroke-dasharray=\"1.5 3\"" : "";
}

static void converge_slope_text(const levy_convergence_method *method, char *label)
{
    char slope[32] = "none", error[32] = "";
    if (converge_is_alone(method)) {
        snprintf(label, PLOT_LABEL, "one run: |error|, not an RMSE");
        return;
    }
    if (isfinite(method->slope))
        levy_number_write_fixed(fabs(method->slope), 2, slope, sizeof slope);
    if (isfinite(method->slope_se))
        levy_number_write_fixed(method->slope_se, 2, error, sizeof error);
    snprintf(label, PLOT_LABEL, "slope %s%s%s%s", method->slope < 0.0 ? "\xe2\x88\x92" : "", slope,
             error[0] ? " \xc2\xb1 " : "", error);
}

static void converge_legend_words(levy_text_out *out, double x, double y, const char *words)
{
    levy_svg_words(out, (svg_point){x, y + 5}, "start", 13, SVG_INK, words);
}

/* One row per method: sample, name and, of a single study, the slope. */
static void converge_legend(levy_text_out *out, const levy_convergence *study, double left,
                            double top, bool slopes)
{
    size_t longest = 0;
    for (size_t m = 0; m < study->n_methods; ++m)
        if (strlen(study->methods[m].method) > longest) longest = strlen(study->methods[m].method);
    /* a generous estimate for letters of 13 pixels */
    const double widest = 8.0 * (double)(longest < 56 ? longest : 56);
    levy_svg_group(out, "legend", NULL);
    for (size_t m = 0; m < study->n_methods; ++m) {
        const levy_convergence_method *method = &study->methods[m];
        const double y = top + 22.0 * (double)m, x = left + 20;
        char name[PLOT_LABEL], slope[PLOT_LABEL];
        const svg_point sample[2] = {{x, y}, {x + 40, y}};
        converge_slope_text(method, slope);
        levy_svg_polyline(out, sample, 2, levy_svg_color(m), levy_plot_method_style(method));
        levy_svg_marker(out, (svg_point){x + 20, y}, m, levy_svg_color(m), NULL);
        converge_legend_words(out, x + 54, y, levy_plot_cut(method->method, 56, name));
        if (slopes || converge_is_alone(method))
            converge_legend_words(out, x + 76 + widest, y, slope);
    }
    levy_svg_group_end(out);
}

void levy_plot_methods(levy_text_out *out, const levy_converge_report *report,
                       const plot_sheet *sheet, bool cost, bool band)
{
    const levy_convergence *const first = &report->studies[0];
    const double left = sheet->margin.left, top = sheet->foot + 24.0;
    double y = top + 22.0 * (double)first->n_methods;
    converge_legend(out, first, left, top, sheet->n == 1);
    if (sheet->n > 1) { /* its boxes have no room for labels of the dashed lines */
        levy_svg_line(out, (svg_point){left + 20, y}, (svg_point){left + 60, y},
                      "stroke=\"" SVG_QUIET "\" stroke-width=\"1.1\" " SVG_DASHED);
        const char *const sizes = first->points ? "steps" : "points";
        char slopes[PLOT_LABEL];
        snprintf(slopes, sizeof slopes, "slopes " CONVERGE_HALF " and " CONVERGE_WHOLE " in %s",
                 cost ? "seconds" : sizes);
        converge_legend_words(out, left + 74, y, slopes);
        y += 22.0;
    }
    if (!band) return;
    levy_svg_rectangle(out, (svg_point){left + 20, y - 6}, 40, 12, SVG_BAND);
    converge_legend_words(out, left + 74, y, "below the standard error of the reference");
}
