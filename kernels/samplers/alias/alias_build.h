/* alias_build.h: shared by the constructions: the checked sum, the row of a part, the worker loop.
 * Private to the room. */
#ifndef LEVY_ALIAS_BUILD_H
#define LEVY_ALIAS_BUILD_H

#include "kernels/samplers/alias/alias.h"
#include "kernels/samplers/alias/alias_row.h"

enum {
    ALIAS_CHUNK = 8192,  /* items whose sum is one partial sum */
    ALIAS_COLUMNS = 256, /* running sums inside a chunk */
    ALIAS_MERGE = 1024,  /* running sums over the chunks */
    ALIAS_SECTION = 4096 /* items of a greedily swept section of PSA+ */
};

/* Sums and checks the weights. The sum has the same bits for any crew. */
levy_status levy_alias_sum(levy_alias *alias, const levy_alias_weights *weights,
                           const levy_alias_crew *crew, levy_alias_fault *fault);
/* Sets the scale for n weights whose total is 2^-shift times `sum`. */
void levy_alias_scale_set(alias_scale *scale, alias_pair sum, int shift, uint64_t n);

levy_status levy_alias_build_vose(levy_alias *alias, const levy_alias_weights *weights);
levy_status levy_alias_build_sweep(levy_alias *alias, const levy_alias_weights *weights);
levy_status levy_alias_build_psa(levy_alias *alias, const levy_alias_weights *weights,
                                 const levy_alias_crew *crew, bool greedy);

void levy_alias_row_set(levy_alias_row *row, alias_split split, uint32_t own, uint32_t other);

/* Counts and amounts of the light and heavy items that wait in a run of ALIAS_SECTION items; later
 * those of all sections before it. The entries of these items stand in the section's part of one
 * array, light ones from its start, heavy ones from its end backwards. Their running sums start at
 * 0 in each section. */
typedef struct alias_section {
    uint64_t lights, heavies;
    alias_wide lack, excess;
} alias_section;

typedef struct alias_lists {
    alias_section *sections; /* n_sections + 1: the last holds the totals */
    alias_entry *entries;    /* one place per item */
    uint64_t n_sections, n_items;
} alias_lists;

/* Lists the section's items. greedy: first matches its own light and heavy items until one kind
 * runs out. */
void levy_alias_section_list(levy_alias *alias, const levy_alias_weights *weights,
                             alias_lists *lists, uint64_t section, bool greedy);

/* Scratch of at least `size` bytes, its contents lost; NULL: no memory. */
void *levy_alias_scratch(levy_alias *alias, size_t size);
void levy_alias_crew_run(const levy_alias_crew *crew, void (*work)(void *user, uint32_t worker),
                         void *user);
static inline uint32_t alias_crew_size(const levy_alias_crew *crew)
{
    return crew && crew->workers ? crew->workers : 1;
}

#endif
