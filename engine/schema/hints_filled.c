/* hints_filled.c: an example of a map with the values that a file has in its place, under whatever
 * words and keys, and what it leaves out. See hints.h. Must not know: the meaning of any key. */
#include "engine/schema/hints.h"

#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/marks.h"
#include "engine/schema/says.h"
#include "engine/schema/synonyms.h"

#include <string.h>

enum { FILLED_SHORT = 40 };

/* The field of a key, or of another word for it; NULL: none. */
static const levy_field *hint_field(const levy_table *table, const char *key)
{
    const levy_field *const field = levy_example_field(table, key);
    return field ? field : levy_synonym_field(table, key);
}

/* "strike: 100" from a key of the map that is the field's, or another word for it. NULL: there is
 * none, or its value does not fit. */
static const char *hint_own(const levy_reader *reader, const levy_table *table,
                            const levy_field *field, const levy_node *map)
{
    for (const levy_node *child = map->children; child; child = child->next) {
        if (hint_field(table, child->key->text) != field) continue;
        const char *const list =
            field->type == LEVY_FIELD_LIST ? levy_hint_list(reader, child) : NULL;
        if (list)
            return levy_arena_format(reader->arena, "%c%s: %s", LEVY_MARK_OWN, field->name, list);
        if (child->kind != LEVY_NODE_SCALAR || child->length == 0) continue;
        const char *const word = levy_synonym_value(field, child->text);
        if (word) return word;
        bool said = false;
        if (field->type == LEVY_FIELD_OBJECT)
            (void)levy_example_with(reader, field->table, child, &said);
        if (said || levy_example_own(reader, field, child))
            return levy_example_line(reader, table, field, child);
    }
    return NULL;
}

/* Whether a word has the value among its parts, as "down_and_in" has down. */
static bool hint_is_part(const char *word, const char *value)
{
    const size_t n = strlen(value);
    for (const char *at = word; n > 0 && (at = strstr(at, value)) != NULL; ++at)
        if ((at == word || strchr("_- ", at[-1])) && strchr("_- ", at[n])) return true; /* or \0 */
    return false;
}

const char *levy_hint_marked(const levy_reader *reader, const char *map, const char *word)
{
    const char *text = "{";
    levy_example_pair pair;
    for (const char *at = map + 1; text && levy_example_next(&at, &pair);) {
        const char *const value =
            levy_arena_format(reader->arena, "%.*s", (int)pair.length, pair.value);
        const char mark = value && hint_is_part(word, value) ? LEVY_MARK_OWN : LEVY_MARK_EXAMPLE;
        if (!value) return NULL;
        const char *const piece = levy_arena_format(
            reader->arena, "%c%.*s%s", mark, (int)(pair.value - pair.text), pair.text, value);
        if (!piece) return NULL;
        text = levy_arena_format(reader->arena, "%s%s%s", text, text[1] ? ", " : "",
                                 *value == '{' ? piece + 1 : piece);
    }
    return text ? levy_arena_format(reader->arena, "%s}", text) : NULL;
}

/* The nested map that a word of `map` for a kind has for the field, which is a kind's with the same
 * keys. NULL: no such word. */
static const char *hint_word_map(const levy_reader *reader, const levy_field *field,
                                 const levy_node *map)
{
    for (const levy_node *child = map->children; child; child = child->next) {
        const char *whole = NULL, *value;
        size_t length;
        if (child->kind != LEVY_NODE_SCALAR) continue;
        const levy_variant *const v = levy_synonym_variant(&levy_payoff_table, child->text, &whole);
        const levy_field *const own = v ? levy_example_field(v->table, field->name) : NULL;
        if (!own || own->table != field->table || whole == v->table->example) continue;
        if (levy_example_value(whole, field->name, &value, &length) && *value == '{')
            return levy_hint_marked(
                reader, levy_arena_format(reader->arena, "%.*s", (int)length, value), child->text);
    }
    return NULL;
}

bool levy_hint_nests(const levy_field *field)
{
    return field->type == LEVY_FIELD_OBJECT && field->table->example &&
           !field->table->shorthand_key;
}

/* Whether the map has the one key that a table takes of several: dates, however they are given. */
static bool hint_is_enough(const levy_table *table, const levy_node *map)
{
    for (const levy_node *child = map->children; table->one_of && child; child = child->next)
        if (map->kind == LEVY_NODE_MAP && levy_word_among(table->one_of, child->key->text))
            return true;
    return false;
}

/* Whether the map has a key that only the map below it takes. */
static bool hint_has_stray(const levy_table *table, const levy_table *below, const levy_node *map)
{
    for (const levy_node *child = map->children; child; child = child->next)
        if (!levy_example_field(table, child->key->text) && hint_field(below, child->key->text))
            return true;
    return false;
}

const char *levy_hint_nested(const levy_reader *reader, const levy_table *table,
                             const levy_field *field, const char *example, const levy_node *map,
                             bool *whole)
{
    const char *const word = hint_word_map(reader, field, map);
    const char *text = word ? word : example;
    for (const levy_node *child = map->children; child && text; child = child->next) {
        if (hint_field(table, child->key->text) != field) continue;
        if (child->kind == LEVY_NODE_MAP) {
            const bool enough = hint_is_enough(field->table, child);
            text = levy_hint_filled(reader, field->table, enough ? "{}" : text, child, whole);
            if (!hint_has_stray(table, field->table, map)) return text;
            continue;
        }
        const char *const levels = levy_hint_levels(reader, field->table, text, child);
        if (levels) text = levels;
        if (child->kind != LEVY_NODE_SCALAR || levy_example_field(field->table, child->key->text))
            continue;
        const char *const bare = levy_example_bare(reader, field->table, text, child);
        text = bare ? bare : levy_says_put(reader, field->table, text, child);
    }
    *whole = false;
    if (hint_is_enough(field->table, map)) text = "{}";
    text = text ? levy_hint_filled(reader, field->table, text, map, NULL) : NULL;
    return levy_hint_fixed(reader, table, field->table, text, map);
}

/* What the map has for a field of which the example shows `value`. NULL: nothing that fits. */
static const char *hint_piece(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const char *value, const levy_node *map,
                              bool *whole)
{
    const char *const own = hint_own(reader, table, field, map);
    const bool nests = field->type == LEVY_FIELD_OBJECT && *value == '{';
    if (!nests || (own && !levy_hint_nests(field))) return own;
    const char *text = levy_hint_nested(reader, table, field, value, map, whole);
    text = levy_hint_silent(reader, field->table, text, map, NULL);
    return text ? levy_arena_format(reader->arena, "%s: %s", field->name, text) : NULL;
}

/* Adds what the map has under other keys of the table. */
static const char *hint_others(const levy_reader *reader, const levy_table *table,
                               const char *example, const levy_node *map, const char *text)
{
    if (map->kind != LEVY_NODE_MAP) return text;
    for (const levy_node *child = map->children; child && text; child = child->next) {
        const levy_field *const field = hint_field(table, child->key->text);
        const char *value;
        size_t length;
        if (!field || levy_example_value(example, field->name, &value, &length) ||
            levy_example_value(text, field->name, &value, &length))
            continue;
        const char *const own = hint_own(reader, table, field, map);
        if (own) text = levy_arena_format(reader->arena, "%s%s%s", text, text[1] ? ", " : "", own);
    }
    return text;
}

/* The map with what words say that stand under keys which do not take them. */
static const char *hint_misplaced(const levy_reader *reader, const levy_table *table,
                                  const levy_node *map, const char *text)
{
    if (map->kind != LEVY_NODE_MAP) return text;
    for (const levy_node *child = map->children; child && text; child = child->next) {
        const levy_field *const field = hint_field(table, child->key->text);
        if (field && child->kind == LEVY_NODE_SCALAR && !hint_own(reader, table, field, map))
            text = levy_says_put(reader, table, text, child);
    }
    return text;
}

/* Whether the map says that a field has no meaning in it. */
static bool hint_is_idle(const levy_field *field, const char *text)
{
    const char *key = field->idle, *value, *due = key ? strchr(key, ':') : NULL;
    size_t length;
    char name[FILLED_SHORT] = {0};
    if (!due || (size_t)(due - key) >= sizeof name) return false;
    memcpy(name, key, (size_t)(due - key));
    return levy_example_value(text, name, &value, &length) && strlen(due + 2) == length &&
           strncmp(value, due + 2, length) == 0;
}

/* The map without examples of what has no meaning in it. */
static const char *hint_without_idle(const levy_reader *reader, const levy_table *table,
                                     const char *text)
{
    for (const levy_field *field = table->fields; text && field && field->name; ++field)
        if (hint_is_idle(field, text)) text = levy_hint_without(reader, text, field->name);
    return text;
}

/* Adds one key of an example; text[1]: there are some. A word for another key may have brought it.
 */
static const char *hint_put(const levy_reader *reader, const char *text, const char *key,
                            const char *piece)
{
    const char *const there = key ? levy_arena_format(reader->arena, "%s: ", key) : NULL;
    if (!there || !piece || !text) return NULL;
    if (strstr(text, there)) return text;
    return levy_arena_format(reader->arena, "%s%s%s", text, text[1] ? ", " : "", piece);
}

/* Whether a word for a kind, or for a style of exercise, stands under the key. */
static bool hint_is_kind(const char *key)
{
    for (size_t i = 0; levy_kind_keys[i]; ++i)
        if (strcmp(levy_kind_keys[i], key) == 0) return true;
    return strcmp(key, "style") == 0;
}

/* Whether the map has a word for a kind; *says: a word of the map has the value in it, as
 * "asian_call" has call. */
static bool hint_names_kind(const levy_node *map, const char *value, bool *says)
{
    bool any = false;
    for (const levy_node *child = map->children; child; child = child->next) {
        if (child->kind != LEVY_NODE_SCALAR) continue;
        any = any || hint_is_kind(child->key->text);
        *says = *says || hint_is_part(child->text, value);
    }
    return any;
}

/* Whether the example's value for a field is no more than one. Numbers are. Words are where they
 * are those of the table's own example, and no word of the file says so. */
static bool hint_shows(const levy_table *table, const levy_field *field, const char *example,
                       const levy_node *map, const char *value)
{
    const char *own;
    size_t length;
    bool says = false;
    if (levy_hint_nests(field) && *value == '{') return false;
    if (strchr("0123456789-.[{", *value)) return true;
    if (!levy_example_value(table->example, field->name, &own, &length)) return false;
    if (strlen(value) != length || strncmp(own, value, length) != 0) return false;
    return map->kind == LEVY_NODE_MAP && hint_names_kind(map, value, &says)
               ? !says
               : example == table->example;
}

const char *levy_hint_filled(const levy_reader *reader, const levy_table *table,
                             const char *example, const levy_node *map, bool *whole)
{
    const char *text = "{";
    bool all = map->kind == LEVY_NODE_MAP;
    levy_example_pair pair;
    for (const char *at = example + 1; text && levy_example_next(&at, &pair);) {
        const char known = pair.key > pair.text ? *pair.text : '\0';
        const size_t start = (size_t)(pair.value - pair.key);
        const int length = (int)(start + pair.length);
        const char *const key = levy_arena_format(reader->arena, "%.*s", (int)pair.name, pair.key);
        const char *piece = levy_arena_format(reader->arena, "%.*s", length, pair.key);
        const levy_field *const field = key ? levy_example_field(table, key) : NULL;
        const char *const own = field && piece && map->kind == LEVY_NODE_MAP
                                    ? hint_piece(reader, table, field, piece + start, map, &all)
                                    : NULL;
        const bool shows = field && piece && hint_shows(table, field, example, map, piece + start);
        const char found = shows ? LEVY_MARK_EXAMPLE : LEVY_MARK_OWN;
        if (field && !levy_node_find(map, field->name)) all = false;
        if (!own && piece)
            piece = levy_arena_format(reader->arena, "%c%s", known ? known : found, piece);
        text = hint_put(reader, text, key, own ? own : piece);
    }
    if (whole) *whole = *whole && all;
    text = hint_others(reader, table, example, map, text);
    text = text ? levy_arena_format(reader->arena, "%s}", text) : NULL;
    return hint_without_idle(reader, table, hint_misplaced(reader, table, map, text));
}

/* ---- What a whole map leaves out ---- */

/* Whether the text has a value between blanks, brackets and commas. */
static bool hint_has_value(const char *text, const char *value, size_t length)
{
    for (const char *at = text; length > 0 && (at = strstr(at, value)) != NULL; ++at)
        if (at > text && strchr(" [", at[-1]) && strchr(",]}", at[length])) return true;
    return false;
}

static bool hint_has_word(const levy_table *table, const char *word)
{
    const char *map = NULL;
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (levy_synonym_value(field, word)) return true;
    return levy_synonym_kind(&levy_payoff_table, word, &map) != NULL;
}

/* Whether the text has all scalars of a node, or what stands for them. */
static bool hint_has(const levy_table *table, const char *text, const levy_node *node)
{
    char decimal[LEVY_NUMBER_SIZE];
    if (node->kind == LEVY_NODE_SCALAR)
        return hint_has_value(text, node->text, node->length) || hint_has_word(table, node->text) ||
               (levy_example_percent(node, decimal) &&
                hint_has_value(text, decimal, strlen(decimal)));
    for (const levy_node *child = node->children; child; child = child->next)
        if (!hint_has(table, text, child)) return false;
    return true;
}

const char *levy_hint_whole(const levy_reader *reader, const levy_table *table, const char *example,
                            const levy_node *map, bool *whole)
{
    const char *const text = levy_hint_filled(reader, table, example, map, whole);
    const char *left = "", *value;
    size_t length;
    for (const levy_node *child = map->children; text && left && child; child = child->next) {
        bool known = map->kind != LEVY_NODE_MAP || hint_has(table, text, child);
        const levy_field *const field = hint_field(table, child->key->text);
        known = known || (field && hint_own(reader, table, field, map)) ||
                levy_example_value(text, child->key->text, &value, &length);
        if (known || hint_is_kind(child->key->text)) continue;
        left =
            levy_arena_format(reader->arena, "%s%s%s", left, *left ? ", " : "", child->key->text);
    }
    if (!text || !left) return NULL;
    if (!*left) return text;
    return levy_arena_format(reader->arena, "%s%c%s%c", text, LEVY_MARK_LEFT, left, LEVY_MARK_LEFT);
}
