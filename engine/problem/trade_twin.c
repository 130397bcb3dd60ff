/* trade_twin.c: see trade_twin.h. Its schedules are `days`, the trade's observations to come, and
 * `expiry`; what the past has left is in its numbers. */
#include "engine/problem/trade_twin.h"

#include "engine/problem/trade_claim.h"
#include "kernels/path/image.h"
#include "payoffs/twin.h"

enum { TWIN_DAYS, TWIN_EXPIRY, TWIN_SCHEDULES };

/* Whether the level is a sum that rises with each underlying. */
static bool twin_is_basket(const levy_trade *trade)
{
    if (trade->aggregate != LEVY_AGGREGATE_BASKET) return false;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        if (!(trade->coefficients[u] > 0.0)) return false;
    return true;
}

/* How a script writes the level. False: it cannot. */
static bool twin_begin(const levy_trade *trade, levy_twin *twin)
{
    const bool basket = trade->n_underlyings > 1 && twin_is_basket(trade);
    twin->basket = basket ? trade->n_underlyings : 0;
    if (trade->n_underlyings == 1)
        twin->level = "level";
    else if (basket)
        twin->level = "total";
    else if (trade->aggregate == LEVY_AGGREGATE_WORST_OF)
        twin->level = "worst(levels)";
    else if (trade->aggregate == LEVY_AGGREGATE_BEST_OF)
        twin->level = "best(levels)";
    return twin->level != NULL;
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
    if (levy_script_compile(&frame, build->arena, script, &fault)) {
        script->places = NULL;
        return true;
    }
    build->out_of_memory = build->out_of_memory || fault.out_of_memory;
    return false;
}

/* The numbers that the script names, as the trade keeps them; NULL: no memory. */
static const levy_script_parameter *twin_parameters(levy_check *build, const levy_twin *twin)
{
    levy_script_parameter *const kept = levy_check_allocate(build, twin->n, sizeof *kept);
    double *const numbers = levy_check_allocate(build, twin->n, sizeof *numbers);
    if (!kept || !numbers) return NULL;
    for (size_t i = 0; i < twin->n; ++i) {
        numbers[i] = twin->numbers[i];
        kept[i] = twin->parameters[i];
        kept[i].values = &numbers[i];
    }
    return kept;
}

/* times: the payment's. */
static void twin_fill(const levy_trade *trade, const double *times, levy_scripted *scripted)
{
    scripted->dates[TWIN_DAYS] = (levy_script_dates){
        .n = trade->n_observations + trade->observes_now, .has_today = trade->observes_now};
    scripted->dates[TWIN_EXPIRY] = (levy_script_dates){.n = 1};
    scripted->states = scripted->script.constants;
    scripted->expiry = trade->expiry;
    /* what is paid at a hit has no date that is known */
    scripted->flows = times;
    scripted->n_flows = trade->rebate_at_hit ? 0 : 1;
}

/* A rate of the upper tail, and a deviation, beyond which a call is written as the put. */
static const double twin_tail = 8.0, twin_deviation = 0.8;

/* Whether it is: the put is bounded, the call's mean may lie with few paths (plan/tails.h). */
static bool twin_puts(const levy_trade *trade)
{
    const levy_model_kind *const model = levy_model_kinds[trade->model->kind];
    if (trade->n_underlyings != 1 || !model->tail || !(trade->coefficients[0] > 0.0) ||
        trade->aggregate != LEVY_AGGREGATE_NONE || trade->terms->option_type != LEVY_CALL ||
        levy_trade_bend(trade).of == LEVY_EDGE_OTHER)
        return false;
    return model->tail(trade->model->terms, trade->underlyings[0]) < twin_tail ||
           levy_trade_deviation(trade, 0, trade->expiry) > twin_deviation;
}

/* Writes the script. Returns why it cannot, a phrase, or NULL. */
static const char *twin_write(const levy_trade *trade, levy_twin *twin)
{
    static const char sum[] = "its level is a sum or product of several underlyings";
    const levy_payoff *const kind = levy_payoffs[trade->payoff];
    const levy_claim claim = levy_claim_of(trade);
    if (!twin_begin(trade, twin)) return sum;
    if (kind->twin && trade->n_further == 0 && kind->twin(&claim, twin)) return NULL;
    return twin->basket ? sum : "the payoff has no integrated form";
}

const char *levy_trade_find_twin(levy_check *build, levy_trade *trade)
{
    levy_twin twin = {.puts = twin_puts(trade)};
    const char *const why = twin_write(trade, &twin);
    if (why) return why;
    levy_scripted *const scripted = levy_check_allocate(build, 1, sizeof *scripted);
    double *const times = levy_check_allocate(build, 2, sizeof *times);
    if (!scripted || !times) return NULL;
    if (!twin_compile(build, trade, &twin, &scripted->script))
        return "the payoff has no integrated form";
    scripted->parameters = twin_parameters(build, &twin);
    times[0] = trade->payment_time;
    times[1] = trade->expiry;
    twin_fill(trade, times, scripted);
    trade->further[0] = (levy_times){1, times + 1};
    trade->twin_puts = twin.puts;
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
