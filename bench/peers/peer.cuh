/* peer.cuh: what the CUDA peers share: timing by device events, the rows asked for, lines of
 * output. */
#pragma once
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

static void peer_check(int code, const char *what)
{
    if (code == 0) return;
    std::fprintf(stderr, "%s failed with code %d\n", what, code);
    std::exit(1);
}
#define PEER_CHECK(call) peer_check((int)(call), #call)

struct peer_rows {
    int n;
    char **names;
    bool asked(const char *name) const
    {
        for (int i = 1; i < n; ++i)
            if (!std::strcmp(names[i], name)) return true;
        return false;
    }
};

/* Paths per run, from LEVY_BENCH_PATHS ("2^20", "1048576") or as given; for trying a peer out. */
static double peer_paths(double usual)
{
    const char *const text = std::getenv("LEVY_BENCH_PATHS");
    if (!text || !*text) return usual;
    char *end = nullptr;
    const double base = std::strtod(text, &end);
    if (*end != '^') return base;
    double paths = 1.0;
    for (int k = std::atoi(end + 1); k > 0; --k) paths *= base;
    return paths;
}

/* Seconds of `work`, warm: the best of 15 by device events; all of them go to standard error as a
 * spread. */
template <class F>
static double peer_seconds(const char *what, F work)
{
    enum { REPEATS = 15 };
    std::vector<float> times;
    cudaEvent_t start, stop;
    PEER_CHECK(cudaEventCreate(&start));
    PEER_CHECK(cudaEventCreate(&stop));
    work();
    work();
    PEER_CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < REPEATS; ++i) {
        float ms;
        PEER_CHECK(cudaEventRecord(start));
        work();
        PEER_CHECK(cudaEventRecord(stop));
        PEER_CHECK(cudaEventSynchronize(stop));
        PEER_CHECK(cudaEventElapsedTime(&ms, start, stop));
        times.push_back(ms);
    }
    PEER_CHECK(cudaGetLastError());
    PEER_CHECK(cudaEventDestroy(start));
    PEER_CHECK(cudaEventDestroy(stop));
    std::sort(times.begin(), times.end());
    std::fprintf(stderr, "  %s: best %.4f ms, median %.4f, worst %.4f\n", what, times.front(),
                 times[REPEATS / 2], times.back());
    return 1e-3 * times.front();
}

static void peer_line(const char *row, double value, const char *unit, const char *variant = "")
{
    std::printf("%s %.6g %s%s%s\n", row, value, unit, *variant ? " " : "", variant);
    std::fflush(stdout);
}
