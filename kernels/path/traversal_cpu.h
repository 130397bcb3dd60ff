/* traversal_cpu.h: a CPU's traversal, for every construction but PCA. It keeps every driver, so
 * that an entry finds its neighbours by number, and takes the nodes in runs: one loop makes the
 * normals and drivers of a run, the other lets the nodes arrive that are ready. The turns of both
 * loops hardly wait for each other, and no branch depends on the order. The traversal with a stack
 * is a chain from node to node, and a processor can look ahead over few of its turns. Part of
 * traversal.h. Must not know: what happens at a node. */

/* The normals of Sobol's draws [draw, end). The turns of the loops are independent; in double a
 * loop of its own looks the normals up (normal_double.h). */
LANE_FN void PATH_NAME(sobol_normals)(PATH_NAME(state) *s, uint32_t draw, uint32_t end,
                                      lane *normals)
{
    const path_view *const v = s->v;
    const sobol_state *const sobol = &s->points->sobol;
    (void)v;
#if !defined(LANE_SINGLE)
    normal_place place[NORMAL_PLACES];
    while (!PATH_mixed && draw < end) {
        const uint32_t n = end - draw < NORMAL_PLACES ? end - draw : NORMAL_PLACES;
        for (uint32_t i = 0; i < n; ++i) place[i] = normal_place_of(sobol_word(sobol, draw++));
        for (uint32_t i = 0; i < n; ++i) *normals++ = normal_at(&place[i]);
    }
#endif
    while (draw < end) *normals++ = PATH_NAME(normal)(v, sobol_word(sobol, draw++));
}

/* The normals of entries [first, end) of the build order. Sobol words have a loop of their own:
 * beside the other generators' code, the normal's constants would lose their registers. */
PATH_APART void PATH_NAME(draws)(PATH_NAME(state) *s, uint32_t first, uint32_t end, lane *normals)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_generator == POINTS_SOBOL && !PATH_padded)
        PATH_NAME(sobol_normals)(s, first * PATH_factors, end * PATH_factors, normals);
    else
        for (uint32_t i = 0, draw = first * PATH_factors; draw < end * PATH_factors; ++i, ++draw)
            normals[i] = PATH_NAME(normal_of)(s, draw);
    if (PATH_integrated && first == 0) *normals = lane_of(R(0.0));
}

/* Keeps the draws and makes the functionals' sums, of which each is a chain. A few draws at a time,
 * so that several chains run side by side while the next draws are made. */
LANE_FN void PATH_NAME(gather_all)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    const uint32_t run = (8 + PATH_factors - 1) / PATH_factors;
    for (uint32_t i = 0; i < PATH_functionals * PATH_factors; ++i) s->sums[i] = lane_of(R(0.0));
    for (uint32_t first = 0; first < PATH_nodes; first += run) {
        const uint32_t end = first + run < PATH_nodes ? first + run : PATH_nodes;
        PATH_NAME(draws)(s, first, end, v->normals + first * PATH_factors);
        for (uint32_t j = 0; j < PATH_functionals; ++j)
            for (uint32_t f = 0; f < PATH_factors; ++f) {
                lane sum = s->sums[j * PATH_factors + f];
                for (uint32_t entry = first; entry < end; ++entry)
                    sum = lane_fma(lane_of(v->gather[entry * PATH_functionals + j]),
                                   v->normals[entry * PATH_factors + f], sum);
                s->sums[j * PATH_factors + f] = sum;
            }
    }
}

/* The normal that `gather_all` has kept, turned. */
LANE_FN lane PATH_NAME(kept)(PATH_NAME(state) *s, uint32_t entry, uint32_t f)
{
    const path_view *const v = s->v;
    return PATH_NAME(turned)(s, entry, f, v->normals[entry * PATH_factors + f]);
}

/* The drivers of entries [first, end). The normals come first: loads that wait for a store cost a
 * quarter more. */
PATH_APART void PATH_NAME(build_bridge)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    lane normals[PATH_AHEAD + PATH_MAX_FACTORS], *z = normals, *const drivers = v->drivers;
    if (!PATH_functionals) PATH_NAME(draws)(s, first, end, normals);
    for (uint32_t entry = first; PATH_functionals && entry < end; ++entry)
        for (uint32_t f = 0; f < PATH_factors; ++f) *z++ = PATH_NAME(kept)(s, entry, f);
    z = normals;
    for (uint32_t entry = first; entry < end; ++entry)
        for (uint32_t f = 0; f < PATH_factors; ++f) {
            const path_link link = v->links[entry];
            drivers[link.node * PATH_factors + f] =
                PATH_NAME(joined)(v, v->bridge[entry], *z++, drivers[link.left * PATH_factors + f],
                                  drivers[link.right * PATH_factors + f]);
        }
}

/* The same for gamma processes. */
PATH_APART void PATH_NAME(build_gamma)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    lane *const drivers = v->drivers;
    for (uint32_t entry = first; entry < end; ++entry)
        for (uint32_t f = 0; f < PATH_factors; ++f) {
            const path_link link = v->links[entry];
            drivers[link.node * PATH_factors + f] =
                PATH_NAME(between)(s, (int32_t)entry, f, drivers[link.left * PATH_factors + f],
                                   drivers[link.right * PATH_factors + f]);
        }
}

/* The incremental construction: each driver waits for the one before. So the normals are made
 * first, in the drivers' places. */
LANE_FN void PATH_NAME(build_incremental)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    PATH_NAME(draws)(s, first, end, v->drivers + (first + 1) * PATH_factors);
    for (uint32_t f = 0; f < PATH_factors; ++f) {
        lane left = v->drivers[first * PATH_factors + f];
        for (uint32_t entry = first; entry < end; ++entry) {
            lane *const driver = v->drivers + (entry + 1) * PATH_factors + f;
            *driver = left = PATH_NAME(joined)(v, v->bridge[entry], *driver, left, left);
        }
    }
}

/* The model's counts at the nodes of entries [first, end). */
LANE_FN void PATH_NAME(build_counts)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    for (uint32_t entry = first; entry < end; ++entry)
        for (uint32_t i = 0; i < PATH_counts; ++i) {
            const path_link link = v->links[entry];
            v->counts[link.node * PATH_counts + i] =
                PATH_NAME(arrivals_count)(s, entry, i, v->counts[link.left * PATH_counts + i],
                                          v->counts[link.right * PATH_counts + i]);
        }
}

LANE_FN void PATH_NAME(build)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_counts) PATH_NAME(build_counts)(s, first, end);
    if (PATH_model_features & LEVY_MODEL_GAMMA)
        PATH_NAME(build_gamma)(s, first, end);
    else if (PATH_construction == 1)
        PATH_NAME(build_incremental)(s, first, end);
    else
        PATH_NAME(build_bridge)(s, first, end);
}

LANE_FN void PATH_NAME(traverse_kept)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    const uint32_t run = (PATH_AHEAD + PATH_factors - 1) / PATH_factors;
    uint32_t node = 0;
    for (uint32_t f = 0; f < PATH_factors; ++f) v->drivers[f] = lane_of(R(0.0));
    for (uint32_t i = 0; i < PATH_counts; ++i) v->counts[i] = path_no_count();
    for (uint32_t first = 0; first < PATH_nodes; first += run) {
        const uint32_t end = first + run < PATH_nodes ? first + run : PATH_nodes;
        PATH_NAME(build)(s, first, end);
        const uint32_t ready = v->links[end - 1].ready;
        node = PATH_NAME(arrive_together)(s, node, ready);
        for (; node < ready; ++node) {
            for (uint32_t i = 0; i < PATH_counts; ++i)
                s->count[i] = v->counts[(node + 1) * PATH_counts + i];
            PATH_NAME(arrive)(s, node, v->drivers + (node + 1) * PATH_factors);
        }
    }
}
