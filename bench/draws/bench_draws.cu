/* bench_draws.cu: levy_draw_each on the GPU at hand. First the items: they and the first path that
 * cannot be drawn from equal the CPU's, for all kernels, counts of draws, given and made words, and
 * from a captured graph. Then the rows draw_each_k1024 and draw_each_k64, in both precisions, with
 * 1 and 8 draws of a path: draws a second, device events, median, beside the best of kernels that
 * read the weights and draw nothing. Prints a JSON object a row: bench_draws [check].
 * bench/draws/build.sh builds it. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bench/must.cuh"
#include "bench/times.cuh"
#include "engine/levy.h"

static levy_context *context;

static uint64_t mix(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* An array on the host and its copy on the GPU. */
template <class T>
struct both {
    std::vector<T> host;
    T *device;

    both(size_t n, T value) : host(n, value)
    {
        MUST(cudaMalloc(&device, (n + 1) * sizeof(T)));
        send();
    }
    ~both() { MUST(cudaFree(device)); }
    both(const both &) = delete;
    void send()
    {
        MUST(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> back() const
    {
        std::vector<T> copy(host.size());
        MUST(cudaMemcpy(copy.data(), device, copy.size() * sizeof(T), cudaMemcpyDeviceToHost));
        return copy;
    }
};

static void draw(const levy_draw_spec &spec, uint32_t *items, cudaStream_t stream)
{
    if (levy_draw_each(context, &spec, items, stream) == LEVY_STATUS_OK) return;
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->message);
    exit(1);
}

/* ---- Items ----------------------------------------------------------------------------------- */

template <class Real>
struct problem {
    enum { STATES = 5 };
    both<Real> theta, phi;
    both<uint32_t> states, words, items;
    both<uint64_t> fault;
    levy_draw_spec spec;

    problem(uint32_t k, size_t paths, uint32_t draws, size_t stride, bool made, bool odd)
        : theta(paths * stride, (Real)0), phi(STATES * stride, (Real)0), states(paths, 0),
          words(paths * draws, 0), items(paths * draws, 0xffffffffu), fault(1, UINT64_MAX)
    {
        for (size_t i = 0; i < theta.host.size(); ++i)
            theta.host[i] = mix(i) % 3 && i % stride != i / stride % k
                                ? (Real)0
                                : (Real)((double)(mix(i) >> 11) * 0x1p-53 + 1e-9);
        for (size_t i = 0; i < phi.host.size(); ++i)
            phi.host[i] = (Real)(0.25 + (double)(mix(i + 99) >> 11) * 0x1p-53);
        for (size_t p = 0; p < paths; ++p) states.host[p] = mix(p) % (STATES + 1);
        for (size_t i = 0; i < words.host.size(); ++i)
            words.host[i] = i % 17 == 3 ? 0xffffffffu : (uint32_t)mix(i + 7);
        for (size_t p = 3; odd && p < paths; p += 11)
            for (uint32_t i = 0; i < k; ++i)
                theta.host[p * stride + i] = p % 2 ? (Real)0 : (Real)NAN;
        theta.send();
        phi.send();
        states.send();
        words.send();
        memset(&spec, 0, sizeof spec);
        spec.struct_size = sizeof spec;
        spec.n_paths = paths;
        spec.theta_stride = spec.phi_stride = stride;
        spec.n_items = k;
        spec.n_states = STATES;
        spec.precision = sizeof(Real) == 4 ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE;
        spec.n_draws = draws;
        spec.seed = 0x123456789abcdefu;
        spec.first_path = 0xfffffff0u;
        spec.first_draw = 0x3fffffffeu;
        words_made = made;
    }
    bool words_made;

    levy_draw_spec on(bool gpu)
    {
        levy_draw_spec s = spec;
        s.device = gpu ? "cuda" : "cpu";
        s.theta = gpu ? theta.device : theta.host.data();
        s.phi = gpu ? phi.device : phi.host.data();
        s.states = gpu ? states.device : states.host.data();
        s.words = gpu ? words.device : words.host.data();
        if (words_made) s.words = NULL;
        s.fault = gpu ? fault.device : fault.host.data();
        return s;
    }
};

template <class Real>
static void check(uint32_t k, size_t paths, uint32_t draws, size_t padding, bool made, bool odd,
                  levy_context *cpu)
{
    problem<Real> p(k, paths, draws, k + padding, made, odd);
    const levy_draw_spec host = p.on(false);
    draw(p.on(true), p.items.device, NULL);
    if (levy_draw_each(cpu, &host, p.items.host.data(), NULL) != LEVY_STATUS_OK) exit(1);
    if (p.items.back() == p.items.host && p.fault.back() == p.fault.host) return;
    fprintf(stderr,
            "%u items, %zu paths, %u draws, padding %zu, made %d, odd %d, %zu bytes: other "
            "items than the CPU's\n",
            k, paths, draws, padding, made, odd, sizeof(Real));
    exit(1);
}

/* A captured call, replayed with other weights: the items of a call of that time. */
static void check_graph(levy_context *cpu)
{
    problem<double> p(100, 1000, 3, 100, true, false);
    const levy_draw_spec host = p.on(false);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t runs;
    MUST(cudaStreamCreate(&stream));
    MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    draw(p.on(true), p.items.device, stream);
    MUST(cudaStreamEndCapture(stream, &graph));
    MUST(cudaGraphInstantiate(&runs, graph, 0));
    for (size_t i = 0; i < p.theta.host.size(); ++i) p.theta.host[i] += 0.5;
    p.theta.send();
    MUST(cudaGraphLaunch(runs, stream));
    MUST(cudaStreamSynchronize(stream));
    if (levy_draw_each(cpu, &host, p.items.host.data(), NULL) != LEVY_STATUS_OK) exit(1);
    if (p.items.back() != p.items.host) {
        fprintf(stderr, "a graph: other items than the CPU's\n");
        exit(1);
    }
    MUST(cudaGraphExecDestroy(runs));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaStreamDestroy(stream));
}

static void check_all(void)
{
    levy_context *cpu;
    if (levy_context_create(NULL, &cpu) != LEVY_STATUS_OK) exit(1);
    for (uint32_t k : {1u, 7u, 12u, 31u, 32u, 33u, 64u, 100u, 130u, 1023u, 1024u, 8192u})
        for (size_t paths : {(size_t)1, (size_t)31, (size_t)32, (size_t)33, (size_t)1000})
            for (uint32_t draws : {1u, 5u, 300u})
                for (int kind = 0; kind < 4; ++kind) {
                    check<double>(k, paths, draws, kind, kind % 2, kind > 1, cpu);
                    check<float>(k, paths, draws, kind, kind % 2, kind > 1, cpu);
                }
    check<double>(500, 3, 1000000, 0, true, false, cpu);
    check<float>(3, 300000, 2, 0, true, false, cpu);
    check_graph(cpu);
    levy_context_destroy(cpu);
    fprintf(stderr, "items: the CPU's\n");
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* No draw can do without reading the weights. */
static __global__ void read_all(const uint4 *from, size_t n, unsigned *sink)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned seen = 0;
#pragma unroll 4
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += stride) {
        const uint4 v = from[i];
        seen ^= v.x ^ v.y ^ v.z ^ v.w;
    }
    if (seen == 0x12345u) *sink = seen; /* hardly ever, but the compiler cannot know */
}

static double best_read(const void *from, size_t bytes, unsigned *sink)
{
    double best = 1e30;
    for (int blocks = 132 * 4; blocks <= 132 * 64; blocks *= 2)
        best = std::min(best, (double)times([&] {
                            read_all<<<blocks, 512>>>((const uint4 *)from, bytes / 16, sink);
                        })[0]);
    return best;
}

template <class Real>
static void row(uint32_t k, size_t paths, uint32_t draws)
{
    problem<Real> p(k, paths, draws, k, true, false);
    const levy_draw_spec spec = p.on(true);
    const double peer = best_read(p.theta.device, paths * k * sizeof(Real), p.items.device);
    const std::vector<float> all = times([&] { draw(spec, p.items.device, NULL); });
    const double ms = all[all.size() / 2];
    fprintf(stderr, "%.3f ms (%.3f to %.3f), theta at %.0f GB/s\n", ms, all[0], all.back(),
            (double)paths * k * sizeof(Real) / ms * 1e-6);
    const double all_draws = (double)paths * draws;
    printf("{\"name\": \"draw_each_k%u_%s_%u\", \"value\": %.6g, \"unit\": \"draws/s\", "
           "\"peer\": \"reading the weights\", \"peer_value\": %.6g, \"ratio\": %.4g}\n",
           k, sizeof(Real) == 4 ? "single" : "double", draws, all_draws / ms * 1e3,
           all_draws / peer * 1e3, peer / ms);
}

int main(int count, char **)
{
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    check_all();
    for (uint32_t draws : {1u, 8u}) {
        if (count > 1) break;
        row<float>(1024, (size_t)1 << 18, draws);
        row<double>(1024, (size_t)1 << 17, draws);
        row<float>(64, (size_t)1 << 22, draws);
        row<double>(64, (size_t)1 << 21, draws);
    }
    levy_context_destroy(context);
    return 0;
}
