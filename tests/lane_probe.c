/* lane_probe.c: see lane_probe.h. LEVY_ISA_NAME and LANE_SINGLE name the build. As CUDA (nvcc -x
 * cu) it is a program that prints the hash of nvcc's host pass; under NVRTC it is one kernel that
 * takes every function. */
#if !defined(__CUDACC_RTC__)
#include "tests/lane_probe.h"
#include <string.h>
#endif

#include "kernels/lane/normal.h"

/* with a ratio above 1 */
LANE_FN lane probe_exponential(lane x)
{
    const lane z = lane_min(lane_max(x, lane_of(R(-10.0))), lane_of(R(10.0))),
               above = lane_fma(z, z, lane_of(R(3.0))),
               below = lane_fma(z, lane_of(R(0.125)), lane_of(R(1.5)));
#if defined(LANE_SINGLE)
    return path_exponential(z, path_quotient(above, below));
#else
    return path_exponential(z, above, below);
#endif
}

#if defined(__CUDACC__)
#define PROBE_AT(vector, i) (vector).v[i]

extern "C" __global__ void lane_probe_kernel(real *output, const real *input, const uint32_t *words,
                                             uint32_t stride)
{
    const uint32_t at = blockIdx.x * blockDim.x + threadIdx.x;
    lane x;
    lane_word u;
    for (int i = 0; i < LANES; ++i) x.v[i] = input[at + stride * (uint32_t)i];
    for (int i = 0; i < LANES; ++i) u.v[i] = words[at + stride * (uint32_t)i];
    x = x * normal_from_word(u) + lane_uniform_from_word(u);
    x = lane_exp(x) + path_exp(x) * lane_normal_cdf(x) +
        lane_log(lane_abs(x)) * path_log(lane_abs(x)) + path_root(probe_exponential(x));
    for (int i = 0; i < LANES; ++i) output[at + stride * (uint32_t)i] = x.v[i];
}
#else
#define PROBE_AT(vector, i) (vector)[i]
#endif

#if !defined(__CUDACC_RTC__)
#define PROBE_JOIN_(a, b, c) a##b##c
#define PROBE_JOIN(a, b, c) PROBE_JOIN_(a, b, c)
#if defined(LANE_SINGLE)
#define PROBE_RUN PROBE_JOIN(lane_probe_run_, LEVY_ISA_NAME, _single)
#define PROBE_HASH PROBE_JOIN(lane_probe_hash_, LEVY_ISA_NAME, _single)
#else
#define PROBE_RUN PROBE_JOIN(lane_probe_run_, LEVY_ISA_NAME, _double)
#define PROBE_HASH PROBE_JOIN(lane_probe_hash_, LEVY_ISA_NAME, _double)
#endif
probe_run PROBE_RUN;
probe_hash PROBE_HASH;

#if defined(__CUDACC__)
LANE_FN lane probe_exp_four(lane x) { return x; }
#else
LANE_FN lane probe_exp_four(lane x)
{
    const lane arguments[4] = {x, x * R(-0.5), x + R(1.0), x * R(3.0)};
    lane four[4], bounded[4], differ = lane_of(R(0.0));
    path_exp_four(arguments, four, 0);
    path_exp_four(arguments, bounded, 1);
    for (int i = 0; i < 4; ++i) {
        const lane_bits alone = lane_as_bits(path_exp(arguments[i]));
        const lane_mask inside =
            (lane_mask)(arguments[i] < R(80.0)) & (lane_mask)(arguments[i] > R(-80.0));
        const lane_mask wrong = (lane_mask)(lane_as_bits(four[i]) != alone) |
                                (inside & (lane_mask)(lane_as_bits(bounded[i]) != alone));
        differ = differ + lane_select(wrong, lane_of(R(1.0)), lane_of(R(0.0)));
    }
    return differ;
}
#endif

LANE_FN lane probe_lane(probe_function function, lane x, lane_word u)
{
    switch (function) {
    case PROBE_UNIFORM:
        return lane_uniform_from_word(u);
    case PROBE_NORMAL:
        return normal_from_word(u);
    case PROBE_EXP:
        return lane_exp(x);
    case PROBE_LOG:
        return lane_log(x);
    case PROBE_CDF:
        return lane_normal_cdf(x);
    case PROBE_PATH_EXP:
        return path_exp(x);
    case PROBE_PATH_LOG:
        return path_log(x);
    case PROBE_EXP_FOUR:
        return probe_exp_four(x);
    case PROBE_PATH_EXPONENTIAL:
        return probe_exponential(x);
#if defined(LANE_SINGLE)
    case PROBE_MIXED_NORMAL:
        return normal_from_word(u);
    case PROBE_MIXED_EXP:
        break;
#else
    case PROBE_MIXED_NORMAL:
        return normal_mixed_from_word(u);
    case PROBE_MIXED_EXP:
        return lane_exp_mixed(x);
#endif
    }
    return x;
}

void PROBE_RUN(probe_function function, const double *input, double *output, size_t count)
{
    const int is_word =
        function == PROBE_UNIFORM || function == PROBE_NORMAL || function == PROBE_MIXED_NORMAL;
    for (size_t at = 0; at < count; at += LANES) {
        lane x = lane_of(R(1.0));
        lane_word u = lane_word_of(0);
        for (size_t i = 0; i < LANES && at + i < count; ++i) {
            if (is_word)
                PROBE_AT(u, i) = (uint32_t)input[at + i];
            else
                PROBE_AT(x, i) = (real)input[at + i];
        }
        x = probe_lane(function, x, u);
        for (size_t i = 0; i < LANES && at + i < count; ++i)
            output[at + i] = (double)PROBE_AT(x, i);
    }
}

/* Arguments by a counter and a multiplier: centre and ends of a function's range, and the words
 * next to both ends. */
static double probe_argument(probe_function function, uint32_t n)
{
    const uint32_t word = (n ^ (n >> 1)) * 2246822519u;
    const double unit = (double)(word >> 8) * 0x1p-24 + 0x1p-25;
    if (function == PROBE_EXP || function == PROBE_PATH_EXP) return (unit - 0.5) * 170.0;
    if (function == PROBE_CDF) return (unit - 0.5) * 26.0;
    if (function == PROBE_LOG || function == PROBE_PATH_LOG)
        return (n & 1) ? unit + 0.5 : unit * unit * unit * 1e6;
    if (n < 4096) return n;
    return n < 8192 ? 4294967295.0 - (n - 4096) : (double)word;
}

uint64_t PROBE_HASH(void)
{
    uint64_t hash = 14695981039346656037u;
    double input[256], output[256];
    for (int f = 0; f < (int)PROBE_FUNCTIONS; ++f)
        for (uint32_t n = 0; n < 65536; n += 256) {
            for (uint32_t i = 0; i < 256; ++i) input[i] = probe_argument((probe_function)f, n + i);
            PROBE_RUN((probe_function)f, input, output, 256);
            for (int i = 0; i < 256; ++i) {
                uint64_t bits;
                memcpy(&bits, &output[i], sizeof bits);
                hash = (hash ^ bits) * 1099511628211u;
            }
        }
    return hash;
}

#if defined(__CUDACC__)
#include <stdio.h>
int main(void)
{
    printf("%016llx\n", (unsigned long long)PROBE_HASH());
    return 0;
}
#endif
#endif
