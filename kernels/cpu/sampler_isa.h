/* sampler_isa.h: the interface of one build of the stand-alone sampler (an instruction set). */
#ifndef LEVY_CPU_SAMPLER_ISA_H
#define LEVY_CPU_SAMPLER_ISA_H

#include "kernels/samplers/alias/sampler_tables.h"

typedef struct levy_sampler_isa {
    const char *name;
    /* items[k] is draw first + k, for k below `count`. */
    void (*draw)(const levy_sampler_tables *tables, uint64_t seed, uint64_t first, size_t count,
                 uint32_t *items);
} levy_sampler_isa;

#endif
