/* alias_mass.c: the probability that a table gives each item, compared with the weights; and the
 * short form of its rows. */
#include "kernels/samplers/alias/alias_build.h"

#include <math.h>

/* The share as a pair: lift times the total, over n. */
static alias_pair mass_share(const levy_alias *alias)
{
    const double n = (double)alias->count, back = ldexp(1.0, -alias->total_shift);
    const alias_pair total = {alias->total.hi * alias->scale.lift,
                              alias->total.lo * alias->scale.lift};
    const double q = total.hi / n;
    return (alias_pair){q * back, (fma(-q, n, total.hi) + total.lo) / n * back};
}

static void mass_add(double *masses, uint32_t item, alias_pair mass)
{
    const alias_pair sum =
        alias_pair_add((alias_pair){masses[2 * (size_t)item], masses[2 * (size_t)item + 1]}, mass);
    masses[2 * (size_t)item] = sum.hi;
    masses[2 * (size_t)item + 1] = sum.lo;
}

static double mass_error(double hi, double lo, double weight)
{
    const double off = fabs((hi - weight) + lo);
    if (off == 0.0) return 0.0;
    return weight > 0.0 ? off / weight : 1.0;
}

double levy_alias_error_of(const levy_alias *alias, const levy_alias_row *rows,
                           const levy_alias_weights *weights, uint64_t first, uint64_t last,
                           double *masses)
{
    const uint64_t n = alias->count;
    const alias_pair share = mass_share(alias);
    double worst = 0.0;
    for (uint64_t i = 2 * first; i < 2 * last; ++i) masses[i] = 0.0;
    for (uint64_t i = 0; i < n; ++i) {
        const levy_alias_row row = rows[i];
        const uint32_t below = row.item[0], above = row.item[1];
        if (below >= n || above >= n ||
            !(row.threshold >= 0.0 && row.threshold <= share.hi * 1.0000001))
            return HUGE_VAL;
        if (below >= first && below < last)
            mass_add(masses, below, (alias_pair){row.threshold, 0.0});
        if (above >= first && above < last)
            mass_add(masses, above, alias_pair_add(share, (alias_pair){-row.threshold, 0.0}));
    }
    for (uint64_t i = first; i < last; ++i) {
        const double error = mass_error(masses[2 * i], masses[2 * i + 1],
                                        levy_alias_weight_at(weights, i) * alias->scale.lift);
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

double levy_alias_error(const levy_alias *alias, const levy_alias_row *rows,
                        const levy_alias_weights *weights, double *masses)
{
    return levy_alias_error_of(alias, rows, weights, 0, alias->count, masses);
}

void levy_alias_shorten(const levy_alias *alias, levy_alias_short_row *rows)
{
    const double scale = 0x1p32 / alias->scale.share;
    for (uint64_t i = 0; i < alias->count; ++i)
        rows[i] = alias_short_row(alias->rows[i], (uint32_t)i, scale);
}
