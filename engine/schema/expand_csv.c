/* expand_csv.c: see expand_csv.h. */
#include "engine/schema/expand_csv.h"

#include "engine/schema/example.h"

#include <stdio.h>
#include <string.h>

enum { EXPAND_COLUMNS = 48, EXPAND_ROWS = 8, EXPAND_PATH = 96, EXPAND_VALUE = 64 };

/* The cells of a file. */
typedef struct expand_cells {
    char paths[EXPAND_COLUMNS][EXPAND_PATH];
    char values[EXPAND_ROWS][EXPAND_COLUMNS][EXPAND_VALUE]; /* "": none */
    size_t columns, rows;
} expand_cells;

/* Of a list, [a, b], the cell is a;b. */
static void expand_set(expand_cells *cells, const char *path, const char *value, size_t length)
{
    size_t c = 0;
    while (c < cells->columns && strcmp(cells->paths[c], path) != 0) ++c;
    if (c == EXPAND_COLUMNS) return;
    if (c == cells->columns) snprintf(cells->paths[cells->columns++], EXPAND_PATH, "%s", path);
    char *const cell = cells->values[cells->rows][c];
    const size_t brackets = value[0] == '[';
    snprintf(cell, EXPAND_VALUE, "%.*s", (int)(length - 2 * brackets), value + brackets);
    for (char *comma = cell; brackets && (comma = strstr(comma, ", ")) != NULL;) {
        *comma = ';';
        memmove(comma + 1, comma + 2, strlen(comma + 2) + 1);
    }
}

/* Each value of a map under its path. */
static void expand_flatten(expand_cells *cells, const char *map, const char *base)
{
    levy_example_pair pair;
    for (const char *at = map + 1; levy_example_next(&at, &pair);) {
        char path[EXPAND_PATH];
        const int n = snprintf(path, sizeof path, "%s%s%.*s", base, *base ? "." : "",
                               (int)pair.name, pair.key);
        if (n < 0 || (size_t)n >= sizeof path) return;
        if (*pair.value == '{')
            expand_flatten(cells, pair.value, path);
        else
            expand_set(cells, path, pair.value, pair.length);
    }
}

static void expand_row(levy_text_out *out, const expand_cells *cells, size_t row)
{
    for (size_t c = 0; c < cells->columns; ++c) {
        levy_text_put(out, c ? "," : "");
        levy_text_put(out, row == cells->rows ? cells->paths[c] : cells->values[row][c]);
    }
    levy_text_put(out, "\n");
}

void levy_expand_csv(levy_text_out *out, const char *list)
{
    expand_cells cells = {.rows = 0};
    for (const char *at = list + 1; *at == '{' && cells.rows < EXPAND_ROWS; ++cells.rows) {
        expand_flatten(&cells, at, "");
        at += levy_example_length(at);
        at += strspn(at, ", ");
    }
    expand_row(out, &cells, cells.rows); /* the paths */
    for (size_t row = 0; row < cells.rows; ++row) expand_row(out, &cells, row);
}
