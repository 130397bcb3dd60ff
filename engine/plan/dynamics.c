/* dynamics.c: see dynamics.h. Covariances are integrated over each interval of the grid: between
 * all volatility and correlation nodes forward volatilities are constant, so sums over the pieces
 * are exact. */
#include "engine/plan/dynamics.h"

#include "kernels/lane/scalar.h"

#include <string.h>

#define DYNAMICS_LEAST_CLOCK 1e-280
#define DYNAMICS_OWN_WEIGHT 0.05

static const levy_asset *dynamics_asset(const levy_dynamics_plan *p, size_t u)
{
    return p->trade->model->assets[p->trade->underlyings[u]];
}

static bool dynamics_is_driven(const levy_dynamics_plan *p)
{
    return !p->group->known &&
           levy_model_features(p->trade->model->kind, p->trade->model->terms) & LEVY_MODEL_DRIVEN;
}

/* The model's own volatility that stands for that of underlying u; 0 if there is none. */
static double dynamics_model_volatility(const levy_dynamics_plan *p, size_t u)
{
    const levy_model *const model = p->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    return kind->volatility && !p->group->known
               ? kind->volatility(model->terms, p->trade->underlyings[u])
               : 0.0;
}

double levy_dynamics_deviation(const levy_dynamics_plan *p, const levy_asset *asset, double t)
{
    for (size_t u = 0; u < p->n_assets; ++u)
        if (dynamics_asset(p, u) == asset && dynamics_model_volatility(p, u) > 0.0)
            return dynamics_model_volatility(p, u) * levy_sqrt(t);
    return levy_sqrt(levy_asset_variance(asset, t));
}

static bool dynamics_per_interval(const levy_dynamics_plan *p)
{
    if (dynamics_is_driven(p) || p->group->known) return false;
    const levy_model *const model = p->trade->model;
    bool varies = (levy_correlation_pieces(&model->correlation) > 1 && p->n_assets > 1) ||
                  levy_model_features(model->kind, model->terms) & LEVY_MODEL_SCALES;
    for (size_t u = 0; u < p->n_assets; ++u)
        varies = varies || levy_volatility_nodes(&dynamics_asset(p, u)->volatility).n > 1;
    return varies;
}

/* Rows of the covariance. */
static size_t dynamics_rows(const levy_dynamics_plan *p) { return p->n_assets + p->n_own; }

/* The underlying that a row is or belongs to. */
static size_t dynamics_row_asset(const levy_dynamics_plan *p, size_t row)
{
    return row < p->n_assets ? row : (row - p->n_assets) / (p->n_own / p->n_assets);
}

static bool dynamics_has_cash(const levy_dynamics_plan *p)
{
    const double expiry = p->group->known ? 0.0 : levy_dynamics_expiry(p);
    for (size_t u = 0; u < p->n_assets; ++u)
        if (levy_carry_pays_cash(&dynamics_asset(p, u)->carry, expiry)) return true;
    return false;
}

/* ---- Sets ---- */

levy_status levy_dynamics_add_set(levy_dynamics_plan *p, levy_arena *arena, levy_moved set,
                                  uint32_t *number)
{
    levy_moved *const sets =
        levy_arena_extend(arena, p->sets, p->n_sets, &p->set_room, 16, sizeof *sets);
    if (!sets) return LEVY_MEMORY;
    p->sets = sets;
    p->sets[p->n_sets] = set;
    *number = (uint32_t)p->n_sets++;
    return LEVY_OK;
}

levy_status levy_dynamics_add(levy_dynamics_plan *p, levy_arena *arena, uint32_t set,
                              uint32_t *dynamics)
{
    uint32_t *const sets =
        levy_arena_extend(arena, p->set_of, p->n_dynamics, &p->dynamics_room, 16, sizeof *sets);
    if (!sets) return LEVY_MEMORY;
    p->set_of = sets;
    p->set_of[p->n_dynamics] = set;
    *dynamics = (uint32_t)p->n_dynamics++;
    return LEVY_OK;
}

bool levy_dynamics_moves_returns(const levy_dynamics_plan *p, uint32_t set)
{
    const levy_moved *const s = &p->sets[set];
    bool moves = s->elapsed != 0.0;
    for (size_t i = 0; i < s->n_shifts; ++i) {
        bool ours =
            s->shifts[i].factor == LEVY_SHIFT_RATE || s->shifts[i].factor == LEVY_SHIFT_CORRELATION;
        for (size_t u = 0; u < p->n_assets; ++u)
            ours = ours || !s->shifts[i].asset || s->shifts[i].asset == dynamics_asset(p, u);
        moves = moves || (ours && (p->has_cash || s->shifts[i].factor != LEVY_SHIFT_SPOT));
    }
    return moves;
}

bool levy_dynamics_moves_asset(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    return levy_moved_is_asset(&p->sets[set], dynamics_asset(p, u));
}

double levy_dynamics_expiry(const levy_dynamics_plan *p)
{
    return p->group->times[p->group->n_nodes - 1];
}

double levy_dynamics_spot(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    return levy_moved_spot(&p->sets[set], dynamics_asset(p, u));
}

double levy_dynamics_time(const levy_dynamics_plan *p, uint32_t set, double time)
{
    return levy_moved_time(&p->sets[set], time);
}

levy_status levy_dynamics_curve(const levy_dynamics_plan *p, uint32_t set, const levy_curve *curve,
                                levy_arena *arena, const levy_curve **shifted)
{
    return levy_moved_curve(&p->sets[set], curve, arena, shifted);
}

levy_status levy_dynamics_discount(const levy_dynamics_plan *p, uint32_t set,
                                   const levy_trade *trade, levy_arena *arena, double *factor)
{
    const levy_curve *curve;
    *factor = trade->claim.discount_factor;
    if (set == 0) return LEVY_OK;
    LEVY_TRY(levy_dynamics_curve(p, set, trade->discount_curve, arena, &curve));
    if (curve == trade->discount_curve && p->sets[set].elapsed == 0.0) return LEVY_OK;
    *factor = levy_exp(
        levy_curve_log_discount(curve, levy_dynamics_time(p, set, trade->claim.payment_time)) -
        levy_curve_log_discount(curve, p->sets[set].elapsed));
    return LEVY_OK;
}

levy_status levy_dynamics_asset(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                levy_arena *arena, levy_asset *asset)
{
    const levy_asset *const quoted = dynamics_asset(p, u);
    const double own = dynamics_model_volatility(p, u);
    LEVY_TRY(levy_moved_asset(&p->sets[set], quoted, arena, asset));
    if (dynamics_is_driven(p)) asset->volatility = (levy_volatility){0};
    if (dynamics_is_driven(p) || own == 0.0) return LEVY_OK;
    /* absolute shifts are left to the model: levy_dynamics_added */
    const double moved = levy_moved_volatility(&p->sets[set], quoted, own, true);
    return levy_volatility_flat(moved, arena, &asset->volatility);
}

levy_status levy_dynamics_black(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                levy_arena *arena, levy_asset *asset)
{
    const double own = dynamics_model_volatility(p, u);
    LEVY_TRY(levy_dynamics_asset(p, set, u, arena, asset));
    if (own == 0.0) return LEVY_OK;
    const double moved = levy_moved_volatility(&p->sets[set], dynamics_asset(p, u), own, false);
    return levy_volatility_flat(moved, arena, &asset->volatility);
}

levy_status levy_dynamics_moved_deviation(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                          double t, levy_arena *arena, double *deviation)
{
    levy_asset asset;
    LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
    *deviation = levy_dynamics_deviation(p, &asset, t);
    return LEVY_OK;
}

double levy_dynamics_added(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    const double own = dynamics_model_volatility(p, u);
    return own > 0.0 ? levy_moved_added(&p->sets[set], dynamics_asset(p, u), own) : 0.0;
}

double levy_dynamics_log_forward(const levy_dynamics_plan *p, uint32_t set, const levy_asset *asset,
                                 double time)
{
    return levy_moved_log_forward(&p->sets[set], asset, time);
}

/* ---- Covariances ---- */

/* The correlation of underlyings i and j in a piece. */
static double dynamics_correlate(const levy_dynamics_plan *p, uint32_t set, size_t piece, size_t i,
                                 size_t j)
{
    const uint32_t *const at = p->trade->underlyings;
    if (i == j) return 1.0;
    return levy_moved_correlation(
        &p->sets[set], dynamics_asset(p, i), dynamics_asset(p, j),
        levy_correlation_of(&p->trade->model->correlation, piece, at[i], at[j]));
}

/* The correlation of a row with the driver of its asset. */
static double dynamics_row_share(const levy_dynamics_plan *p, size_t row)
{
    const levy_model *const model = p->trade->model;
    if (row < p->n_assets) return 1.0;
    const size_t drivers = p->n_own / p->n_assets,
                 asset = p->trade->underlyings[dynamics_row_asset(p, row)];
    return levy_model_drawn(model->kind, p->group->integrated)
        ->correlation(model->terms, asset, (row - p->n_assets) % drivers);
}

/* The same of rows i and j. */
static double dynamics_correlate_rows(const levy_dynamics_plan *p, uint32_t set, size_t piece,
                                      size_t i, size_t j)
{
    if (i == j) return 1.0;
    return dynamics_row_share(p, i) * dynamics_row_share(p, j) *
           dynamics_correlate(p, set, piece, dynamics_row_asset(p, i), dynamics_row_asset(p, j));
}

/* Integrated covariances of a set, made for one interval of the grid at a time because all of them
 * would not fit in memory. */
typedef struct dynamics_covariances {
    const levy_dynamics_plan *plan;
    uint32_t set;
    levy_asset *assets;
    double *root, *covariance; /* of the interval: [rows][rows] */
    size_t piece;              /* that `correlation` was made from */
    double *correlation;       /* [rows][rows] */
    double from;               /* the end of the last interval */
    const levy_memory *memory;
} dynamics_covariances;

static levy_status dynamics_covariances_begin(const levy_dynamics_plan *p, uint32_t set,
                                              levy_arena *arena, dynamics_covariances *s)
{
    const size_t n = dynamics_rows(p);
    *s = (dynamics_covariances){.plan = p, .set = set, .piece = SIZE_MAX, .memory = arena->memory};
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

static void dynamics_covariances_correlate(dynamics_covariances *s, double until)
{
    const levy_dynamics_plan *const p = s->plan;
    const size_t n = dynamics_rows(p);
    const size_t piece = levy_correlation_piece(&p->trade->model->correlation, until);
    if (piece == s->piece) return;
    s->piece = piece;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            s->correlation[i * n + j] = dynamics_correlate_rows(p, s->set, piece, i, j);
}

/* covariance += that of (from, to], in which nothing changes. */
static void dynamics_accumulate(dynamics_covariances *s, double from, double to)
{
    const size_t n = dynamics_rows(s->plan), n_assets = s->plan->n_assets;
    dynamics_covariances_correlate(s, to);
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

/* Makes the covariance of interval k. Calls must take the intervals in order. */
static levy_status dynamics_covariances_next(dynamics_covariances *s, size_t k)
{
    const levy_dynamics_plan *const p = s->plan;
    const double end = levy_dynamics_time(p, s->set, p->group->times[k]);
    memset(s->covariance, 0, dynamics_rows(p) * dynamics_rows(p) * sizeof *s->covariance);
    while (s->from < end) {
        const double to =
            levy_correlation_break(&p->trade->model->correlation, p->trade->model->assets,
                                   p->trade->underlyings, p->n_assets, s->from, end);
        dynamics_accumulate(s, s->from, to);
        s->from = to;
    }
    return k % 64 == 0 && levy_memory_stopped(s->memory) ? LEVY_CANCELLED : LEVY_OK;
}

/* Covariance per year where nothing changes over time. */
static levy_status dynamics_rate(const levy_dynamics_plan *p, uint32_t set, levy_arena *arena,
                                 double **covariance)
{
    const size_t n = p->n_assets;
    double *const rate = levy_arena_allocate(arena, n * n, sizeof *rate);
    double *const sigma = levy_arena_allocate(arena, n, sizeof *sigma);
    if (!rate || !sigma) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
        sigma[u] = levy_volatility_level(&asset.volatility, 0);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            rate[i * n + j] = dynamics_correlate(p, set, 0, i, j) * sigma[i] * sigma[j];
    *covariance = rate;
    return LEVY_OK;
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
    const size_t n = dynamics_rows(p);
    dynamics_covariances s;
    double total = 0.0;
    double *const whole = levy_arena_allocate(arena, n * n, sizeof *whole);
    if (!whole) return LEVY_MEMORY;
    LEVY_TRY(dynamics_covariances_begin(p, 0, arena, &s));
    *covariance = whole;
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        LEVY_TRY(dynamics_covariances_next(&s, k));
        p->clock[k] = 0.0;
        for (size_t i = 0; i < p->n_assets; ++i) total += s.covariance[i * n + i];
        for (size_t i = 0; i < p->n_assets; ++i) p->clock[k] += s.covariance[i * n + i];
        for (size_t i = 0; i < n * n; ++i) whole[i] += s.covariance[i];
    }
    dynamics_total_clock(p, total);
    return LEVY_OK;
}

/* One factor, which moves nothing. */
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
        const double scaled = p->group->scaling[i / each] * dynamics_model_volatility(p, i / each);
        variance[i] = scaled * scaled + 1e-12;
        total += variance[i];
    }
    for (size_t i = 0; i < p->n_assets * each; ++i) variance[i] /= total;
    p->rotation =
        (levy_rotation){.n = p->n_assets, .rank = p->n_assets * each, .variance = variance};
    p->n_factors = p->rotation.rank;
    return LEVY_OK;
}

/* The rotation weighs the model's own drivers less than their assets', for they move the payoffs
 * less. Call of an Euler Heston, rms error over 64 seeds of 2^14 paths by the weight: 0.05 0.0258,
 * 0.25 0.0261, 0.5 0.0264, 1 0.0279; by independent drivers for asset and variance 0.0258. As rows
 * they have the assets' volatilities, so that no row is lost beside the others. */
static levy_status dynamics_rotate(levy_dynamics_plan *p, const double *covariance, bool eigen,
                                   levy_arena *arena)
{
    const size_t n = dynamics_rows(p);
    double *const scaling = levy_arena_allocate(arena, n, sizeof *scaling);
    if (!scaling) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i)
        scaling[i] = p->group->scaling[dynamics_row_asset(p, i)] *
                     (i < p->n_assets ? 1.0 : DYNAMICS_OWN_WEIGHT);
    LEVY_TRY(levy_rotation_create(n, covariance, scaling, eigen, arena, &p->rotation));
    p->n_factors = p->rotation.rank;
    return LEVY_OK;
}

static levy_status dynamics_own_units(levy_dynamics_plan *p, levy_arena *arena)
{
    const size_t drivers = levy_model_drawn(p->trade->model->kind, p->group->integrated)->drivers;
    p->n_own = p->n_assets * drivers;
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
    p->n_assets = p->trade->n_underlyings;
    p->per_interval = dynamics_per_interval(p);
    p->has_cash = dynamics_has_cash(p);
    p->clock = levy_arena_allocate(arena, group->n_nodes, sizeof *p->clock);
    if (!p->clock) return LEVY_MEMORY;
    uint32_t first;
    const levy_moved *const market = problem->simulation.market;
    LEVY_TRY(
        levy_dynamics_add_set(p, arena, market ? *market : (levy_moved){.n_shifts = 0}, &first));
    LEVY_TRY(levy_dynamics_add(p, arena, first, &first));
    memcpy(p->clock, group->times, group->n_nodes * sizeof *p->clock); /* calendar time */
    if (group->known) return dynamics_still(p, arena);
    if (dynamics_is_driven(p)) return dynamics_drivers(p, arena);
    LEVY_TRY(dynamics_own_units(p, arena));
    LEVY_TRY(p->per_interval ? dynamics_whole(p, arena, &whole)
                             : dynamics_rate(p, 0, arena, &whole));
    return dynamics_rotate(p, whole, eigen, arena);
}

/* Whether the factors give back the covariance. They cannot if it is indefinite or of a higher rank
 * than today's. What the rank left out because it was tiny (factors.c) may be missing. */
static bool dynamics_gives_back(const levy_dynamics_plan *p, const double *covariance,
                                const double *factor)
{
    const size_t n = dynamics_rows(p), f = p->n_factors;
    double largest = 0.0;
    bool good = true;
    for (size_t i = 0; i < n; ++i)
        largest = covariance[i * n + i] > largest ? covariance[i * n + i] : largest;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j) {
            double residual = -covariance[i * n + j];
            for (size_t l = 0; l < f; ++l) residual += factor[i * f + l] * factor[j * f + l];
            good = good &&
                   (residual * residual <= 1e-18 * covariance[i * n + i] * covariance[j * n + j] ||
                    residual * residual <= 1e-24 * largest * largest);
        }
    return good;
}

/* One interval of the own drivers: its years, and the factors by which they move. */
static void dynamics_put_own(const levy_dynamics_plan *p, double years, const double *rows,
                             double *own)
{
    own[0] = years;
    for (size_t i = 0; i < p->n_own * p->n_factors; ++i)
        own[1 + i] = rows[p->n_assets * p->n_factors + i] / p->own_unit[i / p->n_factors];
}

/* Factors of every interval. `good`, if not NULL, becomes false if one does not give back its
 * covariance. `own` NULL: those of own drivers are not wanted. */
static levy_status dynamics_fill_intervals(const levy_dynamics_plan *p, uint32_t set,
                                           levy_arena *arena, double *factor, double *own,
                                           bool *good)
{
    const size_t n = dynamics_rows(p), square = n * n, f = p->n_factors;
    double *const work = levy_arena_allocate(arena, n * f, sizeof *work);
    double *const rows = levy_arena_allocate(arena, n * f, sizeof *rows);
    dynamics_covariances s;
    if (!work || !rows) return LEVY_MEMORY;
    LEVY_TRY(dynamics_covariances_begin(p, set, arena, &s));
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double step = p->clock[k] - (k ? p->clock[k - 1] : 0.0), before = s.from;
        LEVY_TRY(dynamics_covariances_next(&s, k));
        for (size_t i = 0; i < square; ++i) s.covariance[i] /= step;
        levy_rotation_factor(&p->rotation, s.covariance, work, rows);
        memcpy(factor + k * p->n_assets * f, rows, p->n_assets * f * sizeof *factor);
        if (own && p->n_own)
            dynamics_put_own(p, s.from - before, rows, own + k * (1 + p->n_own * f));
        if (good) *good = *good && dynamics_gives_back(p, s.covariance, rows);
    }
    return LEVY_OK;
}

static levy_status dynamics_fill_factors(const levy_dynamics_plan *p, uint32_t set,
                                         levy_arena *arena, double *factor, double *own, bool *good)
{
    const size_t n = p->n_assets;
    double *covariance;
    if (dynamics_is_driven(p) ||
        p->group->known) { /* filled by the model (group_model.c), if at all */
        for (size_t i = 0; i < n * p->n_factors; ++i) factor[i] = 0.0;
        return LEVY_OK;
    }
    if (p->per_interval) return dynamics_fill_intervals(p, set, arena, factor, own, good);
    double *const work = levy_arena_allocate(arena, n * n, sizeof *work);
    if (!work) return LEVY_MEMORY;
    LEVY_TRY(dynamics_rate(p, set, arena, &covariance));
    double *base =
        covariance; /* of today's market, whose factors those of others are scaled from */
    if (n > 1 && set > 0) LEVY_TRY(dynamics_rate(p, 0, arena, &base));
    levy_rotation_factor(&p->rotation, base, work, factor);
    if (base != covariance && !levy_rotation_scale(&p->rotation, base, covariance, work, factor))
        levy_rotation_factor(&p->rotation, covariance, work, factor);
    if (good) *good = *good && dynamics_gives_back(p, covariance, factor);
    return LEVY_OK;
}

static void dynamics_fill_elapsed_share(const levy_dynamics_plan *p, uint32_t set,
                                        double *elapsed_share)
{
    double before = 0.0;
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double t = p->group->times[k], elapsed = p->sets[set].elapsed;
        elapsed_share[k] = p->per_interval || p->group->known || before >= elapsed ? 0.0
                           : t <= elapsed                                          ? 1.0
                                          : 1.0 - levy_sqrt((t - elapsed) / (t - before));
        before = t;
    }
}

levy_status levy_dynamics_fill(const levy_dynamics_plan *p, size_t dynamics, levy_arena *arena,
                               double *drift, double *factor, double *cash, double *elapsed_share,
                               double *own)
{
    const size_t n = p->n_assets;
    const uint32_t set = p->set_of[dynamics];
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        double before = 0.0;
        LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
        const double passed = levy_asset_variance(&asset, p->sets[set].elapsed);
        for (size_t k = 0; k < p->group->n_nodes; ++k) {
            const double t = p->group->times[k];
            const double variance =
                levy_asset_variance(&asset, levy_dynamics_time(p, set, t)) - passed;
            const double level =
                p->group->known ? 0.0
                                : levy_dynamics_log_forward(p, set, &asset, t) - 0.5 * variance;
            drift[k * n + u] = p->per_interval ? level - before : level;
            before = level;
            if (cash) cash[k * n + u] = levy_moved_cash(&p->sets[set], dynamics_asset(p, u), t);
        }
    }
    if (elapsed_share) dynamics_fill_elapsed_share(p, set, elapsed_share);
    return dynamics_fill_factors(p, set, arena, factor, own, NULL);
}

/* ---- Whether a set is a market ---- */

static levy_status dynamics_check_volatility(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                             levy_arena *arena, bool *good)
{
    levy_asset asset;
    LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
    *good = *good && levy_volatility_is_sound(&asset.volatility);
    return LEVY_OK;
}

/* Uses memory of its own, because there may be thousands of sets to check. */
static levy_status dynamics_check_correlation(const levy_dynamics_plan *p, uint32_t set,
                                              const levy_memory *memory, bool *good)
{
    const size_t pieces = p->per_interval ? p->group->n_nodes : 1;
    levy_arena scratch;
    levy_arena_init(&scratch, memory);
    double *const factor =
        levy_arena_allocate(&scratch, pieces * p->n_assets * p->n_factors, sizeof *factor);
    const levy_status status =
        factor ? dynamics_fill_factors(p, set, &scratch, factor, NULL, good) : LEVY_MEMORY;
    levy_arena_release(&scratch);
    return status;
}

levy_status levy_dynamics_check(const levy_dynamics_plan *p, uint32_t set, levy_arena *arena,
                                bool *good)
{
    bool correlated = false;
    *good = true;
    if (p->group->known) return LEVY_OK;
    for (size_t i = 0; i < p->sets[set].n_shifts; ++i)
        correlated = correlated || p->sets[set].shifts[i].factor == LEVY_SHIFT_CORRELATION;
    for (size_t u = 0; u < p->n_assets; ++u)
        LEVY_TRY(dynamics_check_volatility(p, set, u, arena, good));
    if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
    correlated =
        correlated || (p->n_factors < dynamics_rows(p) && levy_dynamics_moves_returns(p, set));
    return correlated && !dynamics_is_driven(p)
               ? dynamics_check_correlation(p, set, arena->memory, good)
               : LEVY_OK;
}
