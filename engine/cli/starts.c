/* starts.c: the commands that print a file to start from: `levy new`, made from the tables of the
 * input, and `levy example`, an example that the program carries. */
#include "engine/cli/client.h"
#include "engine/cli/examples.h"
#include "engine/cli/output.h"

#include <stdio.h>
#include <string.h>

/* ---- levy new ---- */

static int starts_drop(void *user, const char *text, size_t length)
{
    (void)user;
    (void)text;
    (void)length;
    return 0;
}

/* A word that is described, such as a contract that no kind is, is led there. */
static int starts_no_kind(cli_client *client, const char *kind)
{
    cli_words words;
    char meant[CLI_MEANT_SIZE];
    if (levy_diagnostic_count(client->context) > 0)
        return cli_usage_error("%s\nhint: `levy new` lists the kinds",
                               levy_diagnostic_get(client->context, 0)->message);
    if (levy_context_describe(client->context, kind, starts_drop, NULL) == LEVY_STATUS_OK)
        return cli_usage_error("there is no kind '%s'\nhint: `levy describe %s` has it; `levy new` "
                               "lists the kinds",
                               kind, kind);
    cli_words_read_of(&words, client->context, levy_context_template);
    return cli_usage_error("there is no kind '%s'%s\nhint: `levy new` lists the kinds; "
                           "--kinds FILE brings kinds of your own",
                           kind, cli_meant(kind, words.words, meant));
}

static int starts_new(cli_client *client, cli_output *output)
{
    return cli_client_say(client, output, levy_context_template, starts_no_kind);
}

int cli_new(const cli_options *options) { return cli_client_print(options, NULL, starts_new); }

/* ---- levy example ---- */

/* The first sentence of the comment that begins a file, below the line for editors. Returns its
 * length without the full stop; *text: where it begins. */
static void starts_sentence(const cli_example_file *file, char *sentence, size_t size)
{
    const char *at = file->text;
    size_t used = 0;
    if (strncmp(at, "# yaml-language-server", 22) == 0) at += strcspn(at, "\n") + 1;
    for (; at[0] == '#' && at[1] == ' '; at += at[0] == '\n') {
        if (used > 0 && used + 1 < size) sentence[used++] = ' ';
        for (at += 2; *at && *at != '\n'; ++at) {
            /* not the full stop of an initial */
            const bool ends =
                *at == '.' && !(at[-1] >= 'A' && at[-1] <= 'Z') && (at[1] == ' ' || at[1] == '\n');
            if (!ends && used + 1 < size) sentence[used++] = *at;
            sentence[used] = '\0';
            if (ends) return;
        }
    }
    sentence[used] = '\0';
}

int cli_example_list(const char *topic, levy_writer write, void *user)
{
    char line[512], sentence[400];
    static const char head[] = "Examples, for levy example NAME:\n\n";
    size_t width = 0;
    (void)topic;
    int failed = write(user, head, sizeof head - 1);
    for (size_t i = 0; i < cli_example_count; ++i)
        if (strlen(cli_examples[i].name) > width) width = strlen(cli_examples[i].name);
    for (size_t i = 0; i < cli_example_count && !failed; ++i) {
        starts_sentence(&cli_examples[i], sentence, sizeof sentence);
        const int length =
            snprintf(line, sizeof line, "  %-*s  %s\n", (int)width, cli_examples[i].name, sentence);
        if (length > 0) failed = write(user, line, (size_t)length);
    }
    return failed ? LEVY_STATUS_IO : LEVY_STATUS_OK;
}

/* A name as listed; "phoenix", "asian.yaml" and "configs/asian.yaml" are taken as well. */
static const cli_example_file *starts_find(const char *name)
{
    const size_t skip = strncmp(name, "configs/", 8) == 0 ? 8 : 0, whole = strlen(name + skip);
    const bool yaml = whole > 5 && strcmp(name + skip + whole - 5, ".yaml") == 0;
    const size_t length = yaml ? whole - 5 : whole;
    for (size_t i = 0; i < cli_example_count; ++i) {
        const char *const listed = cli_examples[i].name, *const slash = strchr(listed, '/');
        const char *const both[] = {listed, slash ? slash + 1 : listed};
        for (size_t k = 0; k < 2; ++k)
            if (strlen(both[k]) == length && strncmp(both[k], name + skip, length) == 0)
                return &cli_examples[i];
    }
    return NULL;
}

void cli_example_hint(const char *file)
{
    const char *const slash = strrchr(file, '/'), *const name = slash ? slash + 1 : file;
    const cli_example_file *const found = starts_find(name);
    if (found)
        fprintf(stderr, "hint: `levy example %s > %s` writes the example\n", found->name, name);
}

static int starts_unknown(const char *name)
{
    const char *names[2 * CLI_WORDS + 1], *last[CLI_WORDS];
    char meant[CLI_MEANT_SIZE];
    size_t n = 0, n_last = 0;
    for (size_t i = 0; i < cli_example_count && i < CLI_WORDS; ++i) {
        const char *const slash = strchr(cli_examples[i].name, '/');
        names[n++] = cli_examples[i].name;
        if (slash) last[n_last++] = slash + 1;
    }
    /* a whole name that is as near goes first */
    for (size_t i = 0; i < n_last; ++i) names[n++] = last[i];
    names[n] = NULL;
    return cli_usage_error("there is no example '%s'%s\nhint: `levy example` lists them; `levy "
                           "new KIND` writes one for a kind",
                           name, cli_meant(name, names, meant));
}

/* Files beside the example that it reads, and which the program carries, too. */
static void starts_say_files(const cli_example_file *file)
{
    const char *const last = strrchr(file->name, '/');
    const size_t own = last ? (size_t)(last + 1 - file->name) : 0;
    for (size_t i = 0; i < cli_example_count; ++i) {
        const char *const name = cli_examples[i].name;
        if (!strchr(name, '.') || strncmp(name, file->name, own) != 0) continue; /* a book */
        const char *const from = name + own, *const slash = strchr(from, '/');
        char key[128], folder[128] = "";
        snprintf(key, sizeof key, "file: %s", from);
        if (!strstr(file->text, key)) continue;
        if (slash) snprintf(folder, sizeof folder, "mkdir -p %.*s && ", (int)(slash - from), from);
        cli_say("levy: the example reads %s\nhint: %slevy example %s > %s\n", from, folder, name,
                from);
    }
}

int cli_example(const cli_options *options)
{
    cli_output output;
    const char *const name = options->n_operands ? options->operands[0] : NULL;
    const cli_example_file *const file = name ? starts_find(name) : NULL;
    if (name && !file) return starts_unknown(name);
    const int code = cli_output_open(&output, NULL);
    if (code) return code;
    if (!file)
        (void)cli_example_list(NULL, cli_output_write, &output);
    else
        (void)cli_output_write(&output, file->text, file->length);
    const int written = cli_output_commit(&output);
    if (!written && file && !options->quiet) starts_say_files(file);
    return written;
}
