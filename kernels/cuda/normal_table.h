/* normal_table.h: the inverse normal in single as cubics, which GPU kernels look up in shared memory (normal.h says how). Computed
 * once per GPU from the double function. Must not know: images, launches. */
#ifndef LEVY_CUDA_NORMAL_TABLE_H
#define LEVY_CUDA_NORMAL_TABLE_H

/* [sign][row][coefficient, from the highest power down to the constant] */
enum { LEVY_NORMAL_ROWS = 32 * 16 + 1, LEVY_NORMAL_FLOATS = 2 * LEVY_NORMAL_ROWS * 4 };
void levy_normal_table_fill(float table[LEVY_NORMAL_FLOATS]);

#endif
