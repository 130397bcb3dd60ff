/* distributions_cpu.c: 10^6 deviates of each law on one thread: a vector build of
 * kernels/cpu/draw_isa.c against the build of the same source for one path at a time, with FMA
 * (cpu.sh compiles both; of scalar builds the one for AVX2's processors is the fastest). The best
 * of interleaved runs, for others may use the machine; first the two must give the same deviates,
 * in double bit by bit. Prints JSON rows {name, value, unit, peer, peer_value, ratio, threads,
 * isa}; a ratio above 1 is better than the peer. */
#include "kernels/cpu/draw_isa.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

extern const levy_draw_isa levy_draw_avx2_double, levy_draw_avx2_single, levy_draw_avx512_double,
    levy_draw_avx512_single;
extern const levy_draw_isa levy_draw_scalar_double, levy_draw_scalar_single;

enum { DRAWS = 1000000, REPEATS = 15 };
static double output[DRAWS], expected[DRAWS];
static uint32_t words[DRAWS];

static double seconds(void)
{
    struct timespec t;
    /* the thread's own time, because others may use the machine */
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double timed(const levy_draw_isa *isa, levy_draw_job *job, void *to, size_t count)
{
    job->output = to;
    const double start = seconds();
    isa->fill(job, 0, count);
    return seconds() - start;
}

static int failures, rows;
static void compare(const char *name, const char *isa, const levy_draw_isa *vector,
                    const levy_draw_isa *scalar, levy_draw_job job, size_t count, int bits)
{
    char text[96];
    double fast = 1e9, slow = 1e9;
    timed(vector, &job, output, count);
    timed(scalar, &job, expected, count);
    if (bits &&
        memcmp(output, expected,
               count * (job.law == LEVY_DRAW_POISSON ? sizeof(uint32_t) : sizeof(double))) != 0) {
        fprintf(stderr, "FAILED: %s, %s: the vector build's bits are not the scalar build's\n",
                name, isa);
        failures++;
    }
    for (int k = 0; k < REPEATS; ++k) {
        const double a = timed(vector, &job, output, count),
                     b = timed(scalar, &job, expected, count);
        if (a < fast) fast = a;
        if (b < slow) slow = b;
    }
    const double unit = 1e-6 * (double)count;
    snprintf(text, sizeof text, "%s_%s_%s", name, isa, bits ? "f64" : "f32");
    printf("%s{\"name\":\"%s\",\"value\":%.5g,\"unit\":\"M draws/s, one thread\",\"peer\":\"scalar "
           "build of the same source\","
           "\"peer_value\":%.5g,\"ratio\":%.4g,\"threads\":1,\"isa\":\"%s\"}",
           rows++ ? ",\n" : "[", text, unit / fast, unit / slow, slow / fast, isa);
}

static void all_laws(const char *isa, const levy_draw_isa *vector, const levy_draw_isa *scalar,
                     int bits)
{
    static const struct {
        const char *name;
        levy_draw_law law;
        double a, b;
        size_t count;
        int by_word;
    } cases[] = {
        {"exponential", LEVY_DRAW_EXPONENTIAL, 1.0, 0.0, DRAWS, 0},
        {"normal", LEVY_DRAW_NORMAL, 0.0, 1.0, DRAWS, 0},
        {"gamma2", LEVY_DRAW_GAMMA, 2.0, 1.0, DRAWS, 0},
        {"gamma0.5", LEVY_DRAW_GAMMA, 0.5, 1.0, DRAWS, 0},
        {"poisson6", LEVY_DRAW_POISSON, 6.0, 0.0, DRAWS, 0},
        {"poisson50", LEVY_DRAW_POISSON, 50.0, 0.0, DRAWS / 4, 0},
        {"noncentral4_10", LEVY_DRAW_NONCENTRAL, 4.0, 10.0, DRAWS / 4, 0},
        {"noncentral0.5_10", LEVY_DRAW_NONCENTRAL, 0.5, 10.0, DRAWS / 8, 0},
        {"gamma2_inverse", LEVY_DRAW_GAMMA, 2.0, 1.0, DRAWS / 100, 1},
        {"gamma100_inverse", LEVY_DRAW_GAMMA, 100.0, 1.0, DRAWS / 10, 1},
        {"poisson6_inverse", LEVY_DRAW_POISSON, 6.0, 0.0, DRAWS / 10, 1},
        {"poisson1000_inverse", LEVY_DRAW_POISSON, 1000.0, 0.0, DRAWS / 10, 1},
        {"noncentral4_10_inverse", LEVY_DRAW_NONCENTRAL, 4.0, 10.0, DRAWS / 500, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_draw_job job = {.law = cases[i].law,
                                   .seed = 42,
                                   .parameters = {cases[i].a, cases[i].b},
                                   .words = cases[i].by_word ? words : NULL};
        compare(cases[i].name, isa, vector, scalar, job, cases[i].count, bits);
    }
}

int main(void)
{
    for (uint32_t i = 0; i < DRAWS; ++i) words[i] = i * 2654435769u;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        all_laws("avx2", &levy_draw_avx2_double, &levy_draw_scalar_double, 1);
        all_laws("avx2", &levy_draw_avx2_single, &levy_draw_scalar_single, 0);
    }
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        all_laws("avx512", &levy_draw_avx512_double, &levy_draw_scalar_double, 1);
        all_laws("avx512", &levy_draw_avx512_single, &levy_draw_scalar_single, 0);
    }
    printf("%s]\n", rows ? "" : "[");
    fprintf(stderr, "%d checks failed\n", failures);
    return failures != 0;
}
