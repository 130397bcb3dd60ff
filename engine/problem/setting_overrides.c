/* setting_overrides.c: makes nodes of settings that are given beside the files. They replace the
 * files' nodes before the table reads them, so one table checks both. See simulation.h. */
#include "engine/problem/simulation.h"

#include "engine/document/document.h"
#include "engine/problem/setting_keys.h"

#include <string.h>

static const levy_place override_place = {.file = "--set"};

static levy_node *override_scalar(levy_check *build, const char *text, size_t length)
{
    levy_node *node = levy_check_allocate(build, 1, sizeof *node);
    if (!node) return NULL;
    *node = (levy_node){.kind = LEVY_NODE_SCALAR,
                        .place = override_place,
                        .text = levy_check_text(build, "%.*s", (int)length, text),
                        .length = (uint32_t)length};
    return build->out_of_memory ? NULL : node; /* else its text could be shorter than its length */
}

/* "price,delta" as a list. */
static levy_node *override_list(levy_check *build, const char *text)
{
    levy_node *list = levy_check_allocate(build, 1, sizeof *list);
    if (!list) return NULL;
    *list = (levy_node){.kind = LEVY_NODE_LIST, .place = override_place};
    const levy_node **link = &list->children;
    for (;;) {
        const size_t length = strcspn(text, ",");
        levy_node *item = override_scalar(build, text, length);
        if (!item) return NULL;
        *link = item;
        link = &item->next;
        list->count++;
        if (text[length] == '\0') return list;
        text += length + 1;
    }
}

/* A copy of `map` (NULL: empty) whose key `name` holds `value`. */
levy_node *levy_override_with(levy_check *build, const levy_node *map, const char *name,
                              levy_node *value)
{
    levy_node *copy = levy_check_allocate(build, 1, sizeof *copy);
    if (!copy || !value) return NULL;
    *copy = map ? *map : (levy_node){.place = override_place};
    copy->kind = LEVY_NODE_MAP;
    copy->count = 1;
    copy->children = value;
    value->key = override_scalar(build, name, strlen(name));
    if (!value->key) return NULL;
    const levy_node **link = &value->next;
    for (const levy_node *child = map && map->kind == LEVY_NODE_MAP ? map->children : NULL; child;
         child = child->next) {
        if (strcmp(child->key->text, name) == 0) continue;
        levy_node *kept = levy_check_allocate(build, 1, sizeof *kept);
        if (!kept) return NULL;
        *kept = *child;
        kept->next = NULL;
        *link = kept;
        link = &kept->next;
        copy->count++;
    }
    return copy;
}

/* A value: text, or a map or a list in YAML's braces or brackets. NULL: a fault is reported, or
 * there is no memory. */
static levy_node *override_value(levy_check *build, const char *text)
{
    levy_document document = {NULL, 0};
    text += strspn(text, " ");
    if (*text != '{' && *text != '[') return override_scalar(build, text, strlen(text));
    const levy_status status =
        levy_document_read("--set", 0, text, strlen(text), &levy_limits_default, build->arena,
                           build->faults, &document);
    levy_node *const value = levy_check_allocate(build, 1, sizeof *value);
    if (status == LEVY_MEMORY) build->out_of_memory = true;
    if (status != LEVY_OK || document.n_roots == 0 || !value) return NULL;
    if (document.n_roots > 1) {
        LEVY_REFUSE(build, TYPE, document.roots[1], "--set", "Write one map or list.",
                    "a second document begins here");
        return NULL;
    }
    *value = *document.roots[0];
    return value;
}

/* Sets simulation.paths or simulation.bumps.spot; `key` comes without its first word. It is known,
 * so it has few dots. */
static levy_node *override_set(levy_check *build, const levy_node *map, const char *key,
                               const char *value)
{
    const char *dot = strchr(key, '.');
    if (!dot) return levy_override_with(build, map, key, override_value(build, value));
    const char *outer = levy_check_text(build, "%.*s", (int)(dot - key), key);
    const levy_node *inner = map && map->kind == LEVY_NODE_MAP ? levy_node_find(map, outer) : NULL;
    return levy_override_with(build, map, outer, override_set(build, inner, dot + 1, value));
}

bool levy_override_apply(levy_check *build, levy_simulation_source *source)
{
    bool good = true;
    for (size_t i = 0; i < source->n_overrides; ++i) {
        const levy_override *set = &source->overrides[i];
        if (!levy_setting_key_check(build, source->market, set))
            good = false;
        else if (strcmp(set->key, "measures") == 0) {
            const bool is_list = *set->value == '[';
            source->measures =
                is_list ? override_value(build, set->value) : override_list(build, set->value);
        } else if (strncmp(set->key, "simulation.", 11) == 0) {
            const levy_node *const with =
                override_set(build, source->simulation, strchr(set->key, '.') + 1, set->value);
            if (with) source->simulation = with;
            good = good && with;
        }
    }
    return good;
}
