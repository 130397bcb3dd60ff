/* table_layout.h: rows of cells in aligned columns, within the width of a line if there is one.
 * Rows are put twice: while measuring they widen the columns, then they are written. Must not know:
 * results. */
#ifndef LEVY_REPORT_TABLE_LAYOUT_H
#define LEVY_REPORT_TABLE_LAYOUT_H

#include "engine/report/report.h"

enum {
    LAYOUT_TRADE,
    LAYOUT_PAYOFF,
    LAYOUT_YEARS,
    LAYOUT_CURRENCY,
    LAYOUT_PRICE,
    LAYOUT_ERROR,
    LAYOUT_INTERVAL,
    LAYOUT_COLUMNS
};
enum { LAYOUT_CELL = 192 };

typedef struct levy_layout_row {
    char cells[LAYOUT_COLUMNS][LAYOUT_CELL];
    const char *color;
    const char *note;       /* stands where the interval would; NULL: none */
    char said[LAYOUT_CELL]; /* room for it */
} levy_layout_row;

typedef struct levy_layout {
    levy_text_out *text;
    bool color, measuring;      /* measuring: rows only widen the columns */
    int widths[LAYOUT_COLUMNS]; /* -1: left out, as the line has no room */
    int line;                   /* characters of a line; 0: no limit */
} levy_layout;

extern const char levy_layout_bold[], levy_layout_dim[], levy_layout_red[], levy_layout_yellow[],
    levy_layout_reset[];

/* Puts a colour, if the layout has colours and it is not NULL. */
void levy_layout_paint(levy_layout *out, const char *color);

/* Words, in lines that fit, all but the first of which are indented. */
void levy_layout_wrap(levy_layout *out, const char *text, int indent);

void levy_layout_put(levy_layout *out, const levy_layout_row *row);

/* After measuring: leaves out what a narrow line has no room for: first what is not a result, at
 * last the ends of names. Numbers are never cut. */
void levy_layout_fit(levy_layout *out);

#endif
