/* autocall_cpu.c: the same note on one thread of a CPU, written by hand so that a compiler
 * vectorises each loop: blocks of paths whose numbers lie side by side, Philox4x32-10 (J. K.
 * Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC
 * 2011), Box-Muller pairs by the vector functions of the C library. Twice: with levels as
 * exponentials at each date, and with the barrier as a logarithm (`logs`). Compiled with -O3
 * -march=native -ffast-math. */
#include "bench/peers/autocall/autocall.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 128, REPEATS = 15 };

typedef struct autocall_block {
    double z[AUTOCALL_DRAWS][BLOCK], x[AUTOCALL_ASSETS][BLOCK], paid[BLOCK];
    double radius[BLOCK], angle[BLOCK];
    uint32_t words[4][BLOCK];
} autocall_block;

static void autocall_philox(autocall_block *b, uint32_t counter, uint32_t first)
{
    for (uint32_t i = 0; i < BLOCK; ++i) {
        uint32_t c0 = counter, c1 = 0, c2 = first + i, c3 = 0, k0 = 1234, k1 = 0;
#pragma GCC unroll 10
        for (int round = 0; round < 10; ++round) {
            const uint64_t p0 = (uint64_t)c0 * 0xD2511F53u, p1 = (uint64_t)c2 * 0xCD9E8D57u;
            c0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
            c1 = (uint32_t)p1;
            c2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
            c3 = (uint32_t)p0;
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
        b->words[0][i] = c0;
        b->words[1][i] = c1;
        b->words[2][i] = c2;
        b->words[3][i] = c3;
    }
}

/* Sine and cosine in loops of their own: together the compiler makes them one call that has no
 * vector form. */
static void autocall_pairs(autocall_block *b, const uint32_t *u, const uint32_t *v, double *z)
{
    for (int i = 0; i < BLOCK; ++i)
        b->radius[i] = sqrt(-2.0 * log(((int32_t)u[i] + 0.5) * 0x1p-32 + 0.5));
    for (int i = 0; i < BLOCK; ++i) b->angle[i] = (int32_t)v[i] * (6.283185307179586 * 0x1p-32);
    for (int i = 0; i < BLOCK; ++i) z[i] = b->radius[i] * cos(b->angle[i]);
    for (int i = 0; i < BLOCK; ++i) z[BLOCK + i] = b->radius[i] * sin(b->angle[i]);
}

/* One date of all paths of the block. `paid` is 0 until a path is called. */
static void autocall_date(autocall_block *b, const autocall_terms *t, int date, bool logs)
{
    const double *const f = t->factor, pays = t->call[date];
    double(*const z)[BLOCK] = b->z + 3 * date;
    double *const x0 = b->x[0], *const x1 = b->x[1], *const x2 = b->x[2];
    for (int i = 0; i < BLOCK; ++i) {
        x0[i] += t->drift[0] + f[0] * z[0][i];
        x1[i] += t->drift[1] + f[1] * z[0][i] + f[2] * z[1][i];
        x2[i] += t->drift[2] + f[3] * z[0][i] + f[4] * z[1][i] + f[5] * z[2][i];
    }
    if (logs)
        for (int i = 0; i < BLOCK; ++i) {
            const double worst = fmin(x0[i], fmin(x1[i], x2[i]));
            b->paid[i] = worst >= 0.0 && b->paid[i] == 0.0 ? pays : b->paid[i];
        }
    else
        for (int i = 0; i < BLOCK; ++i) {
            const double worst = fmin(exp2(x0[i]), fmin(exp2(x1[i]), exp2(x2[i])));
            b->paid[i] = worst >= 1.0 && b->paid[i] == 0.0 ? pays : b->paid[i];
        }
}

static void autocall_paths(autocall_block *b, const autocall_terms *t, uint32_t first, bool logs,
                           double sums[2])
{
    memset(b->x, 0, sizeof b->x);
    memset(b->paid, 0, sizeof b->paid);
    for (uint32_t k = 0; k < AUTOCALL_DRAWS / 4; ++k) {
        autocall_philox(b, k, first);
        autocall_pairs(b, b->words[0], b->words[1], b->z[4 * k]);
        autocall_pairs(b, b->words[2], b->words[3], b->z[4 * k + 2]);
    }
    for (int date = 0; date < AUTOCALL_DATES; ++date) autocall_date(b, t, date, logs);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < BLOCK; ++i) {
        const double worst = exp2(fmin(b->x[0][i], fmin(b->x[1][i], b->x[2][i])));
        const double kept = t->repaid * (worst < t->protection ? worst : 1.0);
        const double paid = b->paid[i] > 0.0 ? b->paid[i] : kept;
        sum += paid;
        squares += paid * paid;
    }
    sums[0] += sum;
    sums[1] += squares;
}

static double autocall_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void autocall_measure(const autocall_terms *t, uint32_t paths, bool logs)
{
    static autocall_block block;
    double best = HUGE_VAL, worst = 0.0, sums[2] = {0.0, 0.0};
    const char *const variant = logs ? " logs" : "";
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        const double start = autocall_now();
        sums[0] = sums[1] = 0.0;
        for (uint32_t first = 0; first < paths; first += BLOCK)
            autocall_paths(&block, t, first, logs, sums);
        const double seconds = autocall_now() - start;
        best = fmin(best, seconds);
        worst = fmax(worst, seconds);
    }
    fprintf(stderr, "  autocall_script_cpu%s: best %.4f s, worst %.4f\n", variant, best, worst);
    autocall_check("autocall_script_cpu", sums[0], sums[1], paths);
    printf("autocall_script_cpu %.6g s%s\n", best, variant);
}

int main(int argc, char **argv)
{
    const long paths = argc > 1 ? strtol(argv[1], NULL, 10) : 1 << 18;
    const autocall_terms t = autocall_make();
    if (paths < BLOCK || paths % BLOCK != 0 || paths > 1L << 31) {
        fprintf(stderr, "autocall_cpu: paths in blocks of %d\n", BLOCK);
        return 1;
    }
    autocall_measure(&t, (uint32_t)paths, false);
    autocall_measure(&t, (uint32_t)paths, true);
    return 0;
}
