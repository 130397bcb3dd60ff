/* effort.h: how long a plan keeps a CPU busy, estimated from its image alone: draws, steps,
 * markets, items, outputs. It serves a choice between devices, so it is a function of the plan and
 * the machine, never of a clock or of other work: the same job on the same machine always gets the
 * same number. docs/performance.md says how far off it is. Must not know: problems, GPUs. */
#ifndef LEVY_RUN_EFFORT_H
#define LEVY_RUN_EFFORT_H

#include "engine/plan/plan.h"
#include "engine/run/backend.h"

typedef struct levy_effort {
    double thread; /* seconds of one thread with AVX-512 */
    double cpu;    /* seconds of the whole CPU */
} levy_effort;

/* Whether the instruction set is one that has been measured. */
bool levy_effort_knows(const char *isa);
/* The CPU that options name (isa "auto", threads 0: its own); false: one that is not known. */
bool levy_effort_cpu(const char *isa, uint32_t threads, levy_backend_info *cpu);

/* Of the plan with `paths` in each replicate, on a CPU of which `isa` and `threads` are read.
 * LEVY_MEMORY: there is none to count the tiles. */
levy_status levy_effort_of(const levy_plan *plan, uint64_t paths, const levy_backend_info *cpu,
                           levy_effort *effort);

/* "about 21 ms": to as many digits as an estimate knows. */
typedef struct levy_effort_text {
    char text[40];
} levy_effort_text;
levy_effort_text levy_effort_say(double seconds);

#endif
