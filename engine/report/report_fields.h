/* report_fields.h: what a report says of trades, measures, sums and the run, once: JSON, JSON
 * lines, CSV, arrays and the schema of the output are made from these tables. Must not know:
 * formats. */
#ifndef LEVY_REPORT_REPORT_FIELDS_H
#define LEVY_REPORT_REPORT_FIELDS_H

#include "engine/levy.h"

#include <stdbool.h>

typedef enum levy_field_kind {
    LEVY_FIELD_IS_TEXT,
    LEVY_FIELD_IS_NUMBER,  /* NaN: there is none */
    LEVY_FIELD_IS_COUNT,   /* uint64_t */
    LEVY_FIELD_IS_COUNT32, /* uint32_t */
    LEVY_FIELD_IS_HASH,    /* uint64_t, as a text of 16 hex digits: many readers hold numbers as
                            * doubles */
    LEVY_FIELD_IS_FLAG,    /* int, true or false */
    LEVY_FIELD_IS_ANSWER   /* int: 1 true, -1 false, 0 none */
} levy_field_kind;

typedef struct levy_report_field {
    const char *name; /* NULL ends a table */
    levy_field_kind kind;
    size_t offset;    /* of the member */
    bool always;      /* a text that is never NULL */
    bool asked;       /* of a trade: is there only if a tolerance was asked for */
    const char *unit; /* "": none */
    const char *doc;
} levy_report_field;
/* clang-format off */
/* A member of the struct `of`, by its own name and of the kind of its C type. */
#define LEVY_REPORT_MEMBER(of, member)                                                             \
    {.name = #member, .offset = offsetof(of, member),                                              \
     .kind = _Generic(((of *)0)->member, const char *: LEVY_FIELD_IS_TEXT,                         \
                      double: LEVY_FIELD_IS_NUMBER, uint64_t: LEVY_FIELD_IS_COUNT,                 \
                      uint32_t: LEVY_FIELD_IS_COUNT32, int: LEVY_FIELD_IS_FLAG)}
/* clang-format on */

extern const levy_report_field levy_trade_fields[], levy_measure_fields[], levy_netted_fields[],
    levy_run_fields[], levy_part_fields[], levy_grid_point_fields[], levy_grid_axis_fields[];

/* A member's value, whatever its kind. */
typedef struct levy_report_cell {
    levy_field_kind kind;
    bool none;        /* there is no value */
    const char *text; /* text; else the member of the kind */
    double number;
    uint64_t count;
    bool flag;
} levy_report_cell;

levy_report_cell levy_report_read(const levy_report_field *field, const void *of);
/* NULL: there is none of that name */
const levy_report_field *levy_report_find(const levy_report_field *fields, const char *name);

#endif
