/* page_matrix.c: measures on the page of a run, as matrices: a row a trade, or an asset of it, and
 * a column a measure, a node, a date or a scenario; sums stand below. A wide matrix is cut into
 * tables that have room on a sheet. See page.h. */
#include "engine/render/page.h"

#include <stdio.h>
#include <string.h>

enum { MATRIX_LABEL = 160, MATRIX_COLUMNS = 6 };

typedef struct matrix_row {
    char about[MATRIX_LABEL];
    levy_page_span first;
} matrix_row;

/* What is printed: some columns of a panel. */
typedef struct matrix_cut {
    const levy_page_panel *panel;
    uint32_t number; /* of the panel */
    size_t from, to; /* columns */
    bool about;      /* rows say what they are about */
    levy_page_notes notes;
} matrix_cut;

/* ---- Words ---- */

static const struct matrix_words {
    const char *measure, *title, *below; /* below: the unit of the values */
} matrix_words[] = {
    {"delta", NULL, "per 1 of the spot"},
    {"delta_minimum_variance", NULL, "per 1 of the spot"},
    {"gamma", NULL, "per 1\xc2\xb2 of the spot"},
    {"vega", NULL, "per 1.00 of volatility"},
    {"rho", NULL, "per 1.00 of rates"},
    {"theta", NULL, "a calendar day"},
    {"cross_gamma", NULL, "per 1 of both spots"},
    {"correlation", NULL, "per 1.00"},
    {"vanna", NULL, "per 1 of spot, 1.00 of vol."},
    {"volga", NULL, "per 1.00\xc2\xb2 of volatility"},
    {"dividend_rho", NULL, "per 1.00 of the yield"},
    {"borrow_rho", NULL, "per 1.00 of the cost"},
    {"dividends", NULL, "per 1.00 of the dividend"},
    {"parameters", "Parameters of models", "per 1.00 of the number"},
    {"vega_by_node", "Vega by node", "per 1.00 of volatility"},
    {"rho_by_node", "Rho by node", "per 1.00 of rates"},
    {"cash_flows", "Expected discounted payments", "by date"},
    {"probability", "Probability of ending", "by date"},
    {"expected_life", "Expected life", ""},
    {"exercise_value", "Value of exercise today", ""},
    {"continuation", "Value without exercise today", ""},
    {"boundary", "Level of exercise", "by date"},
    {"upper_bound", "Upper bound", "the price is a lower one"},
    {"implied_volatility", "Implied volatility", "1.00 is 100 points"},
    {"report", "Reports of scripts", "means at the end"},
    {"scenario_pnl", "Profit and loss in scenarios", "price in the scenario less today's"},
};

static const struct matrix_words *matrix_words_of(const char *measure)
{
    for (size_t i = 0; measure && i < sizeof matrix_words / sizeof *matrix_words; ++i)
        if (strcmp(matrix_words[i].measure, measure) == 0) return &matrix_words[i];
    return NULL;
}

static void matrix_title(levy_page *page, const levy_page_panel *panel, const char *key)
{
    const struct matrix_words *const words = matrix_words_of(panel->measure);
    const char *const named = words && words->title ? words->title : panel->measure;
    const char *const title = panel->pairs ? "Sensitivities to pairs" : "Sensitivities";
    levy_text_put(page->out, key ? "<h3>" : "<h2>");
    levy_page_text(page, "", panel->measure ? named : title, "");
    if (panel->grid) levy_page_text(page, ": ", panel->grid->scenario, "");
    if (key) levy_page_text(page, ", sums by ", key, "");
    levy_text_put(page->out, key ? "</h3>\n" : "</h2>\n");
    if (!panel->measure || key) return;
    levy_page_text(page, "<p class=\"quiet\">", words ? words->below : "", "");
    for (size_t i = 0; panel->grid && i < panel->grid->n_axes; ++i)
        levy_page_text(page, i + 1 < panel->grid->n_axes ? "; rows: " : "; columns: ",
                       panel->grid->axes[i].factor, "");
    levy_text_put(page->out, "</p>\n");
}

static void matrix_heads(levy_page *page, const matrix_cut *cut, const char *key)
{
    char name[MATRIX_LABEL];
    levy_text_put(page->out, "<div class=\"wide\"><table class=\"sorts\"><thead><tr>");
    levy_page_head(page, key ? key : "trade", "", 1, false);
    if (cut->about) levy_page_head(page, cut->panel->grid ? "shift" : "of", "", 1, false);
    if (!page->currency) levy_page_head(page, "currency", "", 1, false);
    for (size_t c = cut->from; c < cut->to; ++c) {
        const levy_page_span span = cut->panel->columns[c];
        snprintf(name, sizeof name, "%.*s", (int)span.length, span.text);
        const struct matrix_words *const words = matrix_words_of(cut->panel->measure ? NULL : name);
        for (char *at = name; words && *at; ++at)
            if (*at == '_') *at = ' ';
        levy_page_head(page, name, words ? words->below : "", 2, true);
    }
    levy_text_put(page->out, "</tr></thead>\n<tbody>\n");
}

/* ---- Rows of a line ---- */

/* A sensitivity that the line has once stands in its first row, whatever it is about. */
static bool matrix_is_alone(const matrix_cut *cut, const levy_page_line *line, size_t k)
{
    if (cut->panel->measure) return false;
    for (size_t i = 0; i < line->n; ++i)
        if (i != k && line->places[i].panel == cut->number &&
            line->places[i].column == line->places[k].column)
            return false;
    return true;
}

static bool matrix_has(const matrix_cut *cut, const levy_page_place *place)
{
    return place->panel == cut->number && place->column >= cut->from && place->column < cut->to;
}

/* The row of a measure, among those of its line; a new one at the end where there is none. */
static size_t matrix_row_of(const matrix_cut *cut, const levy_page_line *line, size_t k,
                            const levy_page_span *rows, size_t n)
{
    const bool alone = matrix_is_alone(cut, line, k);
    for (size_t i = n; i-- > 0;)
        if (levy_page_is_same(rows[i], line->places[k].row)) return i;
    return alone && n > 0 ? 0 : n;
}

/* Adds a name to what a row is about, once; time says nothing. */
static void matrix_name(char about[MATRIX_LABEL], levy_page_span name)
{
    char text[MATRIX_LABEL - 32];
    const size_t used = strlen(about);
    snprintf(text, sizeof text, "%.*s", (int)name.length, name.text);
    if (strcmp(text, "time") == 0 || !*text) return;
    for (const char *at = strstr(about, text); at; at = strstr(at + 1, text)) {
        const char after = at[strlen(text)];
        if ((at == about || at[-1] == ' ') && (!after || after == ',')) return;
    }
    if (used + strlen(text) + 3 < MATRIX_LABEL)
        snprintf(about + used, MATRIX_LABEL - used, "%s%s", used ? ", " : "", text);
}

static const char *matrix_doubt(const levy_measure *m)
{
    if (m->note) return m->note;
    return m->flagged ? "no value" : NULL;
}

static void matrix_print(levy_page *page, matrix_cut *cut, const levy_page_line *line,
                         const char *about, bool again, const levy_measure *const *cells)
{
    levy_text_put(page->out, again ? "<tr class=\"again\">" : "<tr>");
    levy_text_put(page->out, line->leg ? "<td class=\"leg\">" : "<td>");
    levy_page_name(page, line->name);
    levy_text_put(page->out, "</td>");
    if (cut->about) levy_page_cell(page, about);
    if (!page->currency) levy_page_cell(page, line->currency);
    for (size_t c = 0; c < cut->to - cut->from; ++c) {
        const levy_measure *const m = cells[c];
        if (m)
            levy_page_estimate(page, m->value, m->std_error,
                               levy_page_note(page, &cut->notes, matrix_doubt(m), m->flagged));
        else
            levy_text_put(page->out,
                          "<td class=\"number\" data-value=\"\"></td><td class=\"error\"></td>");
    }
    levy_text_put(page->out, "</tr>\n");
}

/* The rows of a line: `rows` and `of` have room for its measures. */
static void matrix_line(levy_page *page, matrix_cut *cut, const levy_page_line *line,
                        levy_page_span *rows, size_t *of)
{
    size_t n = 0;
    for (int alone = 0; alone < 2; ++alone) /* those that are not alone make the rows */
        for (size_t k = 0; k < line->n; ++k) {
            if (line->places[k].panel != cut->number ||
                matrix_is_alone(cut, line, k) != (alone == 1))
                continue;
            of[k] = matrix_row_of(cut, line, k, rows, n);
            if (of[k] == n) rows[n++] = line->places[k].row;
        }
    bool again = false;
    for (size_t r = 0; r < n; ++r) {
        const levy_measure *cells[MATRIX_COLUMNS] = {NULL};
        char about[MATRIX_LABEL] = "";
        bool any = false;
        for (size_t k = 0; k < line->n; ++k) {
            if (!matrix_has(cut, &line->places[k]) || of[k] != r) continue;
            cells[line->places[k].column - cut->from] = &line->measures[k];
            matrix_name(about, line->places[k].row);
            any = true;
        }
        if (any) matrix_print(page, cut, line, about, again, cells);
        again |= any;
    }
}

/* ---- Tables ---- */

static bool matrix_has_about(const levy_page_panels *panels, uint32_t number)
{
    for (size_t i = 0; i < panels->n_lines; ++i)
        for (size_t k = 0; k < panels->lines[i].n; ++k) {
            const levy_page_place *const place = &panels->lines[i].places[k];
            if (place->panel == number && place->row.length > 0 &&
                !levy_page_is_same(place->row, levy_page_span_of("time")))
                return true;
        }
    return false;
}

static bool matrix_is_of(const levy_page_line *line, const char *key)
{
    return key ? line->key && strcmp(line->key, key) == 0 : !line->key;
}

static void matrix_table(levy_page *page, const levy_page_panels *panels, matrix_cut *cut,
                         const char *key)
{
    size_t most = 0;
    for (size_t i = 0; i < panels->n_lines; ++i)
        if (panels->lines[i].n > most) most = panels->lines[i].n;
    levy_page_span *const rows = levy_arena_allocate(&page->arena, most, sizeof *rows);
    size_t *const of = levy_arena_allocate(&page->arena, most, sizeof *of);
    page->failed |= !rows || !of;
    if (page->failed) return;
    bool sums = false;
    matrix_heads(page, cut, key);
    for (size_t i = 0; i < panels->n_lines; ++i) {
        const levy_page_line *const line = &panels->lines[i];
        if (!matrix_is_of(line, key)) continue;
        if (line->sum && !line->key && !sums)
            levy_text_put(page->out, "</tbody><tbody class=\"sums\">\n");
        sums |= line->sum && !line->key;
        matrix_line(page, cut, line, rows, of);
    }
    levy_text_put(page->out, "</tbody></table></div>\n");
    levy_page_put_notes(page, &cut->notes);
}

/* The lines of one key (NULL: trades and currencies), in tables of a few columns each. */
static void matrix_panel(levy_page *page, const levy_page_panels *panels, size_t number,
                         const char *key)
{
    const levy_page_panel *const panel = &panels->panels[number];
    matrix_cut cut = {.panel = panel, .number = (uint32_t)number};
    cut.about = matrix_has_about(panels, cut.number);
    levy_text_put(page->out, "<section>");
    matrix_title(page, panel, key);
    for (cut.from = 0; cut.from < panel->n && !page->failed; cut.from = cut.to) {
        const size_t left = panel->n - cut.from;
        cut.to = cut.from + (left < MATRIX_COLUMNS ? left : MATRIX_COLUMNS);
        cut.notes = (levy_page_notes){0};
        matrix_table(page, panels, &cut, key);
    }
    levy_text_put(page->out, "</section>\n");
}

/* Sums of one key follow each other. */
static bool matrix_key_is_new(const levy_page_panels *panels, size_t line)
{
    const char *const key = panels->lines[line].key;
    return key && (line == 0 || !matrix_is_of(&panels->lines[line - 1], key));
}

void levy_page_measures(levy_page *page, const levy_page_panels *panels)
{
    if (page->failed || panels->n == 0) return;
    for (size_t p = 0; p < panels->n && !page->failed; ++p) {
        matrix_panel(page, panels, p, NULL);
        for (size_t i = 0; i < panels->n_lines && !page->failed; ++i)
            if (matrix_key_is_new(panels, i)) matrix_panel(page, panels, p, panels->lines[i].key);
    }
}
