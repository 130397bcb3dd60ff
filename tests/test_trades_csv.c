/* test_trades_csv.c: trades as comma-separated values give the nodes that YAML gives, with places;
 * RFC 4180's quotes and line ends; what is refused, and where; and no text, cut off or changed
 * anywhere, is read beyond its end. */
#include "tests/cmocka_all.h"

#include "engine/schema/trades_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rows {
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
} rows;

static int open_rows(void **state)
{
    rows *const r = calloc(1, sizeof *r);
    if (!r) return -1;
    levy_arena_init(&r->arena, NULL);
    levy_fault_list_init(&r->faults, NULL);
    *state = r;
    return 0;
}

static int close_rows(void **state)
{
    rows *const r = *state;
    levy_fault_list_release(&r->faults);
    levy_arena_release(&r->arena);
    free(r);
    return 0;
}

static levy_status read_text(rows *r, const char *text, size_t length)
{
    return levy_trades_csv_read("t.csv", 0, text, length, NULL, &r->arena, &r->faults,
                                &r->document);
}

/* The trade of a row. */
static const levy_node *row_of(const rows *r, size_t index)
{
    assert_int_equal(r->document.n_roots, 1);
    const levy_node *row = levy_node_find(r->document.roots[0], "trades")->children;
    for (; index > 0; --index) row = row->next;
    return row;
}

static void assert_cell(const levy_node *row, const char *first, const char *second,
                        const char *text)
{
    const levy_node *const node = levy_node_find(levy_node_find(row, first), second);
    assert_non_null(node);
    assert_string_equal(node->text, text);
}

/* The only fault's line is this. */
static void assert_fault(rows *r, const char *line)
{
    char text[512];
    assert_int_equal(r->faults.count, 1);
    levy_fault_line(&r->faults.items[0], text, sizeof text);
    assert_string_equal(text, line);
}

static const char two[] = "id,payoff.kind,payoff.strike,measures\n"
                          "a,european,100,price;delta\n"
                          "b,european,,price\n";

static void test_paths_become_maps_and_lists(void **state)
{
    rows *const r = *state;
    assert_int_equal(read_text(r, two, sizeof two - 1), LEVY_OK);
    const levy_node *const a = row_of(r, 0), *const b = row_of(r, 1);
    assert_string_equal(levy_node_find(a, "id")->text, "a");
    assert_cell(a, "payoff", "strike", "100");
    assert_int_equal(levy_node_find(levy_node_find(a, "payoff"), "strike")->place.line, 2);
    assert_int_equal(levy_node_find(levy_node_find(a, "payoff"), "strike")->place.column, 12);
    const levy_node *const measures = levy_node_find(a, "measures");
    assert_int_equal(measures->kind, LEVY_NODE_LIST);
    assert_int_equal(measures->count, 2);
    assert_string_equal(measures->children->next->text, "delta");
    assert_int_equal(measures->children->next->place.column, 22);
    assert_null(levy_node_find(levy_node_find(b, "payoff"), "strike")); /* an empty cell */
    assert_int_equal(levy_node_find(b, "measures")->kind, LEVY_NODE_LIST);
}

/* A byte order mark, quotes with commas, quotes and lines in them, CR LF and CR, blanks around a
 * cell and at the ends of quoted ones, an empty line, a last line without an end. */
static void test_quotes_and_line_ends(void **state)
{
    rows *const r = *state;
    static const char text[] = "\xef\xbb\xbf\"id\" , book,counterparty\r\n"
                               "a,\"one, \"\"two\"\"\",\"three\r\nfour\"\r\n"
                               "\r\n"
                               "b,five\r"
                               ",six";
    static const char good[] = "\xef\xbb\xbf\"id\" , book,counterparty\r\n"
                               "a,\"one, \"\"two\"\"\",\"three\r\nfour\"\r\n"
                               "\r\n"
                               "b, five six ,\r"
                               "\"c\",,seven\n"
                               "\" d\t\",\xc2\xa0"
                               "eight\xc2\xa0 ,\" nine ten\xc2\xa0\"";
    assert_int_equal(read_text(r, good, sizeof good - 1), LEVY_OK);
    assert_string_equal(levy_node_find(row_of(r, 0), "book")->text, "one, \"two\"");
    assert_string_equal(levy_node_find(row_of(r, 0), "counterparty")->text, "three\r\nfour");
    assert_string_equal(levy_node_find(row_of(r, 1), "book")->text, "five six");
    assert_null(levy_node_find(row_of(r, 1), "counterparty"));
    assert_string_equal(levy_node_find(row_of(r, 2), "counterparty")->text, "seven");
    assert_int_equal(row_of(r, 2)->place.line, 6); /* the lines in quotes count */
    assert_string_equal(levy_node_find(row_of(r, 3), "id")->text, "d");
    assert_string_equal(levy_node_find(row_of(r, 3), "book")->text, "eight");
    assert_string_equal(levy_node_find(row_of(r, 3), "counterparty")->text, "nine ten");
    assert_int_equal(read_text(r, text, sizeof text - 1), LEVY_INPUT);
}

static void test_a_cell_in_brackets_is_yaml(void **state)
{
    rows *const r = *state;
    static const char text[] = "id,payoff.averaging.observations,underlyings\n"
                               "a,{count: 12},\"[{name: A, weight: 0.5}, B]\"\n";
    assert_int_equal(read_text(r, text, sizeof text - 1), LEVY_OK);
    const levy_node *const payoff = levy_node_find(row_of(r, 0), "payoff");
    assert_cell(levy_node_find(payoff, "averaging"), "observations", "count", "12");
    const levy_node *const underlyings = levy_node_find(row_of(r, 0), "underlyings");
    assert_int_equal(underlyings->count, 2);
    assert_int_equal(underlyings->children->next->place.line, 2);
    assert_int_equal(underlyings->children->next->place.column, 41); /* of B in its line */
}

/* A column may be in the words that trades of YAML are read in. */
/* One date of exercise is a list of one. A whole number may count them. */
static void test_one_date_of_exercise_is_a_list(void **state)
{
    static const char text[] = "id,exercise.style,exercise.expiry,exercise.dates\n"
                               "a,bermudan,1,0.5\nb,bermudan,2027-11-20,2027-05-20\n"
                               "c,bermudan,1,4\n";
    rows *const r = *state;
    assert_int_equal(read_text(r, text, sizeof text - 1), LEVY_OK);
    for (size_t i = 0; i < 3; ++i) {
        const levy_node *const dates =
            levy_node_find(levy_node_find(row_of(r, i), "exercise"), "dates");
        assert_int_equal(dates->kind, i < 2 ? LEVY_NODE_LIST : LEVY_NODE_SCALAR);
        if (i == 0) assert_string_equal(dates->children->text, "0.5");
    }
}

static void test_columns_are_other_names_too(void **state)
{
    rows *const r = *state;
    static const char text[] = "maturity,payoff.barrier_type,payoff.direction,weights\n"
                               "2027-11-19,up-and-out,up,0.5;0.5\n";
    assert_int_equal(read_text(r, text, sizeof text - 1), LEVY_OK);
    assert_int_equal(row_of(r, 0)->count, 3);
    assert_int_equal(levy_node_find(row_of(r, 0), "weights")->count, 2);
}

static void test_faults_have_a_place(void **state)
{
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"id,payoff.strik\na,1\n",
         "t.csv:1:4: error: payoff.strik: unknown column; did you mean 'payoff.strike'?"},
        {"id,strike\na,1\n",
         "t.csv:1:4: error: strike: unknown column; did you mean 'payoff.strike'?"},
        {"id,qty\na,1\n", "t.csv:1:4: error: qty: unknown column; did you mean 'quantity'?"},
        {"id,exercise.maturity\na,1\n", "t.csv:1:4: error: exercise.maturity: unknown column; did "
                                        "you mean 'exercise.expiry'?"},
        {"id,book,book\n", "t.csv:1:9: error: book: is given by the column 'book' as well"},
        {"id,payoff.kind,payoff\n",
         "t.csv:1:16: error: payoff: is given by the column 'payoff.kind' as well"},
        {"id;book\na;1\n", "t.csv:1:1: error: the columns are not separated by commas"},
        {"id,book\na,1,2\n", "t.csv:2:1: error: the row has 3 cells; the first row has 2"},
        {"id,book,\na,1,2\n", "t.csv:2:5: error: the cell's column has no name"},
        {"id,book\na,\"1\n", "t.csv:2:3: error: the quotes are not closed"},
        {"id,book\na,1\"2\"\n", "t.csv:2:4: error: quotes within a cell that has none around it"},
        {"id,book\na,\"1\"2\n", "t.csv:2:6: error: text stands behind the closing quotes"},
        {"id,book\n\xc3\xa9,\xff\n", "t.csv:2:3: error: the text is not valid UTF-8"},
        {"id,book\na,\x01\n", "t.csv:2:3: error: a control character"},
        {"id,exercise\na,{expiry 1.0]\n", NULL},
        {"id,tags\na,\"{b: c}\n---\n{d: e}\"\n",
         "t.csv:2:3: error: a cell holds one value, and this one has a second document"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        void *fresh;
        assert_int_equal(open_rows(&fresh), 0);
        rows *const r = fresh;
        assert_int_equal(read_text(r, cases[i].text, strlen(cases[i].text)), LEVY_INPUT);
        if (cases[i].line) assert_fault(r, cases[i].line);
        assert_int_equal(r->faults.items[0].place.line,
                         cases[i].line ? r->faults.items[0].place.line : 2);
        close_rows(&fresh);
    }
}

/* Each text lies at the end of its own memory, where a sanitizer sees a read beyond it. */
static void test_any_text_ends_where_it_ends(void **state)
{
    static const char text[] = "\xef\xbb\xbfid,\"book\",payoff.kind,measures\r\n"
                               "a,\"x \"\"y\"\"\",{kind: b},p;q;\r\n\xc3\xa9,,\"[1]\",;";
    static const char bytes[] = "\",\n\r;{[ .\xc3";
    (void)state;
    for (size_t cut = 0; cut < sizeof text; ++cut)
        for (size_t b = 0; b < sizeof bytes; ++b) {
            void *fresh;
            assert_int_equal(open_rows(&fresh), 0);
            rows *const r = fresh;
            char *const copy = malloc(cut + 1);
            assert_non_null(copy);
            memcpy(copy, text, cut);
            copy[cut] = bytes[b];
            const levy_status status = read_text(r, copy, cut + 1);
            assert_true(status == LEVY_OK || status == LEVY_INPUT);
            assert_int_equal(status == LEVY_INPUT, r->faults.errors > 0);
            free(copy);
            close_rows(&fresh);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_paths_become_maps_and_lists, open_rows, close_rows),
        cmocka_unit_test_setup_teardown(test_quotes_and_line_ends, open_rows, close_rows),
        cmocka_unit_test_setup_teardown(test_a_cell_in_brackets_is_yaml, open_rows, close_rows),
        cmocka_unit_test_setup_teardown(test_one_date_of_exercise_is_a_list, open_rows, close_rows),
        cmocka_unit_test_setup_teardown(test_columns_are_other_names_too, open_rows, close_rows),
        cmocka_unit_test(test_faults_have_a_place),
        cmocka_unit_test(test_any_text_ends_where_it_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
