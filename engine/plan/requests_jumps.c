/* requests_jumps.c: adds the Greeks of the numbers of jumps: intensities, and those of the laws of
 * marks (models/jump_moves.c). Each is a central difference on the draws of today's market. See
 * requests.h. */
#include "engine/plan/requests.h"

#include "engine/plan/differences.h"
#include "engine/plan/group_model.h"

#include <math.h>

/* Arrivals that all paths are to see of a source, at least. A call under merton, 40 seeds of 2^14
 * paths, the largest error of Greeks in standard errors: 3 to 5 at 30 and 100 arrivals, 8 to 400 at
 * 12, thousands at 6, since no path of most replicates has one. */
static const double jumps_least_arrivals = 30.0;

/* As in the name of a quote layers are numbered, and common arrivals are the model's. Of what else
 * the model has once each asset has its own. */
static const char *jumps_name(levy_requests *w, const levy_jump_parameter *p)
{
    const char *owner = w->dynamics->trade->model->name;
    if (p->asset != SIZE_MAX) owner = levy_requests_asset(w, p->asset)->name;
    return p->layer == SIZE_MAX
               ? levy_arena_format(w->kept, "%s.%s", owner, p->name)
               : levy_arena_format(w->kept, "%s.%s[%zu]", owner, p->name, p->layer);
}

/* The bump moves logarithms as far as that of the volatility does. */
static levy_status jumps_request(levy_requests *w, const levy_jump_parameter *p, size_t number)
{
    const bool common = p->asset == SIZE_MAX;
    const levy_asset *const asset = levy_requests_asset(w, common ? 0 : p->asset);
    const double moved = levy_bump_volatility(w->dynamics, &w->problem->simulation,
                                              w->classes[w->now], asset) *
                         sqrt(levy_dynamics_expiry(w->dynamics)),
                 h = fmin(moved / p->unit, p->most);
    const levy_shift shift = {.factor = LEVY_SHIFT_PARAMETER,
                              .parameter = p->name,
                              .of_jumps = true,
                              .asset = common ? NULL : asset,
                              .node = number};
    LEVY_TRY(levy_requests_central(w, LEVY_MEASURE_PARAMETERS, jumps_name(w, p), shift, h, h));
    if (p->arrivals * (double)w->problem->simulation.paths < jumps_least_arrivals)
        w->requests[w->n - 1].remarks |= LEVY_OUTPUT_HEAVY;
    return LEVY_OK;
}

levy_status levy_requests_jumps(levy_requests *w)
{
    levy_jump_parameter *parameters;
    size_t n;
    LEVY_TRY(levy_model_jump_parameters(w->problem, w->dynamics, w->arena, &parameters, &n));
    for (size_t k = 0; k < n; ++k) LEVY_TRY(jumps_request(w, &parameters[k], k));
    return LEVY_OK;
}
