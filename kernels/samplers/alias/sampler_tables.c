/* sampler_tables.c: see sampler_tables.h. */
#include "kernels/samplers/alias/sampler_tables.h"

#include "kernels/samplers/alias/alias_build.h"

levy_sampler_row levy_sampler_row_of(levy_alias_row row, uint32_t own, double share)
{
    /* The threshold is at most half a share. Divide first: 2^32 / share may overflow. */
    const double split = row.threshold / share * 4294967296.0;
    const uint32_t part = split < 2147483647.0 ? (uint32_t)split : 2147483647u;
    if (row.item[0] == own) return (levy_sampler_row){part, row.item[1]};
    return (levy_sampler_row){part | 1u << 31, row.item[0]};
}

typedef struct tables_job {
    const levy_alias *alias;
    levy_sampler_tables *tables;
    uint32_t workers;
} tables_job;

static void tables_part(void *user, uint32_t worker)
{
    const tables_job *const job = user;
    levy_sampler_tables *const t = job->tables;
    const uint64_t each = t->count / job->workers + 1, from = each * worker,
                   to = from + each < t->count ? from + each : t->count;
    for (uint64_t i = from; i < to; ++i) {
        t->rows[i] = levy_sampler_row_of(job->alias->rows[i], (uint32_t)i, t->share);
        t->thresholds[i] = job->alias->rows[i].threshold;
    }
}

static levy_status tables_rows(const levy_memory *memory, const levy_alias *alias,
                               const levy_alias_crew *crew, levy_sampler_tables *t)
{
    tables_job job = {alias, t, alias_crew_size(crew)};
    t->count = alias->count;
    t->share = alias->scale.share;
    t->rows = levy_memory_allocate(memory, (size_t)t->count, sizeof *t->rows);
    t->thresholds = levy_memory_allocate(memory, (size_t)t->count, sizeof *t->thresholds);
    if (!t->rows || !t->thresholds) return LEVY_MEMORY;
    levy_alias_crew_run(crew, tables_part, &job);
    return LEVY_OK;
}

levy_status levy_sampler_tables_create(const levy_memory *memory, const levy_alias_weights *weights,
                                       const levy_alias_crew *crew, levy_sampler_tables *tables,
                                       levy_alias_fault *fault)
{
    levy_alias *alias;
    *tables = (levy_sampler_tables){0};
    *fault = (levy_alias_fault){LEVY_ALIAS_FINE, 0, 0.0};
    if (weights->count == 0 || weights->count > LEVY_ALIAS_LIMIT) {
        fault->reason = LEVY_ALIAS_COUNT;
        fault->index = weights->count;
        return LEVY_INPUT;
    }
    LEVY_TRY(levy_alias_create(memory, weights->count, &alias));
    levy_status status = levy_alias_build(alias, weights, LEVY_ALIAS_PSA_PLUS, crew, fault);
    if (status == LEVY_OK) status = tables_rows(memory, alias, crew, tables);
    levy_alias_destroy(alias);
    if (status == LEVY_OK)
        status = levy_guide_create(memory, weights, 0, crew, &tables->guide, fault);
    if (status != LEVY_OK) levy_sampler_tables_release(memory, tables);
    return status;
}

uint64_t levy_sampler_tables_bytes(const levy_sampler_tables *t)
{
    return t->count * (sizeof *t->rows + sizeof *t->thresholds + sizeof *t->guide->cumulative) +
           ((uint64_t)t->guide->cells + 1) * sizeof *t->guide->start;
}

void levy_sampler_tables_release(const levy_memory *memory, levy_sampler_tables *tables)
{
    levy_memory_release(memory, tables->rows);
    levy_memory_release(memory, tables->thresholds);
    levy_guide_destroy(tables->guide);
    tables->rows = NULL;
    tables->thresholds = NULL;
    tables->guide = NULL;
}
