/* loops.cuh: what bench_distributions.cu measures against; loops.cu, built once per precision, and
 * loops_curand.cu. */
#ifndef LEVY_BENCH_LOOPS_CUH
#define LEVY_BENCH_LOOPS_CUH

#include "bench/distributions/draws.cuh"

void loops_same_double(levy_draws_law law, double a, double b, uint64_t count, void *output);
void loops_same_single(levy_draws_law law, double a, double b, uint64_t count, void *output);
void loops_products_double(double mean, uint64_t count, void *output);
void loops_products_single(double mean, uint64_t count, void *output);
void loops_curand(levy_draws_law law, double a, double b, bool single, bool philox, uint64_t count,
                  void *output);

#endif
