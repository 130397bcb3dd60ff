/* page.h: the parts of the page of a run that are always the same (page_style.c). */
#ifndef LEVY_REPORT_PAGE_H
#define LEVY_REPORT_PAGE_H

#include "engine/report/report.h"

void levy_page_style(levy_text_out *out);  /* a style element: light and dark */
void levy_page_script(levy_text_out *out); /* a script element: tables that sort */

#endif
