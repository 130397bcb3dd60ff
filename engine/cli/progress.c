/* progress.c: see progress.h. */
#include "engine/cli/progress.h"

#include "engine/cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* the longest bar, and room for the words after it */
enum { PROGRESS_WIDTH = 40, PROGRESS_TEXT = 64 };

/* Seconds to go; where nobody knows, at the speed so far, without the blocks from a journal, which
 * took no time now. Negative: nothing is done yet. */
static double progress_left(const levy_progress *progress)
{
    if (progress->left > 0.0) return progress->left;
    const uint64_t here = progress->done - progress->resumed;
    return here ? progress->seconds * (double)(progress->total - progress->done) / (double)here
                : -1.0;
}

/* "12 s", "3 min 20 s", "2 h 05 min" */
static void progress_time(double seconds, char text[32])
{
    const double whole = seconds < 1e8 ? seconds : 1e8;
    const unsigned long s = (unsigned long)(whole + 0.5), minutes = s / 60;
    if (s < 60)
        snprintf(text, 32, "%lu s", s);
    else if (minutes < 60)
        snprintf(text, 32, "%lu min %02lu s", minutes, s % 60);
    else
        snprintf(text, 32, "%lu h %02lu min", minutes / 60, minutes % 60);
}

/* A bar that fits the line: a wrapped line could not be overwritten. */
static void progress_bar(double share, char bar[PROGRESS_WIDTH + 1])
{
    struct winsize size;
    int width = PROGRESS_WIDTH;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 &&
        size.ws_col < PROGRESS_WIDTH + PROGRESS_TEXT)
        width = size.ws_col > PROGRESS_TEXT ? size.ws_col - PROGRESS_TEXT : 0;
    for (int i = 0; i < width; ++i) bar[i] = i < (int)(share * width) ? '#' : '.';
    bar[width] = '\0';
}

/* "1.25 M paths/s, " of this run; "": they are not counted. */
static void progress_rate(const levy_progress *progress, char text[32])
{
    static const char *const units[] = {"", " k", " M", " G", " T"};
    double rate = progress->seconds > 0.0 ? (double)progress->paths / progress->seconds : 0.0;
    size_t unit = 0;
    for (; rate >= 999.5 && unit < 4; ++unit) rate /= 1000.0;
    text[0] = '\0';
    if (rate > 0.0)
        snprintf(text, 32, "%.*f%s paths/s, ", rate < 9.995 ? 2 : rate < 99.95, rate, units[unit]);
}

static void progress_draw(const levy_progress *progress)
{
    char bar[PROGRESS_WIDTH + 1], spent[32], rate[32], left[32] = "?";
    const double share = progress->total ? (double)progress->done / (double)progress->total : 1.0;
    const double seconds_left = progress_left(progress);
    progress_bar(share, bar);
    progress_time(progress->seconds, spent);
    if (seconds_left >= 0.0) progress_time(seconds_left, left);
    progress_rate(progress, rate);
    fprintf(stderr, "\r[%s] %3d %%  %s, %sabout %s left \033[K", bar, (int)(share * 100.0), spent,
            rate, left);
    fflush(stderr);
}

static void progress_put_json(const levy_progress *progress)
{
    char left[32] = "null";
    const double seconds_left = progress_left(progress);
    if (seconds_left >= 0.0) snprintf(left, sizeof left, "%.3f", seconds_left);
    fprintf(stderr,
            "{\"done\": %" PRIu64 ", \"total\": %" PRIu64 ", \"resumed\": %" PRIu64
            ", \"seconds\": %.3f, \"left\": %s, \"paths\": %" PRIu64 "}\n",
            progress->done, progress->total, progress->resumed, progress->seconds, left,
            progress->paths);
}

static int progress_report(void *user, const levy_progress *progress)
{
    cli_progress_state *state = user;
    const bool last = progress->done == progress->total;
    const bool due =
        state->last_seconds < 0.0 || progress->seconds - state->last_seconds >= 0.1 || last;
    if (state->how == CLI_PROGRESS_JSON && due) {
        progress_put_json(progress);
        state->last_seconds = progress->seconds;
    } else if (state->how == CLI_PROGRESS_BAR && due && progress->seconds >= 0.5) {
        progress_draw(progress);
        state->drawn = true;
        state->last_seconds = progress->seconds;
    }
    return cli_signals_stop();
}

void cli_progress_start(cli_progress_state *state, const cli_options *options,
                        levy_price_options *how)
{
    const char *terminal = getenv("TERM");
    const bool can_draw = isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    *state = (cli_progress_state){.how = options->progress, .last_seconds = -1.0};
    if (state->how == CLI_PROGRESS_AUTO)
        state->how = can_draw && !options->quiet ? CLI_PROGRESS_BAR : CLI_PROGRESS_NONE;
    cli_signals_catch();
    how->progress = progress_report;
    how->user = state;
}

void cli_progress_clear(cli_progress_state *state)
{
    if (state->drawn) fputs("\r\033[K", stderr);
    state->drawn = false;
}
