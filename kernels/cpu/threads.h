/* threads.h: a pool of workers that run one function together. Workers own 2 MiB stacks and run in
 * the default floating-point environment, whatever the host's is. Must not know: the function's
 * work. */
#ifndef LEVY_CPU_THREADS_H
#define LEVY_CPU_THREADS_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdint.h>

typedef struct levy_threads levy_threads;

uint32_t levy_threads_available(void); /* processors this process may use, at least 1 */
levy_status levy_threads_create(const levy_memory *memory, uint32_t count, levy_threads **threads);
void levy_threads_destroy(levy_threads *threads);
/* Calls work(user, worker) once on every worker and waits for all of them. One caller at a time. */
void levy_threads_run(levy_threads *threads, void (*work)(void *user, uint32_t worker), void *user);
/* The same; meanwhile the caller runs tick(user), about every 20 ms. */
void levy_threads_run_ticking(levy_threads *threads, void (*work)(void *user, uint32_t worker),
                              void (*tick)(void *user), void *user);

#endif
