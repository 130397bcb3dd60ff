/* bridge_program.h: the stand-alone bridge as a program: any build order of a Brownian motion, with
 * the same points and the smallest stack that it can find. Points are numbered by time: 0 is the
 * start, then 1 to N. The parents of a point are the points between which it is built, so an order
 * is a binary tree (the heap of the order over time). Any traversal that visits parents first
 * builds the same values from the same normals. A point must be kept while a gap next to it is
 * unbuilt.
 *
 * The minimum over all such traversals is computed from the leaves up. One of a point's two gaps is
 * filled first, while the ends of the other wait. It pays to fill a gap completely, because nothing
 * inside it needs less than its two ends do. Points that are only read while the machine still
 * holds them then get no slot; the others share slots by liveness. J. du Toit, A high-performance
 * Brownian bridge for GPUs (2012), sections 2, 6 and 7. Host only. Must not know: normals,
 * dimensions, devices. */
#ifndef LEVY_BRIDGE_PROGRAM_H
#define LEVY_BRIDGE_PROGRAM_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "kernels/bridge/instruction.h"

/* Bounds for a caller: 20 bits of an instruction name a point, and so many points need at most 22
 * slots. */
enum { LEVY_BRIDGE_MAX_STEPS = 1 << 20, LEVY_BRIDGE_MAX_DIMENSIONS = 64, LEVY_BRIDGE_WHY = 512 };

typedef struct levy_bridge_program {
    const levy_memory *memory;
    uint32_t n_steps, slots;
    /* the slot that holds X at t0 at first; BRIDGE_NOWHERE: it is only read from its register */
    uint32_t start_slot;
    uint64_t *instructions; /* [n_steps], packed as instruction.h says */
    double *weights;        /* [3 * n_steps]: x = w[0] left + w[1] right + w[2] z */
    double *inverse;        /* [n_steps], by time: 1 / (t[i + 1] - t[i]) */
} levy_bridge_program;

/* times: [n_steps + 1], finite, ascending. order: [n_steps], a permutation of 1 to n_steps;
 * order[i] is built from normal i. If they are not so: LEVY_ARGUMENT with a line in `why`
 * (LEVY_BRIDGE_WHY bytes). `registers`: the machine holds the last point and its two neighbours, so
 * that the next step reads no slot for them; else every neighbour is read from a slot.
 * `square_root` is the engine's own. Release the program also after a failure. */
levy_status levy_bridge_program_create(const levy_memory *memory, uint32_t n_steps,
                                       const double *times, const uint32_t *order, bool registers,
                                       double (*square_root)(double), levy_bridge_program *program,
                                       char *why);
void levy_bridge_program_release(levy_bridge_program *program);

/* Writes an order: `first` (points from 1), then the end unless it is among them, then the
 * midpoints of what is left between, level by level in the order of time. n_first 0: bisection.
 * False: a point is out of range, or comes twice. order: [n], n at most 2^31 - 1. */
bool levy_bridge_first(uint32_t n, const uint32_t *first, uint32_t n_first, uint32_t *order);

#endif
