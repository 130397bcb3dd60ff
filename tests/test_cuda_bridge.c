/* test_cuda_bridge.c: the stand-alone bridge's CUDA side without a GPU: bridge.cu's own code,
 * compiled as C++ behind many shapes and run by the host's threads, against the CPU's bits; NVRTC's
 * word on registers and spills; launches and failures over a fake driver. The first skips without a
 * C++ compiler, the second without NVRTC. */
#include "tests/cuda_fixture.h"
#include "tests/emulated.h"

#include "engine/run/backend_list.h"
#include "kernels/cuda/compile/bridge_shape.h"
#include "kernels/cuda/device/standalone.h"
#include "kernels/lane/scalar.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BISECT, FORWARD, RANDOM };

/* One bridge: its shape is as given, or (threads 0) as chosen. */
typedef struct bridge_case {
    uint32_t n, d, order;
    bool single, increments, lower;
    size_t paths, stride;
    levy_bridge_shape shape;
} bridge_case;
#define BRIDGE(points, dimensions, by, n_paths, ...)                                               \
    {                                                                                              \
        .n = points, .d = dimensions, .order = by, .paths = n_paths, .stride = __VA_ARGS__         \
    }

typedef struct bridge_parts {
    levy_bridge_program program;
    levy_bridge_tables tables;
    levy_bridge_shape shape;
} bridge_parts;

static uint64_t random_state = 88172645463325252u;

static uint32_t random_word(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* Between -2 and 2, and a number of single precision: how it is spread does not matter here. */
static double random_number(void)
{
    return (double)(float)((double)random_word() / 1073741824.0 - 2.0);
}

static void make_order(const bridge_case *c, uint32_t *order)
{
    levy_bridge_first(c->n, NULL, 0, order);
    for (uint32_t i = 0; c->order == FORWARD && i < c->n; ++i) order[i] = i + 1;
    for (uint32_t i = c->n; c->order == RANDOM && i-- > 1;) {
        const uint32_t j = random_word() % (i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* `gpu` and, of the same bridge, what the CPU runs. */
static void make_parts(const bridge_case *c, bridge_parts *gpu, bridge_parts *cpu)
{
    double *const times = malloc((c->n + 1) * sizeof *times),
                  *const factor = malloc(c->d * c->d * sizeof *factor),
                  *const start = malloc(c->d * sizeof *start);
    uint32_t *const order = malloc(c->n * sizeof *order);
    times[0] = 0.25;
    for (uint32_t i = 1; i <= c->n; ++i) times[i] = times[i - 1] + 0.01 + 2.0 + random_number();
    for (uint32_t i = 0; i < c->d * c->d; ++i)
        factor[i] = c->lower && i % c->d > i / c->d ? 0.0 : random_number();
    for (uint32_t i = 0; i < c->d; ++i) start[i] = random_number();
    make_order(c, order);
    const levy_bridge_settings settings = {.n_dimensions = c->d,
                                           .single = c->single,
                                           .increments = c->increments,
                                           .factor = factor,
                                           .start = start};
    const bool wide = c->d > LEVY_BRIDGE_NARROW,
               registers = c->shape.threads ? c->shape.registers : !wide;
    assert_int_equal(levy_bridge_program_create(&levy_memory_default, c->n, times, order, registers,
                                                levy_sqrt, &gpu->program, why),
                     LEVY_OK);
    assert_int_equal(levy_bridge_tables_create(&levy_memory_default, &gpu->program, &settings,
                                               &gpu->tables, why),
                     LEVY_OK);
    assert_int_equal(levy_bridge_program_create(&levy_memory_default, c->n, times, order, false,
                                                levy_sqrt, &cpu->program, why),
                     LEVY_OK);
    assert_int_equal(levy_bridge_tables_create(&levy_memory_default, &cpu->program, &settings,
                                               &cpu->tables, why),
                     LEVY_OK);
    levy_bridge_shape_choose(&gpu->tables, 227 << 10, &gpu->shape);
    if (c->shape.threads) gpu->shape = c->shape;
    free(times);
    free(factor);
    free(start);
    free(order);
}

static void drop_parts(bridge_parts *parts)
{
    levy_memory_release(&levy_memory_default, (void *)(uintptr_t)parts->tables.instructions);
    levy_bridge_program_release(&parts->program);
}

/* ---- The kernel's own code ------------------------------------------------------------------- */

static void write_input(const bridge_case *c, const bridge_parts *b, const void *normals)
{
    const levy_bridge_tables *const t = &b->tables;
    const size_t size = c->single ? 4 : 8,
                 records = b->shape.unrolled ? 0 : c->n * levy_bridge_record_size(t);
    const size_t more = b->shape.wide ? (c->d * c->d + c->d) * size : 0,
                 constants = b->shape.wide ? 0 : levy_bridge_constants_size(t, &b->shape);
    const uint64_t head[5] = {c->paths, c->stride, records, more, constants};
    char *const bytes = calloc(1, records + constants + 16);
    FILE *const f = emulated_open("input", "wb");
    emulated_put(f, head, sizeof head);
    if (records) levy_bridge_records_write(t, NULL, bytes);
    emulated_put(f, bytes, records);
    emulated_put(f, t->factor, b->shape.wide ? c->d * c->d * size : 0);
    emulated_put(f, t->start, b->shape.wide ? c->d * size : 0);
    if (constants) levy_bridge_constants_write(t, &b->shape, bytes);
    emulated_put(f, bytes, constants);
    emulated_put(f, normals, (size_t)c->n * c->d * c->stride * size);
    assert_int_equal(fclose(f), 0);
    free(bytes);
}

static void emulate_bridge(const bridge_parts *b)
{
    static char text[1 << 16];
    assert_int_equal(levy_bridge_shape_write(&b->tables, &b->shape, text, sizeof text), LEVY_OK);
    emulated_write_shape(text);
    emulated_run("bridge_host.cpp", true);
}

static void on_the_cpu(const bridge_parts *b, const bridge_case *c, const void *normals,
                       void *output)
{
    void *state, *bridge;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    const levy_bridge_call call = {
        .normals = normals, .output = output, .n_paths = c->paths, .stride = c->stride};
    assert_int_equal(levy_backend_cpu.open(&o, &state, why), LEVY_OK);
    assert_int_equal(
        levy_backend_cpu.object_create(state, LEVY_OBJECT_BRIDGE, &b->tables, &bridge, why),
        LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_run(bridge, &call, why), LEVY_OK);
    levy_backend_cpu.object_destroy(bridge);
    levy_backend_cpu.close(state);
}

static void assert_bridge_bits(const bridge_case *c)
{
    bridge_parts gpu, cpu;
    const size_t n = (size_t)c->n * c->d * c->stride, bytes = n * (c->single ? 4 : 8);
    char *const normals = malloc(bytes), *const want = malloc(bytes);
    make_parts(c, &gpu, &cpu);
    for (size_t i = 0; i < n; ++i)
        if (c->single)
            ((float *)(void *)normals)[i] = (float)random_number();
        else
            ((double *)(void *)normals)[i] = random_number();
    memset(want, 0xff, bytes);
    on_the_cpu(&cpu, c, normals, want);
    write_input(c, &gpu, normals);
    emulate_bridge(&gpu);
    char *const got = emulated_output(bytes);
    if (memcmp(want, got, bytes) != 0)
        print_error("n %u d %u order %u single %d increments %d: other bits\n", c->n, c->d,
                    c->order, c->single, c->increments);
    assert_memory_equal(want, got, bytes);
    drop_parts(&gpu);
    drop_parts(&cpu);
    free(normals);
    free(want);
    free(got);
}

static void test_the_kernel_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    const bridge_case cases[] = {
        /* as chosen: compiled in, as data, many dimensions */
        BRIDGE(64, 1, BISECT, 700, 704, .single = true),
        BRIDGE(64, 1, RANDOM, 301, 302, .increments = true),
        BRIDGE(17, 4, RANDOM, 150, 150, .lower = true),
        BRIDGE(300, 1, RANDOM, 1029, 1032, .single = true, .increments = true),
        BRIDGE(9, 8, BISECT, 130, 132, .increments = true),
        BRIDGE(1, 1, BISECT, 3, 3),
        BRIDGE(40, 1, FORWARD, 260, 260, .single = true, .increments = true),
        BRIDGE(12, 9, BISECT, 131, 131, .increments = true, .lower = true),
        BRIDGE(11, 64, RANDOM, 5, 8, .single = true),
        /* what the bench holds side by side: without registers and prefetching, with either, with
           both */
        BRIDGE(64, 1, BISECT, 300, 300, .single = true, .shape.paths = 4, .shape.threads = 64,
               .shape.stack = LEVY_BRIDGE_STACK_SHARED, .shape.streams = true),
        BRIDGE(64, 1, RANDOM, 300, 300, .single = true, .increments = true, .shape.paths = 4,
               .shape.threads = 64, .shape.ahead = 8, .shape.stack = LEVY_BRIDGE_STACK_SHARED),
        BRIDGE(64, 1, BISECT, 300, 300, .increments = true, .shape.paths = 2, .shape.threads = 64,
               .shape.registers = true, .shape.stack = LEVY_BRIDGE_STACK_SHARED),
        BRIDGE(200, 2, RANDOM, 300, 300, .shape.paths = 2, .shape.threads = 64, .shape.ahead = 4,
               .shape.registers = true, .shape.stack = LEVY_BRIDGE_STACK_SHARED),
        BRIDGE(64, 1, BISECT, 300, 300, .single = true, .shape.paths = 4, .shape.threads = 64,
               .shape.ahead = 8, .shape.ring = LEVY_BRIDGE_RING_SHARED, .shape.registers = true,
               .shape.unrolled = true),
        BRIDGE(70, 2, RANDOM, 300, 300, .single = true, .increments = true, .lower = true,
               .shape.paths = 8, .shape.threads = 32, .shape.ahead = 16,
               .shape.ring = LEVY_BRIDGE_RING_SHARED, .shape.registers = true,
               .shape.stack = LEVY_BRIDGE_STACK_LOCAL),
    };
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) assert_bridge_bits(&cases[i]);
}

/* ---- NVRTC ----------------------------------------------------------------------------------- */

static void compiles(const levy_cuda_calls *calls, const bridge_case *c, const char *architecture)
{
    bridge_parts gpu, cpu;
    char text[LEVY_SHAPE_TEXT_SIZE];
    make_parts(c, &gpu, &cpu);
    assert_int_equal(levy_bridge_shape_write(&gpu.tables, &gpu.shape, text, sizeof text), LEVY_OK);
    nvrtc_compiles(calls, architecture, text, gpu.shape.stack == LEVY_BRIDGE_STACK_LOCAL);
    drop_parts(&gpu);
    drop_parts(&cpu);
}

static void test_nvrtc_compiles_without_spills(void **state)
{
    (void)state;
    const bridge_case cases[] = {BRIDGE(64, 1, BISECT, 0, 0, .single = true),
                                 BRIDGE(64, 1, BISECT, 0, 0, .increments = true),
                                 BRIDGE(1260, 1, BISECT, 0, 0, .single = true, .increments = true),
                                 BRIDGE(252, 3, RANDOM, 0, 0),
                                 BRIDGE(64, 8, BISECT, 0, 0, .single = true, .increments = true),
                                 BRIDGE(16, 64, BISECT, 0, 0, .increments = true, .lower = true),
                                 {64,
                                  1,
                                  BISECT,
                                  true,
                                  false,
                                  false,
                                  0,
                                  0,
                                  {.paths = 4,
                                   .threads = 128,
                                   .ahead = 8,
                                   .ring = LEVY_BRIDGE_RING_BULK,
                                   .stack = LEVY_BRIDGE_STACK_SHARED,
                                   .registers = true,
                                   .streams = true}},
                                 /* take NVRTC longest: by night */
                                 BRIDGE(64, 4, RANDOM, 0, 0, .single = true, .lower = true),
                                 BRIDGE(96, 1, RANDOM, 0, 0, .increments = true)};
    const size_t n = sizeof cases / sizeof *cases - (LEVY_TEST_FULL ? 0 : 2);
    levy_cuda_calls calls = load_nvrtc();
    for (size_t i = 0; i < n; ++i) compiles(&calls, &cases[i], "sm_90");
    compiles(&calls, &cases[0], "sm_80");
    calls.unload(&calls);
}

/* ---- A fake driver --------------------------------------------------------------------------- */

static levy_status bridge_on_fake(const void *subject, levy_kernel_made *made)
{
    const bridge_parts *const b = subject;
    levy_cuda *cuda = NULL;
    void *bridge = NULL;
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK)
        status = levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_BRIDGE, &b->tables,
                                         &bridge, why);
    if (status == LEVY_OK) {
        const levy_bridge_call call = {.normals = (void *)4096,
                                       .output = (void *)65536,
                                       .n_paths = 1003,
                                       .stride = 1004,
                                       .stream = &fake};
        levy_cuda_object_describe(bridge, made);
        status = levy_cuda_object_run(bridge, &call, why);
    }
    levy_cuda_object_destroy(bridge);
    levy_cuda_close(cuda);
    return status;
}

static void test_a_launch_covers_all_paths_on_the_callers_stream(void **state)
{
    (void)state;
    bridge_parts gpu, cpu;
    levy_kernel_made made;
    make_parts(&(bridge_case)BRIDGE(64, 1, BISECT, 0, 0, .single = true), &gpu, &cpu);
    assert_int_equal(bridge_on_fake(&gpu, &made), LEVY_OK);
    assert_int_equal(fake.bridge_paths, 1003);
    assert_int_equal(fake.bridge_stride, 1004);
    assert_ptr_equal(fake.bridge_stream, &fake);
    assert_int_equal(fake.launches, 1003 % gpu.shape.paths ? 2 : 1);
    assert_int_equal(fake.held, 0);
    assert_int_equal(made.registers, 40);
    assert_int_equal(made.blocks_per_processor, 3);
    assert_int_equal(made.paths_per_thread, gpu.shape.paths);
    drop_parts(&gpu);
    drop_parts(&cpu);
}

static void test_too_little_shared_memory_is_told_in_words(void **state)
{
    (void)state;
    bridge_parts gpu, cpu;
    levy_kernel_made made;
    make_parts(&(bridge_case)BRIDGE(300, 2, RANDOM, 0, 0, .increments = true), &gpu, &cpu);
    fake.shared_limit = 2 << 10;
    assert_int_equal(bridge_on_fake(&gpu, &made), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "has 2 KiB of shared memory, this bridge takes "));
    assert_int_equal(fake.launches, 0);
    assert_int_equal(fake.held, 0);
    drop_parts(&gpu);
    drop_parts(&cpu);
}

static void test_any_driver_call_may_fail(void **state)
{
    bridge_parts gpu, cpu;
    for (size_t wide = 0; wide < 2; ++wide) {
        make_parts(&(bridge_case)BRIDGE(300, wide ? 12 : 2, RANDOM, 0, 0, .increments = true), &gpu,
                   &cpu);
        each_driver_call_fails(state, bridge_on_fake, &gpu);
        drop_parts(&gpu);
        drop_parts(&cpu);
    }
}

static void test_any_allocation_may_fail(void **state)
{
    bridge_parts gpu, cpu;
    make_parts(&(bridge_case)BRIDGE(300, 2, RANDOM, 0, 0, .increments = true), &gpu, &cpu);
    each_allocation_fails(state, bridge_on_fake, &gpu);
    drop_parts(&gpu);
    drop_parts(&cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_kernel_has_the_bits_of_the_cpu),
        cmocka_unit_test_setup_teardown(test_nvrtc_compiles_without_spills, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_a_launch_covers_all_paths_on_the_callers_stream, reset,
                                        check_closed),
        cmocka_unit_test_setup_teardown(test_too_little_shared_memory_is_told_in_words, reset,
                                        check_closed),
        cmocka_unit_test_setup_teardown(test_any_driver_call_may_fail, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_any_allocation_may_fail, reset, check_closed),
    };
    return cmocka_run_group_tests(tests, emulated_set_up, emulated_tear_down);
}
