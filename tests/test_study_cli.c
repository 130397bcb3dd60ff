/* test_study_cli.c: `levy converge` as its users meet it: streams, files, exit codes, wrong
 * arguments, Ctrl-C. */
#include "tests/command.h"
#include "tests/xml_check.h"
#include "tests/files.h"

#include <jansson.h>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static char book[128], plot[128], data[128];

static const char *book_text(void) { return text_of_book("texts/study-cli"); }

static int group_setup(void **state)
{
    if (make_folder(state) != 0) return -1;
    snprintf(book, sizeof book, "%s/book.yaml", folder);
    snprintf(plot, sizeof plot, "%s/plot.svg", folder);
    snprintf(data, sizeof data, "%s/data.csv", folder);
    write_file(book, book_text());
    return 0;
}

static int group_teardown(void **state)
{
    (void)state;
    unlink(book);
    unlink(plot);
    unlink(data);
    return rmdir(folder); /* nothing else may be left: no temporary file either */
}

static void converge(const char *const *more)
{
    const char *arguments[PROGRAM_ARGUMENTS] = {levy_program, "converge", book, "--device", "cpu"};
    size_t n = 5;
    for (; *more; ++more) {
        assert_true(n < PROGRAM_ARGUMENTS - 1);
        arguments[n++] = *more;
    }
    program_run(&run, arguments);
}
#define CONVERGE(...)                                                                              \
    (memset(&run, 0, sizeof run), converge((const char *const[]){__VA_ARGS__, NULL}))
#define SMALL "--points", "2^8..2^13", "--replicates", "8"

static void test_a_study_goes_to_stdout_and_files(void **state)
{
    struct stat status;
    (void)state;
    CONVERGE("--trade", "geometric", SMALL, "--csv", data, "--svg", plot, "--methods",
             "sobol_scrambled+bridge,mrg32k3a+incremental");
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    assert_non_null(strstr(run.out, "geometric: asian, black_scholes; reference 5."));
    assert_non_null(strstr(run.out, "mrg32k3a+incremental = 1."));
    const char *csv = read_file(data);
    assert_non_null(csv);
    assert_int_equal(xml_count(csv, "\r\n"), 1 + 2 * 8 * 6);
    const char *svg = read_file(plot);
    assert_non_null(svg);
    assert_null(xml_check(svg).fault);
    assert_int_equal(stat(plot, &status), 0);
}

static void test_json_goes_to_stdout(void **state)
{
    (void)state;
    CONVERGE("--trade", "call", SMALL, "--format", "json", "--seed", "7", "--precision", "single",
             "--fit", "2^9..2^12", "--reference", "10.450583572185565", "--rmse", "1e-3");
    assert_int_equal(run.code, 0);
    json_t *root = json_loads(run.out, 0, NULL);
    assert_non_null(root);
    const json_t *study = json_object_get(root, "run");
    assert_int_equal(json_integer_value(json_object_get(study, "seed")), 7);
    assert_string_equal(json_string_value(json_object_get(study, "precision")), "single");
    assert_string_equal(json_string_value(json_object_get(study, "reference_kind")), "given");
    assert_true(json_number_value(json_object_get(study, "target_rmse")) == 1e-3);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(study, "fit"), 0)), 512);
    assert_int_equal(json_array_size(json_object_get(root, "methods")), 3);
    json_decref(root);
}

static void test_csv_can_go_to_stdout(void **state)
{
    (void)state;
    CONVERGE("--trade", "call", "--points", "2^8", "--replicates", "2", "--format", "csv",
             "--methods", "philox+bridge");
    assert_int_equal(run.code, 0);
    assert_int_equal(strncmp(run.out, "trade,method,", 13), 0);
    assert_int_equal(xml_count(run.out, "\r\n"), 3);
}

static void test_coverage_prints_a_row_per_trade(void **state)
{
    (void)state;
    CONVERGE("--coverage", "20", "--points", "2^8", "--json");
    assert_int_equal(run.code, 0);
    json_t *root = json_loads(run.out, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(json_object_get(root, "coverage")), 2);
    json_decref(root);
}

static void assert_usage(const char *message)
{
    assert_int_equal(run.code, 2);
    assert_string_equal(run.out, "");
    if (!strstr(run.err, message)) fail_msg("'%s' does not say '%s'", run.err, message);
}

static void test_wrong_arguments_are_told_of(void **state)
{
    (void)state;
    CONVERGE(SMALL, "--reference", "10");
    assert_usage("needs a single trade: name it (--trade ID)");
    CONVERGE("--trade", "call", "--measures", "detla");
    assert_usage("did you mean 'delta'?");
    CONVERGE("--trade", "call", "--output", "study.pdf");
    assert_usage("the ending selects the format: .csv, .json, .txt, .svg");
    CONVERGE("--trade", "call", "--methods", "sobol_scrambled");
    assert_usage("did you mean 'sobol_scrambled+bridge'?");
    CONVERGE("--trade", "call", "--methods", "mrg32k3");
    assert_usage("did you mean 'mrg32k3a+incremental'?");
    CONVERGE("--trade", "cal", SMALL);
    assert_usage("did you mean 'call'?");
    CONVERGE("--trade", "call", "--methods", "sobol_scrambled+brige");
    assert_usage("did you mean 'sobol_scrambled+bridge'?");
    CONVERGE("--trade", "call", "--methods", "sobol_scrambled+brige+integrated");
    assert_usage("did you mean 'sobol_scrambled+bridge+integrated'?");
    CONVERGE("--trade", "call", "--methods", "sobol_scrambled+bridge+plane");
    assert_usage("did you mean 'sobol_scrambled+bridge+plain'?");
    CONVERGE("--trade", "call", "--methods", "sobol_scrambled+integrated");
    assert_usage("did you mean 'sobol_scrambled+bridge+integrated'?");
    CONVERGE("--trade", "call", "--points", "2^8..300");
    assert_usage("the nearest are 256 and 512");
    CONVERGE("--trade", "call", "--replicates", "1");
    assert_usage("between 2 and 65536");
    CONVERGE("--trade", "call", "--replicates", "0");
    assert_usage("--replicates takes a number");
    CONVERGE("--trade", "call", "--replicates", "8x");
    assert_usage("--replicates takes a number");
    CONVERGE("--trade", "call", "--reference", "ten");
    assert_usage("--reference takes a number");
    CONVERGE("--trade", "call", "--format", "jsonl");
    assert_usage("--format takes one of table, csv, json; got 'jsonl'");
    go("price", book, "--methods", "philox+bridge", NULL);
    assert_usage("takes no option --methods");
}

static void test_a_wrong_setting_is_the_inputs_fault(void **state)
{
    (void)state;
    CONVERGE("--trade", "call", "--seed", "many");
    assert_int_equal(run.code, 3);
    assert_non_null(strstr(run.err, "simulation.seed"));
}

/* An output that cannot be written is found before the work, and leaves nothing behind. */
static void test_a_folder_that_is_not_there_is_found_first(void **state)
{
    (void)state;
    unlink(data);
    CONVERGE("--trade", "geometric", "--points", "2^8..2^26", "--csv", data, "--svg",
             "/nowhere/at/all.svg");
    assert_int_equal(run.code, 7);
    assert_non_null(strstr(run.err, "/nowhere/at/all.svg"));
    assert_string_equal(run.out, "");
    assert_int_equal(access(data, F_OK), -1);
}

/* A script that looks at the exit code alone must see that the study is not of the whole book. */
static void test_a_study_that_lacks_a_trade_says_so(void **state)
{
    (void)state;
    static const char bad[] = "  - {id: bad, underlying: A, payoff: {kind: european, option_type: "
                              "call, strike: -1}, exercise: {expiry: 1}}\n"
                              "  - {id: call, underlying: A, payoff: {kind: european, option_type: "
                              "put, strike: 90}, exercise: {expiry: 1}}\n";
    char part[sizeof book + 16];
    FILE *file = fopen(book, "w");
    assert_non_null(file);
    fprintf(file, "%s%s", book_text(), bad);
    fclose(file);
    CONVERGE("--points", "2^6..2^7");
    assert_int_equal(run.code, 1);
    assert_has(run.err, "strike: must be >= 0");
    assert_has(run.out, "geometric: asian");
    /* an id is its first trade's: the second of that id has a fault */
    CONVERGE("--points", "2^6..2^7", "--trade", "call");
    assert_int_equal(run.code, 0);
    go("points", book, "--trade", "call", "--count", "1", NULL);
    assert_int_equal(run.code, 0);
    CONVERGE("--coverage", "2", "--points", "2^6", "--quiet");
    assert_int_equal(run.code, 1);
    CONVERGE("--points", "2^6..2^7", "--part", "1/1", "--journal", data);
    snprintf(part, sizeof part, "%s.1-of-1", data);
    go("merge", part, "--trust-parts", NULL);
    unlink(part);
    assert_int_equal(run.code, 1);
    assert_has(run.out, "geometric: asian");
    for (int only = 0; only < 2; ++only) {
        go("plot", book, "--what", "errors", "--device", "cpu", "--output", plot,
           only ? "--trade" : NULL, "call", NULL);
        assert_int_equal(run.code, !only);
    }
    write_file(book, book_text());
}

/* What a quote of --set does to the trades is known before the study, which would take hours. */
static void test_strict_refuses_a_quote_before_the_study(void **state)
{
    (void)state;
    static const char barrier[] =
        "  - {id: out, underlying: A, payoff: {kind: barrier, option_type: call, strike: 100, "
        "barrier: {direction: up, knock: out, level: 120, monitoring: continuous}}, exercise: 1}\n";
    char text[4096 + sizeof barrier];
    snprintf(text, sizeof text, "%s%s", book_text(), barrier);
    write_file(book, text);
    CONVERGE("--points", "2^8..2^28", "--strict", "--set", "A.spot=130");
    assert_int_equal(run.code, 3);
    assert_has(run.err, "130");
    assert_string_equal(run.out, "");
    go("validate", book, "--set", "A.spot=130", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, "130");
    write_file(book, book_text());
}

static void test_interrupt_ends_a_study(void **state)
{
    (void)state;
    memset(&run, 0, sizeof run);
    run.signal = SIGINT;
    converge((const char *const[]){"--trade", "geometric", "--points", "2^8..2^28", "--progress",
                                   "json", "--csv", data, NULL});
    assert_int_equal(run.code, 130);
    assert_string_equal(run.out, "");
    assert_non_null(strstr(run.err, "levy: interrupted\n"));
    assert_null(strstr(run.err, "cancelled"));
    assert_int_equal(access(data, F_OK), -1);
}

static void test_help_lists_the_options(void **state)
{
    (void)state;
    go("help", "converge", NULL);
    assert_int_equal(run.code, 0);
    static const char *const names[] = {
        "--methods",   "--points",   "--fit", "--replicates", "--trade", "--reference", "--rmse",
        "--resamples", "--coverage", "--csv", "--svg",        "--seed",  "--precision", "--format"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (!strstr(run.out, names[i])) fail_msg("help does not tell of %s", names[i]);
    assert_has(run.out, "--precision P");
}

static void test_dimensions_outside_the_motion_are_told_of(void **state)
{
    (void)state;
    static const char file[] = LEVY_SOURCE_DIR "/configs/merton.yaml",
                      plain[] = LEVY_SOURCE_DIR "/configs/geometric_asian.yaml";
    static const char said[] = "not counting 24 outside the Brownian path (jumps, time "
                               "changes, regimes, extrema)";
    go("converge", file, "--trade", "knock-out", "--device", "cpu", "--points", "2^6..2^7",
       "--replicates", "2", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, said);
    go("explain", file, "--device", "cpu", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out,
               "not in these shares (jumps, time changes, regimes, extrema): 24 dimensions\n");
    go("converge", plain, "--device", "cpu", "--points", "2^6..2^7", "--replicates", "2", NULL);
    assert_int_equal(run.code, 0);
    assert_null(strstr(run.out, "not counting"));
}

static void test_what_comes_first_is_told_of(void **state)
{
    (void)state;
    static const char file[] = LEVY_SOURCE_DIR "/configs/bridge_functionals.yaml",
                      four[] = "simulation.construction.first={components: 4}";
    go("explain", file, "--device", "cpu", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "path construction: the average over the dates first, then a Brownian "
                        "bridge, the last date first, then midpoints\n");
    assert_has(run.out, "of the Brownian path over the dates in the first dimensions: 1: 100.0 %; "
                        "effective dimension 1 (99 % of it)\n");
    go("explain", file, "--device", "cpu", "--set", four, NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "path construction: 4 principal components first, then a Brownian bridge");
    go("explain", LEVY_SOURCE_DIR "/configs/asian.yaml", "--device", "cpu", "--set",
       "simulation.construction.first.components=4", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "path construction: 4 principal components first, then a Brownian bridge");
    assert_has(run.out, "  schedule: fused, 1 pass over 64 blocks of 4096 paths, first batch ");
    assert_null(strstr(run.out, "the first normal is integrated"));
    go("explain", LEVY_SOURCE_DIR "/configs/smoothing.yaml", "--device", "cpu", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "then midpoints; the first normal is integrated\n");
    go("explain", LEVY_SOURCE_DIR "/configs/asian.yaml", "--device", "cpu", "--set",
       "simulation.pipeline=staged", "--set", "simulation.paths=2^16", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "  schedule: staged, 1 pass over 16 blocks of 4096 paths, batches of at "
                        "most 1 block, 1.0 MiB of numbers\n");
    go("converge", file, "--device", "cpu", "--points", "2^6..2^7", "--replicates", "2",
       "--methods", "sobol_scrambled+bridge", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "1 of 52\n");
    assert_has(run.out, "sobol_scrambled+bridge:average  ");
    go("converge", file, "--device", "cpu", "--points", "2^6..2^7", "--replicates", "2",
       "--methods", "sobol_scrambled+bridge:average,sobol_scrambled+pca", "--format", "json", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "\"method\": \"sobol_scrambled+bridge:average\"");
    assert_has(run.out, "\"method\": \"sobol_scrambled+pca\"");
    go("converge", file, "--device", "cpu", "--points", "2^6..2^7", "--replicates", "2",
       "--methods", "sobol_scrambled+bridge:order", NULL);
    assert_int_equal(run.code, 2); /* the book says otherwise */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_study_goes_to_stdout_and_files),
        cmocka_unit_test(test_json_goes_to_stdout),
        cmocka_unit_test(test_csv_can_go_to_stdout),
        cmocka_unit_test(test_coverage_prints_a_row_per_trade),
        cmocka_unit_test(test_wrong_arguments_are_told_of),
        cmocka_unit_test(test_a_wrong_setting_is_the_inputs_fault),
        cmocka_unit_test(test_a_folder_that_is_not_there_is_found_first),
        cmocka_unit_test(test_a_study_that_lacks_a_trade_says_so),
        cmocka_unit_test(test_strict_refuses_a_quote_before_the_study),
        cmocka_unit_test(test_interrupt_ends_a_study),
        cmocka_unit_test(test_help_lists_the_options),
        cmocka_unit_test(test_dimensions_outside_the_motion_are_told_of),
        cmocka_unit_test(test_what_comes_first_is_told_of),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
