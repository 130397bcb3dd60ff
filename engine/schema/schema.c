/* schema.c: the table-driven reader: a node into a C struct, key by key, all faults collected. An
 * unknown key that looks like a missing one is reported once, as the unknown key. Must not know:
 * any key's meaning. */
#include "engine/schema/book.h"
#include "engine/schema/hints.h"
#include "engine/schema/respell.h"
#include "engine/schema/schema_parts.h"

#include <string.h>

static void schema_object(const levy_spot *at, const levy_table *table, void *object);

void *levy_schema_allocate(const levy_reader *reader, size_t count, size_t size)
{
    void *items = levy_arena_allocate(reader->arena, count, size);
    if (!items) levy_reader_no_memory(reader);
    return items;
}

void levy_schema_refuse_shape(const levy_spot *at, const char *due, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(at->node, shown);
    if (at->node->kind == LEVY_NODE_SCALAR && at->node->length == 0 && !at->node->quoted)
        hint = "Write a value, or delete the key.";
    LEVY_SPOT_FAULT(at, TYPE, hint, "expected %s; got %s", due, shown);
}

/* ---- Fields ---- */

static void schema_absent(const levy_reader *reader, const levy_field *field,
                          const levy_trail *trail, void *target)
{
    if (levy_reader_is_scalar(field->type))
        levy_reader_absent(field->type, target);
    else if (field->type == LEVY_FIELD_OBJECT)
        schema_object(&(levy_spot){reader, NULL, trail}, field->table, target);
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
        levy_schema_value(&(levy_spot){reader, node, trail}, field, target);
        return;
    }
    const levy_status status =
        levy_document_read("default", 0, field->fallback, strlen(field->fallback), NULL,
                           reader->arena, reader->faults, &document);
    if (status == LEVY_MEMORY) levy_reader_no_memory(reader);
    if (document.n_roots == 1)
        levy_schema_value(&(levy_spot){reader, document.roots[0], trail}, field, target);
}

static void schema_field(const levy_spot *at, const levy_field *field, void *target)
{
    const size_t errors = at->reader->faults->errors;
    schema_absent(at->reader, field, at->trail, target);
    if (at->node) levy_schema_value(at, field, target);
    if (field->fallback &&
        (!at->node || (at->reader->faults->errors > errors && levy_reader_is_scalar(field->type))))
        schema_fallback(at->reader, field, at->trail, target);
}

static void schema_read_scalar(const levy_spot *at, const levy_field *field, void *target)
{
    (void)levy_reader_scalar(at, field, target);
}

static void schema_read_object(const levy_spot *at, const levy_field *field, void *target)
{
    schema_object(at, field->table, target);
}

static void schema_read_node(const levy_spot *at, const levy_field *field, void *target)
{
    (void)field;
    *(const levy_node **)target = at->node;
}

void levy_schema_value(const levy_spot *at, const levy_field *field, void *target)
{
    static levy_schema_read *const reads[] = {
#define FIELD_TYPE(type, words, item, read, ...) [LEVY_FIELD_##type] = read,
#include "engine/schema/field_types.def"
#undef FIELD_TYPE
    };
    reads[field->type](at, field, target);
}

/* ---- Objects and variants ---- */

/* The value of a field's key, or of its former key. */
static const levy_node *schema_child(const levy_spot *at, const levy_field *field)
{
    const levy_node *now = levy_node_find(at->node, field->name),
                    *former = field->former ? levy_node_find(at->node, field->former) : NULL;
    if (!now || !former) return now ? now : former;
    const levy_trail step = {at->trail, field->former, 0, NULL, NULL};
    levy_reader_fault(at->reader, LEVY_REASON_DUPLICATE_KEY, &former->key->place, &step,
                      "Keep one of the two.", "is the former name of '%s', which is also given",
                      field->name);
    return now;
}

static void schema_fields(const levy_spot *at, const levy_table *table, const levy_field *only,
                          const levy_suspects *suspects, void *object)
{
    if (table->has_node) memcpy((char *)object + table->node_offset, &at->node, sizeof at->node);
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const levy_node *child = only == field ? at->node : NULL;
        if (!only) child = schema_child(at, field);
        const bool missing = at->node && !child && (field->flags & LEVY_REQUIRED) &&
                             !field->fallback &&
                             !(field->unless && levy_node_find(at->node, field->unless));
        if (missing && !levy_schema_is_suspect(suspects, field->name))
            levy_schema_refuse_missing(
                at->reader, at->node, at->trail, field->name,
                levy_hint_missing(at->reader, table, field, at->node, at->trail->map));
        const levy_trail step = {at->trail, field->name, 0, at->node, table};
        schema_field(&(levy_spot){at->reader, child, only == field ? at->trail : &step}, field,
                     (char *)object + field->offset);
    }
}

static void schema_plain_object(const levy_spot *at, const levy_table *table, bool has_kind,
                                const char *shorthand_key, void *object)
{
    levy_suspects suspects = {.n = 0};
    const levy_node *node = at->node;
    if (node && table == &levy_trade_table) node = levy_respell_trade(at->reader, node);
    const levy_field *only = node ? levy_schema_shorthand(table, shorthand_key, node) : NULL;
    if (node && !only) only = levy_schema_shorthand(table, table->shorthand_list, node);
    if (node && !only) {
        if (node->kind == LEVY_NODE_MAP)
            levy_schema_check_keys(at->reader, table, has_kind, node, at->trail, &suspects);
        else {
            levy_schema_refuse_object(at->reader, table, node, at->trail);
            node = NULL; /* one fault is enough; the defaults stand for the object */
        }
    }
    schema_fields(&(levy_spot){at->reader, node, at->trail}, table, only, &suspects, object);
}

static void schema_variant(const levy_spot *at, const levy_table *table, levy_variant_value *target)
{
    const levy_node *node = at->node;
    *target = (levy_variant_value){.node = node, .kind = -1};
    if (!node) return;
    const levy_variant *variant = NULL;
    if (table == &levy_payoff_table) node = levy_respell_kind(at->reader, table, node, at->trail);
    target->node = node;
    const int kind = levy_schema_choose_variant(at->reader, table, node, at->trail, &variant);
    if (kind < 0) return;
    const levy_table *chosen = variant->table;
    if (table == &levy_payoff_table) node = levy_respell(at->reader, chosen, node, at->trail);
    target->node = node;
    void *value = levy_schema_allocate(at->reader, 1, chosen->size);
    if (!value) return;
    const levy_spot spelled = {at->reader, node, at->trail};
    schema_plain_object(&spelled, chosen, true, table->shorthand_key, value);
    target->value = value;
    target->kind = kind;
    target->table = chosen;
}

static void schema_object(const levy_spot *at, const levy_table *table, void *object)
{
    if (table->variants)
        schema_variant(at, table, object);
    else
        schema_plain_object(at, table, false, table->shorthand_key, object);
}

bool levy_read_object(const levy_reader *reader, const levy_table *table, const levy_node *node,
                      const char *path, void *object)
{
    const size_t errors = reader->faults->errors;
    const levy_trail trail = {.key = path};
    schema_object(&(levy_spot){reader, node, &trail}, table, object);
    return reader->faults->errors == errors;
}
