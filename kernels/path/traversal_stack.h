/* traversal_stack.h: a GPU's traversals of any number of factors: depth first with a stack, or each
 * node from the one before. Part of traversal.h. Must not know: what happens at a node. */

/* The functionals' sums over all draws. The traversal then makes the draws again, because a thread
 * has no room to keep them. */
LANE_FN void PATH_NAME(gather_all)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_MAX_SUMS; ++i) s->sums[i] = lane_of(R(0.0));
    PATH_ROLL
    for (uint32_t entry = 0; entry < PATH_nodes; ++entry) PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) {
        const lane z = PATH_NAME(drawn)(s, (int32_t)entry, f);
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_functionals; ++j)
            s->sums[j * PATH_factors + f] = lane_fma(
                lane_of(v->gather[entry * PATH_functionals + j]), z, s->sums[j * PATH_factors + f]);
    }
}

/* The model looks ahead from a node on. Returns the node where it must look ahead again. */
LANE_FN uint32_t PATH_NAME(look_ahead)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const uint32_t remaining = PATH_nodes - node;
    return PATH_NAME(arrivals_ahead)(
        s, node, node + (remaining < LEVY_LOOK_NEAR ? remaining : LEVY_LOOK_NEAR),
        node + (remaining < LEVY_LOOK_FAR ? remaining : LEVY_LOOK_FAR));
}

/* Asks for the column's words of an entry to come, where shared memory leaves the first cache no
 * room for all of them. */
LANE_FN void PATH_NAME(ask_ahead)(PATH_NAME(state) *s, uint32_t entry)
{
    const path_view *const v = s->v;
    const uint32_t ahead = entry + 2;
    (void)v, (void)ahead;
    if (PATH_shared_segments && PATH_folded && !PATH_shared_low && ahead < PATH_nodes)
        lane_prefetch(s->points->sobol.low + SOBOL_SINGLE * PATH_factors * ahead);
}

/* The traversal with a stack, for any number of factors and any order of nodes. A driver that is
 * emitted at once never goes to the stack: a value is written there only if a later node needs it,
 * and each node reads it once. */
LANE_FN void PATH_NAME(traverse_stack)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    lane stack[PATH_MAX_STACK * PATH_MAX_FACTORS];
    path_count counts[PATH_carried ? PATH_MAX_STACK * PATH_MAX_COUNTS : 1];
    const uint32_t n_nodes = PATH_nodes; /* nothing that the loop stores can change it */
    /* 1: what a node reads first is loaded a node before */
    const bool early = PATH_own == 1;
    uint32_t top = 0, entry = 0, node = 0, descent = early ? v->descents[0] : 0;
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) stack[f] = lane_of(R(0.0));
    for (uint32_t i = 0; i < PATH_carried; ++i) counts[i] = path_no_count();
    PATH_ROLL
    do {
        const uint32_t until = PATH_looks_ahead ? PATH_NAME(look_ahead)(s, node) : n_nodes;
        PATH_ROLL
        for (; node < until; ++node) {
            lane driver[PATH_MAX_FACTORS];
            const uint32_t first = entry, past = entry + (early ? descent : v->descents[node]);
            PATH_EACH
            for (uint32_t f = 0; f < PATH_factors; ++f) driver[f] = stack[top * PATH_factors + f];
            PATH_UNROLL
            for (uint32_t i = 0; i < PATH_carried; ++i)
                s->count[i] = counts[top * PATH_carried + i];
            PATH_ROLL
            for (; entry < past; ++entry) {
                PATH_NAME(ask_ahead)(s, entry);
                if (entry > first) {
                    ++top;
                    PATH_EACH
                    for (uint32_t f = 0; f < PATH_factors; ++f)
                        stack[top * PATH_factors + f] = driver[f];
                    PATH_UNROLL
                    for (uint32_t i = 0; i < PATH_carried; ++i)
                        counts[top * PATH_carried + i] = s->count[i];
                }
                PATH_EACH
                for (uint32_t f = 0; f < PATH_factors; ++f)
                    driver[f] =
                        PATH_NAME(between)(s, (int32_t)entry, f, s->last_driver[f], driver[f]);
                PATH_UNROLL
                for (uint32_t i = 0; i < PATH_carried; ++i)
                    s->count[i] =
                        PATH_NAME(arrivals_count)(s, entry, i, s->counted[i], s->count[i]);
            }
            if (first == past) --top;
            if (early && node + 1 < n_nodes) descent = v->descents[node + 1];
            PATH_NAME(arrive)(s, node, driver);
        }
    } while (PATH_looks_ahead && node < n_nodes);
}

/* Each node is built from the one before, without a stack. */
LANE_FN void PATH_NAME(traverse_incremental)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    uint32_t ahead = 0;
    (void)v;
    PATH_ROLL
    for (uint32_t node = 0; node < PATH_nodes; ++node) {
        lane driver[PATH_MAX_FACTORS];
        if (PATH_looks_ahead && node >= ahead) ahead = PATH_NAME(look_ahead)(s, node);
        PATH_EACH
        for (uint32_t f = 0; f < PATH_factors; ++f)
            driver[f] = PATH_NAME(between)(s, (int32_t)node, f, PATH_NAME(last_driver)(s, f),
                                           PATH_NAME(last_driver)(s, f));
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_carried; ++i) /* a bridge of one node comes here too */
            s->count[i] = PATH_NAME(arrivals_count)(s, node, i, s->counted[i], s->counted[i]);
        PATH_NAME(arrive)(s, node, driver);
    }
}
