/* closed_greeks.c: Greeks of closed forms, for references of studies: central differences of the
 * eighth order (B. Fornberg, Math. Comp. 51, 1988) of the form in the numbers of the market that
 * the factor names. The forms are analytic there, so steps of a twentieth of a deviation leave
 * about ten digits. See closed_form.h. */
#include "engine/study/closed_form.h"

#include "engine/market/factor.h"
#include "engine/market/moved.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

enum { GREEK_REACH = 4, GREEK_POINTS = 2 * GREEK_REACH + 1 };

static const double greek_weights[3][GREEK_POINTS] = {
    {0, 0, 0, 0, 1, 0, 0, 0, 0},
    {1.0 / 280, -4.0 / 105, 1.0 / 5, -4.0 / 5, 0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
    {-1.0 / 560, 8.0 / 315, -1.0 / 5, 8.0 / 5, -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
     -1.0 / 560}};

typedef struct greek_factor {
    levy_shift shift; /* without its size */
    int order;        /* 0: there is no such factor */
    double step;
} greek_factor;

typedef struct greek_job {
    levy_arena *arena;
    const levy_trade *trade;
    greek_factor factors[2];
} greek_job;

/* ---- A moved market ---- */

/* The trade's model with its assets moved. False: no memory. */
static bool greek_model(const greek_job *job, const levy_moved *moved, levy_model *model)
{
    levy_asset *const assets = levy_arena_allocate(job->arena, model->n_assets, sizeof *assets);
    const levy_asset **const list = levy_arena_allocate(job->arena, model->n_assets, sizeof *list);
    if (!assets || !list) return false;
    for (size_t i = 0; i < model->n_assets; ++i) {
        const levy_asset *const quoted = model->assets[i];
        if (levy_moved_asset(moved, quoted, job->arena, &assets[i]) != LEVY_OK) return false;
        assets[i].spot = levy_moved_spot(moved, quoted);
        list[i] = &assets[i];
    }
    model->assets = list;
    return true;
}

/* The price with the factors moved; NaN: it has no form there, or no memory. */
static double greek_price(const greek_job *job, const double move[2])
{
    levy_trade trade = *job->trade;
    levy_model model = *trade.model;
    levy_shift shifts[2] = {job->factors[0].shift, job->factors[1].shift};
    const levy_moved moved = {.n_shifts = job->factors[1].order ? 2 : 1, .shifts = shifts};
    const levy_curve *discount;
    double price = NAN;
    for (size_t f = 0; f < 2; ++f) shifts[f].size = move[f];
    if (!greek_model(job, &moved, &model) ||
        levy_moved_curve(&moved, trade.discount_curve, job->arena, &discount) != LEVY_OK)
        return NAN;
    trade.model = &model;
    trade.discount_curve = discount;
    return levy_closed_form(&trade, &price) ? price : NAN;
}

static double greek_difference(const greek_job *job)
{
    const greek_factor *const a = &job->factors[0], *const b = &job->factors[1];
    double sum = 0.0;
    for (int i = 0; i < GREEK_POINTS; ++i)
        for (int j = 0; j < GREEK_POINTS; ++j) {
            const double weight = greek_weights[a->order][i] * greek_weights[b->order][j];
            const double move[2] = {(i - GREEK_REACH) * a->step, (j - GREEK_REACH) * b->step};
            if (weight != 0.0) sum += weight * greek_price(job, move);
        }
    for (int k = 0; k < a->order; ++k) sum /= a->step;
    for (int k = 0; k < b->order; ++k) sum /= b->step;
    return sum;
}

/* ---- Factors ---- */

static bool greek_is(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* "SPX.spot": what it moves. False: no number that the trade sees. Rates move all together. */
static bool greek_names(const levy_trade *trade, const char *text, size_t length, levy_shift *shift)
{
    levy_factor_name name;
    if (!levy_factor_read(text, length, &name) || name.node) return false;
    *shift = (levy_shift){.factor = name.factor, .node = SIZE_MAX};
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(trade, u);
        const levy_quanto *const q = &asset->quanto;
        if (greek_is(asset->name, name.owner, (size_t)name.n))
            shift->asset = levy_asset_quoted(asset);
        if (q->composite && greek_is(q->fx->name, name.owner, (size_t)name.n)) shift->asset = q->fx;
    }
    return shift->asset || shift->factor == LEVY_SHIFT_RATE;
}

/* A factor with a step that fits the trade. */
static bool greek_read(const levy_trade *trade, const char *text, size_t length, int order,
                       greek_factor *factor)
{
    const double t = trade->claim.expiry;
    double deviation = 0.2 * levy_sqrt(t);
    levy_shift *const shift = &factor->shift;
    if (!greek_names(trade, text, length, shift)) return false;
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(trade, u);
        const double own = levy_sqrt(levy_asset_variance(asset, t));
        if (own > 0.0 && own < deviation) deviation = own;
    }
    if (deviation > 1.0) deviation = 1.0;
    factor->order = order;
    factor->step = 0.05 * deviation;
    if (shift->factor == LEVY_SHIFT_SPOT)
        factor->step *= shift->asset->spot;
    else if (shift->factor == LEVY_SHIFT_VOLATILITY) /* a price is singular in it at 0 */
        factor->step *= 0.4 / levy_sqrt(t);
    else
        factor->step /= t;
    return factor->step > 0.0;
}

const char *levy_closed_greek(levy_arena *arena, const levy_trade *trade, uint32_t measure,
                              const char *factor, double *value)
{
    const uint32_t first = LEVY_MEASURE_DELTA | LEVY_MEASURE_VEGA | LEVY_MEASURE_RHO |
                           LEVY_MEASURE_DIVIDEND_RHO | LEVY_MEASURE_BORROW_RHO,
                   second = LEVY_MEASURE_GAMMA | LEVY_MEASURE_VOLGA,
                   mixed = LEVY_MEASURE_VANNA | LEVY_MEASURE_CROSS_GAMMA;
    const char *const form = levy_closed_form(trade, value);
    const char *const comma = strchr(factor, ',');
    greek_job job = {.arena = arena, .trade = trade, .factors[1] = {.step = 1.0}};
    if (!form || measure == LEVY_MEASURE_PRICE) return form;
    if (!(measure & (first | second | mixed)) || !comma != !(measure & mixed)) return NULL;
    const size_t length = comma ? (size_t)(comma - factor) : strlen(factor);
    if (!greek_read(trade, factor, length, measure & second ? 2 : 1, &job.factors[0])) return NULL;
    if (comma && !greek_read(trade, comma + 1, strlen(comma + 1), 1, &job.factors[1])) return NULL;
    *value = greek_difference(&job);
    return isfinite(*value) ? form : NULL;
}
