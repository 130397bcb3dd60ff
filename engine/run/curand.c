/* curand.c: see curand.h. */
#include "engine/run/curand.h"

#include "engine/run/backend.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <threads.h>

static once_flag curand_once = ONCE_FLAG_INIT;
static levy_curand_calls curand_calls;
static char curand_why[LEVY_REASON_SIZE];

static bool curand_take(void *library)
{
    static const struct {
        const char *name;
        size_t offset;
    } symbols[] = {
#define CURAND_SYMBOL(member, symbol, arguments) {symbol, offsetof(levy_curand_calls, member)},
        LEVY_CURAND_LIST(CURAND_SYMBOL)
#undef CURAND_SYMBOL
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; ++i) {
        void *const address = dlsym(library, symbols[i].name);
        if (!address) {
            snprintf(curand_why, sizeof curand_why, "the cuRAND library found has no %s",
                     symbols[i].name);
            return false;
        }
        memcpy((char *)&curand_calls + symbols[i].offset, &address, sizeof address);
    }
    return true;
}

/* The loader's own search, then the toolkit that the environment names (never for set-uid
 * programs), then the toolkit's standard place. RTLD_NODELETE: the library registers handlers. */
static void *curand_find(void)
{
    static const char name[] = "libcurand.so.10";
    const char *const roots[] = {secure_getenv("CUDA_HOME"), secure_getenv("CUDA_PATH"),
                                 "/usr/local/cuda"};
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    for (size_t i = 0; !library && i < sizeof roots / sizeof *roots; ++i) {
        char path[4096];
        if (!roots[i] || roots[i][0] != '/') continue;
        const int length = snprintf(path, sizeof path, "%s/lib64/%s", roots[i], name);
        if (length > 0 && (size_t)length < sizeof path)
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    return library;
}

static void curand_load(void)
{
    void *const library = curand_find();
    if (!library)
        snprintf(curand_why, sizeof curand_why,
                 "NVIDIA's cuRAND library, libcurand.so.10, was not found; install the package "
                 "libcurand-13-0, or set CUDA_HOME to a toolkit's folder");
    else
        (void)curand_take(library);
}

levy_status levy_curand_load(const levy_curand_calls **calls, char *why)
{
    call_once(&curand_once, curand_load);
    if (curand_why[0]) return snprintf(why, LEVY_REASON_SIZE, "%s", curand_why), LEVY_UNSUPPORTED;
    *calls = &curand_calls;
    return LEVY_OK;
}

static levy_status curand_fail(int code, const char *doing, char *why)
{
    enum { ALLOCATION_FAILED = 102 };
    snprintf(why, LEVY_REASON_SIZE, "cuRAND failed at %s: status %d", doing, code);
    return code == ALLOCATION_FAILED ? LEVY_MEMORY : LEVY_DEVICE;
}

levy_status levy_curand_open(const levy_curand_calls *calls, int32_t kind, uint32_t n_dimensions,
                             uint64_t seed, bool on_device, levy_curand *curand, char *why)
{
    *curand =
        (levy_curand){.calls = calls, .kind = kind, .on_device = on_device, .n_dimensions = 1};
    int code = (on_device ? calls->create_there : calls->create)(&curand->generator, kind);
    if (code) {
        curand->generator = NULL;
        return curand_fail(code, "making a generator", why);
    }
    if (kind == LEVY_CURAND_MRG32K3A) {
        code = calls->set_seed(curand->generator, seed);
        return code ? curand_fail(code, "setting the seed", why) : LEVY_OK;
    }
    curand->n_dimensions = n_dimensions;
    code = calls->set_dimensions(curand->generator, n_dimensions);
    return code ? curand_fail(code, "setting the dimensions", why) : LEVY_OK;
}

levy_status levy_curand_stream(levy_curand *curand, void *stream, char *why)
{
    const int code = curand->calls->set_stream(curand->generator, stream);
    return code ? curand_fail(code, "setting the stream", why) : LEVY_OK;
}

levy_status levy_curand_words(levy_curand *curand, uint64_t first, size_t n, uint32_t *words,
                              char *why)
{
    if (first != curand->next) { /* to go on is cheap, to start anew is not */
        const int code = curand->calls->set_offset(curand->generator, first);
        if (code) return curand_fail(code, "setting the offset", why);
    }
    const int code = curand->calls->generate(curand->generator, words, n * curand->n_dimensions);
    curand->next = code ? UINT64_MAX : first + n;
    return code ? curand_fail(code, "generating words", why) : LEVY_OK;
}

void levy_curand_close(levy_curand *curand)
{
    if (curand->generator) (void)curand->calls->destroy(curand->generator);
    curand->generator = NULL;
}
