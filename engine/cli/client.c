/* client.c: see client.h. */
#include "engine/cli/client.h"

#include "engine/cli/output.h"
#include "engine/cli/signals.h"
#include "engine/cli/sources.h"
#include "engine/cli/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char client_set[] = "--set";

/* The options that name a file to write. */
static bool client_writes(const cli_options *options)
{
    cli_written all[CLI_WRITTEN];
    cli_outputs_of(options, all);
    bool writes = false;
    for (size_t i = 0; i < CLI_WRITTEN; ++i) writes = writes || all[i].path;
    return writes;
}

/* Those of the environment stand before those of the options. False: no memory. */
static bool client_kinds(cli_client *client)
{
    const char *const always = getenv("LEVY_KINDS"), *const given = client->options->kinds;
    const char *const first = always ? always : "";
    const char *const second = given ? given : "";
    const size_t size = strlen(first) + strlen(second) + 2;
    if (size == 2) return true;
    client->kinds = malloc(size);
    if (client->kinds) snprintf(client->kinds, size, "%s:%s", first, second);
    return client->kinds;
}

static int client_context(const cli_client *client, bool keep_texts, levy_context **context)
{
    const levy_context_options own = {.struct_size = sizeof own,
                                      .max_memory = client->options->max_memory,
                                      .keep_texts = keep_texts,
                                      .allow_links = client->options->allow_links,
                                      .kinds = client->kinds};
    return levy_context_create(&own, context);
}

int cli_client_open(cli_client *client, const cli_options *options)
{
    *client = (cli_client){.options = options};
    if (!client_kinds(client)) return cli_no_memory();
    const int status = client_context(client, client_writes(options), &client->context);
    if (status == LEVY_STATUS_ARGUMENT && options->max_memory)
        return cli_usage_error("--max-memory takes a size such as 512M, 4G or 50%%; got '%s'",
                               options->max_memory);
    return status == LEVY_STATUS_OK ? 0 : cli_client_failed(client, status);
}

void cli_client_close(cli_client *client)
{
    levy_book_destroy(client->book);
    levy_context_destroy(client->context);
    free(client->kinds);
    for (size_t i = 0; i < client->n_told; ++i) free(client->told[i]);
    free(client->told);
    *client = (cli_client){0};
}

/* A setting's diagnostic is placed at --set. The option that set it instead, if one did; else NULL.
 * Options outrank --set (options.c). */
static const char *client_option(const cli_options *options, const levy_diagnostic *diagnostic)
{
    const struct {
        const char *value, *option, *path;
    } ways[] = {{options->measures, "--measures", "measures"},
                {options->seed, "--seed", "simulation.seed"},
                {options->paths, "--paths", "simulation.paths"},
                {options->precision, "--precision", "simulation.precision"}};
    if (!diagnostic->file || diagnostic->line > 0 || strcmp(diagnostic->file, client_set) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
        if (ways[i].value && strncmp(diagnostic->path, ways[i].path, strlen(ways[i].path)) == 0)
            return ways[i].option;
    return NULL;
}

/* Whether an earlier call has said it; from now on one has. Without memory it is said again. */
static bool client_is_told(cli_client *client, const char *text)
{
    for (size_t i = 0; i < client->n_told; ++i)
        if (strcmp(client->told[i], text) == 0) return true;
    char **const told = realloc(client->told, (client->n_told + 1) * sizeof *told);
    if (!told) return false;
    client->told = told;
    told[client->n_told] = strdup(text);
    if (told[client->n_told]) ++client->n_told;
    return false;
}

void cli_client_report(cli_client *client)
{
    const size_t count = levy_diagnostic_count(client->context);
    for (size_t i = 0; i < count; ++i) {
        const levy_diagnostic *diagnostic = levy_diagnostic_get(client->context, i);
        if (client_is_told(client, diagnostic->text)) continue;
        client->errors += diagnostic->severity == 0;
        client->warnings += diagnostic->severity == 1 && diagnostic->file;
        if (diagnostic->severity != 0 && client->options->quiet) continue;
        const char *const option = client_option(client->options, diagnostic);
        if (client->said) {
            levy_diagnostic own = *diagnostic;
            if (option) own.file = option;
            cli_validate_put(client->said, &own);
            continue;
        }
        fprintf(stderr, "%s%s\n", option ? option : "",
                diagnostic->text + (option ? strlen(client_set) : 0));
        if (diagnostic->hint)
            fprintf(stderr, "hint: %s\n", diagnostic->hint);
        else if (diagnostic->file && access(diagnostic->file, F_OK) != 0)
            cli_example_hint(diagnostic->file);
    }
}

int cli_client_strict(const cli_client *client)
{
    return client->options->strict && client->errors + client->warnings > 0 ? CLI_EXIT_INPUT : 0;
}

int cli_client_failed(cli_client *client, int status)
{
    const size_t before = client->errors;
    if (client->context) cli_client_report(client);
    const bool interrupted = status == LEVY_STATUS_CANCELLED; /* only a signal cancels */
    const char *const why = interrupted ? "interrupted" : levy_status_message(status);
    if (client->errors == before) fprintf(stderr, "levy: %s\n", why);
    return interrupted ? cli_signals_exit_code() : levy_status_exit_code(status);
}

int cli_client_lacks(const cli_client *client)
{
    return client->errors > 0 && !client->options->trade ? CLI_EXIT_TRADES : 0;
}

int cli_client_finish(cli_client *client, cli_output *output, int status)
{
    if (status == LEVY_STATUS_OK || output->error || output->closed_pipe)
        return cli_output_commit(output);
    cli_output_abandon(output);
    return cli_client_failed(client, status);
}

int cli_client_print(const cli_options *options, const char *path,
                     int (*print)(cli_client *client, cli_output *output))
{
    cli_client client;
    cli_output output;
    int code = cli_client_open(&client, options);
    if (!code) code = cli_output_open(&output, path);
    if (!code) code = print(&client, &output);
    cli_client_close(&client);
    return code;
}

int cli_client_say(cli_client *client, cli_output *output,
                   int (*say)(levy_context *, const char *, levy_writer, void *),
                   int (*unknown)(cli_client *client, const char *word))
{
    const cli_options *const options = client->options;
    const char *const word = options->n_operands ? options->operands[0] : NULL;
    const int status = say(client->context, word, cli_output_write, output);
    if (status != LEVY_STATUS_ARGUMENT) return cli_client_finish(client, output, status);
    cli_output_abandon(output);
    return unknown(client, word);
}

int cli_client_spares(const cli_client *client, const char *input)
{
    cli_written ways[CLI_WRITTEN];
    cli_outputs_of(client->options, ways);
    for (size_t i = 0; i < CLI_WRITTEN; ++i)
        if (cli_output_is(ways[i].path, input))
            return cli_usage_error("%s would replace the input %s\nhint: the book reads it; %s "
                                   "takes a file of its own, not %s",
                                   ways[i].option, input, ways[i].option, ways[i].path);
    return 0;
}

static int client_check_outputs(const cli_client *client)
{
    const levy_source *source;
    int code = 0;
    for (size_t i = 0; !code && (source = levy_book_source(client->book, i)) != NULL; ++i)
        code = cli_client_spares(client, source->name);
    for (size_t i = 0; !code && (source = levy_book_reference(client->book, i)) != NULL; ++i)
        code = cli_client_spares(client, source->name);
    return code;
}

/* A warning that the library does not know. */
static void client_warn(cli_client *client, const char *message, const char *hint)
{
    const levy_diagnostic own = {
        .severity = 1, .reason = "none", .path = "", .message = message, .hint = hint};
    client->warnings++;
    if (client->options->quiet) return;
    if (client->said)
        cli_validate_put(client->said, &own);
    else
        cli_say("levy: warning: %s\nhint: %s\n", message, hint);
}

/* The same words set the level of a flat quote, so who means a level must be told. */
static void client_warn_shift(cli_client *client, const cli_quote *quote)
{
    const size_t n = levy_book_quote_count(client->book);
    size_t i = 0;
    while (i < n && strcmp(levy_book_quote_name(client->book, i), quote->name) != 0) ++i;
    if (quote->value == 0.0 || !levy_book_quote_is_shift(client->book, i) ||
        strpbrk(quote->name, "[,"))
        return;
    char message[512];
    const bool scales = strstr(quote->name, ".dividends") != NULL;
    snprintf(message, sizeof message,
             scales ? "--set %.400s: each dividend on a date is multiplied by 1 + %g"
                    : "--set %.400s: it is a term structure, so %g is added to each node",
             quote->name, quote->value);
    client_warn(client, message,
                scales ? "for one amount write NAME.dividends[DATE]"
                       : "for another level write the number in place of the nodes in the market");
}

/* The quotes that --set gives. */
static int client_quote(cli_client *client)
{
    const cli_options *const options = client->options;
    for (size_t i = 0; i < options->n_quotes; ++i) {
        const cli_quote *const quote = &options->quotes[i];
        const int status = levy_book_set(client->book, quote->name, quote->value);
        if (status != LEVY_STATUS_OK) {
            if (!client->said) fputs("--set: ", stderr);
            return cli_client_failed(client, status);
        }
        client_warn_shift(client, quote);
    }
    return 0;
}

/* What the quotes make of the trades, before any work: a check, and --strict, are of the whole. */
static int client_check_quoted(cli_client *client)
{
    const cli_options *const options = client->options;
    if (options->n_quotes == 0 || !(options->strict || options->command == CLI_VALIDATE)) return 0;
    const int status = levy_book_override(client->book, options->settings, options->n_settings);
    if (status != LEVY_STATUS_OK) return cli_client_failed(client, status);
    cli_client_report(client);
    return 0;
}

/* How many trades a source has by itself, which says nothing. */
static size_t client_count(const cli_client *client, const levy_source *source)
{
    levy_context *context = NULL;
    levy_book *book = NULL;
    if (client_context(client, false, &context) != LEVY_STATUS_OK) return 0;
    (void)levy_book_load(context, source, 1, NULL, 0, &book);
    const size_t count = book ? levy_book_size(book) : 0;
    levy_book_destroy(book);
    levy_context_destroy(context);
    return count;
}

/* A book that is given as the market may have trades of its own. */
static void client_warn_market(cli_client *client, const cli_sources *sources)
{
    const char *const market = client->options->market;
    const size_t own = market && client->options->n_operands > 0 && !sources->market
                           ? client_count(client, &sources->items[sources->count - 1])
                           : 0;
    if (own == 0) return;
    char message[512];
    snprintf(message, sizeof message,
             "--market %.400s has %zu trade%s of its own, in the book with the others", market, own,
             own == 1 ? "" : "s");
    client_warn(client, message,
                "remove `trades` from it, or copy its market and models to a file of their own");
}

int cli_client_load(cli_client *client, char *const *files, size_t n)
{
    const cli_options *options = client->options;
    cli_sources sources;
    int code = cli_sources_open(&sources, options, files, n);
    if (!code) {
        const int status = levy_book_load(client->context, sources.items, sources.count,
                                          options->settings, options->n_settings, &client->book);
        if (status == LEVY_STATUS_OK)
            cli_client_report(client);
        else
            code = cli_client_failed(client, status);
        if (!code) client_warn_market(client, &sources);
        if (!code) code = client_check_outputs(client);
        if (!code) code = client_quote(client);
        if (!code) code = client_check_quoted(client);
        if (!code) code = cli_client_strict(client);
        if (!code && options->strict_sums && client->errors > 0) {
            cli_say("levy: sums would lack the trades that failed (--strict-sums)\n");
            code = CLI_EXIT_INPUT;
        }
    }
    cli_sources_close(&sources);
    return code;
}

levy_price_options cli_client_price_options(const cli_options *options)
{
    return (levy_price_options){.struct_size = sizeof(levy_price_options),
                                .device = options->device,
                                .isa = options->isa,
                                .threads = options->threads,
                                .no_kernel_cache = options->no_cache};
}
