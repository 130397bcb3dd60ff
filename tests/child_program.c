/* child_program.c: see child_program.h. */
#include "tests/child_program.h"

#include "tests/cmocka_all.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct program_pipes {
    int in[2], out[2], err[2];
} program_pipes;

static void program_die(const char *what)
{
    perror(what);
    abort();
}

bool program_has_terminal(void)
{
    const int end = posix_openpt(O_RDWR | O_NOCTTY);
    if (end >= 0) close(end);
    return end >= 0;
}

static void program_open_terminal(int ends[2])
{
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
    if (ends[0] < 0 || grantpt(ends[0]) != 0 || unlockpt(ends[0]) != 0) program_die("posix_openpt");
    ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
    if (ends[1] < 0) program_die("ptsname");
}

static void program_open(const program *run, program_pipes *pipes)
{
    if (pipe(pipes->in) != 0 || pipe(pipes->err) != 0) program_die("pipe");
    if (run->terminal == 1)
        program_open_terminal(pipes->out);
    else if (pipe(pipes->out) != 0)
        program_die("pipe");
    if (run->output_file) {
        close(pipes->out[1]);
        pipes->out[1] = open(run->output_file, O_WRONLY | O_CREAT, 0666);
        if (pipes->out[1] < 0) program_die(run->output_file);
    }
    if (run->terminal == -2) {
        close(pipes->out[0]);
        pipes->out[0] = -1;
    }
}

static void program_child(const program *run, const program_pipes *pipes,
                          const char *const *arguments)
{
    dup2(pipes->in[0], STDIN_FILENO);
    dup2(pipes->err[1], STDERR_FILENO);
    if (run->terminal == -1)
        close(STDOUT_FILENO);
    else
        dup2(pipes->out[1], STDOUT_FILENO);
    for (int descriptor = 3; descriptor < 64; ++descriptor) close(descriptor);
    for (size_t i = 0; i < 4 && run->environment[i]; ++i)
        putenv((char *)(size_t)run->environment[i]);
    if (run->file_limit) {
        const struct rlimit limit = {run->file_limit, run->file_limit};
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    execv(arguments[0], (char *const *)(size_t)arguments);
    _exit(126);
}

static int program_collect(int descriptor, char *text, size_t *used)
{
    const ssize_t got = read(descriptor, text + *used, PROGRAM_OUTPUT - 1 - *used);
    if (got < 0 && errno == EINTR) return 1;
    if (got > 0) *used += (size_t)got;
    return got > 0;
}

static void program_read(program *run, const program_pipes *pipes, pid_t child)
{
    struct pollfd ends[2] = {{pipes->out[0], POLLIN, 0}, {pipes->err[0], POLLIN, 0}};
    size_t out = 0, err = 0;
    int sent = 0;
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        if (poll(ends, 2, 300000) <= 0) {
            kill(child, SIGKILL);
            program_die("the program said nothing for minutes");
        }
        if (ends[0].revents && !program_collect(ends[0].fd, run->out, &out)) ends[0].fd = -1;
        if (ends[1].revents && !program_collect(ends[1].fd, run->err, &err)) ends[1].fd = -1;
        if (run->signal && err > 0 && !sent) {
            kill(child, run->signal);
            sent = 1;
        }
    }
    run->out[out] = run->err[err] = '\0';
}

void program_run(program *run, const char *const *arguments)
{
    program_pipes pipes;
    int status;
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    program_open(run, &pipes);
    const pid_t child = fork();
    if (child < 0) program_die("fork");
    if (child == 0) program_child(run, &pipes, arguments);
    close(pipes.in[0]);
    close(pipes.out[1]);
    close(pipes.err[1]);
    if (run->input && write(pipes.in[1], run->input, strlen(run->input)) < 0 && errno != EPIPE)
        program_die("write");
    close(pipes.in[1]);
    program_read(run, &pipes, child);
    if (pipes.out[0] >= 0) close(pipes.out[0]);
    close(pipes.err[0]);
    if (waitpid(child, &status, 0) != child) program_die("waitpid");
    run->code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    if (strstr(run->err, "levy misused the GPU"))
        fail_msg("no test passes with this: %s", run->err);
}

void program_run_words(program *run, const char *const *first, const char *word, va_list words)
{
    const char *arguments[PROGRAM_ARGUMENTS] = {NULL};
    size_t n = 0;
    for (; first[n]; ++n) arguments[n] = first[n];
    for (; word && n < PROGRAM_ARGUMENTS - 1; word = va_arg(words, const char *))
        arguments[n++] = word;
    program_run(run, arguments);
}

void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in: %s", part, text);
}

void assert_usage_error(const program *run, const char *part)
{
    assert_int_equal(run->code, 2);
    assert_string_equal(run->out, "");
    assert_has(run->err, part);
}
