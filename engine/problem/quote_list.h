/* quote_list.h: the numbers of the files as read that quotes may set: those of factors.def, each
 * node of a term structure, and correlations of a model's assets. Must not know: what setting them
 * does. */
#ifndef LEVY_PROBLEM_QUOTE_LIST_H
#define LEVY_PROBLEM_QUOTE_LIST_H

#include "engine/problem/quotes.h"

/* quote_implied.c: puts what prices of options imply in their place, before the list is made. Both
 * set out_of_memory of the reading if there is none. */
void levy_quotes_imply(levy_quotes *quotes);
void levy_quotes_list(levy_quotes *quotes);

#endif
