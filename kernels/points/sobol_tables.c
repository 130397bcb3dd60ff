/* sobol_tables.c: see sobol_tables.h. The table is embedded as text and read up to the dimension
 * asked for. */
#define LANE_SCALAR
#include "engine/base/split_mix.h"
#include "kernels/points/philox.h"
#include "kernels/points/sobol_tables.h"

#include <string.h>

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".global levy_joe_kuo_text\n"
        ".hidden levy_joe_kuo_text\n"
        "levy_joe_kuo_text:\n"
        ".incbin \"" LEVY_JOE_KUO_PATH "\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char levy_joe_kuo_text[];

static uint64_t points_mix(uint64_t x) { return levy_split_mix(&x); }

uint64_t levy_points_key(uint64_t seed, uint64_t replicate, uint32_t purpose)
{
    return points_mix(points_mix(points_mix(seed) ^ replicate) ^ purpose);
}

static const char *sobol_skip_comments(const char *at)
{
    while (*at == '#') {
        while (*at && *at != '\n') ++at;
        if (*at) ++at;
    }
    return at;
}

static bool sobol_read(const char **at, uint32_t *value)
{
    const char *p = *at;
    while (*p == ' ') ++p;
    if (*p < '0' || *p > '9') return false;
    uint32_t x = 0;
    for (; *p >= '0' && *p <= '9'; ++p) x = 10 * x + (uint32_t)(*p - '0');
    *at = p;
    *value = x;
    return true;
}

void levy_sobol_recur(uint32_t polynomial, uint32_t degree, uint32_t v[32])
{
    for (uint32_t i = degree; i < 32; ++i) {
        v[i] = v[i - degree] ^ (v[i - degree] >> degree);
        for (uint32_t k = 1; k < degree; ++k)
            if (polynomial >> (degree - k) & 1) v[i] ^= v[i - k];
    }
}

static bool sobol_line(const char **at, uint32_t dimension, uint32_t v[32])
{
    uint32_t number, polynomial, degree = 0;
    if (!sobol_read(at, &number) || number != dimension + 1 || !sobol_read(at, &polynomial))
        return false;
    while (polynomial >> (degree + 1)) ++degree;
    for (uint32_t i = 0; i < degree; ++i) {
        uint32_t m;
        if (!sobol_read(at, &m)) return false;
        v[i] = m << (31 - i);
    }
    levy_sobol_recur(polynomial, degree, v);
    if (**at != '\n') return false;
    ++*at;
    return true;
}

bool levy_sobol_directions(uint32_t n, uint32_t *table)
{
    if (n > LEVY_SOBOL_DIMENSIONS) return false;
    const char *at = sobol_skip_comments(levy_joe_kuo_text);
    for (uint32_t i = 0; n > 0 && i < 32; ++i) table[i] = 1u << (31 - i);
    for (uint32_t d = 1; d < n; ++d)
        if (!sobol_line(&at, d, table + 32 * (size_t)d)) return false;
    return true;
}

/* Column j of the lower triangular matrix: a one at digit j, random digits below it. */
static void sobol_matrix(uint64_t key, uint32_t dimension, uint32_t column[32], uint32_t *shift)
{
    for (uint32_t block = 0; block < 9; ++block) {
        const philox_words w = philox_draw(key, lane_word_of(block), lane_word_of(0),
                                           lane_word_of(dimension), lane_word_of(0));
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t j = 4 * block + i, word = w.w[i][0];
            if (j < 32) column[j] = (1u << (31 - j)) | (j == 31 ? 0 : word >> (j + 1));
            if (j == 32) *shift = word;
        }
    }
}

/* Four digits of all numbers at a time, by the 16 sums that their columns have. */
void levy_sobol_scramble(uint64_t key, uint32_t dimension, uint32_t numbers[32], uint32_t *shift)
{
    uint32_t column[32], scrambled[32] = {0};
    sobol_matrix(key, dimension, column, shift);
    for (uint32_t j = 0; j < 32; j += 4) {
        uint32_t sums[16] = {0};
        for (uint32_t n = 1; n < 16; ++n)
            sums[n] = sums[n & (n - 1)] ^ column[j + 3 - (uint32_t)__builtin_ctz(n)];
        for (uint32_t i = 0; i < 32; ++i) scrambled[i] ^= sums[numbers[i] >> (28 - j) & 15];
    }
    memcpy(numbers, scrambled, sizeof scrambled);
}

void levy_sobol_randomise(int32_t scrambling, uint64_t key, uint32_t dimension,
                          uint32_t numbers[32], uint32_t *shift)
{
    uint32_t column[32];
    *shift = 0;
    if (scrambling == LEVY_SCRAMBLING_MATRIX) levy_sobol_scramble(key, dimension, numbers, shift);
    if (scrambling == LEVY_SCRAMBLING_SHIFT) sobol_matrix(key, dimension, column, shift);
}
