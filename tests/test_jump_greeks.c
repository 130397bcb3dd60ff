/* test_jump_greeks.c: Greeks of the numbers of jumps: of European options against the slopes of the
 * cosine method, of payoffs along the path, layers and common arrivals against differences of paths
 * that are drawn anew, and what is said of jumps that hardly any path has. */
#include "tests/greeks_case.h"

#include "engine/fourier/cos.h"

/* ---- Closed forms ---------------------------------------------------------------------------- */

typedef struct law_case {
    const char *kind;
    double p[8]; /* in the law's order; of the market: its volatility */
    double strike;
    bool call;
} law_case;

static const law_case laws[] = {
    {"merton", {0.2, 0.5, -0.1, 0.15}, 100.0, true},
    {"merton", {0.2, 3.0, 0.05, 0.1}, 90.0, false},
    {"kou", {0.2, 1.0, 0.3, 25.0, 15.0}, 100.0, true},
    {"kou", {0.15, 4.0, 0.6, 10.0, 12.0}, 110.0, false},
    {"bates", {0.04, 0.05, 1.5, 0.5, -0.6, 0.5, -0.1, 0.15}, 100.0, true},
};

static const double law_rate = 0.02;

static void law_text(const law_case *of, const levy_exponent *law, const char *simulation,
                     char *text, size_t size)
{
    char keys[512] = "", volatility[64] = "";
    for (size_t j = 0; j < law->n; ++j) {
        const levy_exponent_parameter *const q = &law->parameters[j];
        const size_t used = strlen(keys);
        if (q->of_market)
            snprintf(volatility, sizeof volatility, ", volatility: %.17g", of->p[j]);
        else
            snprintf(keys + used, sizeof keys - used, ", %s: %.17g", q->name, of->p[j]);
    }
    snprintf(text, size,
             "schema_version: 1\nmarket: {curves: {USD: %g}, assets: {S: {currency: USD, spot: "
             "100%s}}}\nmodels: {m: {kind: %s, assets: [S]%s}}\nmeasures: [price, parameters]\n"
             "trades: [{id: t, underlying: S, payoff: {kind: european, option_type: %s, strike: "
             "%g}, exercise: {expiry: 1}}]\nsimulation: {%s}\n",
             law_rate, volatility, of->kind, keys, of->call ? "call" : "put", of->strike,
             simulation);
}

/* Of a put, and of a call, whose parity has no such numbers. */
static void law_slopes(const law_case *of, const levy_exponent *law, double *slopes)
{
    levy_cos cos = {.room = LEVY_COS_MOST};
    const double forward = 100.0 * exp(law_rate), x = log(of->strike / forward);
    cos.terms = malloc(LEVY_COS_MOST * sizeof *cos.terms);
    assert_non_null(cos.terms);
    assert_true(levy_cos_begin(&cos, law, of->p, 1.0, x, x, 1e-12, true));
    levy_cos_put(&cos, x, slopes);
    for (size_t j = 0; j < law->n; ++j) slopes[j] *= forward * exp(-law_rate);
    free(cos.terms);
}

/* Steps leave an error of heston's own, of up to a hundredth. */
static void test_european_options_have_the_slopes_of_their_law(void **state)
{
    static const char *const ways[] = {
        "paths: 2^16", "paths: 2^16, precision: single, smoothing: none",
        "paths: 2^16, construction: incremental, generator: philox, precision: mixed"};
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; ++i) {
        const levy_exponent *const law = levy_exponent_find(laws[i].kind);
        double slopes[LEVY_EXPONENT_MOST];
        law_slopes(&laws[i], law, slopes);
        for (size_t w = 0; w < sizeof ways / sizeof *ways; ++w) {
            char text[1024], factor[64];
            priced p = {0};
            law_text(&laws[i], law, ways[w], text, sizeof text);
            price_text(&p, text);
            for (size_t j = 0; j < law->n; ++j) {
                if (law->parameters[j].of_market) continue;
                snprintf(factor, sizeof factor, "S.%s", law->parameters[j].name);
                const double bias = strcmp(laws[i].kind, "bates") == 0 ? 0.01 : 0.0;
                assert_estimate(measure_of(&p, 0, "parameters", factor), slopes[j],
                                bias * fabs(slopes[j]));
            }
            release(&p);
        }
    }
}

/* ---- Paths that are drawn anew --------------------------------------------------------------- */

typedef struct number {
    const char *factor;
    double value, bump;
} number;

/* A book of numbers in the order of its text. */
typedef struct anew_case {
    const char *text;
    size_t n;
    number numbers[7];
} anew_case;

#define ANEW_MARKET                                                                                \
    "schema_version: 1\nmarket: {curves: {USD: 0.02}, assets: {S: {currency: USD, spot: 100, "     \
    "volatility: 0.2}, T: {currency: USD, spot: 50, volatility: 0.3}}, correlations: {pairs: "     \
    "[[S.spot, T.spot, 0.5]]}}\n"
static const anew_case anew[] = {
    {ANEW_MARKET
     "models: {m: {kind: black_scholes, assets: [S, T], jumps: [{arrivals: common, intensity: "
     "%.17g, marks: [{kind: normal, mean: %.17g, volatility: %.17g}, {kind: double_exponential, "
     "probability_up: %.17g, rate_up: %.17g, rate_down: %.17g}]}, {assets: [T], intensity: "
     "%.17g, mark: {kind: empirical, shocks: [[-0.2, 1], [0.1, 2]]}}]}}\n"
     "trades: [{id: t, underlyings: [{name: S, weight: 0.5}, {name: T, weight: 1}], payoff: {kind: "
     "asian, aggregate: basket, option_type: call, strike: 100, averaging: {method: arithmetic, "
     "observations: {count: "
     "4}}}, exercise: {expiry: 1}}]\n",
     7,
     {{"m.intensity[0]", 0.5, 0.1},
      {"S.mean[0]", -0.1, 0.02},
      {"S.volatility[0]", 0.15, 0.02},
      {"T.probability_up[0]", 0.4, 0.05},
      {"T.rate_up[0]", 12.0, 1.0},
      {"T.rate_down[0]", 9.0, 1.0},
      {"T.intensity[1]", 0.8, 0.2}}},
    {MARKET("    S: {currency: USD, spot: 100, volatility: 0.2}\n") "models: {m: {kind: merton, "
                                                                    "assets: [S], intensity: "
                                                                    "%.17g, jump_mean: %.17g, "
                                                                    "jump_volatility: "
                                                                    "%.17g}}\ntrades: [{id: t, "
                                                                    "underlying: S, payoff: {kind: "
                                                                    "autocallable, observations: "
                                                                    "{count: 4}, call_barrier: "
                                                                    "1.0, coupon: 0.045, "
                                                                    "knock_in_barrier: 0.65}, "
                                                                    "notional: 100, exercise: "
                                                                    "{expiry: 1}}]\n",
     3,
     {{"S.intensity", 0.5, 0.1}, {"S.jump_mean", -0.1, 0.02}, {"S.jump_volatility", 0.15, 0.02}}}};

enum { ANEW_SEEDS = 6 };

static void anew_price(const anew_case *of, size_t moved, double by, unsigned seed, priced *p)
{
    char text[2048], seed_text[16];
    double x[7] = {0.0};
    const levy_setting settings[] = {{"simulation.paths", "2^13"},
                                     {"simulation.seed", seed_text},
                                     {"measures", by == 0.0 ? "price,parameters" : "price"}};
    for (size_t k = 0; k < of->n; ++k) x[k] = of->numbers[k].value + (k == moved ? by : 0.0);
    snprintf(seed_text, sizeof seed_text, "%u", seed);
    snprintf(text, sizeof text, of->text, x[0], x[1], x[2], x[3], x[4], x[5], x[6]);
    *p = (priced){0};
    price_with(p, text, settings, 3, NULL);
}

/* By four prices, whose error is of the fourth order. */
static double anew_slope(const anew_case *of, size_t k, unsigned seed)
{
    static const double steps[4] = {1.0, -1.0, 2.0, -2.0}, weights[4] = {8.0, -8.0, -1.0, 1.0};
    double sum = 0.0;
    for (size_t i = 0; i < 4; ++i) {
        priced p;
        anew_price(of, k, steps[i] * of->numbers[k].bump, seed, &p);
        sum += weights[i] * measure_of(&p, 0, "price", "")->value;
        release(&p);
    }
    return sum / (12.0 * of->numbers[k].bump);
}

static void test_paths_drawn_anew_have_the_same_slopes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof anew / sizeof *anew; ++i)
        for (size_t k = 0; k < anew[i].n; ++k) {
            double sum = 0.0, square = 0.0, own = 0.0, variance = 0.0;
            for (unsigned seed = 1; seed <= ANEW_SEEDS; ++seed) {
                priced p;
                const double slope = anew_slope(&anew[i], k, seed);
                anew_price(&anew[i], k, 0.0, seed, &p);
                const levy_measure *const m =
                    measure_of(&p, 0, "parameters", anew[i].numbers[k].factor);
                sum += slope;
                square += slope * slope;
                own += m->value;
                variance += m->std_error * m->std_error;
                release(&p);
            }
            const double mean = sum / ANEW_SEEDS,
                         spread =
                             (square - sum * mean) / (ANEW_SEEDS - 1.0) + variance / ANEW_SEEDS,
                         off = own / ANEW_SEEDS - mean;
            if (!(off * off <= 25.0 * spread / ANEW_SEEDS))
                print_error("%s: %g, drawn anew %g\n", anew[i].numbers[k].factor, own / ANEW_SEEDS,
                            mean);
            assert_true(off * off <= 25.0 * spread / ANEW_SEEDS);
        }
}

/* ---- What they leave alone, and what is said --------------------------------------------------
 */

static void merton_text(char *text, size_t size, const char *numbers, const char *measures)
{
    snprintf(
        text, size,
        MARKET(
            "    S: {currency: USD, spot: 100, volatility: 0.2}\n") "models: {m: {kind: merton, "
                                                                    "assets: [S], %s}}\nmeasures: "
                                                                    "[%s]\n"
                                                                    "trades: [{id: t, underlying: "
                                                                    "S, payoff: {kind: european, "
                                                                    "option_type: "
                                                                    "call, strike: 100}, exercise: "
                                                                    "{expiry: 1}}]\nsimulation: "
                                                                    "{paths: 2^14}\n",
        numbers, measures);
}

static void test_prices_keep_their_bits(void **state)
{
    char text[1024];
    priced alone = {0}, beside = {0};
    (void)state;
    merton_text(text, sizeof text, "intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15",
                "price, delta, vega");
    price_text(&alone, text);
    merton_text(text, sizeof text, "intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15",
                "price, delta, vega, parameters");
    price_text(&beside, text);
    const char *const factors[3] = {"", "S.spot", "S.volatility"}, *const measures[3] = {
                                                                       "price", "delta", "vega"};
    for (size_t i = 0; i < 3; ++i) {
        const levy_measure *const a = measure_of(&alone, 0, measures[i], factors[i]),
                                  *const b = measure_of(&beside, 0, measures[i], factors[i]);
        assert_true(a->value == b->value && a->std_error == b->std_error);
    }
    release(&alone);
    release(&beside);
}

static void test_what_has_no_greek_or_hardly_a_path_is_said(void **state)
{
    char text[1024];
    priced p = {0};
    (void)state;
    merton_text(text, sizeof text, "intensity: 0, jump_mean: -0.1, jump_volatility: 0.15",
                "price, parameters");
    price_text(&p, text);
    assert_null(find_measure(find_trade(p.results, "t"), "parameters", NULL));
    release(&p);
    p = (priced){0};
    merton_text(text, sizeof text, "intensity: 0.5, jump_mean: -0.1, jump_volatility: 0",
                "price, parameters");
    price_text(&p, text);
    assert_non_null(find_measure(find_trade(p.results, "t"), "parameters", "S.jump_mean"));
    assert_null(find_measure(find_trade(p.results, "t"), "parameters", "S.jump_volatility"));
    release(&p);
    p = (priced){0};
    merton_text(text, sizeof text, "intensity: 1e-4, jump_mean: -0.1, jump_volatility: 0.15",
                "price, parameters");
    price_text(&p, text);
    assert_non_null(strstr(measure_of(&p, 0, "parameters", "S.intensity")->note, "unreliable"));
    release(&p);
}

/* Three numbers of each of two assets in so many layers are more than a plan has room for. */
static void test_too_many_are_refused_in_words(void **state)
{
    enum { LAYERS = 67 };
    static char text[LAYERS * 80 + 1024];
    priced p;
    size_t n = (size_t)snprintf(text, sizeof text,
                                ANEW_MARKET "models: {m: {kind: black_scholes, assets: [S, T], "
                                            "jumps: [");
    (void)state;
    for (size_t l = 0; l < LAYERS; ++l)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "{intensity: 1, mark: {kind: normal, mean: 0.01, volatility: "
                              "0.02}}, ");
    snprintf(text + n, sizeof text - n,
             "]}}\nmeasures: [price, parameters]\ntrades: [{id: t, underlyings: [S, T], payoff: "
             "{kind: exchange}, exercise: {expiry: 1}}]\nsimulation: {paths: 2^8}\n");
    p = price_alone(text, NULL, 0, NULL);
    const levy_trade_result *const t = find_trade(p.results, "t");
    assert_non_null(t);
    assert_string_equal(t->message,
                        "Greeks of 402 numbers of jumps are too many, the most are 400: price "
                        "fewer underlyings");
    release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_european_options_have_the_slopes_of_their_law),
        cmocka_unit_test(test_paths_drawn_anew_have_the_same_slopes),
        cmocka_unit_test(test_prices_keep_their_bits),
        cmocka_unit_test(test_what_has_no_greek_or_hardly_a_path_is_said),
        cmocka_unit_test(test_too_many_are_refused_in_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
