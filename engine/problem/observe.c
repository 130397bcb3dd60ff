/* observe.c: finds when a payoff looks at its level, parts these times into past, today and future,
 * and applies the past ones. observe_continuous.c does continuous monitoring. See trade.h. */
#include "engine/problem/observe.h"

#include "engine/problem/schedule.h"
#include "engine/problem/trade_claim.h"

#include <string.h>

const levy_watch_terms *levy_observe_watch(const levy_trade *trade)
{
    return levy_terms_watch(levy_payoffs[trade->kind.payoff], trade->claim.terms);
}

/* "trades[0].payoff.barrier.window": a key of the block that holds the observations. */
const char *levy_observe_path(const levy_trade_frame *frame, const levy_trade *trade,
                              const char *key)
{
    const char *block = levy_payoffs[trade->kind.payoff]->block;
    return block ? levy_check_text(frame->build, "%s.payoff.%s.%s", frame->path, block, key)
                 : levy_check_text(frame->build, "%s.payoff.%s", frame->path, key);
}

const levy_node *levy_observe_block(const levy_trade_frame *frame, const levy_trade *trade)
{
    const char *block = levy_payoffs[trade->kind.payoff]->block;
    return block ? levy_check_at(frame->raw->payoff.node, block) : frame->raw->payoff.node;
}

/* ---- Past fixings ---- */

/* Bisects. Times that are meant to be equal agree to far less than a day. */
static bool observe_fixing(const levy_trade_frame *frame, const levy_asset *asset, double t,
                           double *level)
{
    const levy_fixings *const fixings = &frame->market->fixings[asset - frame->market->assets];
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

bool levy_trade_fixing(const levy_trade_frame *frame, const levy_trade *trade, size_t u, double t,
                       double *level)
{
    const levy_asset *const asset = levy_trade_asset(trade, u);
    double own, rate;
    if (!observe_fixing(frame, levy_asset_quoted(asset), t, &own)) return false;
    if (!asset->quanto.composite) return *level = own, true;
    if (!observe_fixing(frame, asset->quanto.fx, t, &rate)) return false;
    return *level = levy_asset_composite(asset, own, rate), true;
}

typedef struct observe_missing {
    const char *list;
    size_t count, hidden;
} observe_missing;

static void observe_miss(levy_check *build, observe_missing *missing, const char *asset,
                         const char *time)
{
    enum { MOST_NAMED = 8 };
    if (missing->count++ >= MOST_NAMED)
        missing->hidden++;
    else
        missing->list = levy_check_text(build, "%s%s%s at %s", missing->list,
                                        missing->count > 1 ? ", " : "", asset, time);
}

bool levy_time_is_now(double t) { return t > -1e-9 && t < 1e-9; }

bool levy_trade_stand_in(levy_check *build, levy_trade *trade, size_t u)
{
    if (!trade->claim.stands_in)
        trade->claim.stands_in =
            levy_check_allocate(build, trade->n_underlyings, sizeof *trade->claim.stands_in);
    if (trade->claim.stands_in) trade->claim.stands_in[u] = true;
    return trade->claim.stands_in;
}

/* The levels of all underlyings at a past time, or today, when spots stand for fixings that are not
 * given yet. Notes what is missing. */
static bool observe_past_levels(const levy_trade_frame *frame, levy_trade *trade,
                                const levy_observations *all, size_t i, double *levels,
                                observe_missing *missing)
{
    bool good = true;
    for (size_t k = 0; k < trade->n_underlyings; ++k) {
        const levy_asset *asset = levy_trade_asset(trade, k);
        if (levy_trade_fixing(frame, trade, k, all->times[i], &levels[k])) continue;
        levels[k] = asset->spot;
        if (levy_time_is_now(all->times[i])) {
            good &= levy_trade_stand_in(frame->build, trade, k);
            continue;
        }
        good = false;
        if (missing)
            observe_miss(frame->build, missing, asset->name,
                         levy_observation_text(frame->build, all, i));
    }
    return good;
}

void levy_trade_take_past(levy_trade *trade, const double *levels, bool today)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const double level = levy_trade_level(trade, levels);
    const bool before = trade->claim.past.knocked;
    if (kind->take)
        kind->take(trade->claim.terms, level, &trade->claim.past);
    else
        trade->claim.past.sum += level;
    trade->claim.past.knocked_now = today && trade->claim.past.knocked && !before;
    trade->claim.past.last = level;
    trade->claim.past.n++;
}

bool levy_trade_is_fixed(const levy_trade_frame *frame, const levy_trade *trade, double t)
{
    bool fixed = false;
    double unused;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        fixed |= levy_trade_fixing(frame, trade, u, t, &unused);
    return fixed;
}

/* Splits the observations into past fixings, today's spot and future times. Today's observation
 * counts as past if a fixing is given for it. */
static bool observe_part(const levy_trade_frame *frame, levy_trade *trade,
                         const levy_observations *all, const char *path)
{
    observe_missing missing = {.list = ""};
    double *levels = levy_check_allocate(frame->build, trade->n_underlyings, sizeof *levels);
    trade->claim.observations.times =
        levy_check_allocate(frame->build, all->n, sizeof *trade->claim.observations.times);
    if (!levels || !trade->claim.observations.times) return false;
    for (size_t i = 0; i < all->n; ++i) {
        const double t = all->times[i];
        if (!levy_time_is_now(t) && t > 0) {
            trade->claim.observations.times[trade->claim.observations.n++] = t;
            continue;
        }
        if (trade->claim.past.given && !levy_time_is_now(t)) continue;
        if (levy_time_is_now(t) && !levy_trade_is_fixed(frame, trade, t))
            trade->claim.observes_now = true;
        else if (observe_past_levels(frame, trade, all, i, levels, &missing))
            levy_trade_take_past(trade, levels, levy_time_is_now(t));
    }
    if (missing.count == 0) return true;
    const char *rest =
        missing.hidden > 0 ? levy_check_text(frame->build, " and %zu more", missing.hidden) : "";
    return LEVY_REFUSE(frame->build, MISSING_DATA, all->nodes[0], path,
                       "Add them as [time, level] to the assets' fixings in the market.",
                       "past fixings are missing: %s%s", missing.list, rest);
}

/* ---- What today says ---- */

static double observe_level_now(levy_check *build, const levy_trade *trade)
{
    double *spots = levy_check_allocate(build, trade->n_underlyings, sizeof *spots);
    if (!spots) return 0;
    for (size_t i = 0; i < trade->n_underlyings; ++i) spots[i] = levy_trade_asset(trade, i)->spot;
    return levy_trade_level(trade, spots);
}

/* The key of the barrier that a level has passed; *name and *at describe it. NULL: it has passed
 * none. No level has passed a barrier of direction cross. */
static const char *observe_passed(const levy_barrier_terms *barrier, double level,
                                  const char **name, double *at)
{
    const bool two = levy_barrier_is_double(barrier), low = two && level <= barrier->lower;
    *name = barrier->direction == LEVY_BARRIER_UP ? "up" : "down";
    *at = barrier->level;
    if (two) *name = low ? "lower" : "upper";
    if (two) *at = low ? barrier->lower : barrier->upper;
    if (barrier->direction == LEVY_BARRIER_CROSS || !levy_barrier_is_beyond(barrier, level))
        return NULL;
    return two ? *name : "level";
}

/* A spot beyond a barrier is right on some days, and on others a barrier on the wrong side. */
static void observe_warn_beyond(const levy_trade_frame *frame, const levy_trade *trade)
{
    const double level = observe_level_now(frame->build, trade);
    const bool open = trade->claim.watches == LEVY_WATCHES_ALWAYS;
    const char *name;
    double at;
    const char *const key = observe_passed(levy_trade_barrier(trade), level, &name, &at);
    if (!key || trade->claim.past.knocked || trade->state == LEVY_TRADE_KNOWN ||
        trade->claim.observes_now || trade->claim.watches == LEVY_WATCHES_LATER)
        return;
    LEVY_WARN(frame->build, RANGE, levy_check_at(levy_observe_block(frame, trade), key),
              levy_observe_path(frame, trade, key),
              open ? "Check direction and level. If it was touched before today, write state: "
                     "{touched: true} in the payoff."
                   : "Check direction and level.",
              "today's level is %s, %s the %s barrier %s: %s",
              levy_check_rounded(frame->build, level),
              level == at  ? "at"
              : level < at ? "below"
                           : "above",
              name, levy_check_number(frame->build, at),
              open ? "it is touched today" : "no touch, because today is no observation");
}

static bool observe_discretely(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_watch_terms *const watch = levy_observe_watch(trade);
    const char *path = levy_observe_path(frame, trade, "observations");
    const levy_schedule_frame schedule = {
        .terms = levy_terms_observations(levy_payoffs[trade->kind.payoff], trade->claim.terms),
        .path = path,
        .expiry_as_written = &frame->raw->exercise.expiry,
        .expiry = trade->claim.expiry};
    levy_observations all;
    if (watch && watch->window.node)
        return LEVY_REFUSE(
            frame->build, INCONSISTENT, watch->window.node,
            levy_observe_path(frame, trade, "window"),
            "Write monitoring: continuous, or give the observations a start and an end.",
            "is not allowed with discrete monitoring");
    if (!schedule.terms->node)
        return LEVY_REFUSE(
            frame->build, MISSING_KEY, levy_observe_block(frame, trade),
            levy_check_text(frame->build, "%s.payoff.%s", frame->path,
                            levy_payoffs[trade->kind.payoff]->block),
            levy_check_text(frame->build,
                            "Write observations: {%s}, for example%s. Dates are not after expiry. "
                            "Past levels are taken from the assets' fixings.",
                            frame->build->has_date ? "frequency: 1D" : "count: 252",
                            watch ? ", or monitoring: continuous" : ""),
            "missing key 'observations'");
    return levy_schedule_resolve(frame->build, frame->market, &schedule, &all) &&
           observe_part(frame, trade, &all, path);
}

/* The one observation of a forward start. */
static bool observe_reset(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_time *reset = levy_terms_reset(levy_payoffs[trade->kind.payoff], trade->claim.terms);
    const char *path = levy_check_text(frame->build, "%s.payoff.reset", frame->path);
    const levy_node *nodes[1] = {reset->node};
    double times[1];
    const levy_observations all = {
        .n = 1, .times = times, .nodes = nodes, .dates = reset->is_date ? &reset->date : NULL};
    if (!levy_check_time(frame->build, reset, path, times)) return false;
    if (times[0] >= trade->claim.expiry)
        return LEVY_REFUSE(frame->build, RANGE, reset->node, path,
                           "Choose a reset date before expiry.", "%s is not before expiry, %s",
                           levy_check_shown(reset->node),
                           levy_check_shown(frame->raw->exercise.expiry.node));
    return observe_part(frame, trade, &all, path);
}

/* Fills the schedules that a kind has beside its observations. */
static bool observe_further(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff_schedule *const further = levy_payoffs[trade->kind.payoff]->further;
    if (trade->state == LEVY_TRADE_KNOWN && further && further[0].key)
        return LEVY_REFUSE(frame->build, UNSUPPORTED, frame->raw->exercise.expiry.node,
                           levy_check_text(frame->build, "%s.exercise.expiry", frame->path),
                           "Leave the trade out: it has no future.",
                           "a payoff with more than one schedule must expire after the valuation");
    for (size_t k = 0; further && further[k].key; ++k) {
        levy_times *const times = &trade->claim.further[trade->kind.n_further++];
        const levy_schedule_frame schedule = {
            .terms = levy_terms_schedule_at(trade->claim.terms, further[k].offset),
            .path = levy_check_text(frame->build, "%s.payoff.%s", frame->path, further[k].key),
            .expiry_as_written = &frame->raw->exercise.expiry,
            .expiry = trade->claim.expiry};
        levy_observations all;
        if (!schedule.terms->node) continue;
        if (!levy_schedule_resolve(frame->build, frame->market, &schedule, &all)) return false;
        if (all.n > 0 && (levy_time_is_now(all.times[0]) || all.times[0] < 0))
            return LEVY_REFUSE(frame->build, UNSUPPORTED, all.nodes[0], schedule.path,
                               "Leave out dates that have passed, if they changed nothing.",
                               "%s is not after the valuation: the past of this schedule is not "
                               "known",
                               levy_observation_text(frame->build, &all, 0));
        *times = (levy_times){all.n, all.times};
    }
    return true;
}

levy_times levy_trade_schedule(const levy_trade *trade, size_t k)
{
    return k == 0 ? trade->claim.observations : trade->claim.further[k - 1];
}

bool levy_trade_observes(const levy_trade *trade, size_t k, double time)
{
    if (k > trade->kind.n_further)
        return levy_nodes_at(levy_trade_ex_dates(trade), time) != SIZE_MAX;
    const levy_times times = levy_trade_schedule(trade, k);
    if (k > 0 || !levy_trade_is_continuous(trade) || !levy_trade_sees_variances(trade))
        return levy_times_find(&times, time) < times.n;
    return time <= times.times[times.n - 1] &&
           (trade->claim.watches == LEVY_WATCHES_ALWAYS || time >= times.times[0]);
}

size_t levy_times_find(const levy_times *times, double time)
{
    size_t low = 0, high = times->n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (times->times[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low < times->n && times->times[low] == time ? low : times->n;
}

bool levy_trade_observe(const levy_trade_frame *frame, levy_trade *trade)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    const levy_watch_terms *const watch = levy_observe_watch(trade);
    if (trade->state == LEVY_TRADE_KNOWN && !levy_trade_settle(frame, trade)) return false;
    if (kind->source) return levy_trade_script(frame, trade);
    if (!observe_further(frame, trade)) return false;
    if (kind->reset) return observe_reset(frame, trade);
    if (!kind->observations) return true;
    const bool good = watch && levy_watch_is_continuous(watch)
                          ? levy_observe_continuously(frame, trade)
                          : observe_discretely(frame, trade);
    if (good && kind->barrier) observe_warn_beyond(frame, trade);
    return good;
}
