/* lognormal.c: see lognormal.h. */
#include "payoffs/lognormal.h"

#include "kernels/lane/scalar.h"

double levy_lognormal_forward(levy_lognormal law)
{
    return levy_exp(law.mean + 0.5 * law.variance);
}

/* P(s (X - k) > 0), with the mean of log X moved by `shift` variances: 0 for the law itself, 1 for
 * the measure weighted by X. */
static double lognormal_side(levy_lognormal law, double s, double k, double shift)
{
    if (k <= 0.0) return s > 0.0 ? 1.0 : 0.0;
    const double distance = law.mean + shift * law.variance - levy_log(k);
    if (law.variance <= 0.0) return s * distance > 0.0 ? 1.0 : 0.0;
    return levy_normal_cdf(s * distance / levy_sqrt(law.variance));
}

double levy_lognormal_gap(levy_lognormal law, double s, double trigger, double paid)
{
    return s * (levy_lognormal_forward(law) * lognormal_side(law, s, trigger, 1.0) -
                paid * lognormal_side(law, s, trigger, 0.0));
}

double levy_lognormal_vanilla(levy_lognormal law, double s, double strike)
{
    return levy_lognormal_gap(law, s, strike, strike);
}

double levy_lognormal_binary(levy_lognormal law, double s, double k, bool asset, double cash)
{
    return asset ? levy_lognormal_forward(law) * lognormal_side(law, s, k, 1.0)
                 : cash * lognormal_side(law, s, k, 0.0);
}

levy_lognormal levy_lognormal_at(const levy_lognormal_claim *c, double time)
{
    return (levy_lognormal){c->mean(c->level, time), c->variance(c->level, 0.0, time)};
}
