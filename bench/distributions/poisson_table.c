/* poisson_table.c: see poisson_table.h. The places are found by bisection of the words, with the
 * inversion itself. */
#define LANE_SCALAR
#include "bench/distributions/poisson_table.h"

#include "kernels/samplers/discrete/poisson_inverse.h"

static uint32_t table_count(double mean, uint32_t word)
{
    return (uint32_t)lane_get(poisson_inverse(lane_of(mean), lane_word_of(word)), 0);
}

/* The first word from `low` on whose count exceeds k. The count of the last word does. */
static uint32_t table_first(double mean, uint32_t low, uint32_t k)
{
    uint32_t high = UINT32_MAX;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (table_count(mean, middle) > k)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool levy_poisson_table_fill(levy_poisson_table *table, double mean)
{
    if (!(mean >= 0.0 && mean <= POISSON_TABLE_MOST)) return false;
    const uint32_t least = table_count(mean, 0);
    uint32_t count = least, word = 0;
    table->last = table_count(mean, UINT32_MAX);
    for (uint32_t k = 0; k < POISSON_TABLE_COUNTS; ++k) {
        const bool drawn = k >= least && k < table->last;
        if (drawn) word = table_first(mean, word, k);
        table->first[k] = k < least ? 0 : UINT32_MAX;
        if (drawn) table->first[k] = word;
    }
    for (uint32_t cell = 0; cell < POISSON_TABLE_CELLS; ++cell) {
        const uint32_t start = cell << POISSON_TABLE_SHIFT, size = 1u << POISSON_TABLE_SHIFT;
        while (count < table->last && start >= table->first[count]) ++count;
        const bool some = count < table->last && table->first[count] - start < size;
        const bool more = some && count + 1 < table->last && table->first[count + 1] - start < size;
        table->cells[cell] =
            (some ? table->first[count] - start : size) << 10 | (uint32_t)more << 9 | count;
    }
    return true;
}
