/* results_translate.h: adds a trade's measures to the sums in the report's currency. Must not know:
 * how a sum is estimated. */
#ifndef LEVY_BOOK_RESULTS_TRANSLATE_H
#define LEVY_BOOK_RESULTS_TRANSLATE_H

#include "engine/book/results.h"

/* The trade as its own currency's sums have it. Nothing, if the book has no report_currency; else
 * `translated` is what it adds, in `scratch`. False: no memory. */
bool levy_results_translate(levy_results *results, const levy_problem *problem,
                            const levy_netting_trade *trade, size_t n_replicates,
                            levy_arena *scratch, levy_netting_trade *translated);

#endif
