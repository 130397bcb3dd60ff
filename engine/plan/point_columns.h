/* point_columns.h: scrambled columns of Sobol points or a net, kept from plan to plan. A column is
 * a pure function of (direction numbers, seed, replicate, dimension), so plans of one book share it
 * whatever their grids. Making a column costs hundreds of times as much as copying one. Must not
 * know: grids, images. */
#ifndef LEVY_PLAN_POINT_COLUMNS_H
#define LEVY_PLAN_POINT_COLUMNS_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdint.h>

/* 32 direction numbers, by bit of the Gray-coded index, then the digital shift */
enum { LEVY_COLUMN_WORDS = 33 };

typedef struct levy_point_tables levy_point_tables;

/* The inputs of a table. */
typedef struct levy_table_key {
    uint64_t seed;
    uint32_t n_replicates;
    int32_t scrambling;         /* LEVY_SCRAMBLING_ */
    const struct levy_net *net; /* its hash is compared; NULL: Joe and Kuo's numbers */
    uint32_t purpose;           /* LEVY_PURPOSE_ of the paths */
} levy_table_key;

levy_status levy_point_tables_create(const levy_memory *memory, levy_point_tables **tables);
void levy_point_tables_destroy(levy_point_tables *tables); /* NULL is fine */

/* The columns of dimensions 0 .. n_dimensions - 1. That of dimension d and replicate r is at
 * [(d * n_replicates + r) * LEVY_COLUMN_WORDS]. A key other than the last call's drops what is
 * kept. NULL if that is more than is kept (64 MiB), if there is no memory, if the meter of `memory`
 * says stop, or if `tables` is NULL; the caller then computes its own columns. Several threads may
 * call it: each has the tables to itself until it lets them go, with columns or without. */
const uint32_t *levy_point_tables_get(levy_point_tables *tables, const levy_memory *memory,
                                      const levy_table_key *key, uint32_t n_dimensions);
void levy_point_tables_let_go(levy_point_tables *tables); /* NULL is fine */

/* One column by itself. `numbers`: the dimension's 32 unscrambled numbers. */
void levy_point_column(const levy_table_key *key, uint32_t replicate, uint32_t dimension,
                       const uint32_t numbers[32], uint32_t column[LEVY_COLUMN_WORDS]);

#endif
