/* main.c: `levy-bench`, the program that `levy bench` starts: the same options, without the word
 * `bench`. It is a client of liblevy like the command line, and shares that one's options, output
 * and signals. Must not know: the library's own rooms. */
#include "bench/harness/bench.h"
#include "engine/cli/start.h"

int main(int argc, char **argv)
{
    cli_options options;
    cli_start();
    int code = cli_options_parse_command(CLI_BENCH, argc, argv, &options);
    if (!code && options.version)
        code = cli_version(&options);
    else if (!code && options.help)
        code = cli_help(&options);
    else if (!code)
        code = bench_command(&options);
    cli_options_release(&options);
    return code;
}
