/* path_draw.h: words and normals of a path's draws, made by the generator or given. Part of loop.h,
 * which alone includes it, once per shape. Must not know: the order in which nodes are built. */

/* The word or normal of a draw that was made outside the loop. */
#if LANE_GPU
#define PATH_GIVEN(type, result)                                                                   \
    const type *const from = (const type *)s->points->given +                                      \
                             v->given_rows[draw] * s->points->given_stride +                       \
                             s->points->row * LEVY_COLUMNS;                                        \
    PATH_UNROLL                                                                                    \
    for (uint32_t q = 0; q < LEVY_LANES; ++q) result.v[q] = from[q * LEVY_COLUMNS]
#else
#define PATH_GIVEN(type, result)                                                                   \
    memcpy(&result,                                                                                \
           (const type *)s->points->given + v->given_rows[draw] * s->points->given_stride,         \
           sizeof result)
#endif
LANE_FN lane_word PATH_NAME(given_word)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    lane_word word;
    PATH_GIVEN(uint32_t, word);
    return word;
}

LANE_FN lane PATH_NAME(given_normal)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    lane normal;
    PATH_GIVEN(real, normal);
    return normal;
}
#undef PATH_GIVEN

#if LANE_GPU
/* The parts of a draw's words that no column changes. In a narrow kernel only those of the first of
 * the thread's rows are ready. */
LANE_FN lane_word PATH_NAME(base)(PATH_NAME(state) *s, int32_t draw, bool folded)
{
    const sobol_state *const sobol = &s->points->sobol;
    if (!PATH_narrow) return sobol_base(sobol, draw, PATH_base_rows);
    lane_word base;
#pragma unroll
    for (int q = 0; q < LANES; ++q) {
        const uint32_t row = sobol_row(sobol, draw, q);
        base.v[q] = sobol->base[draw] ^ (folded ? normal_fold(row) : row);
    }
    return base;
}
#endif

/* A draw's place in time. Draws outside the bridge come last and are in time order already. */
LANE_FN uint32_t PATH_NAME(timed)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    if (PATH_auxiliary && draw >= PATH_nodes * PATH_factors) return draw;
    return (v->bridge_time[draw / PATH_factors] - 1) * PATH_factors + draw % PATH_factors;
}

LANE_FN lane_word PATH_NAME(word)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    (void)v;
    /* In the order of time both are the same number. If a model draws between, a number that comes
     * from memory keeps the compiler from spilling 900 bytes (H200: 59 against 32 G path-steps/s).
     */
    if (PATH_generator == POINTS_PHILOX)
        return points_philox(s->points, PATH_construction == 1 && PATH_auxiliary > 0
                                            ? PATH_NAME(timed)(s, draw)
                                            : draw);
    if (PATH_generator == POINTS_GIVEN_WORDS) return PATH_NAME(given_word)(s, draw);
    if (PATH_buffered) return s->points->ahead[PATH_NAME(timed)(s, draw)];
    if (PATH_generator == POINTS_MRG) return mrg_word(&s->points->mrg);
    if (PATH_padded && v->padded[draw >> 5] >> (draw & 31) & 1)
        return points_philox(s->points, PATH_NAME(timed)(s, draw));
#if LANE_GPU
    return PATH_NAME(base)(s, (int32_t)draw, false) ^
           sobol_low(&s->points->sobol, (int32_t)draw, PATH_low_words, PATH_fours);
#else
    return sobol_word(&s->points->sobol, draw);
#endif
}

LANE_FN lane PATH_NAME(normal)(const path_view *v, lane_word word)
{
    (void)v;
#if !defined(LANE_SINGLE)
    if (PATH_mixed) return normal_mixed_from_word(word);
#endif
    return normal_from_word(word);
}

#if PATH_folded
/* The same of a folded word's parts. */
LANE_FN lane PATH_NAME(normal_of_folded)(lane_word base, uint32_t low)
{
#if PATH_mixed
    return normal_mixed_from_folded(base, low);
#else
    return normal_from_folded(base, low);
#endif
}
#endif

/* The normal of a draw, or 0 of the one that payoffs integrate over. Its word is made all the same,
 * for streams give their words in order. */
LANE_FN lane PATH_NAME(unless_integrated)(const path_view *v, uint32_t draw, lane z)
{
    (void)v;
    return PATH_integrated && draw == 0 ? lane_of(R(0.0)) : z;
}

LANE_FN lane PATH_NAME(normal_of)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    const lane z = PATH_generator == POINTS_GIVEN_NORMALS
                       ? PATH_NAME(given_normal)(s, draw)
                       : PATH_NAME(normal)(v, PATH_NAME(word)(s, draw));
    return PATH_NAME(unless_integrated)(v, draw, z);
}

/* The standard normal of factor f of build-order entry `entry`. Draws must be asked for in order. A
 * kernel with folded words flips the sign of *sign_of instead of applying a part of the normal's
 * own. */
LANE_FN lane PATH_NAME(draw)(PATH_NAME(state) *s, int32_t entry, uint32_t f, real *sign_of)
{
#if PATH_cells
    (void)entry, (void)f, (void)sign_of;
    return normal_held(s->points->cells, s->points->row, s->points->turned,
                       sobol_base(&s->points->sobol, 0, PATH_base_rows));
#elif PATH_folded
    const int32_t draw = entry * (int32_t)PATH_factors + (int32_t)f;
    uint32_t low = sobol_low(&s->points->sobol, draw, PATH_low_words, PATH_fours);
    if (!PATH_shared_low) low = normal_fold(low);
    *sign_of =
        lane_one_from_bits(lane_one_as_bits(*sign_of) ^
                           LANE_PICK((real_bits)((uint64_t)low << 63), (real_bits)(low << 31)));
    return PATH_NAME(unless_integrated)(
        s->v, (uint32_t)draw, PATH_NAME(normal_of_folded)(PATH_NAME(base)(s, draw, true), low));
#else
    const path_view *const v = s->v;
    (void)v;
    (void)sign_of;
    return PATH_NAME(normal_of)(s, (uint32_t)entry * PATH_factors + f);
#endif
}

/* The same with its sign. */
LANE_FN lane PATH_NAME(drawn)(PATH_NAME(state) *s, int32_t entry, uint32_t f)
{
    real sign = R(1.0);
    const lane z = PATH_NAME(draw)(s, entry, f, &sign);
    return PATH_folded ? z * sign : z;
}

/* ---- Functionals: a turn of the normals before the bridge (engine/plan/functionals.h) ---- */

/* The entry's normal: its draw after the turn. */
LANE_FN lane PATH_NAME(turned)(PATH_NAME(state) *s, uint32_t entry, uint32_t f, lane z)
{
    const path_view *const v = s->v;
    PATH_UNROLL
    for (uint32_t j = 0; j < PATH_functionals; ++j)
        z = lane_fma(lane_of(v->spread[entry * PATH_functionals + j]),
                     s->sums[j * PATH_factors + f], z);
    return z;
}

/* Word k of a node's draws outside the bridge: the arrivals', the diffusion's, then at most one
 * more. */
LANE_FN lane_word PATH_NAME(node_word)(PATH_NAME(state) *s, uint32_t node, uint32_t k)
{
    const path_view *const v = s->v;
    (void)v;
    return PATH_NAME(word)(s, PATH_nodes * PATH_factors + node * PATH_auxiliary + k);
}

/* Word k of the diffusion's. */
LANE_FN lane_word PATH_NAME(model_word)(PATH_NAME(state) *s, uint32_t node, uint32_t k)
{
    const path_view *const v = s->v;
    (void)v;
    return PATH_NAME(node_word)(s, node, PATH_arrivals_draws + k);
}
