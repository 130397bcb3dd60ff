/* test_tails.c: where the laws of deviates are thin, and samples of ordinary size see nothing: the
 * first and last words of every law against its distribution function in long double, the gamma's
 * inner bound against the exact one, and the binomial where its rejection begins. */
#define LANE_SCALAR
#include "tests/cmocka_all.h"

#include "kernels/samplers/discrete/gamma.h"

#include "kernels/cpu/cpu_objects.h"
#include "kernels/samplers/alias/alias_binomial.h"

#include <math.h>
#include <stdlib.h>

/* ---- Distribution functions ---- */

/* P(X <= x) of a gamma, by its series; and P(X > x), by Legendre's continued fraction (Lentz). */
static long double gamma_below(long double a, long double x)
{
    long double term = expl(a * logl(x) - x - lgammal(a + 1.0L)), sum = term;
    for (int n = 1; n < 100000 && term > sum * 1e-22L; ++n) sum += term *= x / (a + n);
    return sum;
}
static long double gamma_above(long double a, long double x)
{
    if (x < a + 1.0L) return 1.0L - gamma_below(a, x);
    long double b = x + 1.0L - a, c = 1e300L, d = 1.0L / b, h = d;
    for (int i = 1; i < 100000; ++i) {
        const long double step = -i * (i - a);
        b += 2.0L;
        d = 1.0L / (step * d + b);
        c = b + step / c;
        h *= c * d;
        if (fabsl(c * d - 1.0L) < 1e-19L) break;
    }
    return expl(a * logl(x) - x - lgammal(a)) * h;
}

/* Of a noncentral chi-square with k degrees: gammas weighted by Poisson's probabilities. */
static long double noncentral(long double k, long double l, long double x, bool above)
{
    long double sum = 0.0L;
    for (int n = 0; n < 2000; ++n) {
        const long double weight =
            l > 0.0L ? expl(n * logl(l / 2.0L) - l / 2.0L - lgammal(n + 1.0L)) : n == 0;
        if (weight > 0.0L)
            sum += weight * (above ? gamma_above : gamma_below)(k / 2.0L + n, x / 2.0L);
    }
    return sum;
}

static long double mass(const levy_draw_job *job, long double x, bool above)
{
    const long double a = job->parameters[0], b = job->parameters[1];
    if (job->law == LEVY_DRAW_EXPONENTIAL) return above ? expl(-x / a) : -expm1l(-x / a);
    if (job->law == LEVY_DRAW_NORMAL)
        return 0.5L * erfcl((above ? x - a : a - x) / b / sqrtl(2.0L));
    if (job->law == LEVY_DRAW_GAMMA) return (above ? gamma_above : gamma_below)(a, x / b);
    return noncentral(a, b, x, above);
}

/* ---- The first and last words of every law ---- */

static const uint32_t tail_words[] = {
    0, 1, 2, 77, 4096, 0xFFFFEFFFu, 0xFFFFFFB2u, 0xFFFFFFFDu, 0xFFFFFFFEu, 0xFFFFFFFFu};
enum { TAIL_WORDS = sizeof tail_words / sizeof *tail_words };

static long double tail_of(uint32_t word) { return ((long double)word + 0.5L) * 0x1p-32L; }

static size_t tail_builds(const levy_draw_isa *builds[4])
{
    static const char *const names[] = {"baseline", "avx2", "avx512", "neon"};
    size_t n = 0;
    char why[LEVY_REASON_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        const levy_cpu_build *const build = levy_cpu_choose(names[i], why);
        if (build) builds[n++] = build->draw[0];
    }
    assert_true(n > 0);
    return n;
}

static void test_tails_hold_their_mass(void **state)
{
    static const double cases[][3] = {
        {LEVY_DRAW_EXPONENTIAL, 2.5, 0}, {LEVY_DRAW_NORMAL, -1, 3},
        {LEVY_DRAW_GAMMA, 0.7, 2},       {LEVY_DRAW_GAMMA, 1, 1},
        {LEVY_DRAW_GAMMA, 4.98, 1},      {LEVY_DRAW_GAMMA, 300, 1},
        {LEVY_DRAW_NONCENTRAL, 4, 10},   {LEVY_DRAW_NONCENTRAL, 1, 0},
        {LEVY_DRAW_NONCENTRAL, 0.5, 3},
    };
    const levy_draw_isa *builds[4];
    const size_t n = tail_builds(builds);
    double values[TAIL_WORDS];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (size_t b = 0; b < n; ++b) {
            const levy_draw_job job = {.law = (levy_draw_law)cases[i][0],
                                       .parameters = {cases[i][1], cases[i][2]},
                                       .words = tail_words,
                                       .output = values};
            builds[b]->fill(&job, 0, TAIL_WORDS);
            for (size_t w = 0; w < TAIL_WORDS; ++w) {
                const bool above = tail_words[w] >> 31;
                const long double due = above ? 1.0L - tail_of(tail_words[w])
                                              : tail_of(tail_words[w]),
                                  has = mass(&job, values[w], above);
                if (!(fabsl(has / due - 1.0L) < 1e-9L))
                    fail_msg("law %d(%g, %g), %s, word %08x: %.17g holds %.12Lg, not %.12Lg",
                             (int)job.law, cases[i][1], cases[i][2], builds[b]->name,
                             (unsigned)tail_words[w], values[w], has, due);
            }
        }
}

/* The least k with P(N <= k) >= u, from whichever end is nearer. */
static uint32_t poisson_count(long double mean, uint32_t word)
{
    const long double u = tail_of(word);
    uint32_t k = 0;
    if (!(word >> 31)) {
        long double sum = 0.0L;
        for (;; ++k) {
            sum += expl(k * logl(mean) - mean - lgammal(k + 1.0L));
            if (sum >= u) return k;
        }
    }
    long double above = 0.0L; /* P(N > k), for k from far outside */
    for (k = 2000; k > 0; --k) {
        const long double more = above + expl(k * logl(mean) - mean - lgammal(k + 1.0L));
        if (more > 1.0L - u) return k;
        above = more;
    }
    return 0;
}

static void test_counts_of_the_rarest_words(void **state)
{
    static const double means[] = {0.01, 0.3, 1, 6, 19.5, 50, 63.5, 64.5, 99, 101, 900};
    const levy_draw_isa *builds[4];
    const size_t n = tail_builds(builds);
    uint32_t counts[TAIL_WORDS];
    (void)state;
    for (size_t i = 0; i < sizeof means / sizeof *means; ++i)
        for (size_t b = 0; b < n; ++b) {
            const levy_draw_job job = {.law = LEVY_DRAW_POISSON,
                                       .parameters = {means[i]},
                                       .words = tail_words,
                                       .output = counts};
            builds[b]->fill(&job, 0, TAIL_WORDS);
            for (size_t w = 0; w < TAIL_WORDS; ++w)
                if (counts[w] != poisson_count(means[i], tail_words[w]))
                    fail_msg("Poisson(%g), %s, word %08x: %u, not %u", means[i], builds[b]->name,
                             (unsigned)tail_words[w], (unsigned)counts[w],
                             (unsigned)poisson_count(means[i], tail_words[w]));
        }
}

/* ---- Bounds of rejection ---- */

/* What the inner bound accepts, the exact one does: at the largest uniform that it takes. */
static void test_the_gammas_inner_bound_is_within(void **state)
{
    static const double alphas[] = {1e-6, 1.0000001, 1.01, 1.2, 2, 4.98, 300};
    (void)state;
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; ++i) {
        const gamma_law law = gamma_law_of(lane_of(alphas[i]));
        for (double x = -6.0; x <= 6.0; x += 0.001) {
            const double root = 1.0 + law.c[0] * x;
            gamma_attempt t = {.x = lane_of(x), .v = lane_of(root * root * root)};
            double low = 0.0, high = 1.0;
            if (root <= 0.0) continue;
            for (int halves = 0; halves < 60; ++halves) {
                const double middle = 0.5 * (low + high);
                t.u = lane_of(middle);
                if (lane_any(gamma_inside(&t)))
                    low = middle;
                else
                    high = middle;
            }
            const long double v = (long double)root * root * root,
                              bound = 0.5L * x * x + law.d[0] * (1.0L - v + logl(v));
            if (low > 0.0 && !(logl(low) <= bound + 1e-14L))
                fail_msg("alpha %g, normal %g: takes %.17g, beyond %.17Lg", alphas[i], x, low,
                         expl(bound));
        }
    }
}

/* Chi-square over counts that are expected 50 times and more; refused beyond 6 deviations. */
static void check_binomial(uint64_t n, double p, size_t draws)
{
    enum { CELLS = 128 };
    static double seen[CELLS];
    double chi = 0.0, cells = 0.0;
    alias_stream s = alias_stream_of(11, n);
    for (int k = 0; k < CELLS; ++k) seen[k] = 0.0;
    for (size_t i = 0; i < draws; ++i) {
        const uint64_t k = alias_binomial(n, p, &s);
        seen[k < CELLS ? k : CELLS - 1] += 1.0;
    }
    for (int k = 0; k < CELLS - 1; ++k) {
        const double x = k, count = (double)n,
                     due = (double)draws *
                           exp(lgamma(count + 1.0) - lgamma(x + 1.0) - lgamma(count - x + 1.0) +
                               x * log(p) + (count - x) * log1p(-p));
        if (due < 50.0) continue;
        chi += (seen[k] - due) * (seen[k] - due) / due;
        cells += 1.0;
    }
    const double z = (chi - (cells - 1.0)) / sqrt(2.0 * (cells - 1.0));
    if (z > 6.0)
        fail_msg("binomial(%llu, %g): chi-square %g over %g cells", (unsigned long long)n, p, chi,
                 cells);
}

static void test_binomials_where_rejection_begins(void **state)
{
    (void)state;
    check_binomial(1000, 0.01, 1 << 24);
    check_binomial(100, 0.15, 1 << 21);
    check_binomial(1000, 0.02, 1 << 21);
    check_binomial(60, 0.5, 1 << 21);
    check_binomial(1000, 0.0099, 1 << 20); /* by inversion */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tails_hold_their_mass),
                                       cmocka_unit_test(test_counts_of_the_rarest_words),
                                       cmocka_unit_test(test_the_gammas_inner_bound_is_within),
                                       cmocka_unit_test(test_binomials_where_rejection_begins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
