/* european.c: host half of the European option, max(level - strike, 0) or max(strike - level, 0) at
 * expiry, where the level is one asset or an aggregate of several. Source: F. Black and M. Scholes,
 * J. Political Economy 81, 1973. Must not know: how the level's paths are made. */
#include "payoffs/fields.h"
#include "payoffs/shared.h"
#include "payoffs/script_form.h"

#define LANE_SCALAR
#include "payoffs/european.h"

/* ---- In a plan ---- */

double levy_european_most(const levy_claim *claim)
{
    const bool put = !claim->sold && claim->terms->option_type == LEVY_PUT;
    return put ? claim->terms->strike : INFINITY;
}

bool levy_european_script_form(const levy_claim *claim, levy_script_form *form)
{
    const levy_payout_terms payout = {LEVY_PAYOUT_OPTION, 0.0};
    levy_script_form_begin(form);
    levy_script_form_pay_gain(form, claim->terms, &payout);
    return true;
}

void levy_european_edges(const levy_claim *claim, levy_edges *edges)
{
    edges->each[edges->n++] = (levy_edge){.of = LEVY_EDGE_END, .level = claim->terms->strike};
}

static void european_integrate(const levy_claim *claim, const levy_claim_unit *unit,
                               levy_claim_numbers *numbers)
{
    (void)claim;
    numbers->variant |= EUROPEAN_INTEGRATED;
    numbers->terms[ITEM_A] = levy_integral_logarithm(unit, numbers->terms[ITEM_STRIKE]);
}

/* ---- In a study ---- */

double levy_european_at_expiry(const levy_payoff_terms *terms, levy_lognormal law)
{
    return levy_lognormal_vanilla(law, levy_payoff_sign(terms), terms->strike);
}

double levy_european_closed_form(const levy_lognormal_claim *c, const char **name)
{
    *name = c->n_assets > 1 ? "geometric basket" : "Black-Scholes";
    return levy_european_at_expiry(c->claim->terms, levy_lognormal_at(c, c->expiry));
}

/* ---- As written ---- */

static const levy_field european_fields[] = {
    LEVY_OPTION_TYPE_FIELD, LEVY_STRIKE_FIELD, LEVY_PERCENT_FIELDS, LEVY_AGGREGATE_FIELD, {0}};
static const levy_synonym european_synonyms[] = {
    {"vanilla", "{kind: european, option_type: call, strike: 100}"},
    {"plain_vanilla", "{kind: european, option_type: call, strike: 100}"},
    {"fx_option", "{kind: european, option_type: call, strike: 100}"},
    {"equity_option", "{kind: european, option_type: call, strike: 100}"},
    {"option", "{kind: european, option_type: call, strike: 100}"},
    {"call", "{kind: european, option_type: call, strike: 100}"},
    {"put", "{kind: european, option_type: put, strike: 100}"},
    {0}};
const levy_table levy_payoff_european_table = {
    .name = "payoff european",
    .example = "{kind: european, option_type: call, strike: 100}",
    .synonyms = european_synonyms,
    .doc = "European option: at expiry a call pays max(level - strike, 0), a put "
           "max(strike - level, 0).",
    LEVY_FILLS(levy_payoff_terms),
    .fields = european_fields};

const levy_payoff levy_payoff_european = {.kind = "european",
                                          .table = &levy_payoff_european_table,
                                          LEVY_SETTLES_AS_EUROPEAN,
                                          .integrates = levy_payoff_always,
                                          .integrate = european_integrate,
                                          .aggregate = LEVY_AGGREGATE_NONE,
                                          .is_vanilla = true,
                                          .lanes = LEVY_PAYOFF_EUROPEAN};
