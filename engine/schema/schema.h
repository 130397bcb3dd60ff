/* schema.h: reads a node into a C struct by its table (engine/base/field.h), and prints the same
 * tables as JSON Schema (draft-07) and as text. All faults are collected: reading goes on to find
 * the next one. Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_H
#define LEVY_SCHEMA_H

#include "engine/base/error.h"
#include "engine/base/field.h"
#include "engine/base/text_out.h"
#include "engine/document/document.h"

typedef struct levy_reader {
    /* structs and lists are allocated here; texts stay the document's, which must live as long */
    levy_arena *arena;
    levy_fault_list *faults;
    int64_t trade;                /* stamped on every fault: index in the book, or -1 */
    bool is_dated;                /* times of the file are dates: for hints alone */
    levy_date valuation;          /* the date, if it is known by then; else INT32_MIN */
    const levy_more_kinds *kinds; /* that files define; NULL: none */
} levy_reader;

/* Fills `object` (table->size bytes, zeroed by the caller or fresh from an arena) and applies
 * defaults. `path` is the YAML path of `node` ("trades[0]"), used in messages. If `node` is NULL
 * (an absent optional object), only defaults are applied. Returns true if no error was added. Even
 * if not, nothing is left uninitialised: field.h says what stands for an absent or refused value.
 * If there is no memory, faults->out_of_memory is set. */
bool levy_read_object(const levy_reader *reader, const levy_table *table, const levy_node *node,
                      const char *path, void *object);

/* Scalars on their own (for --set and hand-written readers). A fault is added if they do not
 * fit. */
bool levy_read_number(const levy_reader *reader, const levy_node *node, const char *path,
                      double *value);
bool levy_read_time(const levy_reader *reader, const levy_node *node, const char *path,
                    levy_time *value);

/* The catalog (catalog.h): the table of a whole file, from which all others are reached. */
extern const levy_table levy_book_table;
/* "trade", "payoff.asian", "simulation"; NULL: none */
const levy_table *levy_catalog_find(const char *topic);
/* Whether a kind is one that others price and levy does not yet. */
bool levy_catalog_is_unpriced(const char *kind);
/* How a contract is written that is no kind by itself, or why it is not; NULL: nothing is known. */
const char *levy_catalog_way(const char *word);
/* The style of exercise before expiry that a word names; NULL: none. */
const char *levy_catalog_early(const char *word);
/* Pieces of examples in years, and where times are dates; the last ones are NULL. */
extern const char *const levy_catalog_times[][2];
/* The years that a trade's map gives as its expiry, under whatever word; 0: none. */
double levy_catalog_years(const levy_node *trade);
/* NULL-terminated, for help and near misses */
const char *const *levy_catalog_topics(void);

/* The measures (measures.def), by the number of their bits; name NULL ends them. */
typedef struct levy_measure_words {
    const char *name, *factor, *unit, *doc;
} levy_measure_words;
extern const levy_measure_words levy_measures[];

/* `kinds` of the following: those that files define, which count as levy's own do; NULL: none. */

/* levy schema: of a file by its table, such as levy_book_table */
void levy_schema_write_json(const levy_table *file, const levy_more_kinds *kinds,
                            levy_text_out *text);
/* levy new KIND: a file to start from; NULL: the kinds. LEVY_ARGUMENT: there is no such kind. */
levy_status levy_schema_template(const char *kind, const levy_more_kinds *kinds,
                                 levy_text_out *out);
/* levy describe TOPIC; NULL: the list */
levy_status levy_schema_describe(const char *topic, const levy_more_kinds *kinds,
                                 levy_text_out *out);

#endif
