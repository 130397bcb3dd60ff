/* step_bias.c: see step_bias.h. */
#include "engine/statistics/step_bias.h"

#include "engine/statistics/stats.h"
#include "kernels/lane/scalar.h"

#include <math.h>

enum { STEP_PRIOR = 4 };

/* By how much the order from longer steps to the run's differs from that measured, by experiment
 * (docs/theory.md). */
static const double step_doubt = 0.3;
/* How sure a step bias must be to mark a value: as three deviations of a normal law are. */
static const double step_sure = 0.9973;

/* What longer steps change: means over the replicates. */
typedef struct step_changes {
    double of[LEVY_PILOT_GRIDS];
} step_changes;

/* What the run's steps leave by these, and how uncertain it is by the order and the grids. */
typedef struct step_left {
    double value, order;
    double unexplained; /* of the longer steps' change */
} step_left;

/* Every order is as likely as another. */
static step_left step_any_order(const levy_pilot *pilot, double change)
{
    const double n = pilot->most + 1.0 - pilot->least;
    double mean = 0.0, squares = 0.0;
    for (uint32_t i = pilot->least; i <= pilot->most; ++i) mean += pilot->share[0][i] / n;
    for (uint32_t i = pilot->least; i <= pilot->most; ++i) {
        const double apart = pilot->share[0][i] - mean;
        squares += apart * apart / n;
    }
    return (step_left){mean * change, levy_sqrt(squares) * fabs(change), 0.0};
}

/* At an order between the i-th and the next, by the second grid. */
static step_left step_order(const levy_pilot *pilot, const step_changes *change, uint32_t i,
                            bool is_one)
{
    const double *const near = pilot->share[0], *const far = pilot->share[1];
    const double ratio = change->of[1] / change->of[0], from = near[i] / far[i],
                 to = near[i + 1] / far[i + 1], fall = near[i] - near[i + 1],
                 most = pilot->most > i ? 1.0 : 0.0,
                 part = is_one ? 0.0 : fmin(fmax((ratio - from) / (to - from), 0.0), most),
                 unexplained = change->of[1] - (from + part * (to - from)) * change->of[0];
    return (step_left){(near[i] - part * fall) * change->of[0],
                       step_doubt * LEVY_PILOT_PER_ORDER * fall * fabs(change->of[0]),
                       is_one ? 0.0 : unexplained};
}

/* The ratio of the changes gives the order, with which it rises. */
static step_left step_leaves(const levy_pilot *pilot, const step_changes *change)
{
    const double *const near = pilot->share[0], *const far = pilot->share[1];
    const bool is_one = pilot->grids < 2 || isnan(change->of[1]) || change->of[0] == 0.0;
    uint32_t i = pilot->least;
    if (is_one && pilot->most > i) return step_any_order(pilot, change->of[0]);
    const double ratio = change->of[1] / change->of[0];
    while (!is_one && i + 1 < pilot->most && near[i + 1] < ratio * far[i + 1]) ++i;
    return step_order(pilot, change, i, is_one);
}

/* Of output `o` in a replicate. */
static step_changes step_change(const levy_plan *plan, uint32_t o, const tree_sum *sums, size_t r)
{
    const levy_pilot *const pilot = &plan->pilot;
    step_changes change = {{0.0}};
    for (uint32_t g = 0; g < pilot->grids; ++g) {
        const size_t row = (size_t)g * plan->image->n_outputs + o;
        change.of[g] = pilot->sums[row * pilot->replicates + r].mean - sums[r].mean;
    }
    return change;
}

static step_changes step_means(const levy_plan *plan, uint32_t o, const tree_sum *sums)
{
    const size_t n = plan->pilot.replicates;
    step_changes means = {{0.0}};
    for (size_t r = 0; r < n; ++r) {
        const step_changes change = step_change(plan, o, sums, r);
        for (uint32_t g = 0; g < plan->pilot.grids; ++g) means.of[g] += change.of[g] / (double)n;
    }
    return means;
}

/* The jackknife's standard error: what the steps leave without one of the replicates, each in its
 * turn. */
static double step_noise(const levy_plan *plan, const levy_pilot *pilot, uint32_t o,
                         const tree_sum *sums, const step_changes *means)
{
    const double n = plan->pilot.replicates;
    double mean = 0.0, squares = 0.0;
    for (uint32_t r = 0; r < plan->pilot.replicates; ++r) {
        step_changes others = step_change(plan, o, sums, r);
        for (uint32_t g = 0; g < LEVY_PILOT_GRIDS; ++g)
            others.of[g] = means->of[g] + (means->of[g] - others.of[g]) / (n - 1.0);
        const double value = step_leaves(pilot, &others).value, apart = value - mean;
        mean += apart / (r + 1.0);
        squares += apart * (value - mean);
    }
    return levy_sqrt(squares * (n - 1.0) / n);
}

/* The most that chance makes of it, at the least order. The pilot's few replicates tell little of
 * their variance, which is therefore drawn to twice that of the run's (G. K. Smyth, Statistical
 * Applications in Genetics and Molecular Biology 3, 2004). */
static double step_chance(const levy_plan *plan, const levy_pilot *pilot, uint32_t o,
                          const tree_sum *sums, double mean)
{
    const uint32_t n = pilot->replicates, all = plan->image->n_replicates;
    double level = 0.0, own = 0.0, squares = 0.0;
    for (uint32_t r = 0; r < all; ++r) level += sums[r].mean / all;
    for (uint32_t r = 0; r < all; ++r)
        own += (sums[r].mean - level) * (sums[r].mean - level) / (all - 1.0);
    for (uint32_t r = 0; r < n; ++r) {
        const double apart = step_change(plan, o, sums, r).of[0] - mean;
        squares += apart * apart;
    }
    const double degrees = STEP_PRIOR + n - 1.0,
                 variance = (STEP_PRIOR * 2.0 * own + squares) / degrees;
    return pilot->share[0][pilot->least] * levy_sqrt(variance / n) *
           levy_student_t_two_sided(step_sure, degrees);
}

/* As the output's trade has it: between dates a level is watched at order 1, whatever the scheme.
 */
static levy_pilot step_pilot(const levy_plan *plan, uint32_t o)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + o;
    levy_pilot pilot = plan->pilot;
    if (levy_trade_is_continuous(&plan->problem->trades[plan->group->trades[output->trade]]))
        pilot.least = pilot.most = LEVY_PILOT_ORDER_1;
    return pilot;
}

levy_step_bias levy_step_bias_of(const levy_plan *plan, uint32_t o, const tree_sum *sums)
{
    if (!plan->pilot.sums) return (levy_step_bias){NAN, NAN, NAN};
    const levy_pilot pilot = step_pilot(plan, o);
    const step_changes means = step_means(plan, o, sums);
    const step_left left = step_leaves(&pilot, &means);
    /* counts as if the shorter steps had it at the least order, or the longer at order 1; to mark a
     * value the latter is enough */
    const double some = pilot.share[1][LEVY_PILOT_ORDER_1] * left.unexplained,
                 most = fmax(pilot.share[0][pilot.least] * fabs(left.unexplained), fabs(some));
    const double noise = pilot.replicates > 1 ? step_noise(plan, &pilot, o, sums, &means) : NAN,
                 squares = noise * noise + left.order * left.order + most * most;
    const double chance = step_chance(plan, &pilot, o, sums, means.of[0]);
    return (levy_step_bias){left.value, levy_sqrt(squares),
                            levy_sqrt(chance * chance + some * some)};
}
