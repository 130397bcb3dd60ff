/* part.c: see part.h. A part of prices and one of a study differ in what is called. */
#include "engine/cli/part.h"

#include "engine/cli/output.h"
#include "engine/cli/price.h"
#include "engine/cli/progress.h"
#include "engine/cli/ranks.h"
#include "engine/cli/signals.h"
#include "engine/cli/sources.h"
#include "engine/cli/study_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { PART_NAME = 4096, PART_TICK_MS = 50, PART_TOLD_MS = 10000 };

typedef struct part_run {
    cli_options options; /* with part, parts and the own journal */
    cli_ranks ranks;     /* size 0: of no launcher */
    char base[PART_NAME], journal[PART_NAME + 32];
    char *note;
} part_run;

static bool part_is_study(const cli_options *options) { return options->command == CLI_CONVERGE; }

/* ---- Names ---- */

/* Of the journals: "runs/eod" as given, or from "books/eod.yaml" the book's own name, "eod.part",
 * here. */
static void part_name_base(part_run *run)
{
    const cli_options *const options = &run->options;
    char name[PART_NAME];
    if (options->journal) {
        snprintf(run->base, sizeof run->base, "%s", options->journal);
        return;
    }
    snprintf(name, sizeof name, "%s", options->operands[0]);
    for (size_t n = strlen(name); n > 1 && name[n - 1] == '/'; --n) name[n - 1] = '\0';
    char *const slash = strrchr(name, '/'), *const stem = slash && slash[1] ? slash + 1 : name;
    char *const ending = strrchr(stem, '.');
    if (ending && ending > stem) *ending = '\0';
    snprintf(run->base, sizeof run->base, "%.*s.%s", PART_NAME - 8, stem,
             part_is_study(options) ? "study" : "part");
}

static void part_name(const part_run *run, uint32_t part, char *name, size_t room)
{
    snprintf(name, room, "%s.%u-of-%u", run->base, part, run->options.parts);
}

/* A typing error must not overwrite a journal. Rank 0 writes the outputs, so it looks at the files
 * of all parts; N ranks that all did so would ask a shared file system N^2 times. */
static int part_check_output(const part_run *run, const char *option, const char *path)
{
    char name[PART_NAME + 32];
    const cli_options *const options = &run->options;
    for (uint32_t part = 1; path && part <= options->parts; ++part) {
        part_name(run, part, name, sizeof name);
        const bool looks = run->ranks.rank == 0 || part == options->part;
        if (strcmp(path, name) == 0 || (looks && cli_output_is(path, name)))
            return cli_usage_error("%s would replace the part %s", option, name);
    }
    return 0;
}

static int part_check_outputs(const part_run *run)
{
    cli_written all[CLI_WRITTEN];
    int code = 0;
    cli_outputs_of(&run->options, all);
    for (size_t i = 0; !code && i < CLI_WRITTEN; ++i)
        if (all[i].path != run->options.journal)
            code = part_check_output(run, all[i].option, all[i].path);
    return code;
}

/* The words of the command line, so that `levy merge` reads the same book again. */
static int part_note(part_run *run)
{
    char *const *const words = run->options.words;
    size_t length = 1;
    for (size_t i = 1; words[i]; ++i) {
        if (strchr(words[i], '\n'))
            return cli_usage_error("--part takes no words with a line break in them; got '%s'",
                                   words[i]);
        length += strlen(words[i]) + 1;
    }
    run->note = malloc(length);
    if (!run->note) return cli_no_memory();
    run->note[0] = '\0';
    char *at = run->note;
    for (size_t i = 1; words[i]; ++i) at += sprintf(at, "%s%s", i > 1 ? "\n" : "", words[i]);
    return 0;
}

static int part_prepare(part_run *run)
{
    cli_options *const options = &run->options;
    for (size_t i = 0; i < options->n_operands; ++i)
        if (cli_sources_descriptor(options->operands[i]) >= 0)
            return cli_usage_error(
                "--part takes no standard input and no pipe\nhint: write the book to a file, "
                "which every part and `levy merge` can read");
    if (options->market && cli_sources_descriptor(options->market) >= 0)
        return cli_usage_error("--part takes no market from standard input or a pipe\n"
                               "hint: name a file");
    const int found = options->part_env ? cli_ranks_read(&run->ranks) : 0;
    if (found) return found;
    if (!options->part_env && (options->output || options->format >= 0 || options->columns ||
                               options->wide || options->csv || options->svg || options->sums))
        return cli_usage_error("--part K/N writes a journal, no report\nhint: the report's options "
                               "go to `levy merge`");
    if (options->part_env) options->part = run->ranks.rank + 1;
    if (options->part_env) options->parts = run->ranks.size;
    part_name_base(run);
    part_name(run, options->part, run->journal, sizeof run->journal);
    options->journal = run->journal;
    const int code = part_check_outputs(run);
    return code ? code : part_note(run);
}

/* ---- Pricing ---- */

static int part_price(const part_run *run, cli_client *client)
{
    cli_progress_state progress;
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(&run->options);
    cli_progress_start(&progress, &run->options, &how);
    how.journal = run->journal;
    how.by = run->options.by; /* refused now, not by whoever merges */
    how.part = run->options.part;
    how.parts = run->options.parts;
    how.part_note = run->note;
    how.host_processes = run->ranks.host_size;
    how.host_place = run->ranks.host_rank;
    if (how.threads == 0) how.threads = run->ranks.threads;
    const bool study = part_is_study(&run->options);
    const int status =
        study ? cli_study_part(client, &how) : levy_price(client->book, &how, &results);
    cli_progress_clear(&progress);
    if (!results && !study) return cli_client_failed(client, status);
    if (status == LEVY_STATUS_OK || !study) cli_client_report(client);
    levy_results_destroy(results);
    if (status == LEVY_STATUS_CANCELLED) {
        cli_say("levy: interrupted; %s goes on where it ended\n", run->journal);
        return cli_signals_exit_code();
    }
    /* what failed is in the journal, and the merged run's exit code says so */
    const bool done = status == LEVY_STATUS_OK || status == LEVY_STATUS_TOLERANCE;
    if (!done) return cli_client_failed(client, status);
    if (!run->options.quiet && !run->options.part_env)
        cli_say("levy: part %u/%u is complete: %s\n", run->options.part, run->options.parts,
                run->journal);
    return 0;
}

/* ---- Waiting for the others ---- */

static bool part_is_complete(cli_client *client, const char *path)
{
    levy_part_info info;
    struct stat state;
    return stat(path, &state) == 0 &&
           levy_part_read(client->context, path, &info) == LEVY_STATUS_OK && info.complete;
}

/* mpirun and srun end all ranks when one of them ends with an error, so a part that will never come
 * does not keep rank 0 for ever. */
static int part_wait(const part_run *run, cli_client *client)
{
    char name[PART_NAME + 32];
    uint32_t waited = 0;
    for (uint32_t part = 1; part <= run->options.parts; ++part) {
        part_name(run, part, name, sizeof name);
        while (!part_is_complete(client, name)) {
            const struct timespec tick = {.tv_nsec = PART_TICK_MS * 1000000};
            nanosleep(&tick, NULL);
            if (cli_signals_stop()) return cli_signals_exit_code();
            waited += PART_TICK_MS;
            if (waited % PART_TOLD_MS == 0 && !run->options.quiet)
                cli_say("levy: waiting for part %u/%u: %s\n", part, run->options.parts, name);
        }
    }
    return 0;
}

static int part_merge(const part_run *run, cli_client *client)
{
    const uint32_t n = run->options.parts;
    const size_t room = sizeof run->journal;
    char *const names = calloc(n, room);
    const char **const paths = calloc(n, sizeof *paths);
    int code = names && paths ? 0 : CLI_EXIT_MEMORY;
    if (code) (void)cli_no_memory();
    for (uint32_t i = 0; !code && i < n; ++i) {
        paths[i] = names + i * room;
        part_name(run, i + 1, names + i * room, room);
    }
    if (!code)
        code = part_is_study(&run->options) ? cli_study_merge(client, paths, n)
                                            : cli_merge_paths(client, paths, n, run->options.by);
    free(names);
    free(paths);
    return code;
}

static int part_all(part_run *run)
{
    cli_client client;
    const cli_options *const options = &run->options;
    const bool merges = options->part_env && run->ranks.rank == 0, study = part_is_study(options);
    int code = cli_client_open(&client, options);
    if (!code && !study) code = cli_price_check_columns(&client);
    if (!code) code = cli_client_load(&client, options->operands, options->n_operands);
    if (!code && merges) code = cli_outputs_check(options);
    if (!code) code = part_price(run, &client);
    if (!code && merges) code = part_wait(run, &client);
    if (!code && merges) code = part_merge(run, &client);
    cli_client_close(&client);
    return code;
}

int cli_part(const cli_options *options)
{
    part_run *const run = calloc(1, sizeof *run);
    if (!run) return CLI_EXIT_MEMORY;
    run->options = *options;
    int code = part_prepare(run);
    if (!code) code = part_all(run);
    free(run->note);
    free(run);
    return code;
}
