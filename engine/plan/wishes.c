/* wishes.c: see wishes.h. For each class of bumps the measures that its trades ask for; then what all share. */
#include "engine/plan/wishes.h"

#include "engine/base/number.h"
#include "kernels/lane/scalar.h"

#include <string.h>

/* A doubled bump that moves a spot by more than this is halved instead. */
static const double wishes_most_relative = 0.9;

static const levy_simulation *wishes_simulation(const levy_wishes *w) { return &w->problem->simulation; }

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
    const uint32_t scenarios = w->problem->n_scenarios ? LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL : 0;
    return own | LEVY_MEASURE_PRICE | scenarios;
}

void *levy_wishes_room(levy_arena *arena, void *items, size_t size, size_t n, size_t *room)
{
    if (n < *room) return items;
    const size_t more = *room ? 2 * *room : 16;
    void *const fresh = levy_arena_allocate(arena, more, size);
    if (fresh && n) memcpy(fresh, items, n * size);
    if (fresh) *room = more;
    return fresh;
}

/* ---- Lists ---- */

/* `label` NULL: no memory for it. */
static levy_status wishes_label(levy_wishes *w, const char *label, uint32_t *number)
{
    const char **const labels = levy_wishes_room(w->kept, w->labels, sizeof *labels, w->n_labels, &w->label_room);
    if (!label || !labels) return LEVY_MEMORY;
    w->labels = labels;
    *number = (uint32_t)w->n_labels;
    w->labels[w->n_labels++] = label;
    return LEVY_OK;
}

static levy_status wishes_add(levy_wishes *w, levy_wish wish)
{
    levy_wish *const wishes = levy_wishes_room(w->arena, w->wishes, sizeof *wishes, w->n, &w->room);
    if (!wishes) return LEVY_MEMORY;
    w->wishes = wishes;
    w->wishes[w->n++] = wish;
    return LEVY_OK;
}

static levy_status wishes_add_probe(levy_wishes *w, levy_wish wish, uint32_t probe)
{
    levy_wish *const probes = levy_wishes_room(w->arena, w->probes, sizeof *probes, w->n_probes, &w->probe_room);
    if (!probes) return LEVY_MEMORY;
    w->probes = probes;
    w->probes[w->n_probes] = wish;
    w->probes[w->n_probes++].probe = probe;
    return LEVY_OK;
}

/* One replicate of Sobol points has no standard error that a bias could join. */
static bool wishes_are_probed(const levy_wishes *w)
{
    const levy_simulation *const s = wishes_simulation(w);
    return s->replicates > 1 || s->generator == LEVY_GENERATOR_PHILOX || s->generator == LEVY_GENERATOR_MRG32K3A;
}

/* A wish under a new label, and the probe that goes with it: `other` by its terms. */
static levy_status wishes_add_probed(levy_wishes *w, const char *label, levy_wish wish, levy_wish other, uint32_t probe)
{
    LEVY_TRY(wishes_label(w, label, &wish.label));
    wish.of = w->now;
    LEVY_TRY(wishes_add(w, wish));
    if (!probe || !wishes_are_probed(w)) return LEVY_OK;
    if (wishes_simulation(w)->replicates == 1) LEVY_TRY(wishes_add_probe(w, wish, LEVY_PROBE_SAME));
    memcpy(wish.set, other.set, sizeof wish.set);
    memcpy(wish.weight, other.weight, sizeof wish.weight);
    wish.n_terms = other.n_terms;
    return wishes_add_probe(w, wish, probe);
}

static bool wishes_same_shift(const levy_shift *a, const levy_shift *b)
{
    return a->factor == b->factor && a->relative == b->relative && a->size == b->size && a->asset == b->asset &&
           a->other == b->other && a->curve == b->curve && a->node == b->node;
}

/* The set of these shifts; one of one shift is made once. */
static levy_status wishes_set(levy_wishes *w, const levy_shift *shifts, size_t n, uint32_t *set)
{
    levy_market_plan *const m = w->markets;
    for (uint32_t i = 0; n == 1 && i < m->n_sets && i < 64; ++i)
        if (m->sets[i].n_shifts == 1 && wishes_same_shift(m->sets[i].shifts, shifts)) {
            *set = i;
            return LEVY_OK;
        }
    levy_shift *const kept = levy_arena_allocate(w->arena, n, sizeof *kept);
    if (!kept) return LEVY_MEMORY;
    memcpy(kept, shifts, n * sizeof *kept);
    return levy_markets_add_set(m, w->arena, (levy_market_set){n, kept, 0.0}, set);
}

/* ---- First differences ---- */

/* The two sets of a shift by `size`, up and down, and which of them are markets. */
static levy_status wishes_sides(levy_wishes *w, levy_shift shift, double size, uint32_t set[2], bool good[2])
{
    for (int i = 0; i < 2; ++i) {
        shift.size = i ? -size : size;
        LEVY_TRY(wishes_set(w, &shift, 1, &set[i]));
        LEVY_TRY(levy_markets_check(w->markets, set[i], w->arena, &good[i]));
    }
    return LEVY_OK;
}

/* (up - down) / 2h; the side that is no market is today's. */
static void wishes_slope(levy_wish *wish, const uint32_t set[2], const bool good[2], double h)
{
    const bool central = good[0] && good[1];
    wish->n_terms = 2;
    for (int i = 0; i < 2; ++i) {
        wish->set[i] = good[i] ? set[i] : 0;
        wish->weight[i] = (i ? -0.5 : 0.5) / h * (central ? 1.0 : 2.0);
    }
    if (!central) wish->remarks = good[0] || good[1] ? LEVY_OUTPUT_ONE_SIDED : LEVY_OUTPUT_NOT_BUMPED;
}

/* The same difference by twice the bump or, where that is no market, by half of it. */
static levy_status wishes_slope_probe(levy_wishes *w, levy_shift shift, double size, double h, const bool good[2],
                                      levy_wish *other, uint32_t *probe)
{
    const bool aside = !(good[0] && good[1]);
    bool can[2] = {false, false};
    uint32_t set[2] = {0, 0};
    if (!shift.relative || 2.0 * size < wishes_most_relative) LEVY_TRY(wishes_sides(w, shift, 2.0 * size, set, can));
    const bool twice = (can[0] || !good[0]) && (can[1] || !good[1]);
    if (!twice) LEVY_TRY(wishes_sides(w, shift, 0.5 * size, set, can));
    const bool both[2] = {good[0] && can[0], good[1] && can[1]};
    wishes_slope(other, set, both, twice ? 2.0 * h : 0.5 * h);
    *probe = twice ? (aside ? LEVY_PROBE_TWICE_ASIDE : LEVY_PROBE_TWICE)
                   : (aside ? LEVY_PROBE_HALF_ASIDE : LEVY_PROBE_HALF);
    if (!both[0] && !both[1]) *probe = 0;
    return LEVY_OK;
}

/* Of a shift by `size`; h is what the value is per. */
static levy_status wishes_central(levy_wishes *w, uint32_t measure, const char *label, levy_shift shift, double size, double h)
{
    levy_wish wish = {.measure = measure, .curve = shift.curve, .node = shift.node}, other = wish;
    uint32_t set[2], probe = 0;
    bool good[2];
    LEVY_TRY(wishes_sides(w, shift, size, set, good));
    wishes_slope(&wish, set, good, h);
    if (good[0] || good[1]) LEVY_TRY(wishes_slope_probe(w, shift, size, h, good, &other, &probe));
    return wishes_add_probed(w, label, wish, other, probe);
}

/* ---- Spots ---- */

/* share times the first or second difference by `multiple` bumps, added to the wish; the middle is the last term. */
static levy_status wishes_add_difference(levy_wishes *w, levy_shift shift, double bump, double multiple, double share,
                                         bool second, levy_wish *wish)
{
    const double h = multiple * bump * shift.asset->spot, weight = share / (second ? h * h : 2.0 * h);
    const uint32_t at = wish->n_terms;
    for (uint32_t i = 0; i < 2; ++i) {
        shift.size = i ? -multiple * bump : multiple * bump;
        LEVY_TRY(wishes_set(w, &shift, 1, &wish->set[at + i]));
        wish->weight[at + i] = i && !second ? -weight : weight;
    }
    wish->n_terms = at + 2;
    if (second) wish->weight[LEVY_OUTPUT_TERMS - 1] -= 2.0 * weight;
    return LEVY_OK;
}

/* The middle's weight, gathered in the last place, becomes a term: set 0. */
static void wishes_close(levy_wish *wish, bool second)
{
    const double middle = wish->weight[LEVY_OUTPUT_TERMS - 1];
    wish->weight[LEVY_OUTPUT_TERMS - 1] = 0.0;
    if (second) wish->weight[wish->n_terms++] = middle;
}

/* Differences by h and m h, extrapolated to no bump: (m^2 D(h) - D(m h)) / (m^2 - 1). m = 1: D(h) alone. */
static levy_status wishes_extrapolate(levy_wishes *w, levy_shift shift, double bump, double m, bool second, levy_wish *wish)
{
    const double rest = m * m - 1.0;
    if (rest == 0.0) {
        LEVY_TRY(wishes_add_difference(w, shift, bump, 1.0, 1.0, second, wish));
    } else {
        LEVY_TRY(wishes_add_difference(w, shift, bump, 1.0, m * m / rest, second, wish));
        LEVY_TRY(wishes_add_difference(w, shift, bump, m, -1.0 / rest, second, wish));
    }
    wishes_close(wish, second);
    return LEVY_OK;
}

/* By the rule: extrapolated, at the cost of a set more per side, which delta and gamma share. By a user's bump: not. */
static levy_status wishes_spot_by(levy_wishes *w, const levy_asset *asset, double given, uint32_t measure)
{
    const levy_shift shift = {.factor = LEVY_SHIFT_SPOT, .relative = true, .asset = asset, .node = SIZE_MAX};
    const char *const label = levy_arena_format(w->kept, "%s.spot", asset->name);
    const bool second = measure == LEVY_MEASURE_GAMMA;
    levy_wish wish = {.measure = measure}, other = wish;
    if (given > 0.0) {
        const double other_bump = 2.0 * given < wishes_most_relative ? 2.0 * given : 0.5 * given;
        LEVY_TRY(wishes_extrapolate(w, shift, given, 1.0, second, &wish));
        LEVY_TRY(wishes_extrapolate(w, shift, other_bump, 1.0, second, &other));
        return wishes_add_probed(w, label, wish, other, other_bump > given ? LEVY_PROBE_TWICE : LEVY_PROBE_HALF);
    }
    const double bump = levy_bump_spot(w->markets, wishes_simulation(w), w->classes[w->now], asset);
    LEVY_TRY(wishes_extrapolate(w, shift, bump, 2.0, second, &wish));
    LEVY_TRY(wishes_extrapolate(w, shift, bump, 3.0, second, &other));
    return wishes_add_probed(w, label, wish, other, LEVY_PROBE_EXTRAPOLATED);
}

static levy_status wishes_spot(levy_wishes *w, size_t u, uint32_t measures)
{
    const levy_simulation *const s = wishes_simulation(w);
    const levy_asset *const asset = wishes_asset(w, u);
    if (measures & LEVY_MEASURE_DELTA) LEVY_TRY(wishes_spot_by(w, asset, s->spot_bump, LEVY_MEASURE_DELTA));
    if (measures & LEVY_MEASURE_GAMMA) LEVY_TRY(wishes_spot_by(w, asset, s->gamma_bump, LEVY_MEASURE_GAMMA));
    return LEVY_OK;
}

static levy_status wishes_cross(levy_wishes *w, const levy_asset *const assets[2], const double h[2], levy_wish *wish)
{
    const double weight = 0.25 / (h[0] * assets[0]->spot * h[1] * assets[1]->spot);
    wish->n_terms = 4;
    for (int i = 0; i < 4; ++i) {
        const levy_shift shifts[2] = {{.factor = LEVY_SHIFT_SPOT, .relative = true, .size = i & 2 ? -h[0] : h[0],
                                       .asset = assets[0], .node = SIZE_MAX},
                                      {.factor = LEVY_SHIFT_SPOT, .relative = true, .size = i & 1 ? -h[1] : h[1],
                                       .asset = assets[1], .node = SIZE_MAX}};
        LEVY_TRY(wishes_set(w, shifts, 2, &wish->set[i]));
        wish->weight[i] = i == 0 || i == 3 ? weight : -weight;
    }
    return LEVY_OK;
}

static levy_status wishes_cross_gamma(levy_wishes *w, size_t u, size_t v)
{
    const levy_simulation *const s = wishes_simulation(w);
    const levy_asset *const assets[2] = {wishes_asset(w, u), wishes_asset(w, v)};
    const double h[2] = {levy_bump_cross(w->markets, s, w->classes[w->now], assets[0]),
                         levy_bump_cross(w->markets, s, w->classes[w->now], assets[1])};
    const bool twice = 2.0 * h[0] < wishes_most_relative && 2.0 * h[1] < wishes_most_relative;
    const double wider[2] = {twice ? 2.0 * h[0] : 0.5 * h[0], twice ? 2.0 * h[1] : 0.5 * h[1]};
    levy_wish wish = {.measure = LEVY_MEASURE_CROSS_GAMMA}, other = wish;
    LEVY_TRY(wishes_cross(w, assets, h, &wish));
    LEVY_TRY(wishes_cross(w, assets, wider, &other));
    return wishes_add_probed(w, levy_arena_format(w->kept, "%s.spot,%s.spot", assets[0]->name, assets[1]->name), wish,
                             other, twice ? LEVY_PROBE_TWICE : LEVY_PROBE_HALF);
}

/* ---- Correlations, volatilities, rates ---- */

static levy_status wishes_correlation(levy_wishes *w, size_t u, size_t v)
{
    const levy_asset *const one = wishes_asset(w, u), *const other = wishes_asset(w, v);
    const double h = levy_bump_correlation(wishes_simulation(w), w->classes[w->now]);
    const levy_shift shift = {.factor = LEVY_SHIFT_CORRELATION, .asset = one, .other = other, .node = SIZE_MAX};
    return wishes_central(w, LEVY_MEASURE_CORRELATION, levy_arena_format(w->kept, "%s.spot,%s.spot", one->name, other->name),
                          shift, h, h);
}

/* "SPX.volatility[2027-11-20]": a node by its date, or by its years where the book has no dates. */
static const char *wishes_node_label(levy_wishes *w, const char *name, const char *what, double time)
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
    const double h = levy_bump_volatility(w->markets, wishes_simulation(w), w->classes[w->now], asset);
    const double expiry = w->group->times[w->group->n_nodes - 1];
    levy_shift shift = {.factor = LEVY_SHIFT_VOLATILITY, .asset = asset, .node = SIZE_MAX};
    if (!by_node || asset->n_volatility == 1)
        return wishes_central(w, by_node ? LEVY_MEASURE_VEGA_BY_NODE : LEVY_MEASURE_VEGA,
                              levy_arena_format(w->kept, "%s.volatility", asset->name), shift, h, h);
    for (shift.node = 0; shift.node < asset->n_volatility; ++shift.node) {
        const double time = asset->volatility_times[shift.node];
        if (shift.node > 0 && asset->volatility_times[shift.node - 1] >= expiry) break; /* later nodes matter to none */
        LEVY_TRY(wishes_central(w, LEVY_MEASURE_VEGA_BY_NODE, wishes_node_label(w, asset->name, "volatility", time), shift,
                                h, h));
    }
    return LEVY_OK;
}

/* Whether a trade discounts on a curve, or an underlying of it grows at it. */
static bool wishes_uses(const levy_wishes *w, const levy_trade *trade, const levy_curve *curve)
{
    bool uses = trade->discount_curve == curve;
    for (size_t u = 0; u < w->markets->n_assets; ++u) uses = uses || wishes_asset(w, u)->curve == curve;
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
    return wishes_central(w, LEVY_MEASURE_RHO, levy_arena_format(w->kept, "%s.rate", w->markets->trade->currency),
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
        return wishes_central(w, LEVY_MEASURE_RHO_BY_NODE, levy_arena_format(w->kept, "%s.rate", curve->name), shift, h, h);
    for (shift.node = 0; shift.node < curve->n; ++shift.node) {
        if (shift.node > 0 && curve->times[shift.node - 1] >= horizon) break;
        LEVY_TRY(wishes_central(w, LEVY_MEASURE_RHO_BY_NODE,
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
        for (size_t v = 0; v < u; ++v) seen = seen || wishes_asset(w, v)->curve == wishes_asset(w, u)->curve;
        if (!seen) LEVY_TRY(wishes_rho_of(w, wishes_asset(w, u)->curve));
    }
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const levy_curve *const curve = wishes_trade(w, t)->discount_curve;
        bool seen = false;
        for (size_t u = 0; u < w->markets->n_assets; ++u) seen = seen || wishes_asset(w, u)->curve == curve;
        for (size_t o = first; o < w->n; ++o)
            seen = seen || (w->wishes[o].measure == LEVY_MEASURE_RHO_BY_NODE && w->wishes[o].curve == curve);
        if (!seen) LEVY_TRY(wishes_rho_of(w, curve));
    }
    return LEVY_OK;
}

/* ---- What is no difference by a bump ---- */

static levy_status wishes_shared(levy_wishes *w, uint32_t measure, const char *label, levy_wish wish)
{
    wish.measure = measure;
    wish.of = LEVY_WISH_ANY;
    LEVY_TRY(wishes_label(w, label, &wish.label));
    return wishes_add(w, wish);
}

static levy_status wishes_theta(levy_wishes *w)
{
    const double days = wishes_simulation(w)->theta_days;
    levy_wish wish = {.n_terms = 2, .weight = {1.0 / days, -1.0 / days}};
    LEVY_TRY(levy_markets_add_set(w->markets, w->arena, (levy_market_set){0, NULL, days / 365.0}, &wish.set[0]));
    return wishes_shared(w, LEVY_MEASURE_THETA, levy_arena_format(w->kept, "time"), wish);
}

/* The difference first: its sets are those of the price and one more. */
static levy_status wishes_scenario(levy_wishes *w, const levy_scenario *scenario)
{
    levy_wish wish = {.of = LEVY_WISH_ANY};
    uint32_t set;
    LEVY_TRY(levy_markets_add_set(w->markets, w->arena, (levy_market_set){scenario->n_shifts, scenario->shifts, 0.0}, &set));
    LEVY_TRY(wishes_label(w, levy_arena_format(w->kept, "%s", scenario->id), &wish.label));
    wish.measure = LEVY_MEASURE_SCENARIO_PNL;
    wish.n_terms = 2;
    wish.set[0] = set;
    wish.weight[0] = 1.0;
    wish.weight[1] = -1.0;
    LEVY_TRY(wishes_add(w, wish));
    wish.measure = LEVY_MEASURE_SCENARIO_PRICE;
    wish.n_terms = 1;
    return wishes_add(w, wish);
}

/* ---- The whole ---- */

static const uint32_t wishes_bumped = LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA |
                                      LEVY_MEASURE_VEGA | LEVY_MEASURE_VEGA_BY_NODE | LEVY_MEASURE_RHO |
                                      LEVY_MEASURE_RHO_BY_NODE | LEVY_MEASURE_CORRELATION;

static bool wishes_same_class(const levy_bump_class *a, const levy_bump_class *b)
{
    return a->rough == b->rough && a->restless == b->restless && a->nearest == b->nearest;
}

static levy_status wishes_classify(levy_wishes *w, size_t t)
{
    const levy_bump_class of = levy_bump_class_of(w->markets, wishes_simulation(w), wishes_trade(w, t));
    size_t i = 0;
    while (i < w->n_classes && !wishes_same_class(&w->classes[i], &of)) ++i;
    w->class_of[t] = (uint32_t)i;
    if (i < w->n_classes) return LEVY_OK;
    levy_bump_class *const classes =
        levy_wishes_room(w->arena, w->classes, sizeof *classes, w->n_classes, &w->class_room);
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
        w->class_of[t] = LEVY_WISH_ANY;
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
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CROSS_GAMMA; ++v) LEVY_TRY(wishes_cross_gamma(w, u, v));
    return LEVY_OK;
}

static levy_status wishes_moved(levy_wishes *w, uint32_t measures)
{
    const size_t n = w->markets->n_assets;
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_VEGA; ++u) LEVY_TRY(wishes_vega(w, u, false));
    if (measures & LEVY_MEASURE_RHO) LEVY_TRY(wishes_rho(w));
    for (size_t u = 0; u < n && measures & LEVY_MEASURE_VEGA_BY_NODE; ++u) LEVY_TRY(wishes_vega(w, u, true));
    if (measures & LEVY_MEASURE_RHO_BY_NODE) LEVY_TRY(wishes_rho_by_node(w));
    for (size_t u = 0; u < n; ++u)
        for (size_t v = u + 1; v < n && measures & LEVY_MEASURE_CORRELATION; ++v) LEVY_TRY(wishes_correlation(w, u, v));
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
    for (size_t i = 0; i < w->problem->n_scenarios; ++i) LEVY_TRY(wishes_scenario(w, &w->problem->scenarios[i]));
    for (size_t i = 0; i < w->n_probes; ++i) LEVY_TRY(wishes_add(w, w->probes[i]));
    return LEVY_OK;
}

bool levy_wishes_wanted(const levy_wishes *w, size_t t, const levy_wish *wish)
{
    const levy_trade *const trade = wishes_trade(w, t);
    if (!(wish->measure & wishes_measures(w, trade))) return false;
    if (wish->of != LEVY_WISH_ANY && wish->of != w->class_of[t]) return false;
    if (!wish->curve) return true;
    return wishes_uses(w, trade, wish->curve) && wishes_reaches(trade, wish->curve, wish->node);
}
