/* progress.c: see progress.h. */
#include "engine/cli/progress.h"

#include "engine/cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROGRESS_WIDTH = 40 };

void cli_progress_init(cli_progress_state *state, const cli_options *options)
{
    const char *terminal = getenv("TERM");
    const bool can_draw = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    *state = (cli_progress_state){.how = options->progress, .last_seconds = -1.0};
    if (state->how == CLI_PROGRESS_AUTO)
        state->how = can_draw && !options->quiet ? CLI_PROGRESS_BAR : CLI_PROGRESS_NONE;
}

static void progress_draw(const levy_progress *progress)
{
    char bar[PROGRESS_WIDTH + 1];
    const double share = progress->total ? (double)progress->done / (double)progress->total : 1.0;
    for (int i = 0; i < PROGRESS_WIDTH; i++) bar[i] = i < (int)(share * PROGRESS_WIDTH) ? '#' : '.';
    bar[PROGRESS_WIDTH] = '\0';
    const uint64_t here = progress->done - progress->resumed; /* what a journal held took no time now */
    const double left = here ? progress->seconds * (double)(progress->total - progress->done) / (double)here : 0.0;
    fprintf(stderr, "\r[%s] %3d %%  %.0f s, about %.0f s left \033[K", bar, (int)(share * 100.0), progress->seconds,
            left);
    fflush(stderr);
}

int cli_progress_report(void *user, const levy_progress *progress)
{
    cli_progress_state *state = user;
    const bool last = progress->done == progress->total;
    const bool due = state->last_seconds < 0.0 || progress->seconds - state->last_seconds >= 0.1 || last;
    if (state->how == CLI_PROGRESS_JSON && due) {
        fprintf(stderr, "{\"done\": %" PRIu64 ", \"total\": %" PRIu64 ", \"seconds\": %.3f}\n", progress->done,
                progress->total, progress->seconds);
        state->last_seconds = progress->seconds;
    } else if (state->how == CLI_PROGRESS_BAR && due && progress->seconds >= 0.5) {
        progress_draw(progress);
        state->drawn = true;
        state->last_seconds = progress->seconds;
    }
    return cli_signals_stop();
}

void cli_progress_clear(cli_progress_state *state)
{
    if (state->drawn) fputs("\r\033[K", stderr);
    state->drawn = false;
}
