/* regimes.h: the layout of a regime-switching model in the plan image, written by its host half and
 * read by its lanes. Regimes are numbered from the calmest on. Plain C11 and CUDA. Must not know:
 * lanes, files. */
#ifndef LEVY_MODELS_REGIMES_H
#define LEVY_MODELS_REGIMES_H

/* Shape: the number of regimes and bits, constants of a specialised kernel. */
#define REGIMES_COUNT 127u /* the bits that count */
/* switching times are simulated; else a regime holds from date to date */
#define REGIMES_EXACT 128u
#define REGIMES_DRIFTS 256u /* drift differs by regime */
#define REGIMES_RATES 512u  /* discounting differs by regime */
#define REGIMES_WATCHED                                                                            \
    4096u                   /* stepped: chances of the next regime depend on an asset's return     \
                             */
#define REGIMES_JUMPS 2048u /* the assets jump, at rates and by marks of the regime */
#define REGIMES_SPLIT 1024u /* exact: volatilities of the assets do not move in proportion */

enum {
    REGIMES_FOUR = 4, /* everything comes in fours */
    /* reals: [regime][asset][4] */
    REGIMES_SCALE = 0, /* volatility over the market's */
    REGIMES_HALF = 1,  /* -(scale^2 - 1) / 2: times the market's variance, what the drift lacks */
    REGIMES_LOG_RETURN = 2, /* log return a year over the market's */
    /* of asset 0: log discounting a year over the curve's, negative for a higher rate */
    REGIMES_DISCOUNT = 3,
    /* then [regime][4] */
    /* at which it is left (exact) or the assets jump, a year, over what -path_log(u) counts */
    REGIMES_RATE = 0,
    REGIMES_MEAN = 1, /* the reciprocal; 0: never */
    /* reciprocal of the number of odd words that start in the regime; 0: none do */
    REGIMES_SHARE = 2,
    REGIMES_JUMP = 3, /* share of jumps in the rate */
    /* then [node][4] */
    REGIMES_DT = 0,      /* years since the node before */
    REGIMES_INVERSE = 1, /* the reciprocal */
    REGIMES_ROOT = 2,    /* root of the bridge's clock per year, over the interval */
    /* then, with jumps, [regime][asset][8]: the law of the mark */
    REGIMES_MARK = 8,
    REGIMES_KIND = 0, /* 0 normal: then mean and deviation; 1 double exponential: then */
    /* probability of a fall (2: always) and its reciprocal, that of a rise, 1 / rate of falls, -1 /
       rate of rises */
    REGIMES_FALLS = 1,
    /* then, where the chain watches a return, its levels as logarithms, in fours; then
     * [bucket][leaf]: the weight of each regime; then, where words point, [regime][leaf]: its
     * chances. Further constants: the number of buckets, the asset's place. */
    /* words: four, then one for each node (where its table starts), then rows of thresholds
       (chain.h) */
    /* words[0]: where the row of starts stands, after a threshold that all words pass */
    REGIMES_START = 0,
    REGIMES_TARGETS = 1, /* exact: where the table of destinations starts */
    REGIMES_NODES = 4
};

#endif
