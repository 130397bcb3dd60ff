/* asian.c: host half of the Asian option on the arithmetic or geometric mean of its observations,
 * past fixings included, or on the level at expiry with that mean as its strike. Source: A. Kemna
 * and A. Vorst, J. Banking and Finance 14, 1990. Must not know: how the level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/shared.h"
#include "payoffs/script_form.h"

#include "engine/base/tie.h"
#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/asian.h"

#include <math.h>

enum { ASIAN_OF_PRICE, ASIAN_OF_STRIKE };

typedef struct asian_averaging {
    int32_t method; /* LEVY_MEAN_ */
    int32_t of;     /* ASIAN_OF_ */
    levy_schedule_terms observations;
} asian_averaging;

typedef struct asian_terms {
    levy_payoff_terms payoff;
    levy_payout_terms payout; /* on the average */
    asian_averaging averaging;
} asian_terms;

static const asian_terms *asian_of(const levy_payoff_terms *terms)
{
    return (const asian_terms *)terms;
}

/* ---- In a plan ---- */

/* Whether no observation is to come, and their average is the strike: neither call nor put is then
 * in the money. */
static bool asian_is_tie(const levy_claim *claim, const levy_claim_unit *unit, const double *r)
{
    const bool geometric = asian_of(claim->terms)->averaging.method == LEVY_MEAN_GEOMETRIC;
    const double mean = r[ITEM_START] * r[ITEM_A];
    return claim->n_future == 0 &&
           levy_is_tie(geometric ? levy_exp(mean / unit->log_unit) : mean, r[ITEM_STRIKE]);
}

static void asian_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers)
{
    const asian_terms *const p = asian_of(claim->terms);
    const double n_past = (double)claim->past.n;
    double *const r = numbers->terms;
    numbers->variant = (p->averaging.method == LEVY_MEAN_GEOMETRIC ? ASIAN_GEOMETRIC : 0u) |
                       (p->averaging.of == ASIAN_OF_STRIKE ? ASIAN_STRIKE : 0u) |
                       (p->payout.payout != LEVY_PAYOUT_OPTION ? ASIAN_DIGITAL : 0u);
    r[ITEM_B] = p->payout.payout == LEVY_PAYOUT_CASH ? p->payout.cash / unit->scale : 0.0;
    r[ITEM_C] = p->payout.payout == LEVY_PAYOUT_ASSET ? 1.0 : 0.0;
    r[ITEM_A] = 1.0 / (n_past + (claim->observes_now ? 1.0 : 0.0) + (double)claim->n_future);
    if (p->averaging.method == LEVY_MEAN_ARITHMETIC)
        r[ITEM_START] = claim->past.sum / unit->scale + (claim->observes_now ? unit->today : 0.0);
    else
        r[ITEM_START] = unit->log_unit * (claim->past.log_sum - n_past * levy_log(unit->scale) +
                                          (claim->observes_now ? levy_log(unit->today) : 0.0));
    if (asian_is_tie(claim, unit, r)) r[ITEM_B] = r[ITEM_C] = 0.0;
}

/* The lanes of an average strike would need the level at expiry beside the average. */
static bool asian_integrates(const levy_payoff_terms *terms)
{
    return asian_of(terms)->averaging.of == ASIAN_OF_PRICE;
}

/* The largest deviation at expiry for which the moments of asian_integrated.h suffice. */
static double asian_reach(const levy_payoff_terms *terms)
{
    return asian_of(terms)->averaging.method == LEVY_MEAN_ARITHMETIC ? 3.0 : INFINITY;
}

/* How many moments after the first: those left out change the sum by c^n / sqrt(n!) of it at most,
 * for that is the most that (c z)^n / n! reaches under the density of z. A few numbers, so that
 * trades share kernels. The last ones serve scenarios of volatility; in single the very last would
 * leave the range of numbers. */
static uint32_t asian_moments(const levy_claim *claim, const levy_claim_unit *unit)
{
    static const uint32_t some[] = {5, 7, 9, 11, 13, 15, 19, 23, 31, 47, 63};
    const bool single = unit->log_unit != 1.0;
    const double c = 0.5 * 1.02 * claim->deviation, least = single ? 3e-11 : 2e-17;
    const size_t last = sizeof some / sizeof *some - (single ? 2 : 1);
    double left = 1.0;
    size_t k = 0;
    for (uint32_t n = 1; k < last; ++n) {
        left *= c / levy_sqrt((double)n);
        if (n == some[k] + 1 && left <= least) break;
        if (n == some[k] + 1) ++k;
    }
    return some[k];
}

static void asian_integrate(const levy_claim *claim, const levy_claim_unit *unit,
                            levy_claim_numbers *numbers)
{
    double *const r = numbers->terms;
    const bool arithmetic = !(numbers->variant & ASIAN_GEOMETRIC);
    r[ITEM_E] = arithmetic ? r[ITEM_STRIKE] / r[ITEM_A] - r[ITEM_START] : r[ITEM_STRIKE];
    r[ITEM_F] = levy_integral_logarithm(unit, r[ITEM_E]);
    numbers->variant |= ASIAN_INTEGRATED;
    if (arithmetic) numbers->variant |= asian_moments(claim, unit) << ASIAN_MOMENTS;
}

/* The sum of an arithmetic mean, of a basket that over its assets too. */
static bool asian_script_form(const levy_claim *claim, levy_script_form *form)
{
    const asian_terms *const p = asian_of(claim->terms);
    const double n = (double)(claim->past.n + claim->n_future) + (claim->observes_now ? 1.0 : 0.0);
    if (!asian_integrates(claim->terms) || p->averaging.method != LEVY_MEAN_ARITHMETIC)
        return false;
    levy_script_form_number(form, "seen", claim->past.sum);
    levy_script_form_number(form, "share", 1.0 / n);
    levy_script_form_write(form, "var total = seen\nat days {\n");
    levy_script_form_add(form);
    levy_script_form_write(form, "}\nat expiry {\n");
    form->level = "(total * share)";
    levy_script_form_pay_gain(form, claim->terms, &p->payout);
    return true;
}

static uint32_t asian_n_kept(uint32_t variant) { return variant >> ASIAN_MOMENTS; }

static uint32_t asian_n_node_terms(uint32_t variant)
{
    if (!(variant & ASIAN_INTEGRATED)) return 0;
    return variant & ASIAN_GEOMETRIC ? 1 : asian_n_kept(variant);
}

static void asian_node_terms(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                             double *node_terms)
{
    const double b = step->loadings[0];
    double power = 1.0;
    (void)claim;
    if (variant & ASIAN_GEOMETRIC) node_terms[ASIAN_STEP] = b * step->log_unit;
    for (uint32_t j = 0; j < asian_n_kept(variant); ++j) {
        power *= (b - 0.5 * step->last_loading) / (double)(j + 1);
        node_terms[j] = power;
    }
}

static double asian_size(const levy_claim *claim, double end)
{
    const asian_terms *const p = asian_of(claim->terms);
    return p->payout.payout == LEVY_PAYOUT_CASH ? p->payout.cash : end;
}

/* Where the average is the strike, the level of its edge is not fixed. */
static void asian_edges(const levy_claim *claim, levy_edges *edges)
{
    const asian_terms *const p = asian_of(claim->terms);
    const bool jumps = p->payout.payout != LEVY_PAYOUT_OPTION;
    const int32_t mean =
        p->averaging.method == LEVY_MEAN_ARITHMETIC ? LEVY_EDGE_MEAN : LEVY_EDGE_ROOT;
    edges->each[edges->n++] =
        (levy_edge){p->averaging.of == ASIAN_OF_PRICE ? mean : LEVY_EDGE_OTHER, jumps,
                    p->payoff.strike, jumps ? asian_size : NULL};
}

static bool asian_pays_amount(const levy_payoff_terms *terms)
{
    const asian_terms *const p = asian_of(terms);
    return p->payout.payout != LEVY_PAYOUT_OPTION;
}

static double asian_most(const levy_claim *claim)
{
    const asian_terms *const p = asian_of(claim->terms);
    if (claim->sold || p->averaging.of == ASIAN_OF_STRIKE) return INFINITY;
    if (p->payout.payout == LEVY_PAYOUT_CASH) return p->payout.cash;
    return p->payoff.option_type == LEVY_PUT ? p->payoff.strike : INFINITY;
}

static bool asian_owes(const levy_claim *claim)
{
    return claim->sold && asian_of(claim->terms)->payout.payout == LEVY_PAYOUT_ASSET;
}

/* ---- In a study ---- */

/* The law of the geometric mean of past fixings, today's spot and the future observations. */
static levy_lognormal asian_geometric_mean(const levy_lognormal_claim *c)
{
    const levy_claim *const claim = c->claim;
    const size_t m = claim->n_future;
    const double n = (double)(claim->past.n + (claim->observes_now ? 1 : 0) + m);
    levy_lognormal law = {
        claim->past.log_sum + (claim->observes_now ? c->mean(c->level, 0.0) : 0.0), 0.0};
    for (size_t k = 0; k < m; ++k) {
        /* the share of the observations that the driver's increment over this interval moves */
        const double share = (double)(m - k) / n;
        law.mean += c->mean(c->level, c->observations[k]);
        law.variance += share * share *
                        c->variance(c->level, k ? c->observations[k - 1] : 0.0, c->observations[k]);
    }
    law.mean /= n;
    return law;
}

/* What is paid on a lognormal average: an option, cash, or the average itself. */
static double asian_pays(const asian_terms *p, levy_lognormal law)
{
    const double s = levy_payoff_sign(&p->payoff);
    if (p->payout.payout == LEVY_PAYOUT_OPTION)
        return levy_lognormal_vanilla(law, s, p->payoff.strike);
    return levy_lognormal_binary(law, s, p->payoff.strike, p->payout.payout == LEVY_PAYOUT_ASSET,
                                 p->payout.cash);
}

/* The arithmetic average of what is known and of one lognormal level. */
static double asian_one_fixing(const levy_lognormal_claim *c)
{
    const levy_claim *const claim = c->claim;
    const asian_terms *const p = asian_of(claim->terms);
    if (claim->n_future != 1 || p->payout.payout != LEVY_PAYOUT_OPTION) return NAN;
    const double n = (double)(claim->past.n + (claim->observes_now ? 2 : 1));
    const double known =
        claim->past.sum + (claim->observes_now ? levy_exp(c->mean(c->level, 0.0)) : 0.0);
    return levy_lognormal_vanilla(levy_lognormal_at(c, c->observations[0]),
                                  levy_payoff_sign(&p->payoff), n * p->payoff.strike - known) /
           n;
}

static double asian_closed_form(const levy_lognormal_claim *c, const char **name)
{
    const asian_terms *const p = asian_of(c->claim->terms);
    const bool geometric = p->averaging.method == LEVY_MEAN_GEOMETRIC;
    *name = geometric ? "geometric Asian" : "one fixing";
    if (p->averaging.of == ASIAN_OF_STRIKE) return NAN;
    return geometric ? asian_pays(p, asian_geometric_mean(c)) : asian_one_fixing(c);
}

/* ---- As written ---- */

static const char *const asian_places[] = {"price", "strike", "Price=price", "Strike=strike", NULL};
static const levy_field asian_averaging_fields[] = {
    {LEVY_KEY("method", CHOICE, asian_averaging, method),
     .spelled = "average averaging_method averaging_type average_type", .also = "type kind",
     .choices = levy_averaging_methods, .fallback = "arithmetic", .doc = "Type of mean."},
    {LEVY_KEY("of", CHOICE, asian_averaging, of),
     .spelled = "strike=average:strike strike=floating:strike strike_type=average:strike "
                "strike_type=floating:strike",
     .former = "on", .choices = asian_places, .fallback = "price",
     .doc = "price: the average replaces the level at expiry. strike: the average "
            "replaces the strike. (The former name of this key, on, is still "
            "accepted; YAML 1.1 reads it as true.)"},
    {LEVY_KEY("observations", OBJECT, asian_averaging, observations),
     .spelled = "averaging_dates averaging_times fixings fixing_dates observation_dates n_fixings",
     .also = "dates times schedule frequency", .flags = LEVY_REQUIRED,
     .table = &levy_schedule_table,
     .doc = "Fixing dates, not after expiry. Fixings up to the valuation date are "
            "taken from the assets' fixings."},
    {0}};
static const levy_table asian_averaging_table = {
    .name = "averaging",
    .example = "{method: arithmetic, observations: {count: 12}}",
    .bare = "method",
    .doc = "Type of mean and its observations.",
    .size = sizeof(asian_averaging),
    .fields = asian_averaging_fields};

static const levy_field asian_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    {LEVY_KEY("strike", NUMBER, levy_payoff_terms, strike),
     .spelled = "k K exercise_price strike_price",
     .hint = "Write a number. An average as the strike is averaging: {of: strike, observations: "
             "{count: 12}}, without strike.",
     LEVY_WITHIN(0, 1e15, 0),
     .doc = "Strike in the units of the level, or as a fraction of the initial "
            "level. It is omitted if averaging is on the strike."},
    LEVY_PERCENT_FIELDS,
    LEVY_AGGREGATE_FIELD,
    LEVY_PAYOUT_FIELDS(asian_terms),
    {LEVY_KEY("averaging", OBJECT, asian_terms, averaging),
     .also =
         "average averages observations fixings dates averaging_dates averaging_times fixing_dates "
         "n_fixings",
     .flags = LEVY_REQUIRED, .table = &asian_averaging_table,
     .doc = "Type of mean and its observations."},
    {0}};
static const levy_synonym asian_synonyms[] = {
    {"average",
     "{kind: asian, option_type: call, strike: 100, averaging: {observations: {count: 12}}}"},
    {"average_price",
     "{kind: asian, option_type: call, strike: 100, averaging: {observations: {count: 12}}}"},
    {"asian_call",
     "{kind: asian, option_type: call, strike: 100, averaging: {observations: {count: 12}}}"},
    {"asian_put",
     "{kind: asian, option_type: put, strike: 100, averaging: {observations: {count: 12}}}"},
    {"geometric_asian", "{kind: asian, option_type: call, strike: 100, averaging: {method: "
                        "geometric, observations: {count: 12}}}"},
    {"average_strike",
     "{kind: asian, option_type: call, averaging: {of: strike, observations: {count: 12}}}"},
    {0}};
const levy_table levy_payoff_asian_table = {
    .name = "payoff asian",
    .example = "{kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, "
               "observations: {count: 12}}}",
    .synonyms = asian_synonyms,
    .doc = "Asian option: a call pays max(average - strike, 0), a put max(strike "
           "- average, 0). With averaging on the strike, a call pays max(level - "
           "average, 0), a put max(average - level, 0). A digital on the average is "
           "integrated over one normal of each path (simulation.smoothing: auto).",
    LEVY_FILLS_TERMS(asian_terms),
    .fields = asian_fields};

/* ---- In a book ---- */

static bool asian_has_form(const levy_payoff_frame *frame)
{
    return levy_payoff_check_strike(frame) &&
           levy_payoff_check_form(frame, asian_of(frame->terms)->averaging.of == ASIAN_OF_STRIKE,
                                  "is not allowed with averaging on the strike",
                                  "Add it, or write averaging: {of: strike, ...}.");
}

static bool asian_has_payout(const levy_payoff_frame *frame)
{
    if (asian_of(frame->terms)->averaging.of == ASIAN_OF_STRIKE &&
        asian_of(frame->terms)->payout.payout != LEVY_PAYOUT_OPTION)
        return LEVY_REFUSE_KEY(frame, UNSUPPORTED, "payout", "Average the price, or remove payout.",
                               "a digital payout needs averaging of the price");
    return levy_payoff_check_cash(frame, &asian_of(frame->terms)->payout);
}

static bool asian_check(const levy_payoff_frame *frame)
{
    bool good = asian_has_form(frame);
    good &= asian_has_payout(frame);
    return good;
}

static bool asian_pays_numbers(const levy_payoff_terms *terms)
{
    return asian_of(terms)->payout.payout == LEVY_PAYOUT_CASH;
}

static bool asian_reads_expiry(const levy_payoff_terms *terms)
{
    return asian_of(terms)->averaging.of == ASIAN_OF_STRIKE;
}

static bool asian_is_geometric(const levy_payoff_terms *terms)
{
    return asian_of(terms)->averaging.method == LEVY_MEAN_GEOMETRIC;
}

static void asian_take(const levy_payoff_terms *terms, double level, levy_past *past)
{
    past->sum += level;
    if (asian_is_geometric(terms)) past->log_sum += levy_log(level);
}

const levy_payoff levy_payoff_asian = {.kind = "asian",
                                       .table = &levy_payoff_asian_table,
                                       .numbers = asian_numbers,
                                       .n_node_terms = asian_n_node_terms,
                                       .node_terms = asian_node_terms,
                                       .integrates = asian_integrates,
                                       .integrate = asian_integrate,
                                       .reach = asian_reach,
                                       .n_kept = asian_n_kept,
                                       .script_form = asian_script_form,
                                       .edges = asian_edges,
                                       .pays_amount = asian_pays_amount,
                                       .most = asian_most,
                                       .owes = asian_owes,
                                       .shares = true,
                                       .features = LEVY_PAYOFF_AVERAGES,
                                       .observations =
                                           offsetof(asian_terms, averaging.observations),
                                       .block = "averaging",
                                       .aggregate = LEVY_AGGREGATE_NONE,
                                       .lanes = LEVY_PAYOFF_ASIAN,
                                       .closed_form = asian_closed_form,
                                       .check = asian_check,
                                       .take = asian_take,
                                       .is_geometric = asian_is_geometric,
                                       .pays_numbers = asian_pays_numbers,
                                       .reads_expiry = asian_reads_expiry};
