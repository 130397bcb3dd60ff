/* points.h: the words of a path: draw = f(key, path, draw), independent of device and order. A
 * Sobol draw is identified by its place in the build order (`used`), a pseudo-random draw by its
 * place in time (`timed`). Must not know: what a draw is for. */
#ifndef LEVY_POINTS_POINTS_H
#define LEVY_POINTS_POINTS_H

#include "kernels/lane/target.h"
#include "kernels/points/mrg32k3a.h"
#include "kernels/points/philox.h"
#include "kernels/points/sobol.h"

/* Given: another program part has made the words, or the normals, of whole batches of paths. */
enum { POINTS_SOBOL, POINTS_PHILOX, POINTS_MRG, POINTS_GIVEN_WORDS, POINTS_GIVEN_NORMALS };

typedef struct points_state {
    sobol_state sobol;
    uint64_t key; /* a Philox key: the generator's, or that of the padding of Sobol points */
    lane_word path_low, path_high; /* the path index inside its replicate */
    /* a Philox key: for words past a path's draws, if the model needs them */
    uint64_t beyond;
    uint32_t cached; /* draw / 4 of the words kept; all ones: none are */
    philox_words words;
    mrg_state mrg; /* the state before the next draw */
#if LANE_GPU
    /* the held cells (normal.h), in kernels that have them; the lane's rows start at `row` */
    struct normal_cells *cells;
    uint32_t row;
    bool turned;
#endif
    /* mrg32k3a, if the traversal is not in the order of time: all words of the path */
    lane_word *ahead;
    /* given numbers: those of row 0 of the paths of the block's first row (GPU: of the thread's
     * first path in the block), with rows `given_stride` numbers apart */
    const void *given;
    uint64_t given_stride;
} points_state;

LANE_FN lane_word points_philox(points_state *p, uint32_t draw)
{
    if (draw >> 2 != p->cached) {
        p->cached = draw >> 2;
        p->words = philox_draw(p->key, lane_word_of(draw >> 2), lane_word_of(0), p->path_low,
                               p->path_high);
    }
    const uint32_t number = draw & 3;
    return number == 0   ? p->words.w[0]
           : number == 1 ? p->words.w[1]
           : number == 2 ? p->words.w[2]
                         : p->words.w[3];
}

/* A word past the draws of the path, for draws whose number is known only on the way: word `index`
 * of `stream`, which has as many words as are asked for. It is never a word of points_philox under
 * the same key. */
LANE_FN lane_word points_beyond(const points_state *p, uint32_t stream, uint32_t index)
{
    const philox_words words = philox_draw(p->beyond, lane_word_of(index >> 2),
                                           lane_word_of(stream + 1), p->path_low, p->path_high);
    const uint32_t number = index & 3;
    return number == 0   ? words.w[0]
           : number == 1 ? words.w[1]
           : number == 2 ? words.w[2]
                         : words.w[3];
}

/* Makes all words of the path, in the order of time. */
LANE_FN void points_mrg_ahead(points_state *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) p->ahead[i] = mrg_word(&p->mrg);
}

#endif
