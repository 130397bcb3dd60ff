/* observe_continuous.c: windows of continuous monitoring, and the nodes at which they must stop:
 * between two of them volatility, drift and discounting are constant. Where the variance differs
 * from path to path, a plan adds the model's own steps (levy_trade_observes). See observe.h. */
#include "engine/problem/observe.h"

#include "engine/base/order.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"

#include <stdlib.h>

/* The window's start and end; false with a fault. */
static bool continuous_window(const levy_trade_frame *frame, const levy_trade *trade, double *start,
                              double *end)
{
    const levy_window_terms *window = &levy_observe_watch(trade)->window;
    *start = 0;
    *end = trade->claim.expiry;
    const char *first = levy_observe_path(frame, trade, "window.start"),
               *last = levy_observe_path(frame, trade, "window.end");
    if (window->start.node && !levy_check_time(frame->build, &window->start, first, start))
        return false;
    if (window->end.node && !levy_check_time(frame->build, &window->end, last, end)) return false;
    if (*end > trade->claim.expiry)
        return LEVY_REFUSE(
            frame->build, RANGE, window->end.node, last, "End the window at or before expiry.",
            "the window ends at %s, after expiry, %s", levy_check_shown(window->end.node),
            levy_check_shown(frame->raw->exercise.expiry.node));
    if (*end <= 0 && trade->state != LEVY_TRADE_KNOWN && !trade->claim.past.given)
        return LEVY_REFUSE(frame->build, RANGE, window->end.node, last,
                           levy_trade_barrier(trade)
                               ? "Say what it has seen: state: {touched: true} in the payoff, or "
                                 "{touched: false}."
                               : "After a window without a touch, a knock-out is a plain option, "
                                 "and a knock-in is worthless.",
                           "the window ends at %s, not after the valuation",
                           levy_check_shown(window->end.node));
    if (window->start.node && *start == *end)
        return LEVY_REFUSE(
            frame->build, RANGE, window->start.node, first,
            "End the window later, or watch one time by monitoring: discrete, with observations.",
            "the window starts and ends at %s: continuous monitoring needs time between the two",
            levy_check_shown(window->start.node));
    if (window->start.node && *start >= *end)
        return LEVY_REFUSE(
            frame->build, RANGE, window->start.node, first, "Start the window before its end.",
            "the window starts at %s and ends at %s", levy_check_shown(window->start.node),
            window->end.node ? levy_check_shown(window->end.node) : "expiry");
    if (*start < 0) *start = 0;
    return true;
}

/* Dates do not approximate continuous monitoring: a touch between them does not count. */
static const char continuous_on_dates[] =
    "Write monitoring: discrete, with observations. That is another contract, and not near this "
    "one: on dates a knock-out is worth more, a knock-in and a lookback less.";
static const char continuous_without_dates[] =
    "Write observations, if it is watched on dates: without them it is watched at all times.";

static bool continuous_refuse(const levy_trade_frame *frame, const levy_trade *trade,
                              const levy_curve *curve)
{
    const levy_node *node = levy_check_at(levy_observe_block(frame, trade), "monitoring");
    const char *path = levy_observe_path(frame, trade, "monitoring");
    const bool said = levy_observe_watch(trade)->monitoring >= 0;
    const char *const hint = said ? continuous_on_dates : continuous_without_dates;
    if (trade->n_underlyings > 1 || trade->kind.aggregate != LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, node, path, hint,
                           "continuous monitoring is supported for one underlying only");
    const levy_model *const model = trade->model;
    const uint32_t features = levy_model_features(model->kind, model->terms);
    if (features & (LEVY_MODEL_JUMPS | LEVY_MODEL_RANDOM) && !levy_model_kinds[model->kind]->varies)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, node, path, hint,
                           "continuous monitoring needs a diffusion model, but the model '%s' %s",
                           model->name,
                           features & LEVY_MODEL_JUMPS ? "has jumps" : "has stochastic volatility");
    if (!levy_curve_bends(curve)) return true;
    return LEVY_REFUSE(
        frame->build, UNSUPPORTED, node, path,
        levy_check_text(frame->build, "Write interpolation: log_linear_discount in the curve '%s'.",
                        curve->name),
        "continuous monitoring needs forward rates that are constant between the curve's nodes");
}

typedef struct continuous_nodes {
    double *times, start, end;
    size_t n;
} continuous_nodes;

static void continuous_add_nodes(continuous_nodes *nodes, levy_nodes more)
{
    for (size_t i = 0; i < more.n; ++i)
        if (more.times[i] > nodes->start && more.times[i] < nodes->end)
            nodes->times[nodes->n++] = more.times[i];
}

/* The number of pieces that (from, to] is cut into. If two barriers were too close for the
 * deviation of a piece, the images would not converge in time. */
static size_t continuous_pieces(const levy_trade *trade, const levy_asset *asset, double from,
                                double to)
{
    enum { MOST_PIECES = 4096 };
    const levy_barrier_terms *const barrier = levy_trade_barrier(trade);
    if (!barrier || !levy_barrier_is_double(barrier) || levy_trade_sees_variances(trade)) return 1;
    const double width = levy_log(barrier->upper / barrier->lower);
    const double variance = levy_asset_variance(asset, to) - levy_asset_variance(asset, from);
    const double pieces = variance / (1.5 * width * width);
    if (pieces <= 1) return 1;
    return pieces >= MOST_PIECES ? (size_t)MOST_PIECES : (size_t)pieces + 1;
}

/* Sorts the nodes, drops duplicates and adds as many in between as two barriers need. */
static bool continuous_finish_nodes(levy_check *build, levy_trade *trade, const levy_asset *asset,
                                    continuous_nodes *nodes)
{
    size_t n = 0, room = 1;
    double before = nodes->start;
    qsort(nodes->times, nodes->n, sizeof *nodes->times, levy_order_compare);
    for (size_t i = 0; i < nodes->n; ++i)
        if (n == 0 || nodes->times[i] > nodes->times[n - 1]) nodes->times[n++] = nodes->times[i];
    for (size_t i = 0; i < n; before = nodes->times[i++])
        room += continuous_pieces(trade, asset, before, nodes->times[i]);
    trade->claim.observations.times =
        levy_check_allocate(build, room, sizeof *trade->claim.observations.times);
    if (!trade->claim.observations.times) return false;
    if (nodes->start > 0)
        trade->claim.observations.times[trade->claim.observations.n++] = nodes->start;
    before = nodes->start;
    for (size_t i = 0; i < n; before = nodes->times[i++]) {
        const size_t pieces = continuous_pieces(trade, asset, before, nodes->times[i]);
        for (size_t k = 1; k <= pieces; ++k)
            trade->claim.observations.times[trade->claim.observations.n++] =
                k == pieces ? nodes->times[i]
                            : before + (nodes->times[i] - before) * ((double)k / (double)pieces);
    }
    return true;
}

/* Puts nodes where volatility, drift or, for rebates at hit, discounting changes, so that all are
 * constant between two nodes. */
static bool continuous_make_nodes(levy_check *build, levy_trade *trade, double start, double end)
{
    const levy_asset *asset = levy_trade_asset(trade, 0);
    levy_nodes bends[LEVY_ASSET_LISTS + 1];
    size_t n_bends = levy_asset_nodes(asset, bends);
    if (levy_trade_pays_at_hit(trade)) bends[n_bends++] = levy_curve_kinks(trade->discount_curve);
    const levy_nodes cash = levy_carry_cash_dates(&asset->carry),
                     proportional = levy_carry_proportional_dates(&asset->carry);
    size_t room = cash.n + proportional.n + 1;
    for (size_t k = 0; k < n_bends; ++k) room += bends[k].n;
    continuous_nodes nodes = {
        .times = levy_check_allocate(build, room, sizeof *nodes.times), .start = start, .end = end};
    if (!nodes.times) return false;
    for (size_t k = 0; k < n_bends; ++k)
        if (bends[k].n > 1) continuous_add_nodes(&nodes, bends[k]);
    continuous_add_nodes(&nodes, cash);
    continuous_add_nodes(&nodes, proportional);
    nodes.times[nodes.n++] = end;
    return continuous_finish_nodes(build, trade, asset, &nodes);
}

/* The expected rebate at hit has a closed form if mu^2 + 2 rho >= 0. Only negative rates can break
 * this. */
static bool continuous_check_rebate(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_asset *asset = levy_trade_asset(trade, 0);
    double from = 0;
    for (size_t i = 0; i < trade->claim.observations.n;
         from = trade->claim.observations.times[i++]) {
        const double to = trade->claim.observations.times[i];
        const double variance = levy_asset_variance(asset, to) - levy_asset_variance(asset, from);
        const double drift = levy_asset_log_forward(asset, to) -
                             levy_carry_drop(&asset->carry, to) -
                             levy_asset_log_forward(asset, from) - 0.5 * variance;
        const double rate = levy_curve_log_discount(trade->discount_curve, from) -
                            levy_curve_log_discount(trade->discount_curve, to);
        if (rate >= 0 || drift * drift + 2 * rate * variance >= 0) continue;
        const char *key = levy_payoffs[trade->kind.payoff]->hit_key;
        return LEVY_REFUSE(frame->build, UNSUPPORTED, levy_node_find(frame->raw->payoff.node, key),
                           levy_check_text(frame->build, "%s.payoff.%s", frame->path, key),
                           "Write pay: at_expiry.",
                           "for this drift and negative interest rate, a payment at hit has no "
                           "closed form");
    }
    return true;
}

/* Whether the rates of an asset's growth are constant between nodes. */
static bool continuous_check_growth(const levy_trade_frame *frame, const levy_trade *trade,
                                    const levy_asset *asset)
{
    const levy_quanto *const q = &asset->quanto;
    return continuous_refuse(frame, trade, asset->curve) &&
           (!asset->base_curve || continuous_refuse(frame, trade, asset->base_curve)) &&
           (!q->composite || continuous_check_growth(frame, trade, q->fx));
}

bool levy_observe_continuously(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_asset *asset = levy_trade_asset(trade, 0);
    const levy_watch_terms *const watch = levy_observe_watch(trade);
    const bool at_hit = levy_trade_pays_at_hit(trade);
    double start, end;
    if (watch->observations.node)
        return LEVY_REFUSE(frame->build, INCONSISTENT, watch->observations.node,
                           levy_observe_path(frame, trade, "observations"),
                           "Remove it, or write monitoring: discrete. Use a window {start, end} "
                           "to limit continuous monitoring.",
                           "is not allowed with continuous monitoring");
    if (trade->state == LEVY_TRADE_KNOWN)
        return continuous_window(frame, trade, &start, &end) &&
               levy_trade_observe_end(frame->build, trade, end);
    if (!continuous_check_growth(frame, trade, asset)) return false;
    if (at_hit && trade->discount_curve && !continuous_refuse(frame, trade, trade->discount_curve))
        return false;
    if (!continuous_window(frame, trade, &start, &end)) return false;
    trade->claim.observes_now = levy_time_is_now(end);
    if (end <= 0) return true;                /* the trade's state says what the window has seen */
    if (!trade->discount_curve) return false; /* trade_money has refused it */
    trade->claim.watches = start > 0 ? LEVY_WATCHES_LATER : LEVY_WATCHES_ALWAYS;
    trade->claim.observes_now = false;
    if (!continuous_make_nodes(frame->build, trade, start, end)) return false;
    return !at_hit || levy_trade_sees_variances(trade) || continuous_check_rebate(frame, trade);
}
