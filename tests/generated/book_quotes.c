/* book_quotes.c: numbers of the market that a generated book has, one or two of them moved: as
 * quotes, as a scenario, and in the book's text. Which ones and whither is drawn from the seed of
 * the book. Must not know: how levy lists its factors; it asks for the names of quotes. */
#include "tests/generated/book_quotes.h"

#include "tests/generated/choices.h"

#include <jansson.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MOVES = 2 };

typedef struct move {
    const char *factor;
    bool is_shift, relative, together; /* together: of all dividends, by a share */
    double before, size;               /* of the quote, and of the scenario */
} move;

static bool ends(const char *text, const char *ending)
{
    const size_t n = strlen(text), m = strlen(ending);
    return n >= m && strcmp(text + n - m, ending) == 0;
}

/* What is added to a number. */
static double step(const move *m)
{
    if (strstr(m->factor, ".spot")) return 0.12 * m->before;
    if (strstr(m->factor, ".dividends[") || strstr(m->factor, ".intensity")) return 0.3 * m->before;
    return ends(m->factor, ".correlation") ? 0.05 : 0.01;
}

static bool draw_move(const levy_book *book, choices *drawn, move *m)
{
    const size_t n = levy_book_quote_count(book);
    if (n == 0) return false;
    const size_t at = choose(drawn, (unsigned)n);
    const double sign = choose(drawn, 2) ? 1.0 : -1.0;
    *m = (move){.factor = levy_book_quote_name(book, at)};
    m->is_shift = levy_book_quote_is_shift(book, at);
    m->together = ends(m->factor, ".dividends");
    m->relative = choose(drawn, 3) == 0;
    if (levy_book_get(book, m->factor, &m->before) != LEVY_STATUS_OK) return false;
    if (m->is_shift || m->before == 0.0) m->relative = m->together;
    m->size = sign * (m->relative ? 0.1 : step(m));
    if (m->together) m->size = sign * 0.3;
    return true;
}

static double after(const move *m)
{
    if (m->together || !m->relative) return m->before + m->size;
    return m->before * (1.0 + m->size);
}

/* One scenario cannot move a number twice: a term structure and a node of it. */
static bool is_apart(const move *a, const move *b)
{
    const size_t n = strcspn(a->factor, "["), m = strcspn(b->factor, "[");
    return n != m || strncmp(a->factor, b->factor, n) != 0;
}

static size_t draw_moves(const levy_book *book, choices *drawn, move moves[MOST_MOVES])
{
    if (!draw_move(book, drawn, &moves[0])) return 0;
    const bool two = choose(drawn, 4) == 0 && draw_move(book, drawn, &moves[1]);
    return two && is_apart(&moves[0], &moves[1]) ? 2 : 1;
}

/* ---- In the book's text ---- */

static bool is_at(const json_t *time, const char *node, size_t length)
{
    if (json_is_string(time))
        return json_string_length(time) == length &&
               strncmp(json_string_value(time), node, length) == 0;
    return json_number_value(time) == strtod(node, NULL);
}

static void set_pair(json_t *pair, const move *m)
{
    const double x = json_number_value(json_array_get(pair, 1));
    const bool scaled = m->together || (m->relative && !m->is_shift);
    json_array_set_new(pair, 1, json_real(scaled ? x * (1.0 + m->size) : x + m->size));
}

/* Of the pairs of a term structure those that are meant: all, or the one of a node. */
static size_t set_pairs(json_t *pairs, const move *m)
{
    const char *const bracket = strchr(m->factor, '[');
    size_t set = 0;
    for (size_t i = 0; i < json_array_size(pairs); ++i) {
        json_t *const pair = json_array_get(pairs, i);
        if (bracket && !is_at(json_array_get(pair, 0), bracket + 1, strlen(bracket) - 2)) continue;
        set_pair(pair, m);
        ++set;
    }
    return set;
}

/* Whether a factor's part of n characters is the name, ".spot" left out or not. */
static bool is_name(const char *name, const char *part, size_t n)
{
    return strncmp(name, part, n) == 0 &&
           (name[n] == '\0' || (!memchr(part, '.', n) && strcmp(name + n, ".spot") == 0));
}

/* Whether names of a pair are the two of "A,B.correlation" or of "A.variance,B.variance". */
static bool is_pair(const move *m, const char *a, const char *b)
{
    const char *const second = strchr(m->factor, ',') + 1;
    const size_t n = (size_t)(second - m->factor) - 1,
                 k = strlen(second) -
                     (ends(second, ".correlation") ? sizeof ".correlation" - 1 : 0);
    return (is_name(a, m->factor, n) && is_name(b, second, k)) ||
           (is_name(b, m->factor, n) && is_name(a, second, k));
}

static size_t set_pair_of(json_t *pairs, const move *m)
{
    size_t set = 0;
    for (size_t i = 0; i < json_array_size(pairs); ++i) {
        json_t *const pair = json_array_get(pairs, i);
        if (!is_pair(m, json_string_value(json_array_get(pair, 0)),
                     json_string_value(json_array_get(pair, 1))))
            continue;
        json_array_set_new(pair, 2, json_real(after(m)));
        ++set;
    }
    return set;
}

/* Both entries of a pair in a matrix. */
static size_t set_matrix(json_t *names, json_t *matrix, const move *m)
{
    size_t set = 0;
    for (size_t i = 0; i < json_array_size(names); ++i)
        for (size_t j = 0; j < json_array_size(names); ++j) {
            json_t *const row = json_array_get(matrix, i);
            const double rho = json_number_value(json_array_get(row, j));
            if (i == j || !is_pair(m, json_string_value(json_array_get(names, i)),
                                   json_string_value(json_array_get(names, j))))
                continue;
            json_array_set_new(row, j, json_real(rho + m->size));
            ++set;
        }
    return set;
}

/* A number of pairs; of a term structure the matrix of every node, by a shift. */
static size_t set_correlation(json_t *market, const move *m)
{
    json_t *const all = json_object_get(market, "correlations"), *const nodes =
                                                                     json_object_get(all, "nodes");
    size_t set = 0;
    for (size_t i = 0; i < json_array_size(nodes); ++i)
        set += set_matrix(json_object_get(all, "names"),
                          json_array_get(json_array_get(nodes, i), 1), m);
    return nodes ? set : set_pair_of(json_object_get(all, "pairs"), m);
}

static size_t set_layer(json_t *model, const move *m)
{
    const char *const bracket = strchr(m->factor, '[');
    json_t *const layer =
        json_array_get(json_object_get(model, "jumps"), strtoul(bracket + 1, NULL, 10));
    return json_object_set_new(layer, "intensity", json_real(after(m))) == 0;
}

/* A number of a model, which is written once for all its assets: a list, in which the asset's is
 * another. */
static size_t set_parameter(json_t *model, const char *asset, const char *key, const move *m)
{
    json_t *const all = json_object_get(model, key), *const assets =
                                                         json_object_get(model, "assets");
    json_t *const numbers = json_array();
    size_t set = 0;
    for (size_t i = 0; i < json_array_size(assets); ++i) {
        const bool is = strcmp(json_string_value(json_array_get(assets, i)), asset) == 0;
        json_t *const old = json_is_array(all) ? json_array_get(all, i) : all;
        json_t *const own = is && json_is_number(old) ? json_real(after(m)) : json_deep_copy(old);
        if (is) set += json_is_object(own) ? set_pairs(json_object_get(own, "nodes"), m) : 1;
        json_array_append_new(numbers, own);
    }
    json_object_set_new(model, key, numbers);
    return set;
}

/* The numbers of a factor of an owner. Discounts move by exp, whose bits are the library's own. */
static size_t set_factor(json_t *owners, const char *owner, json_t *from, const char *key,
                         const move *m)
{
    json_t *const nodes = json_object_get(from, "nodes");
    const bool discount = m->is_shift && ends(key, "rate") &&
                          strcmp(json_string_value(json_object_get(from, "kind")), "zero") != 0;
    if (discount) return 0;
    if (nodes) return set_pairs(nodes, m);
    if (strcmp(key, "dividends") == 0)
        return set_pairs(json_object_get(from, "cash"), m) +
               set_pairs(json_object_get(from, "proportional"), m);
    if (json_is_object(from) && strcmp(key, "rate") == 0)
        return json_object_set_new(from, "rate", json_real(after(m))) == 0;
    if (strcmp(key, "rate") == 0)
        return json_object_set_new(owners, owner, json_real(after(m))) == 0;
    return json_object_set_new(json_object_get(owners, owner), key, json_real(after(m))) == 0;
}

/* How many numbers of the text it sets; 0: it is none of those that a text can have. */
static size_t set_in(json_t *whole, const move *m)
{
    json_t *const market = json_object_get(whole, "market");
    if (strchr(m->factor, ',')) return set_correlation(market, m);
    const size_t n = strcspn(m->factor, "."), k = strcspn(m->factor + n + 1, "[");
    char owner[64], key[64];
    snprintf(owner, sizeof owner, "%.*s", (int)n, m->factor);
    snprintf(key, sizeof key, "%.*s", (int)k, m->factor + n + 1);
    const bool rate = strcmp(key, "rate") == 0, jumps = strcmp(key, "intensity") == 0;
    json_t *const model = json_object_get(json_object_get(whole, "models"), "m");
    if (!jumps && json_object_get(model, key)) return set_parameter(model, owner, key, m);
    json_t *const owners = jumps ? json_object_get(whole, "models")
                                 : json_object_get(market, rate ? "curves" : "assets");
    json_t *const own = json_object_get(owners, owner);
    if (jumps && strchr(m->factor, '[')) return set_layer(own, m);
    return set_factor(owners, owner, rate ? own : json_object_get(own, key), key, m);
}

static size_t count(const char *text, const char *word)
{
    size_t n = 0;
    while ((text = strstr(text, word))) ++n, ++text;
    return n;
}

/* A trade in percent without an initial fixing takes the spot of the loading for it. */
static bool is_kept(const char *text, const move *m)
{
    return ends(m->factor, ".spot") &&
           count(text, "percent_of_initial") > count(text, "\"initial_fixing\"");
}

/* NULL: not every move can be written. */
static char *edited_text(const char *text, const move *moves, size_t n)
{
    json_t *const whole = json_loads(text, 0, NULL);
    bool good = true;
    for (size_t i = 0; i < n && good; ++i)
        good = !is_kept(text, &moves[i]) && set_in(whole, &moves[i]) > 0;
    char *const edited = good ? json_dumps(whole, JSON_COMPACT) : NULL;
    json_decref(whole);
    return edited;
}

/* ---- As scenarios ---- */

static json_t *shift(const char *factor, bool relative, double size)
{
    return json_pack("{s:s, s:s, s:f}", "factor", factor, "type",
                     relative ? "relative" : "absolute", "size", size);
}

static void add_scenario(json_t *whole, const char *id, json_t *shifts)
{
    if (!json_object_get(whole, "scenarios")) json_object_set_new(whole, "scenarios", json_array());
    json_array_append_new(json_object_get(whole, "scenarios"),
                          json_pack("{s:s, s:o}", "id", id, "shifts", shifts));
}

static json_t *shifts_of(const move *moves, size_t n)
{
    json_t *const shifts = json_array();
    for (size_t i = 0; i < n; ++i)
        json_array_append_new(shifts, shift(moves[i].factor, moves[i].relative, moves[i].size));
    return shifts;
}

/* Scenarios share the draws that intensities are in. */
static bool is_scenario(const move *moves, size_t n)
{
    bool is = n > 0;
    for (size_t i = 0; i < n; ++i) is = is && !strstr(moves[i].factor, ".intensity");
    return is;
}

static char *moved_text(const char *text, const move *moves, size_t n)
{
    json_t *const whole = json_loads(text, 0, NULL);
    add_scenario(whole, "moved", shifts_of(moves, n));
    char *const moved = json_dumps(whole, JSON_COMPACT);
    json_decref(whole);
    return moved;
}

/* ---- The pairs ---- */

static bool set_all(levy_book *book, const move *moves, size_t n, bool back)
{
    bool good = true;
    for (size_t i = 0; i < n; ++i)
        good = good && levy_book_set(book, moves[i].factor,
                                     back ? moves[i].before : after(&moves[i])) == LEVY_STATUS_OK;
    return good;
}

static void say_moves(comparison *c, const char *what, const move *moves, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        comparison_say(c, "  %s: %s moved by %g %s", what, moves[i].factor, moves[i].size,
                       moves[i].relative ? "of it" : "");
}

static void compare_scenario(const char *text, comparison *c, const move *moves, size_t n,
                             const levy_results *set)
{
    if (!is_scenario(moves, n)) return;
    char *const moved = moved_text(text, moves, n);
    levy_results *const a = comparison_price(c, moved, NULL, 0, NULL);
    const size_t before = c->differences;
    if (a && !c->refused) compare_move(c, a, set);
    if (c->differences > before || c->refused) say_moves(c, "as a scenario", moves, n);
    comparison_release(a);
    free(moved);
}

static void compare_edited(const char *text, comparison *c, const move *moves, size_t n,
                           const levy_results *set)
{
    char *const edited = edited_text(text, moves, n);
    levy_results *const a = edited ? comparison_price(c, edited, NULL, 0, NULL) : NULL;
    const size_t before = c->differences;
    if (a && !c->refused) compare_by_bits(c, a, set);
    if (c->differences > before || c->refused) say_moves(c, "in the text", moves, n);
    comparison_release(a);
    free(edited);
}

/* Its first error, without its place in the file. */
static const char *error_of(const comparison *c)
{
    const char *const error = strstr(c->text, "error: ");
    return error ? error : c->text;
}

/* The text with those of the moves that can be written; NULL: none can. */
static char *edited_as_far(const char *text, const move *moves, size_t n)
{
    move written[MOST_MOVES];
    size_t m = 0;
    for (size_t i = 0; i < n; ++i) {
        char *const alone = edited_text(text, &moves[i], 1);
        if (alone) written[m++] = moves[i];
        free(alone);
    }
    return m > 0 ? edited_text(text, written, m) : NULL;
}

/* What is refused as quotes is refused in the text, in the same words. */
static void compare_refused(const char *text, comparison *c, const move *moves, size_t n)
{
    comparison in_text = {.context = c->context, .paths_log2 = c->paths_log2, .seed = c->seed};
    char *const edited = edited_as_far(text, moves, n);
    if (edited) {
        const char *const error = error_of(c);
        comparison_release(comparison_price(&in_text, edited, NULL, 0, NULL));
        const bool same = strncmp(error, error_of(&in_text), strcspn(error, "\n") + 1) == 0;
        c->refused = false;
        ++c->compared;
        c->differences += !same;
        if (!same) comparison_say(c, "  in the text: %s", in_text.text);
    }
    if (c->refused || c->differences > 0) say_moves(c, "set", moves, n);
    free(edited);
}

static void compare_back(const char *text, comparison *c, const move *moves, size_t n,
                         levy_book *book)
{
    levy_results *const a = comparison_price(c, text, NULL, 0, NULL),
                        *const b =
                            set_all(book, moves, n, true) ? comparison_price_book(c, book) : NULL;
    const size_t before = c->differences;
    compare_by_bits(c, a, b);
    if (c->differences > before || !b) say_moves(c, "and back", moves, n);
    comparison_release(a);
    comparison_release(b);
}

/* Whether one is of a par rate, which scenarios do not move: theirs is the zero rate. */
static bool is_par(const char *text, const move *moves, size_t n)
{
    bool is = false;
    for (size_t i = 0; i < n && strstr(text, "\"par\""); ++i)
        is = is || strncmp(moves[i].factor, "USD.rate", 8) == 0;
    return is;
}

void pair_quote(const generated_book *book, comparison *c)
{
    static choices drawn;
    move moves[MOST_MOVES];
    choices_from_seed(&drawn, (uint64_t)c->quote << 32); /* the seed itself has drawn the book */
    levy_book *const loaded = comparison_load(c, book->text, NULL, 0);
    const size_t n = loaded ? draw_moves(loaded, &drawn, moves) : 0;
    c->skipped = n == 0 || is_par(book->text, moves, n) || !set_all(loaded, moves, n, false);
    levy_results *const set = c->skipped ? NULL : comparison_price_book(c, loaded);
    if (set && !c->refused) {
        compare_scenario(book->text, c, moves, n, set);
        compare_edited(book->text, c, moves, n, set);
        if (choose(&drawn, 2)) compare_back(book->text, c, moves, n, loaded);
    } else if (!c->skipped) {
        compare_refused(book->text, c, moves, n);
    }
    comparison_release(set);
    levy_book_destroy(loaded);
}

/* The book with some moves as scenarios, and days that pass. */
static bool write_moved(const levy_book *loaded, choices *drawn, const char *text, char *out)
{
    json_t *const whole = json_loads(text, 0, NULL);
    for (unsigned i = 0; i < 3; ++i) {
        move moves[MOST_MOVES];
        char id[16];
        const size_t n = draw_moves(loaded, drawn, moves);
        snprintf(id, sizeof id, "move%u", i);
        if (is_scenario(moves, n)) add_scenario(whole, id, shifts_of(moves, n));
    }
    add_scenario(whole, "later", json_pack("[o]", shift("days", true, (double)choose(drawn, 40))));
    char *const moved = json_dumps(whole, JSON_COMPACT);
    const bool fits = strlen(moved) < BOOK_SIZE;
    if (fits) strcpy(out, moved);
    free(moved);
    json_decref(whole);
    return fits;
}

/* The book as its text is, with the quotes of another. */
static levy_results *price_anew(comparison *c, const char *text, const levy_book *of)
{
    levy_book *const fresh = comparison_load(c, text, NULL, 0);
    levy_results *r = NULL;
    bool good = fresh != NULL;
    for (size_t i = 0; good && i < levy_book_quote_count(of); ++i) {
        const char *const name = levy_book_quote_name(of, i);
        double now, before;
        good = levy_book_get(of, name, &now) == LEVY_STATUS_OK &&
               levy_book_get(fresh, name, &before) == LEVY_STATUS_OK;
        if (good && now != before) good = levy_book_set(fresh, name, now) == LEVY_STATUS_OK;
    }
    if (good) r = comparison_price_book(c, fresh);
    levy_book_destroy(fresh);
    return r;
}

/* A book keeps its plans, and new quotes renew them: the prices are those of a book that has none.
 */
void pair_renewed(const generated_book *book, comparison *c)
{
    static generated_book moved;
    static choices drawn;
    choices_from_seed(&drawn, (uint64_t)c->quote << 16 | 0xffff);
    levy_book *loaded = comparison_load(c, book->text, NULL, 0);
    c->skipped = !loaded || !write_moved(loaded, &drawn, book->text, moved.text);
    levy_book_destroy(loaded);
    if (c->skipped) return;
    loaded = comparison_load(c, moved.text, NULL, 0);
    levy_results *r = loaded ? comparison_price_book(c, loaded) : NULL;
    for (int k = 0; k < 4 && r && !c->refused && c->differences == 0; ++k) {
        move moves[MOST_MOVES];
        const size_t n = draw_moves(loaded, &drawn, moves);
        const bool set = set_all(loaded, moves, n, false);
        comparison_release(r);
        r = comparison_price_book(c, loaded);
        if (!set || c->refused) {
            if (!set_all(loaded, moves, n, true)) break;
            c->refused = false;
            comparison_release(r);
            r = comparison_price_book(c, loaded);
        }
        levy_results *const fresh = price_anew(c, moved.text, loaded);
        compare_by_bits(c, fresh, r);
        if (c->differences > 0) say_moves(c, "set again", moves, n);
        comparison_release(fresh);
    }
    comparison_release(r);
    levy_book_destroy(loaded);
}

void pair_moved(const generated_book *book, comparison *c)
{
    static const compare_pair pairs[] = {pair_threads, pair_staged, pair_parts, pair_yaml};
    static generated_book moved;
    static choices drawn;
    choices_from_seed(&drawn, ~(uint64_t)c->quote);
    levy_book *const loaded = comparison_load(c, book->text, NULL, 0);
    c->skipped = !loaded || !write_moved(loaded, &drawn, book->text, moved.text);
    levy_book_destroy(loaded);
    if (c->skipped) return;
    c->against = moved.text;
    pairs[choose(&drawn, sizeof pairs / sizeof *pairs)](&moved, c);
}
