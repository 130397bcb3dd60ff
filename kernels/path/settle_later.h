/* settle_later.h: programs whose segments run after the path, on a GPU: what they are worth, from
 * what dates have left. Part of the items' files that include it. */

/* What segments have of shared memory. */
LANE_FN lane *PATH_NAME(near_segments)(void)
{
#if PATH_near
    return PATH_near_segments;
#else
    return 0;
#endif
}

/* What item i's program on one path is worth. left: what dates have left there. */
LANE_FN lane PATH_NAME(later)(const path_view *v, uint32_t i, const lane *left, uint32_t stride,
                              lane *room)
{
    return script_later(PATH_item_variant(i), PATH_NAME(terms)(v, PAYOFF_SCRIPT, i),
                        PATH_NAME(node_terms)(v, i, 0), v->items[i].n_node_terms, left, stride,
                        room, PATH_NAME(near_segments)(), LEVY_COLUMNS);
}

#if PATH_turns
/* The items of a path have nearly the same segments, those of other paths have not, and a warp
 * waits for the thread that has most. So the threads of a warp take the items of a few paths, and
 * show the paths' own threads what they are worth. */
enum { PATH_TURN = 8 }; /* paths that stand together in memory, and in a warp */
static __shared__ lane PATH_NAME(worth)[PATH_items * LEVY_COLUMNS];

LANE_FN void PATH_NAME(settle_turns)(const path_view *v, lane *values)
{
    lane room[PATH_segments];
    __syncthreads();
    PATH_ROLL
    for (uint32_t turn = 0; turn < PATH_items; ++turn) {
        const uint32_t u = turn * LEVY_COLUMNS + threadIdx.x, i = u / PATH_TURN % PATH_items,
                       path = u / PATH_TURN / PATH_items * PATH_TURN + u % PATH_TURN;
        PATH_NAME(worth)[i * LEVY_COLUMNS + path] =
            PATH_NAME(later)(v, i, v->left_of_dates + (uint64_t)i * PATH_NAME(left_row)(v) + path,
                             LEVY_COLUMNS, room);
    }
    __syncthreads();
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = PATH_NAME(worth)[i * LEVY_COLUMNS + threadIdx.x];
}
#endif

/* One item after the other, in one room. */
LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) script_leave(&s->segments[i], script_never());
#if PATH_turns
    PATH_NAME(settle_turns)(v, values);
#else
    lane room[PATH_segments];
    PATH_ROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = PATH_NAME(later)(v, i, s->left_of_dates + i * PATH_left, 1, room);
#endif
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
    }
}
