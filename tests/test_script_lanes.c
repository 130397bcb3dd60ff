/* test_script_lanes.c: what runs a payoff's program on a CPU, by programs assembled by hand: each
 * step is the scalar one, a European call and an autocallable are worth what they are worth without
 * a program, and instruction sets change no bit. */
#include "tests/cmocka_all.h"

#include "engine/run/backend_list.h"
#include "tests/script_case.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { REPLICATES = 2, PATHS = REPLICATES << 12, MOST_TILES = 8 };

static const levy_tile_limits cpu_limits = {LEVY_MAX_TILE, LEVY_MAX_TILE_DYNAMICS, 0, 0, 0, 0};

/* What a run of the first tile of a plan gives. */
typedef struct run {
    levy_arena arena;
    levy_plan *plan;
    levy_tile tile;
    levy_block_sum *sums; /* [block][output] */
    double *record;
    float *record_single;
} run;

/* False: this processor has no such instruction set. */
static bool simulate(run *r, const char *isa)
{
    const levy_image *const image = r->plan->image;
    const levy_backend_options options = {.memory = &levy_memory_default, .isa = isa, .threads = 2};
    const uint64_t n_blocks = image->blocks * image->n_replicates;
    const levy_batch batch = {.tile = r->tile,
                              .n_blocks = n_blocks,
                              .record = !image->records    ? NULL
                                        : image->precision ? (void *)r->record_single
                                                           : (void *)r->record};
    char why[LEVY_REASON_SIZE];
    double seconds;
    void *state;
    if (levy_backend_cpu.open(&options, &state, why) != LEVY_OK) return false;
    assert_int_equal(levy_backend_cpu.load(state, image, &r->tile, 1, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.simulate(state, &batch, NULL, r->sums, &seconds, why),
                     LEVY_OK);
    levy_backend_cpu.unload(state);
    levy_backend_cpu.close(state);
    return true;
}

static void begin(run *r, const fixture *f)
{
    levy_tile tiles[MOST_TILES];
    levy_group *groups;
    size_t n_groups;
    char why[LEVY_PLAN_WHY];
    levy_arena_init(&r->arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(&f->problem, &r->arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(n_groups, 1);
    assert_int_equal(levy_plan_create(&levy_memory_default, &f->problem, groups, &r->plan, why),
                     LEVY_OK);
    const levy_image *const image = r->plan->image;
    assert_true(image->n_outputs <= MOST_TILES);
    assert_int_equal(levy_plan_tiles(image, &cpu_limits, tiles), 1);
    r->tile = tiles[0];
    const size_t n_blocks = (size_t)(image->blocks * image->n_replicates),
                 levels = n_blocks * (size_t)levy_record_reals(image);
    r->sums = calloc(n_blocks * image->n_outputs, sizeof *r->sums);
    r->record = calloc(levels, sizeof *r->record);
    r->record_single = calloc(levels, sizeof *r->record_single);
    assert_true(r->sums && r->record && r->record_single);
}

static void end(run *r)
{
    free(r->sums), free(r->record), free(r->record_single);
    levy_plan_destroy(r->plan);
    levy_arena_release(&r->arena);
}

static double mean(const run *r, size_t output)
{
    const levy_image *const image = r->plan->image;
    const size_t n_blocks = (size_t)(image->blocks * image->n_replicates);
    double sum = 0.0;
    for (size_t b = 0; b < n_blocks; ++b) sum += r->sums[b * image->n_outputs + output].mean;
    return sum / (double)n_blocks;
}

/* The level of an asset on a path at a date, relative to today's. */
static double level_at(const run *r, size_t path, size_t date, size_t asset)
{
    const levy_image *const image = r->plan->image;
    const size_t at = path / LEVY_BLOCK_PATHS * (size_t)levy_record_reals(image) +
                      (date * image->n_assets + asset) * LEVY_BLOCK_PATHS + path % LEVY_BLOCK_PATHS;
    return image->precision ? (double)r->record_single[at] : r->record[at];
}

static void market(fixture *f, size_t n_assets, bool single)
{
    fixture_market(f, n_assets, 0.4);
    f->problem.simulation.paths = PATHS;
    f->problem.simulation.replicates = REPLICATES;
    f->problem.simulation.records = true;
    f->problem.simulation.precision = single ? LEVY_PRECISION_SINGLE : LEVY_PRECISION_DOUBLE;
    for (size_t a = 0; a < n_assets; ++a) f->coefficients[a] = 1.0; /* levels as quoted */
}

/* ---- Each step ------------------------------------------------------------------------------- */

enum { STEP_DATES = 3 };
static const double step_constants[] = {0.0, 100.0, 0.125, -1.0};

typedef struct step_case {
    levy_script_op op;
    uint16_t a, b, c;
    double (*value)(double x, double y);
} step_case;

/* The levels are x and y; register 1 is x - 100, register 2 is whether x < y. */
static double do_move(double x, double y) { return (void)y, x; }
static double do_constant(double x, double y) { return (void)x, (void)y, 0.125; }
static double do_add(double x, double y) { return x + y; }
static double do_subtract(double x, double y) { return x - y; }
static double do_multiply(double x, double y) { return x * y; }
static double do_divide(double x, double y) { return x / y; }
static double do_least(double x, double y) { return y < x ? y : x; }
static double do_greatest(double x, double y) { return y > x ? y : x; }
static double do_magnitude(double x, double y) { return (void)y, fabs(x - 100.0); }
static double do_root(double x, double y) { return (void)y, x < 100.0 ? 0.0 : sqrt(x - 100.0); }
static double do_exp(double x, double y) { return (void)y, exp((x - 100.0) * 0.125); }
static double do_below(double x, double y)
{
    return (void)y, 0.5 * erfc((100.0 - x) * 0.125 * 0.70710678118654752);
}
static double do_log(double x, double y) { return (void)y, log(fmax(x - 100.0, 1e-30)); }
static double do_less(double x, double y) { return x < y; }
static double do_not_above(double x, double y) { return x <= y; }
static double do_equal(double x, double y) { return (void)y, x == x; }
static double do_unequal(double x, double y) { return x == y; }
static double do_and(double x, double y) { return x < y && x < 100.0; }
static double do_or(double x, double y) { return x < y || x < 100.0; }
static double do_not(double x, double y) { return !(x < y); }
static double do_select(double x, double y) { return x < y ? 0.125 : y; }

static const step_case step_cases[] = {
    {LEVY_SCRIPT_CONSTANT, 2, 0, 0, do_constant},
    {LEVY_SCRIPT_LEVEL, 0, 0, 0, do_move},
    {LEVY_SCRIPT_MOVE, X(0), 0, 0, do_move},
    {LEVY_SCRIPT_ADD, X(0), X(1), 0, do_add},
    {LEVY_SCRIPT_SUBTRACT, X(0), X(1), 0, do_subtract},
    {LEVY_SCRIPT_MULTIPLY, X(0), X(1), 0, do_multiply},
    {LEVY_SCRIPT_DIVIDE, X(0), X(1), 0, do_divide},
    {LEVY_SCRIPT_LEAST, X(0), X(1), 0, do_least},
    {LEVY_SCRIPT_GREATEST, X(0), X(1), 0, do_greatest},
    {LEVY_SCRIPT_MAGNITUDE, 1, 0, 0, do_magnitude},
    {LEVY_SCRIPT_ROOT, 1, 0, 0, do_root},
    {LEVY_SCRIPT_EXP, 3, 0, 0, do_exp},
    {LEVY_SCRIPT_LOG, 1, 0, 0, do_log},
    {LEVY_SCRIPT_BELOW, 3, 0, 0, do_below},
    {LEVY_SCRIPT_LESS, X(0), X(1), 0, do_less},
    {LEVY_SCRIPT_NOT_ABOVE, X(0), X(1), 0, do_not_above},
    {LEVY_SCRIPT_EQUAL, X(0), X(0), 0, do_equal},
    {LEVY_SCRIPT_EQUAL, X(0), X(1), 0, do_unequal},
    {LEVY_SCRIPT_AND, 2, 4, 0, do_and},
    {LEVY_SCRIPT_OR, 2, 4, 0, do_or},
    {LEVY_SCRIPT_NOT, 2, 0, 0, do_not},
    {LEVY_SCRIPT_SELECT, 2, K(2), X(1), do_select},
};

static void step_program(script_case *c, const step_case *step)
{
    script_begin(c, 1, 4, 1, 2);
    script_block(c, 0);
    SCRIPT_PUT(c, SUBTRACT, 1, X(0), K(1), 0);
    SCRIPT_PUT(c, LESS, 2, X(0), X(1), 0);
    SCRIPT_PUT(c, MULTIPLY, 3, 1, K(2), 0);
    SCRIPT_PUT(c, LESS, 4, X(0), K(1), 0);
    script_put(c, step->op, 5, step->a, step->b, step->c);
    SCRIPT_PUT(c, MULTIPLY, 5, 5, T(0), 0);
    SCRIPT_PUT(c, ADD, 0, 0, 5, 0);
}

static void assert_step(const step_case *step, bool single)
{
    static fixture f;
    static script_case c;
    const double weights[STEP_DATES] = {0.25, 2.0, -0.5};
    const script_case_term term = {weights, 0, false};
    run r;
    market(&f, 2, single);
    step_program(&c, step);
    script_trade(&f, &c, STEP_DATES, step_constants, &term, 0);
    begin(&r, &f);
    assert_true(simulate(&r, "auto"));
    double sum = 0.0, size = 0.0;
    for (size_t path = 0; path < PATHS; ++path)
        for (size_t k = 0; k < STEP_DATES; ++k) {
            const double value =
                step->value(100.0 * level_at(&r, path, k, 0), 100.0 * level_at(&r, path, k, 1)) *
                weights[k];
            sum += value;
            size += fabs(value);
        }
    const double want = exp(-0.05) * sum / PATHS, reach = exp(-0.05) * size / PATHS + 1e-3;
    if (!(fabs(mean(&r, 0) - want) <= (single ? 2e-4 : 1e-12) * reach))
        fail_msg("step %d: %.17g, want %.17g", (int)step->op, mean(&r, 0), want);
    end(&r);
}

static void test_a_step_is_the_scalar_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof step_cases / sizeof *step_cases; ++i) {
        assert_step(&step_cases[i], false);
        assert_step(&step_cases[i], true);
    }
}

/* ---- Payoffs --------------------------------------------------------------------------------- */

static void test_a_european_call_is_the_built_in_one(void **state)
{
    (void)state;
    static fixture f;
    static script_case c;
    const double constants[] = {0.0, 95.0};
    run r;
    market(&f, 1, false);
    script_begin(&c, 1, 2, 0, 1);
    script_block(&c, 0);
    SCRIPT_PUT(&c, SUBTRACT, 1, X(0), K(1), 0);
    SCRIPT_PUT(&c, GREATEST, 0, 1, K(0), 0);
    script_trade(&f, &c, 1, constants, NULL, 0);
    fixture_trade(&f, LEVY_PAYOFF_EUROPEAN, 0, 95.0);
    begin(&r, &f);
    assert_int_equal(r.plan->image->n_outputs, 2);
    assert_true(simulate(&r, "auto"));
    assert_true(mean(&r, 1) > 10.0);
    assert_true(fabs(mean(&r, 0) / mean(&r, 1) - 1.0) < 1e-13);
    end(&r);
}

enum { WATCHED = 12 };
static double call_dates[] = {0.25, 0.5, 0.75, 1.0};

static void autocall_on(fixture *f, script_case *c, size_t n_assets, bool single)
{
    market(f, n_assets, single);
    script_autocall(c, (uint32_t)n_assets);
    levy_trade *const t =
        script_trade(f, c, WATCHED, script_autocall_constants, script_autocall_terms, 0);
    t->kind.n_further = 1;
    t->claim.further[0] = (levy_times){4, call_dates};
}

static double autocall_pays(const run *r, size_t path, size_t n_assets)
{
    bool broken = false;
    for (size_t k = 0; k < WATCHED; ++k) {
        double low = DBL_MAX;
        for (size_t a = 0; a < n_assets; ++a) low = fmin(low, 100.0 * level_at(r, path, k, a));
        broken = broken || low < script_autocall_constants[4];
        if (k % 3 != 2 || low < script_autocall_constants[3]) continue;
        const double coupon = broken ? 0.0 : script_autocall_coupons[k / 3];
        return exp(0.05 * (1.0 - (double)(k + 1) / WATCHED)) * (1.0 + coupon);
    }
    return 0.0;
}

static void assert_autocall(size_t n_assets, bool single)
{
    static fixture f;
    static script_case c;
    run r;
    autocall_on(&f, &c, n_assets, single);
    begin(&r, &f);
    assert_true(simulate(&r, "auto"));
    double sum = 0.0;
    for (size_t path = 0; path < PATHS; ++path) sum += autocall_pays(&r, path, n_assets);
    const double want = exp(-0.05) * sum / PATHS;
    assert_true(want > 0.2 && want < 1.3);
    assert_true(fabs(mean(&r, 0) / want - 1.0) < (single ? 1e-5 : 1e-12));
    end(&r);
}

static void test_an_autocallable_pays_what_its_levels_say(void **state)
{
    (void)state;
    for (size_t n = 1; n <= 5; ++n) assert_autocall(n, false);
    assert_autocall(2, true);
}

/* ---- States, and what a program shares ------------------------------------------------------- */

/* State k sums k times the level at each date; each settles by a trade of its own. */
static void test_as_many_states_as_there_are(void **state)
{
    (void)state;
    static fixture f;
    static script_case c[3];
    static double constants[2 * LEVY_SCRIPT_STATES];
    const uint32_t settles[] = {0, 1, LEVY_SCRIPT_STATES - 1};
    run r;
    market(&f, 1, false);
    for (size_t k = 0; k < LEVY_SCRIPT_STATES; ++k) {
        constants[k] = (double)k;
        constants[LEVY_SCRIPT_STATES + k] = (double)k;
    }
    for (size_t i = 0; i < 3; ++i) {
        script_begin(&c[i], LEVY_SCRIPT_STATES, 2 * LEVY_SCRIPT_STATES, 0, 1);
        script_block(&c[i], 0);
        for (uint8_t k = 0; k < LEVY_SCRIPT_STATES; ++k) {
            SCRIPT_PUT(&c[i], MULTIPLY, LEVY_SCRIPT_STATES, X(0),
                       K(LEVY_SCRIPT_STATES + (unsigned)k), 0);
            SCRIPT_PUT(&c[i], ADD, k, k, LEVY_SCRIPT_STATES, 0);
        }
        script_trade(&f, &c[i], 5, constants, NULL, settles[i]);
    }
    begin(&r, &f);
    assert_int_equal(r.plan->image->n_scripts, 1); /* equal bytes */
    assert_true(simulate(&r, "auto"));
    double sum = 0.0;
    for (size_t path = 0; path < PATHS; ++path)
        for (size_t k = 0; k < 5; ++k) sum += 100.0 * level_at(&r, path, k, 0);
    for (size_t i = 0; i < 3; ++i) {
        const double times = (double)settles[i],
                     want = exp(-0.05) * times * (1.0 + sum / (double)PATHS);
        assert_true(fabs(mean(&r, i) - want) <= 1e-12 * want);
    }
    end(&r);
}

/* Two programs and what has none, in one tile: each the bits that it has
 * alone. */
static void test_neighbours_change_no_bit(void **state)
{
    (void)state;
    static fixture f;
    static script_case c, european;
    const double constants[] = {0.0, 95.0};
    run all;
    double alone[3];
    for (int only = 0; only < 4; ++only) {
        autocall_on(&f, &c, 2, false);
        f.problem.simulation.records = false;
        if (only == 1 || only == 2) {
            f.problem.n_trades = 0;
            memset(f.terms, 0, sizeof f.terms);
        }
        if (only == 1 || only == 3) {
            script_begin(&european, 1, 2, 0, 2);
            script_block(&european, 0);
            SCRIPT_PUT(&european, LEAST, 1, X(0), X(1), 0);
            SCRIPT_PUT(&european, SUBTRACT, 1, 1, K(1), 0);
            SCRIPT_PUT(&european, GREATEST, 0, 1, K(0), 0);
            levy_trade *const t = script_trade(&f, &european, WATCHED, constants, NULL, 0);
            t->kind.n_further = 1;
            t->claim.further[0] = (levy_times){4, call_dates};
        }
        if (only == 2 || only == 3) {
            levy_trade *const t = fixture_trade(&f, LEVY_PAYOFF_ASIAN, WATCHED, 100.0);
            t->kind.aggregate = LEVY_AGGREGATE_BEST_OF;
        }
        begin(&all, &f);
        assert_true(simulate(&all, "auto"));
        if (only < 3) alone[only] = mean(&all, 0);
        if (only == 3) {
            assert_int_equal(all.plan->image->n_scripts, 2);
            for (size_t i = 0; i < 3; ++i) assert_true(mean(&all, i) == alone[i] && alone[i] > 0.1);
        }
        end(&all);
    }
}

static void test_instruction_sets_change_no_bit(void **state)
{
    (void)state;
    static const char *const sets[] = {"baseline", "avx2", "avx512", "neon"};
    static fixture f;
    static script_case c;
    run r, other;
    autocall_on(&f, &c, 3, false);
    begin(&r, &f);
    begin(&other, &f);
    assert_true(simulate(&r, "auto"));
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        memset(other.sums, 0, REPLICATES * sizeof *other.sums);
        if (simulate(&other, sets[i]))
            assert_memory_equal(r.sums, other.sums, REPLICATES * sizeof *r.sums);
    }
    end(&r);
    end(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_step_is_the_scalar_one),
        cmocka_unit_test(test_a_european_call_is_the_built_in_one),
        cmocka_unit_test(test_an_autocallable_pays_what_its_levels_say),
        cmocka_unit_test(test_as_many_states_as_there_are),
        cmocka_unit_test(test_neighbours_change_no_bit),
        cmocka_unit_test(test_instruction_sets_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
