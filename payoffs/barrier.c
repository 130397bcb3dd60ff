/* barrier.c: host half of the options with one barrier: knocked out or in when the level is at or
 * beyond it, on given dates or at any time in a window, with a rebate; and of the one-touch and
 * no-touch, which pay cash on the touch alone. Sources: E. Reiner and M. Rubinstein, "Breaking down
 * the barriers", Risk 4, 1991, and "Unscrambling the binary code", the same; discrete monitoring:
 * M. Broadie, P. Glasserman, S. Kou, Math. Finance 7, 1997; windows: R. Heynen and H. Kat, "Partial
 * barrier options", J. Financial Engineering 3, 1994. Must not know: how the level's paths are
 * made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/shared.h"

#include <math.h>

const char *const levy_barrier_directions[] = {"up", "down", "cross", "Up=up", "Down=down", NULL};
const char *const levy_barrier_knocks[] = {"out", "in", "Out=out", "In=in", NULL};
const char *const levy_barrier_payouts[] = {"option", "cash", "asset", NULL};
const char *const levy_monitorings[] = {"discrete", "continuous", "Discrete=discrete",
                                        "Continuous=continuous", NULL};
const char *const levy_pay_times[] = {"at_expiry", "at_hit", "AtExpiry=at_expiry", "AtHit=at_hit",
                                      NULL};

static const levy_field barrier_block_fields[] = {
    LEVY_DIRECTION_FIELD(LEVY_REQUIRED),
    LEVY_KNOCK_FIELD,
    LEVY_LEVEL_FIELD("level", LEVY_REQUIRED, barrier_level,
                     "Barrier level in the units of the strike. A level exactly at the "
                     "barrier counts as a touch."),
    LEVY_MONITORING_FIELDS(LEVY_BARRIER_TIMES),
    {0}};
static const levy_table barrier_block = {
    .name = "barrier",
    .doc = "Barrier: its level, its monitoring, and the effect of a touch.",
    .size = sizeof(levy_payoff_terms),
    .fields = barrier_block_fields};

static const levy_field barrier_rebate_fields[] = {
    {.name = "amount",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_RANGED,
     .low = 0,
     .high = 1e15,
     .offset = offsetof(levy_rebate_terms, amount),
     .doc = "Amount paid per unit, or per unit of notional."},
    LEVY_PAY_FIELD,
    {0}};
static const levy_table barrier_rebate = {
    .name = "rebate",
    .doc = "Rebate. A knock-out pays it if the barrier is touched; a knock-in "
           "pays it at expiry if the barrier is never touched. A bare number is "
           "an amount paid at expiry.",
    .size = sizeof(levy_rebate_terms),
    .fields = barrier_rebate_fields,
    .shorthand_key = "amount",
    .node_offset = offsetof(levy_rebate_terms, node),
    .has_node = true};

static const levy_field barrier_fields[] = {
    LEVY_OPTION_TYPE_FIELD,
    LEVY_STRIKE_FIELD,
    LEVY_STRIKE_TYPE_FIELD,
    LEVY_INITIAL_FIXING_FIELD,
    LEVY_AGGREGATE_FIELD,
    LEVY_PAYOUT_FIELDS,
    {.name = "barrier",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &barrier_block,
     .offset = 0,
     .doc = "Barrier: its level, its monitoring, and the effect of a touch."},
    {.name = "rebate",
     .type = LEVY_FIELD_OBJECT,
     .table = &barrier_rebate,
     LEVY_TERMS_OFFSET(rebate),
     .doc = "Rebate: the amount paid in place of the option."},
    {0}};
const levy_table levy_payoff_barrier_table = {
    .name = "payoff barrier",
    .doc = "Barrier option: a European option that a touch of the barrier knocks "
           "out or knocks in.",
    .size = sizeof(levy_payoff_terms),
    .fields = barrier_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

/* ---- In a study ---- */

/* Whether it has no rebate, one barrier of a given side, and one observation: at expiry. */
static bool barrier_is_seen_at_expiry(const levy_lognormal_claim *c)
{
    const levy_claim *const claim = c->claim;
    const levy_payoff_terms *const p = claim->terms;
    if (p->barrier_payout != LEVY_PAYOUT_OPTION || p->rebate.node) return false;
    if (p->barrier_direction == LEVY_BARRIER_CROSS || claim->continuous) return false;
    return claim->n_future == 1 && c->observations[0] == c->expiry && !claim->observes_now &&
           !claim->past.knocked;
}

static double barrier_closed_form(const levy_lognormal_claim *c, const char **name)
{
    const levy_payoff_terms *const p = c->claim->terms;
    *name = "barrier at expiry";
    if (!barrier_is_seen_at_expiry(c)) return NAN;
    const levy_lognormal law = levy_lognormal_at(c, c->expiry);
    const double s = levy_payoff_sign(p), k = p->strike, h = p->barrier_level,
                 side = p->barrier_direction == LEVY_BARRIER_UP ? 1.0 : -1.0;
    const double all = levy_lognormal_vanilla(law, s, k);
    double out;    /* what is paid if the barrier is not hit */
    if (s == side) /* the barrier caps the payment */
        out = s * (h - k) > 0.0 ? all - levy_lognormal_gap(law, s, h, k) : 0.0;
    else /* it limits the other side, and matters only if it lies beyond the strike */
        out = s * (h - k) > 0.0 ? levy_lognormal_gap(law, s, h, k) : all;
    return p->barrier_knock == LEVY_KNOCK_OUT ? out : all - out;
}

const levy_payoff levy_payoff_barrier = {.kind = "barrier",
                                         .table = &levy_payoff_barrier_table,
                                         LEVY_KNOCKS_AT_BARRIER,
                                         LEVY_WATCHES_BARRIER,
                                         .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_KNOCKS |
                                                     LEVY_PAYOFF_DISCONTINUOUS,
                                         .block = "barrier",
                                         .aggregate = LEVY_AGGREGATE_NONE,
                                         .lanes = LEVY_PAYOFF_BARRIER,
                                         .closed_form = barrier_closed_form,
                                         .check = levy_barrier_check,
                                         .pays_numbers = levy_payoff_pays_cash,
                                         .pays_at_hit = levy_barrier_pays_at_hit,
                                         .hit_key = "rebate",
                                         .is_rough = levy_barrier_is_rough};

/* ---- One-touch and no-touch ---- */

static const char *const touch_conditions[] = {"if_touched", "if_untouched", NULL};
static const levy_field touch_block_fields[] = {
    LEVY_DIRECTION_FIELD(0),
    LEVY_LEVEL_FIELD("level", 0, barrier_level,
                     "Level of a single barrier. A level exactly at the barrier counts as a "
                     "touch."),
    LEVY_LEVEL_FIELD("lower", 0, barrier_lower, "Lower barrier, if there are two."),
    LEVY_LEVEL_FIELD("upper", 0, barrier_upper, "Upper barrier, if there are two."),
    LEVY_MONITORING_FIELDS(LEVY_BARRIER_TIMES),
    {0}};
static const levy_table touch_block = {
    .name = "touch barrier",
    .doc = "A single barrier (direction, level) or a double barrier (lower, "
           "upper).",
    .size = sizeof(levy_payoff_terms),
    .fields = touch_block_fields};
static const levy_field touch_fields[] = {
    {.name = "pays",
     .type = LEVY_FIELD_CHOICE,
     .choices = touch_conditions,
     .fallback = "if_touched",
     LEVY_TERMS_OFFSET(touch_pays),
     .doc = "if_touched: a one-touch option. if_untouched: a no-touch option."},
    {.name = "pay",
     .type = LEVY_FIELD_CHOICE,
     .choices = levy_pay_times,
     .fallback = "at_expiry",
     LEVY_TERMS_OFFSET(touch_pay),
     .doc = "at_expiry: paid on the payment date. at_hit: paid at the time of the "
            "touch (one-touch only)."},
    {.name = "cash",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e15,
     .fallback = "1",
     LEVY_TERMS_OFFSET(cash),
     .doc = "Amount paid per unit, or per unit of notional."},
    {.name = "barrier",
     .type = LEVY_FIELD_OBJECT,
     .flags = LEVY_REQUIRED,
     .table = &touch_block,
     .offset = 0,
     .doc = "The barrier, or the two barriers, and their monitoring."},
    LEVY_PERCENT_FIELDS,
    LEVY_AGGREGATE_FIELD,
    {0}};
const levy_table levy_payoff_touch_table = {
    .name = "payoff touch",
    .doc = "Touch option: pays cash if the level touches a barrier (one-touch), "
           "or if it never does (no-touch).",
    .size = sizeof(levy_payoff_terms),
    .fields = touch_fields,
    .node_offset = offsetof(levy_payoff_terms, node),
    .has_node = true};

/* ---- In a book ---- */

/* A touch option has one barrier or two. */
static bool touch_has_form(levy_check *check, const levy_payoff_terms *terms,
                           const levy_payoff_frame *frame)
{
    const bool direction = terms->barrier_direction >= 0, level = terms->barrier_level > 0,
               lower = terms->barrier_lower > 0, upper = terms->barrier_upper > 0;
    const bool any_one = direction || level, any_two = lower || upper;
    if ((direction && level && !any_two) || (lower && upper && !any_one)) return true;
    if (any_one && any_two)
        return LEVY_REFUSE_KEY(check, INCONSISTENT, frame, "barrier", "Keep one of the two forms.",
                               "a single barrier has direction and level, a double barrier has "
                               "lower and upper; got keys of both");
    const char *key = level ? "direction" : "level";
    if (any_two) key = lower ? "upper" : "lower";
    return LEVY_REFUSE_KEY(check, MISSING_KEY, frame, "barrier",
                           "Write direction and level for one barrier, or lower and upper for two.",
                           "missing key '%s'", key);
}

static bool touch_pays_at_hit(const levy_payoff_terms *terms)
{
    return terms->touch_pay == LEVY_PAY_AT_HIT;
}

static bool touch_check(levy_check *check, const levy_payoff_terms *terms,
                        const levy_payoff_frame *frame)
{
    if (!touch_has_form(check, terms, frame)) return false;
    const bool good = levy_barrier_check_levels(check, terms, frame);
    if (terms->touch_pays == LEVY_TOUCH_IF_TOUCHED || !touch_pays_at_hit(terms)) return good;
    return LEVY_REFUSE_KEY(check, INCONSISTENT, frame, "pay", "Write pay: at_expiry.",
                           "it is known only at expiry that no touch has occurred");
}

const levy_payoff levy_payoff_touch = {.kind = "touch",
                                       .table = &levy_payoff_touch_table,
                                       .numbers = levy_touch_numbers,
                                       LEVY_WATCHES_BARRIER,
                                       .jump = levy_touch_jump,
                                       .stake = levy_touch_stake,
                                       .pays_amount = levy_payoff_always,
                                       .is_bounded = levy_touch_is_bounded,
                                       .features = LEVY_PAYOFF_OBSERVES | LEVY_PAYOFF_KNOCKS |
                                                   LEVY_PAYOFF_DISCONTINUOUS,
                                       .block = "barrier",
                                       .aggregate = LEVY_AGGREGATE_NONE,
                                       .lanes = LEVY_PAYOFF_BARRIER,
                                       .check = touch_check,
                                       .pays_numbers = levy_payoff_always,
                                       .reads_expiry = levy_payoff_never,
                                       .pays_at_hit = touch_pays_at_hit,
                                       .hit_key = "pay",
                                       .is_rough = levy_barrier_is_rough};
