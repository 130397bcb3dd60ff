/* tables.c: see tables.h. */
#include "kernels/bridge/tables.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void tables_put(void *to, size_t i, bool single, double value)
{
    if (single)
        ((float *)to)[i] = (float)value;
    else
        ((double *)to)[i] = value;
}

static bool tables_holds(bool single, double value)
{
    return isfinite(value) && (!single || fabs(value) <= (double)FLT_MAX);
}

static const char *tables_precision(bool single) { return single ? "single" : "double"; }

static levy_status tables_check_numbers(const levy_bridge_settings *s, char *why)
{
    const uint32_t d = s->n_dimensions;
    for (uint32_t i = 0; s->factor && i < d * d; ++i)
        if (!tables_holds(s->single, s->factor[i])) {
            snprintf(why, LEVY_BRIDGE_WHY, "factor[%u][%u] is not a finite number in %s precision",
                     (unsigned)(i / d), (unsigned)(i % d), tables_precision(s->single));
            return LEVY_ARGUMENT;
        }
    for (uint32_t i = 0; s->start && i < d; ++i)
        if (!tables_holds(s->single, s->start[i])) {
            snprintf(why, LEVY_BRIDGE_WHY, "start[%u] is not a finite number in %s precision",
                     (unsigned)i, tables_precision(s->single));
            return LEVY_ARGUMENT;
        }
    return LEVY_OK;
}

/* Refuses times so close that the root or the inverse of their distance is no longer a normal
 * number. */
static levy_status tables_check_spans(const levy_bridge_program *p, const levy_bridge_settings *s,
                                      char *why)
{
    const double least = s->single ? (double)FLT_MIN : DBL_MIN;
    for (uint32_t i = 0; i < p->n_steps; ++i) {
        if (s->increments && !tables_holds(s->single, p->inverse[i])) {
            snprintf(why, LEVY_BRIDGE_WHY,
                     "times[%u] and times[%u] are too close for increments in %s precision",
                     (unsigned)i, (unsigned)i + 1, tables_precision(s->single));
            return LEVY_ARGUMENT;
        }
        const double deviation = p->weights[3 * (size_t)i + 2];
        if (deviation < least || !tables_holds(s->single, deviation)) {
            snprintf(why, LEVY_BRIDGE_WHY,
                     "the deviation of the point at times[%" PRIu32
                     "] is not a normal number in %s precision: scale the times",
                     BRIDGE_ROW(p->instructions[i]) + 1, tables_precision(s->single));
            return LEVY_ARGUMENT;
        }
    }
    return LEVY_OK;
}

static bool tables_lower(const levy_bridge_settings *s)
{
    for (uint32_t i = 0; s->factor && i < s->n_dimensions; ++i)
        for (uint32_t j = i + 1; j < s->n_dimensions; ++j)
            if (s->factor[i * s->n_dimensions + j] != 0.0) return false;
    return true;
}

/* Number i of the factor, or of the identity if there is none. */
static double tables_factor(const levy_bridge_settings *s, uint32_t i)
{
    if (s->factor) return s->factor[i];
    return i % (s->n_dimensions + 1) == 0 ? 1.0 : 0.0;
}

static void tables_fill(const levy_bridge_program *p, const levy_bridge_settings *s,
                        levy_bridge_tables *t)
{
    const uint32_t d = s->n_dimensions;
    const double scale = d == 1 && s->factor ? s->factor[0] : 1.0;
    void *const weights = (void *)(uintptr_t)t->weights;
    void *const inverse = (void *)(uintptr_t)t->inverse;
    void *const factor = (void *)(uintptr_t)t->factor, *const start = (void *)(uintptr_t)t->start;
    memcpy((void *)(uintptr_t)t->instructions, p->instructions,
           p->n_steps * sizeof *p->instructions);
    for (size_t i = 0; i < 3 * (size_t)p->n_steps; ++i)
        tables_put(weights, i, s->single, i % 3 == 2 ? p->weights[i] * scale : p->weights[i]);
    for (uint32_t i = 0; i < p->n_steps; ++i)
        tables_put(inverse, i, s->single, s->increments ? p->inverse[i] : 0.0);
    for (uint32_t i = 0; i < d * d; ++i) tables_put(factor, i, s->single, tables_factor(s, i));
    for (uint32_t i = 0; i < d; ++i) tables_put(start, i, s->single, s->start ? s->start[i] : 0.0);
}

levy_status levy_bridge_tables_create(const levy_memory *memory, const levy_bridge_program *program,
                                      const levy_bridge_settings *settings,
                                      levy_bridge_tables *tables, char *why)
{
    const size_t n = program->n_steps, d = settings->n_dimensions,
                 size = settings->single ? sizeof(float) : sizeof(double);
    LEVY_TRY(tables_check_numbers(settings, why));
    LEVY_TRY(tables_check_spans(program, settings, why));
    char *const piece = levy_memory_allocate(memory, n * 8 + (4 * n + d * d + d) * size, 1);
    if (!piece)
        return snprintf(why, LEVY_BRIDGE_WHY, "no memory for a bridge of %zu steps", n),
               LEVY_MEMORY;
    *tables = (levy_bridge_tables){.n_steps = program->n_steps,
                                   .n_dimensions = settings->n_dimensions,
                                   .slots = program->slots,
                                   .start_slot = program->start_slot,
                                   .single = settings->single,
                                   .increments = settings->increments,
                                   .lower = tables_lower(settings),
                                   .instructions = (uint64_t *)(void *)piece,
                                   .weights = piece + 8 * n,
                                   .inverse = piece + 8 * n + 3 * n * size,
                                   .factor = piece + 8 * n + 4 * n * size,
                                   .start = piece + 8 * n + (4 * n + d * d) * size};
    tables_fill(program, settings, tables);
    return LEVY_OK;
}
