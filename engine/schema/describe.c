/* describe.c: `levy describe`: a table as aligned text (key, type, unit, range, default, meaning),
 * and the list of topics. Must not know: any key's meaning. */
#include "engine/schema/sample.h"
#include "engine/schema/topics.h"
#include "engine/schema/writer.h"
#include "engine/script/function.h"

#include <stdio.h>
#include <string.h>

enum { DESCRIBE_MEANING_WIDTH = 36, DESCRIBE_COLUMNS = 5, DESCRIBE_CELL = 80, DESCRIBE_NESTED = 4 };

/* ---- A table's columns ---- */

static const char *const describe_types[] = {
#define FIELD_TYPE(type, words, ...) [LEVY_FIELD_##type] = words,
#include "engine/schema/field_types.def"
#undef FIELD_TYPE
};

static const char *const describe_titles[DESCRIBE_COLUMNS] = {
    "key", "type", "unit", "range", "default",
};

/* What may stand by itself for a list of one. */
static const char *describe_lone(const levy_field *field)
{
    if (field->element == LEVY_FIELD_TERM) return "number | term | ";
    return field->element == LEVY_FIELD_NUMBER ? "number | " : "";
}

static void describe_type(const levy_field *field, char cell[DESCRIBE_CELL])
{
    const char *const type = describe_types[field->type];
    if (field->type != LEVY_FIELD_LIST)
        snprintf(cell, DESCRIBE_CELL, "%s", type);
    else
        snprintf(cell, DESCRIBE_CELL, "%s%s of %s", describe_lone(field), type,
                 describe_types[field->element]);
}

static const char *describe_unless(const levy_field *field, char text[DESCRIBE_CELL])
{
    snprintf(text, DESCRIBE_CELL, "required, or %s", field->unless);
    return text;
}

static void describe_cell(const levy_field *field, size_t column, char cell[DESCRIBE_CELL])
{
    char instead[DESCRIBE_CELL];
    if (column == 0)
        snprintf(cell, DESCRIBE_CELL, "%s", field->name);
    else if (column == 1)
        describe_type(field, cell);
    else if (column == 2)
        snprintf(cell, DESCRIBE_CELL, "%s", field->unit ? field->unit : "");
    else if (column == 3)
        levy_schema_range_text(field, cell);
    else if (field->fallback || field->unless)
        snprintf(cell, DESCRIBE_CELL, "%s",
                 field->fallback ? field->fallback : describe_unless(field, instead));
    else
        snprintf(cell, DESCRIBE_CELL, "%s", field->flags & LEVY_REQUIRED ? "required" : "");
}

static void describe_widths(const levy_table *table, size_t widths[DESCRIBE_COLUMNS])
{
    char cell[DESCRIBE_CELL];
    for (size_t c = 0; c < DESCRIBE_COLUMNS; ++c) {
        widths[c] = 0;
        for (const levy_field *field = table->fields; field && field->name; ++field) {
            describe_cell(field, c, cell);
            const size_t n = strlen(cell);
            if (n > widths[c]) widths[c] = n;
        }
        const size_t title = strlen(describe_titles[c]);
        if (widths[c] > 0 && widths[c] < title) widths[c] = title; /* an empty column is left out */
    }
}

static void describe_padded(levy_text_out *out, const char *cell, size_t width)
{
    const size_t n = strlen(cell);
    if (width == 0) return;
    levy_text_put(out, cell);
    levy_text_put_spaces(out, (n < width ? width - n : 0) + 2);
}

/* Writes one row of the table up to the meaning. `below`: the meaning is on the next line, so
 * blanks must not trail. */
static void describe_row(levy_text_out *out, char cells[DESCRIBE_COLUMNS][DESCRIBE_CELL],
                         const size_t widths[DESCRIBE_COLUMNS], bool below)
{
    size_t last = DESCRIBE_COLUMNS;
    while (below && last > 1 && (cells[last - 1][0] == '\0' || widths[last - 1] == 0)) --last;
    levy_text_put_spaces(out, 2);
    for (size_t c = 0; c < last; ++c) {
        if (below && c + 1 == last)
            levy_text_put(out, cells[c]);
        else
            describe_padded(out, cells[c], widths[c]);
    }
}

/* Writes what the field means, which values it takes and where to read on. */
static void describe_meaning(levy_text_out *out, const levy_field *field, size_t indent)
{
    size_t column = levy_schema_put_words(out, field->doc ? field->doc : "", indent, indent);
    for (size_t i = 0; field->choices && field->choices[i]; ++i) {
        char word[DESCRIBE_CELL];
        if (strchr(field->choices[i], '=')) continue;
        const char *next = field->choices[i + 1];
        snprintf(word, sizeof word, "%s%s%s", i == 0 ? "One of " : "", field->choices[i],
                 next && !strchr(next, '=') ? "," : ".");
        column = levy_schema_put_words(out, word, indent, column);
    }
    const char *topic = field->table ? levy_schema_topic_of(field->table) : NULL;
    if (topic) {
        char see[DESCRIBE_CELL];
        snprintf(see, sizeof see, "See '%s'.", topic);
        levy_schema_put_words(out, see, indent, column);
    }
    levy_text_put(out, "\n");
}

static void describe_fields(levy_text_out *out, const levy_table *table)
{
    size_t widths[DESCRIBE_COLUMNS], indent = 2;
    char cells[DESCRIBE_COLUMNS][DESCRIBE_CELL];
    describe_widths(table, widths);
    for (size_t c = 0; c < DESCRIBE_COLUMNS; ++c) {
        indent += widths[c] > 0 ? widths[c] + 2 : 0;
        snprintf(cells[c], DESCRIBE_CELL, "%s", widths[c] > 0 ? describe_titles[c] : "");
    }
    /* if little room is left, meanings get lines of their own */
    const bool below = indent > LEVY_SCHEMA_WIDTH - DESCRIBE_MEANING_WIDTH;
    if (below) indent = 8;
    describe_row(out, cells, widths, below);
    levy_text_put(out, below ? "\n" : "meaning\n");
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        for (size_t c = 0; c < DESCRIBE_COLUMNS; ++c) describe_cell(field, c, cells[c]);
        describe_row(out, cells, widths, below);
        if (below) {
            levy_text_put(out, "\n");
            levy_text_put_spaces(out, indent);
        }
        describe_meaning(out, field, indent);
    }
}

/* ---- Tables and topics ---- */

static void describe_shorthand(levy_text_out *out, const levy_table *table)
{
    char line[2 * DESCRIBE_CELL];
    if (!table->shorthand_key) return;
    if (table->shorthand)
        snprintf(line, sizeof line, "A bare value is short for {kind: %s, %s: value}.",
                 table->shorthand, table->shorthand_key);
    else
        snprintf(line, sizeof line, "A bare value is short for {%s: value}.", table->shorthand_key);
    levy_schema_put_paragraph(out, line, 2);
    if (!table->shorthand_list) return;
    snprintf(line, sizeof line, "A bare list is short for {%s: list}.", table->shorthand_list);
    levy_schema_put_paragraph(out, line, 2);
}

void levy_schema_put_topic(levy_text_out *out, const char *topic, size_t width, const char *doc)
{
    levy_text_put_spaces(out, 2);
    describe_padded(out, topic, width);
    levy_schema_put_sentence(out, doc ? doc : "", width + 4);
}

/* The longest word before the meanings of a list. */
static size_t describe_width(const levy_variant *variants, size_t width)
{
    for (const levy_variant *v = variants; v && v->kind; ++v)
        if (strlen(v->kind) > width) width = strlen(v->kind);
    return width;
}

static void describe_list(levy_text_out *out, const levy_variant *variants, size_t width)
{
    for (const levy_variant *v = variants; v && v->kind; ++v)
        if (v->table) levy_schema_put_topic(out, v->kind, width, v->table->doc);
}

static void describe_kinds(levy_text_out *out, const levy_table *table)
{
    levy_text_put(out, "\n  kind\n");
    describe_list(out, table->variants, describe_width(table->variants, 0));
    const char *topic = levy_schema_topic_of(table);
    if (topic) LEVY_TEXT_PUT(out, "\n  Keys of a kind: levy describe ", topic, ".KIND\n");
}

static void describe_example(levy_text_out *out, const char *before, const char *example)
{
    size_t column;
    levy_text_put(out, "\n  ");
    column = levy_schema_put_words(out, before, 2, 2);
    levy_schema_put_words(out, example, 4, column);
    levy_text_put(out, "\n");
}

/* Describes a table, and below it the sub-tables that are not topics themselves. */
static void describe_table(levy_text_out *out, const levy_table *table, size_t level)
{
    LEVY_TEXT_PUT(out, table->name, "\n");
    if (table->doc) levy_schema_put_paragraph(out, table->doc, 2);
    describe_shorthand(out, table);
    if (table->example) describe_example(out, "Example:", table->example);
    if (table->variants) {
        describe_kinds(out, table);
        return;
    }
    levy_text_put(out, "\n");
    describe_fields(out, table);
    for (const levy_field *field = table->fields; field && field->name && level < DESCRIBE_NESTED;
         field++) {
        if (!field->table || levy_schema_topic_of(field->table)) continue;
        levy_text_put(out, "\n");
        describe_table(out, field->table, level + 1);
    }
}

static void describe_topics(levy_text_out *out, const levy_more_kinds *kinds)
{
    const levy_variant *const more = kinds ? kinds->variants : NULL;
    size_t width = describe_width(more, 0);
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (strlen(*topic) > width) width = strlen(*topic);
    levy_text_put(out, "Topics, for levy describe TOPIC:\n\n");
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic) {
        const levy_table *table = levy_catalog_find(*topic);
        levy_schema_put_topic(out, *topic, width, table ? table->doc : NULL);
    }
    if (more && more->kind) levy_text_put(out, "\nKinds of payoffs that files define:\n\n");
    describe_list(out, more, width);
    levy_text_put(out, "\nFunctions of scripts:\n\n");
    for (const function_kind *f = levy_script_functions; f->name; ++f)
        levy_schema_put_topic(out, f->name, width, f->doc);
    levy_text_put(out, "\nMeasures, which `measures`, scripts and scenarios ask for:\n\n");
    for (const levy_measure_words *m = levy_measures; m->name; ++m)
        levy_schema_put_topic(out, m->name, width, m->doc);
}

/* A function of scripts; NULL: there is none of that name. */
static const function_kind *describe_function_of(const char *name)
{
    const function_kind *f = levy_script_functions;
    while (f->name && strcmp(f->name, name) != 0) ++f;
    return f->name ? f : NULL;
}

static void describe_function(levy_text_out *out, const function_kind *function)
{
    LEVY_TEXT_PUT(out, function->usage, "\n  Function of scripts (docs/language.md).\n");
    levy_schema_put_paragraph(out, function->doc, 2);
}

static const levy_measure_words *describe_measure_of(const char *name)
{
    const levy_measure_words *m = levy_measures;
    while (m->name && strcmp(m->name, name) != 0) ++m;
    return m->name ? m : NULL;
}

static void describe_measure(levy_text_out *out, const levy_measure_words *measure)
{
    LEVY_TEXT_PUT(out, measure->name, "\n  Measure", measure->factor[0] ? "; factor " : "",
                  measure->factor, "; ", measure->unit, ".\n");
    levy_schema_put_paragraph(out, measure->doc, 2);
}

/* ---- A key ---- */

/* What kind of value it takes: "number, 1/year, [-1, 5], 0 if it is left out." */
static void describe_value(levy_text_out *out, const levy_field *field)
{
    static const char *const after[DESCRIBE_COLUMNS] = {"", "", "", "", " if it is left out"};
    char line[DESCRIBE_COLUMNS * DESCRIBE_CELL], cell[DESCRIBE_CELL];
    size_t used = 0;
    line[0] = '\0';
    for (size_t c = 1; c < DESCRIBE_COLUMNS; ++c) {
        describe_cell(field, c, cell);
        if (cell[0] == '\0') continue;
        const char *const left_out = field->fallback ? after[c] : "";
        const int n =
            snprintf(line + used, sizeof line - used, "%s%s%s", used ? ", " : "", cell, left_out);
        if (n > 0 && (size_t)n < sizeof line - used) used += (size_t)n;
    }
    snprintf(line + used, sizeof line - used, ".");
    levy_schema_put_paragraph(out, line, 2);
}

static void describe_field(levy_text_out *out, const levy_topic *topic)
{
    char sample[LEVY_SAMPLE_SIZE], key[DESCRIBE_CELL + 16];
    LEVY_TEXT_PUT(out, topic->path, "\n");
    describe_value(out, topic->field);
    levy_text_put_spaces(out, 2);
    describe_meaning(out, topic->field, 2);
    levy_sample_write(topic->table, topic->field, sample);
    snprintf(key, sizeof key, "Example: %s:", topic->field->name);
    if (topic->field->type != LEVY_FIELD_OBJECT) describe_example(out, key, sample);
    if (!topic->field->table) return;
    levy_text_put(out, "\n");
    describe_table(out, topic->field->table, 0);
}

static void describe_others(levy_text_out *out, const levy_topic *topic)
{
    if (topic->n_others == 0) return;
    levy_text_put(out, "\n  ");
    size_t column = levy_schema_put_words(out, "Elsewhere:", 2, 2);
    for (size_t i = 0; i < topic->n_others; ++i) {
        char path[LEVY_TOPIC_PATH + 2];
        snprintf(path, sizeof path, "%s%s", topic->others[i], i + 1 < topic->n_others ? "," : "");
        column = levy_schema_put_words(out, path, 4, column);
    }
    levy_text_put(out, "\n");
}

/* The numbers that can be set are no keys, and so in no table. */
static const char describe_quotes[] =
    "quotes\n"
    "  Numbers of the market that can be set after the files are read, by name: NAME.spot,\n"
    "  NAME.volatility, NAME.dividend_yield, NAME.borrow and NAME.dividends of an asset,\n"
    "  CURVE.rate, and NAME,OTHER.correlation, the correlation of two assets; NAME.v0, NAME.xi "
    "and\n"
    "  so on of an asset that heston moves, NAME.spot,OTHER.variance. A flat volatility or\n"
    "  rate is set; to a term structure the value is added at each node, and dividends on dates\n"
    "  grow by the value's share. One node is set by its date or years: "
    "NAME.volatility[2027-11-20],\n"
    "  CURVE.rate[1.5], NAME.dividends[2026-12-18]; in a curve of discount factors the value is a\n"
    "  rate that is added. MODEL.intensity sets jumps, MODEL.intensity[0] their first layer.\n"
    "  Scenarios move the same numbers, but intensities, and days (`levy describe shift`).\n"
    "\n"
    "  Example: levy price book.yaml --set STOCK.spot=101\n";

levy_status levy_schema_describe(const char *name, const levy_more_kinds *kinds, levy_text_out *out)
{
    levy_topic topic = {.table = NULL};
    const bool quotes = name && strcmp(name, "quotes") == 0;
    const levy_measure_words *const measure = name ? describe_measure_of(name) : NULL;
    const function_kind *const function = name ? describe_function_of(name) : NULL;
    const char *const way = name ? levy_catalog_way(name) : NULL; /* of what no kind is */
    const bool found = name && !quotes && !way && levy_topic_find(name, kinds, &topic);
    if (name && !quotes && !measure && !function && !way && !found) return LEVY_ARGUMENT;
    if (measure) describe_measure(out, measure);
    if (measure && (function || found)) levy_text_put(out, "\n");
    if (function) describe_function(out, function);
    if (function && found) levy_text_put(out, "\n");
    if (way || topic.written) {
        LEVY_TEXT_PUT(out, name, "\n");
        levy_schema_put_paragraph(out, way ? way : "Write:", 2);
        if (topic.written) levy_schema_put_paragraph(out, topic.written, 4);
        levy_text_put(out, way ? "" : "\n");
    }
    if (quotes)
        levy_text_put(out, describe_quotes);
    else if (!name)
        describe_topics(out, kinds);
    else if (topic.field)
        describe_field(out, &topic);
    else if (found)
        describe_table(out, topic.table, 0);
    describe_others(out, &topic);
    return LEVY_OK;
}
