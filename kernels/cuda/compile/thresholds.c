/* thresholds.c: see thresholds.h. */
#include "kernels/cuda/compile/thresholds.h"

/* (level - (logarithm of asset's return + weight)) * inverse, in one register. */
static bool threshold_read(const levy_script_program *p, const levy_script_step *s,
                           levy_threshold *t)
{
    const uint32_t number = s[0].a & ~(uint32_t)LEVY_SCRIPT_AT;
    if (s[0].op != LEVY_SCRIPT_ADD || s[1].op != LEVY_SCRIPT_SUBTRACT ||
        s[2].op != LEVY_SCRIPT_MULTIPLY || s[1].to != s[0].to || s[2].to != s[0].to ||
        s[1].b != s[0].to || s[2].a != s[0].to || s[0].to < p->n_states)
        return false;
    if ((s[0].a & LEVY_SCRIPT_AT) != LEVY_SCRIPT_AT_LEVEL || number < p->n_assets ||
        !levy_script_is_number(s[0].b) || !levy_script_is_number(s[1].a) ||
        !levy_script_is_number(s[2].b))
        return false;
    *t = (levy_threshold){
        .asset = number - p->n_assets, .level = s[1].a, .weight = s[0].b, .inverse = s[2].b};
    return true;
}

static uint32_t threshold_aligned(uint32_t n) { return (n + 3) / 4 * 4; }

/* A threshold of the same asset has its row already; `first` is the block's first one. */
static void threshold_place(levy_thresholds *all, uint32_t first, uint32_t n_factors,
                            levy_threshold *t)
{
    uint32_t sums = 0;
    t->number = all->numbers++;
    for (uint32_t k = first; k < all->n; ++k) {
        const levy_threshold *const other = &all->of[k];
        if (other->sum >= sums) sums = other->sum + 1;
        if (other->asset != t->asset || other->inverse != t->inverse) continue;
        t->sum = other->sum;
        t->row = other->row;
        return;
    }
    t->sum = sums;
    t->row = all->rows;
    all->rows += n_factors;
    if (sums + 1 > all->sums) all->sums = sums + 1;
}

levy_thresholds levy_thresholds_of(const levy_script_program *p, uint32_t n_factors)
{
    levy_thresholds all = {.n = 0};
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
        const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
        const uint32_t first = all.n;
        levy_threshold t;
        for (uint32_t k = 0; k + LEVY_THRESHOLD_STEPS <= block->n_before; ++k) {
            if (!threshold_read(p, &steps[k], &t)) continue;
            if (all.n == LEVY_THRESHOLDS) return (levy_thresholds){.n = 0};
            t.block = b;
            threshold_place(&all, first, n_factors, &t);
            all.of[all.n++] = t;
            k += LEVY_THRESHOLD_STEPS - 1;
        }
        all.numbers = threshold_aligned(all.numbers);
        all.rows = threshold_aligned(all.rows);
    }
    return all;
}

const levy_threshold *levy_thresholds_find(const levy_thresholds *all, uint32_t b,
                                           const levy_script_program *p,
                                           const levy_script_step *step, uint32_t n)
{
    levy_threshold t;
    if (n < LEVY_THRESHOLD_STEPS || !threshold_read(p, step, &t)) return NULL;
    for (uint32_t k = 0; k < all->n; ++k) {
        const levy_threshold *const other = &all->of[k];
        if (other->block == b && other->asset == t.asset && other->level == t.level &&
            other->weight == t.weight && other->inverse == t.inverse)
            return other;
    }
    return NULL;
}
