/* alias_cpu.c: alias tables on the CPU: every construction at 10^7 items, and draws beside
 * rejection and inversion. Prints JSON rows {name, value, unit, peer, peer_value, ratio, threads,
 * isa}; a ratio above 1 is better than the peer. Usage: alias_cpu [items] */
#include "bench/alias/peers.h"
#include "kernels/samplers/alias/alias_binomial.h"
#include "kernels/samplers/alias/guide.h"
#include "kernels/cpu/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void pool_run(void *pool, void (*work)(void *user, uint32_t worker), void *user)
{
    levy_threads_run(pool, work, user);
}

static uint64_t word_of(uint64_t i) { return alias_mix((i + 1) * 0x9E3779B97F4A7C15u); }

/* Uniform in (0, 1), or 1/i in shuffled order. */
static void weights_fill(double *w, uint64_t n, bool power_law)
{
    for (uint64_t i = 0; i < n; ++i)
        w[i] = power_law ? 1.0 / (double)(i + 1) : ((double)(word_of(i) >> 11) + 0.5) * 0x1p-53;
    for (uint64_t i = power_law ? n : 0; i > 1; --i) {
        const uint64_t k = word_of(i) % i;
        const double kept = w[i - 1];
        w[i - 1] = w[k];
        w[k] = kept;
    }
}

/* build.sh asks for no instructions beyond the baseline, hence this isa. */
static int rows;
static void row(const char *name, const char *shape, uint32_t threads, double value,
                const char *unit, const char *peer, double peer_value, double ratio)
{
    printf("%s{\"name\":\"%s%s\",\"value\":%.6g,\"unit\":\"%s\",\"peer\":\"%s\",\"peer_value\":%."
           "6g,\"ratio\":%.4g,"
           "\"threads\":%u,\"isa\":\"baseline\"}",
           rows++ ? ",\n" : "", name, shape, value, unit, peer, peer_value, ratio,
           (unsigned)threads);
}

static double build_time(levy_alias *alias, const levy_alias_weights *w, levy_alias_method method,
                         const levy_alias_crew *crew)
{
    double best = 1e9;
    levy_alias_fault fault;
    for (int k = 0; k < 5; ++k) {
        const double start = seconds();
        if (levy_alias_build(alias, w, method, crew, &fault) != LEVY_OK) exit(1);
        const double time = seconds() - start;
        if (time < best) best = time;
    }
    return best * 1e3;
}

static void builds(uint64_t n, bool power_law, const char *shape, const levy_alias_crew *crew)
{
    double *const w = malloc(n * sizeof *w), *const masses = malloc(2 * n * sizeof *masses);
    levy_alias *alias;
    if (!w || !masses || levy_alias_create(&levy_memory_default, n, &alias) != LEVY_OK) exit(1);
    weights_fill(w, n, power_law);
    const levy_alias_weights weights = {w, NULL, n};
    const double vose = build_time(alias, &weights, LEVY_ALIAS_VOSE, NULL),
                 error = levy_alias_error(alias, alias->rows, &weights, masses);
    row("alias_cpu_vose", shape, 1, vose, "ms", "largest relative error of a mass", error, 0.0);
    const double sweep = build_time(alias, &weights, LEVY_ALIAS_SWEEP, NULL);
    row("alias_cpu_sweep", shape, 1, sweep, "ms", "own sequential Vose", vose, vose / sweep);
    const double psa = build_time(alias, &weights, LEVY_ALIAS_PSA, crew);
    row("alias_cpu_psa", shape, crew->workers, psa, "ms", "own sequential Vose", vose, vose / psa);
    const double plus = build_time(alias, &weights, LEVY_ALIAS_PSA_PLUS, crew);
    row("alias_build_1e7_cpu", shape, crew->workers, plus, "ms", "own sequential Vose", vose,
        vose / plus);
    row("alias_cpu_error", shape, crew->workers,
        levy_alias_error(alias, alias->rows, &weights, masses), "relative", "bar", 1e-12, 0.0);
    levy_alias_destroy(alias);
    free(w);
    free(masses);
}

typedef struct draw_peers {
    const levy_alias *alias;
    const levy_guide *guide;
    peer_rejection rejection;
} draw_peers;

static uint64_t draw(const draw_peers *p, int method, uint64_t *d)
{
    int64_t item;
    switch (method) {
    case 0:
        return levy_alias_draw(p->alias, word_of((*d)++));
    case 1:
        return levy_guide_draw(p->guide, (double)(word_of((*d)++) >> 11) * 0x1p-53);
    case 2:
        return levy_guide_search(p->guide, (double)(word_of((*d)++) >> 11) * 0x1p-53);
    default:
        while ((item = peer_rejection_try(&p->rejection, word_of((*d)++))) < 0) continue;
        return (uint64_t)item;
    }
}

static double draw_rate(const draw_peers *p, int method, uint64_t draws)
{
    uint64_t sum = 0, d = 0;
    const double start = seconds();
    for (uint64_t k = 0; k < draws; ++k) sum += draw(p, method, &d);
    const double time = seconds() - start;
    return sum == 1 ? 0.0 : (double)draws / time * 1e-6;
}

static void draws(uint64_t n, const char *shape)
{
    double *const w = malloc(n * sizeof *w), total = 0.0;
    levy_alias *alias;
    levy_guide *guide;
    levy_alias_fault fault;
    weights_fill(w, n, false);
    for (uint64_t i = 0; i < n; ++i) total += w[i];
    const levy_alias_weights weights = {w, NULL, n};
    const uint64_t places = peer_rejection_places(w, n, total), words = (places + 63) / 64;
    uint64_t *const starts = malloc(words * sizeof *starts);
    uint32_t *const before = malloc(words * sizeof *before);
    float *const fractions = malloc(n * sizeof *fractions);
    peer_rejection_fill(w, n, total, places, starts, before, fractions);
    if (levy_alias_create(&levy_memory_default, n, &alias) ||
        levy_alias_build(alias, &weights, LEVY_ALIAS_PSA_PLUS, NULL, &fault) ||
        levy_guide_create(&levy_memory_default, &weights, 0, NULL, &guide, &fault))
        exit(1);
    const draw_peers p = {alias, guide, {places, starts, before, fractions}};
    const double direct = draw_rate(&p, 0, 20000000);
    static const char *const names[] = {"", "inversion, cut points", "inversion, bisection",
                                        "rejection (Bringmann and Larsen)"};
    for (int method = 1; method < 4; ++method) {
        const double peer = draw_rate(&p, method, 5000000);
        row("alias_cpu_draw", shape, 1, direct, "M draws/s, one thread", names[method], peer,
            direct / peer);
    }
    levy_alias_destroy(alias);
    levy_guide_destroy(guide);
    free(w);
    free(starts);
    free(before);
    free(fractions);
}

int main(int count, char **arguments)
{
    const uint64_t n = count > 1 ? strtoull(arguments[1], NULL, 0) : 10000000;
    levy_threads *threads;
    const uint32_t workers = levy_threads_available();
    if (levy_threads_create(&levy_memory_default, workers, &threads) != LEVY_OK) return 1;
    const levy_alias_crew crew = {workers, pool_run, threads};
    printf("[");
    builds(n, false, "_uniform", &crew);
    builds(n, true, "_powerlaw", &crew);
    draws(1000, "_1e3");
    draws(1000000, "_1e6");
    printf("]\n");
    levy_threads_destroy(threads);
    return 0;
}
