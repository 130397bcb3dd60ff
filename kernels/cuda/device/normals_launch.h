/* normals_launch.h: stand-alone normals on an open GPU. Must not know: seeds, the public interface.
 */
#ifndef LEVY_CUDA_DEVICE_NORMALS_LAUNCH_H
#define LEVY_CUDA_DEVICE_NORMALS_LAUNCH_H

#include "kernels/cuda/device/device.h"
#include "kernels/points/normals_tables.h"

/* What is fixed when the kernel is compiled. In double a block's shared memory holds rows of the
 * table of normals (normal.h): copied eight times, and alone. */
typedef struct levy_normals_shape {
    uint32_t threads, copied, alone;
    uint32_t shared_bytes; /* dynamic shared memory of a block */
} levy_normals_shape;
/* shared_limit: bytes of shared memory that a block of the GPU may have. */
void levy_normals_shape_choose(const levy_normals_tables *tables, uint32_t shared_limit,
                               levy_normals_shape *shape);
/* What stands in front of normals.cu for NVRTC: a kernel depends on generator, output, precision
 * and shape alone. */
void levy_normals_shape_write(const levy_normals_tables *tables, const levy_normals_shape *shape,
                              char *text, size_t size);
/* As much of the table in double as `room` bytes hold: sets `copied` and `alone`, and returns its
 * bytes, which are 128 if it holds none. 0: these kernels have no such table. */
uint32_t levy_normals_rows_choose(const levy_normals_tables *tables, uint32_t room,
                                  levy_normals_shape *shape);

/* What the kernel reads: the table of normals, where there is one, then the generator's numbers. */
uint32_t levy_normals_table_bytes(const levy_normals_tables *tables);
size_t levy_normals_data_bytes(const levy_normals_tables *tables);
void levy_normals_data_write(const levy_normals_tables *tables, void *data);

/* A launch: its grid, and its arguments as normals.cu has them. `data`: where on the device that
 * is. */
typedef struct levy_normals_arguments {
    uint64_t output, first, n, stride, key, table, numbers;
    uint32_t dimension, count, rounds, aligned;
    uint32_t start[LEVY_MRG_STATE], jump[LEVY_MRG_JUMP];
    uint64_t words, chunk, across, skip;
} levy_normals_arguments;
typedef struct levy_normals_grid {
    uint32_t x, y;
} levy_normals_grid;
/* `processors`: of the GPU. LEVY_ARGUMENT: too many points for a launch. */
levy_status levy_normals_launch_write(const levy_normals_tables *tables,
                                      const levy_normals_shape *shape,
                                      const levy_normals_call *call, uint64_t data, int processors,
                                      levy_normals_grid *grid, levy_normals_arguments *arguments);

#endif
