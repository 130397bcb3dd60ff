/* report_schema.c: the JSON Schema (draft-07) of the reports that report_json.c writes, and what
 * `levy describe` says of their members, from the same tables. */
#include "engine/report/report_fields.h"
#include "engine/report/report.h"

#include <ctype.h>
#include <string.h>

typedef struct schema_out {
    levy_text_out *text;
    bool lines; /* of JSON lines: each object says what it is a record of */
} schema_out;

typedef struct schema_object {
    const char *name, *doc;
    const levy_report_field *fields;
    const char *record;      /* NULL: it is no line of its own */
    const char *lists[2][2]; /* members beside the fields: name, and what it refers to */
} schema_object;

static const schema_object schema_objects[] = {
    {"run", "How the run went.", levy_run_fields, "run", {{0}}},
    {"part",
     "Who priced a part, where that is not the same for all.",
     levy_part_fields,
     "part",
     {{0}}},
    {"trade",
     "A trade's result.",
     levy_trade_fields,
     "trade",
     {{"tags", NULL}, {"measures", "measure"}}},
    {"netted",
     "The sum of the trades of a currency, or of those with one text under a key.",
     levy_netted_fields,
     "netted",
     {{"measures", "measure"}}},
    {"grid", "A point of a grid of scenarios.", levy_grid_point_fields, "grid", {{"axes", "axis"}}},
    {"measure", "A measure of a trade or of a sum.", levy_measure_fields, NULL, {{0}}},
    {"axis",
     "An axis of a grid, and the size of the shift at a point.",
     levy_grid_axis_fields,
     NULL,
     {{0}}}};
enum { SCHEMA_OBJECTS = sizeof schema_objects / sizeof *schema_objects };

static const char *schema_type(const levy_report_field *field)
{
    switch (field->kind) {
    case LEVY_FIELD_IS_TEXT:
        return field->always ? "\"type\": \"string\"" : "\"type\": [\"string\", \"null\"]";
    case LEVY_FIELD_IS_NUMBER:
        return "\"type\": [\"number\", \"null\"]";
    case LEVY_FIELD_IS_COUNT:
    case LEVY_FIELD_IS_COUNT32:
        return "\"type\": \"integer\", \"minimum\": 0";
    case LEVY_FIELD_IS_HASH:
        return "\"type\": \"string\", \"pattern\": \"^[0-9a-f]{16}$\"";
    case LEVY_FIELD_IS_FLAG:
    case LEVY_FIELD_IS_ANSWER:
        return "\"type\": \"boolean\"";
    }
    return "";
}

static void schema_field(const schema_out *out, const levy_report_field *field)
{
    levy_text_put(out->text, "      ");
    levy_text_put_json(out->text, field->name);
    LEVY_TEXT_PUT(out->text, ": {", schema_type(field), ", \"description\": ");
    levy_text_put_json(out->text, field->doc);
    if (field->unit[0]) {
        levy_text_put(out->text, ", \"unit\": ");
        levy_text_put_json(out->text, field->unit);
    }
    levy_text_put(out->text, "}");
}

static void schema_list(const schema_out *out, const char *indent, const char *name, const char *of)
{
    levy_text_put(out->text, indent);
    levy_text_put_json(out->text, name);
    levy_text_put(out->text, of ? ": {\"type\": \"array\", \"items\": {\"$ref\": \"#/definitions/"
                                : ": {\"type\": \"object\", \"additionalProperties\": {\"type\": "
                                  "\"string\"}}");
    levy_text_put(out->text, of);
    levy_text_put(out->text, of ? "\"}}" : "");
}

/* What `levy price --each` puts in front. */
static const char schema_file[] =
    "\"file\": {\"type\": \"string\", \"description\": \"The file of the book, where every file "
    "is a book of its own.\"},\n";

static void schema_record(const schema_out *out, const schema_object *object)
{
    if (!out->lines || !object->record) return;
    LEVY_TEXT_PUT(out->text, "      ", schema_file, "      \"record\": {\"const\": ");
    levy_text_put_json(out->text, object->record);
    levy_text_put(out->text, "},\n");
}

/* All members but those that a tolerance brings. */
static void schema_required(const schema_out *out, const schema_object *object)
{
    bool first = true;
    levy_text_put(out->text, "    \"required\": [");
    if (out->lines && object->record) {
        levy_text_put(out->text, "\"record\"");
        first = false;
    }
    for (const levy_report_field *field = object->fields; field->name; ++field) {
        if (field->asked) continue;
        levy_text_put(out->text, first ? "" : ", ");
        levy_text_put_json(out->text, field->name);
        first = false;
    }
    for (size_t i = 0; i < 2 && object->lists[i][0]; ++i) {
        levy_text_put(out->text, ", ");
        levy_text_put_json(out->text, object->lists[i][0]);
    }
    levy_text_put(out->text, "],\n    \"additionalProperties\": false}");
}

static void schema_define(const schema_out *out, const schema_object *object)
{
    levy_text_put(out->text, "    ");
    levy_text_put_json(out->text, object->name);
    levy_text_put(out->text, ": {\"type\": \"object\", \"description\": ");
    levy_text_put_json(out->text, object->doc);
    levy_text_put(out->text, ",\n    \"properties\": {\n");
    schema_record(out, object);
    for (const levy_report_field *field = object->fields; field->name; ++field) {
        if (field != object->fields) levy_text_put(out->text, ",\n");
        schema_field(out, field);
    }
    for (size_t i = 0; i < 2 && object->lists[i][0]; ++i) {
        levy_text_put(out->text, ",\n");
        schema_list(out, "      ", object->lists[i][0], object->lists[i][1]);
    }
    levy_text_put(out->text, "},\n");
    schema_required(out, object);
}

static void schema_root(const schema_out *out)
{
    if (out->lines) {
        levy_text_put(out->text, "  \"title\": \"A line of levy's report\",\n  \"oneOf\": [");
        for (size_t i = 0, n = 0; i < SCHEMA_OBJECTS; ++i) {
            if (!schema_objects[i].record) continue;
            LEVY_TEXT_PUT(out->text, n > 0 ? ", " : "", "{\"$ref\": \"#/definitions/",
                          schema_objects[i].name, "\"}");
            ++n;
        }
        levy_text_put(out->text, "],\n");
        return;
    }
    levy_text_put(out->text, "  \"title\": \"levy's report\",\n  \"type\": \"object\",\n"
                             "  \"properties\": {\n    ");
    levy_text_put(out->text, schema_file);
    levy_text_put(out->text, "    \"run\": {\"$ref\": \"#/definitions/run\"},\n");
    schema_list(out, "    ", "results", "trade");
    levy_text_put(out->text, ",\n");
    schema_list(out, "    ", "netted", "netted");
    levy_text_put(out->text, ",\n");
    schema_list(out, "    ", "grids", "grid");
    levy_text_put(out->text, ",\n");
    schema_list(out, "    ", "parts", "part");
    levy_text_put(out->text, "},\n  \"required\": [\"run\", \"results\", \"netted\", \"grids\"],\n"
                             "  \"additionalProperties\": false,\n");
}

void levy_report_write_schema(bool lines, levy_text_out *text)
{
    const schema_out out = {text, lines};
    levy_text_put(out.text, "{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n");
    schema_root(&out);
    levy_text_put(out.text, "  \"definitions\": {\n");
    for (size_t i = 0; i < SCHEMA_OBJECTS; ++i) {
        if (i) levy_text_put(out.text, ",\n");
        schema_define(&out, &schema_objects[i]);
    }
    levy_text_put(out.text, "}}\n");
}

/* ---- Of one word ---- */

static bool schema_is_part(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whether the word, whole, stands in a text. */
static bool schema_says(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at && length; at = strstr(at + 1, word))
        if ((at == text || !schema_is_part(at[-1])) && !schema_is_part(at[length])) return true;
    return false;
}

/* "  trade.std_error, currency: Standard error of the price, rounding included." */
static void schema_put_member(levy_text_out *out, const schema_object *object,
                              const levy_report_field *field)
{
    LEVY_TEXT_PUT(out, "  ", object->name, ".", field->name, field->unit[0] ? ", " : "",
                  field->unit, ": ", field->doc, "\n");
}

/* The members of that name, or those of which the word is said. */
static bool schema_put_members(levy_text_out *out, const char *word, bool said, const char *title)
{
    bool found = false;
    for (size_t i = 0; i < SCHEMA_OBJECTS; ++i)
        for (const levy_report_field *field = schema_objects[i].fields; field->name; ++field) {
            if (said ? !schema_says(field->doc, word) : strcmp(field->name, word) != 0) continue;
            if (!found) levy_text_put(out, title);
            schema_put_member(out, &schema_objects[i], field);
            found = true;
        }
    return found;
}

static bool schema_put_object(levy_text_out *out, const char *word)
{
    const schema_object *object = schema_objects, *const end = object + SCHEMA_OBJECTS;
    while (object < end && strcmp(object->name, word) != 0) ++object;
    if (object == end) return false;
    LEVY_TEXT_PUT(out, object->doc, "\n");
    for (const levy_report_field *field = object->fields; field->name; ++field)
        schema_put_member(out, object, field);
    return true;
}

bool levy_report_describe(const char *word, bool also, levy_text_out *out)
{
    if (also) return schema_put_members(out, word, false, "\nOf results\n");
    return schema_put_object(out, word) || schema_put_members(out, word, false, "Of results\n") ||
           schema_put_members(out, word, true, "Of results\n");
}
