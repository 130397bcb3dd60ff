/* item_terms.c: see item_terms.h. A payoff's kind fills its numbers (payoffs/payoff.h); its lane
 * header describes each. Must not know: kinds. */
#include "engine/plan/item_terms.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/payoff_lanes.h"
#include "payoffs/scripted.h"
#include "payoffs/shared.h"

#include <string.h>

/* ---- Level ---- */

/* Fills the coefficients of the gross returns. Returns the unit in which the item works. */
static double terms_coefficients(const levy_trade *t, const double *spots, double *c)
{
    double log_scale = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double level = t->claim.coefficients[u] * spots[u];
        c[u] = t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC ? t->claim.weights[u] : level;
        if (t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC)
            log_scale += t->claim.weights[u] * levy_log(level);
    }
    if (t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC) return levy_exp(log_scale);
    if (t->kind.aggregate != LEVY_AGGREGATE_NONE) return 1.0;
    const double scale = c[0];
    c[0] = 1.0;
    return scale;
}

double levy_item_today(const levy_trade *t, const double *c)
{
    double x = c[0];
    if (t->kind.aggregate == LEVY_AGGREGATE_NONE || t->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC)
        return 1.0;
    for (size_t u = 1; u < t->n_underlyings; ++u) {
        const bool wins = (t->kind.aggregate == LEVY_AGGREGATE_BEST_OF) == (c[u] > x);
        const double one = wins ? c[u] : x;
        x = t->kind.aggregate == LEVY_AGGREGATE_BASKET ? x + c[u] : one;
    }
    return x;
}

/* ---- Numbers ---- */

bool levy_item_is_return(const levy_trade *t)
{
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    return kind->is_return && kind->is_return(t->claim.terms);
}

const levy_script_program *levy_item_program(const levy_trade *t, const levy_script_view *view,
                                             const levy_image_item *item)
{
    const levy_payoff *const lanes = levy_payoffs[item->kind];
    const levy_claim claim = levy_claim_viewed(t, view);
    return lanes->program ? lanes->program(&claim) : NULL;
}

/* How many numbers of its own the item has. */
static void terms_count(const levy_trade *t, const levy_script_view *view, levy_image_item *item)
{
    const levy_payoff *const lanes = levy_payoffs[item->kind];
    const levy_script_program *const program = levy_item_program(t, view, item);
    item->n_constants = program ? program->n_constants : 0;
    item->n_node_terms = lanes->n_node_terms ? lanes->n_node_terms(item->variant) : 0;
    if (!program) return;
    item->n_node_terms = program->n_terms;
    item->traits |= (uint32_t)LEVY_ITEM_SCRIPT;
}

/* Whether items that start alike carry the same numbers, as integrated averages do. */
static bool terms_share(const levy_trade *t)
{
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    return levy_payoffs[kind->lanes]->shares &&
           (!levy_trade_is_integrated(t) || kind->features & LEVY_PAYOFF_AVERAGES);
}

void levy_item_terms(const levy_trade *t, const levy_script_view *view, levy_item_market market,
                     levy_claim_unit *unit, levy_image_item *item, double *terms,
                     double *coefficients)
{
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    levy_claim claim = levy_claim_viewed(t, view);
    const double scale = terms_coefficients(t, market.spots, coefficients);
    *unit = (levy_claim_unit){scale, unit->log_unit, levy_item_today(t, coefficients)};
    levy_claim_numbers numbers = {0, terms};
    terms[ITEM_SIGN] = t->claim.terms->option_type == LEVY_CALL ? 1.0 : -1.0;
    /* NaN: the book gives no strike, and the payoff needs none */
    terms[ITEM_STRIKE] =
        t->claim.terms->strike == t->claim.terms->strike ? t->claim.terms->strike / scale : 0.0;
    if (kind->numbers) kind->numbers(&claim, unit, &numbers);
    claim.deviation = market.deviation;
    if (levy_trade_is_integrated(t) && kind->integrate) kind->integrate(&claim, unit, &numbers);
    item->kind = (uint32_t)kind->lanes;
    item->variant = numbers.variant;
    item->aggregate = (uint32_t)t->kind.aggregate;
    item->scale = (levy_item_is_return(t) ? 1.0 : scale) * market.discount;
    item->traits = (payoff_is_plain(item->kind, item->variant) ? 0u : (uint32_t)LEVY_ITEM_LONG) |
                   (terms_share(t) ? (uint32_t)LEVY_ITEM_SHARES : 0u);
    terms_count(t, view, item);
}

void levy_item_integral(double loading, double log_unit, double *terms)
{
    terms[INTEGRAL_LOADING] = loading;
    terms[INTEGRAL_INVERSE] = levy_integral_inverse(loading, log_unit);
    terms[INTEGRAL_GROWTH] = levy_exp(0.5 * loading * loading);
}

void levy_item_become_put(const levy_trade *t, double *terms)
{
    terms[ITEM_SIGN] = -1.0;
    if (levy_payoffs[t->kind.payoff]->is_forward) terms[ITEM_STRIKE] = -1e300; /* it pays nothing */
}

/* Runs a script whose dates to come are all at expiry: what it pays there, undiscounted, or counts
 * in a state, and a number that shows how it decides. */
static double terms_settle(const levy_trade *t, uint32_t state, double level, uint64_t *decided)
{
    const levy_scripted *const s = t->kind.scripted;
    const levy_script_program *const p = s->script.program;
    double states[LEVY_SCRIPT_STATES];
    *decided = 0;
    memcpy(states, s->states, p->n_states * sizeof *states);
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const levy_script_dates *const dates = &s->dates[LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule];
        const levy_script_date date = {.number = dates->n_past + dates->has_today,
                                       .time = t->claim.expiry,
                                       .worth = 1.0,
                                       .due = 1.0,
                                       .ends = 1.0,
                                       .weights = &level};
        if (date.number >= dates->n) continue;
        *decided = *decided * 31 + levy_scripted_run(s, k, &date, &level, states);
    }
    return states[state];
}

double levy_item_bend(const levy_trade *t, double level)
{
    static const double near = 0.005; /* farther than the search for the level leaves it */
    const uint32_t state = t->kind.scripted->settles;
    uint64_t decided;
    const double up = terms_settle(t, state, level * (1.0 + near), &decided),
                 down = terms_settle(t, state, level * (1.0 - near), &decided),
                 middle = terms_settle(t, state, level, &decided);
    return fabs(up - 2.0 * middle + down) / (near * level);
}

double levy_item_jump(const levy_trade *t)
{
    const levy_claim claim = levy_claim_of(t);
    const levy_edges edges = levy_trade_edges(t);
    double sum = 0.0;
    if (levy_trade_is_integrated(t) || t->state == LEVY_TRADE_KNOWN || levy_trade_is_continuous(t))
        return 0.0;
    for (size_t i = 0; i < edges.n; ++i)
        if (edges.each[i].jumps) sum += edges.each[i].size(&claim, edges.each[i].level);
    return sum;
}

/* ---- Numbers by node ---- */

const levy_payoff *levy_item_lanes(const levy_image_item *item)
{
    return item->kind < LEVY_PAYOFF_COUNT ? levy_payoffs[item->kind] : NULL;
}

static double terms_discount(const levy_asset_dynamics *m, double time)
{
    return levy_curve_log_discount(m->discount_curve, time > m->elapsed ? time : m->elapsed);
}

/* Rates stay at their dates, so the day that theta lets pass keeps its own rate. */
static double terms_discount_at(const void *market, double time)
{
    const levy_asset_dynamics *const m = market;
    return levy_curve_log_discount(m->discount_curve, time > 0.0 ? time : 0.0);
}

static double terms_forward_at(const void *market, double time)
{
    const levy_asset_dynamics *const m = market;
    return levy_curve_log_discount(m->forward_curve, time);
}

static double terms_variance_at(const void *market, size_t underlying, double time)
{
    const levy_asset_dynamics *const m = market;
    return levy_asset_variance(&m->assets[underlying], time);
}

/* Finds the schedules of a trade that contain a node. */
static void terms_events(const levy_trade *t, double time, levy_claim_step *step)
{
    step->time = time;
    step->events = 0;
    for (size_t s = 0; s <= t->kind.n_further; ++s) {
        const levy_times times = levy_trade_schedule(t, s);
        step->number[s] = levy_times_find(&times, time);
        if (step->number[s] < times.n) step->events |= 1u << s;
    }
    const size_t ex = t->kind.n_further + 1;
    if (levy_trade_schedules(t) > ex && levy_trade_observes(t, ex, time)) step->events |= 1u << ex;
}

/* [schedule]: the variances of the underlyings' logarithms since the schedule's last date. */
typedef double terms_variances[LEVY_PAYOFF_SCHEDULES][LEVY_MAX_ASSETS];

static void terms_add_variance(const levy_trade *t, const levy_asset_dynamics *m, size_t node,
                               terms_variances since)
{
    for (size_t s = 0; s <= t->kind.n_further; ++s)
        for (size_t u = 0; u < t->n_underlyings; ++u)
            since[s][u] += m->variances[u * m->n_nodes + node];
}

/* The node is the date before of what follows. */
static void terms_end_dates(const levy_trade *t, uint32_t events, terms_variances since)
{
    for (size_t s = 0; s <= t->kind.n_further; ++s)
        for (size_t u = 0; u < t->n_underlyings && events >> s & 1; ++u) since[s][u] = 0.0;
}

/* Of today alone paths may have ended. */
static bool terms_count_once(const levy_trade *t, const levy_script_view *view)
{
    return view->time == view->time && view->time > 0.0 && !view->bounds &&
           !levy_trade_is_integrated(t) && t->form != LEVY_FORM_SOFTENED;
}

void levy_item_count(const levy_trade *t, const levy_script_view *view, size_t n_nodes,
                     const double *numbers, levy_image_item *item)
{
    const levy_payoff *const lanes = levy_item_lanes(item);
    const double *const node_terms = numbers + item->n_constants;
    const levy_claim claim = levy_claim_viewed(t, view);
    if (!lanes->counts || !terms_count_once(t, view)) return;
    item->traits |= (uint32_t)LEVY_ITEM_COUNTS;
    item->counts_from = (uint32_t)n_nodes;
    item->counts_to = 0;
    for (size_t k = 0; k < n_nodes; ++k) {
        if (!lanes->counts(&claim, node_terms + k * item->n_node_terms)) continue;
        if (item->counts_from == n_nodes) item->counts_from = (uint32_t)k;
        item->counts_to = (uint32_t)k;
    }
}

void levy_item_numbers(const levy_trade *t, const levy_image_item *item,
                       const levy_script_view *view, const double *coefficients,
                       const levy_asset_dynamics *m, double log_unit, double *numbers)
{
    const levy_claim claim = levy_claim_viewed(t, view);
    double *node_terms = numbers + item->n_constants;
    double loadings[LEVY_MAX_ASSETS];
    terms_variances since = {{0.0}};
    const bool asks = t->kind.scripted && t->kind.scripted->script.crosses;
    levy_claim_step step = {
        .loadings = m->loading ? loadings : NULL,
        .last_loading = m->loading ? m->loading[m->n_nodes - 1] : 0.0,
        .weights = coefficients,
        .log_unit = log_unit,
        .to = terms_discount(m, 0.0),
        .paid = terms_discount(m, t->claim.payment_time),
        .market = {terms_discount_at, terms_variance_at, terms_forward_at, m, m->elapsed}};
    for (size_t s = 0; s < LEVY_PAYOFF_SCHEDULES; ++s) step.since[s] = since[s];
    memset(numbers, 0, (item->n_constants + m->n_nodes * item->n_node_terms) * sizeof *numbers);
    if (item->n_constants) levy_item_lanes(item)->constants(&claim, coefficients, &step, numbers);
    if (item->n_node_terms == 0) return;
    for (size_t k = 0; k < m->n_nodes; ++k, node_terms += item->n_node_terms) {
        terms_events(t, m->times[k], &step);
        step.drift = m->drift[k];
        step.variance = m->variance[k];
        step.drop = levy_carry_drop(&m->asset->carry, m->times[k]);
        step.opens = claim.window_start > 0.0 && m->times[k] == claim.window_start;
        for (size_t u = 0; m->loading && u < t->n_underlyings; ++u)
            loadings[u] = m->loading[u * m->n_nodes + k];
        step.added = m->added ? m->added + k * t->n_underlyings : NULL;
        step.from = step.to;
        step.to = terms_discount(m, m->times[k]);
        if (asks) terms_add_variance(t, m, k, since);
        levy_item_lanes(item)->node_terms(&claim, item->variant, &step, node_terms);
        if (asks) terms_end_dates(t, step.events, since);
    }
}
