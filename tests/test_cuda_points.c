/* test_cuda_points.c: the stand-alone normals' CUDA side without a GPU: normals.cu's own code,
 * compiled as C++ and run on the host, against the CPU's bits; NVRTC's word on spills; launches and
 * failures over a fake driver. The first skips without a C++ compiler, the second without NVRTC. */
#include "tests/cuda_fixture.h"
#include "tests/emulated.h"

#include "engine/run/backend_list.h"
#include "kernels/cuda/device/paths_launch.h"
#include "kernels/cuda/device/standalone.h"
#include "kernels/lane/scalar.h"
#include "kernels/points/sobol_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct points_case {
    int generator, output;
    bool single;
    uint32_t n_dimensions, first_dimension, count;
    uint64_t first;
    size_t n, stride, offset; /* numbers before the first one */
    uint32_t shared_limit;    /* 0: LARGE_LIMIT */
} points_case;

enum { LARGE_LIMIT = 227 << 10 }; /* shared memory that a block may have */

/* A net of five dimensions and 2^14 points, of random digits. */
static levy_net random_net(uint32_t numbers[5 * 32])
{
    uint32_t random = 1;
    memset(numbers, 0, 5 * 32 * sizeof *numbers);
    for (size_t d = 0; d < 5; ++d)
        for (size_t j = 0; j < 14; ++j) {
            random = random * 1664525u + 1013904223u;
            numbers[32 * d + j] = random ^ random >> 16;
        }
    return (levy_net){.n_dimensions = 5, .n_columns = 14, .numbers = numbers};
}

static void make_tables(const points_case *c, levy_normals_tables *t)
{
    uint32_t numbers[5 * 32];
    const levy_net net = random_net(numbers);
    const bool from_net = c->generator == LEVY_NORMALS_NET;
    *t = (levy_normals_tables){.output = c->output,
                               .single = c->single,
                               .n_dimensions = c->n_dimensions,
                               .first = c->first_dimension,
                               .count = c->count};
    assert_int_equal(
        levy_normals_tables_create(&levy_memory_default,
                                   &(levy_normals_settings){.generator = c->generator,
                                                            .seed = 7,
                                                            .replicate = 3,
                                                            .net = from_net ? &net : NULL,
                                                            .scrambling = LEVY_SCRAMBLING_SHIFT},
                                   t),
        LEVY_OK);
}

static size_t number_bytes(const points_case *c)
{
    return c->output == LEVY_NORMALS_WORD || c->single ? 4 : 8;
}

/* ---- The kernel's own code ------------------------------------------------------------------- */

/* Words that another library has made, for both ways of laying them out. */
enum { GIVEN_CHUNK = 1024, GIVEN_CHUNKS = 4, GIVEN_SKIP = 1001, GIVEN_DIMENSIONS = 7 };
static uint32_t given_words[GIVEN_CHUNKS][GIVEN_DIMENSIONS][GIVEN_CHUNK];
static uint32_t given_shifts[GIVEN_DIMENSIONS];

static void give_words(const points_case *c, uint32_t *rows)
{
    uint32_t random = 7, *const all = &given_words[0][0][0];
    for (size_t i = 0; i < sizeof given_words / sizeof *all; ++i)
        all[i] = random = random * 1664525u + 1013904223u;
    for (uint32_t d = 0; d < GIVEN_DIMENSIONS; ++d) given_shifts[d] = 0x9e3779b9u * (d + 1);
    for (uint32_t d = 0; d < c->count; ++d)
        for (size_t i = 0; i < c->n; ++i) {
            const size_t j = GIVEN_SKIP + i, row = c->first_dimension + d;
            rows[d * c->n + i] =
                given_words[j / GIVEN_CHUNK][row][j % GIVEN_CHUNK] ^ given_shifts[row];
        }
}

static void emulate_points(const levy_normals_tables *t, const points_case *c, const char *want,
                           size_t bytes)
{
    char text[512];
    levy_normals_shape shape;
    levy_normals_grid grid;
    levy_normals_arguments arguments;
    const bool given = c->generator == LEVY_NORMALS_CURAND_SOBOL;
    const size_t own = levy_normals_data_bytes(t), size = own + (given ? sizeof given_words : 0);
    char *const data = malloc(size + 1);
    levy_normals_data_write(t, data);
    if (given) memcpy(data + own, given_words, sizeof given_words);
    const levy_normals_call call = {.output = (void *)(4096 + c->offset * number_bytes(c)),
                                    .first = c->first,
                                    .n_points = c->n,
                                    .stride = c->stride,
                                    .words = (uint32_t *)own + t->first * GIVEN_CHUNK,
                                    .chunk = GIVEN_CHUNK,
                                    .skip = GIVEN_SKIP};
    levy_normals_shape_choose(t, c->shared_limit ? c->shared_limit : LARGE_LIMIT, &shape);
    assert_int_equal(levy_normals_launch_write(t, &shape, &call, 4096, 1, &grid, &arguments),
                     LEVY_OK);
    levy_normals_shape_write(t, &shape, text, sizeof text);
    emulated_write_shape(text);
    const uint64_t head[5] = {grid.x, grid.y, bytes, c->offset * number_bytes(c), size};
    FILE *f = emulated_open("input", "wb");
    emulated_put(f, head, sizeof head);
    emulated_put(f, &arguments, sizeof arguments);
    emulated_put(f, data, size);
    free(data);
    assert_int_equal(fclose(f), 0);
    emulated_run("normals_host.cpp", true);
    char *const got = emulated_output(bytes);
    if (t->single && t->output == LEVY_NORMALS_NORMAL) {
        /* the CPU has no table: 4.8e-7 beside its own error */
        for (size_t i = 0; i < bytes; i += sizeof(float)) {
            float a, b;
            memcpy(&a, got + i, sizeof a);
            memcpy(&b, want + i, sizeof b);
            if (memcmp(&a, &b, sizeof a) != 0) assert_true(fabsf(a - b) < 1.2e-6f);
        }
        free(got);
        return;
    }
    if (memcmp(got, want, bytes) != 0)
        print_error("generator %d output %d single %d: other bits\n", c->generator, c->output,
                    c->single);
    assert_memory_equal(got, want, bytes);
    free(got);
}

static void assert_bits(const points_case *c)
{
    void *state, *normals;
    levy_normals_tables t;
    const size_t size = number_bytes(c), bytes = (c->offset + c->count * c->stride) * size;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    char *const want = aligned_alloc(64, (bytes + 63) / 64 * 64);
    make_tables(c, &t);
    const bool given = c->generator == LEVY_NORMALS_CURAND_SOBOL;
    uint32_t *const rows = given ? malloc(c->count * c->n * sizeof *rows + 64) : NULL;
    if (given) {
        give_words(c, rows);
        t.shifts = given_shifts + c->first_dimension;
    }
    memset(want, 0xff, bytes);
    const levy_normals_call call = {.output = want + c->offset * size,
                                    .first = c->first,
                                    .n_points = c->n,
                                    .stride = c->stride,
                                    .words = rows};
    assert_int_equal(levy_backend_cpu.open(&o, &state, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_create(state, LEVY_OBJECT_NORMALS, &t, &normals, why),
                     LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_run(normals, &call, why), LEVY_OK);
    levy_backend_cpu.object_destroy(normals);
    levy_backend_cpu.close(state);
    emulate_points(&t, c, want, bytes);
    levy_normals_tables_release(&levy_memory_default, &t);
    free(rows);
    free(want);
}

static void test_the_kernel_has_the_bits_of_the_cpu(void **state)
{
    (void)state;
    const points_case cases[] = {
        {LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_NORMAL, false, 9, 0, 9, 0, 5000, 5000, 0, 0},
        {LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_NORMAL, false, 9, 2, 3, 4093, 777, 779, 1,
         64 << 10},
        {LEVY_NORMALS_SOBOL, LEVY_NORMALS_WORD, true, 70, 60, 10, 4095, 9000, 9004, 3, 0},
        {LEVY_NORMALS_SOBOL, LEVY_NORMALS_WORD, false, 3, 0, 3, 4294967296 - 9000, 9000, 9000, 0,
         0},
        {LEVY_NORMALS_SOBOL, LEVY_NORMALS_UNIFORM, true, 5, 0, 5, 8, 8192, 8192, 0, 0},
        {LEVY_NORMALS_NET, LEVY_NORMALS_WORD, true, 5, 1, 4, 16384 - 9001, 9001, 9004, 0, 0},
        {LEVY_NORMALS_PHILOX, LEVY_NORMALS_NORMAL, false, 11, 3, 7, 4294967000, 1001, 1002, 0,
         36 << 10},
        {LEVY_NORMALS_PHILOX, LEVY_NORMALS_WORD, true, 64, 0, 64, 3, 1024, 1024, 0, 0},
        {LEVY_NORMALS_SOBOL_SCRAMBLED, LEVY_NORMALS_NORMAL, true, 5, 1, 4, 3, 20011, 20011, 1, 0},
        {LEVY_NORMALS_PHILOX, LEVY_NORMALS_NORMAL, true, 5, 1, 4, 3, 2011, 2012, 0, 0},
        {LEVY_NORMALS_MRG32K3A, LEVY_NORMALS_NORMAL, true, 2, 0, 2, 3, 2011, 2012, 0, 0},
        {LEVY_NORMALS_MRG32K3A, LEVY_NORMALS_NORMAL, false, 6, 0, 6, 5, 9001, 9002, 0, 16 << 10},
        {LEVY_NORMALS_MRG32K3A, LEVY_NORMALS_WORD, true, 7, 2, 3, 1000001, 20003, 20005, 1, 0},
        {LEVY_NORMALS_CURAND_SOBOL, LEVY_NORMALS_WORD, true, 7, 0, 7, 5, 3001, 3004, 0, 0},
        {LEVY_NORMALS_CURAND_SOBOL, LEVY_NORMALS_NORMAL, false, 7, 2, 4, 5, 3003, 3003, 1, 1 << 10},
        {LEVY_NORMALS_CURAND_SOBOL, LEVY_NORMALS_NORMAL, true, 7, 6, 1, 5, 999, 999, 0, 0},
    };
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) assert_bits(&cases[i]);
}

/* ---- Paths ----------------------------------------------------------------------------------- */

typedef struct paths_case {
    int generator;
    bool single, increments, exponential;
    uint32_t n, d;
    uint64_t first;
    size_t paths, stride, offset;
    uint32_t shared; /* of the shape: what is expected */
} paths_case;

typedef struct paths_parts {
    levy_bridge_program program;
    levy_bridge_tables bridge;
    levy_normals_tables normals;
    double drift[64];
    levy_paths_tables tables;
} paths_parts;

/* Forward by halves: an order that keeps neighbours in slots and in registers. */
static void make_paths(const paths_case *c, bool registers, paths_parts *p)
{
    double times[4096], factor[64];
    uint32_t order[4096];
    memset(p, 0, sizeof *p);
    for (uint32_t i = 0; i <= c->n; ++i) times[i] = 0.1 * i + 0.01 * (i % 3);
    for (uint32_t i = 0; i < c->d * c->d; ++i)
        factor[i] = i % c->d <= i / c->d ? 0.25 + 0.125 * (i % 5) : 0.0;
    assert_true(levy_bridge_first(c->n, NULL, 0, order));
    assert_int_equal(levy_bridge_program_create(&levy_memory_default, c->n, times, order, registers,
                                                levy_sqrt, &p->program, why),
                     LEVY_OK);
    const levy_bridge_settings settings = {
        .n_dimensions = c->d, .single = c->single, .increments = c->increments, .factor = factor};
    assert_int_equal(
        levy_bridge_tables_create(&levy_memory_default, &p->program, &settings, &p->bridge, why),
        LEVY_OK);
    make_tables(&(points_case){.generator = c->generator,
                               .single = c->single,
                               .n_dimensions = c->n * c->d,
                               .count = c->n * c->d},
                &p->normals);
    for (uint32_t i = 0; i < 64; ++i) p->drift[i] = 0.01 * i;
    const bool drifts = c->exponential && c->n * c->d <= 64 && !c->single;
    p->tables = (levy_paths_tables){.bridge = &p->bridge,
                                    .normals = &p->normals,
                                    .drift = drifts ? p->drift : NULL,
                                    .exponential = c->exponential};
}

static void drop_paths(paths_parts *p)
{
    levy_normals_tables_release(&levy_memory_default, &p->normals);
    levy_memory_release(&levy_memory_default, (void *)(uintptr_t)p->bridge.instructions);
    levy_bridge_program_release(&p->program);
}

static void paths_on_the_cpu(const paths_parts *p, const levy_normals_call *call)
{
    void *state, *paths;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    assert_int_equal(levy_backend_cpu.open(&o, &state, why), LEVY_OK);
    assert_int_equal(
        levy_backend_cpu.object_create(state, LEVY_OBJECT_PATHS, &p->tables, &paths, why), LEVY_OK);
    assert_int_equal(levy_backend_cpu.object_run(paths, call, why), LEVY_OK);
    levy_backend_cpu.object_destroy(paths);
    levy_backend_cpu.close(state);
}

static void emulate_paths(const paths_parts *p, const paths_case *c, const char *want, size_t bytes)
{
    static char text[1 << 14];
    levy_paths_shape shape;
    levy_paths_arguments arguments;
    const size_t number = c->single ? 4 : 8;
    const levy_normals_call call = {.output = (void *)(4096 + c->offset * number),
                                    .first = c->first,
                                    .n_points = c->paths,
                                    .stride = c->stride};
    levy_paths_shape_choose(&p->tables, 227 << 10, &shape);
    assert_int_equal(shape.shared, c->shared);
    assert_int_equal(levy_paths_launch_write(&p->tables, &shape, &call, 4096, 1, &arguments), 1);
    assert_int_equal(levy_paths_shape_write(&p->tables, &shape, text, sizeof text), LEVY_OK);
    const size_t constants = levy_bridge_constants_size(&p->bridge, &shape.bridge);
    char *const data = calloc(1, shape.data_bytes + constants);
    levy_paths_data_write(&p->tables, &shape, data);
    levy_bridge_constants_write(&p->bridge, &shape.bridge, data + shape.data_bytes);
    emulated_write_shape(text);
    const uint64_t head[4] = {bytes, c->offset * number, shape.data_bytes, constants};
    FILE *f = emulated_open("input", "wb");
    emulated_put(f, head, sizeof head);
    emulated_put(f, &arguments, sizeof arguments);
    emulated_put(f, data, shape.data_bytes + constants);
    assert_int_equal(fclose(f), 0);
    free(data);
    emulated_run("paths_host.cpp", true);
    char *const got = emulated_output(bytes);
    for (size_t i = 0; c->single && i < bytes; i += sizeof(float)) {
        float a, b;
        memcpy(&a, got + i, sizeof a);
        memcpy(&b, want + i, sizeof b);
        if (memcmp(&a, &b, sizeof a) != 0) assert_true(fabsf(a - b) < 3e-5f * (1.0f + fabsf(b)));
    }
    if (!c->single) assert_memory_equal(got, want, bytes);
    free(got);
}

static void test_paths_have_the_bits_of_the_cpu(void **state)
{
    (void)state;
    static paths_parts gpu, cpu;
    const paths_case cases[] = {
        {LEVY_NORMALS_SOBOL_SCRAMBLED, false, false, false, 64, 1, 0, 1500, 1500, 0, 2},
        {LEVY_NORMALS_SOBOL_SCRAMBLED, false, false, true, 20, 3, 509, 1300, 1301, 1, 2},
        {LEVY_NORMALS_SOBOL, true, true, false, 33, 1, 4, 3000, 3004, 0, 2},
        {LEVY_NORMALS_SOBOL, true, false, false, 64, 1, 2048 * 5, 2048 * 4 + 8, 8200, 0, 2},
        {LEVY_NORMALS_SOBOL, false, false, false, 250, 1, 512 * 3 + 2, 512 * 3, 1536, 0, 2},
        {LEVY_NORMALS_SOBOL, false, true, false, 500, 1, 7, 700, 700, 0, 0},
        {LEVY_NORMALS_SOBOL, true, true, false, 250, 1, 7, 700, 700, 0, 1},
        {LEVY_NORMALS_SOBOL, false, false, false, 3000, 2, 7, 600, 600, 0, 0},
        {LEVY_NORMALS_PHILOX, false, false, true, 12, 2, 4294967000, 900, 900, 0, 0},
        {LEVY_NORMALS_MRG32K3A, false, false, false, 17, 2, 1001, 1100, 1100, 0, 0},
    };
    emulated_skip_without_compiler();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const paths_case *const c = &cases[i];
        const size_t number = c->single ? 4 : 8,
                     bytes = (c->offset + (size_t)c->n * c->d * c->stride) * number;
        char *const want = aligned_alloc(64, (bytes + 63) / 64 * 64);
        memset(want, 0xff, bytes);
        make_paths(c, true, &gpu);
        make_paths(c, false, &cpu);
        paths_on_the_cpu(&cpu, &(levy_normals_call){.output = want + c->offset * number,
                                                    .first = c->first,
                                                    .n_points = c->paths,
                                                    .stride = c->stride});
        emulate_paths(&gpu, c, want, bytes);
        drop_paths(&gpu);
        drop_paths(&cpu);
        free(want);
    }
}

/* ---- NVRTC ----------------------------------------------------------------------------------- */

static void normals_compile(const levy_cuda_calls *calls, const levy_normals_tables *t,
                            const char *architecture)
{
    char text[512];
    levy_normals_shape shape;
    levy_normals_shape_choose(t, LARGE_LIMIT, &shape);
    levy_normals_shape_write(t, &shape, text, sizeof text);
    nvrtc_compiles(calls, architecture, text, true);
}

static void compiles_paths(const levy_cuda_calls *calls, const paths_case *c,
                           const char *architecture)
{
    static paths_parts p;
    static char text[1 << 14];
    levy_paths_shape shape;
    make_paths(c, true, &p);
    levy_paths_shape_choose(&p.tables, 227 << 10, &shape);
    assert_int_equal(levy_paths_shape_write(&p.tables, &shape, text, sizeof text), LEVY_OK);
    nvrtc_compiles(calls, architecture, text, true);
    drop_paths(&p);
}

static void test_nvrtc_compiles_without_spills(void **state)
{
    (void)state;
    levy_cuda_calls calls = load_nvrtc();
    for (int generator = 0; generator < 3; ++generator)
        for (int single = 0; single < 2; ++single)
            normals_compile(&calls,
                            &(levy_normals_tables){.generator = generator,
                                                   .output = LEVY_NORMALS_NORMAL,
                                                   .single = single},
                            "sm_90");
    for (int generator = 0; generator < 4; ++generator)
        for (int single = 0; single < 2; ++single)
            compiles_paths(&calls,
                           &(paths_case){.generator = generator,
                                         .single = single,
                                         .exponential = single,
                                         .increments = !single,
                                         .n = 64,
                                         .d = generator == 1 ? 3 : 1},
                           generator == 3 ? "sm_80" : "sm_90");
    normals_compile(&calls, &(levy_normals_tables){.output = LEVY_NORMALS_WORD}, "sm_80");
    normals_compile(&calls, &(levy_normals_tables){.output = LEVY_NORMALS_UNIFORM, .single = 1},
                    "sm_80");
    calls.unload(&calls);
}

/* ---- A fake driver --------------------------------------------------------------------------- */

static const points_case fake_case = {
    LEVY_NORMALS_MRG32K3A, LEVY_NORMALS_NORMAL, false, 6, 0, 6, 5, 1003, 1004, 0, 0};

static levy_status normals_on_fake(const void *subject, levy_kernel_made *made)
{
    const levy_normals_tables *const t = subject;
    levy_cuda *cuda = NULL;
    void *normals = NULL;
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK)
        status =
            levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_NORMALS, t, &normals, why);
    if (status == LEVY_OK) {
        const levy_normals_call call = {
            .output = (void *)65536, .first = 5, .n_points = 1003, .stride = 1004, .stream = &fake};
        levy_cuda_object_describe(normals, made);
        status = levy_cuda_object_run(normals, &call, why);
    }
    levy_cuda_object_destroy(normals);
    levy_cuda_close(cuda);
    return status;
}

static void test_a_launch_goes_to_the_callers_stream(void **state)
{
    (void)state;
    levy_normals_tables t;
    levy_kernel_made made;
    make_tables(&fake_case, &t);
    assert_int_equal(normals_on_fake(&t, &made), LEVY_OK);
    assert_ptr_equal(fake.bridge_stream, &fake);
    assert_int_equal(fake.bridge_paths, 1003);
    assert_int_equal(fake.bridge_stride, 1004);
    assert_int_equal(fake.launches, 1);
    assert_int_equal(fake.held, 0);
    assert_int_equal(made.registers, 40);
    assert_int_equal(made.paths_per_thread, 2);
    levy_normals_tables_release(&levy_memory_default, &t);
}

static void test_too_many_points_for_a_grid_are_refused(void **state)
{
    (void)state;
    levy_normals_grid grid;
    levy_normals_arguments arguments;
    const levy_normals_tables t = {.generator = 1, .output = LEVY_NORMALS_UNIFORM, .count = 1};
    const levy_normals_shape shape = {.threads = 256};
    levy_normals_call call = {.n_points = (size_t)0x7fffffff * 512, .stride = 1};
    assert_int_equal(levy_normals_launch_write(&t, &shape, &call, 0, 132, &grid, &arguments),
                     LEVY_OK);
    assert_int_equal(grid.x, 0x7fffffff);
    ++call.n_points;
    assert_int_equal(levy_normals_launch_write(&t, &shape, &call, 0, 132, &grid, &arguments),
                     LEVY_ARGUMENT);
}

static void test_any_driver_call_may_fail(void **state)
{
    levy_normals_tables t;
    make_tables(&fake_case, &t);
    each_driver_call_fails(state, normals_on_fake, &t);
    levy_normals_tables_release(&levy_memory_default, &t);
}

static void test_any_allocation_may_fail(void **state)
{
    levy_normals_tables t;
    make_tables(&fake_case, &t);
    each_allocation_fails(state, normals_on_fake, &t);
    levy_normals_tables_release(&levy_memory_default, &t);
}

static levy_status paths_on_fake(const void *subject, levy_kernel_made *made)
{
    const levy_paths_tables *const t = subject;
    levy_cuda *cuda = NULL;
    void *paths = NULL;
    levy_status status = open_fake(&cuda);
    if (status == LEVY_OK)
        status = levy_cuda_object_create(levy_cuda_device(cuda), LEVY_OBJECT_PATHS, t, &paths, why);
    if (status == LEVY_OK) {
        const levy_normals_call call = {
            .output = (void *)65536, .n_points = 1003, .stride = 1004, .stream = &fake};
        levy_cuda_object_describe(paths, made);
        status = levy_cuda_object_run(paths, &call, why);
    }
    levy_cuda_object_destroy(paths);
    levy_cuda_close(cuda);
    return status;
}

static const paths_case fake_paths = {LEVY_NORMALS_SOBOL, true, false, false, 64, 1, 0, 0, 0, 0, 2};

static void test_paths_too_large_for_a_gpu_are_refused(void **state)
{
    static paths_parts p;
    levy_kernel_made made;
    (void)state;
    make_paths(&(paths_case){.generator = LEVY_NORMALS_SOBOL, .n = 2, .d = 8}, true, &p);
    p.bridge.n_dimensions = 9;
    assert_int_equal(paths_on_fake(&p.tables, &made), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "1 to 8 dimensions, these have 9"));
    drop_paths(&p);
    make_paths(&(paths_case){.generator = LEVY_NORMALS_MRG32K3A, .n = 4000, .d = 5}, true, &p);
    assert_int_equal(paths_on_fake(&p.tables, &made), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "from mrg32k3a, these have 20000"));
    drop_paths(&p);
}

/* Blocks are smaller where a GPU has less shared memory, and too little of it is told in words. */
static void test_paths_keep_to_the_shared_memory_of_a_gpu(void **state)
{
    static paths_parts p;
    levy_kernel_made made;
    levy_paths_shape wide, narrow;
    (void)state;
    make_paths(&fake_paths, true, &p);
    levy_paths_shape_choose(&p.tables, 227 << 10, &wide);
    levy_paths_shape_choose(&p.tables, 64 << 10, &narrow);
    assert_true(wide.shared_bytes > 64 << 10 && narrow.shared_bytes <= 64 << 10);
    assert_int_equal(wide.bridge.threads, 512);
    fake.shared_limit = 64 << 10;
    assert_int_equal(paths_on_fake(&p.tables, &made), LEVY_OK);
    assert_int_equal(made.threads_per_block, narrow.bridge.threads);
    reset(state);
    fake.shared_limit = 16 << 10;
    assert_int_equal(paths_on_fake(&p.tables, &made), LEVY_UNSUPPORTED);
    assert_non_null(strstr(why, "has 16 KiB of shared memory, these paths take 2"));
    assert_int_equal(fake.compiles, 0);
    assert_int_equal(fake.held, 0);
    drop_paths(&p);
}

static void test_paths_go_to_the_callers_stream(void **state)
{
    static paths_parts p;
    levy_kernel_made made;
    (void)state;
    make_paths(&fake_paths, true, &p);
    assert_int_equal(paths_on_fake(&p.tables, &made), LEVY_OK);
    assert_ptr_equal(fake.bridge_stream, &fake);
    assert_int_equal(fake.bridge_paths, 1003);
    assert_int_equal(made.paths_per_thread, 4);
    drop_paths(&p);
}

static void test_any_call_of_paths_may_fail(void **state)
{
    static paths_parts p;
    make_paths(&fake_paths, true, &p);
    each_driver_call_fails(state, paths_on_fake, &p.tables);
    each_allocation_fails(state, paths_on_fake, &p.tables);
    drop_paths(&p);
}

int main(void)
{
    const struct CMUnitTest emulated[] = {
        cmocka_unit_test(test_the_kernel_has_the_bits_of_the_cpu),
        cmocka_unit_test(test_paths_have_the_bits_of_the_cpu),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nvrtc_compiles_without_spills, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_a_launch_goes_to_the_callers_stream, reset,
                                        check_closed),
        cmocka_unit_test(test_too_many_points_for_a_grid_are_refused),
        cmocka_unit_test_setup_teardown(test_any_driver_call_may_fail, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_any_allocation_may_fail, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_paths_go_to_the_callers_stream, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_any_call_of_paths_may_fail, reset, check_closed),
        cmocka_unit_test_setup_teardown(test_paths_too_large_for_a_gpu_are_refused, reset,
                                        check_closed),
        cmocka_unit_test_setup_teardown(test_paths_keep_to_the_shared_memory_of_a_gpu, reset,
                                        check_closed),
    };
    return cmocka_run_group_tests(emulated, emulated_set_up, emulated_tear_down) +
           cmocka_run_group_tests(tests, NULL, NULL);
}
