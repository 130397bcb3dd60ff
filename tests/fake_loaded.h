/* fake_loaded.h: the fake module (fake_module.h), loaded beside the library that takes it for the
 * CUDA module, so that a test can reach its GPU. Must not know: what the test does with it. */
#ifndef LEVY_TESTS_FAKE_LOADED_H
#define LEVY_TESTS_FAKE_LOADED_H

#include "tests/cmocka_all.h"
#include "tests/fake_module.h"

#include <dlfcn.h>
#include <string.h>

static const char fake_folder[] = LEVY_BINARY_DIR "/tests/fake";

static inline void fake_symbol(void *module, const char *name, void *function, size_t size)
{
    void *const symbol = dlsym(module, name);
    assert_non_null(symbol);
    memcpy(function, &symbol, size);
}

/* The library finds it in fake_folder. Its functions and its GPU; *memory: NULL, or set too. */
static inline fake_cuda *fake_load(void (**reset)(void),
                                   void *(**memory)(const void *bytes, size_t size))
{
    fake_cuda *(*take)(void) = NULL;
    void *const module =
        dlopen(LEVY_BINARY_DIR "/tests/fake/liblevy-cuda.so", RTLD_NOW | RTLD_LOCAL);
    if (!module) fail_msg("%s", dlerror());
    fake_symbol(module, "levy_fake_module", &take, sizeof take);
    fake_symbol(module, "levy_fake_module_reset", reset, sizeof *reset);
    if (memory) fake_symbol(module, "levy_fake_module_memory", memory, sizeof *memory);
    return take();
}

#endif
