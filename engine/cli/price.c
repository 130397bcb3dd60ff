/* price.c: `levy price`. */
#include "engine/cli/each.h"
#include "engine/cli/output.h"
#include "engine/cli/progress.h"
#include "engine/cli/client.h"
#include "engine/cli/signals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool price_colors(const cli_options *options)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (options->no_color || options->output || (no_color && *no_color)) return false;
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

static int price_exit_code(int status, const levy_results *results)
{
    if (status == LEVY_STATUS_CANCELLED) return cli_signals_exit_code();
    if (levy_results_run(results)->failed > 0) return 1;
    return status == LEVY_STATUS_TOLERANCE ? levy_status_exit_code(status) : 0;
}

static int price_write(const cli_options *options, const levy_results *results, cli_each *each)
{
    cli_output output;
    int format, code = cli_output_format(options, &format);
    if (code) return code;
    if (format == LEVY_FORMAT_TABLE && price_colors(options)) format = LEVY_FORMAT_TABLE_COLOR;
    if (each) {
        code = cli_each_begin(each, format);
        if (!code) (void)levy_results_write(results, format, cli_each_write, each);
        return code;
    }
    code = cli_output_open(&output, options->output);
    if (code) return code;
    (void)levy_results_write(results, format, cli_output_write, &output);
    return cli_output_commit(&output);
}

static int price_run(cli_client *client, cli_each *each)
{
    cli_progress_state progress;
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(client->options);
    cli_signals_catch(); /* from here on, an interrupted run prints its results */
    cli_progress_init(&progress, client->options);
    how.progress = cli_progress_report;
    how.user = &progress;
    how.journal = client->options->journal;
    how.resume = client->options->resume;
    how.no_times = client->options->no_times;
    const int status = levy_price(client->book, &how, &results);
    cli_progress_clear(&progress);
    if (!results) return cli_client_failed(client, status);
    cli_client_report(client);
    if (status == LEVY_STATUS_CANCELLED)
        fputs("levy: interrupted; the finished results follow\n", stderr);
    const int output_code = price_write(client->options, results, each);
    const int code = output_code ? output_code : price_exit_code(status, results);
    levy_results_destroy(results);
    return code;
}

/* A typing error must not overwrite the journal. */
static int price_check_files(const cli_options *options)
{
    const char *const output = options->output, *const journal = options->journal;
    if (output && journal && (strcmp(output, journal) == 0 || cli_output_is(output, journal)))
        return cli_usage_error("--output and --journal are the same file: %s", journal);
    int format;
    return cli_output_format(options, &format);
}

static int price_files(const cli_options *options, char *const *files, size_t n, cli_each *each)
{
    cli_client client;
    int code = cli_client_open(&client, options);
    if (!code) code = cli_client_load(&client, files, n);
    if (!code && !each) code = cli_output_check(options->output);
    if (!code) code = price_run(&client, each);
    cli_client_close(&client);
    return code;
}

static int price_one(const cli_options *options, char *const *file, cli_each *each)
{
    return price_files(options, file, 1, each);
}

int cli_price(const cli_options *options)
{
    const int code = price_check_files(options);
    if (code) return code;
    if (options->each) return cli_each_run(options, price_one);
    return price_files(options, options->operands, options->n_operands, NULL);
}
