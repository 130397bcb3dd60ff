/* cpu_draws.h: draws from each of many distributions over the CPU's workers. Must not know: the
 * public interface. */
#ifndef LEVY_CPU_CPU_DRAWS_H
#define LEVY_CPU_CPU_DRAWS_H

#include "engine/run/backend.h"
#include "kernels/cpu/threads.h"

/* `workers`: of the threads. A little work the caller does alone. */
void levy_cpu_draws_run(levy_threads *threads, uint32_t workers, const levy_draws_call *call);

#endif
