/* cpu_draw.c: see cpu_draw.h. Workers take chunks from one counter; a deviate depends on its index
 * alone. */
#include "kernels/cpu/cpu_draw.h"

#include "kernels/cpu/cpu_features.h"
#include "kernels/cpu/isa_list.h"

#include <stdatomic.h>
#include <string.h>

#define DRAW_ISA(name)                                                                             \
    extern const levy_draw_isa levy_draw_##name##_double, levy_draw_##name##_single;
LEVY_ISA_LIST(DRAW_ISA)
#undef DRAW_ISA

static const levy_draw_isa *const draw_builds[][2] = {/* best first; [precision] */
#define DRAW_ISA(name) {&levy_draw_##name##_double, &levy_draw_##name##_single},
                                                      LEVY_ISA_LIST(DRAW_ISA)
#undef DRAW_ISA
};
enum { DRAW_BUILDS = sizeof draw_builds / sizeof *draw_builds, DRAW_CHUNK = 1 << 14 };

const levy_draw_isa *levy_cpu_draw_choose(const char *isa, bool single, bool *known)
{
    const bool any = !isa || strcmp(isa, "auto") == 0;
    *known = any;
    for (size_t i = 0; i < DRAW_BUILDS; ++i) {
        const levy_draw_isa *const build = draw_builds[i][single];
        if (!any && strcmp(isa, build->name) != 0) continue;
        *known = true;
        if (levy_cpu_supports(build->name)) return build;
    }
    return NULL;
}

typedef struct draw_share {
    const levy_draw_isa *isa;
    const levy_draw_job *job;
    size_t count;
    atomic_size_t next;
} draw_share;

static void draw_work(void *user, uint32_t worker)
{
    draw_share *const share = user;
    (void)worker;
    for (;;) {
        const size_t from = atomic_fetch_add(&share->next, DRAW_CHUNK);
        if (from >= share->count) return;
        const size_t left = share->count - from;
        share->isa->fill(share->job, from, from + (left < DRAW_CHUNK ? left : DRAW_CHUNK));
    }
}

void levy_cpu_draw(const levy_draw_isa *isa, levy_threads *threads, const levy_draw_job *job,
                   size_t count)
{
    draw_share share = {.isa = isa, .job = job, .count = count};
    atomic_init(&share.next, 0);
    if (threads && count > DRAW_CHUNK)
        levy_threads_run(threads, draw_work, &share);
    else
        draw_work(&share, 0);
}
