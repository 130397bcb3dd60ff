/* butterfly_cuda.cu: see butterfly_cuda.h: which kernel, with how many warps to a block. */
#if !defined(LEVY_BUTTERFLY_HOST)
#include <cuda_runtime.h>
#endif

#include "kernels/samplers/butterfly/butterfly_cuda.h"
#include "kernels/samplers/butterfly/butterfly_paper.cuh"

static const uint64_t CUDA_MOST_PATHS = (uint64_t)1 << 36,
                      CUDA_MOST_STRIDE = ((uint64_t)1 << 29) - 1;
enum {
    CUDA_SHARED = 64 << 10,
    CUDA_SHARED_UNASKED = 48 << 10
}; /* bytes of shared memory of a block; a warp needs 64 KiB for 8,192 doubles */

/* Below this many items a thread per path is faster (on an H200; bench/butterfly prints the
 * crossing). */
enum { CUDA_EACH_BELOW_SINGLE = 12, CUDA_EACH_BELOW_DOUBLE = 8 };

#if !defined(LEVY_BUTTERFLY_HOST)
template <class Real>
static int cuda_launch(void (*kernel)(butterfly_view<Real>), uint64_t blocks, unsigned threads,
                       size_t shared, void *stream, const butterfly_view<Real> &view)
{
    if (shared > CUDA_SHARED_UNASKED) {
        const cudaError_t error = cudaFuncSetAttribute(
            (const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
        if (error != cudaSuccess) return (int)error;
    }
    kernel<<<(unsigned)blocks, threads, shared, (cudaStream_t)stream>>>(view);
    return (int)cudaGetLastError();
}
#endif

/* `per_warp`: bytes of shared memory that a warp needs. */
template <class Real>
static int cuda_warps(void (*kernel)(butterfly_view<Real>), size_t per_warp, void *stream,
                      const butterfly_view<Real> &view)
{
    unsigned warps = BUTTERFLY_THREADS / BUTTERFLY_WARP;
    while (warps > 1 && warps * per_warp > CUDA_SHARED) warps /= 2;
    const uint64_t each = (uint64_t)warps * BUTTERFLY_WARP;
    return cuda_launch(kernel, (view.n_paths + each - 1) / each, warps * BUTTERFLY_WARP,
                       warps * per_warp, stream, view);
}

template <class Real, int V>
static int cuda_butterfly(void *stream, const butterfly_view<Real> &view)
{
    const size_t rows = (view.blocks + V - 1) / V * V;
    return cuda_warps(draw_butterfly<Real, V>,
                      rows * butterfly_layout<Real, V>::stride * sizeof(Real), stream, view);
}

/* The most weights per load for which all rows begin and end at multiples of a load. */
template <class Real>
static uint32_t cuda_vector(const butterfly_view<Real> &v, uint32_t asked)
{
    uint32_t n = 16 / sizeof(Real);
    const uint64_t odd = (uint64_t)(uintptr_t)v.theta | (uint64_t)(uintptr_t)v.phi | v.theta_bytes |
                         v.phi_bytes | v.n_items * (uint64_t)sizeof(Real);
    if (asked == 0 && v.n_items <= 64) asked = 2; /* with 4, half the lanes would be idle */
    while (n > 1 && (odd % (n * sizeof(Real)) != 0 || (asked > 0 && n > asked))) n /= 2;
    return n;
}

static int cuda_vectors(uint32_t n, void *stream, const butterfly_view<float> &view)
{
    return n == 4   ? cuda_butterfly<float, 4>(stream, view)
           : n == 2 ? cuda_butterfly<float, 2>(stream, view)
                    : cuda_butterfly<float, 1>(stream, view);
}
static int cuda_vectors(uint32_t n, void *stream, const butterfly_view<double> &view)
{
    return n == 2 ? cuda_butterfly<double, 2>(stream, view)
                  : cuda_butterfly<double, 1>(stream, view);
}

template <class Real>
static int cuda_version(levy_butterfly_version version, uint32_t vector, void *stream,
                        const butterfly_view<Real> &v)
{
    switch (version) {
    case LEVY_BUTTERFLY_EACH:
        return cuda_launch(draw_each<Real>, (v.n_paths + BUTTERFLY_THREADS - 1) / BUTTERFLY_THREADS,
                           BUTTERFLY_THREADS, 0, stream, v);
    case LEVY_BUTTERFLY_TRANSPOSED:
        return cuda_warps(draw_transposed<Real>, v.blocks * BUTTERFLY_WARP * sizeof(Real), stream,
                          v);
    case LEVY_BUTTERFLY_PAPER_TRANSPOSED:
        return cuda_warps(draw_paper_transposed<Real>, 0, stream, v);
    case LEVY_BUTTERFLY_PAPER_BUTTERFLY:
        return cuda_warps(draw_paper_butterfly<Real>, 0, stream, v);
    case LEVY_BUTTERFLY_AUTO:
    case LEVY_BUTTERFLY_BUTTERFLY:
        break;
    }
    if (v.blocks == 1) return cuda_warps(draw_butterfly_block<Real>, 0, stream, v);
    return cuda_vectors(cuda_vector(v, vector), stream, v);
}

template <class Real>
static int cuda_draw(const levy_butterfly_draws *d, const levy_butterfly_options *o, void *stream)
{
    butterfly_view<Real> view;
    view.theta = (const Real *)d->theta;
    view.phi = (const Real *)d->phi;
    view.states = d->states;
    view.words = d->words;
    view.items = d->items;
    view.n_paths = d->n_paths;
    view.theta_bytes = (uint32_t)(d->theta_stride * sizeof(Real));
    view.phi_bytes = (uint32_t)(d->phi_stride * sizeof(Real));
    view.n_items = d->n_items;
    view.n_states = d->n_states;
    view.blocks = (d->n_items + LEVY_BUTTERFLY_BLOCK - 1) / LEVY_BUTTERFLY_BLOCK;
    const uint32_t few = sizeof(Real) == 4 ? CUDA_EACH_BELOW_SINGLE : CUDA_EACH_BELOW_DOUBLE;
    levy_butterfly_version version = o ? o->version : LEVY_BUTTERFLY_AUTO;
    if (d->n_paths < BUTTERFLY_WARP || (version == LEVY_BUTTERFLY_AUTO && d->n_items < few))
        version = LEVY_BUTTERFLY_EACH;
    return cuda_version(version, o ? o->vector : 0, stream, view);
}

extern "C" levy_status levy_butterfly_cuda_draw(const levy_butterfly_draws *draws,
                                                const levy_butterfly_options *options, void *stream,
                                                int *code)
{
    *code = 0;
    const levy_status status = levy_butterfly_admit(draws);
    if (status != LEVY_OK) return status;
    if (draws->n_paths > CUDA_MOST_PATHS || draws->theta_stride > CUDA_MOST_STRIDE ||
        draws->phi_stride > CUDA_MOST_STRIDE)
        return LEVY_ARGUMENT;
    if (options &&
        (options->version == LEVY_BUTTERFLY_PAPER_TRANSPOSED ||
         options->version == LEVY_BUTTERFLY_PAPER_BUTTERFLY) &&
        draws->n_items > PAPER_MOST)
        return LEVY_ARGUMENT;
    if (draws->n_paths == 0) return LEVY_OK;
    *code = draws->single ? cuda_draw<float>(draws, options, stream)
                          : cuda_draw<double>(draws, options, stream);
    return *code ? LEVY_DEVICE : LEVY_OK;
}
