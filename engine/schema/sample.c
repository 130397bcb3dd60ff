/* sample.c: see sample.h. */
#include "engine/schema/sample.h"

#include "engine/base/number.h"
#include "engine/schema/example.h"

#include <stdbool.h>
#include <stdio.h>

static bool sample_fits(const levy_field *field, double value)
{
    if (!(field->flags & LEVY_RANGED)) return true;
    const bool low = field->flags & LEVY_LOW_OPEN ? value > field->low : value >= field->low;
    return low && (field->flags & LEVY_HIGH_OPEN ? value < field->high : value <= field->high);
}

static void sample_number(const levy_field *field, char text[LEVY_SAMPLE_SIZE])
{
    static const double likely[] = {1.0, 0.5, 0.95, 0.1};
    char number[LEVY_NUMBER_SIZE];
    double value = field->low;
    for (size_t i = sizeof likely / sizeof *likely; i > 0; --i)
        if (sample_fits(field, likely[i - 1])) value = likely[i - 1];
    levy_number_write(value, number);
    snprintf(text, LEVY_SAMPLE_SIZE, "%s", number);
}

/* A value of a type by itself, or as an item of a list. */
static void sample_type(const levy_field *field, levy_field_type type, char text[LEVY_SAMPLE_SIZE])
{
    const char *fixed = field->table && field->table->example ? field->table->example : "STOCK";
    if (type == LEVY_FIELD_NUMBER || type == LEVY_FIELD_COUNT || type == LEVY_FIELD_TERM) {
        sample_number(field, text);
        return;
    }
    if (type == LEVY_FIELD_FLAG) fixed = "true";
    if (type == LEVY_FIELD_CHOICE) fixed = field->choices[0];
    if (type == LEVY_FIELD_TIME) fixed = "1.0";
    if (type == LEVY_FIELD_DATE) fixed = "2026-11-20";
    if (type == LEVY_FIELD_TENOR) fixed = "3M";
    snprintf(text, LEVY_SAMPLE_SIZE, "%s", fixed);
}

static void sample_made(const levy_field *field, char text[LEVY_SAMPLE_SIZE])
{
    char item[LEVY_SAMPLE_SIZE];
    const char *before = "", *after = "";
    if (field->type == LEVY_FIELD_MATRIX) {
        snprintf(text, LEVY_SAMPLE_SIZE, "[[1, 0.5], [0.5, 1]]");
        return;
    }
    if (field->type == LEVY_FIELD_LIST) {
        before = "[";
        after = "]";
        sample_type(field, field->element, item);
    } else if (field->type == LEVY_FIELD_TIME_VALUES) {
        before = "[[1.0, ";
        after = "]]";
        sample_number(field, item);
    } else if (field->type == LEVY_FIELD_MAP) {
        before = "{NAME: ";
        after = "}";
        sample_type(field, LEVY_FIELD_OBJECT, item);
    } else
        sample_type(field, field->type, item);
    const int n = snprintf(text, LEVY_SAMPLE_SIZE, "%s%.900s%s", before, item, after);
    (void)n;
}

void levy_sample_write(const levy_table *holder, const levy_field *field,
                       char text[LEVY_SAMPLE_SIZE])
{
    const char *value;
    size_t length;
    if (levy_example_value(holder->example, field->name, &value, &length))
        snprintf(text, LEVY_SAMPLE_SIZE, "%.*s", (int)length, value);
    else if (field->example)
        snprintf(text, LEVY_SAMPLE_SIZE, "%s", field->example);
    else if (field->fallback)
        snprintf(text, LEVY_SAMPLE_SIZE, "%s", field->fallback);
    else
        sample_made(field, text);
}
