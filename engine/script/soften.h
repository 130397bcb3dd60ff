/* soften.h: a script whose comparisons change over a width instead of at a point. A condition on
 * levels becomes a number from 0 to 1, a choice becomes the weighted mean of both values, and a
 * conditional assignment the weighted mean of old and new. So a price is continuous in every input;
 * it has a bias, which the script measures on the same paths. A. Savine, Modern Computational
 * Finance: Scripting for Derivatives and xVA (2018), "fuzzy logic". Must not know: the language,
 * trades, markets. */
#ifndef LEVY_SCRIPT_SOFTEN_H
#define LEVY_SCRIPT_SOFTEN_H

#include "engine/script/payoff_script.h"

#define LEVY_SCRIPT_BIAS "smoothing_bias" /* the report: softened less plain payments */

/* width: over which a comparison goes from 0 to 1, as a fraction of the mean size of its operands.
 * The softened script has the n states of `script` under their numbers; then the same n for plain
 * comparisons, which its reports use; then the bias, and the initial value of `ended`. Returns NULL
 * and fills `soft`, or says why the script cannot be softened, in a phrase. No memory: NULL, and
 * soft->program is NULL. */
const char *levy_script_soften(const levy_script *script, double width, levy_arena *arena,
                               levy_script *soft);

#endif
