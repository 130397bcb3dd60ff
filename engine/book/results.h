/* results.h: from the sums of a group to the results of its trades. */
#ifndef LEVY_BOOK_RESULTS_H
#define LEVY_BOOK_RESULTS_H

#include "engine/book/handles.h"
#include "engine/book/journal_text.h"
#include "engine/statistics/netting.h"
#include "engine/plan/plan.h"
#include "engine/statistics/step_bias.h"
#include "engine/report/report.h"
#include "kernels/lane/tree.h"

struct levy_results {
    const levy_memory *memory;
    levy_memory own_memory; /* results may outlive the book, not the context */
    levy_arena arena;
    levy_run_info run;
    levy_trade_result *trades;
    size_t n_trades;
    levy_netting netting;
    const char *report_currency; /* to which sums are translated, too; NULL: to none */
    levy_netting legs;           /* the sums of trades with legs, by the ids of the trades */
    levy_grid_point *points;     /* of all grids of scenarios */
    size_t n_points;
    levy_report_input *inputs; /* for reports (results_origin.c) */
    size_t n_inputs;
    levy_report_origin origin;   /* likewise (results_terms.c, results_market.c) */
    const levy_part_info *parts; /* of merged results: who priced them */
    size_t n_parts;
};

/* results_origin.c: notes which texts the book was read from. */
levy_status levy_results_note_origin(levy_results *results, const levy_book *book);
/* results_terms.c: what the book says of each trade. results_market.c: the market as it was used.
 * False: no memory. */
bool levy_results_note_terms(levy_results *results, const levy_book *book);
bool levy_results_note_market(levy_results *results, const levy_book *book);

/* Every trade starts as failed if the input was at fault, with its own reason, else as cancelled.
 * Texts are copied. */
levy_status levy_results_create(const levy_book *book, levy_results **results);

/* A copy in the results' arena; *ok becomes false if there is no memory. NULL stays NULL. */
const char *levy_results_copy(levy_results *results, const char *text, bool *ok);

/* results_labels.c: fills a trade's texts; fills the points of grids. False: no memory. */
bool levy_results_label(levy_results *results, const levy_trade *trade, levy_trade_result *result);
bool levy_results_grids(levy_results *results, const levy_problem *problem);

/* results_whole.c: a trade that is the sum of its legs: what it starts with, and the sums, once all
 * legs are priced. False: no memory. */
void levy_results_start_settled(const levy_trade *trade, levy_trade_result *result);
void levy_results_start_whole(const levy_trade *trade, levy_trade_result *result);
bool levy_results_join(levy_results *results, const levy_problem *problem);

void levy_results_release(levy_results *results); /* NULL is fine */

/* The name of a measure's bit: "delta"; NULL: there is no such measure. */
const char *levy_results_measure_name(uint32_t bit);
/* Its place among a trade's results. */
uint32_t levy_results_measure_place(uint32_t bit);

/* results_measure.c: a measure of a trade, with what is to be said of it. False: no memory. */
bool levy_results_set_measure(levy_arena *arena, const levy_plan *plan, const levy_trade *trade,
                              const levy_image_output *output, const levy_estimate *estimate,
                              double bias, levy_step_bias steps, levy_measure *measure);

/* results_implied.c: the volatility at which Black's formula gives a unit's price; with
 * LEVY_DOUBT_UNIMPLIED where none does. None at all if the trade is no option of that kind. */
levy_estimate levy_results_implied(const levy_trade *trade, levy_estimate price);

/* The data that trades of a group share, other than the simulation. */
typedef struct levy_results_group {
    uint32_t number, dimensions, padding;
    uint64_t plan_hash;
    bool staged;
    const char *first, *backend, *device; /* outlive the results; first may be NULL */
    double seconds, floor_probability;
} levy_results_group;
void levy_results_set_group(levy_trade_result *result, const levy_simulation *simulation,
                            const levy_results_group *group);

/* The trade has no price, for that reason. */
void levy_results_refuse(levy_trade_result *result, levy_reason reason);
/* Says more, behind what is said of the trade already. False: no memory. */
bool levy_results_add_message(levy_arena *arena, levy_trade_result *result, const char *more);

/* A group that could not be simulated. */
levy_status levy_results_fail_group(levy_results *results, const levy_book *book,
                                    const levy_group *group, levy_reason reason,
                                    const char *message);

/* Notes in a group's priced trades why the CPU priced them although the run began on a GPU. */
levy_status levy_results_move_group(levy_results *results, const levy_group *group,
                                    const char *why);

/* results_take.c: what comes of sums[output * n_replicates + replicate] of the plan's image. It
 * lies in `arena`, refers to plan and sums, and is no part of the results yet, so that any thread
 * may make it. NULL: no memory. */
typedef struct levy_results_made levy_results_made;
levy_results_made *levy_results_make(const levy_results *results, const levy_plan *plan,
                                     const tree_sum *sums, levy_arena *arena);
/* Of trade `number` of the plan's group. */
const levy_trade_result *levy_results_made_trade(const levy_results_made *made, uint32_t number);
/* Copies it to the results and adds it to their netting, group by group in their order. `record`
 * NULL, or the text that gets what the results are (record.h). */
levy_status levy_results_take_made(levy_results *results, levy_results_made *made,
                                   uint32_t group_number, double seconds,
                                   const levy_call_device *device, levy_line_out *record);
/* Both at once. */
levy_status levy_results_take_group(levy_results *results, const levy_plan *plan,
                                    uint32_t group_number, const tree_sum *sums, double seconds,
                                    const levy_call_device *device, levy_line_out *record);

/* Fills in the counts and texts of the run. */
levy_status levy_results_finish(levy_results *results, const levy_book *book,
                                const levy_call_device *device, size_t n_groups);

#endif
