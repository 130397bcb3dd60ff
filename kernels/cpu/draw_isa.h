/* draw_isa.h: the interface of one build of the deviates of kernels/samplers/discrete (an
 * instruction set and a precision). */
#ifndef LEVY_CPU_DRAW_ISA_H
#define LEVY_CPU_DRAW_ISA_H

#include "kernels/samplers/discrete/parameters.h"

#include <stddef.h>
#include <stdint.h>

/* Deviate k of a job is a function of law, seed, stream, first + k and its parameters; or of law,
 * words[k] and its parameters. */
typedef struct levy_draw_job {
    levy_draw_law law;
    uint32_t stream;
    uint64_t seed, first;
    double parameters[2];
    /* of the build's precision: parameters of every deviate; NULL: parameters[] for all */
    const void *each[2];
    const void *table;     /* of a tabulated law, of the build's precision (deviate_table.h) */
    double scale;          /* its deviates' unit */
    const uint32_t *words; /* words to invert; NULL: pseudo-random deviates */
    void *output;          /* of the build's precision; counts as uint32_t */
} levy_draw_job;

typedef struct levy_draw_isa {
    const char *name;
    uint32_t lanes;
    /* deviates [from, to) of the job */
    void (*fill)(const levy_draw_job *job, size_t from, size_t to);
} levy_draw_isa;

#endif
