/* shape_parts.h: the questions that decide a shape, a file each. Each function says what it is
 * where it is defined. Must not know: who compiles the text. */
#ifndef LEVY_CUDA_COMPILE_SHAPE_PARTS_H
#define LEVY_CUDA_COMPILE_SHAPE_PARTS_H

#include "kernels/cuda/compile/shape.h"

#include <stdbool.h>

enum {
    SHAPE_STAGED = 16 << 10, /* most bytes of weights, drifts and factors in shared memory */
    SHAPE_SHORT = 16         /* draws; see shape_is_short */
};

/* as in the image */
enum {
    SHAPE_PHILOX = 1,
    SHAPE_MRG = 2,
    SHAPE_INCREMENTAL = 1,
    SHAPE_COMPONENTS = 2,
    SHAPE_ORDERED = 3
};

typedef struct shape_launch {
    uint32_t lanes, ctas;
} shape_launch;

/* ---- Items (shape_items.c) ---- */

const levy_image_item *levy_shape_item(const levy_image *image, const levy_tile *tile, uint32_t i);
uint32_t levy_shape_dynamics(const levy_image *m, const levy_tile *t, uint32_t i);
uint32_t levy_shape_elapsed(const levy_image *m, const levy_tile *t, uint32_t i);
uint32_t levy_shape_any_elapsed(const levy_image *m, const levy_tile *t);
uint32_t levy_shape_n_dynamics(const levy_image *image, const levy_tile *tile);
bool levy_shape_has_long_item(const levy_image *image, const levy_tile *tile);
bool levy_shape_is_full(const levy_image *image, const levy_tile *tile);
bool levy_shape_is_always(const levy_image *image, const levy_tile *tile);
bool levy_shape_shares_states(const levy_image *m, const levy_tile *t);
uint64_t levy_shape_state_list(const levy_image *m, const levy_tile *t);
uint32_t levy_shape_sums(const levy_image *m, const levy_tile *t);
uint32_t levy_shape_states(const levy_image *m, const levy_tile *t);
bool levy_shape_streams(const levy_image *image, const levy_tile *tile);
uint32_t levy_shape_moved(const levy_image *image, const levy_tile *tile, uint32_t i);

/* ---- Draws (shape_draws.c) ---- */

bool levy_shape_looks_ahead(const levy_image *image);
uint32_t levy_shape_finds_together(const levy_image *image);
bool levy_shape_jumps_once(const levy_image *image);
uint32_t levy_shape_normal_mark(const levy_image *image);
size_t levy_shape_real(const levy_image *image);
bool levy_shape_is_components(const levy_image *image);
uint32_t levy_shape_room(const levy_image *image);
bool levy_shape_holds_cells(const levy_image *image);
bool levy_shape_is_narrow(const levy_image *image, uint32_t lanes);
uint64_t levy_shape_base_bytes(const levy_image *image, uint32_t lanes);
bool levy_shape_is_whole(const levy_image *image);
uint32_t levy_shape_round(const levy_image *image, const levy_tile *tile);
uint32_t levy_shape_slots(const levy_image *image, const levy_tile *tile);

/* ---- Registers (shape_lanes.c) ---- */

shape_launch levy_shape_product_launch(const levy_image *image, const levy_tile *tile);
uint32_t levy_shape_product(const levy_image *image, const levy_tile *tile, uint32_t lanes);
bool levy_shape_is_wide(const levy_image *image, const levy_tile *tile);
bool levy_shape_shares_products(const levy_image *image, const levy_tile *tile, uint32_t rows);
uint32_t levy_shape_swept(const levy_image *image, const levy_tile *tile);
shape_launch levy_shape_tuned(const levy_image *image, const levy_tile *tile);
uint32_t levy_shape_node_runs(const levy_image *image, uint32_t lanes);

/* ---- Shared memory (shape_shared.c) ---- */

uint32_t levy_shape_shared_segments(const levy_image *image, const levy_tile *tile);
uint64_t levy_shape_held_bytes(const levy_image *image, uint32_t lanes);
bool levy_shape_has_constants(const levy_image *image, const levy_tile *tile);
uint64_t levy_shape_staged(const levy_image *image, const levy_tile *tile);
uint64_t levy_shape_staged_model(const levy_image *image, const levy_tile *tile);
uint32_t levy_shape_node_row(const levy_image *image, const levy_tile *tile);
uint64_t levy_shape_staged_matrix(const levy_image *image, const levy_tile *tile, uint32_t lanes);

/* ---- The table of normals (shape_normals.c) ---- */

bool levy_shape_looks_up(const levy_image *image);
bool levy_shape_is_exact(const levy_image *image);
uint32_t levy_shape_copied(const levy_image *image, uint32_t rows);
uint32_t levy_shape_alone(const levy_image *image, uint32_t rows);
uint32_t levy_shape_table_rows(const levy_image *image, const levy_tile *tile, uint32_t rows);

#endif
