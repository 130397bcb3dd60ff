/* trade_policy.c: exercise before expiry on paths: the trade becomes a script that reads a rule of
 * exercise (payoffs/policy.h), which a stage fits before the price. See trade.h. Must not know: how
 * the rule is fitted, plans. */
#include "engine/problem/trade_form.h"

#include "payoffs/policy.h"

enum { POLICY_EXERCISES, POLICY_EXPIRY, POLICY_SCHEDULES, POLICY_BASIS = 4 };

typedef struct policy_build {
    levy_check *check;
    const levy_trade_frame *frame;
    levy_trade *trade;
    levy_policy *policy;
    levy_scripted *scripted;
    levy_times dates; /* to come */
} policy_build;

/* American exercise is on dates from today on, evenly. */
static bool policy_american(const policy_build *b, levy_early *early)
{
    const levy_raw_exercise *const exercise = &b->frame->raw->exercise;
    const size_t n = (size_t)exercise->steps;
    if (n == 0)
        return LEVY_REFUSE(b->check, MISSING_KEY, exercise->node,
                           levy_trade_path(b->check, b->frame, "exercise.steps"),
                           "Add steps, such as 50: the price is that of so many dates.",
                           "american exercise by simulation needs steps");
    early->times = levy_check_allocate(b->check, n, sizeof *early->times);
    if (!early->times) return false;
    for (; early->n < n; ++early->n)
        early->times[early->n] = b->trade->claim.expiry * (double)early->n / (double)n;
    return true;
}

/* A rule that stays as it is where the market moves is wrong by the second order. */
static bool policy_measures(const policy_build *b)
{
    const bool own = b->trade->measures != 0;
    const uint32_t measures = own ? b->trade->measures : b->frame->problem->simulation.measures;
    if (!(measures & LEVY_MEASURE_VOLGA)) return true;
    return LEVY_REFUSE(b->check, UNSUPPORTED,
                       own ? b->frame->raw->measures.node : b->frame->raw->node,
                       levy_trade_path(b->check, b->frame, "measures"),
                       own ? "Remove volga." : "Give the trade its own measures, without volga.",
                       "volga is not available of exercise by simulation, whose rule does not "
                       "move with the volatility");
}

/* What no rule can price. */
static bool policy_allows(const policy_build *b)
{
    const levy_raw_exercise *const exercise = &b->frame->raw->exercise;
    const levy_model *const model = b->trade->model;
    const uint64_t paths = exercise->fit.node ? exercise->fit.paths : 1 << 16;
    if (!policy_measures(b)) return false;
    if (levy_model_discounts(model->kind, model->terms))
        return levy_trade_refuse_early(b->check, b->frame, "Remove the regimes' rates.",
                                       "regime-dependent rates discount at expiry alone");
    if (exercise->steps && exercise->style == LEVY_RAW_BERMUDAN)
        return LEVY_REFUSE(b->check, INCONSISTENT, levy_check_at(exercise->node, "steps"),
                           levy_trade_path(b->check, b->frame, "exercise.steps"),
                           "Remove steps, or write style: american.",
                           "bermudan exercise has its dates");
    if ((paths & (paths - 1)) == 0) return true;
    return LEVY_REFUSE(b->check, RANGE, levy_check_at(exercise->fit.node, "paths"),
                       levy_trade_path(b->check, b->frame, "exercise.fit.paths"),
                       "Write a power of two, such as 2^16.", "the paths are no power of two");
}

/* The dates after today; whether today is one. */
static void policy_part(policy_build *b, const levy_early *early)
{
    size_t first = 0;
    while (first < early->n && early->times[first] == 0.0) ++first;
    b->policy->today = first > 0;
    b->dates = (levy_times){early->n - first, early->times + first};
}

/* Copies what the script names: the strike, and lists of a number for each date, by which nothing
 * is exercised until they are fitted. */
static bool policy_parameters(policy_build *b, const levy_script_form *form,
                              const char *const *names, size_t n_lists,
                              levy_script_parameter *parameters)
{
    const size_t n = b->dates.n;
    double *const none = levy_check_allocate(b->check, 2 * n + 1, sizeof *none);
    if (!none) return false;
    none[0] = form->numbers[0];
    for (size_t k = 0; k < n; ++k) none[1 + k] = LEVY_POLICY_NEVER;
    parameters[0] = form->parameters[0];
    parameters[0].values = none;
    for (size_t k = 0; k < n_lists; ++k)
        parameters[k + 1] =
            (levy_script_parameter){.name = names[k],
                                    .values = none + 1 + (k == LEVY_POLICY_HELD ? 0 : n),
                                    .n = n,
                                    .is_list = true};
    return true;
}

static bool policy_compile(policy_build *b)
{
    static const char *const schedules[POLICY_SCHEDULES] = {"exercises", "expiry"};
    const char *names[LEVY_POLICY_LISTS];
    levy_script_form form = {.level = "level"};
    levy_script_fault fault;
    const size_t n = levy_policy_write(b->policy, &form, names);
    levy_script_parameter *const parameters =
        levy_check_allocate(b->check, n + 1, sizeof *parameters);
    if (!parameters || !policy_parameters(b, &form, names, n, parameters)) return false;
    const levy_script_frame frame = {.text = form.text,
                                     .length = form.length,
                                     .parameters = parameters,
                                     .n_parameters = n + 1,
                                     .schedules = schedules,
                                     .n_schedules = POLICY_SCHEDULES,
                                     .n_assets = (uint32_t)b->trade->n_underlyings,
                                     .expiry = b->trade->claim.expiry};
    if (!levy_script_compile(&frame, b->check->arena, &b->scripted->script, &fault)) {
        b->check->out_of_memory = true; /* the text is levy's own */
        return false;
    }
    b->scripted->script.places = NULL;
    b->scripted->parameters = parameters;
    return true;
}

/* The trade as a script. Nobody knows the date of its payment. */
static bool policy_take(policy_build *b)
{
    levy_trade *const t = b->trade;
    levy_scripted *const s = b->scripted;
    double *const expiry = levy_check_allocate(b->check, 1, sizeof *expiry);
    if (!expiry) return false;
    *expiry = t->claim.expiry;
    s->dates[POLICY_EXERCISES] = (levy_script_dates){.n = b->dates.n, .times = b->dates.times};
    s->dates[POLICY_EXPIRY] = (levy_script_dates){.n = 1, .times = expiry};
    s->states = s->script.constants;
    s->expiry = t->claim.expiry;
    s->policy = b->policy;
    t->claim.observations = b->dates;
    t->claim.further[0] = (levy_times){1, expiry};
    t->integrates_as = LEVY_FORM_WRITTEN;
    t->form = LEVY_FORM_WRITTEN;
    t->unsmoothed = NULL;
    t->kind = (levy_trade_kind){.payoff = levy_payoff_of_script(),
                                .aggregate = LEVY_AGGREGATE_WORST_OF,
                                .scripted = s,
                                .n_further = 1};
    t->stage = &b->policy->stage;
    return true;
}

bool levy_trade_simulate_exercise(levy_check *build, const levy_trade_frame *frame,
                                  levy_trade *trade)
{
    const levy_raw_exercise *const exercise = &frame->raw->exercise;
    const levy_raw_exercise_fit *const fit = &exercise->fit;
    policy_build b = {.check = build,
                      .frame = frame,
                      .trade = trade,
                      .policy = levy_check_allocate(build, 1, sizeof *b.policy),
                      .scripted = levy_check_allocate(build, 1, sizeof *b.scripted)};
    levy_early *const early = levy_check_allocate(build, 1, sizeof *early);
    if (!b.policy || !b.scripted || !early || !policy_allows(&b)) return false;
    *early = *trade->early;
    trade->early = early;
    if (early->american && !policy_american(&b, early)) return false;
    *b.policy = (levy_policy){
        .sign = levy_payoff_sign(trade->claim.terms),
        .strike = trade->claim.terms->strike,
        .coefficient = trade->claim.coefficients[0],
        .degree = POLICY_BASIS,
        .seed = levy_node_find(fit->node, "seed") ? fit->seed : frame->problem->simulation.seed};
    levy_policy_stage(fit->node ? fit->paths : 1 << 16, b.policy);
    policy_part(&b, early);
    levy_trade_take_form(trade, LEVY_FORM_WRITTEN);
    return policy_compile(&b) && policy_take(&b);
}
