/* barrier_plan.c: what the kinds with barriers answer a plan: the numbers of their lanes (barrier.h
 * has the formulas and their sources), what a touch changes of a payment, and where the barrier is.
 * Must not know: grids, images. */
#include "payoffs/shared.h"

#include "engine/base/tie.h"
#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/barrier.h"

/* ---- Known levels ---- */

static bool barrier_at_or_above(double level, double barrier)
{
    return level >= barrier || levy_is_tie(level, barrier);
}

static bool barrier_at_or_below(double level, double barrier)
{
    return level <= barrier || levy_is_tie(level, barrier);
}

/* ---- Numbers ---- */

static double barrier_present(double x) { return x > 0.0 ? x : 0.0; } /* NaN: not given */

/* 1 where higher levels lie beyond the barrier, else -1. */
static double barrier_side(const levy_barrier_terms *barrier)
{
    return barrier->direction == LEVY_BARRIER_UP ? 1.0 : -1.0;
}

/* Whether today's level is observed, and a touch. */
static bool barrier_touched_now(const levy_claim *claim, const levy_claim_unit *unit)
{
    return claim->observes_now &&
           levy_barrier_touches(levy_barrier_of(claim->terms), unit->today * unit->scale);
}

/* A barrier's level as the lanes compare it: a logarithm if monitoring is continuous, otherwise a
 * level times `side`. */
static double barrier_number(const levy_claim *claim, const levy_claim_unit *unit, double level,
                             double side)
{
    return claim->continuous ? unit->log_unit * levy_log(level / unit->scale)
                             : level / unit->scale * side;
}

void levy_barrier_watch_numbers(const levy_claim *claim, const levy_claim_unit *unit, bool in,
                                levy_claim_numbers *numbers)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    double *const r = numbers->terms;
    r[ITEM_START] = claim->past.knocked || barrier_touched_now(claim, unit) ? 0.0 : 1.0;
    r[ITEM_B] = barrier_side(barrier);
    r[ITEM_C] = in ? -1.0 : 1.0;
    r[ITEM_D] = in ? 1.0 : 0.0;
    if (levy_barrier_is_double(barrier)) {
        numbers->variant |= BARRIER_DOUBLE;
        r[ITEM_A] = barrier_number(claim, unit, barrier->lower, 1.0);
        r[ITEM_E] = barrier_number(claim, unit, barrier->upper, 1.0);
    } else {
        r[ITEM_A] = barrier_number(claim, unit, barrier->level, barrier_side(barrier));
        if (barrier->direction == LEVY_BARRIER_CROSS) numbers->variant |= BARRIER_CROSS;
    }
    if (claim->continuous) numbers->variant |= BARRIER_CONTINUOUS;
    if (claim->varies) numbers->variant |= BARRIER_VARIES;
}

/* Stores what a touch pays. A rebate at expiry uses the first amount alone. */
void levy_barrier_rebate_numbers(const levy_claim *claim, const levy_claim_unit *unit, double lower,
                                 double upper, levy_claim_numbers *numbers)
{
    const bool pays = lower > 0.0 || upper > 0.0;
    if (pays) numbers->variant |= claim->rebate_at_hit ? BARRIER_AT_HIT : BARRIER_REBATE;
    numbers->terms[ITEM_F] = lower / unit->scale;
    numbers->terms[ITEM_G] = upper / unit->scale;
}

void levy_barrier_rebates(const levy_rebate_terms *rebate, double *lower, double *upper)
{
    const double amount = rebate->node ? barrier_present(rebate->amount) : 0.0;
    *lower = rebate->lower > 0.0 ? rebate->lower : amount;
    *upper = rebate->upper > 0.0 ? rebate->upper : amount;
}

void levy_barrier_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    double *const r = numbers->terms, lower, upper;
    levy_barrier_rebates(&p->rebate, &lower, &upper);
    levy_barrier_watch_numbers(claim, unit, p->touched.barrier.knock == LEVY_KNOCK_IN, numbers);
    levy_barrier_rebate_numbers(claim, unit, lower, upper, numbers);
    if (p->payout.payout != LEVY_PAYOUT_OPTION) numbers->variant |= BARRIER_DIGITAL;
    r[ITEM_H] = p->payout.payout == LEVY_PAYOUT_CASH ? p->payout.cash / unit->scale : 0.0;
    r[ITEM_H + 1] = p->payout.payout == LEVY_PAYOUT_ASSET ? 1.0 : 0.0;
}

/* ---- Integrated ---- */

/* A barrier that may be crossed either way is none on dates, so there is an upper or a lower one.
 */
bool levy_barrier_integrates(const levy_payoff_terms *terms)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(terms);
    return levy_barrier_is_double(barrier) || barrier->direction != LEVY_BARRIER_CROSS;
}

void levy_barrier_integrate(const levy_claim *claim, const levy_claim_unit *unit,
                            levy_claim_numbers *numbers)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    const bool two = levy_barrier_is_double(barrier), touched = numbers->terms[ITEM_START] == 0.0;
    double *const r = numbers->terms;
    numbers->variant |= BARRIER_INTEGRATED;
    if (barrier->direction == LEVY_BARRIER_UP) numbers->variant |= BARRIER_UP;
    if (r[ITEM_D] != 0.0) numbers->variant |= BARRIER_IN;
    r[ITEM_A] =
        levy_integral_logarithm(unit, (two ? barrier->lower : barrier->level) / unit->scale);
    r[ITEM_E] =
        levy_integral_logarithm(unit, (two ? barrier->upper : barrier->level) / unit->scale);
    r[ITEM_B] = levy_integral_logarithm(unit, r[ITEM_STRIKE]);
    r[ITEM_START] = touched ? INTEGRAL_FAR : -INTEGRAL_FAR;
    r[ITEM_SECOND] = INTEGRAL_FAR;
}

/* Whether no path is alive. */
static bool barrier_has_ended(const levy_claim_numbers *numbers)
{
    const double *const r = numbers->terms;
    if (numbers->variant & BARRIER_INTEGRATED) return r[ITEM_START] == r[ITEM_SECOND];
    return r[ITEM_START] == 0.0;
}

/* ---- Numbers by node ---- */

uint32_t levy_barrier_n_node_terms(uint32_t variant)
{
    if (variant & BARRIER_INTEGRATED) return BARRIER_INTEGRATED_NODE_TERMS;
    return variant & (BARRIER_CONTINUOUS | BARRIER_AT_HIT) ? BARRIER_NODE_TERMS : 0u;
}

uint32_t levy_barrier_n_kept(uint32_t variant) { return variant & BARRIER_VARIES ? 1u : 0u; }

static double barrier_variance(const levy_claim_step *step)
{
    return step->variance > 1e-18 ? step->variance : 1e-18;
}

/* The node terms of a rebate at the hit; barrier.h has the formula. */
static void barrier_hit_terms(const levy_claim *claim, const levy_claim_step *step,
                              double *node_terms)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    const double rho = step->from - step->to;
    const double up = (step->drift - step->drop) / levy_sqrt(barrier_variance(step));
    const double mu =
        levy_barrier_is_double(barrier) || barrier->direction == LEVY_BARRIER_UP ? up : -up;
    const double square = mu * mu + 2.0 * rho, kappa = levy_sqrt(square > 0.0 ? square : 0.0);
    node_terms[BARRIER_DRIFT] = mu;
    node_terms[BARRIER_KAPPA] = kappa;
    node_terms[BARRIER_EXCESS] = mu > 0.0 && square > 0.0 ? -2.0 * rho / (mu + kappa) : mu - kappa;
}

void levy_barrier_node_terms(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                             double *node_terms)
{
    if (variant & BARRIER_INTEGRATED) {
        node_terms[BARRIER_INVERSE] = levy_integral_inverse(step->loadings[0], step->log_unit);
        node_terms[BARRIER_WORTH] = levy_exp(step->to - step->paid);
        return;
    }
    if (variant & BARRIER_AT_HIT) {
        node_terms[BARRIER_HERE] = levy_exp(step->to - step->paid);
        node_terms[BARRIER_BEFORE] = levy_exp(step->from - step->paid);
    }
    if (!(variant & BARRIER_CONTINUOUS)) return;
    const double variance = variant & BARRIER_VARIES ? 1.0 : barrier_variance(step);
    node_terms[BARRIER_SCALE] = 1.0 / (levy_sqrt(variance) * step->log_unit);
    node_terms[BARRIER_JUMP] = step->drop * step->log_unit;
    node_terms[BARRIER_OPENS] = step->opens ? 1.0 : 0.0;
    if (variant & BARRIER_VARIES)
        node_terms[BARRIER_MIDDLE] = levy_exp(0.5 * (step->from + step->to) - step->paid);
    else if (variant & BARRIER_AT_HIT)
        barrier_hit_terms(claim, step, node_terms);
}

/* ---- What is paid ---- */

/* What an option that is paid, or not paid, at an end is worth there, and the rebates. */
static double barrier_size(const levy_claim *claim, double end)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    const double gain =
        (end - barrier_present(claim->terms->strike)) * levy_payoff_sign(claim->terms);
    const double other = p->payout.payout == LEVY_PAYOUT_ASSET ? end : gain;
    const double paid = p->payout.payout == LEVY_PAYOUT_CASH ? p->payout.cash : other;
    return barrier_present(paid) + barrier_present(p->rebate.amount) +
           barrier_present(p->rebate.lower) + barrier_present(p->rebate.upper);
}

void levy_barrier_touch_edges(const levy_claim *claim, bool jumps,
                              double (*size)(const levy_claim *claim, double end),
                              levy_edges *edges)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    const bool two = levy_barrier_is_double(barrier);
    if (!claim->continuous ||
        (claim->window_start > 0.0 && barrier->direction != LEVY_BARRIER_CROSS))
        jumps = true;
    edges->each[edges->n++] =
        (levy_edge){LEVY_EDGE_TOUCH, jumps, two ? barrier->lower : barrier->level, size};
    if (two) edges->each[edges->n++] = (levy_edge){LEVY_EDGE_TOUCH, jumps, barrier->upper, size};
}

void levy_barrier_edges(const levy_claim *claim, levy_edges *edges)
{
    const int32_t payout = levy_knock_of(claim->terms)->payout.payout;
    levy_barrier_touch_edges(claim, payout != LEVY_PAYOUT_OPTION && claim->terms->strike > 0.0,
                             barrier_size, edges);
}

bool levy_barrier_pays_amount(const levy_payoff_terms *terms)
{
    return levy_knock_of(terms)->payout.payout != LEVY_PAYOUT_OPTION;
}

/* Whether the option can pay anything on a path without a touch. A one-touch cannot, nor can an
 * option whose strike lies beyond the barrier. */
static bool barrier_gains(const levy_claim_numbers *numbers, double log_unit)
{
    const double *const r = numbers->terms;
    const bool two = (numbers->variant & BARRIER_DOUBLE) != 0, up = r[ITEM_B] > 0.0;
    const double sign = r[ITEM_SIGN], strike = r[ITEM_STRIKE];
    if (numbers->variant & BARRIER_DIGITAL) return true;
    if (!(strike > 0.0)) return sign > 0.0;
    if (numbers->variant & BARRIER_CROSS || r[ITEM_D] != 0.0) return true;
    const double log_strike = levy_log(strike) * log_unit;
    const double lower = r[ITEM_A], upper = two ? r[ITEM_E] : lower;
    if (sign > 0.0) return !((two || up) && log_strike >= upper);
    return !((two || !up) && log_strike <= lower);
}

/* A knocked-out claim is known, and one that nothing can knock in any more. So is one that pays
 * nothing but a rebate at the hit, because over a single interval a formula gives its expectation.
 */
bool levy_barrier_is_known(const levy_claim *claim, const levy_claim_numbers *numbers,
                           double log_unit, bool alone)
{
    const uint32_t variant = numbers->variant;
    if (barrier_has_ended(numbers)) return numbers->terms[ITEM_D] == 0.0;
    if (claim->n_future == 0) return numbers->terms[ITEM_D] != 0.0;
    return alone && (variant & (BARRIER_CONTINUOUS | BARRIER_VARIES)) == BARRIER_CONTINUOUS &&
           !barrier_gains(numbers, log_unit) &&
           (variant & BARRIER_AT_HIT || !(variant & BARRIER_REBATE));
}

/* One of the option and a rebate is paid. */
double levy_barrier_most(const levy_claim *claim)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    const levy_barrier_terms *const barrier = &p->touched.barrier;
    const int32_t payout = p->payout.payout;
    const bool put = payout == LEVY_PAYOUT_OPTION && claim->terms->option_type == LEVY_PUT,
               out = barrier->knock == LEVY_KNOCK_OUT &&
                     (levy_barrier_is_double(barrier) || barrier->direction == LEVY_BARRIER_UP);
    double rebate, upper;
    levy_barrier_rebates(&p->rebate, &rebate, &upper);
    rebate = upper > rebate ? upper : rebate;
    if (claim->sold) return INFINITY;
    if (payout != LEVY_PAYOUT_CASH && !put) return out ? LEVY_PAYOFF_FINITE : INFINITY;
    const double own = put ? claim->terms->strike : p->payout.cash;
    return own > rebate ? own : rebate;
}

double levy_barrier_hit(const levy_claim *claim, double level)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    double lower, upper;
    levy_barrier_rebates(&levy_knock_of(claim->terms)->rebate, &lower, &upper);
    const bool above =
        levy_barrier_is_double(barrier) && barrier_at_or_above(level, barrier->upper);
    return above ? upper : lower;
}

bool levy_barrier_owes(const levy_claim *claim)
{
    return claim->sold && levy_knock_of(claim->terms)->payout.payout == LEVY_PAYOUT_ASSET;
}

/* ---- The barrier ---- */

/* The images of barrier.h suffice while an interval's deviation is at most this many times the
 * distance of the two barriers. */
static const double barrier_most_deviations = 8.0;

double levy_barrier_distance(const levy_barrier_terms *barrier, double level)
{
    if (levy_barrier_is_double(barrier)) {
        const double down = level - barrier->lower, up = barrier->upper - level;
        return (down < up ? down : up) / level;
    }
    const bool up = barrier->direction == LEVY_BARRIER_UP;
    return (up ? barrier->level - level : level - barrier->level) / level;
}

bool levy_barrier_is_beyond(const levy_barrier_terms *barrier, double level)
{
    if (levy_barrier_is_double(barrier))
        return barrier_at_or_below(level, barrier->lower) ||
               barrier_at_or_above(level, barrier->upper);
    if (barrier->direction == LEVY_BARRIER_UP) return barrier_at_or_above(level, barrier->level);
    return barrier_at_or_below(level, barrier->level);
}

bool levy_barrier_touches(const levy_barrier_terms *barrier, double level)
{
    if (levy_barrier_is_double(barrier) || barrier->direction != LEVY_BARRIER_CROSS)
        return levy_barrier_is_beyond(barrier, level);
    return levy_is_tie(level, barrier->level);
}

void levy_barrier_begin(const levy_payoff_terms *terms, levy_past *past)
{
    const levy_touched_state *const state = &((const levy_touched_terms *)terms)->state;
    past->given = state->node;
    past->knocked = state->touched;
}

void levy_barrier_take(const levy_payoff_terms *terms, double level, levy_past *past)
{
    past->knocked |= levy_barrier_touches(levy_barrier_of(terms), level);
}

bool levy_barrier_has_hit(const levy_barrier_terms *barrier, double drift, double variance,
                          double rate)
{
    if (rate < 0.0 && drift * drift + 2.0 * rate * variance < 0.0) return false;
    if (!levy_barrier_is_double(barrier)) return true;
    const double width = levy_log(barrier->upper / barrier->lower);
    return variance <= barrier_most_deviations * barrier_most_deviations * width * width;
}
