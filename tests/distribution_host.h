/* distribution_host.h: one shape of distribution.cu on the host, in the namespace that this is
 * included in: its threads one after the other, step by step where they meet. Included once a
 * shape, behind the shape's text; so it has no guard. Must not know: files. */
#undef DISTRIBUTION_KERNELS /* what only a GPU's compiler reads */
#include "kernels/cuda/kernels/distribution.cu"

template <class Step>
static void host_threads(Step step)
{
    for (threadIdx.x = 0; threadIdx.x < DISTRIBUTION_THREADS; ++threadIdx.x) step();
}

static void host_tile(const distribution_arguments *a, uint64_t tile)
{
#if DISTRIBUTION_BY_WORD
    host_threads([=] { distribution_words(a, tile); });
#elif DISTRIBUTION_LAW != 4
    host_threads([=] { distribution_begin(); });
    host_threads([=] { distribution_try(a, tile); });
    host_threads([=] { distribution_finish(a, tile); });
#endif
}

static void host_draw(const distribution_arguments *a)
{
#if DISTRIBUTION_LAW == 4
    host_threads([=] { distribution_whole_all(a); });
#else
    for (uint64_t tile = blockIdx.x; tile < distribution_tiles(a); tile += gridDim.x)
        host_tile(a, tile);
#endif
}

/* `given`: words, arrays of parameters and table, which stand in for the addresses in the
 * arguments. */
static void host_run(bool invert, const void *arguments, void *const given[4], void *output)
{
    distribution_arguments a;
    std::memcpy(&a, arguments, sizeof a);
    a.words = (const uint32_t *)given[0];
    a.each[0] = (const real *)given[1];
    a.each[1] = (const real *)given[2];
    a.table = (const real *)given[3];
    a.output = (distribution_number *)output;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
        if (invert)
            host_threads([&] { distribution_invert_all(&a); });
        else
            host_draw(&a);
}

#undef DISTRIBUTION_LAW
#undef DISTRIBUTION_EACH
#undef DISTRIBUTION_FEW
