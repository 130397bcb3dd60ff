/* markets.c: see markets.h. Covariances are integrated over each interval of the grid: between all
 * volatility and correlation nodes forward volatilities are constant, so sums over the pieces are
 * exact. */
#include "engine/plan/markets.h"
#include "kernels/lane/scalar.h"

#include <stdlib.h>
#include <string.h>

#define MARKETS_LEAST_CLOCK 1e-280

static const levy_asset *markets_asset(const levy_market_plan *p, size_t u)
{
    return p->trade->model->assets[p->trade->underlyings[u]];
}

static bool markets_is_driven(const levy_market_plan *p)
{
    return !p->group->known &&
           levy_model_features(p->trade->model->kind, p->trade->model->terms) & LEVY_MODEL_DRIVEN;
}

/* A volatility of the model's own, which stands for that of underlying u; 0: there is none. */
static double markets_model_volatility(const levy_market_plan *p, size_t u)
{
    const levy_model *const model = p->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    return kind->volatility && !p->group->known
               ? kind->volatility(model->terms, p->trade->underlyings[u])
               : 0.0;
}

double levy_markets_deviation(const levy_market_plan *p, const levy_asset *asset, double t)
{
    for (size_t u = 0; u < p->n_assets; ++u)
        if (markets_asset(p, u) == asset && markets_model_volatility(p, u) > 0.0)
            return markets_model_volatility(p, u) * levy_sqrt(t);
    return levy_sqrt(levy_asset_total_variance(asset, t));
}

static bool markets_per_interval(const levy_market_plan *p)
{
    if (markets_is_driven(p) || p->group->known) return false;
    const levy_model *const model = p->trade->model;
    bool varies = (model->correlation.n > 1 && p->n_assets > 1) ||
                  levy_model_features(model->kind, model->terms) & LEVY_MODEL_SCALES;
    for (size_t u = 0; u < p->n_assets; ++u)
        varies = varies || markets_asset(p, u)->n_volatility > 1;
    return varies;
}

static bool markets_has_cash(const levy_market_plan *p)
{
    const double expiry = p->group->known ? 0.0 : p->group->times[p->group->n_nodes - 1];
    for (size_t u = 0; u < p->n_assets; ++u)
        for (size_t i = 0; i < markets_asset(p, u)->n_cash; ++i)
            if (markets_asset(p, u)->cash_times[i] > 0.0 &&
                markets_asset(p, u)->cash_times[i] <= expiry)
                return true;
    return false;
}

/* ---- Sets ---- */

levy_status levy_markets_add_set(levy_market_plan *p, levy_arena *arena, levy_market_set set,
                                 uint32_t *number)
{
    levy_market_set *const sets =
        levy_arena_extend(arena, p->sets, p->n_sets, &p->set_room, 16, sizeof *sets);
    if (!sets) return LEVY_MEMORY;
    p->sets = sets;
    p->sets[p->n_sets] = set;
    *number = (uint32_t)p->n_sets++;
    return LEVY_OK;
}

levy_status levy_markets_add(levy_market_plan *p, levy_arena *arena, uint32_t set, uint32_t *market)
{
    uint32_t *const sets =
        levy_arena_extend(arena, p->market_sets, p->n_markets, &p->market_room, 16, sizeof *sets);
    if (!sets) return LEVY_MEMORY;
    p->market_sets = sets;
    p->market_sets[p->n_markets] = set;
    *market = (uint32_t)p->n_markets++;
    return LEVY_OK;
}

/* Whether a shift is meant for an underlying. */
static bool markets_hits(const levy_shift *shift, int32_t factor, const levy_asset *asset)
{
    return shift->factor == factor && (!shift->asset || shift->asset == asset);
}

static double markets_move(const levy_shift *shift, double x)
{
    return shift->relative ? x * (1.0 + shift->size) : x + shift->size;
}

bool levy_markets_moves_growths(const levy_market_plan *p, uint32_t set)
{
    const levy_market_set *const s = &p->sets[set];
    bool moves = s->elapsed != 0.0;
    for (size_t i = 0; i < s->n_shifts; ++i) {
        bool ours =
            s->shifts[i].factor == LEVY_SHIFT_RATE || s->shifts[i].factor == LEVY_SHIFT_CORRELATION;
        for (size_t u = 0; u < p->n_assets; ++u)
            ours = ours || !s->shifts[i].asset || s->shifts[i].asset == markets_asset(p, u);
        moves = moves || (ours && (p->has_cash || s->shifts[i].factor != LEVY_SHIFT_SPOT));
    }
    return moves;
}

double levy_markets_spot(const levy_market_plan *p, uint32_t set, size_t u)
{
    const levy_asset *const asset = markets_asset(p, u);
    double spot = asset->spot;
    for (size_t i = 0; i < p->sets[set].n_shifts; ++i)
        if (markets_hits(&p->sets[set].shifts[i], LEVY_SHIFT_SPOT, asset))
            spot = markets_move(&p->sets[set].shifts[i], spot);
    return spot;
}

double levy_markets_time(const levy_market_plan *p, uint32_t set, double time)
{
    return time > p->sets[set].elapsed ? time : p->sets[set].elapsed;
}

levy_status levy_markets_curve(const levy_market_plan *p, uint32_t set, const levy_curve *curve,
                               levy_arena *arena, const levy_curve **shifted)
{
    const levy_market_set *const s = &p->sets[set];
    levy_curve *copy = NULL;
    *shifted = curve;
    for (size_t i = 0; i < s->n_shifts; ++i) {
        if (s->shifts[i].factor != LEVY_SHIFT_RATE ||
            (s->shifts[i].curve && s->shifts[i].curve != curve))
            continue;
        if (!copy) {
            copy = levy_arena_allocate(arena, 1, sizeof *copy);
            if (!copy) return LEVY_MEMORY;
            *copy = *curve;
            copy->log_discounts = levy_arena_allocate(arena, curve->n, sizeof *copy->log_discounts);
            copy->zero_rates = levy_arena_allocate(arena, curve->n, sizeof *copy->zero_rates);
            if (!copy->log_discounts || !copy->zero_rates) return LEVY_MEMORY;
            for (size_t k = 0; k < curve->n; ++k) {
                copy->zero_rates[k] = -curve->log_discounts[k] / curve->times[k];
                copy->log_discounts[k] = curve->log_discounts[k];
            }
            *shifted = copy;
        }
        for (size_t k = 0; k < curve->n; ++k) {
            if (s->shifts[i].node != SIZE_MAX && s->shifts[i].node != k) continue;
            copy->zero_rates[k] = markets_move(&s->shifts[i], copy->zero_rates[k]);
            copy->log_discounts[k] = -copy->zero_rates[k] * curve->times[k];
        }
    }
    return LEVY_OK;
}

levy_status levy_markets_discount(const levy_market_plan *p, uint32_t set, const levy_trade *trade,
                                  levy_arena *arena, double *factor)
{
    const levy_curve *curve;
    *factor = trade->discount_factor;
    if (set == 0) return LEVY_OK;
    LEVY_TRY(levy_markets_curve(p, set, trade->discount_curve, arena, &curve));
    if (curve == trade->discount_curve && p->sets[set].elapsed == 0.0) return LEVY_OK;
    *factor =
        levy_exp(levy_curve_log_discount(curve, levy_markets_time(p, set, trade->payment_time)) -
                 levy_curve_log_discount(curve, p->sets[set].elapsed));
    return LEVY_OK;
}

/* A volatility node's Black volatility under one shift. */
static double markets_volatility(const levy_shift *shift, const levy_asset *asset, size_t node,
                                 double volatility)
{
    if (!markets_hits(shift, LEVY_SHIFT_VOLATILITY, asset) ||
        (shift->node != SIZE_MAX && shift->node != node))
        return volatility;
    return markets_move(shift, volatility);
}

levy_status levy_markets_asset(const levy_market_plan *p, uint32_t set, size_t u, levy_arena *arena,
                               levy_asset *asset)
{
    const levy_market_set *const s = &p->sets[set];
    const levy_asset *const quoted = markets_asset(p, u);
    bool moved = false;
    *asset = *quoted;
    LEVY_TRY(levy_markets_curve(p, set, quoted->curve, arena, &asset->curve));
    for (size_t i = 0; i < s->n_shifts; ++i) {
        moved = moved || markets_hits(&s->shifts[i], LEVY_SHIFT_VOLATILITY, quoted);
        if (markets_hits(&s->shifts[i], LEVY_SHIFT_YIELD, quoted))
            asset->dividend_yield = markets_move(&s->shifts[i], asset->dividend_yield);
    }
    if (markets_is_driven(p)) {
        asset->n_volatility = 0;
        return LEVY_OK;
    }
    const double own = markets_model_volatility(p, u);
    if (!moved && own == 0.0) return LEVY_OK;
    double *const variance = levy_arena_allocate(arena, asset->n_volatility + 1, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    if (own > 0.0) { /* what is added to it is the model's to apply: levy_markets_added */
        double volatility = own;
        for (size_t i = 0; i < s->n_shifts; ++i)
            if (s->shifts[i].relative && markets_hits(&s->shifts[i], LEVY_SHIFT_VOLATILITY, quoted))
                volatility = markets_move(&s->shifts[i], volatility);
        variance[0] = volatility * volatility;
        variance[1] = 1.0; /* year */
        asset->n_volatility = 1;
        asset->total_variance = variance;
        asset->volatility_times = variance + 1;
        return LEVY_OK;
    }
    for (size_t k = 0; k < asset->n_volatility; ++k) {
        const double t = asset->volatility_times[k];
        double volatility = levy_sqrt(asset->total_variance[k] / t);
        for (size_t i = 0; i < s->n_shifts; ++i)
            volatility = markets_volatility(&s->shifts[i], quoted, k, volatility);
        variance[k] = volatility > 0.0 ? volatility * volatility * t : 0.0;
    }
    asset->total_variance = variance;
    return LEVY_OK;
}

double levy_markets_added(const levy_market_plan *p, uint32_t set, size_t u)
{
    const double own = markets_model_volatility(p, u);
    double added = 0.0;
    for (size_t i = 0; own > 0.0 && i < p->sets[set].n_shifts; ++i)
        if (!p->sets[set].shifts[i].relative &&
            markets_hits(&p->sets[set].shifts[i], LEVY_SHIFT_VOLATILITY, markets_asset(p, u)))
            added += p->sets[set].shifts[i].size / own;
    return added;
}

double levy_markets_log_growth(const levy_market_plan *p, uint32_t set, const levy_asset *asset,
                               double time)
{
    const double from = p->sets[set].elapsed, to = levy_markets_time(p, set, time);
    double growth = levy_curve_log_discount(asset->curve, from) -
                    levy_curve_log_discount(asset->curve, to) -
                    (asset->dividend_yield + asset->borrow) * (to - from);
    for (size_t i = 0; i < asset->n_proportional && asset->proportional_times[i] <= time; ++i)
        growth += levy_log(1 - asset->proportional_fractions[i]);
    return growth;
}

/* ---- Covariances ---- */

static int markets_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* All times at which a volatility or a correlation may change, and the grid; ascending, from the
 * set's date. */
static levy_status markets_breaks(const levy_market_plan *p, uint32_t set, levy_arena *arena,
                                  double **breaks, size_t *n_breaks)
{
    const levy_correlation *const c = &p->trade->model->correlation;
    size_t room = 1 + p->group->n_nodes + c->n, n = 0;
    for (size_t u = 0; u < p->n_assets; ++u) room += markets_asset(p, u)->n_volatility;
    double *const b = levy_arena_allocate(arena, room, sizeof *b);
    if (!b) return LEVY_MEMORY;
    b[n++] = p->sets[set].elapsed;
    for (size_t k = 0; k < p->group->n_nodes; ++k)
        b[n++] = levy_markets_time(p, set, p->group->times[k]);
    for (size_t i = 0; i + 1 < c->n; ++i) b[n++] = levy_markets_time(p, set, c->times[i]);
    for (size_t u = 0; u < p->n_assets; ++u)
        for (size_t i = 0; i < markets_asset(p, u)->n_volatility; ++i)
            b[n++] = levy_markets_time(p, set, markets_asset(p, u)->volatility_times[i]);
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

/* The correlation of underlyings i and j, from the model's matrix `rho`. */
static double markets_correlate(const levy_market_plan *p, uint32_t set, const double *rho,
                                size_t i, size_t j)
{
    const levy_asset *const a = markets_asset(p, i), *const b = markets_asset(p, j);
    if (i == j) return 1.0;
    double value =
        rho[p->trade->underlyings[i] * p->trade->model->n_assets + p->trade->underlyings[j]];
    for (size_t k = 0; k < p->sets[set].n_shifts; ++k) {
        const levy_shift *const s = &p->sets[set].shifts[k];
        if (s->factor == LEVY_SHIFT_CORRELATION &&
            ((s->asset == a && s->other == b) || (s->asset == b && s->other == a)))
            value = markets_move(s, value);
    }
    return value;
}

/* Integrated covariances of a set, an interval of the grid at a time: all of them at once are what
 * no memory has. */
typedef struct markets_sweep {
    const levy_market_plan *plan;
    uint32_t set;
    levy_asset *assets;
    double *breaks, *root, *covariance; /* of the interval: [n_assets][n_assets] */
    const double *piece;                /* whose correlations, as the set has them, are in */
    double *correlation;                /* [n_assets][n_assets] */
    size_t n_breaks, at, node;          /* the next piece; the interval it lies in */
    const levy_memory *memory;
} markets_sweep;

static levy_status markets_sweep_begin(const levy_market_plan *p, uint32_t set, levy_arena *arena,
                                       markets_sweep *s)
{
    const size_t n = p->n_assets;
    *s = (markets_sweep){.plan = p, .set = set, .memory = arena->memory};
    s->assets = levy_arena_allocate(arena, n, sizeof *s->assets);
    s->root = levy_arena_allocate(arena, n, sizeof *s->root);
    s->covariance = levy_arena_allocate(arena, n * n, sizeof *s->covariance);
    s->correlation = levy_arena_allocate(arena, n * n, sizeof *s->correlation);
    if (!s->assets || !s->root || !s->covariance || !s->correlation) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) LEVY_TRY(levy_markets_asset(p, set, u, arena, &s->assets[u]));
    return markets_breaks(p, set, arena, &s->breaks, &s->n_breaks);
}

static void markets_sweep_correlate(markets_sweep *s, double until)
{
    const levy_market_plan *const p = s->plan;
    const double *const rho =
        markets_correlation(&p->trade->model->correlation, p->trade->model->n_assets, until);
    if (rho == s->piece) return;
    s->piece = rho;
    for (size_t i = 0; i < p->n_assets; ++i)
        for (size_t j = 0; j < p->n_assets; ++j)
            s->correlation[i * p->n_assets + j] = markets_correlate(p, s->set, rho, i, j);
}

/* covariance += that of (from, to], in which nothing changes. */
static void markets_accumulate(markets_sweep *s, double from, double to)
{
    const size_t n = s->plan->n_assets;
    markets_sweep_correlate(s, to);
    for (size_t u = 0; u < n; ++u) {
        const double variance = levy_asset_total_variance(&s->assets[u], to) -
                                levy_asset_total_variance(&s->assets[u], from);
        s->root[u] = levy_sqrt(variance > 0.0 ? variance : 0.0);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            s->covariance[i * n + j] += s->correlation[i * n + j] * s->root[i] * s->root[j];
}

/* The covariance of interval k; intervals come in order. */
static levy_status markets_sweep_next(markets_sweep *s, size_t k)
{
    const levy_market_plan *const p = s->plan;
    memset(s->covariance, 0, p->n_assets * p->n_assets * sizeof *s->covariance);
    for (; s->at + 1 < s->n_breaks && s->node == k; ++s->at) {
        const double from = s->breaks[s->at], to = s->breaks[s->at + 1];
        if (to > from) markets_accumulate(s, from, to);
        while (s->node < p->group->n_nodes &&
               to >= levy_markets_time(p, s->set, p->group->times[s->node]))
            ++s->node;
    }
    return k % 64 == 0 && levy_memory_stopped(s->memory) ? LEVY_CANCELLED : LEVY_OK;
}

/* Covariance per year where nothing changes over time. */
static levy_status markets_rate(const levy_market_plan *p, uint32_t set, levy_arena *arena,
                                double **covariance)
{
    const size_t n = p->n_assets;
    const double *const rho = p->trade->model->correlation.matrices;
    double *const rate = levy_arena_allocate(arena, n * n, sizeof *rate), *const sigma =
                                                                              levy_arena_allocate(
                                                                                  arena, n,
                                                                                  sizeof *sigma);
    if (!rate || !sigma) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        LEVY_TRY(levy_markets_asset(p, set, u, arena, &asset));
        sigma[u] = levy_sqrt(asset.total_variance[0] / asset.volatility_times[0]);
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            rate[i * n + j] = markets_correlate(p, set, rho, i, j) * sigma[i] * sigma[j];
    *covariance = rate;
    return LEVY_OK;
}

/* Total variance of all underlyings, of each interval at least a billionth of all; always rising.
 * `clock` holds the intervals' own. A variance so small that a part of it could vanish makes no
 * clock: calendar time then. */
static void markets_total_clock(levy_market_plan *p, double total)
{
    double clock = 0.0;
    if (!(total > MARKETS_LEAST_CLOCK)) {
        memcpy(p->clock, p->group->times, p->group->n_nodes * sizeof *p->clock);
        return;
    }
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        clock += p->clock[k] > 1e-9 * total ? p->clock[k] : 1e-9 * total;
        p->clock[k] = clock;
    }
}

/* Where volatilities change: the covariance of the whole grid, and the clock. */
static levy_status markets_whole(levy_market_plan *p, levy_arena *arena, double *whole)
{
    const size_t n = p->n_assets;
    markets_sweep s;
    double total = 0.0;
    LEVY_TRY(markets_sweep_begin(p, 0, arena, &s));
    memset(whole, 0, n * n * sizeof *whole);
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        LEVY_TRY(markets_sweep_next(&s, k));
        p->clock[k] = 0.0;
        for (size_t i = 0; i < n; ++i) total += s.covariance[i * n + i];
        for (size_t i = 0; i < n; ++i) p->clock[k] += s.covariance[i * n + i];
        for (size_t i = 0; i < n * n; ++i) whole[i] += s.covariance[i];
    }
    markets_total_clock(p, total);
    return LEVY_OK;
}

/* Drivers of the model's own: so many for each asset, weighed by the variance that the asset
 * brings. */
static levy_status markets_drivers(levy_market_plan *p, levy_arena *arena)
{
    const size_t each = levy_model_kinds[p->trade->model->kind]->drivers;
    double *const variance = levy_arena_allocate(arena, p->n_assets * each, sizeof *variance),
                  total = 0.0;
    if (!variance) return LEVY_MEMORY;
    for (size_t i = 0; i < p->n_assets * each; ++i) {
        const double scaled = p->group->scaling[i / each] * markets_model_volatility(p, i / each);
        variance[i] = scaled * scaled + 1e-12;
        total += variance[i];
    }
    for (size_t i = 0; i < p->n_assets * each; ++i) variance[i] /= total;
    p->rotation =
        (levy_rotation){.n = p->n_assets, .rank = p->n_assets * each, .variance = variance};
    p->n_factors = p->rotation.rank;
    return LEVY_OK;
}

/* One factor, which moves nothing. */
static levy_status markets_still(levy_market_plan *p, levy_arena *arena)
{
    double *const variance = levy_arena_allocate(arena, 1, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    variance[0] = 1.0;
    p->rotation = (levy_rotation){.n = p->n_assets, .rank = 1, .variance = variance};
    p->n_factors = 1;
    return LEVY_OK;
}

levy_status levy_markets_plan(const levy_problem *problem, const levy_group *group, bool eigen,
                              levy_arena *arena, levy_market_plan *p)
{
    double *whole;
    memset(p, 0, sizeof *p);
    p->trade = &problem->trades[group->trades[0]];
    p->group = group;
    p->n_assets = p->trade->n_underlyings;
    p->per_interval = markets_per_interval(p);
    p->has_cash = markets_has_cash(p);
    p->clock = levy_arena_allocate(arena, group->n_nodes, sizeof *p->clock);
    if (!p->clock) return LEVY_MEMORY;
    uint32_t first;
    LEVY_TRY(levy_markets_add_set(p, arena, (levy_market_set){0, NULL, 0.0}, &first));
    LEVY_TRY(levy_markets_add(p, arena, first, &first));
    memcpy(p->clock, group->times, group->n_nodes * sizeof *p->clock); /* calendar time */
    if (group->known) return markets_still(p, arena);
    if (markets_is_driven(p)) return markets_drivers(p, arena);
    LEVY_TRY(markets_rate(p, 0, arena, &whole));
    if (p->per_interval) LEVY_TRY(markets_whole(p, arena, whole));
    LEVY_TRY(levy_rotation_create(p->n_assets, whole, group->scaling, eigen, arena, &p->rotation));
    p->n_factors = p->rotation.rank;
    return LEVY_OK;
}

/* The factors must give back the covariance: they cannot where it is indefinite, or of a higher
 * rank than today's. What the rank leaves out for its smallness (factors.c) may be missing. */
static bool markets_gives_back(const levy_market_plan *p, const double *covariance,
                               const double *factor)
{
    const size_t n = p->n_assets, f = p->n_factors;
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

/* Factors of every interval. `good`, if not NULL, becomes false where one does not give back its
 * covariance. */
static levy_status markets_fill_intervals(const levy_market_plan *p, uint32_t set,
                                          levy_arena *arena, double *work, double *factor,
                                          bool *good)
{
    const size_t n = p->n_assets, square = n * n;
    markets_sweep s;
    LEVY_TRY(markets_sweep_begin(p, set, arena, &s));
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double step = p->clock[k] - (k ? p->clock[k - 1] : 0.0);
        double *const own = factor + k * n * p->n_factors;
        LEVY_TRY(markets_sweep_next(&s, k));
        for (size_t i = 0; i < square; ++i) s.covariance[i] /= step;
        levy_rotation_factor(&p->rotation, s.covariance, work, own);
        if (good) *good = *good && markets_gives_back(p, s.covariance, own);
    }
    return LEVY_OK;
}

static levy_status markets_fill_factors(const levy_market_plan *p, uint32_t set, levy_arena *arena,
                                        double *factor, bool *good)
{
    const size_t n = p->n_assets;
    double *const work = levy_arena_allocate(arena, n * n, sizeof *work);
    double *covariance;
    if (!work) return LEVY_MEMORY;
    if (markets_is_driven(p) || p->group->known) { /* the model fills it (model.c), or nobody */
        for (size_t i = 0; i < n * p->n_factors; ++i) factor[i] = 0.0;
        return LEVY_OK;
    }
    if (p->per_interval) return markets_fill_intervals(p, set, arena, work, factor, good);
    LEVY_TRY(markets_rate(p, set, arena, &covariance));
    levy_rotation_factor(&p->rotation, covariance, work, factor);
    if (good) *good = *good && markets_gives_back(p, covariance, factor);
    return LEVY_OK;
}

static double markets_cash(const levy_market_plan *p, uint32_t set, size_t u, double t)
{
    const levy_asset *const asset = markets_asset(p, u);
    double amount = 0.0;
    for (size_t i = 0; i < asset->n_cash; ++i)
        if (asset->cash_times[i] == t) amount += asset->cash_amounts[i];
    return amount / levy_markets_spot(p, set, u);
}

static void markets_fill_lag(const levy_market_plan *p, uint32_t set, double *lag)
{
    double before = 0.0;
    for (size_t k = 0; k < p->group->n_nodes; ++k) {
        const double t = p->group->times[k], elapsed = p->sets[set].elapsed;
        lag[k] = p->per_interval || p->group->known || before >= elapsed ? 0.0
                 : t <= elapsed                                          ? 1.0
                                : 1.0 - levy_sqrt((t - elapsed) / (t - before));
        before = t;
    }
}

levy_status levy_markets_fill(const levy_market_plan *p, size_t market, levy_arena *arena,
                              double *drift, double *factor, double *cash, double *lag)
{
    const size_t n = p->n_assets;
    const uint32_t set = p->market_sets[market];
    for (size_t u = 0; u < n; ++u) {
        levy_asset asset;
        double before = 0.0;
        LEVY_TRY(levy_markets_asset(p, set, u, arena, &asset));
        const double passed = levy_asset_total_variance(&asset, p->sets[set].elapsed);
        for (size_t k = 0; k < p->group->n_nodes; ++k) {
            const double t = p->group->times[k];
            const double variance =
                levy_asset_total_variance(&asset, levy_markets_time(p, set, t)) - passed;
            const double level =
                p->group->known ? 0.0 : levy_markets_log_growth(p, set, &asset, t) - 0.5 * variance;
            drift[k * n + u] = p->per_interval ? level - before : level;
            before = level;
            if (cash) cash[k * n + u] = markets_cash(p, set, u, t);
        }
    }
    if (lag) markets_fill_lag(p, set, lag);
    return markets_fill_factors(p, set, arena, factor, NULL);
}

/* ---- Whether a set is a market ---- */

static levy_status markets_check_volatility(const levy_market_plan *p, uint32_t set, size_t u,
                                            levy_arena *arena, bool *good)
{
    levy_asset asset;
    LEVY_TRY(levy_markets_asset(p, set, u, arena, &asset));
    if (asset.total_variance == markets_asset(p, u)->total_variance) return LEVY_OK;
    for (size_t k = 0; k < asset.n_volatility; ++k)
        *good = *good && asset.total_variance[k] > 0.0 &&
                (k == 0 || asset.total_variance[k] >= asset.total_variance[k - 1]);
    return LEVY_OK;
}

/* In memory of its own: there may be thousands of sets to check. */
static levy_status markets_check_correlation(const levy_market_plan *p, uint32_t set,
                                             const levy_memory *memory, bool *good)
{
    const size_t pieces = p->per_interval ? p->group->n_nodes : 1;
    levy_arena scratch;
    levy_arena_init(&scratch, memory);
    double *const factor =
        levy_arena_allocate(&scratch, pieces * p->n_assets * p->n_factors, sizeof *factor);
    const levy_status status =
        factor ? markets_fill_factors(p, set, &scratch, factor, good) : LEVY_MEMORY;
    levy_arena_release(&scratch);
    return status;
}

levy_status levy_markets_check(const levy_market_plan *p, uint32_t set, levy_arena *arena,
                               bool *good)
{
    bool correlated = false;
    *good = true;
    if (p->group->known) return LEVY_OK;
    for (size_t i = 0; i < p->sets[set].n_shifts; ++i)
        correlated = correlated || p->sets[set].shifts[i].factor == LEVY_SHIFT_CORRELATION;
    for (size_t u = 0; u < p->n_assets; ++u)
        LEVY_TRY(markets_check_volatility(p, set, u, arena, good));
    if (levy_memory_stopped(arena->memory)) return LEVY_CANCELLED;
    correlated = correlated || (p->n_factors < p->n_assets && levy_markets_moves_growths(p, set));
    return correlated && !markets_is_driven(p)
               ? markets_check_correlation(p, set, arena->memory, good)
               : LEVY_OK;
}
