/* distribution_host.cpp: distribution.cu on a machine without a GPU: compiled as C++ behind the
 * shapes that shape.h lists, each in a namespace of its own (distribution_host.h).
 * test_cuda_distribution.c compiles and runs it. Usage: distribution_host INPUT OUTPUT. INPUT, call
 * after call: the shape, whether to invert words, blocks, bytes of the output, where in it the
 * pointer is, bytes of the words, of either array of parameters and of the table (uint64 each); the
 * launch's arguments; words, arrays and table. OUTPUT: what the kernels made of bytes of 0xff, call after call. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __noinline__

#include "tests/host_words.h"

struct host_index {
    unsigned x, y;
};
static host_index threadIdx, blockIdx, gridDim;

static uint32_t distribution_left[4096], distribution_n_left;
static uint32_t atomicAdd(uint32_t *at, uint32_t x) { return (*at += x) - x; }

typedef void (*host_shape)(bool invert, const void *arguments, void *const given[4], void *output);
enum { HOST_ARGUMENTS = 8 * 8 + 7 * 8 + 5 * 4 + 4 }; /* bytes, in whole words */

#include "shape.h" /* host_shapes[] */

/* Memory of `bytes` bytes of a file; those of no bytes are none. */
static void *host_read(FILE *f, uint64_t bytes)
{
    void *const memory = bytes ? aligned_alloc(64, (bytes + 127) / 64 * 64) : nullptr;
    if (bytes && fread(memory, bytes, 1, f) != 1) exit(2);
    return memory;
}

int main(int count, char **arguments)
{
    uint64_t head[9];
    unsigned char launch[HOST_ARGUMENTS];
    FILE *const in = count == 3 ? fopen(arguments[1], "rb") : nullptr,
               *const out = in ? fopen(arguments[2], "wb") : nullptr;
    if (!out) return 2;
    while (fread(head, sizeof head, 1, in) == 1) {
        if (fread(launch, sizeof launch, 1, in) != 1) return 2;
        void *const given[] = {host_read(in, head[5]), host_read(in, head[6]),
                               host_read(in, head[7]), host_read(in, head[8])};
        unsigned char *const output = (unsigned char *)aligned_alloc(64, (head[3] + 127) / 64 * 64);
        std::memset(output, 0xff, head[3]);
        gridDim = {(unsigned)head[2], 1};
        host_shapes[head[0]](head[1] != 0, launch, given, output + head[4]);
        if (fwrite(output, head[3], 1, out) != 1) return 4;
        free(output);
        for (void *one : given) free(one);
    }
    fclose(in);
    return fclose(out) == 0 ? 0 : 4;
}
