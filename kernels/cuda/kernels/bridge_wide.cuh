/* bridge_wide.cuh: the bridge of many dimensions. Part of bridge.cu. */

/* Above 8 dimensions a thread makes one path, holds a step's scaled normals in registers and its
 * stack in local memory; every neighbour is read from a slot. The factor stands in shared memory,
 * row by row. */
template <class B>
BRIDGE_FN void bridge_wide(const bridge_arguments<B> &a, const typename B::real *factor,
                           const typename B::real *start, unsigned char *shared)
{
    typedef typename B::real real;
    enum { D = B::dimensions, slots = B::slots > 0 ? B::slots : 1 };
    real kept[slots * D], z[D];
    real *const c = (real *)shared;
    const uint64_t path = (uint64_t)blockIdx.x * B::threads + threadIdx.x, step = a.stride * D;
    for (int i = (int)threadIdx.x; i < D * D; i += B::threads) c[i] = factor[i];
    __syncthreads();
    if (path >= a.paths) return;
    for (int d = 0; d < D && B::start_slot != BRIDGE_NOWHERE; ++d)
        kept[(B::start_slot == BRIDGE_NOWHERE ? 0 : B::start_slot) * D + d] = start[d];
#pragma unroll 1
    for (int i = 0; i < B::steps; ++i) {
        const bridge_record<real> r = a.program[i];
        const real *const from = a.normals + path + BRIDGE_NORMAL(r.instruction) * step;
        real *const to = a.output + path + BRIDGE_ROW(r.instruction) * step;
        const uint32_t left = BRIDGE_LEFT_SLOT(r.instruction) * D,
                       right = BRIDGE_RIGHT_SLOT(r.instruction) * D,
                       own = BRIDGE_OWN_SLOT(r.instruction);
#pragma unroll
        for (int e = 0; e < D; ++e) z[e] = __ldcs(from + e * a.stride);
#pragma unroll
        for (int e = 0; e < D; ++e) z[e] = r.w2 * z[e];
#pragma unroll 1
        for (int d = 0; d < D; ++d) {
            const real l = kept[left + d], g = kept[right + d];
            real x = BRIDGE_MEAN(bridge_fma, r.w0, l, r.w1, g);
#pragma unroll
            for (int e = 0; e < D; ++e)
                if (!B::lower || e <= d) x = BRIDGE_ADD(bridge_fma, c[d * D + e], z[e], x);
            if (!B::increments) __stcs(to + d * a.stride, x);
            if (B::increments && BRIDGE_BEFORE(r.instruction))
                __stcs(to + d * a.stride, BRIDGE_INCREMENT(x, l, r.before));
            if (B::increments && BRIDGE_AFTER(r.instruction))
                __stcs(to + step + d * a.stride, BRIDGE_INCREMENT(g, x, r.after));
            if (own != BRIDGE_NOWHERE) kept[own * D + d] = x;
        }
    }
}
