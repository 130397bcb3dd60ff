/* scripts.h: the programs of a tile's items as the text of a kernel: straight-line code, a step a
 * line, of the functions of payoffs/script.h. The text has no number of an item, so trades of one
 * form share a kernel, and no number of an image: a tile counts its programs by itself. Must not
 * know: shapes, compilers. */
#ifndef LEVY_CUDA_COMPILE_SCRIPTS_H
#define LEVY_CUDA_COMPILE_SCRIPTS_H

#include "kernels/cuda/compile/shape_text.h"
#include "kernels/path/image.h"

#include <stdbool.h>

/* States of item i's program; 0: it has none. */
uint32_t levy_scripts_states_of(const levy_image *image, const levy_tile *tile, uint32_t i);
/* The most states of an item; 0: no item has a program. */
uint32_t levy_scripts_states(const levy_image *image, const levy_tile *tile);
/* Lanes of a path that the segments of all items take; 0: no program is integrated. */
uint32_t levy_scripts_segments(const levy_image *image, const levy_tile *tile);
/* Whether one of them has a sum of levels. */
bool levy_scripts_sum(const levy_image *image, const levy_tile *tile);
/* Item i's variant, with its program's number in the tile. */
uint32_t levy_scripts_variant(const levy_image *image, const levy_tile *tile, uint32_t i);

/* Writes the programs' functions, which stand behind the tile's headers. */
void levy_scripts_write(const levy_image *image, const levy_tile *tile, levy_shape_text *out);

#endif
