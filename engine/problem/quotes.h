/* quotes.h: keeps the files as read, before anything is resolved, and the market numbers that can
 * be set in them. Setting a number changes the collected tables: resolving them again gives what a
 * file with that number would. */
#ifndef LEVY_PROBLEM_QUOTES_H
#define LEVY_PROBLEM_QUOTES_H

#include "engine/market/factor.h"
#include "engine/problem/collect.h"

/* A term structure, whose numbers are set one by one and moved together. */
typedef struct levy_quote_term {
    size_t n;
    size_t each;             /* of one owner; those of others, at the same times, are set along */
    levy_time_value **nodes; /* [n]: in the tables */
    double *read, *base;     /* as read; as set one by one */
    double *years;           /* of discount factors; NULL: they are none */
    levy_together together;
    bool low_open;
    double move;      /* of all */
    double low, high; /* of one */
} levy_quote_term;

/* Where a quote stands. */
typedef struct levy_quote_place {
    double *value;   /* NULL: in a term structure */
    double **others; /* [n_others]: set along, in other models */
    size_t n_others;
    levy_quote_term *term; /* NULL: it is one number */
    size_t node;           /* of the term; SIZE_MAX: all of them */
    double start;          /* the quote's value as read */
    bool *moved;           /* learns whether the value has changed; NULL: nobody asks */
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
    levy_overrides *overrides;
    levy_names names; /* of the quotes */
    levy_quote *quotes;
    levy_quote_place *places;
    size_t quote_room, place_room;
};

/* Continues a hash with the quotes that differ from what was read, and with the settings. */
uint64_t levy_quotes_hash(const levy_quotes *quotes, uint64_t hash);
uint64_t levy_overrides_hash(const levy_overrides *overrides, uint64_t hash);

#endif
