/* column_names.h: the names of columns, and what each reads. Must not know: results. */
#ifndef LEVY_REPORT_COLUMN_NAMES_H
#define LEVY_REPORT_COLUMN_NAMES_H

#include "engine/report/columns.h"

/* The columns that all results have; NULL ends them. */
extern const char *const levy_column_names[];
/* In place of a list: all columns. */
extern const char levy_column_all[];

/* In which form a column is. */
typedef enum levy_column_form {
    LEVY_COLUMN_UNKNOWN,
    LEVY_COLUMN_EITHER,
    LEVY_COLUMN_LONG,
    LEVY_COLUMN_WIDE
} levy_column_form;

/* Fills `column`. `name` outlives it; other texts live in the arena, and without one are left out.
 * Wide without a factor: all columns of the measure `text`. */
levy_column_form levy_column_find(const char *name, levy_arena *arena, levy_report_column *column);

/* Whether rows of sums, or of trades, can have it. */
bool levy_column_is_of(const levy_report_column *column, bool sums);

/* The length of the first name of a list. A comma between brackets belongs to a name. */
size_t levy_column_next(const char *names);

#endif
