/* requests.c: see requests.h. It adds the measures that each class of bumps asks for, then those
 * that all share. requests_views.c adds what a script counts. */
#include "engine/plan/requests.h"

#include "engine/plan/differences.h"
#include "engine/plan/peaks.h"
#include "engine/base/number.h"
#include "engine/market/factor.h"

#include <math.h>
#include <string.h>

/* The least bump of the model's correlation, which may be 1. */
static const double requests_least_correlation = 1e-3;

const levy_trade *levy_requests_trade(const levy_requests *w, size_t t)
{
    return &w->problem->trades[w->group->trades[t]];
}

const levy_asset *levy_requests_asset(const levy_requests *w, size_t u)
{
    return levy_trade_asset(w->dynamics->trade, u);
}

uint32_t levy_requests_measures(const levy_requests *w, const levy_trade *trade)
{
    const uint32_t scenarios =
        w->problem->n_scenarios ? LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL : 0;
    return levy_trade_asks(w->problem, trade) | LEVY_MEASURE_PRICE | LEVY_MEASURE_REPORT |
           scenarios;
}

/* ---- What is bumped ---- */

static levy_status requests_list(levy_requests *w)
{
    const size_t n = w->dynamics->n_assets;
    w->bumped = levy_arena_allocate(w->arena, 2 * n, sizeof *w->bumped);
    if (!w->bumped) return LEVY_MEMORY;
    for (size_t u = 0; u < n; ++u) w->bumped[w->n_bumped++] = levy_requests_asset(w, u);
    for (size_t u = 0; u < n; ++u) {
        const levy_quanto *const q = &w->bumped[u]->quanto;
        bool has = !q->composite;
        for (size_t v = 0; v < w->n_bumped; ++v) has = has || levy_asset_is(w->bumped[v], q->fx);
        if (!has) w->bumped[w->n_bumped++] = q->fx;
    }
    return LEVY_OK;
}

/* The number of what is bumped in the model. */
static size_t requests_number(const levy_requests *w, size_t u)
{
    const levy_trade *const trade = w->dynamics->trade;
    return u < w->dynamics->n_assets ? trade->underlyings[u]
                                     : levy_model_asset(trade->model, w->bumped[u]);
}

/* Whether a spot, or a yield, moves what is paid: those of rates that no item sees do not. */
static bool requests_is_seen(const levy_requests *w, size_t u)
{
    return u < w->dynamics->trade->n_underlyings || u >= w->dynamics->n_assets;
}

/* The level that moves as far with its spot: that of a composite one, if it is a rate. */
static const levy_asset *requests_level(const levy_requests *w, size_t u)
{
    for (size_t v = 0; u >= w->dynamics->n_assets && v < w->dynamics->n_assets; ++v)
        if (w->bumped[v]->quanto.fx == w->bumped[u]) return w->bumped[v];
    return w->bumped[u];
}

/* The asset whose volatility it has. */
static const levy_asset *requests_own(const levy_requests *w, size_t u)
{
    const levy_asset *const asset = w->bumped[u];
    return asset->quanto.composite ? asset->quanto.of : asset;
}

/* ---- Spots ---- */

static levy_status requests_spot(levy_requests *w, size_t u, uint32_t measures)
{
    const levy_simulation *const s = &w->problem->simulation;
    const levy_asset *const asset = levy_asset_quoted(w->bumped[u]);
    const double bump = levy_bump_spot(w->dynamics, s, w->classes[w->now], requests_level(w, u));
    if (!requests_is_seen(w, u)) return LEVY_OK;
    if (measures & LEVY_MEASURE_DELTA)
        LEVY_TRY(levy_requests_spot(w, LEVY_MEASURE_DELTA, asset, s->spot_bump, bump));
    if (measures & LEVY_MEASURE_GAMMA)
        LEVY_TRY(levy_requests_spot(w, LEVY_MEASURE_GAMMA, asset, s->gamma_bump, bump));
    return LEVY_OK;
}

static levy_status requests_cross_gamma(levy_requests *w, size_t u, size_t v)
{
    const levy_simulation *const s = &w->problem->simulation;
    const levy_asset *const assets[2] = {levy_asset_quoted(w->bumped[u]),
                                         levy_asset_quoted(w->bumped[v])};
    const levy_bump_class of = w->classes[w->now];
    const double h[2] = {levy_bump_cross(w->dynamics, s, of, requests_level(w, u)),
                         levy_bump_cross(w->dynamics, s, of, requests_level(w, v))};
    if (!requests_is_seen(w, u) || !requests_is_seen(w, v)) return LEVY_OK;
    return levy_requests_cross(w, assets, h);
}

/* ---- Volatilities a second time, yields ---- */

/* Vanna moves spot and volatility at the same time, volga moves volatility twice. */
static levy_status requests_curved(levy_requests *w, size_t u, uint32_t measures)
{
    const levy_simulation *const s = &w->problem->simulation;
    const levy_asset *const asset = levy_asset_quoted(w->bumped[u]);
    const levy_bump_class of = w->classes[w->now];
    const double h = levy_bump_volga(w->dynamics, s, of, requests_own(w, u)),
                 spot = levy_bump_cross(w->dynamics, s, of, requests_level(w, u));
    if (measures & LEVY_MEASURE_VANNA && requests_is_seen(w, u))
        LEVY_TRY(levy_requests_vanna(w, asset, spot, h));
    return measures & LEVY_MEASURE_VOLGA ? levy_requests_volga(w, asset, h) : LEVY_OK;
}

/* A cost of borrowing lowers the forward as a yield does, so the two differences are the same,
 * unless it is by term. */
static levy_status requests_yield(levy_requests *w, size_t u, uint32_t measure, int32_t factor)
{
    const levy_asset *const asset = w->bumped[u];
    const double h = levy_bump_rate(w->dynamics, &w->problem->simulation, w->classes[w->now]);
    const levy_nodes nodes = levy_factor_nodes(&levy_factors[factor], asset);
    levy_shift shift = {.factor = factor, .asset = asset, .node = SIZE_MAX};
    if (!requests_is_seen(w, u)) return LEVY_OK;
    if (nodes.n > 1)
        return levy_requests_nodes(w, measure, asset->name, shift, nodes,
                                   levy_dynamics_expiry(w->dynamics), h);
    shift.factor = LEVY_SHIFT_YIELD;
    return levy_requests_central(w, measure, levy_requests_name(w, asset->name, factor), shift, h,
                                 h);
}

/* Each dividend on a date, moved as far as the spot is, but never to 0. Those after expiry count
 * where what moves is the forward less the cash to come. */
static levy_status requests_dividends(levy_requests *w, size_t u)
{
    const levy_asset *const asset = levy_asset_quoted(w->bumped[u]);
    const levy_carry *const carry = &asset->carry;
    const levy_nodes dates = levy_carry_dates(carry);
    const double share = levy_bump_spot(w->dynamics, &w->problem->simulation, w->classes[w->now],
                                        requests_level(w, u)),
                 until = carry->affine ? carry->horizon : levy_dynamics_expiry(w->dynamics);
    levy_shift shift = {.factor = LEVY_SHIFT_DIVIDENDS, .asset = asset};
    for (; shift.node < dates.n && dates.times[shift.node] <= until; ++shift.node) {
        bool proportional;
        char at[LEVY_NUMBER_SIZE];
        const double paid = levy_carry_dividend(carry, shift.node, &proportional),
                     h = fmin(proportional ? share : share * asset->spot, 0.5 * paid);
        if (!requests_is_seen(w, u)) break;
        levy_requests_time(w, dates.times[shift.node], at);
        LEVY_TRY(levy_requests_central(
            w, LEVY_MEASURE_DIVIDENDS,
            levy_arena_format(w->kept, "%s.dividends[%s]", asset->name, at), shift, h, h));
    }
    return LEVY_OK;
}

/* The bump of a number x of the model: as far beside itself as the volatility is. Of a correlation
 * also a quarter of what it lacks to 1, on which scale the law changes. */
static double requests_parameter_bump(const levy_requests *w, const levy_asset *asset,
                                      const char *name, double x)
{
    const char *const correlation = levy_model_kinds[w->dynamics->trade->model->kind]->share;
    const double share =
        levy_bump_volatility(w->dynamics, &w->problem->simulation, w->classes[w->now], asset) /
        levy_dynamics_deviation(w->dynamics, asset, 1.0);
    const double h = share * (x != 0.0 ? fabs(x) : 0.1);
    const bool is_correlation = correlation && strcmp(name, correlation) == 0;
    return is_correlation ? fmin(h, fmax(0.25 * (1.0 - fabs(x)), requests_least_correlation)) : h;
}

static levy_shift requests_parameter_shift(const levy_asset *asset, const char *name)
{
    return (levy_shift){
        .factor = LEVY_SHIFT_PARAMETER, .parameter = name, .asset = asset, .node = SIZE_MAX};
}

/* The number of a model at each of its nodes up to the first that is not before expiry. An only
 * one has the name of all. */
static levy_status requests_parameter(levy_requests *w, size_t u, const char *name)
{
    const levy_asset *const asset = levy_requests_asset(w, u);
    const levy_model *const model = w->dynamics->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const uint32_t number = w->dynamics->trade->underlyings[u];
    const levy_nodes nodes = levy_parameter_nodes(kind, model->terms, name, number);
    const char *label = levy_arena_format(w->kept, "%s.%s", asset->name, name);
    for (size_t k = 0; k < nodes.n; ++k) {
        levy_shift shift = requests_parameter_shift(asset, name);
        char at[LEVY_NUMBER_SIZE];
        if (k > 0 && nodes.times[k - 1] >= levy_dynamics_expiry(w->dynamics)) break;
        if (nodes.n > 1) {
            shift.node = k;
            shift.time = nodes.times[k];
            levy_requests_time(w, shift.time, at);
            label = levy_arena_format(w->kept, "%s.%s[%s]", asset->name, name, at);
        }
        const double h = requests_parameter_bump(
            w, asset, name, *levy_parameter_of(kind, model->terms, name, number, k));
        LEVY_TRY(levy_requests_central(w, LEVY_MEASURE_PARAMETERS, label, shift, h, h));
    }
    return LEVY_OK;
}

/* Each number of the model that is a factor. */
static levy_status requests_parameters(levy_requests *w, size_t u)
{
    const char *const *name = levy_model_kinds[w->dynamics->trade->model->kind]->factors;
    for (; name && *name; ++name) LEVY_TRY(requests_parameter(w, u, *name));
    return LEVY_OK;
}

/* Delta, and what the variance moves with the asset. */
static levy_status requests_hedge(levy_requests *w, size_t u)
{
    const levy_simulation *const s = &w->problem->simulation;
    const levy_asset *const asset = levy_requests_asset(w, u);
    const levy_model *const model = w->dynamics->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const uint32_t number = w->dynamics->trade->underlyings[u];
    if (!kind->variance || !requests_is_seen(w, u)) return LEVY_OK;
    return levy_requests_hedge(
        w, asset, s->spot_bump, levy_bump_spot(w->dynamics, s, w->classes[w->now], asset),
        requests_parameter_shift(asset, kind->variance),
        requests_parameter_bump(w, asset, kind->variance,
                                *levy_parameter_of(kind, model->terms, kind->variance, number, 0)),
        kind->leverage(model->terms, number) / asset->spot);
}

/* ---- Correlations, volatilities, rates ---- */

/* Of spots, and of variances where the book gives it. */
static levy_status requests_correlation(levy_requests *w, size_t u, size_t v)
{
    const levy_model *const model = w->dynamics->trade->model;
    const double h = levy_bump_correlation(&w->problem->simulation, w->classes[w->now]);
    levy_shift shift = {.factor = LEVY_SHIFT_CORRELATION,
                        .asset = w->bumped[u],
                        .other = w->bumped[v],
                        .node = SIZE_MAX};
    for (size_t k = 0; k < 4; ++k) {
        const size_t x = requests_number(w, u) + (k / 2) * model->n_assets,
                     y = requests_number(w, v) + (k % 2) * model->n_assets;
        shift.of_variance[0] = k / 2;
        shift.of_variance[1] = k % 2;
        if (levy_correlation_own(&model->correlation, 0, x, y) == LEVY_NO_CORRELATION) continue;
        const char *const label =
            levy_requests_pair(w, shift.asset, levy_pair_end(shift.of_variance[0]) + 1, shift.other,
                               levy_pair_end(shift.of_variance[1]) + 1);
        LEVY_TRY(levy_requests_central(w, LEVY_MEASURE_CORRELATION, label, shift, h, h));
    }
    return LEVY_OK;
}

/* A date, or years where the book has no dates. */
void levy_requests_time(const levy_requests *w, double time, char at[LEVY_NUMBER_SIZE])
{
    levy_node_name((levy_origin){w->problem->has_date, w->problem->valuation}, time, at);
}

levy_status levy_requests_nodes(levy_requests *w, uint32_t measure, const char *owner,
                                levy_shift shift, levy_nodes nodes, double until, double h)
{
    const char *const name = levy_requests_name(w, owner, shift.factor);
    if (nodes.n == 1 || !name) return levy_requests_central(w, measure, name, shift, h, h);
    for (shift.node = 0; shift.node < nodes.n; ++shift.node) {
        char at[LEVY_NUMBER_SIZE];
        if (shift.node > 0 && nodes.times[shift.node - 1] >= until) break;
        levy_requests_time(w, nodes.times[shift.node], at);
        LEVY_TRY(levy_requests_central(w, measure, levy_arena_format(w->kept, "%s[%s]", name, at),
                                       shift, h, h));
    }
    return LEVY_OK;
}

static levy_status requests_vega(levy_requests *w, const levy_asset *asset, bool by_node)
{
    const double h =
        levy_bump_volatility(w->dynamics, &w->problem->simulation, w->classes[w->now], asset);
    const levy_shift shift = {.factor = LEVY_SHIFT_VOLATILITY, .asset = asset, .node = SIZE_MAX};
    if (by_node)
        return levy_requests_nodes(w, LEVY_MEASURE_VEGA_BY_NODE, asset->name, shift,
                                   levy_volatility_nodes(&asset->volatility),
                                   levy_dynamics_expiry(w->dynamics), h);
    return levy_requests_central(w, LEVY_MEASURE_VEGA,
                                 levy_requests_name(w, asset->name, shift.factor), shift, h, h);
}

/* ---- What an asset is paid in ---- */

/* Whether the rate of exchange of asset number u is an asset itself, whose measures are of all that
 * it moves, or that of an asset before. */
static bool requests_has_rate(const levy_requests *w, size_t u, bool *is_asset)
{
    const levy_asset *const fx = levy_requests_asset(w, u)->quanto.fx;
    bool has = false;
    *is_asset = false;
    for (size_t v = 0; v < w->dynamics->n_assets; ++v) {
        *is_asset = *is_asset || levy_asset_is(levy_requests_asset(w, v), fx);
        has = has || (v < u && levy_requests_asset(w, v)->quanto.fx == fx);
    }
    return has;
}

/* The volatility of the exchange rate, and its correlation with the asset. */
static levy_status requests_quanto(levy_requests *w, size_t u, uint32_t measures)
{
    const levy_asset *const asset = levy_requests_asset(w, u), *const fx = asset->quanto.fx;
    const double h = levy_bump_correlation(&w->problem->simulation, w->classes[w->now]);
    bool is_asset;
    if (!fx || asset->quanto.composite) return LEVY_OK;
    const bool asked = requests_has_rate(w, u, &is_asset);
    if (is_asset) return LEVY_OK;
    if (measures & LEVY_MEASURE_VEGA && !asked) LEVY_TRY(requests_vega(w, fx, false));
    if (measures & LEVY_MEASURE_VEGA_BY_NODE && !asked) LEVY_TRY(requests_vega(w, fx, true));
    /* its own, and its variance's, where the book gives that */
    for (size_t k = 0; k < 2 && measures & LEVY_MEASURE_CORRELATION; ++k) {
        const levy_shift shift = {.factor = LEVY_SHIFT_CORRELATION,
                                  .of_variance = {k > 0},
                                  .asset = asset,
                                  .other = fx,
                                  .node = SIZE_MAX};
        if (levy_correlation_own(asset->quanto.correlation, 0, 2 * k, 1) == LEVY_NO_CORRELATION)
            continue;
        LEVY_TRY(levy_requests_central(
            w, LEVY_MEASURE_CORRELATION,
            levy_requests_pair(w, asset, levy_pair_end(k > 0) + 1, fx, levy_pair_end(false) + 1),
            shift, h, h));
    }
    return LEVY_OK;
}

/* ---- What is not a difference by a bump ---- */

levy_status levy_requests_shared(levy_requests *w, uint32_t measure, const char *label,
                                 levy_request request)
{
    request.measure = measure;
    request.of = levy_request_any;
    LEVY_TRY(levy_requests_label(w, label, &request.label));
    return levy_requests_add(w, request);
}

static levy_status requests_theta(levy_requests *w)
{
    const double days = w->problem->simulation.theta_days;
    levy_request request = {.n_terms = 2, .weight = {1.0 / days, -1.0 / days}};
    LEVY_TRY(levy_dynamics_add_set(w->dynamics, w->arena, (levy_moved){.elapsed = days / 365.0},
                                   &request.set[0]));
    return levy_requests_shared(w, LEVY_MEASURE_THETA, levy_arena_format(w->kept, "time"), request);
}

/* The scenario's set, or today's if the scenario is not a valid market for the group. */
static levy_status requests_scenario_set(levy_requests *w, const levy_scenario *scenario,
                                         uint32_t *set, uint32_t *remarks)
{
    const levy_moved moved = {scenario->n_shifts, scenario->shifts, scenario->elapsed, true};
    bool good = levy_scenario_objection(scenario, w->dynamics->trade) == NULL;
    *set = 0;
    if (good) {
        LEVY_TRY(levy_dynamics_add_set(w->dynamics, w->arena, moved, set));
        LEVY_TRY(levy_dynamics_check(w->dynamics, *set, w->arena, &good));
    }
    if (!good) *set = 0;
    *remarks = good ? 0 : LEVY_OUTPUT_NOT_BUMPED;
    return LEVY_OK;
}

/* The difference comes first, because its sets are those of the price and one more. */
static levy_status requests_scenario(levy_requests *w, const levy_scenario *scenario)
{
    levy_request request = {.of = levy_request_any, .scenario = scenario};
    uint32_t set;
    LEVY_TRY(requests_scenario_set(w, scenario, &set, &request.remarks));
    LEVY_TRY(
        levy_requests_label(w, levy_arena_format(w->kept, "%s", scenario->id), &request.label));
    request.measure = LEVY_MEASURE_SCENARIO_PNL;
    request.n_terms = 2;
    request.set[0] = set;
    request.weight[0] = 1.0;
    request.weight[1] = -1.0;
    LEVY_TRY(levy_requests_add(w, request));
    request.measure = LEVY_MEASURE_SCENARIO_PRICE;
    request.n_terms = 1;
    return levy_requests_add(w, request);
}

/* ---- The whole ---- */

static const uint32_t requests_bumped =
    LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_VEGA |
    LEVY_MEASURE_VEGA_BY_NODE | LEVY_MEASURE_RHO | LEVY_MEASURE_RHO_BY_NODE |
    LEVY_MEASURE_CORRELATION | LEVY_MEASURE_VANNA | LEVY_MEASURE_VOLGA | LEVY_MEASURE_DIVIDEND_RHO |
    LEVY_MEASURE_BORROW_RHO | LEVY_MEASURE_PARAMETERS | LEVY_MEASURE_DELTA_MINIMUM_VARIANCE |
    LEVY_MEASURE_DIVIDENDS;

/* Adds what only a payoff has that an asset moves. */
static const uint32_t requests_of_assets =
    LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_VEGA |
    LEVY_MEASURE_VEGA_BY_NODE | LEVY_MEASURE_CORRELATION | LEVY_MEASURE_VANNA | LEVY_MEASURE_VOLGA |
    LEVY_MEASURE_DIVIDEND_RHO | LEVY_MEASURE_BORROW_RHO | LEVY_MEASURE_PARAMETERS |
    LEVY_MEASURE_DELTA_MINIMUM_VARIANCE | LEVY_MEASURE_IMPLIED_VOLATILITY | LEVY_MEASURE_DIVIDENDS;

static bool requests_same_class(const levy_bump_class *a, const levy_bump_class *b)
{
    return a->rough == b->rough && a->restless == b->restless && a->nearest == b->nearest &&
           a->next.time == b->next.time && a->next.reach == b->next.reach;
}

static levy_status requests_classify(levy_requests *w, size_t t)
{
    const levy_bump_class of =
        levy_bump_class_of(w->dynamics, &w->problem->simulation, levy_requests_trade(w, t));
    size_t i = 0;
    while (i < w->n_classes && !requests_same_class(&w->classes[i], &of)) ++i;
    w->class_of[t] = (uint32_t)i;
    if (i < w->n_classes) return LEVY_OK;
    if (!LEVY_ARENA_GROW(w->arena, w->classes, w->n_classes, w->class_room, 16)) return LEVY_MEMORY;
    w->classes[w->n_classes++] = of;
    return LEVY_OK;
}

/* Finds the classes of the trades that bump, and the measures that any trade wants. */
static levy_status requests_classes(levy_requests *w, uint32_t *measures)
{
    *measures = 0;
    w->class_of = levy_arena_allocate(w->arena, w->group->n_trades, sizeof *w->class_of);
    if (!w->class_of) return LEVY_MEMORY;
    for (size_t t = 0; t < w->group->n_trades; ++t)
        *measures |= levy_requests_measures(w, levy_requests_trade(w, t));
    if (*measures & requests_bumped) levy_peaks_find(w->dynamics);
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const uint32_t own = levy_requests_measures(w, levy_requests_trade(w, t));
        w->class_of[t] = levy_request_any;
        if (own & requests_bumped) LEVY_TRY(requests_classify(w, t));
    }
    return LEVY_OK;
}

/* Requests what shares today's returns. */
static levy_status requests_still(levy_requests *w, uint32_t measures)
{
    const size_t n = w->n_bumped;
    for (size_t u = 0; u < n; ++u) LEVY_TRY(requests_spot(w, u, measures));
    for (size_t u = 0; u < n; ++u)
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CROSS_GAMMA; ++v)
            LEVY_TRY(requests_cross_gamma(w, u, v));
    return LEVY_OK;
}

static levy_status requests_moved(levy_requests *w, uint32_t measures)
{
    const size_t n = w->dynamics->n_assets, all = w->n_bumped;
    for (size_t u = 0; u < all && measures & LEVY_MEASURE_VEGA; ++u)
        LEVY_TRY(requests_vega(w, requests_own(w, u), false));
    for (size_t u = 0; u < all && measures & (LEVY_MEASURE_VANNA | LEVY_MEASURE_VOLGA); ++u)
        LEVY_TRY(requests_curved(w, u, measures));
    if (measures & LEVY_MEASURE_RHO) LEVY_TRY(levy_requests_rho(w));
    for (size_t u = 0; u < all && measures & LEVY_MEASURE_DIVIDEND_RHO; ++u)
        LEVY_TRY(requests_yield(w, u, LEVY_MEASURE_DIVIDEND_RHO, LEVY_SHIFT_YIELD));
    for (size_t u = 0; u < all && measures & LEVY_MEASURE_BORROW_RHO; ++u)
        LEVY_TRY(requests_yield(w, u, LEVY_MEASURE_BORROW_RHO, LEVY_SHIFT_BORROW));
    for (size_t u = 0; u < all && measures & LEVY_MEASURE_DIVIDENDS; ++u)
        LEVY_TRY(requests_dividends(w, u));
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_PARAMETERS; ++u)
        LEVY_TRY(requests_parameters(w, u));
    if (measures & LEVY_MEASURE_PARAMETERS) LEVY_TRY(levy_requests_jumps(w));
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_DELTA_MINIMUM_VARIANCE; ++u)
        LEVY_TRY(requests_hedge(w, u));
    for (size_t u = 0; u < all && measures & LEVY_MEASURE_VEGA_BY_NODE; ++u)
        LEVY_TRY(requests_vega(w, requests_own(w, u), true));
    if (measures & LEVY_MEASURE_RHO_BY_NODE) LEVY_TRY(levy_requests_rho_by_node(w));
    for (size_t u = 0; u < all; ++u)
        for (size_t v = u + 1; v < all && measures & LEVY_MEASURE_CORRELATION; ++v)
            LEVY_TRY(requests_correlation(w, u, v));
    for (size_t u = 0; u < n; ++u) LEVY_TRY(requests_quanto(w, u, measures));
    return LEVY_OK;
}

levy_status levy_requests_make(levy_requests *w)
{
    uint32_t measures;
    LEVY_TRY(requests_list(w));
    LEVY_TRY(requests_classes(w, &measures));
    LEVY_TRY(levy_requests_shared(w, LEVY_MEASURE_PRICE, "",
                                  (levy_request){.n_terms = 1, .weight = {1.0}}));
    if (measures & LEVY_MEASURE_IMPLIED_VOLATILITY)
        LEVY_TRY(levy_requests_shared(w, LEVY_MEASURE_IMPLIED_VOLATILITY, "black",
                                      (levy_request){.n_terms = 1, .weight = {1.0}}));
    LEVY_TRY(levy_requests_views(w, measures));
    for (w->now = 0; w->now < w->n_classes; ++w->now) LEVY_TRY(requests_still(w, measures));
    if (measures & LEVY_MEASURE_THETA) LEVY_TRY(requests_theta(w));
    for (w->now = 0; w->now < w->n_classes; ++w->now) LEVY_TRY(requests_moved(w, measures));
    for (size_t i = 0; i < w->problem->n_scenarios; ++i)
        LEVY_TRY(requests_scenario(w, &w->problem->scenarios[i]));
    for (size_t i = 0; i < w->n_probes; ++i) LEVY_TRY(levy_requests_add(w, w->probes[i]));
    return LEVY_OK;
}

bool levy_requests_wanted(const levy_requests *w, size_t t, const levy_request *request)
{
    const levy_trade *const trade = levy_requests_trade(w, t);
    if (levy_payoffs[trade->kind.payoff]->is_fixed && request->measure & requests_of_assets)
        return false;
    if (!(request->measure & levy_requests_measures(w, trade))) return false;
    if (levy_request_views(request)) return levy_requests_can_view(trade, request);
    if (request->of != levy_request_any && request->of != w->class_of[t]) return false;
    return !request->curve || levy_requests_reach(w, trade, request->curve, request->node);
}
