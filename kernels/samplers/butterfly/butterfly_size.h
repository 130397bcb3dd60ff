/* butterfly_size.h: the sizes that butterfly.h and the GPU's kernels share. C11 and CUDA C++. Must
 * not know: anything else. */
#ifndef LEVY_BUTTERFLY_SIZE_H
#define LEVY_BUTTERFLY_SIZE_H

#define LEVY_BUTTERFLY_BLOCK 32
#define LEVY_BUTTERFLY_MOST 8192 /* items of a distribution */

#endif
