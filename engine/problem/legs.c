/* legs.c: makes trades of the legs of a trade. A leg takes what it does not say from the trade. A
 * premium is a leg: the holder pays cash. See collect.h; whole.c puts the legs together. */
#include "engine/problem/collect.h"

#include <math.h>
#include <string.h>

static double legs_or(double number, double other) { return isnan(number) ? other : number; }

/* ---- What a trade with legs may not say ---- */

static bool legs_check_trade(levy_check *build, const levy_raw_trade *raw, const char *path)
{
    if (raw->legs.node && raw->payoff.value)
        return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, "payoff"),
                           levy_check_text(build, "%s.payoff", path),
                           "Write it as a leg: legs: [{payoff: ...}, ...].",
                           "cannot be combined with legs");
    if (isnan(raw->notional) || isnan(raw->quantity)) return true;
    return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, "notional"),
                       levy_check_text(build, "%s.notional", path), "Keep one of the two.",
                       "cannot be combined with quantity");
}

static bool legs_check_size(levy_check *build, const levy_raw_trade *raw, const levy_raw_trade *leg,
                            const char *path)
{
    if (isnan(leg->notional) || (isnan(raw->notional) && isnan(leg->quantity))) return true;
    return LEVY_REFUSE(
        build, INCONSISTENT, levy_check_at(leg->node, "notional"),
        levy_check_text(build, "%s.notional", path),
        isnan(raw->notional) ? "Keep one of the two."
                             : "Write quantity: the leg has so many times the trade's "
                               "notional.",
        "cannot be combined with %s", isnan(raw->notional) ? "quantity" : "the trade's notional");
}

/* ---- What a leg inherits ---- */

/* The place and the size of a leg in the trade. */
static void legs_inherit_size(const levy_raw_trade *raw, levy_raw_trade *leg)
{
    const bool nominal = !isnan(raw->notional);
    leg->position = leg->position == raw->position ? 0 : 1;
    leg->share = legs_or(nominal ? leg->quantity : raw->quantity, 1.0);
    if (nominal) {
        leg->notional = raw->notional;
        leg->quantity = NAN;
    }
}

/* A date of payment belongs to the exercise beside which it stands; a lag holds for any. */
static void legs_inherit_dates(const levy_raw_trade *raw, levy_raw_trade *leg)
{
    const bool paid = leg->payment_date.node || leg->payment_lag.unit;
    if (!leg->exercise.node) {
        leg->exercise = raw->exercise;
        if (!paid) leg->payment_date = raw->payment_date;
    }
    if (paid || leg->payment_date.node) return;
    leg->payment_lag = raw->payment_lag;
    if (!leg->calendars.node) leg->calendars = raw->calendars;
}

/* A leg in another currency has the curve of that one, and fixed amounts no underlying. */
static void legs_inherit(const levy_raw_trade *raw, levy_raw_trade *leg)
{
    const bool foreign =
        leg->currency && (!raw->currency || strcmp(leg->currency, raw->currency) != 0);
    const bool alone = foreign && leg->payoff.value && levy_payoffs[leg->payoff.kind]->is_fixed;
    if (!alone) leg->model = raw->model;
    if (!leg->currency) leg->currency = raw->currency;
    leg->conversion = raw->conversion;
    leg->quanto = raw->quanto;
    if (!leg->discount_curve) {
        if (!foreign) leg->discount_curve = raw->discount_curve;
        leg->collateral = raw->collateral;
    }
    if (!leg->underlying && !leg->underlyings.node && !alone) {
        leg->underlying = raw->underlying;
        leg->underlyings = raw->underlyings;
    }
    leg->book = raw->book;
    leg->counterparty = raw->counterparty;
    leg->netting_set = raw->netting_set;
    leg->tags = raw->tags;
    leg->measures = raw->measures;
}

/* ---- Legs ---- */

static bool legs_written(levy_check *build, const levy_raw_trade *raw, const char *path, size_t i,
                         levy_collected_trade *to)
{
    levy_raw_trade *const leg = levy_check_allocate(build, 1, sizeof *leg);
    if (!leg) return false;
    *leg = ((const levy_raw_trade *)raw->legs.items)[i];
    *to = (levy_collected_trade){.raw = leg,
                                 .node = leg->node,
                                 .path = levy_check_text(build, "%s.legs[%zu]", path, i),
                                 .good = true,
                                 .leg = i + 1};
    if (!legs_check_size(build, raw, leg, to->path)) return false;
    leg->id = leg->id ? levy_check_text(build, "%s/%s", raw->id, leg->id)
                      : levy_check_text(build, "%s/%zu", raw->id, i + 1);
    legs_inherit_size(raw, leg);
    legs_inherit_dates(raw, leg);
    legs_inherit(raw, leg);
    return true;
}

/* The payoff of a trade with a premium. */
static bool legs_payoff(levy_check *build, const levy_raw_trade *raw, const char *path,
                        levy_collected_trade *to)
{
    levy_raw_trade *const leg = levy_check_allocate(build, 1, sizeof *leg);
    if (!leg) return false;
    *leg = *raw;
    leg->id = levy_check_text(build, "%s/payoff", raw->id);
    leg->premium.node = NULL;
    leg->share = 1.0;
    *to =
        (levy_collected_trade){.raw = leg, .node = raw->node, .path = path, .good = true, .leg = 1};
    return true;
}

/* The holder of a long position pays the premium. */
static bool legs_premium(levy_check *build, const levy_raw_trade *raw, const char *path,
                         size_t number, levy_collected_trade *to)
{
    static const levy_node none = {.kind = LEVY_NODE_MAP, .text = ""};
    const levy_raw_premium *const premium = &raw->premium;
    const levy_table *const cash = levy_payoffs[levy_payoff_of_cash()]->table;
    levy_raw_trade *const leg = levy_check_allocate(build, 1, sizeof *leg);
    levy_payoff_terms *const terms = levy_check_allocate(build, 1, cash->size);
    const levy_reader reader = levy_build_reader(build);
    if (!leg || !terms || !levy_read_object(&reader, cash, &none, path, terms)) return false;
    terms->node = premium->node;
    *leg = (levy_raw_trade){
        .node = premium->node,
        .id = levy_check_text(build, "%s/premium", raw->id),
        .position = (premium->amount > 0) == (raw->position == 0) ? 1 : 0,
        .quantity = fabs(premium->amount),
        .notional = NAN,
        .currency = premium->currency,
        .payoff = {.node = premium->node, .kind = levy_payoff_of_cash(), .value = terms},
        .exercise = {.node = premium->node, .expiry = premium->date},
        .share = 1.0};
    legs_inherit(raw, leg);
    *to = (levy_collected_trade){.raw = leg,
                                 .node = premium->node,
                                 .path = levy_check_text(build, "%s.premium", path),
                                 .good = true,
                                 .leg = number};
    return true;
}

bool levy_collect_legs(levy_check *build, const levy_raw_trade *raw, const char *path,
                       levy_collected_trade **legs, size_t *n)
{
    *n = 0;
    if (!raw->legs.node && !raw->premium.node) return true;
    if (!legs_check_trade(build, raw, path)) return false;
    const size_t written = raw->legs.node ? raw->legs.count : 1;
    levy_collected_trade *const made = levy_check_allocate(build, written + 1, sizeof *made);
    if (!made) return false;
    bool good = raw->legs.node || legs_payoff(build, raw, path, &made[0]);
    for (size_t i = 0; raw->legs.node && i < written; ++i)
        good = legs_written(build, raw, path, i, &made[i]) && good;
    if (raw->premium.node)
        good = good && legs_premium(build, raw, path, written + 1, &made[written]);
    if (!good) return false;
    *legs = made;
    *n = written + (raw->premium.node != NULL);
    return true;
}
