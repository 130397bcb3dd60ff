/* requests_views.c: adds what a script counts beside its price: cash flows and chances of ending by
 * time, expected life and reports; what early exercise today and its omission are worth, and the
 * upper bound. Each is a request of the trades that have it. See requests.h. */
#include "engine/plan/requests.h"

#include "engine/base/number.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <string.h>

bool levy_request_views(const levy_request *request)
{
    return (request->measure &
            (LEVY_MEASURE_CASH_FLOWS | LEVY_MEASURE_PROBABILITY | LEVY_MEASURE_EXPECTED_LIFE |
             LEVY_MEASURE_REPORT | LEVY_MEASURES_OF_TODAY | LEVY_MEASURE_UPPER_BOUND)) != 0;
}

/* The script that the trade's lanes run, with its reports; NULL: the trade is no script. */
static const levy_script *views_script(const levy_trade *trade)
{
    const bool soft = trade->form == LEVY_FORM_SOFTENED;
    if (!trade->kind.scripted) return NULL;
    return levy_scripted_in_use(trade->kind.scripted, levy_trade_is_integrated(trade), soft);
}

/* The index of the trade's report of that name, or the number of reports if it has none. */
static size_t views_report(const levy_script *script, const char *name)
{
    size_t k = 0;
    while (k < script->n_reports && strcmp(script->reports[k].name, name) != 0) ++k;
    return k;
}

static bool views_has_time(const double *times, size_t n, double time)
{
    size_t k = 0;
    while (k < n && times[k] != time) ++k;
    return k < n;
}

/* The times at which a trade may pay, or end. What is no script pays once, at its payment date, or
 * at a hit or an early exercise, of which no date is known. */
static size_t views_of_times(const levy_trade *trade, uint32_t measure, const double **times)
{
    const levy_scripted *const s = trade->kind.scripted;
    const bool flows = measure == LEVY_MEASURE_CASH_FLOWS;
    *times = &trade->claim.payment_time;
    if (!s) return flows && !levy_trade_pays_at_hit(trade) && !trade->early ? 1 : 0;
    *times = flows ? s->flows : s->ends;
    return flows ? s->n_flows : s->n_ends;
}

/* Whether the trade has what the request asks for. */
bool levy_requests_can_view(const levy_trade *trade, const levy_request *request)
{
    const levy_scripted *const s = trade->kind.scripted;
    const double *times;
    if (request->measure == LEVY_MEASURE_CASH_FLOWS ||
        request->measure == LEVY_MEASURE_PROBABILITY) {
        const size_t n = views_of_times(trade, request->measure, &times);
        return views_has_time(times, n, request->time);
    }
    if (request->measure & LEVY_MEASURES_OF_TODAY) return trade->early && !(s && s->rights);
    if (!s || trade->form == LEVY_FORM_SCRIPT) return false;
    if (request->measure == LEVY_MEASURE_UPPER_BOUND) return s->bound != NULL;
    if (request->measure == LEVY_MEASURE_EXPECTED_LIFE) return s->script.life != 0;
    const levy_script *const script = views_script(trade);
    return views_report(script, request->report) < script->n_reports;
}

levy_script_view levy_requests_view(const levy_requests *w, size_t t, const levy_request *request)
{
    const levy_script *const script = views_script(levy_requests_trade(w, t));
    levy_script_view view = {.time = NAN};
    if (request->measure == LEVY_MEASURE_EXERCISE_VALUE) view.now = LEVY_NOW_EXERCISED;
    if (request->measure == LEVY_MEASURE_CONTINUATION) view.now = LEVY_NOW_KEPT;
    view.bounds = request->measure == LEVY_MEASURE_UPPER_BOUND;
    if (!script || request->measure & LEVY_MEASURES_OF_TODAY) return view;
    if (request->measure & (LEVY_MEASURE_CASH_FLOWS | LEVY_MEASURE_PROBABILITY))
        view.time = request->time;
    if (request->measure == LEVY_MEASURE_PROBABILITY) view.state = script->ended;
    if (request->measure == LEVY_MEASURE_EXPECTED_LIFE) view.state = script->life;
    if (request->measure == LEVY_MEASURE_REPORT)
        view.state = script->reports[views_report(script, request->report)].state;
    return view;
}

static levy_status views_add(levy_requests *w, levy_request request, const char *label)
{
    request.n_terms = 1;
    request.weight[0] = 1.0;
    return levy_requests_shared(w, request.measure, label, request);
}

/* Requests of one measure all times that some trade has, in their order. */
static levy_status views_times(levy_requests *w, uint32_t measure)
{
    double last = -INFINITY;
    char at[LEVY_NUMBER_SIZE];
    for (;;) {
        double next = INFINITY;
        for (size_t t = 0; t < w->group->n_trades; ++t) {
            const double *times;
            const size_t n = views_of_times(levy_requests_trade(w, t), measure, &times);
            if (!(levy_requests_measures(w, levy_requests_trade(w, t)) & measure)) continue;
            for (size_t k = 0; k < n; ++k)
                if (times[k] > last && times[k] < next) next = times[k];
        }
        if (next == INFINITY) return LEVY_OK;
        levy_requests_time(w, next, at);
        LEVY_TRY(views_add(w, (levy_request){.measure = measure, .time = next},
                           levy_arena_format(w->kept, "%s", at)));
        last = next;
    }
}

static levy_status views_reports(levy_requests *w)
{
    const size_t first = w->n;
    for (size_t t = 0; t < w->group->n_trades; ++t) {
        const levy_script *const script = views_script(levy_requests_trade(w, t));
        for (size_t k = 0; script && k < script->n_reports; ++k) {
            const char *const name = script->reports[k].name;
            bool seen = false;
            for (size_t o = first; o < w->n; ++o)
                seen = seen || strcmp(w->requests[o].report, name) == 0;
            if (seen) continue;
            LEVY_TRY(views_add(w, (levy_request){.measure = LEVY_MEASURE_REPORT, .report = name},
                               levy_arena_format(w->kept, "%s", name)));
        }
    }
    return LEVY_OK;
}

levy_status levy_requests_views(levy_requests *w, uint32_t measures)
{
    if (measures & LEVY_MEASURE_CASH_FLOWS) LEVY_TRY(views_times(w, LEVY_MEASURE_CASH_FLOWS));
    if (measures & LEVY_MEASURE_PROBABILITY) LEVY_TRY(views_times(w, LEVY_MEASURE_PROBABILITY));
    if (measures & LEVY_MEASURE_EXPECTED_LIFE)
        LEVY_TRY(views_add(w, (levy_request){.measure = LEVY_MEASURE_EXPECTED_LIFE}, "years"));
    if (measures & LEVY_MEASURE_EXERCISE_VALUE)
        LEVY_TRY(views_add(w, (levy_request){.measure = LEVY_MEASURE_EXERCISE_VALUE}, "today"));
    if (measures & LEVY_MEASURE_CONTINUATION)
        LEVY_TRY(views_add(w, (levy_request){.measure = LEVY_MEASURE_CONTINUATION}, "today"));
    if (measures & LEVY_MEASURE_UPPER_BOUND)
        LEVY_TRY(views_add(w, (levy_request){.measure = LEVY_MEASURE_UPPER_BOUND}, ""));
    return views_reports(w);
}
