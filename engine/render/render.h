/* render.h: finished results and studies as pictures (SVG 1.1) and as a page (HTML). Must not know:
 * how a result was computed. */
#ifndef LEVY_RENDER_RENDER_H
#define LEVY_RENDER_RENDER_H

#include "engine/report/report.h"

/* All return LEVY_STATUS_OK, or LEVY_STATUS_IO after the first call of `write` that failed. */

/* One page that needs nothing else (page.c). Also LEVY_STATUS_MEMORY. */
int levy_report_write_html(const levy_report *report, const levy_report_form *form,
                           levy_writer write, void *user);
/* what: LEVY_PLOT_ERRORS, _LADDER or _GRID. LEVY_STATUS_UNSUPPORTED: there is nothing to plot. */
int levy_report_plot(const levy_report *report, int what, const char *trade, levy_writer write,
                     void *user);

/* Plots of studies. cost: against seconds in place of points. */
int levy_converge_plot(const levy_converge_report *report, bool cost, levy_writer write,
                       void *user);
int levy_coverage_plot(const levy_coverage_table *table, levy_writer write, void *user);
int levy_profile_plot(const levy_profile_table *table, levy_writer write, void *user);
/* quotes: [facts->quotes] */
int levy_smile_plot(const levy_calibration_facts *facts, const levy_fitted_quote *quotes,
                    levy_writer write, void *user);

#endif
