/* page.h: the parts of the page of a run (page.c): what is always the same (page_style.c), cells
 * (page_cells.c), values and trades (page_trades.c), measures as matrices (page_panels.c,
 * page_matrix.c), and what the run took from the book (page_origin.c). */
#ifndef LEVY_RENDER_PAGE_H
#define LEVY_RENDER_PAGE_H

#include "engine/render/plot.h"
#include "engine/report/report.h"

#include <string.h>

typedef struct levy_page {
    levy_text_out *out;
    const levy_report *report;
    const levy_report_form *form;
    levy_arena arena;
    const char *currency; /* of all trades; NULL: they have several */
    bool failed;          /* no memory */
} levy_page;

/* A style element: light, dark and A4, which lies `across` or stands. */
void levy_page_style(levy_page *page, bool across);
void levy_page_script(levy_page *page); /* a script element: tables that sort */

/* ---- Cells ---- */

/* Escapes `text`, not what stands around it. NULL: nothing. */
void levy_page_text(levy_page *page, const char *before, const char *text, const char *after);
/* The parts of a text that has `at` between them, with another text there: "worst of" of
 * "worst_of". */
void levy_page_parts(levy_page *page, const char *text, char at, const char *between);
/* A text that was made in the page's memory; "": there was none left, and the page has failed. */
const char *levy_page_kept(levy_page *page, const char *text);
void levy_page_name(levy_page *page,
                    const char *name); /* of a trade or a column: broken if it is long */
void levy_page_cell(levy_page *page, const char *text);
/* A cell with every bit of the value for the sort, and as `shown`; it stays open for a mark. */
void levy_page_open_number(levy_page *page, const char *class, double value, const char *shown);
void levy_page_number(levy_page *page, double value, const char *shown);
/* What is to be said of a value: the number of a note below its table, or 0, and whether it is a
 * doubt. */
typedef struct levy_page_mark {
    size_t note;
    bool flag;
} levy_page_mark;
/* Two cells: a value, rounded to its error but to no more than eight digits, and the error. */
void levy_page_estimate(levy_page *page, double value, double error, levy_page_mark mark);
/* As it is, or to six digits where that is long. */
const char *levy_page_exact(double value, char text[PLOT_LABEL]);
/* A cell: "low ... high", or how an interval was made that has no ends. */
void levy_page_interval(levy_page *page, const double ends[2], double error, const char *made);
/* A cell of a table's head, with what stands below its name; `cells`: that it is over. */
void levy_page_head(levy_page *page, const char *name, const char *below, size_t cells,
                    bool number);
/* "95 % interval", of the first priced trade. */
const char *levy_page_interval_head(const levy_page *page, char text[PLOT_LABEL]);

/* ---- Marks of a table, which are explained below it ---- */

typedef struct levy_page_notes {
    const char **texts;
    size_t n, room;
} levy_page_notes;
levy_page_mark levy_page_note(levy_page *page, levy_page_notes *notes, const char *text, bool flag);
void levy_page_put_notes(levy_page *page, const levy_page_notes *notes);

/* ---- Sections ---- */

bool levy_page_is_priced(const levy_trade_result *trade);
void levy_page_unpriced(levy_page *page); /* trades without a price */
/* "EUR"; "all in EUR" of the trades of all currencies. */
const char *levy_page_sum_currency(levy_page *page, const levy_netted *sum);
void levy_page_values(levy_page *page); /* sums of prices by currency and by key */
void levy_page_trades(levy_page *page);
void levy_page_market(levy_page *page);
void levy_page_inputs(levy_page *page);

/* ---- Measures ---- */

/* Lines with measures: trades, then sums. A panel is a matrix of some of them: of sensitivities the
 * columns are measures, else they are factors, nodes, dates or scenarios. */
typedef struct levy_page_span {
    const char *text;
    size_t length;
} levy_page_span;
static inline levy_page_span levy_page_span_of(const char *text)
{
    return (levy_page_span){text, strlen(text)};
}
static inline bool levy_page_is_same(levy_page_span a, levy_page_span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}
typedef struct levy_page_place {
    uint32_t panel, column; /* UINT32_MAX: no panel has it */
    levy_page_span row;     /* what the row is about: an asset, a curve, a grid's other axes */
} levy_page_place;
typedef struct levy_page_line {
    const char *name, *currency, *key; /* key: of a sum; NULL: of a trade or a currency */
    const levy_measure *measures;
    size_t n;
    levy_page_place *places; /* [measure] */
    bool sum, leg;
} levy_page_line;
typedef struct levy_page_panel {
    const char *measure; /* NULL: sensitivities */
    bool pairs;          /* those of two assets, which have a matrix of their own */
    const levy_grid_point *grid;
    levy_page_span *columns;
    size_t n, room, near;
} levy_page_panel;
typedef struct levy_page_panels {
    levy_page_line *lines;
    size_t n_lines;
    levy_page_panel *panels;
    size_t n, room;
    const levy_grid_point *point; /* the one after the last that was asked for */
} levy_page_panels;

void levy_page_sort_measures(levy_page *page, levy_page_panels *panels);
void levy_page_measures(levy_page *page, const levy_page_panels *panels);

#endif
