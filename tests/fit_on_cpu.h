/* fit_on_cpu.h: fits the trades of a plan, as a run does before it prices them, on the CPU. */
#ifndef LEVY_TESTS_FIT_ON_CPU_H
#define LEVY_TESTS_FIT_ON_CPU_H

#include "tests/cmocka_all.h"

#include "engine/run/backend_list.h"
#include "engine/run/stage.h"

static inline void fit_on_cpu(levy_plan *plan)
{
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = "auto", .threads = 2};
    const levy_run_options how = {.user = NULL};
    levy_run_times times = {0.0, 0.0};
    char why[LEVY_REASON_SIZE];
    void *state;
    assert_int_equal(levy_backend_cpu.open(&options, &state, why), LEVY_OK);
    assert_int_equal(levy_stage_prepare(&levy_backend_cpu, state, plan, &how, &times, why),
                     LEVY_OK);
    levy_backend_cpu.close(state);
}

#endif
