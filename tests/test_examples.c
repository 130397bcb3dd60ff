/* test_examples.c: what the tables show to people is what the reader takes: the example of every
 * table, the map of every synonym; and every other word for a key is refused with that key. */
#include "tests/cmocka_all.h"

#include "engine/schema/book.h"
#include "engine/schema/example.h"
#include "engine/schema/sample.h"
#include "engine/schema/synonyms.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXAMPLES_DEPTH = 12, EXAMPLES_OBJECT = 4096 };

typedef struct examples {
    levy_arena arena;
    levy_fault_list faults;
    size_t read, words;
} examples;

static int open_examples(void **state)
{
    examples *const e = calloc(1, sizeof *e);
    if (!e) return -1;
    levy_arena_init(&e->arena, NULL);
    levy_fault_list_init(&e->faults, NULL);
    *state = e;
    return 0;
}

static int close_examples(void **state)
{
    examples *const e = *state;
    levy_fault_list_release(&e->faults);
    levy_arena_release(&e->arena);
    free(e);
    return 0;
}

static const levy_node *node_of(examples *e, const char *text)
{
    levy_document document = {0};
    assert_int_equal(levy_document_read("example", 0, text, strlen(text), NULL, &e->arena,
                                        &e->faults, &document),
                     LEVY_OK);
    assert_int_equal(document.n_roots, 1);
    return document.roots[0];
}

/* Reads the text by the table; a fault fails the test. */
static void check_reads(examples *e, const levy_table *table, const char *text)
{
    const levy_reader reader = {&e->arena, &e->faults, -1, false, INT32_MIN, NULL};
    const levy_node *const node = node_of(e, text);
    static double object[EXAMPLES_OBJECT / sizeof(double)];
    memset(object, 0, sizeof object);
    assert_true((table->variants ? sizeof(levy_variant_value) : table->size) <= sizeof object);
    if (!levy_read_object(&reader, table, node, table->name, object))
        fail_msg("%s: %s: %s", table->name, text, e->faults.items[0].message);
    e->read++;
}

/* The words are not keys of the same table, and each is told apart from the others. */
static void check_words(examples *e, const levy_table *table)
{
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        char words[256] = "", *rest = NULL;
        assert_true(strlen(field->also ? field->also : "") < sizeof words);
        snprintf(words, sizeof words, "%s", field->also ? field->also : "");
        for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            for (const levy_field *other = table->fields; other->name; ++other)
                if (strcmp(other->name, word) == 0)
                    fail_msg("%s: '%s' is a key and a word for '%s'", table->name, word,
                             field->name);
            assert_ptr_equal(levy_synonym_field(table, word), field);
            e->words++;
        }
    }
}

/* A field's own example is read where the field stands, and a word for a value is no value. */
static void check_values(examples *e, const levy_table *table)
{
    for (const levy_field *field = table->fields; field && field->name; ++field) {
        const levy_field alone[] = {*field, {0}};
        const levy_table one = {.name = field->name, .size = table->size, .fields = alone};
        char text[LEVY_SAMPLE_SIZE + 64], sample[LEVY_SAMPLE_SIZE];
        snprintf(text, sizeof text, "{%s: %s}", field->name, field->example ? field->example : "");
        if (field->example) check_reads(e, &one, text);
        levy_sample_write(table, field, sample);
        snprintf(text, sizeof text, "{%s: %s}", field->name, sample);
        check_reads(e, &one, text);
        for (const levy_synonym *s = field->words; s && s->word; ++s)
            for (size_t i = 0; field->choices[i]; ++i)
                assert_string_not_equal(field->choices[i], s->word);
    }
}

/* is_kind: a variant's example has a kind, which its own table does not read, but the one above. */
static void check_table(examples *e, const levy_table *table, bool is_kind, int depth)
{
    assert_true(depth < EXAMPLES_DEPTH);
    check_words(e, table);
    check_values(e, table);
    for (const levy_synonym *s = is_kind ? NULL : table->synonyms; s && s->word; ++s)
        check_reads(e, table, s->map);
    if (table->example && !is_kind) check_reads(e, table, table->example);
    for (const levy_variant *v = table->variants; v && v->kind; ++v) {
        if (!v->table->example) fail_msg("%s has no example", v->table->name);
        check_reads(e, table, v->table->example);
        for (const levy_synonym *s = v->table->synonyms; s && s->word; ++s) {
            const char *map = NULL;
            check_reads(e, table, s->map);
            assert_string_equal(levy_synonym_kind(table, s->word, &map), v->kind);
            assert_ptr_equal(map, s->map);
            for (const levy_variant *other = table->variants; other->kind; ++other)
                assert_string_not_equal(other->kind, s->word);
        }
        check_table(e, v->table, true, depth + 1);
    }
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (field->table) check_table(e, field->table, false, depth + 1);
}

static void test_every_example_is_read(void **state)
{
    examples *const e = *state;
    check_table(e, &levy_book_table, false, 0);
    assert_true(e->read > 100 && e->words > 60);
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (!levy_catalog_find(*topic)->example) fail_msg("'%s' has no example", *topic);
}

static void test_values_are_cut_out_of_an_example(void **state)
{
    static const char text[] = "{kind: a, b: {c: [1, 2], d: x}, e: [[1, 2], [3]], f: 2^18}";
    static const char *const values[][2] = {
        {"kind", "a"}, {"b", "{c: [1, 2], d: x}"}, {"e", "[[1, 2], [3]]"}, {"f", "2^18"}};
    const char *value;
    size_t length;
    (void)state;
    for (size_t i = 0; i < 4; ++i) {
        assert_true(levy_example_value(text, values[i][0], &value, &length));
        assert_int_equal(length, strlen(values[i][1]));
        assert_memory_equal(value, values[i][1], length);
    }
    assert_false(levy_example_value(text, "c", &value, &length)); /* a key of an inner map */
    assert_false(levy_example_value(text, "kin", &value, &length));
    assert_false(levy_example_value("{}", "a", &value, &length));
    assert_false(levy_example_value(NULL, "a", &value, &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_every_example_is_read, open_examples, close_examples),
        cmocka_unit_test(test_values_are_cut_out_of_an_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
