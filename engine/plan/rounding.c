/* rounding.c: see rounding.h, and docs/decisions.md D6e. */
#include "engine/plan/rounding.h"
#include "engine/problem/trade_claim.h"
#include "engine/plan/item_terms.h"

#include "kernels/lane/scalar.h"
#include "models/jump_plan.h"

#include <math.h>

#define LANE_SCALAR
#include "payoffs/european.h"
#include "payoffs/scripted.h"

static const double rounding_unit_double = 1.1102230246251565e-16,
                    rounding_unit_single = 5.9604644775390625e-8;
/* Root mean square of a rounding to nearest, in units of the largest, u. Roundings are uniform. */
static const double rounding_rms = 0.57735026918962576;
/* The part of the single-precision normals' error, in units of u, that is left once it is averaged
 * over a law. Most of a normal's error is rounding and averages out. */
static const double rounding_normal = 0.3;

/* Largest relative error of the exponential in mixed precision (D6b); it shows where no normal is
 * drawn. */
static const double rounding_exp_mixed = 1e-12;

static bool rounding_draws(const levy_image *h)
{
    return !h->integrated || h->n_nodes * h->n_factors > 1;
}

static double rounding_larger(double a, double b) { return a > b ? a : b; }

static double rounding_hypot(double a, double b)
{
    const double large = rounding_larger(fabs(a), fabs(b)), small = fabs(a) + fabs(b) - large;
    if (!(large > 0.0) || !isfinite(large)) return large;
    return large * levy_sqrt(1.0 + small / large * (small / large));
}

/* What all the arithmetic of a group shares. Deviations and drifts are those of logarithms at the
 * horizon. */
typedef struct rounding_frame {
    double unit;         /* rms rounding of everything but the normals */
    double normals;      /* error of the logarithm by normals in single, where all else is double */
    double level;        /* relative error of a level by all else */
    double gross_return; /* the largest expected gross return, 1 at least */
    double least;        /* the smallest deviation */
} rounding_frame;

/* The size of the logarithms of levels and barriers, which a program that is integrated with
 * loadings of each path's own subtracts from each other; 0: none does. Models without a variance
 * have such programs too, but the errors of the contract. */
static double rounding_logarithms(const levy_trade *t)
{
    double most = 0.0;
    if (!levy_trade_is_integrated(t) || !levy_model_has_variances(levy_model_kinds[t->model->kind]))
        return 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double level = fabs(t->claim.coefficients[u]) * levy_trade_asset(t, u)->spot;
        most = rounding_larger(most, level > 0.0 ? fabs(levy_log(level)) : 0.0);
    }
    return most;
}

static rounding_frame rounding_frame_of(const levy_plan *plan, const levy_trade *t)
{
    const bool single = plan->image->precision != 0;
    rounding_frame f = {.unit =
                            rounding_rms * (single ? rounding_unit_single : rounding_unit_double),
                        .gross_return = 1.0,
                        .least = INFINITY};
    double most = 0.0, drift = 0.0, levels = 0.0;
    for (uint32_t n = plan->image->n_nodes; n > 1; n /= 2) levels += 1.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(t, u);
        const double s = levy_trade_deviation(t, u, t->claim.expiry),
                     g = levy_asset_log_forward(asset, t->claim.expiry);
        most = rounding_larger(most, s);
        f.least = s < f.least ? s : f.least;
        drift = rounding_larger(drift, fabs(g - 0.5 * s * s));
        f.gross_return = rounding_larger(f.gross_return, levy_exp(g));
    }
    const double log = rounding_logarithms(t);
    /* The terms are, in order: exponential and strike; factor and bridge weights, in proportion to
     * s; drift, and the sum of both; the logarithms of two levels. */
    f.level = f.unit *
              levy_sqrt(2.0 + most * most * (2.0 + levels) + 2.0 * drift * drift + 2.0 * log * log);
    if (plan->image->mixed) f.level = rounding_hypot(f.level, rounding_exp_mixed);
    f.normals = plan->image->mixed && rounding_draws(plan->image)
                    ? rounding_normal * rounding_unit_single * most
                    : 0.0;
    return f;
}

/* The size of the numbers that an item adds and subtracts on a path that pays, in units of its
 * scale: its levels, its strike and a script's constants. */
static double rounding_magnitude(const levy_plan *plan, const levy_trade *t, uint32_t i,
                                 double gross_return)
{
    const levy_image *const h = plan->image;
    const levy_image_item *const item = LEVY_IMAGE_AT(levy_image_item, h, items) + i;
    const double strike =
        fabs(levy_image_real(h, h->item_reals, (uint64_t)i * LEVY_ITEM_REALS + ITEM_STRIKE));
    double sum = 0.0, largest = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double c = fabs(levy_image_real(h, h->coefficients, (uint64_t)i * h->n_assets + u));
        sum += c;
        largest = rounding_larger(largest, c);
    }
    const bool is_one = levy_item_is_return(t) || item->aggregate == LEVY_AGGREGATE_NONE ||
                        item->aggregate == LEVY_AGGREGATE_GEOMETRIC;
    double level = item->aggregate == LEVY_AGGREGATE_BASKET ? sum : largest;
    if (is_one) level = 1.0;
    level *= gross_return;
    if (t->kind.scripted) return rounding_larger(level, levy_scripted_added(t->kind.scripted));
    return strike < 1e6 ? rounding_larger(level, strike) : level;
}

static bool rounding_is_amount(const levy_trade *t)
{
    const levy_payoff *const kind = levy_trade_written_payoff(t);
    return kind->pays_amount && kind->pays_amount(t->claim.terms);
}

/* ---- What is known ---- */

/* Whether all that the trade pays on has been observed. */
static bool rounding_has_passed(const levy_trade *t)
{
    size_t to_come = 0;
    for (size_t k = 0; k <= t->kind.n_further; ++k) to_come += levy_trade_schedule(t, k).n;
    return to_come == 0 && !levy_payoff_reads_expiry(levy_payoffs[t->kind.payoff], t->claim.terms);
}

/* Whether it watches nothing beyond the grid's first interval, in which no cash is paid. */
static bool rounding_is_alone(const levy_plan *plan, const levy_trade *t)
{
    const bool one =
        t->claim.observations.n == 1 && t->claim.observations.times[0] == plan->group->times[0];
    return !plan->image->has_cash && (plan->image->n_nodes == 1 || (one && t->kind.n_further == 0));
}

/* Whether no path can be paid anything, as by a put of strike 0. */
static bool rounding_is_nothing(const levy_trade *t)
{
    levy_trade room;
    const levy_trade *const own = levy_trade_written(t, &room);
    const levy_payoff *const kind = levy_payoffs[own->kind.payoff];
    const levy_claim claim = levy_claim_of(own);
    return kind->most && kind->most(&claim) == 0.0 && !(kind->owes && kind->owes(&claim));
}

/* Whether the past and an item's numbers say what it pays. */
static bool rounding_item_is_known(const levy_plan *plan, uint32_t i)
{
    const levy_image *const h = plan->image;
    const levy_image_item *const item = LEVY_IMAGE_AT(levy_image_item, h, items) + i;
    const levy_payoff *const lanes = levy_item_lanes(item);
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[item->trade]];
    double terms[LEVY_ITEM_REALS];
    const levy_claim claim = levy_claim_viewed(t, plan->views ? &plan->views[i] : NULL);
    const levy_claim_numbers numbers = {item->variant, terms};
    if (!lanes) return false;
    if (rounding_has_passed(t) || rounding_is_nothing(t)) return true;
    if (!lanes->is_known) return false;
    for (uint64_t k = 0; k < LEVY_ITEM_REALS; ++k)
        terms[k] = levy_image_real(h, h->item_reals, (uint64_t)i * LEVY_ITEM_REALS + k);
    for (uint64_t k = 0; k < LEVY_ITEM_REALS && k < item->n_constants; ++k)
        terms[k] = levy_image_real(h, h->node_terms, item->node_terms - item->n_constants + k);
    return lanes->is_known(&claim, &numbers, h->precision ? LEVY_LOG2_E : 1.0,
                           rounding_is_alone(plan, t));
}

/* ---- An item ---- */

/* The rounding of an item, in money. Only paths that pay have a rounded level. Their share is taken
 * as the squared mean over the mean square, doubled because payoffs rise from nothing. At a jump as
 * large as the payment, paths cross in proportion to the density there. */
static double rounding_item(const levy_plan *plan, const levy_trade *t, uint32_t i,
                            const rounding_frame *f, double error, levy_spread price)
{
    const levy_image_item *const item = LEVY_IMAGE_AT(levy_image_item, plan->image, items) + i;
    const double mean = fabs(price.mean),
                 share = price.square > 0.0 ? mean * mean / price.square : 0.0;
    const double paying = 2.0 * share < 1.0 ? 2.0 * share : 1.0;
    const double level =
        rounding_is_amount(t)
            ? 0.0
            : fabs(item->scale) * rounding_magnitude(plan, t, i, f->gross_return) * paying;
    const double smooth = rounding_larger(level, mean) * error;
    const bool rough = levy_trade_is_discontinuous(t) || t->form != LEVY_FORM_WRITTEN ||
                       levy_payoffs[t->kind.payoff]->barrier;
    if (!rough || !(f->least > 0.0)) return smooth;
    /* each path pays its probability of an integrated payment, and a part of a softened one */
    const bool whole = t->form != LEVY_FORM_WRITTEN && !rounding_item_is_known(plan, i);
    const double part = whole ? 1.0 : 1.0 - share,
                 jump = 2.5 * mean * (part > 0.0 ? part : 0.0) * error / f->least,
                 most = levy_sqrt(price.square);
    return rounding_hypot(smooth, jump < most ? jump : most);
}

/* The rounding of the chance that an integrated path touches no barrier, of which a small chance of
 * a touch is the rest. */
static double rounding_rest(const levy_plan *plan, const levy_trade *t, uint32_t number,
                            const rounding_frame *f)
{
    const double most = plan->limits[number];
    const bool rest = levy_trade_is_integrated(t) && levy_trade_written_payoff(t)->barrier;
    return rest && most < LEVY_PLAN_LIMITED ? f->unit * most : 0.0;
}

/* ---- Exact outputs ---- */

static bool rounding_same(const levy_image *h, uint64_t offset, uint64_t first, uint64_t second,
                          uint64_t n)
{
    for (uint64_t i = 0; i < n; ++i)
        if (levy_image_real(h, offset, first + i) != levy_image_real(h, offset, second + i))
            return false;
    return true;
}

/* Do the two move no number of the jumps? Those that do are equal to themselves alone. */
static bool rounding_same_jumps(const levy_image *h, uint64_t a, uint64_t b)
{
    const levy_image_part *const arrivals = &h->parts[LEVY_PART_ARRIVALS];
    const uint32_t *const words = LEVY_IMAGE_AT(uint32_t, h, parts[LEVY_PART_ARRIVALS].words);
    return !levy_jump_is_moved(words, arrivals->constants, h->n_nodes, a) &&
           !levy_jump_is_moved(words, arrivals->constants, h->n_nodes, b);
}

static bool rounding_same_dynamics(const levy_image *h, uint64_t a, uint64_t b)
{
    const uint64_t row = (uint64_t)h->n_nodes * h->n_assets,
                   factors =
                       (h->covariance ? h->n_nodes : 1) * (uint64_t)h->n_assets * h->n_factors;
    if (a == b) return true;
    if (!rounding_same_jumps(h, a, b)) return false;
    if (h->has_elapsed &&
        !rounding_same(h, h->elapsed_share, a * h->n_nodes, b * h->n_nodes, h->n_nodes))
        return false;
    if (h->has_cash && !rounding_same(h, h->cash, a * row, b * row, row)) return false;
    if (h->model_features & LEVY_MODEL_SCALES &&
        (!rounding_same(h, h->variance, a * row, b * row, row) ||
         !rounding_same(h, h->added, a * h->n_assets, b * h->n_assets, h->n_assets)))
        return false;
    const uint64_t own = (uint64_t)h->n_nodes * h->own_row;
    return rounding_same(h, h->own, a * own, b * own, own) &&
           rounding_same(h, h->drift, a * row, b * row, row) &&
           rounding_same(h, h->factor, a * factors, b * factors, factors);
}

/* Whether the item pays by the asset's level: only some scripts do not, which read its variance. */
static bool rounding_reads(const levy_image *h, const levy_image_item *item, uint32_t asset)
{
    if (!(item->traits & LEVY_ITEM_SCRIPT)) return true;
    const levy_script_program *const p = levy_image_program(h, item);
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    bool reads = p->n_segments > 0; /* integrated: logarithms have other operands */
    for (uint32_t k = 0; k < p->n_steps && !reads; ++k) {
        const uint32_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
        reads = steps[k].op == LEVY_SCRIPT_LEVEL && steps[k].a == asset;
        for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i)
            reads = reads || operands[i] == LEVY_SCRIPT_AT_LEVEL + asset;
    }
    return reads;
}

static bool rounding_same_weights(const levy_image *h, uint64_t a, uint64_t b)
{
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, h, items);
    for (uint32_t u = 0; u < h->n_assets; ++u)
        if (!rounding_same(h, h->coefficients, a * h->n_assets + u, b * h->n_assets + u, 1) &&
            rounding_reads(h, &items[a], u))
            return false;
    return true;
}

/* Whether two items pay the same number of their scales. */
static bool rounding_same_item(const levy_image *h, uint64_t a, uint64_t b)
{
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, h, items),
                                 *const x = &items[a], *const y = &items[b];
    const uint64_t reals = x->n_constants + (uint64_t)h->n_nodes * x->n_node_terms,
                   from_x = x->node_terms - x->n_constants, from_y = y->node_terms - y->n_constants;
    return x->kind == y->kind && x->variant == y->variant && x->aggregate == y->aggregate &&
           x->flag == y->flag && x->n_flags == y->n_flags &&
           rounding_same_dynamics(h, x->dynamics, y->dynamics) &&
           rounding_same(h, h->item_reals, a * LEVY_ITEM_REALS, b * LEVY_ITEM_REALS,
                         LEVY_ITEM_REALS) &&
           rounding_same_weights(h, a, b) && x->n_node_terms == y->n_node_terms &&
           x->n_constants == y->n_constants &&
           (from_x == from_y || rounding_same(h, h->node_terms, from_x, from_y, reals));
}

/* Whether all terms pay the same number of their scales. */
static bool rounding_is_alike(const levy_image *h, const levy_image_output *output)
{
    uint32_t i = 1;
    const uint32_t at = output->first_item;
    while (i < output->n_terms && rounding_same_item(h, at + output->term[0], at + output->term[i]))
        ++i;
    return output->n_terms > 1 && i == output->n_terms;
}

/* Whether all terms are equal, so that their difference is exactly 0, rounding included. */
static bool rounding_cancels(const levy_image *h, const levy_image_output *output)
{
    const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, h, items);
    double sum = 0.0;
    for (uint32_t i = 0; i < output->n_terms; ++i) {
        if (items[output->first_item + output->term[i]].scale !=
            items[output->first_item + output->term[0]].scale)
            return false;
        sum += output->weight[i];
    }
    return sum == 0.0 && rounding_is_alike(h, output);
}

bool levy_plan_is_zero(const levy_plan *plan, uint32_t number)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    double sum = 0.0, size = 0.0;
    for (uint32_t i = 0; i < output->n_terms; ++i) {
        sum += output->coefficient[i];
        size += fabs(output->coefficient[i]);
    }
    return fabs(sum) <= 0x1p-48 * size && output->constant == 0.0 &&
           rounding_is_alike(plan->image, output);
}

bool levy_plan_is_exact(const levy_plan *plan, uint32_t number)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    bool known = true;
    if (levy_group_is_still(plan->group) || plan->still) return true;
    for (uint32_t i = 0; i < output->n_terms; ++i)
        known = known && rounding_item_is_known(plan, output->first_item + output->term[i]);
    return known || rounding_cancels(plan->image, output);
}

/* ---- An output ---- */

double levy_plan_rounding(const levy_plan *plan, uint32_t number, double value, levy_spread price)
{
    const levy_image *const h = plan->image;
    const levy_image_output *const output = LEVY_IMAGE_AT(levy_image_output, h, outputs) + number;
    /* terms that are known and equal have cancelled (known.h) */
    const bool settled = plan->group->known && (output->n_terms == 1 || value == 0.0);
    if (output->trade >= plan->group->n_trades || settled || rounding_cancels(h, output))
        return 0.0;
    const levy_trade *const t = &plan->problem->trades[plan->group->trades[output->trade]];
    const rounding_frame f = rounding_frame_of(plan, t);
    double sum = levy_plan_is_exact(plan, number) ? 0.0 : rounding_rest(plan, t, number, &f);
    for (uint32_t i = 0; i < output->n_terms; ++i) {
        const uint32_t item = output->first_item + output->term[i];
        const double own =
            fabs(output->weight[i]) * rounding_item(plan, t, item, &f, f.level, price);
        sum = rounding_hypot(sum, own);
        if (output->n_terms == 1)
            sum = rounding_hypot(sum, fabs(output->weight[i]) *
                                          rounding_item(plan, t, item, &f, f.normals, price));
    }
    /* Normals are the same on both sides of a difference, so their error is in proportion to it;
     * and what is softened bends within its width. */
    const double bends =
        t->form == LEVY_FORM_SOFTENED ? f.normals / plan->problem->simulation.width : 0.0;
    if (output->n_terms > 1 && f.normals > 0.0)
        sum = rounding_hypot(sum,
                             2.0 * (rounding_normal * rounding_unit_single + bends) * fabs(value));
    return isfinite(sum) ? sum : 0.0;
}
