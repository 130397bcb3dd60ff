/* trade_form.c: see trade_form.h. The script has the schedules `days`, the trade's observations to
 * come, and `expiry`. Its numbers hold what the past has left. */
#include "engine/problem/trade_form.h"

#include "engine/problem/trade_claim.h"
#include "kernels/path/image.h"
#include "payoffs/script_form.h"

enum { FORM_DAYS, FORM_EXPIRY, FORM_SCHEDULES };

/* Whether the level is a sum that rises with each underlying. */
static bool form_is_basket(const levy_trade *trade)
{
    if (trade->kind.aggregate != LEVY_AGGREGATE_BASKET) return false;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        if (!(trade->claim.coefficients[u] > 0.0)) return false;
    return true;
}

/* Tells the form how a script writes the level. False: a script cannot. */
static bool form_begin(const levy_trade *trade, levy_script_form *form)
{
    const bool basket = trade->n_underlyings > 1 && form_is_basket(trade);
    form->basket = basket ? trade->n_underlyings : 0;
    if (trade->n_underlyings == 1)
        form->level = "level";
    else if (basket)
        form->level = "total";
    else if (trade->kind.aggregate == LEVY_AGGREGATE_WORST_OF)
        form->level = "worst(levels)";
    else if (trade->kind.aggregate == LEVY_AGGREGATE_BEST_OF)
        form->level = "best(levels)";
    return form->level != NULL;
}

static bool form_compile(levy_check *build, const levy_trade *trade, levy_script_form *form,
                         levy_script *script)
{
    static const char *const names[FORM_SCHEDULES] = {"days", "expiry"};
    const levy_script_frame frame = {.text = form->text,
                                     .length = form->length,
                                     .parameters = form->parameters,
                                     .n_parameters = form->n,
                                     .schedules = names,
                                     .n_schedules = FORM_SCHEDULES,
                                     .n_assets = (uint32_t)trade->n_underlyings,
                                     .expiry = trade->claim.expiry};
    levy_script_fault fault;
    if (levy_script_compile(&frame, build->arena, script, &fault)) {
        script->places = NULL;
        return true;
    }
    build->out_of_memory = build->out_of_memory || fault.out_of_memory;
    return false;
}

/* Copies the numbers that the script names for the trade; NULL: no memory. */
static const levy_script_parameter *form_parameters(levy_check *build, const levy_script_form *form)
{
    levy_script_parameter *const kept = levy_check_allocate(build, form->n, sizeof *kept);
    double *const numbers = levy_check_allocate(build, form->n, sizeof *numbers);
    if (!kept || !numbers) return NULL;
    for (size_t i = 0; i < form->n; ++i) {
        numbers[i] = form->numbers[i];
        kept[i] = form->parameters[i];
        kept[i].values = &numbers[i];
    }
    return kept;
}

/* times: the payment's. */
static void form_fill(const levy_trade *trade, const double *times, levy_scripted *scripted)
{
    scripted->dates[FORM_DAYS] =
        (levy_script_dates){.n = trade->claim.observations.n + trade->claim.observes_now,
                            .has_today = trade->claim.observes_now};
    scripted->dates[FORM_EXPIRY] = (levy_script_dates){.n = 1};
    scripted->states = scripted->script.constants;
    scripted->expiry = trade->claim.expiry;
    /* nobody knows the date of a payment at a hit */
    scripted->flows = times;
    scripted->n_flows = levy_trade_pays_at_hit(trade) ? 0 : 1;
}

/* A rate of the upper tail, and a deviation, beyond which a call is written as the put. */
static const double form_tail = 8.0, form_deviation = 0.8;

/* Whether it is. The put is bounded, while the call's mean may depend on few paths
 * (plan/tails.h). */
static bool form_puts(const levy_trade *trade)
{
    const levy_model_kind *const model = levy_model_kinds[trade->model->kind];
    if (trade->n_underlyings != 1 || !model->tail || !(trade->claim.coefficients[0] > 0.0) ||
        trade->kind.aggregate != LEVY_AGGREGATE_NONE ||
        trade->claim.terms->option_type != LEVY_CALL ||
        levy_trade_bend(trade).of == LEVY_EDGE_OTHER || levy_trade_bend(trade).of == LEVY_EDGE_ROOT)
        return false;
    return model->tail(trade->model->terms, trade->underlyings[0]) < form_tail ||
           levy_trade_deviation(trade, 0, trade->claim.expiry) > form_deviation;
}

/* Writes the script. Returns why it cannot, a phrase, or NULL. */
static const char *form_write(const levy_trade *trade, levy_script_form *form)
{
    static const char sum[] = "its level is a sum or product of several underlyings";
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const levy_claim claim = levy_claim_of(trade);
    if (!form_begin(trade, form)) return sum;
    if (kind->script_form && trade->kind.n_further == 0 && kind->script_form(&claim, form))
        return NULL;
    return form->basket ? sum : "the payoff has no integrated form";
}

const char *levy_trade_find_script(levy_check *build, levy_trade *trade)
{
    levy_script_form form = {.puts = form_puts(trade)};
    const char *const why = form_write(trade, &form);
    if (why) return why;
    levy_scripted *const scripted = levy_check_allocate(build, 1, sizeof *scripted);
    double *const times = levy_check_allocate(build, 2, sizeof *times);
    if (!scripted || !times) return NULL;
    if (!form_compile(build, trade, &form, &scripted->script))
        return "the payoff has no integrated form";
    scripted->parameters = form_parameters(build, &form);
    times[0] = trade->claim.payment_time;
    times[1] = trade->claim.expiry;
    form_fill(trade, times, scripted);
    trade->claim.further[0] = (levy_times){1, times + 1};
    scripted->puts = form.puts;
    trade->other = (levy_trade_kind){.payoff = levy_payoff_of_script(),
                                     .aggregate = LEVY_AGGREGATE_WORST_OF,
                                     .scripted = scripted,
                                     .n_further = 1};
    return NULL;
}

void levy_trade_take_form(levy_trade *trade, levy_trade_form form)
{
    const levy_trade_kind other = trade->other;
    const bool same = (trade->form == LEVY_FORM_SCRIPT) == (form == LEVY_FORM_SCRIPT);
    trade->form = form;
    if (same) return;
    trade->other = trade->kind;
    trade->kind = other;
}

const levy_trade *levy_trade_written(const levy_trade *trade, levy_trade *room)
{
    if (trade->form != LEVY_FORM_SCRIPT) return trade;
    *room = *trade;
    levy_trade_take_form(room, LEVY_FORM_INTEGRATED);
    return room;
}
