/* nodes.h: the times at which a function of time has its numbers. */
#ifndef LEVY_MARKET_NODES_H
#define LEVY_MARKET_NODES_H

#include <stddef.h>

typedef struct levy_nodes {
    size_t n;
    const double *times; /* ascending */
} levy_nodes;

#endif
