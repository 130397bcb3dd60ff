/* draws_host.cpp: draws.cu on a machine without a GPU: compiled as C++ behind its shapes, one a
 * precision and each in a namespace of its own (draws_host.h), the threads of a block taking turns
 * (host_block.h). test_cuda_draws.c compiles and runs it. Usage: draws_host INPUT OUTPUT. INPUT:
 * launch after launch: a head, the arguments, then theta, phi, states, words. OUTPUT: what each
 * launch made of items of 0xff, then its fault. */
#include <vector>

#define __align__(n) __attribute__((aligned(n)))
#define __noinline__
#include "tests/host_butterfly.h"

static void atomicMin(unsigned long long *at, uint64_t x)
{
    if (x < *at) *at = x;
}

enum { ARRAYS = 4, HOST_ARGUMENTS = 10 * 8 + 6 * 4 };
struct host_head {
    uint64_t bytes[ARRAYS], past[ARRAYS]; /* of an array, and its place past a multiple of 64 */
    uint64_t items, fault;
    uint32_t kernel, blocks, rows, threads, shared_bytes, wants_fault, single, padding;
};

#define LEVY_LANES 1 /* as the shapes say; headers stand outside their namespaces */
#include "kernels/lane/lane.h"
#include "kernels/points/philox.h"
#include "kernels/samplers/butterfly/butterfly_kernels.cuh"
#include "shape.h" /* shape_0, in double, and shape_1 */

static unsigned char *host_array(FILE *f, uint64_t bytes, uint64_t past)
{
    if (bytes == 0) return nullptr;
    unsigned char *const data = (unsigned char *)aligned_alloc(64, (bytes + past + 127) / 64 * 64);
    if (fread(data + past, bytes, 1, f) != 1) abort();
    return data + past;
}

int main(int count, char **names)
{
    host_head h;
    unsigned char arguments[HOST_ARGUMENTS];
    FILE *const f = count == 3 ? fopen(names[1], "rb") : nullptr, *const to = f ? fopen(names[2], "wb") : nullptr;
    if (!to) return 2;
    while (fread(&h, sizeof h, 1, f) == 1) {
        if (fread(arguments, sizeof arguments, 1, f) != 1 || h.shared_bytes > 64 << 10) return 2;
        void *arrays[ARRAYS];
        for (int i = 0; i < ARRAYS; ++i) arrays[i] = host_array(f, h.bytes[i], h.past[i]);
        std::vector<uint32_t> items(h.items, 0xffffffffu);
        unsigned long long fault = h.fault;
        (h.single ? shape_1::host_run : shape_0::host_run)(h, arguments, arrays, items.data(), h.wants_fault ? &fault : nullptr);
        if (fwrite(items.data(), 4, h.items, to) != h.items || fwrite(&fault, 8, 1, to) != 1) return 4;
    }
    return fclose(to) == 0 && !misaligned ? 0 : 4;
}
