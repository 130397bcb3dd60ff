/* option_values.c: the value that each option takes, and where it goes: a row of a table. Must not
 * know what a command does with it. */
#include "engine/cli/options.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_given {
    int option;
    const char *name, *value;
    cli_options *options;
} option_given;

/* Reads the value into the member of cli_options that options.def names; 0, or an exit code after
 * a message. */
typedef int option_taker(const option_given *g, void *member);

static int option_takes(const option_given *g, const char *what)
{
    return cli_usage_error("--%s takes %s; got '%s'", g->name, what, g->value);
}

static int option_flag(const option_given *g, void *member)
{
    (void)g;
    *(bool *)member = true;
    return 0;
}

static int option_text(const option_given *g, void *member)
{
    *(const char **)member = g->value;
    return 0;
}

/* ---- Words ---- */

enum { OPTION_CHOICES = 16 };

/* words: those with blanks between that the option takes one of. */
static int option_one_of(const option_given *g, const char *words, int *chosen)
{
    char text[128], *rest = text, meant[CLI_MEANT_SIZE];
    const char *choices[OPTION_CHOICES + 1] = {NULL};
    snprintf(text, sizeof text, "%s", words);
    for (int i = 0; i < OPTION_CHOICES && rest; ++i) {
        choices[i] = strsep(&rest, " ");
        *chosen = i;
        if (strcmp(g->value, choices[i]) == 0) return 0;
    }
    cli_say("levy: --%s takes one of", g->name);
    for (int i = 0; choices[i]; ++i) cli_say("%s %s", i ? "," : "", choices[i]);
    cli_say("; got '%s'%s\n", g->value, cli_meant(g->value, choices, meant));
    return CLI_EXIT_USAGE;
}

static int option_choice(const option_given *g, void *member)
{
    return option_one_of(g, cli_option_choices[g->option], member);
}

static int option_isa(const option_given *g, void *member)
{
    int chosen;
    const int code = option_choice(g, &chosen);
    return code ? code : option_text(g, member);
}

static int option_format(const option_given *g, void *member)
{
    char words[CLI_FORMATS_SIZE];
    int chosen;
    cli_formats_of(g->options->command, words);
    for (const cli_format_words *f = cli_format_list; f->word; ++f)
        if (strcmp(g->value, f->word) == 0) *(int *)member = f->format;
    return option_one_of(g, words, &chosen);
}

static int option_json(const option_given *g, void *member)
{
    (void)g;
    *(int *)member = LEVY_FORMAT_JSON;
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

static int option_device(const option_given *g, void *member)
{
    const bool gpus = strncmp(g->value, "cuda:", 5) == 0 && option_is_gpus(g->value + 5);
    if (gpus || strcmp(g->value, "auto") == 0 || strcmp(g->value, "cpu") == 0 ||
        strcmp(g->value, "cuda") == 0)
        return option_text(g, member);
    return option_takes(g, "auto, cpu, cuda, cuda:N, cuda:all or a list such as cuda:0,2");
}

/* ---- Files and lists ---- */

static int option_file(const option_given *g, void *member)
{
    return g->value[0] ? option_text(g, member) : option_takes(g, "the name of a file");
}

static int option_folder(const option_given *g, void *member)
{
    return g->value[0] ? option_text(g, member) : option_takes(g, "a folder");
}

/* Each --kinds adds one. */
static int option_kinds(const option_given *g, void *member)
{
    char **const kinds = member;
    const size_t before = *kinds ? strlen(*kinds) : 0;
    if (g->value[0] == '\0') return option_takes(g, "a folder or a file");
    char *const all = realloc(*kinds, before + strlen(g->value) + 2);
    if (!all) return cli_no_memory();
    sprintf(all + before, "%s%s", before ? ":" : "", g->value);
    *kinds = all;
    return 0;
}

/* Some name stands between the commas. */
static int option_some(const option_given *g, void *member, const char *what)
{
    return g->value[strspn(g->value, ",")] ? option_text(g, member) : option_takes(g, what);
}

static int option_list(const option_given *g, void *member)
{
    return option_some(g, member, "a list with commas");
}

static int option_architectures(const option_given *g, void *member)
{
    return option_some(g, member, "a list such as sm_80,sm_90");
}

static int option_measures(const option_given *g, void *member)
{
    const size_t allowed =
        strspn(g->value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_,");
    if (allowed > 0 && g->value[allowed] == '\0') return option_text(g, member);
    return option_takes(g, "a list such as price,delta,vega");
}

/* ---- Numbers ---- */

static bool option_is_digit(const char *text) { return text[0] >= '0' && text[0] <= '9'; }

static int option_up_to(const option_given *g, uint32_t *count, unsigned most)
{
    char *end, what[40];
    const unsigned long number = option_is_digit(g->value) ? strtoul(g->value, &end, 10) : 0;
    if (number < 1 || number > most || *end != '\0') {
        snprintf(what, sizeof what, "a number from 1 to %u", most);
        return option_takes(g, what);
    }
    *count = (uint32_t)number;
    return 0;
}

static int option_count(const option_given *g, void *member)
{
    return option_up_to(g, member, 1000000);
}

/* A range of a study's, or how many values a profile has. */
static int option_steps(const option_given *g, void *member)
{
    if (strspn(g->value, "0123456789") == strlen(g->value)) {
        const int code = option_count(g, &g->options->values);
        if (code) return code;
    }
    return option_text(g, member);
}

static int option_threads(const option_given *g, void *member)
{
    return option_up_to(g, member, 4096);
}

static int option_repeats(const option_given *g, void *member)
{
    return option_up_to(g, member, 1000);
}

/* "4096" or "2^12", up to 2^56. */
static int option_size(const option_given *g, void *member)
{
    const bool power = strncmp(g->value, "2^", 2) == 0;
    const char *const digits = power ? g->value + 2 : g->value;
    const size_t length = strlen(digits);
    const unsigned long long number =
        length > 0 && length < 18 && strspn(digits, "0123456789") == length
            ? strtoull(digits, NULL, 10)
            : ULLONG_MAX;
    if (number > (power ? 56 : 1ull << 56))
        return option_takes(g, "a number up to 2^56, such as 4096 or 2^12");
    *(uint64_t *)member = power ? 1ull << number : number;
    return 0;
}

static int option_points(const option_given *g, void *member)
{
    const int code = option_size(g, member);
    return code || *(uint64_t *)member ? code : cli_usage_error("--%s must be above 0", g->name);
}

static int option_replicate(const option_given *g, void *member)
{
    uint64_t number;
    const int code = option_size(g, &number);
    if (code) return code;
    if (number > 65535) return option_takes(g, "a number up to 65535");
    *(uint32_t *)member = (uint32_t)number;
    return 0;
}

/* The program never sets a locale, so strtod expects a decimal point. */
static bool option_read_number(const char *value, double *number)
{
    char *end = NULL;
    if (strspn(value, "0123456789.eE+-") == strlen(value)) *number = strtod(value, &end);
    return end && end != value && *end == '\0' && *number - *number == 0.0;
}

static int option_number(const option_given *g, void *member)
{
    return option_read_number(g->value, member) ? 0 : option_takes(g, "a number");
}

static int option_reference(const option_given *g, void *member)
{
    g->options->has_reference = true;
    return option_number(g, member);
}

static int option_seconds(const option_given *g, void *member)
{
    const int code = option_number(g, member);
    return code || *(double *)member > 0.0 ? code : option_takes(g, "seconds above 0");
}

/* "70..130" */
static int option_range(const option_given *g, void *member)
{
    double *const low = member, *const high = &g->options->high;
    const char *const dots = strstr(g->value, "..");
    char text[64];
    if (dots && dots - g->value < (int)sizeof text) {
        snprintf(text, sizeof text, "%.*s", (int)(dots - g->value), g->value);
        if (option_read_number(text, low) && option_read_number(dots + 2, high) && *low < *high)
            return 0;
    }
    return option_takes(g, "LOW..HIGH, such as 70..130");
}

/* "3/16", "env" */
static int option_part(const option_given *g, void *member)
{
    char *end = NULL;
    g->options->part_env = strcmp(g->value, "env") == 0;
    if (g->options->part_env) return 0;
    const unsigned long part = option_is_digit(g->value) ? strtoul(g->value, &end, 10) : 0;
    const bool more = end && *end == '/' && option_is_digit(end + 1);
    const unsigned long parts = more ? strtoul(end + 1, &end, 10) : 0;
    if (part < 1 || part > parts || parts > 65536 || *end != '\0')
        return option_takes(g, "K/N, such as 3/16, with K from 1 to N and N up to 65536, or env");
    *(uint32_t *)member = (uint32_t)part;
    g->options->parts = (uint32_t)parts;
    return 0;
}

/* ---- Settings and quotes ---- */

/* Whether a key names a quote, as levy_book_set takes it: NAME.spot, CURVE.rate, a number of the
 * asset's model (NAME.v0), and with a node or a second name behind it. */
static bool option_is_quote(const char *key)
{
    static const char *const what[] = {
#define FACTOR(symbol, name, ...) name,
#define LEVY_PARAMETER(name) #name,
#include "engine/market/factors.def"
        "variance", /* of "A.spot,B.variance" */
    };
    const size_t end = strcspn(key, "[");
    size_t dot = end;
    while (dot > 0 && key[dot - 1] != '.') --dot;
    if (dot == 0 || dot == end || strncmp(key, "simulation.", 11) == 0) return false;
    for (size_t i = 0; i < sizeof what / sizeof *what; ++i)
        if (strlen(what[i]) == end - dot && memcmp(key + dot, what[i], end - dot) == 0) return true;
    return false;
}

static int option_quote(const char *key, const char *value, cli_options *options)
{
    static const char *const roots[] = {"market.assets.", "market.curves."};
    cli_quote *const quote = &options->quotes[options->n_quotes];
    for (size_t i = 0; i < sizeof roots / sizeof *roots; ++i)
        if (strncmp(key, roots[i], strlen(roots[i])) == 0)
            return cli_usage_error("--set takes quotes by name; got '%s'\nhint: Write --set %s=%s",
                                   key, key + strlen(roots[i]), value);
    quote->name = key;
    if (!option_read_number(value, &quote->value))
        return cli_usage_error("--set %.150s takes a number; got '%s'%s", key, value,
                               strchr(value, '%') ? "\nhint: Write a decimal: 0.25 for 25%." : "");
    options->n_quotes++;
    return 0;
}

static int option_set(const option_given *g, void *member)
{
    cli_options *const options = g->options;
    const char *const equals = strchr(g->value, '=');
    if (!equals || equals == g->value)
        return option_takes(g, "KEY=VALUE, such as simulation.paths=2^20 or SPX.spot=101");
    if (options->n_copies == CLI_MAX_SETTINGS)
        return cli_usage_error("--set can be given %d times at most", CLI_MAX_SETTINGS);
    char *const copy = strdup(g->value);
    if (!copy) return cli_no_memory();
    copy[equals - g->value] = '\0';
    options->setting_copies[options->n_copies++] = copy;
    const char *const given = copy + (equals - g->value) + 1;
    if (option_is_quote(copy)) return option_quote(copy, given, options);
    ((levy_setting *)member)[options->n_settings++] = (levy_setting){copy, given};
    return 0;
}

/* ---- The table ---- */

static const struct {
    option_taker *take;
    size_t member;
} option_rows[CLI_OPTIONS] = {
#define OPTION(name, letter, NAME, argument, take, member, commands, help)                         \
    {option_##take, offsetof(cli_options, member)},
#include "engine/cli/options.def"
};

int cli_option_take(int option, const char *value, cli_options *options)
{
    const option_given g = {option, cli_option_list[option].name, value, options};
    return option_rows[option].take(&g, (char *)options + option_rows[option].member);
}
