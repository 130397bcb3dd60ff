/* respell_check.c: whether a map needs other spellings, whether a table takes what was made of it,
 * and whether the file says one thing twice. See respell_node.h. Must not know: what the words
 * mean.
 */
#include "engine/schema/respell_node.h"

#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"

#include <string.h>

const levy_field *levy_respell_nest(const levy_table *table)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (levy_hint_nests(field) && field->flags & LEVY_REQUIRED) return field;
    return NULL;
}

bool levy_respell_is_plain(const levy_table *table, const levy_node *map, bool has_kind)
{
    const levy_field *const nest = levy_respell_nest(table);
    for (const levy_node *child = map->children; child; child = child->next) {
        const levy_field *const own = levy_reader_field(table, child->key->text);
        const bool number = own && (own->type == LEVY_FIELD_NUMBER || own->type == LEVY_FIELD_LIST);
        const bool scalar = child->kind == LEVY_NODE_SCALAR;
        if (has_kind && strcmp(child->key->text, "kind") == 0) continue;
        if (!own || (scalar && own->type == LEVY_FIELD_OBJECT)) return false;
        if (scalar && own->type == LEVY_FIELD_CHOICE && !levy_example_fits(own, child))
            return false;
        if (scalar && number && child->length > 0 &&
            (!strchr("+-.0123456789", *child->text) || child->text[child->length - 1] == '%'))
            return false;
        if (own != nest || child->kind != LEVY_NODE_MAP) continue;
        if (!levy_respell_is_plain(nest->table, child, false)) return false;
    }
    return true;
}

static bool respell_fits(const levy_field *field, const levy_node *value)
{
    if (value->kind == LEVY_NODE_SCALAR)
        return field->type == LEVY_FIELD_NODE || levy_example_fits(field, value) ||
               (field->type == LEVY_FIELD_TEXT && value->length > 0);
    return value->kind == LEVY_NODE_MAP || field->type == LEVY_FIELD_LIST ||
           field->type == LEVY_FIELD_NODE || levy_hint_takes_shape(field, value);
}

bool levy_respell_lacks(const levy_table *table, const levy_node *map)
{
    for (const levy_field *field = table->fields; field->name; ++field)
        if (field->flags & LEVY_REQUIRED && !field->fallback && !levy_node_find(map, field->name) &&
            field->table != &levy_schedule_table)
            return true;
    return false;
}

bool levy_respell_is_right(const levy_table *table, const levy_node *map, bool has_kind)
{
    const levy_field *const nest = levy_respell_nest(table);
    for (const levy_node *child = map->children; child; child = child->next) {
        const levy_field *const own = levy_reader_field(table, child->key->text);
        if (has_kind && strcmp(child->key->text, "kind") == 0) continue;
        if (!own || !respell_fits(own, child)) return false;
        if (own == nest && child->kind == LEVY_NODE_MAP &&
            !levy_respell_is_right(nest->table, child, false))
            return false;
    }
    return !levy_respell_lacks(table, map);
}

/* The child of a map whose key stands at the place; NULL: none. */
static const levy_node *respell_at(const levy_node *map, const levy_place *place)
{
    const levy_node *child = map->kind == LEVY_NODE_MAP ? map->children : NULL;
    for (; child; child = child->next) {
        const levy_place *const own = &child->key->place;
        if (own->line == place->line && own->column == place->column) break;
    }
    return child;
}

/* The same of a map and the maps in it, of which *in becomes the one that has it. */
static const levy_node *respell_find(const levy_node *map, const levy_place *place,
                                     const levy_node **in)
{
    const levy_node *found = respell_at(map, place);
    *in = NULL;
    for (const levy_node *child = map->children; child && !found; child = child->next)
        if ((found = respell_at(child, place)) != NULL) *in = child;
    return found;
}

static bool respell_is_same(const levy_table *table, const char *a, const char *b)
{
    const levy_field *const field = levy_reader_field(table, a);
    return strcmp(a, b) == 0 || (field && field == levy_reader_field(table, b));
}

static void respell_say_twice(const respelling *r, const char *name, const levy_place *first,
                              const levy_place *second)
{
    const levy_node *in = NULL;
    const levy_node *const a = respell_find(r->map, first, &in);
    const levy_node *const b = respell_find(r->map, second, &in);
    const levy_trail outer = {r->trail, in ? in->key->text : NULL, 0, NULL, NULL};
    levy_trail step = {r->trail, b ? b->key->text : name, 0, NULL, NULL};
    if (in) step.parent = &outer;
    levy_reader_fault(r->reader, LEVY_REASON_DUPLICATE_KEY, second, &step, "Keep one of the two.",
                      "gives '%s' again, after '%s' on line %u, column %u", name,
                      a ? a->key->text : name, (unsigned)first->line, (unsigned)first->column);
}

bool levy_respell_refuse_twice(const respelling *r, const levy_table *table, const levy_node *made)
{
    const levy_field *const nest = levy_respell_nest(table);
    for (const levy_node *b = made->children; b; b = b->next) {
        const levy_node *a = made->children;
        while (a != b && !respell_is_same(table, a->key->text, b->key->text)) a = a->next;
        if (nest && levy_reader_field(table, b->key->text) == nest && b->kind == LEVY_NODE_MAP &&
            levy_respell_refuse_twice(r, nest->table, b))
            return true;
        if (a == b) continue;
        respell_say_twice(r, b->key->text, &a->key->place, &b->key->place);
        return true;
    }
    return false;
}
