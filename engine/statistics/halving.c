/* halving.c: what half steps change, and the order at which that falls; see convergence.h. The line
 * is one of weighted least squares, its error by the bootstrap over the replicates. */
#include "engine/statistics/convergence.h"

#include "engine/base/split_mix.h"
#include "kernels/lane/scalar.h"

#include <math.h>

static const uint64_t halving_seed = 0x6c657679; /* for the bootstrap */

/* So many of its errors a change must be to have a place on the line. */
static const double halving_seen = 2.0;

typedef struct halving_work {
    const levy_converge_input *input;
    uint64_t *drawn;        /* [replicate]: how often each is in the sample */
    double *x, *y, *weight; /* [size]: the line's points */
    bool *fits;             /* [size]: it is one of them */
} halving_work;

/* The mean over the sample of the estimates at a size, less `less` times those at the next, and its
 * standard error. */
static double halving_mean(const halving_work *w, size_t i, double less, double *se)
{
    const size_t n = w->input->n_replicates, sizes = w->input->n_sizes;
    double mean = 0.0, squares = 0.0;
    for (size_t r = 0; r < n; ++r) {
        const double *const at = w->input->estimates + r * sizes + i;
        mean += (double)w->drawn[r] * (less > 0.0 ? at[0] - less * at[1] : at[0]) / (double)n;
    }
    for (size_t r = 0; r < n; ++r) {
        const double *const at = w->input->estimates + r * sizes + i;
        const double apart = (less > 0.0 ? at[0] - less * at[1] : at[0]) - mean;
        squares += (double)w->drawn[r] * apart * apart;
    }
    *se = n > 1 ? levy_sqrt(squares / (double)(n - 1) / (double)n) : NAN;
    return mean;
}

/* Weighted least squares; the weights are those of the whole sample. */
static levy_line halving_line(const halving_work *w)
{
    double all = 0.0, mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0, se;
    size_t n = 0;
    for (size_t i = 0; i + 1 < w->input->n_sizes; ++i) {
        if (!w->fits[i]) continue;
        ++n;
        w->y[i] = levy_log2(fabs(halving_mean(w, i, 1.0, &se)));
        all += w->weight[i];
        mean_x += w->weight[i] * w->x[i];
        mean_y += w->weight[i] * w->y[i];
    }
    for (size_t i = 0; i + 1 < w->input->n_sizes; ++i) {
        if (!w->fits[i]) continue;
        const double x = w->x[i] - mean_x / all;
        xx += w->weight[i] * x * x;
        xy += w->weight[i] * x * (w->y[i] - mean_y / all);
    }
    if (n < 2) return (levy_line){NAN, NAN}; /* xx is 0 but for rounding */
    return (levy_line){xy / xx, (mean_y - xy / xx * mean_x) / all};
}

static double halving_slope_error(const halving_work *w)
{
    const size_t n = w->input->n_replicates;
    uint64_t state = halving_seed, count = 0;
    double mean = 0.0, squares = 0.0;
    for (uint32_t b = 0; b < w->input->resamples; ++b) {
        for (size_t r = 0; r < n; ++r) w->drawn[r] = 0;
        for (size_t k = 0; k < n; ++k)
            ++w->drawn[(size_t)(((levy_split_mix(&state) >> 32) * n) >> 32)];
        const double slope = halving_line(w).slope, apart = slope - mean;
        if (!isfinite(slope)) continue;
        mean += apart / (double)++count;
        squares += apart * (slope - mean);
    }
    return count > 1 ? levy_sqrt(squares / (double)(count - 1)) : NAN;
}

static void halving_measure(const halving_work *w, levy_converge_figures *figures)
{
    const levy_converge_input *const in = w->input;
    for (size_t r = 0; r < in->n_replicates; ++r) w->drawn[r] = 1;
    for (size_t i = 0; i < in->n_sizes; ++i) {
        double *const change = &figures->rmse[i], *const se = &figures->rmse_se[i];
        *change = *se = NAN;
        figures->mean[i] = halving_mean(w, i, 0.0, &figures->mean_se[i]);
        if (i + 1 < in->n_sizes) *change = fabs(halving_mean(w, i, 1.0, se));
        w->x[i] = levy_log2((double)in->sizes[i]);
        w->weight[i] = *change / *se * (*change / *se);
        w->fits[i] = *change > halving_seen * *se && isfinite(w->weight[i]) &&
                     in->sizes[i] >= in->fit_first && in->sizes[i] <= in->fit_last;
    }
    figures->line = halving_line(w);
    figures->slope_se = halving_slope_error(w);
}

levy_status levy_converge_halve(const levy_memory *memory, const levy_converge_input *input,
                                levy_converge_figures *figures)
{
    levy_arena arena;
    levy_arena_init(&arena, memory);
    halving_work w = {.input = input};
    w.drawn = levy_arena_allocate(&arena, input->n_replicates, sizeof *w.drawn);
    w.x = levy_arena_allocate(&arena, input->n_sizes, sizeof *w.x);
    w.y = levy_arena_allocate(&arena, input->n_sizes, sizeof *w.y);
    w.weight = levy_arena_allocate(&arena, input->n_sizes, sizeof *w.weight);
    w.fits = levy_arena_allocate(&arena, input->n_sizes, sizeof *w.fits);
    const bool ready = w.drawn && w.x && w.y && w.weight && w.fits;
    if (ready) halving_measure(&w, figures);
    levy_arena_release(&arena);
    return ready ? LEVY_OK : LEVY_MEMORY;
}
