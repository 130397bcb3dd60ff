/* twin.c: see twin.h. Amounts, strikes and barriers are parameters, so that trades which differ in
 * these alone share a program. */
#include "payoffs/twin.h"

#include <stdio.h>
#include <string.h>

void levy_twin_number(levy_twin *twin, const char *name, double value)
{
    twin->numbers[twin->n] = value;
    twin->parameters[twin->n] =
        (levy_script_parameter){.name = name, .values = &twin->numbers[twin->n], .n = 1};
    ++twin->n;
}

static void twin_append(levy_twin *twin, const char *text, size_t n)
{
    if (n >= LEVY_TWIN_TEXT - twin->length) n = LEVY_TWIN_TEXT - twin->length - 1;
    memcpy(twin->text + twin->length, text, n);
    twin->length += n;
    twin->text[twin->length] = '\0';
}

void levy_twin_write(levy_twin *twin, const char *text)
{
    for (;;) {
        const size_t n = strcspn(text, "$");
        twin_append(twin, text, n);
        if (text[n] == '\0') return;
        twin_append(twin, twin->level, strlen(twin->level));
        text += n + 1;
    }
}

void levy_twin_add(levy_twin *twin)
{
    char text[48];
    if (!twin->basket) levy_twin_write(twin, "  total += $\n");
    for (size_t u = 1; u <= twin->basket; ++u) {
        snprintf(text, sizeof text, "  total += levels[%zu]\n", u);
        levy_twin_write(twin, text);
    }
}

/* What reads a sum stands in a block of its own, behind the one that adds to it. */
void levy_twin_begin(levy_twin *twin)
{
    if (twin->basket) {
        levy_twin_write(twin, "var total = 0\nat expiry {\n");
        levy_twin_add(twin);
        levy_twin_write(twin, "}\n");
    }
    levy_twin_write(twin, "at expiry {\n");
}

void levy_twin_gain(levy_twin *twin, const levy_payoff_terms *terms,
                    const levy_payout_terms *payout)
{
    const bool call = terms->option_type == LEVY_CALL && !twin->puts;
    levy_twin_number(twin, "strike", terms->strike == terms->strike ? terms->strike : 0.0);
    levy_twin_write(twin, "  let gain = ");
    if (payout->payout == LEVY_PAYOUT_OPTION) {
        levy_twin_write(twin, call ? "max($ - strike, 0)\n" : "max(strike - $, 0)\n");
        return;
    }
    if (payout->payout == LEVY_PAYOUT_CASH) levy_twin_number(twin, "cash", payout->cash);
    levy_twin_write(twin, payout->payout == LEVY_PAYOUT_CASH ? "cash" : "$");
    levy_twin_write(twin, call ? " if $ > strike else 0\n" : " if $ < strike else 0\n");
}

void levy_twin_pay_gain(levy_twin *twin, const levy_payoff_terms *terms,
                        const levy_payout_terms *payout)
{
    levy_twin_gain(twin, terms, payout);
    levy_twin_write(twin, "  pay gain\n}\n");
}
