/* estimate.c: see estimate.h. */
#include "engine/statistics/estimate.h"
#include "engine/plan/decided.h"
#include "engine/plan/item_terms.h"
#include "engine/plan/rare.h"
#include "engine/problem/trade_claim.h"
#include "engine/statistics/rare_errors.h"
#include "kernels/lane/scalar.h"
#include "kernels/points/net.h"
#include "models/jump_plan.h"

#include <math.h>

/* Deviations of rounding, up to which a value may be nothing else. */
static const double estimate_noise = 4.0;

/* A standard error of more than so many times the part that rare events may add shows that one of
 * them was seen. */
static const double estimate_seen = 16.0;

static const levy_image_output *estimate_output(const levy_plan *plan, uint32_t o)
{
    return LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + o;
}

/* The deviation of the number of points past a step, if `points` of them lie on its ramp. 0: there
 * is no ramp, and the deviation is at most a half. It is less if hardly any point meets the ramp.
 * It is less too if many do, because then each replicate shows the error in its own way. */
static double estimate_share(double points)
{
    if (points > 2.0) return 1.0 / points;
    if (points > 0.0 && points < 1e-9) return 0.0; /* no point will ever lie there */
    return points > 0.0 && points < 0.5 ? levy_sqrt(points * (1.0 - points)) : 0.5;
}

/* In how many equal intervals of its first coordinate the net has the same number of points. Any
 * number of Sobol points has one in each; a net of a file need not. */
static double estimate_intervals(const levy_plan *plan, double paths)
{
    const levy_net *const net = plan->problem->simulation.net;
    if (!net) return paths;
    uint32_t m = 0;
    while ((double)((uint64_t)2 << m) <= paths) ++m;
    return (double)((uint64_t)1 << levy_net_resolution(net->numbers, m));
}

/* Today's levels of a trade, in its own unit. */
static double estimate_levels(const levy_trade *t)
{
    double sum = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u)
        sum += fabs(t->claim.coefficients[u]) * levy_trade_asset(t, u)->spot;
    return levy_item_is_return(t) ? 1.0 : sum;
}

/* Along its first coordinate, each replicate of a net has one point in each of its n cells, so at
 * most one point is on the wrong side of a jump that this coordinate decides. The mean is then off
 * by at most jump / n, with a deviation of at most half of that. All replicates may agree and not
 * show it. 0: there is no net, or the payoff has no jump. */
static double estimate_cells(const levy_plan *plan, const levy_image_output *output, double paths)
{
    if (levy_group_is_still(plan->group) ||
        plan->problem->simulation.generator != LEVY_GENERATOR_SOBOL_SCRAMBLED)
        return 0.0;
    paths = estimate_intervals(plan, paths);
    return output->jump / paths / levy_sqrt((double)plan->image->n_replicates) *
           estimate_share(paths * output->ramp);
}

/* The same for several draws, of which one may decide by itself, as the first one does, the last
 * date of a bridge. If others decide as well, replicates differ more. 0: all paths pay the same,
 * or a difference's bumps hardly move one. */
static double estimate_first(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                             levy_spread price)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const size_t n = (size_t)plan->problem->simulation.replicates;
    const levy_spread own = output->n_terms == 1 ? levy_spread_of(sums, n) : price;
    return plan->image->n_draws > 1 && n > 1 &&
                   own.square - own.mean * own.mean > 1e-9 * own.square &&
                   !levy_crosses_rarely(plan, o, sums)
               ? estimate_cells(plan, output, sums[0].n)
               : 0.0;
}

/* The same of integrated paths that differ by the number of jumps, another draw: what those without
 * a jump pay otherwise has the deviation of what paths give. 0: jumps do not come one by one, or so
 * rarely that others say what is missed. */
static double estimate_arrivals(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                double shown)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const levy_image *const h = plan->image;
    const double n = (double)h->n_replicates;
    if (!h->integrated || !(h->model_features & LEVY_MODEL_JUMPS) || n == 1.0 ||
        output->trade >= plan->group->n_trades || levy_group_is_still(plan->group) ||
        plan->problem->simulation.generator != LEVY_GENERATOR_SOBOL_SCRAMBLED)
        return 0.0;
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[output->trade]];
    const levy_model *const model = t->model;
    const double arrivals =
        t->claim.expiry * levy_jump_intensity(model->kind, model->terms, t->underlyings[0]);
    const double none = levy_exp(-arrivals), half = fmax(none, 0.5),
                 paths = estimate_intervals(plan, sums[0].n);
    const levy_spread own = levy_spread_of(sums, h->n_replicates);
    const double variance = own.square - own.mean * own.mean,
                 error = 0.5 * levy_sqrt(fmax(variance, 0.0) / (half * (1.0 - half) * n)) / paths;
    /* one replicate that differs from the others shows half of it */
    if (!(none < 1.0) || paths * (1.0 - none) * n < LEVY_RARE_ENOUGH) return 0.0;
    return shown < 0.5 * error ? error : 0.0;
}

/* Whether so few paths pay that their variance says little: fewer than 30 equal payments would give
 * the same mean and mean square. */
static bool estimate_is_rare(const levy_moments *stream)
{
    const double n = (double)stream->n, square = stream->mean * stream->mean;
    return n * square < 30.0 * (square + stream->m2 / n);
}

/* A standard error of an output, per unit, that its replicates share and may not show; 0: none. It
 * depends on the paths in the sums, which may be more than the plan's if there is a tolerance. The
 * rounding of the output's constant counts too: if an option is only a forward, its paths show
 * no error at all. */
static double estimate_resolution(const levy_plan *plan, uint32_t o, const tree_sum *sums)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const double cells = plan->image->n_draws == 1 ? estimate_cells(plan, output, sums[0].n) : 0.0,
                 rounding = 0x1p-52 * fabs(output->constant);
    return levy_sqrt(cells * cells + rounding * rounding);
}

levy_spread levy_spread_of(const tree_sum *sums, size_t n_replicates)
{
    double n = 0.0, mean = 0.0, square = 0.0;
    for (size_t r = 0; r < n_replicates; ++r) {
        n += sums[r].n;
        mean += sums[r].n * sums[r].mean;
        square += sums[r].m2 + sums[r].n * sums[r].mean * sums[r].mean;
    }
    return n > 0.0 ? (levy_spread){mean / n, square / n} : (levy_spread){0.0, 0.0};
}

/* Marks an error as doubtful if it is smaller than the part of the price that comes from events
 * which too few paths have. */
static levy_estimate estimate_judge(levy_estimate e, levy_unseen unseen, levy_output_errors *errors)
{
    errors->unseen = unseen.touches + unseen.jumps;
    if (unseen.touches > e.std_error) e = levy_estimate_doubtful(e, LEVY_DOUBT_TOUCHES);
    if (unseen.jumps > e.std_error) e = levy_estimate_doubtful(e, LEVY_DOUBT_JUMPS);
    return e;
}

/* An upper estimate of an amount that the replicates do not show: the fewest paths that would show
 * it each pay the largest possible amount or, if that has no bound, the levels. */
static double estimate_untold(const levy_plan *plan, uint32_t o, double paths)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[output->trade]];
    const double limit = plan->limits[o];
    return (limit < LEVY_PLAN_LIMITED ? limit : estimate_levels(t)) * LEVY_RARE_ENOUGH / paths;
}

/* Whether a path can add less than nothing to an output. */
static bool estimate_owes(const levy_plan *plan, const levy_image_output *output)
{
    if (output->n_terms != 1 || output->trade >= plan->group->n_trades) return true;
    levy_trade room;
    const levy_trade *const own =
        levy_trade_written(&plan->problem->trades[plan->group->trades[output->trade]], &room);
    const levy_claim claim = levy_claim_of(own);
    const levy_payoff *const kind = levy_payoffs[own->kind.payoff];
    return kind->owes && kind->owes(&claim);
}

/* Whether `amount` of an output says that a path pays less than nothing, and none can. Rounding
 * says nothing. */
static bool estimate_is_below(const levy_plan *plan, const levy_image_output *output, double amount,
                              double rounding)
{
    return amount < -4.0 * rounding && !plan->group->known && !estimate_owes(plan, output);
}

bool levy_output_reaches_below(const levy_plan *plan, uint32_t o, const levy_estimate *e,
                               levy_spread price)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const bool given =
        e->interval == LEVY_INTERVAL_STUDENT_T || e->interval == LEVY_INTERVAL_NORMAL;
    return (given || e->interval == LEVY_INTERVAL_NONE) &&
           estimate_is_below(plan, output, given ? e->ci_low : e->value,
                             levy_plan_rounding(plan, o, e->value, price));
}

/* How many standard errors a value may lie outside the range of payments: 6 under a normal law, and
 * an equally rare number if few replicates estimate the error. */
static double estimate_farthest(const levy_plan *plan)
{
    static const double confidence = 0.9999;
    const double n = (double)plan->problem->simulation.replicates;
    return n > 1.0 ? 6.0 * levy_student_t_two_sided(confidence, n - 1.0) /
                         levy_normal_two_sided(confidence)
                   : 6.0;
}

bool levy_output_is_beyond(const levy_plan *plan, uint32_t o, const levy_estimate *e,
                           levy_spread price, double *least, double *most)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const bool given = e->interval == LEVY_INTERVAL_STUDENT_T ||
                       e->interval == LEVY_INTERVAL_NORMAL || e->interval == LEVY_INTERVAL_EXACT;
    *least = estimate_owes(plan, output) ? -INFINITY : 0.0;
    *most = output->n_terms == 1 ? plan->limits[o] : INFINITY;
    const double rounding = 4.0 * levy_plan_rounding(plan, o, e->value, price) +
                            0x1p-40 * (*most < INFINITY ? *most : fabs(e->value)),
                 outside = fmax(*least - e->value, e->value - *most) - rounding;
    return given && outside > 6.0 * e->std_error &&
           outside > estimate_farthest(plan) * e->std_error;
}

/* Whether all paths of all replicates gave the same number, but for a deviation of `slack`. */
static bool estimate_is_flat(const tree_sum *sums, size_t n, double slack)
{
    size_t r = 0;
    while (r < n && !(sums[r].m2 > sums[r].n * slack * slack) &&
           fabs(sums[r].mean - sums[0].mean) <= slack)
        ++r;
    return r == n;
}

/* How many replicates have a mean within `slack` of the most common one, which *common gets, if
 * more than half have it; else some number. */
static size_t estimate_alike(const tree_sum *sums, size_t n, double slack, double *common)
{
    size_t votes = 0, alike = 0;
    for (size_t r = 0; r < n; ++r) {
        if (votes == 0) *common = sums[r].mean;
        votes = fabs(sums[r].mean - *common) <= slack ? votes + 1 : votes - 1;
    }
    for (size_t r = 0; r < n; ++r) alike += fabs(sums[r].mean - *common) <= slack;
    return alike;
}

/* What replicates of plain paths may miss alike of a difference or a bound about which most agree
 * but for rounding, as all paths pay: about one path that does not, or as many as lie so far off,
 * less a tenth for the skewness, by a normal law; or by exp(-z) where levels jump or calm. *few:
 * they agree that it is nothing, but for one to five. */
static double estimate_unpaid(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                              levy_spread price, bool *few)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const size_t n = plan->image->n_replicates, needed = n / 2 < 6 ? n / 2 : 6;
    const double variance = price.square - price.mean * price.mean;
    const bool bound = output->measure & LEVY_MEASURE_UPPER_BOUND;
    double common = 0.0;
    *few = false;
    if ((output->n_terms == 1 && !bound) || n == 1 || plan->image->integrated || plan->still ||
        levy_group_is_still(plan->group) || !(variance > 0.0))
        return 0.0;
    const double own = levy_spread_of(sums, n).mean,
                 slack = estimate_noise * levy_plan_rounding(plan, o, own, price);
    const size_t differ = n - estimate_alike(sums, n, slack, &common);
    const bool nothing = fabs(common) <= slack;
    *few = nothing && differ > 0 && differ < needed;
    if (nothing || differ >= needed) return 0.0;
    const double paths = sums[0].n * (double)n, z = fabs(price.mean) / levy_sqrt(variance),
                 share = plan->image->model ? levy_exp(-z) : levy_normal_cdf(-0.9 * z);
    /* enough paths pay nothing, and the bound replicates it */
    if (bound && paths * share > LEVY_RARE_ENOUGH) return 0.0;
    return fabs(common) * fmin(1.0 / paths, share);
}

/* Whether a touch leaves nothing open in any market of an output. */
static bool estimate_is_settled(const levy_plan *plan, const levy_image_output *output)
{
    const levy_rare *const rare = plan->rare + output->first_item;
    bool settled = output->trade < plan->group->n_trades;
    for (uint32_t k = 0; k < output->n_terms; ++k)
        settled = settled && rare[output->term[k]].settled;
    return settled;
}

/* Whether no path pays, and touches are not all that one may be paid for: differences then tell no
 * more than the price, whose rare touches are not what it pays without one. */
static bool estimate_is_untold(const levy_plan *plan, const levy_image_output *output,
                               const tree_sum *sums, levy_spread price)
{
    const size_t n = plan->image->n_replicates;
    if (!estimate_is_flat(sums, n, 0.0)) return false;
    if (output->n_terms > 1) return price.square == 0.0;
    if (sums[0].mean != 0.0 || output->trade >= plan->group->n_trades) return false;
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[output->trade]];
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    const levy_barrier_terms *const barrier = levy_terms_barrier(kind, t->claim.terms);
    return barrier && barrier->knock != LEVY_KNOCK_IN &&
           !(kind->pays_amount && kind->pays_amount(t->claim.terms));
}

/* An integrated path of one factor shows all that its payment depends on, unless jumps come, so
 * paths that differ by rounding alone have nothing left to say. Of several underlyings that must
 * all touch hardly a path tells. */
static bool estimate_is_whole(const levy_plan *plan, const levy_image_output *output,
                              const tree_sum *sums, double rounding)
{
    const levy_image *const h = plan->image;
    return h->integrated && !h->model && !h->precision &&
           (h->n_factors == 1 || estimate_is_settled(plan, output)) &&
           estimate_is_flat(sums, h->n_replicates, 4.0 * rounding);
}

/* Whether a bound's gains replicate what is paid: paths agree about it, and some of them pay. */
static bool estimate_is_replicated(const levy_plan *plan, const levy_image_output *output,
                                   const tree_sum *sums, levy_spread price, double rounding)
{
    const size_t n = plan->image->n_replicates;
    const double paths = sums[0].n * (double)n, square = price.mean * price.mean;
    const levy_moments all = {(uint64_t)paths, price.mean, paths * (price.square - square)};
    return output->measure & LEVY_MEASURE_UPPER_BOUND && square > 0.0 && !estimate_is_rare(&all) &&
           estimate_is_flat(sums, n, estimate_noise * rounding);
}

levy_estimate levy_output_estimate(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                   levy_spread price, double confidence, levy_moments *moments)
{
    levy_output_errors errors;
    return levy_output_estimate_with(plan, o, sums, price, confidence, moments, &errors);
}

/* What the replicates show, or the paths of an only one, and what the points resolve. few: see
 * estimate_unpaid. */
static levy_estimate estimate_shown(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                    levy_spread price, double confidence, levy_moments *moments,
                                    double *resolution, bool *few)
{
    const size_t n = (size_t)plan->problem->simulation.replicates;
    for (size_t r = 0; r < n; ++r)
        moments[r] = (levy_moments){(uint64_t)sums[r].n, sums[r].mean, sums[r].m2};
    *resolution = estimate_resolution(plan, o, sums);
    const levy_estimate e = n == 1 && !levy_simulation_is_quasi(&plan->problem->simulation)
                                ? levy_estimate_paths(moments, confidence)
                                : levy_estimate_replicates(moments, n, confidence, *resolution);
    const double first = levy_error_combine(
        fmax(estimate_first(plan, o, sums, price), estimate_arrivals(plan, o, sums, e.std_error)),
        estimate_unpaid(plan, o, sums, price, few));
    if (e.std_error >= first) return e;
    *resolution = levy_error_combine(*resolution, first);
    /* a sum adds it too, whose error is at most its parts' together */
    const bool bound = estimate_output(plan, o)->measure & LEVY_MEASURE_UPPER_BOUND;
    return e.interval == LEVY_INTERVAL_UNRELIABLE && !bound
               ? levy_estimate_widen(e, *resolution, confidence)
               : levy_estimate_replicates(moments, n, confidence, *resolution);
}

levy_estimate levy_output_estimate_with(const levy_plan *plan, uint32_t o, const tree_sum *sums,
                                        levy_spread price, double confidence, levy_moments *moments,
                                        levy_output_errors *errors)
{
    const levy_image_output *const output = estimate_output(plan, o);
    const size_t n = (size_t)plan->problem->simulation.replicates;
    bool few;
    levy_estimate e =
        estimate_shown(plan, o, sums, price, confidence, moments, &errors->resolution, &few);
    /* a step gives the level where payments begin, but not their size if no path pays */
    if (output->ramp > 0.0 && price.square == 0.0) e = levy_estimate_unreliable(e);
    const bool has_cells =
        plan->image->n_draws == 1 && estimate_cells(plan, output, sums[0].n) > 0.0;
    const double rare = levy_rare_error(plan, o, sums, price, has_cells),
                 beyond = levy_beyond_error(plan, o, sums);
    /* replicates that agree, or of which one or two saw such an event, have an error all the same
     */
    const bool shown = e.std_error > estimate_seen * rare || !(rare > 0.0) || n == 1;
    if (!shown)
        e = levy_estimate_replicates(moments, n, confidence,
                                     levy_error_combine(errors->resolution, rare));
    if ((output->remarks & LEVY_OUTPUT_HEAVY) || estimate_is_untold(plan, output, sums, price))
        e = levy_estimate_unreliable(e);
    if (n == 1 && !levy_simulation_is_quasi(&plan->problem->simulation) && output->n_terms == 1 &&
        estimate_is_rare(moments))
        e = levy_estimate_unreliable(e);
    e = estimate_judge(e, levy_plan_unseen(plan, o, (double)e.n), errors);
    /* a call priced as forward and put: if the paths are flat, no path pays the put */
    const bool forward = output->constant != 0.0 && !(output->remarks & LEVY_OUTPUT_HEAVY);
    const double rounding = levy_plan_rounding(plan, o, e.value, price);
    if ((estimate_is_flat(sums, n, 0.0) &&
         (forward || levy_plan_is_exact(plan, o) || levy_plan_is_decided(plan, o))) ||
        (!(rare > rounding) && estimate_is_whole(plan, output, sums, rounding)) ||
        (!(e.std_error > estimate_noise * rounding) &&
         estimate_is_replicated(plan, output, sums, price, rounding)))
        e = levy_estimate_exact(e.n, e.value);
    else if (few)
        e = levy_estimate_unreliable(e);
    if (e.interval == LEVY_INTERVAL_EXACT && beyond > rounding) e.interval = LEVY_INTERVAL_NORMAL;
    errors->zero = levy_plan_is_zero(plan, o);
    if (errors->zero) e = levy_estimate_exact(e.n, 0.0);
    errors->exact = e.interval == LEVY_INTERVAL_EXACT;
    if (errors->exact) errors->resolution = 0.0; /* no draw decides */
    const double lost = levy_error_combine(rounding, beyond);
    errors->rounding = errors->exact ? rounding : levy_error_combine(lost, rare);
    errors->rare = errors->rounding - rounding;
    const bool second = (output->measure & LEVY_MEASURES_SECOND) != 0;
    /* if no path reaches the strike, values differ only by rounding */
    if (second && e.interval != LEVY_INTERVAL_EXACT && e.std_error <= rounding &&
        fabs(e.value) <= estimate_noise * rounding) {
        e = levy_estimate_unreliable(e);
        e.std_error = NAN;
    }
    if (estimate_is_below(plan, output, e.ci_high, rounding))
        e = levy_estimate_doubtful(e, LEVY_DOUBT_BELOW);
    if (e.interval == LEVY_INTERVAL_UNRELIABLE && output->trade < plan->group->n_trades)
        errors->unseen = fmax(errors->unseen, estimate_untold(plan, o, (double)e.n));
    if (errors->zero) return e;
    return levy_estimate_widen(e, shown ? errors->rounding : lost, confidence);
}
