/* cliquet.c: host half of the cliquet (ratchet): the sum of returns from observation to
 * observation, each cut to a local range and the sum to a global one, paid once. Source: P.
 * Wilmott, "Cliquet options and volatility models", Wilmott, Dec. 2002. Must not know: how the
 * level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"

#include "engine/base/tie.h"

#define LANE_SCALAR
#include "payoffs/cliquet.h"

typedef struct cliquet_terms {
    levy_payoff_terms payoff;
    double local_floor, local_cap, global_floor, global_cap; /* NaN: none */
    levy_schedule_terms observations;                        /* reset dates */
} cliquet_terms;

/* ---- In a plan ---- */

/* The return that ends today is part of the sum so far. A known sum may equal a bound of it. */
static void cliquet_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                            levy_claim_numbers *numbers)
{
    const cliquet_terms *const p = (const cliquet_terms *)claim->terms;
    const double bounds[4] = {p->local_floor, p->local_cap, p->global_floor, p->global_cap};
    static const double none[4] = {-1e30, 1e30, -1e30, 1e30};
    double *const r = numbers->terms;
    r[ITEM_START] = claim->past.sum;
    r[ITEM_SECOND] = claim->past.n ? claim->past.last / unit->scale : 0.0;
    for (int i = 0; i < 4; ++i) r[ITEM_A + i] = bounds[i] == bounds[i] ? bounds[i] : none[i];
    if (claim->observes_now && claim->past.n) {
        double part = unit->today * unit->scale / claim->past.last - 1.0;
        part = part > r[ITEM_A] ? part : r[ITEM_A];
        r[ITEM_START] += part < r[ITEM_B] ? part : r[ITEM_B];
    }
    if (claim->observes_now) r[ITEM_SECOND] = unit->today;
    for (int i = ITEM_C; i <= ITEM_D && claim->n_future == 0; ++i) /* returns are made of 1 */
        if (levy_is_tie_of(r[ITEM_START], r[i], 1.0)) r[ITEM_START] = r[i];
}

static double cliquet_most(const levy_claim *claim)
{
    const cliquet_terms *const p = (const cliquet_terms *)claim->terms;
    const double cap = p->local_cap > 0.0 ? p->local_cap : 0.0, floor = p->global_floor;
    const size_t levels = claim->past.n + claim->n_future + (claim->observes_now ? 1 : 0);
    const double returns = levels > 0 ? (double)(levels - 1) : 0.0;
    if (claim->sold) return INFINITY;
    if (p->global_cap == p->global_cap) return p->global_cap; /* NaN means no cap */
    if (p->local_cap != p->local_cap) return INFINITY;
    return floor > returns * cap ? floor : returns * cap;
}

/* The returns to come change nothing if both ends of their range are cut to the same sum. The first
 * fixing ends no return. */
static bool cliquet_is_known(const levy_claim *claim, const levy_claim_numbers *numbers,
                             double log_unit, bool alone)
{
    const double *const r = numbers->terms;
    const bool begun = r[ITEM_SECOND] > 0.0;
    const double returns = (double)(begun ? claim->n_future : claim->n_future - 1);
    (void)log_unit;
    (void)alone;
    const lane least = lane_of(r[ITEM_START] + returns * r[ITEM_A]),
               most = lane_of(r[ITEM_START] + returns * r[ITEM_B]);
    return cliquet_cut(least, r[ITEM_C], r[ITEM_D])[0] ==
           cliquet_cut(most, r[ITEM_C], r[ITEM_D])[0];
}

static bool cliquet_owes(const levy_claim *claim)
{
    return !(((const cliquet_terms *)claim->terms)->global_floor >= 0.0);
}

/* ---- As written ---- */

#define CLIQUET_BOUND(key, text)                                                                   \
    {                                                                                              \
        .name = #key, .type = LEVY_FIELD_NUMBER, .flags = LEVY_RANGED, .low = -1e6, .high = 1e6,   \
        .offset = offsetof(cliquet_terms, key), .doc = text                                        \
    }
static const levy_field cliquet_fields[] = {
    {LEVY_KEY("observations", OBJECT, cliquet_terms, observations), .flags = LEVY_REQUIRED,
     .table = &levy_schedule_table,
     .doc = "Reset dates: n dates make n - 1 returns, each from one date to the next. A count or a "
            "frequency leaves out the start, and with it the return from there, unless "
            "include_start is true. Past levels are taken from the assets' fixings."},
    CLIQUET_BOUND(local_floor, "Floor of each return. The default is no floor."),
    CLIQUET_BOUND(local_cap, "Cap of each return. The default is no cap."),
    CLIQUET_BOUND(global_floor, "Floor of the sum. The default is no floor."),
    CLIQUET_BOUND(global_cap, "Cap of the sum. The default is no cap."),
    LEVY_AGGREGATE_FIELD,
    {0}};
static const levy_synonym cliquet_strangers[] = {
    {"reset_dates resets observation_dates",
     "Write observations, with the start as the first date: n dates make n - 1 returns."},
    {0}};
static const levy_synonym cliquet_synonyms[] = {
    {"ratchet", "{kind: cliquet, observations: {count: 4, include_start: true}, local_floor: 0}"},
    {0}};
const levy_table levy_payoff_cliquet_table = {
    .name = "payoff cliquet",
    .example = "{kind: cliquet, observations: {count: 4, include_start: true}, local_floor: 0, "
               "local_cap: 0.08}",
    .synonyms = cliquet_synonyms,
    .strangers = cliquet_strangers,
    .doc = "Cliquet: the sum of returns level(i) / level(i-1) - 1, per unit of "
           "notional. Each return is limited to [local_floor, local_cap], and the "
           "sum to [global_floor, global_cap].",
    LEVY_FILLS_TERMS(cliquet_terms),
    .fields = cliquet_fields};

/* ---- In a book ---- */

static double cliquet_bounded(double x, double floor, double cap)
{
    if (x < floor) x = floor; /* NaN: no bound */
    return x > cap ? cap : x;
}

/* The first level ends no return. */
static void cliquet_take(const levy_payoff_terms *terms, double level, levy_past *past)
{
    const cliquet_terms *const p = (const cliquet_terms *)terms;
    if (past->n == 0) return;
    past->sum += cliquet_bounded(level / past->last - 1, p->local_floor, p->local_cap);
}

/* Twelve months make eleven returns if the start is left out, which few mean. */
static void cliquet_warn_start(const levy_payoff_frame *frame, const cliquet_terms *p)
{
    const levy_node *const node = p->observations.node;
    if (!node || node->kind != LEVY_NODE_MAP || levy_node_find(node, "times")) return;
    if (levy_node_find(node, "include_start")) return;
    LEVY_WARN(frame->check, INCONSISTENT, node,
              levy_check_text(frame->check, "%s.payoff.observations", frame->path),
              "Write include_start: true, or include_start: false to have no return from there.",
              "the start of the schedule is no reset date, so the first return begins at the next");
}

static bool cliquet_check(const levy_payoff_frame *frame)
{
    const cliquet_terms *const p = (const cliquet_terms *)frame->terms;
    if (!levy_payoff_check_return(frame)) return false;
    cliquet_warn_start(frame, p);
    const bool local = p->local_floor > p->local_cap;
    if (!local && !(p->global_floor > p->global_cap)) return true;
    const double cap = local ? p->local_cap : p->global_cap,
                 floor = local ? p->local_floor : p->global_floor;
    return LEVY_REFUSE_KEY(frame, INCONSISTENT, local ? "local_cap" : "global_cap", "Swap the two.",
                           "the cap, %s, is below the floor, %s",
                           levy_check_number(frame->check, cap),
                           levy_check_number(frame->check, floor));
}

const levy_payoff levy_payoff_cliquet = {.kind = "cliquet",
                                         .table = &levy_payoff_cliquet_table,
                                         .numbers = cliquet_numbers,
                                         .is_return = levy_payoff_always,
                                         .is_known = cliquet_is_known,
                                         .most = cliquet_most,
                                         .owes = cliquet_owes,
                                         .observations = offsetof(cliquet_terms, observations),
                                         .aggregate = LEVY_AGGREGATE_NONE,
                                         .lanes = LEVY_PAYOFF_CLIQUET,
                                         .check = cliquet_check,
                                         .take = cliquet_take,
                                         .reads_expiry = levy_payoff_never};
