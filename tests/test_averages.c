/* test_averages.c: averages of one asset under many dynamics, which a CPU takes through a loop of
 * their own: each scenario has the bits of the price on its market, whatever the count of dates,
 * the kind of average and the items beside it. */
#include "tests/greeks_case.h"

enum { AVERAGES_SCENARIOS = 45 }; /* more than a cluster has, and than one loop carries elsewhere */

#define AVERAGE(id, method, observations) UNTIL("1.0", id, method, observations)
#define UNTIL(expiry, id, method, observations)                                                    \
    "  - {id: " id ", underlying: S, payoff: {kind: asian, option_type: call, strike: 100, "       \
    "averaging: {method: " method ", observations: " observations "}}, exercise: {expiry: " expiry \
    "}}\n"

#define STRIKE(id)                                                                                 \
    "  - {id: " id ", underlying: S, payoff: {kind: asian, option_type: put, averaging: {of: "     \
    "strike, method: arithmetic, observations: {count: 12}}}, exercise: {expiry: 1.0}}\n"
#define OTHER(expiry, observations)                                                                \
    "  - {id: z, underlying: S, payoff: {kind: lookback, option_type: call, strike: 95, "          \
    "lookback: {strike: fixed, observations: " observations "}}, exercise: {expiry: " expiry       \
    "}}\n"

/* Each book is one group, also with its other trade. */
typedef struct averages_book {
    const char *trades, *other;
} averages_book;
static const averages_book averages_books[] = {
    /* one run of nodes; more than one, of which each leaves some past a multiple of four */
    {AVERAGE("a", "arithmetic", "{count: 13}"), OTHER("1.0", "{count: 13}")},
    {AVERAGE("a", "arithmetic", "{count: 150}"), OTHER("1.0", "{count: 150}")},
    {AVERAGE("a", "geometric", "{count: 15}"), OTHER("1.0", "{count: 15}")},
    /* so long that a large volatility takes exp to its end */
    {UNTIL("80", "a", "arithmetic", "{count: 20}"), OTHER("80", "{count: 20}")},
    /* several sums under one dynamics */
    {ASIAN("a") AVERAGE("b", "geometric", "{count: 12}") STRIKE("c"), OTHER("1.0", "{count: 12}")}};
enum { AVERAGES_BOOKS = sizeof averages_books / sizeof *averages_books };

/* The shift of scenario i: the last ones are far out. */
static double averages_shift(unsigned i)
{
    return i + 2 < AVERAGES_SCENARIOS ? (i - 20.0) / 128.0 : 2.375 * (i + 3.0 - AVERAGES_SCENARIOS);
}

static void averages_text(char *text, size_t size, const char *trades, const char *beside,
                          const char *simulation)
{
    size_t at =
        (size_t)snprintf(text, size,
                         ONE "trades:\n%s%s" FIVE "simulation: {paths: 2^12, %s}\nscenarios:\n"
                             "  - id: v\n    grid: [{factor: S.volatility, type: absolute, "
                             "sizes: [",
                         trades, beside, simulation);
    for (unsigned i = 0; i < AVERAGES_SCENARIOS; ++i)
        at += (size_t)snprintf(text + at, size - at, "%s%.17g", i ? ", " : "", averages_shift(i));
    snprintf(text + at, size - at, "]}]\n");
}

static void assert_same_measures(const levy_trade_result *a, const levy_trade_result *b)
{
    assert_true(a->price == b->price && a->std_error == b->std_error);
    assert_int_equal(a->n_measures, b->n_measures);
    assert_int_equal(a->n_measures, 6 + 2 * AVERAGES_SCENARIOS);
    for (size_t i = 0; i < a->n_measures; ++i) {
        const levy_measure *const x = &a->measures[i], *const y = &b->measures[i];
        const double these[] = {x->value, x->std_error}, those[] = {y->value, y->std_error};
        if (memcmp(these, those, sizeof these) == 0) continue; /* errors may be NaN */
        fail_msg("%s %s %s: %.17g, beside %.17g", a->id, x->measure, x->factor, x->value, y->value);
    }
}

/* With another kind of item in the group the averages go node by node. */
static void test_all_measures_have_the_bits_of_the_other_loop(void **state)
{
    (void)state;
    static const char *const simulations[] = {
        "precision: double",
        "precision: mixed",
        "precision: single",
        "generator: philox",
        "generator: mrg32k3a, precision: single",
        "construction: incremental",
        "construction: pca, generator: philox, precision: mixed"};
    enum { SIMULATIONS = sizeof simulations / sizeof *simulations };
    for (size_t i = 0; i < SIMULATIONS * AVERAGES_BOOKS; ++i) {
        const averages_book *const book = &averages_books[i / SIMULATIONS];
        char text[8192];
        priced many, other;
        averages_text(text, sizeof text, book->trades, "", simulations[i % SIMULATIONS]);
        price_text(&many, text);
        averages_text(text, sizeof text, book->trades, book->other, simulations[i % SIMULATIONS]);
        price_text(&other, text);
        assert_int_equal(levy_results_run(other.results)->groups, 1);
        for (size_t t = 0; t < levy_results_size(many.results); ++t)
            assert_same_measures(levy_results_trade(many.results, t),
                                 levy_results_trade(other.results, t));
        release(&many);
        release(&other);
    }
}

/* After functionals of the path the general loop has no room for so many dynamics, and takes a tile
 * in parts. */
static void test_many_dynamics_after_functionals(void **state)
{
    (void)state;
    static const char *const name[] = {"S.volatility"};
    static const levy_setting led[] = {
        {"simulation.construction", "{kind: bridge, first: average}"}};
    char text[8192], label[32];
    priced p;
    averages_text(text, sizeof text, ASIAN("a"), "", "precision: double");
    price_with(&p, text, led, 1, NULL);
    assert_string_equal(levy_results_trade(p.results, 0)->first, "average");
    for (unsigned i = 0; i + 2 < AVERAGES_SCENARIOS; i += 3) {
        const double moved = 0.2 + averages_shift(i);
        snprintf(label, sizeof label, "v[%.15g]", averages_shift(i));
        assert_true(measure_of(&p, 0, "scenario_price", label)->value ==
                    with_quotes(&p, 0, name, &moved, 1));
    }
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_measures_have_the_bits_of_the_other_loop),
        cmocka_unit_test(test_many_dynamics_after_functionals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
