/* dynamics_create.c: makes what all sets of a group share: the clock, the rotation of the factors,
 * and the model's own drivers. See dynamics.h. */
#include "engine/plan/dynamics_parts.h"

#include <string.h>

#define DYNAMICS_LEAST_CLOCK 1e-280
#define DYNAMICS_OWN_WEIGHT 0.05

static bool dynamics_per_interval(const levy_dynamics_plan *p)
{
    if (levy_dynamics_is_driven(p) || p->group->known) return false;
    const levy_model *const model = p->trade->model;
    bool varies = (levy_correlation_pieces(&model->correlation) > 1 && p->n_assets > 1) ||
                  levy_model_features(model->kind, model->terms) & LEVY_MODEL_SCALES;
    for (size_t u = 0; u < p->n_assets; ++u) {
        const levy_asset *const asset = levy_trade_asset(p->trade, u);
        varies = varies || levy_volatility_nodes(&asset->volatility).n > 1;
        if (asset->quanto.composite)
            varies = varies || levy_volatility_nodes(&asset->quanto.fx->volatility).n > 1 ||
                     levy_correlation_pieces(&model->correlation) > 1;
    }
    return varies;
}

/* Those that pay have one rule. */
static uint32_t dynamics_has_cash(const levy_dynamics_plan *p)
{
    const double expiry = p->group->known ? 0.0 : levy_dynamics_expiry(p);
    for (size_t u = 0; u < p->n_assets && !p->group->known; ++u) {
        const levy_carry *const carry = &levy_trade_asset(p->trade, u)->carry;
        if (levy_carry_pays_cash(carry, expiry))
            return carry->affine ? LEVY_CASH_ADDED : LEVY_CASH_TAKEN;
    }
    return LEVY_CASH_NONE;
}

/* Turns `clock`, which holds the variance of each interval, into the total variance so far. Each
 * interval counts for at least a billionth of the total, so that the clock always rises. If the
 * total is so small that a part of it could vanish, the clock is calendar time. */
static void dynamics_total_clock(levy_dynamics_plan *p, double total)
{
    double clock = 0.0;
    if (!(total > DYNAMICS_LEAST_CLOCK)) {
        memcpy(p->clock, p->group->times, p->group->n_nodes * sizeof *p->clock);
        return;
    }
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        clock += p->clock[k] > 1e-9 * total ? p->clock[k] : 1e-9 * total;
        p->clock[k] = clock;
    }
}

/* The covariance of the whole grid, and the clock, if volatilities or correlations change over
 * time. */
static levy_status dynamics_whole(levy_dynamics_plan *p, levy_arena *arena, double **covariance)
{
    const size_t n = levy_dynamics_rows(p);
    levy_covariances s;
    double total = 0.0;
    double *const whole = levy_arena_allocate(arena, n * n, sizeof *whole);
    if (!whole) return LEVY_MEMORY;
    LEVY_TRY(levy_covariances_begin(p, 0, arena, &s));
    *covariance = whole;
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        LEVY_TRY(levy_covariances_next(&s, k));
        p->clock[k] = 0.0;
        for (size_t i = 0; i < p->n_assets; ++i) total += s.covariance[i * n + i];
        for (size_t i = 0; i < p->n_assets; ++i) p->clock[k] += s.covariance[i * n + i];
        for (size_t i = 0; i < n * n; ++i) whole[i] += s.covariance[i];
    }
    dynamics_total_clock(p, total);
    return LEVY_OK;
}

/* Makes one factor, which moves nothing. */
static levy_status dynamics_still(levy_dynamics_plan *p, levy_arena *arena)
{
    double *const variance = levy_arena_allocate(arena, 1, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    variance[0] = 1.0;
    p->rotation = (levy_rotation){.n = p->n_assets, .rank = 1, .variance = variance};
    p->n_factors = 1;
    return LEVY_OK;
}

/* The model's own drivers: the same number for each asset, weighted by the variance that the asset
 * brings. */
static levy_status dynamics_drivers(levy_dynamics_plan *p, levy_arena *arena)
{
    const size_t each = levy_model_drawn(p->trade->model->kind, p->group->integrated)->drivers;
    if (levy_model_features(p->trade->model->kind, p->trade->model->terms) & LEVY_MODEL_SHARED)
        return dynamics_still(p, arena); /* one driver, whose levels the model makes */
    double *const variance = levy_arena_allocate(arena, p->n_assets * each, sizeof *variance),
                  total = 0.0;
    if (!variance) return LEVY_MEMORY;
    for (size_t i = 0; i < p->n_assets * each; ++i) {
        const double scaled =
            p->group->scaling[i / each] * levy_dynamics_own_volatility(p, 0, i / each);
        variance[i] = scaled * scaled + 1e-12;
        total += variance[i];
    }
    for (size_t i = 0; i < p->n_assets * each; ++i) variance[i] /= total;
    p->rotation =
        (levy_rotation){.n = p->n_assets, .rank = p->n_assets * each, .variance = variance};
    p->n_factors = p->rotation.rank;
    return LEVY_OK;
}

/* What the first factor moves. */
static levy_status dynamics_first(levy_dynamics_plan *p, const double *covariance,
                                  levy_arena *arena)
{
    const size_t n = p->rotation.n, rank = p->rotation.rank;
    double *const work = levy_arena_allocate(arena, n * rank, sizeof *work),
                  *const factor = levy_arena_allocate(arena, n * rank, sizeof *factor);
    p->first = levy_arena_allocate(arena, p->n_assets, sizeof *p->first);
    if (!work || !factor || !p->first) return LEVY_MEMORY;
    levy_rotation_factor(&p->rotation, covariance, work, factor);
    for (size_t u = 0; u < p->n_assets; ++u) {
        const double moved = factor[u * rank], all = covariance[u * n + u];
        p->first[u] = all > 0.0 ? moved * moved / all : 1.0;
    }
    return LEVY_OK;
}

/* Do several assets have one own driver each, which are independent given the assets', and none of
 * which needs no factor, as its asset's driver moves it alone? */
static bool dynamics_is_led(const levy_dynamics_plan *p, const double *covariance)
{
    const size_t n = levy_dynamics_rows(p), m = p->n_assets;
    bool led = p->n_own == m && m > 1 && !p->group->integrated &&
               !levy_correlation_has_variances(&p->trade->model->correlation);
    for (size_t i = 0; i < m && led; ++i) {
        const double *const row = covariance + i * n, *const own = covariance + (m + i) * n;
        led = row[i] * own[m + i] - own[i] * own[i] > 1e-12 * row[i] * own[m + i];
    }
    return led;
}

/* The rotation weighs the model's own drivers less than their assets', for they move the payoffs
 * less. Call of an Euler Heston, rms error over 64 seeds of 2^14 paths by the weight: 0.05 0.0258,
 * 0.25 0.0261, 0.5 0.0264, 1 0.0279; by independent drivers for asset and variance 0.0258. As rows
 * they have the assets' volatilities, so that no row is lost beside the others. */
static levy_status dynamics_rotate(levy_dynamics_plan *p, const double *covariance, bool eigen,
                                   levy_arena *arena)
{
    const size_t n = levy_dynamics_rows(p);
    double *const scaling = levy_arena_allocate(arena, n, sizeof *scaling);
    if (!scaling) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i)
        scaling[i] = p->group->scaling[levy_dynamics_row_asset(p, i)] *
                     (i < p->n_assets ? 1.0 : DYNAMICS_OWN_WEIGHT);
    p->led = dynamics_is_led(p, covariance);
    LEVY_TRY(p->led ? levy_rotation_create_led(n, p->n_assets, covariance, scaling, eigen, arena,
                                               &p->rotation)
             : p->group->integrated && p->n_own
                 ? levy_rotation_create_apart(n, p->n_assets, covariance, scaling, eigen, arena,
                                              &p->rotation)
                 : levy_rotation_create(n, covariance, scaling, eigen, arena, &p->rotation));
    p->n_factors = p->rotation.rank;
    return dynamics_first(p, covariance, arena);
}

static levy_status dynamics_own_units(levy_dynamics_plan *p, levy_arena *arena)
{
    const levy_model_kind *const kind =
        levy_model_drawn(p->trade->model->kind, p->group->integrated);
    const size_t drivers = kind->drivers;
    p->n_own = p->n_assets * drivers;
    for (size_t u = 0; u < p->n_assets && kind->paid; ++u)
        p->paid = p->paid || levy_trade_asset(p->trade, u)->quanto.of;
    p->n_numbers = drivers > 0 ? kind->numbers : 0;
    if (p->paid) p->n_numbers += kind->paid;
    p->own_unit = levy_arena_allocate(arena, p->n_own, sizeof *p->own_unit);
    if (!p->own_unit) return LEVY_MEMORY;
    for (size_t d = 0; d < p->n_own; ++d) {
        double deviation;
        LEVY_TRY(levy_dynamics_moved_deviation(p, 0, d / drivers, 1.0, arena, &deviation));
        p->own_unit[d] = deviation > 0.0 ? deviation : 1.0;
    }
    return LEVY_OK;
}

levy_status levy_dynamics_create(const levy_problem *problem, const levy_group *group, bool eigen,
                                 levy_arena *arena, levy_dynamics_plan *p)
{
    double *whole;
    memset(p, 0, sizeof *p);
    p->trade = &problem->trades[group->trades[0]];
    p->group = group;
    p->n_assets = p->trade->n_underlyings + p->trade->n_rates;
    for (size_t u = 0; u < p->n_assets; ++u)
        p->composite = p->composite || levy_trade_asset(p->trade, u)->quanto.composite;
    p->per_interval = dynamics_per_interval(p);
    p->has_cash = dynamics_has_cash(p);
    p->max_step = problem->simulation.max_step;
    p->clock = levy_arena_allocate(arena, group->n_nodes, sizeof *p->clock);
    if (!p->clock) return LEVY_MEMORY;
    uint32_t first;
    const levy_moved *const market = problem->simulation.market;
    LEVY_TRY(
        levy_dynamics_add_set(p, arena, market ? *market : (levy_moved){.n_shifts = 0}, &first));
    LEVY_TRY(levy_dynamics_add(p, arena, first, &first));
    memcpy(p->clock, group->times, group->n_nodes * sizeof *p->clock); /* calendar time */
    if (group->known) return dynamics_still(p, arena);
    if (levy_dynamics_is_driven(p)) return dynamics_drivers(p, arena);
    LEVY_TRY(dynamics_own_units(p, arena));
    LEVY_TRY(p->per_interval ? dynamics_whole(p, arena, &whole)
                             : levy_covariance_rate(p, 0, arena, &whole));
    return dynamics_rotate(p, whole, eigen, arena);
}
