/* model.h: what a model is on the host: its YAML fields, its number in the plan image, what its
 * step draws and reads. The lanes' half is <kind>.h, called from kernels/path (lanes.h). Must not
 * know: problems, plans. */
#ifndef LEVY_MODELS_MODEL_H
#define LEVY_MODELS_MODEL_H

#include "engine/base/check.h"
#include "engine/base/field.h"
#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "models/kinds.h"

/* The law of a jump's logarithm. */
enum { LEVY_MARK_NORMAL, LEVY_MARK_DOUBLE_EXPONENTIAL, LEVY_MARK_EMPIRICAL };
typedef struct levy_mark_terms {
    const struct levy_node *node;
    double mean, volatility;                   /* normal */
    double probability_up, rate_up, rate_down; /* double exponential */
    /* empirical: rows of a size, or of a size and a weight; or */
    levy_matrix shocks;
    const char *file; /* the same as CSV */
    int32_t map;      /* levy_jump_map */
    size_t n;         /* empirical, once read: by size */
    const double *sizes, *weights;
} levy_mark_terms;
enum { LEVY_JUMP_MAP_AUTO, LEVY_JUMP_MAP_MONOTONE, LEVY_JUMP_MAP_ALIAS };

/* A layer of jumps beside a diffusion. */
typedef struct levy_jump_terms {
    const struct levy_node *node;
    levy_list assets; /* of const char *; absent: all of the model's */
    /* 0 own: each asset jumps by itself; 1 common: all at the same times */
    int32_t arrivals;
    double intensity; /* of each asset's, or of the common arrivals */
    int32_t counts_map;
    levy_variant_value mark; /* of levy_mark_terms: of each asset; or */
    levy_list marks;         /* of levy_variant_value, by asset */
} levy_jump_terms;
extern const levy_table levy_jump_table, levy_mark_table;

/* A state of a regime-switching model. Lists are of double: one for each asset of the model, or one
 * for all. */
typedef struct levy_regime {
    const char *name;
    const struct levy_node *node;
    levy_list volatilities, factors, drifts;
    levy_list jumps; /* of levy_jump_terms: none or one */
    double rate;
} levy_regime;
/* What a growth since today attracts: in each of its buckets a weight of every regime. */
typedef struct levy_attraction {
    const struct levy_node *node; /* NULL: absent */
    const char *asset;
    levy_list levels;    /* of double, ascending */
    levy_matrix weights; /* [levels + 1][regimes] */
} levy_attraction;
extern const levy_table levy_regime_table, levy_attraction_table;
enum { LEVY_SWITCHING_EXACT, LEVY_SWITCHING_STEPPED };

/* The terms of every model kind; a kind's table names the ones it has. */
typedef struct levy_model_terms {
    const struct levy_node *node;
    levy_list assets;                             /* of const char *: names in market.assets */
    levy_list jumps;                              /* of levy_jump_terms */
    double intensity, jump_mean, jump_volatility; /* merton; intensity: kou too */
    double probability_up, rate_up, rate_down;    /* kou */
    int32_t counts_map;                           /* merton, kou */
    levy_list sigma, nu, theta;   /* variance_gamma: of double, one for each asset or one for all */
    levy_list alpha, beta, delta; /* normal_inverse_gaussian: the same */
    /* regime_switching */
    levy_list regimes;                 /* of levy_regime */
    levy_matrix generator, transition; /* one of them, where there are two regimes or more */
    double period;                     /* of `transition` */
    const char *initial_regime; /* or the probabilities, of double; neither with one regime */
    levy_list initial_probabilities;
    int32_t switching; /* LEVY_SWITCHING_; -1: as it comes */
    double step;       /* NaN: 0.02 */
    levy_attraction attraction;
} levy_model_terms;

/* Of a list with a number for each asset of the model, or one for all. */
static inline double levy_model_number(const levy_list *list, size_t asset)
{
    return ((const double *)list->items)[list->count > 1 ? asset : 0];
}

/* What is wrong with an asset's numbers: the key at fault, and what to say of it. */
typedef struct levy_model_fault {
    const char *key, *reason, *hint;
} levy_model_fault;

struct levy_strategy; /* kernels/bridge/strategy.h */

/* The grid that a model is planned on. */
typedef struct levy_model_grid {
    size_t n_nodes;
    /* years, ascending; interval k ends at times[k], the first starts at 0 */
    const double *times;
    const double *clock; /* the motion's variance at each */
    size_t n_assets;
    /* [n_assets]: the group's underlyings, as numbers in the model's list of assets */
    const size_t *assets;
    bool quasi;            /* Sobol points: words become draws by monotone inversion */
    uint32_t construction; /* as in the image */
    const struct levy_strategy *strategy; /* of the walk */
    bool is_single;
    double scale; /* of logarithms: 1, or log2(e) in single precision */
} levy_model_grid;

/* What the image takes over; all of it lives in the arena. `reals` are stored as they are, in the
 * plan's precision. */
typedef struct levy_model_plan {
    /* [n_nodes][n_assets]: log growth since today that the model adds (natural logarithm); NULL:
     * none */
    const double *drift;
    /* [n_assets][factors]: of models with drivers of their own; NULL: of the covariance */
    const double *factor;
    const double *reals;
    size_t n_reals;
    const uint32_t *words;
    size_t n_words;
    /* numbers that decide the code of the step: compiled into kernels */
    uint32_t constants[LEVY_MODEL_CONSTANTS];
} levy_model_plan;

typedef struct levy_model_kind {
    const char *kind;
    const levy_table *table; /* fills a levy_model_terms */
    uint32_t features;       /* LEVY_MODEL_STEPS, ... */
    /* more of them, of these terms; NULL: none */
    uint32_t (*own_features)(const levy_model_terms *terms);
    /* as `without`, of these terms; NULL: those alone */
    const char *const *(*refuses)(const levy_model_terms *terms);
    /* names of measures that have no meaning here, ended by NULL; NULL: all have */
    const char *const *without;
    /* Words that each node draws beside the motion (the grid's construction is not known yet);
     * NULL: none. */
    uint32_t (*draws)(const levy_model_terms *terms, const levy_model_grid *grid);
    uint32_t drivers; /* of each asset, with LEVY_MODEL_DRIVEN */
    /* that stands for the asset's own; 0, or NULL: its own does */
    double (*volatility)(const levy_model_terms *terms, size_t asset);
    /* rate at which the logarithm's upper tail falls; NULL: faster than any */
    double (*tail)(const levy_model_terms *terms, size_t asset);
    /* of an asset's numbers; NULL: all are good */
    bool (*check)(const levy_model_terms *terms, size_t asset, levy_model_fault *fault);
    /* Do the terms fit together? False with faults; `path`: "models.NAME". NULL: they always do. */
    bool (*fits)(levy_check *check, const levy_model_terms *terms, const char *path);
    /* The asset whose level the dynamics watch, as a number of the model's list; SIZE_MAX: none.
     * NULL: none. */
    size_t (*watches)(const levy_model_terms *terms);
    /* Does the model discount by rates of its own? NULL: no. */
    bool (*discounts)(const levy_model_terms *terms);
    /* NULL: nothing */
    levy_status (*plan)(const levy_model_terms *terms, const levy_model_grid *grid,
                        levy_arena *arena, levy_model_plan *plan);
    /* Dates that the model adds to a grid of n ascending ones, which it ends with: how many, and
     * which where `dates` is not NULL. */
    size_t (*dates)(const levy_model_terms *terms, const double *times, size_t n, double *dates);
} levy_model_kind;

#define LEVY_MODEL(name, NAME)                                                                     \
    extern const levy_model_kind levy_model_##name;                                                \
    extern const levy_table levy_model_##name##_table;
#include "models/models.def"

extern const levy_model_kind *const levy_model_kinds[LEVY_MODEL_COUNT];
/* What a model of these terms asks of the path loop. `terms` NULL: what every model of the kind
 * does. */
uint32_t levy_model_features(int32_t kind, const levy_model_terms *terms);
/* the LEVY_MODEL_ number of the lane code */
uint32_t levy_model_lanes(int32_t kind, const levy_model_terms *terms);
/* the asset whose level the dynamics watch, as a number of the model's list; SIZE_MAX: none */
size_t levy_model_watches(int32_t kind, const levy_model_terms *terms);
bool levy_model_discounts(int32_t kind, const levy_model_terms *terms); /* by rates of its own */
/* Of regime_switching: its host half is in regime_switching.c and regime_check.c. */
size_t levy_regimes_watched(const levy_model_terms *terms); /* SIZE_MAX: none */
bool levy_regimes_are_stepped(const levy_model_terms *terms);
bool levy_regimes_fit(levy_check *check, const levy_model_terms *terms, const char *path);
/* Layers of jumps name their assets and give each a mark (jump_check.c). */
bool levy_jump_layer_check(levy_check *check, const levy_model_terms *terms,
                           const levy_jump_terms *layer, const char *path);
bool levy_jumps_check(levy_check *check, const levy_model_terms *terms, const char *path);

extern const levy_table levy_model_table; /* variants by kind; items of the `models` map */

#endif
