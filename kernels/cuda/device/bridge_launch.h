/* bridge_launch.h: stand-alone bridges on an open GPU. Must not know: orders, the public interface.
 */
#ifndef LEVY_CUDA_DEVICE_BRIDGE_LAUNCH_H
#define LEVY_CUDA_DEVICE_BRIDGE_LAUNCH_H

#include "kernels/cuda/compile/bridge_shape.h"
#include "kernels/cuda/device/device.h"

typedef struct levy_cuda_bridge levy_cuda_bridge;

/* `device` stays open, and `tables` the caller's, until levy_cuda_bridge_destroy. `shape` NULL:
 * that of levy_bridge_shape_choose. */
levy_status levy_cuda_bridge_create(levy_device *device, const levy_bridge_tables *tables,
                                    const levy_bridge_shape *shape, levy_cuda_bridge **bridge,
                                    char *why);
/* Queues the work on the call's stream and returns. */
levy_status levy_cuda_bridge_generate(levy_cuda_bridge *bridge, const levy_bridge_call *call,
                                      char *why);
void levy_cuda_bridge_describe(const levy_cuda_bridge *bridge, levy_kernel_made *made);
void levy_cuda_bridge_destroy(levy_cuda_bridge *bridge);

#endif
