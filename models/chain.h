/* chain.h: Markov chains on a few states, on the host: transition probabilities over a time, and
 * the rows that lanes look up. Only + - * / reach a result. Must not know: models, lanes. */
#ifndef LEVY_MODELS_CHAIN_H
#define LEVY_MODELS_CHAIN_H

#include <stddef.h>
#include <stdint.h>

enum {
    LEVY_CHAIN_STATES = 64, /* at most */
    LEVY_CHAIN_NARROW = 4   /* words of a row that holds so many states or fewer */
};

/* exp(generator * time) into p, both [n][n] by row; time >= 0. Of the generator only what stands
 * beside the diagonal is read. work: [2 n n]. */
void levy_chain_transition(size_t n, const double *generator, double time, double *work, double *p);

/* Where a chain goes from a state: row `from` of the jump matrix, or the state itself where it is
 * never left. */
void levy_chain_jumps(size_t n, const double *generator, size_t from, double *p);
double levy_chain_rate(size_t n, const double *generator, size_t from); /* at which it is left */

/* Words of a row: 4, or the least power of 2 that is not below n. */
uint32_t levy_chain_width(size_t n);

/* Thresholds of a row of probabilities: the state that an odd word chooses is the number of
 * thresholds below it. 0 is one that every odd word passes, all ones one that none does, so a state
 * without probability is never chosen. */
void levy_chain_row(size_t n, const double *p, uint32_t *row);

#endif
