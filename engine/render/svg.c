/* svg.c: see svg.h. Colours: M. Okabe, K. Ito, "Color universal design" (2008), told apart by the
 * colour-blind. */
#include "engine/render/svg.h"

#include "engine/base/number.h"

#include <stdio.h>
#include <string.h>

static void svg_number(levy_text_out *out, const char *before, double value)
{
    char text[32];
    levy_text_put(out, before);
    levy_number_write_fixed(value, 2, text, sizeof text);
    levy_text_put(out, text);
}

static void svg_count(levy_text_out *out, const char *before, int value)
{
    levy_text_put(out, before);
    levy_text_put_count(out, (uint64_t)value);
}

void levy_svg_open(levy_text_out *out, bool embedded, double width, double height,
                   const char *title, const char *description)
{
    if (!embedded) levy_text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    levy_text_put(out, embedded ? "<svg" : "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    svg_number(out, " width=\"", width);
    svg_number(out, "\" height=\"", height);
    svg_number(out, "\" viewBox=\"0 0 ", width);
    svg_number(out, " ", height);
    levy_text_put(out, "\" font-family=\"sans-serif\" role=\"img\">\n<title>");
    levy_text_put_xml(out, title);
    levy_text_put(out, "</title>\n<desc>");
    levy_text_put_xml(out, description);
    levy_text_put(out, "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"" SVG_PAPER "\"/>\n");
}

void levy_svg_close(levy_text_out *out) { levy_text_put(out, "</svg>\n"); }

static void svg_title(levy_text_out *out, const char *title)
{
    levy_text_put(out, "<title>");
    levy_text_put_xml(out, title);
    levy_text_put(out, "</title>");
}

void levy_svg_group(levy_text_out *out, const char *class, const char *title)
{
    levy_text_put(out, "<g class=\"");
    levy_text_put_xml(out, class);
    levy_text_put(out, "\">");
    if (title) svg_title(out, title);
    levy_text_put(out, "\n");
}

void levy_svg_group_end(levy_text_out *out) { levy_text_put(out, "</g>\n"); }

void levy_svg_line(levy_text_out *out, svg_point from, svg_point to, const char *style)
{
    svg_number(out, "<line x1=\"", from.x);
    svg_number(out, "\" y1=\"", from.y);
    svg_number(out, "\" x2=\"", to.x);
    svg_number(out, "\" y2=\"", to.y);
    LEVY_TEXT_PUT(out, "\" ", style, "/>\n");
}

static void svg_points(levy_text_out *out, const svg_point *points, size_t n)
{
    levy_text_put(out, " points=\"");
    for (size_t i = 0; i < n; ++i) {
        svg_number(out, i ? " " : "", points[i].x);
        svg_number(out, ",", points[i].y);
    }
    levy_text_put(out, "\"/>\n");
}

void levy_svg_polyline(levy_text_out *out, const svg_point *points, size_t n, const char *color,
                       const char *style)
{
    levy_text_put(
        out, "<polyline fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke=\"");
    LEVY_TEXT_PUT(out, color, *style ? "\" " : "\"", style);
    svg_points(out, points, n);
}

void levy_svg_polygon(levy_text_out *out, const svg_point *points, size_t n, const char *style)
{
    LEVY_TEXT_PUT(out, "<polygon ", style);
    svg_points(out, points, n);
}

void levy_svg_rectangle(levy_text_out *out, svg_point corner, double width, double height,
                        const char *style)
{
    svg_number(out, "<rect x=\"", corner.x);
    svg_number(out, "\" y=\"", corner.y);
    svg_number(out, "\" width=\"", width);
    svg_number(out, "\" height=\"", height);
    LEVY_TEXT_PUT(out, "\" ", style, "/>\n");
}

void levy_svg_text(levy_text_out *out, svg_point at, const char *anchor, int size,
                   const char *style, const char *text, const char *raised)
{
    svg_number(out, "<text x=\"", at.x);
    svg_number(out, "\" y=\"", at.y);
    svg_count(out, "\" font-size=\"", size);
    LEVY_TEXT_PUT(out, "\" text-anchor=\"", anchor, "\" ", style, ">");
    levy_text_put_xml(out, text);
    if (raised) {
        svg_count(out, "<tspan dy=\"-", size * 2 / 5);
        svg_count(out, "\" font-size=\"", size * 3 / 4);
        levy_text_put(out, "\">");
        levy_text_put_xml(out, raised);
        levy_text_put(out, "</tspan>");
    }
    levy_text_put(out, "</text>\n");
}

void levy_svg_words(levy_text_out *out, svg_point at, const char *anchor, int size,
                    const char *color, const char *text)
{
    char style[32];
    snprintf(style, sizeof style, "fill=\"%s\"", color);
    levy_svg_text(out, at, anchor, size, style, text, NULL);
}

void levy_svg_text_turned(levy_text_out *out, svg_point at, int degrees, const char *anchor,
                          int size, const char *text)
{
    char turn[32];
    snprintf(turn, sizeof turn, ") rotate(%d)\" font-size=\"", degrees);
    svg_number(out, "<text transform=\"translate(", at.x);
    svg_number(out, ",", at.y);
    svg_count(out, turn, size);
    LEVY_TEXT_PUT(out, "\" text-anchor=\"", anchor, "\" fill=\"" SVG_INK "\">");
    levy_text_put_xml(out, text);
    levy_text_put(out, "</text>\n");
}

/* ---- Series ---- */

const char *levy_svg_color(size_t series)
{
    static const char *const colors[LEVY_SVG_MARKERS] = {
        "#0072b2", "#d55e00", "#009e73", "#000000", "#cc79a7", "#e69f00", "#56b4e9", "#666666"};
    return colors[series % LEVY_SVG_MARKERS];
}

/* Shapes around the origin, and whether they are filled. */
static const struct {
    const char *path, *paint;
} svg_markers[LEVY_SVG_MARKERS] = {{"M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "solid"},
                                   {"M-3.6,-3.6h7.2v7.2h-7.2z", "open"},
                                   {"M0,-4.8l4.6,8h-9.2z", "solid"},
                                   {"M0,-5.2l5.2,5.2l-5.2,5.2l-5.2,-5.2z", "open"},
                                   {"M-3.8,-3.8l7.6,7.6M-3.8,3.8l7.6,-7.6", "stroke"},
                                   {"M-3.6,-3.6h7.2v7.2h-7.2z", "solid"},
                                   {"M0,4.8l4.6,-8h-9.2z", "open"},
                                   {"M0,-5.2l5.2,5.2l-5.2,5.2l-5.2,-5.2z", "solid"}};

void levy_svg_marker(levy_text_out *out, svg_point at, size_t series, const char *color,
                     const char *title)
{
    const char *paint = svg_markers[series % LEVY_SVG_MARKERS].paint;
    const char *fill = strcmp(paint, "solid") == 0 ? color : "none";
    if (strcmp(paint, "open") == 0) fill = SVG_PAPER;
    svg_number(out, "<path transform=\"translate(", at.x);
    svg_number(out, ",", at.y);
    LEVY_TEXT_PUT(out, ")\" stroke-width=\"1.6\" stroke=\"", color, "\" fill=\"", fill, "\" d=\"",
                  svg_markers[series % LEVY_SVG_MARKERS].path, title ? "\">" : "\"/>\n");
    if (!title) return;
    svg_title(out, title);
    levy_text_put(out, "</path>\n");
}
