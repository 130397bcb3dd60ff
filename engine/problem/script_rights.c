/* script_rights.c: a script with rights is fitted before it is priced (payoffs/rights.h): by which
 * paths, and what of it no fit can see. See script_build.h. */
#include "engine/problem/script_build.h"

#include "engine/problem/script_place.h"
#include "payoffs/rights.h"

/* Whether a right may still be used. */
static bool rights_are_open(const levy_script_build *b)
{
    const levy_scripted *const s = b->scripted;
    const levy_script *const script = &s->script;
    if (script->alive && s->states[script->alive] == 0.0) return false;
    for (size_t k = 0; k < script->n_rights; ++k) {
        const levy_script_right *const right = &script->rights[k];
        const levy_script_dates *const dates =
            &s->dates[LEVY_SCRIPT_PROGRAM_BLOCKS(script->program)[right->block].schedule];
        if (dates->n > dates->n_past && s->states[right->used] == 0.0) return true;
    }
    return false;
}

/* What paths of a fit do not have. */
static const char *rights_objection(const levy_script *script)
{
    const levy_script_program *const p = script->program;
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    if (!script->reads_levels) return "is to see a level: seeing level";
    if (script->crosses) return "has no fell_to, rose_to and crossed";
    for (uint32_t k = 0; k < p->n_terms; ++k)
        if (script->terms[k].kind == LEVY_SCRIPT_VOLATILITY) return "has no volatility(t1, t2)";
    for (uint32_t k = 0; k < p->n_steps; ++k) {
        const uint32_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
        for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i)
            if (operands[i] >= LEVY_SCRIPT_AT_LEVEL + 2 * p->n_assets)
                return "reads no integrated variance";
    }
    return NULL;
}

bool levy_script_take_rights(levy_script_build *b)
{
    levy_scripted *const s = b->scripted;
    if (s->script.n_rights == 0 || !rights_are_open(b)) return true;
    const char *const why = rights_objection(&s->script);
    levy_rights *const rights = levy_check_allocate(b->check, 1, sizeof *rights);
    if (!rights) return false;
    if (why)
        return LEVY_REFUSE(b->check, UNSUPPORTED, levy_script_node(b, "script"),
                           levy_script_path(b, "script"), "Change it, or remove the right.",
                           "a script with a right %s", why);
    if (!levy_trade_rule(b->frame, b->trade, &rights->stage, &rights->seed)) return false;
    rights->coefficients = b->trade->claim.coefficients;
    if (!levy_script_bound(b, rights)) return false;
    levy_rights_begin(s, rights);
    s->rights = rights;
    b->trade->stage = &rights->stage;
    return true;
}
