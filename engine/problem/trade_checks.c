/* trade_checks.c: refuses what a model cannot give a trade: measures, discounts at dates other than
 * expiry, correlations, and settings that need Brownian motions. See trade.h. */
#include "engine/problem/trade.h"
#include "engine/problem/trade_black.h"

#include <string.h>

/* Checks what regimes ask of a trade. Rates that differ by regime discount only up to expiry,
 * because later regimes are not simulated. */
bool levy_trade_check_regimes(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const size_t watched = levy_model_watches(model->kind, model->terms);
    const levy_node *const several = frame->raw->underlyings.node;
    bool seen = watched == SIZE_MAX || levy_trade_pays_fixed(frame);
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        seen = seen || trade->underlyings[u] == watched;
    if (!seen)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, several ? several : frame->raw->node,
                           levy_trade_path(frame, "underlyings"),
                           "Add the asset to the underlyings, or use another model.",
                           "switching in the model '%s' depends on %s, which is not an underlying "
                           "of this trade",
                           model->name, model->assets[watched]->name);
    if (trade->claim.payment_time == trade->claim.expiry) return true;
    if (!levy_model_discounts(model->kind, model->terms)) return true;
    const levy_node *const date = frame->raw->payment_date.node; /* a leg has its trade's lag */
    return LEVY_REFUSE(frame->build, UNSUPPORTED,
                       date ? date : levy_check_at(frame->raw->node, "payment_lag"),
                       levy_trade_path(frame, date ? "payment_date" : "payment_lag"),
                       "Pay at expiry, or remove the regimes' rates.",
                       "regime-dependent rates discount only up to expiry, but payment is "
                       "later");
}

bool levy_trade_check_days(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    levy_model_terms *const terms = (levy_model_terms *)(uintptr_t)model->terms; /* only read */
    const levy_model_days *const days = kind->days ? kind->days(terms) : NULL;
    if (!days || !days->is_dated || days->names.count == 0) return true;
    const levy_date expiry = days->valuation + (levy_date)(trade->claim.expiry * 365.0 + 0.5);
    return levy_market_knows_days(frame->build, frame->market, &days->names, days->calendars,
                                  levy_check_text(frame->build, "models.%s.calendars", model->name),
                                  days->valuation, expiry);
}

/* Rates that differ by regime discount a path once, at expiry. Payments before have no discount of
 * their own, and a script's reports must have none. */
bool levy_trade_check_discounts(const levy_trade_frame *frame, const levy_trade *trade)
{
    if (!levy_model_discounts(trade->model->kind, trade->model->terms)) return true;
    if (levy_payoffs[trade->kind.payoff]->is_forward)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, frame->raw->payoff.node,
                           levy_trade_path(frame, "payoff"),
                           "Write legs: a call held and a put written, at the forward's strike.",
                           "the strike of a forward is discounted on the curve, but rates depend "
                           "on the regime");
    const bool scripted = trade->kind.scripted && trade->form != LEVY_FORM_SCRIPT;
    if (!scripted && (!levy_trade_pays_at_hit(trade) || trade->state == LEVY_TRADE_KNOWN))
        return true;
    return LEVY_REFUSE(
        frame->build, UNSUPPORTED, frame->raw->payoff.node, levy_trade_path(frame, "payoff"),
        scripted ? "Remove the regimes' rates." : "Pay at expiry, or remove the regimes' rates.",
        "regime-dependent rates discount at expiry alone, but %s",
        scripted ? "scripts pay on their dates" : "a payment at hit is earlier");
}

/* The bit of a measure. */
static uint32_t checks_measure(const char *name)
{
    size_t choice = 0;
    while (strcmp(levy_measure_names[choice], name) != 0) ++choice;
    return levy_measure_bit(choice);
}

bool levy_trade_refuse_measure(const levy_trade_frame *frame, const levy_trade *trade,
                               const char *name, const char *why)
{
    const bool own = trade->measures != 0;
    return LEVY_REFUSE(
        frame->build, UNSUPPORTED, own ? frame->raw->measures.node : frame->raw->node,
        levy_trade_path(frame, "measures"),
        own ? levy_check_text(frame->build, "Remove %s.", name)
            : levy_check_text(frame->build, "Give the trade its own measures, without %s.", name),
        "%s", why);
}

static bool checks_refuse_measure(const levy_trade_frame *frame, const levy_trade *trade,
                                  const char *name, const char *why)
{
    return levy_trade_refuse_measure(
        frame, trade, name,
        levy_check_text(frame->build, "%s is not available under the model '%s' of kind %s%s", name,
                        trade->model->name, levy_model_kinds[trade->model->kind]->kind, why));
}

/* Whether the book gives the correlation of one underlying with the variance of another. */
static bool checks_crosses_variances(const levy_trade *trade)
{
    const levy_correlation *const c = &trade->model->correlation;
    const size_t n = trade->model->n_assets;
    const uint32_t *const at = trade->underlyings;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        for (size_t j = 0; j < trade->n_underlyings; ++j)
            if (i != j && levy_correlation_own(c, 0, at[i], at[j] + n) != LEVY_NO_CORRELATION)
                return true;
    return false;
}

/* Refuses measures that the model does not have. Theta lets time pass by subtracting what the
 * drivers moved (dynamics.h), but jumps would stay. */
static bool checks_model_measures(const levy_trade_frame *frame, const levy_trade *trade)
{
    static const char *const jumping[] = {"theta", NULL};
    const levy_model_kind *const kind = levy_model_kinds[trade->model->kind];
    const bool jumps =
        levy_model_features(trade->model->kind, trade->model->terms) & LEVY_MODEL_JUMPS;
    const uint32_t measures = levy_trade_asks(frame->problem, trade);
    const char *const *const refused =
        kind->refuses ? kind->refuses(trade->model->terms) : kind->without;
    for (const char *const *name = refused ? refused
                                   : jumps ? jumping
                                           : NULL;
         name && *name; ++name)
        if (measures & checks_measure(*name)) return checks_refuse_measure(frame, trade, *name, "");
    if (!(measures & LEVY_MEASURE_DELTA_MINIMUM_VARIANCE) || levy_trade_pays_fixed(frame))
        return true;
    if (!kind->variance)
        return checks_refuse_measure(frame, trade, "delta_minimum_variance",
                                     ", which has no variance that goes with the asset: delta is "
                                     "all of it");
    if (checks_crosses_variances(trade))
        return checks_refuse_measure(frame, trade, "delta_minimum_variance",
                                     ", where the book correlates an asset with the variance of "
                                     "another: each would hedge all variances");
    return true;
}

/* Refuses measures that a trade asks for by itself and has not. */
static bool checks_own_measures(const levy_trade_frame *frame, const levy_trade *trade)
{
    const uint32_t pairs = LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_CORRELATION;
    const char *const path = levy_trade_path(frame, "measures");
    const char *const objection = levy_trade_black_objection(trade);
    if (trade->measures & LEVY_MEASURE_IMPLIED_VOLATILITY && objection)
        return LEVY_REFUSE(frame->build, INCONSISTENT, frame->raw->measures.node, path,
                           "Remove implied_volatility.", "%s", objection);
    if (!(trade->measures & pairs) || trade->n_underlyings > 1 || levy_trade_pays_fixed(frame))
        return true;
    return LEVY_REFUSE(frame->build, INCONSISTENT, frame->raw->measures.node, path,
                       "Remove cross_gamma and correlation.",
                       "cross_gamma and correlation need pairs of assets, but the trade has "
                       "one asset");
}

/* Refuses underlyings that the market correlates and the model cannot. */
static bool checks_unplaced(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_model *model = trade->model;
    for (size_t i = 0; model->unplaced && i < trade->n_underlyings; ++i)
        for (size_t j = 0; j < i; ++j) {
            const size_t x = trade->underlyings[i], y = trade->underlyings[j], a = x < y ? x : y,
                         b = x < y ? y : x;
            if (model->unplaced[a * model->n_assets + b] == 0) continue;
            return LEVY_REFUSE(frame->build, UNSUPPORTED, frame->raw->underlyings.node,
                               levy_trade_path(frame, "underlyings"),
                               "Remove the pair from market.correlations, or use another kind of "
                               "model.",
                               "the model '%s' assumes independent assets; it cannot use the "
                               "correlation of %s and %s",
                               model->name, model->assets[a]->name, model->assets[b]->name);
        }
    return true;
}

/* Checks what the book asks of a model that has its own drivers. */
static bool checks_drivers(const levy_trade_frame *frame, const levy_trade *trade)
{
    const uint32_t features = levy_model_features(trade->model->kind, trade->model->terms);
    const levy_node *node = levy_check_at(frame->raw->node, "model");
    const char *path = levy_trade_path(frame, "model"),
               *kind = levy_model_kinds[trade->model->kind]->kind;
    if (features & LEVY_MODEL_GAMMA &&
        frame->problem->simulation.construction == LEVY_CONSTRUCTION_PCA)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, node, path,
                           "Write construction: bridge, or incremental.",
                           "construction pca needs Brownian motions, but the model '%s' of kind "
                           "%s has none",
                           trade->model->name, kind);
    if (features & LEVY_MODEL_GAMMA &&
        (frame->problem->simulation.first_average || frame->problem->simulation.first_components))
        return LEVY_REFUSE(frame->build, UNSUPPORTED, node, path,
                           "Write construction: bridge, or incremental.",
                           "functionals that come first need Brownian motions, but the model '%s' "
                           "of kind %s has none",
                           trade->model->name, kind);
    for (size_t i = 0; features & LEVY_MODEL_DRIVEN && i < frame->problem->n_scenarios; ++i) {
        const levy_scenario *scenario = &frame->problem->scenarios[i];
        if (!levy_scenario_moves_volatility(scenario, trade)) continue;
        LEVY_WARN(frame->build, UNSUPPORTED, node, path,
                  "Shift only spots and curves for this trade, or price it in a book "
                  "without that scenario.",
                  "no value in the scenario '%s', which shifts volatilities: the model "
                  "'%s' of kind %s %s",
                  scenario->id, trade->model->name, kind,
                  levy_model_scales_once(trade->model)
                      ? "has one table, scaled to the quoted volatilities, for all scenarios"
                      : "does not use the market's volatilities");
        break;
    }
    return true;
}

bool levy_trade_check_measures(const levy_trade_frame *frame, const levy_trade *trade)
{
    return checks_model_measures(frame, trade) && checks_drivers(frame, trade) &&
           checks_unplaced(frame, trade) && checks_own_measures(frame, trade);
}
