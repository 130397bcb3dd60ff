/* test_script_integrated.c: scripts integrated over the first normal, through the public interface:
 * closed forms, built-in payoffs that are integrated by lanes of their own, plain runs of every
 * kind of condition and payment, measures that add up, and what is not integrated. */
#include "tests/cmocka_all.h"

#include "tests/smoothed_price.h"
#include "tests/kept_text.h"
#include "tests/files.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARKET                                                                                     \
    "schema_version: 1\nmarket:\n  curves: {USD: 0.04}\n  assets:\n"                               \
    "    A: {currency: USD, spot: 100, volatility: 0.2, dividend_yield: 0.01}\n"                   \
    "    B: {currency: USD, spot: 50, volatility: 0.3}\n"                                          \
    "    C: {currency: USD, spot: 20, volatility: {kind: term, nodes: [[0.1, 0.4], [1, 0.25]]}}\n" \
    "    P: {currency: USD, spot: 100, volatility: 0.2, dividends: {cash: [[0.1, 1]]}}\n"          \
    "  correlations: {pairs: [[A.spot, B.spot, 0.5], [A.spot, C.spot, 0.4], [B.spot, C.spot, "     \
    "0.6], [A.spot, P.spot, -0.2], [B.spot, P.spot, 0], [C.spot, P.spot, 0]]}\n"                   \
    "models:\n  m: {kind: black_scholes, assets: [A, B, C, P]}\n"                                  \
    "  j: {kind: merton, assets: [A], intensity: 1, jump_mean: -0.1, jump_volatility: 0.15}\n"     \
    "  g: {kind: regime_switching, assets: [A], "                                                  \
    "regimes: {a: {volatilities: [0.1]}, b: {volatilities: [0.3]}}, "                              \
    "transition: [[0.9, 0.1], [0.2, 0.8]], period: 0.1, "                                          \
    "initial_regime: a, attraction: {asset: A, levels: [1], weights: [[1, 2], [1, 1]]}}\n"         \
    "trades:\n"
#define TRADE(id, model, assets, payoff)                                                           \
    "  - {id: " id ", model: " model ", underlyings: [" assets "], payoff: {" payoff               \
    "}, exercise: {expiry: 1}}\n"
#define SCRIPT(dates, text)                                                                        \
    "kind: script, levels: percent_of_initial, schedules: {days: {count: " dates                   \
    "}}, script: \"" text "\""
#define MEASURES "measures: [price, delta, gamma, vega]\n"

/* ---- Closed forms ---- */

static void test_one_date_is_exact(void **state)
{
    (void)state;
    levy_results *const r =
        smoothed(MARKET TRADE("call", "m", "A",
                              "kind: script, script: \"at expiry { pay max(level - 105, 0) }\"")
                     TRADE("cash", "m", "A",
                           "kind: script, script: \"at expiry { pay 10 if level < 95 else 3 }\"")
                         TRADE("far", "m", "A",
                               "kind: script, script: \"at expiry { pay abs(100 - level) }\""),
                 "all", "2^12", "bridge");
    const double sd = 0.2, df = exp(-0.04), forward = 100.0 * exp(0.03),
                 d = log(forward / 105.0) / sd - 0.5 * sd, e = log(forward / 95.0) / sd - 0.5 * sd,
                 f = log(forward / 100.0) / sd - 0.5 * sd;
    const double call = df * (forward * normal_cdf(d + sd) - 105.0 * normal_cdf(d)),
                 at_money = df * (forward * normal_cdf(f + sd) - 100.0 * normal_cdf(f)),
                 exact[] = {call, df * (10.0 * normal_cdf(-e) + 3.0 * normal_cdf(e)),
                            2.0 * at_money - df * (forward - 100.0)};
    for (size_t t = 0; t < 3; ++t) {
        const levy_trade_result *const result = levy_results_trade(r, t);
        if (!(fabs(result->price - exact[t]) < 1e-13 * exact[t]))
            fail_msg("%s: %.17g, not %.17g", result->id, result->price, exact[t]);
        assert_string_equal(result->interval, "exact");
    }
    levy_results_destroy(r);
}

/* ---- Built-in payoffs, which have integrated lanes of their own ---- */

static void test_twins_agree_with_built_in_payoffs(void **state)
{
    (void)state;
    levy_results *const r = smoothed_book("integrated/twins", "auto", "2^12", "bridge");
    for (size_t t = 0; t < 6; t += 2) {
        for (size_t m = 0; m < 4; ++m) {
            const levy_measure *const built = measure(r, t, m), *const script =
                                                                    measure(r, t + 1, m);
            const double exact = m == 2 ? 1e-7 : 1e-9; /* of a second difference */
            if (!(fabs(built->value - script->value) <= exact * fabs(built->value)))
                fail_msg("%s, measure %zu: %.17g, by script %.17g", levy_results_trade(r, t)->id, m,
                         built->value, script->value);
        }
    }
    levy_results_destroy(r);
}

/* ---- Plain runs ---- */

#define WORST(text) SCRIPT("8", text)
enum { SHAPES = 12 };

static void test_values_are_those_of_plain_paths(void **state)
{
    (void)state;
    static const char *const constructions[] = {"bridge", "pca"};
    levy_results *const plain =
        smoothed_book("integrated/shapes", "none", LEVY_SANITIZED ? "2^13" : "2^17", "bridge");
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r = smoothed_book("integrated/shapes", "all", "2^12", constructions[c]);
        for (size_t t = 0; t < SHAPES; ++t) {
            const levy_trade_result *const a = levy_results_trade(r, t);
            const levy_trade_result *const b = levy_results_trade(plain, t);
            assert_int_equal(a->n_measures, b->n_measures);
            for (size_t m = 0; m < a->n_measures; ++m) {
                const double error = hypot(a->measures[m].std_error, b->measures[m].std_error),
                             gap = fabs(a->measures[m].value - b->measures[m].value);
                const int second = strcmp(a->measures[m].measure, "gamma") == 0;
                /* bumps differ in size: their bias is a share of the value */
                if (!(gap <= 4.0 * error + (second ? 0.02 : 1e-3) * fabs(b->measures[m].value)))
                    fail_msg("%s, measure %zu: %g, plain %g +- %g", a->id, m, a->measures[m].value,
                             b->measures[m].value, error);
            }
            assert_true(a->std_error < b->std_error * (LEVY_SANITIZED ? 4.0 : 6.0));
        }
        levy_results_destroy(r);
    }
    levy_results_destroy(plain);
}

/* The bars of a hedger: 16 replicates of 2^12 points, three assets. */
static void test_errors_of_an_autocall_suit_a_hedger(void **state)
{
    (void)state;
    if (LEVY_SANITIZED) skip(); /* it is about errors, and takes a minute there */
    static const char text[] = MARKET TRADE(
        "autocall", "m", "A, B, C",
        "kind: autocallable, calls: {count: 4}, barrier: 1.0, coupon: 0.02, protection: 0.6")
        MEASURES;
    static const char *const constructions[] = {"bridge", "pca"};
    for (size_t c = 0; c < 2; ++c) {
        levy_results *const r = smoothed(text, "auto", "2^16", constructions[c]);
        const levy_trade_result *const t = levy_results_trade(r, 0);
        assert_int_equal(t->n_measures, 10);
        for (size_t m = 1; m < 7; ++m) /* deltas, then gammas */
            if (!(t->measures[m].std_error <= (m < 4 ? 0.015 : 0.15) * fabs(t->measures[m].value)))
                fail_msg("measure %zu: %g +- %g", m, t->measures[m].value,
                         t->measures[m].std_error);
        levy_results_destroy(r);
    }
}

/* ---- Measures of scripts ---- */

static void test_parts_add_up(void **state)
{
    (void)state;
    levy_results *const r = smoothed(
        MARKET TRADE("memory", "m", "A, B, C",
                     "kind: phoenix, observations: {count: 4}, coupon: 0.03, coupon_barrier: "
                     "0.85, memory: true, call_barrier: 1.05, knock_in: {count: 24}, "
                     "knock_in_barrier: 0.75") "measures: [price, cash_flows, probability, "
                                               "expected_life]\n",
        "auto", "2^12", "bridge");
    levy_results *const plain = smoothed(
        MARKET TRADE("memory", "m", "A, B, C",
                     "kind: phoenix, observations: {count: 4}, coupon: 0.03, coupon_barrier: "
                     "0.85, memory: true, call_barrier: 1.05, knock_in: {count: 24}, "
                     "knock_in_barrier: 0.75") "measures: [price, cash_flows, probability, "
                                               "expected_life]\n",
        "none", LEVY_SANITIZED ? "2^12" : "2^16", "bridge");
    const levy_trade_result *const t = levy_results_trade(r, 0), *const p =
                                                                     levy_results_trade(plain, 0);
    double paid = 0.0, chance = 0.0;
    assert_int_equal(t->n_measures, p->n_measures);
    for (size_t m = 0; m < t->n_measures; ++m) {
        if (strcmp(t->measures[m].measure, "cash_flows") == 0) paid += t->measures[m].value;
        if (strcmp(t->measures[m].measure, "probability") == 0) chance += t->measures[m].value;
        assert_true(fabs(t->measures[m].value - p->measures[m].value) <=
                    4.0 * hypot(t->measures[m].std_error, p->measures[m].std_error) + 1e-12);
    }
    assert_true(fabs(paid - t->price) < 1e-12 * t->price);
    assert_true(fabs(chance - 1.0) < 1e-12);
    levy_results_destroy(r);
    levy_results_destroy(plain);
}

/* ---- What is not integrated ---- */

static void test_what_cannot_be_integrated_says_so(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {MARKET TRADE("t", "m", "A",
                      SCRIPT("65", "var n = 0; at days { if level > 1 { n += 1 } }; "
                                   "at expiry { pay n }")),
         "not smoothed: it counts dates, or adds up, for long (line 1, column 37)"},
        {MARKET TRADE("t", "m", "A",
                      SCRIPT("65", "var m = 0; var n = 0; at days { m = number; if level > 1 { n "
                                   "+= 1 } }; at expiry { pay n + m }")),
         "not smoothed: it counts dates, or adds up, for long (line 1, column 60)"},
        {MARKET TRADE("t", "m", "A",
                      WORST("var low = 1; at days { low = min(low, level) }; at "
                            "expiry { pay 1 if low < 0.8 else 0 }")),
         "not smoothed: it carries a level from date to date (line 1, column 24)"},
        {MARKET TRADE("t", "m", "A, B",
                      WORST("at days { pay 1 if levels[1] > levels[2] else 0 "
                            "}")),
         "not smoothed: it compares levels with each other (line 1, column 11)"},
        {MARKET TRADE("t", "m", "A", WORST("at days { pay 1 if level ^ 2 > 1.1 else 0 }")),
         "not smoothed: it compares more than levels with numbers (line 1, column 11)"},
        {MARKET TRADE("t", "m", "A", WORST("at expiry { pay level * level }")),
         "not smoothed: it pays what is no sum of levels (line 1, column 13)"},
        {MARKET TRADE("t", "m", "A",
                      SCRIPT("129", "var total = 0; at days { total += level }; at expiry { pay "
                                    "max(total / 128 - 1, 0) }")),
         "not smoothed: it adds up levels on too many dates (line 1, column 26)"},
        {MARKET TRADE("t", "m", "A",
                      WORST("var hit = 0; var n = 0; at days { if level < 0.9 { hit = 1 }; if "
                            "level > 1 + 0.1 * hit { n = number } }; at expiry { pay n }")),
         "not smoothed: a comparison with what was on the path changes a variable (line 1, column "
         "90)"},
        {MARKET TRADE("t", "m", "A, P", WORST("at days { pay 1 if worst(levels) > 1 else 0 }")),
         "not smoothed: an underlying pays cash dividends by rule spot"},
        {MARKET TRADE("t", "m", "P",
                      SCRIPT("4", "var total = 0; at days { total += level }; at expiry { pay "
                                  "max(total / 4 - 1, 0) }")),
         "not smoothed: it adds up levels that pay cash by rule spot"},
        {MARKET TRADE("t", "g", "A", WORST("at days { pay 1 if level > 1 else 0 }")),
         "not smoothed: the model's returns are not linear in its drivers"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        levy_results *const r = smoothed(cases[k].text, "all", "2^12", "bridge");
        levy_results *const plain = smoothed(cases[k].text, "none", "2^12", "bridge");
        const levy_trade_result *const t = levy_results_trade(r, 0);
        const char *const note = t->measures[0].note;
        if (!note || strcmp(note, cases[k].why) != 0)
            fail_msg("%s: %s", cases[k].why, note ? note : "nothing");
        assert_true(t->price == levy_results_trade(plain, 0)->price);
        levy_results_destroy(r);
        levy_results_destroy(plain);
    }
}

/* As many dates as a sum of levels may have. */
static void test_a_long_sum_is_integrated(void **state)
{
    (void)state;
    levy_results *const r = smoothed(
        MARKET TRADE("sum", "m", "A",
                     SCRIPT("128", "var total = 0; at days { total += level }; at expiry { "
                                   "pay max(total / 128 - 1, 0) }")),
        "all", "2^8", "bridge");
    if (measure(r, 0, 0)->note) fail_msg("%s", measure(r, 0, 0)->note);
    levy_results_destroy(r);
}

/* ---- Latches ---- */

/* A variable that is reported is each segment's own; without the report it is a number of the path.
 * The price is the same. */
static void test_a_latch_is_what_segments_would_decide(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* below, above, either by a sign, at multiples of 0 */
        "var hit = 0; at days { if worst(levels) < 0.9 { hit = 1 } }; at expiry { pay 3 if hit > 0 "
        "else worst(levels) }",
        "var hit = 2; at days { if worst(levels) > 1.1 { hit = 5 } }; at expiry { pay hit }",
        "var hit = 0; at days { if (number - 3.5) * worst(levels) >= number - 3.5 { hit = 1 } }; "
        "at expiry { pay 1 + hit * worst(levels) }",
        "var hit = 0; at days { if zero * worst(levels) >= 0 { hit = 1 } }; at expiry { pay hit }",
        "var hit = 0; at days { if zero * worst(levels) > 0 { hit = 1 } }; at expiry { pay hit }",
        /* read in the block that sets it, before and after; with an end */
        "var hit = 0; at days { if hit > 0 { pay 1 }; if worst(levels) < 0.95 { hit = 1 }; pay 2 * "
        "hit }",
        "var hit = 0; at days { if worst(levels) >= 1.1 { pay 2; stop }; if worst(levels) < 0.9 { "
        "hit = 1 } }; at expiry { pay worst(levels) if hit > 0 else 1 }",
        /* what is no latch: two constants, a reset, a condition within another */
        "var hit = 0; at days { if worst(levels) < 0.9 { hit = 1 }; if worst(levels) > 1.1 { hit = "
        "2 } }; at expiry { pay hit }",
        "var hit = 0; at days { hit = 0; if worst(levels) < 0.95 { hit = 1 }; pay hit }",
        "var hit = 0; at days { if worst(levels) < 1 { if worst(levels) > 0.9 { hit = 1 } } }; at "
        "expiry { pay hit }"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
        char text[4096];
        snprintf(text, sizeof text,
                 MARKET TRADE("latch", "m", "A, B",
                              "kind: script, levels: percent_of_initial, parameters: {zero: 0}, "
                              "schedules: {days: {count: 6}}, script: \"%s\"")
                     TRADE("own", "m", "A, B",
                           "kind: script, levels: percent_of_initial, parameters: {zero: 0}, "
                           "schedules: {days: {count: 6}}, script: \"%s; report hit\"") MEASURES,
                 texts[k], texts[k]);
        levy_results *const r = smoothed(text, "all", "2^10", "bridge");
        for (size_t m = 0; m < 4; ++m) {
            const double a = measure(r, 0, m)->value, b = measure(r, 1, m)->value;
            if (!(fabs(a - b) <= 1e-9 * (1 + fabs(b)))) /* of second differences */
                fail_msg("%s: %.15g and %.15g", texts[k], a, b);
        }
        levy_results *const plain = smoothed(text, "none", "2^10", "bridge");
        const int constant = strstr(texts[k], "zero") != NULL;
        assert_true(constant || measure(plain, 0, 0)->value != measure(r, 0, 0)->value);
        levy_results_destroy(plain);
        levy_results_destroy(r);
    }
}

/* ---- Edges ---- */

/* A level times 0 is not above 0. */
static void test_a_multiplier_of_0_compares_strictly(void **state)
{
    (void)state;
    static const char *const conditions[] = {
        "0 * level > 0",    "0 * level < 0",    "0 * level >= 0",   "0 <= zero * level",
        "zero * level > 0", "0 < zero * level", "zero * level <= 0"};
    static const int holds[] = {0, 0, 1, 1, 0, 0, 1};
    for (size_t k = 0; k < sizeof holds / sizeof *holds; ++k) {
        char text[2048];
        snprintf(
            text, sizeof text,
            MARKET TRADE("t", "m", "A",
                         "kind: script, parameters: {zero: 0}, script: \"at expiry { pay 10 if "
                         "%s else 1 }\""),
            conditions[k]);
        levy_results *const r = smoothed(text, "all", "2^8", "bridge");
        assert_true(fabs(levy_results_trade(r, 0)->price / exp(-0.04) - (holds[k] ? 10 : 1)) <
                    1e-12);
        levy_results_destroy(r);
    }
}

/* Without correlation a bump of it could turn a loading round. */
static void test_uncorrelated_assets_stay_plain(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/script-integrated");
    levy_results *const r = smoothed(text, "auto", "2^8", "bridge");
    assert_string_equal(levy_results_trade(r, 0)->status, "ok");
    levy_results_destroy(r);
}

static void assert_measures_near(const levy_measure *a, const levy_measure *b)
{
    const double error = sqrt(a->std_error * a->std_error + b->std_error * b->std_error);
    if (!(fabs(a->value - b->value) <= 4.0 * error + 1e-9 * fabs(b->value)))
        print_error("%s: %g +- %g, %g +- %g\n", a->measure, a->value, a->std_error, b->value,
                    b->std_error);
    assert_true(fabs(a->value - b->value) <= 4.0 * error + 1e-9 * fabs(b->value));
}

/* What today's level decides jumps in the spot, however smooth the rest is: bumps stay on this side
 * of it. So a barrier that is watched today and not touched leaves the Greeks as they are without
 * today. */
static void test_bumps_stay_on_this_side_of_today(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single"};
#define WATCHED(id, times)                                                                         \
    TRADE(id, "m", "A",                                                                            \
          "kind: barrier, option_type: call, strike: 100, barrier: {direction: up, knock: out, "   \
          "level: 102, observations: {times: " times "}}")                                         \
    TRADE(id "s", "m", "A",                                                                        \
          "kind: script, schedules: {days: {times: " times "}}, script: \"at days { if level >= "  \
          "102 { stop } }; at expiry { pay max(level - 100, 0) }\"")
    for (size_t i = 0; i < 2; ++i) {
        char text[4000];
        snprintf(text, sizeof text, "%ssimulation: {precision: %s}\n",
                 MARKET WATCHED("t", "[0, 0.5, 1]") WATCHED("l", "[0.5, 1]") MEASURES,
                 precisions[i]);
        levy_results *const r = smoothed(text, "auto", "2^12", "bridge");
        for (size_t t = 0; t < 2; ++t)
            for (size_t m = 1; m < 4; m += 1 + i) { /* in single so small a bump has no gamma */
                assert_int_equal(measure(r, t, m)->flagged, 0);
                assert_measures_near(measure(r, t, m), measure(r, t + 2, m));
            }
        levy_results_destroy(r);
    }
#undef WATCHED
}

/* The greater of two decides as a comparison does. */
static void test_what_is_greater_today_decides(void **state)
{
    (void)state;
#define PAID(strike)                                                                               \
    "kind: script, levels: percent_of_initial, schedules: {days: {times: [0]}}, script: \"at "     \
    "days "                                                                                        \
    "{ pay max(level - " strike ", 0) }; at expiry { pay 1 if level > 1 else 0 }\""
    levy_results *const r = smoothed(MARKET TRADE("near", "m", "A", PAID("0.99"))
                                         TRADE("far", "m", "A", PAID("0.5")) MEASURES,
                                     "auto", "2^12", "bridge");
    assert_true(fabs(measure(r, 0, 1)->value - measure(r, 1, 1)->value) < 1e-6);
    levy_results_destroy(r);
#undef PAID
}

/* At the barrier itself a bump has no side to stay on, and says so; vega has nothing to cross. */
static void test_a_bump_across_today_is_biased(void **state)
{
    (void)state;
    levy_results *const r = smoothed(
        MARKET TRADE("t", "m", "A",
                     "kind: script, schedules: {days: {times: [0, 1]}}, script: \"at days { "
                     "if level >= 100 { stop } }; at expiry { pay max(level - 90, 0) }\"") MEASURES,
        "auto", "2^10", "bridge");
    assert_non_null(strstr(measure(r, 0, 1)->note, "biased"));
    for (size_t m = 1; m < levy_results_trade(r, 0)->n_measures; ++m)
        if (strcmp(measure(r, 0, m)->measure, "vega") == 0)
            assert_int_equal(measure(r, 0, m)->flagged, 0);
    levy_results_destroy(r);
}

/* ---- What the documentation says ---- */

static void read_example(const char *name, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, LEVY_SOURCE_DIR "/configs/payoffs/%s", name);
    FILE *const f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, size - 1, f)] = '\0';
    fclose(f);
}

/* A note on the first measure of the example's first trade, of a Greek if it has one. */
static const char *example_note(const levy_results *r)
{
    const levy_trade_result *const t = levy_results_trade(r, 0);
    for (size_t m = 0; m < t->n_measures; ++m)
        if (strcmp(t->measures[m].measure, "delta") == 0 && t->measures[m].note)
            return t->measures[m].note;
    return "";
}

/* `levy describe` says of a kind that it is integrated if its Greeks are noisy without. */
static void test_kinds_are_described_as_they_are(void **state)
{
    (void)state;
    DIR *const folder = opendir(LEVY_SOURCE_DIR "/configs/payoffs");
    size_t n = 0;
    assert_non_null(folder);
    for (const struct dirent *at; (at = readdir(folder)) != NULL;) {
        char text[1 << 14], kind[64] = "";
        kept_text described = {.length = 0};
        if (!strstr(at->d_name, ".yaml")) continue;
        read_example(at->d_name, text, sizeof text - 64);
        if (strstr(text, "-0.")) continue; /* a negative correlation */
        if (!strstr(text, "\nmeasures:")) strcat(text, "measures: [price, delta]\n");
        memcpy(kind, at->d_name, strlen(at->d_name) - strlen(".yaml"));
        if (!strstr(text, "delta") || levy_describe(kind, text_write, &described) != 0) continue;
        levy_results *const none = smoothed(text, "none", "2^9", "bridge");
        levy_results *const smooth = smoothed(text, "auto", "2^9", "bridge");
        const int noisy = strstr(example_note(none), "noisy") != NULL,
                  quiet = noisy && !strstr(example_note(smooth), "noisy");
        if (quiet != (strstr(described.bytes, "simulation.smoothing:") != NULL))
            fail_msg("%s: integrated %d", kind, quiet);
        levy_results_destroy(none);
        levy_results_destroy(smooth);
        ++n;
    }
    closedir(folder);
    assert_true(n >= 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_date_is_exact),
        cmocka_unit_test(test_twins_agree_with_built_in_payoffs),
        cmocka_unit_test(test_values_are_those_of_plain_paths),
        cmocka_unit_test(test_errors_of_an_autocall_suit_a_hedger),
        cmocka_unit_test(test_parts_add_up),
        cmocka_unit_test(test_what_cannot_be_integrated_says_so),
        cmocka_unit_test(test_a_long_sum_is_integrated),
        cmocka_unit_test(test_a_latch_is_what_segments_would_decide),
        cmocka_unit_test(test_a_multiplier_of_0_compares_strictly),
        cmocka_unit_test(test_uncorrelated_assets_stay_plain),
        cmocka_unit_test(test_bumps_stay_on_this_side_of_today),
        cmocka_unit_test(test_what_is_greater_today_decides),
        cmocka_unit_test(test_a_bump_across_today_is_biased),
        cmocka_unit_test(test_kinds_are_described_as_they_are),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
