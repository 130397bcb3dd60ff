/* netting_keys.c: see netting_keys.h. */
#include "engine/book/netting_keys.h"

#include <string.h>

static const char keys_path[] = "by", keys_tag[] = "tags.";
static const char keys_hint[] =
    "Keys are book, counterparty, netting_set, underlying, payoff, model and tags.NAME.";

static const struct {
    const char *name;
    size_t offset; /* in a trade's result */
} keys_texts[] = {{"book", offsetof(levy_trade_result, book)},
                  {"counterparty", offsetof(levy_trade_result, counterparty)},
                  {"netting_set", offsetof(levy_trade_result, netting_set)},
                  {"underlying", offsetof(levy_trade_result, underlying)},
                  {"payoff", offsetof(levy_trade_result, payoff)},
                  {"model", offsetof(levy_trade_result, model)}};
enum { KEYS_TEXTS = sizeof keys_texts / sizeof *keys_texts };

static bool keys_is_tag(const char *key)
{
    return strncmp(key, keys_tag, sizeof keys_tag - 1) == 0;
}

const char *levy_netting_label(const levy_trade_result *trade, const char *key)
{
    for (size_t i = 0; i < KEYS_TEXTS; ++i)
        if (strcmp(keys_texts[i].name, key) == 0) {
            const char *text;
            memcpy(&text, (const char *)trade + keys_texts[i].offset, sizeof text);
            return text;
        }
    for (size_t i = 0; i < trade->n_tags; ++i)
        if (strcmp(trade->tags[i].name, key + sizeof keys_tag - 1) == 0) return trade->tags[i].text;
    return NULL;
}

static bool keys_have_tag(const levy_problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->n_trades; ++i)
        if (levy_node_find(levy_trade_tags(&problem->trades[i]), name)) return true;
    return false;
}

/* The nearest of the keys, and of the tags of all trades; NULL: none is near, or no memory. */
static const char *keys_nearest(const char *key, const levy_problem *problem, levy_arena *arena)
{
    levy_names names = {0};
    for (size_t i = 0; i < KEYS_TEXTS; ++i)
        if (levy_names_add(&names, arena, keys_texts[i].name) == LEVY_NO_NAME) return NULL;
    for (size_t i = 0; i < problem->n_trades; ++i) {
        const levy_node *const tags = levy_trade_tags(&problem->trades[i]);
        for (const levy_node *tag = tags ? tags->children : NULL; tag; tag = tag->next) {
            const char *const name = levy_arena_format(arena, "%s%s", keys_tag, tag->key->text);
            if (!name) return NULL;
            if (levy_names_find(&names, name) == LEVY_NO_NAME &&
                levy_names_add(&names, arena, name) == LEVY_NO_NAME)
                return NULL;
        }
    }
    return levy_nearest(key, names.items);
}

static levy_status keys_refuse(const char *key, const levy_problem *problem, levy_arena *arena,
                               levy_fault_list *faults)
{
    char meant[LEVY_MEANT_SIZE];
    const bool tag = keys_is_tag(key);
    levy_fault_add(faults, LEVY_REASON_UNKNOWN_NAME, NULL, keys_path, keys_hint,
                   tag ? "no trade has a tag '%s'%s" : "there is no key '%s'%s",
                   tag ? key + sizeof keys_tag - 1 : key,
                   levy_meant(keys_nearest(key, problem, arena), meant));
    return LEVY_ARGUMENT;
}

static levy_status keys_add(const char *key, const levy_problem *problem, levy_arena *arena,
                            levy_fault_list *faults, levy_netting *netting)
{
    bool known = keys_is_tag(key) && keys_have_tag(problem, key + sizeof keys_tag - 1);
    for (size_t i = 0; i < KEYS_TEXTS; ++i) known = known || strcmp(keys_texts[i].name, key) == 0;
    if (!known) return keys_refuse(key, problem, arena, faults);
    for (size_t i = 0; i < netting->n_keys; ++i) {
        if (strcmp(netting->keys[i], key) != 0) continue;
        levy_fault_add(faults, LEVY_REASON_DUPLICATE_KEY, NULL, keys_path, "Name each key once.",
                       "the key '%s' is named twice", key);
        return LEVY_ARGUMENT;
    }
    if (netting->n_keys == LEVY_NETTING_KEYS) {
        levy_fault_add(faults, LEVY_REASON_LIMIT, NULL, keys_path, NULL, "at most %d keys",
                       (int)LEVY_NETTING_KEYS);
        return LEVY_ARGUMENT;
    }
    netting->keys[netting->n_keys++] = key;
    return LEVY_OK;
}

levy_status levy_netting_read_keys(const char *by, const levy_problem *problem, levy_arena *arena,
                                   levy_fault_list *faults, levy_netting *netting)
{
    while (by && *by) {
        const size_t length = strcspn(by, ",");
        const char *const key = levy_arena_copy_text(arena, by, length);
        if (!key) return LEVY_MEMORY;
        LEVY_TRY(keys_add(key, problem, arena, faults, netting));
        by += length + (by[length] == ',');
    }
    return LEVY_OK;
}
