/* trade_exercise.c: exercise before expiry, as a trade's file has it: which trades may be, and on
 * which dates. See trade.h. Must not know: how such trades are priced. */
#include "engine/problem/schedule.h"
#include "engine/problem/trade_form.h"
#include "engine/problem/trade_black.h"

#include "payoffs/scripted.h"

#include <string.h>

bool levy_trade_refuse_early(const levy_trade_frame *frame, const char *hint, const char *why)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    return LEVY_REFUSE(frame->build, UNSUPPORTED, levy_check_at(exercise->node, "style"),
                       levy_trade_path(frame, "exercise.style"), hint,
                       "%s exercise has no price here: %s",
                       exercise->style == LEVY_RAW_AMERICAN ? "american" : "bermudan", why);
}

/* Whether levy can price it: an option on a level at expiry that pays at once. */
static bool early_is_priced(const levy_trade_frame *frame, const levy_trade *trade)
{
    if (!levy_payoffs[trade->kind.payoff]->pays_gain)
        return levy_trade_refuse_early(
            frame,
            "Give it to a payoff of kind european, basket, best_of, worst_of, spread or exchange; "
            "a script says: may exercise at dates by holder { pay 1; stop }.",
            "only what a level at expiry gains is exercised early");
    if (trade->claim.payment_time != trade->claim.expiry)
        return levy_trade_refuse_early(frame, "Remove payment_date or payment_lag.",
                                       "it pays on the day it is exercised");
    if (trade->measures & LEVY_MEASURE_IMPLIED_VOLATILITY)
        return LEVY_REFUSE(frame->build, INCONSISTENT, frame->raw->measures.node,
                           levy_trade_path(frame, "measures"), "Remove implied_volatility.", "%s",
                           levy_trade_black_objection(trade));
    return true;
}

/* Whether it needs no path: it is a call or put on one asset whose level is lognormal. */
static bool early_is_solved(const levy_trade *trade)
{
    return levy_payoffs[trade->kind.payoff]->is_vanilla && trade->n_underlyings == 1 &&
           levy_trade_is_lognormal(trade) && !levy_trade_adds_cash(trade);
}

static bool early_resolve(const levy_trade_frame *frame, double expiry, levy_observations *all)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const levy_schedule_frame schedule = {.terms = &exercise->dates,
                                          .path = levy_trade_path(frame, "exercise.dates"),
                                          .expiry_as_written = &exercise->expiry,
                                          .expiry = expiry};
    return levy_schedule_resolve(frame->build, frame->market, &schedule, all);
}

static bool early_dates(const levy_trade_frame *frame, const levy_trade *trade, levy_early *early)
{
    levy_observations all;
    if (!early_resolve(frame, trade->claim.expiry, &all)) return false;
    early->times = levy_check_allocate(frame->build, all.n, sizeof *early->times);
    if (!early->times) return false;
    for (size_t i = 0; i < all.n; ++i) {
        const double t = levy_time_is_now(all.times[i]) ? 0.0 : all.times[i];
        if (t >= 0.0 && t < trade->claim.expiry) early->times[early->n++] = t;
    }
    return true;
}

/* Refuses a key that says how exercise is priced. */
static bool early_refuse(const levy_trade_frame *frame, const char *key, const char *hint,
                         const char *why)
{
    return LEVY_REFUSE(frame->build, INCONSISTENT, levy_check_at(frame->raw->exercise.node, key),
                       levy_trade_path(frame, levy_check_text(frame->build, "exercise.%s", key)),
                       hint, "%s", why);
}

/* Chooses the method. */
static bool early_price(const levy_trade_frame *frame, levy_trade *trade, levy_early *early)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const bool solved = early_is_solved(trade) && !exercise->notice_days;
    if (exercise->method == LEVY_RAW_DETERMINISTIC && !solved)
        return LEVY_REFUSE(
            frame->build, UNSUPPORTED, levy_check_at(exercise->node, "method"),
            levy_trade_path(frame, "exercise.method"), "Write method: simulation.",
            exercise->notice_days
                ? "early exercise without paths takes no notice"
                : "early exercise without paths takes a call or put on one lognormal asset");
    if (exercise->method == LEVY_RAW_SIMULATION || !solved)
        return levy_trade_simulate_exercise(frame, trade, early);
    if (!exercise->fit.node && !exercise->steps) return true;
    return early_refuse(frame, exercise->fit.node ? "fit" : "steps",
                        "Remove it, or write method: simulation.",
                        "early exercise of this trade is priced without paths");
}

/* Refuses what says how exercise before expiry is priced, of an option that has none. */
static bool early_is_unwanted(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const char *key = exercise->fit.node ? "fit" : NULL;
    if (exercise->steps) key = "steps";
    if (exercise->notice_days) key = "notice_days";
    if (exercise->method != LEVY_RAW_AUTO) key = "method";
    const levy_scripted *const script = trade->kind.scripted;
    if (!key || (script && script->script.n_rights > 0 && strcmp(key, "fit") == 0)) return true;
    const char *const hint =
        script && script->script.n_rights > 0
            ? "Remove %s: a right is decided on the dates that its script says."
            : "Remove %s, or write style: american.";
    return early_refuse(
        frame, key, levy_check_text(frame->build, hint, key),
        levy_check_text(frame->build, "only american and bermudan exercise has %s", key));
}

/* Whether it can have been exercised at a time: on expiry, or one of its dates, where they are
 * listed; others begin on the day of the valuation. */
static bool early_had(const levy_trade_frame *frame, double time, double expiry)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    bool had = exercise->style != LEVY_RAW_BERMUDAN || exercise->dates.times.count == 0 ||
               levy_time_is_same(time, expiry);
    levy_observations all;
    if (had) return true;
    if (!early_resolve(frame, expiry, &all)) return false;
    for (size_t i = 0; i < all.n; ++i) had = had || levy_time_is_same(all.times[i], time);
    if (had) return true;
    return early_refuse(frame, "exercised", "Give one of its dates.",
                        levy_check_text(frame->build, "%s is none of its dates",
                                        levy_check_shown(exercise->exercised.node)));
}

/* Whether it can have been exercised that day, or notice given of it. */
static bool early_was(const levy_trade_frame *frame, bool *noticed)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const levy_node *const node = exercise->exercised.node;
    const char *const path = levy_trade_path(frame, "exercise.exercised");
    double time, expiry;
    if (exercise->style == LEVY_RAW_EUROPEAN)
        return early_refuse(frame, "exercised", "Remove exercised, or write style: american.",
                            "only american and bermudan exercise comes before expiry");
    if (!levy_check_time(frame->build, &exercise->exercised, path, &time) ||
        !levy_check_time(frame->build, &exercise->expiry, levy_trade_path(frame, "exercise.expiry"),
                         &expiry))
        return false;
    const double latest = (double)exercise->notice_days / 365.0 + 1e-9;
    *noticed = time > 1e-9;
    if (time <= latest && time <= expiry) return early_had(frame, time, expiry);
    const char *after = time > latest ? "the valuation" : "expiry";
    if (time > latest && exercise->notice_days > 0)
        after = "any day of which notice has been given";
    return LEVY_REFUSE(frame->build, RANGE, node, path,
                       "Give the day on which it was exercised, or remove exercised.",
                       "%s is after %s", levy_check_shown(node), after);
}

const levy_raw_trade *levy_trade_exercised(const levy_trade_frame *frame)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    bool noticed = false;
    if (!exercise->exercised.node) return frame->raw;
    levy_raw_trade *const expired = levy_check_allocate(frame->build, 1, sizeof *expired);
    if (!expired || !early_was(frame, &noticed)) return NULL;
    if (noticed) return frame->raw;
    *expired = *frame->raw;
    expired->exercise = (levy_raw_exercise){.node = exercise->node,
                                            .style = LEVY_RAW_EUROPEAN,
                                            .expiry = exercise->exercised,
                                            .exercised = exercise->exercised};
    return expired;
}

bool levy_trade_exercise(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const bool bermudan = exercise->style == LEVY_RAW_BERMUDAN, dated = exercise->dates.node;
    if (bermudan != dated)
        return LEVY_REFUSE(
            frame->build, INCONSISTENT, dated ? exercise->dates.node : exercise->node,
            levy_trade_path(frame, "exercise.dates"),
            dated                    ? "Remove dates, or write style: bermudan."
            : frame->build->has_date ? "Add dates, such as {frequency: 3M}."
                                     : "Add dates, such as [0.5, 0.75].",
            dated ? "only bermudan exercise has dates" : "bermudan exercise needs its dates");
    if (exercise->style == LEVY_RAW_EUROPEAN) return early_is_unwanted(frame, trade);
    if (trade->state != LEVY_TRADE_PRICED) return true;
    levy_early *const early = levy_check_allocate(frame->build, 1, sizeof *early);
    if (!early) return false;
    early->american = !bermudan;
    trade->early = early;
    levy_trade_take_form(trade, LEVY_FORM_WRITTEN);
    return early_is_priced(frame, trade) && (!bermudan || early_dates(frame, trade, early)) &&
           early_price(frame, trade, early);
}
