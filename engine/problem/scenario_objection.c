/* scenario_objection.c: says why a trade has no value in a scenario (problem.h), and warns of it
 * (scenarios.h). */
#include "engine/problem/scenarios.h"

#include <string.h>

size_t levy_model_asset(const levy_model *model, const levy_asset *asset)
{
    size_t i = 0;
    while (i < model->n_assets && !levy_asset_is(model->assets[i], asset)) ++i;
    return i;
}

static bool objection_has(const levy_trade *trade, const levy_asset *asset)
{
    bool has = false;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        has = has || levy_asset_is(levy_trade_asset(trade, i), asset) ||
              levy_trade_asset(trade, i)->quanto.fx == asset;
    return has;
}

static bool objection_sees(const levy_trade *trade, const levy_scenario_fault *fault)
{
    if (fault->asset)
        return objection_has(trade, fault->asset) &&
               (!fault->other || objection_has(trade, fault->other));
    bool sees = levy_curve_is_on(trade->discount_curve, fault->curve) ||
                levy_curve_is_on(trade->forward_curve, fault->curve);
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        sees = sees || levy_asset_grows(levy_trade_asset(trade, i), fault->curve);
    return sees;
}

bool levy_scenario_moves_volatility(const levy_scenario *scenario, const levy_trade *trade)
{
    bool moves = false;
    for (size_t k = 0; k < scenario->n_shifts; ++k) {
        const levy_shift *shift = &scenario->shifts[k];
        bool ours = !shift->asset;
        for (size_t i = 0; i < trade->n_underlyings; ++i)
            ours = ours || levy_asset_is(levy_trade_asset(trade, i), shift->asset);
        moves = moves || (ours && shift->factor == LEVY_SHIFT_VOLATILITY);
    }
    return moves;
}

bool levy_model_scales_once(const levy_model *model)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    return levy_model_features(model->kind, model->terms) & LEVY_MODEL_SHARED &&
           !(kind->volatility && kind->volatility(model->terms, 0) > 0.0);
}

/* Says why a model cannot let time pass, for scenarios and theta; NULL: it can. */
static const char *objection_waits(const levy_model *model)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const char *const *refused = kind->refuses ? kind->refuses(model->terms) : kind->without;
    if (levy_model_features(model->kind, model->terms) & LEVY_MODEL_JUMPS)
        return "time cannot pass under a model with jumps";
    for (; refused && *refused; ++refused)
        if (strcmp(*refused, "theta") == 0) return "time cannot pass under the model";
    return NULL;
}

/* Says why a correlation of a trade's underlyings cannot move; NULL: it can. */
static const char *objection_pairs(const levy_scenario *scenario, const levy_trade *trade,
                                   bool driven)
{
    const levy_model *const model = trade->model;
    const levy_correlation *const c = &model->correlation;
    for (size_t i = 0; i < scenario->n_shifts; ++i) {
        const levy_shift *const shift = &scenario->shifts[i];
        if (shift->factor != LEVY_SHIFT_CORRELATION || !objection_has(trade, shift->asset) ||
            !objection_has(trade, shift->other))
            continue;
        if (driven) return "the model does not use the market's correlations";
        if (shift->of_variance[0] || shift->of_variance[1]) continue;
        const size_t a = levy_model_asset(model, shift->asset),
                     b = levy_model_asset(model, shift->other);
        if (a == model->n_assets || b == model->n_assets) continue; /* of a rate of exchange */
        for (size_t k = 0; levy_trade_is_integrated(trade) && k < levy_correlation_pieces(c); ++k)
            if (levy_shift_moves(shift, SIZE_MAX, levy_correlation_of(c, k, a, b)) < 0.0)
                return "a correlation is negative in it, and the trade's first normal is "
                       "integrated: set simulation.smoothing to none";
    }
    return NULL;
}

const char *levy_scenario_objection(const levy_scenario *scenario, const levy_trade *trade)
{
    const bool driven =
        levy_model_features(trade->model->kind, trade->model->terms) & LEVY_MODEL_DRIVEN;
    if (driven && levy_scenario_moves_volatility(scenario, trade))
        return levy_model_scales_once(trade->model)
                   ? "the model's table, scaled to the quoted volatilities, serves all scenarios"
                   : "the model does not use the market's volatilities";
    const char *why = scenario->elapsed > 0.0 ? objection_waits(trade->model) : NULL;
    if (!why) why = objection_pairs(scenario, trade, driven);
    for (size_t i = 0; i < scenario->n_faults && !why; ++i)
        if (objection_sees(trade, &scenario->faults[i])) why = scenario->faults[i].why;
    return why;
}

/* Points of a grid that share an impossible size get one warning. */
void levy_scenarios_warn(levy_check *build, const levy_problem *problem)
{
    const levy_scenario_fault *last = NULL;
    for (size_t i = 0; i < problem->n_scenarios; ++i)
        for (size_t k = 0; k < problem->scenarios[i].n_faults; ++k) {
            const levy_scenario_fault *fault = &problem->scenarios[i].faults[k];
            if (last && last->node == fault->node) continue;
            bool seen = false;
            for (size_t t = 0; t < problem->n_trades && !seen; ++t)
                seen = levy_trade_is_planned(&problem->trades[t]) &&
                       objection_sees(&problem->trades[t], fault);
            if (!seen) continue;
            last = fault;
            LEVY_WARN(build, RANGE, fault->node, fault->path,
                      "Check the size, and whether type is relative or absolute.",
                      "%s: trades on it have no value in the scenario '%s'", fault->why,
                      problem->scenarios[i].id);
        }
}
