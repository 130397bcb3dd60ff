/* contract_memory.c: see contract_memory.h. Must not know: what the arrays hold. */
#include "tests/contract_memory.h"

#include "tests/cmocka_all.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long gpu_pointer; /* CUdeviceptr */

static struct contract_driver {
    void *library;
    int handle;
    int (*start)(unsigned flags);
    int (*device)(int *handle, int ordinal);
    int (*retain)(void **context, int handle);
    int (*release)(int handle);
    int (*current)(void *context);
    int (*allocate)(gpu_pointer *pointer, size_t bytes);
    int (*free)(gpu_pointer pointer);
    int (*to_gpu)(gpu_pointer to, const void *from, size_t bytes);
    int (*to_host)(void *to, gpu_pointer from, size_t bytes);
    int (*wait)(void);
} driver;

static void driver_symbol(const char *name, void *function)
{
    void *const symbol = dlsym(driver.library, name);
    if (!symbol) fail_msg("libcuda.so.1 has no %s", name);
    memcpy(function, &symbol, sizeof symbol);
}

void contract_gpu_open(const char *device)
{
    const char *const number = strchr(device, ':');
    void *context = NULL;
    driver.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!driver.library) fail_msg("%s", dlerror());
    driver_symbol("cuInit", &driver.start);
    driver_symbol("cuDeviceGet", &driver.device);
    driver_symbol("cuDevicePrimaryCtxRetain", &driver.retain);
    driver_symbol("cuDevicePrimaryCtxRelease_v2", &driver.release);
    driver_symbol("cuCtxSetCurrent", &driver.current);
    driver_symbol("cuMemAlloc_v2", &driver.allocate);
    driver_symbol("cuMemFree_v2", &driver.free);
    driver_symbol("cuMemcpyHtoD_v2", &driver.to_gpu);
    driver_symbol("cuMemcpyDtoH_v2", &driver.to_host);
    driver_symbol("cuCtxSynchronize", &driver.wait);
    assert_int_equal(driver.start(0), 0);
    assert_int_equal(driver.device(&driver.handle, number ? atoi(number + 1) : 0), 0);
    assert_int_equal(driver.retain(&context, driver.handle), 0);
    assert_int_equal(driver.current(context), 0);
}

void contract_gpu_close(void)
{
    assert_int_equal(driver.current(NULL), 0);
    assert_int_equal(driver.release(driver.handle), 0);
    dlclose(driver.library);
}

void *contract_gpu_copy(const void *from, size_t bytes)
{
    gpu_pointer pointer = 0;
    assert_int_equal(driver.allocate(&pointer, bytes), 0);
    assert_int_equal(driver.to_gpu(pointer, from, bytes), 0);
    return (void *)(uintptr_t)pointer;
}

void contract_gpu_take(void *memory, void *to, size_t bytes)
{
    assert_int_equal(driver.wait(), 0);
    if (to) assert_int_equal(driver.to_host(to, (uintptr_t)memory, bytes), 0);
    assert_int_equal(driver.free((uintptr_t)memory), 0);
}
