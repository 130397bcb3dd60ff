/* made.c: see made.h. */
#include "engine/cli/made.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char made_plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                 "_-./:=,^+@%";

/* A word is put whole, or an ellipsis for it. False: there was no room. */
static bool made_word(char *text, size_t size, const char *word)
{
    const bool plain = *word && strspn(word, made_plain) == strlen(word);
    char quoted[1024];
    size_t n = 0;
    for (const char *c = word; *c && n + 8 < sizeof quoted; ++c) {
        if (*c == '\'') memcpy(quoted + n, "'\\'", 3), n += 3;
        quoted[n++] = *c;
    }
    quoted[n] = '\0';
    const size_t used = strlen(text);
    const bool fits = used + n + 12 < size && strlen(word) <= n;
    if (fits)
        snprintf(text + used, size - used, plain ? " %s" : " '%s'", quoted);
    else
        snprintf(text + used, size - used, " ...");
    return fits;
}

void cli_made_fill(cli_made *made, const cli_options *options, const levy_results *results)
{
    struct tm utc;
    const time_t now = time(NULL);
    strcpy(made->command, "levy");
    for (char *const *word = options->words; word && *word; ++word)
        if (!made_word(made->command, sizeof made->command, *word)) break;
    made->time[0] = '\0';
    if (isfinite(levy_results_run(results)->seconds) && gmtime_r(&now, &utc))
        strftime(made->time, sizeof made->time, "%Y-%m-%d %H:%M UTC", &utc);
}
