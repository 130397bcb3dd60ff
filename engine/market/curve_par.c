/* curve_par.c: a curve from the rates of deposits and par swaps: the zero rates at their ends for
 * which each is worth nothing today. A swap's fixed leg pays from its end backwards, the first
 * period being what is left. With an interpolation of several nodes a node changes what swaps
 * before it are worth, so that all are solved in turn until none moves (P. Hagan and G. West,
 * Applied Mathematical Finance 13, 2006, section 2). Must not know: how a curve is interpolated. */
#include "engine/market/curve_par.h"

#include "kernels/lane/scalar.h"

#include <math.h>

enum { PAR_SWEEPS = 200 };
static const double par_still = 1e-15; /* of a logarithm that moves no more */

/* A payment of a fixed leg. */
typedef struct par_payment {
    double time, years; /* of accrual */
} par_payment;

typedef struct par_swap {
    par_payment *payments; /* the last one first */
    size_t n;
    double rate;
} par_swap;

static const int par_months[] = {12, 6, 3, 1};

/* The start of the period that ends k periods before the end. */
static bool par_start(const levy_check *build, const levy_raw_curve *raw, const levy_time *end,
                      size_t k, double *time, levy_date *date)
{
    const int months = par_months[raw->frequency];
    if (!end->is_date) {
        *time = end->years - (double)(k * (size_t)months) / 12.0;
        return true;
    }
    const levy_tenor back = {-(int)(k * (size_t)months), 'M'};
    if (!levy_date_add(end->date, back, false, date)) return false;
    *time = levy_check_years(build, *date);
    return true;
}

/* The fixed leg of a swap. */
static bool par_leg(levy_check *build, const levy_raw_curve *raw, const levy_time_value *swap,
                    double years, par_swap *leg)
{
    const levy_day_count rule = (levy_day_count)raw->day_count;
    const size_t most = (size_t)(years * 12.0 / par_months[raw->frequency]) + 2;
    levy_date from = build->valuation, to = swap->time.date;
    double end = years, start;
    leg->rate = swap->value;
    leg->payments = levy_check_allocate(build, most, sizeof *leg->payments);
    if (!leg->payments) return false;
    for (size_t k = 1; k <= most && end > 1e-9; ++k, end = start, to = from) {
        if (!par_start(build, raw, &swap->time, k, &start, &from)) return false;
        if (!(start > 1e-9)) {
            start = 0.0;
            from = build->valuation;
        }
        leg->payments[leg->n++] = (par_payment){
            end, swap->time.is_date ? levy_year_fraction(rule, from, to) : end - start};
    }
    return true;
}

/* The logarithm of the discount factor at a swap's end for which it is worth nothing, given those
 * before. False: there is none. */
static bool par_solve(const par_swap *swap, const levy_curve *curve, double *log_discount)
{
    double annuity = 0.0;
    for (size_t k = 1; k < swap->n; ++k)
        annuity += swap->payments[k].years *
                   levy_exp(levy_curve_log_discount(curve, swap->payments[k].time));
    const double factor =
        (1.0 - swap->rate * annuity) / (1.0 + swap->rate * swap->payments[0].years);
    if (!(factor > 1e-12)) return false;
    *log_discount = levy_log(factor);
    return true;
}

static bool par_refuse(levy_check *build, const levy_time_value *swap, const char *path, size_t i)
{
    return LEVY_REFUSE(build, RANGE, levy_pair_value_node(swap),
                       levy_check_text(build, "%s.swaps[%zu][1]", path, i),
                       "Rates are decimals: 0.04 is 4 %.",
                       "no discount factor makes a swap at %s worth nothing",
                       levy_check_number(build, swap->value));
}

bool levy_curve_strip(levy_check *build, const levy_raw_curve *raw, const char *path, size_t first,
                      levy_curve *curve)
{
    const levy_time_value *const quotes = raw->swaps.items;
    const size_t n = raw->swaps.count;
    par_swap *const swaps = levy_check_allocate(build, n, sizeof *swaps);
    if (!swaps) return false;
    for (size_t i = 0; i < n; ++i) {
        const double end = curve->times[first + i];
        if (!par_leg(build, raw, &quotes[i], end, &swaps[i])) return false;
        curve->log_discounts[first + i] = -quotes[i].value * end;
        curve->zero_rates[first + i] = quotes[i].value;
    }
    double moved = 1.0;
    for (int sweep = 0; sweep < PAR_SWEEPS && moved > par_still; ++sweep) {
        moved = 0.0;
        for (size_t i = 0; i < n; ++i) {
            double *const at = &curve->log_discounts[first + i], before = *at;
            if (!par_solve(&swaps[i], curve, at)) return par_refuse(build, &quotes[i], path, i);
            curve->zero_rates[first + i] = -*at / curve->times[first + i];
            moved = fmax(moved, fabs(*at - before));
        }
    }
    if (moved <= 1e-12) return true;
    return LEVY_REFUSE(build, INCONSISTENT, raw->swaps.node,
                       levy_check_text(build, "%s.swaps", path),
                       "Check the rates, or write interpolation: log_linear_discount.",
                       "no curve makes all swaps worth nothing");
}
