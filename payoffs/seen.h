/* seen.h: the data that a payoff sees at a node. Lanes only. */
#ifndef LEVY_PAYOFFS_SEEN_H
#define LEVY_PAYOFFS_SEEN_H

#include "kernels/lane/target.h"
#include "payoffs/basket.h"

typedef struct payoff_seen {
    basket_level level;
    lane before;         /* with one asset: its logarithm before the node's cash dividends */
    lane_word auxiliary; /* the node's draw outside the bridge, if the plan has one */
    /* [n_assets]: the gross returns of all assets, and the item's weights of them. The product of
     * the two is in the units of `level`. In a geometric basket the weights are exponents. */
    const lane *gross;
    const lane *logs; /* of `gross`, in the units of path_log */
    /* [n_assets]: what the integrated normal moves of `logs`, where it differs from path to path;
     * else NULL */
    const lane *slopes;
    /* [n_assets]: the variance in a year, which may be below 0 where 0 is meant, and its integral
     * since today, where they differ from path to path and the plan asks for them; else NULL */
    const lane *variances, *integrals;
    const real *weights;
    uint32_t n_assets;
    lane *kept; /* [n_kept of payoff.h]: more lanes that the item carries; they start at 0 */
    struct script_segments *segments; /* of an integrated program, on a GPU */
    uint32_t node;
    uint32_t events; /* bit k: the node is a date of schedule k, as in levy_claim_step */
} payoff_seen;

/* On a CPU, rare and long code stays out of the loop that everything else runs through. */
#if LANE_GPU
#define PAYOFF_NOINLINE LANE_FN
#else
#define PAYOFF_NOINLINE static __attribute__((noinline, unused))
#endif

#endif
