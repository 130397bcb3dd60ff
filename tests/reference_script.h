/* reference_script.h: payoffs of tests/reference/ that levy prices by scripts: shipped kinds, and
 * texts of their own for what no kind says. Serves reference_case.c. Must not know: markets,
 * comparison. */
#ifndef LEVY_TESTS_REFERENCE_SCRIPT_H
#define LEVY_TESTS_REFERENCE_SCRIPT_H

#include "engine/document/document.h"

#include <stdbool.h>
#include <stdio.h>

/* The keys that a payoff of the type may have, separated by blanks. NULL: another type. */
const char *reference_script_keys(const char *type);
/* Writes the keys of levy's payoff, kind first. */
void reference_script_write(const levy_node *payoff, const levy_node *model, FILE *out);
/* Whether the price is quoted without discounting. */
bool reference_script_is_undiscounted(const char *type);

#endif
