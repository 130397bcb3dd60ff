/* fixture.h: problems built by hand, for tests of the rooms below the reader. */
#ifndef LEVY_TESTS_FIXTURE_H
#define LEVY_TESTS_FIXTURE_H

#include "engine/plan/plan.h"
#include "engine/run/run.h"
#include "kernels/lane/scalar.h"
#include "tests/payoff_term.h"

#include <string.h>

enum { FIXTURE_ASSETS = 128, FIXTURE_DATES = 2048, FIXTURE_TRADES = 4 };

/* The terms of any kind: `payoff` begins them. */
typedef union fixture_terms {
    levy_payoff_terms payoff;
    double room[128];
} fixture_terms;

typedef struct fixture {
    levy_curve curve;
    double curve_times[1], curve_logs[1];
    levy_asset assets[FIXTURE_ASSETS];
    double volatility_times[FIXTURE_ASSETS][4], total_variance[FIXTURE_ASSETS][4];
    const levy_asset *asset_list[FIXTURE_ASSETS];
    double correlation[FIXTURE_ASSETS * FIXTURE_ASSETS], correlation_times[1];
    levy_model model;
    uint32_t underlyings[FIXTURE_ASSETS];
    double weights[FIXTURE_ASSETS], coefficients[FIXTURE_ASSETS], dates[FIXTURE_DATES];
    fixture_terms terms[FIXTURE_TRADES];
    levy_trade trades[FIXTURE_TRADES];
    levy_problem problem;
} fixture;

/* n assets, spot 100, rate 5 %, flat volatility 20 %, correlation rho; no trades yet; scrambled
 * Sobol, bridge, double. */
static inline void fixture_market(fixture *f, size_t n, double rho)
{
    memset(f, 0, sizeof *f);
    f->curve = (levy_curve){.name = "USD",
                            .interpolation = LEVY_LOG_LINEAR_DISCOUNT,
                            .n = 1,
                            .times = f->curve_times,
                            .log_discounts = f->curve_logs,
                            .kinks = {1, f->curve_times}};
    f->curve_times[0] = 1.0;
    f->curve_logs[0] = -0.05;
    for (size_t i = 0; i < n; ++i) {
        f->volatility_times[i][0] = 1.0;
        f->total_variance[i][0] = 0.2 * 0.2;
        f->assets[i] = (levy_asset){.name = "A",
                                    .currency = "USD",
                                    .spot = 100.0,
                                    .curve = &f->curve,
                                    .volatility = {.n = 1,
                                                   .times = f->volatility_times[i],
                                                   .total_variance = f->total_variance[i]}};
        f->asset_list[i] = &f->assets[i];
        f->underlyings[i] = (uint32_t)i;
        f->weights[i] = f->coefficients[i] = 1.0 / (double)n;
        for (size_t j = 0; j < n; ++j) f->correlation[i * n + j] = i == j ? 1.0 : rho;
    }
    f->model = (levy_model){
        .name = "m",
        .kind = LEVY_MODEL_BLACK_SCHOLES,
        .n_assets = n,
        .assets = f->asset_list,
        .correlation = {
            .n = 1, .n_assets = n, .times = f->correlation_times, .matrices = f->correlation}};
    f->problem.simulation = (levy_simulation){.paths = 1 << 18,
                                              .replicates = 16,
                                              .seed = 42,
                                              .confidence = 0.95,
                                              .measures = LEVY_MEASURE_PRICE,
                                              .spot_bump = 0.001,
                                              .volatility_bump = 0.001,
                                              .rate_bump = 0.001,
                                              .correlation_bump = 0.01,
                                              .theta_days = 1.0};
    f->problem.trades = f->trades;
    f->problem.models = &f->model;
    f->problem.n_models = 1;
}

/* A trade of one year with `n_dates` equally spaced observations (0: none). The caller sets further
 * terms, by payoff_term. */
static inline levy_trade *fixture_trade(fixture *f, int32_t payoff, size_t n_dates, double strike)
{
    static const levy_raw_trade raw = {.id = "t", .quantity = 1.0, .notional = NAN};
    static const levy_collected_trade from = {.raw = &raw};
    levy_payoff_terms *const terms = &f->terms[f->problem.n_trades].payoff;
    levy_trade *const t = &f->trades[f->problem.n_trades++];
    if (levy_payoffs[payoff]->table->size > sizeof(fixture_terms)) abort();
    terms->strike = strike;
    for (size_t k = 0; k < n_dates; ++k) f->dates[k] = (double)(k + 1) / (double)n_dates;
    *t = (levy_trade){.from = &from,
                      .model = &f->model,
                      .n_underlyings = f->model.n_assets,
                      .underlyings = f->underlyings,
                      .claim.weights = f->weights,
                      .discount_curve = &f->curve,
                      .header.currency = "USD",
                      .claim.expiry = 1.0,
                      .claim.payment_time = 1.0,
                      .kind.payoff = payoff,
                      .claim.terms = terms,
                      .kind.aggregate =
                          f->model.n_assets > 1 ? LEVY_AGGREGATE_BASKET : LEVY_AGGREGATE_NONE,
                      .claim.coefficients = f->coefficients,
                      .claim.observations.n = n_dates,
                      .claim.observations.times = f->dates};
    return t;
}

#endif
