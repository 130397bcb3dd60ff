/* differences.c: see differences.h. */
#include "engine/plan/differences.h"

#include "engine/market/factor.h"

#include <string.h>

/* A doubled bump that moves a spot by more than this is halved instead. */
static const double requests_most_relative = 0.9;

/* The bump of a rate that discounts until a year, or its part until later dates. */
static const double requests_discount_bump = 1e-3;

/* ---- Lists ---- */

const char *levy_requests_name(levy_requests *w, const char *owner, int32_t factor)
{
    return levy_arena_format(w->kept, "%s.%s", owner, levy_factors[factor].name);
}

const char *levy_requests_pair(levy_requests *w, const levy_asset *asset, const char *factor,
                               const levy_asset *other, const char *its)
{
    if (levy_asset_quoted(other) < levy_asset_quoted(asset))
        return levy_requests_pair(w, other, its, asset, factor);
    return levy_arena_format(w->kept, "%s.%s,%s.%s", asset->name, factor, other->name, its);
}

levy_status levy_requests_label(levy_requests *w, const char *label, uint32_t *number)
{
    if (!label || !LEVY_ARENA_GROW(w->kept, w->labels, w->n_labels, w->label_room, 16))
        return LEVY_MEMORY;
    *number = (uint32_t)w->n_labels;
    w->labels[w->n_labels++] = label;
    return LEVY_OK;
}

levy_status levy_requests_add(levy_requests *w, levy_request request)
{
    if (!LEVY_ARENA_GROW(w->arena, w->requests, w->n, w->room, 16)) return LEVY_MEMORY;
    w->requests[w->n++] = request;
    return LEVY_OK;
}

static levy_status requests_add_probe(levy_requests *w, levy_request request, uint32_t probe)
{
    if (!LEVY_ARENA_GROW(w->arena, w->probes, w->n_probes, w->probe_room, 16)) return LEVY_MEMORY;
    w->probes[w->n_probes] = request;
    w->probes[w->n_probes++].probe = probe;
    return LEVY_OK;
}

static bool requests_are_given(const levy_simulation *s)
{
    return s->spot_bump > 0.0 || s->gamma_bump > 0.0 || s->volatility_bump > 0.0 ||
           s->rate_bump > 0.0;
}

/* Whether differences get a probe. One replicate of Sobol points has no standard error that a bias
 * could be added to. A known amount is bumped by so little that its bias does not count, unless the
 * user gives a bump. */
static bool requests_are_probed(const levy_requests *w)
{
    const levy_simulation *const s = &w->problem->simulation;
    if (w->dynamics->group->known) return requests_are_given(s);
    return s->replicates > 1 || !levy_simulation_is_quasi(s);
}

/* Adds a request under a new label, and its probe, which has the terms of `other`. */
static levy_status requests_add_probed(levy_requests *w, const char *label, levy_request request,
                                       levy_request other, uint32_t probe)
{
    LEVY_TRY(levy_requests_label(w, label, &request.label));
    request.of = w->now;
    LEVY_TRY(levy_requests_add(w, request));
    if (!probe || !requests_are_probed(w)) return LEVY_OK;
    if (w->problem->simulation.replicates == 1)
        LEVY_TRY(requests_add_probe(w, request, LEVY_PROBE_SAME));
    memcpy(request.set, other.set, sizeof request.set);
    memcpy(request.weight, other.weight, sizeof request.weight);
    request.n_terms = other.n_terms;
    return requests_add_probe(w, request, probe);
}

/* Those of spots alone are relative. */
static bool requests_same_shift(const levy_shift *a, const levy_shift *b)
{
    return a->factor == b->factor && a->parameter == b->parameter && a->size == b->size &&
           a->of_jumps == b->of_jumps && a->asset == b->asset && a->other == b->other &&
           a->of_variance[0] == b->of_variance[0] && a->of_variance[1] == b->of_variance[1] &&
           a->curve == b->curve && a->node == b->node;
}

/* The set of these shifts. A set of a single shift is made only once. */
static levy_status requests_set(levy_requests *w, const levy_shift *shifts, size_t n, uint32_t *set)
{
    levy_dynamics_plan *const m = w->dynamics;
    for (uint32_t i = 0; n == 1 && i < m->n_sets && i < 64; ++i)
        if (m->sets[i].n_shifts == 1 && !m->sets[i].scenario &&
            requests_same_shift(m->sets[i].shifts, shifts)) {
            *set = i;
            return LEVY_OK;
        }
    levy_shift *const kept = levy_arena_allocate(w->arena, n, sizeof *kept);
    if (!kept) return LEVY_MEMORY;
    memcpy(kept, shifts, n * sizeof *kept);
    return levy_dynamics_add_set(m, w->arena, (levy_moved){.n_shifts = n, .shifts = kept}, set);
}

/* ---- First differences ---- */

/* The two sets of a shift by `size`, up and down, and whether each is a valid market. */
static levy_status requests_sides(levy_requests *w, levy_shift shift, double size, uint32_t set[2],
                                  bool good[2])
{
    for (int i = 0; i < 2; ++i) {
        shift.size = i ? -size : size;
        LEVY_TRY(requests_set(w, &shift, 1, &set[i]));
        LEVY_TRY(levy_dynamics_check(w->dynamics, set[i], w->arena, &good[i]));
    }
    return LEVY_OK;
}

/* (up - down) / 2h. Today's market stands in for a side that is not a valid market. */
static void requests_slope(levy_request *request, const uint32_t set[2], const bool good[2],
                           double h)
{
    const bool central = good[0] && good[1];
    const double sides = central ? 1.0 : 2.0;
    request->n_terms = 2;
    for (int i = 0; i < 2; ++i) {
        request->set[i] = good[i] ? set[i] : 0;
        request->weight[i] = (i ? -0.5 : 0.5) / h * sides;
    }
    if (!central)
        request->remarks = good[0] || good[1] ? LEVY_OUTPUT_ONE_SIDED : LEVY_OUTPUT_NOT_BUMPED;
}

/* Makes the same difference by twice the bump or, if that is not a valid market, by half of it. */
static levy_status requests_slope_probe(levy_requests *w, levy_shift shift, double size, double h,
                                        const bool good[2], levy_request *other, uint32_t *probe)
{
    const bool aside = !(good[0] && good[1]);
    bool can[2];
    uint32_t set[2];
    LEVY_TRY(requests_sides(w, shift, 2.0 * size, set, can));
    const bool twice = (can[0] || !good[0]) && (can[1] || !good[1]);
    if (!twice) LEVY_TRY(requests_sides(w, shift, 0.5 * size, set, can));
    const bool both[2] = {good[0] && can[0], good[1] && can[1]};
    requests_slope(other, set, both, twice ? 2.0 * h : 0.5 * h);
    *probe = twice ? LEVY_PROBE_TWICE : LEVY_PROBE_HALF;
    if (aside) *probe = twice ? LEVY_PROBE_TWICE_ASIDE : LEVY_PROBE_HALF_ASIDE;
    if (!both[0] && !both[1]) *probe = 0;
    return LEVY_OK;
}

/* ---- Extrapolated differences ---- */

/* Adds `share` times the first or second difference by `multiple` bumps to the request. The weight
 * of the middle gathers in the last place. */
static levy_status requests_add_difference(levy_requests *w, levy_shift shift, double bump,
                                           double multiple, double share, bool second,
                                           levy_request *request)
{
    const double h = multiple * bump * (shift.relative ? shift.asset->spot : 1.0),
                 weight = share / (second ? h * h : 2.0 * h);
    const uint32_t at = request->n_terms;
    for (uint32_t i = 0; i < 2; ++i) {
        shift.size = i ? -multiple * bump : multiple * bump;
        LEVY_TRY(requests_set(w, &shift, 1, &request->set[at + i]));
        request->weight[at + i] = i && !second ? -weight : weight;
    }
    request->n_terms = at + 2;
    if (second) request->weight[LEVY_OUTPUT_TERMS - 1] -= 2.0 * weight;
    return LEVY_OK;
}

/* Makes the middle's weight, gathered in the last place, a term on set 0. */
static void requests_close(levy_request *request, bool second)
{
    const double middle = request->weight[LEVY_OUTPUT_TERMS - 1];
    request->weight[LEVY_OUTPUT_TERMS - 1] = 0.0;
    if (second) request->weight[request->n_terms++] = middle;
}

/* Differences by h and m h, extrapolated to no bump: (m^2 D(h) - D(m h)) / (m^2 - 1). m = 1: D(h)
 * alone. */
static levy_status requests_extrapolate(levy_requests *w, levy_shift shift, double bump, double m,
                                        bool second, levy_request *request)
{
    const double rest = m * m - 1.0;
    if (rest == 0.0) {
        LEVY_TRY(requests_add_difference(w, shift, bump, 1.0, 1.0, second, request));
    } else {
        LEVY_TRY(requests_add_difference(w, shift, bump, 1.0, m * m / rest, second, request));
        LEVY_TRY(requests_add_difference(w, shift, bump, m, -1.0 / rest, second, request));
    }
    requests_close(request, second);
    return LEVY_OK;
}

/* Whether nothing is left to chance, so that a shift of a rate moves discounting alone. The bump of
 * the user holds. */
static bool requests_discounts(const levy_requests *w, const levy_shift *shift)
{
    return levy_group_is_still(w->group) && !w->group->early && shift->factor == LEVY_SHIFT_RATE &&
           !(w->problem->simulation.rate_bump > 0.0);
}

/* A discount factor is so smooth in the rate that little but rounding is left of the bias. */
static levy_status requests_discount(levy_requests *w, const char *label, levy_shift shift,
                                     levy_request request)
{
    double horizon = 1.0;
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const double own = w->problem->trades[w->group->trades[t]].claim.payment_time;
        if (own > horizon) horizon = own;
    }
    LEVY_TRY(
        requests_extrapolate(w, shift, requests_discount_bump / horizon, 2.0, false, &request));
    return requests_add_probed(w, label, request, request, 0);
}

/* Whether prices are found without paths, which leaves hardly a bias of two bumps of a volatility;
 * rates may bend them. The bump of the user holds. */
static bool requests_is_smooth(const levy_requests *w, const levy_shift *shift)
{
    return w->group->early && shift->factor == LEVY_SHIFT_VOLATILITY && !shift->relative &&
           !(w->problem->simulation.volatility_bump > 0.0);
}

/* The difference by a shift, and the one of its probe; *probe 0: it has none. */
static levy_status requests_slopes(levy_requests *w, levy_shift shift, double size, double h,
                                   levy_request *request, levy_request *other, uint32_t *probe)
{
    uint32_t set[2];
    bool good[2];
    *probe = 0;
    LEVY_TRY(requests_sides(w, shift, size, set, good));
    requests_slope(request, set, good, h);
    return good[0] || good[1] ? requests_slope_probe(w, shift, size, h, good, other, probe)
                              : LEVY_OK;
}

levy_status levy_requests_central(levy_requests *w, uint32_t measure, const char *label,
                                  levy_shift shift, double size, double h)
{
    levy_request request = {.measure = measure, .curve = shift.curve, .node = shift.node},
                 other = request;
    uint32_t probe;
    if (requests_discounts(w, &shift)) return requests_discount(w, label, shift, request);
    if (requests_is_smooth(w, &shift)) {
        LEVY_TRY(requests_extrapolate(w, shift, size, 2.0, false, &request));
        return requests_add_probed(w, label, request, request, 0);
    }
    LEVY_TRY(requests_slopes(w, shift, size, h, &request, &other, &probe));
    return requests_add_probed(w, label, request, other, probe);
}

/* ---- Spots ---- */

static levy_shift requests_spot_shift(const levy_asset *asset)
{
    return (levy_shift){
        .factor = LEVY_SHIFT_SPOT, .relative = true, .asset = asset, .node = SIZE_MAX};
}

/* Delta or gamma, and the difference of its probe. */
static levy_status requests_spots(levy_requests *w, const levy_asset *asset, bool second,
                                  double given, double bump, levy_request *request,
                                  levy_request *other, uint32_t *probe)
{
    const levy_shift shift = requests_spot_shift(asset);
    if (given > 0.0) {
        const double other_bump = 2.0 * given < requests_most_relative ? 2.0 * given : 0.5 * given;
        *probe = other_bump > given ? LEVY_PROBE_TWICE : LEVY_PROBE_HALF;
        LEVY_TRY(requests_extrapolate(w, shift, given, 1.0, second, request));
        return requests_extrapolate(w, shift, other_bump, 1.0, second, other);
    }
    *probe = LEVY_PROBE_EXTRAPOLATED;
    LEVY_TRY(requests_extrapolate(w, shift, bump, 2.0, second, request));
    return requests_extrapolate(w, shift, bump, 3.0, second, other);
}

levy_status levy_requests_spot(levy_requests *w, uint32_t measure, const levy_asset *asset,
                               double given, double bump)
{
    levy_request request = {.measure = measure}, other = request;
    uint32_t probe;
    LEVY_TRY(requests_spots(w, asset, measure == LEVY_MEASURE_GAMMA, given, bump, &request, &other,
                            &probe));
    return requests_add_probed(w, levy_requests_name(w, asset->name, LEVY_SHIFT_SPOT), request,
                               other, probe);
}

/* Adds the terms of another request, `weight` times. */
static levy_request requests_plus(levy_request request, const levy_request *other, double weight)
{
    for (uint32_t k = 0; k < other->n_terms; ++k, ++request.n_terms) {
        request.set[request.n_terms] = other->set[k];
        request.weight[request.n_terms] = weight * other->weight[k];
    }
    request.remarks |= other->remarks;
    return request;
}

/* The two parts have biases of their own, and so probes of their own. */
levy_status levy_requests_hedge(levy_requests *w, const levy_asset *asset, double given,
                                double bump, levy_shift shift, double h, double weight)
{
    levy_request delta = {.measure = LEVY_MEASURE_DELTA_MINIMUM_VARIANCE}, further = delta,
                 slope = delta, other = delta;
    uint32_t probes[2];
    LEVY_TRY(requests_spots(w, asset, false, given, bump, &delta, &further, &probes[0]));
    LEVY_TRY(requests_slopes(w, shift, h, h, &slope, &other, &probes[1]));
    LEVY_TRY(requests_add_probed(w, levy_requests_name(w, asset->name, LEVY_SHIFT_SPOT),
                                 requests_plus(delta, &slope, weight),
                                 requests_plus(further, &slope, weight), probes[0]));
    if (!probes[1] || !requests_are_probed(w)) return LEVY_OK;
    other = requests_plus(delta, &other, weight);
    other.label = w->requests[w->n - 1].label;
    other.of = w->now;
    return requests_add_probe(w, other, probes[1]);
}

/* Makes the mixed second difference of two shifts, each by `factors` times its h. `weight` is that
 * of factors 1. Moved spots are always a valid market. */
static levy_status requests_mixed(levy_requests *w, const levy_shift shifts[2], const double h[2],
                                  double weight, const double factors[2], levy_request *request)
{
    const double share = weight / (factors[0] * factors[1]);
    const bool spots = shifts[1].factor == LEVY_SHIFT_SPOT;
    request->n_terms = 4;
    request->remarks = 0;
    for (int i = 0; i < 4; ++i) {
        levy_shift moved[2] = {shifts[0], shifts[1]};
        bool good = true;
        moved[0].size = i & 2 ? -factors[0] * h[0] : factors[0] * h[0];
        moved[1].size = i & 1 ? -factors[1] * h[1] : factors[1] * h[1];
        LEVY_TRY(requests_set(w, moved, 2, &request->set[i]));
        if (!spots) LEVY_TRY(levy_dynamics_check(w->dynamics, request->set[i], w->arena, &good));
        request->weight[i] = i == 0 || i == 3 ? share : -share;
        if (!good) request->remarks = LEVY_OUTPUT_NOT_BUMPED;
    }
    if (!request->remarks) return LEVY_OK;
    for (int i = 0; i < 4; ++i) request->set[i] = 0;
    return LEVY_OK;
}

/* Makes the same difference by twice the bump of one shift or, if that is not a valid market, by
 * half of it. */
static levy_status requests_mixed_probe(levy_requests *w, const levy_shift shifts[2],
                                        const double h[2], double weight, int of,
                                        levy_request *other, uint32_t *probe)
{
    double factors[2] = {1.0, 1.0};
    other->remarks = LEVY_OUTPUT_NOT_BUMPED;
    factors[of] = 2.0;
    *probe = LEVY_PROBE_TWICE;
    if (!shifts[of].relative || 2.0 * h[of] < requests_most_relative)
        LEVY_TRY(requests_mixed(w, shifts, h, weight, factors, other));
    if (!other->remarks) return LEVY_OK;
    factors[of] = 0.5;
    *probe = LEVY_PROBE_HALF;
    return requests_mixed(w, shifts, h, weight, factors, other);
}

/* Each shift has its own bias and its own probe: two biases may cancel in a single probe. */
static levy_status requests_add_mixed(levy_requests *w, levy_request request,
                                      const levy_shift shifts[2], const double h[2], double weight)
{
    const levy_shift *const a = &shifts[0], *const b = &shifts[1];
    const char *const of = levy_factors[a->factor].name, *const its = levy_factors[b->factor].name;
    const char *const label = levy_requests_pair(w, a->asset, of, b->asset, its);
    levy_request others[2] = {request, request};
    uint32_t probes[2];
    LEVY_TRY(requests_mixed(w, shifts, h, weight, (const double[]){1.0, 1.0}, &request));
    for (int i = 0; i < 2; ++i)
        LEVY_TRY(requests_mixed_probe(w, shifts, h, weight, i, &others[i], &probes[i]));
    LEVY_TRY(requests_add_probed(w, label, request, others[0], request.remarks ? 0 : probes[0]));
    if (request.remarks || !requests_are_probed(w)) return LEVY_OK;
    others[1].label = w->requests[w->n - 1].label;
    others[1].of = w->now;
    return requests_add_probe(w, others[1], probes[1]);
}

static levy_shift requests_volatility_shift(const levy_asset *asset)
{
    return (levy_shift){.factor = LEVY_SHIFT_VOLATILITY, .asset = asset, .node = SIZE_MAX};
}

levy_status levy_requests_vanna(levy_requests *w, const levy_asset *asset, double spot,
                                double volatility)
{
    const levy_shift shifts[2] = {requests_spot_shift(asset), requests_volatility_shift(asset)};
    return requests_add_mixed(w, (levy_request){.measure = LEVY_MEASURE_VANNA}, shifts,
                              (const double[]){spot, volatility},
                              0.25 / (spot * asset->spot * volatility));
}

/* The second difference by the volatility; NOT_BUMPED if a side is not a valid market. */
static levy_status requests_second(levy_requests *w, levy_shift shift, double h,
                                   levy_request *request)
{
    uint32_t set[2];
    bool good[2];
    LEVY_TRY(requests_sides(w, shift, h, set, good));
    request->n_terms = 3;
    request->remarks = good[0] && good[1] ? 0 : LEVY_OUTPUT_NOT_BUMPED;
    for (int i = 0; i < 2; ++i) {
        request->set[i] = request->remarks ? 0 : set[i];
        request->weight[i] = 1.0 / (h * h);
    }
    request->set[2] = 0;
    request->weight[2] = -2.0 / (h * h);
    return LEVY_OK;
}

levy_status levy_requests_volga(levy_requests *w, const levy_asset *asset, double h)
{
    const levy_shift shift = requests_volatility_shift(asset);
    const char *const label = levy_requests_name(w, asset->name, shift.factor);
    levy_request request = {.measure = LEVY_MEASURE_VOLGA}, other = request;
    uint32_t probe = LEVY_PROBE_TWICE;
    LEVY_TRY(requests_second(w, shift, h, &request));
    LEVY_TRY(requests_second(w, shift, 2.0 * h, &other));
    if (other.remarks) {
        LEVY_TRY(requests_second(w, shift, 0.5 * h, &other));
        probe = LEVY_PROBE_HALF;
    }
    return requests_add_probed(w, label, request, other, request.remarks ? 0 : probe);
}

levy_status levy_requests_cross(levy_requests *w, const levy_asset *const assets[2],
                                const double h[2])
{
    const levy_shift shifts[2] = {requests_spot_shift(assets[0]), requests_spot_shift(assets[1])};
    return requests_add_mixed(w, (levy_request){.measure = LEVY_MEASURE_CROSS_GAMMA}, shifts, h,
                              0.25 / (h[0] * assets[0]->spot * h[1] * assets[1]->spot));
}
