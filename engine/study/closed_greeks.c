/* closed_greeks.c: Greeks of closed forms, for references of studies: central differences of the
 * eighth order (B. Fornberg, Math. Comp. 51, 1988) of the form in the numbers of the market that
 * the factor names. The forms are analytic there, so steps of a twentieth of a deviation leave
 * about ten digits. See closed_form.h. */
#include "engine/study/closed_form.h"

#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

enum { GREEK_REACH = 4, GREEK_POINTS = 2 * GREEK_REACH + 1 };

static const double greek_weights[3][GREEK_POINTS] = {
    {0, 0, 0, 0, 1, 0, 0, 0, 0},
    {1.0 / 280, -4.0 / 105, 1.0 / 5, -4.0 / 5, 0, 4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280},
    {-1.0 / 560, 8.0 / 315, -1.0 / 5, 8.0 / 5, -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315,
     -1.0 / 560}};

/* What a factor moves. */
typedef enum greek_kind {
    GREEK_SPOT,
    GREEK_VOLATILITY,
    GREEK_RATE,
    GREEK_YIELD,
    GREEK_BORROW,
    GREEK_KINDS
} greek_kind;

static const char *const greek_names[GREEK_KINDS] = {
    "spot", "volatility", "rate", "dividend_yield", "borrow",
};

typedef struct greek_factor {
    const char *name; /* of the asset or the curve */
    size_t length;
    greek_kind kind;
    int order;
    double step;
} greek_factor;

typedef struct greek_job {
    levy_arena *arena;
    const levy_trade *trade;
    greek_factor factors[2];
} greek_job;

static bool greek_hits(const greek_factor *f, greek_kind kind, const char *name)
{
    return f->kind == kind && strlen(name) == f->length && memcmp(name, f->name, f->length) == 0;
}

/* ---- A moved market ---- */

static const levy_curve *greek_curve(const greek_job *job, const levy_curve *curve,
                                     const double move[2])
{
    levy_curve *const moved = levy_arena_allocate(job->arena, 1, sizeof *moved);
    double *const logs = levy_arena_allocate(job->arena, curve->n, sizeof *logs),
                  *const zeros = levy_arena_allocate(job->arena, curve->n, sizeof *zeros);
    if (!moved || !logs || !zeros) return NULL;
    *moved = *curve;
    for (size_t k = 0; k < curve->n; ++k) {
        logs[k] = curve->log_discounts ? curve->log_discounts[k] : 0.0;
        zeros[k] = curve->zero_rates ? curve->zero_rates[k] : 0.0;
        for (size_t f = 0; f < 2; ++f)
            if (greek_hits(&job->factors[f], GREEK_RATE, curve->name)) {
                logs[k] -= move[f] * curve->times[k];
                zeros[k] += move[f];
            }
    }
    moved->log_discounts = logs;
    moved->zero_rates = zeros;
    return moved;
}

static bool greek_volatility(const greek_job *job, levy_asset *asset, double move)
{
    double *const variance = levy_arena_allocate(job->arena, asset->n_volatility, sizeof *variance);
    for (size_t k = 0; variance && k < asset->n_volatility; ++k) {
        const double t = asset->volatility_times[k];
        const double volatility = levy_sqrt(asset->total_variance[k] / t) + move;
        variance[k] = volatility * volatility * t;
    }
    asset->total_variance = variance;
    return variance;
}

static bool greek_asset(const greek_job *job, const double move[2], levy_asset *asset)
{
    bool ok = (asset->curve = greek_curve(job, asset->curve, move)) != NULL;
    for (size_t f = 0; f < 2 && ok; ++f) {
        const greek_factor *const factor = &job->factors[f];
        if (greek_hits(factor, GREEK_SPOT, asset->name)) asset->spot += move[f];
        if (greek_hits(factor, GREEK_YIELD, asset->name)) asset->dividend_yield += move[f];
        if (greek_hits(factor, GREEK_BORROW, asset->name)) asset->borrow += move[f];
        if (greek_hits(factor, GREEK_VOLATILITY, asset->name))
            ok = greek_volatility(job, asset, move[f]);
    }
    return ok;
}

/* The price with the factors moved; NaN: it has no form there, or no memory. */
static double greek_price(const greek_job *job, const double move[2])
{
    levy_trade trade = *job->trade;
    levy_model model = *trade.model;
    levy_asset *const assets = levy_arena_allocate(job->arena, model.n_assets, sizeof *assets);
    const levy_asset **const list = levy_arena_allocate(job->arena, model.n_assets, sizeof *list);
    double price = NAN;
    if (!assets || !list) return NAN;
    for (size_t i = 0; i < model.n_assets; ++i) {
        assets[i] = *model.assets[i];
        list[i] = &assets[i];
        if (!greek_asset(job, move, &assets[i])) return NAN;
    }
    model.assets = list;
    trade.model = &model;
    const levy_curve *const discount = greek_curve(job, trade.discount_curve, move);
    if (!discount) return NAN;
    trade.discount_factor *=
        levy_exp(levy_curve_log_discount(discount, trade.payment_time) -
                 levy_curve_log_discount(trade.discount_curve, trade.payment_time));
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

/* "SPX.spot": what it names and a step that fits the trade. */
static bool greek_read(const levy_trade *trade, const char *text, size_t length, int order,
                       greek_factor *factor)
{
    const char *dot = NULL;
    for (size_t i = 0; i < length; ++i)
        if (text[i] == '.') dot = text + i;
    if (!dot) return false;
    const size_t left = length - (size_t)(dot + 1 - text);
    *factor = (greek_factor){
        .name = text, .length = (size_t)(dot - text), .kind = GREEK_KINDS, .order = order};
    for (int k = 0; k < GREEK_KINDS; ++k)
        if (strlen(greek_names[k]) == left && memcmp(greek_names[k], dot + 1, left) == 0)
            factor->kind = (greek_kind)k;
    const double t = trade->expiry;
    double spot = 1.0, deviation = 0.2 * levy_sqrt(t);
    for (size_t u = 0; u < trade->n_underlyings; ++u) {
        const levy_asset *const asset = trade->model->assets[trade->underlyings[u]];
        const double own = levy_sqrt(levy_asset_total_variance(asset, t));
        if (own > 0.0 && own < deviation) deviation = own;
        if (greek_hits(factor, GREEK_SPOT, asset->name)) spot = asset->spot;
    }
    if (deviation > 1.0) deviation = 1.0;
    factor->step = 0.05 * deviation;
    if (factor->kind == GREEK_SPOT) factor->step *= spot;
    /* a price is singular in volatility at 0 */
    if (factor->kind == GREEK_VOLATILITY) factor->step *= 0.4 / levy_sqrt(t);
    if (factor->kind > GREEK_VOLATILITY) factor->step /= t;
    return factor->kind < GREEK_KINDS && factor->step > 0.0;
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
    greek_job job = {.arena = arena, .trade = trade, .factors = {{.name = ""}, {.name = ""}}};
    if (!form || measure == LEVY_MEASURE_PRICE) return form;
    if (!(measure & (first | second | mixed)) || !comma != !(measure & mixed)) return NULL;
    const size_t length = comma ? (size_t)(comma - factor) : strlen(factor);
    if (!greek_read(trade, factor, length, measure & second ? 2 : 1, &job.factors[0])) return NULL;
    job.factors[1] = (greek_factor){.name = "", .kind = GREEK_KINDS, .step = 1.0};
    if (comma && !greek_read(trade, comma + 1, strlen(comma + 1), 1, &job.factors[1])) return NULL;
    *value = greek_difference(&job);
    return isfinite(*value) ? form : NULL;
}
