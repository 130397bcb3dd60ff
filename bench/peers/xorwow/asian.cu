/* asian.cu: what one writes with cuRAND's device API: an arithmetic Asian of 64 steps, incremental,
 * in one kernel, on XORWOW: states in registers, normals in pairs by curand_normal2, nothing stored
 * but one sum per thread. Compiled twice, with IEEE functions and with -use_fast_math (FAST). For
 * the rows time_to_error_* also sums of squares, and a digital of 10 on the average: the seconds go
 * on from those of the run as 1/sqrt(N). */
#include "bench/peers/xorwow.cuh"

enum { STEPS = 64, THREADS = 256 };

__device__ __forceinline__ float asian_exp2(float x) { return exp2f(x); }
__device__ __forceinline__ double asian_exp2(double x) { return exp2(x); }

/* What the paths pay, and whether their squares are summed, in places behind the sums. */
enum { ASIAN, ASIAN_SQUARES, DIGITAL_SQUARES };

/* Logarithms to base 2: spot 100, rate 5 %, volatility 20 %, one year, strike 100. */
template <class R, int KIND>
__global__ void __launch_bounds__(THREADS)
    asian(curandStateXORWOW_t *states, R *sums, int paths, R drift, R deviation)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    curandStateXORWOW_t state = states[i];
    R total = 0, squares = 0;
    for (int p = 0; p < paths; ++p) {
        R x = 0, sum = 0;
#pragma unroll 8
        for (int s = 0; s < STEPS; s += 2) {
            const auto z = xorwow_pair(&state, R(0));
            x += drift + deviation * z.x;
            sum += asian_exp2(x);
            x += drift + deviation * z.y;
            sum += asian_exp2(x);
        }
        const R over = R(100) * (sum * R(1.0 / STEPS) - R(1)),
                most = KIND == DIGITAL_SQUARES ? R(10) : over;
        const R payoff = over > 0 ? most : R(0);
        total += payoff;
        if (KIND != ASIAN) squares += payoff * payoff;
    }
    sums[i] = total;
    if (KIND != ASIAN) sums[gridDim.x * THREADS + i] = squares;
    states[i] = state;
}

/* `target`: the standard error over the price to which the seconds go on; 0: path-steps per second
 * are measured instead. */
template <class R, int KIND>
static void asian_measure(const char *row, const char *variant, double exact = 5.837,
                          double target = 0.0)
{
    const int blocks = xorwow_blocks(asian<R, KIND>, THREADS);
    const size_t threads = (size_t)blocks * THREADS;
    const int paths = xorwow_paths(threads);
    curandStateXORWOW_t *states;
    R *sums;
    PEER_CHECK(cudaMalloc(&states, threads * sizeof *states));
    const size_t n = KIND == ASIAN ? threads : 2 * threads;
    PEER_CHECK(cudaMalloc(&sums, n * sizeof *sums));
    xorwow_states<<<blocks, THREADS>>>(states, 1234);
    const double scale = 1.4426950408889634, drift = 0.03 / STEPS * scale,
                 deviation = 0.2 / 8.0 * scale;
    const double seconds = peer_seconds(row, [&] {
        asian<R, KIND><<<blocks, THREADS>>>(states, sums, paths, (R)drift, (R)deviation);
    });
    double error = 0.0;
    const double all = (double)threads * paths, mean = xorwow_mean(sums, n, threads, all, &error),
                 price = std::exp(-0.05) * mean;
    std::fprintf(stderr, "  %s: price %.4f (%.3f)\n", row, price, exact);
    if (!(std::fabs(price - exact) <= 0.1 + 40.0 / std::sqrt(all)))
        peer_check(1, "the price of the Asian option");
    if (target > 0.0)
        peer_line(row, seconds * std::pow(error / mean / target, 2.0), "s", variant);
    else
        peer_line(row, all * STEPS / seconds, "path-steps/s", variant);
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
    if (rows.asked("asian64_f32")) asian_measure<float, ASIAN>("asian64_f32", variant);
    if (*variant) return 0;
    if (rows.asked("asian64_f64")) asian_measure<double, ASIAN>("asian64_f64", variant);
    static const char asian64[] = "time_to_error_asian64",
                      digital[] = "time_to_error_digital_asian64";
    if (rows.asked(asian64)) {
        asian_measure<double, ASIAN_SQUARES>(asian64, "extrapolated", 5.837, 1e-5);
        asian_measure<float, ASIAN_SQUARES>(asian64, "single-extrapolated", 5.837, 1e-5);
    }
    if (rows.asked(digital)) {
        asian_measure<double, DIGITAL_SQUARES>(digital, "extrapolated", 5.315, 1e-5);
        asian_measure<float, DIGITAL_SQUARES>(digital, "single-extrapolated", 5.315, 1e-5);
    }
    return 0;
}
