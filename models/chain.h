/* chain.h: Markov chains on a few states, on the host: transition probabilities over a time, and
 * the rows that lanes look up. Only + - * / reach a result. Must not know: models, lanes. */
#ifndef LEVY_MODELS_CHAIN_H
#define LEVY_MODELS_CHAIN_H

#include <stddef.h>
#include <stdint.h>

enum {
    LEVY_CHAIN_STATES = 64, /* the largest number of states */
    LEVY_CHAIN_NARROW = 4   /* words in the row of a chain with up to this many states */
};

/* Writes exp(generator * time) to p. Both are [n][n] by row, time >= 0. The diagonal of the
 * generator is not read. work: [2 n n]. */
void levy_chain_transition(size_t n, const double *generator, double time, double *work, double *p);

/* Probabilities of the next state when the chain leaves `from`: row `from` of the jump matrix. A
 * state that is never left gets probability 1 of itself. */
void levy_chain_jumps(size_t n, const double *generator, size_t from, double *p);
/* the rate of leaving `from` */
double levy_chain_rate(size_t n, const double *generator, size_t from);

/* Words in a row: 4, or the least power of 2 that is not below n. */
uint32_t levy_chain_width(size_t n);

/* Turns a row of probabilities into thresholds. The state that an odd word chooses is the number of
 * thresholds below it. Every odd word passes a threshold of 0 and none passes one of all ones, so a
 * state without probability is never chosen. */
void levy_chain_row(size_t n, const double *p, uint32_t *row);

#endif
