/* copy.c: memory to memory on all processors of the process, the bytes of a bridge in double
 * precision (1,439,744 paths of 64 steps): a portion per thread, memcpy. Prints the best of 7, read
 * and written, as bytes per second. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 1024, REPEATS = 7 };

typedef struct copy_part {
    char *from, *to;
    size_t bytes;
    pthread_barrier_t *start, *stop;
} copy_part;

static double copy_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *copy_work(void *argument)
{
    copy_part *const part = argument;
    /* a first write, so that pages belong to the processor that will use them */
    memset(part->from, 1, part->bytes);
    memset(part->to, 2, part->bytes);
    for (int i = 0; i < REPEATS; ++i) {
        pthread_barrier_wait(part->start);
        memcpy(part->to, part->from, part->bytes);
        pthread_barrier_wait(part->stop);
    }
    return NULL;
}

int main(void)
{
    static pthread_t threads[MOST_THREADS];
    static copy_part parts[MOST_THREADS];
    cpu_set_t mine;
    size_t n = sched_getaffinity(0, sizeof mine, &mine) == 0 ? (size_t)CPU_COUNT(&mine) : 1;
    if (n > MOST_THREADS) n = MOST_THREADS;
    const size_t bytes = (size_t)1439744 * 64 * sizeof(double), each = bytes / n / 4096 * 4096;
    char *const from = aligned_alloc(4096, bytes), *const to = aligned_alloc(4096, bytes);
    if (!from || !to) return 1;
    pthread_barrier_t start, stop;
    pthread_barrier_init(&start, NULL, (unsigned)n + 1);
    pthread_barrier_init(&stop, NULL, (unsigned)n + 1);
    for (size_t i = 0; i < n; ++i) {
        parts[i] = (copy_part){from + i * each, to + i * each, each, &start, &stop};
        if (pthread_create(&threads[i], NULL, copy_work, &parts[i]) != 0) return 1;
    }
    double best = 1e30;
    for (int i = 0; i < REPEATS; ++i) {
        pthread_barrier_wait(&start);
        const double begin = copy_now();
        pthread_barrier_wait(&stop);
        const double seconds = copy_now() - begin;
        if (seconds < best) best = seconds;
    }
    for (size_t i = 0; i < n; ++i) pthread_join(threads[i], NULL);
    printf("%.6g\n", 2.0 * (double)(n * each) / best);
    return to[each - 1] == 1 ? 0 : 1;
}
