/* exponent.c: the list of laws. See exponent.h. */
#include "engine/fourier/exponent.h"

#include <string.h>

static const levy_exponent *const exponents[] = {
    &levy_exponent_heston,           &levy_exponent_bates,
    &levy_exponent_merton,           &levy_exponent_kou,
    &levy_exponent_variance_gamma,   &levy_exponent_normal_inverse_gaussian,
    &levy_exponent_regime_switching, NULL};

const levy_exponent *levy_exponent_find(const char *kind)
{
    for (size_t i = 0; exponents[i]; ++i)
        if (strcmp(exponents[i]->kind, kind) == 0) return exponents[i];
    return NULL;
}
