/* peer_draws.cuh: the peers of peers.h on the GPU: draws by rejection, by bisection of the
 * cumulative weights and by cut points, with the alias tables' generator. Must not know: what they
 * are compared with. */
#ifndef LEVY_BENCH_PEER_DRAWS_CUH
#define LEVY_BENCH_PEER_DRAWS_CUH

#include "bench/alias/bench_alias.cuh"
#include "kernels/samplers/alias/alias_draw.cuh"
extern "C" {
#include "kernels/samplers/alias/guide.h"
}

struct peer_tables {
    uint64_t n;
    uint32_t cells;
    const double *cumulative;
    const uint32_t *start;
    peer_rejection rejection;
};

enum peer { PEER_REJECTION, PEER_BISECTION, PEER_CUT_POINTS, PEERS };
static const char *const peer_names[] = {"rejection", "bisection", "cut_points"};

template <int PEER>
static __global__ void peer_draws(peer_tables t, uint64_t seed, uint64_t draws,
                                  unsigned long long *sum)
{
    const uint64_t thread = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x,
                   threads = (uint64_t)gridDim.x * blockDim.x;
    generator_mwc g;
    g.seed(seed, thread);
    uint32_t own = 0;
    for (uint64_t left = draw_share(draws, thread, threads); left > 0; --left) {
        int64_t item;
        do {
            uint32_t high, low;
            g.two(&high, &low);
            const uint64_t word = (uint64_t)high << 32 | low;
            const double u = (double)(int64_t)(word >> 11) * 0x1p-53;
            if (PEER == PEER_REJECTION)
                item = peer_rejection_try(&t.rejection, word);
            else if (PEER == PEER_BISECTION)
                item = peer_bisect(t.cumulative, 0, (uint32_t)(t.n - 1), u);
            else
                item = peer_guided(t.cumulative, t.start, t.cells, u);
        } while (item < 0);
        own += (uint32_t)item;
    }
    draw_total(sum, own);
}

template <class T>
static T *device_copy(const T *from, uint64_t n)
{
    T *const to = device_new<T>(n);
    MUST(cudaMemcpy(to, from, n * sizeof *to, cudaMemcpyHostToDevice));
    return to;
}

/* Rows of all peers for n uniform weights; `own`: the alias table's rate. */
static void time_peers(const char *size, uint64_t n, double own)
{
    double *const device_weights = device_new<double>(n);
    std::vector<double> w(n);
    fill(device_weights, n, UNIFORM);
    MUST(cudaMemcpy(w.data(), device_weights, n * sizeof w[0], cudaMemcpyDeviceToHost));
    double total = 0.0;
    for (double x : w) total += x;
    levy_guide *guide;
    levy_alias_fault fault;
    const levy_alias_weights weights = {w.data(), nullptr, n};
    MUST(levy_guide_create(&levy_memory_default, &weights, 0, NULL, &guide, &fault));
    const uint64_t places = peer_rejection_places(w.data(), n, total), words = (places + 63) / 64;
    std::vector<uint64_t> starts(words);
    std::vector<uint32_t> before(words);
    std::vector<float> fractions(n);
    peer_rejection_fill(w.data(), n, total, places, starts.data(), before.data(), fractions.data());
    const peer_tables t = {n,
                           guide->cells,
                           device_copy(guide->cumulative, n),
                           device_copy(guide->start, (uint64_t)guide->cells + 1),
                           {places, device_copy(starts.data(), words),
                            device_copy(before.data(), words), device_copy(fractions.data(), n)}};
    unsigned long long *const sum = device_new<unsigned long long>(1);
    const uint64_t draws = 200000000;
    void (*const kernels[PEERS])(peer_tables, uint64_t, uint64_t, unsigned long long *) = {
        peer_draws<PEER_REJECTION>, peer_draws<PEER_BISECTION>, peer_draws<PEER_CUT_POINTS>};
    for (int peer = 0; peer < PEERS; ++peer) {
        const double ms = median_ms(3, [&] {
            kernels[peer]<<<1056, 256>>>(t, 5, draws, sum);
            MUST(cudaGetLastError());
        });
        const double rate = (double)draws / ms * 1e-6;
        row(std::string("alias_peer_") + peer_names[peer] + "_" + size, own,
            "G draws/s, alias table", peer_names[peer], rate, own / rate);
    }
    const void *const owned[] = {
        device_weights,     t.cumulative,          t.start, t.rejection.starts,
        t.rejection.before, t.rejection.fractions, sum};
    for (const void *p : owned) MUST(cudaFree((void *)p));
    levy_guide_destroy(guide);
}

#endif
