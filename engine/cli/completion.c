/* completion.c: completion scripts for bash, zsh and fish, and the manual page, made from
 * options.def. Only the values that some options choose from are listed here by hand. */
#include "engine/cli/completion.h"
#include "engine/cli/client.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *option, *values;
} completion_values[] = {
    {"format", "table csv json jsonl npy"},
    {"by", "book counterparty netting_set underlying payoff model"},
    {"device", "auto cpu cuda"},
    {"isa", "auto baseline avx2 avx512 neon"},
    {"progress", "auto bar json none"},
    {"precision", "double single"},
    {"kind", "normals uniforms words"},
    {"what", "errors ladder grid convergence cost profile"},
    {"measures", "price price,delta price,delta,vega price,delta,gamma,vega,rho,theta"}};
enum { COMPLETION_VALUES = sizeof completion_values / sizeof *completion_values };

typedef struct completion_out {
    levy_writer write;
    void *user;
    int failed;
} completion_out;

static void completion_put(completion_out *out, const char *text)
{
    out->failed |= out->write(out->user, text, strlen(text));
}

static void completion_put_all(completion_out *out, const char *const *texts)
{
    for (; *texts; ++texts) completion_put(out, *texts);
}
#define COMPLETION_PUT(out, ...) completion_put_all(out, (const char *const[]){__VA_ARGS__, NULL})

/* The words of a listing with blanks between them. They live until the next call. */
static const char *completion_listed(int (*list)(const char *, levy_writer, void *))
{
    static cli_words words;
    static char text[sizeof words.text];
    size_t used = 0;
    text[0] = '\0';
    cli_words_read(&words, list);
    for (size_t i = 0; words.words[i]; ++i) {
        const int n =
            snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", words.words[i]);
        if (n < 0 || (size_t)n >= sizeof text - used) break;
        used += (size_t)n;
    }
    return text;
}

static const char *completion_operands(int command)
{
    switch (command) {
    case CLI_NEW:
        return completion_listed(levy_template);
    case CLI_EXAMPLE:
        return completion_listed(cli_example_list);
    case CLI_DESCRIBE:
        return completion_listed(levy_describe);
    case CLI_KERNELS:
        return "build list clear";
    case CLI_COMPLETION:
        return "bash zsh fish";
    case CLI_SCHEMA:
        return "input kind report line diagnostics";
    default:
        return "";
    }
}

static void completion_command_names(completion_out *out)
{
    for (int i = 0; i < CLI_COMMANDS; ++i) COMPLETION_PUT(out, i ? " " : "", cli_commands[i].name);
}

/* ---- bash ---- */

static void bash_values(completion_out *out)
{
    completion_put(out, "    case $previous in\n");
    for (int i = 0; i < COMPLETION_VALUES; ++i)
        COMPLETION_PUT(out, "    --", completion_values[i].option,
                       ") mapfile -t COMPREPLY < <(compgen -W '", completion_values[i].values,
                       "' -- \"$word\"); return ;;\n");
    completion_put(out, "    esac\n");
}

static void completion_bash(completion_out *out)
{
    completion_put(
        out, "# bash completion of levy\n"
             "_levy()\n{\n"
             "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words\n"
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
             "        mapfile -t COMPREPLY < <(compgen -W '");
    completion_command_names(out);
    completion_put(out, "' -- \"$word\")\n        return\n    fi\n");
    bash_values(out);
    completion_put(out, "    case ${COMP_WORDS[1]} in\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        COMPLETION_PUT(out, "    ", cli_commands[c].name, ") words='", completion_operands(c));
        if (c == CLI_HELP) completion_command_names(out);
        for (int i = 0; i < CLI_OPTIONS; ++i)
            if (cli_option_list[i].commands >> c & 1)
                COMPLETION_PUT(out, " --", cli_option_list[i].name);
        completion_put(out, "' ;;\n");
    }
    completion_put(out, "    *) return ;;\n    esac\n"
                        "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                        "}\n"
                        "complete -o default -o bashdefault -F _levy levy\n");
}

/* ---- zsh and fish quote with '...' ---- */

/* Writes text for inside '...': `special` characters get a backslash, `quote` replaces a quote. */
static void completion_quote(completion_out *out, const char *text, const char *special,
                             const char *quote)
{
    char piece[4];
    for (; *text; ++text) {
        if (*text == '\'') {
            completion_put(out, quote);
            continue;
        }
        snprintf(piece, sizeof piece, strchr(special, *text) ? "\\%c" : "%c", *text);
        completion_put(out, piece);
    }
}

static const char *completion_values_of(const char *option)
{
    for (int i = 0; i < COMPLETION_VALUES; ++i)
        if (strcmp(completion_values[i].option, option) == 0) return completion_values[i].values;
    return NULL;
}

static bool completion_is_file(const char *argument)
{
    return strcmp(argument, "FILE") == 0 || strcmp(argument, "DIR") == 0;
}

static void zsh_option(completion_out *out, int i)
{
    const char *values = completion_values_of(cli_option_list[i].name);
    const char *argument = cli_option_list[i].argument;
    COMPLETION_PUT(out, "            '--", cli_option_list[i].name, argument ? "=" : "", "[");
    completion_quote(out, cli_option_list[i].help, "[]:\\", "'\\''");
    completion_put(out, "]");
    if (argument) COMPLETION_PUT(out, ":", argument, ":");
    if (argument && values) COMPLETION_PUT(out, "(", values, ")");
    if (argument && !values && completion_is_file(argument)) completion_put(out, "_files");
    completion_put(out, "' \\\n");
}

static void completion_zsh(completion_out *out)
{
    completion_put(
        out, "#compdef levy\n# zsh completion of levy\n_levy()\n{\n    local -a commands=(\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        COMPLETION_PUT(out, "        '", cli_commands[c].name, ":");
        completion_quote(out, cli_commands[c].summary, ":\\", "'\\''");
        completion_put(out, "'\n");
    }
    completion_put(out, "    )\n    if (( CURRENT == 2 )); then\n        _describe command "
                        "commands\n        return\n    fi\n"
                        "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n    "
                        "case $command in\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        const char *operands = completion_operands(c);
        COMPLETION_PUT(out, "    ", cli_commands[c].name, ")\n        _arguments \\\n");
        for (int i = 0; i < CLI_OPTIONS; ++i)
            if (cli_option_list[i].commands >> c & 1) zsh_option(out, i);
        if (*operands)
            COMPLETION_PUT(out, "            '*:word:(", operands, ")' ;;\n");
        else
            completion_put(out, "            '*:file:_files' ;;\n");
    }
    completion_put(out, "    esac\n}\n_levy \"$@\"\n");
}

static void completion_fish(completion_out *out)
{
    char letter[8];
    completion_put(out, "# fish completion of levy\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        COMPLETION_PUT(out, "complete -c levy -n __fish_use_subcommand -f -a ",
                       cli_commands[c].name, " -d '");
        completion_quote(out, cli_commands[c].summary, "\\", "\\'");
        completion_put(out, "'\n");
    }
    for (int c = 0; c < CLI_COMMANDS; ++c)
        if (*completion_operands(c))
            COMPLETION_PUT(out, "complete -c levy -n '__fish_seen_subcommand_from ",
                           cli_commands[c].name, "' -f -a '", completion_operands(c), "'\n");
    for (int i = 0; i < CLI_OPTIONS; ++i) {
        const char *values = completion_values_of(cli_option_list[i].name);
        completion_put(out, "complete -c levy -n '__fish_seen_subcommand_from");
        for (int c = 0; c < CLI_COMMANDS; ++c)
            if (cli_option_list[i].commands >> c & 1)
                COMPLETION_PUT(out, " ", cli_commands[c].name);
        COMPLETION_PUT(out, "' -l ", cli_option_list[i].name);
        snprintf(letter, sizeof letter, " -s %c",
                 cli_option_list[i].letter ? cli_option_list[i].letter : ' ');
        if (cli_option_list[i].letter) completion_put(out, letter);
        const char *argument = cli_option_list[i].argument;
        if (argument) completion_put(out, completion_is_file(argument) ? " -r" : " -x");
        if (values) COMPLETION_PUT(out, " -a '", values, "'");
        completion_put(out, " -d '");
        completion_quote(out, cli_option_list[i].help, "\\", "\\'");
        completion_put(out, "'\n");
    }
}

int cli_completion_write(const char *shell, levy_writer write, void *user)
{
    static const struct {
        const char *name;
        void (*put)(completion_out *);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    completion_out out = {write, user, 0};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; ++i) {
        if (strcmp(shell, shells[i].name) != 0) continue;
        shells[i].put(&out);
        return 0;
    }
    return -1;
}

/* ---- The manual page (man(7)) ---- */

/* Escapes backslashes, and hyphens, so that they can be copied into a shell. */
static void man_text(completion_out *out, const char *text)
{
    for (; *text; ++text) {
        const char plain[2] = {*text, '\0'};
        if (*text == '\\')
            completion_put(out, "\\e");
        else if (*text == '-')
            completion_put(out, "\\-");
        else
            completion_put(out, plain);
    }
}

static void man_option(completion_out *out, int i)
{
    char letter[16] = "";
    if (cli_option_list[i].letter)
        snprintf(letter, sizeof letter, "\\fB\\-%c\\fR, ", cli_option_list[i].letter);
    COMPLETION_PUT(out, ".TP\n", letter, "\\fB\\-\\-");
    man_text(out, cli_option_list[i].name);
    completion_put(out, "\\fR");
    if (cli_option_list[i].argument)
        COMPLETION_PUT(out, " \\fI", cli_option_list[i].argument, "\\fR");
    completion_put(out, "\n");
    man_text(out, cli_option_list[i].help);
    completion_put(out, "\n");
    if (cli_option_list[i].commands == CLI_FOR_ALL) return;
    completion_put(out, "(");
    for (int c = 0, n = 0; c < CLI_COMMANDS; ++c)
        if (cli_option_list[i].commands >> c & 1)
            COMPLETION_PUT(out, n++ ? ", " : "", cli_commands[c].name);
    completion_put(out, ")\n");
}

static void man_commands(completion_out *out)
{
    completion_put(out, ".SH COMMANDS\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        COMPLETION_PUT(out, ".TP\n\\fB", cli_commands[c].name, "\\fR ");
        man_text(out, cli_commands[c].operands);
        completion_put(out, "\n");
        man_text(out, cli_commands[c].summary);
        completion_put(out, ".\n");
    }
}

static const char man_head[] =
    ".TH LEVY 1\n"
    ".SH NAME\nlevy \\- price options by Monte Carlo\n"
    ".SH SYNOPSIS\n.B levy\n.I command\n.RI [ options ]\n.RI [ file ...]\n"
    ".SH DESCRIPTION\n"
    "levy prices options by Monte Carlo, on the CPU or an NVIDIA GPU, with an honest error bar.\n"
    "In double precision the CPU and the GPU give the same bits.\n"
    "YAML files hold the trades, the market and the settings; \\fBlevy describe\\fR documents\n"
    "their keys. Data go to the standard output, messages to the standard error. A\n.I file\n"
    "of \\- is the standard input, and <(command) of a shell what that command writes. A folder\n"
    "means its *.yaml and *.yml files, in the order of their names, except market.yaml and\n"
    "*.market.yaml.\n";

static const char man_tail[] =
    ".SH EXIT STATUS\n"
    ".TP\n0\nAll trades are priced.\n"
    ".TP\n1\nSome trades failed; the others are priced.\n"
    ".TP\n2\nThe command line is wrong.\n"
    ".TP\n3\nThe input was refused; nothing is priced.\n"
    ".TP\n4\nThere is no usable device, or not enough memory.\n"
    ".TP\n5\nThe accuracy was not reached within the budget.\n"
    ".TP\n6\nThe journal cannot be resumed: it belongs to another run.\n"
    ".TP\n7\nThe output could not be written.\n"
    ".TP\n129, 130, 143\nThe run was interrupted. The finished trades are printed and in the "
    "journal.\n"
    ".SH LONG RUNS\n"
    "\\fB\\-\\-journal\\fR writes every finished group of trades to disk within about a second.\n"
    "If a run was killed or met a full disk, repeat the command with \\fB\\-\\-resume\\fR: the\n"
    "run continues from the journal. Its output then equals that of an uninterrupted run, byte\n"
    "for byte. With a journal, reports omit seconds. levy refuses a journal of other files,\n"
    "other settings or another version of levy. SIGINT, SIGTERM and SIGHUP end a run at once and\n"
    "print the finished trades. A second signal ends the program, unless it comes within a\n"
    "quarter of a second: timeout(1) signals a program and its group.\n"
    ".SH MEMORY\n"
    "Reading and planning take at most half of the machine's memory, or of its control group's\n"
    "limit if that is less. \\fB\\-\\-max\\-memory\\fR sets another limit. levy refuses a book\n"
    "that needs more. It also refuses a single trade that needs more, and prices the others. The\n"
    "message gives the memory needed.\n"
    ".SH ENVIRONMENT\n"
    ".TP\nLEVY_MODULE_DIR\nThe first folder in which levy looks for liblevy\\-cuda.so.\n"
    ".TP\nLEVY_CACHE_DIR\nThe cache of compiled GPU kernels. The default is\n"
    "$XDG_CACHE_HOME/levy/kernels, then ~/.cache/levy/kernels.\n"
    ".TP\nNO_COLOR\nIf set, levy prints no colours on a terminal.\n"
    ".TP\nCOLUMNS\nCharacters of a line of the table, instead of the terminal's.\n";

int cli_man_write(levy_writer write, void *user)
{
    completion_out out = {write, user, 0};
    completion_put(&out, man_head);
    man_commands(&out);
    completion_put(&out, ".SH OPTIONS\n");
    for (int i = 0; i < CLI_OPTIONS; ++i) man_option(&out, i);
    completion_put(&out, man_tail);
    completion_put(&out, ".SH EXAMPLES\n.nf\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        man_text(&out, cli_commands[c].example);
        completion_put(&out, "\n");
    }
    completion_put(&out, ".fi\n");
    return out.failed;
}
