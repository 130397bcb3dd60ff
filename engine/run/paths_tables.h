/* paths_tables.h: paths from a generator, as backends read them: its normals, the bridge that they
 * go through, and what is done to a path before it is stored. Must not know: backends. */
#ifndef LEVY_RUN_PATHS_TABLES_H
#define LEVY_RUN_PATHS_TABLES_H

#include "kernels/bridge/tables.h"
#include "kernels/points/normals_tables.h"

typedef struct levy_paths_tables {
    const levy_bridge_tables *bridge;
    /* LEVY_NORMALS_NORMAL of the bridge's precision; dimension n_dimensions * i + d is the bridge's
       normal (i, d) */
    const levy_normals_tables *normals;
    const void *drift;   /* [n_steps * n_dimensions] of the bridge's precision, added; NULL: none */
    int32_t exponential; /* 1: the exponential is stored */
} levy_paths_tables;

#endif
