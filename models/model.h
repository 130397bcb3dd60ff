/* model.h: a model on the host: its YAML fields, its number in the plan image, and the draws and
 * data of its step. The lanes' half is <kind>.h, called from kernels/path (model_lanes.h). Must not
 * know: problems, plans. */
#ifndef LEVY_MODELS_MODEL_H
#define LEVY_MODELS_MODEL_H

#include "engine/base/check.h"
#include "engine/base/field.h"
#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "models/kinds.h"

struct levy_joint_shocks;
struct levy_middle; /* engine/fourier/middle.h */

/* The law of a jump's logarithm. */
enum { LEVY_MARK_NORMAL, LEVY_MARK_DOUBLE_EXPONENTIAL, LEVY_MARK_EMPIRICAL };
typedef struct levy_mark_terms {
    const struct levy_node *node;
    double mean, volatility;                   /* normal */
    double probability_up, rate_up, rate_down; /* double exponential */
    /* empirical: rows of a size, or of a size and a weight; with assets a size of each */
    levy_list assets; /* of const char *; if absent, the marks are those of one asset */
    levy_matrix shocks;
    const char *file; /* the same rows in a CSV file, instead of shocks */
    int32_t map;      /* levy_jump_map */
    /* empirical, once read: the number of items, and in the order of size */
    size_t n;
    const double *sizes, *weights;
    /* of a column of a joint table: its rows in the order of size; `mean` and `volatility` are its
     * weighted mean and deviation */
    const uint32_t *order;
    const struct levy_joint_shocks *joint; /* the table; NULL: the marks are those of one asset */
} levy_mark_terms;
enum { LEVY_JUMP_MAP_AUTO, LEVY_JUMP_MAP_MONOTONE, LEVY_JUMP_MAP_ALIAS };

/* A table of joint shocks: an arrival draws a row, which moves all assets. */
typedef struct levy_joint_shocks {
    size_t n_rows, n_assets;
    const double *weights; /* [row] */
    /* [asset]: its column as marks of their own; sizes and weights by row */
    const levy_mark_terms *columns;
} levy_joint_shocks;

struct levy_calendar; /* engine/base/date.h */

/* The business days of a model. `names` is as written; the problem fills in the rest. */
typedef struct levy_model_days {
    levy_list names; /* of const char *: calendars */
    bool is_dated;   /* the book has a valuation date; otherwise its days are parts of a year */
    levy_date valuation;
    const struct levy_calendar *const *calendars;
    size_t n_calendars;
} levy_model_days;

/* A layer of jumps, added to a diffusion. */
typedef struct levy_jump_terms {
    const struct levy_node *node;
    levy_list assets; /* of const char *; if absent, all assets of the model jump */
    /* 0, own: each asset jumps at its own times. 1, common: all jump at the same times. */
    int32_t arrivals;
    double intensity; /* of each asset's arrivals, or of the common ones */
    int32_t counts_map;
    levy_variant_value mark; /* a levy_mark_terms for every asset; or */
    levy_list marks;         /* a levy_variant_value for each asset */
} levy_jump_terms;
extern const levy_table levy_jump_table, levy_mark_table;
extern const levy_table levy_regime_table, levy_level_switching_table; /* regime_terms.h */

/* The layer of jumps that a model kind has without a list of layers. Every asset jumps at its own
 * times. */
typedef struct levy_own_jumps {
    double intensity; /* of each asset's arrivals */
    int32_t counts_map;
    levy_mark_terms mark; /* its kind is levy_model_kind.own_mark */
} levy_own_jumps;

/* The terms of every model kind begin with these. A kind with more terms has a struct that starts
 * with this one, and its table knows the size. */
typedef struct levy_model_terms {
    const struct levy_node *node;
    levy_list assets; /* of const char *: names in market.assets */
    levy_list jumps;  /* of levy_jump_terms */
} levy_model_terms;

/* A table of terms that begin with a levy_model_terms. */
#define LEVY_FILLS_MODEL(of)                                                                       \
    .size = sizeof(of), .node_offset = offsetof(levy_model_terms, node), .has_node = true

/* The number of an asset, from a list with one number for each asset or one for all. */
static inline double levy_model_number(const levy_list *list, size_t asset)
{
    return ((const double *)list->items)[list->count > 1 ? asset : 0];
}

/* Does the same of a list of terms, of which an item may be another number at other times. */
static inline double levy_model_term(const levy_list *list, size_t asset, double time)
{
    return levy_term_at((const levy_term *)list->items + (list->count > 1 ? asset : 0), time);
}

/* What is wrong with an asset's numbers: the key at fault, the reason, and a hint. */
typedef struct levy_model_fault {
    const char *key, *reason, *hint;
} levy_model_fault;

struct levy_strategy; /* kernels/bridge/strategy.h */

/* What a dynamics moves of the jumps, beside all that the market's terms say: one number of theirs,
 * by its place in the list of levy_jump_parameters. */
typedef struct levy_jump_move {
    size_t parameter;
    double size; /* 0: it moves none */
} levy_jump_move;

/* The grid that a model is planned on. */
typedef struct levy_model_grid {
    size_t n_nodes;
    /* years, ascending; interval k ends at times[k], and interval 0 starts at 0 */
    const double *times;
    const double *clock; /* the driver's variance at each time */
    size_t n_assets;
    /* [n_assets]: the group's underlyings, as indices in the model's list of assets */
    const size_t *assets;
    const double *volatilities; /* [n_assets]: of the market, to one year; 0: none is given */
    bool quasi;                 /* Sobol points: words become draws by monotone inversion */
    bool bridged;               /* counts of events may be built like the drivers, by a bridge */
    uint32_t construction;      /* as in the image */
    /* [n_nodes]: what the normal that payoffs integrate over moves of the first factor's driver;
     * NULL: none is integrated */
    const double *moved;
    /* LEVY_MODEL_LED: [n_assets][n_assets], how the last factors move what moves each own driver
     * alone; else NULL */
    const double *turn;
    bool paid;  /* LEVY_MODEL_PAID */
    bool rated; /* by rates that are simulated, those behind the first n_seen assets alone */
    size_t n_seen;
    const struct levy_strategy *strategy; /* of the build order */
    const levy_jump_move *moves;          /* [n_dynamics] */
    size_t n_dynamics;
    bool is_single;
    double scale; /* of logarithms: 1, or log2(e) in single precision */
} levy_model_grid;

/* What the image takes over from a part of a model. All of it lives in the arena. `reals` are
 * stored unscaled, in the plan's precision. */
typedef struct levy_model_plan {
    /* [n_nodes][n_assets]: natural log return since today that the model adds; NULL: none */
    const double *drift;
    /* [n_dynamics][n_assets]: what a dynamics adds to that in a year; NULL: none does */
    const double *moved_drift;
    /* [n_assets][factors], for models with drivers of their own; NULL: factors of the covariance */
    const double *factor;
    const double *reals;
    size_t n_reals;
    const uint32_t *words;
    size_t n_words;
    /* numbers that decide the step's code; kernels have them compiled in */
    uint32_t constants[LEVY_MODEL_CONSTANTS];
    uint32_t n_counts; /* that the traversal carries, as in the image */
    /* Numbers that a path carries for each dynamics and asset beside drivers and levels, and
     * whether each path has its own number of turns: what a step costs a thread of a GPU. */
    uint32_t carried;
    bool loops;
    bool still; /* no draw moves anything: all paths are the same */
} levy_model_plan;

/* An interval of the grid under one market, for the numbers that a kind makes of it. */
typedef struct levy_model_interval {
    double years;      /* 0: it is past under that market */
    double end;        /* its time in years; terms do not change within */
    double volatility; /* with which the factors move the asset */
    double added;      /* to all of the model's own volatilities of the asset */
    double scale;      /* of logarithms, as in levy_model_grid */
    bool is_bump;      /* of today's market: its paths are to stay near to that one's */
    double *factor;    /* how the diffusion moves by factors; numbers may change it */
    double *own;       /* how the asset's own drivers move by factors; likewise */
    size_t n_factors;
    /* LEVY_MODEL_LED: how many factors move the asset, and its own driver in proportion; 0: it does
     * not hold */
    size_t shared;
    double forward; /* what the forward adds to the asset's logarithm */
    /* what a payment in another currency moves the asset by, as factors do, and its own driver */
    bool is_paid; /* LEVY_MODEL_PAID */
    double paid[2];
    size_t rate; /* where rates are simulated: the one that pays; then times its root */
} levy_model_interval;

typedef struct levy_model_kind {
    const char *kind;
    const levy_table *table; /* fills a levy_model_terms and the kind's own terms after it */
    uint32_t features;       /* LEVY_MODEL_STEPS, ... */
    uint32_t lanes; /* the LEVY_MODEL_ number of the kind whose lanes it runs; 0: its own */
    /* the features that these terms add; NULL: none */
    uint32_t (*own_features)(const levy_model_terms *terms);
    /* the list `without` for these terms; NULL: `without` applies */
    const char *const *(*refuses)(const levy_model_terms *terms);
    /* names of measures that have no meaning for the model, ended by NULL; NULL: all have one */
    const char *const *without;
    /* Names of fields that are factors of the market (engine/market/parameter.h), ended by NULL;
     * NULL: none. Each is a list of numbers or of terms, one for each asset or one for all, and
     * enters only what is asked under each market: volatility, correlation, dates and the own rows'
     * numbers. */
    const char *const *factors;
    /* the one of them that is the variance today, and by how much it moves on average while the
     * diffusion moves the logarithm of the asset by 1; NULL: none is */
    const char *variance;
    double (*leverage)(const levy_model_terms *terms, size_t asset);
    /* Words that each node draws outside the bridge, but those of jumps; NULL: none. The grid's
     * construction is not known yet. */
    uint32_t (*draws)(const levy_model_terms *terms, const levy_model_grid *grid);
    /* Of each asset. With LEVY_MODEL_DRIVEN these drive the model alone; with LEVY_MODEL_SCALES
     * they are Brownian motions beside the assets' (model_lanes.h: own_moved). */
    uint32_t drivers;
    /* with drivers beside the assets': the correlation of one with its asset's driver at a time;
     * given these, all own drivers are independent, unless the book gives correlations of variances
     */
    double (*correlation)(const levy_model_terms *terms, size_t asset, size_t driver, double time);
    const char *share; /* the one of `factors` that is this correlation; NULL: none is */
    /* with these: numbers of each interval and asset, under each market, for the lanes */
    uint32_t numbers;
    uint32_t paid; /* and behind them so many under LEVY_MODEL_PAID; 0: it knows no such payment */
    void (*interval)(const levy_model_terms *terms, size_t asset,
                     const levy_model_interval *interval, double *numbers);
    /* the volatility that replaces the asset's own; if 0 or NULL, the asset's own applies */
    double (*volatility)(const levy_model_terms *terms, size_t asset);
    /* The largest volatility that the asset can reach, divided by `own`, the market's; NULL: 1. */
    double (*rise)(const levy_model_terms *terms, size_t asset, double own);
    /* How wide the middle of the log return's law until `time` is, as a share of its deviation;
     * NULL: 1. */
    double (*peak)(const levy_model_terms *terms, size_t asset, double time);
    /* The least volatility that paths are likely to keep until `time`, by `own`; NULL: 1. */
    double (*calm)(const levy_model_terms *terms, size_t asset, double own, double time);
    /* The deviation of a random variance at `time` over its mean; NULL: it is not asked. */
    double (*variability)(const levy_model_terms *terms, size_t asset, double time);
    /* The share of the volatility by which a smooth vega bumps it, where the usual one is less than
     * that: the law of some step jumps with it. */
    double bump;
    /* With LEVY_MODEL_STEPPED: the least weak order, from 1/2, at which errors fall of steps that
     * are up to so long; NULL: 1. */
    double (*order)(const levy_model_terms *terms, double step);
    /* Both of that middle, of a kind whose plain paths show a peak; NULL: `peak` and `middle` do.
     */
    struct levy_middle (*law_middle)(const levy_model_terms *terms, size_t asset, double time);
    /* Where that middle is, above the logarithm of the forward; NULL: it is not asked. */
    double (*middle)(const levy_model_terms *terms, size_t asset, double time);
    /* What the logarithm's deviation until `time` is, given the clock, on that share of paths on
     * which it is least, if it falls with the share as a power; NULL: it does not. */
    double (*least)(const levy_model_terms *terms, size_t asset, double time, double share);
    /* The same law drawn otherwise, such that its returns are linear in normals: how integrated
     * trades draw it. NULL: as all others do. */
    const struct levy_model_kind *linear;
    /* log E exp(s X) of a log return X over a year less that of the forward, INFINITY where there
     * is none, of a kind without a diffusion; NULL: it has one */
    double (*cumulant)(const levy_model_terms *terms, size_t asset, double s);
    /* the same of all that moves X until `time` but jumps, of a kind whose variance is random;
     * NULL: it has none */
    double (*moment)(const levy_model_terms *terms, size_t asset, double time, double s);
    /* the layer of jumps that the kind itself has; NULL: none */
    const levy_own_jumps *(*own_jumps)(const levy_model_terms *terms);
    int32_t own_mark; /* LEVY_MARK_ of that layer */
    /* rate at which the upper tail of the log return falls; NULL: faster than exponentially */
    double (*tail)(const levy_model_terms *terms, size_t asset);
    /* the time in years from which the asset's moment of that order, above 1, is infinite;
     * INFINITY, or NULL: it never is but by `tail` */
    double (*explodes)(const levy_model_terms *terms, size_t asset, double order);
    /* Are an asset's numbers valid? NULL: always. */
    bool (*check)(const levy_model_terms *terms, size_t asset, levy_model_fault *fault);
    /* Do the terms fit together? If not, returns false and adds faults. `path` is "models.NAME".
     * NULL: they always do. */
    bool (*fits)(levy_check *check, const levy_model_terms *terms, const char *path);
    /* The asset whose level the dynamics watch, as an index in the model's list; SIZE_MAX: none.
     * NULL: none. */
    size_t (*watches)(const levy_model_terms *terms);
    /* Does the model discount by rates of its own? NULL: no. */
    bool (*discounts)(const levy_model_terms *terms);
    /* Has it drifts of its own that differ from path to path, beside rates by which it discounts?
     * NULL: no. */
    bool (*drifts)(const levy_model_terms *terms);
    /* Makes the diffusion's part of the image; NULL: it has none. */
    levy_status (*plan)(const levy_model_terms *terms, const levy_model_grid *grid,
                        levy_arena *arena, levy_model_plan *plan);
    /* The table of weighted rows in the terms, a column for each asset, of which every business day
     * draws one; NULL: there is none. */
    const levy_mark_terms *(*rows)(const levy_model_terms *terms);
    /* The business days in the terms; NULL: there are none. */
    levy_model_days *(*days)(levy_model_terms *terms);
    /* a ratio of an asset's numbers at a time for those who judge them, and its name; NULL: there
     * is none */
    const char *ratio_name;
    double (*ratio)(const levy_model_terms *terms, size_t asset, double time);
    /* A path carries the variance in a year of each asset, and its integral since today, for items
     * that ask (LEVY_MODEL_VARIES). */
    bool varies;
    /* How many regimes a path may be in, whose number and, if they discount, whose factor it
     * carries for items that ask instead; NULL: none. */
    size_t (*regimes)(const levy_model_terms *terms);
    /* Dates that the model adds to a grid of n ascending times, up to the last of them. Returns how
     * many there are, and writes them unless `dates` is NULL. `longest`: the longest step in years
     * that the book allows; 0: it says nothing. */
    size_t (*dates)(const levy_model_terms *terms, double longest, const double *times, size_t n,
                    double *dates);
} levy_model_kind;

/* Whether an asset has one driver beside its own: its variance's, which the book may correlate. */
static inline bool levy_model_has_variances(const levy_model_kind *kind)
{
    return kind->correlation && kind->drivers == 1;
}

#define LEVY_MODEL(name, NAME)                                                                     \
    extern const levy_model_kind levy_model_##name;                                                \
    extern const levy_table levy_model_##name##_table;
#include "models/models.def"

extern const levy_model_kind *const levy_model_kinds[LEVY_MODEL_COUNT];
/* The features that a model of these terms needs from the path loop. `terms` NULL: those that every
 * model of the kind needs. */
uint32_t levy_model_features(int32_t kind, const levy_model_terms *terms);
/* The kind as trades draw it, which are integrated or not. */
const levy_model_kind *levy_model_drawn(int32_t kind, bool integrated);
uint32_t levy_model_drawn_features(const levy_model_kind *drawn, const levy_model_terms *terms);
/* Has it arrivals: jumps of its own, or layers? `terms` NULL: has every model of the kind? */
bool levy_model_jumps(const levy_model_kind *kind, const levy_model_terms *terms);
/* of the lane code: LEVY_MODEL_, LEVY_MODEL_ARRIVALS */
uint32_t levy_model_lanes(int32_t kind, const levy_model_terms *terms, bool integrated);
/* the asset whose level the dynamics watch, as an index in the model's list; SIZE_MAX: none */
size_t levy_model_watches(int32_t kind, const levy_model_terms *terms);
/* the largest volatility that an asset can reach, divided by `own`, the market's; `terms` NULL: 1
 */
double levy_model_rise(int32_t kind, const levy_model_terms *terms, size_t asset, double own);
double levy_model_peak(int32_t kind, const levy_model_terms *terms, size_t asset, double time);
double levy_model_calm(int32_t kind, const levy_model_terms *terms, size_t asset, double own,
                       double time);
double levy_model_middle(int32_t kind, const levy_model_terms *terms, size_t asset, double time);
/* What the kind and its jumps add to a diffusion's cumulant in a year, and whether they do. */
double levy_model_cumulant(int32_t kind, const levy_model_terms *terms, size_t asset, double s);
bool levy_model_has_cumulant(int32_t kind, const levy_model_terms *terms);
/* What moves X, jumps too, until `time`, of a kind that has `moment`. */
double levy_model_moment(int32_t kind, const levy_model_terms *terms, size_t asset, double time,
                         double s);
bool levy_model_has_moment(int32_t kind);
/* The dates that part the interval between two times, or those of a grid, into steps of at most
 * `step` years: as levy_model_kind.dates. */
enum { LEVY_MODEL_MOST_DATES = 1 << 20 };
size_t levy_model_between(double step, double from, double to, double *dates);
size_t levy_model_steps(double step, const double *times, size_t n, double *dates);
/* the next time after `time` at which a term of the kind's factors ends, of the asset or, if it is
 * SIZE_MAX, of any; INFINITY: there is none */
double levy_model_break(const levy_model_kind *kind, const levy_model_terms *terms, size_t asset,
                        double time);
/* does it discount by rates of its own? */
bool levy_model_discounts(int32_t kind, const levy_model_terms *terms);
/* how many regimes a path may be in; 0: there are none */
size_t levy_model_regimes(int32_t kind, const levy_model_terms *terms);
/* has it drifts of its own that differ from path to path, beside rates by which it discounts? */
bool levy_model_drifts(int32_t kind, const levy_model_terms *terms);
/* Checks that layers of jumps name assets of the model and give each a mark (jump_check.c). */
bool levy_jump_layer_check(levy_check *check, const levy_model_terms *terms,
                           const levy_jump_terms *layer, const char *path);
bool levy_jumps_check(levy_check *check, const levy_model_terms *terms, const char *path);

extern const levy_table levy_model_table; /* variants by kind; the items of the `models` map */

#endif
