/* json_schema.c: the tables as one JSON Schema, draft-07, for editors and other checkers: one
 * definition per table, one per kind of a variant. Written straight into the sink. Source:
 * json-schema.org, draft-07 (2018). It accepts what the reader and the rooms above accept; what
 * a schema cannot say (a name that is defined elsewhere, a sum) it accepts too, and
 * tests/mutants/differences.txt lists it. Must not know: any key's meaning. */
#include "engine/schema/json_out.h"

#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

static void json_default(levy_json_out *out, const levy_field *field)
{
    double number = 0.0;
    if (!field->fallback || field->type > LEVY_FIELD_TENOR) return;
    const bool numeric = field->type == LEVY_FIELD_NUMBER || field->type == LEVY_FIELD_COUNT ||
                         field->type == LEVY_FIELD_TIME;
    if (numeric &&
        levy_number_read(field->fallback, strlen(field->fallback), &number) == LEVY_NUMBER_OK) {
        char text[LEVY_NUMBER_SIZE];
        levy_number_write(number, text);
        levy_json_pair_raw(out, "default", text);
    } else if (field->type == LEVY_FIELD_FLAG)
        levy_json_pair_raw(out, "default", field->fallback);
    else
        levy_json_pair(out, "default", field->fallback);
}

static void json_field(levy_json_out *out, const levy_field *field)
{
    levy_json_open(out, "{");
    if (field->doc) levy_json_pair(out, "description", field->doc);
    levy_json_type(out, field, field->type);
    json_default(out, field);
    levy_json_close(out, "}");
}

static bool json_requires(const levy_field *field)
{
    return field->flags & LEVY_REQUIRED && !field->fallback && !field->unless;
}

/* {"required": [KEY]} */
static void json_due(levy_json_out *out, const char *key)
{
    levy_json_open(out, "{");
    levy_json_begin(out, "required", "[");
    levy_json_string(out, key);
    levy_json_close(out, "]");
    levy_json_close(out, "}");
}

/* One of a field and the key in its place, but not both. */
static void json_either(levy_json_out *out, const levy_table *table)
{
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        if (!field->unless) continue;
        levy_json_begin(out, "oneOf", "[");
        json_due(out, field->name);
        json_due(out, field->unless);
        levy_json_close(out, "]");
    }
}

static void json_required(levy_json_out *out, const levy_table *table, const char *kind)
{
    bool any = kind != NULL;
    for (const levy_field *field = table->fields; field && field->name; ++field)
        any = any || json_requires(field);
    if (!any) return;
    levy_json_begin(out, "required", "[");
    if (kind) levy_json_string(out, "kind");
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (json_requires(field)) levy_json_string(out, field->name);
    levy_json_close(out, "]");
}

/* The same for each of the keys. word: how many of them must hold. keys: NULL: none. */
static void json_keys_due(levy_json_out *out, const char *word, const char *keys)
{
    if (!keys) return;
    levy_json_begin(out, word, "[");
    for (const char *at = keys; *at; at += strspn(at, " ")) {
        char key[LEVY_JSON_NAME];
        const size_t n = strcspn(at, " ");
        snprintf(key, sizeof key, "%.*s", (int)n, at);
        at += n;
        json_due(out, key);
    }
    levy_json_close(out, "]");
}

/* The members of an object's schema. kind: the constant its `kind` must be, or NULL. */
static void json_object(levy_json_out *out, const levy_table *table, const char *kind)
{
    levy_json_pair(out, "type", "object");
    levy_json_begin(out, "properties", "{");
    if (kind) {
        levy_json_begin(out, "kind", "{");
        levy_json_pair(out, "const", kind);
        levy_json_close(out, "}");
    }
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        levy_json_key(out, field->name);
        json_field(out, field);
        if (field->former) levy_json_key(out, field->former), json_field(out, field);
    }
    levy_json_close(out, "}");
    json_required(out, table, kind);
    json_either(out, table);
    levy_json_pair_raw(out, "additionalProperties", "false");
    json_keys_due(out, "oneOf", table->one_of);
    json_keys_due(out, "anyOf", table->any_of);
    if (!table->takes_one_key) return;
    levy_json_pair_raw(out, "minProperties", "1");
    levy_json_pair_raw(out, "maxProperties", "1");
}

static void json_shorthand(levy_json_out *out, const levy_table *holder, const char *key)
{
    for (const levy_field *field = holder->fields; field && field->name; ++field)
        if (strcmp(field->name, key) == 0) json_field(out, field);
}

static void json_variants(levy_json_out *out, const levy_table *table)
{
    levy_json_begin(out, "oneOf", "[");
    for (const levy_variant *variant = table->variants; variant->kind; ++variant)
        if (table->shorthand && table->shorthand_key &&
            strcmp(variant->kind, table->shorthand) == 0)
            json_shorthand(out, variant->table, table->shorthand_key);
    for (const levy_variant *variant = table->variants; variant->kind; ++variant) {
        levy_json_refer(out, variant->table, table, variant->kind);
    }
    for (const levy_variant *more = levy_json_more(out, table); more && more->kind; ++more) {
        if (!more->table) continue;
        levy_json_refer(out, more->table, table, more->kind);
    }
    levy_json_close(out, "]");
}

static void json_definition_body(levy_json_out *out, const levy_json_definition *definition)
{
    const levy_table *table = definition->table;
    levy_json_open(out, "{");
    levy_json_pair(out, "title", table->name);
    if (table->doc) levy_json_pair(out, "description", table->doc);
    if (table->variants)
        json_variants(out, table);
    else if (table->shorthand_key && !definition->kind) {
        levy_json_begin(out, "oneOf", "[");
        json_shorthand(out, table, table->shorthand_key);
        if (table->shorthand_list) json_shorthand(out, table, table->shorthand_list);
        levy_json_open(out, "{");
        json_object(out, table, NULL);
        levy_json_close(out, "}");
        levy_json_close(out, "]");
    } else
        json_object(out, table, definition->kind);
    levy_json_close(out, "}");
}

static void json_definitions(levy_json_out *out)
{
    levy_json_begin(out, "definitions", "{");
    for (size_t i = 1; i < out->n_definitions; ++i) { /* the first is the file itself */
        char name[LEVY_JSON_NAME];
        levy_json_definition_name(out, &out->definitions[i], name);
        levy_json_key(out, name);
        json_definition_body(out, &out->definitions[i]);
    }
    levy_json_close(out, "}");
}

void levy_schema_write_json(const levy_table *file, const levy_more_kinds *kinds,
                            levy_text_out *text)
{
    levy_json_out out = {.text = text, .kinds = kinds};
    levy_json_collect(&out, file);
    levy_json_open(&out, "{");
    levy_json_pair(&out, "$schema", "http://json-schema.org/draft-07/schema#");
    levy_json_pair(&out, "title", file->name);
    if (file->doc) levy_json_pair(&out, "description", file->doc);
    json_object(&out, file, NULL);
    json_definitions(&out);
    levy_json_close(&out, "}");
    levy_text_put(text, "\n");
}
