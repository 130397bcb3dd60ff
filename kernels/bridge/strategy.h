/* strategy.h: the bridge tree of a grid as instructions in the order of a depth-first, in-order
 * traversal. Every node is built from its two neighbours: the left one is the last node emitted,
 * the right one the top of a stack. Bisection by index: the last node first, then midpoints. Any
 * other build order gives such a tree too: the parents of a node are the nodes built before it
 * between which it lies, so the tree is the heap of the order over time. Its traversal needs a
 * stack as deep as the longest run of nodes each built left of the one before. Host only. Must not
 * know: draws, factors. J. du Toit, A high-performance Brownian bridge for GPUs (2012), sections 1
 * and 2. */
#ifndef LEVY_BRIDGE_STRATEGY_H
#define LEVY_BRIDGE_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct levy_strategy_entry {
    uint32_t node;                 /* from 1 */
    uint32_t level;                /* 0: the last node, 1: its midpoint, ... */
    double left, right, deviation; /* x = left * x_left + right * x_right + deviation * z */
} levy_strategy_entry;

typedef struct levy_strategy_run {
    uint32_t pushes, present, first_node, first_entry;
} levy_strategy_run;

typedef struct levy_strategy {
    uint32_t n_nodes, n_runs, stack; /* stack: deepest, in nodes */
    levy_strategy_entry *entries;    /* [n_nodes], build order */
    uint32_t *descents;              /* [n_nodes]: entries to build before the node is emitted */
    levy_strategy_run *runs;         /* [n_runs], of at most 8 nodes; room for n_nodes */
    bool full;                       /* every run has 8 nodes */
} levy_strategy;

/* The caller gives arrays of n_nodes; clock: [n_nodes] ascending, > 0 (the driver starts at 0).
 * `square_root` is the engine's own. */
void levy_strategy_bridge(uint32_t n_nodes, const double *clock, double (*square_root)(double),
                          levy_strategy *strategy);
/* A bridge in any order: of two nodes the one with the lower rank[node - 1] is built first; ranks
 * all differ. A node with nothing built to its right yet follows from its left neighbour alone,
 * with weights (1, 0). No runs; the caller sets levels. `work`: 3 * n_nodes. */
void levy_strategy_ordered(uint32_t n_nodes, const double *clock, const uint32_t *rank,
                           double (*square_root)(double), uint32_t *work, levy_strategy *strategy);
/* Each node is built from the one before, with weights (1, 0). No runs. */
void levy_strategy_incremental(uint32_t n_nodes, const double *clock, double (*square_root)(double),
                               levy_strategy *strategy);

#endif
