/* context.c: what any program that uses a GPU pays before its first kernel: the driver is loaded,
 * cuInit, the device's primary context. Nothing of CUDA is needed to build it. Ends with 77 where
 * there is no driver or no GPU. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int device = 0;
    void *context = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) return 77;
    int (*init)(unsigned), (*get)(int *, int), (*retain)(void **, int);
    *(void **)&init = dlsym(driver, "cuInit");
    *(void **)&get = dlsym(driver, "cuDeviceGet");
    *(void **)&retain = dlsym(driver, "cuDevicePrimaryCtxRetain");
    if (!init || !get || !retain || init(0) != 0 || get(&device, 0) != 0) return 77;
    return retain(&context, device) == 0 ? 0 : 1;
}
