/* times.cuh: how long work on the default stream takes: REPEATS times after a first one, sorted, in
 * ms. Must not know: the work. */
#ifndef LEVY_BENCH_TIMES_CUH
#define LEVY_BENCH_TIMES_CUH

#include "bench/must.cuh"

#include <algorithm>
#include <vector>

enum { REPEATS = 15 };

template <class F>
static std::vector<float> times(F run)
{
    cudaEvent_t start, stop;
    std::vector<float> all;
    MUST(cudaEventCreate(&start));
    MUST(cudaEventCreate(&stop));
    run();
    for (int i = 0; i < REPEATS; ++i) {
        float ms;
        MUST(cudaEventRecord(start));
        run();
        MUST(cudaEventRecord(stop));
        MUST(cudaEventSynchronize(stop));
        MUST(cudaEventElapsedTime(&ms, start, stop));
        all.push_back(ms);
    }
    MUST(cudaGetLastError());
    MUST(cudaEventDestroy(start));
    MUST(cudaEventDestroy(stop));
    std::sort(all.begin(), all.end());
    return all;
}

#endif
