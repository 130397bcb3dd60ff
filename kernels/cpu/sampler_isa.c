/* sampler_isa.c: draws of the stand-alone sampler on the CPU, compiled once per instruction set. A
 * tile goes through two loops. The first makes words and places by SIMD, and asks for the rows of a
 * large table. The second picks items from the rows, which are then on their way or there: its
 * loads depend on nothing that it computes, so as many are under way as the processor holds. Must
 * not know: threads, weights. */
#include "kernels/cpu/sampler_isa.h"

#include "kernels/points/philox.h"
#include "kernels/samplers/alias/sampler_draw.h"

#include <string.h>

#if !defined(LANE_SINGLE) /* one build: words have no precision */

enum {
    SAMPLER_REGISTERS = 4,                           /* whose rounds of Philox go side by side */
    SAMPLER_PART = LANE_LONG_BYTES / 8,              /* draws of a register */
    SAMPLER_STEP = SAMPLER_REGISTERS * SAMPLER_PART, /* draws made together */
    SAMPLER_TILE = 512,
    SAMPLER_NEAR = 1 << 14 /* rows that are in a near cache anyway */
};

/* Of each draw: its row above the 32 leading bits of the place, and in `below` the 32 next. */
typedef struct sampler_tile {
    uint64_t places[SAMPLER_TILE], below[SAMPLER_TILE];
} sampler_tile;

LANE_FN lane_long sampler_iota(void)
{
    lane_long x = lane_long_of(0);
    for (int i = 0; i < SAMPLER_PART; ++i) x[i] = (uint64_t)i;
    return x;
}

LANE_FN void sampler_words(uint64_t seed, uint64_t draw, uint32_t count, uint64_t *places,
                           uint64_t *below)
{
    const lane_long n = lane_long_of(count);
    lane_long c[SAMPLER_REGISTERS][4];
    LANE_UNROLL for (int p = 0; p < SAMPLER_REGISTERS; ++p)
    {
        const lane_long at = sampler_iota() + (draw + (uint64_t)(p * SAMPLER_PART));
        c[p][0] = at;
        c[p][1] = at >> 32;
        c[p][2] = c[p][3] = lane_long_of(0);
    }
    philox_rounds(seed, c, SAMPLER_REGISTERS);
    LANE_UNROLL for (int p = 0; p < SAMPLER_REGISTERS; ++p)
    {
        const lane_long low = lane_long_mul(c[p][1], n),
                        product = lane_long_mul(c[p][0], n) + (low >> 32);
        memcpy(places + p * SAMPLER_PART, &product, sizeof product);
        memcpy(below + p * SAMPLER_PART, &low, sizeof low);
    }
}

static uint32_t sampler_rare(const levy_sampler_tables *t, uint64_t place, uint64_t below)
{
    const sampler_place p = {(uint32_t)(place >> 32), (uint32_t)place, (uint32_t)below};
    const levy_sampler_row row = t->rows[p.row];
    return sampler_exact(row.split, row.other, p, t->thresholds[p.row], t->share);
}

static void sampler_pick(const levy_sampler_tables *t, const sampler_tile *tile, uint32_t count,
                         uint32_t *items)
{
    for (uint32_t k = 0; k < count; ++k) {
        const uint64_t place = tile->places[k];
        const levy_sampler_row row = t->rows[place >> 32];
        items[k] = sampler_item(row.split, row.other, (uint32_t)(place >> 32), (uint32_t)place);
        if (__builtin_expect(sampler_is_near(row.split, (uint32_t)place), 0))
            items[k] = sampler_rare(t, place, tile->below[k]);
    }
}

static void sampler_draw(const levy_sampler_tables *tables, uint64_t seed, uint64_t first,
                         size_t count, uint32_t *items)
{
    const int far = tables->count > SAMPLER_NEAR;
    sampler_tile tile;
    for (size_t at = 0; at < count; at += SAMPLER_TILE) {
        const uint32_t some = count - at < SAMPLER_TILE ? (uint32_t)(count - at) : SAMPLER_TILE;
        for (uint32_t k = 0; k < some; k += SAMPLER_STEP) {
            sampler_words(seed, first + at + k, (uint32_t)tables->count, tile.places + k,
                          tile.below + k);
            for (uint32_t i = k; far && i < k + SAMPLER_STEP; ++i)
                __builtin_prefetch(tables->rows + (tile.places[i] >> 32));
        }
        sampler_pick(tables, &tile, some, items + at);
    }
}

#define SAMPLER_JOIN_(a, b, c) a##b##c
#define SAMPLER_JOIN(a, b, c) SAMPLER_JOIN_(a, b, c)
#define SAMPLER_TEXT_(x) #x
#define SAMPLER_TEXT(x) SAMPLER_TEXT_(x)

extern const levy_sampler_isa SAMPLER_JOIN(levy_sampler_, LEVY_ISA_NAME, _words);
const levy_sampler_isa SAMPLER_JOIN(levy_sampler_, LEVY_ISA_NAME,
                                    _words) = {SAMPLER_TEXT(LEVY_ISA_NAME), sampler_draw};

#endif
