/* hints_nested.c: what a file says of the map below a key without the map's own keys: that a strike
 * is a fixed one, that no dates are meant, two levels in a list. See hints.h. Must not know: the
 * meaning of any key but the strike and two levels. */
#include "engine/schema/hints.h"

#include "engine/base/date.h"
#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/marks.h"
#include "engine/schema/respell_node.h"
#include "engine/schema/says.h"
#include "engine/schema/synonyms.h"

#include <math.h>
#include <string.h>

enum { NESTED_KEY = 40 };

/* ---- A number as the strike is a fixed one ---- */

bool levy_hint_is_fixed(const levy_table *table, const levy_table *below, const levy_node *map)
{
    const levy_field *const kind = levy_example_field(below, "strike");
    const levy_field *const own = levy_example_field(table, "strike");
    return kind && kind->type == LEVY_FIELD_CHOICE && own &&
           levy_example_fits(own, levy_node_find(map, "strike"));
}

const char *levy_hint_fixed(const levy_reader *reader, const levy_table *table,
                            const levy_table *below, const char *text, const levy_node *map)
{
    static const levy_node fixed = {.kind = LEVY_NODE_SCALAR, .text = "fixed", .length = 5};
    const char *value;
    size_t length;
    const bool open = text && levy_hint_is_fixed(table, below, map) &&
                      levy_example_value(text, "strike", &value, &length) &&
                      *(value - sizeof "strike: ") != LEVY_MARK_OWN;
    return open ? levy_says_put(reader, below, text, &fixed) : text;
}

/* ---- Dates that nobody gave ---- */

static bool nested_speaks(const levy_table *table, const levy_field *field, const levy_node *map)
{
    if (map->kind != LEVY_NODE_MAP) return false;
    for (const levy_node *child = map->children; child; child = child->next) {
        const char *const key = child->key->text;
        if (strcmp(key, field->name) == 0 || levy_synonym_field(table, key) == field) return true;
        if (nested_speaks(table, field, child)) return true;
    }
    return false;
}

/* Whether the field, left out, has a meaning that the maps leave to it. */
static bool nested_is_silent(const levy_table *table, const levy_field *field, const char *text,
                             const levy_node *map)
{
    char key[NESTED_KEY] = {0};
    const char *value;
    size_t length;
    const size_t n = field->idle ? strcspn(field->idle, ":") : 0;
    if (n == 0 || n >= sizeof key) return false;
    memcpy(key, field->idle, n);
    const levy_field *const due = levy_example_field(table, key);
    return due && !due->fallback && !levy_example_value(text, key, &value, &length) &&
           !nested_speaks(table, due, map) && !nested_speaks(table, field, map);
}

const char *levy_hint_without(const levy_reader *reader, const char *text, const char *key)
{
    const char *value;
    size_t length;
    if (!levy_example_value(text, key, &value, &length) || memchr(value, LEVY_MARK_OWN, length))
        return text;
    const char *start = value - strlen(key) - 2, *end = value + length;
    start -= levy_mark_is(start[-1]);
    if (*start == LEVY_MARK_OWN) return text;
    if (*end == ',')
        end += 2;
    else if (start[-1] == ' ')
        start -= 2;
    return levy_arena_format(reader->arena, "%.*s%s", (int)(start - text), text, end);
}

const char *levy_hint_silent(const levy_reader *reader, const levy_table *table, const char *text,
                             const levy_node *map, const levy_node *around)
{
    for (const levy_field *field = table->fields; text && field && field->name; ++field)
        if (nested_is_silent(table, field, text, map) &&
            (!around || nested_is_silent(table, field, text, around)))
            text = levy_hint_without(reader, text, field->name);
    return text;
}

/* ---- Levels ---- */

static bool nested_is_level(const levy_field *field)
{
    return field->type == LEVY_FIELD_NUMBER && field->flags & LEVY_REQUIRED;
}

/* Whether a list is of two numbers; *low: the lesser one. */
static bool nested_are_two(const levy_node *list, const levy_node **low)
{
    double first, second;
    if (list->kind != LEVY_NODE_LIST || list->count != 2) return false;
    const levy_node *const a = list->children, *const b = a->next;
    if (a->kind != LEVY_NODE_SCALAR || b->kind != LEVY_NODE_SCALAR || a->quoted || b->quoted ||
        levy_number_read(a->text, a->length, &first) != LEVY_NUMBER_OK ||
        levy_number_read(b->text, b->length, &second) != LEVY_NUMBER_OK)
        return false;
    *low = first < second ? a : b;
    return true;
}

const char *levy_hint_levels(const levy_reader *reader, const levy_table *table, const char *text,
                             const levy_node *list)
{
    const char *pairs = "";
    const levy_node *item;
    size_t n = 0;
    if (!nested_are_two(list, &item)) return NULL;
    for (const levy_field *field = table->fields; pairs && field && field->name; ++field) {
        if (!levy_word_among("lower upper", field->name) || field->type != LEVY_FIELD_NUMBER)
            continue;
        pairs = levy_arena_format(reader->arena, "%s%s%c%s: %s", pairs, n > 0 ? ", " : "",
                                  LEVY_MARK_OWN, field->name, item->text);
        item = item == list->children ? item->next : list->children;
        ++n;
    }
    if (n != 2) return NULL;
    text = levy_hint_without(reader, text, "direction"); /* of a single level */
    text = text ? levy_hint_without(reader, text, "level") : NULL;
    return levy_says_put_pairs(reader, text, pairs);
}

/* What the map has for a field, or for a name of it. */
static const levy_node *nested_value(const levy_table *table, const levy_field *field,
                                     const levy_node *map)
{
    for (const levy_node *child = map->children; child; child = child->next)
        if ((strcmp(child->key->text, field->name) == 0 ||
             levy_synonym_field(table, child->key->text) == field) &&
            levy_example_fits(field, child))
            return child;
    return NULL;
}

/* Whether the map has all levels of the table below, and they are not those of the other one. */
static bool nested_has_levels(const levy_table *below, const levy_table *other,
                              const levy_node *map)
{
    size_t n = 0;
    for (const levy_field *field = below->fields; field && field->name; ++field) {
        if (!nested_is_level(field)) continue;
        if (levy_example_field(other, field->name) || !nested_value(below, field, map))
            return false;
        ++n;
    }
    return n > 1;
}

const char *levy_hint_other_kind(const levy_reader *reader, const levy_table *table,
                                 const levy_node *map, const levy_node *child)
{
    const levy_field *const own = levy_respell_nest(table);
    const char *const key = child->key->text;
    for (const levy_variant *v = levy_payoff_table.variants; own && v->kind; ++v) {
        const levy_field *const nest = v->table == table ? NULL : levy_respell_nest(v->table);
        if (!nest || strcmp(nest->name, own->name) != 0 || levy_node_find(map, own->name) ||
            !nested_has_levels(nest->table, own->table, map))
            continue;
        if (!levy_example_field(nest->table, key) && !levy_synonym_field(nest->table, key))
            return NULL;
        const char *const text = levy_hint_whole(reader, v->table, v->table->example, map, NULL);
        return text ? levy_arena_format(reader->arena, "Write %s.", text) : NULL;
    }
    return NULL;
}

/* ---- Times ---- */

/* A time as a number that ascends; NaN: it is none. */
static double nested_time(const levy_node *node, bool *dated)
{
    levy_date date;
    double years;
    if (node->kind != LEVY_NODE_SCALAR) return NAN;
    *dated = levy_date_read(node->text, node->length, &date);
    if (*dated) return date;
    return levy_number_read(node->text, node->length, &years) == LEVY_NUMBER_OK ? years : NAN;
}

const char *levy_hint_last_time(const levy_node *map)
{
    const levy_node *last = NULL;
    double latest = -INFINITY;
    bool dated = false, before = false;
    for (const levy_node *child = map->kind == LEVY_NODE_MAP ? map->children : NULL; child;
         child = child->next) {
        const levy_node *const list =
            child->kind == LEVY_NODE_MAP ? levy_node_find(child, "times") : child;
        if (!list || list->kind != LEVY_NODE_LIST) continue;
        for (const levy_node *item = list->children; item; item = item->next) {
            const double time = nested_time(item, &dated);
            if (isnan(time) || (last && dated != before)) return NULL;
            before = dated;
            if (!(time > latest)) continue;
            latest = time;
            last = item;
        }
    }
    return last ? last->text : NULL;
}
