/* compile.c: the text of a script becomes a program that the verifier has passed, or faults: its
 * states, a block for each schedule, its reports. Must not know: YAML, trades, what a statement
 * does. */
#include "engine/script/compile.h"

#include "engine/script/foreign.h"
#include "engine/script/mend.h"
#include "engine/script/verify.h"

#include <string.h>

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

bool levy_script_stops(const script_statement *body) { return compile_has(body, compile_stops); }

bool levy_script_add_state(compiler *c, uint32_t constant, uint32_t *state)
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
    return levy_script_add_state(c, levy_emit_new_constant(&c->e, 1.0), &c->alive) &&
           levy_script_add_state(c, levy_emit_new_constant(&c->e, 0.0), &state) &&
           levy_script_add_state(c, levy_emit_new_constant(&c->e, c->frame->expiry), &state);
}

static bool compile_variable(compiler *c, const script_variable *v)
{
    script_value start = {0}, value = {.is_list = v->is_list};
    c->e.at = &v->at;
    if (!v->start) return false; /* of which a fault says why */
    if (!levy_script_is_free(c, &v->at) || !levy_script_evaluate(c, v->start, &start)) return false;
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
        if (!levy_script_add_state(c, levy_script_component(&start, k), &value.at[k])) return false;
    return levy_script_add_name(c, &v->at, &value);
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
            if (!levy_script_add_state(c, levy_emit_new_constant(&c->e, 0.0), &state)) return false;
    }
    return true;
}

static bool compile_states(compiler *c, const script_tree *tree)
{
    uint32_t state = 0;
    bool stops = false;
    for (const script_block *b = tree->blocks; b; b = b->next)
        stops = stops || levy_script_stops(b->body);
    c->starts = levy_arena_allocate(c->arena, LEVY_SCRIPT_STATES, sizeof *c->starts);
    if (!c->starts) return c->fault->out_of_memory = true, false;
    if (!levy_script_add_state(c, levy_emit_new_constant(&c->e, 0.0), &state)) return false;
    if (stops && !compile_ends(c)) return false;
    for (const script_variable *v = tree->variables; v; v = v->next) {
        if (compile_variable(c, v)) continue;
        if (!levy_script_note(c->fault, c->arena)) return false;
        if (!levy_script_add_unknown(c, &v->at)) return false;
    }
    if (!levy_script_begin_rights(c, tree)) return false;
    for (const script_statement *s = tree->loose; s; s = s->next)
        if (s->kind != SCRIPT_IF && !levy_script_find(c, &s->at) &&
            !levy_script_add_unknown(c, &s->at))
            return false;
    c->n_variables = c->n_names;
    return (c->frame->supposed || levy_script_keep_seen(c, tree)) && compile_before(c, tree);
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
    if (!levy_script_compile_body(c, b->body, &stops)) return false;
    if (c->alive != EMIT_NOWHERE) levy_emit_end(&c->e, begun);
    if (c->before[c->e.n_blocks] != EMIT_NOWHERE && !levy_script_remember(c, &b->at)) return false;
    c->n_names = c->n_variables;
    return levy_emit_end_block(&c->e, c->schedule, &b->at);
}

/* Statements outside of blocks: their values, for faults alone. */
static void compile_loose(compiler *c, const script_tree *tree)
{
    bool stops = false;
    c->schedule = (uint32_t)c->frame->n_schedules - 1;
    for (const script_statement *s = tree->loose; s; s = s->next) {
        script_value value = {0};
        const bool sets = s->kind == SCRIPT_LET || s->kind == SCRIPT_ASSIGN;
        const bool good = sets ? levy_script_evaluate(c, s->value, &value)
                               : levy_script_compile_statement(c, s, &stops);
        if (!good && !levy_script_note(c->fault, c->arena)) break;
    }
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
    compile_loose(c, tree);
    if (c->alive != EMIT_NOWHERE) {
        script->alive = SCRIPT_ALIVE;
        script->ended = SCRIPT_ENDED;
        script->life = SCRIPT_LIFE;
    }
    script->crosses = c->crosses;
    script->rights = c->rights;
    script->n_rights = c->n_rights;
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
    fault->unsure = all.unsure;
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
