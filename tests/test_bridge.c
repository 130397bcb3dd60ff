/* test_bridge.c: the stand-alone bridge of levy.h on the CPU: every order against the recursion
 * that defines it, in long double; the smallest stack against a search of all build orders; bits
 * over instruction sets, threads, splits and places; moments; and what is refused, with its words.
 */
#include "tests/cmocka_all.h"

#include "tests/context_fixture.h"
#include "kernels/bridge/bridge_program.h"
#include "tests/heap.h"
#include "tests/kept_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Numbers ---- */

static uint64_t random_state = 88172645463325252u;

static uint32_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static double random_unit(void) { return ((double)random_word() + 0.5) / 4294967296.0; }

static double random_normal(void)
{
    return sqrt(-2.0 * log(random_unit())) * cos(6.283185307179586 * random_unit());
}

static void shuffle(uint32_t *order, uint32_t n)
{
    for (uint32_t i = n; i-- > 1;) {
        const uint32_t j = random_word() % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* ---- One bridge and what it should give ---- */

typedef struct bridge_case {
    uint32_t n, d;
    int output, precision;
    const double *times, *factor, *start;
    const uint32_t *order; /* NULL: bisection */
    size_t paths, stride;
    const char *isa;
    uint32_t threads;
} bridge_case;

static levy_bridge *make(const bridge_case *c)
{
    levy_bridge *bridge = NULL;
    const levy_bridge_spec spec = {.struct_size = sizeof spec,
                                   .times = c->times,
                                   .order = c->order,
                                   .factor = c->factor,
                                   .start = c->start,
                                   .n_steps = c->n,
                                   .n_dimensions = c->d,
                                   .output = c->output,
                                   .precision = c->precision,
                                   .isa = c->isa,
                                   .threads = c->threads ? c->threads : 1};
    const int status = levy_bridge_create(context, &spec, &bridge);
    if (status != LEVY_STATUS_OK) print_error("%s\n", levy_diagnostic_get(context, 0)->text);
    assert_int_equal(status, LEVY_STATUS_OK);
    return bridge;
}

static size_t numbers(const bridge_case *c) { return (size_t)c->n * c->d * c->stride; }

/* The recursion, path `p`: x[(i * d) + e] of point i, 0 the start. */
static void define(const bridge_case *c, const double *normals, size_t p, long double *x)
{
    uint32_t *const order = malloc(c->n * sizeof *order);
    char *const built = calloc((size_t)c->n + 2, 1);
    if (c->order)
        memcpy(order, c->order, c->n * sizeof *order);
    else
        assert_int_equal(levy_bridge_order_bisection(c->n, order), LEVY_STATUS_OK);
    for (uint32_t e = 0; e < c->d; ++e) x[e] = c->start ? c->start[e] : 0.0;
    uint32_t last = 0; /* of the built points: nothing is to be looked for behind it */
    built[0] = 1;
    for (uint32_t i = 0; i < c->n; ++i) {
        const uint32_t m = order[i];
        uint32_t l = m < last ? m : last + 1;
        uint32_t r = m < last ? m : c->n;
        while (!built[--l]) {}
        while (++r <= c->n && !built[r]) {}
        if (m > last) last = m;
        const long double tl = c->times[l], tm = c->times[m], tr = r <= c->n ? c->times[r] : 0.0L;
        for (uint32_t e = 0; e < c->d; ++e) {
            long double w = 0.0L;
            for (uint32_t f = 0; f < c->d; ++f)
                w += (c->factor ? (long double)c->factor[e * c->d + f] : (long double)(e == f)) *
                     normals[((size_t)i * c->d + f) * c->stride + p];
            x[m * c->d + e] =
                r <= c->n
                    ? (x[l * c->d + e] * (tr - tm) + x[r * c->d + e] * (tm - tl)) / (tr - tl) +
                          w * sqrtl((tr - tm) * (tm - tl) / (tr - tl))
                    : x[l * c->d + e] + w * sqrtl(tm - tl);
        }
        built[m] = 1;
    }
    free(order);
    free(built);
}

static double number(const bridge_case *c, const void *array, size_t i)
{
    return c->precision == LEVY_BRIDGE_SINGLE ? (double)((const float *)array)[i]
                                              : ((const double *)array)[i];
}

/* Generates and compares a few paths; everything outside the paths must be left alone. */
static void check(const bridge_case *c, double tolerance)
{
    const size_t n = numbers(c), size = c->precision == LEVY_BRIDGE_SINGLE ? 4 : 8;
    double *const normals = malloc(n * sizeof *normals);
    float *const single = malloc(n * sizeof *single);
    char *const output = malloc(n * size);
    long double *const x = malloc(((size_t)c->n + 1) * c->d * sizeof *x);
    for (size_t i = 0; i < n; ++i) single[i] = (float)(normals[i] = (double)(float)random_normal());
    memset(output, 0xff, n * size);
    levy_bridge *const bridge = make(c);
    assert_int_equal(levy_bridge_generate(bridge, size == 4 ? (const void *)single : normals,
                                          output, c->paths, c->stride, NULL),
                     LEVY_STATUS_OK);
    levy_bridge_destroy(bridge);
    for (size_t p = 0; p<c->paths; p += c->paths> 6 ? c->paths / 5 : 1) {
        define(c, normals, p, x);
        long double scale = 1.0L;
        for (size_t i = 0; i < ((size_t)c->n + 1) * c->d; ++i)
            if (fabsl(x[i]) > scale) scale = fabsl(x[i]);
        for (uint32_t i = 1; i <= c->n; ++i)
            for (uint32_t e = 0; e < c->d; ++e) {
                const long double step = c->output == LEVY_BRIDGE_INCREMENTS
                                             ? (long double)c->times[i] - c->times[i - 1]
                                             : 0.0L;
                const long double want = step > 0.0L
                                             ? (x[i * c->d + e] - x[(i - 1) * c->d + e]) / step
                                             : x[i * c->d + e];
                const long double off = fabsl(
                    (long double)number(c, output, ((size_t)(i - 1) * c->d + e) * c->stride + p) -
                    want);
                if (!(off <= tolerance * scale / (step > 0.0L ? step : 1.0L)))
                    print_error("n %u d %u point %u dimension %u path %zu: off by %Lg\n", c->n,
                                c->d, i, e, p, off);
                assert_true(off <= tolerance * scale / (step > 0.0L ? step : 1.0L));
            }
    }
    for (size_t row = 0; row < (size_t)c->n * c->d; ++row)
        for (size_t p = c->paths; p < c->stride; ++p)
            for (size_t b = 0; b < size; ++b)
                assert_int_equal((unsigned char)output[(row * c->stride + p) * size + b], 0xff);
    free(normals);
    free(single);
    free(output);
    free(x);
}

static void irregular(double *times, uint32_t n)
{
    times[0] = -0.75;
    for (uint32_t i = 1; i <= n; ++i)
        times[i] = times[i - 1] + 0.01 + random_unit() * random_unit() * 3.0;
}

/* ---- Right for every order ---- */

static bool next_order(uint32_t *order, uint32_t n)
{
    uint32_t i = n - 1;
    while (i > 0 && order[i - 1] > order[i]) --i;
    if (i == 0) return false;
    uint32_t j = n - 1;
    while (order[j] < order[i - 1]) --j;
    uint32_t kept = order[j];
    order[j] = order[i - 1];
    order[i - 1] = kept;
    for (uint32_t a = i, b = n - 1; a < b; ++a, --b) {
        kept = order[a];
        order[a] = order[b];
        order[b] = kept;
    }
    return true;
}

static void test_every_order_of_up_to_five_points_is_the_recursion(void **state)
{
    (void)state;
    double times[6];
    uint32_t order[5];
    for (uint32_t n = 1; n <= 5; ++n) {
        for (uint32_t i = 0; i < n; ++i) order[i] = i + 1;
        do {
            irregular(times, n);
            for (int output = 0; output < 2; ++output)
                check(&(bridge_case){.n = n,
                                     .d = 1,
                                     .output = output,
                                     .times = times,
                                     .order = order,
                                     .paths = 5,
                                     .stride = 5},
                      1e-14);
        } while (next_order(order, n));
    }
}

static void test_orders_dimensions_precisions_and_places(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, d;
        size_t paths, stride;
    } sizes[] = {{1, 1, 1, 1},      {1, 5, 3, 4},     {2, 2, 17, 17}, {64, 1, 1031, 1040},
                 {33, 3, 129, 130}, {252, 1, 64, 64}, {40, 8, 9, 11}, {12, 9, 40, 41},
                 {7, 64, 5, 8},     {1260, 2, 3, 3}};
    static double times[1261], factor[64 * 64], start[64];
    static uint32_t order[1260];
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        for (int kind = 0; kind < 4; ++kind) {
            const uint32_t n = sizes[k].n, d = sizes[k].d;
            irregular(times, n);
            for (uint32_t i = 0; i < n; ++i) order[i] = kind == 2 ? n - i : i + 1;
            if (kind == 3) shuffle(order, n);
            /* once lower triangular */
            for (uint32_t i = 0; i < d * d; ++i)
                factor[i] = kind == 1 && i % d > i / d ? 0.0 : random_unit() - 0.4;
            for (uint32_t i = 0; i < d; ++i) start[i] = random_normal();
            bridge_case c = {.n = n,
                             .d = d,
                             .times = times,
                             .factor = factor,
                             .start = start,
                             .order = kind ? order : NULL,
                             .paths = sizes[k].paths,
                             .stride = sizes[k].stride,
                             .output = (int)(k + (size_t)kind) % 2};
            check(&c, 1e-12);
            c.precision = LEVY_BRIDGE_SINGLE;
            check(&c, 2e-4);
            c.output = !c.output;
            c.factor = c.start = NULL;
            check(&c, 2e-4);
        }
}

static void test_a_hundred_thousand_steps(void **state)
{
    (void)state;
    enum { N = 100000 };
    double *const times = malloc((N + 1) * sizeof *times);
    uint32_t *const order = malloc(N * sizeof *order);
    irregular(times, N);
    check(&(bridge_case){.n = N, .d = 1, .times = times, .paths = 2, .stride = 2}, 1e-11);
    levy_bridge_order_forward(N, order);
    check(&(bridge_case){.n = N, .d = 1, .times = times, .order = order, .paths = 2, .stride = 2},
          1e-11);
    shuffle(order, N);
    levy_bridge *const bridge =
        make(&(bridge_case){.n = N, .d = 1, .times = times, .order = order});
    assert_in_range(levy_bridge_info(bridge)->slots, 1, 18);
    levy_bridge_destroy(bridge);
    free(times);
    free(order);
}

/* ---- The smallest stack ---- */

static bool gap_beside(uint32_t built, uint32_t n, uint32_t p)
{
    const bool before = p > 1 && !(built >> (p - 2) & 1u), after = p < n && !(built >> p & 1u);
    return before || after;
}

/* The fewest points kept at a time over all build orders that visit parents first, by the subsets
 * that may be built. */
static uint32_t fewest(uint32_t n, const uint32_t *rank)
{
    static uint8_t most[1 << 7];
    memset(most, 0xff, sizeof most);
    most[0] = 0;
    for (uint32_t built = 0; built + 1 < 1u << n; ++built)
        for (uint32_t v = 1; most[built] != 0xff && v <= n; ++v) {
            bool ready = !(built >> (v - 1) & 1u);
            for (uint32_t u = v; ready && u-- > 1 && !(built >> (u - 1) & 1u);)
                ready = rank[u] > rank[v];
            for (uint32_t u = v + 1; ready && u <= n && !(built >> (u - 1) & 1u); ++u)
                ready = rank[u] > rank[v];
            if (!ready) continue;
            const uint32_t then = built | 1u << (v - 1);
            uint32_t kept = (n > 0 && !(then & 1u)) ? 1 : 0; /* the start, beside the first point */
            for (uint32_t p = 1; p <= n; ++p)
                kept += (then >> (p - 1) & 1u) && gap_beside(then, n, p);
            if (kept < most[built]) kept = most[built];
            if (kept < most[then]) most[then] = (uint8_t)kept;
        }
    /* the first point is built from the start, which is kept */
    return most[(1u << n) - 1] > 0 ? most[(1u << n) - 1] : 1;
}

static void test_no_walk_keeps_fewer_points(void **state)
{
    (void)state;
    double times[8];
    uint32_t order[7], rank[8];
    char why[LEVY_BRIDGE_WHY];
    for (uint32_t n = 1; n <= 7; ++n) {
        for (uint32_t i = 0; i < n; ++i) order[i] = i + 1;
        for (uint32_t i = 0; i <= n; ++i) times[i] = i;
        do {
            levy_bridge_program slots, registers;
            for (uint32_t i = 0; i < n; ++i) rank[order[i]] = i;
            assert_int_equal(levy_bridge_program_create(&levy_memory_default, n, times, order,
                                                        false, sqrt, &slots, why),
                             LEVY_OK);
            assert_int_equal(levy_bridge_program_create(&levy_memory_default, n, times, order, true,
                                                        sqrt, &registers, why),
                             LEVY_OK);
            assert_int_equal(slots.slots, fewest(n, rank));
            assert_true(registers.slots < slots.slots);
            levy_bridge_program_release(&slots);
            levy_bridge_program_release(&registers);
        } while (next_order(order, n));
    }
}

static void test_the_program_says_what_it_does(void **state)
{
    (void)state;
    /* the paper's order (3): twelve dates and the end */
    static const uint32_t order[13] = {13, 6, 3, 9, 1, 4, 7, 11, 2, 5, 8, 10, 12};
    double times[14];
    bool seen[13] = {false};
    for (int i = 0; i < 14; ++i) times[i] = i;
    levy_bridge *const bridge =
        make(&(bridge_case){.n = 13, .d = 2, .times = times, .order = order});
    const levy_bridge_facts *const f = levy_bridge_info(bridge);
    assert_int_equal(f->n_steps, 13);
    assert_int_equal(f->n_dimensions, 2);
    assert_int_equal(f->instruction_bytes, 8);
    assert_in_range(f->slots, 3, 5);
    for (uint32_t i = 0; i < 13; ++i) {
        assert_int_equal(f->points[i], order[f->normals[i]]); /* a point keeps its normals */
        assert_false(seen[f->normals[i]]);
        seen[f->normals[i]] = true;
    }
    assert_int_equal(f->points[0], 13);
    assert_true(f->weights[0] == 1.0 && f->weights[1] == 0.0 && f->weights[2] == sqrt(13.0));
    assert_string_equal(f->backend, "cpu");
    assert_null(levy_bridge_info(NULL));
    levy_bridge_destroy(bridge);
}

static void test_the_dump_is_words(void **state)
{
    (void)state;
    kept_text text = {.fail_at = 0};
    kept_text torn = {.fail_at = 1};
    const double times[] = {0.0, 1.0, 2.0};
    levy_bridge *const bridge = make(&(bridge_case){.n = 2, .d = 1, .times = times});
    assert_int_equal(levy_bridge_dump(bridge, text_write, &text), LEVY_STATUS_OK);
    assert_string_equal(text.bytes,
                        "0: point 2 from normal 0: left slot 0 * 1, right none * 0, z * "
                        "1.4142135623730951 -> slot 1\n"
                        "1: point 1 from normal 1: left slot 0 * 0.5, right slot 1 * 0.5, z "
                        "* 0.7071067811865476, increment before, increment after\n");
    assert_int_equal(levy_bridge_dump(bridge, text_write, &torn), LEVY_STATUS_IO);
    assert_int_equal(levy_bridge_dump(NULL, text_write, &text), LEVY_STATUS_ARGUMENT);
    levy_bridge_destroy(bridge);
}

/* ---- Orders ---- */

static void test_orders_to_start_from(void **state)
{
    (void)state;
    uint32_t order[8];
    const uint32_t first[] = {5, 2}, twice[] = {5, 5}, zero[] = {0}, far[] = {9};
    assert_int_equal(levy_bridge_order_bisection(8, order), LEVY_STATUS_OK);
    assert_memory_equal(order, ((const uint32_t[]){8, 4, 2, 6, 1, 3, 5, 7}), sizeof order);
    assert_int_equal(levy_bridge_order_forward(8, order), LEVY_STATUS_OK);
    assert_memory_equal(order, ((const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8}), sizeof order);
    assert_int_equal(levy_bridge_order_first(8, first, 2, order), LEVY_STATUS_OK);
    assert_memory_equal(order, ((const uint32_t[]){5, 2, 8, 1, 3, 6, 4, 7}), sizeof order);
    assert_int_equal(levy_bridge_order_first(8, twice, 2, order), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_order_first(8, zero, 1, order), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_order_first(8, far, 1, order), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_order_first(8, NULL, 1, order), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_order_first(0, NULL, 0, order), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_order_bisection(1, order), LEVY_STATUS_OK);
    assert_int_equal(order[0], 1);
}

/* ---- The same bits ---- */

static void *aligned(size_t bytes)
{
    void *const memory = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    assert_non_null(memory);
    return memory;
}

/* Output large enough to go past the caches, at places that are aligned and that are not, on all
 * builds and counts of threads. */
static void test_bits_depend_on_nothing_but_the_numbers(void **state)
{
    (void)state;
    enum { N = 24, D = 2, PATHS = 12011, STRIDE = 12016 };
    static const char *const isas[] = {"baseline", "avx2", "avx512", "neon"};
    double times[N + 1];
    const double factor[] = {0.3, -0.1, 0.25, 0.7};
    uint32_t order[N];
    const size_t bytes = (size_t)N * D * STRIDE * sizeof(double);
    for (uint32_t i = 0; i < N; ++i) order[i] = i + 1;
    shuffle(order, N);
    irregular(times, N);
    double *const normals = aligned(bytes), *const want = aligned(bytes),
                  *const got = aligned(bytes + 64);
    for (size_t i = 0; i < bytes / sizeof(double); ++i) normals[i] = random_normal();
    for (int output = 0; output < 2; ++output) {
        bridge_case c = {.n = N,
                         .d = D,
                         .times = times,
                         .factor = factor,
                         .order = order,
                         .output = output,
                         .threads = 1};
        memset(want, 0, bytes);
        levy_bridge *bridge = make(&c);
        assert_int_equal(levy_bridge_generate(bridge, normals, want, PATHS, STRIDE, NULL),
                         LEVY_STATUS_OK);
        levy_bridge_destroy(bridge);
        for (size_t k = 0; k < 4; ++k)
            for (uint32_t threads = 1; threads <= 5; threads += 2) {
                c.isa = isas[k];
                c.threads = threads;
                levy_bridge *other = NULL;
                const levy_bridge_spec spec = {.struct_size = sizeof spec,
                                               .times = times,
                                               .order = order,
                                               .factor = factor,
                                               .n_steps = N,
                                               .n_dimensions = D,
                                               .output = output,
                                               .isa = isas[k],
                                               .threads = threads};
                /* not of this build, or this processor */
                if (levy_bridge_create(context, &spec, &other) != LEVY_STATUS_OK) continue;
                double *const place = got + (threads == 3); /* once askew */
                memset(place, 0, bytes);
                assert_int_equal(levy_bridge_generate(other, normals, place, PATHS, STRIDE, NULL),
                                 LEVY_STATUS_OK);
                assert_memory_equal(place, want, bytes);
                memset(place, 0, bytes);
                for (size_t p = 0; p < PATHS; p += 5000)
                    assert_int_equal(levy_bridge_generate(other, normals + p, place + p,
                                                          PATHS - p < 5000 ? PATHS - p : 5000,
                                                          STRIDE, NULL),
                                     LEVY_STATUS_OK);
                assert_memory_equal(place, want, bytes);
                levy_bridge_destroy(other);
            }
    }
    free(normals);
    free(want);
    free(got);
}

/* One normal of 1 among zeros leaves its weight at its point: the bits of sqrt((r - m) / (r - l) (m
 * - l)), the quotient first, which near 1e-170 the product of the spans would lose. */
static void test_deviations_have_the_bits_of_their_formula(void **state)
{
    enum { N = 64 };
    static const double units[] = {1.0, 1e-170, 1e150};
    double times[N + 1], normals[N * N], x[N * N];
    uint32_t order[N];
    char built[N + 1];
    (void)state;
    for (size_t unit = 0; unit < sizeof units / sizeof *units; ++unit)
        for (int shuffled = 0; shuffled < 2; ++shuffled) {
            times[0] = 0.0;
            for (uint32_t i = 1; i <= N; ++i)
                times[i] = times[i - 1] + units[unit] * (0.01 + random_unit());
            assert_int_equal(levy_bridge_order_bisection(N, order), LEVY_STATUS_OK);
            if (shuffled) shuffle(order, N);
            for (uint32_t i = 0; i < N * N; ++i) normals[i] = i / N == i % N ? 1.0 : 0.0;
            levy_bridge *const bridge = make(&(bridge_case){
                .n = N, .d = 1, .output = LEVY_BRIDGE_PATHS, .times = times, .order = order});
            assert_int_equal(levy_bridge_generate(bridge, normals, x, N, N, NULL), LEVY_STATUS_OK);
            levy_bridge_destroy(bridge);
            memset(built, 0, sizeof built);
            built[0] = 1;
            for (uint32_t i = 0; i < N; ++i) {
                const uint32_t m = order[i];
                uint32_t l = m, r = m;
                while (!built[l]) --l;
                while (r <= N && !built[r]) ++r;
                const double from = times[l], at = times[m], to = times[r <= N ? r : m];
                const double want =
                    sqrt(r <= N ? (to - at) / (to - from) * (at - from) : at - from);
                assert_true(x[(m - 1) * N + i] == want && want > 0.0);
                built[m] = 1;
            }
        }
}

/* ---- Moments ---- */

static void test_the_covariance_is_that_of_brownian_motion(void **state)
{
    (void)state;
    enum { N = 6, D = 3, PATHS = LEVY_SANITIZED ? 1 << 14 : 1 << 18 };
    static const double times[N + 1] = {0.5, 0.6, 1.0, 1.1, 2.0, 3.5, 3.6};
    /* of rank 2 */
    static const double factor[D * D] = {1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 2.0, 0.0, 0.0};
    static const uint32_t order[N] = {3, 5, 1, 6, 2, 4};
    const size_t n = (size_t)N * D * PATHS;
    double *const normals = malloc(n * sizeof *normals), *const x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; ++i) normals[i] = random_normal();
    levy_bridge *const bridge =
        make(&(bridge_case){.n = N, .d = D, .times = times, .factor = factor, .order = order});
    assert_int_equal(levy_bridge_generate(bridge, normals, x, PATHS, 0, NULL), LEVY_STATUS_OK);
    levy_bridge_destroy(bridge);
    for (size_t a = 0; a < N * D; ++a)
        for (size_t b = 0; b <= a; ++b) {
            double sum = 0.0, want = 0.0, va = 0.0, vb = 0.0;
            for (size_t p = 0; p < PATHS; ++p) sum += x[a * PATHS + p] * x[b * PATHS + p];
            for (size_t e = 0; e < D; ++e) {
                want += factor[a % D * D + e] * factor[b % D * D + e];
                va += factor[a % D * D + e] * factor[a % D * D + e];
                vb += factor[b % D * D + e] * factor[b % D * D + e];
            }
            const double ta = times[a / D + 1] - times[0], tb = times[b / D + 1] - times[0];
            want *= ta < tb ? ta : tb;
            const double deviation = sqrt((va * ta * vb * tb + want * want) / PATHS);
            assert_true(fabs(sum / PATHS - want) < 5.0 * deviation);
        }
    free(normals);
    free(x);
}

/* ---- Refusals ---- */

static void refused(const levy_bridge_spec *given, const char *words)
{
    levy_bridge *bridge = NULL;
    levy_bridge_spec spec = *given;
    spec.struct_size = sizeof spec;
    assert_int_equal(levy_bridge_create(context, &spec, &bridge), LEVY_STATUS_ARGUMENT);
    assert_null(bridge);
    assert_int_equal(levy_diagnostic_count(context), 1);
    if (!strstr(levy_diagnostic_get(context, 0)->text, words))
        print_error("'%s' lacks '%s'\n", levy_diagnostic_get(context, 0)->text, words);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text, words));
}

static void test_what_makes_no_sense_is_refused_in_words(void **state)
{
    (void)state;
    const double good[] = {0.0, 1.0, 2.0, 3.0}, same[] = {0.0, 1.0, 1.0, 3.0},
                 back[] = {0.0, 2.0, 1.0, 3.0}, nan_[] = {0.0, 1.0, NAN, 3.0},
                 far[] = {-1e308, 0.0, 1.0, 1.5e308}, close_[] = {0.0, 1e-320, 2e-320, 1.0},
                 tiny[] = {0.0, 1e-90, 2e-90, 3e-90}, none[] = {NAN}, huge[] = {1e39};
    const uint32_t zero[] = {0, 1, 2}, past[] = {1, 2, 4}, twice[] = {3, 1, 3};
    refused(&(levy_bridge_spec){.n_steps = 3}, "times: is required");
    refused(&(levy_bridge_spec){.times = good}, "n_steps: is 0; a bridge has 1 to 1048576 steps");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 1048577}, "is 1048577");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .n_dimensions = 65},
            "n_dimensions: is 65; a bridge has 1 to 64 dimensions");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .output = 2}, "output: is neither");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .precision = -1},
            "precision: is neither");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .device = "abacus"},
            "'abacus' is not a device");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .isa = "mmx"},
            "'mmx' is no instruction set");
    refused(&(levy_bridge_spec){.times = same, .n_steps = 3},
            "times must ascend, and times[2] is equal to times[1]");
    refused(&(levy_bridge_spec){.times = back, .n_steps = 3},
            "times must ascend, and times[2] is before times[1]");
    refused(&(levy_bridge_spec){.times = nan_, .n_steps = 3}, "times[2] is not a finite number");
    refused(&(levy_bridge_spec){.times = far, .n_steps = 3}, "span more than a double can hold");
    refused(&(levy_bridge_spec){.times = close_, .n_steps = 3, .output = LEVY_BRIDGE_INCREMENTS},
            "times[0] and times[1] are too close for increments in double precision");
    refused(&(levy_bridge_spec){.times = tiny, .n_steps = 3, .precision = LEVY_BRIDGE_SINGLE},
            "is not a normal number in single precision: scale the times");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .order = zero},
            "order[0] is 0, and points are numbered from 1 to 3");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .order = past},
            "order[2] is 4, and points are numbered from 1 to 3");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .order = twice},
            "order[2] is point 3 again, which order[0] is");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .factor = none},
            "factor[0][0] is not a finite number in double precision");
    refused(&(levy_bridge_spec){.times = good, .n_steps = 3, .start = none},
            "start[0] is not a finite number in double precision");
    refused(
        &(levy_bridge_spec){
            .times = good, .n_steps = 3, .factor = huge, .precision = LEVY_BRIDGE_SINGLE},
        "factor[0][0] is not a finite number in single precision");
    levy_bridge *bridge;
    const levy_bridge_spec bad = {.struct_size = 3, .times = good, .n_steps = 3};
    assert_int_equal(levy_bridge_create(context, &bad, &bridge), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_create(context, NULL, &bridge), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_create(NULL, &bad, &bridge), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_create(context, &bad, NULL), LEVY_STATUS_ARGUMENT);
}

static void test_a_gpu_that_is_not_there_is_refused_in_words(void **state)
{
    (void)state;
    const double times[] = {0.0, 1.0};
    levy_context *own;
    levy_bridge *bridge = NULL;
    const levy_context_options options = {.struct_size = sizeof options, .module_dir = "/nowhere"};
    levy_bridge_spec spec = {
        .struct_size = sizeof spec, .times = times, .n_steps = 1, .device = "cuda"};
    assert_int_equal(levy_context_create(&options, &own), LEVY_STATUS_OK);
    assert_int_equal(levy_bridge_create(own, &spec, &bridge), LEVY_STATUS_DEVICE);
    assert_non_null(
        strstr(levy_diagnostic_get(own, 0)->text,
               "device: no CUDA module: there is no readable liblevy-cuda.so in /nowhere"));
    spec.device = "auto";
    assert_int_equal(levy_bridge_create(own, &spec, &bridge), LEVY_STATUS_OK);
    assert_string_equal(levy_bridge_info(bridge)->backend, "cpu");
    assert_non_null(strstr(levy_bridge_info(bridge)->device_reason, "auto: no CUDA module"));
    levy_bridge_destroy(bridge);
    levy_context_destroy(own);
}

static void test_what_generate_refuses(void **state)
{
    (void)state;
    const double times[] = {0.0, 1.0, 2.0};
    double z[8] = {0}, x[8];
    levy_bridge *const b = make(&(bridge_case){.n = 2, .d = 1, .times = times});
    assert_int_equal(levy_bridge_generate(NULL, z, x, 4, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, NULL, x, 4, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, z, NULL, 4, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, z, z, 4, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, z, z + 4, 4, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, z, x, 4, 3, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, z, x, SIZE_MAX / 2, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, z, (char *)x + 1, 2, 0, NULL), LEVY_STATUS_ARGUMENT);
    assert_int_equal(levy_bridge_generate(b, NULL, NULL, 0, 0, NULL), LEVY_STATUS_OK);
    levy_bridge_destroy(b);
    levy_bridge_destroy(NULL);
}

/* ---- Memory ---- */

static void test_any_allocation_may_fail(void **state)
{
    (void)state;
    const double times[] = {0.0, 1.0, 2.0, 4.0};
    int status = LEVY_STATUS_MEMORY;
    for (long at = 1; status != LEVY_STATUS_OK; ++at) {
        test_heap c = {0};
        levy_context *own;
        levy_bridge *bridge = NULL;
        const levy_context_options options = heap_options(&c);
        const levy_bridge_spec spec = {
            .struct_size = sizeof spec, .times = times, .n_steps = 3, .threads = 2};
        assert_int_equal(levy_context_create(&options, &own), LEVY_STATUS_OK);
        heap_fail(&c, at);
        status = levy_bridge_create(own, &spec, &bridge);
        assert_true(status == LEVY_STATUS_MEMORY || status == LEVY_STATUS_OK);
        assert_true((bridge != NULL) == (status == LEVY_STATUS_OK));
        assert_true(at < 100);
        c.fail_at = 0;
        levy_context_destroy(own); /* a bridge outlives it */
        levy_bridge_destroy(bridge);
        assert_int_equal(c.live, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order_of_up_to_five_points_is_the_recursion),
        cmocka_unit_test(test_orders_dimensions_precisions_and_places),
        cmocka_unit_test(test_a_hundred_thousand_steps),
        cmocka_unit_test(test_no_walk_keeps_fewer_points),
        cmocka_unit_test(test_the_program_says_what_it_does),
        cmocka_unit_test(test_the_dump_is_words),
        cmocka_unit_test(test_orders_to_start_from),
        cmocka_unit_test(test_bits_depend_on_nothing_but_the_numbers),
        cmocka_unit_test(test_deviations_have_the_bits_of_their_formula),
        cmocka_unit_test(test_the_covariance_is_that_of_brownian_motion),
        cmocka_unit_test(test_what_makes_no_sense_is_refused_in_words),
        cmocka_unit_test(test_a_gpu_that_is_not_there_is_refused_in_words),
        cmocka_unit_test(test_what_generate_refuses),
        cmocka_unit_test(test_any_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
