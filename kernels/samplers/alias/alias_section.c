/* alias_section.c: the first half of PSA and PSA+: a section's items are classified, listed and,
 * for PSA+, matched inside the section until its light or its heavy items run out. A heavy item
 * that ends between the two is listed with what it has left. */
#include "kernels/samplers/alias/alias_build.h"

typedef struct section_state {
    levy_alias *alias;
    const levy_alias_weights *weights;
    alias_entry *slots; /* the section's part of the entries */
    uint64_t size;
    uint64_t lights, heavies; /* listed */
    uint64_t i, j;            /* lights served, heavies finished */
    alias_signed excess;      /* of heavy j */
} section_state;

static alias_entry *section_heavy(const section_state *s, uint64_t j)
{
    return &s->slots[s->size - 1 - j];
}

/* There is no branch to mispredict: an item is written to both lists and counted in one of them or
 * none. The lists meet only at the last item. */
static void section_classify(section_state *s, uint64_t first)
{
    const alias_scale scale = s->alias->scale;
    const alias_wide one = alias_one(&scale);
    const double *const doubles = s->weights->doubles;
    levy_alias_row *const rows = s->alias->rows + first;
    alias_entry *light = s->slots, *heavy = s->slots + s->size - 1;
    for (uint64_t k = 0; k < s->size; ++k) {
        const uint32_t i = (uint32_t)(first + k);
        const alias_wide q =
            alias_quantise(&scale, doubles ? doubles[i] : (double)s->weights->singles[i]);
        const alias_entry lack = alias_entry_make(one - q, i),
                          excess = alias_entry_make(q - one, i);
        if (q == one) rows[k] = (levy_alias_row){0.0, {i, i}};
        *heavy = excess;
        if (light != heavy || q < one) *light = lack;
        light += q < one;
        heavy -= q > one;
    }
    s->lights = (uint64_t)(light - s->slots);
    s->heavies = (uint64_t)(s->slots + s->size - 1 - heavy);
}

static void section_serve(const section_state *s, alias_entry light, uint32_t other)
{
    const double w = levy_alias_weight_at(s->weights, light.index);
    const alias_split split = alias_split_light(&s->alias->scale, w, alias_entry_amount(light));
    levy_alias_row_set(&s->alias->rows[light.index], split, light.index, other);
}

/* Serving a light item and ending a heavy one share their code, with selections, because a branch
 * between them could not be predicted. */
static void section_match(section_state *s)
{
    const alias_scale scale = s->alias->scale;
    const alias_wide one = alias_one(&scale), half = one >> 1;
    levy_alias_row *const rows = s->alias->rows;
    const alias_entry *light = s->slots, *const light_end = s->slots + s->lights;
    const alias_entry *heavy = section_heavy(s, 0);
    const alias_entry *const heavy_last = section_heavy(s, s->heavies - 1);
    alias_signed excess = (alias_signed)alias_entry_amount(*heavy);
    for (;;) {
        const bool serve = excess > 0;
        if (serve ? light == light_end : heavy == heavy_last) break;
        const alias_entry own = serve ? *light : *heavy;
        const alias_entry next = serve ? *heavy : heavy[-1];
        const alias_wide lack = serve ? alias_entry_amount(own) : (alias_wide)-excess;
        const bool own_first = lack > half;
        const double kept = alias_weight(&scale, own_first ? one - lack : lack);
        const double weight = levy_alias_weight_at(s->weights, own.index) * scale.lift;
        levy_alias_row *const row = &rows[own.index];
        row->threshold = (serve & own_first) ? weight : kept;
        row->item[0] = own_first ? own.index : next.index;
        row->item[1] = own_first ? next.index : own.index;
        excess += serve ? -(alias_signed)lack : (alias_signed)alias_entry_amount(next);
        light += serve;
        heavy -= !serve;
    }
    s->i = (uint64_t)(light - s->slots);
    s->j = (uint64_t)(section_heavy(s, 0) - heavy);
    s->excess = excess;
}

/* Lists the light items that wait. Their rows are complete but for the partner. */
static alias_wide section_list_lights(section_state *s, uint64_t *count)
{
    levy_alias_row *const rows = s->alias->rows;
    alias_wide sum = 0;
    uint64_t listed = 0;
    alias_entry first = {0, 0, 0};
    const bool reclassified = s->excess < 0;
    if (reclassified) { /* the last heavy item is light by now, and served first */
        const uint32_t own = section_heavy(s, s->j)->index;
        const alias_wide lack = (alias_wide)-s->excess;
        levy_alias_row_set(&rows[own], alias_split_heavy(&s->alias->scale, lack), own, own);
        first = alias_entry_make(lack, own);
        sum = lack;
    }
    /* Entries are written one place late after it, so that a slot is read before it is overwritten
     * even if no light item was served. */
    alias_entry carried = first;
    bool carrying = reclassified;
    for (uint64_t i = s->i; i < s->lights; ++i) {
        const alias_entry light = s->slots[i];
        section_serve(s, light, light.index);
        sum += alias_entry_amount(light);
        const alias_entry entry = alias_entry_make(sum, light.index);
        s->slots[listed++] = carrying ? carried : entry;
        carried = entry;
    }
    if (carrying) s->slots[listed++] = carried;
    *count = listed;
    return sum;
}

static alias_wide section_list_heavies(section_state *s, uint64_t *count)
{
    alias_wide sum = 0;
    uint64_t listed = 0;
    if (s->excess > 0) {
        for (uint64_t j = s->j; j < s->heavies; ++j) {
            const alias_entry heavy = *section_heavy(s, j);
            sum += j == s->j ? (alias_wide)s->excess : alias_entry_amount(heavy);
            *section_heavy(s, listed++) = alias_entry_make(sum, heavy.index);
        }
    }
    *count = listed;
    return sum;
}

void levy_alias_section_list(levy_alias *alias, const levy_alias_weights *weights,
                             alias_lists *lists, uint64_t section, bool greedy)
{
    const uint64_t first = section * ALIAS_SECTION, left = lists->n_items - first;
    section_state s = {.alias = alias, .weights = weights, .slots = lists->entries + first};
    s.size = left < ALIAS_SECTION ? left : ALIAS_SECTION;
    section_classify(&s, first);
    if (s.heavies > 0) s.excess = (alias_signed)alias_entry_amount(*section_heavy(&s, 0));
    if (greedy && s.heavies > 0) section_match(&s);
    alias_section *const out = &lists->sections[section];
    if (s.heavies > 0 && s.excess == 0) { /* the last heavy item came out even */
        const uint32_t own = section_heavy(&s, s.j)->index;
        alias->rows[own] = (levy_alias_row){0.0, {own, own}};
    }
    out->excess = section_list_heavies(&s, &out->heavies);
    out->lack = section_list_lights(&s, &out->lights);
}
