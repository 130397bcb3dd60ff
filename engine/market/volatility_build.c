/* volatility_build.c: see volatility_build.h. Source: J. Gatheral, The Volatility Surface, 2006,
 * chapter 3 (no calendar arbitrage: total variance does not fall). */
#include "engine/market/volatility_build.h"

#include "engine/fourier/black.h"
#include "kernels/lane/scalar.h"

static bool volatility_check(levy_check *build, const levy_node *node, const char *path,
                             double volatility)
{
    static const char *const hint = "Volatilities are decimals: 0.2 is 20 %.";
    if (!(volatility >= LEVY_LEAST_VOLATILITY && volatility <= 5))
        return LEVY_REFUSE(build, RANGE, node, path, hint,
                           "a volatility must lie in [1e-8, 5]; got %s",
                           levy_check_number(build, volatility));
    if (volatility > 2)
        LEVY_WARN(build, RANGE, node, path, hint, "a volatility of %s is unusually large",
                  levy_check_number(build, volatility));
    return true;
}

/* `key`: of a node's volatility, behind its number. */
static bool volatility_term(levy_check *build, const levy_list *nodes, const char *path,
                            const char *key, levy_volatility *v)
{
    const levy_time_value *items = nodes->items;
    double *volatilities;
    size_t today = 0;
    v->n = nodes->count;
    v->total_variance = levy_check_allocate(build, v->n, sizeof *v->total_variance);
    if (!v->total_variance || !levy_check_pairs(build, nodes, path, &v->times, &volatilities))
        return false;
    bool good = true;
    for (size_t i = 0; i < nodes->count; ++i) {
        const double t = v->times[i], sigma = volatilities[i];
        if (levy_node_is_today(build, &items[i].time, t, path, i, nodes->count)) {
            ++today;
            continue;
        }
        if (t <= 0)
            good = LEVY_REFUSE(
                build, RANGE, items[i].time.node, levy_check_text(build, "%s[%zu][0]", path, i),
                "Write times after the valuation date.", "%s is not after the valuation",
                levy_check_shown(items[i].time.node));
        good &= volatility_check(build, levy_pair_value_node(&items[i]),
                                 levy_check_text(build, "%s[%zu]%s", path, i, key), sigma);
        v->total_variance[i] = sigma * sigma * t;
        if (good && i > 0 && v->total_variance[i] < v->total_variance[i - 1]) {
            const double least = levy_sqrt(v->total_variance[i - 1] / t) * (1 + 5e-6);
            good = LEVY_REFUSE(build, INCONSISTENT, levy_pair_value_node(&items[i]),
                               levy_check_text(build, "%s[%zu]%s", path, i, key),
                               levy_check_text(build, "The volatility to %s must be at least %s.",
                                               levy_check_shown(items[i].time.node),
                                               levy_check_rounded(build, least)),
                               "total variance falls from %s (node %s) to %s (node %s)",
                               levy_check_rounded(build, v->total_variance[i - 1]),
                               levy_check_shown(items[i - 1].time.node),
                               levy_check_rounded(build, v->total_variance[i]),
                               levy_check_shown(items[i].time.node));
        }
    }
    v->times += today;
    v->total_variance += today;
    v->n -= today;
    return good;
}

bool levy_volatility_build(levy_check *build, const levy_variant_value *raw, const char *path,
                           levy_volatility *v)
{
    const levy_raw_volatility *terms = raw->value;
    if (!raw->node) return true; /* a model that needs one refuses this (models.c) */
    if (!terms || raw->kind < 0) return false;
    if (raw->kind == LEVY_RAW_VOLATILITY_IMPLIED) return true; /* once the forward is known */
    if (raw->kind == LEVY_RAW_VOLATILITY_TERM)
        return volatility_term(build, &terms->nodes,
                               levy_check_text(build, "%s.volatility.nodes", path), "[1]", v);
    if (levy_volatility_flat(terms->value, build->arena, v) != LEVY_OK) build->out_of_memory = true;
    const char *format = raw->node->kind == LEVY_NODE_MAP ? "%s.volatility.value" : "%s.volatility";
    return volatility_check(build, levy_check_at(raw->node, "value"),
                            levy_check_text(build, format, path), terms->value);
}

/* ---- Volatilities that prices imply ---- */

static bool volatility_refuse_price(levy_check *build, const levy_raw_option_price *quote,
                                    const char *path, double least, double most)
{
    return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(quote->node, "price"),
                       levy_check_text(build, "%s.price", path),
                       "Check the option_type, and the forward that the market gives.",
                       "no volatility up to 5 gives this price: it must be above %s and below %s",
                       levy_check_rounded(build, least), levy_check_rounded(build, most));
}

static bool volatility_imply_node(levy_check *build, const levy_raw_option_price *quote,
                                  const char *path, const levy_asset *asset, levy_time_value *node)
{
    const char *const at = levy_check_text(build, "%s.expiry", path);
    double years;
    if (!levy_check_time(build, &quote->expiry, at, &years)) return false;
    if (!(years > 1e-9))
        return LEVY_REFUSE(build, RANGE, quote->expiry.node, at,
                           "Write times after the valuation date.", "%s is not after the valuation",
                           levy_check_shown(quote->expiry.node));
    double raised;
    const double unit = levy_exp(levy_curve_log_discount(asset->curve, years)),
                 mean = levy_asset_forward(asset, years, &raised), forward = unit * (mean + raised),
                 strike = unit * (quote->strike + raised);
    const bool call = quote->option_type == 0;
    const double deviation =
        levy_black_implied(levy_log(strike / forward), call, quote->price / forward);
    *node = (levy_time_value){.time = quote->expiry,
                              .value = deviation / levy_sqrt(years),
                              .node = levy_check_at(quote->node, "price")};
    if (deviation > 0.0 && node->value <= 5.0) return true;
    const double over = call ? forward - strike : strike - forward,
                 put = levy_black_put(levy_log(strike / forward), 5.0 * levy_sqrt(years));
    return volatility_refuse_price(build, quote, path, over > 0.0 ? over : 0.0,
                                   forward * put + (call ? forward - strike : 0.0));
}

bool levy_volatility_imply(levy_check *build, const levy_variant_value *raw, const char *path,
                           levy_asset *asset)
{
    if (raw->kind != LEVY_RAW_VOLATILITY_IMPLIED) return true;
    const levy_list *const quotes = &((const levy_raw_volatility *)raw->value)->quotes;
    const char *const at = levy_check_text(build, "%s.volatility.quotes", path);
    levy_time_value *const nodes = levy_check_allocate(build, quotes->count, sizeof *nodes);
    bool good = nodes;
    for (size_t i = 0; nodes && i < quotes->count; ++i)
        good &= volatility_imply_node(build, (const levy_raw_option_price *)quotes->items + i,
                                      levy_check_text(build, "%s[%zu]", at, i), asset, &nodes[i]);
    const levy_list list = {.node = quotes->node, .items = nodes, .count = quotes->count};
    return good && volatility_term(build, &list, at, ".price", &asset->volatility);
}
