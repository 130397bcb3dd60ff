/* scripted.c: see scripted.h. */
#include "payoffs/scripted.h"

double levy_scripted_term(const levy_scripted *scripted, const levy_script_term *term,
                          size_t number, double worth)
{
    switch (term->kind) {
    case LEVY_SCRIPT_WORTH:
        return worth;
    case LEVY_SCRIPT_NUMBER:
        return (double)(number + 1);
    case LEVY_SCRIPT_DATES:
        return (double)scripted->dates[term->schedule].n;
    default:
        return scripted->parameters[term->parameter].values[number];
    }
}
