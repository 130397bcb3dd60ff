/* topics.c: see topics.h. */
#include "engine/schema/topics.h"

#include "engine/schema/synonyms.h"
#include "engine/schema/writer.h"

#include <stdio.h>
#include <string.h>

enum { TOPICS_DEPTH = 8 };

/* ---- By path ---- */

/* Follows a path through tables, kinds and fields. */
static bool topics_walk(const levy_table *table, const char *path, levy_topic *topic)
{
    const size_t n = strcspn(path, ".");
    const char *const rest = path[n] ? path + n + 1 : NULL;
    for (const levy_variant *v = table->variants; v && v->kind; ++v) {
        if (strlen(v->kind) != n || strncmp(v->kind, path, n) != 0) continue;
        topic->table = v->table;
        topic->field = NULL;
        return !rest || topics_walk(v->table, rest, topic);
    }
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        if (strlen(field->name) != n || strncmp(field->name, path, n) != 0) continue;
        topic->table = table;
        topic->field = field;
        if (!rest) return true;
        if (!field->table) return false;
        const char *const behind_name = field->type == LEVY_FIELD_MAP ? strchr(rest, '.') : NULL;
        return topics_walk(field->table, rest, topic) ||
               (behind_name && topics_walk(field->table, behind_name + 1, topic));
    }
    for (const levy_variant *v = table->variants; v && v->kind; ++v)
        if (topics_walk(v->table, path, topic)) return true;
    return false;
}

/* A topic of the list, or one with a path below it, or a path from the top of a book. */
static bool topics_by_path(const char *path, levy_topic *topic)
{
    char base[LEVY_TOPIC_PATH];
    const size_t n = strcspn(path, ".");
    topic->field = NULL;
    topic->table = levy_catalog_find(path);
    if (topic->table) return true;
    snprintf(base, sizeof base, "%.*s", (int)n, path);
    const levy_table *const table = path[n] ? levy_catalog_find(base) : NULL;
    if (table && topics_walk(table, path + n + 1, topic)) return true;
    return path[n] && topics_walk(&levy_book_table, path, topic);
}

/* A kind that files define, by its name with or without that of its table, or a key of it. */
static bool topics_more(const levy_more_kinds *kinds, const char *path, levy_topic *topic)
{
    if (!kinds || !kinds->variants) return false;
    const size_t base = strlen(kinds->of->name);
    const bool whole = strncmp(path, kinds->of->name, base) == 0 && path[base] == '.';
    const char *const name = whole ? path + base + 1 : path;
    const size_t n = strcspn(name, ".");
    for (const levy_variant *v = kinds->variants; v->kind; ++v) {
        if (!v->table || strlen(v->kind) != n || strncmp(v->kind, name, n) != 0) continue;
        topic->table = v->table;
        topic->field = NULL;
        snprintf(topic->path, sizeof topic->path, "%.*s", LEVY_TOPIC_PATH - 1, path);
        return !name[n] || topics_walk(v->table, name + n + 1, topic);
    }
    return false;
}

/* ---- By name ---- */

/* The first field or kind of a name, and the others of that name with another meaning. */
typedef struct topics_search {
    const char *name;
    bool words; /* look among other words for fields */
    levy_topic *topic;
} topics_search;

static void topics_found(const topics_search *search, const levy_table *table,
                         const levy_field *field, const char *path)
{
    levy_topic *const topic = search->topic;
    if (!topic->table) {
        topic->table = table;
        topic->field = field;
        snprintf(topic->path, sizeof topic->path, "%s", path);
        return;
    }
    if (topic->n_others == LEVY_TOPIC_OTHERS || strcmp(topic->path, path) == 0) return;
    for (size_t i = 0; i < topic->n_others; ++i)
        if (strcmp(topic->others[i], path) == 0) return;
    snprintf(topic->others[topic->n_others++], LEVY_TOPIC_PATH, "%s", path);
}

/* `path`: the topic of the table. Tables that are topics are looked into by themselves. */
static void topics_look(const topics_search *search, const levy_table *table, const char *path,
                        size_t depth)
{
    const levy_field *const known = search->words ? levy_synonym_field(table, search->name) : NULL;
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        char below[LEVY_TOPIC_PATH];
        const int n = snprintf(below, sizeof below, "%s.%s", path, field->name);
        if (n < 0 || (size_t)n >= sizeof below) continue;
        if (search->words ? field == known : strcmp(field->name, search->name) == 0)
            topics_found(search, table, field, below);
        const bool is_topic = field->table && levy_schema_topic_of(field->table);
        if (field->table && !is_topic && depth < TOPICS_DEPTH)
            topics_look(search, field->table, below, depth + 1);
    }
}

static void topics_by_name(const topics_search *search)
{
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic) {
        const levy_table *const table = levy_catalog_find(*topic);
        const char *const dot = strchr(*topic, '.');
        if (dot && !search->words && strcmp(dot + 1, search->name) == 0)
            topics_found(search, table, NULL, *topic);
    }
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        topics_look(search, levy_catalog_find(*topic), *topic, 0);
}

/* ---- A topic ---- */

/* Without the indices of a path in a message: trades[0].payoff. */
static void topics_plain(const char *name, char path[LEVY_TOPIC_PATH])
{
    size_t used = 0;
    for (const char *c = name; *c && used + 1 < LEVY_TOPIC_PATH; ++c) {
        if (*c == '[') c += strcspn(c, "]");
        if (*c == '\0') break;
        if (*c != ']') path[used++] = *c;
    }
    path[used] = '\0';
}

bool levy_topic_find(const char *name, const levy_more_kinds *kinds, levy_topic *topic)
{
    char path[LEVY_TOPIC_PATH];
    *topic = (levy_topic){.table = NULL};
    topics_plain(name, path);
    if (topics_more(kinds, path, topic)) return true;
    *topic = (levy_topic){.table = NULL};
    if (topics_by_path(path, topic)) {
        snprintf(topic->path, sizeof topic->path, "%s", path);
        return true;
    }
    topic->table = NULL;
    topic->field = NULL;
    topics_search search = {.name = path, .topic = topic};
    topics_by_name(&search);
    search.words = true;
    if (!topic->table) topics_by_name(&search);
    if (topic->table) return true;
    const levy_variant *const v = levy_synonym_of_kinds(path, &topic->written);
    topic->table = v ? v->table : NULL;
    return v != NULL;
}
