/* results_measure.c: one measure of a trade as it is reported: its number with the bias of its
 * bump, and what is said of it, which is why it has no value, why it may be wrong, or why its error
 * is large. Must not know: how it is estimated, netting. */
#include "engine/book/results_net.h"

#include "engine/plan/bumped.h"
#include "engine/plan/bumps.h"
#include "engine/plan/early.h"
#include "engine/problem/trade_black.h"
#include "engine/schema/schema.h"
#include "payoffs/payoff_stage.h"
#include "payoffs/rights.h"

#include <math.h>
#include <string.h>

enum {
    RESULTS_UNBUMPED = LEVY_MEASURE_PRICE | LEVY_MEASURE_CASH_FLOWS | LEVY_MEASURE_EXERCISE_VALUE |
                       LEVY_MEASURE_CONTINUATION | LEVY_MEASURE_UPPER_BOUND | LEVY_RESULTS_PURE,
    RESULTS_BOUNDED = LEVY_MEASURE_PRICE | LEVY_MEASURE_SCENARIO_PRICE | /* by a rule of exercise */
                      LEVY_MEASURE_CONTINUATION | LEVY_MEASURE_UPPER_BOUND,
    RESULTS_PRICES = RESULTS_UNBUMPED | LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL
};

/* If the regime's switching depends on a return, a bump that moves returns makes some paths switch
 * at other dates. */
static bool results_changes_regimes(const levy_trade *trade, const levy_image_output *output)
{
    const uint32_t moves =
        ~(uint32_t)(LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA);
    return output->measure & moves && levy_bump_is_restless(trade);
}

/* [levy_doubt] */
static const char *const results_doubts[] = {
    [LEVY_DOUBT_NONE] = NULL,
    [LEVY_DOUBT_TOUCHES] = "unreliable: too few paths touch the barrier",
    [LEVY_DOUBT_JUMPS] = "unreliable: too few paths have the rarest jumps",
    [LEVY_DOUBT_BELOW] = ("unreliable: the interval reaches below 0, which no path pays: far out "
                          "of the money, so take more paths"),
    [LEVY_DOUBT_UNIMPLIED] = NULL};

/* Whether there is a value. */
static const char *const results_unimplied[2] = {
    "no value: no volatility gives this price",
    "unreliable: the interval of the price reaches one that no volatility gives"};

/* Why there is no value. */
static const char *results_none(const levy_trade *trade)
{
    return trade->claim.stands_in
               ? "no value: this spot stands for today's fixing; give today's fixings of all "
                 "underlyings, or of none"
               : "no value: the bumped market cannot be simulated";
}

/* That a bump of the user is too wide, by its name. */
static const char *results_wide(uint32_t measure)
{
    if (measure & LEVY_MEASURE_DELTA_MINIMUM_VARIANCE)
        return "biased: bumps.spot or bumps.volatility is wide beside what levels move until "
               "expiry, or the way to a jump";
    if (measure & LEVY_MEASURE_DELTA)
        return "biased: bumps.spot is wide beside what levels move until expiry, or the way to a "
               "jump";
    if (measure & (LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA))
        return "biased: bumps.gamma is wide beside what levels move until expiry, or the way to a "
               "jump";
    if (measure & LEVY_MEASURE_VANNA)
        return "biased: bumps.gamma or bumps.volatility is wide beside the deviation at expiry";
    if (measure & (LEVY_MEASURE_VEGA | LEVY_MEASURE_VEGA_BY_NODE | LEVY_MEASURE_VOLGA |
                   LEVY_MEASURE_PARAMETERS))
        return "biased: bumps.volatility is wide beside the volatility";
    return "biased: bumps.rate is wide beside what levels move until expiry";
}

static const char *results_flag(const levy_plan *plan, const levy_trade *trade,
                                const levy_image_output *output, const levy_estimate *estimate)
{
    const levy_doubt doubt = estimate->doubt;
    const bool exact = estimate->interval == LEVY_INTERVAL_EXACT;
    if (output->remarks & LEVY_OUTPUT_NOT_BUMPED) return NULL; /* results_objection says it */
    if (output->remarks & LEVY_OUTPUT_HEAVY && !exact)
        return "unreliable: very rare paths determine the mean";
    if (doubt == LEVY_DOUBT_UNIMPLIED) return results_unimplied[!isnan(estimate->value)];
    if (doubt != LEVY_DOUBT_NONE) return results_doubts[doubt];
    if (output->remarks & LEVY_OUTPUT_ONE_SIDED)
        return "one-sided: the other bumped market cannot be simulated";
    if (output->measure & RESULTS_PRICES) return NULL;
    if (!(output->measure & LEVY_MEASURE_THETA) &&
        levy_bump_is_coarse(&plan->problem->simulation, trade))
        return "biased: single precision tells no bump apart that is small beside what levels move "
               "until expiry; use double";
    if (output->remarks & LEVY_OUTPUT_ACROSS) {
        if (levy_payoffs[trade->kind.payoff]->barrier)
            return "biased: a bumped spot is beyond the barrier";
        return "biased: a bumped spot is beyond what decides today";
    }
    return output->remarks & LEVY_OUTPUT_WIDE ? results_wide(output->measure) : NULL;
}

/* Why a difference has a large error, which its interval shows: it holds as often as others. */
static const char *results_noise(const levy_trade *trade, const levy_image_output *output,
                                 levy_interval_kind interval)
{
    const bool bumped = !(output->measure & RESULTS_PRICES);
    if (!bumped || interval == LEVY_INTERVAL_EXACT || interval == LEVY_INTERVAL_UNRELIABLE)
        return NULL;
    if (levy_trade_is_discontinuous(trade)) return "noisy: the bump crosses a discontinuity";
    if (!results_changes_regimes(trade, output)) return NULL;
    return "noisy: bumps change the regimes on the path";
}

/* What goes for all numbers of the trade. False: no memory. */
static bool results_remark(levy_arena *arena, const levy_trade *trade,
                           const levy_image_output *output, const char **note)
{
    static const char stepped[] =
        "O(dt): the discretization error is proportional to the model's step";
    const bool steps = output->remarks & LEVY_OUTPUT_STEPPED;
    *note = steps ? stepped : trade->unsmoothed;
    if (steps && trade->unsmoothed)
        *note = levy_arena_format(arena, "%s; %s", stepped, trade->unsmoothed);
    return *note || !trade->unsmoothed;
}

/* The rights of a script that is fitted; NULL: it is none, or has none. */
static const levy_script *results_rights(const levy_trade *trade)
{
    const levy_scripted *const s = trade->kind.scripted;
    return s && s->rights ? &s->script : NULL;
}

/* Which bound of the position's value an output is: what bounds a held option from above bounds a
 * sold one from below. An upper bound is one of exercise on the dates of the rule. */
static const char *results_of_bound(const levy_trade *trade, bool above)
{
    static const char *const texts[2][2] = {{"lower bound (simulation, Longstaff-Schwartz)",
                                             "upper bound (simulation, Longstaff-Schwartz)"},
                                            {"upper bound (simulation, martingale)",
                                             "lower bound (simulation, martingale)"}},
                             *const on_steps[2] = {
                                 "upper bound of exercise on its steps' dates (simulation, "
                                 "martingale)",
                                 "lower bound of exercise on its steps' dates (simulation, "
                                 "martingale)"};
    const levy_script *const script = results_rights(trade);
    bool sold = levy_trade_scale(trade) < 0.0;
    for (size_t k = 0; script && k < script->n_rights; ++k)
        if (script->rights[k].issuer != script->rights[0].issuer)
            return "no bound: both parties have a rule (simulation, Longstaff-Schwartz)";
    if (script && script->rights[0].issuer) sold = !sold;
    return above && trade->early && trade->early->american ? on_steps[sold] : texts[above][sold];
}

/* Of an option that is exercised by a fitted rule. To first order a spot's bump sees no error of
 * the rule today, while other bumps do. */
static const char *results_of_rule(const levy_trade *trade, const levy_image_output *output,
                                   levy_interval_kind interval)
{
    static const uint32_t spots =
        LEVY_MEASURE_DELTA | LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_THETA;
    const bool above = output->measure & LEVY_MEASURE_UPPER_BOUND;
    const levy_stage_policy policy = trade->stage ? trade->stage->policy : LEVY_STAGE_SCENARIOS;
    if (policy == LEVY_STAGE_FROZEN &&
        output->measure & (LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL))
        return "policy frozen: by the rule of today's market";
    if (above || output->measure & RESULTS_BOUNDED) return results_of_bound(trade, above);
    if (output->measure & RESULTS_PRICES || interval == LEVY_INTERVAL_EXACT)
        return results_noise(trade, output, interval);
    if (policy == LEVY_STAGE_REFIT)
        return "each bump is fitted anew, and what fits differ by is not in the interval";
    if (output->measure & spots) return results_noise(trade, output, interval);
    return "to first order: the rule of exercise stays, and its error is not in the interval";
}

static const char *results_note(const levy_plan *plan, const levy_trade *trade,
                                const levy_image_output *output, levy_interval_kind interval)
{
    if (interval == LEVY_INTERVAL_UNRELIABLE && plan->image->n_replicates == 1)
        return "unreliable: too few paths pay";
    if (interval == LEVY_INTERVAL_UNRELIABLE)
        return "unreliable: too few replicates have distinct values";
    if (output->measure & LEVY_MEASURE_EXERCISE_VALUE) return NULL;
    if (plan->group->early)
        return levy_early_method(LEVY_IMAGE_AT(double, plan->image, item_reals) +
                                 (size_t)(output->first_item + output->term[0]) * LEVY_ITEM_REALS);
    if (trade->early || results_rights(trade)) return results_of_rule(trade, output, interval);
    if (plan->still && plan->group->integrated) return "integrated: no draw is left";
    if (plan->still) return "nothing is random: no draw of the model moves this trade";
    return results_noise(trade, output, interval);
}

/* Puts the note in place of what goes for all numbers, which is said beside that of a rule: a bound
 * holds up to the error of steps. False: no memory. */
static bool results_add(levy_arena *arena, const char *note, const levy_trade *trade,
                        const levy_image_output *output, const char **all)
{
    const bool steps = output->remarks & LEVY_OUTPUT_STEPPED;
    const char *const join = steps && output->measure & RESULTS_BOUNDED ? ", up to " : "; ";
    if (!note) return true;
    const bool both = *all && (trade->early || results_rights(trade));
    *all = both ? levy_arena_format(arena, "%s%s%s", note, join, *all) : note;
    return *all != NULL;
}

/* A number that may be wrong is a bound all the same. False: no memory. */
static bool results_add_bound(levy_arena *arena, const levy_plan *plan, const levy_trade *trade,
                              const levy_image_output *output, const char **note)
{
    const bool has_rule = !plan->group->early && (trade->early || results_rights(trade));
    if (has_rule && output->measure & RESULTS_BOUNDED)
        *note = levy_arena_format(arena, "%s; %s", *note,
                                  results_of_rule(trade, output, LEVY_INTERVAL_UNRELIABLE));
    return *note != NULL;
}

static bool results_say(levy_arena *arena, const char *names, const char *why, const char **all)
{
    *all = *all ? levy_arena_format(arena, "%s; no %s: %s", *all, names, why)
                : levy_arena_format(arena, "no %s: %s", names, why);
    return *all != NULL;
}

/* Says with the price of an option that is exercised early which measures it is asked for and has
 * not. False: no memory. */
static bool results_add_missing(levy_arena *arena, const levy_plan *plan, const levy_trade *trade,
                                const levy_image_output *output, const char **all)
{
    static const uint32_t of_paths = LEVY_MEASURE_CASH_FLOWS | LEVY_MEASURE_PROBABILITY |
                                     LEVY_MEASURE_EXPECTED_LIFE | LEVY_MEASURE_UPPER_BOUND;
    const char *names = "";
    const bool scripted = results_rights(trade);
    const char *const without = scripted ? trade->kind.scripted->rights->without : NULL;
    if ((!trade->early && !scripted) || output->measure != LEVY_MEASURE_PRICE) return true;
    uint32_t missing = trade->stage ? LEVY_MEASURE_BOUNDARY : of_paths;
    if (trade->stage && trade->stage->level) missing = 0;
    if (scripted) missing |= LEVY_MEASURES_OF_TODAY;
    if (scripted && !trade->kind.scripted->bound && !without) missing |= LEVY_MEASURE_UPPER_BOUND;
    if (without && !results_say(arena, "upper_bound", without, all)) return false;
    for (missing &= levy_trade_asks(plan->problem, trade); missing && names; missing &= missing - 1)
        names = levy_arena_format(arena, "%s%s%s", names, *names ? ", " : "",
                                  levy_measures[__builtin_ctz(missing)].name);
    if (!names || !*names) return names != NULL;
    const char *why = trade->stage ? "more than a level decides" : "no path is drawn";
    if (scripted) why = trade->early ? "notice is given of it" : "a script's rights have none";
    return results_say(arena, names, why, all);
}

/* And what the fit says of it. False: no memory. */
static bool results_add_fit(levy_arena *arena, const levy_plan *plan,
                            const levy_image_output *output, const char **all)
{
    const char *const note = plan->notes && output->measure == LEVY_MEASURE_PRICE &&
                                     output->trade < plan->group->n_trades
                                 ? plan->notes[output->trade]
                                 : NULL;
    if (note) *all = *all ? levy_arena_format(arena, "%s; %s", *all, note) : note;
    return !note || *all != NULL;
}

/* Why a trade has no value of the measure, or in the scenario of that id; NULL: no memory. */
static const char *results_objection(levy_arena *arena, const levy_problem *problem,
                                     const levy_trade *trade, uint32_t measure, const char *id)
{
    levy_black_option option;
    const bool implied = measure & LEVY_MEASURE_IMPLIED_VOLATILITY;
    const char *why = implied ? levy_trade_black_option(trade, &option) : NULL;
    if (!implied && !(measure & (LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL)))
        return results_none(trade);
    for (size_t i = 0; i < problem->n_scenarios && !implied && !why; ++i)
        if (strcmp(problem->scenarios[i].id, id) == 0)
            why = levy_scenario_objection(&problem->scenarios[i], trade);
    return why ? levy_arena_format(arena, "no value: %s", why) : results_none(trade);
}

/* More than the error, and more than is in doubt. */
static bool results_steps_leave(const levy_measure *measure, double doubt)
{
    const double left = fabs(measure->step_bias);
    return left > measure->std_error && left > doubt;
}

bool levy_results_set_measure(levy_arena *arena, const levy_plan *plan, const levy_trade *trade,
                              const levy_image_output *output, const levy_estimate *estimate,
                              double bias, levy_step_bias steps, levy_measure *measure)
{
    const bool none = (output->remarks & LEVY_OUTPUT_NOT_BUMPED) != 0;
    const levy_estimate whole =
        none ? levy_estimate_none()
             : levy_estimate_bias(*estimate, bias, plan->problem->simulation.confidence);
    *measure = (levy_measure){.measure = levy_measures[__builtin_ctz(output->measure)].name,
                              .factor = plan->labels[output->factor],
                              .value = whole.value,
                              .std_error = whole.std_error,
                              .note = results_flag(plan, trade, output, estimate),
                              .ci_low = whole.ci_low,
                              .ci_high = whole.ci_high,
                              .interval = levy_interval_text(whole.interval),
                              .step_bias = none ? NAN : steps.value,
                              .step_bias_se = none ? NAN : steps.std_error};
    if (!measure->note && results_steps_leave(measure, steps.doubt))
        measure->note = levy_netting_steps;
    if (none) {
        measure->note = results_objection(arena, plan->problem, trade, output->measure,
                                          plan->labels[output->factor]);
        if (!measure->note) return false;
    }
    measure->flagged = measure->note || estimate->interval == LEVY_INTERVAL_UNRELIABLE;
    if (measure->note) return none || results_add_bound(arena, plan, trade, output, &measure->note);
    return results_remark(arena, trade, output, &measure->note) &&
           results_add(arena, results_note(plan, trade, output, estimate->interval), trade, output,
                       &measure->note) &&
           results_add_missing(arena, plan, trade, output, &measure->note) &&
           results_add_fit(arena, plan, output, &measure->note);
}
