/* script_form.c: see script_form.h. Amounts, strikes and barriers are parameters, so that trades
 * which differ in these alone share a program. */
#include "payoffs/script_form.h"

#include <stdio.h>
#include <string.h>

void levy_script_form_number(levy_script_form *form, const char *name, double value)
{
    form->numbers[form->n] = value;
    form->parameters[form->n] =
        (levy_script_parameter){.name = name, .values = &form->numbers[form->n], .n = 1};
    ++form->n;
}

static void form_append(levy_script_form *form, const char *text, size_t n)
{
    if (n >= LEVY_FORM_TEXT - form->length) n = LEVY_FORM_TEXT - form->length - 1;
    memcpy(form->text + form->length, text, n);
    form->length += n;
    form->text[form->length] = '\0';
}

void levy_script_form_write(levy_script_form *form, const char *text)
{
    for (;;) {
        const size_t n = strcspn(text, "$");
        form_append(form, text, n);
        if (text[n] == '\0') return;
        form_append(form, form->level, strlen(form->level));
        text += n + 1;
    }
}

void levy_script_form_add(levy_script_form *form)
{
    char text[48];
    if (!form->basket) levy_script_form_write(form, "  total += $\n");
    for (size_t u = 1; u <= form->basket; ++u) {
        snprintf(text, sizeof text, "  total += levels[%zu]\n", u);
        levy_script_form_write(form, text);
    }
}

/* What reads a sum stands in a block of its own, behind the one that adds to it. */
void levy_script_form_begin(levy_script_form *form)
{
    if (form->basket) {
        levy_script_form_write(form, "var total = 0\nat expiry {\n");
        levy_script_form_add(form);
        levy_script_form_write(form, "}\n");
    }
    levy_script_form_write(form, "at expiry {\n");
}

void levy_script_form_gain(levy_script_form *form, const levy_payoff_terms *terms,
                           const levy_payout_terms *payout)
{
    const bool call = terms->option_type == LEVY_CALL && !form->puts;
    levy_script_form_number(form, "strike", terms->strike == terms->strike ? terms->strike : 0.0);
    levy_script_form_write(form, "  let gain = ");
    if (payout->payout == LEVY_PAYOUT_OPTION) {
        levy_script_form_write(form, call ? "max($ - strike, 0)\n" : "max(strike - $, 0)\n");
        return;
    }
    if (payout->payout == LEVY_PAYOUT_CASH) levy_script_form_number(form, "cash", payout->cash);
    levy_script_form_write(form, payout->payout == LEVY_PAYOUT_CASH ? "cash" : "$");
    levy_script_form_write(form, call ? " if $ > strike else 0\n" : " if $ < strike else 0\n");
}

void levy_script_form_pay_gain(levy_script_form *form, const levy_payoff_terms *terms,
                               const levy_payout_terms *payout)
{
    levy_script_form_gain(form, terms, payout);
    levy_script_form_write(form, "  pay gain\n}\n");
}
