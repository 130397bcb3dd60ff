/* test_cuda_curand.c: cuRAND's words in a GPU's memory (curand_device.h) over the fake driver,
 * whose memory is the host's: cuRAND's host generators stand in for those of a GPU. Every run of
 * points and dimensions has the words of the host's route; whichever call fails, nothing stays.
 * Skips without cuRAND. */
#include "tests/cmocka_all.h"

#include "engine/run/curand_device.h"
#include "kernels/points/points.h"
#include "tests/fake_backend.h"

#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = 5, POINTS = 10000, STRIDE = POINTS + 3 };

static char why[LEVY_REASON_SIZE];
static int streams, fails_at, calls_made;
static const levy_curand_calls *library;

static int stand_in_stream(void *generator, void *stream)
{
    (void)generator;
    (void)stream;
    ++streams;
    return ++calls_made == fails_at ? 201 : 0;
}

static int stand_in_generate(void *generator, uint32_t *words, size_t count)
{
    if (++calls_made == fails_at) return 201;
    if (fake.depth < 1) ++fake.misuse; /* it needs a context */
    return library->generate(generator, words, count);
}

static int stand_in_create(void **generator, int kind)
{
    if (++calls_made == fails_at) return 102;
    if (fake.depth < 1) ++fake.misuse;
    return library->create(generator, kind);
}

static levy_curand_calls stand_in(void)
{
    if (levy_curand_load(&library, why) != LEVY_OK) {
        print_message("skipped: %s\n", why);
        skip();
    }
    levy_curand_calls calls = *library;
    calls.create = NULL;
    calls.create_there = stand_in_create;
    calls.set_stream = stand_in_stream;
    calls.generate = stand_in_generate;
    streams = fails_at = calls_made = 0;
    return calls;
}

static void *open_fake(void)
{
    void *state;
    const levy_backend_options options = {
        .memory = &levy_memory_default, .device = -1, .no_cache = true};
    fake_cuda_reset();
    assert_int_equal(fake_backend.open(&options, &state, why), LEVY_OK);
    return state;
}

typedef struct curand_case {
    int32_t kind;
    uint32_t first, count;
    uint64_t from;
    size_t n;
} curand_case;

static levy_status words_there(const levy_curand_calls *calls, const curand_case *c, uint32_t *to)
{
    void *const state = open_fake(), *memory = NULL;
    const levy_normals_tables tables = {.generator = POINTS_GIVEN_WORDS,
                                        .output = LEVY_NORMALS_WORD,
                                        .n_dimensions = DIMENSIONS,
                                        .first = c->first,
                                        .count = c->count};
    levy_curand_device device = {0};
    levy_status status = levy_curand_device_open(calls, &levy_memory_default, &fake_backend, state,
                                                 c->kind, &tables, 7, 2, &device, why);
    assert_int_equal(fake_backend.memory_take(state, DIMENSIONS * STRIDE * 4, &memory, why),
                     LEVY_OK);
    levy_normals_call call = {.output = memory,
                              .first = c->from,
                              .n_points = c->n,
                              .stride = c->n < 9 ? c->n : STRIDE,
                              .stream = fake_backend.stream(state)};
    if (status == LEVY_OK) status = levy_curand_device_generate(&device, &call, why);
    call.stream = NULL; /* once more, elsewhere */
    if (status == LEVY_OK) status = levy_curand_device_generate(&device, &call, why);
    if (status == LEVY_OK)
        for (uint32_t d = 0; d < c->count; ++d)
            memcpy(to + d * c->n, (uint32_t *)memory + d * call.stride, c->n * sizeof *to);
    levy_curand_device_close(&device);
    fake_backend.memory_give(state, memory);
    fake_backend.close(state);
    assert_int_equal(fake.misuse, 0);
    assert_int_equal(fake.held, 0);
    return status;
}

static void test_words_are_those_of_the_host(void **state)
{
    static const curand_case cases[] = {{LEVY_CURAND_SOBOL, 0, DIMENSIONS, 4095, POINTS},
                                        {LEVY_CURAND_SOBOL, 0, DIMENSIONS, 77, 8},
                                        {LEVY_CURAND_SOBOL, 3, 2, 9, 1},
                                        {LEVY_CURAND_SCRAMBLED_SOBOL, 1, 3, 0, POINTS},
                                        {LEVY_CURAND_MRG32K3A, 0, DIMENSIONS, 0, 8192},
                                        {LEVY_CURAND_MRG32K3A, 2, 2, 4093, 5000}};
    static uint32_t got[DIMENSIONS * POINTS], all[DIMENSIONS * POINTS];
    const levy_curand_calls calls = stand_in();
    (void)state;
    for (size_t i = 0; i < (LEVY_SANITIZED ? 4 : sizeof cases / sizeof *cases); ++i) {
        const curand_case *const c = &cases[i];
        levy_curand_points points;
        assert_int_equal(words_there(&calls, c, got), LEVY_OK);
        assert_int_equal(levy_curand_points_open(library, &levy_memory_default, c->kind, DIMENSIONS,
                                                 7, 2, false, &points, why),
                         LEVY_OK);
        assert_int_equal(levy_curand_points_words(&points, c->from, c->n, all, why), LEVY_OK);
        levy_curand_points_close(&points);
        assert_memory_equal(got, all + c->first * c->n, c->count * c->n * sizeof *got);
    }
    assert_true(streams > 0);
}

static void test_whichever_call_fails_nothing_stays(void **state)
{
    static const curand_case c = {LEVY_CURAND_SCRAMBLED_SOBOL, 1, 3, 0, 5000};
    static uint32_t got[DIMENSIONS * POINTS];
    levy_curand_calls calls = stand_in();
    (void)state;
    for (fails_at = 1;; ++fails_at) {
        calls_made = 0;
        const levy_status status = words_there(&calls, &c, got);
        if (calls_made < fails_at) break;
        assert_int_equal(status, fails_at == 1 ? LEVY_MEMORY : LEVY_DEVICE);
        assert_non_null(strstr(why, "cuRAND failed at"));
    }
    assert_int_equal(fails_at, 6); /* one to make it, two a call */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words_are_those_of_the_host),
                                       cmocka_unit_test(test_whichever_call_fails_nothing_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
