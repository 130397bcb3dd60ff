/* links.h: a construction for a CPU, which keeps the drivers of all nodes: the two neighbours
 * between which an entry is built, and the node up to which all nodes exist after it. C11 and CUDA.
 * Must not know: how entries are built. */
#ifndef LEVY_PATH_LINKS_H
#define LEVY_PATH_LINKS_H

#include "kernels/lane/lane.h"

/* Nodes count from 1, in time order; 0 is the start. */
typedef struct path_link {
    uint32_t left, right, node, ready;
} path_link;

#endif
