/* draws_host.h: draws.cu on the host in one precision, in the namespace that this is included in.
 * Included once a precision, behind the shape's text; so it has no guard. Must not know: files. */
#undef DRAWS_KERNELS /* what only a GPU's compiler reads */
#include "kernels/cuda/kernels/draws.cu"

static void host_kernel(uint32_t kernel, const draws_arguments &a)
{
    draws_real *const shared = reinterpret_cast<draws_real *>(host_shared);
    switch (kernel) {
    case 0:
        return draws_each(a, shared);
    case 1:
        return draws_block(a);
    case 2:
        return draws_many<1>(a, shared);
    case 3:
        return draws_many<2>(a, shared);
#if defined(DRAWS_SINGLE)
    case 4:
        return draws_many<4>(a, shared);
#endif
    }
    abort();
}

/* `given`: theta, phi, states and words, which stand in for the addresses in the arguments. */
static void host_run(const host_head &h, const void *arguments, void *const given[ARRAYS],
                     uint32_t *items, unsigned long long *fault)
{
    draws_arguments a;
    memcpy(&a, arguments, sizeof a);
    a.theta = (const draws_real *)given[0];
    a.phi = (const draws_real *)given[1];
    a.states = (const uint32_t *)given[2];
    a.words = (const uint32_t *)given[3];
    a.items = items;
    a.fault = fault;
    for (unsigned y = 0; y < h.rows; ++y) {
        memset(host_shared, 0xA5, sizeof host_shared);
        blockIdx.y = y;
        host_launch(h.blocks, h.threads, [&] { host_kernel(h.kernel, a); });
    }
}

static_assert(sizeof(draws_arguments) == HOST_ARGUMENTS, "what draws_host.cpp reads");

#undef DRAWS_SINGLE
