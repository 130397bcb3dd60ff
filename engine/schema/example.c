/* example.c: see example.h. Examples are maps of YAML's flow style without quotes, so that brackets
 * and commas alone divide them. Must not know: the meaning of any key. */
#include "engine/schema/example.h"

#include <string.h>

size_t levy_example_length(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length]; ++length) {
        const char c = text[length];
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
    }
    return length;
}

bool levy_example_value(const char *example, const char *key, const char **value, size_t *length)
{
    const size_t n = strlen(key);
    for (const char *at = example ? example + 1 : ""; *at && *at != '}';) {
        const size_t name = strcspn(at, ":");
        const char *const found = at + name + (at[name] ? 2 : 0);
        *length = levy_example_length(found);
        *value = found;
        if (name == n && strncmp(at, key, n) == 0) return true;
        at = found + *length;
        at += strspn(at, ", ");
    }
    return false;
}

static const levy_field *example_field(const levy_table *table, const char *key)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (strcmp(field->name, key) == 0) return field;
    return NULL;
}

static bool example_is_choice(const char *const *choices, const levy_node *node)
{
    for (size_t i = 0; choices[i]; ++i)
        if (strncmp(choices[i], node->text, node->length) == 0 &&
            (choices[i][node->length] == '\0' || choices[i][node->length] == '='))
            return true;
    return false;
}

/* Whether a bare scalar is short for one of the table's maps, as the number of a flat curve is. */
static bool example_fits_short(const levy_table *table, const levy_node *node)
{
    const levy_table *of = table;
    for (const levy_variant *v = table->variants; v && v->kind; ++v)
        if (table->shorthand && strcmp(v->kind, table->shorthand) == 0) of = v->table;
    const levy_field *const field =
        table->shorthand_key ? example_field(of, table->shorthand_key) : NULL;
    return field && levy_example_fits(field, node);
}

bool levy_example_fits(const levy_field *field, const levy_node *node)
{
    if (!node || node->kind != LEVY_NODE_SCALAR || node->length == 0 || node->quoted) return false;
    if (field->type == LEVY_FIELD_CHOICE) return example_is_choice(field->choices, node);
    if (field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT)
        return example_fits_short(field->table, node);
    if (field->type == LEVY_FIELD_TEXT || field->type == LEVY_FIELD_NAME) return true;
    if (field->type == LEVY_FIELD_FLAG || !levy_reader_is_scalar(field->type)) return false;
    const char first = node->text[node->text[0] == '-' || node->text[0] == '.']; /* of a number */
    return first >= '0' && first <= '9' && !memchr(node->text, '%', node->length);
}

const char *levy_example_with(const levy_reader *reader, const levy_table *table,
                              const levy_node *node)
{
    const char *value;
    size_t length;
    const levy_field *const bare = table->bare ? example_field(table, table->bare) : NULL;
    if (!table->example) return NULL;
    if (!bare || !levy_example_fits(bare, node) ||
        !levy_example_value(table->example, table->bare, &value, &length))
        return table->example;
    const char *const text =
        levy_arena_format(reader->arena, "%.*s%s%s", (int)(value - table->example), table->example,
                          node->text, value + length);
    if (!text) levy_reader_no_memory(reader);
    return text;
}

const char *levy_example_line(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const levy_node *node)
{
    const char *value = NULL, *line;
    size_t length = 0;
    const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    if (levy_example_fits(field, node))
        value = node->text;
    else if (nested && field->table->example && field->table->bare)
        value = levy_example_with(reader, field->table, node);
    if (value)
        length = strlen(value);
    else if (!levy_example_value(table->example, field->name, &value, &length)) {
        value = nested ? field->table->example : field->fallback;
        if (!value && field->choices) value = field->choices[0];
        length = value ? strlen(value) : 0;
    }
    if (!value) return NULL;
    line = levy_arena_format(reader->arena, "%s: %.*s", field->name, (int)length, value);
    if (!line) levy_reader_no_memory(reader);
    return line;
}
