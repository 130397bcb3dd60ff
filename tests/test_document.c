/* test_document.c: engine/document: places, limits, refused features, libyaml's errors in the
 * house's words, lack of memory at every allocation, and the time that hostile texts take. */
#include "tests/cmocka_all.h"

#include "engine/document/document.h"
#include "tests/heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- Helpers ---- */

typedef struct document_case {
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    levy_status status;
} document_case;

static void document_read_bytes(document_case *c, const char *text, size_t length,
                                const levy_limits *limits)
{
    levy_arena_init(&c->arena, NULL);
    levy_fault_list_init(&c->faults, NULL);
    c->status =
        levy_document_read("f.yaml", 0, text, length, limits, &c->arena, &c->faults, &c->document);
    levy_fault_list_sort(&c->faults);
}

static void document_read_text(document_case *c, const char *text)
{
    document_read_bytes(c, text, strlen(text), NULL);
}

static void document_release(document_case *c)
{
    levy_fault_list_release(&c->faults);
    levy_arena_release(&c->arena);
}

/* The only fault of `text` is this line. */
static void assert_refused_bytes(const char *text, size_t length, const levy_limits *limits,
                                 const char *line)
{
    document_case c;
    char found[600];
    document_read_bytes(&c, text, length, limits);
    assert_int_equal(c.status, LEVY_INPUT);
    assert_int_equal(c.faults.count, 1);
    levy_fault_line(&c.faults.items[0], found, sizeof found);
    assert_string_equal(found, line);
    assert_non_null(c.faults.items[0].hint);
    document_release(&c);
}

static void assert_refused(const char *text, const char *line)
{
    assert_refused_bytes(text, strlen(text), NULL, line);
}

static void assert_accepted(const char *text, const levy_limits *limits)
{
    document_case c;
    document_read_bytes(&c, text, strlen(text), limits);
    assert_int_equal(c.status, LEVY_OK);
    assert_int_equal(c.faults.count, 0);
    document_release(&c);
}

static void assert_place(const levy_node *node, uint32_t line, uint32_t column)
{
    assert_non_null(node);
    assert_string_equal(node->place.file, "f.yaml");
    assert_int_equal(node->place.line, line);
    assert_int_equal(node->place.column, column);
}

/* ---- The tree ---- */

static void test_tree_has_shape_and_places(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "# book\ntrades:\n  - id: one\n    strikes: [1, 2.5,\n      'x']\n  - "
                           "{id: two}\nseed: 42\n");
    assert_int_equal(c.status, LEVY_OK);
    assert_int_equal(c.document.n_roots, 1);
    const levy_node *root = c.document.roots[0];
    assert_int_equal(root->kind, LEVY_NODE_MAP);
    assert_int_equal(root->count, 2);
    assert_null(root->key);
    const levy_node *trades = levy_node_find(root, "trades");
    assert_int_equal(trades->kind, LEVY_NODE_LIST);
    assert_int_equal(trades->count, 2);
    assert_place(trades, 3, 3);
    assert_place(trades->key, 2, 1);
    const levy_node *strikes = levy_node_find(trades->children, "strikes");
    assert_place(strikes, 4, 14);
    assert_place(strikes->children->next->next, 5, 7);
    assert_string_equal(strikes->children->next->text, "2.5");
    assert_false(strikes->children->next->quoted);
    assert_true(strikes->children->next->next->quoted);
    assert_null(strikes->children->next->next->next);
    assert_place(levy_node_find(trades->children->next, "id"), 6, 10);
    assert_place(levy_node_find(root, "seed"), 7, 7);
    assert_null(levy_node_find(root, "missing"));
    assert_null(levy_node_find(trades, "id"));
    assert_null(levy_node_find(NULL, "id"));
    document_release(&c);
}

static void test_columns_count_characters(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "\"\xC3\xA9\xE2\x82\xAC\": x\n");
    assert_int_equal(c.status, LEVY_OK);
    assert_place(c.document.roots[0]->children, 1, 7);
    assert_int_equal(c.document.roots[0]->children->key->length, 5);
    document_release(&c);
}

static void test_scalars_keep_their_text(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "a: |\n  one\n  two\nb: \"x\\ty\"\nc: yes\nd:\ne: ''\nf: 012\n");
    assert_int_equal(c.status, LEVY_OK);
    const levy_node *root = c.document.roots[0];
    assert_string_equal(levy_node_find(root, "a")->text, "one\ntwo\n");
    assert_true(levy_node_find(root, "a")->quoted);
    assert_string_equal(levy_node_find(root, "b")->text, "x\ty");
    assert_string_equal(levy_node_find(root, "c")->text, "yes");
    assert_int_equal(levy_node_find(root, "d")->length, 0);
    assert_false(levy_node_find(root, "d")->quoted);
    assert_true(levy_node_find(root, "e")->quoted);
    assert_string_equal(levy_node_find(root, "f")->text, "012");
    document_release(&c);
}

static void test_streams_hold_several_documents(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "a: 1\n---\nb: 2\n...\n---\n- 3\n");
    assert_int_equal(c.status, LEVY_OK);
    assert_int_equal(c.document.n_roots, 3);
    assert_place(c.document.roots[1], 3, 1);
    assert_int_equal(c.document.roots[2]->kind, LEVY_NODE_LIST);
    document_release(&c);
    char many[6 * 40 + 1] = "";
    for (int i = 0; i < 40; ++i) strcat(many, "--- a\n");
    document_read_text(&c, many);
    assert_int_equal(c.document.n_roots, 40);
    document_release(&c);
}

static void test_json_is_read(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "{\"a\": [1, 2.5e-3, \"x\"], \"b\": {\"c\": true}}");
    assert_int_equal(c.status, LEVY_OK);
    assert_int_equal(levy_node_find(c.document.roots[0], "a")->count, 3);
    assert_string_equal(levy_node_find(levy_node_find(c.document.roots[0], "b"), "c")->text,
                        "true");
    document_release(&c);
}

/* JSON in ASCII has characters past U+FFFF as two escapes. Only in double quotes are they escapes,
 * and no place moves. */
static void test_surrogate_pairs_are_characters(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "# \\ud842\\udfb7\n"
                           "{\"a\": \"x\\uD842\\uDFB7\\ud83d\\ude00y\", \"b\": 1,\n"
                           "\t\"\\ud83d\\ude00\": '\\ud842\\udfb7', \"d\": \"\\\\ud842\\\\udfb7\", "
                           "\"e\": \\ud842\\udfb7, \"f\": \"\xee\x80\x80\\ue400\", \"g\": 2}\n");
    assert_int_equal(c.status, LEVY_OK);
    const levy_node *const map = c.document.roots[0], *const a = levy_node_find(map, "a"),
                           *const b = levy_node_find(map, "b"),
                           *const face = levy_node_find(map, "\xf0\x9f\x98\x80"),
                           *const g = levy_node_find(map, "g");
    assert_string_equal(a->text, "x\xf0\xa0\xae\xb7\xf0\x9f\x98\x80y");
    assert_int_equal(a->length, 10);
    assert_int_equal(b->key->place.column, 37); /* as in the file, escapes and all */
    assert_string_equal(face->text, "\\ud842\\udfb7");
    assert_string_equal(levy_node_find(map, "d")->text, "\\ud842\\udfb7");
    assert_string_equal(levy_node_find(map, "e")->text, "\\ud842\\udfb7");
    assert_string_equal(levy_node_find(map, "f")->text, "\xee\x80\x80\xee\x90\x80");
    assert_int_equal(g->place.line, 3);
    document_release(&c);
    assert_refused("a: \"\\ud842\"\n",
                   "f.yaml:1:7: error: an escape is half of a pair, or no character at all");
    assert_refused("{\n\t\"a\": \"\\udfb7\\ud842\"}\n",
                   "f.yaml:2:10: error: an escape is half of a pair, or no character at all");
    assert_refused("a: \"\\ud842\\udfb7\\ue000\"\n",
                   "f.yaml:1:4: error: a text has surrogate pairs beside private characters");
    assert_refused("a: \"\\ud842\\udfb7\nb: 1\n",
                   "f.yaml:1:4: error: the quote opened here is not closed");
}

static void test_line_ends_of_other_systems(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "a: 1\r\nb: 2\rc: 3\n");
    assert_int_equal(c.status, LEVY_OK);
    assert_place(levy_node_find(c.document.roots[0], "b"), 2, 4);
    assert_place(levy_node_find(c.document.roots[0], "c"), 3, 4);
    document_release(&c);
}

static void test_byte_order_mark_only_at_the_start(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "\xEF\xBB\xBF"
                           "a: 1\n");
    assert_int_equal(c.status, LEVY_OK);
    assert_place(c.document.roots[0]->children, 1, 4);
    document_release(&c);
    assert_refused("a: 1\n---\n\xEF\xBB\xBF"
                   "b: 1\n",
                   "f.yaml:3:1: error: a byte order mark is allowed only at the start of a file");
}

/* ---- What is refused ---- */

static void test_empty_texts_are_refused(void **state)
{
    (void)state;
    assert_refused("", "f.yaml:1:1: error: the file is empty");
    assert_refused("# only a comment\n", "f.yaml:1:1: error: the file is empty");
    assert_refused("---\n", "f.yaml:2:1: error: the document is empty");
    assert_refused("a: 1\n---\n", "f.yaml:3:1: error: the document is empty");
}

static void test_bytes_that_are_no_text_are_refused(void **state)
{
    (void)state;
    assert_refused_bytes("a\0b", 3, NULL, "f.yaml:1:2: error: a NUL byte is not allowed");
    assert_refused("a: 1\nb: \xFF\n", "f.yaml:2:4: error: byte 0xFF is not UTF-8 text");
    assert_refused("a: \xC0\x80\n", "f.yaml:1:4: error: byte 0xC0 is not UTF-8 text");
    assert_refused("a: x\x07\n", "f.yaml:1:5: error: control character U+0007 is not allowed");
    assert_refused("a: \xC2\x85\n", "f.yaml:1:4: error: control character U+0085 is not allowed");
    assert_refused("a: 1 # \xE2\x80\xAE\n",
                   "f.yaml:1:8: error: text direction control U+202E is not allowed");
    assert_refused("a: \"\\u202e\"\n",
                   "f.yaml:1:4: error: control character U+202E is not allowed in text");
    assert_refused("a: [\"\\0\"]\n",
                   "f.yaml:1:5: error: a: control character U+0000 is not allowed in text");
    assert_refused("\"a\\x1b\": 1\n",
                   "f.yaml:1:1: error: control character U+001B is not allowed in text");
}

static void test_duplicate_keys_name_both_places(void **state)
{
    (void)state;
    assert_refused("a: 1\nb: 2\na: 3\n",
                   "f.yaml:3:1: error: a: duplicate key; its first occurrence is at line "
                   "1, column 1");
    assert_refused("t:\n  - {x: 1}\n  - {y: 1, z: 2, y: 3}\n",
                   "f.yaml:3:18: error: t[1].y: duplicate key; its first occurrence is at "
                   "line 3, column 6");
    document_case c;
    document_read_text(&c, "a: 1\na: 2\n\"a\": 3\nb: {c: 1, c: 2}\n");
    assert_int_equal(c.faults.count, 3);
    assert_int_equal(c.faults.items[0].reason, LEVY_REASON_DUPLICATE_KEY);
    assert_int_equal(c.document.n_roots, 1);
    assert_string_equal(levy_node_find(c.document.roots[0], "a")->text, "1"); /* the first stands */
    document_release(&c);
}

static void test_duplicates_among_many_keys(void **state)
{
    (void)state;
    static char text[2000 * 16];
    size_t n = 0;
    for (int i = 0; i < 2000; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, "k%d: 1\n", (i * 7) % 1999);
    document_case c;
    document_read_bytes(&c, text, n, NULL);
    assert_int_equal(c.faults.count, 1);
    assert_int_equal(c.faults.items[0].place.line, 2000);
    assert_string_equal(c.faults.items[0].path, "k0");
    document_release(&c);
}

static void test_features_are_refused(void **state)
{
    (void)state;
    assert_refused("a: &x 1\n", "f.yaml:1:4: error: YAML anchors are not supported");
    assert_refused("a: &x {b: 1}\n", "f.yaml:1:4: error: YAML anchors are not supported");
    assert_refused("a:\n  - *x\n", "f.yaml:2:5: error: a: YAML aliases are not supported");
    assert_refused("a: !!int 3\n",
                   "f.yaml:1:4: error: YAML tags are not supported; got 'tag:yaml.org,2002:int'");
    assert_refused("a: !x [1]\n", "f.yaml:1:4: error: YAML tags are not supported; got '!x'");
    assert_refused("a: !h!x 1\n", "f.yaml:1:4: error: YAML tags are not supported");
    assert_refused("a: {<<: {b: 1}}\n",
                   "f.yaml:1:5: error: a: YAML merge keys ('<<') are not supported");
    assert_refused("%YAML 1.1\n---\na: 1\n",
                   "f.yaml:1:1: error: YAML directives are not supported");
    assert_refused("%TAG ! tag:x:\n---\na: 1\n",
                   "f.yaml:1:1: error: YAML directives are not supported");
    assert_refused("%YAML 2.0\n---\na: 1\n",
                   "f.yaml:1:1: error: YAML directives are not supported");
    assert_refused("%FOO\n---\na: 1\n", "f.yaml:1:1: error: YAML directives are not supported");
    assert_accepted("a: {'<<': 1}\n", NULL);
}

static void test_alias_is_never_expanded(void **state)
{
    (void)state;
    document_case c;
    document_read_text(&c, "a: &x [1]\nb: *x\nc:\n  <<: *x\n");
    assert_int_equal(c.status, LEVY_INPUT);
    assert_int_equal(c.faults.count, 3); /* the anchor, the alias, the merge key with its alias */
    assert_int_equal(c.document.n_roots, 0);
    document_release(&c);
    document_read_text(&c, "&x [*x]\n"); /* a cycle */
    assert_int_equal(c.status, LEVY_INPUT);
    assert_int_equal(c.document.n_roots, 0);
    document_release(&c);
}

static void test_keys_must_be_words(void **state)
{
    (void)state;
    assert_refused("[a]: 1\n", "f.yaml:1:1: error: a list or map cannot be a key");
    assert_refused("x: {{a}}\n", "f.yaml:1:5: error: x: a list or map cannot be a key");
    assert_refused("? {a: 1}\n: 2\n", "f.yaml:1:3: error: a list or map cannot be a key");
    assert_refused("x:\n  ?\n  : 1\n", "f.yaml:2:4: error: x: a key is missing before ':'");
}

static void test_syntax_errors_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"a:\n\tb: 1\n", "f.yaml:2:1: error: a tab is used for indentation"},
        {"a: 1\n\tb: 2\n", "f.yaml:2:1: error: a tab is used for indentation"},
        {"a:\n  \t- b: 1\n", "f.yaml:2:3: error: a tab is used for indentation"},
        {"a: |\n\tx\n", "f.yaml:2:1: error: a tab is used for indentation"},
        {"a: 1\nstrike:100\nb: 2\n", "f.yaml:2:1: error: expected ': ' after a key"},
        {"a: 1\nstrike:100\n", "f.yaml:2:1: error: expected ': ' after a key"},
        {"a: b: c\n", "f.yaml:1:5: error: a ':' is not allowed here"},
        {"a: 1\n  b: 2\n", "f.yaml:2:4: error: a ':' is not allowed here"},
        {"a: [1, 2\nb: 3\n",
         "f.yaml:1:4: error: the '[' opened here is not closed, or a comma is missing"},
        {"a: {x: 1\nb: 3\n",
         "f.yaml:1:4: error: the '{' opened here is not closed, or a comma is missing"},
        {"a: [1, 2}\n",
         "f.yaml:1:4: error: the '[' opened here is not closed, or a comma is missing"},
        {"a: [1, 2", "f.yaml:1:4: error: the '[' opened here is not closed, or a comma is missing"},
        {"a: [1,,2]\n", "f.yaml:1:7: error: a value is missing here, or there is an extra "
                        "bracket or comma"},
        {"a: 1\n}\n", "f.yaml:2:1: error: this bracket has no opening bracket"},
        {"a: \"abc\nb: 1\n", "f.yaml:1:4: error: the quote opened here is not closed"},
        {"a: 'abc\n", "f.yaml:1:4: error: the quote opened here is not closed"},
        {"a: 'it's'\n", "f.yaml:1:8: error: unexpected text after a value"},
        {"a: \"x\" y\n", "f.yaml:1:8: error: unexpected text after a value"},
        {"a: \"c:\\quotes\"\n",
         "f.yaml:1:7: error: a backslash in double quotes starts an escape that does not exist"},
        {"a: @x\n", "f.yaml:1:4: error: text cannot begin with this character"},
        {"a: %x\n", "f.yaml:1:4: error: text cannot begin with this character"},
        {"a: * b\n", "f.yaml:1:4: error: '*' starts an alias, which is not supported"},
        {"a: & b\n", "f.yaml:1:4: error: '&' starts an anchor, which is not supported"},
        {"a: ? b\n", "f.yaml:1:4: error: a '?' is not allowed here"},
        {"a: - b\n", "f.yaml:1:4: error: a list item ('- ') is not allowed here"},
        {"a: |x\n",
         "f.yaml:1:5: error: a block text ('|' or '>') must begin on the next line, indented"},
        {"a:\n    b: 1\n  c: 2\n",
         "f.yaml:3:3: error: expected a key of the map that encloses this line"},
        {"- a\nb: 1\n",
         "f.yaml:2:1: error: expected '- ' or the end of the list that encloses this line"},
        {"t:\n  - id: x\n   p: y\n",
         "f.yaml:3:4: error: expected '- ' or the end of the list that encloses this line"},
        {"  a: 1\nb: 2\n", "f.yaml:2:1: error: expected the end of the document, or '---'"},
        {": 1\n", "f.yaml:1:1: error: a key is missing before ':'"},
        {"{a: b:}\n", "f.yaml:1:6: error: a ':' must be followed by a space and a value"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_refused(cases[i].text, cases[i].line);
}

/* ---- Limits, each at the limit and one past it ---- */

static void test_limit_of_depth(void **state)
{
    (void)state;
    char text[200];
    for (size_t depth = 32; depth <= 33; ++depth) {
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        text[2 * depth] = '\0';
        document_case c;
        document_read_text(&c, text);
        assert_int_equal(c.status, depth == 32 ? LEVY_OK : LEVY_INPUT);
        if (depth == 33) {
            assert_int_equal(c.faults.items[0].reason, LEVY_REASON_LIMIT);
            assert_int_equal(c.faults.items[0].place.column, 33);
        }
        document_release(&c);
    }
    const levy_limits two = {
        .depth = 2, .scalar_bytes = 10, .key_bytes = 4, .nodes = 100, .file_bytes = 100};
    assert_accepted("a: {b: 1}\n", &two);
    assert_refused_bytes(
        "a: {b: [1]}\n", 12, &two,
        "f.yaml:1:8: error: a: lists and maps are nested too deeply; the limit is 2");
}

static void test_limits_of_size(void **state)
{
    (void)state;
    const levy_limits small = {
        .depth = 4, .scalar_bytes = 10, .key_bytes = 4, .nodes = 5, .file_bytes = 40};
    assert_accepted("a: 0123456789\n", &small);
    assert_refused_bytes("a: 0123456789x\n", 15, &small,
                         "f.yaml:1:4: error: the text is too long; the limit is 10");
    assert_accepted("abcd: 1\n", &small);
    assert_refused_bytes("abcde: 1\n", 9, &small,
                         "f.yaml:1:1: error: the key is too long; the limit is 4");
    assert_accepted("[1, 2, 3, 4]\n", &small);
    assert_refused_bytes("[1, 2, 3, 4, 5]\n", 16, &small,
                         "f.yaml:1:14: error: the file holds too many values; the limit is 5");
    assert_accepted("a: 1 # 34567890123456789012345678901234\n", &small);
    assert_refused_bytes("a: 1 # 345678901234567890123456789012345\n", 41, &small,
                         "f.yaml: error: the file is too large: 41 bytes; the limit is 40");
}

static void test_default_limits(void **state)
{
    (void)state;
    static char text[66000];
    memcpy(text, "a: ", 3);
    memset(text + 3, 'x', 65536);
    document_case c;
    document_read_bytes(&c, text, 3 + 65536, NULL);
    assert_int_equal(c.status, LEVY_OK);
    document_release(&c);
    text[3 + 65536] = 'x';
    assert_refused_bytes(text, 3 + 65537, NULL,
                         "f.yaml:1:4: error: the text is too long; the limit is 65536");
    memset(text, 'k', 129);
    memcpy(text + 128, ": 1", 3);
    document_read_bytes(&c, text, 131, NULL);
    assert_int_equal(c.status, LEVY_OK);
    document_release(&c);
    memcpy(text + 128, "k: 1", 4);
    assert_refused_bytes(text, 132, NULL,
                         "f.yaml:1:1: error: the key is too long; the limit is 128");
}

/* ---- Hostile texts end early ---- */

#if defined(__has_feature)
#define DOCUMENT_HAS(feature) __has_feature(feature)
#else
#define DOCUMENT_HAS(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || DOCUMENT_HAS(address_sanitizer) ||                            \
    DOCUMENT_HAS(memory_sanitizer)
enum { DOCUMENT_SLOWER = 10 }; /* sanitizers */
#else
enum { DOCUMENT_SLOWER = 1 };
#endif

static double document_seconds(const char *text, size_t length, levy_status expected)
{
    document_case c;
    const clock_t start = clock();
    document_read_bytes(&c, text, length, NULL);
    assert_int_equal(c.status, expected);
    document_release(&c);
    return (double)(clock() - start) / (double)CLOCKS_PER_SEC / DOCUMENT_SLOWER;
}

/* Without the cut-off, libyaml takes a minute for 320 kB of brackets. */
static void test_nesting_bombs_end_early(void **state)
{
    (void)state;
    static char text[320000];
    static const char *const units[] = {"[", "{a: ", "- ", "? ", "[{a: ", "{"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i) {
        const size_t n = strlen(units[i]);
        for (size_t k = 0; k + n <= sizeof text; k += n) memcpy(text + k, units[i], n);
        assert_true(document_seconds(text, sizeof text - sizeof text % n, LEVY_INPUT) < 0.1);
    }
}

static void test_alias_and_anchor_bombs_end_early(void **state)
{
    (void)state;
    static char text[1200000];
    size_t n = (size_t)snprintf(text, sizeof text, "a0: &a0 [x, x]\n");
    for (int i = 1; i < 40; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i,
                              i - 1, i - 1, i - 1);
    assert_true(document_seconds(text, n, LEVY_INPUT) < 0.1);
    n = 0;
    for (int i = 0; i < 40000; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, "- &a%d 1\n", i);
    assert_true(document_seconds(text, n, LEVY_INPUT) < 0.5);
}

static void test_directive_bomb_ends_early(void **state)
{
    (void)state;
    static char text[700000];
    size_t n = 0;
    for (int i = 0; i < 40000; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, "%%TAG !a%d! x\n", i);
    assert_true(document_seconds(text, n, LEVY_INPUT) < 0.1);
    assert_accepted("a: \"x\n% y\n% z\"\n", NULL); /* text, not a directive */
}

static void test_many_keys_take_little_time(void **state)
{
    (void)state;
    static char text[1600000];
    size_t n = 0;
    for (int i = 0; i < 100000; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, "key%d: 1\n", i);
    assert_true(document_seconds(text, n, LEVY_OK) < 1.0);
}

/* ---- Memory ---- */

static levy_status document_read_failing(test_heap *heap, const char *text, size_t length,
                                         size_t *errors)
{
    const levy_memory memory = heap_memory(heap);
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    levy_arena_init(&arena, &memory);
    levy_fault_list_init(&faults, &memory);
    const levy_status status =
        levy_document_read("f.yaml", 0, text, length, NULL, &arena, &faults, &document);
    *errors = faults.errors;
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
    assert_int_equal(heap->live, 0);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static char text[60000];
    size_t n = 0, errors = 0;
    for (int i = 0; i < 300; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "key%d: {a: [1, two, 'three'], b: %0100d}\n", i % 290, i);
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "--- a\n--- b\n--- c\n--- d\n--- \"\\ud83d\\ude00\"\n");
    for (int for_ever = 0; for_ever < 2; ++for_ever) {
        levy_status status = LEVY_MEMORY;
        long fail = 1;
        for (; status == LEVY_MEMORY; ++fail) {
            test_heap heap = {.fail_at = fail, .for_ever = for_ever};
            status = document_read_failing(&heap, text, n, &errors);
        }
        assert_int_equal(status, LEVY_INPUT); /* the ten duplicate keys */
        assert_int_equal(errors, 10);
        assert_true(fail > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_has_shape_and_places),
        cmocka_unit_test(test_columns_count_characters),
        cmocka_unit_test(test_scalars_keep_their_text),
        cmocka_unit_test(test_streams_hold_several_documents),
        cmocka_unit_test(test_json_is_read),
        cmocka_unit_test(test_surrogate_pairs_are_characters),
        cmocka_unit_test(test_line_ends_of_other_systems),
        cmocka_unit_test(test_byte_order_mark_only_at_the_start),
        cmocka_unit_test(test_empty_texts_are_refused),
        cmocka_unit_test(test_bytes_that_are_no_text_are_refused),
        cmocka_unit_test(test_duplicate_keys_name_both_places),
        cmocka_unit_test(test_duplicates_among_many_keys),
        cmocka_unit_test(test_features_are_refused),
        cmocka_unit_test(test_alias_is_never_expanded),
        cmocka_unit_test(test_keys_must_be_words),
        cmocka_unit_test(test_syntax_errors_say_what_to_do),
        cmocka_unit_test(test_limit_of_depth),
        cmocka_unit_test(test_limits_of_size),
        cmocka_unit_test(test_default_limits),
        cmocka_unit_test(test_nesting_bombs_end_early),
        cmocka_unit_test(test_alias_and_anchor_bombs_end_early),
        cmocka_unit_test(test_directive_bomb_ends_early),
        cmocka_unit_test(test_many_keys_take_little_time),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
