/* tables.h: a bridge as its backends read it: the program and its numbers in the requested
 * precision, flat. Made on the host; a backend copies the data that it keeps. Must not know:
 * backends. */
#ifndef LEVY_BRIDGE_TABLES_H
#define LEVY_BRIDGE_TABLES_H

#include "kernels/bridge/bridge_program.h"

typedef struct levy_bridge_tables {
    uint32_t n_steps, n_dimensions, slots, start_slot;
    int32_t single;     /* 1: float, 0: double; of every number below and of normals and output */
    int32_t increments; /* 1: (X[i + 1] - X[i]) / (t[i + 1] - t[i]), 0: X */
    int32_t lower;      /* the factor is zero above its diagonal */
    const uint64_t *instructions;
    const void *weights; /* [3 * n_steps]; D = 1: the third is multiplied by the factor */
    const void *inverse; /* [n_steps] */
    const void *factor;  /* [D * D], row-major */
    const void *start;   /* [D] */
} levy_bridge_tables;

typedef struct levy_bridge_settings {
    uint32_t n_dimensions;
    bool single, increments;
    const double *factor, *start; /* NULL: the unit matrix; zeros */
} levy_bridge_settings;

/* The tables are one piece of `memory` at tables->instructions, which the caller releases. They do
 * not refer to the program. */
levy_status levy_bridge_tables_create(const levy_memory *memory, const levy_bridge_program *program,
                                      const levy_bridge_settings *settings,
                                      levy_bridge_tables *tables, char *why);

#endif
