/* plot_scenarios.c: profit and loss in scenarios that are no points of a grid, as bars with
 * whiskers of two standard errors. See plot_scenarios.h. */
#include "engine/render/plot_scenarios.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

size_t levy_plot_split(const char *id, size_t *name, plot_coordinate at[2], const char **rest)
{
    const char *p = strrchr(id, '['), *const end = p ? strchr(p, ']') : NULL;
    size_t n = 0;
    if (!end || end[1]) return 0;
    *name = (size_t)(p - id);
    *rest = end;
    while (*p != ']') {
        ++p;
        const size_t length = strcspn(p, ",]");
        if (n < 2) at[n] = (plot_coordinate){p, length};
        p += length;
        if (++n == 2) *rest = p;
    }
    return n;
}

bool levy_plot_is_pnl(const levy_measure *m) { return strcmp(m->measure, "scenario_pnl") == 0; }

size_t levy_plot_bars(const levy_trade_result *trade, const levy_measure *bars[PLOT_BARS])
{
    size_t n = 0, name;
    plot_coordinate at[2];
    const char *rest;
    for (size_t k = 0; k < trade->n_measures && n < PLOT_BARS; ++k)
        if (levy_plot_is_pnl(&trade->measures[k]) &&
            levy_plot_split(trade->measures[k].factor, &name, at, &rest) < 2)
            bars[n++] = &trade->measures[k];
    return n;
}

double levy_plot_bars_height(size_t n) { return 62.0 + 22.0 * (double)n + 56.0; }

static void grid_bar(levy_text_out *out, const levy_measure *m, const plot_axis *axis,
                     const plot_box *box, double y)
{
    char cut[PLOT_LABEL], style[64], label[4 * PLOT_LABEL], value[PLOT_LABEL], error[PLOT_LABEL];
    const double zero = levy_plot_at(axis, 0.0), end = levy_plot_at(axis, m->value);
    snprintf(label, sizeof label, "%.80s: %s \xc2\xb1 %s", m->factor,
             levy_number_shown(m->value, 6, value), levy_number_shown(m->std_error, 2, error));
    snprintf(style, sizeof style, "fill=\"%s\" fill-opacity=\"0.75\"",
             levy_svg_color(m->value < 0.0));
    levy_svg_group(out, "bar", label);
    if (!isnan(end))
        levy_svg_rectangle(out, (svg_point){end < zero ? end : zero, y - 7}, fabs(end - zero), 14,
                           style);
    levy_plot_whisker(out, axis, y, m->value - 2.0 * m->std_error, m->value + 2.0 * m->std_error,
                      SVG_INK, true);
    levy_svg_group_end(out);
    levy_svg_text(out, (svg_point){box->left - 8, y + 4}, "end", 12, "fill=\"" SVG_INK "\"",
                  levy_plot_cut(m->factor, 24, cut), NULL);
}

void levy_plot_bars_draw(levy_text_out *out, const levy_trade_result *trade,
                         const levy_measure *const *bars, size_t n, double y)
{
    char title[2 * PLOT_LABEL];
    plot_axis axis = levy_plot_axis_of(PLOT_LINEAR);
    const plot_box box = {200, y + 62, 736, y + 62 + 22.0 * (double)n},
                   head = {24, box.top, box.right, box.bottom};
    levy_plot_axis_include(&axis, 0.0);
    for (size_t i = 0; i < n; ++i) {
        levy_plot_axis_include(&axis, bars[i]->value - 2.0 * bars[i]->std_error);
        levy_plot_axis_include(&axis, bars[i]->value + 2.0 * bars[i]->std_error);
        levy_plot_axis_include(&axis, bars[i]->value);
    }
    levy_plot_axis_finish(&axis, box.left, box.right, 0.06);
    snprintf(title, sizeof title, "profit or loss (%s)", trade->currency);
    levy_plot_x_axis(out, &axis, &box, title);
    for (size_t i = 0; i < n; ++i)
        grid_bar(out, bars[i], &axis, &box, box.top + 22.0 * ((double)i + 0.5));
    const double zero = levy_plot_at(&axis, 0.0);
    levy_svg_line(out, (svg_point){zero, box.top}, (svg_point){zero, box.bottom},
                  "stroke=\"" SVG_INK "\"");
    levy_plot_frame(out, &box);
    snprintf(title, sizeof title, "%.150s: scenarios", trade->id);
    levy_plot_head(out, &head, title, "whiskers: 2 standard errors");
}
