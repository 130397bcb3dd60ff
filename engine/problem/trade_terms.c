/* trade_terms.c: reads what a trade pays, and how its underlyings form one level. The kind
 * checks the rules across its own keys (payoffs/payoff.h); observe.c finds when it observes. See
 * trade.h. */
#include "engine/problem/smoothing.h"
#include "engine/problem/trade.h"

#include "kernels/lane/scalar.h"
#include "payoffs/scripted.h"

#include <string.h>

static const char *terms_path(const levy_trade_frame *frame, const char *key)
{
    return levy_check_text(frame->build, "%s.payoff.%s", frame->path, key);
}

static const levy_node *terms_at(const levy_trade_frame *frame, const char *key)
{
    return levy_check_at(frame->raw->payoff.node, key);
}

double levy_trade_level(const levy_trade *trade, const double *levels)
{
    const double *c = trade->claim.coefficients;
    double level = trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC
                       ? trade->claim.weights[0] * levy_log(c[0] * levels[0])
                       : c[0] * levels[0];
    for (size_t i = 1; i < trade->n_underlyings; ++i) {
        const double x = c[i] * levels[i];
        if (trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC)
            level += trade->claim.weights[i] * levy_log(x);
        else if (trade->kind.aggregate == LEVY_AGGREGATE_BEST_OF)
            level = x > level ? x : level;
        else if (trade->kind.aggregate == LEVY_AGGREGATE_WORST_OF)
            level = x < level ? x : level;
        else
            level += x;
    }
    return trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC ? levy_exp(level) : level;
}

bool levy_trade_pays_at_hit(const levy_trade *trade)
{
    const bool script = trade->form == LEVY_FORM_SCRIPT;
    const levy_payoff *const kind = levy_payoffs[script ? trade->other.payoff : trade->kind.payoff];
    return kind->pays_at_hit && kind->pays_at_hit(trade->claim.terms);
}

const levy_table *levy_terms_table(const levy_raw_trade *raw)
{
    return raw->payoff.table ? raw->payoff.table : levy_payoffs[raw->payoff.kind]->table;
}

/* ---- Aggregate and weights ---- */

static bool terms_aggregate(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *payoff = levy_payoffs[trade->kind.payoff];
    const levy_node *const several = frame->raw->underlyings.node;
    trade->kind.aggregate = levy_payoff_aggregate(payoff, trade->claim.terms);
    if (payoff->features & LEVY_PAYOFF_PAIR && trade->n_underlyings != 2)
        return LEVY_REFUSE(frame->build, INCONSISTENT, several ? several : frame->raw->node,
                           levy_check_text(frame->build, "%s.underlyings", frame->path),
                           "Use a basket with weights for more underlyings.",
                           "a payoff of kind %s needs two underlyings; got %zu", payoff->kind,
                           trade->n_underlyings);
    if (trade->n_underlyings > 1 && trade->kind.aggregate == LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(frame->build, INCONSISTENT, frame->raw->underlyings.node,
                           levy_check_text(frame->build, "%s.underlyings", frame->path),
                           "Add aggregate: basket, geometric_basket, best_of or worst_of to the "
                           "payoff, or keep one underlying.",
                           "the trade has %zu underlyings, but the payoff has no aggregate",
                           trade->n_underlyings);
    if (payoff->is_geometric && payoff->is_geometric(trade->claim.terms) &&
        trade->kind.aggregate != LEVY_AGGREGATE_NONE &&
        trade->kind.aggregate != LEVY_AGGREGATE_GEOMETRIC)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, terms_at(frame, "aggregate"),
                           terms_path(frame, "aggregate"),
                           "Use aggregate: geometric_basket, or averaging method arithmetic.",
                           "a geometric average needs one underlying or a geometric basket");
    return true;
}

static bool terms_check_weight(levy_check *build, const levy_trade *trade,
                               const levy_raw_underlying *item, const char *path)
{
    const levy_node *node = levy_node_find(item->node, "weight");
    const char *text = levy_check_number(build, item->weight);
    if (trade->kind.aggregate == LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(build, INCONSISTENT, node, path, "Remove it and scale quantity instead.",
                           "a weight is only allowed with an aggregate");
    if (item->weight == 0 || item->weight > 1e9 || item->weight < -1e9)
        return LEVY_REFUSE(build, RANGE, node, path, "Remove the underlying if its weight is 0.",
                           "a weight must not be 0 and must lie in [-1e9, 1e9]; got %s", text);
    if (trade->n_underlyings == 1 &&
        (item->weight < 0 ||
         (trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC && item->weight != 1)))
        return LEVY_REFUSE(build, RANGE, node, path, "Remove it, or add underlyings.",
                           "a single underlying needs a positive weight, and a weight of 1 in a "
                           "geometric basket; got %s",
                           text);
    if (item->weight < 0 && levy_payoffs[trade->kind.payoff]->features & LEVY_PAYOFF_PAIR)
        return LEVY_REFUSE(build, RANGE, node, path,
                           "Give the quantity. The second underlying is subtracted.",
                           "a weight must be positive here; got %s", text);
    if (item->weight < 0 && trade->kind.aggregate != LEVY_AGGREGATE_BASKET)
        return LEVY_REFUSE(build, RANGE, node, path,
                           "For negative weights, use an arithmetic basket.",
                           "a weight must be positive here; got %s", text);
    return true;
}

/* Weights are given for all underlyings or for none. */
static bool terms_weights(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_underlying *items = frame->raw->underlyings.items;
    const size_t n = trade->n_underlyings;
    const bool pair = (levy_payoffs[trade->kind.payoff]->features & LEVY_PAYOFF_PAIR) != 0;
    const bool mean = !pair && (trade->kind.aggregate == LEVY_AGGREGATE_BASKET ||
                                trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC);
    trade->claim.weights = levy_check_allocate(frame->build, n, sizeof *trade->claim.weights);
    if (!trade->claim.weights) return false;
    size_t given = 0;
    bool good = true;
    for (size_t i = 0; i < n; ++i) {
        trade->claim.weights[i] = mean ? 1 / (double)n : 1;
        if (frame->raw->underlying || !items || !levy_node_find(items[i].node, "weight")) continue;
        given++;
        trade->claim.weights[i] = items[i].weight;
        good &= terms_check_weight(
            frame->build, trade, &items[i],
            levy_check_text(frame->build, "%s.underlyings[%zu].weight", frame->path, i));
    }
    if (pair && good && given != 1) trade->claim.weights[1] = -trade->claim.weights[1];
    if (given == 0 || given == n) return good;
    return LEVY_REFUSE(frame->build, INCONSISTENT, frame->raw->underlyings.node,
                       levy_check_text(frame->build, "%s.underlyings", frame->path),
                       "Write {name, weight} for every underlying.",
                       "weights are given for %zu of %zu underlyings", given, n);
}

/* ---- Initial fixings and coefficients ---- */

static bool terms_initial_number(levy_check *build, const levy_node *node, const char *path,
                                 double *value)
{
    const levy_reader reader = levy_build_reader(build);
    if (!levy_read_number(&reader, node, path, value)) return false;
    if (*value > 0 && *value <= 1e12) return true;
    return LEVY_REFUSE(build, RANGE, node, path, "Give the level as quoted.",
                       "an initial fixing must lie in (0, 1e12]; got %s", levy_check_shown(node));
}

/* Whether an initial fixing is the spot, which one that is left out is too. */
static bool terms_is_spot(const levy_node *node)
{
    return !node || (node->kind == LEVY_NODE_SCALAR && strcmp(node->text, "spot") == 0);
}

/* Reads `spot`, one number, or a list of one number per underlying. `spot` is the spot in the file,
 * because a fixing does not move. */
static bool terms_initial(const levy_trade_frame *frame, const levy_trade *trade, double *initial)
{
    const levy_node *node = trade->claim.terms->initial_fixing;
    const char *path = terms_path(frame, "initial_fixing");
    const size_t n = trade->n_underlyings;
    for (size_t i = 0; i < n; ++i) initial[i] = levy_trade_asset(trade, i)->read_spot;
    if (terms_is_spot(node)) return true;
    if (node->kind == LEVY_NODE_SCALAR && n == 1)
        return terms_initial_number(frame->build, node, path, initial);
    if (node->kind != LEVY_NODE_LIST || node->count != n)
        return LEVY_REFUSE(frame->build, INCONSISTENT, node, path,
                           "Write spot, or one number per underlying in a list.",
                           "must have one level for each of the %zu underlyings", n);
    bool good = true;
    size_t i = 0;
    for (const levy_node *item = node->children; item; item = item->next, ++i)
        good &= terms_initial_number(
            frame->build, item, levy_check_text(frame->build, "%s[%zu]", path, i), &initial[i]);
    return good;
}

static bool terms_coefficients(const levy_trade_frame *frame, levy_trade *trade)
{
    const size_t n = trade->n_underlyings;
    double *initial = levy_check_allocate(frame->build, n, sizeof *initial);
    trade->claim.coefficients =
        levy_check_allocate(frame->build, n, sizeof *trade->claim.coefficients);
    if (!initial || !trade->claim.coefficients) return false;
    const bool relative = trade->claim.terms->strike_type == LEVY_STRIKE_PERCENT;
    if (trade->claim.terms->initial_fixing && !relative)
        return LEVY_REFUSE(frame->build, INCONSISTENT, trade->claim.terms->initial_fixing,
                           terms_path(frame, "initial_fixing"),
                           "Add strike_type: percent_of_initial, or remove it.",
                           "is not allowed with an absolute strike");
    if (relative && !terms_initial(frame, trade, initial)) return false;
    for (size_t i = 0; i < n; ++i) {
        const double weight =
            trade->kind.aggregate == LEVY_AGGREGATE_GEOMETRIC ? 1 : trade->claim.weights[i];
        trade->claim.coefficients[i] = relative ? weight / initial[i] : weight;
    }
    return true;
}

/* Whether a date on which the payoff observes has passed. */
static bool terms_has_past(const levy_trade *trade)
{
    if (!trade->kind.scripted) return trade->claim.past.n > 0;
    for (size_t k = 0; k < LEVY_SCRIPT_BLOCKS; ++k)
        if (trade->kind.scripted->dates[k].n_past > 0)
            return trade->kind.scripted->script.reads_levels;
    return false;
}

/* A trade that has begun was struck on a level of that time. */
static void terms_warn_initial(const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_node *const node = trade->claim.terms->initial_fixing;
    if (!terms_is_spot(node) || trade->claim.terms->strike_type != LEVY_STRIKE_PERCENT ||
        !terms_has_past(trade))
        return;
    LEVY_WARN(frame->build, INCONSISTENT, node ? node : frame->raw->payoff.node,
              terms_path(frame, "initial_fixing"),
              "Write initial_fixing: LEVEL, or [LEVEL, LEVEL] of several underlyings.",
              "the initial fixing is today's spot, but the trade has dates before today");
}

/* Weights of 60 and 40 for 60 and 40 %. Levels in units of their initial fixings begin at the sum
 * of the weights, beside strikes and barriers near 1. */
static void terms_warn_weights(const levy_trade_frame *frame, const levy_trade *trade)
{
    enum { MOST = 10 };
    double sum = 0.0;
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        sum += trade->claim.weights[i] < 0.0 ? -trade->claim.weights[i] : trade->claim.weights[i];
    if (trade->claim.terms->strike_type != LEVY_STRIKE_PERCENT || sum < MOST) return;
    LEVY_WARN(frame->build, RANGE, frame->raw->underlyings.node,
              levy_check_text(frame->build, "%s.underlyings", frame->path),
              "Weights are decimals: 0.6 is 60 %.",
              "the weights add up to %s, while levels are in units of the initial fixings",
              levy_check_rounded(frame->build, sum));
}

/* ---- The whole ---- */

levy_payoff_frame levy_trade_seen(const levy_trade_frame *frame, const levy_trade *trade)
{
    return (levy_payoff_frame){.check = frame->build,
                               .terms = trade->claim.terms,
                               .kind = levy_payoffs[trade->kind.payoff],
                               .table = levy_terms_table(frame->raw),
                               .path = frame->path,
                               .node = frame->raw->payoff.node,
                               .underlyings = frame->raw->underlyings.node,
                               .n_underlyings = trade->n_underlyings,
                               .weights = trade->claim.weights};
}

bool levy_terms_build(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *payoff = levy_payoffs[trade->kind.payoff];
    const levy_payoff_terms *terms = trade->claim.terms;
    if (!terms_aggregate(frame, trade) || !terms_weights(frame, trade)) return false;
    if (!terms_coefficients(frame, trade)) return false;
    /* any aggregate of one level is that level; a script reads levels in units of 1 */
    if (trade->n_underlyings == 1 && !payoff->source) trade->kind.aggregate = LEVY_AGGREGATE_NONE;
    const levy_payoff_frame seen = levy_trade_seen(frame, trade);
    if (!levy_payoff_check(&seen)) return false;
    if (payoff->begin) payoff->begin(terms, &trade->claim.past);
    bool good = levy_trade_observe(frame, trade);
    if (good) terms_warn_initial(frame, trade);
    if (good) terms_warn_weights(frame, trade);
    good = good && levy_trade_check_units(frame, trade);
    if (good) levy_trade_smooth(frame->build, &frame->problem->simulation, trade);
    return good;
}
