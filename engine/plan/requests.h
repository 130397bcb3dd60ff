/* requests.h: the outputs that a group reports, as differences of prices, and the parameter sets
 * that they need; outputs.h defines each. Every difference by a bump has a probe after all outputs,
 * which measures its bias (image.h). Trades with different bumps have requests of their own. Must
 * not know: items, clusters. */
#ifndef LEVY_PLAN_REQUESTS_H
#define LEVY_PLAN_REQUESTS_H

#include "engine/base/number.h"
#include "engine/plan/bumps.h"
#include "payoffs/claim.h"
#include "kernels/path/image.h"

/* One measure of every trade of the class that asks for it and uses its curve. */
typedef struct levy_request {
    uint32_t measure, label, remarks, n_terms, probe;
    uint32_t of; /* the class of bumps; levy_request_any: every class */
    uint32_t set[LEVY_OUTPUT_TERMS];
    double weight[LEVY_OUTPUT_TERMS];
    const levy_curve *curve;       /* the curve whose node is bumped; NULL: any */
    const levy_scenario *scenario; /* NULL: none */
    size_t node;
    double time;        /* the time of cash flows or of a probability */
    const char *report; /* the name of a report */
} levy_request;

static const uint32_t levy_request_any = UINT32_MAX;

typedef struct levy_requests {
    const levy_problem *problem;
    levy_dynamics_plan *dynamics;
    const levy_group *group;
    levy_arena *arena, *kept;        /* `kept` holds the labels */
    levy_request *requests, *probes; /* probes follow the requests in the end */
    size_t n, n_probes, n_labels;
    const char **labels;
    size_t room, probe_room, label_room;
    levy_bump_class *classes;
    uint32_t *class_of; /* [trade of the group] */
    size_t n_classes, class_room;
    uint32_t now; /* the class whose requests are being made */
    /* The assets of which spots, volatilities and yields are bumped: the underlyings, and behind
     * them the rates of composite ones that are none. */
    const levy_asset **bumped;
    size_t n_bumped;
} levy_requests;

/* Adds the sets to `dynamics`. */
levy_status levy_requests_make(levy_requests *requests);

const levy_trade *levy_requests_trade(const levy_requests *requests, size_t trade);
const levy_asset *levy_requests_asset(const levy_requests *requests, size_t u);
/* The measures that the trade asks for, LEVY_MEASURE_ bits. */
uint32_t levy_requests_measures(const levy_requests *requests, const levy_trade *trade);
/* Adds a request of all classes. */
levy_status levy_requests_shared(levy_requests *requests, uint32_t measure, const char *label,
                                 levy_request request);
/* A date, or years where the book has no dates. */
void levy_requests_time(const levy_requests *requests, double time, char at[LEVY_NUMBER_SIZE]);

/* Requests a shift of each node of an owner's term structure up to the first that is not before
 * `until`, since later ones matter to no trade. An only node has the name of all. */
levy_status levy_requests_nodes(levy_requests *requests, uint32_t measure, const char *owner,
                                levy_shift shift, levy_nodes nodes, double until, double h);

/* requests_rates.c: the first two add rates; the third says whether a trade's value depends on a
 * node of a curve. */
levy_status levy_requests_rho(levy_requests *requests);
levy_status levy_requests_rho_by_node(levy_requests *requests);
bool levy_requests_reach(const levy_requests *requests, const levy_trade *trade,
                         const levy_curve *curve, size_t node);

/* requests_jumps.c: those of the numbers of jumps. */
levy_status levy_requests_jumps(levy_requests *requests);

/* requests_views.c: the first adds what scripts count among those measures; the second says whether
 * a trade has what a request asks for. */
levy_status levy_requests_views(levy_requests *requests, uint32_t measures);
bool levy_requests_can_view(const levy_trade *trade, const levy_request *request);

/* Whether it is of a script, and what its item counts (levy_script_view). */
bool levy_request_views(const levy_request *request);
levy_script_view levy_requests_view(const levy_requests *requests, size_t trade,
                                    const levy_request *request);

bool levy_requests_wanted(const levy_requests *requests, size_t trade, const levy_request *request);

#endif
