/* payoff_script.h: a payoff written as text, and what becomes of it: a program for the lanes, the
 * numbers that the program reads, and what each of its payments is worth. docs/language.md defines
 * the language. Must not know: YAML, trades, markets, how paths are made. */
#ifndef LEVY_SCRIPT_PAYOFF_SCRIPT_H
#define LEVY_SCRIPT_PAYOFF_SCRIPT_H

#include "engine/base/memory.h"
#include "engine/script/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEVY_SCRIPT_VERSION = 2, /* of the language */
    LEVY_SCRIPT_PAIR = 32,
    LEVY_SCRIPT_SPAN = 1 << 16
};
#define LEVY_SCRIPT_ONLY_DATE UINT32_MAX

/* A number, or a list of numbers, that the text names. */
typedef struct levy_script_parameter {
    const char *name;
    const double *values; /* [n] */
    size_t n;
    bool is_list;
    bool used;   /* the text reads it */
    size_t rule; /* 1 + number of a fit, by date, whose it is; 0: it is none's */
} levy_script_parameter;

/* A script with a right whose use is supposed on each date, and not decided
 * (payoffs/rights_bound.h): it pays the most, or the least, of what its paths then get, less its
 * first variable, which is kept in the second. */
typedef enum levy_script_supposed {
    LEVY_SCRIPT_DECIDED,
    LEVY_SCRIPT_MOST_OF,
    LEVY_SCRIPT_LEAST_OF
} levy_script_supposed;

/* What the text may name. */
typedef struct levy_script_frame {
    const char *text; /* `length` bytes of UTF-8 without NUL */
    size_t length;
    levy_script_parameter *parameters; /* [n_parameters] */
    size_t n_parameters;
    const char *const *schedules; /* [n_schedules]; the name `expiry` is the last one */
    size_t n_schedules;
    uint32_t n_assets;
    const char *const *names;     /* [n_assets] of the assets, for hints; NULL: nobody knows */
    const char *without_variance; /* why assets have no variance to read; NULL: they have one */
    bool
        by_regime; /* `regime` and `path_discount` are what a path is in and has: of levy's texts */
    double expiry; /* its time */
    levy_script_supposed supposed;
    size_t open;    /* then: number of a fit that is not 0 on dates on which it may be used */
    bool is_mended; /* a text that was mended already (mend.h) */
} levy_script_frame;

typedef enum levy_script_term_kind {
    LEVY_SCRIPT_WORTH,    /* of 1 paid at the date, in money of the trade's payment date */
    LEVY_SCRIPT_DUE,      /* the same of 1 paid at expiry: 1 */
    LEVY_SCRIPT_ENDS,     /* 1: what counts is that the trade ends at the date */
    LEVY_SCRIPT_YEARS,    /* the date's time */
    LEVY_SCRIPT_NUMBER,   /* of the date in its schedule, from 1 on, past dates included */
    LEVY_SCRIPT_DATES,    /* how many dates the schedule has, past ones included */
    LEVY_SCRIPT_ITEM,     /* the parameter's number for the date */
    LEVY_SCRIPT_LOG_ITEM, /* its natural logarithm, and of less than 1e-30 that of 1e-30 */
    /* Of integrated scripts. The logarithm of asset a = `parameter` is a + b z: b, 1 / b and
     * exp(b^2 / 2); and 1 / (b_i - b_j), where parameter = LEVY_SCRIPT_PAIR x i + j. */
    LEVY_SCRIPT_LOADING,
    LEVY_SCRIPT_INVERSE_LOADING,
    LEVY_SCRIPT_GROWTH,
    LEVY_SCRIPT_LOG_WEIGHT, /* of the asset's weight: level = weight x gross return */
    LEVY_SCRIPT_INVERSE_GAP,
    LEVY_SCRIPT_ADDED, /* cash: added to the level on the date, or, on an ex-date, taken off it */
    /* of asset a's logarithm since the schedule's date before, or since today; 1e-30 at least */
    LEVY_SCRIPT_VARIANCE,
    /* Of two times, where parameter = LEVY_SCRIPT_SPAN x their number + asset: the volatility of
     * Black and Scholes between them, the discount factor, and the years. */
    LEVY_SCRIPT_VOLATILITY,
    LEVY_SCRIPT_DISCOUNT,
    LEVY_SCRIPT_APART,
    LEVY_SCRIPT_RULE /* number `parameter` of the rules by which rights are used; 0: not fitted */
} levy_script_term_kind;

typedef enum levy_script_when_kind {
    LEVY_SCRIPT_NOW,     /* the date of the block */
    LEVY_SCRIPT_ON_DATE, /* a date of a schedule */
    LEVY_SCRIPT_IN_YEARS,
    LEVY_SCRIPT_BY_TERM /* the years are a number by date */
} levy_script_when_kind;

/* A time that the text names. */
typedef struct levy_script_when {
    levy_script_when_kind kind;
    uint32_t number; /* of the schedule; of the term; of years what parts those of two places */
    uint32_t date;   /* of the schedule, from 0 on; LEVY_SCRIPT_ONLY_DATE: it has no other */
    double years;    /* from the valuation date */
} levy_script_when;

typedef struct levy_script_span {
    levy_script_when from, to;
} levy_script_span;

/* A number that differs from date to date. */
typedef struct levy_script_term {
    levy_script_term_kind kind;
    uint32_t schedule;
    size_t parameter;      /* LEVY_SCRIPT_ITEM; of others the asset, or as their kind says */
    uint32_t line, column; /* where the text first asks for it */
} levy_script_term;

typedef struct levy_script_report {
    const char *name;
    uint32_t state;
} levy_script_report;

/* What a var is: the first of its states, which lie together. */
typedef struct levy_script_variable {
    const char *name;
    uint32_t state, n;
    bool is_list; /* one number for each asset */
} levy_script_variable;

/* Of what a decision sees: the most numbers. */
enum { LEVY_SCRIPT_SEEN = 6 };

/* Of each number that a decision sees, four numbers of the date: its mean and its inverse
 * deviation, by which it is standardised, and then its least and its most, to which it is held. */
enum {
    LEVY_SCRIPT_MEAN,
    LEVY_SCRIPT_SHARE,
    LEVY_SCRIPT_LEAST_SEEN,
    LEVY_SCRIPT_MOST_SEEN,
    LEVY_SCRIPT_OF_SEEN
};

/* A right that a party may use once, on the dates of a block. It does where a polynomial of what it
 * sees is below 0: P(n, d) of n variables v and degree d is P(n - 1, d) + v_n P(n, d - 1), down to
 * single coefficients, which follow the numbers of what is seen in this order. */
typedef struct levy_script_right {
    const char *name;
    uint32_t block;
    bool issuer; /* who pays decides, else who is paid */
    bool stops;
    uint32_t used, seen; /* states: 1 once it was used; the first of n_seen */
    uint32_t n_seen, degree;
    size_t first, n; /* numbers of its rule */
} levy_script_right;

typedef struct levy_script_spot { /* 0: nowhere */
    uint32_t line, column;
} levy_script_spot;

typedef struct levy_script {
    const levy_script_program *program;
    const levy_script_spot *places; /* [program->n_steps]: of statements; NULL: nobody asks */
    const double *constants;        /* [program->n_constants] */
    const levy_script_term *terms;  /* [program->n_terms] */
    const levy_script_span *spans;  /* [n_spans] */
    size_t n_spans;
    const levy_script_report *reports;
    size_t n_reports;
    const levy_script_variable *variables; /* in the order of the text */
    size_t n_variables;
    bool reads_levels;
    uint32_t crosses; /* bit s: it asks what was crossed before dates of schedule s */
    /* Of a script with a stop: the states that say whether it still runs, and whether it ended
     * where LEVY_SCRIPT_ENDS counts, and the one that holds the time of its end, which is expiry
     * where nothing stopped it. 0: it has no stop. */
    uint32_t alive, ended, life;
    const levy_script_right *rights;
    size_t n_rights;
} levy_script;

enum { LEVY_SCRIPT_NESTED = 128 }; /* WHEREs that lie in each other: the most */

/* A fault of a text. Lines and columns count from 1. */
typedef struct levy_script_fault {
    uint32_t line, column;
    const char *message, *hint;
    struct levy_script_fault *next; /* the text's others, in its order */
    /* Of the first: what the text may have meant, in this language and on one line. It compiles.
     * needs: what the payoff needs beside it; NULL: nothing. */
    const char *mended, *needs;
    size_t n; /* of those after it */
    bool out_of_memory;
    bool ends;   /* none is looked for after it */
    bool unsure; /* the text may mean several things: it is not mended */
} levy_script_fault;

/* Compiles the text. All memory is the arena's, and the names of reports are too. False: `fault`
 * says why, in all its faults. */
bool levy_script_compile(const levy_script_frame *frame, levy_arena *arena, levy_script *script,
                         levy_script_fault *fault);

/* Why a name cannot be a parameter's: "is a function". NULL: it can. */
const char *levy_script_refuses_name(const char *name);

/* One step's operation on doubles. */
double levy_script_apply(levy_script_op op, double a, double b, double c);

/* Runs block number `block` on one path. terms: [n_terms], levels: [n_assets], states: [n_states],
 * registers: [n_registers], of which the first n_states get the sizes of the states. known: levels
 * are decimals, and so is what states are made of, but for its rounding. Returns a hash of the
 * outcomes: of all comparisons, and of which value was the least or the greatest. */
uint64_t levy_script_run(const levy_script *script, uint32_t block, const double *terms,
                         const double *levels, bool known, double *states, double *registers);

/* The part of that hash that comes of comparisons. */
static inline uint32_t levy_script_compared(uint64_t decided) { return (uint32_t)(decided >> 32); }

#endif
