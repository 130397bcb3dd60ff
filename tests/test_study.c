/* test_study.c: studies through the public interface: that estimates have the bits of levy_price,
 * that yardsticks are found, that every form of output can be read back, and what is refused. */
#include "tests/cmocka_all.h"

#include "engine/levy.h"
#include "tests/heap.h"
#include "tests/xml_check.h"
#include "tests/grown_text.h"
#include "tests/files.h"

#include <jansson.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *market(void) { return text_of_book("texts/study-market"); }
#define GEOMETRIC                                                                                  \
    "  - {id: geometric, underlying: A, payoff: {kind: asian, option_type: call, strike: 100, "    \
    "averaging: {method: "                                                                         \
    "geometric, "                                                                                  \
    "observations: {count: 8}}}, exercise: {style: european, expiry: 1}}\n"
#define ARITHMETIC                                                                                 \
    "  - {id: arithmetic, underlying: A, position: short, quantity: 3, payoff: {kind: asian, "     \
    "option_type: call, "                                                                          \
    "strike: 100, "                                                                                \
    "averaging: {method: arithmetic, observations: {count: 4}}}, exercise: {style: european, "     \
    "expiry: 1}}\n"
#define STEP                                                                                       \
    "  - {id: step, underlying: A, payoff: {kind: digital, option_type: call, strike: 100, "       \
    "payout: cash, cash: 1}, "                                                                     \
    "exercise: {style: european, expiry: 1}}\n"
#define BROKEN                                                                                     \
    "  - {id: broken, underlying: A, payoff: {kind: european, option_type: call, strik: 1}, "      \
    "exercise: {style: "                                                                           \
    "european, expiry: 1}}\n"

typedef struct bench {
    levy_context *context;
    levy_book *book;
    levy_study *study;
} bench;

static bench bench_load(const char *trades, const levy_setting *settings, size_t n_settings)
{
    char text[4096];
    bench it = {0};
    const int length = snprintf(text, sizeof text, "%s%s", market(), trades);
    assert_int_equal(levy_context_create(NULL, &it.context), LEVY_STATUS_OK);
    assert_int_equal(levy_book_load_text(it.context, "trades", text, (size_t)length, settings,
                                         n_settings, &it.book),
                     LEVY_STATUS_OK);
    return it;
}

static void bench_release(bench *it)
{
    levy_study_destroy(it->study);
    levy_book_destroy(it->book);
    levy_context_destroy(it->context);
}

static const levy_convergence *bench_converge(bench *it, const levy_study_options *options)
{
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    const int status = levy_converge(it->book, options, &how, &it->study);
    for (size_t i = 0; status != LEVY_STATUS_OK && i < levy_diagnostic_count(it->context); ++i)
        print_error("%s\n", levy_diagnostic_get(it->context, i)->text);
    assert_int_equal(status, LEVY_STATUS_OK);
    assert_null(levy_study_coverage(it->study));
    return levy_study_convergence(it->study);
}

static const levy_study_options small = {
    .struct_size = sizeof small,
    .methods = "sobol_scrambled+bridge,philox+incremental,sobol+bridge",
    .points = "2^9..2^14",
    .replicates = 4,
    .resamples = 50};

/* ---- Estimates ---- */

static double price_smoothed(const char *trades, const char *generator, const char *paths,
                             const char *replicates, const char *smoothing)
{
    const levy_setting settings[] = {{"simulation.paths", paths},
                                     {"simulation.generator", generator},
                                     {"simulation.construction", "bridge"},
                                     {"simulation.replicates", replicates},
                                     {"simulation.smoothing", smoothing}};
    bench it = bench_load(trades, settings, 5);
    levy_results *results;
    assert_int_equal(levy_price(it.book, NULL, &results), LEVY_STATUS_OK);
    const double price = levy_results_trade(results, 0)->price;
    levy_results_destroy(results);
    bench_release(&it);
    return price;
}

static double price_generated(const char *trades, const char *generator, const char *paths,
                              const char *replicates)
{
    return price_smoothed(trades, generator, paths, replicates, "auto");
}

/* Sizes below a block, of a block and of many: the mean over replicates is levy_price's, bit for
 * bit. */
static void test_estimates_have_the_bits_of_prices(void **state)
{
    static const char *const paths[] = {"2^11", "2^12", "2^13", "2^14", "2^15", "2^16"};
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    const levy_convergence *study = bench_converge(&it, &small);
    const levy_convergence_method *sobol = &study->methods[0];
    assert_int_equal(sobol->n_sizes, 6);
    for (size_t i = 0; i < 6; ++i) {
        double sum = 0.0;
        for (size_t r = 0; r < 4; ++r) sum += sobol->estimates[r * 6 + i];
        assert_true(sum / 4.0 == price_generated(GEOMETRIC, "sobol_scrambled", paths[i], "4"));
    }
    bench_release(&it);
}

/* The first replicate of a pseudo-random method, and the only one of plain Sobol points, is what a
 * price is made of. */
static void test_first_replicate_is_the_price_of_one(void **state)
{
    static const char *const paths[] = {"2^9", "2^10", "2^11", "2^12", "2^13", "2^14"};
    (void)state;
    bench it = bench_load(ARITHMETIC, NULL, 0);
    levy_study_options options = small;
    options.methods = "philox+bridge,sobol+bridge";
    const levy_convergence *study = bench_converge(&it, &options);
    assert_int_equal(study->methods[0].replicates, 4);
    assert_int_equal(study->methods[1].replicates, 1);
    for (size_t i = 0; i < 6; ++i) {
        assert_true(study->methods[0].estimates[i] ==
                    price_generated(ARITHMETIC, "philox", paths[i], "1"));
        assert_true(study->methods[1].estimates[i] ==
                    price_generated(ARITHMETIC, "sobol", paths[i], "1"));
    }
    bench_release(&it);
}

/* ---- Integrated and plain methods ---- */

static const levy_convergence *bench_methods(bench *it, const char *methods)
{
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = methods,
                                        .points = "2^10",
                                        .replicates = 4,
                                        .resamples = 10};
    return bench_converge(it, &options);
}

static void assert_form(const levy_convergence_method *method, const char *name, const char *form)
{
    const char *const smoothing = strcmp(form, "plain") == 0 ? "none" : "auto";
    double mean = 0.0;
    assert_string_equal(method->method, name);
    assert_string_equal(method->smoothing, form);
    for (size_t r = 0; r < 4; ++r) mean += method->estimates[r] / 4.0;
    if (strcmp(method->generator, "sobol_scrambled") == 0)
        assert_true(fabs(mean - price_smoothed(STEP, "sobol_scrambled", "2^12", "4", smoothing)) <=
                    1e-15);
}

/* A payoff that jumps is integrated under bridge and not under incremental. What a study compares
 * is points, so all its methods are alike unless their names say otherwise, and the names tell. */
static void test_methods_are_alike_and_say_what_they_are(void **state)
{
    (void)state;
    bench it = bench_load(STEP, NULL, 0);
    const levy_convergence *study =
        bench_methods(&it, "sobol_scrambled+bridge,mrg32k3a+incremental");
    assert_form(&study->methods[0], "sobol_scrambled+bridge+plain", "plain");
    assert_form(&study->methods[1], "mrg32k3a+incremental+plain", "plain");
    levy_study_destroy(it.study);
    study = bench_methods(&it, "sobol_scrambled+bridge,mrg32k3a+bridge");
    assert_form(&study->methods[0], "sobol_scrambled+bridge+integrated", "integrated");
    assert_form(&study->methods[1], "mrg32k3a+bridge+integrated", "integrated");
    levy_study_destroy(it.study);
    study = bench_methods(&it, "sobol_scrambled+bridge+integrated, sobol_scrambled+bridge+plain, "
                               "mrg32k3a+incremental");
    assert_form(&study->methods[0], "sobol_scrambled+bridge+integrated", "integrated");
    assert_form(&study->methods[1], "sobol_scrambled+bridge+plain", "plain");
    assert_form(&study->methods[2], "mrg32k3a+incremental+plain", "plain");
    bench_release(&it);
    it = bench_load(GEOMETRIC, NULL, 0); /* nothing to integrate: the name says nothing */
    study = bench_methods(&it, "sobol_scrambled+bridge,mrg32k3a+incremental");
    assert_string_equal(study->methods[0].method, "sobol_scrambled+bridge");
    assert_string_equal(study->methods[0].smoothing, "plain");
    bench_release(&it);
}

static void test_threads_and_batches_leave_estimates_alone(void **state)
{
    (void)state;
    bench a = bench_load(GEOMETRIC, NULL, 0), b = bench_load(GEOMETRIC, NULL, 0);
    const levy_price_options
        one = {.struct_size = sizeof one, .device = "cpu", .threads = 1, .batch_blocks = 3},
        three = {.struct_size = sizeof three, .device = "cpu", .threads = 3, .batch_blocks = 7};
    assert_int_equal(levy_converge(a.book, &small, &one, &a.study), LEVY_STATUS_OK);
    assert_int_equal(levy_converge(b.book, &small, &three, &b.study), LEVY_STATUS_OK);
    for (size_t m = 0; m < 3; ++m) {
        const levy_convergence_method *x = levy_convergence_at(levy_study_convergence(a.study), m),
                                      *y = levy_convergence_at(levy_study_convergence(b.study), m);
        assert_memory_equal(x->estimates, y->estimates,
                            x->replicates * x->n_sizes * sizeof(double));
        /* plain Sobol, one run, has none */
        assert_true(m == 2 ? isnan(x->slope) && isnan(y->slope) : x->slope == y->slope);
    }
    bench_release(&a);
    bench_release(&b);
}

static void test_sobol_beats_pseudo_random_and_slopes_say_so(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    levy_study_options options = small;
    options.replicates = 32;
    options.methods = NULL; /* the usual three */
    const levy_convergence *study = bench_converge(&it, &options);
    assert_int_equal(study->n_methods, 3);
    assert_string_equal(study->methods[0].method, "sobol_scrambled+bridge");
    assert_string_equal(study->methods[2].method, "mrg32k3a+incremental");
    assert_string_equal(study->baseline, "mrg32k3a+incremental");
    assert_true(study->methods[0].slope < -0.65 && study->methods[0].slope_se > 0.0);
    assert_true(fabs(study->methods[2].slope + 0.5) < 4.0 * study->methods[2].slope_se);
    assert_true(study->methods[0].efficiency > 100.0 && study->methods[2].efficiency == 1.0);
    /* how one follows from the other is test_converge's; times of so short runs say nothing */
    for (size_t m = 0; m < 3; ++m)
        assert_true(study->methods[m].seconds > 0.0 && study->methods[m].seconds_to_target > 0.0);
    assert_int_equal(study->methods[0].dimensions, 8);
    const levy_convergence_method *const bridge = &study->methods[0];
    assert_int_equal(bridge->n_shares, 4); /* in the first 1, 2, 4, 8 */
    for (size_t i = 1; i < 4; ++i) assert_true(bridge->shares[i] > bridge->shares[i - 1]);
    assert_true(bridge->shares[0] > 0.75 && fabs(bridge->shares[3] - 1.0) < 1e-12);
    assert_true(bridge->effective_dimension > 2 && bridge->effective_dimension < 8);
    assert_int_equal(study->methods[2].n_shares, 0); /* pseudo-random */
    bench_release(&it);
}

/* ---- Yardsticks ---- */

static void test_reference_is_the_closed_form_where_there_is_one(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    const levy_convergence *study = bench_converge(&it, &small);
    assert_string_equal(study->reference_kind, "closed_form");
    assert_true(study->reference_se == 0.0);
    assert_int_equal(levy_diagnostic_count(it.context), 0);
    bench_release(&it);
}

/* Greeks of a call by Black and Scholes, written out. Differences of prices are biased by their
 * bumps, and a study that sees the bias says so, of which trade and measure. */
static void test_references_of_greeks_are_closed_forms(void **state)
{
    static const levy_setting settings[] = {{"measures", "price"}};
    const double d1 = 0.35, d2 = 0.15, n1 = 0.5 * erfc(-d1 / sqrt(2.0)),
                 n2 = 0.5 * erfc(-d2 / sqrt(2.0)), density = exp(-0.5 * d1 * d1) / sqrt(2.0 * M_PI),
                 discount = exp(-0.05);
    const struct {
        const char *measure;
        double value;
    } exact[] = {{"price", 100.0 * n1 - 100.0 * discount * n2},
                 {"delta", n1},
                 {"gamma", density / 20.0},
                 {"vega", 100.0 * density},
                 {"rho", 100.0 * discount * n2},
                 {"vanna", -density * d2 / 0.2},
                 {"volga", 100.0 * density * d1 * d2 / 0.2},
                 {"dividend_rho", -100.0 * n1},
                 {"borrow_rho", -100.0 * n1}};
    enum { N = sizeof exact / sizeof *exact };
    (void)state;
    bench it =
        bench_load("  - {id: call, underlying: A, position: short, quantity: 2, exercise: "
                   "{expiry: 1}, payoff: {kind: european, option_type: call, strike: 100}}\n",
                   settings, 1);
    const levy_study_options options = {
        .struct_size = sizeof options,
        .methods = "sobol_scrambled+bridge",
        .points = "2^14",
        .replicates = 32,
        .resamples = 10,
        .measures = "price,delta,gamma,vega,rho,vanna,volga,dividend_rho,borrow_rho"};
    bench_converge(&it, &options);
    assert_int_equal(levy_study_convergence_count(it.study), N);
    for (size_t k = 0; k < N; ++k) {
        const levy_convergence *const study = levy_study_convergence_at(it.study, k);
        assert_string_equal(study->measure, exact[k].measure);
        assert_string_equal(study->reference_kind, "closed_form");
        assert_true(study->reference_se == 0.0);
        if (!(fabs(study->reference + 2.0 * exact[k].value) <= 2e-9 * fabs(exact[k].value)))
            fail_msg("%s: %.17g, exactly %.17g", study->measure, study->reference,
                     -2.0 * exact[k].value);
    }
    bool said = false;
    for (size_t i = 0; i < levy_diagnostic_count(it.context); ++i) {
        const char *const text = levy_diagnostic_get(it.context, i)->message;
        said = said || (strncmp(text, "call, vanna A.spot,A.volatility: ", 33) == 0 &&
                        strstr(text, "the bias of its bump"));
        assert_null(strstr(text, "one of them is wrong"));
    }
    assert_true(said);
    bench_release(&it);
}

/* Kemna-Vorst's control says -3 times 6.4 or so; the study's own yardstick has an error that it
 * states. */
static void test_reference_is_simulated_where_there_is_none(void **state)
{
    (void)state;
    bench it = bench_load(ARITHMETIC, NULL, 0);
    const levy_convergence *study = bench_converge(&it, &small);
    assert_string_equal(study->reference_kind, "simulated");
    assert_non_null(
        strstr(study->reference_text, "sobol_scrambled+bridge, 32 replicates of 2^16 points"));
    assert_true(study->reference < 0.0 && study->reference_se > 0.0);
    assert_true(study->reference_se < 0.1 * study->methods[0].rmse[5]);
    bench_release(&it);
}

static void test_reference_given_is_taken_and_a_wrong_one_is_noticed(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    levy_study_options options = small;
    options.has_reference = 1;
    options.reference = 12.5;
    const levy_convergence *study = bench_converge(&it, &options);
    assert_string_equal(study->reference_kind, "given");
    assert_true(study->reference == 12.5);
    assert_true(levy_diagnostic_count(it.context) >= 1);
    const levy_diagnostic *diagnostic = levy_diagnostic_get(it.context, 0);
    assert_int_equal(diagnostic->severity, 1);
    assert_non_null(strstr(diagnostic->message, "geometric: "));
    assert_non_null(strstr(diagnostic->message, "differs from the reference"));
    bench_release(&it);
}

/* ---- Outputs ---- */

static grown_text text_of(const levy_study *study, int format)
{
    grown_text it = {0};
    assert_int_equal(levy_study_write(study, format, text_grow, &it), LEVY_STATUS_OK);
    assert_true(it.length > 0);
    return it;
}

static void test_json_holds_the_study(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    const levy_convergence *study = bench_converge(&it, &small);
    grown_text json = text_of(it.study, LEVY_FORMAT_JSON);
    json_error_t error;
    json_t *root = json_loads(json.bytes, 0, &error);
    assert_non_null(root);
    const json_t *run = json_object_get(root, "run"), *methods = json_object_get(root, "methods");
    assert_string_equal(json_string_value(json_object_get(run, "trade")), "geometric");
    assert_string_equal(json_string_value(json_object_get(run, "reference_kind")), "closed_form");
    assert_int_equal(json_integer_value(json_object_get(run, "resamples")), 50);
    assert_int_equal(json_array_size(methods), 3);
    for (size_t m = 0; m < 3; ++m) {
        const json_t *method = json_array_get(methods, m), *rmse = json_object_get(method, "rmse");
        assert_string_equal(json_string_value(json_object_get(method, "method")),
                            study->methods[m].method);
        /* plain Sobol: one replicate, so no slope, no time to target and no rank */
        static const char *const none[] = {"slope", "intercept", "efficiency", "seconds_to_target"};
        for (size_t i = 0; i < 4; ++i)
            assert_true(json_is_null(json_object_get(method, none[i])) == (m == 2));
        assert_true(m == 2 ||
                    json_number_value(json_object_get(method, "slope")) == study->methods[m].slope);
        assert_true(json_is_null(json_object_get(method, "slope_se")) == (m == 2));
        assert_true(json_number_value(json_object_get(method, "seconds")) > 0.0);
        assert_int_equal(json_array_size(rmse), 6);
        for (size_t i = 0; i < 6; ++i) {
            assert_int_equal(json_integer_value(json_array_get(json_array_get(rmse, i), 0)),
                             512 << i);
            assert_true(json_number_value(json_array_get(json_array_get(rmse, i), 1)) ==
                        study->methods[m].rmse[i]);
        }
    }
    json_decref(root);
    free(json.bytes);
    bench_release(&it);
}

/* Cells of the record at *at, which moves past its CRLF. Quoted cells are taken whole. */
static size_t csv_record(const char **at, char cells[][64], size_t room)
{
    size_t n = 0;
    for (const char *p = *at;; ++p) {
        size_t used = 0;
        const bool quoted = *p == '"';
        p += quoted;
        assert_true(n < room);
        for (; quoted ? *p != '"' || p[1] == '"' : !strchr(",\r\n\"", *p); ++p) {
            assert_true(*p != '\0');
            p += quoted && *p == '"';
            if (used < 63) cells[n][used++] = *p;
        }
        cells[n++][used] = '\0';
        p += quoted;
        if (*p == ',') continue;
        assert_true(p[0] == '\r' && p[1] == '\n');
        *at = p + 2;
        return n;
    }
}

static void test_csv_is_rfc_4180_and_holds_every_estimate(void **state)
{
    enum { COLUMNS = 20 };
    char head[COLUMNS][64], cells[COLUMNS][64];
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    const levy_convergence *study = bench_converge(&it, &small);
    grown_text csv = text_of(it.study, LEVY_FORMAT_CSV);
    const char *at = csv.bytes;
    assert_int_equal(csv_record(&at, head, COLUMNS), COLUMNS);
    assert_string_equal(head[7], "replicate");
    assert_string_equal(head[10], "estimate");
    assert_string_equal(head[16], "measure");
    assert_string_equal(head[18], "smoothing");
    assert_string_equal(head[19], "points");
    for (size_t m = 0; m < 3; ++m)
        for (size_t r = 0; r < study->methods[m].replicates; ++r)
            for (size_t i = 0; i < 6; ++i) {
                assert_int_equal(csv_record(&at, cells, COLUMNS), COLUMNS);
                assert_string_equal(cells[1], study->methods[m].method);
                assert_int_equal(strtoul(cells[7], NULL, 10), r);
                assert_int_equal(strtoul(cells[8], NULL, 10), 512u << i);
                assert_true(strtod(cells[10], NULL) == study->methods[m].estimates[r * 6 + i]);
                assert_true(strtod(cells[11], NULL) ==
                            study->methods[m].estimates[r * 6 + i] - study->reference);
            }
    assert_true(*at == '\0');
    free(csv.bytes);
    bench_release(&it);
}

/* Texts of a plot by their place: no two may touch. Widths are estimated as 0.6 of the size a
 * letter. */
typedef struct box {
    double left, right, top, bottom;
    char text[96];
} box;

static size_t svg_boxes(const char *svg, box *boxes, size_t room)
{
    size_t n = 0;
    for (const char *at = strstr(svg, "<text x="); at; at = strstr(at + 1, "<text x=")) {
        double x, y;
        int size;
        char anchor[8];
        assert_true(n < room);
        assert_int_equal(
            sscanf(at, "<text x=\"%lf\" y=\"%lf\" font-size=\"%d\" text-anchor=\"%7[a-z]\"", &x, &y,
                   &size, anchor),
            4);
        const char *from = strchr(at, '>') + 1;
        size_t letters = 0, used = 0;
        bool tag = false;
        for (const char *p = from; strncmp(p, "</text>", 7) != 0; ++p) {
            tag = *p == '<' || (tag && p[-1] != '>');
            if (tag || (*p & 0xc0) == 0x80) continue;
            letters++;
            if (used < sizeof boxes[n].text - 1) boxes[n].text[used++] = *p;
        }
        boxes[n].text[used] = '\0';
        const double width = 0.6 * size * (double)letters;
        const double ends = anchor[0] == 'm' ? 0.5 : 1.0;
        const double shift = anchor[0] == 's' ? 0.0 : ends;
        boxes[n].left = x - shift * width;
        boxes[n].right = boxes[n].left + width;
        boxes[n].top = y - 0.8 * size;
        boxes[n++].bottom = y + 0.1 * size;
    }
    return n;
}

static void svg_assert_clear(const char *svg, double width)
{
    box boxes[128];
    const size_t n = svg_boxes(svg, boxes, 128);
    assert_true(n > 8);
    for (size_t i = 0; i < n; ++i) {
        if (boxes[i].left < 0.0 || boxes[i].right > width)
            fail_msg("'%s' leaves the picture: %g to %g", boxes[i].text, boxes[i].left,
                     boxes[i].right);
        for (size_t j = 0; j < i; ++j)
            if (boxes[i].left < boxes[j].right && boxes[j].left < boxes[i].right &&
                boxes[i].top < boxes[j].bottom && boxes[j].top < boxes[i].bottom)
                fail_msg("'%s' and '%s' overlap", boxes[i].text, boxes[j].text);
    }
}

static void test_svg_is_well_formed_and_its_labels_stand_clear(void **state)
{
    static const char *const points[] = {"2^8..2^9", "2^3..2^14", "2^1..2^16", "2^12"};
    (void)state;
    for (size_t i = 0; i < 4; ++i) {
        bench it = bench_load(GEOMETRIC, NULL, 0);
        levy_study_options options = small;
        options.points = points[i];
        options.methods = "sobol_scrambled+bridge,sobol_scrambled+incremental,sobol_scrambled+pca,"
                          "sobol+bridge,philox+incremental";
        bench_converge(&it, &options);
        grown_text svg = text_of(it.study, LEVY_FORMAT_SVG);
        const xml_facts facts = xml_check(svg.bytes);
        if (facts.fault) fail_msg("%s: %s", points[i], facts.fault);
        assert_true(facts.elements > 40);
        /* the two slopes, and of the one run a line and its sample */
        assert_int_equal(xml_count(svg.bytes, "stroke-dasharray=\"6 4\""), 2);
        assert_int_equal(xml_count(svg.bytes, "stroke-dasharray=\"1.5 3\""), i == 3 ? 1 : 2);
        assert_int_equal(xml_count(svg.bytes, "slope "), 4);
        assert_int_equal(xml_count(svg.bytes, "one run: |error|, not an RMSE"), 1);
        assert_null(strstr(svg.bytes, "nan"));
        assert_null(strstr(svg.bytes, "inf"));
        svg_assert_clear(svg.bytes, 760.0);
        free(svg.bytes);
        bench_release(&it);
    }
}

static void test_table_shows_slopes_and_errors(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    bench_converge(&it, &small);
    grown_text table = text_of(it.study, LEVY_FORMAT_TABLE);
    assert_non_null(strstr(table.bytes, "closed form (geometric Asian)"));
    assert_non_null(
        strstr(table.bytes, "4 replicates of 2^9 to 2^14 points, seed 5, double precision"));
    assert_non_null(strstr(table.bytes, "RMSE at 2^14"));
    assert_non_null(strstr(table.bytes, " +- "));
    assert_non_null(strstr(table.bytes, "50 bootstrap samples"));
    assert_non_null(strstr(table.bytes, "\n2^9 "));
    free(table.bytes);
    bench_release(&it);
}

static void test_writers_report_a_failing_output(void **state)
{
    static const int formats[] = {LEVY_FORMAT_TABLE, LEVY_FORMAT_JSON, LEVY_FORMAT_CSV,
                                  LEVY_FORMAT_SVG};
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    bench_converge(&it, &small);
    for (size_t i = 0; i < 4; ++i) {
        grown_text full = {.stop_at = 100};
        assert_int_equal(levy_study_write(it.study, formats[i], text_grow, &full), LEVY_STATUS_IO);
        free(full.bytes);
    }
    assert_int_equal(levy_study_write(it.study, LEVY_FORMAT_JSONL, text_grow, NULL),
                     LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_study_write(NULL, LEVY_FORMAT_JSON, text_grow, NULL),
                     LEVY_STATUS_ARGUMENT);
    bench_release(&it);
}

/* ---- What is refused ---- */

static void assert_refused(const char *trades, levy_study_options options, int status,
                           const char *path, const char *message)
{
    bench it = bench_load(trades, NULL, 0);
    options.struct_size = sizeof options;
    levy_study *study = (levy_study *)&it;
    assert_int_equal(
        (options.seeds ? levy_coverage : levy_converge)(it.book, &options, NULL, &study), status);
    assert_null(study);
    assert_int_equal(levy_diagnostic_count(it.context), 1);
    const levy_diagnostic *diagnostic = levy_diagnostic_get(it.context, 0);
    assert_string_equal(diagnostic->path, path);
    if (!strstr(diagnostic->message, message))
        fail_msg("'%s' does not say '%s'", diagnostic->message, message);
    bench_release(&it);
}

static void test_options_that_make_no_sense_are_refused(void **state)
{
    const int argument = LEVY_STATUS_ARGUMENT;
    (void)state;
    assert_refused(GEOMETRIC, (levy_study_options){.methods = "sobol_scrambld+bridge"}, argument,
                   "methods", "did you mean 'sobol_scrambled+bridge'?");
    assert_refused(GEOMETRIC, (levy_study_options){.methods = "philox"}, argument, "methods",
                   "unknown method 'philox'");
    assert_refused(GEOMETRIC, (levy_study_options){.methods = "philox+bridge,,sobol+bridge"},
                   argument, "methods", "unknown method ''");
    assert_refused(GEOMETRIC,
                   (levy_study_options){.methods = "philox+bridge, philox+brownian_bridge"},
                   argument, "methods", "occurs twice");
    assert_refused(GEOMETRIC, (levy_study_options){.methods = "philox+incremental+integrated"},
                   argument, "methods", "construction incremental");
    assert_refused(GEOMETRIC, (levy_study_options){.methods = "philox+bridge+integrated"}, argument,
                   "methods", "trade 'geometric' is not integrated over a normal");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "1000"}, argument, "points",
                   "the nearest are 512 and 1024");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "2^8..2^x"}, argument, "points",
                   "must be powers of two");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "1..2^8"}, argument, "points",
                   "must be powers of two");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "2^8..2^33"}, argument, "points",
                   "must be powers of two");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "2^9..2^8"}, argument, "points",
                   "must not be above");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "2^8..2^10", .fit = "2^8..2^11"},
                   argument, "fit", "part of points");
    assert_refused(GEOMETRIC, (levy_study_options){.points = "2^8..2^10", .fit = "2^9"}, argument,
                   "fit", "part of points");
    assert_refused(GEOMETRIC, (levy_study_options){.replicates = 1}, argument, "replicates",
                   "between 2 and 65536; got 1");
    assert_refused(GEOMETRIC, (levy_study_options){.replicates = 65537}, argument, "replicates",
                   "between 2 and 65536");
    assert_refused(GEOMETRIC, (levy_study_options){.resamples = 1}, argument, "resamples", "got 1");
    assert_refused(GEOMETRIC, (levy_study_options){.target_rmse = -1.0}, argument, "target_rmse",
                   "positive");
    assert_refused(GEOMETRIC, (levy_study_options){.has_reference = 1, .reference = INFINITY},
                   argument, "reference", "finite");
    assert_refused(GEOMETRIC, (levy_study_options){.measures = "detla"}, argument, "measures",
                   "did you mean 'delta'?");
    assert_refused(GEOMETRIC, (levy_study_options){.measures = "scenario_pnl"}, argument,
                   "measures", "has no scenario_pnl");
    assert_refused(
        GEOMETRIC,
        (levy_study_options){.measures = "price,delta", .has_reference = 1, .reference = 1.0},
        argument, "reference", "single measure");
    assert_refused(GEOMETRIC ARITHMETIC, (levy_study_options){.trade = "geometrik"}, argument,
                   "trade", "did you mean 'geometric'?");
    assert_refused(GEOMETRIC BROKEN, (levy_study_options){.trade = "broken"}, LEVY_STATUS_INPUT,
                   "trade", "cannot be priced");
    assert_refused(GEOMETRIC, (levy_study_options){.seeds = 10, .points = "2^8..2^9"}, argument,
                   "points", "one size");
    assert_refused(GEOMETRIC, (levy_study_options){.seeds = 10, .methods = "sobol+bridge"},
                   argument, "methods", "do not depend on the seed");
    assert_refused(GEOMETRIC ARITHMETIC,
                   (levy_study_options){.seeds = 10, .has_reference = 1, .reference = 1.0},
                   argument, "reference", "single trade");
}

static int cancel_at_once(void *user, const levy_progress *progress)
{
    ++*(int *)user;
    return progress->done > 0;
}

/* ---- Several trades and measures; profiles ---- */

static const char shocked[] =
    "scenarios:\n"
    "  - {id: up, shifts: [{factor: A.spot, type: relative, size: 0.1}]}\n";

/* Without a name all trades are studied, each as it would be alone. */
static void test_all_trades_are_studied(void **state)
{
    (void)state;
    levy_study_options options = small;
    bench both = bench_load(GEOMETRIC ARITHMETIC, NULL, 0), one = bench_load(ARITHMETIC, NULL, 0);
    options.points = "2^9..2^12";
    bench_converge(&both, &options);
    const levy_convergence *const alone = bench_converge(&one, &options);
    assert_int_equal(levy_study_convergence_count(both.study), 2);
    const levy_convergence *const first = levy_study_convergence_at(both.study, 0),
                                  *const second = levy_study_convergence_at(both.study, 1);
    assert_true(first == levy_study_convergence(both.study));
    assert_null(levy_study_convergence_at(both.study, 2));
    assert_string_equal(first->trade, "geometric");
    assert_string_equal(second->trade, "arithmetic");
    assert_string_equal(second->measure, "price");
    assert_string_equal(second->factor, "");
    assert_true(second->run && second->reference == alone->reference);
    for (size_t m = 0; m < 3; ++m)
        assert_memory_equal(second->methods[m].estimates, alone->methods[m].estimates,
                            alone->methods[m].replicates * 4 * sizeof(double));
    grown_text csv = text_of(both.study, LEVY_FORMAT_CSV),
               json = text_of(both.study, LEVY_FORMAT_JSON),
               table = text_of(both.study, LEVY_FORMAT_TABLE),
               svg = text_of(both.study, LEVY_FORMAT_SVG);
    assert_int_equal(xml_count(csv.bytes, "\r\n"), 1 + 2 * 4 * (4 + 4 + 1)); /* one head */
    json_t *const root = json_loads(json.bytes, 0, NULL);
    assert_non_null(root);
    const json_t *const studies = json_object_get(root, "studies");
    assert_int_equal(json_array_size(studies), 2);
    assert_string_equal(json_string_value(json_object_get(
                            json_object_get(json_array_get(studies, 1), "run"), "trade")),
                        "arithmetic");
    json_decref(root);
    assert_non_null(strstr(table.bytes, "\narithmetic: asian"));
    assert_null(xml_check(svg.bytes).fault);
    assert_int_equal(xml_count(svg.bytes, "class=\"x-axis\""), 2);
    free(csv.bytes);
    free(json.bytes);
    free(table.bytes);
    free(svg.bytes);
    bench_release(&both);
    bench_release(&one);
}

/* The means of a study's replicates at its largest size are what levy_price gives for it, of each
 * measure with each factor. */
static void test_measures_are_those_of_prices(void **state)
{
    static const levy_setting settings[] = {{"measures", "price,delta,vega"},
                                            {"simulation.paths", "2^14"},
                                            {"simulation.replicates", "4"}};
    static const char *const trades = ARITHMETIC;
    (void)state;
    char book[2048];
    snprintf(book, sizeof book, "%s%s", trades, shocked);
    bench it = bench_load(book, settings, 3);
    levy_results *results;
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = "sobol_scrambled+bridge",
                                        .points = "2^10..2^12",
                                        .replicates = 4,
                                        .resamples = 10,
                                        .measures = "scenario_pnl,delta,price,vega"};
    static const char *const names[] = {"scenario_pnl", "delta", "price", "vega"},
                             *const factors[] = {"up", "A.spot", "", "A.volatility"};
    bench_converge(&it, &options);
    assert_int_equal(levy_study_convergence_count(it.study), 4);
    assert_int_equal(levy_price(it.book, NULL, &results), LEVY_STATUS_OK);
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    for (size_t k = 0; k < 4; ++k) {
        const levy_convergence *const study = levy_study_convergence_at(it.study, k);
        assert_string_equal(study->measure, names[k]); /* in the order asked for */
        assert_string_equal(study->factor, factors[k]);
        assert_string_equal(study->reference_kind, "simulated");
        double mean = 0.0;
        for (size_t r = 0; r < 4; ++r) mean += study->methods[0].estimates[r * 3 + 2] / 4.0;
        size_t found = 0;
        for (size_t i = 0; i < trade->n_measures; ++i) {
            const levy_measure *const m = levy_trade_measure(trade, i);
            if (strcmp(m->measure, names[k]) != 0) continue;
            assert_true(fabs(m->value - mean) <= 1e-12 * fabs(mean));
            ++found;
        }
        assert_int_equal(found, 1);
        assert_true(fabs(study->reference - mean) < 0.05 * fabs(mean));
    }
    levy_results_destroy(results);
    bench_release(&it);
}

/* Each value is that of a pricing with the quote set, bit for bit, and the quote is as before. */
static void test_a_profile_is_a_pricing_at_each_value(void **state)
{
    static const levy_setting settings[] = {{"measures", "price,delta"},
                                            {"simulation.paths", "2^10"}};
    const levy_profile_options options = {
        .struct_size = sizeof options, .low = 80.0, .high = 120.0, .points = 4};
    (void)state;
    bench it = bench_load(GEOMETRIC ARITHMETIC, settings, 2);
    assert_int_equal(levy_profile(it.book, &options, NULL, &it.study), LEVY_STATUS_OK);
    const levy_profile_table *const table = levy_study_profile(it.study);
    assert_non_null(table);
    assert_null(levy_study_convergence(it.study));
    assert_string_equal(table->factor, "A.spot");
    assert_int_equal(table->n_values, 5); /* today's is one more */
    assert_int_equal(table->n_lines, 4);
    assert_null(levy_profile_at(table, 4));
    double now;
    assert_int_equal(levy_book_get(it.book, "A.spot", &now), LEVY_STATUS_OK);
    assert_true(now == 100.0 && table->today == 100.0 && table->at[2] == 100.0);
    assert_true(table->at[0] == 80.0 && table->at[4] == 120.0);
    for (size_t i = 0; i < 5; ++i) {
        levy_results *results;
        assert_int_equal(levy_book_set(it.book, "A.spot", table->at[i]), LEVY_STATUS_OK);
        assert_int_equal(levy_price(it.book, NULL, &results), LEVY_STATUS_OK);
        for (size_t l = 0; l < 4; ++l) {
            const levy_profile_line *const line = levy_profile_at(table, l);
            const levy_trade_result *const trade = levy_results_trade(results, l / 2);
            const levy_measure *const m = levy_trade_measure(trade, l % 2);
            assert_string_equal(line->trade, trade->id);
            assert_string_equal(line->measure, m->measure);
            assert_true(line->values[i] == m->value && line->std_errors[i] == m->std_error);
        }
        levy_results_destroy(results);
    }
    grown_text csv = text_of(it.study, LEVY_FORMAT_CSV), json = text_of(it.study, LEVY_FORMAT_JSON),
               table_text = text_of(it.study, LEVY_FORMAT_TABLE);
    assert_int_equal(xml_count(csv.bytes, "\r\n"), 1 + 4 * 5);
    json_t *const root = json_loads(json.bytes, 0, NULL);
    assert_non_null(root);
    const json_t *const line = json_array_get(json_object_get(root, "lines"), 3);
    assert_true(json_number_value(json_array_get(json_object_get(line, "values"), 4)) ==
                table->lines[3].values[4]);
    json_decref(root);
    assert_int_equal(xml_count(table_text.bytes, "  today\n"), 4);
    free(csv.bytes);
    free(json.bytes);
    free(table_text.bytes);
    bench_release(&it);
}

static void profile_refused(levy_profile_options options, const char *path, const char *message)
{
    bench it = bench_load(GEOMETRIC, NULL, 0);
    options.struct_size = sizeof options;
    assert_int_equal(levy_profile(it.book, &options, NULL, &it.study), LEVY_STATUS_ARGUMENT);
    assert_null(it.study);
    assert_int_equal(levy_diagnostic_count(it.context), 1);
    const levy_diagnostic *const diagnostic = levy_diagnostic_get(it.context, 0);
    assert_string_equal(diagnostic->path, path);
    if (!strstr(diagnostic->message, message))
        fail_msg("'%s' does not say '%s'", diagnostic->message, message);
    double now;
    assert_int_equal(levy_book_get(it.book, "A.spot", &now), LEVY_STATUS_OK);
    assert_true(now == 100.0);
    bench_release(&it);
}

static void test_profiles_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    profile_refused((levy_profile_options){.factor = "B.spot"}, "factor", "no factor 'B.spot'");
    profile_refused((levy_profile_options){.points = 1}, "points", "between 2 and 400");
    profile_refused((levy_profile_options){.points = 401}, "points", "between 2 and 400");
    profile_refused((levy_profile_options){.low = 2.0, .high = 1.0}, "range", "the lesser");
    profile_refused((levy_profile_options){.low = NAN, .high = 1.0}, "range", "the lesser");
    profile_refused((levy_profile_options){.trade = "none"}, "trade",
                    "the book has no trade 'none'");
    profile_refused((levy_profile_options){.trade = "none", .factor = "A.spot"}, "trade",
                    "the book has no trade 'none'");
}

/* Values that the market() cannot have leave gaps, and no diagnostics. */
static void test_a_profile_has_gaps_where_there_is_no_market(void **state)
{
    const levy_profile_options options = {.struct_size = sizeof options,
                                          .factor = "A.volatility",
                                          .low = -0.1,
                                          .high = 0.4,
                                          .points = 6};
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    assert_int_equal(levy_profile(it.book, &options, NULL, &it.study), LEVY_STATUS_OK);
    assert_int_equal(levy_diagnostic_count(it.context), 0);
    const levy_profile_table *const table = levy_study_profile(it.study);
    assert_true(isnan(table->lines[0].values[0]));
    assert_true(isfinite(table->lines[0].values[table->n_values - 1]));
    bench_release(&it);
}

static int watch_total(void *user, const levy_progress *progress)
{
    *(int *)user |= progress->done > progress->total;
    return 0;
}

/* A range without today's value has no such value, and no mark of it. */
static void test_a_profile_may_leave_today_out(void **state)
{
    const levy_profile_options options = {
        .struct_size = sizeof options, .low = 150.0, .high = 160.0, .points = 3};
    int past = 0;
    const levy_price_options how = {
        .struct_size = sizeof how, .progress = watch_total, .user = &past};
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    assert_int_equal(levy_profile(it.book, &options, &how, &it.study), LEVY_STATUS_OK);
    const levy_profile_table *const table = levy_study_profile(it.study);
    assert_int_equal(table->n_values, 3);
    for (size_t i = 0; i < 3; ++i) assert_true(isfinite(table->lines[0].values[i]));
    assert_false(past);
    grown_text svg = text_of(it.study, LEVY_FORMAT_SVG);
    assert_int_equal(xml_count(svg.bytes, "class=\"today\""), 0);
    free(svg.bytes);
    bench_release(&it);
}

static void test_a_profile_is_cancelled(void **state)
{
    int calls = 0;
    const levy_price_options how = {
        .struct_size = sizeof how, .progress = cancel_at_once, .user = &calls};
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    assert_int_equal(levy_profile(it.book, NULL, &how, &it.study), LEVY_STATUS_CANCELLED);
    assert_true(calls > 0);
    double now;
    assert_int_equal(levy_book_get(it.book, "A.spot", &now), LEVY_STATUS_OK);
    assert_true(now == 100.0);
    bench_release(&it);
}

static void test_plots_belong_to_their_studies(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    levy_study_options options = small;
    options.points = "2^9..2^10";
    bench_converge(&it, &options);
    for (int what = LEVY_PLOT_ERRORS; what <= LEVY_PLOT_PROFILE; ++what) {
        grown_text svg = {0};
        const bool has = what == LEVY_PLOT_CONVERGENCE || what == LEVY_PLOT_COST;
        assert_int_equal(levy_study_plot(it.study, what, text_grow, &svg),
                         has ? LEVY_STATUS_OK : LEVY_STATUS_ARGUMENT);
        if (has) assert_null(xml_check(svg.bytes).fault);
        assert_true(has == (svg.length > 0));
        free(svg.bytes);
    }
    assert_int_equal(levy_study_plot(NULL, LEVY_PLOT_COST, text_grow, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_results_plot(NULL, LEVY_PLOT_ERRORS, NULL, text_grow, NULL),
                     LEVY_STATUS_ARGUMENT);
    bench_release(&it);
}

static void test_null_arguments_are_refused(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    const levy_study_options odd = {.struct_size = 1};
    assert_int_equal(levy_converge(NULL, NULL, NULL, &it.study), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_converge(it.book, NULL, NULL, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_converge(it.book, &odd, NULL, &it.study), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_coverage(NULL, NULL, NULL, &it.study), LEVY_STATUS_ARGUMENT);
    assert_null(levy_study_convergence(NULL));
    assert_null(levy_study_coverage(NULL));
    assert_null(levy_convergence_at(NULL, 0));
    assert_null(levy_coverage_at(NULL, 0));
    levy_study_destroy(NULL);
    bench_release(&it);
}

static void test_a_study_can_be_cancelled(void **state)
{
    int calls = 0;
    (void)state;
    bench it = bench_load(GEOMETRIC, NULL, 0);
    const levy_price_options how = {
        .struct_size = sizeof how, .device = "cpu", .progress = cancel_at_once, .user = &calls};
    assert_int_equal(levy_converge(it.book, &small, &how, &it.study), LEVY_STATUS_CANCELLED);
    assert_null(it.study);
    assert_true(calls >= 1 && calls < 4);
    bench_release(&it);
}

/* ---- Coverage ---- */

static void test_coverage_counts_intervals(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC STEP, NULL, 0);
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = "sobol_scrambled+bridge,philox+incremental",
                                        .points = "2^10",
                                        .seeds = 200};
    assert_int_equal(levy_coverage(it.book, &options, &how, &it.study), LEVY_STATUS_OK);
    assert_null(levy_study_convergence(it.study));
    const levy_coverage_table *table = levy_study_coverage(it.study);
    assert_int_equal(table->n_rows, 4);
    const levy_coverage_row *sobol = &table->rows[0], *step = &table->rows[1],
                            *philox = &table->rows[2];
    assert_string_equal(sobol->trade, "geometric");
    assert_string_equal(step->trade, "step");
    assert_int_equal(sobol->intervals, 200);
    /* 4 binomial errors below 0.95 */
    assert_true(sobol->coverage > 0.89 && sobol->coverage <= 1.0);
    assert_true(sobol->coverage == sobol->covered / 200.0 &&
                sobol->coverage_unmarked == sobol->coverage);
    /* Replicates of a step of one variable may coincide; its interval knows by how much they can be
     * off all the same. */
    assert_int_equal(step->intervals, 200);
    assert_true(step->coverage > 0.93 && step->coverage_unmarked == step->coverage &&
                step->mean_half_width > 0.0);
    assert_int_equal(philox->replicates, 1);
    assert_int_equal(philox->points, 16 << 10);
    assert_true(isnan(sobol->within_tolerance) && sobol->mean_points == 1024.0);
    assert_true(philox->coverage > 0.89 && philox->mean_half_width > 5.0 * sobol->mean_half_width);
    grown_text json = text_of(it.study, LEVY_FORMAT_JSON), csv = text_of(it.study, LEVY_FORMAT_CSV),
               shown = text_of(it.study, LEVY_FORMAT_TABLE);
    json_t *root = json_loads(json.bytes, 0, NULL);
    assert_non_null(root);
    const json_t *row = json_array_get(json_object_get(root, "coverage"), 1);
    assert_true(json_number_value(json_object_get(row, "coverage")) == step->coverage);
    assert_int_equal(json_integer_value(json_object_get(row, "unreliable")), 0);
    json_decref(root);
    char cells[21][64];
    const char *at = csv.bytes;
    for (size_t i = 0; i < 5; ++i) assert_int_equal(csv_record(&at, cells, 21), 21);
    assert_true(*at == '\0');
    assert_string_equal(cells[18], "price");
    assert_non_null(strstr(shown.bytes, "16 x 2^10"));
    grown_text svg = text_of(it.study, LEVY_FORMAT_SVG);
    assert_null(xml_check(svg.bytes).fault);
    free(svg.bytes);
    free(json.bytes);
    free(csv.bytes);
    free(shown.bytes);
    bench_release(&it);
}

/* Each measure and factor has a row, with the interval and the mark of a priced book. */
static void test_coverage_counts_intervals_of_greeks(void **state)
{
    (void)state;
    bench it = bench_load(GEOMETRIC STEP, NULL, 0);
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = "sobol_scrambled+bridge",
                                        .points = "2^8",
                                        .measures = "price,delta,gamma",
                                        .seeds = 100};
    assert_int_equal(levy_coverage(it.book, &options, &how, &it.study), LEVY_STATUS_OK);
    const levy_coverage_table *const table = levy_study_coverage(it.study);
    static const char *const measures[] = {"price", "delta", "gamma"};
    assert_int_equal(table->n_rows, 6);
    for (size_t i = 0; i < 6; ++i) {
        const levy_coverage_row *const row = &table->rows[i];
        assert_string_equal(row->trade, i < 3 ? "geometric" : "step");
        assert_string_equal(row->measure, measures[i % 3]);
        assert_string_equal(row->factor, i % 3 ? "A.spot" : "");
        assert_int_equal(row->intervals, 100);
        assert_true(row->marked == 0.0 && row->mean_half_width > 0.0);
        assert_true(row->coverage > 0.86 && row->coverage == row->coverage_unmarked);
    }
    grown_text shown = text_of(it.study, LEVY_FORMAT_TABLE),
               svg = text_of(it.study, LEVY_FORMAT_SVG);
    assert_non_null(strstr(shown.bytes, "geometric, delta A.spot"));
    assert_null(xml_check(svg.bytes).fault);
    free(shown.bytes);
    free(svg.bytes);
    bench_release(&it);
}

/* Doubling until an inflated half-width is inside, twice: the price is within the tolerance more
 * often than its interval holds. */
static void test_coverage_follows_a_tolerance(void **state)
{
    const levy_setting settings[] = {{"simulation.tolerance.absolute", "0.01"}};
    const levy_study_options options = {
        .struct_size = sizeof options, .points = "2^8", .seeds = 100};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    (void)state;
    bench it = bench_load(GEOMETRIC, settings, 1);
    assert_int_equal(levy_coverage(it.book, &options, &how, &it.study), LEVY_STATUS_OK);
    const levy_coverage_row *row = levy_coverage_at(levy_study_coverage(it.study), 0);
    assert_ptr_equal(row, levy_study_coverage(it.study)->rows);
    assert_null(
        levy_coverage_at(levy_study_coverage(it.study), levy_study_coverage(it.study)->n_rows));
    assert_string_equal(levy_study_coverage(it.study)->run->version, levy_version());
    assert_int_equal(row->points, 256);
    assert_true(row->mean_points > 256.0 && row->rmse < 0.01 && row->mean_half_width < 0.01);
    assert_true(row->within_tolerance >= 0.95 && row->within_tolerance <= 1.0);
    grown_text shown = text_of(it.study, LEVY_FORMAT_TABLE);
    assert_non_null(strstr(shown.bytes, "within tolerance"));
    free(shown.bytes);
    bench_release(&it);
}

/* ---- Memory ---- */

/* The n-th allocation of a study fails, for every n: LEVY_STATUS_MEMORY, and nothing leaks. */
static void test_every_failing_allocation_is_reported(void **state)
{
    char text_of_book[2048];
    const int length = snprintf(text_of_book, sizeof text_of_book, "%s%s", market(), GEOMETRIC);
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = "sobol_scrambled+bridge",
                                        .points = "2^11..2^13",
                                        .replicates = 2,
                                        .resamples = 2};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu", .threads = 1};
    int status = LEVY_STATUS_MEMORY;
    (void)state;
    for (long n = 0; status != LEVY_STATUS_OK; ++n) {
        test_heap c = {0};
        const levy_context_options own = heap_options(&c);
        levy_context *context;
        levy_book *book;
        levy_study *study;
        assert_int_equal(levy_context_create(&own, &context), LEVY_STATUS_OK);
        assert_int_equal(
            levy_book_load_text(context, "t", text_of_book, (size_t)length, NULL, 0, &book),
            LEVY_STATUS_OK);
        heap_fail(&c, n + 1);
        status = levy_converge(book, &options, &how, &study);
        heap_fail(&c, 0);
        assert_true(status == LEVY_STATUS_OK || status == LEVY_STATUS_MEMORY);
        assert_true((study != NULL) == (status == LEVY_STATUS_OK));
        levy_study_destroy(study);
        levy_book_destroy(book);
        levy_context_destroy(context);
        assert_int_equal(c.live, 0);
        assert_true(n < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest threads[] = {
        cmocka_unit_test(test_threads_and_batches_leave_estimates_alone),
        cmocka_unit_test(test_a_profile_is_a_pricing_at_each_value),
        cmocka_unit_test(test_a_profile_is_cancelled),
        cmocka_unit_test(test_a_study_can_be_cancelled),
        cmocka_unit_test(test_coverage_counts_intervals_of_greeks),
        cmocka_unit_test(test_coverage_follows_a_tolerance),
        cmocka_unit_test(test_every_failing_allocation_is_reported),
    };
    const struct CMUnitTest numbers[] = {
        cmocka_unit_test(test_estimates_have_the_bits_of_prices),
        cmocka_unit_test(test_first_replicate_is_the_price_of_one),
        cmocka_unit_test(test_methods_are_alike_and_say_what_they_are),
        cmocka_unit_test(test_references_of_greeks_are_closed_forms),
        cmocka_unit_test(test_sobol_beats_pseudo_random_and_slopes_say_so),
        cmocka_unit_test(test_reference_is_the_closed_form_where_there_is_one),
        cmocka_unit_test(test_reference_is_simulated_where_there_is_none),
        cmocka_unit_test(test_reference_given_is_taken_and_a_wrong_one_is_noticed),
        cmocka_unit_test(test_json_holds_the_study),
        cmocka_unit_test(test_csv_is_rfc_4180_and_holds_every_estimate),
        cmocka_unit_test(test_svg_is_well_formed_and_its_labels_stand_clear),
        cmocka_unit_test(test_table_shows_slopes_and_errors),
        cmocka_unit_test(test_writers_report_a_failing_output),
        cmocka_unit_test(test_options_that_make_no_sense_are_refused),
        cmocka_unit_test(test_all_trades_are_studied),
        cmocka_unit_test(test_measures_are_those_of_prices),
        cmocka_unit_test(test_profiles_that_make_no_sense_are_refused),
        cmocka_unit_test(test_a_profile_has_gaps_where_there_is_no_market),
        cmocka_unit_test(test_a_profile_may_leave_today_out),
        cmocka_unit_test(test_plots_belong_to_their_studies),
        cmocka_unit_test(test_null_arguments_are_refused),
        cmocka_unit_test(test_coverage_counts_intervals),
    };
    int failed = cmocka_run_group_tests(threads, NULL, NULL);
    /* to ThreadSanitizer these are more of the same threads */
    if (LEVY_SANITIZED != 2) failed += cmocka_run_group_tests(numbers, NULL, NULL);
    return failed;
}
