/* calibrate_command.c: `levy calibrate`: a model fitted to quotes: a table on stdout, or a file
 * whose ending selects the format, .yaml being a market and a model that price. */
#include "engine/cli/client.h"

#include "engine/cli/output.h"
#include "engine/cli/progress.h"
#include "engine/cli/sources.h"

static int calibrate_spares(const cli_client *client, const levy_calibration *calibration)
{
    const char *name;
    int code = 0;
    for (size_t i = 0; !code && (name = levy_calibration_file(calibration, i)) != NULL; ++i)
        code = cli_client_spares(client, name);
    return code;
}

static int calibrate_put(const levy_calibration *calibration, const char *path, int format)
{
    cli_output output;
    const int code = cli_output_open(&output, path);
    if (code) return code;
    (void)levy_calibration_write(calibration, format, cli_output_write, &output);
    return cli_output_commit(&output);
}

static int calibrate_run(cli_client *client, int format)
{
    const cli_options *const options = client->options;
    levy_calibration *calibration = NULL;
    cli_progress_state progress;
    levy_price_options how = cli_client_price_options(options);
    cli_sources sources;
    int code = cli_sources_open(&sources, options, options->operands, options->n_operands);
    if (!code) {
        cli_progress_start(&progress, options, &how);
        const int status =
            levy_calibrate(client->context, sources.items, sources.count, &how, &calibration);
        cli_progress_clear(&progress);
        if (status == LEVY_STATUS_OK)
            cli_client_report(client);
        else
            code = cli_client_failed(client, status);
    }
    cli_sources_close(&sources);
    if (!code) code = cli_client_strict(client);
    if (!code) code = calibrate_spares(client, calibration);
    if (!code) code = calibrate_put(calibration, options->output, format);
    if (!code && options->csv) code = calibrate_put(calibration, options->csv, LEVY_FORMAT_CSV);
    levy_calibration_destroy(calibration);
    return code;
}

int cli_calibrate(const cli_options *options)
{
    cli_client client;
    int format;
    int code = cli_output_format(options, &format);
    if (!code) code = cli_outputs_check(options);
    if (code) return code;
    code = cli_client_open(&client, options);
    if (!code) code = calibrate_run(&client, format);
    cli_client_close(&client);
    return code;
}
