/* sampler.cu: the stand-alone weighted sampler: draws, the monotone inverse, and counts of draws. A
 * thread makes LEVY_LANES neighbouring draws: their words first, then all loads of rows, then the
 * items, so that as many loads are under way. Items are stored 16 bytes at a time wherever the
 * caller's array begins, because threads are laid over multiples of 16 bytes. Counts of few items
 * are kept in shared memory. Compiled by NVRTC: sampler_launch.c writes LEVY_LANES before this
 * file. Must not know: weights, streams. */
#include "kernels/lane/lane.h"
#include "kernels/points/philox.h"
#include "kernels/samplers/alias/sampler_draw.h"

enum {
    SAMPLER_THREADS = 256,
    SAMPLER_OWN = 4096 /* counts that a block keeps */
};

#if defined(SAMPLER_KERNELS)
static __shared__ uint32_t sampler_own[SAMPLER_OWN];
#endif

struct sampler_arguments {
    const uint2 *rows; /* levy_sampler_row */
    const double *thresholds, *cumulative;
    const uint32_t *start;
    const double *u;
    uint32_t *output;
    uint64_t seed, first, n; /* draws first to first + n - 1, or n numbers u */
    double share;
    uint32_t items, cells;
    uint32_t lead; /* numbers from a multiple of 16 bytes to output */
    uint32_t own;  /* counts are kept in shared memory */
};

/* Draws `draw` to draw + LANES - 1. */
LANE_FN lane_word sampler_draws(const sampler_arguments *a, uint64_t draw)
{
    sampler_place place[LANES];
    uint2 row[LANES];
    lane_word low, high, items;
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        low.v[i] = (uint32_t)(draw + (uint64_t)i);
        high.v[i] = (uint32_t)((draw + (uint64_t)i) >> 32);
    }
    const philox_words words = philox_draw(a->seed, low, high, lane_word_of(0), lane_word_of(0));
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        place[i] = sampler_place_of(words.w[0].v[i], words.w[1].v[i], a->items);
        row[i] = __ldg(a->rows + place[i].row);
    }
    LANE_UNROLL for (int i = 0; i < LANES; ++i)
    {
        const sampler_place p = place[i];
        items.v[i] = sampler_item(row[i].x, row[i].y, p.row, p.high);
        if (sampler_is_near(row[i].x, p.high))
            items.v[i] = sampler_exact(row[i].x, row[i].y, p, a->thresholds[p.row], a->share);
    }
    return items;
}

/* Items at, at + 1, ... of the output. Those before its first and past its last are left out. */
LANE_FN void sampler_store(const sampler_arguments *a, int64_t at, lane_word items)
{
    if (at >= 0 && at + LANES <= (int64_t)a->n) {
        const uint4 pack = {items.v[0], items.v[1], items.v[2], items.v[3]};
        __stcs((uint4 *)(a->output + at), pack);
        return;
    }
    LANE_UNROLL for (int i = 0; i < LANES; ++i) if (at + i >= 0 && at + i < (int64_t)a->n)
        a->output[at + i] = items.v[i];
}

/* The first of the thread's draws, and how far apart they are from round to round. */
LANE_FN int64_t sampler_begin(void)
{
    return ((int64_t)blockIdx.x * SAMPLER_THREADS + threadIdx.x) * LANES;
}
LANE_FN int64_t sampler_stride(void) { return (int64_t)gridDim.x * SAMPLER_THREADS * LANES; }

LANE_FN void sampler_draw_all(const sampler_arguments *a)
{
    for (int64_t at = sampler_begin() - a->lead; at < (int64_t)a->n; at += sampler_stride())
        sampler_store(a, at, sampler_draws(a, a->first + (uint64_t)at));
}

/* Neighbouring numbers belong to neighbouring threads. */
LANE_FN void sampler_invert_all(const sampler_arguments *a)
{
    const uint64_t stride = (uint64_t)gridDim.x * SAMPLER_THREADS;
    for (uint64_t k = (uint64_t)blockIdx.x * SAMPLER_THREADS + threadIdx.x; k < a->n; k += stride)
        a->output[k] = sampler_cut(a->u[k], a->cumulative, a->start, a->cells);
}

/* Counts go by three steps, between which the threads of a block meet. */
LANE_FN void sampler_count_clear(const sampler_arguments *a)
{
    for (uint32_t i = threadIdx.x; a->own && i < a->items; i += SAMPLER_THREADS) sampler_own[i] = 0;
}

LANE_FN void sampler_count_all(const sampler_arguments *a)
{
    for (int64_t at = sampler_begin(); at < (int64_t)a->n; at += sampler_stride()) {
        const lane_word items = sampler_draws(a, a->first + (uint64_t)at);
        LANE_UNROLL for (int i = 0; i < LANES; ++i)
        {
            if (at + i >= (int64_t)a->n) continue;
            if (a->own)
                atomicAdd(&sampler_own[items.v[i]], 1u);
            else
                atomicAdd(&a->output[items.v[i]], 1u);
        }
    }
}

LANE_FN void sampler_count_add(const sampler_arguments *a)
{
    for (uint32_t i = threadIdx.x; a->own && i < a->items; i += SAMPLER_THREADS)
        if (sampler_own[i]) atomicAdd(&a->output[i], sampler_own[i]);
}

#if defined(SAMPLER_KERNELS)
#define SAMPLER_KERNEL(name)                                                                       \
    extern "C" __global__ void __launch_bounds__(SAMPLER_THREADS)                                  \
        name(const __grid_constant__ sampler_arguments arguments)
SAMPLER_KERNEL(levy_sampler_draw) { sampler_draw_all(&arguments); }
SAMPLER_KERNEL(levy_sampler_invert) { sampler_invert_all(&arguments); }
SAMPLER_KERNEL(levy_sampler_counts)
{
    sampler_count_clear(&arguments);
    __syncthreads();
    sampler_count_all(&arguments);
    __syncthreads();
    sampler_count_add(&arguments);
}
#endif
