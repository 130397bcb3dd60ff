/* clocked.c: see clocked.h. */
#include "models/clocked.h"

#include "kernels/lane/scalar.h"

/* Makes the tables of an asset's intervals and the numbers that go with them. */
static levy_status clocked_tables(const levy_clocked *asset, const levy_model_grid *grid, size_t u,
                                  levy_model_tables *tables, uint32_t *rows)
{
    double before = 0.0;
    for (size_t k = 0; k < grid->n_nodes; ++k) {
        const double interval = grid->times[k] - before;
        const levy_clock_increment clock = asset->increment(asset, interval);
        const size_t at = k * grid->n_assets + u;
        LEVY_TRY(levy_model_tables_add(tables, &clock.law, &rows[at]));
        tables->reals[4 * at] = clock.mean;
        tables->reals[4 * at + 1] = asset->skew * grid->scale;
        tables->reals[4 * at + 2] = asset->volatility * grid->scale / levy_sqrt(interval);
        if (grid->moved && u == 0) /* the first factor is the first asset's */
            tables->reals[4 * at + 3] =
                tables->reals[4 * at + 2] * (grid->moved[k] - (k ? grid->moved[k - 1] : 0.0));
        before = grid->times[k];
    }
    return LEVY_OK;
}

levy_status levy_clocked_plan(const levy_clocked *assets, const levy_model_grid *grid,
                              levy_arena *arena, levy_model_plan *plan)
{
    const size_t n = grid->n_nodes * grid->n_assets;
    double *const drift = levy_arena_allocate(arena, n, sizeof *drift);
    /* The factors stay 0: the step itself moves the levels. */
    double *const factor =
        levy_arena_allocate(arena, grid->n_assets * grid->n_assets, sizeof *factor);
    uint32_t *const rows = levy_arena_allocate(arena, n, sizeof *rows);
    levy_model_tables tables;
    if (!drift || !factor || !rows) return LEVY_MEMORY;
    LEVY_TRY(levy_model_tables_begin(&tables, arena, grid->is_single, grid->scale, 4 * n));
    for (size_t u = 0; u < grid->n_assets; ++u) {
        for (size_t k = 0; k < grid->n_nodes; ++k)
            drift[k * grid->n_assets + u] = assets[u].drift * grid->times[k];
        LEVY_TRY(clocked_tables(&assets[u], grid, u, &tables, rows));
    }
    *plan = (levy_model_plan){.drift = drift,
                              .factor = factor,
                              .reals = tables.reals,
                              .n_reals = tables.n,
                              .words = rows,
                              .n_words = n};
    return LEVY_OK;
}

uint32_t levy_clocked_draws(const levy_model_terms *terms, const levy_model_grid *grid)
{
    (void)terms;
    return (uint32_t)grid->n_assets;
}
