/* asian.cu: the best staged pipeline for asian64: cuRAND writes Sobol normals to memory, a kernel
 * reads them, builds the bridge in registers, prices. Also with the paths written out and averaged
 * by a third kernel. Portions of several sizes are tried, small ones stay in the L2 cache; the
 * fastest of all counts. */
#include "bench/peers/peer.cuh"

#include <cmath>
#include <curand.h>
#include <string>

enum { STEPS = 64, THREADS = 128 };

template <class R>
struct staged_terms {
    R drift, deviation;
}; /* per step, logarithms to base 2 */

__device__ __forceinline__ float staged_exp2(float x) { return exp2f(x); }
__device__ __forceinline__ double staged_exp2(double x) { return exp2(x); }

/* Bisection over 64 equal steps, normals in the order of construction; the last date first. */
template <class R>
__device__ __forceinline__ void staged_bridge(const R *__restrict__ normals, size_t paths, size_t p,
                                              R (&w)[STEPS + 1])
{
    w[0] = 0;
    w[STEPS] = R(8) * normals[p];
    int d = 1;
#pragma unroll
    for (int h = STEPS / 2; h >= 1; h >>= 1) {
#pragma unroll
        for (int i = h; i < STEPS; i += 2 * h)
            w[i] = R(0.5) * (w[i - h] + w[i + h]) +
                   R(sqrt(0.5 * h)) * normals[(size_t)d++ * paths + p];
    }
}

template <class R>
__device__ __forceinline__ R staged_payoff(R sum)
{
    const R value = R(100) * (sum * R(1.0 / STEPS) - R(1));
    return value > 0 ? value : R(0);
}

template <class R>
__global__ void __launch_bounds__(THREADS)
    staged_price(const R *__restrict__ normals, R *payoffs, size_t paths, staged_terms<R> t)
{
    const size_t p = blockIdx.x * (size_t)THREADS + threadIdx.x;
    R w[STEPS + 1], sum = 0;
    if (p >= paths) return;
    staged_bridge(normals, paths, p, w);
#pragma unroll
    for (int i = 1; i <= STEPS; ++i) sum += staged_exp2(t.drift * R(i) + t.deviation * w[i]);
    payoffs[p] += staged_payoff(sum);
}

template <class R>
__global__ void __launch_bounds__(THREADS)
    staged_paths(const R *__restrict__ normals, R *x, size_t paths)
{
    const size_t p = blockIdx.x * (size_t)THREADS + threadIdx.x;
    R w[STEPS + 1];
    if (p >= paths) return;
    staged_bridge(normals, paths, p, w);
#pragma unroll
    for (int i = 1; i <= STEPS; ++i) x[(size_t)(i - 1) * paths + p] = w[i];
}

template <class R>
__global__ void __launch_bounds__(THREADS)
    staged_average(const R *__restrict__ x, R *payoffs, size_t paths, staged_terms<R> t)
{
    const size_t p = blockIdx.x * (size_t)THREADS + threadIdx.x;
    R sum = 0;
    if (p >= paths) return;
#pragma unroll 8
    for (int i = 1; i <= STEPS; ++i)
        sum += staged_exp2(t.drift * R(i) + t.deviation * x[(size_t)(i - 1) * paths + p]);
    payoffs[p] += staged_payoff(sum);
}

static void staged_normals(curandGenerator_t g, float *z, size_t n)
{
    PEER_CHECK(curandGenerateNormal(g, z, n, 0.0f, 1.0f));
}
static void staged_normals(curandGenerator_t g, double *z, size_t n)
{
    PEER_CHECK(curandGenerateNormalDouble(g, z, n, 0.0, 1.0));
}

/* `portions` of `paths` each; returns path-steps per second. */
template <class R>
static double staged_measure(const char *row, int stages, size_t paths, size_t total)
{
    const size_t portions = total / paths ? total / paths : 1, n = paths * STEPS;
    const unsigned blocks = (unsigned)((paths + THREADS - 1) / THREADS);
    const double scale = 1.4426950408889634;
    const staged_terms<R> t{(R)(0.03 / STEPS * scale), (R)(0.2 / 8.0 * scale)};
    R *normals, *x = nullptr, *payoffs;
    curandGenerator_t generator;
    PEER_CHECK(cudaMalloc(&normals, n * sizeof(R)));
    if (stages == 3) PEER_CHECK(cudaMalloc(&x, n * sizeof(R)));
    PEER_CHECK(cudaMalloc(&payoffs, paths * sizeof(R)));
    PEER_CHECK(curandCreateGenerator(&generator, CURAND_RNG_QUASI_SOBOL32));
    PEER_CHECK(curandSetQuasiRandomGeneratorDimensions(generator, STEPS));
    const std::string what = std::string(row) + ", " + std::to_string(stages) +
                             " stages, portions of " + std::to_string(paths);
    const double seconds = peer_seconds(what.c_str(), [&] {
        PEER_CHECK(curandSetGeneratorOffset(generator, 0));
        PEER_CHECK(cudaMemsetAsync(payoffs, 0, paths * sizeof(R)));
        for (size_t k = 0; k < portions; ++k) {
            staged_normals(generator, normals, n);
            if (stages == 2) staged_price<R><<<blocks, THREADS>>>(normals, payoffs, paths, t);
            if (stages == 3) staged_paths<R><<<blocks, THREADS>>>(normals, x, paths);
            if (stages == 3) staged_average<R><<<blocks, THREADS>>>(x, payoffs, paths, t);
        }
    });
    std::vector<R> host(paths);
    PEER_CHECK(cudaMemcpy(host.data(), payoffs, paths * sizeof(R), cudaMemcpyDeviceToHost));
    double sum = 0.0;
    for (R payoff : host) sum += payoff;
    const double price = std::exp(-0.05) * sum / ((double)paths * (double)portions);
    std::fprintf(stderr, "    price %.4f (5.837)\n", price);
    if (!(std::fabs(price - 5.837) <= 0.05 + 20.0 / std::sqrt((double)paths * (double)portions)))
        peer_check(1, "the price of the Asian option");
    PEER_CHECK(curandDestroyGenerator(generator));
    PEER_CHECK(cudaFree(normals));
    PEER_CHECK(cudaFree(x));
    PEER_CHECK(cudaFree(payoffs));
    return (double)portions * (double)n / seconds;
}

template <class R>
static void staged_best(const char *row)
{
    const size_t total = (size_t)peer_paths((double)(1 << 24));
    double best = 0.0;
    for (int stages = 2; stages <= 3; ++stages)
        for (size_t paths = (size_t)1 << 16; paths <= (size_t)1 << 22; paths *= 4) {
            const size_t fits = paths < total ? paths : total;
            const double rate = staged_measure<R>(row, stages, fits, total);
            if (rate > best) best = rate;
        }
    peer_line(row, best, "path-steps/s");
}

int main(int argc, char **argv)
{
    const peer_rows rows{argc, argv};
    if (rows.asked("asian64_f32")) staged_best<float>("asian64_f32");
    if (rows.asked("asian64_f64")) staged_best<double>("asian64_f64");
    return 0;
}
