/* barrier_checks.c: the rules of barriers and rebates: which forms combine. See checks.h. */
#include "payoffs/barrier_terms.h"
#include "payoffs/checks.h"

static bool barrier_levels(const levy_payoff_frame *frame)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(frame->terms);
    if (!levy_barrier_is_double(barrier))
        return levy_payoff_check_fraction(frame, "barrier.level", barrier->level);
    if (!levy_payoff_check_fraction(frame, "barrier.lower", barrier->lower) ||
        !levy_payoff_check_fraction(frame, "barrier.upper", barrier->upper))
        return false;
    if (barrier->lower < barrier->upper) return true;
    return LEVY_REFUSE_KEY(frame, INCONSISTENT, "barrier.upper", "Swap the two.",
                           "the upper barrier, %s, is not above the lower barrier, %s",
                           levy_check_number(frame->check, barrier->upper),
                           levy_check_number(frame->check, barrier->lower));
}

/* Checks direction cross, where a touch may come from either side. */
static bool barrier_check_cross(const levy_payoff_frame *frame)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(frame->terms);
    if (levy_barrier_is_double(barrier) || barrier->direction != LEVY_BARRIER_CROSS) return true;
    if (!levy_watch_is_continuous(&barrier->watch))
        return LEVY_REFUSE_KEY(frame, UNSUPPORTED, "barrier.direction",
                               "Write direction: up or down, or monitoring: continuous.",
                               "direction cross needs continuous monitoring");
    if (!frame->kind->pays_at_hit(frame->terms)) return true;
    return LEVY_REFUSE_KEY(frame, UNSUPPORTED, "barrier.direction",
                           "Write direction: up or down, or pay: at_expiry.",
                           "pay at_hit needs a direction of up or down");
}

bool levy_barrier_check_levels(const levy_payoff_frame *frame)
{
    return barrier_levels(frame) && barrier_check_cross(frame);
}

/* One amount for both barriers, or one for each. */
static bool barrier_amounts(const levy_payoff_frame *frame)
{
    const levy_rebate_terms *const rebate = &levy_knock_of(frame->terms)->rebate;
    if (rebate->amount >= 0 || !(rebate->lower >= 0) || !(rebate->upper >= 0))
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "rebate",
                               "Keep amount alone, or give lower and upper.",
                               "a rebate has one amount for both barriers, or one amount for each");
    if (rebate->pay == LEVY_PAY_AT_HIT) return true;
    return LEVY_REFUSE_KEY(frame, UNSUPPORTED, "rebate.lower", "Write pay: at_hit, or one amount.",
                           "different amounts for the two barriers need pay at_hit");
}

static bool barrier_check_rebate(const levy_payoff_frame *frame)
{
    const levy_rebate_terms *const rebate = &levy_knock_of(frame->terms)->rebate;
    if (!rebate->node) return true;
    if (rebate->pay == LEVY_PAY_AT_HIT && levy_barrier_of(frame->terms)->knock == LEVY_KNOCK_IN)
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "rebate.pay",
                               "Write pay: at_expiry, or knock: out.",
                               "the rebate of a knock-in is paid if no touch occurs, and this is "
                               "known only at expiry");
    if (levy_barrier_is_double(levy_barrier_of(frame->terms)) &&
        (rebate->lower >= 0 || rebate->upper >= 0))
        return barrier_amounts(frame);
    if (rebate->amount >= 0) return true;
    return LEVY_REFUSE_KEY(frame, MISSING_KEY, "rebate",
                           "Write the amount, or lower and upper with pay: at_hit.",
                           "missing key 'amount'");
}

bool levy_barrier_check(const levy_payoff_frame *frame)
{
    const bool strike = levy_payoff_check_strike(frame);
    bool good = levy_barrier_check_levels(frame);
    good &= levy_payoff_check_cash(frame, &levy_knock_of(frame->terms)->payout);
    good = good && barrier_check_rebate(frame);
    return strike && good;
}

bool levy_barrier_pays_cash(const levy_payoff_terms *terms)
{
    return levy_knock_of(terms)->payout.payout == LEVY_PAYOUT_CASH;
}

bool levy_barrier_pays_at_hit(const levy_payoff_terms *terms)
{
    const levy_rebate_terms *const rebate = &levy_knock_of(terms)->rebate;
    return rebate->node && rebate->pay == LEVY_PAY_AT_HIT;
}
