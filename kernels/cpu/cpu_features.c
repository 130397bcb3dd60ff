/* cpu_features.c: see cpu_features.h. */
#include "kernels/cpu/cpu_features.h"

#include <string.h>

bool levy_cpu_supports(const char *name)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (strcmp(name, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
    if (strcmp(name, "avx2") == 0)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    (void)name;
#endif
    return true;
}
