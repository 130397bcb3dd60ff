/* respell_trade.c: of a trade, what its payoff's map has, or another key of its own: see respell.h.
 */
#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/respell.h"
#include "engine/schema/respell_node.h"
#include "engine/schema/synonyms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char trade_expiries[] =
    "expiry maturity expiration expiry_date maturity_date exercise_date expiration_date";
static const char trade_weights[] = "weights quantities basket_weights asset_weights";

bool levy_respell_trade_takes(const char *key)
{
    return levy_word_among(trade_expiries, key) || levy_word_among(trade_weights, key);
}

/* ---- Expiry ---- */

static bool trade_is_time(const levy_node *node)
{
    levy_date date;
    double years;
    return node->kind == LEVY_NODE_SCALAR &&
           (levy_date_read(node->text, node->length, &date) ||
            levy_number_read(node->text, node->length, &years) == LEVY_NUMBER_OK);
}

static bool trade_is_kind(const levy_node *payoff, const char *kinds)
{
    const levy_node *const kind = levy_node_find(payoff, "kind");
    return kind && kind->kind == LEVY_NODE_SCALAR && levy_word_among(kinds, kind->text);
}

/* The last of a list of dates; NULL: it is none. */
static const levy_node *trade_last_date(const levy_node *list)
{
    const levy_node *last = NULL;
    levy_date date;
    if (list->kind == LEVY_NODE_MAP) list = levy_node_find(list, "times");
    if (!list || list->kind != LEVY_NODE_LIST) return NULL;
    for (const levy_node *item = list->children; item; item = item->next) {
        if (item->kind != LEVY_NODE_SCALAR || !levy_date_read(item->text, item->length, &date))
            return NULL;
        if (!last || strcmp(item->text, last->text) > 0) last = item;
    }
    return last;
}

/* Kinds whose dates are payments or averages: those of a barrier say when it is watched, and not
 * when its option ends. */
static const char trade_dated[] = "asian asian_basket autocall autocallable phoenix snowball "
                                  "digital_coupon digital_coupon_note coupon cash cliquet himalaya "
                                  "variance_swap varswap volatility_swap volswap gamma_swap";
static const char trade_watched[] = "knock_in monitoring_dates";

/* A trade that says its dates one by one ends with the last of them. */
static void trade_end(respelling *r, const levy_node *payoff)
{
    const levy_node *last = NULL;
    if (!trade_is_kind(payoff, trade_dated)) return;
    for (const levy_node *child = payoff->children; child; child = child->next) {
        const bool watched = levy_word_among(trade_watched, child->key->text);
        const levy_node *const date = watched ? NULL : trade_last_date(child);
        if (date && (!last || strcmp(date->text, last->text) > 0)) last = date;
    }
    if (!last) return;
    levy_respell_put(r, levy_respell_pair(r, payoff, "exercise", last));
    r->changed = true;
}

/* ---- Weights ---- */

/* Whether the payoff is on a weighted sum of its underlyings: a weight of a worst one scales it. */
static bool trade_is_sum(const levy_node *payoff)
{
    const levy_node *const of = levy_node_find(payoff, "aggregate");
    return trade_is_kind(payoff, "basket spread exchange asian_basket basket_asian") ||
           (of && of->kind == LEVY_NODE_SCALAR &&
            levy_word_among("basket geometric_basket", of->text));
}

/* The number of a weight, 0.4 or 40%, as it is written or in `text`; NULL: it is none. */
static const char *trade_weight(const levy_node *node, char text[LEVY_NUMBER_SIZE], double *value)
{
    if (node->kind != LEVY_NODE_SCALAR) return NULL;
    const char *const number = levy_example_percent(node, text) ? text : node->text;
    return levy_number_read(number, strlen(number), value) == LEVY_NUMBER_OK ? number : NULL;
}

/* Positive numbers, one for each name of the underlyings. A sum of 100 may be of percentages. */
static bool trade_are_weights(const levy_node *payoff, const levy_node *weights,
                              const levy_node *names)
{
    /* The second underlying is taken off: the sign of its weight says so again. */
    const bool differs = trade_is_kind(payoff, "spread exchange");
    char text[LEVY_NUMBER_SIZE];
    double value, sum = 0.0;
    if (!names || names->kind != LEVY_NODE_LIST || weights->kind != LEVY_NODE_LIST) return false;
    if (names->count != weights->count) return false;
    for (const levy_node *name = names->children; name; name = name->next)
        if (name->kind != LEVY_NODE_SCALAR) return false;
    for (const levy_node *w = weights->children; w; w = w->next)
        if (!trade_weight(w, text, &value) ||
            (!(value > 0.0) && !(differs && w != weights->children && value < 0.0)))
            return false;
        else
            sum += value;
    return fabs(sum - 100.0) > 1e-9;
}

static const levy_node *trade_find_weights(const levy_node *map)
{
    for (const levy_node *child = map && map->kind == LEVY_NODE_MAP ? map->children : NULL; child;
         child = child->next)
        if (levy_word_among(trade_weights, child->key->text)) return child;
    return NULL;
}

/* [{name: A, weight: 0.5}, ...] */
static levy_node *trade_weighed(respelling *r, const levy_node *names, const levy_node *weights)
{
    char text[LEVY_NUMBER_SIZE];
    double value;
    levy_node *first = NULL, *last = NULL;
    const levy_node *weight = weights->children;
    for (const levy_node *name = names->children; name; name = name->next, weight = weight->next) {
        const char *const number = trade_weight(weight, text, &value);
        if (!number) return NULL;
        levy_node *const a = levy_respell_node(r, name); /* a difference's weight has a sign */
        levy_node *const b = levy_respell_scalar(r, weight, number + (*number == '-'));
        if (!a || !b) return NULL;
        a->key = levy_respell_scalar(r, name, "name");
        b->key = levy_respell_scalar(r, weight, "weight");
        a->next = b;
        levy_node *const item = levy_respell_map(r, name, a, 2);
        if (!item || !a->key || !b->key) return NULL;
        if (last) last->next = item;
        if (!first) first = item;
        last = item;
    }
    levy_node *const list = levy_respell_node(r, names);
    if (list) list->children = first;
    return list;
}

/* ---- Bonds ---- */

static const char trade_bonds[] = "bond coupon_bond fixed_rate_bond";

/* The same day of years that follow each other: what a year pays, each date pays. */
static bool trade_is_yearly(const levy_node *list)
{
    levy_date date;
    long before = 0;
    if (list->kind != LEVY_NODE_LIST || list->count < 2) return false;
    for (const levy_node *item = list->children; item; item = item->next) {
        if (item->kind != LEVY_NODE_SCALAR || !levy_date_read(item->text, item->length, &date))
            return false;
        const long year = strtol(item->text, NULL, 10);
        if (item != list->children &&
            (year != before + 1 || strcmp(item->text + 4, list->children->text + 4) != 0))
            return false;
        before = year;
    }
    return true;
}

/* {payoff: {kind: NAME, ...}}, with the children behind the kind. */
static levy_node *trade_leg(respelling *r, const levy_node *payoff, const char *name,
                            levy_node *others, uint32_t n)
{
    const levy_node *const kind = levy_node_find(payoff, "kind");
    levy_node *const own = levy_respell_scalar(r, kind, name);
    levy_node *const map = own ? levy_respell_map(r, payoff, own, 1 + n) : NULL;
    if (!map) return NULL;
    own->key = kind->key;
    own->next = others;
    return levy_respell_map(r, payoff, map, 1);
}

/* legs: redemption and coupons; NULL: the words leave something open. */
static levy_node *trade_bond(respelling *r, const levy_node *payoff)
{
    char text[LEVY_NUMBER_SIZE];
    const levy_node *coupon = NULL, *dates = NULL;
    if (!trade_is_kind(payoff, trade_bonds) || payoff->count != 3) return NULL;
    for (const levy_node *child = payoff->children; child; child = child->next) {
        if (levy_word_among("coupon coupon_rate", child->key->text)) coupon = child;
        if (levy_word_among("coupon_dates payment_dates", child->key->text)) dates = child;
    }
    if (!coupon || coupon->kind != LEVY_NODE_SCALAR || !dates || !trade_is_yearly(dates))
        return NULL;
    const bool share = levy_example_percent(coupon, text);
    levy_node *const amount = levy_respell_scalar(r, coupon, share ? text : coupon->text),
                     *const list = levy_respell_pair(r, dates, "coupons", dates);
    if (!amount || !list) return NULL;
    amount->key = levy_respell_scalar(r, coupon->key, "amount");
    list->next = amount;
    levy_node *const first = trade_leg(r, payoff, "cash", NULL, 0);
    if (!first || !(first->next = trade_leg(r, payoff, "coupon", list, 2))) return NULL;
    levy_node *const legs = levy_respell_map(r, payoff, first, 2);
    if (!legs || !(legs->key = levy_respell_scalar(r, payoff->key, "legs"))) return NULL;
    legs->kind = LEVY_NODE_LIST;
    r->changed = true;
    return legs;
}

/* ---- The whole ---- */

/* The payoff without its weights. */
static levy_node *trade_without(respelling *r, const levy_node *payoff, const levy_node *weights)
{
    respelling inner = {.reader = r->reader, .map = payoff, .changed = true};
    for (const levy_node *child = payoff->children; child; child = child->next)
        if (child != weights) levy_respell_put(&inner, levy_respell_node(&inner, child));
    r->failed = r->failed || inner.failed;
    levy_node *const copy = levy_respell_map(r, payoff, inner.first, inner.count);
    return copy;
}

static bool trade_is_plain(const levy_node *map)
{
    bool ends = false;
    for (const levy_node *child = map->children; child; child = child->next) {
        const char *const key = child->key->text;
        ends = ends || strcmp(key, "exercise") == 0 || strcmp(key, "legs") == 0;
        if (levy_word_among(trade_expiries, key) || levy_word_among(trade_weights, key))
            return false;
    }
    const levy_node *const payoff = levy_node_find(map, "payoff");
    return ends && !trade_find_weights(payoff) && !trade_is_kind(payoff, trade_bonds);
}

const levy_node *levy_respell_trade(const levy_reader *reader, const levy_node *map)
{
    respelling r = {.reader = reader, .map = map};
    if (map->kind != LEVY_NODE_MAP || trade_is_plain(map)) return map;
    const levy_node *const payoff = levy_node_find(map, "payoff");
    const levy_node *const names = levy_node_find(map, "underlyings");
    const levy_node *weights = trade_find_weights(map);
    const bool own = weights != NULL;
    levy_node *legs;
    if (!weights) weights = trade_find_weights(payoff);
    if (weights && (!payoff || !trade_is_sum(payoff) || !trade_are_weights(payoff, weights, names)))
        weights = NULL;
    bool ends = levy_node_find(map, "exercise") || levy_node_find(map, "legs");
    for (const levy_node *child = map->children; child && !r.failed; child = child->next) {
        const bool expiry = levy_word_among(trade_expiries, child->key->text);
        if (weights && child == weights) continue;
        if (expiry && !ends && trade_is_time(child)) {
            levy_respell_put(&r, levy_respell_pair(&r, child, "exercise", child));
            r.changed = ends = true;
        } else if (weights && child == names) {
            levy_respell_put(&r, trade_weighed(&r, names, weights));
            r.changed = true;
        } else if (child == payoff && !levy_node_find(map, "legs") &&
                   (legs = trade_bond(&r, payoff)) != NULL) {
            levy_respell_put(&r, legs);
        } else if (weights && !own && child == payoff) {
            levy_respell_put(&r, trade_without(&r, payoff, weights));
        } else {
            levy_respell_put(&r, levy_respell_node(&r, child));
        }
    }
    if (!ends) trade_end(&r, payoff);
    return levy_respell_made(&r);
}
