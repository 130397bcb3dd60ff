/* test_jumps.c: jumps beside a diffusion: laws of counts and marks word by word, then prices
 * through the public interface: forwards (martingale property), limits without jumps, Merton's
 * series, Kou's Fourier integral, layers, and the same bits on every instruction set. */
#include "tests/greeks_case.h"
#include "tests/instruction_sets.h"

#include "engine/study/closed_form.h"
#include "kernels/samplers/alias/alias.h"
#include "models/jump_plan.h"
#include "models/jumps.h"
#include "tests/fewer_paths.h"
#include "tests/problem_load.h"
#include "tests/regimes_oracle.h"
#include "tests/files.h"

/* ---- Counts ---------------------------------------------------------------------------------- */

/* P(N <= n), by an independent way: logarithms of factorials. */
static double poisson_below(double mean, double n)
{
    double sum = 0.0;
    for (double k = n; k >= 0.0 && k > n - 60.0 - 12.0 * sqrt(mean + n); --k)
        sum += exp(k * log(mean) - mean - lgamma(k + 1.0));
    return sum;
}

static double count_of(const uint32_t *law, uint32_t word, uint64_t path)
{
    points_state points = {.beyond = 77};
    points.path_low = lane_word_of((uint32_t)path);
    points.path_high = lane_word_of((uint32_t)(path >> 32));
    const lane_word u = lane_word_of(word);
    const bool all = law[JUMPS_LAW_ALIAS] || law[JUMPS_LAW_FIRST];
    const lane_mask more = lane_word_at_least(u, all ? 0 : law[JUMPS_LAW_TABLE]);
    return lane_get(lane_select(more, jumps_count(law, u, more, &points, 3), lane_of(0.0)), 0);
}

static const double means[] = {1e-12, 1e-4, 1.0 / 64, 0.7, 3.0, 31.0, 500.0, 1e5};

/* The word at which the count rises past n lies where the law says, to a rounding of words. */
static void test_counts_are_the_inverse_of_the_law(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof means / sizeof *means; ++m) {
        levy_arena arena;
        size_t n_words;
        levy_arena_init(&arena, &levy_memory_default);
        const uint32_t *const law = levy_jump_law(means[m], false, &arena, &n_words);
        assert_non_null(law);
        const uint32_t size = law[JUMPS_LAW_SIZE], first = law[JUMPS_LAW_FIRST];
        assert_true(n_words == JUMPS_LAW_TABLE + size + law[JUMPS_LAW_HAZARDS]);
        assert_true(first == 0 || poisson_below(means[m], first - 1.0) < 0x1p-32);
        for (uint32_t j = 0; j < size; ++j) {
            const uint32_t least = law[JUMPS_LAW_TABLE + j];
            assert_true(j == 0 || least >= law[JUMPS_LAW_TABLE + j - 1]);
            const double want = poisson_below(means[m], first + j) * 0x1p32;
            assert_true(fabs(least - want) <= 1.0 + 1e-9 * 0x1p32 * (means[m] > 100.0));
            if (least > 0) assert_true(count_of(law, least - 1, 5) <= first + j);
            if (j + 1 < size) assert_true(count_of(law, least, 5) > first + j);
        }
        levy_arena_release(&arena);
    }
}

/* Where the last threshold is passed, a fresh word per count goes on as the law's tail does: its
 * mean and the share that stops at once, of a million paths, to 4.5 standard errors. */
static void test_the_tail_goes_on(void **state)
{
    (void)state;
    enum { PATHS = 200000 };
    for (size_t m = 1; m < 6; ++m) {
        levy_arena arena;
        size_t n_words, stops = 0;
        double above = 0.0;
        levy_arena_init(&arena, &levy_memory_default);
        const uint32_t *const law = levy_jump_law(means[m], false, &arena, &n_words);
        const double last = law[JUMPS_LAW_FIRST] + law[JUMPS_LAW_SIZE] - 1.0;
        const double reached = (0x1p32 - law[JUMPS_LAW_TABLE + law[JUMPS_LAW_SIZE] - 1]) * 0x1p-32;
        for (uint64_t p = 0; p < PATHS; ++p) {
            const double n = count_of(law, UINT32_MAX, p);
            assert_true(n >= last && n < last + 20.0);
            stops += n == last;
            above += n > last + 1.0;
        }
        double beyond = 0.0, far = 0.0; /* P(N > last), P(N > last + 1) */
        for (double k = last + 40.0; k > last; --k) {
            const double weight = exp(k * log(means[m]) - means[m] - lgamma(k + 1.0));
            beyond += weight;
            far += k > last + 1.0 ? weight : 0.0;
        }
        const double stop = 1.0 - fmin(1.0, beyond / reached), share = far / reached;
        assert_true(fabs((double)stops / PATHS - stop) <=
                    4.5 * sqrt(stop * (1.0 - stop) / PATHS) + 1e-9);
        assert_true(fabs(above / PATHS - share) <= 4.5 * sqrt(share / PATHS) + 1e-9);
        levy_arena_release(&arena);
    }
}

/* The same law by an alias table: frequencies over evenly spread words. */
static void test_counts_by_alias_have_the_same_law(void **state)
{
    (void)state;
    enum { STEP = 4099 };
    levy_arena arena;
    size_t n_words;
    levy_arena_init(&arena, &levy_memory_default);
    const uint32_t *const law = levy_jump_law(3.0, true, &arena, &n_words);
    double counts[64] = {0}, n = 0;
    for (uint64_t w = 0; w < (uint64_t)1 << 32; w += STEP, ++n)
        ++counts[(size_t)count_of(law, (uint32_t)w, w)];
    for (int k = 0; k < 12; ++k) {
        const double want = exp(k * log(3.0) - 3.0 - lgamma(k + 1.0));
        assert_true(fabs(counts[k] / n - want) <= 1e-5);
    }
    levy_arena_release(&arena);
}

/* ---- Marks ----------------------------------------------------------------------------------- */

static void test_double_exponential_marks_rise_and_have_their_mean(void **state)
{
    (void)state;
    const levy_mark_terms laws[] = {{.probability_up = 0.3, .rate_up = 25.0, .rate_down = 15.0},
                                    {.probability_up = 1.0, .rate_up = 8.0, .rate_down = 4.0},
                                    {.probability_up = 0.0, .rate_up = 8.0, .rate_down = 4.0}};
    for (size_t l = 0; l < 3; ++l) {
        const double p = laws[l].probability_up, q = 1.0 - p;
        const double falls = p > 0.0 ? q : 2.0;
        const double by_fall = q > 0.0 ? 1.0 / q : 0.0;
        const double by_rise = p > 0.0 ? 1.0 / p : 0.0;
        const double numbers[5] = {falls, by_fall, by_rise, 1.0 / laws[l].rate_down,
                                   -1.0 / laws[l].rate_up};
        double before = -1e9, sum = 0.0, n = 0;
        for (uint64_t w = 0; w < (uint64_t)1 << 32; w += 1021, ++n) {
            const double mark =
                lane_get(jumps_double_exponential(lane_word_of((uint32_t)w), numbers), 0);
            assert_true(mark >= before && mark > -1000.0 && mark < 1000.0);
            before = mark;
            sum += expm1(mark);
        }
        assert_true(fabs(sum / n - levy_mark_mean_return(LEVY_MARK_DOUBLE_EXPONENTIAL, &laws[l])) <
                    2e-6);
    }
    const levy_mark_terms normal = {.mean = -0.1, .volatility = 0.15};
    assert_true(fabs(levy_mark_mean_return(LEVY_MARK_NORMAL, &normal) -
                     expm1(-0.1 + 0.5 * 0.15 * 0.15)) < 1e-15);
}

/* E[exp(mark) - 1]: large marks by their exponential, small ones to the last digits. */
static void test_means_of_marks_are_exact(void **state)
{
    (void)state;
    static const double sizes[] = {-3.0, -0.3, -2e-4, -5e-5, 3e-9, 9e-5, 2e-4, 0.4, 1.5};
    static const double one = 1.0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        const levy_mark_terms fixed = {.mean = sizes[i] - 0.125, .volatility = 0.5},
                              drawn = {.n = 1, .sizes = &sizes[i], .weights = &one};
        const double want = expm1(sizes[i]), within = 1e-12 * fabs(want);
        assert_true(fabs(levy_mark_mean_return(LEVY_MARK_NORMAL, &fixed) - want) <= within + 1e-16);
        assert_true(fabs(levy_mark_mean_return(LEVY_MARK_EMPIRICAL, &drawn) - want) <= within);
    }
    const levy_mark_terms sides = {.probability_up = 0.25, .rate_up = 5.0, .rate_down = 3.0};
    assert_true(fabs(levy_mark_mean_return(LEVY_MARK_DOUBLE_EXPONENTIAL, &sides) -
                     (0.25 * (5.0 / 4.0) + 0.75 * (3.0 / 4.0) - 1.0)) < 1e-15);
}

/* Every shock of a table gets its weight, in words: by inversion to a word, by alias to a word per
 * row it stands in. */
static void test_tables_give_shocks_their_weights(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 2, 3, 17, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const size_t n = sizes[s];
        double *const weights = calloc(n, sizeof *weights),
                      *const shocks = calloc(n, sizeof *shocks), total = 0.0, mean_return = 0.0;
        uint32_t *table, *alias, shift;
        size_t n_words;
        levy_arena arena;
        levy_arena_init(&arena, &levy_memory_default);
        for (size_t i = 0; i < n; ++i) {
            total += weights[i] = 1.0 + (double)(i * i % 37);
            shocks[i] = -0.5 + (double)i / (double)n;
        }
        for (size_t i = 0; i < n; ++i) mean_return += weights[i] / total * expm1(shocks[i]);
        const levy_mark_terms mark = {.n = n, .sizes = shocks, .weights = weights};
        assert_true(fabs(levy_mark_mean_return(LEVY_MARK_EMPIRICAL, &mark) - mean_return) < 1e-14);
        assert_int_equal(levy_mark_monotone(&mark, &arena, &table, &n_words, &shift), LEVY_OK);
        uint64_t first = 0;
        double sum = 0.0;
        for (size_t i = 0; i < n; ++i) { /* its words: from `first` to before `end` */
            sum += weights[i];
            const uint64_t end = i + 1 < n ? table[i] : (uint64_t)1 << 32;
            assert_true(fabs((double)end - sum / total * 0x1p32) <= 1.0);
            assert_int_equal(jumps_monotone_item((uint32_t)first, table, (uint32_t)n, shift), i);
            assert_int_equal(jumps_monotone_item((uint32_t)(end - 1), table, (uint32_t)n, shift),
                             i);
            first = end;
        }
        assert_int_equal(levy_mark_alias(&mark, &arena, &alias, &n_words), LEVY_OK);
        double *const mass = calloc(n, sizeof *mass);
        for (size_t row = 0; row < n; ++row) {
            mass[row] += alias[2 * row] / 0x1p32 / (double)n;
            mass[alias[2 * row + 1]] += (0x1p32 - alias[2 * row]) / 0x1p32 / (double)n;
        }
        for (size_t i = 0; i < n; ++i)
            assert_true(fabs(mass[i] - weights[i] / total) <=
                        (double)(n + 1) * 0x1p-32 / (double)n);
        free(mass);
        free(weights);
        free(shocks);
        levy_arena_release(&arena);
    }
}

/* ---- Prices ---------------------------------------------------------------------------------- */

#define TWO                                                                                        \
    MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.2}\n    T: "     \
           "{currency: USD, spot: 50, volatility: 0.3}\n")                                         \
    "  correlations: {pairs: [[S.spot, T.spot, 0.4]]}\n"
#define MERTON_TERMS "intensity: 3, jump_mean: -0.1, jump_volatility: 0.15"
#define KOU_TERMS "intensity: 3, probability_up: 0.3, rate_up: 25, rate_down: 15"
#define LAYERS                                                                                     \
    "jumps: [{arrivals: common, intensity: 2, marks: [{kind: normal, mean: -0.1, volatility: "     \
    "0.1}, {kind: double_exponential, "                                                            \
    "probability_up: 0.4, rate_up: 9, rate_down: 8}]}, {assets: [T], intensity: 40, mark: {kind: " \
    "empirical, shocks: [[-0.02, 3], [0.01, 5], "                                                  \
    "[0.03, 1]]}}, {assets: [S], intensity: 0.5, counts_map: alias, mark: {kind: empirical, map: " \
    "alias, shocks: [[-0.3], [0.2]]}}]"
static const char *const models[] = {
    "models: {m: {kind: merton, assets: [S, T], " MERTON_TERMS "}}\n",
    "models: {m: {kind: kou, assets: [S, T], " KOU_TERMS "}}\n",
    "models: {m: {kind: black_scholes, assets: [S, T], " LAYERS "}}\n",
    "models: {m: {kind: kou, assets: [S, T], " KOU_TERMS ", " LAYERS "}}\n"};
enum { MODELS = sizeof models / sizeof *models };

/* A forward to `expiry`, as a call of strike 0; the last of the two traversals over four dates. */
#define FORWARD(id, asset, expiry)                                                                 \
    "  - {id: " id ", underlying: " asset                                                          \
    ", payoff: {kind: european, option_type: call, strike: 0}, exercise: {expiry: " expiry "}}\n"
#define FORWARDS                                                                                   \
    "trades:\n" FORWARD("a", "S", "0.02") FORWARD("b", "S", "0.5")                                 \
        FORWARD("c", "T",                                                                          \
                "2.0") "  - {id: d, underlying: T, payoff: {kind: asian, option_type: call, "      \
                       "strike: 0, averaging: {method: arithmetic, observations: [0.1, 0.5, 1.5, " \
                       "2.0]}}, exercise: {expiry: 2.0}}\n"

static void test_forwards_are_the_markets(void **state)
{
    (void)state;
    static const char *const points[][3] = {{"sobol_scrambled", "bridge", "bridge"},
                                            {"sobol_scrambled", "bridge", "by_interval"},
                                            {"sobol_scrambled", "incremental", "bridge"},
                                            {"sobol_scrambled", "pca", "bridge"},
                                            {"philox", "bridge", "bridge"},
                                            {"philox", "bridge", "by_interval"},
                                            {"philox", "incremental", "bridge"},
                                            {"mrg32k3a", "bridge", "bridge"},
                                            {"mrg32k3a", "bridge", "by_interval"},
                                            {"mrg32k3a", "incremental", "bridge"}};
    static char text[8192];
    for (size_t m = 0; m < MODELS; ++m)
        for (size_t g = 0; g < sizeof points / sizeof *points; ++g)
            for (int single = 0; single < 2; ++single) {
                const levy_setting settings[] = {
                    {"simulation.generator", points[g][0]},
                    {"simulation.construction", points[g][1]},
                    {"simulation.jumps", points[g][2]},
                    {"simulation.precision", single ? "single" : "double"},
                    {"simulation.paths", LEVY_SANITIZED ? "2^12" : "2^15"}};
                priced p;
                snprintf(text, sizeof text, TWO "%s" FORWARDS, models[m]);
                price_with(&p, text, settings, 5, NULL);
                const double late =
                    (exp(-0.05 * 1.9) + exp(-0.05 * 1.5) + exp(-0.05 * 0.5) + 1.0) / 4.0;
                const double bias = single ? 3e-5 : 0.0;
                assert_estimate(measure_of(&p, 0, "price", ""), 100.0 * exp(-0.02 * 0.02), bias);
                assert_estimate(measure_of(&p, 1, "price", ""), 100.0 * exp(-0.02 * 0.5), bias);
                assert_estimate(measure_of(&p, 2, "price", ""), 50.0, bias);
                assert_estimate(measure_of(&p, 3, "price", ""), 50.0 * late, bias);
                release(&p);
            }
}

static double price_of(const char *market, const char *model, const char *rest,
                       const char *generator, double *error)
{
    static char text[8192];
    const levy_setting settings[] = {{"simulation.generator", generator},
                                     {"simulation.paths", "2^14"}};
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    priced p;
    snprintf(text, sizeof text, "%s%s%s", market, model, rest);
    price_with(&p, text, settings, 2, &options);
    const levy_measure *const m = measure_of(&p, 0, "price", "");
    const double value = m->value;
    if (error) *error = m->std_error;
    release(&p);
    return value;
}

#define ASIAN_ON_TWO                                                                               \
    "trades:\n  - {id: a, underlyings: [S, T], payoff: {kind: asian, option_type: call, "          \
    "aggregate: basket, strike: 75, averaging: {method: "                                          \
    "arithmetic, observations: {count: 9}}}, exercise: {expiry: 1.0}}\n"

static void test_no_arrivals_is_black_scholes_to_the_bit(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol_scrambled", "sobol", "philox", "mrg32k3a"};
    for (size_t g = 0; g < 4; ++g) {
        const double plain = price_of(TWO, "models: {m: {kind: black_scholes, assets: [S, T]}}\n",
                                      ASIAN_ON_TWO, generators[g], NULL);
        const double merton = price_of(TWO,
                                       "models: {m: {kind: merton, assets: [S, T], intensity: 0, "
                                       "jump_mean: -0.1, jump_volatility: 0.2}}\n",
                                       ASIAN_ON_TWO, generators[g], NULL);
        const double kou = price_of(TWO,
                                    "models: {m: {kind: kou, assets: [S, T], intensity: 0, "
                                    "probability_up: 0.5, rate_up: 3, rate_down: 2}}\n",
                                    ASIAN_ON_TWO, generators[g], NULL);
        assert_true(merton == plain && kou == plain);
    }
}

/* Philox draws of the driver stand where they did, so marks of size 0 leave every bit as well. */
static void test_jumps_of_no_size_are_black_scholes(void **state)
{
    (void)state;
    const double plain = price_of(TWO, "models: {m: {kind: black_scholes, assets: [S, T]}}\n",
                                  ASIAN_ON_TWO, "philox", NULL);
    const double merton = price_of(TWO,
                                   "models: {m: {kind: merton, assets: [S, T], intensity: 5, "
                                   "jump_mean: 0, jump_volatility: 0}}\n",
                                   ASIAN_ON_TWO, "philox", NULL);
    assert_true(merton == plain);
}

static void test_a_layer_is_the_model_it_spells(void **state)
{
    (void)state;
    const double merton = price_of(TWO, models[0], ASIAN_ON_TWO, "sobol_scrambled", NULL);
    const double layer = price_of(TWO,
                                  "models: {m: {kind: black_scholes, assets: [S, T], jumps: "
                                  "[{intensity: 3, mark: {kind: normal, mean: -0.1, "
                                  "volatility: 0.15}}]}}\n",
                                  ASIAN_ON_TWO, "sobol_scrambled", NULL);
    assert_true(merton == layer);
}

/* Of this build and this processor? */
static void test_every_instruction_set_has_the_same_bits(void **state)
{
    (void)state;
    static char text[8192];
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    for (size_t m = 0; m < MODELS; ++m)
        for (size_t g = 0; g < 3; ++g) {
            const levy_setting settings[] = {{"simulation.generator", generators[g]},
                                             {"simulation.paths", "2^14"}};
            snprintf(text, sizeof text, "%s%s%s", TWO, models[m], ASIAN_ON_TWO);
            assert_sets_agree(text, 0, settings, 2);
        }
}

/* A geometric basket of two assets that jump together by normal marks jumps by normal marks itself:
 * a series. */
static void test_common_arrivals_against_the_series(void **state)
{
    (void)state;
    const double rate = 0.05, lambda = 1.5, m[2] = {-0.1, 0.05}, s[2] = {0.1, 0.2},
                 sigma[2] = {0.2, 0.3}, spot[2] = {100.0, 50.0}, rho = 0.4;
    const double variance = 0.25 * (sigma[0] * sigma[0] + sigma[1] * sigma[1] +
                                    2.0 * rho * sigma[0] * sigma[1]),
                 strike = 70.0;
    double mean = 0.0, want = 0.0, weight = exp(-lambda), error;
    for (int i = 0; i < 2; ++i)
        mean += 0.5 * (log(spot[i]) + rate - (i == 0 ? 0.02 : 0.0) - 0.5 * sigma[i] * sigma[i] -
                       lambda * expm1(m[i] + 0.5 * s[i] * s[i]));
    for (int n = 0; n < 60; weight *= lambda / ++n) {
        const double v = variance + n * 0.25 * (s[0] * s[0] + s[1] * s[1]),
                     at = mean + n * 0.5 * (m[0] + m[1]);
        const double d2 = (at - log(strike)) / sqrt(v);
        want += weight * exp(-rate) *
                (exp(at + 0.5 * v) * normal_cdf(d2 + sqrt(v)) - strike * normal_cdf(d2));
    }
    const double got =
        price_of(TWO,
                 "models: {m: {kind: black_scholes, assets: [S, T], jumps: [{arrivals: common, "
                 "intensity: 1.5, marks: [{kind: normal, "
                 "mean: -0.1, volatility: 0.1}, {kind: normal, mean: 0.05, volatility: 0.2}]}]}}\n",
                 "trades:\n  - {id: b, underlyings: [{name: S, weight: 0.5}, {name: T, weight: "
                 "0.5}], payoff: {kind: basket, basket_type: "
                 "geometric, option_type: call, strike: 70}, exercise: {expiry: 1.0}}\n",
                 "sobol_scrambled", &error);
    assert_true(error < 0.05 && fabs(got - want) <= 4.0 * error);
}

/* Cash dividends, steps of volatility and jumps together: the spot falls by the dividend, which a
 * forward sees at its worth. */
static void test_jumps_go_with_dividends_and_terms(void **state)
{
    (void)state;
    double error;
    const double got =
        price_of("schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    S: {currency: "
                 "USD, spot: 100, volatility: {kind: term, nodes: "
                 "[[0.5, 0.2], [1.0, 0.3]]}, dividends: {cash: [[0.4, 3]]}}\n",
                 "models: {m: {kind: merton, assets: [S], " MERTON_TERMS "}}\n",
                 "trades:\n" FORWARD("f", "S", "1.0"), "sobol_scrambled", &error);
    assert_true(error < 0.05 && fabs(got - (100.0 - 3.0 * exp(-0.05 * 0.4))) <= 4.0 * error);
}

/* Cases of tests/reference/merton-jump-european.yaml, whose values come from transforms. */
static void test_the_series_is_the_references(void **state)
{
    (void)state;
    static const struct {
        const char *jumps;
        double volatility, strike, expiry, price;
    } cases[] = {{"intensity: 1, jump_mean: -0.0078125, jump_volatility: 0.125", 0.21650635094611,
                  80.0, 0.1, 20.66764266827},
                 {"intensity: 10, jump_mean: -0.00078125, jump_volatility: 0.0395284707521047",
                  0.21650635094611, 100.0, 0.5, 9.031276597081},
                 {"intensity: 1, jump_mean: -0.015625, jump_volatility: 0.176776695296637",
                  0.176776695296637, 100.0, 0.1, 3.142699473675}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1024];
        double price;
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket: {curves: {USD: 0.08}, assets: {S: {currency: USD, "
                 "spot: 100, volatility: %.17g}}}\nmodels: {m: {kind: merton, assets: "
                 "[S], %s}}\ntrades: [{id: c, underlying: S, payoff: {kind: european, option_type: "
                 "call, strike: %g}, exercise: {expiry: %g}}]\n",
                 cases[i].volatility, cases[i].jumps, cases[i].strike, cases[i].expiry);
        loaded_book book = load_text(text);
        assert_int_equal(book.status, LEVY_OK);
        assert_string_equal(levy_closed_form(&book.problem->trades[0], &price), "Merton's series");
        assert_true(fabs(price - cases[i].price) < 2e-10);
        loaded_book_release(&book);
    }
}

/* European options of Kou's model are Fourier integrals, in one step and over the dates of another
 * trade. */
static void test_kou_europeans_are_fourier_integrals(void **state)
{
    (void)state;
    static const struct {
        double volatility, intensity, up, rate_up, rate_down;
    } laws[] = {{0.2, 3, 0.3, 25, 15}, {0.16, 1, 0.4, 10, 5}, {0.3, 20, 0.7, 40, 60}};
    static const char *const simulations[] = {
        "paths: 2^16", "paths: 2^16, construction: incremental", "paths: 2^18, generator: philox",
        "paths: 2^18, generator: mrg32k3a", "paths: 2^17, precision: single"};
    static const double strikes[] = {70, 90, 100, 110, 140}, expiries[] = {0.25, 2.0};
    for (size_t l = 0; l < sizeof laws / sizeof *laws; ++l)
        for (size_t s = 0; s < sizeof simulations / sizeof *simulations; ++s) {
            char text[8192];
            size_t at = (size_t)snprintf(
                text, sizeof text,
                MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: "
                       "%g}\n") "models: {m: {kind: kou, assets: [S], intensity: %g, "
                                "probability_up: %g, rate_up: %g, rate_down: %g}}\n"
                                "simulation: {%s}\ntrades:\n",
                laws[l].volatility, laws[l].intensity, laws[l].up, laws[l].rate_up,
                laws[l].rate_down, simulations[s]);
            const oracle_market market = {.n = 1,
                                          .rate = {0.05},
                                          .yield = {0.02},
                                          .volatility = {laws[l].volatility},
                                          .intensity = {laws[l].intensity},
                                          .up = {laws[l].up},
                                          .rate_up = {laws[l].rate_up},
                                          .rate_down = {laws[l].rate_down},
                                          .start = {1}};
            priced p;
            for (size_t i = 0; i < 10; ++i)
                at += (size_t)snprintf(text + at, sizeof text - at,
                                       "  - {id: t%zu, underlying: S, payoff: {kind: european, "
                                       "option_type: call, strike: %g}, exercise: {expiry: %g}}\n",
                                       i, strikes[i % 5], expiries[i / 5]);
            assert_true(at < sizeof text);
            fewer_paths(text);
            price_text(&p, text);
            for (size_t i = 0; i < 10; ++i)
                assert_estimate(measure_of(&p, i, "price", ""),
                                oracle_call(&market, 100, strikes[i % 5], expiries[i / 5]), 0.0);
            release(&p);
        }
}

/* In any order, with a first line of words, blanks and shocks that never come. */
static void test_shocks_are_read_from_csv(void **state)
{
    (void)state;
    static const char csv[] = "size,weight\r\n 0.05, 2\n-0.1 ,1e0\n0.3,0\n-0.2,0.5";
    FILE *const file = fopen(LEVY_BINARY_DIR "/test_jumps_shocks.csv", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(csv, 1, sizeof csv - 1, file), sizeof csv - 1);
    fclose(file);
    const char *const text = text_of_book("texts/jumps");
    const levy_input input = {"book.yaml", text, strlen(text), LEVY_BINARY_DIR, false};
    loaded_book book = load_inputs(&input, 1, NULL, 0);
    assert_int_equal(book.status, LEVY_OK);
    const levy_jump_terms *const layer = book.problem->models[0].terms->jumps.items;
    const levy_mark_terms *const mark = layer->mark.value;
    assert_true(mark->n == 3 && mark->sizes[0] == -0.2 && mark->sizes[1] == -0.1 &&
                mark->sizes[2] == 0.05);
    assert_true(mark->weights[0] == 0.125 && mark->weights[1] == 0.25 && mark->weights[2] == 0.5);
    loaded_book_release(&book);
    remove(LEVY_BINARY_DIR "/test_jumps_shocks.csv");
}

/* A book whose quotes change keeps its plan; every bit is that of a fresh one. */
static void test_new_quotes_have_the_bits_of_a_fresh_book(void **state)
{
    (void)state;
    static const char *const markets[] = {
        TWO, MARKET("    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.25}\n   "
                    " T: {currency: USD, spot: 50, "
                    "volatility: 0.3}\n") "  correlations: {pairs: [[S.spot, T.spot, 0.4]]}\n"};
    static char text[8192];
    levy_results *again;
    priced p;
    for (size_t m = 0; m < MODELS; ++m) {
        snprintf(text, sizeof text, "%s%s%ssimulation: {paths: 2^14}\n", markets[0], models[m],
                 ASIAN_ON_TWO);
        price_text(&p, text);
        assert_int_equal(levy_book_set(p.book, "S.volatility", 0.25), LEVY_STATUS_OK);
        assert_int_equal(levy_price(p.book, NULL, &again), LEVY_STATUS_OK);
        assert_true(levy_results_trade(again, 0)->measures[0].value ==
                    price_of(markets[1], models[m], ASIAN_ON_TWO, "sobol_scrambled", NULL));
        levy_results_destroy(again);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_the_inverse_of_the_law),
        cmocka_unit_test(test_the_tail_goes_on),
        cmocka_unit_test(test_counts_by_alias_have_the_same_law),
        cmocka_unit_test(test_double_exponential_marks_rise_and_have_their_mean),
        cmocka_unit_test(test_means_of_marks_are_exact),
        cmocka_unit_test(test_tables_give_shocks_their_weights),
        cmocka_unit_test(test_forwards_are_the_markets),
        cmocka_unit_test(test_no_arrivals_is_black_scholes_to_the_bit),
        cmocka_unit_test(test_jumps_of_no_size_are_black_scholes),
        cmocka_unit_test(test_a_layer_is_the_model_it_spells),
        cmocka_unit_test(test_every_instruction_set_has_the_same_bits),
        cmocka_unit_test(test_common_arrivals_against_the_series),
        cmocka_unit_test(test_jumps_go_with_dividends_and_terms),
        cmocka_unit_test(test_the_series_is_the_references),
        cmocka_unit_test(test_kou_europeans_are_fourier_integrals),
        cmocka_unit_test(test_shocks_are_read_from_csv),
        cmocka_unit_test(test_new_quotes_have_the_bits_of_a_fresh_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
