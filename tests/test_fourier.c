/* test_fourier.c: European prices from characteristic functions: against Lewis's integral by a
 * quadrature of the test's own (A. Lewis, A Simple Option Formula for General Jump-Diffusion
 * Processes, 2001), against the values of tests/reference, and slopes against differences. */
#include "tests/near.h"

#include "engine/document/document.h"
#include "engine/fourier/cos.h"
#include "engine/fourier/middle.h"
#include "tests/files.h"
#include "tests/reference_case.h"

#include <stdlib.h>

/* ---- Angles ---- */

static void test_angles(void **state)
{
    (void)state;
    for (double x = -1e6; x < 1e6; x += 1234.567891) {
        double sine, cosine;
        levy_sine_cosine(x, &sine, &cosine);
        assert_near(sine, sin(x), 4e-16);
        assert_near(cosine, cos(x), 4e-16);
    }
    for (double x = -7.0; x < 7.0; x += 0.0137) {
        double sine, cosine;
        levy_sine_cosine(x, &sine, &cosine);
        assert_near(sine, sin(x), 3e-16);
        assert_near(cosine, cos(x), 3e-16);
        assert_near(levy_angle(sine, cosine), atan2(sine, cosine), 1e-15);
    }
    assert_true(levy_angle(0.0, 0.0) == 0.0);
    assert_near(levy_angle(0.0, -1.0), LEVY_PI, 0.0);
    double sine, cosine;
    levy_sine_cosine(1e12, &sine, &cosine);
    assert_true(isnan(sine) && isnan(cosine));
}

/* ---- Lewis ---- */

/* The undiscounted put by the forward, by the trapezoid rule, which converges exponentially. */
static double lewis_put(const levy_exponent *law, const double *p, double t, double log_strike)
{
    const double h = 0.05;
    double sum = 0.0, size = 1.0;
    for (long k = 0; k < 400000 && size > 1e-17; ++k) {
        const double u = (double)k * h;
        const levy_complex psi = law->at(p, t, complex_of(u, -0.5), NULL);
        size = exp(psi.re) / (u * u + 0.25);
        sum += (k ? 1.0 : 0.5) * cos(psi.im - u * log_strike) * size;
    }
    return exp(log_strike) - exp(0.5 * log_strike) / acos(-1.0) * h * sum;
}

typedef struct law_case {
    const char *kind;
    double p[LEVY_EXPONENT_MOST];
} law_case;
static const law_case cases[] = {
    {"heston", {0.04, 0.25, 4.0, 1.0, -0.5}},
    {"heston", {0.04, 0.04, 0.5, 1.0, -0.9}}, /* Feller's ratio 0.04 */
    {"heston", {0.01, 0.09, 1.0, 0.02, 0.8}}, /* hardly random */
    {"heston", {0.09, 0.04, 0.2, 0.6, 0.6}},  /* moments explode early */
    {"bates", {0.04, 0.04, 2.0, 0.5, -0.7, 0.3, -0.1, 0.15}},
    {"merton", {0.2, 1.0, -0.1, 0.15}},
    {"merton", {0.1, 30.0, 0.02, 0.05}},
    {"kou", {0.2, 3.0, 0.3, 25.0, 15.0}},
    {"kou", {0.2, 0.2, 0.5, 3.0, 2.0}},
    {"variance_gamma", {0.12, 0.2, -0.14}},
    {"normal_inverse_gaussian", {15.0, -5.0, 0.5}},
    {"normal_inverse_gaussian", {4.0, 1.0, 0.2}},
    {"regime_switching", {0.1, 0.35, 0.7, 0.5, 2.0}},
    {"regime_switching", {0.15, 0.3, 0.4, 0.0, 0.0}}, /* a mixture */
};
enum { N_CASES = sizeof cases / sizeof *cases };
static const double years[] = {0.02, 0.25, 1.0, 5.0, 20.0};

static levy_cos new_cos(void)
{
    levy_cos cos = {.room = LEVY_COS_MOST};
    cos.terms = malloc(cos.room * sizeof *cos.terms);
    assert_non_null(cos.terms);
    return cos;
}

/* Variance gamma's density has a pole at short expiries, where the series is too short, says so,
 * and the quadrature is too short as well. */
static bool is_short(const levy_cos *cos) { return cos->left_out > 1e-10; }

static void test_lewis(void **state)
{
    (void)state;
    levy_cos cos = new_cos();
    for (size_t i = 0; i < N_CASES; ++i) {
        const levy_exponent *const law = levy_exponent_find(cases[i].kind);
        for (size_t k = 0; k < sizeof years / sizeof *years; ++k) {
            const double t = years[k], far = 0.5 * sqrt(t);
            assert_true(levy_cos_begin(&cos, law, cases[i].p, t, -far, far, 1e-12, false));
            assert_true(!is_short(&cos) || strcmp(law->kind, "variance_gamma") == 0);
            if (is_short(&cos)) continue;
            for (double x = -far; x <= far; x += far / 4.0)
                assert_near(levy_cos_put(&cos, x, NULL), lewis_put(law, cases[i].p, t, x), 1e-10);
        }
    }
    free(cos.terms);
}

/* psi(0) = psi(-i) = 0: the forward is the market's */
static void test_forward(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; ++i) {
        const levy_exponent *const law = levy_exponent_find(cases[i].kind);
        for (size_t k = 0; k < sizeof years / sizeof *years; ++k) {
            const levy_complex none = law->at(cases[i].p, years[k], complex_of(0.0, 0.0), NULL),
                               one = law->at(cases[i].p, years[k], complex_of(0.0, -1.0), NULL);
            assert_near(hypot(none.re, none.im), 0.0, 1e-12);
            assert_near(hypot(one.re, one.im), 0.0, 1e-12);
            assert_true(levy_exponent_has_moment(law, cases[i].p, years[k], 1.0));
        }
    }
}

/* Of an exponent: at complex u, by differences of the step that rounding allows. */
static void test_slopes(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; ++i) {
        const levy_exponent *const law = levy_exponent_find(cases[i].kind);
        for (double u = 0.3; u < 60.0; u *= 2.7) {
            levy_complex gradient[LEVY_EXPONENT_MOST];
            const levy_complex at = complex_of(u, -0.4);
            (void)law->at(cases[i].p, 0.7, at, gradient);
            for (size_t j = 0; j < law->n; ++j) {
                double up[LEVY_EXPONENT_MOST], down[LEVY_EXPONENT_MOST];
                memcpy(up, cases[i].p, sizeof up);
                memcpy(down, cases[i].p, sizeof down);
                const double step = 1e-5 * (up[j] == 0.0 ? 1.0 : fabs(up[j]));
                up[j] += step;
                down[j] -= step;
                const levy_complex a = law->at(up, 0.7, at, NULL), b = law->at(down, 0.7, at, NULL);
                const double scale = 1.0 + hypot(gradient[j].re, gradient[j].im);
                assert_near(gradient[j].re, (a.re - b.re) / (2.0 * step), 1e-7 * scale);
                assert_near(gradient[j].im, (a.im - b.im) / (2.0 * step), 1e-7 * scale);
            }
        }
    }
}

/* Of a fit's laws by term; with terms that are alike they are the law that has none. */
static void test_slopes_by_term(void **state)
{
    (void)state;
    static const double beside[] = {3, 0.1, 0.5, 2.0};
    static const levy_exponent *const laws[] = {&levy_exponent_heston, &levy_exponent_bates};
    for (size_t i = 0; i < 2; ++i) {
        levy_exponent_parameter parameters[LEVY_EXPONENT_MOST];
        levy_exponent law;
        assert_true(levy_exponent_by_term(laws[i], beside, parameters, &law));
        double p[LEVY_EXPONENT_MOST + LEVY_EXPONENT_BESIDE] = {
            0.04, 1.5, 0.05, 0.8, -0.5, 0.06, 0.3, -0.9, 0.03, 1.2, 0.2, 0.7, -0.1, 0.2};
        memcpy(p + LEVY_EXPONENT_MOST, beside, sizeof beside);
        for (double u = 0.3; u < 60.0; u *= 2.7) {
            levy_complex gradient[LEVY_EXPONENT_MOST];
            const levy_complex at = complex_of(u, -0.4);
            (void)law.at(p, 0.7, at, gradient);
            for (size_t j = 0; j < law.n; ++j) {
                const double was = p[j], step = 1e-5 * fabs(was);
                p[j] = was + step;
                const levy_complex a = law.at(p, 0.7, at, NULL);
                p[j] = was - step;
                const levy_complex b = law.at(p, 0.7, at, NULL);
                p[j] = was;
                const double scale = 1.0 + hypot(gradient[j].re, gradient[j].im);
                assert_near(gradient[j].re, (a.re - b.re) / (2.0 * step), 1e-7 * scale);
                assert_near(gradient[j].im, (a.im - b.im) / (2.0 * step), 1e-7 * scale);
            }
        }
        const double one[] = {p[0], p[2], p[1], p[3], p[4], p[11], p[12], p[13]};
        for (size_t k = 1; k < 3; ++k) memcpy(p + 2 + 3 * k, p + 2, 3 * sizeof *p);
        assert_near(lewis_put(&law, p, 1.0, -0.1), lewis_put(laws[i], one, 1.0, -0.1), 1e-14);
        assert_true(levy_exponent_term(&law, 1) == SIZE_MAX && levy_exponent_term(&law, 4) == 0 &&
                    levy_exponent_term(&law, 5) == 1);
        assert_true(law.has_moment(p, 0.7, 1.2) == laws[i]->has_moment(one, 0.7, 1.2));
    }
}

/* Of a put: what the series' slopes are worth. */
static void test_put_slopes(void **state)
{
    (void)state;
    levy_cos cos = new_cos();
    for (size_t i = 0; i < N_CASES; ++i) {
        const levy_exponent *const law = levy_exponent_find(cases[i].kind);
        double slopes[LEVY_EXPONENT_MOST];
        assert_true(levy_cos_begin(&cos, law, cases[i].p, 1.0, -0.1, -0.1, 1e-13, true));
        (void)levy_cos_put(&cos, -0.1, slopes);
        for (size_t j = 0; j < law->n; ++j) {
            double moved[LEVY_EXPONENT_MOST];
            const double at = cases[i].p[j], step = 1e-4 * (at == 0.0 ? 1.0 : fabs(at));
            memcpy(moved, cases[i].p, sizeof moved);
            moved[j] += step;
            const double up = lewis_put(law, moved, 1.0, -0.1);
            moved[j] -= 2.0 * step;
            const double down = lewis_put(law, moved, 1.0, -0.1);
            assert_near(slopes[j], (up - down) / (2.0 * step), 1e-6 * (1.0 + fabs(slopes[j])));
        }
    }
    free(cos.terms);
}

/* ---- Moments ---- */

/* On both sides of the time at which a moment of Heston's price explodes, by Riccati's equation in
 * small steps: db/dt = (s^2 - s) / 2 - (kappa - rho xi s) b + xi^2 b^2 / 2. */
static double explosion(const double *h, double s)
{
    double b = 0.0, t = 0.0;
    while (t < 50.0 && b < 1e8) {
        const double slope =
            0.5 * (s * s - s) - (h[2] - h[4] * h[3] * s) * b + 0.5 * h[3] * h[3] * b * b;
        const double step = 1e-4 / (1.0 + 0.1 * fabs(b));
        b += step * slope;
        t += step;
        if (slope < 1e-9) return HUGE_VAL;
    }
    return b < 1e8 ? HUGE_VAL : t;
}

static void test_moments(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; ++i) {
        const double *const h = cases[i].p;
        for (double s = -20.0; s <= 20.0; s += 4.5) {
            const double time = explosion(h, s);
            assert_true(levy_exponent_heston_has_moment(h, 0.98 * fmin(time, 50.0), s));
            assert_true(time == HUGE_VAL || !levy_exponent_heston_has_moment(h, 1.02 * time, s));
        }
    }
}

/* ---- Middles ---- */

/* A normal law's phases have one slope, which is its mean. The frequencies end on both sides. */
static void test_a_normal_law_has_its_middle(void **state)
{
    (void)state;
    const levy_exponent *const law = levy_exponent_find("merton");
    for (double volatility = 0.05; volatility < 2.0; volatility *= 2.0) {
        const double p[] = {volatility, 0.0, 0.0, 0.1}, deviation = volatility * sqrt(0.25);
        const levy_middle middle = levy_exponent_middle(law, p, 0.25, 1.1 * deviation);
        assert_near(middle.at, -0.5 * deviation * deviation, 1e-14);
        assert_near(middle.width, deviation, 0.1 * deviation);
    }
}

/* ---- Reference values ---- */

static const char *const names[][2] = {{"heston", "heston"},
                                       {"bates", "bates"},
                                       {"jump_diffusion_lognormal", "merton"},
                                       {"jump_diffusion_double_exponential", "kou"},
                                       {"variance_gamma", "variance_gamma"},
                                       {"normal_inverse_gaussian", "normal_inverse_gaussian"},
                                       {"regime_switching_gbm", "regime_switching"}};

static double number_at(const levy_node *map, const char *key)
{
    return reference_number(levy_node_find(map, key));
}

/* The law's parameters in our order. */
static void reference_law(const char *kind, const levy_node *asset, double *p)
{
    static const char *const keys[][9] = {
        {"heston", "initial_variance", "long_run_variance", "mean_reversion", "vol_of_variance",
         "spot_variance_correlation", NULL},
        {"bates", "initial_variance", "long_run_variance", "mean_reversion", "vol_of_variance",
         "spot_variance_correlation", NULL},
        {"merton", "volatility", NULL},
        {"kou", "volatility", NULL},
        {"variance_gamma", "vg_volatility", "vg_variance_rate", "vg_drift", NULL},
        {"normal_inverse_gaussian", "alpha", "beta", "delta", NULL}};
    static const char *const jumps[] = {"intensity",      "log_jump_mean", "log_jump_stdev",
                                        "up_probability", "up_rate",       "down_rate"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
        for (size_t k = 1; strcmp(keys[i][0], kind) == 0 && keys[i][k]; ++k)
            p[n++] = number_at(asset, keys[i][k]);
    const levy_node *const own = levy_node_find(asset, "jumps");
    for (size_t k = 0; own && k < 6; ++k)
        if (levy_node_find(own, jumps[k])) p[n++] = number_at(own, jumps[k]);
}

/* Two regimes of one rate and one yield. False: it is no such model. */
static bool reference_regimes(const levy_node *model, double *p, double *rate, double *yield)
{
    const levy_node *const regimes = levy_node_find(model, "regimes"), *const rows = levy_node_find(
                                                                           model, "generator");
    if (!regimes || !rows || regimes->count != 2) return false;
    const levy_node *const one = regimes->children, *const two = one->next;
    *rate = number_at(one, "rate");
    *yield = number_at(one, "dividend_yield");
    if (number_at(two, "rate") != *rate || number_at(two, "dividend_yield") != *yield) return false;
    p[0] = number_at(one, "volatility");
    p[1] = number_at(two, "volatility");
    p[2] = number_at(model, "initial_regime") == 1.0 ? 1.0 : 0.0;
    p[3] = reference_number(rows->children->children->next);
    p[4] = reference_number(rows->children->next->children);
    return true;
}

/* False: it is of another model, or another payoff. */
static bool reference_check(levy_cos *cos, const levy_node *one)
{
    const levy_node *const model = levy_node_find(one, "model"),
                           *const payoff = levy_node_find(one, "payoff"),
                           *const expected = levy_node_find(one, "expected"),
                           *const asset = levy_node_find(model, "assets")->children;
    const levy_exponent *law = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (strcmp(reference_text(model, "type"), names[i][0]) == 0)
            law = levy_exponent_find(names[i][1]);
    if (!law || strcmp(reference_text(payoff, "type"), "vanilla") != 0) return false;
    double p[LEVY_EXPONENT_MOST];
    double rate = number_at(model, "rate"), yield = number_at(asset, "dividend_yield");
    if (strcmp(law->kind, "regime_switching") != 0)
        reference_law(law->kind, asset, p);
    else if (!reference_regimes(model, p, &rate, &yield))
        return false;
    const double t = number_at(levy_node_find(one, "exercise"), "expiry"),
                 strike = number_at(payoff, "strike");
    const double forward = number_at(asset, "spot") * exp((rate - yield) * t),
                 x = log(strike / forward);
    assert_true(levy_cos_begin(cos, law, p, t, x, x, 1e-14, false));
    const double put = forward * levy_cos_put(cos, x, NULL);
    const bool call = strcmp(reference_text(payoff, "option"), "call") == 0;
    assert_near(exp(-rate * t) * (call ? put + forward - strike : put),
                number_at(expected, "price"), number_at(expected, "tolerance"));
    return true;
}

static void test_reference(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t n;
    } files[] = {{"heston-european", 19},        {"bates-svcj-european", 3},
                 {"merton-jump-european", 8},    {"kou-jump-european", 3},
                 {"variance-gamma-european", 7}, {"regime-switching-gbm-european", 6},
                 {"levy-nig-cgmy-european", 2}};
    levy_cos cos = new_cos();
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        char path[256];
        levy_arena arena;
        levy_fault_list faults;
        levy_document document;
        size_t n = 0;
        snprintf(path, sizeof path, LEVY_SOURCE_DIR "/tests/reference/%s.yaml", files[f].file);
        char *const text = read_whole(path, 0);
        levy_arena_init(&arena, &levy_memory_default);
        levy_fault_list_init(&faults, &levy_memory_default);
        assert_int_equal(levy_document_read(path, 0, text, strlen(text), &levy_limits_default,
                                            &arena, &faults, &document),
                         LEVY_OK);
        const levy_node *const all = levy_node_find(document.roots[0], "cases");
        for (const levy_node *one = all->children; one; one = one->next)
            n += reference_check(&cos, one);
        assert_int_equal(n, files[f].n);
        levy_fault_list_release(&faults);
        levy_arena_release(&arena);
        free(text);
    }
    free(cos.terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angles),         cmocka_unit_test(test_lewis),
        cmocka_unit_test(test_forward),        cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_slopes_by_term), cmocka_unit_test(test_put_slopes),
        cmocka_unit_test(test_moments),        cmocka_unit_test(test_a_normal_law_has_its_middle),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
