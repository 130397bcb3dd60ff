/* results_net.h: hands the measures of a group's trades to the netting of the whole book, once all
 * trades of the group are done. Must not know: how a measure is estimated. */
#ifndef LEVY_BOOK_RESULTS_NET_H
#define LEVY_BOOK_RESULTS_NET_H

#include "engine/book/results.h"
#include "engine/statistics/estimate.h"

typedef struct levy_results_net {
    const levy_plan *plan;
    levy_arena *scratch;
    uint32_t *lines; /* [label][bit of the measure]: number of the netting's line, plus 1 */
    struct levy_results_net_trade {
        levy_netting_part *parts; /* of its measures, in their order; lines and notes at the end */
        struct levy_results_net_source {
            uint32_t output;
            size_t measure; /* among those of the trade */
        } * sources;        /* [part] */
        size_t n, most;
        uint32_t has; /* the measures that it reports */
    } * trades;       /* [trade of the group] */
} levy_results_net;

/* One measure of a trade. */
typedef struct levy_results_net_measure {
    uint32_t output, place; /* of the plan; among a trade's measures */
    const tree_sum *sums;
    levy_output_errors errors;
    double bias;
    levy_step_bias steps;
    size_t measure; /* among those that the trade reports */
} levy_results_net_measure;

/* Measures that are in no currency: no size multiplies them, and they do not add up. */
enum {
    LEVY_RESULTS_PURE = LEVY_MEASURE_PROBABILITY | LEVY_MEASURE_EXPECTED_LIFE |
                        LEVY_MEASURE_REPORT | LEVY_MEASURE_IMPLIED_VOLATILITY |
                        LEVY_MEASURE_BOUNDARY,
    /* Nor do bounds: of a sum of long and short positions that of its parts is none. */
    LEVY_RESULTS_APART = LEVY_RESULTS_PURE | LEVY_MEASURE_UPPER_BOUND
};

/* All that return a bool return false if there is no memory. `scratch` lives until the last call.
 * Results are needed at the end alone, once they have the group's trades. */
bool levy_results_net_begin(levy_results_net *net, const levy_plan *plan, levy_arena *scratch);
/* A trade of the group has at most that many measures. */
bool levy_results_net_expect(levy_results_net *net, uint32_t trade, size_t most);
void levy_results_net_take(levy_results_net *net, uint32_t trade,
                           const levy_results_net_measure *measure);
/* The trade adds nothing: it has no results. */
void levy_results_net_drop(levy_results_net *net, uint32_t trade);
bool levy_results_net_end(levy_results_net *net, levy_results *results);

/* The contribution of a trade to sums. */
typedef struct levy_results_net_sums {
    size_t index; /* in the book */
    uint32_t covers;
    const levy_netting_part *parts;
    size_t n_parts;
} levy_results_net_sums;
/* Whether sums count its trade for it: of a trade's legs, for the first one that is priced and paid
 * in the sum's currency. */
bool levy_results_net_counts(const levy_trade *of, bool translated);
/* Adds it, if it is priced: to the book's sums, and of a leg to its trade. */
bool levy_results_net_add(levy_results *results, const levy_problem *problem,
                          const levy_results_net_sums *sums, size_t n_replicates,
                          levy_arena *scratch);
/* Says of a trade without a price that the book's sums lack it. */
bool levy_results_net_miss(levy_results *results, const levy_problem *problem, size_t index);
/* The line of a measure, by the number of its bit. The texts outlive the netting. */
levy_netting_line levy_results_net_line(uint32_t bit, const char *measure, const char *factor);

/* The bits of the measures that a trade was asked for, so that what it does not report is 0. Only a
 * script has dates of its cash flows. */
uint32_t levy_results_net_covers(const levy_results_net *net, uint32_t trade);

#endif
