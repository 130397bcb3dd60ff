/* lane_quantile.c: see lane_quantile.h. */
#include "tests/lane_quantile.h"

#include "kernels/samplers/discrete/quantile.h"

#include <stdlib.h>

#define PROBE_JOIN_(a, b, c) a##b##c
#define PROBE_JOIN(a, b, c) PROBE_JOIN_(a, b, c)
#define PROBE_RUN PROBE_JOIN(lane_quantile_run_, LEVY_ISA_NAME, LANE_PICK(_double, _single))

lane_quantile_run PROBE_RUN;
void PROBE_RUN(const double *table, size_t n, int unit, const uint32_t *words, double *output,
               size_t count)
{
    real *const reals = aligned_alloc(64, (n * sizeof *reals + 63) / 64 * 64);
    if (!reals) abort();
    for (size_t i = 0; i < n; ++i) reals[i] = (real)table[i];
    for (size_t first = 0; first < count; first += (size_t)LANES) {
        lane_word word = lane_word_of(0);
        for (size_t i = 0; i < (size_t)LANES && first + i < count; ++i) word[i] = words[first + i];
        const lane draw = unit ? quantile_between(reals, word, lane_of(R(0.0)), lane_of(R(1.0)))
                               : quantile_from_word(reals, word);
        for (size_t i = 0; i < (size_t)LANES && first + i < count; ++i)
            output[first + i] = (double)draw[i];
    }
    free(reals);
}
