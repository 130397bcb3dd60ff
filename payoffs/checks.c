/* checks.c: see checks.h. */
#include "payoffs/checks.h"

#include <string.h>

const levy_node *levy_payoff_at(const levy_payoff_frame *frame, const char *key)
{
    const char *const dot = strchr(key, '.');
    if (!dot) return levy_check_at(frame->node, key);
    const char *const block = levy_check_text(frame->check, "%.*s", (int)(dot - key), key);
    return levy_check_at(levy_check_at(frame->node, block), dot + 1);
}

const char *levy_payoff_path(const levy_payoff_frame *frame, const char *key)
{
    return levy_check_text(frame->check, "%s.payoff.%s", frame->path, key);
}

bool levy_payoff_check_fraction(const levy_payoff_frame *frame, const char *key, double value)
{
    if (frame->terms->strike_type == LEVY_STRIKE_ABSOLUTE || !(value > 10 || value < -10))
        return true;
    return LEVY_REFUSE_KEY(frame, RANGE, key,
                           "Fractions are decimals: 0.95 is 95 % of the initial level.",
                           "a fraction of the initial level must lie in [-10, 10]; got %s",
                           levy_check_number(frame->check, value));
}

static bool checks_any_negative(const levy_payoff_frame *frame)
{
    bool any = false;
    for (size_t i = 0; i < frame->n_underlyings; ++i) any |= frame->weights[i] < 0;
    return any;
}

bool levy_payoff_check_strike(const levy_payoff_frame *frame)
{
    const char *const key = levy_payoff_strike_key(frame->kind);
    if (!key) return true;
    if (frame->terms->strike < 0 && !checks_any_negative(frame))
        return LEVY_REFUSE_KEY(frame, RANGE, key,
                               "A negative strike needs a basket with a negative weight.",
                               "a strike must not be negative; got %s",
                               levy_check_number(frame->check, frame->terms->strike));
    return levy_payoff_check_fraction(frame, key, frame->terms->strike);
}

bool levy_payoff_check_form(const levy_payoff_frame *frame, bool other, const char *refusal,
                            const char *hint)
{
    const levy_node *const strike = levy_node_find(frame->node, "strike");
    if (other && strike)
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "strike", "Remove one of the two.", "%s",
                               refusal);
    if (other || strike) return true;
    return LEVY_REFUSE(frame->check, MISSING_KEY, frame->node,
                       levy_check_text(frame->check, "%s.payoff", frame->path), hint,
                       "missing key 'strike'");
}

bool levy_payoff_check_cash(const levy_payoff_frame *frame, const levy_payout_terms *payout)
{
    if (!levy_node_find(frame->node, "cash") || payout->payout == LEVY_PAYOUT_CASH) return true;
    return LEVY_REFUSE_KEY(frame, INCONSISTENT, "cash", "Remove it, or write payout: cash.",
                           "is only allowed with payout cash");
}

bool levy_payoff_check_return(const levy_payoff_frame *frame)
{
    if (!checks_any_negative(frame)) return true;
    return LEVY_REFUSE(frame->check, UNSUPPORTED, frame->underlyings,
                       levy_check_text(frame->check, "%s.underlyings", frame->path),
                       "Use positive weights.",
                       "a return needs a positive level, but a weight is negative");
}

bool levy_payoff_never(const levy_payoff_terms *terms)
{
    (void)terms;
    return false;
}

bool levy_payoff_always(const levy_payoff_terms *terms)
{
    (void)terms;
    return true;
}
