/* butterfly_cpu.c: one draw from each of many distributions on one core: levy's fixed order of
 * addition against the plain program, a running sum kept for every item and bisection. Prints a
 * JSON array of rows {name, value, unit, peer, peer_value, ratio}; best of several runs, in turn.
 * Exit 1: their items differ. Built by build.sh. */
#include "kernels/samplers/butterfly/butterfly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATES = 32, NUMBERS = 1 << 22, MOST = 1024, REPEATS = 9 };

static uint32_t word_of(uint64_t z)
{
    z += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

#define PLAIN(name, real, uniform)                                                                 \
    static void name(const levy_butterfly_draws *d)                                                \
    {                                                                                              \
        real sums[MOST];                                                                           \
        for (size_t p = 0; p < d->n_paths; ++p) {                                                  \
            const real *const theta = (const real *)d->theta + p * d->theta_stride;                \
            const real *const phi = (const real *)d->phi + d->states[p] * d->phi_stride;           \
            real sum = 0;                                                                          \
            for (uint32_t k = 0; k < d->n_items; ++k) sums[k] = sum += theta[k] * phi[k];          \
            const real target = sum * (uniform);                                                   \
            uint32_t low = 0, high = d->n_items - 1;                                               \
            while (low < high) {                                                                   \
                const uint32_t middle = (low + high) / 2;                                          \
                if (target < sums[middle])                                                         \
                    high = middle;                                                                 \
                else                                                                               \
                    low = middle + 1;                                                              \
            }                                                                                      \
            d->items[p] = low;                                                                     \
        }                                                                                          \
    }
PLAIN(plain_double, double, (double)d->words[p] * 0x1p-32)
PLAIN(plain_single, float, (float)(d->words[p] >> 8) * 0x1p-24f)

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run(const levy_butterfly_draws *d, int plain)
{
    if (!plain)
        levy_butterfly_draw(d, 0, d->n_paths);
    else if (d->single)
        plain_single(d);
    else
        plain_double(d);
}

static int measure(levy_butterfly_draws *d, uint32_t *items[2], const char *end)
{
    double best[2] = {1e30, 1e30};
    size_t other = 0;
    for (int i = 0; i < 2 * REPEATS; ++i) {
        d->items = items[i % 2];
        const double start = seconds();
        run(d, i % 2);
        const double taken = seconds() - start;
        if (taken < best[i % 2]) best[i % 2] = taken;
    }
    for (size_t p = 0; p < d->n_paths; ++p) other += items[0][p] != items[1][p];
    const double numbers = (double)d->n_paths * d->n_items;
    printf(" {\"name\": \"butterfly_cpu_k%u_%s\", \"value\": %.4g, \"unit\": \"G weights/s, one "
           "core\", \"peer\": \"running "
           "sums and bisection\", "
           /* build.sh asks for no more than the baseline */
           "\"peer_value\": %.4g, \"ratio\": %.3f, \"threads\": 1, \"isa\": \"baseline\"}%s\n",
           (unsigned)d->n_items, d->single ? "f32" : "f64", numbers / best[0] / 1e9,
           numbers / best[1] / 1e9, best[1] / best[0], end);
    /* single: rounding may put a target into a neighbour's share */
    return other > (d->single ? d->n_paths / 50 : 0);
}

int main(void)
{
    static const uint32_t sizes[] = {16, 32, 64, 100, 256, 1024};
    double *const theta = malloc(NUMBERS * sizeof *theta), *const phi =
                                                               malloc(STATES * MOST * sizeof *phi);
    float *const theta_single = malloc(NUMBERS * sizeof *theta_single), *const phi_single = malloc(
                                                                            STATES * MOST *
                                                                            sizeof *phi_single);
    uint32_t *const draws = malloc(4 * (size_t)NUMBERS / 16 * sizeof *draws), bad = 0;
    if (!theta || !phi || !theta_single || !phi_single || !draws) return 2;
    for (size_t i = 0; i < NUMBERS; ++i)
        theta_single[i] = (float)(theta[i] = (word_of(i) >> 8) * 0x1p-24);
    for (size_t i = 0; i < STATES * MOST; ++i)
        phi_single[i] = (float)(phi[i] = (word_of(~i) >> 8) * 0x1p-24);
    uint32_t *const states = draws, *const words = draws + NUMBERS / 16,
                    *items[2] = {words + NUMBERS / 16, words + 2 * (NUMBERS / 16)};
    for (size_t p = 0; p < NUMBERS / 16; ++p) {
        states[p] = word_of(3 * p) % STATES;
        words[p] = word_of(7 * p);
    }
    printf("[\n");
    for (int single = 0; single < 2; ++single)
        for (int s = 0; s < 6; ++s) {
            levy_butterfly_draws d = {.theta = single ? (void *)theta_single : theta,
                                      .phi = single ? (void *)phi_single : phi,
                                      .states = states,
                                      .words = words,
                                      .n_paths = NUMBERS / sizes[s],
                                      .theta_stride = sizes[s],
                                      .phi_stride = sizes[s],
                                      .n_items = sizes[s],
                                      .n_states = STATES,
                                      .single = single};
            bad += (uint32_t)measure(&d, items, single && s == 5 ? "" : ",");
        }
    printf("]\n");
    free(theta);
    free(phi);
    free(theta_single);
    free(phi_single);
    free(draws);
    if (bad) fprintf(stderr, "items differ\n");
    return bad != 0;
}
