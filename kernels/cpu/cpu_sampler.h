/* cpu_sampler.h: the stand-alone sampler over the CPU's workers. Must not know: weights, the public
 * interface. */
#ifndef LEVY_CPU_CPU_SAMPLER_H
#define LEVY_CPU_CPU_SAMPLER_H

#include "engine/run/backend.h"
#include "kernels/cpu/sampler_isa.h"
#include "kernels/cpu/threads.h"

typedef struct levy_cpu_sampler levy_cpu_sampler;

/* `tables` and `threads` stay the caller's until levy_cpu_sampler_destroy. `workers`: of the
 * threads. */
levy_status levy_cpu_sampler_create(const levy_memory *memory, levy_threads *threads,
                                    uint32_t workers, const levy_sampler_isa *isa,
                                    const levy_sampler_tables *tables, levy_cpu_sampler **sampler,
                                    char *why);
void levy_cpu_sampler_run(levy_cpu_sampler *sampler, const levy_sampler_call *call);
void levy_cpu_sampler_destroy(levy_cpu_sampler *sampler);

#endif
