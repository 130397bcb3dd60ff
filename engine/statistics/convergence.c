/* convergence.c: see convergence.h. */
#include "engine/statistics/convergence.h"

#include "engine/base/split_mix.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

static const uint64_t converge_seed = 0x6c657679; /* for the bootstrap */

levy_line levy_line_fit(const double *x, const double *y, size_t n)
{
    double mean_x = 0.0, mean_y = 0.0, xx = 0.0, xy = 0.0;
    for (size_t i = 0; i < n; ++i) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; ++i) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    if (n < 2 || !(xx > 0.0)) return (levy_line){NAN, NAN};
    return (levy_line){xy / xx, mean_y - xy / xx * mean_x};
}

typedef struct converge_work {
    const levy_converge_input *input;
    double *squares;   /* [replicate * n_sizes + size]: squared errors */
    double *rmse;      /* [size]: of one resample */
    double *x, *y;     /* [size]: points that a line is fitted to */
    double *mean, *m2; /* [size]: Welford's sums over the resamples */
    uint64_t *n;
} converge_work;

static levy_line converge_line(const converge_work *w, const double *rmse)
{
    const levy_converge_input *in = w->input;
    size_t n = 0;
    for (size_t i = 0; i < in->n_sizes; ++i) {
        if (in->sizes[i] < in->fit_first || in->sizes[i] > in->fit_last || !(rmse[i] > 0.0) ||
            !isfinite(rmse[i]))
            continue;
        w->x[n] = levy_log2((double)in->sizes[i]);
        w->y[n++] = levy_log2(rmse[i]);
    }
    return levy_line_fit(w->x, w->y, n);
}

static void converge_rmse(const converge_work *w, double *rmse)
{
    const size_t n_sizes = w->input->n_sizes, n = w->input->n_replicates;
    memset(rmse, 0, n_sizes * sizeof *rmse);
    for (size_t r = 0; r < n; ++r)
        for (size_t i = 0; i < n_sizes; ++i) rmse[i] += w->squares[r * n_sizes + i];
    for (size_t i = 0; i < n_sizes; ++i) rmse[i] = levy_sqrt(rmse[i] / (double)n);
}

static void converge_resample(const converge_work *w, uint64_t *state, double *rmse)
{
    const size_t n_sizes = w->input->n_sizes, n = w->input->n_replicates;
    memset(rmse, 0, n_sizes * sizeof *rmse);
    for (size_t k = 0; k < n; ++k) {
        const size_t r = (size_t)(((levy_split_mix(state) >> 32) * n) >> 32);
        for (size_t i = 0; i < n_sizes; ++i) rmse[i] += w->squares[r * n_sizes + i];
    }
    for (size_t i = 0; i < n_sizes; ++i) rmse[i] = levy_sqrt(rmse[i] / (double)n);
}

static void converge_add(double x, uint64_t *n, double *mean, double *m2)
{
    if (!isfinite(x)) return;
    const double delta = x - *mean;
    *mean += delta / (double)++*n;
    *m2 += delta * (x - *mean);
}

static double converge_deviation(uint64_t n, double m2)
{
    return n > 1 ? levy_sqrt(m2 / (double)(n - 1)) : NAN;
}

static void converge_bootstrap(const converge_work *w, levy_converge_figures *figures)
{
    const size_t n_sizes = w->input->n_sizes;
    uint64_t state = converge_seed, n_slope = 0;
    double slope_mean = 0.0, slope_m2 = 0.0;
    for (uint32_t b = 0; b < w->input->resamples; ++b) {
        converge_resample(w, &state, w->rmse);
        converge_add(converge_line(w, w->rmse).slope, &n_slope, &slope_mean, &slope_m2);
        for (size_t i = 0; i < n_sizes; ++i)
            converge_add(w->rmse[i], &w->n[i], &w->mean[i], &w->m2[i]);
    }
    figures->slope_se = converge_deviation(n_slope, slope_m2);
    for (size_t i = 0; i < n_sizes; ++i)
        figures->rmse_se[i] = converge_deviation(w->n[i], w->m2[i]);
}

levy_status levy_converge_measure(const levy_memory *memory, const levy_converge_input *input,
                                  levy_converge_figures *figures)
{
    levy_arena arena;
    levy_arena_init(&arena, memory);
    const size_t n = input->n_sizes, all = input->n_replicates * n;
    converge_work w = {.input = input};
    w.squares = levy_arena_allocate(&arena, all, sizeof *w.squares);
    w.rmse = levy_arena_allocate(&arena, n, sizeof *w.rmse);
    w.x = levy_arena_allocate(&arena, n, sizeof *w.x);
    w.y = levy_arena_allocate(&arena, n, sizeof *w.y);
    w.mean = levy_arena_allocate(&arena, n, sizeof *w.mean);
    w.m2 = levy_arena_allocate(&arena, n, sizeof *w.m2);
    w.n = levy_arena_allocate(&arena, n, sizeof *w.n);
    const bool ready = w.squares && w.rmse && w.x && w.y && w.mean && w.m2 && w.n;
    for (size_t i = 0; ready && i < all; ++i) {
        const double error = input->estimates[i] - input->reference;
        w.squares[i] = error * error;
    }
    if (ready) {
        converge_rmse(&w, figures->rmse);
        figures->line = converge_line(&w, figures->rmse);
        figures->slope_se = NAN;
        for (size_t i = 0; i < n; ++i) figures->rmse_se[i] = NAN;
        if (input->n_replicates > 1) converge_bootstrap(&w, figures);
    }
    levy_arena_release(&arena);
    return ready ? LEVY_OK : LEVY_MEMORY;
}

/* Seconds of one replicate at the size where the fitted line reaches the target. */
static double converge_seconds_to(const levy_convergence_method *m, double target)
{
    if (!(m->slope < 0.0) || !(target > 0.0) || m->n_sizes == 0) return NAN;
    const double log2_points = (levy_log2(target) - m->intercept) / m->slope;
    if (log2_points > 900.0) return NAN;
    const double all_points = (double)m->replicates * (double)m->sizes[m->n_sizes - 1];
    return levy_exp(log2_points * LEVY_LN_2) * m->seconds / all_points;
}

/* One run, whose error may be small by chance: it is compared with nothing. */
static bool converge_is_alone(const levy_convergence_method *m)
{
    return m->replicates == 1 && !m->pseudo_random;
}

/* Squared error times the seconds of one replicate: the work for one unit of accuracy. */
static double converge_work_of(const levy_convergence_method *m)
{
    const double rmse = m->rmse[m->n_sizes - 1];
    return rmse * rmse * m->seconds / (double)m->replicates;
}

void levy_converge_compare(levy_convergence *study, levy_convergence_method *methods)
{
    const levy_convergence_method *baseline = NULL;
    double largest = NAN;
    for (size_t i = 0; i < study->n_methods; ++i) {
        const double last = methods[i].rmse[methods[i].n_sizes - 1];
        if (!baseline && methods[i].pseudo_random) baseline = &methods[i];
        if (!(last <= largest) && !converge_is_alone(&methods[i])) largest = last;
    }
    study->baseline = baseline ? baseline->method : NULL;
    if (!(study->target_rmse > 0.0)) study->target_rmse = largest;
    for (size_t i = 0; i < study->n_methods; ++i) {
        methods[i].seconds_to_target = converge_seconds_to(&methods[i], study->target_rmse);
        methods[i].efficiency = baseline && !converge_is_alone(&methods[i])
                                    ? converge_work_of(baseline) / converge_work_of(&methods[i])
                                    : NAN;
    }
}
