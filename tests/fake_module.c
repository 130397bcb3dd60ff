/* fake_module.c: a CUDA module over the fake driver (fake_cuda.h), to be loaded as liblevy-cuda.so
 * by a library that thinks it real; kernels are the CPU's path loop. Must not know: how the module
 * works. */
#include "kernels/cuda/compile/bridge_shape.h"
#include "kernels/cuda/device/launch.h"
#include "kernels/cuda/compile/shape.h"
#include "tests/fake_module.h"

#define levy_cuda_calls_real (*fake_cuda_calls())
#include "kernels/cuda/device/cuda_module.c"

fake_cuda *levy_fake_module(void) { return &fake; }

void levy_fake_module_reset(void)
{
    fake_cuda_reset();
    fake.simulate = fake_cuda_simulate_cpu;
}

void *levy_fake_module_memory(const void *bytes, size_t size)
{
    levy_cuda_pointer pointer = 0;
    ++fake.depth; /* as if the caller had a context */
    const int code = fake_cuda_calls()->memory_allocate(&pointer, size);
    --fake.depth;
    if (code) return NULL;
    memcpy((void *)(uintptr_t)pointer, bytes, size);
    return (void *)(uintptr_t)pointer;
}
