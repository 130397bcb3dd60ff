/* test_cuda_draws.c: the CUDA side of draws from many distributions without a GPU: draws.cu's own
 * code, compiled as C++ and run on the host, against the CPU's items; NVRTC's word on spills;
 * launches and failures over a fake driver. The first skips without a C++ compiler, the second
 * without NVRTC. */
#include "tests/cuda_fixture.h"
#include "tests/emulated.h"

#include "engine/run/backend_list.h"
#include "kernels/cuda/device/draws_launch.h"
#include "kernels/cuda/device/standalone.h"
#include "tests/butterfly_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- The kernels' own code ------------------------------------------------------------------- */

enum { STATES = 5, ARRAYS = 4 };

typedef struct draws_case {
    butterfly_kind kind;
    uint32_t n_items;
    size_t n_paths, padding, offset; /* numbers behind each row; before theta */
    uint32_t n_draws;
    int processors; /* of the GPU: with more, draws are spread over more rows */
    bool made;      /* words */
    levy_draws_kernel kernel[2];
    double odd; /* all weights of every eleventh path from the fifth on; 1: they stay */
} draws_case;

/* As draws_host.cpp has it. */
typedef struct host_head {
    uint64_t bytes[ARRAYS], past[ARRAYS];
    uint64_t items, fault;
    uint32_t kernel, blocks, rows, threads, shared_bytes, wants_fault, single, padding;
} host_head;

typedef struct draws_data {
    levy_draws_call call;
    void *memory[ARRAYS];
    size_t bytes[ARRAYS]; /* from where the array begins */
    uint64_t fault;
} draws_data;

static void *data_array(draws_data *d, int which, size_t bytes, size_t past)
{
    d->memory[which] = aligned_alloc(64, (bytes + past + 127) / 64 * 64);
    assert_non_null(d->memory[which]);
    d->bytes[which] = bytes;
    return (char *)d->memory[which] + past;
}

static double theta_of(const draws_case *c, int single, size_t path, uint32_t item)
{
    if (c->odd != 1.0 && path % 11 == 5) return c->odd;
    return butterfly_case_theta(c->kind, single, path, item, c->n_items);
}

static void data_make(const draws_case *c, int single, draws_data *d)
{
    const size_t number = single ? 4 : 8, stride = c->n_items + c->padding,
                 items = c->n_paths * c->n_draws;
    void *const theta = data_array(d, 0, c->n_paths * stride * number, c->offset * number),
                *const phi = data_array(d, 1, STATES * stride * number, 0);
    uint32_t *const states = data_array(d, 2, c->n_paths * 4, 4), *const words = data_array(
                                                                      d, 3, items * 4, 4);
    for (size_t p = 0; p < c->n_paths; ++p) {
        for (uint32_t k = 0; k < stride; ++k)
            butterfly_case_put(theta, p * stride + k, single,
                               k < c->n_items ? theta_of(c, single, p, k) : (double)NAN);
        states[p] = butterfly_case_word(1, p) % (STATES + 1); /* one too many counts as the last */
    }
    for (size_t i = 0; i < items; ++i) words[i] = butterfly_case_uniform(2, i);
    for (uint32_t s = 0; s < STATES; ++s)
        for (uint32_t k = 0; k < stride; ++k)
            butterfly_case_put(phi, s * stride + k, single,
                               k < c->n_items ? butterfly_case_phi(c->kind, s, k) : (double)NAN);
    if (c->made) d->bytes[3] = 0;
    d->fault = UINT64_MAX;
    d->call = (levy_draws_call){.draws = {.theta = theta,
                                          .phi = phi,
                                          .states = states,
                                          .words = c->made ? NULL : words,
                                          .n_paths = c->n_paths,
                                          .theta_stride = stride,
                                          .phi_stride = stride,
                                          .n_items = c->n_items,
                                          .n_states = STATES,
                                          .single = single,
                                          .n_draws = c->n_draws},
                                .seed = 0xfedcba9876543210u,
                                .first_path = 0xFFFFFFF0u,
                                .first_draw = 0x3FFFFFFFEu,
                                .fault = &d->fault};
}

static void data_free(draws_data *d)
{
    for (int i = 0; i < ARRAYS; ++i) free(d->memory[i]);
}

static void case_write(const draws_case *c, draws_data *d, FILE *f)
{
    levy_draws_launch l;
    const levy_butterfly_draws *const a = &d->call.draws;
    const void *const arrays[ARRAYS] = {a->theta, a->phi, a->states, a->words};
    levy_draws_launch_write(&d->call, c->processors, &l);
    assert_int_equal(l.kernel, c->kernel[a->single]);
    host_head head = {.items = c->n_paths * c->n_draws,
                      .fault = UINT64_MAX,
                      .kernel = l.kernel,
                      .blocks = l.blocks,
                      .rows = l.rows,
                      .threads = l.threads,
                      .shared_bytes = l.shared_bytes,
                      .wants_fault = c->odd != 1.0,
                      .single = a->single != 0};
    for (int i = 0; i < ARRAYS; ++i) {
        head.bytes[i] = d->bytes[i];
        head.past[i] = (uintptr_t)arrays[i] % 64;
    }
    emulated_put(f, &head, sizeof head);
    emulated_put(f, &l.arguments, sizeof l.arguments);
    for (int i = 0; i < ARRAYS; ++i) emulated_put(f, arrays[i], d->bytes[i]);
}

/* The items of the CPU's backend beside those that the GPU's code has left in `f`. */
static void case_compare(const draws_case *c, draws_data *d, void *cpu, FILE *f)
{
    const size_t n = c->n_paths * c->n_draws;
    uint32_t *const want = malloc(n * 4), *const got = malloc(n * 4);
    uint64_t fault;
    void *draws;
    d->call.draws.items = want;
    assert_int_equal(
        levy_backend_cpu.object_create(cpu, LEVY_OBJECT_DRAWS, &d->call.draws.single, &draws, why),
        LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_run(draws, &d->call, why), LEVY_OK);
    levy_backend_cpu.object_destroy(draws);
    assert_int_equal(fread(got, 4, n, f), n);
    assert_int_equal(fread(&fault, 8, 1, f), 1);
    for (size_t i = 0; i < n; ++i)
        if (got[i] != want[i])
            fail_msg("%u items, %zu paths, %u draws, kind %d, single %d: item %zu is %u, not %u",
                     c->n_items, c->n_paths, c->n_draws, (int)c->kind, d->call.draws.single, i,
                     got[i], want[i]);
    assert_true(fault == d->fault);
    assert_true((fault != UINT64_MAX) == (c->odd != 1.0));
    free(want);
    free(got);
}

/* Both precisions' shapes, each in a namespace of its own. */
static void write_shapes(void)
{
    char text[128];
    FILE *const f = emulated_open("shape.h", "w");
    for (int single = 0; single < 2; ++single) {
        levy_draws_shape_write(single, text, sizeof text);
        fprintf(f, "%snamespace shape_%d {\n#include \"tests/draws_host.h\"\n}\n", text, single);
    }
    assert_int_equal(fclose(f), 0);
}

enum { MOST_CASES = 32 };

static void emulate(const draws_case *cases, size_t n)
{
    static draws_data data[2 * MOST_CASES]; /* double, then single */
    void *cpu;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    assert_in_range(n, 1, MOST_CASES);
    assert_int_equal(levy_backend_cpu.open(&o, &cpu, why), LEVY_OK);
    write_shapes();
    FILE *f = emulated_open("input", "wb");
    for (size_t i = 0; i < 2 * n; ++i) {
        data_make(&cases[i % n], i >= n, &data[i]);
        case_write(&cases[i % n], &data[i], f);
    }
    assert_int_equal(fclose(f), 0);
    emulated_run("draws_host.cpp", true);
    f = emulated_open("output", "rb");
    for (size_t i = 0; i < 2 * n; ++i) {
        case_compare(&cases[i % n], &data[i], cpu, f);
        data_free(&data[i]);
    }
    assert_int_equal(fgetc(f), EOF);
    fclose(f);
    levy_backend_cpu.close(cpu);
}

#define EACH                                                                                       \
    {                                                                                              \
        LEVY_DRAWS_EACH, LEVY_DRAWS_EACH                                                           \
    }
#define BLOCK                                                                                      \
    {                                                                                              \
        LEVY_DRAWS_BLOCK, LEVY_DRAWS_BLOCK                                                         \
    }
#define ONE                                                                                        \
    {                                                                                              \
        LEVY_DRAWS_ONE, LEVY_DRAWS_ONE                                                             \
    }
#define TWO                                                                                        \
    {                                                                                              \
        LEVY_DRAWS_TWO, LEVY_DRAWS_TWO                                                             \
    }
#define FOUR                                                                                       \
    {                                                                                              \
        LEVY_DRAWS_TWO, LEVY_DRAWS_FOUR                                                            \
    }

static const draws_case cases[] = {
    {BUTTERFLY_UNIFORM, 1, 1, 0, 0, 1, 2, false, EACH, 1.0},
    {BUTTERFLY_WIDE, 5, 300, 0, 0, 3, 132, true, EACH, 1.0},
    {BUTTERFLY_WIDE, 7, 133, 1, 1, 9, 1, false, EACH, 1.0},
    {BUTTERFLY_WIDE, 100, 31, 0, 0, 2, 132, false, EACH, 1.0},
    {BUTTERFLY_WIDE, 200, 3, 0, 0, 500, 132, true, EACH, 1.0},
    {BUTTERFLY_WIDE, LEVY_BUTTERFLY_MOST, 2, 0, 0, 5, 132, true, EACH, 1.0},
    {BUTTERFLY_SPARSE, 12, 32, 0, 0, 1, 132, false, BLOCK, 1.0},
    {BUTTERFLY_WIDE, 31, 70, 3, 1, 21, 132, true, BLOCK, 1.0},
    {BUTTERFLY_TINY, 32, 129, 0, 0, 2, 132, false, BLOCK, 1.0},
    {BUTTERFLY_WIDE, 33, 33, 0, 0, 4, 132, true, ONE, 1.0},
    {BUTTERFLY_WIDE, 100, 40, 3, 0, 1, 132, false, ONE, 1.0},
    {BUTTERFLY_WIDE, 100, 40, 0, 1, 1, 132, true, ONE, 1.0},
    {BUTTERFLY_TINY, 1023, 32, 0, 0, 2, 1, false, ONE, 1.0},
    {BUTTERFLY_WIDE, 64, 100, 0, 0, 17, 132, true, TWO, 1.0},
    {BUTTERFLY_WIDE, 130, 65, 0, 0, 3, 132, false, TWO, 1.0},
    {BUTTERFLY_WIDE, 132, 40, 0, 0, 1, 132, false, FOUR, 1.0},
    {BUTTERFLY_SPARSE, 256, 37, 4, 4, 3, 132, true, FOUR, 1.0},
    {BUTTERFLY_WIDE, 1024, 33, 0, 0, 1, 132, true, FOUR, 1.0},
    {BUTTERFLY_INTEGERS, 68, 33, 0, 0, 25, 132, false, FOUR, 1.0},
    {BUTTERFLY_UNIFORM, 6, 40, 0, 0, 3, 132, true, EACH, 0.0},
    {BUTTERFLY_UNIFORM, 40, 17, 0, 0, 3, 132, true, EACH, NAN},
    {BUTTERFLY_UNIFORM, 20, 64, 0, 0, 20, 132, false, BLOCK, INFINITY},
    {BUTTERFLY_UNIFORM, 33, 64, 0, 0, 2, 132, true, ONE, NAN},
    {BUTTERFLY_UNIFORM, 64, 50, 0, 0, 16, 132, true, TWO, -1.0},
    {BUTTERFLY_UNIFORM, 128, 50, 0, 0, 3, 132, true, FOUR, 0.0},
};

static void test_the_kernels_have_the_items_of_the_cpu(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    emulate(cases, sizeof cases / sizeof *cases);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static levy_draws_call call_of(uint32_t n_items, size_t n_paths, uint32_t n_draws, int single)
{
    return (levy_draws_call){.draws = {.theta = (void *)4096,
                                       .phi = (void *)8192,
                                       .items = (uint32_t *)65540,
                                       .n_paths = n_paths,
                                       .theta_stride = n_items,
                                       .phi_stride = n_items,
                                       .n_items = n_items,
                                       .n_states = 1,
                                       .single = single,
                                       .n_draws = n_draws},
                             .stream = &fake};
}

static levy_draws_launch launch_of(uint32_t n_items, size_t n_paths, uint32_t n_draws, int single)
{
    levy_draws_launch l;
    const levy_draws_call call = call_of(n_items, n_paths, n_draws, single);
    levy_draws_launch_write(&call, 132, &l);
    return l;
}

static void test_grids(void **state)
{
    (void)state;
    levy_draws_launch l = launch_of(1024, 1000000, 1, 1);
    assert_int_equal(l.blocks, 7813); /* of 128 paths */
    assert_int_equal(l.rows, 1);
    assert_int_equal(l.shared_bytes, 4 * 32 * (32 + 8) * 4);
    l = launch_of(1024, 1000000, 1000, 0);
    assert_true(l.rows == 1 && l.arguments.together == 1000); /* the paths fill the GPU */
    assert_int_equal(l.shared_bytes, 4 * 32 * 32 * 8);
    l = launch_of(LEVY_BUTTERFLY_MOST, 1000, 1, 0); /* a warp takes all there is */
    assert_true(l.threads == 32 && l.shared_bytes == LEVY_DRAWS_SHARED && l.blocks == 32);
    l = launch_of(LEVY_BUTTERFLY_MOST, 1, 1000000, 0);
    assert_true(l.kernel == LEVY_DRAWS_EACH && l.threads == 32 && l.blocks == 1);
    assert_int_equal(l.arguments.together, (1000000 + 975) / 976); /* 1,000,000 / (4 x 256) rows */
    assert_true((uint64_t)l.rows * l.arguments.together >= 1000000);
    l = launch_of(3, 1, UINT32_MAX, 1);
    assert_int_equal(l.rows, 132 * 16);
    assert_true((uint64_t)(l.rows - 1) * l.arguments.together < UINT32_MAX);
    l = launch_of(32, 64, 100, 1);
    assert_true(l.kernel == LEVY_DRAWS_BLOCK && l.shared_bytes == 0 && l.rows == 25);
}

static void compiles(const levy_cuda_calls *calls, const char *architecture, bool single)
{
    char text[128];
    levy_draws_shape_write(single, text, sizeof text);
    nvrtc_compiles(calls, architecture, text, false);
}

static void test_nvrtc_compiles_without_spills(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    compiles(&calls, "sm_90", false);
    compiles(&calls, "sm_90", true);
    compiles(&calls, "sm_80", false);
    calls.unload(&calls);
}

/* ---- A fake driver --------------------------------------------------------------------------- */

/* A launch of each kernel of one precision. */
static levy_status draws_on_fake(const void *subject, levy_kernel_made *made)
{
    const bool single = *(const bool *)subject;
    static const uint32_t sizes[] = {3, 20, 33, 66, 68};
    levy_cuda *cuda = NULL;
    void *draws = NULL;
    (void)made;
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK)
        status = levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_DRAWS, &(int){single},
                                         &draws, why);
    for (int i = 0; i < 5 && status == LEVY_OK; ++i) {
        const levy_draws_call call = call_of(sizes[i], 1003, 2, single);
        status = levy_cuda_object_run(draws, &call, why);
    }
    levy_cuda_object_destroy(draws);
    levy_cuda_close(cuda);
    return status;
}

static void test_launches_go_to_the_callers_stream(void **state)
{
    for (int single = 0; single < 2; ++single) {
        reset(state);
        assert_int_equal(draws_on_fake(&(bool){single}, NULL), LEVY_OK);
        assert_ptr_equal(fake.bridge_stream, &fake);
        assert_int_equal(fake.bridge_paths, 5 * 1003);
        assert_int_equal(fake.launches, 5);
        assert_int_equal(fake.compiles, 1);
        assert_int_equal(fake.held, 0);
    }
}

static void test_rows_too_far_apart_are_refused(void **state)
{
    (void)state;
    levy_cuda *cuda = NULL;
    void *draws = NULL;
    levy_draws_call call = call_of(3, 5, 1, 0);
    assert_int_equal(open_fake(&cuda), LEVY_OK);
    assert_int_equal(
        levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_DRAWS, &(int){0}, &draws, why),
        LEVY_OK);
    call.draws.theta_stride = (size_t)1 << 29;
    assert_int_equal(levy_cuda_object_run(draws, &call, why), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "less than 2^29 numbers apart"));
    call = call_of(3, 5, 1, 0);
    call.draws.phi_stride = (size_t)1 << 29;
    assert_int_equal(levy_cuda_object_run(draws, &call, why), LEVY_UNSUPPORTED);
    call = call_of(3, ((size_t)1 << 36) + 1, 1, 0);
    assert_int_equal(levy_cuda_object_run(draws, &call, why), LEVY_UNSUPPORTED);
    assert_int_equal(fake.launches, 0);
    levy_cuda_object_destroy(draws);
    levy_cuda_close(cuda);
}

static void test_any_call_and_allocation_may_fail(void **state)
{
    for (bool single = false;; single = true) {
        each_driver_call_fails(state, draws_on_fake, &single);
        each_allocation_fails(state, draws_on_fake, &single);
        if (single) break;
    }
}

int main(void)
{
    const struct CMUnitTest emulated[] = {
        cmocka_unit_test(test_the_kernels_have_the_items_of_the_cpu),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids),
        CUDA_CASE(test_nvrtc_compiles_without_spills),
        CUDA_CASE(test_launches_go_to_the_callers_stream),
        CUDA_CASE(test_rows_too_far_apart_are_refused),
        CUDA_CASE(test_any_call_and_allocation_may_fail),
    };
    return cmocka_run_group_tests(emulated, emulated_set_up, emulated_tear_down) +
           cmocka_run_group_tests(tests, NULL, NULL);
}
