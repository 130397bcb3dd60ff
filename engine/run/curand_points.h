/* curand_points.h: points of cuRAND for one replicate of a simulation, in the order of levy's
 * generators: number (d, p) depends only on dimension d and point p. Must not know: plans,
 * backends. */
#ifndef LEVY_RUN_CURAND_POINTS_H
#define LEVY_RUN_CURAND_POINTS_H

#include "engine/run/curand.h"

/* sobol: the generator's words. scrambled Sobol: the same, plus the replicate's digital shift, as
 * cuRAND scrambles in one way only. mrg32k3a, seeded by seed and replicate: points in blocks of
 * LEVY_CURAND_BLOCK take the next words of the sequence, [dimension][point of the block]. */
enum { LEVY_CURAND_BLOCK = 4096 };

typedef struct levy_curand_points {
    levy_memory memory;
    levy_curand curand;
    uint32_t n_dimensions;
    uint32_t *shifts; /* scrambled Sobol: [n_dimensions] */
    uint32_t *block;  /* mrg32k3a, on the host: [n_dimensions][LEVY_CURAND_BLOCK] */
    uint64_t held;    /* the block's number; UINT64_MAX: none yet */
} levy_curand_points;

/* `kind` of curand.h; `on_device` as levy_curand_open has it: then curand_device.h makes the words.
 * Close it in any case. */
levy_status levy_curand_points_open(const levy_curand_calls *calls, const levy_memory *memory,
                                    int32_t kind, uint32_t n_dimensions, uint64_t seed,
                                    uint64_t replicate, bool on_device, levy_curand_points *points,
                                    char *why);
/* Points first to first + n - 1, [dimension][point], n words from row to row. */
levy_status levy_curand_points_words(levy_curand_points *points, uint64_t first, size_t n,
                                     uint32_t *words, char *why);
void levy_curand_points_close(levy_curand_points *points);

#endif
