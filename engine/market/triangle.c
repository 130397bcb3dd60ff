/* triangle.c: see triangle.h. With the logarithms x of the three rates and signs s by which they
 * close, s1 x1 + s2 x2 + s3 x3 = 0, so that spots add up, and the variance of x3 is that of
 * s1 x1 + s2 x2, and its covariance with any other asset that asset's with them. */
#include "engine/market/triangle.h"

#include <math.h>
#include <string.h>

static const double triangle_spot = 1e-3, triangle_volatility = 0.005, triangle_correlation = 0.05;

typedef struct triangle {
    levy_check *build;
    const levy_market *market;
    const levy_correlation_data *data;
    size_t at[3]; /* numbers in the market */
    double sign[3];
} triangle;

static const levy_asset *triangle_asset(const triangle *t, size_t k)
{
    return &t->market->assets[t->at[k]];
}

static const levy_raw_asset *triangle_raw(const triangle *t, size_t k)
{
    return t->market->asset_map.items[t->at[k]].raw;
}

/* How often the rates have a currency, with their signs: as what is bought, less as what is paid.
 */
static double triangle_net(const triangle *t, const char *currency)
{
    double net = 0.0;
    for (size_t k = 0; k < 3; ++k) {
        net += strcmp(triangle_raw(t, k)->base_currency, currency) == 0 ? t->sign[k] : 0.0;
        net -= strcmp(triangle_raw(t, k)->currency, currency) == 0 ? t->sign[k] : 0.0;
    }
    return net;
}

/* Finds the signs. False: the three rates are not of three currencies. */
static bool triangle_closes(triangle *t)
{
    for (int way = 0; way < 4; ++way) {
        bool closes = true;
        t->sign[0] = 1.0;
        t->sign[1] = way & 1 ? -1.0 : 1.0;
        t->sign[2] = way & 2 ? -1.0 : 1.0;
        for (size_t k = 0; k < 3; ++k)
            closes = closes && triangle_net(t, triangle_raw(t, k)->base_currency) == 0.0 &&
                     triangle_net(t, triangle_raw(t, k)->currency) == 0.0;
        if (closes) return true;
    }
    return false;
}

/* The covariance of the logarithms of assets a and b of the market until a time. False: their
 * correlation is not given, or one has no volatility. */
static bool triangle_covariance(const triangle *t, size_t a, size_t b, double until, double *sum)
{
    const levy_asset *const assets = t->market->assets;
    const levy_volatility *const x = &assets[a].volatility;
    const levy_volatility *const y = &assets[b].volatility;
    const levy_correlation_data *const data = t->data;
    size_t piece = 0;
    *sum = 0.0;
    if (levy_volatility_nodes(x).n == 0 || levy_volatility_nodes(y).n == 0) return false;
    for (double from = 0.0, to; from < until; from = to) {
        while (piece + 1 < data->n_pieces && data->times[piece] <= from) ++piece;
        const bool last = piece + 1 >= data->n_pieces;
        const double rho = a == b ? 1.0 : levy_correlation_given(data, piece, a, b);
        if (rho == LEVY_NO_CORRELATION) return false;
        to = last ? until : fmin(until, data->times[piece]);
        to = levy_volatility_break(y, from, levy_volatility_break(x, from, to));
        const double own = levy_volatility_between(x, from, to),
                     other = levy_volatility_between(y, from, to);
        *sum += rho * sqrt(own * other);
    }
    return true;
}

static void triangle_warn(const triangle *t, size_t k, const char *key, const char *what,
                          double value, double made, const char *within)
{
    const levy_market_item *const item = &t->market->asset_map.items[t->at[k]];
    LEVY_WARN(t->build, INCONSISTENT, levy_check_at(item->node, key),
              levy_check_text(t->build, "%s.%s", item->path, key),
              levy_check_text(t->build, "Correct one of the three rates: %s is allowed.", within),
              "%s is %s, but %s and %s make it %s", what, levy_check_rounded(t->build, value),
              triangle_asset(t, (k + 1) % 3)->name, triangle_asset(t, (k + 2) % 3)->name,
              levy_check_rounded(t->build, made));
}

static void triangle_check_spots(const triangle *t)
{
    double sum = 0.0;
    for (size_t k = 0; k < 3; ++k) sum += t->sign[k] * log(triangle_asset(t, k)->spot);
    const double spot = triangle_asset(t, 2)->spot;
    if (fabs(sum) > triangle_spot)
        triangle_warn(t, 2, "spot", "the spot", spot, spot * exp(-t->sign[2] * sum), "0.1 %");
}

/* Rate k's volatility until a time; false: it agrees, or it is not known what the others make. */
static bool triangle_check_volatility(const triangle *t, size_t k, double until)
{
    const size_t i = (k + 1) % 3, j = (k + 2) % 3;
    double own, first, second, both;
    if (!triangle_covariance(t, t->at[k], t->at[k], until, &own) ||
        !triangle_covariance(t, t->at[i], t->at[i], until, &first) ||
        !triangle_covariance(t, t->at[j], t->at[j], until, &second) ||
        !triangle_covariance(t, t->at[i], t->at[j], until, &both))
        return false;
    const double made = first + second + 2.0 * t->sign[i] * t->sign[j] * both;
    const double value = sqrt(own / until), other = sqrt(fmax(made, 0.0) / until);
    if (fabs(value - other) <= triangle_volatility) return false;
    const char *const what = levy_check_text(t->build, "the volatility up to year %s",
                                             levy_check_rounded(t->build, until));
    triangle_warn(t, k, "volatility", what, value, other, "0.005");
    return true;
}

/* Whether a rate's correlation with another asset does not agree. */
static bool triangle_check_correlation(const triangle *t, size_t asset, double until)
{
    const size_t k = 2;
    double own, theirs, given, parts[2];
    if (!triangle_covariance(t, asset, asset, until, &theirs) ||
        !triangle_covariance(t, t->at[k], t->at[k], until, &own) ||
        !triangle_covariance(t, asset, t->at[k], until, &given) ||
        !triangle_covariance(t, asset, t->at[0], until, &parts[0]) ||
        !triangle_covariance(t, asset, t->at[1], until, &parts[1]))
        return false;
    const double made = -t->sign[k] * (t->sign[0] * parts[0] + t->sign[1] * parts[1]),
                 scale = sqrt(own * theirs);
    if (fabs(given - made) <= triangle_correlation * scale) return false;
    LEVY_WARN(t->build, INCONSISTENT, t->data->node, t->data->path,
              "Correct one of the three correlations: 0.05 is allowed.",
              "the correlation of %s and %s is %s, but those with %s and %s make it %s",
              t->market->assets[asset].name, triangle_asset(t, k)->name,
              levy_check_rounded(t->build, given / scale), triangle_asset(t, 0)->name,
              triangle_asset(t, 1)->name, levy_check_rounded(t->build, made / scale));
    return true;
}

/* At each node of a rate, one warning of a kind. */
static void triangle_check(const triangle *t)
{
    bool moved = false, apart = false;
    triangle_check_spots(t);
    if (!t->data->good || t->data->n == 0) return;
    for (size_t k = 3; k-- > 0;) {
        const levy_nodes nodes = levy_volatility_nodes(&triangle_asset(t, k)->volatility);
        for (size_t i = 0; i < nodes.n; ++i) {
            const double until = nodes.n > 1 ? nodes.times[i] : 1.0;
            moved = moved || triangle_check_volatility(t, k, until);
            for (size_t a = 0; a < t->market->asset_map.names.count; ++a)
                if (a != t->at[0] && a != t->at[1] && a != t->at[2])
                    apart = apart || triangle_check_correlation(t, a, until);
        }
    }
}

/* The terms of asset i, if it is an exchange rate. */
static const levy_raw_asset *triangle_rate(const levy_market *market, size_t i)
{
    const levy_market_item *const item = &market->asset_map.items[i];
    const levy_raw_asset *const raw = item->raw;
    return item->good && raw->base_currency ? raw : NULL;
}

/* Whether a rate is of these two currencies. */
static bool triangle_is_of(const levy_raw_asset *rate, const char *one, const char *other)
{
    return (strcmp(rate->currency, one) == 0 && strcmp(rate->base_currency, other) == 0) ||
           (strcmp(rate->currency, other) == 0 && strcmp(rate->base_currency, one) == 0);
}

/* The currencies of two rates that share one but not both, without that. */
static bool triangle_ends(const levy_raw_asset *a, const levy_raw_asset *b, const char *ends[2])
{
    const char *const of_a[] = {a->currency, a->base_currency};
    const char *const of_b[] = {b->currency, b->base_currency};
    for (int i = 0; i < 4; ++i) {
        if (strcmp(of_a[i / 2], of_b[i % 2]) != 0) continue;
        ends[0] = of_a[1 - i / 2];
        ends[1] = of_b[1 - i % 2];
        return strcmp(ends[0], ends[1]) != 0;
    }
    return false;
}

/* The triangles of two rates. */
static void triangle_check_pair(triangle *t, const char *const ends[2])
{
    const levy_market_item *const items = t->market->asset_map.items;
    const bool used = items[t->at[0]].used || items[t->at[1]].used;
    for (size_t k = t->at[1] + 1; k < t->market->asset_map.names.count; ++k) {
        const levy_raw_asset *const rate =
            used || items[k].used ? triangle_rate(t->market, k) : NULL;
        if (!rate || !triangle_is_of(rate, ends[0], ends[1])) continue;
        t->at[2] = k;
        if (triangle_closes(t)) triangle_check(t);
    }
}

void levy_market_check_triangles(levy_check *build, const levy_market *market,
                                 const levy_correlation_data *data)
{
    const size_t n = market->asset_map.names.count;
    const char *ends[2];
    for (size_t i = 0; i < n; ++i) {
        const levy_raw_asset *const first = triangle_rate(market, i);
        for (size_t j = i + 1; first && j < n; ++j) {
            const levy_raw_asset *const second = triangle_rate(market, j);
            triangle t = {.build = build, .market = market, .data = data, .at = {i, j}};
            if (second && triangle_ends(first, second, ends)) triangle_check_pair(&t, ends);
        }
    }
}
