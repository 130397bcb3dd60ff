/* results_origin.c: what reports say of a run's book beside its numbers: what the axes of its
 * scenario grids shift, and the texts that it was read from, with their hashes. See results.h. */
#include "engine/book/results.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <string.h>

/* "SPX.spot, relative" */
static const char *origin_axis(levy_results *results, const levy_shift *shift)
{
    static const char *const factors[] = {[LEVY_SHIFT_SPOT] = "spot",
                                          [LEVY_SHIFT_VOLATILITY] = "volatility",
                                          [LEVY_SHIFT_RATE] = "rate",
                                          [LEVY_SHIFT_YIELD] = "dividend_yield",
                                          [LEVY_SHIFT_CORRELATION] = "correlation"};
    const char *owner = "ALL";
    if (shift->asset) owner = shift->asset->name;
    if (shift->curve) owner = shift->curve->name;
    return levy_arena_format(&results->arena, "%s.%s, %s", owner, factors[shift->factor],
                             shift->relative ? "relative" : "absolute");
}

/* The grid of a point, whose axes are the last shifts of the scenario: as many as its id has
 * coordinates. */
static levy_status origin_grid(levy_results *results, const levy_scenario *scenario, size_t name)
{
    levy_report_grid *const grid = &results->grids[results->n_grids];
    size_t n = 1;
    for (const char *p = scenario->id + name; *p; ++p) n += *p == ',';
    if (n > scenario->n_shifts) return LEVY_OK; /* its id only looks like that of a point */
    const char **const axes = levy_arena_allocate(&results->arena, n, sizeof *axes);
    grid->id = levy_arena_copy_text(&results->arena, scenario->id, name);
    if (!axes || !grid->id) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        axes[i] = origin_axis(results, &scenario->shifts[scenario->n_shifts - n + i]);
        if (!axes[i]) return LEVY_MEMORY;
    }
    grid->axes = axes;
    grid->n_axes = n;
    results->n_grids++;
    return LEVY_OK;
}

/* Points of a grid are neighbours, so the first of each is where the name changes. */
static levy_status origin_grids(levy_results *results, const levy_problem *problem)
{
    const char *last = NULL;
    size_t last_name = 0;
    results->grids =
        levy_arena_allocate(&results->arena, problem->n_scenarios, sizeof *results->grids);
    if (!results->grids) return LEVY_MEMORY;
    for (size_t i = 0; i < problem->n_scenarios; ++i) {
        const char *const id = problem->scenarios[i].id, *const bracket = strrchr(id, '[');
        if (!bracket || !strchr(bracket, ']')) continue;
        const size_t name = (size_t)(bracket - id);
        const bool same = last && last_name == name && strncmp(last, id, name) == 0;
        last = id;
        last_name = name;
        if (!same) LEVY_TRY(origin_grid(results, &problem->scenarios[i], name));
    }
    return LEVY_OK;
}

static levy_status origin_input(levy_results *results, const levy_source *source)
{
    levy_report_input *const input = &results->inputs[results->n_inputs];
    if (!source->text) return LEVY_OK;
    input->name = levy_arena_copy_text(&results->arena, source->name ? source->name : "",
                                       source->name ? strlen(source->name) : 0);
    input->hash = XXH3_64bits(source->text, source->length);
    input->bytes = source->length;
    results->n_inputs++;
    return input->name ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_results_note_origin(levy_results *results, const levy_book *book)
{
    const size_t n = book->n_sources + book->n_references;
    LEVY_TRY(origin_grids(results, book->problem));
    results->inputs = levy_arena_allocate(&results->arena, n, sizeof *results->inputs);
    if (!results->inputs) return LEVY_MEMORY;
    for (size_t i = 0; i < book->n_sources; ++i) LEVY_TRY(origin_input(results, &book->sources[i]));
    for (size_t i = 0; i < book->n_references; ++i)
        LEVY_TRY(origin_input(results, &book->references[i]));
    return LEVY_OK;
}
