/* schema_lists.c: lists, maps by name, matrices and values by time, item by item. See
 * schema_parts.h. Must not know: any key's meaning. */
#include "engine/schema/hints.h"
#include "engine/schema/schema_parts.h"

#include <string.h>

static const char *schema_pairs_hint(const levy_reader *reader)
{
    return reader->is_dated ? "Write pairs, such as [[2027-11-20, 0.04], [2028-11-20, 0.05]]."
                            : "Write pairs, such as [[1, 0.04], [2, 0.05]].";
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

static bool schema_check_count(const levy_spot *at, const levy_field *field)
{
    if (at->node->count > 0 || !(field->flags & LEVY_NON_EMPTY)) return true;
    LEVY_SPOT_FAULT(at, RANGE, field->doc, "must not be empty");
    return false;
}

static bool schema_begin_list(const levy_spot *at, const levy_field *field, const char *hint)
{
    if (at->node->kind == LEVY_NODE_LIST) return schema_check_count(at, field);
    levy_schema_refuse_shape(at, "a list", hint);
    return false;
}

static const levy_field schema_plain_number = {.name = "", .type = LEVY_FIELD_NUMBER};

/* A number that obeys the field's range, as items of matrices and pairs do. */
double levy_schema_number(const levy_spot *at, const levy_field *field)
{
    levy_field item = schema_plain_number;
    item.flags = field->flags & ~(unsigned)(LEVY_REQUIRED | LEVY_NON_EMPTY);
    item.low = field->low;
    item.high = field->high;
    item.unit = field->unit;
    item.doc = field->doc;
    double value = 0.0;
    levy_reader_absent(LEVY_FIELD_NUMBER, &value);
    levy_reader_scalar(at, &item, &value);
    return value;
}

/* What stands by itself is a list of one, which models take for all of their assets. */
static void schema_lone(const levy_spot *at, const levy_field *item, levy_list *list)
{
    void *const value = levy_schema_allocate(at->reader, 1, schema_item_size(item));
    if (!value) return;
    levy_reader_absent(item->type, value);
    levy_schema_value(at, item, value);
    *list = (levy_list){at->node, value, 1};
}

/* Whether an item of a list of numbers may stand by itself like this. */
static bool schema_is_lone(const levy_field *field, const levy_node *node)
{
    if (node->kind == LEVY_NODE_MAP) return field->element == LEVY_FIELD_TERM;
    return levy_field_has_numbers(field) && node->kind == LEVY_NODE_SCALAR &&
           (node->length > 0 || node->quoted);
}

void levy_schema_list(const levy_spot *at, const levy_field *field, void *target)
{
    levy_list *const list = target;
    const char *hint = "Begin each item with '- '.";
    const char *const list_of = levy_hint_items(at->reader, field, at->node);
    if (list_of)
        hint = levy_arena_format(at->reader->arena, "Write %s: %s.", field->name, list_of);
    else if (at->node->kind == LEVY_NODE_MAP && field->table && field->table->example)
        hint = levy_arena_format(at->reader->arena, "Begin each item with '- ': write %s: [%s].",
                                 field->name, field->table->example);
    else if (at->node->kind != LEVY_NODE_MAP)
        hint = levy_hint_brackets(at->reader, field, at->node);
    levy_field item = *field;
    item.type = field->element;
    item.flags &= ~(unsigned)(LEVY_REQUIRED | LEVY_NON_EMPTY);
    if (schema_is_lone(field, at->node)) {
        schema_lone(at, &item, list);
        return;
    }
    if (!schema_begin_list(at, field, hint)) return;
    const size_t size = schema_item_size(field);
    char *items = levy_schema_allocate(at->reader, at->node->count, size);
    if (!items) return;
    size_t index = 0;
    for (const levy_node *child = at->node->children; child; child = child->next, ++index) {
        const levy_trail step = {at->trail, NULL, index, NULL, NULL};
        levy_reader_absent(item.type, items + index * size);
        levy_schema_value(&(levy_spot){at->reader, child, &step}, &item, items + index * size);
    }
    *list = (levy_list){at->node, items, at->node->count};
}

void levy_schema_map(const levy_spot *at, const levy_field *field, void *target)
{
    const levy_table *table = field->table;
    if (at->node->kind != LEVY_NODE_MAP) {
        const char *hint = at->node->kind == LEVY_NODE_LIST
                               ? "Write 'name: {...}' for each item, without '- '."
                               : "Write 'name: {...}' for each item.";
        if (table->example)
            hint = levy_arena_format(at->reader->arena, "Write a map by name%s: %s: {NAME: %s}.",
                                     at->node->kind == LEVY_NODE_LIST ? ", without '- '" : "",
                                     field->name, table->example);
        levy_schema_refuse_shape(at, "a map", hint);
        return;
    }
    if (!schema_check_count(at, field)) return;
    levy_field item = {.name = field->name,
                       .type = table->variants ? LEVY_FIELD_VARIANT : LEVY_FIELD_OBJECT,
                       .table = table};
    item.element = item.type;
    const size_t size = schema_item_size(&item);
    char *items = levy_schema_allocate(at->reader, at->node->count, size);
    if (!items) return;
    char *into = items;
    for (const levy_node *child = at->node->children; child; child = child->next, into += size) {
        const levy_trail step = {at->trail, child->key->text, 0, NULL, NULL};
        const bool named = levy_reader_name(&(levy_spot){at->reader, child->key, at->trail});
        levy_schema_value(&(levy_spot){at->reader, child, &step}, &item, into);
        if (named && table->has_name && !table->variants)
            memcpy(into + table->name_offset, &child->key->text, sizeof child->key->text);
    }
    *(levy_list *)target = (levy_list){at->node, items, at->node->count};
}

static void schema_matrix_row(const levy_reader *reader, const levy_field *field,
                              const levy_node *row, const levy_trail *trail, double *values)
{
    size_t column = 0;
    for (const levy_node *child = row->children; child; child = child->next, ++column) {
        const levy_trail step = {trail, NULL, column, NULL, NULL};
        values[column] = levy_schema_number(&(levy_spot){reader, child, &step}, field);
    }
}

/* Checks that all rows are lists as long as the first. */
static bool schema_check_rows(const levy_spot *at)
{
    const size_t errors = at->reader->faults->errors;
    size_t index = 0;
    for (const levy_node *row = at->node->children; row; row = row->next, ++index) {
        const levy_trail step = {at->trail, NULL, index, NULL, NULL};
        if (row->kind != LEVY_NODE_LIST)
            levy_schema_refuse_shape(&(levy_spot){at->reader, row, &step}, "a list of numbers",
                                     "Write a matrix as a list of rows: [[1, 0.5], [0.5, 1]].");
        else if (at->node->children->kind == LEVY_NODE_LIST &&
                 row->count != at->node->children->count)
            levy_reader_fault(at->reader, LEVY_REASON_INCONSISTENT, &row->place, &step,
                              "All rows of a matrix must have the same length.",
                              "the row's length is %zu; the first row's is %zu", (size_t)row->count,
                              (size_t)at->node->children->count);
    }
    return at->reader->faults->errors == errors;
}

void levy_schema_matrix(const levy_spot *at, const levy_field *field, void *target)
{
    if (!schema_begin_list(at, field, "Write a matrix as a list of rows: [[1, 0.5], [0.5, 1]]."))
        return;
    if (!schema_check_rows(at)) return;
    const size_t rows = at->node->count, columns = rows > 0 ? at->node->children->count : 0;
    size_t total = 0;
    double *values = levy_size_multiply(rows, columns, &total)
                         ? levy_schema_allocate(at->reader, total, sizeof *values)
                         : NULL;
    if (!values) return;
    size_t index = 0;
    for (const levy_node *row = at->node->children; row; row = row->next, ++index) {
        const levy_trail step = {at->trail, NULL, index, NULL, NULL};
        schema_matrix_row(at->reader, field, row, &step, values + index * columns);
    }
    *(levy_matrix *)target = (levy_matrix){at->node, values, rows, columns};
}

static void schema_time_value(const levy_spot *at, const levy_field *field, levy_time_value *pair)
{
    static const levy_field any_time = {.name = "", .type = LEVY_FIELD_TIME};
    const levy_trail first = {at->trail, NULL, 0, NULL, NULL},
                     second = {at->trail, NULL, 1, NULL, NULL};
    pair->node = at->node;
    levy_reader_absent(LEVY_FIELD_NUMBER, &pair->value);
    if (at->node->kind != LEVY_NODE_LIST) {
        levy_schema_refuse_shape(at, "a pair [time, number]", schema_pairs_hint(at->reader));
        return;
    }
    if (at->node->count != 2) {
        LEVY_SPOT_FAULT(at, TYPE, schema_pairs_hint(at->reader),
                        "expected a pair [time, number]; got a list of length %zu",
                        (size_t)at->node->count);
        return;
    }
    levy_reader_scalar(&(levy_spot){at->reader, at->node->children, &first}, &any_time,
                       &pair->time);
    pair->value =
        levy_schema_number(&(levy_spot){at->reader, at->node->children->next, &second}, field);
}

void levy_schema_time_values(const levy_spot *at, const levy_field *field, void *target)
{
    const char *const rows = at->node->kind == LEVY_NODE_MAP && at->node->children
                                 ? levy_hint_rows(at->reader, at->node->children)
                                 : NULL;
    const char *const hint =
        rows ? levy_arena_format(at->reader->arena, "Write %s: %s.", field->name, rows)
             : schema_pairs_hint(at->reader);
    if (!schema_begin_list(at, field, hint)) return;
    levy_time_value *pairs = levy_schema_allocate(at->reader, at->node->count, sizeof *pairs);
    if (!pairs) return;
    size_t index = 0;
    for (const levy_node *child = at->node->children; child; child = child->next, ++index) {
        const levy_trail step = {at->trail, NULL, index, NULL, NULL};
        schema_time_value(&(levy_spot){at->reader, child, &step}, field, &pairs[index]);
    }
    *(levy_list *)target = (levy_list){at->node, pairs, at->node->count};
}
