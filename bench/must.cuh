/* must.cuh: for benchmarks that use CUDA's runtime: a call that must succeed, or the program ends
 * with 2. */
#ifndef LEVY_BENCH_MUST_CUH
#define LEVY_BENCH_MUST_CUH

#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        const int must_status = (int)(call);                                                       \
        if (must_status != 0) {                                                                    \
            fprintf(stderr, "%s:%d: %s: %d (%s)\n", __FILE__, __LINE__, #call, must_status,        \
                    cudaGetErrorString(cudaGetLastError()));                                       \
            exit(2);                                                                               \
        }                                                                                          \
    } while (0)

#endif
