/* each.c: see each.h. Must not know: what stands in a report, except that one of JSON is an object,
 * a line of JSON lines is one, and the first line of CSV is its header. */
#include "engine/cli/each.h"

#include "engine/cli/folder.h"
#include "engine/cli/signals.h"
#include "engine/cli/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int each_put(cli_each *each, const char *text)
{
    return cli_output_write(&each->output, text, strlen(text));
}

static int each_put_one(cli_each *each, char c) { return cli_output_write(&each->output, &c, 1); }

/* ---- The file's name ---- */

/* A character of the name, or a byte of it as \xNN: of a control, those of Latin-1 among them, or
 * of what is no UTF-8. */
static size_t each_character(const char *c, char one[CLI_JSON_CHARACTER])
{
    const unsigned char code = (unsigned char)c[0], next = (unsigned char)c[1];
    const size_t n = cli_json_character(c, one);
    if ((one[0] == '\\' && one[1] == 'u') || (code == 0xc2 && next >= 0x80 && next < 0xa0))
        return (size_t)(snprintf(one, CLI_JSON_CHARACTER, "\\x%02x", code) > 0);
    snprintf(one, CLI_JSON_CHARACTER, "%.*s", (int)n, c);
    return n;
}

/* As texts of the report: a spreadsheet would run a name that begins so. */
static void each_put_csv_name(cli_each *each)
{
    char one[CLI_JSON_CHARACTER];
    const bool quotes = strpbrk(each->file, ",\"") != NULL;
    if (quotes) each_put(each, "\"");
    if (each->file[0] && strchr("=+-@", each->file[0])) each_put(each, "'");
    for (const char *c = each->file; *c; each_put(each, one)) {
        if (*c == '"') each_put(each, "\"");
        c += each_character(c, one);
    }
    each_put(each, quotes ? "\"," : ",");
}

static void each_put_json_name(cli_each *each)
{
    each_put(each, "\"file\": \"");
    char one[CLI_JSON_CHARACTER];
    for (const char *c = each->file; *c; each_put(each, one)) c += cli_json_character(c, one);
    each_put(each, "\", ");
}

void cli_each_put_name(cli_each *each)
{
    char one[CLI_JSON_CHARACTER];
    for (const char *c = each->file; *c; each_put(each, one)) c += each_character(c, one);
}

/* ---- Reports ---- */

int cli_each_begin(cli_each *each, int format)
{
    each->format = format;
    each->inside = each->quoted = false;
    each->heading = true;
    each->length = 0;
    const bool first = each->reports++ == 0;
    if (format == LEVY_FORMAT_JSON) each_put(each, first ? "[" : ",\n");
    if (format == LEVY_FORMAT_TABLE || format == LEVY_FORMAT_TABLE_COLOR) {
        each_put(each, first ? "== " : "\n== ");
        cli_each_put_name(each);
        each_put(each, "\n");
    }
    return each->output.error ? CLI_EXIT_OUTPUT : 0;
}

/* Of JSON the first brace of the report, or of each line, gets the file's name behind it. */
static void each_write_json(cli_each *each, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        const bool begins = text[i] == '{' && each->heading;
        if (each->format == LEVY_FORMAT_JSON && text[i] == '\n' && i + 1 == length) continue;
        each_put_one(each, text[i]);
        if (begins) each_put_json_name(each);
        each->heading &= !begins;
        each->heading |= each->format == LEVY_FORMAT_JSONL && text[i] == '\n';
    }
}

/* Wide reports of large books have headers of any length. */
static void each_put_header(cli_each *each, char c)
{
    if (each->length + 1 >= each->room) {
        const size_t room = each->room ? 2 * each->room : 4096;
        char *const line = realloc(each->line, room);
        each->full = !line;
        if (!line) return;
        each->line = line;
        each->room = room;
    }
    each->line[each->length++] = c;
    each->line[each->length] = '\0';
}

/* The header is written where it is not that of the last report. */
static void each_end_header(cli_each *each)
{
    each->heading = false;
    if (each->header && strcmp(each->line, each->header) == 0) return;
    each_put(each, "file,");
    each_put(each, each->line);
    free(each->header);
    each->header = each->line;
    each->line = NULL;
    each->room = 0;
}

static void each_write_csv(cli_each *each, const char *text, size_t length)
{
    for (size_t i = 0; i < length; ++i) {
        if (text[i] == '"') each->quoted = !each->quoted;
        const bool ends = text[i] == '\n' && !each->quoted;
        if (each->heading) {
            each_put_header(each, text[i]);
            if (each->full) return;
            if (ends) each_end_header(each);
            continue;
        }
        if (!each->inside) each_put_csv_name(each);
        each_put_one(each, text[i]);
        each->inside = !ends;
    }
}

int cli_each_write(void *user, const char *text, size_t length)
{
    cli_each *const each = user;
    if (each->format == LEVY_FORMAT_JSON || each->format == LEVY_FORMAT_JSONL)
        each_write_json(each, text, length);
    else if (each->format == LEVY_FORMAT_CSV)
        each_write_csv(each, text, length);
    else
        (void)cli_output_write(&each->output, text, length);
    return each->output.error || each->output.closed_pipe || each->full;
}

int cli_each_end(const cli_each *each)
{
    if (!each->full) return 0;
    cli_say("levy: %s: no memory for the header\n", each->file);
    return CLI_EXIT_MEMORY;
}

/* ---- All files ---- */

/* An output is written completely or not at all: an error of usage, such as an output that would
 * replace what a book was read from, leaves the old file. */
static int each_end(cli_each *each, const cli_options *options, int worst)
{
    if (worst == CLI_EXIT_USAGE && options->output) {
        cli_output_abandon(&each->output);
        return worst;
    }
    if (each->format == LEVY_FORMAT_JSON) each_put(each, each->reports > 0 ? "]\n" : "[]\n");
    const int code = cli_output_commit(&each->output);
    return code > worst ? code : worst;
}

/* Reports that cannot stand one behind the other. */
static int each_check_format(int format)
{
    const char *const what = format == LEVY_FORMAT_HTML ? "a page" : "an array of npy";
    if (format != LEVY_FORMAT_HTML && format != LEVY_FORMAT_NPY) return 0;
    return cli_usage_error("%s is of one book; it does not go with --each\nhint: price the files "
                           "one by one, or write .csv or .json",
                           what);
}

static void each_release(cli_each *each)
{
    if (!each) return;
    free(each->header);
    free(each->line);
    free(each);
}

static int each_run(const cli_options *options, cli_each_command *run)
{
    cli_files files = {0};
    cli_each *const each = calloc(1, sizeof *each);
    int format = LEVY_FORMAT_TABLE, worst = cli_output_format(options, &format);
    if (!worst) worst = each_check_format(format);
    if (!worst) worst = cli_files_list(&files, options);
    if (!worst && !each) worst = CLI_EXIT_MEMORY;
    if (!worst) worst = cli_output_open(&each->output, options->output);
    if (worst || !each) {
        cli_files_release(&files);
        each_release(each);
        return worst;
    }
    each->format = format;
    size_t done = 0, bad = 0;
    for (; done < files.count && worst != CLI_EXIT_USAGE && !cli_signals_stop() &&
           !each->output.closed_pipe;
         ++done) {
        each->file = files.names[done];
        const int code = run(options, &files.names[done], 1, each);
        bad += code != 0;
        if (code > worst || code == CLI_EXIT_USAGE) worst = code;
    }
    worst = each_end(each, options, worst);
    if (bad > 0 && worst != CLI_EXIT_USAGE && !options->quiet)
        cli_say("levy: %zu of %zu files have an exit code above 0; the highest is %d\n", bad,
                files.count, worst);
    cli_files_release(&files);
    each_release(each);
    return worst;
}

int cli_each_run(const cli_options *options, cli_each_command *run)
{
    return options->each ? each_run(options, run)
                         : run(options, options->operands, options->n_operands, NULL);
}
