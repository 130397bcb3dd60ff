/* plot_report.c: a plot of results as a picture of its own. See plot_results.h. */
#include "engine/render/plot_results.h"
#include "engine/render/render.h"

int levy_report_plot(const levy_report *report, int what, const char *trade, levy_text_out *out)
{
    static bool (*const plots[])(levy_text_out *, const levy_report *, const char *,
                                 bool) = {[LEVY_PLOT_ERRORS] = levy_plot_errors,
                                          [LEVY_PLOT_LADDER] = levy_plot_ladder,
                                          [LEVY_PLOT_GRID] = levy_plot_grid,
                                          [LEVY_PLOT_BOUNDARY] = levy_plot_boundary};
    if (what < 0 || (size_t)what >= sizeof plots / sizeof *plots || !plots[what])
        return LEVY_STATUS_ARGUMENT;
    return plots[what](out, report, trade, false) ? LEVY_STATUS_OK : LEVY_STATUS_UNSUPPORTED;
}
