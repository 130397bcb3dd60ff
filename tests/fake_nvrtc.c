/* fake_nvrtc.c: see fake_cuda.h: a compiler whose programs and kernels are their source; and what a
 * launch computes. */
#include "tests/fake_cuda.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

int fake_nvrtc_version(int *major, int *minor)
{
    FAKE_ENTER("nvrtc_version");
    *major = fake.compiler_major;
    *minor = fake.compiler_minor;
    return 0;
}

int fake_nvrtc_arch_count(int *count)
{
    FAKE_ENTER("nvrtc_arch_count");
    *count = 3;
    return 0;
}

int fake_nvrtc_archs(int *architectures)
{
    FAKE_ENTER("nvrtc_archs");
    architectures[0] = 75;
    architectures[1] = 90;
    architectures[2] = fake.newest_arch;
    return 0;
}

int fake_nvrtc_create(void **program, const char *source, const char *name, int n_headers,
                      const char *const *headers, const char *const *names)
{
    (void)name;
    (void)headers;
    FAKE_ENTER("nvrtc_create");
    bool kernel = false;
    for (int i = 0; i < n_headers; ++i)
        kernel = kernel || !strcmp(names[i], "kernels/cuda/kernels/fused.cu");
    if (!kernel) ++fake.misuse;
    *program = fake_object_make(0, source);
    return 0;
}

int fake_nvrtc_destroy(void **program)
{
    fake_object_drop(*program);
    *program = NULL;
    FAKE_ENTER("nvrtc_destroy");
    return 0;
}

/* What the compile that follows on this thread asks. Not counted: nothing depends on its answer. */
static _Thread_local struct {
    int (*callback)(void *, void *);
    void *user;
} fake_flow;

int fake_nvrtc_flow(void *program, int (*callback)(void *, void *), void *user)
{
    (void)program;
    fake_flow.callback = callback;
    fake_flow.user = user;
    return 0;
}

/* As long as fake.compile_seconds says, unless it is told to end. */
static bool fake_compile_is_ended(void)
{
    const struct timespec step = {.tv_nsec = 1000000};
    for (int k = 0; k < 1000 * fake.compile_seconds; ++k) {
        if (fake_flow.callback && fake_flow.callback(fake_flow.user, NULL)) return true;
        nanosleep(&step, NULL);
    }
    return false;
}

int fake_nvrtc_compile(void *program, int n_options, const char *const *options)
{
    (void)program;
    FAKE_ENTER("nvrtc_compile");
    if (n_options < 1 || strncmp(options[0], "--gpu-architecture=", 19) != 0) return 5;
    fake_count_compile();
    const bool ended = fake_compile_is_ended();
    fake_flow.callback = NULL;
    return ended ? 16 : fake.compile_code;
}

int fake_nvrtc_log_size(void *program, size_t *size)
{
    (void)program;
    FAKE_ENTER("nvrtc_log_size");
    *size = fake.compile_log ? strlen(fake.compile_log) + 1 : 1;
    return 0;
}

int fake_nvrtc_log(void *program, char *log)
{
    (void)program;
    FAKE_ENTER("nvrtc_log");
    strcpy(log, fake.compile_log ? fake.compile_log : "");
    return 0;
}

int fake_nvrtc_cubin_size(void *program, size_t *size)
{
    FAKE_ENTER("nvrtc_cubin_size");
    *size = strlen(program) + 1;
    return 0;
}

int fake_nvrtc_cubin(void *program, char *cubin)
{
    FAKE_ENTER("nvrtc_cubin");
    strcpy(cubin, program);
    return 0;
}

int fake_nvrtc_ptx_size(void *program, size_t *size)
{
    FAKE_ENTER("nvrtc_ptx_size");
    *size = strlen(program) + 1;
    return 0;
}

int fake_nvrtc_ptx(void *program, char *ptx)
{
    FAKE_ENTER("nvrtc_ptx");
    strcpy(ptx, program);
    return 0;
}

/* ---- What a launch computes ------------------------------------------------------------------ */

levy_status fake_cuda_simulate_number(const levy_image *image, const levy_batch *batch,
                                      levy_block_sum *sums)
{
    for (uint64_t b = 0; b < batch->n_blocks; ++b)
        for (uint32_t o = 0; o < batch->tile.n_outputs; ++o) {
            const uint64_t seed =
                (batch->first_block + b) * 1000 + batch->tile.first_output + o + image->n_nodes;
            sums[b * batch->tile.n_outputs + o] =
                (levy_block_sum){(double)seed, 0.5 * (double)seed};
        }
    return LEVY_OK;
}

levy_status fake_cuda_simulate_cpu(const levy_image *image, const levy_batch *batch,
                                   levy_block_sum *sums)
{
    const levy_backend_options options = {
        .memory = &levy_memory_default, .threads = 1, .isa = "auto"};
    char why[LEVY_REASON_SIZE];
    double seconds = 0.0;
    void *state = NULL;
    levy_status status = levy_backend_cpu.open(&options, &state, why);
    if (status == LEVY_OK) status = levy_backend_cpu.load(state, image, &batch->tile, 1, why);
    if (status == LEVY_OK)
        status = levy_backend_cpu.simulate(state, batch, NULL, sums, &seconds, why);
    if (state) {
        levy_backend_cpu.unload(state);
        levy_backend_cpu.close(state);
    }
    return status;
}
