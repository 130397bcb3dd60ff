/* test_beneath.c: files that a book names are opened beneath its folder only: links may lead about
 * in it, never out, whoever resolves them; nothing of what lies outside is shown; --allow-links
 * lets them. */
#include "tests/cmocka_all.h"

#include "engine/base/beneath.h"
#include "engine/levy.h"
#include "tests/files.h"
#include "tests/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECRET "root:x:0:0:a secret"
#define MARKET "curves: {USD: 0.05}\nassets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
#define BOOK(file)                                                                                 \
    "schema_version: 1\nmarket: " file                                                             \
    "\nmodels: {m: {kind: black_scholes, assets: [A]}}\ntrades:\n"                                 \
    "  - {id: t, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, "        \
    "exercise: {expiry: 1.0}}\n"

static char root[] = "levy_beneath_XXXXXX";

/* root/outside.yaml, and beneath root/book: in/market.yaml, links of all kinds, a pipe. */
static int make_tree(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    assert_int_equal(mkdir("book", 0777), 0);
    assert_int_equal(mkdir("book/in", 0777), 0);
    write_file("outside.yaml", SECRET "\n");
    write_file("market.yaml", MARKET);
    write_file("book/in/market.yaml", MARKET);
    write_file("book/in/shocks.csv", "-0.05,2\n0.03,1\n");
    assert_int_equal(symlink("in/market.yaml", "book/beside.yaml"), 0);
    /* out and in again: out */
    assert_int_equal(symlink("../book/in/./market.yaml", "book/through.yaml"), 0);
    assert_int_equal(symlink("in/../in/market.yaml", "book/about.yaml"), 0);
    assert_int_equal(symlink("beside.yaml", "book/twice.yaml"), 0);
    assert_int_equal(symlink("../beside.yaml", "book/in/up.yaml"), 0);
    assert_int_equal(symlink("../outside.yaml", "book/out.yaml"), 0);
    assert_int_equal(symlink("../market.yaml", "book/good_but_out.yaml"), 0);
    assert_int_equal(symlink("/etc/passwd", "book/absolute.yaml"), 0);
    assert_int_equal(symlink("..", "book/parent"), 0);
    assert_int_equal(symlink("in", "book/folder"), 0);
    assert_int_equal(symlink("loop.yaml", "book/loop.yaml"), 0);
    assert_int_equal(symlink("nowhere.yaml", "book/broken.yaml"), 0);
    assert_int_equal(mkfifo("book/pipe.yaml", 0666), 0);
    return 0;
}

static int remove_tree(void **state)
{
    char command[64];
    (void)state;
    assert_int_equal(chdir(".."), 0);
    snprintf(command, sizeof command, "rm -rf %s", root);
    return system(command);
}

static const struct {
    const char *name;
    int error;
} cases[] = {{"in/market.yaml", 0},
             {"beside.yaml", 0},
             {"about.yaml", 0},
             {"twice.yaml", 0},
             /* the caller looks what it is */
             {"in/up.yaml", 0},
             {"folder/market.yaml", 0},
             {"./in//market.yaml", 0},
             {"pipe.yaml", 0},
             {"out.yaml", EXDEV},
             {"good_but_out.yaml", EXDEV},
             {"absolute.yaml", EXDEV},
             {"parent/outside.yaml", EXDEV},
             {"through.yaml", EXDEV},
             {"../outside.yaml", EXDEV},
             {"in/../../outside.yaml", EXDEV},
             {"loop.yaml", ELOOP},
             {"broken.yaml", ENOENT},
             {"no/such.yaml", ENOENT},
             {"beside.yaml/x", ENOTDIR},
             {"/etc/passwd", EXDEV}};

static void test_links_lead_about_and_never_out(void **state)
{
    (void)state;
    const int folder = open("book", O_PATH | O_DIRECTORY);
    assert_true(folder >= 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int by_parts = 0; by_parts < 2; ++by_parts) {
            const int file = by_parts ? levy_open_beneath_by_parts(folder, cases[i].name)
                                      : levy_open_beneath("book", cases[i].name, false);
            if (cases[i].error ? file != -cases[i].error : file < 0)
                print_error("%s %d: %d\n", cases[i].name, by_parts, file);
            if (cases[i].error)
                assert_int_equal(file, -cases[i].error);
            else
                assert_true(file >= 0);
            if (file >= 0) close(file);
        }
    close(folder);
}

static void test_long_names_and_deep_links_end(void **state)
{
    char name[5000] = "";
    (void)state;
    const int folder = open("book", O_PATH | O_DIRECTORY);
    memset(name, 'a', 4999);
    assert_int_equal(levy_open_beneath_by_parts(folder, name), -ENAMETOOLONG);
    /* in/in/in: the second is not there */
    for (size_t i = 0; i < 200; ++i) memcpy(name + 3 * i, "in/", 4);
    assert_int_equal(levy_open_beneath_by_parts(folder, name), -ENOENT);
    memset(name, 0, sizeof name);
    memset(name, 'b', 300);
    assert_int_equal(levy_open_beneath_by_parts(folder, name), -ENAMETOOLONG);
    close(folder);
}

typedef struct loading {
    levy_context *context;
    levy_book *book;
    int status;
} loading;

static loading load_beneath(const char *path, const char *text, int allow_links)
{
    loading l = {.status = -1};
    const levy_context_options options = {.struct_size = sizeof options,
                                          .allow_links = allow_links};
    assert_int_equal(levy_context_create(&options, &l.context), LEVY_STATUS_OK);
    const levy_source source = {.name = path,
                                .text = text,
                                .length = text ? strlen(text) : 0,
                                .folder = text ? "book" : NULL};
    l.status = levy_book_load(l.context, &source, 1, NULL, 0, &l.book);
    return l;
}

static void end_loading(loading *l)
{
    levy_book_destroy(l->book);
    levy_context_destroy(l->context);
}

static void test_a_market_file_stays_beneath(void **state)
{
    (void)state;
    loading l = load_beneath("b.yaml", BOOK("out.yaml"), 0);
    assert_int_equal(l.status, LEVY_STATUS_INPUT);
    assert_true(context_says(l.context,
                             "b.yaml:2:9: error: market: a symbolic link leads 'book/out.yaml' out "
                             "of the folder"));
    assert_false(context_says(l.context, "root:"));
    end_loading(&l);
    l = load_beneath("b.yaml", BOOK("twice.yaml"), 0);
    assert_int_equal(l.status, LEVY_STATUS_OK);
    end_loading(&l);
    l = load_beneath("b.yaml", BOOK("good_but_out.yaml"), 0);
    assert_int_equal(l.status, LEVY_STATUS_INPUT);
    end_loading(&l);
    l = load_beneath("b.yaml", BOOK("good_but_out.yaml"), 1);
    assert_int_equal(l.status, LEVY_STATUS_OK);
    end_loading(&l);
    l = load_beneath("b.yaml", BOOK("pipe.yaml"), 0);
    assert_true(context_says(l.context, "the file 'book/pipe.yaml' cannot be read"));
    end_loading(&l);
}

static void test_shocks_stay_beneath(void **state)
{
    static const char book[] =
        "schema_version: 1\nmarket:\n  "
        "curves: {USD: 0.05}\n  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\nmodels:\n"
        "  m: {kind: black_scholes, assets: [A], jumps: [{intensity: 1, mark: {kind: empirical, "
        "file: %s}}]}\ntrades:\n"
        "  - {id: t, underlying: A, payoff: {kind: european, option_type: call, strike: 100}, "
        "exercise: {expiry: 1.0}}\n";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, book, "out.yaml");
    loading l = load_beneath("b.yaml", text, 0);
    assert_int_equal(l.status, LEVY_STATUS_INPUT);
    assert_true(context_says(l.context, "a symbolic link leads 'book/out.yaml' out of the folder"));
    assert_false(context_says(l.context, "root:"));
    end_loading(&l);
    snprintf(text, sizeof text, book, "folder/shocks.csv");
    l = load_beneath("b.yaml", text, 0);
    assert_int_equal(l.status, LEVY_STATUS_OK);
    end_loading(&l);
}

/* What the user names may be a link; what is found in a folder must stay in it. */
static void test_named_files_and_found_files(void **state)
{
    (void)state;
    write_file("real.yaml", BOOK("in/market.yaml"));
    assert_int_equal(symlink("../real.yaml", "book/linked.yaml"), 0);
    loading l = load_beneath("book/linked.yaml", NULL, 0);
    assert_int_equal(l.status, LEVY_STATUS_OK);
    end_loading(&l);
    assert_int_equal(mkdir("found", 0777), 0);
    assert_int_equal(symlink("../outside.yaml", "found/a.yaml"), 0);
    l = load_beneath("found", NULL, 0);
    assert_int_equal(l.status, LEVY_STATUS_INPUT);
    assert_true(context_says(l.context,
                             "found/a.yaml: error: cannot open the file: a symbolic link leads out "
                             "of the folder"));
    assert_false(context_says(l.context, "root:"));
    end_loading(&l);
    unlink("found/a.yaml");
    write_file("found/b.txt", BOOK("x.yaml"));
    write_file("found/x.yaml", "schema_version: 1\n");
    unlink("found/x.yaml");
    assert_int_equal(symlink("b.txt", "found/b.yaml"), 0);
    write_file("found/x.txt", MARKET);
    assert_int_equal(symlink("x.txt", "found/x.market.yaml"), 0);
    write_file("found/b.txt", BOOK("x.market.yaml"));
    l = load_beneath("found", NULL, 0);
    assert_int_equal(l.status, LEVY_STATUS_OK);
    end_loading(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links_lead_about_and_never_out),
        cmocka_unit_test(test_long_names_and_deep_links_end),
        cmocka_unit_test(test_a_market_file_stays_beneath),
        cmocka_unit_test(test_shocks_stay_beneath),
        cmocka_unit_test(test_named_files_and_found_files),
    };
    return cmocka_run_group_tests_name("beneath", tests, make_tree, remove_tree);
}
