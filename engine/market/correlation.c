/* correlation.c: see correlation.h. */
#include "engine/market/correlation.h"

double levy_correlation_of(const levy_correlation *c, size_t piece, size_t i, size_t j)
{
    return c->matrices[(piece * c->n_assets + i) * c->n_assets + j];
}

double levy_correlation_own(const levy_correlation *c, size_t piece, size_t x, size_t y)
{
    const size_t n = c->n_assets;
    if (x < n && y < n) return levy_correlation_of(c, piece, x, y);
    return c->given && c->given[x * 2 * n + y] ? levy_correlation_whole(c, piece, x, y)
                                               : LEVY_NO_CORRELATION;
}

bool levy_correlation_has_variances(const levy_correlation *c) { return c->given != NULL; }

double levy_correlation_whole(const levy_correlation *c, size_t piece, size_t x, size_t y)
{
    const size_t rows = 2 * c->n_assets;
    return c->whole[(piece * rows + x) * rows + y];
}

size_t levy_correlation_pieces(const levy_correlation *c) { return c->n; }

double levy_correlation_end(const levy_correlation *c, size_t piece) { return c->times[piece]; }

size_t levy_correlation_piece(const levy_correlation *c, double until)
{
    size_t piece = 0;
    while (piece + 1 < c->n && until > c->times[piece]) ++piece;
    return piece;
}

levy_correlation levy_correlation_of_one(void)
{
    static double one[] = {1.0};
    return (levy_correlation){.n = 1, .n_assets = 1, .times = one, .matrices = one};
}

double levy_correlation_break(const levy_correlation *c, const levy_asset *const *assets,
                              const uint32_t *at, size_t n, double t, double until)
{
    for (size_t u = 0; u < n; ++u) {
        const levy_quanto *const q = &assets[at[u]]->quanto;
        until = levy_volatility_break(&assets[at[u]]->volatility, t, until);
        if (q->composite) until = levy_volatility_break(&q->fx->volatility, t, until);
    }
    for (size_t k = 0; k + 1 < c->n; ++k)
        if (c->times[k] > t && c->times[k] < until) until = c->times[k];
    return until;
}
