/* elsewhere.c: where a key belongs that its table does not have (synonyms.h). A hint that leads to
 * the wrong place is worse than none, so names alone are not enough: the value must fit there. Must
 * not know: the meaning of any key. */
#include "engine/schema/synonyms.h"

#include "engine/schema/example.h"
#include "engine/schema/hints.h"

#include <stdio.h>
#include <string.h>

enum { ELSEWHERE_DEPTH = 6, ELSEWHERE_PATH = 160, ELSEWHERE_KINDS = 4 };

typedef struct elsewhere {
    const levy_reader *reader;
    const levy_table *table; /* which does not have the key */
    const levy_node *map, *child;
    const char *key;
    const levy_trail *trail; /* of the map */
} elsewhere;

/* ---- Whether a value fits ---- */

static bool elsewhere_fits_item(const levy_field *field, const levy_node *item)
{
    levy_field one = *field;
    one.type = field->element;
    return levy_example_fits(&one, item) ||
           (one.type == LEVY_FIELD_OBJECT && item->kind == LEVY_NODE_MAP);
}

static bool elsewhere_fits_map(const levy_table *table, const levy_node *map)
{
    if (!map->children) return false;
    const char *const key = map->children->key->text;
    return table->variants ? levy_node_find(map, "kind") != NULL
                           : levy_example_field(table, key) != NULL;
}

static bool elsewhere_fits_number(const levy_field *field, const levy_node *node)
{
    static const levy_node number = {.kind = LEVY_NODE_SCALAR, .text = "0.5", .length = 3};
    char decimal[LEVY_NUMBER_SIZE];
    return levy_example_fits(field, &number) && levy_example_percent(node, decimal);
}

static bool elsewhere_fits(const levy_field *field, const levy_node *node)
{
    const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    if (node->kind == LEVY_NODE_MAP && nested) return elsewhere_fits_map(field->table, node);
    if (node->kind == LEVY_NODE_LIST && field->type == LEVY_FIELD_LIST)
        return node->count == 0 || elsewhere_fits_item(field, node->children);
    if (node->kind != LEVY_NODE_SCALAR) return levy_hint_takes_shape(field, node);
    return levy_example_fits(field, node) || elsewhere_fits_number(field, node) ||
           levy_synonym_value(field, node->text);
}

/* ---- What to write there ---- */

/* Where the map that a key belongs into has it already, the writer says which one holds. */
static const char *elsewhere_twice(const elsewhere *e, const char *begin, const levy_node *there,
                                   const char *key)
{
    const levy_node *const own =
        there && there->kind == LEVY_NODE_MAP ? levy_node_find(there, key) : NULL;
    return own ? levy_arena_format(e->reader->arena,
                                   "%s, which has '%s' on line %u, column %u. Keep one of the two.",
                                   begin, key, (unsigned)own->key->place.line,
                                   (unsigned)own->key->place.column)
               : NULL;
}

/* "Begin: write key: value." Lists and maps are not written out: they stay as they are. there: the
 * map; NULL: there is none. */
static const char *elsewhere_say(const elsewhere *e, const char *begin, const levy_node *there,
                                 const levy_table *table, const levy_field *field)
{
    const char *const twice = elsewhere_twice(e, begin, there, field->name);
    if (twice) return twice;
    const bool scalar = e->child->kind == LEVY_NODE_SCALAR;
    const char *line = scalar ? levy_synonym_value(field, e->child->text) : NULL;
    if (scalar && !line) line = levy_example_line(e->reader, table, field, e->child);
    const char *const map = line && levy_hint_nests(field) ? strchr(line, '{') : NULL;
    if (map)
        line = levy_arena_format(e->reader->arena, "%.*s%s", (int)(map - line), line,
                                 levy_hint_silent(e->reader, field->table, map, e->map, there));
    if (!scalar && strcmp(field->name, e->key) != 0)
        line = levy_arena_format(e->reader->arena, "%s in place of %s", field->name, e->key);
    return levy_arena_format(e->reader->arena, "%s%s%s.", begin, line ? ": write " : "",
                             line ? line : "");
}

/* The field with the key's name, or with the key among its words, if the value fits. */
static const levy_field *elsewhere_field(const elsewhere *e, const levy_table *table, bool words)
{
    const levy_field *const field =
        words ? levy_synonym_field(table, e->key) : levy_example_field(table, e->key);
    return field && elsewhere_fits(field, e->child) ? field : NULL;
}

/* ---- A choice: people write `type` for any ---- */

static bool elsewhere_is_choice(const levy_field *field, const levy_node *node)
{
    if (field->type == LEVY_FIELD_CHOICE) return levy_example_fits(field, node);
    const bool bare = field->type == LEVY_FIELD_OBJECT && field->table->shorthand_key;
    const levy_field *const own =
        bare ? levy_example_field(field->table, field->table->shorthand_key) : NULL;
    return own && own->type == LEVY_FIELD_CHOICE && levy_example_fits(own, node);
}

static bool elsewhere_is_kind(const levy_field *field, const levy_node *node)
{
    if (field->type != LEVY_FIELD_VARIANT) return false;
    for (const levy_variant *v = field->table->variants; v && v->kind; ++v)
        if (strcmp(v->kind, node->text) == 0) return true;
    return false;
}

static const char *elsewhere_choice(const elsewhere *e)
{
    static const char *const words[] = {"type", "kind", "method"};
    bool any = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        any = any || strcmp(e->key, words[i]) == 0;
    if (!any || e->child->kind != LEVY_NODE_SCALAR || e->child->length == 0) return NULL;
    const char *const text = e->child->text;
    for (const levy_field *field = e->table->fields; field && field->name; ++field) {
        if (elsewhere_is_choice(field, e->child))
            return levy_arena_format(e->reader->arena, "Write %s: %s.", field->name, text);
        if (elsewhere_is_kind(field, e->child))
            return levy_arena_format(e->reader->arena, "It belongs under %s: write kind: %s.",
                                     field->name, text);
    }
    return NULL;
}

/* ---- Below ---- */

/* "factor: USD.rate, size: 0.01": the keys of the map that the table has and e->table has not.
 * NULL: one that it requires is missing, or a value is no scalar that fits. */
static const char *elsewhere_gather(const elsewhere *e, const levy_table *table)
{
    const char *text = "";
    for (const levy_field *field = table->fields; text && field && field->name; ++field) {
        const bool own = levy_example_field(e->table, field->name) != NULL;
        const levy_node *const node = own ? NULL : levy_node_find(e->map, field->name);
        if (!node && field->flags & LEVY_REQUIRED) return NULL;
        if (!node) continue;
        if (node->kind != LEVY_NODE_SCALAR || !elsewhere_fits(field, node)) return NULL;
        text = levy_arena_format(e->reader->arena, "%s%s%s: %s", text, *text ? ", " : "",
                                 field->name, node->text);
    }
    return text && *text ? text : NULL;
}

/* All such keys of the map as an item of a list. */
static const char *elsewhere_item(const elsewhere *e, const levy_field *list)
{
    if (list->type != LEVY_FIELD_LIST || list->element != LEVY_FIELD_OBJECT) return NULL;
    if (!elsewhere_field(e, list->table, false)) return NULL;
    const char *const item = elsewhere_gather(e, list->table);
    if (!item) return NULL;
    return levy_arena_format(e->reader->arena, "It belongs under %s: write %s: [{%s}].", list->name,
                             list->name, item);
}

/* "barrier: {direction: down, knock: in, level: 80}", if the key is the table's, or one of a map in
 * it whose values people tell in other keys. */
static const char *elsewhere_nested(const elsewhere *e, const char *begin, const levy_node *there,
                                    const levy_table *table)
{
    for (const levy_field *of = table->fields; of && of->name; ++of) {
        bool whole = true;
        if (!levy_hint_nests(of)) continue;
        if (strcmp(of->name, e->key) != 0 && !elsewhere_field(e, of->table, false)) continue;
        const char *const twice = elsewhere_twice(e, begin, there, of->name);
        if (twice) return twice;
        const char *map =
            levy_hint_nested(e->reader, table, of, of->table->example, e->map, &whole);
        map = levy_hint_silent(e->reader, of->table, map, e->map, there);
        return map ? levy_arena_format(e->reader->arena, "%s: write %s: %s.", begin, of->name, map)
                   : NULL;
    }
    return NULL;
}

/* In the kind that the map has under the field, or, where it has none, in the first that fits. */
static const char *elsewhere_variant(const elsewhere *e, const levy_field *of, bool words)
{
    const levy_node *const value = levy_node_find(e->map, of->name);
    const levy_node *const kind = value ? levy_node_find(value, "kind") : NULL;
    const char *example;
    const levy_variant *const named =
        kind || words ? NULL : levy_synonym_named(of->table, e->map, &example);
    for (const levy_variant *v = of->table->variants; v && v->kind; ++v) {
        if (named && v != named) continue;
        if (kind && (kind->kind != LEVY_NODE_SCALAR || strcmp(kind->text, v->kind) != 0)) continue;
        const levy_field *const field =
            named ? levy_example_field(v->table, e->key) : elsewhere_field(e, v->table, words);
        const char *const begin =
            kind || named ? levy_arena_format(e->reader->arena, "It belongs under %s", of->name)
                          : levy_arena_format(e->reader->arena, "It belongs under %s of kind %s",
                                              of->name, v->kind);
        if (field && begin) return elsewhere_say(e, begin, value, v->table, field);
        const char *const nested =
            kind && begin ? elsewhere_nested(e, begin, value, v->table) : NULL;
        if (nested) return nested;
    }
    return NULL;
}

static const char *elsewhere_below(const elsewhere *e, bool words)
{
    for (const levy_field *of = e->table->fields; of && of->name; ++of) {
        if (!of->table) continue;
        const char *hint = words ? NULL : elsewhere_item(e, of);
        if (!hint && of->table->variants && of->type == LEVY_FIELD_VARIANT)
            hint = elsewhere_variant(e, of, words);
        if (hint) return hint;
        const levy_field *const field = elsewhere_field(e, of->table, words);
        const char *const begin =
            levy_arena_format(e->reader->arena, "It belongs under %s%s", of->name,
                              of->type == LEVY_FIELD_MAP ? ".NAME" : "");
        if (field && begin)
            return elsewhere_say(e, begin, levy_node_find(e->map, of->name), of->table, field);
    }
    return NULL;
}

/* ---- Beside, above, anywhere: by a walk through all tables ---- */

typedef struct elsewhere_walk elsewhere_walk;
/* With the path to the table, the field and the table that it is under. */
typedef void elsewhere_visit(elsewhere_walk *walk, const levy_table *table, const char *path,
                             const levy_field *of, const levy_table *above);
struct elsewhere_walk {
    const elsewhere *e;
    bool words;
    const char *hint;
    elsewhere_visit *visit;
};

static void elsewhere_go(elsewhere_walk *walk, const levy_table *table, const char *path, int depth)
{
    for (const levy_field *of = table->fields; of && of->name && !walk->hint; ++of) {
        char below[ELSEWHERE_PATH];
        if (!of->table || depth > ELSEWHERE_DEPTH) continue;
        const int n = snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", of->name);
        if (n < 0 || (size_t)n >= sizeof below) continue;
        walk->visit(walk, of->table, below, of, table);
        if (!walk->hint) elsewhere_go(walk, of->table, below, depth + 1);
    }
    for (const levy_variant *v = table->variants; v && v->kind && !walk->hint; ++v)
        elsewhere_go(walk, v->table, path, depth);
}

static bool elsewhere_has_variant(const levy_table *table, const levy_table *variant)
{
    for (const levy_variant *v = table->variants; v && v->kind; ++v)
        if (v->table == variant) return true;
    return false;
}

/* Other kinds of the same table. */
static void elsewhere_beside(elsewhere_walk *walk, const levy_table *table, const char *path,
                             const levy_field *of, const levy_table *above)
{
    (void)path;
    (void)of;
    (void)above;
    const elsewhere *const e = walk->e;
    const char *kinds = "";
    size_t n = 0;
    if (!elsewhere_has_variant(table, e->table)) return;
    for (const levy_variant *v = table->variants; v->kind && kinds; ++v) {
        if (!levy_example_field(v->table, e->key)) continue;
        kinds = levy_arena_format(e->reader->arena, "%s%s%s", kinds, n > 0 ? ", " : "", v->kind);
        ++n;
    }
    if (!kinds || n == 0) return;
    walk->hint = n > ELSEWHERE_KINDS
                     ? "It is a key of other kinds, not of this one."
                     : levy_arena_format(e->reader->arena, "It is a key of %s %s, not of this one.",
                                         n > 1 ? "the kinds" : "the kind", kinds);
}

/* Where the table above stands; the book stands at the top. */
static void elsewhere_above(elsewhere_walk *walk, const levy_table *table, const char *path,
                            const levy_field *of, const levy_table *above)
{
    const elsewhere *const e = walk->e;
    (void)path;
    if (table != e->table && !elsewhere_has_variant(table, e->table)) return;
    const levy_field *const field = elsewhere_field(e, above, walk->words);
    if (!field || above == &levy_book_table) return; /* elsewhere_book */
    const levy_trail *at = e->trail;
    while (at && (!at->key || strcmp(at->key, of->name) != 0)) at = at->parent;
    if (!at || !at->parent) return;
    char place[LEVY_TRAIL_SIZE];
    levy_trail_write(at->parent, place);
    const char *const begin = levy_arena_format(e->reader->arena, "It belongs under %s", place);
    if (begin) walk->hint = elsewhere_say(e, begin, at->map, above, field);
}

/* A name that people know by several words belongs to one table alone; a name or a text would fit
 * anything. */
static void elsewhere_any(elsewhere_walk *walk, const levy_table *table, const char *path,
                          const levy_field *of, const levy_table *above)
{
    const elsewhere *const e = walk->e;
    (void)above;
    for (const levy_variant *v = table->variants; v && v->kind && !walk->hint; ++v) {
        const levy_field *const field = elsewhere_field(e, v->table, false);
        if (!field || !field->also || field->type <= LEVY_FIELD_NAME) continue;
        const char *const begin =
            levy_arena_format(e->reader->arena, "It belongs under %s of kind %s", path, v->kind);
        if (begin) walk->hint = elsewhere_say(e, begin, NULL, v->table, field);
    }
    const levy_field *const field = elsewhere_field(e, table, false);
    if (walk->hint || !field || !field->also || field->type <= LEVY_FIELD_NAME) return;
    const char *const name = of->type == LEVY_FIELD_MAP ? ".NAME" : "";
    const char *const begin =
        levy_arena_format(e->reader->arena, "It belongs under %s%s", path, name);
    if (begin) walk->hint = elsewhere_say(e, begin, NULL, table, field);
}

/* A word that ends in a field's name, such as past_fixings. */
static void elsewhere_ending(elsewhere_walk *walk, const levy_table *table, const char *path,
                             const levy_field *of, const levy_table *above)
{
    const elsewhere *const e = walk->e;
    const levy_field *const field = levy_synonym_field(table, e->key);
    const char *const end = strrchr(e->key, '_');
    (void)of;
    (void)above;
    if (!field || !end || strcmp(end + 1, field->name) != 0 || field->type <= LEVY_FIELD_NAME)
        return;
    const char *const begin =
        levy_arena_format(e->reader->arena, "It belongs under %s: write %s", path,
                          levy_example_line(e->reader, table, field, e->child));
    if (begin) walk->hint = levy_arena_format(e->reader->arena, "%s.", begin);
}

static const char *elsewhere_walked(const elsewhere *e, bool words, elsewhere_visit *visit)
{
    elsewhere_walk walk = {.e = e, .words = words, .visit = visit};
    elsewhere_go(&walk, &levy_book_table, "", 0);
    return walk.hint;
}

static const char *elsewhere_book(const elsewhere *e)
{
    const levy_field *const field = elsewhere_field(e, &levy_book_table, false);
    const char *const own = e->trail->key;
    const bool top = !e->trail->parent && own && !*own; /* of a file, and not of a book */
    if (!field || top) return NULL;
    return elsewhere_say(e, "It is a key of the book, at the top of the file", NULL,
                         &levy_book_table, field);
}

const char *levy_synonym_elsewhere(const levy_reader *reader, const levy_table *table,
                                   const levy_node *map, const levy_node *child, const char *word,
                                   const levy_trail *trail)
{
    const elsewhere e = {reader, table, map, child, word, trail};
    const char *hint = elsewhere_choice(&e);
    for (int words = 0; words < 2 && !hint; ++words) {
        hint = elsewhere_below(&e, words);
        if (!hint && !words) hint = elsewhere_walked(&e, false, elsewhere_beside);
        if (!hint) hint = elsewhere_walked(&e, words, elsewhere_above);
        if (!hint && !words) hint = elsewhere_book(&e);
    }
    if (!hint) hint = elsewhere_walked(&e, false, elsewhere_any);
    if (!hint) hint = elsewhere_walked(&e, true, elsewhere_ending);
    return hint;
}

bool levy_synonym_is_told(const levy_reader *reader, const levy_table *table, const levy_node *map,
                          const levy_node *before, const levy_node *child)
{
    const elsewhere e = {reader, table, map, child, child->key->text, NULL};
    for (const levy_field *of = table->fields; of && of->name; ++of) {
        const bool both = of->table && levy_example_field(of->table, before->key->text) &&
                          levy_example_field(of->table, child->key->text);
        if (both && elsewhere_item(&e, of)) return true;
    }
    return false;
}
