/* cuda_calls.c: the real call table, filled from libcuda.so.1 and libnvrtc at run time, and what
 * CUDA's codes mean. Sources: cuda.h and nvrtc.h of CUDA 13.0. Must not know: what the calls are
 * made for. */
#include "kernels/cuda/cuda_calls.h"

#include "engine/run/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct calls_symbol {
    const char *name;
    size_t offset;
    bool required;
} calls_symbol;

#define CALLS_SYMBOL(member, symbol, required, arguments)                                          \
    {symbol, offsetof(levy_cuda_calls, member), required},
static const calls_symbol calls_driver_symbols[] = {LEVY_CUDA_DRIVER_LIST(CALLS_SYMBOL)};
static const calls_symbol calls_compiler_symbols[] = {LEVY_CUDA_COMPILER_LIST(CALLS_SYMBOL)};
static const calls_symbol calls_monitor_symbols[] = {LEVY_CUDA_MONITOR_LIST(CALLS_SYMBOL)};
#define CALLS_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the name of a required symbol that the library lacks, or NULL. */
static const char *calls_fill(levy_cuda_calls *calls, void *library, const calls_symbol *symbols,
                              size_t count)
{
    for (size_t i = 0; i < count; ++i) {
        void *address = dlsym(library, symbols[i].name);
        if (!address && symbols[i].required) return symbols[i].name;
        memcpy((char *)calls + symbols[i].offset, &address, sizeof address);
    }
    return NULL;
}

/* RTLD_NODELETE: the driver and NVRTC start threads and register exit handlers, which do not
 * survive being unmapped. */
static void *calls_open(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
}

static levy_status calls_load_driver(levy_cuda_calls *calls, char *why)
{
    if (calls->driver) return LEVY_OK;
    void *library = calls_open("libcuda.so.1");
    if (!library) {
        const char *reason = dlerror();
        const bool absent = !reason || strstr(reason, "shared object file: No such file");
        snprintf(why, LEVY_REASON_SIZE, "no GPU found: NVIDIA's driver (libcuda.so.1) %s",
                 absent ? "is not installed" : reason);
        return LEVY_DEVICE;
    }
    const char *missing =
        calls_fill(calls, library, calls_driver_symbols, CALLS_COUNT(calls_driver_symbols));
    if (missing) {
        snprintf(
            why, LEVY_REASON_SIZE,
            "the NVIDIA driver is too old: libcuda.so.1 has no %s; CUDA 12.0 (driver 525) or newer "
            "is needed",
            missing);
        dlclose(library);
        return LEVY_DEVICE;
    }
    calls->driver = library;
    return LEVY_OK;
}

typedef struct calls_search {
    levy_cuda_calls *calls;
    int driver_major;
    int refused_major, refused_minor; /* an NVRTC newer than the driver */
    const char *missing;              /* a symbol missing from a library that was found */
} calls_search;

static bool calls_try_compiler(calls_search *search, const char *path)
{
    void *library = calls_open(path);
    if (!library) return false;
    levy_cuda_calls trial = *search->calls;
    const char *missing =
        calls_fill(&trial, library, calls_compiler_symbols, CALLS_COUNT(calls_compiler_symbols));
    int major = 0, minor = 0;
    if (missing || trial.nvrtc_version(&major, &minor) != 0) {
        search->missing = missing ? missing : "working nvrtcVersion";
    } else if (search->driver_major && major > search->driver_major) {
        search->refused_major = major;
        search->refused_minor = minor;
    } else {
        trial.compiler = library;
        *search->calls = trial;
        return true;
    }
    dlclose(library);
    return false;
}

static bool calls_try_root(calls_search *search, const char *root, const char *name)
{
    static const char *const folders[] = {"lib64", "lib"};
    if (!root || root[0] != '/') return false;
    for (size_t i = 0; i < CALLS_COUNT(folders); ++i) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s/%s", root, folders[i], name);
        if (length > 0 && (size_t)length < sizeof path && calls_try_compiler(search, path))
            return true;
    }
    return false;
}

#if defined(LEVY_WAY_TO_NVRTC)
/* The compiler in the Python environment that a wheel's module lies in. Only a wheel says the way:
 * from another installation it might lead to a stranger's folder. */
static bool calls_try_beside(calls_search *search, const char *name)
{
    static const char anchor = 1; /* has an address in the module's file */
    Dl_info info;
    char path[4096];
    if (dladdr(&anchor, &info) == 0 || !info.dli_fname || info.dli_fname[0] != '/') return false;
    const int folder = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
    const int length =
        snprintf(path, sizeof path, "%.*s/%s/%s", folder, info.dli_fname, LEVY_WAY_TO_NVRTC, name);
    return length > 0 && (size_t)length < sizeof path && calls_try_compiler(search, path);
}
#else
static bool calls_try_beside(calls_search *search, const char *name)
{
    (void)search, (void)name;
    return false;
}
#endif

/* Tries a wheel's own environment first, then the loader's own search, then the toolkit that the
 * environment names (never for set-uid programs), then the toolkit's standard place. */
static levy_status calls_load_compiler(levy_cuda_calls *calls, int driver_major, char *why)
{
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    if (calls->compiler) return LEVY_OK;
    calls_search search = {.calls = calls, .driver_major = driver_major};
    const char *const roots[] = {secure_getenv("CUDA_HOME"), secure_getenv("CUDA_PATH"),
                                 "/usr/local/cuda"};
    for (size_t i = 0; i < CALLS_COUNT(names); ++i) {
        if (calls_try_beside(&search, names[i])) return LEVY_OK;
        if (calls_try_compiler(&search, names[i])) return LEVY_OK;
        for (size_t r = 0; r < CALLS_COUNT(roots); ++r)
            if (calls_try_root(&search, roots[r], names[i])) return LEVY_OK;
    }
    if (search.refused_major)
        snprintf(why, LEVY_REASON_SIZE,
                 "the NVIDIA driver is too old: it supports CUDA %d, but the NVRTC library found "
                 "is of CUDA %d.%d, which "
                 "needs driver %s or newer; update the driver, or install the package "
                 "cuda-nvrtc-%d-0 or newer of CUDA %d",
                 driver_major, search.refused_major, search.refused_minor,
                 search.refused_major >= 13 ? "580" : "525", driver_major, driver_major);
    else if (search.missing)
        snprintf(why, LEVY_REASON_SIZE,
                 "the NVRTC library found has no %s; install CUDA's NVRTC 12 or 13",
                 search.missing);
    else
        snprintf(why, LEVY_REASON_SIZE,
                 "no NVRTC library: libnvrtc.so.13 and .12 were not found; install the package "
                 "cuda-nvrtc-13-0, or "
                 "set CUDA_HOME to a toolkit's folder");
    return LEVY_DEVICE;
}

static bool calls_load_monitor(levy_cuda_calls *calls)
{
    if (!calls->monitor) calls->monitor = calls_open("libnvidia-ml.so.1");
    return calls->monitor && !calls_fill(calls, calls->monitor, calls_monitor_symbols,
                                         CALLS_COUNT(calls_monitor_symbols));
}

static void calls_unload(levy_cuda_calls *calls)
{
    if (calls->compiler) dlclose(calls->compiler);
    if (calls->driver) dlclose(calls->driver);
    if (calls->monitor) dlclose(calls->monitor);
    *calls = levy_cuda_calls_real;
}

/* The files that the driver's library opens first: on a server or a desktop, under Windows' Linux,
 * on a Jetson. */
static bool calls_present(void)
{
    static const char *const files[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-ctrl-gpu",
                                        "/dev/nvgpu/igpu0/ctrl"};
    for (size_t i = 0; i < CALLS_COUNT(files); ++i)
        if (access(files[i], F_OK) == 0) return true;
    return false;
}

const levy_cuda_calls levy_cuda_calls_real = {.load_driver = calls_load_driver,
                                              .load_compiler = calls_load_compiler,
                                              .load_monitor = calls_load_monitor,
                                              .unload = calls_unload,
                                              .present = calls_present};

bool levy_cuda_code_is_fatal(int code)
{
    switch (code) {
    case 4:   /* deinitialized: the process is ending */
    case 214: /* uncorrectable ECC */
    case 220: /* uncorrectable NVLink */
    case 226:
    case 700:
    case 702:
    case 710:
    case 714:
    case 715:
    case 716:
    case 717:
    case 718:
    case 719:
    case 721:
    case 810:
    case 911:
    case 999: /* unknown error: the state of the device is unknown, too */
        return true;
    default:
        return false;
    }
}

levy_status levy_cuda_code_status(int code)
{
    switch (code) {
    case 0:
        return LEVY_OK;
    case 2:
        return LEVY_MEMORY;
    case 1:
    case 400:
        return LEVY_INTERNAL; /* invalid value, invalid handle: our mistake */
    default:
        return LEVY_DEVICE;
    }
}

/* Codes whose driver text is no help to a user, or that come before the driver can give any. */
static const char *calls_code_text(int code)
{
    switch (code) {
    case 3:
        return "the driver could not be initialised (a process forked after its first use of the "
               "GPU cannot use it)";
    case 34:
        return "libcuda.so.1 is a stub library, not a driver";
    case 35:
        return "the driver is too old";
    case 46:
        return "the GPU is in use by another process in exclusive mode, or unavailable";
    case 100:
        return "no CUDA-capable GPU was found";
    case 803:
        return "the driver's library and kernel module are of different versions; reboot or "
               "reinstall the driver";
    case 999:
        return "unknown error";
    default:
        return NULL;
    }
}

void levy_cuda_code_write(const levy_cuda_calls *calls, int code, char *buffer, size_t size)
{
    const char *text = calls_code_text(code);
    if (!text && calls->error_text && calls->error_text(code, &text) != 0) text = NULL;
    snprintf(buffer, size, "CUDA error %d (%s)", code, text ? text : "no description");
}
