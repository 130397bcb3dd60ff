/* test_stage_exercise.c: what stages are for (engine/run/stage.h), before any kind has one: a put
 * that can be exercised on fifty dates, written as a script whose rule of exercise is fitted on
 * paths of its own, by F. Longstaff and E. Schwartz (Review of Financial Studies 14, 2001), and
 * then priced with the rule frozen. Their first example, against a binomial tree (J. Cox, S. Ross
 * and M. Rubinstein, Journal of Financial Economics 7, 1979).
 *
 *     test_stage_exercise cuda   a GPU has the CPU's bits */
#include "tests/cmocka_all.h"

#include "engine/base/least_squares.h"
#include "engine/book/handles.h"
#include "engine/levy.h"
#include "engine/run/stage.h"
#include "payoffs/scripted.h"
#include "tests/priced.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATES = 50, POWERS = 4, STEPS = 40 * DATES };

static const double spot = 36.0, strike = 40.0, rate = 0.06, volatility = 0.2;

/* ---- The fit ---- */

/* Regressors of a level: powers of its distance from the strike. */
static void put_powers(double level, double *x)
{
    x[0] = 1.0;
    for (int k = 1; k < POWERS; ++k) x[k] = x[k - 1] * (level / strike - 1.0);
}

static double put_held(const double *c, const double *x)
{
    double sum = 0.0;
    for (int k = 0; k < POWERS; ++k) sum += c[k] * x[k];
    return sum;
}

/* One date, whose paths in the money see what they get later; then they take what is more. `paid`:
 * of each path, in money of the payment date. */
static void put_step(const levy_stage_levels *levels, size_t date, levy_least_squares *fit,
                     double *paid, double *c)
{
    const double *const level = levels->levels + date * levels->n_paths;
    const double worth = levels->worth[date];
    double x[POWERS];
    *fit = (levy_least_squares){.n = POWERS};
    for (size_t k = 0; k < levels->n_paths && date + 1 < DATES; ++k) {
        if (level[k] >= strike) continue;
        put_powers(level[k], x);
        levy_least_squares_add(fit, x, paid[k] / worth);
    }
    levy_least_squares_solve(fit, c);
    for (size_t k = 0; k < levels->n_paths; ++k) {
        put_powers(level[k], x);
        if (level[k] < strike && strike - level[k] >= put_held(c, x))
            paid[k] = (strike - level[k]) * worth;
    }
}

static bool put_fit(const levy_claim *claim, const levy_stage_levels *levels, levy_arena *scratch,
                    double *fitted, char *why)
{
    levy_least_squares *const fit = levy_arena_allocate(scratch, 1, sizeof *fit);
    double *const paid = levy_arena_allocate(scratch, levels->n_paths, sizeof *paid);
    (void)claim, (void)why;
    if (!fit || !paid) return false;
    assert_int_equal(levels->n_dates, DATES);
    for (size_t date = DATES; date-- > 0;)
        put_step(levels, date, fit, paid, fitted + date * POWERS);
    return true;
}

/* The script's numbers hold0 to hold3 of the date. */
static void put_write(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                      double *node_terms)
{
    const levy_script *const script = &claim->scripted->script;
    (void)unit;
    for (uint32_t k = 0; k < script->program->n_terms; ++k) {
        if (script->terms[k].kind != LEVY_SCRIPT_ITEM) continue;
        const char *const name = claim->scripted->parameters[script->terms[k].parameter].name;
        node_terms[k] = fitted[name[strlen("hold")] - '0'];
    }
}

static const levy_stage put_stage = {1 << 16, POWERS, put_fit, put_write};

/* ---- The tree ---- */

/* The put's value at a level today, exercised on the dates after today alone. */
static double tree_value(double from)
{
    static double value[STEPS + 1];
    const double step = 1.0 / STEPS, up = exp(volatility * sqrt(step)),
                 discount = exp(-rate * step),
                 chance = (exp(rate * step) - 1.0 / up) / (up - 1.0 / up);
    for (int n = STEPS; n >= 0; --n)
        for (int k = 0; k <= n; ++k) {
            const double gain = strike - from * pow(up, 2 * k - n);
            const double held =
                n == STEPS ? 0.0 : discount * (chance * value[k + 1] + (1.0 - chance) * value[k]);
            const bool may = n > 0 && n % (STEPS / DATES) == 0;
            value[k] = may && gain > held ? gain : held;
        }
    return value[0];
}

/* ---- The book ---- */

static levy_book *load(levy_context *context)
{
    static char text[4096], list[DATES * 3 + 1];
    list[0] = '\0';
    for (size_t k = 0; k < DATES; ++k) strcat(list, "1, ");
    list[strlen(list) - 2] = '\0';
    snprintf(text, sizeof text,
             "schema_version: 1\n"
             "market:\n"
             "  curves: {USD: 0.06}\n"
             "  assets: {A: {currency: USD, spot: 36, volatility: 0.2}}\n"
             "models: {bs: {kind: black_scholes, assets: [A]}}\n"
             "trades:\n"
             "  - id: put\n"
             "    underlying: A\n"
             "    exercise: {expiry: 1}\n"
             "    payoff:\n"
             "      kind: script\n"
             "      schedules: {exercises: {count: %d}}\n"
             "      parameters: {hold0: [%s], hold1: [%s], hold2: [%s], hold3: [%s]}\n"
             "      script: |\n"
             "        at exercises {\n"
             "          let x = level / 40 - 1\n"
             "          let held = hold0[number] + x * (hold1[number] + x * (hold2[number] +\n"
             "            x * hold3[number]))\n"
             "          if level < 40 and 40 - level >= held { pay 40 - level; stop }\n"
             "        }\n"
             "measures: [price, delta]\n"
             "simulation: {paths: 2^17, smoothing: none}\n",
             DATES, list, list, list, list);
    levy_book *const book = read_book(context, text, NULL, 0);
    book->problem->trades[0].stage = &put_stage;
    return book;
}

typedef struct put_priced {
    double price, std_error, delta, delta_error;
} put_priced;

static put_priced price_on(const char *device)
{
    const levy_price_options how = {.struct_size = sizeof how, .device = device, .threads = 2};
    const levy_context_options options = {.struct_size = sizeof options,
                                          .module_dir = getenv("LEVY_TEST_MODULE_DIR")};
    levy_context *context;
    levy_results *results = NULL;
    assert_int_equal(levy_context_create(&options, &context), LEVY_STATUS_OK);
    levy_book *const book = load(context);
    if (levy_price(book, &how, &results) != LEVY_STATUS_OK) fail_msg("%s", first_words(context));
    const levy_trade_result *const put = levy_results_trade(results, 0);
    const levy_measure *const delta = find_measure(put, "delta", NULL);
    assert_non_null(delta);
    const put_priced p = {put->price, put->std_error, delta->value, delta->std_error};
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
    print_message("%s: put %.17g +- %.5f, delta %.17g +- %.5f\n", device, p.price, p.std_error,
                  p.delta, p.delta_error);
    return p;
}

/* The rule is a little worse than the best one, and so is the price. A bump of the spot keeps the
 * rule, which changes nothing to first order. */
static void test_a_put_is_exercised_by_a_rule_that_was_fitted(void **state)
{
    (void)state;
    const put_priced put = price_on("cpu");
    const double best = tree_value(spot),
                 slope = (tree_value(1.01 * spot) - tree_value(0.99 * spot)) / (0.02 * spot);
    assert_true(fabs(best - 4.478) < 0.002); /* table 1, finite differences */
    assert_true(put.std_error < 0.01);
    assert_true(put.price < best + 4.0 * put.std_error);
    assert_true(put.price > best - 0.01 - 4.0 * put.std_error);
    assert_true(fabs(put.delta - slope) < 0.01 + 4.0 * put.delta_error);
}

static void test_a_gpu_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    const put_priced cpu = price_on("cpu"), gpu = price_on("cuda");
    assert_memory_equal(&cpu, &gpu, sizeof cpu);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest of_gpu[] = {cmocka_unit_test(test_a_gpu_has_the_bits_of_the_cpu)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_put_is_exercised_by_a_rule_that_was_fitted)};
    if (argc == 2 && strcmp(argv[1], "cuda") == 0)
        return cmocka_run_group_tests(of_gpu, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
