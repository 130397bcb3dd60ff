/* test_plot_cli.c: `levy plot`, the page of `levy price` and `levy converge --output` as their
 * users meet them: files, standard output, wrong arguments, a file's name that is markup. */
#include "tests/command.h"
#include "tests/xml_check.h"
#include "tests/files.h"

#include <unistd.h>

static char book[128], plain[128], picture[128], data[128], page[128];

static const char *book_text(void) { return text_of_book("texts/plot-cli"); }

static int group_setup(void **state)
{
    char less[4096];
    if (make_folder(state) != 0) return -1;
    snprintf(book, sizeof book, "%s/<b>&\"ook\".yaml", folder);
    snprintf(plain, sizeof plain, "%s/plain.yaml", folder);
    snprintf(picture, sizeof picture, "%s/plot.svg", folder);
    snprintf(data, sizeof data, "%s/data.csv", folder);
    snprintf(page, sizeof page, "%s/page.html", folder);
    strcpy(less, book_text());
    const char *const trades = strstr(book_text(), "trades:");
    strcpy(strstr(less, "scenarios:"), trades); /* without scenarios */
    write_file(book, book_text());
    write_file(plain, less);
    return 0;
}

static int group_teardown(void **state)
{
    const char *const files[] = {book, plain, picture, data, page};
    (void)state;
    for (size_t i = 0; i < 5; ++i) unlink(files[i]);
    return rmdir(folder); /* nothing else may be left: no temporary file either */
}

static void assert_picture(const char *svg, size_t axes)
{
    assert_non_null(svg);
    const xml_facts facts = xml_check(svg);
    if (facts.fault) fail_msg("%s", facts.fault);
    assert_int_equal(xml_count(svg, "class=\"y-axis\""), axes);
}

#define FEW "--points", "2^6..2^8", "--replicates", "2", "--resamples", "10"

static void test_every_plot_goes_to_a_file(void **state)
{
    (void)state;
    go("plot", book, "--what", "profile", "-o", picture, "--csv", data, "--steps", "3", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    assert_picture(read_file(picture), 8); /* price, delta, gamma and vega of two trades */
    assert_int_equal(xml_count(read_file(data), "\r\n"), 1 + 8 * 3);
    go("plot", book, "--what", "ladder", "-o", picture, NULL);
    assert_int_equal(run.code, 0);
    assert_picture(read_file(picture), 2);
    assert_has(read_file(picture), "A.volatility by node");
    go("plot", book, "--what", "grid", "-o", picture, "--trade", "call", NULL);
    assert_int_equal(run.code, 0);
    assert_picture(read_file(picture), 0);
    assert_int_equal(xml_count(read_file(picture), "class=\"map\""), 1);
    assert_has(read_file(picture), "USD.rate, absolute");
    go("plot", book, "--what", "convergence", "-o", picture, FEW, "--csv", data, NULL);
    assert_int_equal(run.code, 0);
    assert_picture(read_file(picture), 2);
    assert_has(read_file(picture), ">geometric<");
    assert_int_equal(xml_count(read_file(data), "\r\n"), 1 + 2 * 3 * 2 * 3);
    go("plot", book, "--what", "cost", "-o", picture, FEW, "--trade", "call", "--measures",
       "delta,scenario_pnl", NULL);
    assert_int_equal(run.code, 0);
    assert_picture(read_file(picture), 6); /* delta, up, and four points of the box */
}

static void test_a_plot_goes_to_standard_output(void **state)
{
    (void)state;
    go("plot", book, "--what", "errors", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.err, "");
    assert_picture(run.out, 0);
    assert_has(run.out, "Relative errors");
    go("plot", book, "--what", "errors", "--coverage", "4", "--points", "2^6", NULL);
    assert_int_equal(run.code, 0);
    assert_picture(run.out, 0);
    assert_has(run.out, "Coverage of the 95 % interval");
}

static void test_the_profile_takes_a_factor_and_a_range(void **state)
{
    (void)state;
    go("plot", book, "--what", "profile", "--factor", "USD.rate", "--range", "-0.01..0.1",
       "--steps", "2", "--trade", "call", "--measures", "price", "--csv", data, "-o", picture,
       NULL);
    assert_int_equal(run.code, 0);
    assert_picture(read_file(picture), 1);
    const char *const csv = read_file(data);
    assert_has(csv, "call,USD,price,,USD.rate,-0.01,");
    assert_has(csv, "call,USD,price,,USD.rate,0.05,"); /* today's */
    assert_has(csv, "call,USD,price,,USD.rate,0.1,");
}

static void test_nothing_to_plot_leaves_the_file_alone(void **state)
{
    (void)state;
    write_file(picture, "old");
    go("plot", plain, "--what", "grid", "-o", picture, NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "levy: no trade has a scenario's profit or loss\n"
                        "hint: give the book scenarios");
    assert_string_equal(read_file(picture), "old");
    go("plot", book, "--what", "ladder", "--measures", "price", "-o", picture, NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "no trade has a vega or a rho by node");
    assert_string_equal(read_file(picture), "old");
}

static void test_wrong_arguments_are_told_of(void **state)
{
    (void)state;
    go("plot", book, NULL);
    assert_usage_error(
        &run, "needs --what: errors, ladder, grid, boundary, convergence, cost or profile");
    go("plot", book, "--what", "ladders", NULL);
    assert_usage_error(&run, "did you mean 'ladder'?");
    go("plot", book, "--what", "grid", "-o", "x.png", NULL);
    assert_usage_error(&run, "the ending selects the format: .svg");
    go("plot", book, "--what", "grid", "--coverage", "5", NULL);
    assert_usage_error(&run, "--coverage goes with --what errors");
    go("plot", book, "--what", "grid", "--csv", data, NULL);
    assert_usage_error(&run, "--csv is for the numbers of a study");
    go("plot", book, "--what", "errors", "--trade", "cal", NULL);
    assert_usage_error(&run, "the book has no trade 'cal'; did you mean 'call'?");
    go("plot", book, "--what", "profile", "--trade", "geometrik", NULL);
    assert_usage_error(&run, "the book has no trade 'geometrik'; did you mean 'geometric'?");
    go("plot", book, "--what", "profile", "--range", "2..1", NULL);
    assert_usage_error(&run, "--range takes LOW..HIGH");
    go("plot", book, "--what", "errors", "--measures", "delta", NULL);
    assert_usage_error(&run, "--measures does nothing with --what errors");
    go("plot", book, "--what", "convergence", "--paths", "2^10", NULL);
    assert_usage_error(&run, "--paths does nothing with --what convergence");
    go("plot", book, "--what", "profile", "--range=-10..-5", NULL);
    assert_usage_error(&run, "range: the market has no such values");
    assert_has(run.err, ".spot lies between 0 and 1e+12.");
    go("plot", book, "--what", "profile", "--range", "5", NULL);
    assert_usage_error(&run, "--range takes LOW..HIGH");
    go("plot", book, "--what", "profile", "--range", "1..", NULL);
    assert_usage_error(&run, "--range takes LOW..HIGH");
    go("plot", book, "--what", "profile", "--range", "1..1e999", NULL);
    assert_usage_error(&run, "--range takes LOW..HIGH");
    go("plot", book, "--what", "profile", "--steps", "500", NULL);
    assert_usage_error(&run, "--steps takes a number from 2 to 400; got '500'");
    go("plot", book, "--what", "profile", "--steps", "1", NULL);
    assert_usage_error(&run, "--steps takes a number from 2 to 400; got '1'");
    go("plot", book, "--what", "profile", "--factor", "B.spot", NULL);
    assert_usage_error(&run, "no factor 'B.spot'");
    go("plot", book, "--what", "grid", "-o", book, NULL);
    assert_usage_error(&run, "unknown format '.yaml'");
    go("price", book, "--what", "grid", NULL);
    assert_usage_error(&run, "takes no option --what");
}

static void test_options_of_other_plots_are_refused(void **state)
{
    static const char *const cases[][4] = {
        {"errors", "--points", "2^6",
         "does nothing with --what errors\nhint: it goes with --what "
         "convergence or cost, or --what errors --coverage SEEDS"},
        {"ladder", "--methods", "sobol+bridge", "does nothing with --what ladder"},
        {"grid", "--replicates", "4", "does nothing with --what grid"},
        {"errors", "--reference", "1", "does nothing with --what errors"},
        {"profile", "--points", "2^6", "does nothing with --what profile"},
        {"profile", "--rmse", "0.1", "hint: it goes with --what convergence or cost\n"},
        {"errors", "--range", "70..130", "hint: it goes with --what profile\n"},
        {"ladder", "--steps", "4", "does nothing with --what ladder"},
        {"cost", "--factor", "A.spot", "does nothing with --what cost"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        go("plot", book, "--what", cases[i][0], cases[i][1], cases[i][2], NULL);
        assert_usage_error(&run, cases[i][1]);
        assert_has(run.err, cases[i][3]);
        assert_string_equal(run.out, "");
    }
    go("plot", book, "--what", "errors", "--coverage", "4", "--fit", "2^6..2^7", NULL);
    assert_usage_error(&run, "--fit does nothing with --what errors --coverage");
}

static void test_price_writes_a_page(void **state)
{
    (void)state;
    go("price", book, "--measures", "price,delta,vega_by_node", "-o", page, NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    const char *const html = read_file(page);
    assert_non_null(html);
    assert_int_equal(strncmp(html, "<!DOCTYPE html>", 15), 0);
    assert_null(strstr(html, "<b>&"));
    assert_null(strstr(html, "://"));
    assert_has(html, "/&lt;b&gt;&amp;&quot;ook&quot;.yaml</td>"); /* an input with its hash */
    assert_has(html, "<dt>Command</dt><dd>levy price --measures price,delta,vega_by_node -o '/tmp");
    assert_has(html, "/&lt;b&gt;&amp;&quot;ook&quot;.yaml'</dd>");
    assert_has(html, "<dt>Made</dt>");
    assert_has(html, "<b>asian</b> call; averaging: geometric, observations (count 8)<");
    assert_has(html, "<h3>Assets</h3>");
    assert_has(html, ">20 % at 0.5 years, 25 % at 2 years<");
    assert_int_equal(xml_count(html, "<svg "), 3);
    assert_has(html, "<td>USD</td><td class=\"number\" data-value=\"2\">2</td>");
}

/* Equal runs give equal pages. */
static void test_pages_without_times_are_equal(void **state)
{
    static char first[1 << 20];
    (void)state;
    go("price", book, "--no-times", "-o", page, NULL);
    strcpy(first, read_file(page));
    go("price", book, "--no-times", "-t", "1", "-o", page, NULL);
    /* threads are told of, and nothing else differs */
    char *const a = strstr(first, " threads,"), *const b = strstr(read_file(page), " threads,");
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    assert_null(strstr(first, "<dt>Made</dt>"));
}

static void test_converge_takes_an_output(void **state)
{
    (void)state;
    go("converge", book, "--trade", "call", FEW, "-o", picture, NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, "");
    assert_picture(read_file(picture), 1);
    go("converge", book, FEW, "-o", data, "--svg", picture, NULL);
    assert_int_equal(run.code, 0);
    assert_int_equal(strncmp(read_file(data), "trade,method,", 13), 0);
    assert_int_equal(xml_count(read_file(data), "trade,method,"), 1);
    assert_picture(read_file(picture), 2);
    go("converge", book, "--trade", "call", FEW, "--methods", "sobol+bridge,philox+bridge", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "sobol+bridge (1 run)");
    assert_has(run.out, "1 run: in place of an RMSE the size of one error");
    go("converge", book, "--trade", "call", FEW, "--measures", "delta", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "call, delta A.spot: european, black_scholes; reference 0.");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_plot_goes_to_a_file),
        cmocka_unit_test(test_a_plot_goes_to_standard_output),
        cmocka_unit_test(test_the_profile_takes_a_factor_and_a_range),
        cmocka_unit_test(test_nothing_to_plot_leaves_the_file_alone),
        cmocka_unit_test(test_wrong_arguments_are_told_of),
        cmocka_unit_test(test_options_of_other_plots_are_refused),
        cmocka_unit_test(test_price_writes_a_page),
        cmocka_unit_test(test_pages_without_times_are_equal),
        cmocka_unit_test(test_converge_takes_an_output),
    };
    return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
