/* script_form.h: a built-in payoff as a script. Where its own lanes cannot integrate over a normal,
 * because several underlyings make its level or because loadings differ from path to path, the
 * script is priced in its place (engine/problem/trade_form.c). Its schedules are `days`, the
 * payoff's observations, and `expiry`. Must not know: trades, how the level's paths are made. */
#ifndef LEVY_PAYOFFS_SCRIPT_FORM_H
#define LEVY_PAYOFFS_SCRIPT_FORM_H

#include "payoffs/claim.h"
#include "payoffs/scripted.h"

/* The most parameters; bytes with the end. */
enum { LEVY_FORM_NUMBERS = 8, LEVY_FORM_TEXT = 32768 };

typedef struct levy_script_form {
    const char *level; /* how the script writes the level that the payoff is on */
    size_t basket; /* that is `total`, which adds up so many underlyings' levels; 0: it is not */
    bool puts;     /* a call is written as the put */
    char text[LEVY_FORM_TEXT];
    size_t length;
    double numbers[LEVY_FORM_NUMBERS];
    levy_script_parameter parameters[LEVY_FORM_NUMBERS]; /* [n] */
    size_t n;
} levy_script_form;

/* A parameter of the script. `name` must outlive the form. */
void levy_script_form_number(levy_script_form *form, const char *name, double value);
/* Appends to the text; the level stands where `text` has '$'. */
void levy_script_form_write(levy_script_form *form, const char *text);
/* Appends what adds the level to `total`. */
void levy_script_form_add(levy_script_form *form);
/* Appends the beginning of the block at expiry, of a payoff on the level there. */
void levy_script_form_begin(levy_script_form *form);
/* Appends `let gain = ...`: what an option, or a digital of LEVY_PAYOUT_, pays on the level; the
 * second pays it, and ends the block. */
void levy_script_form_gain(levy_script_form *form, const struct levy_payoff_terms *terms,
                           const levy_payout_terms *payout);
void levy_script_form_pay_gain(levy_script_form *form, const struct levy_payoff_terms *terms,
                               const levy_payout_terms *payout);

#endif
