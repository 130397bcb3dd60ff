/* bench_peers.c: what rows are held against: programs DIR/NAME/run, each handed the names of the
 * rows of this run. A peer prints a line "ROW VALUE UNIT [VARIANT]" for each row that it knows, in
 * the row's unit, and ends with 0; with 77 where it cannot run here, after saying why on its
 * standard error. DIR/NAME/rows are programs with rows of their own (bench_external.c).
 * bench/peers/README.md has the rest. */
#include "bench/harness/bench.h"
#include "engine/cli/signals.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PEERS_OUTPUT = 1 << 18, PEERS_SKIPPED = 77, PEERS_SECONDS = 300 };

void bench_add_pair(bench_run *run, size_t result, const char *peer, double value)
{
    if (run->n_pairs == BENCH_MOST_PAIRS) return;
    bench_pair *pair = &run->pairs[run->n_pairs++];
    *pair = (bench_pair){.result = result, .value = value};
    snprintf(pair->peer, sizeof pair->peer, "%s", peer);
}

static void peers_fail(bench_run *run, const char *name, const char *what)
{
    fprintf(stderr, "levy: peer %s %s\n", name, what);
    if (!run->code) run->code = 1;
}

static bool peers_is_plain(const char *word, size_t most)
{
    const size_t plain =
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-");
    return plain > 0 && plain <= most && word[plain] == '\0';
}

/* Reads a line of a peer; false: the line is not valid. */
static bool peers_line(bench_run *run, const char *name, char *line)
{
    char *words[5], *rest = NULL, *end = NULL, peer[BENCH_PEER_SIZE];
    size_t n = 0, r = 0;
    for (char *word = strtok_r(line, " \t", &rest); word && n < 5;
         word = strtok_r(NULL, " \t", &rest))
        words[n++] = word;
    if (n < 3 || n > 4) return false;
    while (r < run->n_results && strcmp(run->results[r].entry->name, words[0]) != 0) ++r;
    const double value = strtod(words[1], &end);
    if (r == run->n_results || *end != '\0' || !isfinite(value) || value <= 0.0) return false;
    if (strcmp(words[2], run->results[r].entry->unit) != 0 ||
        (n == 4 && !peers_is_plain(words[3], 40)))
        return false;
    if (n == 4)
        snprintf(peer, sizeof peer, "%.47s:%.40s", name, words[3]);
    else
        snprintf(peer, sizeof peer, "%.47s", name);
    bench_add_pair(run, r, peer, value);
    return true;
}

static void peers_read(bench_run *run, const char *name, char *text)
{
    char *rest = NULL, copy[64], why[160];
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        snprintf(copy, sizeof copy, "%s", line);
        for (char *c = copy; *c; ++c) *c = *c < ' ' || *c > '~' ? '?' : *c;
        if (peers_line(run, name, line)) continue;
        snprintf(why, sizeof why,
                 "printed '%s', which is not ROW VALUE UNIT [VARIANT] of a row of this run", copy);
        peers_fail(run, name, why);
        return;
    }
}

typedef void (*peers_reader)(bench_run *run, const char *name, char *text);

static void peers_read_rows(bench_run *run, const char *name, char *text)
{
    const char *wrong = bench_external_read(run, text);
    if (wrong) peers_fail(run, name, wrong);
}

static int peers_take(bench_run *run, const char *name, const bench_process *process, bench_end end,
                      peers_reader read)
{
    char why[128];
    if (end == BENCH_INTERRUPTED) return BENCH_STOPPED;
    if (end == BENCH_NOT_STARTED)
        snprintf(why, sizeof why, "cannot be run: %s", strerror(process->status));
    else if (end == BENCH_TOO_LONG)
        snprintf(why, sizeof why, "took longer than %g s and was ended (--peer-limit)",
                 process->limit);
    else if (process->status != 0)
        snprintf(why, sizeof why, "failed with exit code %d", process->status);
    if (end == BENCH_ENDED && process->status == PEERS_SKIPPED)
        fprintf(stderr, "levy: peer %s skipped\n", name);
    else if (end != BENCH_ENDED || process->status != 0)
        peers_fail(run, name, why);
    else
        read(run, name, process->out);
    return 0;
}

/* Runs DIR/NAME/`program` if it exists. */
static int peers_run(bench_run *run, const char *folder, const char *name, const char *program,
                     peers_reader read)
{
    char path[BENCH_PATH], variables[5][BENCH_PATH + 32];
    const char *words[BENCH_MOST_ENTRIES + 2] = {path}, *environment[6] = {NULL};
    const cli_options *options = run->options;
    const char *isa = options->isa ? options->isa : "auto",
               *paths = options->paths ? options->paths : "";
    if (snprintf(path, sizeof path, "%s/%s/%s", folder, name, program) >= (int)sizeof path ||
        access(path, F_OK) != 0)
        return 0;
    if (isatty(STDERR_FILENO) && !options->quiet) fprintf(stderr, "\r\033[Kpeer %s ...\r", name);
    for (size_t i = 0; i < run->n_results; ++i) words[i + 1] = run->results[i].entry->name;
    snprintf(variables[0], sizeof variables[0], "LEVY_BENCH_DEVICE=%s", run->device);
    snprintf(variables[1], sizeof variables[1], "LEVY_BENCH_PROGRAM=%s", run->levy);
    snprintf(variables[2], sizeof variables[2], "LEVY_BENCH_ISA=%s", isa);
    snprintf(variables[3], sizeof variables[3], "LEVY_BENCH_REPEATS=%u", run->repeats);
    snprintf(variables[4], sizeof variables[4], "LEVY_BENCH_PATHS=%s", paths);
    for (int i = 0; i < 5; ++i) environment[i] = variables[i];
    char *out = malloc(PEERS_OUTPUT);
    if (!out) return CLI_EXIT_MEMORY;
    bench_process process = {.words = words,
                             .environment = environment,
                             .out = out,
                             .size = PEERS_OUTPUT,
                             .limit =
                                 options->peer_limit > 0.0 ? options->peer_limit : PEERS_SECONDS};
    const bench_end end = bench_process_run(&process);
    const int code = peers_take(run, name, &process, end, read);
    free(out);
    return code;
}

bool bench_is_listed(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static int peers_by_name(const void *a, const void *b) { return strcmp(a, b); }

int bench_peers_find(const cli_options *options, bench_peer_names *peers)
{
    peers->n = 0;
    DIR *walk = opendir(options->peers);
    if (!walk)
        return cli_usage_error("--peers takes a folder of peers; %s cannot be opened: %s",
                               options->peers, strerror(errno));
    for (const struct dirent *item; (item = readdir(walk)) != NULL && peers->n < BENCH_MOST_PEERS;)
        if (item->d_name[0] != '.' && peers_is_plain(item->d_name, BENCH_PEER_NAME - 1) &&
            !bench_is_listed(options->without, item->d_name))
            memcpy(peers->names[peers->n++], item->d_name, strlen(item->d_name) + 1);
    closedir(walk);
    qsort(peers->names, peers->n, sizeof *peers->names, peers_by_name);
    return 0;
}

/* Without --only all may run their rows, else those that may bring a named row that is not ours. */
static bool peers_may_bring_rows(const cli_options *options, const char *folder, const char *name)
{
    if (!options->only) return true;
    for (const char *at = options->only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        if (bench_find(at, length) == bench_entry_count &&
            bench_external_may_bring(folder, name, at, length))
            return true;
    }
    return false;
}

int bench_peers(bench_run *run, const char *folder)
{
    bench_peer_names peers;
    int code = bench_peers_find(run->options, &peers);
    for (size_t i = 0; i < peers.n && !code; ++i) {
        const char *name = peers.names[i];
        if (cli_signals_stop()) return BENCH_STOPPED;
        if (run->n_results) code = peers_run(run, folder, name, "run", peers_read);
        if (!code && peers_may_bring_rows(run->options, folder, name))
            code = peers_run(run, folder, name, "rows", peers_read_rows);
    }
    if (!code) bench_external_check(run);
    return code;
}
