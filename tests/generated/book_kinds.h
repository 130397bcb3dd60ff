/* book_kinds.h: what a generated book knows of each kind of payoff: templates of its terms, of the
 * same contract as a script, and of sums whose value is known (book_text.h). */
#ifndef LEVY_TESTS_GENERATED_BOOK_KINDS_H
#define LEVY_TESTS_GENERATED_BOOK_KINDS_H

#include "tests/generated/book_text.h"

typedef enum units { IN_BOTH, PERCENT, ABSOLUTE } units;

typedef struct kind_row {
    const char *terms;
    /* as a script, by the documents: its schedules and parameters, and its text; NULL: none */
    const char *keys, *script;
    /* Sums, a line each: their sign, then legs behind + or -. "=": worth 0. "~": worth 0 unless
     * expiry is today or has passed. ">": not below 0. NULL: none */
    const char *sums;
    const char *state;         /* its variables; NULL: none */
    unsigned char least, most; /* underlyings */
    bool aggregates;           /* one of several makes the level, by the key `aggregate` */
    level_kind level;          /* of several, else */
    units units;
    bool continuous; /* of one asset, under Black-Scholes or Heston alone */
    bool alive;      /* expiry is to come */
} kind_row;

/* with lanes of their own, and shipped as scripts */
extern const kind_row kind_rows[], script_rows[];
extern const unsigned n_kind_rows, n_script_rows;

#endif
