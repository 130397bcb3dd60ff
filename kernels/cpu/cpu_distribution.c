/* cpu_distribution.c: a stand-alone distribution over the CPU's workers, which take chunks from one
 * counter; a deviate depends on its index alone. Must not know: the public interface. */
#include "kernels/cpu/cpu_objects.h"

#include <stdio.h>

enum { DISTRIBUTION_CHUNK = 1 << 14 };

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

typedef struct distribution_share {
    const levy_draw_isa *isa;
    const levy_draw_job *job;
    levy_cpu_pieces chunks;
} distribution_share;

static void distribution_work(void *user, uint32_t worker)
{
    distribution_share *const share = user;
    size_t from, to;
    (void)worker;
    while (levy_cpu_take(&share->chunks, &from, &to)) share->isa->fill(share->job, from, to);
}

static levy_status distribution_call(const levy_cpu_object *o, const void *given, char *why)
{
    const levy_distribution_law *const law = o->tables;
    const levy_distribution_call *const call = given;
    const levy_draw_job job = {
        .law = law->law,
        .stream = call->substream,
        .seed = call->seed,
        .first = call->first,
        .parameters = {law->parameters[0], law->parameters[1]},
        .each = {law->each[0] ? call->parameters[0] : NULL,
                 law->each[1] ? call->parameters[1] : NULL},
        .table = law->table.rows,
        .scale = law->table.scale,
        .words = call->words,
        .output = call->output,
    };
    LEVY_TRY(distribution_check(law, call, why));
    distribution_share share = {.isa = o->crew->build->draw[law->single],
                                .job = &job,
                                .chunks = {.count = call->count, .each = DISTRIBUTION_CHUNK}};
    if (o->crew->threads && call->count > DISTRIBUTION_CHUNK)
        levy_threads_run(o->crew->threads, distribution_work, &share);
    else
        distribution_work(&share, 0);
    return LEVY_OK;
}

const levy_cpu_kind levy_cpu_distribution = {"a distribution", "tiles of neighbouring draws", NULL,
                                             distribution_call};
