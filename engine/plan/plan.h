/* plan.h: from a problem to plan images. Trades of one model with equal underlyings, scaling and
 * grid form a group and share draws. A group's numeric plan (grid, clock, dimensions, weights,
 * tables, outputs) is a function of the problem alone, and is hashed. A trade's bits never depend
 * on other trades. Must not know: devices, statistics. */
#ifndef LEVY_PLAN_H
#define LEVY_PLAN_H

#include "engine/plan/point_columns.h"
#include "engine/problem/problem.h"
#include "kernels/lane/tree.h"
#include "kernels/path/image.h"

typedef struct levy_group {
    size_t n_trades;
    uint32_t *trades; /* indices into problem->trades, ascending; none of them failed */
    size_t n_nodes;
    double *times;       /* the grid: years, ascending, > 0; the last is the expiry */
    double *scaling;     /* per underlying: weight times level, which orders the factors */
    bool auxiliary_draw; /* each node has a uniform draw outside the bridge */
    bool integrated;     /* its trades integrate over the first draw, which is 0 */
    /* what its trades pay is known (known.h); the grid is then one date without a meaning */
    bool known;
    bool varies; /* some of its trades read variances that differ from path to path */
    bool exact;  /* no path is needed: its trades are LEVY_TRADE_EXACT */
    bool early;  /* its trades may be exercised early, and need no path; then it is exact */
    bool fits;   /* some of its trades have a levy_trade.stage, which sees paths */
} levy_group;
/* Nothing is simulated. */
static inline bool levy_group_is_still(const levy_group *group)
{
    return group->known || group->exact;
}

enum { LEVY_FLAG_BITS = 30 }; /* a node has one for each schedule of the group's trades */
bool levy_same_schedules(const levy_trade *a, const levy_trade *b);

/* Groups in the order of their first trades. Arrays live in the arena. */
levy_status levy_groups_create(const levy_problem *problem, levy_arena *arena, levy_group **groups,
                               size_t *n_groups);
/* The group on the grid that the problem's simulation gives it. */
levy_status levy_group_step(const levy_problem *problem, const levy_group *group, levy_arena *arena,
                            levy_group *stepped);

struct levy_rare;

#define LEVY_PLAN_LIMITED 1e200

/* Runs with longer steps (engine/run/pilot.h): the first grid's are the shorter ones. */
enum {
    LEVY_PILOT_GRIDS = 2,
    LEVY_PILOT_ORDERS = 31,
    LEVY_PILOT_PER_ORDER = 20,
    LEVY_PILOT_ORDER_1 = 10 /* of the list of orders, which begins at 1/2 */
};
typedef struct levy_pilot {
    /* [grid][output][replicate], NaN of an output that is another one; NULL: none */
    tree_sum *sums;
    tree_sum *room; /* for them, of the plan's own size; NULL: there was never a pilot */
    uint32_t replicates, grids;
    uint32_t least, most; /* of the orders, that errors of the scheme show */
    /* [grid][order], from order 1/2 to 2: the run's error of its steps by what the grid's is above
     * it, if errors fall at that order */
    double share[LEVY_PILOT_GRIDS][LEVY_PILOT_ORDERS];
} levy_pilot;

typedef struct levy_plan {
    levy_arena arena;
    const levy_problem *problem;
    const levy_group *group;
    levy_image *image;       /* one buffer of image->bytes */
    double *clock;           /* [n_nodes] the bridge's clock */
    double *factor_variance; /* [n_factors] share of the scaled variance each factor carries */
    /* [n_draws] Sobol dimension (from 0) of each draw, in build order */
    uint32_t *dimensions;
    /* [2][n_nodes] what functionals change in the shares of variance: `added` and `moved` of
     * levy_functionals; NULL if there are none */
    double *turned;
    bool still;                /* no draw moves anything, so all paths are the same */
    const char *const *labels; /* [n_labels]: names of factors, by the outputs' numbers */
    size_t n_labels;
    struct levy_rare *rare; /* [n_items] what its replicates may miss alike (rare.h) */
    /* NULL unless the group fits: [n_items] the unit of the item's level, what it counts, and its
     * market. */
    levy_claim_unit *units;
    levy_script_view *views;
    levy_moved *markets;
    levy_shift **shifts; /* [n_items] of bumps' markets: copies; NULL: of a scenario, or none */
    uint64_t fit;        /* names the paths of its fits; 0: nothing has been fitted yet */
    /* [n_trades] NULL unless the group fits: what the trade's fit says beside its numbers, or NULL
     */
    const char **remarks, **notes;       /* notes: what its price says of the fit */
    struct levy_exercise_levels *levels; /* [n_trades] likewise: at which its rule exercises today's
                                          * market; n 0: there are none */
    /* [n_outputs] the most that a path can pay, per unit and discounted; a difference weighs its
     * terms. INFINITY: there is no such amount, or the output is no payment. LEVY_PLAN_LIMITED and
     * more: the amount exists, but nobody knows it. */
    double *limits;
    levy_pilot pilot;
} levy_plan;

/* LEVY_UNSUPPORTED with `why` (LEVY_PLAN_WHY bytes) if the plan would be too large or have too many
 * dimensions. LEVY_MEMORY if there is no memory; with `why` if the plan would pass the limit of the
 * memory's meter, which is checked before the image is built. LEVY_CANCELLED if the meter says
 * stop. */
enum { LEVY_PLAN_WHY = 256 };
levy_status levy_plan_create(const levy_memory *memory, const levy_problem *problem,
                             const levy_group *group, levy_plan **plan, char *why);
/* Does the same with columns of Sobol tables that plans share (point_columns.h; NULL: they do not).
 * Sharing never changes a bit. */
levy_status levy_plan_create_with(const levy_memory *memory, levy_point_tables *tables,
                                  const levy_problem *problem, const levy_group *group,
                                  levy_plan **plan, char *why);
/* The plan of the same trades on new quotes, bit for bit equal to a fresh one. If the quotes leave
 * the image's layout and dimensions alone, the points are kept and *renewed is `plan`. Else it is
 * another plan from `memory`, and `plan` can only be destroyed. After a failure it can be
 * renewed again, or destroyed. */
levy_status levy_plan_renew(levy_plan *plan, const levy_memory *memory, levy_point_tables *tables,
                            const levy_problem *problem, const levy_group *group,
                            levy_plan **renewed, char *why);
void levy_plan_destroy(levy_plan *plan); /* NULL is fine */

/* Changes the number of paths per replicate (Sobol: at most 2^32). The draws are the same, only
 * more or fewer of them. The plan is then, bit for bit, that of a problem with so many paths. */
void levy_plan_set_paths(levy_plan *plan, uint64_t paths);

/* Sets the node terms of an item at a node, [n_node_terms], in a group that fits, and the constants
 * of one with a program, [n_constants]. Once all are set, levy_plan_set_fit makes the plan's hash
 * depend on its numbers and on what names the fit's paths. */
void levy_plan_get_node_terms(const levy_plan *plan, uint32_t item, size_t node, double *terms);
void levy_plan_put_node_terms(levy_plan *plan, uint32_t item, size_t node, const double *terms);
void levy_plan_get_constants(const levy_plan *plan, uint32_t item, double *constants);
void levy_plan_put_constants(levy_plan *plan, uint32_t item, const double *constants);
void levy_plan_set_fit(levy_plan *plan, uint64_t fit);

#endif
