/* asian.cu: what one writes with cuRAND's device API: an arithmetic Asian of 64 steps, incremental,
 * in one kernel, on XORWOW: states in registers, normals in pairs by curand_normal2, nothing stored
 * but one sum per thread. Compiled twice, with IEEE functions and with -use_fast_math (FAST). */
#include "bench/peers/peer.cuh"

#include <cmath>
#include <curand_kernel.h>

enum { STEPS = 64, THREADS = 256 };

__global__ void asian_states(curandStateXORWOW_t *states)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    curand_init(1234, i, 0, &states[i]);
}

__device__ __forceinline__ float2 asian_pair(curandStateXORWOW_t *state, float)
{
    return curand_normal2(state);
}
__device__ __forceinline__ double2 asian_pair(curandStateXORWOW_t *state, double)
{
    return curand_normal2_double(state);
}
__device__ __forceinline__ float asian_exp2(float x) { return exp2f(x); }
__device__ __forceinline__ double asian_exp2(double x) { return exp2(x); }

/* Logarithms to base 2: spot 100, rate 5 %, volatility 20 %, one year, strike 100. */
template <class R>
__global__ void __launch_bounds__(THREADS)
    asian(curandStateXORWOW_t *states, R *sums, int paths, R drift, R deviation)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    curandStateXORWOW_t state = states[i];
    R total = 0;
    for (int p = 0; p < paths; ++p) {
        R x = 0, sum = 0;
#pragma unroll 8
        for (int s = 0; s < STEPS; s += 2) {
            const auto z = asian_pair(&state, R(0));
            x += drift + deviation * z.x;
            sum += asian_exp2(x);
            x += drift + deviation * z.y;
            sum += asian_exp2(x);
        }
        const R payoff = R(100) * (sum * R(1.0 / STEPS) - R(1));
        total += payoff > 0 ? payoff : R(0);
    }
    sums[i] = total;
    states[i] = state;
}

template <class R>
static void asian_measure(const char *row, const char *variant)
{
    int device = 0, processors = 0, resident = 0;
    PEER_CHECK(cudaGetDevice(&device));
    PEER_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    PEER_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, asian<R>, THREADS, 0));
    const int blocks = processors * resident * 4;
    const size_t threads = (size_t)blocks * THREADS;
    int paths = (int)(peer_paths((double)(1 << 28)) / (double)threads);
    if (paths < 1) paths = 1;
    curandStateXORWOW_t *states;
    R *sums;
    PEER_CHECK(cudaMalloc(&states, threads * sizeof *states));
    PEER_CHECK(cudaMalloc(&sums, threads * sizeof *sums));
    asian_states<<<blocks, THREADS>>>(states);
    const double scale = 1.4426950408889634, drift = 0.03 / STEPS * scale,
                 deviation = 0.2 / 8.0 * scale;
    const double seconds = peer_seconds(
        row, [&] { asian<R><<<blocks, THREADS>>>(states, sums, paths, (R)drift, (R)deviation); });
    std::vector<R> host(threads);
    PEER_CHECK(cudaMemcpy(host.data(), sums, threads * sizeof(R), cudaMemcpyDeviceToHost));
    double total = 0.0;
    for (R sum : host) total += sum;
    const double price = std::exp(-0.05) * total / ((double)threads * paths);
    std::fprintf(stderr, "  %s: price %.4f (5.837)\n", row, price);
    if (!(std::fabs(price - 5.837) <= 0.1 + 40.0 / std::sqrt((double)threads * paths)))
        peer_check(1, "the price of the Asian option");
    peer_line(row, (double)threads * paths * STEPS / seconds, "path-steps/s", variant);
    PEER_CHECK(cudaFree(states));
    PEER_CHECK(cudaFree(sums));
}

int main(int argc, char **argv)
{
    const peer_rows rows{argc, argv};
#ifdef FAST
    const char *const variant = "fast_math";
#else
    const char *const variant = "";
#endif
    if (rows.asked("asian64_f32")) asian_measure<float>("asian64_f32", variant);
    if (rows.asked("asian64_f64") && !*variant) asian_measure<double>("asian64_f64", variant);
    return 0;
}
