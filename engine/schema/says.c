/* says.c: see says.h. Must not know: the meaning of any key. */
#include "engine/schema/says.h"

#include "engine/schema/example.h"
#include "engine/schema/hints.h"
#include "engine/schema/marks.h"
#include "engine/schema/synonyms.h"

#include <string.h>

/* The choice that a word spells, in whatever letters. NULL: none. */
static const char *says_choice(const levy_field *field, const char *word)
{
    for (size_t i = 0; field->choices[i]; ++i)
        if (!strchr(field->choices[i], '=') && levy_synonym_is_spelling(field->choices[i], word))
            return field->choices[i];
    return NULL;
}

/* The map that a word stands for where the field's map is due. NULL: none. */
static const char *says_map(const levy_field *field, const char *word)
{
    const levy_synonym *s = field->type == LEVY_FIELD_OBJECT ? field->table->synonyms : NULL;
    for (; s && s->word; ++s)
        if (levy_synonym_is_spelling(s->word, word)) return s->map;
    return NULL;
}

/* "direction: down, knock: in", each key with the mark. */
static const char *says_marked(const levy_reader *reader, const char *pairs, char mark)
{
    const char *text = "";
    levy_example_pair pair;
    while (text && levy_example_next(&pairs, &pair))
        text = levy_arena_format(reader->arena, "%s%s%c%.*s", text, *text ? ", " : "", mark,
                                 (int)(pair.value + pair.length - pair.text), pair.text);
    return text;
}

const char *levy_says(const levy_reader *reader, const levy_table *table, const levy_node *node)
{
    if (!node || node->kind != LEVY_NODE_SCALAR || node->length == 0) return NULL;
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const bool choice = field->type == LEVY_FIELD_CHOICE;
        const char *const pairs = choice ? levy_synonym_value(field, node->text) : NULL;
        if (pairs) return says_marked(reader, pairs, LEVY_MARK_OWN);
        const char *value = choice ? says_choice(field, node->text) : NULL;
        if (!value) value = says_map(field, node->text);
        if (!value) continue;
        if (*value == '{')
            return levy_arena_format(reader->arena, "%s: {%c%s", field->name, LEVY_MARK_OWN,
                                     value + 1);
        return levy_arena_format(reader->arena, "%c%s: %s", LEVY_MARK_OWN, field->name, value);
    }
    return NULL;
}

/* The map with one key as `pair` has it. */
static const char *says_put(const levy_reader *reader, const char *map,
                            const levy_example_pair *pair)
{
    const char *value;
    size_t n;
    const size_t length = (size_t)(pair->value + pair->length - pair->text);
    const char *const key = levy_arena_format(reader->arena, "%.*s", (int)pair->name, pair->key);
    if (!key) return NULL;
    if (!levy_example_value(map, key, &value, &n)) {
        const size_t inner = strlen(map) - 1;
        return levy_arena_format(reader->arena, "%.*s%s%.*s}", (int)inner, map,
                                 inner > 1 ? ", " : "", (int)length, pair->text);
    }
    const char *start = value - strlen(key) - 2;
    start -= levy_mark_is(start[-1]);
    return levy_arena_format(reader->arena, "%.*s%.*s%s", (int)(start - map), map, (int)length,
                             pair->text, value + n);
}

const char *levy_says_put_pairs(const levy_reader *reader, const char *map, const char *pairs)
{
    levy_example_pair pair;
    while (map && pairs && levy_example_next(&pairs, &pair)) map = says_put(reader, map, &pair);
    return map;
}

const char *levy_says_put(const levy_reader *reader, const levy_table *table, const char *map,
                          const levy_node *node)
{
    return levy_says_put_pairs(reader, map, levy_says(reader, table, node));
}

/* Whether a field takes one word alone, which is then nobody's choice. */
static bool says_is_only(const levy_field *field)
{
    size_t n = 0;
    for (size_t i = 0; field && field->choices && field->choices[i]; ++i)
        n += !strchr(field->choices[i], '=');
    return n == 1;
}

const char *levy_says_examples(const levy_reader *reader, const levy_table *table, const char *map)
{
    const char *text = "{";
    levy_example_pair pair;
    for (const char *at = map + 1; text && levy_example_next(&at, &pair);) {
        const bool known = pair.key > pair.text;
        const char *const key = levy_arena_format(reader->arena, "%.*s", (int)pair.name, pair.key);
        const levy_field *const field = key ? levy_example_field(table, key) : NULL;
        const bool kind = strncmp(pair.key, "kind:", 5) == 0 || says_is_only(field);
        const char *piece = levy_arena_format(reader->arena, "%.*s", (int)pair.length, pair.value);
        if (piece && *piece == '{' && !known)
            piece = levy_says_examples(reader, field && field->table ? field->table : table, piece);
        if (!piece) return NULL;
        const char mark[] = {LEVY_MARK_EXAMPLE, '\0'};
        const bool bare = *piece != '{' && !known && !kind;
        const char *const comma = text[1] ? ", " : "";
        text = levy_arena_format(reader->arena, "%s%s%s%.*s%s", text, comma, mark + !bare,
                                 (int)(pair.value - pair.text), pair.text, piece);
    }
    return text ? levy_arena_format(reader->arena, "%s}", text) : NULL;
}

/* Whether the text has the value between blanks, brackets and commas. */
static bool says_has(const char *text, const char *value, size_t length)
{
    for (const char *at = text; length > 0 && (at = strstr(at, value)) != NULL; ++at)
        if (at > text && strchr(" [{", at[-1]) && strchr(",]}.", at[length])) return true;
    return false;
}

/* The text without marks. */
static char *says_plain(const levy_reader *reader, const char *text)
{
    char *const plain = levy_arena_allocate(reader->arena, strlen(text) + 1, 1), *to = plain;
    for (const char *at = text; plain && *at; ++at)
        if (!levy_mark_is(*at)) *to++ = *at;
    return plain;
}

/* Whether the text has all that a word says of the table. */
static bool says_told(const levy_reader *reader, const levy_table *table, const char *text,
                      const levy_node *node)
{
    const char *const pairs = levy_says(reader, table, node),
                      *at = pairs ? says_plain(reader, pairs) : NULL;
    text = says_plain(reader, text);
    if (!at || !text) return false;
    for (levy_example_pair pair; levy_example_next(&at, &pair);) {
        const int length = (int)(pair.value + pair.length - pair.text);
        const char *const own = levy_arena_format(reader->arena, "%.*s", length, pair.text);
        if (!own || !strstr(text, own)) return false;
    }
    return true;
}

/* Whether the text has what a word says of the table, or of one below it. */
static bool says_knows(const levy_reader *reader, const levy_table *table, const char *text,
                       const levy_node *node)
{
    if (!table) return false;
    if (says_told(reader, table, text, node)) return true;
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (field->type == LEVY_FIELD_OBJECT && says_told(reader, field->table, text, node))
            return true;
    return false;
}

/* Of a list the whole, if the text has not all its items. */
static const char *says_list_left(const levy_reader *reader, const char *text,
                                  const levy_node *list)
{
    const levy_node *item = list->children;
    const char *const all = levy_hint_list(reader, list);
    while (all && item && says_has(text, item->text, item->length)) item = item->next;
    return !all || !item ? text
                         : levy_arena_format(reader->arena, "%s%c%s%c", text, LEVY_MARK_LEFT, all,
                                             LEVY_MARK_LEFT);
}

const char *levy_says_left(const levy_reader *reader, const levy_table *table, const char *text,
                           const levy_node *node)
{
    char decimal[LEVY_NUMBER_SIZE];
    levy_tenor tenor;
    if (!text || strchr(text, LEVY_MARK_LEFT)) return text;
    if (node->kind == LEVY_NODE_LIST) return says_list_left(reader, text, node);
    if (node->kind != LEVY_NODE_SCALAR || node->length == 0) return text;
    if (strpbrk(node->text, ",:{}[]\n")) return text;
    bool said = says_has(text, node->text, node->length) || says_knows(reader, table, text, node);
    if (levy_example_percent(node, decimal)) said |= says_has(text, decimal, strlen(decimal));
    if (levy_tenor_read(node->text, node->length, &tenor)) {
        levy_number_write(levy_example_tenor(&tenor), decimal);
        said |= says_has(text, decimal, strlen(decimal));
    }
    return said ? text
                : levy_arena_format(reader->arena, "%s%c%s%c", text, LEVY_MARK_LEFT, node->text,
                                    LEVY_MARK_LEFT);
}
