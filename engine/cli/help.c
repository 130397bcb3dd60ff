/* help.c: `levy help` and `levy version`: texts made from options.def. */
#include "engine/cli/build_facts.h"
#include "engine/cli/completion.h"
#include "engine/cli/output.h"
#include "engine/cli/client.h"

#include <stdio.h>
#include <string.h>

static const char help_brief[] =
    "levy prices options by Monte Carlo, on the CPU or an NVIDIA GPU, with an honest error bar.\n"
    "\n"
    "  levy price configs/quickstart.yaml          price a book, print a table\n"
    "\n"
    "  levy price FILE... --format json            print JSON for programs\n"
    "  levy validate FILE...                       check files, price nothing\n"
    "  levy describe                               list the keys of input files\n"
    "  levy new asian > asian.yaml                 write a book to start from\n"
    "\n"
    "`levy help` lists all commands, `levy help COMMAND` its options.\n";

static const char *const help_exit_codes[][2] = {
    {"  0", "all priced"},
    {"  1", "some trades failed, the others are priced"},
    {"  2", "usage"},
    {"  3", "input refused, nothing priced"},
    {"  4", "no usable device, or no memory"},
    {"  5", "accuracy not reached"},
    {"  6", "journal cannot be resumed"},
    {"  7", "output could not be written"},
    {"  129, 130, 143", "interrupted, the finished trades are printed"}};

enum { HELP_PLAIN = 80, HELP_WIDEST = 100, HELP_NARROWEST = 40, HELP_INDENT = 28 };

static int help_put(levy_writer write, void *user, const char *text)
{
    return write(user, text, strlen(text));
}

int cli_help_brief(levy_writer write, void *user) { return help_put(write, user, help_brief); }

static size_t help_width(void)
{
    const size_t width = cli_output_width();
    if (width == 0) return HELP_PLAIN;
    if (width < HELP_NARROWEST) return HELP_NARROWEST;
    return width < HELP_WIDEST ? width : HELP_WIDEST;
}

/* "left    text": the text stands at `indent`, in lines of the width, and begins behind a left that
 * is too long. A word is never cut. */
static int help_pair(const char *left, const char *text, size_t indent, levy_writer write,
                     void *user)
{
    const size_t width = help_width();
    size_t column = strlen(left), blanks = column < indent ? indent - column : 1;
    char line[HELP_INDENT + 8];
    int failed = help_put(write, user, left);
    while (*text) {
        const size_t word = strcspn(text, " ");
        const bool below = column > indent && column + blanks + word > width;
        if (below) blanks = indent;
        snprintf(line, sizeof line, "%s%*s", below ? "\n" : "", (int)blanks, "");
        failed |= help_put(write, user, line) | write(user, text, word);
        column = (below ? 0 : column) + blanks + word;
        blanks = 1;
        text += word + (text[word] == ' ');
    }
    return failed | help_put(write, user, "\n");
}

void cli_option_text(int option, int command, char text[CLI_OPTION_TEXT])
{
    char list[CLI_ENDINGS_SIZE] = "";
    if (option == CLI_OPTION_FORMAT) cli_formats_of(command, list);
    if (option == CLI_OPTION_OUTPUT) cli_endings_of(command, list);
    snprintf(text, CLI_OPTION_TEXT, "%s%s%s", cli_option_help(option, command), *list ? " " : "",
             list);
}

static int help_option(int option, int command, levy_writer write, void *user)
{
    char left[64], text[CLI_OPTION_TEXT], letter[] = "    ";
    const char *const argument = cli_option_list[option].argument;
    const char *const blank = argument ? " " : "";
    if (cli_option_list[option].letter)
        snprintf(letter, sizeof letter, "-%c, ", cli_option_list[option].letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, cli_option_list[option].name, blank,
             argument ? argument : "");
    cli_option_text(option, command, text);
    return help_pair(left, text, HELP_INDENT, write, user);
}

static int help_end(levy_writer write, void *user)
{
    int failed = help_put(write, user, "\nExit codes\n");
    for (size_t i = 0; i < sizeof help_exit_codes / sizeof *help_exit_codes; ++i)
        failed |= help_pair(help_exit_codes[i][0], help_exit_codes[i][1], 17, write, user);
    return failed;
}

int cli_help_all(levy_writer write, void *user)
{
    int failed = help_put(write, user,
                          "Usage: levy COMMAND [OPTIONS] [FILE...]\n"
                          "A FILE of - is standard input; a folder is its *.yaml files.\n"
                          "`levy help COMMAND` lists the options of a command.\n"
                          "\nCommands\n");
    for (size_t i = 0; i < CLI_COMMANDS; ++i) {
        char left[64];
        snprintf(left, sizeof left, "  %s", cli_commands[i].name);
        failed |= help_pair(left, cli_commands[i].summary, 14, write, user);
    }
    failed |= help_put(write, user, "\nExamples\n");
    for (size_t i = 0; i < CLI_COMMANDS; ++i)
        failed |= help_put(write, user, "  ") | help_put(write, user, cli_commands[i].example) |
                  help_put(write, user, "\n");
    return failed | help_end(write, user);
}

int cli_help_command(int command, levy_writer write, void *user)
{
    const cli_command_words *const words = &cli_commands[command];
    char title[64], usage[128];
    snprintf(title, sizeof title, "levy %s:", words->name);
    snprintf(usage, sizeof usage, "levy %s [OPTIONS]%s%s", words->name,
             words->operands[0] ? " " : "", words->operands);
    int failed = help_pair(title, words->summary, 2, write, user) | help_put(write, user, "\n") |
                 help_pair("Example:", words->example, 9, write, user) |
                 help_pair("Usage:", usage, 9, write, user);
    for (const cli_option_group *group = cli_option_groups; group->title; ++group) {
        bool titled = false;
        for (int i = group->first; i < group[1].first; ++i) {
            if (!(cli_option_list[i].commands >> command & 1)) continue;
            if (!titled)
                failed |= help_put(write, user, "\n") | help_put(write, user, group->title) |
                          help_put(write, user, "\n");
            titled = true;
            failed |= help_option(i, command, write, user);
        }
    }
    return failed | help_end(write, user);
}

int cli_help(const cli_options *options)
{
    cli_output output;
    const char *word = options->n_operands ? options->operands[0] : NULL;
    int command = options->help ? options->command : -1;
    if (word && !options->help) command = cli_command_find(word);
    if (word && command < 0 && !options->man) return cli_describe(options);
    int code = cli_output_open(&output, NULL);
    if (code) return code;
    if (options->man)
        (void)cli_man_write(cli_output_write, &output);
    else if (command >= 0)
        (void)cli_help_command(command, cli_output_write, &output);
    else
        (void)cli_help_all(cli_output_write, &output);
    return cli_output_commit(&output);
}

int cli_version(const cli_options *options)
{
    cli_output output;
    char line[512];
    const int length =
        options->format == LEVY_FORMAT_JSON
            ? snprintf(line, sizeof line, "{\"version\": \"%s\", \"contract\": %d, %s}\n",
                       cli_build_version, LEVY_CONTRACT, cli_build_facts)
            : snprintf(line, sizeof line, "levy %s (contract %d)\n", cli_build_version,
                       LEVY_CONTRACT);
    cli_output_open(&output, NULL);
    (void)cli_output_write(&output, line, (size_t)length);
    return cli_output_commit(&output);
}
