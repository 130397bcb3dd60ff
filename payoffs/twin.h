/* twin.h: a built-in payoff as a script. Where its own lanes cannot integrate over a normal,
 * because several underlyings make its level or because loadings differ from path to path, the
 * script is priced in its place (engine/problem/script_form.c). Its schedules are `days`, the
 * payoff's observations, and `expiry`. Must not know: trades, how the level's paths are made. */
#ifndef LEVY_PAYOFFS_TWIN_H
#define LEVY_PAYOFFS_TWIN_H

#include "payoffs/claim.h"
#include "payoffs/scripted.h"

enum { LEVY_TWIN_NUMBERS = 8, LEVY_TWIN_TEXT = 4096 }; /* the most parameters; bytes with the end */

typedef struct levy_twin {
    const char *level; /* how the script writes the level that the payoff is on */
    size_t basket; /* that is `total`, which adds up so many underlyings' levels; 0: it is not */
    bool puts;     /* a call is written as the put */
    char text[LEVY_TWIN_TEXT];
    size_t length;
    double numbers[LEVY_TWIN_NUMBERS];
    levy_script_parameter parameters[LEVY_TWIN_NUMBERS]; /* [n] */
    size_t n;
} levy_twin;

/* A parameter of the script. `name` must outlive the twin. */
void levy_twin_number(levy_twin *twin, const char *name, double value);
/* Appends to the text; the level stands where `text` has '$'. */
void levy_twin_write(levy_twin *twin, const char *text);
/* Appends what adds the level to `total`. */
void levy_twin_add(levy_twin *twin);
/* Appends the beginning of the block at expiry, of a payoff on the level there. */
void levy_twin_begin(levy_twin *twin);
/* Appends `let gain = ...`: what an option, or a digital of LEVY_PAYOUT_, pays on the level; the
 * second pays it, and ends the block. */
void levy_twin_gain(levy_twin *twin, const struct levy_payoff_terms *terms,
                    const levy_payout_terms *payout);
void levy_twin_pay_gain(levy_twin *twin, const struct levy_payoff_terms *terms,
                        const levy_payout_terms *payout);

#endif
