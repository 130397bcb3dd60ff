/* hints.c: see hints.h. Must not know: the meaning of any key. */
#include "engine/schema/hints.h"

#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/marks.h"
#include "engine/schema/respell.h"
#include "engine/schema/sample.h"
#include "engine/schema/synonyms.h"

#include "payoffs/fields.h"

#include <string.h>

enum { HINT_PAIRS = 8, HINT_ITEMS = 8, HINT_SHORT = 40 };

/* Whether a list or a map that stands under another word may stand under the field as it is. */
bool levy_hint_takes_shape(const levy_field *field, const levy_node *node)
{
    const bool map = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    if (node->kind == LEVY_NODE_MAP && field->type == LEVY_FIELD_MAP)
        return node->children &&
               (node->children->kind == LEVY_NODE_MAP || field->table->shorthand_key);
    if (node->kind == LEVY_NODE_MAP) return map;
    if (node->kind != LEVY_NODE_LIST || node->count == 0) return false;
    if (field->type == LEVY_FIELD_OBJECT && field->table->shorthand_key) {
        const levy_field *const list =
            levy_example_field(field->table, field->table->shorthand_key);
        return list && list->type == LEVY_FIELD_LIST;
    }
    const bool pairs = node->children->kind == LEVY_NODE_LIST;
    return field->type == LEVY_FIELD_TIME_VALUES ? pairs : field->type == LEVY_FIELD_LIST;
}

static bool hint_is_pair(const levy_table *table, const levy_node *child)
{
    return table && table->pair_item && strchr(child->key->text, '/') &&
           child->kind == LEVY_NODE_SCALAR;
}

/* "[A.spot, B.spot, 0.5]" for a key A/B with the value 0.5. */
static const char *hint_pair(const levy_reader *reader, const levy_table *table,
                             const levy_node *child)
{
    const char *const key = child->key->text, *const slash = strchr(key, '/');
    const char *const values[] = {key, slash + 1, child->text};
    const int lengths[] = {(int)(slash - key), (int)strlen(slash + 1), (int)child->length};
    const char *text = "", *line = table->pair_item;
    for (const char *mark; text && (mark = strchr(line, '$')) != NULL; line = mark + 2) {
        const int i = mark[1] - '1';
        text = levy_arena_format(reader->arena, "%s%.*s%.*s", text, (int)(mark - line), line,
                                 lengths[i], values[i]);
    }
    return text ? levy_arena_format(reader->arena, "%s%s", text, line) : NULL;
}

/* All keys A/B from this one on as one list: "pairs: [[A.spot, B.spot, 0.5], ...]". NULL: it is
 * none, or there is no memory. */
static const char *hint_pairs_line(const levy_reader *reader, const levy_table *table,
                                   const levy_node *child)
{
    if (!hint_is_pair(table, child)) return NULL;
    const char *list = hint_pair(reader, table, child);
    size_t n = 1;
    for (const levy_node *at = child->next; list && at && hint_is_pair(table, at); at = at->next) {
        const char *const item = n < HINT_PAIRS ? hint_pair(reader, table, at) : "...";
        list = item ? levy_arena_format(reader->arena, "%s, %s", list, item) : NULL;
        if (n++ == HINT_PAIRS) break;
    }
    if (!list) return NULL;
    return levy_arena_format(reader->arena, "Write %s: [%s].", table->pair_key, list);
}

/* A list without its last bracket, one item longer; NULL was the empty one. */
static const char *hint_add(const levy_reader *reader, const char *list, const char *item)
{
    const char *const before = list ? ", " : "[";
    return levy_arena_format(reader->arena, "%s%s%s", list ? list : "", before, item);
}

const char *levy_hint_rows(const levy_reader *reader, const levy_node *child)
{
    const char *text = NULL;
    size_t n = 0;
    for (; child && n < HINT_ITEMS; child = child->next, ++n) {
        if (child->kind != LEVY_NODE_SCALAR || child->length == 0) return NULL;
        const char *const row =
            levy_arena_format(reader->arena, "[%s, %s]", child->key->text, child->text);
        text = row ? hint_add(reader, text, row) : NULL;
        if (!text) return NULL;
    }
    return levy_arena_format(reader->arena, "%s%s]", text, child ? ", ..." : "");
}

/* A hint for a key that stands where a map should have others: an asset's pair, or a date or number
 * of a table of values. NULL: it is neither. */
const char *levy_hint_shape(const levy_reader *reader, const levy_table *table,
                            const levy_node *child, const levy_trail *parent)
{
    const char *const pair = hint_pairs_line(reader, table, child);
    const char first = child->key->text[0];
    const bool named = parent->key && *parent->key; /* the book itself is not */
    if (pair || !table->example || first < '0' || first > '9' || !named) return pair;
    const char *const rows = levy_hint_rows(reader, child);
    const char *const list = strstr(table->example, "[[");
    if (!rows || !list)
        return levy_arena_format(reader->arena, "Write %s: %s.", parent->key, table->example);
    return levy_arena_format(reader->arena, "Write %s: %.*s%s%s.", parent->key,
                             (int)(list - table->example), table->example, rows,
                             list + levy_example_length(list));
}

/* Whether the hint for the key before says what to write for this one, too: for the next pair, or
 * the next row of a table. */
bool levy_hint_is_told(const levy_table *table, const levy_node *before, const levy_node *child)
{
    const char a = before->key->text[0], b = child->key->text[0];
    const bool rows = a >= '0' && a <= '9' && b >= '0' && b <= '9';
    return (rows && table->example) || (hint_is_pair(table, before) && hint_is_pair(table, child));
}

/* The items of a text with ';' between them, as in a cell of a CSV file, as those of a list. */
static const char *hint_items(const levy_reader *reader, const char *text)
{
    const char *items = "";
    for (const char *at = text; items && *at;) {
        at += strspn(at, "; ");
        size_t n = strcspn(at, ";");
        const char *const next = at + n;
        while (n > 0 && at[n - 1] == ' ') --n;
        if (n > 0)
            items =
                levy_arena_format(reader->arena, "%s%s%.*s", items, *items ? ", " : "", (int)n, at);
        at = next;
    }
    return items;
}

const char *levy_hint_list(const levy_reader *reader, const levy_node *list)
{
    const char *text = NULL;
    size_t n = 0;
    if (list->kind != LEVY_NODE_LIST || list->count == 0) return NULL;
    for (const levy_node *item = list->children; item; item = item->next) {
        if (item->kind != LEVY_NODE_SCALAR) return NULL;
        if (n++ < HINT_ITEMS) text = hint_add(reader, text, item->text);
        if (!text) return NULL;
    }
    return levy_arena_format(reader->arena, "%s%s]", text, n > HINT_ITEMS ? ", ..." : "");
}

/* How a scalar is written as a list, or what is written for a word. */
const char *levy_hint_brackets(const levy_reader *reader, const levy_field *field,
                               const levy_node *node)
{
    const char *const write =
        node->kind == LEVY_NODE_SCALAR ? levy_synonym_value(field, node->text) : NULL;
    if (write) return levy_arena_format(reader->arena, "Write %s: [%s].", field->name, write);
    if (node->kind != LEVY_NODE_SCALAR || node->length == 0 || node->length > HINT_SHORT)
        return "Put it in brackets: [a], or [a, b].";
    const char *const items = hint_items(reader, node->text);
    return levy_arena_format(reader->arena, "Put it in brackets: write %s: [%s].", field->name,
                             items ? items : node->text);
}

const char *levy_hint_items(const levy_reader *reader, const levy_field *field,
                            const levy_node *map)
{
    const levy_table *const table = field->table;
    const levy_field *value = NULL;
    const char *text = NULL;
    size_t n = 0;
    if (!table || !table->shorthand_key || map->kind != LEVY_NODE_MAP) return NULL;
    for (const levy_field *own = table->fields; own && own->name && !value; ++own)
        if (strcmp(own->name, table->shorthand_key) != 0 && own->type == LEVY_FIELD_NUMBER)
            value = own;
    for (const levy_node *child = map->children; child && value; child = child->next) {
        if (!levy_example_fits(value, child) || levy_example_field(table, child->key->text))
            return NULL;
        const char *const item =
            levy_arena_format(reader->arena, "{%s: %s, %s: %s}", table->shorthand_key,
                              child->key->text, value->name, child->text);
        if (item && n++ < HINT_ITEMS) text = hint_add(reader, text, item);
        if (!text) return NULL;
    }
    if (!text) return NULL;
    return levy_arena_format(reader->arena, "%s%s]", text, n > HINT_ITEMS ? ", ..." : "");
}

static bool hint_is_digits(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

const char *levy_hint_digits(const levy_reader *reader, const levy_node *map,
                             const levy_node *child)
{
    const levy_node *before = NULL;
    for (const levy_node *at = map->children; at && at != child; at = at->next) before = at;
    const bool bare = child->kind == LEVY_NODE_SCALAR && child->length == 0 && !child->quoted;
    if (!before || !bare || !hint_is_digits(child->key->text)) return NULL;
    if (before->kind != LEVY_NODE_SCALAR || before->quoted) return NULL;
    const char *number = before->text;
    if (!hint_is_digits(number + (*number == '-'))) return NULL;
    if (strlen(child->key->text) != 3 || strcmp(number, "0") == 0)
        return levy_arena_format(reader->arena, "Write %s: %s.%s, with a decimal point.",
                                 before->key->text, number, child->key->text);
    size_t n = 0;
    for (const levy_node *at = child; number && at && n < HINT_ITEMS; at = at->next, ++n) {
        if (!hint_is_digits(at->key->text)) break;
        number = levy_arena_format(reader->arena, "%s%s", number, at->key->text);
    }
    return number ? levy_arena_format(reader->arena, "Write %s: %s, without separators.",
                                      before->key->text, number)
                  : NULL;
}

/* ---- Missing keys ---- */

/* The meaning alone does not always say what to write. */
const char *levy_hint_missing(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const levy_node *map,
                              const levy_node *around)
{
    char sample[LEVY_SAMPLE_SIZE];
    const char *example = NULL;
    if (field->doc && strstr(field->doc, "Write ")) return field->doc;
    const levy_variant *const named =
        field->type == LEVY_FIELD_VARIANT ? levy_synonym_named(field->table, map, &example) : NULL;
    if (named && example) example = levy_hint_whole(reader, named->table, example, map, NULL);
    if (named && example)
        return levy_arena_format(reader->arena, "Write %s: %s.", field->name, example);
    levy_sample_write(table, field, sample);
    const char *const last = field->type == LEVY_FIELD_TIME ? levy_hint_last_time(map) : NULL;
    const char *const shown = last ? last : sample;
    bool whole = true;
    const char *filled = NULL;
    if (levy_hint_nests(field) && map->kind == LEVY_NODE_MAP)
        filled = levy_hint_nested(reader, table, field, field->table->example, map, &whole);
    if (filled && around) filled = levy_hint_nested(reader, table, field, filled, around, &whole);
    if (filled) filled = levy_hint_silent(reader, field->table, filled, map, around);
    if (filled) return levy_arena_format(reader->arena, "Write %s: %s.", field->name, filled);
    const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    /* "expiry: 1.0" is a time only with its key */
    const char *const line =
        levy_marks_timed(reader, levy_arena_format(reader->arena, "%s: %s", field->name, shown));
    if (!line || nested || !field->doc)
        return line ? levy_arena_format(reader->arena, "Write %s, for example.", line) : field->doc;
    const char *const hint =
        levy_arena_format(reader->arena, "Write %s, for example. %s", line, field->doc);
    return hint ? hint : field->doc;
}

/* A list of one that may stand without brackets. NULL: it is none. */
const char *levy_hint_alone(const levy_reader *reader, const levy_table *table,
                            const levy_node *node, const levy_trail *trail)
{
    const levy_field *const field =
        table->shorthand_key ? levy_example_field(table, table->shorthand_key) : NULL;
    if (!field || node->kind != LEVY_NODE_LIST || node->count != 1 || !trail->key) return NULL;
    if (!levy_example_fits(field, node->children)) return NULL;
    return levy_arena_format(reader->arena, "Write %s: %s, without brackets.", trail->key,
                             node->children->text);
}

const char *levy_hint_kind(const levy_reader *reader, const levy_field *field,
                           const levy_node *word, const char *hint)
{
    const char *example;
    if (!hint || field->choices != levy_option_types) return hint;
    const bool kind = levy_respell_kind_name(word->text) != word->text ||
                      levy_synonym_variant(&levy_payoff_table, word->text, &example);
    return kind ? levy_arena_format(reader->arena, "%s Or is kind: %s meant?", hint, word->text)
                : hint;
}
