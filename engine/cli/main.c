/* main.c: `levy`, the command line: a client of liblevy like any other. Data go to stdout, messages
 * to stderr. */
#include "engine/cli/output.h"
#include "engine/cli/client.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* A caller may start us with standard streams closed; then a file we open must not become one of
 * them. Reading finds an end at once, writing data fails as it should, and messages have nowhere to
 * go. */
static void main_open_streams(void)
{
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
        if (fcntl(stream, F_GETFD) == -1) (void)open("/dev/null", modes[stream]);
}

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
        [CLI_PRICE] = cli_price,       [CLI_VALIDATE] = cli_validate,
        [CLI_EXPLAIN] = cli_explain,   [CLI_CONVERGE] = cli_converge,
        [CLI_BENCH] = cli_bench,       [CLI_COMPLETION] = cli_completion,
        [CLI_DESCRIBE] = cli_describe, [CLI_SCHEMA] = cli_schema,
        [CLI_DEVICES] = cli_devices,   [CLI_KERNELS] = cli_kernels,
        [CLI_HELP] = cli_help,         [CLI_VERSION] = cli_version};
    if (options->version) return cli_version(options);
    if (options->help) return cli_help(options);
    return commands[options->command](options);
}

int main(int argc, char **argv)
{
    cli_options options;
    main_open_streams();
    signal(SIGPIPE, SIG_IGN); /* a reader that went away is an error code of write, */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that grew to its limit */
    if (argc < 2) return main_brief();
    int code = cli_options_parse(argc, argv, &options);
    if (!code) code = main_run(&options);
    cli_options_release(&options);
    return code;
}
