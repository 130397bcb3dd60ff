/* barrier.c: the rules of barriers, touches and rebates: which forms combine. See trade.h. */
#include "engine/problem/trade.h"

static const char *barrier_path(levy_check *build, const levy_trade_frame *frame, const char *key)
{
    return levy_check_text(build, "%s.payoff.%s", frame->path, key);
}

static const levy_node *barrier_at(const levy_trade_frame *frame, const char *block,
                                   const char *key)
{
    return levy_check_at(levy_check_at(frame->raw->payoff.node, block), key);
}

/* A touch has one barrier or two. */
static bool barrier_form(levy_check *build, const levy_trade_frame *frame,
                         const levy_payoff_terms *terms)
{
    const bool one = terms->barrier_direction >= 0 && terms->barrier_level > 0;
    const bool two = terms->barrier_lower > 0 && terms->barrier_upper > 0;
    const bool any_one = terms->barrier_direction >= 0 || terms->barrier_level > 0;
    const bool any_two = terms->barrier_lower > 0 || terms->barrier_upper > 0;
    if ((one && !any_two) || (two && !any_one)) return true;
    const levy_node *block = levy_check_at(frame->raw->payoff.node, "barrier");
    if (any_one && any_two)
        return LEVY_REFUSE(build, INCONSISTENT, block, barrier_path(build, frame, "barrier"),
                           "Keep one of the two forms.",
                           "a single barrier has direction and level, a double barrier has lower "
                           "and upper; got keys of both");
    const char *key = any_two ? (terms->barrier_lower > 0 ? "upper" : "lower")
                      : terms->barrier_direction >= 0 || !any_one ? "level"
                                                                  : "direction";
    return LEVY_REFUSE(build, MISSING_KEY, block, barrier_path(build, frame, "barrier"),
                       "Write direction and level for one barrier, or lower and upper for two.",
                       "missing key '%s'", key);
}

static bool barrier_levels(levy_check *build, const levy_trade_frame *frame,
                           const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    if (!trade->two_barriers)
        return levy_terms_fraction(build, frame, trade, "barrier.level", terms->barrier_level);
    if (!levy_terms_fraction(build, frame, trade, "barrier.lower", terms->barrier_lower) ||
        !levy_terms_fraction(build, frame, trade, "barrier.upper", terms->barrier_upper))
        return false;
    if (terms->barrier_lower < terms->barrier_upper) return true;
    return LEVY_REFUSE(build, INCONSISTENT, barrier_at(frame, "barrier", "upper"),
                       barrier_path(build, frame, "barrier.upper"), "Swap the two.",
                       "the upper barrier, %s, is not above the lower barrier, %s",
                       levy_check_number(build, terms->barrier_upper),
                       levy_check_number(build, terms->barrier_lower));
}

/* Whichever side it comes from. */
static bool barrier_cross(levy_check *build, const levy_trade_frame *frame, const levy_trade *trade)
{
    if (trade->two_barriers || trade->terms->barrier_direction != LEVY_BARRIER_CROSS) return true;
    const levy_node *node = barrier_at(frame, "barrier", "direction");
    const char *path = barrier_path(build, frame, "barrier.direction");
    if (trade->terms->monitoring != 1)
        return LEVY_REFUSE(build, UNSUPPORTED, node, path,
                           "Write direction: up or down, or monitoring: continuous.",
                           "direction cross needs continuous monitoring");
    if (trade->rebate_at_hit)
        return LEVY_REFUSE(build, UNSUPPORTED, node, path,
                           "Write direction: up or down, or pay: at_expiry.",
                           "pay at_hit needs a direction of up or down");
    return true;
}

static bool barrier_rebate(levy_check *build, const levy_trade_frame *frame,
                           const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    const levy_rebate_terms *rebate = &terms->rebate;
    if (!rebate->node) return true;
    const bool in = terms->barrier_knock == 1,
               sides = trade->two_barriers && (rebate->lower >= 0 || rebate->upper >= 0);
    if (rebate->pay == 1 && in)
        return LEVY_REFUSE(build, INCONSISTENT, barrier_at(frame, "rebate", "pay"),
                           barrier_path(build, frame, "rebate.pay"),
                           "Write pay: at_expiry, or knock: out.",
                           "the rebate of a knock-in is paid if no touch occurs, and this is "
                           "known only at expiry");
    if (!sides) {
        if (rebate->amount >= 0) return true;
        return LEVY_REFUSE(build, MISSING_KEY, rebate->node, barrier_path(build, frame, "rebate"),
                           "Write the amount, or lower and upper with pay: at_hit.",
                           "missing key 'amount'");
    }
    if (rebate->amount >= 0 || !(rebate->lower >= 0) || !(rebate->upper >= 0))
        return LEVY_REFUSE(build, INCONSISTENT, rebate->node, barrier_path(build, frame, "rebate"),
                           "Keep amount alone, or give lower and upper.",
                           "a rebate has one amount for both barriers, or one amount for each");
    if (rebate->pay == 1) return true;
    return LEVY_REFUSE(build, UNSUPPORTED, levy_check_at(rebate->node, "lower"),
                       barrier_path(build, frame, "rebate.lower"),
                       "Write pay: at_hit, or one amount.",
                       "different amounts for the two barriers need pay at_hit");
}

static bool barrier_payout(levy_check *build, const levy_trade_frame *frame,
                           const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    if (trade->payoff == LEVY_PAYOFF_TOUCH) {
        if (terms->touch_pays == 0 || terms->touch_pay == 0) return true;
        return LEVY_REFUSE(build, INCONSISTENT, barrier_at(frame, "pay", ""),
                           barrier_path(build, frame, "pay"), "Write pay: at_expiry.",
                           "it is known only at expiry that no touch has occurred");
    }
    const levy_node *cash = levy_node_find(frame->raw->payoff.node, "cash");
    if (!cash || terms->barrier_payout == LEVY_PAYOUT_CASH) return true;
    return LEVY_REFUSE(build, INCONSISTENT, cash, barrier_path(build, frame, "cash"),
                       "Remove it, or write payout: cash.", "is only allowed with payout cash");
}

bool levy_terms_barrier(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    const bool touch = trade->payoff == LEVY_PAYOFF_TOUCH;
    if (touch && !barrier_form(build, frame, terms)) return false;
    trade->two_barriers =
        trade->payoff == LEVY_PAYOFF_DOUBLE_BARRIER || (touch && terms->barrier_lower > 0);
    trade->rebate_at_hit =
        touch ? terms->touch_pay == 1 : terms->rebate.node && terms->rebate.pay == 1;
    bool good = barrier_levels(build, frame, trade) && barrier_cross(build, frame, trade);
    good &= barrier_payout(build, frame, trade);
    return good && (touch || barrier_rebate(build, frame, trade));
}

bool levy_trade_is_rough(const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    if (!trade->continuous ||
        (trade->window_start > 0 && terms->barrier_direction != LEVY_BARRIER_CROSS))
        return true;
    return trade->payoff != LEVY_PAYOFF_TOUCH && terms->barrier_payout != LEVY_PAYOUT_OPTION &&
           terms->strike > 0;
}
