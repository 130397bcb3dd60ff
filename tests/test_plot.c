/* test_plot.c: plots and the page of a run, from numbers made here. Where a mark must lie is
 * computed again from the numbers and from the ticks that the picture itself has. */
#include "tests/cmocka_all.h"

#include "engine/render/plot.h"
#include "engine/render/plot_results.h"
#include "engine/render/render.h"
#include "tests/heap.h"
#include "tests/xml_check.h"
#define TEXT_ROOM (1 << 21)
#include "tests/kept_text.h"
#include "tests/written_text.h"
#include "tests/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kept_text *picture_new(void)
{
    static kept_text it;
    it = (kept_text){.calls = 0};
    return &it;
}

static void picture_check(const kept_text *it)
{
    const xml_facts facts = xml_check(it->bytes);
    if (facts.fault) fail_msg("%s in:\n%s", facts.fault, it->bytes);
    assert_null(strstr(it->bytes, "nan"));
    assert_null(strstr(it->bytes, "inf"));
    assert_int_equal(xml_count(it->bytes, "<title>") > 0, 1);
    assert_int_equal(xml_count(it->bytes, "<desc>"), 1);
}

/* ---- What a picture says ---- */

/* The map from values (or their logarithms) to pixels, from the first and the last tick. */
typedef struct ruler {
    double value[64], pixel[64];
    size_t n;
} ruler;

/* A label such as "-0.5" with a true minus, or "10" or "2" with a raised exponent. */
static double ruler_value(const char *text)
{
    char plain[64];
    size_t used = 0;
    bool raised = false;
    for (const char *p = text; strncmp(p, "</text>", 7) != 0 && used < sizeof plain - 1; ++p) {
        if (*p == '<') {
            if (strncmp(p, "<tspan", 6) == 0) used = 0, raised = true;
            p = strchr(p, '>');
            continue;
        }
        if (strncmp(p, "\xe2\x88\x92", 3) == 0) {
            plain[used++] = '-';
            p += 2;
            continue;
        }
        plain[used++] = *p;
    }
    plain[used] = '\0';
    return raised || strspn(plain, "-0123456789.") == strlen(plain) ? strtod(plain, NULL) : NAN;
}

/* Ticks of the picture's axis number `number` of that class. */
static ruler ruler_of(const char *svg, const char *class, size_t number)
{
    ruler r = {.n = 0};
    char mark[32];
    snprintf(mark, sizeof mark, "<g class=\"%s\">", class);
    const char *at = strstr(svg, mark);
    for (; number > 0; --number) at = strstr(at + 1, mark);
    const char *const end = strstr(at, "</g>");
    for (at = strstr(at, "<text x="); at && at < end; at = strstr(at + 1, "<text x=")) {
        double x, y;
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
        const double value = ruler_value(strchr(at, '>') + 1);
        const bool digits =
            strstr(at, "\xc3\x97") && strstr(at, "\xc3\x97") < strstr(at, "</text>");
        if (isnan(value) || digits) continue; /* the title, or 2 or 5 times a power */
        r.value[r.n] = value;
        r.pixel[r.n++] = class[0] == 'x' ? x : y - 4.0;
    }
    assert_true(r.n >= 2);
    return r;
}

static double ruler_at(const ruler *r, double value)
{
    const size_t last = r->n - 1;
    return r->pixel[0] +
           (value - r->value[0]) / (r->value[last] - r->value[0]) * (r->pixel[last] - r->pixel[0]);
}

/* The markers in a part of the picture. */
static size_t marks_of(const char *from, const char *end, svg_point *points, size_t room)
{
    size_t n = 0;
    for (const char *at = strstr(from, "<path transform"); at && at < end;
         at = strstr(at + 1, "<path transform")) {
        assert_true(n < room);
        assert_int_equal(
            sscanf(at, "<path transform=\"translate(%lf,%lf)", &points[n].x, &points[n].y), 2);
        ++n;
    }
    return n;
}

static const char *group_of(const char *svg, const char *title)
{
    char mark[96];
    snprintf(mark, sizeof mark, "<title>%s</title>", title);
    const char *const at = strstr(svg, mark);
    if (!at) fail_msg("there is no group '%s'", title);
    return at;
}

/* ---- Axes ---- */

static void test_values_without_a_place_leave_axes_alone(void **state)
{
    static const plot_scale scales[] = {PLOT_LINEAR, PLOT_LOG10, PLOT_LOG2};
    (void)state;
    for (size_t i = 0; i < 3; ++i) {
        plot_axis axis = levy_plot_axis_of(scales[i]);
        levy_plot_axis_include(&axis, NAN);
        levy_plot_axis_include(&axis, INFINITY);
        levy_plot_axis_include(&axis, -INFINITY);
        if (scales[i] != PLOT_LINEAR) {
            levy_plot_axis_include(&axis, 0.0);
            levy_plot_axis_include(&axis, -3.0);
        }
        levy_plot_axis_finish(&axis, 10.0, 110.0, 0.1);
        assert_true(axis.low < axis.high); /* empty, and an axis all the same */
        assert_true(isnan(levy_plot_at(&axis, NAN)));
        assert_true(isnan(levy_plot_at(&axis, INFINITY)));
    }
    plot_axis axis = levy_plot_axis_of(PLOT_LOG10);
    levy_plot_axis_include(&axis, 1.0);
    levy_plot_axis_include(&axis, 100.0);
    levy_plot_axis_finish(&axis, 200.0, 0.0, 0.0);
    assert_near(levy_plot_at(&axis, 10.0), 100.0, 1e-9);
    assert_true(isnan(levy_plot_at(&axis, 0.0)) && isnan(levy_plot_at(&axis, -1.0)));
    assert_near(levy_plot_within(&axis, 0.0), 200.0, 0.0);
    assert_near(levy_plot_within(&axis, -5.0), 200.0, 0.0);
    assert_near(levy_plot_within(&axis, 1e9), 0.0, 0.0);
    assert_true(isnan(levy_plot_within(&axis, NAN)));
}

static void test_one_value_lies_in_the_middle(void **state)
{
    static const double values[] = {0.0, 5.0, -3e8, 1e-12};
    (void)state;
    for (size_t i = 0; i < 4; ++i) {
        plot_axis axis = levy_plot_axis_of(PLOT_LINEAR);
        levy_plot_axis_include(&axis, values[i]);
        levy_plot_axis_finish(&axis, 0.0, 100.0, 0.05);
        assert_near(levy_plot_at(&axis, values[i]), 50.0, 1e-6);
    }
    plot_axis axis = levy_plot_axis_of(PLOT_LOG2);
    levy_plot_axis_include(&axis, 4096.0);
    levy_plot_axis_finish(&axis, 0.0, 100.0, 0.0);
    assert_near(levy_plot_at(&axis, 4096.0), 50.0, 1e-9);
}

/* Ticks stand where their numbers say, for ranges of any size. */
static void test_ticks_stand_where_they_say(void **state)
{
    static const double ranges[][2] = {{0.0, 1.0},   {-3.0, 7.0}, {95.1, 95.2},    {0.0, 2.3e6},
                                       {1e-5, 9e-5}, {-2e9, 5e8}, {6679.0, 6681.0}};
    static const double thousands[] = {0, 0, 0, 3, -3, 6, 0};
    (void)state;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        kept_text *const it = picture_new();
        levy_text_out out;
        const plot_box box = {50, 20, 450, 220};
        plot_axis axis = levy_plot_axis_of(PLOT_LINEAR);
        levy_plot_axis_include(&axis, ranges[i][0]);
        levy_plot_axis_include(&axis, ranges[i][1]);
        levy_plot_axis_finish(&axis, box.left, box.right, 0.0);
        levy_text_out_init(&out, text_write, it);
        levy_plot_x_axis(&out, &axis, &box, "x");
        assert_int_equal(levy_text_finish(&out, LEVY_STATUS_OK), LEVY_STATUS_OK);
        assert_null(xml_check(it->bytes).fault);
        const ruler r = ruler_of(it->bytes, "x-axis", 0);
        assert_true(r.n >= 2 && r.n <= 12);
        for (size_t k = 0; k < r.n; ++k)
            assert_near(r.pixel[k], levy_plot_at(&axis, r.value[k] * pow(10.0, thousands[i])),
                        0.011);
    }
}

static void test_texts_are_cut_between_letters(void **state)
{
    char cut[PLOT_LABEL], number[PLOT_LABEL];
    (void)state;
    assert_string_equal(levy_plot_cut("abc", 3, cut), "abc");
    assert_string_equal(levy_plot_cut("abcd", 3, cut), "ab\xe2\x80\xa6");
    assert_string_equal(levy_plot_cut("\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f", 3, cut),
                        "\xc3\xa4\xc3\xb6\xe2\x80\xa6");
    assert_string_equal(levy_plot_cut(NULL, 3, cut), "");
    assert_string_equal(levy_number_shown(-1234.5, 3, number), "\u22121234"
                        /* the even neighbour */);
    assert_string_equal(levy_number_shown(0.012345, 3, number), "0.0123");
    assert_string_equal(levy_number_shown(NAN, 3, number), "-");
    assert_string_equal(levy_number_shown(0.0, 3, number), "0");
    assert_string_equal(levy_number_shown(1.5e-9, 2, number), "1.5e-09");
    assert_string_equal(levy_plot_percent(0.95, number), "95 %");
    assert_string_equal(levy_plot_percent(0.999, number), "99.9 %");
    assert_string_equal(levy_plot_percent(1.0, number), "100 %");
}

/* ---- Studies ---- */

static const uint64_t study_sizes[] = {256, 512, 1024, 2048, 4096};
static const double study_fine[] = {0.1, 0.04, 0.0, 0.005, 0.002},
                    study_fine_se[] = {0.01, 0.004, 0.0, NAN, 0.003},
                    study_rough[] = {1.0, NAN, 0.5, -1.0, 0.25},
                    study_rough_se[] = {NAN, NAN, NAN, NAN, NAN};
static const levy_run_info study_run = {.version = "0", .backend = "cpu", .device = "d"};
static const levy_convergence_method study_methods[] = {{.method = "sobol_scrambled+bridge",
                                                         .replicates = 8,
                                                         .n_sizes = 5,
                                                         .sizes = study_sizes,
                                                         .rmse = study_fine,
                                                         .rmse_se = study_fine_se,
                                                         .slope = -1.4,
                                                         .slope_se = 0.1,
                                                         .seconds = 8.0},
                                                        {.method = "sobol+<bridge>",
                                                         .replicates = 1,
                                                         .n_sizes = 5,
                                                         .sizes = study_sizes,
                                                         .rmse = study_rough,
                                                         .rmse_se = study_rough_se,
                                                         .slope = NAN,
                                                         .slope_se = NAN,
                                                         .seconds = 4.0}};
static const levy_convergence study_one = {.run = &study_run,
                                           .trade = "a & b",
                                           .currency = "USD",
                                           .measure = "price",
                                           .factor = "",
                                           .reference = 5.0,
                                           .reference_se = 0.003,
                                           .reference_kind = "simulated",
                                           .reference_text = "a larger run",
                                           .replicates = 8,
                                           .n_methods = 2,
                                           .methods = study_methods};

static void study_assert_marks(const char *svg, const char *method, const double *x,
                               const double *rmse, size_t n)
{
    svg_point points[16];
    const ruler across = ruler_of(svg, "x-axis", 0), up = ruler_of(svg, "y-axis", 0);
    const char *const from = group_of(svg, method);
    const size_t found = marks_of(from, strstr(from, "</g>"), points, 16);
    size_t k = 0;
    for (size_t i = 0; i < n; ++i) {
        if (!(rmse[i] > 0.0)) continue;
        assert_true(k < found);
        assert_near(points[k].x, ruler_at(&across, x[i]), 0.03);
        assert_near(points[k++].y, ruler_at(&up, log10(rmse[i])), 0.03);
    }
    assert_int_equal(k, found);
}

static void test_convergence_is_drawn_from_its_numbers(void **state)
{
    static const double x[] = {8, 9, 10, 11, 12};
    const levy_converge_report report = {&study_one, 1};
    (void)state;
    kept_text *const it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, false), LEVY_STATUS_OK);
    picture_check(it);
    study_assert_marks(it->bytes, "sobol_scrambled+bridge", x, study_fine, 5);
    study_assert_marks(it->bytes, "sobol+&lt;bridge&gt;", x, study_rough, 5);
    /* a gap at the size without an error: two lines, of 2 and of 2 marks */
    const char *const from = group_of(it->bytes, "sobol_scrambled+bridge");
    char series[8192] = "";
    memcpy(series, from, (size_t)(strstr(from, "</g>") - from));
    assert_int_equal(xml_count(series, "<polyline"), 2);
    assert_int_equal(xml_count(it->bytes, "one run: |error|, not an RMSE"), 1);
    assert_int_equal(xml_count(it->bytes, "slope "), 1);
    assert_non_null(strstr(it->bytes, ">a &amp; b<"));
    assert_non_null(strstr(it->bytes, "5.0000000 \xc2\xb1 0.0030"));
}

static void test_the_references_error_is_a_band(void **state)
{
    levy_convergence study = study_one;
    const levy_converge_report report = {&study, 1};
    double x, y, width, height;
    (void)state;
    kept_text *it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, false), LEVY_STATUS_OK);
    const char *const group = group_of(it->bytes, "standard error of the reference");
    assert_int_equal(sscanf(strstr(group, "<rect"),
                            "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y,
                            &width, &height),
                     4);
    const ruler up = ruler_of(it->bytes, "y-axis", 0);
    assert_near(y, ruler_at(&up, log10(0.003)), 0.03);
    assert_true(height > 5.0 && width > 500.0);
    study.reference_se = 0.0;
    it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, false), LEVY_STATUS_OK);
    assert_null(strstr(it->bytes, "standard error of the reference"));
}

/* Seconds of a replicate: those of the largest run in proportion to the points. */
static void test_cost_is_against_seconds(void **state)
{
    const double fine[] = {log10(1.0 / 16), log10(1.0 / 8), log10(1.0 / 4), log10(1.0 / 2), 0.0};
    const double rough[] = {log10(4.0 / 16), log10(4.0 / 8), 0.0, log10(4.0 / 2), log10(4.0)};
    const levy_converge_report report = {&study_one, 1};
    (void)state;
    kept_text *const it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, true), LEVY_STATUS_OK);
    picture_check(it);
    study_assert_marks(it->bytes, "sobol_scrambled+bridge", fine, study_fine, 5);
    study_assert_marks(it->bytes, "sobol+&lt;bridge&gt;", rough, study_rough, 5);
    assert_non_null(strstr(it->bytes, "seconds per replicate"));
}

static void test_several_studies_are_small_multiples(void **state)
{
    levy_convergence studies[60];
    (void)state;
    for (size_t i = 0; i < 60; ++i) {
        studies[i] = study_one;
        if (i % 2) studies[i].measure = "delta", studies[i].factor = "A.spot";
    }
    for (size_t n = 0; n <= 60; n += 15) {
        const levy_converge_report report = {studies, n};
        kept_text *const it = picture_new();
        assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, false),
                         LEVY_STATUS_OK);
        picture_check(it);
        assert_int_equal(xml_count(it->bytes, "class=\"x-axis\""), n < 48 ? n : 48);
        assert_int_equal(xml_count(it->bytes, "class=\"legend\""), n > 0);
        assert_int_equal(xml_count(it->bytes, "12 more are not shown"), n == 60);
        if (n) assert_non_null(strstr(it->bytes, ">a &amp; b: delta A.spot<"));
        if (n) assert_non_null(strstr(it->bytes, "error against points per replicate, both"));
        if (n) assert_non_null(strstr(it->bytes, " in points<"));
    }
    for (size_t i = 0; i < 2; ++i) studies[i].points = 1 << 14; /* by steps */
    const levy_converge_report report = {studies, 2};
    kept_text *const it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, false), LEVY_STATUS_OK);
    assert_non_null(strstr(it->bytes, "Change by half steps against steps to expiry, both"));
    assert_non_null(strstr(it->bytes, " in steps<"));
}

/* Studies without any error, or of one size. */
static void test_studies_without_errors_have_axes(void **state)
{
    static const double nothing[] = {0.0, NAN, 0.0, NAN, 0.0};
    levy_convergence_method method = study_methods[0];
    levy_convergence study = study_one;
    const levy_converge_report report = {&study, 1};
    (void)state;
    study.methods = &method;
    study.n_methods = 1;
    method.rmse = nothing;
    method.rmse_se = nothing;
    for (int one = 0; one < 2; ++one)
        for (int cost = 0; cost < 2; ++cost) {
            method.n_sizes = one ? 1 : 5;
            method.seconds = one ? 0.0 : NAN;
            kept_text *const it = picture_new();
            assert_int_equal(WRITTEN(text_write, it, levy_converge_plot, &report, cost),
                             LEVY_STATUS_OK);
            picture_check(it);
        }
}

/* Wilson's interval of 95 of 100: 0.88825 to 0.97846. */
static void test_coverage_has_its_binomial_interval(void **state)
{
    levy_coverage_row rows[] = {{.trade = "<a>",
                                 .method = "m",
                                 .measure = "price",
                                 .factor = "",
                                 .seeds = 100,
                                 .intervals = 100,
                                 .covered = 95,
                                 .coverage = 0.95},
                                {.trade = "b",
                                 .method = "m",
                                 .measure = "delta",
                                 .factor = "S.spot",
                                 .seeds = 100,
                                 .coverage = NAN}};
    levy_coverage_table table = {
        .run = &study_run, .confidence = 0.95, .precision = "double", .n_rows = 2, .rows = rows};
    double x1, y1, x2, y2, x, width;
    svg_point points[4];
    (void)state;
    kept_text *it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_coverage_plot, &table), LEVY_STATUS_OK);
    picture_check(it);
    const ruler across = ruler_of(it->bytes, "x-axis", 0);
    const char *const series = strstr(it->bytes, "<g class=\"series\">");
    assert_int_equal(sscanf(strstr(series, "<line"),
                            "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" "
                            "y2=\"%lf\"",
                            &x1, &y1, &x2, &y2),
                     4);
    assert_near(x1, ruler_at(&across, 88.825), 0.05);
    assert_near(x2, ruler_at(&across, 97.846), 0.05);
    assert_int_equal(marks_of(series, it->bytes + it->length, points, 4), 1);
    assert_near(points[0].x, ruler_at(&across, 95.0), 0.03);
    /* of 100 seeds: 1.96 sqrt(0.95 0.05 / 100) */
    const char *const band = strstr(it->bytes, "<g class=\"nominal\">");
    assert_int_equal(
        sscanf(strstr(band, "<rect"), "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\"", &x, &y1, &width),
        3);
    assert_near(x, ruler_at(&across, 95.0 - 4.27164), 0.05);
    assert_non_null(strstr(it->bytes, "no interval was reported"));
    assert_non_null(strstr(it->bytes, "&lt;a&gt;"));
    table.n_rows = 0;
    it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_coverage_plot, &table), LEVY_STATUS_OK);
    picture_check(it);
}

static void test_a_profile_has_bands_and_today(void **state)
{
    static const double at[] = {70, 80, 100, 120, 130}, values[] = {1, 2, 4, NAN, 8},
                        errors[] = {0.1, 0.1, 0.2, 0.1, 0.4}, none[] = {NAN, NAN, NAN, NAN, NAN};
    const levy_profile_line lines[] = {{"a<b", "USD", "price", "", values, errors},
                                       {"a<b", "USD", "delta", "A.spot", none, none}};
    levy_profile_table table = {&study_run, "A.spot", 100.0, 5, at, 2, lines, 0};
    svg_point points[4];
    (void)state;
    kept_text *it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_profile_plot, &table), LEVY_STATUS_OK);
    picture_check(it);
    const ruler across = ruler_of(it->bytes, "x-axis", 0), up = ruler_of(it->bytes, "y-axis", 0);
    const char *const today = group_of(it->bytes, "today: 100.000");
    assert_int_equal(marks_of(today, strstr(today, "</g>"), points, 4), 1);
    assert_near(points[0].x, ruler_at(&across, 100.0), 0.03);
    assert_near(points[0].y, ruler_at(&up, 4.0), 0.03);
    /* the band: lows forth, highs back, up to the gap */
    double x, low, x2, low2;
    const char *const band = strstr(strstr(it->bytes, "<polygon"), "points=\"");
    assert_int_equal(sscanf(band, "points=\"%lf,%lf %lf,%lf", &x, &low, &x2, &low2), 4);
    assert_near(low, ruler_at(&up, 0.8), 0.03);
    assert_near(low2, ruler_at(&up, 1.8), 0.03);
    assert_int_equal(xml_count(it->bytes, "<polygon"), 1);
    table.n_values = 1;
    it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_profile_plot, &table), LEVY_STATUS_OK);
    picture_check(it);
    table.n_lines = 0;
    it = picture_new();
    assert_int_equal(WRITTEN(text_write, it, levy_profile_plot, &table), LEVY_STATUS_OK);
    picture_check(it);
}

/* ---- Results ---- */

#define MEASURE(measure, factor, value, error)                                                     \
    {                                                                                              \
        measure, factor, value, error, 0, NULL, NAN, NAN, "none", NAN, NAN                         \
    }
static const levy_measure results_first[] = {
    MEASURE("price", "", 100.0, 1.0),
    MEASURE("vega_by_node", "A.volatility[2027-11-20]", 30.0, 1.0),
    MEASURE("vega_by_node", "A.volatility[2028-11-20]", -10.0, 2.0),
    {"vega_by_node", "B.volatility[2028-11-20]", NAN, NAN, 1, "no value", NAN, NAN, "none", NAN,
     NAN},
    MEASURE("rho_by_node", "USD.rate[0.5]", 5.0, NAN),
    MEASURE("scenario_price", "crash", 50.0, 1.0),
    MEASURE("scenario_pnl", "crash", -50.0, 1.0),
    MEASURE("scenario_pnl", "ladder[-0.1,-0.05]", -40.0, 1.0),
    MEASURE("scenario_pnl", "ladder[-0.1,0.05]", -20.0, 1.0),
    MEASURE("scenario_pnl", "ladder[0.1,-0.05]", 20.0, 1.0),
    MEASURE("scenario_pnl", "cube[1,2,3]", 1.0, 1.0),
    {"scenario_pnl", "cube[1,2,4]", NAN, NAN, 1, "no value: <why>", NAN, NAN, "none", NAN, NAN}};
static const levy_measure results_second[] = {MEASURE("price", "", -2.0, 0.04)};
static const levy_measure results_exact[] = {MEASURE("price", "", 3.0, 0.0)};
static const levy_trade_result results_trades[] = {
    {.id = "first <&\"'> \xc3\xa4",
     .status = "ok",
     .currency = "USD",
     .payoff = "european",
     .maturity = 1.0,
     .price = 100.0,
     .std_error = 1.0,
     .ci_low = 98.0,
     .ci_high = 102.0,
     .confidence = 0.95,
     .interval = "student_t",
     .paths = 4096,
     .replicates = 16,
     .generator = "sobol_scrambled",
     .construction = "bridge",
     .precision = "double",
     .reproducibility = "R3",
     .n_measures = sizeof results_first / sizeof *results_first,
     .measures = results_first},
    {.id = "second",
     .status = "ok",
     .currency = "USD",
     .payoff = "digital",
     .maturity = 0.5,
     .price = -2.0,
     .std_error = 0.04,
     .ci_low = NAN,
     .ci_high = NAN,
     .interval = "unreliable",
     .n_measures = 1,
     .measures = results_second},
    {.id = "exact",
     .status = "ok",
     .currency = "USD",
     .payoff = "european",
     .maturity = 0.0,
     .price = 3.0,
     .std_error = 0.0,
     .ci_low = 3.0,
     .ci_high = 3.0,
     .interval = "exact",
     .n_measures = 1,
     .measures = results_exact},
    {.id = "broken",
     .status = "failed",
     .currency = "USD",
     .payoff = "european",
     .reason = "range",
     .message = "strike: <script>alert(1)</script>",
     .maturity = NAN,
     .price = NAN,
     .std_error = NAN,
     .ci_low = NAN,
     .ci_high = NAN,
     .interval = "none"}};
static const levy_grid_axis results_axes[] = {{"A.spot", 1, -0.1}, {"A.volatility", 0, 0.05}};
static const levy_grid_point results_points[] = {{"ladder[-0.1,-0.05]", "ladder", 2, results_axes}};
static const levy_report_input results_inputs[] = {{"bo<ok>.yaml", 0xabc, 123}};
static const levy_measure results_sums[] = {MEASURE("price", "", 101.0, 1.0),
                                            MEASURE("delta", "A.spot", 0.5, 0.01)};
static const levy_netted results_netted[] = {{.currency = "USD",
                                              .trades = 3,
                                              .replicates = 16,
                                              .value = 101.0,
                                              .std_error = 1.0,
                                              .ci_low = 99.0,
                                              .ci_high = 103.0,
                                              .confidence = 0.95,
                                              .interval = "student_t",
                                              .n_measures = 2,
                                              .measures = results_sums},
                                             {.currency = "USD",
                                              .trades = 2,
                                              .replicates = 16,
                                              .value = 98.0,
                                              .std_error = 1.0,
                                              .interval = "student_t",
                                              .key = "book",
                                              .label = "<rates>",
                                              .n_measures = 1,
                                              .measures = results_sums}};
static const levy_run_info results_run = {.version = "0.1.0",
                                          .backend = "cpu",
                                          .device = "A & B",
                                          .device_reason = "as asked",
                                          .isa = "avx2",
                                          .threads = 2,
                                          .fingerprint = 0x123,
                                          .groups = 3,
                                          .priced = 3,
                                          .failed = 1,
                                          .seconds = 0.5};
static const levy_report_form results_form = {.command = "levy price 'bo<ok>.yaml'",
                                              .made = "today"};
static const levy_report_terms results_terms[] = {{.expiry = "2027-11-20",
                                                   .text = "call; from <b>",
                                                   .strike = 0.85,
                                                   .size = -1234567.5,
                                                   .percent = true,
                                                   .notional = true},
                                                  {.text = "", .strike = 12000.0, .size = 1000.0},
                                                  {.text = "", .strike = NAN, .size = 1.0},
                                                  {.text = "", .strike = NAN, .size = NAN}};
static const char *const results_heads[] = {"asset", "spot", "volatility", "nothing"};
static levy_report_fact results_facts[] = {
    {.text = "A&B"}, {.number = 24900.5}, {.number = 0.25, .percent = true}, {.number = NAN}};
static const levy_report_facts results_market[] = {
    {"Assets <all>", 4, 1, results_heads, results_facts}, {"Empty", 4, 0, results_heads, NULL}};
static const levy_report results_report = {.run = &results_run,
                                           .trades = results_trades,
                                           .n_trades = 4,
                                           .netted = results_netted,
                                           .n_netted = 2,
                                           .points = results_points,
                                           .n_points = 1,
                                           .inputs = results_inputs,
                                           .n_inputs = 1,
                                           .origin = {.valuation = "2026-11-20",
                                                      .terms = results_terms,
                                                      .market = results_market,
                                                      .n_market = 2}};

static kept_text *results_plot(int what, const char *trade)
{
    kept_text *const it = picture_new();
    assert_int_equal(WRITTEN_STATUS(text_write, it, levy_report_plot, &results_report, what, trade),
                     LEVY_STATUS_OK);
    picture_check(it);
    return it;
}

static void test_errors_are_relative_and_sorted(void **state)
{
    svg_point points[8];
    (void)state;
    const kept_text *const it = results_plot(LEVY_PLOT_ERRORS, NULL);
    const ruler across = ruler_of(it->bytes, "x-axis", 0);
    const char *const series = strstr(it->bytes, "<g class=\"series\">");
    assert_int_equal(marks_of(series, it->bytes + it->length, points, 8), 2);
    /* the larger first: 0.04 / 2, and 1 / 100 */
    assert_near(points[0].x, ruler_at(&across, log10(0.02)), 0.03);
    assert_near(points[1].x, ruler_at(&across, -2.0), 0.03);
    assert_true(points[0].y < points[1].y);
    assert_non_null(strstr(it->bytes, ">exact</text>"));
    assert_null(strstr(it->bytes, "broken"));
    assert_non_null(strstr(it->bytes, "first &lt;&amp;&quot;'&gt; \xc3\xa4"));
}

static void test_ladder_has_bars_and_whiskers(void **state)
{
    double x, y, width, height, x1, y1, x2, y2;
    (void)state;
    const kept_text *const it = results_plot(LEVY_PLOT_LADDER, NULL);
    assert_int_equal(xml_count(it->bytes, "class=\"y-axis\""), 3); /* A, B and USD */
    assert_int_equal(xml_count(it->bytes, "class=\"bar\""), 4);
    const ruler up = ruler_of(it->bytes, "y-axis", 0);
    const char *const bar = strstr(it->bytes, "<title>2028-11-20: \u221210.0000");
    assert_non_null(bar);
    assert_int_equal(sscanf(strstr(bar, "<rect"),
                            "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y,
                            &width, &height),
                     4);
    assert_near(y, ruler_at(&up, 0.0), 0.03);
    assert_near(y + height, ruler_at(&up, -10.0), 0.03);
    assert_int_equal(sscanf(strstr(bar, "<line"),
                            "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"", &x1, &y1, &x2,
                            &y2),
                     4);
    assert_near(y1, ruler_at(&up, -14.0), 0.03);
    assert_near(y2, ruler_at(&up, -6.0), 0.03);
    kept_text *const none = picture_new();
    assert_int_equal(WRITTEN_STATUS(text_write, none, levy_report_plot, &results_report,
                                    LEVY_PLOT_LADDER, "second"),
                     LEVY_STATUS_UNSUPPORTED);
    assert_int_equal(none->calls, 0);
}

static void test_grid_is_a_heat_map_of_its_numbers(void **state)
{
    (void)state;
    const kept_text *const it = results_plot(LEVY_PLOT_GRID, NULL);
    /* the ladder, and one map for each third coordinate of the cube */
    assert_int_equal(xml_count(it->bytes, "class=\"map\""), 3);
    assert_int_equal(xml_count(it->bytes, "class=\"bar\""), 1); /* crash */
    assert_non_null(strstr(it->bytes, "A.spot, relative"));
    assert_non_null(strstr(it->bytes, "\u221210 %"));
    assert_non_null(strstr(it->bytes, ">+0.05<"));
    /* cells in order: the largest loss in full orange, half of it half way, a gain bluish, none */
    const char *const map = strstr(it->bytes, "<g class=\"map\">");
    static const char *const fills[] = {"#d55e00", "#e6ab7b", "#7cb5d4", "#ececec"};
    const char *at = map;
    for (size_t i = 0; i < 4; ++i) {
        char fill[8];
        at = strstr(at + 1, "<rect");
        assert_int_equal(sscanf(strstr(at, "fill=\""), "fill=\"%7[#0-9a-f]", fill), 1);
        assert_string_equal(fill, fills[i]);
    }
    assert_int_equal(xml_count(it->bytes, ">none</text>"), 2); /* not priced, and no value */
    assert_int_equal(xml_count(it->bytes, ">\u221240.0</text>"), 1);
}

static void test_boundary_has_a_mark_a_date(void **state)
{
    static const levy_measure measures[] = {
        {.measure = "price", .factor = "", .value = 4.0, .std_error = 0.1},
        {.measure = "boundary", .factor = "2027-05-21", .value = 80.0, .std_error = NAN},
        {.measure = "boundary", .factor = "2027-11-20", .value = 90.0, .std_error = NAN}};
    static const levy_trade_result trades[] = {{.id = "put",
                                                .status = "ok",
                                                .payoff = "european",
                                                .price = 4.0,
                                                .n_measures = 3,
                                                .measures = measures},
                                               {.id = "call",
                                                .status = "ok",
                                                .payoff = "european",
                                                .price = 4.0,
                                                .n_measures = 1,
                                                .measures = measures}};
    const levy_report report = {.run = &results_run,
                                .trades = trades,
                                .n_trades = 2,
                                .origin = {.valuation = "2026-11-20"}};
    svg_point points[8];
    (void)state;
    kept_text *const it = picture_new();
    assert_int_equal(
        WRITTEN_STATUS(text_write, it, levy_report_plot, &report, LEVY_PLOT_BOUNDARY, NULL),
        LEVY_STATUS_OK);
    picture_check(it);
    assert_int_equal(xml_count(it->bytes, "class=\"y-axis\""), 1);
    const ruler across = ruler_of(it->bytes, "x-axis", 0), up = ruler_of(it->bytes, "y-axis", 0);
    const char *const series = strstr(it->bytes, "<g class=\"series\">");
    assert_int_equal(marks_of(series, it->bytes + it->length, points, 8), 2);
    assert_near(points[0].x, ruler_at(&across, 182.0 / 365.0), 0.03);
    assert_near(points[1].x, ruler_at(&across, 1.0), 0.03);
    assert_near(points[0].y, ruler_at(&up, 80.0), 0.03);
    assert_near(points[1].y, ruler_at(&up, 90.0), 0.03);
    kept_text *const none = picture_new();
    assert_int_equal(
        WRITTEN_STATUS(text_write, none, levy_report_plot, &report, LEVY_PLOT_BOUNDARY, "call"),
        LEVY_STATUS_UNSUPPORTED);
    assert_int_equal(none->calls, 0);
}

static void test_plots_of_nothing_write_nothing(void **state)
{
    const levy_report empty = {.run = &results_run};
    (void)state;
    for (int what = LEVY_PLOT_ERRORS; what <= LEVY_PLOT_GRID; ++what) {
        kept_text *const it = picture_new();
        assert_int_equal(WRITTEN_STATUS(text_write, it, levy_report_plot, &empty, what, NULL),
                         LEVY_STATUS_UNSUPPORTED);
        assert_int_equal(it->calls, 0);
    }
    assert_int_equal(WRITTEN_STATUS(text_write, picture_new(), levy_report_plot, &results_report,
                                    LEVY_PLOT_PROFILE, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(
        WRITTEN_STATUS(text_write, picture_new(), levy_report_plot, &results_report, -1, NULL),
        LEVY_STATUS_ARGUMENT);
}

static void test_a_failing_output_is_told_of(void **state)
{
    (void)state;
    kept_text *it = picture_new();
    it->fail_at = 2;
    assert_int_equal(
        WRITTEN_STATUS(text_write, it, levy_report_plot, &results_report, LEVY_PLOT_GRID, NULL),
        LEVY_STATUS_IO);
    it = picture_new();
    it->fail_at = 3;
    assert_int_equal(
        WRITTEN_STATUS(text_write, it, levy_report_write_html, &results_report, &results_form),
        LEVY_STATUS_IO);
}

/* ---- The page ---- */

static const kept_text *page_of(const levy_report *report)
{
    kept_text *const it = picture_new();
    assert_int_equal(WRITTEN_STATUS(text_write, it, levy_report_write_html, report, &results_form),
                     LEVY_STATUS_OK);
    return it;
}

/* Each picture in the page is well-formed. */
static void page_assert_pictures(const char *page, size_t n)
{
    static char svg[1 << 17];
    assert_int_equal(xml_count(page, "<svg "), n);
    for (const char *at = strstr(page, "<svg "); at; at = strstr(at + 1, "<svg ")) {
        const char *const end = strstr(at, "</svg>");
        assert_non_null(end);
        const size_t length = (size_t)(end - at) + 6;
        assert_true(length < sizeof svg);
        memcpy(svg, at, length);
        svg[length] = '\0';
        const xml_facts facts = xml_check(svg);
        if (facts.fault) fail_msg("%s", facts.fault);
    }
}

static void test_a_page_stands_alone_and_is_escaped(void **state)
{
    static const char *const outside[] = {"://",   "src=", "href=",   "@import", "url(",
                                          "<link", "<img", "<iframe", "fetch("};
    static const char *const held[] = {
        "first &lt;&amp;&quot;'&gt; \xc3\xa4",
        "strike: &lt;script&gt;alert(1)&lt;/script&gt;",
        "bo&lt;ok&gt;.yaml",
        "<dd>levy price 'bo&lt;ok&gt;.yaml'</dd>",
        "0000000000000abc",
        "0000000000000123",
        "A &amp; B",
        "<li>no value: &lt;why&gt;</li>",
        "<dd>4: 3 priced, 1 failed</dd>",
        "<dd>20 November 2026</dd>",
        "data-value=\"101\">101.0</td><td class=\"error\" data-value=\"1\">\xc2\xb1\xc2\xa0"
        "1.0</td><td class=\"interval\">99.0 to 103.0<",
        "<b>european</b> call; from &lt;b&gt;<",
        "data-value=\"-1234567.5\">USD \u22121,234,567.5<",
        "data-value=\"0.85\">85 %<",
        "data-value=\"12000\">12,000<",
        "data-value=\"1\">2027-11-20<",
        "data-value=\"0.5\">0.5<",
        "98.0 to 102.0",
        "<h3>Assets &lt;all&gt;</h3>",
        "<td class=\"text\">A&amp;B</td><td class=\"number\" data-value=\"24900.5\">24,900.5</td>"
        "<td class=\"number\" data-value=\"0.25\">25 %</td></tr>",
        "default-src 'none'"};
    (void)state;
    const kept_text *const it = page_of(&results_report);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; ++i)
        if (strstr(it->bytes, outside[i])) fail_msg("the page has '%s'", outside[i]);
    for (size_t i = 0; i < sizeof held / sizeof *held; ++i)
        if (!strstr(it->bytes, held[i])) fail_msg("the page lacks '%s'", held[i]);
    assert_int_equal(xml_count(it->bytes, "<script>"), 1); /* its own */
    assert_null(strstr(it->bytes, ">Empty<"));
    const char *const failed = strstr(it->bytes, "<h2>Trades without a price</h2>");
    const char *const values = strstr(it->bytes, "<h2>Value</h2>");
    assert_true(failed && values && failed < values);
    assert_non_null(strstr(values, "<h3>By book</h3>"));
    assert_non_null(strstr(values, "<td>&lt;rates&gt;</td><td>USD</td>"));
    assert_null(strstr(it->bytes, "nan"));
    page_assert_pictures(it->bytes, 3);
    const char *const end = it->bytes + it->length;
    assert_string_equal(end - 8, "</html>\n");
}

/* Every grey of a picture has its counterpart in the dark. */
static void test_greys_have_a_counterpart_in_the_dark(void **state)
{
    size_t n = 0;
    (void)state;
    const kept_text *const it = page_of(&results_report);
    for (const char *at = strstr(it->bytes, "<svg "); at; at = strpbrk(at + 1, "fs")) {
        char name[8], color[8], rule[48];
        if (sscanf(at, "%7[a-z]=\"%7[#0-9a-f]\"", name, color) != 2) continue;
        const bool paint = strcmp(name, "fill") == 0 || strcmp(name, "stroke") == 0;
        if (!paint || strncmp(color + 1, color + 3, 2) != 0 ||
            strncmp(color + 3, color + 5, 2) != 0)
            continue;
        if (strcmp(color, "#010101") == 0 || strcmp(color, "#fefefe") == 0) continue; /* cells */
        snprintf(rule, sizeof rule, "svg [%s=\"%s\"]{", name, color);
        if (!strstr(it->bytes, rule)) fail_msg("no rule for %s", rule);
        ++n;
    }
    assert_true(n > 20);
}

/* Measures are a matrix: a column each, or one for each node, date or scenario. */
static void test_measures_are_matrices(void **state)
{
    static const levy_measure two[] = {MEASURE("price", "", 1e9, 1.0),
                                       MEASURE("delta", "A.spot", 0.25, 0.01),
                                       MEASURE("delta", "B.C.spot", 0.5, 0.0),
                                       MEASURE("rho", "USD.EUR.rate", 7.0, 0.1),
                                       MEASURE("theta", "time", -3.0, NAN),
                                       MEASURE("cross_gamma", "A.spot,B.C.spot", 2.0, 0.1)};
    static const char *const held[] = {
        ">1,000,000,000<", "<h2>Sensitivities</h2>",
        "\">delta<small>per 1 of the spot</small></th>", "\">cross gamma<small>",
        /* what there is once stands in the first row; pairs have a matrix of their own */
        "<tr><td>t</td><td>A, USD.EUR</td><td class=\"number\" data-value=\"0.25\">0.250</td>",
        "data-value=\"7\">7.00</td>",
        ("<tr class=\"again\"><td>t</td><td>B.C</td><td class=\"number\" "
         "data-value=\"0.5\">0.5</td>"),
        "<h2>Sensitivities to pairs</h2>",
        "<tr><td>t</td><td>A, B.C</td><td class=\"number\" data-value=\"2\">2.00</td>"};
    static const char *const of_scenarios[] = {
        "<h2>Vega by node</h2>",
        "\">2027-11-20</th>",
        "<h2>Profit and loss in scenarios: ladder</h2>",
        "rows: A.spot; columns: A.volatility</p>",
        "<td>A.spot \u221210 %</td><td class=\"number\" data-value=\"-40\">",
        "<h2>Profit and loss in scenarios</h2>"};
    levy_trade_result trade = results_trades[0];
    (void)state;
    trade.id = "t";
    trade.price = 1e9;
    trade.measures = two;
    trade.n_measures = sizeof two / sizeof *two;
    const levy_report report = {.run = &results_run, .trades = &trade, .n_trades = 1};
    const kept_text *it = page_of(&report);
    for (size_t i = 0; i < sizeof held / sizeof *held; ++i)
        if (!strstr(it->bytes, held[i])) fail_msg("the page lacks '%s'", held[i]);
    assert_non_null(strstr(it->bytes, "@page{size:A4;"));
    it = page_of(&results_report);
    assert_non_null(strstr(it->bytes, "@page{size:A4 landscape;")); /* five columns */
    for (size_t i = 0; i < sizeof of_scenarios / sizeof *of_scenarios; ++i)
        if (!strstr(it->bytes, of_scenarios[i])) fail_msg("the page lacks '%s'", of_scenarios[i]);
}

static void test_a_page_of_nothing_is_a_page(void **state)
{
    const levy_report empty = {.run = &results_run};
    (void)state;
    const kept_text *const it = page_of(&empty);
    page_assert_pictures(it->bytes, 0);
    assert_non_null(strstr(it->bytes, "<dd>0: 3 priced"));
    assert_non_null(strstr(it->bytes, "<h2>Inputs</h2>"));
}

/* No memory for the page's own tables is told of. */
static void test_a_page_without_memory_fails(void **state)
{
    test_heap heap = {.fail_at = 1, .for_ever = true};
    const levy_memory memory = heap_memory(&heap);
    levy_report report = results_report;
    (void)state;
    report.memory = &memory;
    assert_int_equal(
        WRITTEN_STATUS(text_write, picture_new(), levy_report_write_html, &report, &results_form),
        LEVY_STATUS_MEMORY);
    heap_fail(&heap, 0);
    assert_int_equal(
        WRITTEN_STATUS(text_write, picture_new(), levy_report_write_html, &report, &results_form),
        LEVY_STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_without_a_place_leave_axes_alone),
        cmocka_unit_test(test_one_value_lies_in_the_middle),
        cmocka_unit_test(test_ticks_stand_where_they_say),
        cmocka_unit_test(test_texts_are_cut_between_letters),
        cmocka_unit_test(test_convergence_is_drawn_from_its_numbers),
        cmocka_unit_test(test_the_references_error_is_a_band),
        cmocka_unit_test(test_cost_is_against_seconds),
        cmocka_unit_test(test_several_studies_are_small_multiples),
        cmocka_unit_test(test_studies_without_errors_have_axes),
        cmocka_unit_test(test_coverage_has_its_binomial_interval),
        cmocka_unit_test(test_a_profile_has_bands_and_today),
        cmocka_unit_test(test_errors_are_relative_and_sorted),
        cmocka_unit_test(test_ladder_has_bars_and_whiskers),
        cmocka_unit_test(test_grid_is_a_heat_map_of_its_numbers),
        cmocka_unit_test(test_boundary_has_a_mark_a_date),
        cmocka_unit_test(test_plots_of_nothing_write_nothing),
        cmocka_unit_test(test_a_failing_output_is_told_of),
        cmocka_unit_test(test_a_page_stands_alone_and_is_escaped),
        cmocka_unit_test(test_greys_have_a_counterpart_in_the_dark),
        cmocka_unit_test(test_measures_are_matrices),
        cmocka_unit_test(test_a_page_of_nothing_is_a_page),
        cmocka_unit_test(test_a_page_without_memory_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
