/* trade_script.c: a trade whose payoff is written as text: its schedules, the compiled program, and
 * what the past has done. Past dates run on fixings, if the trade gives no state in their place:
 * what they pay is gone, but for what is paid at expiry. See trade.h. */
#include "engine/problem/schedule.h"
#include "engine/problem/script_place.h"
#include "engine/problem/script_span.h"
#include "engine/problem/script_state.h"
#include "engine/problem/trade.h"

#include "payoffs/scripted.h"

#include <math.h>
#include <string.h>

/* The schedules in the order of the script's frame; the last one is expiry. */
typedef struct script_build {
    levy_check *check;
    const levy_trade_frame *frame;
    levy_trade *trade;
    const levy_script_source *source;
    levy_scripted *scripted;
    levy_observations all[LEVY_PAYOFF_SCHEDULES];
    const char *names[LEVY_PAYOFF_SCHEDULES];
    size_t n;
} script_build;

static const char *script_path(script_build *b, const char *key)
{
    return levy_check_text(b->check, "%s.payoff.%s", b->frame->path, key);
}

static const levy_node *script_node(const script_build *b, const char *key)
{
    return levy_check_at(b->frame->raw->payoff.node, key);
}

/* ---- Schedules ---- */

/* A kind's schedules are keys of its own. */
static const char *script_schedule_path(script_build *b, const char *name)
{
    const char *const path = b->frame->path;
    return b->source->is_own ? levy_check_text(b->check, "%s.payoff.schedules.%s", path, name)
                             : levy_check_text(b->check, "%s.payoff.%s", path, name);
}

static const char *script_dates_path(script_build *b, size_t schedule)
{
    return schedule + 1 < b->n ? script_schedule_path(b, b->names[schedule])
                               : levy_check_text(b->check, "%s.exercise.expiry", b->frame->path);
}

/* A schedule whose only date is that of exercise. */
static bool script_expiry(script_build *b, const char *name)
{
    levy_observations *const last = &b->all[b->n];
    const levy_time *const expiry = &b->frame->raw->exercise.expiry;
    last->times = levy_check_allocate(b->check, 1, sizeof *last->times);
    last->nodes = levy_check_allocate(b->check, 1, sizeof *last->nodes);
    if (!last->times || !last->nodes) return false;
    last->n = 1;
    last->times[0] = b->trade->expiry;
    last->nodes[0] = expiry->node;
    last->dates = expiry->is_date ? &expiry->date : NULL;
    b->names[b->n++] = name;
    return true;
}

static bool script_schedule(script_build *b, const levy_named_schedule *schedule)
{
    const levy_schedule_frame frame = {.terms = &schedule->terms,
                                       .path = script_schedule_path(b, schedule->name),
                                       .expiry_as_written = &b->frame->raw->exercise.expiry,
                                       .expiry = b->trade->expiry,
                                       .pays = true,
                                       .payment = b->trade->payment_time};
    if (strcmp(schedule->name, "expiry") == 0)
        return LEVY_REFUSE(b->check, INCONSISTENT, schedule->terms.node, frame.path,
                           "Remove it, or choose another name.",
                           "'expiry' is the date of exercise");
    if (b->n + 1 == LEVY_PAYOFF_SCHEDULES)
        return LEVY_REFUSE(b->check, LIMIT, schedule->terms.node, frame.path,
                           "Use lists with a number for each date instead.",
                           "a script has at most %d schedules beside expiry",
                           LEVY_PAYOFF_SCHEDULES - 1);
    if (!schedule->terms.node) return script_expiry(b, schedule->name);
    b->names[b->n] = schedule->name;
    return levy_schedule_resolve(b->check, b->frame->market, &frame, &b->all[b->n++]);
}

/* Takes the bits of the date that is `time` among n times in order, if there is one. */
static bool script_take_bits(const double *times, size_t n, double *time)
{
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (times[middle] < *time && !levy_time_is_same(times[middle], *time))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || !levy_time_is_same(times[low], *time)) return false;
    *time = times[low];
    return true;
}

static bool script_take_date(const script_build *b, size_t n, double *time)
{
    for (size_t s = 0; s < n; ++s)
        if (script_take_bits(b->all[s].times, b->all[s].n, time)) return true;
    return false;
}

/* Gives one date the same bits in all schedules: those of today, of exercise, or of the first that
 * has it. */
static void script_unite(script_build *b)
{
    const levy_trade *const t = b->trade;
    const double own[] = {0.0, t->expiry};
    for (size_t s = 0; s < b->n; ++s)
        for (size_t i = 0; i < b->all[s].n; ++i)
            if (!script_take_bits(own, 1, &b->all[s].times[i]) &&
                !script_take_bits(own + 1, 1, &b->all[s].times[i]))
                (void)script_take_date(b, s, &b->all[s].times[i]);
    for (size_t s = 0; s < b->n; ++s) {
        double *const paid = b->all[s].paid;
        for (size_t i = 0; paid && i < b->all[s].n; ++i) {
            bool found = script_take_bits(&t->payment_time, 1, &paid[i]) ||
                         script_take_bits(own, 1, &paid[i]) || script_take_date(b, b->n, &paid[i]);
            for (size_t r = 0; r < s && !found; ++r)
                found = b->all[r].paid && script_take_bits(b->all[r].paid, b->all[r].n, &paid[i]);
        }
    }
}

static bool script_schedules(script_build *b)
{
    for (size_t k = 0; k < b->source->n_schedules; ++k)
        if (!script_schedule(b, &b->source->schedules[k])) return false;
    if (!script_expiry(b, "expiry")) return false;
    script_unite(b);
    return true;
}

/* ---- Fractions of a year ---- */

/* Where the first fraction begins. False: it is not given, or after the first date. */
static bool script_accrual_start(script_build *b, levy_time *start, double *time)
{
    const levy_accrual *const accrual = &b->source->accrual;
    const levy_observations *const all = &b->all[0];
    *start = accrual->start;
    *time = 0.0;
    if (!accrual->start.node && b->check->has_date)
        return LEVY_REFUSE(b->check, MISSING_KEY, b->frame->raw->payoff.node,
                           script_path(b, "accrual_start"),
                           "Write accrual_start: DATE, or start of the schedule.",
                           "a rate needs the start of its first period");
    if (accrual->start.node &&
        !levy_check_time(b->check, &accrual->start, script_path(b, "accrual_start"), time))
        return false;
    return *time <= all->times[0] ||
           LEVY_REFUSE(b->check, RANGE, accrual->start.node, script_path(b, "accrual_start"),
                       "Start the first period before its coupon.",
                       "the first period starts after the first coupon, %s",
                       levy_observation_text(b->check, all, 0));
}

/* Fills the parameter that holds the fractions, if there is one. */
static bool script_accrue(script_build *b)
{
    const levy_accrual *const accrual = &b->source->accrual;
    const levy_observations *const all = &b->all[0];
    const levy_day_count rule = (levy_day_count)accrual->day_count;
    levy_time start;
    double from;
    if (!accrual->parameter) return true;
    if (rule != LEVY_ACT_365_FIXED && !all->dates)
        return LEVY_REFUSE(b->check, INCONSISTENT, script_node(b, "day_count"),
                           script_path(b, "day_count"),
                           "Remove day_count, or write the coupons as dates or with a frequency.",
                           "a day count needs dates, but these coupons have times in years");
    if (!script_accrual_start(b, &start, &from)) return false;
    double *const fractions = levy_check_allocate(b->check, all->n, sizeof *fractions);
    if (!fractions) return false;
    for (size_t i = 0; i < all->n; ++i) {
        if (all->dates)
            fractions[i] =
                levy_year_fraction(rule, i > 0 ? all->dates[i - 1] : start.date, all->dates[i]);
        else
            fractions[i] = all->times[i] - (i > 0 ? all->times[i - 1] : from);
    }
    accrual->parameter->values = fractions;
    accrual->parameter->n = all->n;
    accrual->parameter->is_list = true;
    return true;
}

/* ---- Returns in a year ---- */

/* Weekends and holidays at the ends of a short schedule move its returns in a year. */
static const double script_ends_years = 4.0 / 365.0, script_returns_tolerance = 1.15;

/* The years that the first schedule's returns take; 0: it does not tell. A single return starts
 * today, unless its initial fixing is from another day. */
static double script_return_years(const script_build *b, double *n)
{
    const levy_observations *const all = &b->all[0];
    *n = all->n > 1 ? (double)(all->n - 1) : 1.0;
    if (all->n > 1) return all->times[all->n - 1] - all->times[0];
    return b->trade->terms->initial_fixing ? 0.0 : all->times[0];
}

/* The usual number that is near, or the number itself. */
static const char *script_usual_returns(script_build *b, double returns)
{
    static const double usual[] = {1, 2, 4, 12, 26, 52, 252, 365};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; ++i)
        if (fabs(returns / usual[i] - 1.0) < 0.05) return levy_check_text(b->check, "%g", usual[i]);
    return levy_check_text(b->check, "%.3g", returns);
}

/* Variance that is made annual by a number that its dates do not have is wrong by their ratio. */
static void script_warn_returns(script_build *b)
{
    const levy_script_parameter *const p = b->source->returns;
    double n;
    const double years = p ? script_return_years(b, &n) : 0.0;
    if (years <= 0.0) return;
    const double least = n / (years + script_ends_years) / script_returns_tolerance,
                 most = years > script_ends_years
                            ? n / (years - script_ends_years) * script_returns_tolerance
                            : (double)INFINITY;
    if (p->values[0] >= least && p->values[0] <= most) return;
    const char *const due = script_usual_returns(b, n / years);
    LEVY_WARN(b->check, INCONSISTENT, script_node(b, p->name), script_path(b, p->name),
              levy_check_text(b->check, "Write %s: %s.", p->name, due),
              "%s is %s, but '%s' has about %s returns a year", p->name,
              levy_check_number(b->check, p->values[0]), b->names[0], due);
}

/* ---- The text ---- */

/* A kind's text has compiled with its example: it is the trade that does not fit. */
static bool script_refuse_kind(script_build *b, const levy_script_fault *fault)
{
    const char *const name = b->trade->payoff_kind_name;
    const levy_node *const place = b->source->place;
    const char *where = "";
    if (place) {
        const levy_node at = levy_script_place(place, fault->line, fault->column);
        where = levy_check_text(b->check, " (%s:%u:%u)", at.place.file, (unsigned)at.place.line,
                                (unsigned)at.place.column);
    }
    return LEVY_REFUSE(b->check, INCONSISTENT, b->frame->raw->payoff.node,
                       levy_check_text(b->check, "%s.payoff", b->frame->path),
                       "Give the kind as many underlyings as it takes, and lists a number for "
                       "each of them.",
                       "%s: %s%s", name, fault->message, where);
}

/* The names of the underlyings. NULL: no memory. */
static const char *const *script_asset_names(script_build *b)
{
    const levy_trade *const trade = b->trade;
    const char **const names = levy_check_allocate(b->check, trade->n_underlyings, sizeof *names);
    for (size_t u = 0; names && u < trade->n_underlyings; ++u)
        names[u] = trade->model->assets[trade->underlyings[u]]->name;
    return names;
}

/* A parameter that is named like an underlying would be read in place of its level. */
static bool script_hides_none(script_build *b, const char *const *names)
{
    const size_t n = b->trade->n_underlyings;
    for (size_t k = 0; b->source->is_own && k < b->source->n_parameters; ++k) {
        for (size_t u = 0; u < n; ++u) {
            const char *const name = b->source->parameters[k].name;
            if (strcmp(name, names[u]) != 0) continue;
            const char *const level =
                n == 1 ? "level" : levy_check_text(b->check, "levels[%zu]", u + 1);
            return LEVY_REFUSE(
                b->check, UNKNOWN_NAME, levy_node_find(script_node(b, "parameters"), name)->key,
                levy_check_text(b->check, "%s.payoff.parameters.%s", b->frame->path, name),
                levy_check_text(b->check,
                                "Choose another name. The script reads the level of %s as `%s`.",
                                name, level),
                "'%s' is an underlying of the trade", name);
        }
    }
    return true;
}

static bool script_compile(script_build *b)
{
    const char *const *const names = script_asset_names(b);
    if (!names || !script_hides_none(b, names)) return false;
    const levy_script_frame frame = {.text = b->source->text,
                                     .length = strlen(b->source->text),
                                     .parameters = b->source->parameters,
                                     .n_parameters = b->source->n_parameters,
                                     .schedules = b->names,
                                     .n_schedules = b->n,
                                     .n_assets = (uint32_t)b->trade->n_underlyings,
                                     .names = names,
                                     .expiry = b->trade->expiry};
    levy_script_fault fault;
    if (levy_script_compile(&frame, b->check->arena, &b->scripted->script, &fault)) {
        if (!b->source->is_own) b->scripted->script.places = NULL; /* of a text nobody sees */
        return true;
    }
    if (fault.out_of_memory) return b->check->out_of_memory = true, false;
    if (!b->source->is_own) return script_refuse_kind(b, &fault);
    return levy_script_refuse_all(b->check, b->source->place, script_path(b, "script"), &fault);
}

static bool script_refuse_list(script_build *b, const levy_script_term *term)
{
    const levy_script_parameter *const p = &b->source->parameters[term->parameter];
    const char *const what =
        levy_check_text(b->check, "'%s' has %zu numbers, but the schedule '%s' has %zu dates",
                        p->name, p->n, b->names[term->schedule], b->all[term->schedule].n);
    static const char hint[] = "Give a number for each date, past ones included.";
    if (!b->source->is_own)
        return LEVY_REFUSE(b->check, INCONSISTENT, script_node(b, p->name), script_path(b, p->name),
                           hint, "%s", what);
    const levy_node at = levy_script_place(b->source->place, term->line, term->column);
    return LEVY_REFUSE(b->check, INCONSISTENT, &at, script_path(b, "script"), hint,
                       "line %u, column %u: %s", term->line, term->column, what);
}

/* A list that is read by date has a number for each date. */
static bool script_lists(script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const levy_script_term *const term = &script->terms[k];
        if (term->kind != LEVY_SCRIPT_ITEM) continue; /* else there is a parameter */
        if (b->source->parameters[term->parameter].n == b->all[term->schedule].n) continue;
        return script_refuse_list(b, term);
    }
    return true;
}

/* ---- The past ---- */

/* Counts the past dates of a schedule and lists the future ones. */
static void script_part(script_build *b, size_t schedule)
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
        b->trade->observations = all->times + first;
        b->trade->n_observations = n;
    } else {
        b->trade->further[b->trade->n_further++] = (levy_times){n, all->times + first};
    }
    b->trade->observes_now = b->trade->observes_now || dates->has_today;
}

/* The levels that the script sees at a past date. */
static bool script_past_levels(script_build *b, const levy_observations *all, size_t i,
                               double *levels)
{
    levy_trade *const trade = b->trade;
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = trade->model->assets[trade->underlyings[u]];
        levels[u] = asset->spot;
        if (!b->scripted->script.reads_levels) continue;
        const bool fixed =
            levy_fixing_at(&b->frame->market->fixings[asset - b->frame->market->assets],
                           all->times[i], &levels[u]);
        if (!fixed && levy_time_is_now(all->times[i])) {
            if (!levy_trade_stand_in(b->check, trade, u)) return false;
        } else if (!fixed)
            return LEVY_REFUSE(b->check, MISSING_DATA, all->nodes[i],
                               script_dates_path(b, (size_t)(all - b->all)),
                               "Add them as [time, level] to the assets' fixings in the market.",
                               "past fixings are missing: %s at %s", asset->name,
                               levy_observation_text(b->check, all, i));
        levels[u] *= trade->coefficients[u];
    }
    return true;
}

/* The earliest past time that was not run yet; after today: there is none. done: [schedule] dates
 * that were run. */
static double script_next_time(const script_build *b, const size_t *done)
{
    double time = 1.0;
    for (size_t s = 0; s < b->n; ++s)
        if (done[s] < b->scripted->dates[s].n_past && b->all[s].times[done[s]] < time)
            time = b->all[s].times[done[s]];
    return time;
}

/* When a date pays. */
static double script_paid(const levy_observations *all, size_t i)
{
    return all->paid ? all->paid[i] : all->times[i];
}

/* Whether what a past date, or today, pays is still to be paid. A payment today has not been made
 * yet. */
static bool script_is_owed(const levy_observations *all, size_t i)
{
    return script_paid(all, i) > -1e-9;
}

/* Keeps what a block pays on a past date whose payment is to come. */
static bool script_owe(script_build *b, uint32_t block, const levy_script_date *date,
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
           levy_script_owes(b->check, b->scripted, script_paid(&b->all[s], date->number), after[0]);
}

/* Runs all blocks of one past date. What was paid is worth nothing now. */
static bool script_past_date(script_build *b, double time, size_t *done, double *levels,
                             double *states)
{
    const levy_script_program *const p = b->scripted->script.program;
    bool here[LEVY_SCRIPT_BLOCKS] = {false};
    for (size_t s = 0; s < b->n; ++s) {
        here[s] = done[s] < b->scripted->dates[s].n_past && b->all[s].times[done[s]] == time;
        if (here[s] && !script_past_levels(b, &b->all[s], done[s], levels)) return false;
    }
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const uint32_t s = LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule;
        const levy_script_date date = {
            .number = done[s], .time = time, .due = 1.0, .weights = levels};
        if (here[s] && script_is_owed(&b->all[s], done[s]) &&
            !script_owe(b, k, &date, levels, states))
            return false;
        if (here[s]) levy_scripted_run(b->scripted, k, &date, levels, states);
    }
    for (size_t s = 0; s < b->n; ++s) done[s] += here[s];
    return true;
}

/* The dates before today, which a state stands for. */
static void script_skip_past(const script_build *b, size_t *done)
{
    for (size_t s = 0; s < b->n; ++s)
        while (done[s] < b->scripted->dates[s].n_past && b->all[s].times[done[s]] < -1e-9)
            ++done[s];
}

static bool script_past(script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    size_t done[LEVY_SCRIPT_BLOCKS] = {0};
    double *const states = levy_check_allocate(b->check, script->program->n_states, sizeof *states),
                  *const levels =
                      levy_check_allocate(b->check, b->trade->n_underlyings, sizeof *levels);
    if (!states || !levels) return false;
    memcpy(states, script->constants, script->program->n_states * sizeof *states);
    b->scripted->states = states;
    if (!levy_script_take_state(b->check, b->frame, b->trade, states)) return false;
    if (levy_script_has_state(b->trade)) script_skip_past(b, done);
    for (double time = script_next_time(b, done); time < 1e-9; time = script_next_time(b, done))
        if (!script_past_date(b, time, done, levels, states)) return false;
    /* a life that is over is 0 years from today */
    if (script->life != 0 && states[script->life] < 0.0) states[script->life] = 0.0;
    return true;
}

/* ---- Between dates ---- */

/* Refuses the text's first question of what was crossed. */
static bool script_refuse_crossed(script_build *b, const char *hint, const char *why)
{
    const levy_script *const script = &b->scripted->script;
    const levy_script_term *term = script->terms;
    while (term->kind != LEVY_SCRIPT_VARIANCE) ++term;
    if (!b->source->is_own)
        return LEVY_REFUSE(b->check, UNSUPPORTED, b->frame->raw->payoff.node,
                           levy_check_text(b->check, "%s.payoff", b->frame->path), hint, "%s: %s",
                           b->trade->payoff_kind_name, why);
    const levy_node at = levy_script_place(b->source->place, term->line, term->column);
    return LEVY_REFUSE(b->check, UNSUPPORTED, &at, script_path(b, "script"), hint,
                       "line %u, column %u: %s", term->line, term->column, why);
}

static const char script_on_dates[] =
    "Compare levels on dates, such as a daily schedule. That is another contract: what touches a "
    "level between dates does not count.";

/* Does a block of the schedule see a level? */
static bool script_sees(const script_build *b, size_t schedule)
{
    const levy_script_program *const p = b->scripted->script.program;
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k];
        const levy_script_step *step = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
        for (uint32_t i = 0; i < block->n && block->schedule == schedule; ++i, ++step) {
            const uint16_t operands[] = {step->a, step->b, step->c};
            for (uint32_t j = 0; j < levy_script_operands(step->op); ++j)
                if ((operands[j] & LEVY_SCRIPT_AT) == LEVY_SCRIPT_AT_LEVEL) return true;
        }
    }
    return false;
}

static bool script_has_time(const levy_observations *all, double time)
{
    for (size_t i = 0; i < all->n; ++i)
        if (fabs(all->times[i] - time) < 1e-9) return true;
    return false;
}

/* A chance counts levels at dates of its own schedule alone, so no other may see one in between. */
static bool script_sees_between(script_build *b, size_t crossed, size_t other)
{
    const levy_observations *const own = &b->all[crossed], *const all = &b->all[other];
    for (size_t i = 0; i < all->n && own->n > 0; ++i) {
        if (all->times[i] < 1e-9 || all->times[i] > own->times[own->n - 1] - 1e-9 ||
            script_has_time(own, all->times[i]))
            continue;
        return script_refuse_crossed(
            b,
            levy_check_text(b->check, "Give the schedule '%s' these dates too.", b->names[crossed]),
            levy_check_text(b->check,
                            "'%s' sees a level at %s, between two dates of '%s': what was crossed "
                            "in between depends on it",
                            b->names[other], levy_observation_text(b->check, all, i),
                            b->names[crossed]));
    }
    return true;
}

/* By how much the drift from `from` to `to` is not in proportion to the variance, in deviations. */
static double script_bends(const levy_asset *asset, double from, double to)
{
    enum { PARTS = 8 };
    const double v = levy_asset_total_variance(asset, from),
                 variance = levy_asset_total_variance(asset, to) - v,
                 start = levy_asset_log_forward(asset, from),
                 drift = levy_asset_log_forward(asset, to) - start;
    double most = 0.0;
    for (int k = 1; k < PARTS && variance > 0.0; ++k) {
        const double at = from + (to - from) * k / PARTS,
                     part = (levy_asset_total_variance(asset, at) - v) / variance,
                     off = levy_asset_log_forward(asset, at) - start - part * drift;
        most = fmax(most, fabs(off) / sqrt(variance));
    }
    return most;
}

/* Warns of the first interval in which volatility or rates change. */
static void script_warn_bends(script_build *b, const levy_asset *asset, size_t schedule)
{
    const double much = 0.01; /* of a deviation: a chance then changes by about as much */
    const levy_observations *const all = &b->all[schedule];
    double from = 0.0;
    for (size_t i = 0; i < all->n; ++i) {
        if (all->times[i] <= 0.0) continue;
        if (script_bends(asset, from, all->times[i]) > much) {
            LEVY_WARN(b->check, INCONSISTENT, script_node(b, "script"), script_path(b, "script"),
                      levy_check_text(b->check,
                                      "Give the schedule '%s' more dates, such as where the "
                                      "volatility or the curve has nodes.",
                                      b->names[schedule]),
                      "what '%s' crosses before %s is approximate: volatility or rates change in "
                      "between",
                      asset->name, levy_observation_text(b->check, all, i));
            return;
        }
        from = all->times[i];
    }
}

/* Schedules that ask. */
static bool script_crossed_dates(script_build *b)
{
    for (size_t s = 0; s < b->n; ++s) {
        if (!(b->scripted->script.crosses >> s & 1)) continue;
        for (size_t other = 0; other < b->n; ++other)
            if (other != s && script_sees(b, other) && !script_sees_between(b, s, other))
                return false;
        for (size_t u = 0; u < b->trade->n_underlyings; ++u)
            script_warn_bends(b, b->trade->model->assets[b->trade->underlyings[u]], s);
    }
    return true;
}

/* Whether logarithms of levels are Brownian between dates, and nobody needs to know what was
 * crossed in the past. */
static bool script_crosses(script_build *b)
{
    const levy_model *const model = b->trade->model;
    const unsigned features = levy_model_features(model->kind, model->terms);
    const bool jumps = features & LEVY_MODEL_JUMPS;
    if (b->scripted->script.crosses == 0) return true;
    if (features & (LEVY_MODEL_JUMPS | LEVY_MODEL_RANDOM))
        return script_refuse_crossed(
            b, script_on_dates,
            levy_check_text(b->check, "crossed needs a diffusion model, but the model '%s' %s",
                            model->name, jumps ? "has jumps" : "has stochastic volatility"));
    for (size_t u = 0; u < b->trade->n_underlyings; ++u) {
        const levy_asset *const asset = model->assets[b->trade->underlyings[u]];
        if (asset->n_cash + asset->n_proportional > 0)
            return script_refuse_crossed(
                b, "Write a dividend_yield, or compare levels on dates.",
                levy_check_text(b->check,
                                "crossed needs levels without jumps, but '%s' pays dividends on "
                                "dates",
                                asset->name));
    }
    for (size_t s = 0; s < b->n; ++s)
        if (b->scripted->script.crosses >> s & 1 && b->all[s].n > 0 && b->all[s].times[0] < -1e-9 &&
            !levy_script_has_state(b->trade))
            return script_refuse_crossed(
                b, "Give the variables as they are today: state.",
                levy_check_text(b->check,
                                "the schedule '%s' has past dates, and no fixing tells what was "
                                "crossed between them",
                                b->names[s]));
    return script_crossed_dates(b);
}

/* ---- What may happen when ---- */

static void script_add_time(double *times, size_t *n, double time)
{
    size_t k = *n;
    for (size_t i = 0; i < *n; ++i)
        if (times[i] == time) return;
    for (; k > 0 && times[k - 1] > time; --k) times[k] = times[k - 1];
    times[k] = time;
    ++*n;
}

/* The times of today and later at which a schedule's term of that kind is read. */
static void script_add_times(const script_build *b, const levy_script_term *term, double *times,
                             size_t *n)
{
    const levy_observations *const all = &b->all[term->schedule];
    const levy_script_dates *const dates = &b->scripted->dates[term->schedule];
    if (term->kind == LEVY_SCRIPT_DUE) {
        script_add_time(times, n, b->trade->payment_time);
        return;
    }
    const double *const at = term->kind == LEVY_SCRIPT_WORTH && all->paid ? all->paid : all->times;
    if (dates->has_today) script_add_time(times, n, at == all->paid ? at[dates->n_past] : 0.0);
    for (size_t i = dates->n_past + dates->has_today; i < all->n; ++i)
        script_add_time(times, n, at[i]);
}

static bool script_times(script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    levy_scripted *const s = b->scripted;
    size_t most = 2 + s->n_owed;
    for (size_t k = 0; k < b->n; ++k) most += b->all[k].n;
    double *const flows = levy_check_allocate(b->check, most, sizeof *flows),
                  *const ends = levy_check_allocate(b->check, most, sizeof *ends);
    if (!flows || !ends) return false;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const levy_script_term_kind kind = script->terms[k].kind;
        if (kind == LEVY_SCRIPT_WORTH || kind == LEVY_SCRIPT_DUE)
            script_add_times(b, &script->terms[k], flows, &s->n_flows);
        if (kind == LEVY_SCRIPT_ENDS) script_add_times(b, &script->terms[k], ends, &s->n_ends);
    }
    for (size_t k = 0; k < s->n_owed; ++k) script_add_time(flows, &s->n_flows, s->owed[k].time);
    if (s->states[0] != 0.0) script_add_time(flows, &s->n_flows, b->trade->payment_time);
    if (script->ended) script_add_time(ends, &s->n_ends, b->trade->expiry);
    s->flows = flows;
    s->ends = ends;
    return true;
}

/* ---- The whole ---- */

/* Whether no block that sees a level has a date to come, or today's spot. */
static bool script_is_decided(const script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    for (size_t s = 0; s < b->n; ++s)
        if (b->scripted->dates[s].n_past < b->all[s].n && script_sees(b, s)) return false;
    return script->reads_levels && script->crosses == 0 && script->n_spans == 0;
}

static void script_warn_unused(script_build *b)
{
    for (size_t k = 0; k < b->source->n_parameters; ++k)
        if (!b->source->parameters[k].used && b->source->is_own)
            LEVY_WARN(b->check, INCONSISTENT, script_node(b, "parameters"),
                      script_path(b, "parameters"), "Remove it, or check its name in the script.",
                      "the script does not read the parameter '%s'", b->source->parameters[k].name);
}

/* Amounts that no level moves are mostly a name that was meant as a level. */
static void script_warn_fixed(script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    if (!b->source->is_own || script->reads_levels || script->n_spans > 0) return;
    LEVY_WARN(b->check, INCONSISTENT, script_node(b, "script"), script_path(b, "script"),
              levy_check_text(b->check,
                              "The level at the date is `%s`. The kinds cash and coupon pay fixed "
                              "amounts.",
                              b->trade->n_underlyings == 1 ? "level" : "levels[1]"),
              "the script reads no level: what it pays is fixed");
}

bool levy_trade_script(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->payoff];
    const levy_payoff_frame seen = levy_trade_seen(frame, trade);
    levy_script_source source = {0};
    levy_scripted *const scripted = levy_check_allocate(build, 1, sizeof *scripted);
    if (!scripted || !kind->source(build, trade->terms, &seen, &source)) return false;
    script_build b = {build, frame, trade, &source, scripted, {{0}}, {0}, 0};
    scripted->parameters = source.parameters;
    scripted->expiry = trade->expiry;
    trade->scripted = scripted;
    if (!script_schedules(&b) || !script_accrue(&b) || !script_compile(&b) || !script_lists(&b))
        return false;
    script_warn_unused(&b);
    script_warn_fixed(&b);
    script_warn_returns(&b);
    for (size_t s = 0; s < b.n; ++s) script_part(&b, s);
    scripted->is_decided = script_is_decided(&b);
    const levy_span_frame spans = {frame, trade, &source, b.names};
    return script_crosses(&b) && levy_script_check_spans(build, &spans, scripted) &&
           script_past(&b) && script_times(&b);
}
