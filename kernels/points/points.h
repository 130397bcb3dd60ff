/* points.h: the words of a path, draw = f(key, path, draw), whatever device or order asks. Sobol draws are named by their
 * place in the walk (`used`), pseudo draws by their place in time (`timed`). Must not know: what a draw is for. */
#ifndef LEVY_POINTS_POINTS_H
#define LEVY_POINTS_POINTS_H

#include "kernels/points/philox.h"
#include "kernels/points/sobol.h"

enum { POINTS_SOBOL, POINTS_PHILOX };

typedef struct points_state {
    sobol_state sobol;
    uint64_t key;
    lane_word path_low, path_high; /* the path index inside its replicate */
    uint32_t cached;               /* draw / 4 of the words kept, or all ones */
    philox_words words;
} points_state;

LANE_FN lane_word points_philox(points_state *p, uint32_t draw)
{
    if (draw >> 2 != p->cached) {
        p->cached = draw >> 2;
        p->words = philox_draw(p->key, lane_word_of(draw >> 2), lane_word_of(0), p->path_low, p->path_high);
    }
    const uint32_t w = draw & 3;
    return w == 0 ? p->words.w[0] : w == 1 ? p->words.w[1] : w == 2 ? p->words.w[2] : p->words.w[3];
}

#endif
