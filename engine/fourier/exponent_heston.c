/* exponent_heston.c: Heston's variance dv = kappa (theta - v) dt + xi sqrt(v) dW, correlated rho
 * with the price, and the same with normal jumps (D. Bates, Review of Financial Studies 9, 1996).
 * psi = kappa theta a + v0 b, written such that its logarithm crosses no branch cut (R. Lord, C.
 * Kahl, Mathematical Finance 20, 2010) and that nothing cancels as xi goes to 0. a and b depend on
 * x = kappa - i u rho xi and y = xi^2 alone: their derivatives in these two give all others. The
 * times at which moments explode: L. Andersen, V. Piterbarg, Finance and Stochastics 11, 2007. Must
 * not know: how a path is simulated. */
#include "engine/fourier/exponent.h"

#include <math.h>

enum { HESTON_V0, HESTON_THETA, HESTON_KAPPA, HESTON_XI, HESTON_RHO, HESTON_N };

/* A number with its derivatives in x and y. */
typedef struct heston_pair {
    levy_complex at, x, y;
} heston_pair;

/* The parts of psi, and what they are made of: root^2 = x^2 + y m, m = u^2 + i u, q = m / (x +
 * root), w = q (1 - exp(-root t)) / (2 root), a = -q t - 2 log(1 - y w) / y, b = -w (x + root) / (1
 * - y w). */
typedef struct heston_parts {
    heston_pair a, b;
} heston_parts;

static heston_pair heston_pair_multiply(const heston_pair *f, const heston_pair *g)
{
    return (heston_pair){complex_multiply(f->at, g->at),
                         complex_add(complex_multiply(f->x, g->at), complex_multiply(f->at, g->x)),
                         complex_add(complex_multiply(f->y, g->at), complex_multiply(f->at, g->y))};
}

static heston_pair heston_pair_divide(const heston_pair *f, const heston_pair *g)
{
    const levy_complex one = complex_divide(complex_of(1.0, 0.0), g->at),
                       at = complex_multiply(f->at, one);
    return (heston_pair){at,
                         complex_multiply(complex_subtract(f->x, complex_multiply(at, g->x)), one),
                         complex_multiply(complex_subtract(f->y, complex_multiply(at, g->y)), one)};
}

static heston_pair heston_pair_add(const heston_pair *f, double scale, const heston_pair *g)
{
    return (heston_pair){complex_add(f->at, complex_scale(scale, g->at)),
                         complex_add(f->x, complex_scale(scale, g->x)),
                         complex_add(f->y, complex_scale(scale, g->y))};
}

/* f of a pair, given its value and its slope there */
static heston_pair heston_pair_chain(levy_complex at, levy_complex slope, const heston_pair *g)
{
    return (heston_pair){at, complex_multiply(slope, g->x), complex_multiply(slope, g->y)};
}

static heston_pair heston_pair_of(levy_complex at)
{
    return (heston_pair){at, complex_of(0.0, 0.0), complex_of(0.0, 0.0)};
}

static heston_pair heston_root(levy_complex x, double y, levy_complex m)
{
    const levy_complex square = complex_add(complex_multiply(x, x), complex_scale(y, m));
    const levy_complex root = complex_sqrt(square),
                       half = complex_divide(complex_of(0.5, 0.0), root);
    return (heston_pair){root, complex_scale(2.0, complex_multiply(half, x)),
                         complex_multiply(half, m)};
}

/* m / (x + root), which is (root - x) / y: whichever does not cancel */
static heston_pair heston_q(const heston_pair *x, const heston_pair *y, const heston_pair *m,
                            const heston_pair *root)
{
    const bool is_sum = x->at.re >= 0.0;
    const heston_pair f = is_sum ? heston_pair_add(x, 1.0, root) : heston_pair_add(root, -1.0, x);
    return is_sum ? heston_pair_divide(m, &f) : heston_pair_divide(&f, y);
}

/* q (1 - exp(-root t)) / (2 root) */
static heston_pair heston_w(const heston_pair *q, const heston_pair *root, double t)
{
    const heston_pair one = heston_pair_of(complex_of(0.5, 0.0));
    const levy_complex e = complex_scale(0.5, complex_exp(complex_scale(-t, root->at)));
    const heston_pair decay = heston_pair_chain(e, complex_scale(-t, e), root),
                      grown = heston_pair_add(&one, -1.0, &decay),
                      rate = heston_pair_divide(q, root);
    return heston_pair_multiply(&rate, &grown);
}

static heston_parts heston_parts_at(levy_complex x_at, double y_at, levy_complex m_at, double t)
{
    const levy_complex one = complex_of(1.0, 0.0), none = complex_of(0.0, 0.0);
    const heston_pair x = {x_at, one, none}, y = {complex_of(y_at, 0.0), none, one},
                      m = heston_pair_of(m_at), unit = heston_pair_of(one),
                      zero = heston_pair_of(none), root = heston_root(x_at, y_at, m_at);
    const heston_pair sum = heston_pair_add(&x, 1.0, &root), q = heston_q(&x, &y, &m, &root),
                      w = heston_w(&q, &root, t), yw = heston_pair_multiply(&y, &w),
                      left = heston_pair_add(&unit, -1.0, &yw);
    const levy_complex at = complex_log_less(yw.at), slope = complex_divide(one, left.at);
    const heston_pair logarithm = heston_pair_chain(at, slope, &left),
                      by_y = heston_pair_divide(&logarithm, &y),
                      moved = heston_pair_multiply(&w, &sum), b = heston_pair_divide(&moved, &left);
    const heston_pair a = heston_pair_add(&zero, -t, &q);
    return (heston_parts){heston_pair_add(&a, -2.0, &by_y), heston_pair_add(&zero, -1.0, &b)};
}

levy_complex levy_exponent_heston_at(const double *h, double t, levy_complex u,
                                     levy_complex *gradient)
{
    const double xi = h[HESTON_XI], rho = h[HESTON_RHO], mean = h[HESTON_KAPPA] * h[HESTON_THETA];
    const levy_complex iu = complex_turn(u), m = complex_subtract(iu, complex_multiply(iu, iu));
    const levy_complex x =
        complex_subtract(complex_of(h[HESTON_KAPPA], 0.0), complex_scale(rho * xi, iu));
    const heston_parts p = heston_parts_at(x, xi * xi, m, t);
    if (gradient) {
        const levy_complex by_x = complex_add(complex_scale(mean, p.a.x),
                                              complex_scale(h[HESTON_V0], p.b.x)),
                           by_y = complex_add(complex_scale(mean, p.a.y),
                                              complex_scale(h[HESTON_V0], p.b.y)),
                           turned = complex_multiply(iu, by_x);
        gradient[HESTON_V0] = p.b.at;
        gradient[HESTON_THETA] = complex_scale(h[HESTON_KAPPA], p.a.at);
        gradient[HESTON_KAPPA] = complex_add(complex_scale(h[HESTON_THETA], p.a.at), by_x);
        gradient[HESTON_XI] =
            complex_add(complex_scale(2.0 * xi, by_y), complex_scale(-rho, turned));
        gradient[HESTON_RHO] = complex_scale(-xi, turned);
    }
    return complex_add(complex_scale(mean, p.a.at), complex_scale(h[HESTON_V0], p.b.at));
}

/* The Riccati equation of log E S^s is dB/dt = s (s - 1) / 2 - (kappa - rho xi s) B + xi^2 B^2 / 2
 * from B = 0, and B reaches infinity at this time: L. Andersen, V. Piterbarg, Moment explosions in
 * stochastic volatility models, Finance and Stochastics 11, 2007. */
double levy_exponent_heston_explodes(const double *h, double s)
{
    const double xi = h[HESTON_XI], push = h[HESTON_RHO] * xi * s - h[HESTON_KAPPA];
    const double square = push * push - xi * xi * s * (s - 1.0), root = levy_sqrt(fabs(square));
    if (s >= 0.0 && s <= 1.0) return INFINITY;
    if (square < 0.0) return 2.0 / root * levy_angle(root, push);
    if (push <= 0.0) return INFINITY;
    return root > 0.0 ? levy_log((push + root) / (push - root)) / root : 2.0 / push;
}

bool levy_exponent_heston_has_moment(const double *h, double t, double s)
{
    return t < levy_exponent_heston_explodes(h, s);
}

#define HESTON_PARAMETERS                                                                          \
    {"v0", 1e-6, 9.0, 0.5, 1.5, LEVY_SCALE_VARIANCE, .by_ratio = true, .of_asset = true},          \
        {"theta", 1e-6, 9.0, 0.5, 1.5, LEVY_SCALE_VARIANCE, .by_ratio = true, .of_asset = true},   \
        {"kappa", 1e-3, 20.0, 0.3, 5.0, LEVY_SCALE_ONE, .by_ratio = true, .of_asset = true},       \
        {"xi", 1e-3, 10.0, 0.1, 1.5, LEVY_SCALE_ONE, .by_ratio = true, .of_asset = true},          \
        {"rho", -0.999, 0.999, -0.9, 0.1, LEVY_SCALE_ONE, .by_ratio = false, .of_asset = true},

static const levy_exponent_parameter heston_parameters[] = {HESTON_PARAMETERS};
const levy_exponent levy_exponent_heston = {
    .kind = "heston",
    .n = HESTON_N,
    .parameters = heston_parameters,
    .at = levy_exponent_heston_at,
    .has_moment = levy_exponent_heston_has_moment,
};

/* ---- Bates ---- */

static levy_complex bates_at(const double *p, double t, levy_complex u, levy_complex *gradient)
{
    const levy_complex heston = levy_exponent_heston_at(p, t, u, gradient);
    levy_complex *const jumps = gradient ? gradient + HESTON_N : NULL;
    return complex_add(heston, levy_exponent_normal_jumps(p + HESTON_N, t, u, jumps));
}

static const levy_exponent_parameter bates_parameters[] = {
    HESTON_PARAMETERS LEVY_NORMAL_JUMP_PARAMETERS};
const levy_exponent levy_exponent_bates = {
    .kind = "bates",
    .n = HESTON_N + 3,
    .parameters = bates_parameters,
    .at = bates_at,
    .has_moment = levy_exponent_heston_has_moment,
};
