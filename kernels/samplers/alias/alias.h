/* alias.h: drawing one of n items by weight in constant time. A. J. Walker, 1977; M. D. Vose, A
 * linear algorithm for generating random numbers with a given distribution, IEEE TSE 17(9), 1991;
 * the sweeping and the parallel splitting constructions (PSA, PSA+) of L. Huebschle-Schneider and
 * P. Sanders, Parallel weighted random sampling, ESA 2019.
 *
 * A table has a row per item; every row holds the same share of the total weight, split between at
 * most two items. Each construction gives every item its weight to rounding (1e-12 at worst for up
 * to 10^8 items, a few 1e-16 as a rule), whatever the weights; light items keep their weight bit
 * for bit. A table's bits are a function of method and weights alone. Must not know: where random
 * words come from, what items mean, a thread pool (the caller lends one). */
#ifndef LEVY_ALIAS_H
#define LEVY_ALIAS_H

#ifdef __cplusplus
extern "C" {
#endif

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "kernels/samplers/alias/alias_fixed.h"

#include <stdbool.h>
#include <stdint.h>

#define LEVY_ALIAS_LIMIT 4294967295u /* the most items */

/* item[0] has the weight `threshold`, item[1] the rest of the share. The threshold is the smaller
 * part, so that it keeps its full relative precision. An unsplit row is {0, {own, own}}. */
typedef struct levy_alias_row {
    double threshold;
    uint32_t item[2];
} levy_alias_row;

/* A row in eight bytes, for samplers that depend on the cache. A place below threshold / 2^32 gives
 * the row's own item, any other gives `other`. */
typedef struct levy_alias_short_row {
    uint32_t threshold, other;
} levy_alias_short_row;

typedef enum levy_alias_method {
    LEVY_ALIAS_VOSE,  /* two stacks; sequential */
    LEVY_ALIAS_SWEEP, /* two pointers; sequential */
    /* in parallel: lists, prefix sums, splits, then sections packed side by side; gives the sweep's
     * table */
    LEVY_ALIAS_PSA,
    LEVY_ALIAS_PSA_PLUS /* sweeps sections greedily, then PSA for the rest */
} levy_alias_method;

/* Weights in either precision: one of the two pointers is set. */
typedef struct levy_alias_weights {
    const double *doubles;
    const float *singles;
    uint64_t count;
} levy_alias_weights;

/* Workers that the caller lends. run(pool, work, user) calls work(user, w) once for each w below
 * `workers` and waits for all. levy_threads_run with a levy_threads fits. */
typedef struct levy_alias_crew {
    uint32_t workers;
    void (*run)(void *pool, void (*work)(void *user, uint32_t worker), void *user);
    void *pool;
} levy_alias_crew;

typedef enum levy_alias_reason {
    LEVY_ALIAS_FINE,
    LEVY_ALIAS_COUNT, /* none, or more than LEVY_ALIAS_LIMIT */
    LEVY_ALIAS_NEGATIVE,
    LEVY_ALIAS_NAN,
    LEVY_ALIAS_INFINITE,
    LEVY_ALIAS_ALL_ZERO
} levy_alias_reason;

typedef struct levy_alias_fault {
    levy_alias_reason reason;
    uint64_t index; /* of the first such weight */
    double value;
} levy_alias_fault;

typedef struct levy_alias {
    const levy_memory *memory;
    uint64_t count, capacity;
    levy_alias_row *rows;
    void *scratch; /* of the constructions, kept from build to build */
    size_t scratch_size;
    alias_scale scale;
    alias_pair total; /* of the weights, times 2^total_shift */
    int total_shift;  /* 0, or -64 where the sum would not be finite */
} levy_alias;

levy_status levy_alias_create(const levy_memory *memory, uint64_t capacity, levy_alias **alias);
void levy_alias_destroy(levy_alias *alias);
/* Fills the table. crew NULL: the caller's thread does all. LEVY_INPUT: the weights are refused,
 * `fault` (never NULL) says what and where, and the table is empty. LEVY_ARGUMENT: more weights
 * than the capacity. LEVY_MEMORY: no memory. */
levy_status levy_alias_build(levy_alias *alias, const levy_alias_weights *weights,
                             levy_alias_method method, const levy_alias_crew *crew,
                             levy_alias_fault *fault);
/* A fault in words, such as "weights[17] is -0.5: a weight must be a finite number, 0 or more". It
 * is cut to size. */
void levy_alias_fault_text(const levy_alias_fault *fault, char *text, size_t size);

/* The largest relative error of an item's mass in the table against its weight. A mass where the
 * weight is 0 is an error of 1, and so is a missing mass. Rows may come from elsewhere (a GPU).
 * `masses`: room for 2 n doubles. */
double levy_alias_error(const levy_alias *alias, const levy_alias_row *rows,
                        const levy_alias_weights *weights, double *masses);
/* The same for the items from `first` to before `last` alone, so that several threads can share the
 * work. Each uses its own part of masses. */
double levy_alias_error_of(const levy_alias *alias, const levy_alias_row *rows,
                           const levy_alias_weights *weights, uint64_t first, uint64_t last,
                           double *masses);
/* writes `count` rows */
void levy_alias_shorten(const levy_alias *alias, levy_alias_short_row *rows);

/* scale: 2^32 / share. Parts are rounded to 2^-32 of a share. */
ALIAS_FN levy_alias_short_row alias_short_row(levy_alias_row row, uint32_t own, double scale)
{
    const double split = row.threshold * scale + 0.5;
    const uint32_t part = split < 4294967295.0 ? (uint32_t)split : 4294967295u;
    levy_alias_short_row out = {0, own}; /* whole */
    if (row.item[0] == own) {
        out.threshold = part;
        out.other = row.item[1];
    } else if (part > 0) {
        out.threshold = 0u - part;
        out.other = row.item[0];
    }
    return out;
}

static inline double levy_alias_weight_at(const levy_alias_weights *w, uint64_t i)
{
    return w->doubles ? w->doubles[i] : (double)w->singles[i];
}

/* The item of a uniform word. The row is floor(word n / 2^64), and the product's lower half is the
 * place in the row. */
static inline uint32_t levy_alias_draw(const levy_alias *alias, uint64_t word)
{
    const alias_wide product = (alias_wide)word * alias->count;
    const levy_alias_row *const row = &alias->rows[(uint64_t)(product >> 64)];
    const double place = (double)((uint64_t)product >> 11) * 0x1p-53 * alias->scale.share;
    return row->item[!(place < row->threshold)];
}

#ifdef __cplusplus
}
#endif
#endif
