/* historical.h: days drawn from a table: the driver's increment over an interval that ends on a
 * business day, a standard normal, is turned back into a word, and the word finds the row of the
 * day, by which all assets move. So a Brownian bridge builds the days too: rows lie in the order of
 * their principal direction, and the first dimensions decide how far the market goes. Lanes only.
 *   Reads: [node] the inverse of the driver's deviation over the interval, 0 where no day ends;
 * then [row][asset] the day's log returns in path_log's units. Words: the number of rows, 32 less
 * the bits of a cell, then the table of the rows (jumps.h). */
#ifndef LEVY_MODELS_HISTORICAL_H
#define LEVY_MODELS_HISTORICAL_H

#include "models/jumps.h"

enum { HISTORICAL_SIZE, HISTORICAL_SHIFT, HISTORICAL_TABLE };

/* what the days have added to the assets' log returns, in the units of path_log */
#define HISTORICAL_STATE lane historical_return[PATH_MAX_ASSETS];
#define HISTORICAL_IS_SHORT 0
#define historical_settle no_settle
#define historical_slopes no_slopes
#define historical_variances no_variances
#define historical_between no_between

/* The word of a share in [0, 1]. A single's last 8 bits are beyond its precision. */
LANE_FN uint32_t historical_word(real share)
{
#if defined(LANE_SINGLE)
    const float words = share * 0x1p24f;
    return (words >= 16777215.0f ? 16777215u : (uint32_t)words) << 8 | 128u;
#else
    const double words = share * 0x1p32;
    return words >= 4294967295.0 ? 4294967295u : (uint32_t)words;
#endif
}

LANE_FN uint32_t historical_row(const uint32_t *words, real share)
{
    return jumps_monotone_item(historical_word(share), words + HISTORICAL_TABLE,
                               words[HISTORICAL_SIZE], words[HISTORICAL_SHIFT]);
}

#endif
#if defined(PATH_MODELS)

LANE_FN void PATH_NAME(historical_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->historical_return[a] = lane_of(R(0.0));
}

LANE_FN void PATH_NAME(historical_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    const path_view *const v = s->v;
    const real by = v->model_reals[node], *const rows = v->model_reals + PATH_nodes;
    if (!(by > R(0.0))) return;
    const lane share = lane_normal_cdf(step[0] * by);
    PATH_UNROLL
    for (int q = 0; q < LANES; ++q) {
        const uint32_t row = historical_row(v->model_words, LANE_PATH(share, q));
        const real *const moves = rows + (uint64_t)row * PATH_assets;
        PATH_UNROLL
        for (uint32_t a = 0; a < PATH_assets; ++a)
            LANE_PATH(s->historical_return[a], q) =
                LANE_PATH(s->historical_return[a], q) + moves[a];
    }
}

LANE_FN lane PATH_NAME(historical_return)(PATH_NAME(state) *s, uint32_t m, uint32_t a)
{
    (void)m;
    return s->historical_return[a];
}

#endif
