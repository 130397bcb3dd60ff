/* bridge.c: paths from normals of one's own: two correlated shares, weekly for a year, an exchange
 * option at the end, priced on paths that a stand-alone Brownian bridge makes, the quarters' ends
 * first. With quasi-random normals the first dates get the best of them; on a GPU the same calls
 * take device pointers and a stream.
 *
 *     cc bridge.c $(pkg-config --cflags --libs levy) -lm -o bridge
 */
#include <levy.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { WEEKS = 52, SHARES = 2, PATHS = 1 << 16 };

/* Pairs of normals by Box and Muller from a 64-bit generator (L'Ecuyer's multiplier): any other
 * source will do. */
static void make_normals(double *normals, size_t n)
{
    uint64_t state = 1;
    for (size_t i = 0; i < n; i += 2) {
        double u[2];
        for (int k = 0; k < 2; ++k)
            u[k] = ((double)((state = state * 2862933555777941757u + 3037000493u) >> 11) + 0.5) /
                   9007199254740992.0;
        normals[i] = sqrt(-2.0 * log(u[0])) * cos(6.283185307179586 * u[1]);
        normals[i + 1] = sqrt(-2.0 * log(u[0])) * sin(6.283185307179586 * u[1]);
    }
}

/* Both worth 100 today, no rates: E[max(S1 - S2, 0)] from the motions at the last date, rows of
 * PATHS numbers. */
static double exchange(const double *x)
{
    const double *const first = x + (size_t)(WEEKS - 1) * SHARES * PATHS, *const second =
                                                                              first + PATHS;
    double sum = 0.0;
    for (size_t p = 0; p < PATHS; ++p)
        sum +=
            fmax(100.0 * exp(first[p] - 0.5 * 0.2 * 0.2) - 100.0 * exp(second[p] - 0.5 * 0.3 * 0.3),
                 0.0);
    return sum / PATHS;
}

static int complain(const levy_context *context, int status)
{
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->text);
    return levy_status_exit_code(status);
}

int main(void)
{
    /* volatilities 20 and 30 %, correlation 0.6 */
    static const double factor[SHARES * SHARES] = {0.2, 0.0, 0.3 * 0.6, 0.3 * 0.8};
    static const uint32_t quarters[] = {52, 26, 13, 39};
    double times[WEEKS + 1];
    uint32_t order[WEEKS];
    levy_context *context;
    levy_bridge *bridge;
    double *const normals = malloc(sizeof *normals * WEEKS * SHARES * PATHS), *const x = malloc(
                                                                                  sizeof *x *
                                                                                  WEEKS * SHARES *
                                                                                  PATHS);
    for (int i = 0; i <= WEEKS; ++i) times[i] = i / (double)WEEKS;
    if (!normals || !x || levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    int status = levy_bridge_order_first(WEEKS, quarters, 4, order);
    const levy_bridge_spec spec = {.struct_size = sizeof spec,
                                   .n_steps = WEEKS,
                                   .times = times,
                                   .order = order,
                                   .n_dimensions = SHARES,
                                   .factor = factor};
    if (status == LEVY_STATUS_OK) status = levy_bridge_create(context, &spec, &bridge);
    if (status != LEVY_STATUS_OK) return complain(context, status);
    make_normals(normals, (size_t)WEEKS * SHARES * PATHS);
    status = levy_bridge_generate(bridge, normals, x, PATHS, 0, NULL);
    /* Margrabe: 9.58 */
    printf("%u slots, exchange option %.2f\n", (unsigned)levy_bridge_info(bridge)->slots,
           exchange(x));
    levy_bridge_destroy(bridge);
    levy_context_destroy(context);
    free(normals);
    free(x);
    return levy_status_exit_code(status);
}
