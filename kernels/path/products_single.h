/* products_single.h: the sums of products.h in single, by threads that sum 8 paths at some of the
 * assets each. Part of products.h. */
enum {
    PRODUCT_RUN = 8, /* rows that a warp shows itself at a time: drivers or returns */
    PRODUCT_PATHS = 32 * LEVY_LANES,              /* of a warp: a row */
    PRODUCT_ACROSS = 4 * LEVY_LANES,              /* threads that have the same assets */
    PRODUCT_GROUPS = 8 / LEVY_LANES,              /* threads that have the same 8 paths */
    PRODUCT_UNIT = 16 / sizeof(real),             /* reals that one load brings */
    PRODUCT_PASS = PRODUCT_GROUPS * PATH_product, /* assets whose returns are summed together */
    PRODUCT_STEP = PRODUCT_RUN / PRODUCT_GROUPS,  /* a thread's assets of a run of returns */
    PRODUCT_ASSETS = (PATH_assets + PRODUCT_PASS - 1) / PRODUCT_PASS * PRODUCT_PASS,
    /* of a row of factors: an odd number of units, so that neighbouring rows are in other banks */
    PRODUCT_STRIDE = ((PATH_factors + PRODUCT_UNIT - 1) / PRODUCT_UNIT | 1) * PRODUCT_UNIT
};
typedef struct LANE_ALIGNED(16) product_unit {
    real v[PRODUCT_UNIT];
} product_unit;

/* What a thread sums: 8 paths of its warp at every PRODUCT_GROUPS-th asset. */
typedef struct product_sums {
    real of[PATH_product][8];
} product_sums;

LANE_FN uint32_t product_group(void) { return threadIdx.x % 32 / PRODUCT_ACROSS; }

/* Where a row has the thread's unit j of paths. Threads that load together have neighbouring units.
 * Where they write rows of both parities together, these lie in other banks. */
LANE_FN uint32_t product_place(uint32_t j, uint32_t parity)
{
    const uint32_t unit = threadIdx.x % PRODUCT_ACROSS + PRODUCT_ACROSS * j;
    return (LEVY_LANES == 1 ? unit ^ (parity & 1) << 2 : unit) * PRODUCT_UNIT;
}

/* Adds n drivers, at most a unit of them, whose rows follow each other. */
LANE_FN void product_add(const real *drivers, const real *factors, uint32_t n, product_sums *sums)
{
    real z[PRODUCT_UNIT][8];
    PATH_UNROLL
    for (uint32_t f = 0; f < n; ++f) PATH_UNROLL
    for (uint32_t j = 0; j < 8 / PRODUCT_UNIT; ++j) {
        const product_unit unit =
            *(const product_unit *)(drivers + f * PRODUCT_PATHS + product_place(j, 0));
        PATH_UNROLL
        for (uint32_t i = 0; i < PRODUCT_UNIT; ++i) z[f][j * PRODUCT_UNIT + i] = unit.v[i];
    }
    PATH_UNROLL
    for (uint32_t k = 0; k < PATH_product; ++k) {
        const product_unit w =
            *(const product_unit *)(factors + k * PRODUCT_GROUPS * PRODUCT_STRIDE);
        PATH_UNROLL
        for (uint32_t f = 0; f < n; ++f) PATH_UNROLL
        for (uint32_t q = 0; q < 8; ++q)
            sums->of[k][q] = LANE_PICK(fma, fmaf)(w.v[f], z[f][q], sums->of[k][q]);
    }
}

/* The same for n drivers, where only the last ones of all do not fill a unit. */
LANE_FN void product_add_all(const real *drivers, const real *factors, uint32_t n,
                             product_sums *sums)
{
    uint32_t f = 0;
    PATH_ROLL
    for (; f + PRODUCT_UNIT <= n; f += PRODUCT_UNIT)
        product_add(drivers + f * PRODUCT_PATHS, factors + f, PRODUCT_UNIT, sums);
    if (PATH_factors % PRODUCT_UNIT && f < n)
        product_add(drivers + f * PRODUCT_PATHS, factors + f, PATH_factors % PRODUCT_UNIT, sums);
}

/* Shows the warp n of the thread's own drivers. */
LANE_FN void product_show(const path_view *v, const lane *driver, uint32_t n)
{
    real *const to = v->shown + threadIdx.x % 32 * LEVY_LANES;
    __syncwarp();
    _Pragma("unroll 4") for (uint32_t f = 0; f < n; ++f)((path_own *)(to + f * PRODUCT_PATHS))->z =
        driver[f];
    __syncwarp();
}

LANE_FN const real *product_factors(const path_view *v, uint32_t first)
{
    return v->factor_rows + (first + product_group()) * PRODUCT_STRIDE;
}

/* The drifts of a pass of assets from `first` on. Of assets past the last one nobody reads the
 * sums.
 */
LANE_FN void PATH_NAME(product_start)(PATH_NAME(state) *s, uint32_t node, uint32_t first,
                                      product_sums *sums)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t k = 0; k < PATH_product; ++k) {
        const uint32_t asset = first + k * PRODUCT_GROUPS + product_group(),
                       known = asset < PATH_assets ? asset : PATH_assets - 1;
        const real drift = v->drift[node * PATH_assets + known];
        PATH_UNROLL
        for (uint32_t q = 0; q < 8; ++q) sums->of[k][q] = drift;
    }
}

/* Shows the warp the gross returns of the thread's asset k, as a row of a run of assets. */
LANE_FN void PATH_NAME(product_return)(const path_view *v, const product_sums *sums, uint32_t k)
{
    const uint32_t row = k % PRODUCT_STEP * PRODUCT_GROUPS + product_group();
    real gross[8];
    PATH_UNROLL
    for (uint32_t q = 0; q < 8; q += LEVY_LANES) {
        lane x;
        PATH_UNROLL
        for (uint32_t i = 0; i < LEVY_LANES; ++i) x.v[i] = sums->of[k][q + i];
        x = PATH_NAME(exp)(v, x);
        PATH_UNROLL
        for (uint32_t i = 0; i < LEVY_LANES; ++i) gross[q + i] = x.v[i];
    }
    PATH_UNROLL
    for (uint32_t j = 0; j < 8 / PRODUCT_UNIT; ++j) {
        product_unit unit;
        PATH_UNROLL
        for (uint32_t i = 0; i < PRODUCT_UNIT; ++i) unit.v[i] = gross[j * PRODUCT_UNIT + i];
        *(product_unit *)(v->shown + row * PRODUCT_PATHS + product_place(j, row)) = unit;
    }
}

/* The owner's gross return in a row of a run. */
LANE_FN lane product_own(const path_view *v, uint32_t row)
{
    const uint32_t path = threadIdx.x % 32 * LEVY_LANES,
                   place = LEVY_LANES == 1 ? path ^ (row & 1) * 4 * PRODUCT_UNIT : path;
    return ((const path_own *)(v->shown + row * PRODUCT_PATHS + place))->z;
}

/* Adds the returns of a pass to the items' baskets. */
LANE_FN void PATH_NAME(product_baskets)(const path_view *v, uint32_t first,
                                        const product_sums *sums, lane *level)
{
    PATH_UNROLL
    for (uint32_t start = 0; start < PATH_product; start += PRODUCT_STEP) {
        __syncwarp();
        PATH_UNROLL
        for (uint32_t k = start; k < start + PRODUCT_STEP; ++k)
            if (k < PATH_product) PATH_NAME(product_return)(v, sums, k);
        __syncwarp();
        PATH_UNROLL
        for (uint32_t row = 0; row < PRODUCT_RUN; ++row) {
            const uint32_t asset = first + start * PRODUCT_GROUPS + row;
            if (start + row / PRODUCT_GROUPS >= PATH_product || asset >= PATH_assets) continue;
            const lane gross_return = product_own(v, row);
            PATH_UNROLL
            for (uint32_t i = 0; i < PATH_items; ++i) {
                const real coefficient = v->coefficients[i * PATH_assets + asset];
                level[i] = asset == 0 ? gross_return * coefficient
                                      : basket_next(PATH_item_aggregate(i), level[i], coefficient,
                                                    gross_return);
            }
        }
    }
}
