/* forward_start.c: host half of the option whose strike is a fraction of the level at a later time,
 * in the units of the level or as a return. Source: M. Rubinstein, "Pay now, choose later", Risk 4,
 * 1991. Must not know: how the level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/lognormal.h"

#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/forward_start.h"

#include <math.h>

enum { FORWARD_START_ABSOLUTE, FORWARD_START_PERFORMANCE };

typedef struct forward_start_terms {
    levy_payoff_terms payoff;
    double strike_fraction; /* of the level at `reset` */
    levy_time reset;
    int32_t form; /* FORWARD_START_ */
} forward_start_terms;

static const forward_start_terms *forward_start_of(const levy_payoff_terms *terms)
{
    return (const forward_start_terms *)terms;
}

/* ---- In a plan ---- */

static void forward_start_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                                  levy_claim_numbers *numbers)
{
    numbers->variant = (uint32_t)forward_start_of(claim->terms)->form;
    numbers->terms[ITEM_STRIKE] = forward_start_of(claim->terms)->strike_fraction;
    numbers->terms[ITEM_START] = claim->past.n ? claim->past.last / unit->scale : unit->today;
}

static bool forward_start_is_return(const levy_payoff_terms *p)
{
    return forward_start_of(p)->form == FORWARD_START_PERFORMANCE;
}

static double forward_start_most(const levy_claim *claim)
{
    const levy_payoff_terms *const p = claim->terms;
    const bool put = !claim->sold && forward_start_is_return(p) && p->option_type == LEVY_PUT;
    return put ? forward_start_of(p)->strike_fraction : INFINITY;
}

/* ---- In a study ---- */

/* The level at the reset and its growth from there are independent. */
static double forward_start_closed_form(const levy_lognormal_claim *c, const char **name)
{
    const levy_claim *const claim = c->claim;
    const levy_payoff_terms *const p = claim->terms;
    const double reset = claim->n_future == 1 ? c->observations[0] : 0.0;
    *name = "forward start";
    if (claim->past.n + claim->n_future + (claim->observes_now ? 1 : 0) != 1) return NAN;
    const levy_lognormal start = claim->past.n ? (levy_lognormal){levy_log(claim->past.last), 0.0}
                                               : levy_lognormal_at(c, reset);
    /* from a past fixing the growth is from its level, not from today's spot */
    const double from = claim->past.n ? start.mean : c->mean(c->level, reset);
    const levy_lognormal growth = {c->mean(c->level, c->expiry) - from,
                                   c->variance(c->level, reset, c->expiry)};
    const double ratio =
        levy_lognormal_vanilla(growth, levy_payoff_sign(p), forward_start_of(p)->strike_fraction);
    return forward_start_is_return(p) ? ratio : levy_lognormal_forward(start) * ratio;
}

/* ---- As written ---- */

static const char *const forward_forms[] = {"absolute", "performance", NULL};
static const levy_field forward_start_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {LEVY_KEY("strike_fraction", NUMBER, forward_start_terms, strike_fraction),
     .spelled = "%strike", .also = "strike_percent", LEVY_WITHIN(0, 10, LEVY_REQUIRED),
     .doc = "Strike as a fraction of the level at reset. 1.0 is at the money."},
    {LEVY_KEY("reset", TIME, forward_start_terms, reset),
     .spelled = "start_date reset_date strike_date", .also = "start", .flags = LEVY_REQUIRED,
     .doc = "Date on which the strike is set, before expiry. A past level is taken "
            "from the assets' fixings."},
    {LEVY_KEY("form", CHOICE, forward_start_terms, form), .choices = forward_forms,
     .fallback = "absolute",
     .doc = "absolute: a call pays max(level - fraction * level at reset, 0). "
            "performance: a call pays max(level / level at reset - fraction, 0). A "
            "put pays the reversed difference."},
    LEVY_AGGREGATE_FIELD,
    {0}};
static const levy_synonym forward_start_synonyms[] = {
    {"forward_starting",
     "{kind: forward_start, option_type: call, strike_fraction: 1.0, reset: 0.25}"},
    {0}};
const levy_table levy_payoff_forward_start_table = {
    .name = "payoff forward_start",
    .example = "{kind: forward_start, option_type: call, strike_fraction: 1.0, reset: 0.25}",
    .synonyms = forward_start_synonyms,
    .doc = "Forward start option: the strike is a fraction of the level at a "
           "later date.",
    LEVY_FILLS_TERMS(forward_start_terms),
    .fields = forward_start_fields};

/* ---- In a book ---- */

/* The performance form is a return. */
static bool forward_check(const levy_payoff_frame *frame)
{
    return !forward_start_is_return(frame->terms) || levy_payoff_check_return(frame);
}

const levy_payoff levy_payoff_forward_start = {.kind = "forward_start",
                                               .table = &levy_payoff_forward_start_table,
                                               .numbers = forward_start_numbers,
                                               .is_return = forward_start_is_return,
                                               .most = forward_start_most,
                                               .reset = offsetof(forward_start_terms, reset),
                                               .aggregate = LEVY_AGGREGATE_NONE,
                                               .lanes = LEVY_PAYOFF_FORWARD_START,
                                               .closed_form = forward_start_closed_form,
                                               .check = forward_check};
