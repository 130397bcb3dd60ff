/* jump_once.h: the jumps of one source with one target on a GPU, where the grid has one node. No
 * interval is to be found, so all paths of a thread go side by side: their counts, the sums of
 * their normal marks, and those other marks that many paths have. Marks that few paths have take
 * turns. Words, laws and the order of sums are those of jump_bridge.h. Part of arrivals.h, once per
 * shape. Must not know: payoffs. */

/* A mark that one path in eight has goes side by side. It costs less than the turns of the thread
 * that has the most of them. */
#define JUMPS_OFTEN 0xe0000000u

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
    const real *const numbers = v->arrivals_reals + JUMPS_WEIGHT_REALS;
#if defined(LANE_SINGLE) && PATH_folded /* the word is folded like those of the bridge */
    real deviation = numbers[1];
    const lane z = PATH_NAME(draw)(s, 0, PATH_normal_mark, &deviation);
    lane sum = lane_fma(jumps_root(count) * deviation, z, count * numbers[0]);
#else
    lane sum = jumps_normal(PATH_NAME(node_word)(s, 0, 1), count, numbers);
#endif
#if defined(LANE_SINGLE)
    (void)target;
#else
    points_state one;
    PATH_NAME(turn) turn;
    PATH_NAME(jump_turns_begin)(s, &turn, &one);
    s->remaining_marks[0] = sum;
    PATH_ROLL
    for (uint32_t left = PATH_NAME(jump_above)(count, R(1.0)); left; left &= left - 1) {
        PATH_NAME(jump_turn_of)(s, &turn, left);
        const jumps_arrivals n = {0, (uint32_t)PATH_NAME(jump_read)(&count, &turn).v[0], 0};
        const lane all =
            PATH_NAME(jump_marks_between)(s, &turn, target, 0, PATH_arrivals_constant0, &n);
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q) sum.v[q] = turn.path == (uint32_t)q ? all.v[0] : sum.v[q];
    }
#endif
    return sum;
}

/* ---- Other marks: every event has a word ---- */

#if defined(LANE_SINGLE)
/* A double exponential mark's numbers, for words that lie below `falls` and others: what turns the
 * word into its distance from the end, the distance's unit, and what the share's logarithm is
 * multiplied with. */
typedef struct PATH_NAME(jump_sides) {
    uint32_t falls, turn;
    real unit[2], length[2];
} PATH_NAME(jump_sides);

LANE_FN PATH_NAME(jump_sides) PATH_NAME(jump_sides_of)(const real *numbers)
{
    const bool all = numbers[0] >= R(1.0);
    /* as a shift, because the compiler would make a second comparison of a selection */
    const uint32_t turn = (uint32_t)((int32_t)lane_one_as_bits(numbers[0] - R(1.0)) >> 31);
    const PATH_NAME(jump_sides) sides = {
        all ? 0 : (uint32_t)(numbers[0] * R(0x1p32)),
        turn,
        {numbers[1] * R(0x1p-32), numbers[all ? 1 : 2] * R(0x1p-32)},
        {numbers[3], numbers[all ? 3 : 4]}};
    return sides;
}

/* Adds a double exponential mark to the sum: a conversion where jumps.h needs two. An odd distance
 * is the middle of two words. */
LANE_FN lane PATH_NAME(jump_add_side)(const PATH_NAME(jump_sides) *sides, lane_word word, lane sum)
{
    lane share, length;
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) {
        const bool falls = word.v[q] < sides->falls;
        const uint32_t turn = falls ? 0u : sides->turn, distance = (word.v[q] ^ turn) | 1u;
        share.v[q] = (real)distance * (falls ? sides->unit[0] : sides->unit[1]);
        length.v[q] = falls ? sides->length[0] : sides->length[1];
    }
    return lane_fma(path_log(share), length, sum);
}
#else
typedef int PATH_NAME(jump_sides);
LANE_FN int PATH_NAME(jump_sides_of)(const real *numbers)
{
    (void)numbers;
    return 0;
}
#endif

/* Adds a mark to the sum. */
LANE_FN lane PATH_NAME(jump_add_mark)(PATH_NAME(state) *s, const jumps_target *target,
                                      const PATH_NAME(jump_sides) *sides, lane_word word, lane sum)
{
    const path_view *const v = s->v;
    (void)v, (void)sides;
#if defined(LANE_SINGLE)
    if (PATH_arrivals_constant1 == 1u << JUMPS_DOUBLE_EXPONENTIAL)
        return PATH_NAME(jump_add_side)(sides, word, sum);
#endif
    return sum + PATH_NAME(jump_mark)(s, target, word);
}

/* The word of an event of the path whose turn it is. */
LANE_FN lane_word PATH_NAME(jump_word_once)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                            const jumps_target *target, uint32_t event)
{
    const path_view *const v = s->v;
    (void)v;
    if (event < target->n_words) return PATH_NAME(jump_draw)(s, turn, PATH_factors + 1 + event);
    return points_beyond(turn->points, PATH_arrivals_constant0, event - target->n_words);
}

/* Adds the marks from event `first` on, a path at a time. */
LANE_FN lane PATH_NAME(jump_rest)(PATH_NAME(state) *s, const jumps_target *target,
                                  const PATH_NAME(jump_sides) *sides, lane count, uint32_t first,
                                  lane sum)
{
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
        const lane_word word = PATH_NAME(jump_word_once)(s, &turn, target, event);
        const lane mark = PATH_NAME(jump_add_mark)(s, target, sides, word, lane_of(R(0.0)));
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q)
            sum.v[q] = turn.path == (uint32_t)q ? sum.v[q] + mark.v[0] : sum.v[q];
        if (++event < jumps_byte_of(total, turn.path)) continue;
        left &= left - 1;
        event = first;
    }
    return sum;
}

/* The sums of marks. A look-up in a table serves one path only, so it takes turns. */
LANE_FN lane PATH_NAME(jump_others_once)(PATH_NAME(state) *s, const jumps_target *target,
                                         lane count)
{
    const path_view *const v = s->v;
    const bool turns = PATH_arrivals_constant1 != 1u << JUMPS_DOUBLE_EXPONENTIAL ||
                       PATH_arrivals_constant3 & JUMPS_ALIAS_COUNTS;
    const uint32_t *const law = v->arrivals_words + ((const jumps_arrival *)v->arrivals_words)->law,
                          *const table = law + JUMPS_LAW_TABLE;
    const uint32_t sure = law[JUMPS_LAW_FIRST], most = turns ? 0 : target->n_words;
    const PATH_NAME(jump_sides) sides =
        PATH_NAME(jump_sides_of)(v->arrivals_reals + JUMPS_WEIGHT_REALS);
    lane sum = lane_of(R(0.0));
    uint32_t event = 0;
    PATH_ROLL
    for (; event < most && (event < sure || table[event - sure] < JUMPS_OFTEN); ++event) {
        const lane_word word = PATH_NAME(node_word)(s, 0, 1 + event);
        sum = lane_select(count > (real)(int32_t)event,
                          PATH_NAME(jump_add_mark)(s, target, &sides, word, sum), sum);
    }
    return PATH_NAME(jump_rest)(s, target, &sides, count, event, sum);
}

/* Adds the jumps until the only node. */
LANE_FN void PATH_NAME(jump_due)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const jumps_target *const target = PATH_NAME(jump_targets)(v);
    const lane count = PATH_NAME(jump_count_all)(s, 0, PATH_NAME(node_word)(s, node, 0)),
               sum = PATH_NAME(jump_is_normal)(s, target)
                         ? PATH_NAME(jump_normal_once)(s, target, count)
                         : PATH_NAME(jump_others_once)(s, target, count);
    const uint32_t asset = PATH_assets == 1 ? 0 : target->asset;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a)
        if (a == asset) s->jump_return[a] = sum;
}
