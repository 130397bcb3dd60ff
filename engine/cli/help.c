/* help.c: help texts, made from options.def. */
#include "engine/cli/options.h"

#include <stdio.h>
#include <string.h>

#define FOR(NAME) (1u << CLI_##NAME)
#define FOR_ALL (~0u)

static const struct {
    const char *name, *operands, *summary, *example;
} help_commands[] = {
#define COMMAND(name, NAME, operands, least, summary, example) {name, operands, summary, example},
#include "engine/cli/options.def"
};

static const struct {
    const char *name;
    char letter;
    const char *argument;
    unsigned commands;
    const char *help;
} help_options[] = {
#define OPTION(name, letter, NAME, argument, commands, help) {name, letter, argument, commands, help},
#include "engine/cli/options.def"
};

static const char help_brief[] =
    "levy prices options by Monte Carlo, on the CPU or an NVIDIA GPU, with an honest error bar.\n"
    "\n"
    "  levy price configs/quickstart.yaml          price a book, print a table\n"
    "\n"
    "  levy price FILE... --format json            the same for programs\n"
    "  levy validate FILE...                       check files, price nothing\n"
    "  levy describe                               what can be written in a file\n"
    "  levy devices                                what can compute here\n"
    "\n"
    "`levy help` lists all commands, `levy help COMMAND` the options of one.\n";

static const char help_exit_codes[] =
    "\nExit codes: 0 all priced; 1 some trades failed, the others are priced; 2 usage; 3 input refused, nothing "
    "priced;\n"
    "4 no usable device, or no memory; 5 accuracy not reached; 6 resume refused; 7 output could not be written;\n"
    "130, 143 interrupted, what was done is printed.\n";

static int help_put(levy_writer write, void *user, const char *text) { return write(user, text, strlen(text)); }

int cli_help_brief(levy_writer write, void *user) { return help_put(write, user, help_brief); }

static int help_option(size_t option, levy_writer write, void *user)
{
    char left[64], line[256];
    const char *argument = help_options[option].argument;
    char letter[8] = "    ";
    if (help_options[option].letter) snprintf(letter, sizeof letter, "-%c, ", help_options[option].letter);
    snprintf(left, sizeof left, "%s--%s%s%s", letter, help_options[option].name, argument ? " " : "",
             argument ? argument : "");
    snprintf(line, sizeof line, "  %-24s %s\n", left, help_options[option].help);
    return help_put(write, user, line);
}

int cli_help_all(levy_writer write, void *user)
{
    char line[256];
    int failed = help_put(write, user,
                          "Usage: levy COMMAND [OPTIONS] [FILE...]     a FILE of - is standard input; a folder is its *.yaml files\n"
                          "\nCommands\n");
    for (size_t i = 0; i < CLI_COMMANDS; i++) {
        snprintf(line, sizeof line, "  %-10s %s\n", help_commands[i].name, help_commands[i].summary);
        failed |= help_put(write, user, line);
    }
    failed |= help_put(write, user, "\nOptions of `levy price`\n");
    for (size_t i = 0; i < sizeof help_options / sizeof *help_options; i++)
        if (help_options[i].commands & FOR(PRICE)) failed |= help_option(i, write, user);
    failed |= help_put(write, user, "\nExamples\n");
    for (size_t i = 0; i < CLI_COMMANDS; i++) {
        snprintf(line, sizeof line, "  %s\n", help_commands[i].example);
        failed |= help_put(write, user, line);
    }
    return failed | help_put(write, user, help_exit_codes);
}

int cli_help_command(int command, levy_writer write, void *user)
{
    char line[512];
    snprintf(line, sizeof line, "levy %s: %s\n\nExample: %s\nUsage:   levy %s [OPTIONS]%s%s\n\nOptions\n",
             help_commands[command].name, help_commands[command].summary, help_commands[command].example,
             help_commands[command].name, help_commands[command].operands[0] ? " " : "",
             help_commands[command].operands);
    int failed = help_put(write, user, line);
    for (size_t i = 0; i < sizeof help_options / sizeof *help_options; i++)
        if (help_options[i].commands >> command & 1) failed |= help_option(i, write, user);
    return failed | help_put(write, user, help_exit_codes);
}
