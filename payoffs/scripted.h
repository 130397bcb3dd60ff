/* scripted.h: a payoff that is written as text (engine/script): what its kind gives of it, and what
 * a trade has of it once its dates and its past are known. Plain data. Must not know: markets,
 * grids, images. */
#ifndef LEVY_PAYOFFS_SCRIPTED_H
#define LEVY_PAYOFFS_SCRIPTED_H

#include "engine/script/payoff_script.h"
#include "payoffs/claim.h"
#include "payoffs/terms.h"

/* Fractions of a year, from each date of the first schedule to the next, that become a parameter's
 * numbers once the dates are known. */
typedef struct levy_accrual {
    levy_script_parameter *parameter; /* NULL: none is asked for */
    int32_t day_count;                /* levy_day_count */
    levy_time start;                  /* of the first; without a node: today */
} levy_accrual;

/* What a kind gives of floating coupons, which become the accrual's parameter. Lists of numbers:
 * one for all dates, or one for each. */
typedef struct levy_floating_source {
    bool compounded;
    levy_list spread, multiplier; /* without a node: 0, and 1 */
    levy_list fixings;            /* of levy_time_value */
    const char *forward_curve;    /* NULL: the trade's discount curve */
    levy_tenor fixing_lag;
    const levy_list *calendars; /* in which it is counted */
    double accrued;             /* NaN: not given */
} levy_floating_source;

/* A floating coupon: fixed + multiplier (grown D(from) / D(to) - 1) by the forward curve's D. What
 * is known has the multiplier 0. */
typedef struct levy_floating_coupon {
    double fixed, multiplier, grown, from, to;
} levy_floating_coupon;

/* What a kind gives. */
typedef struct levy_script_source {
    const char *text;
    const struct levy_node *place; /* of the text in a file; NULL: levy's own text, in none */
    /* the trade has the text itself, and maps of schedules and parameters; else its kind has the
     * text, and they are keys of the payoff */
    bool is_own;
    levy_script_parameter *parameters;
    size_t n_parameters;
    const levy_named_schedule *schedules;
    size_t n_schedules;
    levy_accrual accrual;
    const levy_floating_source *floating; /* NULL: its coupons are fixed */
    /* how many returns of the first schedule a year has; NULL: no parameter says so */
    const levy_script_parameter *returns;
    const levy_script_parameter *coupon; /* of each date of the first schedule; NULL: likewise */
} levy_script_source;

/* The dates of one schedule, with those that have passed. */
typedef struct levy_script_dates {
    size_t n, n_past;    /* a date of today is past if it has fixings */
    bool has_today;      /* the next one is today */
    const double *times; /* [n] */
    const double *paid;  /* [n]: when what a date pays is paid; NULL: on the date */
} levy_script_dates;

/* An amount that the past has left to be paid, per unit. */
typedef struct levy_script_owed {
    double time, amount;
} levy_script_owed;

typedef struct levy_scripted {
    levy_script script;
    /* the same over the first normal; without a program: it was not asked for, or cannot be */
    levy_script integrated;
    /* the same with comparisons over a width (soften.h), likewise */
    levy_script soft;
    const levy_script_parameter *parameters;
    /* [date of the first schedule]: what the only parameter is, in a market. NULL: parameters are
     * numbers */
    const levy_floating_coupon *floating;
    levy_script_dates dates[LEVY_SCRIPT_BLOCKS]; /* [schedule] */
    /* [n_flows], [n_ends], ascending: times, today's too, at which something may be paid, and at
     * which the trade may end */
    const double *flows, *ends;
    size_t n_flows, n_ends;
    const double *states;   /* [n_states]: where the past leaves them */
    levy_script_owed *owed; /* beside what is due at the payment date, which the states hold */
    size_t n_owed, owed_room;
    bool is_decided; /* it reads levels, all of the past */
    bool puts;       /* it stands for a call as the put: the forward is added, as in plan/tails.h */
    levy_claim_market market; /* as quoted */
    double expiry;
    double most; /* that a path is paid at once, by a rule of levy's own; 0: nobody knows */
    /* [underlying]: in a year, for steps outside of paths that read variances: the integral is this
     * by the time. NULL: none does */
    const double *variances;
    uint32_t settles; /* the state that is the price: 0, what has been paid */
    const struct levy_policy
        *policy; /* by which it is exercised early (policy.h); NULL: it is not */
    const struct levy_rights *rights;  /* what uses its rights (rights.h); NULL: it has none */
    const struct levy_scripted *bound; /* of that; NULL: nobody asks for it */
} levy_scripted;

/* A date of a schedule, and what counts there. */
typedef struct levy_script_date {
    size_t number; /* in its schedule, from 0 on, past dates included */
    double time;
    double worth; /* of 1 paid on it; 0: such a payment does not count */
    double due;   /* 1: what is paid at expiry counts; else 0 */
    double ends;  /* 1: an end on it counts; else 0 */
    /* [underlying]: of the logarithm on the normal that is integrated; NULL: none is */
    const double *loadings;
    const double *weights; /* [underlying]: a level is its weight times its gross return */
    const double *added;   /* [underlying] to the gross return: levy_claim_step; NULL: nothing */
    /* [underlying] of the logarithm since the schedule's date before, or since today; NULL: 0 */
    const double *variance;
    const levy_claim_market *market; /* NULL: as quoted */
    const double *rule;              /* numbers by which rights are used; NULL: none is */
    bool supposed; /* its levels are none that are known: none is a decimal but for its rounding */
} levy_script_date;

/* A number that the script reads at a date of the term's schedule. */
double levy_scripted_term(const levy_scripted *scripted, const levy_script_term *term,
                          const levy_script_date *date);

/* The largest of the script's constants that a step adds, subtracts or discounts. */
double levy_scripted_added(const levy_scripted *scripted);

/* Runs block number `block` of the program on one path at a date of its schedule. levels: of all
 * underlyings; states: [n_states]. Returns a number that says what the levels decide. */
uint64_t levy_scripted_run(const levy_scripted *scripted, uint32_t block,
                           const levy_script_date *date, const double *levels, double *states);

/* The script that the lanes run: as it is, integrated, or softened. */
const levy_script *levy_scripted_in_use(const levy_scripted *scripted, bool integrated,
                                        bool softened);

/* A number that says what levels decide today, in the blocks that observe it; and of blocks that
 * ask what was crossed, on which side of the next date's barrier they are, if `now` is not beyond
 * it. */
uint64_t levy_scripted_decides(const levy_scripted *scripted, const double *levels,
                               const double *now);

/* A number that says what the next date of each block decides at the levels `later`, if today's
 * were `levels`. */
uint64_t levy_scripted_decides_after(const levy_scripted *scripted, const double *levels,
                                     const double *later);

/* A number that says what levels would decide at the next date to come of a block; always the same
 * if there is none. */
uint64_t levy_scripted_will_decide(const levy_scripted *scripted, uint32_t block,
                                   const double *levels);

/* Whether a payment may jump: the script compares. */
bool levy_scripted_jumps(const levy_scripted *scripted);

#endif
