/* options.c: the parser made from options.def: getopt_long, but option names count only when typed
 * in full, so that a later version may add names without changing what a script means. */
#include "engine/cli/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const option_names[] = {
#define OPTION(name, letter, NAME, argument, commands, help) "--" name,
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

enum { OPTION_CHOICES = 16 };

/* words: those with blanks between that the option takes one of. */
static int option_one_of(int option, const char *value, const char *words, int *chosen)
{
    char text[128], *rest = text, meant[CLI_MEANT_SIZE];
    const char *choices[OPTION_CHOICES + 1] = {NULL};
    snprintf(text, sizeof text, "%s", words);
    for (int i = 0; i < OPTION_CHOICES && rest; ++i) {
        choices[i] = strsep(&rest, " ");
        *chosen = i;
        if (strcmp(value, choices[i]) == 0) return 0;
    }
    cli_say("levy: --%s takes one of", cli_option_list[option].name);
    for (int i = 0; choices[i]; ++i) cli_say("%s %s", i ? "," : "", choices[i]);
    cli_say("; got '%s'%s\n", value, cli_meant(value, choices, meant));
    return CLI_EXIT_USAGE;
}

static int option_choice(int option, const char *value, int *chosen)
{
    return option_one_of(option, value, cli_option_choices[option], chosen);
}

static int option_threads(const char *value, cli_options *options)
{
    char *end;
    const unsigned long threads = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : 0;
    if (threads < 1 || threads > 4096 || *end != '\0')
        return cli_usage_error("--threads takes a number from 1 to 4096; got '%s'", value);
    options->threads = (uint32_t)threads;
    return 0;
}

/* "all", or numbers with commas between them. What they mean is the library's to say. */
static bool option_is_gpus(const char *text)
{
    if (strcmp(text, "all") == 0) return true;
    for (;; ++text) {
        const size_t digits = strspn(text, "0123456789");
        if (digits < 1 || digits > 3) return false;
        text += digits;
        if (*text != ',') return *text == '\0';
    }
}

static int option_device(const char *value, cli_options *options)
{
    const bool gpus = strncmp(value, "cuda:", 5) == 0 && option_is_gpus(value + 5);
    if (!gpus && strcmp(value, "auto") != 0 && strcmp(value, "cpu") != 0 &&
        strcmp(value, "cuda") != 0)
        return cli_usage_error("--device takes auto, cpu, cuda, cuda:N, cuda:all or a list such as "
                               "cuda:0,2; got '%s'",
                               value);
    options->device = value;
    return 0;
}

static int option_number(const char *name, const char *value, double *number);

/* Whether a key names a quote, as levy_book_set takes it: NAME.spot, CURVE.rate. */
static bool option_is_quote(const char *key)
{
    static const char *const what[] = {"spot", "volatility", "dividend_yield", "rate"};
    const char *const dot = strrchr(key, '.');
    if (!dot || strncmp(key, "simulation.", 11) == 0) return false;
    for (size_t i = 0; i < sizeof what / sizeof *what; ++i)
        if (strcmp(dot + 1, what[i]) == 0) return true;
    return false;
}

static int option_quote(const char *key, const char *value, cli_options *options)
{
    static const char *const roots[] = {"market.assets.", "market.curves."};
    char name[160];
    cli_quote *const quote = &options->quotes[options->n_quotes];
    for (size_t i = 0; i < sizeof roots / sizeof *roots; ++i)
        if (strncmp(key, roots[i], strlen(roots[i])) == 0)
            return cli_usage_error("--set takes quotes by name; got '%s'\nhint: Write --set %s=%s",
                                   key, key + strlen(roots[i]), value);
    snprintf(name, sizeof name, "set %.150s", key);
    quote->name = key;
    const int code = option_number(name, value, &quote->value);
    if (!code) options->n_quotes++;
    return code;
}

static int option_set(const char *value, cli_options *options)
{
    const char *equals = strchr(value, '=');
    if (!equals || equals == value)
        return cli_usage_error("--set takes KEY=VALUE, such as simulation.paths=2^20 or "
                               "SPX.spot=101; got '%s'",
                               value);
    if (options->n_copies == CLI_MAX_SETTINGS)
        return cli_usage_error("--set can be given %d times at most", CLI_MAX_SETTINGS);
    char *copy = strdup(value);
    if (!copy) {
        fputs("levy: out of memory\n", stderr);
        return CLI_EXIT_MEMORY;
    }
    copy[equals - value] = '\0';
    options->setting_copies[options->n_copies++] = copy;
    const char *const given = copy + (equals - value) + 1;
    if (option_is_quote(copy)) return option_quote(copy, given, options);
    options->settings[options->n_settings++] = (levy_setting){copy, given};
    return 0;
}

static int option_measures(const char *value, cli_options *options)
{
    const size_t allowed = strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_,");
    if (value[0] == '\0' || value[allowed] != '\0')
        return cli_usage_error("--measures takes a list such as price,delta,vega; got '%s'", value);
    options->measures = value;
    return 0;
}

static int option_count(const char *name, const char *value, uint32_t *count)
{
    char *end = NULL;
    const unsigned long long number =
        value[0] >= '0' && value[0] <= '9' ? strtoull(value, &end, 10) : 0;
    if (number < 1 || number > 1000000 || *end != '\0')
        return cli_usage_error("--%s takes a number from 1 to 1000000; got '%s'", name, value);
    *count = (uint32_t)number;
    return 0;
}

/* "4096" or "2^12", up to 2^56. */
static int option_size(const char *name, const char *value, uint64_t *size)
{
    const bool power = strncmp(value, "2^", 2) == 0;
    const char *const digits = power ? value + 2 : value;
    const size_t length = strlen(digits);
    const unsigned long long number =
        length > 0 && length < 18 && strspn(digits, "0123456789") == length
            ? strtoull(digits, NULL, 10)
            : ULLONG_MAX;
    if (number > (power ? 56 : 1ull << 56))
        return cli_usage_error("--%s takes a number up to 2^56, such as 4096 or 2^12; got '%s'",
                               name, value);
    *size = power ? 1ull << number : number;
    return 0;
}

static int option_points(int option, const char *value, cli_options *options)
{
    uint64_t number = 0;
    int code;
    switch (option) {
    case CLI_OPTION_KIND:
        return option_choice(option, value, &options->kind);
    case CLI_OPTION_FIRST:
        return option_size("first", value, &options->first);
    case CLI_OPTION_COUNT:
        code = option_size("count", value, &options->count);
        return code || options->count ? code : cli_usage_error("--count must be above 0");
    case CLI_OPTION_REPLICATE:
        code = option_size("replicate", value, &number);
        if (code || number > 65535)
            return code
                       ? code
                       : cli_usage_error("--replicate takes a number up to 65535; got '%s'", value);
        options->replicate = (uint32_t)number;
        return 0;
    default:
        return CLI_EXIT_USAGE;
    }
}

/* The program never sets a locale, so strtod expects a decimal point. */
static int option_number(const char *name, const char *value, double *number)
{
    char *end = NULL;
    if (strspn(value, "0123456789.eE+-") == strlen(value)) *number = strtod(value, &end);
    if (!end || end == value || *end != '\0' || *number - *number != 0.0)
        return cli_usage_error("--%s takes a number; got '%s'", name, value);
    return 0;
}

static int option_file(const char *name, const char *value, const char **file)
{
    if (value[0] == '\0') return cli_usage_error("--%s takes the name of a file; got ''", name);
    *file = value;
    return 0;
}

/* Each --kinds adds one. */
static int option_kinds(const char *value, cli_options *options)
{
    const size_t before = options->kinds ? strlen(options->kinds) : 0;
    if (value[0] == '\0') return cli_usage_error("--kinds takes a folder or a file; got ''");
    char *const all = realloc(options->kinds, before + strlen(value) + 2);
    if (!all) {
        fputs("levy: out of memory\n", stderr);
        return CLI_EXIT_MEMORY;
    }
    sprintf(all + before, "%s%s", before ? ":" : "", value);
    options->kinds = all;
    return 0;
}

/* Some name stands between the commas. */
static int option_architectures(const char *value, cli_options *options)
{
    if (value[strspn(value, ",")] == '\0')
        return cli_usage_error("--arch takes a list such as sm_80,sm_90; got '%s'", value);
    options->architectures = value;
    return 0;
}

/* "70..130" */
static int option_range(const char *value, cli_options *options)
{
    const char *const dots = strstr(value, "..");
    char low[64], *end = NULL;
    const size_t length = dots ? (size_t)(dots - value) : 0;
    if (length > 0 && length < sizeof low && strspn(value, "0123456789.eE+-") == strlen(value)) {
        memcpy(low, value, length);
        low[length] = '\0';
        options->low = strtod(low, &end);
        if (*end == '\0') options->high = strtod(dots + 2, &end);
    }
    if (!end || *end != '\0' || end == dots + 2 || !(options->low < options->high) ||
        options->high - options->high != 0.0)
        return cli_usage_error("--range takes LOW..HIGH, such as 70..130; got '%s'", value);
    return 0;
}

static int option_plot(int option, const char *value, cli_options *options)
{
    switch (option) {
    case CLI_OPTION_WHAT:
        return option_choice(option, value, &options->what);
    case CLI_OPTION_FACTOR:
        options->factor = value;
        return 0;
    case CLI_OPTION_RANGE:
        return option_range(value, options);
    case CLI_OPTION_STEPS:
        return option_count("steps", value, &options->steps);
    default:
        return option_points(option, value, options);
    }
}

static int option_study(int option, const char *value, cli_options *options)
{
    switch (option) {
    case CLI_OPTION_METHODS:
        options->methods = value;
        return 0;
    case CLI_OPTION_POINTS:
        options->points = value;
        return 0;
    case CLI_OPTION_FIT:
        options->fit = value;
        return 0;
    case CLI_OPTION_TRADE:
        options->trade = value;
        return 0;
    case CLI_OPTION_CSV:
        return option_file("csv", value, &options->csv);
    case CLI_OPTION_SVG:
        return option_file("svg", value, &options->svg);
    case CLI_OPTION_PRECISION:
        options->precision = value;
        return 0;
    case CLI_OPTION_REPLICATES:
        return option_count("replicates", value, &options->replicates);
    case CLI_OPTION_RESAMPLES:
        return option_count("resamples", value, &options->resamples);
    case CLI_OPTION_COVERAGE:
        return option_count("coverage", value, &options->coverage);
    case CLI_OPTION_REFERENCE:
        options->has_reference = true;
        return option_number("reference", value, &options->reference);
    case CLI_OPTION_RMSE:
        return option_number("rmse", value, &options->target_rmse);
    default:
        return option_plot(option, value, options);
    }
}

static int option_bench(int option, const char *value, cli_options *options)
{
    int code = 0;
    switch (option) {
    case CLI_OPTION_ONLY:
        options->only = value;
        return 0;
    case CLI_OPTION_PEERS:
        options->peers = value;
        return 0;
    case CLI_OPTION_WITHOUT:
        options->without = value;
        return 0;
    case CLI_OPTION_SHOW:
        options->show = value;
        return 0;
    case CLI_OPTION_LIST:
        options->list = true;
        return 0;
    case CLI_OPTION_REPEAT:
        code = option_count("repeat", value, &options->repeats);
        return code ? code
               : options->repeats <= 1000
                   ? 0
                   : cli_usage_error("--repeat takes a number from 1 to 1000; got '%s'", value);
    case CLI_OPTION_PEER_LIMIT:
        code = option_number("peer-limit", value, &options->peer_limit);
        return code ? code
               : options->peer_limit > 0.0
                   ? 0
                   : cli_usage_error("--peer-limit takes seconds above 0; got '%s'", value);
    default:
        return option_study(option, value, options);
    }
}

static const struct {
    const char *word;
    int format;
    unsigned commands;
} option_formats[] = {
    {"table", LEVY_FORMAT_TABLE, CLI_FOR_ALL},
    {"csv", LEVY_FORMAT_CSV, CLI_FOR(PRICE) | CLI_FOR(MERGE) | CLI_FOR(CONVERGE)},
    {"json", LEVY_FORMAT_JSON, CLI_FOR_ALL},
    {"jsonl", LEVY_FORMAT_JSONL, CLI_FOR(PRICE) | CLI_FOR(MERGE) | CLI_FOR(DEVICES)},
    {"npy", LEVY_FORMAT_NPY, CLI_FOR(PRICE) | CLI_FOR(MERGE)}};
enum { OPTION_FORMATS = sizeof option_formats / sizeof *option_formats };

void cli_formats_of(int command, char words[CLI_FORMATS_SIZE])
{
    words[0] = '\0';
    for (size_t i = 0; i < OPTION_FORMATS; ++i) {
        if (!(option_formats[i].commands >> command & 1)) continue;
        if (words[0]) strcat(words, " ");
        strcat(words, option_formats[i].word);
    }
}

static int option_format(const char *value, cli_options *options)
{
    char words[CLI_FORMATS_SIZE];
    int chosen;
    cli_formats_of(options->command, words);
    for (size_t i = 0; i < OPTION_FORMATS; ++i)
        if (strcmp(value, option_formats[i].word) == 0) options->format = option_formats[i].format;
    return option_one_of(CLI_OPTION_FORMAT, value, words, &chosen);
}

static int option_list(const char *name, const char *value, const char **list)
{
    if (value[strspn(value, ",")] == '\0')
        return cli_usage_error("--%s takes a list with commas; got '%s'", name, value);
    *list = value;
    return 0;
}

/* "3/16", "env" */
static int option_part(const char *value, cli_options *options)
{
    char *end = NULL;
    options->part_env = strcmp(value, "env") == 0;
    if (options->part_env) return 0;
    const unsigned long part = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : 0;
    const bool digit = end && *end == '/' && end[1] >= '0' && end[1] <= '9';
    const unsigned long parts = digit ? strtoul(end + 1, &end, 10) : 0;
    if (part < 1 || part > parts || parts > 65536 || *end != '\0')
        return cli_usage_error("--part takes K/N, such as 3/16, with K from 1 to N and N up to "
                               "65536, or env; got '%s'",
                               value);
    options->part = (uint32_t)part;
    options->parts = (uint32_t)parts;
    return 0;
}

static int option_price(int option, const char *value, cli_options *options)
{
    switch (option) {
    case CLI_OPTION_PART:
        return option_part(value, options);
    case CLI_OPTION_BY:
        return option_list("by", value, &options->by);
    case CLI_OPTION_COLUMNS:
        return option_list("columns", value, &options->columns);
    case CLI_OPTION_SUMS:
        return option_file("sums", value, &options->sums);
    case CLI_OPTION_WIDE:
        options->wide = true;
        return 0;
    default:
        return option_bench(option, value, options);
    }
}

static int option_apply(int option, const char *value, cli_options *options)
{
    int chosen = 0, code = 0;
    switch (option) {
    case CLI_OPTION_FORMAT:
        return option_format(value, options);
    case CLI_OPTION_JSON:
        options->format = LEVY_FORMAT_JSON;
        return 0;
    case CLI_OPTION_OUTPUT:
        return option_file("output", value, &options->output);
    case CLI_OPTION_DEVICE:
        return option_device(value, options);
    case CLI_OPTION_ISA:
        options->isa = value;
        return option_choice(option, value, &chosen);
    case CLI_OPTION_THREADS:
        return option_threads(value, options);
    case CLI_OPTION_SET:
        return option_set(value, options);
    case CLI_OPTION_PATHS:
        options->paths = value;
        return 0;
    case CLI_OPTION_SEED:
        options->seed = value;
        return 0;
    case CLI_OPTION_MARKET:
        return option_file("market", value, &options->market);
    case CLI_OPTION_KINDS:
        return option_kinds(value, options);
    case CLI_OPTION_EACH:
        options->each = true;
        return 0;
    case CLI_OPTION_MEASURES:
        return option_measures(value, options);
    case CLI_OPTION_STRICT_SUMS:
        options->strict_sums = true;
        return 0;
    case CLI_OPTION_STRICT:
        options->strict = true;
        return 0;
    case CLI_OPTION_TRUST_PARTS:
        options->trust_parts = true;
        return 0;
    case CLI_OPTION_ALLOW_LINKS:
        options->allow_links = true;
        return 0;
    case CLI_OPTION_PROGRESS:
        code = option_choice(option, value, &chosen);
        options->progress = (cli_progress)chosen;
        return code;
    case CLI_OPTION_NO_CACHE:
        options->no_cache = true;
        return 0;
    case CLI_OPTION_MAX_MEMORY:
        options->max_memory = value;
        return 0;
    case CLI_OPTION_JOURNAL:
        return option_file("journal", value, &options->journal);
    case CLI_OPTION_RESUME:
        options->resume = true;
        return 0;
    case CLI_OPTION_NO_TIMES:
        options->no_times = true;
        return 0;
    case CLI_OPTION_MAN:
        options->man = true;
        return 0;
    case CLI_OPTION_ARCH:
        return option_architectures(value, options);
    case CLI_OPTION_CACHE_DIR:
        if (value[0] == '\0') return cli_usage_error("--cache-dir takes a folder; got ''");
        options->cache_dir = value;
        return 0;
    case CLI_OPTION_NO_COLOR:
        options->no_color = true;
        return 0;
    case CLI_OPTION_QUIET:
        options->quiet = true;
        return 0;
    case CLI_OPTION_HELP:
        options->help = true;
        return 0;
    case CLI_OPTION_VERSION:
        options->version = true;
        return 0;
    default:
        return option_price(option, value, options);
    }
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

static int option_refuse(int result, char **argv)
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
    return option_unknown("option", token, option_names,
                          "`levy help COMMAND` lists the options of a command");
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
    const bool study = options->command == CLI_CONVERGE ||
                       (options->command == CLI_PLOT && (options->what == LEVY_PLOT_CONVERGENCE ||
                                                         options->what == LEVY_PLOT_COST));
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
        if (result == '?' || result == ':') return option_refuse(result, argv);
        const int option = result >= FIRST_LONG ? result - FIRST_LONG : option_of_letter(result);
        if (result >= FIRST_LONG && option_is_abbreviated(option, argv))
            return option_unknown("option", argv[optind - (optarg == argv[optind - 1] ? 2 : 1)],
                                  option_names, "options cannot be abbreviated");
        if (!(cli_option_list[option].commands >> options->command & 1))
            return cli_usage_error(
                "`levy %s` takes no option --%s\nhint: `levy help %s` lists its options",
                cli_commands[options->command].name, cli_option_list[option].name,
                cli_commands[options->command].name);
        const int code = option_apply(option, optarg, options);
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
