/* runner.c: see runner.h. */
#include "tests/generated/runner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PAIRS = 24, SHRINK_TRIALS = 600, SAY_SECONDS = 20, ENOUGH_NUMBERS = 2000 };
static const double most_excused = 0.02; /* of all numbers */

/* What a run has seen of a pair. */
typedef struct tally {
    size_t books, skipped, numbers, doubtful, excused[EXEMPTIONS], repeated, differences, n_z;
    double squares;
} tally;

typedef struct run {
    const generated_suite *suite;
    levy_context *context;
    choices made;
    generated_book book;
    comparison result;
    tally tallies[MOST_PAIRS];
    size_t refused;
    uint64_t book_seed;
} run;

static void compare_once(run *r, const generated_pair *pair, unsigned paths_log2, uint64_t seed)
{
    r->result = (comparison){.context = r->context,
                             .paths_log2 = paths_log2,
                             .seed = seed,
                             .quote = (unsigned)r->book_seed};
    pair->compare(&r->book, &r->result);
}

/* Whether the book of these choices differs, at the paths at which a difference stays. */
typedef struct question {
    run *run;
    const generated_pair *pair;
} question;

static bool still_differs(void *user, choices *c)
{
    const question *const q = user;
    run *const r = q->run;
    r->suite->write(c, &r->book);
    compare_once(r, q->pair, r->suite->paths_log2 + 4, 2);
    return r->result.differences > 0 && !r->result.refused;
}

static void print_smallest(run *r, const generated_pair *pair, uint64_t seed)
{
    static char yaml[2 * BOOK_SIZE];
    question q = {r, pair};
    printf("seed %llu: %s differs:\n%s", (unsigned long long)seed, pair->name, r->result.text);
    fflush(stdout);
    choices_shrink(&r->made, still_differs, &q, SHRINK_TRIALS);
    const bool differs = still_differs(&q, &r->made);
    printf("the smallest book%s:\n%s", differs ? "" : ", which differs no more", r->result.text);
    printf("%s\n", book_as_yaml(r->book.text, yaml, sizeof yaml) ? yaml : r->book.text);
    if (r->result.against && book_as_yaml(r->result.against, yaml, sizeof yaml))
        printf("against:\n%s\n", yaml);
    fflush(stdout);
}

static void compare_pair_of(run *r, const generated_pair *pair, tally *t, uint64_t seed)
{
    compare_once(r, pair, r->suite->paths_log2, 1);
    const comparison first = r->result;
    if (first.differences > 0 && !first.refused) {
        ++t->repeated;
        compare_once(r, pair, r->suite->paths_log2 + 4, 2);
    }
    if (first.skipped && first.text[0])
        printf("seed %llu: %s says nothing: %s", (unsigned long long)seed, pair->name, first.text);
    ++t->books;
    t->skipped += first.skipped;
    t->numbers += first.compared;
    t->doubtful += first.doubtful;
    for (int e = 0; e < EXEMPTIONS; ++e) t->excused[e] += first.excused[e];
    t->squares += first.squares;
    t->n_z += first.n_z;
    if (r->result.refused) {
        ++r->refused;
        printf("seed %llu: %s: refused:\n%s%s\n", (unsigned long long)seed, pair->name,
               r->result.text, r->book.text);
    } else if (r->result.differences > 0) {
        ++t->differences;
        print_smallest(r, pair, seed);
        choices_from_seed(&r->made, seed);
        r->suite->write(&r->made, &r->book);
    }
}

static void print_tallies(const run *r)
{
    for (size_t p = 0; p < r->suite->n_pairs; ++p) {
        const tally *const t = &r->tallies[p];
        if (t->books == 0) continue;
        printf(
            "%-12s %6zu books, %zu say nothing; %8zu numbers, %zu in doubt; excused: %zu biased, "
            "%zu unreliable, %zu no value; ",
            r->suite->pairs[p].name, t->books, t->skipped, t->numbers, t->doubtful,
            t->excused[BIASED], t->excused[UNRELIABLE], t->excused[NO_VALUE]);
        if (t->n_z > 0) printf("rms z %.3f; ", sqrt(t->squares / (double)t->n_z));
        printf("%zu repeated, %zu differ\n", t->repeated, t->differences);
    }
    if (r->refused > 0) printf("%zu refused\n", r->refused);
    fflush(stdout);
}

/* Whether more numbers are excused than a comparison may let pass. */
static bool excuses_too_much(const run *r)
{
    size_t numbers = 0, excused = 0;
    for (size_t p = 0; p < r->suite->n_pairs; ++p) {
        numbers += r->tallies[p].numbers;
        for (int e = 0; e < EXEMPTIONS; ++e) excused += r->tallies[p].excused[e];
    }
    printf("excused: %zu of %zu numbers\n", excused, numbers);
    return numbers >= ENOUGH_NUMBERS && (double)excused > most_excused * (double)numbers;
}

static bool is_sampled(const generated_pair *pair, uint64_t number)
{
    return pair->every > 0 && number % pair->every == 0;
}

size_t generated_compare(const generated_suite *suite, uint64_t seed, size_t count,
                         const char *pair, bool sampled)
{
    run *const r = calloc(1, sizeof *r);
    if (!r || suite->n_pairs > MOST_PAIRS || levy_context_create(NULL, &r->context) != 0) {
        free(r);
        return 1;
    }
    r->suite = suite;
    time_t said = time(NULL);
    for (uint64_t s = seed; s < seed + count; ++s) {
        choices_from_seed(&r->made, s);
        suite->write(&r->made, &r->book);
        r->book_seed = s;
        comparison_forget();
        for (size_t p = 0; p < suite->n_pairs; ++p) {
            const generated_pair *const each = &suite->pairs[p];
            if (pair ? strcmp(pair, each->name) != 0 : sampled && !is_sampled(each, s + p))
                continue;
            compare_pair_of(r, each, &r->tallies[p], s);
        }
        if (time(NULL) - said < SAY_SECONDS) continue;
        said = time(NULL);
        printf("seed %llu done, %llu left\n", (unsigned long long)s,
               (unsigned long long)(seed + count - 1 - s));
        print_tallies(r);
    }
    print_tallies(r);
    size_t faults = r->refused + excuses_too_much(r);
    for (size_t p = 0; p < suite->n_pairs; ++p) faults += r->tallies[p].differences;
    comparison_forget();
    levy_context_destroy(r->context);
    free(r);
    return faults;
}

static int print_book(const generated_suite *suite, uint64_t seed)
{
    static choices made;
    static generated_book book;
    static char yaml[2 * BOOK_SIZE];
    choices_from_seed(&made, seed);
    suite->write(&made, &book);
    const bool read = book_as_yaml(book.text, yaml, sizeof yaml);
    printf("%s\n", read ? yaml : book.text);
    if (book.twin[0]) printf("---\n%s\n", book_as_yaml(book.twin, yaml, sizeof yaml) ? yaml : "");
    return !read;
}

/* One line of JSON each. */
static int print_json(const generated_suite *suite, uint64_t seed, uint64_t count)
{
    static choices made;
    static generated_book book;
    for (uint64_t s = seed; s < seed + count; ++s) {
        choices_from_seed(&made, s);
        suite->write(&made, &book);
        puts(book.text);
    }
    return 0;
}

int generated_run(const generated_suite *suite, int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "book") == 0)
        return print_book(suite, strtoull(argv[2], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "json") == 0)
        return print_json(suite, strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc < 3 || argc > 4) {
        fprintf(stderr, "%s [SEED COUNT [PAIR] | book SEED | json SEED COUNT]\n", argv[0]);
        return 2;
    }
    return generated_compare(suite, strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10),
                             argc == 4 ? argv[3] : NULL, false) > 0;
}
