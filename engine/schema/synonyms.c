/* synonyms.c: see synonyms.h. Must not know: the meaning of any key. */
#include "engine/schema/synonyms.h"

#include <string.h>
#include <strings.h>

/* Whether a list of words with blanks between them has the word. */
static bool synonym_has(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = words; at && *at && n > 0; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == n && strncmp(at, word, n) == 0) return true;
        at += length;
    }
    return false;
}

const levy_field *levy_synonym_field(const levy_table *table, const char *word)
{
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (synonym_has(field->also, word)) return field;
    return NULL;
}

const char *levy_synonym_kind(const levy_table *table, const char *word, const char **map)
{
    for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant)
        for (const levy_synonym *s = variant->table->synonyms; s && s->word; ++s)
            if (strcmp(s->word, word) == 0) {
                *map = s->map;
                return variant->kind;
            }
    return NULL;
}

const char *levy_synonym_value(const levy_field *field, const char *word)
{
    for (const levy_synonym *s = field->words; s && s->word; ++s)
        if (strcasecmp(s->word, word) == 0) return s->map;
    return NULL;
}
