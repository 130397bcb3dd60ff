/* rare_errors.c: see rare_errors.h. */
#include "engine/statistics/rare_errors.h"

#include "engine/plan/rare.h"
#include "engine/statistics/estimate.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* The part of an output that is missed because of rare events: all of it if hardly any path has
 * one; if some paths do, a share that varies from run to run. */
typedef struct errors_misses {
    double sum, square;
} errors_misses;

/* An output, what its items miss, and the paths of a replicate. */
typedef struct errors_output {
    const levy_plan *plan;
    const levy_image_output *output;
    const levy_rare *rare;
    double paths;
} errors_output;

/* How many paths tell of what has that chance. */
static double errors_told(const errors_output *x, double chance)
{
    return chance * x->paths * (double)x->plan->image->n_replicates;
}

/* Adds the amount that is missed if no path has the event. If enough paths have it, the replicates
 * show it. */
static void errors_miss(errors_misses *misses, const errors_output *x, double missed, double chance)
{
    const double told = errors_told(x, chance);
    if (told < 1.0)
        misses->sum += missed;
    else if (told < LEVY_RARE_ENOUGH)
        misses->square += missed * missed / told;
}

/* Adds the events of a bin. They may change what an output's paths give in every market alike:
 * `same` has the chance of that, where nothing is known of their worth. */
static void errors_bin(errors_misses *misses, errors_misses *same, const errors_output *x,
                       size_t bin)
{
    double least = INFINITY, most = 0.0, missed = 0.0;
    for (uint32_t k = 0; k < x->output->n_terms; ++k) {
        const double own = x->rare[x->output->term[k]].missed[bin];
        least = own < least ? own : least;
        most = own > most ? own : most;
        missed += x->output->weight[k] * own;
    }
    if (!(most > 0.0)) return;
    const double moves = (most - least) / most, share = x->rare[x->output->term[0]].share,
                 told = x->output->n_terms == 1 ? 1.0 : fmax(moves, share);
    errors_miss(misses, x, missed, levy_rare_told(bin) * told);
    if (x->output->n_terms > 1) errors_miss(same, x, most, levy_rare_told(bin));
}

/* Adds what a script's events of a bin are known to be worth. In a difference that paths with the
 * event tell which changes its worth, and those that have it in one market alone which changes its
 * chance. */
static void errors_known(errors_misses *known, const errors_output *x, size_t bin)
{
    double least = INFINITY, most = 0.0, worth = 0.0, all = 0.0, same = 0.0;
    for (uint32_t k = 0; k < x->output->n_terms; ++k) {
        const levy_rare *const own = x->rare + x->output->term[k];
        least = fmin(least, own->chance[bin]);
        if (own->chance[bin] > most) {
            most = own->chance[bin];
            worth = own->worth[bin] / most;
        }
    }
    if (!(most > 0.0)) return;
    for (uint32_t k = 0; k < x->output->n_terms; ++k) {
        const levy_rare *const own = x->rare + x->output->term[k];
        all += x->output->weight[k] * own->worth[bin];
        same += x->output->weight[k] * most *
                (own->chance[bin] > 0.0 ? own->worth[bin] / own->chance[bin] : worth);
    }
    const double moves = fmax((most - least) / most, x->rare[x->output->term[0]].share);
    errors_miss(known, x, same, levy_rare_told(bin));
    if (x->output->n_terms > 1) errors_miss(known, x, all - same, levy_rare_told(bin) * moves);
}

/* How much an event may change it: the standard deviation of the paths' values, and at least this
 * share of their size. */
static double errors_size(levy_spread paid, double least)
{
    const double variance = paid.square - paid.mean * paid.mean;
    return fmax(variance > 0.0 ? levy_sqrt(variance) : 0.0, least * levy_sqrt(paid.square));
}

/* Gives events the size of what paths give: of a price's paths, a difference's events, and those
 * that change it alike the size of `own`. Where paths give less than such an event would by itself,
 * it may be all that is paid, up to `limit`. Plain paths that tell of an event differ by it, and
 * their deviation is enough. */
static void errors_unknown(errors_misses *misses, const errors_misses *same, const levy_plan *plan,
                           double relative, levy_spread own, const levy_spread *price, double limit)
{
    const levy_spread of = price ? *price : own;
    const double least = plan->image->integrated ? relative : 0.0, varies = errors_size(of, 0.0),
                 shown = fmax(varies, (varies * varies > 1e-14 * of.square ? relative : 1.0) *
                                          levy_sqrt(of.square)),
                 none = shown < limit * levy_sqrt(fabs(misses->sum)) ? limit : shown,
                 some = errors_size(of, least), own_none = errors_size(own, relative),
                 own_some = errors_size(own, least);
    misses->sum = levy_error_combine(fabs(misses->sum) * none, same->sum * own_none);
    misses->square = misses->square * some * some + same->square * own_some * own_some;
}

/* Adds paths between the strikes of two markets. */
static void errors_strike(errors_misses *misses, const errors_output *x)
{
    double chance = 0.0, missed = 0.0;
    for (uint32_t k = 0; k < x->output->n_terms; ++k) {
        const levy_rare *const rare = &x->rare[x->output->term[k]];
        chance = rare->strike_chance > chance ? rare->strike_chance : chance;
        missed += x->output->weight[k] * rare->strike_missed;
    }
    errors_miss(misses, x, missed, chance);
}

/* The share of paths that a difference's bumps move across a level: its chance more in some market
 * than in another. *sum, *size: of the difference, with signs and without. */
static double errors_moved(const errors_output *x, size_t level, double *sum, double *size)
{
    double least = 0.0, most = 0.0;
    *sum = *size = 0.0;
    for (uint32_t k = 0; k < x->output->n_terms; ++k) {
        const double more = x->rare[x->output->term[k]].crossed.more[level];
        least = fmin(least, more);
        most = fmax(most, more);
        *sum += x->output->weight[k] * more;
        *size += fabs(x->output->weight[k] * more);
    }
    return most - least;
}

/* Adds paths that a difference's bumps move across the levels at which a payoff decides. What one
 * of them pays otherwise: if it is not known, twice the deviation of what paths give, as of an
 * amount that half of them get; or, at a kink, what the bump's move is worth. */
static void errors_crossed(errors_misses *misses, const errors_output *x, levy_spread price)
{
    const levy_crossed *const first = &x->rare[x->output->term[0]].crossed;
    const double deviation = errors_size(price, 0.0);
    for (size_t level = 0; level < LEVY_CROSSED_LEVELS; ++level) {
        double sum, size;
        const double told = errors_moved(x, level, &sum, &size);
        const double known = first->worth > 0.0 ? first->worth : 2.0 * deviation;
        const double worth = first->bends ? 1.25 * told * deviation : known;
        if (!(told > 0.0)) continue;
        errors_miss(misses, x, (errors_told(x, told) < 1.0 ? fabs(sum) : size) * worth, told);
    }
}

bool levy_crosses_rarely(const levy_plan *plan, uint32_t o, const tree_sum *sums)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + o;
    const errors_output x = {plan, output, plan->rare + output->first_item, sums[0].n};
    double most = 0.0, sum, size;
    for (size_t level = 0; level < LEVY_CROSSED_LEVELS; ++level)
        most = fmax(most, errors_moved(&x, level, &sum, &size));
    return output->n_terms > 1 && most > 0.0 && errors_told(&x, most) < LEVY_RARE_ENOUGH;
}

/* Adds what an output lacks of what lies beyond a strike that hardly a path reaches. Those that are
 * beyond it in all markets bend no more there: a second difference is that of those in between. */
static void errors_beyond(errors_misses *misses, const errors_output *x, size_t slot)
{
    double least = INFINITY, most = 0.0, missed = 0.0;
    for (uint32_t k = 0; k < x->output->n_terms; ++k) {
        const levy_rare *const rare = &x->rare[x->output->term[k]];
        least = fmin(least, rare->beyond_chance[slot]);
        most = fmax(most, rare->beyond_chance[slot]);
        missed += x->output->weight[k] * rare->beyond_missed[slot];
    }
    if (!(most > 0.0)) return;
    const bool second = x->output->measure & LEVY_MEASURES_SECOND;
    errors_miss(misses, x, missed, second ? most - least : most);
}

double levy_beyond_error(const levy_plan *plan, uint32_t o, const tree_sum *sums)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + o;
    const errors_output x = {plan, output, plan->rare + output->first_item, sums[0].n};
    errors_misses misses = {0.0, 0.0};
    if (levy_group_is_still(plan->group) || output->trade >= plan->group->n_trades) return 0.0;
    for (size_t slot = 0; slot < LEVY_RARE_BENDS; ++slot) errors_beyond(&misses, &x, slot);
    return levy_error_combine(fabs(misses.sum), levy_sqrt(misses.square));
}

/* Adds paths with clocks so little that hardly one is drawn: what they give more than those that
 * are. */
static void errors_little(errors_misses *little, const errors_output *x)
{
    static const double width = 0.7071067811865476; /* of a bin, by the chance of its middle */
    double seen = 0.0;
    for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin) {
        const double chance = levy_rare_told(bin);
        double gives = 0.0;
        for (uint32_t k = 0; k < x->output->n_terms; ++k)
            gives += x->output->weight[k] * x->rare[x->output->term[k]].little[bin];
        if (bin == 0 || errors_told(x, chance) >= LEVY_RARE_ENOUGH) seen = gives;
        errors_miss(little, x, width * chance * (gives - seen), chance);
    }
}

double levy_rare_error(const levy_plan *plan, uint32_t o, const tree_sum *sums, levy_spread price,
                       bool has_cells)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + o;
    const bool limited = output->n_terms == 1 && plan->limits[o] < LEVY_PLAN_LIMITED;
    errors_misses misses = {0.0, 0.0}, same = {0.0, 0.0}, known = {0.0, 0.0}, little = {0.0, 0.0};
    if (levy_group_is_still(plan->group) || output->trade >= plan->group->n_trades) return 0.0;
    const errors_output x = {plan, output, plan->rare + output->first_item, sums[0].n};
    for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin) errors_bin(&misses, &same, &x, bin);
    for (size_t bin = 0; bin < LEVY_RARE_BINS; ++bin) errors_known(&known, &x, bin);
    const double relative = x.rare[output->term[0]].relative;
    const levy_spread own = levy_spread_of(sums, plan->image->n_replicates);
    const levy_spread *const of = output->n_terms > 1 ? &price : NULL;
    if (relative > 0.0)
        errors_unknown(&misses, &same, plan, relative, own, of, limited ? plan->limits[o] : 0.0);
    errors_strike(&misses, &x);
    if (output->n_terms > 1 && !has_cells) errors_crossed(&misses, &x, price);
    errors_little(&little, &x);
    return levy_sqrt(
        fmax(misses.sum * misses.sum + misses.square, known.sum * known.sum + known.square) +
        little.sum * little.sum + little.square);
}
