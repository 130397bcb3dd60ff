/* columns.h: results as a table of cells, which CSV and arrays write. The rows of a table are
 * trades or sums, never both, so that whoever adds up a column counts nothing twice. In wide form
 * each measure and factor has a column for its value and one for its error; in long form a row is
 * one measure. Must not know: formats. */
#ifndef LEVY_REPORT_COLUMNS_H
#define LEVY_REPORT_COLUMNS_H

#include "engine/base/memory.h"
#include "engine/report/report_fields.h"
#include "engine/report/report.h"

typedef enum levy_column_source {
    LEVY_COLUMN_FIELD,
    LEVY_COLUMN_TAG,      /* `text` is its name */
    LEVY_COLUMN_SCENARIO, /* the scenario of the row's measure */
    LEVY_COLUMN_AXIS,     /* how far that shifts `factor` */
    LEVY_COLUMN_VALUE,    /* wide: of measure `text` and `factor` */
    LEVY_COLUMN_ERROR,
    LEVY_COLUMN_LOW, /* the ends of its interval */
    LEVY_COLUMN_HIGH,
    LEVY_COLUMN_NOTE
} levy_column_source;

typedef struct levy_report_column {
    levy_column_source source;
    const char *name;
    const levy_report_field *trade, *netted,
        *measure; /* where a row of that kind has it, or NULL */
    const char *text, *factor;
    bool relative;
    levy_field_kind kind;
} levy_report_column;

typedef struct levy_report_row {
    const levy_trade_result *trade; /* or */
    const levy_netted *netted;
    const levy_measure *measure;   /* long: of the row */
    const levy_grid_point *point;  /* where that measure is one of a grid's */
    size_t at, measure_at, cursor; /* where the walk is */
    size_t near;                   /* wide: where the last measure was found */
} levy_report_row;

typedef struct levy_report_columns {
    levy_arena arena;
    const levy_report *report;
    bool wide, sums;
    bool legs; /* those of trades have rows: a column tells them from trades */
    levy_report_column *items;
    size_t n, room;
} levy_report_columns;

/* A name of form->columns is that of a column, or of a measure: then it is all the wide columns of
 * that measure. LEVY_STATUS_ARGUMENT: levy_report_columns_object says why. Release it in any case.
 */
int levy_report_columns_choose(const levy_report *report, const levy_report_form *form,
                               levy_report_columns *columns);
void levy_report_columns_release(levy_report_columns *columns);

/* What is wrong with the names of a form, as a text of `size` bytes; false: nothing. Whether there
 * are such factors or tags, only results know: what they do not have is an empty column. */
bool levy_report_columns_object(const levy_report_form *form, char *why, size_t size);

/* Moves to the next row; a row of zeros is before the first. False: there is none. */
bool levy_report_next(const levy_report_columns *columns, levy_report_row *row);
levy_report_cell levy_report_cell_of(const levy_report_column *column, levy_report_row *row);

#endif
