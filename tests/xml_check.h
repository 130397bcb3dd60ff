/* xml_check.h: is a text well-formed XML 1.0? Enough for what the engine writes: a declaration,
 * elements, attributes, text, the five entities. No comments, CDATA, processing instructions or
 * DTD. */
#ifndef LEVY_TESTS_XML_CHECK_H
#define LEVY_TESTS_XML_CHECK_H

#include <stdbool.h>
#include <stddef.h>

typedef struct xml_facts {
    const char *fault; /* NULL: well-formed */
    size_t elements, deepest;
} xml_facts;

xml_facts xml_check(const char *text);

/* How often `what` occurs. */
size_t xml_count(const char *text, const char *what);

#endif
