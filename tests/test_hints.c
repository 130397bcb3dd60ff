/* test_hints.c: a hint never writes another contract. Every key of every payoff, under each word
 * that people have for it, is given each word and number that people write there. Of the line that
 * the hint writes, each term is one that the trade has, or what the word means (written below, not
 * read off the tables), or stands under `Examples:`; the word is in the line, or is said to be left
 * out; and the line is read. Words for kinds likewise. */
#include "tests/cmocka_all.h"

#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "tests/problem_load.h"

#include "engine/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HINT_TEXT = 4096, HINT_SHOWN = 40 };

/* What a word says of a contract: terms of which a line has each key it knows, and at least one. */
typedef struct hint_word {
    const char *word, *terms[4]; /* "key: value" */
} hint_word;

static const hint_word hint_words[] = {
    {"daily", {"frequency: 1D", "count: 504"}},
    {"weekly", {"frequency: 1W", "count: 104"}},
    {"monthly", {"frequency: 1M", "count: 24"}},
    {"quarterly", {"frequency: 3M", "count: 8"}},
    {"semi-annual", {"frequency: 6M", "count: 4"}},
    {"Annual", {"frequency: 1Y", "count: 2"}},
    {"1W", {"frequency: 1W", "count: 104", "0.01917808219178082", "2026-11-27"}},
    {"continuous", {"monitoring: continuous"}},
    {"discrete", {"monitoring: discrete"}},
    {"geometric", {"method: geometric", "basket_type: geometric"}},
    {"Arithmetic", {"method: arithmetic", "basket_type: arithmetic"}},
    {"floating", {"strike: floating"}},
    {"fixed", {"strike: fixed"}},
    {"down_in", {"direction: down", "knock: in"}},
    {"up-and-out", {"direction: up", "knock: out"}},
    {"knock-in", {"knock: in"}},
    {"down", {"direction: down"}},
    {"out", {"knock: out"}},
    {"put", {"option_type: put"}},
    {"cash", {"payout: cash"}},
    {"73", {NULL}},
    {"7", {NULL}},
    {"35%", {"0.35"}},
    {"bermudan", {NULL}},
};

static const char *const hint_books[] = {
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets: {A: {currency: USD, spot: 100, "
    "volatility: 0.2}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n  - {id: t, underlying: A, payoff: %s, exercise: {expiry: 2}}\n",
    "schema_version: 1\nvaluation_date: 2026-11-20\nmarket:\n  curves: {USD: 0.05}\n  assets: {A: "
    "{currency: USD, spot: 100, volatility: 0.2}}\nmodels: {m: {kind: black_scholes, assets: "
    "[A]}}\ntrades:\n  - {id: t, underlying: A, payoff: %s, exercise: {expiry: 2028-11-20}}\n"};

typedef struct hint_case {
    const char *payoff, *key, *value; /* the payoff has key: value */
    const char *known;                /* its texts, and those that the value is made of */
    const hint_word *word;
    size_t lines, shown;
    bool failed;
} hint_case;

/* ---- Texts ---- */

/* A map in braces without a key. */
static void hint_without(char to[HINT_TEXT], const char *map, const char *key)
{
    const char *value;
    size_t length;
    snprintf(to, HINT_TEXT, "%s", map);
    if (!levy_example_value(map, key, &value, &length)) return;
    const char *start = value - strlen(key) - 2, *end = value + length;
    if (*end == ',')
        end += 2;
    else if (start[-1] == ' ')
        start -= 2;
    snprintf(to, HINT_TEXT, "%.*s%s", (int)(start - map), map, end);
}

static void hint_with(char to[HINT_TEXT], const char *map, const char *key, const char *value)
{
    const size_t n = strlen(map) - 1;
    snprintf(to, HINT_TEXT, "%.*s%s%s: %s}", (int)n, map, n > 1 ? ", " : "", key, value);
}

static bool hint_has_token(const char *text, const char *token)
{
    const size_t n = strlen(token);
    for (const char *at = text; n > 0 && (at = strstr(at, token)) != NULL; ++at)
        if (at > text && strchr(" [{", at[-1]) && strchr(" ,]}.\n", at[n])) return true;
    return false;
}

/* The line to write of a hint: in braces. False: it writes none, or says itself that it is one for
 * example. */
static bool hint_line(char to[HINT_TEXT], const char *hint)
{
    const char *at = strstr(hint, "Write ");
    int depth = 0;
    size_t n = 0;
    if (!at) at = strstr(hint, ": write ");
    if (!at) return false;
    at = strstr(at, "rite ") + 5;
    for (; at[n] && !(depth == 0 && at[n] == '.' && (at[n + 1] == ' ' || !at[n + 1])); ++n)
        depth += (at[n] == '{' || at[n] == '[') - (at[n] == '}' || at[n] == ']');
    char line[HINT_TEXT];
    snprintf(line, sizeof line, "%.*s", (int)n, at);
    static const char *const ends[] = {" in place of ", ", with ", ", without ", ", or "};
    if (strstr(line, ", for example") || strstr(line, ", with your numbers") ||
        strstr(line, "such as "))
        return false;
    if (*line != '{' && line[strspn(line, "abcdefghijklmnopqrstuvwxyz_")] != ':') return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        char *const end = strstr(line, ends[i]);
        if (end) *end = '\0';
    }
    snprintf(to, HINT_TEXT, *line == '{' ? "%s" : "{%s}", line);
    return true;
}

/* Whether a hint's sentence "Examples: a, b." has the key. */
static bool hint_is_said(const char *hint, const char *begin, const char *key)
{
    const char *const at = strstr(hint, begin), *const colon = at ? strchr(at, ':') : NULL;
    char names[HINT_TEXT];
    if (!colon) return false;
    snprintf(names, sizeof names, "%.*s", (int)strcspn(colon, "\n"), colon);
    char *const end = strstr(names, ". ");
    if (end) end[1] = '\0';
    return hint_has_token(names, key);
}

/* ---- One line ---- */

static void hint_fails(hint_case *c, const char *why, const char *term, const char *hint)
{
    static char before[HINT_TEXT];
    char now[HINT_TEXT];
    c->failed = true;
    snprintf(now, sizeof now, "%s %s %.200s", why, term, c->value);
    if (strcmp(before, now) == 0) return;
    strcpy(before, now);
    if (c->shown++ < HINT_SHOWN)
        print_error("%s %s\n  of %s: %s in %s\n  hint: %s\n", why, term, c->key, c->value,
                    c->payoff, hint);
}

static bool hint_means(const hint_case *c, const char *key, const levy_node *leaf)
{
    char term[256];
    for (size_t i = 0; c->word && i < 4 && c->word->terms[i]; ++i) {
        snprintf(term, sizeof term, "%s: %s", key, leaf->text);
        if (strcmp(c->word->terms[i], term) == 0 || strcmp(c->word->terms[i], leaf->text) == 0)
            return true;
    }
    return false;
}

/* Each leaf is the trade's, the word's or an example, as is what is below one. *kept: one of them
 * is the word's own. */
static void hint_leaves(hint_case *c, const levy_node *node, const char *key, const char *hint,
                        bool *kept)
{
    if (*key && hint_is_said(hint, "Example", key)) return;
    if (node->kind != LEVY_NODE_SCALAR) {
        for (const levy_node *child = node->children; child; child = child->next)
            hint_leaves(c, child, child->key ? child->key->text : key, hint, kept);
        return;
    }
    const bool means = hint_means(c, key, node);
    *kept = *kept || means || strcmp(node->text, c->value) == 0;
    if (means || hint_has_token(c->known, node->text) || strcmp(key, "kind") == 0) return;
    char term[256];
    snprintf(term, sizeof term, "%s: %s", key, node->text);
    hint_fails(c, "invented:", term, hint);
}

static void hint_check(hint_case *c, const char *hint)
{
    char line[HINT_TEXT];
    levy_arena arena;
    levy_fault_list faults;
    levy_document document = {0};
    bool kept = false;
    if (!hint || !hint_line(line, hint)) return;
    c->lines++;
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    if (levy_document_read("hint", 0, line, strlen(line), NULL, &arena, &faults, &document) !=
            LEVY_OK ||
        document.n_roots != 1)
        hint_fails(c, "no line of YAML:", line, hint);
    else
        hint_leaves(c, document.roots[0], "", hint, &kept);
    if (!kept && document.n_roots == 1 && strcmp(c->key, "kind") != 0 &&
        !hint_is_said(hint, "Left out", c->value))
        hint_fails(c, "lost:", c->value, hint);
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
}

static bool hint_ends(const char *path, const char *key)
{
    const size_t n = strlen(path), m = strlen(key);
    return n > m && path[n - m - 1] == '.' && strcmp(path + n - m, key) == 0;
}

/* Puts the payoff into both books, and looks at what is said of its key. */
static void hint_try(hint_case *c)
{
    for (size_t b = 0; b < sizeof hint_books / sizeof *hint_books; ++b) {
        char text[HINT_TEXT + 1024];
        snprintf(text, sizeof text, hint_books[b], c->payoff);
        loaded_book book = load_text(text);
        for (size_t i = 0; i < book.faults.count; ++i)
            if (book.faults.items[i].severity == LEVY_SEVERITY_ERROR &&
                hint_ends(book.faults.items[i].path, c->key))
                hint_check(c, book.faults.items[i].hint);
        loaded_book_release(&book);
    }
}

/* ---- All of them ---- */

/* Puts `inner` in place of the map at the path of the payoff's example. */
static void hint_compose(char to[HINT_TEXT], const char *example, const char *const *path,
                         const char *inner)
{
    const char *value;
    size_t length;
    if (!path[0]) {
        snprintf(to, HINT_TEXT, "%s", inner);
        return;
    }
    assert_true(levy_example_value(example, path[0], &value, &length));
    const int n =
        snprintf(to, HINT_TEXT, "%.*s%s%s", (int)(value - example), example, inner, value + length);
    assert_true(n < HINT_TEXT);
}

static void hint_values(hint_case *c, const char *example, const char *const *path, const char *map,
                        const levy_field *field, const char *key)
{
    /* A sanitizer sees each key with other words: every third. */
    static size_t turn;
    const size_t step = LEVY_SANITIZED ? 3 : 1;
    for (size_t w = turn++ % step; w < sizeof hint_words / sizeof *hint_words; w += step) {
        char bare[HINT_TEXT], inner[HINT_TEXT], payoff[HINT_TEXT];
        hint_without(bare, map, field->name);
        hint_with(inner, bare, key, hint_words[w].word);
        hint_compose(payoff, example, path, inner);
        c->payoff = payoff;
        c->known = payoff;
        c->key = key;
        c->value = hint_words[w].word;
        c->word = &hint_words[w];
        hint_try(c);
    }
}

static void hint_table(hint_case *c, const levy_table *table, const char *example,
                       const char *const *path, const char *map)
{
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const char *words = field->also ? field->also : "";
        hint_values(c, example, path, map, field, field->name);
        for (size_t n; (n = strcspn(words, " ")) > 0; words += n, words += *words == ' ') {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)n, words);
            hint_values(c, example, path, map, field, key);
        }
        const char *value;
        size_t length;
        if (field->type != LEVY_FIELD_OBJECT || path[0] || field->table->shorthand_key ||
            !levy_example_value(map, field->name, &value, &length))
            continue;
        char below[HINT_TEXT];
        snprintf(below, sizeof below, "%.*s", (int)length, value);
        hint_table(c, field->table, example, (const char *[]){field->name, NULL}, below);
    }
}

/* ---- Words for kinds ---- */

/* What words for kinds say that is not among their parts. */
static const hint_word hint_kinds[] = {{"one_touch", {"pays: if_touched"}},
                                       {"no_touch", {"pays: if_untouched"}},
                                       {"double_no_touch", {"pays: if_untouched"}},
                                       {"dnt", {"pays: if_untouched"}},
                                       {"outperformance", {"strike_type: percent_of_initial"}},
                                       {"memory_coupon_note", {"memory: true"}},
                                       {"decumulator", {"side: sell"}},
                                       {"conditional_variance_swap", {"conditional: true"}},
                                       {"two_asset_correlation", {"knock: in"}},
                                       {"parasian", {"counting: cumulative"}},
                                       {"american_digital", {"pays: if_touched", "pay: at_hit"}}};

static void test_words_for_kinds_say_no_more_than_they_do(void **state)
{
    static const char *const more[] = {"", ", strike: 87", ", barrier: 73",
                                       ", observations: weekly", ", monitoring: continuous"};
    hint_case c = {0};
    (void)state;
    for (const levy_variant *v = levy_payoff_table.variants; v->kind; ++v)
        for (const levy_synonym *s = v->table->synonyms; s && s->word; ++s)
            for (size_t i = 0; i < sizeof more / sizeof *more; ++i) {
                char payoff[HINT_TEXT / 2], known[HINT_TEXT];
                snprintf(payoff, sizeof payoff, "{kind: %s%s}", s->word, more[i]);
                snprintf(known, sizeof known, "%s %s %s ", payoff,
                         strstr(payoff, "weekly")    ? "104 1W"
                         : strstr(payoff, "strike:") ? "fixed"
                                                     : "",
                         s->word);
                for (char *at = known + strlen(payoff); *at; ++at)
                    if (*at == '_') *at = ' ';
                c.payoff = payoff;
                c.known = known;
                c.key = "kind";
                c.value = s->word;
                c.word = NULL;
                for (size_t k = 0; k < sizeof hint_kinds / sizeof *hint_kinds; ++k)
                    if (strcmp(hint_kinds[k].word, s->word) == 0) c.word = &hint_kinds[k];
                hint_try(&c);
            }
    assert_true(c.lines > 200);
    assert_false(c.failed);
}

static void test_a_word_survives_and_nothing_is_invented(void **state)
{
    hint_case c = {0};
    (void)state;
    for (const levy_variant *v = levy_payoff_table.variants; v->kind; ++v)
        hint_table(&c, v->table, v->table->example, (const char *[]){NULL}, v->table->example);
    assert_true(c.lines > (LEVY_SANITIZED ? 3000 : 10000));
    assert_false(c.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_for_kinds_say_no_more_than_they_do),
        cmocka_unit_test(test_a_word_survives_and_nothing_is_invented)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
