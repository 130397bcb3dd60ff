/* book_text.h: the text of a generated book while it is written. One list of choices gives several
 * spellings of the same contracts: as written, as scripts, in other units, and as sums of trades
 * whose value is known or bounded. Terms of a kind are a template (book_kinds.h), in which
 *
 *     '                 is a double quote
 *     $name:<a|b|c>     is one of these words, kept under the name; $name_is is its number
 *     $name:X           is a drawn term of type X, kept under the name
 *     $name             is what was kept; nothing was: 0
 *     ?25~...~          is there with a chance of 25 %
 *
 * Types: K a level near 1, U above, D below it; M an amount of money; X an amount that may be
 * negative; R a small number, G one that grows by date to no more than the notional a year; T a
 * date before expiry, N today; S a schedule; P one of at most so many dates as there are
 * underlyings; I levels and C coupons by date of the last schedule, or one for all; W a number for
 * each underlying. Levels and money are in units of the trade. $L, in scripts, is the level of the
 * trade; $agg its `aggregate`, $pct and $lev what makes levels fractions. */
#ifndef LEVY_TESTS_GENERATED_BOOK_TEXT_H
#define LEVY_TESTS_GENERATED_BOOK_TEXT_H

#include "tests/generated/choices.h"

enum { MOST_ASSETS = 4, MOST_NAMED = 32, NAMED_TEXT = 512 };

typedef enum spelling { AS_WRITTEN, AS_SCRIPT, IN_OTHER_UNITS, AS_SUMS } spelling;
typedef enum model_kind {
    BLACK,
    MERTON,
    KOU,
    REGIMES,
    NIG,
    GAMMA,
    HISTORICAL,
    HESTON,
    BATES
} model_kind;
/* Of several underlyings. EACH: the kind knows them apart. */
typedef enum level_kind { ONE, BASKET, WORST, BEST, GEOMETRIC, EACH } level_kind;

typedef struct named {
    const char *name; /* in a template */
    size_t length;
    unsigned number; /* of a word */
    char text[NAMED_TEXT];
} named;

typedef struct draft {
    choices *c;
    char *out; /* [size] */
    size_t size;
    spelling spelling;
    /* the book */
    bool dated; /* times are dates */
    unsigned n_assets;
    model_kind model;
    unsigned regimes; /* which ones of the model, if it is of that kind */
    bool jumps;       /* of a model of kind black_scholes or heston */
    bool early;       /* the first trade may be exercised early */
    bool volga;       /* is asked for: rules are fitted to bumped markets as well */
    bool alone;       /* it is the only one */
    bool continuous;  /* some trade is watched at all times */
    bool variances;   /* correlations of them are given */
    bool quanto;      /* the assets are quoted in another currency than that of the trades */
    bool simulated;   /* by the rate's own random variance */
    bool composite;   /* and are seen in that one, at a rate of 1 */
    unsigned rule;    /* 1 + that of all cash dividends, of spot and affine; 0: none so far */
    double spots[MOST_ASSETS];
    bool has_legs;   /* some trade is a sum */
    bool has_powers; /* of several levels */
    /* the trade that is written */
    unsigned first, n; /* its underlyings */
    level_kind level;
    double initial[MOST_ASSETS], weights[MOST_ASSETS];
    bool percent, initial_is_spot, weighted, has_past;
    double unit, expiry;
    char style[NAMED_TEXT]; /* of its exercise, behind the expiry */
    named kept[MOST_NAMED];
    size_t n_kept;
    unsigned n_dates; /* of the last schedule; 0: not known */
} draft;

extern const char asset_names[]; /* a letter each */

#define PICK(c, ...) choose_weighted((c), (const unsigned char[]){__VA_ARGS__, 0})

void put(draft *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void put_time(draft *d, double years);
void put_template(draft *d, const char *text);
void put_schedule(draft *d);
void put_script(draft *d, const char *text); /* a template, as a string of JSON */
void put_initial_fixing(draft *d);
void forget_terms(draft *d);
/* Takes the terms' choices without their text. */
void draw_template(draft *d, const char *text);

#endif
