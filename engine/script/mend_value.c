/* mend_value.c: see mend_value.h. */
#include "engine/script/mend_value.h"

#include "engine/script/foreign.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

void levy_mend_put_n(mend *m, const char *text, size_t n)
{
    mend_text *const out = m->out;
    if (out->n + n >= MEND_ROOM) {
        m->fails = true;
        return;
    }
    memcpy(out->text + out->n, text, n);
    out->n += n;
}

void levy_mend_put(mend *m, const char *text) { levy_mend_put_n(m, text, strlen(text)); }

void levy_mend_begin(mend *m)
{
    if (m->out->n > 0) levy_mend_put(m, "; ");
}

/* ---- Names ---- */

bool levy_mend_same(const script_token *a, const script_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

bool levy_mend_is_word(const script_token *token, const char *word)
{
    return strlen(word) == token->length && strncasecmp(token->text, word, token->length) == 0;
}

bool levy_mend_is_truth(const script_expression *e)
{
    return e->kind == SCRIPT_NAME &&
           (levy_mend_is_word(&e->at, "true") || levy_mend_is_word(&e->at, "false"));
}

/* What statements do with a name. */
typedef struct mend_use {
    size_t given; /* how often they give it a value */
    bool truth;   /* one of these is true or false */
    bool read;    /* it is used, but to set itself */
} mend_use;

static bool mend_value_reads(const script_expression *e, const script_token *name)
{
    for (; e; e = e->next) {
        const bool names =
            e->kind == SCRIPT_NAME || e->kind == SCRIPT_INDEX || e->kind == SCRIPT_CALL;
        if ((names && levy_mend_same(&e->at, name)) || mend_value_reads(e->first, name))
            return true;
    }
    return false;
}

/* Each else if is as deep as the first if. */
static void mend_uses(const script_statement *body, const script_token *name, mend_use *use)
{
    for (; body; body = body->next)
        for (const script_statement *s = body; s; s = s->otherwise) {
            const bool sets = s->kind == SCRIPT_LET || s->kind == SCRIPT_ASSIGN;
            if (sets && levy_mend_same(&s->at, name)) {
                ++use->given;
                use->truth = use->truth || levy_mend_is_truth(s->value);
            } else {
                use->read = use->read || mend_value_reads(s->value, name);
            }
            mend_uses(s->body, name, use);
            if (s != body) mend_uses(s->next, name, use);
        }
}

static mend_use mend_use_of(const mend *m, const script_token *name)
{
    mend_use use = {0};
    mend_uses(m->tree->loose, name, &use);
    for (const script_block *b = m->tree->blocks; b; b = b->next) mend_uses(b->body, name, &use);
    return use;
}

size_t levy_mend_given(const mend *m, const script_token *name)
{
    return mend_use_of(m, name).given;
}

bool levy_mend_is_var(const mend *m, const script_token *name)
{
    for (const script_variable *v = m->tree->variables; v; v = v->next)
        if (levy_mend_same(&v->at, name)) return true;
    return false;
}

bool levy_mend_is_parameter(const mend *m, const script_token *name)
{
    for (size_t k = 0; k < m->c->frame->n_parameters; ++k)
        if (levy_script_token_is(name, m->c->frame->parameters[k].name)) return true;
    return false;
}

/* Whether the text itself, or its parameters, say what the name is. */
bool levy_mend_is_own(const mend *m, const script_token *name)
{
    return levy_mend_is_parameter(m, name) || levy_mend_is_var(m, name) ||
           levy_mend_given(m, name) > 0;
}

static bool mend_is_truth_name(const mend *m, const script_expression *e)
{
    if (e->kind != SCRIPT_NAME) return false;
    bool truth = mend_use_of(m, &e->at).truth;
    for (const script_variable *v = m->tree->variables; v; v = v->next)
        truth =
            truth || (v->start && levy_mend_same(&v->at, &e->at) && levy_mend_is_truth(v->start));
    return truth;
}

static bool mend_is_read(const mend *m, const script_token *name)
{
    bool reads = mend_use_of(m, name).read;
    for (const script_variable *v = m->tree->variables; v; v = v->next)
        reads = reads || mend_value_reads(v->start, name);
    for (const script_wanted *r = m->tree->reports; r; r = r->next)
        reads = reads || levy_mend_same(&r->at, name);
    return reads;
}

/* A name that nothing uses was to do what is not known. */
void levy_mend_own(mend *m, const script_token *name)
{
    if (!m->fails && !mend_is_read(m, name)) m->fails = true;
    levy_mend_put_n(m, name->text, name->length);
    if (!levy_mend_is_parameter(m, name) && levy_script_reserves(name)) levy_mend_put(m, "_so_far");
}

/* ---- Levels ---- */

/* Whether a value is a level: a name of one, on the date or at the end; or S(T), S[-1]. *at: its
 * name. *last: it is that of the end. */
static bool mend_is_level(const mend *m, const script_expression *e, bool *last)
{
    static const char *const ends[] = {"s_t", "st", "final", "final_level"};
    const script_expression *const when = e->first;
    *last = false;
    if (e->kind != SCRIPT_NAME && e->kind != SCRIPT_CALL && e->kind != SCRIPT_INDEX) return false;
    if (levy_mend_is_own(m, &e->at)) return false;
    if (!levy_script_token_is(&e->at, "level") &&
        levy_script_foreign_level(m->c->frame, &e->at) == FOREIGN_NO_LEVEL)
        return false;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; ++k)
        *last = *last || levy_mend_is_word(&e->at, ends[k]);
    if (e->kind == SCRIPT_NAME) return true;
    if (when->next) return false;
    if (when->kind == SCRIPT_UNARY && when->at.kind == SCRIPT_T_MINUS &&
        when->first->kind == SCRIPT_LITERAL && when->first->at.value == 1.0)
        return *last = true;
    if (when->kind != SCRIPT_NAME) return false;
    if (m->loop && levy_mend_same(&when->at, m->loop)) return true;
    *last = true;
    return levy_script_token_is(&when->at, "expiry") || levy_script_is_end(&when->at);
}

/* The level at the start: initial, S[0], S(0). */
static bool mend_is_initial(const mend *m, const script_expression *e)
{
    if (e->kind == SCRIPT_NAME)
        return !levy_mend_is_own(m, &e->at) && levy_script_is_initial(&e->at);
    return (e->kind == SCRIPT_CALL || e->kind == SCRIPT_INDEX) && !e->first->next &&
           e->first->kind == SCRIPT_LITERAL && e->first->at.value == 0.0 &&
           levy_script_foreign_level(m->c->frame, &e->at) != FOREIGN_NO_LEVEL;
}

static void mend_level(mend *m, const script_expression *e, bool last)
{
    const levy_script_frame *const frame = m->c->frame;
    const uint32_t k = levy_script_foreign_level(frame, &e->at);
    char text[32];
    if (last && !m->at_expiry) m->fails = true;
    if (frame->n_assets == 1 || levy_script_token_is(&e->at, "level")) {
        levy_mend_put(m, "level");
        return;
    }
    if (k == FOREIGN_NO_LEVEL || !frame->names ||
        !levy_script_foreign_names(&e->at, frame->names[k])) {
        m->fails = true; /* of which asset? */
        return;
    }
    snprintf(text, sizeof text, "levels[%u]", (unsigned)k + 1);
    levy_mend_put(m, text);
}

/* ---- Values ---- */

static int mend_chain_binds(script_token_kind op)
{
    switch ((int)op) {
    case SCRIPT_T_OR:
        return MEND_OR;
    case SCRIPT_T_AND:
        return MEND_AND;
    case SCRIPT_T_PLUS:
    case SCRIPT_T_MINUS:
        return MEND_SUM;
    case SCRIPT_T_TIMES:
    case SCRIPT_T_OVER:
        return MEND_PRODUCT;
    case SCRIPT_T_POWER:
        return MEND_POWER;
    default:
        return MEND_COMPARISON;
    }
}

static bool mend_is_power(const mend *m, const script_expression *e)
{
    return e->kind == SCRIPT_CALL && levy_mend_is_word(&e->at, "pow") &&
           !levy_mend_is_own(m, &e->at) && e->first->next && !e->first->next->next;
}

static int mend_binds(const mend *m, const script_expression *e)
{
    switch ((int)e->kind) {
    case SCRIPT_CHOICE:
        return MEND_CHOICE;
    case SCRIPT_UNARY:
        return e->at.kind == SCRIPT_T_NOT ? MEND_NOT : MEND_MINUS;
    case SCRIPT_CHAIN:
        return mend_chain_binds(e->first->next->at.kind);
    default:
        return mend_is_power(m, e) ? MEND_POWER : MEND_PRIMARY;
    }
}

void levy_mend_condition(mend *m, const script_expression *e, int least)
{
    const bool truth = mend_is_truth_name(m, e);
    if (truth && least > MEND_COMPARISON) m->fails = true;
    levy_mend_value(m, e, least);
    if (truth) levy_mend_put(m, " == 1");
}

/* An operator, whatever sign it has in the text. */
static void mend_sign(mend *m, const script_token *op)
{
    levy_mend_put(m, " ");
    switch ((int)op->kind) {
    case SCRIPT_T_AND:
        levy_mend_put(m, "and");
        break;
    case SCRIPT_T_OR:
        levy_mend_put(m, "or");
        break;
    case SCRIPT_T_POWER:
        levy_mend_put(m, "^");
        break;
    case SCRIPT_T_UNEQUAL:
        levy_mend_put(m, "!=");
        break;
    default:
        levy_mend_put_n(m, op->text, op->length);
    }
    levy_mend_put(m, " ");
}

/* Operands from the left. level / initial is the level, where levels are fractions of it. */
static void mend_chain(mend *m, const script_expression *e)
{
    const int binds = mend_binds(m, e);
    const bool logical = binds == MEND_OR || binds == MEND_AND;
    const script_token *op = NULL;
    for (const script_expression *link = e->first; link; link = link->next) {
        const script_expression *const x = op ? link->first : link, *const next = link->next;
        const bool over = next && next->at.kind == SCRIPT_T_OVER &&
                          (!op || op->kind == SCRIPT_T_TIMES) && mend_is_initial(m, next->first);
        bool last;
        if (op) mend_sign(m, op);
        if (over && mend_is_level(m, x, &last)) {
            mend_level(m, x, last);
            ++m->ratios;
            link = next;
        } else if (logical) {
            levy_mend_condition(m, x, op ? binds + 1 : binds);
        } else {
            levy_mend_value(
                m, x, op || binds == MEND_COMPARISON || binds == MEND_POWER ? binds + 1 : binds);
        }
        if (link->next) op = &link->next->at;
    }
}

static void mend_literal(mend *m, const script_token *at)
{
    for (uint32_t k = 0; k < at->length; ++k)
        if (at->text[k] != ',') levy_mend_put_n(m, at->text + k, 1);
}

static void mend_name(mend *m, const script_expression *e)
{
    bool last;
    if (levy_mend_is_own(m, &e->at)) {
        levy_mend_own(m, &e->at);
    } else if (levy_mend_is_truth(e)) {
        levy_mend_put(m, levy_mend_is_word(&e->at, "true") ? "1" : "0");
    } else if (mend_is_level(m, e, &last)) {
        mend_level(m, e, last);
        ++m->levels;
    } else {
        /* the number of dates of the block's own schedule, or of another? */
        if (levy_script_token_is(&e->at, "dates") && (m->at_expiry || m->c->frame->n_schedules > 2))
            m->fails = true;
        m->levels += levy_script_token_is(&e->at, "levels");
        levy_mend_put_n(m, e->at.text, e->at.length);
    }
}

/* average(S), max(S, dates): over the dates of the only schedule beside expiry, for one asset. */
static bool mend_is_over(const mend *m, const script_expression *e, mend_over *over)
{
    static const struct {
        const char *word;
        mend_over over;
    } words[] = {{"avg", MEND_AVERAGE}, {"average", MEND_AVERAGE}, {"mean", MEND_AVERAGE},
                 {"max", MEND_HIGHEST}, {"maximum", MEND_HIGHEST}, {"best", MEND_HIGHEST},
                 {"min", MEND_LOWEST},  {"minimum", MEND_LOWEST},  {"worst", MEND_LOWEST}};
    const levy_script_frame *const frame = m->c->frame;
    const script_expression *const dates = e->first->next;
    bool last, found = false;
    for (size_t k = 0; k < sizeof words / sizeof *words && !found; ++k)
        if ((found = levy_mend_is_word(&e->at, words[k].word)) != false) *over = words[k].over;
    if (!found || levy_mend_is_own(m, &e->at) || frame->n_assets != 1 || frame->n_schedules != 2)
        return false;
    if (e->first->kind != SCRIPT_NAME || !mend_is_level(m, e->first, &last) || last) return false;
    if (!m->at_expiry) return false;
    if (!dates) return !levy_script_is_function(&e->at);
    return !dates->next && dates->kind == SCRIPT_NAME &&
           levy_script_token_is(&dates->at, frame->schedules[0]);
}

const char *const levy_mend_over_names[] = {"average", "highest", "lowest"};

static void mend_call(mend *m, const script_expression *e)
{
    mend_over over;
    if (mend_is_over(m, e, &over)) {
        m->over[over] = true;
        ++m->levels;
        levy_mend_put(m, levy_mend_over_names[over]);
        return;
    }
    if (mend_is_power(m, e)) {
        levy_mend_value(m, e->first, MEND_PRIMARY);
        levy_mend_put(m, " ^ ");
        levy_mend_value(m, e->first->next, MEND_PRIMARY);
        return;
    }
    if (levy_mend_is_word(&e->at, "ln"))
        levy_mend_put(m, "log");
    else if (levy_mend_is_word(&e->at, "fabs"))
        levy_mend_put(m, "abs");
    else
        levy_mend_put_n(m, e->at.text, e->at.length);
    const size_t levels = m->levels + m->ratios;
    levy_mend_put(m, "(");
    for (const script_expression *a = e->first; a; a = a->next) {
        levy_mend_value(m, a, MEND_CHOICE);
        if (a->next) levy_mend_put(m, ", ");
    }
    levy_mend_put(m, ")");
    /* of one asset: over which dates? */
    if (m->c->frame->n_assets == 1 && m->levels + m->ratios > levels &&
        levy_script_takes_list(&e->at))
        m->fails = true;
}

/* name[number], S[-1], S(T), f(x) */
static void mend_applied(mend *m, const script_expression *e)
{
    bool last;
    if (mend_is_initial(m, e)) {
        m->fails = true; /* its number is not in the text */
    } else if (mend_is_level(m, e, &last)) {
        mend_level(m, e, last);
        ++m->levels;
    } else if (e->kind == SCRIPT_CALL) {
        mend_call(m, e);
    } else {
        m->levels += levy_script_token_is(&e->at, "levels");
        levy_mend_own(m, &e->at);
        levy_mend_put(m, "[");
        levy_mend_value(m, e->first, MEND_CHOICE);
        levy_mend_put(m, "]");
    }
}

void levy_mend_value(mend *m, const script_expression *e, int least)
{
    const bool parted = mend_binds(m, e) < least;
    if (m->fails) return;
    if (parted) levy_mend_put(m, "(");
    switch ((int)e->kind) {
    case SCRIPT_LITERAL:
        mend_literal(m, &e->at);
        break;
    case SCRIPT_NAME:
        mend_name(m, e);
        break;
    case SCRIPT_UNARY:
        levy_mend_put(m, e->at.kind == SCRIPT_T_NOT ? "not " : "-");
        if (e->at.kind == SCRIPT_T_NOT)
            levy_mend_condition(m, e->first, MEND_NOT);
        else
            levy_mend_value(m, e->first, MEND_MINUS);
        break;
    case SCRIPT_CHAIN:
        mend_chain(m, e);
        break;
    case SCRIPT_CHOICE:
        levy_mend_value(m, e->first, MEND_OR);
        levy_mend_put(m, " if ");
        levy_mend_condition(m, e->first->next, MEND_OR);
        levy_mend_put(m, " else ");
        levy_mend_value(m, e->first->next->next, MEND_CHOICE);
        break;
    default:
        mend_applied(m, e);
    }
    if (parted) levy_mend_put(m, ")");
}
