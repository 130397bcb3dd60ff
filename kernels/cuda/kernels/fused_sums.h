/* fused_sums.h: outputs of items, their sums by column, and the merge of a block's columns. Part of
 * fused.cu, which alone includes it. Must not know: how a value is made. */

__constant__ double fused_inverse[LEVY_BLOCK_ROWS] = {
    1.0,     1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,  1.0 / 8,
    1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15, 1.0 / 16};

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
        const bool whole = count == LEVY_BLOCK_PATHS;
        levy_block_sum sum = whole ? fused_merge(mine, 0, true) : fused_merge(mine, count, false);
        const double unit = fused_unit(&outputs[o]);
        sum.mean = sum.mean * unit;
        sum.m2 = sum.m2 * (unit * unit);
        if (threadIdx.x % 32 == 0) sums[slot] = sum;
    }
}
