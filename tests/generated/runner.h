/* runner.h: makes books from seeds and compares their pairs. A z above 6 is repeated with another
 * seed and 16 times the paths: a difference is what stays. It prints the smallest book that shows
 * it.
 *
 *     test_generated_NAME                      the seeds of CI, each with some of the pairs
 *     test_generated_NAME SEED COUNT [PAIR]    seeds SEED to SEED + COUNT - 1, all pairs or one. It
 *                                              prints where it is: begin there to go on
 *     test_generated_NAME book SEED            prints the book of a seed
 *     test_generated_NAME json SEED COUNT      prints books as JSON, one a line
 */
#ifndef LEVY_TESTS_GENERATED_RUNNER_H
#define LEVY_TESTS_GENERATED_RUNNER_H

#include "tests/generated/choices.h"
#include "tests/generated/compare.h"

typedef struct generated_pair {
    const char *name;
    compare_pair compare;
    unsigned every; /* in CI: of so many books one is compared; 0: none */
} generated_pair;

typedef struct generated_suite {
    void (*write)(choices *c, generated_book *book);
    const generated_pair *pairs; /* [n_pairs] */
    size_t n_pairs;
    uint64_t seed; /* of CI, and its count */
    size_t count;
    unsigned paths_log2;
} generated_suite;

/* Differences found, and books refused, which are faults of the generator: printed. */
size_t generated_compare(const generated_suite *suite, uint64_t seed, size_t count,
                         const char *pair, bool sampled);
/* What main does with arguments; returns the exit code. */
int generated_run(const generated_suite *suite, int argc, char **argv);

#endif
