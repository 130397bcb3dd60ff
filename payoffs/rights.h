/* rights.h: the rules by which the rights of a script are used (docs/language.md): what a path gets
 * where a right is used, less what it gets where it is not, is regressed on what the decision sees,
 * from the last date to the first, on realised cash flows (F. Longstaff and E. Schwartz, Review of
 * Financial Studies 14, 2001). Neither side of the difference need be known on the date: so one may
 * give notice, or shout. Must not know: how the levels' paths are made. */
#ifndef LEVY_PAYOFFS_RIGHTS_H
#define LEVY_PAYOFFS_RIGHTS_H

#include "payoffs/payoff_stage.h"

typedef struct levy_rights {
    levy_stage stage;
    const double *coefficients; /* [asset]: a level is its own times this */
    uint64_t seed;
    const struct levy_rights_bound *bound; /* rights_bound.h; NULL: nobody asks, or there is none */
    const char *without;                   /* why there is none; NULL: there is */
} levy_rights;

/* How many numbers of a date are the rules'. */
size_t levy_rights_numbers(const struct levy_scripted *scripted);
/* Fills the stage, whose paths and policy are set, as the other members are. */
void levy_rights_begin(const struct levy_scripted *scripted, levy_rights *rights);

#endif
