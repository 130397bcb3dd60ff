/* test_embed.c: a program that prices again and again: quotes that are set give, bit for bit, what
 * a file with those numbers gives; every allocation of that life may fail; the host's
 * floating-point mode, locale, small stacks and forks neither matter nor change. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "kernels/lane/scalar.h"
#include "tests/heap.h"

#define TEXT_ROOM 65536
#include "tests/kept_text.h"
#include "tests/words.h"
#include "tests/near.h"
#include "tests/files.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* ---- A book of every kind of quote, as text ---- */

typedef struct embed_market {
    double a_spot, a_yield, a_volatility; /* flat; USD: zero curve */
    double b_spot, b_shift;               /* term structure, cash dividends */
    double usd_shift, eur_shift, gbp;     /* zero rates, discount factors, flat */
} embed_market;

static const embed_market embed_start = {100.0, 0.01, 0.2, 50.0, 0.0, 0.0, 0.0, 0.03};

/* Sums and products are done here, and written with 17 digits: the very doubles. */
static const char *embed_text(const embed_market *m, const char *more)
{
    static char text[8192];
    const double usd1 = 0.04 + m->usd_shift, usd2 = 0.05 + m->usd_shift;
    const double eur1 = m->eur_shift == 0.0 ? 0.97 : 0.97 * levy_exp(-m->eur_shift * 1.0);
    const double eur3 = m->eur_shift == 0.0 ? 0.9 : 0.9 * levy_exp(-m->eur_shift * 3.0);
    snprintf(text, sizeof text,
             "schema_version: 1\n"
             "market:\n"
             "  curves:\n"
             "    USD: {kind: zero, compounding: annual, nodes: [[1, %.17g], [3, %.17g]]}\n"
             "    EUR: {kind: discount, nodes: [[1, %.17g], [3, %.17g]]}\n"
             "    GBP: %.17g\n"
             "  assets:\n"
             "    A: {currency: USD, spot: %.17g, volatility: %.17g, dividend_yield: %.17g}\n"
             "    B: {currency: USD, spot: %.17g, volatility: {kind: term, nodes: [[0.5, %.17g], "
             "[2, %.17g]]},\n"
             "        dividends: {cash: [[0.4, 1.5]]}}\n"
             "    E: {currency: EUR, spot: 10, volatility: 0.3}\n"
             "    G: {currency: GBP, spot: 20, volatility: 0.25}\n"
             "  correlations: {names: [A.spot, B.spot], matrix: [[1, 0.5], [0.5, 1]]}\n"
             "models:\n"
             "  equity: {kind: black_scholes, assets: [A, B]}\n"
             "  euro: {kind: black_scholes, assets: [E]}\n"
             "  pound: {kind: black_scholes, assets: [G]}\n"
             "trades:\n"
             "  - {id: call, model: equity, underlying: A, payoff: {kind: european, option_type: "
             "call, strike: 100},\n"
             "     exercise: {style: european, expiry: 1}}\n"
             "  - {id: asian, model: equity, underlying: B, payoff: {kind: asian, option_type: "
             "call, strike: 50,\n"
             "     averaging: {method: arithmetic, observations: {start: 0, end: 1, count: 6}}},\n"
             "     exercise: {style: european, expiry: 1}}\n"
             "  - {id: worst, model: equity, underlyings: [A, B], notional: 1000, payoff: {kind: "
             "worst_of,\n"
             "     option_type: put, strike_type: percent_of_initial, strike: 1.0, initial_fixing: "
             "%s},\n"
             "     exercise: {style: european, expiry: 2}}\n"
             "  - {id: basket, model: equity, underlyings: [A, B], payoff: {kind: basket, "
             "option_type: call,\n"
             "     strike: 70}, exercise: {style: european, expiry: 1.5}}\n"
             "  - {id: euro, model: euro, underlying: E, payoff: {kind: european, option_type: "
             "put, strike: 10},\n"
             "     exercise: {style: european, expiry: 2}}\n"
             "  - {id: pound, model: pound, underlying: G, payoff: {kind: european, option_type: "
             "put, strike: 20},\n"
             "     exercise: {style: european, expiry: 2}}\n"
             "simulation: {paths: 2^10}\n%s",
             usd1, usd2, eur1, eur3, m->gbp, m->a_spot, m->a_volatility, m->a_yield, m->b_spot,
             0.2 + m->b_shift,
             /* quotes leave a fixing where it was */
             0.25 + m->b_shift, m == &embed_start ? "spot" : "[100, 50]", more);
    return text;
}

static const char embed_greeks[] = "measures: [price, delta, vega]\n";

static levy_context *new_context(const levy_context_options *options)
{
    levy_context *context;
    assert_int_equal(levy_context_create(options, &context), LEVY_STATUS_OK);
    return context;
}

static levy_book *load(levy_context *context, const char *text, const char *precision)
{
    return read_book(context, text, &(levy_setting){"simulation.precision", precision}, 1);
}

static void assert_same_trade(const levy_trade_result *a, const levy_trade_result *b)
{
    assert_string_equal(a->status, "ok");
    assert_string_equal(b->status, "ok");
    assert_string_equal(a->reason, b->reason);
    assert_true(a->plan_hash == b->plan_hash);
    assert_true(bits_of(a->price) == bits_of(b->price) && bits_of(a->ci_low) == bits_of(b->ci_low));
    assert_true(bits_of(a->unit_price) == bits_of(b->unit_price));
    assert_int_equal(a->n_measures, b->n_measures);
    for (size_t i = 0; i < a->n_measures; ++i) {
        assert_true(bits_of(a->measures[i].value) == bits_of(b->measures[i].value));
        assert_true(bits_of(a->measures[i].std_error) == bits_of(b->measures[i].std_error));
    }
}

/* The book as its quotes are now, and a fresh load of `text`. */
static void assert_as_fresh(levy_book *book, const char *text, const char *precision)
{
    levy_context *context = new_context(NULL);
    levy_book *fresh = load(context, text, precision);
    levy_results *now = price_on_cpu(book, 2), *then = price_on_cpu(fresh, 2);
    assert_int_equal(levy_results_size(now), levy_results_size(then));
    for (size_t i = 0; i < levy_results_size(now); ++i)
        assert_same_trade(levy_results_trade(now, i), levy_results_trade(then, i));
    levy_results_destroy(now);
    levy_results_destroy(then);
    levy_book_destroy(fresh);
    levy_context_destroy(context);
}

static void set(levy_book *book, const char *factor, double value)
{
    double now = NAN;
    assert_int_equal(levy_book_set(book, factor, value), LEVY_STATUS_OK);
    assert_int_equal(levy_book_get(book, factor, &now), LEVY_STATUS_OK);
    assert_true(now == value);
}

static void set_market(levy_book *book, const embed_market *m)
{
    set(book, "A.spot", m->a_spot);
    set(book, "A.dividend_yield", m->a_yield);
    set(book, "A.volatility", m->a_volatility);
    set(book, "B.spot", m->b_spot);
    set(book, "B.volatility", m->b_shift);
    set(book, "USD.rate", m->usd_shift);
    set(book, "EUR.rate", m->eur_shift);
    set(book, "GBP.rate", m->gbp);
}

/* ---- Quotes ---- */

static const embed_market embed_markets[] = {
    {101.5, 0.01, 0.2, 50.0, 0.0, 0.0, 0.0, 0.03}, /* spots alone, one by one */
    {101.5, 0.01, 0.2, 41.7, 0.0, 0.0, 0.0, 0.03},
    {101.5, 0.01, 0.31, 41.7, 0.0, 0.0, 0.0, 0.03}, /* volatilities */
    {101.5, 0.01, 0.31, 41.7, 0.0125, 0.0, 0.0, 0.03},
    {101.5, -0.02, 0.31, 41.7, 0.0125, -0.003, 0.0, 0.03}, /* yield and curves */
    {99.3, -0.02, 0.1, 60.0, -0.05, 0.011, 0.007, -0.01},  /* all */
    {100.0, 0.01, 0.2, 50.0, 0.0, 0.0, 0.0, 0.03},         /* and back */
};
enum { EMBED_MARKETS = sizeof embed_markets / sizeof *embed_markets };

static void compare_markets(const char *more, const char *precision)
{
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, more), precision);
    for (size_t i = 0; i < EMBED_MARKETS; ++i) {
        set_market(book, &embed_markets[i]);
        assert_as_fresh(book, embed_text(&embed_markets[i], more), precision);
    }
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_set_quotes_are_a_fresh_load_bit_for_bit(void **state)
{
    (void)state;
    compare_markets("", "double");
    compare_markets(embed_greeks, "double");
    compare_markets(embed_greeks, "single");
}

static void test_quotes_are_listed_and_read(void **state)
{
    (void)state;
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, ""), "double");
    double value = NAN;
    static const char *const shifts[] = {"B.volatility", "B.dividends", "USD.rate",
                                         "EUR.rate",     "EUR.rate[1]", "EUR.rate[3]"};
    const size_t n = levy_book_quote_count(book);
    size_t n_shifts = 0;
    /* of each asset four numbers, of B two nodes and a dividend beside all; three curves, two with
     * nodes; a correlation */
    assert_int_equal(n, 4 * 4 + 2 + 2 + 3 + 4 + 1);
    for (size_t i = 0; i < n; ++i) {
        const char *const name = levy_book_quote_name(book, i);
        bool shift = false;
        for (size_t k = 0; k < sizeof shifts / sizeof *shifts; ++k)
            shift = shift || strcmp(name, shifts[k]) == 0;
        n_shifts += shift;
        assert_int_equal(levy_book_get(book, name, &value), LEVY_STATUS_OK);
        assert_int_equal(levy_book_quote_is_shift(book, i), shift);
    }
    assert_int_equal(n_shifts, sizeof shifts / sizeof *shifts);
    assert_int_equal(levy_book_quote_is_shift(book, n), 0);
    assert_int_equal(levy_book_quote_is_shift(NULL, 0), 0);
    assert_null(levy_book_quote_name(book, n));
    assert_int_equal(levy_book_get(book, "A.spot", &value), LEVY_STATUS_OK);
    assert_true(value == 100.0);
    assert_int_equal(levy_book_get(book, "B.volatility", &value), LEVY_STATUS_OK);
    assert_true(value == 0.0);
    assert_int_equal(levy_book_get(book, "C.spot", &value), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_quote_count(NULL), 0);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_bad_quotes_are_refused_and_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *factor;
        double value;
        const char *says;
    } bad[] = {{"A.spto", 1.0, "did you mean 'A.spot'"},
               {"A.spot", 0.0, "must lie in (0, "},
               {"A.spot", NAN, "got nan"},
               {"A.volatility", INFINITY, "got inf"},
               {"A.dividend_yield", -1.5, "[-1, 5]"},
               {"USD.rate", 6.0, "[-5, 5]"}};
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, ""), "double");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_int_equal(levy_book_set(book, bad[i].factor, bad[i].value), LEVY_STATUS_ARGUMENT);
        assert_int_equal(levy_diagnostic_count(context), 1);
        assert_non_null(strstr(levy_diagnostic_get(context, 0)->text, bad[i].says));
    }
    assert_int_equal(levy_book_set(NULL, "A.spot", 1.0), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_book_set(book, NULL, 1.0), LEVY_STATUS_ARGUMENT);
    assert_as_fresh(book, embed_text(&embed_start, ""), "double");
    levy_book_destroy(book);
    levy_context_destroy(context);
}

/* A spot below its dividends' worth is refused when the book is next used, as in a file, and can be
 * mended. */
static void test_quotes_that_contradict_are_refused_when_used(void **state)
{
    (void)state;
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, ""), "double");
    levy_results *results;
    levy_results_destroy(price_on_cpu(book, 2));
    set(book, "B.spot", 1.0);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(levy_price(book, NULL, &results), LEVY_STATUS_INPUT);
        assert_null(results);
        assert_int_equal(levy_diagnostic_count(context), 1);
        assert_non_null(strstr(levy_diagnostic_get(context, 0)->text, "book.yaml:"));
        assert_non_null(
            strstr(levy_diagnostic_get(context, 0)->text, "the present value of the dividends"));
    }
    set(book, "B.spot", 51.0);
    embed_market m = embed_start;
    m.b_spot = 51.0;
    assert_as_fresh(book, embed_text(&m, ""), "double");
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_fingerprints_tell_quotes_apart(void **state)
{
    (void)state;
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, ""), "double");
    uint64_t seen[4];
    static const double spots[] = {100.0, 101.0, 102.0, 100.0};
    for (int i = 0; i < 4; ++i) {
        set(book, "A.spot", spots[i]);
        levy_results *results = price_on_cpu(book, 2);
        seen[i] = levy_results_run(results)->fingerprint;
        levy_results_destroy(results);
    }
    assert_true(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2] &&
                seen[0] == seen[3]);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

/* ---- The whole life under a failing allocator ---- */

/* Prices; the sum of all prices goes to *sum. MEMORY where a group had none. */
static int price_some(levy_book *book, double *sum)
{
    levy_results *results = NULL;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 2};
    int status = levy_price(book, &options, &results);
    for (size_t i = 0; status == LEVY_STATUS_OK && i < levy_results_size(results); ++i) {
        const levy_trade_result *trade = levy_results_trade(results, i);
        if (strcmp(trade->status, "ok") != 0) {
            assert_string_equal(trade->reason, "memory");
            status = LEVY_STATUS_MEMORY;
        }
        *sum += trade->price;
    }
    if (status == LEVY_STATUS_OK)
        status = levy_results_write(results, LEVY_FORMAT_JSON, text_drop, NULL);
    levy_results_destroy(results);
    return status;
}

static const levy_setting other_seed = {"simulation.seed", "9"};

/* Load, price, set, price, set, price, other settings, price, explain. */
static int live_once(levy_context *context, double *sum)
{
    static const char *const factors[] = {"A.spot", "B.volatility", "USD.rate"};
    const char *text = embed_text(&embed_start, embed_greeks);
    levy_book *book;
    *sum = 0.0;
    int status = levy_book_load_text(context, "book.yaml", text, strlen(text), NULL, 0, &book);
    if (status != LEVY_STATUS_OK) return status;
    status = price_some(book, sum);
    for (size_t i = 0; i < 3 && status == LEVY_STATUS_OK; ++i) {
        status = levy_book_set(book, factors[i], i == 0 ? 101.0 : 0.01);
        if (status == LEVY_STATUS_OK) status = price_some(book, sum);
    }
    if (status == LEVY_STATUS_OK) status = levy_book_override(book, &other_seed, 1);
    if (status == LEVY_STATUS_OK) status = price_some(book, sum);
    if (status == LEVY_STATUS_OK) status = levy_book_explain(book, NULL, text_drop, NULL);
    levy_book_destroy(book);
    return status;
}

static void fail_allocations(bool for_ever)
{
    test_heap heap = {.for_ever = for_ever};
    const levy_context_options options = heap_options(&heap);
    levy_context *context = new_context(&options);
    double right, sum;
    assert_int_equal(live_once(context, &right), LEVY_STATUS_OK);
    heap_fail(&heap, 0);
    assert_int_equal(live_once(context, &sum), LEVY_STATUS_OK);
    const long calls = heap.calls;
    assert_true(calls > 100 && bits_of(sum) == bits_of(right));
    /* a prime stride meets every room's allocations */
    static const long primes[] = {3, 31, 127};
    const long step = LEVY_TEST_FULL ? 1 : primes[LEVY_SANITIZED];
    for (long n = 1; n <= calls; n += step) {
        heap_fail(&heap, n);
        const int status = live_once(context, &sum);
        if (status != LEVY_STATUS_MEMORY &&
            !(status == LEVY_STATUS_OK && bits_of(sum) == bits_of(right)))
            fail_msg("allocation %ld of %ld: status %d, sum %.17g, right %.17g", n, calls, status,
                     sum, right);
    }
    heap_fail(&heap, 0);
    assert_int_equal(live_once(context, &sum), LEVY_STATUS_OK);
    assert_true(bits_of(sum) == bits_of(right));
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
}

static void test_every_allocation_of_a_life_may_fail_once(void **state)
{
    (void)state;
    fail_allocations(false);
}

static void test_every_allocation_of_a_life_may_fail_for_ever(void **state)
{
    (void)state;
    fail_allocations(true);
}

/* After a failure the same book goes on. */
static void test_a_book_outlives_failed_calls(void **state)
{
    (void)state;
    test_heap heap = {.for_ever = false};
    const levy_context_options options = heap_options(&heap);
    levy_context *context = new_context(&options);
    levy_book *book = load(context, embed_text(&embed_start, embed_greeks), "double");
    for (long n = 1; n < 120; ++n) {
        double sum = 0.0;
        embed_market m = embed_start;
        m.a_spot = 100.0 + (double)n;
        m.b_shift = 0.0001 * (double)n;
        set(book, "A.spot", m.a_spot);
        set(book, "B.volatility", m.b_shift);
        heap_fail(&heap, n);
        int status = n % 2 ? price_some(book, &sum) : levy_book_override(book, &other_seed, 1);
        heap_fail(&heap, 0);
        assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_MEMORY);
        status = n % 2 ? LEVY_STATUS_OK : levy_book_override(book, NULL, 0);
        assert_int_equal(status, LEVY_STATUS_OK);
        if (n % 7 == 0) assert_as_fresh(book, embed_text(&m, embed_greeks), "double");
    }
    levy_book_destroy(book);
    levy_context_destroy(context);
    assert_int_equal(heap.live, 0);
}

/* ---- The host ---- */

static double life_sum(void)
{
    double sum;
    levy_context *context = new_context(NULL);
    assert_int_equal(live_once(context, &sum), LEVY_STATUS_OK);
    levy_context_destroy(context);
    return sum;
}

static void test_rounding_modes_of_the_host_neither_matter_nor_change(void **state)
{
    (void)state;
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const double right = life_sum();
    for (int i = 0; i < 3; ++i) {
        fesetround(modes[i]);
        const double sum = life_sum();
        const int mode = fegetround();
        fesetround(FE_TONEAREST);
        assert_int_equal(mode, modes[i]);
        /* the sum is the test's own */
        assert_true(bits_of(sum) != 0 && fabs(sum - right) <= 1e-9 * fabs(right));
    }
}

/* The prices themselves, whatever mode set, priced and wrote them. */
static void test_the_host_may_flush_subnormals(void **state)
{
    (void)state;
#if defined(__x86_64__)
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, embed_greeks), "double");
    /* FTZ, DAZ, towards zero */
    const unsigned before = _mm_getcsr(), hostile = before | 0x8040u | 0x6000u;
    _mm_setcsr(hostile);
    const int status = levy_book_set(book, "EUR.rate", 0.007);
    levy_results *results;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 2};
    const int priced = levy_price(book, &options, &results);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    assert_int_equal(status, LEVY_STATUS_OK);
    assert_int_equal(priced, LEVY_STATUS_OK);
    assert_int_equal(after & 0xffc0u, hostile & 0xffc0u);
    levy_results_destroy(results);
    embed_market m = embed_start;
    m.eur_shift = 0.007;
    assert_as_fresh(book, embed_text(&m, embed_greeks), "double");
    levy_book_destroy(book);
    levy_context_destroy(context);
#endif
}

/* A locale with a decimal comma: the system's, or one that localedef compiles into `folder`. */
static bool comma_locale(const char *folder)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "fr_FR.utf8", "it_IT.UTF-8"};
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
             folder);
    for (int made = 0; made < 2; ++made) {
        for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
            if (setlocale(LC_ALL, names[i]) && strcmp(localeconv()->decimal_point, ",") == 0)
                return true;
        if (made == 0 && (system(command) == -1 || setenv("LOCPATH", folder, 1) != 0)) return false;
    }
    return false;
}

static void test_a_decimal_comma_neither_matters_nor_changes(void **state)
{
    (void)state;
    char folder[] = "/tmp/levy-locale-XXXXXX", command[64];
    assert_non_null(mkdtemp(folder));
    const bool found = comma_locale(folder);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    if (!found) {
        setlocale(LC_ALL, "C");
        print_message("skipped: no locale with a decimal comma\n");
        skip();
    }
    static kept_text german, plain;
    const char *const text = text_of_book("texts/embed");
    german.length = plain.length = 0;
    for (int i = 0; i < 2; ++i) {
        levy_context *context = new_context(NULL);
        levy_book *book = load(context, text, "double");
        set(book, "A.spot", 101.25);
        levy_results *results = price_on_cpu(book, 2);
        kept_text *to = i == 0 ? &german : &plain;
        levy_results_write(results, LEVY_FORMAT_CSV, text_write, to);
        if (i == 0) assert_string_equal(localeconv()->decimal_point, ",");
        setlocale(LC_ALL, "C");
        levy_results_destroy(results);
        levy_book_destroy(book);
        levy_context_destroy(context);
    }
    /* all but the seconds */
    const char *price_german = strstr(german.bytes, "x,"), *price_plain = strstr(plain.bytes, "x,");
    assert_non_null(price_german);
    assert_memory_equal(price_german, price_plain, 60);
}

static void *life_in_thread(void *user)
{
    double *sum = user;
    levy_context *context;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return NULL;
    double own = NAN;
    const char *const text = text_of_book("texts/embed-2");
    levy_book *book;
    if (levy_book_load_text(context, NULL, text, strlen(text), NULL, 0, &book) == LEVY_STATUS_OK) {
        own = 0.0;
        for (int i = 0; i < 20; ++i) {
            if (levy_book_set(book, "A.spot", 100.0 + i) != LEVY_STATUS_OK ||
                price_some(book, &own) != LEVY_STATUS_OK)
                own = NAN;
        }
        if (levy_book_explain(book, NULL, text_drop, NULL) != LEVY_STATUS_OK) own = NAN;
        /* a text that is refused makes messages */
        levy_book *none;
        if (levy_book_load_text(context, NULL, "trades: 5\nx: [", 14, NULL, 0, &none) !=
            LEVY_STATUS_INPUT)
            own = NAN;
        levy_book_destroy(book);
    }
    levy_context_destroy(context);
    *sum = own;
    return NULL;
}

/* 256 kB, as some hosts give their threads; four at once. */
static void test_small_stacks_in_several_threads_are_enough(void **state)
{
    (void)state;
    (void)text_of_book("texts/embed-2"); /* is read before there are threads */
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    double sums[THREADS] = {0.0};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 256 << 10), 0);
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&threads[i], &attributes, life_in_thread, &sums[i]), 0);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    assert_true(sums[0] > 0.0);
    for (int i = 1; i < THREADS; ++i) assert_true(bits_of(sums[i]) == bits_of(sums[0]));
}

#if defined(__SANITIZE_THREAD__)
#define EMBED_NO_FORK 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EMBED_NO_FORK 1
#endif
#endif
#ifndef EMBED_NO_FORK
#define EMBED_NO_FORK 0
#endif

/* The worker threads that a context keeps are not there in a child. */
static void test_a_forked_child_prices(void **state)
{
    (void)state;
    if (EMBED_NO_FORK) {
        print_message(
            "skipped: ThreadSanitizer ends a child of a process with threads that starts one\n");
        skip();
    }
    levy_context *context = new_context(NULL);
    levy_book *book = load(context, embed_text(&embed_start, ""), "double");
    double here = 0.0;
    assert_int_equal(price_some(book, &here), LEVY_STATUS_OK);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        double there = 0.0;
        alarm(60);
        const bool good =
            price_some(book, &there) == LEVY_STATUS_OK && bits_of(there) == bits_of(here);
        _exit(good ? 0 : 1);
    }
    int status = -1;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_quotes_are_a_fresh_load_bit_for_bit),
        cmocka_unit_test(test_quotes_are_listed_and_read),
        cmocka_unit_test(test_bad_quotes_are_refused_and_change_nothing),
        cmocka_unit_test(test_quotes_that_contradict_are_refused_when_used),
        cmocka_unit_test(test_fingerprints_tell_quotes_apart),
        cmocka_unit_test(test_every_allocation_of_a_life_may_fail_once),
        cmocka_unit_test(test_every_allocation_of_a_life_may_fail_for_ever),
        cmocka_unit_test(test_a_book_outlives_failed_calls),
        cmocka_unit_test(test_rounding_modes_of_the_host_neither_matter_nor_change),
        cmocka_unit_test(test_the_host_may_flush_subnormals),
        cmocka_unit_test(test_a_decimal_comma_neither_matters_nor_changes),
        cmocka_unit_test(test_small_stacks_in_several_threads_are_enough),
        cmocka_unit_test(test_a_forked_child_prices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
