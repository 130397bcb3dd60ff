/* low.h: a block of an integrated program on a segment that lies below every normal at which the
 * block's conditions change. All of them are known there, so most steps fall away: of a note with
 * memory, one more coupon is missed. A path has many such segments, which the block need not cut
 * (payoffs/segments.h). Must not know: the language, trades. */
#ifndef LEVY_SCRIPT_LOW_H
#define LEVY_SCRIPT_LOW_H

#include "engine/script/emit.h"

/* Adds the steps of such segments behind the block's steps, which end the emitter's, and to the
 * first n_before steps what finds the least of these normals. Nothing is added where the steps
 * would set more than states of the segment itself, or no normal is the same on all segments. Fills
 * the block but for its schedule. False: no memory. */
bool levy_low_add(emitter *e, size_t n_before, levy_script_block *block);

#endif
