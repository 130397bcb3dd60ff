/* words.c: options.def as tables. */
#include "engine/cli/options.h"

#include <string.h>

#define FOR CLI_FOR
#define FOR_ALL CLI_FOR_ALL

const cli_command_words cli_commands[CLI_COMMANDS] = {
#define COMMAND(name, NAME, operands, least, summary, example)                                     \
    {name, operands, summary, example, least},
#include "engine/cli/options.def"
};

const cli_option_words cli_option_list[CLI_OPTIONS] = {
#define OPTION(name, letter, NAME, argument, take, member, commands, help)                         \
    {name, letter, argument, commands, help},
#include "engine/cli/options.def"
};

const cli_option_group cli_option_groups[] = {
#define GROUP(title, NAME) {title, CLI_OPTION_##NAME},
#include "engine/cli/options.def"
    {NULL, CLI_OPTIONS}};

const char *const cli_option_choices[CLI_OPTIONS] = {
#define CHOICES(NAME, words) [CLI_OPTION_##NAME] = words,
#include "engine/cli/options.def"
};

const cli_format_words cli_format_list[] = {
    {"table", LEVY_FORMAT_TABLE, FOR_ALL},
    {"csv", LEVY_FORMAT_CSV, FOR(PRICE) | FOR(MERGE) | FOR(CONVERGE) | FOR(CALIBRATE)},
    {"json", LEVY_FORMAT_JSON, FOR_ALL},
    {"jsonl", LEVY_FORMAT_JSONL, FOR(PRICE) | FOR(MERGE) | FOR(DEVICES)},
    {"npy", LEVY_FORMAT_NPY, FOR(PRICE) | FOR(MERGE)},
    {"yaml", LEVY_FORMAT_YAML, FOR(CALIBRATE)},
    {0}};

void cli_formats_of(int command, char words[CLI_FORMATS_SIZE])
{
    words[0] = '\0';
    for (const cli_format_words *f = cli_format_list; f->word; ++f) {
        if (!(f->commands >> command & 1)) continue;
        if (words[0]) strcat(words, " ");
        strcat(words, f->word);
    }
}

static const struct {
    int option;
    unsigned commands;
    const char *help;
} words_helps[] = {
#define HELP(NAME, commands, help) {CLI_OPTION_##NAME, commands, help},
#include "engine/cli/options.def"
};

const char *cli_option_help(int option, int command)
{
    for (size_t i = 0; i < sizeof words_helps / sizeof *words_helps; ++i)
        if (words_helps[i].option == option && words_helps[i].commands >> command & 1)
            return words_helps[i].help;
    return cli_option_list[option].help;
}
