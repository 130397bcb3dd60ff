/* netting_keys.h: what a book is netted by: the keys of levy_price_options.by, read and checked,
 * and the text that a trade has under each. Must not know: sums. */
#ifndef LEVY_BOOK_NETTING_KEYS_H
#define LEVY_BOOK_NETTING_KEYS_H

#include "engine/problem/problem.h"
#include "engine/statistics/netting.h"

/* Reads `by`; NULL or "": no key. `problem` says which tags there are. LEVY_ARGUMENT with a fault:
 * an unknown key, a tag that no trade has, a key twice, or too many. Texts live in the arena. */
levy_status levy_netting_read_keys(const char *by, const levy_problem *problem, levy_arena *arena,
                                   levy_fault_list *faults, levy_netting *netting);

/* The text of a trade under a key; NULL: it has none. */
const char *levy_netting_label(const levy_trade_result *trade, const char *key);

#endif
