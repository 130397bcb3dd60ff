/* describe.c: `levy describe`: a table as aligned text (key, type, unit, range, default, meaning),
 * and the list of topics. Must not know: any key's meaning. */
#include "engine/schema/writer.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    DESCRIBE_WIDTH = 110,
    DESCRIBE_MEANING_WIDTH = 36,
    DESCRIBE_COLUMNS = 5,
    DESCRIBE_CELL = 80,
    DESCRIBE_NESTED = 4
};

/* ---- Text into a sink ---- */

void levy_schema_put_part(levy_schema_writer *writer, const char *text, size_t length)
{
    if (!writer->stopped && length > 0 && writer->sink(writer->user, text, length) != 0)
        writer->stopped = true;
}

void levy_schema_put(levy_schema_writer *writer, const char *text)
{
    levy_schema_put_part(writer, text, strlen(text));
}

void levy_schema_put_blanks(levy_schema_writer *writer, size_t count)
{
    static const char blanks[] = "                                ";
    for (; count > 0; count -= count < sizeof blanks - 1 ? count : sizeof blanks - 1)
        levy_schema_put_part(writer, blanks, count < sizeof blanks - 1 ? count : sizeof blanks - 1);
}

const char *levy_schema_topic_of(const levy_table *table)
{
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (levy_catalog_find(*topic) == table) return *topic;
    return NULL;
}

/* Bounds are round numbers: 1000000000000 and 1e+12 both become 1e12. */
static void describe_bound(double value, char text[LEVY_NUMBER_SIZE])
{
    size_t n = levy_number_write(value, text), zeros = 0;
    char *plus = strchr(text, '+');
    if (plus) memmove(plus, plus + 1, strlen(plus));
    if (strpbrk(text, ".e")) return;
    while (zeros + 1 < n && text[n - 1 - zeros] == '0') ++zeros;
    if (zeros >= 6) snprintf(text + n - zeros, LEVY_NUMBER_SIZE - (n - zeros), "e%zu", zeros);
}

void levy_schema_range_text(const levy_field *field, char text[LEVY_SCHEMA_RANGE_SIZE])
{
    char low[LEVY_NUMBER_SIZE], high[LEVY_NUMBER_SIZE];
    const bool low_open = field->flags & LEVY_LOW_OPEN, high_open = field->flags & LEVY_HIGH_OPEN;
    const bool has_low = field->low > -HUGE_VAL, has_high = field->high < HUGE_VAL;
    text[0] = '\0';
    if (!(field->flags & LEVY_RANGED)) return;
    describe_bound(field->low, low);
    describe_bound(field->high, high);
    if (has_low && has_high)
        snprintf(text, LEVY_SCHEMA_RANGE_SIZE, "%s%s, %s%s", low_open ? "(" : "[", low, high,
                 high_open ? ")" : "]");
    else if (has_low)
        snprintf(text, LEVY_SCHEMA_RANGE_SIZE, "%s %s", low_open ? ">" : ">=", low);
    else if (has_high)
        snprintf(text, LEVY_SCHEMA_RANGE_SIZE, "%s %s", high_open ? "<" : "<=", high);
}

/* ---- Paragraphs ---- */

static bool describe_breaks_at(char c) { return c == ' ' || c == '\n' || c == '\0'; }

/* Writes the words of `text`, going on from `column`, into lines of DESCRIBE_WIDTH that start at
 * `indent`. Returns the column it ends in. */
static size_t describe_words(levy_schema_writer *out, const char *text, size_t indent,
                             size_t column)
{
    while (*text) {
        size_t n = 0;
        while (!describe_breaks_at(text[n])) ++n;
        if (n > 0 && column > indent && column + 1 + n > DESCRIBE_WIDTH) {
            levy_schema_put(out, "\n");
            levy_schema_put_blanks(out, indent);
            column = indent;
        } else if (n > 0 && column > indent) {
            levy_schema_put(out, " ");
            column++;
        }
        levy_schema_put_part(out, text, n);
        column += n;
        text += n;
        if (*text) ++text;
    }
    return column;
}

static void describe_paragraph(levy_schema_writer *out, const char *text, size_t indent)
{
    levy_schema_put_blanks(out, indent);
    describe_words(out, text, indent, indent);
    levy_schema_put(out, "\n");
}

/* Writes `text` up to and including its first full stop. */
static void describe_first_sentence(levy_schema_writer *out, const char *text, size_t indent)
{
    char sentence[256];
    size_t n = 0;
    while (text[n] && n + 1 < sizeof sentence &&
           !(text[n] == '.' && describe_breaks_at(text[n + 1])))
        n++;
    if (text[n] == '.' && n + 1 < sizeof sentence) ++n;
    memcpy(sentence, text, n);
    sentence[n] = '\0';
    describe_words(out, sentence, indent, indent);
    levy_schema_put(out, "\n");
}

/* ---- A table's columns ---- */

static const char *describe_scalar_type(levy_field_type type)
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
        return "true | false";
    case LEVY_FIELD_CHOICE:
        return "choice";
    case LEVY_FIELD_TIME:
        return "date | years";
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
        return "[[time, number]]";
    case LEVY_FIELD_NODE:
        return "any";
    }
    return "any";
}

static const char *const describe_titles[DESCRIBE_COLUMNS] = {"key", "type", "unit", "range",
                                                              "default"};

static void describe_type(const levy_field *field, char cell[DESCRIBE_CELL])
{
    const char *type = describe_scalar_type(field->type);
    if (field->type != LEVY_FIELD_LIST)
        snprintf(cell, DESCRIBE_CELL, "%s", type);
    else
        snprintf(cell, DESCRIBE_CELL, "%s%s of %s",
                 field->element == LEVY_FIELD_NUMBER ? "number | " : "", type,
                 describe_scalar_type(field->element));
}

static void describe_cell(const levy_field *field, size_t column, char cell[DESCRIBE_CELL])
{
    if (column == 0)
        snprintf(cell, DESCRIBE_CELL, "%s", field->name);
    else if (column == 1)
        describe_type(field, cell);
    else if (column == 2)
        snprintf(cell, DESCRIBE_CELL, "%s", field->unit ? field->unit : "");
    else if (column == 3)
        levy_schema_range_text(field, cell);
    else
        snprintf(cell, DESCRIBE_CELL, "%s",
                 field->fallback                ? field->fallback
                 : field->flags & LEVY_REQUIRED ? "required"
                                                : "");
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

static void describe_padded(levy_schema_writer *out, const char *cell, size_t width)
{
    const size_t n = strlen(cell);
    if (width == 0) return;
    levy_schema_put(out, cell);
    levy_schema_put_blanks(out, (n < width ? width - n : 0) + 2);
}

/* Writes one row of the table up to the meaning. `below`: the meaning is on the next line, so
 * blanks must not trail. */
static void describe_row(levy_schema_writer *out, char cells[DESCRIBE_COLUMNS][DESCRIBE_CELL],
                         const size_t widths[DESCRIBE_COLUMNS], bool below)
{
    size_t last = DESCRIBE_COLUMNS;
    while (below && last > 1 && (cells[last - 1][0] == '\0' || widths[last - 1] == 0)) --last;
    levy_schema_put_blanks(out, 2);
    for (size_t c = 0; c < last; ++c) {
        if (below && c + 1 == last)
            levy_schema_put(out, cells[c]);
        else
            describe_padded(out, cells[c], widths[c]);
    }
}

/* Writes what the field means, which values it takes and where to read on. */
static void describe_meaning(levy_schema_writer *out, const levy_field *field, size_t indent)
{
    size_t column = describe_words(out, field->doc ? field->doc : "", indent, indent);
    for (size_t i = 0; field->choices && field->choices[i]; ++i) {
        char word[DESCRIBE_CELL];
        if (strchr(field->choices[i], '=')) continue;
        const char *next = field->choices[i + 1];
        snprintf(word, sizeof word, "%s%s%s", i == 0 ? "One of " : "", field->choices[i],
                 next && !strchr(next, '=') ? "," : ".");
        column = describe_words(out, word, indent, column);
    }
    const char *topic = field->table ? levy_schema_topic_of(field->table) : NULL;
    if (topic) {
        char see[DESCRIBE_CELL];
        snprintf(see, sizeof see, "See '%s'.", topic);
        describe_words(out, see, indent, column);
    }
    levy_schema_put(out, "\n");
}

static void describe_fields(levy_schema_writer *out, const levy_table *table)
{
    size_t widths[DESCRIBE_COLUMNS], indent = 2;
    char cells[DESCRIBE_COLUMNS][DESCRIBE_CELL];
    describe_widths(table, widths);
    for (size_t c = 0; c < DESCRIBE_COLUMNS; ++c) {
        indent += widths[c] > 0 ? widths[c] + 2 : 0;
        snprintf(cells[c], DESCRIBE_CELL, "%s", widths[c] > 0 ? describe_titles[c] : "");
    }
    /* if little room is left, meanings get lines of their own */
    const bool below = indent > DESCRIBE_WIDTH - DESCRIBE_MEANING_WIDTH;
    if (below) indent = 8;
    describe_row(out, cells, widths, below);
    levy_schema_put(out, below ? "\n" : "meaning\n");
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        for (size_t c = 0; c < DESCRIBE_COLUMNS; ++c) describe_cell(field, c, cells[c]);
        describe_row(out, cells, widths, below);
        if (below) {
            levy_schema_put(out, "\n");
            levy_schema_put_blanks(out, indent);
        }
        describe_meaning(out, field, indent);
    }
}

/* ---- Tables and topics ---- */

static void describe_shorthand(levy_schema_writer *out, const levy_table *table)
{
    char line[2 * DESCRIBE_CELL];
    if (!table->shorthand_key) return;
    if (table->shorthand)
        snprintf(line, sizeof line, "A bare value is short for {kind: %s, %s: value}.",
                 table->shorthand, table->shorthand_key);
    else
        snprintf(line, sizeof line, "A bare value is short for {%s: value}.", table->shorthand_key);
    describe_paragraph(out, line, 2);
    if (!table->shorthand_list) return;
    snprintf(line, sizeof line, "A bare list is short for {%s: list}.", table->shorthand_list);
    describe_paragraph(out, line, 2);
}

void levy_schema_put_topic(levy_schema_writer *writer, const char *topic, size_t width,
                           const char *doc)
{
    levy_schema_put_blanks(writer, 2);
    describe_padded(writer, topic, width);
    describe_first_sentence(writer, doc ? doc : "", width + 4);
}

static void describe_kinds(levy_schema_writer *out, const levy_table *table)
{
    size_t width = 0;
    for (const levy_variant *variant = table->variants; variant->kind; ++variant)
        if (strlen(variant->kind) > width) width = strlen(variant->kind);
    levy_schema_put(out, "\n  kind\n");
    for (const levy_variant *variant = table->variants; variant->kind; ++variant)
        levy_schema_put_topic(out, variant->kind, width, variant->table->doc);
    const char *topic = levy_schema_topic_of(table);
    if (topic) {
        levy_schema_put(out, "\n  Keys of a kind: levy describe ");
        levy_schema_put(out, topic);
        levy_schema_put(out, ".KIND\n");
    }
}

/* Describes a table, and below it the sub-tables that are not topics themselves. */
static void describe_table(levy_schema_writer *out, const levy_table *table, size_t level)
{
    levy_schema_put(out, table->name);
    levy_schema_put(out, "\n");
    if (table->doc) describe_paragraph(out, table->doc, 2);
    describe_shorthand(out, table);
    if (table->variants) {
        describe_kinds(out, table);
        return;
    }
    levy_schema_put(out, "\n");
    describe_fields(out, table);
    for (const levy_field *field = table->fields; field && field->name && level < DESCRIBE_NESTED;
         field++) {
        if (!field->table || levy_schema_topic_of(field->table)) continue;
        levy_schema_put(out, "\n");
        describe_table(out, field->table, level + 1);
    }
}

static void describe_topics(levy_schema_writer *out)
{
    size_t width = 0;
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (strlen(*topic) > width) width = strlen(*topic);
    levy_schema_put(out, "Topics, for levy describe TOPIC:\n\n");
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic) {
        const levy_table *table = levy_catalog_find(*topic);
        levy_schema_put_topic(out, *topic, width, table ? table->doc : NULL);
    }
}

levy_status levy_schema_describe(const char *topic, levy_sink sink, void *user)
{
    levy_schema_writer out = {sink, user, false};
    const levy_table *table = topic ? levy_catalog_find(topic) : NULL;
    if (topic && !table) return LEVY_ARGUMENT;
    if (table)
        describe_table(&out, table, 0);
    else
        describe_topics(&out);
    return out.stopped ? LEVY_IO : LEVY_OK;
}
