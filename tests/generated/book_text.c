/* book_text.c: see book_text.h. */
#include "tests/generated/book_text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char asset_names[] = "ABCD";

void put(draft *d, const char *format, ...)
{
    const size_t used = strlen(d->out);
    va_list values;
    va_start(values, format);
    vsnprintf(d->out + used, d->size - used, format, values);
    va_end(values);
}

/* Days from 1970-01-01 (Hinnant, chrono-compatible low-level date algorithms, 2013). */
static void put_date(draft *d, long days)
{
    const long z = days + 719468, era = z / 146097, of_era = z - era * 146097,
               year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365,
               of_year = of_era - (365 * year + year / 4 - year / 100), m = (5 * of_year + 2) / 153,
               day = of_year - (153 * m + 2) / 5 + 1, month = m < 10 ? m + 3 : m - 9;
    put(d, "\"%04ld-%02ld-%02ld\"", year + era * 400 + (month <= 2), month, day);
}

/* The valuation is 2026-03-02, a Monday. */
void put_time(draft *d, double years)
{
    if (d->dated)
        put_date(d, 20514 + lround(365.0 * years));
    else
        put(d, "%.10g", years);
}

void forget_terms(draft *d) { d->n_kept = 0; }

static named *find(draft *d, const char *name, size_t length)
{
    for (size_t i = 0; i < d->n_kept; ++i)
        if (d->kept[i].length == length && strncmp(d->kept[i].name, name, length) == 0)
            return &d->kept[i];
    return NULL;
}

static void keep(draft *d, const char *name, size_t length, const char *text, unsigned number)
{
    named *n = find(d, name, length);
    if (!n && d->n_kept < MOST_NAMED) n = &d->kept[d->n_kept++];
    if (!n) return;
    n->name = name;
    n->length = length;
    n->number = number;
    snprintf(n->text, sizeof n->text, "%s", text);
}

/* ---- Drawn terms ---- */

#define CHOSEN(c, ...)                                                                             \
    ((const double[]){__VA_ARGS__})[choose((c), sizeof(double[]){__VA_ARGS__} / sizeof(double))]

static double draw_level(draft *d, char type)
{
    choices *const c = d->c;
    switch (type) {
    case 'U':
        return CHOSEN(c, 1.2, 1.1, 1.05, 1.3, 1.5, 1.02, 2.0);
    case 'D':
        return CHOSEN(c, 0.8, 0.9, 0.95, 0.7, 0.5, 0.98, 0.3);
    case 'M':
        return CHOSEN(c, 0.1, 1.0, 0.02, 0.5, 0.05);
    case 'X':
        return CHOSEN(c, 0.05, 0.0, -0.05, 0.2, -0.2);
    case 'R':
        return CHOSEN(c, 0.02, 0.05, 0.01, 0.1, 0.0);
    default:
        return CHOSEN(c, 1.0, 0.9, 1.1, 0.95, 1.05, 0.8, 1.25, 0.6, 1.02, 0.98, 1.5, 0.4);
    }
}

static void put_number(draft *d, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.10g", x);
    if (x != 0.0 && strtod(text, NULL) != x) snprintf(text, sizeof text, "%.17g", x);
    put(d, "%s", text);
}

/* One for all, or one for each date. */
static void put_by_date(draft *d, char type)
{
    const char of = type == 'I' ? 'K' : 'R';
    const double unit = type == 'I' ? d->unit : 1.0, first = draw_level(d, of);
    if (d->n_dates < 2 || d->n_dates > 12 || !choose_rarely(d->c, 35)) {
        put_number(d, first * unit);
        return;
    }
    put(d, "[");
    for (unsigned i = 0; i < d->n_dates; ++i) {
        put(d, "%s", i ? ", " : "");
        put_number(d, (i ? draw_level(d, of) : first) * unit);
    }
    put(d, "]");
}

/* Dates that are not counted have a frequency, which is a month at least. */
static void put_growing(draft *d)
{
    const double drawn = draw_level(d, 'R'), dates = d->n_dates ? d->n_dates : 12.0;
    put_number(d, drawn * dates > 1.0 ? 0.01 : drawn);
}

static void put_each(draft *d)
{
    put(d, "[");
    for (unsigned i = 0; i < d->n; ++i)
        put(d, "%s%.10g", i ? ", " : "", CHOSEN(d->c, 0.5, 0.3, 0.2, 1.0));
    put(d, "]");
}

/* Dates in ascending order, of which some may have passed: the market has fixings of these. */
static unsigned put_times(draft *d)
{
    static const double pasts[] = {-0.5, -0.25, -0.1};
    const unsigned past = PICK(d->c, 5, 2, 2, 1), now = choose_rarely(d->c, 15),
                   n = 1 + choose(d->c, 5);
    unsigned written = 0;
    put(d, "[");
    for (unsigned i = 3 - past; i < 3; ++i, ++written) {
        if (pasts[i] > d->expiry) break;
        put(d, "%s", written ? ", " : "");
        put_time(d, pasts[i]);
    }
    d->has_past |= written > 0;
    if ((now && d->expiry > 0.0) || (d->expiry <= 0.0 && (written == 0 || d->expiry == 0.0))) {
        put(d, "%s", written ? ", " : "");
        put_time(d, d->expiry > 0.0 ? 0.0 : d->expiry);
        ++written;
    }
    for (unsigned i = 1; d->expiry > 0.0 && i <= n; ++i, ++written) {
        put(d, "%s", written ? ", " : "");
        put_time(d, d->expiry * (i < n ? i / (n + 0.5) : 1.0));
    }
    put(d, "]");
    return written;
}

void put_schedule(draft *d)
{
    const bool lived = d->expiry > 0.03;
    const unsigned drawn = PICK(d->c, 6, 5, 2, 3), kind = lived ? drawn : 1,
                   n = 1 + (choose_rarely(d->c, 5) ? 24 : choose(d->c, 8));
    d->n_dates = n;
    if (kind == 0)
        put(d, "{\"count\": %u}", n);
    else if (kind == 1) {
        put(d, "{\"times\": ");
        d->n_dates = put_times(d);
        put(d, "}");
    } else if (kind == 2) {
        put(d, "{\"start\": ");
        put_time(d, 0.25 * d->expiry);
        put(d, ", \"count\": %u}", n);
    } else if (d->dated && d->expiry > 0.2) {
        static const char *const forms[] = {
            "3M", "1M", "3M\", \"generation\": \"backward\", \"ties\": \"quantlib",
            "1M\", \"calendars\": [\"WEEKENDS\"], \"roll\": \"modified_following"};
        put(d, "{\"frequency\": \"%s\"}", forms[choose(d->c, 4)]);
        d->n_dates = 0;
    } else {
        put(d, "{\"count\": %u, \"include_start\": true}", n);
        d->n_dates = n + 1;
    }
}

static void put_term(draft *d, char type)
{
    switch (type) {
    case 'S':
        put_schedule(d);
        return;
    case 'P':
        d->n_dates = 1 + choose(d->c, d->n);
        put(d, "{\"count\": %u}", d->n_dates);
        return;
    case 'I':
    case 'C':
        put_by_date(d, type);
        return;
    case 'W':
        put_each(d);
        return;
    case 'T':
        put_time(d, d->expiry * CHOSEN(d->c, 0.25, 0.5, 0.75));
        return;
    case 'N':
        put_time(d, 0.0);
        return;
    case 'R':
        put_number(d, draw_level(d, type));
        return;
    case 'G':
        put_growing(d);
        return;
    default:
        put_number(d, draw_level(d, type) * d->unit);
        return;
    }
}

/* ---- Templates ---- */

static void put_levels(draft *d)
{
    static const char *const of[] = {"level", "sum(levels)", "worst(levels)", "best(levels)",
                                     "",      "levels"};
    if (d->n == 1) {
        put(d, "level");
    } else if (d->level != GEOMETRIC) {
        put(d, "%s", of[d->level]);
    } else {
        put(d, "exp(");
        for (unsigned i = 0; i < d->n; ++i)
            put(d, "%s%.17g * log(levels[%u])", i ? " + " : "", d->weights[i], i + 1);
        put(d, ")");
    }
}

void put_initial_fixing(draft *d)
{
    if (d->initial_is_spot) return;
    put(d, ", \"initial_fixing\": [");
    for (unsigned i = 0; i < d->n; ++i) put(d, "%s%.17g", i ? ", " : "", d->initial[i]);
    put(d, "]");
}

/* What stands for itself. */
static bool put_known(draft *d, const char *name, size_t length)
{
    static const char *const aggregates[] = {NULL,      "basket",           "worst_of",
                                             "best_of", "geometric_basket", NULL};
    if (length == 1 && name[0] == 'L') {
        put_levels(d);
    } else if (length == 3 && strncmp(name, "agg", 3) == 0) {
        if (d->n > 1 && aggregates[d->level])
            put(d, ", \"aggregate\": \"%s\"", aggregates[d->level]);
    } else if (length == 3 && (strncmp(name, "pct", 3) == 0 || strncmp(name, "lev", 3) == 0)) {
        put(d, ", \"%s\": \"%s\"", name[0] == 'p' ? "strike_type" : "levels",
            d->percent ? "percent_of_initial" : "absolute");
        if (d->percent) put_initial_fixing(d);
    } else {
        return false;
    }
    return true;
}

/* `text` is behind "<". Returns what is behind ">". */
static const char *put_word(draft *d, const char *text, const char *name, size_t length)
{
    const char *const end = strchr(text, '>');
    char word[64];
    unsigned n = 1;
    for (const char *at = text; at < end; ++at) n += *at == '|';
    const unsigned chosen = choose(d->c, n);
    for (unsigned i = 0; i < chosen; ++i) text = strchr(text, '|') + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, "|>"), text);
    put(d, "%s", word);
    keep(d, name, length, word, chosen);
    return end + 1;
}

static void put_kept(draft *d, const char *name, size_t length)
{
    const bool is = length > 3 && strncmp(name + length - 3, "_is", 3) == 0;
    const named *const n = find(d, name, is ? length - 3 : length);
    if (n && is)
        put(d, "%u", n->number);
    else
        put(d, "%s", n ? n->text : "0");
}

/* `text` is behind "$". Returns what is behind the placeholder. */
static const char *put_placeholder(draft *d, const char *text)
{
    const char *const name = text;
    while (isalnum((unsigned char)*text) || *text == '_') ++text;
    const size_t length = (size_t)(text - name);
    if (*text != ':' || (text[1] != '<' && !isupper((unsigned char)text[1]))) {
        if (!put_known(d, name, length)) put_kept(d, name, length);
        return text;
    }
    if (text[1] == '<') return put_word(d, text + 2, name, length);
    const size_t from = strlen(d->out);
    put_term(d, text[1]);
    keep(d, name, length, d->out + from, 0);
    return text + 2;
}

/* `text` is behind "?". Returns where its group begins, or what is behind it. */
static const char *put_optional(draft *d, const char *text)
{
    const char *const group = strchr(text, '~') + 1;
    unsigned chance = 0;
    sscanf(text, "%u", &chance);
    return choose_rarely(d->c, chance) ? group : strchr(group, '~') + 1;
}

void put_template(draft *d, const char *text)
{
    while (*text)
        if (*text == '$')
            text = put_placeholder(d, text + 1);
        else if (*text == '?')
            text = put_optional(d, text + 1);
        else {
            if (*text != '~') put(d, "%c", *text == '\'' ? '"' : *text);
            ++text;
        }
}

void put_script(draft *d, const char *text)
{
    put(d, "\"");
    for (const char *line = text; *line;) {
        char part[512];
        const size_t n = strcspn(line, "\n");
        snprintf(part, sizeof part, "%.*s", (int)n, line);
        put_template(d, part);
        line += n;
        if (*line == '\n') {
            put(d, "\\n");
            ++line;
        }
    }
    put(d, "\"");
}

void draw_template(draft *d, const char *text)
{
    char scratch[1 << 14] = "", *const out = d->out;
    const size_t size = d->size;
    d->out = scratch;
    d->size = sizeof scratch;
    put_template(d, text);
    d->out = out;
    d->size = size;
}
