/* arrivals.h: jumps added to a diffusion, node by node: compound Poisson sums of any marks
 * (jumps.h), including Merton's and Kou's. Its functions are made once per shape (model_lanes.h).
 * Must not know: payoffs. */
#ifndef LEVY_MODELS_ARRIVALS_H
#define LEVY_MODELS_ARRIVALS_H

#include "kernels/lane/target.h"
#include "models/jump_list.h"
#include "models/jumps.h"

/* On a GPU that finds arrivals ahead: the list of sums of marks, which lies outside the state for
 * the reason of remaining_marks, and of the sum that is due next what jumps_due holds, and the
 * list's first node. */
#if LANE_GPU
#define ARRIVALS_AHEAD                                                                             \
    jumps_list *jump_list;                                                                         \
    real jump_sum;                                                                                 \
    uint32_t jump_at, jump_first;
#else
#define ARRIVALS_AHEAD
#endif
/* What jumps have added to the assets' log returns, in the units of path_log. With a bridge of
 * counts also, by source, the arrivals until the horizon. */
#define ARRIVALS_STATE                                                                             \
    lane jump_return[PATH_MAX_ASSETS];                                                             \
    path_count jump_total[PATH_MAX_COUNTS];                                                        \
    ARRIVALS_AHEAD
/* 1 for a single source of jumps on one asset: found ahead, or normal and drawn by interval */
#define ARRIVALS_IS_SHORT                                                                          \
    (PATH_looks_ahead || (!PATH_counts && PATH_arrivals_constant0 == 1 &&                          \
                          PATH_arrivals_constant1 == 1 && PATH_arrivals_constant2 == 1))
/* Jumps that are found ahead are added to the levels where the model moves these itself, so that a
 * path does not carry a sum more. In double the order of sums is a CPU's. */
#if LANE_GPU && defined(LANE_SINGLE)
#define ARRIVALS_IN_LEVELS                                                                         \
    (PATH_looks_ahead && !PATH_one_node && PATH_model_features & LEVY_MODEL_SCALES)
#else
#define ARRIVALS_IN_LEVELS 0
#endif

#endif
#if defined(PATH_MODELS)

/* Most steps of most paths have no arrival, and the code after an arrival is long. A CPU runs it
 * for a register of paths at once. On a GPU a thread's paths that jump take turns, each spread over
 * the whole lane. The code then occurs once, and a warp repeats it as often as the thread with the
 * most jumping paths. `path` is the path whose turn it is. */
typedef struct PATH_NAME(turn) {
    uint32_t node, path;
    lane_mask jumps;
    points_state *points; /* for words past the point set */
} PATH_NAME(turn);

#if LANE_GPU
LANE_FN uint32_t PATH_NAME(jump_pick)(lane_word all, uint32_t path)
{
    uint32_t one = all.v[0];
    PATH_UNROLL
    for (int q = 1; q < LANES; ++q) {
        const uint32_t word = all.v[q];
        one = path == (uint32_t)q ? word : one;
    }
    return one;
}

LANE_FN lane_word PATH_NAME(jump_draw)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                       uint32_t draw)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_generator == POINTS_SOBOL && !PATH_padded)
        return lane_word_of(s->points->sobol.base[draw * PATH_base_rows + turn->path] ^
                            sobol_low(&s->points->sobol, (int32_t)draw, PATH_low_words, false));
    if (PATH_generator == POINTS_PHILOX && PATH_looks_ahead)
        return points_philox(turn->points, draw);
    return lane_word_of(PATH_NAME(jump_pick)(PATH_NAME(word)(s, draw), turn->path));
}

LANE_FN lane_word PATH_NAME(jump_word)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t k)
{
    const path_view *const v = s->v;
    (void)v;
    return PATH_NAME(jump_draw)(s, turn,
                                PATH_nodes * PATH_factors + turn->node * PATH_auxiliary + k);
}

LANE_FN void PATH_NAME(jump_add)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t asset,
                                 lane sum)
{
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) PATH_UNROLL
    for (int q = 0; q < LANES; ++q) {
        const real before = s->jump_return[a].v[q], after = before + sum.v[0];
        s->jump_return[a].v[q] = a == asset && turn->path == (uint32_t)q ? after : before;
    }
}

/* Not inlined: it is rare, and the traversal needs the registers. */
static __device__ __noinline__ real PATH_NAME(jump_several)(const uint32_t *law, uint32_t word,
                                                            uint64_t beyond, uint32_t path_low,
                                                            uint32_t path_high, uint32_t stream)
{
    points_state one;
    lane_mask all;
    for (int q = 0; q < LANES; ++q) all.v[q] = true;
    one.beyond = beyond;
    one.path_low = lane_word_of(path_low);
    one.path_high = lane_word_of(path_high);
    return jumps_count(law, lane_word_of(word), all, &one, stream).v[0];
}

LANE_FN lane PATH_NAME(jump_count)(const PATH_NAME(turn) *turn, const jumps_arrival *arrival,
                                   const uint32_t *law, uint32_t stream, lane_word word)
{
    if (word.v[0] < arrival->two) return lane_of(R(1.0));
    return lane_of(PATH_NAME(jump_several)(law, word.v[0], turn->points->beyond,
                                           turn->points->path_low.v[0],
                                           turn->points->path_high.v[0], stream));
}
#else
LANE_FN lane_word PATH_NAME(jump_draw)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                       uint32_t draw)
{
    (void)turn;
    return PATH_NAME(word)(s, draw);
}

LANE_FN lane_word PATH_NAME(jump_word)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t k)
{
    return PATH_NAME(node_word)(s, turn->node, k);
}

LANE_FN void PATH_NAME(jump_add)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t asset,
                                 lane sum)
{
    s->jump_return[asset] = s->jump_return[asset] + lane_select(turn->jumps, sum, lane_of(R(0.0)));
}

LANE_FN lane PATH_NAME(jump_count)(const PATH_NAME(turn) *turn, const jumps_arrival *arrival,
                                   const uint32_t *law, uint32_t stream, lane_word word)
{
    if (!lane_any(turn->jumps & lane_word_at_least(word, arrival->two))) return lane_of(R(1.0));
    return jumps_count(law, word, turn->jumps, turn->points, stream);
}
#endif

/* Where the sources and their targets stand in the model's words. */
LANE_FN const uint32_t *PATH_NAME(jump_sources)(const path_view *v)
{
    const uint32_t n_sources = PATH_arrivals_constant0;
    return v->arrivals_words +
           (PATH_counts ? n_sources * JUMPS_ARRIVAL_WORDS + PATH_nodes * JUMPS_SPLIT_WORDS
                        : PATH_nodes * n_sources * JUMPS_ARRIVAL_WORDS);
}

LANE_FN const jumps_target *PATH_NAME(jump_targets)(const path_view *v)
{
    return (const jumps_target *)(PATH_NAME(jump_sources)(v) +
                                  PATH_arrivals_constant0 * JUMPS_SOURCE_WORDS);
}

LANE_FN const jumps_move *PATH_NAME(jump_moves)(const path_view *v)
{
    return (const jumps_move *)(PATH_NAME(jump_targets)(v) + PATH_arrivals_constant2);
}

/* What dynamics m moves. Both callers read some move in any case: where the move was behind a null
 * pointer, nvcc 13.0 read through that. */
LANE_FN const jumps_moved *PATH_NAME(jump_moved)(const path_view *v, uint32_t m)
{
    const jumps_move *const moves = PATH_NAME(jump_moves)(v);
    return (const jumps_moved *)(moves + PATH_moves) + v->first_dynamics + m;
}

#if LANE_GPU
/* What only jumping paths read lies in local memory, where the path's number finds it. */
LANE_FN lane PATH_NAME(jump_read)(const lane *all, const PATH_NAME(turn) *turn)
{
    return lane_of(all->v[turn->path]);
}
LANE_FN void PATH_NAME(jump_write)(lane *all, const PATH_NAME(turn) *turn, lane one)
{
    all->v[turn->path] = one.v[0];
}
#else
LANE_FN lane PATH_NAME(jump_read)(const lane *all, const PATH_NAME(turn) *turn)
{
    (void)turn;
    return *all;
}
LANE_FN void PATH_NAME(jump_write)(lane *all, const PATH_NAME(turn) *turn, lane one)
{
    *all = lane_select(turn->jumps, one, *all);
}
#endif

/* Adds `count` arrivals, whose marks are `sum`, to the moves of their target. What counts rises has
 * one at a time. */
LANE_FN void PATH_NAME(jump_move)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                  const jumps_target *target, lane count, lane sum)
{
    const path_view *const v = s->v;
    const jumps_move *const moves = PATH_NAME(jump_moves)(v);
    const uint32_t t = (uint32_t)(target - PATH_NAME(jump_targets)(v));
    PATH_ROLL
    for (uint32_t k = 0; k < PATH_moves; ++k) {
        const real *const by = v->arrivals_reals + moves[k].first_real + 1;
        if (moves[k].target != t) continue;
        const lane rise = lane_fma(sum, lane_of(by[3]), lane_of(by[2])),
                   more = lane_fma(sum, lane_of(by[1]), count * by[0]) +
                          lane_select(sum > R(0.0), rise, lane_of(R(0.0)));
        PATH_NAME(jump_write)(&s->jump_moves[k], turn,
                              PATH_NAME(jump_read)(&s->jump_moves[k], turn) + more);
    }
}

LANE_FN bool PATH_NAME(jump_is_normal)(PATH_NAME(state) *s, const jumps_target *target)
{
    const path_view *const v = s->v;
    const uint32_t codes = PATH_arrivals_constant1;
    (void)v;
    return codes == 1u << JUMPS_NORMAL ||
           (codes & 1u << JUMPS_NORMAL && target->code == JUMPS_NORMAL);
}

/* One mark that is not normal. */
LANE_FN lane PATH_NAME(jump_mark)(PATH_NAME(state) *s, const jumps_target *target, lane_word word)
{
    const path_view *const v = s->v;
    const uint32_t codes = PATH_arrivals_constant1;
    const real *const numbers = v->arrivals_reals + target->first_real;
    const bool exponential =
        codes == 1u << JUMPS_DOUBLE_EXPONENTIAL ||
        (codes & 1u << JUMPS_DOUBLE_EXPONENTIAL && target->code == JUMPS_DOUBLE_EXPONENTIAL);
    return exponential ? jumps_double_exponential(word, numbers)
                       : jumps_from_table(word, target->code, v->arrivals_words + target->table,
                                          target->size, target->shift, numbers);
}

/* The sum of `count` marks of a target. */
LANE_FN lane PATH_NAME(jump_marks)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                   const jumps_target *target, uint32_t stream, lane count)
{
    const path_view *const v = s->v;
    const uint32_t codes = PATH_arrivals_constant1;
    if (PATH_NAME(jump_is_normal)(s, target)) {
        /* A single target's numbers stand at the start of the reals. */
        const bool only = codes == 1u << JUMPS_NORMAL && PATH_arrivals_constant2 == 1;
        const lane sum = jumps_normal(PATH_NAME(jump_word)(s, turn, only ? 1 : target->first_word),
                                      count, v->arrivals_reals + (only ? 0 : target->first_real));
        if (PATH_moves) PATH_NAME(jump_move)(s, turn, target, count, sum);
        return sum;
    }
    lane sum = lane_of(R(0.0));
    PATH_NAME(turn) now = *turn;
    for (uint32_t j = 0;; ++j) {
        now.jumps = turn->jumps & (count > (real)(int32_t)j);
        if (!lane_any(now.jumps)) return sum;
        const lane_word word = j < target->n_words
                                   ? PATH_NAME(jump_word)(s, turn, target->first_word + j)
                                   : points_beyond(turn->points, stream, j - target->n_words);
        const lane mark = PATH_NAME(jump_mark)(s, target, word);
        if (PATH_moves) PATH_NAME(jump_move)(s, &now, target, lane_of(R(1.0)), mark);
        sum = sum + lane_select(now.jumps, mark, lane_of(R(0.0)));
    }
}

/* Of a source's words past the point set, the stream of target t. Targets of one row share words,
 * so they share the stream too. */
LANE_FN uint32_t PATH_NAME(jump_stream)(const path_view *v, const jumps_source *source,
                                        const jumps_target *targets, uint32_t t)
{
    const uint32_t first = source->first_target;
    (void)v, (void)targets;
    if (!(PATH_arrivals_constant3 & JUMPS_ROWS)) return t;
    return targets[t].first_word == targets[first].first_word ? first : t;
}

/* Of a node's streams of words past the point set, the sources' counts come first, then the
 * targets' marks. */
LANE_FN void PATH_NAME(jump)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                             const jumps_arrival *arrival, uint32_t i, lane_word word)
{
    const path_view *const v = s->v;
    const uint32_t n_sources = PATH_arrivals_constant0,
                   streams = turn->node * (n_sources + PATH_arrivals_constant2);
    const jumps_source *const source = (const jumps_source *)PATH_NAME(jump_sources)(v) + i;
    const jumps_target *const targets = PATH_NAME(jump_targets)(v);
    const lane count =
        PATH_NAME(jump_count)(turn, arrival, v->arrivals_words + arrival->law, streams + i, word);
    if (PATH_arrivals_constant2 == 1) {
        PATH_NAME(jump_add)(s, turn, PATH_assets == 1 ? 0 : targets->asset,
                            PATH_NAME(jump_marks)(s, turn, targets, streams + n_sources, count));
        return;
    }
    PATH_ROLL
    for (uint32_t t = source->first_target; t < source->first_target + source->n_targets; ++t)
        PATH_NAME(jump_add)(s, turn, PATH_assets == 1 ? 0 : targets[t].asset,
                            PATH_NAME(jump_marks)(s, turn, &targets[t],
                                                  streams + n_sources +
                                                      PATH_NAME(jump_stream)(v, source, targets, t),
                                                  count));
}

#if LANE_GPU
LANE_FN void PATH_NAME(jump_turns)(PATH_NAME(state) *s, uint32_t node, const jumps_arrival *arrival,
                                   uint32_t i, lane_word word)
{
    points_state one;
    PATH_NAME(turn) turn;
    uint32_t left = 0;
    turn.node = node;
    turn.points = &one;
    one.beyond = s->points->beyond;
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) {
        left |= word.v[q] >= arrival->one ? 1u << q : 0;
        turn.jumps.v[q] = true;
    }
    PATH_ROLL
    for (; left; left &= left - 1) {
        turn.path = (uint32_t)__ffs((int)left) - 1;
        /* A thread's paths lie in one block, LEVY_COLUMNS apart. */
        one.path_low = lane_word_of(s->points->path_low.v[0] + turn.path * LEVY_COLUMNS);
        one.path_high = lane_word_of(s->points->path_high.v[0]);
        PATH_NAME(jump)(s, &turn, arrival, i, PATH_NAME(jump_word)(s, &turn, i));
    }
}
#else /* rare and long, so not inlined into the traversal */
PATH_APART void PATH_NAME(jump_turns)(PATH_NAME(state) *s, uint32_t node,
                                      const jumps_arrival *arrival, uint32_t i, lane_word word)
{
    const PATH_NAME(turn) turn = {node, 0, lane_word_at_least(word, arrival->one), s->points};
    PATH_NAME(jump)(s, &turn, arrival, i, word);
}
#endif

#include "models/jump_bridge.h"
#if PATH_looks_ahead && !PATH_one_node
#include "models/jump_ahead.h"
#endif
#if PATH_looks_ahead && PATH_one_node
#include "models/jump_once.h"
#endif

/* By interval: a word for each node and source. */
LANE_FN void PATH_NAME(jump_step_of)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const uint32_t n_sources = PATH_arrivals_constant0;
    const jumps_arrival *const arrivals =
        (const jumps_arrival *)v->arrivals_words + node * n_sources;
    PATH_ROLL
    for (uint32_t i = 0; i < n_sources; ++i) {
        const lane_word word = PATH_NAME(node_word)(s, node, i);
#if LANE_GPU
        PATH_NAME(jump_turns)(s, node, &arrivals[i], i, word);
#else
        if (lane_any(lane_word_at_least(word, arrivals[i].one)))
            PATH_NAME(jump_turns)(s, node, &arrivals[i], i, word);
#endif
    }
}

LANE_FN void PATH_NAME(arrivals_step)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    (void)v;
#if PATH_looks_ahead
    PATH_NAME(jump_due)(s, node);
#else
    if (PATH_counts)
        PATH_NAME(jump_step_between)(s);
    else
        PATH_NAME(jump_step_of)(s, node);
#endif
}

LANE_FN void PATH_NAME(arrivals_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->jump_return[a] = lane_of(R(0.0));
    PATH_ROLL
    for (uint32_t k = 0; k < PATH_moves; ++k)
        s->jump_moves[k] = lane_of(v->arrivals_reals[PATH_NAME(jump_moves)(v)[k].first_real]);
}

/* The log return of asset a under dynamics m, with its jumps. */
LANE_FN lane PATH_NAME(arrivals_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a,
                                        lane log_return)
{
    const path_view *const v = s->v;
    const lane all = ARRIVALS_IN_LEVELS ? log_return : log_return + s->jump_return[a];
    (void)v, (void)m;
    if (!PATH_moves) return all;
    const jumps_moved *const moved = PATH_NAME(jump_moved)(v, m);
    const uint32_t k = moved->move > 0 ? moved->move - 1 : 0;
    const bool is_of = PATH_NAME(jump_moves)(v)[k].asset == a;
    if (moved->move == 0 || !is_of) return all;
    return lane_fma(s->jump_moves[k], lane_of(v->arrivals_reals[moved->size]), all);
}

/* An item's payment, by how much more likely the path's arrivals are under dynamics m. */
LANE_FN lane PATH_NAME(arrivals_settle)(PATH_NAME(state) *s, uint32_t m, lane value)
{
    const path_view *const v = s->v;
    (void)v, (void)m;
    if (!PATH_moves) return value;
    const jumps_moved *const moved = PATH_NAME(jump_moved)(v, m);
    const uint32_t k = moved->move > 0 ? moved->move - 1 : 0;
    const bool weighs = PATH_NAME(jump_moves)(v)[k].asset == JUMPS_WEIGHS;
    if (moved->move == 0 || !weighs) return value;
    return value *
           lane_fma(s->jump_moves[k], lane_of(v->arrivals_reals[moved->size]), lane_of(R(1.0)));
}

#endif
