/* normals_isa.c: stand-alone normals on the CPU, compiled once per instruction set and precision. A
 * worker takes a tile of neighbouring points and makes it dimension by dimension; the Gray code of
 * a Sobol index changes one known word from one register of points to the next. Rows are made in a
 * buffer at whole registers and copied from there, so that any first point and any count is good.
 * Must not know: threads, seeds. */
#include "kernels/cpu/normals_isa.h"

#include "engine/levy.h"
#include "kernels/lane/normal.h"
#include "kernels/points/points.h"

#include <string.h>

/* A row of a tile: registers that cover it, from the register that holds its first point. */
enum { NORMALS_ROW = LEVY_NORMALS_TILE + 2 * LANES };

typedef struct normals_rows {
    const levy_normals_tables *tables;
    const levy_normals_tile *tile;
    uint32_t skew;  /* numbers of the first register that lie before the first point */
    uint32_t width; /* numbers of whole registers */
} normals_rows;

typedef union normals_buffer {
    real numbers[NORMALS_ROW];
    uint32_t words[NORMALS_ROW];
    lane aligned;
} normals_buffer;

LANE_FN void normals_put(int32_t output, normals_buffer *row, uint32_t i, lane_word word)
{
    lane value;
    if (output == LEVY_NORMALS_WORD) {
        memcpy(row->words + i, &word, sizeof word);
        return;
    }
    value = output == LEVY_NORMALS_UNIFORM ? lane_uniform_from_word(word) : normal_from_word(word);
    memcpy(row->numbers + i, &value, sizeof value);
}

static void normals_copy(const normals_rows *r, uint32_t d, const normals_buffer *row)
{
    const size_t size = r->tables->output == LEVY_NORMALS_WORD ? sizeof(uint32_t) : sizeof(real);
    memcpy((char *)r->tile->output + d * r->tile->stride * size, (const char *)row + r->skew * size,
           r->tile->count * size);
}

LANE_FN lane_word normals_iota(void)
{
    lane_word w = lane_word_of(0);
    for (uint32_t i = 0; i < LANES; ++i) w[i] = i;
    return w;
}

/* ---- Sobol ----------------------------------------------------------------------------------- */

static lane_word normals_sobol_first(const uint32_t *column, uint64_t index)
{
    lane_word words = lane_word_of(column[32]);
    for (uint32_t i = 0; i < LANES; ++i)
        for (uint64_t gray = sobol_gray(index + i); gray; gray &= gray - 1)
            words[i] ^= column[__builtin_ctzll(gray)];
    return words;
}

/* From a register to the next, the index changes in the bits from log2 LANES to some bit k. The
 * Gray code changes in bit k and in the bit below log2 LANES. */
static void normals_sobol(const normals_rows *r)
{
    const int32_t output = r->tables->output;
    const uint32_t below = LANES > 1 ? (uint32_t)__builtin_ctz(LANES) - 1 : 32;
    const uint64_t first = r->tile->first - r->skew;
    normals_buffer row;
    for (uint32_t d = r->tile->from; d < r->tile->to; ++d) {
        const uint32_t *const column = r->tables->columns + (size_t)d * LEVY_NORMALS_COLUMN;
        const uint32_t common = below < 32 ? column[below] : 0;
        lane_word words = normals_sobol_first(column, first);
        for (uint32_t i = 0; i < r->width; i += LANES) {
            normals_put(output, &row, i, words);
            const uint64_t next = first + i + LANES;
            if (next >> 32) break; /* the index ends there, and so does the tile */
            words = words ^ (column[__builtin_ctzll(next)] ^ common);
        }
        normals_copy(r, d, &row);
    }
}

/* ---- Philox ---------------------------------------------------------------------------------- */

static void normals_philox(const normals_rows *r)
{
    const levy_normals_tables *const t = r->tables;
    const levy_normals_tile *const tile = r->tile;
    const lane_word iota = normals_iota();
    normals_buffer rows[4];
    /* draws are numbered from the point's first dimension, in fours */
    for (uint32_t d = (t->first + tile->from) & ~3u; d < t->first + tile->to; d += 4) {
        for (uint32_t i = 0; i < r->width; i += LANES) {
            const uint64_t at = tile->first + i;
            lane_word low = iota + (uint32_t)at;
            /* where the lower half overflows inside the register */
            lane_word high =
                lane_word_above(lane_word_of((uint32_t)at), low) + (uint32_t)(at >> 32);
            const philox_words words =
                philox_draw(t->key, lane_word_of(d >> 2), lane_word_of(0), low, high);
            for (uint32_t k = 0; k < 4; ++k) normals_put(t->output, &rows[k], i, words.w[k]);
        }
        for (uint32_t k = 0; k < 4; ++k)
            if (d + k >= t->first + tile->from && d + k < t->first + tile->to)
                normals_copy(r, d + k - t->first, &rows[k]);
    }
}

/* ---- mrg32k3a -------------------------------------------------------------------------------- */

static void normals_mrg(const normals_rows *r)
{
    const levy_normals_tables *const t = r->tables;
    const levy_normals_tile *const tile = r->tile;
    const size_t size = t->output == LEVY_NORMALS_WORD ? sizeof(uint32_t) : sizeof(real);
    const uint32_t step = (uint32_t)__builtin_ctz(LANES);
    normals_buffer row;
    mrg_state start;
    mrg_start(&start, t->start, t->jumps, tile->first);
    mrg_fan(&start, t->jumps);
    for (uint32_t i = 0; i < r->width; i += LANES) {
        const uint32_t left = tile->count - i, some = left < LANES ? left : LANES;
        mrg_state state = start;
        for (uint32_t d = 0; d < t->count; ++d) {
            normals_put(t->output, &row, 0, mrg_word(&state));
            memcpy((char *)tile->output + (d * tile->stride + i) * size, &row, some * size);
        }
        mrg_jump(&start, t->jumps + LEVY_MRG_JUMP * (size_t)step);
    }
}

/* ---- Given words ----------------------------------------------------------------------------- */

static void normals_given(const normals_rows *r)
{
    const levy_normals_tile *const tile = r->tile;
    normals_buffer row;
    for (uint32_t d = tile->from; d < tile->to; ++d) {
        for (uint32_t i = 0; i < r->width; i += LANES) {
            lane_word words;
            memcpy(&words, tile->words + d * tile->words_stride + i, sizeof words);
            normals_put(r->tables->output, &row, i, words);
        }
        normals_copy(r, d, &row);
    }
}

static void normals_run(const levy_normals_tables *tables, const levy_normals_tile *tile)
{
    const uint32_t skew = tables->generator == POINTS_SOBOL ? tile->first % LANES : 0;
    const normals_rows r = {tables, tile, skew, (skew + tile->count + LANES - 1) / LANES * LANES};
    if (tables->generator == POINTS_SOBOL)
        normals_sobol(&r);
    else if (tables->generator == POINTS_PHILOX)
        normals_philox(&r);
    else if (tables->generator == POINTS_GIVEN_WORDS)
        normals_given(&r);
    else
        normals_mrg(&r);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

static void normals_place(const void *paths, size_t width, const void *drift, bool exponential,
                          size_t n_rows, void *output, size_t stride, size_t count)
{
    for (size_t row = 0; row < n_rows; ++row) {
        const real *const from = (const real *)paths + row * width;
        real *const to = (real *)output + row * stride;
        const lane add = lane_of(drift ? ((const real *)drift)[row] : R(0.0));
        for (size_t i = 0; i < count; i += LANES) {
            lane x;
            memcpy(&x, from + i, sizeof x);
            if (drift) x = x + add;
            if (exponential) x = path_exp(LANE_PICK(x, x * R(0x1.715476p+0)));
            memcpy(to + i, &x, (count - i < LANES ? count - i : LANES) * sizeof(real));
        }
    }
}

#define NORMALS_JOIN_(a, b, c) a##b##c
#define NORMALS_JOIN(a, b, c) NORMALS_JOIN_(a, b, c)
#define NORMALS_TEXT_(x) #x
#define NORMALS_TEXT(x) NORMALS_TEXT_(x)

extern const levy_normals_isa NORMALS_JOIN(levy_normals_, LEVY_ISA_NAME,
                                           LANE_PICK(_double, _single));
const levy_normals_isa NORMALS_JOIN(levy_normals_, LEVY_ISA_NAME, LANE_PICK(_double, _single)) = {
    NORMALS_TEXT(LEVY_ISA_NAME), normals_run, normals_place};
