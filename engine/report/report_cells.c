/* report_cells.c: single texts and numbers as JSON (RFC 8259), CSV (RFC 4180), XML 1.0 and
 * scientific notation want them; see report.h. */
#include "engine/report/report_fields.h"
#include "engine/report/report.h"

#include "engine/base/number.h"
#include "engine/base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void levy_text_put_json_number(levy_text_out *out, double value)
{
    char text[LEVY_NUMBER_SIZE] = "null";
    if (isfinite(value)) levy_number_write(value, text);
    levy_text_put(out, text);
}

void levy_text_put_json_list(levy_text_out *out, const char *before, const double *values, size_t n)
{
    LEVY_TEXT_PUT(out, before, "[");
    for (size_t i = 0; i < n; ++i) {
        levy_text_put(out, i ? ", " : "");
        levy_text_put_json_number(out, values[i]);
    }
    levy_text_put(out, "]");
}

/* A text that a spreadsheet would run as a formula (it begins with = + - @, a tab or a return) gets
 * an apostrophe. */
void levy_text_put_csv(levy_text_out *out, const char *text)
{
    if (!text) return;
    const bool formula = *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
    if (!formula && !strpbrk(text, ",\"\r\n")) {
        levy_text_put(out, text);
        return;
    }
    levy_text_put(out, formula ? "\"'" : "\"");
    for (; *text; ++text) {
        if (*text == '"') levy_text_put(out, "\"");
        levy_text_put_bytes(out, text, 1);
    }
    levy_text_put(out, "\"");
}

void levy_report_put_json(levy_text_out *out, const levy_report_cell *cell)
{
    char hash[24];
    switch (cell->kind) {
    case LEVY_FIELD_IS_TEXT:
        levy_text_put_json(out, cell->text);
        break;
    case LEVY_FIELD_IS_NUMBER:
        levy_text_put_json_number(out, cell->number);
        break;
    case LEVY_FIELD_IS_COUNT:
    case LEVY_FIELD_IS_COUNT32:
        levy_text_print(out, "%zu", cell->count);
        break;
    case LEVY_FIELD_IS_HASH:
        snprintf(hash, sizeof hash, "\"%016" PRIx64 "\"", cell->count);
        levy_text_put(out, hash);
        break;
    case LEVY_FIELD_IS_FLAG:
    case LEVY_FIELD_IS_ANSWER:
        levy_text_put(out, cell->flag ? "true" : "false");
        break;
    }
}

void levy_report_put_csv(levy_text_out *out, const levy_report_cell *cell)
{
    char hash[24];
    if (cell->none) return;
    if (cell->kind == LEVY_FIELD_IS_TEXT) {
        levy_text_put_csv(out, cell->text);
    } else if (cell->kind == LEVY_FIELD_IS_HASH) {
        snprintf(hash, sizeof hash, "%016" PRIx64, cell->count);
        levy_text_put(out, hash);
    } else if (cell->kind == LEVY_FIELD_IS_FLAG) {
        levy_text_put(out, cell->flag ? "1" : "0");
    } else {
        levy_report_put_json(out, cell);
    }
}

void levy_report_put_members(levy_text_out *out, const char *before,
                             const levy_report_field *fields, const void *of)
{
    for (; fields->name; ++fields, before = ", ") {
        const levy_report_cell cell = levy_report_read(fields, of);
        LEVY_TEXT_PUT(out, before, "\"", fields->name, "\": ");
        levy_report_put_json(out, &cell);
    }
}

void levy_report_put_row(levy_text_out *out, const char *head, const levy_report_record *records)
{
    char name[32];
    for (size_t length; *head != '\r'; head += length + (head[length] == ',')) {
        const levy_report_field *field = NULL;
        const levy_report_record *record = records;
        length = strcspn(head, ",\r");
        snprintf(name, sizeof name, "%.*s", (int)length, head);
        while ((field = levy_report_find(record->fields, name)) == NULL) ++record;
        const levy_report_cell cell = levy_report_read(field, record->of);
        levy_report_put_csv(out, &cell);
        levy_text_put(out, head[length] == ',' ? "," : "\r\n");
    }
}

void levy_text_put_xml(levy_text_out *out, const char *text)
{
    for (size_t left = text ? strlen(text) : 0; left > 0;) {
        uint32_t code = 0;
        const size_t length = levy_text_character(text, left, &code);
        const char *entity = *text == '&'   ? "&amp;"
                             : *text == '<' ? "&lt;"
                             : *text == '>' ? "&gt;"
                             : *text == '"' ? "&quot;"
                                            : NULL;
        if (entity)
            levy_text_put(out, entity);
        else if (length == 0 || levy_text_is_hidden(code) || code == 0xfffe || code == 0xffff)
            levy_text_put(out, "\xef\xbf\xbd"); /* not an XML character, or a hidden one */
        else
            levy_text_put_bytes(out, text, length);
        text += length ? length : 1;
        left -= length ? length : 1;
    }
}

size_t levy_scientific_write(double value, int digits, char buffer[LEVY_SCIENTIFIC_SIZE])
{
    char text[64];
    size_t used = 0;
    if (!isfinite(value)) {
        memcpy(buffer, "-", 2);
        return 1;
    }
    int decimals = digits > 17 ? 16 : digits - 1;
    if (digits < 1) decimals = 0;
    snprintf(text, sizeof text, "%.*e", decimals, value);
    /* the sign and the first digit, before the host's decimal point */
    const size_t lead = text[0] == '-' ? 2 : 1;
    for (size_t i = 0; text[i]; ++i) {
        const bool kept = (text[i] >= '0' && text[i] <= '9') || strchr("-+e", text[i]);
        if (i == lead && text[i] != 'e') buffer[used++] = '.';
        if (kept) buffer[used++] = text[i];
    }
    buffer[used] = '\0';
    return used;
}

const char *levy_number_shown(double value, int digits, char text[LEVY_SHOWN_SIZE])
{
    const double size = fabs(value);
    char number[96];
    int decimals = 0;
    if (!isfinite(value)) return strcpy(text, "-");
    if (size >= 1e7 || (size < 1e-4 && size > 0.0)) {
        char scientific[LEVY_SCIENTIFIC_SIZE];
        levy_scientific_write(size, digits, scientific);
        snprintf(text, LEVY_SHOWN_SIZE, "%s%s", value < 0.0 ? "\xe2\x88\x92" : "", scientific);
        return text;
    }
    double limit = 1.0;
    for (int i = 1; i < digits; ++i) limit *= 10.0;
    for (double s = size; s > 0.0 && s < limit * (1.0 - 1e-12) && decimals < 9; s *= 10.0)
        ++decimals;
    levy_number_write_fixed(size, decimals, number, sizeof number);
    const bool zero = strspn(number, "0.") == strlen(number);
    snprintf(text, LEVY_SHOWN_SIZE, "%s%s", value < 0.0 && !zero ? "\xe2\x88\x92" : "", number);
    return text;
}
