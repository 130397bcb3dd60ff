/* factor.c: see factor.h. */
#include "engine/market/factor.h"

#include "engine/market/parameter.h"

#include "kernels/lane/scalar.h"

#include <string.h>

/* Definitions are const for all who resolve them, but the quotes own the memory and may write. */
void *levy_factor_own(const void *raw)
{
    void *own;
    memcpy(&own, &raw, sizeof own);
    return own;
}

/* ---- Assets ---- */

static levy_written factor_spot_written(const void *raw)
{
    return (levy_written){.value = &((levy_raw_asset *)levy_factor_own(raw))->spot};
}

static double factor_spot(const void *asset, size_t node)
{
    (void)node;
    return ((const levy_asset *)asset)->spot;
}

static levy_written factor_volatility_written(const void *raw)
{
    levy_raw_asset *const asset = levy_factor_own(raw);
    levy_raw_volatility *const v = asset->volatility.kind < 0 ? NULL : asset->volatility.value;
    if (!v) return (levy_written){0};
    levy_written written = {.moved = &asset->moved_volatility};
    if (asset->volatility.kind == LEVY_RAW_VOLATILITY_FLAT)
        written.value = &v->value;
    else
        written.nodes[0] = &v->nodes;
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

/* Total variance must not fall. */
static const char *factor_volatility_falls(const levy_shift *shift, const void *asset)
{
    const levy_nodes nodes = factor_volatility_nodes(asset);
    double before = 0.0;
    for (size_t k = 0; k < nodes.n; ++k) {
        const double moved = levy_shift_moves(shift, k, factor_volatility(asset, k)),
                     variance = moved * moved * nodes.times[k];
        if (variance < before * (1.0 - 1e-12))
            return "total variance would decrease from one node to the next";
        before = variance;
    }
    return NULL;
}

static levy_written factor_dividends_written(const void *raw)
{
    levy_raw_dividends *const d = &((levy_raw_asset *)levy_factor_own(raw))->dividends;
    if (d->cash.count + d->proportional.count == 0) return (levy_written){0};
    return (levy_written){.nodes = {&d->cash, &d->proportional}, .together = LEVY_TOGETHER_SCALED};
}

static levy_nodes factor_dividends_nodes(const void *asset)
{
    return levy_carry_dates(&((const levy_asset *)asset)->carry);
}

static double factor_dividend(const void *asset, size_t node)
{
    bool proportional;
    return levy_carry_dividend(&((const levy_asset *)asset)->carry, node, &proportional);
}

static const char *factor_dividends_exceed(const levy_shift *shift, const void *owner)
{
    const levy_asset *const asset = owner;
    const levy_nodes dates = factor_dividends_nodes(owner);
    double value = 0.0;
    for (size_t k = 0; k < dates.n; ++k) {
        bool proportional;
        const double paid =
            levy_shift_moves(shift, k, levy_carry_dividend(&asset->carry, k, &proportional));
        if (proportional && paid >= 1.0) return "a proportional dividend must lie in (0, 1)";
        if (!proportional)
            value += paid * levy_exp(levy_curve_log_discount(asset->curve, dates.times[k]));
    }
    return value < asset->spot ? NULL : "the present value of the dividends must be below the spot";
}

/* ---- Curves, and yields, which are the same ---- */

static levy_written factor_rate_written(const void *raw)
{
    const levy_variant_value *const variant = raw;
    levy_raw_curve *const curve = variant->kind < 0 ? NULL : variant->value;
    if (!curve) return (levy_written){0};
    if (variant->kind == LEVY_RAW_CURVE_PAR)
        return (levy_written){.nodes = {&curve->deposits, &curve->swaps}};
    if (!curve->nodes.node) return (levy_written){.value = &curve->rate};
    return (levy_written){.nodes = {&curve->nodes},
                          .together = variant->kind == LEVY_RAW_CURVE_DISCOUNT
                                          ? LEVY_TOGETHER_DISCOUNTED
                                          : LEVY_TOGETHER_ADDED};
}

static levy_nodes factor_rate_nodes(const void *curve) { return levy_curve_nodes(curve); }

static double factor_rate(const void *curve, size_t node) { return levy_curve_rate(curve, node); }

#define FACTOR_YIELD(name)                                                                         \
    static levy_written factor_##name##_written(const void *raw)                                   \
    {                                                                                              \
        return factor_rate_written(&((const levy_raw_asset *)raw)->name);                          \
    }                                                                                              \
    static levy_nodes factor_##name##_nodes(const void *asset)                                     \
    {                                                                                              \
        return factor_yield_nodes(&((const levy_asset *)asset)->carry.name);                       \
    }                                                                                              \
    static double factor_##name(const void *asset, size_t node)                                    \
    {                                                                                              \
        return levy_curve_rate(&((const levy_asset *)asset)->carry.name, node);                    \
    }

/* One number for all times, or by term. */
static levy_nodes factor_yield_nodes(const levy_curve *yield)
{
    return yield->n <= 1 ? (levy_nodes){1, NULL} : levy_curve_nodes(yield);
}

FACTOR_YIELD(dividend_yield)
FACTOR_YIELD(borrow)

/* ---- All of them ---- */

#define FACTOR(symbol, name, owner, low, high, bounds, written, none, nodes, read, also)           \
    [LEVY_SHIFT_##symbol] = {                                                                      \
        name, LEVY_FACTOR_##owner, low, high, bounds, written, none, nodes, read, also},
const levy_factor levy_factors[LEVY_SHIFT_COUNT] = {
#include "engine/market/factors.def"
};
#undef FACTOR

#define FACTOR_OF_ASSET(name) ", NAME." name
#define FACTOR_OF_CURVE(name) ", CURVE." name
#define FACTOR_OF_MODEL(name)
#define FACTOR_OF_PARAMETER(name)
#define FACTOR_OF_PAIR(name) ", NAME,NAME." name
#define FACTOR_OF_TIME(name) " and " name
#define FACTOR(symbol, name, owner, ...) FACTOR_OF_##owner(name)
#define LEVY_PARAMETER(name) ", NAME." #name
static const char factor_list[] =
#include "engine/market/factors.def"
    ;
#undef FACTOR_OF_MODEL
#undef FACTOR_OF_TIME
#define FACTOR_OF_MODEL(name) ", MODEL." name
#define FACTOR_OF_TIME(name)
#define LEVY_PARAMETER(name) ", NAME." #name
static const char factor_quotes[] =
#include "engine/market/factors.def"
    ;
#undef FACTOR
const char *const levy_factor_list = factor_list + 2;
const char *const levy_quote_list = factor_quotes + 2;

/* A number behind one owner's name; LEVY_SHIFT_COUNT: there is no such name. */
static size_t factor_find(const char *name, size_t length)
{
    size_t f = 0;
    while (f < LEVY_SHIFT_COUNT &&
           (levy_factors[f].owner >= LEVY_FACTOR_PAIR || strlen(levy_factors[f].name) != length ||
            memcmp(levy_factors[f].name, name, length) != 0))
        ++f;
    return f < LEVY_SHIFT_COUNT || !levy_parameter_find(name, length) ? f : LEVY_SHIFT_PARAMETER;
}

bool levy_factor_read(const char *text, size_t length, levy_factor_name *name)
{
    const char *const bracket = memchr(text, '[', length);
    const bool node = bracket && text[length - 1] == ']';
    const size_t end = node ? (size_t)(bracket - text) : length;
    size_t dot = end; /* behind the last; a node may have one, too */
    while (dot > 0 && text[dot - 1] != '.') --dot;
    const size_t factor =
        dot > 0 && dot < end ? factor_find(text + dot, end - dot) : LEVY_SHIFT_COUNT;
    if (factor == LEVY_SHIFT_COUNT) return false;
    *name = (levy_factor_name){.owner = text, .n = (int)dot - 1, .factor = (int32_t)factor};
    if (factor == LEVY_SHIFT_PARAMETER)
        name->parameter = levy_parameter_find(text + dot, end - dot);
    if (!node) return true;
    name->node = bracket + 1;
    name->m = (int)(length - end) - 2;
    return true;
}

void levy_factor_names(const char *names[LEVY_SHIFT_COUNT + 1])
{
    size_t n = 0;
    for (size_t f = 0; f < LEVY_SHIFT_COUNT; ++f)
        if (levy_factors[f].owner < LEVY_FACTOR_MODEL) names[n++] = levy_factors[f].name;
    names[n] = NULL;
}

bool levy_bounds_allow(double low, double high, bool open, double value)
{
    return (open ? value > low : value >= low) && value <= high;
}

/* Takes an ending off a name of that length. */
static bool factor_ends(const char *name, int *length, const char *ending)
{
    const int more = (int)strlen(ending);
    if (*length <= more || memcmp(name + *length - more, ending, (size_t)more) != 0) return false;
    *length -= more;
    return true;
}

const char *levy_pair_end(bool is_variance) { return is_variance ? ".variance" : ".spot"; }

static bool factor_one(levy_pair_one *one)
{
    one->is_variance = factor_ends(one->name, &one->n, ".variance");
    return one->is_variance || factor_ends(one->name, &one->n, ".spot");
}

bool levy_pair_read(const char *factor, levy_pair_name *pair)
{
    const char *const comma = strchr(factor, ',');
    if (!comma) return false;
    *pair = (levy_pair_name){{factor, (int)(comma - factor), false},
                             {comma + 1, (int)strlen(comma + 1), false}};
    if (factor_ends(pair->b.name, &pair->b.n, ".correlation")) return pair->a.n > 0;
    return factor_one(&pair->a) && factor_one(&pair->b);
}

levy_nodes levy_factor_nodes(const levy_factor *factor, const void *owner)
{
    return factor->nodes ? factor->nodes(owner) : (levy_nodes){1, NULL};
}

const char *levy_shift_objection(const levy_shift *shift, const void *owner)
{
    const levy_factor *const factor = &levy_factors[shift->factor];
    const levy_nodes nodes = levy_factor_nodes(factor, owner);
    if (nodes.n == 0) return shift->asset ? factor->none : NULL;
    for (size_t k = 0; k < nodes.n; ++k)
        if (!levy_bounds_allow(factor->low, factor->high, factor->low == 0.0,
                               levy_shift_moves(shift, k, factor->read(owner, k))))
            return factor->bounds;
    return factor->also ? factor->also(shift, owner) : NULL;
}
