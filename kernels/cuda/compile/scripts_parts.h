/* scripts_parts.h: what the files of scripts.h share. Must not know: shapes, compilers. */
#ifndef LEVY_CUDA_COMPILE_SCRIPTS_PARTS_H
#define LEVY_CUDA_COMPILE_SCRIPTS_PARTS_H

#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/thresholds.h"

/* ---- The tile (scripts.c) ---- */

/* Item i of the tile, and whether it has a program. */
const levy_image_item *levy_scripts_item(const levy_image *image, const levy_tile *tile,
                                         uint32_t i);
bool levy_scripts_has(const levy_image *image, const levy_tile *tile, uint32_t i);
/* The first item of the tile with item i's program. */
uint32_t levy_scripts_first(const levy_image *image, const levy_tile *tile, uint32_t i);
/* The thresholds that a table has; none where returns are not drifts and factors times drivers. */
levy_thresholds levy_scripts_thresholds(const levy_image *image, const levy_tile *tile);
/* Whether lower-tail segments wait (payoffs/segments_stack.h), and lanes that such a segment takes.
 */
bool levy_scripts_waits(const levy_image *image, const levy_script_program *p);
uint32_t levy_scripts_waiting_lanes(const levy_script_program *p);

/* ---- Steps (scripts_steps.c) ---- */

void levy_scripts_put(levy_shape_text *out, const char *before, uint32_t number, const char *after);
void levy_scripts_operand(levy_shape_text *out, const levy_script_program *p, uint32_t operand);
void levy_scripts_step(levy_shape_text *out, const levy_script_program *p,
                       const levy_script_step *step);
/* The registers that n of a block's steps write. */
void levy_scripts_declare(levy_shape_text *out, const levy_script_program *p,
                          const levy_script_step *steps, uint32_t n);
/* n steps of the block with their registers, from its step `first` on. */
void levy_scripts_steps(levy_shape_text *out, const levy_script_program *p,
                        const levy_script_block *block, uint32_t first, uint32_t n);
/* What a block has left of a date, and then the next date. */
void levy_scripts_find(levy_shape_text *out, const levy_script_program *p,
                       const levy_script_block *block);
/* What the segments of a program have in common, as constants. */
void levy_scripts_of(levy_shape_text *out, const levy_script_program *p, bool waits);

/* ---- Functions (scripts_table.c, scripts_later.c) ---- */

void levy_scripts_table(levy_shape_text *out, const levy_script_program *p,
                        const levy_thresholds *table);
/* The program's function of its number that runs it after the path. */
void levy_scripts_later(levy_shape_text *out, const levy_script_program *p, uint32_t number,
                        bool waits);

#endif
