/* compile_statement.c: a statement of a script becomes steps. Each runs on all paths: what stands
 * under a condition keeps the old value where it does not hold. Must not know: which blocks and
 * variables a script has, and where its states lie. */
#include "engine/script/compile.h"

bool levy_script_is_free(compiler *c, const script_token *at)
{
    const char *const why = levy_script_taken(c, at);
    return !why || levy_script_refuse(c, at, "Choose another name.", "%s %s",
                                      levy_script_token_shown(at, c->arena), why);
}

bool levy_script_add_name(compiler *c, const script_token *at, const script_value *value)
{
    if (!LEVY_ARENA_GROW(c->arena, c->names, c->n_names, c->name_room, 16))
        return c->fault->out_of_memory = true, false;
    c->names[c->n_names++] = (script_name){at, *value, false};
    return true;
}

bool levy_script_add_unknown(compiler *c, const script_token *at)
{
    script_value value = {0};
    return levy_script_unknown(c, &value) && levy_script_add_name(c, at, &value);
}

void levy_script_set(compiler *c, uint32_t to, uint32_t from)
{
    if (c->where == EMIT_NOWHERE)
        levy_emit_add(&c->e, LEVY_SCRIPT_MOVE, to, from, 0, 0);
    else
        levy_emit_add(&c->e, LEVY_SCRIPT_SELECT, to, c->where, from, to);
}

static bool compile_let(compiler *c, const script_statement *s)
{
    script_value value = {0}, own = {0};
    if (!levy_script_is_free(c, &s->at)) return false;
    if (!levy_script_evaluate(c, s->value, &value)) {
        (void)levy_script_add_unknown(c, &s->at);
        return false;
    }
    if (value.is_constant) return levy_script_add_name(c, &s->at, &value);
    own = value; /* states change later, and what a let names does not */
    if (!levy_script_value_room(c, &own, value.n)) return false;
    for (uint32_t k = 0; k < value.n; ++k) {
        const bool state = value.at[k] < c->e.n_states;
        own.at[k] = state ? levy_emit_add(&c->e, LEVY_SCRIPT_MOVE, EMIT_NOWHERE, value.at[k], 0, 0)
                          : value.at[k];
    }
    return levy_script_add_name(c, &s->at, &own);
}

static bool compile_fits(compiler *c, const script_statement *s, const script_value *to,
                         const script_value *value)
{
    const char *const name = levy_script_token_shown(&s->at, c->arena);
    if (value->is_condition)
        return levy_script_refuse(c, &s->value->at, "Write: 1 if condition else 0.",
                                  "%s is a number, and this is a condition", name);
    if (value->is_list && !to->is_list)
        return levy_script_refuse(c, &s->value->at,
                                  "Take one number of the list, or define the var "
                                  "with brackets: var name[] = 0.",
                                  "%s is one number, and this is a list", name);
    return levy_script_match(c, &s->value->at, to, value);
}

static bool compile_assignment(compiler *c, const script_statement *s)
{
    static const levy_script_op ops[] = {LEVY_SCRIPT_ADD, LEVY_SCRIPT_SUBTRACT,
                                         LEVY_SCRIPT_MULTIPLY};
    const script_name *const name = levy_script_find(c, &s->at);
    script_value value = {0};
    if (name && name->value.is_unknown) return levy_script_evaluate(c, s->value, &value);
    if (!name || (size_t)(name - c->names) >= c->n_variables) {
        levy_script_refuse(c, &s->at,
                           name ? "A let keeps its value. Use a var."
                                : "Define it first: var name = 0, or let name = value.",
                           "there is no variable %s", levy_script_token_shown(&s->at, c->arena));
        if (!name) (void)levy_script_add_unknown(c, &s->at);
        return false;
    }
    if (name->is_right)
        return levy_script_refuse(c, &s->at, "Write a var of its own.",
                                  "%s is 1 once the right is used, and nothing else sets it",
                                  levy_script_token_shown(&s->at, c->arena));
    const script_value to = name->value;
    if (!levy_script_evaluate(c, s->value, &value) || !compile_fits(c, s, &to, &value))
        return false;
    if (s->op != SCRIPT_T_SET) {
        const script_value change = value;
        if (!levy_script_combine(c, ops[s->op - SCRIPT_T_PLUS], &to, &change, &value)) return false;
    }
    for (uint32_t k = 0; k < to.n; ++k)
        levy_script_set(c, to.at[k], levy_script_component(&value, k));
    return !levy_script_failed(c->fault);
}

static bool compile_pay(compiler *c, const script_statement *s)
{
    static const char of_list[] = "Write name[number] for the date's number, or best(list), "
                                  "sum(list), ... for one of a list.";
    script_value amount = {0};
    if (!levy_script_evaluate(c, s->value, &amount)) return false;
    if (amount.is_condition || amount.is_list)
        return levy_script_refuse(c, &s->value->at, amount.is_list ? of_list : "Write: pay amount.",
                                  "pay needs one number, and this is a %s",
                                  amount.is_condition ? "condition" : "list");
    const bool due = s->at_expiry || c->schedule + 1 == c->frame->n_schedules;
    const uint32_t term =
        levy_emit_term(&c->e, due ? LEVY_SCRIPT_DUE : LEVY_SCRIPT_WORTH, c->schedule, 0, &s->at);
    uint32_t paid = levy_script_component(&amount, 0);
    paid = levy_emit_add(&c->e, LEVY_SCRIPT_MULTIPLY, EMIT_NOWHERE, paid, term, 0);
    paid = levy_emit_add(&c->e, LEVY_SCRIPT_ADD, EMIT_NOWHERE, SCRIPT_PAID, paid, 0);
    levy_script_set(c, SCRIPT_PAID, paid);
    return true;
}

static bool compile_stop(compiler *c, const script_statement *s)
{
    script_value zero = {.is_constant = true};
    if (s->next)
        return levy_script_refuse(c, &s->next->at, "Move it before stop.",
                                  "nothing runs after stop");
    if (!levy_script_value_room(c, &zero, 1)) return false;
    zero.at[0] = levy_emit_new_constant(&c->e, 0.0);
    if (zero.at[0] == EMIT_NOWHERE) return false;
    levy_script_set(c, SCRIPT_ENDED,
                    levy_emit_term(&c->e, LEVY_SCRIPT_ENDS, c->schedule, 0, &s->at));
    levy_script_set(c, SCRIPT_LIFE,
                    levy_emit_term(&c->e, LEVY_SCRIPT_YEARS, c->schedule, 0, &s->at));
    levy_script_set(c, SCRIPT_ALIVE, levy_script_component(&zero, 0));
    if (c->frame->supposed && !c->supposes) levy_script_set(c, SCRIPT_PAID, levy_script_suppose(c));
    return true;
}

static uint32_t compile_under(compiler *c, uint32_t condition)
{
    return c->where == EMIT_NOWHERE
               ? condition
               : levy_emit_add(&c->e, LEVY_SCRIPT_AND, EMIT_NOWHERE, c->where, condition, 0);
}

void levy_script_open(compiler *c, uint32_t condition, compile_branch *branch)
{
    branch->outside = c->where;
    branch->names = c->n_names;
    c->where = compile_under(c, condition);
    branch->begun = levy_emit_begin(&c->e, c->where);
}

void levy_script_close(compiler *c, const compile_branch *branch)
{
    levy_emit_end(&c->e, branch->begun);
    c->where = branch->outside;
    c->n_names = branch->names;
}

static bool compile_under_branch(compiler *c, const script_statement *body, uint32_t condition,
                                 bool *stops)
{
    compile_branch branch;
    levy_script_open(c, condition, &branch);
    if (!levy_script_compile_body(c, body, stops)) return false;
    levy_script_close(c, &branch);
    return true;
}

static bool compile_condition(compiler *c, const script_statement *s, uint32_t *yes)
{
    script_value when = {0};
    if (!levy_script_evaluate(c, s->value, &when)) return false;
    if (s->value->kind == SCRIPT_CALL && levy_script_is_crossing(&s->value->at))
        return levy_script_refuse(c, &s->value->at, "Multiply by it: alive *= 1 - chance.",
                                  "if needs a condition, and this is a chance");
    *yes = levy_script_component(&when, 0);
    if (when.is_unknown) return true;
    if (!when.is_condition || when.is_list)
        return levy_script_refuse(
            c, &s->value->at, when.is_list ? "Write all(...) or any(...)." : "Compare it: x > 0.",
            "if needs one condition, and this is a %s", when.is_list ? "list" : "number");
    return true;
}

/* Each else if stands in the branch of the ifs before it: they are closed together, without
 * recursion, for there may be as many as a script has steps. */
static bool compile_if(compiler *c, const script_statement *s, bool *stops)
{
    compile_branch *inner = NULL;
    bool stopped = false;
    for (;; s = s->otherwise) {
        uint32_t yes = 0;
        if (!compile_condition(c, s, &yes)) return false;
        const uint32_t no = s->otherwise
                                ? levy_emit_add(&c->e, LEVY_SCRIPT_NOT, EMIT_NOWHERE, yes, 0, 0)
                                : EMIT_NOWHERE;
        if (!compile_under_branch(c, s->body, yes, &stopped)) return false;
        if (!s->otherwise) break;
        if (s->otherwise->kind != SCRIPT_IF || s->otherwise->next) {
            if (!compile_under_branch(c, s->otherwise, no, &stopped)) return false;
            break;
        }
        compile_branch *const branch = levy_arena_allocate(c->arena, 1, sizeof *branch);
        if (!branch) return c->fault->out_of_memory = true, false;
        branch->around = inner;
        inner = branch;
        levy_script_open(c, no, branch);
    }
    for (; inner; inner = inner->around) levy_script_close(c, inner);
    /* the block's own condition is the state itself, and has changed with it */
    if (stopped && c->where != SCRIPT_ALIVE)
        c->where = levy_emit_add(&c->e, LEVY_SCRIPT_AND, EMIT_NOWHERE, c->where, SCRIPT_ALIVE, 0);
    *stops = *stops || stopped;
    return true;
}

static bool compile_statement(compiler *c, const script_statement *s, bool *stops)
{
    switch ((int)s->kind) {
    case SCRIPT_LET:
        return compile_let(c, s);
    case SCRIPT_ASSIGN:
        return compile_assignment(c, s);
    case SCRIPT_IF:
        return compile_if(c, s, stops);
    case SCRIPT_PAY:
        return compile_pay(c, s);
    case SCRIPT_RIGHT:
        return levy_script_compile_right(c, s, stops);
    case SCRIPT_BARE:
        return levy_script_evaluate(c, s->value, &(script_value){0});
    case SCRIPT_BROKEN: /* what it was to name is no fault of the others */
        return levy_script_find(c, &s->at) || levy_script_add_unknown(c, &s->at);
    default:
        *stops = true;
        return compile_stop(c, s);
    }
}

bool levy_script_compile_statement(compiler *c, const script_statement *s, bool *stops)
{
    const uint32_t where = c->where;
    const size_t n_names = c->n_names, open = c->e.open;
    if (compile_statement(c, s, stops) && !levy_script_failed(c->fault)) return true;
    if (s->kind == SCRIPT_IF || s->kind == SCRIPT_RIGHT) c->n_names = n_names;
    c->where = where;
    c->e.open = open;
    return levy_script_note(c->fault, c->arena);
}

bool levy_script_compile_body(compiler *c, const script_statement *body, bool *stops)
{
    for (; body; body = body->next) {
        c->e.at = &body->at;
        if (!levy_script_compile_statement(c, body, stops)) return false;
    }
    return true;
}
