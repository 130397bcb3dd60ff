/* asset_build.c: see asset_build.h. */
#include "engine/market/asset_build.h"

#include "engine/market/curve_build.h"
#include "engine/market/volatility_build.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* ---- Dividends ---- */

/* Keeps the dividends after the valuation. Earlier ones get a warning and are left out, because
 * today's spot already excludes them. */
static bool asset_build_dividends(levy_check *build, const levy_list *list, const char *path,
                                  bool fractions, levy_dividends *out)
{
    const levy_time_value *items = list->items;
    if (!levy_check_pairs(build, list, path, &out->times, &out->values)) return false;
    bool good = true;
    size_t n = 0;
    for (size_t i = 0; i < list->count; ++i) {
        const char *at = levy_check_text(build, "%s[%zu]", path, i);
        if (!(out->values[i] > 0))
            good = LEVY_REFUSE(
                build, RANGE, levy_pair_value_node(&items[i]), levy_check_text(build, "%s[1]", at),
                "Remove the entry where nothing is paid.", "a dividend must be positive; got %s",
                levy_check_number(build, out->values[i]));
        else if (fractions && !(out->values[i] < 1))
            good = LEVY_REFUSE(build, RANGE, levy_pair_value_node(&items[i]),
                               levy_check_text(build, "%s[1]", at),
                               "Write 0.02 for 2 % of the spot. Write amounts of money under cash.",
                               "a proportional dividend must lie in (0, 1); got %s",
                               levy_check_number(build, out->values[i]));
        else if (out->times[i] <= 0)
            LEVY_WARN(build, RANGE, items[i].time.node, levy_check_text(build, "%s[0]", at),
                      "Remove past dividends: today's spot already excludes them.",
                      "the ex-date %s is not after the valuation; the dividend has no effect",
                      levy_check_shown(items[i].time.node));
        else {
            out->times[n] = out->times[i];
            out->values[n++] = out->values[i];
        }
    }
    out->n = n;
    return good;
}

/* `from_end` counts from the end of the list: past dividends, which come first, were left out of
 * the asset. */
static bool asset_refuse_shared_time(levy_check *build, const levy_list *list, const char *path,
                                     size_t from_end)
{
    const size_t i = list->count - from_end;
    const levy_node *node = ((const levy_time_value *)list->items)[i].time.node;
    return LEVY_REFUSE(build, INCONSISTENT, node,
                       levy_check_text(build, "%s.dividends.proportional[%zu][0]", path, i),
                       "Move one of the two by a day, or combine them.",
                       "a cash dividend has the same ex-date, %s: the order of the two is "
                       "undefined",
                       levy_check_shown(node));
}

/* The dates of both kinds, which are in order by themselves. */
static bool asset_join_dates(levy_check *build, levy_carry *carry)
{
    const levy_nodes cash = levy_carry_cash_dates(carry),
                     proportional = levy_carry_proportional_dates(carry);
    double *const times = levy_check_allocate(build, cash.n + proportional.n, sizeof *times);
    if (!times) return false;
    carry->dates = (levy_nodes){levy_nodes_join(cash, proportional, times), times};
    return true;
}

static bool asset_check_dividends(levy_check *build, const levy_raw_asset *raw, const char *path,
                                  const levy_asset *asset)
{
    const levy_dividends *const cash = &asset->carry.cash;
    const levy_dividends *const proportional = &asset->carry.proportional;
    for (size_t i = 0, j = 0; i < cash->n && j < proportional->n;) {
        if (cash->times[i] == proportional->times[j])
            return asset_refuse_shared_time(build, &raw->dividends.proportional, path,
                                            proportional->n - j);
        if (cash->times[i] < proportional->times[j])
            i++;
        else
            j++;
    }
    double value = 0;
    for (size_t i = 0; asset->curve && !asset->carry.affine && i < cash->n; ++i)
        value += cash->values[i] * levy_exp(levy_curve_log_discount(asset->curve, cash->times[i]));
    if (value < asset->spot) return true;
    return LEVY_REFUSE(build, INCONSISTENT, raw->dividends.cash.node,
                       levy_check_text(build, "%s.dividends.cash", path),
                       "Check the amounts. They are in currency per share.",
                       "the present value of the dividends, %s, is not below the spot, %s",
                       levy_check_rounded(build, value), levy_check_number(build, asset->spot));
}

/* The rule by which cash is paid, before anything reads the carry. */
static bool asset_build_rule(levy_check *build, const levy_raw_dividends *raw, const char *path,
                             levy_carry *carry)
{
    const char *const at = levy_check_text(build, "%s.dividends.horizon", path);
    carry->affine = raw->rule == LEVY_RAW_DIVIDENDS_AFFINE;
    carry->horizon = INFINITY;
    if (!raw->horizon.node) return true;
    if (!carry->affine)
        return LEVY_REFUSE(build, INCONSISTENT, raw->horizon.node, at,
                           "Remove horizon, or write rule: affine.",
                           "only rule affine takes the cash until a horizon off what moves");
    if (!levy_check_time(build, &raw->horizon, at, &carry->horizon)) return false;
    if (carry->horizon > 0.0) return true;
    return LEVY_REFUSE(build, RANGE, raw->horizon.node, at,
                       "Write a time after the valuation date, or remove horizon.",
                       "%s is not after the valuation", levy_check_shown(raw->horizon.node));
}

/* What each amount is worth today, and whether F > D at all dates. */
static bool asset_build_affine(levy_check *build, const levy_raw_asset *raw, const char *path,
                               levy_asset *asset)
{
    levy_carry *const carry = &asset->carry;
    double *const worth = levy_check_allocate(build, carry->cash.n, sizeof *worth), sum = 0.0;
    if (!carry->affine) return true;
    if (!worth || !asset->curve) return false;
    levy_asset_worth(asset, 0.0, asset->spot, worth);
    carry->worth = worth;
    if (levy_asset_has_rest(asset)) return true;
    size_t i = 0;
    while (i < carry->cash.n && sum < 1.0) sum += worth[i++];
    return LEVY_REFUSE(
        build, INCONSISTENT, raw->dividends.cash.node,
        levy_check_text(build, "%s.dividends.cash", path),
        "Check the amounts, or write the later ones as proportional.",
        "rule affine needs a forward above the cash to come: dividends within %s years are worth "
        "%s at the asset's growth, and the spot is %s",
        levy_check_rounded(build, carry->cash.times[i - 1]),
        levy_check_rounded(build, asset->spot * sum), levy_check_number(build, asset->spot));
}

/* ---- Fixings, and the whole ---- */

/* A market file may have the history of days that are still to come, as seen from the valuation:
 * nobody knows these fixings yet. */
static bool asset_build_fixings(levy_check *build, const levy_list *list, const char *path,
                                levy_fixings *fixings)
{
    const levy_time_value *items = list->items;
    if (!levy_check_pairs(build, list, path, &fixings->times, &fixings->values)) return false;
    while (fixings->n < list->count && fixings->times[fixings->n] < 1e-9) ++fixings->n;
    bool good = true;
    if (fixings->n < list->count)
        LEVY_WARN(build, RANGE, items[fixings->n].time.node,
                  levy_check_text(build, "%s[%zu][0]", path, fixings->n),
                  "Check the valuation date if they should count.",
                  "fixings from %s on are after the valuation; they have no effect",
                  levy_check_shown(items[fixings->n].time.node));
    for (size_t i = 0; i < list->count; ++i) {
        if (!(fixings->values[i] > 0 && fixings->values[i] <= 1e12))
            good =
                LEVY_REFUSE(build, RANGE, levy_pair_value_node(&items[i]),
                            levy_check_text(build, "%s[%zu][1]", path, i),
                            "Give the level as quoted.", "a fixing must lie in (0, 1e12]; got %s",
                            levy_check_number(build, fixings->values[i]));
    }
    return good;
}

static bool asset_build_borrow(levy_check *build, const levy_variant_value *raw, const char *path,
                               levy_curve *borrow)
{
    const char *const at = levy_check_text(build, "%s.borrow", path);
    if (raw->kind != LEVY_RAW_YIELD_IMPLIED) return levy_curve_build(build, raw, at, borrow);
    return LEVY_REFUSE(build, UNSUPPORTED, raw->node, at,
                       "Write the forwards under dividend_yield, which takes what borrow leaves.",
                       "forwards do not tell a cost of borrowing from a yield");
}

/* The yield that forward number i implies: what the spot grows by less until then than the curves,
 * the cost of borrowing and proportional dividends say. */
static bool asset_imply_yield(levy_check *build, const levy_list *forwards, const char *path,
                              size_t i, const levy_asset *asset, levy_time_value *node)
{
    const levy_time_value *const forward = (const levy_time_value *)forwards->items + i;
    const char *const at = levy_check_text(build, "%s[%zu]", path, i);
    double years;
    if (!levy_check_time(build, &forward->time, levy_check_text(build, "%s[0]", at), &years))
        return false;
    if (!(years > 1e-9))
        return LEVY_REFUSE(build, RANGE, forward->time.node, levy_check_text(build, "%s[0]", at),
                           "Write times after the valuation date.", "%s is not after the valuation",
                           levy_check_shown(forward->time.node));
    if (!(forward->value > 0.0))
        return LEVY_REFUSE(build, RANGE, levy_pair_value_node(forward),
                           levy_check_text(build, "%s[1]", at), "Give the forward as quoted.",
                           "a forward must be positive; got %s",
                           levy_check_number(build, forward->value));
    *node = *forward;
    node->value =
        (levy_asset_log_forward(asset, years) - levy_log(forward->value / asset->spot)) / years;
    if (node->value >= -1.0 && node->value <= 5.0) return true;
    return LEVY_REFUSE(build, RANGE, levy_pair_value_node(forward),
                       levy_check_text(build, "%s[1]", at), "Check the forward, and the spot.",
                       "the forward %s implies a yield of %s, which is outside [-1, 5]",
                       levy_check_number(build, forward->value),
                       levy_check_rounded(build, node->value));
}

/* The yield, given or implied; the latter takes the rest of the asset. */
static bool asset_build_yield(levy_check *build, const levy_raw_asset *raw, const char *path,
                              levy_asset *asset)
{
    const char *const at = levy_check_text(build, "%s.dividend_yield", path);
    const levy_raw_curve *const terms = raw->dividend_yield.value;
    levy_curve *const yield = &asset->carry.dividend_yield;
    if (raw->dividend_yield.kind != LEVY_RAW_YIELD_IMPLIED || !terms)
        return levy_curve_build(build, &raw->dividend_yield, at, yield);
    const levy_list *const forwards = &terms->forwards;
    if (!asset->curve) return false;
    if (asset->carry.cash.n)
        return LEVY_REFUSE(build, INCONSISTENT, forwards->node,
                           levy_check_text(build, "%s.forwards", at),
                           "Write the cash dividends without forwards, or forwards without them.",
                           "the asset has cash dividends, which forwards imply already");
    levy_time_value *const nodes = levy_check_allocate(build, forwards->count, sizeof *nodes);
    bool good = nodes;
    for (size_t i = 0; nodes && i < forwards->count; ++i)
        good &= asset_imply_yield(build, forwards, levy_check_text(build, "%s.forwards", at), i,
                                  asset, &nodes[i]);
    levy_raw_curve term = {
        .node = terms->node,
        .nodes = {.node = forwards->node, .items = nodes, .count = forwards->count}};
    const levy_variant_value variant = {
        .node = raw->dividend_yield.node, .kind = LEVY_RAW_CURVE_ZERO, .value = &term};
    return good && levy_curve_build(build, &variant, at, yield);
}

/* The curve of the currency whose price an exchange rate is. */
static bool asset_build_base(levy_check *build, levy_market *market, const levy_raw_asset *raw,
                             const char *path, levy_asset *asset)
{
    const char *const own = raw->base_currency ? "base_currency" : "base_curve";
    const levy_node *const node = levy_check_at(raw->node, own);
    const char *const at = levy_check_text(build, "%s.%s", path, own);
    if (!raw->base_currency && !raw->base_curve) return true;
    if (!raw->base_currency)
        return LEVY_REFUSE(build, MISSING_KEY, node, at, "Add base_currency, such as EUR.",
                           "an exchange rate needs the currency whose price it is");
    if (!levy_market_currency(build, raw->base_currency, node, at)) return false;
    if (strcmp(raw->base_currency, raw->currency) == 0)
        return LEVY_REFUSE(build, INCONSISTENT, node, at, "Name the currency that is bought.",
                           "the price of %s in itself is 1", raw->base_currency);
    asset->base_curve =
        levy_market_curve(build, market, raw->base_curve, raw->base_currency,
                          levy_check_at(raw->node, raw->base_curve ? "base_curve" : own),
                          raw->base_curve ? levy_check_text(build, "%s.base_curve", path) : at);
    return asset->base_curve != NULL;
}

bool levy_asset_build(levy_check *build, levy_market *market, const levy_raw_asset *raw,
                      const char *path, levy_asset *asset, levy_fixings *fixings)
{
    /* a missing currency was refused when it was read */
    if (levy_check_refused(build, path) || !raw->currency) return false;
    *asset = (levy_asset){.name = raw->name,
                          .currency = raw->currency,
                          .node = raw->node,
                          .spot = raw->spot,
                          .read_spot = raw->read_spot};
    bool good = levy_market_currency(build, raw->currency, levy_check_at(raw->node, "currency"),
                                     levy_check_text(build, "%s.currency", path));
    if (good)
        asset->curve = levy_market_curve(build, market, raw->curve, raw->currency,
                                         levy_check_at(raw->node, "curve"),
                                         levy_check_text(build, "%s.curve", path));
    good &= asset_build_base(build, market, raw, path, asset);
    const bool held = asset_build_borrow(build, &raw->borrow, path, &asset->carry.borrow);
    good &= levy_volatility_build(build, &raw->volatility, path, &asset->volatility);
    good &= asset_build_rule(build, &raw->dividends, path, &asset->carry);
    bool paid = asset_build_dividends(build, &raw->dividends.cash,
                                      levy_check_text(build, "%s.dividends.cash", path), false,
                                      &asset->carry.cash);
    paid &= asset_build_dividends(build, &raw->dividends.proportional,
                                  levy_check_text(build, "%s.dividends.proportional", path), true,
                                  &asset->carry.proportional);
    good &= asset_build_fixings(build, &raw->fixings, levy_check_text(build, "%s.fixings", path),
                                fixings);
    if (paid)
        good = asset_check_dividends(build, raw, path, asset) &&
               asset_join_dates(build, &asset->carry) && held &&
               asset_build_yield(build, raw, path, asset) &&
               asset_build_affine(build, raw, path, asset) && good &&
               (!asset->curve || levy_volatility_imply(build, &raw->volatility, path, asset));
    else
        asset->carry.cash = asset->carry.proportional = (levy_dividends){0};
    return good && paid && asset->curve;
}
