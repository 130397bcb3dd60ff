/* paths_launch.h: paths from a generator on an open GPU. Must not know: seeds, orders, the public
 * interface. */
#ifndef LEVY_CUDA_DEVICE_PATHS_LAUNCH_H
#define LEVY_CUDA_DEVICE_PATHS_LAUNCH_H

#include "kernels/cuda/compile/bridge_shape.h"
#include "kernels/cuda/device/normals_launch.h"

/* What is fixed when the kernel is compiled, and what a launch reads. */
typedef struct levy_paths_shape {
    levy_bridge_shape bridge;
    levy_normals_shape normals; /* its rows alone */
    uint32_t shared;            /* of Sobol's words, what stands in shared memory: see paths.cu */
    uint32_t shared_bytes;      /* dynamic shared memory of a block */
    /* bytes into the data, which starts with that of normals_launch.h */
    size_t records_at, drift_at, data_bytes;
} levy_paths_shape;
/* shared_limit: bytes of shared memory that a block of the GPU may have; the shape keeps within it
 * where it has a choice. */
void levy_paths_shape_choose(const levy_paths_tables *tables, uint32_t shared_limit,
                             levy_paths_shape *shape);
levy_status levy_paths_shape_write(const levy_paths_tables *tables, const levy_paths_shape *shape,
                                   char *text, size_t size);
void levy_paths_data_write(const levy_paths_tables *tables, const levy_paths_shape *shape,
                           void *data);

/* As paths.cu has them. */
typedef struct levy_paths_arguments {
    levy_normals_arguments normals;
    uint64_t program, drift;
} levy_paths_arguments;
/* `data`: where on the device that is; `blocks`: that it holds at a time. Returns the grid. */
uint32_t levy_paths_launch_write(const levy_paths_tables *tables, const levy_paths_shape *shape,
                                 const levy_normals_call *call, uint64_t data, uint32_t blocks,
                                 levy_paths_arguments *arguments);

#endif
