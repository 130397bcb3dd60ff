/* summary.c: see summary.h. The table tells choices and flags, which need no key; numbers get
 * commas between thousands. */
#include "engine/schema/summary.h"

#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

enum { SUMMARY_ITEMS = 12, SUMMARY_LETTERS = 60 };

typedef struct summary_line {
    char *text;
    size_t used;
    bool full;
} summary_line;

static void summary_put(summary_line *line, const char *text)
{
    static const char more[] = "\xe2\x80\xa6";
    const size_t length = strlen(text), most = LEVY_SUMMARY_SIZE - sizeof more;
    if (line->full) return;
    line->full = line->used + length > most;
    if (line->full) text = more;
    strcpy(line->text + line->used, text);
    line->used += strlen(text);
}

/* knock_in_barrier: "knock in barrier". */
static void summary_words(summary_line *line, const char *text)
{
    char words[SUMMARY_LETTERS + 1];
    size_t n = 0;
    for (; text[n] && n < SUMMARY_LETTERS; ++n) words[n] = (char)(text[n] == '_' ? ' ' : text[n]);
    words[n] = '\0';
    summary_put(line, words);
}

static void summary_scalar(summary_line *line, const levy_node *node)
{
    char number[SUMMARY_LETTERS + SUMMARY_LETTERS / 2], lines[40];
    size_t n = 1;
    double value;
    for (const char *c = node->text; *c; ++c) n += *c == '\n' && c[1];
    if (node->length > SUMMARY_LETTERS || n > 1) {
        snprintf(lines, sizeof lines, "%zu line%s", n, n == 1 ? "" : "s");
        summary_put(line, lines);
    } else if (!node->quoted &&
               levy_number_read(node->text, node->length, &value) == LEVY_NUMBER_OK)
        summary_put(line, levy_number_group(node->text, number, sizeof number));
    else
        summary_put(line, node->text);
}

static void summary_value(summary_line *line, const levy_table *table, const levy_node *node);

/* Of a list's map that has scalars alone the values: "SPX 0.6". */
static bool summary_values(summary_line *line, const levy_node *map)
{
    if (map->kind != LEVY_NODE_MAP) return false;
    for (const levy_node *child = map->children; child; child = child->next)
        if (child->kind != LEVY_NODE_SCALAR) return false;
    for (const levy_node *child = map->children; child; child = child->next) {
        summary_put(line, child == map->children ? "" : " ");
        summary_scalar(line, child);
    }
    return true;
}

static void summary_list(summary_line *line, const levy_table *table, const levy_node *list)
{
    char more[40];
    size_t n = 0;
    summary_put(line, "[");
    for (const levy_node *item = list->children; item; item = item->next, ++n) {
        if (n == SUMMARY_ITEMS) {
            snprintf(more, sizeof more, ", \xe2\x80\xa6 %u in all", (unsigned)list->count);
            summary_put(line, more);
            break;
        }
        summary_put(line, n ? ", " : "");
        if (!summary_values(line, item)) summary_value(line, table, item);
    }
    summary_put(line, "]");
}

static const levy_field *summary_field(const levy_table *table, const char *key)
{
    const levy_field *field = table ? table->fields : NULL;
    while (field && field->name && strcmp(field->name, key) != 0) ++field;
    return field && field->name ? field : NULL;
}

/* A key with its value, or one of the two, where it tells both and is no other key of the map. */
static void summary_pair(summary_line *line, const levy_field *field, const levy_node *map,
                         const levy_node *child, bool top)
{
    const bool scalar = child->kind == LEVY_NODE_SCALAR;
    if (field && field->type == LEVY_FIELD_CHOICE && scalar && !levy_node_find(map, child->text)) {
        summary_words(line, child->text);
        return;
    }
    if (field && field->type == LEVY_FIELD_FLAG && scalar) {
        summary_put(line, strcmp(child->text, "true") == 0 ? "" : "no ");
        summary_words(line, child->key->text);
        return;
    }
    const bool nested = child->kind == LEVY_NODE_MAP;
    const char *const open = top ? ": " : " (";
    summary_words(line, child->key->text);
    summary_put(line, nested ? open : " ");
    summary_value(line, field ? field->table : NULL, child);
    summary_put(line, nested && !top ? ")" : "");
}

static bool summary_leaves_out(const char *without, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = strstr(without, key); at; at = strstr(at + 1, key))
        if ((at == without || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

/* What a key that is left out says, where the table has no value for it: "continuous" of a barrier
 * without observations. NULL: nothing. */
static const char *summary_idle(const levy_table *table, const levy_field *field,
                                const levy_node *map)
{
    char key[SUMMARY_LETTERS + 1];
    const char *const due = field->idle ? strchr(field->idle, ':') : NULL;
    if (!due || levy_node_find(map, field->name)) return NULL;
    snprintf(key, sizeof key, "%.*s", (int)(due - field->idle), field->idle);
    const levy_field *const of = summary_field(table, key);
    return of && !of->fallback && !levy_node_find(map, key) ? due + 2 : NULL;
}

static void summary_map(summary_line *line, const levy_table *table, const levy_node *map,
                        const char *without)
{
    size_t n = 0;
    for (const levy_node *child = map->children; child; child = child->next) {
        if (without && summary_leaves_out(without, child->key->text)) continue;
        const char *const between = without ? "; " : ", ";
        summary_put(line, n++ ? between : "");
        summary_pair(line, summary_field(table, child->key->text), map, child, without);
    }
    for (const levy_field *field = table ? table->fields : NULL; field && field->name; ++field) {
        const char *const idle = summary_idle(table, field, map);
        if (!idle) continue;
        summary_put(line, n++ ? ", " : "");
        summary_words(line, idle);
    }
}

static void summary_value(summary_line *line, const levy_table *table, const levy_node *node)
{
    if (node->kind == LEVY_NODE_SCALAR)
        summary_scalar(line, node);
    else if (node->kind == LEVY_NODE_LIST)
        summary_list(line, table, node);
    else
        summary_map(line, table, node, NULL);
}

void levy_schema_summary(const levy_table *table, const levy_node *map, const char *without,
                         char text[LEVY_SUMMARY_SIZE])
{
    summary_line line = {.text = text};
    text[0] = '\0';
    if (map && map->kind == LEVY_NODE_MAP) summary_map(&line, table, map, without);
}
