/* heap.h: a heap for tests, which counts what is held and fails where a test says. Threads may
 * share it. */
#ifndef LEVY_TESTS_HEAP_H
#define LEVY_TESTS_HEAP_H

#include "engine/base/memory.h"
#include "engine/levy.h"

#include <stdatomic.h>

typedef struct test_heap {
    atomic_long calls, live; /* requests so far; pieces held */
    atomic_long fail_at;     /* the request that fails, from 1; 0: none */
    atomic_bool for_ever;    /* and so do all after it */
} test_heap;

void *heap_allocate(void *user, size_t size);
void *heap_reallocate(void *user, void *pointer, size_t size);
void heap_release(void *user, void *pointer);

/* The n-th request from now on fails; 0: none. */
void heap_fail(test_heap *heap, long n);

/* The heap grants n requests from now on, and no more. */
void heap_grant(test_heap *heap, long n);

levy_memory heap_memory(test_heap *heap);
levy_context_options heap_options(test_heap *heap);

#endif
