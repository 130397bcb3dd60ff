/* scripted.c: see scripted.h. */
#include "payoffs/scripted.h"

double levy_scripted_term(const levy_scripted *scripted, const levy_script_term *term,
                          const levy_script_date *date)
{
    switch ((int)term->kind) {
    case LEVY_SCRIPT_WORTH:
        return date->worth;
    case LEVY_SCRIPT_DUE:
        return date->due;
    case LEVY_SCRIPT_ENDS:
        return date->ends;
    case LEVY_SCRIPT_YEARS:
        return date->time;
    case LEVY_SCRIPT_NUMBER:
        return (double)(date->number + 1);
    case LEVY_SCRIPT_DATES:
        return (double)scripted->dates[term->schedule].n;
    default:
        return scripted->parameters[term->parameter].values[date->number];
    }
}

bool levy_scripted_jumps(const levy_scripted *scripted)
{
    const levy_script_program *const p = scripted->script.program;
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    for (uint32_t k = 0; k < p->n_steps; ++k)
        if (steps[k].op == LEVY_SCRIPT_LESS || steps[k].op == LEVY_SCRIPT_NOT_ABOVE ||
            steps[k].op == LEVY_SCRIPT_EQUAL)
            return true;
    return false;
}
