/* scripts.h: the programs of a tile's items as the text of a kernel: straight-line code, a step a
 * line, of the functions of payoffs/script.h. The text has no number of an item, so trades of one
 * form share a kernel, and no number of an image: a tile counts its programs by itself. Must not
 * know: shapes, compilers. */
#ifndef LEVY_CUDA_COMPILE_SCRIPTS_H
#define LEVY_CUDA_COMPILE_SCRIPTS_H

#include "kernels/cuda/compile/shape_text.h"
#include "kernels/path/image.h"

#include <stdbool.h>

typedef struct levy_scripts_count {
    uint32_t node_terms, constants;
} levy_scripts_count;

/* States of item i's program; 0: it has none. */
uint32_t levy_scripts_states_of(const levy_image *image, const levy_tile *tile, uint32_t i);
/* The most states of an item; 0: no item has a program. */
uint32_t levy_scripts_states(const levy_image *image, const levy_tile *tile);
/* Most lanes that the dates of an item save for segments after the path (postpone.h); 0: segments
 * run on the path, since an item cannot do otherwise, or none has any. */
uint32_t levy_scripts_deferred(const levy_image *image, const levy_tile *tile);
/* Whether items are redistributed across the threads of a warp, so that what dates save lies in
 * global memory; and its lanes of an item and a path. */
bool levy_scripts_redistributes(const levy_image *image, const levy_tile *tile);
uint32_t levy_scripts_deferred_lanes(const levy_image *image, const levy_tile *tile);
/* Item i's own numbers at a node, and its constants, if segments run after the path, else 0. */
levy_scripts_count levy_scripts_numbers(const levy_image *image, const levy_tile *tile, uint32_t i);
/* Whether the items have one program, and the same flags say that they observe, where segments run
 * after the path. */
bool levy_scripts_same_dates(const levy_image *image, const levy_tile *tile);
/* Whether a CTA makes a table of the program's thresholds (thresholds.h). */
bool levy_scripts_tables(const levy_image *image, const levy_tile *tile);
/* Whether their numbers at all nodes are more than the first cache has room for. */
bool levy_scripts_copies(const levy_image *image, const levy_tile *tile);
/* Lanes of a path that the segments of all items take, or of the largest item if they run after it;
 * 0: no program is integrated. */
uint32_t levy_scripts_segments(const levy_image *image, const levy_tile *tile);
/* Bytes of a path's segments in shared memory (segments_stack.h); 0: none are there. */
uint32_t levy_scripts_shared_segments(const levy_image *image, const levy_tile *tile);
/* Bytes at most of what a kernel declares as shared memory for its programs. */
uint32_t levy_scripts_shared(const levy_image *image, const levy_tile *tile);
/* Whether one of them has a sum of levels. */
bool levy_scripts_sum(const levy_image *image, const levy_tile *tile);
/* Item i's variant, with its program's number in the tile. */
uint32_t levy_scripts_variant(const levy_image *image, const levy_tile *tile, uint32_t i);

/* Writes the programs' functions, which stand behind the tile's headers. */
void levy_scripts_write(const levy_image *image, const levy_tile *tile, levy_shape_text *out);

#endif
