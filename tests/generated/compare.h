/* compare.h: prices of one contract in two ways, which must agree, over all trades, measures and
 * reports. The pairs that any book has are here; a generator of books brings others of its own
 * (runner.h). How two numbers must agree:
 *   by bits     value, error, interval and note; of the same draws in another order, place or text
 *   within      a share of the value: of the same draws and another arithmetic
 *   by error    6 of both errors, and 1e-12 of the value and of the trade's price, which is the
 *               arithmetic of double (1e-6 of single precision), and 1e-15; of draws of their own.
 * What is exact has the error that it states: none, or its rounding. Greeks are no exception A
 * number is excused from its error if levy says of one of the two that it does not vouch for it: no
 * value; unreliable, or no error; biased or one-sided (a measure that is marked). `noisy` excuses
 * nothing, nor does the size of the number or its kind. An amount without an error is excused up to
 * what events are worth that sixteen paths meet, for all paths may agree on it. Numbers that are
 * excused, because they do differ, are counted and printed, and their share is bounded (runner.c).
 */
#ifndef LEVY_TESTS_GENERATED_COMPARE_H
#define LEVY_TESTS_GENERATED_COMPARE_H

#include "engine/levy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOOK_SIZE = 1 << 15, COMPARISON_TEXT = 1 << 12, COMPARISON_SETTINGS = 8 };

/* What a generator writes: JSON, on which a pair may build. */
typedef struct generated_book {
    char text[BOOK_SIZE];
    char twin[BOOK_SIZE];    /* the same contracts in other words; empty: there is none */
    bool twin_on_same_paths; /* its numbers are those of the text but for rounding */
    char units[BOOK_SIZE];   /* the same, levels as fractions in place of quotes, or the reverse */
    char sums[BOOK_SIZE];    /* trades whose value is known or bounded (books.h) */
} generated_book;

/* Why a number may differ, by what levy says of it. */
typedef enum exemption { NO_EXEMPTION, BIASED, UNRELIABLE, NO_VALUE, EXEMPTIONS } exemption;

/* Two prices of a book, and how they differ. */
typedef struct comparison {
    levy_context *context;
    unsigned paths_log2; /* 16 replicates of 2^(paths_log2 - 4) */
    uint64_t seed;       /* of the simulation */
    double arithmetic;   /* of single precision; 0: of double */
    unsigned quote;      /* which ones are moved, and whither: the seed of the book */
    /* what came of it */
    size_t compared, doubtful;  /* numbers; those that levy does not vouch for, equal or not */
    size_t excused[EXEMPTIONS]; /* those of them that differ by more than their errors */
    size_t differences;
    double squares; /* of z, where it is no difference: of n_z */
    size_t n_z;
    const char *against;        /* the second text, if it is not the first; NULL: it is */
    bool skipped;               /* the pair says nothing of this book; `text` may say why */
    bool refused;               /* a book was not read, or a trade has no price: `text` says why */
    char text[COMPARISON_TEXT]; /* the first differences */
} comparison;

/* printf into the comparison's text, a line. */
void comparison_say(comparison *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Every trade, measure and report of both; a measure that one alone has is none if its name is
 * smoothing_bias. By error: the draws of both are independent. */
void compare_by_error(comparison *c, const levy_results *a, const levy_results *b);
/* the same bits of every number, and the same words */
void compare_by_bits(comparison *c, const levy_results *a, const levy_results *b);
/* the same, but that `a` says what steps leave */
void compare_but_steps(comparison *c, const levy_results *a, const levy_results *b);
/* of the trades of `a` alone; of prices alone */
void compare_found_by_bits(comparison *c, const levy_results *a, const levy_results *b);
void compare_prices_by_bits(comparison *c, const levy_results *a, const levy_results *b);
/* within a share of the value, and as much of the standard error */
void compare_within(comparison *c, const levy_results *a, const levy_results *b, double share);
/* the same of prices and scenarios, by error of Greeks; share 0: all by error */
void compare_values_within(comparison *c, const levy_results *a, const levy_results *b,
                           double share);

/* Up to which an amount without an error may be off; INFINITY: it is a difference by a bump. */
double comparison_unseen(const comparison *c, const char *measure, double size);

/* The prices of one under a scenario `moved`, and those of the other under the quotes of it. */
void compare_move(comparison *c, const levy_results *moved, const levy_results *set);

/* How a side is priced: settings in place of the book's, "key=value", NULL at the end; `seed` is
 * added to the comparison's. options NULL: on the CPU. NULL: refused. */
levy_results *comparison_price(comparison *c, const char *text, const char *const *settings,
                               uint64_t seed, const levy_price_options *options);
/* A book that was loaded, with the quotes that it has by now. */
levy_results *comparison_price_book(comparison *c, levy_book *book);
/* In place of levy_results_destroy: a book that was priced as it is is kept until it is forgotten.
 */
void comparison_release(levy_results *results);
void comparison_forget(void);
/* Its first half, and what it does with what levy refuses. */
levy_book *comparison_load(comparison *c, const char *text, const char *const *settings,
                           uint64_t seed);
void comparison_refuse(comparison *c);

/* The pairs of any book. */
typedef void (*compare_pair)(const generated_book *book, comparison *c);
void pair_integrated(const generated_book *book, comparison *c); /* smoothing all, and none */
void pair_single(const generated_book *book, comparison *c);  /* integrated in single, and plain */
void pair_threads(const generated_book *book, comparison *c); /* 1 and 3; batches */
void pair_parts(const generated_book *book, comparison *c);   /* parts and their merge */
void pair_staged(const generated_book *book, comparison *c);  /* staged and fused */
void pair_steps(const generated_book *book, comparison *c);   /* with step_bias, and without */
void pair_points(const generated_book *book, comparison *c);  /* a lattice, and Halton's points */
void pair_sets(const generated_book *book, comparison *c);    /* instruction sets that are built */
void pair_width(const generated_book *book, comparison *c);   /* softened at 1e-4, and plain */
void pair_yaml(const generated_book *book, comparison *c);    /* JSON and YAML */
void pair_twin(const generated_book *book, comparison *c);    /* text and twin */

/* The book as YAML in blocks, as a reader would write it. */
bool book_as_yaml(const char *json, char *yaml, size_t size);

#endif
