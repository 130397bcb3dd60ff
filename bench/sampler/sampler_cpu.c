/* sampler_cpu.c: levy_sampler_draw, _counts and _invert on the CPU, beside loops that make one draw
 * after the other: a block of Philox, then a row of 16 bytes; or a search between two cut points.
 * Both run in turn, and the best of each counts. Prints JSON rows {name, value, unit, peer,
 * peer_value, ratio, threads, isa}; a ratio above 1 is better than the peer, which has one thread.
 * First the items of both are compared. Usage: sampler_cpu [DRAWS] */
#define LANE_SCALAR
#include "engine/levy.h"
#include "kernels/points/philox.h"
#include "kernels/samplers/alias/guide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7 };

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct sampler_bench {
    size_t n, draws;
    const levy_alias *alias;
    const levy_guide *guide;
    double *u;
    uint32_t *items, *own;
} sampler_bench;

typedef enum bench_work { DRAW, COUNTS, INVERT, WORKS } bench_work;
static const char *const bench_names[WORKS] = {"draw", "counts", "invert"};

static uint32_t one_draw(const levy_alias *alias, uint64_t draw)
{
    const philox_words w =
        philox_draw(7, (lane_word){(uint32_t)draw}, (lane_word){(uint32_t)(draw >> 32)},
                    (lane_word){0}, (lane_word){0});
    return levy_alias_draw(alias, (uint64_t)w.w[0][0] << 32 | w.w[1][0]);
}

static void peer_run(const sampler_bench *b, bench_work work)
{
    for (size_t k = 0; work == DRAW && k < b->draws; ++k) b->own[k] = one_draw(b->alias, k);
    for (size_t k = 0; work == COUNTS && k < b->draws; ++k) ++b->own[one_draw(b->alias, k)];
    for (size_t k = 0; work == INVERT && k < b->draws; ++k)
        b->own[k] = levy_guide_draw(b->guide, b->u[k]);
}

static void levy_run(const sampler_bench *b, levy_sampler *s, bench_work work)
{
    const int status = work == DRAW     ? levy_sampler_draw(s, 7, 0, b->draws, b->items, NULL)
                       : work == COUNTS ? levy_sampler_counts(s, 7, 0, b->draws, b->items, NULL)
                                        : levy_sampler_invert(s, b->u, b->draws, b->items, NULL);
    if (status != LEVY_STATUS_OK) exit(1);
}

static double timed(const sampler_bench *b, levy_sampler *s, bench_work work, double best)
{
    const double start = seconds();
    if (s)
        levy_run(b, s, work);
    else
        peer_run(b, work);
    const double time = seconds() - start;
    return time < best ? time : best;
}

static void row(const sampler_bench *b, levy_sampler *s, bench_work work)
{
    const levy_sampler_facts *const f = levy_sampler_info(s);
    const size_t bytes = (work == COUNTS ? b->n : b->draws) * sizeof *b->items;
    double own = 1e9, peer = 1e9;
    memset(b->items, 0, bytes);
    memset(b->own, 0, bytes);
    for (int k = 0; k < REPEATS; ++k) {
        own = timed(b, s, work, own);
        peer = timed(b, NULL, work, peer);
    }
    if (memcmp(b->items, b->own, bytes) != 0) {
        fprintf(stderr, "%s of %zu items: other items than the peer's\n", bench_names[work], b->n);
        exit(1);
    }
    printf("{\"name\": \"sampler_cpu_%s_1e%d\", \"value\": %.6g, \"unit\": \"M items/s\", "
           "\"peer\": \"one after the other\", \"peer_value\": %.6g, \"ratio\": %.4g, "
           "\"threads\": %u, \"isa\": \"%s\"}\n",
           bench_names[work], b->n < 10000 ? 3 : 6, (double)b->draws / own * 1e-6,
           (double)b->draws / peer * 1e-6, peer / own, (unsigned)f->threads, f->isa);
}

static uint64_t hash(uint64_t z)
{
    z = (z + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static void rows_of(levy_context *context, size_t n, size_t draws)
{
    double *const w = malloc(n * sizeof *w);
    levy_alias *alias;
    levy_guide *guide;
    levy_alias_fault fault;
    const levy_alias_weights weights = {w, NULL, n};
    for (size_t i = 0; i < n; ++i) w[i] = (double)(hash(i) >> 11) + 0.5;
    if (levy_alias_create(&levy_memory_default, n, &alias) ||
        levy_alias_build(alias, &weights, LEVY_ALIAS_PSA_PLUS, NULL, &fault) ||
        levy_guide_create(&levy_memory_default, &weights, 0, NULL, &guide, &fault))
        exit(1);
    const size_t room = draws > n ? draws : n;
    const sampler_bench b = {n,
                             draws,
                             alias,
                             guide,
                             malloc(draws * sizeof *b.u),
                             malloc(room * sizeof *b.items),
                             malloc(room * sizeof *b.own)};
    /* hashed: a processor learns the branches of a sequence with a pattern */
    for (size_t k = 0; k < draws; ++k) b.u[k] = (double)(hash(k) >> 11) * 0x1p-53;
    for (int all = 0; all < 2; ++all) {
        levy_sampler *s;
        const levy_sampler_spec spec = {
            .struct_size = sizeof spec, .weights = w, .count = n, .threads = all ? 0 : 1};
        if (levy_sampler_create(context, &spec, &s) != LEVY_STATUS_OK) exit(1);
        for (int work = 0; work < WORKS; ++work) row(&b, s, (bench_work)work);
        levy_sampler_destroy(s);
    }
    levy_alias_destroy(alias);
    levy_guide_destroy(guide);
    free(b.u);
    free(b.items);
    free(b.own);
    free(w);
}

int main(int count, char **arguments)
{
    const size_t draws = count > 1 ? strtoull(arguments[1], NULL, 0) : 4000000;
    levy_context *context;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    rows_of(context, 1000, draws);
    rows_of(context, 1000000, draws);
    levy_context_destroy(context);
    return 0;
}
