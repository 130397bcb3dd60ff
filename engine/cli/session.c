/* session.c: see session.h. */
#include "engine/cli/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_session_open(cli_session *session, const cli_options *options)
{
    *session = (cli_session){.options = options};
    const int status = levy_context_create(NULL, &session->context);
    return status == LEVY_STATUS_OK ? 0 : cli_session_failed(session, status);
}

void cli_session_close(cli_session *session)
{
    levy_book_destroy(session->book);
    levy_context_destroy(session->context);
    free(session->input);
    *session = (cli_session){0};
}

void cli_session_report(cli_session *session)
{
    const size_t count = levy_diagnostic_count(session->context);
    for (size_t i = 0; i < count; i++) {
        const levy_diagnostic *diagnostic = levy_diagnostic_get(session->context, i);
        session->errors += diagnostic->severity == 0;
        session->warnings += diagnostic->severity == 1;
        if (diagnostic->severity != 0 && session->options->quiet) continue;
        fprintf(stderr, "%s\n", diagnostic->text);
        if (diagnostic->hint) fprintf(stderr, "hint: %s\n", diagnostic->hint);
    }
}

int cli_session_failed(cli_session *session, int status)
{
    const size_t before = session->errors;
    if (session->context) cli_session_report(session);
    if (session->errors == before) fprintf(stderr, "levy: %s\n", levy_status_message(status));
    return levy_status_exit_code(status);
}

/* All of standard input; 1 GiB, as for a file. */
static int session_read_input(cli_session *session, size_t *length)
{
    const size_t limit = (size_t)1 << 30;
    size_t used = 0, room = 0;
    for (;;) {
        if (used == room) {
            room = room ? room * 2 : 65536;
            char *grown = room <= 2 * limit ? realloc(session->input, room) : NULL;
            if (!grown) {
                fputs("levy: standard input is too long\n", stderr);
                return CLI_EXIT_INPUT;
            }
            session->input = grown;
        }
        const ssize_t got = read(STDIN_FILENO, session->input + used, room - used);
        if (got == 0) break;
        if (got > 0) used += (size_t)got;
        if (got < 0 && errno != EINTR) {
            fprintf(stderr, "levy: cannot read standard input: %s\n", strerror(errno));
            return CLI_EXIT_OUTPUT;
        }
    }
    *length = used;
    return 0;
}

static int session_sources(cli_session *session, char *const *files, size_t n, levy_source *sources)
{
    for (size_t i = 0; i < n; i++) {
        sources[i] = (levy_source){.name = files[i]};
        if (strcmp(files[i], "-") != 0) continue;
        if (session->input) return cli_usage_error("standard input (-) can be read only once");
        size_t length = 0;
        const int code = session_read_input(session, &length);
        if (code) return code;
        sources[i] = (levy_source){.name = "<stdin>", .text = session->input, .length = length, .folder = "."};
    }
    return 0;
}

int cli_session_load(cli_session *session, char *const *files, size_t n)
{
    const cli_options *options = session->options;
    levy_source *sources = calloc(n, sizeof *sources);
    if (!sources) {
        fputs("levy: out of memory\n", stderr);
        return CLI_EXIT_MEMORY;
    }
    int code = session_sources(session, files, n, sources);
    if (!code) {
        const int status =
            levy_book_load(session->context, sources, n, options->settings, options->n_settings, &session->book);
        if (status == LEVY_STATUS_OK)
            cli_session_report(session);
        else
            code = cli_session_failed(session, status);
        if (!code && options->strict && session->errors + session->warnings > 0) code = CLI_EXIT_INPUT;
    }
    free(sources);
    return code;
}

levy_price_options cli_session_price_options(const cli_options *options)
{
    return (levy_price_options){.struct_size = sizeof(levy_price_options),
                                .device = options->device,
                                .isa = options->isa,
                                .threads = options->threads,
                                .no_kernel_cache = options->no_cache};
}
