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

static bool scalar_refuse(const levy_spot *at, const char *due, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(at->node, shown);
    LEVY_SPOT_FAULT(at, TYPE, hint, "expected %s; got %s", due, shown);
    return false;
}

static bool scalar_refuse_range(const levy_spot *at, const char *rule, const char *hint)
{
    char shown[LEVY_SHOWN_SIZE];
    levy_reader_show(at->node, shown);
    if (at->node->kind == LEVY_NODE_SCALAR && !at->node->quoted &&
        at->node->length + 2 < sizeof shown)
        snprintf(shown, sizeof shown, "%s", at->node->text); /* numbers without quotation marks */
    LEVY_SPOT_FAULT(at, RANGE, hint, "%s; got %s", rule, shown);
    return false;
}

static const char *scalar_range_hint(const levy_field *field, double value)
{
    const char *unit = field->unit;
    const bool rate = unit && (strcmp(unit, "1/year") == 0 || strcmp(unit, "1/sqrt(year)") == 0);
    if (rate && value > field->high) return "Rates and volatilities are decimals: 0.20, not 20.";
    return field->doc;
}

static bool scalar_is_in_range(const levy_spot *at, const levy_field *field, double value)
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
    return scalar_refuse_range(at, rule, scalar_range_hint(field, value));
}

/* ---- Types ---- */

/* null and ~ may have been meant as text, an empty value may not. */
static const char *scalar_nothing_hint(const levy_node *node)
{
    return node->length == 0 ? "Write a value, or delete the key."
                             : "Write a value, or delete the key. Put a text that reads like this "
                               "in quotes.";
}

static bool scalar_text(const levy_spot *at, const char **target)
{
    if (at->node->kind != LEVY_NODE_SCALAR)
        return scalar_refuse(at, "text", "Write one word or one quoted text.");
    if (levy_node_is_nothing(at->node))
        return scalar_refuse(at, "text", scalar_nothing_hint(at->node));
    *target = at->node->text;
    return true;
}

bool levy_reader_name(const levy_spot *at)
{
    bool good = at->node->kind == LEVY_NODE_SCALAR && at->node->length > 0;
    for (size_t i = 0; i < at->node->length && good; ++i)
        good = levy_advice_in_name(at->node->text[i], i == 0);
    if (!good) return scalar_refuse(at, "a name", levy_advice_name(at->reader, at->node));
    if (at->node->length <= SCALAR_NAME_BYTES) return true;
    LEVY_SPOT_FAULT(at, LIMIT, "Choose a shorter name.",
                    "the name is too long: %zu bytes; the limit is %d", (size_t)at->node->length,
                    SCALAR_NAME_BYTES);
    return false;
}

static bool scalar_number(const levy_spot *at, const levy_field *field, double *target)
{
    double value = 0.0;
    levy_number_result result = LEVY_NUMBER_GRAMMAR;
    if (at->node->kind == LEVY_NODE_SCALAR && !at->node->quoted)
        result = levy_number_read(at->node->text, at->node->length, &value);
    if (result == LEVY_NUMBER_OVERFLOW)
        return scalar_refuse_range(at, "the number is too large", "Numbers must be below 1.8e308.");
    if (result != LEVY_NUMBER_OK)
        return scalar_refuse(at, "a number",
                             levy_advice_number(at->reader, field, at->node, at->trail));
    if (!scalar_is_in_range(at, field, value)) return false;
    *target = value;
    return true;
}

/* 2^k may be quoted: JSON has no other way to write it. */
static bool scalar_count(const levy_spot *at, const levy_field *field, uint64_t *target)
{
    uint64_t value = 0;
    levy_number_result result = LEVY_NUMBER_GRAMMAR;
    if (at->node->kind == LEVY_NODE_SCALAR &&
        (!at->node->quoted || memchr(at->node->text, '^', at->node->length)))
        result = levy_count_read(at->node->text, at->node->length, &value);
    if (result == LEVY_NUMBER_OVERFLOW)
        return scalar_refuse_range(at, "the count is too large", "Counts must be below 2^64.");
    if (result != LEVY_NUMBER_OK)
        return scalar_refuse(at, "a count", levy_advice_count(at->reader, at->node));
    if (!scalar_is_in_range(at, field, (double)value)) return false;
    *target = value;
    return true;
}

static bool scalar_flag(const levy_spot *at, bool *target)
{
    const bool plain = at->node->kind == LEVY_NODE_SCALAR && !at->node->quoted;
    const bool yes = plain && strcmp(at->node->text, "true") == 0,
               no = plain && strcmp(at->node->text, "false") == 0;
    if (yes || no) {
        *target = yes;
        return true;
    }
    return scalar_refuse(at, "true or false",
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

static bool scalar_choice(const levy_spot *at, const levy_field *field, int32_t *target)
{
    const bool scalar = at->node->kind == LEVY_NODE_SCALAR;
    const int32_t index =
        scalar ? scalar_find_choice(field->choices, at->node->text, at->node->length) : -1;
    if (index >= 0) {
        *target = index;
        return true;
    }
    const char *hint =
        field->hint ? field->hint : levy_reader_join(at->reader, "One of: ", field->choices);
    const char *const write = scalar ? levy_synonym_value(field, at->node->text) : NULL;
    if (write) hint = levy_arena_format(at->reader->arena, "Write %s.", write);
    const char *pairs = scalar && !write && at->trail->table
                            ? levy_says(at->reader, at->trail->table, at->node)
                            : NULL;
    const size_t n = field->name ? strlen(field->name) : 0;
    if (pairs && strncmp(pairs + 1, field->name, n) == 0 && pairs[n + 1] == ':')
        pairs = NULL; /* it is this field's word in other letters */
    if (pairs)
        hint =
            levy_arena_format(at->reader->arena, "Write %s in place of %s.", pairs, at->trail->key);
    else if (scalar && !write)
        hint = levy_hint_kind(at->reader, field, at->node, hint);
    if (!scalar || at->node->length == 0) return scalar_refuse(at, "one word", hint);
    char shown[LEVY_SHOWN_SIZE], meant[LEVY_MEANT_SIZE];
    levy_reader_show(at->node, shown);
    LEVY_SPOT_FAULT(
        at, UNKNOWN_NAME, hint, "unknown value %s%s", shown,
        levy_meant(write || pairs ? NULL : scalar_nearest_choice(field->choices, at->node->text),
                   meant));
    return false;
}

/* ---- Times ---- */

static bool scalar_date(const levy_spot *at, levy_date *target)
{
    if (at->node->kind == LEVY_NODE_SCALAR &&
        levy_date_read(at->node->text, at->node->length, target))
        return true;
    return scalar_refuse(at, "a date", levy_advice_date(at->reader, at->node));
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

static bool scalar_years(const levy_spot *at, const levy_field *field, double *years)
{
    static const levy_field any = {.flags = 0};
    double value = 0.0;
    if (!scalar_number(at, &any, &value)) return false;
    if (value > LEVY_LONGEST_YEARS || value < -LEVY_LONGEST_YEARS) {
        const char *const form = levy_advice_date(at->reader, at->node);
        return scalar_refuse_range(at, LEVY_TOO_LONG,
                                   form == levy_advice_any_date ? LEVY_TOO_LONG_HINT : form);
    }
    if (!scalar_is_in_range(at, field, value)) return false;
    *years = value;
    return true;
}

static bool scalar_time(const levy_spot *at, const levy_field *field, levy_time *target)
{
    const bool scalar = at->node->kind == LEVY_NODE_SCALAR;
    levy_time time = {.node = at->node};
    time.is_date = scalar && levy_date_read(at->node->text, at->node->length, &time.date);
    if (!time.is_date) {
        double value = 0.0;
        const bool number = scalar && levy_number_read(at->node->text, at->node->length, &value) !=
                                          LEVY_NUMBER_GRAMMAR;
        if (scalar && levy_catalog_early(at->node->text))
            return scalar_refuse(at, "a date (YYYY-MM-DD) or a number of years",
                                 levy_advice_style(at->reader, at->node));
        if (scalar && scalar_looks_like_date(at->node))
            return scalar_refuse(at, "a date", levy_advice_date(at->reader, at->node));
        levy_tenor tenor;
        if (scalar && levy_tenor_read(at->node->text, at->node->length, &tenor))
            return scalar_refuse(at, "a date (YYYY-MM-DD) or a number of years",
                                 levy_advice_tenor(at->reader, &tenor));
        if (!number)
            return scalar_refuse(at, "a date (YYYY-MM-DD) or a number of years",
                                 scalar && at->node->length > 0
                                     ? levy_advice_any_date
                                     : "Write a date, such as 2026-11-20, or 1.5 (years).");
        if (!scalar_years(at, field, &time.years)) return false;
    }
    *target = time;
    return true;
}

static bool scalar_tenor(const levy_spot *at, levy_tenor *target)
{
    if (at->node->kind == LEVY_NODE_SCALAR &&
        levy_tenor_read(at->node->text, at->node->length, target))
        return true;
    return scalar_refuse(at, "a tenor", scalar_tenor_hint);
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

bool levy_reader_scalar(const levy_spot *at, const levy_field *field, void *target)
{
    const levy_field_type type = field->type;
    if (type == LEVY_FIELD_TEXT) return scalar_text(at, target);
    if (type == LEVY_FIELD_NAME && field->hint && at->node->kind != LEVY_NODE_SCALAR)
        return scalar_refuse(at, "a name", field->hint);
    if (type == LEVY_FIELD_NAME && at->node->length > 0 && levy_node_is_nothing(at->node))
        return scalar_refuse(at, "a name", scalar_nothing_hint(at->node));
    if (type == LEVY_FIELD_NAME) return levy_reader_name(at) && scalar_text(at, target);
    if (type == LEVY_FIELD_NUMBER) return scalar_number(at, field, target);
    if (type == LEVY_FIELD_COUNT) return scalar_count(at, field, target);
    if (type == LEVY_FIELD_FLAG) return scalar_flag(at, target);
    if (type == LEVY_FIELD_CHOICE) return scalar_choice(at, field, target);
    if (type == LEVY_FIELD_TIME) return scalar_time(at, field, target);
    if (type == LEVY_FIELD_DATE) return scalar_date(at, target);
    return scalar_tenor(at, target);
}

bool levy_read_number(const levy_reader *reader, const levy_node *node, const char *path,
                      double *value)
{
    static const levy_field any = {.type = LEVY_FIELD_NUMBER};
    const levy_trail trail = {.key = path};
    return scalar_number(&(levy_spot){reader, node, &trail}, &any, value);
}

bool levy_read_time(const levy_reader *reader, const levy_node *node, const char *path,
                    levy_time *value)
{
    static const levy_field any = {.type = LEVY_FIELD_TIME};
    const levy_trail trail = {.key = path};
    return scalar_time(&(levy_spot){reader, node, &trail}, &any, value);
}
