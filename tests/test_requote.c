/* test_requote.c: a spot that is set 10 % higher is worth what the scenario + 10 % says, in every
 * example of configs/: what was fixed when the book was loaded stays, whichever way the market
 * moves. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "tests/files.h"

#include <dirent.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIGS LEVY_SOURCE_DIR "/configs"
#define UP                                                                                         \
    "\n---\nschema_version: 1\nscenarios: [{id: up, shifts: [{factor: ALL.spot, size: 0.1}]}]\n"

/* Takes the block `scenarios:` out of the text, if it has one. */
static void cut_scenarios(char *text)
{
    char *const at = strstr(text, "\nscenarios:");
    if (!at) return;
    char *end = strchr(at + 1, '\n');
    while (end && (end[1] == ' ' || end[1] == '-' || end[1] == '#')) end = strchr(end + 1, '\n');
    if (end)
        memmove(at, end, strlen(end) + 1);
    else
        *at = '\0';
}

static levy_book *load_copy(levy_context *context, const char *name, const char *text)
{
    static const levy_setting settings[] = {{"simulation.paths", "2^10"}};
    const levy_source source = {
        .name = name, .text = text, .length = strlen(text), .folder = CONFIGS};
    levy_book *book = NULL;
    const int status =
        levy_book_load(context, &source, 1, settings, strstr(text, "tolerance:") ? 0 : 1, &book);
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        print_message("%s\n", levy_diagnostic_get(context, i)->text);
    assert_int_equal(status, LEVY_STATUS_OK);
    return book;
}

static double scenario_price(const levy_trade_result *trade)
{
    for (size_t i = 0; i < trade->n_measures; ++i)
        if (strcmp(trade->measures[i].measure, "scenario_price") == 0)
            return trade->measures[i].value;
    fail();
    return NAN;
}

static void set_all_spots(levy_book *book)
{
    for (size_t i = 0; i < levy_book_quote_count(book); ++i) {
        const char *factor = levy_book_quote_name(book, i), *dot = strrchr(factor, '.');
        double spot;
        if (strcmp(dot, ".spot") != 0) continue;
        assert_int_equal(levy_book_get(book, factor, &spot), LEVY_STATUS_OK);
        assert_int_equal(levy_book_set(book, factor, spot * 1.1), LEVY_STATUS_OK);
    }
}

/* Both are on the same draws: what is left between them is rounding. */
static size_t check_example(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, CONFIGS "/%s", name);
    char *text = read_whole(path, sizeof UP);
    if (!strstr(text, "trades:")) { /* a market by itself */
        free(text);
        return 0;
    }
    levy_context *context;
    levy_results *before, *after;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    cut_scenarios(text);
    strcat(text, UP);
    levy_book *book = load_copy(context, name, text);
    const int first = levy_price(book, NULL, &before);
    assert_true(first == LEVY_STATUS_OK || first == LEVY_STATUS_TOLERANCE);
    set_all_spots(book);
    const int second = levy_price(book, NULL, &after);
    assert_true(second == LEVY_STATUS_OK || second == LEVY_STATUS_TOLERANCE);
    const size_t n = levy_results_size(before);
    for (size_t i = 0; i < n; ++i) {
        const levy_trade_result *was = levy_results_trade(before, i),
                                *is = levy_results_trade(after, i);
        const double scenario = scenario_price(was), off = fabs(is->price - scenario);
        /* not where a tolerance ends the two at other sizes */
        /* nor where factors are in other proportions: what a composite asset is moves twice */
        const bool same = was->paths == is->paths && strcmp(was->id, "composite-worst-of") != 0;
        const double most = same ? 1e-9 * fabs(scenario) + 1e-12 * fabs(was->price)
                                 : 5.0 * (was->std_error + is->std_error);
        if (!(off <= most))
            print_error("%s, %s: %.17g in the scenario, %.17g on the quote, %.17g before\n", name,
                        is->id, scenario, is->price, was->price);
        assert_true(off <= most);
    }
    levy_results_destroy(before);
    levy_results_destroy(after);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(text);
    return n;
}

static void test_a_set_spot_is_the_scenario_in_every_example(void **state)
{
    (void)state;
    DIR *folder = opendir(CONFIGS);
    size_t examples = 0, trades = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const char *const ending = strrchr(entry->d_name, '.');
        if (!ending || strcmp(ending, ".yaml") != 0) continue;
        const size_t n = check_example(entry->d_name);
        examples += n > 0;
        trades += n;
    }
    closedir(folder);
    print_message("%zu examples, %zu trades\n", examples, trades);
    assert_true(examples >= 25);
}

/* The volatilities of the regimes are the model's: the asset's serves scenarios and vega alone. */
static void test_a_volatility_that_no_model_reads_is_told_of(void **state)
{
    (void)state;
    static const char said[] =
        "regime_switching.yaml:11:73: warning: market.assets.SPX.volatility: "
        "the level that was set has no effect: the model 'markets' is of "
        "kind regime_switching";
    char *text = read_whole(CONFIGS "/regime_switching.yaml", sizeof UP);
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_book *book = load_copy(context, "regime_switching.yaml", text);
    const double levels[] = {0.3, 0.18}; /* another one, then that of the file */
    double first[2];
    for (size_t i = 0; i < 2; ++i) {
        levy_results *results;
        assert_int_equal(levy_book_set(book, "SPX.volatility", levels[i]), LEVY_STATUS_OK);
        assert_int_equal(levy_price(book, NULL, &results), LEVY_STATUS_OK);
        assert_int_equal(levy_diagnostic_count(context), i == 0);
        if (i == 0) assert_string_equal(levy_diagnostic_get(context, 0)->text, said);
        first[i] = levy_results_trade(results, 0)->price;
        levy_results_destroy(results);
    }
    assert_true(first[0] == first[1]);
    levy_book_destroy(book);
    levy_context_destroy(context);
    free(text);
}

/* At one spot a delta by twice the bump is asked for beside the delta, at the other it is not: the
 * numbers of the outputs' factors change, although nothing else of the plan's form does. */
static const char two_gaps[] =
    "schema_version: 1\n"
    "market: {curves: {USD: 0.04}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}\n"
    "models: {m: {kind: black_scholes, assets: [A]}}\n"
    "measures: [price, delta]\n"
    "scenarios: [{id: down, shifts: [{factor: A.spot, size: -0.1}]},\n"
    "            {id: up, shifts: [{factor: A.spot, size: 0.15}]}]\n"
    "trades:\n"
    "  - id: gaps\n"
    "    underlyings: [A]\n"
    "    exercise: {expiry: 0.25}\n"
    "    legs:\n"
    "      - {payoff: {kind: gap, option_type: put, strike: 104.5, trigger: 76}}\n"
    "      - {position: short, payoff: {kind: gap, option_type: put, strike: 90.25, trigger: "
    "142.5}}\n";

static void test_scenarios_keep_their_names_when_a_quote_is_set(void **state)
{
    (void)state;
    static const double spots[] = {100.0, 110.0, 100.0};
    static const char *const names[] = {"", "A.spot", "down", "down", "up", "up"};
    levy_context *context;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    levy_book *const book = load_copy(context, "gaps.yaml", two_gaps);
    for (size_t i = 0; i < 3; ++i) {
        levy_results *results;
        assert_int_equal(levy_book_set(book, "A.spot", spots[i]), LEVY_STATUS_OK);
        assert_int_equal(levy_price(book, NULL, &results), LEVY_STATUS_OK);
        const levy_trade_result *const trade = levy_results_trade(results, 0);
        assert_int_equal(trade->n_measures, 6);
        for (size_t m = 0; m < 6; ++m) assert_string_equal(trade->measures[m].factor, names[m]);
        levy_results_destroy(results);
    }
    levy_book_destroy(book);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_set_spot_is_the_scenario_in_every_example),
        cmocka_unit_test(test_a_volatility_that_no_model_reads_is_told_of),
        cmocka_unit_test(test_scenarios_keep_their_names_when_a_quote_is_set)};
    return cmocka_run_group_tests_name("requote", tests, NULL, NULL);
}
