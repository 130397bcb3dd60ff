/* normals_tables.h: what stand-alone normals are made from: a generator, its numbers for one
 * replicate, and the dimensions that are asked for. Made on the host; a backend copies the data
 * that it keeps. Must not know: backends, plans. */
#ifndef LEVY_POINTS_NORMALS_TABLES_H
#define LEVY_POINTS_NORMALS_TABLES_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/levy.h"
#include "kernels/points/mrg_streams.h"
#include "kernels/points/net.h"

#include <stdbool.h>

enum {
    LEVY_NORMALS_MAX_DIMENSIONS = 1 << 20,
    LEVY_NORMALS_COLUMN = 33, /* 32 direction numbers, then the digital shift */
    /* jumps of mrg32k3a: entry b goes 2^b points on */
    LEVY_NORMALS_POWERS = 56
};

/* Members of `generator` and `output` are those of points.h and of levy.h. */
typedef struct levy_normals_tables {
    int32_t generator;     /* POINTS_SOBOL, _PHILOX, _MRG; _GIVEN_WORDS: they come with each call */
    int32_t output;        /* LEVY_NORMALS_NORMAL, ..._UNIFORM, ..._WORD */
    int32_t single;        /* 1: float, 0: double; of normals and uniforms */
    uint32_t n_dimensions; /* of a point */
    uint32_t first, count; /* the dimensions that are made: [first, first + count) */
    /* the largest first_point + n_points of a call */
    uint64_t most_points;
    uint64_t key;            /* of Philox */
    const uint32_t *columns; /* Sobol, nets: [count][LEVY_NORMALS_COLUMN] */
    const uint32_t *shifts;  /* given words, on a GPU: [count], added to them; NULL: none */
    /* mrg32k3a: the state before dimension `first` of point 0, and the jumps by whole points:
       [LEVY_NORMALS_POWERS][LEVY_MRG_JUMP] */
    uint32_t start[LEVY_MRG_STATE];
    const uint32_t *jumps;
} levy_normals_tables;

static inline uint32_t levy_normals_number_bytes(const levy_normals_tables *t)
{
    return t->output == LEVY_NORMALS_WORD || t->single ? 4 : 8;
}

typedef struct levy_normals_settings {
    int generator; /* LEVY_NORMALS_SOBOL_SCRAMBLED, ... of levy.h */
    uint64_t seed, replicate;
    const levy_net *net; /* LEVY_NORMALS_NET: not kept */
    int32_t scrambling;  /* LEVY_SCRAMBLING_ of the net */
} levy_normals_settings;

/* output, single, n_dimensions, first and count are set by the caller and are valid; the rest is
 * filled in. Give the memory back with levy_normals_tables_release. LEVY_MEMORY, or LEVY_INTERNAL
 * if the embedded direction numbers are damaged. */
levy_status levy_normals_tables_create(const levy_memory *memory,
                                       const levy_normals_settings *settings,
                                       levy_normals_tables *tables);
void levy_normals_tables_release(const levy_memory *memory, levy_normals_tables *tables);

#endif
