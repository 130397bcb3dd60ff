/* lattice.c: see lattice.h. */
#include "tests/generated/lattice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LATTICE_MOST = 1024, LATTICE_COARSEST = 200, LATTICE_DATES = 256, LATTICE_SMOOTH = 2 };

typedef struct lattice {
    const levy_trade *trade;
    double sign, strike, low, h, up, down; /* a node to the next, and from the one before, - 1 */
    int n, steps;
    double x[LATTICE_MOST + 1], spot[LATTICE_MOST + 1], paid[LATTICE_MOST + 1];
    double values[LATTICE_REGIMES][LATTICE_MOST + 1];
    double at_nothing[LATTICE_REGIMES]; /* values at a spot of 0 */
    lattice_chain chain;
    int n_regimes, regime;     /* the one that is worked on: */
    double *value, *worthless; /* its values */
} lattice;

static void enter(lattice *l, int regime)
{
    l->regime = regime;
    l->value = l->values[regime];
    l->worthless = &l->at_nothing[regime];
}

/* ---- The market between two dates ---- */

static const levy_asset *asset_of(const lattice *l) { return levy_trade_asset(l->trade, 0); }

static double rate_of(const lattice *l, double from, double to)
{
    const levy_curve *const c = l->trade->discount_curve;
    return levy_curve_log_discount(c, from) - levy_curve_log_discount(c, to) +
           l->chain.rate[l->regime] * (to - from);
}

/* With the price of the asset's currency in the payment's, between two dates of the market. */
static double covariance_of(const lattice *l, double from, double to)
{
    const levy_quanto *const q = &asset_of(l)->quanto;
    if (!q->fx) return 0.0;
    const double own =
                     levy_asset_variance(asset_of(l), to) - levy_asset_variance(asset_of(l), from),
                 rate = levy_asset_variance(q->fx, to) - levy_asset_variance(q->fx, from),
                 rho = levy_correlation_of(q->correlation, 0, 0, 1);
    return (q->inverse ? -rho : rho) * sqrt(own * rate);
}

static double growth_of(const lattice *l, double from, double to)
{
    const levy_curve *const c = asset_of(l)->curve;
    const levy_curve *const carry[] = {&asset_of(l)->carry.dividend_yield,
                                       &asset_of(l)->carry.borrow};
    double growth = levy_curve_log_discount(c, from) - levy_curve_log_discount(c, to);
    for (int k = 0; k < 2; ++k)
        growth += levy_curve_log_discount(carry[k], to) - levy_curve_log_discount(carry[k], from);
    return growth - covariance_of(l, from, to) + l->chain.rate[l->regime] * (to - from);
}

static double variance_of(const lattice *l, double from, double to)
{
    const double factor = l->chain.factor[l->regime];
    return factor * factor *
           (levy_asset_variance(asset_of(l), to) - levy_asset_variance(asset_of(l), from));
}

/* ---- Dates on which something happens or a rate bends ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t add_dates(double *dates, size_t n, levy_nodes more, double until)
{
    for (size_t i = 0; i < more.n && n + 1 < LATTICE_DATES; ++i)
        if (more.times[i] > 0.0 && more.times[i] < until) dates[n++] = more.times[i];
    return n;
}

/* From 0 to expiry, both among them. */
static size_t dates_of(const levy_trade *t, double *dates)
{
    const levy_asset *const asset = levy_trade_asset(t, 0);
    const levy_volatility *const rate =
        asset->quanto.fx ? &asset->quanto.fx->volatility : &asset->volatility;
    const levy_nodes all[] = {levy_curve_kinks(asset->curve),
                              levy_volatility_nodes(rate),
                              levy_curve_kinks(t->discount_curve),
                              levy_volatility_nodes(&asset->volatility),
                              levy_carry_dates(&asset->carry),
                              {t->early->n, t->early->times},
                              levy_curve_kinks(&asset->carry.dividend_yield)};
    size_t n = 0, kept = 1;
    dates[n++] = 0.0;
    for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
        n = add_dates(dates, n, all[k], t->claim.expiry);
    dates[n++] = t->claim.expiry;
    qsort(dates, n, sizeof *dates, ascending);
    for (size_t i = 1; i < n; ++i)
        if (dates[i] > dates[kept - 1]) dates[kept++] = dates[i];
    return kept;
}

static bool is_exercised_on(const levy_trade *t, double date)
{
    bool is = date == t->claim.expiry;
    for (size_t i = 0; i < t->early->n; ++i) is = is || t->early->times[i] == date;
    return is;
}

/* ---- Steps ---- */

static void exercise(lattice *l)
{
    for (int i = 0; i <= l->n; ++i) l->value[i] = fmax(l->value[i], l->paid[i]);
    if (l->sign < 0.0) *l->worthless = fmax(*l->worthless, l->strike);
}

/* The generator's three entries of a row. Beyond the ends values are linear in the spot. */
static void row_of(const lattice *l, int i, double rate, double growth, double variance,
                   double row[3])
{
    const double second = 0.5 * variance / (l->h * l->h),
                 first = 0.5 * (growth - 0.5 * variance) / l->h;
    row[0] = i == l->n ? -growth / l->down : second - first;
    row[2] = i == 0 ? growth / l->up : second + first;
    if (i == 0) row[0] = 0.0;
    if (i == l->n) row[2] = 0.0;
    row[1] = -rate - row[0] - row[2];
}

/* Solves (1 - a) x = right where x is not exercised, by rows `low`, `own`, `high`. */
static void solve(const lattice *l, double (*rows)[3], const double *right, const bool *held,
                  double *x)
{
    static double share[LATTICE_MOST + 2], part[LATTICE_MOST + 2];
    for (int i = 0; i <= l->n; ++i) {
        share[i] = 0.0;
        part[i] = l->paid[i];
        if (!held[i]) continue;
        const double pivot = 1.0 / (i ? rows[i][1] - rows[i][0] * share[i - 1] : rows[i][1]);
        share[i] = rows[i][2] * pivot;
        part[i] = (i ? right[i] - rows[i][0] * part[i - 1] : right[i]) * pivot;
    }
    x[l->n] = part[l->n];
    for (int i = l->n - 1; i >= 0; --i) x[i] = part[i] - share[i] * x[i + 1];
}

static void step(lattice *l, double implicit, double rate, double growth, double variance)
{
    static double rows[LATTICE_MOST + 1][3], right[LATTICE_MOST + 1], x[LATTICE_MOST + 1];
    static bool held[LATTICE_MOST + 1];
    const double *const v = l->value;
    bool stays = false;
    for (int i = 0; i <= l->n; ++i) {
        double a[3];
        row_of(l, i, rate, growth, variance, a);
        right[i] = v[i] + (1.0 - implicit) * (a[1] * v[i] + (i ? a[0] * v[i - 1] : 0.0) +
                                              (i < l->n ? a[2] * v[i + 1] : 0.0));
        for (int k = 0; k < 3; ++k) rows[i][k] = (k == 1) - implicit * a[k];
        held[i] = !l->trade->early->american || v[i] > l->paid[i];
    }
    for (int round = 0; round < 50 && !stays; ++round) {
        solve(l, rows, right, held, x);
        stays = true;
        for (int i = 0; i <= l->n && l->trade->early->american; ++i) {
            const double left = right[i] - rows[i][1] * x[i] - (i ? rows[i][0] * x[i - 1] : 0.0) -
                                (i < l->n ? rows[i][2] * x[i + 1] : 0.0);
            const bool holds = held[i] ? x[i] >= l->paid[i] : left > 0.0;
            stays = stays && holds == held[i];
            held[i] = holds;
        }
    }
    memcpy(l->value, x, sizeof x);
    *l->worthless *= exp(-rate);
    if (l->trade->early->american && l->sign < 0.0) *l->worthless = fmax(*l->worthless, l->strike);
}

/* By Lagrange's formula on six nodes. */
static double value_at(const lattice *l, const double *value, double spot)
{
    if (spot < l->spot[0])
        return *l->worthless + (value[0] - *l->worthless) * fmax(spot, 0.0) / l->spot[0];
    const double at = (log(spot) - l->low) / l->h;
    const int middle = (int)fmin(floor(at), l->n), last = l->n - 5,
              first = middle - 2 < 0      ? 0
                      : middle - 2 > last ? last
                                          : middle - 2;
    double sum = 0.0;
    for (int i = first; i < first + 6; ++i) {
        double weight = 1.0;
        for (int j = first; j < first + 6; ++j)
            if (j != i) weight *= (at - j) / (i - j);
        sum += weight * value[i];
    }
    return sum;
}

/* What happens on a date after which values are known. */
static void pass_date(lattice *l, double date)
{
    static double after[LATTICE_MOST + 1];
    const levy_carry *const carry = &asset_of(l)->carry;
    const double cash = levy_carry_cash(carry, date), kept = exp(levy_carry_drop(carry, date));
    if (l->trade->early->american || is_exercised_on(l->trade, date)) exercise(l);
    if (date == 0.0 || (cash == 0.0 && kept == 1.0)) return;
    memcpy(after, l->value, sizeof after);
    for (int i = 0; i <= l->n; ++i)
        l->value[i] = value_at(l, after, fmax(kept * l->spot[i] - cash, 0.0));
    if (l->trade->early->american) exercise(l);
}

/* By the chain's chances over a time: what leads to other regimes is worth what those are. */
static void mix(lattice *l, double time)
{
    const double *const left = l->chain.left, all = left[0] + left[1],
                        gone = l->n_regimes > 1 ? -expm1(-all * time) / all : 0.0;
    for (int i = 0; i <= l->n && gone > 0.0; ++i) {
        const double apart = gone * (l->values[1][i] - l->values[0][i]);
        l->values[0][i] += left[0] * apart;
        l->values[1][i] -= left[1] * apart;
    }
    const double apart = gone * (l->at_nothing[1] - l->at_nothing[0]);
    l->at_nothing[0] += left[0] * apart;
    l->at_nothing[1] -= left[1] * apart;
}

/* Backwards from one date to the one before, in steps that grow with the time to it. */
static void pass_span(lattice *l, double from, double to)
{
    double after = to;
    for (int k = 1; k <= l->steps; ++k) {
        const double share = (double)k / l->steps, before = to - (to - from) * share * share;
        const double parts = k <= LATTICE_SMOOTH ? 2.0 : 1.0;
        for (int p = 0; p < (int)parts; ++p) {
            mix(l, 0.5 * (after - before) / parts);
            for (int r = 0; r < l->n_regimes; ++r) {
                enter(l, r);
                step(l, k <= LATTICE_SMOOTH ? 1.0 : 0.5, rate_of(l, before, after) / parts,
                     growth_of(l, before, after) / parts, variance_of(l, before, after) / parts);
            }
            mix(l, 0.5 * (after - before) / parts);
        }
        after = before;
    }
}

static double width_of(lattice *l, const double *dates, size_t n)
{
    double drift = 0.0, farthest = 0.0, cash = 0.0;
    enter(l, l->chain.factor[1] > l->chain.factor[0]); /* the wilder */
    for (size_t k = 1; k < n; ++k) {
        drift +=
            growth_of(l, dates[k - 1], dates[k]) + levy_carry_drop(&asset_of(l)->carry, dates[k]);
        cash += levy_carry_cash(&asset_of(l)->carry, dates[k]);
        farthest = fmax(farthest, fabs(drift));
    }
    return 6.0 * sqrt(variance_of(l, 0.0, dates[n - 1])) + farthest + log1p(cash / l->strike) +
           fabs(log(asset_of(l)->spot / l->strike)) + 0.01;
}

/* Of one unit of the level. */
static double level_price(lattice *l, int n, const double *dates, size_t n_dates)
{
    const double width = width_of(l, dates, n_dates);
    l->n = n;
    l->steps = n / (int)n_dates / 2 + 8;
    l->low = log(l->strike) - width;
    l->h = 2.0 * width / n;
    l->up = exp(l->h) - 1.0;
    l->down = 1.0 - exp(-l->h);
    for (int i = 0; i <= n; ++i) {
        l->x[i] = l->low + i * l->h;
        l->spot[i] = exp(l->x[i]);
        l->paid[i] = fmax(l->sign * (l->spot[i] - l->strike), 0.0);
    }
    for (int r = 0; r < l->n_regimes; ++r) {
        memcpy(l->values[r], l->paid, sizeof l->paid);
        l->at_nothing[r] = l->sign < 0.0 ? l->strike : 0.0;
    }
    for (size_t k = n_dates; k-- > 0;) {
        for (int r = 0; r < l->n_regimes; ++r) {
            enter(l, r);
            pass_date(l, dates[k]);
        }
        if (k > 0) pass_span(l, dates[k - 1], dates[k]);
    }
    enter(l, 0);
    return value_at(l, l->value, asset_of(l)->spot);
}

lattice_value lattice_price(const levy_trade *trade, const lattice_chain *chain)
{
    static lattice l;
    double dates[LATTICE_DATES];
    l = (lattice){.trade = trade,
                  .n_regimes = chain ? LATTICE_REGIMES : 1,
                  .chain = chain ? *chain : (lattice_chain){.factor = {1.0}},
                  .sign = levy_payoff_sign(trade->claim.terms),
                  .strike = trade->claim.terms->strike / trade->claim.coefficients[0]};
    const size_t n = dates_of(trade, dates);
    const double a = level_price(&l, LATTICE_COARSEST, dates, n),
                 b = level_price(&l, 2 * LATTICE_COARSEST, dates, n),
                 c = level_price(&l, 4 * LATTICE_COARSEST, dates, n),
                 unit = trade->claim.coefficients[0] * levy_trade_scale(trade),
                 first = (4.0 * b - a) / 3.0, last = (4.0 * c - b) / 3.0;
    return (lattice_value){.price = unit * last,
                           .error = fabs(unit) * (fabs(last - first) + 1e-6 * l.strike),
                           .strike = fabs(unit) * l.strike};
}
