/* test_points_cli.c: `levy points`: a .npy file whose numbers are those of levy_normals_*, for
 * every generator, precision, range and replicate; what is refused; full disks, closed pipes,
 * terminals and Ctrl-C. Runs the built `levy` on files written here. */
#include "tests/cmocka_all.h"
#include "tests/context_fixture.h"
#include "tests/command.h"
#include "tests/files.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const char points_net[] = LEVY_SOURCE_DIR "/configs/nets/niederreiter.txt";

static const char book_text[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.03}\n"
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
    "models: {bs: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n"
    "  - {id: five, underlying: A, exercise: {expiry: 1}, payoff: {kind: asian, option_type: "
    "call,\n"
    "     strike: 100, averaging: {method: arithmetic, observations: {count: 5}}}}\n"
    "  - {id: two, underlying: A, exercise: {expiry: 1}, payoff: {kind: asian, option_type: call,\n"
    "     strike: 100, averaging: {method: arithmetic, observations: {count: 2}}}}\n"
    "simulation: {seed: 11, %s}\n";

static void write_points_book(const char *name, const char *simulation)
{
    FILE *const file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fprintf(file, book_text, simulation) > 0);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    char command[256];
    if (open_context(state) != 0 || make_folder(state) != 0 || chdir(folder) != 0) return -1;
    snprintf(command, sizeof command, "cp '%s' net.txt", points_net);
    return system(command);
}

static int tear_down(void **state)
{
    if (chdir("/") != 0 || remove_folder(state) != 0) return -1;
    return close_context(state);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

typedef struct array {
    char type[4]; /* "<f8" */
    size_t points, dimensions, bytes;
    char data[1 << 20];
} array;

static void read_array(const char *name, array *a)
{
    static char head[256];
    unsigned char size[2];
    FILE *const file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, 8, file), 8);
    assert_memory_equal(head, "\x93NUMPY\x01\x00", 8);
    assert_int_equal(fread(size, 1, 2, file), 2);
    const size_t length = size[0] + 256u * size[1];
    assert_true(length < sizeof head && (10 + length) % 64 == 0);
    assert_int_equal(fread(head, 1, length, file), length);
    assert_int_equal(head[length - 1], '\n');
    head[length - 1] = '\0';
    int used = 0;
    assert_int_equal(sscanf(head,
                            "{'descr': '%3[^']', 'fortran_order': False, 'shape': (%zu, %zu), }%n",
                            a->type, &a->points, &a->dimensions, &used),
                     3);
    assert_int_equal(strspn(head + used, " "), strlen(head + used));
    a->bytes = fread(a->data, 1, sizeof a->data, file);
    assert_int_equal(a->bytes, a->points * a->dimensions * (size_t)(a->type[2] - '0'));
    fclose(file);
}

/* The array holds points `first` on of the specification. */
static void assert_points(const array *a, levy_normals_spec spec, uint64_t first)
{
    static char rows[1 << 20];
    levy_normals *normals;
    spec.struct_size = sizeof spec;
    spec.seed = 11;
    spec.n_dimensions = (uint32_t)a->dimensions;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    const size_t number = levy_normals_info(normals)->number_bytes;
    assert_int_equal(a->type[2] - '0', number);
    assert_int_equal(a->type[1], spec.output == LEVY_NORMALS_WORD ? 'u' : 'f');
    assert_int_equal(levy_normals_generate(normals, first, a->points, rows, 0, NULL),
                     LEVY_STATUS_OK);
    levy_normals_destroy(normals);
    for (size_t p = 0; p < a->points; ++p)
        for (size_t d = 0; d < a->dimensions; ++d)
            assert_memory_equal(a->data + (p * a->dimensions + d) * number,
                                rows + (d * a->points + p) * number, number);
}

static void test_points_are_those_of_every_generator(void **state)
{
    static const struct {
        const char *simulation;
        int generator, scrambling;
        bool single;
    } cases[] = {
        {"paths: 2^12, replicates: 4", LEVY_NORMALS_SOBOL_SCRAMBLED, -1, false},
        {"paths: 2^10, generator: sobol", LEVY_NORMALS_SOBOL, -1, false},
        {"paths: 1000, generator: philox", LEVY_NORMALS_PHILOX, -1, false},
        {"paths: 1000, generator: mrg32k3a", LEVY_NORMALS_MRG32K3A, -1, false},
        {"paths: 2^14, generator: {kind: net, file: net.txt}, precision: mixed", LEVY_NORMALS_NET,
         LEVY_NET_SCRAMBLED, true},
        {"paths: 2^14, generator: {kind: net, file: net.txt, scrambling: shift}, precision: single",
         LEVY_NORMALS_NET, LEVY_NET_SHIFTED, true},
        {"paths: 2^10, generator: {kind: net, file: net.txt, scrambling: none}", LEVY_NORMALS_NET,
         LEVY_NET_PLAIN, false}};
    static const char *const kinds[] = {"normals", "uniforms", "words"};
    static array a;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int kind = LEVY_NORMALS_NORMAL; kind <= LEVY_NORMALS_WORD; ++kind) {
            const levy_net_spec net = {
                .struct_size = sizeof net, .file = points_net, .scrambling = cases[i].scrambling};
            write_points_book("book.yaml", cases[i].simulation);
            levy("points", "book.yaml", "--kind", kinds[kind], "--trade", "five", "-o", "p.npy",
                 NULL);
            assert_string_equal(run.err, "");
            assert_int_equal(run.code, 0);
            read_array("p.npy", &a);
            assert_int_equal(a.dimensions, 5);
            assert_int_equal(a.points, i == 2 || i == 3 ? 1000 : 1024);
            assert_points(&a,
                          (levy_normals_spec){.generator = cases[i].generator,
                                              .output = kind,
                                              .precision = cases[i].single,
                                              .net = cases[i].scrambling < 0 ? NULL : &net},
                          0);
        }
}

static void test_points_of_any_range_and_replicate(void **state)
{
    static array a;
    (void)state;
    write_points_book("book.yaml", "paths: 2^12, replicates: 4");
    levy("points", "book.yaml", "--replicate", "3", "--first", "1000", "-o", "p.npy", NULL);
    assert_int_equal(run.code, 0);
    read_array("p.npy", &a);
    assert_int_equal(a.points, 24);
    assert_points(&a, (levy_normals_spec){.replicate = 3}, 1000);
    levy("points", "book.yaml", "--first", "4294967290", "--count", "6", "--trade", "two", "-o",
         "p.npy", NULL);
    assert_int_equal(run.code, 0);
    read_array("p.npy", &a);
    assert_int_equal(a.points, 6);
    assert_int_equal(a.dimensions, 2);
    assert_points(&a, (levy_normals_spec){.replicate = 0}, 4294967290);
    run.output_file = "q.npy";
    levy("points", "book.yaml", "--first", "4294967290", "--count", "6", "--trade", "two", NULL);
    run.output_file = NULL;
    assert_int_equal(system("cmp p.npy q.npy"), 0);
}

/* More than a portion: 2^18 points of 5 dimensions, against the same in pieces. */
static void test_points_are_written_in_portions(void **state)
{
    (void)state;
    write_points_book("book.yaml", "paths: 2^20, replicates: 4");
    levy("points", "book.yaml", "--kind", "words", "--threads", "2", "--progress", "json", "-o",
         "whole.npy", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, "\"done\": 64, \"total\": 64");
    assert_int_equal(
        system("tail -c +129 whole.npy > whole; for i in 0 100000 200000; do '" LEVY_BINARY_DIR
               "/levy' points book.yaml --kind words --first $i --count $((i < "
               "200000 ? 100000 : 62144)) | tail -c +129; done | cmp - whole"),
        0);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void points_refused(int code, const char *part, const char *a, const char *b)
{
    (void)unlink("p.npy");
    levy("points", "book.yaml", "-o", "p.npy", a, b, NULL);
    assert_int_equal(run.code, code);
    assert_has(run.err, part);
    assert_true(access("p.npy", F_OK) != 0);
}

static void test_points_refuse_what_is_not_there(void **state)
{
    (void)state;
    write_points_book("book.yaml", "paths: 2^12, replicates: 4");
    points_refused(
        2, "--kind takes one of normals, uniforms, words; got 'word'; did you mean 'words'?",
        "--kind", "word");
    points_refused(2, "--count must be above 0", "--count", "0");
    points_refused(2, "unknown format '.csv'\nhint: the ending selects the format: .npy", "-o",
                   "x.csv");
    points_refused(2, "unknown format '.txt'", "-o", "x.txt");
    points_refused(2, "the book has no trade 'fives'; did you mean 'five'?", "--trade", "fives");
    points_refused(2, "--count takes a number up to 2^56", "--count", "-1");
    points_refused(2, "--first takes a number up to 2^56", "--first", "2^57");
    points_refused(2, "--replicate takes a number up to 65535", "--replicate", "65536");
    points_refused(2, "replicate: the simulation has fewer replicates", "--replicate", "4");
    points_refused(2, "first: is 1024, but a replicate has 1024 points", "--first", "2^10");
    points_refused(2, "count: the generator has 4294967296 points", "--count", "2^33");
    points_refused(2, "trade: the book has no trade 'six'", "--trade", "six");
    write_points_book("book.yaml", "paths: 1000, generator: mrg32k3a");
    points_refused(2, "the trades differ in their dimensions: name one", "--kind", "words");
    write_points_book("book.yaml", "paths: 2^14, generator: {kind: net, file: net.txt}");
    points_refused(2, "count: the generator has 1048576 points", "--count", "2^21");
    levy("points", "book.yaml", "-o", "book.yaml", NULL);
    assert_usage_error(&run, "unknown format '.yaml'");
    levy("points", "--max-memory", "1M", LEVY_SOURCE_DIR "/configs/basket8.yaml", "-o", "p.npy",
         NULL);
    assert_int_equal(run.code, 4);
    assert_has(run.err,
               "error: trade: the plan would need about 1.3 MiB, which exceeds the memory");
    levy("points", NULL);
    assert_usage_error(&run, "`levy points` needs FILE...");
}

static const char *jumps_text(void) { return text_of_book("texts/points-jumps"); }

/* Runs the words on a book in a folder and asserts that `name`, which the book reads, stays. */
static void keeps_input(const char *name, const char *const *words)
{
    char command[128];
    snprintf(command, sizeof command, "cp sub/%s before", name);
    assert_int_equal(system(command), 0);
    levy(words[0], words[1], words[2], words[3], words[4], words[5], NULL);
    char message[64];
    snprintf(message, sizeof message, "%s would replace the input sub/%s", words[2], name);
    assert_usage_error(&run, message);
    assert_has(run.err, words[3]);
    snprintf(command, sizeof command, "cmp before sub/%s", name);
    assert_int_equal(system(command), 0);
}

/* The book, the books of a folder, a net, shocks and a market: every command, by every option. */
static void test_no_output_replaces_what_the_book_reads(void **state)
{
    (void)state;
    assert_int_equal(system("mkdir sub && cp net.txt sub && ln -s ../sub/net.txt sub/link.txt && "
                            "ln sub/net.txt sub/net"),
                     0);
    write_points_book("sub/book.yaml", "paths: 2^14, generator: {kind: net, file: net.txt}");
    keeps_input("net.txt", (const char *[6]){"points", "sub/book.yaml", "--output", "sub/net"});
    keeps_input("net.txt", (const char *[6]){"price", "sub/book.yaml", "--output", "sub/net.txt"});
    keeps_input("net.txt", (const char *[6]){"price", "sub/book.yaml", "--journal", "sub/net.txt"});
    keeps_input("net.txt", (const char *[6]){"price", "sub/book.yaml", "--journal", "sub/net.txt",
                                             "--resume"});
    keeps_input("net.txt", (const char *[6]){"converge", "sub/book.yaml", "--csv", "sub/net.txt"});
    keeps_input("net.txt", (const char *[6]){"converge", "sub/book.yaml", "--svg", "sub/net.txt"});
    keeps_input("net.txt",
                (const char *[6]){"explain", "sub/book.yaml", "--output", "sub/net.txt"});
    keeps_input("net.txt", (const char *[6]){"price", "sub/book.yaml", "--output", "sub/link.txt"});
    assert_int_equal(link("sub/book.yaml", "sub/book"), 0);
    keeps_input("book.yaml", (const char *[6]){"points", "sub", "--output", "sub/book"});
    keeps_input("book.yaml", (const char *[6]){"converge", "sub", "--csv", "sub/book.yaml"});
    write_file("sub/jumps.yaml", jumps_text());
    write_file("sub/shocks.csv", "-0.1\n0.1\n");
    write_file("sub/quotes.yaml", "curves: {USD: 0.03}\n"
                                  "assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n");
    keeps_input("shocks.csv", (const char *[6]){"price", "sub/jumps.yaml", "--output",
                                                "sub/shocks.csv", "--format", "csv"});
    assert_int_equal(link("sub/quotes.yaml", "sub/quotes"), 0);
    keeps_input("quotes.yaml",
                (const char *[6]){"points", "sub/jumps.yaml", "--output", "sub/../sub/quotes"});
    levy("price", "sub/jumps.yaml", "-o", "sub/prices.txt", NULL);
    assert_string_equal(run.err, "");
    assert_int_equal(run.code, 0);
    assert_int_equal(system("rm -r sub"), 0);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

static void test_points_end_well(void **state)
{
    struct stat old;
    (void)state;
    write_points_book("book.yaml", "paths: 2^20, replicates: 4");
    run.terminal = -2; /* a pipe that nobody reads */
    levy("points", "book.yaml", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    run.terminal = 0;
    assert_int_equal(system("echo old > p.npy"), 0);
    run.file_limit = 1 << 20;
    levy("points", "book.yaml", "-o", "p.npy", NULL);
    run.file_limit = 0;
    assert_int_equal(run.code, 7);
    assert_has(run.err, "cannot write p.npy: File too large");
    assert_int_equal(stat("p.npy", &old), 0);
    assert_int_equal(old.st_size, 4);
    if (access("/dev/full", W_OK) == 0) {
        run.output_file = "/dev/full";
        levy("points", "book.yaml", NULL);
        run.output_file = NULL;
        assert_int_equal(run.code, 7);
        assert_has(run.err, "cannot write standard output: No space left on device");
    }
    levy("points", "book.yaml", "-o", "nowhere/p.npy", NULL);
    assert_int_equal(run.code, 7);
    assert_int_equal(system("test -z \"$(ls -A | grep levy-)\""), 0);
}

static void test_points_stop_at_a_signal(void **state)
{
    (void)state;
    write_points_book("book.yaml", "paths: 2^34, replicates: 4");
    assert_int_equal(system("echo old > p.npy"), 0);
    run.signal = SIGINT;
    levy("points", "book.yaml", "--progress", "json", "-o", "p.npy", NULL);
    run.signal = 0;
    assert_int_equal(run.code, 130);
    assert_has(run.err, "levy: interrupted; no points were kept");
    assert_int_equal(system("test \"$(cat p.npy)\" = old && test -z \"$(ls -A | grep levy-)\""), 0);
}

static void test_points_do_not_go_to_a_terminal(void **state)
{
    (void)state;
    if (!program_has_terminal()) skip();
    write_points_book("book.yaml", "paths: 2^12, replicates: 4");
    run.terminal = 1;
    levy("points", "book.yaml", NULL);
    assert_int_equal(run.code, 2);
    assert_has(run.err, "the points are binary, and standard output is a terminal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_points_are_those_of_every_generator, clear_run),
        cmocka_unit_test_setup(test_points_of_any_range_and_replicate, clear_run),
        cmocka_unit_test_setup(test_points_are_written_in_portions, clear_run),
        cmocka_unit_test_setup(test_points_refuse_what_is_not_there, clear_run),
        cmocka_unit_test_setup(test_no_output_replaces_what_the_book_reads, clear_run),
        cmocka_unit_test_setup(test_points_end_well, clear_run),
        cmocka_unit_test_setup(test_points_stop_at_a_signal, clear_run),
        cmocka_unit_test_setup(test_points_do_not_go_to_a_terminal, clear_run),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
