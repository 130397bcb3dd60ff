/* cpu_distribution.h: a stand-alone distribution over the CPU's workers. Must not know: the public
 * interface. */
#ifndef LEVY_CPU_CPU_DISTRIBUTION_H
#define LEVY_CPU_CPU_DISTRIBUTION_H

#include "engine/run/backend.h"
#include "kernels/cpu/cpu_draw.h"

typedef struct levy_cpu_distribution levy_cpu_distribution;

/* `threads` stay the caller's until levy_cpu_distribution_destroy. */
levy_status levy_cpu_distribution_create(const levy_memory *memory, levy_threads *threads,
                                         const levy_draw_isa *isa, const levy_distribution_law *law,
                                         levy_cpu_distribution **distribution, char *why);
/* LEVY_ARGUMENT with `why`: a parameter in an array is outside its range. */
levy_status levy_cpu_distribution_run(const levy_cpu_distribution *distribution,
                                      const levy_distribution_call *call, char *why);
void levy_cpu_distribution_destroy(levy_cpu_distribution *distribution);

#endif
