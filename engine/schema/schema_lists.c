/* schema_lists.c: lists, maps by name, matrices and values by time, item by item. See
 * schema_parts.h. Must not know: any key's meaning. */
#include "engine/schema/hints.h"
#include "engine/schema/schema_parts.h"

#include <string.h>

static const char *schema_pairs_hint(const levy_reader *reader)
{
    return reader->is_dated ? "Write pairs: [[2027-11-20, 0.04], [2028-11-20, 0.05]]."
                            : "Write pairs: [[1, 0.04], [2, 0.05]].";
}

static size_t schema_item_size(const levy_field *field)
{
    static const size_t sizes[] = {
#define FIELD_TYPE(type, words, item, ...) [LEVY_FIELD_##type] = sizeof(item),
#include "engine/schema/field_types.def"
#undef FIELD_TYPE
    };
    return field->element == LEVY_FIELD_OBJECT ? field->table->size : sizes[field->element];
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
    levy_schema_refuse_shape(reader, node, trail, "a list", hint);
    return false;
}

static const levy_field schema_plain_number = {.name = "", .type = LEVY_FIELD_NUMBER};

/* A number that obeys the field's range, as items of matrices and pairs do. */
double levy_schema_number(const levy_reader *reader, const levy_field *field, const levy_node *node,
                          const levy_trail *trail)
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

/* What stands by itself is a list of one, which models take for all of their assets. */
static void schema_lone(const levy_reader *reader, const levy_field *item, const levy_node *node,
                        const levy_trail *trail, levy_list *list)
{
    void *const value = levy_schema_allocate(reader, 1, schema_item_size(item));
    if (!value) return;
    levy_reader_absent(item->type, value);
    levy_schema_value(reader, item, node, trail, value);
    *list = (levy_list){node, value, 1};
}

/* Whether an item of a list of numbers may stand by itself like this. */
static bool schema_is_lone(const levy_field *field, const levy_node *node)
{
    if (node->kind == LEVY_NODE_MAP) return field->element == LEVY_FIELD_TERM;
    return levy_field_has_numbers(field) && node->kind == LEVY_NODE_SCALAR &&
           (node->length > 0 || node->quoted);
}

void levy_schema_list(const levy_reader *reader, const levy_field *field, const levy_node *node,
                      const levy_trail *trail, void *target)
{
    levy_list *const list = target;
    const char *hint = "Begin each item with '- '.";
    const char *const list_of = levy_hint_items(reader, field, node);
    if (list_of)
        hint = levy_arena_format(reader->arena, "Write %s: %s.", field->name, list_of);
    else if (node->kind == LEVY_NODE_MAP && field->table && field->table->example)
        hint = levy_arena_format(reader->arena, "Begin each item with '- ': write %s: [%s].",
                                 field->name, field->table->example);
    else if (node->kind != LEVY_NODE_MAP)
        hint = levy_hint_brackets(reader, field, node);
    levy_field item = *field;
    item.type = field->element;
    item.flags &= ~(unsigned)(LEVY_REQUIRED | LEVY_NON_EMPTY);
    if (schema_is_lone(field, node)) {
        schema_lone(reader, &item, node, trail, list);
        return;
    }
    if (!schema_begin_list(reader, field, node, trail, hint)) return;
    const size_t size = schema_item_size(field);
    char *items = levy_schema_allocate(reader, node->count, size);
    if (!items) return;
    size_t index = 0;
    for (const levy_node *child = node->children; child; child = child->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        levy_reader_absent(item.type, items + index * size);
        levy_schema_value(reader, &item, child, &step, items + index * size);
    }
    *list = (levy_list){node, items, node->count};
}

void levy_schema_map(const levy_reader *reader, const levy_field *field, const levy_node *node,
                     const levy_trail *trail, void *target)
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
        levy_schema_refuse_shape(reader, node, trail, "a map", hint);
        return;
    }
    if (!schema_check_count(reader, field, node, trail)) return;
    levy_field item = {.name = field->name,
                       .type = table->variants ? LEVY_FIELD_VARIANT : LEVY_FIELD_OBJECT,
                       .table = table};
    item.element = item.type;
    const size_t size = schema_item_size(&item);
    char *items = levy_schema_allocate(reader, node->count, size);
    if (!items) return;
    char *at = items;
    for (const levy_node *child = node->children; child; child = child->next, at += size) {
        const levy_trail step = {trail, child->key->text, 0, NULL, NULL};
        const bool named = levy_reader_name(reader, child->key, trail);
        levy_schema_value(reader, &item, child, &step, at);
        if (named && table->has_name && !table->variants)
            memcpy(at + table->name_offset, &child->key->text, sizeof child->key->text);
    }
    *(levy_list *)target = (levy_list){node, items, node->count};
}

static void schema_matrix_row(const levy_reader *reader, const levy_field *field,
                              const levy_node *row, const levy_trail *trail, double *values)
{
    size_t column = 0;
    for (const levy_node *child = row->children; child; child = child->next, ++column) {
        const levy_trail step = {trail, NULL, column, NULL, NULL};
        values[column] = levy_schema_number(reader, field, child, &step);
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
            levy_schema_refuse_shape(reader, row, &step, "a list of numbers",
                                     "Write a matrix as a list of rows: [[1, 0.5], [0.5, 1]].");
        else if (node->children->kind == LEVY_NODE_LIST && row->count != node->children->count)
            levy_reader_fault(reader, LEVY_REASON_INCONSISTENT, &row->place, &step,
                              "All rows of a matrix must have the same length.",
                              "the row's length is %zu; the first row's is %zu", (size_t)row->count,
                              (size_t)node->children->count);
    }
    return reader->faults->errors == errors;
}

void levy_schema_matrix(const levy_reader *reader, const levy_field *field, const levy_node *node,
                        const levy_trail *trail, void *target)
{
    if (!schema_begin_list(reader, field, node, trail,
                           "Write a matrix as a list of rows: [[1, 0.5], [0.5, 1]]."))
        return;
    if (!schema_check_rows(reader, node, trail)) return;
    const size_t rows = node->count, columns = rows > 0 ? node->children->count : 0;
    size_t total = 0;
    double *values = levy_size_multiply(rows, columns, &total)
                         ? levy_schema_allocate(reader, total, sizeof *values)
                         : NULL;
    if (!values) return;
    size_t index = 0;
    for (const levy_node *row = node->children; row; row = row->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        schema_matrix_row(reader, field, row, &step, values + index * columns);
    }
    *(levy_matrix *)target = (levy_matrix){node, values, rows, columns};
}

static void schema_time_value(const levy_reader *reader, const levy_field *field,
                              const levy_node *node, const levy_trail *trail, levy_time_value *pair)
{
    static const levy_field any_time = {.name = "", .type = LEVY_FIELD_TIME};
    const levy_trail first = {trail, NULL, 0, NULL, NULL}, second = {trail, NULL, 1, NULL, NULL};
    pair->node = node;
    levy_reader_absent(LEVY_FIELD_NUMBER, &pair->value);
    if (node->kind != LEVY_NODE_LIST) {
        levy_schema_refuse_shape(reader, node, trail, "a pair [time, number]",
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
    pair->value = levy_schema_number(reader, field, node->children->next, &second);
}

void levy_schema_time_values(const levy_reader *reader, const levy_field *field,
                             const levy_node *node, const levy_trail *trail, void *target)
{
    const char *const rows = node->kind == LEVY_NODE_MAP && node->children
                                 ? levy_hint_rows(reader, node->children)
                                 : NULL;
    const char *const hint =
        rows ? levy_arena_format(reader->arena, "Write %s: %s.", field->name, rows)
             : schema_pairs_hint(reader);
    if (!schema_begin_list(reader, field, node, trail, hint)) return;
    levy_time_value *pairs = levy_schema_allocate(reader, node->count, sizeof *pairs);
    if (!pairs) return;
    size_t index = 0;
    for (const levy_node *child = node->children; child; child = child->next, ++index) {
        const levy_trail step = {trail, NULL, index, NULL, NULL};
        schema_time_value(reader, field, child, &step, &pairs[index]);
    }
    *(levy_list *)target = (levy_list){node, pairs, node->count};
}
