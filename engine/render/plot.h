/* plot.h: what plots are made of: axes with their ticks, bands, whiskers, lines of marks, boxes on
 * a sheet. A value that has no place (NaN, infinite, or not above 0 on a logarithmic axis) leaves a
 * gap; an axis without values, or with one, is still an axis. Must not know: what is plotted. */
#ifndef LEVY_RENDER_PLOT_H
#define LEVY_RENDER_PLOT_H

#include "engine/render/svg.h"

enum { PLOT_LABEL = LEVY_SHOWN_SIZE };

/* ---- Axes ---- */

typedef enum plot_scale { PLOT_LINEAR, PLOT_LOG10, PLOT_LOG2 } plot_scale;

/* low and high: the ends, logarithms if the scale is one; from and to: their pixels. */
typedef struct plot_axis {
    plot_scale scale;
    double low, high, from, to;
} plot_axis;

/* An axis begins empty, includes values that have a place, and ends with room at both sides: a
 * share of its length. */
plot_axis levy_plot_axis_of(plot_scale scale);
void levy_plot_axis_include(plot_axis *axis, double value);
/* A value and its whiskers of two standard errors. */
void levy_plot_axis_include_estimate(plot_axis *axis, double value, double error);
void levy_plot_axis_finish(plot_axis *axis, double from, double to, double room);

/* The pixel of a logarithm of the axis' scale, or of a value where the scale is linear. */
double levy_plot_pixel(const plot_axis *axis, double scaled);
/* The pixel of a value; NaN: it has no place. */
double levy_plot_at(const plot_axis *axis, double value);
/* The same, but what lies beyond an end, or at or below 0 on a logarithmic axis, is at that end. */
double levy_plot_within(const plot_axis *axis, double value);
/* The logarithm of the axis' scale, or the value. NaN: it has no place. */
double levy_plot_scaled(plot_scale scale, double value);

/* ---- Boxes ---- */

typedef struct plot_box {
    double left, top, right, bottom;
} plot_box;

/* n boxes of one figure: one is wide, several are small multiples, side by side. `foot`: room below
 * them all, for a legend. */
typedef struct plot_sheet {
    size_t n, columns;
    double width, height; /* of the figure */
    double foot;          /* where the room below begins */
    plot_box margin;      /* left, top, right and bottom of a box within its cell */
    double cell_width, cell_height;
} plot_sheet;

plot_sheet levy_plot_sheet_of(size_t n, double foot);
plot_box levy_plot_sheet_box(const plot_sheet *sheet, size_t index);

/* Lines of ticks and their numbers below and to the left of the box, and what is measured. */
void levy_plot_x_axis(levy_text_out *out, const plot_axis *axis, const plot_box *box,
                      const char *title);
void levy_plot_y_axis(levy_text_out *out, const plot_axis *axis, const plot_box *box,
                      const char *title);
/* The title of what lies along the x axis. */
void levy_plot_below(levy_text_out *out, const plot_box *box, const char *title);
void levy_plot_frame(levy_text_out *out, const plot_box *box);
/* Title and a quieter line above the box, from `left` on, cut to the width. */
void levy_plot_head(levy_text_out *out, const plot_box *box, double left, const char *title,
                    const char *line);
/* The name of a row that has its marks at height y, `gap` left of the box, cut to `letters`. */
void levy_plot_row_name(levy_text_out *out, const plot_box *box, double y, double gap,
                        const char *name, size_t letters);
/* A line across the box where the axis is 0: upright where bars lie. */
void levy_plot_zero(levy_text_out *out, const plot_axis *axis, const plot_box *box, bool lying);

/* ---- Marks ---- */

typedef struct plot_series {
    size_t n;
    const double *x, *y;
    size_t number;     /* colour and marker */
    const char *style; /* of the line; "": plain */
    bool plain;        /* a line without marks */
} plot_series;

void levy_plot_line(levy_text_out *out, const plot_axis *x, const plot_axis *y,
                    const plot_series *series);
/* The area between two lines. */
void levy_plot_band(levy_text_out *out, const plot_axis *x, const plot_axis *y, size_t n,
                    const double *at, const double *low, const double *high, const char *color);
/* From low to high at a pixel: upright, or lying if `lying`. */
void levy_plot_whisker(levy_text_out *out, const plot_axis *axis, double pixel, double low,
                       double high, const char *color, bool lying);
/* A bar from 0 to the value of a measure, blue for gains, `width` pixels wide around `middle`, with
 * a whisker of two standard errors and "name: value +- error" as its title. */
void levy_plot_bar(levy_text_out *out, const plot_axis *axis, double middle, double width,
                   const levy_measure *measure, const char *name, bool lying);

/* ---- Texts ---- */

/* The first `letters` letters of an UTF-8 text, with an ellipsis if there are more. */
const char *levy_plot_cut(const char *text, size_t letters, char cut[PLOT_LABEL]);
/* "1.234 +- 0.021": the value to `digits` digits, its error to two. */
enum { PLOT_ESTIMATE = 2 * PLOT_LABEL + 8 };
const char *levy_plot_estimate(double value, double error, int digits, char text[PLOT_ESTIMATE]);
/* "95 %" of 0.95, with the digits that it has, up to six. */
const char *levy_plot_percent(double share, char text[PLOT_LABEL]);

#endif
