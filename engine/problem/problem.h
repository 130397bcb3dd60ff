/* problem.h: the typed, validated, immutable problem: the meaning of the files, with every name
 * resolved, every date a model time and every curve a function. This room holds the rules across
 * keys, except those of one payoff or model, which it asks. Every fault is collected with its
 * place. Model time: years from valuation_date, ACT/365.FIXED (dates), or as given (year
 * fractions). Must not know: grids, points, backends. Immutable after levy_quotes_resolve; any
 * thread may read it. Uses the engine's own exp and log (kernels/lane/scalar.h), never libm,
 * because discount factors affect results. */
#ifndef LEVY_PROBLEM_H
#define LEVY_PROBLEM_H

#include "engine/base/error.h"
#include "engine/document/document.h"
#include "engine/market/correlation.h"
#include "engine/market/moved.h"
#include "engine/schema/book.h"
#include "models/model.h"
#include "payoffs/payoff.h"
#include "payoffs/scripted.h"

typedef struct levy_model {
    const char *name;
    const levy_node *node;
    int32_t kind;                  /* LEVY_MODEL_ */
    const levy_model_terms *terms; /* as written; the names in them are resolved */
    size_t n_assets;
    const levy_asset **assets;
    levy_correlation correlation; /* of the assets, in that order */
    /* [row][column], row < column: the market's correlations, which a model of independent assets
     * cannot use; 0: there is none. NULL for other models. */
    const double *unplaced;
    bool stands_in; /* it replaces a model where payments need none; no report names it */
    /* It is this model with assets as they drift where payments are in another currency; NULL: not
     */
    const struct levy_model *copies;
    const char *paid_in;
    bool fixed;     /* of trades that read no asset */
    bool simulated; /* by the rates' own variances, which it has, too */
    bool composite; /* its first n_seen assets are those of trades that see them in that currency */
    size_t n_seen;
    struct levy_model *next; /* the next that stands in for the same curve, or the next copy */
} levy_model;

/* What a trade may report. levy_measure_bit turns a choice of the catalog into its bit. A book
 * cannot choose reports and scenarios: scripts and scenarios ask for them. */
enum {
    LEVY_MEASURE_PRICE = 1u,
    LEVY_MEASURE_DELTA = 2u,
    LEVY_MEASURE_VEGA = 4u,
    LEVY_MEASURE_GAMMA = 8u,
    LEVY_MEASURE_RHO = 16u,
    LEVY_MEASURE_THETA = 32u,
    LEVY_MEASURE_VEGA_BY_NODE = 64u,
    LEVY_MEASURE_RHO_BY_NODE = 128u,
    LEVY_MEASURE_CROSS_GAMMA = 256u,
    LEVY_MEASURE_CORRELATION = 512u,
    LEVY_MEASURE_CASH_FLOWS = 1024u,
    LEVY_MEASURE_PROBABILITY = 2048u,
    LEVY_MEASURE_EXPECTED_LIFE = 4096u,
    LEVY_MEASURE_REPORT = 8192u, /* of a script that asks for it */
    LEVY_MEASURE_SCENARIO_PRICE = 16384u,
    LEVY_MEASURE_SCENARIO_PNL = 32768u,
    LEVY_MEASURE_VANNA = 65536u,
    LEVY_MEASURE_VOLGA = 131072u,
    LEVY_MEASURE_DIVIDEND_RHO = 262144u,
    LEVY_MEASURE_BORROW_RHO = 524288u,
    LEVY_MEASURE_PARAMETERS = 1048576u,
    LEVY_MEASURE_DELTA_MINIMUM_VARIANCE = 2097152u,
    LEVY_MEASURE_IMPLIED_VOLATILITY = 4194304u,
    LEVY_MEASURE_EXERCISE_VALUE = 8388608u,
    LEVY_MEASURE_CONTINUATION = 16777216u,
    LEVY_MEASURE_BOUNDARY = 33554432u,
    LEVY_MEASURE_UPPER_BOUND = 67108864u,
    LEVY_MEASURE_DIVIDENDS = 134217728u
};
/* Of options with early exercise. */
static const uint32_t LEVY_MEASURES_OF_TODAY =
    LEVY_MEASURE_EXERCISE_VALUE | LEVY_MEASURE_CONTINUATION;
/* Second differences. They show only rounding where no path has a kink. */
static const uint32_t LEVY_MEASURES_SECOND =
    LEVY_MEASURE_GAMMA | LEVY_MEASURE_CROSS_GAMMA | LEVY_MEASURE_VANNA | LEVY_MEASURE_VOLGA;
static inline uint32_t levy_measure_bit(size_t choice)
{
    return choice < 13 ? 1u << choice : 1u << (choice + 3);
}

/* Why a scenario makes an asset or a curve invalid. Trades on it have no value in the scenario. */
typedef struct levy_scenario_fault {
    const levy_asset *asset; /* NULL: it is a curve */
    const levy_asset *other; /* the one it correlates wrongly with; NULL: it is itself at fault */
    const levy_curve *curve;
    const char *why;       /* "SPX: a volatility must lie in [1e-8, 5], for a shift of -0.2" */
    const levy_node *node; /* of the shift, and its path */
    const char *path;
} levy_scenario_fault;

/* An axis of a grid of scenarios, at one of its points. */
typedef struct levy_axis {
    const char *factor; /* as written: "SPX.spot" */
    bool relative;
    double size;
} levy_axis;

typedef struct levy_scenario {
    const char *id, *name; /* name: as written, without a grid's sizes */
    size_t n_shifts;
    levy_shift *shifts;
    double elapsed; /* years that pass */
    size_t n_axes;  /* 0: it is no point of a grid */
    const levy_axis *axes;
    size_t n_faults, fault_room;
    levy_scenario_fault *faults;
} levy_scenario;

typedef struct levy_times {
    size_t n;
    double *times; /* ascending */
} levy_times;

/* The form in which a payoff is priced. */
typedef enum levy_trade_form {
    LEVY_FORM_WRITTEN,    /* as the book has it */
    LEVY_FORM_SOFTENED,   /* its script compares over a width */
    LEVY_FORM_INTEGRATED, /* the first normal of its paths is integrated in closed form */
    LEVY_FORM_SCRIPT      /* likewise, and a script of levy's own stands for the kind */
} levy_trade_form;

/* What a payoff is in a form: of a kind of its own, or a script. */
typedef struct levy_trade_kind {
    int32_t payoff;                 /* LEVY_PAYOFF_, the index in levy_payoffs */
    int32_t aggregate;              /* levy_aggregate; some kinds fix it */
    struct levy_scripted *scripted; /* NULL: the payoff is not written as text */
    size_t n_further;               /* how many schedules it has beside the observations */
} levy_trade_kind;

/* What has become of a trade. */
typedef enum levy_trade_state {
    LEVY_TRADE_PRICED, /* on paths */
    /* It has expired, or does so today, and is yet to be paid: expiry <= 0 <= payment_time. No
     * observation is to come. */
    LEVY_TRADE_KNOWN,
    /* Dates are to come, but its value needs no path: payments are fixed, or the mean of a forward
     * is known. */
    LEVY_TRADE_EXACT,
    LEVY_TRADE_FAILED,  /* it or one of its legs has a fault: reports name it, nobody prices it */
    LEVY_TRADE_SETTLED, /* it, or each of its legs, has been paid: it is worth nothing */
    LEVY_TRADE_SUM      /* it is the sum of its legs, the trades after it */
} levy_trade_state;

/* A trade as its file has it. A leg has taken what it does not say from its trade. */
typedef struct levy_collected_trade {
    const levy_raw_trade *raw;
    const levy_node *node;
    const char *path; /* "trades[0]", counted in its document */
    bool good;        /* its table found no fault */
    size_t n_legs;    /* it is the sum of so many, which follow it; 0: it is priced by itself */
    size_t leg;       /* a leg's number, from 1: its trade stands so many before it; 0: no leg */
} levy_collected_trade;

/* What a trade is called: no number reads it. */
typedef struct levy_trade_header {
    const char *name;     /* its id, or "trades[1]" where it has none that is its own */
    const char *payoff;   /* its kind's name */
    const char *currency; /* in which it pays */
} levy_trade_header;

/* When a payoff looks at its level. */
typedef enum levy_trade_watch {
    LEVY_WATCHES_DATES,  /* on the observations */
    LEVY_WATCHES_ALWAYS, /* at all times to come; then the observations are nodes, not dates */
    LEVY_WATCHES_LATER   /* at all times from the first observation on */
} levy_trade_watch;

/* When a trade may be exercised before expiry. It then pays what it does at expiry, at once. One
 * with a stage is priced on paths, by a rule that is fitted first. */
typedef struct levy_early {
    bool american; /* at all times */
    size_t n;
    double *times; /* else, and on paths, on these, ascending, from today on and before expiry */
} levy_early;

/* What a trade pays: terms, dates, and what the past has left. */
typedef struct levy_trade_claim {
    const levy_payoff_terms *terms;
    double *weights; /* 1 if the book gives none (1/n in a basket) */
    /* A level is multiplied by this: its weight, which percent_of_initial divides by the initial
     * fixing. A geometric basket takes the level times 1, or 1 / initial fixing, to the power of
     * the weight. */
    double *coefficients;
    double expiry, payment_time; /* expiry is positive unless the state is LEVY_TRADE_KNOWN */
    levy_times observations;     /* those to come: 0 < t <= expiry, ascending */
    levy_times further[LEVY_PAYOFF_SCHEDULES - 1]; /* the same of the kind's further schedules */
    bool observes_now;                             /* today's spot is an observation */
    levy_trade_watch watches;
    levy_past past; /* what past fixings have left */
    /* of a known trade: the fixings at expiry, [n_underlyings]; NULL: it takes today's spots */
    const double *fixings;
    /* [n_underlyings] whether a spot replaces a fixing of today; NULL: none does */
    bool *stands_in;
} levy_trade_claim;

typedef struct levy_trade {
    const levy_collected_trade *from; /* it lives as long as the quotes */
    levy_trade_header header;
    levy_trade_state state;
    const levy_model *model;
    size_t n_underlyings;
    uint32_t *underlyings; /* indices into model->assets, distinct */
    size_t n_rates; /* behind these: rates that pay, which are simulated, and which it never sees */
    const levy_curve *discount_curve;
    const levy_curve *forward_curve; /* of its floating rate; NULL: it has none */
    uint32_t measures;               /* its own LEVY_MEASURE_ bits; 0: the simulation's apply */
    levy_trade_claim claim;
    levy_trade_form form;
    levy_trade_kind kind; /* in that form */
    /* a trade that has both a written form and a script keeps the kind of the other here
     * (trade_form.c) */
    levy_trade_kind other;
    /* The form that it takes where draws allow to integrate the first normal. LEVY_FORM_WRITTEN: it
     * cannot be integrated, or nobody asks for it. */
    levy_trade_form integrates_as;
    const char *unsmoothed;         /* the note that says why it is not smoothed, or NULL */
    const levy_early *early;        /* it may be exercised before expiry; NULL: it may not */
    const struct levy_stage *stage; /* what is fitted before it is priced; NULL: nothing */
} levy_trade;

/* Whether a curve that it does not discount on gives its rates. */
static inline bool levy_trade_forwards(const levy_trade *trade)
{
    return trade->forward_curve && trade->forward_curve != trade->discount_curve;
}

/* What a payment at payment_time is worth today. */
double levy_trade_discount(const levy_trade *trade);
/* Position times notional or quantity, signed; of a leg, times how often the trade holds it. */
double levy_trade_scale(const levy_trade *trade);
/* A map of texts; NULL: it has none. */
const levy_node *levy_trade_tags(const levy_trade *trade);

/* Whether a group of the plan prices it. */
static inline bool levy_trade_is_planned(const levy_trade *trade)
{
    return trade->state <= LEVY_TRADE_EXACT;
}

/* Whether it may be exercised early, and is priced without paths. */
static inline bool levy_trade_is_solved(const levy_trade *trade)
{
    return trade->early && !trade->stage;
}

/* An underlying, as today's market has it. */
static inline const levy_asset *levy_trade_asset(const levy_trade *trade, size_t u)
{
    return trade->model->assets[trade->underlyings[u]];
}

static inline bool levy_trade_is_integrated(const levy_trade *trade)
{
    return trade->form >= LEVY_FORM_INTEGRATED;
}
/* Whether it jumps as written; and in the form in which it is priced, so that bumps are noisy. */
bool levy_trade_jumps(const levy_trade *trade);
static inline bool levy_trade_is_discontinuous(const levy_trade *trade)
{
    return trade->form == LEVY_FORM_WRITTEN && trade->state != LEVY_TRADE_EXACT &&
           levy_trade_jumps(trade);
}
static inline bool levy_trade_is_continuous(const levy_trade *trade)
{
    return trade->claim.watches != LEVY_WATCHES_DATES;
}
/* Whether it reads variances that differ from path to path, and their integrals, or regimes. */
static inline bool levy_trade_sees_variances(const levy_trade *trade)
{
    const levy_scripted *const s = trade->kind.scripted;
    if (!trade->model) return false;
    if (s && s->variances) return true;
    return levy_model_kinds[trade->model->kind]->varies && levy_trade_is_continuous(trade);
}
/* Whether it discounts each payment by the path's own factor, in place of the model at the end. */
static inline bool levy_trade_takes_discounts(const levy_trade *trade)
{
    return levy_trade_sees_variances(trade) &&
           levy_model_discounts(trade->model->kind, trade->model->terms);
}
/* Whether a path draws a uniform number at each node for it. */
static inline bool levy_trade_draws(const levy_trade *trade)
{
    return levy_trade_is_continuous(trade) && levy_payoffs[trade->kind.payoff]->draws;
}
/* Whether a touch is paid when it happens. */
bool levy_trade_pays_at_hit(const levy_trade *trade);

/* Whether a node is one of schedule k, of which a window whose variance differs from path to path
 * has all that lie in it. The schedule behind its own are the ex-dates. */
bool levy_trade_observes(const levy_trade *trade, size_t k, double time);
/* Schedule 0 holds the observations; schedules 1 to n_further are the further ones. */
levy_times levy_trade_schedule(const levy_trade *trade, size_t k);
/* The index of a time in a schedule, or n if the schedule does not have it. */
size_t levy_times_find(const levy_times *times, double time);

/* Whether an underlying pays cash dividends until expiry. */
bool levy_trade_pays_cash(const levy_trade *trade);
bool levy_trade_adds_cash(const levy_trade *trade); /* by the affine rule */
/* The dates until expiry on which its only underlying pays cash by the spot rule. */
levy_nodes levy_trade_ex_dates(const levy_trade *trade);
/* How many schedules its lanes observe: its own, and, if it is integrated, those dates. */
size_t levy_trade_schedules(const levy_trade *trade);
/* Whether its model moves levels by the market's volatilities alone: their logarithms are normal,
 * but for cash dividends. */
bool levy_trade_is_lognormal(const levy_trade *trade);
/* Whether a payment in another currency makes drifts that differ from path to path: then no forward
 * is known. */
bool levy_trade_is_paid_by_path(const levy_trade *trade);

/* The deviation of an underlying's logarithm at `time`, as quoted or as the model has it. */
double levy_trade_deviation(const levy_trade *trade, size_t u, double time);

/* The trade in the form in which the book writes it: itself, or in `room`; and its kind. */
const levy_trade *levy_trade_written(const levy_trade *trade, levy_trade *room);
static inline const levy_payoff *levy_trade_written_payoff(const levy_trade *trade)
{
    return levy_payoffs[(trade->form == LEVY_FORM_SCRIPT ? trade->other : trade->kind).payoff];
}

/* The index of an asset in a model, or n_assets if the model does not have it. */
size_t levy_model_asset(const levy_model *model, const levy_asset *asset);

/* Says why a trade has no value in a scenario; NULL: it has one. The trade's model, underlyings and
 * discount curve must be set. */
const char *levy_scenario_objection(const levy_scenario *scenario, const levy_trade *trade);
/* Whether the scenario moves the volatility of one of the trade's underlyings. */
bool levy_scenario_moves_volatility(const levy_scenario *scenario, const levy_trade *trade);
/* Whether the model reads the quoted volatilities once and uses them in all scenarios. */
bool levy_model_scales_once(const levy_model *model);

enum {
    LEVY_GENERATOR_SOBOL_SCRAMBLED,
    LEVY_GENERATOR_SOBOL,
    LEVY_GENERATOR_PHILOX,
    LEVY_GENERATOR_MRG32K3A,
    /* books write this; a levy_simulation has a Sobol generator and a net */
    LEVY_GENERATOR_NET,
    /* books write these; a levy_simulation has one of the above with its own supply */
    LEVY_GENERATOR_LATTICE,
    LEVY_GENERATOR_HALTON,
    LEVY_GENERATOR_POINTS,
    LEVY_GENERATOR_CURAND_SOBOL,
    LEVY_GENERATOR_CURAND_SCRAMBLED_SOBOL,
    LEVY_GENERATOR_CURAND_MRG32K3A,
    LEVY_GENERATOR_GIVEN
};
/* Where a path's numbers come from. The path loop makes them, or it reads memory that levy's
 * generators, cuRAND, the calling program or a set of points have filled. */
enum {
    LEVY_SUPPLY_NONE,
    LEVY_SUPPLY_NATIVE,
    LEVY_SUPPLY_CURAND,
    LEVY_SUPPLY_CALLER,
    LEVY_SUPPLY_SET
};
enum { LEVY_CURAND_DIMENSIONS = 20000 }; /* cuRAND's Sobol generators have no more */
enum { LEVY_PIPELINE_FUSED, LEVY_PIPELINE_STAGED };
enum { LEVY_CONSTRUCTION_BRIDGE, LEVY_CONSTRUCTION_INCREMENTAL, LEVY_CONSTRUCTION_PCA };
enum { LEVY_ARRIVALS_BRIDGED, LEVY_ARRIVALS_BY_INTERVAL };
enum { LEVY_SMOOTHING_AUTO, LEVY_SMOOTHING_ALL, LEVY_SMOOTHING_NONE };
/* mixed: normals are single, everything else is double */
enum { LEVY_PRECISION_DOUBLE, LEVY_PRECISION_SINGLE, LEVY_PRECISION_MIXED };
const char *levy_precision_text(int32_t precision); /* "double" */
const char *levy_construction_text(int32_t construction);

/* A simulation is accurate enough if inflate times the half-width of the price's interval is at
 * most `absolute`, or at most `relative` times the price. This must hold at two successive
 * doublings of the paths, or at the last one that max_paths allows. */
typedef struct levy_tolerance {
    bool asked;
    double absolute, relative; /* 0: not given; one of them is */
    double confidence, inflate;
    uint64_t max_paths; /* total; replicates * 2^k for Sobol */
} levy_tolerance;

/* The settings after all checks. For Sobol points and nets paths = replicates * 2^k. */
typedef struct levy_simulation {
    uint64_t paths;      /* of all replicates; default 2^18; a tolerance starts with it */
    uint64_t replicates; /* default 16; generators other than Sobol: 1 */
    int32_t generator, construction, precision;
    int32_t supply;    /* LEVY_SUPPLY_: of the generator's numbers */
    uint64_t seed;     /* default 42 */
    double confidence; /* default 0.95 */
    uint32_t measures; /* LEVY_MEASURE_ bits; price always */
    /* relative; 0 here or in the next four: engine/plan/bumps.h chooses the size */
    double spot_bump;
    double gamma_bump;                                   /* relative, of second differences */
    double volatility_bump, rate_bump, correlation_bump; /* absolute */
    double theta_days;                                   /* default 1 */
    /* The bridge builds the grid's dates, counted from 1, in this order; NULL: it bisects. */
    const uint32_t *order;
    size_t n_order;
    int32_t jumps;       /* LEVY_ARRIVALS_: how arrivals are drawn */
    bool step_bias;      /* a pilot measures what steps leave (engine/run/pilot.h) */
    double max_step;     /* longest step in years of models that have steps; 0: their own */
    int32_t smoothing;   /* LEVY_SMOOTHING_: which payoffs integrate over a normal */
    double width;        /* scripts that are not integrated compare over it; 0: they do not */
    const double *first; /* the bridge builds these dates first, then bisects */
    size_t n_first;
    /* The bridge first draws a functional of the path: its average over the dates, or so many
     * principal components; at most one of the two is set. */
    bool first_average;
    uint32_t first_components;
    /* A Sobol generator's direction numbers; NULL: those of Joe and Kuo. The net lives as long as
     * the quotes. */
    const struct levy_net *net;
    const struct levy_point_set *points; /* for LEVY_SUPPLY_SET; they live as long as the quotes */
    const char *net_file;                /* the file of the net or of the points */
    bool shift_only;                     /* sobol_scrambled only shifts the points */
    levy_tolerance tolerance;
    /* Something is fitted to these paths (engine/plan/recording.h); no key sets the three: */
    bool records;             /* plans can record levels by date (levy_batch) */
    uint32_t purpose;         /* LEVY_PURPOSE_: what the points serve; 0: the price */
    const levy_moved *market; /* the market of the paths; NULL: today's */
} levy_simulation;

const char *levy_generator_text(const levy_simulation *simulation); /* "mrg32k3a", "net" */
/* Sets generator, supply and points to what a book's kind of generator means, except what a file
 * holds. */
void levy_simulation_set_generator(levy_simulation *simulation, int32_t kind);
/* Whether the points fill the cube evenly, as those of Sobol, a net or a set do. */
bool levy_simulation_is_quasi(const levy_simulation *simulation);
/* LEVY_SCRAMBLING_ of the points. */
int32_t levy_simulation_scrambling(const levy_simulation *simulation);

typedef struct levy_quotes levy_quotes;
typedef struct levy_report_currency levy_report_currency; /* report_currency.h */

typedef struct levy_problem {
    levy_arena arena;
    levy_simulation simulation;
    size_t n_trades; /* in the order of the files */
    levy_trade *trades;
    size_t n_models;
    levy_model *models;
    levy_model **cash_models;   /* [curve of the market] models of payments that name none */
    levy_model **quanto_models; /* the first of their copies for payments in other currencies */
    const struct levy_correlation_data *correlations; /* of the market */
    size_t n_scenarios;
    levy_scenario *scenarios;
    const levy_report_currency *report; /* in which sums are translated, too; NULL: in none */
    bool has_date;                      /* times are dates: */
    levy_date valuation;                /* today */
    /* XXH3 of the texts and overrides, in order, and of the quotes that were set */
    uint64_t fingerprint;
    uint64_t text_hash, setting_hash, quote_hash; /* they tell what differs */
} levy_problem;

/* The measures that a trade asks for: its own, or the book's where it has none. */
uint32_t levy_trade_asks(const levy_problem *problem, const levy_trade *trade);

/* The trade that has an id: the first of that id, as no other may have it. n_trades: none has. */
size_t levy_problem_trade(const levy_problem *problem, const char *id);
/* "the book has no trade 'x'; did you mean 'y'?"; NULL: no memory. */
const char *levy_problem_has_no(const levy_problem *problem, const char *id, levy_arena *arena);

/* One input: a named text (CLI: a file's name and content). `base` is the folder that relative
 * market references start from and must not leave (NULL: references are refused). With
 * `allow_links`, symbolic links may lead out of it. */
typedef struct levy_input {
    const char *name, *text;
    size_t length;
    const char *base;
    bool allow_links;
} levy_input;
/* "simulation.paths", "2^20" */
typedef struct levy_override {
    const char *key, *value;
} levy_override;

/* Files that inputs refer to (`market: FILE`, lists of shocks, nets). `given`: texts under the
 * names by which the files would be opened. With only_given they replace the files, and no file is
 * opened. `keep`: the quotes keep each text that was read, for levy_quotes_reference. */
typedef struct levy_references {
    const levy_input *given;
    size_t n_given;
    bool only_given, keep;
    size_t n_kinds; /* the last of the inputs, which define kinds of payoffs and nothing else */
} levy_references;

/* All inputs, all documents are read once, and resolved again after quotes were set. Returns
 * LEVY_OK when something can be priced, LEVY_INPUT when nothing can be (a fault outside trades[i],
 * or no trade left), LEVY_MEMORY. *problem is set with LEVY_OK only. A fault inside trades[i] marks
 * that trade failed. Faults go to `faults` (sorted by the caller): each resolve reports those of
 * the reading too. It gives what files with those quotes would, except that an initial fixing of
 * `spot` stays the spot as read. Other problems of the same quotes do not change. The quotes must
 * outlive their problems. `references` NULL: files are opened, and nothing is kept. */
levy_status levy_quotes_read(const levy_memory *memory, const levy_input *inputs, size_t n_inputs,
                             const levy_override *overrides, size_t n_overrides,
                             const levy_references *references, levy_quotes **quotes);
/* Adds the faults of the reading to the list. LEVY_INPUT: there is an error among them. */
levy_status levy_quotes_check(const levy_quotes *quotes, levy_fault_list *faults);
/* The kinds of payoffs that the files define. They live as long as the quotes. */
const levy_more_kinds *levy_quotes_kinds(const levy_quotes *quotes);
levy_status levy_quotes_resolve(const levy_quotes *quotes, levy_fault_list *faults,
                                levy_problem **problem);
void levy_problem_destroy(levy_problem *problem); /* NULL is fine */
void levy_quotes_destroy(levy_quotes *quotes);    /* NULL is fine */

/* Settings kept apart from those who gave them. */
typedef struct levy_overrides levy_overrides;
levy_status levy_overrides_create(const levy_memory *memory, const levy_override *items, size_t n,
                                  levy_overrides **overrides);
void levy_overrides_destroy(levy_overrides *overrides); /* NULL is fine */
/* The next resolve gives what a reading with `overrides` would have; returns those of before, which
 * are then the caller's. */
levy_overrides *levy_quotes_override(levy_quotes *quotes, levy_overrides *overrides);
/* The name of a file that was read, the inputs first; NULL past the end. */
const char *levy_quotes_file(const levy_quotes *quotes, size_t index);
/* The kept text number `index`; NULL past the end. */
const levy_input *levy_quotes_reference(const levy_quotes *quotes, size_t index);

/* One number of the market that may be set:
 *     NAME.spot                        as written
 *     NAME.dividend_yield, NAME.borrow flat: as written. By term, or implied by forwards: starts at
 *                                      0; the value is added to the yield of every node
 *     NAME.volatility   flat: as written; term: added to the nodes' Black volatilities, 0 as read
 *     CURVE.rate        flat: as written; zero: added to the quoted rates, 0 as read;
 *                       discount: a continuous rate x, discount factors times exp(-x t), 0 as read
 *     NAME.dividends    those on dates times 1 + x, 0 as read
 *     a name[NODE]      of a term structure: as written; discount: as above
 *     MODEL.intensity, MODEL.intensity[LAYER]   of jumps, as written
 *     A,B.correlation   constant: as written; term: added in every piece, 0 as read
 */
typedef struct levy_quote {
    const char *name;
    /* `value` is now. Allowed are low <= value <= high, without low if `low_open`. */
    double value, low, high;
    bool low_open;
    bool is_shift; /* of a term structure: `value` is added to each node */
} levy_quote;
size_t levy_quotes_count(const levy_quotes *quotes);
const levy_quote *levy_quotes_at(const levy_quotes *quotes, size_t index);
size_t levy_quotes_find(const levy_quotes *quotes, const char *name); /* SIZE_MAX: none */
/* NULL: none is near */
const char *levy_quotes_nearest(const levy_quotes *quotes, const char *name);
/* false: out of range, nothing was set */
bool levy_quotes_set(levy_quotes *quotes, size_t index, double value);

#endif
