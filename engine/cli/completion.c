/* completion.c: completion scripts for bash, zsh and fish, and the manual page, made from
 * options.def. Measures, methods and keys of --set are those of `levy describe`. */
#include "engine/cli/completion.h"
#include "engine/cli/client.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { COMPLETION_TEXT = 32768, COMPLETION_WORDS = 4096 };

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

/* ---- What options take ---- */

typedef struct completion_topic {
    size_t length;
    char text[COMPLETION_TEXT];
} completion_topic;

static int completion_keep(void *user, const char *text, size_t length)
{
    completion_topic *const topic = user;
    if (length >= sizeof topic->text - topic->length) return 1;
    memcpy(topic->text + topic->length, text, length);
    topic->text[topic->length += length] = '\0';
    return 0;
}

/* What `levy describe` says of a topic, from where it says `after` on; "": it does not. It lives
 * until the next call. */
static const char *completion_described(const char *topic, const char *after)
{
    static completion_topic kept;
    kept.length = 0;
    kept.text[0] = '\0';
    (void)levy_describe(topic, completion_keep, &kept);
    const char *const at = strstr(kept.text, after);
    return at ? at + strlen(after) : "";
}

static void completion_add(char words[COMPLETION_WORDS], const char *before, const char *word,
                           size_t length, const char *behind)
{
    const size_t used = strlen(words);
    snprintf(words + used, COMPLETION_WORDS - used, "%s%s%.*s%s", used ? " " : "", before,
             (int)length, word, behind);
}

/* The keys of a table: the first words of lines that begin with two blanks, up to an empty line. */
static void completion_keys(const char *topic, char words[COMPLETION_WORDS])
{
    char before[64];
    snprintf(before, sizeof before, "%s.", topic);
    for (const char *at = completion_described(topic, "meaning\n"); *at && *at != '\n';
         at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, "  ", 2) == 0 && at[2] != ' ')
            completion_add(words, before, at + 2, strcspn(at + 2, " \n"), "=");
}

/* "One of bridge, incremental,\n   pca." */
static void completion_one_of(const char *topic, char words[COMPLETION_WORDS])
{
    const char *text = completion_described(topic, "One of");
    for (size_t n; *text && *text != '.'; text += n) {
        text += strspn(text, " ,\n");
        n = strcspn(text, " ,.\n");
        completion_add(words, "", text, n, "");
    }
}

/* GENERATOR+CONSTRUCTION, all of them. */
static void completion_methods(char words[COMPLETION_WORDS])
{
    char generators[COMPLETION_WORDS] = "", constructions[COMPLETION_WORDS] = "", *outer, *inner;
    completion_one_of("generator", generators);
    completion_one_of("construction", constructions);
    for (const char *g = strtok_r(generators, " ", &outer); g; g = strtok_r(NULL, " ", &outer)) {
        char rest[COMPLETION_WORDS], method[128];
        if (strcmp(g, "given") == 0) continue; /* of a program */
        memcpy(rest, constructions, sizeof rest);
        for (const char *c = strtok_r(rest, " ", &inner); c; c = strtok_r(NULL, " ", &inner)) {
            snprintf(method, sizeof method, "%s+%s", g, c);
            completion_add(words, "", method, strlen(method), "");
        }
    }
}

/* With blanks between; "": any. They live until the next call. */
static const char *completion_values(int option, int command)
{
    static char words[COMPLETION_WORDS];
    words[0] = '\0';
    if (option == CLI_OPTION_FORMAT)
        cli_formats_of(command, words);
    else if (option == CLI_OPTION_MEASURES)
        completion_one_of("measures", words);
    else if (option == CLI_OPTION_METHODS)
        completion_methods(words);
    else if (option == CLI_OPTION_SET)
        completion_keys("simulation", words);
    else if (cli_option_choices[option])
        return cli_option_choices[option];
    return words;
}

/* Whether it takes several with commas between. */
static bool completion_is_list(int option)
{
    return option == CLI_OPTION_MEASURES || option == CLI_OPTION_METHODS || option == CLI_OPTION_BY;
}

static bool completion_takes(int option, int command)
{
    return cli_option_list[option].commands >> command & 1;
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

/* "price:--format|price:-f) words='table csv json' ;;" */
static void bash_value(completion_out *out, int option, int command)
{
    const char letter[] = {cli_option_list[option].letter, '\0'};
    const char *const values = completion_values(option, command);
    const char *const of = cli_commands[command].name;
    if (!*values || !completion_takes(option, command)) return;
    COMPLETION_PUT(out, "    ", of, ":--", cli_option_list[option].name);
    if (*letter) COMPLETION_PUT(out, "|", of, ":-", letter);
    COMPLETION_PUT(out, ") ", completion_is_list(option) ? "list" : "words", "='", values,
                   "' ;;\n");
}

static void bash_options(completion_out *out, int command)
{
    COMPLETION_PUT(out, "    ", cli_commands[command].name, ":*) words='",
                   completion_operands(command));
    if (command == CLI_HELP) completion_command_names(out);
    for (int i = 0; i < CLI_OPTIONS; ++i)
        if (completion_takes(i, command)) COMPLETION_PUT(out, " --", cli_option_list[i].name);
    completion_put(out, "' ;;\n");
}

static void completion_bash(completion_out *out)
{
    completion_put(out,
                   "# bash completion of levy\n"
                   "_levy()\n{\n"
                   "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
                   "    local words= list= before=\n"
                   "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                   "        mapfile -t COMPREPLY < <(compgen -W '");
    completion_command_names(out);
    completion_put(out, "' -- \"$word\")\n        return\n    fi\n"
                        "    if [ \"$word\" = = ]; then word=\n"
                        "    elif [ \"$previous\" = = ]; then\n"
                        "        previous=${COMP_WORDS[COMP_CWORD-2]}\n    fi\n"
                        "    case ${COMP_WORDS[1]}:$previous in\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        for (int i = 0; i < CLI_OPTIONS; ++i) bash_value(out, i, c);
        bash_options(out, c);
    }
    completion_put(out, "    esac\n"
                        "    if [ -n \"$list\" ]; then\n"
                        "        words=$list\n"
                        "        case $word in *,*) before=${word%,*}, word=${word##*,} ;; esac\n"
                        "    fi\n"
                        "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$words\" -- "
                        "\"$word\")\n"
                        "    case $list${COMPREPLY-} in\n"
                        "    ?*,* | *=) compopt -o nospace 2> /dev/null || true ;;\n    esac\n"
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

static bool completion_is_file(const char *argument)
{
    return strcmp(argument, "FILE") == 0 || strcmp(argument, "DIR") == 0;
}

static void zsh_option(completion_out *out, int i, int command)
{
    const char *const argument = cli_option_list[i].argument;
    char help[CLI_OPTION_TEXT];
    cli_option_text(i, command, help);
    COMPLETION_PUT(out, "            '--", cli_option_list[i].name, argument ? "=" : "", "[");
    completion_quote(out, help, "[]:\\", "'\\''");
    completion_put(out, "]");
    const char *const values = argument ? completion_values(i, command) : "";
    if (argument) COMPLETION_PUT(out, ":", argument, ":");
    if (*values && completion_is_list(i))
        COMPLETION_PUT(out, " _sequence compadd - ", values);
    else if (*values)
        COMPLETION_PUT(out, "(", values, ")");
    else if (argument && completion_is_file(argument))
        completion_put(out, "_files");
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
            if (completion_takes(i, c)) zsh_option(out, i, c);
        if (*operands)
            COMPLETION_PUT(out, "            '*:word:(", operands, ")' ;;\n");
        else
            completion_put(out, "            '*:file:_files' ;;\n");
    }
    completion_put(out, "    esac\n}\n_levy \"$@\"\n");
}

static void fish_option(completion_out *out, int i, int command)
{
    const char letter[] = {cli_option_list[i].letter, '\0'};
    const char *const argument = cli_option_list[i].argument;
    char help[CLI_OPTION_TEXT];
    cli_option_text(i, command, help);
    COMPLETION_PUT(out, "complete -c levy -n '__fish_seen_subcommand_from ",
                   cli_commands[command].name, "' -l ", cli_option_list[i].name);
    if (*letter) COMPLETION_PUT(out, " -s ", letter);
    if (argument) completion_put(out, completion_is_file(argument) ? " -r" : " -x");
    const char *const values = argument ? completion_values(i, command) : "";
    if (*values) COMPLETION_PUT(out, " -a '", values, "'");
    completion_put(out, " -d '");
    completion_quote(out, help, "\\", "\\'");
    completion_put(out, "'\n");
}

static void completion_fish(completion_out *out)
{
    completion_put(out, "# fish completion of levy\n");
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        COMPLETION_PUT(out, "complete -c levy -n __fish_use_subcommand -f -a ",
                       cli_commands[c].name, " -d '");
        completion_quote(out, cli_commands[c].summary, "\\", "\\'");
        completion_put(out, "'\n");
    }
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        if (*completion_operands(c))
            COMPLETION_PUT(out, "complete -c levy -n '__fish_seen_subcommand_from ",
                           cli_commands[c].name, "' -f -a '", completion_operands(c), "'\n");
        for (int i = 0; i < CLI_OPTIONS; ++i)
            if (completion_takes(i, c)) fish_option(out, i, c);
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

/* What an option means to the first command that takes it, and to others that it means something
 * else to; and which commands take it. */
static void man_help(completion_out *out, int i)
{
    char first[CLI_OPTION_TEXT] = "", text[CLI_OPTION_TEXT];
    for (int c = 0; c < CLI_COMMANDS; ++c) {
        if (!completion_takes(i, c)) continue;
        cli_option_text(i, c, text);
        if (first[0] && strcmp(first, text) == 0) continue;
        if (first[0]) COMPLETION_PUT(out, ".br\n", cli_commands[c].name, ": ");
        man_text(out, text);
        completion_put(out, "\n");
        if (!first[0]) memcpy(first, text, sizeof first);
    }
    if (cli_option_list[i].commands == CLI_FOR_ALL) return;
    completion_put(out, "(");
    for (int c = 0, n = 0; c < CLI_COMMANDS; ++c)
        if (completion_takes(i, c)) COMPLETION_PUT(out, n++ ? ", " : "", cli_commands[c].name);
    completion_put(out, ")\n");
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
    man_help(out, i);
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
    ".TP\nCOLUMNS\nCharacters of a line of the table and of the help, instead of the terminal's.\n";

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
