/* twin.c: see twin.h. Its schedules are `days`, the trade's observations to come, and `expiry`;
 * what the past has left is in its numbers. */
#include "engine/problem/twin.h"

#include "engine/problem/claim.h"
#include "kernels/path/image.h"
#include "payoffs/scripted.h"

enum { TWIN_DAYS, TWIN_EXPIRY, TWIN_SCHEDULES };

/* How a script writes the level; NULL: it cannot. */
static const char *twin_level(const levy_trade *trade)
{
    if (trade->n_underlyings == 1) return "level";
    if (trade->aggregate == LEVY_AGGREGATE_WORST_OF) return "worst(levels)";
    return trade->aggregate == LEVY_AGGREGATE_BEST_OF ? "best(levels)" : NULL;
}

static bool twin_compile(levy_check *build, const levy_trade *trade, levy_twin *twin,
                         levy_script *script)
{
    static const char *const names[TWIN_SCHEDULES] = {"days", "expiry"};
    const levy_script_frame frame = {.text = twin->text,
                                     .length = twin->length,
                                     .parameters = twin->parameters,
                                     .n_parameters = twin->n,
                                     .schedules = names,
                                     .n_schedules = TWIN_SCHEDULES,
                                     .n_assets = (uint32_t)trade->n_underlyings,
                                     .expiry = trade->expiry};
    levy_script_fault fault;
    if (levy_script_compile(&frame, build->arena, script, &fault)) return true;
    build->out_of_memory = build->out_of_memory || fault.out_of_memory;
    return false;
}

/* times: the payment's. */
static void twin_fill(const levy_trade *trade, const levy_twin *twin, const double *times,
                      levy_scripted *scripted)
{
    scripted->parameters = twin->parameters;
    scripted->dates[TWIN_DAYS] = (levy_script_dates){
        .n = trade->n_observations + trade->observes_now, .has_today = trade->observes_now};
    scripted->dates[TWIN_EXPIRY] = (levy_script_dates){.n = 1};
    scripted->states = scripted->script.constants;
    scripted->expiry = trade->expiry;
    /* what is paid at a hit has no date that is known */
    scripted->flows = times;
    scripted->n_flows = trade->rebate_at_hit ? 0 : 1;
}

const char *levy_trade_find_twin(levy_check *build, levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->payoff];
    const levy_claim claim = levy_claim_of(trade);
    levy_twin *const twin = levy_check_allocate(build, 1, sizeof *twin);
    levy_scripted *const scripted = levy_check_allocate(build, 1, sizeof *scripted);
    double *const times = levy_check_allocate(build, 2, sizeof *times);
    if (!twin || !scripted || !times) return NULL;
    twin->level = twin_level(trade);
    if (!twin->level) return "its level is a sum or product of several underlyings";
    if (!kind->twin || trade->n_further > 0 || !kind->twin(&claim, twin) ||
        !twin_compile(build, trade, twin, &scripted->script))
        return "the payoff has no integrated form";
    times[0] = trade->payment_time;
    times[1] = trade->expiry;
    twin_fill(trade, twin, times, scripted);
    trade->further[0] = (levy_times){1, times + 1};
    trade->other = (levy_trade_form){.payoff = levy_payoff_of_script(),
                                     .aggregate = LEVY_AGGREGATE_WORST_OF,
                                     .scripted = scripted,
                                     .n_further = 1};
    return NULL;
}

void levy_trade_take_form(levy_trade *trade, bool twin)
{
    const levy_trade_form other = trade->other;
    if (!trade->has_twin || trade->is_twin == twin) return;
    trade->other =
        (levy_trade_form){trade->payoff, trade->aggregate, trade->scripted, trade->n_further};
    trade->payoff = other.payoff;
    trade->aggregate = other.aggregate;
    trade->scripted = other.scripted;
    trade->n_further = other.n_further;
    trade->is_twin = twin;
}

levy_trade levy_trade_written(const levy_trade *trade)
{
    levy_trade written = *trade;
    levy_trade_take_form(&written, false);
    return written;
}
