/* mend.c: see mend.h. What may be meant in two ways fails here: a hint never writes another
 * contract. */
#include "engine/script/mend.h"

#include "engine/script/foreign.h"
#include "engine/script/mend_value.h"

#include <string.h>

/* ---- Statements ---- */

static void mend_body(mend *m, const script_statement *body);

/* The last statement sets a name that only says what is paid. */
static bool mend_is_paid(const mend *m, const script_statement *s)
{
    static const char *const words[] = {"payoff", "payout", "result", "value", "price", "cashflow"};
    bool found = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        found = found || levy_mend_is_word(&s->at, words[k]);
    return found && s->kind == SCRIPT_ASSIGN && s->op == SCRIPT_T_SET && !s->next &&
           !levy_mend_is_var(m, &s->at) && levy_mend_given(m, &s->at) == 1;
}

static bool mend_is_constant(const mend *m, const script_expression *e);

/* Set to a number before all dates: a var. */
static bool mend_is_start(const mend *m, const script_statement *s)
{
    for (const script_statement *other = m->tree->loose; other != s; other = other->next)
        if (levy_mend_same(&other->at, &s->at)) return false;
    return (s->kind == SCRIPT_LET || (s->kind == SCRIPT_ASSIGN && s->op == SCRIPT_T_SET)) &&
           !levy_mend_is_var(m, &s->at) && !mend_is_paid(m, s) && mend_is_constant(m, s->value);
}

static bool mend_is_constant(const mend *m, const script_expression *e)
{
    if (e->kind == SCRIPT_LITERAL || levy_mend_is_truth(e)) return true;
    if (e->kind == SCRIPT_NAME) return levy_mend_is_parameter(m, &e->at);
    if (e->kind == SCRIPT_INDEX || e->kind == SCRIPT_CALL || e->kind == SCRIPT_CHOICE) return false;
    for (const script_expression *x = e->first; x; x = x->next)
        if (!mend_is_constant(m, x->kind == SCRIPT_LINK ? x->first : x)) return false;
    return true;
}

static bool mend_has_start(const mend *m, const script_token *name)
{
    for (const script_statement *s = m->tree->loose; s; s = s->next)
        if (levy_mend_same(&s->at, name) && mend_is_start(m, s)) return true;
    return levy_mend_is_var(m, name);
}

/* Other languages pay what they return or set once, not on each date of a loop. */
static void mend_pays(mend *m, const script_statement *s)
{
    m->pays = true;
    if (s->at.kind != SCRIPT_T_PAY && !m->at_expiry) m->fails = true;
}

static void mend_assignment(mend *m, const script_statement *s)
{
    static const char *const signs[] = {" += ", " -= ", " *= "};
    if (mend_is_paid(m, s)) {
        mend_pays(m, s);
        levy_mend_put(m, "pay ");
        levy_mend_value(m, s->value, MEND_CHOICE);
        return;
    }
    const bool known = mend_has_start(m, &s->at);
    if (!known && (levy_mend_given(m, &s->at) > 1 || s->op != SCRIPT_T_SET)) m->fails = true;
    if (!known) levy_mend_put(m, "let ");
    if (known && s->kind == SCRIPT_LET) m->fails = true;
    levy_mend_own(m, &s->at);
    levy_mend_put(m, s->op == SCRIPT_T_SET ? " = " : signs[s->op - SCRIPT_T_PLUS]);
    levy_mend_value(m, s->value, MEND_CHOICE);
}

/* Each else if is a statement of its own. */
static void mend_if(mend *m, const script_statement *s)
{
    for (; !m->fails; s = s->otherwise) {
        levy_mend_put(m, "if ");
        levy_mend_condition(m, s->value, MEND_CHOICE);
        levy_mend_put(m, " { ");
        mend_body(m, s->body);
        levy_mend_put(m, " }");
        if (!s->otherwise) return;
        levy_mend_put(m, " else ");
        if (s->otherwise->kind == SCRIPT_IF && !s->otherwise->next) continue;
        levy_mend_put(m, "{ ");
        mend_body(m, s->otherwise);
        levy_mend_put(m, " }");
        return;
    }
}

static void mend_statement(mend *m, const script_statement *s)
{
    switch ((int)s->kind) {
    case SCRIPT_LET:
    case SCRIPT_ASSIGN:
        mend_assignment(m, s);
        return;
    case SCRIPT_IF:
        mend_if(m, s);
        return;
    case SCRIPT_PAY:
    case SCRIPT_BARE:
        mend_pays(m, s);
        if (s->kind == SCRIPT_BARE && (s->next || mend_is_constant(m, s->value))) m->fails = true;
        levy_mend_put(m, "pay ");
        levy_mend_value(m, s->value, MEND_CHOICE);
        if (s->at_expiry && !m->at_expiry) levy_mend_put(m, " at expiry");
        return;
    case SCRIPT_STOP:
        levy_mend_put(m, "stop");
        return;
    default:
        m->fails = true;
    }
}

static void mend_body(mend *m, const script_statement *body)
{
    for (const script_statement *s = body; s && !m->fails; s = s->next) {
        mend_statement(m, s);
        if (s->next) levy_mend_put(m, "; ");
    }
}

/* ---- The whole ---- */

static void mend_variables(mend *m)
{
    m->out = &m->vars;
    for (const script_variable *v = m->tree->variables; v; v = v->next) {
        levy_mend_begin(m);
        levy_mend_put(m, "var ");
        levy_mend_own(m, &v->at);
        levy_mend_put(m, v->is_list ? "[] = " : " = ");
        if (v->start)
            levy_mend_value(m, v->start, MEND_CHOICE);
        else
            m->fails = true;
    }
    for (const script_statement *s = m->tree->loose; s; s = s->next) {
        if (!mend_is_start(m, s)) continue;
        levy_mend_begin(m);
        levy_mend_put(m, "var ");
        levy_mend_own(m, &s->at);
        levy_mend_put(m, " = ");
        levy_mend_value(m, s->value, MEND_CHOICE);
    }
}

static void mend_blocks(mend *m)
{
    const levy_script_frame *const frame = m->c->frame;
    m->out = &m->blocks;
    for (const script_block *b = m->tree->blocks; b; b = b->next) {
        bool known = false;
        for (size_t k = 0; k < frame->n_schedules; ++k)
            known = known || levy_script_token_is(&b->at, frame->schedules[k]);
        const bool end = !known && levy_script_is_end(&b->at);
        m->at_expiry = end || levy_script_token_is(&b->at, "expiry");
        m->loop = b->loop.length ? &b->loop : NULL;
        levy_mend_begin(m);
        levy_mend_put(m, "at ");
        if (end)
            levy_mend_put(m, "expiry");
        else
            levy_mend_put_n(m, b->at.text, b->at.length);
        levy_mend_put(m, " { ");
        mend_body(m, b->body);
        levy_mend_put(m, " }");
    }
    m->loop = NULL;
}

/* Statements outside of blocks, which run at expiry: with no other date that could be meant. */
static void mend_loose(mend *m)
{
    bool any = false;
    m->at_expiry = true;
    for (const script_statement *s = m->tree->loose; s && !m->fails; s = s->next) {
        if (mend_is_start(m, s)) continue;
        if (s->kind == SCRIPT_STOP) m->fails = true;
        if (!any) levy_mend_begin(m);
        levy_mend_put(m, any ? "; " : "at expiry { ");
        mend_statement(m, s);
        any = true;
    }
    if (any) levy_mend_put(m, " }");
    const bool over = m->over[MEND_AVERAGE] || m->over[MEND_HIGHEST] || m->over[MEND_LOWEST];
    if (any && !m->tree->blocks && m->c->frame->n_schedules > 1 && !over) m->fails = true;
}

/* What is kept of the levels on the dates of a schedule. */
static void mend_kept(mend *m)
{
    static const char *const starts[] = {"0", "0", "1e15"};
    static const char *const steps[] = {
        "average += level / dates",
        "highest = max(highest, level)",
        "lowest = min(lowest, level)",
    };
    for (size_t k = 0; k < MEND_OVERS; ++k) {
        const script_token name = {.text = levy_mend_over_names[k],
                                   .length = (uint32_t)strlen(levy_mend_over_names[k])};
        if (!m->over[k]) continue;
        if (levy_mend_is_own(m, &name)) m->fails = true;
        m->out = &m->vars;
        levy_mend_begin(m);
        levy_mend_put(m, "var ");
        levy_mend_put(m, levy_mend_over_names[k]);
        levy_mend_put(m, " = ");
        levy_mend_put(m, starts[k]);
        levy_mend_begin(m);
        levy_mend_put(m, "at ");
        levy_mend_put(m, m->c->frame->schedules[0]);
        levy_mend_put(m, " { ");
        levy_mend_put(m, steps[k]);
        levy_mend_put(m, " }");
    }
    m->out = &m->blocks;
}

static bool mend_compiles(const compiler *c, const char *text)
{
    levy_script_frame frame = *c->frame;
    levy_script_fault fault;
    levy_script script;
    levy_arena arena;
    frame.text = text;
    frame.length = strlen(text);
    frame.is_mended = true;
    levy_arena_init(&arena, c->arena->memory);
    const bool good = levy_script_compile(&frame, &arena, &script, &fault);
    levy_arena_release(&arena);
    return good;
}

void levy_script_mend(compiler *c)
{
    mend *const m = levy_arena_allocate(c->arena, 1, sizeof *m);
    if (!m) {
        c->fault->out_of_memory = true;
        return;
    }
    *m = (mend){.c = c, .tree = &c->tree};
    if (c->fault->unsure || c->fault->ends) return;
    mend_variables(m);
    mend_blocks(m);
    mend_loose(m);
    mend_kept(m);
    for (const script_wanted *r = c->tree.reports; r; r = r->next) {
        levy_mend_begin(m);
        levy_mend_put(m, "report ");
        levy_mend_own(m, &r->at);
    }
    if (m->fails || !m->pays || (m->ratios > 0 && m->levels > 0)) return;
    m->vars.text[m->vars.n] = m->blocks.text[m->blocks.n] = '\0';
    const char *const between = m->vars.n && m->blocks.n ? "; " : "";
    const char *const text =
        levy_arena_format(c->arena, "%s%s%s", m->vars.text, between, m->blocks.text);
    if (!text || !mend_compiles(c, text)) return;
    c->fault->mended = text;
    c->fault->needs = m->ratios > 0 ? "levels: percent_of_initial" : NULL;
}
