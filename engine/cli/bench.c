/* bench.c: `levy bench`, a program of its own (bench/harness) that stands in the same tree. It
 * takes our place, so its output, its exit code and the signals it gets are the command's. Must not
 * know: what it measures. */
#include "engine/cli/client.h"
#include "engine/cli/place.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int cli_bench(const cli_options *options)
{
    char path[4096];
    const int code = cli_place(path, sizeof path, LEVY_WAY_TO_BENCH);
    if (code) return code;
    options->words[0] = path;
    execv(path, options->words);
    cli_say("levy: `levy bench` is the program %s, which cannot be started: %s\n"
            "hint: it comes with levy; install or copy the whole tree, not bin/levy alone\n",
            path, strerror(errno));
    return CLI_EXIT_MISSING;
}
