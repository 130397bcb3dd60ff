/* report_npy.c: results as a file of NumPy that holds a structured array: a record for each row of
 * columns.h, and a field for each column. Texts are of the length of the longest; a number that
 * does not exist is NaN, a text "" and a count 0. The format: NumPy Enhancement Proposal 1,
 * version 3.0 (names may be any UTF-8). */
#include "engine/report/columns.h"

#include "engine/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NPY_ALIGN = 64, NPY_HEAD = 12, NPY_REPLACED = 0xfffd };

typedef struct npy_out {
    levy_text_out *out;
    const levy_report_columns *columns;
    size_t *widths; /* [column] of texts, in characters */
    uint64_t rows;
    bool counting; /* the header's length is counted, and nothing is written */
    size_t length;
} npy_out;

/* ---- Header ---- */

static void npy_put(npy_out *npy, const char *text)
{
    npy->length += strlen(text);
    if (!npy->counting) levy_text_put(npy->out, text);
}

/* A literal of Python. */
static void npy_put_name(npy_out *npy, const char *name)
{
    npy_put(npy, "'");
    for (; *name; ++name) {
        char piece[8] = {*name, '\0'};
        const unsigned char byte = (unsigned char)*name;
        if (byte == '\'' || byte == '\\')
            snprintf(piece, sizeof piece, "\\%c", *name);
        else if (byte < 0x20 || byte == 0x7f)
            snprintf(piece, sizeof piece, "\\x%02x", byte);
        npy_put(npy, piece);
    }
    npy_put(npy, "'");
}

static void npy_put_type(npy_out *npy, levy_field_kind kind, size_t width)
{
    char text[32] = "?";
    const char order = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? '<' : '>';
    switch (kind) {
    case LEVY_FIELD_IS_TEXT:
        snprintf(text, sizeof text, "'%cU%zu'", order, width);
        break;
    case LEVY_FIELD_IS_NUMBER:
        snprintf(text, sizeof text, "'%cf8'", order);
        break;
    case LEVY_FIELD_IS_COUNT:
    case LEVY_FIELD_IS_COUNT32:
    case LEVY_FIELD_IS_HASH:
        snprintf(text, sizeof text, "'%cu8'", order);
        break;
    case LEVY_FIELD_IS_FLAG:
        snprintf(text, sizeof text, "'|b1'");
        break;
    case LEVY_FIELD_IS_ANSWER:
        snprintf(text, sizeof text, "'|i1'");
        break;
    }
    npy_put(npy, text);
}

static void npy_dictionary(npy_out *npy)
{
    char shape[64];
    npy_put(npy, "{'descr': [");
    for (size_t i = 0; i < npy->columns->n; ++i) {
        npy_put(npy, i ? ", (" : "(");
        npy_put_name(npy, npy->columns->items[i].name);
        npy_put(npy, ", ");
        npy_put_type(npy, npy->columns->items[i].kind, npy->widths[i]);
        npy_put(npy, ")");
    }
    snprintf(shape, sizeof shape, "], 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
             npy->rows);
    npy_put(npy, shape);
}

/* Magic, version, the length of what follows, the dictionary, blanks up to a multiple of 64. */
static void npy_header(npy_out *npy)
{
    char head[NPY_HEAD] = "\x93NUMPY\x03";
    npy->counting = true;
    npy_dictionary(npy);
    const size_t whole = (NPY_HEAD + npy->length + NPY_ALIGN) / NPY_ALIGN * NPY_ALIGN;
    for (int i = 0; i < 4; ++i) head[8 + i] = (char)((whole - NPY_HEAD) >> (8 * i) & 255);
    levy_text_put_bytes(npy->out, head, sizeof head);
    npy->counting = false;
    npy->length = 0;
    npy_dictionary(npy);
    levy_text_put_spaces(npy->out, whole - NPY_HEAD - npy->length - 1);
    levy_text_put(npy->out, "\n");
}

/* ---- Records ---- */

/* The text's next character; 0 at its end. */
static uint32_t npy_character(const char **text)
{
    uint32_t code = 0;
    if (!**text) return 0;
    const size_t length = levy_text_character(*text, strlen(*text), &code);
    *text += length ? length : 1;
    return length && code ? code : NPY_REPLACED;
}

static void npy_put_text(npy_out *npy, const char *text, size_t width)
{
    for (; width > 0; --width) {
        const uint32_t code = text ? npy_character(&text) : 0;
        levy_text_put_bytes(npy->out, (const char *)&code, sizeof code);
    }
}

static void npy_put_cell(npy_out *npy, const levy_report_cell *cell, size_t width)
{
    const double number = cell->none ? NAN : cell->number;
    const char flag = (char)(cell->flag && !cell->none), answer = (char)(cell->flag ? 1 : -1);
    const char given = cell->none ? '\0' : answer;
    switch (cell->kind) {
    case LEVY_FIELD_IS_TEXT:
        npy_put_text(npy, cell->none ? NULL : cell->text, width);
        break;
    case LEVY_FIELD_IS_NUMBER:
        levy_text_put_bytes(npy->out, (const char *)&number, sizeof number);
        break;
    case LEVY_FIELD_IS_COUNT:
    case LEVY_FIELD_IS_COUNT32:
    case LEVY_FIELD_IS_HASH:
        levy_text_put_bytes(npy->out, (const char *)&cell->count, sizeof cell->count);
        break;
    case LEVY_FIELD_IS_FLAG:
        levy_text_put_bytes(npy->out, &flag, 1);
        break;
    case LEVY_FIELD_IS_ANSWER:
        levy_text_put_bytes(npy->out, &given, 1);
        break;
    }
}

/* Counts rows, and the characters of texts. */
static void npy_measure(npy_out *npy)
{
    levy_report_row row = {0};
    for (size_t i = 0; i < npy->columns->n; ++i) npy->widths[i] = 1; /* NumPy has no U0 in files */
    for (; levy_report_next(npy->columns, &row); ++npy->rows)
        for (size_t i = 0; i < npy->columns->n; ++i) {
            const levy_report_cell cell = levy_report_cell_of(&npy->columns->items[i], &row);
            size_t width = 0;
            if (cell.kind != LEVY_FIELD_IS_TEXT || cell.none) continue;
            for (const char *text = cell.text; npy_character(&text);) ++width;
            if (width > npy->widths[i]) npy->widths[i] = width;
        }
}

static void npy_write(npy_out *npy)
{
    levy_report_row row = {0};
    npy_measure(npy);
    npy_header(npy);
    while (levy_report_next(npy->columns, &row))
        for (size_t i = 0; i < npy->columns->n; ++i) {
            const levy_report_cell cell = levy_report_cell_of(&npy->columns->items[i], &row);
            npy_put_cell(npy, &cell, npy->widths[i]);
        }
}

int levy_report_write_npy(const levy_report *report, const levy_report_form *form,
                          levy_text_out *out)
{
    levy_report_columns columns;
    npy_out npy = {.out = out, .columns = &columns};
    int status = levy_report_columns_choose(report, form, &columns);
    if (status == LEVY_STATUS_OK) {
        npy.widths = levy_arena_allocate(&columns.arena, columns.n, sizeof *npy.widths);
        if (npy.widths)
            npy_write(&npy);
        else
            status = LEVY_STATUS_MEMORY;
    }
    levy_report_columns_release(&columns);
    return status;
}
