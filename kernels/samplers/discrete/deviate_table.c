/* deviate_table.c: see deviate_table.h. */
#include "kernels/samplers/discrete/deviate_table.h"

#include "kernels/lane/scalar.h"
#include "kernels/samplers/discrete/quantile_table.h"

#include <stdint.h>

enum {
    TABLE_LINE = 64,   /* bytes; a row lies within one */
    TABLE_OCTAVES = 33 /* as in quantile.h, whose lanes do not belong here */
};
static const double table_tolerance[2] = {1e-11, 1e-8}; /* by precision, as of quantile_table.h */
static const double table_unit[2] = {1.0, 0x1.71547652b82fep+0}; /* of path_log */

/* The law whose table it is, and its deviates' unit, which a beta law has not. */
static levy_law table_law(levy_draw_law law, const double parameters[2], double *scale)
{
    if (law == LEVY_DRAW_BETA) { return levy_law_beta(parameters[0], parameters[1]); }
    if (law == LEVY_DRAW_INVERSE_GAUSSIAN) {
        *scale = parameters[0];
        return levy_law_inverse_gaussian(parameters[1]);
    }
    *scale = parameters[0] * parameters[1]; /* tabulated gamma deviates have mean 1 */
    return levy_law_gamma(parameters[0]);
}

/* The logarithm of the median: the one number of the lower half's last octave. */
static double table_middle(const double *reals)
{
    return reals[8 * (size_t)reals[2 * (TABLE_OCTAVES - 1)]];
}

static levy_status table_keep(const levy_memory *memory, const double *reals, size_t n, bool single,
                              levy_draw_table *table)
{
    table->bytes = n * (single ? sizeof(float) : sizeof(double));
    table->allocated = levy_memory_allocate(memory, table->bytes + TABLE_LINE, 1);
    if (!table->allocated) return LEVY_MEMORY;
    const uintptr_t at =
        ((uintptr_t)table->allocated + TABLE_LINE - 1) & ~(uintptr_t)(TABLE_LINE - 1);
    double *const numbers = (double *)at;
    float *const floats = (float *)at;
    for (size_t i = 0; i < n; ++i)
        if (single)
            floats[i] = (float)reals[i];
        else
            numbers[i] = reals[i];
    table->rows = numbers;
    return LEVY_OK;
}

levy_status levy_draw_table_create(const levy_memory *memory, levy_draw_law law, bool single,
                                   const double parameters[2], levy_draw_table *table)
{
    levy_arena scratch;
    double *reals;
    size_t n;
    *table = (levy_draw_table){0};
    if (!levy_draw_is_tabulated(law)) return LEVY_OK;
    const levy_law tabulated = table_law(law, parameters, &table->scale);
    levy_arena_init(&scratch, memory);
    levy_status status = levy_quantile_build(&tabulated, table_tolerance[single],
                                             table_unit[single], &scratch, &reals, &n);
    if (status == LEVY_OK && law == LEVY_DRAW_BETA)
        table->scale = levy_exp(table_middle(reals) / table_unit[single]);
    if (status == LEVY_OK) status = table_keep(memory, reals, n, single, table);
    levy_arena_release(&scratch);
    return status;
}

void levy_draw_table_release(const levy_memory *memory, levy_draw_table *table)
{
    levy_memory_release(memory, table->allocated);
    *table = (levy_draw_table){0};
}
