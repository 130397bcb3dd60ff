/* example.c: see example.h. Examples are maps of YAML's flow style without quotes, so that brackets
 * and commas alone divide them. Must not know: the meaning of any key. */
#include "engine/schema/example.h"

#include "engine/schema/marks.h"
#include "engine/schema/says.h"
#include "engine/schema/synonyms.h"

#include <stdio.h>
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

bool levy_example_next(const char **at, levy_example_pair *pair)
{
    const char *const text = *at, *const key = text + levy_mark_is(*text);
    const size_t name = strcspn(key, ":");
    if (!*text || *text == '}') return false;
    *pair = (levy_example_pair){
        .text = text, .key = key, .value = key + name + (key[name] ? 2 : 0), .name = name};
    pair->length = levy_example_length(pair->value);
    *at = pair->value + pair->length;
    *at += strspn(*at, ", ");
    return true;
}

bool levy_example_value(const char *example, const char *key, const char **value, size_t *length)
{
    const size_t n = strlen(key);
    levy_example_pair pair;
    for (const char *at = example ? example + 1 : ""; levy_example_next(&at, &pair);) {
        *length = pair.length;
        *value = pair.value;
        if (pair.name == n && strncmp(pair.key, key, n) == 0) return true;
    }
    return false;
}

const levy_field *levy_example_field(const levy_table *table, const char *key)
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
        table->shorthand_key ? levy_example_field(of, table->shorthand_key) : NULL;
    return field && levy_example_fits(field, node);
}

/* Quotes make no word of a choice and no date another one; a number in quotes is a text. */
static bool example_fits_number(levy_field_type type, const levy_node *node)
{
    double number;
    uint64_t count;
    levy_date date;
    levy_tenor tenor;
    const bool is_number =
        !node->quoted && levy_number_read(node->text, node->length, &number) == LEVY_NUMBER_OK;
    if (type == LEVY_FIELD_COUNT)
        return (!node->quoted || memchr(node->text, '^', node->length)) &&
               levy_count_read(node->text, node->length, &count) == LEVY_NUMBER_OK;
    if (type == LEVY_FIELD_TENOR) return levy_tenor_read(node->text, node->length, &tenor);
    if (type == LEVY_FIELD_DATE) return levy_date_read(node->text, node->length, &date);
    if (type == LEVY_FIELD_TIME)
        return is_number || levy_date_read(node->text, node->length, &date);
    return type == LEVY_FIELD_NUMBER && is_number;
}

bool levy_example_percent(const levy_node *node, char text[LEVY_NUMBER_SIZE])
{
    char shifted[LEVY_NUMBER_SIZE + 4];
    double value;
    if (!node || node->kind != LEVY_NODE_SCALAR || node->length < 2) return false;
    size_t n = node->length - 1;
    if (node->text[n] != '%' || n > LEVY_NUMBER_SIZE) return false;
    while (n > 0 && node->text[n - 1] == ' ') --n;
    if (levy_number_read(node->text, n, &value) != LEVY_NUMBER_OK) return false;
    /* by the point, because a division would round twice */
    const int length = snprintf(shifted, sizeof shifted, "%.*se-2", (int)n, node->text);
    if (levy_number_read(shifted, (size_t)length, &value) != LEVY_NUMBER_OK) return false;
    levy_number_write(value, text);
    return true;
}

bool levy_example_fits(const levy_field *field, const levy_node *node)
{
    if (!node || node->kind != LEVY_NODE_SCALAR || node->length == 0) return false;
    if (field->type == LEVY_FIELD_CHOICE) return example_is_choice(field->choices, node);
    if (field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT)
        return example_fits_short(field->table, node);
    if (field->type == LEVY_FIELD_NAME) return true;
    if (field->type == LEVY_FIELD_TEXT) return !node->quoted;
    if (field->type == LEVY_FIELD_FLAG)
        return !node->quoted &&
               (strcmp(node->text, "true") == 0 || strcmp(node->text, "false") == 0);
    /* a number by itself is a list of one */
    const bool number = field->type == LEVY_FIELD_TERM || levy_field_has_numbers(field);
    return example_fits_number(number ? LEVY_FIELD_NUMBER : field->type, node);
}

/* Whether a share may stand for the field as a number. Of a level with a hint of its own it may
 * not.
 */
static bool example_takes_number(const levy_field *field)
{
    const levy_node number = {.kind = LEVY_NODE_SCALAR, .text = "0.5", .length = 3};
    return levy_example_fits(field, &number) && !field->hint;
}

/* A tenor as the time it is: years, or the date if times are dates. */
static const char *example_years(const levy_reader *reader, const levy_node *node)
{
    char years[LEVY_NUMBER_SIZE];
    levy_tenor tenor;
    if (node->kind != LEVY_NODE_SCALAR || !levy_tenor_read(node->text, node->length, &tenor))
        return NULL;
    if (reader->is_dated) return levy_example_due(reader, &tenor);
    levy_number_write(levy_example_tenor(&tenor), years);
    return levy_arena_format(reader->arena, "%s", years);
}

const char *levy_example_due(const levy_reader *reader, const levy_tenor *tenor)
{
    levy_date due;
    char date[11];
    if (reader->valuation == INT32_MIN || !levy_date_add(reader->valuation, *tenor, false, &due))
        return NULL;
    levy_date_write(due, date);
    return levy_arena_format(reader->arena, "%s", date);
}

double levy_example_tenor(const levy_tenor *tenor)
{
    double unit = 365.0; /* days, as model time counts them */
    if (tenor->unit == 'Y') unit = 1.0;
    if (tenor->unit == 'M') unit = 12.0;
    if (tenor->unit == 'W') unit = 365.0 / 7.0;
    return tenor->count / unit;
}

/* Whether a scalar may be a name where a list of names is due. */
static bool example_is_name_of(const levy_field *field, const levy_node *node)
{
    return field->type == LEVY_FIELD_LIST && field->element == LEVY_FIELD_NAME &&
           node->kind == LEVY_NODE_SCALAR && node->length > 0 && !strpbrk(node->text, " ,;:[]{}");
}

const char *levy_example_own(const levy_reader *reader, const levy_field *field,
                             const levy_node *node)
{
    char decimal[LEVY_NUMBER_SIZE];
    if (!node) return NULL;
    if (levy_example_fits(field, node)) return node->text;
    if (example_is_name_of(field, node))
        return levy_arena_format(reader->arena, "[%s]", node->text);
    if (field->type == LEVY_FIELD_TIME) return example_years(reader, node);
    if (!example_takes_number(field) || !levy_example_percent(node, decimal)) return NULL;
    return levy_arena_format(reader->arena, "%s", decimal);
}

/* The length of the word at `words`, behind blanks. */
static size_t example_word(const char **words)
{
    *words += strspn(*words, " ");
    return strcspn(*words, " ");
}

const char *levy_example_bare(const levy_reader *reader, const levy_table *table,
                              const char *example, const levy_node *node)
{
    const char *at = table->bare ? table->bare : "";
    for (size_t n; (n = example_word(&at)) > 0; at += n) {
        const char *value, *const key = levy_arena_format(reader->arena, "%.*s", (int)n, at);
        size_t length;
        const levy_field *const field = key ? levy_example_field(table, key) : NULL;
        const char *const own = field ? levy_example_own(reader, field, node) : NULL;
        if (!own) continue;
        if (!levy_example_value(example, key, &value, &length))
            return levy_arena_format(reader->arena, "{%c%s: %s}", LEVY_MARK_OWN, key, own);
        const char *start = value - strlen(key) - 2;
        start -= levy_mark_is(start[-1]);
        return levy_arena_format(reader->arena, "%.*s%c%s: %s%s", (int)(start - example), example,
                                 LEVY_MARK_OWN, key, own, value + length);
    }
    return NULL;
}

const char *levy_example_with(const levy_reader *reader, const levy_table *table,
                              const levy_node *node, bool *said)
{
    const bool scalar = node && node->kind == LEVY_NODE_SCALAR;
    *said = false;
    if (!table->example) return NULL;
    for (const levy_synonym *s = table->synonyms; scalar && s && s->word; ++s)
        if ((*said = levy_synonym_is_spelling(s->word, node->text)))
            return levy_arena_format(reader->arena, "{%c%s", LEVY_MARK_OWN, s->map + 1);
    const char *text = scalar ? levy_example_bare(reader, table, table->example, node) : NULL;
    if (!text && scalar) text = levy_says_put(reader, table, table->example, node);
    *said = text && text != table->example;
    return levy_says_examples(reader, table, text ? text : table->example);
}

/* The field's value in the table's example, or its default. NULL: there is none, or no memory. */
static const char *example_shown(const levy_reader *reader, const levy_table *table,
                                 const levy_field *field)
{
    const char *value;
    size_t length;
    if (levy_example_value(table->example, field->name, &value, &length))
        return levy_arena_format(reader->arena, "%.*s", (int)length, value);
    const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    value = nested ? field->table->example : field->fallback;
    if (!value) value = field->example;
    return !value && field->choices ? field->choices[0] : value;
}

const char *levy_example_line(const levy_reader *reader, const levy_table *table,
                              const levy_field *field, const levy_node *node)
{
    const bool nested = field->type == LEVY_FIELD_OBJECT || field->type == LEVY_FIELD_VARIANT;
    const char *own = levy_example_own(reader, field, node), *shown = NULL;
    bool said = true;
    if (!own && nested && field->table->example)
        own = levy_example_with(reader, field->table, node, &said);
    if (!own) shown = example_shown(reader, table, field);
    if (!own && !shown) return NULL;
    const bool map = nested && *(own ? own : shown) == '{';
    if (map && shown) shown = levy_says_examples(reader, field->table, shown);
    const char *const value = own ? own : levy_marks_timed(reader, shown);
    const char mark = own ? LEVY_MARK_OWN : LEVY_MARK_EXAMPLE;
    const char *line =
        value ? levy_arena_format(reader->arena, "%c%s: %s", mark, field->name, value) : NULL;
    if (line && map) ++line; /* its keys have marks of their own */
    if (line && node && (!own || !said))
        line = levy_says_left(reader, nested ? field->table : NULL, line, node);
    if (!line) levy_reader_no_memory(reader);
    return line;
}
