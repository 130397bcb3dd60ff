/* mutate.h: one change of a tree of values, chosen by a number: the same number makes the same
 * change on every machine. Must not know: what a key means. */
#ifndef LEVY_TESTS_MUTATE_H
#define LEVY_TESTS_MUTATE_H

#include "tests/mutant_tree.h"

/* How many ways of changing there are, and what they are called. The first puts another date. */
enum { MUTATE_DATE = 0 };
size_t mutate_count(void);
const char *mutate_name(size_t way);

/* Changes a value of the roots in place, picked by the seed, and says which: its key or its text.
 * False: nothing there can be changed that way. */
bool mutate(levy_arena *arena, mutant_node *roots, size_t way, uint64_t seed, const char **hit);

/* Adds a key of another tree, with its value, to a map of the roots. */
bool mutate_borrow(levy_arena *arena, mutant_node *roots, mutant_node *other, uint64_t seed,
                   const char **hit);

#endif
