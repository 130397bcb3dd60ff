/* paths_host.cpp: paths.cu on a machine without a GPU: compiled as C++ behind one shape, the
 * threads of the one block taking turns (host_block.h). test_cuda_points.c
 * compiles and runs it. Usage: paths_host INPUT OUTPUT. INPUT: bytes of the output, where in it the
 * pointer is, bytes of the data and of the constants (uint64 each), the arguments, the data, the
 * constants. OUTPUT: what the kernel wrote, over bytes of 0xff. */
#define __noinline__
#define __shared__
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define NORMALS_HOST
#define BRIDGE_FN static inline
#define BRIDGE_FN_MEMBER inline
#define HOST_STACK (1 << 20)

#include "tests/host_block.h"

static inline void __syncwarp() { host_warp_meet(); }
extern unsigned char normals_shared[];
alignas(128) unsigned char normals_shared[1 << 18];

#include "shape.h"

#undef PATHS_KERNELS
#include "kernels/cuda/kernels/paths.cu"

static paths_arguments arguments;
static bridge_constants<bridge_shape> constants;
alignas(128) static unsigned char shared[1 << 20];

static void run() { paths_run<bridge_shape>(&arguments, constants, shared); }

static bool take(FILE *f, void *to, uint64_t bytes)
{
    return bytes == 0 || fread(to, bytes, 1, f) == 1;
}

int main(int count, char **words)
{
    uint64_t head[4];
    FILE *f = count == 3 ? fopen(words[1], "rb") : nullptr;
    if (!f || !take(f, head, sizeof head) || !take(f, &arguments, sizeof arguments)) return 2;
    unsigned char *const data = (unsigned char *)aligned_alloc(64, (head[2] + 127) / 64 * 64);
    if (!take(f, data, head[2]) || head[3] != sizeof constants || !take(f, &constants, head[3]))
        return 3;
    fclose(f);
    unsigned char *const output = (unsigned char *)aligned_alloc(64, (head[0] + 63) / 64 * 64);
    memset(output, 0xff, head[0]);
    const uintptr_t device = (uintptr_t)arguments.normals.table;
    arguments.normals.output = (normals_number *)(output + head[1]);
    arguments.normals.numbers =
        (const uint32_t *)(data + ((uintptr_t)arguments.normals.numbers - device));
    arguments.normals.table = data;
    arguments.program =
        (const bridge_record<real> *)(data + ((uintptr_t)arguments.program - device));
    if (arguments.drift)
        arguments.drift = (const real *)(data + ((uintptr_t)arguments.drift - device));
    gridDim.x = gridDim.y = 1;
    host_body = run;
    host_block_run(PATHS_THREADS);
    f = fopen(words[2], "wb");
    const bool good = f && fwrite(output, head[0], 1, f) == 1;
    return f && fclose(f) == 0 && good ? 0 : 5;
}
