/* plot_marks.c: boxes on a sheet, lines, bands, whiskers and short texts. See plot.h. */
#include "engine/render/plot.h"

#include "engine/base/number.h"
#include "engine/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Boxes ---- */

plot_sheet levy_plot_sheet_of(size_t n, double foot)
{
    plot_sheet sheet = {.n = n, .columns = 1, .cell_width = 760, .cell_height = 500};
    sheet.margin = (plot_box){82, 66, 60, 56};
    if (n > 1) {
        sheet.columns = n == 2 || n == 4 ? 2 : 3;
        sheet.cell_width = 380;
        sheet.cell_height = 300;
        sheet.margin = (plot_box){78, 50, 18, 54};
    }
    const size_t rows = n ? (n - 1) / sheet.columns + 1 : 1;
    sheet.width = sheet.cell_width * (double)sheet.columns;
    sheet.foot = sheet.cell_height * (double)rows;
    sheet.height = sheet.foot + foot;
    return sheet;
}

plot_box levy_plot_sheet_box(const plot_sheet *sheet, size_t index)
{
    const double x = sheet->cell_width * (double)(index % sheet->columns),
                 y = sheet->cell_height * (double)(index / sheet->columns);
    return (plot_box){x + sheet->margin.left, y + sheet->margin.top,
                      x + sheet->cell_width - sheet->margin.right,
                      y + sheet->cell_height - sheet->margin.bottom};
}

void levy_plot_below(levy_text_out *out, const plot_box *box, const char *title)
{
    levy_svg_words(out, (svg_point){0.5 * (box->left + box->right), box->bottom + 38}, "middle", 12,
                   SVG_INK, title);
}

void levy_plot_frame(levy_text_out *out, const plot_box *box)
{
    levy_svg_rectangle(out, (svg_point){box->left, box->top}, box->right - box->left,
                       box->bottom - box->top, "fill=\"none\" stroke=\"" SVG_INK "\"");
}

void levy_plot_head(levy_text_out *out, const plot_box *box, double left, const char *title,
                    const char *line)
{
    char cut[PLOT_LABEL];
    const bool wide = box->right - left > 400.0;
    const int size = wide ? 16 : 14;
    const int small = wide ? 13 : 11;
    const double room = box->right - left + (wide ? 40.0 : 8.0);
    levy_svg_text(out, (svg_point){left, box->top - (wide ? 36 : 24)}, "start", size,
                  "fill=\"" SVG_INK "\" font-weight=\"bold\"",
                  levy_plot_cut(title, (size_t)(room / (0.62 * size)), cut), NULL);
    if (line && *line)
        levy_svg_words(out, (svg_point){left, box->top - (wide ? 16 : 9)}, "start", small,
                       SVG_QUIET, levy_plot_cut(line, (size_t)(room / (0.6 * small)), cut));
}

void levy_plot_row_name(levy_text_out *out, const plot_box *box, double y, double gap,
                        const char *name, size_t letters)
{
    char cut[PLOT_LABEL];
    levy_svg_words(out, (svg_point){box->left - gap, y + 4}, "end", 12, SVG_INK,
                   levy_plot_cut(name, letters, cut));
}

void levy_plot_zero(levy_text_out *out, const plot_axis *axis, const plot_box *box, bool lying)
{
    const double zero = levy_plot_at(axis, 0.0);
    levy_svg_line(out, lying ? (svg_point){zero, box->top} : (svg_point){box->left, zero},
                  lying ? (svg_point){zero, box->bottom} : (svg_point){box->right, zero},
                  "stroke=\"" SVG_INK "\"");
}

/* ---- Marks ---- */

/* Where point i of a series lies. False: it has no place. */
static bool marks_point(const plot_axis *x, const plot_axis *y, double at, double value,
                        svg_point *point)
{
    *point = (svg_point){levy_plot_at(x, at), levy_plot_at(y, value)};
    return !isnan(point->x) && !isnan(point->y);
}

enum { MARKS_RUN = 512 };

void levy_plot_line(levy_text_out *out, const plot_axis *x, const plot_axis *y,
                    const plot_series *s)
{
    svg_point points[MARKS_RUN];
    size_t n = 0;
    for (size_t i = 0; i <= s->n; ++i) {
        const bool there =
            i < s->n && n < MARKS_RUN && marks_point(x, y, s->x[i], s->y[i], &points[n]);
        if (there) ++n;
        if (there && i + 1 < s->n) continue;
        if (n > 1) levy_svg_polyline(out, points, n, levy_svg_color(s->number), s->style);
        n = 0;
    }
    for (size_t i = 0; !s->plain && i < s->n; ++i) {
        svg_point point;
        if (marks_point(x, y, s->x[i], s->y[i], &point))
            levy_svg_marker(out, point, s->number, levy_svg_color(s->number), NULL);
    }
}

static void marks_area(levy_text_out *out, svg_point *points, size_t n, const char *color)
{
    char style[64];
    for (size_t i = 0; i < n; ++i) points[2 * n - 1 - i] = points[MARKS_RUN * 2 + i];
    snprintf(style, sizeof style, "fill=\"%s\" fill-opacity=\"0.2\" stroke=\"none\"", color);
    if (n > 1) levy_svg_polygon(out, points, 2 * n, style);
}

void levy_plot_band(levy_text_out *out, const plot_axis *x, const plot_axis *y, size_t n,
                    const double *at, const double *low, const double *high, const char *color)
{
    svg_point points[MARKS_RUN * 3]; /* lows, room for the highs backwards, highs */
    size_t run = 0;
    for (size_t i = 0; i < n; ++i) {
        const double pixel = levy_plot_at(x, at[i]), bottom = levy_plot_within(y, low[i]),
                     top = levy_plot_within(y, high[i]);
        if (!isnan(pixel) && !isnan(bottom) && !isnan(top) && run < MARKS_RUN) {
            points[run] = (svg_point){pixel, bottom};
            points[MARKS_RUN * 2 + run++] = (svg_point){pixel, top};
            continue;
        }
        marks_area(out, points, run, color);
        run = 0;
    }
    marks_area(out, points, run, color);
}

void levy_plot_whisker(levy_text_out *out, const plot_axis *axis, double pixel, double low,
                       double high, const char *color, bool lying)
{
    char style[64];
    const double a = levy_plot_within(axis, low), b = levy_plot_within(axis, high);
    if (isnan(a) || isnan(b) || isnan(pixel)) return;
    snprintf(style, sizeof style, "stroke=\"%s\" stroke-width=\"1.1\"", color);
    const svg_point ends[2] = {lying ? (svg_point){a, pixel} : (svg_point){pixel, a},
                               lying ? (svg_point){b, pixel} : (svg_point){pixel, b}};
    const double dx = lying ? 0.0 : 3.0, dy = 3.0 - dx;
    levy_svg_line(out, ends[0], ends[1], style);
    for (size_t i = 0; i < 2; ++i)
        levy_svg_line(out, (svg_point){ends[i].x - dx, ends[i].y - dy},
                      (svg_point){ends[i].x + dx, ends[i].y + dy}, style);
}

void levy_plot_bar(levy_text_out *out, const plot_axis *axis, double middle, double width,
                   const levy_measure *m, const char *name, bool lying)
{
    char style[64], label[PLOT_ESTIMATE + 96], estimate[PLOT_ESTIMATE];
    const double zero = levy_plot_at(axis, 0.0);
    const double end = levy_plot_at(axis, m->value);
    const double from = end < zero ? end : zero, length = fabs(end - zero);
    const double side = middle - 0.5 * width;
    snprintf(label, sizeof label, "%.80s: %s", name,
             levy_plot_estimate(m->value, m->std_error, 6, estimate));
    snprintf(style, sizeof style, "fill=\"%s\" fill-opacity=\"0.75\"",
             levy_svg_color(m->value < 0.0));
    levy_svg_group(out, "bar", label);
    if (!isnan(end) && lying)
        levy_svg_rectangle(out, (svg_point){from, side}, length, width, style);
    else if (!isnan(end))
        levy_svg_rectangle(out, (svg_point){side, from}, width, length, style);
    levy_plot_whisker(out, axis, middle, m->value - 2.0 * m->std_error,
                      m->value + 2.0 * m->std_error, SVG_INK, lying);
    levy_svg_group_end(out);
}

/* ---- Texts ---- */

const char *levy_plot_cut(const char *text, size_t letters, char cut[PLOT_LABEL])
{
    size_t used = 0, left = text ? strlen(text) : 0, n = 0;
    const size_t last = PLOT_LABEL - 8;
    while (left > 0 && n < letters && used < last) {
        uint32_t code;
        size_t length = levy_text_character(text, left, &code);
        if (length == 0) length = 1; /* the writer of XML replaces it */
        memcpy(cut + used, text, length);
        used += length;
        text += length;
        left -= length;
        ++n;
    }
    if (left > 0) {
        while (used > 0 && (cut[used - 1] & 0xc0) == 0x80) --used; /* the last letter gives way */
        if (used > 0) --used;
        memcpy(cut + used, "\xe2\x80\xa6", 3);
        used += 3;
    }
    cut[used] = '\0';
    return cut;
}

const char *levy_plot_estimate(double value, double error, int digits, char text[PLOT_ESTIMATE])
{
    char number[PLOT_LABEL], second[PLOT_LABEL];
    snprintf(text, PLOT_ESTIMATE, "%s \xc2\xb1 %s", levy_number_shown(value, digits, number),
             levy_number_shown(error, 2, second));
    return text;
}

const char *levy_plot_percent(double share, char text[PLOT_LABEL])
{
    char number[96];
    levy_number_write_fixed(100.0 * share, 4, number, sizeof number);
    size_t length = strlen(number);
    while (length > 1 && number[length - 1] == '0') --length;
    if (number[length - 1] == '.') --length;
    snprintf(text, PLOT_LABEL, "%.*s %%", (int)length, number);
    return text;
}
