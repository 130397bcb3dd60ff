/* plot_smile.c: a fitted smile: a box per expiry, quotes as marks, with half of their spread where
 * they have one, and the model as a line through its volatilities at their strikes. */
#include "engine/render/plot.h"
#include "engine/render/render.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SMILE_MOST = 24, SMILE_QUOTES = 256 };

/* The quotes of one asset and expiry, by strike. */
typedef struct smile_panel {
    const levy_fitted_quote *first;
    size_t n;
    double strikes[SMILE_QUOTES], quoted[SMILE_QUOTES], model[SMILE_QUOTES], half[SMILE_QUOTES];
} smile_panel;

static void smile_add(smile_panel *panel, const levy_fitted_quote *quote, bool has_errors)
{
    size_t i = panel->n < SMILE_QUOTES ? panel->n++ : SMILE_QUOTES - 1;
    for (; i > 0 && panel->strikes[i - 1] > quote->strike; --i) {
        panel->strikes[i] = panel->strikes[i - 1];
        panel->quoted[i] = panel->quoted[i - 1];
        panel->model[i] = panel->model[i - 1];
        panel->half[i] = panel->half[i - 1];
    }
    panel->strikes[i] = quote->strike;
    panel->quoted[i] = 100.0 * quote->volatility;
    panel->model[i] = 100.0 * quote->model_volatility;
    panel->half[i] = has_errors ? 100.0 / quote->weight : 0.0;
}

static int smile_compare(const levy_fitted_quote *a, const levy_fitted_quote *b)
{
    const int by_name = strcmp(a->asset, b->asset);
    return by_name ? by_name : (a->years > b->years) - (a->years < b->years);
}

/* A quote of the least asset and expiry above those of `after`, NULL being below all; NULL: there
 * is none. */
static const levy_fitted_quote *smile_next(const levy_calibration_facts *facts,
                                           const levy_fitted_quote *quotes,
                                           const levy_fitted_quote *after)
{
    const levy_fitted_quote *next = NULL;
    for (size_t i = 0; i < facts->quotes; ++i)
        if ((!after || smile_compare(&quotes[i], after) > 0) &&
            (!next || smile_compare(&quotes[i], next) < 0))
            next = &quotes[i];
    return next;
}

static void smile_marks(levy_text_out *out, const smile_panel *panel, const plot_axis *x,
                        const plot_axis *y)
{
    levy_svg_group(out, "quotes", "quotes");
    for (size_t i = 0; i < panel->n; ++i) {
        const double at = levy_plot_at(x, panel->strikes[i]),
                     height = levy_plot_at(y, panel->quoted[i]);
        if (isnan(at) || isnan(height)) continue;
        if (panel->half[i] > 0.0)
            levy_plot_whisker(out, y, at, panel->quoted[i] - panel->half[i],
                              panel->quoted[i] + panel->half[i], levy_svg_color(1), false);
        levy_svg_marker(out, (svg_point){at, height}, 1, levy_svg_color(1), "quote");
    }
    levy_svg_group_end(out);
}

static void smile_draw(levy_text_out *out, const smile_panel *panel, const plot_box *box,
                       bool several)
{
    char number[PLOT_LABEL], title[3 * PLOT_LABEL];
    plot_axis x = levy_plot_axis_of(PLOT_LINEAR), y = levy_plot_axis_of(PLOT_LINEAR);
    for (size_t i = 0; i < panel->n; ++i) {
        levy_plot_axis_include(&x, panel->strikes[i]);
        levy_plot_axis_include(&y, panel->model[i]);
        levy_plot_axis_include_estimate(&y, panel->quoted[i], 0.5 * panel->half[i]);
    }
    levy_plot_axis_finish(&x, box->left, box->right, 0.04);
    levy_plot_axis_finish(&y, box->bottom, box->top, 0.06);
    levy_plot_x_axis(out, &x, box, "strike");
    levy_plot_y_axis(out, &y, box, "volatility (%)");
    levy_svg_group(out, "model", "model");
    const plot_series series = {
        .n = panel->n, .x = panel->strikes, .y = panel->model, .style = "", .plain = panel->n > 1};
    levy_plot_line(out, &x, &y, &series);
    levy_svg_group_end(out);
    smile_marks(out, panel, &x, &y);
    levy_plot_frame(out, box);
    snprintf(title, sizeof title, "%.40s%s%s years", several ? panel->first->asset : "",
             several ? ", " : "", levy_number_shown(panel->first->years, 4, number));
    levy_plot_head(out, box, box->left, title, "");
}

static size_t smile_expiries(const levy_calibration_facts *facts, const levy_fitted_quote *quotes)
{
    size_t n = 0;
    for (const levy_fitted_quote *at = NULL;
         n < SMILE_MOST && (at = smile_next(facts, quotes, at)) != NULL; ++n)
        ;
    return n;
}

void levy_smile_plot(const levy_calibration_facts *facts, const levy_fitted_quote *quotes,
                     levy_text_out *out)
{
    char text[2 * PLOT_LABEL];
    const size_t n = smile_expiries(facts, quotes);
    const plot_sheet sheet = levy_plot_sheet_of(n, 26.0);
    const levy_fitted_quote *at = NULL;
    levy_svg_open(out, false, sheet.width, sheet.height, "smile",
                  "Volatilities of quotes against their strikes, a box per expiry, and the fitted "
                  "model's as lines.");
    for (size_t k = 0; k < n; ++k) {
        smile_panel panel = {.first = at = smile_next(facts, quotes, at)};
        const plot_box box = levy_plot_sheet_box(&sheet, k);
        for (size_t i = 0; i < facts->quotes; ++i)
            if (smile_compare(&quotes[i], at) == 0)
                smile_add(&panel, &quotes[i], facts->has_errors != 0);
        smile_draw(out, &panel, &box, strcmp(facts->asset, at->asset) != 0);
    }
    snprintf(text, sizeof text, "line: %s fitted to %.60s; marks: quotes%s", facts->model,
             facts->asset, facts->has_errors ? ", with half of their spread" : "");
    levy_svg_words(out, (svg_point){sheet.margin.left, sheet.foot + 8.0}, "start", 12, SVG_QUIET,
                   text);
    levy_svg_close(out);
}
