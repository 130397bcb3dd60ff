/* svg.c: see svg.h. Colours: M. Okabe, K. Ito, "Color universal design" (2008), told apart by the
 * colour-blind. */
#include "engine/render/svg.h"

#include <stdio.h>
#include <string.h>

static void svg_title(levy_text_out *out, const char *title)
{
    levy_text_put(out, "<title>");
    levy_text_put_xml(out, title);
    levy_text_put(out, "</title>");
}

void levy_svg_open(levy_text_out *out, bool embedded, double width, double height,
                   const char *title, const char *description)
{
    if (!embedded) levy_text_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    levy_text_put(out, embedded ? "<svg" : "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    levy_text_print(out, " width=\"%.2f\" height=\"%.2f\" viewBox=\"0 0 %.2f %.2f\"", width, height,
                    width, height);
    levy_text_put(out, " font-family=\"sans-serif\" role=\"img\">\n");
    svg_title(out, title);
    levy_text_put(out, "\n<desc>");
    levy_text_put_xml(out, description);
    levy_text_put(out, "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"" SVG_PAPER "\"/>\n");
}

void levy_svg_close(levy_text_out *out) { levy_text_put(out, "</svg>\n"); }

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
    levy_text_print(out, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" %s/>\n", from.x,
                    from.y, to.x, to.y, style);
}

static void svg_points(levy_text_out *out, const svg_point *points, size_t n)
{
    levy_text_put(out, " points=\"");
    for (size_t i = 0; i < n; ++i)
        levy_text_print(out, "%s%.2f,%.2f", i ? " " : "", points[i].x, points[i].y);
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
    levy_text_print(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" %s/>\n",
                    corner.x, corner.y, width, height, style);
}

void levy_svg_text(levy_text_out *out, svg_point at, const char *anchor, int size,
                   const char *style, const char *text, const char *raised)
{
    levy_text_print(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%d\" text-anchor=\"%s\" %s>",
                    at.x, at.y, size, anchor, style);
    levy_text_put_xml(out, text);
    if (raised) {
        levy_text_print(out, "<tspan dy=\"-%d\" font-size=\"%d\">", size * 2 / 5, size * 3 / 4);
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
    levy_text_print(out,
                    "<text transform=\"translate(%.2f,%.2f) rotate(%d)\" font-size=\"%d\" "
                    "text-anchor=\"%s\" fill=\"" SVG_INK "\">",
                    at.x, at.y, degrees, size, anchor);
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
    levy_text_print(out,
                    "<path transform=\"translate(%.2f,%.2f)\" stroke-width=\"1.6\" stroke=\"%s\" "
                    "fill=\"%s\" d=\"%s\"%s",
                    at.x, at.y, color, fill, svg_markers[series % LEVY_SVG_MARKERS].path,
                    title ? ">" : "/>\n");
    if (!title) return;
    svg_title(out, title);
    levy_text_put(out, "</path>\n");
}
