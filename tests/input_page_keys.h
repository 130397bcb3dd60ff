/* input_page_keys.h: a key of docs/input.md as a line of a list, with type, range, default and
 * meaning, and which keys several payoffs have with one meaning. Must not know: topics and the
 * page. */
#ifndef LEVY_TESTS_INPUT_PAGE_KEYS_H
#define LEVY_TESTS_INPUT_PAGE_KEYS_H

#include "engine/schema/book.h"
#include "engine/schema/writer.h"
#include "tests/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Text of a key ---- */

/* Stars would be emphasis, brackets of the kind <...> would be tags. */
static void put_text(FILE *out, const char *text)
{
    for (; *text; ++text) {
        if (*text == '\n') continue;
        if (strchr("*<", *text)) fputc('\\', out);
        fputc(*text, out);
    }
}

static const char *scalar_type(levy_field_type type)
{
    switch (type) {
    case LEVY_FIELD_TEXT:
        return "text";
    case LEVY_FIELD_NAME:
        return "name";
    case LEVY_FIELD_NUMBER:
        return "number";
    case LEVY_FIELD_COUNT:
        return "count";
    case LEVY_FIELD_FLAG:
        return "true or false";
    case LEVY_FIELD_CHOICE:
        return "choice";
    case LEVY_FIELD_TIME:
        return "time";
    case LEVY_FIELD_DATE:
        return "date";
    case LEVY_FIELD_TENOR:
        return "tenor";
    case LEVY_FIELD_OBJECT:
        return "map";
    case LEVY_FIELD_VARIANT:
        return "map with kind";
    case LEVY_FIELD_LIST:
        return "list";
    case LEVY_FIELD_MAP:
        return "maps by name";
    case LEVY_FIELD_MATRIX:
        return "matrix";
    case LEVY_FIELD_TIME_VALUES:
        return "[time, number] pairs";
    case LEVY_FIELD_TERM:
        return "term";
    case LEVY_FIELD_NODE:
        return "any";
    }
    return "any";
}

static void put_type(FILE *out, const levy_field *field)
{
    if (field->type != LEVY_FIELD_LIST) {
        fputs(scalar_type(field->type), out);
        return;
    }
    if (field->element == LEVY_FIELD_NUMBER) fputs("number or ", out);
    if (field->element == LEVY_FIELD_TERM) fputs("number, term or ", out);
    fprintf(out, "list of %ss", scalar_type(field->element));
}

/* The heading of a topic as the anchor of a link: without its dots. */
static void put_link(FILE *out, const char *topic)
{
    fprintf(out, "[%s](#", topic);
    for (const char *at = topic; *at; ++at)
        if (*at != '.') fputc(*at, out);
    fputc(')', out);
}

static void put_meaning(FILE *out, const levy_field *field)
{
    put_text(out, field->doc);
    for (size_t i = 0; field->choices && field->choices[i]; ++i) {
        if (strchr(field->choices[i], '=')) continue;
        fprintf(out, "%s`%s`", i == 0 ? " One of " : ", ", field->choices[i]);
    }
    if (field->choices) fputc('.', out);
    const char *const topic = field->table ? levy_schema_topic_of(field->table) : NULL;
    if (!topic) return;
    fputs(" See ", out);
    put_link(out, topic);
    fputc('.', out);
}

/* - `strike` (number, `[0, 1e15]`, required): what it means. */
static void put_row(FILE *out, const levy_field *field)
{
    char range[LEVY_SCHEMA_RANGE_SIZE];
    levy_schema_range_text(field, range);
    fprintf(out, "- `%s` (", field->name);
    put_type(out, field);
    if (range[0]) fprintf(out, ", `%s`", range);
    if (field->unit) fprintf(out, "%s%s", range[0] ? " " : ", ", field->unit);
    if (field->fallback)
        fprintf(out, ", default `%s`", field->fallback);
    else if (field->flags & LEVY_REQUIRED)
        fputs(", required", out);
    fputs("): ", out);
    put_meaning(out, field);
    fputc('\n', out);
}

/* ---- Rows that several payoffs have, which stand once, under the topic of all payoffs ---- */

enum { PAGE_ROWS = 1024, PAGE_SHARED = 3 };
struct page_row {
    const levy_field *field;
    char *text;
    size_t uses; /* payoffs that have it; 0: an earlier row has the same text */
};
static struct page_row page_rows[PAGE_ROWS];
static size_t n_page_rows;

static char *row_text(const levy_field *field)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    assert_non_null(out);
    put_row(out, field);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void add_page_row(const levy_field *field)
{
    char *const text = row_text(field);
    size_t i = 0;
    while (i < n_page_rows && strcmp(page_rows[i].text, text) != 0) ++i;
    if (i < n_page_rows) ++page_rows[i].uses;
    assert_true(n_page_rows < PAGE_ROWS);
    page_rows[n_page_rows] = (struct page_row){field, text, i == n_page_rows ? 1 : 0};
    ++n_page_rows;
}

static void gather_page_rows(void)
{
    for (const levy_variant *kind = levy_payoff_table.variants; kind->kind; ++kind) {
        for (const levy_field *field = kind->table->fields; field->name; ++field)
            if (!field->table || levy_schema_topic_of(field->table)) add_page_row(field);
    }
}

static void free_page_rows(void)
{
    while (n_page_rows > 0) free(page_rows[--n_page_rows].text);
}

/* A key stands there with one meaning, the commonest. */
static bool row_is_shared(const struct page_row *row)
{
    if (row->uses < PAGE_SHARED) return false;
    for (const struct page_row *other = page_rows; other < page_rows + n_page_rows; ++other) {
        const bool later = other > row;
        if (strcmp(other->field->name, row->field->name) != 0) continue;
        if (other->uses > row->uses || (other->uses == row->uses && later)) return false;
    }
    return true;
}

static bool field_is_shared(const levy_field *field)
{
    char *const text = row_text(field);
    bool shared = false;
    for (size_t i = 0; i < n_page_rows && !shared; ++i)
        shared = row_is_shared(&page_rows[i]) && strcmp(page_rows[i].text, text) == 0;
    free(text);
    return shared;
}

#endif
