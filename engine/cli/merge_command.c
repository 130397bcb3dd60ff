/* merge_command.c: `levy merge`: the report of one run, or the study, from the journals of its
 * parts. The book is that of the first part, whose journal holds the words of its command line. */
#include "engine/cli/output.h"
#include "engine/cli/part.h"
#include "engine/cli/price.h"
#include "engine/cli/sources.h"
#include "engine/cli/study_command.h"

#include <stdlib.h>
#include <string.h>

int cli_merge_paths(cli_client *client, const char *const *paths, size_t n, const char *by)
{
    levy_results *results = NULL;
    const levy_merge_options how = {
        .struct_size = sizeof how, .paths = paths, .n_paths = n, .by = by};
    const int status = levy_merge(client->book, &how, &results);
    if (!results) return cli_client_failed(client, status);
    return cli_price_end(client, results, status, NULL, NULL);
}

/* The command line of a part. */
typedef struct merge_words {
    char *text;   /* of the words, each ended */
    char **words; /* the command, then the words; ends with NULL */
    int count;
    bool study; /* the command is converge, not price */
} merge_words;

static int merge_split(merge_words *split, const char *note)
{
    size_t n = 2;
    for (const char *c = note; *c; ++c) n += *c == '\n';
    split->text = strdup(note);
    split->words = calloc(n + 1, sizeof *split->words);
    if (!split->text || !split->words) return cli_no_memory();
    static char price[] = "price", converge[] = "converge";
    split->words[split->count++] = split->study ? converge : price;
    char *rest = split->text;
    while (rest) split->words[split->count++] = strsep(&rest, "\n");
    return 0;
}

/* Reads the command line of the first part. */
static int merge_read_words(const cli_options *options, merge_words *split)
{
    cli_client client;
    levy_part_info info;
    const char *const path = options->operands[0];
    int code = cli_client_open(&client, options);
    if (code) return code;
    const int status = levy_part_read(client.context, path, &info);
    split->study = status == LEVY_STATUS_OK && info.study;
    if (status != LEVY_STATUS_OK)
        code = cli_client_failed(&client, status);
    else if (!info.note)
        code = cli_usage_error("%s does not say which book it is of\nhint: the program that wrote "
                               "it merges it, by levy_merge",
                               path);
    else
        code = merge_split(split, info.note);
    cli_client_close(&client);
    return code;
}

/* The outputs must replace no part. */
static int merge_check_outputs(const cli_options *options)
{
    cli_written ways[CLI_WRITTEN];
    int code = cli_price_check_files(options);
    cli_outputs_of(options, ways);
    for (size_t w = 0; w < CLI_WRITTEN; ++w)
        for (size_t i = 0; !code && ways[w].path && i < options->n_operands; ++i)
            if (cli_output_is(ways[w].path, options->operands[i]))
                code = cli_usage_error("%s would replace the part %s", ways[w].option,
                                       options->operands[i]);
    return code;
}

/* What goes with prices alone, or with studies alone. */
static int merge_check_kind(const cli_options *options, const merge_words *split)
{
    if (split->study && (options->by || options->columns || options->wide || options->sums))
        return cli_usage_error("--by, --columns, --wide and --sums are for prices; %s is a part of "
                               "a study",
                               options->operands[0]);
    if (!split->study && (options->csv || options->svg))
        return cli_usage_error("--csv and --svg are for studies; %s is a part of prices",
                               options->operands[0]);
    return 0;
}

/* Whether a name of a file stays beneath this folder. A part may come from anyone. */
static bool merge_stays(const char *name, size_t length)
{
    if (length == 0 || name[0] == '/' || cli_sources_descriptor(name) >= 0) return false;
    for (size_t at = 0, n; at < length; at += n + 1) {
        n = strcspn(name + at, "/");
        if (at + n > length) n = length - at;
        if (n == 2 && memcmp(name + at, "..", 2) == 0) return false;
    }
    return true;
}

/* What a part's command line reads that is not beneath this folder; NULL: nothing. */
static const char *merge_outside(const cli_options *of)
{
    for (size_t i = 0; i < of->n_operands; ++i)
        if (!merge_stays(of->operands[i], strlen(of->operands[i]))) return of->operands[i];
    if (of->market && !merge_stays(of->market, strlen(of->market))) return of->market;
    for (const char *at = of->kinds; at; at = strchr(at, ':') ? strchr(at, ':') + 1 : NULL)
        if (!merge_stays(at, strcspn(at, ":"))) return of->kinds;
    return of->allow_links ? "--allow-links" : NULL;
}

static int merge_check_names(const cli_options *options, const cli_options *of)
{
    const char *const outside = options->trust_parts ? NULL : merge_outside(of);
    if (!outside) return 0;
    return cli_usage_error("%s says that its book is made of files outside of this folder: %s\n"
                           "hint: if you trust whoever wrote the parts, add --trust-parts",
                           options->operands[0], outside);
}

/* The part's command line says what the book is, ours what becomes of it. */
static void merge_take_over(const cli_options *options, cli_options *of)
{
    of->format = options->format;
    of->output = options->output;
    of->columns = options->columns;
    of->wide = options->wide;
    of->sums = options->sums;
    of->quiet = options->quiet;
    of->strict_sums = of->strict_sums || options->strict_sums;
    of->no_color = options->no_color;
    of->csv = options->csv;
    of->svg = options->svg;
    of->journal = NULL;
    if (options->by) of->by = options->by;
    if (options->max_memory) of->max_memory = options->max_memory;
}

static int merge_load(cli_client *client, const cli_options *options, const cli_options *of)
{
    const int code = cli_client_load(client, of->operands, of->n_operands);
    if (code && !client->book) /* else the book is there, and an output is refused */
        cli_say("hint: %s is a part of this book; merge where its files are found by the same "
                "names\n",
                options->operands[0]);
    return code;
}

static int merge_book(const cli_options *options, cli_options *of)
{
    cli_client client;
    const char *const *const paths = (const char *const *)options->operands;
    const bool study = of->command == CLI_CONVERGE;
    merge_take_over(options, of);
    int code = study ? cli_study_check(of) : 0;
    if (code) return code;
    code = cli_client_open(&client, of);
    if (!code && !study) code = cli_price_check_columns(&client);
    if (!code) code = merge_load(&client, options, of);
    if (!code) code = cli_outputs_check(of);
    if (!code)
        code = study ? cli_study_merge(&client, paths, options->n_operands)
                     : cli_merge_paths(&client, paths, options->n_operands, of->by);
    cli_client_close(&client);
    return code;
}

int cli_merge(const cli_options *options)
{
    merge_words split = {.count = 0};
    cli_options of = {.command = CLI_PRICE};
    int code = merge_check_outputs(options);
    if (!code) code = merge_read_words(options, &split);
    if (!code) code = merge_check_kind(options, &split);
    if (split.study) of.command = CLI_CONVERGE;
    if (!code) code = cli_options_parse_command(of.command, split.count, split.words, &of);
    if (!code) code = merge_check_names(options, &of);
    if (!code) code = merge_book(options, &of);
    cli_options_release(&of);
    free(split.text);
    free(split.words);
    return code;
}
