/* quote_implied.c: volatilities that prices of options imply, on the market as read. They become
 * numbers of the asset as if the file had them, so that quotes and scenarios move these, and a spot
 * that is set moves no volatility. What cannot be implied stays, to be refused when it is
 * resolved. */
#include "engine/problem/quote_list.h"

/* Makes the curves and the asset alone, and keeps what its prices imply. */
static void implied_take(levy_check *quiet, const levy_market *market, size_t asset)
{
    const levy_market_item *const item = &market->asset_map.items[asset];
    levy_raw_asset *const raw = levy_factor_own(item->raw);
    levy_raw_volatility *const v = raw->volatility.value;
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
    levy_time_value *const nodes = levy_check_allocate(quiet, v->quotes.count, sizeof *nodes);
    if (quiet->out_of_memory || !alone.asset_map.items[0].good) return;
    const levy_raw_option_price *const prices = v->quotes.items;
    for (size_t i = 0; i < v->quotes.count; ++i)
        nodes[i] = (levy_time_value){.time = prices[i].expiry,
                                     .value = levy_volatility_level(&alone.assets->volatility, i),
                                     .node = levy_check_at(prices[i].node, "price")};
    v->value = nodes[0].value;
    v->nodes = (levy_list){.node = v->quotes.node, .items = nodes, .count = v->quotes.count};
    raw->volatility.kind =
        v->quotes.count == 1 ? LEVY_RAW_VOLATILITY_FLAT : LEVY_RAW_VOLATILITY_TERM;
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
        if (raw->volatility.kind == LEVY_RAW_VOLATILITY_IMPLIED && raw->volatility.value &&
            !levy_check_refused(&q->build, item->path))
            implied_take(&quiet, market, i);
    }
    q->build.out_of_memory = q->build.out_of_memory || quiet.out_of_memory;
    levy_fault_list_release(&faults);
}
