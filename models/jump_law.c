/* jump_law.c: the Poisson law of an interval's arrivals as words. Inversion: N counts the
 * thresholds that the word reaches, P(N <= j) in 2^-32. Where less than 2^-24 is left the
 * thresholds end, and hazards P(N = j | N >= j) go on, each with a fresh word; the last one serves
 * all counts above, of which no interval sees one. An alias table draws all but the tail in one
 * look-up; it is not monotone. Weights grow and fall from the mode by recursion, so that no
 * factorial or exponential is taken. */
#include "kernels/samplers/alias/alias.h"
#include "models/jump_plan.h"
#include "models/jumps.h"

#include <string.h>

enum { LAW_HAZARDS = 16 };

typedef struct law_weights {
    /* weight[j] is the probability of count first + j; above[j] that of all greater counts. */
    double *weight, *above;
    size_t first, n;
} law_weights;

/* Computes the probabilities of all counts whose weight exceeds 1e-40 of the mode's, and of
 * LAW_HAZARDS further counts. */
static bool law_weigh(double mean, levy_arena *arena, law_weights *law)
{
    const size_t mode = (size_t)mean;
    size_t low = mode, high = mode;
    double total = 1.0;
    for (double w = 1.0; low > 0 && w > 1e-40; --low) w *= (double)low / mean;
    for (double w = 1.0; w > 1e-40; ++high) w *= mean / (double)(high + 1);
    high += LAW_HAZARDS;
    law->first = low;
    law->n = high - low + 1;
    law->weight = levy_arena_allocate(arena, law->n, sizeof(double));
    law->above = levy_arena_allocate(arena, law->n, sizeof(double));
    if (!law->weight || !law->above) return false;
    law->weight[mode - low] = 1.0;
    for (size_t k = mode; k > low; --k)
        total += law->weight[k - 1 - low] = law->weight[k - low] * ((double)k / mean);
    for (size_t k = mode; k < high; ++k)
        total += law->weight[k + 1 - low] = law->weight[k - low] * (mean / (double)(k + 1));
    for (size_t j = law->n; j > 0; --j) {
        law->weight[j - 1] /= total;
        law->above[j - 1] = j < law->n ? law->above[j] + law->weight[j] : 0.0;
    }
    return true;
}

uint32_t levy_jump_word(double probability)
{
    const double x = probability * 0x1p32 + 0.5;
    if (x >= 4294967295.0) return 4294967295u;
    return x > 0.0 ? (uint32_t)x : 0;
}

/* Hazards from count j on. `reached` is the probability that the words before lead to the tail. The
 * first hazard decides whether the count goes beyond j at all. */
static void law_hazards(const law_weights *law, size_t j, double reached, uint32_t *hazards)
{
    hazards[0] = levy_jump_word(1.0 - law->above[j] / reached);
    for (size_t h = 1; h < LAW_HAZARDS; ++h) {
        const double above = law->above[j + h], here = law->weight[j + h];
        hazards[h] = levy_jump_word(here + above > 0.0 ? here / (here + above) : 1.0);
    }
}

uint32_t *levy_jump_law(double mean, bool alias, levy_arena *arena, size_t *n_words)
{
    law_weights law;
    size_t from = 0, last = 0;
    if (!law_weigh(mean, arena, &law)) return NULL;
    /* `last` becomes the last count that has a threshold or a row of its own. */
    while (law.above[last] >= 0x1p-24) ++last;
    while (from < last && 1.0 - law.above[from] < 0x1p-33) ++from;
    const size_t size = last - from + 1;
    uint32_t *const words =
        levy_arena_allocate(arena, JUMPS_LAW_TABLE + 2 * size + LAW_HAZARDS, sizeof *words);
    if (!words) return NULL;
    words[JUMPS_LAW_FIRST] = (uint32_t)(law.first + from);
    words[JUMPS_LAW_SIZE] = (uint32_t)size;
    words[JUMPS_LAW_HAZARDS] = LAW_HAZARDS;
    words[JUMPS_LAW_ALIAS] = alias;
    if (alias) {
        const levy_mark_terms rows = {.n = size, .weights = law.weight + from};
        uint32_t *table;
        size_t n;
        double beyond = law.above[last], here = law.weight[last];
        law.weight[last] = here + beyond;
        if (levy_mark_alias(&rows, arena, &table, &n) != LEVY_OK) return NULL;
        memcpy(words + JUMPS_LAW_TABLE, table, n * sizeof *table);
        law_hazards(&law, last, here + beyond, words + JUMPS_LAW_TABLE + n);
        *n_words = JUMPS_LAW_TABLE + n + LAW_HAZARDS;
        return words;
    }
    for (size_t j = 0; j < size; ++j)
        words[JUMPS_LAW_TABLE + j] = levy_jump_word(1.0 - law.above[from + j]);
    const double reached = (4294967296.0 - (double)words[JUMPS_LAW_TABLE + size - 1]) * 0x1p-32;
    law_hazards(&law, last, reached, words + JUMPS_LAW_TABLE + size);
    *n_words = JUMPS_LAW_TABLE + size + LAW_HAZARDS;
    return words;
}

uint32_t levy_mark_words(int32_t kind, double mean)
{
    enum { MOST = 32 };
    double weight = 1.0, sum = 1.0, total = 0.0;
    if (kind == LEVY_MARK_NORMAL) return 1;
    if (mean > 20.0) return MOST;
    for (double w = 1.0, k = 0.0; k <= mean || w > 1e-9 * total; w *= mean / ++k) total += w;
    uint32_t n = 0;
    while (n < MOST && !(sum >= 0.999 * total)) sum += weight *= mean / (double)++n;
    return n > 0 ? n : 1;
}
