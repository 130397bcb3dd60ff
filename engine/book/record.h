/* record.h: what comes of a group's sums, as a text of a journal's line: the results of its trades
 * and what they add to sums of trades. Who merges parts takes it from there, and makes no plan.
 * Texts and numbers that the book itself gives are left out. Must not know: how a result is made,
 * files. */
#ifndef LEVY_BOOK_RECORD_H
#define LEVY_BOOK_RECORD_H

#include "engine/book/journal.h"
#include "engine/book/journal_text.h"
#include "engine/book/results_net.h"

/* Writes the group's trades, after all of them are done. False: no memory. */
bool levy_record_write(levy_line_out *out, const levy_results *results, const levy_plan *plan,
                       const tree_sum *sums, const levy_results_net *net);

/* Fills the results of a group's trades and adds them to the netting. `sums` are those of the line,
 * [output][replicate]. LEVY_RESUME: the text is no record of this group. */
levy_status levy_record_take(levy_results *results, const levy_problem *problem,
                             const levy_group *group, const levy_journal_group *line,
                             const tree_sum *sums);

#endif
