/* names.h: a set of names, each with the index under which it was added: curves, assets, models,
 * trade ids. Open addressing over XXH3 keeps a book of a million trades linear. Must not know: what
 * the names are for. */
#ifndef LEVY_BASE_NAMES_H
#define LEVY_BASE_NAMES_H

#include "engine/base/memory.h"

#include <stdint.h>

typedef struct levy_names {
    const char **items; /* [count], then NULL: what levy_nearest takes */
    size_t count, capacity;
    uint32_t *slots; /* number + 1; 0: free */
    size_t n_slots;  /* a power of two, at least twice the capacity */
} levy_names;

#define LEVY_NO_NAME SIZE_MAX

size_t levy_names_find(const levy_names *names, const char *name); /* LEVY_NO_NAME: not there */

/* Adds `name` (kept by pointer) and returns its number; LEVY_NO_NAME: no memory. The name must not
 * be there yet. */
size_t levy_names_add(levy_names *names, levy_arena *arena, const char *name);

#endif
