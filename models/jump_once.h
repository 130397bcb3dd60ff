/* jump_once.h: the jumps of one source with one target on a GPU, where the grid has one node. No
 * interval is to be found, so all paths of a thread go side by side: their counts, the sums of
 * their normal marks, and those other marks that many paths have. Marks that few paths have take
 * turns. Words, laws and the order of sums are those of jump_bridge.h. Part of merton.h, once per
 * shape. Must not know: payoffs. */

/* A mark that one path in eight has goes side by side: a turn costs a warp three times as much as a
 * path's part of that, and the thread with the most turns decides. */
#define JUMPS_OFTEN 0xe0000000u

/* Do many paths have more than j arrivals? */
LANE_FN bool PATH_NAME(jump_often)(const path_view *v, uint32_t j)
{
    const uint32_t *const law = v->model_words + ((const jumps_arrival *)v->model_words)->law;
    const uint32_t first = law[JUMPS_LAW_FIRST];
    return j < first || (!law[JUMPS_LAW_ALIAS] && j - first < law[JUMPS_LAW_SIZE] &&
                         law[JUMPS_LAW_TABLE + j - first] < JUMPS_OFTEN);
}

/* Starts the paths' turns. */
LANE_FN void PATH_NAME(jump_turns_begin)(PATH_NAME(state) *s, PATH_NAME(turn) *turn,
                                         points_state *one)
{
    turn->node = 0;
    turn->points = one;
    one->key = s->points->key;
    one->beyond = s->points->beyond;
    one->path_high = lane_word_of(s->points->path_high.v[0]);
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) turn->jumps.v[q] = true;
}

LANE_FN void PATH_NAME(jump_turn_of)(PATH_NAME(state) *s, PATH_NAME(turn) *turn, uint32_t left)
{
    turn->path = (uint32_t)__ffs((int)left) - 1;
    turn->points->path_low = lane_word_of(s->points->path_low.v[0] + turn->path * LEVY_COLUMNS);
    turn->points->cached = 0xffffffffu;
}

/* The paths with more than `least` arrivals, a bit each. */
LANE_FN uint32_t PATH_NAME(jump_above)(lane count, real least)
{
    uint32_t paths = 0;
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) paths |= count.v[q] > least ? 1u << q : 0;
    return paths;
}

/* The sums of normal marks, which have a word of their own. In double, several marks are added one
 * by one, because their sum may differ from it in the last bit. */
LANE_FN lane PATH_NAME(jump_normal_once)(PATH_NAME(state) *s, const jumps_target *target,
                                         lane count)
{
    const path_view *const v = s->v;
    lane sum =
        jumps_normal(PATH_NAME(model_word)(s, 0, 1), count, v->model_reals + JUMPS_WEIGHT_REALS);
#if defined(LANE_SINGLE)
    (void)target;
#else
    points_state one;
    PATH_NAME(turn) turn;
    PATH_NAME(jump_turns_begin)(s, &turn, &one);
    s->left_of_marks[0] = sum;
    PATH_ROLL
    for (uint32_t left = PATH_NAME(jump_above)(count, R(1.0)); left; left &= left - 1) {
        PATH_NAME(jump_turn_of)(s, &turn, left);
        const jumps_arrivals n = {0, (uint32_t)PATH_NAME(jump_read)(&count, &turn).v[0], 0};
        const lane all =
            PATH_NAME(jump_marks_between)(s, &turn, target, 0, PATH_model_constant0, &n);
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q) sum.v[q] = turn.path == (uint32_t)q ? all.v[0] : sum.v[q];
    }
#endif
    return sum;
}

/* The sums of other marks. */
LANE_FN lane PATH_NAME(jump_others_once)(PATH_NAME(state) *s, const jumps_target *target,
                                         lane count)
{
    const path_view *const v = s->v;
    const bool by_table = PATH_model_constant1 != 1u << JUMPS_DOUBLE_EXPONENTIAL;
    lane sum = lane_of(R(0.0));
    uint32_t first = 0;
    PATH_ROLL
    for (; !by_table && first < target->n_words && PATH_NAME(jump_often)(v, first); ++first)
        sum = sum +
              lane_select(count > (real)(int32_t)first,
                          PATH_NAME(jump_mark)(s, target, PATH_NAME(model_word)(s, 0, 1 + first)),
                          lane_of(R(0.0)));
    points_state one;
    PATH_NAME(turn) turn;
    uint32_t left = PATH_NAME(jump_above)(count, (real)(int32_t)first), event = first;
    uint64_t total = 0;
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) total |= (uint64_t)(uint32_t)count.v[q] << 8 * q;
    PATH_NAME(jump_turns_begin)(s, &turn, &one);
    PATH_ROLL
    while (left) {
        PATH_NAME(jump_turn_of)(s, &turn, left);
        const lane_word word = PATH_NAME(jump_event)(s, &turn, target, PATH_model_constant0, event);
        const lane mark = PATH_NAME(jump_mark)(s, target, word);
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q)
            sum.v[q] = turn.path == (uint32_t)q ? sum.v[q] + mark.v[0] : sum.v[q];
        if (++event < jumps_byte_of(total, turn.path)) continue;
        left &= left - 1;
        event = first;
    }
    return sum;
}

/* Adds the jumps until the only node. */
LANE_FN void PATH_NAME(jump_due)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const jumps_target *const target = PATH_NAME(jump_targets)(v);
    const lane count = PATH_NAME(jump_count_all)(s, 0, PATH_NAME(model_word)(s, node, 0)),
               sum = PATH_NAME(jump_is_normal)(s, target)
                         ? PATH_NAME(jump_normal_once)(s, target, count)
                         : PATH_NAME(jump_others_once)(s, target, count);
    const uint32_t asset = PATH_assets == 1 ? 0 : target->asset;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a)
        if (a == asset) s->jump_return[a] = sum;
}
