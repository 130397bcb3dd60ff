/* sampler_tables.h: what a stand-alone sampler draws from: the rows of an alias table in eight
 * bytes each, their exact thresholds, and the guide of the monotone inverse. Made on the host; a
 * backend copies the data that it keeps. Must not know: backends, where random words come from. */
#ifndef LEVY_SAMPLER_TABLES_H
#define LEVY_SAMPLER_TABLES_H

#include "kernels/samplers/alias/guide.h"

/* A row of alias.h, the own item of which is the row's number. The lower 31 bits of `split` are the
 * threshold in units of 2^-32 of a share, rounded down. The upper bit is 0 if places below the
 * threshold give the own item, 1 if they give `other`. The 32 leading bits of a place decide which
 * item it gives, unless they are within one unit of the threshold (sampler_draw.h). */
typedef struct levy_sampler_row {
    uint32_t split, other;
} levy_sampler_row;

typedef struct levy_sampler_tables {
    uint64_t count;         /* of items; as many rows and thresholds */
    double share;           /* what a row holds, in the units of the thresholds */
    levy_sampler_row *rows; /* NULL: released */
    double *thresholds;
    levy_guide *guide;
} levy_sampler_tables;

/* Refuses what levy_alias_build refuses, with the same faults (LEVY_INPUT). After a failure nothing
 * is held. `memory` must stay where it is until levy_sampler_tables_release. */
levy_status levy_sampler_tables_create(const levy_memory *memory, const levy_alias_weights *weights,
                                       const levy_alias_crew *crew, levy_sampler_tables *tables,
                                       levy_alias_fault *fault);
/* Gives the memory back; what is not a pointer stays. A second time is legal. */
void levy_sampler_tables_release(const levy_memory *memory, levy_sampler_tables *tables);

/* Of rows, thresholds, cumulative probabilities and cut points. */
uint64_t levy_sampler_tables_bytes(const levy_sampler_tables *tables);

/* The row with number `own`. */
levy_sampler_row levy_sampler_row_of(levy_alias_row row, uint32_t own, double share);

#endif
