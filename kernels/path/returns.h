/* returns.h: log and gross returns of the assets at a node, from its drivers. Part of loop.h, which
 * alone includes it, once per shape. Must not know: payoffs, how drivers are built. */

LANE_FN lane PATH_NAME(exp)(const path_view *v, lane x)
{
    (void)v;
#if !defined(LANE_SINGLE)
    if (PATH_mixed) return lane_exp_mixed(PATH_bounded ? x : lane_exp_range(x));
    if (PATH_bounded) return lane_exp_bounded(x);
#endif
    return path_exp(x);
}

#if !LANE_GPU
/* `bounded`: no argument is near the ends of exp's range. */
LANE_FN void PATH_NAME(exp_four)(const path_view *v, const lane *x, lane *y, int bounded)
{
    if (PATH_mixed)
        LANE_UNROLL for (int i = 0; i < 4; ++i) y[i] = PATH_NAME(exp)(v, x[i]);
    else
        path_exp_four(x, y, bounded);
}
#endif

#if PATH_wide
/* The log returns of a tile of assets from `first` on. */
LANE_FN void PATH_NAME(tile)(PATH_NAME(state) *s, uint32_t m, uint32_t row, uint32_t first,
                             const lane *driver, lane *sum)
{
    const path_view *const v = s->v;
    const real *const rows = v->factor + (m * PATH_assets + first) * PATH_factors;
    PATH_UNROLL
    for (uint32_t k = 0; k < BLACK_SCHOLES_TILE; ++k) sum[k] = lane_of(v->drift[row + first + k]);
#if PATH_factors % 4 == 0
    _Pragma("unroll 2") for (uint32_t f = 0; f < PATH_factors; f += 4)
    {
        lane z[4];
        PATH_UNROLL
        for (uint32_t j = 0; j < 4; ++j) z[j] = PATH_NAME(driver_at)(s, driver, f + j);
        black_scholes_four(sum, rows + f, z, PATH_factors);
    }
#else
    _Pragma("unroll 4") for (uint32_t f = 0; f < PATH_factors; ++f)
    {
        const lane z = PATH_NAME(driver_at)(s, driver, f);
        PATH_UNROLL
        for (uint32_t k = 0; k < BLACK_SCHOLES_TILE; ++k)
            sum[k] = lane_fma(lane_of(rows[k * PATH_factors + f]), z, sum[k]);
    }
#endif
}

/* The first asset of the tile that begins at `known`: the last tile repeats some of the one
 * before. */
LANE_FN uint32_t PATH_NAME(tile_first)(uint32_t known)
{
    return known + BLACK_SCHOLES_TILE <= PATH_assets ? known : PATH_assets - BLACK_SCHOLES_TILE;
}
#endif

/* Does dynamics m take the first dynamics' exponential? */
LANE_FN int PATH_NAME(grows)(const path_view *v, uint32_t m)
{
    (void)v;
    return PATH_grown && PATH_returns(m) != LEVY_RETURNS_OWN;
}

/* Number i of a node's row. Signed, so that the addresses of neighbouring nodes are known to differ
 * by a constant. */
LANE_FN real PATH_NAME(node_number)(const path_view *v, uint32_t i, uint32_t node)
{
    return v->node_rows[(int32_t)node * (int32_t)PATH_node_row + (int32_t)i];
}

/* The only asset's drift under dynamics m at a node. Where a kernel has rows by node, one address
 * serves all dynamics; in such a row a dynamics with growth has that in place of its drift. */
LANE_FN real PATH_NAME(drift_at)(const path_view *v, uint32_t m, uint32_t node)
{
    if (PATH_node_row && !(PATH_grown && PATH_returns(m) == LEVY_RETURNS_GROWN))
        return PATH_NAME(node_number)(v, m, node);
    return v->drift[m * PATH_nodes + node];
}

LANE_FN real PATH_NAME(growth_at)(const path_view *v, uint32_t m, uint32_t node)
{
    return PATH_node_row ? PATH_NAME(node_number)(v, m, node) : v->growth[m * PATH_nodes + node];
}

/* The share of a node's step that lies before the start of dynamics m: a row's last number. */
LANE_FN real PATH_NAME(share_at)(const path_view *v, uint32_t m, uint32_t node)
{
    return PATH_node_row ? PATH_NAME(node_number)(v, PATH_node_row - 1u, node)
                         : v->elapsed_share[m * PATH_nodes + node];
}

/* The gross return of the only asset under the image's first dynamics, which others are in
 * proportion to. The tile may have no copy of that dynamics. */
LANE_FN lane PATH_NAME(first_return)(const path_view *v, uint32_t node, const lane *driver)
{
    const uint32_t m = PATH_first;
    const int here = m < PATH_dynamics;
    const real drift = here ? PATH_NAME(drift_at)(v, m, node) : v->all_drift[node];
    const real *const factor = here ? v->factor + m : v->all_factor;
    return PATH_NAME(exp)(v, black_scholes_level(lane_of(drift), factor, driver, 1));
}

/* Dynamics m's share of it. */
LANE_FN lane PATH_NAME(grown)(const path_view *v, uint32_t m, uint32_t node, lane first,
                              lane multiplier)
{
    if (PATH_returns(m) == LEVY_RETURNS_FIRST) return first;
    const lane grown = lane_fma(first, lane_of(PATH_NAME(growth_at)(v, m, node)), first);
    return PATH_elapsed && PATH_dynamics_elapsed(m) ? grown * multiplier : grown;
}

#if PATH_GENERAL
/* Makes the log returns of whole tiles of assets; in the general loop an asset's sum waits for
 * itself. Returns for how many assets. */
LANE_FN uint32_t PATH_NAME(tiled_returns)(PATH_NAME(state) *s, uint32_t m, uint32_t row,
                                          const lane *driver, lane *log_return)
{
    const path_view *const v = s->v;
    const real *const factors = v->factor + m * PATH_assets * PATH_factors;
    uint32_t known = 0;
    for (uint32_t a = 0; !PATH_covariance && a < PATH_assets; ++a)
        log_return[a] = lane_of(v->drift[row + a]);
#define PATH_TILES(n)                                                                              \
    for (; !PATH_covariance && known + (n) <= PATH_assets; known += (n))                           \
    black_scholes_tile(log_return + known, factors + known * PATH_factors, driver, PATH_factors, n)
    PATH_TILES(BLACK_SCHOLES_TILE);
    PATH_TILES(8u);
    PATH_TILES(4u);
#undef PATH_TILES
    return known;
}
#else
/* The same of a wide kernel, whose last tile repeats assets, so that all are made. Others make none
 * here. */
LANE_FN uint32_t PATH_NAME(tiled_returns)(PATH_NAME(state) *s, uint32_t m, uint32_t row,
                                          const lane *driver, lane *log_return)
{
    uint32_t known = 0;
    (void)s, (void)m, (void)row, (void)driver, (void)log_return;
#if PATH_wide
    PATH_ROLL
    for (; !PATH_covariance && known < PATH_assets; known += BLACK_SCHOLES_TILE) {
        const uint32_t first = PATH_NAME(tile_first)(known);
        lane sum[BLACK_SCHOLES_TILE];
        PATH_NAME(tile)(s, m, row, first, driver, sum);
        PATH_UNROLL
        for (uint32_t k = 0; k < BLACK_SCHOLES_TILE; ++k) log_return[first + k] = sum[k];
    }
#endif
    return known;
}
#endif

/* The log return of asset a by the market alone. */
LANE_FN lane PATH_NAME(market_return)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t a,
                                      const lane *driver)
{
    const path_view *const v = s->v;
    const uint32_t row = (m * PATH_nodes + node) * PATH_assets;
    const real *const factor = v->factor + (m * PATH_assets + a) * PATH_factors;
    if (PATH_levels) return driver[0];
    if (PATH_covariance) return s->level[m][a];
    return black_scholes_level(lane_of(PATH_node_row && !PATH_unrolled
                                           ? PATH_NAME(drift_at)(v, m, node)
                                           : v->drift[row + a]),
                               factor, driver, PATH_factors);
}

/* The gross return of an asset with this log return, before cash dividends. */
LANE_FN lane PATH_NAME(gross_return)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                     lane log_return)
{
    const path_view *const v = s->v;
    return PATH_NAME(grows)(v, m) ? PATH_NAME(grown)(v, m, node, s->first, s->multiplier[m][0])
                                  : PATH_NAME(exp)(v, log_return);
}

/* Takes off what cash dividends have taken of asset a so far, or adds what is to come. */
LANE_FN void PATH_NAME(take_cash)(PATH_NAME(state) *s, uint32_t m, uint32_t row, uint32_t a,
                                  lane *gross_return, lane *log_return)
{
    const path_view *const v = s->v;
    if (PATH_cash == LEVY_CASH_ADDED)
        *gross_return = *gross_return + v->cash[row + a];
    else
        *gross_return = *gross_return * s->multiplier[m][a];
    *log_return = path_log(lane_max(*gross_return, lane_of(R(1e-30))));
}

/* Gross and log returns of one dynamics' assets at a node, the latter in the units of path_log. In
 * the general loop exponentials of neighbours go side by side. */
LANE_FN void PATH_NAME(gross_returns)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                      const lane *driver, lane *gross_return, lane *log_return)
{
    const path_view *const v = s->v;
    const uint32_t row = (m * PATH_nodes + node) * PATH_assets,
                   known = PATH_NAME(tiled_returns)(s, m, row, driver, log_return);
    PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        if ((!PATH_wide || PATH_covariance) && a >= known)
            log_return[a] = PATH_NAME(market_return)(s, m, node, a, driver);
        if (PATH_elapsed && !PATH_covariance) log_return[a] = log_return[a] - s->level[m][a];
        if (PATH_diffusion && !(PATH_model_features & LEVY_MODEL_SCALES))
            log_return[a] = log_return[a] + PATH_NAME(model_return)(s, m, a);
        if (PATH_arrivals) log_return[a] = PATH_NAME(arrivals_return)(s, m, a, log_return[a]);
#if PATH_GENERAL
        if (a % 4 == 3) PATH_NAME(exp_four)(v, log_return + a - 3, gross_return + a - 3, 0);
    }
    for (uint32_t a = PATH_assets / 4 * 4; a < PATH_assets; ++a)
        gross_return[a] = PATH_NAME(gross_return)(s, m, node, log_return[a]);
    for (uint32_t a = 0; PATH_cash && a < PATH_assets; ++a) {
#else
        gross_return[a] = PATH_NAME(gross_return)(s, m, node, log_return[a]);
#endif
        if (PATH_cash) PATH_NAME(take_cash)(s, m, row, a, &gross_return[a], &log_return[a]);
    }
}

/* Takes a node's dividends off the gross returns. */
LANE_FN void PATH_NAME(dividends)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                  lane *gross_return, lane *log_return)
{
    const path_view *const v = s->v;
    const uint32_t row = (m * PATH_nodes + node) * PATH_assets;
    PATH_EACH
    for (uint32_t a = 0; a < PATH_assets; ++a) {
        gross_return[a] =
            black_scholes_dividend(&s->multiplier[m][a], gross_return[a], v->cash[row + a]);
        log_return[a] = path_log(lane_max(gross_return[a], lane_of(R(1e-30))));
    }
}

/* Moves the levels on by one interval (covariance 1). */
LANE_FN void PATH_NAME(advance)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        const uint32_t row = (m * PATH_nodes + node) * PATH_assets;
        PATH_EACH
        for (uint32_t a = 0; a < PATH_assets; ++a)
            s->level[m][a] =
                black_scholes_level(s->level[m][a] + v->drift[row + a],
                                    v->factor + (row + a) * PATH_factors, step, PATH_factors);
    }
}

/* Sums what moved before the dynamics' own date (covariance 0), for gross_returns to subtract. */
LANE_FN void PATH_NAME(subtract_elapsed)(PATH_NAME(state) *s, uint32_t node, const lane *driver)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        if (!PATH_dynamics_elapsed(m)) continue;
        const real share = PATH_NAME(share_at)(v, m, node);
        if (!(share > R(0.0))) continue;
        lane step[PATH_MAX_FACTORS];
        PATH_EACH
        for (uint32_t f = 0; f < PATH_factors; ++f) step[f] = driver[f] - s->last_driver[f];
        PATH_EACH
        for (uint32_t a = 0; a < PATH_assets; ++a) {
            const lane zero = lane_of(R(0.0));
            const real *const factor = v->factor + (m * PATH_assets + a) * PATH_factors;
            const lane moved = black_scholes_level(zero, factor, step, PATH_factors);
            s->level[m][a] = lane_fma(lane_of(share), moved, s->level[m][a]);
        }
        if (PATH_NAME(grows)(v, m)) s->multiplier[m][0] = PATH_NAME(exp)(v, -s->level[m][0]);
    }
}
