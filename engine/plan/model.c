/* model.c: see model.h. */
#include "engine/plan/model.h"

static const levy_model_kind *model_kind(const levy_market_plan *markets)
{
    return levy_model_kinds[markets->trade->model->kind];
}

static levy_status model_grid(const levy_problem *problem, const levy_market_plan *markets,
                              levy_arena *arena, levy_model_grid *grid)
{
    size_t *const assets = levy_arena_allocate(arena, markets->n_assets, sizeof *assets);
    const int32_t generator = problem->simulation.generator;
    if (!assets) return LEVY_MEMORY;
    for (size_t u = 0; u < markets->n_assets; ++u) assets[u] = markets->trade->underlyings[u];
    *grid = (levy_model_grid){.n_nodes = markets->group->n_nodes,
                              .times = markets->group->times,
                              .clock = markets->clock,
                              .n_assets = markets->n_assets,
                              .assets = assets,
                              .quasi = generator == LEVY_GENERATOR_SOBOL ||
                                       generator == LEVY_GENERATOR_SOBOL_SCRAMBLED,
                              .scale = 1.0};
    return LEVY_OK;
}

levy_status levy_model_draws(const levy_problem *problem, const levy_market_plan *markets,
                             levy_arena *arena, uint32_t *draws)
{
    const levy_model_kind *const kind = model_kind(markets);
    levy_model_grid grid;
    *draws = 0;
    if (!kind->draws || markets->group->known) return LEVY_OK;
    LEVY_TRY(model_grid(problem, markets, arena, &grid));
    *draws = kind->draws(markets->trade->model->terms, &grid);
    return LEVY_OK;
}

levy_status levy_model_prepare(const levy_problem *problem, const levy_market_plan *markets,
                               const levy_walk *walk, double scale, levy_arena *arena,
                               levy_model_plan *plan)
{
    const levy_model_kind *const kind = model_kind(markets);
    levy_model_grid grid;
    if (!kind->plan || markets->group->known) return LEVY_OK;
    LEVY_TRY(model_grid(problem, markets, arena, &grid));
    grid.construction = walk->construction;
    grid.scale = scale;
    grid.strategy = &walk->strategy;
    grid.is_single = problem->simulation.precision == LEVY_PRECISION_SINGLE;
    return kind->plan(markets->trade->model->terms, &grid, arena, plan);
}

void levy_model_add_drift(const levy_market_plan *markets, const levy_model_plan *plan,
                          double *drift)
{
    const size_t n = markets->n_assets, row = markets->group->n_nodes * n;
    for (size_t i = 0; plan->drift && i < row; ++i)
        drift[i] +=
            markets->per_interval && i >= n ? plan->drift[i] - plan->drift[i - n] : plan->drift[i];
}

void levy_model_put_factor(const levy_market_plan *markets, const levy_model_plan *plan,
                           double *factor)
{
    for (size_t i = 0; plan->factor && i < markets->n_assets * markets->n_factors; ++i)
        factor[i] = plan->factor[i];
}
