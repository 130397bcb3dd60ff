/* verify.h: whether a program is what the lanes may run. They trust it: a step that writes outside
 * of its registers writes over a constant, and no sanitizer sees that. So every program that a
 * price or the past is made of is looked at first, in every build. Compare LLVM's machine verifier.
 * Must not know: the language, trades. */
#ifndef LEVY_SCRIPT_VERIFY_H
#define LEVY_SCRIPT_VERIFY_H

#include "engine/script/program.h"

enum { LEVY_SCRIPT_VERIFY_WHY = 160 };

/* Looks at sizes, blocks, operands and targets, at the steps that a WHERE leaves out, at values
 * that are read before they are written, and at what the segments of an integrated program share.
 * True: the program holds. False: `why` says which step does not. */
_Bool levy_script_verify(const levy_script_program *program, char why[LEVY_SCRIPT_VERIFY_WHY]);

#endif
