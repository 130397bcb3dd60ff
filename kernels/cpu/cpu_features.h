/* cpu_features.h: the builds (one per instruction set) that this processor can run. */
#ifndef LEVY_CPU_CPU_FEATURES_H
#define LEVY_CPU_CPU_FEATURES_H

#include <stdbool.h>

bool levy_cpu_supports(const char *isa); /* "avx512", "avx2"; true of every other name */

#endif
