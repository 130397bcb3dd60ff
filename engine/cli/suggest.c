/* suggest.c: the word that was probably meant (edit distance: V. I. Levenshtein, 1966). */
#include "engine/cli/options.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { NEAREST_LENGTH = 31 };

static size_t nearest_distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    size_t row[NEAREST_LENGTH + 1];
    if (n > NEAREST_LENGTH || m > NEAREST_LENGTH) return SIZE_MAX;
    for (size_t j = 0; j <= m; ++j) row[j] = j;
    for (size_t i = 1; i <= n; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; ++j) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

const char *cli_nearest(const char *word, const char *const *words)
{
    const char *nearest = NULL;
    size_t least = strlen(word) / 4 + 2; /* a swap of two letters counts as two */
    for (; *words; ++words) {
        const size_t distance = nearest_distance(word, *words);
        if (distance < least) {
            least = distance;
            nearest = *words;
        }
    }
    return nearest;
}

const char *cli_meant(const char *word, const char *const *words, char phrase[CLI_MEANT_SIZE])
{
    const char *nearest = cli_nearest(word, words);
    if (!nearest) return "";
    snprintf(phrase, CLI_MEANT_SIZE, "; did you mean '%s'?", nearest);
    return phrase;
}

static int words_keep(void *user, const char *text, size_t length)
{
    cli_words *words = user;
    if (length >= sizeof words->text - words->length) return 1;
    memcpy(words->text + words->length, text, length);
    words->length += length;
    return 0;
}

static void words_split(cli_words *words)
{
    size_t n = 0;
    char *rest = NULL;
    words->text[words->length] = '\0';
    for (char *line = strtok_r(words->text, "\n", &rest); line && n < CLI_WORDS;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "  ", 2) != 0 || line[2] == ' ') continue;
        words->words[n++] = line + 2;
        line[2 + strcspn(line + 2, " ")] = '\0';
    }
    words->words[n] = NULL;
}

void cli_words_read(cli_words *words, int (*list)(const char *topic, levy_writer write, void *user))
{
    words->length = 0;
    (void)list(NULL, words_keep, words);
    words_split(words);
}

void cli_words_read_of(cli_words *words, levy_context *context,
                       int (*list)(levy_context *context, const char *topic, levy_writer write,
                                   void *user))
{
    words->length = 0;
    (void)list(context, NULL, words_keep, words);
    words_split(words);
}
