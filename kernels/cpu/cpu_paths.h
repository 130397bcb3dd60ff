/* cpu_paths.h: paths from a generator over the CPU's workers. Must not know: seeds, orders, the
 * public interface. */
#ifndef LEVY_CPU_CPU_PATHS_H
#define LEVY_CPU_CPU_PATHS_H

#include "engine/run/backend.h"
#include "kernels/cpu/bridge_isa.h"
#include "kernels/cpu/normals_isa.h"
#include "kernels/cpu/threads.h"

typedef struct levy_cpu_paths levy_cpu_paths;

/* `tables` and `threads` stay the caller's until levy_cpu_paths_destroy. */
levy_status levy_cpu_paths_create(const levy_memory *memory, levy_threads *threads,
                                  uint32_t n_threads, const levy_bridge_isa *bridge,
                                  const levy_normals_isa *normals, const levy_paths_tables *tables,
                                  levy_cpu_paths **paths, char *why);
void levy_cpu_paths_generate(levy_cpu_paths *paths, const levy_normals_call *call);
void levy_cpu_paths_destroy(levy_cpu_paths *paths);

#endif
