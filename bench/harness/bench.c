/* bench.c: a run of the benchmark: the speed of the engine on problems of its own, in the engine's
 * own seconds, each row beside what it is held against. Ctrl-C prints what is done. Must not know:
 * how a row is measured or a peer is run. */
#include "bench/harness/bench.h"
#include "engine/cli/place.h"
#include "engine/cli/signals.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

size_t bench_find(const char *name, size_t length)
{
    size_t i = 0;
    while (i < bench_entry_count && (strncmp(bench_entries[i].name, name, length) != 0 ||
                                     bench_entries[i].name[length] != '\0'))
        i++;
    return i;
}

static int bench_unknown(const cli_options *options, const char *option, const char *name,
                         size_t length)
{
    const char *names[BENCH_MOST_ENTRIES + 1] = {NULL};
    char word[64];
    for (size_t i = 0; i < bench_entry_count; ++i) names[i] = bench_entries[i].name;
    snprintf(word, sizeof word, "%.*s", length < 60 ? (int)length : 60, name);
    char room[CLI_MEANT_SIZE];
    const char *const meant = cli_meant(word, names, room);
    if (options->peers)
        return cli_usage_error("--%s: there is no row '%s'%s\nhint: `levy bench --list --peers %s` "
                               "lists the rows",
                               option, word, meant, options->peers);
    return cli_usage_error("--%s: there is no row '%s'%s\nhint: `levy bench --list` lists the "
                           "rows; --peers DIR adds the rows of other programs",
                           option, word, meant);
}

/* Can a program of the peers' folder bring the row? */
static bool bench_is_brought(const bench_peer_names *peers, const char *folder, const char *name,
                             size_t length)
{
    for (size_t i = 0; i < peers->n; ++i)
        if (bench_external_may_bring(folder, peers->names[i], name, length)) return true;
    return false;
}

/* Chooses the rows that are named, or all that suit the device. */
static int bench_choose(bench_run *run)
{
    const char *list = run->options->only;
    bench_peer_names peers = {.n = 0};
    const int code = run->options->peers ? bench_peers_find(run->options, &peers) : 0;
    if (code) return code;
    for (size_t i = 0; i < bench_entry_count; ++i)
        run->chosen[i] = !list && !(run->gpu ? bench_entries[i].one_core
                                             : bench_entries[i].cold || bench_entries[i].dear);
    while (list) {
        const size_t length = strcspn(list, ","), found = bench_find(list, length);
        if (found < bench_entry_count)
            run->chosen[found] = true;
        else if (!bench_is_brought(&peers, run->options->peers, list, length))
            return bench_unknown(run->options, "only", list, length);
        list = list[length] ? list + length + 1 : NULL;
    }
    return 0;
}

static void bench_say(const bench_run *run, size_t entry)
{
    size_t before = 1, all = 0;
    if (!isatty(STDERR_FILENO) || run->options->quiet) return;
    for (size_t i = 0; i < bench_entry_count; ++i) {
        before += run->chosen[i] && i < entry;
        all += run->chosen[i];
    }
    fprintf(stderr, "\r\033[K%zu of %zu: %s\r", before, all, bench_entries[entry].name);
}

static int bench_measure_entries(bench_run *run)
{
    for (size_t i = 0; i < bench_entry_count; ++i) {
        if (!run->chosen[i]) continue;
        if (cli_signals_stop()) return BENCH_STOPPED;
        bench_result *result = &run->results[run->n_results];
        bench_say(run, i);
        *result = (bench_result){.entry = &bench_entries[i]};
        const int code = bench_entries[i].measure(run, &bench_entries[i], result);
        if (code == BENCH_STOPPED || code == CLI_EXIT_USAGE) return code;
        if (code) fprintf(stderr, "levy: %s could not be measured\n", bench_entries[i].name);
        if (code && !run->code) run->code = code;
        if (!code) run->n_results++;
    }
    return 0;
}

static int bench_by_result(const void *a, const void *b)
{
    const bench_pair *x = a, *y = b;
    if (x->result != y->result) return x->result < y->result ? -1 : 1;
    return strcmp(x->peer, y->peer);
}

/* Adds the pairs of two rows, and the rows that are compared with nothing. */
static void bench_finish_pairs(bench_run *run)
{
    for (size_t i = 0; i < run->n_results; ++i) {
        const char *against = run->results[i].entry->against;
        for (size_t j = 0; against && j < run->n_results; ++j)
            if (strcmp(run->results[j].entry->name, against) == 0)
                bench_add_pair(run, i, against, run->results[j].value);
        bool paired = false;
        for (size_t p = 0; p < run->n_pairs; ++p) paired = paired || run->pairs[p].result == i;
        if (!paired) bench_add_pair(run, i, "", 0.0);
    }
    qsort(run->pairs, run->n_pairs, sizeof *run->pairs, bench_by_result);
}

static int bench_write(const bench_run *run)
{
    cli_output output;
    if (isatty(STDERR_FILENO) && !run->options->quiet) fputs("\r\033[K", stderr);
    int format, code = cli_output_format(run->options, &format);
    if (!code) code = cli_output_open(&output, run->options->output);
    if (code) return code;
    if (format == LEVY_FORMAT_JSON)
        bench_write_json(run, &output);
    else
        bench_write_table(run, &output);
    return cli_output_commit(&output);
}

static int bench_run_all(bench_run *run)
{
    int code = bench_find_device(run);
    if (!code) code = bench_choose(run);
    if (!code) code = bench_measure_entries(run);
    if (!code && run->options->peers) code = bench_peers(run, run->options->peers);
    if (code && code != BENCH_STOPPED) return code;
    bench_finish_pairs(run);
    if (code == BENCH_STOPPED) fputs("levy: interrupted; the finished results follow\n", stderr);
    const int written = bench_write(run);
    if (written) return written;
    return code == BENCH_STOPPED ? cli_signals_exit_code() : run->code;
}

static int bench_list(const cli_options *options)
{
    cli_output output;
    bench_peer_names peers;
    int code = options->peers ? bench_peers_find(options, &peers) : 0;
    if (!code) code = cli_output_open(&output, NULL);
    if (code) return code;
    for (size_t i = 0; i < bench_entry_count; ++i) {
        const bench_entry *entry = &bench_entries[i];
        const bool told = entry->precision && !entry->one_core;
        char name[64];
        snprintf(name, sizeof name, "%-33s ", entry->name);
        const char *const words[] = {name, entry->what, told ? "; " : "",
                                     told ? entry->precision : "", "\n"};
        for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
            (void)cli_output_write(&output, words[k], strlen(words[k]));
    }
    if (options->peers) bench_external_list(options->peers, &peers, &output);
    return cli_output_commit(&output);
}

static int bench_show(const cli_options *options)
{
    const char *name = options->show;
    cli_output output;
    const size_t found = bench_find(name, strlen(name));
    if (found == bench_entry_count) return bench_unknown(options, "show", name, strlen(name));
    char *text = bench_problem(&bench_entries[found]);
    if (!text) return fputs("levy: out of memory\n", stderr), CLI_EXIT_MEMORY;
    int code = cli_output_open(&output, NULL);
    if (!code) {
        (void)cli_output_write(&output, text, strlen(text));
        code = cli_output_commit(&output);
    }
    free(text);
    return code;
}

static int bench_check(const cli_options *options)
{
    bench_run names = {.options = options};
    return bench_choose(&names); /* checked before minutes of work */
}

int bench_command(const cli_options *options)
{
    if (options->list) return bench_list(options);
    if (options->show) return bench_show(options);
    int format, code = bench_check(options);
    if (!code) code = cli_output_format(options, &format);
    bench_run *run = code ? NULL : calloc(1, sizeof *run);
    if (!run) return code ? code : (fputs("levy: out of memory\n", stderr), CLI_EXIT_MEMORY);
    run->options = options;
    run->repeats = options->repeats ? options->repeats : 5;
    const time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day)) (void)strftime(run->date, sizeof run->date, "%Y-%m-%d", &day);
    code = cli_place(run->levy, sizeof run->levy, LEVY_WAY_FROM_BENCH);
    if (!code) code = cli_client_open(&run->client, options);
    if (!code) code = cli_output_check(options->output);
    if (!code) {
        cli_signals_catch();
        code = bench_run_all(run);
    }
    cli_client_close(&run->client);
    free(run);
    return code;
}
