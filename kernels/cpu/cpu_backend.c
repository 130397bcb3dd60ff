/* cpu_backend.c: the backend that is always there: workers take blocks from one counter, in any
 * order; where a block's sum lands is fixed. The instruction set is chosen when the backend opens.
 * Must not know: plans beyond the image. */
#include "kernels/cpu/cpu_features.h"
#include "kernels/cpu/cpu_objects.h"
#include "kernels/cpu/isa_list.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define CPU_ISA(name)                                                                              \
    extern const levy_cpu_isa levy_cpu_##name##_double, levy_cpu_##name##_single;                  \
    extern const levy_bridge_isa levy_bridge_##name##_double, levy_bridge_##name##_single;         \
    extern const levy_normals_isa levy_normals_##name##_double, levy_normals_##name##_single;      \
    extern const levy_draw_isa levy_draw_##name##_double, levy_draw_##name##_single;               \
    extern const levy_sampler_isa levy_sampler_##name##_words;                                     \
    extern const levy_policy_isa levy_policy_##name;
LEVY_ISA_LIST(CPU_ISA)
#undef CPU_ISA

static const levy_cpu_build cpu_builds[] = {/* best first */
#define CPU_ISA(name)                                                                              \
    {#name,                                                                                        \
     {&levy_cpu_##name##_double, &levy_cpu_##name##_single},                                       \
     {&levy_bridge_##name##_double, &levy_bridge_##name##_single},                                 \
     {&levy_normals_##name##_double, &levy_normals_##name##_single},                               \
     {&levy_draw_##name##_double, &levy_draw_##name##_single},                                     \
     &levy_sampler_##name##_words,                                                                 \
     &levy_policy_##name},
                                            LEVY_ISA_LIST(CPU_ISA)
#undef CPU_ISA
};
enum { CPU_BUILDS = sizeof cpu_builds / sizeof *cpu_builds, CPU_THREADS = 4096 /* most */ };

typedef struct cpu_state {
    levy_cpu_crew crew;
    /* read once, because a virtual machine answers slowly */
    char name[sizeof(((levy_backend_info *)0)->device)];
    const levy_image *image;
    void **scratch;      /* [worker], as allocated */
    uint64_t *replicate; /* [worker] */
} cpu_state;

const levy_cpu_build *levy_cpu_choose(const char *isa, char *why)
{
    const bool any = !isa || strcmp(isa, "auto") == 0;
    for (size_t i = 0; i < CPU_BUILDS; ++i)
        if (any ? levy_cpu_supports(cpu_builds[i].name) : strcmp(isa, cpu_builds[i].name) == 0) {
            if (levy_cpu_supports(cpu_builds[i].name)) return &cpu_builds[i];
            snprintf(why, LEVY_REASON_SIZE, "this processor has no %s", isa);
            return NULL;
        }
    if (any)
        snprintf(why, LEVY_REASON_SIZE,
                 "it was built for instruction sets that this processor lacks; build it here");
    else
        snprintf(why, LEVY_REASON_SIZE, "'%s' is no instruction set of this build", isa);
    return NULL;
}

static void cpu_unload(void *opaque)
{
    cpu_state *const s = opaque;
    for (uint32_t i = 0; s->scratch && i < s->crew.n_threads; ++i) {
        levy_memory_release(&s->crew.memory, s->scratch[i]);
        s->scratch[i] = NULL;
    }
    s->image = NULL;
}

static void cpu_close(void *opaque)
{
    cpu_state *const s = opaque;
    if (!s) return;
    const levy_memory memory = s->crew.memory;
    cpu_unload(s);
    levy_threads_destroy(s->crew.threads);
    levy_memory_release(&memory, s->scratch);
    levy_memory_release(&memory, s->replicate);
    levy_memory_release(&memory, s);
}

static char cpu_brand[64];

/* The processor's own name for itself, without the padding. */
static void cpu_read_brand(void)
{
    snprintf(cpu_brand, sizeof cpu_brand, "CPU");
#if defined(__x86_64__)
    unsigned brand[13] = {0}, highest = (unsigned)__get_cpuid_max(0x80000000u, NULL);
    for (unsigned i = 0; highest >= 0x80000004u && i < 3; ++i)
        __get_cpuid(0x80000002u + i, &brand[4 * i], &brand[4 * i + 1], &brand[4 * i + 2],
                    &brand[4 * i + 3]);
    const char *text = (const char *)brand;
    while (*text == ' ') ++text;
    if (*text) snprintf(cpu_brand, sizeof cpu_brand, "%s", text);
    for (size_t n = strlen(cpu_brand); n > 0 && cpu_brand[n - 1] == ' '; --n)
        cpu_brand[n - 1] = '\0';
#endif
}

/* It is asked for once: a virtual machine stops at each question to its processor. */
static const char *cpu_name(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, cpu_read_brand);
    return cpu_brand;
}

static levy_status cpu_open(const levy_backend_options *options, void **state, char *why)
{
    const levy_cpu_build *const build = levy_cpu_choose(options->isa, why);
    if (!build) return LEVY_ARGUMENT;
    if (options->threads > CPU_THREADS) {
        snprintf(why, LEVY_REASON_SIZE, "threads are %u, but at most %d work", options->threads,
                 CPU_THREADS);
        return LEVY_ARGUMENT;
    }
    cpu_state *const s = levy_memory_allocate(options->memory, 1, sizeof *s);
    if (!s) return LEVY_MEMORY;
    s->crew.memory = *options->memory;
    s->crew.build = build;
    s->crew.n_threads = options->threads ? options->threads : levy_threads_available();
    s->scratch = levy_memory_allocate(&s->crew.memory, s->crew.n_threads, sizeof *s->scratch);
    s->replicate = levy_memory_allocate(&s->crew.memory, s->crew.n_threads, sizeof *s->replicate);
    if (!s->scratch || !s->replicate ||
        levy_threads_create(&s->crew.memory, s->crew.n_threads, &s->crew.threads) != LEVY_OK) {
        cpu_close(s);
        snprintf(why, LEVY_REASON_SIZE, "%u threads could not be started", options->threads);
        return LEVY_MEMORY;
    }
    snprintf(s->name, sizeof s->name, "%s", cpu_name());
    *state = s;
    return LEVY_OK;
}

/* One thread of the caller's, which takes none of the pool's. It simulates, and nothing else. */
static levy_status cpu_beside(void *opaque, void **other, char *why)
{
    const cpu_state *const first = opaque;
    cpu_state *const s = levy_memory_allocate(&first->crew.memory, 1, sizeof *s);
    *other = NULL;
    if (!s) return snprintf(why, LEVY_REASON_SIZE, "no memory for one more thread"), LEVY_MEMORY;
    *s = (cpu_state){
        .crew = {.memory = first->crew.memory, .build = first->crew.build, .n_threads = 1}};
    memcpy(s->name, first->name, sizeof s->name);
    s->scratch = levy_memory_allocate(&s->crew.memory, 1, sizeof *s->scratch);
    s->replicate = levy_memory_allocate(&s->crew.memory, 1, sizeof *s->replicate);
    if (s->scratch && s->replicate) {
        *other = s;
        return LEVY_OK;
    }
    cpu_close(s);
    return snprintf(why, LEVY_REASON_SIZE, "no memory for one more thread"), LEVY_MEMORY;
}

static bool cpu_is_slow(const cpu_state *s) { return strcmp(s->crew.build->name, "baseline") == 0; }

static const levy_tile_limits cpu_tiles = {LEVY_MAX_TILE, LEVY_MAX_TILE_DYNAMICS, 0, 0, 0, 0};

/* The defaults of a backend that is opened without options. */
static void cpu_foretell(levy_backend_info *info)
{
    char why[LEVY_REASON_SIZE];
    const levy_cpu_build *const build = levy_cpu_choose(NULL, why);
    if (build) snprintf(info->isa, sizeof info->isa, "%s", build->name);
    info->threads = levy_threads_available();
    info->tiles = cpu_tiles;
}

static void cpu_describe(void *opaque, levy_backend_info *info)
{
    const cpu_state *const s = opaque;
    memset(info, 0, sizeof *info);
    snprintf(info->backend, sizeof info->backend, "cpu");
    if (!s) {
        cpu_foretell(info);
        return;
    }
    snprintf(info->isa, sizeof info->isa, "%s", s->crew.build->name);
    memcpy(info->device, s->name, sizeof info->device);
    info->threads = s->crew.n_threads;
    info->tiles = cpu_tiles;
    info->batch_blocks = 4 * (uint64_t)s->crew.n_threads;
    info->wave_blocks = s->crew.n_threads; /* a block is one thread's work */
    if (cpu_is_slow(s))
        snprintf(info->warning, sizeof info->warning,
                 "the baseline build emulates fused multiply-add and is about 30 times slower; its "
                 "prices are the same bits");
}

static levy_status cpu_load(void *opaque, const levy_image *image, const levy_tile *tiles,
                            size_t n_tiles, char *why)
{
    cpu_state *const s = opaque;
    uint32_t outputs = 0;
    LEVY_TRY(levy_backend_check_image(image, why));
    for (size_t i = 0; i < n_tiles; ++i)
        if (tiles[i].n_outputs > outputs) outputs = tiles[i].n_outputs;
    const size_t size = s->crew.build->isa[image->precision]->scratch_size(image, outputs);
    for (uint32_t i = 0; i < s->crew.n_threads; ++i) {
        s->scratch[i] = levy_memory_allocate(&s->crew.memory, size + 64, 1);
        s->replicate[i] = UINT64_MAX;
        if (s->scratch[i]) continue;
        snprintf(why, LEVY_REASON_SIZE,
                 "not enough memory for %zu bytes of working memory per thread", size);
        cpu_unload(s);
        return LEVY_MEMORY;
    }
    s->image = image;
    return LEVY_OK;
}

typedef struct cpu_job {
    cpu_state *state;
    const levy_batch *batch;
    const levy_cancel *cancel;
    levy_block_sum *sums;
    atomic_uint_fast64_t next;
    atomic_bool stop;
} cpu_job;

/* Where block i of a batch records its levels; NULL: nowhere. */
static levy_cpu_beside cpu_beside_block(const levy_image *image, const levy_batch *batch,
                                        uint64_t i)
{
    const size_t block = LEVY_BLOCK_PATHS * levy_given_size(image);
    return (levy_cpu_beside){
        .record = batch->record ? (char *)batch->record + i * levy_record_bytes(image) : NULL,
        .given = batch->given ? (const char *)batch->given + i * block : NULL,
        .given_stride = batch->given_stride};
}

/* Runs on the calling thread while the workers work, or between its blocks. A stop takes effect
 * when the blocks in flight end. */
static void cpu_tick(void *user)
{
    cpu_job *const job = user;
    if (job->cancel->tick(job->cancel->tick_user)) atomic_store(&job->stop, true);
}

static void cpu_work(void *user, uint32_t worker)
{
    cpu_job *const job = user;
    cpu_state *const s = job->state;
    const levy_cpu_isa *const isa = s->crew.build->isa[s->image->precision];
    void *const scratch = (void *)(((uintptr_t)s->scratch[worker] + 63) & ~(uintptr_t)63);
    while (!atomic_load_explicit(&job->stop, memory_order_relaxed)) {
        const uint64_t i = atomic_fetch_add(&job->next, 1);
        if (i >= job->batch->n_blocks) return;
        const levy_cpu_beside beside = cpu_beside_block(s->image, job->batch, i);
        isa->block(s->image, &job->batch->tile, job->batch->first_block + i, scratch,
                   &s->replicate[worker], job->sums + i * job->batch->tile.n_outputs, &beside);
        if (job->cancel && job->cancel->poll && job->cancel->poll(job->cancel->user))
            atomic_store(&job->stop, true);
        if (!s->crew.threads && job->cancel && job->cancel->tick) cpu_tick(job);
    }
}

static levy_status cpu_simulate(void *opaque, const levy_batch *batch, const levy_cancel *cancel,
                                levy_block_sum *sums, double *seconds, char *why)
{
    (void)why;
    cpu_job job = {.state = opaque, .batch = batch, .cancel = cancel, .sums = sums};
    atomic_init(&job.next, 0);
    atomic_init(&job.stop, false);
    if (job.state->crew.threads)
        levy_threads_run_ticking(job.state->crew.threads, cpu_work,
                                 cancel && cancel->tick ? cpu_tick : NULL, &job);
    else
        cpu_work(&job, 0);
    *seconds = 0.0; /* the caller's clock is as good */
    return atomic_load(&job.stop) ? LEVY_CANCELLED : LEVY_OK;
}

static void cpu_team_run(void *opaque, void (*work)(void *user, uint32_t worker), void *user)
{
    const cpu_state *const s = opaque;
    if (s->crew.threads)
        levy_threads_run(s->crew.threads, work, user);
    else
        work(user, 0);
}

static void cpu_team(void *opaque, levy_stage_team *team)
{
    const cpu_state *const s = opaque;
    *team = (levy_stage_team){opaque, s->crew.n_threads, cpu_team_run, s->crew.build->policy};
}

const levy_backend levy_backend_cpu = {
    .version = LEVY_BACKEND_VERSION,
    .size = sizeof(levy_backend),
    .name = "cpu",
    .open = cpu_open,
    .close = cpu_close,
    .beside = cpu_beside,
    .describe = cpu_describe,
    .load = cpu_load,
    .simulate = cpu_simulate,
    .unload = cpu_unload,
    .team = cpu_team,
    .objects = (1u << LEVY_OBJECT_KINDS) - 1,
    .sampler_keeps = true,
    .object_create = levy_cpu_object_create,
    .object_run = levy_cpu_object_run,
    .object_describe = levy_cpu_object_describe,
    .object_destroy = levy_cpu_object_destroy,
};
