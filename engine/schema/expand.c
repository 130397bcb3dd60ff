/* expand.c: see expand.h. Must not know: the meaning of any key. */
#include "engine/schema/expand.h"

#include "engine/schema/example.h"

#include <stdio.h>
#include <string.h>

enum { EXPAND_WIDTH = 100, EXPAND_COMMENT = 34, EXPAND_TEXT = LEVY_EXPAND_SIZE, EXPAND_LINE = 512 };

/* ---- Lines ---- */

/* The first sentence of a text. Returns its length without the full stop, which a capital letter or
 * the end of the text follows: "k = 1 .. count" goes on. */
static size_t expand_sentence(const char *text)
{
    size_t n = 0;
    while (text[n] &&
           !(text[n] == '.' && (text[n + 1] == '\0' ||
                                (text[n + 1] == ' ' && text[n + 2] >= 'A' && text[n + 2] <= 'Z'))))
        ++n;
    return n;
}

void levy_expand_comment(levy_text_out *out, size_t indent, const char *text, size_t length)
{
    const char *const end = text + length;
    while (text < end) {
        size_t column = indent + 1;
        levy_text_put_spaces(out, indent);
        levy_text_put(out, "#");
        while (text < end) {
            size_t n = 0;
            while (text + n < end && text[n] != ' ') ++n;
            if (column > indent + 1 && column + 1 + n > EXPAND_WIDTH) break;
            levy_text_put(out, " ");
            levy_text_put_bytes(out, text, n);
            column += n + 1;
            text += n;
            text += text < end;
        }
        levy_text_put(out, "\n");
    }
}

/* A line with the first sentence of what it means behind it, or above it where there is no room. */
static void expand_line(levy_text_out *out, size_t indent, const char *line, const char *meaning)
{
    const size_t length = strlen(line), end = indent + length + 2,
                 column = end > EXPAND_COMMENT ? end : EXPAND_COMMENT;
    const size_t sentence = meaning ? expand_sentence(meaning) : 0;
    const bool beside = sentence > 0 && column + 2 + sentence <= EXPAND_WIDTH;
    const size_t dash = strncmp(line, "- ", 2) == 0 ? 2 : 0;
    if (sentence > 0 && !beside) levy_expand_comment(out, indent + dash, meaning, sentence);
    levy_text_put_spaces(out, indent);
    levy_text_put(out, line);
    if (beside) {
        levy_text_put_spaces(out, column - indent - length);
        levy_text_put(out, "# ");
        levy_text_put_bytes(out, meaning, sentence);
    }
    levy_text_put(out, "\n");
}

/* ---- Maps ---- */

static void expand_copy(char to[EXPAND_TEXT], const char *text, size_t length)
{
    if (length >= EXPAND_TEXT) length = EXPAND_TEXT - 1;
    memcpy(to, text, length);
    to[length] = '\0';
}

typedef struct expand_place {
    size_t indent;
    bool first;                   /* of an item of a list: its line begins with "- " */
    bool optional;                /* also show the keys that the example does not have */
    const levy_more_kinds *kinds; /* that files define; NULL: none */
} expand_place;

static void expand_map(levy_text_out *out, const levy_table *table, const char *example,
                       expand_place place);

static const levy_table *expand_variant(const levy_table *table, const levy_more_kinds *kinds,
                                        const char *example)
{
    const char *kind;
    size_t length;
    const bool more = kinds && kinds->of == table && kinds->variants;
    if (!table->variants) return table;
    if (!levy_example_value(example, "kind", &kind, &length)) return NULL;
    for (const levy_variant *v = table->variants; v->kind; ++v)
        if (strlen(v->kind) == length && strncmp(v->kind, kind, length) == 0) return v->table;
    for (const levy_variant *v = more ? kinds->variants : NULL; v && v->kind; ++v)
        if (strlen(v->kind) == length && strncmp(v->kind, kind, length) == 0) return v->table;
    return NULL;
}

/* "key: value" with its meaning, after "- " where it begins an item. */
static void expand_key(levy_text_out *out, expand_place *place, const char *key, const char *value,
                       const char *meaning)
{
    char line[EXPAND_LINE];
    const char *const blank = *value ? " " : "";
    snprintf(line, sizeof line, "%s%s:%s%s", place->first ? "- " : "", key, blank, value);
    expand_line(out, place->indent - (place->first ? 2 : 0), line, meaning);
    place->first = false;
}

/* Whether a map has a map for each of its keys that is worth a line for each key of its own. */
static bool expand_opens(const levy_field *field, const char *value)
{
    const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    return (nested || field->type == LEVY_FIELD_MAP) && value[0] == '{' && value[1] != '}';
}

/* The items of a map by name. Only the first is written key by key, with what its keys mean. */
static void expand_names(levy_text_out *out, const levy_table *table, const char *example,
                         expand_place place)
{
    char text[EXPAND_TEXT];
    bool first = true;
    levy_example_pair pair;
    for (const char *at = example + 1; levy_example_next(&at, &pair); first = false) {
        char name[EXPAND_LINE];
        snprintf(name, sizeof name, "%.*s", (int)pair.name, pair.key);
        expand_copy(text, pair.value, pair.length);
        const bool opens = first && text[0] == '{' && expand_variant(table, place.kinds, text);
        const char *const meaning = first ? table->doc : NULL;
        expand_key(out, &place, name, opens ? "" : text, meaning);
        if (opens)
            expand_map(out, table, text,
                       (expand_place){place.indent + 2, false, true, place.kinds});
    }
}

/* The maps of a list. Only the first shows the keys that may be added. */
static void expand_items(levy_text_out *out, const levy_table *table, const char *list,
                         expand_place place)
{
    char text[EXPAND_TEXT];
    bool first = true;
    for (const char *at = list + 1; *at && *at != ']'; first = false) {
        const size_t length = levy_example_length(at);
        expand_copy(text, at, length);
        expand_map(out, table, text, (expand_place){place.indent + 2, true, first, place.kinds});
        at += length;
        at += strspn(at, ", ");
    }
}

/* A key that the example does not have, as a comment that can be made a line. */
static void expand_optional(levy_text_out *out, const levy_field *field, size_t indent)
{
    char line[EXPAND_LINE];
    const char *value = field->fallback;
    if (!value && field->table) value = field->table->example;
    if (!value && field->choices && field->type == LEVY_FIELD_CHOICE) value = field->choices[0];
    if (!value || field->type == LEVY_FIELD_MAP) return; /* a map by name needs a name */
    const bool list = field->type == LEVY_FIELD_LIST && field->table;
    snprintf(line, sizeof line, "# %s: %s%s%s", field->name, list ? "[" : "", value,
             list ? "]" : "");
    expand_line(out, indent, line, field->doc);
}

static void expand_field(levy_text_out *out, const levy_field *field, const char *text,
                         expand_place *place)
{
    const bool items = field->type == LEVY_FIELD_LIST && field->element == LEVY_FIELD_OBJECT &&
                       strncmp(text, "[{", 2) == 0;
    const bool opens = expand_opens(field, text) || items;
    expand_key(out, place, field->name, opens ? "" : text, field->doc);
    const expand_place below = {place->indent + 2, false, place->optional, place->kinds};
    if (items)
        expand_items(out, field->table, text, below);
    else if (opens && field->type == LEVY_FIELD_MAP)
        expand_names(out, field->table, text, below);
    else if (opens)
        expand_map(out, field->table, text, below);
}

/* The keys of a map of the flow style, each on a line of its own. */
static void expand_map(levy_text_out *out, const levy_table *table, const char *example,
                       expand_place place)
{
    char text[EXPAND_TEXT];
    const levy_table *const of = expand_variant(table, place.kinds, example);
    const char *value;
    size_t length;
    if (!of) return;
    if (of != table && levy_example_value(example, "kind", &value, &length)) {
        expand_copy(text, value, length);
        expand_key(out, &place, "kind", text, of->doc);
    }
    for (const levy_field *field = of->fields; field && field->name; ++field)
        if (levy_example_value(example, field->name, &value, &length)) {
            expand_copy(text, value, length);
            expand_field(out, field, text, &place);
        } else if (place.optional && !(field->flags & LEVY_REQUIRED))
            expand_optional(out, field, place.indent);
}

void levy_expand_map(levy_text_out *out, const levy_table *table, const char *example,
                     const levy_more_kinds *kinds)
{
    expand_map(out, table, example, (expand_place){0, false, true, kinds});
}
