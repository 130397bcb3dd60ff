/* fused_words.h: the words of Sobol points that a CTA makes for all its columns, and the streams of
 * mrg32k3a that a thread starts. Part of fused.cu, which alone includes it. Must not know: normals,
 * payoffs. */

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
