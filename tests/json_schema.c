/* json_schema.c: see json_schema.h. */
#include "tests/json_schema.h"

#include <math.h>
#include <regex.h>
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
    if (strcmp(type, "integer") == 0)
        return json_is_integer(value) ||
               (json_is_real(value) && fmod(json_real_value(value), 1.0) == 0.0);
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

/* The compiled pattern; NULL: it cannot be compiled, or there are too many. levy's schemas have
 * few, and they mean the same in POSIX's extended grammar. */
static const regex_t *check_compiled(const char *rule)
{
    enum { MOST_PATTERNS = 64 };
    static struct {
        char *text;
        regex_t compiled;
    } known[MOST_PATTERNS];
    static size_t n;
    for (size_t i = 0; i < n; ++i)
        if (strcmp(known[i].text, rule) == 0) return &known[i].compiled;
    if (n == MOST_PATTERNS || regcomp(&known[n].compiled, rule, REG_EXTENDED | REG_NOSUB) != 0)
        return NULL;
    known[n].text = strdup(rule);
    return known[n].text ? &known[n++].compiled : NULL;
}

static bool check_pattern(const json_t *pattern, const json_t *value)
{
    const char *const text = json_string_value(value);
    const regex_t *const rule = text ? check_compiled(json_string_value(pattern)) : NULL;
    return !text || (rule && regexec(rule, text, 0, NULL, 0) == 0);
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

/* items: of each item, or a list of one for each of the first. */
static bool check_items(const schema_check *c, const json_t *items, const json_t *value,
                        const char *at)
{
    char place[256];
    for (size_t i = 0; i < json_array_size(value); ++i) {
        const json_t *const item = json_is_array(items) ? json_array_get(items, i) : items;
        snprintf(place, sizeof place, "%.200s[%zu]", at, i);
        if (item && !check_value(c, item, json_array_get(value, i), place)) return false;
    }
    return true;
}

static bool check_unique(const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); ++i)
        for (size_t j = 0; j < i; ++j)
            if (json_equal(json_array_get(value, i), json_array_get(value, j))) return false;
    return true;
}

static bool check_names(const schema_check *c, const json_t *rule, json_t *value, const char *at)
{
    const char *key;
    json_t *member;
    json_object_foreach(value, key, member)
    {
        json_t *const name = json_string(key);
        const bool good = check_value(c, rule, name, at);
        json_decref(name);
        if (!good) return false;
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

/* How many of the choices fit. */
static size_t check_fits(const schema_check *c, const json_t *choices, const json_t *value,
                         const char *at)
{
    size_t fit = 0;
    for (size_t i = 0; i < json_array_size(choices); ++i)
        fit += check_value(c, json_array_get(choices, i), value, at);
    return fit;
}

static bool check_listed(const json_t *words, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(words); ++i)
        if (json_equal(json_array_get(words, i), value)) return true;
    return false;
}

/* The words that compare a number, or a size, with a bound. `at` is filled with false only. */
static bool check_bounds(const schema_check *c, const char *word, const json_t *rule,
                         const json_t *value, const char *at, bool *known)
{
    const double bound = json_number_value(rule);
    const double number = json_number_value(value);
    const double length =
        (double)(json_is_array(value) ? json_array_size(value) : json_object_size(value));
    const char *const text = json_string_value(value);
    const struct {
        const char *word;
        bool applies, holds;
    } bounds[] = {
        {"minimum", json_is_number(value), number >= bound},
        {"maximum", json_is_number(value), number <= bound},
        {"exclusiveMinimum", json_is_number(value), number > bound},
        {"exclusiveMaximum", json_is_number(value), number < bound},
        {"minItems", json_is_array(value), length >= bound},
        {"maxItems", json_is_array(value), length <= bound},
        {"minProperties", json_is_object(value), length >= bound},
        {"maxProperties", json_is_object(value), length <= bound},
        {"minLength", text != NULL, (double)(text ? strlen(text) : 0) >= bound},
        {"maxLength", text != NULL, (double)(text ? strlen(text) : 0) <= bound},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; ++i) {
        if (strcmp(word, bounds[i].word) != 0) continue;
        *known = true;
        return !bounds[i].applies || bounds[i].holds || check_refuse(c, at, word);
    }
    return true;
}

/* The words that have schemas below them. */
static bool check_below(const schema_check *c, const char *word, const json_t *rule,
                        const json_t *schema, json_t *value, const char *at, bool *known)
{
    *known = true;
    if (strcmp(word, "properties") == 0) return check_members(c, schema, value, at);
    if (strcmp(word, "additionalProperties") == 0)
        return json_object_get(schema, "properties") || check_members(c, schema, value, at);
    if (strcmp(word, "propertyNames") == 0) return check_names(c, rule, value, at);
    if (strcmp(word, "required") == 0)
        return !json_is_object(value) || check_required(c, rule, value, at);
    if (strcmp(word, "items") == 0) return check_items(c, rule, value, at);
    if (strcmp(word, "uniqueItems") == 0)
        return check_unique(value) || check_refuse(c, at, "has equal items");
    if (strcmp(word, "oneOf") == 0) return check_one(c, rule, value, at);
    if (strcmp(word, "anyOf") == 0)
        return check_fits(c, rule, value, at) > 0 || check_refuse(c, at, "fits none of several");
    if (strcmp(word, "allOf") == 0) return check_fits(c, rule, value, at) == json_array_size(rule);
    if (strcmp(word, "not") == 0)
        return !check_value(c, rule, value, at) || check_refuse(c, at, "is what it must not be");
    *known = false;
    return true;
}

static bool check_word(const schema_check *c, const char *word, const json_t *rule,
                       const json_t *schema, const json_t *value, const char *at)
{
    static const char *const silent[] = {"$schema", "title",       "description",
                                         "unit",    "definitions", "default"};
    bool known = false;
    for (size_t i = 0; i < sizeof silent / sizeof *silent; ++i)
        if (strcmp(word, silent[i]) == 0) return true;
    if (strcmp(word, "type") == 0)
        return check_type(rule, value) || check_refuse(c, at, "is of another type");
    if (strcmp(word, "const") == 0)
        return json_equal(rule, value) || check_refuse(c, at, "is another constant");
    if (strcmp(word, "enum") == 0)
        return check_listed(rule, value) || check_refuse(c, at, "is no word of the list");
    if (strcmp(word, "pattern") == 0)
        return check_pattern(rule, value) || check_refuse(c, at, "has another pattern");
    if (!check_bounds(c, word, rule, value, at, &known)) return false;
    if (!known && !check_below(c, word, rule, schema, (json_t *)(uintptr_t)value, at, &known))
        return false;
    return known || check_refuse(c, word, "is a word of schemas that this check does not know");
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
