/* schema.c: the table-driven reader: a node into a C struct, key by key, all faults collected. An
 * unknown key that looks like a missing one is reported once, as the unknown key. Must not know:
 * any key's meaning. */
#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"
#include "engine/schema/respell.h"
#include "engine/schema/says.h"
#include "engine/schema/synonyms.h"

#include <string.h>
#include <strings.h>

enum { SCHEMA_KEYS = 96, SCHEMA_SUSPECTS = 8, SCHEMA_WORD = 132 };

/* Keys that unknown keys were taken to mean. They are not reported as missing as well. */
typedef struct schema_suspects {
    const char *keys[SCHEMA_SUSPECTS];
    size_t n;
} schema_suspects;

static void schema_value(const levy_reader *reader, const levy_field *field, const levy_node *node,
                         const levy_trail *trail, void *target);
static void schema_object(const levy_reader *reader, const levy_table *table, const levy_node *node,
                          const levy_trail *trail, void *object);

static const char *schema_pairs_hint(const levy_reader *reader)
{
    return reader->is_dated ? "Write pairs: [[2027-11-20, 0.04], [2028-11-20, 0.05]]."
                            : "Write pairs: [[1, 0.04], [2, 0.05]].";
}

static void *schema_allocate(const levy_reader *reader, size_t count, size_t size)
{
    void *items = levy_arena_allocate(reader->arena, count, size);
    if (!items) levy_reader_no_memory(reader);
    return items;
}

static void schema_refuse_shape(const levy_reader *reader, const levy_node *node,
                                const levy_trail *trail, const char *due, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(node, shown);
    if (node->kind == LEVY_NODE_SCALAR && node->length == 0 && !node->quoted)
        hint = "Write a value, or delete the key.";
    levy_reader_fault(reader, LEVY_REASON_TYPE, &node->place, trail, hint, "expected %s; got %s",
                      due, shown);
}

/* ---- Unknown and missing keys ---- */

static const levy_field *schema_find_field(const levy_table *table, const char *key)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (strcmp(field->name, key) == 0 || (field->former && strcmp(field->former, key) == 0))
            return field;
    return NULL;
}

static void schema_collect_keys(const levy_table *table, bool has_kind,
                                const char *keys[SCHEMA_KEYS + 1])
{
    size_t n = 0;
    if (has_kind) keys[n++] = "kind";
    for (const levy_field *field = table->fields; field && field->name && n < SCHEMA_KEYS; ++field)
        keys[n++] = field->name;
    keys[n] = NULL;
}

static bool schema_is_unpriced_style(const levy_node *node)
{
    return node->kind == LEVY_NODE_SCALAR && levy_catalog_is_unpriced_style(node->text);
}

/* What stands under the key cannot be priced under any other key either. */
static void schema_refuse_style(const levy_reader *reader, const levy_table *table,
                                const levy_node *child, const levy_trail *parent)
{
    const levy_trail trail = {parent, child->key->text, 0, NULL, NULL};
    const bool here = table && schema_find_field(table, "style");
    levy_reader_fault(reader, LEVY_REASON_UNSUPPORTED, &child->key->place, &trail,
                      here ? "Only european exercise is priced: write style: european."
                           : "Only european exercise is priced: remove this key, or write "
                             "exercise: {style: european, expiry: 1.0}.",
                      "%s exercise is not priced yet", child->text);
}

/* For a list that stands where a map with it is due: "averaging: {observations: [...]}". */
static const char *schema_inner(const levy_reader *reader, const levy_field *field,
                                const levy_node *child)
{
    const char *const list = levy_hint_list(reader, child);
    const levy_field *of = field->type == LEVY_FIELD_OBJECT && list ? field->table->fields : NULL;
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
                                   const levy_node *child)
{
    const char *text = NULL, *example = NULL;
    bool whole = true;
    if (levy_hint_nests(field)) {
        text = levy_hint_nested(reader, table, field, field->table->example, map, &whole);
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
    const char *const mapped = schema_word_map(reader, table, field, map, child);
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
           schema_word_map(reader, table, field, map, child);
}

/* Returns the key that was meant, or NULL. table: of `child`'s map; NULL: the kind alone is of
 * interest. */
static const char *schema_refuse_key(const levy_reader *reader, const levy_table *table,
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
    if (schema_is_unpriced_style(child))
        return schema_refuse_style(reader, table, child, parent), NULL;
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

static void schema_suspect(schema_suspects *suspects, const char *key)
{
    if (suspects->n < SCHEMA_SUSPECTS) suspects->keys[suspects->n++] = key;
}

/* The keys that the hint for another word gives, as `direction: up, knock: in` does. */
static void schema_suspect_written(schema_suspects *suspects, const levy_table *table,
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

static void schema_check_keys(const levy_reader *reader, const levy_table *table, bool has_kind,
                              const levy_node *node, const levy_trail *trail,
                              schema_suspects *suspects)
{
    const char *keys[SCHEMA_KEYS + 1];
    const levy_node *before = NULL; /* the last one that was refused */
    schema_collect_keys(table, has_kind, keys);
    for (const levy_node *child = node->children; child; child = child->next) {
        const char *key = child->key->text;
        if (schema_find_field(table, key) || (has_kind && strcmp(key, "kind") == 0)) continue;
        if (!child->key->quoted && strcmp(key, "<<") == 0) continue; /* the document refused it */
        const bool told = before && (levy_hint_is_told(table, before, child) ||
                                     levy_synonym_is_told(reader, table, node, before, child));
        before = child;
        if (told) continue;
        const char *meant = schema_refuse_key(reader, table, keys, node, child, trail);
        if (meant) schema_suspect(suspects, meant);
        schema_suspect_written(suspects, table, child);
    }
}

static bool schema_is_suspect(const schema_suspects *suspects, const char *key)
{
    for (size_t i = 0; i < suspects->n; ++i)
        if (strcmp(suspects->keys[i], key) == 0) return true;
    return false;
}

static void schema_refuse_missing(const levy_reader *reader, const levy_node *node,
                                  const levy_trail *trail, const char *key, const char *hint)
{
    levy_reader_fault(reader, LEVY_REASON_MISSING_KEY, &node->place, trail, hint,
                      "missing key '%s'", key);
}

/* ---- Lists, maps, matrices ---- */

static size_t schema_item_size(const levy_field *field)
{
    switch (field->element) {
    case LEVY_FIELD_TEXT:
    case LEVY_FIELD_NAME:
    case LEVY_FIELD_NODE:
        return sizeof(const char *);
    case LEVY_FIELD_NUMBER:
        return sizeof(double);
    case LEVY_FIELD_COUNT:
        return sizeof(uint64_t);
    case LEVY_FIELD_FLAG:
        return sizeof(bool);
    case LEVY_FIELD_CHOICE:
        return sizeof(int32_t);
    case LEVY_FIELD_TIME:
        return sizeof(levy_time);
    case LEVY_FIELD_DATE:
        return sizeof(levy_date);
    case LEVY_FIELD_TENOR:
        return sizeof(levy_tenor);
    case LEVY_FIELD_VARIANT:
        return sizeof(levy_variant_value);
    case LEVY_FIELD_OBJECT:
        return field->table->size;
    case LEVY_FIELD_LIST:
    case LEVY_FIELD_MAP:
    case LEVY_FIELD_MATRIX:
        return sizeof(levy_matrix);
    case LEVY_FIELD_TIME_VALUES:
        return sizeof(levy_list);
    }
    return sizeof(levy_matrix);
}

static bool schema_check_count(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail)
{
    if (node->count > 0 || !(field->flags & LEVY_NON_EMPTY)) return true;
    levy_reader_fault(reader, LEVY_REASON_RANGE, &node->place, trail, field->doc,
                      "must not be empty");
    return false;
}

static bool schema_begin_list(const levy_reader *reader, const levy_field *field,
                              const levy_node *node, const levy_trail *trail, const char *hint)
{
    if (node->kind == LEVY_NODE_LIST) return schema_check_count(reader, field, node, trail);
    schema_refuse_shape(reader, node, trail, "a list", hint);
    return false;
}

static const levy_field schema_plain_number = {.name = "", .type = LEVY_FIELD_NUMBER};

/* A number that obeys the field's range, as items of matrices and pairs do. */
static double schema_number_item(const levy_reader *reader, const levy_field *field,
                                 const levy_node *node, const levy_trail *trail)
{
    levy_field item = schema_plain_number;
    item.flags = field->flags & ~(unsigned)(LEVY_REQUIRED | LEVY_NON_EMPTY);
    item.low = field->low;
    item.high = field->high;
    item.unit = field->unit;
    item.doc = field->doc;
    double value = 0.0;
    levy_reader_absent(LEVY_FIELD_NUMBER, &value);
    levy_reader_scalar(reader, &item, node, trail, &value);
    return value;
}

/* A number by itself is a list of one, which models take for all of their assets. */
static void schema_lone_number(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail, levy_list *list)
{
    double *number = schema_allocate(reader, 1, sizeof *number);
    if (number) *number = schema_number_item(reader, field, node, trail);
    if (number) *list = (levy_list){node, number, 1};
}

static void schema_list(const levy_reader *reader, const levy_field *field, const levy_node *node,
                        const levy_trail *trail, levy_list *list)
{
    const char *hint = "Begin each item with '- '.";
    const char *const list_of = levy_hint_items(reader, field, node);
    if (list_of)
        hint = levy_arena_format(reader->arena, "Write %s: %s.", field->name, list_of);
    else if (node->kind == LEVY_NODE_MAP && field->table && field->table->example)
        hint = levy_arena_format(reader->arena, "Begin each item with '- ': write %s: [%s].",
                                 field->name, field->table->example);
    else if (node->kind != LEVY_NODE_MAP)
        hint = levy_hint_brackets(reader, field, node);
    if (field->element == LEVY_FIELD_NUMBER && node->kind == LEVY_NODE_SCALAR &&
        (node->length > 0 || node->quoted)) {
        schema_lone_number(reader, field, node, trail, list);
        return;
    }
    if (!schema_begin_list(reader, field, node, trail, hint)) return;
    levy_field item = *field;
    item.type = field->element;
    item.flags &= ~(unsigned)(LEVY_REQUIRED | LEVY_NON_EMPTY);
    const size_t size = schema_item_size(field);
    char *items = schema_allocate(reader, node->count, size);
    if (!items) return;
    size_t index = 0;
    for (const levy_node *child = node->children; child; child = child->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        levy_reader_absent(item.type, items + index * size);
        schema_value(reader, &item, child, &step, items + index * size);
    }
    *list = (levy_list){node, items, node->count};
}

/* The items of a map are objects or variants, named by their keys. */
static void schema_map(const levy_reader *reader, const levy_field *field, const levy_node *node,
                       const levy_trail *trail, levy_list *list)
{
    const levy_table *table = field->table;
    if (node->kind != LEVY_NODE_MAP) {
        const char *hint = node->kind == LEVY_NODE_LIST
                               ? "Write 'name: {...}' for each item, without '- '."
                               : "Write 'name: {...}' for each item.";
        if (table->example)
            hint = levy_arena_format(reader->arena, "Write a map by name%s: %s: {NAME: %s}.",
                                     node->kind == LEVY_NODE_LIST ? ", without '- '" : "",
                                     field->name, table->example);
        schema_refuse_shape(reader, node, trail, "a map", hint);
        return;
    }
    if (!schema_check_count(reader, field, node, trail)) return;
    levy_field item = {.name = field->name,
                       .type = table->variants ? LEVY_FIELD_VARIANT : LEVY_FIELD_OBJECT,
                       .table = table};
    item.element = item.type;
    const size_t size = schema_item_size(&item);
    char *items = schema_allocate(reader, node->count, size);
    if (!items) return;
    char *target = items;
    for (const levy_node *child = node->children; child; child = child->next, target += size) {
        const levy_trail step = {trail, child->key->text, 0, NULL, NULL};
        const bool named = levy_reader_name(reader, child->key, trail);
        schema_value(reader, &item, child, &step, target);
        if (named && table->has_name && !table->variants)
            memcpy(target + table->name_offset, &child->key->text, sizeof child->key->text);
    }
    *list = (levy_list){node, items, node->count};
}

static void schema_matrix_row(const levy_reader *reader, const levy_field *field,
                              const levy_node *row, const levy_trail *trail, double *values)
{
    size_t column = 0;
    for (const levy_node *child = row->children; child; child = child->next, ++column) {
        const levy_trail step = {trail, NULL, column, NULL, NULL};
        values[column] = schema_number_item(reader, field, child, &step);
    }
}

/* Checks that all rows are lists as long as the first. */
static bool schema_check_rows(const levy_reader *reader, const levy_node *node,
                              const levy_trail *trail)
{
    const size_t errors = reader->faults->errors;
    size_t index = 0;
    for (const levy_node *row = node->children; row; row = row->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        if (row->kind != LEVY_NODE_LIST)
            schema_refuse_shape(reader, row, &step, "a list of numbers",
                                "Write a matrix as a list of rows: [[1, 0.5], [0.5, 1]].");
        else if (node->children->kind == LEVY_NODE_LIST && row->count != node->children->count)
            levy_reader_fault(reader, LEVY_REASON_INCONSISTENT, &row->place, &step,
                              "All rows of a matrix must have the same length.",
                              "the row's length is %zu; the first row's is %zu", (size_t)row->count,
                              (size_t)node->children->count);
    }
    return reader->faults->errors == errors;
}

static void schema_matrix(const levy_reader *reader, const levy_field *field, const levy_node *node,
                          const levy_trail *trail, levy_matrix *matrix)
{
    if (!schema_begin_list(reader, field, node, trail,
                           "Write a matrix as a list of rows: [[1, 0.5], [0.5, 1]]."))
        return;
    if (!schema_check_rows(reader, node, trail)) return;
    const size_t rows = node->count, columns = rows > 0 ? node->children->count : 0;
    size_t total = 0;
    double *values = levy_size_multiply(rows, columns, &total)
                         ? schema_allocate(reader, total, sizeof *values)
                         : NULL;
    if (!values) return;
    size_t index = 0;
    for (const levy_node *row = node->children; row; row = row->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        schema_matrix_row(reader, field, row, &step, values + index * columns);
    }
    *matrix = (levy_matrix){node, values, rows, columns};
}

static void schema_time_value(const levy_reader *reader, const levy_field *field,
                              const levy_node *node, const levy_trail *trail, levy_time_value *pair)
{
    static const levy_field any_time = {.name = "", .type = LEVY_FIELD_TIME};
    const levy_trail first = {trail, NULL, 0, NULL, NULL}, second = {trail, NULL, 1, NULL, NULL};
    pair->node = node;
    levy_reader_absent(LEVY_FIELD_NUMBER, &pair->value);
    if (node->kind != LEVY_NODE_LIST) {
        schema_refuse_shape(reader, node, trail, "a pair [time, number]",
                            schema_pairs_hint(reader));
        return;
    }
    if (node->count != 2) {
        levy_reader_fault(reader, LEVY_REASON_TYPE, &node->place, trail, schema_pairs_hint(reader),
                          "expected a pair [time, number]; got a list of length %zu",
                          (size_t)node->count);
        return;
    }
    levy_reader_scalar(reader, &any_time, node->children, &first, &pair->time);
    pair->value = schema_number_item(reader, field, node->children->next, &second);
}

static void schema_time_values(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail, levy_list *list)
{
    const char *const rows = node->kind == LEVY_NODE_MAP && node->children
                                 ? levy_hint_rows(reader, node->children)
                                 : NULL;
    const char *const hint =
        rows ? levy_arena_format(reader->arena, "Write %s: %s.", field->name, rows)
             : schema_pairs_hint(reader);
    if (!schema_begin_list(reader, field, node, trail, hint)) return;
    levy_time_value *pairs = schema_allocate(reader, node->count, sizeof *pairs);
    if (!pairs) return;
    size_t index = 0;
    for (const levy_node *child = node->children; child; child = child->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        schema_time_value(reader, field, child, &step, &pairs[index]);
    }
    *list = (levy_list){node, pairs, node->count};
}

/* ---- Fields ---- */

static void schema_absent(const levy_reader *reader, const levy_field *field,
                          const levy_trail *trail, void *target)
{
    if (levy_reader_is_scalar(field->type))
        levy_reader_absent(field->type, target);
    else if (field->type == LEVY_FIELD_OBJECT)
        schema_object(reader, field->table, NULL, trail, target);
    else if (field->type == LEVY_FIELD_VARIANT)
        *(levy_variant_value *)target = (levy_variant_value){.kind = -1};
}

/* The default's text is read as if it stood in the file. Scalars, the common case, need no parser.
 */
static void schema_fallback(const levy_reader *reader, const levy_field *field,
                            const levy_trail *trail, void *target)
{
    levy_document document = {0};
    if (levy_reader_is_scalar(field->type)) {
        levy_node *node = schema_allocate(reader, 1, sizeof *node);
        if (!node) return;
        node->text = field->fallback;
        node->length = (uint32_t)strlen(field->fallback);
        schema_value(reader, field, node, trail, target);
        return;
    }
    const levy_status status =
        levy_document_read("default", 0, field->fallback, strlen(field->fallback), NULL,
                           reader->arena, reader->faults, &document);
    if (status == LEVY_MEMORY) levy_reader_no_memory(reader);
    if (document.n_roots == 1) schema_value(reader, field, document.roots[0], trail, target);
}

static void schema_field(const levy_reader *reader, const levy_field *field, const levy_node *node,
                         const levy_trail *trail, void *target)
{
    const size_t errors = reader->faults->errors;
    schema_absent(reader, field, trail, target);
    if (node) schema_value(reader, field, node, trail, target);
    if (field->fallback &&
        (!node || (reader->faults->errors > errors && levy_reader_is_scalar(field->type))))
        schema_fallback(reader, field, trail, target);
}

static void schema_value(const levy_reader *reader, const levy_field *field, const levy_node *node,
                         const levy_trail *trail, void *target)
{
    switch (field->type) {
    case LEVY_FIELD_TEXT:
    case LEVY_FIELD_NAME:
    case LEVY_FIELD_NUMBER:
    case LEVY_FIELD_COUNT:
    case LEVY_FIELD_FLAG:
    case LEVY_FIELD_CHOICE:
    case LEVY_FIELD_TIME:
    case LEVY_FIELD_DATE:
    case LEVY_FIELD_TENOR:
        levy_reader_scalar(reader, field, node, trail, target);
        return;
    case LEVY_FIELD_OBJECT:
    case LEVY_FIELD_VARIANT:
        schema_object(reader, field->table, node, trail, target);
        return;
    case LEVY_FIELD_LIST:
        schema_list(reader, field, node, trail, target);
        return;
    case LEVY_FIELD_MAP:
        schema_map(reader, field, node, trail, target);
        return;
    case LEVY_FIELD_MATRIX:
        schema_matrix(reader, field, node, trail, target);
        return;
    case LEVY_FIELD_TIME_VALUES:
        schema_time_values(reader, field, node, trail, target);
        return;
    case LEVY_FIELD_NODE:
        *(const levy_node **)target = node;
        return;
    }
}

/* ---- Objects and variants ---- */

/* The field that a bare scalar or list at `node` stands for, or NULL. */
static const levy_field *schema_shorthand(const levy_table *table, const char *key,
                                          const levy_node *node)
{
    const levy_field *field =
        key && node->kind != LEVY_NODE_MAP ? schema_find_field(table, key) : NULL;
    if (!field || (node->kind == LEVY_NODE_SCALAR && node->length == 0 && !node->quoted))
        return NULL;
    const bool takes_list = field->type == LEVY_FIELD_LIST || field->type == LEVY_FIELD_MATRIX ||
                            field->type == LEVY_FIELD_TIME_VALUES;
    return takes_list == (node->kind == LEVY_NODE_LIST) ? field : NULL;
}

/* The value of a field's key, or of its former key. */
static const levy_node *schema_child(const levy_reader *reader, const levy_field *field,
                                     const levy_node *node, const levy_trail *trail)
{
    const levy_node *now = levy_node_find(node, field->name),
                    *former = field->former ? levy_node_find(node, field->former) : NULL;
    if (!now || !former) return now ? now : former;
    const levy_trail step = {trail, field->former, 0, NULL, NULL};
    levy_reader_fault(reader, LEVY_REASON_DUPLICATE_KEY, &former->key->place, &step,
                      "Keep one of the two.", "is the former name of '%s', which is also given",
                      field->name);
    return now;
}

static void schema_fields(const levy_reader *reader, const levy_table *table, const levy_node *node,
                          const levy_field *only, const levy_trail *trail,
                          const schema_suspects *suspects, void *object)
{
    if (table->has_node) memcpy((char *)object + table->node_offset, &node, sizeof node);
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const levy_node *child = only == field ? node
                                 : only        ? NULL
                                               : schema_child(reader, field, node, trail);
        const bool missing = node && !child && (field->flags & LEVY_REQUIRED) && !field->fallback &&
                             !(field->unless && levy_node_find(node, field->unless));
        if (missing && !schema_is_suspect(suspects, field->name))
            schema_refuse_missing(reader, node, trail, field->name,
                                  levy_hint_missing(reader, table, field, node, trail->map));
        const levy_trail step = {trail, field->name, 0, node, table};
        schema_field(reader, field, child, only == field ? trail : &step,
                     (char *)object + field->offset);
    }
}

/* Of a payoff. */
static const char schema_styles[] = "Only european exercise is priced: write {kind: european, "
                                    "option_type: put, strike: 100}, or another kind.";

static int schema_find_kind(const levy_table *table, const char *kind)
{
    for (int i = 0; table->variants[i].kind; ++i)
        if (strcmp(table->variants[i].kind, kind) == 0) return i;
    return -1;
}

/* The European option in place of one of another style. */
static const char *schema_style_hint(const levy_reader *reader, const levy_table *table,
                                     const levy_node *node)
{
    const int at = schema_find_kind(table, "european");
    const char *const filled =
        at < 0 ? NULL
               : levy_hint_whole(reader, table->variants[at].table,
                                 "{kind: european, option_type: put, strike: 100}", node, NULL);
    return filled
               ? levy_arena_format(reader->arena,
                                   "Only european exercise is priced: write %s, or another kind.",
                                   filled)
               : schema_styles;
}

/* The map of a key with what a bare value says, and what the map that has the key says of it. */
static const char *schema_bare_map(const levy_reader *reader, const levy_table *table,
                                   const levy_node *node, const levy_trail *trail)
{
    bool said = false, whole = true;
    const levy_field *const field =
        trail->table && trail->map ? levy_example_field(trail->table, trail->key) : NULL;
    const bool nests = field && node->kind == LEVY_NODE_SCALAR && levy_hint_nests(field);
    const char *const text =
        nests ? levy_hint_nested(reader, trail->table, field, table->example, trail->map, &whole)
              : levy_example_with(reader, table, node, &said);
    return said ? text : levy_says_left(reader, table, text, node);
}

/* For a word that speaks of another key of the map: "monitoring: continuous". NULL: it does not. */
static const char *schema_other_key(const levy_reader *reader, const levy_table *table,
                                    const levy_node *node, const levy_trail *trail)
{
    bool said = false;
    if (table && (!levy_example_with(reader, table, node, &said) || said)) return NULL;
    const char *const pairs = trail->table ? levy_says(reader, trail->table, node) : NULL;
    return pairs ? levy_arena_format(reader->arena, "Write %s in place of %s.", pairs, trail->key)
                 : NULL;
}

/* For a word in place of a payoff: the word's kind, or how to find one. */
static const char *schema_payoff_hint(const levy_reader *reader, const levy_node *node,
                                      const char *hint)
{
    double number;
    const char *example = NULL;
    if (node->kind != LEVY_NODE_SCALAR || node->length == 0 ||
        levy_number_read(node->text, node->length, &number) == LEVY_NUMBER_OK)
        return hint;
    const char *const way = levy_catalog_way(node->text);
    const levy_variant *const v = levy_synonym_variant(&levy_payoff_table, node->text, &example);
    if (way) return way;
    if (!v) return "Write a map with a 'kind' and its keys. `levy describe` lists the kinds.";
    example = levy_hint_filled(reader, v->table, example, node, NULL);
    return example ? levy_arena_format(reader->arena, "Write payoff: %s.", example) : hint;
}

/* For "choice: 2027-05-20", or a number of years that is no count; and for "coupons: 8" of a map
 * without `coupon`, which may be dates or money. */
static const char *schema_dates_hint(const levy_reader *reader, const levy_node *node,
                                     const levy_trail *trail, const char *hint)
{
    levy_date date;
    double years;
    const size_t n = trail->key && trail->table && trail->map ? strlen(trail->key) : 0;
    const char *const one = n > 1 && trail->key[n - 1] == 's'
                                ? levy_arena_format(reader->arena, "%.*s", (int)(n - 1), trail->key)
                                : NULL;
    if (one && levy_example_field(trail->table, one) && !levy_node_find(trail->map, one))
        return levy_arena_format(
            reader->arena, "Write %s: {count: N} for N dates, and %s: X for what a date pays.",
            trail->key, one);
    if (trail->key && (levy_date_read(node->text, node->length, &date) ||
                       (memchr(node->text, '.', node->length) &&
                        levy_number_read(node->text, node->length, &years) == LEVY_NUMBER_OK)))
        return levy_arena_format(reader->arena, "Write %s: [%s].", trail->key, node->text);
    return hint;
}

static void schema_refuse_object(const levy_reader *reader, const levy_table *table,
                                 const levy_node *node, const levy_trail *trail)
{
    const char *map = NULL, *value;
    size_t length;
    const levy_field *const holds =
        trail->table && trail->key ? levy_example_field(trail->table, trail->key) : NULL;
    if (node->kind == LEVY_NODE_SCALAR && !(holds && levy_hint_nests(holds)))
        (void)levy_synonym_kind(table->variants ? table : &levy_payoff_table, node->text, &map);
    if (map && !table->variants) /* "barrier: down_and_in" */
        map = trail->key && levy_example_value(map, trail->key, &value, &length)
                  ? levy_arena_format(reader->arena, "%.*s", (int)length, value)
                  : NULL;
    const char *const example = map ? map : schema_bare_map(reader, table, node, trail);
    const bool book = strcmp(table->name, levy_book_table.name) == 0;
    const char *hint =
        table->variants ? "Write a map with a 'kind', such as {kind: ..., ...}." : table->doc;
    if (example && trail->parent)
        hint = levy_arena_format(reader->arena, "Write %s%s%s.", trail->key ? trail->key : "",
                                 trail->key ? ": " : "", example);
    else if (example && !book)
        hint = levy_arena_format(reader->arena, "Write a map, such as %s.", table->example);
    if (book)
        hint = "A book begins with 'schema_version: 1'. `levy new book` prints one to start from.";
    if (book && node->kind == LEVY_NODE_SCALAR && strchr(node->text, ','))
        hint = "The name of a file of comma-separated trades ends in .csv: levy price trades.csv "
               "--market market.yaml.";
    const bool maps =
        node->kind == LEVY_NODE_LIST && node->count > 0 && node->children->kind == LEVY_NODE_MAP;
    const char *const other = table->variants ? NULL : schema_other_key(reader, table, node, trail);
    if (other) hint = other;
    const char *const alone = levy_hint_alone(reader, table, node, trail);
    if (alone) hint = alone;
    if ((table == &levy_schedule_table || table == &levy_named_schedule_table) &&
        node->kind == LEVY_NODE_SCALAR)
        hint = schema_dates_hint(reader, node, trail, hint);
    if (table == &levy_payoff_table && !map) hint = schema_payoff_hint(reader, node, hint);
    if (table->variants && schema_is_unpriced_style(node))
        hint = schema_style_hint(reader, table, node);
    if (node->kind == LEVY_NODE_LIST && (maps || !example || !trail->parent))
        hint = "Write 'key: value' lines without '- ', or {key: value}.";
    else if (node->kind == LEVY_NODE_SCALAR && strchr(node->text, ':'))
        hint = "Put a space after the colon: 'key: value'.";
    schema_refuse_shape(reader, node, trail, "a map", hint);
}

static void schema_plain_object(const levy_reader *reader, const levy_table *table, bool has_kind,
                                const char *shorthand_key, const levy_node *node,
                                const levy_trail *trail, void *object)
{
    schema_suspects suspects = {.n = 0};
    if (node && table == &levy_trade_table) node = levy_respell_trade(reader, node);
    const levy_field *only = node ? schema_shorthand(table, shorthand_key, node) : NULL;
    if (node && !only) only = schema_shorthand(table, table->shorthand_list, node);
    if (node && !only) {
        if (node->kind == LEVY_NODE_MAP)
            schema_check_keys(reader, table, has_kind, node, trail, &suspects);
        else {
            schema_refuse_object(reader, table, node, trail);
            node = NULL; /* one fault is enough; the defaults stand for the object */
        }
    }
    schema_fields(reader, table, node, only, trail, &suspects, object);
}

/* Whether one of the words of a text, such as "down-and-out", is this one. */
static bool schema_has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = text; *at; at += strcspn(at, " _-&"), at += strspn(at, " _-&"))
        if (strncasecmp(at, word, n) == 0 && (at[n] == '\0' || strchr(" _-&", at[n]))) return true;
    return false;
}

/* A value of the map, or of a map in it, that says another thing than a word for a kind. */
static const levy_node *schema_against(const char *kind, const levy_node *map)
{
    static const char *const pairs[][2] = {
        {"call", "put"},   {"put", "call"},  {"up", "down"},    {"down", "up"},
        {"in", "out"},     {"out", "in"},    {"no", "touched"}, {"one", "untouched"},
        {"cash", "asset"}, {"asset", "cash"}};
    for (const levy_node *child = map->children; child; child = child->next) {
        const levy_node *const below =
            child->kind == LEVY_NODE_MAP ? schema_against(kind, child) : NULL;
        if (below) return below;
        if (child->kind != LEVY_NODE_SCALAR || strcmp(child->key->text, "kind") == 0) continue;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i)
            if (schema_has_word(kind, pairs[i][0]) && schema_has_word(child->text, pairs[i][1]) &&
                !schema_has_word(kind, pairs[i][1]))
                return child;
        if (schema_has_word(kind, "asset") && strcmp(child->key->text, "payout") == 0 &&
            strpbrk(child->text, "0123456789"))
            return child;
    }
    return NULL;
}

/* The kind that a word stands for, or its map with the values of the node, if that has not all of
 * its keys. */
static const char *schema_kind_hint(const levy_reader *reader, const levy_table *table,
                                    const levy_node *node, const char *word)
{
    const char *example;
    bool whole = true;
    const levy_node *const against = schema_against(word, node);
    if (against)
        return levy_arena_format(reader->arena,
                                 "'%s' and '%s: %s' say two things: keep one of them.", word,
                                 against->key->text, against->text);
    const levy_variant *const v = levy_synonym_variant(table, word, &example);
    const bool spelled = v && levy_synonym_is_spelling(v->kind, word);
    const char *const filled =
        v && example ? levy_hint_whole(reader, v->table, example, node, &whole) : NULL;
    if (v && (whole || spelled || !filled))
        return levy_arena_format(reader->arena, "Write kind: %s.", v->kind);
    const char *const own =
        filled && strstr(filled, "script: ")
            ? ", with your numbers, and levels: percent_of_initial where they are fractions"
            : "";
    return filled ? levy_arena_format(reader->arena, "Write %s%s.", filled, own) : NULL;
}

/* Without `kind` the other keys cannot be judged. Only a key that was meant to be `kind` is
 * named: one that looks like it, or `type` with a kind or a word for one. */
static void schema_refuse_missing_kind(const levy_reader *reader, const levy_table *table,
                                       const levy_node *node, const levy_trail *trail,
                                       const char *const *kinds)
{
    static const char *const kind_only[] = {"kind", NULL};
    const levy_node *const type = levy_node_find(node, "type");
    const char *map = NULL;
    if (type && type->kind == LEVY_NODE_SCALAR) {
        const levy_trail step = {trail, "type", 0, NULL, NULL};
        const char *hint = levy_reader_join(reader, "Write kind: and one of ", kinds);
        if (schema_is_unpriced_style(type))
            hint = schema_style_hint(reader, table, node);
        else if (levy_synonym_kind(table, type->text, &map))
            hint = schema_kind_hint(reader, table, node, type->text);
        else if (schema_find_kind(table, type->text) >= 0)
            hint = levy_arena_format(reader->arena, "Write kind: %s.", type->text);
        levy_reader_fault(reader, LEVY_REASON_UNKNOWN_KEY, &type->key->place, &step, hint,
                          "unknown key; levy's word is 'kind'");
        return;
    }
    for (const levy_node *child = node->children; child; child = child->next) {
        if (!levy_nearest(child->key->text, kind_only)) continue;
        schema_refuse_key(reader, NULL, kind_only, node, child, trail);
        return;
    }
    const char *const shape =
        node->children ? levy_hint_shape(reader, table, node->children, trail) : NULL;
    schema_refuse_missing(reader, node, trail, "kind",
                          shape ? shape : levy_reader_join(reader, "One of: ", kinds));
}

static void schema_refuse_kind(const levy_reader *reader, const levy_table *table,
                               const levy_node *node, const levy_node *kind,
                               const levy_trail *parent, const char *const *kinds)
{
    const levy_trail trail = {parent, "kind", 0, NULL, NULL};
    const bool scalar = kind->kind == LEVY_NODE_SCALAR;
    char shown[LEVY_SHOWN_SIZE], meant[LEVY_MEANT_SIZE];
    const char *hint = scalar ? levy_catalog_way(kind->text) : NULL, *map = NULL;
    const char *const own = scalar && !hint ? levy_synonym_kind(table, kind->text, &map) : NULL;
    levy_reader_show(kind, shown);
    if (own) {
        levy_reader_fault(reader, LEVY_REASON_UNKNOWN_NAME, &kind->place, &trail,
                          schema_kind_hint(reader, table, node, kind->text),
                          "unknown kind %s; levy's word is '%s'", shown, own);
        return;
    }
    if (schema_is_unpriced_style(kind)) hint = schema_style_hint(reader, table, node);
    if (!hint) hint = levy_reader_join(reader, "One of: ", kinds);
    if (scalar && levy_catalog_is_unpriced(kind->text)) {
        levy_reader_fault(reader, LEVY_REASON_UNKNOWN_NAME, &kind->place, &trail, hint,
                          "%s is not priced yet", shown);
        return;
    }
    const char *nearest = scalar ? levy_nearest(kind->text, kinds) : NULL;
    levy_reader_fault(reader, LEVY_REASON_UNKNOWN_NAME, &kind->place, &trail, hint,
                      "unknown kind %s%s", shown, levy_meant(nearest, meant));
}

/* The kinds that files define for a table, or none. */
static const levy_variant *schema_more_kinds(const levy_reader *reader, const levy_table *table)
{
    static const levy_variant none = {0};
    const levy_more_kinds *const more = reader->kinds;
    return more && more->of == table && more->variants ? more->variants : &none;
}

/* A kind whose definition has faults is none that its trades could be checked against. */
static int schema_choose_more(const levy_reader *reader, const levy_table *table,
                              const levy_node *kind, const levy_trail *parent,
                              const levy_variant **chosen)
{
    const levy_trail trail = {parent, "kind", 0, NULL, NULL};
    const levy_variant *v = schema_more_kinds(reader, table);
    if (kind->kind != LEVY_NODE_SCALAR) return -1;
    while (v->kind && strcmp(v->kind, kind->text) != 0) ++v;
    if (!v->kind) return -1;
    *chosen = v;
    if (v->table) return reader->kinds->as;
    levy_reader_fault(reader, LEVY_REASON_UNKNOWN_NAME, &kind->place, &trail,
                      "Mend the definition first.", "the definition of the kind '%s' has faults",
                      v->kind);
    return -1;
}

/* The index of the variant that the node asks for; -1: a fault was added. */
static int schema_choose_variant(const levy_reader *reader, const levy_table *table,
                                 const levy_node *node, const levy_trail *trail,
                                 const levy_variant **chosen)
{
    const char *kinds[SCHEMA_KEYS + 1];
    size_t n = 0;
    for (; table->variants[n].kind && n < SCHEMA_KEYS; ++n) kinds[n] = table->variants[n].kind;
    for (const levy_variant *v = schema_more_kinds(reader, table); v->kind && n < SCHEMA_KEYS; ++v)
        kinds[n++] = v->kind;
    kinds[n] = NULL;
    *chosen = NULL;
    if (node->kind == LEVY_NODE_MAP) {
        const levy_node *kind = levy_node_find(node, "kind");
        int index =
            kind && kind->kind == LEVY_NODE_SCALAR ? schema_find_kind(table, kind->text) : -1;
        if (index >= 0) *chosen = &table->variants[index];
        if (index < 0 && kind) index = schema_choose_more(reader, table, kind, trail, chosen);
        if (!kind)
            schema_refuse_missing_kind(reader, table, node, trail, kinds);
        else if (!*chosen)
            schema_refuse_kind(reader, table, node, kind, trail, kinds);
        return index;
    }
    const int index = table->shorthand ? schema_find_kind(table, table->shorthand) : -1;
    if (index >= 0 && schema_shorthand(table->variants[index].table, table->shorthand_key, node)) {
        *chosen = &table->variants[index];
        return index;
    }
    schema_refuse_object(reader, table, node, trail);
    return -1;
}

static void schema_variant(const levy_reader *reader, const levy_table *table,
                           const levy_node *node, const levy_trail *trail,
                           levy_variant_value *target)
{
    *target = (levy_variant_value){.node = node, .kind = -1};
    if (!node) return;
    const levy_variant *variant = NULL;
    if (table == &levy_payoff_table) node = levy_respell_kind(reader, table, node, trail);
    target->node = node;
    const int kind = schema_choose_variant(reader, table, node, trail, &variant);
    if (kind < 0) return;
    const levy_table *chosen = variant->table;
    if (table == &levy_payoff_table) node = levy_respell(reader, chosen, node, trail);
    target->node = node;
    void *value = schema_allocate(reader, 1, chosen->size);
    if (!value) return;
    schema_plain_object(reader, chosen, true, table->shorthand_key, node, trail, value);
    target->value = value;
    target->kind = kind;
    target->table = chosen;
}

static void schema_object(const levy_reader *reader, const levy_table *table, const levy_node *node,
                          const levy_trail *trail, void *object)
{
    if (table->variants)
        schema_variant(reader, table, node, trail, object);
    else
        schema_plain_object(reader, table, false, table->shorthand_key, node, trail, object);
}

bool levy_read_object(const levy_reader *reader, const levy_table *table, const levy_node *node,
                      const char *path, void *object)
{
    const size_t errors = reader->faults->errors;
    const levy_trail trail = {.key = path};
    schema_object(reader, table, node, &trail, object);
    return reader->faults->errors == errors;
}
