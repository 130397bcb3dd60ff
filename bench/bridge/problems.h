/* problems.h: the problems of the bridge's benchmark, for the program that writes its kernels'
 * shapes and for the one that runs them: 64 steps, as J. du Toit (2012) has them. Both make the
 * same tables. */
#ifndef LEVY_BENCH_PROBLEMS_H
#define LEVY_BENCH_PROBLEMS_H

#include "kernels/cuda/compile/bridge_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { PROBLEM_STEPS = 64, PROBLEM_DIMENSIONS = 4 };
enum { PROBLEM_PATHS, PROBLEM_INCREMENTS, PROBLEM_RANDOM, PROBLEM_DIM4, PROBLEM_COUNT };
static const char *const problem_names[PROBLEM_COUNT] = {"bridge_paths", "bridge_increments",
                                                         "bridge_random_order", "bridge_dim4"};

static inline uint32_t problem_dimensions(int problem)
{
    return problem == PROBLEM_DIM4 ? PROBLEM_DIMENSIONS : 1;
}

static inline void problem_times(double *times)
{
    for (int i = 0; i <= PROBLEM_STEPS; ++i) times[i] = i / (double)PROBLEM_STEPS;
}

static inline void problem_order(int problem, uint32_t *order)
{
    uint64_t state = 20261121u;
    levy_bridge_first(PROBLEM_STEPS, NULL, 0, order);
    for (uint32_t i = PROBLEM_STEPS; problem == PROBLEM_RANDOM && i-- > 1;) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const uint32_t j = (uint32_t)(state >> 33) % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* The Cholesky factor of a covariance with correlations of one half. */
static inline void problem_factor(int problem, double *factor)
{
    const uint32_t d = problem_dimensions(problem);
    for (uint32_t i = 0; i < d; ++i)
        for (uint32_t j = 0; j < d; ++j) {
            double sum = i == j ? 1.0 : 0.5;
            for (uint32_t k = 0; k < j; ++k) sum -= factor[i * d + k] * factor[j * d + k];
            if (j < i)
                factor[i * d + j] = sum / factor[j * d + j];
            else
                factor[i * d + j] = j > i ? 0.0 : sqrt(sum);
        }
}

static inline void problem_tables(int problem, int single, int registers,
                                  levy_bridge_tables *tables)
{
    double times[PROBLEM_STEPS + 1], factor[PROBLEM_DIMENSIONS * PROBLEM_DIMENSIONS];
    uint32_t order[PROBLEM_STEPS];
    char why[LEVY_BRIDGE_WHY];
    levy_bridge_program program;
    levy_bridge_settings settings;
    problem_times(times);
    problem_order(problem, order);
    problem_factor(problem, factor);
    settings.n_dimensions = problem_dimensions(problem);
    settings.single = single != 0;
    settings.increments = problem == PROBLEM_INCREMENTS;
    settings.factor = factor;
    settings.start = NULL;
    if (levy_bridge_program_create(&levy_memory_default, PROBLEM_STEPS, times, order,
                                   registers != 0, sqrt, &program, why) != LEVY_OK ||
        levy_bridge_tables_create(&levy_memory_default, &program, &settings, tables, why) !=
            LEVY_OK) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    levy_bridge_program_release(&program);
}

#endif
