/* respell_value.c: whether a key is another name of a field, and the value as that field takes it:
 * a share as a number, a count as a schedule, a variance as its root. Must not know: where in a map
 * the key belongs, nested maps. */
#include "engine/schema/respell.h"
#include "engine/schema/respell_node.h"

#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether levels of the payoff are fractions, so that a share is a number. */
static bool respell_has_fractions(const respelling *r)
{
    const levy_field *const levels = levy_reader_field(r->table, "levels");
    const levy_node *const own = levy_node_find(r->map, "levels");
    if (levy_reader_field(r->table, "strike_type") || levy_node_find(r->map, "strike_type"))
        return false;
    if (!levels) return true;
    if (own) return own->kind == LEVY_NODE_SCALAR && strcmp(own->text, "percent_of_initial") == 0;
    return levels->fallback && strcmp(levels->fallback, "percent_of_initial") == 0;
}

static bool respell_is_number(const levy_field *field)
{
    return !field->hint && (field->type == LEVY_FIELD_NUMBER || levy_field_has_numbers(field));
}

/* A count of dates alone: {count: 12}, with the start where the kind's own example has it. */
static const levy_node *respell_count(respelling *r, const levy_node *value)
{
    uint64_t count;
    const char *const example = r->table->example;
    if (levy_count_read(value->text, value->length, &count) != LEVY_NUMBER_OK || count < 2)
        return NULL;
    levy_node *const n = levy_respell_scalar(r, value, value->text);
    levy_node *const map = levy_respell_map(r, value, n, 1);
    if (!map || !n || !(n->key = levy_respell_scalar(r, value, "count"))) return NULL;
    if (!example || !strstr(example, "include_start: true")) return map;
    levy_node *const start = levy_respell_scalar(r, value, "true");
    if (!start || !(start->key = levy_respell_scalar(r, value, "include_start"))) return NULL;
    n->next = start;
    map->count = 2;
    return map;
}

const levy_node *levy_respell_value(respelling *r, const levy_field *field, const levy_node *value)
{
    char decimal[LEVY_NUMBER_SIZE];
    if (value->kind != LEVY_NODE_SCALAR) {
        const bool list = field->type == LEVY_FIELD_LIST && value->kind == LEVY_NODE_LIST;
        const bool fits =
            list || field->type == LEVY_FIELD_NODE || levy_hint_takes_shape(field, value);
        return fits ? value : NULL;
    }
    if (levy_example_fits(field, value) || field->type == LEVY_FIELD_NODE) return value;
    if (field->table == &levy_schedule_table && !value->quoted &&
        strcmp(field->name, "knock_in") != 0 && /* knock_in: 4 may be a level, too */
        (!r->lacks || strcmp(value->key->text, "observations") == 0))
        return respell_count(r, value);
    if (respell_is_number(field) && respell_has_fractions(r) &&
        levy_example_percent(value, decimal))
        return levy_respell_scalar(r, value, decimal);
    return NULL;
}

/* ---- Names ---- */

static char respell_how_n(const levy_field *field, const char *name, size_t n)
{
    for (const char *at = field->spelled; at && *at; at += strspn(at, " ")) {
        const char how = strchr("^%~@+", *at) ? *at++ : ' ';
        const size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, name, n) == 0) return how;
        at += length;
    }
    return 0;
}

char levy_respell_how(const levy_field *field, const char *name)
{
    return respell_how_n(field, name, strlen(name));
}

bool levy_respell_names(const levy_field *field, const char *name, size_t n)
{
    return respell_how_n(field, name, n) != 0;
}

/* The field's value for "name=value:own" among its names; NULL: there is none. */
static const levy_node *respell_word(respelling *r, const levy_field *field, const levy_node *child)
{
    const char *const pair =
        child->kind == LEVY_NODE_SCALAR && strpbrk(field->spelled, "=")
            ? levy_arena_format(r->reader->arena, "%s=%s:", child->key->text, child->text)
            : NULL;
    const char *const at = pair ? strstr(field->spelled, pair) : NULL;
    if (!at || (at > field->spelled && at[-1] != ' ')) return NULL;
    const char *const own = at + strlen(pair);
    const char *const text =
        levy_arena_format(r->reader->arena, "%.*s", (int)strcspn(own, " "), own);
    return text ? levy_respell_scalar(r, child, text) : NULL;
}

static const levy_node *respell_root(respelling *r, const levy_node *value)
{
    char text[LEVY_NUMBER_SIZE];
    double square;
    if (value->kind != LEVY_NODE_SCALAR ||
        levy_number_read(value->text, value->length, &square) != LEVY_NUMBER_OK || square < 0.0)
        return NULL;
    levy_number_write(sqrt(square), text);
    return levy_respell_scalar(r, value, text);
}

/* Whether the map says n observations: by their number, or one by one. */
static bool respell_has_dates(const respelling *r, uint64_t n)
{
    uint64_t count = 0;
    const levy_field *const dates = levy_reader_field(r->table, "observations");
    for (const levy_node *child = r->map->children; dates && child; child = child->next) {
        const levy_node *value = child;
        if (strcmp(dates->name, child->key->text) != 0 &&
            !levy_respell_how(dates, child->key->text))
            continue;
        if (child->kind == LEVY_NODE_MAP) value = levy_node_find(child, "count");
        if (value && value->kind == LEVY_NODE_LIST) count = value->count;
        if (value && value->kind == LEVY_NODE_SCALAR)
            (void)levy_count_read(value->text, value->length, &count);
    }
    return count == n;
}

/* The first of [0.06, 0.12, 0.18], where each of so many observations has one. */
static const levy_node *respell_first(respelling *r, const levy_node *list)
{
    char first[LEVY_NUMBER_SIZE] = "", text[LEVY_NUMBER_SIZE];
    double each = 0.0, value, k = 0.0;
    if (list->kind != LEVY_NODE_LIST || list->count < 2 || !respell_has_dates(r, list->count))
        return NULL;
    for (const levy_node *item = list->children; item; item = item->next) {
        const bool share = levy_example_percent(item, text);
        const char *const number = share ? text : item->text;
        if (item->kind != LEVY_NODE_SCALAR ||
            levy_number_read(number, strlen(number), &value) != LEVY_NUMBER_OK)
            return NULL;
        if ((k += 1.0) == 1.0) snprintf(first, sizeof first, "%s", number);
        if (k == 1.0) each = value;
        if (!(fabs(value - k * each) <= 1e-12 * k * fabs(each))) return NULL;
    }
    return levy_respell_scalar(r, list, first);
}

const levy_field *levy_respell_named(respelling *r, const levy_table *table, const levy_node *child,
                                     const levy_node **as)
{
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const char how = levy_respell_how(field, child->key->text);
        const size_t n = child->kind == LEVY_NODE_SCALAR ? child->length : 0;
        if (field->spelled && (*as = respell_word(r, field, child)) != NULL) return field;
        if (!how) continue;
        if (how == '^')
            *as = respell_root(r, child);
        else if (how == '+')
            *as = respell_first(r, child);
        else if (how == '%' && (n == 0 || child->text[n - 1] != '%'))
            *as = NULL;
        else
            *as = levy_respell_value(r, field, child);
        if (*as) return field;
    }
    return NULL;
}
