/* memory.h: the caller's allocator, and arenas over it. Every allocation of the library goes
 * through a levy_memory, so that an embedder can count it and a test can make the n-th one fail. */
#ifndef LEVY_BASE_MEMORY_H
#define LEVY_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits what the arenas over a memory take, and tells long work when to stop. One thread at a
 * time. */
typedef struct levy_meter {
    size_t limit, used;      /* bytes; limit 0: none */
    size_t most;             /* the largest `used` since this was last cleared */
    size_t asked;            /* the same, with what was only asked for (levy_memory_fits) */
    bool over;               /* the limit has refused a chunk since this was last cleared */
    int (*stop)(void *user); /* long work asks it now and then; nonzero: stop. NULL: never */
    void *user;
    bool stopped; /* `stop` has said so */
} levy_meter;

/* All three functions are set, or none (then malloc, realloc, free). Several threads may call them
 * at once. */
typedef struct levy_memory {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *user;
    levy_meter *meter; /* counts for the arenas; NULL: none */
} levy_memory;

extern const levy_memory levy_memory_default; /* malloc, realloc, free */

/* zeroed; NULL: none, or count*size overflows */
void *levy_memory_allocate(const levy_memory *memory, size_t count, size_t size);
/* the new bytes are not zeroed */
void *levy_memory_grow(const levy_memory *memory, void *pointer, size_t count, size_t size);
/* Makes room for one more item after `count` items. If *room is used up, it doubles (at first it is
 * `least`) and the items may move. NULL: no memory; items and *room are as before. */
void *levy_memory_extend(const levy_memory *memory, void *items, size_t count, size_t *room,
                         size_t least, size_t size);
/* NULL is fine */
void levy_memory_release(const levy_memory *memory, void *pointer);

bool levy_size_multiply(size_t a, size_t b, size_t *product); /* false: overflow */

/* Long work asks this about every millisecond of its arena's memory. Once true, it stays true. */
bool levy_memory_stopped(const levy_memory *memory);
/* Bytes that arenas may still take; SIZE_MAX without a limit. */
size_t levy_memory_room(const levy_memory *memory);
/* Whether arenas may take so many more bytes. */
bool levy_memory_fits(const levy_memory *memory, uint64_t bytes);

/* "8.3 GiB", "512.0 MiB". */
enum { LEVY_MEMORY_TEXT = 24 };
const char *levy_memory_text(uint64_t bytes, char text[LEVY_MEMORY_TEXT]);
/* "the plan would need about 1.3 MiB, which exceeds the memory limit, 1.0 MiB (max_memory)", of
 * what levy_memory_fits has refused. */
void levy_memory_says(const levy_memory *memory, const char *what, uint64_t bytes, char *why,
                      size_t size);

/* An arena gives zeroed memory, aligned to 64 bytes for requests of 64 bytes or more and to 16
 * below, and takes it back all at once. One thread at a time. An initialised arena owns nothing
 * until its first allocation. */
typedef struct levy_arena {
    const levy_memory *memory;
    struct levy_arena_chunk *chunks;
    size_t used; /* bytes handed out, for limits and reports */
} levy_arena;

void levy_arena_init(levy_arena *arena, const levy_memory *memory);
/* NULL: no memory; count 0 gives a valid pointer */
void *levy_arena_allocate(levy_arena *arena, size_t count, size_t size);
/* As levy_memory_extend, but the new bytes are zero, and the arena keeps the old array too. */
void *levy_arena_extend(levy_arena *arena, void *items, size_t count, size_t *room, size_t least,
                        size_t size);
/* The same of the array that *items points at, a pointer of any type: it stays as it is after a
 * failure. */
bool levy_arena_grow(levy_arena *arena, void *items, size_t count, size_t *room, size_t least,
                     size_t size);
#define LEVY_ARENA_GROW(arena, items, count, room, least)                                          \
    levy_arena_grow((arena), &(items), (count), &(room), (least), sizeof *(items))
/* NUL-terminated copy */
char *levy_arena_copy_text(levy_arena *arena, const char *text, size_t length);
/* As printf, but without floating conversions, which would read the locale: write numbers with
 * engine/base/number.h. */
char *levy_arena_format(levy_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void levy_arena_release(levy_arena *arena); /* frees all; the arena may be used again */
/* Takes everything back, but keeps the newest chunk for what comes next. */
void levy_arena_clear(levy_arena *arena);
/* Hands the arena to a memory of the same functions, whose meter counts it from now on as if its
 * work had been done there. Its old meter counted nothing else since it was cleared. False: that
 * work would have met the new meter's limit, and the arena stays where it was. */
bool levy_arena_hand_over(levy_arena *arena, const levy_memory *memory);

#endif
