/* test_cuda_scripts.c: kernels of payoffs with programs without a GPU: trades of one form share a
 * kernel wherever an image has their program, other programs have another, and NVRTC compiles them.
 */
#include "tests/cmocka_all.h"

#include "kernels/cuda/compile/kernel_set.h"
#include "tests/script_case.h"

#include "tests/cuda_fixture.h" /* last: its names are short */

#include <stdlib.h>

static const levy_tile_limits gpu_limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};
static double calls_on[] = {0.25, 0.5, 0.75, 1.0};

enum { MOST_TILES = 8 };

typedef struct planned_scripts {
    fixture f;
    script_case called, other;
    levy_arena arena;
    levy_plan *plan;
    levy_tile tiles[MOST_TILES];
    size_t n_tiles;
    levy_kernel_set set;
} planned_scripts;

static levy_trade *add_autocall(planned_scripts *p, const double *constants)
{
    levy_trade *const t = script_trade(&p->f, &p->called, 12, constants, script_autocall_terms, 0);
    t->kind.n_further = 1;
    t->claim.further[0] = (levy_times){4, calls_on};
    return t;
}

/* Pays the least level above the second constant at the end. */
static void add_other(planned_scripts *p, levy_script_op op)
{
    static const double constants[] = {0.0, 95.0};
    script_begin(&p->other, 1, 2, 0, 2);
    script_block(&p->other, 0);
    script_put(&p->other, op, 1, X(0), X(1), 0);
    SCRIPT_PUT(&p->other, SUBTRACT, 1, 1, K(1), 0);
    SCRIPT_PUT(&p->other, GREATEST, 0, 1, K(0), 0);
    levy_trade *const t = script_trade(&p->f, &p->other, 12, constants, NULL, 0);
    t->kind.n_further = 1;
    t->claim.further[0] = (levy_times){4, calls_on};
}

static void begin(planned_scripts *p, int32_t precision)
{
    fixture_market(&p->f, 2, 0.4);
    p->f.problem.simulation.paths = 1 << 20; /* a tile a trade would be of fewer */
    p->f.problem.simulation.precision = precision;
    for (size_t a = 0; a < 2; ++a) p->f.coefficients[a] = 1.0;
    script_autocall(&p->called, 2);
}

/* One tile a trade if `apart`. */
static void describe(planned_scripts *p, bool apart)
{
    levy_group *groups;
    size_t n_groups;
    levy_tile_limits limits = gpu_limits;
    limits.separate_paths = apart ? UINT64_MAX : 0;
    const levy_kernel_source source = {.memory = &levy_memory_default,
                                       .target = {.architecture = "sm_90"}};
    levy_arena_init(&p->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&p->f.problem, &p->arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, &p->f.problem, groups, &p->plan, why),
                     LEVY_OK);
    p->n_tiles = levy_plan_tiles(p->plan->image, &limits, p->tiles);
    assert_true(p->n_tiles <= MOST_TILES);
    assert_int_equal(
        levy_kernel_set_describe(&source, p->plan->image, p->tiles, p->n_tiles, &p->set, why),
        LEVY_OK);
}

static void end(planned_scripts *p)
{
    levy_kernel_set_release(&p->set);
    levy_plan_destroy(p->plan);
    levy_arena_release(&p->arena);
}

static bool same(levy_cache_key a, levy_cache_key b) { return a.low == b.low && a.high == b.high; }

static void test_trades_of_one_form_share_a_kernel(void **state)
{
    (void)state;
    static planned_scripts alone, three;
    static const double other_constants[] = {0.0, 1.0, 0.0, 104.0, 70.0};
    begin(&alone, LEVY_PRECISION_DOUBLE);
    add_autocall(&alone, script_autocall_constants);
    describe(&alone, true);
    begin(&three, LEVY_PRECISION_DOUBLE);
    add_other(&three, LEVY_SCRIPT_LEAST);
    add_autocall(&three, script_autocall_constants);
    add_autocall(&three, other_constants);
    describe(&three, true);
    assert_int_equal(three.plan->image->n_scripts, 2);
    assert_int_equal(three.n_tiles, 3);
    assert_int_equal(three.set.count, 2);
    assert_int_equal(three.set.of_tile[1], three.set.of_tile[2]);
    /* the program's number in the image is no part of it */
    assert_true(same(alone.set.kernels[0].shape, three.set.kernels[1].shape));
    end(&alone), end(&three);
}

/* Whole runs of 8 dates are a shape of their own where a run lies in registers, not of programs. */
static void test_counts_of_dates_share_a_kernel(void **state)
{
    (void)state;
    static planned_scripts whole, broken;
    static double dates[] = {0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0};
    begin(&whole, LEVY_PRECISION_SINGLE);
    add_autocall(&whole, script_autocall_constants)->claim.further[0] = (levy_times){8, dates};
    describe(&whole, false);
    begin(&broken, LEVY_PRECISION_SINGLE);
    add_autocall(&broken, script_autocall_constants)->claim.further[0] = (levy_times){7, dates + 1};
    describe(&broken, false);
    assert_int_equal(whole.plan->image->full, 1);
    assert_int_equal(broken.plan->image->full, 0);
    assert_true(same(whole.set.kernels[0].shape, broken.set.kernels[0].shape));
    end(&whole), end(&broken);
}

static void test_another_step_is_another_kernel(void **state)
{
    (void)state;
    static planned_scripts least, greatest;
    begin(&least, LEVY_PRECISION_DOUBLE);
    add_other(&least, LEVY_SCRIPT_LEAST);
    describe(&least, false);
    begin(&greatest, LEVY_PRECISION_DOUBLE);
    add_other(&greatest, LEVY_SCRIPT_GREATEST);
    describe(&greatest, false);
    assert_string_equal(least.set.kernels[0].text, greatest.set.kernels[0].text);
    assert_string_not_equal(least.set.kernels[0].scripts, greatest.set.kernels[0].scripts);
    assert_false(same(least.set.kernels[0].shape, greatest.set.kernels[0].shape));
    assert_int_equal(least.plan->image->bytes, greatest.plan->image->bytes);
    assert_true(least.plan->image->numeric_hash != greatest.plan->image->numeric_hash);
    end(&least), end(&greatest);
}

static void compile(const levy_cuda_calls *calls, int32_t precision, unsigned measures)
{
    static planned_scripts p;
    begin(&p, precision);
    p.f.problem.simulation.measures = measures;
    add_autocall(&p, script_autocall_constants);
    add_other(&p, LEVY_SCRIPT_LEAST);
    describe(&p, false);
    for (size_t k = 0; k < p.set.count; ++k) {
        const levy_kernel *const kernel = &p.set.kernels[k];
        const size_t size = strlen(kernel->text) + strlen(kernel->scripts) + 1;
        char *const text = calloc(size, 1);
        assert_non_null(text);
        snprintf(text, size, "%s%s", kernel->text, kernel->scripts);
        const levy_jit_target target = {.architecture = "sm_90"};
        levy_jit_kernel made;
        const levy_status status =
            levy_jit_compile(calls, &memory, &target, text, NULL, &made, why);
        if (status != LEVY_OK) print_error("%s\n%s\n", why, made.log ? made.log : "");
        assert_int_equal(status, LEVY_OK);
        const levy_jit_usage usage = levy_jit_usage_of(&made);
        if (usage.warned) print_error("%s\n", made.log);
        assert_false(usage.warned);
        print_message("%d registers, %d B stack, %d B spilled\n", usage.registers, usage.stack,
                      usage.spilled);
        levy_jit_release(&memory, &made);
        free(text);
    }
    end(&p);
}

static void test_nvrtc_compiles_programs(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    compile(&calls, LEVY_PRECISION_DOUBLE, LEVY_MEASURE_PRICE);
    if (!LEVY_SANITIZED) compile(&calls, LEVY_PRECISION_SINGLE, LEVY_MEASURE_PRICE);
    calls.unload(&calls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_trades_of_one_form_share_a_kernel, reset,
                                        check_closed),
        cmocka_unit_test_setup_teardown(test_counts_of_dates_share_a_kernel, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_another_step_is_another_kernel, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_nvrtc_compiles_programs, reset, check_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
