/* order.h: the order of numbers by size, as their indices. Must not know: what the numbers are. */
#ifndef LEVY_BASE_ORDER_H
#define LEVY_BASE_ORDER_H

#include "engine/base/memory.h"

/* Writes the indices of n finite keys to order [n], the smallest key first. Equal keys keep their
 * order, -0 comes before 0. n < 2^32. It takes 32 bytes of `memory` for each key while it works.
 * False: no memory. */
bool levy_order(const levy_memory *memory, const double *keys, size_t n, uint32_t *order);

/* Of two numbers, for qsort. */
int levy_order_compare(const void *a, const void *b);

/* Defines a comparison for qsort: of two items by one member, then by another. */
#define LEVY_ORDER_BY(name, type, first, second)                                                   \
    static int name(const void *a, const void *b)                                                  \
    {                                                                                              \
        const type *const x = a, *const y = b;                                                     \
        if (x->first != y->first) return x->first < y->first ? -1 : 1;                             \
        return x->second < y->second ? -1 : x->second > y->second;                                 \
    }

#endif
