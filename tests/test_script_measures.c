/* test_script_measures.c: what a script says beside its price: expected payments by date add up to
 * the price, the chances of ending add up to 1, the expected life is their mean, reports are means;
 * and one call date has a closed form. */
#include "tests/context_fixture.h"
#include "tests/priced.h"
#include "tests/files.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>

#define BOOK                                                                                       \
    "schema_version: 1\n"                                                                          \
    "market:\n"                                                                                    \
    "  curves: {USD: 0.02}\n"                                                                      \
    "  assets:\n"                                                                                  \
    "    S: {currency: USD, spot: 100, volatility: 0.3}\n"                                         \
    "models: {m: {kind: black_scholes, assets: [S]}}\n"                                            \
    "trades:\n"                                                                                    \
    "  - id: note\n"                                                                               \
    "    underlying: S\n"                                                                          \
    "    notional: 100\n"                                                                          \
    "    exercise: {expiry: 2}\n"                                                                  \
    "    payment_date: 2.25\n"                                                                     \
    "    payoff:\n"                                                                                \
    "      kind: script\n"                                                                         \
    "      levels: percent_of_initial\n"                                                           \
    "      schedules: {calls: [%s]}\n"                                                             \
    "      script: |\n"                                                                            \
    "        var lost = 0\n"                                                                       \
    "        at calls { if level >= 1 { pay 1.05; stop } }\n"                                      \
    "        at expiry {\n"                                                                        \
    "          if level < 0.8 { lost = 1 }\n"                                                      \
    "          pay min(level, 1)\n"                                                                \
    "        }\n"                                                                                  \
    "        report lost\n"                                                                        \
    "measures: [price, cash_flows, probability, expected_life]\n"                                  \
    "simulation: {paths: 2^14}\n"

static priced price(const char *calls)
{
    char text[2000];
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    snprintf(text, sizeof text, BOOK, calls);
    const priced p = price_alone(text, NULL, 0, &options);
    assert_priced(&p);
    assert_string_equal(levy_results_trade(p.results, 0)->status, "ok");
    return p;
}

/* The value of a measure at a factor; "": the sum over all factors. */
static double value(const priced *p, const char *measure, const char *factor, size_t *n)
{
    const levy_trade_result *const trade = levy_results_trade(p->results, 0);
    double sum = 0.0;
    *n = 0;
    for (size_t k = 0; k < trade->n_measures; ++k) {
        const levy_measure *const m = levy_trade_measure(trade, k);
        if (strcmp(m->measure, measure) != 0 || (*factor && strcmp(m->factor, factor) != 0))
            continue;
        sum += m->value;
        ++*n;
    }
    return sum;
}

static double value_at(const priced *p, const char *measure, const char *factor)
{
    size_t n = 0;
    const double found = value(p, measure, factor, &n);
    assert_int_equal(n, 1);
    return found;
}

static void test_sums(void **state)
{
    size_t n = 0;
    (void)state;
    priced p = price("0.5, 1, 1.5");
    const double paid = value(&p, "cash_flows", "", &n);
    assert_int_equal(n, 4); /* three calls, and the payment at 2.25 */
    assert_true(fabs(paid - levy_results_trade(p.results, 0)->price) <=
                1e-12 * levy_results_trade(p.results, 0)->price);
    const double chances = value(&p, "probability", "", &n);
    assert_int_equal(n, 4); /* expiry, at 2, is the last */
    assert_true(fabs(chances - 1.0) <= 1e-12);
    const double life =
        0.5 * value_at(&p, "probability", "0.5") + value_at(&p, "probability", "1") +
        1.5 * value_at(&p, "probability", "1.5") + 2.0 * value_at(&p, "probability", "2");
    assert_true(fabs(life - value_at(&p, "expected_life", "years")) <= 1e-12);
    const double lost = value_at(&p, "report", "lost");
    assert_true(lost > 0.05 && lost < value_at(&p, "probability", "2"));
    assert_true(value_at(&p, "cash_flows", "2.25") > 0.0);
    release(&p);
}

/* The chance that a lognormal spot is at 100 or above. */
static void test_one_call(void **state)
{
    const double d = (0.02 - 0.045) / 0.3, chance = 0.5 * erfc(-d / sqrt(2.0));
    (void)state;
    priced p = price("1");
    assert_true(fabs(value_at(&p, "probability", "1") - chance) < 1e-3);
    assert_true(fabs(value_at(&p, "cash_flows", "1") - 105.0 * exp(-0.02) * chance) < 0.1);
    release(&p);
}

/* Coupons that depend on no level are money at dates. */
static void test_fixed_payments_are_exact(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/script-measures");
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_book *book;
    levy_results *results;
    double worth = 0.0, rho = 0.0;
    for (int k = 1; k <= 4; ++k) {
        const double time = 0.25 * k, paid = k < 4 ? 0.02 : 1.02;
        worth += paid * exp(-0.04 * time);
        rho -= time * paid * exp(-0.04 * time);
    }
    book = read_book(context, text, NULL, 0);
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    const levy_trade_result *const t = levy_results_trade(results, 0);
    assert_string_equal(t->interval, "exact");
    assert_true(fabs(t->price - worth) < 1e-14);
    assert_true(fabs(t->measures[1].value - rho) <= 1e-6 && t->measures[1].flagged == 0);
    levy_results_destroy(results);
    levy_book_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_one_call),
                                       cmocka_unit_test(test_fixed_payments_are_exact)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
