/* steps.h: what a model adds to the assets' log growths beside its motion, node by node in the order of time, before anything
 * observes. Part of path.h, which alone includes it, once per shape. A model's own lanes stand in models/<kind>.h; here they
 * get their words. Must not know: payoffs. */

/* Word k of a node's draws outside the bridge: the model's first, PATH_model_draws of them. */
LANE_FN lane_word PATH_NAME(model_word)(PATH_NAME(state) *s, uint32_t node, uint32_t k)
{
    const path_view *const v = s->v;
    (void)v;
    return PATH_NAME(word)(s, PATH_nodes * PATH_factors + node * PATH_extra + k);
}

/* ---- Jumps (models/jumps.h) ----
 *
 * Most steps of most paths have no arrival, and what follows one is long. A CPU does it for a register of paths at once. On a
 * GPU the paths of a thread that jump take it one after the other, each spread over the lane, so that the code stands there
 * once, and a warp turns as often as the thread with the most of them: `path` says whose turn it is. */
typedef struct PATH_NAME(turn) {
    uint32_t node, path;
    lane_mask jumps;
} PATH_NAME(turn);

#if defined(__CUDACC__)
LANE_FN uint32_t PATH_NAME(jump_pick)(lane_word all, uint32_t path)
{
    uint32_t one = all.v[0];
    PATH_UNROLL
    for (int q = 1; q < LANES; ++q) one = path == (uint32_t)q ? all.v[q] : one;
    return one;
}

LANE_FN lane_word PATH_NAME(jump_word)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t k)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_generator == POINTS_SOBOL && !PATH_padded) {
        const uint32_t draw = PATH_nodes * PATH_factors + turn->node * PATH_extra + k;
        return lane_word_of(s->points->sobol.base[draw * PATH_base_rows + turn->path] ^ sobol_low(&s->points->sobol, (int32_t)draw, PATH_low_words));
    }
    return lane_word_of(PATH_NAME(jump_pick)(PATH_NAME(model_word)(s, turn->node, k), turn->path));
}

LANE_FN lane_word PATH_NAME(jump_beyond)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t stream, uint32_t index)
{
    points_state one;
    one.beyond = s->points->beyond;
    one.path_low = lane_word_of(PATH_NAME(jump_pick)(s->points->path_low, turn->path));
    one.path_high = lane_word_of(PATH_NAME(jump_pick)(s->points->path_high, turn->path));
    return points_beyond(&one, stream, index);
}

LANE_FN void PATH_NAME(jump_add)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t asset, lane sum)
{
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a)
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q)
            if (a == asset && turn->path == (uint32_t)q) s->beside[a].v[q] = s->beside[a].v[q] + sum.v[0];
}
#else
LANE_FN lane_word PATH_NAME(jump_word)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t k)
{
    return PATH_NAME(model_word)(s, turn->node, k);
}
LANE_FN lane_word PATH_NAME(jump_beyond)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t stream, uint32_t index)
{
    (void)turn;
    return points_beyond(s->points, stream, index);
}
LANE_FN void PATH_NAME(jump_add)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t asset, lane sum)
{
    s->beside[asset] = s->beside[asset] + lane_select(turn->jumps, sum, lane_of(R(0.0)));
}
#endif

/* Arrivals of the interval. Past the last threshold the law's tail goes on by hazards, a word each, without an end. */
LANE_FN lane PATH_NAME(jump_count)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, const uint32_t *law, uint32_t stream, lane_word word)
{
    const path_view *const v = s->v;
    const uint32_t *const table = law + JUMPS_LAW_TABLE;
    const uint32_t size = law[JUMPS_LAW_SIZE];
    lane count = lane_of((real)(int32_t)law[JUMPS_LAW_FIRST]);
    lane_mask more = turn->jumps;
    (void)v;
    if (PATH_model_constant3 && law[JUMPS_LAW_ALIAS]) {
        count = count + jumps_alias_count(word, table, size);
        more = more & (count == (real)(int32_t)(law[JUMPS_LAW_FIRST] + size - 1));
    } else {
        for (uint32_t j = 0;;) {
            more = more & lane_word_at_least(word, table[j]);
            if (!lane_any(more)) return count;
            if (++j == size) break;
            count = count + lane_select(more, lane_of(R(1.0)), lane_of(R(0.0)));
        }
    }
    const uint32_t *const hazards = table + (PATH_model_constant3 && law[JUMPS_LAW_ALIAS] ? 2 * size : size);
    for (uint32_t h = 0; lane_any(more); ++h) {
        const uint32_t last = law[JUMPS_LAW_HAZARDS] - 1;
        more = more & lane_word_at_least(PATH_NAME(jump_beyond)(s, turn, stream, h), hazards[h < last ? h : last]);
        count = count + lane_select(more, lane_of(R(1.0)), lane_of(R(0.0)));
    }
    return count;
}

/* The sum of `count` marks of a target. */
LANE_FN lane PATH_NAME(jump_marks)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, const jumps_target *target, uint32_t stream, lane count)
{
    const path_view *const v = s->v;
    const real *const numbers = v->model_reals + target->first_real;
    const uint32_t codes = PATH_model_constant1;
    if (codes == 1u << JUMPS_NORMAL || (codes & 1u << JUMPS_NORMAL && target->code == JUMPS_NORMAL))
        return jumps_normal(PATH_NAME(jump_word)(s, turn, target->first_word), count, numbers);
    lane sum = lane_of(R(0.0));
    for (uint32_t j = 0;; ++j) {
        const lane_mask more = turn->jumps & (count > (real)(int32_t)j);
        if (!lane_any(more)) return sum;
        const lane_word word = j < target->n_words ? PATH_NAME(jump_word)(s, turn, target->first_word + j)
                                                   : PATH_NAME(jump_beyond)(s, turn, stream, j - target->n_words);
        const bool exponential = codes == 1u << JUMPS_DOUBLE_EXPONENTIAL ||
                                 (codes & 1u << JUMPS_DOUBLE_EXPONENTIAL && target->code == JUMPS_DOUBLE_EXPONENTIAL);
        const lane mark = exponential ? jumps_double_exponential(word, numbers)
                                      : jumps_from_table(word, target->code, v->model_words + target->table, target->size, target->shift, numbers);
        sum = sum + lane_select(more, mark, lane_of(R(0.0)));
    }
}

/* Streams of words past the point set: of a node, first those of the sources' counts, then those of the targets' marks. */
LANE_FN void PATH_NAME(jump)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t i, lane_word word)
{
    const path_view *const v = s->v;
    const uint32_t n_sources = PATH_model_constant0, at = turn->node * n_sources + i;
    const uint32_t *const words = v->model_words + PATH_nodes * n_sources;
    const jumps_source *const source = (const jumps_source *)(words + PATH_nodes * n_sources) + i;
    const jumps_target *const targets = (const jumps_target *)(words + (PATH_nodes + JUMPS_SOURCE_WORDS) * n_sources);
    const uint32_t streams = turn->node * (n_sources + PATH_model_constant2);
    const lane count = PATH_NAME(jump_count)(s, turn, v->model_words + words[at], streams + i, word);
    for (uint32_t t = source->first_target; t < source->first_target + source->n_targets; ++t)
        PATH_NAME(jump_add)(s, turn, PATH_assets == 1 ? 0 : targets[t].asset,
                            PATH_NAME(jump_marks)(s, turn, &targets[t], streams + n_sources + t, count));
}

#if !defined(__CUDACC__) /* rare and long: apart from the walk */
static __attribute__((noinline, unused)) void PATH_NAME(jump_apart)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t i, lane_word word)
{
    PATH_NAME(jump)(s, turn, i, word);
}
#endif

LANE_FN void PATH_NAME(jumps)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const uint32_t n_sources = PATH_model_constant0;
    PATH_ROLL
    for (uint32_t i = 0; i < n_sources; ++i) {
        const lane_word word = PATH_NAME(model_word)(s, node, i);
        const uint32_t least = v->model_words[node * n_sources + i];
        PATH_NAME(turn) turn;
        turn.node = node;
        turn.path = 0;
#if defined(__CUDACC__)
        uint32_t left = 0;
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q) left |= word.v[q] >= least ? 1u << q : 0;
        PATH_ROLL
        for (; left; left &= left - 1) {
            turn.path = (uint32_t)__ffs((int)left) - 1;
            PATH_UNROLL
            for (int q = 0; q < LANES; ++q) turn.jumps.v[q] = true;
            PATH_NAME(jump)(s, &turn, i, lane_word_of(PATH_NAME(jump_pick)(word, turn.path)));
        }
#else
        turn.jumps = lane_word_at_least(word, least);
        if (lane_any(turn.jumps)) PATH_NAME(jump_apart)(s, &turn, i, word);
#endif
    }
}

/* ---- Any model ---- */

LANE_FN void PATH_NAME(model_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->beside[a] = lane_of(R(0.0));
}

/* The model moves on to a node. `step`: the factors' increments over the interval, of models that ask for them. */
LANE_FN void PATH_NAME(model_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    (void)v;
    (void)step;
    if (PATH_model == LEVY_MODEL_MERTON) PATH_NAME(jumps)(s, node);
    if (PATH_model == LEVY_MODEL_NORMAL_INVERSE_GAUSSIAN) {
        PATH_UNROLL
        for (uint32_t a = 0; a < PATH_assets; ++a)
            s->beside[a] = s->beside[a] + normal_inverse_gaussian_step(v->model_reals, v->model_words, node * PATH_assets + a,
                                                                       PATH_NAME(model_word)(s, node, a), step[a]);
    }
}
