/* syntax.c: a first look at the bytes, and the translation of libyaml's errors. libyaml reports
 * where it gave up, which is often a line or more past the cause; each entry of the table below
 * says which of its two marks shows the cause. Must not know: the tree, any key. */
#include "engine/document/syntax.h"

#include "engine/base/text.h"

#include <string.h>

enum { SYNTAX_DIRECTIVE_LINES = 64 };

levy_place levy_syntax_place(const levy_syntax_source *source, yaml_mark_t mark)
{
    const size_t most = UINT32_MAX - 1;
    return (levy_place){source->file, source->file_order,
                        (uint32_t)(mark.line < most ? mark.line : most) + 1,
                        (uint32_t)(mark.column < most ? mark.column : most) + 1};
}

void levy_syntax_refuse_directive(const levy_place *place, levy_fault_list *faults)
{
    levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL,
                   "Delete the line. A line that begins with % is a YAML directive, and "
                   "levy needs none.",
                   "YAML directives are not supported");
}

void levy_syntax_refuse_tag(const levy_place *place, const char *path, const char *tag,
                            levy_fault_list *faults)
{
    const char *hint = "Delete the tag: the schema determines types. Put text that begins "
                       "with ! in quotes.";
    if (tag)
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, path, hint,
                       "YAML tags are not supported; got '%.64s'", tag);
    else
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, path, hint,
                       "YAML tags are not supported");
}

/* ---- Bytes ---- */

static void syntax_refuse_character(const levy_place *place, uint32_t code, levy_fault_list *faults)
{
    if (code == 0)
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL,
                       "The file looks binary or UTF-16; save it as UTF-8 text.",
                       "a NUL byte is not allowed");
    else if (code == 0xFEFF)
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL,
                       "Delete it. Joining files that begin with a byte order mark leaves "
                       "such characters behind.",
                       "a byte order mark is allowed only at the start of a file");
    else if (levy_text_is_bidi(code))
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL,
                       "Delete it. Such characters make the displayed text differ from the "
                       "actual text.",
                       "text direction control U+%04X is not allowed", (unsigned)code);
    else
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL,
                       "Delete it; it is invisible in most editors.",
                       "control character U+%04X is not allowed", (unsigned)code);
}

/* Programs, archives and pictures have a NUL byte early. A list of all their other faults would
 * help nobody. */
static bool syntax_is_binary(const levy_syntax_source *source)
{
    return memchr(source->text, 0, source->length < 8192 ? source->length : 8192) != NULL;
}

/* Checks a character that is not printable ASCII. Returns its number of bytes; 0: refused. */
static size_t syntax_check_character(const levy_syntax_source *source, size_t at,
                                     const levy_place *place, levy_fault_list *faults)
{
    uint32_t code = 0;
    const size_t n = levy_text_character(source->text + at, source->length - at, &code);
    if (source->text[at] != '\0' && (n == 0 || levy_text_is_hidden(code)) &&
        syntax_is_binary(source)) {
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL, "Name a YAML file: UTF-8 text.",
                       "this is a binary file, not text");
        return 0;
    }
    if (n == 0) {
        levy_fault_add(faults, LEVY_REASON_SYNTAX, place, NULL, "Save the file as UTF-8.",
                       "byte 0x%02X is not UTF-8 text", (unsigned)(unsigned char)source->text[at]);
        return 0;
    }
    if (!levy_text_is_hidden(code)) return n;
    syntax_refuse_character(place, code, faults);
    return 0;
}

bool levy_syntax_check_text(const levy_syntax_source *source, levy_fault_list *faults)
{
    levy_place place = {source->file, source->file_order, 1, 1};
    size_t directives = 0;
    for (size_t i = 0; i < source->length;) {
        const char c = source->text[i];
        if (place.column == 1 && c == '%' && ++directives > SYNTAX_DIRECTIVE_LINES) {
            levy_syntax_refuse_directive(&place, faults);
            return false;
        }
        const bool crlf = c == '\r' && i + 1 < source->length && source->text[i + 1] == '\n';
        if ((c == '\n' || c == '\r') && !crlf) {
            place.line++;
            place.column = 1;
            i++;
        } else if ((c >= 0x20 && c < 0x7F) || c == '\t' || c == '\r') {
            place.column++;
            i++;
        } else {
            const size_t n = syntax_check_character(source, i, &place, faults);
            if (n == 0) return false;
            place.column++;
            i += n;
        }
    }
    return true;
}

/* ---- libyaml's errors ---- */

typedef struct syntax_rule {
    const char *context, *problem; /* substrings; NULL: any */
    bool at_context;               /* the cause is where the construct begins */
    const char *message, *hint;
} syntax_rule;

static const char syntax_tab[] = "a tab is used for indentation";
static const char syntax_indent[] =
    "Keys of one map start in the same column, and so do the '-' of one list; indent with "
    "spaces only.";
static const char syntax_bracket[] =
    "Close every '[' with ']' and every '{' with '}', and put a comma between the items.";

static const syntax_rule syntax_rules[] = {
    {"block scalar", "tab character", false, syntax_tab,
     "Indent with spaces; YAML does not allow tabs there."},
    {NULL, "tab character that violates", false, syntax_tab,
     "Indent with spaces; YAML does not allow tabs there."},
    {"quoted scalar", "end of stream", true, "the quote opened here is not closed",
     "Close the text with the same quote; inside '...' write a quote twice."},
    {"quoted scalar", "document indicator", true,
     "the quote opened here is not closed before the document ends",
     "Close the text with the same quote; inside '...' write a quote twice."},
    {"quoted scalar", "invalid Unicode", false,
     "an escape is half of a pair, or no character at all",
     "A character past U+FFFF is two escapes, from \\ud800 to \\udbff and from \\udc00 to "
     "\\udfff."},
    {"quoted scalar", NULL, false,
     "a backslash in double quotes starts an escape that does not exist",
     "Use single quotes for text with backslashes, or write each backslash twice."},
    {"simple key", NULL, true, "expected ': ' after a key",
     "Write 'key: value', with a space after the colon; quote text that is no key."},
    {"flow sequence", NULL, true, "the '[' opened here is not closed, or a comma is missing",
     syntax_bracket},
    {"flow mapping", NULL, true, "the '{' opened here is not closed, or a comma is missing",
     syntax_bracket},
    {"directive", NULL, true, "YAML directives are not supported",
     "Delete the line. A line that begins with % is a YAML directive, and "
     "levy needs none."},
    {NULL, "incompatible YAML", false, "YAML directives are not supported",
     "Delete the line. A line that begins with % is a YAML directive, and "
     "levy needs none."},
    {NULL, "directive", false, "YAML directives are not supported",
     "Delete the line. A line that begins with % is a YAML directive, and "
     "levy needs none."},
    {"anchor", NULL, true, "'&' starts an anchor, which is not supported",
     "Put text that begins with & in quotes."},
    {"alias", NULL, true, "'*' starts an alias, which is not supported",
     "Put text that begins with * in quotes."},
    {NULL, "tag handle", false, "YAML tags are not supported",
     "Delete the tag: the schema determines types. Put text that begins "
     "with ! in quotes."},
    {"a tag", NULL, true, "YAML tags are not supported",
     "Delete the tag: the schema determines types. Put text that begins "
     "with ! in quotes."},
    {"block scalar", NULL, false, "a block text ('|' or '>') must begin on the next line, indented",
     "Only a comment can follow '|' or '>'. Put text that begins with such "
     "a character in quotes."},
    {"plain scalar", "unexpected ':'", false, "a ':' must be followed by a space and a value",
     "Write 'key: value'. Put text with a colon in quotes."},
    {NULL, "cannot start any token", false, "text cannot begin with this character",
     "Put the text in quotes."},
    {NULL, "mapping values are not allowed", false, "a ':' is not allowed here",
     "Write one 'key: value' per line, with the keys of a map in the same "
     "column. Put text with ': ' in quotes."},
    {NULL, "mapping keys are not allowed", false, "a '?' is not allowed here",
     "Put text that begins with ? in quotes."},
    {NULL, "block sequence entries", false, "a list item ('- ') is not allowed here",
     "Start the list on the line below its key, or write it as [a, b]."},
    {"block mapping", NULL, false, "expected a key of the map that encloses this line",
     syntax_indent},
    {"block collection", NULL, false,
     "expected '- ' or the end of the list that encloses this line", syntax_indent},
    {NULL, "node content", false, "a value is missing here, or there is an extra bracket or comma",
     syntax_bracket},
    {NULL, "document start", false, "expected the end of the document, or '---'", syntax_indent},
};

static const syntax_rule *syntax_find_rule(const yaml_parser_t *parser)
{
    const char *context = parser->context ? parser->context : "",
               *problem = parser->problem ? parser->problem : "";
    for (size_t i = 0; i < sizeof syntax_rules / sizeof syntax_rules[0]; ++i) {
        const syntax_rule *rule = &syntax_rules[i];
        if (rule->context && !strstr(context, rule->context)) continue;
        if (!rule->problem || strstr(problem, rule->problem)) return rule;
    }
    return NULL;
}

/* The offset of a line's first byte. Lines count from 0 and end as they do for libyaml. */
static size_t syntax_line_start(const levy_syntax_source *source, size_t line)
{
    size_t at = 0;
    for (; at < source->length && line > 0; ++at) {
        const char c = source->text[at];
        const bool crlf = c == '\r' && at + 1 < source->length && source->text[at + 1] == '\n';
        if ((c == '\n' || c == '\r') && !crlf) --line;
    }
    return at;
}

/* Whether the line is indented with a tab; *column is the tab's, from 0. */
static bool syntax_line_has_tab(const levy_syntax_source *source, size_t line, size_t *column)
{
    const size_t start = syntax_line_start(source, line);
    for (size_t at = start; at < source->length; ++at) {
        const char c = source->text[at];
        if (c == '\t') *column = at - start;
        if (c != ' ') return c == '\t';
    }
    return false;
}

/* When libyaml "did not find" what a block needs next, the character that it met tells more than
 * what it expected. */
static const syntax_rule *syntax_refine(const levy_syntax_source *source, yaml_mark_t mark,
                                        const syntax_rule *rule)
{
    static const syntax_rule bracket = {NULL, NULL, false, "this bracket has no opening bracket",
                                        syntax_bracket};
    static const syntax_rule no_key = {NULL, NULL, false, "a key is missing before ':'",
                                       "Write 'key: value'."};
    static const syntax_rule after = {
        NULL, NULL, false, "unexpected text after a value",
        "End the line after the value. Put text that contains quotes in the "
        "other kind of quotes."};
    size_t at = syntax_line_start(source, mark.line), column = 0;
    bool first = true; /* only spaces stand before the mark */
    for (; at < source->length && column < mark.column; ++at) {
        if (source->text[at] != ' ') first = false;
        if (((unsigned char)source->text[at] & 0xC0) != 0x80) ++column;
    }
    if (at >= source->length) return rule;
    if (source->text[at] == '}' || source->text[at] == ']') return &bracket;
    if (first) return source->text[at] == ':' ? &no_key : rule;
    return &after;
}

bool levy_syntax_report(const levy_syntax_source *source, const yaml_parser_t *parser,
                        levy_fault_list *faults)
{
    static const syntax_rule tab = {NULL, NULL, false, syntax_tab,
                                    "Indent with spaces; YAML does not allow tabs there."};
    if (parser->error == YAML_MEMORY_ERROR) return false;
    const syntax_rule *rule = syntax_find_rule(parser);
    const bool at_context = rule && rule->at_context && parser->context;
    yaml_mark_t mark = at_context ? parser->context_mark : parser->problem_mark;
    if (rule && rule->hint == syntax_indent) rule = syntax_refine(source, mark, rule);
    size_t column = 0;
    /* the lines of a quoted text may begin with tabs, as may those within brackets */
    const bool quoted = parser->context && strstr(parser->context, "quoted scalar");
    if (!quoted && syntax_line_has_tab(source, parser->problem_mark.line, &column)) {
        rule = &tab;
        mark.line = parser->problem_mark.line;
        mark.column = column;
    }
    const levy_place place = levy_syntax_place(source, mark);
    if (rule)
        levy_fault_add(faults, LEVY_REASON_SYNTAX, &place, NULL, rule->hint, "%s", rule->message);
    else
        levy_fault_add(faults, LEVY_REASON_SYNTAX, &place, NULL, "Check the YAML at this place.",
                       "not valid YAML: %s", parser->problem ? parser->problem : "unknown error");
    return true;
}
