/* test_first_session.c: twelve trades of a first session, each as a newcomer writes it from memory
 * (tests/first_session/). What `levy validate` says is NAME.expected to the letter, and every
 * refusal names what to write. To add one, write the file, run this test, read what it prints, and
 * keep that as NAME.expected once it leads home. */
#include "tests/cmocka_all.h"

#include "tests/child_program.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER LEVY_SOURCE_DIR "/tests/first_session/"
enum { SESSION_TRADES = 12, SESSION_TEXT = 65536 };

#define SESSION_BOOK                                                                               \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n"                                          \
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"                                 \
    "models: {m: {kind: black_scholes, assets: [A]}}\n"                                            \
    "trades:\n  - {id: t, underlying: A, payoff: %s, exercise: {expiry: 1}}\n"

static program run;

/* Takes the folder's name out of the text, in place. */
static void session_strip(char *text)
{
    static const char folder[] = FOLDER;
    for (char *at = text; (at = strstr(at, folder)) != NULL;)
        memmove(at, at + sizeof folder - 1, strlen(at + sizeof folder - 1) + 1);
}

/* Every line with an error is followed by a hint that says what to write. */
static size_t session_check_hints(const char *text)
{
    size_t errors = 0;
    for (const char *at = strstr(text, ": error: "); at; at = strstr(at + 1, ": error: ")) {
        char hint[2048];
        const char *const line = strchr(at, '\n');
        assert_non_null(line);
        snprintf(hint, sizeof hint, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
        if (strncmp(hint, "hint: ", 6) != 0) fail_msg("no hint: %s", at);
        const bool names = strstr(hint, "Write ") || strstr(hint, "write ") ||
                           strncmp(hint, "hint: One of: ", 14) == 0;
        if (!names) fail_msg("nothing to write: %s", hint);
        errors++;
    }
    return errors;
}

static void session_check(const char *name)
{
    static char expected[SESSION_TEXT];
    char path[512];
    snprintf(path, sizeof path, FOLDER "%s", name);
    const char *const words[] = {LEVY_BINARY_DIR "/levy", "validate", path, NULL};
    memset(&run, 0, sizeof run);
    program_run(&run, words);
    assert_int_equal(run.code, 3);
    session_strip(run.err);
    assert_true(session_check_hints(run.err) > 0);
    snprintf(path, sizeof path, FOLDER "%.*s.expected", (int)(strrchr(name, '.') - name), name);
    FILE *const file = fopen(path, "r");
    expected[file ? fread(expected, 1, sizeof expected - 1, file) : 0] = '\0';
    if (file) fclose(file);
    if (strcmp(run.err, expected) != 0)
        fail_msg("%s: expected\n%sgot\n%s", name, expected, run.err);
}

/* The book with this payoff is refused, and told. */
static void session_is_told(const char *payoff, const char *hint)
{
    static const char *const words[] = {LEVY_BINARY_DIR "/levy", "validate", "-", NULL};
    char book[1024];
    snprintf(book, sizeof book, SESSION_BOOK, payoff);
    memset(&run, 0, sizeof run);
    run.input = book;
    program_run(&run, words);
    if (run.code != 3) fail_msg("%s is not refused", payoff);
    if (!strstr(run.err, hint)) fail_msg("%s: '%s' is not in %s", payoff, hint, run.err);
}

/* What is to be written has what the trade says already, in whatever words. */
static void test_a_hint_keeps_what_is_said(void **state)
{
    static const char *const cases[][2] = {
        {"{kind: barrier, option_type: put, strike: 100, barrier: down_and_in, level: 75}",
         "Write barrier: {direction: down, knock: in, level: 75}."},
        {"{kind: barrier, option_type: put, strike: 100, direction: down, knock: in, barrier: 75, "
         "monitoring: discrete}",
         "Write observations: {count: 252}, for example, or monitoring: continuous."},
        {"{kind: barrier, option_type: put, strike: 90, type: down_and_in}",
         "Write barrier: {direction: down, knock: in, level: 80}."},
        {"{kind: down_and_in, option_type: put, strike: 90, barrier: 75}",
         "Write {kind: barrier, option_type: put, strike: 90, barrier: {direction: down, knock: "
         "in, level: 75}}."},
        {"{kind: down_and_in, option_type: put, strike: 100, barrier: 80}",
         "barrier: {direction: down, knock: in, level: 80}}.\n"},
        {"{kind: up_and_out_call, strike: 100, barrier: 120}",
         "barrier: {direction: up, knock: out, level: 120}}.\n"},
        {"{kind: knock_out, option_type: call, strike: 100, barrier: 120, dates: {count: 12}}",
         "level: 120, observations: {count: 12}}}. Example: direction.\n"},
        {"{kind: knock_out, option_type: call, strike: 100, barrier: 120, monitoring: discrete}",
         "level: 120, observations: {count: 252}, monitoring: discrete}}."},
        {"{kind: double_barrier, type: call, strike: 100, barriers: [80, 130], barrier_type: out}",
         "'barrier'\nhint: Write barrier: {lower: 80, upper: 130, knock: out}.\n"},
        {"{kind: touch, barriers: [80, 130]}",
         "'barrier'\nhint: Write barrier: {lower: 80, upper: 130}.\n"},
        {"{kind: barrier, option_type: call, strike: 100, level: 120}, observations: {count: 12}",
         "payoff.level: unknown key; levy's word is 'barrier'\nhint: Write barrier: {direction: "
         "up, "
         "knock: out, level: 120, observations: {count: 252}}."},
        {"{kind: double_barrier, type: call, strike: 100, barrier: [80, 130], knock: in}",
         "got a list\nhint: Write barrier: {lower: 80, upper: 130, knock: in}.\n"},
        {"{kind: double_barrier, type: call, strike: 100, barriers: [130, 80], knock: out}",
         "'barrier'\nhint: Write barrier: {lower: 80, upper: 130, knock: out}.\n"},
        {"{kind: barrier, type: call, strike: 100, lower_barrier: 80, upper_barrier: 130, knock: "
         "in}",
         "Write {kind: double_barrier, option_type: call, strike: 100, barrier: {lower: 80, upper: "
         "130, knock: in}}.\n"},
        {"{kind: lookback, option_type: call, strike: 100}",
         "Write lookback: {strike: fixed, observations: {count: 12}}. Example: count.\n"},
        {"{kind: up_and_out, strike: 100, barrier: {level: 130, observations: {count: 12}}}",
         "barrier: {direction: up, knock: out, level: 130, observations: {count: 12}}}."},
        {"{kind: barrier, strike: 100}, barrier: 80, direction: down, knock: in",
         "missing key 'barrier'\nhint: Write barrier: {direction: down, knock: in, level: 80}."},
        {"{kind: barrier, strike: 100}, barrier: 80, direction: down, knock: in",
         "trades[0].barrier: unknown key\nhint: It belongs under payoff: write barrier: "
         "{direction: "
         "down, knock: in, level: 80}. "},
        {"{kind: barrier, strike: 100}, barrier: 80, direction: down, knock: in",
         "trades[0].direction: unknown key\nhint: It belongs under payoff: write barrier: "
         "{direction: down, knock: in, level: 80}."},
        {"{kind: double_knock_out, lower: 70, upper: 140}", "barrier: {lower: 70, upper: 140, "},
        {"{kind: american, option_type: call, strike: 55}",
         "Write payoff: {kind: european, option_type: call, strike: 55}, exercise: {style: "
         "american}."},
        {"{kind: asian, option_type: call, strike: 95, averaging: weekly}",
         "Write averaging: {method: arithmetic, observations: {count: 52}}. Example: method.\n"},
        {"{kind: barrier, option_type: call, strike: 95, barrier: {direction: up, knock: out, "
         "level: 130, observations: continuous}}",
         "Write monitoring: continuous in place of observations.\n"},
        {"{kind: barrier, option_type: call, strike: 95, barrier: {direction: up, knock: out, "
         "level: 130, monitoring: Weekly}}",
         "Write observations: {count: 52} in place of monitoring.\n"},
        {"{kind: phoenix, coupon: 0.03, coupon_barrier: 0.7, observations: semi-annual}",
         "Write observations: {count: 2}.\n"},
        {"{kind: double_barrier, option_type: call, strike: 95, lower: 85, upper: 125, "
         "monitoring: continuous}",
         "Write barrier: {lower: 85, upper: 125, knock: out, monitoring: continuous}. Example: "
         "knock.\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        session_is_told(cases[i][0], cases[i][1]);
}

/* Words that levy takes stay taken where something else of the trade is at fault. */
static void test_a_fault_leaves_words_taken(void **state)
{
    static const char *const cases[][2] = {
        {"{kind: barrier, type: call, strike: 10x0, barrier: 90, barrier_type: down-and-out, "
         "monitoring: continuous}",
         "payoff.strike: expected a number"},
        {"{kind: barrier, type: call, strke: 95, barrier: 90, barrier_type: down-and-out, "
         "monitoring: continuous}",
         "payoff.strke: unknown key; did you mean 'strike'?"},
        {"{kind: one_touch, cash: 1x, barrier: 90, direction: down, monitoring: continuous}",
         "payoff.cash: expected a number"},
        {"{kind: asian, type: call, K: 9x, average: geometric, observations: 12}",
         "payoff.K: unknown key; levy's word is 'strike'"},
        {"{kind: barrier, type: put, strike: 95, barrier: {type: down-and-out, level: 80, "
         "monitoring: daily}}",
         "payoff.barrier.monitoring: unknown value 'daily'"},
        {"{kind: barrier, strike: 95, barrier: {direction: up, knock: out, level: 130}, "
         "monitoring: continuous}",
         "payoff: missing key 'option_type'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        session_is_told(cases[i][0], cases[i][1]);
        const char *const first = strstr(run.err, "error: ");
        if (strstr(first + 1, "error: "))
            fail_msg("%s: more than one fault: %s", cases[i][0], run.err);
    }
}

/* Of two contracts that a trade names, no hint writes one. */
static void test_a_hint_does_not_choose(void **state)
{
    static const char *const cases[][2] = {
        {"{kind: european, option_type: call, strike: 95}, maturity: 2",
         "gives 'exercise' again, beside line 7, "},
        {"{kind: european, option_type: call, strike: 95, expiry: 2}",
         "hint: It belongs under trades[0], which has 'exercise' on line 7, "},
        {"{kind: european, option_type: call, strike: 95}, strike: 90",
         "hint: It belongs under payoff, which has 'strike' on line 7, "},
        {"{kind: european, option_type: call, strike: 95}, position: long, side: short",
         "gives 'position' again, beside line 7, "},
        {"{kind: barrier, option_type: call, strike: 95, barrier: {direction: up, knock: out, "
         "level: 120, observations: 12}}, knock: in",
         "hint: It belongs under payoff, which has 'barrier' on line 7, "},
        {"{kind: european, type: straddle, strike: 95}",
         "hint: option_type is one of: call, put. Or is kind: straddle meant?\n"},
        {"{kind: european, option_type: straddle, strike: 95}",
         "hint: One of: call, put. Or is kind: straddle meant?\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        session_is_told(cases[i][0], cases[i][1]);
}

/* What nobody has said is called an example, and what a new map does not have is named. */
static void test_a_hint_says_what_is_its_own(void **state)
{
    static const char *const cases[][2] = {
        {"{kind: asian, option_type: call, strike: 95}",
         "Write averaging: {method: arithmetic, observations: {count: 12}}. Examples: method, "
         "count.\n"},
        {"{kind: european, option_type: call}", "Write strike: 100, for example. "},
        {"{kind: call}",
         "Write {kind: european, option_type: call, strike: 100}. Example: strike.\n"},
        {"{kind: up_and_out, strike: 100, barrier: 130, rebate: {amount: 4, pay: at_hit}}",
         "level: 130}}. Example: option_type. Left out: "
         "rebate.\n"},
        {"{kind: no_touch, barrier: 80}",
         "barrier: {direction: up, level: 80}. Example: direction.\n"},
        {"{kind: barrier, option_type: put, strike: 90, barrier: {level: 83, type: knock-in}}",
         "Write barrier: {direction: up, knock: in, level: 83, observations: {count: 252}}. "
         "Examples: direction, count.\n"},
        {"{kind: barrier, strike: 90, barrier: {level: 83, type: DI}}",
         "Write direction: down, knock: in.\n"},
        {"{kind: phoenix_note, memory: false, coupon: 0.03}", "coupon: 0.03, "},
        {"{kind: phoenix_note, memory: false, coupon: 0.03}", "memory: false}. Examples: "},
        {"{kind: average_price, option_type: put, strike: 103, fixings: {times: [0.5, 1]}}",
         "averaging: {observations: {times: [0.5, 1]}}}.\n"},
        {"{kind: european, option_type: call, strike: 95%}",
         "strike: 0.95, with strike_type: percent_of_initial.\n"},
        {"{kind: asian, strike: 95, averaging: {observations: monthly}}",
         "Write observations: {count: 12}.\n"},
        {"{kind: barrier, option_type: call, strike: 95, barrier: 130}",
         "Write barrier: {direction: up, knock: out, level: 130}. Examples: direction, knock.\n"},
        {"{kind: lookback, option_type: call, lookback: floating}",
         "Write lookback: {strike: floating, observations: {count: 12}}. Example: count.\n"},
        {"{kind: asian, option_type: call, strike: 95, averaging: continuous}",
         "Examples: method, count. Left out: continuous.\n"},
        {"{kind: european, option_type: call, strike: 95}, maturity: 6M} #",
         "Write exercise: {style: european, expiry: 0.5}."},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        session_is_told(cases[i][0], cases[i][1]);
    session_is_told("{kind: asian, strike: 9}}\nvaluation_date: 2026-11-20 #",
                    "observations: {frequency: 1M}}. Examples: method, frequency.\n");
}

static void test_every_refusal_names_the_line_to_write(void **state)
{
    size_t n = 0;
    DIR *const folder = opendir(FOLDER);
    (void)state;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *const ending = strrchr(entry->d_name, '.');
        if (!ending || (strcmp(ending, ".yaml") != 0 && strcmp(ending, ".csv") != 0)) continue;
        session_check(entry->d_name);
        n++;
    }
    closedir(folder);
    assert_int_equal(n, SESSION_TRADES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_refusal_names_the_line_to_write),
                                       cmocka_unit_test(test_a_fault_leaves_words_taken),
                                       cmocka_unit_test(test_a_hint_does_not_choose),
                                       cmocka_unit_test(test_a_hint_keeps_what_is_said),
                                       cmocka_unit_test(test_a_hint_says_what_is_its_own)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
