/* terms.c: see terms.h. The layout is that of the payoffs' lane headers, which say what each number
 * is for. */
#include "engine/plan/terms.h"
#include "kernels/lane/scalar.h"

#define LANE_SCALAR
#include "payoffs/lanes.h"

#include <string.h>

/* ---- Level ---- */

/* Coefficients of the growths, and the unit in which the item works. */
static double terms_coefficients(const levy_trade *t, const double *spots, double *c)
{
    double log_scale = 0.0;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        const double level = t->coefficients[u] * spots[u];
        c[u] = t->aggregate == LEVY_AGGREGATE_GEOMETRIC ? t->weights[u] : level;
        if (t->aggregate == LEVY_AGGREGATE_GEOMETRIC) log_scale += t->weights[u] * levy_log(level);
    }
    if (t->aggregate == LEVY_AGGREGATE_GEOMETRIC) return levy_exp(log_scale);
    if (t->aggregate != LEVY_AGGREGATE_NONE) return 1.0;
    const double scale = c[0];
    c[0] = 1.0;
    return scale;
}

/* The aggregate at t = 0 in units of the scale. */
double levy_item_today(const levy_trade *t, const double *c)
{
    double x = c[0];
    if (t->aggregate == LEVY_AGGREGATE_NONE || t->aggregate == LEVY_AGGREGATE_GEOMETRIC) return 1.0;
    for (size_t u = 1; u < t->n_underlyings; ++u)
        x = t->aggregate == LEVY_AGGREGATE_BASKET                    ? x + c[u]
            : (t->aggregate == LEVY_AGGREGATE_BEST_OF) == (c[u] > x) ? c[u]
                                                                     : x;
    return x;
}

typedef struct terms_frame {
    const levy_trade *trade;
    double scale, today, log_unit;
    levy_image_item *item;
    double *terms;
} terms_frame;

static double terms_log(const terms_frame *f, double level)
{
    return f->log_unit * levy_log(level / f->scale);
}

/* ---- Kinds ---- */

static void terms_asian(const terms_frame *f)
{
    const levy_trade *const t = f->trade;
    const double n_past = (double)t->n_past;
    f->item->variant = (t->terms->averaging_method ? ASIAN_GEOMETRIC : 0u) |
                       (t->terms->averaging_on ? ASIAN_STRIKE : 0u) |
                       (t->terms->barrier_payout != LEVY_PAYOUT_OPTION ? ASIAN_DIGITAL : 0u);
    f->terms[ITEM_B] =
        t->terms->barrier_payout == LEVY_PAYOUT_CASH ? t->terms->cash / f->scale : 0.0;
    f->terms[ITEM_C] = t->terms->barrier_payout == LEVY_PAYOUT_ASSET ? 1.0 : 0.0;
    f->terms[ITEM_A] = 1.0 / (n_past + (t->observes_now ? 1.0 : 0.0) + (double)t->n_observations);
    if (t->terms->averaging_method == 0)
        f->terms[ITEM_START] = t->past_sum / f->scale + (t->observes_now ? f->today : 0.0);
    else
        f->terms[ITEM_START] = f->log_unit * (t->past_log_sum - n_past * levy_log(f->scale) +
                                              (t->observes_now ? levy_log(f->today) : 0.0));
}

static bool terms_touched_now(const terms_frame *f)
{
    const levy_payoff_terms *const p = f->trade->terms;
    const double level = f->today * f->scale;
    if (f->trade->two_barriers) return level <= p->barrier_lower || level >= p->barrier_upper;
    const double side = p->barrier_direction == LEVY_BARRIER_UP ? 1.0 : -1.0;
    return f->today * side >= p->barrier_level / f->scale * side;
}

static double terms_present(double x) { return x > 0.0 ? x : 0.0; } /* NaN: not given */

/* What a touch pays, and what the path that has none: a touch option is a rebate, or a digital that
 * always pays. */
static void terms_barrier_payout(const terms_frame *f)
{
    const levy_payoff_terms *const p = f->trade->terms;
    const bool touch = f->trade->payoff == LEVY_PAYOFF_TOUCH,
               untouched = touch && p->touch_pays == 1;
    const bool digital = untouched || (!touch && p->barrier_payout != LEVY_PAYOUT_OPTION);
    const double amount = touch            ? (untouched ? 0.0 : p->cash)
                          : p->rebate.node ? terms_present(p->rebate.amount)
                                           : 0.0;
    const double lower = !touch && p->rebate.lower > 0.0 ? p->rebate.lower : amount,
                 upper = !touch && p->rebate.upper > 0.0 ? p->rebate.upper : amount;
    const bool pays = lower > 0.0 || upper > 0.0;
    if (touch) {
        f->terms[ITEM_SIGN] = untouched ? 1.0 : -1.0;
        f->terms[ITEM_STRIKE] = 0.0;
    }
    if (digital) f->item->variant |= BARRIER_DIGITAL;
    if (pays) f->item->variant |= f->trade->rebate_at_hit ? BARRIER_AT_HIT : BARRIER_REBATE;
    f->terms[ITEM_F] = lower / f->scale;
    f->terms[ITEM_G] = upper / f->scale;
    f->terms[ITEM_H] =
        digital && (touch || p->barrier_payout == LEVY_PAYOUT_CASH) ? p->cash / f->scale : 0.0;
    f->terms[ITEM_H + 1] = !touch && p->barrier_payout == LEVY_PAYOUT_ASSET ? 1.0 : 0.0;
}

static void terms_barrier(const terms_frame *f)
{
    const levy_trade *const t = f->trade;
    const levy_payoff_terms *const p = t->terms;
    const double side = p->barrier_direction == LEVY_BARRIER_UP ? 1.0 : -1.0;
    const bool in = t->payoff != LEVY_PAYOFF_TOUCH && p->barrier_knock == 1;
    double *const r = f->terms;
    r[ITEM_START] = t->knocked || (t->observes_now && terms_touched_now(f)) ? 0.0 : 1.0;
    r[ITEM_B] = side;
    r[ITEM_C] = in ? -1.0 : 1.0;
    r[ITEM_D] = in ? 1.0 : 0.0;
    if (t->two_barriers) {
        f->item->variant |= BARRIER_DOUBLE;
        r[ITEM_A] = t->continuous ? terms_log(f, p->barrier_lower) : p->barrier_lower / f->scale;
        r[ITEM_E] = t->continuous ? terms_log(f, p->barrier_upper) : p->barrier_upper / f->scale;
    } else {
        r[ITEM_A] =
            t->continuous ? terms_log(f, p->barrier_level) : p->barrier_level / f->scale * side;
        if (p->barrier_direction == LEVY_BARRIER_CROSS) f->item->variant |= BARRIER_CROSS;
    }
    if (t->continuous) f->item->variant |= BARRIER_CONTINUOUS;
    terms_barrier_payout(f);
}

static void terms_lookback(const terms_frame *f)
{
    const levy_trade *const t = f->trade;
    const bool minimum = levy_trade_takes_minimum(t),
               now = t->observes_now || (t->continuous && t->window_start == 0.0);
    double start = minimum ? 1e30 : -1e30;
    if (t->has_extremum) start = t->continuous ? terms_log(f, t->extremum) : t->extremum / f->scale;
    const double today = t->continuous ? 0.0 : f->today;
    if (now && (minimum ? today < start : today > start)) start = today;
    f->item->variant = (t->continuous ? LOOKBACK_CONTINUOUS : 0u) |
                       (minimum ? LOOKBACK_MINIMUM : 0u) |
                       (t->terms->lookback_strike ? LOOKBACK_FLOATING : 0u);
    f->terms[ITEM_START] = start;
}

static void terms_forward_start(const terms_frame *f)
{
    const levy_trade *const t = f->trade;
    f->item->variant = (uint32_t)t->terms->forward_form;
    f->terms[ITEM_STRIKE] = t->terms->strike_fraction;
    f->terms[ITEM_START] = t->n_past ? t->past_last / f->scale : f->today;
}

static void terms_cliquet(const terms_frame *f)
{
    const levy_trade *const t = f->trade;
    const levy_payoff_terms *const p = t->terms;
    const double bounds[4] = {p->local_floor, p->local_cap, p->global_floor, p->global_cap};
    f->terms[ITEM_START] = t->past_sum;
    f->terms[ITEM_SECOND] = t->n_past ? t->past_last / f->scale : 0.0;
    for (int i = 0; i < 4; ++i)
        f->terms[ITEM_A + i] = bounds[i] == bounds[i] ? bounds[i] : i % 2 ? 1e30 : -1e30;
    if (!t->observes_now) return;
    if (t->n_past) {
        double part = f->today * f->scale / t->past_last - 1.0;
        part = part > f->terms[ITEM_A] ? part : f->terms[ITEM_A];
        f->terms[ITEM_START] += part < f->terms[ITEM_B] ? part : f->terms[ITEM_B];
    }
    f->terms[ITEM_SECOND] = f->today;
}

/* Paid as a return: no unit of the level. */
static bool terms_is_return(const levy_trade *t)
{
    return t->payoff == LEVY_PAYOFF_CLIQUET ||
           (t->payoff == LEVY_PAYOFF_FORWARD_START && t->terms->forward_form == 1);
}

void levy_item_terms(const levy_trade *t, const double *spots, double discount, double log_unit,
                     levy_image_item *item, double *terms, double *coefficients)
{
    const double scale = terms_coefficients(t, spots, coefficients);
    const terms_frame f = {t, scale, levy_item_today(t, coefficients), log_unit, item, terms};
    item->kind = (uint32_t)levy_payoffs[t->payoff]->lanes;
    item->variant = 0;
    item->aggregate = (uint32_t)t->aggregate;
    item->scale = (terms_is_return(t) ? 1.0 : scale) * discount;
    terms[ITEM_SIGN] = t->terms->option_type == 0 ? 1.0 : -1.0;
    /* NaN: it has none */
    terms[ITEM_STRIKE] = t->terms->strike == t->terms->strike ? t->terms->strike / scale : 0.0;
    if (item->kind == LEVY_PAYOFF_ASIAN) terms_asian(&f);
    if (item->kind == LEVY_PAYOFF_BARRIER) terms_barrier(&f);
    if (item->kind == LEVY_PAYOFF_LOOKBACK) terms_lookback(&f);
    if (item->kind == LEVY_PAYOFF_FORWARD_START) terms_forward_start(&f);
    if (item->kind == LEVY_PAYOFF_CLIQUET) terms_cliquet(&f);
    if (item->kind == LEVY_PAYOFF_DIGITAL) {
        terms[ITEM_A] = t->terms->payout == 0 ? t->terms->cash / scale : 0.0;
        terms[ITEM_B] = t->terms->payout == 0 ? 0.0 : 1.0;
    }
    item->rich = payoff_is_plain(item->kind, item->variant) ? 0 : 1;
}

void levy_item_become_put(double *terms) { terms[ITEM_SIGN] = -1.0; }

/* Of an option that is paid, or not, where the level stands at the barrier. */
static double terms_barrier_jump(const levy_payoff_terms *p, double level)
{
    const double gain = (level - terms_present(p->strike)) * (p->option_type == 0 ? 1.0 : -1.0);
    const double paid = p->barrier_payout == LEVY_PAYOUT_CASH    ? p->cash
                        : p->barrier_payout == LEVY_PAYOUT_ASSET ? level
                                                                 : gain;
    return terms_present(paid) + terms_present(p->rebate.amount) + terms_present(p->rebate.lower) +
           terms_present(p->rebate.upper);
}

double levy_item_jump(const levy_trade *t)
{
    const levy_payoff_terms *const p = t->terms;
    const int32_t lanes = levy_payoffs[t->payoff]->lanes;
    if (lanes == LEVY_PAYOFF_DIGITAL) return p->payout == 0 ? p->cash : p->strike;
    if (lanes == LEVY_PAYOFF_ASIAN && p->barrier_payout != LEVY_PAYOUT_OPTION)
        return p->barrier_payout == LEVY_PAYOUT_CASH ? p->cash : p->strike;
    if (t->payoff == LEVY_PAYOFF_TOUCH) return p->cash;
    if (lanes != LEVY_PAYOFF_BARRIER || t->continuous) return 0.0;
    if (!t->two_barriers) return terms_barrier_jump(p, p->barrier_level);
    return terms_barrier_jump(p, p->barrier_lower) + terms_barrier_jump(p, p->barrier_upper);
}

/* ---- Numbers by node ---- */

bool levy_item_has_row(const levy_image_item *item)
{
    if (item->kind == LEVY_PAYOFF_BARRIER)
        return (item->variant & (BARRIER_CONTINUOUS | BARRIER_AT_HIT)) != 0;
    return item->kind == LEVY_PAYOFF_LOOKBACK && item->variant & LOOKBACK_CONTINUOUS;
}

static double terms_discount(const levy_row_market *m, double time)
{
    return levy_curve_log_discount(m->discount_curve, time > m->elapsed ? time : m->elapsed);
}

/* 1 paid at time t, in money of the payment date. */
static double terms_carried(const levy_trade *t, const levy_row_market *m, double time)
{
    return levy_exp(terms_discount(m, time) - terms_discount(m, t->payment_time));
}

static void terms_rebate_row(const levy_trade *t, const levy_image_item *item,
                             const levy_row_market *m, size_t k, double variance, double *row)
{
    const double from = k ? m->times[k - 1] : 0.0, to = m->times[k];
    row[BARRIER_HERE] = terms_carried(t, m, to);
    row[BARRIER_BEFORE] = terms_carried(t, m, from);
    if (!(item->variant & BARRIER_CONTINUOUS)) return;
    const double rho = terms_discount(m, from) - terms_discount(m, to);
    const double up = (m->drift[k] - row[BARRIER_JUMP]) / levy_sqrt(variance);
    const double mu = t->two_barriers || t->terms->barrier_direction == LEVY_BARRIER_UP ? up : -up;
    const double square = mu * mu + 2.0 * rho, kappa = levy_sqrt(square > 0.0 ? square : 0.0);
    row[BARRIER_DRIFT] = mu;
    row[BARRIER_KAPPA] = kappa;
    row[BARRIER_EXCESS] = mu > 0.0 && square > 0.0 ? -2.0 * rho / (mu + kappa) : mu - kappa;
}

void levy_item_row(const levy_trade *t, const levy_image_item *item, const levy_row_market *m,
                   double log_unit, double *row)
{
    const bool barrier = item->kind == LEVY_PAYOFF_BARRIER;
    memset(row, 0, m->n_nodes * LEVY_ROW_REALS * sizeof *row);
    for (size_t k = 0; k < m->n_nodes; ++k, row += LEVY_ROW_REALS) {
        const double variance = m->variance[k] > 1e-18 ? m->variance[k] : 1e-18;
        if (t->continuous) {
            const double drop = levy_asset_drop(m->asset, m->times[k]);
            row[BARRIER_OPENS] =
                t->window_start > 0.0 && m->times[k] == t->window_start ? 1.0 : 0.0;
            row[BARRIER_JUMP] = drop; /* of natural logarithms until the rebate has used it */
            if (!barrier)
                row[LOOKBACK_SPREAD] = -2.0 * m->variance[k] * log_unit;
            else
                row[BARRIER_SCALE] = 1.0 / (levy_sqrt(variance) * log_unit);
        }
        if (barrier && item->variant & BARRIER_AT_HIT)
            terms_rebate_row(t, item, m, k, variance, row);
        row[BARRIER_JUMP] *= log_unit;
    }
}
