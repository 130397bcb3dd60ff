/* european.cu: a European call in one step by pseudo-random numbers, the shape of the samples that
 * come with CUDA: blocks of threads take an option each, a thread draws XORWOW normals, sums
 * payoffs and their squares, the block reduces. 262,144 paths an option, 8,192 options. Compiled
 * with IEEE functions and with -use_fast_math (FAST). */
#include "bench/peers/xorwow.cuh"

enum { THREADS = 256, PATHS = 262144 };

__device__ __forceinline__ float european_exp(float x) { return expf(x); }
__device__ __forceinline__ double european_exp(double x) { return exp(x); }

template <class R>
struct european_sums {
    R sum, squares;
};

template <class R>
__global__ void __launch_bounds__(THREADS)
    european(curandStateXORWOW_t *states, european_sums<R> *out, int options, R spot, R strike,
             R drift, R deviation)
{
    __shared__ R sums[THREADS], squares[THREADS];
    const unsigned t = threadIdx.x;
    curandStateXORWOW_t state = states[blockIdx.x * THREADS + t];
    for (int option = (int)blockIdx.x; option < options; option += (int)gridDim.x) {
        R sum = 0, square = 0;
#pragma unroll 4
        for (int p = (int)t; p < PATHS / 2; p += THREADS) {
            const auto z = xorwow_pair(&state, R(0));
            const R a = spot * european_exp(drift + deviation * z.x) - strike,
                    b = spot * european_exp(drift + deviation * z.y) - strike;
            const R up = a > 0 ? a : R(0);
            const R down = b > 0 ? b : R(0);
            sum += up + down;
            square += up * up + down * down;
        }
        sums[t] = sum;
        squares[t] = square;
        for (unsigned half = THREADS / 2; half; half /= 2) {
            __syncthreads();
            if (t < half) sums[t] += sums[t + half];
            if (t < half) squares[t] += squares[t + half];
        }
        if (t == 0) out[option] = {sums[0], squares[0]};
        __syncthreads();
    }
    states[blockIdx.x * THREADS + t] = state;
}

template <class R>
static void european_measure(const char *row, const char *variant)
{
    int device = 0, processors = 0, resident = 0;
    PEER_CHECK(cudaGetDevice(&device));
    PEER_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    PEER_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, european<R>, THREADS, 0));
    const int blocks = processors * resident;
    const double wanted = peer_paths(8192.0 * PATHS) / PATHS;
    const int options = wanted < blocks ? blocks : (int)wanted / blocks * blocks;
    curandStateXORWOW_t *states;
    european_sums<R> *out;
    PEER_CHECK(cudaMalloc(&states, (size_t)blocks * THREADS * sizeof *states));
    PEER_CHECK(cudaMalloc(&out, (size_t)options * sizeof *out));
    xorwow_states<<<blocks, THREADS>>>(states, 777);
    const double seconds = peer_seconds(row, [&] {
        european<R><<<blocks, THREADS>>>(states, out, options, R(100), R(105), R(0.03), R(0.2));
    });
    std::vector<european_sums<R>> host((size_t)options);
    PEER_CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof host[0], cudaMemcpyDeviceToHost));
    double total = 0.0;
    for (const european_sums<R> &sum : host) total += sum.sum;
    const double price = std::exp(-0.05) * total / ((double)options * PATHS);
    std::fprintf(stderr, "  %s: price %.4f (8.0214)\n", row, price);
    if (!(std::fabs(price - 8.0214) <= 0.02)) peer_check(1, "the price of the European option");
    peer_line(row, (double)options * PATHS / seconds, "paths/s", variant);
    PEER_CHECK(cudaFree(states));
    PEER_CHECK(cudaFree(out));
}

int main(int argc, char **argv)
{
    const peer_rows rows{argc, argv};
#ifdef FAST
    const char *const variant = "fast_math";
#else
    const char *const variant = "";
#endif
    if (rows.asked("european1_f32")) european_measure<float>("european1_f32", variant);
    if (rows.asked("european1_f64") && !*variant)
        european_measure<double>("european1_f64", variant);
    return 0;
}
