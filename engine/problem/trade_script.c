/* trade_script.c: builds a trade whose payoff is written as text: it makes the schedules, compiles
 * the program and runs the past. See trade.h and script_build.h. */
#include "engine/problem/script_build.h"

#include "engine/problem/script_place.h"
#include "engine/problem/script_span.h"

#include <string.h>

const char *levy_script_path(levy_script_build *b, const char *key)
{
    return levy_check_text(b->check, "%s.payoff.%s", b->frame->path, key);
}

const levy_node *levy_script_node(const levy_script_build *b, const char *key)
{
    return levy_check_at(b->frame->raw->payoff.node, key);
}

/* ---- The text ---- */

/* The kind's text has compiled with its example, so it is the trade that does not fit. What is
 * unsure are variances, whose hint goes for trades, too. */
static bool script_refuse_kind(levy_script_build *b, const levy_script_fault *fault)
{
    const char *const name = b->trade->header.payoff;
    const levy_node *const place = b->source->place;
    const char *where = "";
    if (place) {
        const levy_node at = levy_script_place(place, fault->line, fault->column);
        where = levy_check_text(b->check, " (%s:%u:%u)", at.place.file, (unsigned)at.place.line,
                                (unsigned)at.place.column);
    }
    return LEVY_REFUSE(b->check, INCONSISTENT, b->frame->raw->payoff.node,
                       levy_check_text(b->check, "%s.payoff", b->frame->path),
                       fault->unsure ? fault->hint
                                     : "Give the kind as many underlyings as it takes, and lists a "
                                       "number for each of them.",
                       "%s: %s%s", name, fault->message, where);
}

/* The names of the underlyings. NULL: no memory. */
static const char *const *script_asset_names(levy_script_build *b)
{
    const levy_trade *const trade = b->trade;
    const char **const names = levy_check_allocate(b->check, trade->n_underlyings, sizeof *names);
    for (size_t u = 0; names && u < trade->n_underlyings; ++u)
        names[u] = levy_trade_asset(trade, u)->name;
    return names;
}

/* A parameter that is named like an underlying would be read in place of its level. */
static bool script_hides_none(levy_script_build *b, const char *const *names)
{
    const size_t n = b->trade->n_underlyings;
    for (size_t k = 0; b->source->is_own && k < b->source->n_parameters; ++k) {
        for (size_t u = 0; u < n; ++u) {
            const char *const name = b->source->parameters[k].name;
            if (strcmp(name, names[u]) != 0) continue;
            const char *const level =
                n == 1 ? "level" : levy_check_text(b->check, "levels[%zu]", u + 1);
            return LEVY_REFUSE(
                b->check, UNKNOWN_NAME,
                levy_node_find(levy_script_node(b, "parameters"), name)->key,
                levy_check_text(b->check, "%s.payoff.parameters.%s", b->frame->path, name),
                levy_check_text(b->check,
                                "Choose another name. The script reads the level of %s as `%s`.",
                                name, level),
                "'%s' is an underlying of the trade", name);
        }
    }
    return true;
}

/* Why paths of the model carry no variance; NULL: they do. */
static const char *script_without_variance(levy_script_build *b)
{
    const levy_model *const model = b->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    if (kind->varies) return NULL;
    return levy_check_text(b->check, "the model '%s' of kind %s carries no variance", model->name,
                           kind->kind);
}

/* What its steps outside of paths take for variances, if any reads one. */
static bool script_fill_variances(levy_script_build *b)
{
    const levy_trade *const trade = b->trade;
    if (!levy_script_sees_variances(b->scripted->script.program)) return true;
    double *const all = levy_check_allocate(b->check, trade->n_underlyings, sizeof *all);
    if (!all) return false;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        all[u] = levy_asset_variance(levy_trade_asset(trade, u), 1.0);
    b->scripted->variances = all;
    return true;
}

static bool script_compile(levy_script_build *b)
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
                                     .without_variance = script_without_variance(b),
                                     .expiry = b->trade->claim.expiry};
    levy_script_fault fault;
    if (levy_script_compile(&frame, b->check->arena, &b->scripted->script, &fault)) {
        if (!b->source->is_own) b->scripted->script.places = NULL; /* of a text nobody sees */
        return script_fill_variances(b);
    }
    if (fault.out_of_memory) return b->check->out_of_memory = true, false;
    if (!b->source->is_own) return script_refuse_kind(b, &fault);
    return levy_script_refuse_all(b->check, b->source->place, levy_script_path(b, "script"),
                                  &fault);
}

static bool script_refuse_list(levy_script_build *b, const levy_script_term *term)
{
    const levy_script_parameter *const p = &b->source->parameters[term->parameter];
    const char *const what =
        levy_check_text(b->check, "'%s' has %zu numbers, but the schedule '%s' has %zu dates",
                        p->name, p->n, b->names[term->schedule], b->all[term->schedule].n);
    static const char hint[] = "Give a number for each date, past ones included.";
    if (!b->source->is_own)
        return LEVY_REFUSE(b->check, INCONSISTENT, levy_script_node(b, p->name),
                           levy_script_path(b, p->name), hint, "%s", what);
    const levy_node at = levy_script_place(b->source->place, term->line, term->column);
    return LEVY_REFUSE(b->check, INCONSISTENT, &at, levy_script_path(b, "script"), hint,
                       "line %u, column %u: %s", term->line, term->column, what);
}

/* A list that is read by date has a number for each date. */
static bool script_lists(levy_script_build *b)
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
static void script_add_times(const levy_script_build *b, const levy_script_term *term,
                             double *times, size_t *n)
{
    const levy_observations *const all = &b->all[term->schedule];
    const levy_script_dates *const dates = &b->scripted->dates[term->schedule];
    if (term->kind == LEVY_SCRIPT_DUE) {
        script_add_time(times, n, b->trade->claim.payment_time);
        return;
    }
    const double *const at = term->kind == LEVY_SCRIPT_WORTH && all->paid ? all->paid : all->times;
    if (dates->has_today) script_add_time(times, n, at == all->paid ? at[dates->n_past] : 0.0);
    for (size_t i = dates->n_past + dates->has_today; i < all->n; ++i)
        script_add_time(times, n, at[i]);
}

static bool script_times(levy_script_build *b)
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
    if (s->states[0] != 0.0) script_add_time(flows, &s->n_flows, b->trade->claim.payment_time);
    if (script->ended) script_add_time(ends, &s->n_ends, b->trade->claim.expiry);
    s->flows = flows;
    s->ends = ends;
    return true;
}

/* ---- The whole ---- */

/* Whether no block that sees a level has a date to come, or today's spot. */
static bool script_is_decided(const levy_script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    for (size_t s = 0; s < b->n; ++s)
        if (b->scripted->dates[s].n_past < b->all[s].n && levy_script_sees(b, s)) return false;
    return script->reads_levels && script->crosses == 0 && script->n_spans == 0;
}

static void script_warn_unused(levy_script_build *b)
{
    for (size_t k = 0; k < b->source->n_parameters; ++k)
        if (!b->source->parameters[k].used && b->source->is_own)
            LEVY_WARN(b->check, INCONSISTENT, levy_script_node(b, "parameters"),
                      levy_script_path(b, "parameters"),
                      "Remove it, or check its name in the script.",
                      "the script does not read the parameter '%s'", b->source->parameters[k].name);
}

/* Amounts that no level moves are mostly a name that was meant as a level. */
static void script_warn_fixed(levy_script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    if (!b->source->is_own || script->reads_levels || script->n_spans > 0) return;
    LEVY_WARN(b->check, INCONSISTENT, levy_script_node(b, "script"), levy_script_path(b, "script"),
              levy_check_text(b->check,
                              "The level at the date is `%s`. The kinds cash and coupon pay fixed "
                              "amounts.",
                              b->trade->n_underlyings == 1 ? "level" : "levels[1]"),
              "the script reads no level: what it pays is fixed");
}

bool levy_trade_script(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const levy_payoff_frame seen = levy_trade_seen(frame, trade);
    levy_script_source source = {0};
    levy_scripted *const scripted = levy_check_allocate(frame->build, 1, sizeof *scripted);
    if (!scripted || !kind->source(&seen, &source)) return false;
    levy_script_build b = {.check = frame->build,
                           .frame = frame,
                           .trade = trade,
                           .source = &source,
                           .scripted = scripted};
    scripted->parameters = source.parameters;
    scripted->expiry = trade->claim.expiry;
    trade->kind.scripted = scripted;
    if (!levy_script_schedules(&b) || !levy_script_accrue(&b) || !levy_script_float(&b) ||
        !script_compile(&b) || !script_lists(&b))
        return false;
    script_warn_unused(&b);
    script_warn_fixed(&b);
    levy_script_warn_returns(&b);
    if (!levy_script_check_coupon(&b)) return false;
    for (size_t s = 0; s < b.n; ++s) levy_script_part(&b, s);
    scripted->is_decided = script_is_decided(&b);
    const levy_span_frame spans = {frame, trade, &source, b.names};
    return levy_script_check_crossed(&b) &&
           levy_script_check_spans(frame->build, &spans, scripted) &&
           levy_script_check_variances(&b) && levy_script_run_past(&b) && script_times(&b) &&
           levy_script_take_rights(&b);
}
