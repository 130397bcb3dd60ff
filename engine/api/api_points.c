/* api_points.c: the points of a simulation as a .npy file: levy_book_points. The words are a
 * function of generator, seed, replicate, dimension and point, so the normals' tables make them
 * again. The file's form: NumPy, NEP 1. See levy.h. */
#include "engine/book/plan_cache.h"
#include "engine/run/supply_set.h"
#include "kernels/points/normals_tables.h"
#include "kernels/points/points.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    POINTS_NUMBERS = 1 << 20, /* of a portion, about */
    POINTS_LEAST = 8,         /* points of a portion */
    POINTS_TILE = 32
};

typedef struct points_job {
    levy_book *book;
    levy_points_options options;
    levy_price_options how;
    levy_writer write;
    void *user;
    const levy_memory *memory;
    levy_call_device device;
    levy_normals_tables tables;
    void *normals; /* the backend's; NULL: none */
    uint64_t count;
    size_t number; /* bytes of one */
    uint64_t done;
    bool cancelled;
} points_job;

static levy_status points_refuse(const points_job *job, levy_reason reason, const char *member,
                                 const char *hint, const char *why)
{
    levy_fault_add(&job->book->context->faults, reason, NULL, member, hint, "%s", why);
    if (reason == LEVY_REASON_MEMORY) return LEVY_MEMORY;
    return reason == LEVY_REASON_UNSUPPORTED ? LEVY_UNSUPPORTED : LEVY_ARGUMENT;
}

static int points_stop(void *user)
{
    points_job *const job = user;
    const uint64_t block = LEVY_BLOCK_PATHS;
    const levy_progress progress = {.done = (job->done + block - 1) / block,
                                    .total = (job->count + block - 1) / block};
    if (!job->cancelled && job->how.progress)
        job->cancelled = job->how.progress(job->how.user, &progress) != 0;
    return job->cancelled;
}

/* ---- Which points ---------------------------------------------------------------------------- */

/* The dimensions of a group that come from the generator, and the points of a replicate. */
static levy_status points_measure(const points_job *job, size_t group, uint32_t *dimensions,
                                  uint64_t *points)
{
    char why[LEVY_PLAN_WHY] = "";
    levy_plan *plan;
    const levy_status status = levy_plan_cache_get(job->book, group, &plan, why);
    if (status == LEVY_UNSUPPORTED || (status == LEVY_MEMORY && why[0]))
        return points_refuse(job,
                             status == LEVY_MEMORY ? LEVY_REASON_MEMORY : LEVY_REASON_UNSUPPORTED,
                             "trade", NULL, why);
    if (status != LEVY_OK) return status;
    *dimensions = plan->image->n_draws - plan->image->n_padded;
    *points = plan->image->paths;
    levy_plan_cache_put(job->book, group, plan);
    return LEVY_OK;
}

static bool points_has(const levy_group *group, size_t trade)
{
    for (size_t i = 0; i < group->n_trades; ++i)
        if (group->trades[i] == trade) return true;
    return false;
}

static levy_status points_unknown_trade(const points_job *job)
{
    levy_arena arena;
    levy_arena_init(&arena, &job->book->context->planning);
    const char *const why = levy_problem_has_no(job->book->problem, job->options.trade, &arena);
    const levy_status status =
        why ? points_refuse(job, LEVY_REASON_UNKNOWN_NAME, "trade", NULL, why) : LEVY_MEMORY;
    levy_arena_release(&arena);
    return status;
}

/* The number of the trade that was named; SIZE_MAX: none was. */
static levy_status points_trade(const points_job *job, size_t *trade)
{
    const levy_problem *const problem = job->book->problem;
    *trade = SIZE_MAX;
    if (!job->options.trade) return LEVY_OK;
    *trade = levy_problem_trade(problem, job->options.trade);
    if (*trade == problem->n_trades) return points_unknown_trade(job);
    if (problem->trades[*trade].from->n_legs > 0)
        return points_refuse(job, LEVY_REASON_INCONSISTENT, "trade", "Name one of its legs.",
                             "the trade is the sum of its legs");
    if (!levy_trade_is_planned(&problem->trades[*trade]))
        return points_refuse(job, LEVY_REASON_INCONSISTENT, "trade", NULL,
                             "the trade has a fault and is not simulated");
    if (problem->trades[*trade].state != LEVY_TRADE_PRICED)
        return points_refuse(job, LEVY_REASON_INCONSISTENT, "trade", NULL,
                             problem->trades[*trade].early
                                 ? "early exercise of the trade is priced without paths"
                                 : "the payoff of the trade is known: nothing is simulated");
    return LEVY_OK;
}

/* Finds the trade's group, or without a trade the one of the most dimensions. The words of
 * mrg32k3a depend on how many there are. */
static levy_status points_choose(const points_job *job, uint32_t *dimensions, uint64_t *points)
{
    const levy_group *groups;
    size_t n_groups, trade;
    const bool nested = job->book->problem->simulation.generator != LEVY_GENERATOR_MRG32K3A;
    *dimensions = 0;
    LEVY_TRY(points_trade(job, &trade));
    LEVY_TRY(levy_plan_cache_prepare(job->book, &groups, &n_groups));
    for (size_t g = 0; g < n_groups; ++g) {
        uint32_t own = 0;
        if (levy_group_is_still(&groups[g]) ||
            (trade != SIZE_MAX && !points_has(&groups[g], trade)))
            continue;
        LEVY_TRY(points_measure(job, g, &own, points));
        if (!nested && *dimensions && own != *dimensions)
            return points_refuse(job, LEVY_REASON_INCONSISTENT, "trade",
                                 "The words of mrg32k3a depend on the number of dimensions.",
                                 "the trades differ in their dimensions: name one");
        if (own > *dimensions) *dimensions = own;
    }
    if (*dimensions) return LEVY_OK;
    return points_refuse(job, LEVY_REASON_INCONSISTENT, "trade", NULL,
                         "the payoffs are known: nothing is simulated");
}

static levy_status points_range(points_job *job, uint64_t points)
{
    const levy_points_options *const o = &job->options;
    const uint64_t most = job->tables.most_points;
    char why[160];
    job->count = o->count;
    if (o->count == 0 && o->first < points) job->count = points - o->first;
    if (job->count && o->first < most && job->count <= most - o->first) return LEVY_OK;
    if (job->count == 0)
        snprintf(why, sizeof why, "is %" PRIu64 ", but a replicate has %" PRIu64 " points",
                 o->first, points);
    else
        snprintf(why, sizeof why,
                 "the generator has %" PRIu64 " points; got %" PRIu64 " from point %" PRIu64 " on",
                 most, job->count, o->first);
    return points_refuse(job, LEVY_REASON_RANGE, job->count ? "count" : "first",
                         "Points are counted from 0.", why);
}

static levy_status points_tables(points_job *job)
{
    const levy_simulation *const s = &job->book->problem->simulation;
    const levy_points_options *const o = &job->options;
    const int32_t given = s->supply == LEVY_SUPPLY_SET ? LEVY_NORMALS_CURAND_SOBOL : s->generator;
    const levy_normals_settings settings = {
        .generator = s->net ? LEVY_NORMALS_NET : given,
        .seed = s->seed,
        .replicate = o->replicate,
        .net = s->net,
        .scrambling = levy_simulation_scrambling(s),
    };
    uint32_t dimensions;
    uint64_t points = 0;
    if (o->output < LEVY_NORMALS_NORMAL || o->output > LEVY_NORMALS_WORD)
        return points_refuse(job, LEVY_REASON_RANGE, "output", NULL,
                             "is none of LEVY_NORMALS_NORMAL, LEVY_NORMALS_UNIFORM, "
                             "LEVY_NORMALS_WORD");
    if (s->supply == LEVY_SUPPLY_CURAND || s->supply == LEVY_SUPPLY_CALLER)
        return points_refuse(job, LEVY_REASON_UNSUPPORTED, "generator",
                             "Use a generator of levy's own.",
                             "the generator is none of levy's own");
    if (o->replicate >= s->replicates)
        return points_refuse(job, LEVY_REASON_RANGE, "replicate",
                             "The first replicate is number 0.",
                             "the simulation has fewer replicates");
    LEVY_TRY(points_choose(job, &dimensions, &points));
    if (dimensions > LEVY_NORMALS_MAX_DIMENSIONS)
        return points_refuse(job, LEVY_REASON_UNSUPPORTED, "trade", NULL,
                             "a point has more than 1,048,576 dimensions");
    job->tables = (levy_normals_tables){.output = o->output,
                                        .single = s->precision != LEVY_PRECISION_DOUBLE,
                                        .n_dimensions = dimensions,
                                        .count = dimensions};
    job->number = o->output == LEVY_NORMALS_WORD || job->tables.single ? 4 : 8;
    LEVY_TRY(levy_normals_tables_create(job->memory, &settings, &job->tables));
    if (s->supply == LEVY_SUPPLY_SET) job->tables.most_points = s->points->n_points;
    return points_range(job, points);
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* Magic, version 1.0, the length of what follows, a dictionary, blanks up to a multiple of 64. */
static bool points_head(const points_job *job)
{
    char head[192] = "\x93NUMPY\x01";
    const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>',
               kind = job->options.output == LEVY_NORMALS_WORD ? 'u' : 'f';
    const int length = snprintf(head + 10, sizeof head - 10,
                                "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (%" PRIu64
                                ", %" PRIu32 "), }",
                                order, kind, job->number, job->count, job->tables.n_dimensions);
    const size_t whole = (10 + (size_t)length + 1 + 63) / 64 * 64;
    memset(head + 10 + length, ' ', whole - 10 - (size_t)length);
    head[whole - 1] = '\n';
    head[8] = (char)((whole - 10) & 255);
    head[9] = (char)((whole - 10) >> 8);
    return job->write(job->user, head, whole) == 0;
}

/* Rows of dimensions become rows of points, tile by tile, because both sides are in memory once. */
#define POINTS_TURN(type)                                                                          \
    for (size_t p0 = 0; p0 < n; p0 += POINTS_TILE)                                                 \
        for (size_t d0 = 0; d0 < dimensions; d0 += POINTS_TILE)                                    \
            for (size_t p = p0; p < n && p < p0 + POINTS_TILE; ++p)                                \
                for (size_t d = d0; d < dimensions && d < d0 + POINTS_TILE; ++d)                   \
                    ((type *)to)[p * dimensions + d] = ((const type *)from)[d * n + p];

static void points_turn(const void *from, void *to, size_t n, size_t dimensions, size_t number)
{
    if (number == 4)
        POINTS_TURN(uint32_t)
    else
        POINTS_TURN(uint64_t)
}

/* The words of a set of points, in rows of n; what is behind them is not read. */
static levy_status points_words(const points_job *job, uint64_t first, size_t n, uint32_t *words)
{
    const levy_simulation *const s = &job->book->problem->simulation;
    levy_set_call call = levy_supply_set_call(s, job->options.replicate);
    call.n_dimensions = job->tables.n_dimensions;
    call.first = first;
    call.n = n;
    call.stride = n;
    call.words = words;
    return s->supply == LEVY_SUPPLY_SET ? levy_set_words(s->points, job->memory, &call) : LEVY_OK;
}

static levy_status points_portions(points_job *job, void *rows, void *turned, uint32_t *words,
                                   size_t portion, char *why)
{
    const size_t dimensions = job->tables.n_dimensions;
    while (job->done < job->count) {
        const uint64_t left = job->count - job->done;
        const size_t n = left < portion ? (size_t)left : portion;
        const levy_normals_call call = {.output = rows,
                                        .first = job->options.first + job->done,
                                        .n_points = n,
                                        .stride = n,
                                        .words = words};
        if (points_stop(job)) return LEVY_CANCELLED;
        LEVY_TRY(points_words(job, call.first, n, words));
        LEVY_TRY(job->device.backend.object_run(job->normals, &call, why));
        points_turn(rows, turned, n, dimensions, job->number);
        if (job->write(job->user, turned, n * dimensions * job->number) != 0) return LEVY_IO;
        job->done += n;
    }
    (void)points_stop(job); /* the last progress; there is nothing left to stop */
    return LEVY_OK;
}

static levy_status points_write(points_job *job, char *why)
{
    const size_t dimensions = job->tables.n_dimensions;
    size_t portion = POINTS_NUMBERS / dimensions;
    if (portion < POINTS_LEAST) portion = POINTS_LEAST;
    if (portion > job->count) portion = (size_t)job->count;
    void *const rows = levy_memory_allocate(job->memory, portion * dimensions, job->number),
                *const turned =
                    levy_memory_allocate(job->memory, portion * dimensions, job->number);
    uint32_t *const words = /* readable for 64 bytes past their end (levy_normals_call) */
        levy_memory_allocate(job->memory, portion * dimensions + 16, sizeof *words);
    levy_status status = rows && turned && words ? LEVY_OK : LEVY_MEMORY;
    if (status == LEVY_OK && !points_head(job)) status = LEVY_IO;
    if (status == LEVY_OK) status = points_portions(job, rows, turned, words, portion, why);
    levy_memory_release(job->memory, words);
    levy_memory_release(job->memory, rows);
    levy_memory_release(job->memory, turned);
    return status;
}

static levy_status points_run(points_job *job)
{
    char why[LEVY_REASON_SIZE] = "";
    levy_context *const context = job->book->context;
    LEVY_TRY(levy_book_refresh(job->book));
    levy_call_watch(context, points_stop, job);
    levy_status status = points_tables(job);
    levy_call_watch(context, NULL, NULL);
    if (status == LEVY_OK) status = levy_call_device_open(context, &job->how, &job->device);
    if (status != LEVY_OK) return status;
    const levy_backend *const backend = &job->device.backend;
    status = backend->object_create(job->device.state, LEVY_OBJECT_NORMALS, &job->tables,
                                    &job->normals, why);
    if (status == LEVY_OK) {
        status = points_write(job, why);
        backend->object_destroy(job->normals);
    }
    levy_call_device_close(&job->device);
    if (status == LEVY_DEVICE || status == LEVY_UNSUPPORTED)
        points_refuse(job, LEVY_REASON_DEVICE, "device", NULL, why);
    return status;
}

int levy_book_points(levy_book *book, const levy_points_options *options,
                     const levy_price_options *how, levy_writer write, void *user)
{
    points_job job = {.book = book, .write = write, .user = user};
    if (!book || !write) return levy_call_refuse(book ? book->context : NULL, "write", "is NULL");
    if (options && !levy_call_copy_options(&job.options, sizeof job.options, options))
        return levy_call_refuse(book->context, "struct_size", "is not that of levy_points_options");
    if (!levy_call_price_options(how, &job.how))
        return levy_call_refuse(book->context, "struct_size", "is not that of levy_price_options");
    job.how.device = "cpu"; /* where memory is the host's; no number depends on it */
    job.memory = &book->context->memory;
    levy_call_begin(book->context);
    const levy_status status = points_run(&job);
    levy_normals_tables_release(job.memory, &job.tables);
    return levy_call_end(book->context, (int)status);
}
