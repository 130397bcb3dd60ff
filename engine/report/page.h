/* page.h: the parts of the page of a run (page.c): what is always the same (page_style.c), cells
 * and rows of tables (page_cells.c), and sums of trades (page_sums.c). */
#ifndef LEVY_REPORT_PAGE_H
#define LEVY_REPORT_PAGE_H

#include "engine/report/plot.h"
#include "engine/report/report.h"

void levy_page_style(levy_text_out *out);  /* a style element: light and dark */
void levy_page_script(levy_text_out *out); /* a script element: tables that sort */

/* Escapes `text`, not what stands around it. NULL: nothing. */
void levy_page_text(levy_text_out *out, const char *before, const char *text, const char *after);
void levy_page_cell(levy_text_out *out, const char *text);
/* With every bit for the sort, and as `shown`. */
void levy_page_number_cell(levy_text_out *out, double value, const char *shown);
/* A value to the second digit of its error; without one, to six digits. */
const char *levy_page_rounded(double value, double error, char text[PLOT_LABEL]);
const char *levy_page_error(double error, char text[PLOT_LABEL]);
/* numbers: 'n' or 't' for each of the heads, which end with NULL. */
void levy_page_heads(levy_text_out *out, const char *const *heads, const char *numbers);
/* A cell: "[low, high]", or how an interval was made that has no ends. */
void levy_page_interval(levy_text_out *out, const double ends[2], double error, const char *made);
/* The end of a row: measure, factor, value, error, interval, note. */
void levy_page_measure(levy_text_out *out, const levy_measure *m);

void levy_page_netted(levy_text_out *out, const levy_report *report); /* values by currency */
void levy_page_sums(levy_text_out *out, const levy_report *report);   /* a table of all others */

#endif
