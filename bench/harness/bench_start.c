/* bench_start.c: times the program itself, as a user starts it, from its start to its end. With
 * caches warm one more run fills them first; a cold run has a kernel cache of its own, an empty
 * folder that is removed after it, and whose kernels can be counted. */
#include "bench/harness/bench.h"
#include "engine/cli/signals.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* seconds after which the program is ended, with kernels cached and without */
static const double start_limit = 60.0, start_limit_cold = 240.0, start_limit_dear = 1800.0;

static int start_failed(const char *what, const char *object, int error)
{
    fprintf(stderr, "levy: cannot %s %s: %s\n", what, object, strerror(error));
    return 1;
}

static unsigned start_kernels; /* removed since it was set to 0: nftw() hands nothing on */

static int start_remove(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    static const char ending[] = ".kernel";
    const size_t length = strlen(path), last = sizeof ending - 1;
    (void)status, (void)place;
    start_kernels += kind == FTW_F && length > last && strcmp(path + length - last, ending) == 0;
    return remove(path);
}

/* Runs the program once: 0, an exit code, or BENCH_STOPPED. */
static int start_once(const bench_run *run, bench_process *process)
{
    const bench_end end = bench_process_run(process);
    if (end == BENCH_INTERRUPTED) return BENCH_STOPPED;
    if (end == BENCH_NOT_STARTED) return start_failed("start", run->levy, process->status);
    return end != BENCH_ENDED || process->status != 0;
}

/* The same with an empty kernel cache. */
static int start_cold(const bench_run *run, bench_process *process)
{
    enum { OPEN_FOLDERS = 8 };
    const char *const parent = getenv("TMPDIR");
    char folder[BENCH_PATH], variable[BENCH_PATH + 16];
    snprintf(folder, sizeof folder, "%s/levy-bench-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder)) return start_failed("make a folder", folder, errno);
    snprintf(variable, sizeof variable, "LEVY_CACHE_DIR=%s", folder);
    process->environment = (const char *const[]){variable, NULL};
    const int code = start_once(run, process);
    process->environment = NULL;
    start_kernels = 0;
    if (nftw(folder, start_remove, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        return start_failed("remove", folder, errno);
    return code;
}

static double start_limit_of(const bench_entry *entry)
{
    if (entry->dear) return start_limit_dear;
    return entry->cold ? start_limit_cold : start_limit;
}

/* Runs the entry's problem so often; `values` are seconds, or with `kernels` their number. */
static int start_repeat(bench_run *run, const bench_entry *entry, unsigned repeats, bool kernels,
                        double *values)
{
    enum { OUTPUT = 65536 };
    const char *const device = entry->by_size ? "auto" : run->device;
    /* the quickstart is priced as it stands, a book with the paths that are asked for */
    const char *const asked = entry->trades ? run->options->paths : NULL;
    const char *const words[] = {run->levy, "price",      "-",    "--device",
                                 device,    "--progress", "none", asked ? "--paths" : NULL,
                                 asked,     NULL};
    char *text = bench_problem(entry), *printed = malloc(OUTPUT);
    int code = text && printed ? 0 : CLI_EXIT_MEMORY;
    bench_process process = {.words = words,
                             .input = text,
                             .limit = start_limit_of(entry),
                             .out = printed,
                             .size = OUTPUT};
    if (!entry->cold && !code) code = start_once(run, &process);
    for (unsigned i = 0; i < repeats && !code; ++i) {
        code = entry->cold ? start_cold(run, &process) : start_once(run, &process);
        values[i] = kernels ? start_kernels : process.seconds;
    }
    free(text);
    free(printed);
    return code;
}

static void start_name_device(const bench_run *run, const bench_entry *entry, bench_result *result)
{
    snprintf(result->device, sizeof result->device, "%s%.180s", entry->by_size ? "auto, " : "",
             run->device_name);
}

int bench_measure_process(bench_run *run, const bench_entry *entry, bench_result *result)
{
    double values[BENCH_MOST_REPEATS];
    const int code = start_repeat(run, entry, run->repeats, false, values);
    if (code) return code;
    bench_summarize(values, run->repeats, result);
    result->kernel = result->processors = NAN;
    result->wall = result->value;
    start_name_device(run, entry, result);
    return 0;
}

int bench_measure_kernels(bench_run *run, const bench_entry *entry, bench_result *result)
{
    const int code = start_repeat(run, entry, 1, true, &result->value);
    result->kernel = result->wall = result->processors = NAN;
    start_name_device(run, entry, result);
    return code;
}
