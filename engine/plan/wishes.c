/* wishes.c: see wishes.h. For each class of bumps the measures that its trades ask for; then what
 * all share. */
#include "engine/plan/wishes.h"

#include "engine/plan/differences.h"
#include "engine/base/number.h"

static const levy_simulation *wishes_simulation(const levy_wishes *w)
{
    return &w->problem->simulation;
}

static const levy_trade *wishes_trade(const levy_wishes *w, size_t t)
{
    return &w->problem->trades[w->group->trades[t]];
}

static const levy_asset *wishes_asset(const levy_wishes *w, size_t u)
{
    return w->markets->trade->model->assets[w->markets->trade->underlyings[u]];
}

static uint32_t wishes_measures(const levy_wishes *w, const levy_trade *trade)
{
    const uint32_t own = trade->measures ? trade->measures : wishes_simulation(w)->measures;
    const uint32_t scenarios =
        w->problem->n_scenarios ? LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL : 0;
    return own | LEVY_MEASURE_PRICE | scenarios;
}

/* ---- Spots ---- */

static levy_status wishes_spot(levy_wishes *w, size_t u, uint32_t measures)
{
    const levy_simulation *const s = wishes_simulation(w);
    const levy_asset *const asset = wishes_asset(w, u);
    const double bump = levy_bump_spot(w->markets, s, w->classes[w->now], asset);
    if (measures & LEVY_MEASURE_DELTA)
        LEVY_TRY(levy_wishes_spot(w, LEVY_MEASURE_DELTA, asset, s->spot_bump, bump));
    if (measures & LEVY_MEASURE_GAMMA)
        LEVY_TRY(levy_wishes_spot(w, LEVY_MEASURE_GAMMA, asset, s->gamma_bump, bump));
    return LEVY_OK;
}

static levy_status wishes_cross_gamma(levy_wishes *w, size_t u, size_t v)
{
    const levy_simulation *const s = wishes_simulation(w);
    const levy_asset *const assets[2] = {wishes_asset(w, u), wishes_asset(w, v)};
    const levy_bump_class of = w->classes[w->now];
    const double h[2] = {levy_bump_cross(w->markets, s, of, assets[0]),
                         levy_bump_cross(w->markets, s, of, assets[1])};
    return levy_wishes_cross(w, assets, h);
}

/* ---- Correlations, volatilities, rates ---- */

static levy_status wishes_correlation(levy_wishes *w, size_t u, size_t v)
{
    const levy_asset *const one = wishes_asset(w, u), *const other = wishes_asset(w, v);
    const double h = levy_bump_correlation(wishes_simulation(w), w->classes[w->now]);
    const levy_shift shift = {
        .factor = LEVY_SHIFT_CORRELATION, .asset = one, .other = other, .node = SIZE_MAX};
    return levy_wishes_central(
        w, LEVY_MEASURE_CORRELATION,
        levy_arena_format(w->kept, "%s.spot,%s.spot", one->name, other->name), shift, h, h);
}

/* "SPX.volatility[2027-11-20]": a node by its date, or by its years where the book has no dates. */
static const char *wishes_node_label(levy_wishes *w, const char *name, const char *what,
                                     double time)
{
    char at[LEVY_NUMBER_SIZE];
    if (w->problem->has_date)
        levy_date_write(w->problem->valuation + (levy_date)(time * 365.0 + 0.5), at);
    else
        levy_number_write(time, at);
    return levy_arena_format(w->kept, "%s.%s[%s]", name, what, at);
}

static levy_status wishes_vega(levy_wishes *w, size_t u, bool by_node)
{
    const levy_asset *const asset = wishes_asset(w, u);
    const double h =
        levy_bump_volatility(w->markets, wishes_simulation(w), w->classes[w->now], asset);
    const double expiry = w->group->times[w->group->n_nodes - 1];
    levy_shift shift = {.factor = LEVY_SHIFT_VOLATILITY, .asset = asset, .node = SIZE_MAX};
    if (!by_node || asset->n_volatility == 1)
        return levy_wishes_central(w, by_node ? LEVY_MEASURE_VEGA_BY_NODE : LEVY_MEASURE_VEGA,
                                   levy_arena_format(w->kept, "%s.volatility", asset->name), shift,
                                   h, h);
    for (shift.node = 0; shift.node < asset->n_volatility; ++shift.node) {
        const double time = asset->volatility_times[shift.node];
        if (shift.node > 0 && asset->volatility_times[shift.node - 1] >= expiry)
            break; /* later nodes matter to none */
        LEVY_TRY(levy_wishes_central(w, LEVY_MEASURE_VEGA_BY_NODE,
                                     wishes_node_label(w, asset->name, "volatility", time), shift,
                                     h, h));
    }
    return LEVY_OK;
}

/* Whether a trade discounts on a curve, or an underlying of it grows at it. */
static bool wishes_uses(const levy_wishes *w, const levy_trade *trade, const levy_curve *curve)
{
    bool uses = trade->discount_curve == curve;
    for (size_t u = 0; u < w->markets->n_assets; ++u)
        uses = uses || wishes_asset(w, u)->curve == curve;
    return uses;
}

static double wishes_horizon(const levy_trade *trade)
{
    return trade->payment_time > trade->expiry ? trade->payment_time : trade->expiry;
}

/* Whether a trade's value depends on a node of a curve that it uses. */
static bool wishes_reaches(const levy_trade *trade, const levy_curve *curve, size_t node)
{
    return node == 0 || node == SIZE_MAX || curve->times[node - 1] < wishes_horizon(trade);
}

static levy_status wishes_rho(levy_wishes *w)
{
    const double h = levy_bump_rate(w->markets, wishes_simulation(w), w->classes[w->now]);
    return levy_wishes_central(w, LEVY_MEASURE_RHO,
                               levy_arena_format(w->kept, "%s.rate", w->markets->trade->currency),
                               (levy_shift){.factor = LEVY_SHIFT_RATE, .node = SIZE_MAX}, h, h);
}

static levy_status wishes_rho_of(levy_wishes *w, const levy_curve *curve)
{
    const double h = levy_bump_rate(w->markets, wishes_simulation(w), w->classes[w->now]);
    double horizon = 0.0;
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const double own = wishes_horizon(wishes_trade(w, t));
        if (own > horizon) horizon = own;
    }
    levy_shift shift = {.factor = LEVY_SHIFT_RATE, .curve = curve, .node = SIZE_MAX};
    if (curve->n == 1)
        return levy_wishes_central(w, LEVY_MEASURE_RHO_BY_NODE,
                                   levy_arena_format(w->kept, "%s.rate", curve->name), shift, h, h);
    for (shift.node = 0; shift.node < curve->n; ++shift.node) {
        if (shift.node > 0 && curve->times[shift.node - 1] >= horizon) break;
        LEVY_TRY(levy_wishes_central(
            w, LEVY_MEASURE_RHO_BY_NODE,
            wishes_node_label(w, curve->name, "rate", curve->times[shift.node]), shift, h, h));
    }
    return LEVY_OK;
}

/* The nodes of every curve that some trade of the group uses, each once. */
static levy_status wishes_rho_by_node(levy_wishes *w)
{
    const size_t first = w->n;
    for (size_t u = 0; u < w->markets->n_assets; ++u) {
        bool seen = false;
        for (size_t v = 0; v < u; ++v)
            seen = seen || wishes_asset(w, v)->curve == wishes_asset(w, u)->curve;
        if (!seen) LEVY_TRY(wishes_rho_of(w, wishes_asset(w, u)->curve));
    }
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const levy_curve *const curve = wishes_trade(w, t)->discount_curve;
        bool seen = false;
        for (size_t u = 0; u < w->markets->n_assets; ++u)
            seen = seen || wishes_asset(w, u)->curve == curve;
        for (size_t o = first; o < w->n; ++o)
            seen = seen || (w->wishes[o].measure == LEVY_MEASURE_RHO_BY_NODE &&
                            w->wishes[o].curve == curve);
        if (!seen) LEVY_TRY(wishes_rho_of(w, curve));
    }
    return LEVY_OK;
}

/* ---- What is no difference by a bump ---- */

static levy_status wishes_shared(levy_wishes *w, uint32_t measure, const char *label,
                                 levy_wish wish)
{
    wish.measure = measure;
    wish.of = levy_wish_any;
    LEVY_TRY(levy_wishes_label(w, label, &wish.label));
    return levy_wishes_add(w, wish);
}

static levy_status wishes_theta(levy_wishes *w)
{
    const double days = wishes_simulation(w)->theta_days;
    levy_wish wish = {.n_terms = 2, .weight = {1.0 / days, -1.0 / days}};
    LEVY_TRY(levy_markets_add_set(w->markets, w->arena, (levy_market_set){0, NULL, days / 365.0},
                                  &wish.set[0]));
    return wishes_shared(w, LEVY_MEASURE_THETA, levy_arena_format(w->kept, "time"), wish);
}

/* The scenario's set, or today's where it is no market for the group. */
static levy_status wishes_scenario_set(levy_wishes *w, const levy_scenario *scenario, uint32_t *set,
                                       uint32_t *remarks)
{
    const levy_market_set moved = {scenario->n_shifts, scenario->shifts, 0.0};
    bool good = levy_scenario_objection(scenario, w->markets->trade) == NULL;
    *set = 0;
    if (good) {
        LEVY_TRY(levy_markets_add_set(w->markets, w->arena, moved, set));
        LEVY_TRY(levy_markets_check(w->markets, *set, w->arena, &good));
    }
    if (!good) *set = 0;
    *remarks = good ? 0 : LEVY_OUTPUT_NOT_BUMPED;
    return LEVY_OK;
}

/* The difference first: its sets are those of the price and one more. */
static levy_status wishes_scenario(levy_wishes *w, const levy_scenario *scenario)
{
    levy_wish wish = {.of = levy_wish_any, .scenario = scenario};
    uint32_t set;
    LEVY_TRY(wishes_scenario_set(w, scenario, &set, &wish.remarks));
    LEVY_TRY(levy_wishes_label(w, levy_arena_format(w->kept, "%s", scenario->id), &wish.label));
    wish.measure = LEVY_MEASURE_SCENARIO_PNL;
    wish.n_terms = 2;
    wish.set[0] = set;
    wish.weight[0] = 1.0;
    wish.weight[1] = -1.0;
    LEVY_TRY(levy_wishes_add(w, wish));
    wish.measure = LEVY_MEASURE_SCENARIO_PRICE;
    wish.n_terms = 1;
    return levy_wishes_add(w, wish);
}

/* ---- The whole ---- */

static const uint32_t wishes_bumped = LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA |
                                      LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_VEGA |
                                      LEVY_MEASURE_VEGA_BY_NODE | LEVY_MEASURE_RHO |
                                      LEVY_MEASURE_RHO_BY_NODE | LEVY_MEASURE_CORRELATION;

static bool wishes_same_class(const levy_bump_class *a, const levy_bump_class *b)
{
    return a->rough == b->rough && a->restless == b->restless && a->nearest == b->nearest;
}

static levy_status wishes_classify(levy_wishes *w, size_t t)
{
    const levy_bump_class of =
        levy_bump_class_of(w->markets, wishes_simulation(w), wishes_trade(w, t));
    size_t i = 0;
    while (i < w->n_classes && !wishes_same_class(&w->classes[i], &of)) ++i;
    w->class_of[t] = (uint32_t)i;
    if (i < w->n_classes) return LEVY_OK;
    levy_bump_class *const classes =
        levy_arena_extend(w->arena, w->classes, w->n_classes, &w->class_room, 16, sizeof *classes);
    if (!classes) return LEVY_MEMORY;
    w->classes = classes;
    w->classes[w->n_classes++] = of;
    return LEVY_OK;
}

/* The classes of the trades that bump; the bits of what any trade wants. */
static levy_status wishes_classes(levy_wishes *w, uint32_t *measures)
{
    *measures = 0;
    w->class_of = levy_arena_allocate(w->arena, w->group->n_trades, sizeof *w->class_of);
    if (!w->class_of) return LEVY_MEMORY;
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const uint32_t own = wishes_measures(w, wishes_trade(w, t));
        *measures |= own;
        w->class_of[t] = levy_wish_any;
        if (own & wishes_bumped) LEVY_TRY(wishes_classify(w, t));
    }
    return LEVY_OK;
}

/* What shares today's growths. */
static levy_status wishes_still(levy_wishes *w, uint32_t measures)
{
    const size_t n = w->markets->n_assets;
    for (size_t u = 0; u < n; ++u) LEVY_TRY(wishes_spot(w, u, measures));
    for (size_t u = 0; u < n; ++u)
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CROSS_GAMMA; ++v)
            LEVY_TRY(wishes_cross_gamma(w, u, v));
    return LEVY_OK;
}

static levy_status wishes_moved(levy_wishes *w, uint32_t measures)
{
    const size_t n = w->markets->n_assets;
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_VEGA; ++u)
        LEVY_TRY(wishes_vega(w, u, false));
    if (measures & LEVY_MEASURE_RHO) LEVY_TRY(wishes_rho(w));
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_VEGA_BY_NODE; ++u)
        LEVY_TRY(wishes_vega(w, u, true));
    if (measures & LEVY_MEASURE_RHO_BY_NODE) LEVY_TRY(wishes_rho_by_node(w));
    for (size_t u = 0; u < n; ++u)
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CORRELATION; ++v)
            LEVY_TRY(wishes_correlation(w, u, v));
    return LEVY_OK;
}

levy_status levy_wishes_make(levy_wishes *w)
{
    uint32_t measures;
    LEVY_TRY(wishes_classes(w, &measures));
    LEVY_TRY(wishes_shared(w, LEVY_MEASURE_PRICE, "", (levy_wish){.n_terms = 1, .weight = {1.0}}));
    for (w->now = 0; w->now < w->n_classes; ++w->now) LEVY_TRY(wishes_still(w, measures));
    if (measures & LEVY_MEASURE_THETA) LEVY_TRY(wishes_theta(w));
    for (w->now = 0; w->now < w->n_classes; ++w->now) LEVY_TRY(wishes_moved(w, measures));
    for (size_t i = 0; i < w->problem->n_scenarios; ++i)
        LEVY_TRY(wishes_scenario(w, &w->problem->scenarios[i]));
    for (size_t i = 0; i < w->n_probes; ++i) LEVY_TRY(levy_wishes_add(w, w->probes[i]));
    return LEVY_OK;
}

bool levy_wishes_wanted(const levy_wishes *w, size_t t, const levy_wish *wish)
{
    const levy_trade *const trade = wishes_trade(w, t);
    if (!(wish->measure & wishes_measures(w, trade))) return false;
    if (wish->of != levy_wish_any && wish->of != w->class_of[t]) return false;
    if (!wish->curve) return true;
    return wishes_uses(w, trade, wish->curve) && wishes_reaches(trade, wish->curve, wish->node);
}
