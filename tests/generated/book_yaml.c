/* book_yaml.c: a book in JSON as YAML in blocks (compare.h): maps of maps and lists of maps have
 * lines of their own, a text of several lines is a literal block, and the rest stays in braces. */
#include "tests/generated/compare.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct page {
    char *text;
    size_t size, length;
} page;

static void put_page(page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put_page(page *p, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int n = vsnprintf(p->text + p->length, p->size - p->length, format, values);
    va_end(values);
    p->length += (size_t)n;
    if (p->length >= p->size) p->length = p->size - 1;
}

static bool is_container(const json_t *value)
{
    return json_is_object(value) || json_is_array(value);
}

/* A map of maps or lists, a list of maps, or whatever holds a text of lines. */
static bool needs_lines(const json_t *value)
{
    const char *key;
    json_t *each;
    size_t i;
    if (json_is_string(value)) return strchr(json_string_value(value), '\n') != NULL;
    json_object_foreach((json_t *)value, key,
                        each) if (is_container(each) || needs_lines(each)) return true;
    json_array_foreach(value, i, each) if (json_is_object(each) || needs_lines(each)) return true;
    return false;
}

/* In braces a bare text ends at a comma or a bracket. */
static void put_text(page *p, const char *text)
{
    put_page(p, text[strcspn(text, "[],{}")] ? "\"%s\"" : "%s", text);
}

static void put_short(page *p, const json_t *value)
{
    const char *key;
    json_t *each;
    size_t i;
    if (json_is_object(value)) {
        put_page(p, "{");
        json_object_foreach((json_t *)value, key, each)
        {
            put_page(p, "%s%s: ", p->text[p->length - 1] == '{' ? "" : ", ", key);
            put_short(p, each);
        }
        put_page(p, "}");
    } else if (json_is_array(value)) {
        put_page(p, "[");
        json_array_foreach(value, i, each)
        {
            put_page(p, "%s", i > 0 ? ", " : "");
            put_short(p, each);
        }
        put_page(p, "]");
    } else if (json_is_string(value))
        put_text(p, json_string_value(value));
    else if (json_is_integer(value))
        put_page(p, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        put_page(p, "%.17g", json_real_value(value));
    else
        put_page(p, "%s", json_is_true(value) ? "true" : "false");
}

static void put_literal(page *p, const char *text, int indent)
{
    put_page(p, " |\n");
    while (*text) {
        const size_t n = strcspn(text, "\n");
        put_page(p, "%*s%.*s\n", indent, "", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static void put_lines(page *p, const json_t *value, int indent);

/* behind "key:" or "-" */
static void put_value(page *p, const json_t *value, int indent)
{
    if (json_is_string(value) && needs_lines(value))
        put_literal(p, json_string_value(value), indent);
    else if (needs_lines(value)) {
        put_page(p, "\n");
        put_lines(p, value, indent);
    } else {
        put_page(p, " ");
        put_short(p, value);
        put_page(p, "\n");
    }
}

static void put_lines(page *p, const json_t *value, int indent)
{
    const char *key;
    json_t *each;
    size_t i;
    json_object_foreach((json_t *)value, key, each)
    {
        put_page(p, "%*s%s:", indent, "", key);
        put_value(p, each, indent + 2);
    }
    json_array_foreach(value, i, each)
    {
        put_page(p, "%*s-", indent, "");
        put_value(p, each, indent + 2);
    }
}

bool book_as_yaml(const char *json, char *yaml, size_t size)
{
    json_error_t error;
    json_t *const book = json_loads(json, 0, &error);
    page p = {yaml, size, 0};
    if (!book) return false;
    put_lines(&p, book, 0);
    json_decref(book);
    return p.length + 1 < size;
}
