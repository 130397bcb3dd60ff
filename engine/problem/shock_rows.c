/* shock_rows.c: rows of shocks as they are written, in a book or in CSV, each checked. What a line
 * of CSV may hold: a size of each asset, and a weight or none, all lines alike; the words size, or
 * the assets' names, and weight as a first line; blank space around numbers; # and a comment, or
 * nothing. Rows of weight 0 are left out: they never come. See shock_rows.h. */
#include "engine/problem/shock_rows.h"

#include "engine/base/number.h"

#include <string.h>

static const size_t shocks_most = 10000000;
static const double shocks_largest = 20.0; /* a factor of 5e8 */

/* "shocks.csv:17" or, for shocks in the book, "row 17"; of several assets "shocks.csv:17, ACME". A
 * column past the sizes is the weight's. */
static const char *shocks_place(const levy_shock_rows *f, size_t row, size_t column)
{
    const char *const line = f->name ? levy_check_text(f->build, "%s:%zu", f->name, row)
                                     : levy_check_text(f->build, "row %zu", row);
    return f->names && column < f->n_sizes
               ? levy_check_text(f->build, "%s, %s", line, f->names[column])
               : line;
}

static const char *shocks_form(const levy_shock_rows *f)
{
    return f->names ? "Write a size of each asset and perhaps a weight on each line: "
                      "-0.05,-0.02,1."
                    : "Write size or size,weight on each line.";
}

static bool shocks_good(const levy_shock_rows *f, size_t row, const double *values)
{
    for (size_t i = 0; i < f->n_sizes; ++i)
        if (!(values[i] >= -shocks_largest && values[i] <= shocks_largest))
            return LEVY_REFUSE(
                f->build, RANGE, f->node, f->path,
                levy_check_text(f->build, "A %s of 0.05 is a move of about 5 %%.", f->noun),
                "%s: a %s must be in [%s, %s]; got %s", shocks_place(f, row, i), f->noun,
                levy_check_number(f->build, -shocks_largest),
                levy_check_number(f->build, shocks_largest),
                levy_check_number(f->build, values[i]));
    if (!(values[f->n_sizes] >= 0.0 && values[f->n_sizes] <= 1e300))
        return LEVY_REFUSE(f->build, RANGE, f->node, f->path, "Weights need not add up to 1.",
                           "%s: a weight must be in [0, 1e300]; got %s",
                           shocks_place(f, row, f->n_sizes),
                           levy_check_number(f->build, values[f->n_sizes]));
    return true;
}

/* Adds a row: the sizes, then the weight. */
static bool shocks_add(levy_shock_rows *f, size_t row, const double *values)
{
    const size_t width = (f->n_sizes + 1) * sizeof *values;
    if (!shocks_good(f, row, values)) return false;
    if (values[f->n_sizes] == 0.0) return true;
    double *const rows =
        levy_memory_extend(f->build->arena->memory, f->rows, f->n, &f->room, 1024, width);
    if (!rows) {
        f->build->out_of_memory = true;
        return false;
    }
    f->rows = rows;
    memcpy(f->rows + f->n++ * (f->n_sizes + 1), values, width);
    return true;
}

static const char *shocks_trim(const char *text, size_t *length)
{
    while (*length && (*text == ' ' || *text == '\t')) ++text, --*length;
    while (*length &&
           (text[*length - 1] == ' ' || text[*length - 1] == '\t' || text[*length - 1] == '\r'))
        --*length;
    return text;
}

/* How many columns a line has; all lines have as many. */
static bool shocks_columns(levy_shock_rows *f, size_t row, size_t n)
{
    const size_t most = f->n_sizes + 1;
    if (f->columns == 0 && n >= f->n_sizes) f->columns = n;
    if (n >= f->n_sizes && n <= most && n == f->columns) return true;
    const char *const verb = f->columns == 1 ? "is" : "are",
                      *const wanted =
                          f->columns && f->columns <= most
                              ? levy_check_text(f->build, "%zu %s", f->columns, verb)
                              : levy_check_text(f->build, "%zu or %zu are", f->n_sizes, most);
    return LEVY_REFUSE(f->build, TYPE, f->node, f->path, shocks_form(f),
                       "%s: %zu %s where %s expected", shocks_place(f, row, most), n,
                       n == 1 ? "column" : "columns", wanted);
}

/* Cuts the next cell off a line, without the blanks around it. `at` then stands behind it, or is
 * NULL after the last. */
static const char *shocks_cell(const char **at, const char *end, size_t *size)
{
    const char *const first = *at, *const comma = memchr(first, ',', (size_t)(end - first));
    *size = (size_t)((comma ? comma : end) - first);
    *at = comma ? comma + 1 : NULL;
    return shocks_trim(first, size);
}

/* Reads one line of CSV. */
static bool shocks_line(levy_shock_rows *f, size_t row, const char *line, size_t length)
{
    double values[LEVY_SHOCK_ASSETS + 1];
    size_t n = 0, size;
    values[f->n_sizes] = 1.0;
    for (const char *at = line; at; ++n) {
        const char *const number = shocks_cell(&at, line + length, &size);
        if (n <= f->n_sizes && levy_number_read(number, size, &values[n]) != LEVY_NUMBER_OK)
            return LEVY_REFUSE(f->build, TYPE, f->node, f->path, shocks_form(f),
                               "%s: not a number: '%.*s'", shocks_place(f, row, n),
                               (int)(size < 40 ? size : 40), number);
    }
    return shocks_columns(f, row, n) && shocks_add(f, row, values);
}

/* ---- The first line ---- */

/* The word of column n. */
static const char *shocks_word(const levy_shock_rows *f, size_t n)
{
    if (n >= f->n_sizes) return "weight";
    return f->names ? f->names[n] : "size";
}

/* "Write A,B,weight as the first line, or none." */
static const char *shocks_head_form(const levy_shock_rows *f)
{
    const char *words = shocks_word(f, 0);
    for (size_t n = 1; n <= f->n_sizes; ++n)
        words = levy_check_text(f->build, "%s,%s", words, shocks_word(f, n));
    return levy_check_text(
        f->build, "Write %s as the first line, with or without weight, or leave it out.", words);
}

/* Whether a line has words alone, so that it can only be the columns' names. */
static bool shocks_has_words(const char *line, size_t length)
{
    double value;
    size_t size;
    for (const char *at = line; at;) {
        const char *const word = shocks_cell(&at, line + length, &size);
        if (size == 0 || levy_number_read(word, size, &value) == LEVY_NUMBER_OK) return false;
    }
    return true;
}

/* Reads a first line: names that are the columns', which it counts, or a row. */
static bool shocks_first(levy_shock_rows *f, size_t row, const char *line, size_t length)
{
    size_t n = 0, size, wrong = SIZE_MAX, wrong_size = 0;
    const char *got = NULL;
    for (const char *at = line; at; ++n) {
        const char *const word = shocks_cell(&at, line + length, &size), *wanted;
        if (n > f->n_sizes || wrong < n) continue;
        wanted = shocks_word(f, n);
        if (strlen(wanted) == size && memcmp(word, wanted, size) == 0) continue;
        wrong = n;
        got = word;
        wrong_size = size;
    }
    if (!got && n >= f->n_sizes && n <= f->n_sizes + 1) return f->columns = n, true;
    if (!shocks_has_words(line, length)) return shocks_line(f, row, line, length);
    if (!got) return shocks_columns(f, row, n);
    return LEVY_REFUSE(f->build, INCONSISTENT, f->node, f->path, shocks_head_form(f),
                       "%s:%zu: column %zu is '%.*s' where '%s' is expected", f->name, row,
                       wrong + 1, (int)(wrong_size < 40 ? wrong_size : 40), got,
                       shocks_word(f, wrong));
}

/* ---- All lines ---- */

/* A line that other characters than commas separate. */
static bool shocks_separated(levy_shock_rows *f, size_t row, const char *line, size_t length)
{
    const bool semicolon = memchr(line, ';', length) != NULL;
    if (!semicolon && (memchr(line, ',', length) || !memchr(line, '\t', length))) return true;
    return LEVY_REFUSE(f->build, TYPE, f->node, f->path, shocks_form(f),
                       "%s:%zu: %s where commas are expected between columns", f->name, row,
                       semicolon ? "semicolons" : "tabs");
}

/* Counts the bytes of a line before its comment. A # that begins the line or follows a blank begins
 * a comment. */
static size_t shocks_before_comment(const char *line, size_t length)
{
    for (size_t i = 0; i < length; ++i)
        if (line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) return i;
    return length;
}

/* The text behind the byte order mark that some programs put before UTF-8. */
static const char *shocks_unmarked(const char *text, size_t length)
{
    return length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

bool levy_shock_rows_csv(levy_shock_rows *f, const char *text, size_t length)
{
    const char *const end = text + length;
    size_t row = 0, n_rows = 0;
    bool is_first = true;
    for (const char *at = shocks_unmarked(text, length); at < end;) {
        const char *const stop = memchr(at, '\n', (size_t)(end - at));
        const char *const last = stop ? stop : end;
        size_t size = shocks_before_comment(at, (size_t)(last - at));
        const char *const line = shocks_trim(at, &size);
        if (++row > shocks_most + 1)
            return LEVY_REFUSE(f->build, LIMIT, f->node, f->path,
                               "Merge shocks of nearly the same size.",
                               "'%s' has more than %zu lines", f->name, shocks_most);
        at = last + 1;
        if (size == 0) continue;
        if (!shocks_separated(f, row, line, size) ||
            !(is_first ? shocks_first : shocks_line)(f, row, line, size))
            return false;
        n_rows += !is_first || !shocks_has_words(line, size);
        is_first = false;
    }
    return n_rows > 0 || LEVY_REFUSE(f->build, MISSING_DATA, f->node, f->path, shocks_form(f),
                                     "'%s' has no rows", f->name);
}

bool levy_shock_rows_matrix(levy_shock_rows *f, const levy_matrix *m)
{
    double values[LEVY_SHOCK_ASSETS + 1];
    if (!f->names && m->columns > 2)
        return LEVY_REFUSE(f->build, TYPE, f->node, f->path,
                           "Write shocks: [[-0.05, 2], [0.03, 1]], for example.",
                           "a row has a log jump and its weight; got %zu numbers", m->columns);
    if (m->columns < f->n_sizes || m->columns > f->n_sizes + 1)
        return LEVY_REFUSE(f->build, TYPE, f->node, f->path,
                           "Write shocks: [[-0.05, -0.02, 1], [0.03, 0.01, 2]], for example.",
                           "a row has a %s of each of the %zu assets and perhaps its "
                           "weight; got %zu number%s",
                           f->noun, f->n_sizes, m->columns, m->columns == 1 ? "" : "s");
    for (size_t i = 0; i < m->rows; ++i) {
        values[f->n_sizes] = 1.0;
        memcpy(values, m->values + i * m->columns, m->columns * sizeof *values);
        if (!shocks_add(f, i + 1, values)) return false;
    }
    return true;
}
