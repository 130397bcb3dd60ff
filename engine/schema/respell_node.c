/* respell_node.c: see respell_node.h. */
#include "engine/schema/respell_node.h"

#include <string.h>

levy_node *levy_respell_node(respelling *r, const levy_node *like)
{
    levy_node *const node = levy_arena_allocate(r->reader->arena, 1, sizeof *node);
    if (!node) {
        levy_reader_no_memory(r->reader);
        r->failed = true;
        return NULL;
    }
    *node = *like;
    node->next = NULL;
    return node;
}

levy_node *levy_respell_scalar(respelling *r, const levy_node *at, const char *text)
{
    levy_node *const node = levy_respell_node(r, at);
    if (!node) return NULL;
    node->kind = LEVY_NODE_SCALAR;
    node->quoted = node->literal = false;
    node->key = node->children = NULL;
    node->count = 0;
    node->text = levy_arena_copy_text(r->reader->arena, text, strlen(text));
    node->length = (uint32_t)strlen(text);
    if (!node->text) r->failed = true;
    return node->text ? node : NULL;
}

levy_node *levy_respell_pair(respelling *r, const levy_node *child, const char *key,
                             const levy_node *value)
{
    levy_node *const node = levy_respell_node(r, value);
    if (!node) return NULL;
    node->key =
        strcmp(key, child->key->text) == 0 ? child->key : levy_respell_scalar(r, child->key, key);
    return node->key ? node : NULL;
}

void levy_respell_put(respelling *r, levy_node *child)
{
    if (!child) return;
    if (r->last) r->last->next = child;
    if (!r->first) r->first = child;
    r->last = child;
    ++r->count;
}

levy_node *levy_respell_map(respelling *r, const levy_node *at, levy_node *first, uint32_t count)
{
    levy_node *const map = levy_respell_node(r, at);
    if (!map) return NULL;
    map->kind = LEVY_NODE_MAP;
    map->text = NULL;
    map->length = 0;
    map->children = first;
    map->count = count;
    return map;
}

const levy_node *levy_respell_made(respelling *r)
{
    if (!r->changed || r->failed) return r->map;
    levy_node *const copy = levy_respell_map(r, r->map, r->first, r->count);
    if (!copy) return r->map;
    copy->next = r->map->next;
    return copy;
}
