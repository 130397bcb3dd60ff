/* json_schema.c: the tables as one JSON Schema, draft-07, for editors and other checkers: one
 * definition per table, one per kind of a variant. Written straight into the sink. Source:
 * json-schema.org, draft-07 (2018). It accepts what the reader and the rooms above accept; what
 * a schema cannot say (a name that is defined elsewhere, a sum) it accepts too, and
 * tests/mutants/differences.txt lists it. Must not know: any key's meaning. */
#include "engine/schema/writer.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { JSON_DEPTH = 32, JSON_DEFINITIONS = 256, JSON_NAME = 128, JSON_PATTERN = 256 };

#define JSON_NAME_PATTERN "^[A-Za-z0-9_][A-Za-z0-9._-]*$"

/* One definition: a table, or the object of one kind of a table with variants. */
typedef struct json_definition {
    const levy_table *table;
    const levy_table *parent;
    const char *kind;
} json_definition;

typedef struct json_out {
    levy_schema_writer writer;
    size_t depth;
    bool comma[JSON_DEPTH]; /* an item came before */
    bool after_key;
    json_definition definitions[JSON_DEFINITIONS];
    size_t n_definitions;
    const levy_more_kinds *kinds; /* that files define; NULL: none */
} json_out;

/* ---- JSON text ---- */

static void json_text(json_out *out, const char *text) { levy_schema_put(&out->writer, text); }

static void json_quoted(json_out *out, const char *text)
{
    json_text(out, "\"");
    while (*text) {
        size_t plain = 0;
        while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\')
            plain++;
        levy_schema_put_part(&out->writer, text, plain);
        text += plain;
        if (!*text) break;
        char escape[8];
        if (*text == '"' || *text == '\\')
            snprintf(escape, sizeof escape, "\\%c", *text);
        else
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)(unsigned char)*text);
        json_text(out, escape);
        text++;
    }
    json_text(out, "\"");
}

/* Writes what goes before an item: nothing after a key, otherwise a comma and a new line. */
static void json_item(json_out *out)
{
    if (!out->after_key && out->depth > 0) {
        json_text(out, out->comma[out->depth - 1] ? ",\n" : "\n");
        levy_schema_put_blanks(&out->writer, 2 * out->depth);
        out->comma[out->depth - 1] = true;
    }
    out->after_key = false;
}

static void json_open(json_out *out, const char *bracket)
{
    json_item(out);
    json_text(out, bracket);
    if (out->depth < JSON_DEPTH) out->comma[out->depth++] = false;
}

static void json_close(json_out *out, const char *bracket)
{
    out->depth--;
    if (out->comma[out->depth]) {
        json_text(out, "\n");
        levy_schema_put_blanks(&out->writer, 2 * out->depth);
    }
    json_text(out, bracket);
}

static void json_key(json_out *out, const char *key)
{
    json_item(out);
    json_quoted(out, key);
    json_text(out, ": ");
    out->after_key = true;
}

static void json_string(json_out *out, const char *text)
{
    json_item(out);
    json_quoted(out, text);
}

static void json_raw(json_out *out, const char *text)
{
    json_item(out);
    json_text(out, text);
}

static void json_pair(json_out *out, const char *key, const char *text)
{
    json_key(out, key);
    json_string(out, text);
}

static void json_pair_raw(json_out *out, const char *key, const char *text)
{
    json_key(out, key);
    json_raw(out, text);
}

/* ---- Definitions ---- */

static const json_definition *json_define(json_out *out, const levy_table *table,
                                          const levy_table *parent, const char *kind)
{
    for (size_t i = 0; i < out->n_definitions; ++i) {
        const json_definition *known = &out->definitions[i];
        if (known->table == table && known->parent == parent && known->kind == kind) return known;
    }
    if (out->n_definitions == JSON_DEFINITIONS) return NULL;
    out->definitions[out->n_definitions] = (json_definition){table, parent, kind};
    return &out->definitions[out->n_definitions++];
}

/* The kinds that files define for a table; NULL: none. */
static const levy_variant *json_more(const json_out *out, const levy_table *table)
{
    return out->kinds && out->kinds->of == table ? out->kinds->variants : NULL;
}

static void json_collect(json_out *out, const levy_table *file)
{
    json_define(out, file, NULL, NULL);
    for (size_t i = 0; i < out->n_definitions; ++i) {
        const levy_table *table = out->definitions[i].table;
        for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant)
            json_define(out, variant->table, table, variant->kind);
        for (const levy_variant *more = json_more(out, table); more && more->kind; ++more)
            if (more->table) json_define(out, more->table, table, more->kind);
        for (const levy_field *field = table->fields; field && field->name; ++field)
            if (field->table) json_define(out, field->table, NULL, NULL);
    }
}

static const char *json_kind(const json_definition *definition)
{
    return definition->kind ? definition->kind : "";
}

/* "payoff" or "payoff.asian"; a number is added if two tables have the same name. */
static void json_definition_name(const json_out *out, const json_definition *definition,
                                 char name[JSON_NAME])
{
    const char *base = definition->kind ? definition->parent->name : definition->table->name;
    size_t same = 1;
    for (const json_definition *other = out->definitions; other < definition; ++other) {
        const char *other_base = other->kind ? other->parent->name : other->table->name;
        if (strcmp(base, other_base) == 0 && strcmp(json_kind(definition), json_kind(other)) == 0)
            same++;
    }
    int n = snprintf(name, JSON_NAME, "%s%s%s", base, definition->kind ? "." : "",
                     json_kind(definition));
    if (same > 1 && n > 0 && n < JSON_NAME) snprintf(name + n, JSON_NAME - (size_t)n, "-%zu", same);
    for (char *c = name; *c; ++c)
        if (*c == ' ' || *c == '/' || *c == '#' || *c == '%') *c = '_';
}

static void json_reference(json_out *out, const levy_table *table, const levy_table *parent,
                           const char *kind)
{
    char name[JSON_NAME], reference[JSON_NAME + 16];
    const json_definition *definition = json_define(out, table, parent, kind);
    if (!definition) return;
    json_definition_name(out, definition, name);
    snprintf(reference, sizeof reference, "#/definitions/%s", name);
    json_pair(out, "$ref", reference);
}

/* ---- Types: each writes the members of an open object ---- */

static void json_range(json_out *out, const levy_field *field)
{
    char bound[LEVY_NUMBER_SIZE];
    if (!(field->flags & (LEVY_RANGED | LEVY_TOLD))) return;
    if (fabs(field->low) < HUGE_VAL) {
        levy_number_write(field->low, bound);
        json_pair_raw(out, field->flags & LEVY_LOW_OPEN ? "exclusiveMinimum" : "minimum", bound);
    }
    if (fabs(field->high) < HUGE_VAL) {
        levy_number_write(field->high, bound);
        json_pair_raw(out, field->flags & LEVY_HIGH_OPEN ? "exclusiveMaximum" : "maximum", bound);
    }
}

/* The reader takes any plain scalar as text, but an editor takes 123 for a number. */
static void json_any_scalar(json_out *out)
{
    json_key(out, "type");
    json_open(out, "[");
    json_string(out, "string");
    json_string(out, "number");
    json_string(out, "boolean");
    json_close(out, "]");
}

static void json_string_pattern(json_out *out, const char *pattern)
{
    json_pair(out, "type", "string");
    json_pair(out, "pattern", pattern);
}

/* Those of the powers 2^0 to 2^63 that lie in the field's range, as a pattern: "^2\^0*(2|3)$". */
static void json_powers(json_out *out, const levy_field *field)
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

static void json_count(json_out *out, const levy_field *field)
{
    json_key(out, "anyOf");
    json_open(out, "[");
    json_open(out, "{");
    json_pair(out, "type", "integer");
    if (!(field->flags & LEVY_RANGED)) {
        json_pair_raw(out, "minimum", "0");
        json_pair_raw(out, "maximum", "18446744073709551615");
    }
    json_range(out, field);
    json_close(out, "}");
    json_open(out, "{");
    json_powers(out, field);
    json_close(out, "}");
    json_close(out, "]");
}

static void json_choices(json_out *out, const levy_field *field)
{
    json_key(out, "enum");
    json_open(out, "[");
    for (size_t i = 0; field->choices[i]; ++i) {
        char word[JSON_NAME];
        const size_t length = strcspn(field->choices[i], "=");
        snprintf(word, sizeof word, "%.*s", (int)length, field->choices[i]);
        const bool none = field->choices[i][length] && !field->choices[i][length + 1];
        if (!none) json_string(out, word); /* "WORD=": none of the choices */
    }
    json_close(out, "]");
}

static void json_time(json_out *out, const levy_field *field)
{
    levy_field years = *field;
    const bool ranged = (field->flags & LEVY_RANGED) != 0;
    if (!ranged || field->low < -LEVY_LONGEST_YEARS) years.low = -LEVY_LONGEST_YEARS;
    if (!ranged || field->high > LEVY_LONGEST_YEARS) years.high = LEVY_LONGEST_YEARS;
    years.flags |= LEVY_RANGED;
    json_key(out, "anyOf");
    json_open(out, "[");
    json_open(out, "{");
    json_string_pattern(out, LEVY_DATE_PATTERN);
    json_close(out, "}");
    json_open(out, "{");
    json_pair(out, "type", "number");
    json_range(out, &years);
    json_close(out, "}");
    json_close(out, "]");
}

static void json_table(json_out *out, const levy_table *table)
{
    json_key(out, "allOf"); /* draft-07 ignores what stands beside a $ref */
    json_open(out, "[");
    json_open(out, "{");
    json_reference(out, table, NULL, NULL);
    json_close(out, "}");
    json_close(out, "]");
}

static void json_type(json_out *out, const levy_field *field, levy_field_type type);

static void json_array(json_out *out, const levy_field *field)
{
    json_pair(out, "type", "array");
    if (field->flags & LEVY_NON_EMPTY) json_pair_raw(out, "minItems", "1");
    if (field->flags & LEVY_UNIQUE) json_pair_raw(out, "uniqueItems", "true");
    json_key(out, "items");
    json_open(out, "{");
    if (field->type == LEVY_FIELD_LIST)
        json_type(out, field, field->element);
    else {
        json_pair(out, "type", "array");
        json_key(out, "items");
        json_open(out, "{");
        json_pair(out, "type", "number");
        json_range(out, field);
        json_close(out, "}");
    }
    json_close(out, "}");
}

static void json_number(json_out *out, const levy_field *field)
{
    json_pair(out, "type", "number");
    json_range(out, field);
}

/* The reader takes a number by itself as a list of one. */
static void json_list(json_out *out, const levy_field *field)
{
    if (field->element != LEVY_FIELD_NUMBER) {
        json_array(out, field);
        return;
    }
    json_key(out, "anyOf");
    json_open(out, "[");
    json_open(out, "{");
    json_number(out, field);
    json_close(out, "}");
    json_open(out, "{");
    json_array(out, field);
    json_close(out, "}");
    json_close(out, "]");
}

static void json_time_values(json_out *out, const levy_field *field)
{
    static const levy_field any_time = {.name = "", .type = LEVY_FIELD_TIME};
    json_pair(out, "type", "array");
    if (field->flags & LEVY_NON_EMPTY) json_pair_raw(out, "minItems", "1");
    json_key(out, "items");
    json_open(out, "{");
    json_pair(out, "type", "array");
    json_pair_raw(out, "minItems", "2");
    json_pair_raw(out, "maxItems", "2");
    json_key(out, "items");
    json_open(out, "[");
    json_open(out, "{");
    json_time(out, &any_time);
    json_close(out, "}");
    json_open(out, "{");
    json_pair(out, "type", "number");
    json_range(out, field);
    json_close(out, "}");
    json_close(out, "]");
    json_close(out, "}");
}

static void json_map(json_out *out, const levy_field *field)
{
    json_pair(out, "type", "object");
    if (field->flags & LEVY_NON_EMPTY) json_pair_raw(out, "minProperties", "1");
    json_key(out, "propertyNames");
    json_open(out, "{");
    json_pair(out, "pattern", JSON_NAME_PATTERN);
    json_pair_raw(out, "maxLength", "128");
    json_close(out, "}");
    json_key(out, "additionalProperties");
    json_open(out, "{");
    json_reference(out, field->table, NULL, NULL);
    json_close(out, "}");
}

/* A number, too, is a name if it begins with a digit, and true is one. */
static void json_name(json_out *out, const levy_field *field)
{
    if (field->pattern) {
        json_string_pattern(out, field->pattern);
        return;
    }
    json_any_scalar(out);
    json_pair(out, "pattern", JSON_NAME_PATTERN);
    json_pair_raw(out, "maxLength", "128");
    json_pair_raw(out, "minimum", "0");
}

static void json_type(json_out *out, const levy_field *field, levy_field_type type)
{
    switch (type) {
    case LEVY_FIELD_TEXT:
        json_any_scalar(out);
        return;
    case LEVY_FIELD_NAME:
        json_name(out, field);
        return;
    case LEVY_FIELD_NUMBER:
        json_number(out, field);
        return;
    case LEVY_FIELD_COUNT:
        json_count(out, field);
        return;
    case LEVY_FIELD_FLAG:
        json_pair(out, "type", "boolean");
        return;
    case LEVY_FIELD_CHOICE:
        json_choices(out, field);
        return;
    case LEVY_FIELD_TIME:
        json_time(out, field);
        return;
    case LEVY_FIELD_DATE:
        json_string_pattern(out, LEVY_DATE_PATTERN);
        return;
    case LEVY_FIELD_TENOR:
        json_string_pattern(out, "^([0-9]{1,3}|0[0-9]{3}|1[01][0-9]{2}|1200)[DWMY]$");
        return;
    case LEVY_FIELD_OBJECT:
    case LEVY_FIELD_VARIANT:
        json_table(out, field->table);
        return;
    case LEVY_FIELD_LIST:
        json_list(out, field);
        return;
    case LEVY_FIELD_MATRIX:
        json_array(out, field);
        return;
    case LEVY_FIELD_MAP:
        json_map(out, field);
        return;
    case LEVY_FIELD_TIME_VALUES:
        json_time_values(out, field);
        return;
    case LEVY_FIELD_NODE:
        if (field->json) json_raw(out, field->json);
        return;
    }
}

/* ---- Objects ---- */

static void json_default(json_out *out, const levy_field *field)
{
    double number = 0.0;
    if (!field->fallback || field->type > LEVY_FIELD_TENOR) return;
    const bool numeric = field->type == LEVY_FIELD_NUMBER || field->type == LEVY_FIELD_COUNT ||
                         field->type == LEVY_FIELD_TIME;
    if (numeric &&
        levy_number_read(field->fallback, strlen(field->fallback), &number) == LEVY_NUMBER_OK) {
        char text[LEVY_NUMBER_SIZE];
        levy_number_write(number, text);
        json_pair_raw(out, "default", text);
    } else if (field->type == LEVY_FIELD_FLAG)
        json_pair_raw(out, "default", field->fallback);
    else
        json_pair(out, "default", field->fallback);
}

static void json_field(json_out *out, const levy_field *field)
{
    json_open(out, "{");
    if (field->doc) json_pair(out, "description", field->doc);
    json_type(out, field, field->type);
    json_default(out, field);
    json_close(out, "}");
}

static bool json_requires(const levy_field *field)
{
    return field->flags & LEVY_REQUIRED && !field->fallback && !field->unless;
}

/* One of a field and the key in its place, but not both. */
static void json_either(json_out *out, const levy_table *table)
{
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        if (!field->unless) continue;
        json_key(out, "oneOf");
        json_open(out, "[");
        for (int k = 0; k < 2; ++k) {
            json_open(out, "{");
            json_key(out, "required");
            json_open(out, "[");
            json_string(out, k ? field->unless : field->name);
            json_close(out, "]");
            json_close(out, "}");
        }
        json_close(out, "]");
    }
}

static void json_required(json_out *out, const levy_table *table, const char *kind)
{
    bool any = kind != NULL;
    for (const levy_field *field = table->fields; field && field->name; ++field)
        any = any || json_requires(field);
    if (!any) return;
    json_key(out, "required");
    json_open(out, "[");
    if (kind) json_string(out, "kind");
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (json_requires(field)) json_string(out, field->name);
    json_close(out, "]");
}

/* {"required": [KEY]} for each of the keys. word: how many of them must hold. keys: NULL: none. */
static void json_keys_due(json_out *out, const char *word, const char *keys)
{
    if (!keys) return;
    json_key(out, word);
    json_open(out, "[");
    for (const char *at = keys; *at; at += strspn(at, " ")) {
        char key[JSON_NAME];
        const size_t n = strcspn(at, " ");
        snprintf(key, sizeof key, "%.*s", (int)n, at);
        at += n;
        json_open(out, "{");
        json_key(out, "required");
        json_open(out, "[");
        json_string(out, key);
        json_close(out, "]");
        json_close(out, "}");
    }
    json_close(out, "]");
}

/* The members of an object's schema. kind: the constant its `kind` must be, or NULL. */
static void json_object(json_out *out, const levy_table *table, const char *kind)
{
    json_pair(out, "type", "object");
    json_key(out, "properties");
    json_open(out, "{");
    if (kind) {
        json_key(out, "kind");
        json_open(out, "{");
        json_pair(out, "const", kind);
        json_close(out, "}");
    }
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        json_key(out, field->name);
        json_field(out, field);
        if (field->former) json_key(out, field->former), json_field(out, field);
    }
    json_close(out, "}");
    json_required(out, table, kind);
    json_either(out, table);
    json_pair_raw(out, "additionalProperties", "false");
    json_keys_due(out, "oneOf", table->one_of);
    json_keys_due(out, "anyOf", table->any_of);
    if (!table->takes_one_key) return;
    json_pair_raw(out, "minProperties", "1");
    json_pair_raw(out, "maxProperties", "1");
}

static void json_shorthand(json_out *out, const levy_table *holder, const char *key)
{
    for (const levy_field *field = holder->fields; field && field->name; ++field)
        if (strcmp(field->name, key) == 0) json_field(out, field);
}

static void json_variants(json_out *out, const levy_table *table)
{
    json_key(out, "oneOf");
    json_open(out, "[");
    for (const levy_variant *variant = table->variants; variant->kind; ++variant)
        if (table->shorthand && table->shorthand_key &&
            strcmp(variant->kind, table->shorthand) == 0)
            json_shorthand(out, variant->table, table->shorthand_key);
    for (const levy_variant *variant = table->variants; variant->kind; ++variant) {
        json_open(out, "{");
        json_reference(out, variant->table, table, variant->kind);
        json_close(out, "}");
    }
    for (const levy_variant *more = json_more(out, table); more && more->kind; ++more) {
        if (!more->table) continue;
        json_open(out, "{");
        json_reference(out, more->table, table, more->kind);
        json_close(out, "}");
    }
    json_close(out, "]");
}

static void json_definition_body(json_out *out, const json_definition *definition)
{
    const levy_table *table = definition->table;
    json_open(out, "{");
    json_pair(out, "title", table->name);
    if (table->doc) json_pair(out, "description", table->doc);
    if (table->variants)
        json_variants(out, table);
    else if (table->shorthand_key && !definition->kind) {
        json_key(out, "oneOf");
        json_open(out, "[");
        json_shorthand(out, table, table->shorthand_key);
        if (table->shorthand_list) json_shorthand(out, table, table->shorthand_list);
        json_open(out, "{");
        json_object(out, table, NULL);
        json_close(out, "}");
        json_close(out, "]");
    } else
        json_object(out, table, definition->kind);
    json_close(out, "}");
}

static void json_definitions(json_out *out)
{
    json_key(out, "definitions");
    json_open(out, "{");
    for (size_t i = 1; i < out->n_definitions; ++i) { /* the first is the file itself */
        char name[JSON_NAME];
        json_definition_name(out, &out->definitions[i], name);
        json_key(out, name);
        json_definition_body(out, &out->definitions[i]);
    }
    json_close(out, "}");
}

levy_status levy_schema_write_json(const levy_table *file, const levy_more_kinds *kinds,
                                   levy_sink sink, void *user)
{
    json_out out = {.writer = {sink, user, false}, .kinds = kinds};
    json_collect(&out, file);
    json_open(&out, "{");
    json_pair(&out, "$schema", "http://json-schema.org/draft-07/schema#");
    json_pair(&out, "title", file->name);
    if (file->doc) json_pair(&out, "description", file->doc);
    json_object(&out, file, NULL);
    json_definitions(&out);
    json_close(&out, "}");
    json_text(&out, "\n");
    return out.writer.stopped ? LEVY_IO : LEVY_OK;
}
