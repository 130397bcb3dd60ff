/* heap.c: the heap that fails where a test says. */
#include "tests/heap.h"

#include <stdlib.h>

static bool heap_fails(test_heap *heap)
{
    const long call = ++heap->calls, at = heap->fail_at;
    return at > 0 && (call == at || (call > at && heap->for_ever));
}

void *heap_allocate(void *user, size_t size)
{
    test_heap *const heap = user;
    void *const pointer = heap_fails(heap) ? NULL : malloc(size);
    heap->live += pointer != NULL;
    return pointer;
}

void *heap_reallocate(void *user, void *pointer, size_t size)
{
    test_heap *const heap = user;
    void *const moved = heap_fails(heap) ? NULL : realloc(pointer, size);
    heap->live += moved && !pointer;
    return moved;
}

void heap_release(void *user, void *pointer)
{
    ((test_heap *)user)->live -= pointer != NULL;
    free(pointer);
}

void heap_fail(test_heap *heap, long n)
{
    heap->calls = 0;
    heap->fail_at = n;
}

void heap_grant(test_heap *heap, long n)
{
    heap->for_ever = true;
    heap_fail(heap, n + 1);
}

levy_memory heap_memory(test_heap *heap)
{
    return (levy_memory){heap_allocate, heap_reallocate, heap_release, heap, NULL};
}

levy_context_options heap_options(test_heap *heap)
{
    return (levy_context_options){.struct_size = sizeof(levy_context_options),
                                  .allocate = heap_allocate,
                                  .reallocate = heap_reallocate,
                                  .release = heap_release,
                                  .allocator_user = heap};
}
