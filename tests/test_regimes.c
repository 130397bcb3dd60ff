/* test_regimes.c: regime switching: the chain's tables, the lanes that look them up, and prices
 * against a matrix exponential with a Fourier integral, martingales, limits and mixtures. */
#include "tests/greeks_case.h"

#include "kernels/cpu/cpu_objects.h"
#include "models/chain.h"
#include "models/model.h"
#include "models/regime_terms.h"
#include "models/regime_switching.h"
#include "tests/fewer_paths.h"
#include "tests/regimes_oracle.h"
#include "tests/single_lanes.h"

/* ---- The chain ------------------------------------------------------------------------------- */

static uint64_t chain_random = 1;
static double chain_uniform(void) /* splitmix64 */
{
    uint64_t z = chain_random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static void test_two_states_have_their_closed_form(void **state)
{
    (void)state;
    const double rates[][2] = {{0.5, 0.5}, {6.0, 9.0}, {1e-3, 2.0}, {0.0, 3.0}, {5000.0, 10000.0}};
    const double times[] = {0.0, 1e-6, 1.0 / 252, 0.5, 1.0, 30.0};
    double work[8 + 2], p[4 + 2];
    for (size_t i = 0; i < 5; ++i)
        for (size_t j = 0; j < 6; ++j) {
            work[8] = work[9] = p[4] = p[5] = -7.0; /* no number beyond the end is touched */
            const double a = rates[i][0], b = rates[i][1], q[] = {-a, a, b, -b};
            levy_chain_transition(2, q, times[j], work, p);
            assert_true(work[8] == -7.0 && work[9] == -7.0 && p[4] == -7.0 && p[5] == -7.0);
            const double away = -expm1(-(a + b) * times[j]) * a / (a + b),
                         back = -expm1(-(a + b) * times[j]) * b / (a + b);
            assert_true(fabs(p[1] - away) <= 1e-13 * away + 1e-300 &&
                        fabs(p[2] - back) <= 1e-13 * back + 1e-300);
            assert_true(fabs(p[0] + p[1] - 1.0) < 3e-16 && fabs(p[2] + p[3] - 1.0) < 3e-16);
        }
}

/* P(s + t) = P(s) P(t), rows of nonnegative entries that sum to 1, for the most states there may
 * be. */
static void test_transitions_are_a_semigroup(void **state)
{
    (void)state;
    enum { N = LEVY_CHAIN_STATES };
    static double q[N * N], work[2 * N * N], one[N * N], other[N * N], both[N * N];
    for (size_t i = 0; i < N * N; ++i) q[i] = chain_uniform() < 0.2 ? 4.0 * chain_uniform() : 0.0;
    levy_chain_transition(N, q, 0.3, work, one);
    levy_chain_transition(N, q, 0.45, work, other);
    levy_chain_transition(N, q, 0.75, work, both);
    for (size_t i = 0; i < N; ++i) {
        double total = 0.0;
        for (size_t j = 0; j < N; ++j) {
            double sum = 0.0;
            for (size_t k = 0; k < N; ++k) sum += one[i * N + k] * other[k * N + j];
            assert_true(both[i * N + j] >= 0.0 && fabs(sum - both[i * N + j]) < 1e-14);
            total += both[i * N + j];
        }
        assert_true(fabs(total - 1.0) < 1e-14);
    }
}

static uint32_t row_chooses(uint32_t n, const uint32_t *row, uint32_t word)
{
    uint32_t next = 0;
    while (next + 1 < n && (word | 1) > row[next]) ++next;
    return next;
}

/* Every state has as many words as its probability says, to one; states without any have none. */
static void test_rows_share_out_the_words(void **state)
{
    (void)state;
    for (size_t n = 1; n <= LEVY_CHAIN_STATES; ++n) {
        double p[LEVY_CHAIN_STATES], sum = 0.0;
        uint32_t row[LEVY_CHAIN_STATES];
        for (size_t j = 0; j < n; ++j) sum += p[j] = chain_uniform() < 0.4 ? 0.0 : chain_uniform();
        if (sum == 0.0) sum = p[n / 2] = 1.0;
        for (size_t j = 0; j < n; ++j) p[j] /= sum;
        levy_chain_row(n, p, row);
        double below = 0.0;
        for (size_t j = 0; j < n; ++j) {
            const double end = ceil(row[j] / 2.0), share = end - below; /* odd words */
            assert_true(fabs(share - p[j] * 0x1p31) <= 1.0 && (p[j] > 0.0 || share == 0.0));
            below = end;
        }
        assert_true(below == 0x1p31);
    }
    const double sure[] = {0.0, 0.0, 1.0, 0.0};
    uint32_t row[4];
    levy_chain_row(4, sure, row);
    assert_int_equal(row_chooses(4, row, 0), 2);
    assert_int_equal(row_chooses(4, row, 0xffffffffu), 2);
}

static void test_lanes_choose_as_the_row_says(void **state)
{
    (void)state;
    static uint32_t table[LEVY_CHAIN_STATES * LEVY_CHAIN_STATES];
    for (uint32_t n = 1; n <= LEVY_CHAIN_STATES; ++n) {
        const uint32_t width = levy_chain_width(n);
        for (uint32_t i = 0; i < n; ++i) {
            double p[LEVY_CHAIN_STATES], sum = 0.0;
            for (uint32_t j = 0; j < n; ++j)
                sum += p[j] = chain_uniform() < 0.3 ? 0.0 : chain_uniform() + 1e-9;
            if (sum == 0.0) sum = p[0] = 1.0;
            for (uint32_t j = 0; j < n; ++j) p[j] /= sum;
            levy_chain_row(n, p, table + i * width);
        }
        for (int trial = 0; trial < 200; ++trial) {
            lane_word from, word;
            for (int i = 0; i < LANES; ++i) {
                from[i] = (uint32_t)(chain_uniform() * n);
                word[i] = (uint32_t)(chain_uniform() * 0x1p32) | 1;
                if (trial < 2) word[i] = trial ? 0xffffffffu : 1;
                if (trial % 4 == 3) /* at a threshold and beside it */
                    word[i] = (table[from[i] * width + (uint32_t)(chain_uniform() * width)] +
                               (uint32_t)(trial / 4 % 3)) |
                              1;
            }
            const lane_word next = regime_next(table, n, from, word);
            for (int i = 0; i < LANES; ++i)
                assert_int_equal(next[i], row_chooses(n, table + from[i] * width, word[i]));
        }
    }
}

/* The search in words: blocks of 32 filled up with zeros, neighbours added in each, blocks one
 * after the other; to the right where the target is not below what lies on the left and something
 * lies on the right. */
static uint32_t scalar_attracted(uint32_t n, const double *weights, uint32_t word)
{
    double tree[2][64] = {{0.0}}, before[3] = {0.0};
    for (uint32_t b = 0; b < 2; ++b) {
        for (uint32_t k = 0; k < 32; ++k)
            tree[b][32 + k] = 32 * b + k < n ? weights[32 * b + k] : 0.0;
        for (uint32_t i = 31; i > 0; --i) tree[b][i] = tree[b][2 * i] + tree[b][2 * i + 1];
        before[b + 1] = before[b] + tree[b][1];
    }
    double target = before[2] * ((double)word * 0x1p-32);
    if (!(target < before[2])) target = nextafter(before[2], 0.0);
    const uint32_t block = target >= before[1];
    double low = before[block];
    uint32_t node = 1;
    while (node < 32) {
        const uint32_t right =
            target >= low + tree[block][2 * node] && tree[block][2 * node + 1] > 0.0;
        if (right) low += tree[block][2 * node];
        node = 2 * node + right;
    }
    return 32 * block + node - 32;
}

static void test_lanes_draw_by_partial_sums(void **state)
{
    (void)state;
    static double theta[8 * 64], phi[4 * 64];
    for (uint32_t n = 1; n <= 64; ++n) {
        const uint32_t leaves = regime_leaves(n);
        for (uint32_t i = 0; i < 8 * leaves; ++i)
            theta[i] = i % leaves < n && chain_uniform() < 0.7
                           ? ldexp(chain_uniform(), -(int)(i % 5) * 9)
                           : 0.0;
        for (uint32_t i = 0; i < 8; ++i) theta[i * leaves + (uint32_t)(chain_uniform() * n)] = 0.5;
        for (uint32_t i = 0; i < 4 * leaves; ++i)
            phi[i] = i % leaves < n ? 0.1 + chain_uniform() : 0.0;
        for (int trial = 0; trial < 200; ++trial) {
            lane_word at, bucket, word;
            for (int i = 0; i < LANES; ++i) {
                at[i] = (uint32_t)(chain_uniform() * 8) * leaves;
                bucket[i] = (uint32_t)(chain_uniform() * 4) * leaves;
                word[i] = trial ? 0xffffffffu : 0;
                if (trial > 1) word[i] = (uint32_t)(chain_uniform() * 0x1p32);
            }
            const lane_word next = regime_next_by_level(theta, phi, n, at, bucket, word);
            for (int i = 0; i < LANES; ++i) {
                double weights[64];
                for (uint32_t k = 0; k < n; ++k) weights[k] = theta[at[i] + k] * phi[bucket[i] + k];
                assert_int_equal(next[i], scalar_attracted(n, weights, word[i]));
                assert_true(weights[next[i]] > 0.0);
            }
        }
    }
}

/* In single precision, where a target may round to the sum of all, too. */
static void test_no_lane_draws_what_has_no_weight(void **state)
{
    (void)state;
    for (int trial = 0; trial < 100000; ++trial) {
        const uint32_t n = 2 + (uint32_t)(chain_uniform() * 7);
        float weights[8] = {0.0f};
        for (uint32_t k = 0; k + 1 < n; ++k)
            weights[k] = chain_uniform() < 0.6 ? (float)chain_uniform() : 0.0f;
        weights[0] = 0.25f;
        const uint32_t word = 0xffffffffu - (uint32_t)trial % 2;
        assert_true(weights[regime_next_single(weights, n, word)] > 0.0f);
    }
}

/* What the model of two regimes has, read of no third one. */
static void test_features_are_of_the_regimes_alone(void **state)
{
    (void)state;
    static const levy_jump_terms jumps = {.intensity = 1.0};
    static const levy_regime three[] = {
        {.name = "a"},
        {.name = "b"},
        {.name = "beyond", .jumps = {.items = (void *)&jumps, .count = 1}, .rate = 0.01}};
    const levy_model_kind *const kind = &levy_model_regime_switching;
    levy_regime_terms terms = {.regimes = {.items = (void *)three, .count = 2}};
    assert_false(kind->own_features(&terms.model) & LEVY_MODEL_JUMPS);
    assert_false(kind->discounts(&terms.model));
    terms.regimes.count = 3;
    assert_true(kind->own_features(&terms.model) & LEVY_MODEL_JUMPS);
    assert_true(kind->discounts(&terms.model));
}

/* ---- Prices ---------------------------------------------------------------------------------- */

enum { TEXT = 8192 };

/* One call a year from now, or what else `trade` says, under a model with these lines. */
static void price_model(priced *p, const char *model, const char *trade, const char *simulation)
{
    char text[TEXT];
    const int length =
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n"
                 "    A: {currency: USD, spot: 100, dividend_yield: 0.02, volatility: 0.2}\n"
                 "    B: {currency: USD, spot: 80, volatility: 0.3}\n"
                 "  correlations: {pairs: [[A.spot, B.spot, 0.6]]}\n"
                 "models:\n  m:\n    assets: [A, B]\n%strades:\n%ssimulation: {%s}\n",
                 model, trade, simulation);
    assert_true(length > 0 && length < TEXT);
    fewer_paths(text);
    price_text(p, text);
}

static double model_price(const char *model, const char *trade, const char *simulation)
{
    priced p;
    price_model(&p, model, trade, simulation);
    const double price = measure_of(&p, 0, "price", "")->value;
    release(&p);
    return price;
}

#define MODEL_CALL(strike, expiry)                                                                 \
    "  - {id: c" strike "T" expiry ", model: m, underlying: A, currency: USD, payoff: {kind: "     \
    "european, option_type: call, strike: " strike "}, exercise: {expiry: " expiry "}}\n"
#define AVERAGE                                                                                    \
    "  - {id: a, model: m, underlying: A, currency: USD, payoff: {kind: asian, option_type: "      \
    "call, strike: 100, averaging: {method: arithmetic, "                                          \
    "observations: {count: 12}}}, exercise: {expiry: 1.0}}\n"
#define BASKET(weight_b, strike)                                                                   \
    "  - {id: b, model: m, underlyings: [{name: A, weight: 1}, {name: B, weight: " weight_b        \
    "}], currency: USD, "                                                                          \
    "payoff: {kind: basket, option_type: call, strike: " strike "}, exercise: {expiry: 1.0}}\n"
#define SWITCHING "    kind: regime_switching\n"
#define FOUR                                                                                       \
    SWITCHING "    regimes:\n      busy: {volatilities: [0.3]}\n      calm: {volatilities: "       \
              "[0.1], rate: 0.01}\n"                                                               \
              "      wild: {volatilities: [0.55], rate: -0.03, drifts: [0.02]}\n      sad: "       \
              "{volatilities: [0.2], drifts: [-0.05]}\n"                                           \
              "    generator: [[-3, 1, 1, 1], [0.5, -0.7, 0.1, 0.1], [2, 0, -6, 4], [0, 0.2, "     \
              "0.3, -0.5]]\n"

static oracle_market four_regimes(void)
{
    return (oracle_market){
        .n = 4,
        .rate = {0.05, 0.06, 0.02, 0.05},
        .yield = {0.02, 0.02, 0.0, 0.07},
        .volatility = {0.3, 0.1, 0.55, 0.2},
        .generator = {{-3, 1, 1, 1}, {0.5, -0.7, 0.1, 0.1}, {2, 0, -6, 4}, {0, 0.2, 0.3, -0.5}}};
}

/* Prices of the parameter sets of Boyle and Draviam (2007) and others to 10 digits, from
 * tests/reference. */
static void test_the_oracle_is_right(void **state)
{
    (void)state;
    const oracle_market two = {.n = 2,
                               .rate = {0.05, 0.05},
                               .volatility = {0.15, 0.25},
                               .generator = {{-0.5, 0.5}, {0.5, -0.5}},
                               .start = {0, 1}};
    const oracle_market rates = {.n = 2,
                                 .rate = {0.04, 0.01},
                                 .yield = {0.01, 0.03},
                                 .volatility = {0.12, 0.45},
                                 .generator = {{-1.2, 1.2}, {4, -4}},
                                 .start = {0, 1}};
    const oracle_market jumps = {.n = 2,
                                 .rate = {0.05, 0.05},
                                 .volatility = {0.15, 0.25},
                                 .intensity = {5, 2},
                                 .mean = {-0.1, -0.1},
                                 .deviation = {0.3, 0.3},
                                 .generator = {{-0.5, 0.5}, {0.5, -0.5}},
                                 .start = {1, 0}};
    assert_true(fabs(oracle_call(&two, 94, 100, 1) - 8.228302756006) < 1e-9);
    assert_true(fabs(oracle_call(&rates, 100, 130, 5) - 14.28537893547) < 1e-9);
    const oracle_market kou = {.n = 1,
                               .volatility = {0.2},
                               .intensity = {0.2},
                               .up = {0.5},
                               .rate_up = {3},
                               .rate_down = {2},
                               .start = {1}};
    assert_true(fabs(oracle_call(&jumps, 100, 100, 1) - 27.00752844601) < 1e-8);
    assert_true(fabs(oracle_call(&kou, 100, 110, 1) - 7.279933830259) < 1e-9);
}

static void test_switching_times_agree_with_the_oracle(void **state)
{
    (void)state;
    static const char *const starts[] = {"busy", "calm", "wild", "sad"},
                             *const simulations[] = {
                                 "paths: 2^17", "paths: 2^19, generator: philox",
                                 "paths: 2^19, generator: mrg32k3a, construction: incremental",
                                 "paths: 2^17, precision: single"};
    for (size_t i = 0; i < 4; ++i) {
        oracle_market market = four_regimes();
        char model[TEXT];
        priced p;
        market.start[i] = 1.0;
        snprintf(model, sizeof model, FOUR "    initial_regime: %s\n", starts[i]);
        price_model(&p, model, MODEL_CALL("90", "1.0") MODEL_CALL("130", "2.5"), simulations[i]);
        assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&market, 100, 90, 1.0), 0.0);
        assert_estimate(measure_of(&p, 1, "price", ""), oracle_call(&market, 100, 130, 2.5), 0.0);
        assert_null(measure_of(&p, 0, "price", "")->note);
        release(&p);
    }
}

/* Dates between change nothing: intervals begin anew, for waiting times do not remember. */
static void test_dates_between_change_nothing(void **state)
{
    (void)state;
    oracle_market market = four_regimes();
    priced p;
    market.start[0] = 0.25, market.start[1] = 0.0, market.start[2] = 0.6, market.start[3] = 0.15;
    price_model(&p, FOUR "    initial_probabilities: [0.25, 0, 0.6, 0.15]\n",
                "  - {id: o, model: m, underlying: A, currency: USD, payoff: {kind: barrier, "
                "option_type: call, strike: 95, barrier: {direction: up, "
                "knock: out, level: 1000000, monitoring: discrete, observations: {count: 9}}}, "
                "exercise: {expiry: 1.3}}\n",
                "paths: 2^18");
    assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&market, 100, 95, 1.3), 0.0);
    release(&p);
}

/* The price of a mixture of starts is the mixture of prices, and switches are as many as it takes.
 */
static void test_fast_and_absorbing_chains(void **state)
{
    (void)state;
    priced p;
    const oracle_market fast = {.n = 2,
                                .rate = {0.05, 0.05},
                                .yield = {0.02, 0.02},
                                .volatility = {0.1, 0.4},
                                .generator = {{-200, 200}, {300, -300}},
                                .start = {0.5, 0.5}};
    const oracle_market once = {.n = 3,
                                .rate = {0.05, 0.05, 0.05},
                                .yield = {0.02, 0.02, 0.02},
                                .volatility = {0.1, 0.4, 0.2},
                                .generator = {{0, 0, 0}, {0, 0, 0}, {1, 2, -3}},
                                .start = {0, 0, 1}};
    price_model(&p,
                SWITCHING "    regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.4]}}\n    "
                          "generator: [[-200, 200], [300, -300]]\n"
                          "    initial_probabilities: [0.5, 0.5]\n",
                MODEL_CALL("100", "1.0"), "paths: 2^15");
    assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&fast, 100, 100, 1.0), 0.0);
    release(&p);
    price_model(&p,
                SWITCHING
                "    regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.4]}, c: "
                "{volatilities: [0.2]}}\n"
                "    generator: [[0, 0, 0], [0, 0, 0], [1, 2, -3]]\n    initial_regime: c\n",
                MODEL_CALL("100", "1.0"), "paths: 2^17");
    assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&once, 100, 100, 1.0), 0.0);
    release(&p);
}

/* The error of steps is in proportion to them, and results say that there is one. */
static void test_steps_converge_and_are_labelled(void **state)
{
    (void)state;
    const oracle_market two = {.n = 2,
                               .rate = {0.05, 0.05},
                               .yield = {0.02, 0.02},
                               .volatility = {0.1, 0.5},
                               .generator = {{-2, 2}, {3, -3}},
                               .start = {0, 1}};
    const double exact = oracle_call(&two, 100, 100, 1.0);
    double bias[2];
    for (int i = 0; i < 2; ++i) {
        char model[TEXT];
        priced p;
        snprintf(model, sizeof model,
                 SWITCHING "    regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.5]}}\n    "
                           "generator: [[-2, 2], [3, -3]]\n"
                           "    initial_regime: b\n    switching: stepped\n    step: %g\n",
                 i ? 0.1 : 0.2);
        price_model(&p, model, MODEL_CALL("100", "1.0"), "paths: 2^20");
        const levy_measure *const price = measure_of(&p, 0, "price", "");
        assert_non_null(strstr(price->note, "O(dt)"));
        assert_false(price->flagged);
        bias[i] = price->value - exact;
        assert_true(fabs(bias[i]) > 20.0 * price->std_error);
        release(&p);
    }
    assert_true(bias[0] / bias[1] > 1.8 && bias[0] / bias[1] < 2.2);
}

/* A chain of periods needs no label; its price is that of all sequences of regimes: here one
 * change, at half a year. */
static void test_periods_are_exact(void **state)
{
    (void)state;
    priced p;
    price_model(&p,
                SWITCHING "    regimes: {b: {volatilities: [0.4]}, a: {volatilities: [0.1]}}\n    "
                          "transition: [[0.3, 0.7], [0.6, 0.4]]\n"
                          "    period: 0.5\n    initial_regime: b\n",
                MODEL_CALL("100", "1.0") MODEL_CALL("100", "0.5"), "paths: 2^17");
    const double stays = sqrt(0.16), goes = sqrt(0.5 * 0.16 + 0.5 * 0.01);
    double value[2];
    for (int i = 0; i < 2; ++i) {
        const double v = i ? goes : stays, d1 = (0.03 + 0.5 * v * v) / v;
        value[i] = 100 * exp(-0.02) * 0.5 * erfc(-d1 / M_SQRT2) -
                   100 * exp(-0.05) * 0.5 * erfc(-(d1 - v) / M_SQRT2);
    }
    assert_estimate(measure_of(&p, 0, "price", ""), 0.3 * value[0] + 0.7 * value[1], 0.0);
    /* until the first change there is none */
    const double v = 0.4 * sqrt(0.5), d1 = (0.015 + 0.5 * v * v) / v;
    assert_estimate(measure_of(&p, 1, "price", ""),
                    100 * exp(-0.01) * 0.5 * erfc(-d1 / M_SQRT2) -
                        100 * exp(-0.025) * 0.5 * erfc(-(d1 - v) / M_SQRT2),
                    0.0);
    assert_null(measure_of(&p, 0, "price", "")->note);
    release(&p);
}

/* Two assets whose volatilities move against each other: the exchange option depends on the
 * variance of their quotient alone, which is a regime-switching one. */
static void test_assets_apart_agree_with_the_oracle(void **state)
{
    (void)state;
    static const char *const simulations[] = {
        "paths: 2^17", "paths: 2^19, generator: philox",
        "paths: 2^17, precision: single, construction: incremental"};
    const double a[] = {0.1, 0.5}, b[] = {0.4, 0.2};
    oracle_market market = {.n = 2,
                            .rate = {0.0, 0.0},
                            .yield = {0.02, 0.02},
                            .generator = {{-1.5, 1.5}, {2.5, -2.5}},
                            .start = {1, 0}};
    for (size_t r = 0; r < 2; ++r)
        market.volatility[r] = sqrt(a[r] * a[r] + b[r] * b[r] - 2 * 0.6 * a[r] * b[r]);
    for (size_t i = 0; i < 3; ++i) {
        priced p;
        price_model(&p,
                    SWITCHING "    regimes: {x: {volatilities: [0.1, 0.4]}, y: {volatilities: "
                              "[0.5, 0.2]}}\n    generator: [[-1.5, 1.5], [2.5, -2.5]]\n"
                              "    initial_regime: x\n",
                    BASKET("-1.2", "0"), simulations[i]);
        assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&market, 100, 96, 1.0), 0.0);
        release(&p);
    }
}

/* Jumps at rates and by marks of the regime; switches and jumps are one stream of events. */
static void test_jumps_of_a_regime_agree_with_the_oracle(void **state)
{
    (void)state;
    static const char *const simulations[] = {"paths: 2^17", "paths: 2^19, generator: philox",
                                              "paths: 2^17, precision: single"};
    const oracle_market market = {.n = 3,
                                  .rate = {0.05, 0.06, 0.05},
                                  .yield = {0.02, 0.02, 0.02},
                                  .volatility = {0.1, 0.3, 0.2},
                                  .intensity = {0, 5, 40},
                                  .mean = {0, -0.1, 0.01},
                                  .deviation = {0, 0.15, 0.02},
                                  .generator = {{-1, 0.5, 0.5}, {4, -6, 2}, {3, 1, -4}},
                                  .start = {0.2, 0.5, 0.3}};
    for (size_t i = 0; i < 3; ++i) {
        priced p;
        price_model(&p,
                    SWITCHING
                    "    regimes:\n      calm: {volatilities: [0.1]}\n"
                    "      wild: {volatilities: [0.3], rate: 0.01, jumps: [{intensity: 5, "
                    "arrivals: common, mark: {kind: normal, mean: -0.1, volatility: 0.15}}]}\n"
                    "      busy: {volatilities: [0.2], jumps: [{intensity: 40, arrivals: common, "
                    "mark: {kind: normal, mean: 0.01, volatility: 0.02}}]}\n"
                    "    generator: [[-1, 0.5, 0.5], [4, -6, 2], [3, 1, -4]]\n    "
                    "initial_probabilities: [0.2, 0.5, 0.3]\n",
                    MODEL_CALL("105", "1.0"), simulations[i]);
        assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&market, 100, 105, 1.0), 0.0);
        release(&p);
    }
}

/* Assets that jump together, by marks of their own: of both kinds, and parts of one. */
static void test_jumps_of_several_assets(void **state)
{
    (void)state;
    static const char model[] =
        SWITCHING "    regimes:\n      x: {volatilities: [0.1, 0.4], jumps: [{intensity: 3, "
                  "arrivals: common, marks: [{kind: normal, mean: -0.1, volatility: 0.2}, "
                  "{kind: double_exponential, probability_up: 0.3, rate_up: 12, rate_down: "
                  "9}]}]}\n      y: {volatilities: [0.5, 0.2], rate: 0.02}\n"
                  "    generator: [[-1, 1], [2, -2]]\n    initial_regime: x\n";
    const oracle_market one = {.n = 2,
                               .rate = {0.05, 0.07},
                               .yield = {0.02, 0.02},
                               .volatility = {0.1, 0.5},
                               .intensity = {3, 0},
                               .mean = {-0.1, 0},
                               .deviation = {0.2, 0},
                               .generator = {{-1, 1}, {2, -2}},
                               .start = {1, 0}};
    priced p;
    price_model(&p, model, MODEL_CALL("105", "1.0") BASKET("0.000000001", "105"), "paths: 2^17");
    assert_estimate(measure_of(&p, 0, "price", ""), oracle_call(&one, 100, 105, 1.0), 0.0);
    /* with the driver parted */
    assert_estimate(measure_of(&p, 1, "price", ""), oracle_call(&one, 100, 105, 1.0), 1e-6);
    release(&p);
}

/* ---- Jumps of a regime that holds from date to date ------------------------------------------ */

/* A single regime with a layer is Merton's or Kou's model, however it is held. */
static void test_one_regime_that_jumps_is_merton_or_kou(void **state)
{
    (void)state;
    static const char *const marks[] = {
        "kind: normal, mean: -0.1, volatility: 0.15",
        "kind: double_exponential, probability_up: 0.3, rate_up: 25, rate_down: 15"};
    static const char *const ways[] = {"", "    switching: stepped\n    step: 0.25\n",
                                       "    transition: [[1]]\n    period: 0.4\n"};
    static const char *const simulations[] = {
        "paths: 2^16", "paths: 2^18, generator: philox",
        "paths: 2^17, precision: single, construction: incremental"};
    oracle_market market[2] = {{.n = 1,
                                .rate = {0.05},
                                .yield = {0.02},
                                .volatility = {0.2},
                                .intensity = {3},
                                .mean = {-0.1},
                                .deviation = {0.15},
                                .start = {1}}};
    market[1] = market[0];
    market[1].up[0] = 0.3, market[1].rate_up[0] = 25.0, market[1].rate_down[0] = 15.0;
    for (int k = 0; k < 2; ++k)
        for (int way = 0; way < 3; ++way)
            for (int i = 0; i < 3; ++i) {
                char model[TEXT];
                priced p;
                snprintf(model, sizeof model,
                         SWITCHING "    regimes: {only: {volatilities: [0.2], jumps: [{intensity: "
                                   "3, arrivals: common, mark: {%s}}]}}\n%s",
                         marks[k], ways[way]);
                price_model(&p, model, MODEL_CALL("90", "1.0") MODEL_CALL("120", "1.7"),
                            simulations[i]);
                assert_estimate(measure_of(&p, 0, "price", ""),
                                oracle_call(&market[k], 100, 90, 1.0), 0.0);
                assert_estimate(measure_of(&p, 1, "price", ""),
                                oracle_call(&market[k], 100, 120, 1.7), 0.0);
                assert_null(measure_of(&p, 0, "price", "")->note); /* nothing is approximated */
                release(&p);
            }
}

/* One change at half a year: regimes r, then k, that jump by the same marks are Merton's model with
 * the averages of their variances and of their intensities. */
static void test_jumps_between_periods_agree_with_the_oracle(void **state)
{
    (void)state;
    static const char *const simulations[] = {"paths: 2^17", "paths: 2^19, generator: philox",
                                              "paths: 2^17, precision: single",
                                              "paths: 2^19, generator: mrg32k3a"};
    static const char model[] = SWITCHING
        "    regimes:\n      b: {volatilities: [0.4], jumps: [{intensity: 9, arrivals: common, "
        "mark: {kind: normal, mean: -0.1, volatility: 0.15}}]}\n"
        "      a: {volatilities: [0.1], jumps: [{intensity: 1, arrivals: common, mark: {kind: "
        "normal, mean: -0.1, volatility: 0.15}}]}\n"
        "    transition: [[0.3, 0.7], [0.6, 0.4]]\n    period: 0.5\n    initial_regime: b\n";
    oracle_market market = {.n = 1,
                            .rate = {0.05},
                            .yield = {0.02},
                            .volatility = {0.4},
                            .intensity = {9},
                            .mean = {-0.1},
                            .deviation = {0.15},
                            .start = {1}};
    const double half = oracle_call(&market, 100, 95, 0.5),
                 stays = oracle_call(&market, 100, 105, 1.0);
    market.volatility[0] = sqrt(0.5 * 0.16 + 0.5 * 0.01), market.intensity[0] = 5.0;
    const double goes = oracle_call(&market, 100, 105, 1.0);
    for (int i = 0; i < 4; ++i) {
        priced p;
        price_model(&p, model, MODEL_CALL("95", "0.5") MODEL_CALL("105", "1.0"), simulations[i]);
        assert_estimate(measure_of(&p, 0, "price", ""), half, 0.0);
        assert_estimate(measure_of(&p, 1, "price", ""), 0.3 * stays + 0.7 * goes, 0.0);
        assert_null(measure_of(&p, 1, "price", "")->note);
        release(&p);
    }
}

/* What steps of two lengths say about none at all is the price with exact switching times. */
static void test_stepped_jumps_tend_to_the_oracle(void **state)
{
    (void)state;
    const oracle_market market = {.n = 3,
                                  .rate = {0.05, 0.06, 0.05},
                                  .yield = {0.02, 0.02, 0.02},
                                  .volatility = {0.1, 0.3, 0.2},
                                  .intensity = {0, 5, 40},
                                  .mean = {0, -0.1, 0},
                                  .deviation = {0, 0.15, 0},
                                  .up = {0, 0, 0.6},
                                  .rate_up = {0, 0, 60},
                                  .rate_down = {0, 0, 40},
                                  .generator = {{-1, 0.5, 0.5}, {2, -3, 1}, {1, 1, -2}},
                                  .start = {0.2, 0.5, 0.3}};
    const double exact = oracle_call(&market, 100, 105, 1.0);
    double value[2], error[2];
    for (int i = 0; i < 2; ++i) {
        char model[TEXT];
        priced p;
        snprintf(model, sizeof model,
                 SWITCHING
                 "    regimes:\n      calm: {volatilities: [0.1]}\n"
                 "      wild: {volatilities: [0.3], rate: 0.01, jumps: [{intensity: 5, arrivals: "
                 "common, "
                 "mark: {kind: normal, mean: -0.1, volatility: 0.15}}]}\n"
                 "      busy: {volatilities: [0.2], jumps: [{intensity: 40, arrivals: common, "
                 "mark: {kind: double_exponential, probability_up: 0.6, rate_up: 60, rate_down: "
                 "40}}]}\n    generator: [[-1, 0.5, 0.5], [2, -3, 1], [1, 1, -2]]\n    "
                 "initial_probabilities: [0.2, 0.5, 0.3]\n"
                 "    switching: stepped\n    step: %g\n",
                 i ? 0.025 : 0.05);
        price_model(&p, model, MODEL_CALL("105", "1.0"), "paths: 2^18");
        const levy_measure *const price = measure_of(&p, 0, "price", "");
        assert_non_null(strstr(price->note, "O(dt)"));
        value[i] = price->value;
        error[i] = price->std_error;
        release(&p);
    }
    const double off = fabs(2.0 * value[1] - value[0] - exact),
                 room = 4.0 * hypot(2.0 * error[1], error[0]);
    if (!(off <= room))
        print_error("%.8g and %.8g, exact %.8g: off %.3g, room %.3g\n", value[0], value[1], exact,
                    off, room);
    assert_true(off <= room);
}

/* Two assets whose chain is held: the exchange option depends on their quotient alone, which jumps
 * where they do. */
static void test_held_jumps_are_common_to_all_assets(void **state)
{
    (void)state;
    static const char model[] =
        SWITCHING "    regimes: {x: {volatilities: [0.1, 0.4], jumps: [{intensity: 6, arrivals: "
                  "common, mark: {kind: normal, mean: -0.2, volatility: 0}}]},\n"
                  "              y: {volatilities: [0.5, 0.2], jumps: [{intensity: 12, arrivals: "
                  "common, marks: [{kind: normal, mean: -0.2, volatility: 0}, "
                  "{kind: normal, mean: -0.2, volatility: 0}]}]}}\n    transition: [[0.2, 0.8], "
                  "[0.5, 0.5]]\n    period: 0.5\n    initial_regime: x\n";
    const double a[] = {0.1, 0.5}, b[] = {0.4, 0.2};
    double variance[2], want[2];
    for (int r = 0; r < 2; ++r) variance[r] = a[r] * a[r] + b[r] * b[r] - 2 * 0.6 * a[r] * b[r];
    for (int r = 0; r < 2; ++r) { /* marks that are alike cancel: what is left has no jumps */
        const oracle_market market = {.n = 1,
                                      .yield = {0.02},
                                      .volatility = {sqrt(0.5 * (variance[0] + variance[r]))},
                                      .start = {1}};
        want[r] = oracle_call(&market, 100, 96, 1.0);
    }
    priced p;
    price_model(&p, model, BASKET("-1.2", "0"), "paths: 2^18");
    assert_estimate(measure_of(&p, 0, "price", ""), 0.2 * want[0] + 0.8 * want[1], 0.0);
    release(&p);
}

static void test_every_instruction_set_holds_regimes_alike(void **state)
{
    (void)state;
#if defined(__x86_64__)
    static const char *const isas[] = {"baseline", "avx2", "avx512"};
#elif defined(__aarch64__)
    static const char *const isas[] = {"neon"};
#else
    static const char *const isas[] = {"baseline"};
#endif
    static const char *const chains[] = {
        "generator: [[-2, 2], [3, -3]], switching: stepped, step: 0.1",
        "transition: [[0.6, 0.4], [0.5, 0.5]], period: 0.125",
        ("transition: [[0.6, 0.4], [0.5, 0.5]], period: 0.125, "
         "attraction: {asset: B, levels: [0.9, 1.05], weights: [[1, 4], [1, 1], [2, 1]]}")};
    static const char *const points[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    for (int i = 0; i < 9; ++i) {
        char text[TEXT];
        double value[4] = {0};
        char why[LEVY_REASON_SIZE];
        size_t n = 0;
        /* A macro between strings is no call. */
        /* clang-format off */
        snprintf(text, sizeof text,
                 MARKET("    A: {currency: USD, spot: 100, volatility: 0.2}\n    B: {currency: "
                 "USD, spot: 80, volatility: 0.3}\n")
                 "  correlations: {pairs: [[A.spot, B.spot, 0.6]]}\nmodels:\n  m: {kind: "
                 "regime_switching, assets: [A, B], initial_regime: x, %s, regimes: {"
                 "x: {volatilities: [0.1, 0.4], jumps: [{intensity: 9, arrivals: common, marks: "
                 "[{kind: normal, mean: -0.1, volatility: 0.1}, "
                 "{kind: double_exponential, probability_up: 0.4, rate_up: 20, rate_down: "
                 "30}]}]}, y: {volatilities: [0.5, 0.2], drifts: [0.1, -0.2]}}}\ntrades:\n"
                 BASKET("0.5", "140") "measures: [price, vega]\nsimulation: {paths: 2^12, "
                 "generator: %s}\n", chains[i / 3], points[i % 3]);
        /* clang-format on */
        for (size_t k = 0; k < sizeof isas / sizeof *isas; ++k) {
            const levy_price_options options = {
                .struct_size = sizeof options, .device = "cpu", .isa = isas[k]};
            /* not of this build, or this processor */
            if (!levy_cpu_choose(isas[k], why)) continue;
            priced p;
            price_with(&p, text, NULL, 0, &options);
            value[n++] = measure_of(&p, 0, "price", "")->value;
            if (value[n - 1] != value[0])
                print_error("%d, %s: %.17g, not %.17g\n", i, isas[k], value[n - 1], value[0]);
            assert_true(value[n - 1] == value[0] &&
                        measure_of(&p, 0, "price", "")->std_error > 0.0);
            release(&p);
        }
        assert_true(n > 0);
    }
}

/* ---- Chances that depend on a return --------------------------------------------------------- */

static void check_martingale(const char *model, const char *simulation)
{
    priced p;
    price_model(&p, model,
                "  - {id: f, model: m, underlying: A, currency: USD, payoff: {kind: european, "
                "option_type: call, strike: 0.000001}, exercise: {expiry: 0.1}}\n"
                "  - {id: g, model: m, underlying: A, currency: USD, payoff: {kind: european, "
                "option_type: call, strike: 0.000001}, exercise: {expiry: 2}}\n"
                "  - {id: h, model: m, underlyings: [{name: A, weight: 0.000001}, {name: B, "
                "weight: 1}], currency: USD, payoff: {kind: basket, option_type: call, "
                /* A is there for chains that watch it */
                "strike: 0.000001}, exercise: {expiry: 5}}\n",
                simulation);
    assert_estimate(measure_of(&p, 0, "price", ""), 100 * exp(-0.002), 2e-6);
    assert_estimate(measure_of(&p, 1, "price", ""), 100 * exp(-0.04), 2e-6);
    assert_estimate(measure_of(&p, 2, "price", ""), 80 + 1e-4 * exp(-0.1), 2e-6);
    release(&p);
}

/* Weights that are the same in all buckets are another transition matrix. */
static void test_attraction_without_buckets_is_a_matrix(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"generator: [[-2, 2], [3, -3]]\n    switching: stepped\n    step: 0.1\n    attraction: "
         "{asset: A, levels: [0.9, 1.1], weights: [[1, 1], [1, 1], [1, 1]]}",
         "generator: [[-2, 2], [3, -3]]\n    switching: stepped\n    step: 0.1"},
        {"transition: [[0.6, 0.4], [0.5, 0.5]]\n    period: 0.125\n    attraction: {asset: B, "
         "levels: [1], weights: [[1, 3], [1, 3]]}",
         "transition: [[0.33333333333333333, 0.66666666666666667], [0.25, 0.75]]\n    period: "
         "0.125"}};
    for (int i = 0; i < 2; ++i) {
        double price[2];
        for (int k = 0; k < 2; ++k) {
            char model[TEXT];
            snprintf(model, sizeof model,
                     SWITCHING "    regimes: {a: {volatilities: [0.1]}, b: {volatilities: "
                               "[0.5]}}\n    initial_regime: b\n    %s\n",
                     pairs[i][k]);
            price[k] = model_price(model, BASKET("0.5", "140"), "paths: 2^14");
        }
        assert_true(fabs(price[0] - price[1]) < 2e-5 * price[1]); /* thresholds have 31 bits */
    }
}

/* A simulation of its own: four quarters, the bucket of the return at each one's start; jumps at
 * this rate in the wild regime. */
static double attracted_price(size_t paths, double intensity, double *error)
{
    const double chance[2][2] = {{0.8, 0.2}, {0.3, 0.7}}, weight[3][2] = {{1, 4}, {1, 1}, {2, 0.5}},
                 sigma[] = {0.1, 0.5};
    double sum = 0.0, squares = 0.0;
    for (size_t p = 0; p < paths; ++p) {
        double x = 0.0;
        int regime = 0;
        for (int q = 0; q < 4; ++q) {
            const double *const w = weight[(x >= log(0.95)) + (x >= log(1.05))];
            const double calm = chance[regime][0] * w[0], wild = chance[regime][1] * w[1];
            if (q > 0) regime = chain_uniform() * (calm + wild) >= calm;
            const double z =
                sqrt(-2.0 * log(1.0 - chain_uniform())) * cos(2.0 * M_PI * chain_uniform());
            x += (0.03 - 0.5 * sigma[regime] * sigma[regime]) * 0.25 + sigma[regime] * 0.5 * z;
            if (regime == 0 || intensity == 0.0) continue;
            x -= intensity * expm1(-0.1 + 0.5 * 0.15 * 0.15) * 0.25;
            /* Knuth's count */
            for (double left = chain_uniform(); left > exp(-intensity * 0.25);
                 left *= chain_uniform())
                x += -0.1 + 0.15 * sqrt(-2.0 * log(1.0 - chain_uniform())) *
                                cos(2.0 * M_PI * chain_uniform());
        }
        const double value = exp(-0.05) * fmax(100 * exp(x) - 100, 0.0);
        sum += value;
        squares += value * value;
    }
    *error =
        sqrt((squares / (double)paths - sum / (double)paths * sum / (double)paths) / (double)paths);
    return sum / (double)paths;
}

#define ATTRACTED(regimes)                                                                         \
    SWITCHING                                                                                      \
    "    regimes: {" regimes                                                                       \
    "}\n    initial_regime: a\n    transition: [[0.8, 0.2], [0.3, 0.7]]\n    period: 0.25\n"       \
    "    attraction: {asset: A, levels: [0.95, 1.05], weights: [[1, 4], [1, 1], [2, 0.5]]}\n"

static void test_attraction_agrees_with_another_simulation(void **state)
{
    (void)state;
    static const char *const simulations[] = {
        "paths: 2^17", "paths: 2^18, generator: philox",
        "paths: 2^17, precision: single, construction: incremental"};
    double error;
    for (int jumps = 0; jumps < 2; ++jumps) {
        const double price = attracted_price(1000000, jumps ? 6.0 : 0.0, &error);
        for (int i = 0; i < 3; ++i) {
            priced p;
            price_model(&p,
                        jumps ? ATTRACTED("a: {volatilities: [0.1]}, b: {volatilities: [0.5], "
                                          "jumps: [{intensity: 6, arrivals: common, "
                                          "mark: {kind: normal, mean: -0.1, volatility: 0.15}}]}")
                              : ATTRACTED("a: {volatilities: [0.1]}, b: {volatilities: [0.5]}"),
                        MODEL_CALL("100", "1.0"), simulations[i]);
            assert_estimate(measure_of(&p, 0, "price", ""), price, 4.0 * error);
            assert_null(measure_of(&p, 0, "price", "")->note);
            release(&p);
        }
    }
    priced p;
    price_model(&p, ATTRACTED("a: {volatilities: [0.1], rate: 0.01}, b: {volatilities: [0.5]}"),
                MODEL_CALL("0.000001", "2.0") BASKET("1", "0.000001"), "paths: 2^17");
    assert_estimate(measure_of(&p, 0, "price", ""), 100 * exp(-0.04), 2e-6);
    assert_estimate(measure_of(&p, 1, "price", ""), 100 * exp(-0.02) + 80, 2e-6);
    release(&p);
}

/* Each bumped market has a chain of its own: measures are differences of prices on moved quotes. */
static void test_bumped_markets_have_chains_of_their_own(void **state)
{
    (void)state;
    static const char *const names[] = {"A.volatility", "USD.rate"};
    static const char trade[] = MODEL_CALL("100", "1.0") "measures: [price, delta, vega, rho]\n";
    priced p;
    price_model(
        &p, ATTRACTED("a: {volatility_factors: [0.6]}, b: {volatility_factors: [1.9], rate: 0.02}"),
        trade, "paths: 2^14, bumps: {volatility: 0.001, rate: 0.001}");
    const double h = 0.001, base[] = {0.2, 0.05};
    for (int i = 0; i < 2; ++i) {
        double up = base[i] + h, down = base[i] - h;
        const double difference =
            (with_quotes(&p, 0, &names[i], &up, 1) - with_quotes(&p, 0, &names[i], &down, 1)) /
            (2 * h);
        const double value = measure_of(&p, 0, i ? "rho" : "vega", names[i])->value;
        if (!(fabs(value - difference) <= 1e-6 * fabs(difference)))
            print_error("%s: %.12g, %.12g\n", names[i], value, difference);
        assert_true(fabs(value - difference) <= 1e-6 * fabs(difference));
    }
    release(&p);
}

/* ---- Martingales, limits --------------------------------------------------------------------- */

#define JUMPING                                                                                    \
    "    regimes: {x: {volatilities: [0.1, 0.5], rate: 0.02, jumps: [{intensity: 4, arrivals: "    \
    "common, marks: [{kind: normal, mean: -0.1, volatility: 0.2}, "                                \
    "{kind: double_exponential, probability_up: 0.4, rate_up: 15, rate_down: 9}]}]}, y: "          \
    "{volatilities: [0.6, 0.2], jumps: [{intensity: 1, arrivals: common, "                         \
    "mark: {kind: double_exponential, probability_up: 1, rate_up: 8, rate_down: 9}}]}}\n"

static void test_discounted_assets_are_martingales(void **state)
{
    (void)state;
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"},
                             *const constructions[] = {"bridge", "incremental"};
    static const char *const models[] = {
        SWITCHING "    regimes: {x: {volatilities: [0.1, 0.5], rate: 0.02}, y: {volatilities: "
                  "[0.6, 0.2], rate: -0.03}}\n    generator: [[-1, 1], [2, -2]]\n"
                  "    initial_regime: y\n",
        SWITCHING "    regimes: {x: {volatility_factors: [0.2], rate: 0.02}, y: "
                  "{volatility_factors: [2.5]}}\n    generator: [[-1, 1], [2, -2]]\n"
                  "    initial_regime: y\n    switching: stepped\n    step: 0.25\n",
        SWITCHING "    regimes: {x: {volatilities: [0.1, 0.5], jumps: [{intensity: 4, arrivals: "
                  "common, marks: [{kind: normal, mean: -0.1, volatility: 0.2}, "
                  "{kind: double_exponential, probability_up: 1, rate_up: 15, rate_down: 9}]}]}, "
                  "y: {volatilities: [0.6, 0.2]}}\n    generator: [[-1, 1], [2, -2]]\n"
                  "    initial_regime: x\n",
        SWITCHING JUMPING "    generator: [[-1, 1], [2, -2]]\n    initial_regime: x\n    "
                          "switching: stepped\n    step: 0.25\n",
        SWITCHING JUMPING "    transition: [[0.8, 0.2], [0.5, 0.5]]\n    period: 0.25\n    "
                          "initial_probabilities: [0.5, 0.5]\n",
        ATTRACTED("a: {volatilities: [0.1, 0.5], rate: 0.02}, b: {volatilities: [0.6, 0.2]}"),
        SWITCHING JUMPING
        "    transition: [[0.8, 0.2], [0.5, 0.5]]\n    period: 0.25\n    initial_regime: x\n"
        "    attraction: {asset: A, levels: [0.9, 1.1], weights: [[1, 4], [1, 1], [2, 1]]}\n"};
    for (size_t m = 0; m < sizeof models / sizeof *models; ++m)
        for (size_t g = 0; g < 3; ++g)
            for (size_t c = 0; c < 2; ++c) {
                char simulation[128];
                snprintf(simulation, sizeof simulation,
                         "paths: 2^16, generator: %s, construction: %s", generators[g],
                         constructions[c]);
                check_martingale(models[m], simulation);
            }
}

static void assert_same_price(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * fabs(b))) print_error("%.17g and %.17g\n", a, b);
    assert_true(fabs(a - b) <= 1e-12 * fabs(b));
}

static void test_limits_are_black_scholes(void **state)
{
    (void)state;
    static const char *const models[] = {
        SWITCHING "    regimes: {only: {volatilities: [0.2, 0.3]}}\n",
        SWITCHING "    regimes: {only: {volatility_factors: [1]}}\n",
        SWITCHING "    regimes: {x: {volatilities: [0.2, 0.3]}, y: {volatilities: [0.2, 0.3]}}\n   "
                  " generator: [[-3, 3], [5, -5]]\n    initial_regime: x\n",
        SWITCHING "    regimes: {x: {volatilities: [0.2, 0.3]}, y: {volatilities: [0.4, 0.6]}}\n   "
                  " generator: [[0, 0], [0, 0]]\n    initial_regime: x\n",
        SWITCHING "    regimes: {y: {volatility_factors: [3, 0]}, x: {volatility_factors: [1]}}\n  "
                  "  generator: [[-5, 5], [0, 0]]\n    initial_regime: x\n"
                  "    switching: stepped\n    step: 10\n"};
    static const char *const trades[] = {MODEL_CALL("105", "1.0"), AVERAGE, BASKET("0.5", "140")};
    for (size_t t = 0; t < 3; ++t)
        /* Philox numbers a driver's draws alike whatever is drawn beside it; one step is as many */
        for (size_t m = 0; m < 5; ++m) {
            const char *const simulation =
                t == 1 ? "paths: 2^12, generator: philox" : "paths: 2^12";
            assert_same_price(model_price(models[m], trades[t], simulation),
                              model_price("    kind: black_scholes\n", trades[t], simulation));
        }
}

/* A transition matrix that is the identity; its periods add dates. */
static void test_periods_of_no_change_are_black_scholes(void **state)
{
    (void)state;
    priced p;
    price_model(&p,
                SWITCHING "    regimes: {x: {volatility_factors: [1]}, y: {volatility_factors: [3, "
                          "0]}}\n    transition: [[1, 0], [0, 1]]\n    period: 0.3\n"
                          "    initial_probabilities: [1, 0]\n",
                MODEL_CALL("105", "1.0"), "paths: 2^16");
    assert_int_equal(levy_results_trade(p.results, 0)->dimensions, 8);
    assert_estimate(measure_of(&p, 0, "price", ""), call_price(100, 105, 0.05, 0.02, 0.2, 1.0),
                    0.0);
    release(&p);
}

/* Volatilities by term are scaled, cash dividends are paid as ever. */
static void test_terms_and_dividends_with_regimes(void **state)
{
    (void)state;
    static const char *const kinds[] = {"{kind: black_scholes, assets: [S]}",
                                        "{kind: regime_switching, assets: [S], regimes: {x: "
                                        "{volatility_factors: [1]}, y: {volatility_factors: [1]}}, "
                                        "generator: [[-1, 1], [1, -1]], initial_regime: y}"};
    double value[2];
    for (int i = 0; i < 2; ++i) {
        char text[TEXT];
        priced p;
        snprintf(text, sizeof text,
                 "schema_version: 1\nmarket:\n  curves: {USD: 0.05}\n  assets:\n    S: {currency: "
                 "USD, spot: 100, dividends: {cash: [[0.3, 4], [0.8, 4]]}, "
                 "volatility: {kind: term, nodes: [[0.25, 0.3], [2, 0.2]]}}\nmodels: {equity: "
                 "%s}\ntrades:\n" ASIAN("a") "simulation: {paths: 2^12, generator: philox}\n",
                 kinds[i]);
        price_text(&p, text);
        value[i] = measure_of(&p, 0, "price", "")->value;
        release(&p);
    }
    assert_same_price(value[1], value[0]);
}

/* More dimensions than the points have: the least important are padded. */
static void test_draws_past_the_points(void **state)
{
    (void)state;
    double value[2], error[2];
    for (int i = 0; i < 2; ++i) {
        priced p;
        price_model(&p,
                    i ? SWITCHING
                        "    regimes: {x: {volatility_factors: [1]}, y: {volatility_factors: "
                        "[1]}}\n    generator: [[-1, 1], [1, -1]]\n    initial_regime: y\n"
                      : "    kind: black_scholes\n",
                    "  - {id: a, model: m, underlying: A, currency: USD, payoff: {kind: asian, "
                    "option_type: call, strike: 100, averaging: {method: arithmetic, "
                    "observations: {count: 11000}}}, exercise: {expiry: 1.0}}\n",
                    "paths: 2^10");
        assert_int_equal(levy_results_trade(p.results, 0)->padding, i ? 22000 - 21201 : 0);
        value[i] = measure_of(&p, 0, "price", "")->value;
        error[i] = measure_of(&p, 0, "price", "")->std_error;
        release(&p);
    }
    assert_true(fabs(value[1] - value[0]) < 4.0 * hypot(error[0], error[1]));
}

static void test_as_many_regimes_as_there_may_be(void **state)
{
    (void)state;
    static const char *const ways[] = {"exact", "stepped"};
    for (int way = 0; way < 2; ++way) {
        static char model[1 << 15], text[1 << 16];
        priced p;
        size_t at = 0;
#define ADD(...) at += (size_t)snprintf(model + at, sizeof model - at, __VA_ARGS__)
        for (int r = 0; r < 64; ++r)
            ADD("      r%d: {volatilities: [%g]}\n", r, 0.1 + 0.005 * (r * 37 % 64));
        ADD("    switching: %s\n    initial_regime: r17\n    generator:\n", ways[way]);
        for (int r = 0; r < 64; ++r) {
            ADD("      - [");
            for (int c = 0; c < 64; ++c) {
                const double rate = c == r ? -6.3 : 0.1;
                ADD("%s%g", c ? "," : "", rate);
            }
            ADD("]\n");
        }
#undef ADD
        /* A macro between strings is no call. */
        /* clang-format off */
        snprintf(text, sizeof text, MARKET("    S: {currency: USD, spot: 100, volatility: 0.2}\n")
                 "models:\n  m:\n    kind: regime_switching\n    assets: [S]\n    "
                 "regimes:\n%strades:\n"
                 "  - {id: f, underlying: S, payoff: {kind: european, option_type: call, strike: "
                 "0.000001}, exercise: {expiry: 1}}\n" CALL("c")
                 "simulation: {paths: 2^16}\n", model);
        /* clang-format on */
        price_text(&p, text);
        assert_estimate(measure_of(&p, 0, "price", ""), 100.0, 2e-6);
        /* From 36.5 % the variance is drawn to that of the average regime at a rate of 6.4; what is
         * random about it matters little. */
        const double average = 0.2575 * 0.2575 + 0.005 * 0.005 * (64 * 64 - 1) / 12,
                     variance = average + (0.365 * 0.365 - average) * (1 - exp(-6.4)) / 6.4;
        assert_true(fabs(measure_of(&p, 1, "price", "")->value -
                         call_price(100, 105, 0.05, 0.0, sqrt(variance), 1.0)) < 0.15);
        release(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_states_have_their_closed_form),
        cmocka_unit_test(test_transitions_are_a_semigroup),
        cmocka_unit_test(test_rows_share_out_the_words),
        cmocka_unit_test(test_lanes_choose_as_the_row_says),
        cmocka_unit_test(test_lanes_draw_by_partial_sums),
        cmocka_unit_test(test_no_lane_draws_what_has_no_weight),
        cmocka_unit_test(test_features_are_of_the_regimes_alone),
        cmocka_unit_test(test_the_oracle_is_right),
        cmocka_unit_test(test_switching_times_agree_with_the_oracle),
        cmocka_unit_test(test_dates_between_change_nothing),
        cmocka_unit_test(test_fast_and_absorbing_chains),
        cmocka_unit_test(test_steps_converge_and_are_labelled),
        cmocka_unit_test(test_periods_are_exact),
        cmocka_unit_test(test_assets_apart_agree_with_the_oracle),
        cmocka_unit_test(test_jumps_of_a_regime_agree_with_the_oracle),
        cmocka_unit_test(test_jumps_of_several_assets),
        cmocka_unit_test(test_one_regime_that_jumps_is_merton_or_kou),
        cmocka_unit_test(test_jumps_between_periods_agree_with_the_oracle),
        cmocka_unit_test(test_stepped_jumps_tend_to_the_oracle),
        cmocka_unit_test(test_held_jumps_are_common_to_all_assets),
        cmocka_unit_test(test_every_instruction_set_holds_regimes_alike),
        cmocka_unit_test(test_attraction_without_buckets_is_a_matrix),
        cmocka_unit_test(test_attraction_agrees_with_another_simulation),
        cmocka_unit_test(test_bumped_markets_have_chains_of_their_own),
        cmocka_unit_test(test_discounted_assets_are_martingales),
        cmocka_unit_test(test_limits_are_black_scholes),
        cmocka_unit_test(test_periods_of_no_change_are_black_scholes),
        cmocka_unit_test(test_terms_and_dividends_with_regimes),
        cmocka_unit_test(test_draws_past_the_points),
        cmocka_unit_test(test_as_many_regimes_as_there_may_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
