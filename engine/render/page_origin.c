/* page_origin.c: what the run took from the book, on its page: the market as it was used, and the
 * texts with their hashes. See page.h. */
#include "engine/render/page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { ORIGIN_COLUMNS = 12 }; /* beside the first, that have room on a sheet */

/* What the cells of a column are. */
enum { ORIGIN_EMPTY, ORIGIN_NUMBERS, ORIGIN_TEXTS };
static int origin_column(const levy_report_facts *facts, size_t column)
{
    int is = ORIGIN_EMPTY;
    for (size_t i = 0; i < facts->n_rows; ++i) {
        const levy_report_fact *const fact = &facts->items[i * facts->n_columns + column];
        if (fact->text && *fact->text) return ORIGIN_TEXTS;
        if (!fact->text && !isnan(fact->number)) is = ORIGIN_NUMBERS;
    }
    return is;
}

static void origin_fact(levy_page *page, const levy_report_fact *fact, bool number)
{
    char text[PLOT_LABEL];
    if (fact->text || isnan(fact->number)) {
        levy_page_text(page, "<td class=\"text\">", fact->text, "</td>");
        return;
    }
    levy_page_open_number(page, number ? "number" : "text", fact->number,
                          fact->percent ? levy_plot_percent(fact->number, text)
                                        : levy_page_exact(fact->number, text));
    levy_text_put(page->out, "</td>");
}

/* The first column, and those from `from` on that are not empty. */
static void origin_table(levy_page *page, const levy_report_facts *facts, size_t from, size_t to)
{
    int is[ORIGIN_COLUMNS + 1] = {ORIGIN_TEXTS};
    for (size_t c = from; c < to; ++c) is[c - from + 1] = origin_column(facts, c);
    levy_text_put(page->out, "<div class=\"wide\"><table class=\"facts\"><thead><tr>");
    for (size_t k = 0; k <= to - from; ++k)
        if (is[k] != ORIGIN_EMPTY)
            levy_page_text(page, is[k] == ORIGIN_NUMBERS ? "<th class=\"number\">" : "<th>",
                           facts->heads[k ? from + k - 1 : 0], "</th>");
    levy_text_put(page->out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < facts->n_rows; ++i) {
        const levy_report_fact *const row = &facts->items[i * facts->n_columns];
        levy_text_put(page->out, "<tr>");
        for (size_t k = 0; k <= to - from; ++k)
            if (is[k] != ORIGIN_EMPTY)
                origin_fact(page, &row[k ? from + k - 1 : 0], is[k] == ORIGIN_NUMBERS);
        levy_text_put(page->out, "</tr>\n");
    }
    levy_text_put(page->out, "</tbody></table></div>\n");
}

void levy_page_market(levy_page *page)
{
    const levy_report_origin *const origin = &page->report->origin;
    size_t n = 0;
    for (size_t i = 0; i < origin->n_market; ++i) {
        const levy_report_facts *const facts = &origin->market[i];
        if (facts->n_rows == 0) continue;
        if (n++ == 0)
            levy_text_put(page->out, "<section><h2>Market</h2>\n<div class=\"market\">\n");
        levy_page_text(page, "<section><h3>", facts->title, "</h3>\n");
        for (size_t from = 1; from < facts->n_columns; from += ORIGIN_COLUMNS) {
            const size_t to = from + ORIGIN_COLUMNS;
            origin_table(page, facts, from, to < facts->n_columns ? to : facts->n_columns);
        }
        levy_text_put(page->out, "</section>\n");
    }
    if (n) levy_text_put(page->out, "</div></section>\n");
}

void levy_page_inputs(levy_page *page)
{
    char text[64], bytes[PLOT_LABEL];
    const levy_report *const report = page->report;
    levy_text_put(page->out,
                  "<section><h2>Inputs</h2>\n<table class=\"facts\"><thead><tr><th>file</th>"
                  "<th class=\"number\">bytes</th><th>XXH3 (<code>xxhsum -H3</code>)</th></tr>"
                  "</thead>\n<tbody>\n");
    for (size_t i = 0; i < report->n_inputs; ++i) {
        const levy_report_input *const input = &report->inputs[i];
        levy_page_text(page, "<tr><td class=\"text\">", input->name, "</td>");
        levy_page_number(page, (double)input->bytes, levy_page_exact((double)input->bytes, bytes));
        snprintf(text, sizeof text, "%016" PRIx64, input->hash);
        levy_page_text(page, "<td><code>", text, "</code></td></tr>\n");
    }
    snprintf(text, sizeof text, "%016" PRIx64, report->run->fingerprint);
    levy_page_text(page, "<tr><td>all of them, with settings and quotes</td><td></td><td><code>",
                   text, "</code></td></tr>\n</tbody></table></section>\n");
}
