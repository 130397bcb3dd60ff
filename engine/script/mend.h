/* mend.h: a text with faults, written as its author may have meant it. Must not know: YAML,
 * trades. */
#ifndef LEVY_SCRIPT_MEND_H
#define LEVY_SCRIPT_MEND_H

#include "engine/script/compile.h"

/* Writes the tree of the text in this language, on one line: signs and words of other languages
 * become its own, bodies stand in braces, statements outside of blocks stand at expiry. Fills
 * fault->mended, and fault->needs, if nothing is left to guess and the line compiles. */
void levy_script_mend(compiler *c);

#endif
