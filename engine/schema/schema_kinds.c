/* schema_kinds.c: which kind a map is of, and what to write in place of what is no map or no kind.
 * See schema_parts.h. Must not know: any key's meaning. */
#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"
#include "engine/schema/marks.h"
#include "engine/schema/says.h"
#include "engine/schema/schema_parts.h"
#include "engine/schema/synonyms.h"

#include <string.h>
#include <strings.h>

const levy_field *levy_schema_shorthand(const levy_table *table, const char *key,
                                        const levy_node *node)
{
    const levy_field *field =
        key && node->kind != LEVY_NODE_MAP ? levy_reader_field(table, key) : NULL;
    if (!field || (node->kind == LEVY_NODE_SCALAR && node->length == 0 && !node->quoted))
        return NULL;
    const bool takes_list = field->type == LEVY_FIELD_LIST || field->type == LEVY_FIELD_MATRIX ||
                            field->type == LEVY_FIELD_TIME_VALUES;
    return takes_list == (node->kind == LEVY_NODE_LIST) ? field : NULL;
}

static int schema_find_kind(const levy_table *table, const char *kind)
{
    for (int i = 0; table->variants[i].kind; ++i)
        if (strcmp(table->variants[i].kind, kind) == 0) return i;
    return -1;
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

static const char *schema_two_things(const levy_reader *reader, const char *word,
                                     const levy_node *against)
{
    return levy_arena_format(reader->arena, "'%s' and '%s: %s' say two things: keep one of them.",
                             word, against->key->text, against->text);
}

/* The style that a word for a kind begins with: american, american_put. NULL: none. */
static const char *schema_style(const levy_reader *reader, const levy_node *word)
{
    if (word->kind != LEVY_NODE_SCALAR) return NULL;
    const size_t n = strcspn(word->text, " _-");
    const char *const rest = word->text + n + (word->text[n] != '\0');
    const char *const style = levy_arena_format(reader->arena, "%.*s", (int)n, word->text);
    const bool option = !*rest || strcasecmp(rest, "call") == 0 || strcasecmp(rest, "put") == 0 ||
                        strcasecmp(rest, "option") == 0;
    return style && option ? levy_catalog_early(style) : NULL;
}

/* The option whose owner may exercise it early, in place of a kind that names the style. */
static const char *schema_style_hint(const levy_reader *reader, const levy_table *table,
                                     const levy_node *node, const levy_node *word)
{
    const bool call = schema_has_word(word->text, "call"),
               said = call || schema_has_word(word->text, "put") ||
                      levy_node_find(node, "option_type");
    const char mark = said ? LEVY_MARK_OWN : LEVY_MARK_EXAMPLE;
    const char *const option =
        levy_arena_format(reader->arena, "{kind: european, %coption_type: %s, strike: 100}", mark,
                          call ? "call" : "put");
    if (!option) return NULL;
    const int at = schema_find_kind(table, "european");
    const levy_node *const against = schema_against(word->text, node);
    if (against) return schema_two_things(reader, word->text, against);
    const char *const filled =
        at < 0 ? NULL : levy_hint_whole(reader, table->variants[at].table, option, node, NULL);
    return levy_arena_format(reader->arena,
                             "Write payoff: %s, exercise: {style: %s}. Its expiry belongs there "
                             "too.",
                             filled ? filled : option, schema_style(reader, word));
}

/* The map of a key with what a bare value says, and what the map that has the key says of it. */
static const char *schema_bare_map(const levy_reader *reader, const levy_table *table,
                                   const levy_node *node, const levy_trail *trail)
{
    bool said = false, whole = true;
    const levy_field *const field =
        trail->table && trail->map ? levy_example_field(trail->table, trail->key) : NULL;
    const bool nests =
        field && levy_hint_nests(field) &&
        (node->kind == LEVY_NODE_SCALAR || levy_hint_levels(reader, table, "{}", node));
    const char *text =
        nests ? levy_hint_nested(reader, trail->table, field, table->example, trail->map, &whole)
              : levy_example_with(reader, table, node, &said);
    if (nests) text = levy_hint_silent(reader, table, text, trail->map, NULL);
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

void levy_schema_refuse_object(const levy_reader *reader, const levy_table *table,
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
    if (table->variants && schema_style(reader, node))
        hint = schema_style_hint(reader, table, node, node);
    if (node->kind == LEVY_NODE_LIST && (maps || !example || !trail->parent))
        hint = "Write 'key: value' lines without '- ', or {key: value}.";
    else if (node->kind == LEVY_NODE_SCALAR && strchr(node->text, ':'))
        hint = "Put a space after the colon: 'key: value'.";
    levy_schema_refuse_shape(&(levy_spot){reader, node, trail}, "a map", hint);
}

/* The kind that a word stands for, or its map with the values of the node, if that has not all of
 * its keys. */
static const char *schema_kind_hint(const levy_reader *reader, const levy_table *table,
                                    const levy_node *node, const char *word)
{
    const char *example;
    bool whole = true;
    const levy_node *const against = schema_against(word, node);
    if (against) return schema_two_things(reader, word, against);
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
        if (schema_style(reader, type))
            hint = schema_style_hint(reader, table, node, type);
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
        levy_schema_refuse_key(reader, NULL, kind_only, node, child, trail);
        return;
    }
    const char *const shape =
        node->children ? levy_hint_shape(reader, table, node->children, trail) : NULL;
    levy_schema_refuse_missing(reader, node, trail, "kind",
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
    const char *const style = schema_style(reader, kind);
    if (style) {
        levy_reader_fault(reader, LEVY_REASON_UNKNOWN_NAME, &kind->place, &trail,
                          schema_style_hint(reader, table, node, kind),
                          "unknown kind %s; %s is a style of exercise", shown,
                          levy_schema_early(kind) ? "it" : style);
        return;
    }
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

int levy_schema_choose_variant(const levy_reader *reader, const levy_table *table,
                               const levy_node *node, const levy_trail *trail,
                               const levy_variant **chosen)
{
    const char *kinds[LEVY_SCHEMA_KEYS + 1];
    size_t n = 0;
    for (; table->variants[n].kind && n < LEVY_SCHEMA_KEYS; ++n) kinds[n] = table->variants[n].kind;
    for (const levy_variant *v = schema_more_kinds(reader, table); v->kind && n < LEVY_SCHEMA_KEYS;
         ++v)
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
    if (index >= 0 &&
        levy_schema_shorthand(table->variants[index].table, table->shorthand_key, node)) {
        *chosen = &table->variants[index];
        return index;
    }
    levy_schema_refuse_object(reader, table, node, trail);
    return -1;
}
