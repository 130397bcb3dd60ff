/* memory.c: checked allocation through the caller's functions, and arenas as a chain of growing
 * chunks. Must not know: what the memory is for. */
#include "engine/base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes: of the least page, and of a table for which large ones are worth it. */
enum { MEMORY_PAGE = 4096, MEMORY_LARGE = 32 << 20 };

static void *memory_system_allocate(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void *memory_system_reallocate(void *user, void *pointer, size_t size)
{
    (void)user;
    return realloc(pointer, size);
}

static void memory_system_release(void *user, void *pointer)
{
    (void)user;
    free(pointer);
}

const levy_memory levy_memory_default = {memory_system_allocate, memory_system_reallocate,
                                         memory_system_release, NULL, NULL};

static const levy_memory *memory_or_default(const levy_memory *memory)
{
    return memory && memory->allocate ? memory : &levy_memory_default;
}

bool levy_size_multiply(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b) return false;
    *product = a * b;
    return true;
}

/* Bytes to ask for: never 0, and never more than PTRDIFF_MAX. */
static bool memory_bytes(size_t count, size_t size, size_t *bytes)
{
    if (!levy_size_multiply(count, size, bytes) || *bytes > PTRDIFF_MAX) return false;
    if (*bytes == 0) *bytes = 1;
    return true;
}

/* calloc does not touch fresh pages, which are zero already: faster for large tables. Where the
 * system has pages of megabytes it is asked for these: to get 100 MiB in small ones is a tenth of a
 * fit. */
static void *memory_fresh(size_t bytes)
{
    void *const pointer = calloc(1, bytes);
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)pointer & ~(uintptr_t)(MEMORY_PAGE - 1);
    if (pointer && bytes >= MEMORY_LARGE)
        (void)madvise((void *)page, bytes + (uintptr_t)pointer - page, MADV_HUGEPAGE);
#endif
    return pointer;
}

void *levy_memory_allocate(const levy_memory *memory, size_t count, size_t size)
{
    const levy_memory *m = memory_or_default(memory);
    size_t bytes = 0;
    if (!memory_bytes(count, size, &bytes)) return NULL;
    if (m->allocate == memory_system_allocate) return memory_fresh(bytes);
    void *pointer = m->allocate(m->user, bytes);
    if (pointer) memset(pointer, 0, bytes);
    return pointer;
}

void *levy_memory_grow(const levy_memory *memory, void *pointer, size_t count, size_t size)
{
    const levy_memory *m = memory_or_default(memory);
    size_t bytes = 0;
    if (!memory_bytes(count, size, &bytes)) return NULL;
    return pointer ? m->reallocate(m->user, pointer, bytes) : m->allocate(m->user, bytes);
}

/* The room after the next growth; 0: it does not fit a size_t. */
static size_t memory_twice(size_t room, size_t least)
{
    if (room == 0) return least;
    return room <= SIZE_MAX / 2 ? 2 * room : 0;
}

void *levy_memory_extend(const levy_memory *memory, void *items, size_t count, size_t *room,
                         size_t least, size_t size)
{
    if (count < *room) return items;
    const size_t more = memory_twice(*room, least);
    void *const grown = more ? levy_memory_grow(memory, items, more, size) : NULL;
    if (grown) *room = more;
    return grown;
}

void levy_memory_release(const levy_memory *memory, void *pointer)
{
    const levy_memory *m = memory_or_default(memory);
    if (pointer) m->release(m->user, pointer);
}

bool levy_memory_stopped(const levy_memory *memory)
{
    levy_meter *const meter = memory ? memory->meter : NULL;
    if (meter && !meter->stopped && meter->stop) meter->stopped = meter->stop(meter->user) != 0;
    return meter && meter->stopped;
}

size_t levy_memory_room(const levy_memory *memory)
{
    const levy_meter *const meter = memory ? memory->meter : NULL;
    if (!meter || meter->limit == 0) return SIZE_MAX;
    return meter->used < meter->limit ? meter->limit - meter->used : 0;
}

static void memory_note(levy_meter *meter, size_t more)
{
    if (meter->used + more > meter->asked) meter->asked = meter->used + more;
}

bool levy_memory_fits(const levy_memory *memory, uint64_t bytes)
{
    if (bytes > levy_memory_room(memory)) return false;
    if (memory && memory->meter) memory_note(memory->meter, (size_t)bytes);
    return true;
}

const char *levy_memory_text(uint64_t bytes, char text[LEVY_MEMORY_TEXT])
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    if (bytes < 1024) {
        snprintf(text, LEVY_MEMORY_TEXT, "%u byte%s", (unsigned)bytes, bytes == 1 ? "" : "s");
        return text;
    }
    while (unit < 4 && bytes >> 20) {
        bytes >>= 10;
        unit++;
    }
    snprintf(text, LEVY_MEMORY_TEXT, "%u.%u %s", (unsigned)(bytes >> 10),
             (unsigned)((bytes & 1023) * 10 >> 10), units[unit]);
    return text;
}

void levy_memory_says(const levy_memory *memory, const char *what, uint64_t bytes, char *why,
                      size_t size)
{
    const levy_meter *const meter = memory->meter;
    char wanted[LEVY_MEMORY_TEXT], used[LEVY_MEMORY_TEXT], limit[LEVY_MEMORY_TEXT];
    const bool beside = bytes <= meter->limit;
    snprintf(
        why, size, "%s would need about %s%s%s, which exceeds the memory limit, %s (max_memory)",
        what, levy_memory_text(bytes, wanted), beside ? " beside what is in use, " : "",
        beside ? levy_memory_text(meter->used, used) : "", levy_memory_text(meter->limit, limit));
}

/* ---- Arenas ---- */

enum { ARENA_CHUNK_FIRST = 4096, ARENA_CHUNK_LAST = 1 << 20, ARENA_ALIGNMENT = 64 };

struct levy_arena_chunk {
    struct levy_arena_chunk *next;
    size_t size, used; /* bytes behind this struct, from the first one that is aligned */
};

void levy_arena_init(levy_arena *arena, const levy_memory *memory)
{
    *arena = (levy_arena){.memory = memory_or_default(memory)};
}

/* The next address in the chunk with that alignment, if `bytes` fit there; else NULL. */
static void *arena_take(struct levy_arena_chunk *chunk, size_t bytes, size_t alignment)
{
    const size_t before = -(uintptr_t)(chunk + 1) % ARENA_ALIGNMENT,
                 offset = (chunk->used + alignment - 1) & ~(alignment - 1);
    if (offset > chunk->size || bytes > chunk->size - offset) return NULL;
    chunk->used = offset + bytes;
    return (char *)(chunk + 1) + before + offset;
}

/* What fits a chunk does not depend on its address, so that a limit meets the same plans each time:
 * the bytes before the first one that is aligned are always counted as ARENA_ALIGNMENT. */
static struct levy_arena_chunk *arena_new_chunk(levy_arena *arena, size_t bytes)
{
    struct levy_arena_chunk *head = arena->chunks;
    size_t size = head ? (head->size + ARENA_ALIGNMENT) * 2 : ARENA_CHUNK_FIRST;
    if (size > ARENA_CHUNK_LAST) size = ARENA_CHUNK_LAST;
    const bool large = bytes > size / 4;
    if (large) {
        if (bytes > PTRDIFF_MAX - ARENA_ALIGNMENT - sizeof *head) return NULL;
        size = bytes + ARENA_ALIGNMENT;
    }
    levy_meter *const meter = arena->memory->meter;
    if (!levy_memory_fits(arena->memory, sizeof *head + size)) {
        meter->over = true;
        return NULL;
    }
    struct levy_arena_chunk *chunk = levy_memory_allocate(arena->memory, 1, sizeof *chunk + size);
    if (!chunk) return NULL;
    if (meter) meter->used += sizeof *chunk + size;
    if (meter && meter->used > meter->most) meter->most = meter->used;
    chunk->size = size - ARENA_ALIGNMENT;
    /* A large request gets a chunk of its own behind the list's head, so that the free space of the
     * head is still used. */
    if (large && head) {
        chunk->next = head->next;
        head->next = chunk;
    } else {
        chunk->next = head;
        arena->chunks = chunk;
    }
    return chunk;
}

void *levy_arena_allocate(levy_arena *arena, size_t count, size_t size)
{
    size_t bytes = 0;
    if (!memory_bytes(count, size, &bytes)) return NULL;
    const size_t alignment = bytes >= 64 ? 64 : 16;
    void *pointer = arena->chunks ? arena_take(arena->chunks, bytes, alignment) : NULL;
    if (!pointer) {
        struct levy_arena_chunk *chunk = arena_new_chunk(arena, bytes);
        pointer = chunk ? arena_take(chunk, bytes, alignment) : NULL;
    }
    if (pointer) arena->used += bytes;
    return pointer;
}

void *levy_arena_extend(levy_arena *arena, void *items, size_t count, size_t *room, size_t least,
                        size_t size)
{
    if (count < *room) return items;
    const size_t more = memory_twice(*room, least);
    void *const grown = more ? levy_arena_allocate(arena, more, size) : NULL;
    if (grown && count) memcpy(grown, items, count * size);
    if (grown) *room = more;
    return grown;
}

bool levy_arena_grow(levy_arena *arena, void *items, size_t count, size_t *room, size_t least,
                     size_t size)
{
    void *old;
    memcpy(&old, items, sizeof old);
    void *const grown = levy_arena_extend(arena, old, count, room, least, size);
    if (grown) memcpy(items, &grown, sizeof grown);
    return grown != NULL;
}

char *levy_arena_copy_text(levy_arena *arena, const char *text, size_t length)
{
    if (length == SIZE_MAX) return NULL;
    char *copy = levy_arena_allocate(arena, length + 1, 1);
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

char *levy_arena_format(levy_arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) return NULL;
    char *text = levy_arena_allocate(arena, (size_t)length + 1, 1);
    if (!text) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}

static void arena_free(const levy_arena *arena, struct levy_arena_chunk *chunk)
{
    while (chunk) {
        struct levy_arena_chunk *next = chunk->next;
        if (arena->memory->meter)
            arena->memory->meter->used -= sizeof *chunk + chunk->size + ARENA_ALIGNMENT;
        levy_memory_release(arena->memory, chunk);
        chunk = next;
    }
}

void levy_arena_release(levy_arena *arena)
{
    arena_free(arena, arena->chunks);
    arena->chunks = NULL;
    arena->used = 0;
}

void levy_arena_clear(levy_arena *arena)
{
    struct levy_arena_chunk *const head = arena->chunks;
    if (!head) return;
    arena_free(arena, head->next);
    head->next = NULL;
    memset(head + 1, 0, head->used + ARENA_ALIGNMENT);
    head->used = 0;
    arena->used = 0;
}

bool levy_arena_hand_over(levy_arena *arena, const levy_memory *memory)
{
    levy_meter *const from = arena->memory->meter, *const to = memory->meter;
    size_t bytes = 0;
    for (const struct levy_arena_chunk *chunk = arena->chunks; chunk; chunk = chunk->next)
        bytes += sizeof *chunk + chunk->size + ARENA_ALIGNMENT;
    if (!levy_memory_fits(memory, from ? from->asked : bytes)) return false;
    if (from && to && to->used + from->most > to->most) to->most = to->used + from->most;
    if (from) from->used -= bytes;
    if (to) to->used += bytes;
    arena->memory = memory;
    return true;
}
