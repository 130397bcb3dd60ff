/* draw_tables.h: the tables in which a model's lanes look up draws; equal distributions share one.
 * Host only. Must not know: models. */
#ifndef LEVY_MODELS_DRAW_TABLES_H
#define LEVY_MODELS_DRAW_TABLES_H

#include "kernels/samplers/discrete/quantile_table.h"

#include <stdint.h>

typedef struct levy_model_tables {
    levy_arena *arena;
    double tolerance, scale;
    double *reals; /* the model's own reals, then the tables */
    size_t n, room;
    levy_law *laws; /* of the tables */
    uint32_t *rows; /* where they start, in rows of 8 reals */
    size_t n_laws, law_room;
} levy_model_tables;

/* Starts with `front` reals of the model's own, which stand before the tables. */
levy_status levy_model_tables_begin(levy_model_tables *tables, levy_arena *arena, bool single,
                                    double scale, size_t front);

/* Finds or makes the table of a law; `row` is where it starts. Laws whose shapes differ by a
 * relative 1e-9 at most share a table: equal intervals of a grid differ in their last bits. */
levy_status levy_model_tables_add(levy_model_tables *tables, const levy_law *law, uint32_t *row);

#endif
