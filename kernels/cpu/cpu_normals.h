/* cpu_normals.h: stand-alone normals over the CPU's workers. Must not know: seeds, the public
 * interface. */
#ifndef LEVY_CPU_CPU_NORMALS_H
#define LEVY_CPU_CPU_NORMALS_H

#include "engine/run/backend.h"
#include "kernels/cpu/normals_isa.h"
#include "kernels/cpu/threads.h"

typedef struct levy_cpu_normals levy_cpu_normals;

/* `tables` and `threads` stay the caller's until levy_cpu_normals_destroy. */
levy_status levy_cpu_normals_create(const levy_memory *memory, levy_threads *threads,
                                    const levy_normals_isa *isa, const levy_normals_tables *tables,
                                    levy_cpu_normals **normals, char *why);
void levy_cpu_normals_generate(levy_cpu_normals *normals, const levy_normals_call *call);
void levy_cpu_normals_destroy(levy_cpu_normals *normals);

#endif
