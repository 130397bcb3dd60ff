/* script_past.c: runs a script's past dates on fixings, unless the trade gives a state in their
 * place. What they have paid is gone; what is paid later is owed. See script_build.h. */
#include "engine/problem/script_build.h"

#include "engine/problem/script_state.h"

#include <string.h>

/* Counts the past dates of a schedule and lists the future ones. */
void levy_script_part(levy_script_build *b, size_t schedule)
{
    const levy_observations *const all = &b->all[schedule];
    levy_script_dates *const dates = &b->scripted->dates[schedule];
    *dates = (levy_script_dates){.n = all->n, .times = all->times, .paid = all->paid};
    while (dates->n_past < all->n && all->times[dates->n_past] < -1e-9) ++dates->n_past;
    if (dates->n_past < all->n && levy_time_is_now(all->times[dates->n_past])) {
        dates->has_today = !b->scripted->script.reads_levels ||
                           !levy_trade_is_fixed(b->frame, b->trade, all->times[dates->n_past]);
        dates->n_past += !dates->has_today;
    }
    const size_t first = dates->n_past + dates->has_today, n = all->n - first;
    if (schedule == 0) {
        b->trade->claim.observations = (levy_times){n, all->times + first};
    } else {
        b->trade->claim.further[b->trade->kind.n_further++] = (levy_times){n, all->times + first};
    }
    b->trade->claim.observes_now = b->trade->claim.observes_now || dates->has_today;
}

/* The levels that the script sees at a past date. */
static bool past_levels(levy_script_build *b, const levy_observations *all, size_t i,
                        double *levels)
{
    levy_trade *const trade = b->trade;
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(trade, u);
        levels[u] = asset->spot;
        if (!b->scripted->script.reads_levels) continue;
        const bool fixed = levy_trade_fixing(b->frame, trade, u, all->times[i], &levels[u]);
        if (!fixed && levy_time_is_now(all->times[i])) {
            if (!levy_trade_stand_in(b->check, trade, u)) return false;
        } else if (!fixed)
            return LEVY_REFUSE(b->check, MISSING_DATA, all->nodes[i],
                               levy_script_dates_path(b, (size_t)(all - b->all)),
                               "Add them as [time, level] to the assets' fixings in the market.",
                               "past fixings are missing: %s at %s", asset->name,
                               levy_observation_text(b->check, all, i));
        levels[u] *= trade->claim.coefficients[u];
    }
    return true;
}

/* The earliest past time that has not run yet; a time after today: there is none. done: [schedule]
 * how many dates have run. */
static double past_next_time(const levy_script_build *b, const size_t *done)
{
    double time = 1.0;
    for (size_t s = 0; s < b->n; ++s)
        if (done[s] < b->scripted->dates[s].n_past && b->all[s].times[done[s]] < time)
            time = b->all[s].times[done[s]];
    return time;
}

/* When a date pays. */
static double past_paid(const levy_observations *all, size_t i)
{
    return all->paid ? all->paid[i] : all->times[i];
}

/* Whether what a past date, or today, pays is still to be paid. A payment today has not been made
 * yet. */
static bool past_is_owed(const levy_observations *all, size_t i)
{
    return past_paid(all, i) > -1e-9;
}

/* Keeps what a block pays on a past date whose payment is to come. */
static bool past_owe(levy_script_build *b, uint32_t block, const levy_script_date *date,
                     const double *levels, const double *states)
{
    const uint32_t n = b->scripted->script.program->n_states;
    const uint32_t s = LEVY_SCRIPT_PROGRAM_BLOCKS(b->scripted->script.program)[block].schedule;
    levy_script_date paying = *date;
    double after[LEVY_SCRIPT_STATES];
    memcpy(after, states, n * sizeof *after);
    after[0] = 0.0;
    paying.worth = 1.0;
    paying.due = 0.0;
    levy_scripted_run(b->scripted, block, &paying, levels, after);
    return after[0] == 0.0 ||
           levy_script_owes(b->check, b->scripted, past_paid(&b->all[s], date->number), after[0]);
}

/* Runs all blocks of one past date. What was paid is worth nothing now. */
static bool past_date(levy_script_build *b, double time, size_t *done, double *levels,
                      double *states)
{
    const levy_script_program *const p = b->scripted->script.program;
    bool here[LEVY_SCRIPT_BLOCKS] = {false};
    for (size_t s = 0; s < b->n; ++s) {
        here[s] = done[s] < b->scripted->dates[s].n_past && b->all[s].times[done[s]] == time;
        if (here[s] && !past_levels(b, &b->all[s], done[s], levels)) return false;
    }
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const uint32_t s = LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule;
        const levy_script_date date = {
            .number = done[s], .time = time, .due = 1.0, .weights = levels};
        if (here[s] && past_is_owed(&b->all[s], done[s]) && !past_owe(b, k, &date, levels, states))
            return false;
        if (here[s]) levy_scripted_run(b->scripted, k, &date, levels, states);
    }
    for (size_t s = 0; s < b->n; ++s) done[s] += here[s];
    return true;
}

/* Skips the dates before today, which a state replaces. */
static void past_skip(const levy_script_build *b, size_t *done)
{
    for (size_t s = 0; s < b->n; ++s)
        while (done[s] < b->scripted->dates[s].n_past && b->all[s].times[done[s]] < -1e-9)
            ++done[s];
}

/* The place of the statement by which a block reads a variance; line 0: it reads none. */
static levy_script_spot past_variance(const levy_script *script, uint32_t block)
{
    const levy_script_program *const p = script->program;
    const levy_script_block *const of = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[block];
    for (uint32_t k = of->first; k < of->first + of->n; ++k) {
        const levy_script_step *const step = LEVY_SCRIPT_PROGRAM_STEPS(p) + k;
        const uint32_t operands[] = {step->a, step->b, step->c};
        for (uint32_t i = 0; i < levy_script_operands(step->op); ++i)
            if (operands[i] >= LEVY_SCRIPT_AT_LEVEL + p->n_assets &&
                operands[i] < LEVY_SCRIPT_AT_LEVEL + 2 * p->n_assets)
                return script->places ? script->places[k] : (levy_script_spot){1, 1};
    }
    return (levy_script_spot){0, 0};
}

bool levy_script_check_variances(levy_script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    for (uint32_t k = 0; b->scripted->variances && k < script->program->n_blocks; ++k) {
        const uint32_t s = LEVY_SCRIPT_PROGRAM_BLOCKS(script->program)[k].schedule;
        const levy_observations *const all = &b->all[s];
        const levy_script_spot at = past_variance(script, k);
        size_t i = 0;
        while (i < all->n && levy_script_has_state(b->trade) && all->times[i] < -1e-9) ++i;
        if (at.line == 0 || i == all->n || all->times[i] > 1e-9) continue;
        return LEVY_REFUSE(
            b->check, MISSING_DATA, all->nodes[i], levy_script_dates_path(b, s),
            "Begin the schedule later, or read integrated_variance, which is 0 "
            "until the valuation.",
            "%s is not after the valuation, and the script reads a variance there%s",
            levy_observation_text(b->check, all, i),
            script->places ? levy_check_text(b->check, " (line %u, column %u)", at.line, at.column)
                           : "");
    }
    return true;
}

bool levy_script_run_past(levy_script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    size_t done[LEVY_SCRIPT_BLOCKS] = {0};
    double *const states = levy_check_allocate(b->check, script->program->n_states, sizeof *states),
                  *const levels =
                      levy_check_allocate(b->check, b->trade->n_underlyings, sizeof *levels);
    if (!states || !levels) return false;
    memcpy(states, script->constants, script->program->n_states * sizeof *states);
    b->scripted->states = states;
    if (!levy_script_take_state(b->frame, b->trade, states)) return false;
    if (levy_script_has_state(b->trade)) past_skip(b, done);
    for (double time = past_next_time(b, done); time < 1e-9; time = past_next_time(b, done))
        if (!past_date(b, time, done, levels, states)) return false;
    /* a life that is over is 0 years from today */
    if (script->life != 0 && states[script->life] < 0.0) states[script->life] = 0.0;
    return true;
}
