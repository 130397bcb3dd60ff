/* threads.h: a pool of workers that run one function together. Workers own 2 MiB stacks and run in
 * the default floating-point environment, whatever the host's is. Must not know: the function's
 * work. */
#ifndef LEVY_CPU_THREADS_H
#define LEVY_CPU_THREADS_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdint.h>

typedef struct levy_threads levy_threads;

/* Processors that this process may use, by its affinity and its control groups' quota; at least 1.
 */
uint32_t levy_threads_available(void);
/* The share of them of process number `place` of `processes` on this host. A process that is bound
 * to some takes no more than those. */
uint32_t levy_threads_shared(uint32_t processes, uint32_t place);
levy_status levy_threads_create(const levy_memory *memory, uint32_t count, levy_threads **threads);
void levy_threads_destroy(levy_threads *threads);
/* Calls work(user, worker) once on every worker and waits for all of them. One caller at a time. */
void levy_threads_run(levy_threads *threads, void (*work)(void *user, uint32_t worker), void *user);
/* The same; meanwhile the caller runs tick(user), about every 20 ms. */
void levy_threads_run_ticking(levy_threads *threads, void (*work)(void *user, uint32_t worker),
                              void (*tick)(void *user), void *user);

#endif
