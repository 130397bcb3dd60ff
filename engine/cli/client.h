/* client.h: shared by the commands: a context, the book of the operands, and its diagnostics on
 * stderr. */
#ifndef LEVY_CLI_CLIENT_H
#define LEVY_CLI_CLIENT_H

#include "engine/cli/options.h"

typedef struct cli_client {
    const cli_options *options;
    levy_context *context;
    levy_book *book;
    char *kinds;             /* of --kinds and LEVY_KINDS; NULL: none */
    size_t errors, warnings; /* reported so far; warnings of the input */
    void *said;              /* FILE: takes them as JSON (validate.h); NULL: stderr, as text */
    char **told;             /* [n_told] their texts */
    size_t n_told;
} cli_client;

/* Both return 0, or an exit code after messages on stderr. Load reads the `n` files, and refuses
 * options that would write over a file that the book was read from. */
int cli_client_open(cli_client *client, const cli_options *options);
int cli_client_load(cli_client *client, char *const *files, size_t n);
void cli_client_close(cli_client *client);

/* Prints on stderr, and counts, what the last call says and no call before it has said: the first
 * call after a quote was set checks all trades anew. */
void cli_client_report(cli_client *client);
/* --strict: CLI_EXIT_INPUT once an error or a warning of the input was reported; else 0. */
int cli_client_strict(const cli_client *client);
/* Whether an option names this input as a file to write: a usage error. A typing error must not
 * overwrite what was read: operands, files of folders, and those that they refer to. */
int cli_client_spares(const cli_client *client, const char *input);
/* Prints "levy: <sentence>" if no diagnostic was printed. Returns the exit code of the status. */
int cli_client_failed(cli_client *client, int status);
/* CLI_EXIT_TRADES where output lacks trades, which failed; 0: it has what was asked for. */
int cli_client_lacks(const cli_client *client);
/* Commits or abandons what a writer has written with that status. Returns the exit code. */
struct cli_output;
int cli_client_finish(cli_client *client, struct cli_output *output, int status);

/* Opens a client and the output, which is standard output where path is NULL, and prints to it. */
int cli_client_print(const cli_options *options, const char *path,
                     int (*print)(cli_client *client, struct cli_output *output));
/* Prints what `say` says of a word. `unknown`: what to do where there is nothing. */
int cli_client_say(cli_client *client, struct cli_output *output,
                   int (*say)(levy_context *, const char *, levy_writer, void *),
                   int (*unknown)(cli_client *client, const char *word));

levy_price_options cli_client_price_options(const cli_options *options);

/* The commands (price.c, merge_command.c, study_command.c, calibrate_command.c, plot.c, points.c,
 * validate.c, bench.c, starts.c, inspect.c, help.c). They return exit codes; cli_bench returns only
 * if it cannot start its program. */
int cli_price(const cli_options *options);
int cli_merge(const cli_options *options);
int cli_validate(const cli_options *options);
int cli_explain(const cli_options *options);
int cli_converge(const cli_options *options);
int cli_calibrate(const cli_options *options);
int cli_plot(const cli_options *options);
int cli_points(const cli_options *options);
int cli_bench(const cli_options *options);
int cli_new(const cli_options *options);
int cli_example(const cli_options *options);
/* The listing of `levy example`; `topic` is not used. */
int cli_example_list(const char *topic, levy_writer write, void *user);
/* Of a file that is not there: how to write the example of its name, if there is one. */
void cli_example_hint(const char *file);
int cli_describe(const cli_options *options);
int cli_schema(const cli_options *options);
int cli_devices(const cli_options *options);
int cli_kernels(const cli_options *options);
int cli_completion(const cli_options *options);
int cli_help(const cli_options *options);
int cli_version(const cli_options *options);

#endif
