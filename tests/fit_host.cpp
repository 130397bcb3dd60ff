/* fit_host.cpp: fit.cu as a library for a host without a GPU, its threads taking turns (host_block.h), behind the shape of a
 * rule. emulated_fit.h compiles and loads it; fake_cuda.c launches its kernels. */
#define __constant__ static
#define __shared__
#define __grid_constant__
#define HOST_STACK (256 << 10)

#include "tests/host_block.h"

static inline double __shfl_down_sync(unsigned, double x, unsigned by)
{
    const unsigned lane = threadIdx.x % 32;
    return host_shuffle(x, lane + by < 32 ? lane + by : lane);
}
static inline double __shfl_sync(unsigned, double x, unsigned lane) { return host_shuffle(x, lane); }
static inline bool __any_sync(unsigned, bool x)
{
    const bool *const seen = host_show(x);
    bool any = false;
    for (unsigned lane = 0; lane < 32; ++lane) any |= seen[lane];
    return any;
}
static inline unsigned atomicAdd(unsigned *at, unsigned x)
{
    const unsigned was = *at;
    *at = was + x;
    return was;
}
static inline void __threadfence() {}

#include "shape.h" /* and fit.cu behind it, as the compiler gets it */

static void **with;
template <class T>
static T argument(int i)
{
    return *(T *)with[i];
}

static void fit_run(int kernel)
{
    const fit_arguments &a = *(const fit_arguments *)with[0];
    if (kernel == 0) levy_fit_moments(a);
    if (kernel == 1) levy_fit_begin(a);
    if (kernel == 2) levy_fit_end(a, argument<unsigned>(1), argument<unsigned>(2));
    if (kernel == 3)
        levy_fit_date(a, argument<unsigned>(1), argument<unsigned>(2), argument<unsigned>(3), argument<unsigned>(4), argument<unsigned>(5));
    if (kernel == 4) levy_fit_paid(a, argument<unsigned>(1), argument<unsigned>(2), argument<unsigned>(3));
}

/* A launch of kernel number `kernel`, as fit_launch.c counts them. */
extern "C" __attribute__((visibility("default"))) int fit_host_launch(int kernel, unsigned x, unsigned y, unsigned threads, void **arguments)
{
    static int running;
    with = arguments;
    running = kernel;
    gridDim.x = x;
    gridDim.y = y;
    blockDim.x = threads;
    host_body = [] { fit_run(running); };
    for (blockIdx.y = 0; blockIdx.y < y; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < x; ++blockIdx.x) host_block_run(threads);
    return 0;
}
