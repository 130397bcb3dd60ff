/* profile_data.c: a profile as a table for eyes, as JSON (RFC 8259) and as CSV (RFC 4180): a row
 * per trade, measure and value of the quote. See report.h. */
#include "engine/report/report.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void profile_number(levy_text_out *out, double value)
{
    char text[LEVY_NUMBER_SIZE] = "";
    if (isfinite(value)) levy_number_write(value, text);
    levy_text_put(out, text);
}

int levy_profile_write_csv(const levy_profile_table *table, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_text_put(&out, "trade,currency,measure,factor,quote,at,value,std_error\r\n");
    for (size_t l = 0; l < table->n_lines; ++l)
        for (size_t i = 0; i < table->n_values; ++i) {
            const levy_profile_line *const line = &table->lines[l];
            const char *const texts[] = {line->trade, line->currency, line->measure, line->factor,
                                         table->factor};
            const double numbers[] = {table->at[i], line->values[i], line->std_errors[i]};
            for (size_t k = 0; k < 5; ++k) {
                levy_text_put_csv(&out, texts[k]);
                levy_text_put(&out, ",");
            }
            for (size_t k = 0; k < 3; ++k) {
                profile_number(&out, numbers[k]);
                levy_text_put(&out, k < 2 ? "," : "\r\n");
            }
        }
    return levy_text_finish(&out);
}

static void profile_list(levy_text_out *out, const char *before, const double *values, size_t n)
{
    levy_text_put(out, before);
    for (size_t i = 0; i < n; ++i) {
        levy_text_put(out, i ? ", " : "[");
        levy_text_put_json_number(out, values[i]);
    }
    levy_text_put(out, n ? "]" : "[]");
}

static void profile_text(levy_text_out *out, const char *before, const char *text)
{
    levy_text_put(out, before);
    levy_text_put_json(out, text);
}

int levy_profile_write_json(const levy_profile_table *table, levy_writer write, void *user)
{
    char hash[24];
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    snprintf(hash, sizeof hash, "%016" PRIx64, table->run->fingerprint);
    profile_text(&out, "{\"run\": {\"version\": ", table->run->version);
    profile_text(&out, ", \"backend\": ", table->run->backend);
    profile_text(&out, ", \"device\": ", table->run->device);
    profile_text(&out, ", \"fingerprint\": ", hash);
    profile_text(&out, "},\n \"factor\": ", table->factor);
    levy_text_put(&out, ", \"today\": ");
    levy_text_put_json_number(&out, table->today);
    profile_list(&out, ",\n \"at\": ", table->at, table->n_values);
    levy_text_put(&out, ",\n \"lines\": [");
    for (size_t l = 0; l < table->n_lines; ++l) {
        const levy_profile_line *const line = &table->lines[l];
        profile_text(&out, l ? ",\n  {\"trade\": " : "\n  {\"trade\": ", line->trade);
        profile_text(&out, ", \"currency\": ", line->currency);
        profile_text(&out, ", \"measure\": ", line->measure);
        profile_text(&out, ", \"factor\": ", line->factor);
        profile_list(&out, ", \"values\": ", line->values, table->n_values);
        profile_list(&out, ", \"std_errors\": ", line->std_errors, table->n_values);
        levy_text_put(&out, "}");
    }
    levy_text_put(&out, "\n]}\n");
    return levy_text_finish(&out);
}

/* ---- Table ---- */

static void profile_cell(levy_text_out *out, const char *text, size_t width)
{
    size_t letters = 0;
    for (const char *p = text; *p; ++p) letters += (*p & 0xc0) != 0x80;
    levy_text_put_spaces(out, letters < width ? width - letters : 1);
    levy_text_put(out, text);
}

int levy_profile_write_table(const levy_profile_table *table, levy_writer write, void *user)
{
    char text[LEVY_SHOWN_SIZE];
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    for (size_t l = 0; l < table->n_lines; ++l) {
        const levy_profile_line *const line = &table->lines[l];
        levy_text_put(&out, l ? "\n" : "");
        levy_text_put(&out, line->trade);
        levy_text_put(&out, ": ");
        levy_text_put(&out, line->measure);
        levy_text_put(&out, *line->factor ? " " : "");
        levy_text_put(&out, line->factor);
        levy_text_put(&out, "\n");
        profile_cell(&out, table->factor, 16);
        profile_cell(&out, line->measure, 16);
        profile_cell(&out, "std. error", 14);
        levy_text_put(&out, "\n");
        for (size_t i = 0; i < table->n_values; ++i) {
            profile_cell(&out, levy_number_shown(table->at[i], 6, text), 16);
            profile_cell(&out, levy_number_shown(line->values[i], 6, text), 16);
            profile_cell(&out, levy_number_shown(line->std_errors[i], 2, text), 14);
            levy_text_put(&out, table->at[i] == table->today ? "  today\n" : "\n");
        }
    }
    return levy_text_finish(&out);
}
