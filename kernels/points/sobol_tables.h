/* sobol_tables.h: Joe and Kuo's direction numbers (21,201 dimensions), their random linear scramble
 * with digital shift (J. Matousek, J. Complexity 14, 1998), and the keys of replicates. Host only.
 * Must not know: plans. */
#ifndef LEVY_POINTS_SOBOL_TABLES_H
#define LEVY_POINTS_SOBOL_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LEVY_SOBOL_DIMENSIONS = 21201 };
enum {
    LEVY_PURPOSE_PRICE = 1,
    LEVY_PURPOSE_PILOT,
    LEVY_PURPOSE_EXERCISE,
    LEVY_PURPOSE_DUAL,
    LEVY_PURPOSE_PADDING
};

/* How a dimension is randomised: not at all; by a digital shift; by a linear scramble and a shift.
 */
enum { LEVY_SCRAMBLING_NONE, LEVY_SCRAMBLING_SHIFT, LEVY_SCRAMBLING_MATRIX };

/* key = hash(seed, replicate, purpose) */
uint64_t levy_points_key(uint64_t seed, uint64_t replicate, uint32_t purpose);

/* Direction numbers of dimensions 0 .. n-1: table[d * 32 + bit], where the number of bit 0 has its
 * top bit set. False: n is above LEVY_SOBOL_DIMENSIONS or the embedded table is damaged. */
bool levy_sobol_directions(uint32_t n, uint32_t *table);

/* Fills numbers `degree` to 31 by Bratley and Fox's recurrence (ACM Trans. Math. Softw. 14, 1988),
 * with all bits of the polynomial, from numbers shifted to the top bit. */
void levy_sobol_recur(uint32_t polynomial, uint32_t degree, uint32_t numbers[32]);

/* Scrambles one dimension's 32 numbers in place and gives its digital shift: a pure function of
 * (key, dimension). */
void levy_sobol_scramble(uint64_t key, uint32_t dimension, uint32_t numbers[32], uint32_t *shift);
/* The same for a LEVY_SCRAMBLING_ of the caller. The shift by itself is that of the scramble, and 0
 * without any. */
void levy_sobol_randomise(int32_t scrambling, uint64_t key, uint32_t dimension,
                          uint32_t numbers[32], uint32_t *shift);

#endif
