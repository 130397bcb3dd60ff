/* exponent_heston_terms.c: Heston's exponent with parameters that are constant in each of several
 * terms. psi = A + v0 B, where A and B go back from the date through the terms (S. Mikhailov, U.
 * Noegel, Heston's stochastic volatility model, Wilmott Magazine 2003): in years to the date dB/dt
 * = xi^2 B^2 / 2 - x B - m / 2 and dA/dt = kappa theta B, with x = kappa - i u rho xi and m = u^2 +
 * i u, each from where the later term left it. As in exponent_heston.c, with root^2 = x^2 + xi^2 m,
 * q = m / (x + root) and e = exp(-root t), the logarithm is of 1 - xi^2 (B + q) (1 - e) / (2 root).
 * Must not know: how a path is simulated. */
#include "engine/fourier/exponent.h"

#include <math.h>

enum { TERMS_V0, TERMS_N, TERMS_FIRST, TERMS_MOST = 2 + LEVY_TERMS_MOST * LEVY_HESTON_TERM };
enum { TERM_END, TERM_THETA, TERM_KAPPA, TERM_XI, TERM_RHO };

/* A year to which no moment need be known. */
static const double terms_longest = 1e3;

static const double *terms_of(const double *p, size_t k)
{
    return p + TERMS_FIRST + k * LEVY_HESTON_TERM;
}

static size_t terms_count(const double *p) { return (size_t)p[TERMS_N]; }

/* The years of term k before t. */
static double terms_years(const double *p, size_t k, double t)
{
    const double from = k ? terms_of(p, k - 1)[TERM_END] : 0.0;
    const double to = k + 1 < terms_count(p) ? fmin(terms_of(p, k)[TERM_END], t) : t;
    return to - from;
}

/* ---- The exponent ---- */

/* What goes back over a term: A and B, and their slopes in all parameters; NULL: without these. */
typedef struct terms_back {
    levy_complex a, b;
    levy_complex *a_by, *b_by; /* [n] */
    size_t n;
} terms_back;

/* A number of a term with its slopes in x, xi^2 and the B that it began with. */
typedef struct term_number {
    levy_complex at, by[3];
} term_number;

static term_number term_multiply(const term_number *f, const term_number *g)
{
    term_number product = {.at = complex_multiply(f->at, g->at)};
    for (size_t i = 0; i < 3; ++i)
        product.by[i] =
            complex_add(complex_multiply(f->by[i], g->at), complex_multiply(f->at, g->by[i]));
    return product;
}

static term_number term_add(const term_number *f, double scale, const term_number *g)
{
    term_number sum = {.at = complex_add(f->at, complex_scale(scale, g->at))};
    for (size_t i = 0; i < 3; ++i)
        sum.by[i] = complex_add(f->by[i], complex_scale(scale, g->by[i]));
    return sum;
}

/* f of a number, given its value and its slope there */
static term_number term_chain(levy_complex at, levy_complex slope, const term_number *g)
{
    term_number chained = {.at = at};
    for (size_t i = 0; i < 3; ++i) chained.by[i] = complex_multiply(slope, g->by[i]);
    return chained;
}

static term_number term_inverse(const term_number *g)
{
    const levy_complex at = complex_divide(complex_of(1.0, 0.0), g->at);
    return term_chain(at, complex_scale(-1.0, complex_multiply(at, at)), g);
}

/* What A loses by kappa theta, and B at the term's beginning. By y q^2 + 2 x q = m the slopes of q
 * are -q / root and -q^2 / (2 root). m: u^2 + i u */
static void term_numbers(levy_complex x_at, double y_at, levy_complex m, double t,
                         levy_complex b_at, term_number *lost, term_number *b_before)
{
    const levy_complex one = complex_of(1.0, 0.0), none = complex_of(0.0, 0.0),
                       root_at = complex_sqrt(
                           complex_add(complex_multiply(x_at, x_at), complex_scale(y_at, m))),
                       half = complex_divide(complex_of(0.5, 0.0), root_at);
    const levy_complex q_at = x_at.re >= 0.0
                                  ? complex_divide(m, complex_add(x_at, root_at))
                                  : complex_scale(1.0 / y_at, complex_subtract(root_at, x_at)),
                       q_by = complex_scale(-1.0, complex_multiply(half, q_at));
    const term_number y = {complex_of(y_at, 0.0), {none, one, none}}, b = {b_at, {none, none, one}},
                      unit = {.at = one},
                      root = {root_at,
                              {complex_scale(2.0, complex_multiply(half, x_at)),
                               complex_multiply(half, m), none}},
                      q = {q_at, {complex_scale(2.0, q_by), complex_multiply(q_by, q_at), none}};
    const levy_complex e_at = complex_exp(complex_scale(-t, root_at));
    const term_number e = term_chain(e_at, complex_scale(-t, e_at), &root),
                      over = term_inverse(&root), grown = term_add(&unit, -1.0, &e),
                      twice = term_multiply(&grown, &over),
                      share = term_add(&(term_number){.at = none}, 0.5, &twice);
    const term_number ys = term_multiply(&y, &share), from = term_add(&b, 1.0, &q),
                      z = term_multiply(&ys, &from), ysq = term_multiply(&ys, &q),
                      kept = term_add(&e, 1.0, &ysq), left = term_add(&unit, -1.0, &z),
                      over_left = term_inverse(&left);
    const term_number logarithm =
                          term_chain(complex_log_less(z.at), complex_scale(-1.0, over_left.at), &z),
                      over_y = term_inverse(&y), by_y = term_multiply(&logarithm, &over_y),
                      run = term_add(&(term_number){.at = none}, t, &q),
                      held = term_multiply(&b, &kept),
                      paid = term_chain(complex_multiply(share.at, m), m, &share),
                      whole = term_add(&held, -1.0, &paid);
    *lost = term_add(&run, 2.0, &by_y);
    *b_before = term_multiply(&whole, &over_left);
}

/* Slopes of A and B in the term's own parameters, and in those of later terms by B. */
static void term_slopes(const double *of, levy_complex iu, const term_number *lost,
                        const term_number *b, size_t own, terms_back *back)
{
    const double mean = of[TERM_KAPPA] * of[TERM_THETA];
    const levy_complex x_by[] = {[TERM_KAPPA] = complex_of(1.0, 0.0),
                                 [TERM_XI] = complex_scale(-of[TERM_RHO], iu),
                                 [TERM_RHO] = complex_scale(-of[TERM_XI], iu)};
    for (size_t j = 0; j < back->n; ++j) {
        const levy_complex before = back->b_by[j];
        back->a_by[j] = complex_subtract(
            back->a_by[j], complex_scale(mean, complex_multiply(lost->by[2], before)));
        back->b_by[j] = complex_multiply(b->by[2], before);
    }
    back->a_by[own + TERM_THETA] = complex_scale(-of[TERM_KAPPA], lost->at);
    for (size_t j = TERM_KAPPA; j <= TERM_RHO; ++j) {
        const double y_by = j == TERM_XI ? 2.0 * of[TERM_XI] : 0.0;
        const levy_complex a =
            complex_add(complex_multiply(x_by[j], lost->by[0]), complex_scale(y_by, lost->by[1]));
        back->a_by[own + j] = complex_scale(-mean, a);
        back->b_by[own + j] =
            complex_add(complex_multiply(x_by[j], b->by[0]), complex_scale(y_by, b->by[1]));
    }
    back->a_by[own + TERM_KAPPA] =
        complex_subtract(back->a_by[own + TERM_KAPPA], complex_scale(of[TERM_THETA], lost->at));
}

/* Goes back over t years of term k. */
static void term_step(const double *p, size_t k, double t, levy_complex iu, terms_back *back)
{
    const double *const of = terms_of(p, k);
    const levy_complex m = complex_subtract(iu, complex_multiply(iu, iu)),
                       x = complex_subtract(complex_of(of[TERM_KAPPA], 0.0),
                                            complex_scale(of[TERM_RHO] * of[TERM_XI], iu));
    term_number lost, b;
    term_numbers(x, of[TERM_XI] * of[TERM_XI], m, t, back->b, &lost, &b);
    if (back->n) term_slopes(of, iu, &lost, &b, TERMS_FIRST + k * LEVY_HESTON_TERM, back);
    back->a = complex_subtract(back->a, complex_scale(of[TERM_KAPPA] * of[TERM_THETA], lost.at));
    back->b = b.at;
}

/* gradient: of no more terms than a fit may have */
static levy_complex terms_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    levy_complex by[2][TERMS_MOST] = {{{0.0, 0.0}}};
    terms_back back = {.a_by = by[0],
                       .b_by = by[1],
                       .n = gradient ? TERMS_FIRST + terms_count(p) * LEVY_HESTON_TERM : 0};
    for (size_t k = terms_count(p); k-- > 0;)
        if (terms_years(p, k, t) > 0.0)
            term_step(p, k, terms_years(p, k, t), complex_turn(u), &back);
    for (size_t j = 0; j < back.n; ++j)
        gradient[j] = complex_add(by[0][j], complex_scale(p[TERMS_V0], by[1][j]));
    if (gradient) gradient[TERMS_V0] = back.b;
    return complex_add(back.a, complex_scale(p[TERMS_V0], back.b));
}

/* ---- Moments ---- */

/* B of E S^s over t years of a term, by z = xi^2 B + push, dz/dt = (z^2 - square) / 2. False: it
 * reaches infinity before. */
static bool term_moment(const double *of, double t, double s, double *b)
{
    const double y = of[TERM_XI] * of[TERM_XI],
                 push = of[TERM_RHO] * of[TERM_XI] * s - of[TERM_KAPPA];
    const double square = push * push - y * s * (s - 1.0), root = levy_sqrt(fabs(square));
    const double z = y * *b + push;
    double share = 0.5 * t, whole = 1.0; /* tanh(root t / 2) / root, or tan, as a fraction */
    if (square < 0.0) {
        const levy_complex turned = complex_exp(complex_of(0.0, 0.5 * root * t));
        if (t >= 2.0 / root * levy_angle(root, z)) return false;
        share = turned.im / root;
        whole = turned.re;
    } else if (root > 0.0) {
        const double e = levy_exp(-root * t);
        if (z > root && t >= levy_log((z + root) / (z - root)) / root) return false;
        share = (1.0 - e) / root;
        whole = 1.0 + e;
    } else if (z * share >= 1.0)
        return false;
    *b = ((z * whole - square * share) / (whole - z * share) - push) / y;
    return true;
}

static bool terms_have_moment(const double *p, double t, double s)
{
    double b = 0.0;
    bool has = true;
    for (size_t k = terms_count(p); has && k-- > 0;)
        if (terms_years(p, k, t) > 0.0)
            has = term_moment(terms_of(p, k), terms_years(p, k, t), s, &b);
    return has;
}

/* A moment above the first, or below 0, only grows with time. */
double levy_exponent_heston_terms_explode(const double *p, double s)
{
    double finite = 0.0, infinite = terms_longest;
    if (terms_have_moment(p, infinite, s)) return INFINITY;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (finite + infinite);
        if (terms_have_moment(p, middle, s))
            finite = middle;
        else
            infinite = middle;
    }
    return infinite;
}

const levy_exponent levy_exponent_heston_terms = {
    .kind = "heston", .at = terms_at, .has_moment = terms_have_moment};

static levy_complex terms_with_jumps(const double *p, double t, levy_complex u,
                                     levy_complex *gradient)
{
    const size_t first = TERMS_FIRST + terms_count(p) * LEVY_HESTON_TERM;
    const levy_complex heston = terms_at(p, t, u, gradient);
    return complex_add(
        heston, levy_exponent_normal_jumps(p + first, t, u, gradient ? gradient + first : NULL));
}

const levy_exponent levy_exponent_bates_terms = {
    .kind = "bates", .at = terms_with_jumps, .has_moment = terms_have_moment};
