/* render.h: finished results and studies as pictures (SVG 1.1) and as a page (HTML). Must not know:
 * how a result was computed. */
#ifndef LEVY_RENDER_RENDER_H
#define LEVY_RENDER_RENDER_H

#include "engine/report/report.h"

/* One page that needs nothing else (page.c). LEVY_STATUS_OK or LEVY_STATUS_MEMORY. */
int levy_report_write_html(const levy_report *report, const levy_report_form *form,
                           levy_text_out *out);
/* what: LEVY_PLOT_ERRORS, _LADDER or _GRID. LEVY_STATUS_UNSUPPORTED: there is nothing to plot. */
int levy_report_plot(const levy_report *report, int what, const char *trade, levy_text_out *out);

/* Plots of studies. cost: against seconds in place of points. */
void levy_converge_plot(const levy_converge_report *report, bool cost, levy_text_out *out);
void levy_coverage_plot(const levy_coverage_table *table, levy_text_out *out);
void levy_profile_plot(const levy_profile_table *table, levy_text_out *out);
/* quotes: [facts->quotes] */
void levy_smile_plot(const levy_calibration_facts *facts, const levy_fitted_quote *quotes,
                     levy_text_out *out);

#endif
