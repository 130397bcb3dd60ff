/* products_double.h: the sums of items_products.h in double, by matrix instructions. One of them
 * adds four products to each of 16 x 8 sums of a warp, paths by assets: at twice the speed of
 * single sums, and from a sixth of the words. GPUs whose instructions are not known to keep the
 * order (LANE_GPU_MATRIX) show each other the numbers instead. Each sum is a chain of fma in the
 * order of the factors, so its bits are those of a thread's own loop (NVIDIA H100: all of 25
 * million sums of numbers up to 2^300 apart). Part of items_products.h. */
enum {
    PRODUCT_FACTORS = (PATH_factors + 3) / 4 * 4,
    /* of a row of factors: threads that load together find them in different banks */
    PRODUCT_STRIDE = PRODUCT_FACTORS % 8 ? PRODUCT_FACTORS : PRODUCT_FACTORS + 4
};

typedef lane product_level; /* what a thread has of an item's baskets: its own paths */

/* Adds drivers a of paths `across` and `across` + 8, the number `along` of four, times factors b of
 * asset `across`, the same number. All threads of the warp come together. */
LANE_FN void product_multiply(const real a[2], real b, real c[4])
{
#if defined(MATRIX_INSTRUCTION) /* an emulation's */
    MATRIX_INSTRUCTION(a, b, c);
#elif LANE_GPU_MATRIX
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 "
                 "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b));
#else
#pragma unroll
    for (uint32_t k = 0; k < 4; ++k) {
        const uint32_t mine = 4 * matrix_across() + k, other = 8 * matrix_along() + k;
        const real x = __shfl_sync(0xffffffffu, a[0], mine),
                   y = __shfl_sync(0xffffffffu, a[1], mine), z = __shfl_sync(0xffffffffu, b, other),
                   w = __shfl_sync(0xffffffffu, b, other + 4);
        c[0] = fma(x, z, c[0]);
        c[1] = fma(x, w, c[1]);
        c[2] = fma(y, z, c[2]);
        c[3] = fma(y, w, c[3]);
    }
#endif
}

/* Adds n drivers, whose rows follow each other, with zeros up to a multiple of four. */
LANE_FN void product_add_all(const real *drivers, const real *factors, uint32_t n,
                             product_sums *sums)
{
    const uint32_t across = matrix_across(), along = matrix_along();
    drivers += along * PRODUCT_PATHS;
    factors += across * PRODUCT_STRIDE + along;
    PATH_ROLL
    for (uint32_t f = 0; f < n; f += 4) {
        real a[PRODUCT_TILES][2];
        PATH_UNROLL
        for (uint32_t m = 0; m < PRODUCT_TILES; ++m) PATH_UNROLL
        for (uint32_t i = 0; i < 2; ++i)
            a[m][i] = drivers[f * PRODUCT_PATHS + ((16 * m + 8 * i + across) ^ along << 2)];
        PATH_UNROLL
        for (uint32_t k = 0; k < PRODUCT_RUNS; ++k) {
            const real b = factors[k * PRODUCT_RUN * PRODUCT_STRIDE + f];
            PATH_UNROLL
            for (uint32_t m = 0; m < PRODUCT_TILES; ++m) product_multiply(a[m], b, sums->of[k][m]);
        }
    }
}

/* Shows the warp the gross returns of run k of the pass, a row an asset. */
LANE_FN void PATH_NAME(product_returns)(const path_view *v, const product_sums *sums, uint32_t k)
{
    const uint32_t across = matrix_across(), along = matrix_along();
    PATH_UNROLL
    for (uint32_t m = 0; m < PRODUCT_TILES; ++m) PATH_UNROLL
    for (uint32_t first = 0; first < 4; first += LEVY_LANES) {
        lane x;
        PATH_UNROLL
        for (uint32_t i = 0; i < LEVY_LANES; ++i) x.v[i] = sums->of[k][m][first + i];
        x = PATH_NAME(exp)(v, x);
        PATH_UNROLL
        for (uint32_t i = 0; i < LEVY_LANES; ++i) {
            const uint32_t at = first + i, path = 16 * m + at / 2 * 8 + across;
            v->shown[(2 * along + at % 2) * PRODUCT_PATHS + (path ^ along << 2)] = x.v[i];
        }
    }
}

/* Adds the returns of a pass to the items' baskets. */
LANE_FN void PATH_NAME(product_baskets)(const path_view *v, uint32_t first,
                                        const product_sums *sums, product_level *level)
{
    PATH_UNROLL
    for (uint32_t k = 0; k < PRODUCT_RUNS; ++k) {
        __syncwarp();
        PATH_NAME(product_returns)(v, sums, k);
        __syncwarp();
        PATH_UNROLL
        for (uint32_t row = 0; row < PRODUCT_RUN; ++row) {
            const uint32_t asset = first + k * PRODUCT_RUN + row;
            if (asset >= PATH_assets) continue;
            const lane gross_return =
                ((const path_own *)(v->shown + row * PRODUCT_PATHS + PATH_own_place(row / 2)))->z;
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

LANE_FN void product_end(const product_level *level, lane *last)
{
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_items; ++i) last[i] = level[i];
}
