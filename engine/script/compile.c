/* compile.c: statements of a script become steps. Every statement runs on all paths: what stands
 * under a condition keeps the old value where it does not hold. Must not know: YAML, trades. */
#include "engine/script/compile.h"

#include "engine/script/foreign.h"
#include "engine/script/mend.h"
#include "engine/script/verify.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

static bool compile_body(compiler *c, const script_statement *body, bool *stops);

static bool compile_is_free(compiler *c, const script_token *at)
{
    const char *const why = levy_script_taken(c, at);
    return !why || levy_script_refuse(c, at, "Choose another name.", "%s %s",
                                      levy_script_token_shown(at, c->arena), why);
}

static bool compile_add_name(compiler *c, const script_token *at, const script_value *value)
{
    script_name *const all =
        levy_arena_extend(c->arena, c->names, c->n_names, &c->name_room, 16, sizeof *all);
    if (!all) return c->fault->out_of_memory = true, false;
    c->names = all;
    all[c->n_names++] = (script_name){at, *value};
    return true;
}

static bool compile_add_unknown(compiler *c, const script_token *at)
{
    script_value value = {0};
    return levy_script_unknown(c, &value) && compile_add_name(c, at, &value);
}

/* ---- Statements ---- */

/* Fills a register where the statement runs. */
static void compile_set(compiler *c, uint32_t to, uint32_t from)
{
    if (c->where == EMIT_NOWHERE)
        levy_emit_add(&c->e, LEVY_SCRIPT_MOVE, to, from, 0, 0);
    else
        levy_emit_add(&c->e, LEVY_SCRIPT_SELECT, to, c->where, from, to);
}

static bool compile_let(compiler *c, const script_statement *s)
{
    script_value value = {0}, own = {0};
    if (!compile_is_free(c, &s->at)) return false;
    if (!levy_script_evaluate(c, s->value, &value)) {
        (void)compile_add_unknown(c, &s->at);
        return false;
    }
    if (value.is_constant) return compile_add_name(c, &s->at, &value);
    own = value; /* states change later, and what a let names does not */
    if (!levy_script_value_room(c, &own, value.n)) return false;
    for (uint32_t k = 0; k < value.n; ++k) {
        const bool state = value.at[k] < c->e.n_states;
        own.at[k] = state ? levy_emit_add(&c->e, LEVY_SCRIPT_MOVE, EMIT_NOWHERE, value.at[k], 0, 0)
                          : value.at[k];
    }
    return compile_add_name(c, &s->at, &own);
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
        if (!name) (void)compile_add_unknown(c, &s->at);
        return false;
    }
    const script_value to = name->value;
    if (!levy_script_evaluate(c, s->value, &value) || !compile_fits(c, s, &to, &value))
        return false;
    if (s->op != SCRIPT_T_SET) {
        const script_value change = value;
        if (!levy_script_combine(c, ops[s->op - SCRIPT_T_PLUS], &to, &change, &value)) return false;
    }
    for (uint32_t k = 0; k < to.n; ++k) compile_set(c, to.at[k], levy_script_component(&value, k));
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
    compile_set(c, SCRIPT_PAID, paid);
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
    compile_set(c, SCRIPT_ENDED, levy_emit_term(&c->e, LEVY_SCRIPT_ENDS, c->schedule, 0, &s->at));
    compile_set(c, SCRIPT_LIFE, levy_emit_term(&c->e, LEVY_SCRIPT_YEARS, c->schedule, 0, &s->at));
    compile_set(c, SCRIPT_ALIVE, levy_script_component(&zero, 0));
    return true;
}

static uint32_t compile_under(compiler *c, uint32_t condition)
{
    return c->where == EMIT_NOWHERE
               ? condition
               : levy_emit_add(&c->e, LEVY_SCRIPT_AND, EMIT_NOWHERE, c->where, condition, 0);
}

/* A branch: its steps may be left out where no path takes it, and its lets end with it. */
typedef struct compile_branch {
    size_t begun, names;
    uint32_t outside;
    struct compile_branch *around;
} compile_branch;

static void compile_open(compiler *c, uint32_t condition, compile_branch *branch)
{
    branch->outside = c->where;
    branch->names = c->n_names;
    c->where = compile_under(c, condition);
    branch->begun = levy_emit_begin(&c->e, c->where);
}

static void compile_close(compiler *c, const compile_branch *branch)
{
    levy_emit_end(&c->e, branch->begun);
    c->where = branch->outside;
    c->n_names = branch->names;
}

static bool compile_under_branch(compiler *c, const script_statement *body, uint32_t condition,
                                 bool *stops)
{
    compile_branch branch;
    compile_open(c, condition, &branch);
    if (!compile_body(c, body, stops)) return false;
    compile_close(c, &branch);
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
        compile_open(c, no, branch);
    }
    for (; inner; inner = inner->around) compile_close(c, inner);
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
    case SCRIPT_BARE:
        return levy_script_evaluate(c, s->value, &(script_value){0});
    case SCRIPT_BROKEN: /* what it was to name is no fault of the others */
        return levy_script_find(c, &s->at) || compile_add_unknown(c, &s->at);
    default:
        *stops = true;
        return compile_stop(c, s);
    }
}

/* A statement with a fault is left out, so that the others show theirs. */
static bool compile_mending(compiler *c, const script_statement *s, bool *stops)
{
    const uint32_t where = c->where;
    const size_t n_names = c->n_names, open = c->e.open;
    if (compile_statement(c, s, stops) && !levy_script_failed(c->fault)) return true;
    if (s->kind == SCRIPT_IF) c->n_names = n_names;
    c->where = where;
    c->e.open = open;
    return levy_script_note(c->fault, c->arena);
}

static bool compile_body(compiler *c, const script_statement *body, bool *stops)
{
    for (; body; body = body->next) {
        c->e.at = &body->at;
        if (!compile_mending(c, body, stops)) return false;
    }
    return true;
}

/* ---- The whole ---- */

static bool compile_stops(const script_statement *s) { return s->kind == SCRIPT_STOP; }

static bool compile_crosses(const script_statement *s) { return levy_script_crosses(s->value); }

/* Whether some statement is one of these. Each else if is as deep as the first if. */
static bool compile_has(const script_statement *body, bool (*is)(const script_statement *))
{
    for (; body; body = body->next)
        for (const script_statement *s = body; s; s = s->otherwise)
            if (is(s) || compile_has(s->body, is) || (s != body && compile_has(s->next, is)))
                return true;
    return false;
}

static bool compile_state(compiler *c, uint32_t constant, uint32_t *state)
{
    if (constant == EMIT_NOWHERE) return false;
    *state = c->e.n_states++;
    c->starts[*state] = constant;
    return true;
}

/* The states of a script with a stop, in the order of compile.h. */
static bool compile_ends(compiler *c)
{
    uint32_t state = 0;
    return compile_state(c, levy_emit_new_constant(&c->e, 1.0), &c->alive) &&
           compile_state(c, levy_emit_new_constant(&c->e, 0.0), &state) &&
           compile_state(c, levy_emit_new_constant(&c->e, c->frame->expiry), &state);
}

static bool compile_variable(compiler *c, const script_variable *v)
{
    script_value start = {0}, value = {.is_list = v->is_list};
    c->e.at = &v->at;
    if (!v->start) return false; /* of which a fault says why */
    if (!compile_is_free(c, &v->at) || !levy_script_evaluate(c, v->start, &start)) return false;
    if (start.is_condition || (start.is_list && !v->is_list))
        return levy_script_refuse(c, &v->start->at, "Write: var name = 0, or var name[] = 0.",
                                  "a var starts with one number");
    if (!start.is_constant) /* a choice between constants */
        return levy_script_refuse(c, &v->start->at, "Use min, max and arithmetic.",
                                  "a var starts with a number that no condition decides");
    if (!levy_script_value_room(c, &value, v->is_list ? c->frame->n_assets : 1)) return false;
    if (!levy_script_match(c, &v->start->at, &start, &value)) return false;
    if (c->e.n_states + value.n > LEVY_SCRIPT_STATES)
        return levy_script_refuse(c, &v->at, "Use fewer variables or assets.",
                                  "all variables together have at most %d numbers",
                                  LEVY_SCRIPT_STATES - 4);
    for (uint32_t k = 0; k < value.n; ++k)
        if (!compile_state(c, levy_script_component(&start, k), &value.at[k])) return false;
    return compile_add_name(c, &v->at, &value);
}

/* States of the blocks that ask what was crossed; today's gross return is 1. */
static bool compile_before(compiler *c, const script_tree *tree)
{
    uint32_t k = 0, state;
    for (const script_block *b = tree->blocks; b && k < LEVY_SCRIPT_BLOCKS; b = b->next, ++k) {
        c->before[k] = EMIT_NOWHERE;
        if (!compile_has(b->body, compile_crosses)) continue;
        if (c->e.n_states + c->frame->n_assets > LEVY_SCRIPT_STATES)
            return levy_script_refuse(c, &b->at, "Use fewer variables or assets.",
                                      "all variables and what crossed remembers have at most %d "
                                      "numbers",
                                      LEVY_SCRIPT_STATES - 4);
        c->before[k] = c->e.n_states;
        for (uint32_t u = 0; u < c->frame->n_assets; ++u)
            if (!compile_state(c, levy_emit_new_constant(&c->e, 0.0), &state)) return false;
    }
    return true;
}

static bool compile_states(compiler *c, const script_tree *tree)
{
    uint32_t state = 0;
    bool stops = false;
    for (const script_block *b = tree->blocks; b; b = b->next)
        stops = stops || compile_has(b->body, compile_stops);
    c->starts = levy_arena_allocate(c->arena, LEVY_SCRIPT_STATES, sizeof *c->starts);
    if (!c->starts) return c->fault->out_of_memory = true, false;
    if (!compile_state(c, levy_emit_new_constant(&c->e, 0.0), &state)) return false;
    if (stops && !compile_ends(c)) return false;
    for (const script_variable *v = tree->variables; v; v = v->next) {
        if (compile_variable(c, v)) continue;
        if (!levy_script_note(c->fault, c->arena)) return false;
        if (!compile_add_unknown(c, &v->at)) return false;
    }
    for (const script_statement *s = tree->loose; s; s = s->next)
        if (s->kind != SCRIPT_IF && !levy_script_find(c, &s->at) && !compile_add_unknown(c, &s->at))
            return false;
    c->n_variables = c->n_names;
    return compile_before(c, tree);
}

static bool compile_schedule(compiler *c, const script_token *at, uint32_t *schedule)
{
    const char *list = "";
    for (size_t k = 0; k < c->frame->n_schedules; ++k) {
        if (levy_script_token_is(at, c->frame->schedules[k])) return *schedule = (uint32_t)k, true;
        list = levy_arena_format(c->arena, "%s%s%s", list, k ? ", " : "", c->frame->schedules[k]);
        if (!list) return c->fault->out_of_memory = true, false;
    }
    *schedule = (uint32_t)c->frame->n_schedules - 1; /* to go on with */
    return levy_script_refuse(
        c, at,
        levy_script_is_end(at) ? "Write: at expiry { ... }." : "Add it to the payoff's schedules.",
        "there is no schedule %s; there is %s", levy_script_token_shown(at, c->arena), list);
}

static bool compile_block(compiler *c, const script_block *b)
{
    bool stops = false;
    size_t begun = 0;
    if (c->e.n_blocks == LEVY_SCRIPT_BLOCKS)
        return levy_script_refuse(c, &b->at, "Put statements of one schedule into one block.",
                                  "a script has at most %d blocks", LEVY_SCRIPT_BLOCKS);
    if (!compile_schedule(c, &b->at, &c->schedule) && !levy_script_note(c->fault, c->arena))
        return false;
    levy_emit_begin_block(&c->e);
    c->where = c->alive;
    if (c->alive != EMIT_NOWHERE) begun = levy_emit_begin(&c->e, c->alive);
    if (!compile_body(c, b->body, &stops)) return false;
    if (c->alive != EMIT_NOWHERE) levy_emit_end(&c->e, begun);
    if (c->before[c->e.n_blocks] != EMIT_NOWHERE && !levy_script_remember(c, &b->at)) return false;
    c->n_names = c->n_variables;
    return levy_emit_end_block(&c->e, c->schedule, &b->at);
}

/* Statements outside of blocks: their values, for faults alone. */
static bool compile_loose(compiler *c, const script_tree *tree)
{
    bool stops = false;
    c->schedule = (uint32_t)c->frame->n_schedules - 1;
    for (const script_statement *s = tree->loose; s; s = s->next) {
        script_value value = {0};
        const bool sets = s->kind == SCRIPT_LET || s->kind == SCRIPT_ASSIGN;
        const bool good =
            sets ? levy_script_evaluate(c, s->value, &value) : compile_mending(c, s, &stops);
        if (!good && !levy_script_note(c->fault, c->arena)) return false;
    }
    return true;
}

static bool compile_reports(compiler *c, const script_tree *tree, levy_script *script)
{
    levy_script_report *reports = NULL;
    size_t n = 0;
    for (const script_wanted *r = tree->reports; r; r = r->next) ++n;
    reports = levy_arena_allocate(c->kept, n, sizeof *reports);
    if (!reports) return c->fault->out_of_memory = true, false;
    n = 0;
    for (const script_wanted *r = tree->reports; r; r = r->next) {
        const script_name *const name = levy_script_find(c, &r->at);
        if (!name || name->value.is_list)
            return levy_script_refuse(c, &r->at, "Report a var that is one number.",
                                      "there is no variable %s of one number",
                                      levy_script_token_shown(&r->at, c->arena));
        reports[n].name = levy_script_token_name(&r->at, c->kept);
        if (!reports[n].name) return c->fault->out_of_memory = true, false;
        reports[n++].state = name->value.at[0];
    }
    script->reports = reports;
    script->n_reports = n;
    return true;
}

static bool compile_variables(compiler *c, levy_script *script)
{
    levy_script_variable *const all = levy_arena_allocate(c->kept, c->n_variables, sizeof *all);
    if (!all) return c->fault->out_of_memory = true, false;
    for (size_t k = 0; k < c->n_variables; ++k) {
        const script_name *const name = &c->names[k];
        all[k] = (levy_script_variable){levy_script_token_name(name->at, c->kept),
                                        name->value.at[0], name->value.n, name->value.is_list};
        if (!all[k].name) return c->fault->out_of_memory = true, false;
    }
    script->variables = all;
    script->n_variables = c->n_variables;
    return true;
}

/* The past runs the program before a plan looks at it. */
static bool compile_verify(compiler *c, const levy_script *script)
{
    char why[LEVY_SCRIPT_VERIFY_WHY];
    if (levy_script_verify(script->program, why)) return true;
    return levy_script_refuse(c, &(script_token){.line = 1, .column = 1}, "Please report it.",
                              "levy made a program of the script that does not hold, which is a "
                              "defect in levy: %s",
                              why);
}

static bool compile_script(compiler *c, levy_script *script)
{
    const levy_script_frame *const frame = c->frame;
    script_tree *const tree = &c->tree;
    if (!levy_script_parse(frame->text, frame->length, c->arena, tree, c->fault)) return false;
    c->items = levy_arena_allocate(c->arena, frame->n_parameters, sizeof *c->items);
    if (!c->items) return c->fault->out_of_memory = true, false;
    if (!tree->blocks && !c->fault->n)
        return levy_script_refuse(c, &(script_token){.line = 1, .column = 1},
                                  "Write: at expiry { pay max(level - 1, 0) }.",
                                  "the script has no dates: it needs an at block");
    if (!compile_states(c, tree)) return false;
    for (const script_block *b = tree->blocks; b; b = b->next)
        if (!compile_block(c, b) && !levy_script_note(c->fault, c->arena)) return false;
    if (tree->loose && !compile_loose(c, tree)) return false;
    if (c->alive != EMIT_NOWHERE) {
        script->alive = SCRIPT_ALIVE;
        script->ended = SCRIPT_ENDED;
        script->life = SCRIPT_LIFE;
    }
    script->crosses = c->crosses;
    return compile_reports(c, tree, script) && !c->fault->n && compile_variables(c, script) &&
           levy_emit_finish(&c->e, c->starts, c->kept, script) &&
           levy_script_keep_spans(c, script) && compile_verify(c, script);
}

static const char *compile_kept_text(levy_arena *kept, const char *text)
{
    return text ? levy_arena_copy_text(kept, text, strlen(text)) : NULL;
}

/* The faults as copies that are kept; `fault` is the first. */
static void compile_keep_faults(compiler *c, levy_script_fault *fault)
{
    levy_script_fault all = *fault, *to = fault;
    (void)levy_script_note(&all, c->arena);
    const char *const mended = compile_kept_text(c->kept, all.mended);
    const char *const needs = compile_kept_text(c->kept, all.needs);
    bool good = !all.out_of_memory && !all.mended == !mended && !all.needs == !needs;
    for (const levy_script_fault *from = all.next; good && from; from = from->next) {
        if (from != all.next) to = to->next = levy_arena_allocate(c->kept, 1, sizeof *to);
        good = to != NULL;
        if (!good) break;
        *to = (levy_script_fault){.line = from->line,
                                  .column = from->column,
                                  .message = compile_kept_text(c->kept, from->message),
                                  .hint = compile_kept_text(c->kept, from->hint)};
        good = to->message && to->hint;
    }
    if (!good) *fault = (levy_script_fault){.out_of_memory = true};
    fault->mended = mended;
    fault->needs = needs;
    fault->n = all.n;
}

bool levy_script_compile(const levy_script_frame *frame, levy_arena *arena, levy_script *script,
                         levy_script_fault *fault)
{
    levy_arena work;
    levy_arena_init(&work, arena->memory);
    compiler c = {.e = {.arena = &work, .fault = fault},
                  .frame = frame,
                  .arena = &work,
                  .kept = arena,
                  .fault = fault,
                  .schedule = EMIT_NOWHERE,
                  .where = EMIT_NOWHERE,
                  .alive = EMIT_NOWHERE};
    *fault = (levy_script_fault){0};
    *script = (levy_script){0};
    const bool good = compile_script(&c, script);
    if (!good) {
        (void)levy_script_note(fault, &work);
        if (!fault->out_of_memory && !frame->is_mended) levy_script_mend(&c);
        compile_keep_faults(&c, fault);
    }
    levy_arena_release(&work);
    return good;
}
