/* supply_set.c: see supply_set.h. Each thread has a run of the points in all dimensions. */
#include "engine/run/supply_set.h"

#include "engine/base/thread.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

enum {
    SET_THREADS = 64,
    SET_STACK = 256 << 10,
    SET_NUMBERS = 1 << 17 /* fewer take less time than the start of a thread */
};

typedef struct set_piece {
    const levy_point_set *set;
    const levy_memory *memory;
    levy_set_call call;
    levy_status status;
    bool started;
    pthread_t thread;
} set_piece;

static void *set_main(void *argument)
{
    set_piece *const piece = argument;
    piece->status = levy_set_words(piece->set, piece->memory, &piece->call);
    return NULL;
}

levy_set_call levy_supply_set_call(const levy_simulation *s, uint64_t replicate)
{
    return (levy_set_call){.key = levy_points_key(s->seed, replicate, LEVY_PURPOSE_PRICE),
                           .replicate = replicate,
                           .randomised = s->generator != LEVY_GENERATOR_SOBOL};
}

levy_status levy_supply_set_words(const levy_point_set *set, const levy_memory *memory,
                                  const levy_set_call *call, uint32_t threads)
{
    set_piece pieces[SET_THREADS];
    size_t n = call->n * call->n_dimensions / SET_NUMBERS;
    levy_status status = LEVY_OK;
    if (n > threads) n = threads;
    if (n > SET_THREADS) n = SET_THREADS;
    if (n < 1) n = 1;
    for (size_t i = 0; i < n; ++i) {
        const size_t from = call->n * i / n, to = call->n * (i + 1) / n;
        set_piece *const piece = &pieces[i];
        *piece = (set_piece){.set = set, .memory = memory, .call = *call};
        piece->call.first += from;
        piece->call.n = to - from;
        piece->call.words += from;
        piece->started = i + 1 < n && levy_thread_start(&piece->thread, SET_STACK, set_main, piece);
        if (!piece->started) set_main(piece);
    }
    for (size_t i = 0; i < n; ++i) {
        if (pieces[i].started) pthread_join(pieces[i].thread, NULL);
        if (pieces[i].status != LEVY_OK) status = pieces[i].status;
    }
    return status;
}
