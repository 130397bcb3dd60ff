/* links.h: a construction as a CPU walks it, with the motions of all nodes kept: which two an entry
 * is built between, and up to which node all are built after it. C11 and CUDA. Must not know: how.
 */
#ifndef LEVY_PATH_LINKS_H
#define LEVY_PATH_LINKS_H

#include "kernels/lane/lane.h"

/* Nodes count from 1, in time order; 0 is the start. */
typedef struct path_link {
    uint32_t left, right, node, ready;
} path_link;

#endif
