/* mutate.c: see mutate.h. A way of changing is a row of a table: which values it suits, and what it
 * does. A seed picks the value. The numbers are those of SplitMix64: Steele, Lea,
 * Flood, "Fast splittable pseudorandom number generators" (2014). */
#include "tests/mutate.h"

#include "engine/base/number.h"

#include <stdint.h>
#include <string.h>

enum { MUTATE_PLACES = 16384 };

typedef struct place {
    mutant_node *node, *parent, *above; /* above: of the parent; NULL: none */
} place;

typedef struct mutator {
    levy_arena *arena;
    uint64_t state;
    place places[MUTATE_PLACES];
    size_t n;
} mutator;

static uint64_t mutate_next(mutator *m)
{
    uint64_t z = (m->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t mutate_below(mutator *m, size_t n) { return (size_t)(mutate_next(m) % n); }

static void mutate_collect(mutator *m, mutant_node *node, mutant_node *parent, mutant_node *above)
{
    if (parent && m->n < MUTATE_PLACES) m->places[m->n++] = (place){node, parent, above};
    for (mutant_node *child = node->first; child; child = child->next)
        mutate_collect(m, child, node, parent);
}

/* ---- Which values a change suits ---- */

static bool is_scalar(const place *p) { return p->node->kind == LEVY_NODE_SCALAR; }
static bool is_any(const place *p) { return p->node != NULL; }
static bool is_keyed(const place *p) { return p->parent->kind == LEVY_NODE_MAP; }
static bool is_list(const place *p) { return p->node->kind == LEVY_NODE_LIST && p->node->first; }
static bool is_map(const place *p) { return p->node->kind == LEVY_NODE_MAP; }

static bool is_number(const place *p)
{
    double value = 0.0;
    return is_scalar(p) && !p->node->quoted &&
           levy_number_read(p->node->text, strlen(p->node->text), &value) == LEVY_NUMBER_OK;
}

static bool is_date(const place *p)
{
    const char *const text = p->node->text;
    return is_scalar(p) && strlen(text) == 10 && text[4] == '-' && text[7] == '-';
}

static bool is_word(const place *p)
{
    return is_scalar(p) && *p->node->text && !is_number(p) && !is_date(p);
}

static bool can_rise(const place *p)
{
    return is_keyed(p) && p->above && p->above->kind == LEVY_NODE_MAP;
}

static bool can_sink(const place *p)
{
    for (const mutant_node *other = p->parent->first; is_keyed(p) && other; other = other->next)
        if (other != p->node && other->kind == LEVY_NODE_MAP) return true;
    return false;
}

/* ---- Changes ---- */

static void mutate_unlink(const place *p)
{
    mutant_node **const link = mutant_tree_link(p->parent, p->node);
    if (link) *link = p->node->next;
    p->node->next = NULL;
}

/* Puts a value where the place's was, under its key. */
static void mutate_put(const place *p, mutant_node *value)
{
    mutant_node **const link = mutant_tree_link(p->parent, p->node);
    value->key = p->node->key;
    value->next = p->node->next;
    if (link) *link = value;
}

static void mutate_text(mutator *m, const place *p, const char *text, bool quoted)
{
    mutate_put(p, mutant_tree_scalar(m->arena, text, quoted));
}

#define MUTATE_ONE_OF(m, words) (words)[mutate_below((m), sizeof(words) / sizeof *(words))]

/* A letter lost, doubled or swapped with the next, a capital or one more at the end. */
static const char *mutate_typo(mutator *m, const char *word)
{
    const size_t n = strlen(word), at = n > 0 ? mutate_below(m, n) : 0, way = mutate_below(m, 5);
    char *const typo = levy_arena_allocate(m->arena, n + 3, 1);
    if (!typo) return "typo";
    memcpy(typo, word, n + 1);
    if (way == 0 && n > 1)
        memmove(typo + at, typo + at + 1, n - at);
    else if (way == 1 && n > 0)
        memmove(typo + at + 1, typo + at, n - at + 1);
    else if (way == 2 && at + 1 < n) {
        typo[at] = word[at + 1];
        typo[at + 1] = word[at];
    } else if (way == 3 && n > 0 && typo[0] >= 'a' && typo[0] <= 'z')
        typo[0] = (char)(typo[0] - 'a' + 'A');
    else
        memcpy(typo + n, "s", 2);
    return typo;
}

static void delete_value(mutator *m, const place *p)
{
    (void)m;
    mutate_unlink(p);
}

static void rename_key(mutator *m, const place *p) { p->node->key = mutate_typo(m, p->node->key); }

static void exchange_key(mutator *m, const place *p)
{
    static const char *const other[] = {"value", "name",   "kind",    "type",
                                        "date",  "amount", "comment", "x"};
    p->node->key = MUTATE_ONE_OF(m, other);
}

static void repeat_value(mutator *m, const place *p)
{
    mutant_node *const copy = mutant_tree_copy(m->arena, p->node);
    copy->next = p->node->next;
    p->node->next = copy;
}

static void raise_key(mutator *m, const place *p)
{
    (void)m;
    mutate_unlink(p);
    mutant_tree_append(p->above, p->node);
}

static void sink_key(mutator *m, const place *p)
{
    mutant_node *maps[64];
    size_t n = 0;
    for (mutant_node *other = p->parent->first; other && n < 64; other = other->next)
        if (other != p->node && other->kind == LEVY_NODE_MAP) maps[n++] = other;
    if (n == 0) return;
    mutate_unlink(p);
    mutant_tree_append(maps[mutate_below(m, n)], p->node);
}

static void add_key(mutator *m, const place *p)
{
    mutant_node *const extra = mutant_tree_scalar(m->arena, "1", false);
    extra->key = "surplus";
    mutant_tree_append(p->node, extra);
}

static void put_other_type(mutator *m, const place *p)
{
    static const char *const plain[] = {"word", "7", "0.25", "null", "~", "", "true", "false"};
    const size_t way = mutate_below(m, 12);
    if (way < 8)
        mutate_text(m, p, plain[way], false);
    else if (way == 8)
        mutate_text(m, p, "some text", true);
    else
        mutate_put(p, mutant_tree_empty(m->arena, way == 9 ? LEVY_NODE_LIST : LEVY_NODE_MAP));
}

static void put_in_list(mutator *m, const place *p)
{
    mutant_node *const list = mutant_tree_empty(m->arena, LEVY_NODE_LIST);
    mutate_put(p, list);
    mutant_tree_append(list, p->node);
}

static void put_in_map(mutator *m, const place *p)
{
    static const char *const keys[] = {"value", "kind", "name", "nodes"};
    mutant_node *const map = mutant_tree_empty(m->arena, LEVY_NODE_MAP);
    mutate_put(p, map);
    mutant_tree_append(map, p->node);
    p->node->key = MUTATE_ONE_OF(m, keys);
}

static void put_number(mutator *m, const place *p)
{
    static const char *const numbers[] = {
        "0",    "-1",    "1e300", "-1e300", "1e-300",
        ".nan", ".inf",  "1.5",   "1e999",  "2",
        "1000", "1e-10", "0.5",   "-0.3",   "99999999999999999999",
        "3.0",  "2^3"};
    mutate_text(m, p, MUTATE_ONE_OF(m, numbers), false);
}

static void put_number_text(mutator *m, const place *p)
{
    static const char *const texts[] = {"5%", "1,000", "0x10", "1_000", "1 000", "1e", "-"};
    if (mutate_below(m, 2) == 0)
        p->node->quoted = true;
    else
        mutate_text(m, p, MUTATE_ONE_OF(m, texts), true);
}

static void put_word(mutator *m, const place *p)
{
    static const char *const words[] = {"NOWHERE", "nonsense", "a b", "-5",
                                        ".hidden", "UP",       "",    "ünbekannt"};
    if (mutate_below(m, 2) == 0)
        mutate_text(m, p, mutate_typo(m, p->node->text), p->node->quoted);
    else
        mutate_text(m, p, MUTATE_ONE_OF(m, words), true);
}

static void put_date(mutator *m, const place *p)
{
    static const char *const dates[] = {
        "1999-01-04", "2026-02-30", "2026-13-01", "20/11/2026", "2026-1-5",     "2300-01-01",
        "1.5",        "20261120",   "2190-01-01", "6M",         "Nov 20, 2026", "2026-11-20T00:00"};
    mutate_text(m, p, MUTATE_ONE_OF(m, dates), true);
}

static void shorten_list(mutator *m, const place *p)
{
    (void)m;
    p->node->first = p->node->first->next;
}

static void empty_list(mutator *m, const place *p)
{
    (void)m;
    p->node->first = NULL;
}

static void reverse_list(mutator *m, const place *p)
{
    mutant_node *reversed = NULL;
    (void)m;
    for (mutant_node *child = p->node->first, *next; child; child = next) {
        next = child->next;
        child->next = reversed;
        reversed = child;
    }
    p->node->first = reversed;
}

static void lengthen_list(mutator *m, const place *p)
{
    static const char *const extra[] = {"1", "0.5", "word", "null", "2027-01-15", "true"};
    mutant_tree_append(p->node, mutant_tree_scalar(m->arena, MUTATE_ONE_OF(m, extra), false));
}

/* A value from elsewhere in the file. */
static void put_stranger(mutator *m, const place *p)
{
    mutate_put(p, mutant_tree_copy(m->arena, m->places[mutate_below(m, m->n)].node));
}

/* ---- The table ---- */

static const struct way {
    const char *name;
    bool (*suits)(const place *p);
    void (*change)(mutator *m, const place *p);
} mutate_ways[] = {{"date", is_date, put_date}, /* MUTATE_DATE */
                   {"delete", is_any, delete_value},
                   {"rename", is_keyed, rename_key},
                   {"exchange key", is_keyed, exchange_key},
                   {"repeat", is_any, repeat_value},
                   {"raise", can_rise, raise_key},
                   {"sink", can_sink, sink_key},
                   {"add key", is_map, add_key},
                   {"other type", is_any, put_other_type},
                   {"in a list", is_any, put_in_list},
                   {"in a map", is_any, put_in_map},
                   {"number", is_number, put_number},
                   {"number as text", is_number, put_number_text},
                   {"another number", is_number, put_number},
                   {"word", is_word, put_word},
                   {"another word", is_word, put_word},
                   {"date for a number", is_number, put_date},
                   {"shorten", is_list, shorten_list},
                   {"empty", is_list, empty_list},
                   {"reverse", is_list, reverse_list},
                   {"lengthen", is_list, lengthen_list},
                   {"stranger", is_any, put_stranger}};

size_t mutate_count(void) { return sizeof mutate_ways / sizeof *mutate_ways; }

const char *mutate_name(size_t way) { return mutate_ways[way].name; }

/* The places below the roots that a change suits: how many, and their indices. */
static size_t mutate_find(mutator *m, mutant_node *roots, bool (*suits)(const place *p),
                          size_t fit[MUTATE_PLACES])
{
    size_t n = 0;
    m->n = 0;
    for (mutant_node *root = roots->first; root; root = root->next)
        mutate_collect(m, root, NULL, NULL);
    for (size_t i = 0; i < m->n; ++i)
        if (suits(&m->places[i])) fit[n++] = i;
    return n;
}

bool mutate(levy_arena *arena, mutant_node *roots, size_t way, uint64_t seed, const char **hit)
{
    static mutator m;
    size_t fit[MUTATE_PLACES];
    m.arena = arena;
    m.state = seed;
    const size_t n = mutate_find(&m, roots, mutate_ways[way].suits, fit);
    if (n == 0) return false;
    const place *const chosen = &m.places[fit[mutate_below(&m, n)]];
    *hit = chosen->node->key ? chosen->node->key : chosen->node->text;
    mutate_ways[way].change(&m, chosen);
    return true;
}

bool mutate_borrow(levy_arena *arena, mutant_node *roots, mutant_node *other, uint64_t seed,
                   const char **hit)
{
    static mutator m;
    size_t fit[MUTATE_PLACES];
    m.arena = arena;
    m.state = seed;
    size_t n = mutate_find(&m, other, is_keyed, fit);
    if (n == 0) return false;
    mutant_node *const loan = mutant_tree_copy(arena, m.places[fit[mutate_below(&m, n)]].node);
    n = mutate_find(&m, roots, is_map, fit);
    if (n == 0) return false;
    mutant_tree_append(m.places[fit[mutate_below(&m, n)]].node, loan);
    *hit = loan->key;
    return true;
}
