/* kernel_store.c: see kernel_store.h. Kernels are some hundreds, so a plain search will do. */
#include "kernels/cuda/compile/kernel_store.h"

#include <pthread.h>
#include <string.h>

typedef struct store_item {
    levy_cache_key key;
    int compiler;
    bool making;
    void *data; /* NULL: not kept here */
    size_t size;
    struct store_item *next;
} store_item;

struct levy_kernel_store {
    levy_memory memory;
    pthread_mutex_t lock;
    pthread_cond_t done;
    store_item *items;
    size_t owners;
};

levy_kernel_store *levy_kernel_store_create(const levy_memory *memory)
{
    levy_kernel_store *const store = levy_memory_allocate(memory, 1, sizeof *store);
    if (!store) return NULL;
    store->memory = *memory;
    store->owners = 1;
    pthread_mutex_init(&store->lock, NULL);
    pthread_cond_init(&store->done, NULL);
    return store;
}

levy_kernel_store *levy_kernel_store_share(levy_kernel_store *store)
{
    pthread_mutex_lock(&store->lock);
    ++store->owners;
    pthread_mutex_unlock(&store->lock);
    return store;
}

void levy_kernel_store_release(levy_kernel_store *store)
{
    if (!store) return;
    pthread_mutex_lock(&store->lock);
    const bool last = --store->owners == 0;
    pthread_mutex_unlock(&store->lock);
    if (!last) return;
    const levy_memory memory = store->memory;
    for (store_item *item = store->items, *next; item; item = next) {
        next = item->next;
        levy_memory_release(&memory, item->data);
        levy_memory_release(&memory, item);
    }
    pthread_cond_destroy(&store->done);
    pthread_mutex_destroy(&store->lock);
    levy_memory_release(&memory, store);
}

/* The lock is held. */
static store_item *store_find(const levy_kernel_store *store, const levy_cache_id *id)
{
    store_item *item = store->items;
    while (item && (item->key.low != id->key.low || item->key.high != id->key.high ||
                    item->compiler != id->compiler))
        item = item->next;
    return item;
}

/* Without memory for an item the kernel may be got twice, nothing worse. The lock is held. */
static void store_add(levy_kernel_store *store, const levy_cache_id *id)
{
    store_item *const item = levy_memory_allocate(&store->memory, 1, sizeof *item);
    if (!item) return;
    *item = (store_item){
        .key = id->key, .compiler = id->compiler, .making = true, .next = store->items};
    store->items = item;
}

static bool store_copy(const levy_memory *memory, const void *from, size_t size, void **to)
{
    *to = levy_memory_allocate(memory, size, 1);
    if (*to) memcpy(*to, from, size);
    return *to != NULL;
}

bool levy_kernel_store_begin(levy_kernel_store *store, const levy_memory *memory,
                             const levy_cache_id *id, void **data, size_t *size)
{
    bool found = false;
    pthread_mutex_lock(&store->lock);
    store_item *item = store_find(store, id);
    while (item && item->making) pthread_cond_wait(&store->done, &store->lock);
    if (!item)
        store_add(store, id);
    else if (item->data && store_copy(memory, item->data, item->size, data))
        found = true;
    else
        item->making = true;
    if (found) *size = item->size;
    pthread_mutex_unlock(&store->lock);
    return found;
}

void levy_kernel_store_end(levy_kernel_store *store, const levy_cache_id *id, const void *data,
                           size_t size)
{
    pthread_mutex_lock(&store->lock);
    store_item *const item = store_find(store, id);
    if (item && data && !item->data && store_copy(&store->memory, data, size, &item->data))
        item->size = size;
    if (item) item->making = false;
    pthread_cond_broadcast(&store->done);
    pthread_mutex_unlock(&store->lock);
}
