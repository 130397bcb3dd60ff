/* draws_cuda.cu: launches, see draws_cuda.h. LANE_SINGLE makes the single build. */
#include <cuda_runtime.h>

#include "bench/distributions/draws.cuh"

template <class Kernel, class... Arguments>
static levy_status draws_launch(Kernel kernel, void *where, uint64_t blocks, Arguments... arguments)
{
    int device = 0, processors = 0, together = 0;
    if (cudaGetDevice(&device) ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&together, kernel, DRAWS_THREADS, 0))
        return LEVY_DEVICE;
    const uint64_t most = (uint64_t)processors * (uint64_t)together;
    kernel<<<(unsigned)(blocks < most ? blocks : most), DRAWS_THREADS, 0, (cudaStream_t)where>>>(
        arguments...);
    return cudaGetLastError() == cudaSuccess ? LEVY_OK : LEVY_DEVICE;
}

static uint64_t draws_blocks(uint64_t work, uint64_t each) { return (work + each - 1) / each; }

static levy_status draws_invert(const levy_draws_cuda_job &job, void *where)
{
    const uint64_t blocks = draws_blocks(job.count, DRAWS_THREADS);
    switch (job.law) {
    case LEVY_DRAWS_EXPONENTIAL:
        return draws_launch(draws_inverted<LEVY_DRAWS_EXPONENTIAL, real>, where, blocks, job);
    case LEVY_DRAWS_NORMAL:
        return draws_launch(draws_inverted<LEVY_DRAWS_NORMAL, real>, where, blocks, job);
    case LEVY_DRAWS_GAMMA:
        return draws_launch(draws_inverted<LEVY_DRAWS_GAMMA, real>, where, blocks, job);
    case LEVY_DRAWS_POISSON:
        return draws_launch(draws_inverted<LEVY_DRAWS_POISSON, uint32_t>, where, blocks, job);
    case LEVY_DRAWS_NONCENTRAL:
        return draws_launch(draws_inverted<LEVY_DRAWS_NONCENTRAL, real>, where, blocks, job);
    case LEVY_DRAWS_LAWS:
        break;
    }
    return LEVY_ARGUMENT;
}

static levy_status draws_pseudo(const levy_draws_cuda_job &job, void *where)
{
    const uint64_t words = draws_blocks(job.count, 16 * DRAWS_THREADS),
                   tiles = draws_blocks(job.count, DRAWS_TILE);
    switch (job.law) {
    case LEVY_DRAWS_EXPONENTIAL:
        return draws_launch(draws_by_word<LEVY_DRAWS_EXPONENTIAL>, where, words, job);
    case LEVY_DRAWS_NORMAL:
        return draws_launch(draws_by_word<LEVY_DRAWS_NORMAL>, where, words, job);
    case LEVY_DRAWS_GAMMA:
        return draws_launch(draws_by_tile<LEVY_DRAWS_GAMMA, real>, where, tiles, job);
    case LEVY_DRAWS_POISSON:
        if ((real)job.parameters[0] > R(POISSON_FEW))
            return draws_launch(draws_by_tile<LEVY_DRAWS_POISSON, uint32_t>, where, tiles, job);
        return draws_launch(draws_by_search, where, words, job);
    case LEVY_DRAWS_NONCENTRAL:
        return draws_launch(draws_each<LEVY_DRAWS_NONCENTRAL>, where,
                            draws_blocks(job.count, DRAWS_THREADS), job);
    case LEVY_DRAWS_LAWS:
        break;
    }
    return LEVY_ARGUMENT;
}

extern "C" levy_status LANE_PICK(levy_draws_cuda_double,
                                 levy_draws_cuda_single)(const levy_draws_cuda_job *job,
                                                         void *where)
{
    if (!job || !job->output || job->first % 64 != 0) return LEVY_ARGUMENT;
    if (job->count == 0) return LEVY_OK;
    return job->words ? draws_invert(*job, where) : draws_pseudo(*job, where);
}

#if !defined(LANE_SINGLE)
extern "C" uint64_t levy_poisson_cuda_size(void) { return sizeof(levy_poisson_table); }

extern "C" levy_status levy_poisson_cuda_table(void *memory, double mean)
{
    static_assert(sizeof(levy_poisson_table) < 16384, "it stands on the stack");
    levy_poisson_table table;
    if (!memory || !levy_poisson_table_fill(&table, mean)) return LEVY_ARGUMENT;
    return cudaMemcpy(memory, &table, sizeof table, cudaMemcpyHostToDevice) == cudaSuccess
               ? LEVY_OK
               : LEVY_DEVICE;
}

extern "C" levy_status levy_poisson_cuda_fill(const void *memory, uint64_t seed, uint32_t stream,
                                              uint64_t count, int bytes, void *output, void *where)
{
    const levy_poisson_table *const table = (const levy_poisson_table *)memory;
    const uint64_t blocks = draws_blocks(count, 16 * DRAWS_THREADS);
    if (!memory || !output) return LEVY_ARGUMENT;
    if (count == 0) return LEVY_OK;
    switch (bytes) {
    case 1:
        return draws_launch(draws_poisson_table<uint8_t>, where, blocks, table, seed, stream, count,
                            (uint8_t *)output);
    case 2:
        return draws_launch(draws_poisson_table<uint16_t>, where, blocks, table, seed, stream,
                            count, (uint16_t *)output);
    case 4:
        return draws_launch(draws_poisson_table<uint32_t>, where, blocks, table, seed, stream,
                            count, (uint32_t *)output);
    default:
        return LEVY_ARGUMENT;
    }
}
#endif
