/* schema_keys.c: keys that a map should not have, and keys that it should: what was meant, where it
 * belongs, what to write. See schema_parts.h. Must not know: any key's meaning. */
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"
#include "engine/schema/respell_node.h"
#include "engine/schema/says.h"
#include "engine/schema/schema_parts.h"
#include "engine/schema/synonyms.h"

#include <string.h>

enum { SCHEMA_WORD = 132 };

const levy_field *levy_reader_field(const levy_table *table, const char *key)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (strcmp(field->name, key) == 0 || (field->former && strcmp(field->former, key) == 0))
            return field;
    return NULL;
}

static void schema_collect_keys(const levy_table *table, bool has_kind,
                                const char *keys[LEVY_SCHEMA_KEYS + 1])
{
    size_t n = 0;
    if (has_kind) keys[n++] = "kind";
    for (const levy_field *field = table->fields; field && field->name && n < LEVY_SCHEMA_KEYS;
         ++field)
        keys[n++] = field->name;
    keys[n] = NULL;
}

const char *levy_schema_early(const levy_node *node)
{
    return node->kind == LEVY_NODE_SCALAR ? levy_catalog_early(node->text) : NULL;
}

/* A style that stands beside the exercise. */
static void schema_refuse_style(const levy_reader *reader, const levy_node *child,
                                const levy_trail *parent)
{
    const levy_trail trail = {parent, child->key->text, 0, NULL, NULL};
    levy_reader_fault(
        reader, LEVY_REASON_UNKNOWN_KEY, &child->key->place, &trail,
        levy_arena_format(reader->arena,
                          "Write exercise: {style: %s}. Its expiry belongs there too.",
                          levy_schema_early(child)),
        "unknown key; %s is a style of exercise", child->text);
}

/* Whether the table's maps have a level, which numbers in a list are rather than dates. */
static bool schema_has_level(const levy_table *table)
{
    const levy_field *field = table->fields;
    while (field->name && !(field->type == LEVY_FIELD_NUMBER && field->flags & LEVY_REQUIRED))
        ++field;
    return field->name != NULL;
}

/* For a list that stands where a map with it is due: "averaging: {observations: [...]}". */
static const char *schema_inner(const levy_reader *reader, const levy_field *field,
                                const levy_node *child)
{
    const char *const list = levy_hint_list(reader, child);
    const levy_field *of = field->type == LEVY_FIELD_OBJECT && list ? field->table->fields : NULL;
    if (of &&
        (schema_has_level(field->table) || levy_hint_levels(reader, field->table, "{}", child)))
        return NULL;
    for (; of && of->name; ++of)
        if (of->type == LEVY_FIELD_OBJECT && levy_hint_takes_shape(of, child))
            return levy_arena_format(reader->arena, "Write %s: {%s: %s}.", field->name, of->name,
                                     list);
    return NULL;
}

/* For a word for a kind that stands where its map is due. */
static const char *schema_word_kind(const levy_reader *reader, const levy_field *field,
                                    const levy_node *map, const levy_node *child)
{
    const char *example = NULL;
    const levy_variant *const v = field->type == LEVY_FIELD_VARIANT
                                      ? levy_synonym_variant(field->table, child->text, &example)
                                      : NULL;
    if (v && example) example = levy_hint_whole(reader, v->table, example, map, NULL);
    return v && example ? levy_arena_format(reader->arena, "Write %s: %s.", field->name, example)
                        : NULL;
}

/* What a word for a kind says of a map that the kind has under a key: of a barrier, for one. NULL:
 * the table is no such map's. */
static const char *schema_word_part(const levy_reader *reader, const levy_table *table,
                                    const levy_variant *kind, const char *example,
                                    const levy_node *map, const char *word)
{
    for (const levy_field *of = kind->table->fields; of && of->name; ++of) {
        const char *value;
        size_t length;
        if (of->table != table || !levy_example_value(example, of->name, &value, &length)) continue;
        value = levy_arena_format(reader->arena, "%.*s", (int)length, value);
        value = value ? levy_hint_marked(reader, value, word) : NULL;
        value = value ? levy_hint_filled(reader, table, value, map, NULL) : NULL;
        return value ? levy_arena_format(reader->arena, "%s: %s", of->name, value) : NULL;
    }
    return NULL;
}

/* For a value that belongs into a nested map, and for "type: down_and_in". */
static const char *schema_word_map(const levy_reader *reader, const levy_table *table,
                                   const levy_field *field, const levy_node *map,
                                   const levy_node *child, const levy_trail *parent)
{
    const char *text = NULL, *example = NULL;
    bool whole = true;
    if (levy_hint_nests(field)) {
        text = levy_hint_nested(reader, table, field, field->table->example, map, &whole);
        text = levy_hint_silent(reader, field->table, text, map, parent ? parent->map : NULL);
        text = levy_says_left(reader, field->table, text, child);
        return text ? levy_arena_format(reader->arena, "Write %s: %s.", field->name, text) : NULL;
    }
    if (child->kind != LEVY_NODE_SCALAR || !field->choices || levy_example_fits(field, child))
        return NULL;
    const levy_variant *const kind =
        levy_synonym_variant(&levy_payoff_table, child->text, &example);
    if (kind && example && kind->table == table)
        text = levy_hint_whole(reader, table, example, map, NULL);
    else if (kind && example)
        text = schema_word_part(reader, table, kind, example, map, child->text);
    text = levy_says_left(reader, table, text, child);
    return text ? levy_arena_format(reader->arena, "Write %s.", text) : NULL;
}

/* Refuses a key that is another word for one which the map has, too. False: it has not. */
static bool schema_refuse_twice(const levy_reader *reader, const levy_field *field,
                                const levy_node *map, const levy_node *child,
                                const levy_trail *trail)
{
    const levy_node *const own = levy_node_find(map, field->name);
    if (!own || levy_hint_nests(field)) return false; /* that of a nested map is one part of it */
    levy_reader_fault(reader, LEVY_REASON_DUPLICATE_KEY, &child->key->place, trail,
                      "Keep one of the two.", "gives '%s' again, beside line %u, column %u",
                      field->name, (unsigned)own->key->place.line,
                      (unsigned)own->key->place.column);
    return true;
}

/* For a word that is none of a choice: the words that are, and the kind of payoff that it is.
 * NULL: it is one, or the field no choice. */
static const char *schema_word_choice(const levy_reader *reader, const levy_field *field,
                                      const levy_node *child)
{
    const bool choice = field->type == LEVY_FIELD_CHOICE && child->kind == LEVY_NODE_SCALAR;
    if (!choice || child->length == 0 || levy_example_fits(field, child)) return NULL;
    const char *const words = levy_reader_join(
        reader, levy_arena_format(reader->arena, "%s is one of: ", field->name), field->choices);
    return levy_hint_kind(reader, field, child, words);
}

/* Refuses a key that is another word for a field of the table. Returns the field's name. */
static const char *schema_refuse_word(const levy_reader *reader, const levy_table *table,
                                      const levy_field *field, const levy_node *map,
                                      const levy_node *child, const levy_trail *parent)
{
    const levy_trail trail = {parent, child->key->text, 0, NULL, NULL};
    if (schema_refuse_twice(reader, field, map, child, &trail)) return field->name;
    const char *const line = levy_example_line(reader, table, field, child);
    const char *hint = line ? levy_arena_format(reader->arena, "Write %s.", line) : field->doc;
    const char *const write =
        child->kind == LEVY_NODE_SCALAR ? levy_synonym_value(field, child->text) : NULL;
    if (write) hint = levy_arena_format(reader->arena, "Write %s.", write);
    const char *const mapped = schema_word_map(reader, table, field, map, child, parent);
    if (mapped && !write) hint = mapped;
    const char *const words = mapped || write ? NULL : schema_word_choice(reader, field, child);
    if (words) hint = words;
    const char *const inner = child->kind == LEVY_NODE_SCALAR
                                  ? schema_word_kind(reader, field, map, child)
                                  : schema_inner(reader, field, child);
    if (inner) hint = inner;
    const bool text = field->type == LEVY_FIELD_TEXT && child->quoted;
    if (text || levy_hint_takes_shape(field, child))
        hint = levy_arena_format(reader->arena, "Write %s in place of %s.", field->name,
                                 child->key->text);
    levy_reader_fault(reader, LEVY_REASON_UNKNOWN_KEY, &child->key->place, &trail, hint,
                      "unknown key; levy's word is '%s'", field->name);
    return field->name;
}

/* Whether what stands under another word for a choice is one of its words, or a kind. */
static bool schema_takes_word(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const levy_node *map, const levy_node *child)
{
    return field->type != LEVY_FIELD_CHOICE || child->kind != LEVY_NODE_SCALAR ||
           levy_example_fits(field, child) || levy_synonym_value(field, child->text) ||
           schema_word_map(reader, table, field, map, child, NULL);
}

const char *levy_schema_refuse_key(const levy_reader *reader, const levy_table *table,
                                   const char *const *keys, const levy_node *map,
                                   const levy_node *child, const levy_trail *parent)
{
    const levy_node *const key = child->key;
    /* only counted, because a flood of keys must not cost a search each */
    if (reader->faults->count >= LEVY_FAULT_LIMIT) {
        levy_reader_fault(reader, LEVY_REASON_UNKNOWN_KEY, &key->place, parent, NULL,
                          "unknown key");
        return NULL;
    }
    if (levy_schema_early(child) && !(table && levy_reader_field(table, "style")))
        return schema_refuse_style(reader, child, parent), NULL;
    const char *const kind = table ? levy_hint_other_kind(reader, table, map, child) : NULL;
    if (kind) {
        const levy_trail step = {parent, key->text, 0, NULL, NULL};
        levy_reader_fault(reader, LEVY_REASON_UNKNOWN_KEY, &key->place, &step, kind, "unknown key");
        return levy_respell_nest(table)->name;
    }
    const char *const stranger = table ? levy_synonym_stranger(reader, table, map, child) : NULL;
    const levy_field *const field =
        table && !stranger ? levy_synonym_field(table, key->text) : NULL;
    const bool fits = field && schema_takes_word(reader, table, field, map, child);
    const char *const other =
        field && !fits ? levy_synonym_elsewhere(reader, table, map, child, key->text, parent)
                       : NULL;
    if (field && !other) return schema_refuse_word(reader, table, field, map, child, parent);
    const levy_trail trail = {parent, key->text, 0, NULL, NULL};
    char word[SCHEMA_WORD] = {0};
    const size_t length = strcspn(key->text, ":"); /* in {strike:100} the whole is one key */
    if (length < sizeof word) memcpy(word, key->text, length);
    const char *nearest = stranger || other ? NULL : levy_nearest(word, keys);
    const char *hint = levy_reader_join(reader, "Valid keys: ", keys);
    const char *there = other;
    if (!there && !nearest && table)
        there = levy_synonym_elsewhere(reader, table, map, child, word, parent);
    if (there && hint) hint = levy_arena_format(reader->arena, "%s %s", there, hint);
    const char *const shape = table ? levy_hint_shape(reader, table, child, parent) : NULL;
    if (shape) hint = shape;
    const char *const digits = levy_hint_digits(reader, map, child);
    if (digits) hint = digits;
    if (stranger) hint = stranger;
    if (key->text[length]) hint = "Put a space after the colon: 'key: value'.";
    char meant[LEVY_MEANT_SIZE];
    levy_reader_fault(reader, LEVY_REASON_UNKNOWN_KEY, &key->place, &trail, hint, "unknown key%s",
                      levy_meant(nearest, meant));
    return nearest;
}

static void schema_suspect(levy_suspects *suspects, const char *key)
{
    if (suspects->n < LEVY_SCHEMA_SUSPECTS) suspects->keys[suspects->n++] = key;
}

/* The keys that the hint for another word gives, as `direction: up, knock: in` does. */
static void schema_suspect_written(levy_suspects *suspects, const levy_table *table,
                                   const levy_node *child)
{
    const levy_field *const field = levy_synonym_field(table, child->key->text);
    const char *at =
        field && child->kind == LEVY_NODE_SCALAR ? levy_synonym_value(field, child->text) : NULL;
    for (size_t n; at && (n = strcspn(at, ":")) > 0 && at[n];) {
        for (const levy_field *own = table->fields; own->name; ++own)
            if (strlen(own->name) == n && strncmp(own->name, at, n) == 0)
                schema_suspect(suspects, own->name);
        at += n + 2;
        at += levy_example_length(at);
        at += strspn(at, ", ");
    }
}

void levy_schema_check_keys(const levy_reader *reader, const levy_table *table, bool has_kind,
                            const levy_node *node, const levy_trail *trail, levy_suspects *suspects)
{
    const char *keys[LEVY_SCHEMA_KEYS + 1];
    const levy_node *before = NULL; /* the last one that was refused */
    schema_collect_keys(table, has_kind, keys);
    for (const levy_node *child = node->children; child; child = child->next) {
        const char *key = child->key->text;
        if (levy_reader_field(table, key) || (has_kind && strcmp(key, "kind") == 0)) continue;
        if (!child->key->quoted && strcmp(key, "<<") == 0) continue; /* the document refused it */
        const bool told = before && (levy_hint_is_told(table, before, child) ||
                                     (levy_hint_other_kind(reader, table, node, before) &&
                                      levy_hint_other_kind(reader, table, node, child)) ||
                                     levy_synonym_is_told(reader, table, node, before, child));
        before = child;
        if (told) continue;
        const char *meant = levy_schema_refuse_key(reader, table, keys, node, child, trail);
        if (meant) schema_suspect(suspects, meant);
        schema_suspect_written(suspects, table, child);
    }
}

bool levy_schema_is_suspect(const levy_suspects *suspects, const char *key)
{
    for (size_t i = 0; i < suspects->n; ++i)
        if (strcmp(suspects->keys[i], key) == 0) return true;
    return false;
}

void levy_schema_refuse_missing(const levy_reader *reader, const levy_node *node,
                                const levy_trail *trail, const char *key, const char *hint)
{
    levy_reader_fault(reader, LEVY_REASON_MISSING_KEY, &node->place, trail, hint,
                      "missing key '%s'", key);
}
