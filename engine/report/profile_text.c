/* profile_text.c: a profile as a table for eyes: a row per value of the quote, for each trade and
 * measure. See report.h. */
#include "engine/report/report.h"

static void profile_cell(levy_text_out *out, const char *text, size_t width)
{
    size_t letters = 0;
    for (const char *p = text; *p; ++p) letters += (*p & 0xc0) != 0x80;
    levy_text_put_spaces(out, letters < width ? width - letters : 1);
    levy_text_put(out, text);
}

void levy_profile_write_table(const levy_profile_table *table, levy_text_out *out)
{
    char text[LEVY_SHOWN_SIZE];
    for (size_t l = 0; l < table->n_lines; ++l) {
        const levy_profile_line *const line = &table->lines[l];
        LEVY_TEXT_PUT(out, l ? "\n" : "", line->trade, ": ", line->measure,
                      *line->factor ? " " : "", line->factor, "\n");
        profile_cell(out, table->factor, 16);
        profile_cell(out, line->measure, 16);
        profile_cell(out, "std. error", 14);
        levy_text_put(out, "\n");
        for (size_t i = 0; i < table->n_values; ++i) {
            profile_cell(out, levy_number_shown(table->at[i], 6, text), 16);
            profile_cell(out, levy_number_shown(line->values[i], 6, text), 16);
            profile_cell(out, levy_number_shown(line->std_errors[i], 2, text), 14);
            levy_text_put(out, table->at[i] == table->today ? "  today\n" : "\n");
        }
    }
}
