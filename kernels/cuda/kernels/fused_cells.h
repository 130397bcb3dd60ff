/* fused_cells.h: single steps of Black-Scholes on Sobol points. A thread holds the cubics for its
 * paths (normal.h says why it may). The CTA makes the rest for the blocks of a round: words that
 * the columns of a row share, and the normals of the 32 paths of a block that lie at the ends. Part
 * of fused.cu, which alone includes it. Must not know: payoffs, sums. */

/* What a lane of a warp adds to a block's word. `number`: the direction number of bit `lane` of the
 * Gray-coded block; `row`: what makes the word of row lane % 16; `end`: what makes the word of the
 * path in cell `lane` of the 32 at the ends, whose normal goes to `place`. */
struct fused_cells {
    uint32_t replicate, number, row, end, place;
};

#if PATH_cells
/* Sets the cells of the thread's paths for a replicate's blocks of even number; those of odd number
 * have them in reverse. */
LANE_FN void fused_hold(const levy_image *image, uint32_t replicate, const float4 *normals,
                        points_state *points)
{
    const uint32_t *const numbers =
        LEVY_IMAGE_AT(uint32_t, image, directions) + (uint64_t)replicate * 33;
    points->sobol.low = LEVY_IMAGE_AT(uint32_t, image, low) + (uint64_t)replicate * SOBOL_SINGLE;
    const uint32_t column = sobol_low(&points->sobol, 0, SOBOL_SINGLE, false);
    points->cells->low = normal_offset(column) ^ NORMAL_MIDDLE;
    points->cells->ends = points->cells->high = 0;
#pragma unroll
    for (uint32_t row = 0; row < LEVY_BLOCK_ROWS; ++row)
        normal_hold(points->cells, normals, row,
                    fused_row_word(numbers[32] ^ column, numbers, 1, row));
}

LANE_FN void fused_cells_of(const uint32_t *numbers, fused_cells *cells)
{
    const uint32_t lane = threadIdx.x % 32, cell = (lane < 16 ? lane : 4096 - 32 + lane) << 20;
    /* finds which of the first 12 numbers lead to the cell, one by one from the top digit */
    uint32_t left = cell ^ numbers[32], gray = 0;
#pragma unroll
    for (uint32_t b = 0; b < 12; ++b)
        if (left >> (31 - b) & 1) {
            left ^= numbers[b];
            gray |= 1u << b;
        }
    cells->end = cell | left;
    gray >>= 8;
    cells->place = lane / 16 * LEVY_BLOCK_ROWS + (gray ^ gray >> 1 ^ gray >> 2 ^ gray >> 3);
    cells->number = lane < 20 ? numbers[12 + lane] : 0;
    cells->row = fused_row_word(0, numbers, 1, lane % LEVY_BLOCK_ROWS);
}

/* One warp makes one block of a round: what the words of 16 rows add to distances, then the normals
 * of the paths at the ends. */
LANE_FN void fused_cell_words(const levy_image *image, const fused_block *block, uint32_t n_blocks,
                              const float4 *normals, fused_cells *cells, uint32_t *base)
{
    const uint32_t *const numbers =
        LEVY_IMAGE_AT(uint32_t, image, directions) + (uint64_t)block->replicate * 33;
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (n_blocks == 0) return;
    if (block->replicate != cells->replicate) fused_cells_of(numbers, cells);
    cells->replicate = block->replicate;
    const uint32_t number = (uint32_t)(block->start / LEVY_BLOCK_PATHS) + warp;
    uint32_t high = sobol_gray(number) >> lane & 1 ? cells->number : 0;
#pragma unroll
    for (uint32_t half = 16; half > 0; half /= 2) high ^= __shfl_xor_sync(0xffffffffu, high, half);
    if (warp >= n_blocks) return;
    uint32_t *const to = base + warp * fused_base_size(image);
    if (lane < LEVY_BLOCK_ROWS)
        to[number & 1 ? LEVY_BLOCK_ROWS - 1 - lane : lane] =
            normal_offset(numbers[32] ^ high ^ cells->row);
    const uint32_t folded = normal_fold(cells->end ^ high);
    ((float *)to)[LEVY_BLOCK_ROWS + cells->place] =
        normal_signed(normal_of_row(normals, normal_of_distance(folded)), folded);
}
#endif
