/* factor.c: see factor.h. */
#include "engine/market/factor.h"

#include <string.h>

/* Definitions are const for all who resolve them, but the quotes own the memory and may write. */
static void *factor_own(const void *raw)
{
    void *own;
    memcpy(&own, &raw, sizeof own);
    return own;
}

/* ---- Assets ---- */

static levy_written factor_spot_written(const void *raw)
{
    return (levy_written){.value = &((levy_raw_asset *)factor_own(raw))->spot};
}

static double factor_spot(const void *asset, size_t node)
{
    (void)node;
    return ((const levy_asset *)asset)->spot;
}

static levy_written factor_yield_written(const void *raw)
{
    return (levy_written){.value = &((levy_raw_asset *)factor_own(raw))->dividend_yield};
}

static double factor_yield(const void *asset, size_t node)
{
    (void)node;
    return ((const levy_asset *)asset)->carry.dividend_yield;
}

static levy_written factor_borrow_written(const void *raw)
{
    return (levy_written){.value = &((levy_raw_asset *)factor_own(raw))->borrow};
}

static double factor_borrow(const void *asset, size_t node)
{
    (void)node;
    return ((const levy_asset *)asset)->carry.borrow;
}

static levy_written factor_volatility_written(const void *raw)
{
    levy_raw_asset *const asset = factor_own(raw);
    levy_raw_volatility *const v = asset->volatility.kind < 0 ? NULL : asset->volatility.value;
    if (!v) return (levy_written){0};
    levy_written written = {.moved = &asset->moved_volatility};
    if (asset->volatility.kind == LEVY_RAW_VOLATILITY_FLAT)
        written.value = &v->value;
    else
        written.nodes = &v->nodes;
    return written;
}

static levy_nodes factor_volatility_nodes(const void *asset)
{
    return levy_volatility_nodes(&((const levy_asset *)asset)->volatility);
}

static double factor_volatility(const void *asset, size_t node)
{
    return levy_volatility_level(&((const levy_asset *)asset)->volatility, node);
}

/* ---- Curves ---- */

static levy_written factor_rate_written(const void *raw)
{
    const levy_variant_value *const variant = raw;
    levy_raw_curve *const curve = variant->kind < 0 ? NULL : variant->value;
    if (!curve) return (levy_written){0};
    if (variant->kind == LEVY_RAW_CURVE_FLAT) return (levy_written){.value = &curve->rate};
    return (levy_written){.nodes = &curve->nodes,
                          .discounts = variant->kind == LEVY_RAW_CURVE_DISCOUNT};
}

static levy_nodes factor_rate_nodes(const void *curve) { return levy_curve_nodes(curve); }

static double factor_rate(const void *curve, size_t node) { return levy_curve_rate(curve, node); }

/* ---- All of them ---- */

#define FACTOR(symbol, name, owner, low, high, bounds, written, nodes, read)                       \
    [LEVY_SHIFT_##symbol] = {name, LEVY_FACTOR_##owner, low, high, bounds, written, nodes, read},
const levy_factor levy_factors[LEVY_SHIFT_COUNT] = {
#include "engine/market/factors.def"
};
#undef FACTOR

#define FACTOR_OF_ASSET(name) ", NAME." name
#define FACTOR_OF_CURVE(name) ", CURVE." name
#define FACTOR_OF_PAIR(name)
#define FACTOR(symbol, name, owner, ...) FACTOR_OF_##owner(name)
static const char factor_list[] =
#include "engine/market/factors.def"
    ;
#undef FACTOR
const char *const levy_factor_list = factor_list + 2;

size_t levy_factor_find(const char *name, size_t length)
{
    size_t f = 0;
    while (f < LEVY_SHIFT_COUNT && (strlen(levy_factors[f].name) != length ||
                                    memcmp(levy_factors[f].name, name, length) != 0))
        ++f;
    return f;
}

size_t levy_factor_names(levy_factor_owner owner, const char *names[LEVY_SHIFT_COUNT + 1])
{
    size_t n = 0;
    for (size_t f = 0; f < LEVY_SHIFT_COUNT; ++f)
        if (levy_factors[f].owner == owner) names[n++] = levy_factors[f].name;
    names[n] = NULL;
    return n;
}

bool levy_factor_allows(const levy_factor *factor, double value)
{
    return (value > factor->low || (value == factor->low && value != 0.0)) && value <= factor->high;
}

const char *levy_shift_objection(const levy_shift *shift, const void *owner)
{
    const levy_factor *const factor = &levy_factors[shift->factor];
    const levy_nodes nodes = factor->nodes ? factor->nodes(owner) : (levy_nodes){1, NULL};
    double before = 0.0;
    if (nodes.n == 0 && shift->asset) return "the asset has no volatility";
    for (size_t k = 0; k < nodes.n; ++k) {
        const double value = levy_shift_moves(shift, k, factor->read(owner, k));
        if (!levy_factor_allows(factor, value)) return factor->bounds;
        if (shift->factor != LEVY_SHIFT_VOLATILITY) continue;
        const double variance = value * value * nodes.times[k];
        if (variance < before * (1.0 - 1e-12))
            return "total variance would decrease from one node to the next";
        before = variance;
    }
    return NULL;
}
