/* points.c: `levy points`: the points of a simulation as a .npy file. */
#include "engine/cli/output.h"
#include "engine/cli/progress.h"
#include "engine/cli/client.h"
#include "engine/cli/signals.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int points_run(cli_client *client, cli_output *output)
{
    static const int outputs[] = {LEVY_NORMALS_NORMAL, LEVY_NORMALS_UNIFORM, LEVY_NORMALS_WORD};
    const cli_options *const given = client->options;
    const levy_points_options options = {.struct_size = sizeof options,
                                         .trade = given->trade,
                                         .output = outputs[given->kind],
                                         .replicate = given->replicate,
                                         .first = given->first,
                                         .count = given->count};
    cli_progress_state progress;
    levy_price_options how = cli_client_price_options(given);
    cli_progress_start(&progress, given, &how);
    const int status = levy_book_points(client->book, &options, &how, cli_output_write, output);
    cli_progress_clear(&progress);
    if (status == LEVY_STATUS_OK || output->error || output->closed_pipe)
        return cli_output_commit(output);
    cli_output_abandon(output);
    if (status != LEVY_STATUS_CANCELLED) return cli_client_failed(client, status);
    fputs("levy: interrupted; no points were kept\n", stderr);
    return cli_signals_exit_code();
}

/* Numbers in binary would only confuse a terminal. */
static int points_check(const cli_options *options)
{
    if ((!options->output || strcmp(options->output, "-") == 0) && isatty(STDOUT_FILENO))
        return cli_usage_error("the points are binary, and standard output is a terminal\n"
                               "hint: name a file: --output points.npy");
    int format;
    return cli_output_format(options, &format);
}

int cli_points(const cli_options *options)
{
    cli_client client;
    cli_output output;
    int code = points_check(options);
    if (code) return code;
    code = cli_client_open(&client, options);
    if (!code) code = cli_client_load(&client, options->operands, options->n_operands);
    if (!code) code = cli_output_check(options->output);
    if (!code) code = cli_output_open(&output, options->output);
    if (!code) code = points_run(&client, &output);
    if (!code) code = cli_client_lacks(&client);
    cli_client_close(&client);
    return code;
}
