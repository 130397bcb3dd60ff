/* bridge_runs.h: the run of instructions that a stand-alone bridge's program repeats most often,
 * for bridge_runs.cuh. Must not know: devices. */
#ifndef LEVY_CUDA_COMPILE_BRIDGE_RUNS_H
#define LEVY_CUDA_COMPILE_BRIDGE_RUNS_H

#include <stdint.h>

enum { LEVY_BRIDGE_RUN_MOST = 7 };

typedef struct levy_bridge_run {
    uint32_t length;                      /* 0: no run is worth its code */
    uint32_t codes[LEVY_BRIDGE_RUN_MOST]; /* as instruction.h says */
} levy_bridge_run;

/* Finds the run among those of at most `most` instructions. */
void levy_bridge_run_find(uint32_t n_steps, const uint64_t *instructions, uint32_t most,
                          levy_bridge_run *run);
/* Does the run start at instruction `at`? */
int levy_bridge_run_starts(uint32_t n_steps, const uint64_t *instructions, uint32_t at,
                           const levy_bridge_run *run);

#endif
