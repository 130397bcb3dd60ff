/* test_rights.c: scripts with rights (docs/language.md), each against a recursion of the test's own
 * over the transition density of one lognormal asset: calls of the issuer, a put of the holder
 * beside them, with notice, shouts, exercise of an average; today; and the bits of whoever repeats
 * the fit. A rule is not better than the best one: its party gets no more than the recursion's. */
#include "tests/grown_text.h"
#include "tests/normal_law.h"
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The recursion ---- */

enum { NODES = 401, DATES = 8 };
static const double rate = 0.04, yield = 0.01, volatility = 0.25, step = 0.25, spot = 100.0;

/* Levels, and what takes values of the next date to this one. */
static double level[NODES], kernel[2 * NODES], discount;

static int build_line(void **state)
{
    const double pi = 3.14159265358979323846, deviation = volatility * sqrt(step),
                 width = 14.0 * volatility * sqrt(DATES * step) / (NODES - 1),
                 drift = (rate - yield - 0.5 * volatility * volatility) * step;
    (void)state;
    discount = exp(-rate * step);
    for (int i = 0; i < NODES; ++i) level[i] = spot * exp((i - NODES / 2) * width);
    for (int d = -NODES; d < NODES; ++d) {
        const double z = (d * width - drift) / deviation;
        kernel[d + NODES] = width / deviation * exp(-0.5 * z * z) / sqrt(2.0 * pi);
    }
    return 0;
}

static double wait_at(const double *later, int i)
{
    double sum = 0.0;
    for (int j = 0; j < NODES; ++j) sum += kernel[j - i + NODES] * later[j];
    return discount * sum;
}

static double call(double s, double strike, double years)
{
    return call_price(s, strike, rate, yield, volatility, years);
}

/* What a contract is worth at a level on date k, if waiting is worth `waits`; expiry is date DATES.
 */
typedef double contract_value(int k, double s, double waits);

static double recursion(contract_value *value)
{
    static double now[NODES], later[NODES];
    for (int i = 0; i < NODES; ++i) later[i] = value(DATES, level[i], 0.0);
    for (int k = DATES - 1; k > 0; --k) {
        for (int i = 0; i < NODES; ++i) now[i] = value(k, level[i], wait_at(later, i));
        memcpy(later, now, sizeof now);
    }
    return wait_at(later, NODES / 2);
}

/* ---- The book ---- */

static const levy_price_options on_cpu = {
    .struct_size = sizeof on_cpu, .device = "cpu", .threads = 2};

/* Levels of a note whose text follows. `more`: keys of the book. */
static const char *text_of(double at, const char *script, const char *more)
{
    static char text[4096];
    (void)snprintf(
        text, sizeof text,
        "schema_version: 1\n"
        "market: {curves: {USD: 0.04}, assets: {A: {currency: USD, spot: %g, "
        "volatility: 0.25, dividend_yield: 0.01}}}\n"
        "models: {m: {kind: black_scholes, assets: [A]}}\n"
        "simulation: {paths: 2^16}\n%s"
        "trades:\n"
        "  - id: note\n"
        "    underlying: A\n"
        "    exercise: {expiry: 2, fit: {paths: 2^14}}\n"
        "    payoff:\n"
        "      kind: script\n"
        "      schedules: {dates: [0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75], "
        "notices: [0.25, 0.75, 1.25], calls: [0.5, 1, 1.5], from_today: [0, 0.25, 0.5, 0.75, 1]}\n"
        "      script: |\n%s",
        at, more, script);
    return text;
}

/* Neither above what the best rule gives the party, nor far below; the other bound, which one right
 * that ends with stop has, on the other side, and near. party: -1: the issuer. */
static void assert_near(const char *script, double want, double party, double loss)
{
    priced made =
        price_alone(text_of(spot, script, "measures: [price, upper_bound]\n"), NULL, 0, &on_cpu);
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "note");
    const levy_measure *const bound = find_measure(t, "upper_bound", NULL);
    print_message("%.4f, by a rule %.4f +- %.4f, to %.4f\n", want, t->price, t->std_error,
                  bound ? bound->value : NAN);
    if (bound) {
        const char *const says = party < 0.0 ? "lower bound (simulation, martingale)"
                                             : "upper bound (simulation, martingale)";
        assert_string_equal(bound->note, says);
        assert_true(party * bound->value >= party * want - 4.0 * bound->std_error);
        assert_true(party * bound->value <= party * want + 0.01 * want);
    }
    assert_true(party * t->price <= party * want + 4.0 * t->std_error);
    assert_true(party * t->price >= party * want - loss * want - 4.0 * t->std_error);
    release(&made);
}

/* ---- Notes ---- */

static double redemption(double s) { return 102.5 - 2.0 * fmax(95.0 - s, 0.0); }

static double callable(int k, double s, double waits)
{
    return k == DATES ? redemption(s) : 2.5 + fmin(waits, 100.0);
}

static void test_the_issuer_calls(void **state)
{
    (void)state;
    assert_near("        at dates { pay 2.5 }\n"
                "        may call at dates by issuer { pay 100; stop }\n"
                "        at expiry { pay 102.5 - 2 * max(95 - level, 0) }\n",
                recursion(callable), -1.0, 0.001);
}

/* It ends by itself above this, half-way between two nodes. */
static double recall;

static double recalled(int k, double s, double waits)
{
    const double now = s > recall ? 101.0 : fmax(waits, 85.0);
    return k == DATES ? redemption(s) : 2.5 + now;
}

static void test_a_note_that_ends_by_itself_may_be_put(void **state)
{
    char script[512];
    (void)state;
    recall = sqrt(level[NODES / 2 + 8] * level[NODES / 2 + 9]);
    (void)snprintf(script, sizeof script,
                   "        at dates { pay 2.5; if level > %.17g { pay 101; stop } }\n"
                   "        may put at dates by holder { pay 85; stop }\n"
                   "        at expiry { pay 102.5 - 2 * max(95 - level, 0) }\n",
                   recall);
    assert_near(script, recursion(recalled), 1.0, 0.002);
}

static double both(int k, double s, double waits)
{
    return k == DATES ? redemption(s) : 2.5 + fmin(fmax(waits, 85.0), 100.0);
}

static void test_the_holder_puts_what_the_issuer_has_not_called(void **state)
{
    (void)state;
    const double want = recursion(both);
    assert_true(want > recursion(callable) + 0.5);
    assert_near("        at dates { pay 2.5 }\n"
                "        may call at dates by issuer { pay 100; stop }\n"
                "        may put at dates by holder { pay 85; stop }\n"
                "        at expiry { pay 102.5 - 2 * max(95 - level, 0) }\n",
                want, 1.0, 0.002);
}

/* The issuer decides a quarter before it calls. */
static double noticed(int k, double s, double waits)
{
    if (k == DATES) return redemption(s);
    return 2.5 + (k % 2 == 1 && k < 6 ? fmin(waits, discount * 102.5) : waits);
}

static void test_notice_is_given_before_the_call(void **state)
{
    (void)state;
    const double want = recursion(noticed);
    assert_true(want > recursion(callable) + 0.2);
    assert_near("        at dates { pay 2.5 }\n"
                "        may call at notices by issuer { }\n"
                "        at calls { if call == 1 { pay 100; stop } }\n"
                "        at expiry { pay 102.5 - 2 * max(95 - level, 0) }\n",
                want, -1.0, 0.001);
}

/* ---- Options ---- */

static double shouted(int k, double s, double waits)
{
    const double left = (DATES - k) * step;
    if (k == DATES) return fmax(s - 100.0, 0.0);
    return s > 100.0 ? fmax(waits, exp(-rate * left) * (s - 100.0) + call(s, s, left)) : waits;
}

static void test_a_shout_goes_on(void **state)
{
    (void)state;
    assert_near("        var locked = 0\n"
                "        may shout at dates by holder if level > 100 { locked = level - 100 }\n"
                "        at expiry { pay max(level - 100, locked) }\n",
                recursion(shouted), 1.0, 0.005);
}

/* Half-way between two nodes. */
static double digital_strike;

static double digital(int k, double s, double waits)
{
    const double now = s > digital_strike ? 1.0 : 0.0;
    return k == DATES ? now : fmax(waits, now);
}

static const char *digital_at(int below)
{
    static char script[256];
    digital_strike = sqrt(level[below] * level[below + 1]);
    (void)snprintf(script, sizeof script,
                   "        may exercise at dates by holder if level > %.17g { pay 1; stop }\n"
                   "        at expiry { pay 1 if level > %.17g else 0 }\n",
                   digital_strike, digital_strike);
    return script;
}

static void test_a_digital_pays_on_the_first_date(void **state)
{
    (void)state;
    const char *const script = digital_at(NODES / 2 + 4);
    assert_near(script, recursion(digital), 1.0, 0.001);
}

/* At a strike of 240 no date has the paths of the whole degree. */
static void test_few_paths_have_a_rule_of_lower_degree(void **state)
{
    (void)state;
    const char *const script = digital_at(NODES / 2 + 70);
    priced made = price_alone(text_of(spot, script, ""), NULL, 0, &on_cpu);
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "note");
    const double want = recursion(digital);
    print_message("%.5f, by a rule %.5f +- %.5f\n", want, t->price, t->std_error);
    assert_true(fabs(t->price - want) <= 4.0 * t->std_error);
    assert_non_null(strstr(levy_diagnostic_get(made.context, 0)->text, "the rule is rough"));
    release(&made);
}

enum { MEANS = 160 }; /* the most nodes of the mean so far, which begin at FROM */
static const double FROM = 40.0;

/* Values at a mean, between those of two nodes. */
static void average_at(double (*values)[NODES], double apart, double mean, int node, double *value)
{
    const int most = (int)(MEANS / apart) - 2;
    const double place = (mean - FROM) / apart;
    const int low = (int)fmin(fmax(place, 0.0), most);
    *value = values[low][node] + (place - low) * (values[low + 1][node] - values[low][node]);
}

/* On nodes that are so far apart. */
static double average_on(double apart)
{
    static double now[MEANS][NODES], later[MEANS][NODES], at[NODES];
    for (int k = DATES; k > 0; --k) {
        memcpy(later, now, sizeof now);
        for (int m = 0; m < (int)(MEANS / apart); ++m) {
            const double mean = FROM + m * apart, gain = fmax(mean - 100.0, 0.0);
            for (int j = 0; j < NODES && k < DATES; ++j)
                average_at(later, apart, (mean * k + level[j]) / (k + 1), j, &at[j]);
            for (int i = 0; i < NODES; ++i)
                now[m][i] = k < DATES ? fmax(gain, wait_at(at, i)) : gain;
        }
    }
    for (int j = 0; j < NODES; ++j) average_at(now, apart, level[j], j, &at[j]);
    return wait_at(at, NODES / 2);
}

static void test_an_average_is_exercised(void **state)
{
    (void)state;
    assert_near("        var total = 0\n"
                "        at dates { total += level }\n"
                "        may exercise at dates by holder if total > 100 * number { pay total / "
                "number - 100; stop }\n"
                "        at expiry { pay max((total + level) / 8 - 100, 0) }\n",
                (4.0 * average_on(1.0) - average_on(2.0)) / 3.0, 1.0, 0.002);
}

/* ---- Today ---- */

static const char from_today[] = "        at from_today { pay 1 }\n"
                                 "        may call at from_today by issuer { pay %g; stop }\n"
                                 "        at expiry { pay 100 - max(95 - level, 0) }\n"
                                 "        report call\n";

static double called_today(double redeemed, double *price)
{
    char script[512];
    (void)snprintf(script, sizeof script, from_today, redeemed);
    priced made = price_alone(text_of(spot, script, ""), NULL, 0, &on_cpu);
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "note");
    const double called = find_measure(t, "report", "call")->value;
    *price = t->price;
    release(&made);
    return called;
}

/* Called at 40 it ends today on all paths; at 120 on none, ever. */
static void test_today_is_a_date(void **state)
{
    double price;
    (void)state;
    assert_true(called_today(40.0, &price) == 1.0);
    assert_float_equal(price, 41.0, 1e-10);
    assert_true(called_today(120.0, &price) == 0.0);
    assert_true(price > 87.0 && price < 105.0);
}

/* ---- The other bound ---- */

static const char noted[] = "        at dates { pay 2.5 }\n"
                            "        may call at %s by issuer { pay 100; stop }\n"
                            "        at expiry { pay 102.5 - 2 * max(95 - level, 0) }\n";

/* Of the same dates, once from today on. `how`: of the price; `more`: keys of the book. */
static levy_measure bound_of(const char *dates, const char *more, const levy_price_options *how)
{
    char script[512], keys[512];
    (void)snprintf(script, sizeof script, noted, dates);
    (void)snprintf(keys, sizeof keys, "measures: [price, upper_bound]\n%s", more);
    priced made = price_alone(text_of(spot, script, keys), NULL, 0, how);
    assert_priced(&made);
    levy_measure bound = *find_measure(find_trade(made.results, "note"), "upper_bound", NULL);
    release(&made);
    return bound;
}

static void test_a_bound_is_the_problem_s(void **state)
{
    static const char moved[] =
        "scenarios: [{id: down, shifts: [{factor: A.spot, size: -0.05}]}]\n";
    levy_price_options other = on_cpu;
    (void)state;
    other.threads = 1;
    other.batch_blocks = 3;
    const levy_measure first = bound_of("dates", "", &on_cpu),
                       second = bound_of("dates", moved, &other),
                       today = bound_of("from_today", "", &on_cpu);
    assert_true(first.value == second.value && first.std_error == second.std_error);
    assert_true(today.value > first.value - 4.0 * first.std_error); /* it has fewer dates */
}

static void assert_without(const char *script, const char *why)
{
    priced made =
        price_alone(text_of(spot, script, "measures: [price, upper_bound]\n"), NULL, 0, &on_cpu);
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "note");
    assert_null(find_measure(t, "upper_bound", NULL));
    assert_non_null(strstr(find_measure(t, "price", NULL)->note, why));
    release(&made);
}

static void test_what_has_no_other_bound(void **state)
{
    static const char why[] = "no upper_bound: its script needs one right, and that ends with stop";
    (void)state;
    assert_without("        may call at dates by issuer { pay 100; stop }\n"
                   "        may put at dates by holder { pay 85; stop }\n"
                   "        at expiry { pay level }\n",
                   why);
    assert_without("        var locked = 0\n"
                   "        may shout at dates by holder { locked = level }\n"
                   "        at expiry { pay max(level, locked) }\n",
                   why);
    assert_without("        var dual_x1 = 1\n"
                   "        may put at dates by holder { pay 85; stop }\n"
                   "        at expiry { pay level * dual_x1 }\n",
                   "its script has no room for a martingale: ");
}

/* ---- What is said ---- */

/* Redeemed at 40 it is called on the first date, at 400 never, whatever levels are. */
static void test_what_all_paths_do_is_exact(void **state)
{
    static const char script[] = "        at dates { pay 1 }\n"
                                 "        may call at dates by issuer { pay %g; stop }\n"
                                 "        at expiry { pay 100 }\n"
                                 "        report call\n";
    static const char measures[] = "measures: [price, delta, probability]\n";
    (void)state;
    for (int k = 0; k < 2; ++k) {
        char text[512];
        double want = 41.0 * exp(-0.25 * rate);
        (void)snprintf(text, sizeof text, script, k ? 400.0 : 40.0);
        if (k) want = 100.0 * exp(-2.0 * rate);
        for (int i = 1; k && i < DATES; ++i) want += exp(-i * step * rate);
        priced made = price_alone(text_of(spot, text, measures), NULL, 0, &on_cpu);
        assert_priced(&made);
        const levy_trade_result *const t = find_trade(made.results, "note");
        assert_string_equal(t->interval, "exact");
        assert_float_equal(t->price, want, 1e-10);
        for (size_t m = 0; m < t->n_measures; ++m)
            assert_string_equal(t->measures[m].interval, "exact");
        assert_true(find_measure(t, "report", "call")->value == (k ? 0.0 : 1.0));
        release(&made);
    }
}

/* Nothing of it is smoothed, which is said where it is asked for. */
static void test_no_right_is_smoothed(void **state)
{
    static const char *const ways[] = {"all", "{width: 0.02}"};
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const levy_setting smoothed = {"simulation.smoothing", ways[k]};
        priced made = price_alone(
            text_of(spot,
                    "        may put at dates by holder if level < 90 { pay 10; stop }\n"
                    "        at expiry { pay 10 if level > 100 else 0 }\n",
                    ""),
            &smoothed, 1, &on_cpu);
        assert_priced(&made);
        const char *const note =
            find_measure(levy_results_trade(made.results, 0), "price", NULL)->note;
        assert_non_null(note);
        assert_non_null(strstr(note, "lower bound"));
        assert_non_null(strstr(note, "; not smoothed: "));
        release(&made);
    }
}

static void test_a_fit_is_explained(void **state)
{
    levy_context *of;
    grown_text words = {0};
    (void)state;
    assert_int_equal(levy_context_create(NULL, &of), LEVY_STATUS_OK);
    levy_book *const book = read_book(
        of,
        text_of(spot,
                "        may call at calls by issuer seeing level, number { pay 100; stop }\n"
                "        at expiry { pay 100 }\n",
                ""),
        NULL, 0);
    assert_int_equal(levy_book_explain(book, &on_cpu, text_grow, &words), LEVY_STATUS_OK);
    assert_non_null(
        strstr(words.bytes, "call: by issuer on 3 dates, by degree 4 in 2 numbers seen\n"));
    assert_non_null(
        strstr(words.bytes, "fit: 16384 paths of its own, 23 numbers by date, seed 42\n"));
    free(words.bytes);
    levy_book_destroy(book);
    levy_context_destroy(of);
}

/* ---- Bits ---- */

static const char bermudan[] = "        may exercise at dates by holder if level < 100 { pay 100 - "
                               "level; stop }\n"
                               "        at expiry { pay max(100 - level, 0) }\n";

static void test_whoever_repeats_the_fit_has_its_bits(void **state)
{
    static const char moved[] = "scenarios: [{id: down, shifts: [{factor: A.spot, size: "
                                "-0.05}]}]\nmeasures: [price, delta]\n";
    levy_price_options other = on_cpu;
    (void)state;
    other.threads = 1;
    other.batch_blocks = 3;
    priced first = price_alone(text_of(spot, bermudan, moved), NULL, 0, &on_cpu),
           second = price_alone(text_of(spot, bermudan, moved), NULL, 0, &other),
           third =
               price_alone(text_of(95.0, bermudan, "measures: [price, delta]\n"), NULL, 0, &on_cpu);
    assert_priced(&first);
    assert_priced(&second);
    assert_priced(&third);
    const levy_trade_result *const a = find_trade(first.results, "note"),
                                   *const b = find_trade(second.results, "note"),
                                   *const c = find_trade(third.results, "note");
    assert_true(a->price == b->price && a->std_error == b->std_error);
    assert_true(find_measure(a, "delta", NULL)->value == find_measure(b, "delta", NULL)->value);
    assert_true(find_measure(a, "scenario_price", NULL)->value == c->price);
    release(&first);
    release(&second);
    release(&third);
}

/* A rule of what is no number on some paths is none. */
static void test_what_is_seen_is_a_number(void **state)
{
    (void)state;
    priced made = price_alone(
        text_of(spot,
                "        may put at dates by holder seeing 1 / max(95 - level, 0), level { stop }\n"
                "        at expiry { pay max(105 - level, 0) }\n",
                ""),
        NULL, 0, &on_cpu);
    assert_non_null(made.results);
    assert_string_equal(levy_results_trade(made.results, 0)->status, "failed");
    release(&made);
}

/* A right that ended the trade leaves nothing. */
static void test_what_was_used_is_over(void **state)
{
    (void)state;
    priced made = price_alone(
        text_of(spot,
                "        may put at dates by holder { pay 105 - level; stop }\n"
                "        at expiry { pay max(105 - level, 0) }\n      state: {put: 1}\n",
                ""),
        NULL, 0, &on_cpu);
    assert_non_null(made.results);
    assert_true(levy_results_trade(made.results, 0)->price == 0.0);
    release(&made);
}

/* ---- Words ---- */

static void assert_says(const char *script, const char *what)
{
    priced made = price_alone(text_of(spot, script, ""), NULL, 0, &on_cpu);
    if (!context_says(made.context, what)) fail_msg("%s\n%s", script, first_words(made.context));
    release(&made);
}

static void test_what_no_right_is(void **state)
{
    (void)state;
    assert_says("        must call at dates by issuer { pay 1 }\n",
                "expected 'may', but found 'must'");
    assert_says("        can call at dates by issuer { pay 1 }\n", "expected 'may'");
    assert_says("        issuer may call at dates { pay 1 }\n", "expected 'may'");
    assert_says("        call at dates by holder { pay 1 }\n", "expected 'may'");
    assert_says("        may call at dates { pay 1 }\n", "expected 'by'");
    assert_says("        may call at dates by bank { pay 1 }\n", "expected 'holder'");
    assert_says("        may call at never by issuer { stop }\n", "there is no schedule 'never'");
    assert_says("        may call at dates by issuer { stop }\n        at expiry { call = 0 }\n",
                "'call' is 1 once the right is used, and nothing else sets it");
    assert_says("        var call = 0\n        may call at dates by issuer { stop }\n",
                "'call' is defined already");
    assert_says("        may call at dates by issuer { stop }\n"
                "        may put at dates by holder { pay 1 }\n",
                "of several rights each ends the trade");
    assert_says("        var a = 0; var b = 0; var c = 0; var d = 0; var e = 0; var f = 0\n"
                "        may call at dates by issuer { stop }\n",
                "a decision sees at most 6 numbers, and this one would see 7");
    assert_says("        may call at dates by issuer seeing levels { stop }\n",
                "a decision sees numbers, and this is a list");
    assert_says("        may call at dates by holder seeing level if number == 2 { stop }\n",
                "expected '{' behind what is seen, but found 'if'");
    assert_says("        may call at dates by issuer seeing 1 { stop }\n",
                "a script with a right is to see a level");
    assert_says("        may call at dates by issuer { stop }\n"
                "        at dates { pay fell_to(90) }\n",
                "a script with a right has no fell_to, rose_to and crossed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_issuer_calls),
        cmocka_unit_test(test_a_note_that_ends_by_itself_may_be_put),
        cmocka_unit_test(test_the_holder_puts_what_the_issuer_has_not_called),
        cmocka_unit_test(test_notice_is_given_before_the_call),
        cmocka_unit_test(test_a_shout_goes_on),
        cmocka_unit_test(test_a_digital_pays_on_the_first_date),
        cmocka_unit_test(test_few_paths_have_a_rule_of_lower_degree),
        cmocka_unit_test(test_an_average_is_exercised),
        cmocka_unit_test(test_today_is_a_date),
        cmocka_unit_test(test_a_bound_is_the_problem_s),
        cmocka_unit_test(test_what_has_no_other_bound),
        cmocka_unit_test(test_what_all_paths_do_is_exact),
        cmocka_unit_test(test_no_right_is_smoothed),
        cmocka_unit_test(test_a_fit_is_explained),
        cmocka_unit_test(test_whoever_repeats_the_fit_has_its_bits),
        cmocka_unit_test(test_what_is_seen_is_a_number),
        cmocka_unit_test(test_what_was_used_is_over),
        cmocka_unit_test(test_what_no_right_is),
    };
    return cmocka_run_group_tests(tests, build_line, NULL);
}
