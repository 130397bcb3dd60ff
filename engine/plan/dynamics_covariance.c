/* dynamics_covariance.c: covariances of a set. They are integrated over each interval of the grid:
 * between all volatility and correlation nodes forward volatilities are constant, so sums over the
 * pieces are exact. See dynamics_parts.h. */
#include "engine/plan/dynamics_parts.h"

#include "kernels/lane/scalar.h"

#include <string.h>

size_t levy_dynamics_rows(const levy_dynamics_plan *p) { return p->n_assets + p->n_own; }

size_t levy_dynamics_row_asset(const levy_dynamics_plan *p, size_t row)
{
    return row < p->n_assets ? row : (row - p->n_assets) / (p->n_own / p->n_assets);
}

/* The correlation of underlyings i and j in a piece. */
static double dynamics_correlate(const levy_dynamics_plan *p, uint32_t set, size_t piece, size_t i,
                                 size_t j)
{
    const uint32_t *const at = p->trade->underlyings;
    if (i == j) return 1.0;
    return levy_moved_correlation(
        &p->sets[set], (levy_correlated){levy_trade_asset(p->trade, i), false},
        (levy_correlated){levy_trade_asset(p->trade, j), false},
        levy_correlation_of(&p->trade->model->correlation, piece, at[i], at[j]));
}

/* An underlying under a set; as quoted, if `asset` is NULL. */
static levy_modelled dynamics_modelled(const levy_dynamics_plan *p, size_t u,
                                       const levy_asset *asset)
{
    const levy_asset *const quoted = levy_trade_asset(p->trade, u);
    return (levy_modelled){quoted, asset ? asset : quoted, p->trade->underlyings[u]};
}

double levy_dynamics_correlation(const levy_dynamics_plan *p, uint32_t set, double time, size_t u,
                                 size_t v)
{
    const levy_correlation *const c = &p->trade->model->correlation;
    const levy_modelled a = dynamics_modelled(p, u, NULL), b = dynamics_modelled(p, v, NULL);
    if (!p->composite) return dynamics_correlate(p, set, levy_correlation_piece(c, time), u, v);
    const double both = levy_moved_covariance(&p->sets[set], c, a, b, 0.0, time),
                 each = levy_moved_covariance(&p->sets[set], c, a, a, 0.0, time) *
                        levy_moved_covariance(&p->sets[set], c, b, b, 0.0, time);
    return u != v && each > 0.0 ? both / levy_sqrt(each) : u == v;
}

/* The correlation of a row with the driver of its asset at a time. */
static double dynamics_row_share(const levy_dynamics_plan *p, uint32_t set, size_t row, double time)
{
    const levy_model *const model = p->trade->model;
    if (row < p->n_assets) return 1.0;
    const size_t drivers = p->n_own / p->n_assets,
                 asset = p->trade->underlyings[levy_dynamics_row_asset(p, row)];
    return levy_model_drawn(model->kind, p->group->integrated)
        ->correlation(p->terms[set], asset, (row - p->n_assets) % drivers, time);
}

/* The factor of the market that a row is, by its number in the model. */
static size_t dynamics_row_factor(const levy_dynamics_plan *p, size_t row)
{
    return p->trade->underlyings[levy_dynamics_row_asset(p, row)] +
           (row < p->n_assets ? 0 : p->trade->model->n_assets);
}

static levy_correlated dynamics_row_correlated(const levy_dynamics_plan *p, size_t row)
{
    return (levy_correlated){levy_trade_asset(p->trade, levy_dynamics_row_asset(p, row)),
                             row >= p->n_assets};
}

/* Does the same for rows i and j: as the book gives it, or by the shares. */
static double dynamics_correlate_rows(const levy_covariances *s, double time, size_t i, size_t j)
{
    const levy_dynamics_plan *const p = s->plan;
    if (i == j) return 1.0;
    const levy_correlation *const c = &p->trade->model->correlation;
    const double given =
        levy_correlation_own(c, s->piece, dynamics_row_factor(p, i), dynamics_row_factor(p, j));
    if (given != LEVY_NO_CORRELATION)
        return levy_moved_correlation(&p->sets[s->set], dynamics_row_correlated(p, i),
                                      dynamics_row_correlated(p, j), given);
    return dynamics_row_share(p, s->set, i, time) * dynamics_row_share(p, s->set, j, time) *
           dynamics_correlate(p, s->set, s->piece, levy_dynamics_row_asset(p, i),
                              levy_dynamics_row_asset(p, j));
}

levy_status levy_covariances_begin(const levy_dynamics_plan *p, uint32_t set, levy_arena *arena,
                                   levy_covariances *s)
{
    const size_t n = levy_dynamics_rows(p);
    *s = (levy_covariances){.plan = p, .set = set, .piece = SIZE_MAX, .memory = arena->memory};
    s->from = p->sets[set].elapsed;
    s->assets = levy_arena_allocate(arena, p->n_assets, sizeof *s->assets);
    s->root = levy_arena_allocate(arena, n, sizeof *s->root);
    s->covariance = levy_arena_allocate(arena, n * n, sizeof *s->covariance);
    s->correlation = levy_arena_allocate(arena, n * n, sizeof *s->correlation);
    if (!s->assets || !s->root || !s->covariance || !s->correlation) return LEVY_MEMORY;
    for (size_t u = 0; u < p->n_assets; ++u)
        LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &s->assets[u]));
    return LEVY_OK;
}

/* The model's terms end at dates of the grid, so that the one at `until` is that from `from` on. */
static void dynamics_correlate_all(levy_covariances *s, double from, double until)
{
    const levy_dynamics_plan *const p = s->plan;
    const size_t n = levy_dynamics_rows(p);
    const levy_model *const model = p->trade->model;
    const size_t piece = levy_correlation_piece(&model->correlation, until);
    if (piece == s->piece && until <= s->until) return;
    s->piece = piece;
    s->until = levy_model_break(levy_model_kinds[model->kind], p->terms[s->set], SIZE_MAX, from);
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            s->correlation[i * n + j] = dynamics_correlate_rows(s, until, i, j);
}

/* The same where an underlying is a product. */
static void dynamics_add_products(const levy_dynamics_plan *p, uint32_t set,
                                  const levy_asset *assets, double from, double to,
                                  double *covariance)
{
    const size_t n = p->n_assets;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            covariance[i * n + j] += levy_moved_covariance(
                &p->sets[set], &p->trade->model->correlation, dynamics_modelled(p, i, &assets[i]),
                dynamics_modelled(p, j, &assets[j]), from, to);
}

/* Adds the covariance of (from, to], in which nothing changes. */
static void dynamics_accumulate(levy_covariances *s, double from, double to)
{
    const size_t n = levy_dynamics_rows(s->plan), n_assets = s->plan->n_assets;
    dynamics_correlate_all(s, from, to);
    for (size_t d = 0; d < s->plan->n_own; ++d)
        s->root[n_assets + d] = s->plan->own_unit[d] * levy_sqrt(to - from);
    for (size_t u = 0; u < n_assets; ++u) {
        const double variance =
            levy_asset_variance(&s->assets[u], to) - levy_asset_variance(&s->assets[u], from);
        s->root[u] = levy_sqrt(variance > 0.0 ? variance : 0.0);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            s->covariance[i * n + j] += s->correlation[i * n + j] * s->root[i] * s->root[j];
}

levy_status levy_covariances_next(levy_covariances *s, size_t k)
{
    const levy_dynamics_plan *const p = s->plan;
    const double end = levy_dynamics_time(p, s->set, p->group->times[k]);
    memset(s->covariance, 0, levy_dynamics_rows(p) * levy_dynamics_rows(p) * sizeof *s->covariance);
    while (s->from < end) {
        const double to =
            levy_correlation_break(&p->trade->model->correlation, p->trade->model->assets,
                                   p->trade->underlyings, p->n_assets, s->from, end);
        if (p->composite)
            dynamics_add_products(p, s->set, s->assets, s->from, to, s->covariance);
        else
            dynamics_accumulate(s, s->from, to);
        s->from = to;
    }
    return k % 64 == 0 && levy_memory_stopped(s->memory) ? LEVY_CANCELLED : LEVY_OK;
}

levy_status levy_covariance_rate(const levy_dynamics_plan *p, uint32_t set, levy_arena *arena,
                                 double **covariance)
{
    const size_t n = p->n_assets;
    double *const rate = levy_arena_allocate(arena, n * n, sizeof *rate);
    double *const sigma = levy_arena_allocate(arena, n, sizeof *sigma);
    levy_asset *const assets = levy_arena_allocate(arena, n, sizeof *assets);
    if (!rate || !sigma || !assets) return LEVY_MEMORY;
    *covariance = rate;
    for (size_t u = 0; u < n; ++u) {
        LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &assets[u]));
        sigma[u] = levy_volatility_level(&assets[u].volatility, 0);
    }
    if (p->composite) return dynamics_add_products(p, set, assets, 0.0, 1.0, rate), LEVY_OK;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            rate[i * n + j] = dynamics_correlate(p, set, 0, i, j) * sigma[i] * sigma[j];
    return LEVY_OK;
}
