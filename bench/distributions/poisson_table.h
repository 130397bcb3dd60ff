/* poisson_table.h: Poisson counts of one mean by a table of 2,048 cells. The counts are the same,
 * word for word, as those of poisson_inverse, at the cost of a shift, a load, a comparison and an
 * addition. A cell holds the count of its first word and the place in it where the next count
 * begins. Cells with more than one such place, in the tails, continue in the list of first words.
 * Must not know: who draws. */
#ifndef LEVY_DISCRETE_POISSON_TABLE_H
#define LEVY_DISCRETE_POISSON_TABLE_H

#include "kernels/lane/target.h"

#include <stdbool.h>
#include <stdint.h>

#define POISSON_TABLE_MOST 300.0 /* the largest mean: counts stay below 512 */
enum { POISSON_TABLE_CELLS = 2048, POISSON_TABLE_SHIFT = 21, POISSON_TABLE_COUNTS = 512 };

/* A cell is: place of the next count (0 to 2^21) << 10 | more than one << 9 | count. first[k] is
 * the first word of count k + 1. Past the last count it is 2^32 - 1, which could be a first word
 * too, so `last` bounds the search. */
typedef struct levy_poisson_table {
    uint32_t cells[POISSON_TABLE_CELLS], first[POISSON_TABLE_COUNTS];
    uint32_t last; /* the count of the last word */
} levy_poisson_table;

#if LANE_GPU
extern "C"
#endif
    /* false: the mean is out of [0, POISSON_TABLE_MOST] */
    bool
    levy_poisson_table_fill(levy_poisson_table *table, double mean);

#if LANE_GPU
#define POISSON_TABLE_FN static __host__ __device__ __forceinline__
#else
#define POISSON_TABLE_FN static inline
#endif
POISSON_TABLE_FN uint32_t poisson_table_count(const uint32_t *cells, const uint32_t *first,
                                              uint32_t last, uint32_t word)
{
    const uint32_t cell = cells[word >> POISSON_TABLE_SHIFT];
    uint32_t count = cell & 511u;
    if ((word & ((1u << POISSON_TABLE_SHIFT) - 1)) >= cell >> 10) {
        ++count;
        if (cell & 512u)
            while (count < last && word >= first[count]) ++count;
    }
    return count;
}

#endif
