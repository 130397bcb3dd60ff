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

/* A parameter by its name, at a time; NaN: the model has none. */
static double law_parameter(const levy_model *model, size_t asset, const char *name, double time)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const levy_nodes nodes = levy_parameter_nodes(kind, model->terms, name, asset);
    const levy_own_jumps *const jumps = kind->own_jumps ? kind->own_jumps(model->terms) : NULL;
    size_t k = 0;
    while (k + 1 < nodes.n && time > nodes.times[k]) ++k;
    if (nodes.n) return *levy_parameter_of(kind, model->terms, name, asset, k);
    if (!jumps) return NAN;
    if (strcmp(name, "intensity") == 0) return jumps->intensity;
    if (strcmp(name, "jump_mean") == 0) return jumps->mark.mean;
    return strcmp(name, "jump_volatility") == 0 ? jumps->mark.volatility : NAN;
}

/* The law whose terms are others at other times, and its parameters. */
static const levy_exponent *law_by_term(levy_arena *arena, const levy_model *model, size_t asset,
                                        const levy_exponent *law, double **parameters)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    size_t n = 0, at = 2;
    double end = 0.0;
    for (; end < INFINITY; ++n) end = levy_model_break(kind, model->terms, asset, end);
    double *const p = levy_arena_allocate(arena, 2 + n * LEVY_HESTON_TERM + law->n, sizeof *p);
    if (!p) return NULL;
    p[0] = law_parameter(model, asset, law->parameters[0].name, 0.0);
    p[1] = (double)n;
    for (end = 0.0; end < INFINITY;) {
        end = levy_model_break(kind, model->terms, asset, end);
        p[at++] = end;
        for (size_t i = 1; i < LEVY_HESTON_TERM; ++i)
            p[at++] = law_parameter(model, asset, law->parameters[i].name, end);
    }
    for (size_t i = LEVY_HESTON_TERM; i < law->n; ++i)
        p[at++] = law_parameter(model, asset, law->parameters[i].name, 0.0);
    *parameters = p;
    return law == &levy_exponent_heston ? &levy_exponent_heston_terms : &levy_exponent_bates_terms;
}

static const levy_exponent *law_of(levy_arena *arena, const levy_trade *trade, double **parameters)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const levy_exponent *const law = levy_exponent_find(kind->kind);
    if (!law || trade->n_underlyings != 1 || model->terms->jumps.count > 0) return NULL;
    if (levy_trade_is_paid_by_path(trade)) return NULL; /* another law */
    const size_t asset = trade->underlyings[0];
    if (levy_model_break(kind, model->terms, asset, 0.0) < INFINITY)
        return law_by_term(arena, model, asset, law, parameters);
    *parameters = levy_arena_allocate(arena, law->n, sizeof **parameters);
    for (size_t i = 0; *parameters && i < law->n; ++i) {
        (*parameters)[i] = law_parameter(model, asset, law->parameters[i].name, 0.0);
        if (isnan((*parameters)[i])) return NULL;
    }
    return *parameters ? law : NULL;
}

const char *levy_closed_law(levy_arena *arena, const levy_trade *priced, double *price)
{
    levy_trade room;
    const levy_trade *const trade = levy_trade_written(priced, &room);
    const double expiry = trade->claim.expiry;
    double *parameters;
    if (trade->kind.aggregate != LEVY_AGGREGATE_NONE || levy_trade_pays_cash(trade)) return NULL;
    if (levy_trade_bend(trade).of != LEVY_EDGE_END || !(trade->claim.coefficients[0] > 0.0))
        return NULL;
    const levy_exponent *const law = law_of(arena, trade, &parameters);
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
