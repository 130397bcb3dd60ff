/* problem.h: the typed, validated, immutable problem: what the files mean, with every name resolved, every date a model
 * time, every curve a function. All cross-field rules live in this room; every fault is collected with its place.
 * Model time: years from valuation_date, ACT/365.FIXED (dates), or as given (year fractions). Must not know: grids,
 * points, backends. Immutable after levy_problem_create; any thread may read it. Uses the engine's own exp and log
 * (kernels/lane/scalar.h), never libm: discount factors reach results. */
#ifndef LEVY_PROBLEM_H
#define LEVY_PROBLEM_H

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "models/model.h"
#include "payoffs/payoff.h"

enum levy_interpolation { LEVY_LOG_LINEAR_DISCOUNT, LEVY_LINEAR_ZERO };

/* Discount factors. Flat extrapolation of the last forward (log-linear) or zero rate (linear). */
typedef struct levy_curve {
    const char *name;
    const levy_node *node;
    int32_t interpolation;
    size_t n;             /* nodes, times > 0 ascending */
    double *times;
    double *log_discounts; /* log DF at the nodes (log-linear) */
    double *zero_rates;    /* continuously compounded, at the nodes (linear zero) */
} levy_curve;
double levy_curve_log_discount(const levy_curve *curve, double t); /* 0 at t <= 0 */

typedef struct levy_asset {
    const char *name, *currency;
    const levy_node *node;
    double spot;
    const levy_curve *curve;          /* funding: the forward grows at its rate */
    double dividend_yield, borrow;    /* continuous, per year */
    size_t n_volatility;              /* >= 1 */
    double *volatility_times;         /* ascending; flat: one node */
    double *total_variance;           /* sigma_black(t)^2 * t at the nodes; linear between, last forward vol beyond */
    size_t n_cash, n_proportional;    /* dividends with 0 < ex time, ascending */
    double *cash_times, *cash_amounts;
    double *proportional_times, *proportional_fractions; /* the spot falls by this fraction */
} levy_asset;
double levy_asset_total_variance(const levy_asset *asset, double t);
double levy_asset_log_growth(const levy_asset *asset, double t); /* log E[S(t)/S(0)] without cash dividends */

/* Correlations of a model's assets, constant on (times[k-1], times[k]]; the last goes on for ever. */
typedef struct levy_correlation {
    size_t n;         /* pieces, >= 1 */
    double *times;    /* ends of the pieces; times[n-1] is not used */
    double *matrices; /* [piece][row][column], full, unit diagonal, positive semidefinite */
} levy_correlation;

typedef struct levy_model {
    const char *name;
    const levy_node *node;
    int32_t kind;             /* LEVY_MODEL_ */
    size_t n_assets;
    const levy_asset **assets;
    levy_correlation correlation; /* of the assets, in that order */
} levy_model;

enum { LEVY_MEASURE_PRICE = 1u, LEVY_MEASURE_DELTA = 2u, LEVY_MEASURE_VEGA = 4u };

typedef struct levy_trade {
    const char *id;
    const levy_node *node;
    const char *payoff_kind_name;
    bool failed;              /* a fault stands at it: it is reported, not priced */
    const levy_model *model;
    size_t n_underlyings;
    uint32_t *underlyings;    /* indices into model->assets, distinct */
    double *weights;          /* 1 when not given (basket: 1/n) */
    const levy_curve *discount_curve;
    const char *currency;
    double scale;             /* signed: position times notional or quantity */
    double expiry, payment_time; /* expiry > 0 */
    double discount_factor;   /* at payment_time */
    int32_t payoff;           /* LEVY_PAYOFF_ of the kind as written; levy_payoffs[payoff] describes it */
    int32_t aggregate;        /* levy_aggregate after the kind's own */
    const levy_payoff_terms *terms;
    double *coefficients;     /* per underlying: weight, or weight / initial fixing for percent_of_initial;
                                 geometric: the exponent is weights[i], the level's divisor 1 / initial fixing (or 1) */
    size_t n_observations;    /* future ones, 0 < t <= expiry, ascending */
    double *observations;
    bool observes_now;        /* t = 0 is an observation: today's spot enters */
    size_t n_past;            /* past fixings (asian) */
    double past_sum;          /* of the aggregated fixings, in the units of the strike */
    double past_log_sum;
    bool knocked;             /* barrier already touched at a past observation date (barrier: past fixings) */
} levy_trade;

enum { LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_GENERATOR_SOBOL, LEVY_GENERATOR_PHILOX };
enum { LEVY_CONSTRUCTION_BRIDGE, LEVY_CONSTRUCTION_INCREMENTAL };
enum { LEVY_PRECISION_DOUBLE, LEVY_PRECISION_SINGLE };

/* As checked: for Sobol, paths = replicates * 2^k. */
typedef struct levy_simulation {
    uint64_t paths;       /* total; default 2^18 */
    uint64_t replicates;  /* default 16; 1 for sobol and philox */
    int32_t generator, construction, precision;
    uint64_t seed;        /* default 42 */
    double confidence;    /* default 0.95 */
    uint32_t measures;    /* LEVY_MEASURE_ bits; price always */
    double spot_bump;     /* relative, default 0.001 */
    double volatility_bump; /* absolute, default 0.001 */
} levy_simulation;

typedef struct levy_problem {
    levy_arena arena;
    levy_simulation simulation;
    size_t n_trades;      /* in the order of the files */
    levy_trade *trades;
    size_t n_models;
    levy_model *models;
    uint64_t fingerprint; /* XXH3 of the texts and overrides, in order */
} levy_problem;

/* One input: a named text (CLI: a file's name and content). `base` is the folder that relative market references start
 * from (NULL: references are refused). */
typedef struct levy_input { const char *name, *text; size_t length; const char *base; } levy_input;
typedef struct levy_override { const char *key, *value; } levy_override; /* "simulation.paths", "2^20" */

/* Reads all inputs, all documents. Faults go to `faults` (sorted by the caller). Returns LEVY_OK when something can be
 * priced, LEVY_INPUT when nothing can be (a fault outside trades[i], or no trade left), LEVY_MEMORY. *problem is set
 * with LEVY_OK only. A fault inside trades[i] marks that trade failed. */
levy_status levy_problem_create(const levy_memory *memory, const levy_input *inputs, size_t n_inputs,
                                const levy_override *overrides, size_t n_overrides, levy_fault_list *faults,
                                levy_problem **problem);
void levy_problem_destroy(levy_problem *problem); /* NULL is fine */

#endif
