/* soften.h: a script whose comparisons change over a width instead of at a point. A condition on
 * levels is then a number from 0 to 1, what it chooses a mean of both, and what it sets as much of
 * the one as of the other: so a price is continuous in every input, and has a bias, which the
 * script measures on the same paths. A. Savine, Modern Computational Finance: Scripting for
 * Derivatives and xVA (2018), "fuzzy logic". Must not know: the language, trades, markets. */
#ifndef LEVY_SCRIPT_SOFTEN_H
#define LEVY_SCRIPT_SOFTEN_H

#include "engine/script/script.h"

#define LEVY_SCRIPT_BIAS "smoothing_bias" /* the report: softened less plain payments */

/* width: of a comparison from 0 to 1, as a fraction of the mean size of what is compared. The
 * softened script has the n states of `script` under their numbers, then the same once more for
 * plain comparisons, which its reports are of, then the bias, and what `ended` starts at. Result:
 * NULL, and `soft` is filled; or why it cannot be, a phrase. No memory: NULL, and soft->program is
 * NULL. */
const char *levy_script_soften(const levy_script *script, double width, levy_arena *arena,
                               levy_script *soft);

#endif
