/* bridge_cpu.c: the stand-alone bridge on the CPU against memcpy of the same bytes by as many
 * threads: bisection of 64 steps, float and double, paths and increments, on every count of threads
 * up to the processors. Each figure is the median of the repeats, the two taken in turn. Prints a
 * table and, with --json, one row of JSON for each line. Usage: bridge_cpu [--json] [PATHS [REPEATS
 * [ISA]]] */
#include "engine/levy.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STEPS = 64, MOST_REPEATS = 99, MOST_THREADS = 256 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* ---- memcpy by a team that stands ready: threads are not started inside the time taken ---- */

typedef struct copy_team {
    char *to;
    const char *from;
    size_t bytes;
    int count, quit;
    pthread_barrier_t start, end;
    pthread_t threads[MOST_THREADS];
} copy_team;

typedef struct copy_member {
    copy_team *team;
    int index;
} copy_member;

static void copy_part(const copy_team *t, int index)
{
    const size_t part = (t->bytes / (size_t)t->count) & ~(size_t)63, from = (size_t)index * part;
    memcpy(t->to + from, t->from + from, index + 1 == t->count ? t->bytes - from : part);
}

static void *copy_main(void *argument)
{
    const copy_member *const m = argument;
    for (;;) {
        pthread_barrier_wait(&m->team->start);
        if (m->team->quit) return NULL;
        copy_part(m->team, m->index);
        pthread_barrier_wait(&m->team->end);
    }
}

static void copy_begin(copy_team *t, copy_member *members)
{
    pthread_barrier_init(&t->start, NULL, (unsigned)t->count + 1);
    pthread_barrier_init(&t->end, NULL, (unsigned)t->count + 1);
    for (int i = 0; i < t->count; ++i) {
        members[i] = (copy_member){t, i};
        if (pthread_create(&t->threads[i], NULL, copy_main, &members[i]) != 0)
            fail("a thread could not be started");
    }
}

static void copy_once(copy_team *t)
{
    pthread_barrier_wait(&t->start);
    pthread_barrier_wait(&t->end);
}

static void copy_end(copy_team *t)
{
    t->quit = 1;
    pthread_barrier_wait(&t->start);
    for (int i = 0; i < t->count; ++i) pthread_join(t->threads[i], NULL);
    pthread_barrier_destroy(&t->start);
    pthread_barrier_destroy(&t->end);
}

/* ---- One line ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[n / 2];
}

typedef struct problem {
    size_t paths;
    int repeats, json, threads, single, increments;
    const char *isa;
} problem;

static levy_bridge *make(levy_context *context, const problem *p)
{
    double times[STEPS + 1];
    levy_bridge *bridge;
    for (int i = 0; i <= STEPS; ++i) times[i] = i / (double)STEPS;
    const levy_bridge_spec spec = {
        .struct_size = sizeof spec,
        .n_steps = STEPS,
        .times = times,
        .threads = (uint32_t)p->threads,
        .isa = p->isa,
        .output = p->increments ? LEVY_BRIDGE_INCREMENTS : LEVY_BRIDGE_PATHS,
        .precision = p->single ? LEVY_BRIDGE_SINGLE : LEVY_BRIDGE_DOUBLE};
    if (levy_bridge_create(context, &spec, &bridge) != LEVY_STATUS_OK)
        fail(levy_diagnostic_get(context, 0)->text);
    return bridge;
}

static void report(const problem *p, int processors, const char *isa, double own, double copy,
                   double bytes)
{
    const char *const kind = p->increments ? "increments" : "paths", *const type =
                                                                         p->single ? "f32" : "f64";
    printf("%-10s %s  %3d threads  %8.1f ms  %6.2f GB/s   memcpy %8.1f ms  %6.2f GB/s   ratio %.2f "
           " (%s)\n",
           kind, type, p->threads, 1e3 * own, 2e-9 * bytes / own, 1e3 * copy, 2e-9 * bytes / copy,
           copy / own, isa);
    /* the row that stands for all: paths in double precision on all processors */
    char name[64] = "bridge_cpu";
    if (p->increments || p->single || p->threads < processors)
        snprintf(name, sizeof name, "bridge_cpu_%s_%s_%dt", kind, type, p->threads);
    if (p->json)
        printf("{\"name\": \"%s\", \"value\": %.3f, \"unit\": \"GB/s\", \"peer\": \"memcpy of the "
               "same bytes, %d threads\", "
               "\"peer_value\": %.3f, \"ratio\": %.3f, \"threads\": %d, \"isa\": \"%s\"}\n",
               name, 2e-9 * bytes / own, p->threads, 2e-9 * bytes / copy, copy / own, p->threads,
               isa);
    fflush(stdout);
}

static void run(levy_context *context, const problem *p, int processors, void *normals,
                void *output)
{
    double own[MOST_REPEATS], copied[MOST_REPEATS];
    const size_t bytes = p->paths * STEPS * (p->single ? sizeof(float) : sizeof(double));
    copy_team team = {.to = output, .from = normals, .bytes = bytes, .count = p->threads};
    copy_member members[MOST_THREADS];
    levy_bridge *const bridge = make(context, p);
    copy_begin(&team, members);
    for (int i = -1; i < p->repeats; ++i) {
        const double start = seconds();
        if (levy_bridge_generate(bridge, normals, output, p->paths, 0, NULL) != LEVY_STATUS_OK)
            fail("generation failed");
        const double middle = seconds();
        copy_once(&team);
        if (i >= 0) {
            own[i] = middle - start;
            copied[i] = seconds() - middle;
        }
    }
    copy_end(&team);
    report(p, processors, levy_bridge_info(bridge)->isa, median(own, p->repeats),
           median(copied, p->repeats), (double)bytes);
    levy_bridge_destroy(bridge);
}

/* Values do not matter, but zeros would not do: sums of four uniforms. */
static void fill(double *doubles, float *floats, size_t n)
{
    uint64_t state = 88172645463325252u;
    for (size_t i = 0; i < n; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const double z = 1.7320508 * ((double)((state & 0xffff) + (state >> 16 & 0xffff) +
                                               (state >> 32 & 0xffff) + (state >> 48)) /
                                          65536.0 -
                                      2.0);
        if (doubles)
            doubles[i] = z;
        else
            floats[i] = (float)z;
    }
}

int main(int count, char **arguments)
{
    cpu_set_t set;
    levy_context *context;
    problem p = {.paths = 1439744, .repeats = 7, .isa = "auto"};
    int at = 1;
    if (count > at && strcmp(arguments[at], "--json") == 0) p.json = 1, ++at;
    if (count > at) p.paths = strtoul(arguments[at++], NULL, 10);
    if (count > at) p.repeats = atoi(arguments[at++]);
    if (count > at) p.isa = arguments[at++];
    const int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (p.paths < 1 || p.repeats < 1 || p.repeats > MOST_REPEATS || processors > MOST_THREADS)
        fail("arguments out of range");
    char *const normals =
        aligned_alloc(4096, p.paths * STEPS * 8 + 4096 - p.paths * STEPS * 8 % 4096);
    char *const output =
        aligned_alloc(4096, p.paths * STEPS * 8 + 4096 - p.paths * STEPS * 8 % 4096);
    if (!normals || !output || levy_context_create(NULL, &context) != LEVY_STATUS_OK)
        fail("no memory");
    memset(output, 1, p.paths * STEPS * 8);
    for (p.single = 1; p.single >= 0; --p.single) {
        fill(p.single ? NULL : (double *)(void *)normals, (float *)(void *)normals,
             p.paths * STEPS);
        for (p.increments = 0; p.increments < 2; ++p.increments)
            for (p.threads = 1; p.threads <= processors;
                 p.threads = p.threads < processors && 2 * p.threads > processors ? processors
                                                                                  : 2 * p.threads)
                run(context, &p, processors, normals, output);
    }
    free(normals);
    free(output);
    levy_context_destroy(context);
    return 0;
}
