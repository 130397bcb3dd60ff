/* surrogates.h: pairs of escapes, "\ud842\udfb7", in which JSON writes a character past U+FFFF in
 * ASCII (RFC 8259, 7), and which libyaml refuses. Each pair in a double-quoted text becomes two
 * escapes of private characters, as wide as it is, so that every place stays; the characters are
 * joined where the text is taken. Must not know: the tree. */
#ifndef LEVY_DOCUMENT_SURROGATES_H
#define LEVY_DOCUMENT_SURROGATES_H

#include "engine/document/syntax.h"

typedef struct levy_surrogates {
    char *text; /* a copy to be read in place of the source; NULL: the source has no pair */
    struct levy_surrogate_pair {
        size_t byte, index; /* where it begins: in the text, in characters */
    } * pairs;
    size_t n, next; /* next: the first that no scalar has passed */
} levy_surrogates;

/* Finds the pairs; lists and maps deeper than `depth` are left to whoever reads the text. False: no
 * memory. Release in any case. */
bool levy_surrogates_find(levy_surrogates *found, const levy_memory *memory,
                          const levy_syntax_source *source, size_t depth);
void levy_surrogates_release(levy_surrogates *found, const levy_memory *memory);

/* Joins those of a scalar in place; events come in the order of the text. False: which of its
 * characters are halves cannot be told from private ones that are written as they are. */
bool levy_surrogates_join(levy_surrogates *found, yaml_event_t *scalar);

#endif
