/* plot_profile.c: a profile: a box per trade, measure and factor, the value against the quote with
 * a band of two standard errors, and today's value of the quote. */
#include "engine/render/plot.h"
#include "engine/render/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PROFILE_MOST = 48, PROFILE_VALUES = 401 };

static void profile_today(levy_text_out *out, const levy_profile_table *table,
                          const levy_profile_line *line, const plot_axis *x, const plot_axis *y,
                          const plot_box *box)
{
    char number[PLOT_LABEL], label[2 * PLOT_LABEL];
    const double at = levy_plot_at(x, table->today);
    if (isnan(at) || at < box->left - 0.5 || at > box->right + 0.5) return;
    snprintf(label, sizeof label, "today: %s", levy_number_shown(table->today, 6, number));
    levy_svg_group(out, "today", label);
    levy_svg_line(out, (svg_point){at, box->top}, (svg_point){at, box->bottom},
                  "stroke=\"" SVG_QUIET "\" " SVG_DASHED);
    for (size_t i = 0; i < table->n_values; ++i) {
        const double height = levy_plot_at(y, line->values[i]);
        if (table->at[i] == table->today && !isnan(height))
            levy_svg_marker(out, (svg_point){at, height}, 1, levy_svg_color(1), label);
    }
    levy_svg_group_end(out);
}

/* What a value that is no number of the files does. */
static const char *profile_how(const levy_profile_table *table)
{
    const char *const dot = strrchr(table->factor, '.');
    if (!table->is_shift) return "";
    if (strchr(table->factor, ',')) return ", added in each piece";
    if (strchr(table->factor, '[')) return ", a rate added";
    if (dot && strcmp(dot, ".dividends") == 0) return ", each times 1 + this";
    return ", added to each node";
}

static void profile_panel(levy_text_out *out, const levy_profile_table *table,
                          const levy_profile_line *line, const plot_box *box)
{
    const size_t n = table->n_values < PROFILE_VALUES ? table->n_values : PROFILE_VALUES;
    double low[PROFILE_VALUES], high[PROFILE_VALUES];
    char title[3 * PLOT_LABEL];
    plot_axis x = levy_plot_axis_of(PLOT_LINEAR), y = levy_plot_axis_of(PLOT_LINEAR);
    for (size_t i = 0; i < n; ++i) {
        low[i] = line->values[i] - 2.0 * line->std_errors[i];
        high[i] = line->values[i] + 2.0 * line->std_errors[i];
        levy_plot_axis_include(&x, table->at[i]);
        levy_plot_axis_include_estimate(&y, line->values[i], line->std_errors[i]);
    }
    levy_plot_axis_finish(&x, box->left, box->right, 0.0);
    levy_plot_axis_finish(&y, box->bottom, box->top, 0.06);
    snprintf(title, sizeof title, "%.60s%s", table->factor, profile_how(table));
    levy_plot_x_axis(out, &x, box, title);
    const bool price = strcmp(line->measure, "price") == 0;
    snprintf(title, sizeof title, price ? "%.30s (%.20s)" : "%.30s", line->measure, line->currency);
    levy_plot_y_axis(out, &y, box, title);
    levy_svg_group(out, "series", line->measure);
    levy_plot_band(out, &x, &y, n, table->at, low, high, levy_svg_color(0));
    const plot_series series = {
        .n = n, .x = table->at, .y = line->values, .style = "", .plain = n > 1};
    levy_plot_line(out, &x, &y, &series);
    levy_svg_group_end(out);
    profile_today(out, table, line, &x, &y, box);
    levy_plot_frame(out, box);
    snprintf(title, sizeof title, price ? "%s" : "%s %s", line->measure, line->factor);
    levy_plot_head(out, box, box->left, line->trade, title);
}

void levy_profile_plot(const levy_profile_table *table, levy_text_out *out)
{
    char text[PLOT_LABEL];
    const size_t n = table->n_lines < PROFILE_MOST ? table->n_lines : PROFILE_MOST;
    const plot_sheet sheet = levy_plot_sheet_of(n, 26.0);
    levy_svg_open(out, false, sheet.width, sheet.height, "profile",
                  "Price and sensitivities against a quote of the market, with bands of two "
                  "standard errors; a dashed line is today's value of the quote.");
    for (size_t i = 0; i < n; ++i) {
        const plot_box box = levy_plot_sheet_box(&sheet, i);
        profile_panel(out, table, &table->lines[i], &box);
    }
    snprintf(text, sizeof text, "band: 2 standard errors; dashed: today%s",
             n < table->n_lines ? "; the first 48 boxes" : "");
    levy_svg_words(out, (svg_point){sheet.margin.left, sheet.foot + 8.0}, "start", 12, SVG_QUIET,
                   text);
    levy_svg_close(out);
}
