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
#define SHAPE_ITEM(name, of_view, of_tile) FUSED_LIST(name)
#define SHAPE_GPU_LIST(name, count, of_tile) FUSED_LIST(name)
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
#define PATH_SEGMENTS_AT ((lane *)(fused_shared + (PATH_table ? 128 + 128 * PATH_table : 0)))
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
                  PATH_shared_segments * LEVY_COLUMNS,
    FUSED_ROWS = PATH_product ? 8 : 16,
    FUSED_SHOWN = PATH_construction == 2 || (PATH_product && LANE_PICK(1, !PATH_held))
                      ? FUSED_ROWS * LEVY_LANES * 32 * sizeof(real)
                      : PATH_together * sizeof(unsigned short),
    FUSED_FRONT = FUSED_TABLE + LEVY_COLUMNS / 32 * FUSED_SHOWN
};

#include "kernels/cuda/kernels/fused_work.h"
#include "kernels/cuda/kernels/fused_words.h"
#include "kernels/cuda/kernels/fused_cells.h"
#include "kernels/cuda/kernels/fused_stage.h"
#include "kernels/cuda/kernels/fused_sums.h"

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

/* The rows of a block that a CTA does. `values`: where it is not all of them, so that others do
 * the rest, the paths' values [output][row][column], from which fused_columns.h makes the sums. */
struct fused_part {
    uint32_t first, end;
    double *values;
};

/* The part that a CTA has of blocks from `first` on, which `parts` CTAs share. */
LANE_FN fused_part fused_part_of(uint32_t first, uint32_t parts, double *values)
{
    fused_part part = {0, LEVY_BLOCK_ROWS, NULL};
    if (PATH_split && parts > 1) {
        part.first = blockIdx.x % parts * (LEVY_BLOCK_ROWS / parts);
        part.end = part.first + LEVY_BLOCK_ROWS / parts;
        part.values = values + (uint64_t)first * PATH_outputs * LEVY_BLOCK_PATHS;
    }
    return part;
}

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

#if PATH_redistributed
/* Takes a place in the device's memory that no other CTA has, and lends it to the view. There is a
 * place for each CTA that can run at a time. scratch: [n] words that are 0 where none has the
 * place; then the places. */
LANE_FN uint32_t fused_take_place(char *scratch, uint32_t n, uint32_t lanes, path_view *view)
{
    static __shared__ uint32_t place;
    unsigned int *const taken = (unsigned int *)scratch;
    if (threadIdx.x == 0) {
        uint32_t at = blockIdx.x % n;
        while (atomicExch(taken + at, 1u) != 0) at = at + 1 < n ? at + 1 : 0;
        place = at;
    }
    __syncthreads();
    view->deferred_lanes = lanes;
    view->deferred = (lane *)(scratch + LEVY_SCRATCH_FRONT) +
                     (uint64_t)place * PATH_items * lanes * LEVY_COLUMNS;
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

/* Makes what the points of a replicate share, if `held` is another one. low: room for its low
 * words. */
LANE_FN void fused_start_replicate(const levy_image *image, uint32_t replicate, uint32_t *held,
                                   const float4 *normals, uint32_t *low, points_state *points)
{
    (void)normals, (void)low;
    if (replicate == *held) return;
    *held = replicate;
    points->key = (PATH_padded ? LEVY_IMAGE_AT(uint64_t, image, padding)
                               : LEVY_IMAGE_AT(uint64_t, image, keys))[replicate];
    if (PATH_model_draws) points->beyond = LEVY_IMAGE_AT(uint64_t, image, padding)[replicate];
#if PATH_cells
    fused_hold(image, replicate, normals, points);
#endif
    if (PATH_generator == POINTS_SOBOL && !PATH_cells)
        points->sobol.low = fused_low_words(image, replicate, low);
    points->sobol.n = image->n_draws;
    points->sobol.rows =
        LEVY_IMAGE_AT(uint32_t, image, directions) + (uint64_t)replicate * 33 * image->n_draws;
    if (FUSED_LATE) __syncthreads();
}

LANE_FN void fused_swap(uint32_t **one, uint32_t **other)
{
    uint32_t *const kept = *one;
    *one = *other;
    *other = kept;
}

/* What the CTA's threads share: tables and the view's memory. base, low: room for words. */
LANE_FN void fused_share(path_view *view, const levy_image_output *outputs, const float4 *normals,
                         const fused_factors *factors, uint32_t *base, uint32_t *low)
{
    fused_table(normals);
    fused_find_ratios(outputs);
    fused_stage(view,
                fused_stage_matrix(view, (real *)(low + PATH_shared_low * view->image->n_draws)));
    if (PATH_constants) view->factor = factors->v;
    view->shown = (real *)(fused_shared + FUSED_TABLE + threadIdx.x / 32 * FUSED_SHOWN);
    if (PATH_held || PATH_product) fused_hold_drivers(view->image, view, base);
}

extern "C" __global__ void __launch_bounds__(LEVY_COLUMNS, PATH_ctas)
    levy_simulate(const char *bytes, unsigned long long first_block, unsigned long long n_blocks,
                  unsigned int first_output, unsigned int first_item, unsigned int first_dynamics,
                  levy_block_sum *sums, const float4 *normals, real *record, const char *given,
                  unsigned long long given_stride, unsigned int split, double *values,
                  char *scratch, unsigned int n_scratch, unsigned int deferred_lanes,
                  const __grid_constant__ fused_factors factors)
{
    const levy_image *const image = (const levy_image *)bytes;
    path_view view = path_view_of(image, first_item, PATH_sweep ? 0 : first_dynamics);
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, image, outputs) + first_output;
    const uint32_t words = PATH_whole ? PATH_round * fused_base_size(image) : 0;
    uint32_t *base = (uint32_t *)(fused_shared + FUSED_FRONT),
             *base_next = base + words, *const low = base + fused_front_size(image);
    levy_block_sum *const columns = (levy_block_sum *)(base + 2 * words);
    const uint32_t blocks = (uint32_t)n_blocks, parts = PATH_split ? split : 1,
                   ctas = gridDim.x / parts, chunk = (blocks + ctas - 1) / ctas,
                   first = blockIdx.x / parts * chunk;
    const fused_part part = fused_part_of(first, parts, values);
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
    fused_share(&view, outputs, normals, &factors, base, low);
    if (first >= blocks) return;
#if PATH_redistributed
    const uint32_t place = fused_take_place(scratch, n_scratch, deferred_lanes, &view);
#endif
    fused_work work =
        fused_work_at(image, first_block + first, blocks - first < chunk ? blocks - first : chunk);
    fused_round_words(image, &work, NULL, NULL, normals, &ahead_cells, base);
    if (FUSED_GIVEN) given += (uint64_t)first * LEVY_BLOCK_PATHS * FUSED_GIVEN;
    sums += (uint64_t)first * PATH_outputs;
    if (PATH_record && record) view.record = record + first * levy_record_reals(image);
#pragma unroll 1
    while (work.left > 0) {
        fused_start_replicate(image, work.replicate, &held, normals, low, &points);
        if (!FUSED_LATE) __syncthreads();
        fused_work next = work;
        fused_work_next(image->paths, &next);
        if (FUSED_GIVEN) points.given = given + threadIdx.x * FUSED_GIVEN;
        fused_round(&view, &points, &work, &next, &part, outputs, base, base_next, columns, normals,
                    &ahead_cells, sums);
        if (FUSED_GIVEN) given += (uint64_t)work.n * LEVY_BLOCK_PATHS * FUSED_GIVEN;
        sums += work.n * PATH_outputs;
        work = next;
        fused_swap(&base, &base_next);
    }
#if PATH_redistributed
    fused_leave_place((unsigned int *)scratch, place);
#endif
}

#include "kernels/cuda/kernels/branches.h"
#include "kernels/cuda/kernels/fused_columns.h"
