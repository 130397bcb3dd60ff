/* fused_work.h: the blocks that a CTA takes, a round at a time, and the columns of its threads.
 * Part of fused.cu, which alone includes it. Must not know: what a path is. */

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
