/* bridge_host.cpp: bridge.cu on a machine without a GPU: compiled as C++ behind one shape, a block's threads
 * taking turns (host_block.h), blocks too. test_cuda_bridge.c compiles and runs it. Usage: bridge_host INPUT OUTPUT.
 * INPUT: paths, stride, bytes of the records, of factor and start, of the constants (uint64 each), then these, then the normals.
 * OUTPUT: what the kernel wrote, over bytes of 0xff. */
#include <vector>

#define __shared__
#define __grid_constant__
#define BRIDGE_FN static inline
#define BRIDGE_FN_MEMBER inline
#define HOST_STACK (1 << 20)

#include "tests/host_block.h"

/* Copies come as late as a GPU may let them: when a wait asks for their group, in each thread by itself. */
#define BRIDGE_HOST_COPIES 1
struct host_copy {
    void *to;
    const void *from;
    int bytes;
};
static std::vector<host_copy> host_copies[HOST_THREADS];
static std::vector<size_t> host_groups[HOST_THREADS]; /* where each group of copies ends */

template <int bytes> static inline void bridge_copy(void *to, const void *from) { host_copies[threadIdx.x].push_back({to, from, bytes}); }
static inline void bridge_copy_end() { host_groups[threadIdx.x].push_back(host_copies[threadIdx.x].size()); }
template <int pending> static inline void bridge_copy_wait()
{
    std::vector<host_copy> &copies = host_copies[threadIdx.x];
    std::vector<size_t> &groups = host_groups[threadIdx.x];
    if (groups.size() <= (size_t)pending) return;
    const size_t gone = groups.size() - pending, n = groups[gone - 1];
    for (size_t i = 0; i < n; ++i) memcpy(copies[i].to, copies[i].from, copies[i].bytes);
    copies.erase(copies.begin(), copies.begin() + n);
    groups.erase(groups.begin(), groups.begin() + gone);
    for (size_t &end : groups) end -= n;
}

#include "shape.h"

#undef BRIDGE_KERNELS
#include "kernels/cuda/kernels/bridge.cu"

typedef bridge_shape::real real;
struct bridge_single : bridge_shape { enum { paths = 1 }; };

static uint64_t head[5]; /* paths, stride, and the bytes of what follows */
static std::vector<char> records, more, constants, normals, output;
alignas(64) static unsigned char shared[1 << 20];

#if BRIDGE_WIDE
static void block(uint64_t first, uint64_t count, bool)
{
    const bridge_arguments<bridge_shape> a = {(const real *)normals.data() + first, (real *)output.data() + first, count, head[1],
                                              (const bridge_record<real> *)records.data()};
    const real *const factor = (const real *)more.data();
    bridge_wide<bridge_shape>(a, factor, factor + bridge_shape::dimensions * bridge_shape::dimensions, shared);
}
#else
template <class B> static void block_of(uint64_t first, uint64_t count)
{
    const bridge_arguments<B> a = {(const real *)normals.data() + first, (real *)output.data() + first, count, head[1], (const bridge_record<real> *)records.data()};
    if (sizeof(bridge_constants<B>) != constants.size() || bridge_layout<B>::bytes > (int)sizeof shared) abort();
    bridge_run<B>(a, *(const bridge_constants<B> *)constants.data(), shared);
}
static void block(uint64_t first, uint64_t count, bool many)
{
    if (many) block_of<bridge_shape>(first, count);
    else block_of<bridge_single>(first, count);
}
#endif

static void launch(uint64_t first, uint64_t count, bool many)
{
    const uint64_t each = (uint64_t)bridge_shape::threads * (many ? bridge_shape::paths : 1);
    for (uint64_t b = 0; b * each < count; ++b) {
        blockIdx.x = (unsigned)b;
        block(first, count, many);
        host_copies[threadIdx.x].clear();
        host_groups[threadIdx.x].clear();
        __syncthreads();
    }
}

static void run()
{
    const uint64_t grouped = BRIDGE_WIDE || head[1] % bridge_shape::paths ? 0 : head[0] / bridge_shape::paths * bridge_shape::paths;
    if (grouped) launch(0, grouped, true);
    if (grouped < head[0]) launch(grouped, head[0] - grouped, false);
}

static bool take(FILE *f, std::vector<char> &to, uint64_t bytes)
{
    to.resize(bytes);
    return bytes == 0 || fread(to.data(), bytes, 1, f) == 1;
}

int main(int count, char **arguments)
{
    FILE *f = count == 3 ? fopen(arguments[1], "rb") : nullptr;
    const uint64_t rows = (uint64_t)bridge_shape::steps * bridge_shape::dimensions;
    if (!f || fread(head, sizeof head, 1, f) != 1 || !take(f, records, head[2]) || !take(f, more, head[3]) || !take(f, constants, head[4]) ||
        !take(f, normals, rows * head[1] * sizeof(real)))
        return 2;
    fclose(f);
    output.assign(normals.size(), (char)0xff);
    host_body = run;
    host_block_run(bridge_shape::threads);
    f = fopen(arguments[2], "wb");
    const bool good = f && fwrite(output.data(), output.size(), 1, f) == 1;
    return f && fclose(f) == 0 && good ? 0 : 4;
}
