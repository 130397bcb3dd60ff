/* deviate_table.h: the quantile table (quantile.h) of a law whose deviates are looked up. Must not
 * know: who looks up. */
#ifndef LEVY_DISCRETE_DEVIATE_TABLE_H
#define LEVY_DISCRETE_DEVIATE_TABLE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "kernels/samplers/discrete/parameters.h"

typedef struct levy_draw_table {
    const void *rows; /* aligned to 64 bytes, of the precision; NULL: the law needs no table */
    size_t bytes;
    /* A deviate is what the table gives, times this. Of a beta law, the median (quantile_of_unit).
     */
    double scale;
    void *allocated; /* where the rows are in */
} levy_draw_table;

/* Parameters are inside their ranges. A law without a table gets an empty one. */
levy_status levy_draw_table_create(const levy_memory *memory, levy_draw_law law, bool single,
                                   const double parameters[2], levy_draw_table *table);
void levy_draw_table_release(const levy_memory *memory, levy_draw_table *table);

#endif
