/* draws_host.cpp: draws.cu on a machine without a GPU: compiled as C++ behind its shape, the threads
 * of a block taking turns (host_block.h). test_cuda_draws.c compiles and runs it. Usage: draws_host
 * INPUT OUTPUT. INPUT: launch after launch: a head, the arguments, then theta, phi, states, words.
 * OUTPUT: what each launch made of items of 0xff, then its fault. */
#define __align__(n) __attribute__((aligned(n)))
#define __noinline__
#include "tests/host_butterfly.h"

static void atomicMin(unsigned long long *at, uint64_t x)
{
    if (x < *at) *at = x;
}

#include "shape.h"

#undef DRAWS_KERNELS
#include "kernels/cuda/kernels/draws.cu"

enum { ARRAYS = 4 };
struct host_head {
    uint64_t bytes[ARRAYS], past[ARRAYS]; /* of an array, and its place past a multiple of 64 */
    uint64_t items, fault;
    uint32_t kernel, blocks, rows, threads, shared_bytes, wants_fault;
};

static void host_kernel(uint32_t kernel, const draws_arguments &a)
{
    draws_real *const shared = reinterpret_cast<draws_real *>(host_shared);
    switch (kernel) {
    case 0:
        return draws_each(a, shared);
    case 1:
        return draws_block(a);
    case 2:
        return draws_many<1>(a, shared);
    case 3:
        return draws_many<2>(a, shared);
#if defined(DRAWS_SINGLE)
    case 4:
        return draws_many<4>(a, shared);
#endif
    }
    abort();
}

static void host_launches(const host_head &h, const draws_arguments &a)
{
    if (h.shared_bytes > 64 << 10) abort();
    for (unsigned y = 0; y < h.rows; ++y) {
        memset(host_shared, 0xA5, sizeof host_shared);
        blockIdx.y = y;
        host_launch(h.blocks, h.threads, [&] { host_kernel(h.kernel, a); });
    }
}

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
    draws_arguments a;
    FILE *const f = count == 3 ? fopen(names[1], "rb") : nullptr, *const to = f ? fopen(names[2], "wb") : nullptr;
    if (!to) return 2;
    while (fread(&h, sizeof h, 1, f) == 1) {
        if (fread(&a, sizeof a, 1, f) != 1) return 2;
        unsigned char *arrays[ARRAYS];
        for (int i = 0; i < ARRAYS; ++i) arrays[i] = host_array(f, h.bytes[i], h.past[i]);
        std::vector<uint32_t> items(h.items, 0xffffffffu);
        unsigned long long fault = h.fault;
        a.theta = (const draws_real *)arrays[0];
        a.phi = (const draws_real *)arrays[1];
        a.states = (const uint32_t *)arrays[2];
        a.words = (const uint32_t *)arrays[3];
        a.items = items.data();
        a.fault = h.wants_fault ? &fault : nullptr;
        host_launches(h, a);
        if (fwrite(items.data(), 4, h.items, to) != h.items || fwrite(&fault, 8, 1, to) != 1) return 4;
    }
    return fclose(to) == 0 && !misaligned ? 0 : 4;
}
