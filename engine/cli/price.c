/* price.c: `levy price`. */
#include "engine/cli/chosen_columns.h"
#include "engine/cli/each.h"
#include "engine/cli/made.h"
#include "engine/cli/output.h"
#include "engine/cli/part.h"
#include "engine/cli/price.h"
#include "engine/cli/progress.h"
#include "engine/cli/client.h"
#include "engine/cli/signals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool price_colors(const cli_options *options)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if (options->no_color || options->output || (no_color && *no_color)) return false;
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* The exit code of a run of that status, all of whose output is written. */
static int price_exit_code(int status, const levy_results *results)
{
    if (status == LEVY_STATUS_CANCELLED) return cli_signals_exit_code();
    if (levy_results_run(results)->failed > 0) return CLI_EXIT_TRADES;
    return status == LEVY_STATUS_TOLERANCE ? levy_status_exit_code(status) : 0;
}

/* Returns 0, or a usage error for an unknown ending. */
static int price_report(const cli_options *options, levy_report_options *report)
{
    *report = (levy_report_options){
        .struct_size = sizeof *report, .columns = options->columns, .wide = options->wide};
    return cli_output_format(options, &report->format);
}

static int price_put(cli_client *client, const levy_results *results,
                     const levy_report_options *report, cli_output *output)
{
    const int status = levy_results_report(results, report, cli_output_write, output);
    if (status == LEVY_STATUS_OK || status == LEVY_STATUS_IO) return cli_output_commit(output);
    cli_output_abandon(output);
    return cli_client_failed(client, status);
}

static int price_write_one(cli_client *client, const levy_results *results,
                           const levy_report_options *report, const char *path)
{
    cli_output output;
    const int code = cli_output_open(&output, path);
    return code ? code : price_put(client, results, report, &output);
}

/* Nothing stops the run: what cannot be written is told at its end. */
static void price_put_lines(void *user, const levy_results *results, size_t n)
{
    cli_lines *const lines = user;
    const levy_report_options report = {.struct_size = sizeof report,
                                        .format = LEVY_FORMAT_JSONL,
                                        .first = lines->count,
                                        .count = n - lines->count};
    (void)levy_results_report(results, &report, cli_output_write, &lines->output);
    lines->count = n;
}

/* --strict-sums may refuse the report at the end. */
static bool price_has_lines(const cli_options *options, const cli_each *each)
{
    int format = LEVY_FORMAT_TABLE;
    (void)cli_output_format(options, &format);
    return format == LEVY_FORMAT_JSONL && !each && !options->strict_sums;
}

static int price_write_each(cli_client *client, const levy_results *results,
                            const levy_report_options *report, cli_each *each)
{
    const int code = cli_each_begin(each, report->format);
    if (code) return code;
    const int status = levy_results_report(results, report, cli_each_write, each);
    if (status == LEVY_STATUS_OK || status == LEVY_STATUS_IO) return cli_each_end(each);
    return cli_client_failed(client, status);
}

static int price_write(cli_client *client, const levy_results *results, cli_each *each,
                       cli_lines *lines)
{
    levy_report_options report;
    cli_made made;
    const int code = price_report(client->options, &report);
    if (code) return code;
    cli_made_fill(&made, client->options, results);
    report.command = made.command;
    report.made = made.time;
    if (!client->options->quiet) cli_columns_warn(client, results);
    if (report.format == LEVY_FORMAT_TABLE)
        report.width = client->options->output ? 0 : cli_output_width();
    if (report.format == LEVY_FORMAT_TABLE && price_colors(client->options))
        report.format = LEVY_FORMAT_TABLE_COLOR;
    if (each) return price_write_each(client, results, &report, each);
    const levy_report_options sums = {
        .struct_size = sizeof sums, .format = LEVY_FORMAT_CSV, .sums = 1};
    const int own =
        client->options->sums ? price_write_one(client, results, &sums, client->options->sums) : 0;
    if (lines) report.first = lines->count;
    const int main = lines ? price_put(client, results, &report, &lines->output)
                           : price_write_one(client, results, &report, client->options->output);
    return main ? main : own;
}

/* --strict-sums. Returns 0, or an exit code with a line for each sum that lacks trades. */
static int price_check_sums(const levy_results *results)
{
    const levy_netted *sum;
    int code = 0;
    for (size_t i = 0; (sum = levy_results_netted(results, i)) != NULL; ++i) {
        if (sum->failed == 0) continue;
        const char *const key = sum->key ? sum->key : "netted";
        code = CLI_EXIT_INPUT;
        cli_say("levy: error: the sum %s %s lacks %zu of %zu trades: %s\n", key,
                sum->label ? sum->label : sum->currency, sum->failed, sum->failed + sum->trades,
                sum->failed_ids);
    }
    if (code) cli_say("hint: without --strict-sums the others are reported, and sums say so\n");
    return code;
}

int cli_price_end(cli_client *client, levy_results *results, int status, cli_each *each,
                  cli_lines *lines)
{
    cli_client_report(client);
    int code = cli_client_strict(client);
    if (!code && client->options->strict_sums) code = price_check_sums(results);
    const char *const journal = client->options->journal;
    if (!code && status == LEVY_STATUS_CANCELLED)
        cli_say(journal ? "levy: interrupted; the finished results follow; --journal %s --resume "
                          "goes on\n"
                        : "levy: interrupted; the finished results follow\n",
                journal);
    if (!code) code = price_write(client, results, each, lines);
    if (!code) code = price_exit_code(status, results);
    levy_results_destroy(results);
    return code;
}

static int price_run(cli_client *client, cli_each *each)
{
    cli_progress_state progress;
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(client->options);
    /* from here on, an interrupted run prints its results */
    cli_progress_start(&progress, client->options, &how);
    how.journal = client->options->journal;
    how.resume = client->options->resume;
    how.no_times = client->options->no_times;
    how.by = client->options->by;
    cli_lines lines = {.count = 0};
    const bool early = price_has_lines(client->options, each);
    const int code = early ? cli_output_open(&lines.output, client->options->output) : 0;
    if (code) return code;
    if (early) how.finished = price_put_lines;
    how.finished_user = &lines;
    const int status = levy_price(client->book, &how, &results);
    cli_progress_clear(&progress);
    if (results) return cli_price_end(client, results, status, each, early ? &lines : NULL);
    if (early) cli_output_abandon(&lines.output);
    return cli_client_failed(client, status);
}

int cli_price_check_files(const cli_options *options)
{
    levy_report_options report;
    int code = cli_outputs_differ(options);
    if (!code) code = price_report(options, &report);
    if (code) return code;
    const bool table = report.format == LEVY_FORMAT_CSV || report.format == LEVY_FORMAT_NPY;
    if (!table && (options->columns || options->wide))
        return cli_usage_error("--%s is for csv and npy\nhint: add --format csv",
                               options->columns ? "columns" : "wide");
    if (table && options->by && !options->sums)
        return cli_usage_error("--by makes sums, which are no rows of csv and npy\n"
                               "hint: add --sums FILE, or write json");
    /* numbers in binary would only confuse a terminal */
    if (report.format == LEVY_FORMAT_NPY && isatty(STDOUT_FILENO) &&
        (!options->output || strcmp(options->output, "-") == 0))
        return cli_usage_error("npy is binary, and standard output is a terminal\n"
                               "hint: name a file: --output results.npy");
    return 0;
}

int cli_price_check_columns(cli_client *client)
{
    levy_report_options report;
    const int code = price_report(client->options, &report);
    if (code || !client->options->columns) return code;
    const int status = levy_report_check(client->context, &report);
    if (status == LEVY_STATUS_OK) return 0;
    return cli_usage_error(
        "--columns: %s\nhint: --sums FILE has those of sums; docs/results.md lists them",
        levy_diagnostic_get(client->context, 0)->message);
}

static int price_files(const cli_options *options, char *const *files, size_t n, cli_each *each)
{
    cli_client client;
    int code = cli_client_open(&client, options);
    if (!code) code = cli_price_check_columns(&client);
    if (!code) code = cli_client_load(&client, files, n);
    if (!code && !each) code = cli_outputs_check(options);
    if (!code) code = price_run(&client, each);
    cli_client_close(&client);
    return code;
}

int cli_price(const cli_options *options)
{
    const int code = cli_price_check_files(options);
    if (code) return code;
    if (options->parts || options->part_env) return cli_part(options);
    return cli_each_run(options, price_files);
}
