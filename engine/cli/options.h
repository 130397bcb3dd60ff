/* options.h: the command line as typed, parsed by the table in options.def. The command line
 * includes levy.h and its own room only. A program that links the library can therefore do all that
 * the command line can. */
#ifndef LEVY_CLI_OPTIONS_H
#define LEVY_CLI_OPTIONS_H

#include "engine/levy.h"

#include <stdbool.h>

enum {
#define COMMAND(name, NAME, operands, least, summary, example) CLI_##NAME,
#include "engine/cli/options.def"
    CLI_COMMANDS
};

enum {
#define OPTION(name, letter, NAME, argument, take, member, commands, help) CLI_OPTION_##NAME,
#include "engine/cli/options.def"
    CLI_OPTIONS
};

#define CLI_FOR(NAME) (1u << CLI_##NAME)
#define CLI_FOR_ALL (~0u)

/* words.c: options.def as tables for the parser, the help, the completions and the manual. */
typedef struct cli_command_words {
    const char *name, *operands, *summary, *example;
    size_t least_operands;
} cli_command_words;
typedef struct cli_option_words {
    const char *name;
    char letter;          /* 0: none */
    const char *argument; /* NULL: takes none */
    unsigned commands;    /* bits 1u << CLI_ of the commands that take it */
    const char *help;
} cli_option_words;
typedef struct cli_option_group {
    const char *title; /* NULL ends them */
    int first;         /* the group goes up to the next one's */
} cli_option_group;
extern const cli_command_words cli_commands[CLI_COMMANDS];
extern const cli_option_words cli_option_list[CLI_OPTIONS];
extern const cli_option_group cli_option_groups[];
/* The words that an option takes one of, with blanks between; NULL: it takes others. */
extern const char *const cli_option_choices[CLI_OPTIONS];
/* What the option means to that command. */
const char *cli_option_help(int option, int command);
/* What --format takes of that command: "table csv json". */
typedef struct cli_format_words {
    const char *word; /* NULL ends them */
    int format;       /* LEVY_FORMAT_ */
    unsigned commands;
} cli_format_words;
extern const cli_format_words cli_format_list[];
enum { CLI_FORMATS_SIZE = 32 };
void cli_formats_of(int command, char words[CLI_FORMATS_SIZE]);

enum {
    CLI_EXIT_TRADES = 1, /* some trades failed, the others are there */
    CLI_EXIT_USAGE = 2,
    CLI_EXIT_INPUT = 3,
    CLI_EXIT_MEMORY = 4,
    CLI_EXIT_MISSING = 4, /* something is missing on this machine or in this installation */
    CLI_EXIT_OUTPUT = 7,
    CLI_MAX_SETTINGS = 64
};

typedef enum cli_progress {
    CLI_PROGRESS_AUTO,
    CLI_PROGRESS_BAR,
    CLI_PROGRESS_JSON,
    CLI_PROGRESS_NONE
} cli_progress;

typedef struct cli_quote {
    const char *name; /* "SPX.spot" */
    double value;
} cli_quote;

typedef struct cli_options {
    int command;
    int format; /* LEVY_FORMAT_, -1: not given */
    cli_progress progress;
    uint32_t threads;
    bool allow_links, trust_parts, strict, strict_sums, quiet, no_color, no_cache, help, version,
        each;
    bool resume, no_times, man;
    const char *max_memory;
    const char *journal;
    uint32_t part, parts;            /* of --part K/N; 0, 0: not given */
    bool part_env;                   /* --part env */
    const char *by, *columns, *sums; /* price */
    bool wide;
    const char *output, *device, *isa, *architectures, *cache_dir, *measures;
    const char *methods, *points, *fit, *trade, *csv, *svg, *precision; /* converge */
    const char *paths, *seed, *market;
    uint32_t replicates, resamples, coverage;
    int what;           /* plot: LEVY_PLOT_, -1: not given */
    const char *factor; /* plot */
    double low, high;
    const char *steps; /* a range, or one number, which `values` has too */
    uint32_t values;
    int kind; /* points: 0 normals, 1 uniforms, 2 words */
    uint32_t replicate;
    uint64_t first, count;
    const char *only, *peers, *without, *show; /* bench */
    uint32_t repeats;
    double peer_limit;
    bool list;
    bool has_reference;
    double reference, target_rmse;
    char *kinds;                            /* of --kinds, with ':' between; NULL: not given */
    char *setting_copies[CLI_MAX_SETTINGS]; /* own the keys */
    size_t n_copies;
    levy_setting settings[CLI_MAX_SETTINGS + 4]; /* 4: they have options of their own */
    size_t n_settings;
    cli_quote quotes[CLI_MAX_SETTINGS]; /* of the market, in order */
    size_t n_quotes;
    char **operands; /* of the command */
    size_t n_operands;
    char **words; /* the command and all that follows it; ends with NULL */
} cli_options;

/* Both return 0, or an exit code after a message on stderr. argv is permuted; operands and words
 * point into it. The first reads the command from argv[1]. The second is given the command, and its
 * options start at argv[1]. */
int cli_options_parse(int argc, char **argv, cli_options *options);
int cli_options_parse_command(int command, int argc, char **argv, cli_options *options);
void cli_options_release(cli_options *options);
/* option_values.c: takes the option's value in; 0, or an exit code after a message. */
int cli_option_take(int option, const char *value, cli_options *options);

/* help.c: text on stdout through `write`. */
enum { CLI_OPTION_TEXT = 512 };
/* What the option means to that command, with the words that it takes there. */
void cli_option_text(int option, int command, char text[CLI_OPTION_TEXT]);
int cli_help_brief(levy_writer write, void *user); /* ten lines */
int cli_help_all(levy_writer write, void *user);
int cli_help_command(int command, levy_writer write, void *user);

int cli_command_find(const char *name); /* -1: none */
const char *cli_command_name(int command);
/* say.c: on stderr, with control characters of the message written as \xNN, newlines not. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
int cli_no_memory(void); /* says so; returns CLI_EXIT_MEMORY */
/* "levy: <message>\n" with cli_say; returns CLI_EXIT_USAGE. */
int cli_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The nearest word of a NULL-terminated list, or NULL when none is near. */
const char *cli_nearest(const char *word, const char *const *words);
/* What an error message adds for the nearest word: "; did you mean 'price'?", or "". */
enum { CLI_MEANT_SIZE = 64 };
const char *cli_meant(const char *word, const char *const *words, char phrase[CLI_MEANT_SIZE])
    __attribute__((warn_unused_result));

/* The words that a listing of the library, such as levy_describe's, has at the beginning of its
 * lines. */
enum { CLI_WORDS = 255 };
typedef struct cli_words {
    char text[32768];
    size_t length;
    const char *words[CLI_WORDS + 1]; /* ends with NULL */
} cli_words;
void cli_words_read(cli_words *words,
                    int (*list)(const char *topic, levy_writer write, void *user));
/* The same of a listing with the kinds of a context. */
void cli_words_read_of(cli_words *words, levy_context *context,
                       int (*list)(levy_context *context, const char *topic, levy_writer write,
                                   void *user));

#endif
