/* cpu_features.h: which of the builds for an instruction set this processor can run. */
#ifndef LEVY_CPU_CPU_FEATURES_H
#define LEVY_CPU_CPU_FEATURES_H

#include <stdbool.h>

bool levy_cpu_supports(const char *isa); /* "avx512", "avx2"; true of every other name */

#endif
