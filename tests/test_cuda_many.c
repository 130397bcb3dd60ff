/* test_cuda_many.c: one process, several GPUs (fake_module.c in the place of the CUDA module): the
 * same bits on any number of them, for prices, books, tolerances, journals and studies; which GPUs
 * a name means; kernels once per architecture. */
#include "tests/many_case.h"
#include "tests/words.h"

/* the threads of GPUs are the same for each precision, and for three GPUs as for two; four threads
 * of the host are met by night */
enum { PRECISIONS = 3 - LEVY_SANITIZED };
enum { MORE = LEVY_SANITIZED ? 2 : 1 };
enum { MORE_THREADS = LEVY_TEST_FULL ? 3 : 6 };

static void test_a_price_has_the_same_bits_on_any_number_of_gpus(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    static const char *const simulations[] = {
        "paths: 2^18, replicates: 8, seed: 3", "paths: 2^9, replicates: 2, seed: 3",
        "paths: 600001, seed: 3, generator: philox", "paths: 2^18, seed: 3, generator: mrg32k3a"};
    const size_t sizes = LEVY_SANITIZED ? 2 : sizeof simulations / sizeof *simulations;
    for (size_t s = 0; s < sizes; ++s)
        for (size_t p = 0; p < PRECISIONS; ++p) {
            write_one(simulations[s]);
            use(1);
            price_one("cuda", precisions[p], &expected);
            assert_non_null(strstr(expected.bytes, "\"ok\""));
            for (int n = 2; n <= 4; n += MORE) {
                use(n);
                price_one(all, precisions[p], &seen);
                assert_string_equal(seen.bytes, expected.bytes);
                assert_int_equal(at_work(), s == 1 ? 1 : n);
            }
        }
}

/* ---- A book ---- */

/* Groups that fill a GPU and small ones, which stay on one each; Greeks, faults, known amounts. */
static void test_a_book_has_the_same_bits_on_any_number_of_gpus(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    for (size_t p = 0; p < PRECISIONS; ++p) {
        use(1);
        price_many((wish){.precision = precisions[p], .requotes = 3}, 1, &expected);
        for (int n = 2; n <= 4; n += MORE)
            for (uint32_t threads = 1; threads <= 7; threads += MORE_THREADS) {
                use(n);
                price_many((wish){.device = all, .precision = precisions[p], .requotes = 3},
                           threads, &seen);
                assert_string_equal(seen.bytes, expected.bytes);
                assert_int_equal(gpu->held > 0, 1);
                assert_true(threads == 1 ? at_work() == 1 : at_work() > 1);
            }
    }
}

/* One worker would leave all but one GPU idle. */
static void test_a_few_large_groups_are_shared(void **state)
{
    (void)state;
    write_one("paths: 2^16, replicates: 2");
    char *const end = strstr(one_book.bytes, "simulation:");
    one_book.length = (size_t)(end - one_book.bytes);
    for (int i = 2; i < 7; ++i)
        text_add(&one_book,
                 "  - {id: b%d, underlying: A, payoff: {kind: european, option_type: call, strike: "
                 "100}, exercise: {expiry: %d.5}}\n",
                 i, i);
    text_add(&one_book, "simulation: {paths: 2^17, replicates: 2}\n");
    use(1);
    price_one("cuda", "double", &expected);
    use(3);
    price_one(all, "double", &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    assert_int_equal(at_work(), 3);
}

static void test_a_list_takes_the_gpus_it_names(void **state)
{
    (void)state;
    write_one("paths: 2^18, replicates: 2");
    use(1);
    price_one("cuda", "double", &expected);
    use(4);
    price_one("cuda:3,1", "double", &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    assert_int_equal(gpu->launches_on[0] + gpu->launches_on[2], 0);
    assert_true(gpu->launches_on[1] > 0 && gpu->launches_on[3] > 0);
    use(1);
    price_one(all, "double", &seen); /* all are one */
    assert_string_equal(seen.bytes, expected.bytes);
}

/* The faster one gets more, and no bit changes. */
static void test_unlike_gpus_share_double_precision_alone(void **state)
{
    (void)state;
    write_one("paths: 2^18, replicates: 2");
    use(1);
    price_one("cuda", "double", &expected);
    for (int n = 2; n <= 3; ++n) {
        use(n);
        gpu->capabilities[1] = 75;
        gpu->processors[1] = 7;
        price_one(all, "double", &seen);
        char *const isa = strstr(seen.bytes, "sm_90, sm_75");
        assert_non_null(isa);
        memmove(isa + 5, isa + 12, strlen(isa + 12) + 1);
        assert_string_equal(seen.bytes, expected.bytes);
        for (size_t p = 0; p < 2; ++p) {
            price_one(all, p ? "single" : "mixed", &seen);
            assert_non_null(strstr(seen.bytes, "status -1"));
            assert_non_null(strstr(seen.bytes,
                                   "GPUs of several architectures (sm_90, sm_75) share double "
                                   "precision alone: other bits may differ between them: Fake "
                                   "\"0\" (cuda:0), Fake \"1\" (cuda:1)"));
        }
    }
    gpu->capabilities[2] = 90;
    price_one("cuda:0,2", "single", &seen);
    assert_non_null(strstr(seen.bytes, "status 0"));
}

static void test_kernels_are_compiled_once_for_an_architecture(void **state)
{
    (void)state;
    use(1);
    price_many((wish){.requotes = 0}, 7, &expected);
    const long once = gpu->compiles;
    assert_true(once > 1);
    for (int n = 2; n <= 4; ++n) {
        use(n);
        price_many((wish){.device = all}, 7, &seen);
        assert_int_equal(gpu->compiles, once);
    }
    use(4);
    gpu->capabilities[1] = gpu->capabilities[2] = 75;
    price_many((wish){.device = all}, 7, &seen);
    assert_int_equal(gpu->compiles, 2 * once);
}

/* ---- Names ---- */

typedef struct bad_name {
    int devices;
    const char *name;
    int status;
    const char *says;
} bad_name;

static void test_a_bad_list_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const bad_name names[] = {
        {2, "cuda:0,0", LEVY_STATUS_ARGUMENT, "'cuda:0,0' names cuda:0 twice"},
        {2, "cuda:0,7", LEVY_STATUS_DEVICE, "there is no cuda:7: 2 GPUs were found, from cuda:0"},
        {1, "cuda:1,0", LEVY_STATUS_DEVICE, "there is no cuda:1: 1 GPU was found, from cuda:0"},
        {2, "cuda:7", LEVY_STATUS_DEVICE, "there is no cuda:7: 2 GPUs were found, from cuda:0"},
        {2, "cuda:", LEVY_STATUS_ARGUMENT,
         "'cuda:' is not a device: use auto, cpu, cuda, cuda:N, cuda:all or a list such as "
         "cuda:0,2"},
        {2, "cuda:0,", LEVY_STATUS_ARGUMENT, "'cuda:0,' is not a device"},
        {0, "cuda:all", LEVY_STATUS_DEVICE, "no CUDA-capable GPU was found"},
        {0, "cuda:0,1", LEVY_STATUS_DEVICE, "no CUDA-capable GPU was found"}};
    write_one("paths: 2^9, replicates: 2");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char status[32];
        use(names[i].devices);
        price_one(names[i].name, "double", &seen);
        snprintf(status, sizeof status, "status %d\n", names[i].status);
        assert_non_null(strstr(seen.bytes, status));
        assert_non_null(strstr(seen.bytes, names[i].says));
    }
}

static void test_arrays_lie_on_one_device(void **state)
{
    (void)state;
    levy_normals *normals = NULL;
    const levy_normals_spec spec = {.struct_size = sizeof spec,
                                    .generator = LEVY_NORMALS_SOBOL,
                                    .n_dimensions = 2,
                                    .device = "cuda:0,1"};
    use(2);
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_ARGUMENT);
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->text,
                           "'cuda:0,1' is for prices and studies; arrays lie on one device: name "
                           "it, such as cuda:0"));
}

/* ---- Runs that end elsewhere ---- */

/* Doubles the paths until the price is good enough: known blocks come before the new ones. */
static void test_a_tolerance_ends_at_the_same_size(void **state)
{
    (void)state;
    write_one(LEVY_SANITIZED
                  ? "paths: 2^10, replicates: 4, tolerance: {absolute: 0.00015, max_paths: 2^20}"
                  : "paths: 2^10, replicates: 4, tolerance: {absolute: 0.00005, max_paths: 2^20}");
    use(1);
    price_one("cuda", "double", &expected);
    assert_null(strstr(expected.bytes, "\"paths\": 1024"));
    for (int n = 2 * MORE; n <= 4; n += MORE) {
        use(n);
        price_one(all, "double", &seen);
        assert_string_equal(seen.bytes, expected.bytes);
        assert_int_equal(at_work(), n);
    }
}

static void test_a_cancel_ends_the_work_of_all(void **state)
{
    (void)state;
    use(1);
    price_many((wish){.stop_at = 40}, 1, &expected);
    use(4);
    price_many((wish){.device = all, .stop_at = 40}, 7, &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    assert_non_null(strstr(seen.bytes, "cancelled"));
}

static int stop_when_begun(void *user, const levy_progress *progress)
{
    (void)user;
    return progress->done > 0;
}

/* Between the batches of one price, too; the GPUs are then there for the next one. */
static void test_a_large_price_can_be_cancelled(void **state)
{
    (void)state;
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = all,
                                    .threads = 8,
                                    .batch_blocks = 32,
                                    .no_kernel_cache = 1,
                                    .progress = stop_when_begun};
    levy_results *results = NULL;
    levy_book *book;
    write_one("paths: 2^20, replicates: 4");
    use(3);
    book = read_book(context, one_book.bytes, NULL, 0);
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_CANCELLED);
    assert_string_equal(levy_results_trade(results, 0)->status, "cancelled");
    assert_true(gpu->launches < 40);
    assert_non_null(context->device.state);
    levy_results_destroy(results);
    levy_book_destroy(book);
}

/* A journal of one GPU is resumed on several, and the other way. */
static void test_a_journal_is_resumed_on_any_number_of_gpus(void **state)
{
    (void)state;
    static kept_text journal;
    char path[] = "/tmp/levy-journal-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int turn = 0; turn < 2; ++turn) {
        use(4);
        remove(path);
        price_many((wish){.device = turn ? all : "cuda", .journal = path}, 7, &expected);
        text_read(&journal, path);
        FILE *const torn = fopen(path, "w");
        fwrite(journal.bytes, 1, journal.length / 2, torn);
        fclose(torn);
        use(4);
        price_many((wish){.device = turn ? "cuda" : all, .journal = path, .resume = 1}, 7, &seen);
        assert_string_equal(results_of(&seen), results_of(&expected));
    }
    remove(path);
}

static void study_text(const char *device, kept_text *out)
{
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = "sobol_scrambled+bridge",
                                        .points = "2^8..2^13",
                                        .replicates = 8,
                                        .resamples = 10};
    const levy_price_options how = {
        .struct_size = sizeof how, .device = device, .threads = 8, .no_kernel_cache = 1};
    levy_book *book;
    levy_study *study = NULL;
    out->length = 0;
    book = read_book(context, one_book.bytes, NULL, 0);
    assert_int_equal(levy_converge(book, &options, &how, &study), 0);
    const levy_convergence *const c = levy_study_convergence(study);
    for (size_t i = 0; i < c->methods[0].n_sizes; ++i) text_add(out, "%a\n", c->methods[0].rmse[i]);
    levy_study_destroy(study);
    levy_book_destroy(book);
}

static void test_a_study_takes_the_same_devices(void **state)
{
    (void)state;
    write_one("paths: 2^16, replicates: 2");
    use(1);
    study_text("cuda", &expected);
    use(3);
    study_text(all, &seen);
    assert_string_equal(seen.bytes, expected.bytes);
    assert_int_equal(at_work(), 3);
}

/* Kernels of a note's Greeks have memory of their own, whose size follows from its dates. */
static void test_notes_have_the_same_bits_on_any_number_of_gpus(void **state)
{
    (void)state;
    for (int p = 0; p < 2 && p < PRECISIONS; ++p) {
        const wish w = {.precision = p ? "single" : "double"};
        book_text.length = 0;
        text_add(
            &book_text,
            "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: "
            "100, volatility: 0.25}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\ntrades:"
            "\n");
        for (int count = 4; count <= 12; count += 4)
            text_add(&book_text,
                     " - {id: n%d, underlying: A, payoff: {kind: phoenix, observations: {count: "
                     "%d}, coupon: 0.02, coupon_barrier: 0.8, call_barrier: 1.05, "
                     "knock_in_barrier: 0.6}, exercise: {expiry: 2.0}}\n",
                     count, count);
        text_add(&book_text, "measures: [price, delta, vega]\nsimulation: {paths: %s}\n",
                 LEVY_SANITIZED ? "2^12" : "2^14");
        use(1);
        price_many(w, 1, &expected);
        assert_non_null(strstr(expected.bytes, "\"vega\""));
        for (int n = 2; n <= 3; ++n) {
            use(n);
            price_many((wish){.device = all, .precision = w.precision}, 2, &seen);
            assert_string_equal(seen.bytes, expected.bytes);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_a_price_has_the_same_bits_on_any_number_of_gpus),
        CASE(test_a_book_has_the_same_bits_on_any_number_of_gpus),
        CASE(test_a_few_large_groups_are_shared),
        CASE(test_a_list_takes_the_gpus_it_names),
        CASE(test_unlike_gpus_share_double_precision_alone),
        CASE(test_kernels_are_compiled_once_for_an_architecture),
        CASE(test_a_bad_list_is_refused_with_a_reason),
        CASE(test_arrays_lie_on_one_device),
        CASE(test_a_tolerance_ends_at_the_same_size),
        CASE(test_a_cancel_ends_the_work_of_all),
        CASE(test_a_large_price_can_be_cancelled),
        CASE(test_a_journal_is_resumed_on_any_number_of_gpus),
        CASE(test_a_study_takes_the_same_devices),
        CASE(test_notes_have_the_same_bits_on_any_number_of_gpus),
    };
    return cmocka_run_group_tests(tests, workers_start, gpu_finish);
}
