/* words.c: options.def as tables. */
#include "engine/cli/options.h"

#define FOR CLI_FOR
#define FOR_ALL CLI_FOR_ALL

const cli_command_words cli_commands[CLI_COMMANDS] = {
#define COMMAND(name, NAME, operands, least, summary, example)                                     \
    {name, operands, summary, example, least},
#include "engine/cli/options.def"
};

const cli_option_words cli_option_list[CLI_OPTIONS] = {
#define OPTION(name, letter, NAME, argument, commands, help)                                       \
    {name, letter, argument, commands, help},
#include "engine/cli/options.def"
};
