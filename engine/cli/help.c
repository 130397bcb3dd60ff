/* help.c: `levy help` and `levy version`: texts made from options.def. */
#include "engine/cli/build.h"
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

static const char help_exit_codes[] =
    "\nExit codes: 0 all priced; 1 some trades failed, the "
    "others are priced; 2 usage; 3 input refused, nothing "
    "priced;\n"
    "4 no usable device, or no memory; 5 accuracy not reached; 6 "
    "journal cannot be resumed; 7 output could not be written;\n"
    "129, 130, 143 interrupted, the finished trades are printed.\n";

static int help_put(levy_writer write, void *user, const char *text)
{
    return write(user, text, strlen(text));
}

int cli_help_brief(levy_writer write, void *user) { return help_put(write, user, help_brief); }

static int help_option(size_t option, levy_writer write, void *user)
{
    char left[64], line[80];
    const char *argument = cli_option_list[option].argument;
    char letter[8] = "    ";
    if (cli_option_list[option].letter)
        snprintf(letter, sizeof letter, "-%c, ", cli_option_list[option].letter);
    const char *space = argument ? " " : "";
    if (!argument) argument = "";
    snprintf(left, sizeof left, "%s--%s%s%s", letter, cli_option_list[option].name, space,
             argument);
    snprintf(line, sizeof line, "  %-24s ", left);
    return help_put(write, user, line) | help_put(write, user, cli_option_list[option].help) |
           help_put(write, user, "\n");
}

int cli_help_all(levy_writer write, void *user)
{
    char line[80];
    int failed = help_put(write, user,
                          "Usage: levy COMMAND [OPTIONS] [FILE...]     a FILE of - is standard "
                          "input; a folder is its *.yaml files\n"
                          "\nCommands\n");
    for (size_t i = 0; i < CLI_COMMANDS; ++i) {
        snprintf(line, sizeof line, "  %-10s ", cli_commands[i].name);
        failed |= help_put(write, user, line) | help_put(write, user, cli_commands[i].summary) |
                  help_put(write, user, "\n");
    }
    failed |= help_put(write, user, "\nOptions of `levy price`\n");
    for (size_t i = 0; i < CLI_OPTIONS; ++i)
        if (cli_option_list[i].commands >> CLI_PRICE & 1) failed |= help_option(i, write, user);
    failed |= help_put(write, user, "\nExamples\n");
    for (size_t i = 0; i < CLI_COMMANDS; ++i)
        failed |= help_put(write, user, "  ") | help_put(write, user, cli_commands[i].example) |
                  help_put(write, user, "\n");
    return failed | help_put(write, user, help_exit_codes);
}

int cli_help_command(int command, levy_writer write, void *user)
{
    const cli_command_words *const words = &cli_commands[command];
    const char *const pieces[] = {"levy ",
                                  words->name,
                                  ": ",
                                  words->summary,
                                  "\n\nExample: ",
                                  words->example,
                                  "\nUsage:   levy ",
                                  words->name,
                                  " [OPTIONS]",
                                  words->operands[0] ? " " : "",
                                  words->operands,
                                  "\n\nOptions\n"};
    int failed = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; ++i)
        failed |= help_put(write, user, pieces[i]);
    for (size_t i = 0; i < CLI_OPTIONS; ++i)
        if (cli_option_list[i].commands >> command & 1) failed |= help_option(i, write, user);
    return failed | help_put(write, user, help_exit_codes);
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
