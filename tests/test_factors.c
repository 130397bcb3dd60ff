/* test_factors.c: every factor of the market gives one price in three ways: as a quote that is set,
 * as a scenario, and as a book with that number in it. The first and the last are equal bit for
 * bit, the scenario too where it moves nothing that a plan is made from. */
#include "tests/priced.h"
#include "tests/kept_text.h"
#include "tests/words.h"

#include <math.h>
#include <stdbool.h>

#define BOOK LEVY_SOURCE_DIR "/tests/books/factors.yaml"

typedef struct factor_case {
    const char *factor, *type;
    double size;                                /* of the scenario */
    double value;                               /* of the quote */
    const char *from, *to, *second, *second_to; /* of the book's text; second NULL: one edit */
    bool near; /* the plan of the scenario differs: within four joint errors */
} factor_case;

static const factor_case cases[] = {
    {"A.borrow", "absolute", 0.01, 0.015, "borrow: 0.005", "borrow: 0.015", NULL, NULL, false},
    {"A.dividends", "relative", 0.5, 0.5, "2027-02-19, 1.5", "2027-02-19, 2.25", "2027-08-20, 0.02",
     "2027-08-20, 0.03", false},
    {"A.dividends[2027-02-19]", "absolute", 0.5, 2.0, "2027-02-19, 1.5", "2027-02-19, 2.0", NULL,
     NULL, false},
    {"A.dividends[2027-08-20]", "relative", 1.0, 0.04, "2027-08-20, 0.02", "2027-08-20, 0.04", NULL,
     NULL, false},
    {"A.volatility[2027-05-21]", "absolute", 0.02, 0.24, "[2027-05-21, 0.22]", "[2027-05-21, 0.24]",
     NULL, NULL, true},
    {"A.volatility[2027-11-19]", "absolute", 0.05, 0.30, "[2027-11-19, 0.25]", "[2027-11-19, 0.30]",
     NULL, NULL, true},
    {"USD.rate[2027-11-19]", "absolute", 0.01, 0.05, "[2027-11-19, 0.04]", "[2027-11-19, 0.05]",
     NULL, NULL, false},
    {"A,B.correlation", "absolute", 0.2, 0.6, "B.spot, 0.4", "B.spot, 0.6", NULL, NULL, true},
    {"A.spot,B.spot", "relative", -0.5, 0.2, "B.spot, 0.4", "B.spot, 0.2", NULL, NULL, true},
};

static void replace(char *text, size_t room, const char *from, const char *to)
{
    char *const at = strstr(text, from);
    assert_non_null(at);
    assert_true(strlen(text) + strlen(to) < room);
    memmove(at + strlen(to), at + strlen(from), strlen(at + strlen(from)) + 1);
    memcpy(at, to, strlen(to));
}

static priced load(const char *text)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    priced p = price_alone(text, NULL, 0, &options);
    assert_priced(&p);
    return p;
}

static const levy_trade_result *at(const priced *p, size_t t)
{
    return levy_results_trade(p->results, t);
}

/* The scenario against the book that was edited. */
static void compare(const factor_case *c, const levy_trade_result *trade,
                    const levy_trade_result *edited)
{
    const levy_measure *const scenario = find_measure(trade, "scenario_price", "s");
    assert_non_null(scenario);
    const double off = fabs(scenario->value - edited->price),
                 joint = hypot(scenario->std_error, edited->std_error),
                 most = c->near ? 4.0 * joint + 1e-9 * fabs(edited->price) : 0.0;
    if (!(off <= most))
        print_error("%s %s %g: %s: scenario %.17g, edited %.17g, before %.17g\n", c->factor,
                    c->type, c->size, trade->id, scenario->value, edited->price, trade->price);
    assert_true(off <= most);
}

static void check(const factor_case *c)
{
    static kept_text plain, with, edited;
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    text_read(&plain, BOOK);
    with = edited = plain;
    snprintf(with.bytes + strlen(with.bytes), sizeof with.bytes - strlen(with.bytes),
             "scenarios: [{id: s, shifts: [{factor: \"%s\", type: %s, size: %.17g}]}]\n", c->factor,
             c->type, c->size);
    replace(edited.bytes, sizeof edited.bytes, c->from, c->to);
    if (c->second) replace(edited.bytes, sizeof edited.bytes, c->second, c->second_to);
    priced a = load(with.bytes), b = load(edited.bytes), q = load(plain.bytes);
    assert_int_equal(levy_book_set(q.book, c->factor, c->value), LEVY_STATUS_OK);
    levy_results *set;
    size_t moved = 0;
    assert_int_equal(levy_price(q.book, &options, &set), LEVY_STATUS_OK);
    for (size_t t = 0; t < levy_results_size(set); ++t) {
        const levy_trade_result *const quote = levy_results_trade(set, t);
        if (quote->price != at(&b, t)->price)
            print_error("%s: %s: quote %.17g, edited %.17g\n", c->factor, quote->id, quote->price,
                        at(&b, t)->price);
        assert_true(quote->price == at(&b, t)->price);
        moved += quote->price != at(&q, t)->price;
        compare(c, at(&a, t), at(&b, t));
    }
    assert_true(moved > 0);
    levy_results_destroy(set);
    release(&a), release(&b), release(&q);
}

static void test_a_quote_is_the_scenario_and_the_edited_book(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) check(&cases[i]);
}

/* A discount factor at a node is moved by a rate, for which there is no number in the file. */
static void test_a_discount_factor_moves_by_a_rate(void **state)
{
    static kept_text text;
    double value = NAN;
    (void)state;
    text_read(&text, BOOK);
    priced p = load(text.bytes);
    const double before = find_trade(p.results, "cash")->price, years = 364.0 / 365.0;
    assert_int_equal(levy_book_get(p.book, "EUR.rate[2027-11-19]", &value), LEVY_STATUS_OK);
    assert_true(value == 0.0);
    assert_int_equal(levy_book_set(p.book, "EUR.rate[2027-11-19]", 0.01), LEVY_STATUS_OK);
    levy_results *set;
    assert_int_equal(levy_price(p.book, NULL, &set), LEVY_STATUS_OK);
    const double after = find_trade(set, "cash")->price;
    assert_true(fabs(after / before - exp(-0.01 * years)) < 1e-12);
    levy_results_destroy(set);
    release(&p);
}

/* Days that pass are theta's. */
static void test_days_are_those_of_theta(void **state)
{
    static kept_text text;
    (void)state;
    text_read(&text, BOOK);
    strcat(text.bytes, "measures: [price, theta]\n"
                       "scenarios: [{id: s, shifts: [{factor: days, size: 1}]}]\n");
    priced p = load(text.bytes);
    for (size_t t = 0; t < levy_results_size(p.results); ++t) {
        const double theta = find_measure(at(&p, t), "theta", NULL)->value,
                     pnl = find_measure(at(&p, t), "scenario_pnl", "s")->value;
        if (!(fabs(theta - pnl) <= 1e-9 * fabs(at(&p, t)->price)))
            print_error("%s: theta %.17g, pnl %.17g\n", at(&p, t)->id, theta, pnl);
        assert_true(fabs(theta - pnl) <= 1e-9 * fabs(at(&p, t)->price));
    }
    release(&p);
}

/* A plot that took a count for a share had "+100 %" for a day. */
static void test_days_of_a_grid_are_no_shares(void **state)
{
    static kept_text text;
    (void)state;
    text_read(&text, BOOK);
    strcat(text.bytes, "scenarios: [{id: g, grid: [{factor: days, sizes: [0, 1]}, {factor: A.spot, "
                       "sizes: [0.1]}]}]\n");
    priced p = load(text.bytes);
    const levy_grid_point *const point = levy_results_grid_point(p.results, 1);
    assert_int_equal(point->n_axes, 2);
    assert_string_equal(levy_grid_point_axis(point, 0)->factor, "days");
    assert_true(!levy_grid_point_axis(point, 0)->relative &&
                levy_grid_point_axis(point, 0)->size == 1.0);
    assert_true(levy_grid_point_axis(point, 1)->relative);
    release(&p);
}

static void refused(const char *shift, const char *said)
{
    static kept_text text;
    levy_context *own;
    levy_book *book = NULL;
    text_read(&text, BOOK);
    snprintf(text.bytes + strlen(text.bytes), sizeof text.bytes - strlen(text.bytes),
             "scenarios: [{id: s, shifts: [%s]}]\n", shift);
    assert_int_equal(levy_context_create(NULL, &own), LEVY_STATUS_OK);
    (void)levy_book_load_text(own, "book.yaml", text.bytes, strlen(text.bytes), NULL, 0, &book);
    if (!context_says(own, said)) fail_msg("%s: %s", shift, first_words(own));
    levy_book_destroy(book);
    levy_context_destroy(own);
}

static void test_what_cannot_move_is_told_why(void **state)
{
    (void)state;
    refused("{factor: \"A.volatility[2028-01-01]\", size: 0.1}", "has no such node");
    refused("{factor: \"A.spot[2027-05-21]\", size: 0.1}", "has no nodes");
    refused("{factor: \"ALL.volatility[2027-05-21]\", size: 0.1}", "a node belongs to one");
    refused("{factor: A.dividends, type: absolute, size: 0.1}",
            "dividends move together by a share");
    refused("{factor: A.dividends, size: 100}", "a proportional dividend must lie in (0, 1)");
    refused("{factor: \"A.dividends[2027-02-19]\", type: absolute, size: 120}",
            "must be below the spot");
    refused("{factor: A.dividends, size: -1}", "a dividend must be positive");
    refused("{factor: B.dividends, size: 0.1}", "the asset pays no dividends on dates");
    refused("{factor: A.borrow, type: absolute, size: 6}",
            "a cost of borrowing must lie in [-1, 5]");
    refused("{factor: \"A.spot,A.spot\", size: 0.1}", "a correlation is of two different assets");
    refused("{factor: \"A.spot,D.spot\", size: 0.1}", "there is no asset 'D'");
    refused("{factor: \"B,A.correlation\", type: absolute, size: 0.7}",
            "a correlation must lie in [-1, 1]");
    refused("{factor: \"A.spot,C.spot\", size: 0.1}", "no model has both A and C");
    refused("{factor: days, size: -1}", "days must lie in [0, 366]");
    refused(
        "{factor: \"A.volatility[2027-05-21]\", type: absolute, size: 0.1}, {factor: A.volatility, "
        "size: 0.1}",
        "is already shifted");
}

static void test_quotes_out_of_bounds_are_refused(void **state)
{
    static const struct {
        const char *factor;
        double value;
    } out[] = {
        {"A.borrow", 6},          {"A.volatility[2027-05-21]", 0}, {"USD.rate[2027-05-21]", 6},
        {"A,B.correlation", 1.1}, {"A.dividends[2027-02-19]", -1}, {"A.dividends", -2}};
    static kept_text text;
    (void)state;
    text_read(&text, BOOK);
    priced p = load(text.bytes);
    for (size_t i = 0; i < sizeof out / sizeof *out; ++i)
        assert_int_equal(levy_book_set(p.book, out[i].factor, out[i].value), LEVY_STATUS_ARGUMENT);
    /* a pair is one, whichever is named first */
    assert_int_equal(levy_book_set(p.book, "B,A.correlation", 0.5), LEVY_STATUS_OK);
    double value = NAN;
    assert_int_equal(levy_book_get(p.book, "A.spot,B.spot", &value), LEVY_STATUS_OK);
    assert_true(value == 0.5);
    release(&p);
}

/* Of a kind that has it, and of layers of jumps. Scenarios share the draws that it is in. */
static void test_an_intensity_is_the_edited_book(void **state)
{
    static const char *const names[] = {"m.intensity", "l.intensity[0]"};
    static const char book[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nsimulation: {paths: 2^12}\nmodels:\n"
        "  m: {kind: merton, assets: [A], intensity: %s, jump_mean: -0.1, jump_volatility: 0.1}\n"
        "  l: {kind: black_scholes, assets: [A], jumps: [{intensity: %s, mark: {kind: normal, "
        "mean: "
        "-0.1, volatility: 0.1}}]}\n"
        "trades:\n"
        "  - {id: m, model: m, underlying: A, exercise: 1, payoff: {kind: european, option_type: "
        "put, strike: 90}}\n"
        "  - {id: l, model: l, underlying: A, exercise: 1, payoff: {kind: european, option_type: "
        "put, strike: 90}}\n";
    char before[2048], after[2048];
    (void)state;
    snprintf(before, sizeof before, book, "0.5", "0.25");
    snprintf(after, sizeof after, book, "0.75", "0.75");
    priced p = load(before), edited = load(after);
    const double was[] = {at(&p, 0)->price, at(&p, 1)->price};
    for (size_t i = 0; i < 2; ++i)
        assert_int_equal(levy_book_set(p.book, names[i], 0.75), LEVY_STATUS_OK);
    levy_results *set;
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    assert_int_equal(levy_price(p.book, &options, &set), LEVY_STATUS_OK);
    for (size_t i = 0; i < 2; ++i) {
        assert_true(levy_results_trade(set, i)->price == at(&edited, i)->price);
        assert_true(levy_results_trade(set, i)->price != was[i]);
    }
    assert_int_equal(levy_book_set(p.book, "m.intensity", 2000), LEVY_STATUS_ARGUMENT);
    levy_results_destroy(set);
    release(&p), release(&edited);
    refused("{factor: ab.intensity, size: 0.1}", "scenarios share the draws");
}

/* A plan that new quotes renew keeps the names of reports, which are those of its first problem. */
static void test_reports_keep_their_names_from_quote_to_quote(void **state)
{
    static const char book[] =
        "{\"schema_version\": 1, \"market\": {\"curves\": {\"USD\": 0.04}, \"assets\": {\"A\": "
        "{\"currency\": \"USD\", \"spot\": 100, \"volatility\": 0.2}}}, \"models\": {\"m\": "
        "{\"kind\": \"black_scholes\", \"assets\": [\"A\"]}}, \"simulation\": {\"paths\": "
        "\"2^12\"}, \"trades\": [{\"id\": \"t\", \"underlyings\": [\"A\"], \"exercise\": 1, "
        "\"payoff\": {\"kind\": \"script\", \"script\": \"report times_above\\nvar times_above = "
        "0\\nat expiry { if level > 100 { times_above = 1 }\\npay level }\"}}]}";
    (void)state;
    priced p = load(book), other = load(book);
    for (size_t i = 0; i < 4; ++i) {
        levy_results *set;
        assert_int_equal(levy_book_set(p.book, "A.volatility", 0.2 + 0.01 * (double)i),
                         LEVY_STATUS_OK);
        assert_int_equal(levy_price(p.book, NULL, &set), LEVY_STATUS_OK);
        assert_non_null(find_measure(levy_results_trade(set, 0), "report", "times_above"));
        levy_results_destroy(set);
    }
    release(&p), release(&other);
}

/* As it is written in the file, which may have another spelling of the number. */
static void test_a_node_in_years_has_any_spelling(void **state)
{
    static const char *const names[] = {"A.volatility[0.5]", "A.volatility[0.50]",
                                        "A.volatility[5e-1]"},
                             *const others[] = {"A.volatility[0.51]",
                                                "A.volatility[0.50",
                                                "A.volatility[]",
                                                "A.volatility[",
                                                "[0.50]",
                                                "]"};
    static const char book[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: {kind: term, nodes: [[0.50, 0.2], [1.0, 0.25]]}}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\nsimulation: {paths: 2^10}\n"
        "trades: [{id: t, underlying: A, exercise: 1, payoff: {kind: european, option_type: put, "
        "strike: 90}}]\n";
    (void)state;
    priced p = load(book);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        double value = NAN;
        assert_int_equal(levy_book_get(p.book, names[i], &value), LEVY_STATUS_OK);
        assert_true(value == 0.2);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
        assert_int_equal(levy_book_set(p.book, others[i], 0.21), LEVY_STATUS_ARGUMENT);
    release(&p);
}

/* A profile has lines of the trades that read its quote, and of no others. */
static void test_profiles_of_every_factor_have_their_lines(void **state)
{
    static const struct {
        const char *factor, *trades;
    } profiles[] = {{"A.spot", "ab"},         {"A.volatility[0.5]", "ab"}, {"B,A.correlation", "b"},
                    {"A.dividends", "ab"},    {"A.dividends[0.25]", "ab"}, {"B.borrow", "b"},
                    {"USD.rate[0.5]", "abc"}, {"m.intensity", "ab"},       {"C.volatility", "c"}};
    static const char book[] =
        "schema_version: 1\n"
        "market:\n"
        "  curves: {USD: {kind: zero, nodes: [[0.5, 0.03], [1.5, 0.04]]}}\n"
        "  assets:\n"
        "    A: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.5, 0.2], [1, "
        "0.25]]}, dividends: {cash: [[0.25, 1]]}}\n"
        "    B: {currency: USD, spot: 50, volatility: 0.3}\n"
        "    C: {currency: USD, spot: 50, volatility: 0.3}\n"
        "  correlations: {pairs: [[A.spot, B.spot, 0.4]]}\n"
        "models:\n"
        "  m: {kind: merton, assets: [A, B], intensity: 0.5, jump_mean: -0.1, jump_volatility: "
        "0.1}\n"
        "  c: {kind: black_scholes, assets: [C]}\n"
        "simulation: {paths: 2^8}\n"
        "trades:\n"
        "  - {id: a, model: m, underlying: A, exercise: 1, payoff: {kind: european, option_type: "
        "put, strike: 90}}\n"
        "  - {id: b, model: m, underlyings: [A, B], exercise: 1, payoff: {kind: european, "
        "option_type: put, strike: 70, aggregate: basket}}\n"
        "  - {id: c, model: c, underlying: C, exercise: 1, payoff: {kind: european, option_type: "
        "put, strike: 50}}\n";
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    (void)state;
    priced p = load(book);
    for (size_t i = 0; i < sizeof profiles / sizeof *profiles; ++i) {
        const levy_profile_options options = {
            .struct_size = sizeof options, .factor = profiles[i].factor, .points = 2};
        levy_study *study = NULL;
        char found[8] = "";
        assert_int_equal(levy_profile(p.book, &options, &how, &study), LEVY_STATUS_OK);
        const levy_profile_table *const table = levy_study_profile(study);
        for (size_t l = 0; l < table->n_lines && l < 7; ++l)
            found[l] = levy_profile_at(table, l)->trade[0];
        assert_string_equal(found, profiles[i].trades);
        levy_study_destroy(study);
    }
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_quote_is_the_scenario_and_the_edited_book),
        cmocka_unit_test(test_a_discount_factor_moves_by_a_rate),
        cmocka_unit_test(test_days_are_those_of_theta),
        cmocka_unit_test(test_days_of_a_grid_are_no_shares),
        cmocka_unit_test(test_what_cannot_move_is_told_why),
        cmocka_unit_test(test_quotes_out_of_bounds_are_refused),
        cmocka_unit_test(test_an_intensity_is_the_edited_book),
        cmocka_unit_test(test_a_node_in_years_has_any_spelling),
        cmocka_unit_test(test_profiles_of_every_factor_have_their_lines),
        cmocka_unit_test(test_reports_keep_their_names_from_quote_to_quote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
