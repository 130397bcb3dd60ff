/* dynamics.c: the sets of a group, and what items read of one. See dynamics.h. */
#include "engine/plan/dynamics_parts.h"

#include "kernels/lane/scalar.h"

bool levy_dynamics_is_driven(const levy_dynamics_plan *p)
{
    return !p->group->known &&
           levy_model_features(p->trade->model->kind, p->trade->model->terms) & LEVY_MODEL_DRIVEN;
}

double levy_dynamics_own_volatility(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    const levy_model *const model = p->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    return kind->volatility && !p->group->known
               ? kind->volatility(p->terms[set], p->trade->underlyings[u])
               : 0.0;
}

double levy_dynamics_deviation(const levy_dynamics_plan *p, const levy_asset *asset, double t)
{
    for (size_t u = 0; u < p->n_assets; ++u)
        if (levy_trade_asset(p->trade, u) == asset && levy_dynamics_own_volatility(p, 0, u) > 0.0)
            return levy_dynamics_own_volatility(p, 0, u) * levy_sqrt(t);
    return levy_sqrt(levy_asset_variance(asset, t));
}

/* ---- Sets ---- */

levy_status levy_dynamics_add_set(levy_dynamics_plan *p, levy_arena *arena, levy_moved set,
                                  uint32_t *number)
{
    if (!LEVY_ARENA_GROW(arena, p->sets, p->n_sets, p->set_room, 16) ||
        !LEVY_ARENA_GROW(arena, p->terms, p->n_sets, p->terms_room, 16))
        return LEVY_MEMORY;
    const levy_model *const model = p->trade->model;
    LEVY_TRY(levy_moved_terms(&set, levy_model_kinds[model->kind], model->terms, model->assets,
                              model->n_assets, arena, &p->terms[p->n_sets]));
    p->sets[p->n_sets] = set;
    *number = (uint32_t)p->n_sets++;
    return LEVY_OK;
}

levy_status levy_dynamics_add(levy_dynamics_plan *p, levy_arena *arena, uint32_t set,
                              uint32_t *dynamics)
{
    if (!LEVY_ARENA_GROW(arena, p->set_of, p->n_dynamics, p->dynamics_room, 16)) return LEVY_MEMORY;
    p->set_of[p->n_dynamics] = set;
    *dynamics = (uint32_t)p->n_dynamics++;
    return LEVY_OK;
}

bool levy_dynamics_moves_returns(const levy_dynamics_plan *p, uint32_t set)
{
    const levy_moved *const s = &p->sets[set];
    bool moves = s->elapsed != 0.0;
    for (size_t i = 0; i < s->n_shifts; ++i) {
        bool ours =
            s->shifts[i].factor == LEVY_SHIFT_RATE || s->shifts[i].factor == LEVY_SHIFT_CORRELATION;
        for (size_t u = 0; u < p->n_assets; ++u)
            ours = ours || !s->shifts[i].asset ||
                   levy_asset_is(s->shifts[i].asset, levy_trade_asset(p->trade, u)) ||
                   levy_shift_is_paid(&s->shifts[i], levy_trade_asset(p->trade, u));
        moves = moves || (ours && (p->has_cash || s->shifts[i].factor != LEVY_SHIFT_SPOT));
    }
    return moves;
}

bool levy_dynamics_moves_asset(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    return levy_moved_is_asset(&p->sets[set], levy_trade_asset(p->trade, u));
}

size_t levy_dynamics_own_row(const levy_dynamics_plan *p)
{
    const size_t all = LEVY_OWN_FIRST + p->n_own * p->n_factors + p->n_assets * p->n_numbers;
    return p->n_own ? (all + 3) / 4 * 4 : 0;
}

double levy_dynamics_expiry(const levy_dynamics_plan *p)
{
    return p->group->times[p->group->n_nodes - 1];
}

double levy_dynamics_spot(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    return levy_moved_spot(&p->sets[set], levy_trade_asset(p->trade, u));
}

double levy_dynamics_time(const levy_dynamics_plan *p, uint32_t set, double time)
{
    return levy_moved_time(&p->sets[set], time);
}

levy_status levy_dynamics_curve(const levy_dynamics_plan *p, uint32_t set, const levy_curve *curve,
                                levy_arena *arena, const levy_curve **shifted)
{
    return levy_moved_curve(&p->sets[set], curve, arena, shifted);
}

levy_status levy_dynamics_discount(const levy_dynamics_plan *p, uint32_t set,
                                   const levy_trade *trade, levy_arena *arena, double *factor)
{
    const levy_curve *curve;
    *factor = levy_trade_discount(trade);
    if (set == 0) return LEVY_OK;
    LEVY_TRY(levy_dynamics_curve(p, set, trade->discount_curve, arena, &curve));
    if (curve == trade->discount_curve && p->sets[set].elapsed == 0.0) return LEVY_OK;
    *factor = levy_exp(
        levy_curve_log_discount(curve, levy_dynamics_time(p, set, trade->claim.payment_time)) -
        levy_curve_log_discount(curve, p->sets[set].elapsed));
    return LEVY_OK;
}

levy_status levy_dynamics_asset(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                levy_arena *arena, levy_asset *asset)
{
    const levy_asset *const quoted = levy_trade_asset(p->trade, u);
    const double own = levy_dynamics_own_volatility(p, set, u);
    LEVY_TRY(levy_moved_asset(&p->sets[set], quoted, arena, asset));
    if (levy_dynamics_is_driven(p)) asset->volatility = (levy_volatility){0};
    if (levy_dynamics_is_driven(p) || own == 0.0) return LEVY_OK;
    /* absolute shifts are left to the model: levy_dynamics_added */
    const double moved = levy_moved_volatility(&p->sets[set], quoted, own, true);
    return levy_volatility_flat(moved, arena, &asset->volatility);
}

levy_status levy_dynamics_black(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                levy_arena *arena, levy_asset *asset)
{
    const double own = levy_dynamics_own_volatility(p, set, u);
    LEVY_TRY(levy_dynamics_asset(p, set, u, arena, asset));
    if (own == 0.0) return LEVY_OK;
    const double moved =
        levy_moved_volatility(&p->sets[set], levy_trade_asset(p->trade, u), own, false);
    return levy_volatility_flat(moved, arena, &asset->volatility);
}

levy_status levy_dynamics_moved_deviation(const levy_dynamics_plan *p, uint32_t set, size_t u,
                                          double t, levy_arena *arena, double *deviation)
{
    levy_asset asset;
    LEVY_TRY(levy_dynamics_asset(p, set, u, arena, &asset));
    *deviation = levy_dynamics_deviation(p, &asset, t);
    return LEVY_OK;
}

double levy_dynamics_added(const levy_dynamics_plan *p, uint32_t set, size_t u)
{
    const double own = levy_dynamics_own_volatility(p, set, u);
    return own > 0.0 ? levy_moved_added(&p->sets[set], levy_trade_asset(p->trade, u), own) : 0.0;
}

double levy_dynamics_log_forward(const levy_dynamics_plan *p, uint32_t set, const levy_asset *asset,
                                 double time)
{
    const double moves = levy_moved_log_forward(&p->sets[set], asset, time),
                 added = levy_moved_to_come(&p->sets[set], asset, time);
    return added > 0.0 ? levy_log(levy_exp(moves) + added) : moves;
}
