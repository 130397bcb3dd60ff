/* fused.cu: the fused kernel: points, normals, bridge, model, payoff and column sums in registers; nothing but block sums
 * reaches memory. One CTA of 256 threads does one block of 4,096 paths, thread = column, LEVY_LANES rows at a time. The
 * words that all columns of a row share are made by the CTA together; what depends on the column is eight masked words.
 * Specialised by NVRTC: shape.c writes the PATH_ constants before this file. */
#include "kernels/lane/lane.h"
#include "kernels/lane/tree.h"

LANE_FN uint32_t fused_item_kind(uint32_t i)
{
    constexpr uint32_t list[] = PATH_item_kind_list;
    return list[i];
}
LANE_FN uint32_t fused_item_variant(uint32_t i)
{
    constexpr uint32_t list[] = PATH_item_variant_list;
    return list[i];
}
LANE_FN uint32_t fused_item_aggregate(uint32_t i)
{
    constexpr uint32_t list[] = PATH_item_aggregate_list;
    return list[i];
}
LANE_FN uint32_t fused_item_market(uint32_t i)
{
    constexpr uint32_t list[] = PATH_item_market_list;
    return list[i];
}
LANE_FN uint32_t fused_output_first(uint32_t i)
{
    constexpr uint32_t list[] = PATH_output_first_list;
    return list[i];
}
LANE_FN uint32_t fused_market_lag(uint32_t i)
{
    constexpr uint32_t list[] = PATH_market_lag_list;
    return list[i];
}
LANE_FN uint32_t fused_output_term(uint32_t i)
{
    constexpr uint32_t list[] = PATH_output_term_list;
    return list[i];
}
LANE_FN uint32_t fused_output_terms(uint32_t i)
{
    constexpr uint32_t list[] = PATH_output_terms_list;
    return list[i];
}
#define PATH_item_kind(i) fused_item_kind(i)
#define PATH_item_variant(i) fused_item_variant(i)
#define PATH_item_aggregate(i) fused_item_aggregate(i)
#define PATH_item_market(i) fused_item_market(i)
#define PATH_market_lag(i) fused_market_lag(i)
#define PATH_base_rows LEVY_LANES
#define PATH_NAME(x) fused_##x
#include "kernels/path/path.h"

__constant__ double fused_inverse[LEVY_BLOCK_ROWS] = {1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
                                                      1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};

struct fused_block { uint64_t replicate, start; uint32_t count; };

LANE_FN fused_block fused_block_at(const levy_image *image, uint64_t block)
{
    fused_block b;
    b.replicate = block / image->blocks;
    b.start = (block - b.replicate * image->blocks) * LEVY_BLOCK_PATHS;
    const uint64_t left = image->paths - b.start;
    b.count = left < LEVY_BLOCK_PATHS ? (uint32_t)left : (uint32_t)LEVY_BLOCK_PATHS;
    return b;
}

/* base[draw][LEVY_LANES]: the words of the rows from `row` on, without the columns' bits. */
LANE_FN void fused_base_words(const levy_image *image, const fused_block *block, uint32_t row, uint32_t *base)
{
    const uint32_t n = image->n_draws;
    const uint32_t *const rows = LEVY_IMAGE_AT(uint32_t, image, directions) + block->replicate * 33 * n;
    for (uint32_t d = threadIdx.x; d < n; d += LEVY_COLUMNS) {
        uint32_t common = rows[32 * (uint64_t)n + d];
        for (uint32_t gray = (uint32_t)sobol_gray(block->start); gray; gray &= gray - 1)
            common ^= rows[(uint64_t)(__ffs(gray) - 1) * n + d];
#pragma unroll
        for (uint32_t q = 0; q < LEVY_LANES; ++q) {
            uint32_t word = common;
            for (uint32_t gray = (uint32_t)sobol_gray((row + q) * LEVY_COLUMNS); gray; gray &= gray - 1)
                word ^= rows[(uint64_t)(__ffs(gray) - 1) * n + d];
            base[d * LEVY_LANES + q] = word;
        }
    }
}

/* Streams of the thread's paths: its column's in the block's first rows; later, moved on by LEVY_LANES rows from where the
 * walk has left them, each at the start of the next path. */
LANE_FN void fused_streams(const levy_image *image, const fused_block *block, mrg_state *state)
{
    const uint32_t *const jumps = LEVY_IMAGE_AT(uint32_t, image, jumps);
    mrg_start(state, LEVY_IMAGE_AT(uint32_t, image, streams) + 6 * block->replicate, jumps, block->start + threadIdx.x);
    mrg_fan(state, jumps + 18 * 8);
}

LANE_FN void fused_streams_step(const levy_image *image, mrg_state *state)
{
    constexpr uint32_t stride = 8 + (LEVY_LANES >= 2) + (LEVY_LANES >= 4) + (LEVY_LANES >= 8);
    mrg_jump(state, LEVY_IMAGE_AT(uint32_t, image, jumps) + 18 * (LEVY_MRG_POWERS + stride));
}

LANE_FN const uint32_t *fused_low_words(const levy_image *image, const fused_block *block, uint32_t *shared)
{
    const uint32_t *const low = LEVY_IMAGE_AT(uint32_t, image, low) + block->replicate * 8 * image->n_draws;
    if (!PATH_shared_low) return low;
    for (uint32_t i = threadIdx.x; i < 2 * image->n_draws; i += LEVY_COLUMNS) ((uint4 *)shared)[i] = ((const uint4 *)low)[i];
    return shared;
}

/* An output is a fixed linear combination of items, in double. */
LANE_FN double fused_output(const levy_image_output *output, const levy_image_item *items, uint32_t o, const lane *values, int q)
{
    double total = 0.0;
#pragma unroll
    for (uint32_t i = 0; i < fused_output_terms(o); ++i) {
        const uint32_t item = fused_output_first(o) + fused_output_term(o * LEVY_OUTPUT_TERMS + i);
        const double value = (double)lane_get(values[item], q) * items[item].scale;
        total = i == 0 ? value * output->weight[0] : total + value * output->weight[i];
    }
    return total;
}

LANE_FN void fused_merge(const fused_block *block, double mean, double m2, levy_block_sum *shared, levy_block_sum *sum)
{
    const uint32_t c = threadIdx.x;
    __syncthreads();
    shared[c].mean = mean;
    shared[c].m2 = m2;
    tree_sum mine = {(double)tree_column_count(block->count, c), mean, m2};
    for (uint32_t half = LEVY_COLUMNS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (c >= half) continue;
        /* columns c, c + half, c + 2 half, ... have met when `half` columns are left */
        tree_sum other = {0.0, shared[c + half].mean, shared[c + half].m2};
        for (uint32_t k = c + half; k < LEVY_COLUMNS; k += 2 * half) other.n += (double)tree_column_count(block->count, k);
        mine = tree_merge(mine, other);
        shared[c].mean = mine.mean;
        shared[c].m2 = mine.m2;
    }
    if (c == 0) *sum = shared[0];
}

extern "C" __global__ void __launch_bounds__(LEVY_COLUMNS, PATH_ctas)
levy_simulate(const char *bytes, unsigned long long first_block, unsigned long long n_blocks, unsigned int first_output,
              unsigned int first_item, unsigned int first_market, levy_block_sum *sums)
{
    extern __shared__ __align__(16) unsigned char shared[];
    const levy_image *const image = (const levy_image *)bytes;
    const fused_block block = fused_block_at(image, first_block + blockIdx.x);
    const path_view view = path_view_of(image, first_item, first_market);
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, image, outputs) + first_output;
    uint32_t *const base = (uint32_t *)shared;
    const uint32_t base_words = (image->n_draws * LEVY_LANES + 3) & ~3u;
    points_state points;
    double mean[PATH_outputs], m2[PATH_outputs];
    sobol_masks(&points.sobol, threadIdx.x);
    lane_word ahead[PATH_buffered ? PATH_room : 1];
    points.ahead = ahead;
    points.key = PATH_padded ? LEVY_IMAGE_AT(uint64_t, image, padding)[block.replicate] : LEVY_IMAGE_AT(uint64_t, image, keys)[block.replicate];
    if (PATH_generator == POINTS_MRG) fused_streams(image, &block, &points.mrg);
    points.sobol.base = base;
    if (PATH_generator == POINTS_SOBOL) points.sobol.low = fused_low_words(image, &block, base + base_words);
#pragma unroll
    for (uint32_t o = 0; o < PATH_outputs; ++o) mean[o] = m2[o] = 0.0;
#pragma unroll 1
    for (uint32_t row = 0; row < LEVY_BLOCK_ROWS && row * LEVY_COLUMNS < block.count; row += LEVY_LANES) {
        if (PATH_generator == POINTS_SOBOL) {
            __syncthreads();
            fused_base_words(image, &block, row, base);
            __syncthreads();
        }
#pragma unroll
        for (int q = 0; q < LEVY_LANES; ++q) {
            const uint64_t path = block.start + (row + (uint32_t)q) * LEVY_COLUMNS + threadIdx.x;
            points.path_low.v[q] = (uint32_t)path;
            points.path_high.v[q] = (uint32_t)(path >> 32);
        }
        lane values[PATH_items];
        fused_values(&view, &points, PATH_markets, PATH_items, first_market, values);
        if (PATH_generator == POINTS_MRG) fused_streams_step(image, &points.mrg);
#pragma unroll
        for (uint32_t o = 0; o < PATH_outputs; ++o)
#pragma unroll
            for (int q = 0; q < LEVY_LANES; ++q) {
                if ((row + (uint32_t)q) * LEVY_COLUMNS + threadIdx.x >= block.count) continue;
                const double value = fused_output(&outputs[o], view.items, o, values, q);
                TREE_ADD(double, mean[o], m2[o], value, fused_inverse[row + (uint32_t)q]);
            }
    }
#pragma unroll
    for (uint32_t o = 0; o < PATH_outputs; ++o)
        fused_merge(&block, mean[o], m2[o], (levy_block_sum *)shared, sums + (uint64_t)blockIdx.x * PATH_outputs + o);
}
