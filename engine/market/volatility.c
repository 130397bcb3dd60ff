/* volatility.c: see volatility.h. */
#include "engine/market/volatility.h"

#include "kernels/lane/scalar.h"

double levy_volatility_variance(const levy_volatility *v, double t)
{
    if (t <= 0 || v->n == 0) return 0;
    size_t i = 0;
    while (i < v->n && v->times[i] < t) ++i;
    if (i == v->n) i = v->n - 1; /* the last forward volatility goes on */
    const double t0 = i > 0 ? v->times[i - 1] : 0;
    const double w0 = i > 0 ? v->total_variance[i - 1] : 0;
    return w0 + (v->total_variance[i] - w0) * ((t - t0) / (v->times[i] - t0));
}

double levy_volatility_between(const levy_volatility *v, double from, double to)
{
    return levy_volatility_variance(v, to) - levy_volatility_variance(v, from);
}

levy_nodes levy_volatility_nodes(const levy_volatility *v) { return (levy_nodes){v->n, v->times}; }

double levy_volatility_level(const levy_volatility *v, size_t node)
{
    return levy_sqrt(v->total_variance[node] / v->times[node]);
}

levy_status levy_volatility_flat(double level, levy_arena *arena, levy_volatility *v)
{
    double *const variance = levy_arena_allocate(arena, 2, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    variance[0] = level * level;
    variance[1] = 1.0; /* year */
    *v = (levy_volatility){.n = 1, .times = variance + 1, .total_variance = variance};
    return LEVY_OK;
}

bool levy_volatility_is_sound(const levy_volatility *v)
{
    bool sound = true;
    for (size_t k = 0; k < v->n; ++k)
        sound = sound && v->total_variance[k] > 0.0 &&
                (k == 0 || v->total_variance[k] >= v->total_variance[k - 1]);
    return sound;
}

double levy_volatility_break(const levy_volatility *v, double t, double until)
{
    for (size_t k = 0; k < v->n; ++k)
        if (v->times[k] > t && v->times[k] < until) until = v->times[k];
    return until;
}
