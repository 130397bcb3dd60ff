/* draw.h: the random words of one draw from a distribution: four words are a pure function of (key,
 * stream, index, attempt), by Philox with the attempt in the counter. A rejection therefore affects
 * only its own draw, and a lane's words do not depend on the attempts of its neighbours. Must not
 * know: distributions. */
#ifndef LEVY_DISCRETE_DRAW_H
#define LEVY_DISCRETE_DRAW_H

#include "kernels/lane/target.h"
#include "kernels/lane/normal.h"
#include "kernels/points/philox.h"

/* stands in the attempt's place in blocks whose words belong to four draws */
#define DISCRETE_SHARED 0x80000000u

typedef struct discrete_source {
    uint64_t key;
    lane_word stream, low, high; /* low and high: the index of the draw, in two words */
} discrete_source;

LANE_FN philox_words discrete_words(const discrete_source *s, uint32_t attempt)
{
    return philox_draw(s->key, lane_word_of(attempt), s->stream, s->low, s->high);
}

/* The word of a draw that takes only one. Four draws share a block: draw i has word (i mod 64) / 16
 * of block 16 (i / 64) + i mod 16, so that neighbouring draws come from neighbouring blocks. */
LANE_FN lane_word discrete_shared_word(const discrete_source *s)
{
    const lane_word low = ((s->high << 30u | s->low >> 2u) & 0xfffffff0u) | (s->low & 15u);
    const philox_words w =
        philox_draw(s->key, lane_word_of(DISCRETE_SHARED), s->stream, low, s->high >> 2u);
    const lane_word k = (s->low >> 4u) & 3u, odd = lane_word_of(0) - (k & 1u),
                    upper = lane_word_of(0) - (k >> 1u);
    const lane_word first = w.w[0] ^ ((w.w[0] ^ w.w[1]) & odd),
                    second = w.w[2] ^ ((w.w[2] ^ w.w[3]) & odd);
    return first ^ ((first ^ second) & upper);
}

/* 1 - U for the U of word u. It is never 0, and tails are resolved as finely as the word is. */
#if LANE_GPU || defined(LANE_SINGLE)
LANE_FN lane discrete_above(lane_word u) { return lane_uniform_from_word(u ^ 0xffffffffu); }
/* The word is inverted inside the double that exact.h makes of its bits. This saves a step, which
 * gcc 12 would also make wait for the iteration before. */
#else
LANE_FN lane discrete_above(lane_word u)
{
    return lane_from_bits(lane_bits_from_word(u) ^ 0x41300000ffffffffLL) - R(0x1.fffffffffffffp19);
}
#endif

/* min(U, 1 - U), exact where it is small. */
LANE_FN lane discrete_tail(lane_word u) { return lane_uniform_from_word(lane_word_fold(u)); }

/* x, with its sign turned over where U < 1/2. */
LANE_FN lane discrete_signed(lane x, lane_word u)
{
    const real_bits sign = LANE_PICK(0x80000000LL, (-2147483647 - 1));
    const lane_bits top = (lane_bits_from_word(u ^ 0x80000000u) & sign) << LANE_PICK(32, 0);
    return lane_from_bits(lane_as_bits(x) ^ top);
}

LANE_FN lane discrete_nearest(lane x)
{
    return (x + LANE_PICK(0x1.8p52, 0x1.8p23f)) - LANE_PICK(0x1.8p52, 0x1.8p23f);
}

/* The floor of x, for |x| < 2^51 (2^22 in single). */
LANE_FN lane discrete_floor(lane x)
{
    const lane n = discrete_nearest(x);
    return lane_select(n > x, n - R(1.0), n);
}

#endif
