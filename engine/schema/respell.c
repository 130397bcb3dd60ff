/* respell.c: see respell.h. Nodes of a document are shared and stay as they are: what changes is a
 * copy in the reader's arena. */
#include "engine/schema/respell.h"

#include "engine/schema/respell_node.h"

#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"
#include "engine/schema/synonyms.h"

#include <string.h>
#include <strings.h>

static void respell_put_inner(respelling *r, levy_node *child)
{
    if (!child) return;
    if (r->inner_last) r->inner_last->next = child;
    if (!r->inner) r->inner = child;
    r->inner_last = child;
    ++r->n_inner;
}

/* ---- Barriers ---- */

static const char *respell_after(const char *text, const char *word)
{
    const size_t n = strlen(word);
    if (strncasecmp(text, word, n) != 0) return NULL;
    text += n;
    return text + strspn(text, " -_&");
}

static const char respell_barrier_keys[] = "barrier_type type knock_type option knock direction";

/* "up-and-out" */
static bool respell_is_barrier(const levy_node *child, const char **direction, const char **knock)
{
    const char *at = NULL, *text = child->text;
    if (child->kind != LEVY_NODE_SCALAR || !levy_word_among(respell_barrier_keys, child->key->text))
        return false;
    *direction = (at = respell_after(text, "up")) ? "up" : "down";
    if (!at) at = respell_after(text, "down");
    if (!at) return false;
    text = respell_after(at, "and");
    if (text) at = text;
    *knock = strcasecmp(at, "out") == 0 ? "out" : "in";
    return strcasecmp(at, "out") == 0 || strcasecmp(at, "in") == 0;
}

/* Puts direction and knock, where the table has both. */
static bool respell_barrier(respelling *r, const levy_table *table, const levy_node *child,
                            void (*put)(respelling *r, levy_node *child))
{
    const char *direction, *knock;
    if (!levy_reader_field(table, "direction") || !levy_reader_field(table, "knock")) return false;
    if (!respell_is_barrier(child, &direction, &knock)) return false;
    const levy_node *const a = levy_respell_scalar(r, child, direction);
    const levy_node *const b = levy_respell_scalar(r, child, knock);
    if (!a || !b) return false;
    put(r, levy_respell_pair(r, child, "direction", a));
    put(r, levy_respell_pair(r, child, "knock", b));
    return r->changed = true;
}

static bool respell_has(const levy_node *list, const char *name)
{
    for (; list; list = list->next)
        if (strcmp(list->key->text, name) == 0) return true;
    return false;
}

/* ---- Nested maps ---- */

/* Whether something under another name belongs into the map of the field `nest`. */
static bool respell_inner(respelling *r, const levy_field *nest, const levy_node *child)
{
    const levy_node *as = NULL;
    const levy_field *const own = levy_reader_field(nest->table, child->key->text);
    const levy_field *of = own && (as = levy_respell_value(r, own, child)) ? own : NULL;
    if (!of) of = levy_respell_named(r, nest->table, child, &as);
    if (!of) return respell_barrier(r, nest->table, child, respell_put_inner);
    respell_put_inner(r, levy_respell_pair(r, child, of->name, as));
    r->changed = r->changed || of != own || as != child;
    return true;
}

/* The value by itself of a key that has a map: its level, its method. */
static bool respell_bare(respelling *r, const levy_field *nest, const levy_node *child)
{
    const char *const words = nest->table->bare ? nest->table->bare : "level method";
    for (const levy_field *of = nest->table->fields; of->name; ++of) {
        const bool level = strcmp(of->name, "level") == 0 || levy_word_among(words, of->name);
        if (!level || !levy_example_fits(of, child)) continue;
        respell_put_inner(r, levy_respell_pair(r, child, of->name, child));
        return r->changed = true;
    }
    return false;
}

/* A number as the strike is a fixed one. */
static void respell_fixed(respelling *r, const levy_field *nest)
{
    const levy_node *const strike = levy_node_find(r->map, "strike");
    if (respell_has(r->inner, "strike") || !levy_hint_is_fixed(r->table, nest->table, r->map))
        return;
    levy_node *const value = levy_respell_scalar(r, strike, "fixed");
    if (value && (value->key = strike->key) != NULL) respell_put_inner(r, value);
    r->changed = true;
}

/* The map that a key has already, and what belongs into it beside. */
static void respell_close(respelling *r)
{
    const levy_field *const nest = r->nest;
    const levy_node *const had = nest ? levy_node_find(r->map, nest->name) : NULL;
    if (!nest) return;
    if (had && had->kind == LEVY_NODE_MAP)
        for (const levy_node *child = had->children; child; child = child->next)
            if (!respell_inner(r, nest, child)) respell_put_inner(r, levy_respell_node(r, child));
    if (!r->inner) return;
    respell_fixed(r, nest);
    if (had && had->kind == LEVY_NODE_SCALAR && r->n_inner == 1) { /* nothing is said of the rest */
        levy_respell_put(r, levy_respell_node(r, had));
        return;
    }
    levy_node *const map = levy_respell_map(r, had ? had : r->inner, r->inner, r->n_inner);
    if (!map) return;
    if (!had) {
        map->key = levy_respell_scalar(r, r->inner->key, nest->name);
        if (!map->key) return;
    }
    levy_respell_put(r, map);
}

/* ---- The whole ---- */

/* Whether a number stands in a map beside one child that is no count and no date of a schedule. */
static bool respell_has_level(respelling *r, const levy_node *map, const levy_node *but)
{
    const levy_node *as;
    for (const levy_node *child = map->children; child; child = child->next) {
        const levy_field *field = levy_reader_field(r->table, child->key->text);
        double value;
        if (!field && r->nest) field = levy_reader_field(r->nest->table, child->key->text);
        if (!field && r->nest) field = levy_respell_named(r, r->nest->table, child, &as);
        if (child == but || (field && (field->table == &levy_schedule_table ||
                                       strcmp(field->name, "initial_fixing") == 0)))
            continue;
        if (child->kind == LEVY_NODE_LIST) return true;
        if (child->kind == LEVY_NODE_MAP && respell_has_level(r, child, but)) return true;
        if (child->kind == LEVY_NODE_SCALAR &&
            (levy_number_read(child->text, child->length, &value) == LEVY_NUMBER_OK ||
             child->text[child->length - 1] == '%'))
            return true;
    }
    return false;
}

/* strike: 95% is one of strike_type percent_of_initial, where no other level is in the map. A
 * notional tells what such a payoff is a fraction of; a quantity is of the level itself. */
static bool respell_share(respelling *r, const levy_field *own, const levy_node *child)
{
    char decimal[LEVY_NUMBER_SIZE];
    if (!own || strcmp(own->name, "strike") != 0 || !levy_reader_field(r->table, "strike_type"))
        return false;
    if (!r->trail->map || !levy_node_find(r->trail->map, "notional")) return false;
    if (levy_node_find(r->map, "strike_type") || respell_has_level(r, r->map, child) ||
        !levy_example_percent(child, decimal))
        return false;
    levy_node *const type = levy_respell_scalar(r, child, "percent_of_initial");
    levy_respell_put(r,
                     levy_respell_pair(r, child, "strike", levy_respell_scalar(r, child, decimal)));
    if (type && (type->key = levy_respell_scalar(r, child->key, "strike_type")) != NULL)
        levy_respell_put(r, type);
    return r->changed = true;
}

/* basket: worst, of a kind that is on the worst anyway. */
static bool respell_is_idle(const respelling *r, const levy_field *own, const levy_node *child)
{
    const char *const kind = strchr(r->table->name, ' ');
    return !own && kind && levy_word_among(levy_payoff_table.on_worst, kind + 1) &&
           levy_word_among("basket basket_type aggregate aggregation", child->key->text) &&
           child->kind == LEVY_NODE_SCALAR && levy_word_among("worst worst_of", child->text);
}

/* A protection level is one of the last date: no date before it is watched, if none is given. */
static void respell_at_end(respelling *r, const levy_node *child)
{
    if (levy_node_find(r->map, "knock_in")) return;
    levy_node *const count = levy_respell_scalar(r, child, "1");
    levy_node *const map = levy_respell_map(r, child, count, 1);
    if (!count || !map) return;
    count->key = levy_respell_scalar(r, child->key, "count");
    map->key = levy_respell_scalar(r, child->key, "knock_in");
    if (count->key && map->key) levy_respell_put(r, map);
}

static void respell_child(respelling *r, const levy_node *child)
{
    const char *const key = child->key->text;
    const bool kind = strcmp(key, "kind") == 0;
    const levy_field *const own = levy_reader_field(r->table, key);
    const levy_node *as = own ? levy_respell_value(r, own, child) : NULL;
    const levy_field *field = NULL;
    if (kind || (r->nest && own == r->nest && child->kind == LEVY_NODE_MAP)) {
        if (kind) levy_respell_put(r, levy_respell_node(r, child));
        return; /* the other one in respell_close */
    }
    if (own && as) {
        r->changed = r->changed || as != child;
        levy_respell_put(r, levy_respell_pair(r, child, key, as));
        return;
    }
    field = levy_respell_named(r, r->table, child, &as);
    if (field) {
        r->changed = true;
        levy_respell_put(r, levy_respell_pair(r, child, field->name, as));
        if (levy_respell_how(field, key) == '@') respell_at_end(r, child);
        return;
    }
    if (r->nest && own == r->nest && respell_bare(r, own, child)) return;
    if (respell_barrier(r, r->table, child, levy_respell_put)) return;
    if (respell_share(r, own, child)) return;
    if (respell_is_idle(r, own, child)) {
        r->changed = true;
        return;
    }
    if (r->nest && own != r->nest && respell_inner(r, r->nest, child)) {
        r->changed = true;
        return;
    }
    levy_respell_put(r, levy_respell_node(r, child));
}

/* The map with former names of keys under the present ones. */
static const levy_node *respell_former(respelling *r)
{
    for (const levy_node *child = r->map->children; child && !r->failed; child = child->next) {
        const levy_field *field = r->table->fields;
        while (field->name && levy_respell_how(field, child->key->text) != '~') ++field;
        if (!field->name || levy_reader_field(r->table, child->key->text)) {
            levy_respell_put(r, levy_respell_node(r, child));
            continue;
        }
        levy_respell_put(r, levy_respell_pair(r, child, field->name, child));
        r->changed = true;
    }
    return levy_respell_made(r);
}

/* Whether messages may be about the map that was made of the words below a table that must have
 * one: it is right or was one, and nothing beside it should be in it. */
static bool respell_is_nested(const respelling *r, const levy_node *all)
{
    const levy_table *const nest = r->nest->table;
    const levy_node *const had = levy_node_find(r->map, r->nest->name);
    const levy_node *const below = levy_node_find(all, r->nest->name);
    for (const levy_node *child = all->children; child; child = child->next)
        if (strcmp(child->key->text, "kind") != 0 &&
            !levy_reader_field(r->table, child->key->text) &&
            (levy_reader_field(nest, child->key->text) ||
             levy_synonym_field(nest, child->key->text)))
            return false;
    return (had && had->kind == LEVY_NODE_MAP) ||
           (below && below->kind == LEVY_NODE_MAP && levy_respell_is_right(nest, below, false));
}

/* The map with what belongs into the one below it in there, or, where messages are about the file's
 * own words for that, with its other names alone. */
static const levy_node *respell_all(const respelling *former)
{
    respelling r = *former;
    r.nest = levy_respell_nest(r.table);
    for (int pass = 0; pass < 2; ++pass) {
        for (const levy_node *child = r.map->children; child && !r.failed; child = child->next)
            respell_child(&r, child);
        respell_close(&r);
        const levy_node *const all = levy_respell_made(&r);
        if (!r.nest || respell_is_nested(&r, all)) return all;
        r = *former;
    }
    return r.map;
}

const levy_node *levy_respell(const levy_reader *reader, const levy_table *table,
                              const levy_node *map, const levy_trail *trail)
{
    respelling former = {.reader = reader, .table = table, .map = map, .trail = trail};
    if (map->kind != LEVY_NODE_MAP || levy_respell_is_plain(table, map, true)) return map;
    respelling r = former;
    r.map = respell_former(&former);
    const levy_node *made = respell_all(&r);
    if ((r.lacks = levy_respell_lacks(table, made))) {
        r.map = map; /* former names, too, in the file's own words */
        made = respell_all(&r);
    }
    if (made != map) (void)levy_respell_refuse_twice(&former, table, made);
    return made;
}

/* ---- Columns ---- */

static bool respell_names_word(const levy_table *table, const char *word)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (strcmp(field->name, word) == 0 || levy_respell_how(field, word)) return true;
    return false;
}

bool levy_respell_takes(const char *path)
{
    static const char payoff[] = "payoff.";
    const size_t n = sizeof payoff - 1;
    if (strncmp(path, payoff, n) != 0) return levy_respell_trade_takes(path);
    const char *const word = path + n;
    if (levy_word_among(respell_barrier_keys, word) || levy_respell_trade_takes(word)) return true;
    for (const levy_variant *v = levy_payoff_table.variants; v && v->kind; ++v)
        for (const levy_field *field = v->table->fields; field && field->name; ++field)
            if (field->type == LEVY_FIELD_OBJECT && respell_names_word(field->table, word))
                return true;
    return false;
}
