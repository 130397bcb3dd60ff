/* alias_sequential.c: the two sequential constructions. Both hand light rows to the current heavy
 * item until its excess is used up; its own row is then filled from the next heavy item. They
 * differ in the order: two stacks (Vose), or two pointers that sweep over the weights and need no
 * memory (Huebschle-Schneider and Sanders). */
#include "kernels/samplers/alias/alias_build.h"

void levy_alias_row_set(levy_alias_row *row, alias_split split, uint32_t own, uint32_t other)
{
    row->threshold = split.threshold;
    row->item[!split.own_first] = own;
    row->item[split.own_first] = other;
}

/* The row of a light item that rounding left without a heavy one: it is its own partner. */
static void row_alone(levy_alias *alias, const levy_alias_weights *weights, uint64_t i)
{
    const double w = levy_alias_weight_at(weights, i);
    const alias_wide lack = alias_one(&alias->scale) - alias_quantise(&alias->scale, w);
    levy_alias_row_set(&alias->rows[i], alias_split_light(&alias->scale, w, lack), (uint32_t)i,
                       (uint32_t)i);
}

static void row_whole(levy_alias_row *rows, uint64_t i)
{
    rows[i] = (levy_alias_row){0.0, {(uint32_t)i, (uint32_t)i}};
}

/* The list of indices: light items from the front, heavy ones from the end. Items of exactly one
 * share are finished here. */
static void vose_list(levy_alias *alias, const levy_alias_weights *weights, uint32_t *list,
                      uint64_t *lights, uint64_t *heavies)
{
    const alias_scale scale = alias->scale;
    const alias_wide one = alias_one(&scale);
    uint64_t light = 0, heavy = weights->count;
    for (uint64_t i = 0; i < weights->count; ++i) {
        const alias_wide q = alias_quantise(&scale, levy_alias_weight_at(weights, i));
        if (q < one)
            list[light++] = (uint32_t)i;
        else if (q > one)
            list[--heavy] = (uint32_t)i;
        else
            row_whole(alias->rows, i);
    }
    *lights = light;
    *heavies = weights->count - heavy;
}

levy_status levy_alias_build_vose(levy_alias *alias, const levy_alias_weights *weights)
{
    uint32_t *const list = levy_alias_scratch(alias, weights->count * sizeof *list);
    if (!list) return LEVY_MEMORY;
    const alias_scale scale = alias->scale;
    const alias_wide one = alias_one(&scale);
    levy_alias_row *const rows = alias->rows;
    uint64_t lights, heavies;
    vose_list(alias, weights, list, &lights, &heavies);
    uint32_t *const heavy = list + (weights->count - heavies);
    uint64_t h = 0;
    alias_signed excess =
        h < heavies
            ? (alias_signed)(alias_quantise(&scale, levy_alias_weight_at(weights, heavy[0])) - one)
            : 0;
    while (h < heavies && (lights > 0 || excess <= 0)) {
        if (excess > 0) {
            const uint32_t l = list[--lights];
            const double w = levy_alias_weight_at(weights, l);
            const alias_wide lack = one - alias_quantise(&scale, w);
            levy_alias_row_set(&rows[l], alias_split_light(&scale, w, lack), l, heavy[h]);
            excess -= (alias_signed)lack;
        } else { /* the item is light by now, and the next heavy item serves it first */
            const uint32_t next = h + 1 < heavies ? heavy[h + 1] : heavy[h];
            levy_alias_row_set(&rows[heavy[h]], alias_split_heavy(&scale, (alias_wide)-excess),
                               heavy[h], next);
            if (++h < heavies)
                excess +=
                    (alias_signed)(alias_quantise(&scale, levy_alias_weight_at(weights, heavy[h])) -
                                   one);
        }
    }
    /* the remainder from rounding, less than 1e-12 of a row in total */
    for (; h < heavies; ++h) row_whole(rows, heavy[h]);
    while (lights > 0) row_alone(alias, weights, list[--lights]);
    return LEVY_OK;
}

/* The next item from `i` on that is heavy, or with `heavy` false one that is not. *q is its
 * integer. */
static uint64_t sweep_next(const levy_alias *alias, const levy_alias_weights *weights, uint64_t i,
                           bool heavy, alias_wide *q)
{
    const alias_wide one = alias_one(&alias->scale);
    for (; i < weights->count; ++i) {
        *q = alias_quantise(&alias->scale, levy_alias_weight_at(weights, i));
        if ((*q > one) == heavy) break;
    }
    return i;
}

levy_status levy_alias_build_sweep(levy_alias *alias, const levy_alias_weights *weights)
{
    const alias_scale scale = alias->scale;
    const alias_wide one = alias_one(&scale);
    const uint64_t n = weights->count;
    levy_alias_row *const rows = alias->rows;
    alias_wide q_light = one, q_heavy = one;
    uint64_t i = sweep_next(alias, weights, 0, false, &q_light),
             j = sweep_next(alias, weights, 0, true, &q_heavy);
    alias_signed excess = (alias_signed)(q_heavy - one);
    while (j < n && (i < n || excess <= 0)) {
        if (excess > 0) {
            const alias_split split =
                alias_split_light(&scale, levy_alias_weight_at(weights, i), one - q_light);
            levy_alias_row_set(&rows[i], split, (uint32_t)i,
                               q_light == one ? (uint32_t)i : (uint32_t)j);
            excess -= (alias_signed)(one - q_light);
            i = sweep_next(alias, weights, i + 1, false, &q_light);
        } else {
            const uint64_t next = sweep_next(alias, weights, j + 1, true, &q_heavy);
            const alias_split split = alias_split_heavy(&scale, (alias_wide)-excess);
            levy_alias_row_set(&rows[j], split, (uint32_t)j, (uint32_t)(next < n ? next : j));
            excess += (alias_signed)(q_heavy - one);
            j = next;
        }
    }
    while (j < n) {
        row_whole(rows, j);
        j = sweep_next(alias, weights, j + 1, true, &q_heavy);
    }
    while (i < n) {
        row_alone(alias, weights, i);
        i = sweep_next(alias, weights, i + 1, false, &q_light);
    }
    return LEVY_OK;
}
