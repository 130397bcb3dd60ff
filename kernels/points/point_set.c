/* point_set.c: see point_set.h. */
#define LANE_SCALAR
#include "kernels/points/point_set.h"

#include "engine/base/hash.h"
#include "kernels/points/philox.h"
#include "kernels/points/sobol_tables.h"

static const uint32_t set_vector[LEVY_SET_DIMENSIONS] = {
#include "kernels/points/lattice_vector.inc"
};
const levy_point_set levy_set_lattice = {.kind = LEVY_SET_LATTICE,
                                         .n_dimensions = LEVY_SET_DIMENSIONS,
                                         .n_points = (uint64_t)1 << 32,
                                         .words = set_vector,
                                         .hash = 1};
const levy_point_set levy_set_halton = {.kind = LEVY_SET_HALTON,
                                        .n_dimensions = LEVY_SET_DIMENSIONS,
                                        .n_points = (uint64_t)1 << 32,
                                        .hash = 2};

void levy_set_seal(levy_point_set *set, size_t n_words)
{
    const uint64_t sizes[] = {(uint64_t)set->kind, set->n_dimensions, set->n_replicates,
                              set->n_points};
    set->hash = XXH3_64bits_withSeed(set->words, n_words * sizeof *set->words,
                                     XXH3_64bits(sizes, sizeof sizes));
}

/* The shift that a replicate adds to all words of a dimension, modulo 1. */
static uint32_t set_shift(const levy_set_call *c, uint32_t dimension)
{
    uint32_t unused[32] = {0}, shift = 0;
    if (c->randomised)
        levy_sobol_randomise(LEVY_SCRAMBLING_SHIFT, c->key, dimension, unused, &shift);
    return shift;
}

/* ---- Lattices ---- */

static uint32_t set_reverse(uint32_t x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}

/* The last row holds phi_2(k) 2^32 until its turn. */
static void set_lattice(const levy_point_set *set, const levy_set_call *c)
{
    uint32_t *const inverse = c->words + (size_t)(c->n_dimensions - 1) * c->stride;
    for (size_t i = 0; i < c->n; ++i) inverse[i] = set_reverse((uint32_t)(c->first + i));
    for (uint32_t d = 0; d < c->n_dimensions; ++d) {
        uint32_t *const row = c->words + (size_t)d * c->stride;
        const uint32_t z = set->words[d], shift = set_shift(c, d);
        for (size_t i = 0; i < c->n; ++i) row[i] = inverse[i] * z + shift;
    }
}

/* ---- Halton's points ---- */

enum {
    HALTON_DIGITS = 32,    /* of base 2; other bases need fewer for 32 bits */
    HALTON_VALUES = 24576, /* digits times base, at most: 3 * 8161 */
    HALTON_LOW = 16384
};

/* Radical inverses of one dimension, in units of 2^-64: a digit's value under its permutation, and
 * the sums over the values of the lowest digits. */
typedef struct set_halton {
    uint32_t base, digits, low_digits, low_size;
    uint64_t values[HALTON_VALUES]; /* [digit][0 .. base - 1] */
    uint64_t low[HALTON_LOW];
} set_halton;

static uint32_t halton_next_prime(uint32_t after)
{
    for (uint32_t p = after + 1;; ++p) {
        uint32_t f = 2;
        while (f * f <= p && p % f != 0) ++f;
        if (f * f > p && p > 1) return p;
    }
}

/* A random permutation of 0 .. base - 1 for a digit (R. Durstenfeld, Comm. ACM 7, 1964). */
static void halton_permute(uint64_t key, uint32_t dimension, uint32_t digit, uint32_t base,
                           uint64_t *values)
{
    philox_words w = {0};
    for (uint32_t i = base - 1, drawn = 0; i > 0; --i, ++drawn) {
        if (drawn % 4 == 0)
            w = philox_draw(key, lane_word_of(drawn / 4), lane_word_of(digit + 1),
                            lane_word_of(dimension), lane_word_of(0));
        const uint32_t j = (uint32_t)((uint64_t)w.w[drawn % 4][0] * (i + 1) >> 32);
        const uint64_t value = values[i];
        values[i] = values[j];
        values[j] = value;
    }
}

static void halton_start(const levy_set_call *c, uint32_t dimension, uint32_t base, set_halton *h)
{
    __extension__ typedef unsigned __int128 wide;
    uint64_t power = 1;
    h->base = base;
    h->low_size = 1;
    h->low_digits = h->digits = 0;
    h->low[0] = 0;
    for (; power < (uint64_t)1 << 32; ++h->digits) {
        uint64_t *const values = h->values + h->digits * base;
        power *= base;
        const uint64_t unit = (uint64_t)(((wide)1 << 64) / power);
        for (uint32_t a = 0; a < base; ++a) values[a] = a * unit;
        if (c->randomised) halton_permute(c->key, dimension, h->digits, base, values);
        if (h->low_digits != h->digits || power > HALTON_LOW || (h->digits && power > c->n))
            continue;
        for (uint32_t a = base; a-- > 0;)
            for (uint32_t i = 0; i < h->low_size; ++i)
                h->low[a * h->low_size + i] = h->low[i] + values[a];
        h->low_size *= base;
        h->low_digits++;
    }
}

static void halton_row(const levy_set_call *c, const set_halton *h, uint32_t *row)
{
    for (size_t i = 0; i < c->n;) {
        const uint64_t k = c->first + i;
        const uint32_t from = (uint32_t)(k % h->low_size);
        const size_t run = c->n - i < h->low_size - from ? c->n - i : h->low_size - from;
        uint64_t left = k / h->low_size, high = 0;
        for (uint32_t j = h->low_digits; j < h->digits; ++j, left /= h->base)
            high += h->values[j * h->base + left % h->base];
        for (size_t e = 0; e < run; ++e) row[i + e] = (uint32_t)((h->low[from + e] + high) >> 32);
        i += run;
    }
}

static levy_status set_halton_words(const levy_memory *memory, const levy_set_call *c)
{
    set_halton *const h = levy_memory_allocate(memory, 1, sizeof *h);
    if (!h) return LEVY_MEMORY;
    for (uint32_t d = 0, base = 1; d < c->n_dimensions; ++d) {
        base = halton_next_prime(base);
        halton_start(c, d, base, h);
        halton_row(c, h, c->words + (size_t)d * c->stride);
    }
    levy_memory_release(memory, h);
    return LEVY_OK;
}

/* ---- All ---- */

static void set_file(const levy_point_set *set, const levy_set_call *c)
{
    const size_t own = set->n_replicates ? (size_t)c->replicate * set->n_dimensions : 0;
    for (uint32_t d = 0; d < c->n_dimensions; ++d) {
        const uint32_t *const from = set->words + (own + d) * (size_t)set->n_points + c->first;
        const uint32_t shift = set->n_replicates ? 0 : set_shift(c, d);
        uint32_t *const row = c->words + (size_t)d * c->stride;
        for (size_t i = 0; i < c->n; ++i) row[i] = from[i] + shift;
    }
}

levy_status levy_set_words(const levy_point_set *set, const levy_memory *memory,
                           const levy_set_call *call)
{
    if (set->kind == LEVY_SET_HALTON) return set_halton_words(memory, call);
    if (set->kind == LEVY_SET_LATTICE)
        set_lattice(set, call);
    else
        set_file(set, call);
    return LEVY_OK;
}
