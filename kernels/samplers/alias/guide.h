/* guide.h: the monotone inverse of a discrete distribution: a larger u never gives a smaller item.
 * An alias table does not have this property, and quasi-random points need it. Cumulative
 * probabilities with a table of cut points (H.-C. Chen and Y. Asau, On generating random variates
 * from an empirical distribution, AIIE Trans. 6, 1974; G. S. Fishman and L. R. Moore, 1984): cell
 * floor(u cells) gives the start of a short search. Must not know: where u comes from, what items
 * mean. */
#ifndef LEVY_ALIAS_GUIDE_H
#define LEVY_ALIAS_GUIDE_H

#include "kernels/samplers/alias/alias.h"

/* Item i is drawn for cumulative[i - 1] <= u < cumulative[i]. The last is 1. Items of weight 0 are
 * never drawn. */
typedef struct levy_guide {
    const levy_memory *memory;
    uint64_t count;
    uint32_t cells; /* a power of two */
    double *cumulative;
    uint32_t *start; /* cells + 1: the item of u = cell / cells; the last: of u just below 1 */
} levy_guide;

/* cells 0: as many as items, rounded up to a power of two. Refuses what levy_alias_build refuses,
 * with the same faults. crew NULL: the caller's thread does all. A guide's bits are a function of
 * weights and cells alone. */
levy_status levy_guide_create(const levy_memory *memory, const levy_alias_weights *weights,
                              uint32_t cells, const levy_alias_crew *crew, levy_guide **guide,
                              levy_alias_fault *fault);
void levy_guide_destroy(levy_guide *guide);

/* The item of u in [0, 1): bisection between the two cut points, which are a few items apart on
 * average. */
static inline uint32_t levy_guide_draw(const levy_guide *g, double u)
{
    const uint32_t cell = (uint32_t)(u * (double)g->cells);
    uint32_t low = g->start[cell], high = g->start[cell + 1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (u < g->cumulative[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The same item by bisection over all items: the peer without a guide. */
static inline uint32_t levy_guide_search(const levy_guide *g, double u)
{
    uint64_t low = 0, high = g->count - 1;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (u < g->cumulative[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return (uint32_t)low;
}

#endif
