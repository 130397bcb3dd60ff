/* book.h: the structs that the catalog's tables fill: a whole file as written, with texts, names
 * and times still unresolved. engine/problem/ turns them into the problem. Must not know: any rule
 * that spans two keys. */
#ifndef LEVY_SCHEMA_BOOK_H
#define LEVY_SCHEMA_BOOK_H

#include "engine/base/field.h"
#include "models/model.h"
#include "payoffs/payoff.h"

/* ---- Market ---- */

typedef struct levy_raw_calendar {
    const char *name;
    const struct levy_node *node;
    levy_list of;       /* of const char *: built-in calendars */
    levy_list weekend;  /* of int32_t: weekdays, 0 Monday */
    levy_list holidays; /* of levy_date */
    int32_t beyond;     /* levy_beyond */
} levy_raw_calendar;

enum {
    LEVY_RAW_CURVE_FLAT,
    LEVY_RAW_CURVE_ZERO,
    LEVY_RAW_CURVE_DISCOUNT,
    LEVY_RAW_CURVE_SPREAD,
    LEVY_RAW_CURVE_PAR
};
/* A yield is flat, or a curve of zero rates. */
enum { LEVY_RAW_YIELD_IMPLIED = LEVY_RAW_CURVE_ZERO + 1 };
enum {
    LEVY_RAW_CONTINUOUS,
    LEVY_RAW_ANNUAL,
    LEVY_RAW_SEMI_ANNUAL,
    LEVY_RAW_QUARTERLY,
    LEVY_RAW_SIMPLE
};

typedef struct levy_raw_curve { /* of every kind */
    const struct levy_node *node;
    double rate;           /* flat; NaN: absent */
    int32_t compounding;   /* LEVY_RAW_CONTINUOUS, ... */
    int32_t interpolation; /* enum levy_interpolation of problem.h */
    int32_t day_count;     /* levy_day_count */
    levy_list nodes;       /* of levy_time_value: zero rates or discount factors */
    levy_list forwards;    /* of levy_time_value: of an implied yield */
    /* par: of levy_time_value, and of a swap's fixed leg the index into annual, semi_annual,
     * quarterly and monthly payments */
    levy_list deposits, swaps;
    int32_t frequency;
    const char *over; /* the curve that a spread is over */
} levy_raw_curve;

enum { LEVY_RAW_VOLATILITY_FLAT, LEVY_RAW_VOLATILITY_TERM, LEVY_RAW_VOLATILITY_IMPLIED };

/* The price of a European option. */
typedef struct levy_raw_option_price {
    const struct levy_node *node;
    levy_time expiry;
    double strike, price;
    int32_t option_type; /* LEVY_CALL, LEVY_PUT */
} levy_raw_option_price;

typedef struct levy_raw_volatility {
    const struct levy_node *node;
    double value;     /* flat */
    levy_list nodes;  /* term: of levy_time_value */
    levy_list quotes; /* implied: of levy_raw_option_price */
} levy_raw_volatility;

enum { LEVY_RAW_DIVIDENDS_SPOT, LEVY_RAW_DIVIDENDS_AFFINE };

typedef struct levy_raw_dividends {
    levy_list cash, proportional; /* of levy_time_value */
    int32_t rule;                 /* LEVY_RAW_DIVIDENDS_ */
    levy_time horizon;
} levy_raw_dividends;

typedef struct levy_raw_asset {
    const char *name;
    const struct levy_node *node;
    const char *currency, *curve, *base_currency, *base_curve;
    double spot;
    double read_spot; /* the spot in the file, whatever quotes were set since; not a key */
    levy_variant_value dividend_yield, borrow; /* of levy_raw_curve */
    levy_raw_curve absent[2];                  /* what stands for these two; no keys */
    levy_raw_dividends dividends;
    levy_variant_value volatility; /* of levy_raw_volatility */
    /* quotes have set the volatility, and a model's correlation of the asset with its variance, to
     * another level; no keys */
    bool moved_volatility, moved_share;
    levy_list fixings; /* of levy_time_value */
} levy_raw_asset;

enum { LEVY_RAW_CORRELATION_CONSTANT, LEVY_RAW_CORRELATION_TERM };

typedef struct levy_raw_correlations {
    const struct levy_node *node;
    int32_t kind;
    levy_list names; /* of const char *: "SPX.spot" */
    levy_matrix matrix;
    const struct levy_node *pairs, *nodes; /* [[name, name, number], ...]; [[time, matrix], ...] */
} levy_raw_correlations;

typedef struct levy_raw_market {
    const struct levy_node *node;
    const char *file;    /* relative reference, or NULL */
    levy_list curves;    /* of levy_variant_value of levy_raw_curve, named by node->key */
    levy_list calendars; /* of levy_raw_calendar */
    levy_list assets;    /* of levy_raw_asset */
    levy_raw_correlations correlations;
} levy_raw_market;

/* ---- Trades ---- */

typedef struct levy_raw_underlying {
    const struct levy_node *node;
    const char *name;
    double weight; /* 0: absent (a weight of 0 is refused) */
} levy_raw_underlying;

enum { LEVY_RAW_EUROPEAN, LEVY_RAW_AMERICAN, LEVY_RAW_BERMUDAN };

enum { LEVY_RAW_AUTO, LEVY_RAW_DETERMINISTIC, LEVY_RAW_SIMULATION };

enum { LEVY_RAW_CONTROL_NONE, LEVY_RAW_CONTROL_EUROPEAN, LEVY_RAW_CONTROL_AUTO };

typedef struct levy_raw_exercise_fit {
    const struct levy_node *node; /* NULL: absent */
    uint64_t paths, seed;         /* seed: without a node of its own the simulation's */
    int32_t policy;               /* levy_stage_policy */
    int32_t control;              /* LEVY_RAW_CONTROL_NONE and on */
} levy_raw_exercise_fit;

typedef struct levy_raw_exercise {
    const struct levy_node *node;
    int32_t style;
    levy_time expiry;
    levy_time exercised;       /* american or bermudan: when it was; without a node: not yet */
    levy_schedule_terms dates; /* bermudan */
    int32_t method;            /* LEVY_RAW_AUTO and on */
    uint64_t steps;            /* american, by simulation; 0: absent */
    uint64_t notice_days;      /* 0: exercise is on the day that decides it */
    levy_raw_exercise_fit fit;
} levy_raw_exercise;

typedef struct levy_raw_premium {
    const struct levy_node *node; /* NULL: there is none */
    double amount;
    levy_time date;
    const char *currency;
} levy_raw_premium;

/* A trade, or a leg of one: then what it inherits is filled in by engine/problem/legs.c. */
typedef struct levy_raw_trade {
    const struct levy_node *node;
    const char *id, *model, *underlying, *currency, *discount_curve, *collateral;
    levy_list underlyings;     /* of levy_raw_underlying */
    int32_t position;          /* 0 long, 1 short */
    int32_t conversion;        /* 0 quanto, 1 composite */
    int32_t quanto;            /* 0 term, 1 simulated */
    double quantity, notional; /* NaN: absent */
    levy_variant_value payoff; /* of levy_payoff_terms; kind is LEVY_PAYOFF_ */
    levy_raw_exercise exercise;
    levy_time payment_date;
    levy_tenor payment_lag;
    levy_list calendars; /* of const char * */
    const char *book, *counterparty, *netting_set;
    const struct levy_node *tags;
    levy_list measures; /* of int32_t, like the book's */
    levy_list legs;     /* of levy_raw_trade */
    levy_raw_premium premium;
    /* not keys: of a leg, how often the trade holds it; 0: it is a trade of its own */
    double share;
} levy_raw_trade;

/* ---- Settings ---- */

typedef struct levy_raw_bumps {
    double spot, gamma, volatility, rate, correlation, days;
} levy_raw_bumps;

extern const char *const levy_generator_kinds[]; /* by LEVY_GENERATOR_; NULL ends them */

typedef struct levy_raw_generator {
    const struct levy_node *node;
    int32_t kind;       /* LEVY_GENERATOR_ */
    const char *file;   /* NULL: absent */
    int32_t scrambling; /* LEVY_SCRAMBLING_; -1: absent */
} levy_raw_generator;

enum { LEVY_MOST_FUNCTIONALS = 32 }; /* that a bridge draws first */

typedef struct levy_raw_first {
    const struct levy_node *node;
    int32_t functional;  /* 0: the average; -1: absent */
    uint64_t components; /* 0: absent */
    levy_list dates;     /* of levy_time */
} levy_raw_first;

typedef struct levy_raw_construction {
    const struct levy_node *node;
    int32_t kind;
    levy_list order; /* of uint64_t */
    levy_raw_first first;
} levy_raw_construction;

typedef struct levy_raw_smoothing {
    const struct levy_node *node;
    int32_t kind;
    double width; /* NaN: absent */
} levy_raw_smoothing;

typedef struct levy_raw_tolerance {
    const struct levy_node *node;
    double absolute, relative, confidence, inflate; /* NaN: absent */
    uint64_t max_paths;                             /* 0: absent */
} levy_raw_tolerance;

typedef struct levy_raw_simulation {
    const struct levy_node *node;
    uint64_t paths, replicates, seed; /* replicates 0: absent */
    int32_t precision, jumps;
    int32_t pipeline; /* LEVY_PIPELINE_; -1: absent */
    double max_step;  /* NaN: absent */
    bool step_bias;
    levy_raw_generator generator;
    levy_raw_construction construction;
    levy_raw_smoothing smoothing;
    levy_raw_tolerance tolerance;
    double confidence;
    levy_raw_bumps bumps;
} levy_raw_simulation;

/* A shift of one factor, or a grid's axis of shifts. */
typedef struct levy_raw_shift {
    const struct levy_node *node;
    const char *factor;
    int32_t type; /* 0 relative, 1 absolute */
    double size;
    levy_list sizes; /* of double */
} levy_raw_shift;

typedef struct levy_raw_scenario {
    const struct levy_node *node;
    const char *id;
    levy_list shifts, grid; /* of levy_raw_shift */
} levy_raw_scenario;

/* ---- Calibration ---- */

typedef struct levy_raw_smile_quote {
    const struct levy_node *node;
    levy_time expiry;
    double strike, delta, price, volatility, bid, ask, weight; /* NaN: absent */
    int32_t option_type;                                       /* 0 call, 1 put; -1: absent */
    int32_t style;                                             /* 0 european */
    const char *asset;                                         /* NULL: the calibration's */
} levy_raw_smile_quote;

typedef struct levy_raw_law_parameter {
    const char *name;
    const struct levy_node *node;
    double value, low, high, toward, within; /* NaN: absent */
    bool fixed, shared;
} levy_raw_law_parameter;

typedef struct levy_raw_calibration {
    const struct levy_node *node; /* NULL: there is none */
    const char *asset, *name, *file;
    int32_t model;        /* of levy_calibrated_kinds */
    levy_list quotes;     /* of levy_raw_smile_quote, of the file too */
    levy_list parameters; /* of levy_raw_law_parameter */
    levy_list terms;      /* of levy_time */
    double floor;
    uint64_t starts, seed;
} levy_raw_calibration;

extern const char *const levy_calibrated_kinds[];
extern const levy_table levy_smile_quote_table, levy_law_parameter_table, levy_calibration_table;

/* ---- The whole file ---- */

typedef struct levy_raw_book {
    const struct levy_node *node;
    uint64_t schema_version;
    levy_date valuation_date; /* INT32_MIN: absent */
    levy_raw_market market;
    levy_list models; /* of levy_variant_value of levy_model_terms, named by node->key */
    levy_list trades; /* of levy_raw_trade */
    levy_raw_simulation simulation;
    levy_list measures;  /* of int32_t: choices; levy_measure_bit has the bits of problem.h */
    levy_list scenarios; /* of levy_raw_scenario */
    levy_list kinds;     /* of const char *: files */
    const char *report_currency; /* NULL: there is none */
    levy_raw_calibration calibration;
} levy_raw_book;

enum { LEVY_RAW_MAX_OBSERVATIONS = 100000, LEVY_RAW_MAX_ASSETS = 100 };

/* problem.h has their bits (levy_measure_bit). */
extern const char *const levy_measure_names[];
extern const levy_table levy_book_table, levy_market_table, levy_market_alone_table,
    levy_market_book_table, levy_trade_table, levy_simulation_table;

#endif
