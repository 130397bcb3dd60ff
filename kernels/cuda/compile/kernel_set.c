/* kernel_set.c: see kernel_set.h. Must not know: devices' memory, launches. */
#include "kernels/cuda/compile/kernel_set.h"

#include "engine/base/clock.h"
#include "engine/base/thread.h"
#include "kernels/cuda/compile/scripts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum {
    SET_MAX_THREADS = 16,
    SET_STACK = 8 << 20, /* bytes, as of a program's first thread */
    SET_TICK = 20000000  /* nanoseconds */
};

/* ---- Identity -------------------------------------------------------------------------------- */

/* Hashes the text with its NUL, so that two texts in a row are never taken for two others. */
static void set_hash_text(XXH3_state_t *state, const char *text)
{
    XXH3_128bits_update(state, text, strlen(text) + 1);
}

/* The hash of everything that a kernel's code follows from, except the compiler, which the cache
 * keeps beside the key. */
static levy_cache_key set_key(const levy_kernel_source *source, const levy_kernel *kernel)
{
    XXH3_state_t state;
    char architecture[64];
    const char *options[LEVY_JIT_MAX_OPTIONS];
    XXH3_128bits_reset(&state);
    set_hash_text(&state, LEVY_BUILD_ID);
    set_hash_text(&state, source->target.ptx ? "ptx" : "cubin");
    const int n_options = levy_jit_options(&source->target, kernel->single, options, architecture,
                                           sizeof architecture);
    for (int i = 0; i < n_options; ++i) set_hash_text(&state, options[i]);
    set_hash_text(&state, kernel->text);
    if (kernel->scripts) set_hash_text(&state, kernel->scripts);
    for (size_t i = 0; i < levy_jit_file_count; ++i) {
        set_hash_text(&state, levy_jit_files[i].name);
        set_hash_text(&state, levy_jit_files[i].text);
    }
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return (levy_cache_key){.low = hash.low64, .high = hash.high64};
}

/* Bytes of shared memory that a multiprocessor has (CUDA Programming Guide, technical
 * specifications by compute capability). */
static uint32_t set_shared_room(const char *architecture)
{
    static const struct {
        const char *architecture;
        uint32_t kib;
    } known[] = {{"sm_75", 64},  {"sm_80", 164},  {"sm_87", 164},
                 {"sm_90", 228}, {"sm_100", 228}, {"sm_103", 228}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
        if (strcmp(architecture, known[i].architecture) == 0) return known[i].kib << 10;
    return 100 << 10;
}

/* Writes the text of the tile's programs, if it has any. */
static levy_status set_write_scripts(const levy_kernel_source *source, const levy_image *image,
                                     const levy_tile *tile, levy_kernel *kernel, char *why)
{
    levy_shape_text out = {.text = NULL, .size = 0};
    levy_scripts_write(image, tile, &out);
    if (out.length == 0) return LEVY_OK;
    out.size = out.length + 1;
    out.length = 0;
    out.text = kernel->scripts = levy_memory_allocate(source->memory, out.size, 1);
    if (!out.text) return snprintf(why, LEVY_REASON_SIZE, "no memory for a script"), LEVY_MEMORY;
    levy_scripts_write(image, tile, &out);
    return LEVY_OK;
}

static levy_cache_key set_shape(const levy_kernel *kernel)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, kernel->text, strlen(kernel->text));
    if (kernel->scripts) XXH3_128bits_update(&state, kernel->scripts, strlen(kernel->scripts));
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    return (levy_cache_key){.low = hash.low64, .high = hash.high64};
}

static levy_status set_describe(const levy_kernel_source *source, const levy_image *image,
                                const levy_tile *tile, levy_kernel *kernel, char *why)
{
    kernel->lanes = levy_shape_lanes(image, tile);
    const uint32_t rows =
        levy_shape_rows(image, tile, kernel->lanes, set_shared_room(source->target.architecture));
    kernel->split = levy_shape_split(image, kernel->lanes);
    kernel->shared_bytes = levy_shape_shared_bytes(image, tile, kernel->lanes, rows);
    if (levy_shape_write(image, tile, kernel->lanes, rows, kernel->text, sizeof kernel->text) !=
        LEVY_OK) {
        snprintf(why, LEVY_REASON_SIZE,
                 "a tile does not lie inside its plan image, or is too large");
        return LEVY_ARGUMENT;
    }
    LEVY_TRY(set_write_scripts(source, image, tile, kernel, why));
    kernel->shape = set_shape(kernel);
    kernel->single = image->precision != 0;
    kernel->id.compiler = source->compiler;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, %u assets, %u items, %u outputs",
             source->target.architecture,
             image->precision ? "single"
             : image->mixed   ? "mixed"
                              : "double",
             (unsigned)image->n_assets, (unsigned)tile->n_items, (unsigned)tile->n_outputs);
    return LEVY_OK;
}

/* ---- One kernel ------------------------------------------------------------------------------ */

/* A shipped kernel may come from another compiler: source and options are the same, and in double
 * precision they fix its bits. */
static levy_status set_find(const levy_kernel_source *source, levy_kernel *kernel)
{
    const levy_kernel_cache *const places[] = {source->installed, source->cache};
    for (int i = 0; i < 2; ++i) {
        levy_cache_id id = kernel->id;
        if (!places[i]) continue;
        LEVY_TRY(levy_kernel_cache_find(places[i], source->memory, &id, &kernel->code.data,
                                        &kernel->code.size));
        if (!kernel->code.data && i == 0 && id.compiler) {
            id.compiler = 0;
            LEVY_TRY(levy_kernel_cache_find(places[i], source->memory, &id, &kernel->code.data,
                                            &kernel->code.size));
        }
        kernel->origin = i == 0 ? LEVY_KERNEL_INSTALLED : LEVY_KERNEL_CACHED;
        if (kernel->code.data) return LEVY_OK;
    }
    return LEVY_OK;
}

static levy_status set_compile(const levy_kernel_source *source, levy_kernel *kernel)
{
    const size_t size = strlen(kernel->text) + (kernel->scripts ? strlen(kernel->scripts) : 0) + 1;
    if (!kernel->scripts)
        return levy_jit_compile(source->calls, source->memory, &source->target, kernel->text,
                                source->stop, &kernel->code, kernel->why);
    char *const text = levy_memory_allocate(source->memory, size, 1);
    if (!text) {
        snprintf(kernel->why, sizeof kernel->why, "no memory for a kernel's source");
        return LEVY_MEMORY;
    }
    snprintf(text, size, "%s%s", kernel->text, kernel->scripts);
    levy_status status;
    status = levy_jit_compile(source->calls, source->memory, &source->target, text, source->stop,
                              &kernel->code, kernel->why);
    levy_memory_release(source->memory, text);
    return status;
}

/* Gets the kernel from a cache or the compiler. */
static void set_get(const levy_kernel_source *source, levy_kernel *kernel)
{
    kernel->status = set_find(source, kernel);
    if (kernel->status != LEVY_OK) {
        snprintf(kernel->why, sizeof kernel->why, "no memory for a kernel");
    } else if (!kernel->code.data && !source->compiler) {
        snprintf(kernel->why, sizeof kernel->why, "%s", source->compiler_why);
        kernel->status = LEVY_DEVICE;
    } else if (!kernel->code.data) {
        kernel->origin = LEVY_KERNEL_COMPILED;
        kernel->status = set_compile(source, kernel);
        /* a kernel that is not kept is compiled again next time, nothing worse */
        if (kernel->status == LEVY_OK && source->cache &&
            levy_kernel_cache_store(source->cache, &kernel->id, kernel->code.data,
                                    kernel->code.size) != LEVY_OK)
            kernel->unkept = errno;
    }
}

/* The same where other GPUs may want it too. */
static void set_get_shared(const levy_kernel_source *source, levy_kernel *kernel)
{
    kernel->origin = LEVY_KERNEL_CACHED;
    if (levy_kernel_store_begin(source->store, source->memory, &kernel->id, &kernel->code.data,
                                &kernel->code.size))
        return;
    set_get(source, kernel);
    const bool elsewhere = kernel->origin != LEVY_KERNEL_COMPILED ||
                           (source->cache && source->cache->directory >= 0 && !kernel->unkept),
               kept = kernel->status == LEVY_OK && !elsewhere;
    levy_kernel_store_end(source->store, &kernel->id, kept ? kernel->code.data : NULL,
                          kernel->code.size);
}

void levy_kernel_make(const levy_kernel_source *source, levy_kernel *kernel)
{
    const double start = levy_clock_now();
    kernel->id.key = set_key(source, kernel);
    if (source->store)
        set_get_shared(source, kernel);
    else
        set_get(source, kernel);
    kernel->seconds = levy_clock_now() - start;
}

bool levy_kernel_is_kept(const levy_kernel_source *source, const levy_kernel *kernel)
{
    levy_kernel found = *kernel;
    found.code = (levy_jit_kernel){.data = NULL};
    found.id.key = set_key(source, &found);
    const bool kept = set_find(source, &found) == LEVY_OK && found.code.data;
    levy_jit_release(source->memory, &found.code);
    return kept;
}

/* ---- All kernels, several at a time ---------------------------------------------------------- */

typedef struct set_work {
    levy_kernel_source source;
    levy_kernel_set *set;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t done;
    size_t next, threads; /* a kernel; those at work */
} set_work;

static void set_work_on(set_work *work)
{
    for (;;) {
        pthread_mutex_lock(&work->lock);
        const size_t mine = work->next < work->set->count ? work->next++ : work->set->count;
        pthread_mutex_unlock(&work->lock);
        if (mine == work->set->count) return;
        if (!work->set->kernels[mine].held)
            levy_kernel_make(&work->source, &work->set->kernels[mine]);
    }
}

static void *set_worker(void *argument)
{
    set_work *const work = argument;
    set_work_on(work);
    pthread_mutex_lock(&work->lock);
    --work->threads;
    pthread_cond_signal(&work->done);
    pthread_mutex_unlock(&work->lock);
    return NULL;
}

static size_t set_processors(void)
{
    cpu_set_t mine;
    const int count = sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : 1;
    return count > SET_MAX_THREADS ? SET_MAX_THREADS : (size_t)count;
}

/* Waits for the threads, and asks the caller whether they shall end. */
static void set_await(set_work *work)
{
    levy_jit_stop *const stop = work->source.stop;
    const levy_cancel *const cancel = stop->cancel;
    pthread_mutex_lock(&work->lock);
    while (work->threads > 0) {
        if (levy_thread_wait(&work->done, &work->lock, SET_TICK)) continue;
        pthread_mutex_unlock(&work->lock);
        if (cancel && cancel->tick && cancel->tick(cancel->tick_user))
            atomic_store(&stop->told, true);
        pthread_mutex_lock(&work->lock);
    }
    pthread_mutex_unlock(&work->lock);
}

/* The caller's thread asks while others compile; it works itself where there is no other, so a
 * thread that cannot be started only costs time. */
void levy_kernel_set_make(const levy_kernel_source *source, levy_kernel_set *set,
                          const levy_cancel *cancel)
{
    pthread_t threads[SET_MAX_THREADS];
    levy_jit_stop stop = {.cancel = cancel};
    set_work work = {.source = *source, .set = set};
    const size_t processors = set_processors();
    size_t wanted = 0, started = 0;
    work.source.stop = &stop;
    for (size_t i = 0; i < set->count && wanted < processors; ++i) wanted += !set->kernels[i].held;
    pthread_mutex_init(&work.lock, NULL);
    levy_thread_condition(&work.done);
    work.threads = wanted;
    while (started < wanted && levy_thread_start(&threads[started], SET_STACK, set_worker, &work))
        ++started;
    pthread_mutex_lock(&work.lock);
    work.threads -= wanted - started;
    pthread_mutex_unlock(&work.lock);
    if (started == 0) set_work_on(&work);
    set_await(&work);
    for (size_t i = 0; i < started; ++i) pthread_join(threads[i], NULL);
    pthread_cond_destroy(&work.done);
    pthread_mutex_destroy(&work.lock);
}

static bool set_is_same(const levy_kernel *a, const levy_kernel *b)
{
    return a == b || (strcmp(a->text, b->text) == 0 && a->shape.low == b->shape.low &&
                      a->shape.high == b->shape.high);
}

/* Describes each tile's shape and keeps it if it is new. Shapes are few, so a plain search will
 * do. */
static levy_status set_collect(const levy_kernel_source *source, const levy_image *image,
                               const levy_tile *tiles, size_t n_tiles, levy_kernel_set *set,
                               char *why)
{
    LEVY_TRY(levy_backend_check_image(image, why));
    LEVY_TRY(levy_shape_accepts(image, why));
    for (size_t t = 0; t < n_tiles; ++t) {
        levy_kernel *const fresh = &set->kernels[set->count];
        LEVY_TRY(set_describe(source, image, &tiles[t], fresh, why));
        size_t k = 0;
        while (!set_is_same(&set->kernels[k], fresh)) ++k;
        set->of_tile[t] = k;
        if (k == set->count) {
            ++set->count;
            continue;
        }
        levy_memory_release(source->memory, fresh->scripts);
        fresh->scripts = NULL;
    }
    return LEVY_OK;
}

levy_status levy_kernel_set_describe(const levy_kernel_source *source, const levy_image *image,
                                     const levy_tile *tiles, size_t n_tiles, levy_kernel_set *set,
                                     char *why)
{
    *set = (levy_kernel_set){.memory = source->memory};
    set->kernels = levy_memory_allocate(source->memory, n_tiles + 1, sizeof *set->kernels);
    set->of_tile = levy_memory_allocate(source->memory, n_tiles + 1, sizeof *set->of_tile);
    levy_status status = LEVY_MEMORY;
    if (set->kernels && set->of_tile)
        status = set_collect(source, image, tiles, n_tiles, set, why);
    else
        snprintf(why, LEVY_REASON_SIZE, "no memory for the kernels of %zu tiles", n_tiles);
    if (status != LEVY_OK) levy_kernel_set_release(set);
    return status;
}

levy_status levy_kernel_set_fetch(const levy_kernel_source *source, levy_kernel_set *set,
                                  const levy_cancel *cancel, char *why)
{
    levy_status status = LEVY_OK;
    levy_kernel_set_make(source, set, cancel);
    for (size_t k = 0; status == LEVY_OK && k < set->count; ++k) {
        status = set->kernels[k].status;
        if (status != LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "%s", set->kernels[k].why);
    }
    if (status != LEVY_OK) levy_kernel_set_release(set);
    return status;
}

void levy_kernel_set_release(levy_kernel_set *set)
{
    for (size_t k = 0; set->kernels && k < set->count; ++k) {
        levy_jit_release(set->memory, &set->kernels[k].code);
        levy_memory_release(set->memory, set->kernels[k].scripts);
    }
    levy_memory_release(set->memory, set->kernels);
    levy_memory_release(set->memory, set->of_tile);
    *set = (levy_kernel_set){0};
}
