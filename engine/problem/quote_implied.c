/* quote_implied.c: yields that forwards imply and volatilities that prices of options imply, on the
 * market as read. They become numbers of the asset as if the file had them, so that quotes and
 * scenarios move these, and a spot that is set moves no volatility. What cannot be implied stays,
 * to be refused when it is resolved. */
#include "engine/problem/quote_list.h"

static void implied_take_yield(levy_check *quiet, levy_variant_value *yield,
                               const levy_asset *implied)
{
    levy_raw_curve *const terms = yield->value;
    const levy_list *const forwards = &terms->forwards;
    levy_time_value *const nodes = levy_check_allocate(quiet, forwards->count, sizeof *nodes);
    if (!nodes) return;
    for (size_t i = 0; i < forwards->count; ++i) {
        nodes[i] = ((const levy_time_value *)forwards->items)[i];
        nodes[i].value = levy_factors[LEVY_SHIFT_YIELD].read(implied, i);
    }
    terms->nodes = (levy_list){.node = forwards->node, .items = nodes, .count = forwards->count};
    yield->kind = LEVY_RAW_CURVE_ZERO;
}

static void implied_take_volatility(levy_check *quiet, levy_variant_value *volatility,
                                    const levy_volatility *implied)
{
    levy_raw_volatility *const v = volatility->value;
    const levy_raw_option_price *const prices = v->quotes.items;
    levy_time_value *const nodes = levy_check_allocate(quiet, v->quotes.count, sizeof *nodes);
    if (!nodes) return;
    for (size_t i = 0; i < v->quotes.count; ++i)
        nodes[i] = (levy_time_value){.time = prices[i].expiry,
                                     .value = levy_volatility_level(implied, i),
                                     .node = levy_check_at(prices[i].node, "price")};
    v->value = nodes[0].value;
    v->nodes = (levy_list){.node = v->quotes.node, .items = nodes, .count = v->quotes.count};
    volatility->kind = v->quotes.count == 1 ? LEVY_RAW_VOLATILITY_FLAT : LEVY_RAW_VOLATILITY_TERM;
}

static bool implied_yield(const levy_raw_asset *raw)
{
    return raw->dividend_yield.kind == LEVY_RAW_YIELD_IMPLIED && raw->dividend_yield.value;
}

static bool implied_volatility(const levy_raw_asset *raw)
{
    return raw->volatility.kind == LEVY_RAW_VOLATILITY_IMPLIED && raw->volatility.value;
}

/* Makes the curves and the asset alone, and keeps what its forwards and its prices imply. */
static void implied_take(levy_check *quiet, const levy_market *market, size_t asset)
{
    const levy_market_item *const item = &market->asset_map.items[asset];
    levy_raw_asset *const raw = levy_factor_own(item->raw);
    levy_market alone;
    levy_market_init(&alone);
    for (size_t c = 0; c < market->curve_map.names.count; ++c) {
        const levy_market_item *const curve = &market->curve_map.items[c];
        levy_market_define(quiet, &alone.curve_map, market->curve_map.names.items[c], curve->node,
                           curve->path, curve->raw, curve->shared);
    }
    levy_market_define(quiet, &alone.asset_map, raw->name, item->node, item->path, raw,
                       item->shared);
    if (!quiet->out_of_memory) levy_market_resolve(quiet, &alone);
    if (quiet->out_of_memory || !alone.asset_map.items[0].good) return;
    if (implied_yield(raw)) implied_take_yield(quiet, &raw->dividend_yield, alone.assets);
    if (implied_volatility(raw))
        implied_take_volatility(quiet, &raw->volatility, &alone.assets->volatility);
}

void levy_quotes_imply(levy_quotes *q)
{
    const levy_market *const market = &q->collection.market;
    levy_fault_list faults;
    levy_fault_list_init(&faults, q->arena.memory);
    levy_check quiet = q->build;
    quiet.faults = &faults;
    for (size_t i = 0; i < market->asset_map.names.count && !quiet.out_of_memory; ++i) {
        const levy_market_item *const item = &market->asset_map.items[i];
        const levy_raw_asset *const raw = item->raw;
        if ((implied_yield(raw) || implied_volatility(raw)) &&
            !levy_check_refused(&q->build, item->path))
            implied_take(&quiet, market, i);
    }
    q->build.out_of_memory = q->build.out_of_memory || quiet.out_of_memory;
    levy_fault_list_release(&faults);
}
