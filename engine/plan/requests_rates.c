/* requests_rates.c: the measures of a group by rates (requests.h): of all curves in parallel where
 * there is one currency, and of each spread over them; else of each curve. */
#include "engine/plan/requests.h"

#include "engine/plan/differences.h"

#include <math.h>

/* Whether a trade discounts on a curve, has its rates, or an underlying of it grows by it. */
static bool rates_use(const levy_requests *w, const levy_trade *trade, const levy_curve *curve)
{
    bool uses = levy_curve_is_on(trade->discount_curve, curve) ||
                levy_curve_is_on(trade->forward_curve, curve);
    for (size_t u = 0; u < w->dynamics->n_assets; ++u)
        uses = uses || levy_asset_grows(levy_requests_asset(w, u), curve);
    return uses;
}

static double rates_horizon(const levy_trade *trade)
{
    return fmax(trade->claim.payment_time, trade->claim.expiry);
}

bool levy_requests_reach(const levy_requests *w, const levy_trade *trade, const levy_curve *curve,
                         size_t node)
{
    return rates_use(w, trade, curve) &&
           (node == 0 || node == SIZE_MAX ||
            levy_curve_nodes(curve).times[node - 1] < rates_horizon(trade));
}

/* The curves that some trade of a group uses, each once: those of its assets come first. */
typedef struct rates_curves {
    const levy_curve **items;
    size_t n, room;
} rates_curves;

static levy_status rates_add(const levy_requests *w, rates_curves *curves, const levy_curve *curve)
{
    for (; curve; curve = curve->over) {
        bool seen = false;
        for (size_t i = 0; i < curves->n; ++i) seen = seen || curves->items[i] == curve;
        if (seen) continue;
        if (!LEVY_ARENA_GROW(w->arena, curves->items, curves->n, curves->room, 8))
            return LEVY_MEMORY;
        curves->items[curves->n++] = curve;
    }
    return LEVY_OK;
}

static levy_status rates_list(const levy_requests *w, rates_curves *curves)
{
    const size_t n = w->dynamics->n_assets;
    *curves = (rates_curves){0};
    for (size_t u = 0; u < n; ++u) {
        const levy_asset *const asset = levy_requests_asset(w, u), *const fx = asset->quanto.fx;
        const levy_curve *own[4] = {asset->curve, asset->base_curve};
        if (asset->quanto.composite) own[2] = fx->curve, own[3] = fx->base_curve;
        for (size_t k = 0; k < 4; ++k)
            if (own[k] && levy_asset_grows(asset, own[k])) LEVY_TRY(rates_add(w, curves, own[k]));
    }
    for (size_t t = 0; t < w->group->n_trades; ++t)
        LEVY_TRY(rates_add(w, curves, levy_requests_trade(w, t)->discount_curve));
    for (size_t t = 0; t < w->group->n_trades; ++t)
        LEVY_TRY(rates_add(w, curves, levy_requests_trade(w, t)->forward_curve));
    return LEVY_OK;
}

static bool rates_are_of_two(const levy_requests *w)
{
    bool two = levy_trade_forwards(w->dynamics->trade);
    for (size_t u = 0; u < w->dynamics->n_assets; ++u)
        two = two || levy_requests_asset(w, u)->base_curve || levy_requests_asset(w, u)->quanto.of;
    return two;
}

levy_status levy_requests_rho(levy_requests *w)
{
    const double h = levy_bump_rate(w->dynamics, &w->problem->simulation, w->classes[w->now]);
    const char *const currency = w->dynamics->trade->header.currency;
    levy_shift shift = {.factor = LEVY_SHIFT_RATE, .node = SIZE_MAX};
    const bool two = rates_are_of_two(w);
    rates_curves curves;
    if (!two)
        LEVY_TRY(levy_requests_central(w, LEVY_MEASURE_RHO,
                                       levy_requests_name(w, currency, shift.factor), shift, h, h));
    LEVY_TRY(rates_list(w, &curves));
    for (size_t i = 0; i < curves.n; ++i) {
        shift.curve = curves.items[i];
        if (!two && !shift.curve->over) continue;
        LEVY_TRY(levy_requests_central(w, LEVY_MEASURE_RHO,
                                       levy_requests_name(w, shift.curve->name, shift.factor),
                                       shift, h, h));
    }
    return LEVY_OK;
}

levy_status levy_requests_rho_by_node(levy_requests *w)
{
    const double h = levy_bump_rate(w->dynamics, &w->problem->simulation, w->classes[w->now]);
    double horizon = 0.0;
    rates_curves curves;
    LEVY_TRY(rates_list(w, &curves));
    for (size_t t = 0; t < w->group->n_trades; ++t)
        horizon = fmax(horizon, rates_horizon(levy_requests_trade(w, t)));
    for (size_t i = 0; i < curves.n; ++i) {
        const levy_shift shift = {
            .factor = LEVY_SHIFT_RATE, .curve = curves.items[i], .node = SIZE_MAX};
        LEVY_TRY(levy_requests_nodes(w, LEVY_MEASURE_RHO_BY_NODE, shift.curve->name, shift,
                                     levy_curve_nodes(shift.curve), horizon, h));
    }
    return LEVY_OK;
}
