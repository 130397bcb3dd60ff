/* jit.c: see jit.h. Source: NVRTC user guide, CUDA 13.0. Must not know: devices, images, the disk
 * cache. */
#include "kernels/cuda/compile/jit.h"

#include <stdio.h>
#include <string.h>

enum {
    JIT_OUT_OF_MEMORY = 1,
    JIT_INVALID_OPTION = 5,
    JIT_COMPILATION = 6,
    JIT_CANCELLED = 16,
    JIT_MAX_FILES = 256
};

int levy_jit_options(const levy_jit_target *target, bool single,
                     const char *options[LEVY_JIT_MAX_OPTIONS], char *buffer, size_t buffer_size)
{
    int n = 0;
    snprintf(buffer, buffer_size, "--gpu-architecture=%s", target->architecture);
    options[n++] = buffer;
    options[n++] = "--std=c++17";
    /* nothing of the machine's file system reaches a kernel */
    options[n++] = "--no-source-include";
    options[n++] = "-default-device";
    /* a shape's constants make some branches dead: that is no mistake */
    options[n++] = "--diag-suppress=128,111,186";
    options[n++] = "--ptxas-options=-v"; /* the log then has registers, stack and spills */
    /* contractions would depend on the shape, and so a trade's bits on its neighbours */
    options[n++] = "--fmad=false";
    if (single) options[n++] = "--ftz=true";
    return n;
}

static levy_status jit_fail(int code, const char *call, char *why)
{
    snprintf(why, LEVY_REASON_SIZE, "%s failed: NVRTC error %d", call, code);
    return code == JIT_OUT_OF_MEMORY ? LEVY_MEMORY : LEVY_DEVICE;
}

levy_status levy_jit_version(const levy_cuda_calls *calls, int *version, char *why)
{
    int major = 0, minor = 0;
    const int code = calls->nvrtc_version(&major, &minor);
    if (code) return jit_fail(code, "nvrtcVersion", why);
    *version = 1000 * major + 10 * minor;
    return LEVY_OK;
}

levy_status levy_jit_choose(const levy_cuda_calls *calls, const levy_memory *memory, int capability,
                            int driver_version, levy_jit_target *target, char *why)
{
    int version = 0, count = 0, newest = 0;
    LEVY_TRY(levy_jit_version(calls, &version, why));
    int code = calls->nvrtc_arch_count(&count);
    if (code) return jit_fail(code, "nvrtcGetNumSupportedArchs", why);
    int *known = levy_memory_allocate(memory, count > 0 ? (size_t)count : 1, sizeof *known);
    if (!known)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for NVRTC's list of architectures"),
               LEVY_MEMORY;
    code = calls->nvrtc_archs(known);
    bool found = false;
    for (int i = 0; i < count; ++i) {
        if (known[i] == capability) found = true;
        if (known[i] > newest) newest = known[i];
    }
    const int oldest = count > 0 ? known[0] : 0;
    levy_memory_release(memory, known);
    if (code) return jit_fail(code, "nvrtcGetSupportedArchs", why);
    target->ptx = !found;
    snprintf(target->architecture, sizeof target->architecture, "%s_%d", found ? "sm" : "compute",
             found ? capability : newest);
    if (found) return LEVY_OK;
    if (capability < newest) {
        snprintf(why, LEVY_REASON_SIZE,
                 "NVRTC %d.%d does not compile for sm_%d; it knows sm_%d to sm_%d", version / 1000,
                 version % 1000 / 10, capability, oldest, newest);
        return LEVY_UNSUPPORTED;
    }
    if (driver_version < version) {
        snprintf(why, LEVY_REASON_SIZE,
                 "the GPU (sm_%d) is newer than NVRTC %d.%d, and the driver (CUDA %d.%d) is older "
                 "than it: install a "
                 "newer NVRTC",
                 capability, version / 1000, version % 1000 / 10, driver_version / 1000,
                 driver_version % 1000 / 10);
        return LEVY_UNSUPPORTED;
    }
    return LEVY_OK;
}

/* Puts the first line of the log that holds an error into `why`. */
static void jit_explain(const char *log, char *why)
{
    const char *line = strstr(log, "error");
    if (!line) line = log;
    while (line > log && line[-1] != '\n') --line;
    const int length = (int)strcspn(line, "\n");
    snprintf(why, LEVY_REASON_SIZE, "the kernel does not compile: %.*s",
             length > 400 ? 400 : length, line);
}

/* NULL: no memory. Empty: NVRTC gave no log. */
static char *jit_log(const levy_cuda_calls *calls, const levy_memory *memory, void *program)
{
    size_t size = 0;
    if (calls->nvrtc_log_size(program, &size) != 0) size = 0;
    char *log = levy_memory_allocate(memory, size + 1, 1);
    if (log && size && calls->nvrtc_log(program, log) != 0) log[0] = 0;
    return log;
}

static levy_status jit_result(const levy_cuda_calls *calls, const levy_memory *memory,
                              void *program, bool ptx, levy_jit_kernel *kernel, char *why)
{
    size_t size = 0;
    int code =
        ptx ? calls->nvrtc_ptx_size(program, &size) : calls->nvrtc_cubin_size(program, &size);
    if (code) return jit_fail(code, ptx ? "nvrtcGetPTXSize" : "nvrtcGetCUBINSize", why);
    if (size == 0)
        return snprintf(why, LEVY_REASON_SIZE, "NVRTC gave an empty kernel"), LEVY_INTERNAL;
    kernel->data = levy_memory_allocate(memory, size, 1);
    if (!kernel->data)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a kernel of %zu bytes", size),
               LEVY_MEMORY;
    kernel->size = size;
    code =
        ptx ? calls->nvrtc_ptx(program, kernel->data) : calls->nvrtc_cubin(program, kernel->data);
    if (code) return jit_fail(code, ptx ? "nvrtcGetPTX" : "nvrtcGetCUBIN", why);
    return LEVY_OK;
}

static const char *jit_body(const char *shape)
{
    if (strstr(shape, "#define BRIDGE_KERNELS"))
        return "#include \"kernels/cuda/kernels/bridge.cu\"\n";
    if (strstr(shape, "#define NORMALS_KERNELS"))
        return "#include \"kernels/cuda/kernels/normals.cu\"\n";
    if (strstr(shape, "#define PATHS_KERNELS"))
        return "#include \"kernels/cuda/kernels/paths.cu\"\n";
    if (strstr(shape, "#define SAMPLER_KERNELS"))
        return "#include \"kernels/cuda/kernels/sampler.cu\"\n";
    if (strstr(shape, "#define DRAWS_KERNELS"))
        return "#include \"kernels/cuda/kernels/draws.cu\"\n";
    if (strstr(shape, "#define DISTRIBUTION_KERNELS"))
        return "#include \"kernels/cuda/kernels/distribution.cu\"\n";
    if (strstr(shape, "#define FIT_KERNELS")) return "#include \"kernels/cuda/kernels/fit.cu\"\n";
    return "#include \"kernels/cuda/kernels/fused.cu\"\n";
}

static levy_status jit_create(const levy_cuda_calls *calls, const levy_memory *memory,
                              const char *shape, void **program, char *why)
{
    const char *const body = jit_body(shape);
    const char *headers[JIT_MAX_FILES], *names[JIT_MAX_FILES];
    if (levy_jit_file_count > JIT_MAX_FILES)
        return snprintf(why, LEVY_REASON_SIZE, "too many embedded files"), LEVY_INTERNAL;
    for (size_t i = 0; i < levy_jit_file_count; ++i) {
        headers[i] = levy_jit_files[i].text;
        names[i] = levy_jit_files[i].name;
    }
    const size_t size = strlen(shape) + strlen(body) + 1;
    char *source = levy_memory_allocate(memory, size, 1);
    if (!source)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a kernel's source"), LEVY_MEMORY;
    snprintf(source, size, "%s%s", shape, body);
    const int code = calls->nvrtc_create(program, source, "levy_shape.cu", (int)levy_jit_file_count,
                                         headers, names);
    levy_memory_release(memory, source);
    return code ? jit_fail(code, "nvrtcCreateProgram", why) : LEVY_OK;
}

bool levy_jit_is_stopped(levy_jit_stop *stop)
{
    const levy_cancel *const cancel = stop ? stop->cancel : NULL;
    if (cancel && cancel->poll && cancel->poll(cancel->user)) atomic_store(&stop->told, true);
    return stop && atomic_load(&stop->told);
}

/* NVRTC asks from its own threads; 1: it shall end. */
static int jit_flow(void *stop, void *reserved)
{
    (void)reserved;
    return levy_jit_is_stopped(stop);
}

static levy_status jit_cancel(char *why)
{
    return snprintf(why, LEVY_REASON_SIZE, "cancelled"), LEVY_CANCELLED;
}

levy_status levy_jit_compile(const levy_cuda_calls *calls, const levy_memory *memory,
                             const levy_jit_target *target, const char *shape, levy_jit_stop *stop,
                             levy_jit_kernel *kernel, char *why)
{
    void *program = NULL;
    char architecture[64];
    const char *options[LEVY_JIT_MAX_OPTIONS];
    const bool single = strstr(shape, "#define LANE_SINGLE") != NULL;
    const int n_options =
        levy_jit_options(target, single, options, architecture, sizeof architecture);
    *kernel = (levy_jit_kernel){0};
    if (levy_jit_is_stopped(stop)) return jit_cancel(why);
    LEVY_TRY(jit_create(calls, memory, shape, &program, why));
    levy_status status = LEVY_OK;
    if (stop && calls->nvrtc_flow) (void)calls->nvrtc_flow(program, jit_flow, stop);
    const int code = calls->nvrtc_compile(program, n_options, options);
    kernel->log = jit_log(calls, memory, program);
    if (code == JIT_CANCELLED) {
        status = jit_cancel(why);
    } else if (code == JIT_COMPILATION || code == JIT_INVALID_OPTION) {
        jit_explain(kernel->log ? kernel->log : "", why);
        status = code == JIT_COMPILATION ? LEVY_INTERNAL : LEVY_DEVICE;
    } else if (code) {
        status = jit_fail(code, "nvrtcCompileProgram", why);
    } else if (!kernel->log) {
        snprintf(why, LEVY_REASON_SIZE, "no memory for NVRTC's log");
        status = LEVY_MEMORY;
    } else {
        status = jit_result(calls, memory, program, target->ptx, kernel, why);
    }
    calls->nvrtc_destroy(&program);
    if (status != LEVY_OK) {
        levy_memory_release(memory, kernel->data);
        kernel->data = NULL;
        kernel->size = 0;
    }
    return status;
}

/* The number in front of `words` in the log, or -1. */
static int jit_log_number(const char *log, const char *words)
{
    const char *at = strstr(log, words);
    if (!at) return -1;
    while (at > log && at[-1] >= '0' && at[-1] <= '9') --at;
    int number = 0;
    for (; *at >= '0' && *at <= '9'; ++at) number = 10 * number + (*at - '0');
    return number;
}

levy_jit_usage levy_jit_usage_of(const levy_jit_kernel *kernel)
{
    const char *const log = kernel->log ? kernel->log : "",
                      *const paths = strstr(log, "'levy_simulate'"),
                      *const used = paths ? paths : log;
    return (levy_jit_usage){.registers = jit_log_number(used, " registers"),
                            .stack = jit_log_number(used, " bytes stack frame"),
                            .spilled = jit_log_number(used, " bytes spill stores"),
                            .warned = strstr(log, "warning") != NULL};
}

void levy_jit_release(const levy_memory *memory, levy_jit_kernel *kernel)
{
    levy_memory_release(memory, kernel->data);
    levy_memory_release(memory, kernel->log);
    *kernel = (levy_jit_kernel){0};
}
