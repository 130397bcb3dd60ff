/* autocall.h: the note of the rows autocall_script_* as one writes it by hand, and the check of a
 * price: worst of three assets, twelve quarterly dates; called at 100 % with 2 % a date so far,
 * else protected down to 60 %. `levy bench --show autocall_script_cpu` has the same in YAML. */
#ifndef LEVY_PEER_AUTOCALL_H
#define LEVY_PEER_AUTOCALL_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    AUTOCALL_ASSETS = 3,
    AUTOCALL_DATES = 12,
    AUTOCALL_DRAWS = AUTOCALL_ASSETS * AUTOCALL_DATES
};

/* Of logarithms to base 2: a date's drifts and the factor of its covariance, by rows. */
typedef struct autocall_terms {
    double drift[3], factor[6];
    double call[AUTOCALL_DATES]; /* paid when called, discounted */
    double protection, repaid;   /* the level, and 1 discounted */
} autocall_terms;

static inline autocall_terms autocall_make(void)
{
    static const double volatility[3] = {0.2, 0.205, 0.21}, rate = 0.05;
    static const double near = 0.62,
                        far = 0.566666667; /* correlations of neighbours, and of 0, 2 */
    const double dt = 3.0 / AUTOCALL_DATES, scale = 1.4426950408889634, root = sqrt(dt) * scale;
    const double l11 = sqrt(1.0 - near * near), l21 = (near - far * near) / l11,
                 l22 = sqrt(1.0 - far * far - l21 * l21);
    const double rows[6] = {1.0, near, l11, far, l21, l22};
    static const int asset[6] = {0, 1, 1, 2, 2, 2};
    autocall_terms t;
    for (int i = 0; i < 3; ++i)
        t.drift[i] = (rate - 0.5 * volatility[i] * volatility[i]) * dt * scale;
    for (int k = 0; k < 6; ++k) t.factor[k] = rows[k] * volatility[asset[k]] * root;
    for (int d = 0; d < AUTOCALL_DATES; ++d)
        t.call[d] = (1.0 + 0.02 * (d + 1)) * exp(-rate * dt * (d + 1));
    t.protection = 0.6;
    t.repaid = exp(-rate * 3.0);
    return t;
}

/* Ends the program if the mean is not levy's within four standard errors of both; levy's price and
 * error are in the environment (run). */
static inline void autocall_check(const char *what, double sum, double squares, double paths)
{
    const char *const price = getenv("AUTOCALL_PRICE"), *const error = getenv("AUTOCALL_ERROR");
    const double mean = sum / paths, own = sqrt((squares / paths - mean * mean) / paths);
    if (!price || !error) {
        fprintf(stderr, "AUTOCALL_PRICE and AUTOCALL_ERROR: levy's price and its standard error\n");
        exit(1);
    }
    const double both = hypot(own, strtod(error, NULL)), off = (mean - strtod(price, NULL)) / both;
    fprintf(stderr, "  %s: price %.6f, levy's %s: %.2f standard errors apart\n", what, mean, price,
            off);
    if (fabs(off) <= 4.0) return;
    fprintf(stderr, "%s: not levy's price\n", what);
    exit(1);
}

#endif
