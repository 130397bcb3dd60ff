/* bench_error.c: how long a price, or a sensitivity, takes to a standard error: the row is levy
 * with one normal of each path integrated, on Sobol points and principal components. Beside it
 * stand other methods of levy in the same run, each by its own error and its own seconds. Paths are
 * doubled until the error is there. A method that would take too long is measured where it stops,
 * and its name says how its seconds go on from there. Must not know: other programs. */
#include "bench/harness/bench.h"
#include "engine/cli/signals.h"

#include <stdio.h>
#include <stdlib.h>

enum { ERROR_FIRST = 12, ERROR_MOST = 30 }; /* log2 of the paths */

typedef struct error_method {
    const char *name, *generator, *construction, *smoothing;
    double limit; /* seconds of a run, from which paths are not doubled any more; 0: none */
    int power;    /* of the factor by which the error must fall, with which seconds grow */
    const char *beyond;
} error_method;

/* Points are taken to be as good as they can be, errors to fall as 1/N. */
static const error_method error_methods[] = {
    {"integrated", "sobol_scrambled", "pca", "all", 0.0, 1, ""},
    {"plain bridge", "sobol_scrambled", "bridge", "none", 0.5, 1, ", extrapolated by 1/N"},
    {"mrg32k3a", "mrg32k3a", "incremental", "none", 0.5, 2, ", extrapolated by 1/sqrt(N)"},
};
enum { ERROR_METHODS = sizeof error_methods / sizeof *error_methods };

/* Doubles the paths until the error is there, or the limit. */
static int error_search(bench_run *run, const bench_entry *entry, const char *text, double limit,
                        bench_measured *out)
{
    int code = 0;
    for (unsigned log2_paths = ERROR_FIRST; !code && log2_paths <= ERROR_MOST; ++log2_paths) {
        if (cli_signals_stop()) return BENCH_STOPPED;
        code = bench_measure_run(run, entry, text, run->options->paths, log2_paths, out);
        out->log2_paths = log2_paths;
        if (run->options->paths || out->error <= entry->error) break;
        if (limit > 0.0 && out->seconds > limit) break;
    }
    return code;
}

/* Seconds of the runs in `seconds`, as if each had the paths that the error takes. */
static void error_go_on(const bench_entry *entry, const error_method *method,
                        const bench_measured *out, double *seconds, unsigned n)
{
    const double factor = out->error > entry->error ? out->error / entry->error : 1.0;
    for (unsigned i = 0; i < n; ++i)
        for (int power = 0; power < method->power; ++power) seconds[i] *= factor;
}

/* Seconds of the repeats, sorted or not; `out` is the last run. */
static int error_measure(bench_run *run, const bench_entry *entry, const error_method *method,
                         double *seconds, bench_measured *out)
{
    bench_entry with = *entry;
    with.generator = method->generator;
    with.construction = method->construction;
    with.smoothing = method->smoothing;
    char *const text = bench_problem(&with);
    if (!text) return fputs("levy: out of memory\n", stderr), CLI_EXIT_MEMORY;
    int code = error_search(run, &with, text, method->limit, out);
    const unsigned log2_paths = out->log2_paths;
    for (unsigned i = 0; i < run->repeats && !code; ++i) {
        code = bench_measure_run(run, &with, text, run->options->paths, log2_paths, out);
        seconds[i] = out->seconds;
    }
    free(text);
    if (!code) error_go_on(entry, method, out, seconds, run->repeats);
    return code;
}

int bench_measure_error(bench_run *run, const bench_entry *entry, bench_result *result)
{
    double seconds[BENCH_MOST_REPEATS];
    char name[BENCH_PEER_SIZE];
    bench_measured out = {0};
    int code = error_measure(run, entry, &error_methods[0], seconds, &out);
    if (code) return code;
    if (out.error > entry->error)
        fprintf(stderr, "levy: %s: extrapolated by 1/N from %g times the error\n", entry->name,
                out.error / entry->error);
    bench_summarize(seconds, run->repeats, result);
    result->kernel = out.seconds;
    result->wall = out.wall;
    result->processors = out.processors;
    snprintf(result->device, sizeof result->device, "%s", out.device);
    for (size_t m = 1; m < ERROR_METHODS && !code; ++m) {
        const error_method *const method = &error_methods[m];
        code = error_measure(run, entry, method, seconds, &out);
        if (code) return code;
        (void)bench_median(seconds, run->repeats); /* sorts: a peer's value is its best */
        snprintf(name, sizeof name, "%s%s", method->name,
                 out.error > entry->error ? method->beyond : "");
        bench_add_pair(run, run->n_results, name, seconds[0]);
    }
    return code;
}
