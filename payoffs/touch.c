/* touch.c: host half of the one-touch and the no-touch, which pay cash on the touch of one barrier
 * or of either of two, or if there is none. Source: M. Rubinstein and E. Reiner, "Unscrambling the
 * binary code", Risk 4, 1991. Must not know: how the level's paths are made. */
#include "payoffs/checks.h"
#include "payoffs/fields.h"
#include "payoffs/shared.h"

#define LANE_SCALAR
#include "payoffs/barrier.h"
#include "payoffs/script_form.h"

enum { TOUCH_IF_TOUCHED, TOUCH_IF_UNTOUCHED };

typedef struct touch_terms {
    levy_touched_terms touched;
    int32_t pays; /* TOUCH_ */
    int32_t pay;  /* LEVY_PAY_ */
    double cash;  /* per unit */
} touch_terms;

static const touch_terms *touch_of(const levy_payoff_terms *terms)
{
    return (const touch_terms *)terms;
}

/* ---- In a plan ---- */

/* It is a rebate, or a digital that always pays. */
static void touch_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers)
{
    const bool untouched = touch_of(claim->terms)->pays == TOUCH_IF_UNTOUCHED;
    const double cash = touch_of(claim->terms)->cash, amount = untouched ? 0.0 : cash;
    double *const r = numbers->terms;
    levy_barrier_watch_numbers(claim, unit, false, numbers);
    levy_barrier_rebate_numbers(claim, unit, amount, amount, numbers);
    r[ITEM_SIGN] = untouched ? 1.0 : -1.0;
    r[ITEM_STRIKE] = 0.0;
    if (untouched) numbers->variant |= BARRIER_DIGITAL;
    r[ITEM_H] = untouched ? cash / unit->scale : 0.0;
    r[ITEM_H + 1] = 0.0;
}

static bool touch_script_form(const levy_claim *claim, levy_script_form *form)
{
    const touch_terms *const p = touch_of(claim->terms);
    return levy_touch_script_form(claim, p->pays == TOUCH_IF_UNTOUCHED, p->cash, form);
}

static double touch_size(const levy_claim *claim, double end)
{
    (void)end;
    return touch_of(claim->terms)->cash;
}

static void touch_edges(const levy_claim *claim, levy_edges *edges)
{
    levy_barrier_touch_edges(claim, false, touch_size, edges);
    edges->each[1].jumps = false; /* the amount is paid once */
}

static double touch_most(const levy_claim *claim) { return touch_of(claim->terms)->cash; }

static double touch_hit(const levy_claim *claim, double level) { return touch_size(claim, level); }

/* ---- As written ---- */

static const char *const touch_conditions[] = {"if_touched", "if_untouched", NULL};
static const levy_field touch_block_fields[] = {
    LEVY_DIRECTION_FIELD(0),
    LEVY_LEVEL_FIELD("level", 0, level,
                     "Level of a single barrier. A level exactly at the barrier counts as a "
                     "touch."),
    LEVY_LEVEL_FIELD("lower", 0, lower, "Lower barrier, if there are two."),
    LEVY_LEVEL_FIELD("upper", 0, upper, "Upper barrier, if there are two."),
    LEVY_BARRIER_WATCH_FIELDS,
    {0}};
static const levy_table touch_block = {
    .name = "touch barrier",
    .example = "{direction: up, level: 120, observations: {count: 252}}",
    .bare = "level",
    .doc = "A single barrier (direction, level) or a double barrier (lower, "
           "upper).",
    .size = sizeof(levy_barrier_terms),
    .fields = touch_block_fields};
static const levy_field touch_fields[] = {
    {LEVY_KEY("pays", CHOICE, touch_terms, pays), .choices = touch_conditions,
     .fallback = "if_touched",
     .doc = "if_touched: a one-touch option. if_untouched: a no-touch option."},
    {LEVY_KEY("pay", CHOICE, touch_terms, pay), .choices = levy_pay_times, .fallback = "at_expiry",
     .doc = "at_expiry: paid on the payment date. at_hit: paid at the time of the "
            "touch (one-touch only)."},
    {LEVY_KEY("cash", NUMBER, touch_terms, cash), .spelled = "payout payout_amount amount",
     LEVY_WITHIN(0, 1e15, LEVY_LOW_OPEN), .fallback = "1",
     .doc = "Amount paid per unit, or per unit of notional."},
    {LEVY_KEY("barrier", OBJECT, touch_terms, touched.barrier),
     .also = "barriers barrier_level level lower upper direction barrier_type monitoring "
             "observations window",
     .flags = LEVY_REQUIRED, .table = &touch_block,
     .doc = "The barrier, or the two barriers, and their monitoring."},
    LEVY_PERCENT_FIELDS,
    LEVY_AGGREGATE_FIELD,
    LEVY_TOUCHED_FIELD,
    {0}};
static const levy_synonym touch_synonyms[] = {
    {"one_touch", "{kind: touch, pays: if_touched, barrier: {direction: up, level: 120, "
                  "observations: {count: 252}}}"},
    {"no_touch", "{kind: touch, pays: if_untouched, barrier: {direction: up, level: 120, "
                 "observations: {count: 252}}}"},
    {"double_no_touch", "{kind: touch, pays: if_untouched, barrier: {lower: 80, upper: 120, "
                        "observations: {count: 252}}}"},
    {"dnt", "{kind: touch, pays: if_untouched, barrier: {lower: 80, upper: 120, observations: "
            "{count: 252}}}"},
    {"american_digital", "{kind: touch, pays: if_touched, pay: at_hit, barrier: {direction: up, "
                         "level: 120, observations: {count: 252}}}"},
    {0}};
const levy_table levy_payoff_touch_table = {
    .name = "payoff touch",
    .example = "{kind: touch, pays: if_touched, cash: 10, barrier: {direction: up, level: 120, "
               "observations: {count: 252}}}",
    .synonyms = touch_synonyms,
    .doc = "Touch option: pays cash if the level touches a barrier (one-touch), "
           "or if it never does (no-touch)." LEVY_INTEGRATED_ON_DATES,
    LEVY_FILLS_TERMS(touch_terms),
    .fields = touch_fields};

/* ---- In a book ---- */

/* A touch option has one barrier or two. */
static bool touch_has_form(const levy_payoff_frame *frame)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(frame->terms);
    const bool direction = barrier->direction >= 0, level = barrier->level > 0,
               lower = barrier->lower > 0, upper = barrier->upper > 0;
    const bool any_one = direction || level, any_two = lower || upper;
    if ((direction && level && !any_two) || (lower && upper && !any_one)) return true;
    if (any_one && any_two)
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "barrier", "Keep one of the two forms.",
                               "a single barrier has direction and level, a double barrier has "
                               "lower and upper; got keys of both");
    const char *key = level ? "direction" : "level";
    if (any_two) key = lower ? "upper" : "lower";
    return LEVY_REFUSE_KEY(frame, MISSING_KEY, "barrier",
                           "Write direction and level for one barrier, or lower and upper for two.",
                           "missing key '%s'", key);
}

static bool touch_pays_at_hit(const levy_payoff_terms *terms)
{
    return touch_of(terms)->pay == LEVY_PAY_AT_HIT;
}

static bool touch_check(const levy_payoff_frame *frame)
{
    if (!touch_has_form(frame)) return false;
    const bool good = levy_barrier_check_levels(frame);
    if (touch_of(frame->terms)->pays == TOUCH_IF_TOUCHED || !touch_pays_at_hit(frame->terms))
        return good;
    return LEVY_REFUSE_KEY(frame, INCONSISTENT, "pay", "Write pay: at_expiry.",
                           "it is known only at expiry that no touch has occurred");
}

const levy_payoff levy_payoff_touch = {.kind = "touch",
                                       .table = &levy_payoff_touch_table,
                                       .numbers = touch_numbers,
                                       LEVY_WATCHES_BARRIER,
                                       .edges = touch_edges,
                                       .script_form = touch_script_form,
                                       .pays_amount = levy_payoff_always,
                                       .most = touch_most,
                                       .hit = touch_hit,
                                       .aggregate = LEVY_AGGREGATE_NONE,
                                       .lanes = LEVY_PAYOFF_BARRIER,
                                       .check = touch_check,
                                       .pays_numbers = levy_payoff_always,
                                       .reads_expiry = levy_payoff_never,
                                       .pays_at_hit = touch_pays_at_hit,
                                       .hit_key = "pay"};
