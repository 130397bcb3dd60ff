/* contract_arrays.c: what no device, thread or split may change in the arrays of the parts that
 * stand alone. Each case is computed on the CPU by one thread in one call. The bits of several
 * threads, of each instruction set, of two calls and, where one is named, of a GPU are compared
 * with it. A call from another number on must give other bits, so that no comparison is idle. */
#include "tests/contract_arrays.h"

#include "tests/cmocka_all.h"

#include "tests/contract_memory.h"
#include "tests/contract_rooms.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FILL_FIRST = 0xa5, FILL_OTHER = 0x5a };

static const char *arrays_device;
static const char *const *arrays_sets;
static levy_context *arrays_context;

static bool on_gpu(const arrays_place *place) { return strcmp(place->device, "cpu") != 0; }

static size_t arrays_bytes(const arrays_case *one)
{
    return one->rows ? one->rows * ARRAYS_ROW * one->bytes : one->bytes;
}

static void assert_done(int status, const arrays_place *place, const arrays_case *one)
{
    if (status == LEVY_STATUS_OK) return;
    const levy_diagnostic *const d = levy_diagnostic_get(place->context, 0);
    fail_msg("%s on %s, %s, %u threads: %s", one->name, place->device, place->isa, place->threads,
             d ? d->text : levy_status_message(status));
}

/* The numbers from..to of a run that begins at `first`, by one call. */
static void call_part(const arrays_room *room, const arrays_place *place, const arrays_case *one,
                      void *made, const arrays_input *inputs, void *const *at, char *output,
                      uint64_t first, size_t from, size_t to)
{
    arrays_call call = {.first = first + from,
                        .count = to - from,
                        .output = output + (one->rows ? from * one->bytes : 0)};
    for (size_t i = 0; i < ARRAYS_INPUTS; ++i)
        if (at[i]) call.inputs[i] = (const char *)at[i] + (size_t)(first + from) * inputs[i].step;
    assert_done(room->call(made, place, one, &call), place, one);
}

/* ARRAYS_COUNT numbers from `first` on, by two calls where `split` is not 0. */
static void run(const arrays_room *room, const arrays_place *place, const arrays_case *one,
                size_t split, uint64_t first, char *output)
{
    arrays_input inputs[ARRAYS_INPUTS] = {{NULL, 0, 0}};
    void *at[ARRAYS_INPUTS] = {NULL}, *made = NULL;
    const size_t bytes = arrays_bytes(one);
    if (room->inputs) room->inputs(one, inputs);
    for (size_t i = 0; i < ARRAYS_INPUTS; ++i)
        if (inputs[i].from)
            at[i] = on_gpu(place) ? contract_gpu_copy(inputs[i].from, inputs[i].bytes)
                                  : (void *)(uintptr_t)inputs[i].from;
    char *const to = on_gpu(place) ? contract_gpu_copy(output, bytes) : output;
    assert_done(room->create(place, one, &made), place, one);
    if (split) call_part(room, place, one, made, inputs, at, to, first, 0, split);
    call_part(room, place, one, made, inputs, at, to, first, split, ARRAYS_COUNT);
    if (on_gpu(place)) {
        contract_gpu_take(to, output, bytes); /* waits: only then is `made` no longer needed */
        for (size_t i = 0; i < ARRAYS_INPUTS; ++i)
            if (at[i]) contract_gpu_take(at[i], NULL, 0);
    }
    room->destroy(made);
}

/* `output` filled, but for counts, to which a call adds. */
static void fill(const arrays_case *one, char *output, int with)
{
    memset(output, one->rows ? with : 0, arrays_bytes(one));
}

static bool same_bits(const arrays_case *one, const char *a, const char *b)
{
    if (!one->rows) return memcmp(a, b, one->bytes) == 0;
    for (size_t r = 0; r < one->rows; ++r) {
        const size_t at = r * ARRAYS_ROW * one->bytes;
        if (memcmp(a + at, b + at, ARRAYS_COUNT * one->bytes) != 0) return false;
    }
    return true;
}

/* What lies between the numbers and the stride is the caller's. */
static void assert_margin_kept(const arrays_case *one, const char *output)
{
    for (size_t r = 0; r < one->rows; ++r)
        for (size_t k = 0; k < one->bytes; ++k)
            assert_int_equal(
                (unsigned char)output[(r * ARRAYS_ROW + ARRAYS_COUNT) * one->bytes + k],
                FILL_OTHER);
}

static void compare(const arrays_room *room, const arrays_place *place, const arrays_case *one,
                    size_t split, const char *expected, char *output)
{
    fill(one, output, FILL_OTHER);
    run(room, place, one, split, 0, output);
    if (!same_bits(one, expected, output))
        fail_msg("%s: other bits on %s, %s, %u threads, split at %zu", one->name, place->device,
                 place->isa, place->threads, split);
    assert_margin_kept(one, output);
}

static void compare_processors(const arrays_room *room, const arrays_place *plain,
                               const arrays_case *one, const char *expected, char *output)
{
    arrays_place place = *plain;
    for (place.threads = 2; place.threads <= 5; place.threads += 3)
        compare(room, &place, one, 0, expected, output);
    place.threads = 2;
    if (LEVY_SANITIZED == 2) return; /* ThreadSanitizer has seen these threads */
    for (const char *const *set = arrays_sets; *set; ++set) {
        place.isa = *set;
        compare(room, &place, one, 0, expected, output);
    }
}

static void each_case(const arrays_room *room)
{
    const arrays_place plain = {arrays_context, "cpu", "auto", 1},
                       other = {arrays_context, arrays_device, "auto", 2};
    for (size_t c = 0; c < room->n_cases; ++c) {
        const arrays_case *const one = &room->cases[c];
        char *const expected = malloc(arrays_bytes(one)), *const output = malloc(arrays_bytes(one));
        assert_true(expected && output);
        fill(one, expected, FILL_FIRST);
        run(room, &plain, one, 0, 0, expected);
        if (on_gpu(&other))
            compare(room, &other, one, 0, expected, output);
        else
            compare_processors(room, &plain, one, expected, output);
        compare(room, &other, one, 4099, expected, output); /* odd: no lane, no tile ends there */
        fill(one, output, FILL_OTHER);
        run(room, &plain, one, 0, 1, output);
        assert_false(same_bits(one, expected, output));
        free(expected);
        free(output);
    }
}

#define ARRAYS_TEST(room)                                                                          \
    static void test_##room##_have_the_same_bits(void **state)                                     \
    {                                                                                              \
        (void)state;                                                                               \
        each_case(&contract_##room);                                                               \
    }
ARRAYS_TEST(normals)
ARRAYS_TEST(bridge)
ARRAYS_TEST(paths)
ARRAYS_TEST(sampler)
ARRAYS_TEST(draws)
ARRAYS_TEST(distributions)

static int open_all(void **state)
{
    (void)state;
    const levy_context_options options = {.struct_size = sizeof options,
                                          .module_dir = getenv("LEVY_TEST_MODULE_DIR")};
    if (levy_context_create(&options, &arrays_context) != LEVY_STATUS_OK) return -1;
    if (strcmp(arrays_device, "cpu") != 0) contract_gpu_open(arrays_device);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    levy_context_destroy(arrays_context);
    if (strcmp(arrays_device, "cpu") != 0) contract_gpu_close();
    return 0;
}

int contract_arrays(const char *device, const char *configs, const char *const *sets)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_normals_have_the_same_bits),
        cmocka_unit_test(test_bridge_have_the_same_bits),
        cmocka_unit_test(test_paths_have_the_same_bits),
        cmocka_unit_test(test_sampler_have_the_same_bits),
        cmocka_unit_test(test_draws_have_the_same_bits),
        cmocka_unit_test(test_distributions_have_the_same_bits),
    };
    arrays_device = device;
    arrays_sets = sets;
    contract_rooms_start(configs);
    return cmocka_run_group_tests_name("arrays", tests, open_all, close_all);
}
