/* point_columns.c: see point_columns.h. */
#include "engine/plan/point_columns.h"

#include "kernels/points/net.h"
#include "kernels/points/sobol_tables.h"

#include <pthread.h>
#include <string.h>

static const size_t tables_most_bytes = (size_t)64 << 20;

struct levy_point_tables {
    levy_memory memory;
    pthread_mutex_t lock;
    levy_table_key key;
    uint64_t net_hash;           /* the hash of the key's net, which may be gone */
    uint32_t n_dimensions, room; /* dimensions made, dimensions that fit */
    uint32_t *columns;
};

levy_status levy_point_tables_create(const levy_memory *memory, levy_point_tables **tables)
{
    *tables = levy_memory_allocate(memory, 1, sizeof **tables);
    if (!*tables) return LEVY_MEMORY;
    (*tables)->memory = *memory;
    pthread_mutex_init(&(*tables)->lock, NULL);
    return LEVY_OK;
}

static void tables_drop(levy_point_tables *t)
{
    levy_memory_release(&t->memory, t->columns);
    t->columns = NULL;
    t->n_dimensions = t->room = 0;
}

void levy_point_tables_destroy(levy_point_tables *tables)
{
    if (!tables) return;
    const levy_memory memory = tables->memory;
    tables_drop(tables);
    pthread_mutex_destroy(&tables->lock);
    levy_memory_release(&memory, tables);
}

void levy_point_column(const levy_table_key *key, uint32_t replicate, uint32_t dimension,
                       const uint32_t numbers[32], uint32_t column[LEVY_COLUMN_WORDS])
{
    memcpy(column, numbers, 32 * sizeof *column);
    levy_sobol_randomise(key->scrambling, levy_points_key(key->seed, replicate, key->purpose),
                         dimension, column, &column[32]);
}

/* Makes room for n dimensions, but at least twice the room there was: a book's grids may grow step
 * by step. Columns already made are kept. */
static bool tables_reserve(levy_point_tables *t, uint32_t n)
{
    const size_t row = (size_t)t->key.n_replicates * LEVY_COLUMN_WORDS * sizeof *t->columns,
                 most = tables_most_bytes / row;
    if (n <= t->room) return true;
    if (n > most) return false;
    size_t room = 2 * (size_t)t->room > n ? 2 * (size_t)t->room : n;
    if (room > most) room = most;
    uint32_t *const grown = levy_memory_grow(&t->memory, t->columns, room, row);
    if (!grown) return false;
    t->columns = grown;
    t->room = (uint32_t)room;
    return true;
}

/* `asking`: the memory whose meter may say stop. */
static bool tables_extend(levy_point_tables *t, const levy_memory *asking, uint32_t n)
{
    uint32_t *const numbers = levy_memory_allocate(&t->memory, (size_t)n * 32, sizeof *numbers);
    const bool good = numbers && levy_net_directions(t->key.net, n, numbers);
    for (uint32_t d = t->n_dimensions; good && d < n && !levy_memory_stopped(asking);
         t->n_dimensions = ++d)
        for (uint32_t r = 0; r < t->key.n_replicates; ++r)
            levy_point_column(&t->key, r, d, numbers + 32 * (size_t)d,
                              t->columns +
                                  ((size_t)d * t->key.n_replicates + r) * LEVY_COLUMN_WORDS);
    levy_memory_release(&t->memory, numbers);
    return t->n_dimensions == n;
}

const uint32_t *levy_point_tables_get(levy_point_tables *t, const levy_memory *memory,
                                      const levy_table_key *key, uint32_t n_dimensions)
{
    if (!t) return NULL;
    pthread_mutex_lock(&t->lock);
    if (key->n_replicates == 0) return NULL;
    const uint64_t net_hash = key->net ? key->net->hash : 0;
    if (t->key.seed != key->seed || t->key.n_replicates != key->n_replicates ||
        t->key.scrambling != key->scrambling || t->key.purpose != key->purpose ||
        t->net_hash != net_hash)
        tables_drop(t);
    t->key = *key;
    t->net_hash = net_hash;
    if (n_dimensions <= t->n_dimensions) return t->columns;
    if (!tables_reserve(t, n_dimensions) || !tables_extend(t, memory, n_dimensions)) return NULL;
    return t->columns;
}

void levy_point_tables_let_go(levy_point_tables *t)
{
    if (t) pthread_mutex_unlock(&t->lock);
}
