/* mutant_tree.h: the values of a YAML file as a tree that may be changed: read by levy's own reader
 * of documents, written as YAML for levy and as JSON for a validator. Must not know: keys. */
#ifndef LEVY_TESTS_MUTANT_TREE_H
#define LEVY_TESTS_MUTANT_TREE_H

#include "engine/base/memory.h"
#include "engine/base/node.h"

#include <jansson.h>

typedef struct mutant_node {
    levy_node_kind kind;
    bool quoted;
    const char *key; /* of a map's child */
    const char *text;
    struct mutant_node *first, *next; /* children; the next sibling */
} mutant_node;

/* All documents of the text as a list of roots; NULL: it cannot be read. */
mutant_node *mutant_tree_read(levy_arena *arena, const char *name, const char *text, size_t length);
mutant_node *mutant_tree_copy(levy_arena *arena, const mutant_node *node);
mutant_node *mutant_tree_scalar(levy_arena *arena, const char *text, bool quoted);
mutant_node *mutant_tree_empty(levy_arena *arena, levy_node_kind kind);
/* Where the pointer to `node` stands among the children of `parent`; NULL: it is no child. */
mutant_node **mutant_tree_link(mutant_node *parent, const mutant_node *node);
void mutant_tree_append(mutant_node *parent, mutant_node *node);

/* The roots as one YAML stream, a line for each value. The caller frees. */
char *mutant_tree_yaml(const mutant_node *roots, size_t *length);
/* What an editor sees in one root, by the core schema of YAML 1.2. Of a key that is given twice the
 * last counts. JSON has no infinite number and none that is not a number: those are text. */
json_t *mutant_tree_json(const mutant_node *root);

#endif
