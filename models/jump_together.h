/* jump_together.h: the arrivals of a warp's paths, found by all its threads together, in single on
 * Sobol points, where one list holds all nodes. A thread has few or many arrivals, and a warp would
 * wait for the thread that has the most of them. So threads write down theirs in shared memory, and
 * each finds every 32nd of all. What an arrival adds is known without its interval: a mark is a
 * share of all that are left, not of those left behind the interval, which differs in the last
 * digits. Then each thread puts its sums in order, in registers, by a network (K. Batcher, Sorting
 * networks and their applications, 1968). Part of jump_ahead.h, once per shape. Must not know:
 * payoffs. */

/* An arrival, for others: the thread's lane, the path, its number and how many the path has. Then
 * what is found: the interval's end and the path. */
typedef unsigned short jumps_shown;
enum {
    JUMPS_SHOWN_PATH = 5,
    JUMPS_SHOWN_NUMBER = 8,
    JUMPS_SHOWN_ALL = 12,
    JUMPS_SHOWN_MOST = 15, /* of a path */
    JUMPS_FOUND_PATH = 8
};

/* ---- Arrivals, and where they fall ---- */

/* The sum of eight bytes, which is one itself. */
LANE_FN uint32_t jumps_sum_of(uint64_t bytes)
{
    return (uint32_t)(bytes * 0x0101010101010101u >> 56);
}

/* The sum of the numbers of the lanes before. */
LANE_FN uint32_t jumps_before(uint32_t mine)
{
    uint32_t sum = mine;
#pragma unroll
    for (uint32_t by = 1; by < 32; by *= 2) {
        const uint32_t other = __shfl_up_sync(0xffffffffu, sum, by);
        sum += threadIdx.x % 32 >= by ? other : 0;
    }
    return sum - mine;
}

/* Writes down the thread's arrivals, path by path. */
LANE_FN void jumps_show(const jumps_progress *p, uint32_t left, jumps_shown *shown)
{
    uint32_t number = 0;
#pragma unroll 1
    while (left) {
        const uint32_t path = (uint32_t)__ffs((int)left) - 1, all = jumps_byte_of(p->total, path);
        *shown++ = (jumps_shown)(threadIdx.x % 32 | path << JUMPS_SHOWN_PATH |
                                 number << JUMPS_SHOWN_NUMBER | all << JUMPS_SHOWN_ALL);
        if (++number < all) continue;
        number = 0;
        left &= left - 1;
    }
}

/* Where the words of a path begin that split its counts. What does not depend on the draw is known
 * before, and distances between draws are in bytes, so that an address takes one instruction. */
typedef struct PATH_NAME(jump_gaps) {
    const char *base, *low[3];
    sobol_state sobol;
} PATH_NAME(jump_gaps);

LANE_FN PATH_NAME(jump_gaps)
    PATH_NAME(jump_gaps_of)(PATH_NAME(state) *s, uint32_t path, uint32_t column)
{
    const path_view *const v = s->v;
    const uint32_t first = PATH_nodes * PATH_factors;
    PATH_NAME(jump_gaps) gaps;
    gaps.sobol = s->points->sobol;
    gaps.sobol.gray = (uint32_t)sobol_gray(column);
    gaps.base = (const char *)(gaps.sobol.base + first * PATH_base_rows + path);
    PATH_UNROLL
    for (int run = 0; run < 3; ++run)
        gaps.low[run] =
            (const char *)sobol_low_run(&gaps.sobol, (int32_t)first, PATH_low_words, run);
    return gaps;
}

/* The word that splits the gap whose node is `node`. */
LANE_FN uint32_t PATH_NAME(jump_gap_word)(const path_view *v, const PATH_NAME(jump_gaps) *gaps,
                                          uint32_t node)
{
    const uint32_t draw = PATH_nodes * PATH_factors + node * PATH_auxiliary,
                   row = PATH_auxiliary * (uint32_t)sizeof(uint32_t) * node;
    uint32_t word = *(const uint32_t *)(gaps->base + row * PATH_base_rows);
    if (PATH_low_words == SOBOL_SINGLE)
        return word ^ sobol_low(&gaps->sobol, (int32_t)draw, PATH_low_words, false);
    PATH_UNROLL
    for (int run = 0; run < (PATH_low_words == SOBOL_TRIPLE ? 3 : 2); ++run)
        word ^= *(const uint32_t *)(gaps->low[run] + row * PATH_low_words);
    return word;
}

/* The end of the interval that holds arrival `number`, which `after` others follow. `few`: up to so
 * many arrivals have thresholds of one load. */
LANE_FN uint32_t PATH_NAME(jump_end_of)(const path_view *v, const PATH_NAME(jump_gaps) *gaps,
                                        uint32_t number, uint32_t after, uint32_t few)
{
    const jumps_split *const splits = PATH_NAME(jump_split)(v, 0);
    /* as in jump_interval_of */
    uint32_t first = 0, end = PATH_nodes - 1, entry = 1;
    PATH_ROLL
    while (first < end) {
        const jumps_split split = splits[entry];
        const uint32_t *const table = v->arrivals_words + split.table;
        const uint32_t word = PATH_NAME(jump_gap_word)(v, gaps, split.node),
                       all = number + after + 1;
        const uint32_t left =
            all <= few ? jumps_few_of(word, all, table) : jumps_left_of(word, all, table);
        if (number < left) {
            after = left - 1 - number;
            end = split.node;
            ++entry;
        } else {
            number -= left;
            entry += split.node + 1 - first;
            first = split.node + 1;
        }
    }
    return end;
}

/* Finds every 32nd of the warp's n arrivals. */
LANE_FN void PATH_NAME(jump_find_shown)(PATH_NAME(state) *s, uint32_t few, uint32_t n,
                                        jumps_shown *shown)
{
    PATH_ROLL
    for (uint32_t i = threadIdx.x % 32; i < n; i += 32) {
        const uint32_t one = shown[i], column = (threadIdx.x & ~31u) | (one & 31),
                       path = one >> JUMPS_SHOWN_PATH & 7, number = one >> JUMPS_SHOWN_NUMBER & 15,
                       all = one >> JUMPS_SHOWN_ALL;
        const PATH_NAME(jump_gaps) gaps = PATH_NAME(jump_gaps_of)(s, path, column);
        const uint32_t end = PATH_NAME(jump_end_of)(s->v, &gaps, number, all - 1 - number, few);
        shown[i] = (jumps_shown)(end | path << JUMPS_FOUND_PATH);
    }
}

/* ---- Marks: those of a path stand side by side in the list, from number 1 on ---- */

/* Lists the only normal marks of paths, which are all that is left. Returns the other paths that
 * have some. */
LANE_FN uint32_t PATH_NAME(jump_list_only)(PATH_NAME(state) *s, const jumps_progress *p)
{
    const lane rest = *s->remaining_marks;
    uint32_t others = 0, at = 1;
    PATH_UNROLL
    for (uint32_t q = 0; q < LANES; ++q) {
        const uint32_t all = jumps_byte_of(p->total, q);
        if (all == 1) s->jump_list->due[at].sum = rest.v[q];
        others |= all > 1 ? 1u << q : 0;
        at += all;
    }
    return others;
}

/* Lists the marks of the paths in `left`. The last normal one is what is left. */
LANE_FN void PATH_NAME(jump_list_marks)(PATH_NAME(state) *s, const jumps_progress *p, uint32_t left,
                                        bool normal)
{
    const path_view *const v = s->v;
    const jumps_target *const target = PATH_NAME(jump_targets)(v);
    const uint64_t starts = p->total * 0x0101010101010100u; /* by byte, sums of those before */
    const uint32_t stream = PATH_arrivals_constant0, unmade = normal ? 1 : 0;
    points_state one;
    PATH_NAME(turn) turn;
    uint32_t number = 0;
    lane rest = lane_of(R(0.0));
    turn.node = 0;
    turn.points = &one;
    one.beyond = s->points->beyond;
    one.path_high = lane_word_of(s->points->path_high.v[0]);
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) turn.jumps.v[q] = true;
    PATH_ROLL
    while (left) {
        turn.path = (uint32_t)__ffs((int)left) - 1;
        one.path_low = lane_word_of(s->points->path_low.v[0] + turn.path * LEVY_COLUMNS);
        jumps_due *const due = s->jump_list->due + jumps_byte_of(starts, turn.path) + number;
        const jumps_arrivals n = {0, jumps_byte_of(p->total, turn.path), 0};
        if (normal && number == 0) rest = PATH_NAME(jump_read)(s->remaining_marks, &turn);
        const lane mark =
            normal ? PATH_NAME(jump_next)(s, &turn, target, stream, &n, number, rest)
                   : PATH_NAME(jump_mark)(
                         s, target, PATH_NAME(jump_events)(s, &turn, target, stream, &n, number));
        rest = rest - mark;
        due[1].sum = mark.v[0];
        if (normal) due[2].sum = rest.v[0];
        if (++number + unmade < n.count) continue;
        number = 0;
        left &= left - 1;
    }
}

/* ---- Order ---- */

LANE_FN void jumps_exchange(uint32_t *keys, int i, int j)
{
    const uint32_t a = keys[i], b = keys[j];
    keys[i] = a < b ? a : b;
    keys[j] = a < b ? b : a;
}

/* Merges two halves of n keys from `first` on, of which every `step`-th is looked at. */
template <int first, int n, int step>
LANE_FN void jumps_merge(uint32_t *keys)
{
    if constexpr (2 * step < n) {
        jumps_merge<first, n, 2 * step>(keys);
        jumps_merge<first + step, n, 2 * step>(keys);
#pragma unroll
        for (int i = first + step; i + step < first + n; i += 2 * step)
            jumps_exchange(keys, i, i + step);
    } else {
        jumps_exchange(keys, first, first + step);
    }
}

template <int first, int n>
LANE_FN void jumps_sort(uint32_t *keys)
{
    if constexpr (n > 1) {
        jumps_sort<first, n / 2>(keys);
        jumps_sort<first + n / 2, n / 2>(keys);
        jumps_merge<first, n, 1>(keys);
    }
}

/* Puts up to JUMPS_SORTED sums in order. A key is an `at` whose number is the sum's own. */
LANE_FN void jumps_list_sort(jumps_list *list, const jumps_shown *shown, uint32_t n)
{
    uint32_t keys[JUMPS_SORTED + 1];
    real sums[JUMPS_SORTED];
#pragma unroll
    for (uint32_t i = 0; i < JUMPS_SORTED; ++i) {
        const uint32_t found = i < n ? shown[i] : (uint32_t)JUMPS_NOWHERE;
        keys[i] = found << JUMPS_PLACE | (i + 1) << JUMPS_NEXT | 1u << (found >> JUMPS_FOUND_PATH);
    }
    jumps_sort<0, JUMPS_SORTED>(keys);
    keys[JUMPS_SORTED] = (uint32_t)JUMPS_NOWHERE << JUMPS_PLACE;
#pragma unroll
    for (uint32_t i = 0; i < JUMPS_SORTED; ++i)
        sums[i] = list->due[keys[i] >> JUMPS_NEXT & 255].sum;
    list->due[0].at = (uint32_t)JUMPS_NOWHERE << JUMPS_PLACE | (n > 0 ? 1u << JUMPS_NEXT : 0);
#pragma unroll
    for (uint32_t i = 0; i < JUMPS_SORTED; ++i) {
        const uint32_t more = (keys[i] ^ keys[i + 1]) >> JUMPS_PLACE ? 0 : (uint32_t)JUMPS_MORE,
                       next = i + 1 < JUMPS_SORTED ? (i + 2) << JUMPS_NEXT : 0;
        const jumps_due one = {sums[i], (keys[i] & ~(255u << JUMPS_NEXT)) | next | more};
        list->due[i + 1] = one;
    }
}

/* The same of any number, one after the other. */
LANE_FN void jumps_list_insert(jumps_list *list, const jumps_shown *shown, uint32_t n)
{
    jumps_listed listed = jumps_list_clear(list);
#pragma unroll 1
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t found = shown[i], place = found & 255;
        jumps_list_link(list, &listed);
        jumps_list_put(list, &listed, jumps_list_before(list, &listed, place), place,
                       found >> JUMPS_FOUND_PATH, list->due[i + 1].sum);
    }
    jumps_list_link(list, &listed);
}

/* Lists what the paths' jumps add at all nodes. False: there are too many. */
LANE_FN bool PATH_NAME(jump_find_together)(PATH_NAME(state) *s, const jumps_progress *p)
{
    const path_view *const v = s->v;
    jumps_shown *const all = (jumps_shown *)v->shown;
    const bool normal = PATH_NAME(jump_is_normal)(s, PATH_NAME(jump_targets)(v)),
               few = (p->total & ~(JUMPS_SHOWN_MOST * 0x0101010101010101u)) == 0;
    const uint32_t mine = few ? jumps_sum_of(p->total) : 0, before = jumps_before(mine),
                   n = __shfl_sync(0xffffffffu, before + mine, 31);
    uint32_t some, left = PATH_NAME(jump_left)(p, &some);
    if (!__all_sync(0xffffffffu, few && mine <= JUMPS_ROOM && n <= PATH_together)) return false;
    jumps_show(p, left, all + before);
    __syncwarp();
    PATH_NAME(jump_find_shown)(s, p->most < JUMPS_FEW ? p->most : (uint32_t)JUMPS_FEW, n, all);
    if (normal) left = PATH_NAME(jump_list_only)(s, p);
    PATH_NAME(jump_list_marks)(s, p, left, normal);
    __syncwarp();
    if (mine <= JUMPS_SORTED)
        jumps_list_sort(s->jump_list, all + before, mine);
    else
        jumps_list_insert(s->jump_list, all + before, mine);
    __syncwarp();
    return true;
}
