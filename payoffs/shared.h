/* shared.h: answers to the planner that several kinds share: in european.c for options on one level
 * at expiry, in barrier_plan.c for options that a touch ends or begins. Must not know: plans. */
#ifndef LEVY_PAYOFFS_SHARED_H
#define LEVY_PAYOFFS_SHARED_H

#include "payoffs/barrier_terms.h"
#include "payoffs/checks.h"
#include "payoffs/lognormal.h"

double levy_european_most(const levy_claim *claim);
bool levy_european_script_form(const levy_claim *claim, struct levy_script_form *form);
void levy_european_edges(const levy_claim *claim, levy_edges *edges);
double levy_european_at_expiry(const levy_payoff_terms *terms, levy_lognormal law);
double levy_european_closed_form(const levy_lognormal_claim *c, const char **name);

#define LEVY_SETTLES_AS_EUROPEAN                                                                   \
    .pays_gain = true, .most = levy_european_most, .edges = levy_european_edges,                   \
    .at_expiry = levy_european_at_expiry, .closed_form = levy_european_closed_form,                \
    .script_form = levy_european_script_form

/* The logarithm of a number in the item's units, in those of path_log; of 0 or less, one that no
 * level is below. */
double levy_integral_logarithm(const levy_claim_unit *unit, double level);
/* 1 / b, which any logarithm may be multiplied with; b 0: at nodes that no draw moves. */
double levy_integral_inverse(double loading, double log_unit);

uint32_t levy_barrier_n_node_terms(uint32_t variant);
uint32_t levy_barrier_n_kept(uint32_t variant);
void levy_barrier_node_terms(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                             double *node_terms);
bool levy_barrier_integrates(const levy_payoff_terms *terms);
void levy_barrier_integrate(const levy_claim *claim, const levy_claim_unit *unit,
                            levy_claim_numbers *numbers);
/* What is paid where the lower or the upper barrier is touched; 0: nothing. */
void levy_barrier_rebates(const levy_rebate_terms *rebate, double *lower, double *upper);
/* barrier_script.c: as scripts (script_form.h); touch: what pays `cash`. */
bool levy_barrier_script_form(const levy_claim *claim, struct levy_script_form *form);
bool levy_touch_script_form(const levy_claim *claim, bool untouched, double cash,
                            struct levy_script_form *form);
void levy_barrier_begin(const levy_payoff_terms *terms, levy_past *past);
void levy_barrier_take(const levy_payoff_terms *terms, double level, levy_past *past);
bool levy_barrier_is_known(const levy_claim *claim, const levy_claim_numbers *numbers,
                           double log_unit, bool alone);
/* for barrier and double_barrier */
void levy_barrier_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers);
void levy_barrier_edges(const levy_claim *claim, levy_edges *edges);
bool levy_barrier_pays_amount(const levy_payoff_terms *terms);
double levy_barrier_most(const levy_claim *claim);
double levy_barrier_hit(const levy_claim *claim, double level);
bool levy_barrier_owes(const levy_claim *claim);
/* The edges at barriers, where a touch changes the payment by `size`. Watched at all times, a path
 * pays by its chance of no touch, which jumps only where a window opens, or if its strike does. */
void levy_barrier_touch_edges(const levy_claim *claim, bool jumps,
                              double (*size)(const levy_claim *claim, double end),
                              levy_edges *edges);
/* The two parts of their numbers: where the barrier is, `in` for a knock-in, and what a touch
 * pays. */
void levy_barrier_watch_numbers(const levy_claim *claim, const levy_claim_unit *unit, bool in,
                                levy_claim_numbers *numbers);
void levy_barrier_rebate_numbers(const levy_claim *claim, const levy_claim_unit *unit, double lower,
                                 double upper, levy_claim_numbers *numbers);

#define LEVY_WATCHES_BARRIER                                                                       \
    .observations = offsetof(levy_touched_terms, barrier.watch.observations),                      \
    .watch = offsetof(levy_touched_terms, barrier.watch),                                          \
    .barrier = offsetof(levy_touched_terms, barrier), .block = "barrier",                          \
    .n_node_terms = levy_barrier_n_node_terms, .node_terms = levy_barrier_node_terms,              \
    .n_kept = levy_barrier_n_kept, .is_known = levy_barrier_is_known, .begin = levy_barrier_begin, \
    .take = levy_barrier_take, .integrates = levy_barrier_integrates,                              \
    .integrate = levy_barrier_integrate
#define LEVY_KNOCKS_AT_BARRIER                                                                     \
    .numbers = levy_barrier_numbers, .edges = levy_barrier_edges,                                  \
    .pays_amount = levy_barrier_pays_amount, .most = levy_barrier_most, .hit = levy_barrier_hit,   \
    .owes = levy_barrier_owes, .script_form = levy_barrier_script_form,                            \
    .check = levy_barrier_check, .pays_numbers = levy_barrier_pays_cash,                           \
    .pays_at_hit = levy_barrier_pays_at_hit, .hit_key = "rebate",                                  \
    .aggregate = LEVY_AGGREGATE_NONE, .lanes = LEVY_PAYOFF_BARRIER

#endif
