/* loops_curand.cu: ordinary sampling code over cuRAND's device generators: a thread keeps a state
 * and leaves a loop when its draw is accepted. Built with contraction on, as a user's would be. */
#include <cuda_runtime.h>
#include <curand_kernel.h>

#include "bench/distributions/loops.cuh"

enum { CURAND_BLOCKS = 132 * 8 };

template <class S>
static __device__ float one_uniform(S *s, float)
{
    return curand_uniform(s);
}
template <class S>
static __device__ double one_uniform(S *s, double)
{
    return curand_uniform_double(s);
}
template <class S>
static __device__ float one_normal(S *s, float)
{
    return curand_normal(s);
}
template <class S>
static __device__ double one_normal(S *s, double)
{
    return curand_normal_double(s);
}
static __device__ float one_log(float x) { return logf(x); }
static __device__ double one_log(double x) { return log(x); }
static __device__ float one_power(float x, float y) { return powf(x, y); }
static __device__ double one_power(double x, double y) { return pow(x, y); }

template <class S, class T>
static __device__ T one_gamma(S *s, T alpha)
{
    const T a = alpha <= T(1) ? alpha + T(1) : alpha, d = a - T(1) / T(3),
            c = T(1) / sqrt(T(9) * d);
    for (;;) {
        const T x = one_normal(s, T(0)), root = T(1) + c * x;
        if (root <= T(0)) continue;
        const T v = root * root * root, u = one_uniform(s, T(0));
        if (u < T(1) - T(0.0331) * (x * x) * (x * x) ||
            one_log(u) < T(0.5) * x * x + d * (T(1) - v + one_log(v)))
            return alpha <= T(1) ? d * v * one_power(one_uniform(s, T(0)), T(1) / alpha) : d * v;
    }
}

template <class S>
static __global__ void curand_start(S *states)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(42, id, 0, &states[id]);
}

template <int LAW, class S, class T>
static __global__ void curand_loop(S *states, T a, T b, uint64_t count, void *output)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    S s = states[id];
    for (uint64_t i = id; i < count; i += (uint64_t)gridDim.x * blockDim.x) {
        if (LAW == LEVY_DRAWS_POISSON) ((uint32_t *)output)[i] = curand_poisson(&s, (double)a);
        if (LAW == LEVY_DRAWS_GAMMA) ((T *)output)[i] = b * one_gamma(&s, a);
        if (LAW == LEVY_DRAWS_EXPONENTIAL) ((T *)output)[i] = -a * one_log(one_uniform(&s, T(0)));
        if (LAW == LEVY_DRAWS_NORMAL) ((T *)output)[i] = a + b * one_normal(&s, T(0));
    }
    states[id] = s;
}

template <class S, class T>
static void curand_law(levy_draws_law law, double a, double b, uint64_t count, void *output)
{
    static S *states;
    if (!states) {
        cudaMalloc((void **)&states, CURAND_BLOCKS * DRAWS_THREADS * sizeof *states);
        curand_start<<<CURAND_BLOCKS, DRAWS_THREADS>>>(states);
    }
    switch (law) {
    case LEVY_DRAWS_POISSON:
        curand_loop<LEVY_DRAWS_POISSON>
            <<<CURAND_BLOCKS, DRAWS_THREADS>>>(states, (T)a, (T)b, count, output);
        break;
    case LEVY_DRAWS_GAMMA:
        curand_loop<LEVY_DRAWS_GAMMA>
            <<<CURAND_BLOCKS, DRAWS_THREADS>>>(states, (T)a, (T)b, count, output);
        break;
    case LEVY_DRAWS_EXPONENTIAL:
        curand_loop<LEVY_DRAWS_EXPONENTIAL>
            <<<CURAND_BLOCKS, DRAWS_THREADS>>>(states, (T)a, (T)b, count, output);
        break;
    case LEVY_DRAWS_NORMAL:
        curand_loop<LEVY_DRAWS_NORMAL>
            <<<CURAND_BLOCKS, DRAWS_THREADS>>>(states, (T)a, (T)b, count, output);
        break;
    default:
        break;
    }
}

void loops_curand(levy_draws_law law, double a, double b, bool single, bool philox, uint64_t count,
                  void *output)
{
    if (single && philox)
        curand_law<curandStatePhilox4_32_10_t, float>(law, a, b, count, output);
    else if (single)
        curand_law<curandStateXORWOW_t, float>(law, a, b, count, output);
    else if (philox)
        curand_law<curandStatePhilox4_32_10_t, double>(law, a, b, count, output);
    else
        curand_law<curandStateXORWOW_t, double>(law, a, b, count, output);
}
