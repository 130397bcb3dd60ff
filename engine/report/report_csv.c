/* report_csv.c: results as CSV (RFC 4180: a header, CRLF, cells quoted where they must be). Texts
 * that a spreadsheet would run as a formula (= + - @, tab, return in front) get an apostrophe;
 * numbers never do. See columns.h for rows and columns. */
#include "engine/report/columns.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <stdio.h>

static void csv_put_number(levy_text_out *out, double value)
{
    char text[LEVY_NUMBER_SIZE];
    levy_number_write(value, text);
    levy_text_put(out, text);
}

static void csv_put(levy_text_out *out, const levy_report_cell *cell)
{
    char hash[24];
    if (cell->none) return;
    switch (cell->kind) {
    case LEVY_FIELD_IS_TEXT:
        levy_text_put_csv(out, cell->text);
        break;
    case LEVY_FIELD_IS_NUMBER:
        csv_put_number(out, cell->number);
        break;
    case LEVY_FIELD_IS_COUNT:
    case LEVY_FIELD_IS_COUNT32:
        levy_text_put_count(out, cell->count);
        break;
    case LEVY_FIELD_IS_HASH:
        snprintf(hash, sizeof hash, "%016" PRIx64, cell->count);
        levy_text_put(out, hash);
        break;
    case LEVY_FIELD_IS_FLAG:
        levy_text_put(out, cell->flag ? "1" : "0");
        break;
    case LEVY_FIELD_IS_ANSWER:
        levy_text_put(out, cell->flag ? "true" : "false");
        break;
    }
}

static void csv_write(const levy_report_columns *columns, levy_text_out *out)
{
    levy_report_row row = {0};
    for (size_t i = 0; i < columns->n; ++i) {
        levy_text_put(out, i ? "," : "");
        levy_text_put_csv(out, columns->items[i].name);
    }
    levy_text_put(out, "\r\n");
    while (levy_report_next(columns, &row)) {
        for (size_t i = 0; i < columns->n; ++i) {
            const levy_report_cell cell = levy_report_cell_of(&columns->items[i], &row);
            levy_text_put(out, i ? "," : "");
            csv_put(out, &cell);
        }
        levy_text_put(out, "\r\n");
    }
}

int levy_report_write_csv(const levy_report *report, const levy_report_form *form,
                          levy_writer write, void *user)
{
    levy_text_out out;
    levy_report_columns columns;
    levy_text_out_init(&out, write, user);
    int status = levy_report_columns_choose(report, form, &columns);
    if (status == LEVY_STATUS_OK) {
        csv_write(&columns, &out);
        status = levy_text_finish(&out);
    }
    levy_report_columns_release(&columns);
    return status;
}
