/* cpu_draw.h: arrays of deviates over the CPU's workers, by the build for the requested instruction
 * set. */
#ifndef LEVY_CPU_CPU_DRAW_H
#define LEVY_CPU_CPU_DRAW_H

#include "kernels/cpu/draw_isa.h"
#include "kernels/cpu/threads.h"

#include <stdbool.h>

/* isa NULL or "auto": the best build that this processor runs. Returns NULL if no build has that
 * name or this processor cannot run it; `known` says which. */
const levy_draw_isa *levy_cpu_draw_choose(const char *isa, bool single, bool *known);
/* Does the whole job, [0, count). threads NULL: the caller's thread alone does it. */
void levy_cpu_draw(const levy_draw_isa *isa, levy_threads *threads, const levy_draw_job *job,
                   size_t count);

#endif
