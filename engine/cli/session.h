/* session.h: what the commands share: a context, the book of the operands, and its diagnostics on stderr. */
#ifndef LEVY_CLI_SESSION_H
#define LEVY_CLI_SESSION_H

#include "engine/cli/options.h"

typedef struct cli_session {
    const cli_options *options;
    levy_context *context;
    levy_book *book;
    char *input;              /* standard input, when an operand was "-" */
    size_t errors, warnings;  /* reported so far */
} cli_session;

/* Both return 0, or the exit code after messages on stderr. Load takes `n` of the operands from `first` on. */
int cli_session_open(cli_session *session, const cli_options *options);
int cli_session_load(cli_session *session, char *const *files, size_t n);
void cli_session_close(cli_session *session);

/* Prints the diagnostics of the last call on stderr and counts them. */
void cli_session_report(cli_session *session);
/* "levy: <sentence>" when no diagnostic said more; returns the exit code of a status. */
int cli_session_failed(cli_session *session, int status);

levy_price_options cli_session_price_options(const cli_options *options);

/* The commands (price.c, inspect.c): exit codes. */
int cli_price(const cli_options *options);
int cli_validate(const cli_options *options);
int cli_explain(const cli_options *options);
int cli_describe(const cli_options *options);
int cli_schema(const cli_options *options);
int cli_devices(const cli_options *options);
int cli_kernels(const cli_options *options);
int cli_help(const cli_options *options);
int cli_version(const cli_options *options);

#endif
