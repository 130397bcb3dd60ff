/* copy.cu: the limit of a bridge that reads normals and writes paths: the best copy kernel over the
 * same bytes, 1,439,744 paths of 64 steps. Tried are plain copies (grid sizes, 16-byte accesses)
 * and copies with the bridge's own pattern (a thread reads 64 streams a few paths wide, then writes
 * 64), with and without streaming hints; the best counts. cudaMemcpy of the same bytes stands
 * beside it. Bytes per second, read and written. */
#include "bench/peers/peer.cuh"

#include <string>

enum { STEPS = 64, PATHS = 1439744 };

template <int HINTS>
__global__ void copy_plain(const float4 *__restrict__ from, float4 *__restrict__ to, size_t n)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        if (HINTS)
            __stcs(to + i, __ldcs(from + i));
        else
            to[i] = from[i];
    }
}

template <class V, int HINTS>
__global__ void __launch_bounds__(128)
    copy_streams(const V *__restrict__ from, V *__restrict__ to, size_t wide)
{
    const size_t p = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (p >= wide) return;
    V kept[STEPS];
#pragma unroll
    for (int s = 0; s < STEPS; ++s)
        kept[s] = HINTS ? __ldcs(from + s * wide + p) : from[s * wide + p];
#pragma unroll
    for (int s = 0; s < STEPS; ++s) {
        if (HINTS)
            __stcs(to + s * wide + p, kept[s]);
        else
            to[s * wide + p] = kept[s];
    }
}

struct copy_case {
    void *from, *to;
    size_t bytes;
    double best;
    template <class F>
    void attempt(const char *what, F work)
    {
        const double rate = 2.0 * (double)bytes / peer_seconds(what, work);
        if (rate > best) best = rate;
    }
    template <class V>
    void streams(const char *what)
    {
        const size_t wide = bytes / sizeof(V) / STEPS;
        const unsigned blocks = (unsigned)((wide + 127) / 128);
        attempt(what, [&] { copy_streams<V, 0><<<blocks, 128>>>((const V *)from, (V *)to, wide); });
        attempt((std::string(what) + ", hints").c_str(),
                [&] { copy_streams<V, 1><<<blocks, 128>>>((const V *)from, (V *)to, wide); });
    }
};

static copy_case copy_best(void *from, void *to, size_t bytes, int processors)
{
    copy_case c{from, to, bytes, 0.0};
    const size_t n = bytes / sizeof(float4);
    for (int blocks : {4, 8, 16, 32}) {
        const std::string what =
            "plain, " + std::to_string(blocks) + " x 512 threads per processor";
        c.attempt(what.c_str(), [&] {
            copy_plain<0><<<processors * blocks, 512>>>((const float4 *)from, (float4 *)to, n);
        });
        c.attempt((what + ", hints").c_str(), [&] {
            copy_plain<1><<<processors * blocks, 512>>>((const float4 *)from, (float4 *)to, n);
        });
    }
    c.attempt("plain, one access a thread", [&] {
        copy_plain<0><<<(unsigned)((n + 511) / 512), 512>>>((const float4 *)from, (float4 *)to, n);
    });
    c.streams<float>("streams of 4 B");
    c.streams<float2>("streams of 8 B");
    return c;
}

int main(int argc, char **argv)
{
    const peer_rows rows{argc, argv};
    static const char *const singles[] = {"bridge_paths_f32", "bridge_increments_f32",
                                          "bridge_random_order_f32", "bridge_dim4_f32"};
    static const char *const doubles[] = {"bridge_paths_f64", "bridge_increments_f64"};
    int device = 0, processors = 0;
    void *from, *to;
    const size_t most = (size_t)PATHS * STEPS * sizeof(double);
    PEER_CHECK(cudaGetDevice(&device));
    PEER_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    PEER_CHECK(cudaMalloc(&from, most));
    PEER_CHECK(cudaMalloc(&to, most));
    PEER_CHECK(cudaMemset(from, 1, most));
    for (int wide = 0; wide < 2; ++wide) {
        const size_t bytes = wide ? most : most / 2;
        std::vector<const char *> asked;
        for (const char *row : singles)
            if (!wide && rows.asked(row)) asked.push_back(row);
        for (const char *row : doubles)
            if (wide && rows.asked(row)) asked.push_back(row);
        if (asked.empty()) continue;
        const copy_case best = copy_best(from, to, bytes, processors);
        const double memcpy_seconds = peer_seconds("cudaMemcpy", [&] {
            PEER_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice));
        });
        for (const char *row : asked) {
            peer_line(row, best.best, "B/s");
            peer_line(row, 2.0 * (double)bytes / memcpy_seconds, "B/s", "cudamemcpy");
        }
    }
    return 0;
}
