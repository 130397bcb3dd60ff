/* plot_grid.c: profit and loss in scenarios: a grid of two shifts as a heat map with the numbers in
 * its cells, blue for gains, orange for losses, white at 0; all other scenarios as bars with
 * whiskers of two standard errors. A point of a grid is known by its scenario's id,
 * "ladder[-0.1,0.05]". */
#include "engine/render/plot_results.h"
#include "engine/render/plot_scenarios.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID_MOST = 24, GRID_SIDE = 40, GRID_COORDINATE = 32 };
static const double grid_row = 26.0, grid_left = 150.0, grid_head = 74.0, grid_foot = 26.0;

/* Points of one heat map: the same trade, grid and further coordinates. */
typedef struct grid_map {
    const levy_trade_result *trade;
    const char *id; /* of its first point */
    size_t name, n_rows, n_columns;
    const char *rest;
    plot_coordinate rows[GRID_SIDE], columns[GRID_SIDE];
    double values[GRID_SIDE][GRID_SIDE]; /* NaN: none */
    double most;                         /* the largest size */
    bool cut;                            /* an axis has more than is shown */
} grid_map;

static size_t grid_place(plot_coordinate *list, size_t *n, const plot_coordinate *at)
{
    for (size_t i = 0; i < *n; ++i)
        if (list[i].length == at->length && strncmp(list[i].text, at->text, at->length) == 0)
            return i;
    if (*n == GRID_SIDE) return SIZE_MAX;
    list[*n] = *at;
    return (*n)++;
}

/* Whether the measure is a point of the map; it is then placed. */
static bool grid_add(grid_map *map, const levy_measure *m)
{
    plot_coordinate at[2];
    size_t name;
    const char *rest;
    if (!levy_plot_is_pnl(m) || levy_plot_split(m->factor, &name, at, &rest) < 2) return false;
    if (!map->id) {
        map->id = m->factor;
        map->name = name;
        map->rest = rest;
    }
    if (name != map->name || strncmp(m->factor, map->id, name) != 0 || strcmp(rest, map->rest) != 0)
        return false;
    const size_t r = grid_place(map->rows, &map->n_rows, &at[0]),
                 c = grid_place(map->columns, &map->n_columns, &at[1]);
    if (r == SIZE_MAX || c == SIZE_MAX) return map->cut = true;
    map->values[r][c] = m->value;
    if (fabs(m->value) > map->most) map->most = fabs(m->value);
    return true;
}

/* Whether two measures are points of one map. */
static bool grid_is_same(const levy_measure *a, const levy_measure *b)
{
    plot_coordinate at[2];
    size_t names[2] = {0, 0};
    const char *rests[2];
    return levy_plot_is_pnl(a) && levy_plot_is_pnl(b) &&
           levy_plot_split(a->factor, &names[0], at, &rests[0]) > 1 &&
           levy_plot_split(b->factor, &names[1], at, &rests[1]) > 1 && names[0] == names[1] &&
           strncmp(a->factor, b->factor, names[0]) == 0 && strcmp(rests[0], rests[1]) == 0;
}

/* The map whose first point is measure k; false: that is no first point. */
static bool grid_map_at(const levy_trade_result *trade, size_t k, grid_map *map)
{
    for (size_t i = 0; i < k; ++i)
        if (grid_is_same(&trade->measures[i], &trade->measures[k])) return false;
    *map = (grid_map){.trade = trade};
    for (size_t r = 0; r < GRID_SIDE; ++r)
        for (size_t c = 0; c < GRID_SIDE; ++c) map->values[r][c] = NAN;
    if (!grid_add(map, &trade->measures[k])) return false;
    for (size_t i = k + 1; i < trade->n_measures; ++i) (void)grid_add(map, &trade->measures[i]);
    return true;
}

/* ---- Heat maps ---- */

static void grid_color(double share, char color[8])
{
    static const int middle[3] = {0xf7, 0xf7, 0xf6}, gain[3] = {0x01, 0x72, 0xb2},
                     loss[3] = {0xd5, 0x5e, 0x00};
    const int *const end = share < 0.0 ? loss : gain;
    const double size = fabs(share) < 1.0 ? fabs(share) : 1.0;
    int mixed[3];
    for (int i = 0; i < 3; ++i) mixed[i] = (int)(middle[i] + size * (end[i] - middle[i]) + 0.5);
    snprintf(color, 8, "#%02x%02x%02x", (unsigned)mixed[0], (unsigned)mixed[1], (unsigned)mixed[2]);
}

static void grid_cell(levy_text_out *out, const grid_map *map, size_t r, size_t c, svg_point corner,
                      double width)
{
    char color[8], style[64], number[PLOT_LABEL];
    const double value = map->values[r][c], share = map->most > 0.0 ? value / map->most : 0.0;
    const svg_point at = {corner.x + 0.5 * width, corner.y + 17};
    if (isnan(value)) {
        levy_svg_rectangle(out, corner, width, grid_row, "fill=\"" SVG_FAINT "\"");
        levy_svg_words(out, at, "middle", 11, SVG_QUIET, "none");
        return;
    }
    grid_color(share, color);
    snprintf(style, sizeof style, "fill=\"%s\"", color);
    levy_svg_rectangle(out, corner, width, grid_row, style);
    /* not the page's ink: a cell keeps its colours in the dark */
    levy_svg_words(out, at, "middle", 11, fabs(share) > 0.55 ? "#fefefe" : "#010101",
                   levy_number_shown(value, 3, number));
}

/* Axis k of the map's grid; NULL: not known. */
static const levy_grid_axis *grid_axis(const levy_report *report, const grid_map *map, size_t k)
{
    for (size_t i = 0; i < report->n_points; ++i)
        if (strcmp(report->points[i].id, map->id) == 0)
            return k < report->points[i].n_axes ? &report->points[i].axes[k] : NULL;
    return NULL;
}

/* "SPX.spot, relative" */
static void grid_put_axis(levy_text_out *out, const levy_grid_axis *axis, svg_point at,
                          size_t width)
{
    char text[2 * PLOT_LABEL], cut[PLOT_LABEL];
    if (!axis) return;
    snprintf(text, sizeof text, "%.150s, %s", axis->factor,
             axis->relative ? "relative" : "absolute");
    levy_svg_words(out, at, "start", 11, SVG_QUIET, levy_plot_cut(text, width, cut));
}

/* A coordinate as it is written; of a relative shift in per cent. */
static const char *grid_label(const plot_coordinate *at, const levy_grid_axis *axis,
                              char text[PLOT_LABEL])
{
    double value;
    char number[PLOT_LABEL];
    const size_t length = at->length < GRID_COORDINATE ? at->length : GRID_COORDINATE;
    snprintf(text, PLOT_LABEL, "%.*s", (int)length, at->text);
    if (levy_number_read(at->text, at->length, &value) != LEVY_NUMBER_OK) return text;
    const bool relative = axis && axis->relative;
    char shown[LEVY_NUMBER_SIZE];
    levy_number_write(relative ? 1e-6 * (double)(int64_t)(fabs(value) * 1e8 + 0.5) : fabs(value),
                      shown);
    const char *sign = value > 0.0 ? "+" : "";
    if (value < 0.0) sign = "\xe2\x88\x92";
    snprintf(number, sizeof number, "%s%s%s", sign, shown, relative ? " %" : "");
    return strcpy(text, number);
}

static double grid_cell_width(const grid_map *map)
{
    const double room = (736.0 - grid_left) / (double)map->n_columns;
    if (room > 92.0) return 92.0;
    return room < 52.0 ? 52.0 : room;
}

static void grid_draw_labels(levy_text_out *out, const levy_report *report, const grid_map *map,
                             double top, double width)
{
    char text[PLOT_LABEL];
    const levy_grid_axis *const down = grid_axis(report, map, 0);
    const levy_grid_axis *const across = grid_axis(report, map, 1);
    for (size_t r = 0; r < map->n_rows; ++r)
        levy_svg_words(out, (svg_point){grid_left - 8, top + grid_row * (double)r + 17}, "end", 12,
                       SVG_INK, grid_label(&map->rows[r], down, text));
    for (size_t c = 0; c < map->n_columns; ++c)
        levy_svg_words(out, (svg_point){grid_left + width * ((double)c + 0.5), top - 6}, "middle",
                       12, SVG_INK, grid_label(&map->columns[c], across, text));
    grid_put_axis(out, down, (svg_point){24, top - 6}, 21);
    grid_put_axis(out, across, (svg_point){grid_left, top - 24}, 60);
}

/* Returns the height that it took. */
static double grid_draw_map(levy_text_out *out, const levy_report *report, const grid_map *map,
                            double y)
{
    char title[3 * PLOT_LABEL], cut[PLOT_LABEL];
    const double width = grid_cell_width(map), top = y + grid_head;
    const int name = map->name < 60 ? (int)map->name : 60;
    snprintf(title, sizeof title, "%.80s: %.*s%s%.*s (%s%s)", map->trade->id, name, map->id,
             map->rest[0] == ',' ? " " : "", (int)strcspn(map->rest, "]"), map->rest,
             map->trade->currency, map->cut ? ", 40 values of an axis" : "");
    levy_svg_text(out, (svg_point){24, y + 24}, "start", 14,
                  "fill=\"" SVG_INK "\" font-weight=\"bold\"", levy_plot_cut(title, 80, cut), NULL);
    levy_svg_group(out, "map", NULL);
    for (size_t r = 0; r < map->n_rows; ++r)
        for (size_t c = 0; c < map->n_columns; ++c)
            grid_cell(out, map, r, c,
                      (svg_point){grid_left + width * (double)c, top + grid_row * (double)r},
                      width);
    levy_svg_group_end(out);
    grid_draw_labels(out, report, map, top, width);
    return grid_head + grid_row * (double)map->n_rows + grid_foot;
}

/* ---- The whole ---- */

/* Draws, or with `out` NULL only measures, all maps and bars. Returns the height. */
static double grid_all(levy_text_out *out, const levy_report *report, const char *trade,
                       double *width)
{
    double y = 0.0;
    size_t shown = 0;
    for (size_t i = 0; i < report->n_trades; ++i) {
        const levy_trade_result *const result = &report->trades[i];
        const levy_measure *bars[PLOT_BARS];
        if (!levy_plot_takes(result, trade) || shown >= GRID_MOST) continue;
        const size_t n = levy_plot_bars(result, bars);
        if (n && out) levy_plot_bars_draw(out, result, bars, n, y);
        if (n) y += levy_plot_bars_height(n);
        shown += n > 0;
        for (size_t k = 0; k < result->n_measures && shown < GRID_MOST; ++k) {
            grid_map map;
            if (!levy_plot_is_pnl(&result->measures[k]) || !grid_map_at(result, k, &map)) continue;
            const double right = grid_left + grid_cell_width(&map) * (double)map.n_columns + 24.0;
            if (out) (void)grid_draw_map(out, report, &map, y);
            y += grid_head + grid_row * (double)map.n_rows + grid_foot;
            if (right > *width) *width = right;
            ++shown;
        }
    }
    return y;
}

bool levy_plot_grid(levy_text_out *out, const levy_report *report, const char *trade, bool embedded)
{
    double width = 760.0;
    const double height = grid_all(NULL, report, trade, &width);
    if (!(height > 0.0)) return false;
    levy_svg_open(out, embedded, width, height, "scenarios",
                  "Profit or loss of each trade in scenarios: grids of two shifts as heat maps, "
                  "blue for gains and orange for losses, others as bars with whiskers of two "
                  "standard errors.");
    (void)grid_all(out, report, trade, &width);
    levy_svg_close(out);
    return true;
}
