/* test_script_spans.c: the normal law in a script, and what it asks of two times: volatility,
 * discount factor and years. Options on options against closed forms, with their Greeks; the
 * numbers of each market; and what cannot be asked. */
#include "engine/levy.h"

#include "tests/cmocka_all.h"
#include "tests/context_fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct priced {
    double price, error, vega, rho, theta;
    char said[2000]; /* faults and warnings, with their hints */
    int status;      /* of loading */
} priced;

static double value_of(const levy_trade_result *trade, const char *name)
{
    for (size_t k = 0; k < trade->n_measures; ++k)
        if (strcmp(levy_trade_measure(trade, k)->measure, name) == 0)
            return levy_trade_measure(trade, k)->value;
    return NAN;
}

static void listen(priced *p)
{
    const levy_diagnostic *d;
    for (size_t k = 0; (d = levy_diagnostic_get(context, k)) != NULL; ++k) {
        const size_t n = strlen(p->said);
        snprintf(p->said + n, sizeof p->said - n, "%s %s\n", d->text, d->hint ? d->hint : "");
    }
}

enum { MOST_LISTS = 2047 }; /* and what a payment is worth */
static const char *asked = "vega, rho";

/* A book of one trade on `assets`, which expires after a year. */
static priced price(const char *assets, const char *model, const char *underlyings,
                    const char *payoff)
{
    static char text[100000];
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    levy_book *book;
    levy_results *results;
    priced p = {.price = NAN};
    snprintf(text, sizeof text,
             "schema_version: 1\nmarket: {curves: {USD: {kind: zero, nodes: [[0.5, 0.03], "
             "[1, 0.04]]}}, assets: {%s}}\nmodels: {m: {%s}}\n"
             "measures: [%s]\nsimulation: {paths: 2^14}\n"
             "trades:\n - {id: t, exercise: {expiry: 1.0}, underlyings: [%s], payoff: {kind: "
             "script, %s}}\n",
             assets, model, asked, underlyings, payoff);
    p.status = levy_book_load_text(context, "t.yaml", text, strlen(text), NULL, 0, &book);
    listen(&p);
    if (p.status != LEVY_STATUS_OK) return p;
    assert_int_equal(levy_price(book, &options, &results), 0);
    const levy_trade_result *const t = levy_results_trade(results, 0);
    assert_string_equal(t->status, "ok");
    p.price = t->price;
    p.error = t->std_error;
    p.vega = value_of(t, "vega");
    p.rho = value_of(t, "rho");
    p.theta = value_of(t, "theta");
    levy_results_destroy(results);
    levy_book_destroy(book);
    return p;
}

#define ONE "A: {currency: USD, spot: 100, volatility: 0.25}"
#define DIFFUSION "kind: black_scholes, assets: [A]"
#define EXPIRY(amount) "script: 'at expiry { pay " amount " }'"
#define WATCHED(dates, text) "schedules: {watch: " dates "}, script: '" text "'"

static priced worth(const char *payoff) { return price(ONE, DIFFUSION, "A", payoff); }
static const double year = 0.96078943915232320; /* exp(-0.04): what 1 at expiry is worth */

static void assert_pays(const priced *p, double amount)
{
    if (!(fabs(p->price - year * amount) <= 1e-12 * fabs(amount)))
        fail_msg("%.15g, want %.15g: %s", p->price / year, amount, p->said);
}

/* ---- Options on options ---- */

/* By the closed forms in the bivariate normal distribution of Geske (1979), Rubinstein (1991) and
 * Longstaff (1990), with SciPy's quad and brentq; derivatives by Richardson's differences of them.
 */
typedef struct closed {
    double price, delta, vega, rho;
} closed;
static const closed closed_forms[] = {
    {5.704841283042, 0.444048926033, 34.208284364334, 36.803811718096},
    {13.213652358645, 0.194868166676, 63.909549422982, 6.273164307874},
    {11.951956995448, 0.584870554418, 48.103800288052, 61.314816402346}};

static void assert_within(const char *what, double value, double error, double want)
{
    if (!(error < 4e-3 * fabs(want) && fabs(value - want) <= 4.0 * error))
        fail_msg("%s: %.10g +- %.2g, want %.10g", what, value, error, want);
}

static void test_options_on_options_are_closed_forms(void **state)
{
    (void)state;
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu"};
    const char *const path = LEVY_SOURCE_DIR "/configs/options_on_options.yaml";
    levy_book *book;
    levy_results *results;
    assert_int_equal(levy_book_load_files(context, &path, 1, NULL, 0, &book), LEVY_STATUS_OK);
    assert_int_equal(levy_price(book, &options, &results), 0);
    for (size_t k = 0; k < 3; ++k) {
        const levy_trade_result *const t = levy_results_trade(results, k);
        const closed *const c = &closed_forms[k];
        const double wants[] = {c->delta, c->vega, c->rho};
        static const char *const names[] = {"delta", "vega", "rho"};
        assert_within(t->id, t->price, t->std_error, c->price);
        assert_int_equal(t->n_measures, 4);
        for (size_t m = 0; m < 3; ++m) {
            const levy_measure *const made = levy_trade_measure(t, m + 1);
            assert_string_equal(made->measure, names[m]);
            assert_within(names[m], made->value, made->std_error, wants[m]);
        }
    }
    levy_results_destroy(results);
    levy_book_destroy(book);
}

/* ---- The normal law ---- */

static void test_the_normal_law(void **state)
{
    (void)state;
    const priced known =
                     worth("parameters: {x: [-1.5, 0.75]}, script: 'at expiry { pay cdf(x[1]) + "
                           "10 * cdf(x[2]) + 100 * pdf(x[1]) + 1000 * pdf(9) }'"),
                 below = worth(EXPIRY("cdf((log(level) - log(100) - 0.00875) / 0.25 + 0.3)")),
                 density = worth(EXPIRY("pdf((log(level) - log(100) - 0.00875) / 0.25 + 0.3)"));
    const double root = sqrt(0.5), at = 0.3 * root;
    assert_pays(&known, 0.5 * erfc(1.5 * root) + 5.0 * erfc(-0.75 * root) +
                            39.894228040143268 * exp(-1.125) + 398.94228040143268 * exp(-40.5));
    /* of a + z with another normal z, by one integral */
    assert_true(fabs(below.price / year - 0.5 * erfc(-at * root)) < 1e-5);
    assert_true(fabs(density.price / year - root * 0.39894228040143268 * exp(-0.5 * at * at)) <
                1e-5);
}

/* ---- Two times ---- */

static void test_times(void **state)
{
    (void)state;
    const priced now = worth(EXPIRY("years(0, now) + 10 * years(now, expiry)")),
                 named = worth(WATCHED(
                     "[0.25]", "at watch { pay years(now, expiry) * discount(now, expiry) + "
                               "100 * years(watch, 0.75) * discount(now, expiry) }")),
                 items =
                     worth(WATCHED("[0.25, 0.5]", "at expiry { pay years(watch[1], watch[2]) }")),
                 listed = worth(
                     "schedules: {watch: [0.25, 0.5]}, parameters: {end: [0.75, 2], start: 0.25}, "
                     "script: 'at watch { pay years(now, end[number]) * discount(now, expiry) + "
                     "10 * years(start, now) * discount(now, expiry) }'");
    assert_pays(&now, 1.0);
    assert_pays(&named, 50.75);
    assert_pays(&items, 0.25);
    assert_pays(&listed, 0.5 + 1.5 + 2.5);
}

static void test_discount_is_that_of_the_market(void **state)
{
    (void)state;
    const priced p = worth(EXPIRY("discount(0, now) + 10 * discount(0.5, now)"));
    const double half = 0.98511193960306265; /* exp(-0.015) */
    assert_pays(&p, year + 10.0 * year / half);
    /* of exp(-r) (exp(-r) + 10 exp(-r) / exp(-r / 2)) */
    assert_true(fabs(p.rho / (-2.0 * year * year - 15.0 * year * year / half) - 1.0) < 1e-4);
}

#define TERM                                                                                       \
    "A: {currency: USD, spot: 100, volatility: {kind: term, nodes: [[0.25, 0.15], [0.5, 0.2], "    \
    "[1, "                                                                                         \
    "0.35]]}}"
static void test_volatility_is_the_average(void **state)
{
    (void)state;
    const priced flat = worth(EXPIRY("volatility(0, now)")),
                 term = price(TERM, DIFFUSION, "A", EXPIRY("volatility(0.25, now)")),
                 none = price(TERM, DIFFUSION, "A", EXPIRY("volatility(0.75, 0.75)"));
    const double left = 0.1225 - 0.25 * 0.0225, later = (0.1225 - 0.5 * 0.04) / 0.5;
    assert_pays(&flat, 0.25);
    assert_true(fabs(flat.vega / year - 1.0) < 1e-9);
    assert_pays(&term, sqrt(left / 0.75));
    assert_true(fabs(none.price / year - sqrt(later)) < 1e-9); /* of the time itself */
}

#define TWO                                                                                        \
    "A: {currency: USD, spot: 100, volatility: 0.25}, B: {currency: USD, spot: 50, volatility: "   \
    "0.4}}, correlations: {pairs: [[A.spot, B.spot, 0.5]]"
static void test_several_assets(void **state)
{
    (void)state;
    const char *const model = "kind: black_scholes, assets: [A, B]";
    const priced list = price(TWO, model, "A, B",
                              EXPIRY("best(volatility(0, now)) + 10 * worst(volatility(0, now))")),
                 named = price(TWO, model, "A, B",
                               EXPIRY("volatility(B, 0, now) + 10 * volatility(A, 0, now)"));
    assert_pays(&list, 2.9);
    assert_true(named.price == list.price);
}

/* What a name of the file's own calls, the functions do not hide. */
static void test_names_go_on(void **state)
{
    (void)state;
    const priced p =
        worth("parameters: {years: 0.5, cdf: 3, discount: [4], now: 0.25}, script: 'at expiry { "
              "let pdf = years + cdf; let volatility = discount[1]; pay pdf + volatility + "
              "10 * years(now, expiry) + 100 * cdf(0) }'");
    assert_pays(&p, 0.5 + 3.0 + 4.0 + 7.5 + 50.0);
}

/* ---- Today, and the past ---- */

static void test_today(void **state)
{
    (void)state;
    const priced p =
        worth(WATCHED("{times: [0, 1]}", "at watch { pay volatility(now, expiry) * 100 + "
                                         "discount(now, expiry) }"));
    assert_true(fabs(p.price - (25.0 + year + year * (25.0 + 1.0))) < 1e-9);
}

#define PAST(more)                                                                                 \
    "schedules: {watch: {times: [-0.5, 0.5]}}, " more                                              \
    "script: 'var total = 0; at watch { total += volatility(now, expiry); pay level }; at expiry " \
    "{ "                                                                                           \
    "pay "                                                                                         \
    "total }'"

static void assert_said(const priced *p, int status, const char *what)
{
    if (p->status != status || !strstr(p->said, what))
        fail_msg("status %d, and not \"%s\": %s", p->status, what, p->said);
}

static void test_the_past_needs_a_state(void **state)
{
    (void)state;
    const priced none = worth(PAST(""));
    const priced given = worth(PAST("state: {total: 1}, "));
    const priced years = price("A: {currency: USD, spot: 100, volatility: 0.25, fixings: [[-0.5, "
                               "100]]}",
                               DIFFUSION, "A",
                               WATCHED("{times: [-0.5, 0.5]}", "var total = 0; at watch { total += "
                                                               "years(now, expiry) }; at expiry { "
                                                               "pay total }"));
    assert_said(&none, LEVY_STATUS_INPUT, "the schedule 'watch' has past dates, and nothing tells");
    assert_true(given.status == LEVY_STATUS_OK && given.price > 100.0);
    assert_pays(&years, 2.0);
}

static void assert_theta(const priced *p, double want)
{
    if (!(fabs(p->theta - want) <= 1e-12)) fail_msg("theta %.15g, want %.15g", p->theta, want);
}

/* A coupon of the rate from today on is fixed today: a day later it is the same, and years and
 * volatility are. So is what lies between today and then. */
static void test_the_day_of_theta_keeps_its_rates(void **state)
{
    (void)state;
    asked = "theta";
    const priced rate = worth(EXPIRY("1 / discount(0, now)")),
                 later = worth(EXPIRY("1 / discount(0.25, now)")),
                 day = worth(EXPIRY("discount(0.001, now)")),
                 others = worth(EXPIRY("years(0, now) + volatility(0, now)")),
                 passed = worth(EXPIRY("years(0.001, 0.002) + volatility(0.001, 0.002)"));
    asked = "vega, rho";
    assert_true(rate.error < 1e-12 && others.error < 1e-12); /* no level is read: known */
    const double grown = expm1(0.03 / 365.0);
    assert_pays(&rate, exp(0.04));
    assert_theta(&rate, grown);
    assert_theta(&later, exp(-0.0075) * grown);
    assert_theta(&day, year * year * exp(0.03 * 0.001) * grown);
    assert_theta(&others, year * 1.25 * grown);
    assert_theta(&passed, year * 0.251 * grown);
}

static void test_what_was_before_today_is_not_told(void **state)
{
    (void)state;
    const char *const past[] = {EXPIRY("discount(-0.25, now)"),
                                EXPIRY("level * volatility(-0.25, now)"),
                                "parameters: {from: [0, -0.5]}, schedules: {watch: {count: 2}}, "
                                "script: 'at watch { pay discount(from[number], now) }'",
                                "state: {}, schedules: {watch: {times: [-0.5, 0.5]}}, "
                                "script: 'at watch { pay discount(watch[1], now) }'"};
    for (size_t k = 0; k < sizeof past / sizeof *past; ++k) {
        const priced p = worth(past[k]);
        assert_said(&p, LEVY_STATUS_OK, "a time before the valuation date");
    }
    const priced known = worth(EXPIRY("years(-0.25, now)")),
                 passed = worth("parameters: {from: [-0.5, 0]}, state: {}, schedules: {watch: "
                                "{times: [-0.25, 0.5]}}, "
                                "script: 'at watch { pay discount(from[number], now) }'");
    assert_pays(&known, 1.25);
    assert_string_equal(known.said, "");
    assert_string_equal(passed.said, "");
}

/* ---- Many numbers by date ---- */

/* Adds the numbers of n lists, each of one date: k to the kth. */
static priced lists(unsigned n)
{
    static char payoff[90000];
    char *at = payoff + sprintf(payoff, "parameters: {");
    for (unsigned k = 1; k <= n; ++k) at += sprintf(at, "%sp%u: [%u]", k > 1 ? ", " : "", k, k);
    at += sprintf(at, "}, script: 'at expiry { pay level * 0");
    for (unsigned k = 1; k <= n; ++k) at += sprintf(at, " + p%u[number]", k);
    sprintf(at, " }'");
    return worth(payoff);
}

static void test_many_numbers_by_date(void **state)
{
    (void)state;
    asked = "delta";
    const priced most = lists(MOST_LISTS), more = lists(MOST_LISTS + 1);
    asked = "vega, rho";
    assert_pays(&most, 0.5 * MOST_LISTS * (MOST_LISTS + 1.0));
    assert_said(&more, LEVY_STATUS_INPUT, "reads more than 2048 numbers by date");
}

/* ---- What cannot be asked, and what is warned of ---- */

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *payoff, *said;
    } cases[] = {
        {EXPIRY("volatility(now)"), "'volatility' takes two times"},
        {EXPIRY("discount(A, now, expiry)"), "'discount' takes two times"},
        {EXPIRY("years(0, level)"), "'level' is no time that is known before the paths"},
        {EXPIRY("years(0, then)"), "there is no value 'then'"},
        {EXPIRY("years(now, 2027-11-20)"), "a script has no dates; got '2027-11-20'"},
        {EXPIRY("years(2027-01-05, 2028-02-03)"), "got '2028-02-03'"},
        {EXPIRY("volatility(today, expiry)"), "Today is 0"},
        {EXPIRY("now"), "Write years(0, now)"},
        {EXPIRY("volatility(B, now, expiry)"), "the trade has no underlying 'B'"},
        {EXPIRY("volatility(now, expiry)[1]"), "let all = ...; all[1]"},
        {"parameters: {strike: 95%}, script: 'at expiry { pay strike }'", "0.05, not 5%"},
        {"parameters: {strike: \"95\"}, script: 'at expiry { pay strike }'", "Remove the quotes"},
        {WATCHED("0.5", "at watch { pay level }"), "Write watch: [0.5]."},
        {WATCHED("2027-05-20", "at watch { pay level }"), "Write watch: [2027-05-20]."},
        {WATCHED("12", "at watch { pay level }"), "Write watch: {count: 12}."},
        {WATCHED("{count: 3}", "at watch { pay years(now, watch) }"),
         "the schedule 'watch' has 3 dates Write watch[1]"},
        {WATCHED("{count: 3}", "at watch { pay years(now, watch[4]) }"), "has 3 dates"},
        {WATCHED("{count: 3}", "at watch { pay years(now, watch[number]) }"), "is no time"},
        {"script: 'var v = volatility(0, expiry); at expiry { pay v }'", "known at dates only"},
        {EXPIRY("N(level / 100)"), "Write cdf(x)"},
        {EXPIRY("cdf"), "cdf is a function; it needs its arguments Write cdf(level)."},
        {EXPIRY("cdf(1, 2)"), "cdf takes one argument"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const priced p = worth(cases[k].payoff);
        assert_said(&p, LEVY_STATUS_INPUT, cases[k].said);
    }
}

static void test_other_models_are_warned_of(void **state)
{
    (void)state;
    const char *const asks = EXPIRY("volatility(0, now)");
    asked = "delta";
    const priced plain = worth(asks),
                 jumps = price(ONE,
                               "kind: merton, assets: [A], intensity: 0.5, jump_mean: -0.1, "
                               "jump_volatility: 0.15",
                               "A", asks),
                 layers = price(ONE,
                                "kind: black_scholes, assets: [A], jumps: [{intensity: 0.5, mark: "
                                "{kind: normal, mean: -0.1, volatility: 0.15}}]",
                                "A", asks),
                 own = price("A: {currency: USD, spot: 100}",
                             "kind: variance_gamma, assets: [A], sigma: 0.2, nu: 0.3, theta: -0.1",
                             "A", asks);
    assert_true(!strstr(plain.said, "Black and Scholes"));
    assert_said(&jumps, LEVY_STATUS_OK,
                "volatility is that of Black and Scholes, but the model 'm'");
    assert_said(&layers, LEVY_STATUS_OK, "the model 'm' has jumps Its value is the asset's quoted");
    assert_pays(&jumps, 0.25);
    assert_said(&own, LEVY_STATUS_OK, "is variance_gamma Its value is the model's own volatility");
    assert_true(own.price > 0.15 && own.price < 0.3);
    asked = "vega, rho";
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options_on_options_are_closed_forms),
        cmocka_unit_test(test_the_normal_law),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_discount_is_that_of_the_market),
        cmocka_unit_test(test_volatility_is_the_average),
        cmocka_unit_test(test_several_assets),
        cmocka_unit_test(test_names_go_on),
        cmocka_unit_test(test_today),
        cmocka_unit_test(test_the_past_needs_a_state),
        cmocka_unit_test(test_the_day_of_theta_keeps_its_rates),
        cmocka_unit_test(test_what_was_before_today_is_not_told),
        cmocka_unit_test(test_many_numbers_by_date),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_other_models_are_warned_of),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
