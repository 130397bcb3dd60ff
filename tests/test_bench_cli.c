/* test_bench_cli.c: `levy bench`: its rows' shape, what it refuses, and peers that behave and
 * misbehave: they fail, hang, print rubbish, leave processes behind. Sizes are tiny: nothing here
 * is about speed. */
#include "tests/command.h"

#include <jansson.h>

#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A program of peer NAME in the folder of peers SET. */
static void bench_program(const char *set, const char *name, const char *called, const char *script)
{
    char peer[96];
    (void)mkdir(path_of(set), 0700);
    snprintf(peer, sizeof peer, "%s/%s", set, name);
    assert_int_equal(mkdir(path_of(peer), 0700), 0);
    strcat(peer, called);
    FILE *file = fopen(path_of(peer), "w");
    assert_non_null(file);
    fprintf(file, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(path_of(peer), 0700), 0);
}

static void bench_peer(const char *set, const char *name, const char *script)
{
    bench_program(set, name, "/run", script);
}

/* `levy bench` on the CPU, one run of 256 paths, and the words, the last one NULL. */
static void bench(const char *word, ...)
{
    va_list words;
    va_start(words, word);
    program_run_words(&run,
                      (const char *const[]){levy_program, "bench", "--device", "cpu", "--paths",
                                            "2^8", "--repeat", "1", NULL},
                      word, words);
    va_end(words);
}

static json_t *bench_json(void)
{
    json_error_t error;
    json_t *rows = json_loads(run.out, 0, &error);
    if (!json_is_array(rows)) fail_msg("no JSON array: %s: %s", error.text, run.out);
    return rows;
}

static const char *row_text(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));
    return text ? text : "(null)";
}

/* ---- Rows ---- */

static void test_rows_have_exactly_twelve_keys(void **state)
{
    (void)state;
    static const char *const keys[] = {"name",       "value",     "unit",    "peer",
                                       "peer_value", "ratio",     "device",  "date",
                                       "command",    "kernel_ms", "wall_ms", "cpu_ms"};
    bench("--only", "asian64_f64,european1_f32,basket8_f64", "--json", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; ++i) {
        const json_t *row = json_array_get(rows, i);
        assert_int_equal(json_object_size(row), 12);
        for (size_t k = 0; k < 12; ++k) assert_non_null(json_object_get(row, keys[k]));
        assert_true(json_number_value(json_object_get(row, "value")) > 0.0);
        const double kernel = json_number_value(json_object_get(row, "kernel_ms"));
        assert_true(kernel > 0.0 && json_number_value(json_object_get(row, "wall_ms")) >= kernel);
        assert_true(json_number_value(json_object_get(row, "cpu_ms")) > 0.0);
        assert_int_equal(strlen(row_text(row, "date")), 10);
        assert_has(row_text(row, "command"), "levy bench --only ");
        assert_has(row_text(row, "command"), "--device cpu --paths 2^8");
        assert_has(row_text(row, "device"), "thread");
    }
    const json_t *asian = json_array_get(rows, 0), *basket = json_array_get(rows, 1),
                 *european = json_array_get(rows, 2);
    assert_string_equal(row_text(asian, "name"), "asian64_f64");
    assert_string_equal(row_text(asian, "unit"), "path-steps/s");
    assert_true(json_is_null(json_object_get(asian, "peer")));
    assert_true(json_is_null(json_object_get(asian, "peer_value")));
    assert_true(json_is_null(json_object_get(asian, "ratio")));
    assert_string_equal(row_text(european, "unit"), "paths/s");
    assert_string_equal(row_text(basket, "peer"), "asian64_f64");
    const double value = json_number_value(json_object_get(basket, "value"));
    const double peer = json_number_value(json_object_get(basket, "peer_value"));
    const double ratio = json_number_value(json_object_get(basket, "ratio"));
    assert_true(ratio > 0.999 * value / peer && ratio < 1.001 * value / peer);
    json_decref(rows);
}

static void test_every_row_is_listed_shown_and_measured(void **state)
{
    (void)state;
    /* rows share their code, and a sanitizer makes 100 assets and processes dear */
    enum { SOME = LEVY_SANITIZED ? 41 : 12 };
    enum { EACH = LEVY_TEST_FULL ? 1 : SOME };
    enum { SHOWN = LEVY_SANITIZED ? 9 : 1 };
    static char list[16384], wanted[16384];
    size_t names = 0, rows = 0, measured = 0;
    bench("--list", NULL);
    assert_int_equal(run.code, 0);
    snprintf(list, sizeof list, "%.16383s", run.out);
    char *rest = NULL;
    for (char *line = strtok_r(list, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest), ++names) {
        line[strcspn(line, " ")] = '\0';
        if (strstr(line, "book10k_autocall_")) continue; /* the text of the row before */
        /* 10,000 notes are priced once below, and not in a row each */
        if (names % EACH == 0 && !strstr(line, "book10k_autocall") && !strstr(line, "american")) {
            if (measured++) strcat(wanted, ",");
            strcat(wanted, line);
        }
        if (names % SHOWN) continue;
        const char *const show[] = {levy_program, "bench", "--show", line, NULL};
        program_run(&run, show);
        assert_int_equal(run.code, 0);
        static program check;
        const char *const validate[] = {levy_program, "validate", "-", "--strict", NULL};
        memset(&check, 0, sizeof check);
        check.input = run.out;
        program_run(&check, validate);
        if (check.code != 0) fail_msg("%s: %s", line, check.err);
        memset(&run, 0, sizeof run);
    }
    assert_true(names >= 28);
    bench("--json", "--only", wanted, NULL);
    assert_int_equal(run.code, 0);
    json_t *all = bench_json();
    const char *last = "";
    for (size_t i = 0; i < json_array_size(all); ++i) {
        const char *name = row_text(json_array_get(all, i), "name");
        rows += strcmp(name, last) != 0;
        last = name;
    }
    assert_int_equal(rows, measured);
    json_decref(all);
}

static void test_measures_and_scenarios_cost_prices(void **state)
{
    (void)state;
    bench("--only", "greeks5_cpu,scenarios100_spot_cpu,scenarios100_vol_cpu", "--json", NULL);
    assert_int_equal(run.code, 0);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 3);
    for (size_t i = 0; i < 3; ++i) {
        const json_t *row = json_array_get(rows, i);
        assert_string_equal(row_text(row, "unit"), "prices");
        assert_true(json_number_value(json_object_get(row, "value")) > 0.0);
    }
    json_decref(rows);
    static const char *const shows[][2] = {{"greeks5_cpu", "measures: [price, delta, gamma, vega"},
                                           {"scenarios100_spot_cpu", "factor: A0.spot"},
                                           {"scenarios100_vol_cpu", "factor: A0.volatility"}};
    for (size_t i = 0; i < 3; ++i) {
        program_run(&run,
                    (const char *const[]){levy_program, "bench", "--show", shows[i][0], NULL});
        assert_int_equal(run.code, 0);
        assert_has(run.out, shows[i][1]);
    }
}

/* The number of a row's name in a JSON array. */
static double bench_number(const json_t *rows, const char *name, const char *key)
{
    for (size_t i = 0; i < json_array_size(rows); ++i)
        if (strcmp(row_text(json_array_get(rows, i), "name"), name) == 0)
            return json_number_value(json_object_get(json_array_get(rows, i), key));
    fail_msg("no row %s", name);
    return 0.0;
}

static void test_notes_take_seconds_on_paths_of_their_own(void **state)
{
    (void)state;
    static const char *const names[] = {"phoenix3_f32", "phoenix3_greeks_f32",
                                        "finpar_autocall_f64", "finpar_barrier_f64",
                                        "autocall_script_f32"};
    bench("--json", "--only",
          "phoenix3_f32,phoenix3_greeks_f32,finpar_autocall_f64,finpar_barrier_f64,"
          "autocall_script_f32",
          NULL);
    if (run.code != 0) fail_msg("%s", run.err);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), sizeof names / sizeof *names);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const double seconds = bench_number(rows, names[i], "value"),
                     kernel = bench_number(rows, names[i], "kernel_ms");
        assert_string_equal(row_text(json_array_get(rows, i), "unit"), "s");
        assert_true(seconds > 0.0 && kernel > 999.0 * seconds && kernel < 1001.0 * seconds);
    }
    json_decref(rows);
    static const char *const shows[][3] = {
        {"phoenix3_f64", "knock_in: {count: 756}", "2^18, "},
        {"phoenix3_greeks_f32", "vega, rho, correlation", "smoothing: auto"},
        {"finpar_autocall_f32", "calls: {count: 5}", "2^20, "},
        {"finpar_barrier_f32", "knock_in: {count: 367}", "2^17, "},
        {"autocall_script_cpu", "script: |", "precision: double, smoothing: none"}};
    for (size_t i = 0; i < sizeof shows / sizeof *shows; ++i) {
        program_run(&run,
                    (const char *const[]){levy_program, "bench", "--show", shows[i][0], NULL});
        assert_int_equal(run.code, 0);
        assert_has(run.out, shows[i][1]);
        assert_has(run.out, shows[i][2]);
    }
}

static void test_times_to_an_error_stand_beside_those_of_other_methods(void **state)
{
    (void)state;
    const char *const search[] = {levy_program, "bench",  "--device",
                                  "cpu",        "--json", "--repeat",
                                  "1",          "--only", "time_to_error_digital_asian64_cpu",
                                  NULL};
    program_run(&run, search);
    if (run.code != 0) fail_msg("%s", run.err);
    assert_string_equal(run.err, ""); /* the integrated method arrives */
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 2);
    assert_string_equal(row_text(json_array_get(rows, 0), "peer"),
                        "mrg32k3a, extrapolated by 1/sqrt(N)");
    assert_string_equal(row_text(json_array_get(rows, 1), "peer"),
                        "plain bridge, extrapolated by 1/N");
    /* pseudo-random paths need a million times the time: no machine is so noisy */
    assert_true(json_number_value(json_object_get(json_array_get(rows, 0), "ratio")) < 0.01);
    json_decref(rows);
    memset(&run, 0, sizeof run);
    bench("--only", "time_to_error_knock_out63_gamma", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, "time_to_error_knock_out63_gamma: extrapolated by 1/N from ");
    assert_has(run.out, "plain bridge, extrapolated by 1/N ");
}

/* On a CPU nothing is compiled. */
static void test_a_book_of_notes_is_priced_and_its_kernels_counted(void **state)
{
    (void)state;
    if (LEVY_SANITIZED) skip(); /* 10,000 notes take minutes there */
    program_run(&run,
                (const char *const[]){levy_program, "bench", "--show", "book10k_autocall", NULL});
    size_t trades = 0;
    for (const char *at = run.out; (at = strstr(at, "- {id: n")) != NULL; ++at) ++trades;
    assert_int_equal(trades, 10000);
    const char *const words[] = {levy_program, "bench",   "--device",
                                 "cpu",        "--paths", "2^6",
                                 "--json",     "--only",  "book10k_autocall_kernels",
                                 NULL};
    memset(&run, 0, sizeof run);
    program_run(&run, words);
    if (run.code != 0) fail_msg("%s", run.err);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(row_text(json_array_get(rows, 0), "unit"), "kernels");
    assert_true(json_number_value(json_object_get(json_array_get(rows, 0), "value")) == 0.0);
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "wall_ms")));
    json_decref(rows);
}

static void test_a_process_has_no_kernel_time(void **state)
{
    (void)state;
    bench("--only", "quickstart_process", "--json", NULL);
    assert_int_equal(run.code, 0);
    json_t *rows = bench_json();
    const json_t *row = json_array_get(rows, 0);
    const double seconds = json_number_value(json_object_get(row, "value")),
                 wall = json_number_value(json_object_get(row, "wall_ms"));
    assert_true(json_is_null(json_object_get(row, "kernel_ms")));
    assert_true(wall > 999.0 * seconds && wall < 1001.0 * seconds);
    json_decref(rows);
}

static void test_one_core_means_one_thread(void **state)
{
    (void)state;
    bench("--only", "asian64_cpu", "--threads", "2", "--isa", LEVY_TEST_ISA, "--json", NULL);
    assert_int_equal(run.code, 0);
    json_t *rows = bench_json();
    assert_has(row_text(json_array_get(rows, 0), "device"), ", 1 thread, " LEVY_TEST_ISA);
    assert_has(row_text(json_array_get(rows, 0), "command"), "--isa " LEVY_TEST_ISA);
    json_decref(rows);
}

/* Its paths are counted from the device that was found, not from the words of the user. */
static void test_a_row_that_fills_a_gpu_needs_no_device_named(void **state)
{
    (void)state;
    const char *const words[] = {levy_program, "bench", "--only", "vega32_52_f32",
                                 "--paths",    "2^8",   "--json", "--repeat",
                                 "1",          NULL};
    program_run(&run, words);
    assert_int_equal(run.code, 0);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 1);
    json_decref(rows);
}

static void test_the_table_is_for_eyes_and_a_file_for_programs(void **state)
{
    (void)state;
    bench("--only", "asian64_f64", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "medians of 1");
    assert_has(run.out, "kernel ms    wall ms     cpu ms");
    assert_has(run.out, "path-steps/s");
    bench("--only", "asian64_f64", "--output", path_of("rows.json"), NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    json_t *rows = json_load_file(path_of("rows.json"), 0, NULL);
    assert_int_equal(json_array_size(rows), 1);
    json_decref(rows);
    bench("--only", "asian64_f64", "--output", path_of("no/such/rows.json"), NULL);
    assert_int_equal(run.code, 7);
}

static void test_wrong_words_are_refused_before_any_work(void **state)
{
    (void)state;
    bench("--only", "asain64_f64", NULL);
    assert_usage_error(&run, "there is no row 'asain64_f64'; did you mean 'asian64_f64'?");
    bench("--only", "asian64_f64,", NULL);
    assert_usage_error(&run, "there is no row ''");
    bench("--only", "asian64_f", NULL); /* a beginning is no name */
    assert_usage_error(&run, "did you mean 'asian64_f32'?");
    bench("--show", "nothing-like-it", NULL);
    assert_usage_error(&run, "there is no row 'nothing-like-it'\n");
    bench("--peers", path_of("nowhere"), NULL);
    assert_usage_error(&run, "--peers takes a folder");
    bench("--format", "csv", NULL);
    assert_usage_error(&run, "--format takes one of table, json; got 'csv'");
    bench("--repeat", "0", NULL);
    assert_usage_error(&run, "--repeat takes a number from 1 to 1000; got");
    bench("--repeat", "1001", NULL);
    assert_usage_error(&run, "--repeat takes a number from 1 to 1000");
    bench("--peer-limit", "0", NULL);
    assert_usage_error(&run, "--peer-limit takes seconds above 0");
    bench("file.yaml", NULL);
    assert_usage_error(&run, "takes no words");
    bench("--only", "asian64_f64", "--paths", "-1", NULL);
    assert_int_equal(run.code, 3);
}

/* ---- Peers ---- */

static void test_a_peer_stands_beside_its_rows(void **state)
{
    (void)state;
    bench_peer(
        "good", "other",
        "echo asian64_f64 1000 path-steps/s\necho 'asian64_f64 2e3 path-steps/s fast-1.0'\n"
        "[ \"$*\" = 'asian64_f64 european1_f64' ] && [ \"$LEVY_BENCH_DEVICE\" = cpu ] || exit 9\n"
        "[ -x \"$LEVY_BENCH_PROGRAM\" ] && [ \"$LEVY_BENCH_PATHS\" = 2^8 ] || exit 8\nexit 0");
    bench_peer("good", "unwanted", "exit 5");
    bench("--only", "european1_f64,asian64_f64", "--peers", path_of("good"), "--without",
          "unwanted,other2", "--json", NULL);
    if (run.code != 0) fail_msg("%s", run.err);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 3);
    assert_string_equal(row_text(json_array_get(rows, 0), "peer"), "other");
    assert_string_equal(row_text(json_array_get(rows, 1), "peer"), "other:fast-1.0");
    assert_true(json_number_value(json_object_get(json_array_get(rows, 1), "peer_value")) ==
                2000.0);
    assert_has(row_text(json_array_get(rows, 0), "command"), "--peers");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 2), "peer")));
    json_decref(rows);
}

static void test_rows_of_other_programs_stand_behind_ours(void **state)
{
    (void)state;
    if (LEVY_SANITIZED) skip(); /* a row of ours takes a minute there */
    bench_program("rows", "table", "/rows",
                  "echo '['; echo '{\"name\": \"table_build\", \"value\": 2.5, \"unit\": \"ms\", "
                  "\"peer\": \"it: the other\", "
                  "\"peer_value\": 5, \"ratio\": 2},'\n"
                  "echo "
                  "'{\"name\":\"table_error\",\"value\":1e-16,\"unit\":\"relative\",\"peer\":null,"
                  "\"peer_value\":null,\"ratio\":null}'; echo ']'");
    if (LEVY_TEST_FULL)
        bench("--peers", path_of("rows"), "--json", NULL);
    else
        bench("--peers", path_of("rows"), "--json", "--only", "asian64_f64,table_error,table_build",
              NULL);
    if (run.code != 0) fail_msg("%s", run.err);
    json_t *rows = bench_json();
    const size_t n = json_array_size(rows);
    assert_true(n > 2);
    const json_t *build = json_array_get(rows, n - 2), *error = json_array_get(rows, n - 1);
    assert_string_equal(row_text(build, "name"), "table_build");
    assert_string_equal(row_text(build, "peer"), "it: the other");
    assert_true(json_number_value(json_object_get(build, "ratio")) == 2.0 &&
                json_number_value(json_object_get(build, "value")) == 2.5);
    assert_has(row_text(build, "command"), "levy bench --only table_build --device cpu --peers /");
    assert_true(strlen(row_text(build, "device")) > 0 && strlen(row_text(build, "date")) == 10);
    assert_true(json_is_null(json_object_get(build, "kernel_ms")) &&
                json_is_null(json_object_get(build, "wall_ms")));
    assert_true(json_is_null(json_object_get(error, "peer")) &&
                json_is_null(json_object_get(error, "peer_value")));
    json_decref(rows);
    bench("--only", "asian64_f64", "--peers", path_of("rows"), "--json", NULL);
    assert_int_equal(run.code, 0);
    rows = bench_json();
    assert_int_equal(json_array_size(rows), 1);
    json_decref(rows);
    bench_program("bad rows", "table", "/rows", "echo '{\"name\": \"a\", \"value\": fast}'");
    bench("--peers", path_of("bad rows"), "--json", "--only", "asian64_f64,a", NULL);
    assert_int_equal(run.code, 1);
    assert_has(run.err, "levy: peer table printed an invalid row");
}

/* A file of the folder of peer NAME in SET. */
static void bench_names(const char *set, const char *name, const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s/names", set, name);
    FILE *file = fopen(path_of(path), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void test_rows_of_other_programs_can_be_named(void **state)
{
    (void)state;
    bench_program("named", "table", "/rows",
                  "echo '{\"name\": \"table_build\", \"value\": 2, \"unit\": \"ms\", \"peer\": "
                  "null, \"peer_value\": null, \"ratio\": null}'\n"
                  "echo '{\"name\": \"table_draw\", \"value\": 3, \"unit\": \"ms\", \"peer\": "
                  "null, \"peer_value\": null, \"ratio\": null}'");
    bench_names("named", "table", "table_*\n");
    bench_program("named", "other", "/rows", "exit 5");
    bench_names("named", "other", "nothing\nother_?\n");
    /* no row of ours is measured: nothing to hold against it */
    bench_peer("named", "plain", "exit 6");
    bench("--only", "table_draw", "--peers", path_of("named"), "--json", NULL);
    if (run.code != 0) fail_msg("%s", run.err);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(row_text(json_array_get(rows, 0), "name"), "table_draw");
    json_decref(rows);
    /* a name that may be, and is not */
    bench("--only", "table_drow", "--peers", path_of("named"), "--json", NULL);
    assert_int_equal(run.code, 1);
    assert_has(run.err, "brought the row 'table_drow' on cpu");
    bench("--only", "tabel_draw", "--peers", path_of("named"), NULL);
    assert_usage_error(&run, "there is no row 'tabel_draw'");
    bench("--only", "table_draw", "--peers", path_of("named"), "--without", "table", NULL);
    assert_usage_error(&run, "there is no row 'table_draw'");
    bench("--only", "table_draw", NULL);
    assert_usage_error(&run, "--peers DIR adds the rows of other programs");
    bench("--list", "--peers", path_of("named"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "asian64_f64");
    assert_has(run.out, "\ntable_* ");
    assert_has(run.out, "\nother_? ");
    assert_has(run.out, "/table/rows brings\n");
    assert_null(strstr(run.out, "plain"));
}

static void test_rows_of_other_programs_say_what_they_ran_on(void **state)
{
    (void)state;
    bench_program("placed", "table", "/rows",
                  "for i in '' ', \"threads\": 7, \"isa\": \"avx9\"' ', \"threads\": 1'; do\n"
                  "echo \"{\\\"name\\\": \\\"a\\\", \\\"value\\\": 1, \\\"unit\\\": \\\"s\\\", "
                  "\\\"peer\\\": null, "
                  "\\\"peer_value\\\": null, \\\"ratio\\\": null$i}\"; done");
    bench("--only", "asian64_f64,a", "--peers", path_of("placed"), "--threads", "3", "--isa",
          LEVY_TEST_ISA, "--json", NULL);
    if (run.code != 0) fail_msg("%s", run.err);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 4);
    assert_has(row_text(json_array_get(rows, 0), "device"), ", 3 threads, " LEVY_TEST_ISA);
    assert_has(row_text(json_array_get(rows, 1), "device"), ", 3 threads, " LEVY_TEST_ISA);
    assert_has(row_text(json_array_get(rows, 2), "device"), ", 7 threads, avx9");
    assert_has(row_text(json_array_get(rows, 3), "device"), ", 1 thread, " LEVY_TEST_ISA);
    json_decref(rows);
    bench_program("misplaced", "table", "/rows",
                  "echo '{\"name\": \"a\", \"value\": 1, \"unit\": \"s\", \"peer\": null, "
                  "\"peer_value\": null, \"ratio\": null, \"threads\": -1}'");
    bench("--only", "a", "--peers", path_of("misplaced"), "--json", NULL);
    assert_int_equal(run.code, 1);
    assert_has(run.err, "printed an invalid row");
}

static void test_a_peer_that_cannot_run_here_is_skipped(void **state)
{
    (void)state;
    bench_peer("skipping", "absent", "echo 'absent: no such GPU' >&2; exit 77");
    (void)mkdir(path_of("skipping/notes"), 0700); /* without a `run`, it is no peer */
    bench("--only", "asian64_f64", "--peers", path_of("skipping"), "--json", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, "absent: no such GPU");
    assert_has(run.err, "levy: peer absent skipped");
    assert_null(strstr(run.err, "notes"));
    json_decref(bench_json());
}

/* Rows of a run whose only peer misbehaves: as without it; the exit code says so. */
static void assert_alone(const char *set, const char *complaint)
{
    bench("--only", "asian64_f64", "--peers", path_of(set), "--peer-limit", "0.5", "--json", NULL);
    assert_int_equal(run.code, 1);
    assert_has(run.err, complaint);
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 1);
    assert_true(json_is_null(json_object_get(json_array_get(rows, 0), "peer")));
    json_decref(rows);
}

static void test_peers_that_fail_hang_or_talk_rubbish_cost_no_row(void **state)
{
    (void)state;
    bench_peer("failing", "broken", "echo asian64_f64 1000 path-steps/s; exit 3");
    assert_alone("failing", "peer broken failed with exit code 3");
    bench_peer("killed", "dead", "kill -9 $$");
    assert_alone("killed", "peer dead failed with exit code 137");
    bench_peer("slow", "sleeper", "sleep 600");
    assert_alone("slow", "peer sleeper took longer than 0.5 s");
    bench_peer("stubborn", "deaf", "trap '' TERM; sleep 600 & while :; do sleep 0.1; done");
    assert_alone("stubborn", "peer deaf took longer than 0.5 s");
    static const char *const rubbish[] = {"echo hello",
                                          "echo asian64_f64 fast path-steps/s",
                                          "echo asian64_f64 nan path-steps/s",
                                          "echo asian64_f64 -1 path-steps/s",
                                          "echo asian64_f64 0 path-steps/s",
                                          "echo asian64_f64 1e999 path-steps/s",
                                          "echo asian64_f64 1 furlongs",
                                          "echo european1_f64 1 paths/s",
                                          "echo asian64_f64 1 path-steps/s a b",
                                          "echo 'asian64_f64 1 path-steps/s a\"b'",
                                          "printf '\\033[2J\\n'",
                                          "head -c 3000000 /dev/zero | tr '\\0' x"};
    for (size_t i = 0; i < sizeof rubbish / sizeof *rubbish; ++i) {
        char set[32];
        snprintf(set, sizeof set, "rubbish%zu", i);
        bench_peer(set, "mad", rubbish[i]);
        assert_alone(set, "which is not ROW VALUE UNIT");
        assert_null(strchr(run.err, '\033'));
    }
    bench_peer("locked", "closed", "exit 0");
    assert_int_equal(chmod(path_of("locked/closed/run"), 0600), 0);
    assert_alone("locked", "peer closed cannot be run");
}

static void test_what_a_peer_leaves_running_ends_with_it(void **state)
{
    (void)state;
    bench_peer("leaving", "parent",
               "(i=0; while [ $i -lt 3000 ]; do : > \"$(dirname \"$0\")/beat\"; sleep 0.1; "
               "i=$((i + 1)); done) &\necho asian64_f64 1000 path-steps/s");
    const time_t start = time(NULL);
    bench("--only", "asian64_f64", "--peers", path_of("leaving"), "--json", NULL);
    assert_int_equal(run.code, 0);
    /* the child holds the pipe for 300 s: waiting for its end would be waiting for it */
    assert_true(time(NULL) - start < 200);
    json_t *rows = bench_json();
    assert_string_equal(row_text(json_array_get(rows, 0), "peer"), "parent");
    json_decref(rows);
    (void)unlink(path_of("leaving/parent/beat")); /* the child has ended, and makes no other */
    sleep(2);
    assert_int_equal(access(path_of("leaving/parent/beat"), F_OK), -1);
}

static void test_interrupted_it_prints_what_is_done(void **state)
{
    (void)state;
    bench_peer("waiting", "first", "echo 'asian64_f64 1000 path-steps/s'");
    bench_peer("waiting", "second", "echo ready >&2; sleep 600");
    run.signal = SIGINT;
    bench("--only", "asian64_f64", "--peers", path_of("waiting"), "--json", NULL);
    assert_int_equal(run.code, 130);
    assert_has(run.err, "interrupted; the finished results follow");
    json_t *rows = bench_json();
    assert_int_equal(json_array_size(rows), 1);
    assert_string_equal(row_text(json_array_get(rows, 0), "peer"), "first");
    json_decref(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_rows_have_exactly_twelve_keys, clear_run),
        cmocka_unit_test_setup(test_every_row_is_listed_shown_and_measured, clear_run),
        cmocka_unit_test_setup(test_measures_and_scenarios_cost_prices, clear_run),
        cmocka_unit_test_setup(test_notes_take_seconds_on_paths_of_their_own, clear_run),
        cmocka_unit_test_setup(test_times_to_an_error_stand_beside_those_of_other_methods,
                               clear_run),
        cmocka_unit_test_setup(test_a_book_of_notes_is_priced_and_its_kernels_counted, clear_run),
        cmocka_unit_test_setup(test_a_process_has_no_kernel_time, clear_run),
        cmocka_unit_test_setup(test_one_core_means_one_thread, clear_run),
        cmocka_unit_test_setup(test_a_row_that_fills_a_gpu_needs_no_device_named, clear_run),
        cmocka_unit_test_setup(test_the_table_is_for_eyes_and_a_file_for_programs, clear_run),
        cmocka_unit_test_setup(test_wrong_words_are_refused_before_any_work, clear_run),
        cmocka_unit_test_setup(test_a_peer_stands_beside_its_rows, clear_run),
        cmocka_unit_test_setup(test_a_peer_that_cannot_run_here_is_skipped, clear_run),
        cmocka_unit_test_setup(test_rows_of_other_programs_stand_behind_ours, clear_run),
        cmocka_unit_test_setup(test_rows_of_other_programs_can_be_named, clear_run),
        cmocka_unit_test_setup(test_rows_of_other_programs_say_what_they_ran_on, clear_run),
        cmocka_unit_test_setup(test_peers_that_fail_hang_or_talk_rubbish_cost_no_row, clear_run),
        cmocka_unit_test_setup(test_what_a_peer_leaves_running_ends_with_it, clear_run),
        cmocka_unit_test_setup(test_interrupted_it_prints_what_is_done, clear_run),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
