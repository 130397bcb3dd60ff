/* csv.c: see csv.h. */
#include "engine/document/csv.h"

#include "engine/base/text.h"

#include <string.h>

void levy_csv_begin(levy_csv *csv, const char *file, uint32_t file_order, const char *text,
                    size_t length, levy_arena *arena, levy_fault_list *faults)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t skip = length >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    *csv = (levy_csv){.at = text + skip,
                      .end = text + length,
                      .place = {.file = file, .file_order = file_order, .line = 1, .column = 1},
                      .arena = arena,
                      .faults = faults};
}

static levy_status csv_refuse(levy_csv *csv, const levy_place *place, const char *hint,
                              const char *what)
{
    levy_fault_add(csv->faults, LEVY_REASON_SYNTAX, place, "", hint, "%s", what);
    return LEVY_INPUT;
}

static bool csv_is_line_end(const levy_csv *csv) { return *csv->at == '\n' || *csv->at == '\r'; }

static void csv_skip_line_end(levy_csv *csv)
{
    if (*csv->at == '\r' && csv->at + 1 < csv->end && csv->at[1] == '\n') csv->at++;
    csv->at++;
    csv->place.line++;
    csv->place.column = 1;
}

/* Goes on by one character; a line's end within quotes counts as one. */
static levy_status csv_step(levy_csv *csv)
{
    uint32_t code = 0;
    const size_t n = levy_text_character(csv->at, (size_t)(csv->end - csv->at), &code);
    if (n == 0)
        return csv_refuse(csv, &csv->place, "Save the file as UTF-8.",
                          "the text is not valid UTF-8");
    if (code != '\t' && code != '\n' && code != '\r' && levy_text_is_hidden(code))
        return csv_refuse(csv, &csv->place, "Delete it.", "a control character");
    if (csv_is_line_end(csv)) {
        csv_skip_line_end(csv);
        return LEVY_OK;
    }
    csv->at += n;
    csv->place.column++;
    return LEVY_OK;
}

static bool csv_is_blank(char c) { return c == ' ' || c == '\t'; }

/* The bytes of a blank at `text`, of n: a blank, a tab, or the one that breaks no line, which
 * spreadsheets write (U+00A0); 0: there is none. */
static size_t csv_blank(const char *text, size_t n)
{
    if (n > 0 && csv_is_blank(*text)) return 1;
    return n > 1 && memcmp(text, "\xc2\xa0", 2) == 0 ? 2 : 0;
}

/* Likewise, before the end. */
static size_t csv_last_blank(const char *text, size_t n)
{
    if (n > 0 && csv_is_blank(text[n - 1])) return 1;
    return n > 1 && csv_blank(text + n - 2, 2) == 2 ? 2 : 0;
}

/* Without blanks at the ends, in quotes too: no key and no value has any there. */
static levy_status csv_keep(levy_csv *csv, levy_csv_cell *cell, const char *text, size_t length)
{
    for (size_t n; (n = csv_blank(text, length)) > 0; text += n, length -= n) cell->place.column++;
    for (size_t n; (n = csv_last_blank(text, length)) > 0;) length -= n;
    if (length > levy_limits_default.scalar_bytes)
        return csv_refuse(csv, &cell->place, "Shorten it.", "the cell is longer than 64 KiB");
    cell->text = levy_arena_copy_text(csv->arena, text, length);
    cell->length = (uint32_t)length;
    return cell->text ? LEVY_OK : LEVY_MEMORY;
}

/* A cell in quotes; two quotes stand for one. */
static levy_status csv_quoted(levy_csv *csv, levy_csv_cell *cell)
{
    const levy_place start = csv->place;
    LEVY_TRY(csv_step(csv));
    const char *const text = csv->at;
    while (csv->at < csv->end) {
        while (csv->at < csv->end && *csv->at != '"') LEVY_TRY(csv_step(csv));
        if (csv->at + 1 >= csv->end || csv->at[1] != '"') break;
        csv->at += 2;
        csv->place.column += 2;
    }
    if (csv->at == csv->end)
        return csv_refuse(csv, &start, "Close the quotes, or write two for one: \"\".",
                          "the quotes are not closed");
    size_t used = 0;
    char *const copy = levy_arena_allocate(csv->arena, (size_t)(csv->at - text) + 1, 1);
    if (!copy) return LEVY_MEMORY;
    for (const char *c = text; c < csv->at; ++c) {
        copy[used++] = *c;
        c += *c == '"';
    }
    cell->quoted = true;
    LEVY_TRY(csv_keep(csv, cell, copy, used));
    LEVY_TRY(csv_step(csv));
    while (csv->at < csv->end && csv_is_blank(*csv->at)) LEVY_TRY(csv_step(csv));
    if (csv->at < csv->end && *csv->at != ',' && !csv_is_line_end(csv))
        return csv_refuse(csv, &csv->place, "Put the whole cell in quotes.",
                          "text stands behind the closing quotes");
    return LEVY_OK;
}

static levy_status csv_plain(levy_csv *csv, levy_csv_cell *cell)
{
    const char *const text = csv->at;
    while (csv->at < csv->end && *csv->at != ',' && !csv_is_line_end(csv)) {
        if (*csv->at == '"')
            return csv_refuse(csv, &csv->place,
                              "Put the whole cell in quotes, and write two quotes for one: "
                              "\"say \"\"hello\"\"\".",
                              "quotes within a cell that has none around it");
        LEVY_TRY(csv_step(csv));
    }
    return csv_keep(csv, cell, text, (size_t)(csv->at - text));
}

static levy_status csv_cell(levy_csv *csv)
{
    if (csv->n == LEVY_CSV_COLUMNS)
        return csv_refuse(csv, &csv->place, "Leave out the columns that are not used.",
                          "the row has more than 512 cells");
    levy_csv_cell *const cell = &csv->cells[csv->n++];
    while (csv->at < csv->end && csv_is_blank(*csv->at)) LEVY_TRY(csv_step(csv));
    *cell = (levy_csv_cell){.place = csv->place};
    if (csv->at < csv->end && *csv->at == '"') return csv_quoted(csv, cell);
    return csv_plain(csv, cell);
}

/* A row of one cell without text is an empty line. */
static bool csv_is_empty(const levy_csv *csv)
{
    for (size_t i = 0; i < csv->n; ++i)
        if (csv->cells[i].length > 0) return false;
    return true;
}

levy_status levy_csv_next(levy_csv *csv)
{
    csv->n = 0;
    while (csv->at < csv->end) {
        csv->n = 0;
        LEVY_TRY(csv_cell(csv));
        while (csv->at < csv->end && *csv->at == ',') {
            LEVY_TRY(csv_step(csv));
            LEVY_TRY(csv_cell(csv));
        }
        if (csv->at < csv->end) csv_skip_line_end(csv);
        if (!csv_is_empty(csv)) return LEVY_OK;
    }
    csv->n = 0;
    return LEVY_OK;
}
