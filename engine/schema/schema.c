/* schema.c: the table-driven reader: a node into a C struct, key by key, all faults collected. An
 * unknown key that looks like a missing one is reported once, as the unknown key. Must not know:
 * any key's meaning. */
#include "engine/schema/book.h"
#include "engine/schema/hints.h"
#include "engine/schema/respell.h"
#include "engine/schema/schema_parts.h"

#include <string.h>

static void schema_object(const levy_reader *reader, const levy_table *table, const levy_node *node,
                          const levy_trail *trail, void *object);

void *levy_schema_allocate(const levy_reader *reader, size_t count, size_t size)
{
    void *items = levy_arena_allocate(reader->arena, count, size);
    if (!items) levy_reader_no_memory(reader);
    return items;
}

void levy_schema_refuse_shape(const levy_reader *reader, const levy_node *node,
                              const levy_trail *trail, const char *due, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(node, shown);
    if (node->kind == LEVY_NODE_SCALAR && node->length == 0 && !node->quoted)
        hint = "Write a value, or delete the key.";
    levy_reader_fault(reader, LEVY_REASON_TYPE, &node->place, trail, hint, "expected %s; got %s",
                      due, shown);
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
        levy_node *node = levy_schema_allocate(reader, 1, sizeof *node);
        if (!node) return;
        node->text = field->fallback;
        node->length = (uint32_t)strlen(field->fallback);
        levy_schema_value(reader, field, node, trail, target);
        return;
    }
    const levy_status status =
        levy_document_read("default", 0, field->fallback, strlen(field->fallback), NULL,
                           reader->arena, reader->faults, &document);
    if (status == LEVY_MEMORY) levy_reader_no_memory(reader);
    if (document.n_roots == 1) levy_schema_value(reader, field, document.roots[0], trail, target);
}

static void schema_field(const levy_reader *reader, const levy_field *field, const levy_node *node,
                         const levy_trail *trail, void *target)
{
    const size_t errors = reader->faults->errors;
    schema_absent(reader, field, trail, target);
    if (node) levy_schema_value(reader, field, node, trail, target);
    if (field->fallback &&
        (!node || (reader->faults->errors > errors && levy_reader_is_scalar(field->type))))
        schema_fallback(reader, field, trail, target);
}

static void schema_read_scalar(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail, void *target)
{
    (void)levy_reader_scalar(reader, field, node, trail, target);
}

static void schema_read_object(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail, void *target)
{
    schema_object(reader, field->table, node, trail, target);
}

static void schema_read_node(const levy_reader *reader, const levy_field *field,
                             const levy_node *node, const levy_trail *trail, void *target)
{
    (void)reader, (void)field, (void)trail;
    *(const levy_node **)target = node;
}

void levy_schema_value(const levy_reader *reader, const levy_field *field, const levy_node *node,
                       const levy_trail *trail, void *target)
{
    static levy_schema_read *const reads[] = {
#define FIELD_TYPE(type, words, item, read, ...) [LEVY_FIELD_##type] = read,
#include "engine/schema/field_types.def"
#undef FIELD_TYPE
    };
    reads[field->type](reader, field, node, trail, target);
}

/* ---- Objects and variants ---- */

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
                          const levy_suspects *suspects, void *object)
{
    if (table->has_node) memcpy((char *)object + table->node_offset, &node, sizeof node);
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const levy_node *child = only == field ? node
                                 : only        ? NULL
                                               : schema_child(reader, field, node, trail);
        const bool missing = node && !child && (field->flags & LEVY_REQUIRED) && !field->fallback &&
                             !(field->unless && levy_node_find(node, field->unless));
        if (missing && !levy_schema_is_suspect(suspects, field->name))
            levy_schema_refuse_missing(reader, node, trail, field->name,
                                       levy_hint_missing(reader, table, field, node, trail->map));
        const levy_trail step = {trail, field->name, 0, node, table};
        schema_field(reader, field, child, only == field ? trail : &step,
                     (char *)object + field->offset);
    }
}

static void schema_plain_object(const levy_reader *reader, const levy_table *table, bool has_kind,
                                const char *shorthand_key, const levy_node *node,
                                const levy_trail *trail, void *object)
{
    levy_suspects suspects = {.n = 0};
    if (node && table == &levy_trade_table) node = levy_respell_trade(reader, node);
    const levy_field *only = node ? levy_schema_shorthand(table, shorthand_key, node) : NULL;
    if (node && !only) only = levy_schema_shorthand(table, table->shorthand_list, node);
    if (node && !only) {
        if (node->kind == LEVY_NODE_MAP)
            levy_schema_check_keys(reader, table, has_kind, node, trail, &suspects);
        else {
            levy_schema_refuse_object(reader, table, node, trail);
            node = NULL; /* one fault is enough; the defaults stand for the object */
        }
    }
    schema_fields(reader, table, node, only, trail, &suspects, object);
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
    const int kind = levy_schema_choose_variant(reader, table, node, trail, &variant);
    if (kind < 0) return;
    const levy_table *chosen = variant->table;
    if (table == &levy_payoff_table) node = levy_respell(reader, chosen, node, trail);
    target->node = node;
    void *value = levy_schema_allocate(reader, 1, chosen->size);
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
