/* laws.c: see laws.h. Incomplete gamma and beta functions by series and continued fractions, each
 * where it converges (W. J. Lentz's form of them, I. J. Thompson and A. R. Barnett, J. Comput.
 * Phys. 64, 1986; the choice between them as in W. H. Press et al., Numerical Recipes, 6.2
 * and 6.4); log gamma by Stirling's series above 12; the inverse Gaussian through Mills' ratio, in
 * which nothing overflows (J. Shuster, J. Am. Stat. Assoc. 63, 1968). Inverses by Newton's method
 * on the logarithms of both sides, where tails are nearly straight, inside a bracket. */
#include "kernels/samplers/discrete/laws.h"

#include "kernels/lane/scalar.h"

#include <float.h>

static const double laws_log_root_two_pi = 0.91893853320467274178;
static const double laws_root_two_pi = 2.5066282746310005024;
static const double laws_near_one = -0x1.0020055655889p-10; /* log(1 - 2^-10) */

static double laws_size(double x) { return x < 0.0 ? -x : x; }

double levy_log_gamma(double x)
{
    double product = 1.0;
    while (x < 12.0) {
        product *= x;
        x += 1.0;
    }
    const double r = 1.0 / x, s = r * r;
    const double series =
        r * (1.0 / 12 -
             s * (1.0 / 360 -
                  s * (1.0 / 1260 -
                       s * (1.0 / 1680 - s * (1.0 / 1188 - s * (691.0 / 360360 - s / 156))))));
    return (x - 0.5) * levy_log(x) - x + laws_log_root_two_pi + series - levy_log(product);
}

levy_law levy_law_gamma(double a)
{
    return (levy_law){LEVY_QUANTILE_GAMMA, a, 0.0, levy_log_gamma(a), levy_log(a)};
}

levy_law levy_law_beta(double a, double b)
{
    return (levy_law){LEVY_QUANTILE_BETA, a, b,
                      levy_log_gamma(a) + levy_log_gamma(b) - levy_log_gamma(a + b), 0.0};
}

levy_law levy_law_inverse_gaussian(double a)
{
    return (levy_law){LEVY_QUANTILE_INVERSE_GAUSSIAN, a, 0.0, 0.0, 0.0};
}

static levy_law laws_mirror(const levy_law *law)
{
    return (levy_law){law->kind, law->b, law->a, law->constant, 0.0};
}

/* ---- Tails ----------------------------------------------------------------------------------- */

/* `front` is the logarithm of x^a e^-x / Gamma(a), which is x times the density. */
static double laws_gamma_tail(double a, double log_gamma, bool upper, double y, double *slope)
{
    const double x = levy_exp(y), front = a * y - x - log_gamma;
    if (x < a + 1.0) { /* P(X < x) = front (1/a + x/(a (a + 1)) + ...) */
        double term = 1.0 / a, sum = term;
        for (double n = a + 1.0; term > sum * (DBL_EPSILON / 8); n += 1.0) {
            term *= x / n;
            sum += term;
        }
        const double below = front + levy_log(sum), above = 1.0 - levy_exp(below);
        *slope = upper ? -levy_exp(front) / above : 1.0 / sum;
        return upper ? levy_log(above) : below;
    }
    double b = x + 1.0 - a, c = 1.0 / DBL_MIN, d = 1.0 / b, h = d, change = 0.0;
    for (double n = 1.0; laws_size(change - 1.0) > DBL_EPSILON; n += 1.0) {
        const double numerator = n * (a - n);
        b += 2.0;
        d = 1.0 / (numerator * d + b);
        c = b + numerator / c;
        change = c * d;
        h *= change;
    }
    const double above = front + levy_log(h), below = 1.0 - levy_exp(above);
    *slope = upper ? -1.0 / h : levy_exp(front) / below;
    return upper ? above : levy_log(below);
}

/* The continued fraction h in I_x(a, b) = x^a (1 - x)^b / (a B(a, b)) h. */
static double laws_beta_fraction(double a, double b, double x)
{
    double c = 1.0, d = 1.0 / (1.0 - (a + b) * x / (a + 1.0)), h = d, change = 0.0;
    for (double m = 1.0; laws_size(change - 1.0) > DBL_EPSILON; m += 1.0) {
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        h *= c * d;
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        change = c * d;
        h *= change;
    }
    return h;
}

static double laws_beta_tail(double a, double b, double log_beta, double y, double *slope)
{
    const double x = levy_exp(y), front = a * y + b * levy_log(1.0 - x) - log_beta;
    if (x < (a + 1.0) / (a + b + 2.0)) {
        const double h = laws_beta_fraction(a, b, x) / a;
        *slope = 1.0 / ((1.0 - x) * h);
        return front + levy_log(h);
    }
    const double above = levy_exp(front) * laws_beta_fraction(b, a, 1.0 - x) / b,
                 below = 1.0 - above;
    *slope = levy_exp(front) / ((1.0 - x) * below);
    return levy_log(below > DBL_MIN ? below : DBL_MIN);
}

/* P(Z > z) / density(z). */
static double laws_mills(double z)
{
    if (z < 2.0) return levy_normal_cdf(-z) * laws_root_two_pi * levy_exp(0.5 * z * z);
    double h = z, d = 0.0, c = h, change = 0.0;
    for (double n = 1.0; laws_size(change - 1.0) > DBL_EPSILON; n += 1.0) {
        d = 1.0 / (z + n * d);
        c = z + n / c;
        change = c * d;
        h *= change;
    }
    return 1.0 / h;
}

/* mills(m - h) - mills(m + h). For a small h the difference would be all rounding, so it is summed
 * from derivatives, by mills' = z mills - 1. */
static double laws_mills_fall(double m, double h)
{
    if (h > 0.1) return laws_mills(m - h) - laws_mills(m + h);
    double before = laws_mills(m), derivative = m * before - 1.0, factor = h, sum = derivative * h;
    for (int n = 1; n < 9; n += 2) { /* the odd derivatives, times h^n / n! */
        const double even = m * derivative + n * before, odd = m * even + (n + 1) * derivative;
        factor *= h * h / ((n + 1) * (n + 2));
        sum += odd * factor;
        before = even;
        derivative = odd;
    }
    return -2.0 * sum;
}

/* With r = sqrt(a / x): P(X < x) = Phi(r (x - 1)) + e^2a Phi(-r (x + 1)), and e^2a density(r (x +
 * 1)) = density(r (x - 1)). */
static double laws_inverse_gaussian_tail(double a, bool upper, double y, double *slope)
{
    const double x = levy_exp(y), r = levy_sqrt(a / x), near = r * (x - 1.0), far = r * (x + 1.0);
    const double front = -0.5 * near * near - laws_log_root_two_pi;
    *slope = 0.0;
    if ((upper ? -near : near) > 30.0) return 0.0; /* the tail is 1 to rounding */
    const double size = upper ? laws_mills_fall(r * x, r) : laws_mills(-near) + laws_mills(far);
    const double sound = size > DBL_MIN ? size : DBL_MIN;
    *slope = (upper ? -r : r) / sound;
    return front + levy_log(sound);
}

double levy_law_log_tail(const levy_law *law, bool upper, double y, double *slope)
{
    switch (law->kind) {
    case LEVY_QUANTILE_GAMMA:
        return laws_gamma_tail(law->a, law->constant, upper, y, slope);
    case LEVY_QUANTILE_BETA:
        return laws_beta_tail(law->a, law->b, law->constant, y, slope);
    case LEVY_QUANTILE_INVERSE_GAUSSIAN:
        break;
    }
    return laws_inverse_gaussian_tail(law->a, upper, y, slope);
}

/* ---- Inverses -------------------------------------------------------------------------------- */

/* Beyond `most` there is no root. */
static double laws_solve(const levy_law *law, bool upper, double log_p, double y, double most,
                         double *slope)
{
    double low = -DBL_MAX, high = most;
    if (!(y < most)) y = most;
    for (int step = 0; step < 300; ++step) {
        const double distance = levy_law_log_tail(law, upper, y, slope) - log_p;
        if ((distance > 0.0) == upper)
            low = y;
        else
            high = y;
        const double limit = 1.0 + laws_size(y);
        double move = (distance > 0.0) == upper ? limit : -limit;
        if (laws_size(distance) < limit * laws_size(*slope)) move = -distance / *slope;
        double next = y + move;
        if (!(next >= low && next <= high)) next = low > -DBL_MAX ? 0.5 * (low + high) : y - limit;
        const double moved = laws_size(next - y);
        y = next;
        /* convergence is quadratic, so this was the last step */
        if (laws_size(distance) < 1e-8 * (log_p > -1.0 ? -log_p : 1.0) ||
            moved <= laws_size(y) * DBL_EPSILON)
            break;
    }
    return y;
}

/* log(1 - e^y) */
static double laws_log_rest(double y) { return levy_log(1.0 - levy_exp(y)); }

/* The quantile of beta for a lower tail of at most 1/2. Very near 1 it is solved by the distance
 * from 1. */
static double laws_beta_quantile(const levy_law *law, double log_p, double guess, double *slope)
{
    double unused;
    if (log_p <= levy_law_log_tail(law, false, laws_near_one, &unused))
        return laws_solve(law, false, log_p, guess, laws_near_one, slope);
    const levy_law mirror = laws_mirror(law);
    const double log_q = laws_log_rest(log_p), most = laws_log_rest(laws_near_one);
    double back;
    const double rest = laws_solve(
        &mirror, false, log_q, guess < laws_near_one ? most : laws_log_rest(guess), most, &back);
    const double v = levy_exp(rest);
    /* d log p / d log x of x = 1 - v, from d log q / d log v */
    *slope = back * levy_exp(log_q - log_p) * (1.0 - v) / (v > DBL_MIN ? v : DBL_MIN);
    return laws_log_rest(rest);
}

double levy_law_log_quantile(const levy_law *law, bool upper, double log_p, double guess,
                             double *slope)
{
    if (law->kind == LEVY_QUANTILE_BETA) {
        const levy_law mirror = laws_mirror(law);
        return laws_beta_quantile(upper ? &mirror : law, log_p, guess, slope);
    }
    return laws_solve(law, upper, log_p, guess + law->log_mean, 700.0, slope) - law->log_mean;
}
