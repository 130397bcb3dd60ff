/* fused.cu: the fused kernel: points, normals, bridge, model, payoff and column sums in registers;
 * nothing but block sums reaches memory, where a second kernel merges them (branches.h). A CTA of
 * 256 threads does a block of 4,096 paths, thread = column, LEVY_LANES rows at a time, and of short
 * paths several blocks in turn. The words that all columns of a row share are made by the CTA
 * together; what depends on the column is looked up. Specialised by NVRTC: shape.c writes the PATH_
 * constants before this file. */
#include "kernels/lane/lane.h"
#include "kernels/lane/tree.h"

/* What shape.c lists by item, dynamics or output. */
#define FUSED_LIST(name)                                                                           \
    static __device__ constexpr uint32_t fused_list_##name[] = PATH_##name##_list;                 \
    LANE_FN uint32_t fused_##name(uint32_t i) { return fused_list_##name[i]; }
#define SHAPE_ITEM(name, read, told) FUSED_LIST(name)
#define SHAPE_GPU_LIST(name, count, told) FUSED_LIST(name)
#include "kernels/path/shape.def"
/* rows whose base words are ready at once */
#define PATH_row_words (PATH_narrow ? 1 : (uint32_t)LEVY_LANES)
#define PATH_base_rows (PATH_whole ? (uint32_t)LEVY_BLOCK_ROWS : PATH_row_words)
#define PATH_low_words (PATH_shared_low ? PATH_shared_low : SOBOL_SINGLE)
#define PATH_NAME(x) fused_##x
#if PATH_table || PATH_cells
#define NORMAL_ROWS (32 * 16 + 1)
#endif
#if PATH_cells
#define NORMAL_CELLS
#endif
extern __shared__ __align__(128) unsigned char fused_shared[];
#if PATH_table
#define NORMAL_FIRST (NORMAL_ROWS - PATH_table) /* the first row that stands in shared memory */
#define NORMAL_TABLE (fused_shared + 128)
#endif
#if PATH_exact
#define NORMAL_COPIED PATH_copied
#define NORMAL_ALONE PATH_alone
/* H100: a basket of 64 assets 136 ms, with branches 148; of 32 67 and 71; 252 dates by PCA 110 and
 * 118; but asian64_f64 18.0 and 17.0, a basket of 8 22.2 and 20.5 */
#define NORMAL_JOINED (PATH_product || (PATH_construction == 2 && PATH_factors == 1))
#define NORMAL_SHARED (fused_shared + 128)
#define NORMAL_ALL_ROWS (*(const double *const *)fused_shared)
#endif
/* segments that paths have there lie behind the table */
#define PATH_near_segments ((lane *)(fused_shared + (PATH_table ? 128 + 128 * PATH_table : 0)))
#include "kernels/path/loop.h"

/* bytes of a given number; 0: the kernel makes its own */
enum {
    FUSED_GIVEN = PATH_generator == POINTS_GIVEN_WORDS     ? sizeof(uint32_t)
                  : PATH_generator == POINTS_GIVEN_NORMALS ? sizeof(real)
                                                           : 0
};
/* bytes in front of all else: the table, segments of paths, then what each warp shows itself */
enum {
    FUSED_TABLE = (PATH_table   ? 128 + 128 * PATH_table
                   : PATH_exact ? 128 + 512 * PATH_copied + 64 * PATH_alone
                                : 0) +
                  PATH_near * LEVY_COLUMNS,
    FUSED_ROWS = PATH_product ? 8 : 16,
    FUSED_SHOWN = PATH_construction == 2 || (PATH_product && LANE_PICK(1, !PATH_held))
                      ? FUSED_ROWS * LEVY_LANES * 32 * sizeof(real)
                      : PATH_together * sizeof(unsigned short),
    FUSED_FRONT = FUSED_TABLE + LEVY_COLUMNS / 32 * FUSED_SHOWN
};

__constant__ double fused_inverse[LEVY_BLOCK_ROWS] = {
    1.0,     1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
    1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};

struct fused_block {
    uint32_t replicate, count;
    uint64_t start;
};

/* The work that lies before a CTA: the n blocks of a round, all of one replicate, from path `start`
 * on; `left`: blocks from there on, later rounds included; `last`: paths of the round's last block,
 * since only a replicate's last block can have few. */
struct fused_work {
    uint32_t replicate, n, left, last;
    uint64_t start;
};

LANE_FN void fused_work_next(uint64_t paths, fused_work *work)
{
    work->left -= work->n;
    work->start += (uint64_t)work->n * LEVY_BLOCK_PATHS;
    if (work->start >= paths) {
        work->start = 0;
        ++work->replicate;
    }
    const uint64_t before = paths - work->start;
    work->n = work->left < PATH_round ? work->left : PATH_round;
    work->last = LEVY_BLOCK_PATHS;
    if (before < (uint64_t)work->n * LEVY_BLOCK_PATHS) {
        work->n = ((uint32_t)before + LEVY_BLOCK_PATHS - 1) / LEVY_BLOCK_PATHS;
        work->last = (uint32_t)before - (work->n - 1) * LEVY_BLOCK_PATHS;
    }
}

/* The work of n_blocks blocks, from `block` on. */
LANE_FN fused_work fused_work_at(const levy_image *image, uint64_t block, uint32_t n_blocks)
{
    const uint32_t replicate = (uint32_t)(block / image->blocks);
    fused_work work = {replicate, 0, n_blocks, 0,
                       (block - replicate * image->blocks) * LEVY_BLOCK_PATHS};
    fused_work_next(image->paths, &work);
    return work;
}

LANE_FN fused_block fused_work_block(const fused_work *work, uint32_t r)
{
    const fused_block block = {work->replicate,
                               r + 1 < work->n ? (uint32_t)LEVY_BLOCK_PATHS : work->last,
                               work->start + (uint64_t)r * LEVY_BLOCK_PATHS};
    return block;
}

/* The thread's column. With held cells, columns of blocks of odd number are taken in reverse,
 * because the Gray code is reflected. */
LANE_FN bool fused_is_turned(const fused_block *block)
{
    return PATH_cells && block->start & LEVY_BLOCK_PATHS;
}
LANE_FN uint32_t fused_column_of(const fused_block *block)
{
    return fused_is_turned(block) ? LEVY_COLUMNS - 1 - threadIdx.x : threadIdx.x;
}

/* Words of normals are folded. Most of those outside the bridge are not, because they make
 * uniforms. */
LANE_FN bool fused_is_folded(const levy_image *image, uint32_t draw)
{
    return PATH_folded && (!PATH_auxiliary || draw < image->n_nodes * PATH_factors ||
                           (PATH_normal_mark && draw == PATH_normal_mark));
}
#if PATH_folded
LANE_FN uint32_t fused_fold(uint32_t word) { return normal_fold(word); }
#else
LANE_FN uint32_t fused_fold(uint32_t word) { return word; }
#endif

/* Words of shared memory in front of the low table: base words of the blocks of this round and the
 * next, then sums of columns. If only the words of a few rows are ready at once, the sums overlay
 * them. */
LANE_FN uint32_t fused_base_size(const levy_image *image)
{
    const uint32_t cells = PATH_cells ? 2 * LEVY_BLOCK_ROWS : 0;
    const uint32_t words = image->n_draws * PATH_base_rows + cells;
    return PATH_generator == POINTS_SOBOL ? (words + 3) & ~3u : 0;
}

LANE_FN uint32_t fused_front_size(const levy_image *image)
{
    const uint32_t words = PATH_round * fused_base_size(image);
    const uint32_t columns =
        PATH_slots * LEVY_COLUMNS * (uint32_t)(sizeof(levy_block_sum) / sizeof(uint32_t));
    const uint32_t rounds = PATH_whole ? 2 : 1;
    const uint32_t larger = words > columns ? words : columns;
    return PATH_ready ? rounds * words + columns : larger;
}

/* A word with the direction numbers of the bits of a Gray code; they are n apart. Four are asked
 * for at a time, for a thread would wait for each. */
LANE_FN uint32_t fused_gray_word(uint32_t word, const uint32_t *numbers, uint32_t n, uint32_t gray)
{
    while (gray) {
        uint32_t four = 0;
#pragma unroll
        for (int k = 0; k < 4; ++k) {
            const uint32_t bit = (uint32_t)(__ffs((int)gray) - 1) & 31,
                           number = numbers[(uint64_t)bit * n];
            four ^= gray ? number : 0;
            gray &= gray - 1;
        }
        word ^= four;
    }
    return word;
}

/* A block's word with what a row adds; the direction numbers are n apart. Rows count in bits 8 to
 * 11 of a path's index. Their Gray code combines with that of the other bits by exclusive or. */
LANE_FN uint32_t fused_row_word(uint32_t word, const uint32_t *numbers, uint32_t n, uint32_t row)
{
#pragma unroll
    for (uint32_t b = 7; b < 12; ++b)
        if (sobol_gray(row * LEVY_COLUMNS) >> b & 1) word ^= numbers[(uint64_t)b * n];
    return word;
}

/* Words of one draw in the rows of a block, without the columns' bits, made for up to 4 rows at a
 * time. */
enum {
    FUSED_RUN = PATH_base_rows < 4 ? PATH_base_rows : 4,
    FUSED_RUNS = PATH_base_rows / FUSED_RUN
};

LANE_FN void fused_run_words(const levy_image *image, uint32_t replicate, uint64_t path,
                             uint32_t draw, uint32_t *to)
{
    const uint32_t n = image->n_draws;
    const uint32_t *const rows =
        LEVY_IMAGE_AT(uint32_t, image, directions) + (uint64_t)replicate * 33 * n + draw;
    const uint32_t common =
        fused_gray_word(rows[32 * (uint64_t)n], rows, n, (uint32_t)sobol_gray(path));
    const bool folded = fused_is_folded(image, draw);
#pragma unroll
    for (uint32_t q = 0; q < FUSED_RUN; ++q) {
        const uint32_t word = fused_row_word(common, rows, n, q);
        to[q] = folded ? NORMAL_FOLDED(word) : word;
    }
}

/* Makes base[block][draw][PATH_base_rows] of n_blocks blocks of one replicate, for rows from `row`
 * on. */
LANE_FN void fused_base_words(const levy_image *image, const fused_block *block, uint32_t n_blocks,
                              uint32_t row, uint32_t *base)
{
    const uint32_t runs = image->n_draws * FUSED_RUNS, words = fused_base_size(image);
    for (uint32_t i = threadIdx.x; i < n_blocks * runs; i += LEVY_COLUMNS) {
        const uint32_t r = n_blocks == 1 ? 0 : i / runs, d = (i - r * runs) / FUSED_RUNS,
                       first = i % FUSED_RUNS * FUSED_RUN;
        fused_run_words(image, block->replicate,
                        block->start + r * LEVY_BLOCK_PATHS + (row + first) * LEVY_COLUMNS, d,
                        base + r * words + d * PATH_base_rows + first);
    }
}

/* 1: words are made from those of the rows before. In double, and where a thread has few words, the
 * second copy of the code costs more (H100: 0.5 to 3 %). */
enum { FUSED_STEPS = LANE_PICK(0, 1) && PATH_base_rows >= 4 };

/* The same for rows that follow those of `from`, which are set number `set` of as many rows. Two
 * bits of their Gray code change: the highest one below the number of the set, and the one that the
 * lowest 0 of that number stands for. */
LANE_FN void fused_base_step(const levy_image *image, uint32_t replicate, uint64_t set,
                             const uint32_t *from, uint32_t *base)
{
    constexpr uint32_t rows = PATH_whole ? LEVY_BLOCK_ROWS : LEVY_LANES,
                       below = 7 + (rows > 1) + (rows > 2) + (rows > 4) + (rows > 8);
    const uint32_t n = image->n_draws, above = below + (uint32_t)__ffsll((long long)(set + 1));
    const uint32_t *const numbers =
        LEVY_IMAGE_AT(uint32_t, image, directions) + (uint64_t)replicate * 33 * n;
    for (uint32_t i = threadIdx.x; i < n * FUSED_RUNS; i += LEVY_COLUMNS) {
        const uint32_t draw = i / FUSED_RUNS,
                       word = numbers[below * (uint64_t)n + draw] ^
                              numbers[(above & 31) * (uint64_t)n + draw],
                       change = fused_is_folded(image, draw) ? fused_fold(word) : word,
                       first = draw * PATH_base_rows + i % FUSED_RUNS * FUSED_RUN;
#pragma unroll
        for (uint32_t q = 0; q < FUSED_RUN; ++q) base[first + q] = from[first + q] ^ change;
    }
}

/* Starts the streams of the thread's paths: those of its column in the rows from `path` on. A
 * traversal leaves each stream at the start of the next path, and fused_streams_step moves it on
 * from there, to LEVY_LANES rows further. */
LANE_FN void fused_streams(const levy_image *image, uint64_t path, uint32_t replicate,
                           mrg_state *state)
{
    const uint32_t *const jumps = LEVY_IMAGE_AT(uint32_t, image, jumps);
    mrg_start(state, LEVY_IMAGE_AT(uint32_t, image, streams) + 6 * (uint64_t)replicate, jumps,
              path + threadIdx.x);
    mrg_fan(state, jumps + 18 * 8);
}

LANE_FN void fused_streams_step(const levy_image *image, mrg_state *state)
{
    constexpr uint32_t stride = 8 + (LEVY_LANES >= 2) + (LEVY_LANES >= 4) + (LEVY_LANES >= 8);
    mrg_jump(state, LEVY_IMAGE_AT(uint32_t, image, jumps) + 18 * (LEVY_MRG_POWERS + stride));
}

LANE_FN const uint32_t *fused_low_words(const levy_image *image, uint32_t replicate,
                                        uint32_t *shared)
{
    const uint32_t *const low =
        LEVY_IMAGE_AT(uint32_t, image, low) + (uint64_t)replicate * 8 * image->n_draws;
    if (!PATH_shared_low) return low;
    for (uint32_t i = threadIdx.x; i < PATH_low_words * image->n_draws; i += LEVY_COLUMNS) {
        const uint32_t draw = i / PATH_low_words,
                       word = sobol_sum(low + SOBOL_SINGLE * (uint64_t)draw, PATH_low_words,
                                        i % PATH_low_words);
        shared[i] = fused_is_folded(image, draw) ? fused_fold(word) : word;
    }
    return shared;
}

#include "kernels/cuda/kernels/fused_cells.h"

/* Makes the words of a round's blocks, in kernels that make them all at once. `before`, if there is
 * any, is the round whose words are in `from`. */
LANE_FN void fused_round_words(const levy_image *image, const fused_work *work,
                               const fused_work *before, const uint32_t *from,
                               const float4 *normals, fused_cells *cells, uint32_t *base)
{
    const fused_block first = fused_work_block(work, 0);
#if PATH_cells
    (void)before, (void)from;
    fused_cell_words(image, &first, work->n, normals, cells, base);
#else
    if (PATH_generator != POINTS_SOBOL || !PATH_whole || work->n == 0) return;
    if (FUSED_STEPS && PATH_round == 1 && before && before->replicate == work->replicate)
        fused_base_step(image, work->replicate, before->start / LEVY_BLOCK_PATHS, from, base);
    else
        fused_base_words(image, &first, work->n, 0, base);
#endif
}

/* Number m of a node's row (PATH_node_row): of an unrolled sweep the drift of the asset that item m
 * moves; else of a dynamics, or the share that has elapsed of the only late one. */
LANE_FN real fused_stage_number(const path_view *view, uint32_t m, uint32_t node)
{
    const uint32_t nodes = view->image->n_nodes;
    if (PATH_unrolled) {
        const uint32_t moved = fused_item_moved(m) % PATH_assets; /* without one, any drift */
        return view->all_drift[(view->items[m].dynamics * nodes + node) * PATH_assets + moved];
    }
    if (m < PATH_dynamics)
        return (view->returns[m] == LEVY_RETURNS_GROWN ? view->growth
                                                       : view->drift)[m * nodes + node];
    for (m = 0; !fused_dynamics_elapsed(m);) ++m;
    return view->elapsed_share[m * nodes + node];
}

/* Copies what every node reads to shared memory, behind the words: weights of the bridge, drifts,
 * factors. */
LANE_FN void fused_stage(path_view *view, real *to)
{
    if (!PATH_staged) return;
    const uint32_t nodes = view->image->n_nodes;
    const uint32_t weights = 4 * nodes, drifts = PATH_dynamics * nodes * PATH_assets;
    const uint32_t factors =
        PATH_dynamics * (PATH_covariance ? nodes : 1) * PATH_assets * PATH_factors;
    const uint32_t model_reals = PATH_staged_model ? (view->image->n_model_reals + 3) & ~3u : 0,
                   model_words = PATH_staged_model ? view->image->n_model_words : 0;
    for (uint32_t i = threadIdx.x; i < nodes; i += LEVY_COLUMNS) {
        path_weights w = view->bridge[i];
        if (PATH_levels) {
            w.deviation = w.deviation * view->factor[0];
            w.residual = (PATH_cells ? view->drift : view->drift_residual)[i];
        }
        ((path_weights *)to)[i] = w;
    }
    view->bridge = (const path_weights *)to;
    to += weights;
    if (PATH_staged_model) { /* what the model's step looks up, each lane for itself */
        uint32_t *const words = (uint32_t *)(to + model_reals);
        for (uint32_t i = threadIdx.x; i < view->image->n_model_reals; i += LEVY_COLUMNS)
            to[i] = view->model_reals[i];
        for (uint32_t i = threadIdx.x; i < model_words; i += LEVY_COLUMNS)
            words[i] = view->model_words[i];
        view->model_reals = to;
        view->model_words = words;
        to = (real *)(words + ((model_words + 3) & ~3u));
    }
    if (PATH_node_row) {
        for (uint32_t i = 0; i < PATH_node_row; ++i)
            for (uint32_t node = threadIdx.x; node < nodes; node += LEVY_COLUMNS)
                to[node * PATH_node_row + i] = fused_stage_number(view, i, node);
        view->node_rows = to;
        to += PATH_node_row * nodes;
        if (!PATH_unrolled) {
            for (uint32_t i = threadIdx.x; i < factors; i += LEVY_COLUMNS) to[i] = view->factor[i];
            view->factor = to;
            return;
        }
    }
    for (uint32_t i = threadIdx.x; i < drifts; i += LEVY_COLUMNS) to[i] = view->drift[i];
    for (uint32_t i = threadIdx.x; i < factors; i += LEVY_COLUMNS) to[drifts + i] = view->factor[i];
    view->drift = to;
    view->factor = to + drifts;
    if (PATH_staged_model && PATH_model_features & LEVY_MODEL_SCALES) {
        for (uint32_t i = threadIdx.x; i < drifts; i += LEVY_COLUMNS)
            to[drifts + factors + i] = view->variance[i];
        view->variance = to + drifts + factors;
    }
}

/* Copies the weights of PCA to shared memory as [component][node], the nodes in whole tiles.
 * Returns what lies behind them. */
LANE_FN real *fused_stage_matrix(path_view *view, real *to)
{
#if PATH_construction == 2 && PATH_staged_matrix
    const uint32_t nodes = view->image->n_nodes, row = fused_weights_step(view);
    for (uint32_t i = threadIdx.x; i < nodes * row; i += LEVY_COLUMNS) {
        const uint32_t j = i / row, node = i % row;
        to[i] = node < nodes ? view->matrix[node / 8 * nodes + j].node[node % 8] : R(0.0);
    }
    view->matrix = (const path_eight *)to;
    to += nodes * row;
#endif
    return to;
}

/* Copies the factors of products that warps share to shared memory, a row an asset. Neither what
 * fills a row nor the rows past the last asset reach a sum that is read, but all are finite.
 * Returns what lies behind them. */
LANE_FN real *fused_stage_factors(path_view *view, real *to)
{
#if PATH_product
    for (uint32_t i = threadIdx.x; i < PRODUCT_ASSETS * PRODUCT_STRIDE; i += LEVY_COLUMNS) {
        const uint32_t asset = i / PRODUCT_STRIDE, f = i % PRODUCT_STRIDE;
        to[i] = asset < PATH_assets && f < PATH_factors ? view->factor[asset * PATH_factors + f]
                                                        : R(0.0);
    }
    view->factor_rows = to;
    to += PRODUCT_ASSETS * PRODUCT_STRIDE;
#endif
    return to;
}

/* Rows of a warp's drivers that a wide kernel holds; those past the last driver are 0. */
enum {
    FUSED_HELD = LANE_PICK((PATH_factors + 3) / 4 * 4,
                           PATH_product ? (PATH_factors + 7) / 8 * 8 : PATH_factors)
};

/* Places the drivers that a wide kernel holds: behind all else, a part for each warp. */
LANE_FN void fused_hold_drivers(const levy_image *image, path_view *view, uint32_t *base)
{
    const uint32_t words = fused_front_size(image) + PATH_shared_low * image->n_draws;
    real *const behind = fused_stage_factors(view, (real *)(base + ((words + 3) & ~3u)));
    view->held = behind + threadIdx.x / 32 * FUSED_HELD * 32 * LEVY_LANES;
    for (uint32_t f = PATH_factors; PATH_held && f < FUSED_HELD; ++f)
        ((path_own *)(view->held + f * 32 * LEVY_LANES))[threadIdx.x % 32].z = lane_of(R(0.0));
}

/* Each output's coefficients, in single as ratios: see fused_short. */
static __shared__ real fused_ratios[PATH_outputs * LEVY_OUTPUT_TERMS];

enum { FUSED_SHORT = LANE_PICK(false, true) };

LANE_FN void fused_find_ratios(const levy_image_output *outputs)
{
    for (uint32_t i = threadIdx.x; i < PATH_outputs * LEVY_OUTPUT_TERMS; i += LEVY_COLUMNS) {
        const uint32_t o = i / LEVY_OUTPUT_TERMS, k = i % LEVY_OUTPUT_TERMS;
        const double *const coefficient = outputs[o].coefficient, unit = coefficient[0];
        double sum = 0.0;
        if (k >= fused_output_terms(o)) continue;
        for (uint32_t j = k; j < (k ? k + 1 : fused_output_terms(o)); ++j) sum += coefficient[j];
        if (!FUSED_SHORT)
            fused_ratios[i] = (real)coefficient[k];
        else
            fused_ratios[i] = (real)(unit == 0.0 ? 0.0 : sum / unit);
    }
}

/* The number of an output's item k in the tile. */
LANE_FN uint32_t fused_term(uint32_t o, uint32_t k)
{
    return fused_output_first(o) + fused_output_term(o * LEVY_OUTPUT_TERMS + k);
}

/* An output is a fixed linear combination of items, in double. */
LANE_FN double fused_output(uint32_t o, const lane *values, int q)
{
    double total = 0.0;
#pragma unroll
    for (uint32_t k = 0; k < LEVY_OUTPUT_TERMS; ++k) {
        if (k >= fused_output_terms(o)) break;
        const double value = (double)lane_get(values[fused_term(o, k)], q) *
                             (double)fused_ratios[o * LEVY_OUTPUT_TERMS + k];
        total = k == 0 ? value : total + value;
    }
    return total;
}

/* In single precision an output is ratios times the distances of its items from the first one, plus
 * a ratio times the first item. Distances of neighbouring levels are exact, so an output loses no
 * more than its items have lost. The unit is the first item's. */
LANE_FN real fused_short(uint32_t o, const lane *values, int q)
{
    const real *const ratios = fused_ratios + o * LEVY_OUTPUT_TERMS;
    const real first = lane_get(values[fused_term(o, 0)], q);
    real sum = fused_output_terms(o) > 1 ? ratios[0] * first : first;
#pragma unroll
    for (uint32_t k = 1; k < LEVY_OUTPUT_TERMS; ++k) {
        if (k >= fused_output_terms(o)) break;
        sum = LANE_PICK(fma, fmaf)(ratios[k], lane_get(values[fused_term(o, k)], q) - first, sum);
    }
    return sum;
}

/* A column's sums of one output. In single precision they are those of distances from the first
 * value, in single: 16 of them lose less than the values have lost, and double arithmetic would
 * cost a one-step path more than all the rest. */
struct fused_column {
    double mean, m2;
    real first, sum, square;
};

LANE_FN void fused_add_short(real value, uint32_t row, fused_column *column)
{
    if (row == 0) column->first = value;
    const real distance = value - column->first;
    column->sum = column->sum + distance;
    column->square = LANE_PICK(fma, fmaf)(distance, distance, column->square);
}

LANE_FN void fused_add_long(double value, uint32_t row, fused_column *column)
{
    TREE_ADD(double, column->mean, column->m2, value, fused_inverse[row]);
}

LANE_FN void fused_add(uint32_t o, const lane *values, uint32_t row, int q, fused_column *column)
{
    if (FUSED_SHORT)
        fused_add_short(fused_short(o, values, q), row + (uint32_t)q, column);
    else
        fused_add_long(fused_output(o, values, q), row + (uint32_t)q, column);
}

/* The unit of an output's values: in double 1. */
LANE_FN double fused_unit(const levy_image_output *output)
{
    return FUSED_SHORT ? output->coefficient[0] : 1.0;
}

LANE_FN levy_block_sum fused_column_sum(const fused_block *block, uint32_t o,
                                        const fused_column *column)
{
    const uint32_t n = block->count == LEVY_BLOCK_PATHS
                           ? (uint32_t)LEVY_BLOCK_ROWS
                           : tree_column_count(block->count, fused_column_of(block));
    levy_block_sum sum = {column->mean, column->m2};
    if (!FUSED_SHORT || n == 0) return sum;
    const double shift = (double)column->sum * fused_inverse[n - 1],
                 square = (double)column->square - (double)column->sum * shift;
    sum.mean = (double)column->first + shift;
    sum.m2 = square > 0.0 ? square : 0.0;
    return sum;
}

/* Divisions are long code: if the compiler does not know the counts, one copy serves all merges. */
static __device__ __noinline__ tree_sum fused_merge_noinline(tree_sum a, tree_sum b)
{
    return tree_merge(a, b);
}

/* One warp merges the columns c and c + half for half = 128, 64, 32 in its lanes, then across them.
 * `full`: all columns hold 16 values, and what depends on counts alone is known to the compiler. */
LANE_FN levy_block_sum fused_merge(const levy_block_sum *columns, uint32_t count, bool full)
{
    const uint32_t c = threadIdx.x % 32;
    tree_sum part[8];
#pragma unroll
    for (uint32_t k = 0; k < 8; ++k) {
        part[k].n = full ? (double)LEVY_BLOCK_ROWS : (double)tree_column_count(count, c + 32 * k);
        part[k].mean = columns[c + 32 * k].mean;
        part[k].m2 = columns[c + 32 * k].m2;
    }
#pragma unroll
    for (uint32_t half = 4; half > 0; half /= 2)
#pragma unroll
        for (uint32_t k = 0; k < half; ++k)
            part[k] = full ? tree_merge(part[k], part[k + half])
                           : fused_merge_noinline(part[k], part[k + half]);
    tree_sum mine = part[0];
#pragma unroll
    for (uint32_t half = 16; half > 0; half /= 2) {
        tree_sum other;
        other.n = full ? mine.n : __shfl_down_sync(0xffffffffu, mine.n, half);
        other.mean = __shfl_down_sync(0xffffffffu, mine.mean, half);
        other.m2 = __shfl_down_sync(0xffffffffu, mine.m2, half);
        mine = full ? tree_merge(mine, other) : fused_merge_noinline(mine, other);
    }
    levy_block_sum sum = {mine.mean, mine.m2};
    return sum;
}

/* Merges a round's columns slot by slot, one warp each. Each block has per_block outputs, from
 * `first` on; the last block has `last` paths. */
LANE_FN void fused_merge_slots(const levy_image_output *outputs, const levy_block_sum *columns,
                               uint32_t n, uint32_t first, uint32_t per_block, uint32_t last,
                               levy_block_sum *sums)
{
    for (uint32_t slot = threadIdx.x / 32; slot < n; slot += LEVY_COLUMNS / 32) {
        const uint32_t count = slot + per_block < n ? (uint32_t)LEVY_BLOCK_PATHS : last,
                       o = PATH_outputs == 1 ? 0 : first + slot % per_block;
        const levy_block_sum *const mine = columns + slot * LEVY_COLUMNS;
        levy_block_sum sum = count == LEVY_BLOCK_PATHS ? fused_merge(mine, 0, true)
                                                       : fused_merge(mine, count, false);
        const double unit = fused_unit(&outputs[o]);
        sum.mean = sum.mean * unit;
        sum.m2 = sum.m2 * (unit * unit);
        if (threadIdx.x % 32 == 0) sums[slot] = sum;
    }
}

/* The rows of a block that a CTA does. `values`: where it is not all of them, so that others do
 * the rest, the paths' values [output][row][column], from which fused_columns.h makes the sums. */
struct fused_part {
    uint32_t first, end;
    double *values;
};

LANE_FN void fused_keep(const fused_part *part, const lane *values, uint32_t row, uint32_t column,
                        uint32_t left)
{
#pragma unroll
    for (uint32_t o = 0; o < PATH_outputs; ++o)
#pragma unroll
        for (int q = 0; q < LEVY_LANES; ++q)
            if ((uint32_t)q * LEVY_COLUMNS + column < left)
                part->values[(o * LEVY_BLOCK_ROWS + row + (uint32_t)q) * LEVY_COLUMNS + column] =
                    FUSED_SHORT ? (double)fused_short(o, values, q) : fused_output(o, values, q);
}

enum { FUSED_ASIDE = 16 }; /* most sums in double that go side by side */

/* Runs the rows of a block and fills the thread's column of every output. */
LANE_FN void fused_rows(const path_view *view, points_state *points, const fused_block *block,
                        const fused_part *part, uint32_t *base, bool turned, fused_column *column)
{
    const levy_image *const image = view->image;
    const uint32_t mine = fused_column_of(block);
    points->turned = turned;
#pragma unroll
    for (uint32_t o = 0; o < PATH_outputs; ++o) column[o] = {0.0, 0.0, R(0.0), R(0.0), R(0.0)};
#pragma unroll 1
    for (uint32_t row = part->first; row < part->end && row * LEVY_COLUMNS < block->count;
         row += LEVY_LANES) {
        if (PATH_generator == POINTS_SOBOL && !PATH_whole) {
            __syncthreads();
            if (!FUSED_STEPS || row == part->first)
                fused_base_words(image, block, 1, row, base);
            else
                fused_base_step(image, block->replicate,
                                block->start / (LEVY_LANES * LEVY_COLUMNS) + row / LEVY_LANES - 1,
                                base, base);
            __syncthreads();
        }
        points->sobol.base = base + (PATH_whole ? row : 0);
        points->row = row;
#pragma unroll
        for (int q = 0; q < LEVY_LANES; ++q) {
            const uint64_t path = block->start + (row + (uint32_t)q) * LEVY_COLUMNS + mine;
            points->path_low.v[q] = (uint32_t)path;
            points->path_high.v[q] = (uint32_t)(path >> 32);
        }
        lane values[PATH_items];
        fused_values(view, points, values);
        if (PATH_generator == POINTS_MRG) fused_streams_step(image, &points->mrg);
        const uint32_t left = block->count - row * LEVY_COLUMNS;
        if (PATH_split && part->values) {
            fused_keep(part, values, row, mine, left);
            continue;
        }
        /* The same for the whole CTA, so no warp diverges. Sums in double are long code, but those
         * of a few outputs go side by side where they need not ask which paths are there. */
        if ((FUSED_SHORT || PATH_outputs == 1 || PATH_outputs * LEVY_LANES <= FUSED_ASIDE) &&
            left >= LEVY_LANES * LEVY_COLUMNS) {
#pragma unroll
            for (uint32_t o = 0; o < PATH_outputs; ++o)
#pragma unroll
                for (int q = 0; q < LEVY_LANES; ++q) fused_add(o, values, row, q, &column[o]);
            continue;
        }
#pragma unroll
        for (uint32_t o = 0; o < PATH_outputs; ++o)
#pragma unroll
            for (int q = 0; q < LEVY_LANES; ++q)
                if ((uint32_t)q * LEVY_COLUMNS + mine < left)
                    fused_add(o, values, row, q, &column[o]);
    }
}

/* 1: a round starts while a warp merges the sums of the one before. */
enum { FUSED_LATE = PATH_generator == POINTS_SOBOL && PATH_whole };

/* A round: its blocks one after the other, then their sums. Barriers separate whole rounds, so that
 * short paths do not wait for each other. The words of the next round are made before the
 * barrier. */
LANE_FN void fused_round(path_view *view, points_state *points, const fused_work *work,
                         const fused_work *next, const fused_part *part,
                         const levy_image_output *outputs, uint32_t *base, uint32_t *base_next,
                         levy_block_sum *columns, const float4 *normals, fused_cells *cells,
                         levy_block_sum *sums)
{
    const levy_image *const image = view->image;
    const uint32_t words = fused_base_size(image);
    fused_column column[PATH_outputs];
    fused_block block;
    real *const record = view->record;
    const char *const given = (const char *)points->given;
#pragma unroll 1
    for (uint32_t r = 0; r < work->n; ++r) {
        block = fused_work_block(work, r);
        if (FUSED_GIVEN) points->given = given + (uint64_t)r * LEVY_BLOCK_PATHS * FUSED_GIVEN;
        if (PATH_record && record)
            view->record = record + r * levy_record_reals(image) + fused_column_of(&block);
        if (PATH_generator == POINTS_MRG)
            fused_streams(image, block.start + part->first * LEVY_COLUMNS, block.replicate,
                          &points->mrg);
#if PATH_cells
        normal_hold_ends(points->cells, (const float *)(base + r * words) + LEVY_BLOCK_ROWS);
#endif
        /* two copies of the code, so that every cubic's place is known */
        if (fused_is_turned(&block))
            fused_rows(view, points, &block, part, base + r * words, true, column);
        else
            fused_rows(view, points, &block, part, base + r * words, false, column);
        if (PATH_split && part->values) return;
        /* with more outputs than slots a round has one block, and outputs come in groups */
        if (PATH_outputs > PATH_slots) break;
        /* words may stand where columns do, or the round before is merged still */
        if (!PATH_ready || (FUSED_LATE && r == 0)) __syncthreads();
#pragma unroll
        for (uint32_t o = 0; o < PATH_outputs; ++o)
            columns[(r * PATH_outputs + o) * LEVY_COLUMNS + fused_column_of(&block)] =
                fused_column_sum(&block, o, &column[o]);
    }
    if (PATH_record && record) view->record = record + work->n * levy_record_reals(image);
    fused_round_words(image, next, work, base, normals, cells, base_next);
    if (PATH_outputs <= PATH_slots) {
        __syncthreads();
        fused_merge_slots(outputs, columns, work->n * PATH_outputs, 0, PATH_outputs, work->last,
                          sums);
        return;
    }
#pragma unroll
    for (uint32_t o = 0; o < PATH_outputs; o += PATH_slots) {
        __syncthreads();
#pragma unroll
        for (uint32_t k = 0; k < PATH_slots; ++k)
            if (o + k < PATH_outputs)
                columns[k * LEVY_COLUMNS + fused_column_of(&block)] =
                    fused_column_sum(&block, o + k, &column[o + k]);
        __syncthreads();
        const uint32_t n = PATH_outputs - o < PATH_slots ? PATH_outputs - o : PATH_slots;
        fused_merge_slots(outputs, columns, n, o, n, work->last, sums + o);
    }
}

/* Copies rows of normals to shared memory (normal.h). */
LANE_FN void fused_table(const float4 *normals)
{
#if PATH_table
    if (threadIdx.x == 0) *(const float4 **)(NORMAL_TABLE - 16) = normals;
    for (uint32_t i = threadIdx.x; i < 8 * PATH_table; i += LEVY_COLUMNS)
        ((float4 *)NORMAL_TABLE)[i] = normals[NORMAL_FIRST + i / 8];
#elif PATH_exact
    if (threadIdx.x == 0) *(const float4 **)fused_shared = normals;
    normal_stage(normals, LEVY_COLUMNS);
#endif
}

#if PATH_turns
/* A place in the device's memory that no other CTA has; there is one for each that can run at a
 * time. taken: [n], 0 where none has it. */
LANE_FN uint32_t fused_take_place(unsigned int *taken, uint32_t n)
{
    static __shared__ uint32_t place;
    if (threadIdx.x == 0) {
        uint32_t at = blockIdx.x % n;
        while (atomicExch(taken + at, 1u) != 0) at = at + 1 < n ? at + 1 : 0;
        place = at;
    }
    __syncthreads();
    return place;
}

LANE_FN void fused_leave_place(unsigned int *taken, uint32_t place)
{
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(taken + place, 0u);
}
#endif

/* The factors as a parameter, if the kernel reads them there; of an unrolled sweep, then a row for
 * each item. Parameters lie in constant memory, from where one instruction brings two factors for
 * all paths of a warp. */
enum { FUSED_FACTOR_ROWS = PATH_assets + PATH_unrolled * PATH_items };
struct fused_factors {
    real v[PATH_constants ? FUSED_FACTOR_ROWS * PATH_factors : 1];
};

extern "C" __global__ void __launch_bounds__(LEVY_COLUMNS, PATH_ctas)
    levy_simulate(const char *bytes, unsigned long long first_block, unsigned long long n_blocks,
                  unsigned int first_output, unsigned int first_item, unsigned int first_dynamics,
                  levy_block_sum *sums, const float4 *normals, real *record, const char *given,
                  unsigned long long given_stride, unsigned int split, double *values,
                  char *scratch, unsigned int n_scratch, unsigned int left_lanes,
                  const __grid_constant__ fused_factors factors)
{
    unsigned char *const shared = fused_shared + FUSED_FRONT;
    const levy_image *const image = (const levy_image *)bytes;
    path_view view = path_view_of(image, first_item, PATH_sweep ? 0 : first_dynamics);
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, image, outputs) + first_output;
    const uint32_t words = PATH_whole ? PATH_round * fused_base_size(image) : 0;
    uint32_t *base = (uint32_t *)shared,
             *base_next = base + words, *const low = base + fused_front_size(image);
    levy_block_sum *const columns = (levy_block_sum *)(base + 2 * words);
    const uint32_t blocks = (uint32_t)n_blocks, parts = PATH_split ? split : 1,
                   ctas = gridDim.x / parts, chunk = (blocks + ctas - 1) / ctas,
                   first = blockIdx.x / parts * chunk;
    fused_part part = {0, LEVY_BLOCK_ROWS, NULL};
    if (PATH_split && parts > 1) {
        part.first = blockIdx.x % parts * (LEVY_BLOCK_ROWS / parts);
        part.end = part.first + LEVY_BLOCK_ROWS / parts;
        part.values = values + (uint64_t)first * PATH_outputs * LEVY_BLOCK_PATHS;
    }
    uint32_t held = 0xffffffffu;
    points_state points;
    lane_word ahead[PATH_buffered ? PATH_room : 1];
    points.ahead = ahead;
    fused_cells ahead_cells = {0xffffffffu, 0, 0, 0, 0};
#if PATH_cells
    normal_cells cells;
    points.cells = &cells;
#endif
    points.sobol.gray = (uint32_t)sobol_gray(threadIdx.x);
    points.given_stride = given_stride;
    fused_table(normals);
    fused_find_ratios(outputs);
    fused_stage(&view, fused_stage_matrix(&view, (real *)(low + PATH_shared_low * image->n_draws)));
    if (PATH_constants) view.factor = factors.v;
    view.shown = (real *)(fused_shared + FUSED_TABLE + threadIdx.x / 32 * FUSED_SHOWN);
    if (PATH_held || PATH_product) fused_hold_drivers(image, &view, base);
    if (first >= blocks) return;
#if PATH_turns
    const uint32_t place = fused_take_place((unsigned int *)scratch, n_scratch);
    view.left_lanes = left_lanes;
    view.left_of_dates = (lane *)(scratch + LEVY_SCRATCH_FRONT) +
                         (uint64_t)place * PATH_items * left_lanes * LEVY_COLUMNS;
#endif
    fused_work work =
        fused_work_at(image, first_block + first, blocks - first < chunk ? blocks - first : chunk);
    fused_round_words(image, &work, NULL, NULL, normals, &ahead_cells, base);
    if (FUSED_GIVEN) given += (uint64_t)first * LEVY_BLOCK_PATHS * FUSED_GIVEN;
    sums += (uint64_t)first * PATH_outputs;
    if (PATH_record && record) view.record = record + first * levy_record_reals(image);
#pragma unroll 1
    while (work.left > 0) {
        if (work.replicate != held) {
            held = work.replicate;
            points.key = (PATH_padded ? LEVY_IMAGE_AT(uint64_t, image, padding)
                                      : LEVY_IMAGE_AT(uint64_t, image, keys))[held];
            if (PATH_model_draws) points.beyond = LEVY_IMAGE_AT(uint64_t, image, padding)[held];
#if PATH_cells
            fused_hold(image, held, normals, &points);
#endif
            if (PATH_generator == POINTS_SOBOL && !PATH_cells)
                points.sobol.low = fused_low_words(image, held, low);
            points.sobol.n = image->n_draws;
            points.sobol.rows =
                LEVY_IMAGE_AT(uint32_t, image, directions) + (uint64_t)held * 33 * image->n_draws;
            if (FUSED_LATE) __syncthreads();
        }
        if (!FUSED_LATE) __syncthreads();
        fused_work next = work;
        fused_work_next(image->paths, &next);
        if (FUSED_GIVEN) points.given = given + threadIdx.x * FUSED_GIVEN;
        fused_round(&view, &points, &work, &next, &part, outputs, base, base_next, columns, normals,
                    &ahead_cells, sums);
        if (FUSED_GIVEN) given += (uint64_t)work.n * LEVY_BLOCK_PATHS * FUSED_GIVEN;
        sums += work.n * PATH_outputs;
        work = next;
        uint32_t *const other = base_next;
        base_next = base;
        base = other;
    }
#if PATH_turns
    fused_leave_place((unsigned int *)scratch, place);
#endif
}

#include "kernels/cuda/kernels/branches.h"
#include "kernels/cuda/kernels/fused_columns.h"
