/* path_shape.h: what a path loop knows before it runs, as PATH_<member> of shape.def. A GPU's text
 * has all of it as constants. A loop on the CPU states what it knows once, in PATH_KNOWN, #define
 * PATH_KNOWN(of) PATH_IS(of, assets, 1) PATH_IS(of, cash, 0) and reads the rest from the view:
 * without PATH_KNOWN it is the general loop. Its `fits` compares these very numbers with a plan's,
 * so that a loop with a wrong one never runs.
 *
 * Part of loop.h, which alone includes it, once per shape; what a shape has defined is forgotten by
 * loop.h at its end. Must not know: payoffs, models. */
#ifndef LEVY_PATH_SHAPE_H
#define LEVY_PATH_SHAPE_H

/* the traversal asks for draws in the order of time */
#define PATH_in_order (PATH_construction == 1 || PATH_construction == 2)
#define PATH_buffered (PATH_generator == POINTS_MRG && (!PATH_in_order || PATH_auxiliary))
#define PATH_nodes (PATH_one_node ? 1u : v->image->n_nodes)
/* what dynamics move of the jumps' numbers (jumps.h) */
#define PATH_moves (PATH_arrivals_constant3 >> LEVY_ARRIVALS_MOVES)
/* the tile's copy of the image's first dynamics; PATH_dynamics: there is none */
#define PATH_first (PATH_grown ? PATH_grown - 1u : 0u)
/* Items may share states: item i has four bits, the number of the item whose states it uses. */
#define PATH_item_state_of(i) ((PATH_state_of_list >> (4 * (i))) & 15u)
#define PATH_shares_state(i) (PATH_shared_states && PATH_item_state_of(i) != (i))
/* the item that carries what item i settles on */
#define PATH_carrier(i) (PATH_shared_states ? PATH_item_state_of(i) : (i))

#if LANE_GPU
#define PATH_item_kind(i) PATH_NAME(item_kind)(i)
#define PATH_item_variant(i) PATH_NAME(item_variant)(i)
#define PATH_item_aggregate(i) PATH_NAME(item_aggregate)(i)
#define PATH_item_dynamics(i) PATH_NAME(item_dynamics)(i)
#define PATH_dynamics_elapsed(m) PATH_NAME(dynamics_elapsed)(m)
#define PATH_returns(m) PATH_NAME(returns)(m)
#define PATH_interprets 0
#define PATH_plain 0
#define PATH_average 0
#define PATH_by_dynamics 0
#define PATH_abreast 1
#define PATH_MAX_ASSETS PATH_assets
#define PATH_MAX_FACTORS PATH_factors
#define PATH_carried (PATH_looks_ahead ? 0 : PATH_counts)
#define PATH_MAX_COUNTS (PATH_carried ? PATH_carried : 1u)
#define PATH_MAX_MARKS (PATH_counts ? PATH_arrivals_constant2 : 1u)
#define PATH_MAX_MOVES (PATH_moves ? PATH_moves : 1u)
#define PATH_MAX_SUMS (PATH_functionals ? PATH_functionals * PATH_factors : 1u)
#define PATH_MAX_KEPT (PATH_kept ? PATH_items * PATH_kept : 1u)
#define PATH_MAX_DYNAMICS PATH_dynamics
#define PATH_MAX_ITEMS PATH_items
#define PATH_MAX_STACK PATH_stack
#define PATH_EACH_ITEM(m, i)                                                                       \
    for (uint32_t i = 0; i < PATH_items; ++i)                                                      \
        if (PATH_item_dynamics(i) == (m))
/* 1: the model's step is short enough to be compiled eight times */
#define PATH_model_is_short (PATH_MODEL_IS_SHORT && (!PATH_arrivals || ARRIVALS_IS_SHORT))
/* Runs of 8 in registers gain 20 % in single (H200, 741 against 607 G path-steps/s). In double,
 * eight copies of the arithmetic do not fit the instruction cache (157 against 185), and neither do
 * eight copies of long items. For many items or dynamics, eight copies take the compiler 20 times
 * as long (49 s against 2), except where all that they do at a node is to add to a few sums.
 * Words of Sobol points are kept folded (normal.h). */
#if defined(LANE_SINGLE) || PATH_mixed
#define PATH_registers                                                                             \
    (PATH_assets * PATH_factors == 1 && PATH_construction == 0 && !PATH_long_item &&               \
     (PATH_items * PATH_dynamics <= 2 || PATH_sums > 0) && PATH_model_is_short)
#else
#define PATH_registers 0
#endif
/* how words of a draw that have no run sums are loaded (sobol.h) */
#define PATH_fours (PATH_narrow || PATH_wide || PATH_deferred || PATH_own > 0)
#define PATH_folded                                                                                \
    (PATH_generator == 0 && !PATH_padded && !PATH_cells &&                                         \
     !(PATH_model_features & LEVY_MODEL_GAMMA))
/* If one factor drives one asset under one dynamics, runs in registers and single steps build the
 * level itself. Driver times factor plus drift is a bridge too, with a residual of the drift
 * between two nodes. */
#if PATH_registers || PATH_cells
#define PATH_levels                                                                                \
    (PATH_dynamics == 1 && (PATH_cells || PATH_items <= 2) && !PATH_covariance && !PATH_elapsed && \
     !PATH_grown && !PATH_functionals)
#else
#define PATH_levels 0
#endif
#define PATH_UNROLL _Pragma("unroll")
#define PATH_ROLL _Pragma("unroll 1")
/* Loops over assets or factors. Of many, unrolled code fits no instruction cache, takes the
 * compiler a minute, and spills all the same. */
#if PATH_wide
#define PATH_EACH _Pragma("unroll 8")
#else
#define PATH_EACH PATH_UNROLL
#endif
#else

/* A member's place in shape.def. */
enum {
#define SHAPE(name, of_view, of_tile) PATH_AT_##name,
#define SHAPE_ITEM(name, of_view, of_tile) PATH_AT_##name,
#define SHAPE_CPU(name) PATH_AT_##name,
#include "kernels/path/shape.def"
};

/* What a loop knows of member `of` is an enumerator, because constants cost the compiler nothing:
 * the number plus one, or 0 if the loop does not know it. PATH_KNOWN adds up all that is stated,
 * and what is stated of another member counts 0. */
#define PATH_IS(of, name, value) +(PATH_AT_##of == PATH_AT_##name ? 1 + (int)(value) : 0)
#define PATH_KNOWS(name, value) (PATH_NAME(known_##name) == 1 + (int)(value))
#define PATH_SAYS(name) (PATH_NAME(known_##name) ? PATH_NAME(known_##name) - 1u : 0u)
#define PATH_READ(name)                                                                            \
    (PATH_NAME(known_##name) ? PATH_NAME(known_##name) - 1u : PATH_NAME(read_##name)(v))
#define PATH_READ_ITEM(name, i)                                                                    \
    (PATH_NAME(known_##name) ? PATH_NAME(known_##name) - 1u : PATH_NAME(read_##name)(v, i))
#define PATH_assets PATH_READ(assets)
#define PATH_factors PATH_READ(factors)
#define PATH_own PATH_READ(own)
#define PATH_own_row PATH_READ(own_row)
#define PATH_generator PATH_READ(generator)
#define PATH_construction PATH_READ(construction)
#define PATH_covariance PATH_READ(covariance)
#define PATH_cash PATH_READ(cash)
#define PATH_elapsed PATH_READ(elapsed)
#define PATH_grown PATH_READ(grown)
#define PATH_auxiliary PATH_READ(auxiliary)
#define PATH_mixed PATH_READ(mixed)
#define PATH_model PATH_READ(model)
#define PATH_model_draws PATH_READ(model_draws)
#define PATH_arrivals_draws PATH_READ(arrivals_draws)
#define PATH_counts PATH_READ(counts)
#define PATH_carried PATH_counts
#define PATH_functionals PATH_READ(functionals)
#define PATH_integrated PATH_READ(integrated)
#define PATH_kept PATH_READ(kept)
#define PATH_model_features PATH_READ(model_features)
#define PATH_model_constant0 PATH_READ(model_constant0)
#define PATH_model_constant1 PATH_READ(model_constant1)
#define PATH_model_constant2 PATH_READ(model_constant2)
#define PATH_model_constant3 PATH_READ(model_constant3)
#define PATH_arrivals_constant0 PATH_READ(arrivals_constant0)
#define PATH_arrivals_constant1 PATH_READ(arrivals_constant1)
#define PATH_arrivals_constant2 PATH_READ(arrivals_constant2)
#define PATH_arrivals_constant3 PATH_READ(arrivals_constant3)
#define PATH_padded PATH_READ(padded)
#define PATH_record PATH_READ(record)
#define PATH_apart PATH_READ(apart)
#define PATH_dynamics PATH_READ(dynamics)
#define PATH_items PATH_READ(items)
#define PATH_item_kind(i)                                                                          \
    (PATH_SAYS(floors) && (i) > 0 ? (uint32_t)LEVY_FLOOR_KIND : PATH_READ_ITEM(item_kind, i))
#define PATH_item_variant(i) (PATH_READ_ITEM(item_variant, i) & ~PATH_SAYS(variant_without))
#define PATH_item_aggregate(i) PATH_READ_ITEM(item_aggregate, i)
#define PATH_item_dynamics(i) PATH_READ_ITEM(item_dynamics, i)
#define PATH_dynamics_elapsed(m) 1
#define PATH_returns(m) (v->returns[m])
#define PATH_plain PATH_SAYS(plain)
/* one plain item on one asset with one driver, where the item only observes */
#define PATH_average                                                                               \
    (PATH_KNOWS(items, 1) && PATH_plain && PATH_KNOWS(dynamics, 1) && PATH_ONE_ASSET &&            \
     PATH_KNOWS(factors, 1) && PATH_KNOWS(elapsed, 0) && PATH_KNOWS(covariance, 0) &&              \
     PATH_KNOWS(grown, 0) && PATH_KNOWS(cash, 0) && PATH_KNOWS(model, 0))
/* plain averages alone, each of which sees the asset under its own dynamics */
#define PATH_averages (PATH_by_dynamics && PATH_plain && PATH_KNOWS(item_kind, PAYOFF_ASIAN))
#define PATH_ONE_ASSET (PATH_KNOWS(assets, 1) && PATH_KNOWS(item_aggregate, BASKET_NONE))
/* Sizes of arrays. Models with drivers of their own have up to two for each asset. */
#define PATH_ROOM(name, most)                                                                      \
    (PATH_NAME(known_##name) ? (uint32_t)PATH_NAME(known_##name) - 1u : (uint32_t)(most))
#define PATH_MAX_ASSETS PATH_ROOM(assets, LEVY_MAX_ASSETS)
#define PATH_MAX_FACTORS PATH_ROOM(factors, 2 * LEVY_MAX_ASSETS)
#define PATH_MAX_COUNTS (PATH_ROOM(counts, LEVY_MAX_COUNTS) + 1)
#define PATH_MAX_MARKS (PATH_ROOM(counts, LEVY_MAX_COUNTS) + 1)
#define PATH_MAX_MOVES LEVY_MAX_MOVES
#define PATH_MAX_DYNAMICS                                                                          \
    PATH_ROOM(dynamics, PATH_by_dynamics ? LEVY_MAX_TILE_DYNAMICS : LEVY_MAX_LOOP_DYNAMICS)
#define PATH_MAX_ITEMS PATH_ROOM(items, PATH_MOST_ITEMS)
/* The general loop runs items with programs, whose states lie elsewhere. */
#define PATH_interprets PATH_GENERAL
#define PATH_states LEVY_ITEM_STATES
/* These are for a GPU alone: a CPU has too few registers for runs of 8. */
#define PATH_one_node 0
#define PATH_node_row 0
#define PATH_scripts 0
#define PATH_segments 0
#define PATH_deferred 0
#define PATH_redistributed 0
#define PATH_same_dates 0
#define PATH_terms_copied 0
#define PATH_shared_segments 0
#define PATH_thresholds_made 0
#define PATH_wide 0
#define PATH_streams 0
#define PATH_held 0
#define PATH_product 0
#define PATH_sweep 0
#define PATH_unrolled 0
#define PATH_shared_states 0
#define PATH_state_of_list 0u
#define PATH_always 0
#define PATH_bounded 0
#define PATH_cells 0
#define PATH_staged 0
#define PATH_registers 0
#define PATH_folded 0
#define PATH_levels 0
#define PATH_looks_ahead 0
#define PATH_together 0
#define PATH_UNROLL
#define PATH_ROLL
#define PATH_EACH
/* Of a long or rare function, which is not inlined, so that the traversal keeps its registers. */
#define PATH_APART static __attribute__((noinline, unused))
#endif
#endif

#if !LANE_GPU
#if !defined(PATH_KNOWN)
#define PATH_GENERAL 1
#define PATH_KNOWN(of)
#else
#define PATH_GENERAL 0
#endif
#if !defined(PATH_MOST_ITEMS) /* a tile of many items lists them by dynamics */
#define PATH_MOST_ITEMS LEVY_MAX_TILE
#define PATH_EACH_ITEM(m, i)                                                                       \
    for (uint32_t at_##i = v->starts[m], i = 0;                                                    \
         at_##i < v->starts[(m) + 1] && (i = v->order[at_##i].item, 1); ++at_##i)
#else
#define PATH_EACH_ITEM(m, i)                                                                       \
    for (uint32_t i = 0; i < PATH_items; ++i)                                                      \
        if (PATH_item_dynamics(i) == (m))
#endif
#if !defined(PATH_by_dynamics) /* 1: each item sees the one asset under its own dynamics */
#define PATH_by_dynamics 0
#endif
#if !defined(PATH_abreast) /* so many lanes side by side (abreast.h) */
#define PATH_abreast 1
#endif

enum {
#define SHAPE(name, of_view, of_tile) PATH_NAME(known_##name) = 0 PATH_KNOWN(name),
#define SHAPE_ITEM(name, of_view, of_tile) PATH_NAME(known_##name) = 0 PATH_KNOWN(name),
#define SHAPE_CPU(name) PATH_NAME(known_##name) = 0 PATH_KNOWN(name),
#include "kernels/path/shape.def"
};
_Static_assert(!PATH_by_dynamics || PATH_ONE_ASSET, "a sweep sees one asset");

#define SHAPE(name, of_view, of_tile)                                                              \
    LANE_FN uint32_t PATH_NAME(read_##name)(const path_view *v) { return of_view; }
#define SHAPE_ITEM(name, of_view, of_tile)                                                         \
    LANE_FN uint32_t PATH_NAME(read_##name)(const path_view *v, uint32_t i) { return of_view; }
#include "kernels/path/shape.def"

/* Is all that the loop knows true of this plan and tile? */
static __attribute__((unused)) int PATH_NAME(fits)(const path_view *v)
{
#define SHAPE(name, of_view, of_tile)                                                              \
    if (PATH_##name != (of_view)) return 0;
#include "kernels/path/shape.def"
    if (PATH_assets > PATH_MAX_ASSETS || PATH_factors > PATH_MAX_FACTORS ||
        PATH_dynamics > PATH_MAX_DYNAMICS || PATH_items > PATH_MAX_ITEMS)
        return 0;
    for (uint32_t i = 0; i < v->n_items; ++i) {
        if (PATH_plain && (v->items[i].traits & LEVY_ITEM_LONG)) return 0;
        if (!PATH_interprets && (v->items[i].traits & LEVY_ITEM_SCRIPT)) return 0;
#define SHAPE_ITEM(name, of_view, of_tile)                                                         \
    if (PATH_##name(i) != (of_view)) return 0;
#include "kernels/path/shape.def"
    }
    return 1;
}
#endif
