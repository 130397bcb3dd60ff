/* cpu_bridge.h: the stand-alone bridge over the CPU's workers. Must not know: orders, the public
 * interface. */
#ifndef LEVY_CPU_CPU_BRIDGE_H
#define LEVY_CPU_CPU_BRIDGE_H

#include "engine/run/backend.h"
#include "kernels/cpu/bridge_isa.h"
#include "kernels/cpu/threads.h"

typedef struct levy_cpu_bridge levy_cpu_bridge;

/* `tables` and `threads` stay the caller's until levy_cpu_bridge_destroy. */
levy_status levy_cpu_bridge_create(const levy_memory *memory, levy_threads *threads,
                                   uint32_t n_threads, const levy_bridge_isa *isa,
                                   const levy_bridge_tables *tables, levy_cpu_bridge **bridge,
                                   char *why);
void levy_cpu_bridge_generate(levy_cpu_bridge *bridge, const levy_bridge_call *call);
void levy_cpu_bridge_destroy(levy_cpu_bridge *bridge);

#endif
