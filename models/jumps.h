/* jumps.h: compound Poisson jumps added to a diffusion: sources of arrivals, each with marks of the
 * assets that it moves. By interval: the count of an interval is the inverse of one word. By a
 * bridge: the count until the horizon is, and a count between two nodes is binomial given those at
 * its neighbours. If marks are normal, the sum of several needs one word (N marks sum to a normal
 * of N times mean and variance); otherwise each mark needs a word. Everything is in the units of
 * path_log. Sources: R. Merton, J. Financial Economics 3, 1976; S. Kou, Management Science 48,
 * 2002. Lanes only. */
#ifndef LEVY_MODELS_JUMPS_H
#define LEVY_MODELS_JUMPS_H

#include "kernels/lane/target.h"
#include "kernels/lane/normal.h"
#include "kernels/points/points.h"

/* How a mark is drawn. */
enum { JUMPS_NORMAL, JUMPS_DOUBLE_EXPONENTIAL, JUMPS_MONOTONE, JUMPS_ALIAS, JUMPS_CODES };

/* The model's words are arrivals[node][source], the sources, their targets (the assets that a
 * source moves), the moves, moved[dynamics] if there are any, then the laws of counts and the
 * tables of marks. The last two are found by their offsets. With a bridge of counts the words start
 * with arrivals[source] of the horizon and splits[entry], and the reals with
 * jumps_weights[JUMPS_MOST + 1]. The model's constants are the number of sources, the codes in use
 * as bits, the number of targets, and how counts and rows are drawn, as bits, with the number of
 * moves from bit LEVY_ARRIVALS_MOVES on. */
enum {
    JUMPS_ARRIVAL_WORDS = 4,
    JUMPS_SPLIT_WORDS = 4,
    JUMPS_SOURCE_WORDS = 2,
    JUMPS_TARGET_WORDS = 8,
    JUMPS_MOVE_WORDS = 4,
    JUMPS_MOVED_WORDS = 2
};
enum {
    JUMPS_ALIAS_COUNTS = 1, /* some law of counts is an alias table */
    JUMPS_BRIDGED = 2,      /* counts are built like a bridge, one of each source */
    JUMPS_ROWS = 4          /* some targets of a source take the same words: a row moves them all */
};
/* A word below `one` means no arrival, one below `two` a single arrival. The law decides about
 * other words. */
typedef struct LANE_ALIGNED(16) jumps_arrival {
    uint32_t one, two, law, unused;
} jumps_arrival;
/* How an entry of the bridge splits the arrivals of its gap. A single one falls to its left if the
 * word is at least `one`; for more, the table decides. */
typedef struct LANE_ALIGNED(16) jumps_split {
    uint32_t node, table; /* the entry's node, from 0 */
    uint32_t one;
    uint32_t event; /* the node whose words are those of the event with the entry's number */
} jumps_split;
typedef struct jumps_source {
    uint32_t first_target, n_targets;
} jumps_source;
typedef struct jumps_target {
    uint32_t asset, code;
    /* The marks' words among the node's draws. Further marks take words past the point set. */
    uint32_t first_word, n_words;
    uint32_t first_real;
    /* For marks from a table: where it starts, its items, and 32 less the bits of a cell. */
    uint32_t table, size, shift;
} jumps_target;

/* How the jumps of a target add up to what a number of theirs moves: the log return of an asset, or
 * (JUMPS_WEIGHS) all that the path pays, in proportion. Its reals are where the sum starts, and
 * what an arrival, its size, a rise and the size of a rise add. */
typedef struct jumps_move {
    uint32_t target, asset, first_real, unused;
} jumps_move;
enum { JUMPS_MOVE_REALS = 5 };
#define JUMPS_WEIGHS 0xffffffffu
/* What a dynamics moves: 0, or one plus the number of the move; and by how much, among the reals.
 */
typedef struct jumps_moved {
    uint32_t move, size;
} jumps_moved;

/* The table of a split: the share of the gap that lies on the left, in 2^-32, the most arrivals
 * that have thresholds, two words that fill up, then the thresholds of few arrivals so that one
 * load brings all of a count, and n thresholds of each n. The largest word fills up what has none.
 * A table starts at a multiple of four words. */
enum { JUMPS_FEW = 4 };
enum {
    JUMPS_SPLIT_SHARE,
    JUMPS_SPLIT_MOST,
    JUMPS_SPLIT_FEW = 4,
    JUMPS_SPLIT_TABLE = JUMPS_SPLIT_FEW + JUMPS_FEW * JUMPS_FEW
};
typedef struct LANE_ALIGNED(16) jumps_few {
    uint32_t threshold[JUMPS_FEW];
} jumps_few;

/* Offsets in the words of a law of counts. */
enum { JUMPS_LAW_FIRST, JUMPS_LAW_SIZE, JUMPS_LAW_HAZARDS, JUMPS_LAW_ALIAS, JUMPS_LAW_TABLE };

enum { JUMPS_AT_ONCE = 4 }; /* thresholds of a count that a GPU compares without a branch */

/* The square root of a count; path_root has none of 0 in double. */
LANE_FN lane jumps_root(lane count) { return LANE_PICK(lane_sqrt(count), path_root(count)); }

/* The sum of `count` normal marks. numbers: mean, standard deviation. */
LANE_FN lane jumps_normal(lane_word word, lane count, const real *numbers)
{
    return lane_fma(jumps_root(count) * numbers[1], normal_from_word(word), count * numbers[0]);
}

/* One mark, a rising function of the word. numbers: probability of a fall (2 if every mark falls),
 * its inverse, the inverse of a rise's probability, 1/rate of falls, -1/rate of rises. */
LANE_FN lane jumps_double_exponential(lane_word word, const real *numbers)
{
    const lane u = lane_uniform_from_word(word), up = lane_uniform_from_word(word ^ 0xffffffffu);
    const lane_mask falls = u < numbers[0];
    const lane share = lane_select(falls, u * numbers[1], up * numbers[2]);
    return path_log(share) * lane_select(falls, lane_of(numbers[3]), lane_of(numbers[4]));
}

/* The first item whose end lies above the word. The table is ends[size - 1], then starts[cells + 1]
 * by cell. */
LANE_FN uint32_t jumps_monotone_item(uint32_t word, const uint32_t *table, uint32_t size,
                                     uint32_t shift)
{
    const uint32_t *const start = table + (size - 1) + (shift < 32 ? word >> shift : 0);
    uint32_t low = start[0], high = start[1];
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (word < table[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Each row holds a threshold and another item. The row's own item is taken below the threshold. */
LANE_FN uint32_t jumps_alias_item(uint32_t word, const uint32_t *table, uint32_t size)
{
    const uint64_t product = (uint64_t)word * size;
    const uint32_t row = (uint32_t)(product >> 32);
    return (uint32_t)product < table[2 * (uint64_t)row] ? row : table[2 * (uint64_t)row + 1];
}

/* Each path looks up its number. On a GPU one look-up serves the lane, because all its paths are
 * the same one there (see arrivals.h). */
#if LANE_GPU
#define JUMPS_LOOK_UP(value_at) lane_of(value_at(word.v[0]))
#else
#define JUMPS_LOOK_UP(value_at) jumps_spread(word, value_at)
#define jumps_spread(word, value_at)                                                               \
    __extension__({                                                                                \
        lane found = lane_of(R(0.0));                                                              \
        for (int i = 0; i < LANES; ++i) found[i] = value_at((word)[i]);                            \
        found;                                                                                     \
    })
#endif

LANE_FN lane jumps_from_table(lane_word word, uint32_t code, const uint32_t *table, uint32_t size,
                              uint32_t shift, const real *numbers)
{
#define JUMPS_MONOTONE_AT(w) numbers[jumps_monotone_item(w, table, size, shift)]
#define JUMPS_ALIAS_AT(w) numbers[jumps_alias_item(w, table, size)]
    if (code == JUMPS_ALIAS) return JUMPS_LOOK_UP(JUMPS_ALIAS_AT);
    return JUMPS_LOOK_UP(JUMPS_MONOTONE_AT);
}

#define JUMPS_COUNT_AT(w) (real)(int32_t) jumps_alias_item(w, table, size)

/* Arrivals of the paths in `more`. Their words are at least the law's first threshold; with an
 * alias table any word may come. Past the last threshold or row the hazards continue the law's
 * tail. Each takes one word past the point set, and the count has no upper bound. */
LANE_FN lane jumps_count(const uint32_t *law, lane_word word, lane_mask more,
                         const points_state *points, uint32_t stream)
{
    const uint32_t *const table = law + JUMPS_LAW_TABLE, size = law[JUMPS_LAW_SIZE],
                          alias = law[JUMPS_LAW_ALIAS];
    const uint32_t *const hazards = table + (alias ? 2 * size : size);
    lane count = lane_of((real)(int32_t)law[JUMPS_LAW_FIRST]);
    const lane one = lane_of(R(1.0)), zero = lane_of(R(0.0));
    if (alias) {
        count = count + JUMPS_LOOK_UP(JUMPS_COUNT_AT);
        more = more & (count == (real)(int32_t)(law[JUMPS_LAW_FIRST] + size - 1));
    }
    for (uint32_t j = 0; !alias;) {
        more = more & lane_word_at_least(word, table[j]);
        if (!lane_any(more)) return count;
        if (++j == size) break;
        count = count + lane_select(more, one, zero);
    }
    for (uint32_t h = 0; lane_any(more); ++h) {
        const uint32_t last = law[JUMPS_LAW_HAZARDS] - 1;
        more = more &
               lane_word_at_least(points_beyond(points, stream, h), hazards[h < last ? h : last]);
        count = count + lane_select(more, one, zero);
    }
    return count;
}

/* ---- Bridges of counts ---- */

/* The inverse of the binomial law of n trials, by its probabilities from 0 on. In double, whatever
 * the precision: a share above 1/2 is taken from the other side, so that the first probability does
 * not underflow. */
LANE_FN uint32_t jumps_binomial(uint32_t word, uint32_t n, uint32_t share)
{
    const bool turned = share > 0x80000000u;
    const uint32_t from = turned ? ~word : word;
    const uint32_t part = turned ? 0u - share : share;
    const double u = ((double)from + 0.5) * 0x1p-32, p = (double)part * 0x1p-32, q = 1.0 - p,
                 odds = p / q;
    double term = 1.0, power = q;
    for (uint32_t bits = n; bits; bits >>= 1, power = power * power)
        if (bits & 1) term = term * power;
    double sum = term;
    uint32_t k = 0;
    for (; u >= sum && k < n; ++k) {
        term = term * (odds * (double)(n - k)) / (double)(k + 1);
        sum = sum + term;
    }
    return turned ? n - k : k;
}

/* The same of so few trials, at least one, that they have thresholds. */
LANE_FN uint32_t jumps_thresholds(uint32_t word, uint32_t n, const uint32_t *table)
{
    const uint32_t *const row = table + JUMPS_SPLIT_TABLE + n * (n - 1) / 2;
    uint32_t left = 0;
    if (word >= row[0]) {
        do ++left;
        while (left < n && word >= row[left]);
    }
    return left;
}

#if LANE_GPU
/* The same of up to JUMPS_FEW, without a branch: paths of a warp have different numbers of them. */
LANE_FN uint32_t jumps_few_of(uint32_t word, uint32_t n, const uint32_t *table)
{
    const jumps_few few = ((const jumps_few *)(table + JUMPS_SPLIT_FEW))[n - 1];
    uint32_t left = 0;
#pragma unroll
    for (uint32_t k = 0; k < JUMPS_FEW; ++k) left = word >= few.threshold[k] ? k + 1 : left;
    return left < n ? left : n; /* the largest word reaches what is filled up, too */
}
#endif

/* How many of n arrivals, at least one, fall to the left. A larger word never gives fewer. */
LANE_FN uint32_t jumps_left_of(uint32_t word, uint32_t n, const uint32_t *table)
{
    return n > table[JUMPS_SPLIT_MOST] ? jumps_binomial(word, n, table[JUMPS_SPLIT_SHARE])
                                       : jumps_thresholds(word, n, table);
}

/* An interval's arrivals, those before it, and those after it: of the path whose turn it is, or of
 * the paths of a CPU's register. */
#if LANE_GPU
typedef uint32_t jumps_number;
#else
typedef lane jumps_number;
#endif
typedef struct jumps_arrivals {
    jumps_number before, count, later;
} jumps_arrivals;

/* Weights of the next of `later` + 1 normal marks whose sum is known: [later]. */
typedef struct jumps_weights {
    real sum, deviation; /* 1 / (later + 1), the root of later / (later + 1) */
} jumps_weights;
enum { JUMPS_MOST = 255, JUMPS_WEIGHT_REALS = 2 * (JUMPS_MOST + 1) };

#endif
