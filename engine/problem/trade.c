/* trade.c: see trade.h. It finds a trade's money, size and dates; trade_terms.c finds what it
 * pays. */
#include "engine/problem/schedule.h"
#include "engine/problem/simulation.h"
#include "engine/problem/trade_form.h"

#include "kernels/lane/scalar.h"
#include "payoffs/defined.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <string.h>

const char *levy_trade_path(const levy_trade_frame *frame, const char *key)
{
    return levy_check_text(frame->build, "%s.%s", frame->path, key);
}

bool levy_trade_pays_fixed(const levy_trade_frame *frame)
{
    return levy_payoffs[frame->raw->payoff.kind]->is_fixed;
}

/* ---- Money ---- */

static bool trade_money(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const levy_asset *first = levy_trade_asset(trade, 0);
    const levy_node *node = levy_check_at(raw->node, "currency");
    const char *path = levy_trade_path(frame, "currency");
    trade->header.currency = raw->currency ? raw->currency : first->currency;
    if (raw->currency && !levy_market_currency(frame->build, raw->currency, node, path))
        return false;
    bool one = true;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        one = one && strcmp(levy_trade_asset(trade, i)->currency, trade->header.currency) == 0;
    if (!one && !raw->currency)
        return LEVY_REFUSE(frame->build, MISSING_KEY, raw->node, frame->path,
                           "Write the one that it pays, such as currency: USD.",
                           "the underlyings are quoted in different currencies: the trade needs "
                           "one in which it is paid");
    const char *const key = raw->quanto != 0 ? "quanto" : "conversion";
    const bool says = raw->conversion != 0 || raw->quanto != 0;
    if (one && says && !levy_trade_pays_fixed(frame))
        return LEVY_REFUSE(
            frame->build, INCONSISTENT, levy_check_at(raw->node, key), levy_trade_path(frame, key),
            "Remove it, or write the currency that is paid.",
            "all underlyings are quoted in %s, in which the trade is paid", trade->header.currency);
    if (raw->conversion != 0 && raw->quanto != 0)
        return LEVY_REFUSE(frame->build, INCONSISTENT, levy_check_at(raw->node, "quanto"),
                           levy_trade_path(frame, "quanto"), "Keep one of the two.",
                           "cannot be combined with conversion: composite");
    if (!one && !levy_trade_quanto(frame, trade)) return false;
    trade->discount_curve = levy_trade_curve(frame, trade->header.currency, "discount_curve");
    return trade->discount_curve != NULL;
}

double levy_trade_discount(const levy_trade *trade)
{
    return levy_exp(levy_curve_log_discount(trade->discount_curve, trade->claim.payment_time));
}

double levy_trade_scale(const levy_trade *trade)
{
    const levy_raw_trade *const raw = trade->from->raw;
    const double quantity = isnan(raw->quantity) ? 1.0 : raw->quantity;
    const double size = isnan(raw->notional) ? quantity : raw->notional;
    const double share = raw->share > 0 ? raw->share : 1;
    return (raw->position == 1 ? -size : size) * share;
}

static bool trade_size(const levy_trade_frame *frame, const levy_trade *named)
{
    const levy_raw_trade *raw = frame->raw;
    const levy_payoff_terms *terms = raw->payoff.value;
    const levy_node *const node = levy_check_at(raw->node, "notional");
    const bool notional = !isnan(raw->notional);
    if (notional && !isnan(raw->quantity))
        return LEVY_REFUSE(frame->build, INCONSISTENT, node, levy_trade_path(frame, "notional"),
                           "Keep one of the two.", "cannot be combined with quantity");
    const levy_payoff *payoff = levy_payoffs[raw->payoff.kind];
    const bool pure = terms->strike_type == LEVY_STRIKE_PERCENT ||
                      (payoff->is_return && payoff->is_return(terms)) ||
                      (payoff->pays_numbers && payoff->pays_numbers(terms));
    if (!notional || pure || (named && levy_trade_take_share(frame, named))) return true;
    return LEVY_REFUSE(
        frame->build, INCONSISTENT, node, levy_trade_path(frame, "notional"),
        "Write quantity, or strike_type: percent_of_initial with the strike as a fraction.",
        "a notional needs a payoff that is a pure number, but this payoff is "
        "in units of its underlying");
}

/* ---- Time ---- */

static bool trade_expiry(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_exercise *exercise = &frame->raw->exercise;
    const char *path = levy_trade_path(frame, "exercise.expiry");
    if (!levy_check_time(frame->build, &exercise->expiry, path, &trade->claim.expiry)) return false;
    trade->state = trade->claim.expiry <= 0 ? LEVY_TRADE_KNOWN : LEVY_TRADE_PRICED;
    if (trade->claim.expiry > -1e-9 && trade->claim.expiry <= 0)
        trade->claim.expiry = 0; /* today */
    return true;
}

static bool trade_lag(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *const raw = frame->raw;
    const levy_date *const expiry = frame->build->has_date ? &raw->exercise.expiry.date : NULL;
    const levy_lag lag = {.lag = raw->payment_lag,
                          .calendars = &raw->calendars,
                          .node = levy_check_at(raw->node, "payment_lag"),
                          .path = frame->path};
    return levy_lag_time(frame->build, frame->market, &lag, expiry, trade->claim.expiry,
                         &trade->claim.payment_time);
}

/* A payment of today is still to be made. A trade that has been paid is worth nothing, which is no
 * fault. */
static bool trade_paid(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const levy_node *date =
        raw->payment_date.node ? raw->payment_date.node : raw->exercise.expiry.node;
    const char *key = raw->payment_date.node ? "payment_date" : "exercise.expiry";
    if (trade->claim.payment_time >= 0) return true;
    trade->state = LEVY_TRADE_SETTLED;
    if (!(raw->share > 0) && !raw->exercise.exercised.node) /* no leg, and not said to be over */
        LEVY_WARN(frame->build, RANGE, date, levy_trade_path(frame, key),
                  "Remove trades that have expired and are paid, or check the date.",
                  "%s is before the valuation: the trade has been paid and is worth 0",
                  levy_check_shown(date));
    return false; /* without a fault */
}

static bool trade_payment(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    const bool lag = raw->payment_lag.unit != 0;
    const char *path = levy_trade_path(frame, "payment_date");
    trade->claim.payment_time = trade->claim.expiry;
    if (raw->payment_date.node && lag)
        return LEVY_REFUSE(frame->build, INCONSISTENT, raw->payment_date.node, path,
                           "Keep one of the two.", "cannot be combined with payment_lag");
    if (raw->calendars.node && !lag)
        return LEVY_REFUSE(
            frame->build, INCONSISTENT, raw->calendars.node, levy_trade_path(frame, "calendars"),
            "Remove it, or add payment_lag: 2D.", "is only allowed with payment_lag");
    if (lag) return trade_lag(frame, trade);
    if (!raw->payment_date.node) return true;
    if (!levy_check_time(frame->build, &raw->payment_date, path, &trade->claim.payment_time))
        return false;
    if (trade->claim.payment_time >= trade->claim.expiry) return true;
    return LEVY_REFUSE(frame->build, RANGE, raw->payment_date.node, path, "Pay at expiry or later.",
                       "%s is before expiry, %s", levy_check_shown(raw->payment_date.node),
                       levy_check_shown(raw->exercise.expiry.node));
}

/* ---- The whole ---- */

static bool trade_tags_are_texts(const levy_node *tags)
{
    bool good = !tags || tags->kind == LEVY_NODE_MAP;
    for (const levy_node *tag = tags ? tags->children : NULL; good && tag; tag = tag->next)
        good = tag->kind == LEVY_NODE_SCALAR;
    return good;
}

static bool trade_tags(const levy_trade_frame *frame)
{
    const levy_node *tags = frame->raw->tags;
    return trade_tags_are_texts(tags) ||
           LEVY_REFUSE(frame->build, TYPE, tags, levy_trade_path(frame, "tags"),
                       "Write tags: {desk: exotics, strategy: hedge}.", "must be a map of texts");
}

const levy_node *levy_trade_tags(const levy_trade *trade)
{
    const levy_node *const tags = trade->from->raw->tags;
    return trade_tags_are_texts(tags) ? tags : NULL;
}

/* Whether all levels that the payment depends on are past. Today's spot is not, since scenarios
 * move it. */
static bool trade_is_decided(const levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    if (trade->kind.scripted) return trade->kind.scripted->is_decided;
    return (trade->claim.past.n > 0 || trade->claim.past.given) &&
           trade->claim.observations.n == 0 && !trade->claim.observes_now &&
           !levy_trade_is_continuous(trade) && trade->kind.n_further == 0 &&
           !levy_payoff_reads_expiry(kind, trade->claim.terms);
}

uint32_t levy_trade_asks(const levy_problem *problem, const levy_trade *trade)
{
    return trade->measures ? trade->measures : problem->simulation.measures;
}

bool levy_trade_is_lognormal(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    return !levy_model_features(model->kind, model->terms) &&
           !levy_model_kinds[model->kind]->volatility;
}

bool levy_trade_is_paid_by_path(const levy_trade *trade)
{
    bool paid = false;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        paid = paid || levy_trade_asset(trade, u)->quanto.of;
    return paid && levy_model_kinds[trade->model->kind]->paid;
}

/* Whether the value needs no path, because nothing moves what is paid, or its mean is known. Rates
 * that differ by regime discount each path by itself, so that it does need paths. */
static bool trade_is_exact(const levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const uint32_t features = levy_model_features(trade->model->kind, NULL);
    const bool adds = trade->kind.aggregate == LEVY_AGGREGATE_NONE ||
                      trade->kind.aggregate == LEVY_AGGREGATE_BASKET;
    const bool mean = !(features & LEVY_MODEL_SCALES) && adds &&
                      (!levy_trade_pays_cash(trade) || levy_trade_adds_cash(trade));
    return trade->state != LEVY_TRADE_KNOWN &&
           !levy_model_discounts(trade->model->kind, trade->model->terms) &&
           (kind->is_fixed || (kind->is_forward && mean) || trade_is_decided(trade));
}

double levy_trade_deviation(const levy_trade *t, size_t u, double time)
{
    const levy_model_kind *const kind = levy_model_kinds[t->model->kind];
    const double own =
        kind->volatility ? kind->volatility(t->model->terms, t->underlyings[u]) : 0.0;
    if (own > 0.0) return own * levy_sqrt(time);
    return levy_sqrt(levy_asset_variance(levy_trade_asset(t, u), time));
}

static bool trade_fill(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_trade *raw = frame->raw;
    trade->kind.payoff = raw->payoff.kind;
    const levy_payoff *const kind = levy_payoffs[raw->payoff.kind];
    const bool defined = levy_terms_table(raw) != kind->table;
    trade->header.payoff = defined ? levy_defined_of(raw->payoff.table)->name : kind->kind;
    trade->claim.terms = raw->payoff.value;
    bool good = trade_tags(frame);
    if (raw->measures.count > 0)
        good &= levy_measures_build(frame->build, &raw->measures,
                                    levy_trade_path(frame, "measures"), &trade->measures);
    trade->model = levy_trade_model(frame);
    const bool named = trade->model && levy_trade_underlyings(frame, trade);
    good &= trade_size(frame, named ? trade : NULL);
    if (named) good &= levy_trade_check_measures(frame, trade);
    const bool timed = trade_expiry(frame, trade);
    good &= named && trade_money(frame, trade);
    const bool paid = timed && trade_payment(frame, trade) && trade_paid(frame, trade);
    good &= timed && paid;
    if (named && paid)
        good &= levy_trade_check_regimes(frame, trade) && levy_trade_check_days(frame, trade);
    const bool due =
        paid || (timed && trade->claim.expiry > 0); /* else it is settled or at fault */
    good &= named && due && levy_terms_build(frame, trade);
    good = good && levy_trade_check_cash(frame, trade);
    good = good && levy_trade_check_discounts(frame, trade) && levy_trade_exercise(frame, trade);
    if (!good) return false;
    if (trade->stage) return true;
    if (trade->early || trade_is_exact(trade)) {
        trade->state = LEVY_TRADE_EXACT;
        trade->integrates_as = LEVY_FORM_WRITTEN;
        levy_trade_take_form(trade, LEVY_FORM_WRITTEN);
        trade->unsmoothed = NULL;
    }
    return true;
}

void levy_trade_build(const levy_trade_frame *frame, levy_trade *trade)
{
    levy_trade_frame own = *frame;
    own.raw = levy_trade_exercised(frame);
    if ((!own.raw || !trade_fill(&own, trade)) && trade->state != LEVY_TRADE_SETTLED)
        trade->state = LEVY_TRADE_FAILED;
}
