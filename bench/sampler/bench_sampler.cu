/* bench_sampler.cu: levy_sampler_draw and levy_sampler_counts on the GPU at hand, against kernels
 * that gather as many rows of eight bytes from a table of the same size, at places of a generator
 * of two instructions, and store what they find 16 bytes at a time, or count it. First the items:
 * draws, inverses and counts equal the CPU's, from any first draw, to any place of an array. Then
 * the rows alias_draw_1e3, _1e5, _1e6, _1e7 and alias_counts_1e3, _1e6, and, against what one
 * writes with CUB, alias_counts_histogram_*, alias_counts_sort_* and alias_sorted_* of 1e3 and 1e6.
 * Times are device events: the median of levy's, the best of the peer's over its grids. Prints a
 * JSON object a row: bench_sampler [DRAWS]. bench/sampler/build.sh builds it. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "bench/must.cuh"
#include "bench/sampler/cub_counts.cuh"
#include "bench/times.cuh"
#include "engine/levy.h"

enum { THREADS = 256 };

static levy_context *context;

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static levy_sampler *make(size_t n, const char *device)
{
    std::vector<double> w(n);
    levy_sampler *sampler = NULL;
    levy_sampler_spec spec;
    for (size_t i = 0; i < n; ++i)
        w[i] = ((double)(mix((i + 1) * 0x9E3779B97F4A7C15u) >> 11) + 0.5) * 0x1p-53;
    memset(&spec, 0, sizeof spec);
    spec.struct_size = sizeof spec;
    spec.weights = w.data();
    spec.count = n;
    spec.device = device;
    if (levy_sampler_create(context, &spec, &sampler) != LEVY_STATUS_OK) {
        for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
            fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->message);
        exit(1);
    }
    return sampler;
}

/* ---- Items ----------------------------------------------------------------------------------- */

enum work { DRAW, INVERT, COUNTS };

static void run(levy_sampler *s, int work, uint64_t first, size_t n, const double *u, uint32_t *to)
{
    const int status = work == DRAW     ? levy_sampler_draw(s, 7, first, n, to, NULL)
                       : work == INVERT ? levy_sampler_invert(s, u, n, to, NULL)
                                        : levy_sampler_counts(s, 7, first, n, to, NULL);
    if (status == LEVY_STATUS_OK) return;
    fprintf(stderr, "work %d: %s\n", work, levy_status_message(status));
    exit(1);
}

static void check(int work, size_t items, uint64_t first, size_t n, size_t offset)
{
    levy_sampler *const gpu = make(items, "cuda"), *const cpu = make(items, "cpu");
    const size_t length = offset + (work == COUNTS ? items : n) + 5;
    std::vector<uint32_t> want(length, 0xfffffff0u), got(length);
    std::vector<double> u(n);
    uint32_t *device;
    double *device_u;
    for (size_t k = 0; k < n; ++k) u[k] = (double)(mix(k + 77) >> 11) * 0x1p-53;
    MUST(cudaMalloc(&device, length * sizeof *device));
    MUST(cudaMalloc(&device_u, n * sizeof *device_u));
    MUST(cudaMemcpy(device_u, u.data(), n * sizeof *device_u, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(device, want.data(), length * sizeof *device, cudaMemcpyHostToDevice));
    run(gpu, work, first, n, device_u, device + offset);
    run(cpu, work, first, n, u.data(), want.data() + offset);
    MUST(cudaMemcpy(got.data(), device, length * sizeof *device, cudaMemcpyDeviceToHost));
    MUST(cudaFree(device));
    MUST(cudaFree(device_u));
    levy_sampler_destroy(gpu);
    levy_sampler_destroy(cpu);
    if (got == want) return;
    fprintf(stderr, "work %d of %zu items from %llu: other items than the CPU's\n", work, items,
            (unsigned long long)first);
    exit(1);
}

static void check_all(void)
{
    for (size_t items : {(size_t)1, (size_t)3, (size_t)4096, (size_t)4097, (size_t)1000000}) {
        for (size_t offset = 0; offset < 4; ++offset) {
            check(DRAW, items, 0, 1000003 + offset, offset);
            check(DRAW, items, 4294967296 - 5000, 10001, offset);
        }
        check(DRAW, items, 0 - (uint64_t)5000, 10001, 0);
        check(INVERT, items, 0, 300007, 1);
        check(COUNTS, items, 11, 1000003, 1);
        check(COUNTS, items, 0, 64, 0);
    }
    check(DRAW, 100, 0, (size_t)1 << 28, 3); /* a few draws that 32 bits do not decide */
}

/* ---- The peer -------------------------------------------------------------------------------- */

/* Multiply with carry: two instructions a word. */
struct words {
    uint64_t state;
    __device__ uint32_t next()
    {
        const uint32_t x = (uint32_t)state, carry = (uint32_t)(state >> 32);
        state = (uint64_t)x * 4294883355u + carry;
        return x ^ carry;
    }
};

static __global__ void make_rows(uint2 *rows, uint32_t n)
{
    for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        rows[i] = make_uint2(i * 2654435761u, (uint32_t)((uint64_t)(i * 2246822519u) * n >> 32));
}

static __device__ uint4 gather(const uint2 *rows, uint32_t n, words *w)
{
    uint32_t item[4];
    uint2 row[4];
    uint64_t place[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        place[i] = (uint64_t)w->next() * n;
        row[i] = __ldg(rows + (place[i] >> 32));
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        item[i] = (uint32_t)place[i] < row[i].x ? (uint32_t)(place[i] >> 32) : row[i].y;
    return make_uint4(item[0], item[1], item[2], item[3]);
}

template <bool COUNT>
static __global__ void __launch_bounds__(THREADS)
    peer(const uint2 *rows, uint32_t n, uint4 *items, size_t fours, uint32_t *counts)
{
    const size_t stride = (size_t)gridDim.x * THREADS;
    const size_t begin = (size_t)blockIdx.x * THREADS + threadIdx.x;
    words w = {begin * 0x9E3779B97F4A7C15u | 1u};
    for (size_t i = begin; i < fours; i += stride) {
        const uint4 item = gather(rows, n, &w);
        if (!COUNT) {
            __stcs(items + i, item);
            continue;
        }
        atomicAdd(counts + item.x, 1u);
        atomicAdd(counts + item.y, 1u);
        atomicAdd(counts + item.z, 1u);
        atomicAdd(counts + item.w, 1u);
    }
}

template <bool COUNT>
static double best_peer(uint32_t n, uint32_t *output, size_t draws)
{
    double best = 1e30;
    uint2 *rows;
    MUST(cudaMalloc(&rows, n * sizeof *rows));
    make_rows<<<1024, THREADS>>>(rows, n);
    for (int blocks = 132 * 2; blocks <= 132 * 512; blocks *= 2)
        best = std::min(best, (double)times([&] {
                            peer<COUNT>
                                <<<blocks, THREADS>>>(rows, n, (uint4 *)output, draws / 4, output);
                        })[0]);
    MUST(cudaFree(rows));
    return best;
}

static void print(const char *name, size_t draws, double ms, const char *peer, double best)
{
    printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"draws/s\", \"peer\": \"%s\", "
           "\"peer_value\": %.6g, \"ratio\": %.4g}\n",
           name, (double)draws / ms * 1e3, peer, (double)draws / best * 1e3, best / ms);
}

static void row(const char *name, int work, uint32_t n, size_t draws, uint32_t *output)
{
    levy_sampler *const sampler = make(n, "cuda");
    const double best =
        work == COUNTS ? best_peer<true>(n, output, draws) : best_peer<false>(n, output, draws);
    const std::vector<float> all = times([&] { run(sampler, work, 0, draws, NULL, output); });
    const double ms = all[all.size() / 2];
    const levy_sampler_facts *const f = levy_sampler_info(sampler);
    fprintf(stderr, "%s: %.3f ms (%.3f to %.3f), peer %.3f; %d registers, %d blocks a processor\n",
            name, ms, all[0], all.back(), best, f->registers, f->blocks_per_processor);
    print(name, draws, ms, "gather", best);
    levy_sampler_destroy(sampler);
}

/* ---- Against CUB ----------------------------------------------------------------------------- */

static void count(levy_sampler *sampler, const cub_counts *c)
{
    MUST(cudaMemsetAsync(c->counts, 0, c->items * sizeof *c->counts));
    run(sampler, COUNTS, 0, (size_t)c->draws, NULL, c->counts);
}

static std::vector<uint32_t> from_gpu(const uint32_t *array, size_t n)
{
    std::vector<uint32_t> copy(n);
    MUST(cudaMemcpy(copy.data(), array, n * sizeof *array, cudaMemcpyDeviceToHost));
    return copy;
}

static void expect_same(const char *what, bool same)
{
    if (same) return;
    fprintf(stderr, "%s: CUB's differ from levy's\n", what);
    exit(1);
}

/* All that is timed below gives the same counts, and the same items in order. */
static void check_cub(levy_sampler *sampler, cub_counts *c)
{
    count(sampler, c);
    const std::vector<uint32_t> counts = from_gpu(c->counts, c->items);
    run(sampler, DRAW, 0, (size_t)c->draws, NULL, c->drawn);
    c->count<uint32_t>();
    expect_same("counts", counts == from_gpu(c->histogram, c->items));
    MUST(cudaMemset(c->histogram, 0xff, c->items * sizeof *c->histogram));
    c->count<float>();
    expect_same("counts in single", counts == from_gpu(c->histogram, c->items));
    c->sort();
    c->encode();
    const std::vector<uint32_t> runs = from_gpu(c->runs, 1),
                                occurring = from_gpu(c->occurring, c->items),
                                lengths = from_gpu(c->lengths, c->items);
    std::vector<uint32_t> encoded(c->items);
    for (uint32_t i = 0; i < runs[0]; ++i) encoded.at(occurring.at(i)) = lengths[i];
    expect_same("lengths of runs", counts == encoded);
    c->expand();
    expect_same("items in order",
                from_gpu(c->sorted, (size_t)c->draws) == from_gpu(c->expanded, (size_t)c->draws));
}

static void cub_row(const std::string &name, const std::vector<float> &all, cub_counts *c,
                    const char *peer, double best)
{
    const double ms = all[all.size() / 2];
    fprintf(stderr, "%s: %.3f ms (%.3f to %.3f), %s %.3f; CUB's scratch: %.1f MB\n", name.c_str(),
            ms, all[0], all.back(), peer, best, (double)c->asked / 1e6);
    c->asked = 0;
    print(name.c_str(), (size_t)c->draws, ms, peer, best);
}

static void cub_rows(const std::string &of, uint32_t n, int draws)
{
    levy_sampler *const sampler = make(n, "cuda");
    cub_counts c(n, draws);
    const auto draw = [&] { run(sampler, DRAW, 0, (size_t)draws, NULL, c.drawn); };
    check_cub(sampler, &c);
    c.asked = 0;
    const std::vector<float> counts = times([&] { count(sampler, &c); });
    cub_row("alias_counts_histogram_" + of, counts, &c, "cub_histogram",
            std::min(times([&] { draw(), c.count<uint32_t>(); })[0],
                     times([&] { draw(), c.count<float>(); })[0]));
    cub_row("alias_counts_sort_" + of, counts, &c, "cub_sort_encode",
            times([&] { draw(), c.sort(), c.encode(); })[0]);
    cub_row("alias_sorted_" + of, times([&] { count(sampler, &c), c.expand(); }), &c, "cub_sort",
            times([&] { draw(), c.sort(); })[0]);
    levy_sampler_destroy(sampler);
}

int main(int count, char **arguments)
{
    const size_t draws = count > 1 ? strtoull(arguments[1], NULL, 10) : (size_t)1 << 28;
    uint32_t *output;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    check_all();
    fprintf(stderr, "items: the CPU's\n");
    MUST(cudaMalloc(&output, std::max(draws, (size_t)1 << 24) * sizeof *output));
    MUST(cudaMemset(output, 0, std::max(draws, (size_t)1 << 24) * sizeof *output));
    row("alias_draw_1e3", DRAW, 1000, draws, output);
    row("alias_draw_1e5", DRAW, 100000, draws, output);
    row("alias_draw_1e6", DRAW, 1000000, draws, output);
    row("alias_draw_1e7", DRAW, 10000000, draws, output);
    row("alias_counts_1e3", COUNTS, 1000, draws, output);
    row("alias_counts_1e6", COUNTS, 1000000, draws, output);
    MUST(cudaFree(output));
    const int cub_draws = (int)std::min(draws, (size_t)100000000);
    cub_rows("1e3", 1000, cub_draws);
    cub_rows("1e6", 1000000, cub_draws);
    levy_context_destroy(context);
    return 0;
}
