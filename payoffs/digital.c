/* digital.c: host half of the digital option: a fixed amount of cash, or the level itself, if the
 * level ends beyond the strike. Source: M. Rubinstein and E. Reiner, "Unscrambling the binary
 * code", Risk 4, 1991. Must not know: how the level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/shared.h"
#include "payoffs/script_form.h"

#define LANE_SCALAR
#include "payoffs/digital.h"

enum { DIGITAL_CASH, DIGITAL_ASSET };

typedef struct digital_terms {
    levy_payoff_terms payoff;
    int32_t payout; /* DIGITAL_ */
    double cash;    /* amount per unit */
} digital_terms;

static bool digital_pays_cash(const levy_payoff_terms *terms)
{
    return ((const digital_terms *)terms)->payout == DIGITAL_CASH;
}

static double digital_cash(const levy_payoff_terms *terms)
{
    return ((const digital_terms *)terms)->cash;
}

/* ---- In a plan ---- */

static void digital_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                            levy_claim_numbers *numbers)
{
    const bool cash = digital_pays_cash(claim->terms);
    numbers->terms[ITEM_A] = cash ? digital_cash(claim->terms) / unit->scale : 0.0;
    numbers->terms[ITEM_B] = cash ? 0.0 : 1.0;
}

static void digital_integrate(const levy_claim *claim, const levy_claim_unit *unit,
                              levy_claim_numbers *numbers)
{
    (void)claim;
    numbers->variant |= DIGITAL_INTEGRATED;
    numbers->terms[ITEM_C] = levy_integral_logarithm(unit, numbers->terms[ITEM_STRIKE]);
}

static bool digital_script_form(const levy_claim *claim, levy_script_form *form)
{
    const bool cash = digital_pays_cash(claim->terms);
    const levy_payout_terms payout = {cash ? LEVY_PAYOUT_CASH : LEVY_PAYOUT_ASSET,
                                      digital_cash(claim->terms)};
    levy_script_form_begin(form);
    levy_script_form_pay_gain(form, claim->terms, &payout);
    return true;
}

static double digital_size(const levy_claim *claim, double end)
{
    return digital_pays_cash(claim->terms) ? digital_cash(claim->terms) : end;
}

static void digital_edges(const levy_claim *claim, levy_edges *edges)
{
    edges->each[edges->n++] = (levy_edge){LEVY_EDGE_END, true, claim->terms->strike, digital_size};
}

static double digital_most(const levy_claim *claim)
{
    const levy_payoff_terms *const p = claim->terms;
    if (digital_pays_cash(p)) return digital_cash(p);
    return !claim->sold && p->option_type == LEVY_PUT ? p->strike : INFINITY;
}

static bool digital_owes(const levy_claim *claim)
{
    return claim->sold && !digital_pays_cash(claim->terms);
}

/* ---- In a study ---- */

static double digital_at_expiry(const levy_payoff_terms *terms, levy_lognormal law)
{
    return levy_lognormal_binary(law, levy_payoff_sign(terms), terms->strike,
                                 !digital_pays_cash(terms), digital_cash(terms));
}

static double digital_closed_form(const levy_lognormal_claim *c, const char **name)
{
    *name = "Black-Scholes digital";
    return digital_at_expiry(c->claim->terms, levy_lognormal_at(c, c->expiry));
}

/* ---- As written ---- */

static const char *const digital_payouts[] = {"cash", "asset", "CashOrNothing=cash",
                                              "AssetOrNothing=asset", NULL};

static const levy_field digital_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_STRIKE_FIELD,
    LEVY_PERCENT_FIELDS,
    LEVY_AGGREGATE_FIELD,
    {LEVY_KEY("payout", CHOICE, digital_terms, payout), .choices = digital_payouts,
     .hint = "One of: cash, asset. The amount is another key: cash: 10.", .fallback = "cash",
     .doc = "cash: pays the amount `cash`. asset: pays the level at expiry."},
    {LEVY_KEY("cash", NUMBER, digital_terms, cash), .spelled = "payout payout_amount amount",
     LEVY_WITHIN(0, 1e15, LEVY_LOW_OPEN), .fallback = "1",
     .doc = "Amount that payout cash pays per unit, or per unit of notional."},
    {0}};
static const levy_synonym digital_synonyms[] = {
    {"digital_call", "{kind: digital, option_type: call, strike: 100}"},
    {"digital_put", "{kind: digital, option_type: put, strike: 100}"},
    {"binary", "{kind: digital, option_type: call, strike: 100}"},
    {"cash_or_nothing", "{kind: digital, option_type: call, strike: 100, payout: cash, cash: 10}"},
    {"asset_or_nothing", "{kind: digital, option_type: call, strike: 100, payout: asset}"},
    {0}};
const levy_table levy_payoff_digital_table = {
    .name = "payoff digital",
    .example = "{kind: digital, option_type: call, strike: 100, payout: cash, cash: 10}",
    .synonyms = digital_synonyms,
    .doc = "Digital option: pays if the level at expiry is above the strike "
           "(call) or below it (put)." LEVY_INTEGRATED,
    LEVY_FILLS_TERMS(digital_terms),
    .fields = digital_fields};

/* ---- In a book ---- */

static bool digital_check(const levy_payoff_frame *frame)
{
    if (!digital_pays_cash(frame->terms) && levy_node_find(frame->node, "cash"))
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "cash", "Remove it, or write payout: cash.",
                               "is not allowed with payout asset");
    return levy_payoff_check_strike(frame);
}

const levy_payoff levy_payoff_digital = {.kind = "digital",
                                         .table = &levy_payoff_digital_table,
                                         .numbers = digital_numbers,
                                         .integrates = levy_payoff_always,
                                         .integrate = digital_integrate,
                                         .edges = digital_edges,
                                         .script_form = digital_script_form,
                                         .pays_amount = levy_payoff_always,
                                         .most = digital_most,
                                         .owes = digital_owes,
                                         .aggregate = LEVY_AGGREGATE_NONE,
                                         .lanes = LEVY_PAYOFF_DIGITAL,
                                         .at_expiry = digital_at_expiry,
                                         .closed_form = digital_closed_form,
                                         .check = digital_check,
                                         .pays_numbers = digital_pays_cash};
