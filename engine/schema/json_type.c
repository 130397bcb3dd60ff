/* json_type.c: what a field takes, as members of an open JSON Schema. See json_out.h. Must not
 * know: any key's meaning. */
#include "engine/schema/json_out.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JSON_PATTERN = 256 };

#define JSON_NAME_PATTERN "^[A-Za-z0-9_][A-Za-z0-9._-]*$"

/* The members of an open object that say what a field takes. */
typedef void json_part(levy_json_out *out, const levy_field *field);

/* Two objects under a key. */
static void json_two(levy_json_out *out, const char *key, const levy_field *field, json_part *first,
                     json_part *second)
{
    levy_json_begin(out, key, "[");
    levy_json_open(out, "{");
    first(out, field);
    levy_json_close(out, "}");
    levy_json_open(out, "{");
    second(out, field);
    levy_json_close(out, "}");
    levy_json_close(out, "]");
}

static void json_range(levy_json_out *out, const levy_field *field)
{
    char bound[LEVY_NUMBER_SIZE];
    if (!(field->flags & (LEVY_RANGED | LEVY_TOLD))) return;
    if (fabs(field->low) < HUGE_VAL) {
        levy_number_write(field->low, bound);
        levy_json_pair_raw(out, field->flags & LEVY_LOW_OPEN ? "exclusiveMinimum" : "minimum",
                           bound);
    }
    if (fabs(field->high) < HUGE_VAL) {
        levy_number_write(field->high, bound);
        levy_json_pair_raw(out, field->flags & LEVY_HIGH_OPEN ? "exclusiveMaximum" : "maximum",
                           bound);
    }
}

static void json_number(levy_json_out *out, const levy_field *field)
{
    levy_json_pair(out, "type", "number");
    json_range(out, field);
}

/* The reader takes any plain scalar as text, but an editor takes 123 for a number. */
static void json_any_scalar(levy_json_out *out, const levy_field *field)
{
    (void)field;
    levy_json_begin(out, "type", "[");
    levy_json_string(out, "string");
    levy_json_string(out, "number");
    levy_json_string(out, "boolean");
    levy_json_close(out, "]");
}

static void json_string_pattern(levy_json_out *out, const char *pattern)
{
    levy_json_pair(out, "type", "string");
    levy_json_pair(out, "pattern", pattern);
}

/* Those of the powers 2^0 to 2^63 that lie in the field's range, as a pattern: "^2\^0*(2|3)$". */
static void json_powers(levy_json_out *out, const levy_field *field)
{
    char pattern[JSON_PATTERN] = "^2\\^0*(";
    const bool ranged = (field->flags & LEVY_RANGED) != 0;
    size_t at = strlen(pattern);
    for (unsigned k = 0; k < 64; ++k) {
        const double power = (double)((uint64_t)1 << k);
        if (ranged && (power < field->low || power > field->high)) continue;
        at += (size_t)snprintf(pattern + at, sizeof pattern - at, "%s%u",
                               pattern[at - 1] == '(' ? "" : "|", k);
    }
    snprintf(pattern + at, sizeof pattern - at, ")$");
    json_string_pattern(out, pattern);
}

static void json_date(levy_json_out *out, const levy_field *field)
{
    (void)field;
    json_string_pattern(out, LEVY_DATE_PATTERN);
}

static void json_tenor(levy_json_out *out, const levy_field *field)
{
    (void)field;
    json_string_pattern(out, "^([0-9]{1,3}|0[0-9]{3}|1[01][0-9]{2}|1200)[DWMY]$");
}

static void json_integer(levy_json_out *out, const levy_field *field)
{
    levy_json_pair(out, "type", "integer");
    if (!(field->flags & LEVY_RANGED)) {
        levy_json_pair_raw(out, "minimum", "0");
        levy_json_pair_raw(out, "maximum", "18446744073709551615");
    }
    json_range(out, field);
}

static void json_count(levy_json_out *out, const levy_field *field)
{
    json_two(out, "anyOf", field, json_integer, json_powers);
}

static void json_choices(levy_json_out *out, const levy_field *field)
{
    levy_json_begin(out, "enum", "[");
    for (size_t i = 0; field->choices[i]; ++i) {
        char word[LEVY_JSON_NAME];
        const size_t length = strcspn(field->choices[i], "=");
        snprintf(word, sizeof word, "%.*s", (int)length, field->choices[i]);
        const bool none = field->choices[i][length] && !field->choices[i][length + 1];
        if (!none) levy_json_string(out, word); /* "WORD=": none of the choices */
    }
    levy_json_close(out, "]");
}

static void json_time(levy_json_out *out, const levy_field *field)
{
    levy_field years = *field;
    const bool ranged = (field->flags & LEVY_RANGED) != 0;
    if (!ranged || field->low < -LEVY_LONGEST_YEARS) years.low = -LEVY_LONGEST_YEARS;
    if (!ranged || field->high > LEVY_LONGEST_YEARS) years.high = LEVY_LONGEST_YEARS;
    years.flags |= LEVY_RANGED;
    json_two(out, "anyOf", &years, json_date, json_number);
}

static void json_table(levy_json_out *out, const levy_field *field)
{
    levy_json_begin(out, "allOf", "["); /* draft-07 ignores what stands beside a $ref */
    levy_json_refer(out, field->table, NULL, NULL);
    levy_json_close(out, "]");
}

static void json_array(levy_json_out *out, const levy_field *field)
{
    levy_json_pair(out, "type", "array");
    if (field->flags & LEVY_NON_EMPTY) levy_json_pair_raw(out, "minItems", "1");
    if (field->flags & LEVY_UNIQUE) levy_json_pair_raw(out, "uniqueItems", "true");
    levy_json_begin(out, "items", "{");
    if (field->type == LEVY_FIELD_LIST)
        levy_json_type(out, field, field->element);
    else {
        levy_json_pair(out, "type", "array");
        levy_json_begin(out, "items", "{");
        json_number(out, field);
        levy_json_close(out, "}");
    }
    levy_json_close(out, "}");
}

static void json_element(levy_json_out *out, const levy_field *field)
{
    levy_json_type(out, field, field->element);
}

/* The reader takes what stands by itself as a list of one. */
static void json_list(levy_json_out *out, const levy_field *field)
{
    if (levy_field_has_numbers(field))
        json_two(out, "anyOf", field, json_element, json_array);
    else
        json_array(out, field);
}

static void json_any_time(levy_json_out *out, const levy_field *field)
{
    static const levy_field any_time = {.name = "", .type = LEVY_FIELD_TIME};
    (void)field;
    json_time(out, &any_time);
}

static void json_time_values(levy_json_out *out, const levy_field *field)
{
    levy_json_pair(out, "type", "array");
    if (field->flags & LEVY_NON_EMPTY) levy_json_pair_raw(out, "minItems", "1");
    levy_json_begin(out, "items", "{");
    levy_json_pair(out, "type", "array");
    levy_json_pair_raw(out, "minItems", "2");
    levy_json_pair_raw(out, "maxItems", "2");
    json_two(out, "items", field, json_any_time, json_number);
    levy_json_close(out, "}");
}

static void json_by_term(levy_json_out *out, const levy_field *field)
{
    levy_field nodes = *field;
    nodes.flags |= LEVY_NON_EMPTY;
    levy_json_pair(out, "type", "object");
    levy_json_begin(out, "properties", "{");
    levy_json_begin(out, "kind", "{");
    levy_json_pair(out, "const", "term");
    levy_json_close(out, "}");
    levy_json_begin(out, "nodes", "{");
    json_time_values(out, &nodes);
    levy_json_close(out, "}");
    levy_json_close(out, "}");
    levy_json_pair_raw(out, "required", "[\"kind\", \"nodes\"]");
    levy_json_pair_raw(out, "additionalProperties", "false");
}

static void json_term(levy_json_out *out, const levy_field *field)
{
    json_two(out, "anyOf", field, json_number, json_by_term);
}

static void json_map(levy_json_out *out, const levy_field *field)
{
    levy_json_pair(out, "type", "object");
    if (field->flags & LEVY_NON_EMPTY) levy_json_pair_raw(out, "minProperties", "1");
    levy_json_begin(out, "propertyNames", "{");
    levy_json_pair(out, "pattern", JSON_NAME_PATTERN);
    levy_json_pair_raw(out, "maxLength", "128");
    levy_json_close(out, "}");
    levy_json_key(out, "additionalProperties");
    levy_json_refer(out, field->table, NULL, NULL);
}

/* A number, too, is a name if it begins with a digit, and true is one. */
static void json_name(levy_json_out *out, const levy_field *field)
{
    if (field->pattern) {
        json_string_pattern(out, field->pattern);
        return;
    }
    json_any_scalar(out, field);
    levy_json_pair(out, "pattern", JSON_NAME_PATTERN);
    levy_json_pair_raw(out, "maxLength", "128");
    levy_json_pair_raw(out, "minimum", "0");
}

static void json_flag(levy_json_out *out, const levy_field *field)
{
    (void)field;
    levy_json_pair(out, "type", "boolean");
}

static void json_node(levy_json_out *out, const levy_field *field)
{
    if (field->json) levy_json_raw(out, field->json);
}

void levy_json_type(levy_json_out *out, const levy_field *field, levy_field_type type)
{
    static json_part *const parts[] = {
#define FIELD_TYPE(type, words, item, read, json) [LEVY_FIELD_##type] = json,
#include "engine/schema/field_types.def"
#undef FIELD_TYPE
    };
    parts[type](out, field);
}
