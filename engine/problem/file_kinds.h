/* file_kinds.h: kinds of payoffs that files define (engine/schema/kind_file.h): files that are
 * inputs by themselves, and files that a book names under `kinds`. They are read before all trades.
 */
#ifndef LEVY_PROBLEM_FILE_KINDS_H
#define LEVY_PROBLEM_FILE_KINDS_H

#include "engine/problem/collect.h"

/* Whether a document defines a kind and so is no book. */
bool levy_kinds_is(const levy_node *root);

/* Adds the kind of a document. A second definition of a name must equal the first. Faults are
 * collected; then trades of the kind are refused. */
void levy_kinds_add(levy_collection *collection, const levy_node *root);

/* Adds the kinds of the files that a book names. `base`: the folder of the book. */
void levy_kinds_add_files(levy_collection *collection, const levy_node *root, const char *base);

/* kind_table.c: makes the kind of a definition that its table has read without a fault. NULL:
 * faults were added, or there is no memory. */
struct levy_raw_kind;
levy_table *levy_kind_make(levy_check *check, const struct levy_raw_kind *raw);

#endif
