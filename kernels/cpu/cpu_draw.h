/* cpu_draw.h: arrays of deviates over the CPU's workers, by the build for the requested instruction
 * set. */
#ifndef LEVY_CPU_CPU_DRAW_H
#define LEVY_CPU_CPU_DRAW_H

#include "kernels/cpu/draw_isa.h"
#include "kernels/cpu/threads.h"

#include <stdbool.h>

/* isa NULL or "auto": the best this processor runs. NULL: none of that name, or not on this
 * processor; `known` says which. */
const levy_draw_isa *levy_cpu_draw_choose(const char *isa, bool single, bool *known);
/* The whole job, [0, count). threads NULL: by the caller alone. */
void levy_cpu_draw(const levy_draw_isa *isa, levy_threads *threads, const levy_draw_job *job,
                   size_t count);

#endif
