/* payoff.h: a payoff on the host: its YAML fields (one table per kind, into the terms that
 * all share and what a kind's own terms append), its needs, the rules across its own keys, and the
 * translation of its terms into the numbers for the path loop. The lanes' half is <kind>.h. Each
 * kind has one line in payoffs.def. Must not know: documents, markets, backends. */
#ifndef LEVY_PAYOFFS_PAYOFF_H
#define LEVY_PAYOFFS_PAYOFF_H

#include "engine/base/check.h"
#include "engine/base/field.h"
#include "payoffs/claim.h"
#include "payoffs/lognormal.h"

#include <stdbool.h>

/* The values of a file's choices, in the order in which the tables name them. */
enum { LEVY_CALL, LEVY_PUT };
enum { LEVY_STRIKE_ABSOLUTE, LEVY_STRIKE_PERCENT };
enum { LEVY_MEAN_ARITHMETIC, LEVY_MEAN_GEOMETRIC }; /* over dates, and over a basket */
enum { LEVY_AVERAGE_PRICE, LEVY_AVERAGE_STRIKE };
enum { LEVY_BARRIER_UP, LEVY_BARRIER_DOWN, LEVY_BARRIER_CROSS };
enum { LEVY_KNOCK_OUT, LEVY_KNOCK_IN };
enum { LEVY_MONITORED_DISCRETELY, LEVY_MONITORED_CONTINUOUSLY };
enum { LEVY_PAYOUT_OPTION, LEVY_PAYOUT_CASH, LEVY_PAYOUT_ASSET }; /* of barrier and asian */
enum { LEVY_DIGITAL_CASH, LEVY_DIGITAL_ASSET };
enum { LEVY_PAY_AT_EXPIRY, LEVY_PAY_AT_HIT };
enum { LEVY_TOUCH_IF_TOUCHED, LEVY_TOUCH_IF_UNTOUCHED };
enum { LEVY_LOOKBACK_FIXED, LEVY_LOOKBACK_FLOATING };
enum { LEVY_FORWARD_ABSOLUTE, LEVY_FORWARD_PERFORMANCE };
enum { LEVY_GENERATED_FORWARD, LEVY_GENERATED_BACKWARD };

/* Observation dates as written: a list of times, or start/end/frequency (dates), or start/end/count
 * (evenly spaced). */
typedef struct levy_schedule_terms {
    const struct levy_node *node; /* NULL: absent */
    levy_list times;              /* of levy_time */
    levy_time start, end;
    levy_tenor frequency; /* unit 0: absent */
    uint64_t count;       /* 0: absent */
    bool include_start;
    int32_t roll;       /* levy_roll */
    int32_t generation; /* LEVY_GENERATED_ */
    bool end_of_month;
    levy_list calendars; /* of const char * */
} levy_schedule_terms;
extern const levy_table levy_schedule_table; /* a bare list is short for {times: [...]} */

typedef enum levy_aggregate {                           /* how several underlyings make one level */
                              LEVY_AGGREGATE_NONE,      /* exactly one underlying */
                              LEVY_AGGREGATE_BASKET,    /* sum of weight * level */
                              LEVY_AGGREGATE_GEOMETRIC, /* product of level ^ weight */
                              LEVY_AGGREGATE_BEST_OF,   /* largest weight * level */
                              LEVY_AGGREGATE_WORST_OF   /* smallest weight * level */
} levy_aggregate;

/* When a barrier or an extremum is watched continuously. The default is from the valuation to
 * expiry. */
typedef struct levy_window_terms {
    const struct levy_node *node;
    levy_time start, end;
} levy_window_terms;
extern const levy_table levy_window_table;

/* What a touch pays. For a knock-in: what is paid if no touch occurs. */
typedef struct levy_rebate_terms {
    const struct levy_node *node; /* NULL: none */
    /* NaN: not given; lower and upper: one for each of two barriers */
    double amount, lower, upper;
    int32_t pay; /* LEVY_PAY_ */
} levy_rebate_terms;

/* The terms of all kinds. A kind's table names those that it has; the others stay 0. */
typedef struct levy_payoff_terms {
    const struct levy_node *node;
    int32_t option_type; /* LEVY_CALL, LEVY_PUT */
    double strike;       /* in the underlying's units, or a fraction of the initial level */
    int32_t strike_type; /* LEVY_STRIKE_ */
    /* percent_of_initial: `spot`, a number, or a list of one number per underlying */
    const struct levy_node *initial_fixing;
    int32_t aggregate;                   /* levy_aggregate */
    int32_t basket_type;                 /* kind basket: LEVY_MEAN_ */
    int32_t payout;                      /* digital: LEVY_DIGITAL_ */
    double cash;                         /* digital, cash: amount per unit */
    int32_t averaging_method;            /* asian: LEVY_MEAN_ */
    int32_t averaging_on;                /* asian: LEVY_AVERAGE_ */
    int32_t barrier_direction;           /* LEVY_BARRIER_; -1: two barriers, or not given */
    int32_t barrier_knock;               /* LEVY_KNOCK_ */
    int32_t monitoring;                  /* LEVY_MONITORED_ */
    double barrier_level;                /* same units as strike; NaN: not given */
    double barrier_lower, barrier_upper; /* with two barriers; NaN: not given */
    int32_t barrier_payout;              /* barrier, asian: LEVY_PAYOUT_; the cash is `cash` */
    levy_rebate_terms rebate;
    int32_t touch_pays;       /* touch: LEVY_TOUCH_ */
    int32_t touch_pay;        /* touch: LEVY_PAY_ */
    levy_window_terms window; /* continuous monitoring */
    int32_t lookback_strike;  /* LEVY_LOOKBACK_ */
    double running_extremum;  /* lookback: reached before the valuation; NaN: not given */
    double strike_fraction;   /* forward_start: of the level at `reset` */
    levy_time reset;
    int32_t forward_form;                                    /* LEVY_FORWARD_ */
    double local_floor, local_cap, global_floor, global_cap; /* cliquet; NaN: none */
    /* asian: fixings; barrier, lookback: monitoring times; cliquet: reset dates */
    levy_schedule_terms observations;
} levy_payoff_terms;

/* In the order of payoffs.def. The numbers occur in the plan image and in the kernels' shapes. */
enum {
#define LEVY_PAYOFF(name, NAME) LEVY_PAYOFF_##NAME,
#include "payoffs/payoffs.def"
    LEVY_PAYOFF_COUNT
};

enum {
    LEVY_PAYOFF_OBSERVES = 1u << 0, /* has an observation schedule beside expiry */
    /* observations before the valuation are fixings that enter the payoff */
    LEVY_PAYOFF_AVERAGES = 1u << 1,
    LEVY_PAYOFF_KNOCKS = 1u << 2, /* has a barrier */
    /* bumps are noisy, unless the kind's is_rough decides; see levy_trade.discontinuous */
    LEVY_PAYOFF_DISCONTINUOUS = 1u << 3,
    LEVY_PAYOFF_RESETS = 1u << 4, /* its strike is fixed later */
    LEVY_PAYOFF_PAIR = 1u << 5    /* on the first of two underlyings minus the second */
};

/* What a check sees of the trade around the terms. */
typedef struct levy_payoff_frame {
    const struct levy_payoff *kind;
    const char *path;                    /* of the trade: "trades[3]" */
    const struct levy_node *node;        /* the payoff as written */
    const struct levy_node *underlyings; /* as written; NULL: `underlying` names the only one */
    size_t n_underlyings;
    const double *weights; /* [n_underlyings] */
} levy_payoff_frame;

typedef struct levy_payoff_schedule {
    const char *key; /* in the payoff; NULL: the end of a list */
    size_t offset;   /* of its levy_schedule_terms in the terms */
} levy_payoff_schedule;

typedef struct levy_payoff {
    const char *kind;
    const levy_table *table; /* fills a levy_payoff_terms and the kind's own terms after it */
    unsigned features;
    /* the key whose block holds the observations, such as "barrier"; NULL: the payoff itself */
    const char *block;
    /* Schedules beside the observations: at most LEVY_PAYOFF_SCHEDULES - 1, then one without a key.
     * Their keys are the payoff's own. All their dates must be after the valuation, because past
     * ones are not known. Such a payoff cannot expire today. NULL: none. */
    const levy_payoff_schedule *further;
    /* the aggregate that the kind fixes (basket, best_of, worst_of), or LEVY_AGGREGATE_NONE: then
     * terms.aggregate decides */
    int32_t aggregate;
    /* ---- in a plan */
    /* Fills the lanes' numbers. Sign and strike are set already and may be overwritten. NULL: there
     * are no others. */
    void (*numbers)(const levy_claim *claim, const levy_claim_unit *unit,
                    levy_claim_numbers *numbers);
    /* How many node terms the lanes of a variant read. NULL: 0. */
    uint32_t (*n_node_terms)(uint32_t variant);
    /* Fills the node terms of one node, which are 0 before. NULL if n_node_terms is. */
    void (*node_terms)(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                       double *node_terms);
    /* Whether it is paid as a return, in no unit of the level. NULL: it is not. */
    bool (*is_return)(const levy_payoff_terms *terms);
    /* By how much the payment of a path that observes one date jumps where its level crosses the
     * strike or barrier, per unit and undiscounted. NULL: by nothing. */
    double (*jump)(const levy_claim *claim);
    /* Whether it pays an amount or nothing, so that no strike is subtracted from a level. NULL: it
     * does not. */
    bool (*pays_amount)(const levy_payoff_terms *terms);
    /* Whether the past and an item's numbers give its value without a path. `alone`: its grid is
     * one interval without cash dividends. NULL: they do not, unless no date is to come and the
     * payment does not read the level at expiry. */
    bool (*is_known)(const levy_claim *claim, const levy_claim_numbers *numbers, double log_unit,
                     bool alone);
    /* Whether no path can pay more than a fixed amount. NULL: paths can. */
    bool (*is_bounded)(const levy_claim *claim);
    /* Whether a path can pay less than nothing. NULL: none can. */
    bool (*owes)(const levy_claim *claim);
    /* Whether its call equals its put plus a level less the strike. The level is that at expiry, or
     * with LEVY_PAYOFF_AVERAGES the average of the observations. NULL: it does not. */
    bool (*has_parity)(const levy_payoff_terms *terms);
    /* The kink of a payoff that depends on the level at expiry alone and does not jump: the level
     * where it bends. NULL: it is not such a payoff. */
    double (*kink)(const levy_payoff_terms *terms);
    /* The distance of a level from the nearest barrier, divided by the level; 0 or less means a
     * touch. NULL: there is no barrier, and the next three are NULL too. */
    double (*distance)(const levy_claim *claim, double level);
    /* Whether a level is at a barrier or beyond. For direction cross: whether it is not above the
     * barrier. */
    bool (*is_beyond)(const levy_claim *claim, double level);
    /* About what a touch of the barrier at that level changes of the payment, per unit and
     * undiscounted. */
    double (*stake)(const levy_claim *claim, double level);
    /* Whether the lanes' formula for a rebate at the hit holds over an interval. `drift` and
     * `variance` are of the level's logarithm, `rate` is the fall of the discount factor's
     * logarithm. */
    bool (*has_hit)(const levy_claim *claim, double drift, double variance, double rate);
    /* What its lanes carry depends on the level and on ITEM_START alone, so items that start alike
     * share it. */
    bool shares;
    /* the LEVY_PAYOFF_ number of the lane code that prices it (european for basket, ...) */
    int32_t lanes;
    /* ---- in a study */
    /* What it is worth on a level that is lognormal at expiry, per unit and undiscounted. NULL: the
     * level at expiry alone does not tell. */
    double (*at_expiry)(const levy_payoff_terms *terms, levy_lognormal law);
    /* The exact value where the level is lognormal at every date, per unit and undiscounted, and
     * what the form is called. NaN, or NULL: none is known. */
    double (*closed_form)(const levy_lognormal_claim *c, const char **name);
    /* ---- in a book */
    /* Checks rules across keys; false: it has added faults. NULL: only the strike is checked. */
    bool (*check)(levy_check *check, const levy_payoff_terms *terms,
                  const levy_payoff_frame *frame);
    /* Begins the past with what the terms say of it. NULL: they say nothing. */
    void (*begin)(const levy_payoff_terms *terms, levy_past *past);
    /* Adds a level that was observed before the valuation; past->n and past->last are of those
     * before it. NULL: it is added to the sum. */
    void (*take)(const levy_payoff_terms *terms, double level, levy_past *past);
    /* Whether it averages logarithms, so that a level of several assets must be a geometric
     * basket. NULL: it does not. */
    bool (*is_geometric)(const levy_payoff_terms *terms);
    /* Its lanes take a uniform draw at each node if the level is watched continuously. */
    bool draws;
    /* The aggregate of these terms. NULL: `aggregate` says it. */
    int32_t (*aggregates)(const levy_payoff_terms *terms);
    /* Whether the payment is an amount of its own that does not take the level's unit. Only asked
     * if the payoff is not a return. NULL: it has the level's unit. */
    bool (*pays_numbers)(const levy_payoff_terms *terms);
    /* Whether the payment depends on the level at expiry. NULL: it does. If it does not, the
     * observations alone may decide it. */
    bool (*reads_expiry)(const levy_payoff_terms *terms);
    /* Whether a touch is paid when it occurs; `hit_key` is the key that says so. NULL: never. */
    bool (*pays_at_hit)(const levy_payoff_terms *terms);
    const char *hit_key;
    /* Whether bumps are noisy with this monitoring. NULL: LEVY_PAYOFF_DISCONTINUOUS says it. */
    bool (*is_rough)(const levy_payoff_terms *terms, bool continuous, double window_start);
} levy_payoff;

#define LEVY_PAYOFF(name, NAME)                                                                    \
    extern const levy_payoff levy_payoff_##name;                                                   \
    extern const levy_table levy_payoff_##name##_table;
#include "payoffs/payoffs.def"

extern const levy_payoff *const levy_payoffs[LEVY_PAYOFF_COUNT];
/* The key under which a kind's strike is written (`cash` for best_of_cash and worst_of_cash). NULL:
 * it has none. */
const char *levy_payoff_strike_key(const levy_payoff *payoff);
/* 1 for a call, -1 for a put */
double levy_payoff_sign(const levy_payoff_terms *terms);
/* These return the kind's answers, or the default where it has none. */
bool levy_payoff_check(levy_check *check, const levy_payoff_terms *terms,
                       const levy_payoff_frame *frame);
int32_t levy_payoff_aggregate(const levy_payoff *payoff, const levy_payoff_terms *terms);
bool levy_payoff_is_rough(const levy_payoff *payoff, const levy_payoff_terms *terms,
                          bool continuous, double window_start);
bool levy_payoff_reads_expiry(const levy_payoff *payoff, const levy_payoff_terms *terms);
bool levy_payoff_has_two_barriers(const levy_payoff_terms *terms);
extern const levy_table levy_payoff_table; /* variants by kind, over all payoffs */

#endif
