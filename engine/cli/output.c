/* output.c: see output.h. */
#include "engine/cli/output.h"

#include "engine/cli/options.h"
#include "engine/cli/pipe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char output_mark[] = ".levy-";
static const time_t output_stale_seconds = 3600;

static int output_failed(const cli_output *output, int error)
{
    cli_say("levy: cannot write %s: %s\n", output->name, strerror(error));
    return CLI_EXIT_OUTPUT;
}

/* Whether this is a temporary file that output_open_temporary made for `name` and a killed program
 * left: it is ours, an hour old or more, and nobody holds its lock, as a writing program would. */
static bool output_is_left(int folder, const char *entry, const char *name)
{
    const size_t length = strlen(name);
    struct stat state;
    if (entry[0] != '.' || strncmp(entry + 1, name, length) != 0) return false;
    if (strlen(entry + 1 + length) != sizeof output_mark - 1 + 6) return false;
    if (strncmp(entry + 1 + length, output_mark, sizeof output_mark - 1) != 0) return false;
    const int file = openat(folder, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    const bool left =
        fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_uid == geteuid() &&
        time(NULL) - state.st_mtime > output_stale_seconds && flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return left;
}

static void output_sweep(const char *folder, const char *name)
{
    DIR *const walk = opendir(folder);
    const struct dirent *entry;
    while (walk && (entry = readdir(walk)) != NULL)
        if (output_is_left(dirfd(walk), entry->d_name, name))
            unlinkat(dirfd(walk), entry->d_name, 0);
    if (walk) closedir(walk);
}

/* Opens "<folder>/.<name>.levy-XXXXXX" with the mode of the file that it will replace, or of a new
 * file. */
static int output_open_temporary(cli_output *output, const struct stat *old)
{
    /* "./": the folder of a bare name */
    const size_t size = strlen(output->target) + sizeof "./.XXXXXX" + sizeof output_mark;
    char *folder = strdup(output->target), *name = strdup(output->target);
    output->temporary = malloc(size);
    output->descriptor = -1;
    errno = ENOMEM;
    if (folder && name && output->temporary) {
        const char *const in = dirname(folder), *const base = basename(name);
        output_sweep(in, base);
        snprintf(output->temporary, size, "%s/.%s%sXXXXXX", in, base, output_mark);
        output->descriptor = mkostemp(output->temporary, O_CLOEXEC);
    }
    const int error = errno;
    free(folder);
    free(name);
    if (output->descriptor < 0) return output_failed(output, error);
    (void)flock(output->descriptor, LOCK_EX | LOCK_NB); /* see output_is_left */
    const mode_t mask = umask(0);
    umask(mask);
    if (fchmod(output->descriptor, old ? old->st_mode & 07777 : 0666 & ~mask) != 0)
        return output_failed(output, errno);
    return 0;
}

static void output_free(cli_output *output)
{
    free(output->target);
    free(output->temporary);
    output->target = output->temporary = NULL;
}

/* The descriptor that a name like /dev/stdout or /dev/fd/3 stands for; -1: another name. It may be
 * a file that the caller writes to as well, so it is written in place, not replaced. */
static int output_own(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "/dev/stdout") == 0) return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0) return STDERR_FILENO;
    for (size_t i = 0; i < 2; ++i) {
        const size_t length = strlen(folders[i]);
        char *end;
        if (strncmp(path, folders[i], length) != 0 || path[length] < '0' || path[length] > '9')
            continue;
        const long number = strtol(path + length, &end, 10);
        if (*end == '\0' && number <= INT_MAX) return (int)number;
    }
    return -1;
}

static int output_start(cli_output *output)
{
    if (output->descriptor < 0) return output_failed(output, errno);
    output->pipe = cli_pipe_is(output->descriptor);
    return 0;
}

int cli_output_open(cli_output *output, const char *path)
{
    *output = (cli_output){.descriptor = STDOUT_FILENO, .name = "standard output"};
    if (!path || strcmp(path, "-") == 0) return output_start(output);
    output->name = path;
    if (output_own(path) >= 0) {
        output->descriptor = fcntl(output_own(path), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        return output_start(output);
    }
    struct stat old;
    const bool exists = stat(path, &old) == 0;
    const struct stat *const replaced = exists ? &old : NULL;
    if (exists && !S_ISREG(old.st_mode)) {
        output->descriptor =
            S_ISFIFO(old.st_mode) ? cli_pipe_open(path) : open(path, O_WRONLY | O_CLOEXEC);
        return output_start(output);
    }
    /* the file is replaced, and a link to it stays */
    output->target = exists ? realpath(path, NULL) : strdup(path);
    const int code =
        output->target ? output_open_temporary(output, replaced) : output_failed(output, errno);
    if (code) cli_output_abandon(output);
    return code;
}

/* Whether two files that are not there would have the same name in the same folder. */
static bool output_will_be(const char *path, const char *other)
{
    char first[PATH_MAX], second[PATH_MAX];
    struct stat a, b;
    if (strlen(path) >= sizeof first || strlen(other) >= sizeof second) return false;
    strcpy(first, path);
    strcpy(second, other);
    if (strcmp(basename(first), basename(second)) != 0) return false;
    strcpy(first, path);
    strcpy(second, other);
    return stat(dirname(first), &a) == 0 && stat(dirname(second), &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool cli_output_is(const char *path, const char *other)
{
    struct stat a, b;
    if (path && other && lstat(path, &a) != 0 && lstat(other, &b) != 0)
        return output_will_be(path, other);
    return path && other && stat(path, &a) == 0 && stat(other, &b) == 0 && S_ISREG(a.st_mode) &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int cli_output_check(const char *path)
{
    cli_output output = {.descriptor = -1,
                         .name = path && strcmp(path, "-") != 0 ? path : "standard output"};
    struct stat old;
    if (output.name != path || output_own(path) >= 0) {
        const int flags = fcntl(output.name != path ? STDOUT_FILENO : output_own(path), F_GETFL);
        return flags < 0 || (flags & O_ACCMODE) == O_RDONLY ? output_failed(&output, EBADF) : 0;
    }
    /* not opened: when a pipe is closed again, its reader would see the end */
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode)) {
        if (S_ISDIR(old.st_mode)) return output_failed(&output, EISDIR);
        return access(path, W_OK) != 0 ? output_failed(&output, errno) : 0;
    }
    const int code = cli_output_open(&output, path);
    if (!code) cli_output_abandon(&output);
    return code;
}

void cli_outputs_of(const cli_options *options, cli_written all[CLI_WRITTEN])
{
    const cli_written own[CLI_WRITTEN] = {{"--output", options->output},
                                          {"--journal", options->journal},
                                          {"--csv", options->csv},
                                          {"--svg", options->svg},
                                          {"--sums", options->sums}};
    memcpy(all, own, sizeof own);
}

static bool output_is_standard(const char *path)
{
    return path && (strcmp(path, "-") == 0 || output_own(path) == STDOUT_FILENO);
}

int cli_outputs_differ(const cli_options *options)
{
    cli_written all[CLI_WRITTEN];
    cli_outputs_of(options, all);
    if (output_is_standard(options->sums) &&
        (!options->output || output_is_standard(options->output)))
        return cli_usage_error("standard output takes the report; --sums takes the name of a file");
    for (size_t i = 0; i < CLI_WRITTEN; ++i)
        for (size_t k = 0; k < i; ++k)
            if (cli_output_is(all[i].path, all[k].path))
                return cli_usage_error("%s and %s are the same file: %s", all[k].option,
                                       all[i].option, all[i].path);
    return 0;
}

int cli_outputs_check(const cli_options *options)
{
    cli_written all[CLI_WRITTEN];
    int code = cli_outputs_differ(options);
    cli_outputs_of(options, all);
    for (size_t i = 0; !code && i < CLI_WRITTEN; ++i)
        if (all[i].path != options->journal && (i == 0 || all[i].path))
            code = cli_output_check(all[i].path);
    return code;
}

int cli_output_write(void *user, const char *text, size_t length)
{
    cli_output *output = user;
    for (int idle = 0; length > 0 && !output->error && !output->closed_pipe; ++idle) {
        const size_t most = output->pipe && length > PIPE_BUF ? PIPE_BUF : length;
        if (output->pipe && !cli_pipe_is_ready(output->descriptor)) {
            output->error = EINTR;
            break;
        }
        const ssize_t written = write(output->descriptor, text, most);
        if (written > 0) {
            text += written;
            length -= (size_t)written;
            idle = 0;
        } else if (written < 0 && errno == EPIPE)
            output->closed_pipe = true;
        else if (written < 0 && errno != EINTR)
            output->error = errno;
        else if (idle == CLI_IDLE)
            output->error = EIO;
    }
    return output->error || output->closed_pipe;
}

uint32_t cli_output_width(void)
{
    const char *const columns = getenv("COLUMNS");
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO)) return 0;
    if (columns && columns[0] >= '1' && columns[0] <= '9') {
        const unsigned long width = strtoul(columns, NULL, 10);
        return width < 10000 ? (uint32_t)width : 0;
    }
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* The rename is on disk only if the folder is. Some folders cannot be synced (on some network
 * mounts); that is ignored. */
static void output_sync_folder(const char *target)
{
    char *copy = strdup(target);
    if (!copy) return;
    const int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(copy);
    if (folder < 0) return;
    (void)fsync(folder);
    close(folder);
}

int cli_output_commit(cli_output *output)
{
    int error = output->error;
    if (output->temporary && !error && fsync(output->descriptor) != 0) error = errno;
    if (close(output->descriptor) != 0 && !error && errno != EINTR) error = errno;
    output->descriptor = -1;
    if (output->temporary && !error && rename(output->temporary, output->target) != 0)
        error = errno;
    if (output->temporary && error) unlink(output->temporary);
    if (output->temporary && !error) output_sync_folder(output->target);
    const int code = error ? output_failed(output, error) : 0;
    output_free(output);
    return code;
}

void cli_output_abandon(cli_output *output)
{
    if (output->descriptor > STDOUT_FILENO) close(output->descriptor);
    if (output->temporary && output->descriptor >= 0) unlink(output->temporary);
    output->descriptor = -1;
    output_free(output);
}

/* ---- Formats ---- */

static const struct output_ending {
    const char *ending;
    int format;
    unsigned commands;
} output_endings[] = {
    {".csv", LEVY_FORMAT_CSV,
     CLI_FOR(PRICE) | CLI_FOR(MERGE) | CLI_FOR(CONVERGE) | CLI_FOR(CALIBRATE)},
    {".json", LEVY_FORMAT_JSON,
     CLI_FOR(PRICE) | CLI_FOR(MERGE) | CLI_FOR(BENCH) | CLI_FOR(SCHEMA) | CLI_FOR(CONVERGE) |
         CLI_FOR(CALIBRATE)},
    {".jsonl", LEVY_FORMAT_JSONL, CLI_FOR(PRICE) | CLI_FOR(MERGE)},
    {".npy", LEVY_FORMAT_NPY, CLI_FOR(PRICE) | CLI_FOR(MERGE) | CLI_FOR(POINTS)},
    {".txt", LEVY_FORMAT_TABLE,
     CLI_FOR(PRICE) | CLI_FOR(MERGE) | CLI_FOR(BENCH) | CLI_FOR(EXPLAIN) | CLI_FOR(CONVERGE) |
         CLI_FOR(CALIBRATE)},
    {".yaml", LEVY_FORMAT_YAML, CLI_FOR(CALIBRATE)},
    {".html", LEVY_FORMAT_HTML, CLI_FOR(PRICE) | CLI_FOR(MERGE)},
    {".svg", LEVY_FORMAT_SVG,
     CLI_FOR(CONVERGE) | CLI_FOR(PLOT) | CLI_FOR(MERGE) | CLI_FOR(CALIBRATE)},
};

void cli_endings_of(int command, char list[CLI_ENDINGS_SIZE])
{
    const size_t size = CLI_ENDINGS_SIZE;
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < sizeof output_endings / sizeof *output_endings; ++i) {
        if (!(output_endings[i].commands >> command & 1)) continue;
        const int length =
            snprintf(list + used, size - used, "%s%s", used ? ", " : "", output_endings[i].ending);
        if (length > 0 && (size_t)length < size - used) used += (size_t)length;
    }
}

int cli_output_format(const cli_options *options, int *format)
{
    const char *const slash = options->output ? strrchr(options->output, '/') : NULL;
    const char *const name = slash ? slash + 1 : options->output;
    const char *const ending = name ? strrchr(name, '.') : NULL;
    char list[CLI_ENDINGS_SIZE];
    *format = options->format >= 0 ? options->format : LEVY_FORMAT_TABLE;
    if (options->format >= 0 || !ending || ending == name) return 0;
    for (size_t i = 0; i < sizeof output_endings / sizeof *output_endings; ++i)
        if (output_endings[i].commands >> options->command & 1 &&
            strcmp(ending, output_endings[i].ending) == 0) {
            *format = output_endings[i].format;
            return 0;
        }
    cli_endings_of(options->command, list);
    return cli_usage_error("--output %s: unknown format '%s'\nhint: the ending selects the "
                           "format: %s%s",
                           options->output, ending, list,
                           cli_option_list[CLI_OPTION_FORMAT].commands >> options->command & 1
                               ? "; or give --format"
                               : "");
}
