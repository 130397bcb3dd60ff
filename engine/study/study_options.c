/* study_options.c: the options of studies, read and checked: sizes, trades, counts. Must not know:
 * what a method's name means. */
#include "engine/study/study_reader.h"

#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "kernels/points/point_set.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char study_converge_methods[] =
    "sobol_scrambled+bridge,sobol_scrambled+incremental,mrg32k3a+incremental";
static const char study_coverage_methods[] = "sobol_scrambled+bridge";
enum { STUDY_REPLICATES = 65536, STUDY_RESAMPLES = 1000000, STUDY_SEEDS = 1000000 };

/* ---- Sizes ---- */

/* What a range may hold, and how its faults speak of it. */
typedef struct study_range {
    const char *path, *most_text, *hint;
    uint64_t most;
} study_range;
#define STUDY_POINTS(path)                                                                         \
    {                                                                                              \
        path, "2^32", "Write 2^8..2^18, or one size.", (uint64_t)1 << 32                           \
    }
static const study_range study_points = STUDY_POINTS("points"),
                         study_fit_points = STUDY_POINTS("fit"),
                         study_steps = {"steps", "65536", "Write 4..256.", 65536};

static bool study_is_size(uint64_t n, const study_range *range)
{
    return n >= 2 && n <= range->most && (n & (n - 1)) == 0;
}

static levy_status study_bad_size(study_reader *r, const study_range *range, const char *text,
                                  uint64_t count)
{
    const char *nearest = "";
    uint64_t below = 2;
    while (below * 2 <= count && below * 2 <= range->most) below *= 2;
    if (count > 2 && count < range->most)
        nearest = levy_arena_format(r->arena, "; the nearest are %" PRIu64 " and %" PRIu64, below,
                                    below * 2);
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, range->path, range->hint,
                   "must be powers of two from 2 to %s, as FIRST..LAST; got '%s'%s",
                   range->most_text, text, nearest ? nearest : "");
    return LEVY_ARGUMENT;
}

/* "2^8..2^18", or "2^12" for both ends. */
static levy_status study_sizes(study_reader *r, const study_range *range, const char *text,
                               uint64_t *first, uint64_t *last)
{
    const char *dots = strstr(text, "..");
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);
    const char *end = dots ? dots + 2 : text;
    *first = *last = 0;
    if (levy_count_read(text, length, first) != LEVY_NUMBER_OK || !study_is_size(*first, range))
        return study_bad_size(r, range, text, *first);
    if (levy_count_read(end, dots ? strlen(end) : length, last) != LEVY_NUMBER_OK ||
        !study_is_size(*last, range))
        return study_bad_size(r, range, text, *last);
    if (*first <= *last) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, range->path,
                   "Write the smaller size first.",
                   "the first size must not be above the last; got '%s'", text);
    return LEVY_ARGUMENT;
}

static levy_status study_one_size(study_reader *r, const char *text, const char *what)
{
    if (r->request->first == r->request->last) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, "points", NULL,
                   "%s needs one size; got '%s'", what, text);
    return LEVY_ARGUMENT;
}

static levy_status study_check_net(study_reader *r)
{
    const levy_study_request *const q = r->request;
    const levy_net *const net = r->book->problem->simulation.net;
    bool used = false;
    for (size_t m = 0; m < q->n_methods; ++m) used |= q->methods[m].net;
    if (!used || q->last <= (uint64_t)1 << levy_net_log_points(net)) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_LIMIT, NULL, "points",
                   "Use fewer points, or a net with more columns.",
                   "the net has 2^%u points; got %" PRIu64, (unsigned)levy_net_log_points(net),
                   q->last);
    return LEVY_ARGUMENT;
}

/* A file has so many points, and perhaps replicates of its own, which no seed changes. */
static levy_status study_check_points(study_reader *r, bool coverage)
{
    const levy_study_request *const q = r->request;
    for (size_t m = 0; m < q->n_methods; ++m) {
        const levy_point_set *const set = q->methods[m].points;
        const bool own = set && set->n_replicates > 0,
                   few = set &&
                         (q->last > set->n_points || (own && q->replicates > set->n_replicates));
        if (few || (own && coverage)) {
            levy_fault_add(&r->context->faults, LEVY_REASON_LIMIT, NULL, few ? "points" : "methods",
                           few ? "Ask for fewer points or replicates, or use a larger file."
                               : "Use a file [point][dimension], which each seed shifts.",
                           "the file of %s has %u replicate%s of %" PRIu64 " points",
                           q->methods[m].name, own ? (unsigned)set->n_replicates : 1u,
                           own && set->n_replicates > 1 ? "s" : "", set->n_points);
            return LEVY_ARGUMENT;
        }
    }
    return LEVY_OK;
}

static levy_status study_fit(study_reader *r, const char *text)
{
    levy_study_request *q = r->request;
    const uint64_t first = q->last_step ? q->first_step : q->first,
                   last = q->last_step ? q->last_step : q->last;
    q->fit_first = first;
    q->fit_last = last;
    if (!text) return LEVY_OK;
    LEVY_TRY(study_sizes(r, &study_fit_points, text, &q->fit_first, &q->fit_last));
    if (q->fit_first >= first && q->fit_last <= last && q->fit_first < q->fit_last) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "fit",
                   "Give at least two sizes, all of them simulated.",
                   "must be a part of %s, %" PRIu64 " to %" PRIu64 "; got '%s'",
                   q->last_step ? "steps" : "points", first, last, text);
    return LEVY_ARGUMENT;
}

static levy_status study_number(study_reader *r, const char *path, uint32_t given,
                                uint32_t fallback, uint32_t least, uint32_t most, uint32_t *value)
{
    *value = given ? given : fallback;
    if (*value >= least && *value <= most) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, path, NULL,
                   "must lie between %" PRIu32 " and %" PRIu32 "; got %" PRIu32, least, most,
                   *value);
    return LEVY_ARGUMENT;
}

/* ---- Trades ---- */

/* The first few ids, for a hint. */
static const char *study_ids(study_reader *r)
{
    enum { MOST = 8 };
    const levy_problem *problem = r->book->problem;
    const char *list = "";
    for (size_t i = 0; list && i < problem->n_trades && i < MOST; ++i) {
        const char *const id = problem->trades[i].from->raw->id, *const comma = i ? ", " : "";
        list = levy_arena_format(r->arena, "%s%s%s", list, comma, id ? id : "?");
    }
    return levy_arena_format(r->arena, "The ids are: %s%s.", list ? list : "",
                             problem->n_trades > MOST ? ", ..." : "");
}

static levy_status study_unknown_trade(study_reader *r, const char *id)
{
    const char *const why = levy_problem_has_no(r->book->problem, id, r->arena);
    if (!why) return LEVY_MEMORY;
    levy_fault_add(&r->context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "trade", study_ids(r), "%s",
                   why);
    return LEVY_ARGUMENT;
}

static levy_status study_failed_trade(study_reader *r, size_t index)
{
    const char *message = r->book->trade_messages[index];
    levy_fault *fault = levy_fault_add(
        &r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "trade",
        "Correct the trade, or study another.", "trade '%s' cannot be priced: %s",
        r->book->problem->trades[index].from->raw->id, message ? message : "it has faults");
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_whole_trade(study_reader *r, size_t index)
{
    const levy_trade *const trade = &r->book->problem->trades[index], *leg = trade + 1;
    char hint[256];
    for (size_t k = 0; k + 1 < trade->from->n_legs && leg->state != LEVY_TRADE_PRICED; ++k) ++leg;
    snprintf(hint, sizeof hint, "Name a leg, such as %.200s.", leg->from->raw->id);
    levy_fault *fault =
        levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "trade", hint,
                       "trade '%s' is the sum of its legs", trade->from->raw->id);
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_known_trade(study_reader *r, size_t index)
{
    const levy_trade *const trade = &r->book->problem->trades[index];
    levy_fault *fault =
        levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "trade",
                       "Study another.", "the %s of trade '%s' is %s: nothing is simulated",
                       trade->early ? "early exercise" : "payoff", trade->from->raw->id,
                       trade->early ? "priced without paths" : "known");
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_stepless_trade(study_reader *r, size_t index)
{
    levy_fault *fault =
        levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "steps",
                       "Study points, or a trade under a model with steps, such as heston.",
                       "trade '%s' is simulated without an error of steps",
                       r->book->problem->trades[index].from->raw->id);
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_trades(study_reader *r, const char *id)
{
    const levy_problem *problem = r->book->problem;
    levy_study_request *q = r->request;
    q->trades = levy_arena_allocate(r->arena, problem->n_trades, sizeof *q->trades);
    if (!q->trades) return LEVY_MEMORY;
    size_t known = SIZE_MAX, stepless = SIZE_MAX;
    const size_t first = id ? levy_problem_trade(problem, id) : 0,
                 end = id && first < problem->n_trades ? first + 1 : problem->n_trades;
    if (first == end) return study_unknown_trade(r, id ? id : "");
    for (size_t i = first; i < end; ++i) {
        const levy_trade *trade = &problem->trades[i];
        if (!levy_trade_is_planned(trade) && !id) continue; /* the book's own faults report it */
        if (levy_trade_is_planned(trade) && trade->state != LEVY_TRADE_PRICED) known = i;
        if (known == i && !id) continue;
        if (known == i) return study_known_trade(r, i);
        if (trade->from->n_legs > 0) return study_whole_trade(r, i);
        if (!levy_trade_is_planned(trade)) return study_failed_trade(r, i);
        if (q->last_step && !levy_trade_has_steps(trade)) {
            stepless = i;
            continue;
        }
        q->trades[q->n_trades++] = i;
    }
    if (stepless != SIZE_MAX && q->n_trades == 0) return study_stepless_trade(r, stepless);
    if (known != SIZE_MAX && q->n_trades == 0) return study_known_trade(r, known);
    return LEVY_OK;
}

/* ---- All ---- */

static levy_status study_reference(study_reader *r, const levy_study_options *options)
{
    levy_study_request *q = r->request;
    q->has_reference = options->has_reference != 0;
    q->reference = options->reference;
    q->target_rmse = options->target_rmse;
    if (!(q->target_rmse >= 0.0 && isfinite(q->target_rmse))) {
        levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, "target_rmse", NULL,
                       "must be a positive number");
        return LEVY_ARGUMENT;
    }
    if (!q->has_reference || (isfinite(q->reference) && q->n_trades == 1)) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "reference",
                   "It is one number of one position.",
                   isfinite(q->reference) ? "needs a single trade: name it (--trade ID)"
                                          : "must be a finite number");
    return LEVY_ARGUMENT;
}

levy_status levy_study_request_read(levy_context *context, levy_book *book, levy_arena *arena,
                                    const levy_study_options *options, bool coverage, bool normals,
                                    levy_study_request *request)
{
    study_reader r = {context, book, arena, request, normals};
    *request = (levy_study_request){0};
    const bool one = coverage || options->steps;
    const char *methods = one ? study_coverage_methods : study_converge_methods;
    if (options->methods) methods = options->methods;
    const char *points = one ? "2^12" : "2^8..2^18";
    if (options->steps && !coverage) points = "2^14";
    if (options->steps && !coverage)
        LEVY_TRY(study_sizes(&r, &study_steps, options->steps, &request->first_step,
                             &request->last_step));
    if (options->points) points = options->points;
    LEVY_TRY(study_trades(&r, options->trade));
    LEVY_TRY(levy_study_measures_read(context, arena,
                                      options->measures ? options->measures : "price", request));
    LEVY_TRY(levy_study_methods_read(&r, methods, coverage));
    LEVY_TRY(study_sizes(&r, &study_points, points, &request->first, &request->last));
    LEVY_TRY(study_check_net(&r));
    if (one) LEVY_TRY(study_one_size(&r, points, coverage ? "coverage" : "a study by steps"));
    LEVY_TRY(study_fit(&r, options->fit));
    LEVY_TRY(study_number(&r, "replicates", options->replicates, coverage ? 16 : 32, 2,
                          STUDY_REPLICATES, &request->replicates));
    LEVY_TRY(study_check_points(&r, coverage));
    LEVY_TRY(study_number(&r, "resamples", options->resamples, 2000, 2, STUDY_RESAMPLES,
                          &request->resamples));
    LEVY_TRY(study_number(&r, "seeds", options->seeds, 2000, 2, STUDY_SEEDS, &request->seeds));
    return study_reference(&r, options);
}
