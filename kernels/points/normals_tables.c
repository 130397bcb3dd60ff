/* normals_tables.c: see normals_tables.h. The words are those that `levy price` draws: the same
 * keys, scrambles and streams, of the purpose "price". */
#include "kernels/points/normals_tables.h"

#include "engine/levy.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#include <string.h>

static levy_status normals_columns(const levy_memory *memory, const levy_normals_settings *settings,
                                   levy_normals_tables *t)
{
    const uint32_t n = t->first + t->count;
    const int32_t scrambling = settings->net ? settings->scrambling
                               : settings->generator == LEVY_NORMALS_SOBOL_SCRAMBLED
                                   ? LEVY_SCRAMBLING_MATRIX
                                   : LEVY_SCRAMBLING_NONE;
    const uint64_t key = levy_points_key(settings->seed, settings->replicate, LEVY_PURPOSE_PRICE);
    uint32_t *const numbers = levy_memory_allocate(memory, (size_t)n * 32, sizeof *numbers);
    uint32_t *const columns =
        levy_memory_allocate(memory, (size_t)t->count * LEVY_NORMALS_COLUMN, sizeof *columns);
    t->columns = columns;
    levy_status status = numbers && columns ? LEVY_OK : LEVY_MEMORY;
    if (status == LEVY_OK && !levy_net_directions(settings->net, n, numbers))
        status = LEVY_INTERNAL;
    for (uint32_t d = 0; status == LEVY_OK && d < t->count; ++d) {
        uint32_t *const column = columns + (size_t)d * LEVY_NORMALS_COLUMN;
        memcpy(column, numbers + 32 * (size_t)(t->first + d), 32 * sizeof *column);
        levy_sobol_randomise(scrambling, key, t->first + d, column, &column[32]);
    }
    levy_memory_release(memory, numbers);
    return status;
}

static levy_status normals_streams(const levy_memory *memory, const levy_normals_settings *settings,
                                   levy_normals_tables *t)
{
    uint32_t one[LEVY_MRG_JUMP], ahead[LEVY_MRG_JUMP];
    uint32_t *const jumps =
        levy_memory_allocate(memory, (size_t)LEVY_NORMALS_POWERS * LEVY_MRG_JUMP, sizeof *jumps);
    if (!jumps) return LEVY_MEMORY;
    t->jumps = jumps;
    levy_mrg_start(settings->seed, settings->replicate, LEVY_PURPOSE_PRICE, t->start);
    levy_mrg_one_draw(one);
    levy_mrg_repeat(one, t->first, ahead);
    levy_mrg_jump(ahead, t->start);
    levy_mrg_repeat(one, t->n_dimensions, jumps);
    for (size_t i = 1; i < LEVY_NORMALS_POWERS; ++i)
        levy_mrg_repeat(jumps + LEVY_MRG_JUMP * (i - 1), 2, jumps + LEVY_MRG_JUMP * i);
    return LEVY_OK;
}

levy_status levy_normals_tables_create(const levy_memory *memory,
                                       const levy_normals_settings *settings,
                                       levy_normals_tables *tables)
{
    levy_status status = LEVY_OK;
    tables->columns = NULL;
    tables->jumps = NULL;
    tables->most_points = (uint64_t)1 << LEVY_NORMALS_POWERS;
    if (settings->generator == LEVY_NORMALS_PHILOX) {
        tables->generator = POINTS_PHILOX;
        tables->key = levy_points_key(settings->seed, settings->replicate, LEVY_PURPOSE_PRICE);
    } else if (settings->generator == LEVY_NORMALS_CURAND_MRG32K3A) {
        tables->generator = POINTS_GIVEN_WORDS; /* whose sequence is counted in 64 bits */
        while (tables->most_points > ((uint64_t)1 << 63) / tables->n_dimensions)
            tables->most_points /= 2;
    } else if (settings->generator >= LEVY_NORMALS_CURAND_SOBOL) {
        tables->generator = POINTS_GIVEN_WORDS;
        tables->most_points = (uint64_t)1 << 32;
    } else if (settings->generator == LEVY_NORMALS_MRG32K3A) {
        tables->generator = POINTS_MRG;
        status = normals_streams(memory, settings, tables);
    } else {
        tables->generator = POINTS_SOBOL;
        tables->most_points = (uint64_t)1 << levy_net_log_points(settings->net);
        status = normals_columns(memory, settings, tables);
    }
    if (status != LEVY_OK) levy_normals_tables_release(memory, tables);
    return status;
}

void levy_normals_tables_release(const levy_memory *memory, levy_normals_tables *tables)
{
    levy_memory_release(memory, (void *)(uintptr_t)tables->columns);
    levy_memory_release(memory, (void *)(uintptr_t)tables->jumps);
    tables->columns = NULL;
    tables->jumps = NULL;
}
