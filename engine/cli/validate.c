/* validate.c: `levy validate`: whether files are a book. As JSON what is said of them goes to
 * stdout, for editors and for checks before a commit; its schema is made from the same table. Must
 * not know: rules of the input. */
#include "engine/cli/validate.h"

#include "engine/cli/each.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const char *const validate_severities[] = {"error", "warning", "note"};

static const struct validate_member {
    const char *name;
    size_t offset;
    enum { VALIDATE_SEVERITY, VALIDATE_TEXT, VALIDATE_PLACE } kind;
    const char *doc;
} validate_members[] = {
#define M(name, KIND, doc)                                                                         \
    {                                                                                              \
#name, offsetof(levy_diagnostic, name), VALIDATE_##KIND, doc                               \
    }
    M(file, TEXT, "The file as it was given, or the option that gives the value."),
    M(line, PLACE, "Its line, from 1."),
    M(column, PLACE, "Its column, from 1."),
    M(severity, SEVERITY, "error, warning or note."),
    M(reason, TEXT, "One of a closed list: unknown_key, range, ..."),
    M(path, TEXT, "Of the value: trades[0].payoff.strike."),
    M(message, TEXT, "What is wrong."),
    M(hint, TEXT, "What to write instead."),
#undef M
};
enum { VALIDATE_MEMBERS = sizeof validate_members / sizeof *validate_members };

/* ---- As JSON ---- */

/* The bytes of the character at `c`; 0: they are not well-formed UTF-8 (RFC 3629). */
static size_t json_length(const char *c)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)c[0];
    const size_t n = 1 + (size_t)(first >= 0xc0) + (first >= 0xe0) + (first >= 0xf0);
    unsigned code = first & (n == 1 ? 0x7fu : 0xffu >> (n + 1));
    for (size_t i = 1; i < n; ++i) {
        if (((unsigned char)c[i] & 0xc0) != 0x80) return 0;
        code = code << 6 | ((unsigned char)c[i] & 0x3f);
    }
    return (first >= 0x80 && first < 0xc0) || code < least[n] || first > 0xf4 || code > 0x10ffff ||
                   code >> 11 == 0x1b
               ? 0
               : n;
}

size_t cli_json_character(const char *c, char text[CLI_JSON_CHARACTER])
{
    const size_t n = json_length(c);
    const unsigned char code = (unsigned char)c[0];
    if (n == 0)
        snprintf(text, CLI_JSON_CHARACTER, "\\ufffd");
    else if (code < 0x20 || code == 0x7f)
        snprintf(text, CLI_JSON_CHARACTER, "\\u%04x", code);
    else
        snprintf(text, CLI_JSON_CHARACTER, "%s%.*s", code == '"' || code == '\\' ? "\\" : "",
                 (int)n, c);
    return n ? n : 1;
}

static void validate_put_text(FILE *out, const char *text)
{
    char one[CLI_JSON_CHARACTER];
    fputs(text ? "\"" : "null", out);
    for (const char *c = text; c && *c; fputs(one, out)) c += cli_json_character(c, one);
    fputs(text ? "\"" : "", out);
}

void cli_validate_put(FILE *out, const levy_diagnostic *diagnostic)
{
    fputs(ftell(out) > 0 ? ",\n  {" : "\n  {", out);
    for (size_t i = 0; i < VALIDATE_MEMBERS; ++i) {
        const struct validate_member *const member = &validate_members[i];
        const char *const at = (const char *)diagnostic + member->offset, *text;
        uint32_t place;
        fprintf(out, "%s\"%s\": ", i ? ", " : "", member->name);
        memcpy(&place, at, sizeof place);
        if (member->kind == VALIDATE_PLACE) {
            fprintf(out, place ? "%" PRIu32 : "null", place);
            continue;
        }
        if (member->kind == VALIDATE_SEVERITY)
            text = validate_severities[diagnostic->severity];
        else
            memcpy(&text, at, sizeof text);
        validate_put_text(out, text);
    }
    fputs("}", out);
}

int cli_validate_schema(levy_writer write, void *user)
{
    static const char head[] =
        "{\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n"
        "  \"title\": \"What levy validate says of files\",\n  \"type\": \"object\",\n"
        "  \"properties\": {\n"
        "    \"file\": {\"type\": \"string\", \"description\": \"Under --each: the book's.\"},\n"
        "    \"valid\": {\"type\": \"boolean\"},\n"
        "    \"trades\": {\"type\": \"integer\", \"minimum\": 0},\n"
        "    \"diagnostics\": {\"type\": \"array\", \"items\": {\"$ref\": "
        "\"#/definitions/diagnostic\"}}},\n"
        "  \"required\": [\"valid\", \"trades\", \"diagnostics\"],\n"
        "  \"additionalProperties\": false,\n  \"definitions\": {\n"
        "    \"diagnostic\": {\"type\": \"object\",\n    \"properties\": {\n";
    static const char *const types[] = {"\"string\"", "[\"string\", \"null\"]",
                                        "[\"integer\", \"null\"], \"minimum\": 1"};
    char line[256];
    int failed = write(user, head, sizeof head - 1);
    for (size_t i = 0; i < VALIDATE_MEMBERS; ++i) {
        const int length =
            snprintf(line, sizeof line, "      \"%s\": {\"type\": %s, \"description\": \"%s\"}%s\n",
                     validate_members[i].name, types[validate_members[i].kind],
                     validate_members[i].doc, i + 1 < VALIDATE_MEMBERS ? "," : "},");
        failed |= write(user, line, (size_t)length);
    }
    failed |= write(user, "    \"required\": [", 17);
    for (size_t i = 0; i < VALIDATE_MEMBERS; ++i) {
        const int length =
            snprintf(line, sizeof line, "%s\"%s\"", i ? ", " : "", validate_members[i].name);
        failed |= write(user, line, (size_t)length);
    }
    failed |= write(user, "],\n    \"additionalProperties\": false}}}\n", 39);
    return failed ? LEVY_STATUS_IO : LEVY_STATUS_OK;
}

/* ---- The command ---- */

/* "valid: 4 trades", or the object, of one book or of one of many. */
static int validate_write(const char *text, bool json, cli_each *each)
{
    cli_output output;
    if (!each) {
        cli_output_open(&output, NULL);
        (void)cli_output_write(&output, text, strlen(text));
        return cli_output_commit(&output);
    }
    if (json) {
        const int code = cli_each_begin(each, LEVY_FORMAT_JSON);
        (void)cli_each_write(each, text, strlen(text));
        return code;
    }
    cli_each_put_name(each);
    (void)cli_output_write(&each->output, ": ", 2);
    (void)cli_output_write(&each->output, text, strlen(text));
    return 0;
}

static int validate_text(const cli_client *client, bool json, const char *said, int code,
                         cli_each *each)
{
    char *text = NULL;
    size_t length = 0;
    const size_t trades = client->book ? levy_book_size(client->book) : 0;
    FILE *const out = open_memstream(&text, &length);
    if (!out) return CLI_EXIT_MEMORY;
    if (json)
        fprintf(out, "{\"valid\": %s, \"trades\": %zu, \"diagnostics\": [%s]}\n",
                code ? "false" : "true", trades, said);
    else
        fprintf(out, "valid: %zu trade%s\n", trades, trades == 1 ? "" : "s");
    const int own = fclose(out) == 0 ? validate_write(text, json, each) : CLI_EXIT_MEMORY;
    free(text);
    return code ? code : own;
}

static int validate_files(const cli_options *options, char *const *files, size_t n, cli_each *each)
{
    cli_client client;
    char *said = NULL;
    size_t length = 0;
    const bool json = options->format == LEVY_FORMAT_JSON;
    int code = cli_client_open(&client, options);
    if (!code && json) {
        client.said = open_memstream(&said, &length);
        code = client.said ? 0 : CLI_EXIT_MEMORY;
    }
    if (!code) code = cli_client_load(&client, files, n);
    if (!code && client.errors > 0) code = CLI_EXIT_INPUT;
    if (client.said && fclose(client.said) != 0) code = CLI_EXIT_MEMORY;
    const bool writes = json ? code != CLI_EXIT_USAGE : !code && !options->quiet;
    if (writes) code = validate_text(&client, json, said ? said : "", code, each);
    cli_client_close(&client);
    free(said);
    return code;
}

int cli_validate(const cli_options *options) { return cli_each_run(options, validate_files); }
