/* report.h: finished results as text. The writers do no arithmetic on results: a number is printed
 * with every bit (JSON, CSV) or rounded to its error (table). A value that does not exist (NaN) is
 * null, an empty cell, or a dash. Text leaves through a small buffer. Must not know: how a result
 * was computed. */
#ifndef LEVY_REPORT_REPORT_H
#define LEVY_REPORT_REPORT_H

#include "engine/base/memory.h"
#include "engine/base/text_out.h"
#include "engine/levy.h"

#include <stdbool.h>

/* A text that the book was read from, as far as the book keeps texts. */
typedef struct levy_report_input {
    const char *name;
    uint64_t hash, bytes; /* XXH3, 64 bits, of the text */
} levy_report_input;

/* What the book says of a trade, as far as the book keeps texts. */
typedef struct levy_report_terms {
    const char *expiry;  /* a date; NULL: it is given in years, or not known */
    const char *text;    /* what else is written: "call; barrier: up, out, level 500" */
    double strike, size; /* NaN: none; size: signed quantity or notional */
    bool percent;        /* the strike is a share of the level at the start */
    bool notional;       /* the size is one */
} levy_report_terms;

/* A table of what the run took from the market, row by row. */
typedef struct levy_report_fact {
    const char *text; /* NULL: it is a number, as used; NaN: there is none */
    double number;
    bool percent;
} levy_report_fact;
typedef struct levy_report_facts {
    const char *title;
    size_t n_columns, n_rows;
    const char *const *heads;
    levy_report_fact *items; /* [row][column] */
} levy_report_facts;

/* What a page says of the origin of its numbers. NULL and 0: it is not known. */
typedef struct levy_report_origin {
    const char *valuation;          /* the date; NULL: times are years from today */
    const levy_report_terms *terms; /* of each trade */
    const levy_report_facts *market;
    size_t n_market;
} levy_report_origin;

typedef struct levy_report {
    const levy_run_info *run;
    const levy_trade_result *trades;
    size_t n_trades;
    const levy_netted *netted; /* by currency, then by key */
    size_t n_netted;
    const levy_grid_point *points; /* of grids of scenarios */
    size_t n_points;
    const levy_report_input *inputs;
    size_t n_inputs;
    levy_report_origin origin;
    const levy_part_info *parts; /* who priced merged parts, where it is not the same for all */
    size_t n_parts;
    const levy_memory *memory; /* of columns; NULL: malloc */
} levy_report;

/* How many trades there are; legs are parts of trades. */
static inline size_t levy_report_size(const levy_report *report)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_trades; ++i) n += !report->trades[i].leg_of;
    return n;
}

/* What is asked of the form. Zero: nothing. */
typedef struct levy_report_form {
    /* CSV, NPY: names with commas between, or "all"; NULL: a few, then the measures in wide form */
    const char *columns;
    const char *command, *made; /* page: who made it, and when; NULL: it does not say */
    bool wide;                  /* without columns: all, in wide form */
    bool sums;                  /* rows are sums, not trades */
    bool color;
    size_t width;        /* table: of the terminal; 0: no limit */
    size_t first, count; /* JSON lines: of trades; count 0: all from there on, and the rest */
} levy_report_form;

void levy_report_write_table(const levy_report *report, const levy_report_form *form,
                             levy_text_out *out);
void levy_report_write_json(const levy_report *report, levy_text_out *out);
void levy_report_write_jsonl(const levy_report *report, const levy_report_form *form,
                             levy_text_out *out);
/* LEVY_STATUS_OK, LEVY_STATUS_ARGUMENT for a column that there is not, or LEVY_STATUS_MEMORY. */
int levy_report_write_csv(const levy_report *report, const levy_report_form *form,
                          levy_text_out *out);
int levy_report_write_npy(const levy_report *report, const levy_report_form *form,
                          levy_text_out *out);
/* The JSON Schema of the reports, or of a line of them. */
void levy_report_write_schema(bool lines, levy_text_out *out);
/* What a word of results means: a record, members of records, or one that is said of members, such
 * as "R3". also: below what the word means elsewhere, members alone. False: nothing, and nothing is
 * written. */
bool levy_report_describe(const char *word, bool also, levy_text_out *out);

/* The same for studies: of several trades or measures one after the other, in one CSV, side by side
 * in one plot. */
typedef struct levy_converge_report {
    const levy_convergence *studies;
    size_t n;
} levy_converge_report;

void levy_converge_write_table(const levy_converge_report *report, levy_text_out *out);
void levy_converge_write_json(const levy_converge_report *report, levy_text_out *out);
void levy_converge_write_csv(const levy_converge_report *report, levy_text_out *out);
void levy_coverage_write_table(const levy_coverage_table *table, levy_text_out *out);
void levy_coverage_write_json(const levy_coverage_table *table, levy_text_out *out);
void levy_coverage_write_csv(const levy_coverage_table *table, levy_text_out *out);
void levy_profile_write_table(const levy_profile_table *table, levy_text_out *out);
void levy_profile_write_json(const levy_profile_table *table, levy_text_out *out);
void levy_profile_write_csv(const levy_profile_table *table, levy_text_out *out);

/* shows every bit; null for a NaN */
void levy_text_put_json_number(levy_text_out *out, double value);
/* `before`, then the numbers in brackets */
void levy_text_put_json_list(levy_text_out *out, const char *before, const double *values,
                             size_t n);
/* quoted if necessary */
void levy_text_put_csv(levy_text_out *out, const char *text);
/* A cell of report_fields.h; without a value null, and in CSV nothing. */
struct levy_report_cell;
void levy_report_put_json(levy_text_out *out, const struct levy_report_cell *cell);
void levy_report_put_csv(levy_text_out *out, const struct levy_report_cell *cell);
/* The members of a struct in JSON, `before` in front of the first. */
struct levy_report_field;
void levy_report_put_members(levy_text_out *out, const char *before,
                             const struct levy_report_field *fields, const void *of);
/* The columns of a CSV head, each from the first of the records that has a member of its name. */
typedef struct levy_report_record {
    const struct levy_report_field *fields;
    const void *of;
} levy_report_record;
void levy_report_put_row(levy_text_out *out, const char *head, const levy_report_record *records);
/* escaped, for text and for attributes */
void levy_text_put_xml(levy_text_out *out, const char *text);
/* "1.23e-04" with `digits` digits (1 to 17), in any locale; "-" if there is no number. Returns the
 * length. */
enum { LEVY_SCIENTIFIC_SIZE = 32 };
size_t levy_scientific_write(double value, int digits, char buffer[LEVY_SCIENTIFIC_SIZE]);
/* A number for eyes: `digits` significant digits, a true minus sign, "1.2e-7" if it is far from 1.
 * "-": none. */
enum { LEVY_SHOWN_SIZE = 200 };
const char *levy_number_shown(double value, int digits, char text[LEVY_SHOWN_SIZE]);

#endif
