/* knock_out.cu: as asian.cu, the gamma of an up-and-out call watched on 63 dates, which is a
 * difference of the payments on three spots of each path: the greatest logarithm and the last one
 * are all that these take. The spots are 2 % apart, as levy's are for plain paths of this option (a
 * fifth of the deviation). The seconds go on from those of the run as 1/sqrt(N). */
#include "bench/peers/xorwow.cuh"

enum { STEPS = 63, THREADS = 256 };
static const double move = 0.02, exact = -0.01436; /* of the spot; of the gamma */

/* The payment on a spot that is `size` times 100: strike 100, barrier 120. */
template <class R>
__device__ __forceinline__ R knock_out_pays(R size, R most, R last)
{
    const R level = R(100) * size, over = level * exp2(last) - R(100);
    return level * exp2(most) < R(120) && over > 0 ? over : R(0);
}

template <class R>
__global__ void __launch_bounds__(THREADS)
    knock_out(curandStateXORWOW_t *states, R *sums, int paths, R drift, R deviation)
{
    const unsigned i = blockIdx.x * THREADS + threadIdx.x;
    curandStateXORWOW_t state = states[i];
    R total = 0, squares = 0;
    for (int p = 0; p < paths; ++p) {
        R x = 0, most = R(-1e30);
#pragma unroll 8
        for (int s = 0; s < STEPS; s += 2) {
            const auto z = xorwow_pair(&state, R(0));
            x += drift + deviation * z.x;
            most = x > most ? x : most;
            if (s + 1 == STEPS) break;
            x += drift + deviation * z.y;
            most = x > most ? x : most;
        }
        const R gamma = knock_out_pays(R(1 + move), most, x) +
                        knock_out_pays(R(1 - move), most, x) - 2 * knock_out_pays(R(1), most, x);
        total += gamma;
        squares += gamma * gamma;
    }
    sums[i] = total;
    sums[gridDim.x * THREADS + i] = squares;
    states[i] = state;
}

template <class R>
static void knock_out_measure(const char *row, const char *variant)
{
    const int blocks = xorwow_blocks(knock_out<R>, THREADS);
    const size_t threads = (size_t)blocks * THREADS;
    const int paths = xorwow_paths(threads);
    curandStateXORWOW_t *states;
    R *sums;
    PEER_CHECK(cudaMalloc(&states, threads * sizeof *states));
    PEER_CHECK(cudaMalloc(&sums, 2 * threads * sizeof *sums));
    xorwow_states<<<blocks, THREADS>>>(states, 1234);
    const double scale = 1.4426950408889634, step = 0.25 / STEPS,
                 deviation = 0.2 * std::sqrt(step) * scale;
    const double seconds = peer_seconds(row, [&] {
        knock_out<R>
            <<<blocks, THREADS>>>(states, sums, paths, (R)(0.03 * step * scale), (R)deviation);
    });
    double error = 0.0;
    const double all = (double)threads * paths, unit = std::exp(-0.0125) / (1e4 * move * move),
                 mean = unit * xorwow_mean(sums, 2 * threads, threads, all, &error);
    error *= unit;
    std::fprintf(stderr, "  %s: gamma %.6f +- %.6f (%.6f)\n", row, mean, error, exact);
    if (!(std::fabs(mean - exact) <= 5.0 * error + 1e-4)) /* the bias of the moves */
        peer_check(1, "the gamma of the option");
    peer_line(row, seconds * std::pow(error / exact / 1e-3, 2.0), "s", variant);
    PEER_CHECK(cudaFree(states));
    PEER_CHECK(cudaFree(sums));
}

int main(int argc, char **argv)
{
    const peer_rows rows{argc, argv};
    static const char row[] = "time_to_error_knock_out63_gamma";
    if (!rows.asked(row)) return 0;
    knock_out_measure<double>(row, "extrapolated");
    knock_out_measure<float>(row, "single-extrapolated");
    return 0;
}
