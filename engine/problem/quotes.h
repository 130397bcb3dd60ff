/* quotes.h: the files as read, before anything is resolved, and the market numbers that can be set
 * in them. Setting one changes the collected tables, so that resolving them again gives the same as
 * a file with that number. */
#ifndef LEVY_PROBLEM_QUOTES_H
#define LEVY_PROBLEM_QUOTES_H

#include "engine/problem/collect.h"

/* Where a quote stands: one number, or the values of a term structure that move together. */
typedef struct levy_quote_place {
    double *value; /* NULL: a term structure */
    levy_time_value *nodes;
    double *read; /* [n_nodes] as read */
    /* [n_nodes] years, if the values are discount factors; NULL: they are rates or volatilities */
    double *discount_times;
    size_t n_nodes;
    double start; /* the quote's value as read */
    bool *moved;  /* is told whether the value is another; NULL: nobody asks */
} levy_quote_place;

struct levy_overrides {
    levy_arena arena;
    levy_override *items;
    size_t n;
};

struct levy_quotes {
    levy_arena arena;
    levy_check build; /* of the reading: the valuation date and what was broken */
    levy_collection collection;
    levy_fault_list faults; /* of the reading */
    const char *first_name; /* of the first input, NULL: none */
    levy_overrides *overrides;
    levy_names names; /* of the quotes */
    levy_quote *quotes;
    levy_quote_place *places;
};

/* Continues a hash with the quotes that differ from what was read, and with the settings. */
uint64_t levy_quotes_hash(const levy_quotes *quotes, uint64_t hash);
uint64_t levy_overrides_hash(const levy_overrides *overrides, uint64_t hash);

#endif
