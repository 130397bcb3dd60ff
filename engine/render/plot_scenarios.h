/* plot_scenarios.h: shared by the two parts of the plot of scenarios: what an id says, and the bars
 * of scenarios that are no points of a grid (plot_scenarios.c). plot_grid.c has the heat maps. */
#ifndef LEVY_RENDER_PLOT_SCENARIOS_H
#define LEVY_RENDER_PLOT_SCENARIOS_H

#include "engine/render/plot.h"

/* A place on an axis, as the id writes it. */
typedef struct plot_coordinate {
    const char *text;
    size_t length;
} plot_coordinate;

/* Splits "name[a,b,c]"; `rest` is what follows the second coordinate. Returns the number of axes;
 * 0: no point of a grid. */
size_t levy_plot_split(const char *id, size_t *name, plot_coordinate at[2], const char **rest);
bool levy_plot_is_pnl(const levy_measure *m);

/* Scenarios of a trade that no heat map has; the height of so many bars; the bars at a height. */
enum { PLOT_BARS = 60 };
size_t levy_plot_bars(const levy_trade_result *trade, const levy_measure *bars[PLOT_BARS]);
double levy_plot_bars_height(size_t n);
void levy_plot_bars_draw(levy_text_out *out, const levy_trade_result *trade,
                         const levy_measure *const *bars, size_t n, double y);

#endif
