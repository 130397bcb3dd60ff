/* jump_ahead.h: the jumps of one source with one target on a GPU, found ahead of the nodes.
 * Arrivals are few, so a thread follows each of its paths' arrivals down the bridge of counts
 * (jump_bridge.h) to the interval where it falls, makes that interval's marks, and lists their sum
 * by the node where it is due. At a node nothing is left but to add what is due. Part of
 * arrivals.h, once per shape. Must not know: payoffs. */

/* Where the words of the path whose turn it is begin that split its counts. What does not depend on
 * the draw is known before. */
typedef struct PATH_NAME(jump_words) {
    const PATH_NAME(turn) *turn;
    const uint32_t *base;
    sobol_state sobol;
} PATH_NAME(jump_words);

LANE_FN PATH_NAME(jump_words)
    PATH_NAME(jump_words_of)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn)
{
    const path_view *const v = s->v;
    const uint32_t first = PATH_nodes * PATH_factors;
    PATH_NAME(jump_words) words = {turn, s->points->sobol.base, s->points->sobol};
    words.base += first * PATH_base_rows + turn->path;
    words.sobol.low += first * PATH_low_words;
    return words;
}

/* The word that splits the gap whose node is `node`. */
LANE_FN uint32_t PATH_NAME(jump_split_word)(PATH_NAME(state) *s, const PATH_NAME(jump_words) *words,
                                            uint32_t node)
{
    const path_view *const v = s->v;
    const int32_t draw = (int32_t)(node * PATH_auxiliary);
    if (PATH_generator == POINTS_SOBOL && !PATH_padded)
        return words->base[draw * (int32_t)PATH_base_rows] ^
               sobol_low(&words->sobol, draw, PATH_low_words, false);
    return PATH_NAME(jump_draw)(s, words->turn, PATH_nodes * PATH_factors + (uint32_t)draw).v[0];
}

/* The interval that holds arrival `number` of a path's n. `many`: n may be more than have
 * thresholds. */
LANE_FN jumps_interval PATH_NAME(jump_interval_of)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                                   uint32_t number, uint32_t n, bool many)
{
    const path_view *const v = s->v;
    const PATH_NAME(jump_words) words = PATH_NAME(jump_words_of)(s, turn);
    /* The gap's nodes are first to end, of which the end is built. Its entries stand in the order
     * of the traversal: that of its node, those on the left, those on the right. `entry` is the
     * first. */
    uint32_t first = 0, end = PATH_nodes - 1, entry = 1;
    PATH_ROLL
    while (first < end) {
        const jumps_split split = *PATH_NAME(jump_split)(v, entry);
        const uint32_t *const table = v->arrivals_words + split.table;
        const uint32_t word = PATH_NAME(jump_split_word)(s, &words, split.node);
        uint32_t left = word >= split.one;
        if (n > 1) left = many ? jumps_left_of(word, n, table) : jumps_thresholds(word, n, table);
        if (number < left) {
            n = left;
            end = split.node;
            ++entry;
        } else {
            number -= left;
            n -= left;
            entry += split.node + 1 - first;
            first = split.node + 1;
        }
    }
    const jumps_interval found = {end, n};
    return found;
}

/* The next interval with arrivals of the path whose turn it is. */
LANE_FN jumps_interval PATH_NAME(jump_interval_next)(PATH_NAME(state) *s,
                                                     const PATH_NAME(turn) *turn,
                                                     const jumps_progress *p)
{
    const uint32_t number = jumps_byte_of(p->found, turn->path),
                   all = jumps_byte_of(p->total, turn->path);
    if (p->known >> turn->path & 1) return s->jump_list->next[turn->path];
    return all > p->most ? PATH_NAME(jump_interval_of)(s, turn, number, all, true)
                         : PATH_NAME(jump_interval_of)(s, turn, number, all, false);
}

/* All paths' arrivals until the horizon. */
LANE_FN jumps_progress PATH_NAME(jump_begin)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    const uint32_t node = PATH_NAME(jump_split)(v, 0)->node;
    const lane count = PATH_NAME(jump_count_all)(s, 0, PATH_NAME(node_word)(s, node, 0));
    const uint32_t most = v->arrivals_words[PATH_NAME(jump_split)(v, 1)->table + JUMPS_SPLIT_MOST];
    jumps_progress p = {0, 0, 0, most};
    PATH_NAME(jump_sums)(s, 0, count);
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) p.total |= (uint64_t)(uint32_t)count.v[q] << 8 * q;
    return p;
}

/* The paths with arrivals that have not been found, a bit each, and how many these are. */
LANE_FN uint32_t PATH_NAME(jump_left)(const jumps_progress *p, uint32_t *arrivals)
{
    uint32_t left = 0;
    *arrivals = 0;
    PATH_UNROLL
    for (uint32_t q = 0; q < LANES; ++q) {
        const uint32_t some = jumps_byte_of(p->total - p->found, q);
        left |= some ? 1u << q : 0;
        *arrivals += some;
    }
    return left;
}

/* Lists the path's next interval, if it ends before `until`. Is there more of the path? Memory
 * takes long to answer, so what is read does not wait for the interval or the marks where it need
 * not. */
LANE_FN bool PATH_NAME(jump_take)(PATH_NAME(state) *s, const PATH_NAME(turn) *turn,
                                  jumps_progress *p, jumps_listed *listed, uint32_t node,
                                  uint32_t until)
{
    const path_view *const v = s->v;
    const jumps_target *const target = PATH_NAME(jump_targets)(v);
    const bool normal = PATH_NAME(jump_is_normal)(s, target);
    const uint32_t path = turn->path, before = jumps_byte_of(p->found, path);
    const lane left = normal ? PATH_NAME(jump_read)(s->remaining_marks, turn) : lane_of(R(0.0));
    const jumps_interval next = PATH_NAME(jump_interval_next)(s, turn, p);
    const jumps_arrivals n = {before, next.count,
                              jumps_byte_of(p->total, path) - before - next.count};
    p->known &= ~(1u << path);
    jumps_list_link(s->jump_list, listed);
    if (next.end >= until) {
        p->known |= 1u << path;
        s->jump_list->next[path] = next;
        return false;
    }
    const uint32_t follows = jumps_list_before(s->jump_list, listed, next.end - node);
    const lane sum =
        PATH_NAME(jump_marks_of)(s, turn, target, PATH_arrivals_constant0, &n, normal, left);
    if (normal) PATH_NAME(jump_write)(s->remaining_marks, turn, left - sum);
    jumps_list_put(s->jump_list, listed, follows, next.end - node, path, sum.v[0]);
    p->found += (uint64_t)next.count << 8 * path;
    return n.later > 0;
}

#if PATH_together
#include "models/jump_together.h"
#endif

/* Lists what the paths' jumps add at the nodes from `node` on: until `far`, or if so many arrivals
 * have no room, until `near`. Returns which. */
LANE_FN uint32_t PATH_NAME(jump_find)(PATH_NAME(state) *s, uint32_t node, uint32_t near,
                                      uint32_t far)
{
    jumps_progress p = node == 0 ? PATH_NAME(jump_begin)(s) : s->jump_list->progress;
#if PATH_together
    if (node == 0 && PATH_NAME(jump_find_together)(s, &p)) return far;
#endif
    jumps_listed listed = jumps_list_clear(s->jump_list);
    uint32_t arrivals, left = PATH_NAME(jump_left)(&p, &arrivals);
    const uint32_t until = arrivals <= JUMPS_ROOM ? far : near;
    points_state one;
    PATH_NAME(turn) turn;
    turn.node = 0;
    turn.points = &one;
    one.key = s->points->key;
    one.beyond = s->points->beyond;
    one.path_high = lane_word_of(s->points->path_high.v[0]);
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) turn.jumps.v[q] = true;
    PATH_ROLL
    while (left) {
        turn.path = (uint32_t)__ffs((int)left) - 1;
        one.path_low = lane_word_of(s->points->path_low.v[0] + turn.path * LEVY_COLUMNS);
        one.cached = 0xffffffffu;
        if (!PATH_NAME(jump_take)(s, &turn, &p, &listed, node, until)) left &= left - 1;
    }
    jumps_list_link(s->jump_list, &listed);
    s->jump_list->progress = p;
    return until;
}

/* What is due next. */
LANE_FN void PATH_NAME(jump_next_due)(PATH_NAME(state) *s, uint32_t number)
{
    const jumps_due due = s->jump_list->due[number];
    s->jump_sum = due.sum;
    s->jump_at = due.at;
}

LANE_FN uint32_t PATH_NAME(arrivals_ahead)(PATH_NAME(state) *s, uint32_t node, uint32_t near,
                                           uint32_t far)
{
    const uint32_t until = PATH_NAME(jump_find)(s, node, near, far);
    s->jump_first = node;
    PATH_NAME(jump_next_due)(s, s->jump_list->due[0].at >> JUMPS_NEXT & 255);
    return until;
}

/* Adds what is due at a node. A sum says whether another one is due with it, and the place of the
 * next one is not taken out before the next node, so that nothing waits for what is due later. */
LANE_FN void PATH_NAME(jump_due)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const uint32_t asset = PATH_assets == 1 ? 0 : PATH_NAME(jump_targets)(v)->asset;
    bool more = s->jump_at < (node - s->jump_first + 1) << JUMPS_PLACE;
    PATH_ROLL
    while (more) {
        more = s->jump_at & JUMPS_MORE;
        PATH_UNROLL
        for (uint32_t m = 0; m < (ARRIVALS_IN_LEVELS ? PATH_dynamics : 1); ++m) PATH_UNROLL
        for (uint32_t a = 0; a < PATH_assets; ++a) PATH_UNROLL
        for (int q = 0; q < LANES; ++q) {
            real *const sum = &(ARRIVALS_IN_LEVELS ? s->level[m] : s->jump_return)[a].v[q];
            const real before = *sum, after = before + s->jump_sum;
            *sum = a == asset && s->jump_at >> q & 1 ? after : before;
        }
        PATH_NAME(jump_next_due)(s, s->jump_at >> JUMPS_NEXT & 255);
    }
}
