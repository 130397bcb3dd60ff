/* fused_host.cpp: the CUDA kernel on a machine without a GPU: fused.cu compiled as C++ behind the shape of a plan, its 256
 * threads taking turns (host_block.h). test_cuda_emulated.c compiles and runs it: what the kernel's own
 * code computes must be the CPU's bits. shape.h says HOST_SHARED, the bytes of shared memory that a launch asks for, and a
 * kernel that writes behind them fails; HOST_SHORT: there is time for a second run, whose blocks several CTAs share. Usage: fused_host IMAGE SUMS. IMAGE: the tile, the image, the table of
 * normals, and given numbers where the image has such; SUMS is written. */
#define __noinline__
#define __constant__ static
#define __shared__
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define HOST_STACK (1 << 20)

#include "tests/host_block.h"

static inline void __syncwarp() { host_warp_meet(); }
static inline double __shfl_down_sync(unsigned, double x, unsigned by)
{
    const unsigned lane = threadIdx.x % 32;
    return host_shuffle(x, lane + by < 32 ? lane + by : lane);
}
static inline unsigned __shfl_xor_sync(unsigned, unsigned x, unsigned by) { return host_shuffle(x, threadIdx.x ^ by); }
static inline float __shfl_xor_sync(unsigned, float x, unsigned by) { return host_shuffle(x, threadIdx.x ^ by); }
static inline float __shfl_sync(unsigned, float x, unsigned lane) { return host_shuffle(x, lane); }
static inline unsigned __shfl_sync(unsigned, unsigned x, unsigned lane) { return host_shuffle(x, lane); }
static inline double __shfl_sync(unsigned, double x, unsigned lane) { return host_shuffle(x, lane); }
static inline unsigned __shfl_up_sync(unsigned, unsigned x, unsigned by) { return host_shuffle_up(x, by); }
static inline bool __all_sync(unsigned, bool x)
{
    const bool *const seen = host_show(x);
    bool all = true;
    for (unsigned lane = 0; lane < 32; ++lane) all &= seen[lane];
    return all;
}
static inline bool __any_sync(unsigned all, bool x) { return !__all_sync(all, !x); }
static inline unsigned __ballot_sync(unsigned, bool x)
{
    const bool *const seen = host_show(x);
    unsigned bits = 0;
    for (unsigned lane = 0; lane < 32; ++lane) bits |= (unsigned)seen[lane] << lane;
    return bits;
}
static inline unsigned atomicExch(unsigned *at, unsigned x)
{
    const unsigned was = *at;
    *at = x;
    return was;
}
extern unsigned char fused_shared[];
alignas(128) unsigned char fused_shared[1 << 20];

#include "shape.h"

/* Matrix instructions of products: what the threads of a warp hand them, shown together. In single they read 11 bits of each number, and
 * cut their sums off to single precision. Many assets and odd numbers of them have such; the others show each other the numbers one by one. */
#if PATH_assets > 40 || PATH_assets % 2
#define LANE_GPU_TENSOR 1
#define MATRIX_INSTRUCTION host_multiply
#endif
static inline float host_high(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0xffffe000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline float host_cut_off(double x)
{
    const float near = (float)x;
    return fabs((double)near) > fabs(x) ? nextafterf(near, 0.0f) : near;
}
struct host_singles {
    float a[4], b[2];
};
static inline void host_multiply(const float a[4], const float b[2], float c[4])
{
    const host_singles mine = {{a[0], a[1], a[2], a[3]}, {b[0], b[1]}}, *const of = host_show(mine);
    const unsigned across = threadIdx.x % 32 / 4, along = threadIdx.x % 4;
    for (unsigned i = 0; i < 4; ++i) {
        double sum = c[i];
        for (unsigned k = 0; k < 8; ++k)
            sum += (double)host_high(of[4 * across + k % 4].a[k / 4 * 2 + i / 2]) *
                   (double)host_high(of[4 * (2 * along + i % 2) + k % 4].b[k / 4]);
        c[i] = host_cut_off(sum);
    }
}
struct host_doubles {
    double a[2], b;
};
static inline void host_multiply(const double a[2], double b, double c[4])
{
    const host_doubles mine = {{a[0], a[1]}, b}, *const of = host_show(mine);
    const unsigned across = threadIdx.x % 32 / 4, along = threadIdx.x % 4;
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned k = 0; k < 4; ++k)
            c[i] = fma(of[4 * across + k].a[i / 2], of[4 * (2 * along + i % 2) + k].b, c[i]);
}

#include "kernels/cuda/kernels/fused.cu"
#include "kernels/cuda/compile/normal_table.h"

/* What lies behind the shared memory that a launch asks for: no kernel writes there. */
static const unsigned char host_guard = 0xff;
static bool guard_is_whole()
{
    for (size_t i = HOST_SHARED; i < sizeof fused_shared; ++i)
        if (fused_shared[i] != host_guard) return false;
    return true;
}

static levy_tile tile;
static char *bytes;
static levy_block_sum *sums;
static real *record;
static uint64_t n_blocks;
static char *given;
alignas(64) static float normals[LEVY_NORMAL_FLOATS];
static unsigned split = 1; /* CTAs that share a block */
static double *values;

/* The CTA's memory: CTAs run one after the other, so one place is enough. HOST_DEFERRED: lanes of an item and a path there. */
static char *scratch()
{
    alignas(64) static char room[LEVY_SCRATCH_FRONT + (size_t)HOST_DEFERRED * PATH_items * LEVY_COLUMNS * sizeof(lane)];
    return room;
}

/* The tile's factors, as a launch passes them. */
static fused_factors factors()
{
    const levy_image *const image = (const levy_image *)bytes;
    fused_factors f;
    const size_t each = PATH_assets * PATH_factors, row = PATH_factors * sizeof(real);
    const real *const all = LEVY_IMAGE_AT(real, image, factor);
    if (!PATH_unrolled) memcpy(f.v, all + tile.first_dynamics * each, sizeof f.v);
#if PATH_unrolled
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, image, items);
    memcpy(f.v, all, PATH_assets * row);
    for (uint32_t i = 0; i < PATH_items; ++i)
        memcpy(f.v + (PATH_assets + i) * PATH_factors, all + items[tile.first_item + i].dynamics * each + fused_item_moved(i) % PATH_assets * PATH_factors, row);
#endif
    return f;
}

static void run()
{
    for (uint64_t b = 0; b < gridDim.x; ++b) {
        blockIdx.x = (unsigned)b;
        levy_simulate(bytes, 0, n_blocks, tile.first_output, tile.first_item, tile.first_dynamics, sums, (const float4 *)normals, record, given, n_blocks * LEVY_BLOCK_PATHS, split, values, scratch(), 1, HOST_DEFERRED, factors());
        __syncthreads();
    }
#if PATH_split
    for (uint64_t b = 0; split > 1 && b < n_blocks * PATH_outputs; ++b) {
        blockIdx.x = (unsigned)b;
        levy_columns(bytes, 0, tile.first_output, tile.first_item, values, sums);
        __syncthreads();
    }
#endif
}

static void run_all()
{
    host_body = run;
    host_block_run(LEVY_COLUMNS);
}

static bool load(const char *path)
{
    FILE *const f = fopen(path, "rb");
    levy_image head;
    if (!f || fread(&tile, sizeof tile, 1, f) != 1 || fread(&head, sizeof head, 1, f) != 1) return false;
    bytes = (char *)aligned_alloc(64, head.bytes);
    fseek(f, (long)sizeof tile, SEEK_SET);
    const bool good = bytes && fread(bytes, head.bytes, 1, f) == 1 && fread(normals, sizeof normals, 1, f) == 1;
    n_blocks = head.blocks * head.n_replicates;
    const size_t n_given = n_blocks * levy_given_bytes(&head);
    given = (char *)calloc(n_given + 1, 1);
    const bool all = given && fread(given, 1, n_given, f) == n_given;
    fclose(f);
    return good && all;
}

int main(int count, char **arguments)
{
    if (count != 3 || !load(arguments[1])) return 2;
    sums = (levy_block_sum *)calloc(n_blocks * PATH_outputs, sizeof *sums);
    const size_t n_record = PATH_record ? n_blocks * levy_record_reals((const levy_image *)bytes) : 0;
    if (n_record) record = (real *)calloc(n_record, sizeof *record);
    memset(fused_shared, host_guard, sizeof fused_shared);
    gridDim.x = (unsigned)((n_blocks + 2) / 3); /* up to three blocks in turn */
    run_all();
#if PATH_split
    if (HOST_SHORT && n_blocks <= 4 && !PATH_record && LEVY_LANES < LEVY_BLOCK_ROWS) { /* blocks that are shared have the same bits */
        levy_block_sum *const whole = sums;
        split = LEVY_BLOCK_ROWS / LEVY_LANES;
        gridDim.x = (unsigned)n_blocks * split;
        values = (double *)calloc(n_blocks * PATH_outputs * LEVY_BLOCK_PATHS, sizeof *values);
        sums = (levy_block_sum *)calloc(n_blocks * PATH_outputs, sizeof *sums);
        run_all();
        if (memcmp(sums, whole, n_blocks * PATH_outputs * sizeof *sums) != 0) return 5;
    }
#endif
    if (!guard_is_whole()) return 6;
    FILE *const f = fopen(arguments[2], "wb");
    const bool good = f && fwrite(sums, sizeof *sums, n_blocks * PATH_outputs, f) == n_blocks * PATH_outputs && fwrite(record, sizeof *record, n_record, f) == n_record;
    return f && fclose(f) == 0 && good ? 0 : 4;
}
