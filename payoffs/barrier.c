/* barrier.c: host half of the options with one barrier or two: knocked out or in when the level is
 * at or beyond one of them, on given dates or at any time in a window, with a rebate. Sources: E.
 * Reiner and M. Rubinstein, "Breaking down the barriers", Risk 4, 1991; two barriers: N. Kunitomo
 * and M. Ikeda, "Pricing options with curved boundaries", Math. Finance 2, 1992; discrete
 * monitoring: M. Broadie, P. Glasserman, S. Kou, Math. Finance 7, 1997; windows: R. Heynen and H.
 * Kat, "Partial barrier options", J. Financial Engineering 3, 1994. Must not know: how the level's
 * paths are made.
 */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/shared.h"

#include <math.h>

const char *const levy_barrier_directions[] = {"up", "down", "cross", "Up=up", "Down=down", NULL};
const char *const levy_barrier_knocks[] = {"out", "in", "Out=out", "In=in", NULL};
const char *const levy_barrier_payouts[] = {"option", "cash", "asset", NULL};
const levy_synonym levy_barrier_kinds[] = {{"up_and_out", "direction: up, knock: out"},
                                           {"up-and-out", "direction: up, knock: out"},
                                           {"up_out", "direction: up, knock: out"},
                                           {"up-out", "direction: up, knock: out"},
                                           {"uo", "direction: up, knock: out"},
                                           {"up_and_in", "direction: up, knock: in"},
                                           {"up-and-in", "direction: up, knock: in"},
                                           {"up_in", "direction: up, knock: in"},
                                           {"up-in", "direction: up, knock: in"},
                                           {"ui", "direction: up, knock: in"},
                                           {"down_and_out", "direction: down, knock: out"},
                                           {"down-and-out", "direction: down, knock: out"},
                                           {"down_out", "direction: down, knock: out"},
                                           {"down-out", "direction: down, knock: out"},
                                           {"do", "direction: down, knock: out"},
                                           {"down_and_in", "direction: down, knock: in"},
                                           {"down-and-in", "direction: down, knock: in"},
                                           {"down_in", "direction: down, knock: in"},
                                           {"down-in", "direction: down, knock: in"},
                                           {"di", "direction: down, knock: in"},
                                           {0}};
const levy_synonym levy_knock_words[] = {{"knock_in", "knock: in"},
                                         {"ki", "knock: in"},
                                         {"knock_out", "knock: out"},
                                         {"ko", "knock: out"},
                                         {0}};
const char *const levy_monitorings[] = {"discrete", "continuous", "Discrete=discrete",
                                        "Continuous=continuous", NULL};
const char *const levy_pay_times[] = {"at_expiry", "at_hit", "AtExpiry=at_expiry", "AtHit=at_hit",
                                      NULL};

static const levy_field barrier_state_fields[] = {
    {LEVY_KEY("touched", FLAG, levy_touched_state, touched), .also = "hit knocked",
     .flags = LEVY_REQUIRED, .doc = "Whether a barrier was touched before the valuation date."},
    {0}};
const levy_table levy_touched_state_table = {.name = "state",
                                             .example = "{touched: true}",
                                             .doc = "The past of a barrier.",
                                             LEVY_FILLS(levy_touched_state),
                                             .fields = barrier_state_fields};

static const levy_field barrier_block_fields[] = {
    LEVY_DIRECTION_FIELD(LEVY_REQUIRED),
    LEVY_KNOCK_FIELD,
    LEVY_LEVEL_FIELD("level", LEVY_REQUIRED, level,
                     "Barrier level in the units of the strike. A level exactly at the "
                     "barrier counts as a touch."),
    LEVY_BARRIER_WATCH_FIELDS,
    {0}};
static const levy_table barrier_block = {
    .name = "barrier",
    .example = "{direction: up, knock: out, level: 120, observations: {count: 252}}",
    .bare = "level",
    .doc = "Barrier: its level, its monitoring, and the effect of a touch.",
    .size = sizeof(levy_barrier_terms),
    .fields = barrier_block_fields};

#define BARRIER_AMOUNT_FIELD(key, flag, text)                                                      \
    {                                                                                              \
        .name = #key, .type = LEVY_FIELD_NUMBER, .flags = flag | LEVY_RANGED, .low = 0,            \
        .high = 1e15, .offset = offsetof(levy_rebate_terms, key), .doc = text                      \
    }
static const levy_field barrier_rebate_fields[] = {
    BARRIER_AMOUNT_FIELD(amount, LEVY_REQUIRED, "Amount paid per unit, or per unit of notional."),
    LEVY_PAY_FIELD,
    {0}};
static const levy_table barrier_rebate_table = {
    .name = "rebate",
    .example = "{amount: 5, pay: at_expiry}",
    .doc = "Rebate. A knock-out pays it if the barrier is touched; a knock-in "
           "pays it at expiry if the barrier is never touched. A bare number is "
           "an amount paid at expiry.",
    LEVY_FILLS(levy_rebate_terms),
    .fields = barrier_rebate_fields,
    .shorthand_key = "amount"};

#define BARRIER_FIELDS(block, keys, text, rebate_table)                                            \
    LEVY_OPTION_TYPE_FIELD, LEVY_STRIKE_FIELD, LEVY_PERCENT_FIELDS, LEVY_AGGREGATE_FIELD,          \
        LEVY_PAYOUT_FIELDS(levy_knock_terms),                                                      \
        {.name = "barrier",                                                                        \
         .also = keys,                                                                             \
         .type = LEVY_FIELD_OBJECT,                                                                \
         .flags = LEVY_REQUIRED,                                                                   \
         .table = &block,                                                                          \
         .offset = offsetof(levy_knock_terms, touched.barrier),                                    \
         .doc = text},                                                                             \
        {.name = "rebate",                                                                         \
         .also = "rebates rebate_amount",                                                          \
         .type = LEVY_FIELD_OBJECT,                                                                \
         .table = &rebate_table,                                                                   \
         .offset = offsetof(levy_knock_terms, rebate),                                             \
         .doc = "Rebate: the amount paid in place of the option."},                                \
        LEVY_TOUCHED_FIELD
static const levy_field barrier_fields[] = {
    BARRIER_FIELDS(
        barrier_block,
        "barriers barrier_level level direction knock barrier_type monitoring observations window",
        "Barrier: its level, its monitoring, and the effect of a touch.", barrier_rebate_table),
    {0}};
#define BARRIER_MAP(type, direction, knock, level)                                                 \
    "{kind: barrier, option_type: " type ", strike: 100, barrier: {direction: " direction          \
    ", knock: " knock ", level: " level ", observations: {count: 252}}}"
static const levy_synonym barrier_synonyms[] = {
    {"up_and_out_call", BARRIER_MAP("call", "up", "out", "120")},
    {"up_and_out_put", BARRIER_MAP("put", "up", "out", "120")},
    {"up_and_in_call", BARRIER_MAP("call", "up", "in", "120")},
    {"up_and_in_put", BARRIER_MAP("put", "up", "in", "120")},
    {"down_and_out_call", BARRIER_MAP("call", "down", "out", "80")},
    {"down_and_out_put", BARRIER_MAP("put", "down", "out", "80")},
    {"down_and_in_call", BARRIER_MAP("call", "down", "in", "80")},
    {"down_and_in_put", BARRIER_MAP("put", "down", "in", "80")},
    {"up_and_out", BARRIER_MAP("call", "up", "out", "120")},
    {"up_and_in", BARRIER_MAP("call", "up", "in", "120")},
    {"down_and_out", BARRIER_MAP("call", "down", "out", "80")},
    {"down_and_in", BARRIER_MAP("call", "down", "in", "80")},
    {"knock_out", BARRIER_MAP("call", "up", "out", "120")},
    {"knock_in", BARRIER_MAP("call", "up", "in", "120")},
    {0}};
const levy_table levy_payoff_barrier_table = {
    .name = "payoff barrier",
    .example = "{kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: "
               "out, level: 120, observations: {count: 252}}}",
    .synonyms = barrier_synonyms,
    .doc = "Barrier option: a European option that a touch of the barrier knocks "
           "out or knocks in." LEVY_INTEGRATED_ON_DATES,
    LEVY_FILLS_TERMS(levy_knock_terms),
    .fields = barrier_fields};

/* ---- Two barriers ---- */

static const levy_field double_block_fields[] = {
    LEVY_LEVEL_FIELD("lower", LEVY_REQUIRED, lower,
                     "Barrier level in the units of the strike. A level exactly at the "
                     "barrier counts as a touch."),
    LEVY_LEVEL_FIELD("upper", LEVY_REQUIRED, upper,
                     "Upper barrier level; it must be above the lower one."),
    LEVY_KNOCK_FIELD,
    LEVY_BARRIER_WATCH_FIELDS,
    {0}};
static const levy_table double_block = {
    .name = "double barrier",
    .example = "{lower: 80, upper: 120, knock: out, observations: {count: 252}}",
    .doc = "Barriers: their levels, their monitoring, and the effect of a touch.",
    .size = sizeof(levy_barrier_terms),
    .fields = double_block_fields};

static const levy_field double_rebate_fields[] = {
    BARRIER_AMOUNT_FIELD(amount, 0, "Amount paid per unit, the same for both barriers."),
    BARRIER_AMOUNT_FIELD(lower, 0,
                         "With pay at_hit: amount paid if the lower barrier is touched first."),
    BARRIER_AMOUNT_FIELD(upper, 0,
                         "With pay at_hit: amount paid if the upper barrier is touched first."),
    LEVY_PAY_FIELD,
    {0}};
static const levy_table double_rebate = {
    .name = "double rebate",
    .example = "{amount: 5, pay: at_expiry}",
    .doc = "Rebate. A knock-out pays it at the first touch; the amounts of the "
           "two barriers can differ. A knock-in pays it at expiry if neither "
           "barrier is touched. A bare number is an amount paid at expiry.",
    LEVY_FILLS(levy_rebate_terms),
    .fields = double_rebate_fields,
    .shorthand_key = "amount"};

static const levy_field double_fields[] = {
    BARRIER_FIELDS(double_block,
                   "barriers lower upper knock barrier_type monitoring observations window "
                   "barrier_level level",
                   "Barriers: their levels, their monitoring, and the effect of a touch.",
                   double_rebate),
    {0}};
static const levy_synonym double_barrier_synonyms[] = {
    {"double_knock_out", "{kind: double_barrier, option_type: call, strike: 100, barrier: {lower: "
                         "80, upper: 130, knock: out, observations: {count: 252}}}"},
    {"double_knock_in", "{kind: double_barrier, option_type: call, strike: 100, barrier: {lower: "
                        "80, upper: 130, knock: in, observations: {count: 252}}}"},
    {0}};
const levy_table levy_payoff_double_barrier_table = {
    .name = "payoff double_barrier",
    .example = "{kind: double_barrier, option_type: call, strike: 100, barrier: {lower: 80, upper: "
               "130, knock: out, observations: {count: 252}}}",
    .synonyms = double_barrier_synonyms,
    .doc = "Double barrier option: a European option that a touch of either "
           "barrier knocks out or knocks in." LEVY_INTEGRATED_ON_DATES,
    LEVY_FILLS_TERMS(levy_knock_terms),
    .fields = double_fields};

/* ---- In a study ---- */

/* Whether it has no rebate, and one observation: at expiry. There a barrier has a side. */
static bool barrier_is_seen_at_expiry(const levy_lognormal_claim *c)
{
    const levy_claim *const claim = c->claim;
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    if (p->payout.payout != LEVY_PAYOUT_OPTION || p->rebate.node || claim->continuous) return false;
    return claim->n_future == 1 && c->observations[0] == c->expiry && !claim->observes_now &&
           !claim->past.knocked;
}

static double barrier_closed_form(const levy_lognormal_claim *c, const char **name)
{
    const levy_payoff_terms *const p = c->claim->terms;
    const levy_barrier_terms *const barrier = levy_barrier_of(p);
    *name = "barrier at expiry";
    if (!barrier_is_seen_at_expiry(c)) return NAN;
    const levy_lognormal law = levy_lognormal_at(c, c->expiry);
    const double s = levy_payoff_sign(p), k = p->strike, h = barrier->level,
                 side = barrier->direction == LEVY_BARRIER_UP ? 1.0 : -1.0;
    const double all = levy_lognormal_vanilla(law, s, k);
    double out;    /* what is paid if the barrier is not hit */
    if (s == side) /* the barrier caps the payment */
        out = s * (h - k) > 0.0 ? all - levy_lognormal_gap(law, s, h, k) : 0.0;
    else /* it limits the other side, and matters only if it lies beyond the strike */
        out = s * (h - k) > 0.0 ? levy_lognormal_gap(law, s, h, k) : all;
    return barrier->knock == LEVY_KNOCK_OUT ? out : all - out;
}

const levy_payoff levy_payoff_barrier = {.kind = "barrier",
                                         .table = &levy_payoff_barrier_table,
                                         LEVY_KNOCKS_AT_BARRIER,
                                         LEVY_WATCHES_BARRIER,
                                         .closed_form = barrier_closed_form};

const levy_payoff levy_payoff_double_barrier = {
    .kind = "double_barrier",
    .table = &levy_payoff_double_barrier_table,
    LEVY_KNOCKS_AT_BARRIER,
    LEVY_WATCHES_BARRIER,
};
