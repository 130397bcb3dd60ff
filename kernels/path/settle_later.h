/* settle_later.h: programs whose segments run after the path, on a GPU: their values, from what
 * the dates have saved. Part of the items' files that include it. */

/* The shared memory of segments, if they have any. */
LANE_FN lane *PATH_NAME(segments_at)(void)
{
#if PATH_shared_segments
    return PATH_SEGMENTS_AT;
#else
    return 0;
#endif
}

/* The value of item i's program on one path. deferred: what its dates have saved there. */
LANE_FN lane PATH_NAME(later)(const path_view *v, uint32_t i, const lane *deferred, uint32_t stride,
                              lane *room)
{
    return script_later(PATH_item_variant(i), PATH_NAME(terms)(v, PAYOFF_SCRIPT, i),
                        PATH_NAME(node_terms)(v, i, 0), v->items[i].n_node_terms, deferred, stride,
                        room, PATH_NAME(segments_at)(), LEVY_COLUMNS);
}

#if PATH_redistributed
/* Items of one path have nearly the same segments, items of different paths have not, and a warp
 * waits for its slowest thread. So items are redistributed: the threads of a warp compute the items
 * of PATH_GROUP paths, whose own threads then read the values. */
enum { PATH_GROUP = 8 };
static __shared__ lane PATH_NAME(worth)[PATH_items * LEVY_COLUMNS];

LANE_FN void PATH_NAME(settle_redistributed)(const path_view *v, lane *values)
{
    lane room[PATH_segments];
    __syncthreads();
    PATH_ROLL
    for (uint32_t k = 0; k < PATH_items; ++k) {
        const uint32_t u = k * LEVY_COLUMNS + threadIdx.x, i = u / PATH_GROUP % PATH_items,
                       path = u / PATH_GROUP / PATH_items * PATH_GROUP + u % PATH_GROUP;
        PATH_NAME(worth)[i * LEVY_COLUMNS + path] =
            PATH_NAME(later)(v, i, v->deferred + (uint64_t)i * PATH_NAME(deferred_row)(v) + path,
                             LEVY_COLUMNS, room);
    }
    __syncthreads();
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = PATH_NAME(worth)[i * LEVY_COLUMNS + threadIdx.x];
}
#endif

/* One item after the other, in the same room. */
LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) script_leave(&s->segments[i], script_never());
#if PATH_redistributed
    PATH_NAME(settle_redistributed)(v, values);
#else
    lane room[PATH_segments];
    PATH_ROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        values[i] = PATH_NAME(later)(v, i, s->deferred + i * PATH_deferred, 1, room);
#endif
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
    }
}
