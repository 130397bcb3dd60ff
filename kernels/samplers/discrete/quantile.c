/* quantile.c: see quantile_table.h. Octaves are done from the middle of the law outwards, so that
 * every inverse starts near its root. */
#include "kernels/samplers/discrete/quantile_table.h"
#include "kernels/lane/scalar.h"

#include <string.h>

/* The same numbers as in quantile.h, which this file does not include because of its lanes. */
static const double quantile_floor = 0.015625; /* smaller draws count as this one */
enum {
    QUANTILE_HALF = 33,
    QUANTILE_FRONT = 136,
    QUANTILE_WIDTH = 8,
    QUANTILE_MOST_BITS = 10,
    QUANTILE_TRIES = 3
};

/* Where a cell is fitted to the law: at its ends and at cos(k pi / 7) / 2 between them, in rising
 * order. */
static const double quantile_knots[QUANTILE_WIDTH] = {
    -0.5,
    -0.45048443395120956312,
    -0.31174490092936676526,
    -0.11126046697815720214,
    0.11126046697815720214,
    0.31174490092936676526,
    0.45048443395120956312,
    0.5,
};
/* tests between the knots */
static const double quantile_tries[QUANTILE_TRIES] = {-0.388, 0.0, 0.388};

typedef struct quantile_builder {
    const levy_law *law;
    double tolerance;
    bool upper;
    double log_p, y, slope; /* the last inverse, where the next one starts */
    levy_arena *arena;
    double *reals;
    size_t n, room;
} quantile_builder;

static double quantile_at(quantile_builder *b, double p)
{
    const double log_p = levy_log(p),
                 guess = b->y + (b->slope != 0.0 ? (log_p - b->log_p) / b->slope : 0.0);
    b->y = levy_law_log_quantile(b->law, b->upper, log_p, guess, &b->slope);
    b->log_p = log_p;
    return b->y;
}

/* The polynomial through the knots, in powers: Newton's divided differences, multiplied out. */
static void quantile_fit(const double *values, double *c)
{
    double d[QUANTILE_WIDTH];
    memcpy(d, values, sizeof d);
    for (int k = 1; k < QUANTILE_WIDTH; ++k)
        for (int i = QUANTILE_WIDTH - 1; i >= k; --i)
            d[i] = (d[i] - d[i - 1]) / (quantile_knots[i] - quantile_knots[i - k]);
    memset(c, 0, QUANTILE_WIDTH * sizeof *c);
    for (int k = QUANTILE_WIDTH - 1; k >= 0; --k) { /* c = c (s - knot k) + d[k] */
        for (int i = QUANTILE_WIDTH - 1; i > 0; --i) c[i] = c[i - 1] - quantile_knots[k] * c[i];
        c[0] = d[k] - quantile_knots[k] * c[0];
    }
}

static double quantile_value(const double *c, double s)
{
    double sum = c[QUANTILE_WIDTH - 1];
    for (int k = QUANTILE_WIDTH - 2; k >= 0; --k) sum = sum * s + c[k];
    return sum;
}

/* Fits the cell from x = `from` to from + width. Returns whether it is good enough. */
static bool quantile_cell(quantile_builder *b, double from, double width, double *c)
{
    double values[QUANTILE_WIDTH];
    for (int k = 0; k < QUANTILE_WIDTH; ++k)
        values[k] = quantile_at(b, 0x1p-32 * (from + width * (0.5 + quantile_knots[k])));
    quantile_fit(values, c);
    for (int k = QUANTILE_TRIES - 1; k >= 0; --k) {
        const double exact =
            levy_exp(quantile_at(b, 0x1p-32 * (from + width * (0.5 + quantile_tries[k]))));
        const double off = levy_exp(quantile_value(c, quantile_tries[k])) - exact;
        if (!((off < 0.0 ? -off : off) <= b->tolerance * (quantile_floor + exact))) return false;
    }
    return true;
}

static levy_status quantile_reserve(quantile_builder *b, size_t more)
{
    if (b->n + more <= b->room) return LEVY_OK;
    const size_t room = 2 * (b->n + more);
    double *const fresh = levy_arena_allocate(b->arena, room, sizeof *fresh);
    if (!fresh) return LEVY_MEMORY;
    if (b->n) memcpy(fresh, b->reals, b->n * sizeof *fresh);
    b->reals = fresh;
    b->room = room;
    return LEVY_OK;
}

/* The number of cells to try first, as a power of two. A beta law of small shapes leaps from one
 * end to the other within a probability of a few shapes; the tests must not step over that. */
static uint32_t quantile_first_bits(const levy_law *law, uint32_t octave)
{
    const double shape = law->a < law->b ? law->a : law->b;
    uint32_t bits = 0;
    if (law->kind != LEVY_QUANTILE_BETA || octave + 4 < QUANTILE_HALF) return 0;
    while (bits < QUANTILE_MOST_BITS && shape * (double)(4u << bits) < 1.0) ++bits;
    return bits;
}

/* Fills the octave from x = 2^(octave - 1) to twice that. Cells are doubled until they are good
 * enough. */
static levy_status quantile_octave(quantile_builder *b, uint32_t octave)
{
    double from = 0.5;
    for (uint32_t i = 0; i < octave; ++i) from *= 2.0;
    for (uint32_t bits = quantile_first_bits(b->law, octave);; ++bits) {
        const size_t cells = (size_t)1 << bits;
        const double width = from / (double)cells;
        bool good = true;
        LEVY_TRY(quantile_reserve(b, cells * QUANTILE_WIDTH));
        for (size_t i = cells; i-- > 0 && (good || bits == QUANTILE_MOST_BITS);)
            good = quantile_cell(b, from + width * (double)i, width,
                                 b->reals + b->n + i * QUANTILE_WIDTH) &&
                   good;
        if (!good && bits < QUANTILE_MOST_BITS) continue;
        double *const slot = b->reals + 2 * (octave + (b->upper ? QUANTILE_HALF : 0));
        slot[0] = (double)(b->n / QUANTILE_WIDTH);
        slot[1] = (double)cells;
        b->n += cells * QUANTILE_WIDTH;
        return LEVY_OK;
    }
}

/* The octave of words that single precision rounds up to the middle: one cell that holds the
 * middle's value. */
static levy_status quantile_middle(quantile_builder *b)
{
    LEVY_TRY(quantile_reserve(b, QUANTILE_WIDTH));
    double *const slot = b->reals + 2 * (QUANTILE_HALF - 1 + (b->upper ? QUANTILE_HALF : 0));
    slot[0] = (double)(b->n / QUANTILE_WIDTH);
    slot[1] = 1.0;
    memset(b->reals + b->n, 0, QUANTILE_WIDTH * sizeof *b->reals);
    b->reals[b->n] = quantile_at(b, 0.5);
    b->n += QUANTILE_WIDTH;
    return LEVY_OK;
}

levy_status levy_quantile_build(const levy_law *law, double tolerance, double scale,
                                levy_arena *arena, double **table, size_t *n)
{
    quantile_builder b = {.law = law, .tolerance = tolerance, .arena = arena};
    LEVY_TRY(quantile_reserve(&b, QUANTILE_FRONT + 256 * QUANTILE_WIDTH));
    memset(b.reals, 0, QUANTILE_FRONT * sizeof *b.reals);
    b.n = QUANTILE_FRONT;
    for (int half = 0; half < 2; ++half) {
        b.upper = half == 1;
        b.slope = 0.0;
        b.y = -0.7;
        LEVY_TRY(quantile_middle(&b));
        for (uint32_t octave = QUANTILE_HALF - 1; octave-- > 0;)
            LEVY_TRY(quantile_octave(&b, octave));
    }
    for (size_t i = QUANTILE_FRONT; i < b.n; ++i) b.reals[i] *= scale;
    *table = b.reals;
    *n = b.n;
    return LEVY_OK;
}
