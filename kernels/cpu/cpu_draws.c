/* cpu_draws.c: draws from each of many distributions over the CPU's workers, which take pieces from
 * one counter: some paths with all their draws, or, where a path has many draws, some draws of one
 * path, whose sums each piece then makes anew. Words that the caller does not give are made piece
 * by piece. Must not know: the public interface. */
#define LANE_SCALAR
#include "kernels/cpu/cpu_objects.h"

#include "kernels/points/philox.h"

#include <stdatomic.h>

enum {
    DRAWS_ALONE = 1 << 17,   /* weights up to which threads cost more than they bring */
    DRAWS_WEIGHTS = 1 << 14, /* of a piece, about */
    DRAWS_WORDS = 4096       /* of a piece, at most */
};

typedef struct draws_job {
    const levy_draws_call *call;
    size_t n_draws;
    size_t paths, parts; /* of a piece; pieces of a path */
    atomic_size_t next;
    _Atomic uint64_t fault;
} draws_job;

/* A piece: `draws` holds its paths and draws, of which these are the first. */
typedef struct draws_piece {
    levy_butterfly_draws draws;
    size_t path, draw;
} draws_piece;

/* The words of `n` neighbouring draws of a path. */
static void draws_path_words(const levy_draws_call *c, uint64_t path, uint64_t draw, size_t n,
                             uint32_t *words)
{
    for (size_t i = 0; i < n;) {
        const uint64_t block = (draw + i) / 4;
        const philox_words made = philox_draw(
            c->seed, lane_word_of((uint32_t)block), lane_word_of((uint32_t)(block >> 32)),
            lane_word_of((uint32_t)path), lane_word_of((uint32_t)(path >> 32)));
        do words[i] = made.w[(draw + i) % 4][0];
        while (++i < n && (draw + i) % 4 != 0);
    }
}

/* Piece `i`; false: there is none. */
static bool draws_piece_at(const draws_job *job, size_t i, draws_piece *piece)
{
    const levy_butterfly_draws *const all = &job->call->draws;
    const size_t number = all->single ? sizeof(float) : sizeof(double);
    const size_t path = i / job->parts * job->paths, draw = i % job->parts * DRAWS_WORDS;
    if (path >= all->n_paths) return false;
    const size_t left = job->n_draws - draw, paths = all->n_paths - path;
    *piece = (draws_piece){.draws = *all, .path = path, .draw = draw};
    levy_butterfly_draws *const d = &piece->draws;
    d->n_draws = (uint32_t)(left < DRAWS_WORDS ? left : DRAWS_WORDS);
    d->n_paths = paths < job->paths ? paths : job->paths;
    d->theta = (const char *)all->theta + path * all->theta_stride * number;
    d->states = all->states ? all->states + path : NULL;
    d->words = all->words ? all->words + path * job->n_draws + draw : NULL;
    d->items = all->items + path * job->n_draws + draw;
    return true;
}

static void draws_note(draws_job *job, uint64_t path)
{
    uint64_t lowest = atomic_load(&job->fault);
    while (path < lowest && !atomic_compare_exchange_weak(&job->fault, &lowest, path)) continue;
}

static void draws_work(void *user, uint32_t worker)
{
    draws_job *const job = user;
    const levy_draws_call *const c = job->call;
    uint32_t words[DRAWS_WORDS];
    draws_piece piece;
    (void)worker;
    while (draws_piece_at(job, atomic_fetch_add(&job->next, 1), &piece)) {
        levy_butterfly_draws *const d = &piece.draws;
        for (size_t p = 0; !c->draws.words && p < d->n_paths; ++p)
            draws_path_words(c, c->first_path + piece.path + p, c->first_draw + piece.draw,
                             d->n_draws, words + p * d->n_draws);
        if (!c->draws.words) d->words = words;
        const size_t bad = levy_butterfly_draw(d, 0, d->n_paths);
        if (bad != SIZE_MAX) draws_note(job, c->first_path + piece.path + bad);
    }
}

static levy_status draws_call(const levy_cpu_object *o, const void *given, char *why)
{
    const levy_draws_call *const call = given;
    const levy_butterfly_draws *const d = &call->draws;
    const size_t n_draws = d->n_draws ? d->n_draws : 1;
    const size_t by_weights = DRAWS_WEIGHTS / d->n_items + 1, by_words = DRAWS_WORDS / n_draws;
    const size_t most = by_weights < by_words ? by_weights : by_words;
    draws_job job = {.call = call,
                     .n_draws = n_draws,
                     .paths = most ? most : 1,
                     .parts = (n_draws + DRAWS_WORDS - 1) / DRAWS_WORDS};
    const uint64_t each = d->n_items + (uint64_t)LEVY_BUTTERFLY_BLOCK * n_draws;
    (void)why;
    atomic_init(&job.next, 0);
    atomic_init(&job.fault, UINT64_MAX);
    if (o->crew->n_threads > 1 && d->n_paths > DRAWS_ALONE / each)
        levy_threads_run(o->crew->threads, draws_work, &job);
    else
        draws_work(&job, 0);
    const uint64_t fault = atomic_load(&job.fault);
    if (call->fault && fault < *call->fault) *call->fault = fault;
    return LEVY_OK;
}

const levy_cpu_kind levy_cpu_draws = {"draws", "", NULL, draws_call};
