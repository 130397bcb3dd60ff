/* build.h: shared by the steps that resolve a book: how they report (engine/base/check.h) and how
 * they read nodes. Must not know: what a step resolves. */
#ifndef LEVY_MARKET_BUILD_H
#define LEVY_MARKET_BUILD_H

#include "engine/base/check.h"
#include "engine/schema/book.h"
#include "engine/schema/schema.h"

levy_reader levy_build_reader(const levy_check *build);

/* Whether node i of n, at time t, is on the valuation, where a curve is 1 and nothing has moved:
 * then it warns that it has no effect. An only node is none. path: of the list. */
bool levy_node_is_today(levy_check *build, const levy_time *time, double t, const char *path,
                        size_t i, size_t n);

/* The node of the value in a [time, value] pair. */
const levy_node *levy_pair_value_node(const levy_time_value *pair);

#endif
