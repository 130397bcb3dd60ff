/* csv_columns.h: the first row of a file of trades, or of quotes: each cell is the path of a key in
 * the tables of one. Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_CSV_COLUMNS_H
#define LEVY_SCHEMA_CSV_COLUMNS_H

#include "engine/document/csv.h"
#include "engine/schema/schema.h"

enum { LEVY_COLUMN_DEPTH = 8 };

typedef struct levy_column {
    const char *keys[LEVY_COLUMN_DEPTH]; /* "payoff", "strike" */
    size_t n_keys;
    const char *path;
    const levy_field *field; /* NULL: refused, or without a name, and then without values */
    bool is_list;            /* one item is a list of one */
} levy_column;

typedef struct levy_columns {
    levy_column items[LEVY_CSV_COLUMNS];
    size_t n;
    const levy_table *table;      /* of what a row is */
    const char *hint;             /* where a column is none; NULL: that of trades */
    const levy_more_kinds *kinds; /* that files define; NULL: none */
} levy_columns;

/* Reads the row that the reader stands at. Faults are added; LEVY_MEMORY and LEVY_INPUT end the
 * file. */
levy_status levy_columns_read(levy_columns *columns, levy_csv *csv);

#endif
