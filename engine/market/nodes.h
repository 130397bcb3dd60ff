/* nodes.h: the times at which a function of time has its numbers, and their names. */
#ifndef LEVY_MARKET_NODES_H
#define LEVY_MARKET_NODES_H

#include "engine/base/date.h"
#include "engine/base/number.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct levy_nodes {
    size_t n;
    const double *times; /* ascending */
} levy_nodes;

/* What times count from: a date, or nothing where the book has years. */
typedef struct levy_origin {
    bool has_date;
    levy_date valuation;
} levy_origin;

/* A date, or years. */
void levy_node_name(levy_origin origin, double time, char name[LEVY_NUMBER_SIZE]);
/* The node of a name; SIZE_MAX: there is none. */
size_t levy_nodes_find(levy_nodes nodes, levy_origin origin, const char *name, size_t length);
/* The times of two lists in order, each once; `times` has room for both. Returns their number. */
size_t levy_nodes_join(levy_nodes a, levy_nodes b, double *times);
/* The node at a time; SIZE_MAX: there is none. */
size_t levy_nodes_at(levy_nodes nodes, double time);

#endif
