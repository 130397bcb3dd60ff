/* forward.c: host half of the forward, level - strike at expiry, where the level is one asset or an
 * aggregate of several. Its lanes are those of a call struck at 0, less the strike, or, where the
 * mean of the level is known, of nothing (engine/plan/tails.h). Must not know: how the level's
 * paths are made. */
#include "payoffs/fields.h"

#define LANE_SCALAR
#include "payoffs/item.h"
#include "payoffs/lognormal.h"

/* ---- In a plan ---- */

/* The plan takes the strike off. */
static void forward_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                            levy_claim_numbers *numbers)
{
    (void)claim, (void)unit;
    numbers->terms[ITEM_SIGN] = 1.0;
    numbers->terms[ITEM_STRIKE] = 0.0;
}

static bool forward_owes(const levy_claim *claim)
{
    (void)claim;
    return true;
}

/* ---- In a study ---- */

static double forward_at_expiry(const levy_payoff_terms *terms, levy_lognormal law)
{
    return levy_lognormal_forward(law) - terms->strike;
}

static double forward_closed_form(const levy_lognormal_claim *c, const char **name)
{
    *name = c->n_assets > 1 ? "mean of a geometric basket" : "forward";
    return forward_at_expiry(c->claim->terms, levy_lognormal_at(c, c->expiry));
}

/* ---- As written ---- */

static const levy_field forward_fields[] = {
    LEVY_STRIKE_FIELD, LEVY_PERCENT_FIELDS, LEVY_AGGREGATE_FIELD, {0}};
static const levy_synonym forward_synonyms[] = {
    {"future", "{kind: forward, strike: 100}"},  {"futures", "{kind: forward, strike: 100}"},
    {"delta_one", "{kind: forward, strike: 0}"}, {"equity_forward", "{kind: forward, strike: 100}"},
    {"stock", "{kind: forward, strike: 0}"},     {0}};
const levy_table levy_payoff_forward_table = {
    .name = "payoff forward",
    .example = "{kind: forward, strike: 100}",
    .synonyms = forward_synonyms,
    .doc =
        "Forward: it pays level - strike at expiry, whatever the sign. Without cash dividends, and "
        "of one asset or an arithmetic basket, its value is exact and nothing is simulated.",
    LEVY_FILLS(levy_payoff_terms),
    .fields = forward_fields};

const levy_payoff levy_payoff_forward = {.kind = "forward",
                                         .table = &levy_payoff_forward_table,
                                         .numbers = forward_numbers,
                                         .owes = forward_owes,
                                         .is_forward = true,
                                         .at_expiry = forward_at_expiry,
                                         .closed_form = forward_closed_form,
                                         .aggregate = LEVY_AGGREGATE_NONE,
                                         .lanes = LEVY_PAYOFF_EUROPEAN};
