/* normal_table.h: the inverse normal in single as cubics, which GPU kernels look up (see normal.h).
 * It is computed from the double function when it is asked for first. Must not know: images,
 * launches. */
#ifndef LEVY_CUDA_COMPILE_NORMAL_TABLE_H
#define LEVY_CUDA_COMPILE_NORMAL_TABLE_H

/* First the rows, which hold normals below 0, then the cells [the word's upper 12 bits]. Each is
 * four coefficients, from the highest power down to the constant. */
enum {
    LEVY_NORMAL_ROWS = 32 * 16 + 1,
    LEVY_NORMAL_CELLS = 4096,
    LEVY_NORMAL_FLOATS = 4 * (LEVY_NORMAL_ROWS + LEVY_NORMAL_CELLS)
};
const float *levy_normal_table(void); /* [LEVY_NORMAL_FLOATS]; any thread may ask */

#endif
