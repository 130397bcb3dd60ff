/* syntax.h: the text level of a document: the bytes that a file may hold, and libyaml's errors in
 * levy's own words. Must not know: the tree. */
#ifndef LEVY_DOCUMENT_SYNTAX_H
#define LEVY_DOCUMENT_SYNTAX_H

#include "engine/base/error.h"

#include <yaml.h>

/* A named text. `text` starts after a byte order mark. */
typedef struct levy_syntax_source {
    const char *file;
    uint32_t file_order;
    const char *text;
    size_t length;
} levy_syntax_source;

levy_place levy_syntax_place(const levy_syntax_source *source, yaml_mark_t mark);

/* Requires UTF-8 without NUL, control or text-reordering characters, and no byte order mark inside.
 * Many directives are refused too: libyaml compares each with all before it. False: a fault was
 * added. */
bool levy_syntax_check_text(const levy_syntax_source *source, levy_fault_list *faults);

/* Adds a fault for the parser's error. False: libyaml had no memory, and nothing was added. */
bool levy_syntax_report(const levy_syntax_source *source, const yaml_parser_t *parser,
                        levy_fault_list *faults);

void levy_syntax_refuse_directive(const levy_place *place, levy_fault_list *faults);
void levy_syntax_refuse_tag(const levy_place *place, const char *path, const char *tag,
                            levy_fault_list *faults);

#endif
