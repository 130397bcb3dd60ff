/* csv.h: rows of comma-separated values with the place of each (RFC 4180: quotes, doubled quotes
 * and lines within them; lines may end with CR LF, LF or CR, and a byte order mark is skipped).
 * Must not know: what a column means. */
#ifndef LEVY_DOCUMENT_CSV_H
#define LEVY_DOCUMENT_CSV_H

#include "engine/document/document.h"

typedef struct levy_csv_cell {
    levy_place place; /* columns count characters, as in YAML */
    const char *text; /* in the arena, without blanks at its ends; ends with a NUL */
    uint32_t length;
    bool quoted;
} levy_csv_cell;

enum { LEVY_CSV_COLUMNS = 512 };

typedef struct levy_csv {
    const char *at, *end;
    levy_place place; /* of `at` */
    levy_arena *arena;
    levy_fault_list *faults;
    levy_csv_cell cells[LEVY_CSV_COLUMNS]; /* of the last row */
    size_t n;
} levy_csv;

/* `file` must outlive the arena. */
void levy_csv_begin(levy_csv *csv, const char *file, uint32_t file_order, const char *text,
                    size_t length, levy_arena *arena, levy_fault_list *faults);

/* Reads the next row that is not empty into `cells`; n is 0 at the end. LEVY_INPUT: a fault was
 * added, and the rest cannot be read. */
levy_status levy_csv_next(levy_csv *csv);

#endif
