/* fused_columns.h: the sums of blocks whose rows several CTAs have shared, from their paths'
 * values, which those have left in memory. A thread adds the values of a column in the order of its
 * rows, as a CTA does that runs all of them; so the bits are the same. Part of fused.cu. Must not
 * know: paths. */

#if PATH_split
extern "C" __global__ void __launch_bounds__(LEVY_COLUMNS)
    levy_columns(const char *bytes, unsigned long long first_block, unsigned int first_output,
                 unsigned int first_item, const double *values, levy_block_sum *sums)
{
    extern __shared__ __align__(128) unsigned char fused_shared[];
    levy_block_sum *const columns = (levy_block_sum *)fused_shared; /* [LEVY_COLUMNS] */
    const levy_image *const image = (const levy_image *)bytes;
    const levy_image_output *const outputs =
        LEVY_IMAGE_AT(levy_image_output, image, outputs) + first_output;
    const path_view view = path_view_of(image, first_item, 0);
    const uint32_t o = blockIdx.x % PATH_outputs;
    const fused_work work = fused_work_at(image, first_block + blockIdx.x / PATH_outputs, 1);
    const fused_block block = fused_work_block(&work, 0);
    fused_column column = {0.0, 0.0, R(0.0), R(0.0), R(0.0)};
    values += (uint64_t)blockIdx.x * LEVY_BLOCK_PATHS + threadIdx.x;
#pragma unroll
    for (uint32_t row = 0; row < LEVY_BLOCK_ROWS; ++row) {
        if (row * LEVY_COLUMNS + threadIdx.x >= block.count) continue;
        const double value = values[row * LEVY_COLUMNS];
        if (FUSED_SHORT)
            fused_add_short((real)value, row, &column);
        else
            fused_add_long(value, row, &column);
    }
    columns[threadIdx.x] = fused_column_sum(&block, o, &column);
    __syncthreads();
    fused_merge_slots(outputs, columns, 1, o, 1, block.count, sums + blockIdx.x);
}
#endif
