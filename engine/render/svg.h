/* svg.h: the shapes of a plot, as SVG 1.1 text: lines, polylines, texts with superscripts, markers.
 * Coordinates are pixels from the top left. Must not know: what is plotted. */
#ifndef LEVY_RENDER_SVG_H
#define LEVY_RENDER_SVG_H

#include "engine/report/report.h"

typedef struct svg_point {
    double x, y;
} svg_point;

/* The neutral colours. A page that embeds plots gives each of them its counterpart in the dark
 * (page_style.c), so no other grey may occur. */
#define SVG_INK "#000000"
#define SVG_QUIET "#444444"
#define SVG_RULE "#dcdcdc"
#define SVG_FAINT "#ececec"
#define SVG_PAPER "#ffffff"

/* A file of its own begins with the XML declaration, a picture in a page does not. `title` and
 * `description` are for readers that see no picture. */
void levy_svg_open(levy_text_out *out, bool embedded, double width, double height,
                   const char *title, const char *description);
void levy_svg_close(levy_text_out *out);
/* A group of shapes of one class, with a title that browsers show (NULL: none). */
void levy_svg_group(levy_text_out *out, const char *class, const char *title);
void levy_svg_group_end(levy_text_out *out);

/* style: attributes such as "stroke=\"#ccc\"". */
void levy_svg_line(levy_text_out *out, svg_point from, svg_point to, const char *style);
/* style: further attributes, such as "stroke-dasharray=\"1 3\""; "": none */
void levy_svg_polyline(levy_text_out *out, const svg_point *points, size_t n, const char *color,
                       const char *style);
void levy_svg_polygon(levy_text_out *out, const svg_point *points, size_t n, const char *style);
void levy_svg_rectangle(levy_text_out *out, svg_point corner, double width, double height,
                        const char *style);

/* The fill of an area that says where something lies, and a line that is no data. */
#define SVG_BAND "fill=\"" SVG_RULE "\" fill-opacity=\"0.7\""
#define SVG_DASHED "stroke-dasharray=\"6 4\""

/* `text` is escaped; `raised` (NULL: none) follows as a superscript. anchor: start, middle or end.
 */
void levy_svg_text(levy_text_out *out, svg_point at, const char *anchor, int size,
                   const char *style, const char *text, const char *raised);
/* The same with a colour alone. */
void levy_svg_words(levy_text_out *out, svg_point at, const char *anchor, int size,
                    const char *color, const char *text);
/* Turned by `degrees` around the point. */
void levy_svg_text_turned(levy_text_out *out, svg_point at, int degrees, const char *anchor,
                          int size, const char *text);

/* Shape and fill tell series apart without colour: circle, open square, triangle, open diamond,
 * cross, ... title: what browsers show of it; NULL: nothing. */
enum { LEVY_SVG_MARKERS = 8 };
void levy_svg_marker(levy_text_out *out, svg_point at, size_t series, const char *color,
                     const char *title);
const char *levy_svg_color(size_t series);

#endif
