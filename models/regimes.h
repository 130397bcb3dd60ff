/* regimes.h: the layout of a regime-switching model in the plan image, written by its host half and
 * read by its lanes. Regimes are numbered from the calmest on. Plain C11 and CUDA. Must not know:
 * lanes, files. */
#ifndef LEVY_MODELS_REGIMES_H
#define LEVY_MODELS_REGIMES_H

/* The shape: the number of regimes, and bits. Both are constants of a specialised kernel. */
#define REGIMES_COUNT 127u /* the bits that hold the number of regimes */
/* switching times are simulated; otherwise a regime holds from date to date */
#define REGIMES_EXACT 128u
#define REGIMES_DRIFTS 256u   /* drift differs by regime */
#define REGIMES_RATES 512u    /* discounting differs by regime */
#define REGIMES_WATCHED 4096u /* stepped: the next regime depends on an asset's return */
#define REGIMES_JUMPS 2048u   /* the assets jump, with rates and marks of the regime */
#define REGIMES_SPLIT 1024u   /* with EXACT: the assets' volatilities do not move in proportion */

enum {
    REGIMES_FOUR = 4, /* numbers stand in rows of four */
    /* reals: [regime][asset][4] */
    REGIMES_SCALE = 0, /* volatility divided by the market's */
    REGIMES_HALF = 1,  /* -(scale^2 - 1) / 2; times the market's variance it corrects the drift */
    REGIMES_LOG_RETURN = 2, /* log return per year in excess of the market's */
    /* of asset 0: log discounting per year beyond the curve's, negative for a higher rate */
    REGIMES_DISCOUNT = 3,
    /* then [regime][4] */
    /* Rate per year in units of -path_log(u): the regime is left (exact), or the assets jump. */
    REGIMES_RATE = 0,
    REGIMES_MEAN = 1, /* its reciprocal; 0: never */
    /* Reciprocal of the number of odd words with which a path starts in the regime; 0: there are
     * none. */
    REGIMES_SHARE = 2,
    REGIMES_JUMP = 3, /* share of the jumps in the rate */
    /* then [node][4] */
    REGIMES_DT = 0,      /* years since the node before */
    REGIMES_INVERSE = 1, /* the reciprocal */
    REGIMES_ROOT = 2,    /* square root of the bridge's clock per year in the interval */
    REGIMES_MOVED = 3,   /* what the integrated normal moves of the first factor's step; or 0 */
    /* then, with jumps, [regime][asset][8]: the law of the mark */
    REGIMES_MARK = 8,
    REGIMES_KIND = 0, /* 0 normal: mean and deviation follow; 1 double exponential: */
    /* probability of a fall (2: always), its reciprocal, the reciprocal of a rise's probability, 1
     * / rate of falls, -1 / rate of rises */
    REGIMES_FALLS = 1,
    /* If the chain watches a return, three parts follow: the logarithms of its levels, padded to a
     * multiple of four; [bucket][leaf], the weight of each regime; and [regime][leaf], its
     * transition probabilities, at the offsets in the words. Two more constants are then the number
     * of buckets and the asset's index. */
    /* words: first four, then one for each node (the offset of its table), then rows of thresholds
     * (chain.h) */
    /* words[0]: offset of the row that draws today's regime. The word before that row is 0, a
     * threshold that all words pass. */
    REGIMES_START = 0,
    REGIMES_TARGETS = 1, /* exact: offset of the table of next regimes */
    REGIMES_NODES = 4
};

#endif
