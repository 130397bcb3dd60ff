/* mrg_streams.h: where the streams of mrg32k3a start and how far a jump goes, by powers of the
 * recurrences' matrices. A jump is 18 words: [component][row][column], for states of 6 words, each
 * component oldest first. Host only.
 *
 * Starts are those of cuRAND's curand_init(seed, replicate, 0): six words 12345 (L'Ecuyer's own),
 * for a seed other than 0 multiplied by the seed's halves, each under a mask, in turn; 2^76 draws
 * from replicate to replicate, 2^127 from purpose to purpose. Where a seed would zero a whole
 * component, which then stands still, that component keeps 12345. */
#ifndef LEVY_POINTS_MRG_STREAMS_H
#define LEVY_POINTS_MRG_STREAMS_H

#include <stdint.h>

enum { LEVY_MRG_STATE = 6, LEVY_MRG_JUMP = 18 };

/* replicate < 2^51; purpose: LEVY_PURPOSE_, of which PRICE is the first stream. */
void levy_mrg_start(uint64_t seed, uint64_t replicate, uint32_t purpose,
                    uint32_t state[LEVY_MRG_STATE]);

void levy_mrg_one_draw(uint32_t jump[LEVY_MRG_JUMP]);
void levy_mrg_double(uint32_t jump[LEVY_MRG_JUMP], uint32_t times); /* 2^times as far */
/* `times` as far; 0: stays. `power` is not `jump`. */
void levy_mrg_repeat(const uint32_t jump[LEVY_MRG_JUMP], uint64_t times,
                     uint32_t power[LEVY_MRG_JUMP]);
void levy_mrg_jump(const uint32_t jump[LEVY_MRG_JUMP], uint32_t state[LEVY_MRG_STATE]);

#endif
