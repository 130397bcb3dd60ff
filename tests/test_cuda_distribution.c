/* test_cuda_distribution.c: distributions' CUDA side without a GPU: distribution.cu's own code,
 * compiled as C++ and run on the host, against the CPU's deviates, with parameters as numbers and
 * as arrays; elements outside their range; NVRTC's word on spills; launches and failures over a
 * fake driver. The first two skip without a C++ compiler, the third without NVRTC. */
#include "tests/cuda_fixture.h"
#include "tests/emulated.h"

#include "engine/run/backend_list.h"
#include "kernels/cuda/device/distribution_launch.h"
#include "kernels/cuda/device/standalone.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Cases ----------------------------------------------------------------------------------- */

typedef struct distribution_case {
    levy_draw_law law;
    unsigned each; /* 1: the first parameter is an array, 2: the second, 3: both */
    double a, b;   /* else these */
} distribution_case;

/* Of every shape of kernels at least one; parameters at the ends of their ranges and on both sides
 * of where another method begins. Single precision takes every other case, which has all laws and
 * nearly all shapes. */
static const distribution_case cases[] = {
    {LEVY_DRAW_EXPONENTIAL, 0, 2.5, 0},
    {LEVY_DRAW_EXPONENTIAL, 0, 1e300, 0},
    {LEVY_DRAW_EXPONENTIAL, 1, NAN, NAN},
    {LEVY_DRAW_NORMAL, 0, -1, 3},
    {LEVY_DRAW_NORMAL, 0, 5, 0},
    {LEVY_DRAW_NORMAL, 1, NAN, 0.5},
    {LEVY_DRAW_NORMAL, 3, NAN, NAN},
    {LEVY_DRAW_GAMMA, 0, 1e-6, 1},
    {LEVY_DRAW_GAMMA, 0, 0.05, 1},
    {LEVY_DRAW_GAMMA, 0, 1, 2},
    {LEVY_DRAW_GAMMA, 0, 31.9, 1},
    {LEVY_DRAW_GAMMA, 0, 1e12, 1},
    {LEVY_DRAW_GAMMA, 1, NAN, 3},
    {LEVY_DRAW_GAMMA, 2, 1.5, NAN},
    {LEVY_DRAW_GAMMA, 3, NAN, NAN},
    {LEVY_DRAW_POISSON, 0, 0, 0},
    {LEVY_DRAW_POISSON, 0, 6, 0},
    {LEVY_DRAW_POISSON, 0, 64, 0},
    {LEVY_DRAW_POISSON, 0, 64.000001, 0},
    {LEVY_DRAW_POISSON, 0, 100.5, 0},
    {LEVY_DRAW_POISSON, 1, NAN, NAN},
    {LEVY_DRAW_POISSON, 0, 1e9, 0},
    {LEVY_DRAW_NONCENTRAL, 0, 4, 10},
    {LEVY_DRAW_NONCENTRAL, 0, 1e-6, 1e-9},
    {LEVY_DRAW_NONCENTRAL, 0, 1, 0},
    {LEVY_DRAW_NONCENTRAL, 0, 0.8, 160},
    {LEVY_DRAW_NONCENTRAL, 0, 1e9, 1e6},
    {LEVY_DRAW_NONCENTRAL, 2, 0.5, NAN},
    {LEVY_DRAW_NONCENTRAL, 3, NAN, NAN},
    {LEVY_DRAW_GAMMA_TABLE, 0, 0.01, 3},
    {LEVY_DRAW_GAMMA_TABLE, 0, 5, 1e-3},
    {LEVY_DRAW_BETA, 0, 0.1, 1e4},
    {LEVY_DRAW_BETA, 0, 2, 7},
    {LEVY_DRAW_INVERSE_GAUSSIAN, 0, 2.5, 0.01},
    {LEVY_DRAW_INVERSE_GAUSSIAN, 0, 1, 30},
};
enum { CASES = sizeof cases / sizeof *cases, EACH = 8, MOST = 4600 };

/* Elements of arrays of parameters. */
static const double elements[][2][EACH] = {
    {{1, 1e-300, 3, 4e5, 5, 1e300, 7, 0.5}, {0}},
    {{0, 1, -1e300, 3, 4, 1e300, 6, -0.0}, {1, 0, 3, 1e300, 5, 6, 1e-300, 2}},
    {{1e-6, 0.9, 1, 1.0001, 31.99, 32.01, 5, 1e12}, {1, 1, 2, 1e-300, 3, 1, 1e300, 1}},
    {{0, 0.5, 6, 64, 64.001, 99.9, 100.1, 1e9}, {0}},
    {{1e-6, 1, 1.0001, 40, 3, 0.9, 1e9, 0.5}, {0, 1, 20, 3, 1e3, 1e6, 0.1, 160}},
};

/* A call: draws from `first` on, or quantiles; `offset`: numbers before the first one. */
typedef struct distribution_part {
    bool invert;
    uint64_t first;
    size_t count, offset;
} distribution_part;
static const distribution_part parts[] = {
    {false, 0, 300, 0},
    {false, 129, 4500, 1}, /* more than a tile */
    {false, 4294967296 - 30, 70, 2},
    {false, UINT64_MAX - 41, 41, 3},
    {false, 64, 1, 0},
    {true, 0, 300, 1},
    {true, 0, EACH, 1},
    {true, 0, 2, 1},
};
enum { PARTS = sizeof parts / sizeof *parts };

static bool is_done_in(int which, bool single) { return !single || which % 2 == 0; }

/* Quantiles of the non-central law may take milliseconds each, those of the largest parameters a
 * hundred; its draws have no tiles. Another case passes the end of a tile in one precision. */
static bool is_done(int call, bool single)
{
    const int which = call / PARTS;
    const distribution_part *const p = &parts[call % PARTS];
    const bool slow = cases[which].law == LEVY_DRAW_NONCENTRAL,
               is_long = p->count > LEVY_DISTRIBUTION_TILE;
    if (!is_done_in(which, single)) return false;
    if (!p->invert) return !is_long || (!slow && single == (which % 2 == 0));
    if (slow) return p->count == (cases[which].a == 1e9 ? 2 : EACH);
    return p->count == 300;
}

static levy_draw_table tables[2][CASES]; /* by precision; of laws that have one */

static int release_tables(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * CASES; ++i)
        levy_draw_table_release(&levy_memory_default, &tables[i / CASES][i % CASES]);
    return 0;
}

/* In single precision parameters have other bounds. */
static levy_distribution_law law_of(const distribution_case *c, bool single)
{
    levy_distribution_law l = {.law = c->law,
                               .single = single,
                               .each = {c->each & 1, c->each >> 1},
                               .parameters = {c->a, c->b}};
    for (int which = 0; which < 2; ++which) {
        const levy_draw_range range = levy_draw_range_of(c->law, single, which);
        if (l.parameters[which] > range.most) l.parameters[which] = range.most;
    }
    if (levy_draw_is_tabulated(c->law)) {
        levy_draw_table *const table = &tables[single][c - cases];
        if (!table->rows)
            assert_int_equal(
                levy_draw_table_create(&levy_memory_default, c->law, single, l.parameters, table),
                LEVY_OK);
        l.table = *table;
    }
    return l;
}

typedef struct distribution_inputs {
    uint32_t words[MOST];
    double numbers[2][MOST]; /* floats, in single */
} distribution_inputs;

static void make_inputs(const levy_distribution_law *l, distribution_inputs *in)
{
    for (size_t k = 0; k < MOST; ++k) {
        in->words[k] = k == 1 ? UINT32_MAX : (uint32_t)k * 2654435769u;
        for (int which = 0; which < 2; ++which) {
            const levy_draw_range range = levy_draw_range_of(l->law, l->single, which);
            double x = l->each[which]
                           ? elements[l->law][which][(k + k / LEVY_DISTRIBUTION_TILE) * 5 % EACH]
                           : 0.0;
            if (l->single) { /* what a float holds, and a GPU does not take for 0 */
                x = fmax(range.least, fmin(x, range.most));
                if (x > 0 && x < 0x1p-126) x = 0x1p-126;
                ((float *)in->numbers[which])[k] = (float)x;
            } else {
                in->numbers[which][k] = x;
            }
        }
    }
}

static size_t number_size(const levy_distribution_law *l)
{
    return l->law == LEVY_DRAW_POISSON || l->single ? 4 : 8;
}

/* The array, if the law has one for the parameter. */
static const void *array_of(const levy_distribution_law *l, int which, const void *array)
{
    return l->each[which] ? array : NULL;
}

static levy_distribution_call call_of(const levy_distribution_law *l, const distribution_part *p,
                                      const distribution_inputs *in, void *output)
{
    return (levy_distribution_call){
        .words = p->invert ? in->words : NULL,
        .seed = 0x9e3779b97f4a7c15u,
        .first = p->first,
        .substream = 7,
        .count = p->count,
        .parameters = {array_of(l, 0, in->numbers[0]), array_of(l, 1, in->numbers[1])},
        .output = (char *)output + p->offset * number_size(l)};
}

/* ---- The kernels' own code ------------------------------------------------------------------- */

/* Every case's shape in a namespace of its own. */
static void write_shapes(bool single)
{
    char text[256], before[256] = "";
    FILE *const f = emulated_open("shape.h", "w");
    int place[CASES], shapes = 0;
    fprintf(f, "%s#include \"kernels/samplers/discrete/one_draw.cuh\"\n",
            single ? "#define LANE_SINGLE\n" : "");
    for (int i = 0; i < CASES; ++i) {
        place[i] = shapes - 1; /* of a case that is not done: any */
        if (!is_done_in(i, single)) continue;
        const levy_distribution_law l = law_of(&cases[i], single);
        levy_distribution_shape_write(&l, text, sizeof text);
        if (strcmp(text, before) != 0)
            fprintf(f, "namespace shape_%d {\n%s#include \"tests/distribution_host.h\"\n}\n",
                    shapes++, text);
        place[i] = shapes - 1;
        memcpy(before, text, sizeof before);
    }
    fprintf(f, "static const host_shape host_shapes[] = {");
    for (int i = 0; i < CASES; ++i) fprintf(f, "shape_%d::host_run, ", place[i]);
    fprintf(f, "};\n");
    assert_int_equal(fclose(f), 0);
}

static void write_call(FILE *f, int which, const levy_distribution_law *l,
                       const distribution_part *p, const distribution_inputs *in)
{
    levy_distribution_arguments a;
    const size_t size = number_size(l), width = l->single ? 4 : 8;
    const levy_distribution_call call = call_of(l, p, in, (void *)4096);
    const uint64_t blocks = levy_distribution_launch_write(l, &call, 0, &a),
                   head[9] = {(uint64_t)which,
                              p->invert,
                              blocks,
                              (p->offset + p->count + 3) * size,
                              p->offset * size,
                              p->invert ? p->count * sizeof *in->words : 0,
                              l->each[0] ? p->count * width : 0,
                              l->each[1] ? p->count * width : 0,
                              l->table.bytes};
    emulated_put(f, head, sizeof head);
    emulated_put(f, &a, sizeof a);
    emulated_put(f, in->words, head[5]);
    emulated_put(f, in->numbers[0], head[6]);
    emulated_put(f, in->numbers[1], head[7]);
    emulated_put(f, l->table.rows, head[8]);
}

static void on_the_cpu(const levy_distribution_law *l, const levy_distribution_call *call)
{
    void *state, *made;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    assert_int_equal(levy_backend_cpu.open(&o, &state, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_create(state, LEVY_OBJECT_DISTRIBUTION, l, &made, why),
                     LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_run(made, call, why), LEVY_OK);
    levy_backend_cpu.object_destroy(made);
    levy_backend_cpu.close(state);
}

static void check_call(FILE *f, const levy_distribution_law *l, const distribution_part *p,
                       const distribution_inputs *in)
{
    static unsigned char want[8 * MOST], got[8 * MOST];
    const size_t size = number_size(l), bytes = (p->offset + p->count + 3) * size;
    const levy_distribution_call call = call_of(l, p, in, want);
    memset(want, 0xff, bytes);
    on_the_cpu(l, &call);
    assert_int_equal(fread(got, bytes, 1, f), 1);
    for (size_t k = 0; k < bytes; ++k)
        if (want[k] != got[k])
            fail_msg("law %d, arrays %d, (%g, %g), single %d, quantiles %d, from %llu: number %zu",
                     (int)l->law, l->each[0] + 2 * l->each[1], l->parameters[0], l->parameters[1],
                     l->single, p->invert, (unsigned long long)p->first, k / size - p->offset);
}

/* ---- Elements outside their range ------------------------------------------------------------ */

/* What a kernel makes of one element: a call of three deviates, of which the second has it. The
 * others, and the second where `good`, are those of the CPU. */
typedef struct distribution_element {
    levy_draw_law law;
    unsigned each;
    double x;
    bool good;
} distribution_element;
static const distribution_element odd[] = {
    {LEVY_DRAW_EXPONENTIAL, 1, 0.0, false},
    {LEVY_DRAW_EXPONENTIAL, 1, 0x1p-1074, true},
    {LEVY_DRAW_EXPONENTIAL, 1, 1.01e300, false},
    {LEVY_DRAW_NORMAL, 1, -INFINITY, false},
    {LEVY_DRAW_NORMAL, 1, NAN, false},
    {LEVY_DRAW_NORMAL, 3, -0.5, false},
    {LEVY_DRAW_NORMAL, 3, 0.0, true},
    {LEVY_DRAW_GAMMA, 1, NAN, false},
    {LEVY_DRAW_GAMMA, 1, -1.0, false},
    {LEVY_DRAW_GAMMA, 1, 0.9e-6, false},
    {LEVY_DRAW_GAMMA, 1, 1.1e12, false},
    {LEVY_DRAW_GAMMA, 3, INFINITY, false},
    {LEVY_DRAW_POISSON, 1, -1e-9, false},
    {LEVY_DRAW_POISSON, 1, NAN, false},
    {LEVY_DRAW_POISSON, 1, 1.01e9, false},
    {LEVY_DRAW_POISSON, 1, -0.0, true},
    {LEVY_DRAW_NONCENTRAL, 3, -1.0, false},
    {LEVY_DRAW_NONCENTRAL, 3, NAN, false},
};
enum { ODD = sizeof odd / sizeof *odd };

/* The element is the last parameter's that is an array; another array holds ones. */
static void make_odd(const distribution_element *e, bool replaced, distribution_inputs *in)
{
    for (int k = 0; k < 3; ++k) {
        in->words[k] = 0x40000000u * (uint32_t)(k + 1);
        in->numbers[0][k] = in->numbers[1][k] = 1.0;
    }
    if (!replaced || e->good) in->numbers[e->each >> 1][1] = e->x;
}

/* The shape of a case that has the same law and arrays. */
static int shape_of_odd(const distribution_element *e)
{
    for (int i = 0; i < CASES; ++i)
        if (cases[i].law == e->law && cases[i].each == e->each) return i;
    fail_msg("law %d has no case with arrays %u", (int)e->law, e->each);
    return -1;
}

static void check_odd(FILE *f, const distribution_element *e, const distribution_part *p)
{
    static distribution_inputs in;
    const levy_distribution_law l = law_of(&cases[shape_of_odd(e)], false);
    const size_t size = number_size(&l);
    const double none = NAN;
    unsigned char want[64], got[64];
    make_odd(e, true, &in);
    memset(want, 0xff, sizeof want);
    const levy_distribution_call call = call_of(&l, p, &in, want);
    on_the_cpu(&l, &call);
    assert_int_equal(fread(got, (p->offset + p->count + 3) * size, 1, f), 1);
    if (!e->good) memset(want + size, 0xff, size);
    if (!e->good && size == 8) memcpy(want + size, &none, size);
    for (size_t k = 0; k < 6 * size; ++k)
        if (want[k] != got[k])
            fail_msg("law %d, %g among ones, %s: number %zu", (int)e->law, e->x,
                     p->invert ? "quantiles" : "draws", k / size);
}

/* ---- All calls of a precision, in one program ------------------------------------------------ */

static const distribution_part odd_parts[2] = {{false, 62, 3, 0}, {true, 0, 3, 0}};

static void write_calls(bool single)
{
    static distribution_inputs in;
    FILE *const f = emulated_open("input", "wb");
    for (int i = 0; i < CASES * PARTS; ++i) {
        if (!is_done(i, single)) continue;
        const levy_distribution_law l = law_of(&cases[i / PARTS], single);
        make_inputs(&l, &in);
        write_call(f, i / PARTS, &l, &parts[i % PARTS], &in);
    }
    for (int i = 0; i < 2 * ODD && !single; ++i) {
        const int shape = shape_of_odd(&odd[i / 2]);
        const levy_distribution_law l = law_of(&cases[shape], false);
        make_odd(&odd[i / 2], false, &in);
        write_call(f, shape, &l, &odd_parts[i % 2], &in);
    }
    assert_int_equal(fclose(f), 0);
}

static void check_calls(bool single)
{
    static distribution_inputs in;
    FILE *const f = emulated_open("output", "rb");
    for (int i = 0; i < CASES * PARTS; ++i) {
        if (!is_done(i, single)) continue;
        const levy_distribution_law l = law_of(&cases[i / PARTS], single);
        make_inputs(&l, &in);
        check_call(f, &l, &parts[i % PARTS], &in);
    }
    for (int i = 0; i < 2 * ODD && !single; ++i) check_odd(f, &odd[i / 2], &odd_parts[i % 2]);
    assert_int_equal(fgetc(f), EOF);
    fclose(f);
}

static void test_the_kernels_have_the_deviates_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    for (int single = 0; single < 2; ++single) {
        write_shapes(single == 1);
        write_calls(single == 1);
        emulated_run("distribution_host.cpp", true);
        check_calls(single == 1);
    }
}

/* The CPU refuses what a GPU cannot, before it writes anything. */
static void test_the_cpu_refuses_such_an_element(void **state)
{
    (void)state;
    static distribution_inputs in;
    void *opened, *made;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    assert_int_equal(levy_backend_cpu.open(&o, &opened, why), LEVY_OK);
    for (int i = 0; i < 2 * ODD; ++i) {
        const distribution_element *const e = &odd[i / 2];
        const distribution_part part = {i % 2 == 1, 0, 3, 0};
        const levy_distribution_law l = law_of(&cases[shape_of_odd(e)], false);
        unsigned char output[64], before[64];
        make_odd(e, false, &in);
        memset(output, 0xff, sizeof output);
        memcpy(before, output, sizeof before);
        const levy_distribution_call call = call_of(&l, &part, &in, output);
        assert_int_equal(
            levy_backend_cpu.object_create(opened, LEVY_OBJECT_DISTRIBUTION, &l, &made, why),
            LEVY_OK);
        assert_int_equal(levy_backend_cpu.object_run(made, &call, why),
                         e->good ? LEVY_OK : LEVY_ARGUMENT);
        if (!e->good) assert_memory_equal(output, before, sizeof before);
        if (!e->good) assert_non_null(strstr(why, "[1] is outside its range"));
        levy_backend_cpu.object_destroy(made);
    }
    levy_backend_cpu.close(opened);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static void test_grids(void **state)
{
    (void)state;
    levy_distribution_arguments a;
    levy_distribution_law l = {.law = LEVY_DRAW_NORMAL, .parameters = {0.0, 1.0}};
    levy_distribution_call call = {.count = 4096, .output = (void *)4096};
    assert_int_equal(levy_distribution_launch_write(&l, &call, 0, &a), 1);
    assert_true(a.lead == 0 && a.aligned == 1);
    call.first = 64 * 5 + 1; /* one draw of the group lies before the first */
    assert_int_equal(levy_distribution_launch_write(&l, &call, 0, &a), 2);
    assert_true(a.lead == 1 && a.aligned == 0);
    call.output = (void *)4104;
    levy_distribution_launch_write(&l, &call, 0, &a);
    assert_true(a.lead == 1 && a.aligned == 1);
    call.words = (const uint32_t *)4096; /* quantiles have no groups */
    assert_int_equal(levy_distribution_launch_write(&l, &call, 0, &a), 16);
    assert_true(a.lead == 0 && a.words == 4096);
    l = (levy_distribution_law){.law = LEVY_DRAW_POISSON, .single = true, .each = {true}};
    call = (levy_distribution_call){
        .first = 3, .count = (size_t)1 << 40, .parameters = {(void *)64}, .output = (void *)4096};
    assert_int_equal(levy_distribution_launch_write(&l, &call, 0, &a), 1 << 20);
    assert_true(a.lead == 0 && a.each[0] == 64 && a.each[1] == 0 && a.most[0] == 1e6);
}

static void test_nvrtc_compiles_without_spills(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    char text[256];
    /* the shapes that take the most registers, and one of shared memory */
    const distribution_case heavy[] = {{LEVY_DRAW_NORMAL, 3, NAN, NAN},
                                       {LEVY_DRAW_GAMMA, 0, 0.5, 1},
                                       {LEVY_DRAW_NONCENTRAL, 0, 2, 3},
                                       {LEVY_DRAW_POISSON, 0, 100, 0}};
    for (size_t i = 0; i < sizeof heavy / sizeof *heavy; ++i) {
        const levy_distribution_law l = law_of(&heavy[i], false);
        levy_distribution_shape_write(&l, text, sizeof text);
        nvrtc_compiles(&calls, "sm_90", text, true);
    }
    calls.unload(&calls);
}

/* ---- A fake driver --------------------------------------------------------------------------- */

static levy_status distribution_on_fake(const void *subject, levy_kernel_made *made)
{
    const levy_distribution_law *const l = subject;
    levy_cuda *cuda = NULL;
    void *d = NULL;
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK)
        status =
            levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_DISTRIBUTION, l, &d, why);
    levy_distribution_call call = {
        .count = 1003,
        .parameters = {array_of(l, 0, (void *)32768), array_of(l, 1, (void *)65536)},
        .output = (void *)131072,
        .stream = &fake};
    if (status == LEVY_OK) levy_cuda_object_describe(d, made);
    for (int invert = 0; invert < 2 && status == LEVY_OK; ++invert) {
        call.words = invert ? (const uint32_t *)16384 : NULL;
        status = levy_cuda_object_run(d, &call, why);
    }
    levy_cuda_object_destroy(d);
    levy_cuda_close(cuda);
    return status;
}

static void test_launches_go_to_the_callers_stream(void **state)
{
    for (int i = 0; i < CASES; ++i) {
        const levy_distribution_law l = law_of(&cases[i], i % 2 == 1);
        levy_kernel_made made;
        reset(state);
        assert_int_equal(distribution_on_fake(&l, &made), LEVY_OK);
        assert_ptr_equal(fake.bridge_stream, &fake);
        assert_int_equal(fake.bridge_paths, 2 * 1003);
        assert_int_equal(fake.launches, 2);
        assert_int_equal(fake.compiles, 1);
        assert_int_equal(fake.held, 0);
        assert_int_equal(made.registers, 40);
        assert_int_equal(made.threads_per_block, 256);
        check_closed(state);
    }
}

static void test_any_call_and_allocation_may_fail(void **state)
{
    const levy_distribution_law l = law_of(&cases[CASES - 1], false); /* one by table */
    each_driver_call_fails(state, distribution_on_fake, &l);
    each_allocation_fails(state, distribution_on_fake, &l);
}

int main(void)
{
    const struct CMUnitTest emulated[] = {
        cmocka_unit_test(test_the_kernels_have_the_deviates_of_the_cpu),
        cmocka_unit_test(test_the_cpu_refuses_such_an_element),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids),
        CUDA_CASE(test_nvrtc_compiles_without_spills),
        CUDA_CASE(test_launches_go_to_the_callers_stream),
        CUDA_CASE(test_any_call_and_allocation_may_fail),
    };
    return cmocka_run_group_tests(emulated, emulated_set_up, emulated_tear_down) +
           cmocka_run_group_tests(tests, NULL, release_tables);
}
