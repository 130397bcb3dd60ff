/* table_layout.c: see table_layout.h. */
#include "engine/report/table_layout.h"

#include "engine/base/text.h"

#include <string.h>

enum {
    LAYOUT_LEFT_COLUMNS =
        1 << LAYOUT_TRADE | 1 << LAYOUT_PAYOFF | 1 << LAYOUT_CURRENCY | 1 << LAYOUT_INTERVAL
};

const char levy_layout_bold[] = "\033[1m", levy_layout_dim[] = "\033[2m",
           levy_layout_red[] = "\033[31m", levy_layout_yellow[] = "\033[33m",
           levy_layout_reset[] = "\033[0m";

void levy_layout_paint(levy_layout *out, const char *color)
{
    if (out->color && color) levy_text_put(out->text, color);
}

void levy_layout_wrap(levy_layout *out, const char *text, int indent)
{
    int used = indent;
    levy_text_put_spaces(out->text, (size_t)indent);
    if (!out->line) levy_text_put(out->text, text);
    while (out->line && *text) {
        const size_t word = strcspn(text, " "), next = word + strspn(text + word, " ");
        levy_text_put_bytes(out->text, text, word);
        used += (int)word;
        text += next;
        if (!*text) break;
        if (out->line && used + 1 + (int)strcspn(text, " ") > out->line) {
            used = indent ? indent : 2;
            levy_text_put(out->text, "\n");
            levy_text_put_spaces(out->text, (size_t)used);
            continue;
        }
        levy_text_put(out->text, " ");
        ++used;
    }
    levy_text_put(out->text, "\n");
}

/* Writes what fits of a cell. */
static int layout_put_cell(levy_layout *out, const char *cell, int width)
{
    const int length = (int)strlen(cell);
    uint32_t code;
    int kept = 0;
    if (length <= width) {
        levy_text_put(out->text, cell);
        return length;
    }
    for (;;) { /* whole characters, and two dots */
        const size_t next = levy_text_character(cell + kept, strlen(cell + kept), &code);
        if (kept + (int)(next ? next : 1) > width - 2) break;
        kept += (int)(next ? next : 1);
    }
    levy_text_put_bytes(out->text, cell, (size_t)kept);
    levy_text_put(out->text, "..");
    return kept + 2;
}

static void layout_measure(levy_layout *out, const levy_layout_row *row)
{
    for (int column = 0; column < LAYOUT_COLUMNS; ++column) {
        const int length = (int)strlen(row->cells[column]);
        if (length > out->widths[column]) out->widths[column] = length;
    }
    if (row->note && !out->line && (int)strlen(row->note) > out->widths[LAYOUT_INTERVAL])
        out->widths[LAYOUT_INTERVAL] = (int)strlen(row->note);
}

/* The row's note, after `used` characters, or on lines of its own. */
static void layout_put_note(levy_layout *out, const levy_layout_row *row, int used, int pending)
{
    const int length = (int)strlen(row->note);
    const bool fits = !out->line || used + pending + length <= out->line;
    if (fits) {
        levy_text_put_spaces(out->text, (size_t)pending);
        levy_text_put(out->text, row->note);
    }
    levy_layout_paint(out, row->color ? levy_layout_reset : NULL);
    levy_text_put(out->text, "\n");
    if (!fits) levy_layout_wrap(out, row->note, 4);
}

void levy_layout_put(levy_layout *out, const levy_layout_row *row)
{
    int pending = 0, used = 0; /* spaces not yet written, so that no line ends in spaces */
    if (out->measuring) {
        layout_measure(out, row);
        return;
    }
    levy_layout_paint(out, row->color);
    for (int column = 0; column < LAYOUT_COLUMNS; ++column) {
        const char *const cell = row->cells[column];
        const int length = (int)strlen(cell), width = out->widths[column];
        const int padding = length < width ? width - length : 0;
        const bool left = (LAYOUT_LEFT_COLUMNS >> column & 1) != 0;
        if (width < 0 || (column == LAYOUT_INTERVAL && row->note)) continue;
        pending += left ? 0 : padding;
        if (length > 0) {
            levy_text_put_spaces(out->text, (size_t)pending);
            used += pending + layout_put_cell(out, cell, width);
            pending = 0;
        }
        pending += (left ? padding : 0) + 2;
    }
    if (row->note) {
        layout_put_note(out, row, used, pending);
        return;
    }
    levy_layout_paint(out, row->color ? levy_layout_reset : NULL);
    levy_text_put(out->text, "\n");
}

void levy_layout_fit(levy_layout *out)
{
    static const int order[] = {LAYOUT_PAYOFF, LAYOUT_YEARS, LAYOUT_INTERVAL};
    enum { LAYOUT_LEAST_NAME = 12 };
    int total = -2;
    if (!out->line) return;
    for (int column = 0; column < LAYOUT_COLUMNS; ++column) total += out->widths[column] + 2;
    for (int i = 0; i < 3 && total > out->line; ++i) {
        total -= out->widths[order[i]] + 2;
        out->widths[order[i]] = -1;
    }
    int name = out->widths[LAYOUT_TRADE] - (total > out->line ? total - out->line : 0);
    if (name < LAYOUT_LEAST_NAME) name = LAYOUT_LEAST_NAME;
    if (name < out->widths[LAYOUT_TRADE]) out->widths[LAYOUT_TRADE] = name;
}
