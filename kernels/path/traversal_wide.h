/* traversal_wide.h: a GPU's traversal with a stack of many factors, whose drivers lie in local or
 * in shared memory. Part of traversal.h. Must not know: what happens at a node. */

/* Drivers that are loaded, built and stored together; rows of the stack begin with a run. Runs of
 * two CTAs, or of two paths a thread, are shorter for want of registers. */
enum {
    PATH_RUN = LANE_PICK(PATH_ctas > 1 ? 4 : 8, 16) / LEVY_LANES,
    PATH_STRIDE = (PATH_factors + PATH_RUN - 1) / PATH_RUN * PATH_RUN
};

/* Asks for the column's words of the run of draws that follows. Where other warps hide that they
 * come late it costs more than it gains. */
LANE_FN void PATH_NAME(prefetch)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    const uint32_t last = PATH_nodes * PATH_factors - PATH_RUN;
    (void)v;
    if (LANE_PICK(0, PATH_ctas == 1) && PATH_folded && !PATH_shared_low)
        lane_prefetch(s->points->sobol.low +
                      SOBOL_SINGLE * ((draw < last ? draw : last) + threadIdx.x % PATH_RUN));
}

LANE_FN void PATH_NAME(load_run)(const lane *from, lane run[PATH_RUN])
{
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_RUN; ++i) run[i] = from[i];
}

/* Builds the n drivers of an entry from `first` on, from those of the node before and on its right.
 * The stack lies far away, and no load of it passes a store: so a run's loads come first. own NULL:
 * they take the places of the node before. */
LANE_FN void PATH_NAME(build_run)(PATH_NAME(state) *s, uint32_t entry, uint32_t first, uint32_t n,
                                  const lane *right, lane *own)
{
    lane run[PATH_RUN], left[PATH_RUN];
    PATH_NAME(load_run)(right + first, run);
    if (!PATH_held) PATH_NAME(load_run)(s->last_driver + first, left);
    PATH_UNROLL
    for (uint32_t i = 0; i < n; ++i)
        run[i] =
            PATH_NAME(between)(s, (int32_t)entry, first + i,
                               PATH_held ? PATH_NAME(last_driver)(s, first + i) : left[i], run[i]);
    PATH_UNROLL
    for (uint32_t i = 0; i < n; ++i)
        if (own)
            own[first + i] = run[i];
        else
            PATH_NAME(set_last_driver)(s, first + i, run[i]);
}

/* The drivers of an entry. */
LANE_FN void PATH_NAME(wide_drivers)(PATH_NAME(state) *s, uint32_t entry, const lane *right,
                                     lane *own)
{
    enum { WHOLE = PATH_factors / PATH_RUN * PATH_RUN };
    PATH_ROLL
    for (uint32_t f = 0; f < WHOLE; f += PATH_RUN) {
        PATH_NAME(prefetch)(s, entry * PATH_factors + f + PATH_RUN);
        PATH_NAME(build_run)(s, entry, f, PATH_RUN, right, own);
    }
    if (WHOLE < PATH_factors)
        PATH_NAME(build_run)(s, entry, WHOLE, PATH_factors - WHOLE, right, own);
}

/* A node that was built before the last one is the one before the next. */
LANE_FN void PATH_NAME(hold_drivers)(PATH_NAME(state) *s, const lane *driver)
{
    PATH_ROLL
    for (uint32_t f = 0; f < PATH_factors; f += PATH_RUN) {
        lane run[PATH_RUN];
        PATH_NAME(load_run)(driver + f, run);
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_RUN; ++i)
            if (f + i < PATH_factors) PATH_NAME(set_last_driver)(s, f + i, run[i]);
    }
}

/* Where a row of the stack begins: a held node's row never moves. */
LANE_FN uint32_t PATH_NAME(row)(const uint32_t *rows, uint32_t top)
{
    return PATH_held ? top * PATH_STRIDE : rows[top];
}

/* The same for many factors: a node's drivers stay where they are built, since every copy goes
 * through memory. Where they are not held, the row of the node before changes places with the row
 * of the one that is emitted. */
LANE_FN void PATH_NAME(traverse_wide)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    enum { ROWS = PATH_MAX_STACK + 1 };
    lane stack[(ROWS + !PATH_held) * PATH_STRIDE];
    uint32_t rows[ROWS],
        last = ROWS * PATH_STRIDE; /* where rows begin, and where the last node's does */
    path_count counts[PATH_carried ? ROWS * PATH_MAX_COUNTS : 1];
    uint32_t top = 0, entry = 0, ahead = 0;
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) stack[f] = lane_of(R(0.0));
    PATH_EACH
    for (uint32_t f = 0; !PATH_held && f < PATH_factors; ++f) stack[last + f] = lane_of(R(0.0));
    for (uint32_t i = 0; i < ROWS; ++i) rows[i] = i * PATH_STRIDE;
    for (uint32_t i = 0; i < PATH_carried; ++i) counts[i] = path_no_count();
    PATH_ROLL
    for (uint32_t node = 0; node < PATH_nodes; ++node, --top) {
        if (!PATH_held) s->last_driver = stack + last;
        if (PATH_looks_ahead && node >= ahead) ahead = PATH_NAME(look_ahead)(s, node);
        const uint32_t past = entry + v->descents[node];
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_carried; ++i) s->count[i] = counts[top * PATH_carried + i];
        PATH_ROLL
        for (; entry + PATH_held < past; ++entry) {
            const lane *const right = stack + PATH_NAME(row)(rows, top);
            lane *const own = stack + PATH_NAME(row)(rows, ++top);
            PATH_NAME(wide_drivers)(s, entry, right, own);
            PATH_UNROLL
            for (uint32_t i = 0; i < PATH_carried; ++i)
                counts[top * PATH_carried + i] = s->count[i] =
                    PATH_NAME(arrivals_count)(s, entry, i, s->counted[i], s->count[i]);
        }
        const lane *const driver = stack + PATH_NAME(row)(rows, top);
        if (!PATH_held) {
            PATH_NAME(emit_counted)(s, node, driver);
            const uint32_t free = last;
            last = rows[top];
            rows[top] = free;
            continue;
        }
        /* in the place of the one before, which no node needs any more */
        if (entry < past) {
            PATH_NAME(wide_drivers)(s, entry++, driver, NULL);
            ++top;
        } else {
            PATH_NAME(hold_drivers)(s, driver);
        }
        PATH_NAME(emit_counted)(s, node, NULL);
    }
}
