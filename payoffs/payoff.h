/* payoff.h: a payoff on the host: its YAML fields (one table per kind, into terms.h's
 * levy_payoff_terms and what a kind's own terms append), its needs, the rules across its own keys,
 * and the translation of its terms into the numbers for the path loop. The lanes' half is <kind>.h.
 * Each kind has one line in payoffs.def. Must not know: documents, markets, backends. */
#ifndef LEVY_PAYOFFS_PAYOFF_H
#define LEVY_PAYOFFS_PAYOFF_H

#include "engine/base/check.h"
#include "payoffs/claim.h"
#include "payoffs/terms.h"

#include <math.h>
#include <stdbool.h>

/* Who calls what takes one of these includes its header. */
struct levy_lognormal;
struct levy_lognormal_claim;
struct levy_script_program;
struct levy_script_source;
struct levy_script_form;

/* In the order of payoffs.def. The numbers occur in the plan image and in the kernels' shapes. */
enum {
#define LEVY_PAYOFF(name, NAME) LEVY_PAYOFF_##NAME,
#include "payoffs/payoffs.def"
    LEVY_PAYOFF_COUNT
};

enum {
    /* it settles on the mean of its observations, of which past ones are fixings */
    LEVY_PAYOFF_AVERAGES = 1u << 0,
    LEVY_PAYOFF_PAIR = 1u << 1 /* on the first of two underlyings minus the second */
};

#define LEVY_PAYOFF_FINITE 1e300

/* What a check sees of the trade. */
typedef struct levy_payoff_frame {
    levy_check *check; /* takes its faults */
    const levy_payoff_terms *terms;
    const struct levy_payoff *kind;
    const levy_table *table;             /* that has filled the terms */
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
    /* Offsets in the kind's terms; 0: there is no such part. */
    size_t observations; /* levy_schedule_terms: its dates beside expiry */
    size_t watch;        /* levy_watch_terms, which may hold the observations */
    size_t barrier;      /* levy_barrier_terms, which holds the watch */
    size_t reset;        /* levy_time: the date, not in a schedule, that fixes its strike */
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
    /* Whether node terms make an item that counts one time alone count something there. NULL: no
     * item does. */
    bool (*counts)(const levy_claim *claim, const double *node_terms);
    /* Fills the node terms of one node, which are 0 before. NULL if n_node_terms is. */
    void (*node_terms)(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                       double *node_terms);
    /* The program that the kind's lanes run (engine/script/program.h). Its items have constants and
     * node terms as it says, and `n_node_terms` is not asked. NULL: its lanes run none. */
    const struct levy_script_program *(*program)(const levy_claim *claim);
    /* Fills the constants of an item with a program, which are 0 before. levels: [underlying] the
     * levels today. `start`: today, with no date and no interval before it. NULL if `program` is.
     */
    void (*constants)(const levy_claim *claim, const double *levels, const levy_claim_step *start,
                      double *constants);
    /* Whether it is paid as a return, in no unit of the level. NULL: it is not. */
    bool (*is_return)(const levy_payoff_terms *terms);
    /* Lists where the payment jumps or bends; the list is empty before. NULL: it does not, or
     * nothing uses it, as for what is written as text, of which the program tells. */
    void (*edges)(const levy_claim *claim, levy_edges *edges);
    /* Whether it pays an amount or nothing, so that no strike is subtracted from a level. NULL: it
     * does not. */
    bool (*pays_amount)(const levy_payoff_terms *terms);
    /* Whether the past and an item's numbers (of a script, its first constants) give its value
     * without a path. `alone`: what it watches ends with the grid's first interval, which has no
     * cash dividends. NULL: they do not, unless no date is to come and the payment does not read
     * the level at expiry. */
    bool (*is_known)(const levy_claim *claim, const levy_claim_numbers *numbers, double log_unit,
                     bool alone);
    /* The most that a path can pay, per unit and undiscounted. INFINITY, or NULL: there is no such
     * amount. LEVY_PAYOFF_FINITE: there is one, and nothing says how large it is. */
    double (*most)(const levy_claim *claim);
    /* Whether a path can pay less than nothing. NULL: none can. */
    bool (*owes)(const levy_claim *claim);
    /* What is paid at once where the level touches a barrier, per unit, if rebates are paid at the
     * hit. NULL: nothing. */
    double (*hit)(const levy_claim *claim, double level);
    /* What its lanes carry depends on the level and on ITEM_START alone, so items that start alike
     * share it. */
    bool shares;
    /* It pays the level at expiry less the strike. Its lanes are those of a call struck at 0; the
     * plan takes the strike off. */
    bool is_forward;
    /* It is a call or put on the level at expiry, which Black's formula prices of one asset. */
    bool is_vanilla;
    /* It pays what the level is above the strike, or below it. */
    bool pays_gain;
    /* No level moves what it pays, so it needs no underlying. */
    bool is_fixed;
    /* the LEVY_PAYOFF_ number of the lane code that prices it (european for basket, ...) */
    int32_t lanes;
    /* ---- smoothed (integral.h) */
    /* Whether its lanes can integrate over a normal that the level's logarithm rises with, where it
     * is watched on dates. NULL: they cannot. */
    bool (*integrates)(const levy_payoff_terms *terms);
    /* Up to which deviation of the logarithm at expiry they can; in a scenario up to half as much
     * again. NULL: up to any. */
    double (*reach)(const levy_payoff_terms *terms);
    /* How many lanes an item carries beside its states. NULL: none. */
    uint32_t (*n_kept)(uint32_t variant);
    /* Makes the numbers those of the lanes that do. NULL if integrates is. */
    void (*integrate)(const levy_claim *claim, const levy_claim_unit *unit,
                      levy_claim_numbers *numbers);
    /* Writes the same payoff as a script, which is integrated in its place where its lanes cannot
     * be. False: it cannot be written. NULL: none can. */
    bool (*script_form)(const levy_claim *claim, struct levy_script_form *form);
    /* ---- in a book */
    /* Checks rules across keys; false: it has added faults. NULL: only the strike is checked. */
    bool (*check)(const levy_payoff_frame *frame);
    /* The text of a payoff that is written as one, with what it names; false: it has added faults.
     * Its terms have no observations, and its aggregate is worst_of. NULL: it is not written. */
    bool (*source)(const levy_payoff_frame *frame, struct levy_script_source *source);
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
    /* ---- in a study */
    /* What it is worth on a level that is lognormal at expiry, per unit and undiscounted. NULL: the
     * level at expiry alone does not tell. */
    double (*at_expiry)(const levy_payoff_terms *terms, struct levy_lognormal law);
    /* The exact value where the level is lognormal at every date, per unit and undiscounted, and
     * what the form is called. NaN, or NULL: none is known. */
    double (*closed_form)(const struct levy_lognormal_claim *c, const char **name);
} levy_payoff;

#define LEVY_PAYOFF(name, NAME)                                                                    \
    extern const levy_payoff levy_payoff_##name;                                                   \
    extern const levy_table levy_payoff_##name##_table;
#include "payoffs/payoffs.def"

extern const levy_payoff *const levy_payoffs[LEVY_PAYOFF_COUNT];
/* The key under which a kind's strike is written (`cash` for best_of_cash and worst_of_cash). NULL:
 * it has none. */
const char *levy_payoff_strike_key(const levy_payoff *payoff);
/* The kind that pays an amount, 1 if nothing is written, on the payment date. */
int32_t levy_payoff_of_cash(void);
/* The kind whose script the trade, or a kind that a file defines, brings along. */
int32_t levy_payoff_of_script(void);
/* 1 for a call, -1 for a put */
double levy_payoff_sign(const levy_payoff_terms *terms);
/* These return the kind's answers, or the default where it has none. */
bool levy_payoff_check(const levy_payoff_frame *frame);
int32_t levy_payoff_aggregate(const levy_payoff *payoff, const levy_payoff_terms *terms);
bool levy_payoff_reads_expiry(const levy_payoff *payoff, const levy_payoff_terms *terms);
double levy_payoff_most(const levy_payoff *payoff, const levy_claim *claim);
/* The parts of a kind's terms; NULL: it has no such part. */
const levy_schedule_terms *levy_terms_observations(const levy_payoff *payoff,
                                                   const levy_payoff_terms *terms);
const levy_watch_terms *levy_terms_watch(const levy_payoff *payoff, const levy_payoff_terms *terms);
const levy_barrier_terms *levy_terms_barrier(const levy_payoff *payoff,
                                             const levy_payoff_terms *terms);
const levy_time *levy_terms_reset(const levy_payoff *payoff, const levy_payoff_terms *terms);
/* The schedule at an offset in the terms. */
const levy_schedule_terms *levy_terms_schedule_at(const levy_payoff_terms *terms, size_t offset);
/* barrier_plan.c: the distance of a level from the nearest barrier, divided by the level; 0 or less
 * means a touch. */
double levy_barrier_distance(const levy_barrier_terms *barrier, double level);
/* Whether a known level is at a barrier or beyond. For direction cross: whether it is not above it.
 */
bool levy_barrier_is_beyond(const levy_barrier_terms *barrier, double level);
/* The same, but for direction cross: whether it is at the barrier. */
bool levy_barrier_touches(const levy_barrier_terms *barrier, double level);
/* Whether the lanes' formula for a rebate at the hit holds over an interval. `drift` and `variance`
 * are of the level's logarithm, `rate` is the fall of the discount factor's logarithm. */
bool levy_barrier_has_hit(const levy_barrier_terms *barrier, double drift, double variance,
                          double rate);
extern const levy_table levy_payoff_table; /* variants by kind, over all payoffs */

#endif
