/* curve_build.c: see curve_build.h. Quotes become log discount factors at ACT/365.FIXED model times
 * once, here; afterwards a curve is a piecewise linear function. exp and log are the engine's own.
 */
#include "engine/market/curve_build.h"

#include "engine/base/tie.h"
#include "engine/market/curve_par.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

bool levy_curve_check_rate(levy_check *build, const levy_node *node, const char *path, double rate)
{
    const double size = rate < 0 ? -rate : rate;
    if (size > 5)
        return LEVY_REFUSE(build, RANGE, node, path, "Rates are decimals: 0.04 is 4 %.",
                           "a rate must lie in [-5, 5]; got %s", levy_check_number(build, rate));
    if (size > 1)
        LEVY_WARN(build, RANGE, node, path, "Rates are decimals: 0.04 is 4 %.",
                  "a rate of %s is unusually large", levy_check_number(build, rate));
    return true;
}

/* log of the discount factor over tau years at a quoted rate; false if the rate gives no positive
 * factor. */
static bool curve_log_factor(double rate, int32_t compounding, double tau, double *log_factor)
{
    const double half_years = compounding == LEVY_RAW_SEMI_ANNUAL ? 2 : 1;
    const double periods = compounding == LEVY_RAW_QUARTERLY ? 4 : half_years;
    const double gross_return =
        compounding == LEVY_RAW_SIMPLE ? 1 + rate * tau : 1 + rate / periods;
    if (compounding == LEVY_RAW_CONTINUOUS) {
        *log_factor = -rate * tau;
        return true;
    }
    if (!(gross_return > 1e-12)) return false;
    const double log_return = levy_log(gross_return);
    *log_factor = compounding == LEVY_RAW_SIMPLE ? -log_return : -tau * periods * log_return;
    return true;
}

static bool curve_refuse_rate(levy_check *build, const levy_node *node, const char *path,
                              double rate)
{
    return LEVY_REFUSE(build, RANGE, node, path, "Check the rate's sign and its compounding.",
                       "a rate of %s with this compounding does not give a positive discount "
                       "factor",
                       levy_check_number(build, rate));
}

static bool curve_room(levy_check *build, levy_curve *curve, size_t n)
{
    curve->n = n;
    curve->times = levy_check_allocate(build, n, sizeof *curve->times);
    curve->log_discounts = levy_check_allocate(build, n, sizeof *curve->log_discounts);
    curve->zero_rates = levy_check_allocate(build, n, sizeof *curve->zero_rates);
    return curve->times && curve->log_discounts && curve->zero_rates;
}

static bool curve_build_flat(levy_check *build, const levy_raw_curve *raw, const char *path,
                             levy_curve *curve)
{
    const levy_node *node = levy_check_at(raw->node, "rate");
    const char *at = levy_check_text(
        build, raw->node && raw->node->kind == LEVY_NODE_MAP ? "%s.rate" : "%s", path);
    if (!curve_room(build, curve, 1) || !levy_curve_check_rate(build, node, at, raw->rate))
        return false;
    if (!curve_log_factor(raw->rate, raw->compounding, 1, &curve->log_discounts[0]))
        return curve_refuse_rate(build, node, at, raw->rate);
    curve->times[0] = 1;
    curve->zero_rates[0] = -curve->log_discounts[0];
    return true;
}

/* The year fraction a zero rate is quoted for. */
static double curve_quote_years(const levy_check *build, const levy_raw_curve *raw,
                                const levy_time *time, double t)
{
    return time->is_date
               ? levy_year_fraction((levy_day_count)raw->day_count, build->valuation, time->date)
               : t;
}

static bool curve_node(levy_check *build, const levy_raw_curve *raw, int kind, size_t i,
                       const char *path, levy_curve *curve)
{
    const levy_time_value *item = &((const levy_time_value *)raw->nodes.items)[i];
    const levy_node *place = levy_pair_value_node(item);
    const char *at = levy_check_text(build, "%s.nodes[%zu][1]", path, i);
    const double t = curve->times[i];
    const bool is_rate = kind == LEVY_RAW_CURVE_ZERO;
    if ((is_rate || levy_is_tie(item->value, 1)) &&
        levy_node_is_today(build, &item->time, t, levy_check_text(build, "%s.nodes", path), i,
                           raw->nodes.count))
        return true;
    if (t <= 0)
        return LEVY_REFUSE(
            build, RANGE, item->time.node, levy_check_text(build, "%s.nodes[%zu][0]", path, i),
            "Start with the first node after the valuation: today's discount factor is 1.",
            "%s is not after the valuation", levy_check_shown(item->time.node));
    if (is_rate) {
        if (!levy_curve_check_rate(build, place, at, item->value)) return false;
        if (!curve_log_factor(item->value, raw->compounding,
                              curve_quote_years(build, raw, &item->time, t),
                              &curve->log_discounts[i]))
            return curve_refuse_rate(build, place, at, item->value);
    } else {
        if (!(item->value > 1e-300 && item->value < 1e300))
            return LEVY_REFUSE(build, RANGE, place, at,
                               "A discount factor is today's price of 1 paid at that time.",
                               "a discount factor must be positive; got %s",
                               levy_check_number(build, item->value));
        curve->log_discounts[i] = levy_log(item->value);
        const double rate = -curve->log_discounts[i] / t, size = rate < 0 ? -rate : rate;
        if (size > 5)
            return LEVY_REFUSE(build, RANGE, place, at,
                               "A discount factor is today's price of 1 paid at that time, such as "
                               "0.96.",
                               "the discount factor %s implies a zero rate of %s, which is outside "
                               "[-5, 5]",
                               levy_check_number(build, item->value),
                               levy_check_rounded(build, rate));
        if (size > 1)
            LEVY_WARN(build, RANGE, place, at,
                      "A discount factor is today's price of 1 paid at that time, such as "
                      "0.96.",
                      "the discount factor %s implies an unusually large zero rate, %s",
                      levy_check_number(build, item->value), levy_check_rounded(build, rate));
    }
    curve->zero_rates[i] = -curve->log_discounts[i] / t;
    return true;
}

static bool curve_day_count(levy_check *build, const levy_raw_curve *raw, const char *path)
{
    if (raw->day_count == LEVY_ACT_365_FIXED || build->has_date) return true;
    return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, "day_count"),
                       levy_check_text(build, "%s.day_count", path),
                       "Remove day_count, or add valuation_date and write the nodes' times as "
                       "dates.",
                       "a day count needs dates, but the times of this book are in years");
}

static bool curve_build_nodes(levy_check *build, const levy_raw_curve *raw, int kind,
                              const char *path, levy_curve *curve)
{
    double *values;
    if (!curve_day_count(build, raw, path) || !curve_room(build, curve, raw->nodes.count))
        return false;
    if (!levy_check_pairs(build, &raw->nodes, levy_check_text(build, "%s.nodes", path),
                          &curve->times, &values))
        return false;
    bool good = true;
    for (size_t i = 0; i < curve->n; ++i) good &= curve_node(build, raw, kind, i, path, curve);
    if (good && curve->times[0] <= 0) { /* today's node has no effect */
        ++curve->times;
        ++curve->log_discounts;
        ++curve->zero_rates;
        --curve->n;
    }
    return good;
}

/* The times of a list of rates, from node number `first` on, each after the one before it and
 * today. */
static bool curve_par_times(levy_check *build, const levy_list *list, const char *path,
                            size_t first, levy_curve *curve)
{
    const levy_time_value *const items = list->items;
    double *times, *rates;
    if (!levy_check_pairs(build, list, path, &times, &rates)) return false;
    for (size_t i = 0; i < list->count; ++i) {
        const char *const at = levy_check_text(build, "%s[%zu][1]", path, i);
        if (!levy_curve_check_rate(build, levy_pair_value_node(&items[i]), at, rates[i]))
            return false;
        curve->times[first + i] = times[i];
    }
    if (list->count == 0 || times[0] > (first > 0 ? curve->times[first - 1] : 1e-9)) return true;
    return LEVY_REFUSE(build, RANGE, items[0].time.node, levy_check_text(build, "%s[0][0]", path),
                       first > 0 ? "Remove the deposit or the swap: a curve takes one of both."
                                 : "Write times after the valuation date.",
                       "%s is not after %s", levy_check_shown(items[0].time.node),
                       first > 0 ? "the last deposit" : "the valuation");
}

/* The node of deposit number i. */
static bool curve_deposit(levy_check *build, const levy_raw_curve *raw, const char *path, size_t i,
                          levy_curve *curve)
{
    const levy_time_value *const item = (const levy_time_value *)raw->deposits.items + i;
    const double years = curve_quote_years(build, raw, &item->time, curve->times[i]);
    if (!curve_log_factor(item->value, LEVY_RAW_SIMPLE, years, &curve->log_discounts[i]))
        return curve_refuse_rate(build, levy_pair_value_node(item),
                                 levy_check_text(build, "%s.deposits[%zu][1]", path, i),
                                 item->value);
    curve->zero_rates[i] = -curve->log_discounts[i] / curve->times[i];
    return true;
}

static bool curve_build_par(levy_check *build, const levy_raw_curve *raw, const char *path,
                            levy_curve *curve)
{
    const size_t n = raw->deposits.count;
    bool good =
        curve_day_count(build, raw, path) && curve_room(build, curve, n + raw->swaps.count) &&
        curve_par_times(build, &raw->deposits, levy_check_text(build, "%s.deposits", path), 0,
                        curve) &&
        curve_par_times(build, &raw->swaps, levy_check_text(build, "%s.swaps", path), n, curve);
    for (size_t i = 0; i < n && good; ++i) good = curve_deposit(build, raw, path, i, curve);
    return good && levy_curve_strip(build, raw, path, n, curve);
}

/* A spread is a curve of its own, flat or by nodes. */
static bool curve_build_spread(levy_check *build, const levy_raw_curve *raw, const char *path,
                               levy_curve *curve)
{
    if (isnan(raw->rate) == !raw->nodes.node)
        return LEVY_REFUSE(build, INCONSISTENT, raw->node, path,
                           raw->nodes.node ? "Remove rate or nodes." : "Add rate, such as 0.004.",
                           raw->nodes.node ? "a spread has a rate or nodes, not both"
                                           : "a spread needs a rate or nodes");
    return raw->nodes.node ? curve_build_nodes(build, raw, LEVY_RAW_CURVE_ZERO, path, curve)
                           : curve_build_flat(build, raw, path, curve);
}

bool levy_curve_build(levy_check *build, const levy_variant_value *raw, const char *path,
                      levy_curve *curve)
{
    const levy_raw_curve *terms = raw->value;
    bool good;
    curve->name = levy_check_key(raw->node);
    curve->node = raw->node;
    if (raw->kind < 0 || !terms || levy_check_refused(build, path)) return false;
    curve->interpolation = terms->interpolation;
    if (raw->kind == LEVY_RAW_CURVE_FLAT)
        good = curve_build_flat(build, terms, path, curve);
    else if (raw->kind == LEVY_RAW_CURVE_SPREAD)
        good = curve_build_spread(build, terms, path, curve);
    else if (raw->kind == LEVY_RAW_CURVE_PAR)
        good = curve_build_par(build, terms, path, curve);
    else
        good = curve_build_nodes(build, terms, raw->kind, path, curve);
    curve->kinks = (levy_nodes){curve->n, curve->times};
    return good;
}

bool levy_curve_put_over(levy_check *build, levy_curve *curve, const levy_curve *over)
{
    const levy_nodes own = {curve->n > 1 ? curve->n : 0, curve->times},
                     theirs = levy_curve_kinks(over);
    double *const times = levy_check_allocate(build, own.n + theirs.n, sizeof *times);
    if (!times) return false;
    curve->over = over;
    curve->kinks = (levy_nodes){levy_nodes_join(own, theirs, times), times};
    return true;
}
