/* autocall.cu: an autocallable note on three assets as one writes it by hand: a path a thread, in
 * time's order, on cuRAND's Philox as a function of counter and key, Box-Muller pairs, a path ends
 * with the year in which it is called. Twice: with levels as exponentials at each date, and with
 * the barrier as a logarithm (`logs`), which needs none but the last. Compiled with IEEE functions
 * and with -use_fast_math (FAST). */
#include "bench/peers/autocall/autocall.h"
#include "bench/peers/peer.cuh"

#include <string>

#include <curand_kernel.h>

enum { THREADS = 256, YEARS = 3, QUARTERS = 4, A_YEAR = QUARTERS * AUTOCALL_ASSETS };

struct autocall_single {
    float drift[3], factor[6], call[AUTOCALL_DATES], protection, repaid;
};

__device__ __forceinline__ void autocall_pair(unsigned a, unsigned b, float *z)
{
    const float u = fmaf((float)a, 0x1p-32f, 0x1p-33f), r = sqrtf(-2.0f * logf(u));
    float sine, cosine;
#ifdef FAST
    __sincosf((float)b * (6.2831853f * 0x1p-32f), &sine, &cosine);
#else
    sincospif((float)b * 0x1p-31f, &sine, &cosine);
#endif
    z[0] = r * cosine;
    z[1] = r * sine;
}

__device__ __forceinline__ void autocall_normals(unsigned year, size_t path, float *z)
{
#pragma unroll
    for (unsigned k = 0; k < A_YEAR / 4; ++k) {
        const uint4 w = curand_Philox4x32_10(
            make_uint4(year * (A_YEAR / 4) + k, 0, (unsigned)path, (unsigned)(path >> 32)),
            make_uint2(1234, 0));
        autocall_pair(w.x, w.y, z + 4 * k);
        autocall_pair(w.z, w.w, z + 4 * k + 2);
    }
}

/* The discounted payment of a path. */
template <bool LOGS>
__device__ __forceinline__ float autocall_path(const autocall_single &t, size_t path)
{
    float x0 = 0, x1 = 0, x2 = 0;
    for (int year = 0; year < YEARS; ++year) {
        float z[A_YEAR], paid = 0;
        autocall_normals(year, path, z);
#pragma unroll
        for (int q = 0; q < QUARTERS; ++q) {
            const float *const n = z + 3 * q;
            x0 += t.drift[0] + t.factor[0] * n[0];
            x1 += t.drift[1] + t.factor[1] * n[0] + t.factor[2] * n[1];
            x2 += t.drift[2] + t.factor[3] * n[0] + t.factor[4] * n[1] + t.factor[5] * n[2];
            const bool called = LOGS ? fminf(x0, fminf(x1, x2)) >= 0.0f
                                     : fminf(exp2f(x0), fminf(exp2f(x1), exp2f(x2))) >= 1.0f;
            if (called && paid == 0.0f) paid = t.call[QUARTERS * year + q];
        }
        if (paid > 0.0f) return paid;
    }
    const float worst = exp2f(fminf(x0, fminf(x1, x2)));
    return t.repaid * (worst < t.protection ? worst : 1.0f);
}

template <bool LOGS>
__global__ void __launch_bounds__(THREADS)
    autocall(const autocall_single t, size_t paths, double *sums)
{
    double sum = 0, squares = 0;
    const size_t stride = (size_t)gridDim.x * THREADS;
    for (size_t p = (size_t)blockIdx.x * THREADS + threadIdx.x; p < paths; p += stride) {
        const double paid = autocall_path<LOGS>(t, p);
        sum += paid;
        squares += paid * paid;
    }
    for (int lane = 16; lane > 0; lane /= 2) {
        sum += __shfl_down_sync(~0u, sum, lane);
        squares += __shfl_down_sync(~0u, squares, lane);
    }
    if (threadIdx.x % 32 != 0) return;
    atomicAdd(&sums[0], sum);
    atomicAdd(&sums[1], squares);
}

static autocall_single autocall_in_single(void)
{
    const autocall_terms t = autocall_make();
    autocall_single s;
    for (int i = 0; i < 3; ++i) s.drift[i] = (float)t.drift[i];
    for (int i = 0; i < 6; ++i) s.factor[i] = (float)t.factor[i];
    for (int i = 0; i < AUTOCALL_DATES; ++i) s.call[i] = (float)t.call[i];
    s.protection = (float)t.protection;
    s.repaid = (float)t.repaid;
    return s;
}

template <bool LOGS>
static void autocall_measure(const char *row, const char *variant)
{
    int device = 0, processors = 0, resident = 0;
    double *sums, host[2];
    const size_t paths = (size_t)peer_paths((double)(1 << 24));
    const autocall_single t = autocall_in_single();
    PEER_CHECK(cudaGetDevice(&device));
    PEER_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    PEER_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, autocall<LOGS>, THREADS, 0));
    PEER_CHECK(cudaMalloc(&sums, sizeof host));
    const std::string what = std::string(row) + " " + variant;
    const double seconds = peer_seconds(what.c_str(), [&] {
        PEER_CHECK(cudaMemsetAsync(sums, 0, sizeof host));
        autocall<LOGS><<<processors * resident, THREADS>>>(t, paths, sums);
    });
    PEER_CHECK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
    autocall_check(what.c_str(), host[0], host[1], (double)paths);
    peer_line(row, seconds, "s", variant);
    PEER_CHECK(cudaFree(sums));
}

int main(int argc, char **argv)
{
    static const char row[] = "autocall_script_f32";
    const peer_rows rows{argc, argv};
    if (!rows.asked(row)) return 0;
#ifdef FAST
    autocall_measure<false>(row, "fast_math");
    autocall_measure<true>(row, "fast_math_logs");
#else
    autocall_measure<false>(row, "");
    autocall_measure<true>(row, "logs");
#endif
    return 0;
}
