/* json_schema.c: see json_schema.h. */
#include "tests/json_schema.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct schema_check {
    const json_t *root;
    char *why;
    size_t size;
} schema_check;

static bool check_refuse(const schema_check *c, const char *at, const char *what)
{
    snprintf(c->why, c->size, "%s: %s", at, what);
    return false;
}

static bool check_value(const schema_check *c, const json_t *schema, const json_t *value,
                        const char *at);

static const json_t *check_reference(const schema_check *c, const char *reference)
{
    static const char head[] = "#/definitions/";
    if (strncmp(reference, head, sizeof head - 1) != 0) return NULL;
    return json_object_get(json_object_get(c->root, "definitions"), reference + sizeof head - 1);
}

static bool check_is(const char *type, const json_t *value)
{
    if (strcmp(type, "string") == 0) return json_is_string(value);
    if (strcmp(type, "number") == 0) return json_is_number(value);
    if (strcmp(type, "integer") == 0) return json_is_integer(value);
    if (strcmp(type, "boolean") == 0) return json_is_boolean(value);
    if (strcmp(type, "null") == 0) return json_is_null(value);
    if (strcmp(type, "object") == 0) return json_is_object(value);
    return strcmp(type, "array") == 0 && json_is_array(value);
}

static bool check_type(const json_t *types, const json_t *value)
{
    if (json_is_string(types)) return check_is(json_string_value(types), value);
    for (size_t i = 0; i < json_array_size(types); ++i)
        if (check_is(json_string_value(json_array_get(types, i)), value)) return true;
    return false;
}

/* 16 hex digits: the only pattern there is. */
static bool check_pattern(const json_t *pattern, const json_t *value)
{
    const char *const text = json_string_value(value);
    return strcmp(json_string_value(pattern), "^[0-9a-f]{16}$") == 0 && text &&
           strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

static bool check_members(const schema_check *c, const json_t *schema, json_t *value,
                          const char *at)
{
    const json_t *const properties = json_object_get(schema, "properties"),
                        *const rest = json_object_get(schema, "additionalProperties");
    const char *key;
    json_t *member;
    char place[256];
    json_object_foreach(value, key, member)
    {
        const json_t *const of = json_object_get(properties, key);
        snprintf(place, sizeof place, "%.150s.%.80s", at, key);
        if (!of && json_is_false(rest)) return check_refuse(c, place, "is not described");
        if (of && !check_value(c, of, member, place)) return false;
        if (!of && json_is_object(rest) && !check_value(c, rest, member, place)) return false;
    }
    return true;
}

static bool check_required(const schema_check *c, const json_t *required, const json_t *value,
                           const char *at)
{
    for (size_t i = 0; i < json_array_size(required); ++i)
        if (!json_object_get(value, json_string_value(json_array_get(required, i))))
            return check_refuse(c, at, json_string_value(json_array_get(required, i)));
    return true;
}

static bool check_items(const schema_check *c, const json_t *items, const json_t *value,
                        const char *at)
{
    char place[256];
    for (size_t i = 0; i < json_array_size(value); ++i) {
        snprintf(place, sizeof place, "%.200s[%zu]", at, i);
        if (!check_value(c, items, json_array_get(value, i), place)) return false;
    }
    return true;
}

/* Exactly one; of the others, the record says that they are others. */
static bool check_one(const schema_check *c, const json_t *choices, const json_t *value,
                      const char *at)
{
    size_t fit = 0;
    char why[512] = "", first[512] = "";
    const schema_check each = {c->root, why, sizeof why};
    for (size_t i = 0; i < json_array_size(choices); ++i)
        if (check_value(&each, json_array_get(choices, i), value, at))
            ++fit;
        else if (!strstr(why, ".record"))
            memcpy(first, why, sizeof first);
    return fit == 1 || check_refuse(c, at, first[0] ? first : "is of no kind, or of several");
}

static bool check_word(const schema_check *c, const char *word, const json_t *rule,
                       const json_t *schema, const json_t *value, const char *at)
{
    static const char *const silent[] = {"$schema", "title",       "description",
                                         "unit",    "definitions", "additionalProperties"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; ++i)
        if (strcmp(word, silent[i]) == 0) return true;
    if (strcmp(word, "type") == 0)
        return check_type(rule, value) || check_refuse(c, at, "is of another type");
    if (strcmp(word, "minimum") == 0)
        return json_number_value(value) >= json_number_value(rule) ||
               check_refuse(c, at, "is below the minimum");
    if (strcmp(word, "const") == 0)
        return json_equal(rule, value) || check_refuse(c, at, "is another constant");
    if (strcmp(word, "pattern") == 0)
        return check_pattern(rule, value) || check_refuse(c, at, "has another pattern");
    if (strcmp(word, "properties") == 0)
        return check_members(c, schema, (json_t *)(uintptr_t)value, at);
    if (strcmp(word, "required") == 0) return check_required(c, rule, value, at);
    if (strcmp(word, "items") == 0) return check_items(c, rule, value, at);
    if (strcmp(word, "oneOf") == 0) return check_one(c, rule, value, at);
    return check_refuse(c, word, "is a word of schemas that this check does not know");
}

static bool check_value(const schema_check *c, const json_t *schema, const json_t *value,
                        const char *at)
{
    const char *word;
    json_t *rule;
    const json_t *const reference = json_object_get(schema, "$ref");
    if (!schema) return check_refuse(c, at, "refers to nothing");
    if (reference)
        return check_value(c, check_reference(c, json_string_value(reference)), value, at);
    json_object_foreach((json_t *)(uintptr_t)schema, word, rule)
    {
        if (!check_word(c, word, rule, schema, value, at)) return false;
    }
    return true;
}

bool json_schema_valid(const json_t *schema, const json_t *value, char *why, size_t size)
{
    const schema_check check = {schema, why, size};
    why[0] = '\0';
    return check_value(&check, schema, value, "report");
}
