/* payoff_stage.h: what a payoff has fitted to paths before it is priced, such as a rule of exercise
 * (F. Longstaff and E. Schwartz, Review of Financial Studies 14, 2001). The engine records levels
 * on paths of their own (engine/run/stage.h), the kind fits numbers to them, and these
 * become node terms of its items, which do not change while it is priced. Plain data. Must not
 * know: plans, backends, images. */
#ifndef LEVY_PAYOFFS_STAGE_H
#define LEVY_PAYOFFS_STAGE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "payoffs/claim.h"

enum { LEVY_STAGE_WHY = 256, LEVY_STAGE_BEHIND = 512 };

/* Who works on a fit: workers that run a function together, and what is compiled for their
 * instruction set. */
typedef struct levy_stage_team {
    void *state;
    uint32_t n_workers;
    void (*run)(void *state, void (*work)(void *user, uint32_t worker), void *user);
    const struct levy_policy_isa *policy; /* policy_fit.h */
} levy_stage_team;

struct levy_rule_pass;

/* Levels that are in the memory of a device, which fits by itself. */
typedef struct levy_stage_device {
    void *state;
    /* Fills fitted, [date][n_fitted], and behind them what paths are paid in all, where the rule of
     * the pass may be used today. LEVY_UNSUPPORTED, LEVY_MEMORY: the host may do it, with the same
     * bits. */
    levy_status (*fit)(void *state, const struct levy_rule_pass *pass, double *fitted, char *why);
    const uint32_t *nodes; /* [date]: where its levels lie */
    size_t n_nodes, rows;  /* of a block of 4,096 paths, [node][row][path]; levels of a node are
                            * relative to today's, variances and discounts are behind them */
    levy_status status;    /* of `fit` */
    char *why;
} levy_stage_device;

/* From a date to the last in a market: the mean of the level there by the level now, the deviation
 * of its logarithm, and what 1 paid at the last is worth now. */
typedef struct levy_stage_law {
    double growth, deviation, due;
} levy_stage_law;

/* Levels that a market leads to, at the dates that the payoff observes and at the grid's last. */
typedef struct levy_stage_levels {
    size_t n_paths, n_assets, n_dates;
    const double *times;    /* [date] */
    const uint32_t *events; /* [date] bit k: it is a date of schedule k (claim.h) */
    const double *worth;    /* [date] of 1 paid on it, in money of the payment date */
    /* [date][asset][path] in money; paths in the order of their points, and room behind for
     * LEVY_STAGE_BEHIND numbers that nobody counts. NULL: the device has them */
    const double *levels;
    levy_stage_device *device;
    /* The same of variances in a year, or of regimes' numbers, and of the path's own discount
     * factors; NULL: no trade beside reads any */
    const double *variances, *discounts;
    const double *spot; /* [asset] today, in money */
    double today;       /* of 1 paid today, in money of the payment date */
    /* Logarithms of discount factors, and that of the payment date. */
    levy_claim_market market;
    double paid;
    /* Today, where the stage asks: [date][asset] means, and [date][asset][asset] covariances of
     * logarithms until then, NULL where these are not normal. */
    const double *forwards, *covariances;
    const levy_stage_law *law; /* [date], and today's; NULL: the stage asks for none */
    const levy_stage_team *team;
} levy_stage_levels;

/* Which markets have a fit of their own. */
typedef enum levy_stage_policy {
    LEVY_STAGE_SCENARIOS, /* today's and scenarios'; a bump has today's */
    LEVY_STAGE_REFIT,     /* bumps as well */
    LEVY_STAGE_FROZEN     /* today's alone */
} levy_stage_policy;

typedef struct levy_stage {
    levy_stage_policy policy;
    uint64_t paths;    /* that it is fitted to: 2^k, whatever the price takes */
    uint32_t n_fitted; /* numbers by date */
    /* Fills fitted, [date][n_fitted] and behind them n_fitted of today, which are 0 before. Sums
     * must have an order that no machine changes. Long work asks the memory of `scratch` whether to
     * stop (levy_memory_stopped). False: it cannot fit, and `why` (LEVY_STAGE_WHY bytes, empty
     * before) says why; or it says nothing, and stopped or has no memory. True: what `why` says is
     * a warning. */
    bool (*fit)(const levy_claim *claim, const levy_stage_levels *levels, levy_arena *scratch,
                double *fitted, char *why);
    /* Puts the numbers of a date into the node terms of an item, in the item's unit. */
    void (*write)(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                  double *node_terms);
    /* Changes the constants of an item with a program by the numbers of today. levels: [underlying]
     * of its market today, of which `market` knows the discount factors; discount: what 1 is worth
     * there that is paid on the payment date. NULL: nothing is fitted for today. */
    void (*begin)(const levy_claim *claim, const double *levels, const levy_claim_market *market,
                  double discount, const double *fitted, double *constants);
    /* The level at which the numbers of a date begin to exercise; NaN: at none, or so few paths of
     * the fit are beyond it that it says nothing. NULL: more than one level decides. */
    double (*level)(const levy_claim *claim, const levy_stage_levels *levels, size_t date,
                    const double *fitted);
    /* Writes what the price says of the numbers of today: LEVY_STAGE_WHY bytes. NULL: nothing. */
    void (*note)(const levy_claim *claim, const double *fitted, char *text);
    const uint64_t *seed; /* of its paths; NULL: the simulation's */
    bool asks_law;        /* the fit reads means and covariances of today's market */
    bool asks_left;       /* fit, write and begin read laws of what is left */
    bool there;           /* the fit may be a device's, where nobody asks for `level` */
} levy_stage;

#endif
