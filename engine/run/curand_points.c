/* curand_points.c: see curand_points.h. */
#include "engine/run/curand_points.h"

#include "engine/run/backend.h"
#include "kernels/points/sobol_tables.h"

#include <stdio.h>
#include <string.h>

static levy_status points_reserve(levy_curand_points *p, uint64_t key, char *why)
{
    const bool scrambled = p->curand.kind == LEVY_CURAND_SCRAMBLED_SOBOL,
               stream = p->curand.kind == LEVY_CURAND_MRG32K3A && !p->curand.on_device;
    uint32_t unused[32] = {0};
    if (scrambled) p->shifts = levy_memory_allocate(&p->memory, p->n_dimensions, sizeof *p->shifts);
    if (stream)
        p->block = levy_memory_allocate(&p->memory, (size_t)p->n_dimensions * LEVY_CURAND_BLOCK,
                                        sizeof *p->block);
    if ((scrambled && !p->shifts) || (stream && !p->block))
        return snprintf(why, LEVY_REASON_SIZE, "no memory for words of cuRAND"), LEVY_MEMORY;
    for (uint32_t d = 0; scrambled && d < p->n_dimensions; ++d)
        levy_sobol_randomise(LEVY_SCRAMBLING_SHIFT, key, d, unused, &p->shifts[d]);
    return LEVY_OK;
}

levy_status levy_curand_points_open(const levy_curand_calls *calls, const levy_memory *memory,
                                    int32_t kind, uint32_t n_dimensions, uint64_t seed,
                                    uint64_t replicate, bool on_device, levy_curand_points *points,
                                    char *why)
{
    const uint64_t key = levy_points_key(seed, replicate, LEVY_PURPOSE_PRICE);
    *points =
        (levy_curand_points){.memory = *memory, .n_dimensions = n_dimensions, .held = UINT64_MAX};
    LEVY_TRY(levy_curand_open(calls, kind, n_dimensions, key, on_device, &points->curand, why));
    return points_reserve(points, key, why);
}

static levy_status points_stream(levy_curand_points *p, uint64_t first, size_t n, uint32_t *words,
                                 char *why)
{
    const size_t all = (size_t)p->n_dimensions * LEVY_CURAND_BLOCK;
    for (size_t at = 0, some; at < n; at += some) {
        const uint64_t number = (first + at) / LEVY_CURAND_BLOCK;
        const size_t from = (size_t)((first + at) % LEVY_CURAND_BLOCK),
                     left = LEVY_CURAND_BLOCK - from;
        some = n - at < left ? n - at : left;
        if (p->held != number) {
            p->held = UINT64_MAX;
            LEVY_TRY(levy_curand_words(&p->curand, number * all, all, p->block, why));
            p->held = number;
        }
        for (uint32_t d = 0; d < p->n_dimensions; ++d)
            memcpy(words + d * n + at, p->block + (size_t)d * LEVY_CURAND_BLOCK + from,
                   some * sizeof *words);
    }
    return LEVY_OK;
}

levy_status levy_curand_points_words(levy_curand_points *p, uint64_t first, size_t n,
                                     uint32_t *words, char *why)
{
    if (p->block) return points_stream(p, first, n, words, why);
    LEVY_TRY(levy_curand_words(&p->curand, first, n, words, why));
    for (uint32_t d = 0; p->shifts && d < p->n_dimensions; ++d)
        for (size_t i = 0; i < n; ++i) words[d * n + i] ^= p->shifts[d];
    return LEVY_OK;
}

void levy_curand_points_close(levy_curand_points *p)
{
    levy_curand_close(&p->curand);
    levy_memory_release(&p->memory, p->shifts);
    levy_memory_release(&p->memory, p->block);
    p->shifts = p->block = NULL;
}
