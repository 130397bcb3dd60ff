/* read_scalar.c: one scalar node into one C value by its field: types come from the table, never
 * from the look of the text. Must not know: any key's meaning. */
#include "engine/schema/advice.h"
#include "engine/schema/example.h"
#include "engine/schema/hints.h"
#include "engine/schema/says.h"
#include "engine/schema/synonyms.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SCALAR_NAME_BYTES = 128, SCALAR_CHOICES = 64 };

static const char scalar_tenor_hint[] = "Write a count and D, W, M or Y: 2D, 3W, 6M, 1Y.";

/* ---- Refusals ---- */

static bool scalar_refuse(const levy_reader *reader, const levy_node *node, const levy_trail *trail,
                          const char *due, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(node, shown);
    levy_reader_fault(reader, LEVY_REASON_TYPE, &node->place, trail, hint, "expected %s; got %s",
                      due, shown);
    return false;
}

static bool scalar_refuse_range(const levy_reader *reader, const levy_node *node,
                                const levy_trail *trail, const char *rule, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(node, shown);
    if (node->kind == LEVY_NODE_SCALAR && !node->quoted && node->length + 2 < sizeof shown)
        snprintf(shown, sizeof shown, "%s", node->text); /* numbers without quotation marks */
    levy_reader_fault(reader, LEVY_REASON_RANGE, &node->place, trail, hint, "%s; got %s", rule,
                      shown);
    return false;
}

static const char *scalar_range_hint(const levy_field *field, double value)
{
    const char *unit = field->unit;
    const bool rate = unit && (strcmp(unit, "1/year") == 0 || strcmp(unit, "1/sqrt(year)") == 0);
    if (rate && value > field->high) return "Rates and volatilities are decimals: 0.20, not 20.";
    return field->doc;
}

static bool scalar_is_in_range(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail, double value)
{
    char bound[LEVY_NUMBER_SIZE], rule[LEVY_NUMBER_SIZE + 16];
    if (!(field->flags & LEVY_RANGED)) return true;
    const bool low_open = field->flags & LEVY_LOW_OPEN, high_open = field->flags & LEVY_HIGH_OPEN;
    const bool low = low_open ? value > field->low : value >= field->low;
    const bool high = high_open ? value < field->high : value <= field->high;
    if (low && high) return true;
    const bool open = low ? high_open : low_open;
    const char *sign = low ? "<" : ">";
    levy_number_write(low ? field->high : field->low, bound);
    if (field->low == field->high)
        snprintf(rule, sizeof rule, "must be %s", bound);
    else
        snprintf(rule, sizeof rule, "must be %s%s %s", sign, open ? "" : "=", bound);
    return scalar_refuse_range(reader, node, trail, rule, scalar_range_hint(field, value));
}

/* ---- Types ---- */

/* null and ~ may have been meant as text, an empty value may not. */
static const char *scalar_nothing_hint(const levy_node *node)
{
    return node->length == 0 ? "Write a value, or delete the key."
                             : "Write a value, or delete the key. Put a text that reads like this "
                               "in quotes.";
}

static bool scalar_text(const levy_reader *reader, const levy_node *node, const levy_trail *trail,
                        const char **target)
{
    if (node->kind != LEVY_NODE_SCALAR)
        return scalar_refuse(reader, node, trail, "text", "Write one word or one quoted text.");
    if (levy_node_is_nothing(node))
        return scalar_refuse(reader, node, trail, "text", scalar_nothing_hint(node));
    *target = node->text;
    return true;
}

bool levy_reader_name(const levy_reader *reader, const levy_node *node, const levy_trail *trail)
{
    bool good = node->kind == LEVY_NODE_SCALAR && node->length > 0;
    for (size_t i = 0; i < node->length && good; ++i)
        good = levy_advice_in_name(node->text[i], i == 0);
    if (!good) return scalar_refuse(reader, node, trail, "a name", levy_advice_name(reader, node));
    if (node->length <= SCALAR_NAME_BYTES) return true;
    levy_reader_fault(reader, LEVY_REASON_LIMIT, &node->place, trail, "Choose a shorter name.",
                      "the name is too long: %zu bytes; the limit is %d", (size_t)node->length,
                      SCALAR_NAME_BYTES);
    return false;
}

static bool scalar_number(const levy_reader *reader, const levy_field *field, const levy_node *node,
                          const levy_trail *trail, double *target)
{
    double value = 0.0;
    levy_number_result result = LEVY_NUMBER_GRAMMAR;
    if (node->kind == LEVY_NODE_SCALAR && !node->quoted)
        result = levy_number_read(node->text, node->length, &value);
    if (result == LEVY_NUMBER_OVERFLOW)
        return scalar_refuse_range(reader, node, trail, "the number is too large",
                                   "Numbers must be below 1.8e308.");
    if (result != LEVY_NUMBER_OK)
        return scalar_refuse(reader, node, trail, "a number",
                             levy_advice_number(reader, field, node, trail));
    if (!scalar_is_in_range(reader, field, node, trail, value)) return false;
    *target = value;
    return true;
}

/* 2^k may be quoted: JSON has no other way to write it. */
static bool scalar_count(const levy_reader *reader, const levy_field *field, const levy_node *node,
                         const levy_trail *trail, uint64_t *target)
{
    uint64_t value = 0;
    levy_number_result result = LEVY_NUMBER_GRAMMAR;
    if (node->kind == LEVY_NODE_SCALAR && (!node->quoted || memchr(node->text, '^', node->length)))
        result = levy_count_read(node->text, node->length, &value);
    if (result == LEVY_NUMBER_OVERFLOW)
        return scalar_refuse_range(reader, node, trail, "the count is too large",
                                   "Counts must be below 2^64.");
    if (result != LEVY_NUMBER_OK)
        return scalar_refuse(reader, node, trail, "a count", levy_advice_count(reader, node));
    if (!scalar_is_in_range(reader, field, node, trail, (double)value)) return false;
    *target = value;
    return true;
}

static bool scalar_flag(const levy_reader *reader, const levy_node *node, const levy_trail *trail,
                        bool *target)
{
    const bool plain = node->kind == LEVY_NODE_SCALAR && !node->quoted;
    const bool yes = plain && strcmp(node->text, "true") == 0,
               no = plain && strcmp(node->text, "false") == 0;
    if (yes || no) {
        *target = yes;
        return true;
    }
    return scalar_refuse(reader, node, trail, "true or false",
                         "Write true or false in lower case, without quotes. yes, no, on, off, "
                         "1 and 0 are not supported.");
}

/* ---- Choices ---- */

/* The index of `word` among the choices, through an alias if it is one; -1: none. */
static int32_t scalar_find_choice(const char *const *choices, const char *word, size_t length)
{
    for (int32_t i = 0; choices[i]; ++i) {
        const char *alias_end = strchr(choices[i], '=');
        const size_t n = alias_end ? (size_t)(alias_end - choices[i]) : strlen(choices[i]);
        if (n != length || memcmp(choices[i], word, n) != 0) continue;
        return alias_end ? scalar_find_choice(choices, alias_end + 1, strlen(alias_end + 1)) : i;
    }
    return -1;
}

/* The choice nearest to the word, never an alias. A word that stands there as "WORD=" means
 * something that is none of the choices, so that none is meant. */
static const char *scalar_nearest_choice(const char *const *choices, const char *word)
{
    const char *own[SCALAR_CHOICES + 1];
    size_t n = 0;
    for (size_t i = 0; choices[i]; ++i) {
        const size_t length = strlen(choices[i]);
        const bool none = choices[i][length - 1] == '=';
        if (none && strlen(word) == length - 1 && memcmp(choices[i], word, length - 1) == 0)
            return NULL;
    }
    for (size_t i = 0; choices[i] && n < SCALAR_CHOICES; ++i)
        if (!strchr(choices[i], '=')) own[n++] = choices[i];
    own[n] = NULL;
    return levy_nearest(word, own);
}

static bool scalar_choice(const levy_reader *reader, const levy_field *field, const levy_node *node,
                          const levy_trail *trail, int32_t *target)
{
    const bool scalar = node->kind == LEVY_NODE_SCALAR;
    const int32_t index =
        scalar ? scalar_find_choice(field->choices, node->text, node->length) : -1;
    if (index >= 0) {
        *target = index;
        return true;
    }
    const char *hint =
        field->hint ? field->hint : levy_reader_join(reader, "One of: ", field->choices);
    const char *const write = scalar ? levy_synonym_value(field, node->text) : NULL;
    if (write) hint = levy_arena_format(reader->arena, "Write %s.", write);
    const char *pairs =
        scalar && !write && trail->table ? levy_says(reader, trail->table, node) : NULL;
    const size_t n = field->name ? strlen(field->name) : 0;
    if (pairs && strncmp(pairs + 1, field->name, n) == 0 && pairs[n + 1] == ':')
        pairs = NULL; /* it is this field's word in other letters */
    if (pairs)
        hint = levy_arena_format(reader->arena, "Write %s in place of %s.", pairs, trail->key);
    else if (scalar && !write)
        hint = levy_hint_kind(reader, field, node, hint);
    if (!scalar || node->length == 0) return scalar_refuse(reader, node, trail, "one word", hint);
    char shown[LEVY_SHOWN_SIZE], meant[LEVY_MEANT_SIZE];
    levy_reader_show(node, shown);
    levy_reader_fault(
        reader, LEVY_REASON_UNKNOWN_NAME, &node->place, trail, hint, "unknown value %s%s", shown,
        levy_meant(write || pairs ? NULL : scalar_nearest_choice(field->choices, node->text),
                   meant));
    return false;
}

/* ---- Times ---- */

static bool scalar_date(const levy_reader *reader, const levy_node *node, const levy_trail *trail,
                        levy_date *target)
{
    if (node->kind == LEVY_NODE_SCALAR && levy_date_read(node->text, node->length, target))
        return true;
    return scalar_refuse(reader, node, trail, "a date", levy_advice_date(reader, node));
}

static bool scalar_looks_like_date(const levy_node *node)
{
    size_t digits = 0, marks = 0;
    for (size_t i = 0; i < node->length; ++i) {
        if (levy_advice_is_digit(node->text[i]))
            digits++;
        else if (i > 0 && strchr("-/.:T", node->text[i]))
            marks++;
        else
            return false;
    }
    return digits >= 4 && marks >= 2;
}

static bool scalar_years(const levy_reader *reader, const levy_field *field, const levy_node *node,
                         const levy_trail *trail, double *years)
{
    static const levy_field any = {.flags = 0};
    double value = 0.0;
    if (!scalar_number(reader, &any, node, trail, &value)) return false;
    if (value > LEVY_LONGEST_YEARS || value < -LEVY_LONGEST_YEARS) {
        const char *const form = levy_advice_date(reader, node);
        return scalar_refuse_range(reader, node, trail, LEVY_TOO_LONG,
                                   form == levy_advice_any_date ? LEVY_TOO_LONG_HINT : form);
    }
    if (!scalar_is_in_range(reader, field, node, trail, value)) return false;
    *years = value;
    return true;
}

static bool scalar_time(const levy_reader *reader, const levy_field *field, const levy_node *node,
                        const levy_trail *trail, levy_time *target)
{
    const bool scalar = node->kind == LEVY_NODE_SCALAR;
    levy_time time = {.node = node};
    time.is_date = scalar && levy_date_read(node->text, node->length, &time.date);
    if (!time.is_date) {
        double value = 0.0;
        const bool number =
            scalar && levy_number_read(node->text, node->length, &value) != LEVY_NUMBER_GRAMMAR;
        if (scalar && levy_catalog_early(node->text))
            return scalar_refuse(reader, node, trail, "a date (YYYY-MM-DD) or a number of years",
                                 levy_advice_style(reader, node));
        if (scalar && scalar_looks_like_date(node))
            return scalar_refuse(reader, node, trail, "a date", levy_advice_date(reader, node));
        levy_tenor tenor;
        if (scalar && levy_tenor_read(node->text, node->length, &tenor))
            return scalar_refuse(reader, node, trail, "a date (YYYY-MM-DD) or a number of years",
                                 levy_advice_tenor(reader, &tenor));
        if (!number)
            return scalar_refuse(reader, node, trail, "a date (YYYY-MM-DD) or a number of years",
                                 scalar && node->length > 0
                                     ? levy_advice_any_date
                                     : "Write a date, such as 2026-11-20, or 1.5 (years).");
        if (!scalar_years(reader, field, node, trail, &time.years)) return false;
    }
    *target = time;
    return true;
}

static bool scalar_tenor(const levy_reader *reader, const levy_node *node, const levy_trail *trail,
                         levy_tenor *target)
{
    if (node->kind == LEVY_NODE_SCALAR && levy_tenor_read(node->text, node->length, target))
        return true;
    return scalar_refuse(reader, node, trail, "a tenor", scalar_tenor_hint);
}

/* ---- By type ---- */

bool levy_reader_is_scalar(levy_field_type type) { return type <= LEVY_FIELD_TENOR; }

void levy_reader_absent(levy_field_type type, void *target)
{
    if (type == LEVY_FIELD_NUMBER)
        *(double *)target = (double)NAN;
    else if (type == LEVY_FIELD_CHOICE)
        *(int32_t *)target = -1;
    else if (type == LEVY_FIELD_DATE)
        *(levy_date *)target = INT32_MIN;
}

bool levy_reader_scalar(const levy_reader *reader, const levy_field *field, const levy_node *node,
                        const levy_trail *trail, void *target)
{
    const levy_field_type type = field->type;
    if (type == LEVY_FIELD_TEXT) return scalar_text(reader, node, trail, target);
    if (type == LEVY_FIELD_NAME && field->hint && node->kind != LEVY_NODE_SCALAR)
        return scalar_refuse(reader, node, trail, "a name", field->hint);
    if (type == LEVY_FIELD_NAME && node->length > 0 && levy_node_is_nothing(node))
        return scalar_refuse(reader, node, trail, "a name", scalar_nothing_hint(node));
    if (type == LEVY_FIELD_NAME)
        return levy_reader_name(reader, node, trail) && scalar_text(reader, node, trail, target);
    if (type == LEVY_FIELD_NUMBER) return scalar_number(reader, field, node, trail, target);
    if (type == LEVY_FIELD_COUNT) return scalar_count(reader, field, node, trail, target);
    if (type == LEVY_FIELD_FLAG) return scalar_flag(reader, node, trail, target);
    if (type == LEVY_FIELD_CHOICE) return scalar_choice(reader, field, node, trail, target);
    if (type == LEVY_FIELD_TIME) return scalar_time(reader, field, node, trail, target);
    if (type == LEVY_FIELD_DATE) return scalar_date(reader, node, trail, target);
    return scalar_tenor(reader, node, trail, target);
}

bool levy_read_number(const levy_reader *reader, const levy_node *node, const char *path,
                      double *value)
{
    static const levy_field any = {.type = LEVY_FIELD_NUMBER};
    const levy_trail trail = {.key = path};
    return scalar_number(reader, &any, node, &trail, value);
}

bool levy_read_time(const levy_reader *reader, const levy_node *node, const char *path,
                    levy_time *value)
{
    static const levy_field any = {.type = LEVY_FIELD_TIME};
    const levy_trail trail = {.key = path};
    return scalar_time(reader, &any, node, &trail, value);
}
