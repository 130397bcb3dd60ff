/* supply.c: see supply.h. One buffer holds the rows of a batch. A batch that is asked for again, by
 * the next tile, is not made again. */
#include "engine/run/supply.h"

#include "engine/run/curand_device.h"
#include "engine/run/supply_set.h"
#include "kernels/points/points.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the buffer. A batch should be filled in a fraction of a second, so that the caller is
 * told of it; but there should be work for all of a backend. One block is the least. */
static const size_t supply_prompt = (size_t)16 << 20, supply_wave = (size_t)256 << 20,
                    supply_most = (size_t)1 << 30;
/* no normal of a program lies beyond: such numbers are mistakes, and a single might not hold them
 */
static const double supply_reach = 1e6;

struct levy_supply {
    levy_memory memory;
    const levy_image *image;
    const levy_simulation *simulation;
    levy_normals_source normals; /* the caller's */
    uint64_t most;               /* blocks of the buffer */
    const levy_backend *there;   /* whose memory has the numbers; NULL: the host's */
    void *state;                 /* its */
    void *numbers;               /* [row][path of the batch] */
    double *wide;                /* the same as the caller gives them, for a plan in single */
    uint64_t first, count;       /* the batch in the buffer; count 0: none */
    uint64_t replicate;          /* of the numbers that follow; UINT64_MAX: none yet */
    levy_normals_tables tables;  /* levy's own generators */
    void *cpu, *made;            /* cpu: unless `there` makes them */
    uint32_t threads;            /* that make the words of a set of points */
    levy_curand_points curand;
    levy_curand_device device; /* where cuRAND fills the memory of `there` */
};

/* ---- levy's own generators ------------------------------------------------------------------- */

static const levy_backend *supply_maker(const levy_supply *s)
{
    return s->there ? s->there : &levy_backend_cpu;
}

static void supply_drop_native(levy_supply *s)
{
    supply_maker(s)->object_destroy(s->made);
    s->made = NULL;
    levy_normals_tables_release(&s->memory, &s->tables);
}

static levy_status supply_native_replicate(levy_supply *s, char *why)
{
    static const int generators[] = {LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_SOBOL,
                                     LEVY_NORMALS_PHILOX, LEVY_NORMALS_MRG32K3A};
    const levy_simulation *const from = s->simulation;
    const levy_normals_settings settings = {
        .generator = from->net ? LEVY_NORMALS_NET : generators[from->generator],
        .seed = from->seed,
        .replicate = s->replicate,
        .net = from->net,
        .scrambling = levy_simulation_scrambling(from),
    };
    supply_drop_native(s);
    s->tables = (levy_normals_tables){
        .output = LEVY_NORMALS_WORD, .n_dimensions = s->image->n_draws, .count = s->image->n_draws};
    const levy_status status = levy_normals_tables_create(&s->memory, &settings, &s->tables);
    if (status != LEVY_OK)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a generator's numbers"), status;
    return supply_maker(s)->object_create(s->there ? s->state : s->cpu, LEVY_OBJECT_NORMALS,
                                          &s->tables, &s->made, why);
}

/* n points of rows of `room`, made where they are read. */
static levy_normals_call supply_call(const levy_supply *s, uint64_t path, size_t n, size_t room)
{
    return (levy_normals_call){.output = s->numbers,
                               .first = path,
                               .n_points = n,
                               .stride = room,
                               .stream = s->there ? s->there->stream(s->state) : NULL};
}

static levy_status supply_native(levy_supply *s, uint64_t path, size_t n, size_t room, char *why)
{
    const levy_normals_call call = supply_call(s, path, n, room);
    return supply_maker(s)->object_run(s->made, &call, why);
}

/* ---- cuRAND ---------------------------------------------------------------------------------- */

static levy_status supply_curand_replicate(levy_supply *s, char *why)
{
    static const int32_t kinds[] = {LEVY_CURAND_SCRAMBLED_SOBOL, LEVY_CURAND_SOBOL, 0,
                                    LEVY_CURAND_MRG32K3A};
    const int32_t kind = kinds[s->simulation->generator];
    const levy_normals_tables tables = {.generator = POINTS_GIVEN_WORDS,
                                        .output = LEVY_NORMALS_WORD,
                                        .n_dimensions = s->image->n_draws,
                                        .count = s->image->n_draws};
    const levy_curand_calls *calls;
    LEVY_TRY(levy_curand_load(&calls, why));
    if (s->there) {
        levy_curand_device_close(&s->device);
        return levy_curand_device_open(calls, &s->memory, s->there, s->state, kind, &tables,
                                       s->simulation->seed, s->replicate, &s->device, why);
    }
    levy_curand_points_close(&s->curand);
    return levy_curand_points_open(calls, &s->memory, kind, s->image->n_draws, s->simulation->seed,
                                   s->replicate, false, &s->curand, why);
}

/* All paths of the rows: their words are there. */
static levy_status supply_curand(levy_supply *s, uint64_t path, size_t n, size_t room, char *why)
{
    const levy_normals_call call = supply_call(s, path, room, room);
    (void)n;
    if (s->there) return levy_curand_device_generate(&s->device, &call, why);
    return levy_curand_points_words(&s->curand, path, room, s->numbers, why);
}

/* ---- The caller's ---------------------------------------------------------------------------- */

static levy_status supply_check(const levy_supply *s, const double *normals, uint64_t path,
                                size_t n, size_t room, char *why)
{
    for (uint32_t d = 0; d < s->image->n_draws; ++d)
        for (size_t i = 0; i < n; ++i)
            if (!(fabs(normals[d * room + i]) <= supply_reach)) {
                snprintf(why, LEVY_REASON_SIZE,
                         "normal (%u, %llu) of replicate %llu, which the program gave, is no "
                         "number, or lies beyond a million",
                         (unsigned)d, (unsigned long long)(path + i),
                         (unsigned long long)s->replicate);
                return LEVY_NUMERIC;
            }
    return LEVY_OK;
}

static levy_status supply_caller(levy_supply *s, uint64_t path, size_t n, size_t room, char *why)
{
    double *const normals = s->wide ? s->wide : s->numbers;
    const levy_normals_request request = {.n_dimensions = s->image->n_draws,
                                          .replicate = (uint32_t)s->replicate,
                                          .first_path = path,
                                          .n_paths = n,
                                          .stride = room,
                                          .output = normals};
    for (size_t i = 0; i < s->image->n_draws * room; ++i) normals[i] = NAN; /* not given */
    const int code = s->normals.fill(s->normals.user, &request);
    if (code) {
        snprintf(why, LEVY_REASON_SIZE, "the program's function for normals returned %d", code);
        return LEVY_NUMERIC;
    }
    LEVY_TRY(supply_check(s, normals, path, n, room, why));
    for (size_t i = 0; s->wide && i < s->image->n_draws * room; ++i)
        ((float *)s->numbers)[i] = (float)s->wide[i];
    return LEVY_OK;
}

/* ---- A set of points, on the host -------------------------------------------------------------
 */

static levy_status supply_set(levy_supply *s, uint64_t path, size_t n, size_t room, char *why)
{
    const levy_simulation *const from = s->simulation;
    levy_set_call call = levy_supply_set_call(from, s->replicate);
    call.n_dimensions = s->image->n_draws;
    call.first = path;
    call.n = n;
    call.stride = room;
    call.words = s->numbers;
    for (size_t d = 0; n < room && d < s->image->n_draws; ++d) /* paths past the last */
        memset(call.words + d * room + n, 0, (room - n) * sizeof *call.words);
    const levy_status status = levy_supply_set_words(from->points, &s->memory, &call, s->threads);
    if (status != LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "no memory for a generator's numbers");
    return status;
}

/* ---- A supply -------------------------------------------------------------------------------- */

/* The next fill allocates what it needs. */
static levy_status supply_no_replicate(levy_supply *s, char *why)
{
    (void)s;
    (void)why;
    return LEVY_OK;
}

/* By LEVY_SUPPLY_: prepares a new replicate, and makes n paths from `path` on in rows of `room`. */
static const struct {
    levy_status (*replicate)(levy_supply *s, char *why);
    levy_status (*fill)(levy_supply *s, uint64_t path, size_t n, size_t room, char *why);
} supply_kinds[] = {[LEVY_SUPPLY_NATIVE] = {supply_native_replicate, supply_native},
                    [LEVY_SUPPLY_CURAND] = {supply_curand_replicate, supply_curand},
                    [LEVY_SUPPLY_CALLER] = {supply_no_replicate, supply_caller},
                    [LEVY_SUPPLY_SET] = {supply_no_replicate, supply_set}};

static levy_status supply_replicate(levy_supply *s, uint64_t replicate, char *why)
{
    if (s->replicate == replicate) return LEVY_OK;
    s->replicate = replicate;
    const levy_status status = supply_kinds[s->simulation->supply].replicate(s, why);
    if (status != LEVY_OK) s->replicate = UINT64_MAX;
    return status;
}

levy_status levy_supply_batch(levy_supply *s, levy_batch *batch, char *why)
{
    const uint64_t replicate = batch->first_block / s->image->blocks,
                   path = batch->first_block % s->image->blocks * LEVY_BLOCK_PATHS,
                   left = s->image->paths - path;
    const size_t room = (size_t)batch->n_blocks * LEVY_BLOCK_PATHS,
                 n = left < room ? (size_t)left : room;
    batch->given = s->numbers;
    batch->given_stride = room;
    batch->given_here = s->there != NULL;
    if (s->count == batch->n_blocks && s->first == batch->first_block) return LEVY_OK;
    s->count = 0;
    LEVY_TRY(supply_replicate(s, replicate, why));
    LEVY_TRY(supply_kinds[s->simulation->supply].fill(s, path, n, room, why));
    s->first = batch->first_block;
    s->count = batch->n_blocks;
    return LEVY_OK;
}

uint64_t levy_supply_blocks(const levy_supply *supply) { return supply->most; }

uint64_t levy_supply_size(const levy_image *image, uint64_t wave)
{
    const size_t bytes = levy_given_bytes(image);
    uint64_t blocks = supply_wave / bytes;
    if (blocks > wave) blocks = wave;
    if (blocks < supply_prompt / bytes) blocks = supply_prompt / bytes;
    if (blocks < 1) blocks = bytes <= supply_most;
    return blocks < image->blocks ? blocks : image->blocks;
}

static void supply_drop_numbers(levy_supply *s)
{
    if (s->there)
        s->there->memory_give(s->state, s->numbers);
    else
        levy_memory_release(&s->memory, s->numbers);
    s->numbers = NULL;
}

/* One try; if it fails, memory is short or `why` has the reason. */
static levy_status supply_take_numbers(levy_supply *s, size_t bytes, char *why)
{
    if (s->there) return s->there->memory_take(s->state, (size_t)s->most * bytes, &s->numbers, why);
    s->numbers = levy_memory_allocate(&s->memory, (size_t)s->most, bytes);
    return s->numbers ? LEVY_OK : LEVY_MEMORY;
}

/* The buffers, for fewer blocks where memory is short. */
static levy_status supply_reserve(levy_supply *s, uint64_t wave, char *why)
{
    const size_t numbers = (size_t)s->image->n_draws * LEVY_BLOCK_PATHS,
                 bytes = levy_given_bytes(s->image);
    /* a plan in single precision reads a copy of the caller's numbers */
    const bool wide = s->simulation->supply == LEVY_SUPPLY_CALLER && s->image->precision;
    s->most = levy_supply_size(s->image, wave);
    if (s->most == 0) {
        snprintf(why, LEVY_REASON_SIZE,
                 "pipeline staged: the %u numbers a path of one block would need %zu MiB",
                 (unsigned)s->image->n_draws, bytes >> 20);
        return LEVY_UNSUPPORTED;
    }
    for (; s->most >= 1; s->most /= 2) {
        const levy_status status = supply_take_numbers(s, bytes, why);
        if (status != LEVY_OK && status != LEVY_MEMORY) return status;
        if (s->numbers && wide)
            s->wide = levy_memory_allocate(&s->memory, (size_t)s->most, numbers * sizeof *s->wide);
        if (s->numbers && (s->wide || !wide)) return LEVY_OK;
        supply_drop_numbers(s);
    }
    return snprintf(why, LEVY_REASON_SIZE, "no memory for the numbers of a block"), LEVY_MEMORY;
}

static levy_status supply_start(levy_supply *s, const levy_backend_info *info, char *why)
{
    const levy_backend_options options = {
        .memory = &s->memory, .isa = "auto", .threads = info->threads};
    levy_backend_info cpu;
    levy_backend_cpu.describe(NULL, &cpu);
    s->threads = info->threads ? info->threads : cpu.threads;
    LEVY_TRY(supply_reserve(s, info->wave_blocks, why));
    if (s->simulation->supply == LEVY_SUPPLY_NATIVE && !s->there)
        return levy_backend_cpu.open(&options, &s->cpu, why);
    if (s->simulation->supply != LEVY_SUPPLY_CALLER) return supply_replicate(s, 0, why);
    if (s->normals.fill) return LEVY_OK;
    snprintf(why, LEVY_REASON_SIZE,
             "generator given takes its normals from the program that prices the book, and this "
             "one gives none");
    return LEVY_UNSUPPORTED;
}

levy_status levy_supply_open(const levy_memory *memory, const levy_plan *plan,
                             const levy_normals_source *normals, const levy_backend *backend,
                             void *state, const levy_backend_info *info, levy_supply **supply,
                             char *why)
{
    levy_supply *const s = levy_memory_allocate(memory, 1, sizeof *s);
    if (!s) return snprintf(why, LEVY_REASON_SIZE, "no memory for given numbers"), LEVY_MEMORY;
    *s = (levy_supply){.memory = *memory,
                       .image = plan->image,
                       .simulation = &plan->problem->simulation,
                       .state = state,
                       .curand = {.memory = *memory},
                       .replicate = UINT64_MAX};
    if (backend->memory_take && s->simulation->supply < LEVY_SUPPLY_CALLER) s->there = backend;
    if (normals) s->normals = *normals;
    const levy_status status = supply_start(s, info, why);
    if (status == LEVY_OK)
        *supply = s;
    else
        levy_supply_close(s);
    return status;
}

void levy_supply_close(levy_supply *s)
{
    if (!s) return;
    const levy_memory memory = s->memory;
    supply_drop_native(s);
    if (s->cpu) levy_backend_cpu.close(s->cpu);
    levy_curand_points_close(&s->curand);
    levy_curand_device_close(&s->device);
    levy_memory_release(&memory, s->wide);
    supply_drop_numbers(s);
    levy_memory_release(&memory, s);
}
