/* test_cuda_sampler.c: the weighted sampler's CUDA side without a GPU: sampler.cu's own code,
 * compiled as C++ and run on the host, against the CPU's items; NVRTC's word on spills; launches
 * and failures over a fake driver. The first skips without a C++ compiler, the second without
 * NVRTC. */
#include "tests/cuda_fixture.h"
#include "tests/emulated.h"

#include "engine/run/backend_list.h"
#include "kernels/cuda/device/sampler_launch.h"
#include "kernels/cuda/device/standalone.h"
#include "tests/alias_case.h"
#include "tests/sampler_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct sampler_case {
    levy_sampler_work work;
    int weights; /* of alias_case.h; -1: a draw falls on a threshold */
    uint64_t n, first;
    size_t count, offset; /* numbers before the first one */
} sampler_case;

static void make_tables(const double *w, uint64_t n, levy_sampler_tables *t)
{
    levy_alias_fault fault;
    const levy_alias_weights weights = {w, NULL, n};
    assert_int_equal(levy_sampler_tables_create(&levy_memory_default, &weights, NULL, t, &fault),
                     LEVY_OK);
}

/* ---- The kernels' own code ------------------------------------------------------------------- */

static void emulate(const levy_sampler_tables *t, const sampler_case *c, const double *u,
                    const uint32_t *want, size_t bytes)
{
    char text[128];
    levy_sampler_arguments a;
    levy_sampler_part parts[LEVY_SAMPLER_PARTS];
    const levy_sampler_call call = {.work = c->work,
                                    .seed = 5,
                                    .first = c->first,
                                    .count = c->count,
                                    .u = u,
                                    .output = (uint32_t *)(4096 + c->offset * sizeof(uint32_t))};
    const uint32_t blocks =
        levy_sampler_launch_write(t->count, t->guide->cells, t->share, &call, 4096, 1, &a);
    uint64_t head[6] = {
        c->work, blocks, bytes, c->offset * sizeof(uint32_t), 0, u ? c->count * sizeof *u : 0};
    levy_sampler_parts(t, parts);
    for (int i = 0; i < LEVY_SAMPLER_PARTS; ++i) head[4] += parts[i].size;
    levy_sampler_shape_write(text, sizeof text);
    emulated_write_shape(text);
    FILE *f = emulated_open("input", "wb");
    emulated_put(f, head, sizeof head);
    emulated_put(f, &a, sizeof a);
    for (int i = 0; i < LEVY_SAMPLER_PARTS; ++i) emulated_put(f, parts[i].bytes, parts[i].size);
    emulated_put(f, u, head[5]);
    assert_int_equal(fclose(f), 0);
    emulated_run("sampler_host.cpp", true);
    uint32_t *const got = emulated_output(bytes);
    assert_memory_equal(got, want, bytes);
    free(got);
}

static void on_the_cpu(const levy_sampler_tables *t, const levy_sampler_call *call)
{
    void *state, *sampler;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    assert_int_equal(levy_backend_cpu.open(&o, &state, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_create(state, LEVY_OBJECT_SAMPLER, t, &sampler, why),
                     LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_run(sampler, call, why), LEVY_OK);
    levy_backend_cpu.object_destroy(sampler);
    levy_backend_cpu.close(state);
}

static double *numbers(const sampler_case *c)
{
    if (c->work != LEVY_SAMPLER_INVERT) return NULL;
    double *const u = malloc(c->count * sizeof *u);
    const double odd[] = {0.0, -0.0, 1.0, 1.0 - 0x1p-53, -1.0, 2.0, NAN, INFINITY, 0x1p-1074};
    for (size_t k = 0; k < c->count; ++k) u[k] = alias_case_uniform(77, k);
    memcpy(u, odd, sizeof odd);
    return u;
}

static void assert_items(const sampler_case *c)
{
    static double w[20000];
    levy_sampler_tables t;
    uint64_t draw = 0;
    const size_t length = c->work == LEVY_SAMPLER_COUNTS ? c->n : c->count,
                 bytes = (c->offset + length + 3) * sizeof(uint32_t);
    uint32_t *const want = malloc(bytes);
    double *const u = numbers(c);
    if (c->weights < 0)
        draw = sampler_case_near(5, c->first, 0.5 * -c->weights, w);
    else
        alias_case_fill(c->weights, w, c->n);
    make_tables(w, c->n, &t);
    memset(want, 0xff, bytes);
    on_the_cpu(&t, &(levy_sampler_call){.work = c->work,
                                        .seed = 5,
                                        .first = c->first,
                                        .count = c->count,
                                        .u = u,
                                        .output = want + c->offset});
    assert_true(draw < c->first + c->count);
    emulate(&t, c, u, want, bytes);
    levy_sampler_tables_release(&levy_memory_default, &t);
    free(want);
    free(u);
}

static void test_the_kernels_have_the_items_of_the_cpu(void **state)
{
    (void)state;
    const sampler_case cases[] = {
        {LEVY_SAMPLER_DRAW, 0, 1, 0, 5, 0},
        {LEVY_SAMPLER_DRAW, 3, 20000, 0, 4096, 0},
        {LEVY_SAMPLER_DRAW, 13, 20000, 3, 20011, 1},
        {LEVY_SAMPLER_DRAW, 5, 7, 4294967296 - 500, 1001, 2},
        {LEVY_SAMPLER_DRAW, 12, 500, 0 - (uint64_t)500, 1000, 3},
        {LEVY_SAMPLER_DRAW, 14, 3, 9, 1, 3},
        {LEVY_SAMPLER_DRAW, -1, 2, 40, 100, 0},
        {LEVY_SAMPLER_DRAW, -2, 2, 41, 100, 1},
        {LEVY_SAMPLER_INVERT, 7, 1000, 0, 3001, 1},
        {LEVY_SAMPLER_INVERT, 8, 33, 0, 700, 0},
        {LEVY_SAMPLER_COUNTS, 2, 1, 1, 3000, 0},
        {LEVY_SAMPLER_COUNTS, 2, 4096, 1, 30001, 1},
        {LEVY_SAMPLER_COUNTS, 0, 4097, 2, 30002, 3},
    };
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) assert_items(&cases[i]);
}

/* ---- Launches -------------------------------------------------------------------------------- */

static void test_grids(void **state)
{
    (void)state;
    levy_sampler_arguments a;
    levy_sampler_call call = {.work = LEVY_SAMPLER_DRAW, .count = 1024, .output = (uint32_t *)4096};
    assert_int_equal(levy_sampler_launch_write(10, 16, 1.0, &call, 0, 132, &a), 1);
    assert_int_equal(a.lead, 0);
    call.output = (uint32_t *)4100; /* three numbers of the first 16 bytes, one more thread */
    assert_int_equal(levy_sampler_launch_write(10, 16, 1.0, &call, 0, 132, &a), 2);
    assert_int_equal(a.lead, 1);
    call.count = (size_t)1 << 40;
    assert_int_equal(levy_sampler_launch_write(10, 16, 1.0, &call, 0, 132, &a), 1 << 20);
    call.work = LEVY_SAMPLER_COUNTS;
    assert_int_equal(levy_sampler_launch_write(4096, 4096, 1.0, &call, 512, 132, &a), 8 * 132);
    assert_true(a.own == 1 && a.lead == 0 && a.start == 512 + 24 * 4096);
    levy_sampler_launch_write(4294967295, 1u << 31, 1.0, &call, 512, 132, &a);
    assert_true(a.own == 0 && a.items == UINT32_MAX && a.start == 512 + 24 * (uint64_t)UINT32_MAX);
}

static void test_nvrtc_compiles_without_spills(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    char text[128];
    levy_sampler_shape_write(text, sizeof text);
    nvrtc_compiles(&calls, "sm_90", text, true);
    nvrtc_compiles(&calls, "sm_80", text, true);
    calls.unload(&calls);
}

/* ---- A fake driver --------------------------------------------------------------------------- */

static levy_status sampler_on_fake(const void *subject, levy_kernel_made *made)
{
    const levy_sampler_tables *const t = subject;
    levy_cuda *cuda = NULL;
    void *sampler = NULL;
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK)
        status =
            levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_SAMPLER, t, &sampler, why);
    levy_sampler_call call = {
        .count = 1003, .u = (double *)32768, .output = (uint32_t *)65540, .stream = &fake};
    if (status == LEVY_OK) levy_cuda_object_describe(sampler, made);
    for (int work = 0; work < 3 && status == LEVY_OK; ++work) {
        call.work = (levy_sampler_work)work;
        status = levy_cuda_object_run(sampler, &call, why);
    }
    levy_cuda_object_destroy(sampler);
    levy_cuda_close(cuda);
    return status;
}

static const double weights[] = {1.0, 2.0, 0.5, 0.0, 4.0};

static void test_launches_go_to_the_callers_stream(void **state)
{
    (void)state;
    levy_sampler_tables t;
    levy_kernel_made made;
    make_tables(weights, 5, &t);
    assert_int_equal(sampler_on_fake(&t, &made), LEVY_OK);
    assert_ptr_equal(fake.bridge_stream, &fake);
    assert_int_equal(fake.bridge_paths, 3 * 1003);
    assert_int_equal(fake.launches, 3);
    assert_int_equal(fake.compiles, 1);
    assert_int_equal(fake.held, 0);
    assert_int_equal(made.registers, 40);
    assert_int_equal(made.paths_per_thread, 4);
    levy_sampler_tables_release(&levy_memory_default, &t);
}

static void test_a_table_too_large_is_refused(void **state)
{
    (void)state;
    levy_sampler_tables t;
    levy_kernel_made made;
    make_tables(weights, 5, &t);
    fake.fail_member = "memory_allocate";
    fake.fail_at = 1;
    fake.fail_code = 2;
    assert_int_equal(sampler_on_fake(&t, &made), LEVY_MEMORY);
    assert_non_null(strstr(why, "taking memory for a sampler's table"));
    assert_int_equal(fake.held, 0);
    levy_sampler_tables_release(&levy_memory_default, &t);
}

static void test_any_call_and_allocation_may_fail(void **state)
{
    levy_sampler_tables t;
    make_tables(weights, 5, &t);
    each_driver_call_fails(state, sampler_on_fake, &t);
    each_allocation_fails(state, sampler_on_fake, &t);
    levy_sampler_tables_release(&levy_memory_default, &t);
}

/* ---- Weights that lie on the GPU ------------------------------------------------------------- */

enum { NUMBERS = 700001 }; /* two pieces of a copy */

static levy_status put_numbers(levy_device *device, const double *numbers, levy_cuda_pointer *data)
{
    LEVY_TRY(levy_device_enter(device, why));
    const levy_status status =
        levy_standalone_upload(device, numbers, NUMBERS * sizeof *numbers, "numbers", data, why);
    levy_device_leave(device);
    return status;
}

/* Numbers that went to the GPU come back. */
static levy_status use_download(const void *subject, levy_kernel_made *made)
{
    (void)made;
    levy_cuda *cuda = NULL;
    levy_cuda_pointer data = 0;
    double *const back = calloc(NUMBERS, sizeof *back);
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK) {
        status = put_numbers(levy_cuda_device(cuda), subject, &data);
        if (status == LEVY_OK)
            status = levy_standalone_download(levy_cuda_device(cuda), back, data,
                                              NUMBERS * sizeof *back, &fake, why);
        if (status == LEVY_OK) assert_memory_equal(back, subject, NUMBERS * sizeof *back);
        levy_standalone_drop(levy_cuda_device(cuda), data, NULL);
    }
    levy_cuda_close(cuda);
    free(back);
    return status;
}

static void test_numbers_come_back_or_the_call_fails(void **state)
{
    double *const numbers = malloc(NUMBERS * sizeof *numbers);
    for (size_t i = 0; i < NUMBERS; ++i) numbers[i] = (double)i + 0.5;
    assert_int_equal(use_download(numbers, NULL), LEVY_OK);
    assert_int_equal(fake.held, 0);
    each_driver_call_fails(state, use_download, numbers);
    free(numbers);
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
        CUDA_CASE(test_a_table_too_large_is_refused),
        CUDA_CASE(test_any_call_and_allocation_may_fail),
        CUDA_CASE(test_numbers_come_back_or_the_call_fails),
    };
    return cmocka_run_group_tests(emulated, emulated_set_up, emulated_tear_down) +
           cmocka_run_group_tests(tests, NULL, NULL);
}
