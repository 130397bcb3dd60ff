/* options.c: the parser made from options.def: getopt_long, but option names count only when typed
 * in full, so that a later version may add names without changing what a script means. */
#include "engine/cli/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const option_names[] = {
#define OPTION(name, letter, NAME, argument, take, member, commands, help) "--" name,
#include "engine/cli/options.def"
    NULL};

static const char *const command_names[] = {
#define COMMAND(name, NAME, operands, least, summary, example) name,
#include "engine/cli/options.def"
    NULL};

int cli_command_find(const char *name)
{
    for (int i = 0; i < CLI_COMMANDS; ++i)
        if (strcmp(name, cli_commands[i].name) == 0) return i;
    return -1;
}

const char *cli_command_name(int command) { return cli_commands[command].name; }

static int option_unknown(const char *what, const char *word, const char *const *words,
                          const char *hint)
{
    char meant[CLI_MEANT_SIZE];
    return cli_usage_error("unknown %s '%s'%s\nhint: %s", what, word, cli_meant(word, words, meant),
                           hint);
}

/* ---- Options that are none, or another command's ---- */

static int option_describe_settings(const char *topic, levy_writer write, void *user)
{
    (void)topic;
    return levy_describe("simulation", write, user);
}

/* Whether n characters are a setting that --set gives. */
static bool option_is_setting(int command, const char *name, size_t n)
{
    cli_words settings;
    if (!(cli_option_list[CLI_OPTION_SET].commands >> command & 1)) return false;
    cli_words_read(&settings, option_describe_settings);
    for (size_t i = 0; settings.words[i]; ++i)
        if (strlen(settings.words[i]) == n && strncmp(settings.words[i], name, n) == 0) return true;
    return false;
}

static int option_unknown_long(int command, const char *token)
{
    const size_t n = strcspn(token + 2, "=");
    if (!option_is_setting(command, token + 2, n))
        return option_unknown("option", token, option_names,
                              "`levy help COMMAND` lists the options of a command");
    return cli_usage_error("unknown option '%s'\nhint: it is a setting: --set simulation.%.*s=%s",
                           token, (int)n, token + 2, token[2 + n] ? token + 3 + n : "VALUE");
}

static int option_refuse_here(int command, int option)
{
    const char *const name = cli_option_list[option].name, *const own = cli_command_name(command);
    char others[256] = "";
    if (option_is_setting(command, name, strlen(name)))
        return cli_usage_error(
            "`levy %s` takes no option --%s\nhint: it is a setting: --set simulation.%s=%s", own,
            name, name, optarg ? optarg : "VALUE");
    for (int i = 0; i < CLI_COMMANDS; ++i) {
        const size_t used = strlen(others);
        if (cli_option_list[option].commands >> i & 1)
            snprintf(others + used, sizeof others - used, "%s %s", used ? "," : "",
                     cli_command_name(i));
    }
    return cli_usage_error(
        "`levy %s` takes no option --%s\nhint: `levy help %s` lists its options; that one is of%s",
        own, name, own, others);
}

enum { LETTERS_SIZE = 2 * CLI_OPTIONS + 4, FIRST_LONG = 256 };

/* The letters start with ":", so that getopt tells a missing argument from an unknown option and
 * prints nothing itself. */
static void option_getopt_tables(char letters[LETTERS_SIZE], struct option longs[CLI_OPTIONS + 1])
{
    char *letter = letters;
    *letter++ = ':';
    for (int i = 0; i < CLI_OPTIONS; ++i) {
        longs[i] = (struct option){cli_option_list[i].name,
                                   cli_option_list[i].argument ? required_argument : no_argument,
                                   NULL, FIRST_LONG + i};
        if (!cli_option_list[i].letter) continue;
        *letter++ = cli_option_list[i].letter;
        if (cli_option_list[i].argument) *letter++ = ':';
    }
    *letter = '\0';
    longs[CLI_OPTIONS] = (struct option){NULL, 0, NULL, 0};
}

static int option_of_letter(int letter)
{
    for (int i = 0; i < CLI_OPTIONS; ++i)
        if (cli_option_list[i].letter == letter) return i;
    return -1;
}

static int option_refuse(int command, int result, char **argv)
{
    const char *token = argv[optind - 1];
    if (result == ':' && optopt < FIRST_LONG)
        return cli_usage_error("option -%c needs a value", optopt);
    if (result == ':')
        return cli_usage_error("option --%s needs a value",
                               cli_option_list[optopt - FIRST_LONG].name);
    if (optopt >= FIRST_LONG)
        return cli_usage_error("option --%s takes no value",
                               cli_option_list[optopt - FIRST_LONG].name);
    if (optopt != 0)
        return cli_usage_error("unknown option '-%c'\nhint: `levy help` lists them", optopt);
    return option_unknown_long(command, token);
}

/* getopt_long accepts any unambiguous beginning of a name, which we refuse. */
static bool option_is_abbreviated(int option, char **argv)
{
    const bool separate = cli_option_list[option].argument && optarg == argv[optind - 1];
    const char *token = argv[optind - (separate ? 2 : 1)];
    return strncmp(token, "--", 2) == 0 &&
           strcspn(token + 2, "=") != strlen(cli_option_list[option].name);
}

static size_t option_most_operands(int command)
{
    if (command == CLI_DESCRIBE || command == CLI_NEW || command == CLI_EXAMPLE ||
        command == CLI_HELP || command == CLI_COMPLETION || command == CLI_SCHEMA)
        return 1;
    return cli_commands[command].operands[0] == '\0' ? 0 : SIZE_MAX;
}

static int option_check_operands(const cli_options *options)
{
    const char *name = cli_commands[options->command].name;
    if (options->help || options->version) return 0;
    if (options->n_operands < cli_commands[options->command].least_operands)
        return cli_usage_error("`levy %s` needs %s\nhint: `levy help %s` explains it%s", name,
                               cli_commands[options->command].operands, name,
                               strcmp(cli_commands[options->command].operands, "FILE...") == 0
                                   ? "; a FILE of - is standard input"
                                   : "");
    const size_t most = option_most_operands(options->command);
    if (options->n_operands > most)
        return cli_usage_error("`levy %s` takes %s; got '%s'", name, most ? "one word" : "no words",
                               options->operands[most]);
    return 0;
}

/* Options that are short for settings stand after --set, which they outrank. */
static void option_short_names(cli_options *options)
{
    /* a study has its own list, with scenarios */
    const bool of_study = options->what == LEVY_PLOT_CONVERGENCE || options->what == LEVY_PLOT_COST;
    const bool study =
        options->command == CLI_CONVERGE || (options->command == CLI_PLOT && of_study);
    const levy_setting all[] = {
        {"measures", study ? NULL : options->measures},
        {"simulation.seed", options->seed},
        {"simulation.precision", options->precision},
        {"simulation.paths", options->command == CLI_BENCH ? NULL : options->paths}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i].value) options->settings[options->n_settings++] = all[i];
}

static int option_loop(int argc, char **argv, cli_options *options)
{
    char letters[LETTERS_SIZE];
    struct option longs[CLI_OPTIONS + 1];
    option_getopt_tables(letters, longs);
    optind = 1;
    for (int result; (result = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
        if (result == '?' || result == ':') return option_refuse(options->command, result, argv);
        const int option = result >= FIRST_LONG ? result - FIRST_LONG : option_of_letter(result);
        if (result >= FIRST_LONG && option_is_abbreviated(option, argv))
            return option_unknown("option", argv[optind - (optarg == argv[optind - 1] ? 2 : 1)],
                                  option_names, "options cannot be abbreviated");
        if (!(cli_option_list[option].commands >> options->command & 1))
            return option_refuse_here(options->command, option);
        const int code = cli_option_take(option, optarg, options);
        if (code) return code;
    }
    options->operands = argv + optind;
    if (argc > optind) options->n_operands = (size_t)(argc - optind);
    option_short_names(options);
    if (options->each && (options->journal || options->sums))
        return cli_usage_error("--%s is of one book; it does not go with --each",
                               options->journal ? "journal" : "sums");
    const bool parted = options->part_env || options->parts;
    if (options->each && parted)
        return cli_usage_error("--part is of one book; it does not go with --each");
    if (options->resume && !options->journal && !parted)
        return cli_usage_error("--resume needs --journal FILE: the journal to continue");
    return option_check_operands(options);
}

int cli_options_parse(int argc, char **argv, cli_options *options)
{
    *options = (cli_options){.command = CLI_HELP, .format = -1};
    if (argc < 2) return 0;
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        options->version = true;
        return 0;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return 0;
    options->command = cli_command_find(word);
    if (options->command < 0 && word[0] == '-')
        return cli_usage_error("the command comes first, then its options; got '%s'\nhint: `levy "
                               "help` lists the commands",
                               word);
    if (options->command < 0)
        return option_unknown("command", word, command_names, "`levy help` lists the commands");
    return cli_options_parse_command(options->command, argc - 1, argv + 1, options);
}

int cli_options_parse_command(int command, int argc, char **argv, cli_options *options)
{
    *options = (cli_options){.command = command, .format = -1, .what = -1, .words = argv};
    return option_loop(argc, argv, options);
}

void cli_options_release(cli_options *options)
{
    for (size_t i = 0; i < CLI_MAX_SETTINGS; ++i) free(options->setting_copies[i]);
    free(options->kinds);
}
