/* plot_scenarios.c: profit and loss in scenarios that are no points of a grid, as bars with
 * whiskers of two standard errors. See plot_scenarios.h. */
#include "engine/render/plot_scenarios.h"

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

void levy_plot_bars_draw(levy_text_out *out, const levy_trade_result *trade,
                         const levy_measure *const *bars, size_t n, double y)
{
    char title[2 * PLOT_LABEL];
    plot_axis axis = levy_plot_axis_of(PLOT_LINEAR);
    const plot_box box = {200, y + 62, 736, y + 62 + 22.0 * (double)n};
    levy_plot_axis_include(&axis, 0.0);
    for (size_t i = 0; i < n; ++i)
        levy_plot_axis_include_estimate(&axis, bars[i]->value, bars[i]->std_error);
    levy_plot_axis_finish(&axis, box.left, box.right, 0.06);
    snprintf(title, sizeof title, "profit or loss (%s)", trade->currency);
    levy_plot_x_axis(out, &axis, &box, title);
    for (size_t i = 0; i < n; ++i) {
        const double middle = box.top + 22.0 * ((double)i + 0.5);
        levy_plot_bar(out, &axis, middle, 14, bars[i], bars[i]->factor, true);
        levy_plot_row_name(out, &box, middle, 8, bars[i]->factor, 24);
    }
    levy_plot_zero(out, &axis, &box, true);
    levy_plot_frame(out, &box);
    snprintf(title, sizeof title, "%.150s: scenarios", trade->id);
    levy_plot_head(out, &box, 24, title, "whiskers: 2 standard errors");
}
