/* instruction.h: one step of a stand-alone bridge in 8 bytes, read by the CPU and by the CUDA
 * kernel. A machine holds three registers per path and dimension: LEFT and RIGHT, the neighbours of
 * the last point, and CENTRE, the point itself (all three X at t0 before the first step). A step
 * sets LEFT and RIGHT from these or from slots. Then CENTRE = fma(w[1], RIGHT, w[0] * LEFT),
 * followed by one fma(factor, normal, CENTRE) per factor. It writes CENTRE out, and keeps it in a
 * slot if it is read later. Must not know: anything else. */
#ifndef LEVY_BRIDGE_INSTRUCTION_H
#define LEVY_BRIDGE_INSTRUCTION_H

#include "kernels/lane/target.h"

#if !LANE_GPU
#include <stdint.h>
#endif

enum { BRIDGE_LEFT, BRIDGE_RIGHT, BRIDGE_CENTRE, BRIDGE_SLOT }; /* where a neighbour comes from */
enum { BRIDGE_NOWHERE = 31 };

/* 20 bits each: the row of the normals, and the row of the output, which is the point's number less
 * 1. */
#define BRIDGE_NORMAL(i) ((uint32_t)(i)&0xfffffu)
#define BRIDGE_ROW(i) ((uint32_t)((i) >> 20) & 0xfffffu)
/* 5 bits each: slots. */
#define BRIDGE_LEFT_SLOT(i) ((uint32_t)((i) >> 40) & 31u)
#define BRIDGE_RIGHT_SLOT(i) ((uint32_t)((i) >> 45) & 31u)
#define BRIDGE_OWN_SLOT(i) ((uint32_t)((i) >> 50) & 31u)
#define BRIDGE_LEFT_FROM(i) ((uint32_t)((i) >> 55) & 3u)
#define BRIDGE_RIGHT_FROM(i) ((uint32_t)((i) >> 57) & 3u)
/* no point to its right has been built: RIGHT is LEFT, with weight 0 */
#define BRIDGE_ALONE(i) ((uint32_t)((i) >> 59) & 1u)
/* LEFT is the point just before, so that the increment between them is known now */
#define BRIDGE_BEFORE(i) ((uint32_t)((i) >> 60) & 1u)
#define BRIDGE_AFTER(i) ((uint32_t)((i) >> 61) & 1u) /* RIGHT is the point just after */
/* on a GPU: a run that is part of the code starts here (bridge_runs.cuh) */
#define BRIDGE_RUN(i) ((uint32_t)((i) >> 62) & 1u)
/* What each point of such a run does, told when the kernel is compiled. Four bits each say where
 * the left and the right neighbour are, as BRIDGE_LEFT to BRIDGE_SLOT, or BRIDGE_RUN_OWN + j for
 * point j of the run; those of the first point are read off its instruction. Then bits of their
 * own. */
enum {
    BRIDGE_RUN_OWN = 4,
    BRIDGE_RUN_KEEPS = 1 << 8,  /* the point is read behind the run, from its slot */
    BRIDGE_RUN_BEFORE = 1 << 9, /* as BRIDGE_BEFORE and BRIDGE_AFTER of its instruction */
    BRIDGE_RUN_AFTER = 1 << 10
};
#define BRIDGE_PACK(normal, row, left_slot, right_slot, own_slot, left_from, right_from, alone,    \
                    before, after)                                                                 \
    ((uint64_t)(normal) | (uint64_t)(row) << 20 | (uint64_t)(left_slot) << 40 |                    \
     (uint64_t)(right_slot) << 45 | (uint64_t)(own_slot) << 50 | (uint64_t)(left_from) << 55 |     \
     (uint64_t)(right_from) << 57 | (uint64_t)(alone) << 59 | (uint64_t)(before) << 60 |           \
     (uint64_t)(after) << 61)

#endif
