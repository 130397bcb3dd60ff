/* cpu_distribution.c: see cpu_distribution.h. */
#include "kernels/cpu/cpu_distribution.h"

#include <stdio.h>

struct levy_cpu_distribution {
    levy_memory memory;
    levy_threads *threads;
    const levy_draw_isa *isa;
    levy_distribution_law law;
};

levy_status levy_cpu_distribution_create(const levy_memory *memory, levy_threads *threads,
                                         const levy_draw_isa *isa, const levy_distribution_law *law,
                                         levy_cpu_distribution **distribution, char *why)
{
    levy_cpu_distribution *const d = levy_memory_allocate(memory, 1, sizeof *d);
    if (!d) return snprintf(why, LEVY_REASON_SIZE, "no memory for a distribution"), LEVY_MEMORY;
    *d = (levy_cpu_distribution){.memory = *memory, .threads = threads, .isa = isa, .law = *law};
    *distribution = d;
    return LEVY_OK;
}

void levy_cpu_distribution_destroy(levy_cpu_distribution *distribution)
{
    if (!distribution) return;
    const levy_memory memory = distribution->memory;
    levy_memory_release(&memory, distribution);
}

/* All parameters are looked at before any deviate is made: a draw by rejection with a parameter
 * outside its range might never end. */
static levy_status distribution_check(const levy_distribution_law *law,
                                      const levy_distribution_call *call, char *why)
{
    for (int which = 0; which < 2; ++which) {
        if (!law->each[which]) continue;
        const levy_draw_range range = levy_draw_range_of(law->law, law->single, which);
        const size_t at =
            levy_draw_range_find(&range, law->single, call->parameters[which], call->count);
        if (at == call->count) continue;
        snprintf(why, LEVY_REASON_SIZE, "%s[%zu] is outside its range", range.name, at);
        return LEVY_ARGUMENT;
    }
    return LEVY_OK;
}

levy_status levy_cpu_distribution_run(const levy_cpu_distribution *d,
                                      const levy_distribution_call *call, char *why)
{
    const levy_draw_job job = {
        .law = d->law.law,
        .stream = call->substream,
        .seed = call->seed,
        .first = call->first,
        .parameters = {d->law.parameters[0], d->law.parameters[1]},
        .each = {d->law.each[0] ? call->parameters[0] : NULL,
                 d->law.each[1] ? call->parameters[1] : NULL},
        .table = d->law.table.rows,
        .scale = d->law.table.scale,
        .words = call->words,
        .output = call->output,
    };
    LEVY_TRY(distribution_check(&d->law, call, why));
    levy_cpu_draw(d->isa, d->threads, &job, call->count);
    return LEVY_OK;
}
