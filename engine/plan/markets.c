/* markets.c: see markets.h. Covariances are integrated over each interval of the grid: between all volatility and
 * correlation nodes forward volatilities are constant, so sums over the pieces are exact. */
#include "engine/plan/markets.h"
#include "kernels/lane/scalar.h"

#include <stdlib.h>
#include <string.h>

static const levy_asset *markets_asset(const levy_market_plan *p, size_t u) { return p->trade->model->assets[p->trade->underlyings[u]]; }

static bool markets_per_interval(const levy_market_plan *p)
{
    bool varies = p->trade->model->correlation.n > 1 && p->n_assets > 1;
    for (size_t u = 0; u < p->n_assets; ++u) varies = varies || markets_asset(p, u)->n_volatility > 1;
    return varies;
}

static bool markets_has_cash(const levy_market_plan *p)
{
    const double expiry = p->group->times[p->group->n_nodes - 1];
    for (size_t u = 0; u < p->n_assets; ++u)
        for (size_t i = 0; i < markets_asset(p, u)->n_cash; ++i)
            if (markets_asset(p, u)->cash_times[i] > 0.0 && markets_asset(p, u)->cash_times[i] <= expiry) return true;
    return false;
}

static void markets_add_pair(levy_market_plan *p, size_t u, double spot, double volatility)
{
    for (int sign = 1; sign >= -1; sign -= 2)
        p->sets[p->n_sets++] = (levy_market_set){(uint32_t)u, 1.0 + sign * spot, sign * volatility};
}

/* Spot bumps leave growths alone, so they need a set of their own only where cash dividends are paid. */
static levy_status markets_sets(const levy_problem *problem, levy_arena *arena, levy_market_plan *p)
{
    const levy_simulation *const s = &problem->simulation;
    p->sets = levy_arena_allocate(arena, 1 + 4 * p->n_assets, sizeof *p->sets);
    if (!p->sets) return LEVY_MEMORY;
    p->sets[p->n_sets++] = (levy_market_set){0, 1.0, 0.0};
    for (size_t u = 0; u < p->n_assets; ++u)
        if (p->has_cash && (s->measures & LEVY_MEASURE_DELTA)) markets_add_pair(p, u, s->spot_bump, 0.0);
    for (size_t u = 0; u < p->n_assets; ++u)
        if (s->measures & LEVY_MEASURE_VEGA) markets_add_pair(p, u, 0.0, s->volatility_bump);
    return LEVY_OK;
}

/* The asset with its Black volatilities shifted in parallel. */
static levy_status markets_shifted(const levy_market_plan *p, size_t set, size_t u, levy_arena *arena, levy_asset *asset)
{
    const levy_market_set *const s = &p->sets[set];
    *asset = *markets_asset(p, u);
    if (s->underlying != u || s->volatility_shift == 0.0) return LEVY_OK;
    double *const variance = levy_arena_allocate(arena, asset->n_volatility, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    for (size_t i = 0; i < asset->n_volatility; ++i) {
        const double t = asset->volatility_times[i];
        const double volatility = levy_sqrt(asset->total_variance[i] / t) + s->volatility_shift;
        variance[i] = volatility > 0.0 ? volatility * volatility * t : 0.0;
    }
    asset->total_variance = variance;
    return LEVY_OK;
}

static int markets_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* All times at which a volatility or a correlation may change, and the grid; ascending, from 0. */
static levy_status markets_breaks(const levy_market_plan *p, levy_arena *arena, double **breaks, size_t *n_breaks)
{
    const levy_correlation *const c = &p->trade->model->correlation;
    size_t room = 1 + p->group->n_nodes + c->n, n = 0;
    for (size_t u = 0; u < p->n_assets; ++u) room += markets_asset(p, u)->n_volatility;
    double *const b = levy_arena_allocate(arena, room, sizeof *b);
    if (!b) return LEVY_MEMORY;
    b[n++] = 0.0;
    for (size_t k = 0; k < p->group->n_nodes; ++k) b[n++] = p->group->times[k];
    for (size_t i = 0; i + 1 < c->n; ++i) b[n++] = c->times[i];
    for (size_t u = 0; u < p->n_assets; ++u)
        for (size_t i = 0; i < markets_asset(p, u)->n_volatility; ++i) b[n++] = markets_asset(p, u)->volatility_times[i];
    qsort(b, n, sizeof *b, markets_compare);
    *n_breaks = n;
    *breaks = b;
    return LEVY_OK;
}

static const double *markets_correlation(const levy_correlation *c, size_t n, double until)
{
    size_t piece = 0;
    while (piece + 1 < c->n && until > c->times[piece]) ++piece;
    return c->matrices + piece * n * n;
}

/* covariance += that of (from, to], in which nothing changes. `root`: [n_assets] */
static void markets_accumulate(const levy_market_plan *p, const levy_asset *assets, double from, double to, double *root, double *covariance)
{
    const size_t n = p->n_assets, m = p->trade->model->n_assets;
    const double *const rho = markets_correlation(&p->trade->model->correlation, m, to);
    for (size_t u = 0; u < n; ++u) {
        const double variance = levy_asset_total_variance(&assets[u], to) - levy_asset_total_variance(&assets[u], from);
        root[u] = levy_sqrt(variance > 0.0 ? variance : 0.0);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            covariance[i * n + j] += (i == j ? 1.0 : rho[p->trade->underlyings[i] * m + p->trade->underlyings[j]]) * root[i] * root[j];
}

/* Integrated covariances of a set: [n_nodes][n_assets][n_assets]. */
static levy_status markets_covariances(const levy_market_plan *p, size_t set, levy_arena *arena, double **covariances)
{
    const size_t n = p->n_assets, nodes = p->group->n_nodes;
    levy_asset *const assets = levy_arena_allocate(arena, n, sizeof *assets);
    double *const all = levy_arena_allocate(arena, nodes * n * n, sizeof *all), *const root = levy_arena_allocate(arena, n, sizeof *root);
    double *breaks;
    size_t n_breaks, node = 0;
    if (!assets || !all || !root) return LEVY_MEMORY;
    LEVY_TRY(markets_breaks(p, arena, &breaks, &n_breaks));
    for (size_t u = 0; u < n; ++u) LEVY_TRY(markets_shifted(p, set, u, arena, &assets[u]));
    for (size_t i = 0; i + 1 < n_breaks && node < nodes; ++i) {
        if (breaks[i + 1] > breaks[i]) markets_accumulate(p, assets, breaks[i], breaks[i + 1], root, all + node * n * n);
        while (node < nodes && breaks[i + 1] >= p->group->times[node]) ++node;
    }
    *covariances = all;
    return LEVY_OK;
}

/* Covariance per year where nothing changes over time. */
static levy_status markets_rate(const levy_market_plan *p, size_t set, levy_arena *arena, double **covariance)
{
    const size_t n = p->n_assets, m = p->trade->model->n_assets;
    const double *const rho = p->trade->model->correlation.matrices;
    double *const rate = levy_arena_allocate(arena, n * n, sizeof *rate), *const sigma = levy_arena_allocate(arena, n, sizeof *sigma);
    if (!rate || !sigma) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        LEVY_TRY(markets_shifted(p, set, u, arena, &asset));
        sigma[u] = levy_sqrt(asset.total_variance[0] / asset.volatility_times[0]);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            rate[i * n + j] = (i == j ? 1.0 : rho[p->trade->underlyings[i] * m + p->trade->underlyings[j]]) * sigma[i] * sigma[j];
    *covariance = rate;
    return LEVY_OK;
}

/* Calendar time, or the total variance of all underlyings where volatilities change. Always rising. */
static void markets_clock(levy_market_plan *p, const double *covariances)
{
    const size_t n = p->n_assets, nodes = p->group->n_nodes;
    double total = 0.0, clock = 0.0;
    for (size_t k = 0; k < nodes; ++k)
        for (size_t i = 0; i < n; ++i) total += covariances ? covariances[(k * n + i) * n + i] : 0.0;
    for (size_t k = 0; k < nodes; ++k) {
        double step = 0.0;
        for (size_t i = 0; covariances && i < n; ++i) step += covariances[(k * n + i) * n + i];
        clock += step > 1e-9 * total ? step : 1e-9 * total;
        p->clock[k] = covariances ? clock : p->group->times[k];
    }
}

levy_status levy_markets_plan(const levy_problem *problem, const levy_group *group, bool eigen, levy_arena *arena, levy_market_plan *p)
{
    double *covariances = NULL, *whole;
    memset(p, 0, sizeof *p);
    p->trade = &problem->trades[group->trades[0]];
    p->group = group;
    p->n_assets = p->trade->n_underlyings;
    p->per_interval = markets_per_interval(p);
    p->has_cash = markets_has_cash(p);
    p->clock = levy_arena_allocate(arena, group->n_nodes, sizeof *p->clock);
    if (!p->clock) return LEVY_MEMORY;
    LEVY_TRY(markets_sets(problem, arena, p));
    LEVY_TRY(markets_rate(p, 0, arena, &whole));
    if (p->per_interval) {
        const size_t square = p->n_assets * p->n_assets;
        LEVY_TRY(markets_covariances(p, 0, arena, &covariances));
        memset(whole, 0, square * sizeof *whole);
        for (size_t k = 0; k < group->n_nodes; ++k)
            for (size_t i = 0; i < square; ++i) whole[i] += covariances[k * square + i];
    }
    markets_clock(p, covariances);
    LEVY_TRY(levy_rotation_create(p->n_assets, whole, group->scaling, eigen, arena, &p->rotation));
    p->n_factors = p->rotation.rank;
    return LEVY_OK;
}

static levy_status markets_fill_factors(const levy_market_plan *p, size_t set, levy_arena *arena, double *factor)
{
    const size_t n = p->n_assets, square = n * n;
    double *const work = levy_arena_allocate(arena, square, sizeof *work);
    double *covariance;
    if (!work) return LEVY_MEMORY;
    if (!p->per_interval) {
        LEVY_TRY(markets_rate(p, set, arena, &covariance));
        levy_rotation_factor(&p->rotation, covariance, work, factor);
        return LEVY_OK;
    }
    LEVY_TRY(markets_covariances(p, set, arena, &covariance));
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double step = p->clock[k] - (k ? p->clock[k - 1] : 0.0);
        for (size_t i = 0; i < square; ++i) covariance[k * square + i] /= step;
        levy_rotation_factor(&p->rotation, covariance + k * square, work, factor + k * n * p->n_factors);
    }
    return LEVY_OK;
}

static double markets_cash(const levy_market_plan *p, size_t set, size_t u, double t)
{
    const levy_asset *const asset = markets_asset(p, u);
    const double spot = asset->spot * (p->sets[set].underlying == u ? p->sets[set].spot_factor : 1.0);
    double amount = 0.0;
    for (size_t i = 0; i < asset->n_cash; ++i)
        if (asset->cash_times[i] == t) amount += asset->cash_amounts[i];
    return amount / spot;
}

levy_status levy_markets_fill(const levy_market_plan *p, size_t set, levy_arena *arena, double *drift, double *factor, double *cash)
{
    const size_t n = p->n_assets;
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        double before = 0.0;
        LEVY_TRY(markets_shifted(p, set, u, arena, &asset));
        for (size_t k = 0; k < p->group->n_nodes; ++k) {
            const double t = p->group->times[k];
            const double level = levy_asset_log_growth(&asset, t) - 0.5 * levy_asset_total_variance(&asset, t);
            drift[k * n + u] = p->per_interval ? level - before : level;
            before = level;
            if (cash) cash[k * n + u] = markets_cash(p, set, u, t);
        }
    }
    return markets_fill_factors(p, set, arena, factor);
}
