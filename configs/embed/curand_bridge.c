/* curand_bridge.c: cuRAND's normals, levy's bridge, a payoff of one's own: an arithmetic Asian call
 * on the average of twelve months, beside `levy price` of the same trade.
 *
 * cuRAND's quasi-random generators write dimension by dimension, which is the layout that
 * levy_bridge_generate reads, so nothing is rearranged. Its Sobol words are those of levy's
 * generator `sobol`, so that the two prices differ by the rounding of their normals alone.
 * Scrambled points give the third price: the only one with an error.
 *
 * The generator here is the one of the host, which needs no GPU. On a GPU the same calls take
 * device pointers: curandCreateGenerator instead of curandCreateGeneratorHost, device "cuda" and
 * one stream for both (curandSetStream).
 *
 *     cc curand_bridge.c $(pkg-config --cflags --libs levy) -lm -ldl -o curand_bridge
 *     ./curand_bridge [LIBRARY]     libcurand.so.10 where none is named; exit code 77: it is not
 * here
 */
#include <dlfcn.h>
#include <levy.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MONTHS = 12, PATHS = 1 << 16, NO_CURAND = 77 };

/* ---- cuRAND, opened where it is there: what curand.h declares of it ---- */

enum { CURAND_SOBOL32 = 201 };
typedef struct curand {
    void *library;
    int (*create)(void **generator, int type); /* on the host */
    int (*dimensions)(void *generator, unsigned n);
    int (*normals)(void *generator, double *to, size_t n, double mean, double deviation);
    int (*destroy)(void *generator);
} curand;

static int curand_symbol(const curand *from, const char *name, void *function)
{
    void *const symbol = dlsym(from->library, name);
    if (symbol) memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* 0: it is not there, and says so. */
static int curand_open(curand *rand, const char *name)
{
    rand->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (rand->library && curand_symbol(rand, "curandCreateGeneratorHost", &rand->create) &&
        curand_symbol(rand, "curandSetQuasiRandomGeneratorDimensions", &rand->dimensions) &&
        curand_symbol(rand, "curandGenerateNormalDouble", &rand->normals) &&
        curand_symbol(rand, "curandDestroyGenerator", &rand->destroy))
        return 1;
    fprintf(stderr, "no cuRAND: %s\n", dlerror());
    return 0;
}

/* PATHS points of MONTHS dimensions, a dimension after the other. */
static int curand_fill(const curand *rand, double *normals)
{
    void *generator = NULL;
    int status = rand->create(&generator, CURAND_SOBOL32);
    if (status == 0) status = rand->dimensions(generator, MONTHS);
    if (status == 0) status = rand->normals(generator, normals, (size_t)MONTHS * PATHS, 0.0, 1.0);
    if (generator) (void)rand->destroy(generator);
    if (status != 0) fprintf(stderr, "cuRAND failed with status %d\n", status);
    return status == 0;
}

/* ---- The trade: spot and strike 100, volatility 20 %, rate 5 %, one year ---- */

static int complain(const levy_context *context, int status)
{
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->text);
    return levy_status_exit_code(status);
}

/* Brownian motion at the ends of the months, times the volatility: rows of PATHS numbers. */
static int walk(levy_context *context, const double *normals, double *motion)
{
    static const double volatility = 0.2;
    double times[MONTHS + 1];
    levy_bridge *bridge = NULL;
    for (int i = 0; i <= MONTHS; ++i) times[i] = i / (double)MONTHS;
    const levy_bridge_spec spec = {
        .struct_size = sizeof spec, .n_steps = MONTHS, .times = times, .factor = &volatility};
    int status = levy_bridge_create(context, &spec, &bridge);
    if (status == LEVY_STATUS_OK)
        status = levy_bridge_generate(bridge, normals, motion, PATHS, 0, NULL);
    levy_bridge_destroy(bridge);
    return status;
}

static double asian(const double *motion)
{
    double sum = 0.0;
    for (size_t p = 0; p < PATHS; ++p) {
        double average = 0.0;
        for (int i = 0; i < MONTHS; ++i) {
            const double t = (i + 1) / (double)MONTHS;
            average +=
                100.0 * exp((0.05 - 0.5 * 0.2 * 0.2) * t + motion[(size_t)i * PATHS + p]) / MONTHS;
        }
        sum += fmax(average - 100.0, 0.0);
    }
    return exp(-0.05) * sum / PATHS;
}

static int price_book(levy_context *context, const char *generator, double *price, double *error)
{
    static const char text[] =
        "schema_version: 1\n"
        "market: {curves: {USD: 0.05}, assets: {S: {currency: USD, spot: 100, volatility: 0.2}}}\n"
        "models: {m: {kind: black_scholes, assets: [S]}}\n"
        "trades:\n"
        "  - id: asian\n"
        "    underlying: S\n"
        "    payoff: {kind: asian, option_type: call, strike: 100,\n"
        "             averaging: {method: arithmetic, observations: {count: 12}}}\n"
        "    exercise: {expiry: 1.0}\n"
        "simulation: {construction: bridge}\n";
    const levy_setting settings[] = {{"simulation.generator", generator},
                                     {"simulation.paths", "2^16"}};
    levy_book *book = NULL;
    levy_results *results = NULL;
    int status = levy_book_load_text(context, "asian", text, sizeof text - 1, settings, 2, &book);
    if (status == LEVY_STATUS_OK) status = levy_price(book, NULL, &results);
    if (status == LEVY_STATUS_OK) {
        *price = levy_results_trade(results, 0)->price;
        *error = levy_results_trade(results, 0)->std_error;
    }
    levy_results_destroy(results);
    levy_book_destroy(book);
    return status;
}

/* The two of the same points may differ by rounding, all three by what the error allows. */
static int compare(double chain, levy_context *context)
{
    double same = 0.0, scrambled = 0.0, error = 0.0, none;
    int status = price_book(context, "sobol", &same, &none);
    if (status == LEVY_STATUS_OK)
        status = price_book(context, "sobol_scrambled", &scrambled, &error);
    if (status != LEVY_STATUS_OK) return complain(context, status);
    printf("cuRAND's Sobol normals, levy_bridge, own payoff   %.9f\n", chain);
    printf("levy price, generator sobol                       %.9f\n", same);
    printf("levy price, generator sobol_scrambled             %.5f +- %.5f\n", scrambled, error);
    const int agree = fabs(chain - same) <= 1e-9 * same && fabs(chain - scrambled) <= 5.0 * error;
    puts(agree ? "they agree" : "they do NOT agree");
    return agree ? 0 : 1;
}

int main(int count, char **words)
{
    curand rand;
    levy_context *context = NULL;
    if (!curand_open(&rand, count > 1 ? words[1] : "libcurand.so.10")) return NO_CURAND;
    const size_t bytes = sizeof(double) * MONTHS * PATHS;
    double *const normals = malloc(bytes), *const motion = malloc(bytes);
    if (!normals || !motion || levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    int code = 1;
    if (curand_fill(&rand, normals)) {
        const int status = walk(context, normals, motion);
        code =
            status == LEVY_STATUS_OK ? compare(asian(motion), context) : complain(context, status);
    }
    levy_context_destroy(context);
    free(normals);
    free(motion);
    return code;
}
