/* traversal_registers.h: a GPU's traversal of one factor with runs of 8 nodes in registers. Part of
 * traversal.h. Must not know: what happens at a node. */

/* The traversal of one factor with runs of 8 in registers. Where a slot is absent, its two
 * neighbours become each other's. A model has at most one count here. */
LANE_FN void PATH_NAME(point)(PATH_NAME(state) *s, int32_t *node, lane driver, path_count count)
{
    s->count[0] = count;
    PATH_NAME(emit)(s, (uint32_t)*node, &driver);
    s->last_driver[0] = driver;
    s->counted[0] = count;
    ++*node;
}

LANE_FN path_count PATH_NAME(count_between)(PATH_NAME(state) *s, int32_t entry, path_count left,
                                            path_count right)
{
    return PATH_carried ? PATH_NAME(arrivals_count)(s, (uint32_t)entry, 0, left, right) : right;
}

#if PATH_full
#define PATH_HAS(slot) 1
#else
#define PATH_HAS(slot) (present >> (slot - 1) & 1)
#endif
/* a node between the last one emitted and slot r, or r when it is not there */
#define PATH_BUILD(slot, r)                                                                        \
    lane m##slot = m##r;                                                                           \
    path_count c##slot = c##r;                                                                     \
    if (PATH_HAS(slot)) {                                                                          \
        c##slot = PATH_NAME(count_between)(s, entry, s->counted[0], c##r);                         \
        m##slot = PATH_NAME(between)(s, entry++, 0, s->last_driver[0], m##r);                      \
    }
#define PATH_EMIT(slot)                                                                            \
    if (PATH_HAS(slot)) PATH_NAME(point)(s, &node, m##slot, c##slot)

LANE_FN void PATH_NAME(run_of_eight)(PATH_NAME(state) *s, uint32_t present, int32_t entry,
                                     int32_t node, lane m8, path_count c8)
{
    (void)present;
    PATH_BUILD(4, 8);
    PATH_BUILD(2, 4);
    PATH_BUILD(1, 2);
    PATH_EMIT(1);
    PATH_EMIT(2);
    PATH_BUILD(3, 4);
    PATH_EMIT(3);
    PATH_EMIT(4);
    PATH_BUILD(6, 8);
    PATH_BUILD(5, 6);
    PATH_EMIT(5);
    PATH_EMIT(6);
    PATH_BUILD(7, 8);
    PATH_EMIT(7);
    PATH_NAME(point)(s, &node, m8, c8);
}

/* The first node after run g. */
LANE_FN uint32_t PATH_NAME(run_end)(const path_view *v, uint32_t g)
{
    return g + 1 < v->image->n_segments ? v->segments[g + 1].first_node : PATH_nodes;
}

/* The same as above, to the end of a run. */
LANE_FN uint32_t PATH_NAME(look_ahead_runs)(PATH_NAME(state) *s, uint32_t g)
{
    const path_view *const v = s->v;
    const uint32_t node = v->segments[g].first_node, near = PATH_NAME(run_end)(v, g);
    uint32_t far = near;
    PATH_ROLL
    while (far < PATH_nodes && PATH_NAME(run_end)(v, g + 1) - node <= LEVY_LOOK_FAR)
        far = PATH_NAME(run_end)(v, ++g);
    return PATH_NAME(arrivals_ahead)(s, node, near, far);
}

LANE_FN void PATH_NAME(traverse_registers)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    lane stack[PATH_MAX_STACK];
    path_count counts[PATH_carried ? PATH_MAX_STACK : 1];
    uint32_t top = 0, ahead = 0;
    stack[0] = lane_of(R(0.0));
    counts[0] = s->counted[0] = path_no_count();
    PATH_ROLL
    for (uint32_t g = 0; g < v->image->n_segments; ++g) {
        const levy_image_segment segment = v->segments[g];
        if (PATH_looks_ahead && segment.first_node >= ahead)
            ahead = PATH_NAME(look_ahead_runs)(s, g);
        uint32_t entry = segment.first_entry;
        PATH_ROLL
        for (uint32_t n = segment.pushes; n > 0; --n, ++entry, ++top) {
            if (PATH_carried)
                counts[top + 1] =
                    PATH_NAME(count_between)(s, (int32_t)entry, s->counted[0], counts[top]);
            stack[top + 1] =
                PATH_NAME(between)(s, (int32_t)entry, 0, s->last_driver[0], stack[top]);
        }
        const lane right = stack[top];
        const path_count count = counts[PATH_carried ? top : 0];
        --top;
        PATH_NAME(run_of_eight)(s, segment.present, (int32_t)entry, (int32_t)segment.first_node,
                                right, count);
    }
}
#undef PATH_HAS
#undef PATH_BUILD
#undef PATH_EMIT
