/* node.h: a value of an input file, with its place. The document makes nodes from text; a check
 * points at them. Must not know: YAML, the meaning of any key. */
#ifndef LEVY_BASE_NODE_H
#define LEVY_BASE_NODE_H

#include "engine/base/error.h"

typedef enum levy_node_kind { LEVY_NODE_SCALAR, LEVY_NODE_LIST, LEVY_NODE_MAP } levy_node_kind;

/* Kept small: there is one for each value of a file. */
typedef struct levy_node {
    levy_place place; /* of the value */
    levy_node_kind kind;
    bool quoted;                      /* scalar in quotes or block style */
    bool literal;                     /* scalar in block style, line by line ('|') */
    const struct levy_node *key;      /* the key of a map's child, a scalar node; else NULL */
    const char *text;                 /* scalar: NUL-terminated, `length` bytes, no NUL inside */
    const struct levy_node *children; /* first child of a list or map */
    const struct levy_node *next;     /* next sibling */
    uint32_t length;                  /* of the text */
    uint32_t count;                   /* of children */
} levy_node;

/* A plain scalar that says that there is no value: empty, ~ or null, as in the core schema of YAML
 * 1.2. */
bool levy_node_is_nothing(const levy_node *node);

/* NULL: no such key, or no map */
const levy_node *levy_node_find(const levy_node *map, const char *key);

#endif
