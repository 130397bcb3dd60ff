/* bridge_shape.h: the properties of a stand-alone bridge that are fixed when its kernel is
 * compiled, and the text that tells them to NVRTC. Two bridges of the same shape share a kernel:
 * times, factor and start are data, and so is a long order. Must not know: devices. */
#ifndef LEVY_CUDA_COMPILE_BRIDGE_SHAPE_H
#define LEVY_CUDA_COMPILE_BRIDGE_SHAPE_H

#include "kernels/bridge/tables.h"
#include "kernels/cuda/compile/bridge_runs.h"

enum {
    /* a bridge of more dimensions has a kernel of another kind */
    LEVY_BRIDGE_NARROW = 8,
    LEVY_BRIDGE_CONSTANTS_LIMIT = 4000, /* bytes of a launch's arguments */
    LEVY_BRIDGE_UNROLLED_STEPS = 128
};
/* as in bridge.cu */
enum { LEVY_BRIDGE_RING_REGISTERS, LEVY_BRIDGE_RING_SHARED, LEVY_BRIDGE_RING_BULK };
enum { LEVY_BRIDGE_STACK_REGISTERS, LEVY_BRIDGE_STACK_SHARED, LEVY_BRIDGE_STACK_LOCAL };

typedef struct levy_bridge_shape {
    uint32_t paths, threads; /* per thread; per block */
    /* steps by which normals are loaded ahead of their use: 0 or a power of two, at most 64 */
    uint32_t ahead;
    uint32_t ring, stack;
    bool unrolled; /* the program is part of the code, not data */
    /* neighbours stay in registers; false: every one is read from a slot */
    bool registers;
    bool wide;           /* many dimensions */
    bool streams;        /* marks its reads and writes as used once */
    levy_bridge_run run; /* of a program that is data, as code: paths.cu alone */
} levy_bridge_shape;

/* Chooses the shape that was measured to be fastest, or the one nearest to it (bench/bridge,
 * bench/orders). `shared_limit`: shared memory of a block in bytes, where the GPU copies to it past
 * its registers (sm_80 and later), else 0. */
void levy_bridge_shape_choose(const levy_bridge_tables *tables, uint32_t shared_limit,
                              levy_bridge_shape *shape);
/* The same for paths whose normals are made on the way (paths.cu): at most LEVY_BRIDGE_NARROW
 * dimensions, always a program that is data: as code it would not fit the instruction cache. */
void levy_bridge_shape_choose_drawn(const levy_bridge_tables *tables, levy_bridge_shape *shape);
/* Dynamic shared memory of a block with `paths` per thread: what bridge.cu lays out. */
uint32_t levy_bridge_shape_shared(const levy_bridge_tables *tables, const levy_bridge_shape *shape,
                                  uint32_t paths);
/* `struct NAME { ... };`. LEVY_ARGUMENT: it outgrows `size`. */
levy_status levy_bridge_shape_struct(const levy_bridge_tables *tables,
                                     const levy_bridge_shape *shape, const char *name, char *text,
                                     size_t size);
/* Writes the text that stands in front of bridge.cu for NVRTC. */
levy_status levy_bridge_shape_write(const levy_bridge_tables *tables,
                                    const levy_bridge_shape *shape, char *text, size_t size);

/* Bytes of bridge_constants, and its contents. */
size_t levy_bridge_constants_size(const levy_bridge_tables *tables, const levy_bridge_shape *shape);
void levy_bridge_constants_write(const levy_bridge_tables *tables, const levy_bridge_shape *shape,
                                 void *constants);
/* Bytes of a bridge_record, and the records of a program. `run`: the code's, or NULL. */
size_t levy_bridge_record_size(const levy_bridge_tables *tables);
void levy_bridge_records_write(const levy_bridge_tables *tables, const levy_bridge_run *run,
                               void *records);

#endif
