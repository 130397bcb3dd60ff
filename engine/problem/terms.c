/* terms.c: what a trade pays: how its underlyings form one level, and the rules of strike, barrier and observations.
 * See trade.h. */
#include "engine/problem/schedule.h"
#include "engine/problem/trade.h"

#include "kernels/lane/scalar.h"

#include <string.h>

static const char *terms_path(levy_build *build, const levy_trade_frame *frame, const char *key)
{
    return levy_build_text(build, "%s.payoff.%s", frame->path, key);
}

static const levy_node *terms_at(const levy_trade_frame *frame, const char *key)
{
    return levy_build_at(frame->raw->payoff.node, key);
}

double levy_trade_level(const levy_trade *trade, const double *levels)
{
    const double *c = trade->coefficients;
    double level = trade->aggregate == LEVY_AGGREGATE_GEOMETRIC ? trade->weights[0] * levy_log(c[0] * levels[0])
                                                                : c[0] * levels[0];
    for (size_t i = 1; i < trade->n_underlyings; i++) {
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

static double terms_level_now(levy_build *build, const levy_trade *trade)
{
    double *spots = levy_build_allocate(build, trade->n_underlyings, sizeof *spots);
    if (!spots) return 0;
    for (size_t i = 0; i < trade->n_underlyings; i++) spots[i] = trade->model->assets[trade->underlyings[i]]->spot;
    return levy_trade_level(trade, spots);
}

/* ---- Aggregate and weights ---- */

static bool terms_aggregate(levy_build *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *payoff = levy_payoffs[trade->payoff];
    trade->aggregate = payoff->aggregate != LEVY_AGGREGATE_NONE ? payoff->aggregate : trade->terms->aggregate;
    if (trade->payoff == LEVY_PAYOFF_BASKET && trade->terms->basket_type == 1)
        trade->aggregate = LEVY_AGGREGATE_GEOMETRIC;
    if (trade->n_underlyings > 1 && trade->aggregate == LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(
            build, INCONSISTENT, frame->raw->underlyings.node, levy_build_text(build, "%s.underlyings", frame->path),
            "Add aggregate: basket, geometric_basket, best_of or worst_of to the payoff, or keep one underlying.",
            "%zu underlyings, but nothing says how they form one level", trade->n_underlyings);
    const bool log_average = trade->payoff == LEVY_PAYOFF_ASIAN && trade->terms->averaging_method == 1;
    if (log_average && trade->aggregate != LEVY_AGGREGATE_NONE && trade->aggregate != LEVY_AGGREGATE_GEOMETRIC)
        return LEVY_REFUSE(build, UNSUPPORTED, terms_at(frame, "aggregate"), terms_path(build, frame, "aggregate"),
                           "Use aggregate: geometric_basket, or averaging method arithmetic.",
                           "a geometric average goes with one underlying or a geometric basket only");
    return true;
}

static bool terms_check_weight(levy_build *build, const levy_trade *trade, const levy_raw_underlying *item,
                               const char *path)
{
    const levy_node *node = levy_node_find(item->node, "weight");
    const char *text = levy_build_number(build, item->weight);
    if (trade->aggregate == LEVY_AGGREGATE_NONE)
        return LEVY_REFUSE(build, INCONSISTENT, node, path, "Remove it and scale quantity instead.",
                           "a weight has no meaning without an aggregate");
    if (item->weight == 0 || item->weight > 1e9 || item->weight < -1e9)
        return LEVY_REFUSE(build, RANGE, node, path, "Remove an underlying that does not count.",
                           "a weight must not be 0, nor beyond 1e9; got %s", text);
    if (item->weight < 0 && trade->aggregate != LEVY_AGGREGATE_BASKET)
        return LEVY_REFUSE(build, RANGE, node, path, "Negative weights make a spread: use an arithmetic basket.",
                           "a weight must be positive here; got %s", text);
    return true;
}

/* For all underlyings or for none. */
static bool terms_weights(levy_build *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_raw_underlying *items = frame->raw->underlyings.items;
    const size_t n = trade->n_underlyings;
    const bool mean = trade->aggregate == LEVY_AGGREGATE_BASKET || trade->aggregate == LEVY_AGGREGATE_GEOMETRIC;
    trade->weights = levy_build_allocate(build, n, sizeof *trade->weights);
    if (!trade->weights) return false;
    size_t given = 0;
    bool good = true;
    for (size_t i = 0; i < n; i++) {
        trade->weights[i] = mean ? 1 / (double)n : 1;
        if (frame->raw->underlying || !levy_node_find(items[i].node, "weight")) continue;
        given++;
        trade->weights[i] = items[i].weight;
        good &= terms_check_weight(build, trade, &items[i],
                                   levy_build_text(build, "%s.underlyings[%zu].weight", frame->path, i));
    }
    if (given == 0 || given == n) return good;
    return LEVY_REFUSE(
        build, INCONSISTENT, frame->raw->underlyings.node, levy_build_text(build, "%s.underlyings", frame->path),
        "Write {name, weight} for every underlying.", "weights are given for %zu of %zu underlyings", given, n);
}

/* ---- Initial fixings and coefficients ---- */

static bool terms_initial_number(levy_build *build, const levy_node *node, const char *path, double *value)
{
    const levy_reader reader = levy_build_reader(build);
    if (!levy_read_number(&reader, node, path, value)) return false;
    if (*value > 0 && *value <= 1e12) return true;
    return LEVY_REFUSE(build, RANGE, node, path, "Give the level as quoted.",
                       "an initial fixing must lie in (0, 1e12]; got %s", levy_build_shown(node));
}

/* `spot`, one number, or a list of one number per underlying. */
static bool terms_initial(levy_build *build, const levy_trade_frame *frame, const levy_trade *trade, double *initial)
{
    const levy_node *node = trade->terms->initial_fixing;
    const char *path = terms_path(build, frame, "initial_fixing");
    const size_t n = trade->n_underlyings;
    for (size_t i = 0; i < n; i++) initial[i] = trade->model->assets[trade->underlyings[i]]->spot;
    if (!node || (node->kind == LEVY_NODE_SCALAR && strcmp(node->text, "spot") == 0)) return true;
    if (node->kind == LEVY_NODE_SCALAR && n == 1) return terms_initial_number(build, node, path, initial);
    if (node->kind != LEVY_NODE_LIST || node->count != n)
        return LEVY_REFUSE(build, INCONSISTENT, node, path, "Write spot, or one number per underlying in a list.",
                           "must give one level for each of %zu underlyings", n);
    bool good = true;
    size_t i = 0;
    for (const levy_node *item = node->children; item; item = item->next, i++)
        good &= terms_initial_number(build, item, levy_build_text(build, "%s[%zu]", path, i), &initial[i]);
    return good;
}

static bool terms_coefficients(levy_build *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const size_t n = trade->n_underlyings;
    double *initial = levy_build_allocate(build, n, sizeof *initial);
    trade->coefficients = levy_build_allocate(build, n, sizeof *trade->coefficients);
    if (!initial || !trade->coefficients) return false;
    const bool relative = trade->terms->strike_type == 1;
    if (trade->terms->initial_fixing && !relative)
        return LEVY_REFUSE(
            build, INCONSISTENT, trade->terms->initial_fixing, terms_path(build, frame, "initial_fixing"),
            "Add strike_type: percent_of_initial, or remove it.", "has no meaning with an absolute strike");
    if (relative && !terms_initial(build, frame, trade, initial)) return false;
    for (size_t i = 0; i < n; i++) {
        const double weight = trade->aggregate == LEVY_AGGREGATE_GEOMETRIC ? 1 : trade->weights[i];
        trade->coefficients[i] = relative ? weight / initial[i] : weight;
    }
    return true;
}

/* ---- Strike, cash ---- */

static bool terms_fraction(levy_build *build, const levy_trade_frame *frame, const levy_trade *trade, const char *key,
                           double value)
{
    if (trade->terms->strike_type != 1 || (value <= 10 && value >= -10)) return true;
    return LEVY_REFUSE(build, RANGE,
                       levy_build_at(terms_at(frame, "barrier"), "level") && strcmp(key, "barrier.level") == 0
                           ? levy_build_at(terms_at(frame, "barrier"), "level")
                           : terms_at(frame, key),
                       terms_path(build, frame, key), "Fractions are decimals: 0.95 is 95 % of the initial level.",
                       "a fraction of the initial level must lie in [-10, 10]; got %s",
                       levy_build_number(build, value));
}

static bool terms_strike(levy_build *build, const levy_trade_frame *frame, const levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    bool spread = false;
    for (size_t i = 0; i < trade->n_underlyings; i++) spread |= trade->weights[i] < 0;
    if (terms->strike < 0 && !spread)
        return LEVY_REFUSE(build, RANGE, terms_at(frame, "strike"), terms_path(build, frame, "strike"),
                           "A negative strike needs a basket with a negative weight.",
                           "a strike must not be negative; got %s", levy_build_number(build, terms->strike));
    if (trade->payoff == LEVY_PAYOFF_DIGITAL && terms->payout == 1 && levy_node_find(frame->raw->payoff.node, "cash"))
        return LEVY_REFUSE(build, INCONSISTENT, terms_at(frame, "cash"), terms_path(build, frame, "cash"),
                           "Remove it, or write payout: cash.", "has no meaning with payout asset");
    return terms_fraction(build, frame, trade, "strike", terms->strike);
}

/* ---- Observations ---- */

/* Number of the fixing at time t; the list is short or sorted: bisect. Times as given agree to far less than a day. */
static bool terms_fixing(const levy_fixings *fixings, double t, double *level)
{
    size_t low = 0, high = fixings->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fixings->times[middle] < t - 1e-9)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == fixings->n || fixings->times[low] > t + 1e-9) return false;
    *level = fixings->values[low];
    return true;
}

typedef struct terms_missing {
    const char *list;
    size_t count, hidden;
} terms_missing;

static void terms_miss(levy_build *build, terms_missing *missing, const char *asset, const char *time)
{
    enum { MOST_NAMED = 8 };
    if (missing->count++ >= MOST_NAMED)
        missing->hidden++;
    else
        missing->list =
            levy_build_text(build, "%s%s%s at %s", missing->list, missing->count > 1 ? ", " : "", asset, time);
}

/* The levels of all underlyings at a past time; what is missing is noted. */
static bool terms_past_levels(levy_build *build, const levy_trade_frame *frame, const levy_trade *trade,
                              const levy_observations *all, size_t i, double *levels, terms_missing *missing)
{
    bool good = true;
    for (size_t k = 0; k < trade->n_underlyings; k++) {
        const levy_asset *asset = trade->model->assets[trade->underlyings[k]];
        if (terms_fixing(&frame->market->fixings[asset - frame->market->assets], all->times[i], &levels[k])) continue;
        good = false;
        if (missing) terms_miss(build, missing, asset->name, levy_observation_text(build, all, i));
    }
    return good;
}

static bool terms_touched(const levy_payoff_terms *terms, double level)
{
    return terms->barrier_direction == 0 ? level >= terms->barrier_level : level <= terms->barrier_level;
}

static void terms_take_past(levy_trade *trade, const double *levels)
{
    const double level = levy_trade_level(trade, levels);
    const levy_payoff_terms *terms = trade->terms;
    trade->n_past++;
    trade->past_sum += level;
    if (trade->payoff == LEVY_PAYOFF_ASIAN && terms->averaging_method == 1) trade->past_log_sum += levy_log(level);
    if (levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_KNOCKS) trade->knocked |= terms_touched(terms, level);
}

static bool terms_is_now(double t) { return t > -1e-9 && t < 1e-9; }

/* Parts the observations into past fixings, today's spot and future times. Today's observation is a fixing once one is
 * given for it. */
static bool terms_part(levy_build *build, const levy_trade_frame *frame, levy_trade *trade,
                       const levy_observations *all, const char *path)
{
    terms_missing missing = {.list = ""};
    double *levels = levy_build_allocate(build, trade->n_underlyings, sizeof *levels);
    trade->observations = levy_build_allocate(build, all->n, sizeof *trade->observations);
    if (!levels || !trade->observations) return false;
    for (size_t i = 0; i < all->n; i++) {
        const double t = all->times[i];
        if (!terms_is_now(t) && t > 0) {
            trade->observations[trade->n_observations++] = t;
            continue;
        }
        bool partly = false;
        double unused;
        for (size_t k = 0; k < trade->n_underlyings; k++)
            partly |= terms_fixing(
                &frame->market->fixings[trade->model->assets[trade->underlyings[k]] - frame->market->assets], t,
                &unused);
        if (terms_is_now(t) && !partly)
            trade->observes_now = true;
        else if (terms_past_levels(build, frame, trade, all, i, levels, &missing))
            terms_take_past(trade, levels);
    }
    if (missing.count == 0) return true;
    const char *rest = missing.hidden > 0 ? levy_build_text(build, " and %zu more", missing.hidden) : "";
    return LEVY_REFUSE(build, MISSING_DATA, all->nodes[0], path,
                       "Add them as [time, level] to the assets' fixings in the market.",
                       "past fixings are missing: %s%s", missing.list, rest);
}

static bool terms_barrier(levy_build *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff_terms *terms = trade->terms;
    const levy_node *node = levy_build_at(terms_at(frame, "barrier"), "level");
    const char *path = terms_path(build, frame, "barrier.level");
    if (!terms_fraction(build, frame, trade, "barrier.level", terms->barrier_level)) return false;
    const double level = terms_level_now(build, trade);
    if (trade->knocked || trade->observes_now || !terms_touched(terms, level)) return true;
    return LEVY_REFUSE(build, RANGE, node, path,
                       "Check direction and level; if a past observation touched it, add its date to observations and "
                       "its fixing to the market.",
                       "already breached: today's level is %s, %s the %s barrier %s", levy_build_rounded(build, level),
                       level == terms->barrier_level   ? "at"
                       : terms->barrier_direction == 0 ? "above"
                                                       : "below",
                       terms->barrier_direction == 0 ? "up" : "down", levy_build_number(build, terms->barrier_level));
}

static bool terms_observations(levy_build *build, const levy_trade_frame *frame, levy_trade *trade)
{
    const bool averages = (levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_AVERAGES) != 0;
    const char *block = averages ? "averaging" : "barrier";
    const char *path = levy_build_text(build, "%s.payoff.%s.observations", frame->path, block);
    const levy_schedule_frame schedule = {.terms = &trade->terms->observations,
                                          .path = path,
                                          .expiry_as_written = &frame->raw->exercise.expiry,
                                          .expiry = trade->expiry};
    levy_observations all;
    if (!averages && trade->terms->barrier_monitoring == 1)
        return LEVY_REFUSE(build, UNSUPPORTED, levy_build_at(terms_at(frame, "barrier"), "monitoring"),
                           terms_path(build, frame, "barrier.monitoring"),
                           "Write monitoring: discrete, with its observations.",
                           "continuous monitoring is not priced yet");
    if (!levy_schedule_resolve(build, frame->market, &schedule, &all)) return false;
    if (!terms_part(build, frame, trade, &all, path)) return false;
    return averages || terms_barrier(build, frame, trade);
}

bool levy_terms_build(levy_build *build, const levy_trade_frame *frame, levy_trade *trade)
{
    if (!terms_aggregate(build, frame, trade) || !terms_weights(build, frame, trade)) return false;
    if (!terms_coefficients(build, frame, trade)) return false;
    bool good = terms_strike(build, frame, trade);
    if (levy_payoffs[trade->payoff]->features & LEVY_PAYOFF_OBSERVES) good &= terms_observations(build, frame, trade);
    return good;
}
