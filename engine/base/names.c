/* names.c: see names.h. */
#include "engine/base/names.h"

#include "engine/base/hash.h"

#include <string.h>

static size_t names_slot(const levy_names *names, const char *name)
{
    size_t slot = (size_t)XXH3_64bits(name, strlen(name)) & (names->n_slots - 1);
    while (names->slots[slot] != 0 && strcmp(names->items[names->slots[slot] - 1], name) != 0)
        slot = (slot + 1) & (names->n_slots - 1);
    return slot;
}

size_t levy_names_find(const levy_names *names, const char *name)
{
    if (names->count == 0) return LEVY_NO_NAME;
    const uint32_t number = names->slots[names_slot(names, name)];
    return number == 0 ? LEVY_NO_NAME : number - 1;
}

static bool names_grow(levy_names *names, levy_arena *arena)
{
    levy_names grown = *names;
    grown.capacity = names->capacity ? names->capacity * 2 : 16;
    grown.n_slots = grown.capacity * 2;
    if (grown.capacity >= UINT32_MAX) return false;
    grown.items = levy_arena_allocate(arena, grown.capacity + 1, sizeof *grown.items);
    grown.slots = levy_arena_allocate(arena, grown.n_slots, sizeof *grown.slots);
    if (!grown.items || !grown.slots) return false;
    for (size_t i = 0; i < names->count; ++i) {
        grown.items[i] = names->items[i];
        grown.slots[names_slot(&grown, grown.items[i])] = (uint32_t)i + 1;
    }
    *names = grown;
    return true;
}

size_t levy_names_add(levy_names *names, levy_arena *arena, const char *name)
{
    if (names->count == names->capacity && !names_grow(names, arena)) return LEVY_NO_NAME;
    names->items[names->count] = name;
    names->items[names->count + 1] = NULL;
    names->slots[names_slot(names, name)] = (uint32_t)++names->count;
    return names->count - 1;
}
