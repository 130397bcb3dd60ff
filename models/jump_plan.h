/* jump_plan.h: from the terms of jumps to the data for the lanes of models/jumps.h: distributions
 * of counts by interval, tables of marks, and the drift that compensates the jumps' mean. Host
 * only. */
#ifndef LEVY_MODELS_JUMP_PLAN_H
#define LEVY_MODELS_JUMP_PLAN_H

#include "models/model.h"

/* Terms of a model that has a layer of its own: merton, kou. */
typedef struct levy_jump_model_terms {
    levy_model_terms model;
    levy_own_jumps own;
} levy_jump_model_terms;

/* for levy_model_kind.own_jumps */
const levy_own_jumps *levy_jump_own(const levy_model_terms *terms);

/* An asset that a source moves. `asset` is its index in the group. */
typedef struct jump_target {
    size_t asset;
    int32_t kind;
    const levy_mark_terms *mark;
} jump_target;

/* The joint table that a layer draws its rows from; NULL: it has none. */
const levy_mark_terms *levy_jump_table_of(const levy_jump_terms *layer);

/* One stream of arrivals. */
typedef struct jump_source {
    double intensity;
    int32_t counts_map;
    size_t n_targets;
    jump_target *targets;
    size_t layer; /* of the model's list; SIZE_MAX: of the kind itself */
    bool common;
} jump_source;

/* The sources that move any of the grid's assets: first those of the kind itself (own_jumps), then
 * those of the layers. */
levy_status levy_jump_sources(const levy_model_kind *kind, const levy_model_terms *terms,
                              const levy_model_grid *grid, levy_arena *arena, jump_source **sources,
                              size_t *n);

/* A number of the jumps that a dynamics can move (jump_moves.c). */
typedef struct levy_jump_parameter {
    const char *name; /* its key */
    size_t layer;     /* of the model's list; SIZE_MAX: the kind's own */
    size_t asset;     /* in the group; SIZE_MAX: the intensity of common arrivals */
    size_t source;
    uint32_t target;     /* counted over all sources */
    bool weighs;         /* an intensity, which moves no return but what paths weigh */
    double start, by[4]; /* as in jumps.h, of natural logarithms */
    double drift;        /* what a unit of it takes off its asset's in a year; 0 of an intensity */
    double arrivals;     /* expected of the source until the horizon */
    double unit;         /* about what a unit of it moves a logarithm by until the horizon */
    double most;         /* no bump of it is larger */
} levy_jump_parameter;

/* All of them: the numbers of each source that move anything, those of its marks in the order of
 * its targets. A number at the end of its range that draws do not tell from others is left out. */
levy_status levy_jump_parameters(const levy_model_kind *kind, const levy_model_terms *terms,
                                 const levy_model_grid *grid, levy_arena *arena,
                                 levy_jump_parameter **parameters, size_t *n);

/* What the lanes read of the moves of dynamics (jumps.h), and the drifts in a year,
 * [n_dynamics][n_assets]. Words that say where reals are count from the first of these. */
typedef struct levy_jump_moves {
    size_t n, n_words, n_reals;
    uint32_t *words;
    double *reals, *drift;
} levy_jump_moves;
levy_status levy_jump_moves_plan(const levy_model_kind *kind, const levy_model_terms *terms,
                                 const levy_model_grid *grid, const jump_source *sources,
                                 levy_arena *arena, levy_jump_moves *moves);
/* Does a dynamics move any, given the image's words and constants? */
bool levy_jump_is_moved(const uint32_t *words, const uint32_t *constants, size_t n_nodes,
                        size_t dynamics);

/* The jumps of one asset, for a model whose marks are all normal. Returns how many sources move it,
 * or SIZE_MAX if a mark is not normal or there are more than `room` of them. */
typedef struct levy_normal_jumps {
    double intensity, mean, volatility;
} levy_normal_jumps;
size_t levy_jump_normals(int32_t kind, const levy_model_terms *terms, size_t asset,
                         levy_normal_jumps *jumps, size_t room);

/* E[exp(mark) - 1] */
double levy_mark_mean_return(int32_t kind, const levy_mark_terms *mark);

/* How far jumps raise the logarithm of an asset until `time`, as a square. It counts the upward
 * parts of the marks. For normal and empirical marks it counts at least one jump, because a jump
 * that hardly ever comes can carry the mean. For a regime-switching model it covers the layers
 * only. `terms` NULL: 0. */
double levy_jump_rise(int32_t kind, const levy_model_terms *terms, size_t asset, double time);

/* The rate at which the upper tail of an asset's double exponential marks falls: the least of
 * several, 1e30 if there are none. */
double levy_jump_tail(int32_t kind, const levy_model_terms *terms, size_t asset);

/* The expected arrivals of an asset's jumps in a year. `terms` NULL: 0. */
double levy_jump_intensity(int32_t kind, const levy_model_terms *terms, size_t asset);

/* What the jumps of an asset add to log E exp(s X) of its log return X in a year, with the drift
 * that compensates them: INFINITY where there is none. `terms` NULL: 0. */
double levy_jump_cumulant(int32_t kind, const levy_model_terms *terms, size_t asset, double s);

/* What jumps in one direction that hardly ever come change of the expected return of an asset until
 * `time`, as a size: sources with fewer than `arrivals` expected, and the largest of an empirical
 * law's marks as far as together they have fewer. `terms` NULL: 0. */
double levy_jump_unseen(int32_t kind, const levy_model_terms *terms, size_t asset, double time,
                        double arrivals, bool up);

/* Words that a node draws for the marks of a law: enough in the longest interval for all but one
 * path in a thousand. */
uint32_t levy_mark_words(int32_t kind, double mean_arrivals);

/* Whether the grid's counts are built by a bridge. */
bool levy_jump_is_bridged(const levy_model_kind *kind, const levy_model_terms *terms,
                          const levy_model_grid *grid);

/* Words that a node draws for the marks of a target. */
uint32_t levy_jump_words(const levy_model_grid *grid, bool bridged, int32_t kind, double intensity);

static inline double levy_jump_horizon(const levy_model_grid *grid)
{
    return grid->times[grid->n_nodes - 1];
}

/* ---- Bridges of counts (jump_bridge.c) ---- */

/* Whether so many sources and targets, with at most that many arrivals expected of a source until
 * the horizon, can have a bridge of counts. */
bool levy_jump_bridge_fits(size_t n_sources, size_t n_targets, double most);

/* As levy_mark_words, for marks that are numbered by the arrivals until the horizon. */
uint32_t levy_jump_bridge_words(int32_t kind, double mean, size_t n_nodes);

/* The splits of the grid's entries (jumps_split), then their tables, whose offsets count from the
 * first split. `mean`: the arrivals expected until the horizon. */
levy_status levy_jump_splits(const levy_model_grid *grid, double mean, levy_arena *arena,
                             uint32_t **words, size_t *n_words);

/* The word at which a draw passes a probability, in 2^-32. */
uint32_t levy_jump_word(double probability);

/* A Poisson law as words (JUMPS_LAW_ in jumps.h). NULL: no memory. */
uint32_t *levy_jump_law(double mean, bool alias, levy_arena *arena, size_t *n_words);

/* Tables of an empirical mark. */
levy_status levy_mark_monotone(const levy_mark_terms *mark, levy_arena *arena, uint32_t **words,
                               size_t *n_words, uint32_t *shift);
levy_status levy_mark_alias(const levy_mark_terms *mark, levy_arena *arena, uint32_t **words,
                            size_t *n_words);

/* The rows of a joint table in the order of their principal direction over some of its columns
 * (jump_rows.c). */
levy_status levy_joint_order(const levy_mark_terms *const *columns, size_t n, levy_arena *arena,
                             const uint32_t **order);

/* Words that a node draws for the arrivals, and their part of the image. */
uint32_t levy_jump_draws(const levy_model_kind *kind, const levy_model_terms *terms,
                         const levy_model_grid *grid);
levy_status levy_jump_plan(const levy_model_kind *kind, const levy_model_terms *terms,
                           const levy_model_grid *grid, levy_arena *arena, levy_model_plan *plan);

#endif
