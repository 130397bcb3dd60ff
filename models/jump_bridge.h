/* jump_bridge.h: jumps whose counts are built like a bridge. The first word of a source gives its
 * arrivals until the horizon. At an entry of the bridge, those of its gap fall to the left or to
 * the right by a binomial law. So the first dimensions decide about most of what jumps do, as they
 * do for the diffusion; with a word for each interval, all dimensions would matter alike. Marks are
 * numbered by the arrivals before them, so that an arrival keeps its mark where its date moves. The
 * sum of all normal marks comes first, and each mark takes its share of what is left. Source: B.
 * Fox, Strategies for Quasi-Monte Carlo, Kluwer, 1999. Part of arrivals.h, once per shape. Must not
 * know: payoffs. */

LANE_FN const jumps_split *PATH_NAME(jump_split)(const path_view *v, uint32_t entry)
{
    const uint32_t *const splits =
        v->arrivals_words + PATH_arrivals_constant0 * JUMPS_ARRIVAL_WORDS;
    return (const jumps_split *)splits + entry;
}

/* ---- The words of events ---- */

/* Word `event` of a target: one of the point set's as long as there are some. */
LANE_FN lane_word PATH_NAME(jump_event)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                        const jumps_target *target, uint32_t stream, uint32_t event)
{
    const path_view *const v = s->v;
    const uint32_t n_words = PATH_arrivals_constant1 == 1u << JUMPS_NORMAL ? 1 : target->n_words;
    uint32_t slot = 0, entry = event;
    for (; entry >= PATH_nodes && slot < n_words; ++slot) entry -= PATH_nodes;
    if (slot == n_words) return points_beyond(turn->points, stream, entry);
    const uint32_t node = PATH_NAME(jump_split)(v, entry)->event,
                   word = (PATH_arrivals_constant2 == 1 ? 1 : target->first_word) + slot;
    return PATH_NAME(jump_draw)(s, turn, PATH_nodes * PATH_factors + node * PATH_auxiliary + word);
}

#if LANE_GPU
LANE_FN lane_word PATH_NAME(jump_events)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                         const jumps_target *target, uint32_t stream,
                                         const jumps_arrivals *n, uint32_t j)
{
    return PATH_NAME(jump_event)(s, turn, target, stream, n->before + j);
}

/* Does the turn have an arrival j? */
LANE_FN bool PATH_NAME(jump_has)(const PATH_NAME(turn) *turn, const jumps_arrivals *n, uint32_t j,
                                 PATH_NAME(turn) *now)
{
    (void)turn, (void)now;
    return j < n->count;
}

/* Weights of mark j, and whether another mark comes after it. */
LANE_FN lane_mask PATH_NAME(jump_weigh)(const path_view *v, const PATH_NAME(turn) *turn,
                                        const jumps_arrivals *n, uint32_t j, lane *sum,
                                        lane *deviation)
{
    const uint32_t later = n->later + n->count - 1 - j;
    const jumps_weights weights = ((const jumps_weights *)v->arrivals_reals)[later];
    (void)turn;
    *sum = lane_of(weights.sum);
    *deviation = lane_of(weights.deviation);
    return *deviation > R(0.0);
}
#else
LANE_FN lane_word PATH_NAME(jump_events)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                         const jumps_target *target, uint32_t stream,
                                         const jumps_arrivals *n, uint32_t j)
{
    const path_view *const v = s->v;
    lane_word words = lane_word_of(0);
    (void)v;
    /* in the only interval all paths have event j */
    if (PATH_nodes == 1) return PATH_NAME(jump_event)(s, turn, target, stream, j);
    for (int i = 0; i < LANES; ++i)
        if (turn->jumps[i])
            words[i] =
                PATH_NAME(jump_event)(s, turn, target, stream, (uint32_t)n->before[i] + j)[i];
    return words;
}

LANE_FN bool PATH_NAME(jump_has)(const PATH_NAME(turn) *turn, const jumps_arrivals *n, uint32_t j,
                                 PATH_NAME(turn) *now)
{
    now->jumps = turn->jumps & (n->count > (real)(int32_t)j);
    return lane_any(now->jumps);
}

LANE_FN lane_mask PATH_NAME(jump_weigh)(const path_view *v, const PATH_NAME(turn) *turn,
                                        const jumps_arrivals *n, uint32_t j, lane *sum,
                                        lane *deviation)
{
    const jumps_weights *const weights = (const jumps_weights *)v->arrivals_reals;
    *sum = *deviation = lane_of(R(0.0));
    for (int i = 0; i < LANES; ++i)
        if (turn->jumps[i]) {
            const uint32_t later = (uint32_t)n->later[i] + (uint32_t)n->count[i] - 1 - j;
            (*sum)[i] = weights[later].sum;
            (*deviation)[i] = weights[later].deviation;
        }
    return turn->jumps & (*deviation > R(0.0));
}
#endif

/* ---- Marks ---- */

/* Normal mark j of an interval, given the sum of all that are left. The last one is that sum. */
LANE_FN lane PATH_NAME(jump_next)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                  const jumps_target *target, uint32_t stream,
                                  const jumps_arrivals *n, uint32_t j, lane left)
{
    const path_view *const v = s->v;
    const real *const numbers =
        v->arrivals_reals +
        (PATH_arrivals_constant2 == 1 ? (uint32_t)JUMPS_WEIGHT_REALS : target->first_real);
    lane sum, deviation;
    const lane_mask more = PATH_NAME(jump_weigh)(v, turn, n, j, &sum, &deviation);
    if (!lane_any(more)) return left;
    const lane_word word = PATH_NAME(jump_events)(s, turn, target, stream, n, j + 1);
    return lane_select(more, lane_fma(deviation * numbers[1], normal_from_word(word), left * sum),
                       left);
}

/* The sum of an interval's marks of a target. If they are normal, `left` is the sum of all that are
 * left. */
LANE_FN lane PATH_NAME(jump_marks_of)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                      const jumps_target *target, uint32_t stream,
                                      const jumps_arrivals *n, bool normal, lane left)
{
    const path_view *const v = s->v;
    const lane zero = lane_of(R(0.0));
    PATH_NAME(turn) now = *turn;
    lane sum = zero;
    (void)v;
    PATH_ROLL
    for (uint32_t j = 0; PATH_NAME(jump_has)(turn, n, j, &now); ++j) {
        const lane mark =
            normal ? PATH_NAME(jump_next)(s, &now, target, stream, n, j, left - sum)
                   : PATH_NAME(jump_mark)(s, target,
                                          PATH_NAME(jump_events)(s, &now, target, stream, n, j));
        if (PATH_moves) PATH_NAME(jump_move)(s, &now, target, lane_of(R(1.0)), mark);
        sum = sum + lane_select(now.jumps, mark, zero);
    }
    return sum;
}

/* The same, where the sum of all normal marks has come first. */
LANE_FN lane PATH_NAME(jump_marks_between)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                           const jumps_target *target, uint32_t t, uint32_t stream,
                                           const jumps_arrivals *n)
{
    const bool normal = PATH_NAME(jump_is_normal)(s, target);
    const lane left = normal ? PATH_NAME(jump_read)(&s->remaining_marks[t], turn) : lane_of(R(0.0)),
               sum = PATH_NAME(jump_marks_of)(s, turn, target, stream, n, normal, left);
    if (normal) PATH_NAME(jump_write)(&s->remaining_marks[t], turn, left - sum);
    return sum;
}

/* Streams of words past the point set: the sources' counts come first, then the targets' marks. */
LANE_FN void PATH_NAME(jump_between)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn, uint32_t i,
                                     const jumps_arrivals *n)
{
    const path_view *const v = s->v;
    const uint32_t n_sources = PATH_arrivals_constant0;
    const jumps_source *const source = (const jumps_source *)PATH_NAME(jump_sources)(v) + i;
    const jumps_target *const targets = PATH_NAME(jump_targets)(v);
    const uint32_t first = PATH_arrivals_constant2 == 1 ? 0 : source->first_target,
                   past = PATH_arrivals_constant2 == 1 ? 1 : first + source->n_targets;
    PATH_ROLL
    for (uint32_t t = first; t < past; ++t)
        PATH_NAME(jump_add)(s, turn, PATH_assets == 1 ? 0 : targets[t].asset,
                            PATH_NAME(jump_marks_between)(
                                s, turn, &targets[t], t,
                                n_sources + PATH_NAME(jump_stream)(v, source, targets, t), n));
}

/* ---- Counts: of a source until the horizon, in the first entry. No path sees more than JUMPS_MOST
 * where 64 are expected. ---- */

#if LANE_GPU
/* Counts an arrival more of the paths whose words reach a threshold. */
LANE_FN lane PATH_NAME(jump_reach)(lane count, lane_word word, uint32_t threshold)
{
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q)
        count.v[q] = word.v[q] >= threshold ? count.v[q] + R(1.0) : count.v[q];
    return count;
}

/* The arrivals of the paths in `left`, whose words the law's thresholds do not decide. */
LANE_FN void PATH_NAME(jump_count_each)(PATH_NAME(state) *s, uint32_t i, const uint32_t *law,
                                        lane_word word, uint32_t left, lane *count)
{
    PATH_ROLL
    for (; left; left &= left - 1) {
        const uint32_t path = (uint32_t)__ffs((int)left) - 1;
        const real all = PATH_NAME(jump_several)(
            law, PATH_NAME(jump_pick)(word, path), s->points->beyond,
            s->points->path_low.v[0] + path * LEVY_COLUMNS, s->points->path_high.v[0], i);
        const real most = (real)JUMPS_MOST, capped = all < most ? all : most;
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q) count->v[q] = path == (uint32_t)q ? capped : count->v[q];
    }
}

/* All paths compare their words with a threshold at the same time, with the first ones in any case:
 * a branch would wait for its threshold. */
LANE_FN lane PATH_NAME(jump_count_all)(PATH_NAME(state) *s, uint32_t i, lane_word word)
{
    const path_view *const v = s->v;
    const uint32_t *const law = v->arrivals_words +
                                ((const jumps_arrival *)v->arrivals_words + i)->law,
                          *const table = law + JUMPS_LAW_TABLE;
    const uint32_t last = law[JUMPS_LAW_SIZE] - 1;
    lane count = lane_of((real)(int32_t)law[JUMPS_LAW_FIRST]);
    uint32_t largest = 0, left = (1u << LANES) - 1;
    if (!(PATH_arrivals_constant3 & JUMPS_ALIAS_COUNTS && law[JUMPS_LAW_ALIAS])) {
        PATH_UNROLL
        for (uint32_t j = 0; j < JUMPS_AT_ONCE; ++j)
            count = PATH_NAME(jump_reach)(count, word, j < last ? table[j] : 0xffffffffu);
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q) largest = word.v[q] > largest ? word.v[q] : largest;
        PATH_ROLL
        for (uint32_t j = JUMPS_AT_ONCE; j < last && largest >= table[j]; ++j)
            count = PATH_NAME(jump_reach)(count, word, table[j]);
        if (largest < table[last]) return count;
        left = 0;
        PATH_UNROLL
        for (int q = 0; q < LANES; ++q) left |= word.v[q] >= table[last] ? 1u << q : 0;
    }
    PATH_NAME(jump_count_each)(s, i, law, word, left, &count);
    return count;
}
#else
LANE_FN lane PATH_NAME(jump_count_all)(PATH_NAME(state) *s, uint32_t i, lane_word word)
{
    const path_view *const v = s->v;
    const jumps_arrival *const arrival = (const jumps_arrival *)v->arrivals_words + i;
    const lane_mask jumps = lane_word_at_least(word, arrival->one);
    if (!lane_any(jumps)) return lane_of(R(0.0));
    return lane_select(
        jumps,
        lane_min(jumps_count(v->arrivals_words + arrival->law, word, jumps, s->points, i),
                 lane_of((real)JUMPS_MOST)),
        lane_of(R(0.0)));
}
#endif

/* The sums of source i's normal marks until the horizon. */
LANE_FN void PATH_NAME(jump_sums)(PATH_NAME(state) *s, uint32_t i, lane count)
{
    const path_view *const v = s->v;
    const uint32_t node = PATH_NAME(jump_split)(v, 0)->event;
    const jumps_source *const source = (const jumps_source *)PATH_NAME(jump_sources)(v) + i;
    const jumps_target *const targets = PATH_NAME(jump_targets)(v);
    PATH_ROLL
    for (uint32_t t = source->first_target; t < source->first_target + source->n_targets; ++t)
        if (PATH_NAME(jump_is_normal)(s, &targets[t]))
            s->remaining_marks[t] =
                jumps_normal(PATH_NAME(node_word)(s, node, targets[t].first_word), count,
                             v->arrivals_reals + targets[t].first_real);
}

#if LANE_GPU
LANE_FN path_count PATH_NAME(jump_pack)(lane count)
{
    path_count packed = path_no_count();
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) packed.v[q / 4] |= (uint32_t)count.v[q] << 8 * (q % 4);
    return packed;
}

/* The paths whose bytes are not 0, a bit each: that of path q lies at 8 (q % 4) + q / 4. */
LANE_FN uint32_t PATH_NAME(jump_paths)(path_count bytes)
{
    uint32_t paths = 0;
    PATH_UNROLL
    for (int w = 0; w < (LANES + 3) / 4; ++w) {
        uint32_t bits = bytes.v[w];
        bits |= bits >> 4;
        bits |= bits >> 2;
        bits |= bits >> 1;
        paths |= (bits & 0x01010101) << w;
    }
    return paths;
}

LANE_FN uint32_t PATH_NAME(jump_byte)(path_count bytes, uint32_t bit)
{
    const uint32_t word = LANES > 4 && bit & 1 ? bytes.v[(LANES + 3) / 4 - 1] : bytes.v[0];
    return word >> (bit & 24) & 255;
}

/* A lone arrival needs a comparison, which all paths make together. Several take turns. */
LANE_FN path_count PATH_NAME(jump_split_gap)(PATH_NAME(state) *s, const jumps_split *split,
                                             uint32_t i, path_count gap)
{
    const path_view *const v = s->v;
    const uint32_t draw = PATH_nodes * PATH_factors + split->node * PATH_auxiliary + i;
    const uint32_t *const table = v->arrivals_words + split->table;
    const lane_word word = PATH_NAME(word)(s, draw);
    path_count part = path_no_count(), several = gap;
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q)
        part.v[q / 4] |= word.v[q] >= split->one ? 1u << 8 * (q % 4) : 0;
    PATH_UNROLL
    for (int w = 0; w < (LANES + 3) / 4; ++w) {
        part.v[w] &= gap.v[w];
        several.v[w] &= 0xfefefefe;
    }
    PATH_ROLL
    for (uint32_t left = PATH_NAME(jump_paths)(several); left; left &= left - 1) {
        PATH_NAME(turn) turn;
        const uint32_t bit = (uint32_t)__ffs((int)left) - 1;
        turn.path = bit / 8 + 4 * (bit & 1);
        const uint32_t word_of = PATH_NAME(jump_draw)(s, &turn, draw).v[0],
                       mine = jumps_left_of(word_of, PATH_NAME(jump_byte)(gap, bit), table);
        PATH_UNROLL
        for (int w = 0; w < (LANES + 3) / 4; ++w)
            if ((bit & 1) == (uint32_t)w)
                part.v[w] = (part.v[w] & ~(255u << (bit & 24))) | mine << (bit & 24);
    }
    return part;
}
#else
LANE_FN lane PATH_NAME(jump_pack)(lane count) { return count; }

LANE_FN lane PATH_NAME(jump_split_gap)(PATH_NAME(state) *s, const jumps_split *split, uint32_t i,
                                       lane gap)
{
    const path_view *const v = s->v;
    if (!lane_any(gap > R(0.0))) return gap;
    const lane_word word = PATH_NAME(node_word)(s, split->node, i);
    lane part = lane_select((gap > R(0.0)) & lane_word_at_least(word, split->one), lane_of(R(1.0)),
                            lane_of(R(0.0)));
    const uint32_t *const table = v->arrivals_words + split->table;
    if (lane_any(gap > R(1.0)))
        for (int k = 0; k < LANES; ++k)
            if (gap[k] > R(1.0))
                part[k] = (real)(int32_t)jumps_left_of(word[k], (uint32_t)gap[k], table);
    return part;
}
#endif

LANE_FN path_count PATH_NAME(arrivals_count)(PATH_NAME(state) *s, uint32_t entry, uint32_t i,
                                             path_count left, path_count right)
{
    const jumps_split *const split = PATH_NAME(jump_split)(s->v, entry);
    if (entry > 0)
        return path_count_sum(left,
                              PATH_NAME(jump_split_gap)(s, split, i, path_count_gap(left, right)));
    const lane count = PATH_NAME(jump_count_all)(s, i, PATH_NAME(node_word)(s, split->node, i));
    PATH_NAME(jump_sums)(s, i, count);
    s->jump_total[i] = PATH_NAME(jump_pack)(count);
    return s->jump_total[i];
}

/* ---- Steps ---- */

#if LANE_GPU
LANE_FN void PATH_NAME(jump_turns_between)(PATH_NAME(state) *s, uint32_t i)
{
    points_state one;
    PATH_NAME(turn) turn;
    const path_count gap = path_count_gap(s->counted[i], s->count[i]),
                     later = path_count_gap(s->count[i], s->jump_total[i]);
    turn.node = 0;
    turn.points = &one;
    one.beyond = s->points->beyond;
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) turn.jumps.v[q] = true;
    PATH_ROLL
    for (uint32_t left = PATH_NAME(jump_paths)(gap); left; left &= left - 1) {
        const uint32_t bit = (uint32_t)__ffs((int)left) - 1;
        const jumps_arrivals n = {PATH_NAME(jump_byte)(s->counted[i], bit),
                                  PATH_NAME(jump_byte)(gap, bit), PATH_NAME(jump_byte)(later, bit)};
        turn.path = bit / 8 + 4 * (bit & 1);
        one.path_low = lane_word_of(s->points->path_low.v[0] + turn.path * LEVY_COLUMNS);
        one.path_high = lane_word_of(s->points->path_high.v[0]);
        PATH_NAME(jump_between)(s, &turn, i, &n);
    }
}
#else
PATH_APART void PATH_NAME(jump_turns_between)(PATH_NAME(state) *s, uint32_t i)
{
    const PATH_NAME(turn) turn = {0, 0, s->count[i] > s->counted[i], s->points};
    const jumps_arrivals n = {s->counted[i], s->count[i] - s->counted[i],
                              s->jump_total[i] - s->count[i]};
    PATH_NAME(jump_between)(s, &turn, i, &n);
}
#endif

LANE_FN void PATH_NAME(jump_step_between)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_ROLL
    for (uint32_t i = 0; i < PATH_counts; ++i) {
#if LANE_GPU
        PATH_NAME(jump_turns_between)(s, i);
#else
        if (lane_any(s->count[i] > s->counted[i])) PATH_NAME(jump_turns_between)(s, i);
#endif
    }
}
