/* units.c: finds a trade's numbers that may be in another unit. It warns of a share in place of a
 * level and a percentage in place of a fraction, takes a strike as a share where nothing else can
 * be meant, and refuses a level in place of its power. Must not know: any kind, or what a script
 * means. */
#include "engine/problem/trade.h"

#include "payoffs/written.h"

#include <math.h>
#include <string.h>

static const char *units_path(const levy_trade_frame *frame, const char *key)
{
    return levy_check_text(frame->build, "%s.payoff.%s", frame->path, key);
}

/* A strike or barrier of 1 on a spot of 6000 may be a share of it: a level near 1 and far from the
 * spot, whose unit is the spot's. */
static void units_level(const levy_trade_frame *frame, const levy_trade *trade, const char *key,
                        double level)
{
    enum { FAR = 50 };
    double spot = levy_trade_asset(trade, 0)->read_spot;
    for (size_t u = 1; u < trade->n_underlyings; ++u)
        spot = fmin(spot, levy_trade_asset(trade, u)->read_spot);
    if (!(level >= 0.2 && level <= 2.0 && spot >= FAR * level)) return;
    LEVY_WARN(frame->build, RANGE, levy_check_at(frame->raw->payoff.node, key),
              units_path(frame, key),
              levy_check_text(frame->build,
                              "A share of the initial level has strike_type: percent_of_initial; a "
                              "level is one such as %s.",
                              levy_check_number(frame->build, spot)),
              "%s is far from the spot, %s", levy_check_number(frame->build, level),
              levy_check_number(frame->build, spot));
}

/* Whether the level is a mean of underlyings, or one of them: weights, if given, add up to 1. */
static bool units_is_among(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_payoff *const payoff = levy_payoffs[trade->kind.payoff];
    const int32_t aggregate = levy_payoff_aggregate(payoff, trade->claim.terms);
    const bool picks = aggregate == LEVY_AGGREGATE_BEST_OF || aggregate == LEVY_AGGREGATE_WORST_OF;
    const levy_raw_underlying *const items = frame->raw->underlyings.items;
    double sum = 0.0;
    if (trade->n_underlyings < 2 || aggregate == LEVY_AGGREGATE_NONE || !items ||
        payoff->features & LEVY_PAYOFF_PAIR)
        return false;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const double weight = items[i].weight;
        if (isnan(weight)) continue;
        if (picks || !(weight > 0.0)) return false;
        sum += weight;
    }
    return sum == 0.0 || fabs(sum - 1.0) < 1e-9;
}

static void units_levels(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_payoff *const payoff = levy_payoffs[trade->kind.payoff];
    const levy_barrier_terms *const barrier = levy_terms_barrier(payoff, trade->claim.terms);
    const char *const key = levy_payoff_strike_key(payoff);
    if (payoff->source || (trade->n_underlyings > 1 && !units_is_among(frame, trade)) ||
        trade->claim.terms->strike_type == LEVY_STRIKE_PERCENT)
        return;
    if (key) units_level(frame, trade, key, trade->claim.terms->strike);
    if (barrier) units_level(frame, trade, "barrier", barrier->level);
}

/* The least of the numbers that a field has. */
static double units_least(const levy_payoff_terms *terms, const levy_field *field)
{
    const char *const at = (const char *)terms + field->offset;
    if (field->type == LEVY_FIELD_NUMBER) return *(const double *)(const void *)at;
    const levy_list *const list = (const void *)at;
    double least = list->count ? ((const double *)list->items)[0] : 0.0;
    for (size_t i = 1; i < list->count; ++i)
        if (((const double *)list->items)[i] < least) least = ((const double *)list->items)[i];
    return least;
}

static const levy_field *units_field(const levy_trade_frame *frame, const char *name)
{
    const levy_field *field = levy_terms_table(frame->raw)->fields;
    while (field->name && strcmp(field->name, name) != 0) ++field;
    return field->name ? field : NULL;
}

/* A coupon of 2.5 for 2.5 %: more than the notional on each date. */
static void units_coupon(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_field *const field = units_field(frame, "coupon");
    if (!field || field->high > 10.0) return; /* an amount */
    const double coupon = units_least(trade->claim.terms, field);
    if (!(coupon > 1.0)) return;
    LEVY_WARN(frame->build, RANGE, levy_check_at(frame->raw->payoff.node, "coupon"),
              units_path(frame, "coupon"), "Coupons are decimals: 0.025 is 2.5 %.",
              "a coupon of %s times the notional is unusually large",
              levy_check_number(frame->build, coupon));
}

/* A volatility of 0.04 for the variance of 20 %. */
static void units_volatility(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_field *const field = units_field(frame, "strike_volatility");
    if (!field) return;
    const double strike = units_least(trade->claim.terms, field), years = trade->claim.expiry,
                 quoted = sqrt(levy_asset_variance(levy_trade_asset(trade, 0), years) / years);
    if (!(strike > 0.0 && quoted > 2.0 * strike && fabs(log(sqrt(strike) / quoted)) < log(1.5)))
        return;
    LEVY_WARN(frame->build, RANGE, levy_check_at(frame->raw->payoff.node, field->name),
              units_path(frame, field->name),
              levy_check_text(frame->build, "Of a variance of %s the volatility is %.6g.",
                              levy_check_number(frame->build, strike), sqrt(strike)),
              "%s is far below the asset's volatility, %.6g, and near its square",
              levy_check_number(frame->build, strike), quoted);
}

/* A strike of 100 on a spot of 100 is no strike of its square, of which it would be far out: the
 * level was meant, and one of two contracts. */
static bool units_power(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_field *const field = units_field(frame, "strike");
    const levy_field *const power = units_field(frame, "power");
    if (!field || !power || !field->unit || strcmp(field->unit, LEVY_POWER_OF_LEVEL) != 0)
        return true;
    if (trade->n_underlyings > 1 || trade->claim.terms->strike_type == LEVY_STRIKE_PERCENT)
        return true;
    const double strike = units_least(trade->claim.terms, field),
                 n = units_least(trade->claim.terms, power),
                 spot = levy_trade_asset(trade, 0)->read_spot, as_level = fabs(log(strike / spot)),
                 as_power = fabs(log(strike) / n - log(spot));
    if (!(strike > 0.0 && as_level < log(2.0) && as_power > log(4.0))) return true;
    const char *const k = levy_check_number(frame->build, strike),
                      *const e = levy_check_number(frame->build, n),
                      *const due = levy_check_number(frame->build, pow(strike, n));
    return LEVY_REFUSE(
        frame->build, RANGE, levy_check_at(frame->raw->payoff.node, "strike"),
        units_path(frame, "strike"),
        levy_check_text(frame->build,
                        "level ^ %s above %s ^ %s has the strike %s; level ^ %s / %.6g above %s "
                        "has it, too, and a quantity of %.6g. A strike of %s as it stands is a "
                        "script (kind: script).",
                        e, k, e, due, e, pow(strike, n - 1.0), k, strike / pow(strike, n), k),
        "the strike of a power is in its unit; %s is near the spot, %s, and far from its power %s",
        k, levy_check_number(frame->build, spot), e);
}

/* Of several underlyings a strike near 1, per unit of notional, is one of their performance: as a
 * level it is a small part of each, and a level has no notional. One underlying may be a rate of
 * exchange, and the notional one of its currencies. */
bool levy_trade_take_share(const levy_trade_frame *frame, const levy_trade *trade)
{
    enum { FAR = 10 };
    const levy_payoff *const payoff = levy_payoffs[trade->kind.payoff];
    levy_payoff_terms *const terms = frame->raw->payoff.value;
    const levy_node *const written = frame->raw->payoff.node;
    if (!levy_node_find(written, "strike") || levy_node_find(written, "strike_type") ||
        !units_field(frame, "strike_type") || levy_terms_watch(payoff, terms) ||
        !(terms->strike >= 0.2 && terms->strike <= 2.0) || !units_is_among(frame, trade))
        return false;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        if (levy_trade_asset(trade, i)->read_spot < FAR * terms->strike) return false;
    terms->strike_type = LEVY_STRIKE_PERCENT;
    LEVY_WARN(frame->build, RANGE, levy_node_find(written, "strike"), units_path(frame, "strike"),
              "Write strike_type: percent_of_initial.",
              "with a notional, and far below each spot, %s is taken as a share of the initial "
              "level",
              levy_check_number(frame->build, terms->strike));
    return true;
}

bool levy_trade_check_units(const levy_trade_frame *frame, const levy_trade *trade)
{
    units_levels(frame, trade);
    units_coupon(frame, trade);
    units_volatility(frame, trade);
    return units_power(frame, trade);
}
