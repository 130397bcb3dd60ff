/* synonyms.c: see synonyms.h. Must not know: the meaning of any key. */
#include "engine/schema/synonyms.h"

#include "engine/schema/book.h"
#include "engine/schema/respell.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool levy_word_among(const char *words, const char *word)
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
        if (levy_word_among(field->also, word) || levy_word_among(field->spelled, word))
            return field;
    return NULL;
}

/* "Phoenix autocall" is phoenix_autocall. */
bool levy_synonym_is_spelling(const char *kind, const char *word)
{
    size_t i = 0;
    for (; kind[i] && word[i]; ++i) {
        const bool blank = word[i] == ' ' || word[i] == '-';
        if (kind[i] != (blank ? '_' : (char)tolower((unsigned char)word[i]))) return false;
    }
    return !kind[i] && !word[i];
}

const char *levy_synonym_kind(const levy_table *table, const char *word, const char **map)
{
    for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant) {
        if (levy_synonym_is_spelling(variant->kind, word) && strcmp(variant->kind, word) != 0)
            return variant->kind;
        for (const levy_synonym *s = variant->table->synonyms; s && s->word; ++s)
            if (levy_synonym_is_spelling(s->word, word)) {
                *map = s->map;
                return variant->kind;
            }
    }
    return NULL;
}

const char *levy_synonym_value(const levy_field *field, const char *word)
{
    for (const levy_synonym *s = field->words; s && s->word; ++s)
        if (levy_synonym_is_spelling(s->word, word) || strcasecmp(s->word, word) == 0)
            return s->map;
    return NULL;
}

const levy_variant *levy_synonym_variant(const levy_table *table, const char *word,
                                         const char **example)
{
    *example = NULL;
    const char *const own = levy_synonym_kind(table, word, example);
    for (const levy_variant *v = table->variants; v && v->kind; ++v) {
        if (strcmp(v->kind, own ? own : word) != 0) continue;
        if (!*example) *example = v->table->example;
        return v;
    }
    return NULL;
}

const levy_variant *levy_synonym_of_kinds(const char *word, const char **example)
{
    char own[32];
    const char *const read_as = levy_respell_kind_name(word);
    const levy_variant *v = levy_synonym_variant(&levy_payoff_table, word, example);
    if (!v) v = levy_synonym_variant(&levy_model_table, word, example);
    if (v || read_as == word) return v;
    snprintf(own, sizeof own, "%.*s", (int)strcspn(read_as, ","), read_as);
    return levy_synonym_variant(&levy_payoff_table, own, example);
}

const char *const levy_kind_keys[] = {"kind", "type", "payoff_type", "product", NULL};

const levy_variant *levy_synonym_named(const levy_table *table, const levy_node *map,
                                       const char **example)
{
    for (size_t i = 0; levy_kind_keys[i]; ++i) {
        const levy_node *const node = levy_node_find(map, levy_kind_keys[i]);
        const levy_variant *const v = node && node->kind == LEVY_NODE_SCALAR
                                          ? levy_synonym_variant(table, node->text, example)
                                          : NULL;
        if (v) return v;
    }
    return NULL;
}

/* ---- Keys that no table has ---- */

static const char *synonym_text(const levy_table *table, const char *key)
{
    for (const levy_synonym *s = table->strangers; s && s->word; ++s)
        if (levy_word_among(s->word, key)) return s->map;
    return NULL;
}

/* The words of the table, or of the one of which it is a variant. */
static const char *synonym_stranger(const levy_table *table, const char *key)
{
    const char *text = synonym_text(table, key);
    for (const levy_variant *v = levy_payoff_table.variants; !text && v->kind; ++v)
        if (v->table == table && !levy_synonym_field(table, key))
            text = synonym_text(&levy_payoff_table, key);
    return text;
}

/* The value at a $ of the text, whose end *at becomes. */
static const char *synonym_value(const levy_reader *reader, const levy_node *map,
                                 const levy_node *child, const char **at)
{
    const size_t n = (*at)[0] == '(' ? strcspn(*at, ")") : 0;
    if (n == 0) return child->text;
    for (const levy_node *own = map->children; own; own = own->next)
        if (strlen(own->key->text) == n - 1 && strncmp(own->key->text, *at + 1, n - 1) == 0 &&
            own->kind == LEVY_NODE_SCALAR) {
            *at += n + 1;
            return own->text;
        }
    const char *const key = *at + 1;
    char *const text = levy_arena_allocate(reader->arena, n, 1);
    for (size_t i = 0; text && i + 1 < n; ++i) text[i] = (char)toupper((unsigned char)key[i]);
    *at += n + 1;
    return text;
}

const char *levy_synonym_stranger(const levy_reader *reader, const levy_table *table,
                                  const levy_node *map, const levy_node *child)
{
    const char *from = synonym_stranger(table, child->key->text), *text = "";
    const bool scalar = child->kind == LEVY_NODE_SCALAR && child->length > 0;
    if (!from || (strchr(from, '$') && !scalar)) return NULL;
    for (const char *mark; text && (mark = strchr(from, '$')) != NULL;) {
        const char *at = mark + 1, *const value = synonym_value(reader, map, child, &at);
        text = value ? levy_arena_format(reader->arena, "%s%.*s%s", text, (int)(mark - from), from,
                                         value)
                     : NULL;
        from = at;
    }
    return text ? levy_arena_format(reader->arena, "%s%s", text, from) : NULL;
}
