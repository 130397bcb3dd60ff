/* closed_law.c: calls and puts on one asset by the characteristic function of its price at expiry
 * (engine/fourier/cos.h), for models whose parameters the trade's terms have: heston and bates. See
 * closed_form.h. */
#include "engine/study/closed_form.h"

#include "engine/fourier/cos.h"
#include "engine/market/parameter.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

static const double law_error = 1e-12; /* of a put by its strike */

/* A parameter by its name; NaN: the model has none. */
static double law_parameter(const levy_model *model, size_t asset, const char *name)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const double *const own = levy_parameter_of(kind, model->terms, name, asset);
    const levy_own_jumps *const jumps = kind->own_jumps ? kind->own_jumps(model->terms) : NULL;
    if (own) return *own;
    if (!jumps) return NAN;
    if (strcmp(name, "intensity") == 0) return jumps->intensity;
    if (strcmp(name, "jump_mean") == 0) return jumps->mark.mean;
    return strcmp(name, "jump_volatility") == 0 ? jumps->mark.volatility : NAN;
}

static const levy_exponent *law_of(const levy_trade *trade, double *parameters)
{
    const levy_model *const model = trade->model;
    const levy_exponent *const law = levy_exponent_find(levy_model_kinds[model->kind]->kind);
    if (!law || trade->n_underlyings != 1 || model->terms->jumps.count > 0) return NULL;
    for (size_t i = 0; i < law->n; ++i) {
        parameters[i] = law_parameter(model, trade->underlyings[0], law->parameters[i].name);
        if (isnan(parameters[i])) return NULL;
    }
    return law;
}

const char *levy_closed_law(levy_arena *arena, const levy_trade *priced, double *price)
{
    levy_trade room;
    const levy_trade *const trade = levy_trade_written(priced, &room);
    const double expiry = trade->claim.expiry;
    double parameters[LEVY_EXPONENT_MOST];
    if (trade->kind.aggregate != LEVY_AGGREGATE_NONE || levy_trade_pays_cash(trade)) return NULL;
    if (levy_trade_bend(trade).of != LEVY_EDGE_END || !(trade->claim.coefficients[0] > 0.0))
        return NULL;
    const levy_exponent *const law = law_of(trade, parameters);
    const levy_asset *const asset = levy_trade_asset(trade, 0);
    const double strike = trade->claim.terms->strike;
    if (!law || !(strike > 0.0)) return NULL;
    const double forward = trade->claim.coefficients[0] * asset->spot *
                           levy_exp(levy_asset_log_forward(asset, expiry)),
                 log_strike = levy_log(strike / forward);
    levy_cos cos = {.room = LEVY_COS_MOST};
    cos.terms = levy_arena_allocate(arena, cos.room, sizeof *cos.terms);
    if (!cos.terms ||
        !levy_cos_begin(&cos, law, parameters, expiry, log_strike, log_strike, law_error, false))
        return NULL;
    const double put = forward * levy_cos_put(&cos, log_strike, NULL);
    const bool call = trade->claim.terms->option_type == LEVY_CALL;
    const double value = call ? put + forward - strike : put;
    if (!isfinite(value) || cos.left_out > law_error) return NULL;
    *price = levy_trade_discount(trade) * value;
    return "characteristic function";
}
