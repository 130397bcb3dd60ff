/* test_joint_shocks.c: tables of joint shocks: how they are read, the order of their rows, and
 * prices: a sum over counts of rows, assets that move as one, forwards, tables that are products,
 * one asset of a table, the same bits on every instruction set, and what happens without memory. */
#include "tests/greeks_case.h"
#include "tests/instruction_sets.h"

#include "models/jump_plan.h"
#include "tests/fewer_paths.h"
#include "tests/heap.h"
#include "tests/problem_load.h"

/* ---- Reading --------------------------------------------------------------------------------- */

#define ASSETS                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"                               \
    "    S: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.2}\n"                   \
    "    T: {currency: USD, spot: 90, volatility: 0.3}\n"                                          \
    "    U: {currency: USD, spot: 50, volatility: 0.25}\n"                                         \
    "  correlations: {pairs: [[S.spot, T.spot, 0.4], [S.spot, U.spot, 0.3], [T.spot, U.spot, "     \
    "0.2]]}\n"
#define MODEL(intensity, mark)                                                                     \
    "models: {m: {kind: black_scholes, assets: [S, T, U], jumps: [{arrivals: common, intensity: "  \
    "" intensity ", mark: {kind: empirical, " mark "}}]}}\n"
#define CALL_ON(id, asset, strike)                                                                 \
    "  - {id: " id ", underlying: " asset ", payoff: {kind: european, option_type: call, strike: " \
    "" strike "}, exercise: {expiry: 1.0}}\n"

/* Loads a book with that mark. The folder is where it looks for files. */
static loaded_book load_mark(const char *mark)
{
    char text[2048];
    const int length = snprintf(text, sizeof text,
                                ASSETS MODEL("1", "%s") "trades:\n" CALL_ON("c", "S", "100"), mark);
    const levy_input input = {"book.yaml", text, (size_t)length, LEVY_BINARY_DIR, false};
    return load_inputs(&input, 1, NULL, 0);
}

static const levy_mark_terms *mark_of(const loaded_book *book)
{
    const levy_jump_terms *const layer = book->problem->models[0].terms->jumps.items;
    return layer->mark.value;
}

static void write_csv(const char *text)
{
    FILE *const file = fopen(LEVY_BINARY_DIR "/test_joint_shocks.csv", "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/* The rows of the text and of the file are the same. Those of weight 0 are left out, and a power of
 * two takes the largest weight below 1. */
static void test_tables_are_read(void **state)
{
    (void)state;
    static const char *const marks[] = {
        "assets: [T, S], shocks: [[0.05, -0.02, 2], [-0.1, 0.01, 1], [3, 3, 0], [0, -0.3, 0.5]]",
        "assets: [T, S], file: test_joint_shocks.csv"};
    static const char *const files[] = {
        "T,S,weight\r\n 0.05, -0.02,2\n-0.1,1e-2 , 1\n3,3,0\n0,-0.3,.5",
        "0.05,-0.02,2\n-0.1,0.01,1\n3,3,0\n0,-0.3,0.5\n",
        ("\xef\xbb\xbf\n# of two assets\n T , S , weight\r\n\r\n0.05,-0.02,2 # Monday\n\n"
         "-0.1,\t0.01,1\n3,3,0\n  # none\n0,-0.3,0.5\n\n")};
    static const double want[3][3] = {{0.05, -0.02, 2.0}, {-0.1, 0.01, 1.0}, {0.0, -0.3, 0.5}};
    static const uint32_t orders[2][3] = {{1, 2, 0}, {2, 0, 1}};
    for (size_t c = 0; c < 4; ++c) {
        if (c > 0) write_csv(files[c - 1]);
        loaded_book book = load_mark(marks[c > 0]);
        assert_int_equal(book.status, LEVY_OK);
        const levy_joint_shocks *const joint = mark_of(&book)->joint;
        assert_non_null(joint);
        assert_true(joint->n_rows == 3 && joint->n_assets == 2);
        for (size_t k = 0; k < 2; ++k) {
            const levy_mark_terms *const column = &joint->columns[k];
            double mean = 0.0;
            for (size_t i = 0; i < 3; ++i) {
                assert_true(column->sizes[i] == want[i][k] &&
                            joint->weights[i] == 0.25 * want[i][2]);
                assert_int_equal(column->order[i], orders[k][i]);
                mean += want[i][2] / 3.5 * expm1(want[i][k]);
            }
            assert_true(fabs(levy_mark_mean_return(LEVY_MARK_EMPIRICAL, column) - mean) < 1e-15);
        }
        loaded_book_release(&book);
    }
    write_csv("T,S\n0.05,-0.02\n"); /* no weights: each is 1 */
    loaded_book book = load_mark(marks[1]);
    assert_int_equal(book.status, LEVY_OK);
    assert_true(mark_of(&book)->n == 1 && mark_of(&book)->joint->weights[0] == 0.5);
    loaded_book_release(&book);
    remove(LEVY_BINARY_DIR "/test_joint_shocks.csv");
}

/* A price with weights of 1 and 2 and a few sizes, all times 2^exponent, in one of three tables. */
static double price_in_units(int model, int exponent)
{
    static const char *const models[] = {
        "{kind: historical, assets: [S, T], shocks: [[20, 0.1, %s], [-0.1, -0.2, %s]]}",
        "{kind: black_scholes, assets: [S, T], jumps: [{arrivals: common, intensity: 0.5, mark: "
        "{kind: empirical, assets: [S, T], shocks: [[20, 0.1, %s], [-0.1, -0.2, %s]]}}]}",
        "{kind: black_scholes, assets: [S, T], jumps: [{intensity: 0.5, mark: {kind: empirical, "
        "shocks: [[20, %s], [-0.1, %s]]}}]}",
    };
    char one[40], two[40], model_text[512], text[2048];
    priced p;
    snprintf(one, sizeof one, "%.17g", ldexp(1.0, exponent));
    snprintf(two, sizeof two, "%.17g", ldexp(2.0, exponent));
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(model_text, sizeof model_text, models[model], one, two);
#pragma GCC diagnostic pop
    snprintf(text, sizeof text,
             ASSETS
             "models: {m: %s}\ntrades:\n" CALL_ON("c", "T", "90") "simulation: {paths: 2^12}\n",
             model_text);
    price_text(&p, text);
    const levy_measure *const price = measure_of(&p, 0, "price", "");
    const double value = price->value;
    release(&p);
    return value;
}

/* Weights are shares: their unit changes no bit, near the ends of doubles either. */
static void test_units_of_weights_change_nothing(void **state)
{
    (void)state;
    static const int exponents[] = {-1074, -1060, -1000, 7, 995};
    for (int model = 0; model < 3; ++model) {
        const double want = price_in_units(model, 0);
        assert_true(want > 0.0 && want < 1e3);
        for (size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i)
            assert_true(price_in_units(model, exponents[i]) == want);
    }
}

/* A fault of a file names its line and the asset whose column it is in. */
static void test_faults_name_line_and_column(void **state)
{
    (void)state;
    static const struct {
        const char *file, *message;
    } cases[] = {
        {"T,S\n0.1,0.2\n0.1,much\n", "test_joint_shocks.csv:3, S: not a number: 'much'"},
        {"0.1,0.2\n25,0.1\n",
         "test_joint_shocks.csv:2, T: a log jump must be in [-20, 20]; got 25"},
        {"0.1,0.2,1\n0.1,0.1,-1\n",
         "test_joint_shocks.csv:2: a weight must be in [0, 1e300]; got -1"},
        {"0.1,0.2,1\n0.1,0.1\n", "test_joint_shocks.csv:2: 2 columns where 3 are expected"},
        {"0.1\n", "test_joint_shocks.csv:1: 1 column where 2 or 3 are expected"},
        {"0.1,0.2,0.3,0.4\n", "test_joint_shocks.csv:1: 4 columns where 2 or 3 are expected"},
        {"S,T\n0.1,0.2\n", "test_joint_shocks.csv:1: column 1 is 'S' where 'T' is expected"},
        {"\n# assets\nT,S,Weight\n0.1,0.2,1\n",
         "test_joint_shocks.csv:3: column 3 is 'Weight' where 'weight' is expected"},
        {"T\n0.1,0.2\n", "test_joint_shocks.csv:1: 1 column where 2 or 3 are expected"},
        {"T,S,weight,U\n", "test_joint_shocks.csv:1: 4 columns where 2 or 3 are expected"},
        {"0.1,much\n", "test_joint_shocks.csv:1, S: not a number: 'much'"},
        {"\xef\xbb\xbf"
         "0.1,0.2\n\n# much\n0.1,?\n",
         "test_joint_shocks.csv:4, S: not a number: '?'"},
        {"0.1;0.2\n", "test_joint_shocks.csv:1: semicolons where commas are expected between"},
        {"0,1;0,2\n", "test_joint_shocks.csv:1: semicolons where commas are expected between"},
        {"T\tS\n0.1\t0.2\n", "test_joint_shocks.csv:1: tabs where commas are expected between"},
        {"T,S,weight\n0.1,0.2,1\n0.1,,1\n", "test_joint_shocks.csv:3, S: not a number: ''"},
        {"0.1,0.2,0\n", "all weights are 0"},
        {"T,S\n", "test_joint_shocks.csv' has no rows"},
        {"\xef\xbb\xbf# none\n\n", "test_joint_shocks.csv' has no rows"},
        {"", "test_joint_shocks.csv' has no rows"}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        write_csv(cases[c].file);
        loaded_book book = load_mark("assets: [T, S], file: test_joint_shocks.csv");
        assert_int_equal(book.status, LEVY_INPUT);
        assert_int_equal(book.faults.errors, 1);
        if (!strstr(book.faults.items[0].message, cases[c].message))
            fail_msg("%s", book.faults.items[0].message);
        loaded_book_release(&book);
    }
    remove(LEVY_BINARY_DIR "/test_joint_shocks.csv");
}

/* ---- The order of rows ----------------------------------------------------------------------- */

enum { ROWS = 500, COLUMNS = 3 };

/* Numbers that look random, in (-1, 1). */
static double noise(uint64_t i) { return (double)(int64_t)(i * 0x9e3779b97f4a7c15u) * 0x1p-63; }

/* The direction in which the rows vary most, by powers of their covariance. */
static void principal(double (*const x)[ROWS], const double *weights, double *direction)
{
    double means[COLUMNS] = {0}, c[COLUMNS][COLUMNS] = {{0}}, total = 0.0;
    for (size_t i = 0; i < ROWS; ++i) total += weights[i];
    for (size_t a = 0; a < COLUMNS; ++a)
        for (size_t i = 0; i < ROWS; ++i) means[a] += weights[i] * x[a][i] / total;
    for (size_t a = 0; a < COLUMNS; ++a)
        for (size_t b = 0; b < COLUMNS; ++b)
            for (size_t i = 0; i < ROWS; ++i)
                c[a][b] += weights[i] * (x[a][i] - means[a]) * (x[b][i] - means[b]) / total;
    for (size_t a = 0; a < COLUMNS; ++a) direction[a] = 1.0;
    for (int step = 0; step < 500; ++step) {
        double next[COLUMNS] = {0}, length = 0.0;
        for (size_t a = 0; a < COLUMNS; ++a)
            for (size_t b = 0; b < COLUMNS; ++b) next[a] += c[a][b] * direction[b];
        for (size_t a = 0; a < COLUMNS; ++a) length += next[a] * next[a];
        for (size_t a = 0; a < COLUMNS; ++a) direction[a] = next[a] / sqrt(length);
    }
}

static void test_rows_rise_along_their_principal_direction(void **state)
{
    (void)state;
    static double x[COLUMNS][ROWS], weights[ROWS];
    double direction[COLUMNS], before = -1e9;
    levy_mark_terms marks[COLUMNS];
    const levy_mark_terms *columns[COLUMNS];
    const uint32_t *order;
    bool seen[ROWS] = {false};
    levy_arena arena;
    levy_arena_init(&arena, &levy_memory_default);
    for (size_t i = 0; i < ROWS; ++i) {
        const double common = noise(4 * i + 1);
        weights[i] = 1.0 + noise(4 * i + 2);
        for (size_t a = 0; a < COLUMNS; ++a)
            x[a][i] = (a == 1 ? -0.2 : 0.5) * common + 0.3 * noise(977 * i + a);
    }
    for (size_t a = 0; a < COLUMNS; ++a) {
        marks[a] = (levy_mark_terms){.n = ROWS, .sizes = x[a], .weights = weights};
        columns[a] = &marks[a];
    }
    principal(x, weights, direction);
    assert_int_equal(levy_joint_order(columns, COLUMNS, &arena, &order), LEVY_OK);
    for (size_t i = 0; i < ROWS; ++i) {
        double key = 0.0;
        for (size_t a = 0; a < COLUMNS; ++a) key += direction[a] * x[a][order[i]];
        assert_true(key >= before - 1e-9 && !seen[order[i]]);
        seen[order[i]] = true;
        before = key;
    }
    levy_arena_release(&arena);
}

/* ---- Prices ---------------------------------------------------------------------------------- */

static const char *const points[][2] = {{"sobol_scrambled", "bridge"},
                                        {"sobol_scrambled", "by_interval"},
                                        {"philox", "bridge"},
                                        {"philox", "by_interval"},
                                        {"mrg32k3a", "bridge"}};
enum { POINTS = sizeof points / sizeof *points };

static void price_points(priced *p, const char *text, size_t g, const char *paths)
{
    const levy_setting settings[] = {{"simulation.generator", points[g][0]},
                                     {"simulation.jumps", points[g][1]},
                                     {"simulation.paths", LEVY_SANITIZED ? "2^12" : paths}};
    price_with(p, text, settings, 3, NULL);
}

/* What jumps do to S and T when each row has come so often. */
typedef struct moved {
    double log_s, log_t;
} moved;

static const double shocks[3][3] = {{-0.3, -0.2, 1.0}, {-0.1, 0.15, 2.0}, {0.08, 0.05, 5.0}};
#define SHOCKS "assets: [S, T], shocks: [[-0.3, -0.2, 1], [-0.1, 0.15, 2], [0.08, 0.05, 5]]"

/* The price of `lognormal`, a claim on S and T of known log moves, over counts of the three rows.
 * Each is a Poisson number of its own. */
static double over_counts(double intensity, double (*lognormal)(moved))
{
    enum { MOST = 24 };
    double means[3] = {0}, sum = 0.0, drift_s = 0.0, drift_t = 0.0;
    for (size_t r = 0; r < 3; ++r) {
        means[r] = intensity * shocks[r][2] / 8.0;
        drift_s -= means[r] * expm1(shocks[r][0]);
        drift_t -= means[r] * expm1(shocks[r][1]);
    }
    for (int i = 0; i < MOST; ++i)
        for (int j = 0; j < MOST; ++j)
            for (int k = 0; k < MOST; ++k) {
                const double n[3] = {i, j, k};
                moved m = {drift_s, drift_t};
                double log_weight = 0.0;
                for (size_t r = 0; r < 3; ++r) {
                    m.log_s += n[r] * shocks[r][0];
                    m.log_t += n[r] * shocks[r][1];
                    log_weight += n[r] * log(means[r]) - means[r] - lgamma(n[r] + 1.0);
                }
                sum += exp(log_weight) * lognormal(m);
            }
    return sum;
}

/* Margrabe's formula for S against T. */
static double exchange(moved m)
{
    const double s = 100.0 * exp(-0.02 + m.log_s), t = 90.0 * exp(m.log_t),
                 v = sqrt(0.2 * 0.2 + 0.3 * 0.3 - 2.0 * 0.4 * 0.2 * 0.3),
                 d = (log(s / t) + 0.5 * v * v) / v;
    return s * normal_cdf(d) - t * normal_cdf(d - v);
}

/* A put on the root of the product of S and T. */
static double geometric(moved m)
{
    const double v = 0.5 * sqrt(0.2 * 0.2 + 0.3 * 0.3 + 2.0 * 0.4 * 0.2 * 0.3), strike = 95.0,
                 mean = 0.5 * (log(100.0) + log(90.0) + 0.1 - 0.02 - 0.5 * (0.2 * 0.2 + 0.3 * 0.3) +
                               m.log_s + m.log_t),
                 d = (mean - log(strike)) / v;
    return exp(-0.05) * (strike * normal_cdf(-d) - exp(mean + 0.5 * v * v) * normal_cdf(-d - v));
}

/* Rows that move S and T alike and apart. Were the assets' shocks drawn one by one, both prices
 * would be off by far more than the tolerance. */
static void test_prices_are_sums_over_counts_of_rows(void **state)
{
    (void)state;
    static const char text[] = ASSETS MODEL("1.5", SHOCKS) //
        "trades:\n  - {id: x, underlyings: [S, T], payoff: {kind: exchange}, exercise: {expiry: "
        "1.0}}\n  - {id: g, underlyings: [{name: S, weight: 0.5}, {name: T, weight: 0.5}], payoff: "
        "{kind: basket, basket_type: geometric, option_type: put, strike: 95}, exercise: {expiry: "
        "1.0}}\n";
    static const char own[] = ASSETS
        "models: {m: {kind: black_scholes, assets: [S, T, U], jumps: [{arrivals: common, "
        "intensity: 1.5, marks: [{kind: empirical, shocks: [[-0.3, 1], [-0.1, 2], [0.08, 5]]}, "
        "{kind: empirical, shocks: [[-0.2, 1], [0.15, 2], [0.05, 5]]}, {kind: normal, mean: 0, "
        "volatility: 0}]}]}}\ntrades:\n  - {id: x, underlyings: [S, T], payoff: {kind: exchange}, "
        "exercise: {expiry: 1.0}}\n";
    const double want[2] = {over_counts(1.5, exchange), over_counts(1.5, geometric)};
    priced p;
    for (size_t g = 0; g < POINTS; ++g) {
        price_points(&p, text, g, "2^15");
        for (size_t t = 0; t < 2; ++t) {
            const levy_measure *const price = measure_of(&p, t, "price", "");
            assert_estimate(price, want[t], 0.0);
            assert_true(g > 1 || LEVY_SANITIZED || price->std_error < 0.02);
        }
        release(&p);
    }
    price_points(&p, own, 0, "2^15");
    const levy_measure *const apart = measure_of(&p, 0, "price", "");
    assert_true(fabs(apart->value - want[0]) > (LEVY_SANITIZED ? 4.0 : 20.0) * apart->std_error);
    release(&p);
}

/* Rows that move both assets alike, whose volatilities are next to nothing: the assets stay equal
 * on every path, with many arrivals too, whose words lie past the point set. */
static void test_assets_of_a_row_never_part(void **state)
{
    (void)state;
    static const char *const intensities[] = {"0.7", "40", "300"};
    char text[2048];
    for (size_t i = 0; i < 3; ++i)
        for (size_t g = 0; g < POINTS; ++g) {
            priced p;
            snprintf(text, sizeof text,
                     "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    S: "
                     "{currency: USD, spot: 100, volatility: 1e-8}\n    T: {currency: USD, spot: "
                     "100, volatility: 1e-8}\n  correlations: {pairs: [[S.spot, T.spot, 0]]}\n"
                     "models: {m: {kind: black_scholes, assets: [S, T], jumps: [{arrivals: common, "
                     "intensity: %s, mark: {kind: empirical, assets: [T, S], shocks: [[-0.05, "
                     "-0.05, 2], [0.03, 0.03, 1]]}}]}}\ntrades:\n  - {id: x, underlyings: [S, T], "
                     "payoff: {kind: exchange}, exercise: {expiry: 1.0}}\n  - {id: a, underlyings: "
                     "[{name: S, weight: 1}, {name: T, weight: -1}], payoff: {kind: asian, "
                     "aggregate: basket, option_type: call, strike: 0, averaging: {observations: "
                     "{count: 4}}}, exercise: {expiry: 1.0}}\n",
                     intensities[i]);
            price_points(&p, text, g, "2^12");
            for (size_t t = 0; t < 2; ++t) {
                const double value = measure_of(&p, t, "price", "")->value;
                assert_true(value > 0.0 && value < 1e-6);
            }
            release(&p);
        }
}

#define FORWARD(id, asset)                                                                         \
    "  - {id: " id ", underlying: " asset ", payoff: {kind: asian, option_type: call, strike: 0, " \
    "averaging: {method: arithmetic, observations: [0.25, 1.0]}}, exercise: {expiry: 1.0}}\n"

/* U is not in the table; its price is that of a diffusion. */
static void test_forwards_are_the_markets(void **state)
{
    (void)state;
    static const char text[] = ASSETS MODEL("3", SHOCKS) "trades:\n" FORWARD("s", "S")
        FORWARD("t", "T") CALL_ON("u", "U", "50");
    const double early = exp(-0.05 * 0.75);
    for (size_t g = 0; g < POINTS; ++g) {
        priced p;
        price_points(&p, text, g, "2^14");
        assert_estimate(measure_of(&p, 0, "price", ""),
                        50.0 * (exp(-0.02 * 0.25) * early + exp(-0.02)), 0.0);
        assert_estimate(measure_of(&p, 1, "price", ""), 45.0 * (early + 1.0), 0.0);
        assert_estimate(measure_of(&p, 2, "price", ""),
                        call_price(50.0, 50.0, 0.05, 0.0, 0.25, 1.0), 0.0);
        release(&p);
    }
}

#define SPREAD                                                                                     \
    "trades:\n  - {id: s, underlyings: [S, T], payoff: {kind: spread, option_type: call, strike: " \
    "5}, exercise: {expiry: 1.0}}\n"

/* All pairs of two lists of shocks, with the products of their weights: as if each asset drew its
 * own. */
static void test_a_table_of_products_is_two_tables(void **state)
{
    (void)state;
    static const char joint[] = ASSETS MODEL(
        "2", "assets: [S, T], shocks: [[-0.2, -0.3, 1], [-0.2, 0.1, 3], [0.05, -0.3, 4], [0.05, "
             "0.1, 12]]") SPREAD;
    static const char own[] = ASSETS
        "models: {m: {kind: black_scholes, assets: [S, T, U], jumps: [{arrivals: common, assets: "
        "[S, T], intensity: 2, marks: [{kind: empirical, shocks: [[-0.2, 1], [0.05, 4]]}, {kind: "
        "empirical, shocks: [[-0.3, 1], [0.1, 3]]}]}]}}\n" SPREAD;
    for (size_t g = 0; g < 3; ++g) {
        priced a, b;
        price_points(&a, joint, g, "2^15");
        price_points(&b, own, g, "2^15");
        const levy_measure *const x = measure_of(&a, 0, "price", ""), *const y = measure_of(
                                                                          &b, 0, "price", "");
        assert_true(fabs(x->value - y->value) <= 4.0 * hypot(x->std_error, y->std_error));
        assert_true(g > 1 || LEVY_SANITIZED || x->std_error < 0.05);
        release(&a);
        release(&b);
    }
}

/* A trade on one asset of the table draws as from a list of that asset's shocks, in the order of
 * size: the same bits. */
static void test_one_asset_of_a_table_is_a_list(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol", "sobol_scrambled"};
    for (size_t g = 0; g < 2; ++g) {
        const levy_setting settings[] = {{"simulation.generator", generators[g]},
                                         {"simulation.paths", "2^13"}};
        assert_true(price_on_set(ASSETS MODEL("2", SHOCKS) "trades:\n" CALL_ON("t", "T", "95"), 0,
                                 settings, 2, "auto") ==
                    price_on_set(ASSETS MODEL("2", "shocks: [[0.15, 2], [-0.2, 1], [0.05, 5]]") //
                                 "trades:\n" CALL_ON("t", "T", "95"),
                                 0, settings, 2, "auto"));
    }
}

/* Beside another layer, by tables of both kinds, on three assets. */
static void test_every_instruction_set_has_the_same_bits(void **state)
{
    (void)state;
    static const char text[] =
        ASSETS "models: {m: {kind: merton, assets: [S, T, U], intensity: 1, jump_mean: -0.1, "
               "jump_volatility: 0.15, jumps: [{arrivals: common, intensity: 5, mark: {kind: "
               "empirical, " SHOCKS "}}, {arrivals: common, intensity: 30, mark: {kind: empirical, "
               "map: alias, assets: [U, S], shocks: [[-0.03, -0.02], [0.02, 0.03], [0.01, -0.01]]}}"
               "]}}\ntrades:\n  - {id: w, underlyings: [S, T, U], payoff: {kind: asian, aggregate: "
               "worst_of, option_type: put, strike_type: percent_of_initial, strike: 1, "
               "initial_fixing: spot, averaging: {observations: {count: 5}}}, exercise: {expiry: "
               "1.0}}\n";
    static const char *const generators[] = {"sobol_scrambled", "philox"};
    for (size_t g = 0; g < 2; ++g) {
        const levy_setting settings[] = {{"simulation.generator", generators[g]},
                                         {"simulation.paths", "2^13"}};
        assert_sets_agree(text, 0, settings, 2);
    }
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Loads and prices; the first status that is not OK. */
static int price_once(levy_context *context, double *price)
{
    static const char text[] = ASSETS
        "models:\n  m: {kind: black_scholes, assets: [S, T, U], jumps: [{arrivals: common, "
        "intensity: 1, mark: {kind: empirical, " SHOCKS
        "}}]}\n  h: {kind: historical, scale: market, assets: [S, "
        "T], shocks: [[-0.01, 0.02], [0.01, 0.01]]}\ntrades:\n  - {id: a, model: m, underlyings: "
        "[S, T], payoff: {kind: exchange}, exercise: {expiry: 1.0}}\n  - {id: b, model: h, "
        "underlyings: [S, T], payoff: {kind: exchange}, exercise: {expiry: 0.02}}\nsimulation: "
        "{paths: 2^8}\n";
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1};
    levy_book *book;
    levy_results *results = NULL;
    int status = levy_book_load_text(context, "book", text, strlen(text), NULL, 0, &book);
    if (status != LEVY_STATUS_OK) return status;
    status = levy_price(book, &options, &results);
    if (status == LEVY_STATUS_OK && levy_results_run(results)->failed > 0)
        status = LEVY_STATUS_MEMORY;
    if (status == LEVY_STATUS_OK)
        *price = levy_results_trade(results, 0)->price + levy_results_trade(results, 1)->price;
    levy_results_destroy(results);
    levy_book_destroy(book);
    return status;
}

/* Every allocation of reading and planning fails once: the call says so, and nothing is lost. */
static void test_no_memory_is_said(void **state)
{
    (void)state;
    test_heap heap = {0};
    const levy_context_options options = heap_options(&heap);
    levy_context *context;
    double right = 0.0, price = 0.0;
    assert_int_equal(levy_context_create(&options, &context), LEVY_STATUS_OK);
    heap.calls = 0;
    assert_int_equal(price_once(context, &right), LEVY_STATUS_OK);
    const long calls = heap.calls;
    assert_true(calls > 20);
    for (long n = 1; n <= calls; ++n) {
        heap_fail(&heap, n);
        const int status = price_once(context, &price);
        assert_true(status == LEVY_STATUS_MEMORY || (status == LEVY_STATUS_OK && price == right));
    }
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_are_read),
        cmocka_unit_test(test_units_of_weights_change_nothing),
        cmocka_unit_test(test_faults_name_line_and_column),
        cmocka_unit_test(test_rows_rise_along_their_principal_direction),
        cmocka_unit_test(test_prices_are_sums_over_counts_of_rows),
        cmocka_unit_test(test_assets_of_a_row_never_part),
        cmocka_unit_test(test_forwards_are_the_markets),
        cmocka_unit_test(test_a_table_of_products_is_two_tables),
        cmocka_unit_test(test_one_asset_of_a_table_is_a_list),
        cmocka_unit_test(test_every_instruction_set_has_the_same_bits),
        cmocka_unit_test(test_no_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
