/* plot_axis.c: axes: where values lie, and ticks at 1, 2 or 5 times a power of ten, or at powers of
 * ten or two. See plot.h. */
#include "engine/render/plot.h"

#include "engine/base/number.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double axis_log10_e = 0.4342944819032518;

double levy_plot_scaled(plot_scale scale, double value)
{
    if (!isfinite(value)) return NAN;
    if (scale == PLOT_LINEAR) return value;
    if (!(value >= 2.3e-308)) return NAN;
    return scale == PLOT_LOG2 ? levy_log2(value) : levy_log(value) * axis_log10_e;
}

plot_axis levy_plot_axis_of(plot_scale scale)
{
    return (plot_axis){.scale = scale, .low = INFINITY, .high = -INFINITY};
}

void levy_plot_axis_include(plot_axis *axis, double value)
{
    const double at = levy_plot_scaled(axis->scale, value);
    if (isnan(at)) return;
    if (at < axis->low) axis->low = at;
    if (at > axis->high) axis->high = at;
}

void levy_plot_axis_include_estimate(plot_axis *axis, double value, double error)
{
    levy_plot_axis_include(axis, value);
    levy_plot_axis_include(axis, value - 2.0 * error);
    levy_plot_axis_include(axis, value + 2.0 * error);
}

void levy_plot_axis_finish(plot_axis *axis, double from, double to, double room)
{
    axis->from = from;
    axis->to = to;
    if (!(axis->low <= axis->high)) axis->low = 0.0, axis->high = 1.0; /* nothing has a place */
    const double size = fabs(axis->low) > fabs(axis->high) ? fabs(axis->low) : fabs(axis->high);
    double width = axis->high - axis->low;
    if (!(width > 1e-12 * size)) { /* one value, in the middle */
        width = axis->scale == PLOT_LINEAR ? 0.2 * size : 1.0;
        if (!(width > 0.0)) width = 1.0;
        axis->low -= 0.5 * width;
        axis->high += 0.5 * width;
    }
    axis->low -= room * width;
    axis->high += room * width;
}

double levy_plot_pixel(const plot_axis *axis, double scaled)
{
    return axis->from + (scaled - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

double levy_plot_at(const plot_axis *axis, double value)
{
    const double scaled = levy_plot_scaled(axis->scale, value);
    return isnan(scaled) ? NAN : levy_plot_pixel(axis, scaled);
}

double levy_plot_within(const plot_axis *axis, double value)
{
    if (isnan(value)) return NAN;
    const double scaled = levy_plot_scaled(axis->scale, value);
    if (isnan(scaled)) return value > 0.0 ? axis->to : axis->from;
    if (scaled < axis->low) return axis->from;
    return scaled > axis->high ? axis->to : levy_plot_pixel(axis, scaled);
}

/* ---- Ticks ---- */

/* What draws a tick: at a value of the axis' scale, with a label (NULL: none) and a raised one. */
typedef struct axis_tick {
    double at;
    const char *label, *raised;
} axis_tick;

typedef struct axis_drawing {
    levy_text_out *out;
    const plot_axis *axis;
    const plot_box *box;
    bool upright;
} axis_drawing;

static void axis_tick_draw(const axis_drawing *d, const axis_tick *tick)
{
    const double p = levy_plot_pixel(d->axis, tick->at);
    const plot_box *const b = d->box;
    const bool up = d->upright;
    const double length = tick->label ? 6.0 : 3.0;
    const svg_point from = up ? (svg_point){b->left, p} : (svg_point){p, b->bottom};
    const svg_point end = up ? (svg_point){from.x + length, p} : (svg_point){p, from.y - length};
    if (tick->at < d->axis->low || tick->at > d->axis->high) return;
    if (tick->label)
        levy_svg_line(d->out, up ? from : (svg_point){p, b->top},
                      up ? (svg_point){b->right, p} : from,
                      up ? "stroke=\"" SVG_RULE "\"" : "stroke=\"" SVG_FAINT "\"");
    levy_svg_line(d->out, from, end, "stroke=\"" SVG_INK "\"");
    if (tick->label)
        levy_svg_text(d->out, up ? (svg_point){from.x - 8, p + 4} : (svg_point){p, from.y + 18},
                      up ? "end" : "middle", 12, "fill=\"" SVG_INK "\"", tick->label, tick->raised);
}

static const char *axis_exponent(int power, char *text, size_t size)
{
    snprintf(text, size, power < 0 ? "\xe2\x88\x92%d" : "%d", abs(power));
    return text;
}

/* Powers of two or ten, each or every second, ... Those of ten have 2 and 5 between them where
 * there are few. */
static void axis_powers(const axis_drawing *d, double least)
{
    const int first = (int)floor(d->axis->low), last = (int)ceil(d->axis->high);
    const bool tens = d->axis->scale == PLOT_LOG10;
    const double unit = fabs(d->axis->to - d->axis->from) / (d->axis->high - d->axis->low);
    const int most = tens ? 10 : 2;
    /* labels of 2 and 5 are for few decades: high above or wide beside those of 1 */
    const double roomy = (d->upright ? 4.0 : 6.0) * least;
    const bool few = d->axis->high - d->axis->low < 2.5;
    int every = 1;
    while (every * unit < least) every *= 2;
    for (int power = first; power <= last; ++power)
        for (int digit = 1; digit < most; ++digit) {
            char label[16], raised[16];
            const double at = power + (digit > 1 ? levy_log(digit) * axis_log10_e : 0.0);
            const bool shown =
                digit == 1 ? power % every == 0 : few && unit > roomy && (digit == 2 || digit == 5);
            if (digit > 1 && unit < 40.0) continue;
            snprintf(label, sizeof label, "%s", tens ? "10" : "2");
            if (digit > 1)
                snprintf(label, sizeof label,
                         "%d\xc3\x97"
                         "10",
                         digit);
            const axis_tick tick = {at, shown ? label : NULL,
                                    axis_exponent(power, raised, sizeof raised)};
            axis_tick_draw(d, &tick);
        }
}

/* 1, 2 or 5 times a power of ten: the least that leaves `least` pixels between ticks. */
static double axis_step(const plot_axis *axis, double least, int *decimals)
{
    static const double steps[] = {1.0, 2.0, 5.0};
    const double width = axis->high - axis->low,
                 wanted = least / fabs(axis->to - axis->from) * width;
    double power = 1.0;
    int exponent = 0;
    while (power > wanted) power /= 10.0, --exponent;
    while (power * 10.0 <= wanted) power *= 10.0, ++exponent;
    size_t i = 0;
    while (i < 3 && steps[i] * power < wanted) ++i;
    if (i == 3) i = 0, power *= 10.0, ++exponent;
    *decimals = exponent < 0 ? -exponent : 0;
    return steps[i] * power;
}

/* The power of a thousand that numbers of an axis leave to its title, so that they stay short. */
static int axis_thousands(const plot_axis *axis)
{
    const double size = fabs(axis->low) > fabs(axis->high) ? fabs(axis->low) : fabs(axis->high);
    int power = 0;
    if (axis->scale != PLOT_LINEAR) return 0;
    for (double s = size; s >= 1e5 && power < 300; s /= 1e3) power += 3;
    for (double s = size; s > 0.0 && s < 1e-2 && power > -300; s *= 1e3) power -= 3;
    return power;
}

static double axis_power_of_ten(int power)
{
    double value = 1.0;
    for (; power > 0; --power) value *= 10.0;
    for (; power < 0; ++power) value /= 10.0;
    return value;
}

static void axis_linear(const axis_drawing *d, double least)
{
    const double unit = axis_power_of_ten(axis_thousands(d->axis));
    const plot_axis shown = {PLOT_LINEAR, d->axis->low / unit, d->axis->high / unit, d->axis->from,
                             d->axis->to};
    int decimals = 0;
    const double step = axis_step(&shown, least, &decimals);
    for (double k = ceil(shown.low / step); k * step <= shown.high; k += 1.0) {
        char number[LEVY_NUMBER_SIZE + 24], label[LEVY_NUMBER_SIZE + 32];
        levy_number_write_fixed(fabs(k) * step, decimals, number, sizeof number);
        snprintf(label, sizeof label, "%s%s", k < 0.0 ? "\xe2\x88\x92" : "", number);
        axis_tick_draw(d, &(axis_tick){k * step * unit, label, NULL});
    }
}

/* "delta (x 10^-3)" with the power that the numbers leave out. */
static const char *axis_title(const plot_axis *axis, const char *title, char *text, size_t size)
{
    static const char *const digits[] = {
        "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
        "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"};
    char power[16], raised[64] = "";
    const int thousands = axis_thousands(axis);
    if (!thousands) return title;
    snprintf(power, sizeof power, "%d", thousands);
    for (const char *p = power; *p; ++p)
        strcat(raised, *p == '-' ? "\xe2\x81\xbb" : digits[*p - '0']);
    snprintf(text, size,
             "%s (\xc3\x97"
             "10%s)",
             title, raised);
    return text;
}

static void axis_draw(const axis_drawing *d, const char *class, double least, double least_power,
                      const char *title)
{
    char text[PLOT_LABEL + 64];
    const plot_box *const b = d->box;
    title = axis_title(d->axis, title, text, sizeof text);
    levy_svg_group(d->out, class, NULL);
    if (d->axis->scale == PLOT_LINEAR)
        axis_linear(d, least);
    else
        axis_powers(d, least_power);
    if (d->upright)
        levy_svg_text_turned(d->out, (svg_point){b->left - 60, 0.5 * (b->top + b->bottom)}, -90,
                             "middle", 12, title);
    else
        levy_plot_below(d->out, b, title);
    levy_svg_group_end(d->out);
}

void levy_plot_x_axis(levy_text_out *out, const plot_axis *axis, const plot_box *box,
                      const char *title)
{
    const axis_drawing drawing = {out, axis, box, false};
    axis_draw(&drawing, "x-axis", 56.0, axis->scale == PLOT_LOG2 ? 30.0 : 34.0, title);
}

void levy_plot_y_axis(levy_text_out *out, const plot_axis *axis, const plot_box *box,
                      const char *title)
{
    const axis_drawing drawing = {out, axis, box, true};
    axis_draw(&drawing, "y-axis", 36.0, 20.0, title);
}
