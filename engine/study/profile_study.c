/* profile_study.c: levy_profile: the measures of a book at values of one of its quotes. Each value
 * is a re-pricing on the same draws, so lines are smooth and differences along them have little
 * noise. Only the warnings of today's value are the caller's: at another a trade may have no price.
 */
#include "engine/study/study.h"

#include "engine/base/clock.h"
#include "engine/book/pricing.h"
#include "engine/book/results.h"
#include "engine/market/factor.h"

#include <math.h>
#include <string.h>

enum { PROFILE_POINTS = 25, PROFILE_MOST = 400 };

typedef struct profile_job {
    levy_context *context;
    levy_book *book;
    levy_study *study;
    levy_price_options how;
    levy_profile_options options;
    size_t trade, quote; /* their indices, of a trade that was named */
    double *at;
    size_t n, today_at, step;
    levy_profile_line *lines;
    const size_t *trades; /* [line]: index in the results, and of the measure there */
    const size_t *measures;
} profile_job;

static levy_status profile_refuse(const profile_job *job, const char *path, const char *hint,
                                  const char *message)
{
    levy_fault_add(&job->context->faults, LEVY_REASON_RANGE, NULL, path, hint, "%s", message);
    return LEVY_ARGUMENT;
}

/* Progress of one pricing is that of a part of the whole. */
static int profile_progress(void *user, const levy_progress *progress)
{
    const profile_job *const job = user;
    levy_progress all = *progress;
    if (!job->how.progress) return 0;
    all.left = 0.0; /* of one value */
    all.done = job->step * progress->total + progress->done;
    all.total = (job->n + (job->today_at == SIZE_MAX)) * progress->total;
    return job->how.progress(job->how.user, &all);
}

/* ---- What is asked for ---- */

static bool profile_is_on(const levy_trade *trade, const char *name, size_t length)
{
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const char *const own = levy_trade_asset(trade, i)->name;
        if (strlen(own) == length && memcmp(own, name, length) == 0) return true;
    }
    return false;
}

/* Whether the trade reads the quote: an asset's and a correlation by its underlyings, its model's,
 * a curve's in any case. */
static bool profile_reads(const levy_trade *trade, const char *factor)
{
    levy_pair_name pair;
    if (levy_pair_read(factor, &pair))
        return profile_is_on(trade, pair.a.name, (size_t)pair.a.n) &&
               profile_is_on(trade, pair.b.name, (size_t)pair.b.n);
    levy_factor_name name;
    if (!levy_factor_read(factor, strlen(factor), &name)) return true;
    const levy_factor_owner owner = levy_factors[name.factor].owner;
    const size_t n = (size_t)name.n;
    if (owner == LEVY_FACTOR_ASSET || owner == LEVY_FACTOR_PARAMETER)
        return profile_is_on(trade, name.owner, n);
    return owner == LEVY_FACTOR_CURVE ||
           (strlen(trade->model->name) == n && memcmp(trade->model->name, name.owner, n) == 0);
}

static bool profile_takes(const profile_job *job, const levy_trade *trade, const char *factor)
{
    if (!levy_trade_is_planned(trade) || !trade->model) return false;
    if (job->options.trade) return trade - job->book->problem->trades == (ptrdiff_t)job->trade;
    return profile_reads(trade, factor);
}

static levy_status profile_unknown_trade(profile_job *job)
{
    const char *const why =
        levy_problem_has_no(job->book->problem, job->options.trade, &job->study->arena);
    if (!why) return LEVY_MEMORY;
    levy_fault_add(&job->context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "trade", NULL, "%s", why);
    return LEVY_ARGUMENT;
}

/* The quote: the one named, or the spot of the first asset of the first trade taken. */
static levy_status profile_quote(profile_job *job)
{
    const levy_problem *const problem = job->book->problem;
    const char *factor = job->options.factor, *hint = NULL;
    if (job->options.trade) job->trade = levy_problem_trade(problem, job->options.trade);
    for (size_t i = 0; i < problem->n_trades && !factor; ++i) {
        const levy_trade *const trade = &problem->trades[i];
        if (!levy_trade_is_planned(trade) || !trade->model || trade->n_underlyings == 0) continue;
        if (job->options.trade && i != job->trade) continue;
        factor = levy_arena_format(&job->study->arena, "%s.spot", levy_trade_asset(trade, 0)->name);
        if (!factor) return LEVY_MEMORY;
    }
    if (job->options.trade && job->trade == problem->n_trades) return profile_unknown_trade(job);
    if (!factor)
        return profile_refuse(job, "trade", "Of a trade with legs name a leg.",
                              "there is no such trade that can be priced by itself");
    job->quote = levy_quotes_find(job->book->quotes, factor);
    if (levy_quotes_at(job->book->quotes, job->quote)) return LEVY_OK;
    const char *const near = levy_quotes_nearest(job->book->quotes, factor);
    char meant[LEVY_MEANT_SIZE];
    hint = levy_arena_format(&job->study->arena, "Factors are %s.", levy_quote_list);
    levy_fault_add(&job->context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "factor", hint,
                   "the market has no factor '%s'%s", factor, levy_meant(near, meant));
    return LEVY_ARGUMENT;
}

static levy_status profile_values(profile_job *job)
{
    levy_profile_options *const o = &job->options;
    const levy_quote *const quote = levy_quotes_at(job->book->quotes, job->quote);
    const double today = quote->value, share = strstr(quote->name, ".spot") ? 0.3 : 0.5;
    const size_t points = o->points ? o->points : PROFILE_POINTS;
    if (o->low == 0.0 && o->high == 0.0) {
        const double reach = today != 0.0 ? share * fabs(today) : 0.01;
        o->low = today - reach > quote->low ? today - reach : quote->low;
        o->high = today + reach < quote->high ? today + reach : quote->high;
    }
    if (points < 2 || points > PROFILE_MOST)
        return profile_refuse(job, "points", NULL, "must lie between 2 and 400");
    if (!(o->low < o->high) || !isfinite(o->low) || !isfinite(o->high))
        return profile_refuse(job, "range", "Write LOW..HIGH.", "the low end must be the lesser");
    /* where only a part of them is refused, the lines have gaps */
    if (o->high <= quote->low || o->low > quote->high) {
        const char *hint;
        hint = levy_arena_format(&job->study->arena, "%s lies between %g and %g.", quote->name,
                                 quote->low, quote->high);
        return profile_refuse(job, "range", hint, "the market has no such values");
    }
    job->at = levy_arena_allocate(&job->study->arena, points + 1, sizeof *job->at);
    if (!job->at) return LEVY_MEMORY;
    const double step = (o->high - o->low) / (double)(points - 1);
    bool told = false;
    for (size_t i = 0; i < points; ++i) {
        const double value = i + 1 == points ? o->high : o->low + step * (double)i;
        const bool same = fabs(value - today) < 1e-9 * step;
        if (!told && (same || value > today) && (same || today > o->low)) {
            job->today_at = job->n;
            job->at[job->n++] = today;
            told = true;
            if (same) continue;
        }
        job->at[job->n++] = value;
    }
    if (!told) job->today_at = SIZE_MAX;
    return LEVY_OK;
}

/* ---- Lines ---- */

/* Scenarios and ladders have plots of their own. */
static bool profile_is_line(const levy_measure *measure)
{
    return strncmp(measure->measure, "scenario", 8) != 0 && !strstr(measure->measure, "_by_node");
}

static levy_status profile_line(profile_job *job, const levy_trade_result *trade,
                                const levy_measure *measure, levy_profile_line *line)
{
    levy_arena *const arena = &job->study->arena;
    double *const values = levy_arena_allocate(arena, job->n, sizeof *values),
                  *const errors = levy_arena_allocate(arena, job->n, sizeof *errors);
    line->trade = levy_arena_copy_text(arena, trade->id, strlen(trade->id));
    line->currency = levy_arena_copy_text(arena, trade->currency, strlen(trade->currency));
    line->factor = levy_arena_copy_text(arena, measure->factor, strlen(measure->factor));
    line->measure = measure->measure; /* of a list */
    line->values = values;
    line->std_errors = errors;
    if (!values || !errors || !line->trade || !line->currency || !line->factor) return LEVY_MEMORY;
    for (size_t i = 0; i < job->n; ++i) values[i] = errors[i] = NAN;
    return LEVY_OK;
}

/* What today's results have are the lines. */
static levy_status profile_lines(profile_job *job, const levy_results *today)
{
    const char *const factor = levy_quotes_at(job->book->quotes, job->quote)->name;
    levy_profile_table *const table = &job->study->profile;
    size_t n = 0;
    for (size_t i = 0; i < today->n_trades; ++i) n += today->trades[i].n_measures;
    size_t *const trades = levy_arena_allocate(&job->study->arena, n, sizeof *trades),
                  *const measures = levy_arena_allocate(&job->study->arena, n, sizeof *measures);
    job->lines = levy_arena_allocate(&job->study->arena, n, sizeof *job->lines);
    if (!trades || !measures || !job->lines) return LEVY_MEMORY;
    for (size_t i = 0; i < today->n_trades; ++i) {
        const levy_trade_result *const trade = &today->trades[i];
        if (!profile_takes(job, &job->book->problem->trades[i], factor)) continue;
        for (size_t k = 0; k < trade->n_measures; ++k) {
            if (!profile_is_line(&trade->measures[k])) continue;
            trades[table->n_lines] = i;
            measures[table->n_lines] = k;
            LEVY_TRY(profile_line(job, trade, &trade->measures[k], &job->lines[table->n_lines++]));
        }
    }
    job->trades = trades;
    job->measures = measures;
    table->lines = job->lines;
    if (table->n_lines) return LEVY_OK;
    return profile_refuse(job, "factor", "Name the trade, or another factor.",
                          "no priced trade reads it");
}

static void profile_take(const profile_job *job, const levy_results *results, size_t place)
{
    for (size_t l = 0; l < job->study->profile.n_lines; ++l) {
        const levy_trade_result *const trade = &results->trades[job->trades[l]];
        const size_t k = job->measures[l];
        /* the arrays are the study's own; only its readers see them as const */
        double *const values = (double *)(uintptr_t)job->lines[l].values,
                      *const errors = (double *)(uintptr_t)job->lines[l].std_errors;
        if (strcmp(trade->status, "ok") != 0 || k >= trade->n_measures) continue;
        const levy_measure *const measure = &trade->measures[k];
        if (strcmp(measure->measure, job->lines[l].measure) != 0 ||
            strcmp(measure->factor, job->lines[l].factor) != 0)
            continue;
        values[place] = measure->value;
        errors[place] = measure->std_error;
    }
}

/* ---- Pricing ---- */

static bool profile_priced(levy_status status)
{
    return status == LEVY_OK || status == LEVY_TOLERANCE;
}

static levy_status profile_price(profile_job *job, levy_results **results)
{
    levy_price_options how = job->how;
    how.journal = NULL;
    how.resume = 0;
    how.part = how.parts = 0;
    how.part_write = NULL;
    how.progress = profile_progress;
    how.user = job;
    *results = NULL;
    return levy_book_price(job->book, &how, results);
}

/* Results at a value other than today's. What is wrong there is nobody's fault. */
static levy_status profile_at(profile_job *job, size_t place)
{
    levy_fault_list *const faults = &job->context->faults, today = *faults;
    levy_results *results;
    if (!levy_quotes_set(job->book->quotes, job->quote, job->at[place])) return LEVY_OK;
    job->book->stale = true;
    levy_fault_list_init(faults, &job->context->memory);
    const levy_status status = profile_price(job, &results);
    if (profile_priced(status) && results) profile_take(job, results, place);
    levy_results_release(results);
    levy_fault_list_release(faults);
    *faults = today;
    return profile_priced(status) || status == LEVY_INPUT ? LEVY_OK : status;
}

static levy_status profile_run_info(profile_job *job, const levy_results *today)
{
    levy_arena *const arena = &job->study->arena;
    levy_run_info *const run = &job->study->run;
    const levy_run_info *const own = &today->run;
    *run = *own;
    run->backend = levy_arena_copy_text(arena, own->backend, strlen(own->backend));
    run->device = levy_arena_copy_text(arena, own->device, strlen(own->device));
    run->device_reason =
        levy_arena_copy_text(arena, own->device_reason, strlen(own->device_reason));
    run->isa = levy_arena_copy_text(arena, own->isa, strlen(own->isa));
    return run->backend && run->device && run->device_reason && run->isa ? LEVY_OK : LEVY_MEMORY;
}

static levy_status profile_today(profile_job *job)
{
    levy_results *results;
    levy_status status = profile_price(job, &results);
    if (profile_priced(status)) status = LEVY_OK;
    if (status == LEVY_OK) status = profile_run_info(job, results);
    if (status == LEVY_OK) status = profile_lines(job, results);
    if (status == LEVY_OK && job->today_at != SIZE_MAX) profile_take(job, results, job->today_at);
    levy_results_release(results);
    return status;
}

static levy_status profile_work(profile_job *job)
{
    const double start = levy_clock_now();
    levy_profile_table *const table = &job->study->profile;
    LEVY_TRY(levy_book_refresh(job->book));
    LEVY_TRY(profile_quote(job));
    LEVY_TRY(profile_values(job));
    const levy_quote *const quote = levy_quotes_at(job->book->quotes, job->quote);
    const double today = quote->value;
    LEVY_TRY(profile_today(job));
    levy_status status = LEVY_OK;
    for (size_t i = 0; i < job->n && status == LEVY_OK; ++i) {
        if (i == job->today_at) continue;
        ++job->step;
        status = profile_at(job, i);
    }
    (void)levy_quotes_set(job->book->quotes, job->quote, today);
    job->book->stale = true;
    table->run = &job->study->run;
    table->factor = levy_arena_copy_text(&job->study->arena, quote->name, strlen(quote->name));
    table->today = today;
    table->is_shift = quote->is_shift;
    table->n_values = job->n;
    table->at = job->at;
    job->study->run.seconds = levy_clock_now() - start;
    return status == LEVY_OK && !table->factor ? LEVY_MEMORY : status;
}

int levy_profile_entry(levy_book *book, const levy_profile_options *options,
                       const levy_price_options *how, levy_study **study)
{
    profile_job job = {.book = book};
    if (study) *study = NULL;
    if (!book || !study) return levy_call_refuse(book ? book->context : NULL, "study", "is NULL");
    if (!levy_call_copy_options(&job.options, sizeof job.options, options) ||
        !levy_call_price_options(how, &job.how))
        return levy_call_refuse(book->context, "struct_size", "is not that of the options");
    job.context = book->context;
    levy_call_begin(job.context);
    job.study = levy_study_create(&job.context->memory, LEVY_STUDY_PROFILE);
    if (!job.study) return levy_call_end(job.context, LEVY_STATUS_MEMORY);
    const levy_status status = profile_work(&job);
    const int ended = levy_call_end(job.context, (int)status);
    if (ended != LEVY_STATUS_OK) {
        levy_study_release(job.study);
        return ended;
    }
    *study = job.study;
    return LEVY_STATUS_OK;
}
