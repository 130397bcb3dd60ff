/* group_model.c: see group_model.h. */
#include "engine/plan/group_model.h"

#include "kernels/lane/scalar.h"

static const levy_model_kind *model_kind(const levy_dynamics_plan *dynamics)
{
    return levy_model_drawn(dynamics->trade->model->kind, dynamics->group->integrated);
}

/* Whether counts can be built by a bridge: the last date must be the first that is built. */
static bool model_is_bridged(const levy_simulation *s, const levy_group *group)
{
    if (s->construction != LEVY_CONSTRUCTION_BRIDGE || s->jumps == LEVY_ARRIVALS_BY_INTERVAL)
        return false;
    if (s->order) return s->order[0] == group->n_nodes;
    return !s->first || s->first[0] == group->times[group->n_nodes - 1];
}

static levy_status model_grid(const levy_problem *problem, const levy_dynamics_plan *dynamics,
                              levy_arena *arena, levy_model_grid *grid)
{
    size_t *const assets = levy_arena_allocate(arena, dynamics->n_assets, sizeof *assets);
    double *const volatilities =
        levy_arena_allocate(arena, dynamics->n_assets, sizeof *volatilities);
    if (!assets || !volatilities) return LEVY_MEMORY;
    for (size_t u = 0; u < dynamics->n_assets; ++u) {
        assets[u] = dynamics->trade->underlyings[u];
        volatilities[u] =
            levy_sqrt(levy_asset_variance(dynamics->trade->model->assets[assets[u]], 1.0));
    }
    *grid = (levy_model_grid){.n_nodes = dynamics->group->n_nodes,
                              .times = dynamics->group->times,
                              .clock = dynamics->clock,
                              .n_assets = dynamics->n_assets,
                              .assets = assets,
                              .volatilities = volatilities,
                              .quasi = levy_simulation_is_quasi(&problem->simulation),
                              .bridged = model_is_bridged(&problem->simulation, dynamics->group),
                              .scale = 1.0};
    return LEVY_OK;
}

levy_status levy_model_draws(const levy_problem *problem, const levy_dynamics_plan *dynamics,
                             levy_arena *arena, uint32_t *draws)
{
    const levy_model_kind *const kind = model_kind(dynamics);
    const levy_model_terms *const terms = dynamics->trade->model->terms;
    levy_model_grid grid;
    if (dynamics->group->known) return LEVY_OK;
    LEVY_TRY(model_grid(problem, dynamics, arena, &grid));
    if (kind->draws) draws[LEVY_PART_DIFFUSION] = kind->draws(terms, &grid);
    if (levy_model_jumps(kind, terms))
        draws[LEVY_PART_ARRIVALS] = levy_jump_draws(kind, terms, &grid);
    return LEVY_OK;
}

levy_status levy_model_jump_parameters(const levy_problem *problem,
                                       const levy_dynamics_plan *dynamics, levy_arena *arena,
                                       levy_jump_parameter **parameters, size_t *n)
{
    const levy_model_terms *const terms = dynamics->trade->model->terms;
    levy_model_grid grid;
    *n = 0;
    if (dynamics->group->known || !levy_model_jumps(model_kind(dynamics), terms)) return LEVY_OK;
    LEVY_TRY(model_grid(problem, dynamics, arena, &grid));
    return levy_jump_parameters(model_kind(dynamics), terms, &grid, arena, parameters, n);
}

/* What each dynamics moves of the jumps. */
static levy_status model_moves(const levy_dynamics_plan *p, levy_arena *arena,
                               levy_model_grid *grid)
{
    levy_jump_move *const moves = levy_arena_allocate(arena, p->n_dynamics, sizeof *moves);
    if (!moves) return LEVY_MEMORY;
    for (size_t m = 0; m < p->n_dynamics; ++m) {
        const levy_moved *const set = &p->sets[p->set_of[m]];
        for (size_t i = 0; i < set->n_shifts; ++i)
            if (set->shifts[i].of_jumps)
                moves[m] = (levy_jump_move){set->shifts[i].node, set->shifts[i].size};
    }
    grid->moves = moves;
    grid->n_dynamics = p->n_dynamics;
    return LEVY_OK;
}

levy_status levy_model_prepare(const levy_problem *problem, const levy_dynamics_plan *dynamics,
                               const levy_build_order *build_order, const double *moved,
                               double scale, levy_arena *arena, levy_model_plan *parts)
{
    const levy_model_kind *const kind = model_kind(dynamics);
    const levy_model_terms *const terms = dynamics->trade->model->terms;
    levy_model_grid grid;
    if (dynamics->group->known) return LEVY_OK;
    LEVY_TRY(model_grid(problem, dynamics, arena, &grid));
    LEVY_TRY(model_moves(dynamics, arena, &grid));
    grid.construction = build_order->construction;
    grid.moved = moved;
    grid.turn = dynamics->rotation.turn;
    grid.paid = dynamics->paid;
    grid.rated = dynamics->paid && dynamics->trade->model->simulated;
    grid.n_seen = dynamics->trade->n_underlyings;
    grid.scale = scale;
    grid.strategy = &build_order->strategy;
    grid.is_single = problem->simulation.precision == LEVY_PRECISION_SINGLE;
    if (kind->plan) LEVY_TRY(kind->plan(terms, &grid, arena, &parts[LEVY_PART_DIFFUSION]));
    return levy_model_jumps(kind, terms)
               ? levy_jump_plan(kind, terms, &grid, arena, &parts[LEVY_PART_ARRIVALS])
               : LEVY_OK;
}

void levy_model_add_drift(const levy_dynamics_plan *dynamics, size_t number,
                          const levy_model_plan *plan, double *drift)
{
    const size_t n = dynamics->n_assets, row = dynamics->group->n_nodes * n;
    const double *const times = dynamics->group->times;
    for (size_t i = 0; plan->drift && i < row; ++i)
        drift[i] +=
            dynamics->per_interval && i >= n ? plan->drift[i] - plan->drift[i - n] : plan->drift[i];
    for (size_t i = 0; plan->moved_drift && i < row; ++i) {
        const double before = dynamics->per_interval && i >= n ? times[i / n - 1] : 0.0;
        drift[i] += plan->moved_drift[number * n + i % n] * (times[i / n] - before);
    }
}

/* What the forward adds to an asset's logarithm over interval k, given the drift there. */
static double model_forward(const levy_dynamics_plan *p, size_t k, double drift,
                            const double *factor)
{
    const double clock = p->clock[k] - (k ? p->clock[k - 1] : 0.0);
    double variance = 0.0;
    for (size_t f = 0; f < p->n_factors; ++f) variance += factor[f] * factor[f];
    return drift + 0.5 * variance * clock;
}

/* What a payment in another currency moves over interval k: the drivers of the asset and of its
 * variance, by what they have in common with the price of the asset's currency (the change of
 * measure; I. Girsanov, 1960). The drift has the mean of that, nearly, for all that asks where
 * levels are: it is taken off the forward, and each path has its own. */
static void model_pay(const levy_dynamics_plan *p, uint32_t set, size_t u, size_t k,
                      const levy_asset *asset, const levy_asset *rate,
                      levy_model_interval *interval)
{
    levy_asset seen = *asset;
    const size_t at = p->trade->underlyings[u];
    const double from = levy_dynamics_time(p, set, k ? p->group->times[k - 1] : 0.0),
                 to = levy_dynamics_time(p, set, interval->end),
                 share = model_kind(p)->correlation(p->terms[set], at, 0, interval->end);
    interval->forward += levy_asset_quanto(asset, from, to);
    if (rate) seen.quanto.fx = rate;
    interval->paid[0] = -levy_asset_quanto(&seen, from, to);
    interval->paid[1] = -levy_asset_quanto_variance(&seen, share, from, to);
}

/* The rate that pays underlying u, where it is simulated: paths have its volatility, and `unit`
 * stands for it with one of 1. */
static const levy_asset *model_rate(const levy_dynamics_plan *p, size_t u, levy_asset *unit,
                                    size_t *number)
{
    const levy_asset *const fx = levy_trade_asset(p->trade, u)->quanto.fx;
    if (!fx || !p->trade->model->simulated) return NULL;
    for (size_t v = 0; v < p->n_assets; ++v)
        if (levy_asset_is(levy_trade_asset(p->trade, v), fx)) *number = v;
    *unit = levy_asset_of_currency(fx->currency, fx->curve);
    return unit;
}

levy_status levy_model_put_numbers(const levy_dynamics_plan *dynamics, size_t number, double scale,
                                   levy_arena *scratch, const double *drift, double *factor,
                                   double *own)
{
    const uint32_t set = dynamics->set_of[number];
    const levy_model_terms *const terms = dynamics->terms[set];
    const size_t row = levy_dynamics_own_row(dynamics), n = dynamics->n_numbers;
    for (size_t u = 0; n && u < dynamics->n_assets; ++u) {
        const size_t at = dynamics->trade->underlyings[u];
        const double added = levy_dynamics_added(dynamics, set, u);
        levy_asset asset, unit;
        levy_model_interval interval = {.scale = scale,
                                        .is_bump = set > 0 && !dynamics->sets[set].scenario,
                                        .is_paid = dynamics->paid,
                                        .n_factors = dynamics->n_factors};
        LEVY_TRY(levy_dynamics_asset(dynamics, set, u, scratch, &asset));
        const levy_asset *const rate = model_rate(dynamics, u, &unit, &interval.rate);
        if (dynamics->led) interval.shared = dynamics->n_factors - dynamics->n_own;
        LEVY_TRY(
            levy_dynamics_moved_deviation(dynamics, set, u, 1.0, scratch, &interval.volatility));
        interval.added = added * model_kind(dynamics)->volatility(terms, at);
        for (size_t k = 0; k < dynamics->group->n_nodes; ++k) {
            double *const numbers = own + (k + 1) * row - (dynamics->n_assets - u) * n;
            interval.years = own[k * row];
            interval.factor = factor + (k * dynamics->n_assets + u) * interval.n_factors;
            interval.own = own + k * row + LEVY_OWN_FIRST +
                           u * model_kind(dynamics)->drivers * interval.n_factors;
            interval.end = dynamics->group->times[k];
            interval.forward =
                model_forward(dynamics, k, drift[k * dynamics->n_assets + u], interval.factor);
            if (dynamics->paid) model_pay(dynamics, set, u, k, &asset, rate, &interval);
            model_kind(dynamics)->interval(terms, at, &interval, numbers);
        }
    }
    return LEVY_OK;
}

void levy_model_put_factor(const levy_dynamics_plan *dynamics, const levy_model_plan *plan,
                           double *factor)
{
    for (size_t i = 0; plan->factor && i < dynamics->n_assets * dynamics->n_factors; ++i)
        factor[i] = plan->factor[i];
}
