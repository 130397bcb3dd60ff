/* node.c: see node.h. */
#include "engine/base/node.h"

#include <string.h>

const levy_node *levy_node_find(const levy_node *map, const char *key)
{
    if (!map || map->kind != LEVY_NODE_MAP) return NULL;
    const size_t length = strlen(key);
    for (const levy_node *child = map->children; child; child = child->next)
        if (child->key->length == length && memcmp(child->key->text, key, length) == 0)
            return child;
    return NULL;
}

bool levy_node_is_nothing(const levy_node *node)
{
    static const char *const words[] = {"", "~", "null", "Null", "NULL"};
    if (node->kind != LEVY_NODE_SCALAR || node->quoted) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        if (strcmp(node->text, words[i]) == 0) return true;
    return false;
}
