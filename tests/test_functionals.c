/* test_functionals.c: bridges that draw functionals of the path first: the turn of the normals
 * keeps the law, the functionals take the first dimensions, and the path loops do what the plan
 * says. Identity and bounds come from the definition of Brownian motion; no figure is the library's
 * own. */
#include "tests/cmocka_all.h"

#include "engine/plan/dimensions.h"
#include "engine/run/backend_list.h"
#include "tests/heap.h"
#include "tests/planned.h"
#include "tests/problem_load.h"
#include "tests/files.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const levy_tile_limits gpu_limits = {8, 8, LEVY_MAX_SWEEP, 16, 0, 12};

enum { MOST = 64 };

/* n dates, unevenly spaced if `uneven`. components 0: the average comes first. */
static void make(fixture *f, size_t assets, uint32_t n, bool uneven, uint32_t components)
{
    fixture_market(f, assets, 0.4);
    fixture_trade(f, LEVY_PAYOFF_ASIAN, n, 100.0);
    for (uint32_t k = 0; uneven && k < n; ++k)
        f->dates[k] = (k + 1.0) / n * (0.2 + 0.8 * (k + 1.0) / n) + (k % 3 == 0 ? 1e-4 / n : 0.0);
    for (uint32_t k = 0; uneven && k < n; ++k)
        if (k + 1 == n) f->dates[k] = f->trades[0].claim.expiry;
    f->problem.simulation.first_average = components == 0;
    f->problem.simulation.first_components = components;
}

/* One driver's path from the draws of its entries, as docs/contract.md has it, in plain double. */
static void build(const levy_image *h, const double *draws, double *nodes)
{
    const uint32_t n = h->n_nodes, k = h->n_functionals;
    const double *const gather = LEVY_IMAGE_AT(double, h, matrix), *const spread = gather + n * k,
                        *const bridge = LEVY_IMAGE_AT(double, h, bridge);
    const uint32_t *const descents = LEVY_IMAGE_AT(uint32_t, h, descents),
                          *const time = LEVY_IMAGE_AT(uint32_t, h, bridge_time);
    double stack[MOST + 1] = {0.0}, sums[MOST] = {0.0}, left = 0.0;
    uint32_t top = 0, entry = 0;
    for (uint32_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < k; ++j) sums[j] = fma(gather[i * k + j], draws[i], sums[j]);
    for (uint32_t node = 0; node < n; ++node) {
        for (uint32_t d = descents[node]; d > 0; --d, ++entry, ++top) {
            double z = draws[entry];
            for (uint32_t j = 0; j < k; ++j) z = fma(spread[entry * k + j], sums[j], z);
            stack[top + 1] = bridge[4 * entry] * left + bridge[4 * entry + 1] * stack[top] +
                             bridge[4 * entry + 2] * z;
            assert_true(time[entry] >= 1 && time[entry] <= n);
        }
        nodes[node] = left = stack[top--];
    }
}

/* [node][draw], one driver. */
static void map_of(const levy_image *h, double map[MOST][MOST])
{
    double draws[MOST] = {0.0}, nodes[MOST];
    for (uint32_t i = 0; i < h->n_nodes; ++i) {
        draws[i] = 1.0;
        build(h, draws, nodes);
        draws[i] = 0.0;
        for (uint32_t k = 0; k < h->n_nodes; ++k) map[k][i] = nodes[k];
    }
}

/* ---- The law ---- */

static void assert_brownian_map(const levy_plan *p, double map[MOST][MOST])
{
    const uint32_t n = p->image->n_nodes;
    for (uint32_t k = 0; k < n; ++k)
        for (uint32_t l = 0; l <= k; ++l) {
            double covariance = 0.0;
            for (uint32_t i = 0; i < n; ++i) covariance += map[k][i] * map[l][i];
            assert_near(covariance, p->clock[l], 1e-13 * p->clock[n - 1]);
        }
}

/* Draws other than the functionals', which have the first dimensions, do not move the average, or
 * are orthogonal to the components' columns. */
static void assert_functionals_come_first(const levy_plan *p, double map[MOST][MOST],
                                          uint32_t components)
{
    const uint32_t n = p->image->n_nodes, k = p->image->n_functionals;
    uint32_t at[MOST];
    for (uint32_t i = 0; i < n; ++i) at[p->dimensions[i]] = i;
    for (uint32_t d = k; d < n; ++d)
        for (uint32_t j = 0; j < k; ++j) {
            double moved = 0.0;
            for (uint32_t node = 0; node < n; ++node)
                moved += map[node][at[d]] * (components ? map[node][at[j]] : 1.0 / n);
            assert_near(moved, 0.0, 1e-13 * n * p->clock[n - 1]);
        }
    double top = 0.0;
    for (uint32_t node = 0; node < n; ++node) top += map[node][at[0]];
    assert_true(top > 0.0); /* a larger draw is a higher path */
}

static void test_the_law_is_that_of_brownian_motion(void **state)
{
    (void)state;
    static fixture f;
    static double map[MOST][MOST];
    static const uint32_t dates[] = {2, 3, 7, 12, 64};
    for (size_t c = 0; c < sizeof dates / sizeof *dates; ++c)
        for (uint32_t components = 0; components <= dates[c] && components <= 32;
             components = components ? 2 * components : 1)
            for (int uneven = 0; uneven < 2; ++uneven) {
                planned p;
                make(&f, 1, dates[c], uneven, components);
                plan(&p, &f);
                assert_int_equal(p.status, LEVY_OK);
                assert_int_equal(p.plan->image->n_functionals, components ? components : 1);
                assert_int_equal(p.plan->image->n_draws, dates[c]);
                map_of(p.plan->image, map);
                assert_brownian_map(p.plan, map);
                assert_functionals_come_first(p.plan, map, components);
                unplan(&p);
            }
}

/* The components are those of the covariance: columns are eigenvectors, variances descend. */
static void test_the_components_are_the_largest(void **state)
{
    (void)state;
    enum { DATES = 24, COMPONENTS = 5 };
    static fixture f;
    static double map[MOST][MOST];
    planned p;
    make(&f, 1, DATES, true, COMPONENTS);
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    map_of(p.plan->image, map);
    double before = HUGE_VAL;
    for (uint32_t d = 0; d < COMPONENTS; ++d) {
        uint32_t i = 0;
        double square = 0.0;
        while (p.plan->dimensions[i] != d) ++i;
        for (uint32_t k = 0; k < DATES; ++k) square += map[k][i] * map[k][i];
        assert_true(square < before);
        before = square;
        for (uint32_t k = 0; k < DATES; ++k) {
            double image = 0.0;
            for (uint32_t l = 0; l < DATES; ++l) image += p.plan->clock[k < l ? k : l] * map[l][i];
            assert_near(image, square * map[k][i], 1e-12 * DATES);
        }
    }
    unplan(&p);
}

/* ---- Shares and dimensions ---- */

static void test_shares_are_what_unit_draws_move(void **state)
{
    (void)state;
    static fixture f;
    static double map[MOST][MOST];
    for (uint32_t components = 0; components < 6; components += 3) {
        planned p;
        levy_arena scratch;
        double shares[MOST], averages[MOST], total = 0.0, whole = 0.0;
        make(&f, 1, 33, true, components);
        plan(&p, &f);
        assert_int_equal(p.status, LEVY_OK);
        map_of(p.plan->image, map);
        levy_arena_init(&scratch, &levy_memory_default);
        assert_int_equal(levy_dimension_shares(p.plan, &scratch, shares), LEVY_OK);
        assert_int_equal(levy_dimension_average_shares(p.plan, &scratch, averages), LEVY_OK);
        for (uint32_t k = 0; k < 33; ++k) total += p.plan->clock[k];
        for (uint32_t k = 0; k < 33; ++k)
            for (uint32_t l = 0; l < 33; ++l) whole += p.plan->clock[k < l ? k : l];
        for (uint32_t i = 0; i < 33; ++i) {
            double squares = 0.0, sum = 0.0;
            for (uint32_t k = 0; k < 33; ++k) squares += map[k][i] * map[k][i], sum += map[k][i];
            assert_near(shares[p.plan->dimensions[i]], squares / total, 1e-13);
            assert_near(averages[p.plan->dimensions[i]], sum * sum / whole, 1e-13);
        }
        if (components == 0) assert_near(averages[0], 1.0, 1e-13);
        levy_arena_release(&scratch);
        unplan(&p);
    }
}

/* Of three correlated assets the first factor carries most: its components come before the others'
 * where they carry more, then all functionals, then the bridge by level and factor. */
static void test_functionals_take_dimensions_by_variance_across_factors(void **state)
{
    (void)state;
    enum { DATES = 12, FACTORS = 3, COMPONENTS = 2 };
    static fixture f;
    planned p;
    levy_arena scratch;
    double shares[DATES * FACTORS], total = 0.0;
    make(&f, FACTORS, DATES, false, COMPONENTS);
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    levy_arena_init(&scratch, &levy_memory_default);
    assert_int_equal(levy_dimension_shares(p.plan, &scratch, shares), LEVY_OK);
    for (int d = 0; d < DATES * FACTORS; ++d) total += shares[d];
    assert_near(total, 1.0, 1e-13);
    for (int d = 1; d < COMPONENTS * FACTORS; ++d)
        assert_true(shares[d - 1] >= shares[d] * (1.0 - 1e-12));
    /* 8 / pi^2 of a driver and 0.6 of the factors, in the limit of many dates */
    assert_near(shares[0], 0.811 * 0.6, 0.01);
    /* the last date and the middle gave their draws away */
    const uint32_t *const time = LEVY_IMAGE_AT(uint32_t, p.plan->image, bridge_time);
    for (int i = 0; i < DATES * FACTORS; ++i)
        assert_int_equal(p.plan->dimensions[i] < COMPONENTS * FACTORS,
                         time[i / FACTORS] == DATES || time[i / FACTORS] == DATES / 2);
    levy_arena_release(&scratch);
    unplan(&p);
}

/* ---- What cannot be ---- */

static void test_a_grid_has_no_more_components_than_dates(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    make(&f, 1, 3, false, 4);
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.plan->image->n_functionals, 3);
    unplan(&p);
    make(&f, 1, 1, false, 0); /* the average of one date is its level */
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.plan->image->n_functionals, 0);
    unplan(&p);
    make(&f, 1, 12, false, 4); /* other constructions have none */
    f.problem.simulation.construction = LEVY_CONSTRUCTION_PCA;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.plan->image->n_functionals, 0);
    unplan(&p);
}

/* Settings reach what comes first, also beneath a construction that is one word. */
static void test_settings_name_what_comes_first(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/functionals");
    static const struct {
        levy_override set;
        bool good, average;
        uint32_t components;
    } cases[] = {
        {{"simulation.construction.first", "average"}, true, true, 0},
        {{"simulation.construction.first.components", "3"}, true, false, 3},
        {{"simulation.construction.first.functional", "average"}, true, true, 0},
        {{"simulation.construction.first", "{components: 3}"}, true, false, 3},
        {{"simulation.construction", " {kind: bridge, first: average}"}, true, true, 0},
        {{"simulation.construction.first", "[0.5, 0.25]"}, true, false, 0},
        {{"simulation.construction.first", "{components: 3"}, false, false, 0},
        {{"simulation.construction.first", "{compnents: 3}"}, false, false, 0},
        {{"simulation.construction.first", "components"}, false, false, 0},
        {{"simulation.construction.first", "1"}, false, false, 0},
        {{"simulation.construction.first.components.3", "3"}, false, false, 0},
        {{"simulation.construction.first.compnents", "3"}, false, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_input input = {"settings.yaml", text, strlen(text), NULL, false};
        loaded_book book = load_inputs(&input, 1, &cases[i].set, 1);
        assert_int_equal(book.status == LEVY_OK, cases[i].good);
        if (cases[i].good) {
            assert_true(book.problem->simulation.first_average == cases[i].average);
            assert_int_equal(book.problem->simulation.first_components, cases[i].components);
        }
        loaded_book_release(&book);
    }
}

/* ---- Quotes, bumps and memory ---- */

/* Volatilities that differ by interval make the clock, and so the functionals, those of the
 * quotes. */
static void make_moved(fixture *f, double second)
{
    make(f, 1, 24, true, 3);
    f->assets[0].volatility.n = 2;
    f->volatility_times[0][0] = 0.5;
    f->volatility_times[0][1] = 1.0;
    f->total_variance[0][0] = 0.5 * 0.2 * 0.2;
    f->total_variance[0][1] = second * second;
    f->problem.simulation.paths = 2 * LEVY_BLOCK_PATHS;
    f->problem.simulation.replicates = 2;
}

static void shares_of(const levy_plan *p, double *shares)
{
    levy_arena scratch;
    levy_arena_init(&scratch, &levy_memory_default);
    assert_int_equal(levy_dimension_shares(p, &scratch, shares), LEVY_OK);
    assert_int_equal(levy_dimension_average_shares(p, &scratch, shares + MOST), LEVY_OK);
    levy_arena_release(&scratch);
}

static void test_a_renewed_plan_has_the_functionals_of_its_quotes(void **state)
{
    (void)state;
    static fixture before, after;
    planned old, fresh;
    double shares[2 * MOST] = {0.0}, renewed[2 * MOST] = {0.0};
    char why[LEVY_PLAN_WHY];
    make_moved(&before, 0.3);
    make_moved(&after, 0.4);
    plan(&old, &before);
    plan(&fresh, &after);
    assert_true(old.status == LEVY_OK && fresh.status == LEVY_OK);
    assert_int_not_equal(old.plan->image->numeric_hash, fresh.plan->image->numeric_hash);
    levy_plan *same = NULL;
    assert_int_equal(levy_plan_renew(old.plan, old.plan->arena.memory, NULL, &after.problem,
                                     fresh.groups, &same, why),
                     LEVY_OK);
    assert_ptr_equal(same, old.plan);
    assert_memory_equal(old.plan->image, fresh.plan->image, fresh.plan->image->bytes);
    shares_of(fresh.plan, shares);
    shares_of(old.plan, renewed);
    assert_memory_equal(shares, renewed, sizeof shares);
    unplan(&old);
    unplan(&fresh);
}

/* A bump of volatilities leaves the clock alone, and what comes first with it. */
static void test_bumped_markets_have_the_functionals_of_the_unbumped(void **state)
{
    (void)state;
    static fixture f;
    planned price, vega;
    make_moved(&f, 0.3);
    plan(&price, &f);
    f.problem.simulation.measures = LEVY_MEASURE_PRICE | LEVY_MEASURE_VEGA;
    f.trades[0].measures = f.problem.simulation.measures;
    plan(&vega, &f);
    assert_true(price.status == LEVY_OK && vega.status == LEVY_OK);
    assert_true(vega.plan->image->n_dynamics > price.plan->image->n_dynamics);
    assert_memory_equal(LEVY_IMAGE_AT(double, vega.plan->image, matrix),
                        LEVY_IMAGE_AT(double, price.plan->image, matrix),
                        2 * 24 * 3 * sizeof(double));
    unplan(&price);
    unplan(&vega);
}

static void test_no_memory_is_said_and_nothing_is_lost(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    levy_status status = LEVY_MEMORY;
    make(&f, 1, 64, false, 8);
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    size_t failures = 0;
    for (long n = 1; status == LEVY_MEMORY; ++n) {
        test_heap heap = {.fail_at = n};
        const levy_memory memory = heap_memory(&heap);
        levy_plan *made = NULL;
        char why[LEVY_PLAN_WHY];
        status = levy_plan_create(&memory, &f.problem, p.groups, &made, why);
        failures += status == LEVY_MEMORY;
        if (status == LEVY_OK) {
            assert_int_equal(made->image->numeric_hash, p.plan->image->numeric_hash);
            levy_plan_destroy(made);
        }
        assert_int_equal(heap.live, 0);
    }
    assert_int_equal(status, LEVY_OK);
    assert_true(failures >= 4);
    unplan(&p);
}

/* ---- The path loop ---- */

/* The inverse of the normal distribution function, by Newton on libm's erfc: left of 0 the function
 * is convex, so that the steps from 0 never pass the root. */
static double inverse_normal(double p)
{
    if (p > 0.5) return -inverse_normal(1.0 - p);
    double x = 0.0;
    for (int turn = 0; turn < 60; ++turn)
        x -= (0.5 * erfc(-x * sqrt(0.5)) - p) / (exp(-0.5 * x * x) * 0.39894228040143268);
    return x;
}

static double sobol_normal(const levy_image *h, uint32_t path, uint32_t draw)
{
    const uint32_t *const rows = LEVY_IMAGE_AT(uint32_t, h, directions);
    uint32_t word = rows[32 * h->n_draws + draw];
    for (uint32_t gray = path ^ path >> 1, b = 0; gray >> b; ++b)
        if (gray >> b & 1) word ^= rows[b * h->n_draws + draw];
    return inverse_normal((word + 0.5) * 0x1p-32);
}

/* The first block. sums: room for 8 outputs. */
static void simulate_block(const levy_plan *plan, void *record, levy_block_sum *sums)
{
    const levy_backend_options options = {
        .memory = &levy_memory_default, .isa = "auto", .threads = 1};
    char why[LEVY_REASON_SIZE];
    double seconds;
    levy_backend backend;
    void *state;
    levy_tile tile;
    assert_int_equal(levy_plan_tiles(plan->image, &gpu_limits, &tile), 1);
    const levy_batch batch = {.tile = tile, .n_blocks = 1, .record = record};
    assert_int_equal(levy_backend_choose("cpu", &options, NULL, &backend, &state, why), LEVY_OK);
    assert_int_equal(backend.load(state, plan->image, &tile, 1, why), LEVY_OK);
    assert_int_equal(backend.simulate(state, &batch, NULL, sums, &seconds, why), LEVY_OK);
    backend.unload(state);
    backend.close(state);
}

/* Log levels of some paths against drift + factors x drivers, these from the points' own words. */
static void assert_levels_follow_the_map(const levy_plan *p)
{
    const levy_image *const h = p->image;
    const uint32_t n = h->n_nodes, a = h->n_assets, m = h->n_factors;
    const double *const drift = LEVY_IMAGE_AT(double, h, drift);
    const double *const factor = LEVY_IMAGE_AT(double, h, factor);
    double *const record = calloc((size_t)levy_record_reals(h), sizeof *record);
    levy_block_sum sums[8];
    simulate_block(p, record, sums);
    for (uint32_t path = 0; path < LEVY_BLOCK_PATHS; path += 371) {
        double drivers[3][MOST], draws[MOST];
        for (uint32_t f = 0; f < m; ++f) {
            for (uint32_t i = 0; i < n; ++i) draws[i] = sobol_normal(h, path, i * m + f);
            build(h, draws, drivers[f]);
        }
        for (uint32_t k = 0; k < n; ++k)
            for (uint32_t u = 0; u < a; ++u) {
                double level = drift[k * a + u];
                for (uint32_t f = 0; f < m; ++f) level += factor[u * m + f] * drivers[f][k];
                assert_near(log(record[(k * a + u) * LEVY_BLOCK_PATHS + path]), level, 1e-13);
            }
    }
    free(record);
}

static void test_the_path_loops_do_what_the_plan_says(void **state)
{
    (void)state;
    static fixture f;
    for (size_t assets = 1; assets <= 3; assets += 2)
        for (uint32_t components = 0; components < 6; components += 5) {
            planned p;
            make(&f, assets, 30, assets == 1, components);
            f.problem.simulation.paths = 2 * LEVY_BLOCK_PATHS;
            f.problem.simulation.replicates = 2;
            f.problem.simulation.records = true;
            plan(&p, &f);
            assert_int_equal(p.status, LEVY_OK);
            assert_levels_follow_the_map(p.plan);
            unplan(&p);
        }
}

/* ---- What it is for ---- */

/* The logarithm of a geometric average of n equal steps is its mean plus its deviation times the
 * draw of the first dimension, whatever the other draws are. */
static void assert_one_draw_pays(const levy_plan *p)
{
    enum { DATES = 16 };
    const levy_image *const h = p->image;
    const double mean = (0.05 - 0.02) * (DATES + 1.0) / (2.0 * DATES),
                 deviation =
                     0.2 * sqrt((DATES + 1.0) * (2.0 * DATES + 1.0) / (6.0 * DATES * DATES));
    levy_block_sum sums[8];
    uint32_t draw = 0;
    double want = 0.0;
    simulate_block(p, NULL, sums);
    while (p->dimensions[draw] != 0) ++draw;
    for (uint32_t path = 0; path < LEVY_BLOCK_PATHS; ++path)
        want += fmax(100.0 * exp(mean + deviation * sobol_normal(h, path, draw)) - 100.0, 0.0);
    assert_near(sums[0].mean, exp(-0.05) * want / LEVY_BLOCK_PATHS, 1e-12 * 100.0);
}

static void test_a_geometric_average_is_one_draw(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/functionals-2");
    levy_arena arena;
    levy_group *groups;
    levy_plan *p;
    size_t n_groups;
    char why[LEVY_PLAN_WHY];
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(book.problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_create(&levy_memory_default, book.problem, groups, &p, why),
                     LEVY_OK);
    assert_one_draw_pays(p);
    levy_plan_destroy(p);
    levy_arena_release(&arena);
    loaded_book_release(&book);
}

/* Results say what came first, and how many components a trade with few dates took. */
static void test_results_say_what_came_first(void **state)
{
    (void)state;
    const char *const text = text_of_book("texts/functionals-3");
    static const struct {
        const char *key, *value, *firsts[2], *pipeline;
    } cases[] = {
        {"simulation.construction.first", "average", {"average", NULL}, "fused"},
        {"simulation.construction.first.components", "8", {"3 components", NULL}, "fused"},
        {"simulation.construction.first.components", "1", {"1 component", NULL}, "fused"},
        {"simulation.construction.first", "[1.0]", {"dates", "dates"}, "fused"},
        {"simulation.construction", "pca", {NULL, NULL}, "fused"},
        {"simulation.pipeline", "staged", {NULL, NULL}, "staged"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const levy_setting setting = {cases[i].key, cases[i].value};
        levy_context *context;
        levy_book *book;
        levy_results *results;
        assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
        book = read_book(context, text, &setting, 1);
        assert_int_equal(levy_price(book, NULL, &results), LEVY_STATUS_OK);
        for (size_t t = 0; t < 2; ++t) {
            const levy_trade_result *const trade = levy_results_trade(results, t);
            const char *const want = cases[i].firsts[t];
            assert_true(want ? trade->first && !strcmp(trade->first, want) : !trade->first);
            assert_string_equal(trade->pipeline, cases[i].pipeline);
        }
        levy_results_destroy(results);
        levy_book_destroy(book);
        levy_context_destroy(context);
    }
}

static void test_a_setting_is_one_value(void **state)
{
    static const char text[] = "schema_version: 1\nsimulation: {paths: 2^9}\n";
    const levy_setting two = {"simulation.construction", "{kind: bridge}\n---\n{a: 1}"};
    levy_context *context;
    levy_book *book;
    (void)state;
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    assert_int_not_equal(
        levy_book_load_text(context, "book", text, sizeof text - 1, &two, 1, &book),
        LEVY_STATUS_OK);
    bool told = false;
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        told = told || strstr(levy_diagnostic_get(context, i)->message, "second document");
    assert_true(told);
    levy_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_setting_is_one_value),
        cmocka_unit_test(test_the_law_is_that_of_brownian_motion),
        cmocka_unit_test(test_the_components_are_the_largest),
        cmocka_unit_test(test_shares_are_what_unit_draws_move),
        cmocka_unit_test(test_functionals_take_dimensions_by_variance_across_factors),
        cmocka_unit_test(test_a_grid_has_no_more_components_than_dates),
        cmocka_unit_test(test_settings_name_what_comes_first),
        cmocka_unit_test(test_a_renewed_plan_has_the_functionals_of_its_quotes),
        cmocka_unit_test(test_bumped_markets_have_the_functionals_of_the_unbumped),
        cmocka_unit_test(test_no_memory_is_said_and_nothing_is_lost),
        cmocka_unit_test(test_the_path_loops_do_what_the_plan_says),
        cmocka_unit_test(test_a_geometric_average_is_one_draw),
        cmocka_unit_test(test_results_say_what_came_first),
    };
    return cmocka_run_group_tests_name("functionals", tests, NULL, NULL);
}
