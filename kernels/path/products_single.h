/* products_single.h: the sums of items_products.h in single, by matrix instructions (matrix.h),
 * which add 32 products at most, and the others in full single precision (H200, prices of baskets
 * of 32, 64 and 100 assets against double: without that 4e-7, 1.3e-6 and 2e-6 too low). The baskets
 * of a path are summed by the four threads that have its returns, and added up at the end of a
 * node. Part of items_products.h. */
enum {
    PRODUCT_SIDE = 2, /* runs that are summed by turns */
    PRODUCT_SUMS = PRODUCT_RUNS * PRODUCT_TILES * 4,
    PRODUCT_CHAIN = 32, /* products that instructions alone add */
    PRODUCT_FACTORS = (PATH_factors + 7) / 8 * 8,
    /* of a row of factors: threads that load together find them in different banks */
    PRODUCT_STRIDE = PRODUCT_FACTORS % 16 ? PRODUCT_FACTORS : PRODUCT_FACTORS + 8
};

LANE_FN real *product_sum(product_sums *sums, uint32_t i)
{
    return &sums->of[i / 4 / PRODUCT_TILES][i / 4 % PRODUCT_TILES][i % 4];
}

/* What a thread has of an item's baskets: the paths of its quad. */
typedef struct product_level {
    real of[MATRIX_QUAD];
} product_level;
typedef struct LANE_ALIGNED(8) product_pair {
    real v[2];
} product_pair;

/* The drivers of the thread's two of eight rows: [tile][number of an instruction]. */
LANE_FN void product_load(const real *rows, real a[PRODUCT_TILES][4])
{
    const uint32_t along = matrix_along();
    PATH_UNROLL
    for (uint32_t row = 0; row < 2; ++row) PATH_UNROLL
    for (uint32_t j = 0; j < LEVY_LANES; ++j) {
        const matrix_unit unit =
            *(const matrix_unit *)(rows + (2 * along + row) * PRODUCT_PATHS +
                                   ((MATRIX_QUAD * matrix_across() + 4 * j) ^ matrix_turn(along)));
        PATH_UNROLL
        for (uint32_t i = 0; i < 4; ++i) a[2 * j + i / 2][2 * row + i % 2] = unit.v[i];
    }
}

/* Adds eight drivers to all sums: the small products first, and those of two runs of assets by
 * turns, as an instruction takes its time. */
LANE_FN void product_add(const real *rows, const real *factors, product_sums *sums)
{
    real a[2][PRODUCT_TILES][4];
    product_load(rows, a[0]);
    PATH_UNROLL
    for (uint32_t i = 0; i < 4 * PRODUCT_TILES; ++i)
        a[1][i / 4][i % 4] = matrix_low(a[0][i / 4][i % 4]);
    PATH_UNROLL
    for (uint32_t from = 0; from < PRODUCT_RUNS; from += PRODUCT_SIDE) {
        const uint32_t remaining = PRODUCT_RUNS - from,
                       n = remaining < PRODUCT_SIDE ? remaining : PRODUCT_SIDE;
        real b[2][PRODUCT_SIDE][2];
        PATH_UNROLL
        for (uint32_t k = 0; k < n; ++k) {
            const product_pair w =
                *(const product_pair *)(factors + (from + k) * PRODUCT_RUN * PRODUCT_STRIDE);
            PATH_UNROLL
            for (uint32_t i = 0; i < 2; ++i) {
                b[0][k][i] = w.v[i];
                b[1][k][i] = matrix_low(w.v[i]);
            }
        }
        PATH_UNROLL
        for (uint32_t part = LANE_GPU_TENSOR ? 0 : 2; part < 3; ++part) PATH_UNROLL
        for (uint32_t k = 0; k < n; ++k) PATH_UNROLL
        for (uint32_t m = 0; m < PRODUCT_TILES; ++m)
            matrix_multiply(a[part == 0][m], b[part == 1][k], sums->of[from + k][m]);
    }
}

/* Adds n drivers, whose rows follow each other, with zeros up to a multiple of eight. */
LANE_FN void product_add_all(const real *drivers, const real *factors, uint32_t n,
                             product_sums *sums)
{
    factors += matrix_across() * PRODUCT_STRIDE + 2 * matrix_along();
    PATH_ROLL
    for (uint32_t from = 0; from < n; from += PRODUCT_CHAIN) {
        const uint32_t past = n - from < PRODUCT_CHAIN ? n : from + PRODUCT_CHAIN;
        product_sums chain;
        PATH_UNROLL
        for (uint32_t i = 0; i < PRODUCT_SUMS; ++i) product_sum(&chain, i)[0] = R(0.0);
        product_add(drivers + from * PRODUCT_PATHS, factors + from, &chain); /* to no sums yet */
        PATH_ROLL
        for (uint32_t f = from + PRODUCT_RUN; f < past; f += PRODUCT_RUN)
            product_add(drivers + f * PRODUCT_PATHS, factors + f, &chain);
        PATH_UNROLL
        for (uint32_t i = 0; i < PRODUCT_SUMS; ++i)
            product_sum(sums, i)[0] += product_sum(&chain, i)[0];
    }
}

/* A sum or an extreme of two paths' numbers, or of two parts of one. */
LANE_FN real product_join(uint32_t aggregate, real x, real y)
{
    if (aggregate == BASKET_SUM) return x + y;
    return lane_get(basket_extreme(aggregate, lane_of(x), lane_of(y)), 0);
}

/* Adds the returns of a pass to what the thread has of the items' baskets. */
LANE_FN void PATH_NAME(product_baskets)(const path_view *v, uint32_t first,
                                        const product_sums *sums, product_level *level)
{
    PATH_UNROLL
    for (uint32_t k = 0; k < PRODUCT_RUNS; ++k) PATH_UNROLL
    for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t asset = first + k * PRODUCT_RUN + 2 * matrix_along() + i;
        real gross[MATRIX_QUAD];
        PATH_UNROLL
        for (uint32_t q = 0; q < MATRIX_QUAD; q += LEVY_LANES) {
            lane x;
            PATH_UNROLL
            for (uint32_t j = 0; j < LEVY_LANES; ++j)
                x.v[j] = sums->of[k][(q + j) / 2][(q + j) % 2 * 2 + i];
            x = PATH_NAME(exp)(v, x);
            PATH_UNROLL
            for (uint32_t j = 0; j < LEVY_LANES; ++j) gross[q + j] = x.v[j];
        }
        if (asset >= PATH_assets) continue;
        PATH_UNROLL
        for (uint32_t n = 0; n < PATH_items; ++n) {
            const real coefficient = v->coefficients[n * PATH_assets + asset];
            const uint32_t aggregate = PATH_item_aggregate(n);
            PATH_UNROLL
            for (uint32_t q = 0; q < MATRIX_QUAD; ++q) {
                real *const to = &level[n].of[q];
                if (first == 0 && k == 0 && i == 0)
                    *to = gross[q] * coefficient;
                else
                    *to = aggregate == BASKET_SUM
                              ? fmaf(coefficient, gross[q], *to)
                              : product_join(aggregate, *to, gross[q] * coefficient);
            }
        }
    }
}

/* Joins what the threads of a quad have of an item's baskets; each keeps its own paths. */
LANE_FN lane product_own(uint32_t aggregate, const product_level *level)
{
    enum { HALF = MATRIX_QUAD / 2 };
    const uint32_t along = matrix_along();
    real half[HALF];
    lane own;
    PATH_UNROLL
    for (uint32_t q = 0; q < HALF; ++q) {
        const real keep = along & 2 ? level->of[HALF + q] : level->of[q],
                   give = along & 2 ? level->of[q] : level->of[HALF + q];
        half[q] = product_join(aggregate, keep, __shfl_xor_sync(0xffffffffu, give, 2));
    }
    PATH_UNROLL
    for (uint32_t q = 0; q < LEVY_LANES; ++q) {
        const real keep = along & 1 ? half[LEVY_LANES + q] : half[q],
                   give = along & 1 ? half[q] : half[LEVY_LANES + q];
        own.v[q] = product_join(aggregate, keep, __shfl_xor_sync(0xffffffffu, give, 1));
    }
    return own;
}

LANE_FN void product_end(const product_level *level, lane *last)
{
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i)
        last[i] = product_own(PATH_item_aggregate(i), &level[i]);
    if (PATH_held) __syncwarp(); /* all have read the drivers that the next ones replace */
}
