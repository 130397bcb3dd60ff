/* main.c: `levy`, the command line: a client of liblevy like any other. Data go to stdout, messages
 * to stderr. */
#include "engine/cli/output.h"
#include "engine/cli/client.h"
#include "engine/cli/start.h"

static int main_brief(void)
{
    cli_output output;
    const int code = cli_output_open(&output, NULL);
    if (code) return code;
    (void)cli_help_brief(cli_output_write, &output);
    return cli_output_commit(&output);
}

static int main_run(const cli_options *options)
{
    static int (*const commands[])(const cli_options *) = {
        [CLI_PRICE] = cli_price,           [CLI_MERGE] = cli_merge,
        [CLI_VALIDATE] = cli_validate,     [CLI_EXPLAIN] = cli_explain,
        [CLI_CONVERGE] = cli_converge,     [CLI_POINTS] = cli_points,
        [CLI_BENCH] = cli_bench,           [CLI_PLOT] = cli_plot,
        [CLI_COMPLETION] = cli_completion, [CLI_DESCRIBE] = cli_describe,
        [CLI_SCHEMA] = cli_schema,         [CLI_DEVICES] = cli_devices,
        [CLI_KERNELS] = cli_kernels,       [CLI_NEW] = cli_new,
        [CLI_EXAMPLE] = cli_example,       [CLI_HELP] = cli_help,
        [CLI_VERSION] = cli_version,       [CLI_CALIBRATE] = cli_calibrate};
    if (options->version) return cli_version(options);
    if (options->help) return cli_help(options);
    return commands[options->command](options);
}

int main(int argc, char **argv)
{
    cli_options options;
    cli_start();
    if (argc < 2) return main_brief();
    int code = cli_options_parse(argc, argv, &options);
    if (!code) code = main_run(&options);
    cli_options_release(&options);
    return code;
}
