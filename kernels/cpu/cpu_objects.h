/* cpu_objects.h: the stand-alone objects on a CPU (engine/run/backend.h): what each of them has of
 * the backend, and the little in which the kinds differ. Must not know: what a kind computes, the
 * public interface. */
#ifndef LEVY_CPU_CPU_OBJECTS_H
#define LEVY_CPU_CPU_OBJECTS_H

#include "engine/run/backend.h"
#include "kernels/cpu/bridge_isa.h"
#include "kernels/cpu/cpu_isa.h"
#include "kernels/cpu/draw_isa.h"
#include "kernels/cpu/normals_isa.h"
#include "kernels/cpu/sampler_isa.h"
#include "kernels/cpu/threads.h"
#include "payoffs/policy_fit.h"

#include <stdatomic.h>

/* All that is compiled for one instruction set; arrays by precision. */
typedef struct levy_cpu_build {
    const char *name;
    const levy_cpu_isa *isa[2];
    const levy_bridge_isa *bridge[2];
    const levy_normals_isa *normals[2];
    const levy_draw_isa *draw[2];
    const levy_sampler_isa *sampler;
    const levy_policy_isa *policy;
} levy_cpu_build;
/* NULL or "auto": the best one that this processor runs. NULL with `why`: there is no such one. */
const levy_cpu_build *levy_cpu_choose(const char *isa, char *why);

/* The backend's state begins with this. */
typedef struct levy_cpu_crew {
    levy_memory memory;
    const levy_cpu_build *build;
    levy_threads *threads; /* NULL: the calling thread works alone */
    uint32_t n_threads;
} levy_cpu_crew;

typedef struct levy_cpu_object {
    const struct levy_cpu_kind *kind;
    const levy_cpu_crew *crew;
    const void *tables;
    size_t tile;         /* paths that a worker takes at a time, where the kind has set it */
    size_t scratch_size; /* bytes of one worker, in whole cache lines */
    char *scratch;       /* of the first worker */
    void *taken;         /* as allocated */
} levy_cpu_object;

typedef struct levy_cpu_kind {
    const char *name;   /* "a bridge": in messages */
    const char *kernel; /* what describes it */
    /* Bytes of working memory that a worker needs. NULL: none. */
    size_t (*scratch)(levy_cpu_object *object);
    levy_status (*run)(const levy_cpu_object *object, const void *call, char *why);
} levy_cpu_kind;

enum { LEVY_CPU_LINE = 64 };
/* Whole cache lines. */
static inline size_t levy_cpu_lines(size_t bytes)
{
    return (bytes + LEVY_CPU_LINE - 1) & ~(size_t)(LEVY_CPU_LINE - 1);
}

/* Work of which the workers take pieces in turn, from one counter. */
typedef struct levy_cpu_pieces {
    size_t count, each; /* of the whole, of a piece */
    atomic_size_t next;
} levy_cpu_pieces;
/* The next piece, [from, to); false: there is none. */
static inline bool levy_cpu_take(levy_cpu_pieces *pieces, size_t *from, size_t *to)
{
    *from = atomic_fetch_add(&pieces->next, pieces->each);
    if (*from >= pieces->count) return false;
    *to = pieces->count - *from < pieces->each ? pieces->count : *from + pieces->each;
    return true;
}

extern const levy_cpu_kind levy_cpu_bridge, levy_cpu_normals, levy_cpu_paths, levy_cpu_sampler,
    levy_cpu_distribution, levy_cpu_draws;

/* The backend's functions of these names. */
levy_status levy_cpu_object_create(void *state, levy_object_kind kind, const void *tables,
                                   void **object, char *why);
levy_status levy_cpu_object_run(void *object, const void *call, char *why);
void levy_cpu_object_describe(void *object, levy_kernel_made *made);
void levy_cpu_object_destroy(void *object);

#endif
