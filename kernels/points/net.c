/* net.c: see net.h. */
#include "kernels/points/net.h"

#include "engine/base/hash.h"
#include "kernels/points/sobol_tables.h"

#include <string.h>

void levy_net_seal(levy_net *net)
{
    const uint32_t sizes[2] = {net->n_dimensions, net->n_columns};
    net->hash =
        XXH3_64bits_withSeed(net->numbers, (size_t)net->n_dimensions * 32 * sizeof *net->numbers,
                             XXH3_64bits(sizes, sizeof sizes));
}

levy_status levy_net_of_columns(levy_arena *arena, const uint32_t *columns, uint32_t n_dimensions,
                                uint32_t n_columns, levy_net *net)
{
    uint32_t *const numbers =
        levy_arena_allocate(arena, (size_t)n_dimensions * 32, sizeof *numbers);
    if (!numbers) return LEVY_MEMORY;
    for (size_t d = 0; d < n_dimensions; ++d)
        memcpy(numbers + 32 * d, columns + n_columns * d, n_columns * sizeof *numbers);
    *net = (levy_net){.n_dimensions = n_dimensions, .n_columns = n_columns, .numbers = numbers};
    levy_net_seal(net);
    return LEVY_OK;
}

bool levy_net_directions(const levy_net *net, uint32_t n, uint32_t *table)
{
    if (!net) return levy_sobol_directions(n, table);
    if (n > net->n_dimensions) return false;
    memcpy(table, net->numbers, (size_t)n * 32 * sizeof *table);
    return true;
}

uint32_t levy_net_dimensions(const levy_net *net)
{
    return net ? net->n_dimensions : (uint32_t)LEVY_SOBOL_DIMENSIONS;
}

uint32_t levy_net_log_points(const levy_net *net) { return net ? net->n_columns : 32; }

/* Elimination row by row: a row of digits that the rows above it span ends the search. */
uint32_t levy_net_resolution(const uint32_t numbers[32], uint32_t m)
{
    uint32_t leading[32] = {0}; /* by the highest bit, rows that are independent so far */
    for (uint32_t q = 0; q < m; ++q) {
        uint32_t row = 0;
        for (uint32_t j = 0; j < m; ++j) row |= (numbers[j] >> (31 - q) & 1) << j;
        while (row && leading[31 - __builtin_clz(row)]) row ^= leading[31 - __builtin_clz(row)];
        if (!row) return q;
        leading[31 - __builtin_clz(row)] = row;
    }
    return m;
}
