/* api_bridge.h: what a levy_bridge_spec becomes, for the bridge itself and for paths. Must not
 * know: backends. */
#ifndef LEVY_API_API_BRIDGE_H
#define LEVY_API_API_BRIDGE_H

#include "engine/api/api_object.h"
#include "kernels/bridge/bridge_program.h"
#include "kernels/bridge/tables.h"

typedef struct levy_api_program {
    levy_bridge_program program;
    levy_bridge_tables tables;
} levy_api_program;

/* A fault names the first member that is invalid. */
int levy_api_bridge_check(levy_context *context, const levy_bridge_spec *spec);
/* `spec` is checked. `registers`: the backend keeps neighbours in registers (bridge_program.h).
 * Dropped by the caller also after a failure. */
int levy_api_program_create(levy_context *context, const levy_memory *memory,
                            const levy_bridge_spec *spec, bool registers, levy_api_program *made);
void levy_api_program_drop(const levy_memory *memory, levy_api_program *made);

#endif
