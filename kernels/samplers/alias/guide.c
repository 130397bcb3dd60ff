/* guide.c: see guide.h. Probabilities are summed as integers, so each cumulative one is its
 * weights' sum to rounding.
 */
#include "kernels/samplers/alias/guide.h"

#include "kernels/samplers/alias/alias_build.h"

#include <math.h>

/* A guide is made in parts of neighbouring items, then of neighbouring cells, a worker each. */
enum { GUIDE_PARTS = 64 };
typedef struct guide_job {
    levy_guide *guide;
    const levy_alias_weights *weights;
    const alias_scale *scale;
    double unit;                    /* of a cumulative probability */
    uint64_t last;                  /* the last item of positive weight */
    uint32_t parts;                 /* of the work */
    alias_wide before[GUIDE_PARTS]; /* of each part: its sum, then the sum of all before it */
} guide_job;

static uint64_t guide_from(uint64_t n, const guide_job *job, uint32_t part)
{
    return n / job->parts * part + (n % job->parts < part ? n % job->parts : part);
}

static void guide_sum(void *user, uint32_t part)
{
    guide_job *const job = user;
    alias_wide sum = 0;
    if (part >= job->parts) return;
    const uint64_t end = guide_from(job->guide->count, job, part + 1);
    for (uint64_t i = guide_from(job->guide->count, job, part); i < end; ++i)
        sum += alias_quantise(job->scale, levy_alias_weight_at(job->weights, i));
    job->before[part] = sum;
}

/* Cumulative probabilities; everything from the last item of positive weight on is 1. */
static void guide_accumulate(void *user, uint32_t part)
{
    guide_job *const job = user;
    levy_guide *const g = job->guide;
    if (part >= job->parts) return;
    const uint64_t end = guide_from(g->count, job, part + 1);
    alias_wide sum = job->before[part];
    for (uint64_t i = guide_from(g->count, job, part); i < end; ++i) {
        sum += alias_quantise(job->scale, levy_alias_weight_at(job->weights, i));
        const double u = alias_wide_double(sum) * job->unit;
        g->cumulative[i] = u < 1.0 && i < job->last ? u : 1.0;
    }
}

/* The cut points of a part of the cells. */
static void guide_cut(void *user, uint32_t part)
{
    guide_job *const job = user;
    levy_guide *const g = job->guide;
    if (part >= job->parts) return;
    const uint64_t end = guide_from(g->cells, job, part + 1);
    uint64_t cell = guide_from(g->cells, job, part);
    uint64_t i = levy_guide_search(g, (double)cell / (double)g->cells);
    for (; cell < end; ++cell) {
        const double u = (double)cell / (double)g->cells;
        while (u >= g->cumulative[i]) ++i;
        g->start[cell] = (uint32_t)i;
    }
}

static void guide_make(levy_guide *g, const levy_alias_weights *weights, const alias_scale *scale,
                       const levy_alias_crew *crew)
{
    const uint32_t workers = alias_crew_size(crew);
    alias_wide sum = 0;
    guide_job job = {.guide = g,
                     .weights = weights,
                     .scale = scale,
                     .unit = ldexp(1.0 / (double)weights->count, -scale->fraction),
                     .last = weights->count - 1,
                     .parts = workers < GUIDE_PARTS ? workers : GUIDE_PARTS};
    while (!(levy_alias_weight_at(weights, job.last) > 0.0)) --job.last;
    if (job.parts > 1) levy_alias_crew_run(crew, guide_sum, &job);
    for (uint32_t part = 0; part < job.parts; ++part) {
        const alias_wide own = job.before[part];
        job.before[part] = sum;
        sum += own;
    }
    levy_alias_crew_run(crew, guide_accumulate, &job);
    levy_alias_crew_run(crew, guide_cut, &job);
    g->start[g->cells] = levy_guide_search(g, 1.0 - 0x1p-53);
}

static levy_status guide_fill(levy_guide *g, const levy_alias_weights *weights, uint32_t cells,
                              const levy_alias_crew *crew, levy_alias_fault *fault)
{
    levy_alias sums = {.memory = g->memory};
    const levy_status status = levy_alias_sum(&sums, weights, crew, fault);
    levy_memory_release(g->memory, sums.scratch);
    if (status != LEVY_OK) return status;
    alias_scale scale;
    levy_alias_scale_set(&scale, sums.total, sums.total_shift, weights->count);
    g->count = weights->count;
    for (g->cells = 1; g->cells < (cells ? cells : weights->count) && g->cells < 1u << 31;
         g->cells *= 2)
        continue;
    g->cumulative = levy_memory_allocate(g->memory, (size_t)g->count, sizeof *g->cumulative);
    g->start = levy_memory_allocate(g->memory, (size_t)g->cells + 1, sizeof *g->start);
    if (!g->cumulative || !g->start) return LEVY_MEMORY;
    guide_make(g, weights, &scale, crew);
    return LEVY_OK;
}

levy_status levy_guide_create(const levy_memory *memory, const levy_alias_weights *weights,
                              uint32_t cells, const levy_alias_crew *crew, levy_guide **guide,
                              levy_alias_fault *fault)
{
    *guide = NULL;
    *fault = (levy_alias_fault){LEVY_ALIAS_FINE, 0, 0.0};
    if (weights->count == 0 || weights->count > LEVY_ALIAS_LIMIT) {
        *fault = (levy_alias_fault){LEVY_ALIAS_COUNT, weights->count, 0.0};
        return LEVY_INPUT;
    }
    levy_guide *const g = levy_memory_allocate(memory, 1, sizeof *g);
    if (!g) return LEVY_MEMORY;
    g->memory = memory;
    const levy_status status = guide_fill(g, weights, cells, crew, fault);
    if (status == LEVY_OK)
        *guide = g;
    else
        levy_guide_destroy(g);
    return status;
}

void levy_guide_destroy(levy_guide *guide)
{
    if (!guide) return;
    levy_memory_release(guide->memory, guide->cumulative);
    levy_memory_release(guide->memory, guide->start);
    levy_memory_release(guide->memory, guide);
}
