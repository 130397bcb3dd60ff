/* terms.c: what a trade pays: how its underlyings form one level, and the rules of strike, barriers
 * and rebates. When it observes is in observe.c. See trade.h. */
#include "engine/problem/trade.h"

#include "kernels/lane/scalar.h"

#include <string.h>

static const char *terms_path(levy_check *build, const levy_trade_frame *frame, const char *key)
{
    return levy_check_text(build, "%s.payoff.%s", frame->path, key);
}

static const levy_node *terms_at(const levy_trade_frame *frame, const char *key)
{
    return levy_check_at(frame->raw->payoff.node, key);
}

double levy_trade_level(const levy_trade *trade, const double *levels)
{
    const double *c = trade->coefficients;
    double level = trade->aggregate == LEVY_AGGREGATE_GEOMETRIC
                       ? trade->weights[0] * levy_log(c[0] * levels[0])
                       : c[0] * levels[0];
    for (size_t i = 1; i < trade->n_underlyings; ++i) {
        const double x = c[i] * levels[i];
        if (trade->aggregate == LEVY_AGGREGATE_GEOMETRIC)
            level += trade->weights[i] * levy_log(x);
        else if (trade->aggregate == LEVY_AGGREGATE_BEST_OF)
            level = x > level ? x : level;
        else if (trade->aggregate == LEVY_AGGREGATE_WORST_OF)
            level = x < level ? x : level;
        else
            level += x;
    }
    return trade->aggregate == LEVY_AGGREGATE_GEOMETRIC ? levy_exp(level) : level;
}

/* ---- Aggregate and weights ---- */

static bool terms_aggregate(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *payoff = levy_payoffs[trade->payoff];
    trade->aggregate =
        payoff->aggregate != LEVY_AGGREGATE_NONE ? payoff->aggregate : trade->terms->aggregate;
    if (trade->payoff == LEVY_PAYOFF_BASKET && trade->terms->basket_type == 1)
        trade->aggregate = LEVY_AGGREGATE_GEOMETRIC;
    if (payoff->features & LEVY_PAYOFF_PAIR && trade->n_underlyings != 2)
        return LEVY_REFUSE(build, INCONSISTENT,
                           frame->raw->underlyings.node ? frame->raw->underlyings.node
                                                        : frame->raw->node,
                           levy_check_text(build, "%s.underlyings", frame->path),
                           "Use a basket with weights for more underlyings.",
                           "a payoff of kind %s needs two underlyings; got %zu", payoff->kind,
                           trade->n_underlyings);
    if (trade->n_underlyings > 1 && trade->aggregate == LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(build, INCONSISTENT, frame->raw->underlyings.node,
                           levy_check_text(build, "%s.underlyings", frame->path),
                           "Add aggregate: basket, geometric_basket, best_of or worst_of to the "
                           "payoff, or keep one underlying.",
                           "the trade has %zu underlyings, but the payoff has no aggregate",
                           trade->n_underlyings);
    const bool log_average =
        trade->payoff == LEVY_PAYOFF_ASIAN && trade->terms->averaging_method == 1;
    if (log_average && trade->aggregate != LEVY_AGGREGATE_NONE &&
        trade->aggregate != LEVY_AGGREGATE_GEOMETRIC)
        return LEVY_REFUSE(build, UNSUPPORTED, terms_at(frame, "aggregate"),
                           terms_path(build, frame, "aggregate"),
                           "Use aggregate: geometric_basket, or averaging method arithmetic.",
                           "a geometric average needs one underlying or a geometric basket");
    return true;
}

static bool terms_check_weight(levy_check *build, const levy_trade *trade,
                               const levy_raw_underlying *item, const char *path)
{
    const levy_node *node = levy_node_find(item->node, "weight");
    const char *text = levy_check_number(build, item->weight);
    if (trade->aggregate == LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(build, INCONSISTENT, node, path, "Remove it and scale quantity instead.",
                           "a weight is only allowed with an aggregate");
    if (item->weight == 0 || item->weight > 1e9 || item->weight < -1e9)
        return LEVY_REFUSE(build, RANGE, node, path, "Remove the underlying if its weight is 0.",
                           "a weight must not be 0 and must lie in [-1e9, 1e9]; got %s", text);
    if (trade->n_underlyings == 1 &&
        (item->weight < 0 || (trade->aggregate == LEVY_AGGREGATE_GEOMETRIC && item->weight != 1)))
        return LEVY_REFUSE(build, RANGE, node, path, "Remove it, or add underlyings.",
                           "a single underlying needs a positive weight, and a weight of 1 in a "
                           "geometric basket; got %s",
                           text);
    if (item->weight < 0 && levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_PAIR)
        return LEVY_REFUSE(build, RANGE, node, path,
                           "Give the quantity. The second underlying is subtracted.",
                           "a weight must be positive here; got %s", text);
    if (item->weight < 0 && trade->aggregate != LEVY_AGGREGATE_BASKET)
        return LEVY_REFUSE(build, RANGE, node, path,
                           "For negative weights, use an arithmetic basket.",
                           "a weight must be positive here; got %s", text);
    return true;
}

/* For all underlyings or for none. */
static bool terms_weights(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_underlying *items = frame->raw->underlyings.items;
    const size_t n = trade->n_underlyings;
    const bool pair = (levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_PAIR) != 0;
    const bool mean = !pair && (trade->aggregate == LEVY_AGGREGATE_BASKET ||
                                trade->aggregate == LEVY_AGGREGATE_GEOMETRIC);
    trade->weights = levy_check_allocate(build, n, sizeof *trade->weights);
    if (!trade->weights) return false;
    size_t given = 0;
    bool good = true;
    for (size_t i = 0; i < n; ++i) {
        trade->weights[i] = mean ? 1 / (double)n : 1;
        if (frame->raw->underlying || !levy_node_find(items[i].node, "weight")) continue;
        given++;
        trade->weights[i] = items[i].weight;
        good &= terms_check_weight(
            build, trade, &items[i],
            levy_check_text(build, "%s.underlyings[%zu].weight", frame->path, i));
    }
    if (pair && good && given != 1) trade->weights[1] = -trade->weights[1];
    if (given == 0 || given == n) return good;
    return LEVY_REFUSE(build, INCONSISTENT, frame->raw->underlyings.node,
                       levy_check_text(build, "%s.underlyings", frame->path),
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

/* `spot`, one number, or a list of one number per underlying. The spot is that of the file: what is
 * fixed does not move. */
static bool terms_initial(levy_check *build, const levy_trade_frame *frame, const levy_trade *trade,
                          double *initial)
{
    const levy_node *node = trade->terms->initial_fixing;
    const char *path = terms_path(build, frame, "initial_fixing");
    const size_t n = trade->n_underlyings;
    for (size_t i = 0; i < n; ++i)
        initial[i] = trade->model->assets[trade->underlyings[i]]->read_spot;
    if (!node || (node->kind == LEVY_NODE_SCALAR && strcmp(node->text, "spot") == 0)) return true;
    if (node->kind == LEVY_NODE_SCALAR && n == 1)
        return terms_initial_number(build, node, path, initial);
    if (node->kind != LEVY_NODE_LIST || node->count != n)
        return LEVY_REFUSE(build, INCONSISTENT, node, path,
                           "Write spot, or one number per underlying in a list.",
                           "must have one level for each of the %zu underlyings", n);
    bool good = true;
    size_t i = 0;
    for (const levy_node *item = node->children; item; item = item->next, ++i)
        good &= terms_initial_number(build, item, levy_check_text(build, "%s[%zu]", path, i),
                                     &initial[i]);
    return good;
}

static bool terms_coefficients(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const size_t n = trade->n_underlyings;
    double *initial = levy_check_allocate(build, n, sizeof *initial);
    trade->coefficients = levy_check_allocate(build, n, sizeof *trade->coefficients);
    if (!initial || !trade->coefficients) return false;
    const bool relative = trade->terms->strike_type == 1;
    if (trade->terms->initial_fixing && !relative)
        return LEVY_REFUSE(build, INCONSISTENT, trade->terms->initial_fixing,
                           terms_path(build, frame, "initial_fixing"),
                           "Add strike_type: percent_of_initial, or remove it.",
                           "is not allowed with an absolute strike");
    if (relative && !terms_initial(build, frame, trade, initial)) return false;
    for (size_t i = 0; i < n; ++i) {
        const double weight = trade->aggregate == LEVY_AGGREGATE_GEOMETRIC ? 1 : trade->weights[i];
        trade->coefficients[i] = relative ? weight / initial[i] : weight;
    }
    return true;
}

/* ---- Strike, cash ---- */

/* `key` may stand in a block: "barrier.level". */
bool levy_terms_fraction(levy_check *build, const levy_trade_frame *frame, const levy_trade *trade,
                         const char *key, double value)
{
    if (trade->terms->strike_type != 1 || !(value > 10 || value < -10)) return true;
    const char *dot = strchr(key, '.');
    const levy_node *block =
        dot ? terms_at(frame, levy_check_text(build, "%.*s", (int)(dot - key), key)) : NULL;
    return LEVY_REFUSE(build, RANGE, dot ? levy_check_at(block, dot + 1) : terms_at(frame, key),
                       terms_path(build, frame, key),
                       "Fractions are decimals: 0.95 is 95 % of the initial level.",
                       "a fraction of the initial level must lie in [-10, 10]; got %s",
                       levy_check_number(build, value));
}

static bool terms_strike(levy_check *build, const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    bool spread = false;
    for (size_t i = 0; i < trade->n_underlyings; ++i) spread |= trade->weights[i] < 0;
    if (terms->strike < 0 && !spread)
        return LEVY_REFUSE(
            build, RANGE, terms_at(frame, "strike"), terms_path(build, frame, "strike"),
            "A negative strike needs a basket with a negative weight.",
            "a strike must not be negative; got %s", levy_check_number(build, terms->strike));
    if (trade->payoff == LEVY_PAYOFF_DIGITAL && terms->payout == 1 &&
        levy_node_find(frame->raw->payoff.node, "cash"))
        return LEVY_REFUSE(build, INCONSISTENT, terms_at(frame, "cash"),
                           terms_path(build, frame, "cash"), "Remove it, or write payout: cash.",
                           "is not allowed with payout asset");
    const char *const key = levy_payoff_strike_key(levy_payoffs[trade->payoff]);
    return !key || levy_terms_fraction(build, frame, trade, key, terms->strike);
}

/* Kinds whose strike may take another form, which then stands alone. */
static bool terms_strike_form(levy_check *build, const levy_trade_frame *frame,
                              const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    const bool asian = trade->payoff == LEVY_PAYOFF_ASIAN;
    if (!asian && trade->payoff != LEVY_PAYOFF_LOOKBACK) return true;
    const bool floats = asian ? terms->averaging_on == 1 : terms->lookback_strike == 1;
    const levy_node *strike = levy_node_find(frame->raw->payoff.node, "strike");
    if (floats && strike)
        return LEVY_REFUSE(build, INCONSISTENT, strike, terms_path(build, frame, "strike"),
                           "Remove one of the two.",
                           asian ? "is not allowed with averaging on the strike"
                                 : "is not allowed with a floating strike");
    if (floats || strike) return true;
    return LEVY_REFUSE(build, MISSING_KEY, frame->raw->payoff.node,
                       levy_check_text(build, "%s.payoff", frame->path),
                       asian ? "Add it, or write averaging: {of: strike, ...}."
                             : "Add it, or write lookback: {strike: floating, ...}.",
                       "missing key 'strike'");
}

static bool terms_asian_payout(levy_check *build, const levy_trade_frame *frame,
                               const levy_payoff_terms *terms)
{
    const levy_node *cash = levy_node_find(frame->raw->payoff.node, "cash");
    if (terms->averaging_on == 1 && terms->barrier_payout != LEVY_PAYOUT_OPTION)
        return LEVY_REFUSE(build, UNSUPPORTED, terms_at(frame, "payout"),
                           terms_path(build, frame, "payout"),
                           "Average the price, or remove payout.",
                           "a digital payout needs averaging of the price");
    if (!cash || terms->barrier_payout == LEVY_PAYOUT_CASH) return true;
    return LEVY_REFUSE(build, INCONSISTENT, cash, terms_path(build, frame, "cash"),
                       "Remove it, or write payout: cash.", "is only allowed with payout cash");
}

/* Returns need levels that cannot reach 0. */
static bool terms_positive(levy_check *build, const levy_trade_frame *frame,
                           const levy_trade *trade)
{
    const bool returns =
        trade->payoff == LEVY_PAYOFF_CLIQUET ||
        (trade->payoff == LEVY_PAYOFF_FORWARD_START && trade->terms->forward_form == 1);
    for (size_t i = 0; returns && i < trade->n_underlyings; ++i)
        if (trade->weights[i] < 0)
            return LEVY_REFUSE(build, UNSUPPORTED, frame->raw->underlyings.node,
                               levy_check_text(build, "%s.underlyings", frame->path),
                               "Use positive weights.",
                               "a return needs a positive level, but a weight is negative");
    return true;
}

static bool terms_cliquet(levy_check *build, const levy_trade_frame *frame,
                          const levy_payoff_terms *terms)
{
    const bool local = terms->local_floor > terms->local_cap;
    if (!local && !(terms->global_floor > terms->global_cap)) return true;
    const char *key = local ? "local_cap" : "global_cap";
    return LEVY_REFUSE(build, INCONSISTENT, terms_at(frame, key), terms_path(build, frame, key),
                       "Swap the two.", "the cap, %s, is below the floor, %s",
                       levy_check_number(build, local ? terms->local_cap : terms->global_cap),
                       levy_check_number(build, local ? terms->local_floor : terms->global_floor));
}

static bool terms_running(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    if (!(terms->running_extremum > 0)) return true;
    if (!levy_terms_fraction(build, frame, trade, "lookback.running_extremum",
                             terms->running_extremum))
        return false;
    levy_trade_take_extremum(trade, terms->running_extremum);
    return true;
}

bool levy_terms_build(levy_check *build, const levy_trade_frame *frame, levy_trade *trade)
{
    if (!terms_aggregate(build, frame, trade) || !terms_weights(build, frame, trade)) return false;
    if (!terms_coefficients(build, frame, trade)) return false;
    /* all forms of one level are that level */
    if (trade->n_underlyings == 1) trade->aggregate = LEVY_AGGREGATE_NONE;
    bool good = terms_strike(build, frame, trade) && terms_strike_form(build, frame, trade);
    good &= terms_positive(build, frame, trade) && terms_cliquet(build, frame, trade->terms);
    if (levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_KNOCKS)
        good &= levy_terms_barrier(build, frame, trade);
    if (trade->payoff == LEVY_PAYOFF_LOOKBACK) good &= terms_running(build, frame, trade);
    if (trade->payoff == LEVY_PAYOFF_ASIAN) good &= terms_asian_payout(build, frame, trade->terms);
    if (!good) return false;
    const unsigned features = levy_payoffs[trade->payoff]->features;
    good = levy_trade_observe(build, frame, trade);
    trade->discontinuous = features & LEVY_PAYOFF_KNOCKS
                               ? levy_trade_is_rough(trade)
                               : (features & LEVY_PAYOFF_DISCONTINUOUS) != 0;
    trade->discontinuous |=
        trade->payoff == LEVY_PAYOFF_ASIAN && trade->terms->barrier_payout != LEVY_PAYOUT_OPTION;
    return good;
}
