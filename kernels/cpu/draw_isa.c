/* draw_isa.c: arrays of deviates on the CPU, compiled once per instruction set and precision. Work
 * goes by tiles of neighbouring indices. A first pass gives every draw one cheap try; those left
 * are gathered into full registers and tried again, which the counter-based generator makes
 * possible without a bit changing: a draw's words follow from its index and its attempt. Laws that
 * take one word a draw share a block of four words between four draws of a tile.
 * Must not know: threads, who asks. */
#include "kernels/cpu/draw_isa.h"

#include "kernels/samplers/discrete/distributions.h"
#include "kernels/samplers/discrete/quantile.h"

#include <stdbool.h>
#include <string.h>

/* Each law has a function of its own: together their constants would not fit the registers. gcc 12
 * must not analyse these functions from outside: it may take one that stores lanes of one path for
 * one without effects. */
#if defined(__clang__)
#define DRAW_NOINLINE static __attribute__((noinline))
#else
#define DRAW_NOINLINE static __attribute__((noipa))
#endif

enum { DRAW_TILE = 512, DRAW_GROUP = 64 };

/* Indices [base, base + DRAW_TILE), base a multiple of DRAW_TILE. Offsets [from, to) are asked
 * for. */
typedef struct draw_tile {
    const levy_draw_job *job;
    uint64_t base;
    uint32_t from, to;
    const real *each[2]; /* [DRAW_TILE], or NULL */
    real *values;        /* [DRAW_TILE] */
} draw_tile;

LANE_FN lane draw_load(const real *at)
{
    lane a;
    memcpy(&a, at, sizeof a);
    return a;
}

LANE_FN void draw_store(real *at, lane a) { memcpy(at, &a, sizeof a); }

LANE_FN lane_word draw_words_at(const uint32_t *at)
{
    lane_word w;
    memcpy(&w, at, sizeof w);
    return w;
}

LANE_FN lane draw_parameter(const draw_tile *t, int which, uint32_t at)
{
    return t->each[which] ? draw_load(t->each[which] + at)
                          : lane_of((real)t->job->parameters[which]);
}

LANE_FN lane_word draw_iota(void)
{
    lane_word w = lane_word_of(0);
    for (int i = 0; i < LANES; ++i) w[i] = (uint32_t)i;
    return w;
}

/* The draws at offsets of the tile. The base's lower bits are zeros, so the sum never carries. */
LANE_FN discrete_source draw_source(const draw_tile *t, lane_word offsets)
{
    return (discrete_source){t->job->seed, lane_word_of(t->job->stream),
                             lane_word_of((uint32_t)t->base) + offsets,
                             lane_word_of((uint32_t)(t->base >> 32))};
}

/* ---- One word a draw ------------------------------------------------------------------------- */

LANE_FN lane draw_of_word(const draw_tile *t, levy_draw_law law, uint32_t at, lane_word u)
{
    const lane first = draw_parameter(t, 0, at), second = draw_parameter(t, 1, at);
    switch (law) {
    case LEVY_DRAW_EXPONENTIAL:
        return first * exponential_inverse(u);
    case LEVY_DRAW_NORMAL:
        return lane_fma(second, normal_from_word(u), first);
    case LEVY_DRAW_GAMMA:
        return second * gamma_inverse(first, u);
    case LEVY_DRAW_POISSON:
        return poisson_inverse(first, u);
    case LEVY_DRAW_NONCENTRAL:
        return noncentral_inverse(first, second, u);
    case LEVY_DRAW_GAMMA_TABLE:
    case LEVY_DRAW_INVERSE_GAUSSIAN:
        return lane_of((real)t->job->scale) * quantile_from_word(t->job->table, u);
    case LEVY_DRAW_BETA:
        return quantile_of_unit(t->job->table, u, (real)t->job->scale);
    case LEVY_DRAW_LAWS:
        break;
    }
    return first;
}

/* Turns words into draws, one word each. The words come from another loop: a generator's rounds and
 * a law's polynomial are two long chains, and a processor can look ahead over only one of them. */
LANE_FN void draw_through(const draw_tile *t, levy_draw_law law, const uint32_t *words)
{
    for (uint32_t at = t->from / LANES * LANES; at < t->to; at += LANES)
        draw_store(t->values + at, draw_of_word(t, law, at, draw_words_at(words + at)));
}

/* Takes the logarithms of two registers side by side; the tile's arrays hold whole pairs of
 * registers. */
DRAW_NOINLINE void draw_exponential(const draw_tile *t, const uint32_t *words)
{
#if defined(LANE_SINGLE)
    draw_through(t, LEVY_DRAW_EXPONENTIAL, words);
#else
    const real *const each = t->each[0];
    const lane mean = lane_of((real)t->job->parameters[0]);
    real *const values = t->values;
    for (uint32_t at = t->from / (2 * LANES) * (2 * LANES), to = t->to; at < to; at += 2 * LANES) {
        lane x[2];
        LANE_UNROLL for (uint32_t q = 0; q < 2; ++q) x[q] =
            discrete_above(draw_words_at(words + at + q * LANES));
        lane_log_two(x, x);
        LANE_UNROLL for (uint32_t q = 0; q < 2; ++q) draw_store(
            values + at + q * LANES, (each ? draw_load(each + at + q * LANES) : mean) * -x[q]);
    }
#endif
}
DRAW_NOINLINE void draw_normal(const draw_tile *t, const uint32_t *words)
{
    draw_through(t, LEVY_DRAW_NORMAL, words);
}
DRAW_NOINLINE void draw_inverse(const draw_tile *t, const uint32_t *words)
{
    draw_through(t, t->job->law, words);
}

/* Makes the words of two registers of Philox blocks, one of the even blocks and one of the odd, so
 * that their words k leave as one register: to words[k * stride] and on, block after block, for the
 * first `n` words. Counter words 2 and 3 of the blocks count up from `low`. */
enum { DRAW_PAIR = 2 * LANE_EACH_PART };
LANE_FN void draw_pair(uint64_t seed, uint32_t stream, uint32_t attempt, uint64_t low,
                       uint32_t *words, uint32_t stride, int n)
{
    lane_long even = lane_long_of(0), c[2][4];
    LANE_UNROLL for (int i = 0; i < LANE_EACH_PART; ++i) even[i] = 2 * (uint32_t)i;
    LANE_UNROLL for (uint32_t q = 0; q < 2; ++q)
    {
        c[q][0] = lane_long_of(attempt);
        c[q][1] = lane_long_of(stream);
        c[q][2] = even + (uint64_t)((uint32_t)low + q);
        c[q][3] = lane_long_of(low >> 32);
    }
    philox_rounds(seed, c, 2);
    LANE_UNROLL for (int k = 0; k < n; ++k)
    {
        const lane_long both = (c[0][k] & 0xffffffffu) | c[1][k] << 32;
        memcpy(words + (uint32_t)k * stride, &both, sizeof both);
    }
}

/* Draw i of the stream takes word (i mod 64) / 16 of block 16 (i / 64) + i mod 16. `attempt` is
 * part of the blocks' counter. */
DRAW_NOINLINE void draw_make_words(const draw_tile *t, uint32_t attempt, uint32_t *words)
{
    enum { BLOCKS = DRAW_GROUP / 4 };
    const uint64_t seed = t->job->seed, base = t->base;
    const uint32_t stream = t->job->stream, to = t->to;
    for (uint32_t group = t->from / DRAW_GROUP * DRAW_GROUP; group < to; group += DRAW_GROUP)
        for (uint32_t i = 0; i < BLOCKS; i += DRAW_PAIR)
            draw_pair(seed, stream, attempt, (base + group) / 4 + i, words + group + i, BLOCKS, 4);
}

/* ---- Rejection ------------------------------------------------------------------------------- */

typedef struct draw_left {
    uint32_t count, offsets[DRAW_TILE + 64 / sizeof(real)];
} draw_left;

/* Adds to `left` those draws from `at` on that are open. */
LANE_FN void draw_leave_from(draw_left *left, lane_mask open, uint32_t at)
{
    left->count += lane_word_keep(left->offsets + left->count, lane_bitmask(open),
                                  lane_word_of(at) + draw_iota());
}

/* Fills the last register with a repeated draw: it is computed twice, with the same result. */
LANE_FN void draw_pad(draw_left *left)
{
    for (uint32_t i = 0; i < LANES; ++i) left->offsets[left->count + i] = left->offsets[0];
}

LANE_FN lane draw_gather(const real *values, const uint32_t *offsets)
{
    lane a = lane_of(R(0.0));
    for (int i = 0; i < LANES; ++i) a[i] = values[offsets[i]];
    return a;
}

LANE_FN lane_word draw_gather_words(const uint32_t *words, const uint32_t *offsets)
{
    lane_word w = lane_word_of(0);
    for (int i = 0; i < LANES; ++i) w[i] = words[offsets[i]];
    return w;
}

LANE_FN lane draw_gathered(const draw_tile *t, int which, const uint32_t *offsets)
{
    return t->each[which] ? draw_gather(t->each[which], offsets)
                          : lane_of((real)t->job->parameters[which]);
}

LANE_FN void draw_scatter(real *values, const uint32_t *offsets, lane a)
{
    for (int i = 0; i < LANES; ++i) values[offsets[i]] = lane_get(a, i);
}

/* The first three words of every draw's first attempt. */
DRAW_NOINLINE void draw_make_three(const draw_tile *t, uint32_t words[3][DRAW_TILE])
{
    const uint64_t seed = t->job->seed, base = t->base;
    const uint32_t stream = t->job->stream, to = t->to;
    for (uint32_t at = t->from / DRAW_PAIR * DRAW_PAIR; at < to; at += DRAW_PAIR)
        draw_pair(seed, stream, 0, base + at, &words[0][at], DRAW_TILE, 3);
}

/* Stores the values of the first `count` lanes. Those not taken are left once more, at the front of
 * the list that is being read; a later attempt replaces their values. */
LANE_FN void draw_settle(const draw_tile *t, draw_left *left, lane_mask taken, lane value,
                         const uint32_t *offsets, uint32_t count)
{
    const uint32_t n = count < LANES ? count : LANES;
    for (uint32_t i = 0; i < n; ++i) t->values[offsets[i]] = lane_get(value, (int)i);
    left->count += lane_word_keep(left->offsets + left->count,
                                  ~lane_bitmask(taken) & ((1u << n) - 1), draw_words_at(offsets));
}

/* The first attempts of a tile: their words, and the normals of their first words. */
typedef struct draw_attempts {
    uint32_t words[3][DRAW_TILE] __attribute__((aligned(64)));
    real normals[DRAW_TILE] __attribute__((aligned(64)));
} draw_attempts;

DRAW_NOINLINE void draw_make_normals(const draw_tile *t, draw_attempts *first)
{
    for (uint32_t at = t->from / LANES * LANES, to = t->to; at < to; at += LANES)
        draw_store(first->normals + at, normal_from_word(draw_words_at(&first->words[0][at])));
}

/* Finishes the draws that the first acceptance test rejected: each attempt retries those that the
 * attempt before rejected. */
DRAW_NOINLINE void draw_gamma_left(const draw_tile *t, draw_left *left, gamma_law law,
                                   const draw_attempts *first)
{
    for (uint32_t attempt = 0; left->count > 0; ++attempt) {
        draw_pad(left);
        const uint32_t count = left->count;
        left->count = 0;
        for (uint32_t k = 0; k < count; k += LANES) {
            lane_mask taken;
            lane x;
            lane_word accept, factor;
            uint32_t offsets[LANES];
            memcpy(offsets, left->offsets + k, sizeof offsets);
            if (attempt == 0) {
                x = draw_gather(first->normals, offsets);
                accept = draw_gather_words(first->words[1], offsets);
                factor = draw_gather_words(first->words[2], offsets);
            } else {
                const discrete_source source = draw_source(t, draw_words_at(offsets));
                const philox_words w = discrete_words(&source, attempt);
                x = normal_from_word(w.w[0]);
                accept = w.w[1];
                factor = w.w[2];
            }
            if (t->each[0]) law = gamma_law_of(draw_gathered(t, 0, offsets));
            const lane value =
                draw_gathered(t, 1, offsets) * gamma_whole(&law, x, accept, factor, &taken);
            draw_settle(t, left, taken, value, offsets, count - k);
        }
    }
}

DRAW_NOINLINE void draw_gamma(const draw_tile *t)
{
    draw_attempts first;
    draw_left left;
    left.count = left.offsets[0] = 0;
    gamma_law law = gamma_law_of(draw_parameter(t, 0, 0));
    draw_make_three(t, first.words);
    draw_make_normals(t, &first);
    for (uint32_t at = t->from / LANES * LANES; at < t->to; at += LANES) {
        lane_mask taken;
        if (t->each[0]) law = gamma_law_of(draw_parameter(t, 0, at));
        const lane made =
            gamma_inner(&law, draw_load(first.normals + at), draw_words_at(&first.words[1][at]),
                        draw_words_at(&first.words[2][at]), &taken);
        draw_store(t->values + at, draw_parameter(t, 1, at) * made);
        draw_leave_from(&left, lane_not(taken), at);
    }
    draw_gamma_left(t, &left, law, &first);
}

/* Each attempt retries the draws that the attempt before rejected. */
LANE_FN void draw_envelope(const draw_tile *t, draw_left *left, poisson_law law)
{
    for (uint32_t attempt = 1; left->count > 0; ++attempt) {
        draw_pad(left);
        const uint32_t count = left->count;
        left->count = 0;
        for (uint32_t k = 0; k < count; k += LANES) {
            lane_mask taken;
            uint32_t offsets[LANES];
            memcpy(offsets, left->offsets + k, sizeof offsets);
            const discrete_source source = draw_source(t, draw_words_at(offsets));
            const lane n = poisson_try(&law, &source, attempt, &taken);
            draw_settle(t, left, taken, n, offsets, count - k);
        }
    }
}

/* Poisson draws of one small mean: one pass finishes all. A tile is a whole number of groups, and
 * the words of whole groups exist. */
DRAW_NOINLINE void draw_poisson_few(const draw_tile *t, const uint32_t *words)
{
    enum { GROUP = POISSON_TOGETHER * LANES };
    const lane lambda = draw_parameter(t, 0, 0);
    const poisson_partial start = poisson_partial_of(lambda);
    for (uint32_t at = t->from / GROUP * GROUP; at < t->to; at += GROUP) {
        lane_word group[POISSON_TOGETHER];
        poisson_tally tally[POISSON_TOGETHER];
        LANE_UNROLL for (uint32_t i = 0; i < POISSON_TOGETHER; ++i) group[i] =
            draw_words_at(words + at + i * LANES);
        poisson_search_together(lambda, start, group, tally);
        LANE_UNROLL for (uint32_t i = 0; i < POISSON_TOGETHER; ++i)
            draw_store(t->values + at + i * LANES, poisson_tally_real(tally[i]));
    }
}

/* `words`: the draws' shared words, if each draw has its own mean; NULL: they have one mean, which
 * is not small. */
DRAW_NOINLINE void draw_poisson(const draw_tile *t, const uint32_t *words)
{
    draw_left left;
    left.count = left.offsets[0] = 0;
    const lane_word iota = draw_iota();
    poisson_law law = poisson_law_of(draw_parameter(t, 0, 0));
    for (uint32_t at = t->from / LANES * LANES; at < t->to; at += LANES) {
        lane_mask taken;
        const discrete_source source = draw_source(t, lane_word_of(at) + iota);
        if (words) law = poisson_law_of(draw_parameter(t, 0, at));
        draw_store(t->values + at,
                   poisson_first(&law, &source, words ? draw_words_at(words + at) : iota, &taken));
        draw_leave_from(&left, lane_not(taken), at);
    }
    if (!words) {
        draw_envelope(t, &left, law);
        return;
    }
    draw_pad(&left);
    for (uint32_t k = 0; k < left.count; k += LANES) {
        const uint32_t *const offsets = left.offsets + k;
        const discrete_source source = draw_source(t, draw_words_at(offsets));
        law = poisson_law_of(draw_gathered(t, 0, offsets));
        draw_scatter(t->values, offsets, poisson_draw(&law, &source));
    }
}

DRAW_NOINLINE void draw_noncentral(const draw_tile *t)
{
    const lane_word iota = draw_iota();
    for (uint32_t at = t->from / LANES * LANES; at < t->to; at += LANES) {
        const discrete_source source = draw_source(t, lane_word_of(at) + iota);
        const noncentral_law law =
            noncentral_law_of(draw_parameter(t, 0, at), draw_parameter(t, 1, at));
        draw_store(t->values + at, noncentral_draw(&law, &source));
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

/* `words`: room for a tile's words. */
static void draw_pseudo(const draw_tile *t, uint32_t *words)
{
    const bool few = t->job->law == LEVY_DRAW_POISSON && !t->each[0] &&
                     (real)t->job->parameters[0] <= R(POISSON_FEW);
    if (t->job->law == LEVY_DRAW_EXPONENTIAL || t->job->law == LEVY_DRAW_NORMAL || t->job->table)
        draw_make_words(t, 0, words);
    if (few || (t->job->law == LEVY_DRAW_POISSON && t->each[0]))
        draw_make_words(t, DISCRETE_SHARED, words);
    switch (t->job->law) {
    case LEVY_DRAW_EXPONENTIAL:
        draw_exponential(t, words);
        break;
    case LEVY_DRAW_NORMAL:
        draw_normal(t, words);
        break;
    case LEVY_DRAW_GAMMA:
        draw_gamma(t);
        break;
    case LEVY_DRAW_POISSON:
        if (few)
            draw_poisson_few(t, words);
        else
            draw_poisson(t, t->each[0] ? words : NULL);
        break;
    case LEVY_DRAW_NONCENTRAL:
        draw_noncentral(t);
        break;
    case LEVY_DRAW_GAMMA_TABLE:
    case LEVY_DRAW_BETA:
    case LEVY_DRAW_INVERSE_GAUSSIAN:
        draw_inverse(t, words);
        break;
    case LEVY_DRAW_LAWS:
        break;
    }
}

static void draw_put(const levy_draw_job *job, size_t at, const real *values, size_t count)
{
    if (job->law != LEVY_DRAW_POISSON) {
        memcpy((real *)job->output + at, values, count * sizeof(real));
        return;
    }
    uint32_t *const counts = (uint32_t *)job->output + at;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const lane_int whole = __builtin_convertvector(draw_load(values + i), lane_int);
        memcpy(counts + i, &whole, sizeof whole);
    }
    for (; i < count; ++i) counts[i] = (uint32_t)values[i];
}

/* Parameters of the draws that are asked for. The other lanes get those of the first draw, which
 * are valid. */
static const real *draw_each(const levy_draw_job *job, int which, const draw_tile *t, size_t at,
                             real *buffer)
{
    const real *const each = job->each[which];
    if (!each) return NULL;
    for (uint32_t i = 0; i < DRAW_TILE; ++i)
        buffer[i] = each[i >= t->from && i < t->to ? at + i - t->from : at];
    return buffer;
}

static void draw_fill(const levy_draw_job *job, size_t from, size_t to)
{
    real values[DRAW_TILE] __attribute__((aligned(64))),
        parameters[2][DRAW_TILE] __attribute__((aligned(64)));
    uint32_t words[DRAW_TILE] __attribute__((aligned(64)));
    for (size_t at = from; at < to;) {
        const uint64_t index = job->words ? 0 : job->first + at;
        draw_tile t = {.job = job,
                       .base = index & ~(uint64_t)(DRAW_TILE - 1),
                       .from = (uint32_t)(index & (DRAW_TILE - 1)),
                       .values = values};
        const size_t room = DRAW_TILE - t.from, count = to - at < room ? to - at : room;
        t.to = t.from + (uint32_t)count;
        for (int which = 0; which < 2; ++which)
            t.each[which] = draw_each(job, which, &t, at, parameters[which]);
        if (job->words) {
            memset(words, 0, sizeof words);
            memcpy(words, job->words + at, count * sizeof *words);
            draw_inverse(&t, words);
        } else {
            if (count == DRAW_TILE && job->law != LEVY_DRAW_POISSON)
                t.values = (real *)job->output + at;
            draw_pseudo(&t, words);
        }
        if (t.values == values) draw_put(job, at, values + t.from, count);
        at += count;
    }
}

#define DRAW_JOIN_(a, b, c) a##b##c
#define DRAW_JOIN(a, b, c) DRAW_JOIN_(a, b, c)
#define DRAW_TEXT_(x) #x
#define DRAW_TEXT(x) DRAW_TEXT_(x)

extern const levy_draw_isa DRAW_JOIN(levy_draw_, LEVY_ISA_NAME, LANE_PICK(_double, _single));
const levy_draw_isa DRAW_JOIN(levy_draw_, LEVY_ISA_NAME, LANE_PICK(_double, _single)) = {
    DRAW_TEXT(LEVY_ISA_NAME), LANES, draw_fill};
