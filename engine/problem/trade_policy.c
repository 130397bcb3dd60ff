/* trade_policy.c: exercise before expiry on paths: the trade becomes a script that reads a rule of
 * exercise (payoffs/policy.h), which a stage fits before the price. See trade.h. Must not know: how
 * the rule is fitted, plans. */
#include "engine/base/order.h"
#include "engine/problem/schedule.h"
#include "engine/problem/trade.h"
#include "engine/problem/trade_claim.h"

#include "engine/problem/trade_rule.h"
#include "payoffs/policy_bound.h"

#include <math.h>
#include <stdlib.h>

enum { POLICY_EXERCISES, POLICY_EXPIRY, POLICY_SCHEDULES };

typedef struct policy_build {
    const levy_trade_frame *frame;
    levy_trade *trade;
    levy_policy *policy;
    levy_scripted *scripted, *bound; /* bound: NULL: nobody asks for it */
    levy_times dates;                /* to come */
} policy_build;

/* Where a dividend goes ex, exercise before it is on the day before: a date of its own. */
static const double policy_before = 0.51 / 365.0;

static size_t policy_dividends(const levy_trade *trade)
{
    size_t n = 0;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        n += levy_carry_dates(&levy_trade_asset(trade, u)->carry).n;
    return n;
}

/* Adds the dates before and after each dividend, and puts all in order, each once. */
static void policy_add_dividends(const levy_trade *trade, levy_early *early)
{
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_nodes dates = levy_carry_dates(&levy_trade_asset(trade, u)->carry);
        for (size_t k = 0; k < dates.n && dates.times[k] < trade->claim.expiry; ++k) {
            early->times[early->n++] = fmax(dates.times[k] - policy_before, 0.0);
            early->times[early->n++] = dates.times[k];
        }
    }
    qsort(early->times, early->n, sizeof *early->times, levy_order_compare);
    size_t kept = 0;
    for (size_t k = 0; k < early->n; ++k)
        if (kept == 0 || !levy_time_is_same(early->times[k], early->times[kept - 1]))
            early->times[kept++] = early->times[k];
    early->n = kept;
}

/* American exercise is on dates from today on, or from the end of a notice of today, evenly, and
 * beside dividends. */
static bool policy_american(const policy_build *b, levy_early *early)
{
    const levy_raw_exercise *const exercise = &b->frame->raw->exercise;
    const size_t n = (size_t)exercise->steps;
    const double expiry = b->trade->claim.expiry, from = (double)exercise->notice_days / 365.0;
    if (n == 0)
        return LEVY_REFUSE(b->frame->build, MISSING_KEY, exercise->node,
                           levy_trade_path(b->frame, "exercise.steps"),
                           "Add steps, such as 50: the price is that of so many dates.",
                           "american exercise by simulation needs steps");
    early->times = levy_check_allocate(b->frame->build, n + 2 * policy_dividends(b->trade),
                                       sizeof *early->times);
    if (!early->times) return false;
    for (; early->n < n && from < expiry; ++early->n)
        early->times[early->n] = levy_schedule_even_time(from, expiry, early->n, n);
    policy_add_dividends(b->trade, early);
    return true;
}

static bool policy_asks(const policy_build *b, uint32_t measure)
{
    return (levy_trade_asks(b->frame->problem, b->trade) & measure) != 0;
}

/* A rule that stays as it is where the market moves is wrong by the second order. */
static bool policy_measures(const levy_trade_frame *frame, const levy_trade *trade)
{
    if (!(levy_trade_asks(frame->problem, trade) & LEVY_MEASURE_VOLGA) ||
        frame->raw->exercise.fit.policy == LEVY_STAGE_REFIT)
        return true;
    return levy_trade_refuse_measure(frame, trade, "volga",
                                     "volga of exercise by simulation needs fit: {policy: refit}, "
                                     "as its rule does not move with the volatility");
}

/* Whether the value of its European is known on each date. As a control this made the variance 22
 * to 14,000 times less, for 10 to 25 % of the time. */
static bool policy_has_european(const levy_trade_frame *frame, const levy_trade *trade)
{
    return !trade->kind.scripted && !frame->raw->exercise.notice_days &&
           (trade->n_underlyings == 1 || trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC) &&
           levy_trade_is_lognormal(trade) && !levy_trade_pays_cash(trade) &&
           trade->claim.terms->strike > 0.0;
}

static bool policy_controls(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_raw_exercise_fit *const fit = &frame->raw->exercise.fit;
    if (fit->control != LEVY_RAW_CONTROL_EUROPEAN || policy_has_european(frame, trade)) return true;
    return LEVY_REFUSE(frame->build, UNSUPPORTED, levy_check_at(fit->node, "control"),
                       levy_trade_path(frame, "exercise.fit.control"), "Remove control.",
                       "control: european takes a call or put on one asset, or on a geometric "
                       "basket, under black_scholes without cash dividends or notice");
}

bool levy_trade_rule(const levy_trade_frame *frame, const levy_trade *trade, levy_stage *stage,
                     uint64_t *seed)
{
    const levy_raw_exercise_fit *const fit = &frame->raw->exercise.fit;
    const uint64_t paths = fit->node ? fit->paths : 1 << 16;
    *stage = (levy_stage){.policy = (levy_stage_policy)fit->policy, .paths = paths};
    *seed = levy_node_find(fit->node, "seed") ? fit->seed : frame->problem->simulation.seed;
    if (!policy_measures(frame, trade) || !policy_controls(frame, trade)) return false;
    return (paths & (paths - 1)) == 0 ||
           LEVY_REFUSE(frame->build, RANGE, levy_check_at(fit->node, "paths"),
                       levy_trade_path(frame, "exercise.fit.paths"),
                       "Write a power of two, such as 2^16.", "the paths are no power of two");
}

/* What no rule can price. */
static bool policy_allows(const policy_build *b)
{
    const levy_raw_exercise *const exercise = &b->frame->raw->exercise;
    if (exercise->steps && exercise->style == LEVY_RAW_BERMUDAN)
        return LEVY_REFUSE(b->frame->build, INCONSISTENT, levy_check_at(exercise->node, "steps"),
                           levy_trade_path(b->frame, "exercise.steps"),
                           "Remove steps, or write style: american.",
                           "bermudan exercise has its dates");
    return true;
}

/* The dates after today; whether today is one. */
static void policy_part(policy_build *b, const levy_early *early)
{
    size_t first = 0;
    while (first < early->n && early->times[first] == 0.0) ++first;
    b->policy->today = first > 0;
    b->dates = (levy_times){early->n - first, early->times + first};
}

/* What a script names: the strike, the weights of a geometric basket, and lists of a number for
 * each date. Until they are fitted these are 0, but for number `never` of them, by which nothing is
 * exercised. */
static levy_script_parameter *policy_lists(policy_build *b, const char (*names)[16], size_t n_lists,
                                           size_t never)
{
    const levy_policy *const p = b->policy;
    const size_t n = b->dates.n;
    double *const none = levy_check_allocate(b->frame->build, 2 * n + 1, sizeof *none);
    levy_script_parameter *const parameters =
        levy_check_allocate(b->frame->build, LEVY_POLICY_FIXED + n_lists, sizeof *parameters);
    if (!none || !parameters) return NULL;
    for (size_t k = 0; k < n; ++k) none[k] = LEVY_POLICY_NEVER;
    parameters[LEVY_POLICY_STRIKE] =
        (levy_script_parameter){.name = "strike", .values = &p->strike, .n = 1};
    parameters[LEVY_POLICY_WEIGHT] = (levy_script_parameter){
        .name = "weight", .values = p->weights, .n = p->n_assets, .is_list = true};
    for (size_t k = 0; k < n_lists; ++k)
        parameters[LEVY_POLICY_FIXED + k] = (levy_script_parameter){
            .name = names[k], .values = none + (k == never ? 0 : n), .n = n, .is_list = true};
    return parameters;
}

bool levy_rule_compile(const levy_trade_frame *frame, const levy_trade *trade,
                       const levy_policy *policy, levy_script_frame of, levy_scripted *scripted)
{
    levy_script_fault fault;
    if (!of.parameters) return false;
    of.n_assets = (uint32_t)trade->n_underlyings;
    of.by_regime = policy->n_regimes > 1 || policy->discounts;
    of.expiry = trade->claim.expiry;
    if (!levy_script_compile(&of, frame->build->arena, &scripted->script, &fault)) {
        if (fault.out_of_memory) return frame->build->out_of_memory = true, false;
        return levy_trade_refuse_early(frame, fault.hint, fault.message);
    }
    scripted->script.places = NULL;
    scripted->parameters = of.parameters;
    scripted->states = scripted->script.constants;
    scripted->expiry = of.expiry;
    if (policy->varies || of.by_regime) {
        double *const variance = levy_check_allocate(frame->build, 1, sizeof *variance);
        if (!variance) return false;
        *variance = levy_asset_variance(levy_trade_asset(trade, 0), 1.0);
        scripted->variances = variance;
    }
    return true;
}

static bool policy_compile(policy_build *b, const levy_script_form *form,
                           levy_script_parameter *parameters, size_t n_lists,
                           levy_scripted *scripted)
{
    static const char *const schedules[POLICY_SCHEDULES] = {"exercises", "expiry"};
    const levy_script_frame of = {.text = form->text,
                                  .length = form->length,
                                  .parameters = parameters,
                                  .n_parameters = LEVY_POLICY_FIXED + n_lists,
                                  .schedules = schedules,
                                  .n_schedules = POLICY_SCHEDULES};
    return levy_rule_compile(b->frame, b->trade, b->policy, of, scripted);
}

static bool policy_rule(policy_build *b)
{
    levy_script_form form = {.level = NULL};
    const levy_policy *const p = b->policy;
    levy_policy_write(b->policy, &form);
    return policy_compile(b, &form,
                          policy_lists(b, p->names, p->n_own, LEVY_POLICY_NUMBERS * p->n_variables),
                          p->n_own, b->scripted);
}

/* Its upper bound, if it is asked for. */
static bool policy_bound(policy_build *b)
{
    levy_script_form form = {.level = NULL};
    const levy_model *const model = b->trade->model;
    if (!policy_asks(b, LEVY_MEASURE_UPPER_BOUND)) return true;
    levy_policy_bound *const bound = levy_check_allocate(b->frame->build, 1, sizeof *bound);
    b->bound = levy_check_allocate(b->frame->build, 1, sizeof *b->bound);
    if (!bound || !b->bound) return false;
    const char *const why =
        levy_model_drifts(model->kind, model->terms) || levy_trade_is_paid_by_path(b->trade)
            ? "its martingales need drifts that are those of all paths"
            : levy_bound_begin(bound, b->policy, levy_trade_is_lognormal(b->trade));
    if (why)
        return levy_trade_refuse_measure(
            b->frame, b->trade, "upper_bound",
            levy_check_text(b->frame->build, "no upper_bound of this trade: %s", why));
    levy_bound_write(bound, &form);
    const levy_policy_bound *const p = b->policy->bound = bound;
    b->policy->stage.n_fitted += (uint32_t)p->n_numbers;
    b->policy->stage.asks_law = true;
    b->policy->stage.there = false;
    return policy_compile(b, &form, policy_lists(b, p->names, p->n_numbers, p->n_numbers),
                          p->n_numbers, b->bound);
}

/* The dates on which it may be paid, and end. */
static bool rule_ends(levy_check *build, levy_times dates, bool today, levy_scripted *s)
{
    double *const ends = levy_check_allocate(build, dates.n + 2, sizeof *ends);
    if (!ends) return false;
    if (today) ends[s->n_ends++] = 0.0;
    for (size_t k = 0; k < dates.n; ++k) ends[s->n_ends++] = dates.times[k];
    ends[s->n_ends++] = s->expiry;
    s->flows = s->ends = ends;
    s->n_flows = s->n_ends;
    return true;
}

bool levy_rule_take(const levy_trade_frame *frame, const levy_times *schedules, size_t n,
                    bool today, levy_scripted *s, levy_trade *t)
{
    t->claim.observations = schedules[0];
    for (size_t k = 1; k < n; ++k) t->claim.further[k - 1] = schedules[k];
    t->integrates_as = LEVY_FORM_WRITTEN;
    t->form = LEVY_FORM_WRITTEN;
    t->unsmoothed = NULL;
    t->kind = (levy_trade_kind){.payoff = levy_payoff_of_script(),
                                .aggregate = LEVY_AGGREGATE_WORST_OF,
                                .scripted = s,
                                .n_further = (uint32_t)n - 1};
    return rule_ends(frame->build, schedules[n - 2], today, s);
}

bool levy_rule_is_put(const levy_trade *trade)
{
    return levy_payoff_sign(trade->claim.terms) < 0.0 && !levy_claim_of(trade).sold;
}

static void policy_script(const policy_build *b, const double *expiry, levy_scripted *s)
{
    s->dates[POLICY_EXERCISES] = (levy_script_dates){.n = b->dates.n, .times = b->dates.times};
    s->dates[POLICY_EXPIRY] = (levy_script_dates){.n = 1, .times = expiry};
    s->policy = b->policy;
}

/* The trade as a script. */
static bool policy_take(policy_build *b)
{
    levy_scripted *const s = b->scripted;
    double *const expiry = levy_check_allocate(b->frame->build, 1, sizeof *expiry);
    if (!expiry) return false;
    *expiry = s->expiry;
    const levy_times schedules[POLICY_SCHEDULES] = {b->dates, {1, expiry}};
    policy_script(b, expiry, s);
    if (levy_rule_is_put(b->trade)) s->most = b->policy->strike;
    if (b->bound) policy_script(b, expiry, b->bound);
    s->bound = b->bound;
    b->trade->stage = &b->policy->stage;
    return levy_rule_take(b->frame, schedules, POLICY_SCHEDULES, b->policy->today, s, b->trade);
}

bool levy_trade_simulate_exercise(const levy_trade_frame *frame, levy_trade *trade,
                                  levy_early *early)
{
    const levy_model *const model = trade->model;
    levy_stage stage;
    uint64_t seed;
    policy_build b = {.frame = frame,
                      .trade = trade,
                      .policy = levy_check_allocate(frame->build, 1, sizeof *b.policy),
                      .scripted = levy_check_allocate(frame->build, 1, sizeof *b.scripted)};
    if (!b.policy || !b.scripted || !levy_trade_rule(frame, trade, &stage, &seed) ||
        !policy_allows(&b))
        return false;
    if (early->american && !policy_american(&b, early)) return false;
    if (frame->raw->exercise.notice_days && !levy_rule_notices(frame, early)) return false;
    *b.policy = (levy_policy){
        .stage = stage,
        .sign = levy_payoff_sign(trade->claim.terms),
        .strike = trade->claim.terms->strike,
        .aggregate = trade->kind.aggregate,
        .n_assets = trade->n_underlyings,
        .coefficients = trade->claim.coefficients,
        .weights = trade->claim.weights,
        .cash = levy_trade_pays_cash(trade) || levy_trade_is_paid_by_path(trade),
        .varies = levy_model_kinds[model->kind]->varies,
        .n_regimes = levy_model_regimes(model->kind, model->terms),
        .discounts = levy_model_discounts(model->kind, model->terms),
        .control = frame->raw->exercise.fit.control && policy_has_european(frame, trade),
        .seed = seed};
    if (isnan(b.policy->strike)) b.policy->strike = 0.0;
    if (frame->raw->exercise.notice_days && early->n > 0)
        return levy_rule_notice(frame, b.policy, early, trade);
    levy_policy_begin(b.policy);
    policy_part(&b, early);
    return policy_rule(&b) && policy_bound(&b) && policy_take(&b);
}
