/* parameters.h: the distributions that fill arrays, by number, and the ranges of their parameters.
 * Must not know: how deviates are made. */
#ifndef LEVY_DISCRETE_PARAMETERS_H
#define LEVY_DISCRETE_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum levy_draw_law {
    LEVY_DRAW_EXPONENTIAL,      /* first: mean */
    LEVY_DRAW_NORMAL,           /* mean, deviation */
    LEVY_DRAW_GAMMA,            /* alpha, scale */
    LEVY_DRAW_POISSON,          /* mean */
    LEVY_DRAW_NONCENTRAL,       /* degrees of freedom, non-centrality, of chi-square */
    LEVY_DRAW_GAMMA_TABLE,      /* alpha, scale; this and the next two by tables of quantiles */
    LEVY_DRAW_BETA,             /* alpha, beta */
    LEVY_DRAW_INVERSE_GAUSSIAN, /* mean, shape in units of the mean */
    LEVY_DRAW_LAWS
} levy_draw_law;

/* Whether deviates are looked up in a table (deviate_table.h), which has one law: no parameter
 * comes as an array. */
bool levy_draw_is_tabulated(levy_draw_law law);

/* From `least` up to and with `most`. */
typedef struct levy_draw_range {
    const char *name; /* NULL: the law has no such parameter */
    double least, most;
    bool open; /* least itself is outside */
} levy_draw_range;

/* Of parameter `which`, 0 or 1. */
levy_draw_range levy_draw_range_of(levy_draw_law law, bool single, int which);
bool levy_draw_range_holds(const levy_draw_range *range, double x);
/* The first of `count` numbers, double or float, that lies outside; `count`: none does. Floats are
 * compared with bounds that are rounded as they are. */
size_t levy_draw_range_find(const levy_draw_range *range, bool single, const void *values,
                            size_t count);

#endif
