/* mrg_streams.h: the starts of the streams of mrg32k3a and the size of a jump, by powers of the
 * recurrences' matrices. A jump is 18 words: [component][row][column], for states of 6 words, each
 * component oldest first. Host only.
 *
 * Starts are those of cuRAND's curand_init(seed, replicate, 0): six words 12345 (L'Ecuyer's own). A
 * seed other than 0 multiplies them by its two halves in turn, each under a mask. Replicates are
 * 2^76 draws apart, purposes 2^127. If a seed would zero a whole component, which would then never
 * change, that component keeps 12345. */
#ifndef LEVY_POINTS_MRG_STREAMS_H
#define LEVY_POINTS_MRG_STREAMS_H

#include <stdint.h>

enum { LEVY_MRG_STATE = 6, LEVY_MRG_JUMP = 18 };

/* replicate < 2^51; purpose: LEVY_PURPOSE_, of which PRICE is the first stream. */
void levy_mrg_start(uint64_t seed, uint64_t replicate, uint32_t purpose,
                    uint32_t state[LEVY_MRG_STATE]);

void levy_mrg_one_draw(uint32_t jump[LEVY_MRG_JUMP]);
void levy_mrg_double(uint32_t jump[LEVY_MRG_JUMP], uint32_t times); /* 2^times as far */
/* `times` as far; 0: no jump. `power` must not be `jump`. */
void levy_mrg_repeat(const uint32_t jump[LEVY_MRG_JUMP], uint64_t times,
                     uint32_t power[LEVY_MRG_JUMP]);
void levy_mrg_jump(const uint32_t jump[LEVY_MRG_JUMP], uint32_t state[LEVY_MRG_STATE]);

#endif
