/* test_walk.c: orders of a bridge, principal components, which dimension each draw takes, and
 * padding past the table. */
#include "tests/cmocka_all.h"

#include "engine/plan/principal.h"
#include "engine/plan/leading.h"
#include "engine/plan/dimensions.h"
#include "kernels/cpu/cpu_links.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"
#include "tests/planned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 400 };

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static void make_clock(double *clock, uint32_t n, bool irregular)
{
    double t = 0.0;
    for (uint32_t i = 0; i < n; ++i)
        clock[i] = t += irregular ? 0.01 + (double)(i * i % 7) * 0.03 : 1.0 / n;
}

/* ---- Orders ---- */

typedef struct ordered {
    levy_strategy s;
    levy_strategy_entry entries[MOST];
    uint32_t descents[MOST], rank[MOST], work[3 * MOST];
    levy_strategy_run runs[MOST];
    double clock[MOST];
} ordered;

static void order_ready(ordered *w, uint32_t n, bool irregular)
{
    memset(w, 0, sizeof *w);
    w->s.entries = w->entries;
    w->s.descents = w->descents;
    w->s.runs = w->runs;
    make_clock(w->clock, n, irregular);
    for (uint32_t i = 0; i < n; ++i) w->rank[i] = i;
}

static void order_make(ordered *w, uint32_t n)
{
    levy_strategy_ordered(n, w->clock, w->rank, sqrt, w->work, &w->s);
}

static void shuffle(uint32_t *rank, uint32_t n, uint32_t *seed)
{
    for (uint32_t i = n; i > 1; --i) {
        const uint32_t j = (uint32_t)((uint64_t)next_random(seed) * i >> 32), kept = rank[i - 1];
        rank[i - 1] = rank[j];
        rank[j] = kept;
    }
}

static void order_apply(const ordered *w, const double *z, double *x)
{
    double stack[MOST + 1] = {0.0}, left = 0.0;
    uint32_t top = 0, entry = 0;
    for (uint32_t k = 0; k < w->s.n_nodes; ++k) {
        for (uint32_t d = w->descents[k]; d > 0; --d, ++entry, ++top) {
            const levy_strategy_entry *const e = &w->entries[entry];
            assert_true(top < w->s.stack);
            stack[top + 1] = e->deviation * z[entry] + e->right * stack[top] + e->left * left;
        }
        x[k] = left = stack[top--];
    }
    assert_int_equal(entry, w->s.n_nodes);
}

static void assert_order_is_brownian(const ordered *w)
{
    const uint32_t n = w->s.n_nodes;
    double *const matrix = malloc((size_t)n * n * sizeof *matrix), *const z = calloc(n, sizeof *z);
    for (uint32_t j = 0; j < n; ++j) {
        z[j] = 1.0;
        order_apply(w, z, matrix + (size_t)j * n);
        z[j] = 0.0;
    }
    assert_brownian(matrix, w->clock, n, 1e-13);
    free(matrix);
    free(z);
}

static void test_any_order_has_the_covariance_of_brownian_motion(void **state)
{
    (void)state;
    ordered *const w = malloc(sizeof *w);
    uint32_t seed = 1;
    for (uint32_t n = 1; n <= 80; n += n < 12 ? 1 : 17)
        for (int trial = 0; trial < 8; ++trial) {
            order_ready(w, n, trial % 2 == 0);
            shuffle(w->rank, n, &seed);
            order_make(w, n);
            assert_order_is_brownian(w);
        }
    free(w);
}

static void test_every_order_of_six_dates_builds_each_between_its_neighbours(void **state)
{
    (void)state;
    ordered *const w = malloc(sizeof *w);
    for (uint32_t number = 0; number < 720; ++number) {
        uint32_t left[6] = {0, 1, 2, 3, 4, 5}, code = number;
        order_ready(w, 6, true);
        for (uint32_t i = 0; i < 6; ++i) { /* the number's digits in the factorial base */
            const uint32_t at = code % (6 - i);
            code /= 6 - i;
            w->rank[left[at]] = i;
            memmove(left + at, left + at + 1, (5 - at) * sizeof *left);
        }
        order_make(w, 6);
        assert_order_is_brownian(w);
        /* weights say which neighbours stood when the date was built */
        for (uint32_t i = 0; i < 6; ++i) {
            const levy_strategy_entry *const e = &w->entries[i];
            bool before = false, after = false;
            for (uint32_t k = 0; k < 6; ++k) {
                if (w->rank[k] >= w->rank[e->node - 1]) continue;
                before |= k < e->node - 1;
                after |= k > e->node - 1;
            }
            assert_int_equal(e->right != 0.0, after);
            assert_int_equal(e->left != 0.0, before || after);
        }
    }
    free(w);
}

static void test_bisection_as_an_order_is_the_bridge(void **state)
{
    (void)state;
    ordered *const w = malloc(sizeof *w), *const bridge = malloc(sizeof *bridge);
    for (uint32_t n = 1; n <= MOST; n += n < 70 ? 1 : 83) {
        order_ready(bridge, n, true);
        levy_strategy_bridge(n, bridge->clock, sqrt, &bridge->s);
        order_ready(w, n, true);
        for (uint32_t i = 0; i < n; ++i)
            w->rank[bridge->entries[i].node - 1] =
                bridge->entries[i].level * (MOST + 1) + bridge->entries[i].node;
        order_make(w, n);
        assert_int_equal(w->s.stack, bridge->s.stack);
        assert_memory_equal(w->descents, bridge->descents, n * sizeof *w->descents);
        for (uint32_t i = 0; i < n; ++i) {
            assert_int_equal(w->entries[i].node, bridge->entries[i].node);
            assert_memory_equal(&w->entries[i].left, &bridge->entries[i].left, 3 * sizeof(double));
        }
    }
    free(w);
    free(bridge);
}

static void test_depth_of_an_order_is_one_in_time_and_all_against_it(void **state)
{
    (void)state;
    ordered *const w = malloc(sizeof *w);
    order_ready(w, MOST, false);
    order_make(w, MOST);
    assert_int_equal(w->s.stack, 1);
    for (uint32_t i = 0; i < MOST; ++i) w->rank[i] = MOST - i;
    order_make(w, MOST);
    assert_int_equal(w->s.stack, MOST);
    assert_order_is_brownian(w);
    free(w);
}

/* ---- Components ---- */

typedef struct composed {
    double matrix[MOST * MOST], variance[MOST], clock[MOST];
} composed;

static void compose(composed *c, uint32_t n)
{
    levy_arena scratch;
    levy_arena_init(&scratch, &levy_memory_default);
    assert_int_equal(levy_components_create(n, c->clock, &scratch, c->matrix, c->variance),
                     LEVY_OK);
    levy_arena_release(&scratch);
}

static void assert_components(const composed *c, uint32_t n)
{
    double *const turned = calloc((size_t)n * n, sizeof *turned);
    const double total = c->variance[0];
    for (uint32_t k = 0; k < n; ++k)
        for (uint32_t j = 0; j < n; ++j) turned[j * n + k] = c->matrix[k * n + j];
    assert_brownian(turned, c->clock, n, 4e-14);
    for (uint32_t a = 0; a < n; ++a)
        for (uint32_t b = 0; b <= a; ++b) {
            double dot = 0.0;
            for (uint32_t k = 0; k < n; ++k) dot += turned[a * n + k] * turned[b * n + k];
            assert_near(dot, a == b ? c->variance[a] : 0.0, 1e-11 * total);
            assert_true(c->variance[b] >= c->variance[a]);
        }
    free(turned);
}

static void test_components_are_orthogonal_and_make_brownian_motion(void **state)
{
    (void)state;
    composed *const c = malloc(sizeof *c);
    const uint32_t sizes[] = {1, 2, 3, 7, 8, 9, 64, 100, 252};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int irregular = 0; irregular < 2; ++irregular) {
            make_clock(c->clock, sizes[i], irregular);
            compose(c, sizes[i]);
            assert_components(c, sizes[i]);
        }
    free(c);
}

/* Steps of very different sizes, as a variance clock with a dead interval has them. */
static void test_components_take_steps_of_any_size(void **state)
{
    (void)state;
    composed *const c = malloc(sizeof *c);
    double t = 0.0;
    for (uint32_t i = 0; i < 60; ++i) {
        double step = i % 7 == 0 ? 1.0 : 1e-3;
        if (i % 5 == 3) step = 1e-9;
        c->clock[i] = t += step;
    }
    compose(c, 60);
    assert_components(c, 60);
    free(c);
}

/* On n equal steps h the variances are h / (4 sin^2((2j - 1) pi / (4 n + 2))). */
static void test_components_of_equal_steps_are_their_closed_form(void **state)
{
    (void)state;
    composed *const c = malloc(sizeof *c);
    const uint32_t n = 250;
    make_clock(c->clock, n, false);
    compose(c, n);
    for (uint32_t j = 0; j < n; ++j) {
        const double s = sin((2.0 * j + 1.0) * acos(-1.0) / (4.0 * n + 2.0)),
                     exact = 1.0 / n / (4.0 * s * s);
        assert_near(c->variance[j], exact, 1e-10 * exact + 1e-13 * c->variance[0]);
    }
    free(c);
}

/* The largest components alone: eigenvectors of min(t_i, t_k), of the variances of all components,
 * and the same columns where two variances are far enough apart for columns to be unique. */
static void assert_leading(const composed *c, uint32_t n, uint32_t wanted)
{
    levy_arena scratch;
    levy_arena_init(&scratch, &levy_memory_default);
    double *const columns = malloc((size_t)wanted * n * sizeof *columns);
    assert_int_equal(levy_leading_create(n, c->clock, wanted, &scratch, columns), LEVY_OK);
    for (uint32_t j = 0; j < wanted; ++j)
        for (uint32_t l = 0; l <= j; ++l) {
            const double *const own = columns + (size_t)j * n, *const other = columns + l * n;
            double dot = 0.0;
            for (uint32_t k = 0; k < n; ++k) dot += own[k] * other[k];
            assert_near(dot, j == l ? c->variance[j] : 0.0, 1e-12 * c->variance[0]);
        }
    for (uint32_t j = 0; j < wanted; ++j) {
        if (j + 1 < n && c->variance[j] < 1.01 * c->variance[j + 1]) continue;
        if (j && c->variance[j - 1] < 1.01 * c->variance[j]) continue;
        double largest = 0.0, smallest = 0.0;
        for (uint32_t k = 0; k < n; ++k) {
            const double level = columns[(size_t)j * n + k];
            assert_near(level, c->matrix[k * n + j], 1e-10 * sqrt(c->variance[0]));
            largest = fmax(largest, level);
            smallest = fmin(smallest, level);
        }
        assert_true(largest >= -smallest * (1.0 - 1e-8));
    }
    free(columns);
    levy_arena_release(&scratch);
}

static void test_the_largest_components_are_those_of_all(void **state)
{
    (void)state;
    composed *const c = malloc(sizeof *c);
    const uint32_t sizes[] = {1, 2, 3, 7, 9, 33, 64, 252};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
        for (int irregular = 0; irregular < 2; ++irregular) {
            make_clock(c->clock, sizes[i], irregular);
            compose(c, sizes[i]);
            assert_leading(c, sizes[i], sizes[i] < 32 ? sizes[i] : 32);
        }
    double t = 0.0;
    for (uint32_t i = 0; i < 60; ++i) { /* steps of very different sizes, units that are small */
        double step = i % 7 == 0 ? 1.0 : 1e-3;
        if (i % 5 == 3) step = 1e-9;
        c->clock[i] = t += 1e-9 * step;
    }
    compose(c, 60);
    assert_leading(c, 60, 8);
    t = 0.0;
    for (uint32_t i = 0; i < 40; ++i) c->clock[i] = t += ldexp(1.0, (int)i);
    compose(c, 40);
    assert_leading(c, 40, 16);
    free(c);
}

/* Stretches of steps near the last digit that are alike: their components have one variance, and
 * stay directions of their own. */
static void test_components_of_stretches_that_are_alike(void **state)
{
    (void)state;
    enum { STRETCH = 4, N = 3 * STRETCH };
    double clock[N], columns[N * N], t = 0.0;
    levy_arena scratch;
    levy_arena_init(&scratch, &levy_memory_default);
    for (uint32_t i = 0; i < N; ++i) clock[i] = t += i % STRETCH == 0 ? 1.0 : 0x1p-50;
    assert_int_equal(levy_leading_create(N, clock, N, &scratch, columns), LEVY_OK);
    for (uint32_t j = 0; j < N; ++j)
        for (uint32_t l = 0; l < j; ++l) {
            double dot = 0.0, own = 0.0, other = 0.0;
            for (uint32_t k = 0; k < N; ++k) {
                dot += columns[j * N + k] * columns[l * N + k];
                own += columns[j * N + k] * columns[j * N + k];
                other += columns[l * N + k] * columns[l * N + k];
            }
            assert_near(dot / sqrt(own * other), 0.0, 1e-12);
        }
    levy_arena_release(&scratch);
}

typedef struct patience {
    levy_meter meter;
    uint32_t asked, most;
} patience;

static int patience_ends(void *user)
{
    patience *const p = user;
    return ++p->asked > p->most;
}

/* How often components ask whether to stop, and that they stop when told. */
static void test_components_ask_whether_to_stop(void **state)
{
    (void)state;
    enum { DATES = 200 };
    composed *const c = malloc(sizeof *c);
    make_clock(c->clock, DATES, true);
    for (int leading = 0; leading < 2; ++leading)
        for (uint32_t most = 0; most < 10; most += 5) {
            levy_arena scratch;
            patience p = {.most = most};
            levy_memory memory = levy_memory_default;
            p.meter.stop = patience_ends;
            p.meter.user = &p;
            memory.meter = &p.meter;
            levy_arena_init(&scratch, &memory);
            const levy_status status =
                leading ? levy_leading_create(DATES, c->clock, 32, &scratch, c->matrix)
                        : levy_components_create(DATES, c->clock, &scratch, c->matrix, c->variance);
            assert_int_equal(status, LEVY_CANCELLED);
            assert_int_equal(p.asked, most + 1);
            levy_arena_release(&scratch);
        }
    free(c);
}

/* ---- Plans ---- */

static void test_dimensions_follow_the_order_given(void **state)
{
    (void)state;
    static fixture f;
    static const uint32_t order[] = {5, 12, 1, 2, 3, 4, 6, 8, 7, 11, 10, 9};
    planned p;
    fixture_market(&f, 3, 0.5);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    f.problem.simulation.order = order;
    f.problem.simulation.n_order = 12;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.plan->image->construction, LEVY_BUILD_ORDERED);
    const uint32_t *const time = LEVY_IMAGE_AT(uint32_t, p.plan->image, bridge_time);
    for (uint32_t draw = 0; draw < 36; ++draw)
        assert_int_equal(time[draw / 3], order[p.plan->dimensions[draw] / 3]);
    for (uint32_t draw = 0; draw < 36; ++draw)
        assert_int_equal(p.plan->dimensions[draw] % 3, draw % 3);
    unplan(&p);
    f.problem.simulation.n_order = 11;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_UNSUPPORTED);
    assert_non_null(strstr(p.why, "has 11 dates, but the grid of this trade has 12"));
    unplan(&p);
}

/* Of each entry the nearest nodes built before it, and the first node that still waits. */
static void assert_links(const levy_image *h)
{
    path_link links[64];
    uint32_t stack[65];
    bool built[66] = {true};
    const uint32_t *const time = LEVY_IMAGE_AT(uint32_t, h, bridge_time);
    assert_true(h->n_nodes <= 64 && h->stack <= 64);
    levy_cpu_links(h, links, stack);
    for (uint32_t entry = 0; entry < h->n_nodes; ++entry) {
        uint32_t left = time[entry] - 1, right = time[entry] + 1, ready = 0;
        while (!built[left]) --left;
        while (right <= h->n_nodes && !built[right]) ++right;
        built[time[entry]] = true;
        while (ready < h->n_nodes && built[ready + 1]) ++ready;
        assert_int_equal(links[entry].node, time[entry]);
        assert_int_equal(links[entry].left, left);
        if (h->construction == LEVY_BUILD_INCREMENTAL)
            assert_int_equal(links[entry].right, 0);
        else
            assert_int_equal(links[entry].right, right > h->n_nodes ? 0 : right);
        assert_int_equal(links[entry].ready, ready);
    }
}

static void test_links_join_the_nearest_nodes_built(void **state)
{
    (void)state;
    static fixture f;
    uint32_t order[64], seed = 7;
    for (uint32_t n = 1; n <= 64; n += n < 9 ? 1 : 11)
        for (int way = 0; way < 4; ++way) {
            planned p;
            fixture_market(&f, 2, 0.5);
            fixture_trade(&f, LEVY_PAYOFF_ASIAN, n, 100.0);
            if (way == 1) f.problem.simulation.construction = LEVY_CONSTRUCTION_INCREMENTAL;
            for (uint32_t i = 0; i < n; ++i) order[i] = i + 1;
            shuffle(order, n, &seed);
            if (way > 1) f.problem.simulation.order = order;
            if (way > 1) f.problem.simulation.n_order = n;
            plan(&p, &f);
            assert_int_equal(p.status, LEVY_OK);
            assert_links(p.plan->image);
            unplan(&p);
        }
}

static void test_dates_built_first_come_before_the_last_and_the_midpoints(void **state)
{
    (void)state;
    static fixture f;
    static double first[] = {0.5, 0.125};
    planned p;
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 16, 100.0);
    f.problem.simulation.first = first;
    f.problem.simulation.n_first = 2;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    const uint32_t *const time = LEVY_IMAGE_AT(uint32_t, p.plan->image, bridge_time);
    /* 0-2, 2-8, 8-16 by level */
    const uint32_t want[16] = {8, 2, 16, 1, 5, 12, 3, 6, 10, 14, 4, 7, 9, 11, 13, 15};
    for (uint32_t draw = 0; draw < 16; ++draw)
        assert_int_equal(time[draw], want[p.plan->dimensions[draw]]);
    unplan(&p);
    first[1] = 0.3;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_UNSUPPORTED);
    assert_non_null(strstr(p.why, "first contains 0.3 years"));
    unplan(&p);
}

static void test_components_take_dimensions_by_variance_across_factors(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    levy_arena scratch;
    double shares[36], total = 0.0;
    fixture_market(&f, 3, 0.5);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 12, 100.0);
    f.problem.simulation.construction = LEVY_CONSTRUCTION_PCA;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    levy_arena_init(&scratch, &levy_memory_default);
    assert_int_equal(levy_dimension_shares(p.plan, &scratch, shares), LEVY_OK);
    for (int d = 0; d < 36; ++d) total += shares[d];
    for (int d = 1; d < 36; ++d) assert_true(shares[d - 1] >= shares[d] * (1.0 - 1e-12));
    assert_near(total, 1.0, 1e-12);
    assert_near(shares[0], 0.811 * 2.0 / 3.0, 0.01); /* 8/pi^2 of the driver, 2/3 of the factors */
    levy_arena_release(&scratch);
    unplan(&p);
}

/* Sums over dates of what a unit draw moves, against the formula by hats. */
static void test_shares_are_what_unit_draws_move(void **state)
{
    (void)state;
    static fixture f;
    static uint32_t order[MOST];
    ordered *const w = malloc(sizeof *w);
    planned p;
    levy_arena scratch;
    uint32_t seed = 7;
    for (uint32_t n = 1; n <= 60; n = 2 * n + 1)
        for (int kind = 0; kind < 3; ++kind) {
            double shares[64], averages[64], z[64] = {0.0}, x[64], total = 0.0, average = 0.0;
            order_ready(w, n, false);
            if (kind == 2) shuffle(w->rank, n, &seed);
            for (uint32_t i = 0; i < n; ++i) order[w->rank[i]] = i + 1;
            fixture_market(&f, 1, 0.0);
            fixture_trade(&f, LEVY_PAYOFF_ASIAN, n, 100.0);
            f.problem.simulation.construction =
                kind == 1 ? LEVY_CONSTRUCTION_INCREMENTAL : LEVY_CONSTRUCTION_BRIDGE;
            f.problem.simulation.order = kind == 2 ? order : NULL;
            f.problem.simulation.n_order = n;
            plan(&p, &f);
            assert_int_equal(p.status, LEVY_OK);
            if (kind == 0)
                levy_strategy_bridge(n, w->clock, sqrt, &w->s);
            else if (kind == 1)
                levy_strategy_incremental(n, w->clock, sqrt, &w->s);
            else
                order_make(w, n);
            levy_arena_init(&scratch, &levy_memory_default);
            assert_int_equal(levy_dimension_shares(p.plan, &scratch, shares), LEVY_OK);
            assert_int_equal(levy_dimension_average_shares(p.plan, &scratch, averages), LEVY_OK);
            for (uint32_t k = 0; k < n; ++k) total += w->clock[k];
            for (uint32_t k = 0; k < n; ++k) /* variance of the sum of the driver */
                for (uint32_t j = 0; j < n; ++j) average += w->clock[k < j ? k : j];
            for (uint32_t i = 0; i < n; ++i) {
                double moved = 0.0, sum = 0.0;
                z[i] = 1.0;
                order_apply(w, z, x);
                z[i] = 0.0;
                for (uint32_t k = 0; k < n; ++k) moved += x[k] * x[k], sum += x[k];
                assert_near(shares[p.plan->dimensions[i]], moved / total, 1e-12);
                assert_near(averages[p.plan->dimensions[i]], sum * sum / average, 1e-12);
            }
            levy_arena_release(&scratch);
            unplan(&p);
        }
    free(w);
}

/* The logarithm of a geometric average of n equal steps, date by date: the first draw moves all n
 * dates, the last one only its own, so that shares are (n - d)^2 over n (n + 1) (2 n + 1) / 6. Of
 * its components nearly all lies in the first. */
static void test_shares_of_the_average_are_those_of_a_geometric_asian(void **state)
{
    (void)state;
    static fixture f;
    planned p;
    levy_arena scratch;
    double shares[64];
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 64, 100.0);
    for (int kind = 0; kind < 2; ++kind) {
        f.problem.simulation.construction =
            kind ? LEVY_CONSTRUCTION_PCA : LEVY_CONSTRUCTION_INCREMENTAL;
        plan(&p, &f);
        assert_int_equal(p.status, LEVY_OK);
        levy_arena_init(&scratch, &levy_memory_default);
        assert_int_equal(levy_dimension_average_shares(p.plan, &scratch, shares), LEVY_OK);
        if (kind == 0) {
            for (int d = 0; d < 64; ++d)
                assert_near(shares[d], (64.0 - d) * (64.0 - d) / (64.0 * 65.0 * 129.0 / 6.0),
                            1e-12);
            /* 14^3 / 64^3 is about 1 % */
            assert_int_equal(levy_dimension_effective(shares, 64), 51);
        } else {
            assert_near(shares[0], 0.986, 0.001); /* 96 / pi^4 for a continuum */
            assert_int_equal(levy_dimension_effective(shares, 64), 2);
        }
        levy_arena_release(&scratch);
        unplan(&p);
    }
}

static void test_components_are_refused_where_they_would_take_minutes(void **state)
{
    (void)state;
    static fixture f;
    static double many[LEVY_MOST_COMPONENTS + 1];
    planned p;
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 100.0);
    for (int i = 0; i <= LEVY_MOST_COMPONENTS; ++i)
        many[i] = (i + 1) / (LEVY_MOST_COMPONENTS + 1.0);
    f.trades[0].claim.observations.times = many;
    f.trades[0].claim.observations.n = LEVY_MOST_COMPONENTS + 1;
    f.problem.simulation.construction = LEVY_CONSTRUCTION_PCA;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_UNSUPPORTED);
    assert_non_null(strstr(p.why, "construction pca supports at most 2048 dates"));
    unplan(&p);
    f.problem.simulation.construction = LEVY_CONSTRUCTION_BRIDGE;
    f.problem.simulation.first_components = 2; /* the largest alone are quick */
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_OK);
    assert_int_equal(p.plan->image->n_functionals, 2);
    unplan(&p);
}

/* ---- Padding ---- */

static void test_draws_past_the_table_are_the_least_important_and_marked(void **state)
{
    (void)state;
    static fixture f;
    static double many[3000];
    planned p;
    fixture_market(&f, 8, 0.5);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, 4, 100.0);
    for (int i = 0; i < 3000; ++i) many[i] = (i + 1) / 3000.0;
    f.trades[0].claim.observations.times = many;
    f.trades[0].claim.observations.n = 3000;
    f.problem.simulation.replicates = 2;
    for (int32_t generator = LEVY_GENERATOR_SOBOL_SCRAMBLED; generator <= LEVY_GENERATOR_MRG32K3A;
         ++generator) {
        f.problem.simulation.generator = generator;
        f.problem.simulation.replicates = generator == LEVY_GENERATOR_SOBOL_SCRAMBLED ? 2 : 1;
        plan(&p, &f);
        assert_int_equal(p.status, LEVY_OK);
        const levy_image *const h = p.plan->image;
        const bool sobol = generator <= LEVY_GENERATOR_SOBOL;
        assert_int_equal(h->n_draws, 24000);
        assert_int_equal(h->n_padded, sobol ? 24000 - LEVY_SOBOL_DIMENSIONS : 0);
        const uint32_t *const padded = LEVY_IMAGE_AT(uint32_t, h, padded);
        for (uint32_t draw = 0; sobol && draw < h->n_draws; ++draw)
            assert_int_equal(padded[draw / 32] >> draw % 32 & 1,
                             p.plan->dimensions[draw] >= LEVY_SOBOL_DIMENSIONS);
        const uint64_t key = sobol ? LEVY_IMAGE_AT(uint64_t, h, padding)[0] : 0;
        if (sobol)
            assert_true(key == levy_points_key(42, 0, LEVY_PURPOSE_PADDING) &&
                        key != LEVY_IMAGE_AT(uint64_t, h, keys)[0]);
        unplan(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order_has_the_covariance_of_brownian_motion),
        cmocka_unit_test(test_every_order_of_six_dates_builds_each_between_its_neighbours),
        cmocka_unit_test(test_bisection_as_an_order_is_the_bridge),
        cmocka_unit_test(test_depth_of_an_order_is_one_in_time_and_all_against_it),
        cmocka_unit_test(test_components_are_orthogonal_and_make_brownian_motion),
        cmocka_unit_test(test_components_take_steps_of_any_size),
        cmocka_unit_test(test_components_of_equal_steps_are_their_closed_form),
        cmocka_unit_test(test_the_largest_components_are_those_of_all),
        cmocka_unit_test(test_components_of_stretches_that_are_alike),
        cmocka_unit_test(test_components_ask_whether_to_stop),
        cmocka_unit_test(test_dimensions_follow_the_order_given),
        cmocka_unit_test(test_links_join_the_nearest_nodes_built),
        cmocka_unit_test(test_dates_built_first_come_before_the_last_and_the_midpoints),
        cmocka_unit_test(test_components_take_dimensions_by_variance_across_factors),
        cmocka_unit_test(test_shares_are_what_unit_draws_move),
        cmocka_unit_test(test_shares_of_the_average_are_those_of_a_geometric_asian),
        cmocka_unit_test(test_components_are_refused_where_they_would_take_minutes),
        cmocka_unit_test(test_draws_past_the_table_are_the_least_important_and_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
