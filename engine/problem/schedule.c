/* schedule.c: see schedule.h. Dates stay dates until they become model times. */
#include "engine/problem/schedule.h"

#include "engine/base/tie.h"
#include "engine/problem/trade.h"

#include <float.h>
#include <math.h>
#include <string.h>

bool levy_time_is_same(double a, double b)
{
    return levy_is_tie(a, b) || (levy_time_is_now(a) && levy_time_is_now(b));
}

const char *levy_observation_text(levy_check *build, const levy_observations *observations,
                                  size_t i)
{
    char date[11];
    if (!observations->dates) return levy_check_number(build, observations->times[i]);
    levy_date_write(observations->dates[i], date);
    return levy_check_text(build, "%s", date);
}

static double lag_years(levy_tenor lag)
{
    switch (lag.unit) {
    case 'D':
        return lag.count / 365.0;
    case 'W':
        return lag.count / (365.0 / 7);
    case 'M':
        return lag.count / 12.0;
    default:
        return lag.count;
    }
}

bool levy_lag_time(levy_check *build, levy_market *market, const levy_lag *lag,
                   const levy_date *date, double time, double *paid)
{
    const levy_calendar *const *calendars;
    const size_t n = lag->calendars->count;
    const char *const path = levy_check_text(build, "%s.calendars", lag->path);
    if (!date && n > 0 && build->has_date)
        return LEVY_REFUSE(build, INCONSISTENT, lag->calendars->node, path,
                           "Write a frequency or a list of dates, or remove calendars.",
                           "calendars need dates, but a count gives times between dates");
    if (!date && n > 0)
        return LEVY_REFUSE(build, INCONSISTENT, lag->calendars->node, path,
                           "Remove calendars, or add valuation_date and write times as dates.",
                           "calendars need dates, but the times of this book are in years");
    if (!date) return *paid = time + lag_years(lag->lag), true;
    if (!levy_market_calendars(build, market, lag->calendars, path, &calendars)) return false;
    levy_date to = *date;
    if (lag->lag.unit == 'D' && n > 0)
        to = levy_date_add_business_days(*date, lag->lag.count, calendars, n);
    else if (!levy_date_add(*date, lag->lag, false, &to))
        return LEVY_REFUSE(build, RANGE, lag->node,
                           levy_check_text(build, "%s.payment_lag", lag->path),
                           "The last supported year is 2199.", "gives a date after the year 2199");
    else
        to = levy_date_roll(to, LEVY_ROLL_FOLLOWING, calendars, n);
    *paid = levy_check_years(build, to);
    return levy_market_knows_days(build, market, lag->calendars, calendars, path, *date, to);
}

/* Path of time i of a list, which may be written without its key `times`. */
static const char *schedule_time_path(levy_check *build, const levy_schedule_frame *frame, size_t i)
{
    const bool bare = frame->terms->node && frame->terms->node->kind == LEVY_NODE_LIST;
    return levy_check_text(build, bare ? "%s[%zu]" : "%s.times[%zu]", frame->path, i);
}

/* Refuses the first of `keys` that the schedule gives. */
static bool schedule_refuse_keys(levy_check *build, const levy_schedule_frame *frame,
                                 const char *const *keys, const char *form)
{
    for (; *keys; ++keys) {
        const levy_node *node = levy_node_find(frame->terms->node, *keys);
        const bool of_lag = frame->terms->payment_lag.unit && strcmp(*keys, "calendars") == 0;
        if (node && !of_lag)
            return LEVY_REFUSE(build, INCONSISTENT, node,
                               levy_check_text(build, "%s.%s", frame->path, *keys),
                               "Remove one of the two.", "cannot be combined with %s", form);
    }
    return true;
}

/* Checks that exactly one form is given, and only the keys that belong to it. */
static bool schedule_check_form(levy_check *build, const levy_schedule_frame *frame)
{
    static const char *const excluded_by_times[] = {
        "start",      "end",          "count", "frequency", "include_start", "roll", "calendars",
        "generation", "end_of_month", "ties",  NULL};
    static const char *const excluded_by_count[] = {
        "frequency", "roll", "calendars", "generation", "end_of_month", "ties", NULL,
    };
    const levy_schedule_terms *terms = frame->terms;
    if (terms->times.node)
        return schedule_refuse_keys(build, frame, excluded_by_times, "a list of times");
    if (terms->count > 0) return schedule_refuse_keys(build, frame, excluded_by_count, "count");
    if (terms->frequency.unit == 0)
        return LEVY_REFUSE(build, MISSING_KEY, terms->node, frame->path,
                           "Write {count: 12}, {frequency: 1M}, or a list of times.",
                           "needs count, frequency or a list of times");
    const levy_node *frequency = levy_node_find(terms->node, "frequency");
    const char *path = levy_check_text(build, "%s.frequency", frame->path);
    if (!build->has_date)
        return LEVY_REFUSE(build, INCONSISTENT, frequency, path,
                           "Write count for equally spaced times, or write a list of times.",
                           "a frequency needs dates, but the times of this book are in years");
    if (terms->frequency.count == 0)
        return LEVY_REFUSE(build, RANGE, frequency, path, "Write a tenor such as 1M.",
                           "a frequency must be positive; got %s", levy_check_shown(frequency));
    const bool of_lag = terms->payment_lag.unit && terms->roll == LEVY_ROLL_NONE;
    if ((terms->roll != LEVY_ROLL_NONE) != (terms->calendars.count > 0) && !of_lag)
        return LEVY_REFUSE(build, INCONSISTENT, terms->node, frame->path,
                           terms->calendars.count > 0
                               ? "Add a roll such as modified_following, or remove calendars."
                               : "Add calendars, such as [WEEKENDS], or remove roll.",
                           "roll and calendars have no effect without each other");
    return true;
}

static bool schedule_room(levy_check *build, levy_observations *out, size_t n)
{
    out->times = levy_check_allocate(build, n, sizeof *out->times);
    out->nodes = levy_check_allocate(build, n, sizeof *out->nodes);
    out->n = n;
    return out->times && out->nodes;
}

static bool schedule_from_list(levy_check *build, const levy_schedule_frame *frame,
                               levy_observations *out)
{
    const levy_time *items = frame->terms->times.items;
    if (!schedule_room(build, out, frame->terms->times.count)) return false;
    levy_date *dates = build->has_date ? levy_check_allocate(build, out->n, sizeof *dates) : NULL;
    bool good = true;
    for (size_t i = 0; i < out->n; ++i) {
        out->nodes[i] = items[i].node;
        good &=
            levy_check_time(build, &items[i], schedule_time_path(build, frame, i), &out->times[i]);
        if (dates) dates[i] = items[i].date;
    }
    out->dates = dates;
    return good;
}

/* Finds where the schedule starts and ends: as given, or from the valuation to expiry. */
static bool schedule_ends(levy_check *build, const levy_schedule_frame *frame, levy_time *start,
                          levy_time *end, double *t0, double *t1)
{
    const levy_schedule_terms *terms = frame->terms;
    const levy_time valuation = {
        .node = terms->node, .is_date = build->has_date, .date = build->valuation};
    *start = terms->start.node ? terms->start : valuation;
    *end = terms->end.node ? terms->end : *frame->expiry_as_written;
    if (!levy_check_time(build, start, levy_check_text(build, "%s.start", frame->path), t0))
        return false;
    if (!levy_check_time(build, end, levy_check_text(build, "%s.end", frame->path), t1))
        return false;
    if (terms->end.node && *t1 > frame->expiry)
        return LEVY_REFUSE(build, RANGE, end->node, levy_check_text(build, "%s.end", frame->path),
                           "End the schedule at or before expiry.",
                           "the schedule ends at %s, after expiry, %s", levy_check_shown(end->node),
                           levy_check_shown(frame->expiry_as_written->node));
    if (*t0 < *t1) return true;
    const levy_node *node = terms->start.node ? terms->start.node : end->node;
    const char *path =
        levy_check_text(build, "%s.%s", frame->path, terms->start.node ? "start" : "end");
    /* a range of one date, and the dates that a frequency gives it */
    const bool one_date = terms->frequency.unit != 0 && start->date == end->date;
    if (one_date && terms->include_start) return true;
    if (one_date)
        return LEVY_REFUSE(build, RANGE, node, path, "Write include_start: true, or a later end.",
                           "the schedule starts and ends at %s, and leaves out its start",
                           levy_check_shown(end->node));
    return LEVY_REFUSE(build, RANGE, node, path, "Start the schedule before its end.",
                       "the schedule starts at %s and ends at %s",
                       terms->start.node ? levy_check_shown(start->node) : "the valuation",
                       levy_check_shown(end->node));
}

double levy_schedule_even_time(double t0, double t1, size_t k, size_t n)
{
    static const double decimals = 1e10;
    if (k == n) return t1;
    const double t = t0 + (double)k * (t1 - t0) / (double)n,
                 written = rint(t * decimals) / decimals;
    return fabs(written - t) <= 4.0 * DBL_EPSILON * fabs(t1) ? written : t;
}

/* Makes count equal periods. */
static bool schedule_from_count(levy_check *build, const levy_schedule_frame *frame,
                                levy_observations *out)
{
    const levy_schedule_terms *terms = frame->terms;
    levy_time start, end;
    double t0, t1;
    if (!schedule_ends(build, frame, &start, &end, &t0, &t1)) return false;
    if (build->has_date && t0 < 0)
        return LEVY_REFUSE(build, UNSUPPORTED, start.node,
                           levy_check_text(build, "%s.start", frame->path),
                           "Write a frequency, or the list of dates.",
                           "equally spaced times from a past date are not dates, so their past "
                           "fixings cannot be looked up");
    const size_t first = terms->include_start ? 0 : 1, count = (size_t)terms->count;
    if (!schedule_room(build, out, count + 1 - first)) return false;
    for (size_t i = 0; i < out->n; ++i) {
        out->times[i] = levy_schedule_even_time(t0, t1, i + first, count);
        out->nodes[i] = terms->node;
    }
    return true;
}

static bool schedule_from_frequency(levy_check *build, levy_market *market,
                                    const levy_schedule_frame *frame, levy_observations *out)
{
    const levy_schedule_terms *terms = frame->terms;
    const levy_calendar *const *calendars;
    levy_time start, end;
    double t0, t1;
    levy_date *dates = NULL;
    const char *const path = levy_check_text(build, "%s.calendars", frame->path);
    if (!levy_market_calendars(build, market, &terms->calendars, path, &calendars)) return false;
    if (!schedule_ends(build, frame, &start, &end, &t0, &t1)) return false;
    const levy_schedule_rule rule = {.start = start.date,
                                     .end = end.date,
                                     .frequency = terms->frequency,
                                     .roll = (levy_roll)terms->roll,
                                     .backward = terms->generation == LEVY_GENERATED_BACKWARD,
                                     .end_of_month = terms->end_of_month,
                                     .exclude_start = !terms->include_start,
                                     .quantlib = terms->ties == LEVY_TIES_QUANTLIB,
                                     .calendars = calendars,
                                     .n_calendars = terms->calendars.count};
    size_t n = 0;
    if (!levy_schedule_build(&rule, build->arena, &dates, &n))
        return LEVY_REFUSE(build, LIMIT, terms->node, frame->path,
                           "Choose a longer frequency or a shorter period.",
                           "the schedule has more than %d dates, or there is not enough memory "
                           "for them",
                           LEVY_RAW_MAX_OBSERVATIONS);
    if (!schedule_room(build, out, n)) return false;
    out->dates = dates;
    for (size_t i = 0; i < n; ++i) {
        out->times[i] = levy_check_years(build, dates[i]);
        out->nodes[i] = terms->node;
    }
    return n == 0 || levy_market_knows_days(build, market, &terms->calendars, calendars, path,
                                            dates[0], dates[n - 1]);
}

/* Checks that there is a time, that times ascend and differ, and that none is after expiry. */
static bool schedule_check(levy_check *build, const levy_schedule_frame *frame,
                           const levy_observations *out)
{
    const bool listed = frame->terms->times.node != NULL;
    const size_t n = out->n;
    if (n == 0)
        return LEVY_REFUSE(build, RANGE, frame->terms->node, frame->path, "Give at least one time.",
                           "the schedule is empty");
    for (size_t i = 1; i < n; ++i)
        if (out->times[i] <= out->times[i - 1] || levy_is_tie(out->times[i], out->times[i - 1]))
            return LEVY_REFUSE(
                build, RANGE, out->nodes[i],
                listed ? schedule_time_path(build, frame, i) : frame->path,
                "Sort the times, and write each time once.", "the observation %s is not after %s",
                levy_observation_text(build, out, i), levy_observation_text(build, out, i - 1));
    if (out->times[n - 1] <= frame->expiry) return true;
    return LEVY_REFUSE(build, RANGE, out->nodes[n - 1],
                       listed ? schedule_time_path(build, frame, n - 1) : frame->path,
                       "End the schedule at or before expiry. The rolling convention may have "
                       "moved the last date.",
                       "the observation %s is after expiry, %s",
                       levy_observation_text(build, out, n - 1),
                       levy_check_shown(frame->expiry_as_written->node));
}

/* Payments a lag after the dates. */
static bool schedule_lag(levy_check *build, levy_market *market, const levy_schedule_frame *frame,
                         levy_observations *out)
{
    const levy_schedule_terms *const terms = frame->terms;
    const levy_lag lag = {.lag = terms->payment_lag,
                          .calendars = &terms->calendars,
                          .node = levy_node_find(terms->node, "payment_lag"),
                          .path = frame->path};
    const char *const path = levy_check_text(build, "%s.payment_lag", frame->path);
    if (!frame->pays)
        return LEVY_REFUSE(build, UNSUPPORTED, lag.node, path,
                           "Remove it. The payment of the trade has a lag by the trade's own "
                           "payment_lag.",
                           "only the dates of a script have payments");
    out->paid = levy_check_allocate(build, out->n, sizeof *out->paid);
    for (size_t i = 0; out->paid && i < out->n; ++i) {
        if (!levy_lag_time(build, market, &lag, out->dates ? &out->dates[i] : NULL, out->times[i],
                           &out->paid[i]))
            return false;
        if (out->paid[i] <= frame->payment + 1e-9) continue;
        return LEVY_REFUSE(build, RANGE, lag.node, path,
                           "Give the trade payment_lag as well, or a later payment_date.",
                           "what %s pays is paid after the trade's payment date",
                           levy_observation_text(build, out, i));
    }
    return out->paid;
}

bool levy_schedule_resolve(levy_check *build, levy_market *market, const levy_schedule_frame *frame,
                           levy_observations *observations)
{
    *observations = (levy_observations){0};
    if (!schedule_check_form(build, frame)) return false;
    bool good;
    if (frame->terms->times.node)
        good = schedule_from_list(build, frame, observations);
    else if (frame->terms->count > 0)
        good = schedule_from_count(build, frame, observations);
    else
        good = schedule_from_frequency(build, market, frame, observations);
    good = good && schedule_check(build, frame, observations);
    if (!good || !frame->terms->payment_lag.unit) return good;
    return schedule_lag(build, market, frame, observations);
}
