/* lower_tail.h: a block of an integrated program in its lower tail: on segments below every normal
 * at which one of the block's conditions changes. There all conditions are known, so most steps
 * fold away: of a note with memory, one more coupon is missed. A path has many such segments, and
 * the block cuts none of them (payoffs/segments.h). Must not know: the language, trades. */
#ifndef LEVY_SCRIPT_LOWER_TAIL_H
#define LEVY_SCRIPT_LOWER_TAIL_H

#include "engine/script/emit.h"

/* Appends the lower tail's steps to the block, which is the emitter's last, and computes the least
 * of those normals in its first n_before steps. Skipped if the lower tail would also write per-path
 * state, or if a normal differs between segments. Fills the block except its schedule. False: no
 * memory. */
bool levy_lower_tail_add(emitter *e, size_t n_before, levy_script_block *block);

#endif
