/* plot_methods.h: what tells the methods of a convergence plot apart: lines, markers, names,
 * slopes, below all boxes. Must not know: axes. */
#ifndef LEVY_RENDER_PLOT_METHODS_H
#define LEVY_RENDER_PLOT_METHODS_H

#include "engine/render/plot.h"

/* The slopes -1/2 and -1 as words. */
#define CONVERGE_HALF                                                                              \
    "\xe2\x88\x92"                                                                                 \
    "1/2"
#define CONVERGE_WHOLE                                                                             \
    "\xe2\x88\x92"                                                                                 \
    "1"

/* Attributes of a method's line: dotted, if it is one run and no RMSE. */
const char *levy_plot_method_style(const levy_convergence_method *method);
/* A row per method, with its slope where the figure has one study; what the dashed slopes are,
 * where it has several; what the grey band is, if there is one. */
void levy_plot_methods(levy_text_out *out, const levy_converge_report *report,
                       const plot_sheet *sheet, bool cost, bool band);

#endif
