/* calibrate_command.c: `levy calibrate`: a model fitted to quotes: a table on stdout, or a file
 * whose ending selects the format, .yaml being a market and a model that price. */
#include "engine/cli/client.h"

#include "engine/cli/output.h"
#include "engine/cli/sources.h"

/* A typing error must not overwrite what is read. */
static int calibrate_spares(const cli_options *options)
{
    const char *const outputs[] = {options->output, options->csv};
    for (size_t i = 0; i < 2; ++i) {
        if (cli_output_is(outputs[i], options->market))
            return cli_usage_error("%s is the market that is read", outputs[i]);
        for (size_t k = 0; k < options->n_operands; ++k)
            if (cli_output_is(outputs[i], options->operands[k]))
                return cli_usage_error("%s is a file that is read\nhint: name another output",
                                       outputs[i]);
    }
    return 0;
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
    cli_sources sources;
    int code = cli_sources_open(&sources, options, options->operands, options->n_operands);
    if (!code) {
        const int status =
            levy_calibrate(client->context, sources.items, sources.count, &calibration);
        if (status == LEVY_STATUS_OK)
            cli_client_report(client);
        else
            code = cli_client_failed(client, status);
    }
    cli_sources_close(&sources);
    if (!code) code = cli_client_strict(client);
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
    if (!code) code = calibrate_spares(options);
    if (code) return code;
    code = cli_client_open(&client, options);
    if (!code) code = calibrate_run(&client, format);
    cli_client_close(&client);
    return code;
}
