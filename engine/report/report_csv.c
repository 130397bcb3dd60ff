/* report_csv.c: results as CSV (RFC 4180: a header, CRLF, cells quoted where they must be). Texts
 * that a spreadsheet would run as a formula (= + - @, tab, return in front) get an apostrophe;
 * numbers never do. See columns.h for rows and columns. */
#include "engine/report/columns.h"

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
            levy_report_put_csv(out, &cell);
        }
        levy_text_put(out, "\r\n");
    }
}

int levy_report_write_csv(const levy_report *report, const levy_report_form *form,
                          levy_text_out *out)
{
    levy_report_columns columns;
    const int status = levy_report_columns_choose(report, form, &columns);
    if (status == LEVY_STATUS_OK) csv_write(&columns, out);
    levy_report_columns_release(&columns);
    return status;
}
