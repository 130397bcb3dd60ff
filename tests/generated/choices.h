/* choices.h: what a generator decides, as a list of small numbers: drawn from a seed, or given, so
 * that a book that shows a difference can be made smaller by making its list smaller (MacIver and
 * Donaldson, Test-case reduction via test-case generation, 2020). 0 is always the simplest choice.
 */
#ifndef LEVY_TESTS_GENERATED_CHOICES_H
#define LEVY_TESTS_GENERATED_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_CHOICES = 4096 };

typedef struct choices {
    uint64_t state;               /* of the stream that draws */
    bool drawn;                   /* else the numbers are those of `given`, and 0 past them */
    uint32_t given[MOST_CHOICES]; /* [n_given] */
    size_t n_given;
    uint32_t taken[MOST_CHOICES]; /* what was chosen: [n], at most MOST_CHOICES; 0 past them */
    size_t n;
} choices;

void choices_from_seed(choices *c, uint64_t seed);
void choices_from_list(choices *c, const uint32_t *given, size_t n);

unsigned choose(choices *c, unsigned n); /* 0 to n - 1 */
/* An index of weights, which end with a 0: by their share */
unsigned choose_weighted(choices *c, const unsigned char *weights);
bool choose_rarely(choices *c, unsigned percent); /* true with this chance; false is simplest */
/* one of `steps` + 1 numbers from `simplest` to `other` in equal steps */
double choose_between(choices *c, double simplest, double other, unsigned steps);

/* Makes the list of `c` smaller while `shows` says that it still shows what it is about, for at
 * most so many trials; `c` then holds the smallest list found as its `given`. */
typedef bool (*choices_show)(void *user, choices *c);
void choices_shrink(choices *c, choices_show shows, void *user, size_t trials);

#endif
