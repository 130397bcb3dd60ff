/* bench_process.c: runs another program and keeps what it prints: a peer, or levy itself. It has a
 * process group of its own, which ends with it, when it takes too long, or when the user stops us;
 * what it leaves running ends too. */
#include "bench/harness/bench.h"
#include "engine/cli/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { PROCESS_POLL_MS = 20, PROCESS_GRACE_MS = 1000 };

double bench_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_processors(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void process_sleep(void)
{
    const struct timespec a_millisecond = {0, 1000000};
    nanosleep(&a_millisecond, NULL);
}

/* Our variables, except those that are given anew, and the given ones. NULL: no memory. */
static char **process_environment(const char *const *given)
{
    size_t n = 0, n_given = 0, kept = 0;
    while (environ[n]) ++n;
    while (given && given[n_given]) ++n_given;
    char **all = calloc(n + n_given + 1, sizeof *all);
    for (size_t i = 0; all && i < n; ++i) {
        bool renewed = false;
        for (size_t j = 0; j < n_given; ++j) {
            const size_t name = strcspn(given[j], "=") + 1;
            renewed = renewed || strncmp(environ[i], given[j], name) == 0;
        }
        if (!renewed) all[kept++] = environ[i];
    }
    /* memcpy drops the const; nothing is written through these pointers */
    for (size_t j = 0; all && j < n_given; ++j) memcpy(&all[kept++], &given[j], sizeof *all);
    return all;
}

/* Opens a file without a name that holds the input, or /dev/null. */
static int process_input(const char *text)
{
    if (!text) return open("/dev/null", O_RDONLY | O_CLOEXEC);
    FILE *file = tmpfile();
    if (!file) return -1;
    int descriptor = -1;
    if (fwrite(text, 1, strlen(text), file) == strlen(text) && fflush(file) == 0 &&
        lseek(fileno(file), 0, SEEK_SET) == 0)
        descriptor = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
    fclose(file);
    return descriptor;
}

/* Returns 0 or errno; closes neither descriptor. */
static int process_spawn(const bench_process *process, int input, int output, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    char **environment = process_environment(process->environment);
    if (!environment) return ENOMEM;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* we ignore these signals, and a child would inherit that */
    sigaddset(&defaults, SIGXFSZ);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    int error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (!error) error = posix_spawnattr_setsigdefault(&attributes, &defaults);
    if (!error) error = posix_spawnattr_setsigmask(&attributes, &none);
    if (!error) error = posix_spawnattr_setpgroup(&attributes, 0);
    if (!error)
        error = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    size_t n = 0;
    while (process->words[n]) ++n;
    char **arguments = calloc(n + 1, sizeof *arguments);
    if (!arguments) error = ENOMEM;
    if (!error) memcpy(arguments, process->words, n * sizeof *arguments);
    if (!error)
        error = posix_spawn(child, arguments[0], &actions, &attributes, arguments, environment);
    free(arguments);
    free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Ends the whole group: asks first, then kills. Waits for the child. */
static void process_kill(pid_t child, int *status)
{
    kill(-child, SIGTERM);
    pid_t ended = 0;
    for (int i = 0; i < PROCESS_GRACE_MS && (ended = waitpid(child, status, WNOHANG)) == 0; ++i)
        process_sleep();
    kill(-child, SIGKILL);
    if (ended == 0) waitpid(child, status, 0);
}

/* Reads what can be read now; false at the end. What does not fit is dropped. */
static bool process_read(bench_process *process, int from, size_t *used)
{
    char piece[4096];
    const ssize_t got = read(from, piece, sizeof piece);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    const size_t room = process->size - 1 - *used, take = (size_t)got < room ? (size_t)got : room;
    memcpy(process->out + *used, piece, take);
    *used += take;
    return got > 0;
}

/* Reads until the child has ended. What it leaves running is not waited for. */
static bench_end process_watch(bench_process *process, pid_t child, int from)
{
    size_t used = 0;
    int status = 0;
    bool open = true;
    pid_t ended = 0;
    const double start = bench_now();
    bench_end end = BENCH_ENDED;
    fcntl(from, F_SETFL, O_NONBLOCK);
    while (ended == 0 && end == BENCH_ENDED) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        if (open && poll(&wait, 1, PROCESS_POLL_MS) > 0) open = process_read(process, from, &used);
        if (!open) process_sleep();
        ended = waitpid(child, &status, WNOHANG);
        if (ended == 0 && cli_signals_stop())
            end = BENCH_INTERRUPTED;
        else if (ended == 0 && bench_now() - start > process->limit)
            end = BENCH_TOO_LONG;
    }
    process->seconds = bench_now() - start;
    for (bool more = open; more && end == BENCH_ENDED;) {
        struct pollfd wait = {.fd = from, .events = POLLIN};
        more = poll(&wait, 1, 0) > 0 && process_read(process, from, &used);
    }
    if (ended == 0)
        process_kill(child, &status);
    else
        kill(-child, SIGKILL);
    process->out[used] = '\0';
    process->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return end;
}

bench_end bench_process_run(bench_process *process)
{
    int ends[2];
    pid_t child = 0;
    bench_end end = BENCH_NOT_STARTED;
    process->out[0] = '\0';
    const int input = process_input(process->input);
    process->status = errno;
    if (input < 0) return end;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        process->status = process_spawn(process, input, ends[1], &child);
        close(ends[1]);
        if (process->status == 0) end = process_watch(process, child, ends[0]);
        close(ends[0]);
    } else
        process->status = errno;
    close(input);
    return end;
}
