/* compile_right.c: rights, which a party may use on dates: the block asks a polynomial of what the
 * decision sees, whose coefficients are numbers by date that a fit fills (payoffs/rights.h). Must
 * not know: how they are fitted. */
#include "engine/script/compile.h"

#include "engine/script/parser.h"

#include <string.h>

/* By the numbers that it sees: as many coefficients as least squares take at one date. */
static const uint32_t right_degrees[LEVY_SCRIPT_SEEN] = {8, 4, 3, 2, 2, 2};

/* Adds to a list of what is seen. */
static bool right_add(compiler *c, const char **text, const char *what)
{
    *text = levy_arena_format(c->arena, "%s%s%s", *text, **text ? ", " : "", what);
    return *text || (c->fault->out_of_memory = true, false);
}

/* What a decision sees unless the text says it: levels, the variance of one asset, variables. */
static bool right_standard(compiler *c, const char **text)
{
    static const char *const levels[] = {"1", "level", "levels[1], levels[2]",
                                         "levels[1], levels[2], levels[3]",
                                         "worst(levels), best(levels)"};
    const uint32_t assets = c->frame->n_assets;
    *text = "";
    if (!right_add(c, text, levels[assets < 4 ? assets : 4]) ||
        (assets == 1 && !c->frame->without_variance && !right_add(c, text, "level.variance")))
        return false;
    for (size_t k = 0; k < c->n_names; ++k) {
        const script_name *const name = &c->names[k];
        if (name->is_right || name->value.is_list || name->value.is_unknown) continue;
        const char *const what = levy_script_token_name(name->at, c->arena);
        if (!what) return c->fault->out_of_memory = true, false;
        if (!right_add(c, text, what)) return false;
    }
    return true;
}

/* Reads a list of expressions. */
static bool right_read(compiler *c, const char *text, script_expression **seen)
{
    parser p = {.scanner = {.text = text,
                            .length = strlen(text),
                            .line = 1,
                            .column = 1,
                            .arena = c->arena,
                            .fault = c->fault},
                .arena = c->arena,
                .fault = c->fault};
    if (!levy_parse_next(&p)) return false;
    for (;; seen = &(*seen)->next) {
        *seen = levy_parse_expression(&p);
        if (!*seen) return false;
        if (p.token.kind != SCRIPT_T_COMMA) return true;
        if (!levy_parse_next(&p)) return false;
    }
}

static bool right_sees(compiler *c, script_right *right)
{
    const char *text;
    uint32_t n = 0;
    if (!right->seen && !(right_standard(c, &text) && right_read(c, text, &right->seen)))
        return false;
    for (const script_expression *e = right->seen; e; e = e->next, ++n)
        if (levy_script_crosses(e))
            return levy_script_refuse(c, &e->at, "Keep it in a var.",
                                      "a decision sees numbers, and this is a chance");
    right->n_seen = n;
    return n <= LEVY_SCRIPT_SEEN ||
           levy_script_refuse(c, &right->at,
                              "Say which: may call at dates by issuer seeing level, due { ... }.",
                              "a decision sees at most %d numbers, and this one would see %u",
                              LEVY_SCRIPT_SEEN, (unsigned)n);
}

/* Its variable, which is 0 until it is used. */
static bool right_name(compiler *c, script_right *right)
{
    script_value used = {0};
    if (!levy_script_is_free(c, &right->at) || !levy_script_value_room(c, &used, 1)) return false;
    if (c->e.n_states == LEVY_SCRIPT_STATES)
        return levy_script_refuse(c, &right->at, "Use fewer variables or assets.",
                                  "all variables together have at most %d numbers",
                                  LEVY_SCRIPT_STATES - 4);
    if (!levy_script_add_state(c, levy_emit_new_constant(&c->e, 0.0), &used.at[0]) ||
        !levy_script_add_name(c, &right->at, &used))
        return false;
    right->used = used.at[0];
    return c->names[c->n_names - 1].is_right = true;
}

bool levy_script_begin_rights(compiler *c, const script_tree *tree)
{
    size_t n = 0;
    for (script_right *r = tree->rights; r; r = r->next, ++n)
        if (!right_name(c, r) && !levy_script_note(c->fault, c->arena)) return false;
    c->rights = levy_arena_allocate(c->kept, n, sizeof *c->rights);
    return c->rights || (c->fault->out_of_memory = true, false);
}

bool levy_script_keep_seen(compiler *c, const script_tree *tree)
{
    for (script_right *r = tree->rights; r; r = r->next) {
        if (!right_sees(c, r) && !levy_script_note(c->fault, c->arena)) return false;
        if (c->e.n_states + r->n_seen > LEVY_SCRIPT_STATES)
            return levy_script_refuse(c, &r->at, "Use fewer variables or assets.",
                                      "all variables and what decisions see have at most %d "
                                      "numbers",
                                      LEVY_SCRIPT_STATES - 4);
        r->seen_at = c->e.n_states;
        for (uint32_t k = 0, state; k < r->n_seen; ++k)
            if (!levy_script_add_state(c, levy_emit_new_constant(&c->e, 0.0), &state)) return false;
    }
    return true;
}

/* ---- The rule ---- */

typedef struct right_rule {
    compiler *c;
    const script_token *at;
    levy_script_right *right;
    uint32_t seen[LEVY_SCRIPT_SEEN]; /* registers, standardised */
} right_rule;

/* The rule's next number. */
static uint32_t right_number(right_rule *r)
{
    return levy_emit_term(&r->c->e, LEVY_SCRIPT_RULE, r->c->schedule,
                          r->right->first + r->right->n++, r->at);
}

static uint32_t right_step(right_rule *r, levy_script_op op, uint32_t a, uint32_t b)
{
    return levy_emit_add(&r->c->e, op, EMIT_NOWHERE, a, b, 0);
}

/* Keeps what is seen, and holds it to its range. */
static bool right_see(right_rule *r, const script_expression *e, uint32_t k)
{
    script_value value = {0};
    if (!levy_script_evaluate(r->c, e, &value)) return false;
    if (value.is_list)
        return levy_script_refuse(r->c, &e->at, "Write best(list), sum(list), or name[2].",
                                  "a decision sees numbers, and this is a list");
    const uint32_t seen = levy_script_component(&value, 0);
    levy_script_set(r->c, r->right->seen + k, seen);
    const uint32_t off = right_step(r, LEVY_SCRIPT_SUBTRACT, seen, right_number(r)),
                   share = right_step(r, LEVY_SCRIPT_MULTIPLY, off, right_number(r)),
                   least = right_step(r, LEVY_SCRIPT_GREATEST, share, right_number(r));
    r->seen[k] = right_step(r, LEVY_SCRIPT_LEAST, least, right_number(r));
    return true;
}

static uint32_t right_polynomial(right_rule *r, uint32_t n, uint32_t degree)
{
    if (n == 0 || degree == 0) return right_number(r);
    const uint32_t low = right_polynomial(r, n - 1, degree),
                   high = right_polynomial(r, n, degree - 1);
    return right_step(r, LEVY_SCRIPT_ADD, low,
                      right_step(r, LEVY_SCRIPT_MULTIPLY, r->seen[n - 1], high));
}

/* Where the party uses it: once. */
static bool right_use(right_rule *r, const script_statement *s, uint32_t zero, uint32_t one,
                      bool *stops)
{
    compile_branch branch;
    const uint32_t n = r->right->n_seen,
                   more = right_polynomial(r, n, r->right->degree = right_degrees[n - 1]);
    levy_script_open(r->c, right_step(r, LEVY_SCRIPT_LESS, more, zero), &branch);
    levy_script_set(r->c, r->right->used, one);
    if (!levy_script_compile_body(r->c, s->body, stops)) return false;
    levy_script_close(r->c, &branch);
    return true;
}

/* A second right would be used, or not, on paths on which the first has been. */
static bool right_is_fitted(compiler *c, const script_token *at)
{
    for (size_t k = 0; k <= c->n_rights && c->n_rights > 0; ++k)
        if (!c->rights[k].stops)
            return levy_script_refuse(c, at, "End each with stop.",
                                      "of several rights each ends the trade");
    return true;
}

/* ---- Supposed ---- */

uint32_t levy_script_suppose(compiler *c)
{
    const uint32_t gained = c->names[0].value.at[0], best = c->names[1].value.at[0];
    const uint32_t left =
        levy_emit_add(&c->e, LEVY_SCRIPT_SUBTRACT, EMIT_NOWHERE, SCRIPT_PAID, gained, 0);
    const levy_script_op op =
        c->frame->supposed == LEVY_SCRIPT_MOST_OF ? LEVY_SCRIPT_GREATEST : LEVY_SCRIPT_LEAST;
    return levy_emit_add(&c->e, op, EMIT_NOWHERE, best, left, 0);
}

/* Copies of the states, [n_states]; NULL: no memory. */
static uint32_t *right_copy(compiler *c)
{
    uint32_t *const copies = levy_arena_allocate(c->arena, c->e.n_states, sizeof *copies);
    for (uint32_t k = 0; copies && k < c->e.n_states; ++k)
        copies[k] = levy_emit_add(&c->e, LEVY_SCRIPT_MOVE, EMIT_NOWHERE, k, 0, 0);
    if (!copies) c->fault->out_of_memory = true;
    return copies;
}

/* Puts them back, but for the best so far. */
static void right_restore(compiler *c, const uint32_t *copies)
{
    const uint32_t where = c->where;
    if (where == SCRIPT_ALIVE) c->where = copies[SCRIPT_ALIVE];
    for (uint32_t k = 0; k < c->e.n_states; ++k)
        if (k != c->names[1].value.at[0]) levy_script_set(c, k, copies[k]);
    c->where = where;
}

/* Uses it on paths of their own, on dates on which it may be. */
static bool right_suppose(compiler *c, const script_statement *s, uint32_t zero, uint32_t one)
{
    compile_branch branch, opened;
    bool stops = false;
    uint32_t *const copies = right_copy(c);
    if (!copies) return false;
    const uint32_t open =
        levy_emit_term(&c->e, LEVY_SCRIPT_RULE, c->schedule, c->frame->open, &s->at);
    levy_script_open(c, levy_emit_add(&c->e, LEVY_SCRIPT_LESS, EMIT_NOWHERE, zero, open, 0),
                     &branch);
    levy_script_open(
        c, levy_emit_add(&c->e, LEVY_SCRIPT_EQUAL, EMIT_NOWHERE, s->right->used, zero, 0), &opened);
    levy_script_set(c, s->right->used, one);
    c->supposes = true;
    if (!levy_script_compile_body(c, s->body, &stops)) return false;
    c->supposes = false;
    levy_script_set(c, c->names[1].value.at[0], levy_script_suppose(c));
    levy_script_close(c, &opened);
    levy_script_close(c, &branch);
    right_restore(c, copies);
    return true;
}

bool levy_script_compile_right(compiler *c, const script_statement *s, bool *stops)
{
    const script_right *const right = s->right;
    levy_script_right *const made = &c->rights[c->n_rights];
    const uint32_t zero = levy_emit_new_constant(&c->e, 0.0),
                   one = levy_emit_new_constant(&c->e, 1.0);
    right_rule rule = {.c = c, .at = &s->at, .right = made};
    compile_branch branch;
    bool stopped = false;
    uint32_t k = 0;
    if (c->frame->supposed) return right_suppose(c, s, zero, one);
    if (right->n_seen == 0 || right->n_seen > LEVY_SCRIPT_SEEN)
        return true; /* of which a fault says why */
    *made = (levy_script_right){.name = levy_script_token_name(&s->at, c->kept),
                                .block = (uint32_t)c->e.n_blocks,
                                .issuer = right->issuer,
                                .used = right->used,
                                .seen = right->seen_at,
                                .n_seen = right->n_seen};
    if (c->n_rights > 0) made->first = made[-1].first + made[-1].n;
    if (!made->name || zero == EMIT_NOWHERE || one == EMIT_NOWHERE) return false;
    levy_script_open(c, levy_emit_add(&c->e, LEVY_SCRIPT_EQUAL, EMIT_NOWHERE, right->used, zero, 0),
                     &branch);
    for (const script_expression *e = right->seen; e; e = e->next, ++k)
        if (!right_see(&rule, e, k)) return false;
    if (!right_use(&rule, s, zero, one, &stopped)) return false;
    levy_script_close(c, &branch);
    if (stopped && c->where != SCRIPT_ALIVE)
        c->where = levy_emit_add(&c->e, LEVY_SCRIPT_AND, EMIT_NOWHERE, c->where, SCRIPT_ALIVE, 0);
    for (const script_statement *last = s->body; last; last = last->next)
        made->stops = last->kind == SCRIPT_STOP;
    *stops = *stops || stopped;
    if (!right_is_fitted(c, &s->at)) return false;
    ++c->n_rights;
    return true;
}
