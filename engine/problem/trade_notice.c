/* trade_notice.c: exercise before expiry of which notice is given: who decides on a date sees the
 * levels of the notice, and is then bound to a level that may lie out of the money. The trade
 * becomes a script with a right (payoffs/rights.h). See trade.h. Must not know: how the rule is
 * fitted, plans. */
#include "engine/problem/schedule.h"
#include "engine/problem/trade_rule.h"

#include "payoffs/rights.h"

#include <math.h>
#include <string.h>

static const double notice_wide = 0.64; /* variance: as that of heavy tails (plan/tails.h) */

enum { NOTICE_NOTICES, NOTICE_EXERCISES, NOTICE_EXPIRY, NOTICE_SCHEDULES };

/* What a decision sees: as much as says which asset is where. */
static const char *notice_sees(const levy_policy *p)
{
    if (p->n_assets == 1 && p->varies) return "level, level.variance";
    if (p->n_assets == 1 && p->n_regimes > 1) return "level, regime";
    if (p->n_assets == 1 || p->aggregate == LEVY_AGGREGATE_GEOMETRIC) return "$";
    if (p->n_assets == 2) return "levels[1], levels[2]";
    return p->n_assets == 3 ? "levels[1], levels[2], levels[3]"
                            : "best(levels), mean(levels), worst(levels)";
}

static void notice_write(const levy_policy *p, levy_script_form *form)
{
    const char *const gain = p->sign > 0.0 ? "$ - strike" : "strike - $";
    form->level = levy_policy_written_level(p);
    levy_script_form_write(form, "var due = 0\nmay exercise at notices by holder seeing ");
    levy_script_form_write(form, notice_sees(p));
    levy_script_form_write(form, " { due = number }\n"
                                 "at exercises { if due == number { pay ");
    levy_script_form_write(form, gain);
    levy_script_form_write(form, "; stop } }\nat expiry { pay max(");
    levy_script_form_write(form, gain);
    levy_script_form_write(form, ", 0) }\n");
}

bool levy_rule_notices(const levy_trade_frame *frame, levy_early *early)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const double days = (double)exercise->notice_days / 365.0;
    const levy_time *const given = &exercise->exercised;
    size_t kept = 0;
    if (given->node) { /* nothing is decided any more */
        early->n = 1;
        early->times = levy_check_allocate(frame->build, 1, sizeof *early->times);
        return early->times &&
               levy_check_time(frame->build, given, levy_trade_path(frame, "exercise.exercised"),
                               early->times);
    }
    for (size_t k = 0; k < early->n; ++k)
        if (early->times[k] >= days || levy_time_is_now(early->times[k] - days))
            early->times[kept++] = early->times[k];
    early->n = kept;
    return true;
}

/* The notices of dates; one on another date of exercise is that date to the bit. */
static double *notice_times(const levy_trade_frame *frame, const levy_early *early)
{
    const double days = (double)frame->raw->exercise.notice_days / 365.0;
    double *const notices = levy_check_allocate(frame->build, early->n, sizeof *notices);
    for (size_t k = 0, same = 0; notices && k < early->n; ++k) {
        double at = early->times[k] - days;
        while (same < k && early->times[same] < at && !levy_time_is_same(early->times[same], at))
            ++same;
        if (same < k && levy_time_is_same(early->times[same], at)) at = early->times[same];
        notices[k] = levy_time_is_now(at) || at < 0.0 ? 0.0 : at;
    }
    return notices;
}

/* The strike, and the weights of a geometric basket. */
static levy_script_parameter *notice_parameters(levy_check *build, const levy_policy *p)
{
    levy_script_parameter *const parameters =
        levy_check_allocate(build, LEVY_POLICY_FIXED, sizeof *parameters);
    if (!parameters) return NULL;
    parameters[LEVY_POLICY_STRIKE] =
        (levy_script_parameter){.name = "strike", .values = &p->strike, .n = 1};
    parameters[LEVY_POLICY_WEIGHT] = (levy_script_parameter){
        .name = "weight", .values = p->weights, .n = p->n_assets, .is_list = true};
    return parameters;
}

static bool notice_compile(const levy_trade_frame *frame, const levy_trade *trade,
                           const levy_policy *p, levy_scripted *scripted)
{
    static const char *const schedules[NOTICE_SCHEDULES] = {"notices", "exercises", "expiry"};
    levy_script_form form = {.level = NULL};
    notice_write(p, &form);
    const levy_script_frame of = {.text = form.text,
                                  .length = form.length,
                                  .parameters = notice_parameters(frame->build, p),
                                  .n_parameters = LEVY_POLICY_FIXED,
                                  .schedules = schedules,
                                  .n_schedules = NOTICE_SCHEDULES};
    return levy_rule_compile(frame, trade, p, of, scripted);
}

static bool notice_allows(const levy_trade_frame *frame, const levy_policy *p)
{
    return !p->discounts || LEVY_REFUSE(frame->build, UNSUPPORTED,
                                        levy_check_at(frame->raw->exercise.node, "notice_days"),
                                        levy_trade_path(frame, "exercise.notice_days"),
                                        "Remove notice_days, or the regimes' rates.",
                                        "notice needs rates that are those of all paths");
}

/* The states of a path on which notice has been given of the first date. */
static bool notice_states(const levy_trade_frame *frame, levy_scripted *s, levy_trade *trade)
{
    const size_t n = s->script.program->n_states;
    double *const states = levy_check_allocate(frame->build, n, sizeof *states);
    if (!states) return false;
    memcpy(states, s->script.constants, n * sizeof *states);
    states[s->script.rights[0].used] = 1.0;
    states[s->script.variables[0].state] = 1.0; /* due */
    s->states = states;
    s->rights = NULL;
    trade->stage = NULL;
    trade->early = NULL;
    return true;
}

/* Whether a put, of which notice is given where levels are low, hardly ever loses much. */
static bool notice_is_bounded(const levy_trade *trade, const levy_early *early, double days)
{
    bool is = levy_rule_is_put(trade) && levy_trade_is_lognormal(trade);
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        for (size_t k = 0; k < early->n && is; ++k) {
            const levy_asset *const asset = levy_trade_asset(trade, u);
            const double end = early->times[k], begin = fmax(end - days, 0.0);
            is = levy_asset_variance(asset, end) - levy_asset_variance(asset, begin) < notice_wide;
        }
    return is;
}

bool levy_rule_notice(const levy_trade_frame *frame, const levy_policy *policy,
                      const levy_early *early, levy_trade *trade)
{
    levy_scripted *const s = levy_check_allocate(frame->build, 1, sizeof *s);
    levy_rights *const rights = levy_check_allocate(frame->build, 1, sizeof *rights);
    double *const notices = notice_times(frame, early);
    double *const expiry = levy_check_allocate(frame->build, 1, sizeof *expiry);
    if (!s || !rights || !notices || !expiry) return false;
    const double days = (double)frame->raw->exercise.notice_days / 365.0;
    if (notice_is_bounded(trade, early, days)) s->most = policy->strike;
    if (!notice_allows(frame, policy) || !notice_compile(frame, trade, policy, s)) return false;
    *expiry = s->expiry;
    const bool today = notices[0] == 0.0;
    const levy_times schedules[NOTICE_SCHEDULES] = {
        {early->n - today, notices + today}, {early->n, early->times}, {1, expiry}};
    s->dates[NOTICE_NOTICES] =
        (levy_script_dates){.n = early->n, .has_today = today, .times = notices};
    s->dates[NOTICE_EXERCISES] = (levy_script_dates){.n = early->n, .times = early->times};
    s->dates[NOTICE_EXPIRY] = (levy_script_dates){.n = 1, .times = expiry};
    *rights = (levy_rights){
        .stage = policy->stage, .coefficients = policy->coefficients, .seed = policy->seed};
    levy_rights_begin(s, rights);
    s->rights = rights;
    trade->stage = &rights->stage;
    return levy_rule_take(frame, schedules, NOTICE_SCHEDULES, false, s, trade) &&
           (!frame->raw->exercise.exercised.node || notice_states(frame, s, trade));
}
