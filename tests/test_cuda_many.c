/* test_cuda_many.c: one process, several GPUs (fake_module.c in the place of the CUDA module): the
 * same bits on any number of them, where one fails, is full or is another kind of GPU, and what the
 * user is told. */
#include "tests/workers_case.h"

enum { OUT_OF_MEMORY = 2, INVALID_HANDLE = 400, LAUNCH_FAILED = 719, FOR_EVER = 1000000 };

static const char all[] = "cuda:all";
static text one_book;

/* One Asian option of many blocks: several waves for each fake GPU of two processors. */
static void write_one(const char *simulation)
{
    one_book.length = 0;
    text_add(&one_book, "schema_version: 1\n"
                        "market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, "
                        "volatility: 0.2}}}\n"
                        "models: {m: {kind: black_scholes, assets: [A]}}\n"
                        "trades:\n"
                        "  - {id: a, underlying: A, payoff: {kind: asian, option_type: call, "
                        "strike: 100, averaging: {method: arithmetic, observations: {count: 3}}}, "
                        "exercise: {expiry: 1.0}, measures: [price, delta, gamma, vega]}\n");
    text_add(&one_book, "simulation: {%s}\n", simulation);
}

/* Removes the names of devices. */
static void forget_devices(text *t)
{
    static const char key[] = "\"device\": \"";
    for (char *at = t->bytes; (at = strstr(at, key)) != NULL;) {
        at += sizeof key - 1;
        char *const rest = strstr(at, "\", \"");
        assert_non_null(rest);
        t->length -= (size_t)(rest - at);
        memmove(at, rest, strlen(rest) + 1);
    }
}

/* The report without the names of devices. */
static void price_one(const char *device, const char *precision, text *out)
{
    const levy_setting setting = {"simulation.precision", precision};
    const levy_price_options how = {.struct_size = sizeof how,
                                    .device = device,
                                    .threads = 8,
                                    .no_kernel_cache = 1,
                                    .no_times = 1};
    levy_book *book = NULL;
    levy_results *results = NULL;
    out->length = 0;
    assert_int_equal(levy_book_load_text(context, "b.yaml", one_book.bytes, strlen(one_book.bytes),
                                         &setting, 1, &book),
                     0);
    const int status = levy_price(book, &how, &results);
    report(context, status, results, out);
    forget_devices(out);
    levy_results_destroy(results);
    levy_book_destroy(book);
}

static void use(int devices)
{
    reset(NULL);
    gpu->devices = devices;
}

/* How many of the GPUs have launched anything. */
static int at_work(void)
{
    int n = 0;
    for (int i = 0; i < FAKE_DEVICES; ++i) n += gpu->launches_on[i] > 0;
    return n;
}

static void test_a_price_has_the_same_bits_on_any_number_of_gpus(void **state)
{
    (void)state;
    static const char *const precisions[] = {"double", "single", "mixed"};
    static const char *const simulations[] = {
        "paths: 2^18, replicates: 8, seed: 3", "paths: 600001, seed: 3, generator: philox",
        "paths: 2^18, seed: 3, generator: mrg32k3a", "paths: 2^9, replicates: 2, seed: 3"};
    for (size_t s = 0; s < sizeof simulations / sizeof *simulations; ++s)
        for (size_t p = 0; p < 3; ++p) {
            write_one(simulations[s]);
            use(1);
            price_one("cuda", precisions[p], &expected);
            assert_non_null(strstr(expected.bytes, "\"ok\""));
            for (int n = 2; n <= 4; ++n) {
                use(n);
                price_one(all, precisions[p], &seen);
                assert_string_equal(seen.bytes, expected.bytes);
                assert_int_equal(at_work(), s < 3 ? n : 1);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(test_a_price_has_the_same_bits_on_any_number_of_gpus)};
    return cmocka_run_group_tests(tests, start, finish);
}
