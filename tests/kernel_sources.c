/* kernel_sources.c: writes the CUDA source of every kernel that books need, in double and in single
 * precision, one file per shape, for a compiler other than NVRTC to read: kernel_sources FOLDER
 * FILE... Or has NVRTC read what `levy kernels build` would, to PTX with little optimisation, which
 * finds what does not compile in a fifth of the time: kernel_sources --nvrtc FOLDER FILE... Used by
 * .ci/run. No GPU or driver is needed. */
#include "engine/plan/plan.h"
#include "kernels/cuda/compile/jit.h"
#include "kernels/cuda/compile/scripts.h"
#include "kernels/cuda/compile/shape.h"
#include "kernels/cuda/device/launch.h"
#include "tests/problem_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char sources_file[1 << 20];
static bool sources_hurry;

static bool sources_shape(const char *folder, const char *text)
{
    char path[4096];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (const char *c = text; *c; ++c) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    snprintf(path, sizeof path, "%s/shape-%016llx.cu", folder, (unsigned long long)hash);
    FILE *file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "%s#include \"kernels/cuda/kernels/fused.cu\"\n", text);
    return fclose(file) == 0;
}

/* ---- NVRTC, hurried: of what it is asked, one architecture's machine code becomes PTX ---- */

enum { INVALID_OPTION = 5 }; /* nvrtcResult */
static int (*nvrtc_compile)(void *, int, const char *const *);

static int hurried_compile(void *program, int n, const char *const *options)
{
    const char *all[LEVY_JIT_MAX_OPTIONS + 1];
    for (int i = 0; i < n; ++i)
        all[i] =
            strncmp(options[i], "--gpu-arch", 10) ? options[i] : "--gpu-architecture=compute_90";
    all[n] = "--Ofast-compile=max";
    const int code = nvrtc_compile(program, n + 1, all);
    return code == INVALID_OPTION ? nvrtc_compile(program, n, all) : code; /* an older one */
}

static levy_status hurried_load(levy_cuda_calls *calls, int driver_major, char *why)
{
    LEVY_TRY(levy_cuda_calls_real.load_compiler(calls, driver_major, why));
    nvrtc_compile = calls->nvrtc_compile;
    calls->nvrtc_compile = hurried_compile;
    calls->nvrtc_cubin_size = calls->nvrtc_ptx_size;
    calls->nvrtc_cubin = calls->nvrtc_ptx;
    return LEVY_OK;
}

static bool sources_build(const char *folder, const levy_plan *plan, const levy_tile *tiles,
                          size_t n)
{
    static char report[1 << 16];
    char why[LEVY_REASON_SIZE];
    const levy_backend_options options = {.memory = &levy_memory_default, .cache_dir = folder};
    levy_cuda_calls calls = levy_cuda_calls_real;
    calls.load_compiler = hurried_load;
    if (levy_cuda_build(&calls, &options, "sm_90", plan->image, tiles, n, report, sizeof report,
                        why) == LEVY_OK)
        return fputs(report, stdout) >= 0;
    fprintf(stderr, "%s\n", why);
    return false;
}

static bool sources_plan(const char *folder, const levy_plan *plan)
{
    static char text[LEVY_SHAPE_TEXT_SIZE + (1 << 18)];
    levy_backend_info limits;
    levy_cuda_describe(NULL, &limits);
    levy_tile *tiles = calloc(plan->image->n_outputs, sizeof *tiles);
    if (!tiles) return false;
    const size_t n = levy_plan_tiles(plan->image, &limits.tiles, tiles);
    bool good = n > 0;
    if (sources_hurry) good = good && sources_build(folder, plan, tiles, n);
    for (size_t i = 0; !sources_hurry && good && i < n; ++i) {
        const uint32_t lanes = levy_shape_lanes(plan->image, &tiles[i]),
                       rows = levy_shape_rows(plan->image, &tiles[i], lanes, 228 << 10);
        good = levy_shape_write(plan->image, &tiles[i], lanes, rows, text, sizeof text) == LEVY_OK;
        levy_shape_text scripts = {text, sizeof text, strlen(text)};
        levy_scripts_write(plan->image, &tiles[i], &scripts);
        good = good && scripts.length < scripts.size && sources_shape(folder, text);
    }
    free(tiles);
    return good;
}

static bool sources_problem(const char *folder, const levy_problem *problem)
{
    levy_arena arena;
    levy_group *groups = NULL;
    size_t n_groups = 0;
    char why[LEVY_PLAN_WHY];
    levy_arena_init(&arena, &levy_memory_default);
    bool good = levy_groups_create(problem, &arena, &groups, &n_groups) == LEVY_OK;
    for (size_t i = 0; good && i < n_groups; ++i) {
        levy_plan *plan = NULL;
        good = levy_plan_create(&levy_memory_default, problem, &groups[i], &plan, why) == LEVY_OK &&
               sources_plan(folder, plan);
        levy_plan_destroy(plan);
    }
    levy_arena_release(&arena);
    return good;
}

static bool sources_book(const char *folder, const char *name, size_t length, const char *precision)
{
    const levy_input input = {name, sources_file, length, "configs", false};
    const levy_override override = {"simulation.precision", precision};
    levy_fault_list faults;
    levy_problem *problem = NULL;
    levy_fault_list_init(&faults, &levy_memory_default);
    levy_quotes *quotes;
    const bool read = create_problem(&levy_memory_default, &input, 1, &override, precision ? 1 : 0,
                                     &faults, &quotes, &problem) == LEVY_OK;
    const bool good = read && sources_problem(folder, problem);
    levy_problem_destroy(problem);
    levy_quotes_destroy(quotes);
    levy_fault_list_release(&faults);
    return good;
}

int main(int argc, char **argv)
{
    sources_hurry = argc > 1 && strcmp(argv[1], "--nvrtc") == 0;
    argv += sources_hurry, argc -= sources_hurry;
    for (int i = 2; i < argc; ++i) {
        FILE *file = fopen(argv[i], "r");
        const size_t length = file ? fread(sources_file, 1, sizeof sources_file - 1, file) : 0;
        if (file) fclose(file);
        const bool good = sources_hurry ? sources_book(argv[1], argv[i], length, NULL)
                                        : sources_book(argv[1], argv[i], length, "double") &&
                                              sources_book(argv[1], argv[i], length, "single");
        if (length == 0 || !good) {
            fprintf(stderr, "%s: its kernels cannot be written\n", argv[i]);
            return 1;
        }
    }
    return argc < 3;
}
