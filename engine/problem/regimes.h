/* regimes.h: whether the terms of a regime-switching model fit together. */
#ifndef LEVY_PROBLEM_REGIMES_H
#define LEVY_PROBLEM_REGIMES_H

#include "engine/problem/build.h"

/* `path`: "models.NAME". False with faults. */
bool levy_regimes_check(levy_check *build, const levy_model_terms *terms, const char *path);

#endif
