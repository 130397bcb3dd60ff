/* bench_orders.cu: levy_bridge_generate where a program is data: 252 and 1,260 steps, 8 to 64
 * dimensions, in both precisions, on the GPU at hand, against copies of the same bytes, two of them
 * in the bridge's pattern (a thread takes its paths through all rows, eight under way); the best
 * counts. First the bits, in double, of 1,003 paths. Times are device events: the median of levy's,
 * the best of the copies'. Prints a JSON object a row. bench/orders/build.sh builds it. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "bench/bridge/copies.cuh"
#include "bench/must.cuh"
#include "bench/times.cuh"
#include "engine/levy.h"

static const size_t ORDERS_BYTES = (size_t)3 << 30; /* of the normals, and of the paths */
enum { ORDERS_CHECKED = 1003 };

static levy_context *context;

static levy_bridge *make(unsigned steps, unsigned dimensions, int single, const char *device)
{
    std::vector<double> times(steps + 1), factor(dimensions * dimensions);
    levy_bridge *bridge = NULL;
    levy_bridge_spec spec;
    for (unsigned i = 0; i <= steps; ++i) times[i] = i / 252.0;
    for (unsigned i = 0; i < dimensions * dimensions; ++i)
        factor[i] = i % dimensions > i / dimensions ? 0.0 : 1.0 / (1.0 + i % dimensions);
    memset(&spec, 0, sizeof spec);
    spec.struct_size = sizeof spec;
    spec.times = times.data();
    spec.factor = factor.data();
    spec.n_steps = steps;
    spec.n_dimensions = dimensions;
    spec.precision = single ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE;
    spec.device = device;
    if (levy_bridge_create(context, &spec, &bridge) != LEVY_STATUS_OK) {
        fprintf(stderr, "%s\n", levy_diagnostic_get(context, 0)->text);
        exit(1);
    }
    return bridge;
}

static void check(levy_bridge *gpu, unsigned steps, unsigned dimensions, const char *normals,
                  char *output)
{
    const size_t bytes = (size_t)ORDERS_CHECKED * steps * dimensions * sizeof(double);
    std::vector<double> in(bytes / sizeof(double)), want(in.size()), got(in.size());
    levy_bridge *const cpu = make(steps, dimensions, 0, "cpu");
    MUST(cudaMemcpy(in.data(), normals, bytes, cudaMemcpyDeviceToHost));
    if (levy_bridge_generate(gpu, normals, output, ORDERS_CHECKED, 0, NULL) ||
        levy_bridge_generate(cpu, in.data(), want.data(), ORDERS_CHECKED, 0, NULL))
        exit(1);
    MUST(cudaMemcpy(got.data(), output, bytes, cudaMemcpyDeviceToHost));
    levy_bridge_destroy(cpu);
    if (memcmp(want.data(), got.data(), bytes) == 0) return;
    fprintf(stderr, "%u steps, %u dimensions: other bits than the CPU's\n", steps, dimensions);
    exit(1);
}

template <class Word>
static float copy_by_rows(const char *from, char *to, size_t bytes, unsigned rows)
{
    const size_t words = bytes / rows / sizeof(Word);
    return times([&] {
        copy_rows<Word, 8, false><<<(unsigned)((words + 255) / 256), 256>>>(
            (const Word *)from, (Word *)to, words, (int)rows / 8 * 8);
    })[0];
}

/* Of the copies in the bridge's pattern, the best. */
static float best_by_rows(const char *from, char *to, size_t bytes, unsigned rows)
{
    return std::min(copy_by_rows<uint4>(from, to, bytes, rows),
                    copy_by_rows<uint2>(from, to, bytes, rows));
}

static float best_in_line(const char *from, char *to, size_t bytes)
{
    const size_t n = bytes / sizeof(uint4);
    return std::min(
        times([&] { copy_line<<<132 * 16, 512>>>((const uint4 *)from, (uint4 *)to, n); })[0],
        times([&] {
            copy_piece<4, false>
                <<<(unsigned)((n + 1023) / 1024), 256>>>((const uint4 *)from, (uint4 *)to, n);
        })[0]);
}

static void print(const char *name, int single, size_t bytes, float ms, const char *peer,
                  float peer_ms)
{
    printf("{\"name\": \"%s_f%d\", \"value\": %.6g, \"unit\": \"GB/s\", \"peer\": \"%s\", "
           "\"peer_value\": %.6g, \"ratio\": %.4g}\n",
           name, single ? 32 : 64, 2e-6 * (double)bytes / ms, peer, 2e-6 * (double)bytes / peer_ms,
           peer_ms / ms);
}

static void row(const char *name, unsigned steps, unsigned dimensions, int single, char *normals,
                char *output)
{
    const size_t number = single ? 4 : 8, rows = (size_t)steps * dimensions,
                 paths = ORDERS_BYTES / number / rows / 1024 * 1024, bytes = paths * rows * number;
    levy_bridge *const bridge = make(steps, dimensions, single, "cuda");
    if (single)
        fill<float><<<132 * 8, 256>>>((float *)normals, bytes / number);
    else
        fill<double><<<132 * 8, 256>>>((double *)normals, bytes / number);
    if (!single) check(bridge, steps, dimensions, normals, output);
    const float ms = times([&] {
        if (levy_bridge_generate(bridge, normals, output, paths, 0, NULL)) exit(1);
    })[REPEATS / 2];
    const float by_rows = best_by_rows(normals, output, bytes, (unsigned)rows),
                copy = std::min(by_rows, best_in_line(normals, output, bytes));
    const levy_bridge_facts *const f = levy_bridge_info(bridge);
    fprintf(stderr, "%s: %s, %u paths a thread, %d registers, %d blocks a processor\n", name,
            f->kernel, f->paths_per_thread, f->registers, f->blocks_per_processor);
    print(name, single, bytes, ms, "copy", copy);
    print(name, single, bytes, ms, "copy:rows", by_rows);
    levy_bridge_destroy(bridge);
}

int main(void)
{
    static const struct {
        const char *name;
        unsigned steps, dimensions;
    } shapes[] = {{"bridge_252", 252, 1},   {"bridge_1260", 1260, 1}, {"bridge_dim8", 64, 8},
                  {"bridge_dim16", 64, 16}, {"bridge_dim64", 64, 64}, {"bridge_252_dim4", 252, 4}};
    char *normals, *output;
    if (levy_context_create(NULL, &context)) return 1;
    MUST(cudaMalloc(&normals, ORDERS_BYTES));
    MUST(cudaMalloc(&output, ORDERS_BYTES));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i)
        for (int single = 0; single < 2; ++single)
            row(shapes[i].name, shapes[i].steps, shapes[i].dimensions, single, normals, output);
    MUST(cudaFree(output));
    MUST(cudaFree(normals));
    levy_context_destroy(context);
    return 0;
}
