/* alias_cuda_table.cuh: the table behind alias_cuda.h, and how its files launch kernels and report
 * failures. */
#ifndef LEVY_ALIAS_CUDA_TABLE_CUH
#define LEVY_ALIAS_CUDA_TABLE_CUH

extern "C" {
#include "kernels/samplers/alias/alias_cuda.h"
#include "kernels/samplers/alias/alias_row.h"
}

struct alias_sum_result;

struct levy_alias_cuda {
    uint64_t capacity, count;
    int processors;
    levy_alias_row *rows;
    levy_alias_short_row *short_rows; /* short_made: of the rows as they are */
    bool short_made;
    alias_entry *entries;
    uint32_t *items, *splits, *counts;
    alias_pair *partials;
    alias_sum_result *result, *host_result;
    void *chain;
    void *temporary; /* CUB's */
    size_t temporary_size;
    uint64_t *section_draws; /* of the samplers */
    alias_scale scale;
    alias_pair total;
    int total_shift;
    char message[160];
};

levy_status levy_alias_cuda_check(levy_alias_cuda *table, cudaError_t error, const char *what);

/* For functions that return a levy_status and own nothing. */
#define ALIAS_CUDA(table, call)                                                                    \
    do {                                                                                           \
        const levy_status alias_cuda_status = levy_alias_cuda_check(table, call, #call);           \
        if (alias_cuda_status != LEVY_OK) return alias_cuda_status;                                \
    } while (0)

#if !defined(LEVY_ALIAS_HOST)
#define ALIAS_SHARED(type, name)                                                                   \
    extern __shared__ __align__(16) unsigned char alias_shared_bytes[];                            \
    type *const name = reinterpret_cast<type *>(alias_shared_bytes)

template <class Kernel, class... Arguments>
static levy_status alias_launch(levy_alias_cuda *table, Kernel *kernel, uint64_t blocks,
                                unsigned threads, size_t shared, Arguments... arguments)
{
    if (shared > 48 << 10)
        ALIAS_CUDA(table, cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                               (int)shared));
    kernel<<<(unsigned)blocks, threads, shared>>>(arguments...);
    ALIAS_CUDA(table, cudaGetLastError());
    return LEVY_OK;
}
#endif

#endif
