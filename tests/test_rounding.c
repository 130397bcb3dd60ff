/* test_rounding.c: what engine/plan/rounding.h says of rounding, held against rounding: single (and
 * mixed) precision and double take the same points, so their difference is the rounding of single
 * itself. Every file of configs/, price and measures. LEVY_ROUNDING_TABLE=1 prints a line per
 * output. */
#include "tests/cmocka_all.h"

#include "engine/plan/rounding.h"
#include "engine/run/backend_list.h"
#include "engine/run/run.h"
#include "engine/run/stage.h"
#include "tests/problem_load.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 64, MOST_GROUPS = 32 };

static char rounding_files[MOST_FILES][512];
static size_t rounding_n_files;

/* A book in one precision: its plans, and their sums [output][replicate]. */
typedef struct side {
    loaded_book book;
    levy_arena arena;
    size_t n_groups;
    levy_plan *plans[MOST_GROUPS];
    tree_sum *sums[MOST_GROUPS];
} side;

static int find_files(void **state)
{
    (void)state;
    DIR *const folder = opendir(LEVY_SOURCE_DIR "/configs");
    if (!folder) return 1;
    for (struct dirent *entry; (entry = readdir(folder)) && rounding_n_files < MOST_FILES;) {
        const size_t length = strlen(entry->d_name);
        if (length > 5 && strcmp(entry->d_name + length - 5, ".yaml") == 0)
            snprintf(rounding_files[rounding_n_files++], sizeof *rounding_files, "%s/configs/%s",
                     LEVY_SOURCE_DIR, entry->d_name);
    }
    closedir(folder);
    return rounding_n_files >= 20 ? 0 : 1;
}

static void side_run(side *s, const levy_backend *backend, void *backend_state)
{
    char why[LEVY_REASON_SIZE] = "";
    levy_group *groups;
    levy_arena_init(&s->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(s->book.problem, &s->arena, &groups, &s->n_groups),
                     LEVY_OK);
    assert_true(s->n_groups <= MOST_GROUPS);
    for (size_t g = 0; g < s->n_groups; ++g) {
        const levy_run_options run = {.batch_blocks = 0};
        levy_run_times times = {0.0, 0.0};
        if (levy_plan_create(&levy_memory_default, s->book.problem, &groups[g], &s->plans[g],
                             why) != LEVY_OK)
            fail_msg("%s", why);
        const levy_image *const image = s->plans[g]->image;
        s->sums[g] = calloc((size_t)image->n_outputs * image->n_replicates, sizeof *s->sums[g]);
        if (levy_stage_prepare(backend, backend_state, s->plans[g], &run, &times, why) != LEVY_OK ||
            levy_run_plan(&levy_memory_default, backend, backend_state, s->plans[g], &run,
                          s->sums[g], &times, why) != LEVY_OK)
            fail_msg("%s", why);
    }
}

static side side_price(const char *path, const char *precision)
{
    char why[LEVY_REASON_SIZE] = "", text[1 << 14];
    FILE *const file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);
    const levy_input input = {
        .name = path, .text = text, .length = length, .base = LEVY_SOURCE_DIR "/configs"};
    const levy_override overrides[] = {{"simulation.paths", "2^14"},
                                       {"simulation.precision", precision},
                                       {"simulation.bumps.gamma", "0.01"}};
    const levy_backend_options options = {.memory = &levy_memory_default, .threads = 2};
    side s = {.book = load_inputs(&input, 1, overrides, sizeof overrides / sizeof *overrides)};
    if (s.book.status != LEVY_OK) fail_msg("%s", loaded_book_text(&s.book));
    void *backend_state;
    if (levy_backend_cpu.open(&options, &backend_state, why) != LEVY_OK) fail_msg("%s", why);
    side_run(&s, &levy_backend_cpu, backend_state);
    levy_backend_cpu.close(backend_state);
    return s;
}

static void side_release(side *s)
{
    for (size_t g = 0; g < s->n_groups; ++g) {
        levy_plan_destroy(s->plans[g]);
        free(s->sums[g]);
    }
    levy_arena_release(&s->arena);
    loaded_book_release(&s->book);
}

static levy_spread spread_of(const tree_sum *sums, size_t n)
{
    levy_spread s = {0.0, 0.0};
    for (size_t r = 0; r < n; ++r) {
        s.mean += sums[r].mean / (double)n;
        s.square += (sums[r].m2 / sums[r].n + sums[r].mean * sums[r].mean) / (double)n;
    }
    return s;
}

/* Mean and standard error of the differences by replicate: some of it is noise, of single paths
 * that rounding moves. */
static void difference(const tree_sum *a, const tree_sum *b, size_t n, double *mean, double *error)
{
    double squares = 0.0;
    *mean = 0.0;
    for (size_t r = 0; r < n; ++r) *mean += (a[r].mean - b[r].mean) / (double)n;
    for (size_t r = 0; r < n; ++r)
        squares += (a[r].mean - b[r].mean - *mean) * (a[r].mean - b[r].mean - *mean);
    *error = n > 1 ? sqrt(squares / (double)(n - 1) / (double)n) : 0.0;
}

/* Where single precision takes another bump the two are not one number. */
static bool same_weights(const levy_image_output *a, const levy_image_output *b)
{
    bool same = a->n_terms == b->n_terms;
    for (uint32_t i = 0; same && i < a->n_terms; ++i) same = a->weight[i] == b->weight[i];
    return same;
}

typedef struct tally {
    size_t outputs, outside;
    double logs;
} tally;

static void compare_group(const char *path, const char *precision, const side *exact,
                          const side *rounded, size_t g, tally *price, tally *measure)
{
    const levy_plan *const plan = rounded->plans[g];
    const levy_image *const h = plan->image;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, h, outputs);
    const levy_image_output *const others =
        LEVY_IMAGE_AT(levy_image_output, exact->plans[g]->image, outputs);
    assert_int_equal(h->n_outputs, exact->plans[g]->image->n_outputs);
    for (uint32_t o = 0; o < h->n_outputs; ++o) {
        if (outputs[o].trade >= h->n_trades || outputs[o].probe ||
            !same_weights(&outputs[o], &others[o]))
            continue;
        uint32_t p = 0;
        while (outputs[p].trade != outputs[o].trade || outputs[p].measure != LEVY_MEASURE_PRICE)
            p++;
        const size_t n = h->n_replicates;
        double mean, error;
        difference(rounded->sums[g] + o * n, exact->sums[g] + o * n, n, &mean, &error);
        const double value = spread_of(rounded->sums[g] + o * n, n).mean;
        const double floor =
            levy_plan_rounding(plan, o, value, spread_of(rounded->sums[g] + p * n, n));
        const double seen = sqrt(mean * mean + error * error);
        const bool outside = fabs(mean) > 3.0 * floor + 3.0 * error;
        tally *const to = o == p ? price : measure;
        if (getenv("LEVY_ROUNDING_TABLE"))
            printf("%s %s %s %x %s value %.6g difference %.2g +- %.2g floor %.2g ratio %.2g%s\n",
                   strrchr(path, '/') + 1, precision,
                   plan->problem->trades[plan->group->trades[outputs[o].trade]].from->raw->id,
                   outputs[o].measure, plan->labels[outputs[o].factor], value, mean, error, floor,
                   floor / seen, outside ? " OUTSIDE" : "");
        if (!(seen > 0.0)) continue;
        to->outputs++;
        to->outside += outside;
        to->logs += log(floor / seen);
    }
}

/* Hardly one output in a hundred is out of three deviations, and the floor is not large beside what
 * it stands for. */
static void compare_precisions(const char *precision, double most_price, double most_measure)
{
    tally price = {0}, measure = {0};
    for (size_t i = 0; i < rounding_n_files; ++i) {
        side exact = side_price(rounding_files[i], "double"),
             rounded = side_price(rounding_files[i], precision);
        assert_int_equal(exact.n_groups, rounded.n_groups);
        for (size_t g = 0; g < exact.n_groups; ++g)
            compare_group(rounding_files[i], precision, &exact, &rounded, g, &price, &measure);
        side_release(&exact);
        side_release(&rounded);
    }
    const double by_price = exp(price.logs / (double)price.outputs),
                 by_measure = exp(measure.logs / (double)measure.outputs);
    print_message("%s: %zu prices, %zu outside, floor %.2g times the difference; %zu measures, %zu "
                  "outside, %.2g times\n",
                  precision, price.outputs, price.outside, by_price, measure.outputs,
                  measure.outside, by_measure);
    assert_true(price.outputs > 50 && measure.outputs > 50);
    assert_int_equal(price.outside, 0);
    assert_true(measure.outside * 100 <= measure.outputs);
    assert_true(by_price > 1.0 && by_price < most_price);
    assert_true(by_measure > 1.0 && by_measure < most_measure);
}

static void test_the_floor_of_single_precision_is_its_rounding(void **state)
{
    (void)state;
    compare_precisions("single", 30.0, 30.0);
}

static void test_the_floor_of_mixed_precision_is_that_of_its_normals(void **state)
{
    (void)state;
    compare_precisions("mixed", 30.0, 30.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_floor_of_single_precision_is_its_rounding),
        cmocka_unit_test(test_the_floor_of_mixed_precision_is_that_of_its_normals),
    };
    return cmocka_run_group_tests(tests, find_files, NULL);
}
