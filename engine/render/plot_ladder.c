/* plot_ladder.c: vega and rho by node: bars with whiskers of two standard errors, a box per trade
 * and owner of the nodes. */
#include "engine/render/plot.h"
#include "engine/render/plot_results.h"

#include <stdio.h>
#include <string.h>

enum { LADDER_MOST = 48, LADDER_OWNER = 96 };

/* Neighbours among a trade's measures: nodes of one asset or curve. */
typedef struct ladder_box {
    const levy_trade_result *trade;
    const levy_measure *first;
    size_t n, owner; /* nodes; length of the owner's name in the factor, "SPX.volatility" */
} ladder_box;

/* The length of the factor before its node; 0: it is no node's. */
static size_t ladder_owner(const levy_measure *measure)
{
    const char *const bracket = strchr(measure->factor, '[');
    if (!bracket || !strstr(measure->measure, "_by_node")) return 0;
    return (size_t)(bracket - measure->factor);
}

static bool ladder_continues(const ladder_box *box, const levy_measure *next)
{
    return ladder_owner(next) == box->owner && strcmp(next->measure, box->first->measure) == 0 &&
           strncmp(next->factor, box->first->factor, box->owner) == 0;
}

static size_t ladder_boxes(const levy_report *report, const char *trade,
                           ladder_box boxes[LADDER_MOST])
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_trades; ++i) {
        const levy_trade_result *const result = &report->trades[i];
        if (!levy_plot_takes(result, trade)) continue;
        for (size_t k = 0; k < result->n_measures && n < LADDER_MOST;) {
            ladder_box box = {result, &result->measures[k], 0, ladder_owner(&result->measures[k])};
            if (!box.owner) {
                ++k;
                continue;
            }
            for (; k < result->n_measures && ladder_continues(&box, &result->measures[k]); ++k)
                ++box.n;
            boxes[n++] = box;
        }
    }
    return n;
}

static plot_axis ladder_axis(const ladder_box *ladder, const plot_box *box)
{
    plot_axis axis = levy_plot_axis_of(PLOT_LINEAR);
    levy_plot_axis_include(&axis, 0.0);
    for (size_t i = 0; i < ladder->n; ++i)
        levy_plot_axis_include_estimate(&axis, ladder->first[i].value, ladder->first[i].std_error);
    levy_plot_axis_finish(&axis, box->bottom, box->top, 0.06);
    return axis;
}

/* "2027-11-20" of "SPX.volatility[2027-11-20]". */
static const char *ladder_node(const levy_measure *measure, size_t owner, char node[PLOT_LABEL])
{
    levy_plot_cut(measure->factor + owner + 1, 14, node);
    char *const end = strchr(node, ']');
    if (end) *end = '\0';
    return node;
}

static void ladder_bar(levy_text_out *out, const ladder_box *ladder, size_t i, bool turned,
                       const plot_axis *axis, const plot_box *box)
{
    char node[PLOT_LABEL];
    const levy_measure *const m = &ladder->first[i];
    const double step = (box->right - box->left) / (double)ladder->n;
    const double middle = box->left + step * ((double)i + 0.5);
    ladder_node(m, ladder->owner, node);
    levy_plot_bar(out, axis, middle, step < 60 ? 0.7 * step : 42, m, node, false);
    if (turned)
        levy_svg_text_turned(out, (svg_point){middle + 4, box->bottom + 14}, -40, "end", 11, node);
    else
        levy_svg_words(out, (svg_point){middle, box->bottom + 18}, "middle", 12, SVG_INK, node);
}

/* Whether the names of the nodes are too long to lie side by side. */
static bool ladder_turns(const ladder_box *ladder, const plot_box *box)
{
    const double step = (box->right - box->left) / (double)ladder->n;
    for (size_t i = 0; i < ladder->n; ++i)
        if (7.2 * (double)strlen(ladder->first[i].factor + ladder->owner) > step) return true;
    return false;
}

static void ladder_draw(levy_text_out *out, const ladder_box *ladder, const plot_box *box)
{
    char title[2 * PLOT_LABEL], name[PLOT_LABEL];
    const plot_axis axis = ladder_axis(ladder, box);
    const bool of_vegas = strncmp(ladder->first->measure, "vega", 4) == 0;
    levy_plot_y_axis(out, &axis, box, of_vegas ? "vega per 1.00" : "rho per 1.00");
    const bool turned = ladder_turns(ladder, box);
    for (size_t i = 0; i < ladder->n; ++i) ladder_bar(out, ladder, i, turned, &axis, box);
    if (!turned) levy_plot_below(out, box, "node");
    levy_plot_zero(out, &axis, box, false);
    levy_plot_frame(out, box);
    snprintf(name, sizeof name, "%.*s",
             (int)(ladder->owner < LADDER_OWNER ? ladder->owner : LADDER_OWNER),
             ladder->first->factor);
    snprintf(title, sizeof title, "%s by node (%s)", name, ladder->trade->currency);
    levy_plot_head(out, box, box->left, ladder->trade->id, title);
}

bool levy_plot_ladder(levy_text_out *out, const levy_report *report, const char *trade,
                      bool embedded)
{
    ladder_box boxes[LADDER_MOST];
    const size_t n = ladder_boxes(report, trade, boxes);
    plot_sheet sheet = levy_plot_sheet_of(n, 26.0);
    if (n == 0) return false;
    for (size_t i = 0; i < n; ++i) {
        const plot_box box = levy_plot_sheet_box(&sheet, i);
        if (ladder_turns(&boxes[i], &box)) sheet.margin.bottom = n > 1 ? 78.0 : 80.0;
    }
    levy_svg_open(out, embedded, sheet.width, sheet.height, "ladder",
                  "Vega and rho by node, a bar each, with whiskers of two standard errors.");
    for (size_t i = 0; i < n; ++i) {
        const plot_box box = levy_plot_sheet_box(&sheet, i);
        ladder_draw(out, &boxes[i], &box);
    }
    levy_svg_words(out, (svg_point){sheet.margin.left, sheet.foot + 12.0}, "start", 12, SVG_QUIET,
                   n == LADDER_MOST ? "whiskers: 2 standard errors; the first 48 boxes"
                                    : "whiskers: 2 standard errors");
    levy_svg_close(out);
    return true;
}
