/* plot_results.h: plots of a run's results, as pictures of their own or within a page. Each returns
 * false, and has written nothing, if there is nothing to plot. trade: the id of one; NULL: all. */
#ifndef LEVY_RENDER_PLOT_RESULTS_H
#define LEVY_RENDER_PLOT_RESULTS_H

#include "engine/report/report.h"

bool levy_plot_errors(levy_text_out *out, const levy_report *report, const char *trade,
                      bool embedded);
bool levy_plot_ladder(levy_text_out *out, const levy_report *report, const char *trade,
                      bool embedded);
bool levy_plot_grid(levy_text_out *out, const levy_report *report, const char *trade,
                    bool embedded);

bool levy_plot_boundary(levy_text_out *out, const levy_report *report, const char *trade,
                        bool embedded);

/* Whether a trade is priced and chosen. */
bool levy_plot_takes(const levy_trade_result *result, const char *trade);

#endif
