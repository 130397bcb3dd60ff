/* bounds.h: can a path's level leave the range of exp? The answer comes from the plan's own
 * numbers: no normal is larger than 6.3381, so the sums of their terms bound every driver and every
 * level. Must not know: devices. */
#ifndef LEVY_CUDA_COMPILE_BOUNDS_H
#define LEVY_CUDA_COMPILE_BOUNDS_H

#include "kernels/path/image.h"

#include <stdbool.h>

/* True: every |level| of the tile's dynamics stays below 700, in double precision. False: one may
 * not, or the bound is not known. */
bool levy_bounds_hold(const levy_image *image, const levy_tile *tile);

#endif
