/* regime_switching.h: a node of a model whose driver is scaled by the regime of the path. Its
 * functions are made once per shape (model_lanes.h). Must not know: payoffs.
 *
 * Let regime r hold for the time tau_r of an interval. Given the chain, the log return is normal
 * with variance V = sum sigma_r^2 tau_r; it is the driver's step times sqrt(V / dt). If the
 * volatilities of several assets do not move in proportion, the driver is split at the switching
 * times instead, by bridges whose normals come from philox. The first stay of an interval is the
 * inverse of the node's own word; further stays come from philox, as many as needed. A regime that
 * holds through the interval jumps by the same rule, with the time to the next jump as the stay. */
#ifndef LEVY_MODELS_REGIME_SWITCHING_H
#define LEVY_MODELS_REGIME_SWITCHING_H

#include "kernels/lane/target.h"
#include "models/regime_lanes.h"

/* The path's regime, and the logarithm of its discounting by the regimes. All dynamics share the
 * first entry, except where the chain watches a level: then each dynamics has its own. Last what
 * the integrated normal moves of the log returns, and what items are shown of the former two. */
#define REGIME_SWITCHING_STATE                                                                     \
    lane_word regime[PATH_MAX_DYNAMICS];                                                           \
    lane discount[PATH_MAX_DYNAMICS];                                                              \
    lane slope[PATH_MAX_DYNAMICS][PATH_MAX_ASSETS];                                                \
    lane shown[2][PATH_MAX_ASSETS];
/* 1 for up to four regimes that hold from date to date */
#define REGIME_SWITCHING_IS_SHORT                                                                  \
    (!(PATH_model_constant0 & (REGIMES_EXACT | REGIMES_WATCHED | REGIMES_JUMPS)) &&                \
     (PATH_model_constant0 & REGIMES_COUNT) <= 4)
#define regime_switching_return no_return
#define regime_switching_between no_between

#endif
#if defined(PATH_MODELS)

#define PATH_regimes (PATH_model_constant0 & REGIMES_COUNT)
/* Where the philox counters of the regimes start, under the key of what a path draws beyond its
 * words. No other model uses these counters. */
#define PATH_REGIME_STREAM 0x40000000u

typedef struct PATH_NAME(regime_view) {
    const regime_four *rows, *chain, *nodes; /* [regime][asset], [regime], [node] */
    const real *marks;                       /* [regime][asset][8] */
    const uint32_t *words;
} PATH_NAME(regime_view);

LANE_FN PATH_NAME(regime_view) PATH_NAME(regimes_of)(const path_view *v)
{
    PATH_NAME(regime_view) out;
    out.rows = (const regime_four *)v->model_reals;
    out.chain = out.rows + PATH_regimes * PATH_assets;
    out.nodes = out.chain + PATH_regimes;
    out.marks = (out.nodes + PATH_nodes)->v;
    out.words = v->model_words;
    return out;
}

/* What the regimes do to an asset's step over an interval: the mean and the root mean square of the
 * scale, minus half of the square's excess over 1, and the log return. */
typedef struct PATH_NAME(regime_law) {
    lane mean, scale, half, log_return;
} PATH_NAME(regime_law);

/* Applies dynamics that add to the volatilities of all regimes. */
LANE_FN PATH_NAME(regime_law)
    PATH_NAME(regime_add)(PATH_NAME(regime_law) law, real added, uint32_t stepped)
{
    law.half = lane_fma(lane_of(-added), law.mean, law.half - R(0.5) * added * added);
    law.scale = stepped ? law.scale + added
                        : lane_sqrt(lane_max(lane_fma(law.half, lane_of(R(-2.0)), lane_of(R(1.0))),
                                             lane_of(R(0.0))));
    return law;
}

/* The same of what the integrated normal moves, whose share of the first factor's step is `share`.
 * On a CPU it stays out of the step that other paths run through. */
PAYOFF_NOINLINE void PATH_NAME(regime_slope)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                             uint32_t a, const lane *scale, const lane *share)
{
    const path_view *const v = s->v;
    const uint64_t row = (m * PATH_nodes + node) * PATH_assets + a;
    const real moved =
        v->factor[row * PATH_factors] * PATH_NAME(regimes_of)(v).nodes[node].v[REGIMES_MOVED];
    s->slope[m][a] = lane_fma(*scale, *share * moved, s->slope[m][a]);
}

/* Moves one asset under one dynamics. The regime scales its share of the driver, and its drift
 * falls by half the variance that the regime adds. */
LANE_FN void PATH_NAME(regime_move_one)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t a,
                                        PATH_NAME(regime_law) law, const lane *step)
{
    const path_view *const v = s->v;
    const uint32_t row = (m * PATH_nodes + node) * PATH_assets + a;
    const real *const factor = v->factor + (uint64_t)row * PATH_factors;
    if (PATH_model_constant0 & LEVY_MODEL_ADDED)
        law = PATH_NAME(regime_add)(law, v->added[m * PATH_assets + a],
                                    !(PATH_model_constant0 & REGIMES_EXACT));
    lane moved = step[0] * factor[0];
    PATH_UNROLL
    for (uint32_t f = 1; f < PATH_factors; ++f)
        moved = lane_fma(lane_of(factor[f]), step[f], moved);
    lane drift = lane_fma(law.half, lane_of(v->variance[row]), lane_of(v->drift[row]));
    if (PATH_model_constant0 & REGIMES_DRIFTS) drift = drift + law.log_return;
    s->level[m][a] = lane_fma(law.scale, moved, s->level[m][a] + drift);
    if (PATH_integrated) {
        const lane all = lane_of(R(1.0));
        PATH_NAME(regime_slope)(s, m, node, a, &law.scale, &all);
    }
}

LANE_FN void PATH_NAME(regime_move)(PATH_NAME(state) *s, uint32_t node, uint32_t a,
                                    const PATH_NAME(regime_law) *law, const lane *step)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m)
        PATH_NAME(regime_move_one)(s, m, node, a, *law, step);
}

/* The same over a part of the interval, for the lanes in `active`. */
LANE_FN void PATH_NAME(regime_piece)(PATH_NAME(state) *s, uint32_t node, uint32_t a,
                                     lane_mask active, lane share, const regime_row *row, lane hold,
                                     const lane *part)
{
    const path_view *const v = s->v;
    PATH_ROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        const uint32_t at = (m * PATH_nodes + node) * PATH_assets + a;
        const real *const factor = v->factor + (uint64_t)at * PATH_factors;
        lane moved = part[0] * factor[0];
        PATH_UNROLL
        for (uint32_t f = 1; f < PATH_factors; ++f)
            moved = lane_fma(lane_of(factor[f]), part[f], moved);
        PATH_NAME(regime_law) law = {row->v[REGIMES_SCALE], row->v[REGIMES_SCALE],
                                     row->v[REGIMES_HALF], hold};
        if (PATH_model_constant0 & LEVY_MODEL_ADDED)
            law = PATH_NAME(regime_add)(law, v->added[m * PATH_assets + a], 1);
        lane drift = share * lane_fma(law.half, lane_of(v->variance[at]), lane_of(v->drift[at]));
        if (PATH_model_constant0 & REGIMES_DRIFTS)
            drift = lane_fma(row->v[REGIMES_LOG_RETURN], hold, drift);
        s->level[m][a] =
            lane_select(active, lane_fma(law.scale, moved, s->level[m][a] + drift), s->level[m][a]);
        if (PATH_integrated) {
            const lane own = lane_select(active, share, lane_of(R(0.0)));
            PATH_NAME(regime_slope)(s, m, node, a, &law.scale, &own);
        }
    }
}

/* The assets of the lanes in `jumps` jump under dynamics [m, end). The marks are of the regime of
 * dynamics m. */
LANE_FN void PATH_NAME(regime_jump)(PATH_NAME(state) *s, const PATH_NAME(regime_view) *t,
                                    uint32_t node, uint32_t at, lane_mask jumps, lane_word word,
                                    uint32_t m, uint32_t end)
{
    const path_view *const v = s->v;
    philox_words more;
    (void)v;
    PATH_ROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        /* These counters lie past those of the normals in regime_part, which has at most 100
         * factors, four to a block. */
        if (a % 4 == 1)
            more = philox_draw(s->points->beyond, lane_word_of(at),
                               lane_word_of(PATH_REGIME_STREAM + node + (32 + a / 4) * PATH_nodes),
                               s->points->path_low, s->points->path_high);
        const lane mark =
            regime_mark(t->marks, (s->regime[m] * PATH_assets + a) * (uint32_t)REGIMES_MARK,
                        a == 0 ? word : more.w[a % 4]);
        PATH_UNROLL
        for (uint32_t to = m; to < end; ++to)
            s->level[to][a] = s->level[to][a] + lane_select(jumps, mark, lane_of(R(0.0)));
    }
}

/* Jumps while one regime holds through the interval. The time to the first is the inverse of the
 * node's last word; the others come from philox. Dynamics with chains of their own take the same
 * words. On a CPU this is not inlined, because the traversal needs the registers. */
#if LANE_GPU
LANE_FN
#else
PATH_APART
#endif
void PATH_NAME(regime_held_jumps)(PATH_NAME(state) *s, const PATH_NAME(regime_view) *t,
                                  uint32_t node, uint32_t m, uint32_t end)
{
    const path_view *const v = s->v;
    lane left = lane_of(t->nodes[node].v[REGIMES_DT]);
    regime_stay stay = regime_stay_of(
        t->chain, s->regime[m],
        lane_uniform_from_word(PATH_NAME(model_word)(s, node, PATH_regimes > 1 ? 1 : 0)), left);
    (void)v;
    for (uint32_t at = 0; lane_any(stay.going); ++at) {
        const lane_mask jumps = stay.going;
        const philox_words words = philox_draw(s->points->beyond, lane_word_of(at),
                                               lane_word_of(PATH_REGIME_STREAM + node),
                                               s->points->path_low, s->points->path_high);
        PATH_NAME(regime_jump)(s, t, node, at, jumps, words.w[3], m, end);
        left = lane_select(jumps, left - stay.hold, left);
        stay = regime_stay_of(t->chain, s->regime[m], lane_uniform_from_word(words.w[1]), left);
        stay.going = stay.going & jumps;
    }
}

/* A step in which the regime at the start of the interval holds through it. */
LANE_FN void PATH_NAME(regime_stepped)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    const PATH_NAME(regime_view) t = PATH_NAME(regimes_of)(v);
    const lane_word word = PATH_NAME(model_word)(s, node, 0) | 1u;
    s->regime[0] =
        regime_next(t.words + t.words[REGIMES_NODES + node], PATH_regimes, s->regime[0], word);
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        const regime_row row = regime_look_up(t.rows, s->regime[0] * PATH_assets + a);
        const lane log_return = PATH_model_constant0 & REGIMES_DRIFTS
                                    ? row.v[REGIMES_LOG_RETURN] * t.nodes[node].v[REGIMES_DT]
                                    : lane_of(R(0.0));
        const PATH_NAME(regime_law) law = {row.v[REGIMES_SCALE], row.v[REGIMES_SCALE],
                                           row.v[REGIMES_HALF], log_return};
        PATH_NAME(regime_move)(s, node, a, &law, step);
        if (PATH_model_constant0 & REGIMES_RATES && a == 0)
            s->discount[0] = lane_fma(row.v[REGIMES_DISCOUNT], lane_of(t.nodes[node].v[REGIMES_DT]),
                                      s->discount[0]);
    }
    if (PATH_model_constant0 & REGIMES_JUMPS)
        PATH_NAME(regime_held_jumps)(s, &t, node, 0, PATH_dynamics);
}

/* A step in which the chain watches an asset's return since today, separately in each dynamics. The
 * probability of the next regime is the chain's times the regime's weight in the bucket of the
 * return. */
LANE_FN void PATH_NAME(regime_watched)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    const PATH_NAME(regime_view) t = PATH_NAME(regimes_of)(v);
    /* There is one level fewer than buckets; the levels are padded to a multiple of four. */
    const uint32_t buckets = PATH_model_constant1, width = regime_leaves(PATH_regimes),
                   levels = (buckets + 2) / 4 * 4;
    const real *const levels_at =
        t.marks +
        (PATH_model_constant0 & REGIMES_JUMPS ? PATH_regimes * PATH_assets * REGIMES_MARK : 0);
    const real *const level_weights = levels_at + levels;
    const real *const chances = level_weights + buckets * width;
    const lane_word word = PATH_NAME(model_word)(s, node, 0);
    const real dt = t.nodes[node].v[REGIMES_DT];
    PATH_ROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        if (node == 0) {
            s->regime[m] = regime_next(t.words + t.words[REGIMES_NODES], PATH_regimes,
                                       lane_word_of(0), word | 1u);
        } else {
            lane_word bucket = lane_word_of(0);
            for (uint32_t j = 0; j + 1 < buckets; ++j)
                bucket = lane_word_select(
                    s->level[m][PATH_assets == 1 ? 0 : PATH_model_constant2] >= levels_at[j],
                    lane_word_of(j + 1), bucket);
            s->regime[m] =
                regime_next_by_level(chances + t.words[REGIMES_NODES + node], level_weights,
                                     PATH_regimes, s->regime[m] * width, bucket * width, word);
        }
        for (uint32_t a = 0; a < PATH_assets; ++a) {
            const regime_row row = regime_look_up(t.rows, s->regime[m] * PATH_assets + a);
            const PATH_NAME(regime_law) law = {row.v[REGIMES_SCALE], row.v[REGIMES_SCALE],
                                               row.v[REGIMES_HALF], row.v[REGIMES_LOG_RETURN] * dt};
            PATH_NAME(regime_move_one)(s, m, node, a, law, step);
            if (PATH_model_constant0 & REGIMES_RATES && a == 0)
                s->discount[m] = lane_fma(row.v[REGIMES_DISCOUNT], lane_of(dt), s->discount[m]);
        }
        if (PATH_model_constant0 & REGIMES_JUMPS)
            PATH_NAME(regime_held_jumps)(s, &t, node, m, m + 1);
    }
}

/* The uniform of the first stay of an interval. The first node's word also draws today's regime;
 * the rest of the word is uniform as well and serves the stay. */
LANE_FN lane PATH_NAME(regime_first)(PATH_NAME(state) *s, const PATH_NAME(regime_view) *t,
                                     uint32_t node)
{
    const path_view *const v = s->v;
    const lane_word word = PATH_NAME(model_word)(s, node, 0);
    (void)v;
    if (node > 0) return lane_uniform_from_word(word);
    const uint32_t *const starts = t->words + t->words[REGIMES_START];
    s->regime[0] = regime_next(starts, PATH_regimes, lane_word_of(0), word | 1u);
    const lane_word rest = (word >> 1) - ((lane_gather_word(starts - 1, s->regime[0]) + 1u) >> 1);
    const lane share = lane_gather(t->chain->v + REGIMES_SHARE, s->regime[0] * 4u);
    return lane_fma(lane_from_word(rest), share, share * R(0.5));
}

/* On the lanes in `going` the chain leaves its state, or the assets jump. Returns the stay that
 * follows. */
LANE_FN regime_stay PATH_NAME(regime_switch)(PATH_NAME(state) *s, const PATH_NAME(regime_view) *t,
                                             uint32_t node, uint32_t at, lane_mask going, lane left)
{
    const path_view *const v = s->v;
    const philox_words words =
        philox_draw(s->points->beyond, lane_word_of(at), lane_word_of(PATH_REGIME_STREAM + node),
                    s->points->path_low, s->points->path_high);
    const lane_word next = regime_next(t->words + t->words[REGIMES_TARGETS], PATH_regimes,
                                       s->regime[0], words.w[0] | 1u);
    lane_mask leaves = going;
    (void)v;
    if (PATH_model_constant0 & REGIMES_JUMPS) {
        const lane_mask jumps =
            going & (lane_uniform_from_word(words.w[2]) <
                     lane_gather(t->chain->v + REGIMES_JUMP, s->regime[0] * 4u));
        if (lane_any(jumps))
            PATH_NAME(regime_jump)(s, t, node, at, jumps, words.w[3], 0, PATH_dynamics);
        leaves = going & lane_not(jumps);
    }
    s->regime[0] = lane_word_select(leaves, next, s->regime[0]);
    regime_stay stay =
        regime_stay_of(t->chain, s->regime[0], lane_uniform_from_word(words.w[1]), left);
    stay.going = stay.going & going;
    return stay;
}

/* A step with simulated switching times, for assets whose volatilities move in proportion. */
LANE_FN void PATH_NAME(regime_exact)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    const PATH_NAME(regime_view) t = PATH_NAME(regimes_of)(v);
    const real inverse = t.nodes[node].v[REGIMES_INVERSE];
    const lane zero = lane_of(R(0.0));
    const lane first = PATH_NAME(regime_first)(s, &t, node);
    lane half[PATH_MAX_ASSETS], mean[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS],
        left = lane_of(t.nodes[node].v[REGIMES_DT]);
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) half[a] = mean[a] = log_return[a] = zero;
    regime_stay stay = regime_stay_of(t.chain, s->regime[0], first, left);
    lane_mask active = zero == zero;
    for (uint32_t at = 0;; ++at) {
        PATH_UNROLL
        for (uint32_t a = 0; a < PATH_assets; ++a) {
            const regime_row row = regime_look_up(t.rows, s->regime[0] * PATH_assets + a);
            half[a] =
                lane_select(active, lane_fma(row.v[REGIMES_HALF], stay.hold, half[a]), half[a]);
            if (PATH_model_constant0 & LEVY_MODEL_ADDED)
                mean[a] = lane_select(active, lane_fma(row.v[REGIMES_SCALE], stay.hold, mean[a]),
                                      mean[a]);
            if (PATH_model_constant0 & REGIMES_DRIFTS)
                log_return[a] = lane_select(
                    active, lane_fma(row.v[REGIMES_LOG_RETURN], stay.hold, log_return[a]),
                    log_return[a]);
            if (PATH_model_constant0 & REGIMES_RATES && a == 0)
                s->discount[0] = lane_select(
                    active, lane_fma(row.v[REGIMES_DISCOUNT], stay.hold, s->discount[0]),
                    s->discount[0]);
        }
        if (!lane_any(stay.going)) break;
        active = stay.going;
        left = lane_select(active, left - stay.hold, left);
        stay = PATH_NAME(regime_switch)(s, &t, node, at, active, left);
    }
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        const lane lacks = half[a] * inverse;
        const lane scale =
            lane_sqrt(lane_max(lane_fma(lacks, lane_of(R(-2.0)), lane_of(R(1.0))), zero));
        const PATH_NAME(regime_law) law = {mean[a] * inverse, scale, lacks, log_return[a]};
        PATH_NAME(regime_move)(s, node, a, &law, step);
    }
}

/* The driver's step over a stay. It is drawn from a bridge to the interval's end; the last stay
 * takes the rest of the step. */
LANE_FN void PATH_NAME(regime_part)(PATH_NAME(state) *s, uint32_t node, uint32_t at,
                                    const regime_stay *stay, lane left, real root, lane *rest,
                                    lane *part)
{
    const path_view *const v = s->v;
    const lane share = stay->hold / left,
               deviation = lane_sqrt(lane_max(share * (left - stay->hold), lane_of(R(0.0)))) * root;
    philox_words words;
    (void)v;
    PATH_ROLL
    for (uint32_t f = 0; f < PATH_factors; ++f) {
        if (f % 4 == 0)
            words = philox_draw(s->points->beyond, lane_word_of(at),
                                lane_word_of(PATH_REGIME_STREAM + node + (1 + f / 4) * PATH_nodes),
                                s->points->path_low, s->points->path_high);
        const lane z = normal_from_word(words.w[f % 4]);
        part[f] = lane_select(stay->going, lane_fma(deviation, z, share * rest[f]), rest[f]);
        rest[f] = rest[f] - part[f];
    }
}

/* A step with simulated switching times that splits the driver at them. */
LANE_FN void PATH_NAME(regime_split)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    const PATH_NAME(regime_view) t = PATH_NAME(regimes_of)(v);
    const regime_four *const time = &t.nodes[node];
    const lane first = PATH_NAME(regime_first)(s, &t, node);
    lane rest[PATH_MAX_FACTORS], part[PATH_MAX_FACTORS], left = lane_of(time->v[REGIMES_DT]);
    for (uint32_t f = 0; f < PATH_factors; ++f) rest[f] = step[f];
    regime_stay stay = regime_stay_of(t.chain, s->regime[0], first, left);
    lane_mask active = left == left;
    for (uint32_t at = 0;; ++at) {
        PATH_NAME(regime_part)(s, node, at, &stay, left, time->v[REGIMES_ROOT], rest, part);
        const lane share = stay.hold * time->v[REGIMES_INVERSE];
        for (uint32_t a = 0; a < PATH_assets; ++a) {
            const regime_row row = regime_look_up(t.rows, s->regime[0] * PATH_assets + a);
            PATH_NAME(regime_piece)(s, node, a, active, share, &row, stay.hold, part);
            if (PATH_model_constant0 & REGIMES_RATES && a == 0)
                s->discount[0] = lane_select(
                    active, lane_fma(row.v[REGIMES_DISCOUNT], stay.hold, s->discount[0]),
                    s->discount[0]);
        }
        if (!lane_any(stay.going)) break;
        active = stay.going;
        left = lane_select(active, left - stay.hold, left);
        stay = PATH_NAME(regime_switch)(s, &t, node, at, active, left);
    }
}

/* Moves the levels on by one interval. */
LANE_FN void PATH_NAME(regime_switching_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_model_constant0 & REGIMES_WATCHED)
        PATH_NAME(regime_watched)(s, node, step);
    else if (PATH_model_constant0 & REGIMES_SPLIT)
        PATH_NAME(regime_split)(s, node, step);
    else if (PATH_model_constant0 & REGIMES_EXACT)
        PATH_NAME(regime_exact)(s, node, step);
    else
        PATH_NAME(regime_stepped)(s, node, step);
}

LANE_FN void PATH_NAME(regime_switching_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        s->regime[m] = lane_word_of(0);
        s->discount[m] = lane_of(R(0.0));
        PATH_EACH
        for (uint32_t a = 0; PATH_integrated && a < PATH_assets; ++a)
            s->slope[m][a] = lane_of(R(0.0));
    }
}

LANE_FN const lane *PATH_NAME(regime_switching_slopes)(PATH_NAME(state) *s, uint32_t m)
{
    return s->slope[m];
}

/* The path's regime, or if k is 1 its discount factor. */
LANE_FN const lane *PATH_NAME(regime_switching_variances)(PATH_NAME(state) *s, uint32_t m, int k)
{
    const path_view *const v = s->v;
    const uint32_t at = PATH_model_constant0 & REGIMES_WATCHED ? m : 0;
    const lane x = k ? path_exp(s->discount[at]) : lane_from_word(s->regime[at]);
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->shown[k][a] = x;
    return s->shown[k];
}

/* What an item under dynamics m pays, discounted by the regimes that the path has been in. */
LANE_FN lane PATH_NAME(regime_switching_settle)(PATH_NAME(state) *s, uint32_t m, lane value)
{
    const path_view *const v = s->v;
    (void)v;
    if (!(PATH_model_constant0 & REGIMES_RATES) || PATH_discounts) return value;
    return value * path_exp(s->discount[PATH_model_constant0 & REGIMES_WATCHED ? m : 0]);
}

#undef PATH_regimes

#endif
