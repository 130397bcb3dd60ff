/* script_span.c: see script_span.h. */
#include "engine/problem/script_span.h"
#include "engine/problem/script_place.h"
#include "engine/problem/script_state.h"

#include <math.h>

/* ---- The market as quoted ---- */

typedef struct span_market {
    const levy_trade *trade;
    const levy_curve *discount_curve, *forward_curve;
} span_market;

static double span_discount(const void *of, double time)
{
    const span_market *const market = of;
    return market->discount_curve ? levy_curve_log_discount(market->discount_curve, time) : 0.0;
}

static double span_forward(const void *of, double time)
{
    const span_market *const market = of;
    return levy_curve_log_discount(market->forward_curve, time);
}

static double span_variance(const void *of, size_t underlying, double time)
{
    const span_market *const market = of;
    if (time <= 0.0) return 0.0;
    const double deviation = levy_trade_deviation(market->trade, underlying, time);
    return deviation * deviation;
}

bool levy_script_quote(levy_check *check, const levy_trade *trade, levy_scripted *scripted)
{
    span_market *const market = levy_check_allocate(check, 1, sizeof *market);
    if (!market) return false;
    *market = (span_market){trade, trade->discount_curve, trade->forward_curve};
    scripted->market = (levy_claim_market){.discount = span_discount,
                                           .variance = span_variance,
                                           .forward = span_forward,
                                           .of = market};
    return true;
}

/* ---- Faults ---- */

/* Where the text asks; of a kind's text the payoff. */
static bool span_refuse(levy_check *check, const levy_span_frame *f, const levy_script_term *term,
                        const char *hint, const char *why)
{
    const char *const path = f->frame->path;
    if (!f->source->is_own)
        return LEVY_REFUSE(check, UNSUPPORTED, f->frame->raw->payoff.node,
                           levy_check_text(check, "%s.payoff", path), hint, "%s: %s",
                           f->trade->header.payoff, why);
    const levy_node at = levy_script_place(f->source->place, term->line, term->column);
    return LEVY_REFUSE(check, UNSUPPORTED, &at, levy_check_text(check, "%s.payoff.script", path),
                       hint, "line %u, column %u: %s", term->line, term->column, why);
}

static bool span_date(levy_check *check, const levy_span_frame *f, const levy_scripted *scripted,
                      const levy_script_term *term, const levy_script_when *when)
{
    if (when->kind != LEVY_SCRIPT_ON_DATE) return true;
    const char *const name = f->names[when->number];
    const size_t n = scripted->dates[when->number].n;
    if (when->date == LEVY_SCRIPT_ONLY_DATE ? n == 1 : when->date < n) return true;
    return span_refuse(check, f, term,
                       levy_check_text(check,
                                       "Write %s[1] for its first date, or now for the "
                                       "date of the block.",
                                       name),
                       levy_check_text(check, "the schedule '%s' has %zu dates", name, n));
}

/* A past date decided and paid in the market of its day. */
static bool span_past(levy_check *check, const levy_span_frame *f, const levy_scripted *scripted,
                      const levy_script_term *term)
{
    const levy_script_dates *const dates = &scripted->dates[term->schedule];
    if (dates->n == 0 || dates->times[0] >= -1e-9 || levy_script_has_state(f->trade)) return true;
    return span_refuse(check, f, term, "Give the variables as they are today: state.",
                       levy_check_text(check,
                                       "the schedule '%s' has past dates, and nothing tells the "
                                       "volatility or the rates of then",
                                       f->names[term->schedule]));
}

/* The first time of dates to come, of one of two times. */
static double span_first(const levy_scripted *scripted, const levy_script_term *term,
                         const levy_script_when *when)
{
    const levy_script_dates *const dates = &scripted->dates[term->schedule];
    double first = when->kind == LEVY_SCRIPT_IN_YEARS ? when->years : 0.0;
    if (when->kind == LEVY_SCRIPT_ON_DATE)
        first = scripted->dates[when->number]
                    .times[when->date == LEVY_SCRIPT_ONLY_DATE ? 0 : when->date];
    for (size_t k = 0; k < dates->n && when->kind == LEVY_SCRIPT_BY_TERM; ++k) {
        const levy_script_date date = {.number = k, .time = dates->times[k]};
        if (date.time < -1e-9) continue;
        first =
            fmin(first, levy_scripted_term(scripted, &scripted->script.terms[when->number], &date));
    }
    return first;
}

/* A market tells rates and variances from its date on. */
static void span_warn_early(levy_check *check, const levy_span_frame *f,
                            const levy_scripted *scripted, const levy_script_term *term)
{
    const levy_script_span *const span =
        &scripted->script.spans[term->parameter / LEVY_SCRIPT_SPAN];
    const levy_node at = levy_script_place(f->source->place, term->line, term->column);
    if (fmin(span_first(scripted, term, &span->from), span_first(scripted, term, &span->to)) >=
        -1e-9)
        return;
    LEVY_WARN(check, INCONSISTENT, f->source->is_own ? &at : f->frame->raw->payoff.node,
              levy_check_text(check, "%s.payoff.script", f->frame->path),
              "Begin at 0, and give what was fixed until then under parameters.",
              "line %u, column %u: a time before the valuation date, until which there are no "
              "rates and no variance",
              term->line, term->column);
}

/* ---- Volatility ---- */

static void span_warn(levy_check *check, const levy_span_frame *f)
{
    const levy_model *const model = f->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const bool own =
        kind->volatility && kind->volatility(model->terms, f->trade->underlyings[0]) > 0.0;
    const bool jumps = levy_model_features(model->kind, model->terms) & LEVY_MODEL_JUMPS,
               plain = model->kind == LEVY_MODEL_BLACK_SCHOLES;
    if (plain && !jumps) return;
    const char *const what = plain ? "has jumps" : levy_check_text(check, "is %s", kind->kind);
    LEVY_WARN(check, INCONSISTENT, levy_check_at(f->frame->raw->payoff.node, "script"),
              levy_check_text(check, "%s.payoff.script", f->frame->path),
              own ? "Its value is the model's own volatility as it is today, at all times."
                  : "Its value is the asset's quoted volatility, which leaves out what the model "
                    "adds.",
              "volatility is that of Black and Scholes, but the model '%s' %s", model->name, what);
}

bool levy_script_check_spans(levy_check *check, const levy_span_frame *f, levy_scripted *scripted)
{
    const levy_script *const script = &scripted->script;
    bool asks = false;
    if (script->n_spans == 0) return true;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        const levy_script_term *const term = &script->terms[k];
        if (term->kind < LEVY_SCRIPT_VOLATILITY) continue;
        const levy_script_span *const span = &script->spans[term->parameter / LEVY_SCRIPT_SPAN];
        if (!span_date(check, f, scripted, term, &span->from) ||
            !span_date(check, f, scripted, term, &span->to))
            return false;
        if (term->kind != LEVY_SCRIPT_APART && !span_past(check, f, scripted, term)) return false;
        if (term->kind != LEVY_SCRIPT_APART) span_warn_early(check, f, scripted, term);
        asks = asks || term->kind == LEVY_SCRIPT_VOLATILITY;
    }
    if (asks) span_warn(check, f);
    return levy_script_quote(check, f->trade, scripted);
}
