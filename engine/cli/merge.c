/* merge.c: `levy merge`: the report of one run from the journals of its parts. The book is that of
 * the first part, whose journal holds the words of its command line. */
#include "engine/cli/output.h"
#include "engine/cli/part.h"
#include "engine/cli/price.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_merge_paths(cli_client *client, const char *const *paths, size_t n, const char *by)
{
    levy_results *results = NULL;
    const levy_merge_options how = {
        .struct_size = sizeof how, .paths = paths, .n_paths = n, .by = by};
    const int status = levy_merge(client->book, &how, &results);
    if (!results) return cli_client_failed(client, status);
    cli_client_report(client);
    const int output_code = cli_price_write(client, results, NULL);
    const int code = output_code ? output_code : cli_price_exit_code(status, results);
    levy_results_destroy(results);
    return code;
}

/* The command line of a part. */
typedef struct merge_words {
    char *text;   /* of the words, each ended */
    char **words; /* "price", then the words; ends with NULL */
    int count;
} merge_words;

static int merge_split(merge_words *split, const char *note)
{
    size_t n = 2;
    for (const char *c = note; *c; ++c) n += *c == '\n';
    split->text = strdup(note);
    split->words = calloc(n + 1, sizeof *split->words);
    if (!split->text || !split->words) {
        fputs("levy: out of memory\n", stderr);
        return CLI_EXIT_MEMORY;
    }
    static char command[] = "price";
    split->words[split->count++] = command;
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

/* The output must replace no part. */
static int merge_check_output(const cli_options *options)
{
    int code = cli_price_check_files(options);
    for (size_t i = 0; !code && options->output && i < options->n_operands; ++i)
        if (cli_output_is(options->output, options->operands[i]))
            code = cli_usage_error("--output would replace the part %s", options->operands[i]);
    return code;
}

/* The part's command line says what the book is, ours what becomes of it. */
static void merge_take_over(const cli_options *options, cli_options *of)
{
    of->command = CLI_PRICE;
    of->format = options->format;
    of->output = options->output;
    of->columns = options->columns;
    of->wide = options->wide;
    of->quiet = options->quiet;
    of->no_color = options->no_color;
    of->journal = NULL;
    if (options->by) of->by = options->by;
    if (options->max_memory) of->max_memory = options->max_memory;
}

static int merge_book(const cli_options *options, cli_options *of)
{
    cli_client client;
    merge_take_over(options, of);
    int code = cli_client_open(&client, of);
    if (!code) code = cli_price_check_columns(&client);
    if (!code) {
        code = cli_client_load(&client, of->operands, of->n_operands);
        if (code)
            fprintf(stderr,
                    "hint: %s is a part of this book; merge where its files are found by "
                    "the same names\n",
                    options->operands[0]);
    }
    if (!code) code = cli_output_check(of->output);
    if (!code)
        code = cli_merge_paths(&client, (const char *const *)options->operands, options->n_operands,
                               of->by);
    cli_client_close(&client);
    return code;
}

int cli_merge(const cli_options *options)
{
    merge_words split = {.count = 0};
    cli_options of = {.command = CLI_PRICE};
    int code = merge_check_output(options);
    if (!code) code = merge_read_words(options, &split);
    if (!code) code = cli_options_parse_command(CLI_PRICE, split.count, split.words, &of);
    if (!code) code = merge_book(options, &of);
    cli_options_release(&of);
    free(split.text);
    free(split.words);
    return code;
}
