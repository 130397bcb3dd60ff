/* test_journal.c: book mode: a run that is cut off anywhere and resumed gives the bytes of an
 * unbroken one; a journal of another run is refused in words; netted values know how trades move
 * together; folders are books. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "tests/heap.h"

#define TEXT_ROOM 65536
#include "tests/kept_text.h"
#include "tests/files.h"
#include "tests/words.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static char folder[] = "/tmp/levy-journal-XXXXXX";
static char journal_path[64];

static const char *book_text(void) { return text_of_book("texts/journal"); }

static int make_journal(void **state)
{
    (void)state;
    if (!mkdtemp(folder)) return -1;
    snprintf(journal_path, sizeof journal_path, "%s/run.journal", folder);
    return 0;
}

static int remove_journal(void **state)
{
    char command[96];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

/* ---- One run in a context of its own ---- */

typedef struct journal_run {
    const char *key, *value; /* a setting; NULL: none */
    const char *factor;      /* a quote; NULL: none */
    double quote;
    const char *journal;
    int resume, cancel_after; /* cancel_after: calls of progress, 0: never */
    kept_text report;         /* out */
    char message[1024];       /* out: the first diagnostic that is not of trade "bad" */
    uint64_t resumed;         /* out: the most blocks that progress told of */
    int calls;
} journal_run;

static int progress(void *user, const levy_progress *p)
{
    journal_run *run = user;
    if (p->resumed > run->resumed) run->resumed = p->resumed;
    assert_true(p->done <= p->total && p->resumed <= p->done);
    return ++run->calls == run->cancel_after;
}

static void keep_message(journal_run *run, const levy_context *context)
{
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        if (levy_diagnostic_get(context, i)->trade < 0)
            snprintf(run->message, sizeof run->message, "%s",
                     levy_diagnostic_get(context, i)->text);
}

static int run_book(journal_run *run)
{
    levy_context *context;
    levy_book *book;
    levy_results *results = NULL;
    const levy_setting setting = {run->key, run->value};
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(levy_book_load_text(context, "book.yaml", book_text(), strlen(book_text()),
                                         &setting, run->key ? 1 : 0, &book),
                     LEVY_STATUS_OK);
    if (run->factor) assert_int_equal(levy_book_set(book, run->factor, run->quote), LEVY_STATUS_OK);
    const levy_price_options options = {.struct_size = sizeof options,
                                        .device = "cpu",
                                        .threads = 2,
                                        .journal = run->journal,
                                        .resume = run->resume,
                                        .no_times = 1,
                                        .progress = progress,
                                        .user = run};
    run->report.length = 0;
    run->resumed = 0;
    run->calls = 0;
    run->message[0] = '\0';
    const int status = levy_price(book, &options, &results);
    keep_message(run, context);
    if (results)
        assert_int_equal(levy_results_write(results, LEVY_FORMAT_JSON, text_write, &run->report),
                         LEVY_STATUS_OK);
    assert_true((results != NULL) == (status == LEVY_STATUS_OK || status == LEVY_STATUS_CANCELLED ||
                                      status == LEVY_STATUS_TOLERANCE));
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    return status;
}

/* ---- Resuming ---- */

static journal_run unbroken, resumed;
static char whole[65536], cut[65536];

static void run_unbroken(void)
{
    unbroken = (journal_run){.journal = journal_path};
    (void)remove(journal_path);
    assert_int_equal(run_book(&unbroken), LEVY_STATUS_OK);
    assert_non_null(strstr(unbroken.report.bytes, "\"seconds\": null"));
    assert_null(strstr(unbroken.report.bytes, "\"seconds\": 0"));
}

static void test_a_journal_changes_nothing_but_times(void **state)
{
    (void)state;
    run_unbroken();
    resumed = (journal_run){.journal = NULL};
    assert_int_equal(run_book(&resumed), LEVY_STATUS_OK);
    assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
}

static void test_a_journal_is_lines_of_json(void **state)
{
    (void)state;
    run_unbroken();
    const size_t length = read_bytes(journal_path, whole, sizeof whole - 1);
    whole[length] = '\0';
    size_t lines = 0;
    char *rest = NULL;
    for (char *line = strtok_r(whole, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest), ++lines) {
        assert_true(line[0] == '{' && line[strlen(line) - 1] == '}');
        assert_non_null(strstr(line, "\"xxh3\": \""));
    }
    assert_int_equal(lines, 1 + 5); /* a1 and a2, b1, basket, asian, e1 and e2 */
}

/* At every byte near a line's end, and at many others. */
static void test_a_run_cut_off_anywhere_resumes_to_the_same_bytes(void **state)
{
    (void)state;
    run_unbroken();
    const size_t length = read_bytes(journal_path, whole, sizeof whole);
    size_t cuts = 0;
    for (size_t at = 0; at <= length; ++at) {
        const bool near = at == length || whole[at] == '\n' || (at > 0 && whole[at - 1] == '\n') ||
                          (at + 1 < length && whole[at + 1] == '\n');
        if (!near && at % 97 != 0) continue;
        write_bytes(journal_path, whole, at);
        resumed = (journal_run){.journal = journal_path, .resume = 1};
        assert_int_equal(run_book(&resumed), LEVY_STATUS_OK);
        assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
        cuts++;
    }
    assert_true(cuts > 40);
    /* the last one had all groups: nothing was computed */
    assert_int_equal(resumed.resumed, 5 * 16);
}

static void test_a_torn_last_line_is_dropped(void **state)
{
    (void)state;
    run_unbroken();
    size_t length = read_bytes(journal_path, whole, sizeof whole);
    memcpy(cut, whole, length);
    memset(cut + length, 0, 100); /* what a file system leaves of a write that was under way */
    write_bytes(journal_path, cut, length + 100);
    resumed = (journal_run){.journal = journal_path, .resume = 1};
    assert_int_equal(run_book(&resumed), LEVY_STATUS_OK);
    assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
    assert_int_equal(read_bytes(journal_path, cut, sizeof cut), length);
    cut[length - 40] ^= 1; /* a last line that is whole but wrong */
    write_bytes(journal_path, cut, length);
    assert_int_equal(run_book(&resumed), LEVY_STATUS_OK);
    assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
}

/* What is known has no paths to probe its bumps with. */
static void test_known_amounts_resume(void **state)
{
    (void)state;
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {S: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n"
        "  - {id: t, underlying: S, notional: 1000, payoff: {kind: cash}, exercise: 1.0, "
        "payment_date: 1.1}\nmeasures: [price, rho]\nsimulation: {paths: 2^10}\n";
    levy_context *context;
    levy_book *book;
    double rho[2] = {0.0, 0.0};
    unlink(journal_path);
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    book = read_book(context, text, NULL, 0);
    for (int resume = 0; resume < 2; ++resume) {
        const levy_price_options options = {.struct_size = sizeof options,
                                            .device = "cpu",
                                            .journal = journal_path,
                                            .resume = resume};
        levy_results *results;
        assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
        rho[resume] = levy_results_trade(results, 0)->measures[1].value;
        levy_results_destroy(results);
    }
    assert_true(rho[0] < -1000.0 && rho[0] == rho[1]);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_a_cancelled_run_resumes(void **state)
{
    (void)state;
    run_unbroken();
    for (int calls = 1; calls < 8; ++calls) {
        (void)remove(journal_path);
        resumed = (journal_run){.journal = journal_path, .cancel_after = calls};
        assert_int_equal(run_book(&resumed), LEVY_STATUS_CANCELLED);
        resumed = (journal_run){.journal = journal_path, .resume = 1};
        const int status = run_book(&resumed);
        assert_int_equal(status, LEVY_STATUS_OK);
        assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
    }
}

static void test_a_tolerance_resumes_to_the_same_bytes(void **state)
{
    (void)state;
    const journal_run asked = {
        .key = "simulation.tolerance.relative", .value = "0.002", .journal = journal_path};
    (void)remove(journal_path);
    unbroken = asked;
    const int status = run_book(&unbroken);
    assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_TOLERANCE);
    assert_non_null(strstr(unbroken.report.bytes, "\"tolerance_met\": true"));
    const size_t length = read_bytes(journal_path, whole, sizeof whole);
    for (size_t at = 0; at <= length; ++at) {
        if (at < length && whole[at] != '\n') continue;
        write_bytes(journal_path, whole, at);
        resumed = asked;
        resumed.resume = 1;
        assert_int_equal(run_book(&resumed), status);
        assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
    }
}

/* ---- No memory ---- */

/* Loads and prices with a journal, on one thread. */
static int price_with_heap(test_heap *heap)
{
    const levy_context_options own = heap_options(heap);
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = "cpu",
                                    .threads = 1,
                                    .journal = journal_path,
                                    .resume = 1};
    levy_context *context = NULL;
    levy_book *book = NULL;
    levy_results *results = NULL;
    int status = levy_context_create(&own, &context);
    if (status == LEVY_STATUS_OK)
        status = levy_book_load_text(context, "book.yaml", book_text(), strlen(book_text()), NULL,
                                     0, &book);
    if (status == LEVY_STATUS_OK) status = levy_price(book, &how, &results);
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    assert_int_equal(heap->live, 0);
    return status;
}

/* Whatever allocation fails, the journal that stays can be resumed; also where the failing run was
 * a resumed one. */
static void test_every_allocation_of_a_journal_may_fail(void **state)
{
    (void)state;
    run_unbroken();
    const size_t length = read_bytes(journal_path, whole, sizeof whole);
    for (int half = 0; half < 2; ++half) {
        test_heap heap = {0};
        write_bytes(journal_path, whole, half ? length / 2 : 0);
        assert_int_equal(price_with_heap(&heap), LEVY_STATUS_OK);
        const long calls = heap.calls;
        assert_true(calls > 100);
        for (long n = 1; n <= calls; n += 1 + 6 * LEVY_SANITIZED * LEVY_SANITIZED) {
            heap = (test_heap){.fail_at = n};
            write_bytes(journal_path, whole, half ? length / 2 : 0);
            const int status = price_with_heap(&heap);
            if (status != LEVY_STATUS_OK && status != LEVY_STATUS_MEMORY)
                fail_msg("allocation %ld: status %d", n, status);
            if (n % 8 != 0 && status != LEVY_STATUS_OK) continue;
            resumed = (journal_run){.journal = journal_path, .resume = 1};
            assert_int_equal(run_book(&resumed), LEVY_STATUS_OK);
            assert_string_equal(resumed.report.bytes, unbroken.report.bytes);
        }
    }
}

/* ---- Refusals ---- */

static void assert_refused(journal_run run, const char *says)
{
    resumed = run;
    resumed.journal = run.journal ? run.journal : journal_path;
    assert_int_equal(run_book(&resumed), LEVY_STATUS_RESUME);
    if (!strstr(resumed.message, says)) fail_msg("'%s' is not in: %s", says, resumed.message);
}

static void test_other_runs_are_refused_in_words(void **state)
{
    (void)state;
    assert_int_equal(levy_status_exit_code(LEVY_STATUS_RESUME), 6);
    run_unbroken();
    assert_refused((journal_run){.resume = 0}, "it exists already");
    assert_refused((journal_run){.resume = 1, .key = "simulation.seed", .value = "7"},
                   "the settings (--set, --measures) have changed");
    assert_refused((journal_run){.resume = 1, .factor = "A.spot", .quote = 101.0},
                   "the quotes have changed");
    const size_t length = read_bytes(journal_path, whole, sizeof whole);
    assert_true(length > 0);
    run_unbroken(); /* refusals touched nothing: this one starts anew, though */
    assert_int_equal(read_bytes(journal_path, cut, sizeof cut) > 0, 1);
}

/* A right hash at the end of the line from `start` to `end`. */
static void seal_line(char *start, char *end)
{
    char seal[17];
    const size_t sealed = (size_t)(end - start) - 29; /* , "xxh3": "0123456789abcdef"} */
    snprintf(seal, sizeof seal, "%016llx", (unsigned long long)XXH3_64bits(start, sealed));
    memcpy(start + sealed + 11, seal, 16);
}

/* The first line with `from` replaced by `to`, of equal length, and sealed anew; the rest follows.
 */
static void write_with_other_head(const char *from, const char *to)
{
    const size_t length = read_bytes(journal_path, whole, sizeof whole - 1);
    whole[length] = '\0';
    char *const at = strstr(whole, from), *const end = memchr(whole, '\n', length);
    assert_true(at && at < end && strlen(from) == strlen(to));
    memcpy(at, to, strlen(to));
    seal_line(whole, end);
    write_bytes(journal_path, whole, length);
}

static void test_changed_inputs_and_versions_are_named(void **state)
{
    (void)state;
    static const char *const changes[][3] = {
        {"(contract " LEVY_QUOTE(LEVY_CONTRACT) ")", "(contract 7)",
         "it was written by levy " LEVY_VERSION " (contract 7), but this is levy " LEVY_VERSION
         " (contract " LEVY_QUOTE(LEVY_CONTRACT) ")"},
        {"\"groups\": 5", "\"groups\": 6", "it has 8 trades in 6 groups, but the book has 8 in 5"},
        {"\"backend\": \"any\"", "\"backend\": \"cpu\"",
         "it was priced in double precision on 'cpu', but this run would use "
         "'any'"},
        {"\"levy_journal\": 1", "\"levy_journal\": 2",
         "not a journal of levy, or its first line is damaged"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
        run_unbroken();
        write_with_other_head(changes[i][0], changes[i][1]);
        assert_refused((journal_run){.resume = 1}, changes[i][2]);
    }
    run_unbroken();
    const size_t length = read_bytes(journal_path, whole, sizeof whole);
    whole[30] ^= 1; /* the seal breaks */
    write_bytes(journal_path, whole, length);
    assert_refused((journal_run){.resume = 1},
                   "not a journal of levy, or its first line is damaged");
}

/* The k-th number of the first group's sums (n, mean, m2, n, ...) replaced, under a right hash. */
static void write_with_other_sum(size_t k, double value)
{
    char hex[17];
    uint64_t bits;
    const size_t length = read_bytes(journal_path, whole, sizeof whole - 1);
    char *const start = (char *)memchr(whole, '\n', length) + 1;
    char *const end = memchr(start, '\n', length - (size_t)(start - whole));
    whole[length] = '\0';
    char *const sums = strstr(start, "\"sums\": \"");
    assert_true(sums && sums < end);
    memcpy(&bits, &value, sizeof bits);
    snprintf(hex, sizeof hex, "%016llx", (unsigned long long)bits);
    memcpy(sums + 9 + 16 * k, hex, 16);
    seal_line(start, end);
    write_bytes(journal_path, whole, length);
}

/* Who may write to a journal may put other means there; counts that no run of the plan gives are
 * seen. */
static void test_sums_that_no_run_gives_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t k;
        double value;
    } forged[] = {{0, 0.0}, {0, 1e300}, {0, 1.0},  {0, -64.0}, {0, INFINITY},
                  {0, NAN}, {3, 0.0},   {3, 65.0}, {2, -1.0},  {5, -1e-300}};
    for (size_t i = 0; i < sizeof forged / sizeof *forged; ++i) {
        run_unbroken();
        write_with_other_sum(forged[i].k, forged[i].value);
        assert_refused((journal_run){.resume = 1}, "has sums that do not match this plan");
    }
    const journal_run asked = {
        .key = "simulation.tolerance.relative", .value = "0.002", .journal = journal_path};
    /* the paths of one sum, where trades go to a tolerance: 2^k times the first size */
    for (int power = -1; power < 2; ++power) {
        uint64_t bits = 0;
        double paths;
        (void)remove(journal_path);
        resumed = asked;
        (void)run_book(&resumed);
        const size_t length = read_bytes(journal_path, whole, sizeof whole - 1);
        whole[length] = '\0';
        for (int d = 0; d < 16; ++d) {
            const char c = strstr(whole, "\"sums\": \"")[9 + d];
            bits = bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        memcpy(&paths, &bits, sizeof paths);
        if (power < 0) paths *= 0.75;
        if (power > 0) paths = 1e15;
        write_with_other_sum(0, paths);
        resumed = asked;
        resumed.resume = 1;
        const int status = run_book(&resumed);
        assert_int_equal(status == LEVY_STATUS_RESUME, power != 0);
    }
}

static void test_damage_before_the_last_line_is_refused(void **state)
{
    (void)state;
    run_unbroken();
    const size_t length = read_bytes(journal_path, whole, sizeof whole);
    char *line = memchr(whole, '\n', length);
    line[60] ^= 1;
    write_bytes(journal_path, whole, length);
    assert_refused((journal_run){.resume = 1}, ":2:1: error");
    assert_non_null(strstr(resumed.message, "this line is damaged"));
    assert_int_equal(read_bytes(journal_path, cut, sizeof cut), length); /* and left as it was */
    assert_memory_equal(cut, whole, length);
}

static void test_what_is_no_journal_is_left_alone(void **state)
{
    (void)state;
    write_file(journal_path, book_text());
    assert_refused((journal_run){.resume = 1}, "is not a journal of levy");
    assert_int_equal(read_bytes(journal_path, cut, sizeof cut), strlen(book_text()));
    assert_refused((journal_run){.resume = 1, .journal = "/dev/null"}, "it is not a regular file");
    (void)remove(journal_path);
    resumed = (journal_run){.journal = "/nonexistent/folder/journal"};
    assert_int_equal(run_book(&resumed), LEVY_STATUS_IO);
    assert_non_null(strstr(resumed.message, "cannot open the journal: No such file or directory"));
}

static void test_one_writer_at_a_time(void **state)
{
    (void)state;
    run_unbroken();
    const int file = open(journal_path, O_RDWR | O_CLOEXEC);
    assert_true(file >= 0 && flock(file, LOCK_EX) == 0);
    assert_refused((journal_run){.resume = 1}, "another process is writing to it");
    close(file);
    resumed = (journal_run){.journal = journal_path, .resume = 1};
    assert_int_equal(run_book(&resumed), LEVY_STATUS_OK);
}

/* ---- Netting ---- */

static void test_netted_errors_know_how_trades_move(void **state)
{
    (void)state;
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_results *results = price_words(context, book_text(), NULL, 0, 1);
    assert_int_equal(levy_results_netted_count(results), 2);
    const levy_netted *dollars = levy_results_netted(results, 0),
                      *euros = levy_results_netted(results, 1);
    assert_string_equal(dollars->currency, "USD");
    assert_string_equal(euros->currency, "EUR");
    assert_int_equal(dollars->trades, 5);
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < 6; ++i) {
        const levy_trade_result *trade = levy_results_trade(results, i);
        if (strcmp(trade->status, "ok") != 0) continue;
        sum += trade->price;
        squares += trade->std_error * trade->std_error;
    }
    assert_true(fabs(dollars->value - sum) <= 1e-12 * fabs(sum));
    assert_true(dollars->std_error > 1.2 * sqrt(squares)); /* calls on one stock move together */
    assert_true(dollars->ci_low < dollars->value && dollars->value < dollars->ci_high);
    assert_string_equal(dollars->interval, "student_t");
    assert_true(euros->value == 0.0 && euros->std_error == 0.0); /* bought and sold */
    assert_null(levy_results_netted(results, 2));
    assert_null(levy_results_netted(NULL, 0));
    levy_results_destroy(results);
    levy_context_destroy(context);
}

/* One and three of the same trade are four of it. */
static void test_netted_errors_of_one_trade_add(void **state)
{
    (void)state;
    levy_context *context;
    char text[8192];
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    const char *rest = strstr(book_text(), "  - {id: b1"), *tail = strstr(book_text(), "measures:");
    snprintf(text, sizeof text, "%.*s%s", (int)(rest - book_text()), book_text(), tail);
    levy_results *results = price_words(context, text, NULL, 0, 1);
    const levy_trade_result *one = levy_results_trade(results, 0);
    const levy_netted *netted = levy_results_netted(results, 0);
    assert_int_equal(netted->trades, 2);
    assert_true(fabs(netted->value - 4.0 * one->price) <= 1e-13 * netted->value);
    assert_true(fabs(netted->std_error - 4.0 * one->std_error) <= 1e-12 * netted->std_error);
    levy_results_destroy(results);
    const levy_setting pseudo[] = {{"simulation.generator", "philox"},
                                   {"simulation.construction", "incremental"}};
    /* one stream: trades share it, and no error can be given */
    results = price_words(context, text, pseudo, 2, 1);
    netted = levy_results_netted(results, 0);
    one = levy_results_trade(results, 0);
    assert_true(fabs(netted->value - 4.0 * one->price) <= 1e-13 * netted->value);
    assert_true(isnan(netted->std_error));
    assert_string_equal(netted->interval, "none");
    levy_results_destroy(results);
    levy_context_destroy(context);
}

/* ---- Folders ---- */

static void write_in_folder(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/books/%s", folder, name);
    write_file(path, text);
}

static void test_a_folder_is_its_files_in_order(void **state)
{
    (void)state;
    char path[64], trade[512];
    levy_context *context;
    levy_book *book;
    snprintf(path, sizeof path, "%s/books", folder);
    const char *const paths[] = {path};
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(levy_book_load_files(context, paths, 1, NULL, 0, &book), LEVY_STATUS_INPUT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text, "the folder contains no book"));
    write_in_folder(
        "market.yaml",
        "curves: {USD: 0.05}\nassets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n");
    write_in_folder("more.market.yaml", "this is not even a market: [");
    write_in_folder(".hidden.yaml", "nor is this: [");
    write_in_folder("notes.txt", "nor this: [");
    static const char *const names[] = {"b.yaml", "a.yml", "c.yaml"};
    for (int i = 0; i < 3; ++i) {
        snprintf(
            trade, sizeof trade,
            "schema_version: 1\nmarket: market.yaml\n%strades:\n  - {id: from-%c, underlying: A,\n"
            "     payoff: {kind: european, option_type: call, strike: 100}, exercise: {style: "
            "european, expiry: 1}}\n",
            i == 0 ? "models: {m: {kind: black_scholes, assets: [A]}}\nsimulation: {paths: 2^8}\n"
                   : "",
            names[i][0]);
        write_in_folder(names[i], trade);
    }
    const int status = levy_book_load_files(context, paths, 1, NULL, 0, &book);
    if (status != LEVY_STATUS_OK) fail_msg("%s", levy_diagnostic_get(context, 0)->text);
    levy_results *results;
    assert_int_equal(levy_price(book, NULL, &results), LEVY_STATUS_OK);
    assert_int_equal(levy_results_size(results), 3);
    assert_string_equal(levy_results_trade(results, 0)->id, "from-a");
    assert_string_equal(levy_results_trade(results, 1)->id, "from-b");
    assert_string_equal(levy_results_trade(results, 2)->id, "from-c");
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_journal_changes_nothing_but_times),
        cmocka_unit_test(test_a_journal_is_lines_of_json),
        cmocka_unit_test(test_a_run_cut_off_anywhere_resumes_to_the_same_bytes),
        cmocka_unit_test(test_a_torn_last_line_is_dropped),
        cmocka_unit_test(test_known_amounts_resume),
        cmocka_unit_test(test_a_cancelled_run_resumes),
        cmocka_unit_test(test_a_tolerance_resumes_to_the_same_bytes),
        cmocka_unit_test(test_every_allocation_of_a_journal_may_fail),
        cmocka_unit_test(test_other_runs_are_refused_in_words),
        cmocka_unit_test(test_changed_inputs_and_versions_are_named),
        cmocka_unit_test(test_sums_that_no_run_gives_are_refused),
        cmocka_unit_test(test_damage_before_the_last_line_is_refused),
        cmocka_unit_test(test_what_is_no_journal_is_left_alone),
        cmocka_unit_test(test_one_writer_at_a_time),
        cmocka_unit_test(test_netted_errors_know_how_trades_move),
        cmocka_unit_test(test_netted_errors_of_one_trade_add),
        cmocka_unit_test(test_a_folder_is_its_files_in_order),
    };
    return cmocka_run_group_tests(tests, make_journal, remove_journal);
}
