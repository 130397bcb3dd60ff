/* json_out.c: see json_out.h. */
#include "engine/schema/json_out.h"

#include <stdio.h>
#include <string.h>

/* ---- JSON text ---- */

/* Writes what goes before an item: nothing after a key, otherwise a comma and a new line. */
static void json_item(levy_json_out *out)
{
    if (!out->after_key && out->depth > 0) {
        levy_text_put(out->text, out->comma[out->depth - 1] ? ",\n" : "\n");
        levy_text_put_spaces(out->text, 2 * out->depth);
        out->comma[out->depth - 1] = true;
    }
    out->after_key = false;
}

void levy_json_open(levy_json_out *out, const char *bracket)
{
    json_item(out);
    levy_text_put(out->text, bracket);
    if (out->depth < LEVY_JSON_DEPTH) out->comma[out->depth++] = false;
}

void levy_json_close(levy_json_out *out, const char *bracket)
{
    out->depth--;
    if (out->comma[out->depth]) {
        levy_text_put(out->text, "\n");
        levy_text_put_spaces(out->text, 2 * out->depth);
    }
    levy_text_put(out->text, bracket);
}

void levy_json_key(levy_json_out *out, const char *key)
{
    json_item(out);
    levy_text_put_json(out->text, key);
    levy_text_put(out->text, ": ");
    out->after_key = true;
}

void levy_json_begin(levy_json_out *out, const char *key, const char *bracket)
{
    levy_json_key(out, key);
    levy_json_open(out, bracket);
}

void levy_json_string(levy_json_out *out, const char *text)
{
    json_item(out);
    levy_text_put_json(out->text, text);
}

void levy_json_raw(levy_json_out *out, const char *text)
{
    json_item(out);
    levy_text_put(out->text, text);
}

void levy_json_pair(levy_json_out *out, const char *key, const char *text)
{
    levy_json_key(out, key);
    levy_json_string(out, text);
}

void levy_json_pair_raw(levy_json_out *out, const char *key, const char *text)
{
    levy_json_key(out, key);
    levy_json_raw(out, text);
}

/* ---- Definitions ---- */

static const levy_json_definition *json_define(levy_json_out *out, const levy_table *table,
                                               const levy_table *parent, const char *kind)
{
    for (size_t i = 0; i < out->n_definitions; ++i) {
        const levy_json_definition *known = &out->definitions[i];
        if (known->table == table && known->parent == parent && known->kind == kind) return known;
    }
    if (out->n_definitions == LEVY_JSON_DEFINITIONS) return NULL;
    out->definitions[out->n_definitions] = (levy_json_definition){table, parent, kind};
    return &out->definitions[out->n_definitions++];
}

const levy_variant *levy_json_more(const levy_json_out *out, const levy_table *table)
{
    return out->kinds && out->kinds->of == table ? out->kinds->variants : NULL;
}

void levy_json_collect(levy_json_out *out, const levy_table *file)
{
    json_define(out, file, NULL, NULL);
    for (size_t i = 0; i < out->n_definitions; ++i) {
        const levy_table *table = out->definitions[i].table;
        for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant)
            json_define(out, variant->table, table, variant->kind);
        for (const levy_variant *more = levy_json_more(out, table); more && more->kind; ++more)
            if (more->table) json_define(out, more->table, table, more->kind);
        for (const levy_field *field = table->fields; field && field->name; ++field)
            if (field->table) json_define(out, field->table, NULL, NULL);
    }
}

static const char *json_kind(const levy_json_definition *definition)
{
    return definition->kind ? definition->kind : "";
}

void levy_json_definition_name(const levy_json_out *out, const levy_json_definition *definition,
                               char name[LEVY_JSON_NAME])
{
    const char *base = definition->kind ? definition->parent->name : definition->table->name;
    size_t same = 1;
    for (const levy_json_definition *other = out->definitions; other < definition; ++other) {
        const char *other_base = other->kind ? other->parent->name : other->table->name;
        if (strcmp(base, other_base) == 0 && strcmp(json_kind(definition), json_kind(other)) == 0)
            same++;
    }
    int n = snprintf(name, LEVY_JSON_NAME, "%s%s%s", base, definition->kind ? "." : "",
                     json_kind(definition));
    if (same > 1 && n > 0 && n < LEVY_JSON_NAME)
        snprintf(name + n, LEVY_JSON_NAME - (size_t)n, "-%zu", same);
    for (char *c = name; *c; ++c)
        if (*c == ' ' || *c == '/' || *c == '#' || *c == '%') *c = '_';
}

void levy_json_refer(levy_json_out *out, const levy_table *table, const levy_table *parent,
                     const char *kind)
{
    char name[LEVY_JSON_NAME], reference[LEVY_JSON_NAME + 16];
    const levy_json_definition *definition = json_define(out, table, parent, kind);
    levy_json_open(out, "{");
    if (definition) {
        levy_json_definition_name(out, definition, name);
        snprintf(reference, sizeof reference, "#/definitions/%s", name);
        levy_json_pair(out, "$ref", reference);
    }
    levy_json_close(out, "}");
}
