/* respell_kind.c: other names of a payoff's kind, and what they say beside: see respell.h. */
#include "engine/schema/respell.h"

#include "engine/schema/respell_node.h"

#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/synonyms.h"

#include <string.h>

/* The pair "key: value" that another name of a kind says, if the map has nothing else there. False:
 * it has. */
static bool respell_says(respelling *r, const levy_node *kind, const char *pair)
{
    char key[32];
    const size_t n = strcspn(pair, ":");
    if (n == 0 || n >= sizeof key) return true;
    memcpy(key, pair, n);
    key[n] = '\0';
    const levy_node *const had = levy_node_find(r->map, key);
    if (had) return had->kind == LEVY_NODE_SCALAR && strcmp(had->text, pair + n + 2) == 0;
    levy_node *const value = levy_respell_scalar(r, kind, pair + n + 2);
    if (value && (value->key = levy_respell_scalar(r, kind, key)) != NULL)
        levy_respell_put(r, value);
    return true;
}

/* Whether what a script is made of is sure: without `levels` a notional may be one of fractions,
 * and the lower strike of a call spread is the first. */
static bool respell_is_script(const respelling *r, const levy_node *kind, const levy_node *own)
{
    double first, second;
    const levy_node *const trade = r->trail ? r->trail->map : NULL;
    if (trade && levy_node_find(trade, "notional") && !levy_node_find(r->map, "levels"))
        return false;
    if (own->kind != LEVY_NODE_LIST || !levy_synonym_is_spelling("call_spread", kind->text))
        return true;
    const levy_node *const a = own->children, *const b = a->next;
    return a->kind == LEVY_NODE_SCALAR && b->kind == LEVY_NODE_SCALAR &&
           levy_number_read(a->text, a->length, &first) == LEVY_NUMBER_OK &&
           levy_number_read(b->text, b->length, &second) == LEVY_NUMBER_OK && first < second;
}

/* A script with the map's only number or list as its parameter. */
static const levy_node *respell_script(respelling *r, const levy_node *kind, const char *says)
{
    const size_t n = strcspn(says, ":");
    const levy_node *own = NULL;
    for (const levy_node *child = r->map->children; child; child = child->next) {
        const char *const key = child->key->text;
        if (child == kind || strcmp(key, "levels") == 0 || strcmp(key, "initial_fixing") == 0) {
            const levy_node *const value =
                child == kind ? levy_respell_scalar(r, kind, "script") : child;
            if (value) levy_respell_put(r, levy_respell_pair(r, child, key, value));
            continue;
        }
        if (own || strncmp(key, says, n) != 0 || key[n]) return r->map;
        own = child;
    }
    if (!own || (says[n - 1] == 's') != (own->kind == LEVY_NODE_LIST && own->count == 2))
        return r->map;
    if (!respell_is_script(r, kind, own)) return r->map;
    levy_node *const parameters = levy_respell_map(r, own, levy_respell_node(r, own), 1),
                     *const text = levy_respell_scalar(r, kind, says + n + 2);
    if (!parameters || !text) return r->map;
    parameters->key = levy_respell_scalar(r, own->key, "parameters");
    text->key = levy_respell_scalar(r, kind, "script");
    text->quoted = true;
    if (!parameters->key || !text->key) return r->map;
    levy_respell_put(r, parameters);
    levy_respell_put(r, text);
    r->changed = true;
    return levy_respell_made(r);
}

const char *levy_respell_kind_name(const char *name)
{
    for (const levy_synonym *s = levy_payoff_table.spelled; s->word; ++s)
        if (levy_synonym_is_spelling(s->word, name)) return s->map;
    return name;
}

const levy_node *levy_respell_kind(const levy_reader *reader, const levy_table *table,
                                   const levy_node *map, const levy_trail *trail)
{
    const levy_node *const kind = levy_node_find(map, "kind");
    const levy_synonym *name = table->spelled;
    char own[32];
    if (!kind || kind->kind != LEVY_NODE_SCALAR) return map;
    while (name && name->word && !levy_synonym_is_spelling(name->word, kind->text)) ++name;
    if (!name || !name->word) return map;
    const size_t n = strcspn(name->map, ",");
    const char *const pair = name->map[n] ? name->map + n + 2 : "";
    if (n >= sizeof own) return map;
    memcpy(own, name->map, n);
    own[n] = '\0';
    respelling r = {.reader = reader, .table = table, .map = map, .trail = trail};
    if (strcmp(own, "script") == 0) return respell_script(&r, kind, pair);
    for (const levy_node *child = map->children; child && !r.failed; child = child->next) {
        const levy_node *const value = child == kind ? levy_respell_scalar(&r, kind, own) : child;
        if (value) levy_respell_put(&r, levy_respell_pair(&r, child, child->key->text, value));
    }
    r.changed = respell_says(&r, kind, pair);
    const levy_node *const made = levy_respell_made(&r);
    const levy_variant *v = table->variants;
    while (v->kind && strcmp(v->kind, own) != 0) ++v;
    if (!v->kind || made == map) return map;
    return levy_respell(reader, v->table, made, trail);
}
