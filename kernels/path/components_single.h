/* components_single.h: the sums of components.h in single, by matrix instructions (matrix.h). These
 * cut sums off, so the last components come first, which are the smallest: little is cut off small
 * sums. Part of components.h. */
enum {
    COMPONENTS_EIGHTS = COMPONENTS_RUN / 8 * PATH_node_runs,
    COMPONENTS_SIDE = 4 < COMPONENTS_EIGHTS ? 4 : COMPONENTS_EIGHTS /* eights summed by turns */
};

/* What a thread sums: its quad's paths 2 m and 2 m + 1 at nodes 2 `along` and 2 `along` + 1 of each
 * eight. */
typedef struct components_sums {
    real of[COMPONENTS_EIGHTS][MATRIX_TILES][4];
} components_sums;

/* Where a unit of four reals stands: components k and k + 4 of eight, of two paths. Threads that
 * load from four rows together find theirs in different banks. */
LANE_FN uint32_t components_unit_place(uint32_t k, uint32_t unit)
{
    return (k / 8 * 4 + k % 4) * 2 * COMPONENTS_PATHS + 4 * (unit ^ k % 4);
}

/* Shows the warp factor f's normals of n components, from `first` on, and zeros up to a run. */
LANE_FN void PATH_NAME(show_normals)(PATH_NAME(state) *s, uint32_t first, uint32_t n, uint32_t f,
                                     const lane *normals)
{
    const uint32_t path = threadIdx.x % 32 * LEVY_LANES;
    lane some[4] = {lane_of(R(0.0)), lane_of(R(0.0)), lane_of(R(0.0)), lane_of(R(0.0))};
    /* in order, because Philox makes words four at a time */
    _Pragma("unroll") for (uint32_t i = 0; i < COMPONENTS_RUN; ++i)
    {
        const lane z = i < n ? PATH_NAME(component)(s, first + i, f, normals) : lane_of(R(0.0)),
                   before = some[i % 4]; /* of component i - 4 */
        const uint32_t k = i - 4;
        some[i % 4] = z;
        if (i % 8 < 4) continue;
#if LEVY_LANES == 1
        real *const to = s->v->shown + components_unit_place(k, path / 2) + path % 2;
        to[0] = lane_get(before, 0);
        to[2] = lane_get(z, 0);
#else
        PATH_UNROLL
        for (uint32_t q = 0; q < LEVY_LANES; q += 2) {
            const matrix_unit unit = {
                {lane_get(before, q), lane_get(before, q + 1), lane_get(z, q), lane_get(z, q + 1)}};
            *(matrix_unit *)(s->v->shown + components_unit_place(k, (path + q) / 2)) = unit;
        }
#endif
    }
}

/* The weights of component 0 at the thread's node of an eight of the tile. Past the last node they
 * are those of other nodes, and nobody reads the sums. */
LANE_FN const real *PATH_NAME(weights_at)(const path_view *v, uint32_t first, uint32_t eight)
{
    const uint32_t last = (PATH_nodes - 1) / 8, wanted = first / 8 + eight,
                   known = wanted < last ? wanted : last;
    if (PATH_staged_matrix) return (const real *)v->matrix + first + 8 * eight + matrix_across();
    return v->matrix[(uint64_t)known * PATH_nodes].node + matrix_across();
}

/* The place of a component's weights, of the last one for those behind it. */
LANE_FN uint32_t PATH_NAME(weights_from)(const path_view *v, uint32_t j)
{
    const uint32_t known = j < PATH_nodes ? j : PATH_nodes - 1;
    return known * PATH_NAME(weights_step)(v);
}

/* Adds what eight components, from j on and shown from row k on, give to the tile's nodes: the
 * small products first, and those of some eights of nodes by turns, as an instruction takes its
 * time. Past the last component normals are 0. */
LANE_FN void PATH_NAME(add_eight)(const path_view *v, uint32_t first, uint32_t j, uint32_t k,
                                  components_sums *sums)
{
    const uint32_t low = j + matrix_along(),
                   at[2] = {PATH_NAME(weights_from)(v, low), PATH_NAME(weights_from)(v, low + 4)};
    matrix_unit a[2][MATRIX_TILES];
    PATH_UNROLL
    for (uint32_t m = 0; m < MATRIX_TILES; ++m) {
        a[0][m] = *(const matrix_unit *)(v->shown +
                                         components_unit_place(k + matrix_along(),
                                                               MATRIX_TILES * matrix_across() + m));
        PATH_UNROLL
        for (uint32_t i = 0; i < 4; ++i) a[1][m].v[i] = matrix_low(a[0][m].v[i]);
    }
    PATH_UNROLL
    for (uint32_t from = 0; from < COMPONENTS_EIGHTS; from += COMPONENTS_SIDE) {
        const uint32_t remaining = COMPONENTS_EIGHTS - from,
                       n = remaining < COMPONENTS_SIDE ? remaining : COMPONENTS_SIDE;
        real b[2][COMPONENTS_SIDE][2];
        PATH_UNROLL
        for (uint32_t e = 0; e < n; ++e) PATH_UNROLL
        for (uint32_t i = 0; i < 2; ++i) {
            b[0][e][i] = PATH_NAME(weights_at)(v, first, from + e)[at[i]];
            b[1][e][i] = matrix_low(b[0][e][i]);
        }
        PATH_UNROLL
        for (uint32_t part = 0; part < 3; ++part) PATH_UNROLL
        for (uint32_t e = 0; e < n; ++e) PATH_UNROLL
        for (uint32_t m = 0; m < MATRIX_TILES; ++m)
            matrix_multiply(a[part == 0][m].v, b[part == 1][e], sums->of[from + e][m]);
    }
}

/* Hands the sums to the paths' owners, a run of nodes at a time. */
LANE_FN void PATH_NAME(hand_drivers)(const path_view *v, uint32_t f, const components_sums *sums,
                                     lane *driver)
{
    const uint32_t along = matrix_along(), path = MATRIX_QUAD * matrix_across();
    PATH_UNROLL
    for (uint32_t r = 0; r < PATH_node_runs; ++r) {
        __syncwarp();
        PATH_UNROLL
        for (uint32_t e = 0; e < COMPONENTS_RUN / 8; ++e) PATH_UNROLL
        for (uint32_t i = 0; i < 2; ++i) PATH_UNROLL
        for (uint32_t j = 0; j < LEVY_LANES; ++j) {
            const real(*const tile)[4] = &sums->of[COMPONENTS_RUN / 8 * r + e][2 * j];
            const matrix_unit unit = {{tile[0][i], tile[0][2 + i], tile[1][i], tile[1][2 + i]}};
            *(matrix_unit *)(v->shown + (8 * e + 2 * along + i) * COMPONENTS_PATHS +
                             ((path + 4 * j) ^ matrix_turn(along))) = unit;
        }
        __syncwarp();
        PATH_UNROLL
        for (uint32_t k = 0; k < COMPONENTS_RUN; ++k) {
            const uint32_t own = threadIdx.x % 32 * LEVY_LANES ^ matrix_turn(k / 2 % 4);
            driver[(r * COMPONENTS_RUN + k) * PATH_factors + f] =
                ((const components_own *)(v->shown + k * COMPONENTS_PATHS + own))->z;
        }
    }
}

/* Factor f's drivers of a tile of nodes, from `first` on. */
LANE_FN void PATH_NAME(components)(PATH_NAME(state) *s, uint32_t first, uint32_t f,
                                   const lane *normals, lane *driver)
{
    const path_view *const v = s->v;
    components_sums sums;
    PATH_UNROLL
    for (uint32_t i = 0; i < COMPONENTS_EIGHTS * MATRIX_TILES * 4; ++i)
        sums.of[i / 4 / MATRIX_TILES][i / 4 % MATRIX_TILES][i % 4] = R(0.0);
    PATH_ROLL
    for (uint32_t past = PATH_nodes; past > 0;) {
        const uint32_t j = (past - 1) / COMPONENTS_RUN * COMPONENTS_RUN, n = past - j;
        __syncwarp();
        PATH_NAME(show_normals)(s, j, n, f, normals);
        __syncwarp();
        PATH_UNROLL
        for (uint32_t k = COMPONENTS_RUN; k > 0; k -= 8)
            PATH_NAME(add_eight)(v, first, j + k - 8, k - 8, &sums);
        past = j;
    }
    PATH_NAME(hand_drivers)(v, f, &sums, driver);
}
